// Complementarity problem of stick and slip, by exchanges (pivoting) or by a search of the choices. See stick.h.
//
// For friction A = -W D with W = J inv(M) J': what is sought makes 1/2 u' W u - b' u least within a box (u = D z), so
// there is a solution, and its rates are unique, even where W is singular because more elements stick than there are
// degrees of freedom to stop. Then the values of least norm are taken; where one of these is out of its box it is set
// to its bound and the others take over. All that is wrong is exchanged at once, one by one if that cycles (Murty).
// Where nothing proves that there is one solution alone the choices are searched, and all that fit must come to the
// same.
//
// Reference: K. G. Murty, Linear Complementarity, 1988; F. Pfeiffer, C. Glocker, Multibody Dynamics with Unilateral
// Contacts, 1996.
#include "hybrid/stick.h"

#include <math.h>
#include <string.h>

enum {
  most_tried = 1 << 17, // choices, of some elements or of all: a fraction of a second, once an instant
  most_minors = 16,     // elements: 2^16 minors, some milliseconds
  lists = 15,           // of n numbers, in a problem
};

static const double last_digits = 16 * 0x1p-52; // of the terms of a rate: rounding of the sums here

static size_t minors_of(size_t n) { return n <= most_minors ? n * (n + 1) * (2 * n + 1) / 6 : 0; } // the sum of squares

size_t stick_numbers(uint32_t n) {
  return 2 * (size_t)n * n + least_norm_numbers(n) + lists * (size_t)n + minors_of(n);
}
size_t stick_indices(uint32_t n) { return (1 + least_norm_indices) * (size_t)n; }

void stick_place(Stick *x, uint32_t n, double *numbers, uint32_t *indices, StickState *states, bool *flags) {
  size_t square = (size_t)n * n;
  *x = (Stick){.n = n, .reached = UINT32_MAX, .index = indices, .state = states, .slides = flags};
  x->best = states + n;
  x->first = x->best + n;
  x->a = numbers, x->sub = x->a + square;
  x->inside = (LeastNorm){.a = x->sub, .room = x->sub + square, .row = indices + n, .column = indices + 2 * (size_t)n};
  double **list[lists] = {&x->b,   &x->error, &x->low, &x->high, &x->down, &x->up,    &x->z,        &x->r,
                          &x->off, &x->slack, &x->rhs, &x->x,    &x->unit, &x->other, &x->other_off};
  numbers = x->inside.room + least_norm_numbers(n);
  for (size_t i = 0; i < lists; i++) *list[i] = numbers + i * n;
  x->minors = numbers + lists * (size_t)n;
}

static double entry(const Stick *x, uint32_t i, uint32_t j) { return x->a[(size_t)i * x->n + j]; }
static double lowest(const Stick *x, uint32_t i) { return x->slides[i] ? x->down[i] : x->low[i]; }
static double highest(const Stick *x, uint32_t i) { return x->slides[i] ? x->up[i] : x->high[i]; }

// ---- values and rates

// How far each rate may be off with the present values: b is, and each column, which is the difference of two rates;
// and the values are solved for with last digits of the largest of all rows (least_norm.h).
static void find_off(Stick *x) {
  double values = 0, most = 0;
  for (uint32_t j = 0; j < x->n; j++) values += fabs(x->z[j]);
  for (uint32_t i = 0; i < x->n; i++) {
    double size = fabs(x->b[i]);
    for (uint32_t j = 0; j < x->n; j++) size += fabs(entry(x, i, j) * x->z[j]);
    most = fmax(most, size / sqrt(fabs(entry(x, i, i))));
  }
  for (uint32_t i = 0; i < x->n; i++)
    x->off[i] = x->error[i] * (1 + 2 * values) + last_digits * most * sqrt(fabs(entry(x, i, i)));
}

static void factor(Stick *x) {
  uint32_t n = x->n, m = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (x->state[i] == stick_inside) x->index[m++] = i;
  }
  for (uint32_t k = 0; k < m; k++) {
    for (uint32_t l = 0; l < m; l++) x->sub[(size_t)k * m + l] = entry(x, x->index[k], x->index[l]);
  }
  x->inside.n = m;
  x->slack_known = false;
  least_norm_factor(&x->inside);
}

// Values and rates for the present states.
static void evaluate(Stick *x) {
  factor(x);
  for (uint32_t i = 0; i < x->n; i++) {
    if (x->state[i] != stick_inside) x->z[i] = x->state[i] == stick_up ? highest(x, i) : lowest(x, i);
  }
  for (uint32_t k = 0; k < x->inside.n; k++) {
    x->rhs[k] = -x->b[x->index[k]];
    for (uint32_t j = 0; j < x->n; j++) {
      if (x->state[j] != stick_inside) x->rhs[k] -= entry(x, x->index[k], j) * x->z[j];
    }
  }
  least_norm_solve(&x->inside, x->rhs, x->x);
  for (uint32_t k = 0; k < x->inside.n; k++) x->z[x->index[k]] = x->x[k];
  for (uint32_t i = 0; i < x->n; i++) {
    x->r[i] = x->b[i];
    for (uint32_t j = 0; j < x->n; j++) x->r[i] += entry(x, i, j) * x->z[j];
  }
  find_off(x);
}

// How far the value of an element inside of its box may be off: it follows from the rates of all of them.
static double slack_of(Stick *x, uint32_t i) {
  uint32_t m = x->inside.n;
  if (!x->slack_known) {
    memset(x->unit, 0, m * sizeof *x->unit);
    for (uint32_t k = 0; k < m; k++) x->rhs[k] = x->off[x->index[k]];
    least_norm_bounds(&x->inside, x->rhs, x->slack, x->x, x->unit);
    for (uint32_t k = m; k-- > 0;) x->slack[x->index[k]] = x->slack[k];
    x->slack_known = true;
  }
  return x->slack[i];
}

// What an element should be, by its value and rate: its own state where nothing is wrong. More elements may be inside
// of their boxes than there are degrees of freedom to stop: where they cannot stop all, one of them is at its bound.
static StickState wanted(Stick *x, uint32_t i) {
  double above = x->z[i] - highest(x, i), below = lowest(x, i) - x->z[i];
  switch (x->state[i]) {
  case stick_inside:
    if (above > 0 && above > slack_of(x, i)) return stick_up;
    if (below > 0 && below > slack_of(x, i)) return stick_down;
    return x->r[i] > x->off[i] ? stick_up : x->r[i] < -x->off[i] ? stick_down : stick_inside;
  case stick_up: return x->r[i] < -x->off[i] ? stick_inside : stick_up;
  case stick_down: return x->r[i] > x->off[i] ? stick_inside : stick_down;
  }
  return stick_inside;
}

static bool is_wrong(Stick *x, uint32_t i) { return wanted(x, i) != x->state[i]; }

// ---- searches

// Exchanges until nothing is wrong. False: it does not come to an end.
static bool exchange(Stick *x) {
  uint32_t least = UINT32_MAX, patience = 8, rounds = 20 * x->n + 50;
  for (uint32_t round = 0; round < rounds; round++) {
    evaluate(x);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < x->n; i++) wrong += is_wrong(x, i);
    if (!wrong) return true;
    if (wrong < least) {
      least = wrong;
      patience = 8;
    } else if (patience) {
      patience--;
    }
    // all at once while that gets better, then the last one alone: that cannot go round
    bool one = !patience;
    for (uint32_t i = x->n; i-- > 0;) {
      StickState to = wanted(x, i);
      if (to == x->state[i]) continue;
      x->state[i] = to;
      if (one) break;
    }
  }
  return false;
}

static bool fits(Stick *x) {
  for (uint32_t i = 0; i < x->n; i++) {
    if (is_wrong(x, i)) return false;
  }
  return true;
}

bool stick_agrees(Stick *x) {
  factor(x);
  find_off(x);
  return fits(x);
}

// How far a rate may be off by the values of those that stick, too.
static double rate_bound(Stick *x, uint32_t i) {
  double bound = x->off[i];
  for (uint32_t k = 0; k < x->inside.n; k++) bound += fabs(entry(x, i, x->index[k])) * slack_of(x, x->index[k]);
  return bound;
}

static bool is_same_motion(Stick *x) {
  for (uint32_t i = 0; i < x->n; i++) {
    if (fabs(x->r[i] - x->other[i]) > x->other_off[i] + rate_bound(x, i)) return false;
  }
  return true;
}

// May the first elements have the states that they have, whatever the others are? By the ranges of their rates.
static bool may_fit(const Stick *x, uint32_t known) {
  for (uint32_t i = 0; i < known; i++) {
    double low = x->b[i], high = x->b[i], size = fabs(x->b[i]);
    for (uint32_t j = 0; j < x->n; j++) {
      bool at_bound = j < known && x->state[j] != stick_inside;
      double down = entry(x, i, j) * (at_bound && x->state[j] == stick_up ? highest(x, j) : lowest(x, j)),
             up = entry(x, i, j) * (at_bound && x->state[j] == stick_down ? lowest(x, j) : highest(x, j));
      low += fmin(down, up);
      high += fmax(down, up);
      size += fmax(fabs(down), fabs(up));
    }
    double slack = x->error[i] * (1 + 2 * x->n) + STICK_ALIKE * size;
    if (x->state[i] != stick_down && high < -slack) return false;
    if (x->state[i] != stick_up && low > slack) return false;
  }
  return true;
}

// All choices, those of the present states first, without those that no choice of the rest can make right: each that
// fits must come to the same rates.
static StickVerdict search(Stick *x) {
  uint32_t n = x->n, known = 1, tried = 0;
  bool found = false;
  memcpy(x->first, x->state, n * sizeof *x->first);
  while (known) {
    if (tried++ == most_tried) return stick_too_many;
    bool may = may_fit(x, known);
    if (may && known < n) {
      x->state[known] = x->first[known];
      known++;
      continue;
    }
    if (may) evaluate(x);
    if (may && fits(x)) {
      if (found && !is_same_motion(x)) return stick_several;
      if (!found) memcpy(x->best, x->state, n * sizeof *x->best);
      for (uint32_t i = 0; i < n && !found; i++) {
        x->other[i] = x->r[i];
        x->other_off[i] = rate_bound(x, i);
      }
      found = true;
    }
    // the next choice of the last one that has one
    for (; known; known--) {
      StickState *last = &x->state[known - 1];
      *last = (StickState)((*last + 1) % 3);
      if (*last != x->first[known - 1]) break;
    }
  }
  if (!found) return stick_none;
  memcpy(x->state, x->best, n * sizeof *x->best);
  evaluate(x);
  return stick_solved;
}

// ---- uniqueness of the solution

// Factors d with which A diag(d) is symmetric, if it can be. False: some do not act on any other, or one way only.
static bool find_factors(const Stick *x, double *d) {
  uint32_t n = x->n, known = 1;
  for (uint32_t i = 0; i < n; i++) d[i] = i == 0;
  for (bool more = true; more && known < n;) {
    more = false;
    for (uint32_t i = 0; i < n; i++) {
      for (uint32_t j = 0; d[i] > 0 && j < n; j++) {
        double ij = entry(x, i, j), ji = entry(x, j, i);
        if (d[j] > 0 || ij * ji <= 0) continue;
        d[j] = d[i] * ji / ij;
        known++;
        more = true;
      }
    }
  }
  return known == n;
}

// L D L' of a symmetric matrix with ones as its diagonal. definite: no pivot may be zero.
static bool is_positive(uint32_t n, double *w, bool definite) {
  for (uint32_t k = 0; k < n; k++) {
    double p = w[(size_t)k * n + k];
    if (p < -STICK_ALIKE || (definite && p <= STICK_ALIKE)) return false;
    if (p <= STICK_ALIKE) { // a redundant one: nothing may be left of its row
      for (uint32_t i = k + 1; i < n; i++) {
        if (fabs(w[(size_t)i * n + k]) > sqrt(STICK_ALIKE)) return false;
      }
      continue;
    }
    for (uint32_t i = k + 1; i < n; i++) {
      double l = w[(size_t)i * n + k] / p;
      for (uint32_t j = k + 1; j < n; j++) w[(size_t)i * n + j] -= l * w[(size_t)k * n + j];
    }
  }
  return true;
}

// Are all principal minors positive? By those without the first row and column, and those with it (M. J. Tsatsomeros,
// L. Li, A recursive test for P-matrices, 2000). w: and behind it room for the smaller ones.
static bool has_positive_minors(uint32_t n, double *w) {
  double *rest = w + (size_t)n * n;
  uint32_t m = n - 1;
  if (!(w[0] > STICK_ALIKE)) return false;
  for (int with = 0; with < 2 && m; with++) {
    for (uint32_t i = 0; i < m; i++) {
      double l = with ? w[(size_t)(i + 1) * n] / w[0] : 0;
      for (uint32_t j = 0; j < m; j++) rest[(size_t)i * m + j] = w[(size_t)(i + 1) * n + j + 1] - l * w[j + 1];
    }
    if (!has_positive_minors(m, rest)) return false;
  }
  return true;
}

// -A with ones as its diagonal, or made as symmetric as it can be with it. False: an element drives its guard away.
static bool normalize(const Stick *x, const double *d, double *w) {
  uint32_t n = x->n;
  for (uint32_t i = 0; i < n; i++) {
    if (!(entry(x, i, i) < 0)) return false;
    for (uint32_t j = 0; j < n; j++) {
      double scale = d ? sqrt(d[j] / d[i]) : 1;
      w[(size_t)i * n + j] = -entry(x, i, j) * scale / sqrt(entry(x, i, i) * entry(x, j, j));
    }
  }
  return true;
}

bool stick_is_unique(Stick *x) {
  uint32_t n = x->n;
  double *d = x->x, *w = x->sub;
  bool symmetric = find_factors(x, d);
  if (!normalize(x, symmetric ? d : NULL, w)) return false;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < i; j++) {
      double *ij = &w[(size_t)i * n + j], *ji = &w[(size_t)j * n + i];
      symmetric = symmetric && fabs(*ij - *ji) <= STICK_ALIKE;
      *ij = *ji = (*ij + *ji) / 2;
    }
  }
  if (is_positive(n, w, !symmetric)) return true;
  return n <= most_minors && normalize(x, NULL, x->minors) && has_positive_minors(n, x->minors);
}

// ---- at a bound

static uint32_t rank_with(Stick *x, uint32_t i, StickState state) {
  StickState own = x->state[i];
  x->state[i] = state;
  factor(x);
  x->state[i] = own;
  return x->inside.rank;
}

// Do those inside of their boxes hold this one, too?
static bool is_redundant(Stick *x, uint32_t i) {
  uint32_t with = rank_with(x, i, stick_inside), without = rank_with(x, i, stick_up);
  return with == without;
}

// An element reached its bound, and the others are to take over what more it would have had to hold. One of them that
// is at its own bound in that direction cannot: it is set to it. True: one was.
static bool cannot_take_over(Stick *x, uint32_t i) {
  double outward = x->state[i] == stick_up ? 1 : -1, *share = x->other, *bound = x->other_off;
  bool any = false;
  evaluate(x);
  uint32_t m = x->inside.n;
  for (uint32_t k = 0; k < m; k++) slack_of(x, x->index[k]);
  for (uint32_t k = 0; k < m; k++) x->rhs[k] = outward * entry(x, x->index[k], i);
  least_norm_solve(&x->inside, x->rhs, share);
  for (uint32_t k = 0; k < m; k++) x->rhs[k] = 2 * x->error[x->index[k]] + last_digits * fabs(x->rhs[k]);
  least_norm_bounds(&x->inside, x->rhs, bound, x->x, x->unit);
  for (uint32_t k = 0; k < m; k++) {
    uint32_t at = x->index[k];
    bool up = share[k] > bound[k] && x->z[at] >= highest(x, at) - x->slack[at];
    bool down = share[k] < -bound[k] && x->z[at] <= lowest(x, at) + x->slack[at];
    if (!up && !down) continue;
    x->state[at] = up ? stick_up : stick_down;
    any = true;
  }
  return any;
}

void stick_reach(Stick *x, uint32_t i) {
  x->reached = i;
  while (is_redundant(x, i) && cannot_take_over(x, i)) continue;
  x->slides[i] = !is_redundant(x, i);
}

// An element slides from here on: its box becomes that of sliding. True: that is another one.
static bool start_sliding(Stick *x, uint32_t i) {
  x->slides[i] = true;
  return x->high[i] != x->up[i] || x->low[i] != x->down[i];
}

bool stick_leave(Stick *x) {
  bool narrower = false;
  for (uint32_t i = 0; i < x->n; i++) {
    bool leaves = !x->slides[i] && x->state[i] != stick_inside && fabs(x->r[i]) > x->off[i];
    if (leaves) narrower = start_sliding(x, i) || narrower;
  }
  for (uint32_t i = 0; i < x->n; i++) {
    if (x->slides[i] || x->state[i] == stick_inside || is_redundant(x, i)) continue;
    if (x->reached != UINT32_MAX) narrower = start_sliding(x, i) || narrower;
    else x->state[i] = stick_inside;
  }
  evaluate(x);
  return narrower;
}

StickVerdict stick_solve(Stick *x) { return stick_is_unique(x) && exchange(x) ? stick_solved : search(x); }

// Stick and slip by exchanges, or by trying every choice. See stick.h.
//
// For friction A = -W D with W = J inv(M) J': what is sought makes 1/2 u' W u - b' u least within a box (u = D z), so
// there is a solution, and its rates are unique, even where W is singular because more elements stick than there are
// motions to hold. Then the values of least norm are taken; where one of these is out of its box it is set to its
// bound and the others take over. All that is wrong is exchanged at once, one by one if that goes round in circles
// (Murty). Where A is not of this form every choice is tried, and all must come to one motion.
//
// Reference: K. G. Murty, Linear Complementarity, 1988; F. Pfeiffer, C. Glocker, Multibody Dynamics with Unilateral
// Contacts, 1996.
#include "hybrid/stick.h"

#include "numerics/least_norm.h"

#include <math.h>
#include <string.h>

enum { most_tried = 8 }; // 3^8 choices: a fraction of a second, once an instant

static const double last_digits = 16 * 0x1p-52; // of the terms of a rate: rounding of the sums here

size_t stick_numbers(uint32_t n) { return 3 * (size_t)n * n + 13 * (size_t)n; }
size_t stick_indices(uint32_t n) { return 2 * (size_t)n; }

void stick_place(Stick *x, uint32_t n, double *numbers, uint32_t *indices, StickState *states, bool *flags) {
  size_t square = (size_t)n * n;
  *x = (Stick){.n = n, .index = indices, .state = states, .best = states + n, .slides = flags};
  x->a = numbers, x->sub = x->a + square, x->room = x->sub + square;
  double **lists[] = {&x->b, &x->error, &x->low, &x->high, &x->down, &x->up, &x->z, &x->r, &x->rhs, &x->x, &x->other};
  numbers = x->room + square + 2 * (size_t)n;
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) *lists[i] = numbers + i * n;
}

static double lowest(const Stick *x, uint32_t i) { return x->slides[i] ? x->down[i] : x->low[i]; }
static double highest(const Stick *x, uint32_t i) { return x->slides[i] ? x->up[i] : x->high[i]; }

// Values and rates for the present states. Returns the rank of those that are inside of their boxes.
static uint32_t evaluate(Stick *x) {
  uint32_t n = x->n, m = 0, rank = 0, *inside = x->index;
  for (uint32_t i = 0; i < n; i++) {
    if (x->state[i] == stick_inside) inside[m++] = i;
    else x->z[i] = x->state[i] == stick_up ? highest(x, i) : lowest(x, i);
  }
  for (uint32_t k = 0; k < m; k++) {
    const double *row = x->a + (size_t)inside[k] * n;
    x->rhs[k] = -x->b[inside[k]];
    for (uint32_t j = 0; j < n; j++) {
      if (x->state[j] != stick_inside) x->rhs[k] -= row[j] * x->z[j];
    }
    for (uint32_t l = 0; l < m; l++) x->sub[(size_t)k * m + l] = row[inside[l]];
  }
  if (m) rank = least_norm(m, x->sub, x->rhs, x->x, inside + n, x->room);
  for (uint32_t k = 0; k < m; k++) x->z[inside[k]] = x->x[k];
  for (uint32_t i = 0; i < n; i++) {
    x->r[i] = x->b[i];
    for (uint32_t j = 0; j < n; j++) x->r[i] += x->a[(size_t)i * n + j] * x->z[j];
  }
  return rank;
}

// How far the rate of an element may be off here.
static double off(const Stick *x, uint32_t i) {
  double size = fabs(x->b[i]);
  for (uint32_t j = 0; j < x->n; j++) size += fabs(x->a[(size_t)i * x->n + j] * x->z[j]);
  return x->error[i] + last_digits * size;
}

// What an element should be, by its value and rate: its own state where nothing is wrong.
static StickState wanted(const Stick *x, uint32_t i) {
  double z = x->z[i], slack = off(x, i), own = fabs(x->a[(size_t)i * x->n + i]);
  double room = own > 0 ? slack / own : 0; // of its value
  switch (x->state[i]) {
  case stick_inside: return z > highest(x, i) + room ? stick_up : z < lowest(x, i) - room ? stick_down : stick_inside;
  case stick_up: return x->r[i] < -slack ? stick_inside : stick_up;
  case stick_down: return x->r[i] > slack ? stick_inside : stick_down;
  }
  return stick_inside;
}

bool stick_is_wrong(const Stick *x, uint32_t i) { return wanted(x, i) != x->state[i]; }

// Exchanges until nothing is wrong. False: it does not come to an end.
static bool exchange(Stick *x) {
  uint32_t least = UINT32_MAX, patience = 8, rounds = 20 * x->n + 50;
  for (uint32_t round = 0; round < rounds; round++) {
    evaluate(x);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < x->n; i++) wrong += stick_is_wrong(x, i);
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

// Tries every choice: each of them that fits must come to the same rates.
static StickVerdict try_all(Stick *x) {
  uint32_t n = x->n, choices = 1, found = 0;
  if (n > most_tried) return stick_too_many;
  for (uint32_t i = 0; i < n; i++) choices *= 3;
  for (uint32_t choice = 0; choice < choices; choice++) {
    uint32_t rest = choice;
    for (uint32_t i = 0; i < n; i++, rest /= 3) x->state[i] = (StickState)(rest % 3);
    evaluate(x);
    bool fits = true, same = found > 0;
    for (uint32_t i = 0; i < n && fits; i++)
      fits = !stick_is_wrong(x, i) && (x->state[i] != stick_inside || fabs(x->r[i]) <= off(x, i));
    if (!fits) continue;
    for (uint32_t i = 0; i < n && same; i++) same = fabs(x->r[i] - x->other[i]) <= 64 * off(x, i);
    if (found && !same) return stick_several;
    if (found) continue;
    found = 1;
    memcpy(x->best, x->state, n * sizeof *x->best);
    memcpy(x->other, x->r, n * sizeof *x->other);
  }
  if (!found) return stick_none;
  memcpy(x->state, x->best, n * sizeof *x->best);
  evaluate(x);
  return stick_solved;
}

bool stick_is_symmetric(Stick *x) {
  uint32_t n = x->n, known = 1;
  double *d = x->x, *w = x->sub;
  for (uint32_t i = 0; i < n; i++) d[i] = i == 0; // A diag(d) is to be symmetric
  for (bool more = true; more && known < n;) {
    more = false;
    for (uint32_t i = 0; i < n; i++) {
      for (uint32_t j = 0; d[i] > 0 && j < n; j++) {
        double ij = x->a[(size_t)i * n + j], ji = x->a[(size_t)j * n + i];
        if (d[j] > 0 || ij * ji <= 0) continue;
        d[j] = d[i] * ji / ij;
        known++;
        more = true;
      }
    }
  }
  if (known < n) return false;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) w[(size_t)i * n + j] = -x->a[(size_t)i * n + j] * d[j];
  }
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < i; j++) {
      double whole = sqrt(w[(size_t)i * n + i] * w[(size_t)j * n + j]);
      if (!(fabs(w[(size_t)i * n + j] - w[(size_t)j * n + i]) <= 1e-8 * whole)) return false;
    }
  }
  for (uint32_t i = 0; i < n; i++) d[i] = w[(size_t)i * n + i];
  for (uint32_t k = 0; k < n; k++) { // L D L'
    double p = w[(size_t)k * n + k];
    if (p < -1e-8 * d[k]) return false;
    if (p <= 1e-8 * d[k]) { // a redundant one: nothing may be left of its row
      for (uint32_t i = k + 1; i < n; i++) {
        if (fabs(w[(size_t)i * n + k]) > 1e-6 * sqrt(d[i] * d[k])) return false;
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

// Do those inside of their boxes hold this one, too?
static bool is_redundant(Stick *x, uint32_t i) {
  StickState own = x->state[i];
  uint32_t before = evaluate(x);
  x->state[i] = stick_inside;
  uint32_t with = evaluate(x);
  x->state[i] = own;
  evaluate(x);
  return with == before;
}

// An element reached its bound, and the others are to take over what more it would have had to hold. One of them that
// is at its own bound in that direction cannot: it is set to it. True: one was.
static bool cannot_take_over(Stick *x, uint32_t i) {
  uint32_t n = x->n, m = 0, *inside = x->index;
  double outward = x->state[i] == stick_up ? 1 : -1;
  bool any = false;
  evaluate(x);
  for (uint32_t k = 0; k < n; k++) m += x->state[k] == stick_inside;
  for (uint32_t k = 0; k < m; k++) {
    x->rhs[k] = outward * x->a[(size_t)inside[k] * n + i];
    for (uint32_t l = 0; l < m; l++) x->sub[(size_t)k * m + l] = x->a[(size_t)inside[k] * n + inside[l]];
  }
  if (m) least_norm(m, x->sub, x->rhs, x->x, inside + n, x->room);
  for (uint32_t k = 0; k < m; k++) {
    uint32_t at = inside[k];
    double own = fabs(x->a[(size_t)at * n + at]), room = own > 0 ? off(x, at) / own : 0;
    bool up = x->x[k] > 1e-9 && x->z[at] >= highest(x, at) - room;
    bool down = x->x[k] < -1e-9 && x->z[at] <= lowest(x, at) + room;
    if (!up && !down) continue;
    x->state[at] = up ? stick_up : stick_down;
    any = true;
  }
  return any;
}

// What reached its bound slides, if the others do not hold it from now on.
static void leave_bounds(Stick *x) {
  for (uint32_t i = 0; i < x->n; i++) {
    if (!x->reached || !x->reached[i]) continue;
    x->state[i] = x->reached[i] > 0 ? stick_up : stick_down;
    while (is_redundant(x, i) && cannot_take_over(x, i)) continue;
    x->slides[i] = !is_redundant(x, i);
  }
}

// Is an element at a bound of its box that the others do not hold? It slides if its rate says so, or if the load of
// one of them has just grown over its bound; else it sticks with what it holds there. True: something changed.
static bool leaves(Stick *x, uint32_t i, bool grows) {
  if (x->slides[i] || x->state[i] == stick_inside) return false;
  if (fabs(x->r[i]) > off(x, i)) {
    x->slides[i] = true;
    return true;
  }
  if (is_redundant(x, i)) return false;
  if (grows) x->slides[i] = true;
  else x->state[i] = stick_inside;
  evaluate(x);
  return true;
}

StickVerdict stick_solve(Stick *x) {
  bool symmetric = stick_is_symmetric(x), grows = false;
  for (uint32_t i = 0; i < x->n; i++) grows = grows || (x->reached && x->reached[i]);
  if (symmetric) leave_bounds(x);
  for (bool more = true; more;) {
    StickVerdict verdict = symmetric && exchange(x) ? stick_solved : try_all(x);
    if (verdict != stick_solved) return verdict;
    more = false;
    for (uint32_t i = 0; i < x->n; i++) {
      bool narrower = leaves(x, i, grows) && x->slides[i] && (x->high[i] != x->up[i] || x->low[i] != x->down[i]);
      more = more || narrower;
    }
  }
  return stick_solved;
}

// Elements at rest, solved together.
//
// At an event the modes that stand at zero and act on their own rate form groups. Within a group g' = b + A z. Each element
//   holds     g' = 0,  z in its closed range: -L .. L for a sign (L = stick/slip >= 1), 0 .. 1 for a comparison
//   leaves    up with z = 1 and g' >= 0, down with z = -1 (a comparison: 0) and g' <= 0
// For friction A = -W D with W = J inv(M) J' and D > 0 diagonal: W is symmetric and not negative, so this is what makes
// 1/2 u' W u - b' u least within a box. The motion is unique, even where more elements rest than there are motions to
// hold and their values are not: then those of least norm are taken, and where one of these is out of its range it is
// pinned to its limit and the others take over. Solved by exchanging all that is wrong at once, one by one if that goes
// round in circles (Murty). Other groups, and those whose rates are not affine in z, are searched: every choice is tried.
//
// An element that rests stays at rest while it can; so does one that just came to rest. One with L > 1 that broke loose has
// its value in motion from then on.
//
// Reference: K. G. Murty, Linear Complementarity, 1988; F. Pfeiffer, C. Glocker, Multibody Dynamics with Unilateral Contacts, 1996.
#include "study/holding.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { most_searched = 8 }; // 3^8 choices: a fraction of a second, once an event

// What is small beside the terms of a rate is its rounding; of a value, the error with which its moment was found.
static const double rate_slack = 1e-11, value_slack = 1e-12, rank_slack = 1e-11;

// ---- evaluations

void holding_rates(Hybrid *h, double t, const double *y) {
  hybrid_put(h, h->rates, h->rates_w, t, y);
  tape_eval(h->rates, h->rates_w);
}

static double rate(const Hybrid *h, uint32_t i) { return tape_result(h->rates, h->rates_w, i); }

double holding_limit(const Hybrid *h, uint32_t i) {
  double limit = tape_result(h->guards, h->guards_w, h->modes.count + i);
  return limit > 1 ? limit : 1; // stick = slip up to rounding; 0/0 where both vanish
}

bool holding_room(Hybrid *h, uint32_t held) {
  size_t n = held, need = 2 * n * n + 5 * n + 8;
  if (need <= h->solve_room) return true;
  h->solve_room = 2 * need;
  h->solve = arena_array(h->arena, h->solve_room, sizeof *h->solve);
  return h->solve != NULL;
}

void holding_release(Hybrid *h, uint32_t i) {
  SwitchMode *m = &h->modes.items[i];
  uint32_t kept = 0;
  m->holds = false;
  m->pinned = 0;
  for (uint32_t k = 0; k < h->held_count; k++) {
    if (h->held[k] != i) h->held[kept++] = h->held[k];
  }
  h->held_count = kept;
}

// The rates of these n modes as b + A z: with all of them at 0, then each at 1.
static void affine(Hybrid *h, const uint32_t *at, uint32_t n, double t, const double *y, double *a, double *b) {
  double *z = h->z + h->mode_at;
  for (uint32_t i = 0; i < n; i++) z[at[i]] = 0;
  holding_rates(h, t, y);
  for (uint32_t i = 0; i < n; i++) b[i] = rate(h, at[i]);
  for (uint32_t j = 0; j < n; j++) {
    z[at[j]] = 1;
    holding_rates(h, t, y);
    for (uint32_t i = 0; i < n; i++) a[(size_t)i * n + j] = rate(h, at[i]) - b[i];
    z[at[j]] = 0;
  }
}

// ---- A x = b

static void swap(double *a, double *b) {
  double c = *a;
  *a = *b;
  *b = c;
}

// The largest entry from row and column k on comes to (k, k).
static double pivot(uint32_t n, double *a, double *b, uint32_t *column, uint32_t k) {
  uint32_t p = k, q = k;
  for (uint32_t i = k; i < n; i++) {
    for (uint32_t j = k; j < n; j++) {
      if (fabs(a[(size_t)i * n + j]) > fabs(a[(size_t)p * n + q])) p = i, q = j;
    }
  }
  for (uint32_t j = 0; j < n && p != k; j++) swap(&a[(size_t)k * n + j], &a[(size_t)p * n + j]);
  if (p != k) swap(&b[k], &b[p]);
  for (uint32_t i = 0; i < n && q != k; i++) swap(&a[(size_t)i * n + k], &a[(size_t)i * n + q]);
  uint32_t c = column[k];
  column[k] = column[q];
  column[q] = c;
  return fabs(a[(size_t)k * n + k]);
}

// Takes away from x what lies along the directions that change nothing: x has the least norm then. N: room for them.
static void shorten(uint32_t n, uint32_t rank, const double *a, const uint32_t *column, const double *scale, double *x, double *N) {
  for (uint32_t k = rank; k < n; k++) {
    double *v = N + (size_t)(k - rank) * n, norm = 0, along = 0;
    memset(v, 0, n * sizeof *v);
    v[column[k]] = 1;
    for (uint32_t i = rank; i-- > 0;) {
      double sum = a[(size_t)i * n + k];
      for (uint32_t j = i + 1; j < rank; j++) sum += a[(size_t)i * n + j] * v[column[j]];
      v[column[i]] = -sum / a[(size_t)i * n + i];
    }
    for (uint32_t i = 0; i < n; i++) v[i] *= scale[i];
    for (uint32_t l = 0; l < k - rank; l++) {
      const double *u = N + (size_t)l * n;
      double both = 0;
      for (uint32_t i = 0; i < n; i++) both += u[i] * v[i];
      for (uint32_t i = 0; i < n; i++) v[i] -= both * u[i];
    }
    for (uint32_t i = 0; i < n; i++) norm += v[i] * v[i];
    norm = sqrt(norm);
    for (uint32_t i = 0; i < n; i++) along += (v[i] = v[i] / norm) * x[i];
    for (uint32_t i = 0; i < n; i++) x[i] -= along * v[i];
  }
}

// Solves A x = b (both are used up), the x of least norm where A is singular. Returns the rank. room: n*n + 2n.
static uint32_t solve(uint32_t n, double *a, double *b, double *x, uint32_t *column, double *room) {
  double *scale = room, *u = room + n;
  for (uint32_t i = 0; i < n; i++) {
    double own = fabs(a[(size_t)i * n + i]);
    scale[i] = own > 0 ? 1 / sqrt(own) : 1;
    column[i] = i;
  }
  for (uint32_t i = 0; i < n; i++) {
    b[i] *= scale[i];
    for (uint32_t j = 0; j < n; j++) a[(size_t)i * n + j] *= scale[i] * scale[j];
  }
  uint32_t rank = 0;
  for (double first = 0; rank < n; rank++) {
    uint32_t k = rank;
    double size = pivot(n, a, b, column, k);
    if (k == 0) first = size;
    if (!(size > rank_slack * first)) break;
    for (uint32_t i = k + 1; i < n; i++) {
      double l = a[(size_t)i * n + k] / a[(size_t)k * n + k];
      for (uint32_t j = k; l != 0 && j < n; j++) a[(size_t)i * n + j] -= l * a[(size_t)k * n + j];
      b[i] -= l * b[k];
    }
  }
  memset(u, 0, n * sizeof *u);
  for (uint32_t k = rank; k-- > 0;) {
    double sum = b[k];
    for (uint32_t j = k + 1; j < rank; j++) sum -= a[(size_t)k * n + j] * u[column[j]];
    u[column[k]] = sum / a[(size_t)k * n + k];
  }
  for (uint32_t i = 0; i < n; i++) x[i] = scale[i] * u[i];
  if (rank < n) shorten(n, rank, a, column, scale, x, room + 2 * (size_t)n);
  return rank;
}

// ---- while it lasts

// The value of a mode that is pinned to a limit.
static double pinned_value(const Hybrid *h, uint32_t i) {
  const SwitchMode *m = &h->modes.items[i];
  return m->kind == mode_sign ? m->pinned * holding_limit(h, i) : m->pinned > 0;
}

void holding_values(Hybrid *h, double t, const double *y) {
  uint32_t n = 0, *at = h->free_at;
  bool pinned = false;
  for (uint32_t k = 0; k < h->held_count; k++) {
    uint32_t i = h->held[k];
    if (h->modes.items[i].pinned) pinned = true;
    else at[n++] = i;
    h->z[h->mode_at + i] = 0;
  }
  if (pinned) {
    hybrid_put(h, h->guards, h->guards_w, t, y);
    tape_eval(h->guards, h->guards_w);
    for (uint32_t k = 0; k < h->held_count; k++) {
      uint32_t i = h->held[k];
      if (h->modes.items[i].pinned) h->z[h->mode_at + i] = pinned_value(h, i);
    }
  }
  double *a = h->solve, *b = a + (size_t)n * n, *x = b + n;
  affine(h, at, n, t, y, a, b);
  for (uint32_t i = 0; i < n; i++) b[i] = -b[i];
  solve(n, a, b, x, h->columns, x + n);
  for (uint32_t i = 0; i < n; i++) h->z[h->mode_at + at[i]] = x[i];
}

// ---- a group

// One element of a group as it is solved.
typedef enum HoldStatus { status_free, status_up, status_down } HoldStatus;

typedef struct Group {
  Hybrid *h;
  double t;
  double *y;
  uint32_t n;
  const uint32_t *at;  // the modes
  double *a, *b;       // their rates: b + A z, with all others as they are
  double *z, *r;       // values and rates
  double *high, *low;  // the closed range of what holds
  double *up, *down;   // the values in motion
  double *sub, *rhs, *x, *room; // for the free ones
  double *push;        // room for y
  uint32_t *free, *column;
  HoldStatus *status, *best;
  bool *loose;         // it broke loose in this moment
  double give;         // how exactly values at limits are known
} Group;

static double size_of_rate(const Group *g, uint32_t i) {
  double size = fabs(g->b[i]);
  for (uint32_t j = 0; j < g->n; j++) size += fabs(g->a[(size_t)i * g->n + j]) * fmax(1, fabs(g->z[j]));
  return size;
}

// Values and rates for the present statuses. Returns the rank of the free ones.
static uint32_t evaluate(Group *g) {
  uint32_t n = g->n, m = 0, rank = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (g->status[i] == status_free) g->free[m++] = i;
    else if (g->status[i] == status_up) g->z[i] = g->loose[i] ? g->up[i] : g->high[i];
    else g->z[i] = g->loose[i] ? g->down[i] : g->low[i];
  }
  for (uint32_t k = 0; k < m; k++) {
    const double *row = g->a + (size_t)g->free[k] * n;
    g->rhs[k] = -g->b[g->free[k]];
    for (uint32_t j = 0; j < n; j++) {
      if (g->status[j] != status_free) g->rhs[k] -= row[j] * g->z[j];
    }
    for (uint32_t l = 0; l < m; l++) g->sub[(size_t)k * m + l] = row[g->free[l]];
  }
  if (m) rank = solve(m, g->sub, g->rhs, g->x, g->column, g->room);
  for (uint32_t k = 0; k < m; k++) g->z[g->free[k]] = g->x[k];
  for (uint32_t i = 0; i < n; i++) {
    g->r[i] = g->b[i];
    for (uint32_t j = 0; j < n; j++) g->r[i] += g->a[(size_t)i * n + j] * g->z[j];
  }
  return rank;
}

// What this element should be instead: its own status where nothing is wrong.
static HoldStatus wished(const Group *g, uint32_t i) {
  double z = g->z[i], room = g->give * fmax(fabs(g->high[i]), fabs(g->low[i]));
  double slack = fmax(rate_slack * size_of_rate(g, i), g->give * fabs(g->a[(size_t)i * g->n + i]));
  switch (g->status[i]) {
  case status_free: return z > g->high[i] + room ? status_up : z < g->low[i] - room ? status_down : status_free;
  case status_up: return g->r[i] < -slack ? status_free : status_up;
  case status_down: return g->r[i] > slack ? status_free : status_down;
  }
  return status_free;
}

// Exchanges until nothing is wrong. False: it does not come to an end.
static bool exchange(Group *g) {
  uint32_t least = UINT32_MAX, patience = 8, rounds = 20 * g->n + 50;
  for (uint32_t round = 0; round < rounds; round++) {
    evaluate(g);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < g->n; i++) wrong += wished(g, i) != g->status[i];
    if (!wrong) return true;
    if (wrong < least) {
      least = wrong;
      patience = 8;
    } else if (patience) {
      patience--;
    }
    // all at once while that gets better, then the last one alone: that cannot go round
    bool one = !patience;
    for (uint32_t i = g->n; i-- > 0;) {
      HoldStatus wish = wished(g, i);
      if (wish == g->status[i]) continue;
      g->status[i] = wish;
      if (one) break;
    }
  }
  return false;
}

// Is A = -W D with D > 0 and W symmetric, not negative? Then the motion is unique.
static bool symmetric(Group *g) {
  uint32_t n = g->n, known = 1;
  double *d = g->x, *w = g->sub;
  memset(d, 0, n * sizeof *d);
  d[0] = 1; // A diag(d) is to be symmetric
  for (bool more = true; more && known < n;) {
    more = false;
    for (uint32_t i = 0; i < n; i++) {
      for (uint32_t j = 0; d[i] > 0 && j < n; j++) {
        double ij = g->a[(size_t)i * n + j], ji = g->a[(size_t)j * n + i];
        if (d[j] > 0 || ij * ji <= 0) continue;
        d[j] = d[i] * ji / ij;
        known++;
        more = true;
      }
    }
  }
  if (known < n) return false;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) w[(size_t)i * n + j] = -g->a[(size_t)i * n + j] * d[j];
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
    if (p <= 1e-8 * d[k]) continue; // a redundant one: its row is zero, or it would be negative below
    for (uint32_t i = k + 1; i < n; i++) {
      double l = w[(size_t)i * n + k] / p;
      for (uint32_t j = k + 1; j < n; j++) w[(size_t)i * n + j] -= l * w[(size_t)k * n + j];
    }
  }
  return true;
}

// Do the free ones hold this one, too?
static bool redundant(Group *g, uint32_t i) {
  HoldStatus own = g->status[i];
  uint32_t before = evaluate(g);
  g->status[i] = status_free;
  uint32_t with = evaluate(g);
  g->status[i] = own;
  evaluate(g);
  return with == before;
}

// An element reached its limit, and the free ones are to take over what more it would have had to hold. One of them that is at
// its own limit in that direction cannot: it is set to it. True: one was.
static bool cannot_take(Group *g, uint32_t i) {
  uint32_t n = g->n, m = 0;
  double outward = g->status[i] == status_up ? 1 : -1, give = fmax(1e-10, g->give);
  bool any = false;
  evaluate(g);
  for (uint32_t k = 0; k < n; k++) m += g->status[k] == status_free;
  for (uint32_t k = 0; k < m; k++) {
    g->rhs[k] = outward * g->a[(size_t)g->free[k] * n + i];
    for (uint32_t l = 0; l < m; l++) g->sub[(size_t)k * m + l] = g->a[(size_t)g->free[k] * n + g->free[l]];
  }
  if (m) solve(m, g->sub, g->rhs, g->x, g->column, g->room);
  for (uint32_t k = 0; k < m; k++) {
    uint32_t at = g->free[k];
    double range = give * fmax(fabs(g->high[at]), fabs(g->low[at]));
    bool up = g->x[k] > 1e-9 && g->z[at] >= g->high[at] - range, down = g->x[k] < -1e-9 && g->z[at] <= g->low[at] + range;
    if (!up && !down) continue;
    g->status[at] = up ? status_up : status_down;
    any = true;
  }
  return any;
}

// Elements whose value at rest may be more than in motion: those that cannot hold break loose, one round after the other.
static bool settle_symmetric(Group *g) {
  for (uint32_t round = 0; round <= g->n; round++) {
    if (!exchange(g)) return false;
    bool more = false;
    for (uint32_t i = 0; i < g->n; i++) {
      if (g->status[i] == status_free) continue;
      bool loose = !redundant(g, i); // else the others hold it, and it is pinned
      if (loose == g->loose[i]) continue;
      g->loose[i] = loose;
      more = more || g->high[i] != g->up[i] || g->low[i] != g->down[i];
    }
    if (!more) return true;
  }
  return false;
}

// ---- putting it into the modes

static void put(Group *g) {
  Hybrid *h = g->h;
  for (uint32_t i = 0; i < g->n; i++) {
    SwitchMode *m = &h->modes.items[g->at[i]];
    bool pinned = g->status[i] != status_free && !g->loose[i];
    if (m->holds) holding_release(h, g->at[i]);
    if (g->status[i] == status_free || pinned) {
      m->holds = true;
      m->pinned = !pinned ? 0 : g->status[i] == status_up ? 1 : -1;
      h->held[h->held_count++] = g->at[i];
    } else {
      h->z[h->mode_at + g->at[i]] = g->status[i] == status_up ? g->up[i] : g->down[i];
    }
  }
}

// Do the equations themselves say what the affine rates say?
static bool verified(Group *g) {
  Hybrid *h = g->h;
  put(g);
  if (h->held_count) holding_values(h, g->t, g->y);
  holding_rates(h, g->t, g->y);
  for (uint32_t i = 0; i < g->n; i++) {
    g->r[i] = rate(h, g->at[i]);
    g->z[i] = h->z[h->mode_at + g->at[i]];
    bool rests = h->modes.items[g->at[i]].holds;
    if (rests && !(fabs(g->r[i]) <= 1e-9 * size_of_rate(g, i))) return false;
    if (wished(g, i) != g->status[i]) return false;
  }
  return true;
}

// Every choice of holding and leaving. Where elements hold more at rest than in motion, as many as can stay at rest.
static HoldVerdict search(Group *g) {
  uint32_t n = g->n, choices = 1, found = 0, most = 0;
  bool grips = false;
  double *rates = g->x;
  for (uint32_t i = 0; i < n; i++) {
    choices *= 3;
    grips = grips || g->high[i] != g->up[i];
  }
  for (uint32_t choice = 0; choice < choices; choice++) {
    uint32_t rest = choice, holding = 0;
    for (uint32_t i = 0; i < n; i++, rest /= 3) {
      g->status[i] = (HoldStatus)(rest % 3);
      g->loose[i] = g->status[i] != status_free;
      holding += g->status[i] == status_free;
    }
    if (!verified(g)) continue;
    bool other = found == 0;
    for (uint32_t i = 0; i < n && !other; i++) other = fabs(g->r[i] - rates[i]) > 1e-9 * size_of_rate(g, i);
    if (!other || (grips && found && holding < most)) continue;
    if (grips && holding > most) found = 0;
    found++;
    most = holding;
    memcpy(g->best, g->status, n * sizeof *g->best);
    memcpy(rates, g->r, n * sizeof *rates);
  }
  if (found != 1) return found ? hold_several : hold_none;
  memcpy(g->status, g->best, n * sizeof *g->best);
  for (uint32_t i = 0; i < n; i++) g->loose[i] = g->status[i] != status_free;
  return verified(g) ? hold_changed : hold_none;
}

// What each element is before it is solved. True: nothing came to rest or broke loose, so that as it is may be right.
static bool begin(Group *g, HoldStatus *was, signed char *pinned) {
  Hybrid *h = g->h;
  bool quiet = true;
  g->give = value_slack;
  for (uint32_t i = 0; i < g->n; i++) {
    SwitchMode *m = &h->modes.items[g->at[i]];
    double z = h->z[h->mode_at + g->at[i]], limit = m->kind == mode_sign ? holding_limit(h, g->at[i]) : 1;
    g->high[i] = limit;
    g->low[i] = m->kind == mode_sign ? -limit : 0;
    g->up[i] = 1;
    g->down[i] = m->kind == mode_sign ? -1 : 0;
    if (m->holds) z = m->pinned;
    was[i] = m->holds ? (z > 0 ? status_up : z < 0 ? status_down : status_free) : z >= g->up[i] ? status_up : z <= g->down[i] ? status_down : status_free;
    pinned[i] = m->holds ? m->pinned : 2; // 2: not held
    g->status[i] = m->came ? status_free : was[i]; // one that was pinned is free at the next event, and then stays as it is
    g->loose[i] = !m->holds && g->status[i] != status_free;
    quiet = quiet && !m->came && !m->released;
    m->came = false;
    if (!m->released) m->give = 0;
    g->give = fmax(g->give, 16 * m->give); // one that met its limit inexactly is felt by the others
    m->rate_scale = fmax(m->rate_scale, fabs(g->b[i]) + fabs(g->a[(size_t)i * g->n + i]));
  }
  return quiet;
}

static HoldVerdict settle_group(Group *g, HoldStatus *was, signed char *pinned) {
  Hybrid *h = g->h;
  bool quiet = begin(g, was, pinned), even = symmetric(g);
  HoldVerdict verdict = hold_none;
  if (even) {
    for (uint32_t i = 0; i < g->n; i++) { // one that reached its limit does not break loose while others hold it
      if (!h->modes.items[g->at[i]].released) continue;
      g->loose[i] = false;
      while (redundant(g, i) && cannot_take(g, i)) continue;
      g->loose[i] = !redundant(g, i);
    }
    if (settle_symmetric(g) && verified(g)) verdict = hold_changed;
  } else if (quiet && verified(g)) {
    verdict = hold_changed;
  }
  if (verdict == hold_none) verdict = g->n <= most_searched ? search(g) : hold_undecided;
  return verdict;
}

// ---- all groups

// Modes at zero that act on their own rate. Returns how many; they stand first in h->group. UINT32_MAX: the first one of it
// has nothing to hold with.
static uint32_t collect(Hybrid *h, double t, const double *y) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < h->modes.count; i++) {
    SwitchMode *m = &h->modes.items[i];
    m->acts = false;
    bool candidate = m->rate && m->jumps && m->enters && !m->pass && m->kind != mode_floor;
    if (candidate && (m->holds || m->touch)) h->group[n++] = i;
  }
  uint32_t kept = 0;
  for (uint32_t k = 0; k < n; k++) {
    uint32_t i = h->group[k];
    double *z = &h->z[h->mode_at + i], old = *z;
    *z = 0;
    holding_rates(h, t, y);
    double r0 = rate(h, i);
    *z = 1;
    holding_rates(h, t, y);
    double r1 = rate(h, i);
    *z = old;
    h->modes.items[i].acts = r1 - r0 < -1e-13 * fmax(fabs(r0), fabs(r1));
    if (isinf(holding_limit(h, i))) {
      h->group[0] = i;
      return UINT32_MAX;
    }
    if (h->modes.items[i].acts) h->group[kept++] = i;
    else if (h->modes.items[i].holds) holding_release(h, i);
  }
  return kept;
}

// Sorts the n modes of h->group so that those that act on each other stand together; where each begins is in first, n at
// the end. Returns how many there are.
static uint32_t split(Hybrid *h, uint32_t n, const double *a, uint32_t *first) {
  uint32_t *label = h->columns, groups = 0;
  for (uint32_t i = 0; i < n; i++) label[i] = UINT32_MAX;
  for (uint32_t i = 0; i < n; i++) {
    if (label[i] != UINT32_MAX) continue;
    label[i] = groups;
    for (bool more = true; more;) {
      more = false;
      for (uint32_t j = 0; j < n; j++) {
        for (uint32_t k = 0; label[j] == groups && k < n; k++) {
          if (label[k] == groups || (a[(size_t)j * n + k] == 0 && a[(size_t)k * n + j] == 0)) continue;
          label[k] = groups;
          more = true;
        }
      }
    }
    groups++;
  }
  uint32_t at = 0;
  memcpy(h->free_at, h->group, n * sizeof *h->group);
  for (uint32_t g = 0; g < groups; g++) {
    first[g] = at;
    for (uint32_t i = 0; i < n; i++) {
      if (label[i] == g) h->group[at++] = h->free_at[i];
    }
  }
  first[groups] = n;
  return groups;
}

// The place in y of a guard that is a plain velocity or state.
static uint32_t component(const Hybrid *h, const SwitchMode *m) {
  SymbolId s = expr_symbol(h->s->pool, m->g);
  const Symbol *symbol = s ? pool_symbol_get(h->s->pool, s) : NULL;
  if (symbol && symbol->kind == sym_velocity) return h->s->coord_count + symbol->index;
  return symbol && symbol->kind == sym_state ? 2 * h->s->coord_count + symbol->index : UINT32_MAX;
}

void hybrid_rest(const Hybrid *h, double *dydt) {
  for (uint32_t k = 0; k < h->held_count; k++) {
    uint32_t at = component(h, &h->modes.items[h->held[k]]);
    if (at < h->body) dydt[at] = 0;
  }
}

// What came to rest is put to rest, and what leaves with it starts from there: the little that is left of their motion is taken
// out by the elements themselves, in the directions in which they act, so that they do not disturb each other. To hold does no work: what is lost here to
// rounding and to the error of the moment is not booked as dissipated, and shows in the account.
static void put_to_rest(Group *g) {
  Hybrid *h = g->h;
  uint32_t n = g->n;
  bool moves = false, rests = false;
  hybrid_put(h, h->guards, h->guards_w, g->t, g->y);
  tape_eval(h->guards, h->guards_w);
  for (uint32_t i = 0; i < n; i++) {
    g->rhs[i] = -tape_result(h->guards, h->guards_w, g->at[i]);
    moves = moves || g->rhs[i] != 0;
    rests = rests || h->modes.items[g->at[i]].holds;
  }
  if (!moves || !rests) return;
  memcpy(g->sub, g->a, (size_t)n * n * sizeof *g->a);
  solve(n, g->sub, g->rhs, g->x, g->column, g->room);
  double before = h->stored(h->self, g->t, g->y), *low = h->before;
  uint32_t held = h->held_count;
  memset(g->push, 0, h->body * sizeof *g->push);
  h->held_count = 0; // the values stay as they are set here
  for (uint32_t k = 0; k < n; k++) {
    double *z = &h->z[h->mode_at + g->at[k]], kept = *z;
    bool known = true;
    for (int one = 0; one < 2 && known; one++) {
      *z = one;
      h->changed(h->self);
      known = h->f(h->self, g->t, g->y, one ? h->slope : low);
    }
    *z = kept;
    for (uint32_t e = 0; known && e < h->body; e++) g->push[e] += g->x[k] * (h->slope[e] - low[e]);
  }
  h->held_count = held;
  for (uint32_t e = 0; e < h->body; e++) g->y[e] += g->push[e];
  for (uint32_t k = 0; k < n; k++) {
    uint32_t at = component(h, &h->modes.items[g->at[k]]);
    if (at < h->body) g->y[at] = 0;
  }
  h->lost += h->stored(h->self, g->t, g->y) - before;
  hybrid_put(h, h->guards, h->guards_w, g->t, g->y);
  tape_eval(h->guards, h->guards_w);
  for (uint32_t k = 0; k < n; k++) { // what rounding left
    SwitchMode *m = &h->modes.items[g->at[k]];
    double left = fabs(tape_result(h->guards, h->guards_w, g->at[k]));
    m->drift = fmax(m->drift, left);
    m->near = fmax(m->near, 4 * left);
    m->ended = true;
  }
}

// Tells what changed in a group. True: something did.
static bool tell(Group *g, const HoldStatus *was, const signed char *pinned) {
  Hybrid *h = g->h;
  bool changed = false;
  for (uint32_t i = 0; i < g->n; i++) {
    uint32_t k = g->at[i];
    SwitchMode *m = &h->modes.items[k];
    double z = h->z[h->mode_at + k];
    if (m->holds == (pinned[i] != 2) && (m->holds ? m->pinned == pinned[i] : g->status[i] == was[i])) continue;
    changed = true;
    m->drift = 0;
    if ((m->holds && pinned[i] == 2) || !m->holds) hybrid_note(h, g->t, m->word, m->span, z);
  }
  if (changed) put_to_rest(g);
  return changed;
}

// Room for the work on as many modes as ever stood at zero at once.
struct HoldWork {
  uint32_t most;
  double *a, *b;
  uint32_t *first, *order;
  HoldStatus *was;
  signed char *pinned;
  Group g;
};

static bool make_room(Hybrid *h, uint32_t n) {
  Arena *arena = h->arena;
  if (!h->hold_work && !(h->hold_work = arena_new_of(arena, struct HoldWork))) return false;
  struct HoldWork *w = h->hold_work;
  if (n <= w->most) return true;
  w->most = n = 2 * n;
  size_t square = (size_t)n * n;
  double *d = arena_array(arena, 4 * square + 14 * (size_t)n, sizeof *d);
  uint32_t *u = arena_array(arena, 5 * (size_t)n + 1, sizeof *u);
  HoldStatus *s = arena_array(arena, 3 * (size_t)n, sizeof *s);
  w->pinned = arena_array(arena, n, sizeof *w->pinned);
  w->g.push = arena_array(arena, (size_t)h->body + 1, sizeof *w->g.push);
  w->g.loose = arena_array(arena, n, sizeof *w->g.loose);
  if (arena_failed(arena)) return false;
  w->a = d, w->g.a = w->a + square, w->g.sub = w->g.a + square, w->g.room = w->g.sub + square;
  double **lists[] = {&w->b, &w->g.b, &w->g.z, &w->g.r, &w->g.high, &w->g.low, &w->g.up, &w->g.down, &w->g.rhs, &w->g.x};
  d = w->g.room + square + 2 * (size_t)n;
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) *lists[i] = d + i * n;
  w->first = u, w->g.free = u + n + 1, w->g.column = w->g.free + n, w->order = w->g.column + n;
  w->was = s, w->g.status = s + n, w->g.best = s + 2 * (size_t)n;
  return true;
}

// The part of the problem that is group k.
static Group part(Hybrid *h, const struct HoldWork *w, uint32_t k, uint32_t n) {
  Group g = w->g;
  g.h = h;
  g.n = w->first[k + 1] - w->first[k];
  g.at = h->group + w->first[k];
  uint32_t *place = h->columns; // among all n
  for (uint32_t i = 0; i < g.n; i++) {
    place[i] = 0;
    while (w->order[place[i]] != g.at[i]) place[i]++;
  }
  for (uint32_t i = 0; i < g.n; i++) {
    g.b[i] = w->b[place[i]];
    for (uint32_t j = 0; j < g.n; j++) g.a[(size_t)i * g.n + j] = w->a[(size_t)place[i] * n + place[j]];
  }
  return g;
}

HoldVerdict holding_settle(Hybrid *h, double t, double *y) {
  if (!h->rates) return hold_same;
  hybrid_put(h, h->guards, h->guards_w, t, y); // the limits
  tape_eval(h->guards, h->guards_w);
  uint32_t n = collect(h, t, y);
  h->group_count = n == UINT32_MAX ? 1 : n;
  if (n == UINT32_MAX) return hold_slippery;
  if (n == 0) return hold_same;
  if (!make_room(h, n) || !holding_room(h, n)) return hold_no_memory;
  struct HoldWork *w = h->hold_work;
  // all rates with everything that may hold at 0
  double *kept = w->g.z;
  for (uint32_t i = 0; i < n; i++) kept[i] = h->z[h->mode_at + h->group[i]];
  affine(h, h->group, n, t, y, w->a, w->b);
  for (uint32_t i = 0; i < n; i++) h->z[h->mode_at + h->group[i]] = kept[i];
  memcpy(w->order, h->group, n * sizeof *w->order);
  uint32_t groups = split(h, n, w->a, w->first);
  bool changed = false;
  for (uint32_t k = 0; k < groups; k++) {
    Group g = part(h, w, k, n);
    g.t = t;
    g.y = y;
    HoldVerdict verdict = settle_group(&g, w->was, w->pinned);
    if (verdict == hold_changed) {
      changed = tell(&g, w->was, w->pinned) || changed;
      continue;
    }
    h->group_count = g.n;
    memmove(h->group, g.at, g.n * sizeof *h->group);
    return verdict;
  }
  return changed ? hold_changed : hold_same;
}

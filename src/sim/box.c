// Box complementarity by exchanges.
//
// For friction A = -W D with W = J inv(M) J': what is sought makes 1/2 u' W u - b' u least within a box (u = D z), so
// there is a solution, and its rates are unique, even where W is singular because more elements rest than there are
// motions to hold. Then the values of least norm are taken; where one of these is out of its range it is set to its
// limit and the others take over. All that is wrong is exchanged at once, one by one if that goes round in circles
// (Murty). An element that holds more at rest than in motion and cannot hold has its value in motion from then on, and
// the rest is solved again.
//
// Reference: K. G. Murty, Linear Complementarity, 1988; F. Pfeiffer, C. Glocker, Multibody Dynamics with Unilateral
// Contacts, 1996.
#include "sim/box.h"

#include "sim/least_norm.h"

#include <math.h>
#include <string.h>

static const double rate_slack = 1e-11; // of the terms of a rate: its rounding

double box_size(const Box *g, uint32_t i) {
  double size = fabs(g->b[i]);
  for (uint32_t j = 0; j < g->n; j++) size += fabs(g->a[(size_t)i * g->n + j]) * fmax(1, fabs(g->z[j]));
  return size;
}

// Values and rates for the present statuses. Returns the rank of the free ones.
static uint32_t evaluate(Box *g) {
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
  if (m) rank = least_norm(m, g->sub, g->rhs, g->x, g->column, g->room);
  for (uint32_t k = 0; k < m; k++) g->z[g->free[k]] = g->x[k];
  for (uint32_t i = 0; i < n; i++) {
    g->r[i] = g->b[i];
    for (uint32_t j = 0; j < n; j++) g->r[i] += g->a[(size_t)i * n + j] * g->z[j];
  }
  return rank;
}

HoldStatus box_wish(const Box *g, uint32_t i) {
  double z = g->z[i], room = g->give * fmax(fabs(g->high[i]), fabs(g->low[i]));
  double slack = fmax(rate_slack * box_size(g, i), g->give * fabs(g->a[(size_t)i * g->n + i]));
  switch (g->status[i]) {
  case status_free: return z > g->high[i] + room ? status_up : z < g->low[i] - room ? status_down : status_free;
  case status_up: return g->r[i] < -slack ? status_free : status_up;
  case status_down: return g->r[i] > slack ? status_free : status_down;
  }
  return status_free;
}

// Exchanges until nothing is wrong. False: it does not come to an end.
static bool exchange(Box *g) {
  uint32_t least = UINT32_MAX, patience = 8, rounds = 20 * g->n + 50;
  for (uint32_t round = 0; round < rounds; round++) {
    evaluate(g);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < g->n; i++) wrong += box_wish(g, i) != g->status[i];
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
      HoldStatus wish = box_wish(g, i);
      if (wish == g->status[i]) continue;
      g->status[i] = wish;
      if (one) break;
    }
  }
  return false;
}

bool box_symmetric(Box *g) {
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

// Do the free ones hold this one, too?
static bool redundant(Box *g, uint32_t i) {
  HoldStatus own = g->status[i];
  uint32_t before = evaluate(g);
  g->status[i] = status_free;
  uint32_t with = evaluate(g);
  g->status[i] = own;
  evaluate(g);
  return with == before;
}

// An element reached its limit, and the free ones are to take over what more it would have had to hold. One of them
// that is at its own limit in that direction cannot: it is set to it. True: one was.
static bool cannot_take(Box *g, uint32_t i) {
  uint32_t n = g->n, m = 0;
  double outward = g->status[i] == status_up ? 1 : -1, give = fmax(1e-10, g->give);
  bool any = false;
  evaluate(g);
  for (uint32_t k = 0; k < n; k++) m += g->status[k] == status_free;
  for (uint32_t k = 0; k < m; k++) {
    g->rhs[k] = outward * g->a[(size_t)g->free[k] * n + i];
    for (uint32_t l = 0; l < m; l++) g->sub[(size_t)k * m + l] = g->a[(size_t)g->free[k] * n + g->free[l]];
  }
  if (m) least_norm(m, g->sub, g->rhs, g->x, g->column, g->room);
  for (uint32_t k = 0; k < m; k++) {
    uint32_t at = g->free[k];
    double range = give * fmax(fabs(g->high[at]), fabs(g->low[at]));
    bool up = g->x[k] > 1e-9 && g->z[at] >= g->high[at] - range;
    bool down = g->x[k] < -1e-9 && g->z[at] <= g->low[at] + range;
    if (!up && !down) continue;
    g->status[at] = up ? status_up : status_down;
    any = true;
  }
  return any;
}

bool box_settle(Box *g) {
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

void box_reached(Box *g, uint32_t i) {
  g->loose[i] = false;
  while (redundant(g, i) && cannot_take(g, i)) continue;
  g->loose[i] = !redundant(g, i);
}

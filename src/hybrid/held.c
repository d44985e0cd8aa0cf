// Sticking and sliding modes: the values of the modes with which guards that are held at zero do not move (equivalent
// control). A part of holding.h.
//
// Rates of guards are affine in the values of the modes: evaluated with all of them at 0, then each at 1. The values
// that hold solve A z = -b, with the least norm where several do. Where an element changes the force that it is made of
// they are not (EventPlan.bent), and Newton's method goes on from there. What is inside of the boxes is the solution;
// so they are linearized there, and never beyond a pole of what is a quotient of sums in the values.
#include "hybrid/holding.h"

#include "numerics/least_norm.h"

#include <math.h>
#include <string.h>

void holding_rates(Hybrid *h, double t, const double *y) { hybrid_eval(h, event_rates, t, y); }

static double rate(const Hybrid *h, uint32_t i) { return hybrid_result(h, event_rates, i); }

double holding_limit(const Hybrid *h, uint32_t i) {
  double limit = hybrid_result(h, event_guards, h->plan->mode_count + i);
  return limit > 1 ? limit : 1; // stick = slip up to rounding; 0/0 where both vanish
}

bool holding_room(Hybrid *h, uint32_t held) {
  size_t n = held, need = n * n + 3 * n + least_norm_numbers(held) + 8;
  if (need <= h->solve_room) return true;
  h->solve_room = 2 * need;
  h->solve = arena_array(h->arena, h->solve_room, sizeof *h->solve);
  return h->solve != NULL;
}

// ---- elements

uint32_t holding_next(const Hybrid *h, uint32_t i) {
  uint32_t j = i;
  do j = h->plan->modes[j].next;
  while (j != i && !h->modes[j].holds && !h->modes[j].acts);
  return j;
}

double holding_share(const Hybrid *h, uint32_t i, double z, bool slides, uint32_t j) {
  const SwitchMode *p = &h->plan->modes[i], *q = &h->plan->modes[j];
  if (i == j) return z;
  double side = p->side * q->side, part = p->kind == mode_sign ? slides ? z : z / holding_limit(h, i) : 2 * z - 1;
  if (q->kind == mode_sign) return side * part * (slides ? 1 : holding_limit(h, j));
  return (1 + side * part) / 2;
}

void holding_put(Hybrid *h, uint32_t i, double z, bool slides) {
  uint32_t j = i;
  do *hybrid_mode(h, j) = holding_share(h, i, z, slides, j);
  while ((j = holding_next(h, j)) != i);
}

void holding_release(Hybrid *h, uint32_t i) {
  uint32_t element = h->plan->modes[i].element, kept = 0;
  h->state->tie_count = 0; // until they are found again
  for (uint32_t k = 0; k < h->state->held_count; k++) {
    ModeState *m = &h->modes[h->held[k]];
    if (h->plan->modes[h->held[k]].element != element) {
      h->held[kept++] = h->held[k];
      continue;
    }
    m->holds = false;
    m->pinned = 0;
  }
  h->state->held_count = kept;
}

// The rates of these n elements as b + A z: with all of them at 0, then each at 1.
void holding_affine(Hybrid *h, const uint32_t *at, uint32_t n, const bool *slides, double t, const double *y, double *a,
                    double *b) {
  for (uint32_t i = 0; i < n; i++) holding_put(h, at[i], 0, slides && slides[i]);
  holding_rates(h, t, y);
  for (uint32_t i = 0; i < n; i++) b[i] = rate(h, at[i]);
  for (uint32_t j = 0; j < n; j++) {
    holding_put(h, at[j], 1, slides && slides[j]);
    holding_rates(h, t, y);
    for (uint32_t i = 0; i < n; i++) a[(size_t)i * n + j] = rate(h, at[i]) - b[i];
    holding_put(h, at[j], 0, slides && slides[j]);
  }
}

void holding_linear(Hybrid *h, const uint32_t *at, uint32_t n, const bool *slides, double t, const double *y, double *a,
                    double *b) {
  static const double step = 0x1p-17; // of a value: the cube root of its last digit
  double *z = h->z + h->plan->mode_at;
  for (uint32_t j = 0; j < n; j++) {
    double value = z[at[j]], by = step * fmax(1, fabs(value));
    for (int side = 0; side < 2; side++) {
      holding_put(h, at[j], side ? value - by : value + by, slides && slides[j]);
      holding_rates(h, t, y);
      for (uint32_t i = 0; i < n; i++) {
        double *entry = &a[(size_t)i * n + j];
        *entry = side ? (*entry - rate(h, at[i])) / (2 * by) : rate(h, at[i]);
      }
    }
    holding_put(h, at[j], value, slides && slides[j]);
  }
  holding_rates(h, t, y);
  for (uint32_t i = 0; i < n; i++) {
    b[i] = rate(h, at[i]);
    for (uint32_t j = 0; j < n; j++) b[i] -= a[(size_t)i * n + j] * z[at[j]];
  }
}

// ---- while it lasts

// The bounds of the box of a mode, with the guards evaluated.
static double highest(const Hybrid *h, uint32_t i) {
  return h->plan->modes[i].kind == mode_sign ? holding_limit(h, i) : 1;
}
static double lowest(const Hybrid *h, uint32_t i) {
  return h->plan->modes[i].kind == mode_sign ? -holding_limit(h, i) : 0;
}

// Does an element stick by another of its operators that stands before this one in the list?
static bool is_listed(const Hybrid *h, uint32_t k) {
  const SwitchMode *p = &h->plan->modes[h->held[k]];
  if (p->next == h->held[k]) return false;
  for (uint32_t other = 0; other < k; other++) {
    if (h->plan->modes[h->held[other]].element == p->element) return true;
  }
  return false;
}

void holding_values(Hybrid *h, double t, const double *y) {
  uint32_t n = 0, *at = h->room.free_at;
  bool bounds = h->plan->bent;
  for (uint32_t k = 0; k < h->state->held_count; k++) {
    uint32_t i = h->held[k];
    bounds = bounds || h->modes[i].pinned || h->plan->modes[i].next != i;
    if (!h->modes[i].pinned && !is_listed(h, k)) at[n++] = i;
    *hybrid_mode(h, i) = 0;
  }
  if (bounds) hybrid_eval(h, event_guards, t, y);
  for (uint32_t k = 0; k < h->state->held_count; k++) {
    uint32_t i = h->held[k];
    int8_t pinned = h->modes[i].pinned;
    if (pinned) *hybrid_mode(h, i) = pinned > 0 ? highest(h, i) : lowest(h, i);
  }
  enum { most = 20 };
  double *a = h->solve, *b = a + (size_t)n * n, *x = b + n, *last = x + n;
  LeastNorm f = {.n = n, .a = a, .room = last + n, .row = h->room.columns, .column = h->room.columns + n};
  for (int round = 0; n && round < most; round++) {
    if (round) holding_linear(h, at, n, NULL, t, y, a, b);
    else holding_affine(h, at, n, NULL, t, y, a, b);
    for (uint32_t i = 0; i < n; i++) b[i] = -b[i];
    least_norm_factor(&f);
    least_norm_solve(&f, b, x);
    bool moved = !round;
    for (uint32_t i = 0; i < n; i++) {
      moved = moved || fabs(x[i] - last[i]) > HOLD_ROUNDING * fmax(1, fabs(x[i]));
      last[i] = x[i];
      double value = h->plan->bent ? fmax(lowest(h, at[i]), fmin(x[i], highest(h, at[i]))) : x[i];
      holding_put(h, at[i], value, false);
    }
    if (!h->plan->bent || !moved) break;
  }
  for (uint32_t i = 0; i < n; i++) holding_put(h, at[i], x[i], false);
}

// Stands without the arena: the module with SUNDIALS has a copy of its own.
#include "solve/events.h"

#include <float.h>
#include <string.h>

enum { degree = event_degree, points = degree + 1, grid = 32, deepest = 8, deepest_wild = 20, most_pieces = 200 };

// ---- polynomials on a piece: s from 0 to 1

typedef struct Poly {
  double c[points];
  double size; // of the largest values
} Poly;

static Poly fit(const EventSearch *x, uint32_t i) {
  Poly p = {.size = 0};
  for (int k = 0; k < points; k++) {
    double sum = 0;
    for (int j = 0; j < points; j++) {
      double v = x->values[(size_t)j * x->e->count + i];
      sum += (j == 0 || j == degree ? 0.5 : 1) * v * x->cosine[j][k];
    }
    p.c[k] = sum * 2 / degree;
  }
  p.c[0] *= 0.5;
  p.c[degree] *= 0.5;
  for (int k = 0; k < points; k++) p.size += fabs(p.c[k]);
  return p;
}

static double value(const Poly *p, double s) {
  double u = 1 - 2 * s, a = 0, b = 0; // Clenshaw
  for (int k = degree; k > 0; k--) {
    double next = 2 * u * a - b + p->c[k];
    b = a;
    a = next;
  }
  return u * a - b + p->c[0];
}

// d/ds
static double slope(const Poly *p, double s) {
  // T_k' = k U_(k-1)
  double u = 1 - 2 * s, before = 0, now = 1, sum = 0; // U_(k-2), U_(k-1)
  for (int k = 1; k < points; k++) {
    sum += k * p->c[k] * now;
    double next = 2 * u * now - before;
    before = now;
    now = next;
  }
  return -2 * sum;
}

// The place of the smallest (sign 1) or largest (sign -1) value between a and b.
static double extremum(const Poly *p, double a, double b, double sign) {
  const double g = 0.61803398874989485;
  double x1 = b - g * (b - a), x2 = a + g * (b - a), f1 = sign * value(p, x1), f2 = sign * value(p, x2);
  for (int i = 0; i < 60; i++) {
    if (f1 <= f2) {
      b = x2;
      x2 = x1;
      f2 = f1;
      x1 = b - g * (b - a);
      f1 = sign * value(p, x1);
    } else {
      a = x1;
      x1 = x2;
      f1 = f2;
      x2 = a + g * (b - a);
      f2 = sign * value(p, x2);
    }
  }
  return f1 <= f2 ? x1 : x2;
}

// Positive at a, not at b.
static double crossing(const Poly *p, double a, double b) {
  for (int i = 0; i < 200; i++) {
    double mid = 0.5 * (a + b);
    if (mid <= a || mid >= b) break;
    if (value(p, mid) > 0) a = mid;
    else b = mid;
  }
  return b;
}

// The first end on the piece, 2 when there is none. Up to `little` it counts as zero. *armed: it was positive already. *graze: where it came to zero before,
// within small errors, and went back.
static double first_end(const Poly *p, double little, bool *armed, double *graze) {
  double before = 0, start = value(p, 0), old = start;
  if (old > little) *armed = true;
  // where it holds no more from the start on, and gets no better, it ends at once
  for (int k = 1; k <= grid; k++) {
    double s = (double)k / grid, now = value(p, s);
    if (!*armed && now < -little) {
      double top = extremum(p, before, s, -1);
      if (value(p, top) > little) return crossing(p, top, s);
      if (now < start - 1e-9 * p->size - little) return before;
    } else if (*armed && now < -little) {
      return crossing(p, before, s);
    } else if (*armed) {
      double after = k < grid ? value(p, s + 1.0 / grid) : now;
      if (now < old && now <= after) {
        double low = extremum(p, before, k < grid ? s + 1.0 / grid : s, 1);
        double least = value(p, low);
        if (least < -little) return crossing(p, before, low);
        if (least <= fmax(little, 1e-9 * p->size) && after > least && *graze > 1) *graze = low;
      }
    }
    if (now > little) *armed = true;
    before = s;
    old = now;
  }
  return 2;
}

// ---- the step

static void sample(EventSearch *x, double a, double b) {
  for (int j = 0; j < points; j++) {
    double part = a + (b - a) * x->node[j];
    x->dense(x->from, part, x->y);
    if (x->states) memcpy(x->states + (size_t)j * x->n, x->y, x->n * sizeof *x->y);
    // a hair before the end: a jump in time may be there
    double t = part < 1 ? x->t + part * x->h : nextafter(x->t + x->h, x->t);
    x->e->conditions(x->e->self, t, x->y, x->values + (size_t)j * x->e->count);
  }
}

// The least that wild conditions can be on the piece: y stays within the bounds of its polynomials.
static void bound(EventSearch *x, double a, double b) {
  for (uint32_t e = 0; e < x->n; e++) {
    double mid = 0, reach = 0;
    for (int k = 0; k < points; k++) {
      double sum = 0;
      for (int j = 0; j < points; j++) sum += (j == 0 || j == degree ? 0.5 : 1) * x->states[(size_t)j * x->n + e] * x->cosine[j][k];
      sum *= (k == 0 || k == degree ? 1.0 : 2.0) / degree;
      if (k == 0) mid = sum;
      else reach += fabs(sum);
    }
    reach += 1e-12 * fabs(mid);
    x->lo[e] = mid - reach;
    x->hi[e] = mid + reach;
  }
  x->e->ranges(x->e->self, x->t + a * x->h, x->t + b * x->h, x->lo, x->hi, x->least);
}

static void take(EventSearch *x, uint32_t i, const Poly *p, double s, double a, double b, double shallow) {
  double part = a + (b - a) * s;
  if (part >= x->best) return;
  x->best = part;
  x->which = i;
  x->slope = slope(p, s) / ((b - a) * x->h);
  x->shallow = shallow;
}

// Did it come away from zero?
static bool is_clear(const OdeEvents *e, uint32_t i, double c) { return c > e->noise[i] && (!e->fresh[i] || c > e->rearm[i]); }

static void look(EventSearch *x, double a, double b, int depth) {
  const OdeEvents *e = x->e;
  bool *armed = x->armed;
  sample(x, a, b);
  if (b == 1) memcpy(x->last, x->values + (size_t)degree * e->count, e->count * sizeof *x->last);
  bool split = false, bounded = false;
  x->pieces++;
  for (uint32_t i = 0; i < e->count; i++) {
    if (x->done[i]) continue;
    bool before = armed[i], wild = e->wild && e->wild[i];
    if (wild && !bounded) {
      bound(x, a, b);
      bounded = true;
    }
    if (wild && x->least[i] > 0) { // nothing can happen
      armed[i] = armed[i] || is_clear(e, i, x->least[i]);
      x->done[i] = (uint8_t)(depth + 1);
      continue;
    }
    bool more = wild && !isnan(x->least[i]) && depth < deepest_wild && x->pieces < most_pieces;
    double least = INFINITY, most = -INFINITY;
    bool known = true;
    for (int j = 0; j < points; j++) {
      double v = x->values[(size_t)j * e->count + i];
      known = known && v == v;
      least = v < least ? v : least;
      most = v > most ? v : most;
    }
    if (!known) continue; // outside of its domain there is no condition
    // the polynomial stays within 2.2 times the range of its values
    if (least > 0 && 0.5 * (most + least) > 1.2 * (most - least)) {
      split = split || more;
      if (more) continue; // it may dip between the points
      armed[i] = armed[i] || is_clear(e, i, least);
      x->done[i] = (uint8_t)(depth + 1);
      continue;
    }
    if (!isfinite(least) || !isfinite(most)) continue;
    Poly p = fit(x, i);
    bool fits = fabs(p.c[degree]) + fabs(p.c[degree - 1]) <= 1e-7 * p.size;
    if (!fits && depth < deepest) {
      split = true;
      continue;
    }
    bool was = armed[i];
    // the rounding of time counts, too
    double noise = e->noise[i] + 4 * DBL_EPSILON * fabs(x->t) * p.size / ((b - a) * x->h);
    double little = fmax(fmax(4 * DBL_EPSILON * p.size, noise), was ? 0 : e->rearm[i]);
    double graze = 2, s = first_end(&p, little, &was, &graze);
    if (s > 1 && more) { // none was seen, but there may be one
      armed[i] = before;
      split = true;
      continue;
    }
    armed[i] = was;
    if (s <= 1) take(x, i, &p, s, a, b, was ? 0 : little);
    if (graze <= 1 && a + (b - a) * graze < x->graze) {
      x->graze = a + (b - a) * graze;
      x->grazing = i;
    }
    x->done[i] = (uint8_t)(depth + 1);
  }
  // what did not fit is looked at on the halves; armed says what happened before them
  double mid = 0.5 * (a + b);
  if (split && x->best > a) look(x, a, mid, depth + 1);
  if (split && x->best > mid) look(x, mid, b, depth + 1);
  for (uint32_t i = 0; i < e->count; i++) {
    if (x->done[i] == depth + 1) x->done[i] = 0;
  }
}

bool event_search(EventSearch *x, double t, double h, OdeDense *dense, void *from, double *at) {
  const OdeEvents *e = x->e;
  x->t = t;
  x->h = h;
  x->dense = dense;
  x->from = from;
  x->best = x->graze = 2;
  x->pieces = 0;
  if (e->count == 0) return false;
  memset(x->done, 0, e->count * sizeof *x->done);
  for (uint32_t i = 0; i < e->count; i++) x->armed[i] = !e->fresh[i];
  look(x, 0, 1, 0);
  if (e->graze && x->graze < x->best) e->graze(e->self, x->grazing, t + x->graze * h);
  if (x->best > 1) return false;
  *at = t + x->best * h;
  return true;
}

bool event_polish(EventSearch *x, OdeReach *reach, void *from, double *y, double *at) {
  double t = *at, moved = INFINITY, slope = x->slope, old_t = 0, old_c = 0;
  for (int i = 0; i < 12; i++) {
    if (!reach(from, t, y)) return false;
    x->e->conditions(x->e->self, t, y, x->last);
    double c = x->last[x->which], seen = i ? (c - old_c) / (t - old_t) : slope;
    if (seen < 0) slope = seen; // where it hardly crosses, the polynomial does not know its slope
    if (!(slope < 0)) break;
    double by = -c / slope;
    // no more than the continuous extension may be wrong, and ever less
    if (!isfinite(by) || fabs(by) > 1e-3 * x->h || !(fabs(by) < moved)) break;
    old_t = t;
    old_c = c;
    if (fabs(by) <= DBL_EPSILON * fabs(t)) break;
    double next = t + by;
    if (next <= x->t || next > x->t + x->h) break;
    moved = fabs(by);
    t = next;
    if (moved <= 2 * DBL_EPSILON * fabs(t)) {
      if (!reach(from, t, y)) return false;
      break;
    }
  }
  *at = t;
  return true;
}

const uint32_t *event_ended(EventSearch *x, double t, const double *y, uint32_t *count) {
  const OdeEvents *e = x->e;
  e->conditions(e->self, t, y, x->last);
  *count = 0;
  e->rearm[x->which] = 2 * x->shallow; // ever more, should it not get away
  for (uint32_t i = 0; i < e->count; i++) {
    if (i == x->which) x->ended[(*count)++] = i;
    else if (is_clear(e, i, x->last[i])) e->fresh[i] = false;
    else if (x->last[i] <= 0 && !e->fresh[i]) x->ended[(*count)++] = i; // crossed in the same moment
  }
  return x->ended;
}

void event_none(EventSearch *x) {
  for (uint32_t i = 0; i < x->e->count; i++) {
    if (is_clear(x->e, i, x->last[i])) x->e->fresh[i] = false;
  }
}

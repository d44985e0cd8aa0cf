// Adaptive explicit Runge-Kutta methods with dense output: dopri5 (Dormand and Prince 5(4)) and dop853 (8(5,3)).
//
// in    y' = f(t, y), tolerances
// out   rows at the asked times, by the method's continuous extension
//
// A step is accepted when err <= 1, err the root mean square of error_i / (atol + rtol max(|y_i|, |y+_i|)) over the
// checked components. The next step is h fac, fac = 0.9 err^(-1/q) damped by the error before (Hairer, Norsett, Wanner,
// II.4), within [0.2, 10] (0.33 .. 6 for dop853).
#include "solve/ode.h"

#include "solve/dop853_table.h"
#include "solve/dopri5_table.h"

#include <math.h>
#include <string.h>

enum { most_stages = 16 };

typedef struct Adaptive {
  const OdeProblem *p;
  const OdeSettings *s;
  OdeResult *r;
  uint32_t n;
  double *y, *next, *z;
  double *k[most_stages];
  double *dense[8]; // coefficients of the continuous extension
} Adaptive;

// z = y + h sum_j w_j k_j
static void combine(Adaptive *a, double *z, double h, const double *w, int count) {
  memcpy(z, a->y, a->n * sizeof *z);
  for (int j = 0; j < count; j++) {
    if (w[j] == 0) continue;
    double f = h * w[j];
    const double *k = a->k[j];
    for (uint32_t e = 0; e < a->n; e++) z[e] += f * k[e];
  }
}

static bool evaluate(Adaptive *a, double t, const double *y, double *dydt) {
  a->r->evaluations++;
  return a->p->f(a->p->self, t, y, dydt);
}

static double scale(const Adaptive *a, uint32_t e) {
  double x = fabs(a->y[e]), y = fabs(a->next[e]);
  return a->s->atol + a->s->rtol * (x > y ? x : y);
}

// ---- dopri5

// One trial step; k[0] is f at its start. False: not finite.
static bool try_dopri5(Adaptive *a, double t, double h, double *err) {
  for (int i = 1; i < 7; i++) {
    double *z = i == 6 ? a->next : a->z;
    combine(a, z, h, a5[i], i);
    if (!evaluate(a, t + c5[i] * h, z, a->k[i])) return false;
  }
  double sum = 0;
  for (uint32_t e = 0; e < a->p->checked; e++) {
    double d = 0;
    for (int i = 0; i < 7; i++) d += e5[i] * a->k[i][e];
    d *= h / scale(a, e);
    sum += d * d;
  }
  *err = a->p->checked ? sqrt(sum / a->p->checked) : 0;
  return isfinite(*err);
}

static void extend_dopri5(Adaptive *a, double h) {
  for (uint32_t e = 0; e < a->n; e++) {
    double diff = a->next[e] - a->y[e], spline = h * a->k[0][e] - diff;
    a->dense[0][e] = a->y[e];
    a->dense[1][e] = diff;
    a->dense[2][e] = spline;
    a->dense[3][e] = diff - h * a->k[6][e] - spline;
    double sum = 0;
    for (int i = 0; i < 7; i++) sum += d5[i] * a->k[i][e];
    a->dense[4][e] = h * sum;
  }
}

static void dense_dopri5(const Adaptive *a, double x, double *out) {
  double y = 1 - x;
  for (uint32_t e = 0; e < a->n; e++) {
    double *const *d = a->dense;
    out[e] = d[0][e] + x * (d[1][e] + y * (d[2][e] + x * (d[3][e] + y * d[4][e])));
  }
}

// ---- dop853

static bool try_dop853(Adaptive *a, double t, double h, double *err) {
  for (int i = 1; i < 12; i++) {
    combine(a, a->z, h, a853[i], i);
    if (!evaluate(a, t + c853[i] * h, a->z, a->k[i])) return false;
  }
  combine(a, a->next, h, a853[12], 12);
  double five = 0, three = 0;
  for (uint32_t e = 0; e < a->p->checked; e++) {
    double d5sum = 0, d3sum = 0;
    for (int i = 0; i < 12; i++) {
      d5sum += e5_853[i] * a->k[i][e];
      d3sum += (a853[12][i] - b3_853[i]) * a->k[i][e];
    }
    double sc = scale(a, e);
    five += d5sum / sc * (d5sum / sc);
    three += d3sum / sc * (d3sum / sc);
  }
  double bottom = five + 0.01 * three;
  if (bottom <= 0) bottom = 1;
  *err = a->p->checked ? fabs(h) * five / sqrt(bottom * a->p->checked) : 0;
  if (!isfinite(*err)) return false;
  if (*err > 1) return true;
  return evaluate(a, t + h, a->next, a->k[12]);
}

// The extension needs three more evaluations: made only where a row falls into the step.
static bool extend_dop853(Adaptive *a, double t, double h) {
  for (int i = 13; i < 16; i++) {
    combine(a, a->z, h, a853[i], i);
    if (!evaluate(a, t + c853[i] * h, a->z, a->k[i])) return false;
  }
  for (uint32_t e = 0; e < a->n; e++) {
    double diff = a->next[e] - a->y[e], spline = h * a->k[0][e] - diff;
    a->dense[0][e] = a->y[e];
    a->dense[1][e] = diff;
    a->dense[2][e] = spline;
    a->dense[3][e] = diff - h * a->k[12][e] - spline;
    for (int q = 0; q < 4; q++) {
      double sum = 0;
      for (int i = 0; i < 16; i++) sum += d853[q][i] * a->k[i][e];
      a->dense[4 + q][e] = h * sum;
    }
  }
  return true;
}

static void dense_dop853(const Adaptive *a, double x, double *out) {
  double y = 1 - x;
  for (uint32_t e = 0; e < a->n; e++) {
    double *const *d = a->dense;
    double inner = d[4][e] + x * (d[5][e] + y * (d[6][e] + x * d[7][e]));
    out[e] = d[0][e] + x * (d[1][e] + y * (d[2][e] + x * (d[3][e] + y * inner)));
  }
}

// ---- the driver

// A first step by comparing y, y' and a crude y'' with the tolerances.
static bool first_step(Adaptive *a, double t, double span, int order, double *h) {
  double d0 = 0, d1 = 0, d2 = 0;
  memcpy(a->next, a->y, a->n * sizeof *a->next);
  uint32_t m = a->p->checked;
  for (uint32_t e = 0; e < m; e++) {
    double sc = scale(a, e);
    d0 += a->y[e] / sc * (a->y[e] / sc);
    d1 += a->k[0][e] / sc * (a->k[0][e] / sc);
  }
  double h0 = d0 < 1e-10 || d1 < 1e-10 ? 1e-6 : 0.01 * sqrt(d0 / d1);
  if (h0 > span) h0 = span;
  for (uint32_t e = 0; e < a->n; e++) a->z[e] = a->y[e] + h0 * a->k[0][e];
  if (!evaluate(a, t + h0, a->z, a->k[1])) {
    *h = h0 * 1e-3;
    return true;
  }
  for (uint32_t e = 0; e < m; e++) {
    double d = (a->k[1][e] - a->k[0][e]) / scale(a, e);
    d2 += d * d;
  }
  double norm1 = m ? sqrt(d1 / m) : 0, norm2 = m ? sqrt(d2 / m) / h0 : 0;
  double largest = norm1 > norm2 ? norm1 : norm2;
  double h1 = largest <= 1e-15 ? fmax(1e-6, h0 * 1e-3) : pow(0.01 / largest, 1.0 / (order + 1));
  *h = fmin(fmin(100 * h0, h1), span);
  return *h > 0;
}

static bool allocate(Adaptive *a, Arena *arena) {
  uint32_t n = a->n;
  a->next = arena_array(arena, n, sizeof(double));
  a->z = arena_array(arena, n, sizeof(double));
  for (int i = 0; i < most_stages; i++) a->k[i] = arena_array(arena, n, sizeof(double));
  for (int i = 0; i < 8; i++) a->dense[i] = arena_array(arena, n, sizeof(double));
  return !arena_failed(arena);
}

OdeResult ode_solve_adaptive(Arena *arena, const OdeProblem *p, const OdeSettings *s, double *y, const OdeObserver *o) {
  OdeResult r = {.status = ode_done, .t = s->t0, .smallest = INFINITY};
  Adaptive adaptive = {.p = p, .s = s, .r = &r, .n = p->n, .y = y}, *a = &adaptive;
  bool eight = s->method == ode_dop853;
  int order = eight ? 8 : 5, last = eight ? 12 : 6;
  double shrink = eight ? 1.0 / 3 : 0.2, grow = eight ? 6 : 10;
  if (!allocate(a, arena)) {
    r.status = ode_no_memory;
    return r;
  }
  double t = s->t0, h = 0, before = 1e-4;
  if (!o->row(o->self, t, y)) {
    r.status = ode_stopped;
    return r;
  }
  uint64_t rows = ode_row_count(s), row = 1;
  if (rows <= 1) return r;
  if (!evaluate(a, t, y, a->k[0])) {
    r.status = ode_not_finite;
    return r;
  }
  first_step(a, t, s->t1 - t, eight ? 7 : 4, &h);
  bool rejected = false;
  while (t < s->t1) {
    if (r.steps + r.rejected >= s->most_steps) {
      r.status = ode_many_steps;
      break;
    }
    bool ends = t + h * (1 + 1e-9) >= s->t1;
    if (ends) h = s->t1 - t;
    if (h <= 16 * 2.3e-16 * fmax(fabs(t), fabs(s->t1 - s->t0) * 1e-6)) {
      r.status = rejected ? ode_step_small : ode_not_finite;
      break;
    }
    double err = 0;
    bool finite = eight ? try_dop853(a, t, h, &err) : try_dopri5(a, t, h, &err);
    if (!finite || err > 1) {
      // a step that leaves the domain of f is tried again, much smaller
      h *= finite ? fmax(shrink, 0.9 * pow(err, -1.0 / order)) : 0.1;
      r.rejected++;
      rejected = finite || rejected;
      if (!finite) rejected = false;
      continue;
    }
    double t_next = ends ? s->t1 : t + h;
    // rows inside the step
    if (row < rows && ode_row_time(s, row) < t_next) {
      bool ok = true;
      if (eight) ok = extend_dop853(a, t, h);
      else extend_dopri5(a, h);
      for (; ok && row < rows && ode_row_time(s, row) < t_next; row++) {
        double due = ode_row_time(s, row), x = (due - t) / h;
        if (eight) dense_dop853(a, x, a->z);
        else dense_dopri5(a, x, a->z);
        if (o->row(o->self, due, a->z)) continue;
        r.status = ode_stopped;
        return r;
      }
      if (!ok) { // outside the domain inside the step: smaller
        h *= 0.1;
        r.rejected++;
        continue;
      }
    }
    memcpy(y, a->next, a->n * sizeof *y);
    double *swap = a->k[0];
    a->k[0] = a->k[last];
    a->k[last] = swap;
    t = r.t = t_next;
    r.steps++;
    if (!ends || r.steps == 1) r.smallest = fmin(r.smallest, h);
    r.largest = fmax(r.largest, h);
    if (row < rows && ode_row_time(s, row) == t) {
      row++;
      if (!o->row(o->self, t, y)) {
        r.status = ode_stopped;
        return r;
      }
    }
    if (o->step && !o->step(o->self, t, r.steps)) {
      r.status = ode_stopped;
      return r;
    }
    double beta = eight ? 0 : 0.04, expo = 1.0 / order - beta * 0.75;
    double factor = err > 0 ? 0.9 * pow(err, -expo) * pow(before, beta) : grow;
    factor = fmin(grow, fmax(shrink, factor));
    if (rejected) factor = fmin(factor, 1);
    rejected = false;
    before = fmax(err, 1e-4);
    h *= factor;
  }
  return r;
}

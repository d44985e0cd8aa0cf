// Fixed-step explicit Runge-Kutta methods.
//
//   k_i = f(t + c_i h, y + h sum_j a_ij k_j),   y+ = y + h sum_i b_i k_i
//
// Steps have the size that was asked for; the last one before a row is shortened where the row does not fall on a step.
#include "solve/fixed_table.h"

#include <math.h>
#include <string.h>

static bool step(const Tableau *m, const OdeProblem *p, double t, double h, double *y, double *k, double *z) {
  uint32_t n = p->n;
  if (!p->f(p->self, t, y, k)) return false;
  for (int i = 1; i < m->stages; i++) {
    const double *from = y; // the first term is added to y, the others to z
    for (int j = 0; j < i; j++) {
      double a = h * m->a[i][j];
      if (a == 0) continue;
      const double *kj = k + (size_t)j * n;
      for (uint32_t e = 0; e < n; e++) z[e] = from[e] + a * kj[e];
      from = z;
    }
    if (from == y) memcpy(z, y, n * sizeof *z);
    // a jump at the end of the step belongs to the next one
    double at = t + (m->c[i] == 1 ? h * (1 - 1e-12) : m->c[i] * h);
    if (!p->f(p->self, at, z, k + (size_t)i * n)) return false;
  }
  for (uint32_t e = 0; e < n; e++) {
    double sum = 0;
    for (int i = 0; i < m->stages; i++) sum += m->b[i] * k[(size_t)i * n + e];
    y[e] += h * sum;
  }
  return true;
}

OdeResult ode_solve_fixed(Arena *arena, const OdeProblem *p, const OdeSettings *s, double *y, const OdeObserver *o) {
  const Tableau *m = tableau_of(s->method);
  OdeResult r = {.status = ode_done, .t = s->t0, .smallest = s->step, .largest = s->step, .method = s->method};
  uint32_t n = p->n;
  double *k = arena_array(arena, (size_t)n * (size_t)m->stages, sizeof *k), *z = arena_array(arena, n, sizeof *z);
  double *old = arena_array(arena, n, sizeof *old);
  if (!k || !z || !old) {
    r.status = ode_no_memory;
    return r;
  }
  if (!o->row(o->self, s->t0, y)) {
    r.status = ode_stopped;
    return r;
  }
  uint64_t rows = ode_row_count(s);
  for (uint64_t row = 1; row < rows; row++) {
    double from = ode_row_time(s, row - 1), to = ode_row_time(s, row);
    double count = ceil((to - from) / s->step - 1e-9);
    if (count < 1) count = 1;
    for (double i = 0; i < count; i++) {
      double t = from + i * s->step;
      bool last = i + 1 >= count;
      double h = last && fabs(to - t - s->step) > 1e-9 * s->step ? to - t : s->step;
      memcpy(old, y, n * sizeof *old);
      if (!step(m, p, t, h, y, k, z)) {
        memcpy(y, old, n * sizeof *old);
        r.status = ode_not_finite;
        r.t = t;
        return r;
      }
      r.steps++;
      r.evaluations += (uint64_t)m->stages;
      r.t = last ? to : t + h;
      if (h < r.smallest) r.smallest = h;
      if (p->accept) p->accept(p->self, r.t, y);
      if (o->step && !o->step(o->self, r.t, r.steps)) {
        r.status = ode_stopped;
        return r;
      }
      if (r.steps >= s->most_steps) {
        r.status = ode_many_steps;
        return r;
      }
    }
    if (!o->row(o->self, to, y)) {
      r.status = ode_stopped;
      return r;
    }
  }
  return r;
}

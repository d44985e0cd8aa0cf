// Levenberg and Marquardt's method. See lm.h.
#include "fit/lm.h"

#include "fit/least.h"

#include <string.h>

bool lm_init(Lm *m, FitProblem *f) {
  size_t n = f->points, k = f->k;
  *m = (Lm){.f = f};
  double **rows[] = {&m->r, &m->try_r}, **wide[] = {&m->slopes, &m->try_slopes},
         **narrow[] = {&m->d, &m->damping, &m->x, &m->trial};
  for (int i = 0; i < 2; i++) *rows[i] = arena_array(f->arena, n + 1, sizeof(double));
  for (int i = 0; i < 2; i++) *wide[i] = arena_array(f->arena, (n + 1) * k, sizeof(double));
  for (int i = 0; i < 4; i++) *narrow[i] = arena_array(f->arena, k, sizeof(double));
  m->q = arena_array(f->arena, n + 1, sizeof *m->q);
  m->R = arena_array(f->arena, k * k, sizeof *m->R);
  m->room = arena_array(f->arena, k * (3 * k + 2), sizeof *m->room);
  m->free = arena_array(f->arena, k, sizeof *m->free);
  return !arena_failed(f->arena);
}

// R and Q'r of the slopes at hand; the gradient is R' Q'r.
static void reduce(Lm *m) {
  uint32_t k = m->f->k;
  memcpy(m->q, m->r, m->f->points * sizeof *m->r);
  least_reduce(m->slopes, m->q, m->f->points, k, m->R);
  for (uint32_t j = 0; j < k; j++) {
    double length = 0;
    for (uint32_t i = 0; i <= j; i++) length = hypot(length, m->R[(size_t)i * k + j]);
    m->d[j] = fmax(m->d[j], length);
  }
}

static double gradient(const Lm *m, uint32_t j) {
  double g = 0;
  for (uint32_t i = 0; i <= j; i++) g += m->R[(size_t)i * m->f->k + j] * m->q[i];
  return g;
}

// Unknowns that may move: not those that a bound holds against their gradient.
static void find_free(Lm *m, const double *u, const bool *fixed) {
  for (uint32_t j = 0; j < m->f->k; j++) {
    double g = gradient(m, j);
    bool held = (u[j] <= m->f->least[j] && g > 0) || (u[j] >= m->f->most[j] && g < 0);
    m->free[j] = !held && !(fixed && fixed[j]);
  }
}

// |r|^2 - |r + J x|^2, of R and Q'r.
static double promised(const Lm *m) {
  uint32_t k = m->f->k;
  double gain = 0;
  for (uint32_t i = 0; i < k; i++) {
    double v = m->q[i];
    for (uint32_t j = i; j < k; j++) v += m->R[(size_t)i * k + j] * m->x[j];
    gain += (m->q[i] - v) * (m->q[i] + v);
  }
  return gain;
}

// The trial point, inside the box; x becomes the step that is really taken. Returns its size relative to u.
static double step_to(Lm *m, const double *u) {
  double size = 0;
  for (uint32_t j = 0; j < m->f->k; j++) {
    m->trial[j] = fmin(fmax(u[j] + m->x[j], m->f->least[j]), m->f->most[j]);
    m->x[j] = m->trial[j] - u[j];
    size = fmax(size, fabs(m->x[j]) / fmax(fabs(u[j]), 1e-3 * m->f->unknowns[j].size));
  }
  return size;
}

static void take_trial(Lm *m, double *u) {
  double *r = m->r, *s = m->slopes;
  memcpy(u, m->trial, m->f->k * sizeof *u);
  m->r = m->try_r, m->try_r = r;
  m->slopes = m->try_slopes, m->try_slopes = s;
}

static LmStatus failure_of(const Lm *m) {
  if (arena_failed(m->f->arena)) return lm_no_memory;
  return fit_interrupted(m->f) ? lm_interrupted : lm_failed;
}

LmResult lm_run(Lm *m, double *u, const LmSettings *s) {
  FitProblem *f = m->f;
  LmResult out = {.status = lm_many, .cost = INFINITY};
  double lambda = 1e-3, grow = 2;
  memset(m->d, 0, f->k * sizeof *m->d);
  if (!fit_residuals(f, u, m->r, m->slopes)) {
    out.status = failure_of(m);
    return out;
  }
  out.cost = fit_cost(m->r, f->points);
  reduce(m);
  while (out.steps < s->most) {
    find_free(m, u, s->fixed);
    for (uint32_t j = 0; j < f->k; j++) m->damping[j] = sqrt(lambda) * (m->d[j] > 0 ? m->d[j] : 1);
    least_damped(m->R, m->q, m->damping, m->free, f->k, m->x, m->room);
    double size = step_to(m, u), promise = promised(m);
    if (!(promise > s->gain * out.cost) && size < 1e-3) { // nothing is promised
      out.status = lm_found;
      break;
    }
    if (lambda > 1e16 || size == 0) { // no step, however short, leads down: rounding
      out.status = lm_found;
      break;
    }
    out.steps++;
    bool ok = fit_residuals(f, m->trial, m->try_r, m->try_slopes);
    if (!ok && failure_of(m) != lm_failed) {
      out.status = failure_of(m);
      break;
    }
    double cost = ok ? fit_cost(m->try_r, f->points) : INFINITY, gain = out.cost - cost;
    if (!(gain > 0)) {
      if (size < s->step && ok) {
        out.status = lm_found;
        break;
      }
      lambda *= grow;
      grow *= 2;
      continue;
    }
    double ratio = gain / promise, by = 2 * ratio - 1;
    lambda *= fmax(1.0 / 9, 1 - by * by * by);
    grow = 2;
    take_trial(m, u);
    out.cost = cost;
    reduce(m);
    if (size < s->step && gain < s->gain * cost) {
      out.status = lm_found;
      break;
    }
  }
  return out;
}

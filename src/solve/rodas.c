// rodas: a stiffly accurate Rosenbrock method of order 5 (Rodas5P) with the exact Jacobian and dense output.
//
// in    y' = f(t, y), J = df/dy, df/dt, tolerances
// out   rows at the asked times
//
//   (1/(gamma h) - J) u_i = f(t + alpha_i h, y + sum_j a_ij u_j) + sum_j c_ij/h u_j + h gamma_i df/dt,   i = 1 .. 8
//   y+ = y + sum_j a_8j u_j + u_8,   error = u_8, and that of the dense output by its defect in the middle
//
// (Hairer, Wanner, Solving Ordinary Differential Equations II, IV.7). No iteration: eight solves with one factorization
// a step. The quadratures depend on the checked components but nothing depends on them, so 1/(gamma h) - J is block
// triangular: the factors are those of the checked part, and the rest follows by substitution. They are taken in units
// of the sizes of the components (powers of two, so nothing is rounded): elimination compares rows, and volts are no
// coulombs.
#include "solve/linear.h"
#include "solve/rodas_table.h"
#include "solve/steps.h"

#include <string.h>

enum { stages = 8 };

struct Rodas {
  OdeRun *u;
  const OdeJacobian *j;
  uint32_t n, m; // all components; the checked ones
  Linear w;
  double *entries; // of the Jacobian
  double *f0, *dfdt, *next, *z, *defect;
  double *unit, *per_unit; // of the checked components, and their inverses
  double *k[stages];
  double *dense[3];
};

Rodas *rodas_new(OdeRun *u) {
  Rodas *x = arena_new_of(u->arena, Rodas);
  if (!x || !u->p->jacobian) return NULL;
  *x = (Rodas){.u = u, .n = u->p->n, .m = u->p->checked, .j = u->p->jacobian(u->p->self)};
  if (!x->j || !linear_init(&x->w, u->arena, x->m)) return NULL;
  x->entries = arena_array(u->arena, x->j->count, sizeof(double));
  double **vectors[] = {&x->f0, &x->dfdt, &x->next, &x->z, &x->defect, &x->unit, &x->per_unit};
  for (int i = 0; i < 7; i++) *vectors[i] = arena_array(u->arena, x->n, sizeof(double));
  for (int i = 0; i < stages; i++) x->k[i] = arena_array(u->arena, x->n, sizeof(double));
  for (int i = 0; i < 3; i++) x->dense[i] = arena_array(u->arena, x->n, sizeof(double));
  return arena_failed(u->arena) ? NULL : x;
}

// f, J and df/dt at the start of a step. False: f is not finite.
static bool look(Rodas *x) {
  OdeRun *u = x->u;
  const OdeJacobian *j = x->j;
  if (!ode_evaluate(u, u->r.t, u->y, x->f0)) return false;
  j->eval(u->p->self, u->r.t, u->y, x->entries);
  u->r.jacobians++;
  memset(x->dfdt, 0, x->n * sizeof *x->dfdt);
  for (uint32_t k = j->start[x->m]; k < j->start[x->m + 1]; k++) x->dfdt[j->row[k]] = x->entries[k];
  return true;
}

// The units of components that have none: what others bring to them in a step. True: some were found.
static bool bring_units(Rodas *x, double h) {
  const OdeJacobian *j = x->j;
  double *brought = x->per_unit;
  bool found = false;
  memset(brought, 0, x->m * sizeof *brought);
  for (uint32_t c = 0; c < x->m; c++) {
    for (uint32_t k = j->start[c]; k < j->start[c + 1]; k++) {
      if (j->row[k] < x->m) brought[j->row[k]] += fabs(x->entries[k]) * x->unit[c];
    }
  }
  for (uint32_t e = 0; e < x->m; e++) {
    if (x->unit[e] == 0) x->unit[e] = ode_unit(h * brought[e], 0, 0);
    else continue;
    found = found || x->unit[e] > 0;
  }
  return found;
}

// The unit of a component: its size, or what it moves by in a step, or what others bring to it, from one to the next.
// One that nothing reaches has the smallest: nobody compares with it.
static void set_units(Rodas *x, double h) {
  const double *y = x->u->y, *seen = x->u->scales->seen;
  double least = INFINITY;
  bool all = true;
  for (uint32_t e = 0; e < x->m; e++) {
    x->unit[e] = ode_unit(fabs(y[e]), seen[e], h * fabs(x->f0[e]));
    all = all && x->unit[e] > 0;
  }
  for (int pass = 0; !all && pass < ode_unit_passes && bring_units(x, h); pass++) continue;
  for (uint32_t e = 0; e < x->m; e++) least = x->unit[e] > 0 && x->unit[e] < least ? x->unit[e] : least;
  for (uint32_t e = 0; e < x->m; e++) {
    if (x->unit[e] == 0) x->unit[e] = least < INFINITY ? least : 1;
    x->per_unit[e] = 1 / x->unit[e];
  }
}

// The factors of 1/(gamma h) - J, checked part.
static bool factor(Rodas *x, double h) {
  const OdeJacobian *j = x->j;
  uint32_t m = x->m;
  double *a = x->w.a;
  set_units(x, h);
  memset(a, 0, (size_t)m * m * sizeof *a);
  for (uint32_t c = 0; c < m; c++) {
    for (uint32_t k = j->start[c]; k < j->start[c + 1]; k++) {
      if (j->row[k] < m) a[(size_t)c * m + j->row[k]] = -x->entries[k] * x->unit[c] * x->per_unit[j->row[k]];
    }
    a[(size_t)c * m + c] += 1 / (rodas_gamma * h);
  }
  x->u->r.factorizations++;
  return linear_factor(&x->w);
}

// b := (1/(gamma h) - J)^-1 b
static void solve(Rodas *x, double h, double *b) {
  const OdeJacobian *j = x->j;
  for (uint32_t e = 0; e < x->m; e++) b[e] *= x->per_unit[e];
  linear_solve(&x->w, b);
  for (uint32_t e = 0; e < x->m; e++) b[e] *= x->unit[e];
  if (x->n == x->m) return;
  for (uint32_t c = 0; c < x->m; c++) {
    for (uint32_t k = j->start[c]; k < j->start[c + 1]; k++) {
      if (j->row[k] >= x->m) b[j->row[k]] += x->entries[k] * b[c];
    }
  }
  for (uint32_t e = x->m; e < x->n; e++) b[e] *= rodas_gamma * h;
}

static double norm(const Rodas *x, const double *d) {
  double sum = 0;
  for (uint32_t e = 0; e < x->m; e++) {
    double c = d[e] / ode_tolerance(x->u, e, x->u->y[e], x->next[e]);
    x->u->scaled[e] = fabs(c);
    sum += c * c;
  }
  return x->m ? sqrt(sum / x->m) : 0;
}

// The continuous extension z at t + a h.
static void dense_at(Rodas *x, double a) {
  double b = 1 - a;
  for (uint32_t e = 0; e < x->n; e++) {
    double inner = x->dense[0][e] + a * (x->dense[1][e] + a * x->dense[2][e]);
    x->z[e] = b * x->u->y[e] + a * (x->next[e] + b * inner);
  }
}

// The error of the continuous extension in the middle of the step, by its defect d = f(z) - z': (1/(gamma h) - J)^-1 d
// is the error of z itself where the motion is stiff, and the defect times a part of the step where it is not.
static bool dense_error(Rodas *x, double t, double h, double *err) {
  for (int i = 0; i < 3; i++) {
    memset(x->dense[i], 0, x->n * sizeof(double));
    for (int l = 0; l < stages; l++) {
      for (uint32_t e = 0; e < x->n; e++) x->dense[i][e] += rodas_dense[i][l] * x->k[l][e];
    }
  }
  dense_at(x, 0.5);
  double *d = x->defect;
  if (!ode_evaluate(x->u, t + 0.5 * h, x->z, d)) return false;
  for (uint32_t e = 0; e < x->n; e++) d[e] -= (x->next[e] - x->u->y[e] + 0.25 * (x->dense[1][e] + x->dense[2][e])) / h;
  solve(x, h, d);
  *err = norm(x, d);
  return isfinite(*err);
}

// One trial step. False: not finite.
static bool try_step(Rodas *x, double t, double h, double *err) {
  OdeRun *u = x->u;
  uint32_t n = x->n;
  for (int i = 0; i < stages; i++) {
    double *k = x->k[i], *z = i + 1 == stages ? x->next : x->z, slope = h * rodas_slope[i];
    if (i == 0) {
      memcpy(k, x->f0, n * sizeof *k);
    } else {
      memcpy(z, u->y, n * sizeof *z);
      for (int l = 0; l < i; l++) {
        for (uint32_t e = 0; e < n; e++) z[e] += rodas_a[i][l] * x->k[l][e];
      }
      if (!ode_evaluate(u, t + rodas_time[i] * h, z, k)) return false;
    }
    for (int l = 0; l < i; l++) {
      double c = rodas_c[i][l] / h;
      for (uint32_t e = 0; e < n; e++) k[e] += c * x->k[l][e];
    }
    for (uint32_t e = 0; slope != 0 && e < n; e++) k[e] += slope * x->dfdt[e];
    solve(x, h, k);
  }
  for (uint32_t e = 0; e < n; e++) x->next[e] += x->k[stages - 1][e];
  *err = norm(x, x->k[stages - 1]);
  if (!isfinite(*err)) return false;
  double inside;
  if (*err > 1) return true;
  if (!dense_error(x, t, h, &inside)) return false;
  *err = fmax(*err, inside / ODE_DENSE_FACTOR);
  return true;
}

// Rows inside the step from t to t_next; false: stopped, or off the manifold.
static bool put_rows(Rodas *x, double t, double t_next) {
  OdeRun *u = x->u;
  if (u->row >= u->rows || ode_row_time(u->s, u->row) >= t_next) return true;
  for (; u->row < u->rows && ode_row_time(u->s, u->row) < t_next; u->row++) {
    double due = ode_row_time(u->s, u->row);
    dense_at(x, (due - t) / u->h);
    if (ode_project(u->p, due, x->z) == projection_failed) return false;
    if (u->o->row(u->o->self, due, x->z)) continue;
    u->r.status = ode_stopped;
    return false;
  }
  return true;
}

static void dense_part(void *self, double part, double *y) {
  Rodas *x = self;
  dense_at(x, part);
  memcpy(y, x->z, x->n * sizeof *y);
}

static bool reach(void *self, double at, double *y) {
  Rodas *x = self;
  double t = x->u->r.t, err = 0;
  if (!factor(x, at - t) || !try_step(x, t, at - t, &err)) return false;
  x->u->cut_error = err;
  if (err > 1 && !dense_error(x, t, at - t, &err)) return false;
  if (ode_project(x->u->p, at, x->next) == projection_failed) return false;
  if (y != x->next) memcpy(y, x->next, x->n * sizeof *y);
  return true;
}

// Events of the step, and its record. False: outside the domain.
static bool look_inside(Rodas *x, double t, double *t_next) {
  OdeRun *u = x->u;
  const OdeEvents *e = u->p->events;
  if (u->search && !ode_find_event(u, t, t_next, dense_part, reach, x, x->next)) return false;
  if (ode_cut_is_wrong(u)) return false;
  if (!e->record || *t_next <= t || e->record(e->self, t, *t_next, dense_part, x)) return true;
  u->r.status = ode_no_memory;
  return false;
}

// The row sum norm of J, at least the size of its largest eigenvalue. next: room
static double jacobian_norm(const Rodas *x) {
  double *sum = x->next, largest = 0;
  memset(sum, 0, x->m * sizeof *sum);
  for (uint32_t k = 0; k < x->j->start[x->m]; k++) {
    if (x->j->row[k] < x->m) sum[x->j->row[k]] += fabs(x->entries[k]);
  }
  for (uint32_t e = 0; e < x->m; e++) largest = fmax(largest, sum[e]);
  return largest;
}

// What a trial step teaches. Rounding of f counts as the solution of the step's equations with it: a stiff component
// hardly feels it. The stages are no longer needed.
static void learn(Rodas *x, int lesson) {
  OdeRun *u = x->u;
  double *noise = x->k[1], *d = x->k[2], *moved = x->k[3];
  if (!lesson) return;
  memset(noise, 0, x->m * sizeof *noise);
  memset(moved, 0, x->m * sizeof *moved);
  for (int round = 0; (lesson & lesson_rounding) && round < ode_shakes; round++) {
    if (!ode_shake(u, x->z, d, round)) continue;
    for (uint32_t e = 0; e < x->n; e++) d[e] -= x->f0[e];
    for (uint32_t e = 0; e < x->m; e++) moved[e] = fmax(moved[e], fabs(d[e]));
    solve(x, u->h, d);
    for (uint32_t e = 0; e < x->m; e++) {
      double size = ODE_NOISE_FACTOR * fabs(d[e]);
      if (size > noise[e]) noise[e] = size;
    }
  }
  if ((lesson & lesson_rounding) && ode_too_steep(u, x->f0, moved, x->z, d)) memset(noise, 0, x->m * sizeof *noise);
  const OdeEvents *events = u->p->events;
  if ((lesson & lesson_rounding) && events && events->blur) {
    memset(d, 0, x->n * sizeof *d);
    events->blur(events->self, u->r.t, u->y, d);
    solve(x, u->h, d);
    double grow = fmax(1, 1e-3 * (u->s->t1 - u->s->t0) / u->h); // steps will grow, where nothing else holds them
    for (uint32_t e = 0; e < x->m; e++) noise[e] = fmax(noise[e], ODE_NOISE_FACTOR * grow * fabs(d[e]));
  }
  ode_learn(u, lesson, x->next, noise);
}

void rodas_drive(Rodas *x) {
  OdeRun *u = x->u;
  const OdeSettings *s = u->s;
  bool rejected = false, ends;
  double old_h = 0, old_err = 0;
  uint64_t taken = 0;
  uint32_t calm = 0;
  while (u->r.t < s->t1) {
    double t = u->r.t;
    if (!look(x)) {
      u->r.status = ode_not_finite;
      return;
    }
    if (!(u->h > 0)) u->h = ode_first_step(u, x->f0, x->z, x->k[1], 4);
    calm = s->automatic && u->h * jacobian_norm(x) < 2 ? calm + 1 : 0;
    double err;
    while (true) {
      if (!ode_begin_step(u, rejected, &ends)) return;
      bool finite = factor(x, u->h) && try_step(x, t, u->h, &err);
      if (finite && err <= 1) break;
      if (finite) learn(x, ode_judge(u, ode_worst(u)));
      u->h *= finite ? fmax(0.2, 0.9 * pow(err, -0.2)) : 0.1;
      u->r.rejected++;
      rejected = finite;
    }
    double t_next = ends ? u->stop : t + u->h;
    if (ode_project(u->p, t_next, x->next) == projection_failed || (u->p->events && !look_inside(x, t, &t_next)) ||
        !put_rows(x, t, t_next)) {
      if (u->r.status != ode_done) return;
      u->h *= 0.1;
      u->r.rejected++;
      continue;
    }
    learn(x, ode_judge_good(u));
    memcpy(u->y, x->next, x->n * sizeof *u->y);
    if (!ode_end_step(u, t_next, ends)) return;
    if (u->anew) { // the step size of the other side is found anew
      u->h = old_h = 0;
      u->last_event = u->r.t;
      rejected = false;
      continue;
    }
    // the next step: by the error, and by its trend (Gustafsson)
    double grow = err > 0 ? 0.9 * pow(err, -0.2) : 6;
    if (old_h > 0 && err > 0) grow = fmin(grow, 0.9 * u->h / old_h * pow(old_err / (err * err), 0.2));
    grow = fmin(6, fmax(0.2, grow));
    if (rejected) grow = fmin(grow, 1);
    rejected = false;
    old_h = u->h;
    old_err = fmax(err, 1e-2);
    u->h *= grow;
    if (s->automatic && !ends && ode_wants_back(u, ++taken, calm)) {
      u->change = true;
      return;
    }
  }
}

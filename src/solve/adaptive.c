// Adaptive explicit Runge-Kutta methods with dense output: dopri5 (Dormand and Prince 5(4)) and dop853 (8(5,3)).
//
// in    y' = f(t, y), tolerances
// out   rows at the asked times, by the method's continuous extension
//
// A step is accepted when err <= 1, err the root mean square of error_i / (atol + rtol max(|y_i|, |y+_i|)) over the
// checked components. The next step is h fac, fac = 0.9 err^(-1/q) damped by the error before (Hairer, Norsett, Wanner,
// II.4), within [0.2, 10] (0.33 .. 6 for dop853).
//
// Stiffness (Hairer, Wanner, Solving Ordinary Differential Equations II, IV.2): the last two stages lie at the same
// time, so h |f(next) - f(z)| / |next - z| estimates h times the largest eigenvalue. It is kept well inside the
// stability region (at two thirds of its edge, 6.1 and 3.3), where fast modes die out instead of ringing at the size of
// the tolerance. Where that holds the step for long, or the error of a dead mode does (ode_is_pressed), and the method
// may change, rodas is asked for.
#include "solve/steps.h"

#include "solve/dop853_table.h"
#include "solve/dopri5_table.h"

#include <string.h>

enum { most_stages = 16 };

struct Explicit {
  OdeRun *u;
  uint32_t n;
  double *y, *next, *z;
  double *k[most_stages];
  double *dense[8];  // coefficients of the continuous extension
  bool blurred;      // it was too bad for events
  uint32_t halvings; // of the step because of it
  double moved;      // the last step against the size of y
};
typedef struct Explicit Adaptive;

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

static bool evaluate(Adaptive *a, double t, const double *y, double *dydt) { return ode_evaluate(a->u, t, y, dydt); }

static double scale(const Adaptive *a, uint32_t e) { return ode_tolerance(a->u, e, a->y[e], a->next[e]); }

// ---- dopri5

// One trial step; k[0] is f at its start. False: not finite.
static bool try_dopri5(Adaptive *a, double t, double h, double *err) {
  for (int i = 1; i < 7; i++) {
    double *z = i == 6 ? a->next : a->z;
    combine(a, z, h, a5[i], i);
    if (!evaluate(a, t + c5[i] * h, z, a->k[i])) return false;
  }
  double sum = 0;
  for (uint32_t e = 0; e < a->u->p->checked; e++) {
    double d = 0;
    for (int i = 0; i < 7; i++) d += e5[i] * a->k[i][e];
    d *= h / scale(a, e);
    a->u->scaled[e] = fabs(d);
    sum += d * d;
  }
  *err = a->u->p->checked ? sqrt(sum / a->u->p->checked) : 0;
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
  for (uint32_t e = 0; e < a->u->p->checked; e++) {
    double d5sum = 0, d3sum = 0;
    for (int i = 0; i < 12; i++) {
      d5sum += e5_853[i] * a->k[i][e];
      d3sum += (a853[12][i] - b3_853[i]) * a->k[i][e];
    }
    double sc = scale(a, e);
    a->u->scaled[e] = fabs(h * d5sum / sc);
    five += d5sum / sc * (d5sum / sc);
    three += d3sum / sc * (d3sum / sc);
  }
  double bottom = five + 0.01 * three;
  if (bottom <= 0) bottom = 1;
  *err = a->u->p->checked ? fabs(h) * five / sqrt(bottom * a->u->p->checked) : 0;
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

Explicit *explicit_new(OdeRun *u) {
  Adaptive *a = arena_new_of(u->arena, Explicit);
  if (!a) return NULL;
  uint32_t n = u->p->n;
  *a = (Adaptive){.u = u, .n = n, .y = u->y};
  a->next = arena_array(u->arena, n, sizeof(double));
  a->z = arena_array(u->arena, n, sizeof(double));
  for (int i = 0; i < most_stages; i++) a->k[i] = arena_array(u->arena, n, sizeof(double));
  for (int i = 0; i < 8; i++) a->dense[i] = arena_array(u->arena, n, sizeof(double));
  return arena_failed(u->arena) ? NULL : a;
}

// h times the size of the largest eigenvalue, seen from the last two stages.
static double stiffness(Adaptive *a, double h, int last) {
  double above = 0, below = 0, moved = 0, size = 0;
  for (uint32_t e = 0; e < a->u->p->checked; e++) {
    double sc = scale(a, e), df = (a->k[last][e] - a->k[last - 1][e]) / sc, dy = (a->next[e] - a->z[e]) / sc;
    double by = (a->next[e] - a->y[e]) / sc, y = a->y[e] / sc;
    above += df * df;
    below += dy * dy;
    moved += by * by;
    size += y * y;
  }
  a->moved = size > 0 ? sqrt(moved / size) : 1;
  return below > 0 ? h * sqrt(above / below) : 0;
}

// How far the continuous extension is from the motion: h (p' - f(p)) in the middle of the step, in tolerances, the
// largest component. It grows with the stiffness of a component, which the error of the step itself does not see.
static double defect(Adaptive *a, double t, double h, int terms) {
  // rooms that the continuous extension does not read: it may be made once more in this step
  double *z = a->z, *slope = a->k[1], *rates = terms < 8 ? a->dense[7] : a->k[2];
  const double x = 0.5, y = 0.5;
  for (uint32_t e = 0; e < a->n; e++) {
    // the nested form and its derivative, from the inside; factors x and 1 - x alternate, x outermost
    double v = a->dense[terms - 1][e], d = 0;
    for (int i = terms - 2; i >= 0; i--) {
      double factor = i % 2 ? y : x, sign = i % 2 ? -1 : 1;
      d = sign * v + factor * d;
      v = a->dense[i][e] + factor * v;
    }
    z[e] = v;
    slope[e] = d;
  }
  if (!evaluate(a, t + x * h, z, rates)) return INFINITY;
  double worst = 0;
  for (uint32_t e = 0; e < a->u->p->checked; e++) worst = fmax(worst, fabs(slope[e] - h * rates[e]) / scale(a, e));
  return worst;
}

// The end of the step goes onto the manifold, and f there is taken again. False: outside the domain.
static bool project(Adaptive *a, double t_next) {
  OdeProjection seen = ode_project(a->u->p, t_next, a->next);
  if (seen != projection_moved) return seen == projection_none;
  return evaluate(a, t_next, a->next, a->k[a->u->s->method == ode_dop853 ? 12 : 6]);
}

// Where the continuous extension is far worse than the step, rows are made by steps of their own.
static bool put_rows_by_steps(Adaptive *a, double t, double t_next, int last) {
  OdeRun *u = a->u;
  bool eight = u->s->method == ode_dop853, ok = true;
  memcpy(a->dense[0], a->next, a->n * sizeof(double));
  memcpy(a->dense[1], a->k[last], a->n * sizeof(double));
  for (; ok && u->row < u->rows && ode_row_time(u->s, u->row) < t_next; u->row++) {
    double due = ode_row_time(u->s, u->row), err;
    ok = eight ? try_dop853(a, t, due - t, &err) : try_dopri5(a, t, due - t, &err);
    ok = ok && ode_project(u->p, due, a->next) != projection_failed;
    if (!ok || u->o->row(u->o->self, due, a->next)) continue;
    u->r.status = ode_stopped;
    ok = false;
  }
  memcpy(a->next, a->dense[0], a->n * sizeof(double));
  memcpy(a->k[last], a->dense[1], a->n * sizeof(double));
  return ok;
}

// What a trial step teaches. The inner stages are no longer needed.
static void learn(Adaptive *a, int lesson) {
  OdeRun *u = a->u;
  uint32_t m = u->p->checked;
  double *noise = a->k[2];
  if (!lesson) return;
  memset(noise, 0, m * sizeof *noise);
  for (int round = 0; (lesson & lesson_rounding) && round < ode_shakes; round++) {
    if (!ode_shake(u, a->z, a->k[1], round)) continue;
    for (uint32_t e = 0; e < m; e++) {
      double d = fabs(a->k[1][e] - a->k[0][e]);
      if (d > noise[e]) noise[e] = d;
    }
  }
  double part =
      (lesson & lesson_rounding) && ode_too_steep(u, a->k[0], noise, a->z, a->k[1]) ? 0 : ODE_NOISE_FACTOR * u->h;
  for (uint32_t e = 0; e < m; e++) noise[e] *= part;
  const OdeEvents *events = u->p->events;
  double span = u->h;
  if ((lesson & lesson_rounding) && events && events->blur) {
    events->blur(events->self, u->r.t, u->y, a->k[1]);
    span = fmax(u->h, 1e-3 * (u->s->t1 - u->s->t0)); // steps will grow, where nothing else holds them
    for (uint32_t e = 0; e < m; e++) noise[e] = fmax(noise[e], ODE_NOISE_FACTOR * span * a->k[1][e]);
  }
  // the noise of a velocity is felt by its place
  memcpy(a->z, a->y, a->n * sizeof *a->z);
  for (uint32_t e = 0; e < m; e++) a->z[e] += noise[e];
  if (part > 0 && (lesson & lesson_rounding) && evaluate(a, u->r.t, a->z, a->k[1])) {
    for (uint32_t e = 0; e < m; e++) {
      double d = (ode_kind(u->p, e) == 0 ? span : u->h) * fabs(a->k[1][e] - a->k[0][e]);
      if (d > noise[e]) noise[e] = d;
    }
  }
  ode_learn(u, lesson, a->next, noise);
}

// Rows inside the step from t to t_next. False: outside the domain, or stopped.
static bool put_rows(Adaptive *a, double t, double t_next, int last) {
  OdeRun *u = a->u;
  if (u->row >= u->rows || ode_row_time(u->s, u->row) >= t_next) return true;
  bool eight = u->s->method == ode_dop853;
  enum { most_defect = 50 };
  if (!eight) extend_dopri5(a, u->h);
  else if (!extend_dop853(a, t, u->h)) return false;
  if (defect(a, t, u->h, eight ? 8 : 5) > most_defect) return put_rows_by_steps(a, t, t_next, last);
  for (; u->row < u->rows && ode_row_time(u->s, u->row) < t_next; u->row++) {
    double due = ode_row_time(u->s, u->row), x = (due - t) / u->h;
    if (eight) dense_dop853(a, x, a->z);
    else dense_dopri5(a, x, a->z);
    if (ode_project(u->p, due, a->z) == projection_failed) return false;
    if (u->o->row(u->o->self, due, a->z)) continue;
    u->r.status = ode_stopped;
    return false;
  }
  return true;
}

// ---- events

static void dense_at(void *self, double part, double *y) {
  Adaptive *a = self;
  if (a->u->s->method == ode_dop853) dense_dop853(a, part, y);
  else dense_dopri5(a, part, y);
}

static bool extend(Adaptive *a, double t) {
  if (a->u->s->method == ode_dop853) return extend_dop853(a, t, a->u->h);
  extend_dopri5(a, a->u->h);
  return true;
}

// A step to `at`, with all its stages.
static bool reach(void *self, double at, double *y) {
  Adaptive *a = self;
  double t = a->u->r.t, err = 0;
  bool eight = a->u->s->method == ode_dop853;
  if (!(eight ? try_dop853(a, t, at - t, &err) : try_dopri5(a, t, at - t, &err))) return false;
  if (eight && err > 1 && !evaluate(a, at, a->next, a->k[12])) return false;
  a->u->cut_error = err;
  if (!project(a, at)) return false;
  if (y != a->next) memcpy(y, a->next, a->n * sizeof *y);
  return true;
}

// Events of the step, and its record. False: outside the domain.
static bool look_inside(Adaptive *a, double t, double *t_next) {
  OdeRun *u = a->u;
  const OdeEvents *e = u->p->events;
  enum { most_defect = 1000, most_halvings = 8 };
  if (!extend(a, t)) return false;
  // events are looked for on the continuous extension: where it is far worse than the step, shorter ones
  a->blurred =
      u->search && a->halvings < most_halvings && defect(a, t, u->h, u->s->method == ode_dop853 ? 8 : 5) > most_defect;
  a->halvings = a->blurred ? a->halvings + 1 : 0;
  if (a->blurred) return false;
  if (u->search && !ode_find_event(u, t, t_next, dense_at, reach, a, a->next)) return false;
  if (ode_cut_is_wrong(u)) return false;
  if (!e->record || *t_next <= t) return true;
  if (u->event && !extend(a, t)) return false;
  if (e->record(e->self, t, *t_next, dense_at, a)) return true;
  u->r.status = ode_no_memory;
  return false;
}

void explicit_drive(Explicit *a) {
  OdeRun *u = a->u;
  const OdeSettings *s = u->s;
  bool eight = s->method == ode_dop853;
  int order = eight ? 8 : 5, last = eight ? 12 : 6;
  double shrink = eight ? 1.0 / 3 : 0.2, grow = eight ? 6 : 10, edge = eight ? 4 : 2.2;
  double before = 1e-4;
  uint32_t signs = 0, calm = 0, pressed = 0;
  if (!evaluate(a, u->r.t, a->y, a->k[0])) {
    u->r.status = ode_not_finite;
    return;
  }
  if (!(u->h > 0)) u->h = ode_first_step(u, a->k[0], a->z, a->k[1], eight ? 7 : 4);
  bool rejected = false, ends;
  while (u->r.t < s->t1) {
    if (!ode_begin_step(u, rejected, &ends)) return;
    double err = 0, t = u->r.t;
    bool finite = eight ? try_dop853(a, t, u->h, &err) : try_dopri5(a, t, u->h, &err);
    if (!finite || err > 1) {
      if (finite) learn(a, ode_judge(u, ode_worst(u)));
      // a step that leaves the domain of f is tried again, much smaller
      u->h *= finite ? fmax(shrink, 0.9 * pow(err, -1.0 / order)) : 0.1;
      u->r.rejected++;
      rejected = finite;
      continue;
    }
    double reach = stiffness(a, u->h, last);
    double t_next = ends ? u->stop : t + u->h;
    bool placed = project(a, t_next);
    if (!placed) a->blurred = false;
    if (!placed || (u->p->events && !look_inside(a, t, &t_next)) || !put_rows(a, t, t_next, last)) {
      if (u->r.status != ode_done) return;
      u->h *= a->blurred ? 0.5 : 0.1; // outside the domain inside the step: smaller
      u->r.rejected++;
      continue;
    }
    learn(a, ode_judge_good(u));
    memcpy(a->y, a->next, a->n * sizeof *a->y);
    double *swap = a->k[0];
    a->k[0] = a->k[last];
    a->k[last] = swap;
    if (!ode_end_step(u, t_next, ends)) return;
    if (u->anew) {
      if (!evaluate(a, u->r.t, a->y, a->k[0])) {
        u->r.status = ode_not_finite;
        return;
      }
      u->h = ode_after_event(u, ode_first_step(u, a->k[0], a->z, a->k[1], eight ? 7 : 4));
      before = 1e-4;
      rejected = false;
      continue;
    }
    double beta = eight ? 0 : 0.04, expo = 1.0 / order - beta * 0.75;
    double factor = err > 0 ? 0.9 * pow(err, -expo) * pow(before, beta) : grow;
    factor = fmin(grow, fmax(shrink, factor));
    if (rejected) factor = fmin(factor, 1);
    // stability holds the step where the error would allow a larger one: signs of stiffness in a row, forgotten after
    // some calm steps
    double most = reach > 0 ? edge / reach : grow;
    if (factor > 1.5 * most) {
      calm = 0;
      signs++;
    } else if (++calm == 6) {
      signs = 0;
    }
    if (factor > most) factor = fmax(most, shrink);
    pressed = ode_is_pressed(reach, a->moved) ? pressed + 1 : 0;
    bool stiff = signs >= u->patience || pressed >= ode_pressed_factor * u->patience;
    if (s->automatic && u->p->jacobian && stiff && !ends) {
      u->explicit_h = u->h;
      u->change = true;
      return;
    }
    rejected = false;
    before = fmax(err, 1e-4);
    u->h *= factor;
  }
}

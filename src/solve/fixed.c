// Fixed-step explicit Runge-Kutta methods.
//
//   k_i = f(t + c_i h, y + h sum_j a_ij k_j),   y+ = y + h sum_i b_i k_i
//
// Steps have the size that was asked for; the last one before a row is shortened where the row does not fall on a step.
#include "solve/fixed_table.h"

#include <float.h>
#include <math.h>
#include <string.h>

static bool step(const Tableau *m, const OdeProblem *p, double t, double h, double end, double *y, double *k,
                 double *z) {
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
    double at = m->c[i] == 1 ? end : t + m->c[i] * h;
    if (!p->f(p->self, at, z, k + (size_t)i * n)) return false;
  }
  for (uint32_t e = 0; e < n; e++) {
    double sum = 0;
    for (int i = 0; i < m->stages; i++) sum += m->b[i] * k[(size_t)i * n + e];
    y[e] += h * sum;
  }
  return true;
}

// ---- events inside steps

typedef struct Fixed {
  const Tableau *m;
  const OdeProblem *p;
  const OdeSettings *s;
  const OdeObserver *o;
  OdeResult r;
  uint32_t n;
  double *y, *k, *z, *next, *f0, *f1;
  double h; // of the present step
  EventSearch *search;
  uint32_t next_break;
} Fixed;

// Hermite's cubic; Euler's steps are straight
static void dense(void *self, double a, double *out) {
  Fixed *x = self;
  if (x->m->stages == 1) {
    for (uint32_t e = 0; e < x->n; e++) out[e] = x->y[e] + a * (x->next[e] - x->y[e]);
    return;
  }
  double b = 1 - a, p = b * b * (1 + 2 * a), q = a * a * (3 - 2 * a), u = a * b * b * x->h, v = -a * a * b * x->h;
  for (uint32_t e = 0; e < x->n; e++) out[e] = p * x->y[e] + q * x->next[e] + u * x->f0[e] + v * x->f1[e];
}

static bool reach(void *self, double at, double *y) {
  Fixed *x = self;
  double t = x->r.t, h = at - t;
  memcpy(x->next, x->y, x->n * sizeof *x->next);
  x->r.evaluations += (uint64_t)x->m->stages + 1;
  if (!step(x->m, x->p, t, h, t + h * (1 - 1e-12), x->next, x->k, x->z) ||
      ode_project(x->p, at, x->next) == projection_failed || !x->p->f(x->p->self, at, x->next, x->f1))
    return false;
  memcpy(x->f0, x->k, x->n * sizeof *x->f0);
  x->h = h;
  if (y != x->next) memcpy(y, x->next, x->n * sizeof *y);
  return true;
}

static bool stop_with(Fixed *x, OdeStatus status) {
  x->r.status = status;
  return false;
}

static bool happens(Fixed *x, const uint32_t *ended, uint32_t count) {
  const OdeEvents *e = x->p->events;
  x->r.events++;
  OdeAction action = e->happen(e->self, x->r.t, x->y, ended, count);
  if (action == action_go) return true;
  if (action == action_stop && !x->o->row(x->o->self, x->r.t, x->y)) return stop_with(x, ode_stopped);
  return stop_with(x, action == action_stop ? ode_ended : action == action_fail ? ode_event : ode_no_memory);
}

// From x->r.t to `to`, a step or less; in parts where something happens inside.
static bool advance(Fixed *x, double to) {
  const OdeEvents *e = x->p->events;
  const OdeBreaks *breaks = &x->s->breaks;
  while (true) {
    double t = x->r.t, end = to;
    if (ode_at_break(breaks, &x->next_break, t)) { // the next double belongs to this moment
      x->r.t = ode_pass_break(breaks, &x->next_break);
      if (x->o->jump) x->o->jump(x->o->self, t, x->r.t, x->y);
      if (!happens(x, NULL, 0)) return false;
      continue;
    }
    if (t >= to) return true;
    bool jump = x->next_break < breaks->count && breaks->times[x->next_break] <= to;
    if (jump) end = nextafter(breaks->times[x->next_break], t);
    double next = e->next ? e->next(e->self, t) : INFINITY;
    bool timed = next <= end;
    if (timed) {
      end = next;
      jump = false;
    }
    if (end - t > e->longest) {
      end = t + e->longest;
      jump = timed = false;
    }
    if (x->r.steps >= x->s->most_steps) return stop_with(x, ode_many_steps);
    if (!reach(x, end, x->next)) return stop_with(x, ode_not_finite);
    double at = end;
    bool found = x->search && event_search(x->search, t, x->h, dense, x, &at);
    if (found && at - t <= 4 * DBL_EPSILON * fabs(t)) at = t;
    else if (found && !event_polish(x->search, reach, x, x->next, &at)) return stop_with(x, ode_not_finite);
    else if (x->search && !found) event_none(x->search);
    if (at > t && e->record && !e->record(e->self, t, at, dense, x)) return stop_with(x, ode_no_memory);
    if (at > t) memcpy(x->y, x->next, x->n * sizeof *x->y);
    x->r.t = at;
    x->r.steps++;
    if (at > t && at - t < x->r.smallest) x->r.smallest = at - t;
    uint32_t count = 0;
    const uint32_t *ended = found ? event_ended(x->search, at, x->y, &count) : NULL;
    if (!found && jump) {
      x->r.t = ode_pass_break(breaks, &x->next_break);
      if (x->o->jump) x->o->jump(x->o->self, at, x->r.t, x->y);
    }
    if ((found || jump || timed) && !happens(x, ended, count)) return false;
    if (x->p->accept) x->p->accept(x->p->self, x->r.t, x->y);
    if (x->o->step && !x->o->step(x->o->self, x->r.t, x->y, x->r.steps)) return stop_with(x, ode_stopped);
  }
}

static OdeResult solve_events(Arena *arena, const OdeProblem *p, const OdeSettings *s, double *y,
                              const OdeObserver *o) {
  Fixed fixed = {.m = tableau_of(s->method), .p = p, .s = s, .o = o, .n = p->n, .y = y}, *x = &fixed;
  x->r = (OdeResult){.status = ode_done, .t = s->start, .smallest = s->step, .largest = s->step, .method = s->method};
  double **room[] = {&x->z, &x->next, &x->f0, &x->f1};
  for (int i = 0; i < 4; i++) *room[i] = arena_array(arena, x->n, sizeof(double));
  x->k = arena_array(arena, (size_t)x->n * (size_t)x->m->stages, sizeof *x->k);
  if (p->events->count) x->search = event_search_new(arena, p->events, x->n);
  if (arena_failed(arena)) {
    x->r.status = ode_no_memory;
    return x->r;
  }
  if (!o->row(o->self, s->start, y)) {
    x->r.status = ode_stopped;
    return x->r;
  }
  uint64_t rows = ode_row_count(s);
  for (uint64_t row = 1; row < rows; row++) {
    double from = ode_row_time(s, row - 1), to = ode_row_time(s, row);
    double count = fmax(1, ceil((to - from) / s->step - 1e-9));
    if (to <= s->start) continue; // before the run was held
    for (double i = fmax(1, floor((s->start - from) / s->step + 1.5)); i <= count; i++) {
      if (!advance(x, i < count ? from + i * s->step : to)) return x->r;
    }
    if (!o->row(o->self, to, y)) {
      x->r.status = ode_stopped;
      return x->r;
    }
  }
  return x->r;
}

// ---- plain steps

OdeResult ode_solve_fixed(Arena *arena, const OdeProblem *p, const OdeSettings *s, double *y, const OdeObserver *o) {
  if (p->events && !p->events->by_steps) return solve_events(arena, p, s, y, o);
  const Tableau *m = tableau_of(s->method);
  OdeResult r = {.status = ode_done, .t = s->start, .smallest = s->step, .largest = s->step, .method = s->method};
  uint32_t n = p->n;
  double *k = arena_array(arena, (size_t)n * (size_t)m->stages, sizeof *k), *z = arena_array(arena, n, sizeof *z);
  double *old = arena_array(arena, n, sizeof *old);
  if (!k || !z || !old) {
    r.status = ode_no_memory;
    return r;
  }
  if (!o->row(o->self, s->start, y)) {
    r.status = ode_stopped;
    return r;
  }
  uint64_t rows = ode_row_count(s);
  for (uint64_t row = 1; row < rows; row++) {
    double from = ode_row_time(s, row - 1), to = ode_row_time(s, row);
    double count = ceil((to - from) / s->step - 1e-9);
    if (count < 1) count = 1;
    if (to <= s->start) continue; // before the run was held
    for (double i = fmax(0, round((s->start - from) / s->step)); i < count; i++) {
      double t = from + i * s->step;
      bool last = i + 1 >= count;
      double h = last && fabs(to - t - s->step) > 1e-9 * s->step ? to - t : s->step;
      memcpy(old, y, n * sizeof *old);
      // a jump at the end of the step belongs to the next one
      double end = !s->exact_times ? t + h * (1 - 1e-12) : last ? to : from + (i + 1) * s->step;
      if (!step(m, p, t, h, end, y, k, z) || ode_project(p, last ? to : t + h, y) == projection_failed) {
        memcpy(y, old, n * sizeof *old);
        r.status = ode_not_finite;
        r.t = t;
        return r;
      }
      r.steps++;
      r.evaluations += (uint64_t)m->stages;
      r.t = last ? to : t + h;
      if (h < r.smallest) r.smallest = h;
      OdeAction action = p->events ? p->events->happen(p->events->self, r.t, y, NULL, 0) : action_go;
      if (action != action_go) {
        r.status = action == action_stop ? ode_ended : action == action_fail ? ode_event : ode_no_memory;
        if (action == action_stop && !o->row(o->self, r.t, y)) r.status = ode_stopped;
        return r;
      }
      if (p->accept) p->accept(p->self, r.t, y);
      if (o->step && !o->step(o->self, r.t, y, r.steps)) {
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

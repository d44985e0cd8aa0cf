// One run by the Rosenbrock method rodas (rodas_body.h has its arithmetic). The next step size follows the error and
// its trend (Gustafsson).
#include "solve/adaptive.h"
#include "solve/rodas_body.h"

// ---- rows and events inside a step

// Rows inside the step to t_next. False: stopped, or off the manifold.
static bool put_rows(Adaptive *a, double t_next) {
  OdeRun *u = &a->u;
  Step *w = &a->w;
  if (u->s->idle_rows && !u->p->project) u->row = ode_row_from(u->s, u->row, u->rows, t_next);
  for (; u->row < u->rows && ode_row_inside(ode_row_time(u->s, u->row), t_next); u->row++) {
    double due = ode_row_time(u->s, u->row);
    rodas_dense_at(w, (due - u->r.t) / u->h, w->z);
    if (ode_project(u->p, due, w->z) == projection_failed) return false;
    if (u->o->row(u->o->self, due, w->z)) continue;
    u->r.status = ode_stopped;
    return false;
  }
  return true;
}

static void dense_part(void *self, double part, double *y) {
  Adaptive *a = self;
  rodas_dense_at(&a->w, part, y);
}

static void steady_part(void *self, double part, double *y) {
  Adaptive *a = self;
  rodas_steady_at(&a->w, part, y);
}

// A step to `at`, with its continuous extension.
static bool reach(void *self, double at, double *y) {
  Adaptive *a = self;
  Step *w = &a->w;
  w->h = at - w->t;
  if (!rodas_factor(w, 1) || !rodas_try(w, 1)) return false;
  a->u.cut_error = w->err;
  double inside = 0;
  if (w->err > 1 && !rodas_dense_error(w, 1, &inside)) return false;
  if (ode_project(a->u.p, at, w->next) == projection_failed) return false;
  if (y != w->next) memcpy(y, w->next, w->n * sizeof *y);
  return true;
}

// The step to t_next goes into the record of delays. False: out of memory.
static bool record(Adaptive *a, double t_next) {
  OdeRun *u = &a->u;
  const OdeEvents *e = u->p->events;
  if (!e->record || t_next <= u->r.t || e->record(e->self, u->r.t, t_next, dense_part, a)) return true;
  u->r.status = ode_no_memory;
  return false;
}

// Events of the step, and its record. False: outside the domain.
static bool look_inside(Adaptive *a, double *t_next) {
  OdeRun *u = &a->u;
  if (u->search && !ode_find_event(u, u->r.t, t_next, dense_part, reach, a, a->w.next)) return false;
  return !ode_cut_is_wrong(u) && record(a, *t_next);
}

// ---- steps

// Trial steps from the present state, until one lies within its tolerance; its error. False: the run is over.
static bool try_steps(Adaptive *a, StepControl *c, double *err) {
  OdeRun *u = &a->u;
  Step *w = &a->w;
  while (true) {
    if (!ode_begin_step(u, c->rejected, &c->ends)) return false;
    w->h = u->h;
    bool finite = rodas_factor(w, 1);
    if (finite) rodas_learn(w, 0, ode_judge_ahead(u));
    finite = finite && rodas_try(w, 1);
    *err = w->err;
    if (finite && *err <= 1) return true;
    if (w->matrix.no_memory) {
      u->r.status = ode_no_memory;
      return false;
    }
    if (finite) rodas_learn(w, 0, ode_judge(u, step_worst(w, 0)));
    if (finite) step_remember_failure(w, 0);
    u->h = finite ? ode_retry_rodas(u->h, *err) : u->h * 0.1;
    u->r.rejected++;
    c->rejected = finite;
  }
}

// f and J at the present state, and the first step. False: not finite.
static bool look(Adaptive *a, StepControl *c) {
  OdeRun *u = &a->u;
  Step *w = &a->w;
  w->t = u->r.t;
  if (!rodas_look(w, 1)) {
    u->r.status = ode_not_finite;
    return false;
  }
  if (!(u->h > 0)) step_first(w, 1, w->f0, 4);
  c->quiet = u->s->automatic && u->h * rodas_norm(w) < 2 ? c->quiet + 1 : 0;
  return true;
}

void adaptive_rodas(Adaptive *a) {
  OdeRun *u = &a->u;
  Step *w = &a->w;
  StepControl c = ode_control();
  if (!rodas_init(w)) {
    u->r.status = w->matrix.too_dense ? ode_too_dense : ode_no_memory;
    return;
  }
  while (u->r.t < u->s->t1) {
    double err;
    if (!look(a, &c) || !try_steps(a, &c, &err)) return;
    double t_next = c.ends ? u->stop : u->r.t + u->h;
    bool placed = ode_project(u->p, t_next, w->next) != projection_failed;
    if (!placed || (u->p->events && !look_inside(a, &t_next)) || !put_rows(a, t_next)) {
      if (u->r.status != ode_done) return;
      u->h *= 0.1;
      u->r.rejected++;
      continue;
    }
    if (u->o->span && t_next > u->r.t) u->o->span(u->o->self, u->r.t, t_next, steady_part, a);
    rodas_learn(w, 0, ode_judge_good(u));
    memcpy(w->y, w->next, w->n * sizeof *w->y);
    ode_see_sizes(&w->scales, 1, w->y);
    if (!ode_end_step(u, t_next, c.ends)) return;
    if (u->passed_break) { // the step size of the other side is chosen again
      u->h = c.old_h = 0;
      u->last_event = u->r.t;
      c.rejected = false;
      continue;
    }
    u->change = ode_next_rodas(u, &c, err);
    if (u->change) return;
  }
}

// ---- a lane that is served alone

bool adaptive_rodas_room(Adaptive *a) { return rodas_init(&a->w); }

void adaptive_rodas_dense(void *self, double part, double *y) { dense_part(self, part, y); }

LaneTurn adaptive_rodas_cut(Adaptive *a, double at, bool ends) {
  OdeRun *u = &a->u;
  Step *w = &a->w;
  double t_next = at, tried = u->h;
  if (!ode_reach_event(u, u->r.t, at, &t_next, reach, a, w->next) || ode_cut_is_wrong(u) || !record(a, t_next) ||
      !put_rows(a, t_next)) {
    if (u->r.status != ode_done) return lane_over;
    u->h *= 0.1;
    u->r.rejected++;
    return lane_again;
  }
  if (u->o->span && t_next > u->r.t) u->o->span(u->o->self, u->r.t, t_next, steady_part, a);
  int lesson = ode_judge_good(u);
  if (lesson && !(t_next > u->r.t)) { // no step was made here: the factors are those of the one that was tried
    w->h = tried;
    rodas_factor(w, 1);
    u->r.factorizations--;
  }
  rodas_learn(w, 0, lesson);
  memcpy(w->y, w->next, w->n * sizeof *w->y);
  ode_see_sizes(&w->scales, 1, w->y);
  return ode_end_step(u, t_next, ends) ? lane_goes_on : lane_over;
}

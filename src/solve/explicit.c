// One run by an adaptive explicit Runge-Kutta method (explicit_body.h has its arithmetic).
//
// A step is accepted when err <= 1. The next one is h fac, fac = 0.9 err^(-1/q) damped by the error before (Hairer,
// Norsett, Wanner, II.4), within [0.2, 10] (0.33 .. 6 for dop853). h times the largest eigenvalue is kept well inside
// the stability region (at two thirds of its edge, 6.1 and 3.3), where fast modes die out instead of ringing at the
// size of the tolerance. Where that holds the step for long, or the error of a dead mode does (ode_is_pressed), and the
// method may change, rodas is asked for.
#include "solve/adaptive.h"
#include "solve/explicit_body.h"

// ---- rows inside a step

static bool give_row(Adaptive *a, double due, double *y) {
  OdeRun *u = &a->u;
  if (ode_project(u->p, due, y) == projection_failed) return false;
  if (u->o->row(u->o->self, due, y)) return true;
  u->r.status = ode_stopped;
  return false;
}

static bool row_is_due(const OdeRun *u, double t_next) {
  return u->row < u->rows && ode_row_inside(ode_row_time(u->s, u->row), t_next);
}

// Where the continuous extension is far worse than the step, rows are made by steps of their own.
static bool put_rows_by_steps(Adaptive *a, double t_next) {
  Step *w = &a->w;
  OdeRun *u = &a->u;
  bool ok = true;
  double *f = w->k[ode_explicit(u->s->method)->last];
  memcpy(w->dense[0], w->next, w->n * sizeof(double));
  memcpy(w->dense[1], f, w->n * sizeof(double));
  while (ok && row_is_due(u, t_next)) {
    double due = ode_row_time(u->s, u->row);
    w->h = due - u->r.t;
    ok = explicit_try(w, 1) && give_row(a, due, w->next);
    if (ok) u->row++; // one that failed is due in the smaller step
  }
  memcpy(w->next, w->dense[0], w->n * sizeof(double));
  memcpy(f, w->dense[1], w->n * sizeof(double));
  w->h = u->h;
  return ok;
}

// Rows inside the step to t_next. False: outside the domain, or stopped.
static bool put_rows(Adaptive *a, double t_next) {
  Step *w = &a->w;
  OdeRun *u = &a->u;
  bool idle = u->s->idle_rows && !u->p->project;
  if (!row_is_due(u, t_next)) return true;
  w->h = u->h;
  if (!explicit_extend(w, 1)) return false;
  if (explicit_defect(w, 1) > explicit_row_defect) return put_rows_by_steps(a, t_next);
  if (idle) u->row = ode_row_from(u->s, u->row, u->rows, t_next);
  for (; row_is_due(u, t_next); u->row++) {
    double due = ode_row_time(u->s, u->row);
    explicit_dense(w, (due - u->r.t) / u->h, w->z);
    if (!give_row(a, due, w->z)) return false;
  }
  return true;
}

// ---- the inside of a step

static void dense_at(void *self, double part, double *y) {
  Adaptive *a = self;
  explicit_dense(&a->w, part, y);
}

// The same by a step of its own; beside the start, where it would be too short, a straight line.
static void stepped_at(void *self, double part, double *y) {
  Adaptive *a = self;
  Step *w = &a->w;
  w->h = part * a->u.h;
  unsigned by_kind = w->scales.by_kind; // a trial teaches nothing
  w->scales.by_kind = 0;
  bool finite = part > 1e-9 && explicit_try(w, 1);
  w->scales.by_kind = by_kind;
  if (finite) memcpy(y, w->next, w->n * sizeof *y);
  else
    for (uint32_t e = 0; e < w->n; e++) y[e] = w->y[e] + w->h * w->k[0][e];
}

// Shows the step to t_next to the observer. Where the continuous extension is far worse than the step, by steps.
static void show_span(Adaptive *a, double t_next) {
  Step *w = &a->w;
  OdeRun *u = &a->u;
  if (!u->o->span || !(t_next > u->r.t)) return;
  w->h = u->h;
  double *f = w->k[ode_explicit(u->s->method)->last], err = w->err;
  bool dense = explicit_extend(w, 1) && explicit_defect(w, 1) <= explicit_row_defect;
  if (dense) {
    u->o->span(u->o->self, u->r.t, t_next, dense_at, a);
    return;
  }
  memcpy(w->dense[0], w->next, w->n * sizeof(double));
  memcpy(w->dense[1], f, w->n * sizeof(double));
  u->o->span(u->o->self, u->r.t, t_next, stepped_at, a);
  memcpy(w->next, w->dense[0], w->n * sizeof(double));
  memcpy(f, w->dense[1], w->n * sizeof(double));
  w->h = u->h;
  w->err = err;
}

// ---- events

static bool project_end(Adaptive *a, double t_next) {
  a->w.at = t_next;
  return explicit_project(&a->w, 1);
}

// A step to `at`, with all its stages.
static bool reach(void *self, double at, double *y) {
  Adaptive *a = self;
  Step *w = &a->w;
  w->h = at - w->t;
  if (!explicit_try(w, 1)) return false;
  a->u.cut_error = w->err;
  // dop853 has no f at the end of a step with too large an error
  if (w->s->method == ode_dop853 && w->err > 1 && !step_f(w, 1, &at, w->next, w->k[12])) return false;
  if (!project_end(a, at)) return false;
  if (y != w->next) memcpy(y, w->next, w->n * sizeof *y);
  return true;
}

// The step to t_next goes into the record of delays. False: outside the domain, or out of memory.
static bool record(Adaptive *a, double t_next) {
  OdeRun *u = &a->u;
  const OdeEvents *e = u->p->events;
  if (!e->record || t_next <= u->r.t) return true;
  a->w.h = u->h;
  if (u->event && !explicit_extend(&a->w, 1)) return false;
  if (e->record(e->self, u->r.t, t_next, dense_at, a)) return true;
  u->r.status = ode_no_memory;
  return false;
}

// Events of the step, and its record. False: outside the domain.
static bool look_inside(Adaptive *a, double *t_next) {
  enum { most_defect = 1000, most_halvings = 8 };
  OdeRun *u = &a->u;
  Step *w = &a->w;
  if (!explicit_extend(w, 1)) return false;
  // events are looked for on the continuous extension: where it is far worse than the step, shorter ones
  a->far_off = u->search && a->halvings < most_halvings && explicit_defect(w, 1) > most_defect;
  a->halvings = a->far_off ? a->halvings + 1 : 0;
  if (a->far_off) return false;
  if (u->search && !ode_find_event(u, u->r.t, t_next, dense_at, reach, a, w->next)) return false;
  return !ode_cut_is_wrong(u) && record(a, *t_next);
}

// ---- steps

// f and the first step at a start, or on the other side of a break. False: not finite.
static bool start(Adaptive *a, bool restart) {
  OdeRun *u = &a->u;
  Step *w = &a->w;
  w->t = u->r.t;
  if (!step_f(w, 1, &w->t, w->y, w->k[0])) {
    u->r.status = ode_not_finite;
    return false;
  }
  if (restart || !(u->h > 0)) step_first(w, 1, w->k[0], ode_explicit(u->s->method)->start);
  if (restart) u->h = ode_after_event(u, u->h);
  return true;
}

// The step that was tried lies within its tolerance: its end, events and rows. False: it is to be tried again, smaller,
// or the run is over.
static bool complete(Adaptive *a, double *t_next) {
  OdeRun *u = &a->u;
  bool placed = project_end(a, *t_next);
  if (!placed) a->far_off = false;
  if (placed && (!u->p->events || look_inside(a, t_next)) && put_rows(a, *t_next)) return true;
  if (u->r.status == ode_done) {
    u->h *= a->far_off ? 0.5 : 0.1; // outside the domain inside the step: smaller
    u->r.rejected++;
  }
  return false;
}

// y and f go to the end of the step.
static void advance(Adaptive *a) {
  Step *w = &a->w;
  int last = ode_explicit(w->s->method)->last;
  memcpy(w->y, w->next, w->n * sizeof *w->y);
  double *swap = w->k[0];
  w->k[0] = w->k[last];
  w->k[last] = swap;
  ode_see_sizes(&w->scales, 1, w->y);
}

void adaptive_explicit(Adaptive *a) {
  OdeRun *u = &a->u;
  Step *w = &a->w;
  StepControl c = ode_control();
  if (!w->k[0] && !explicit_init(w)) {
    u->r.status = ode_no_memory;
    return;
  }
  if (!start(a, false)) return;
  while (u->r.t < u->s->t1) {
    if (!ode_begin_step(u, c.rejected, &c.ends)) return;
    w->t = u->r.t;
    w->h = u->h;
    explicit_learn(w, 0, ode_judge_ahead(u));
    bool finite = explicit_try(w, 1);
    double err = w->err;
    if (!finite || err > 1) {
      if (finite) explicit_learn(w, 0, ode_judge(u, step_worst(w, 0)));
      if (finite) step_remember_failure(w, 0);
      // a step that leaves the domain of f is tried again, much smaller
      u->h = finite ? ode_retry_explicit(ode_explicit(u->s->method), u->h, err) : u->h * 0.1;
      u->r.rejected++;
      c.rejected = finite;
      continue;
    }
    explicit_find_reach(w, 1);
    double t_next = c.ends ? u->stop : u->r.t + u->h;
    if (!complete(a, &t_next)) {
      if (u->r.status != ode_done) return;
      continue;
    }
    show_span(a, t_next);
    explicit_learn(w, 0, ode_judge_good(u));
    advance(a);
    if (!ode_end_step(u, t_next, c.ends)) return;
    if (u->passed_break) {
      if (!start(a, true)) return;
      c.before = ode_control().before;
      c.rejected = false;
      continue;
    }
    u->change = ode_next_explicit(u, &c, err, w->reach, w->moved, u->p->jacobian != NULL);
    if (u->change) return;
  }
}

// ---- a lane that is served alone

bool adaptive_explicit_room(Adaptive *a) { return explicit_init(&a->w); }

void adaptive_explicit_dense(void *self, double part, double *y) { dense_at(self, part, y); }

// The step to t_next is made: what the driver does with it; made: it is.
static LaneTurn finish_cut(Adaptive *a, double t_next, bool made, bool ends) {
  OdeRun *u = &a->u;
  if (!made || ode_cut_is_wrong(u) || !record(a, t_next) || !put_rows(a, t_next)) {
    if (u->r.status != ode_done) return lane_over;
    u->h *= 0.1;
    u->r.rejected++;
    return lane_again;
  }
  show_span(a, t_next);
  explicit_learn(&a->w, 0, ode_judge_good(u));
  advance(a);
  return ode_end_step(u, t_next, ends) ? lane_goes_on : lane_over;
}

LaneTurn adaptive_explicit_cut(Adaptive *a, double at, bool ends) {
  double t_next = at;
  bool made = ode_reach_event(&a->u, a->u.r.t, at, &t_next, reach, a, a->w.next);
  return finish_cut(a, t_next, made, ends);
}

LaneTurn adaptive_explicit_cut_reached(Adaptive *a, double at, bool reached, bool ends) {
  OdeRun *u = &a->u;
  u->event = true;
  bool made = reached && event_polish_end(u->search, reach, a, a->w.next, &at);
  made = made && ode_reach_instant(u, &at, reach, a, a->w.next);
  return finish_cut(a, made ? ode_instant(u, at) : at, made, ends);
}

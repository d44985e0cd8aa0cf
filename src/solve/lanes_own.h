// SIMD lanes with steps of their own: what the rounds of the methods share. A round is one trial step of every lane:
// first those of the explicit method (lanes_explicit.h), then those of rodas (lanes_rodas.h). When a step may begin and
// what follows its end is asked from steps.c, lane by lane; the arithmetic is that of one run (step_body.h,
// explicit_body.h, rodas_body.h). What a lane computes while it is not among those asked for is thrown away. No include
// guard: part of a template.
#include "solve/alone.h"
#include "solve/explicit_body.h"
#include "solve/rodas_body.h"

#include <float.h>

typedef struct Own Own;

// One lane's problem.
typedef struct Lane {
  Own *own;
  int index;
  OdeProblem p;
  OdeSettings s;
  OdeObserver o;
  OdeRun u;
  StepControl c;
  double due; // time of the next row
  bool active;
  bool fresh; // f (and J) at the start of the step are to be computed
  double t_next;
  bool after_event; // the step that starts afresh is the first one after an event
  bool polishes;    // an event was found in its step, and steps of its own look for the moment
  EventPolish polish;
  // as in Adaptive
  bool far_off;
  uint32_t halvings;
} Lane;

struct Own {
  Step w;
  const LaneObserver *o;
  bool drained;              // no problem is left
  unsigned extended, judged; // of the explicit method: lanes whose continuous extension is there, and how far off it is
  Lanes defect;
  unsigned spanned; // lanes whose steps are shown now
  Lane *lane;
  double *one; // a lane on its own
  // where there are events: lanes that are served alone, and their search
  LaneAlone *alone[L];
  EventSearch *search[L];
  uint32_t condition_count;
  Lanes *nodes;                                              // LaneProblem.conditions; NULL: there are none
  double weight[poly_points][poly_points], gap[poly_points]; // of fit_lanes; of pieces between points: h^2/8
  bool no_memory;
};

// ---- one lane

static void take(const Own *x, const Lanes *y, int lane, double *out) {
  for (uint32_t e = 0; e < x->w.n; e++) out[e] = y[e][lane];
}

static void leave(Own *x, int lane, OdeStatus status) {
  Lane *a = &x->lane[lane];
  a->u.r.status = status;
  a->u.r.next_step = a->u.h;
  a->active = false;
  take(x, x->w.y, lane, x->one);
  x->o->done(x->o->self, lane, &a->u.r, x->one);
}

static void leave_all(Own *x, unsigned mask, OdeStatus status) {
  for (int l = 0; l < L; l++) {
    if (mask >> l & 1) leave(x, l, status);
  }
}

static bool lane_row(void *self, double t, const double *y) {
  const Lane *a = self;
  const LaneObserver *o = a->own->o;
  if (o->row) o->row(o->self, a->index, t, y);
  return true;
}

static void lane_jump(void *self, double left, double right, double *y) {
  const Lane *a = self;
  const LaneObserver *o = a->own->o;
  if (o->jump) o->jump(o->self, a->index, left, right, y);
}

static bool lane_step(void *self, double t, const double *y, uint64_t steps) {
  const Lane *a = self;
  const LaneObserver *o = a->own->o;
  o->step(o->self, a->index, t, y, steps);
  return true;
}

static void lane_span(void *self, double t0, double t1, OdeDense *dense, void *from) {
  const Lane *a = self;
  const LaneObserver *o = a->own->o;
  o->span_alone(o->self, a->index, t0, t1, dense, from);
}

static void next_row(Lane *a) { a->due = a->u.row < a->u.rows ? ode_row_time(&a->s, a->u.row) : INFINITY; }

// Can rows inside of steps be left out? They can where nobody reads them and f is total and not projected: no failure
// on the way to a row can occur.
static bool are_rows_idle(const Own *x) { return !x->o->row && x->w.p->total && !x->w.p->project; }

// Numbers become so large that it could: there are again.
static void wake_rows(Lane *a) {
  if (a->u.rows > 1) return;
  a->u.rows = ode_row_count(&a->s);
  a->u.row = ode_row_from(&a->s, 1, a->u.rows, nextafter(a->u.r.t, INFINITY));
  next_row(a);
}

// The problem of a lane with its events, and room to look for them. False: out of memory.
static bool enter_events(Own *x, Lane *a) {
  const LaneProblem *p = x->w.p;
  int l = a->index;
  a->p = p->alone(p->self, l);
  if (x->o->span) a->o.span = lane_span;
  const OdeEvents *e = a->p.events;
  if (!x->alone[l]) x->alone[l] = alone_new(x->w.arena, &a->p, &a->s);
  if (e && e->count && !x->search[l]) x->search[l] = event_search_new(x->w.arena, e, a->p.n);
  if (e && e->count && p->conditions && !x->nodes) x->nodes = lanes_new(x->w.arena, (size_t)poly_points * e->count);
  x->condition_count = e ? e->count : 0;
  x->no_memory = !x->alone[l] || (e && e->count && (!x->search[l] || (p->conditions && !x->nodes)));
  if (x->search[l]) {
    x->search[l]->e = e; // of the run that is in the lane now
    x->search[l]->all_pieces = x->search[l]->vain = 0;
    x->search[l]->stride = L;
  }
  return !x->no_memory;
}

// As in `begin` of adaptive.c: what happens at a break at the very start. False: the lane is done.
static bool start_at_break(Own *x, Lane *a) {
  OdeRun *u = &a->u;
  if (!ode_at_break(&a->s.breaks, &u->next_break, x->w.s->t0)) return true;
  take(x, x->w.y, a->index, u->y);
  u->r.t = ode_step_over(u, x->w.s->t0);
  bool go = ode_happen(u, u->r.t);
  for (uint32_t e = 0; e < x->w.n; e++) x->w.y[e][a->index] = u->y[e];
  if (!go) leave(x, a->index, u->r.status);
  return go;
}

// The lane takes the next problem; false: there is none.
static bool enter(Own *x, int lane) {
  Lane *a = &x->lane[lane];
  const Step *w = &x->w;
  double *y = a->u.y;
  OdeBreaks breaks = {0};
  while (x->o->next(x->o->self, lane, x->one, &breaks)) {
    *a = (Lane){.own = x,
                .index = lane,
                .p = {.n = w->n, .checked = w->m},
                .s = *w->s,
                .o = {.self = a, .row = lane_row, .step = x->o->step ? lane_step : NULL, .jump = lane_jump},
                .c = ode_control(),
                .active = true,
                .fresh = true};
    a->s.breaks = breaks;
    a->s.idle_rows = !x->o->row;
    if (w->p->alone && !enter_events(x, a)) return false;
    a->u = (OdeRun){.p = &a->p,
                    .s = &a->s,
                    .o = &a->o,
                    .y = y,
                    .row = 1,
                    .rows = ode_row_count(w->s),
                    .last_event = w->s->t0,
                    .search = x->search[lane],
                    .patience = 15,
                    .shake_at = 64};
    a->u.r =
        (OdeResult){.status = ode_done, .t = w->s->t0, .smallest = INFINITY, .method = w->s->method, .stiff_at = NAN};
    for (uint32_t e = 0; e < w->n; e++) w->y[e][lane] = x->one[e];
    ode_start_sizes(&x->w.scales, lane, w->y);
    lane_row(a, w->s->t0, x->one);
    bool over = a->u.rows <= 1;
    if (are_rows_idle(x)) a->u.rows = 1;
    next_row(a);
    if (over) leave(x, lane, ode_done);
    else if (!a->p.events || start_at_break(x, a)) return true;
  }
  return false;
}

// The end of time. Where an event lies right there, a run by itself evaluates f behind it all the same: it may have no
// value.
static void leave_at_end(Own *x, int lane) {
  Lane *a = &x->lane[lane];
  Step *w = &x->w;
  bool finite = true;
  if (a->u.passed_break && a->u.r.method != ode_rodas) {
    w->t[lane] = a->u.r.t;
    finite = step_f(w, 1u << lane, &w->t, w->y, w->temp);
    for (uint32_t e = 0; finite && e < w->n; e++) w->k[0][e][lane] = w->temp[e][lane];
    if (finite) step_first(w, 1u << lane, w->k[0], ode_explicit(w->s->method)->start);
  }
  leave(x, lane, finite ? ode_done : ode_not_finite);
}

// The step of a lane that was accepted is over: y is the new state. False: the lane is done.
static bool arrive(Own *x, int lane) {
  Lane *a = &x->lane[lane];
  OdeRun *u = &a->u;
  Step *w = &x->w;
  bool breaks = a->c.ends && u->next_break < a->s.breaks.count;
  // something may happen at its end, or somebody looks
  bool shown = breaks || a->due <= a->t_next || a->p.events || x->o->step;
  if (shown) take(x, w->y, lane, u->y);
  // rows are looked for only where one is due
  uint64_t rows = u->rows;
  if (!shown) u->rows = u->row;
  bool go = ode_end_step(u, a->t_next, a->c.ends);
  u->rows = rows;
  if (shown) next_row(a);
  for (uint32_t e = 0; u->passed_break && e < w->n; e++) w->y[e][lane] = u->y[e];
  if (!go) leave(x, lane, u->r.status);
  else if (!(u->r.t < w->s->t1)) leave_at_end(x, lane);
  return a->active;
}

static void change_method(Lane *a) {
  OdeRun *u = &a->u;
  if (!u->r.changes++) u->r.stiff_at = u->r.t;
  u->r.method = u->r.method == ode_rodas ? a->s.method : ode_rodas;
  a->fresh = true;
  a->c = (StepControl){.before = ode_control().before, .ends = a->c.ends};
}

// ---- the parts of a round

// Lanes of the mask whose step starts afresh, without the history of the steps before.
static unsigned fresh_lanes(const Own *x, unsigned mask) {
  unsigned fresh = 0;
  for (int l = 0; l < L; l++) {
    if ((mask >> l & 1) && x->lane[l].fresh) fresh |= 1u << l;
  }
  return fresh;
}

// f at the start of these is known. Returns those without a step size.
static unsigned know_start(Own *x, unsigned mask) {
  unsigned first = 0;
  for (int l = 0; l < L; l++) {
    if (!(mask >> l & 1)) continue;
    x->lane[l].fresh = false;
    if (!(x->lane[l].u.h > 0)) first |= 1u << l;
  }
  return first;
}

// Lanes whose step may begin; the others are done. Their steps stand in h.
static unsigned begin(Own *x, unsigned mask) {
  for (int l = 0; l < L; l++) {
    Lane *a = &x->lane[l];
    if (!(mask >> l & 1)) continue;
    if (ode_begin_step(&a->u, a->c.rejected, &a->c.ends)) {
      x->w.h[l] = a->u.h;
      continue;
    }
    mask &= ~(1u << l);
    leave(x, l, a->u.r.status);
  }
  return mask;
}

// Of the lanes that made a trial step, those that lie within their tolerance. *failed: those that do not. The rest was
// not finite, and is tried again, much smaller.
static unsigned sort_trials(Own *x, unsigned mask, unsigned finite, unsigned *failed) {
  unsigned accepted = 0;
  *failed = 0;
  for (int l = 0; l < L; l++) {
    Lane *a = &x->lane[l];
    if (!(mask >> l & 1)) continue;
    bool good = finite >> l & 1;
    if (good && !(x->w.err[l] > 1)) {
      accepted |= 1u << l;
      continue;
    }
    if (good) *failed |= 1u << l;
    else a->u.h *= 0.1;
    a->u.r.rejected++;
    a->c.rejected = good;
  }
  return accepted;
}

// Lanes of the mask whose step was accepted: where it ends, also in w.at.
static void settle(Own *x, unsigned mask) {
  for (int l = 0; l < L; l++) {
    Lane *a = &x->lane[l];
    if (!(mask >> l & 1)) continue;
    x->w.at[l] = a->t_next = a->c.ends ? a->u.stop : a->u.r.t + a->u.h;
  }
}

// Accepted steps of these lanes go wrong inside: they are tried again, smaller.
static void retract(Own *x, unsigned mask) {
  for (int l = 0; l < L; l++) {
    if (!(mask >> l & 1)) continue;
    x->lane[l].u.h *= x->lane[l].far_off ? 0.5 : 0.1;
    x->lane[l].u.r.rejected++;
  }
}

// ---- rows inside a step

// Lanes of the mask with a row inside the step.
static unsigned rows_inside(const Own *x, unsigned mask) {
  unsigned due = 0;
  for (int l = 0; l < L; l++) {
    const Lane *a = &x->lane[l];
    if ((mask >> l & 1) && ode_row_inside(a->due, a->t_next)) due |= 1u << l;
  }
  return due;
}

// The parts of the step at which the next rows are due.
static Lanes row_parts(const Own *x, unsigned mask) {
  Lanes part = {0};
  for (int l = 0; l < L; l++) {
    const Lane *a = &x->lane[l];
    if (mask >> l & 1) part[l] = (a->due - a->u.r.t) / a->u.h;
  }
  return part;
}

// Rows lie on the manifold; returns the lanes in which they do.
static unsigned project_rows(Own *x, unsigned mask, Lanes *y) {
  unsigned failed;
  for (int l = 0; l < L; l++) {
    if (mask >> l & 1) x->w.at[l] = x->lane[l].due;
  }
  step_project(&x->w, mask, &x->w.at, y, &failed);
  return mask & ~failed;
}

static void pass_row(Lane *a) {
  a->u.row++;
  next_row(a);
}

static void give(Own *x, unsigned mask, const Lanes *y) {
  for (int l = 0; l < L; l++) {
    Lane *a = &x->lane[l];
    if (!(mask >> l & 1)) continue;
    if (x->o->row) {
      take(x, y, l, x->one);
      lane_row(a, a->due, x->one);
    }
    pass_row(a);
  }
}

// Rows that nobody takes.
static unsigned pass_rows(Own *x, unsigned mask) {
  for (int l = 0; l < L; l++) {
    Lane *a = &x->lane[l];
    if (!(mask >> l & 1) || !ode_row_inside(a->due, a->t_next)) continue;
    a->u.row = ode_row_from(&a->s, a->u.row, a->u.rows, a->t_next);
    next_row(a);
  }
  return 0;
}

// Rows of the continuous extension; returns the lanes in which one is off the manifold.
static unsigned rows_by_extension(Own *x, unsigned mask, void (*dense)(const Step *w, Lanes part, Lanes *out)) {
  unsigned failed = 0;
  if (!x->o->row && !x->w.p->project) return pass_rows(x, mask);
  for (unsigned due; (due = rows_inside(x, mask & ~failed));) {
    dense(&x->w, row_parts(x, due), x->w.z);
    unsigned placed = project_rows(x, due, x->w.z);
    give(x, placed, x->w.z);
    failed |= due & ~placed;
  }
  return failed;
}

// ---- whole steps for the observer

// The steps of these lanes, which are about to be taken.
static void show_spans(Own *x, unsigned mask, LaneDense *dense) {
  Lanes from = {0}, to = {0};
  if (!mask) return;
  x->spanned = mask;
  for (int l = 0; l < L; l++) {
    from[l] = x->lane[l].u.r.t;
    to[l] = x->lane[l].t_next;
  }
  x->o->span(x->o->self, mask, (const double *)&from, (const double *)&to, dense, x);
}

static Lanes parts_of(const double *part) {
  Lanes p;
  memcpy(&p, part, sizeof p);
  return p;
}

#include "solve/lanes_events.h"
#include "solve/lanes_explicit.h"
#include "solve/lanes_rodas.h"

// ---- the rounds

static bool own_new(Own *x, Arena *arena, const LaneProblem *p, const OdeSettings *settings) {
  Step *w = &x->w;
  if (!step_init(w, arena, p, settings) || !explicit_init(w)) return false;
  w->y = lanes_new(arena, w->n);
  x->one = arena_array(arena, w->n, sizeof *x->one);
  x->lane = arena_array(arena, L, sizeof *x->lane);
  for (int l = 0; x->lane && l < L; l++) {
    x->lane[l].u.y = arena_array(arena, w->n, sizeof(double));
    w->run[l] = &x->lane[l].u;
  }
  if (arena_failed(arena)) return false;
  ode_set_atol(&w->scales);
  find_weights(x->weight, x->gap);
  return true;
}

static bool own_solve(Arena *arena, const LaneProblem *p, const OdeSettings *settings, const LaneObserver *o) {
  Own own = {.o = o}, *x = &own;
  if (!own_new(x, arena, p, settings)) return false;
  for (uint64_t round = 0;; round++) {
    unsigned explicit_lanes = 0, rodas_lanes = 0;
    for (int l = 0; l < L; l++) {
      Lane *a = &x->lane[l];
      if (!a->active && !x->drained) x->drained = !enter(x, l);
      if (!a->active) continue;
      x->w.t[l] = a->u.r.t;
      if (a->u.r.method == ode_rodas) rodas_lanes |= 1u << l;
      else explicit_lanes |= 1u << l;
    }
    if (x->no_memory) return false;
    if (!(explicit_lanes | rodas_lanes)) return true;
    if (round % 16 == 0 && o->stop && o->stop(o->self)) {
      leave_all(x, explicit_lanes | rodas_lanes, ode_stopped);
      return true;
    }
    if (explicit_lanes) explicit_round(x, explicit_lanes);
    if (rodas_lanes && !rodas_round(x, rodas_lanes)) return false;
    if (x->no_memory) return false;
  }
}

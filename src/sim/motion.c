// A simulation run: its block, its start, its end, its copy.
//
// A run gets an end time, begins (or goes on from where it was held), and is integrated. Each segment up to a time is
// what a saved and resumed run is, so a copy that goes on gives the rows of its original.
#include "sim/motion.h"

#include "sim/balls.h"
#include "sim/manifold.h"

#include <string.h>

// ---- the block

static size_t slots(const Tape *t) { return t ? t->slot_count : 0; }

// Delayed signals and values that hold vary with t and y beside the tape: the Jacobian is by differences.
static bool by_differences(const SimProgram *p) {
  return p->events && !p->events->stepwise && (p->events->delay_count || p->events->may_hold);
}

static size_t cut(Run *r, const SimProgram *p, char *base) {
  Cutter cutter = {.base = base}, *c = &cutter;
  size_t n = p->y.total, held = p->s.held.count;
  const Columns *k = &p->columns;
  BLOCK_CUT(c, r->s, 1);
  BLOCK_CUT(c, r->params, p->param_count);
  BLOCK_CUT(c, r->y, n);
  BLOCK_CUT(c, r->start, n);
  BLOCK_CUT(c, r->held, held);
  BLOCK_CUT(c, r->held_start, held);
  BLOCK_CUT(c, r->fw, slots(p->f));
  BLOCK_CUT(c, r->rw, slots(p->rows));
  BLOCK_CUT(c, r->hw, slots(p->held));
  BLOCK_CUT(c, r->aw, slots(p->account));
  BLOCK_CUT(c, r->iw, slots(p->inertia));
  BLOCK_CUT(c, r->last, p->conserved && p->conserved->count ? 2 * n : n);
  BLOCK_CUT(c, r->values, k->count);
  BLOCK_CUT(c, r->row, (size_t)k->count + k->watch_count + 8 + (k->watch_count ? n : 0));
  if (p->measures) measures_cut(&r->measures, p->measures, n, c);
  if (by_differences(p)) BLOCK_CUT(c, r->differences, 4 * n);
  if (p->constraints) constraint_cut(&r->constraints, p->constraints, p->y.total, c);
  momenta_cut(&r->momenta, p, c);
  balance_cut(&r->balance, p, c);
  gradient_cut(&r->gradient, p, c);
  if (p->manifold) manifold_cut(&r->manifold, p->manifold, p->y.count, c);
  if (p->events) {
    r->hybrid.plan = p->events;
    hybrid_cut(&r->hybrid, c);
  }
  return c->at;
}

// Velocities that an event sets: the impulse of the constraints can only take energy.
static double answer(void *self, double t, double *y) {
  Run *r = self;
  double before = run_stored(r, t, y);
  bool moved = r->p->manifold ? manifold_obey(r, t, y) : constraint_impulse(r, t, y);
  if (!moved) return 0;
  double change = run_stored(r, t, y) - before;
  if (r->s->begun && r->p->s.energy.kept) // what happens at the very start comes before the account
    y[r->p->y.count + (change < 0 ? flow_dissipated : flow_supplied)] += fabs(change);
  return change;
}

static double assigned(void *self, double t, double *y, bool velocity) {
  const Run *r = self;
  balls_normalize(r->p->events->s, y, 1);
  bool constrained = r->p->manifold || r->p->constraints;
  return constrained && (velocity || manifold_needed(r->p->events->s)) ? answer(self, t, y) : 0;
}

// The events of a run ask it for the rest.
static void connect(Run *r) {
  if (!r->p->events) return;
  Hybrid *h = r->h = &r->hybrid;
  h->arena = r->arena;
  h->scratch = r->scratch;
  h->held_values = r->held;
  h->host = (EventHost){r, run_right_side, run_rate_errors, run_spread_z, run_stored, run_watch, assigned, answer};
}

static Run *make(Arena *arena, const SimProgram *p) {
  Run *r = arena_new_of(arena, Run), none = {0};
  size_t size = cut(&none, p, NULL);
  char *block = arena_alloc(arena, size);
  Arena *scratch = arena_new_scratch(arena);
  if (!r || !block || !scratch) return NULL;
  *r = (Run){.p = p,
             .known = &p->values,
             .arena = arena,
             .scratch = scratch,
             .mark = arena_mark(scratch),
             .block = block,
             .block_size = size};
  cut(r, p, block);
  if (p->measures) {
    r->measures.room = arena_array(arena, gauge_room(&p->measures->gauges), sizeof(double));
    if (!r->measures.room) return NULL;
  }
  connect(r);
  return r;
}

Run *run_new(Arena *arena, const SimProgram *p) {
  Run *r = make(arena, p);
  if (!r) return NULL;
  const OdeSettings *ode = &p->settled.ode;
  // with fixed steps the number of evaluations is known beforehand, otherwise they are counted as they come
  double expected = p->settled.fixed ? (ode->t1 - ode->t0) / ode->step * ode_work(ode->method) : NAN;
  code_choose(&r->s->code, p->f, p->settled.backend, p->momenta ? NAN : expected);
  if (p->momenta) code_choose(&r->s->momenta_code, p->momenta->rates, p->settled.backend, expected);
  return r;
}

void run_listen(Run *r, RunListener listener) {
  r->to = listener;
  connect(r);
}

// ---- the start

static bool refuse(Run *r, RunStatus status, const char *message, Span place) {
  r->failure = (RunFailure){status, message, place, NULL};
  return false;
}

// May this program serve these parameters?
static bool serves(Run *r, const double *params) {
  const SimProgram *p = r->p;
  for (uint32_t i = 0; i < p->param_count; i++) {
    const SystemParam *q = &p->s.params.items[i];
    if (params[i] == p->values.params[i]) continue;
    if (p->specialized && !(p->varies && p->varies[i]))
      return refuse(r, run_input, "this program was made for other values of the parameters", q->span);
    if (!q->structural) continue;
    return refuse(
        r, run_input,
        arena_printf(r->scratch, "`%s` says how many things there are: it cannot change from run to run", q->name),
        q->span);
  }
  return true;
}

// y(0) and the first values of held variables, as these parameters say.
static bool find_starts(Run *r, bool model_values) {
  const SimProgram *p = r->p;
  uint32_t n = p->y.count, held = p->s.held.count;
  if (model_values) {
    memcpy(r->start, r->known->start, n * sizeof *r->start);
    if (held) memcpy(r->held_start, r->known->held, held * sizeof *r->held_start);
    return true;
  }
  double *w = arena_array(r->scratch, p->starts->slot_count, sizeof *w);
  if (!w) return refuse(r, run_no_memory, NULL, (Span){0});
  memcpy(w, r->params, p->starts->param_count * sizeof *w);
  tape_prepare(p->starts, w);
  tape_eval(p->starts, w);
  for (uint32_t i = 0; i < n; i++) r->start[i] = tape_result(p->starts, w, i);
  for (uint32_t i = 0; i < held; i++) r->held_start[i] = tape_result(p->starts, w, n + i);
  return true;
}

static void prepare_all(Run *r) {
  const SimProgram *p = r->p;
  const MeasurePlan *m = p->measures;
  const Tape *tapes[] = {p->f, p->rows, p->held, p->account, p->inertia, r->j ? r->j->tape : NULL, m ? m->tape : NULL};
  double *rooms[] = {r->fw, r->rw, r->hw, r->aw, r->iw, r->jw, r->measures.w};
  for (size_t i = 0; i < sizeof tapes / sizeof *tapes; i++) {
    if (tapes[i]) run_prepare(r, tapes[i], rooms[i]);
  }
}

bool run_reset(Run *r, const double *params, const double *y0) {
  const SimProgram *p = r->p;
  CodeState code = r->s->code, jacobian_code = r->s->jacobian_code, momenta_code = r->s->momenta_code; // of all runs
  arena_release(r->scratch, r->mark);
  r->failure = (RunFailure){.status = run_done};
  bool model_values = !params || !p->starts;
  if (!params) params = r->known->params;
  if (params != p->values.params && !serves(r, params)) return false;
  memset(r->block, 0, r->block_size);
  r->s->code = code;
  r->s->jacobian_code = jacobian_code;
  r->s->momenta_code = momenta_code;
  if (p->param_count) memcpy(r->params, params, p->param_count * sizeof *r->params);
  if (!find_starts(r, model_values)) return false;
  if (y0) memcpy(r->start, y0, p->y.count * sizeof *y0);
  memcpy(r->y, r->start, p->y.count * sizeof *r->y);
  if (p->s.held.count) memcpy(r->held, r->held_start, p->s.held.count * sizeof *r->held);
  prepare_all(r);
  if (p->constraints) constraint_prepare(r);
  momenta_prepare(r);
  balance_prepare(r);
  gradient_prepare(r);
  if (p->manifold) manifold_prepare(r);
  r->ode = p->settled.ode;
  r->s->t = r->ode.t0;
  if (r->h && !hybrid_reset(r->h, r->params)) return refuse(r, run_failed, r->h->failure, r->h->failure_place);
  if (p->constraints && !constraint_assemble(r)) return false;
  return !p->manifold || manifold_assemble(r);
}

// ---- a segment

// The function of time at whose breaks something is not as it should be.
static bool refuse_breaks(Run *r) {
  const System *m = &r->p->s;
  const char *word = "a signal of time";
  Span place = {0};
  for (uint32_t i = m->places.count; i-- > 0;) { // the first span counts
    if (m->places.items[i].node != r->ode.breaks.many) continue;
    word = m->places.items[i].word;
    place = m->places.items[i].span;
  }
  return refuse(r, run_failed,
                arena_printf(r->scratch,
                             "`%s` switches more than 4000000 times until t = %.10g, and the run would stop at each "
                             "of them; end it earlier, or take a fixed step",
                             word, r->ode.t1),
                place);
}

void run_go_on(Run *r) {
  const RunState *s = r->s;
  OdeSettings *ode = &r->ode;
  ode->start = s->begun ? s->t : ode->t0;
  // a last step of a few doubles, between a stop and the end, says nothing about the next
  double least = 1e-13 * fmax(fabs(ode->start), ode->t1 - ode->t0);
  ode->first = s->begun && s->step > least && isfinite(s->step) ? s->step : 0;
}

bool run_aim(Run *r, double t) {
  OdeSettings *ode = &r->ode;
  arena_release(r->scratch, r->mark); // of the segment before
  ode->t1 = t;
  ode->times = r->to.times;
  ode->time_count = r->to.time_count;
  run_go_on(r);
  if (r->p->breaks && !breaks_find(r->p->breaks, r->scratch, r->params, ode->t0, t, &ode->breaks))
    return refuse(r, run_no_memory, NULL, (Span){0});
  return !ode->breaks.many || refuse_breaks(r);
}

// In a corner of a constraint there is more than one tangent: only a velocity that one of them has can start there.
static OdeAction check_corner(Run *r) {
  const SystemConstraint *c = constraint_disobeyed(r, r->ode.t0, r->y);
  if (!c) return action_go;
  return hybrid_fail(r->h,
                     "the motion starts in a corner of this constraint, with a velocity that is along none of its "
                     "sides; start beside the corner",
                     c->span);
}

OdeAction run_begin(Run *r) {
  const OdeSettings *ode = &r->ode;
  RunState *s = r->s;
  bool begins = !s->begun;
  uint32_t stages = (uint32_t)ode_order(ode->method);
  if (begins) run_start_held(r, ode->t0, r->y);
  else if (r->p->held) run_accept(r, ode->start, r->y);
  OdeAction action = action_go;
  if (r->h) {
    r->h->state->t0 = ode->t0;
    r->h->state->t1 = ode->t1;
    r->h->breaks = ode->breaks;
    if (!begins) action = hybrid_resume(r->h, ode->start, r->y, ode->step, stages);
    else if (r->p->events->stepwise) action = stepwise_start(r->h, ode->t0, r->y, ode->step, stages);
    else action = hybrid_start(r->h, ode->t0, r->y);
    if (begins) run_start_held(r, ode->t0, r->y);
    if (begins && action == action_go && r->p->events->rewriting->corners) action = check_corner(r);
  }
  s->begun = true;
  return action;
}

static bool keep_row(void *self, double t, const double *y) {
  Run *r = self;
  r->s->row_t = t;
  memcpy(r->last, y, r->p->y.total * sizeof *y);
  return true;
}

static OdeObserver run_observer(Run *r) {
  return (OdeObserver){r,
                       r->to.quiet ? keep_row : run_take_row,
                       run_after_step,
                       run_take_jump,
                       run_span_taker(r),
                       r->to.upright ? run_watch_break : NULL};
}

OdeResult run_not_begun(Run *r, OdeAction action) {
  OdeResult o = {.t = r->ode.t0, .method = ode_rk4, .stiff_at = NAN};
  o.status = action == action_fail ? ode_event : action == action_stop ? ode_ended : ode_no_memory;
  OdeObserver observer = run_observer(r);
  if (action == action_stop && !observer.row(r, o.t, r->y)) o.status = ode_stopped;
  return o;
}

static OdeResult go(Run *r, const OdeObserver *observer) {
  OdeProblem problem = run_problem(r);
  OdeResult o = ode_solve(r->scratch, &problem, &r->ode, r->y, observer);
  r->s->t = o.t;
  r->s->step = o.next_step;
  return o;
}

// ---- before singular configurations of the constraints

// The listener of a segment. What goes on behind a leap is no start, and what ends before the end of the run is no end:
// their rows are none, but for those that are asked for.
typedef struct Segment {
  Run *r;
  const OdeObserver *o;
  bool onward; // it is not the first one
  double end;  // of the run
} Segment;

static bool is_row(const Segment *x, double t) {
  OdeSettings ode = x->r->ode;
  ode.t1 = x->end;
  uint64_t low = 0, high = ode_row_count(&ode); // the first row that is not before t
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    if (ode_row_time(&ode, middle) < t) low = middle + 1;
    else high = middle;
  }
  return low < ode_row_count(&ode) && ode_row_time(&ode, low) == t;
}

static bool segment_row(void *self, double t, const double *y) {
  const Segment *x = self;
  bool ended = t == x->r->ode.t1 || t == x->r->ode.start; // else one that is asked for, or an event ends the run
  if (x->onward && ended && (t <= x->r->s->row_t || !is_row(x, t))) return true;
  return x->o->row(x->o->self, t, y);
}

static bool segment_step(void *self, double t, const double *y, uint64_t steps) {
  const Segment *x = self;
  bool go = singular_step(x->r, t, y);
  return (!x->o->step || x->o->step(x->o->self, t, y, steps)) && go;
}

static void segment_jump(void *self, double left, double right, double *y) {
  const Segment *x = self;
  x->o->jump(x->o->self, left, right, y);
}

static void segment_span(void *self, double t0, double t1, OdeDense *dense, void *from) {
  const Segment *x = self;
  x->o->span(x->o->self, t0, t1, dense, from);
}

static void segment_inside(void *self, double left, double right, const double *y) {
  const Segment *x = self;
  x->o->inside(x->o->self, left, right, y);
}

static OdeObserver segment_observer(Segment *x) {
  return (OdeObserver){x,
                       segment_row,
                       segment_step,
                       x->o->jump ? segment_jump : NULL,
                       x->o->span ? segment_span : NULL,
                       x->o->inside ? segment_inside : NULL};
}

// Near a singular configuration steps of any size of a method are no good: nearer than it is, rates beside the
// constraints change within a step. There a method with an error bound goes on, the same for all.
static void take_bridge(OdeSettings *ode) {
  ode->method = ode->method == ode_rodas || ode->method == ode_bdf ? ode_rodas : ode_dop853;
  ode->rtol = ode->rtol > 0 ? fmin(ode->rtol, 1e-11) : 1e-11;
  ode->atol = ode->atol > 0 ? fmin(ode->atol, 1e-13) : 1e-13;
  ode->by_scale = true;
  ode->automatic = false;
}

// On to `to`, and what was done before is added.
static OdeResult go_on(Segment *x, double to, const OdeResult *before) {
  Run *r = x->r;
  OdeSettings own = r->ode;
  x->onward = true;
  r->ode.t1 = to;
  run_go_on(r);
  if (r->constraints.singular->bridge) take_bridge(&r->ode);
  OdeAction action = run_begin(r);
  OdeObserver observer = segment_observer(x);
  OdeResult o = action == action_go ? go(r, &observer) : run_not_begun(r, action);
  o.method = before->method;
  ode_add_work(&o, before);
  r->ode = own;
  return o;
}

static OdeStatus status_of(OdeAction action) {
  return action == action_stop ? ode_ended : action == action_fail ? ode_event : ode_no_memory;
}

// Does it hold in front of a singular configuration, or does no step lead over one?
static bool is_held(const Run *r, const OdeResult *o) {
  const SingularState *s = r->constraints.singular;
  bool fails = o->status == ode_not_finite || o->status == ode_step_small || o->status == ode_no_stages;
  if (o->status == ode_stopped) return s->waits;
  return fails && s->expected > r->s->t && (s->refused || s->falls || isfinite(s->vain));
}

// A leap; where something happens at the singular configuration itself, another one from there.
static SingularTurn leap(Segment *x, bool starts, OdeAction *action) {
  Run *r = x->r;
  SingularTurn turn = starts ? singular_leave(r, x->o, true, action) : singular_leap(r, x->o, action);
  for (int again = 0; again < 3 && turn == singular_passed && *action == action_go && r->s->t < x->end; again++) {
    singular_land(r);
    if (!singular_is_there(r)) break;
    turn = singular_leave(r, x->o, false, action);
  }
  return turn;
}

// In front of a singular configuration, or at a start there: a leap, and where it goes on from. False: the run is over.
static bool pass(Segment *x, OdeResult *o, bool starts) {
  Run *r = x->r;
  SingularState *s = r->constraints.singular;
  OdeAction action;
  double end = x->end;
  SingularTurn turn = leap(x, starts, &action);
  if (turn == singular_ended) {
    o->status = ode_stopped;
    return false;
  }
  o->t = r->s->t;
  o->status = action == action_go ? ode_done : status_of(action);
  if (o->status == ode_ended) x->o->row(x->o->self, o->t, r->y);
  bool may = !(r->h && r->p->events->stepwise);
  // a fixed step in which the constraints change by a good part of what is left of them is too long; and what bdf
  // extrapolates does not lie on them
  bool coarse = r->ode.method == ode_bdf || (r->p->settled.fixed && 8 * s->rate * r->ode.step > s->value);
  s->bridge = turn == singular_not_yet && may && (s->close || coarse);
  if (turn == singular_not_yet && !may) end = fmin(end, o->t + 0.5 * (s->expected - o->t));
  if (turn == singular_passed) s->bridge = singular_land(r) && may;
  if (o->status != ode_done || !(o->t < x->end)) return false;
  if (turn == singular_passed && s->expected > o->t) { // something happened in front of the singular configuration
    o->status = ode_stopped;
    s->waits = true;
    return true;
  }
  *o = go_on(x, end, o);
  return true;
}

// A run with constraints, which holds in front of singular configurations and leaps over them.
static OdeResult go_over(Run *r, const OdeObserver *observer) {
  Segment segment = {.r = r, .o = observer, .end = r->ode.t1}, *x = &segment;
  SingularState *s = r->constraints.singular;
  s->bridge = s->crossed = false;
  singular_remember(r, r->ode.start, r->y, singular_look(r, r->ode.start, r->y));
  OdeResult o = {.t = r->s->t, .method = r->ode.method, .stiff_at = NAN};
  bool starts = s->start == start_singular && r->ode.start == r->ode.t0;
  OdeObserver own = segment_observer(x);
  if (!starts) o = go(r, &own);
  else if (!pass(x, &o, true)) return o;
  while (true) {
    bool crossed = o.status == ode_stopped && s->crossed;
    if (crossed) s->bridge = s->crossed = false;
    if (crossed || (o.status == ode_done && r->s->t < x->end)) o = go_on(x, x->end, &o);
    else if (!is_held(r, &o) || !pass(x, &o, false)) return o;
  }
}

OdeResult run_go(Run *r, const OdeObserver *observer) {
  OdeObserver usual = run_observer(r);
  if (!observer) observer = &usual;
  return r->p->constraints ? go_over(r, observer) : go(r, observer);
}

OdeResult run_to(Run *r, double t) {
  if (!run_aim(r, t)) {
    OdeStatus status = r->failure.status == run_no_memory ? ode_no_memory : ode_many_steps;
    return (OdeResult){.status = status, .t = r->s->t, .stiff_at = NAN};
  }
  OdeAction action = run_begin(r);
  return action == action_go ? run_go(r, NULL) : run_not_begun(r, action);
}

const double *run_z(Run *r, double t, const double *y) {
  Hybrid *h = r->h;
  if (h && !h->plan->stepwise && hybrid_varies(h)) hybrid_given(h, t, y);
  return h ? h->z : NULL;
}

// ---- a copy

// The times of the breaks; the rest of the settings are numbers.
static bool copy_breaks(Run *copy, const Run *r) {
  const OdeBreaks *b = &r->ode.breaks;
  double *times = arena_array(copy->scratch, (size_t)b->count + 1, sizeof *times);
  if (!times) return false;
  if (b->count) memcpy(times, b->times, b->count * sizeof *times);
  copy->ode = r->ode;
  copy->ode.breaks.times = times;
  if (copy->h) copy->h->breaks = copy->ode.breaks;
  return true;
}

Run *run_copy(Arena *arena, const Run *r) {
  Run *copy = make(arena, r->p);
  if (!copy) return NULL;
  memcpy(copy->block, r->block, r->block_size);
  run_listen(copy, r->to);
  copy->known = r->known;
  copy->failure = r->failure;
  if (r->failure.message)
    copy->failure.message = arena_strndup(copy->scratch, r->failure.message, strlen(r->failure.message));
  if (!copy_breaks(copy, r)) return NULL;
  if (!copy->h) return copy;
  if (!hybrid_copy(copy->h, r->h)) return NULL;
  hybrid_connect(copy->h);
  return copy;
}

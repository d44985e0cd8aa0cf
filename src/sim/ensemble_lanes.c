// Samples of an ensemble in eight lanes. A part of ensemble.h.
//
//   values of a sample --> all parameters and y(0) --integrate--> y(end) --tape of the rows--> final values
//
// A lane does what a run of its own does (motion.c), to the last bit. One that comes near to a singular position of its
// constraints leaves its lane, and its sample is taken again by such a run, which leaps over it or ends there.
//
// With events each lane has a run of its own that knows its branches, memories and past (hybrid.h). Their values are
// variables of the tapes, so that eight right-hand sides are still evaluated at once.
#include "sim/balls.h"
#include "sim/ensemble_inside.h"
#include "sim/lane_guards.h"
#include "sim/lane_measures.h"

#include "solve/lanes.h"
#include "tape/interval.h"
#include "tape/lanes.h"

#include <string.h>

typedef struct LaneWorker {
  EnsembleWorker *k;
  EnsembleQueue *q;
  const SimProgram *p;
  LaneKit kit;
  double *w;      // lanes of f
  double *rw;     // workspace of the rows, one lane
  double *values; // the columns of a row
  double *params; // of each lane
  uint64_t sample[lane_count];
  bool undefined[lane_count]; // a row of it had an output without a value
  bool changed;               // parameters of some lane: to be prepared
  bool no_memory;
  Arena *times[lane_count];     // memory of the breaks of each lane
  bool after_start[lane_count]; // OdeBreaks.after_start of each
  bool any_after_start;         // of some sample so far
  bool z_changed[lane_count]; // as in Run: since they were put into the lanes of f
  const TapeJacobian *j;
  LaneJacobian jacobian;
  LaneKit jacobian_kit;
  double *jw;     // lanes of the Jacobian
  double *errors; // room for the rounding of rates, and a workspace of one lane; made when a method asks for it
  // of constraints: a motion of each lane's own finds its start and brings it back; of events: it has their state.
  // NULL: there are neither
  Run *bound[lane_count];
  double *gathered;       // y of one lane
  double *kept;           // rates of all lanes; NULL: nothing varies inside a step
  double *slopes;         // entries of a Jacobian by differences
  double *start;          // y(0) of a sample that is taken again
  bool alone[lane_count]; // it comes near to a singular position
  double row_t[lane_count];
  LaneMeasures *m;    // NULL: none are asked for
  LaneGuards *guards; // NULL: every step is looked into
  Run *single;        // for samples that failed and are to say why; made when it is first needed
} LaneWorker;

// Held variables are kept by each run for itself; where constraints may begin to move, or something may happen, fixed
// steps end at times of their own; and constraints answer to events.
bool ensemble_in_lanes(const SimProgram *p) {
  const OdeMethod method = p->settled.ode.method;
  bool fixed = ode_is_fixed(method);
  bool breaks = fixed && p->s.constraints.count && p->breaks && p->breaks->switches.count;
  bool events = p->events && (fixed || p->constraints || p->manifold);
  return ode_in_lanes(method, p->y.count) && p->s.held.count == 0 && !events && !breaks;
}

// A run that stands behind a lane gives no rows of its own.
static void listen_to_lane(LaneWorker *k, Run *r) {
  run_listen(r, (RunListener){.quiet = true, .self = k->q, .interrupted = ensemble_asked_to_stop});
}

static double *params_of(const LaneWorker *k, int lane) { return k->params + (size_t)lane * k->p->param_count; }

// ---- one sample

// Its parameters go into the lanes of all workspaces.
static void put_params(LaneWorker *k, int lane) {
  const double *params = params_of(k, lane);
  for (uint32_t i = 0; i < k->p->param_count; i++) k->w[(size_t)i * lane_count + (size_t)lane] = params[i];
  for (uint32_t i = 0; k->jw && i < k->p->param_count; i++) k->jw[(size_t)i * lane_count + (size_t)lane] = params[i];
  if (k->m) lane_measures_begin(k->m, lane, params);
  if (k->guards) lane_guards_begin(k->guards, lane, params);
  k->changed = true;
}

// A sample with events starts. False: something ends it right there, or it cannot begin: a run of its own says why.
static bool begin_events(LaneWorker *k, int lane, double *y, OdeBreaks *breaks) {
  Run *r = k->bound[lane];
  if (!run_reset(r, params_of(k, lane), y) || !run_aim(r, k->p->settled.to) || run_begin(r) != action_go) return false;
  memcpy(y, r->y, k->p->y.total * sizeof *y);
  *breaks = r->ode.breaks;
  k->after_start[lane] = breaks->after_start;
  k->any_after_start = k->any_after_start || breaks->after_start;
  return true;
}

static bool find_breaks(LaneWorker *k, int lane, OdeBreaks *breaks) {
  const OdeSettings *ode = &k->p->settled.ode;
  if (!k->p->breaks || k->p->breaks->switches.count == 0) return true;
  arena_free(k->times[lane]);
  k->times[lane] = arena_new();
  if (!k->times[lane] || !breaks_find(k->p->breaks, k->times[lane], params_of(k, lane), ode->t0, ode->t1, breaks)) {
    k->no_memory = true;
    return false;
  }
  k->after_start[lane] = breaks->after_start;
  k->any_after_start = k->any_after_start || breaks->after_start;
  return true;
}

// A start that obeys the constraints. False: there is none.
static bool assemble(LaneWorker *k, int lane, double *y) {
  Run *r = k->bound[lane];
  if (!run_reset(r, params_of(k, lane), y)) return false;
  memcpy(y, r->start, k->p->y.count * sizeof *y);
  k->alone[lane] = r->constraints.singular->start == start_singular || r->p->s.dependent;
  return true;
}

// The sample of a lane once more, by a run of its own.
static void take_alone(LaneWorker *k, int lane, Run *r) {
  const Ensemble *e = k->q->e;
  double *params = params_of(k, lane);
  if (r) r->s->code = (CodeState){.backend = backend_interp, .next = UINT64_MAX};
  if (!r || !e->sample(e->self, k->k->index, k->sample[lane], params, k->start) ||
      !ensemble_run_alone(k->q, r, k->sample[lane], k->row_t[lane], params, k->start))
    k->no_memory = true;
  if (r && k->p->events) listen_to_lane(k, r);
}

// The next sample goes into a lane: its parameters and its start.
static bool next_sample(void *self, int lane, double *y, OdeBreaks *breaks) {
  LaneWorker *k = self;
  const Ensemble *e = k->q->e;
  uint64_t sample;
  while (!k->no_memory && ensemble_next(k->q, &sample)) {
    if (!e->sample(e->self, k->k->index, sample, params_of(k, lane), y)) {
      ensemble_put_end(k->q, sample, &(EnsembleEnd){.status = run_input});
      continue;
    }
    for (uint32_t i = k->p->y.count; i < k->p->y.total; i++) y[i] = 0; // the account
    k->sample[lane] = sample;
    k->undefined[lane] = k->alone[lane] = false;
    k->row_t[lane] = -INFINITY;
    put_params(k, lane);
    if (k->p->constraints && !assemble(k, lane, y)) {
      ensemble_put_end(k->q, sample, &(EnsembleEnd){.status = k->bound[lane]->failure.status});
      continue;
    }
    if (!k->p->events) return find_breaks(k, lane, breaks);
    if (begin_events(k, lane, y, breaks)) return true;
    take_alone(k, lane, k->bound[lane]);
  }
  return false;
}

// Everything a row shows, of one lane.
static void eval_rows(LaneWorker *k, int lane, double t, const double *y) {
  const Tape *rows = k->p->rows;
  double *var = tape_vars(rows, k->rw);
  memcpy(k->rw, params_of(k, lane), k->p->param_count * sizeof *y);
  tape_prepare(rows, k->rw);
  if (k->p->events) {
    run_z(k->bound[lane], t, y);
    run_put_z(k->bound[lane], rows, k->rw);
  }
  var[0] = t;
  memcpy(var + 1, y, k->p->y.total * sizeof *y);
  tape_eval(rows, k->rw);
}

// Their columns. Sets `undefined` where an output has no value.
static const double *show(LaneWorker *k, int lane, double t, const double *y) {
  eval_rows(k, lane, t, y);
  for (uint32_t i = 0; i < k->p->columns.count; i++) k->values[i] = tape_result(k->p->rows, k->rw, i);
  for (uint32_t i = 0; i < k->p->columns.outputs; i++) k->undefined[lane] |= !isfinite(k->values[i]);
  return k->values;
}

static double stored(LaneWorker *k, int lane, double t, const double *y) {
  eval_rows(k, lane, t, y);
  return tape_result(k->p->rows, k->rw, k->p->columns.energy_at + 2);
}

// As run_take_jump.
static void sample_jumps(void *self, int lane, double left, double right, double *y) {
  LaneWorker *k = self;
  double before = k->p->s.energy.kept ? stored(k, lane, left, y) : 0;
  if (k->p->constraints) constraint_impulse(k->bound[lane], right, y);
  if (k->p->s.energy.kept) y[k->p->y.count + flow_supplied] += stored(k, lane, right, y) - before;
}

// An output without a value ends a run of its own: no row follows.
static void sample_row(void *self, int lane, double t, const double *y) {
  LaneWorker *k = self;
  if (k->undefined[lane]) return;
  show(k, lane, t, y);
  if (!k->undefined[lane] && ode_is_asked(&k->q->ode, t) && !ensemble_put_row(k->q, k->sample[lane], t, k->values))
    k->no_memory = true;
  k->row_t[lane] = t;
}

static Run *single(LaneWorker *k) {
  if (!k->single) k->single = run_new(k->k->arena, k->p);
  return k->single;
}

static void sample_done(void *self, int lane, const OdeResult *o, const double *y) {
  LaneWorker *k = self;
  bool failed = o->status != ode_done && o->status != ode_ended && o->status != ode_stopped;
  if (k->p->constraints && k->alone[lane] && o->status != ode_stopped) {
    take_alone(k, lane, k->bound[lane]);
    return;
  }
  if (failed && k->q->e->messages) {
    take_alone(k, lane, single(k));
    return;
  }
  const double *values = show(k, lane, o->t, y);
  if (k->undefined[lane] && k->q->e->messages) {
    take_alone(k, lane, single(k));
    return;
  }
  const double *measures = k->p->events ? run_measures(k->bound[lane], o->t, y)
                           : k->m       ? lane_measures_end(k->m, lane, params_of(k, lane), o->t, y)
                                        : NULL;
  RunStatus status = o->status == ode_stopped                          ? run_interrupted
                     : o->status == ode_done || o->status == ode_ended ? run_done
                                                                       : run_failed;
  if (status == run_done && k->undefined[lane]) status = run_failed;
  ensemble_put_end(
      k->q, k->sample[lane],
      &(EnsembleEnd){status, o->t, values, o->steps, o->evaluations, measures, NULL, o->method == ode_rodas});
}

// ---- eight right-hand sides

static void seen_times(const LaneWorker *k, const double *t, double *seen) {
  for (int l = 0; l < lane_count; l++) seen[l] = ode_seen(k->after_start[l], k->p->settled.ode.t0, t[l]);
}

// What events have set goes into the lanes of a tape; with them what varies inside a step, at t and y.
static void put_events(LaneWorker *k, unsigned mask, const Tape *tape, double *w, const double *t, const double *y) {
  enum { L = lane_count };
  uint32_t count = k->p->events->z_count;
  double *to = w + (size_t)(tape->param_count + tape->var_count - count) * L;
  for (unsigned l = 0; l < L; l++) {
    if (!(mask >> l & 1)) continue;
    Hybrid *h = k->bound[l]->h;
    if (hybrid_varies(h)) {
      for (uint32_t i = 0; i < k->p->y.count; i++) k->gathered[i] = y[(size_t)i * L + l];
      hybrid_given(h, t[l], k->gathered);
    }
    for (uint32_t i = 0; i < count; i++) to[(size_t)i * L + l] = h->z[i];
  }
}

// What is held does not move.
static void rest_held(const LaneWorker *k, unsigned mask, double *dydt) {
  enum { L = lane_count };
  uint32_t n = k->p->y.total;
  for (unsigned l = 0; l < L; l++) {
    const Hybrid *h = k->bound[l]->h;
    if (!(mask >> l & 1) || !h->state->held_count) continue;
    for (uint32_t i = 0; i < n; i++) k->gathered[i] = dydt[(size_t)i * L + l];
    hybrid_rest(h, k->gathered);
    for (uint32_t i = 0; i < n; i++) dydt[(size_t)i * L + l] = k->gathered[i];
  }
}

static unsigned eval_sides(LaneWorker *k, const double *t, const double *y, double *dydt) {
  const Native *native = k->k->lanes->f;
  return native ? lanes_rates(native, &k->kit, t, y, dydt, k->w) : k->kit.rates(&k->kit, k->p->y.count, t, y, dydt, k->w);
}

// The z of lanes in which they changed, or vary, into the lanes of f.
static void put_changed(LaneWorker *k, unsigned mask, const double *t, const double *y) {
  const EventPlan *plan = k->p->events;
  unsigned stale = 0;
  if (!plan->delay_count && !plan->may_hold && !memchr(k->z_changed, true, sizeof k->z_changed)) return;
  for (unsigned l = 0; l < lane_count; l++) {
    if (!(mask >> l & 1) || (!k->z_changed[l] && !hybrid_varies(k->bound[l]->h))) continue;
    k->z_changed[l] = false;
    stale |= 1u << l;
  }
  if (stale) put_events(k, stale, k->p->f, k->w, t, y);
}

static unsigned right_sides(void *self, unsigned mask, const double *times, const double *y, double *dydt) {
  LaneWorker *k = self;
  double seen[lane_count];
  const double *t = times;
  if (k->any_after_start) {
    seen_times(k, times, seen);
    t = seen;
  }
  if (k->changed) {
    lanes_prepare(&k->kit, k->w);
    if (k->jw) lanes_prepare(&k->jacobian_kit, k->jw);
    k->changed = false;
  }
  if (!k->p->events) return eval_sides(k, t, y, dydt);
  // lanes that are not asked for keep their rates: what varies is not known at their place
  bool keep = k->kept && mask != (1u << lane_count) - 1;
  if (keep) memcpy(k->kept, dydt, (size_t)k->p->y.total * lane_count * sizeof *dydt);
  put_changed(k, mask, t, y);
  unsigned finite = eval_sides(k, t, y, dydt);
  for (size_t i = 0; keep && i < (size_t)k->p->y.total * lane_count; i++) {
    if (!(mask >> i % lane_count & 1)) dydt[i] = k->kept[i];
  }
  if (k->p->events->may_hold) rest_held(k, mask, dydt);
  return finite;
}

// As run_rounding, of one lane.
static bool rounding(void *self, int lane, double t, const double *y, double *error) {
  enum { digits = 8 };
  LaneWorker *k = self;
  const Tape *f = k->p->f;
  if (k->p->events) return run_rounding(k->bound[lane], t, y, error);
  if (!k->errors) k->errors = arena_array(k->k->arena, 4 * (size_t)f->slot_count, sizeof *k->errors);
  if (!k->errors) return false;
  double *w = k->errors + 3 * (size_t)f->slot_count, *var = tape_vars(f, w);
  memcpy(w, params_of(k, lane), k->p->param_count * sizeof *w);
  tape_prepare(f, w);
  var[0] = ode_seen(k->after_start[lane], k->p->settled.ode.t0, t);
  memcpy(var + 1, y, k->p->y.count * sizeof *y);
  tape_rounding_through(f, w, digits, k->errors);
  for (uint32_t i = 0; i < k->p->y.count; i++) error[i] = k->errors[f->outputs[i]];
  return true;
}

// ---- back onto the constraints, lane by lane

static unsigned project(void *self, unsigned mask, const double *t, double *y, unsigned *failed) {
  enum { L = lane_count };
  LaneWorker *k = self;
  unsigned moved = 0;
  *failed = 0;
  for (unsigned l = 0; l < L; l++) {
    if (!(mask >> l & 1)) continue;
    for (uint32_t i = 0; i < k->p->y.count; i++) k->gathered[i] = y[(size_t)i * L + l];
    OdeProjection seen = k->alone[l] ? projection_failed : constraint_project(k->bound[l], t[l], k->gathered);
    k->alone[l] = k->alone[l] || (seen != projection_failed && singular_is_near(k->bound[l], t[l], k->gathered));
    if (k->alone[l]) seen = projection_failed;
    if (seen == projection_failed) *failed |= 1u << l;
    if (seen != projection_moved) continue;
    moved |= 1u << l;
    for (uint32_t i = 0; i < k->p->y.count; i++) y[(size_t)i * L + l] = k->gathered[i];
  }
  return moved;
}

// Unit quaternions: their length is 1.
static unsigned normalize(void *self, unsigned mask, const double *t, double *y, unsigned *failed) {
  const LaneWorker *k = self;
  unsigned moved = 0;
  (void)t;
  *failed = 0;
  for (unsigned l = 0; l < lane_count; l++) {
    if ((mask >> l & 1) && balls_normalize(&k->p->s, y + l, lane_count)) moved |= 1u << l;
  }
  return moved;
}

// ---- eight Jacobians

// As eval_jacobian of motion_rates.c. A right-hand side at the same place was asked for before, so all is prepared.
static void jacobians(void *self, unsigned mask, const double *times, const double *y, double *entries) {
  enum { L = lane_count };
  LaneWorker *k = self;
  double t[L];
  seen_times(k, times, t);
  const Tape *tape = k->j->tape;
  const Native *native = k->k->lanes->jacobian;
  double *var = k->jw + (size_t)tape->param_count * L;
  memcpy(var, t, L * sizeof *t);
  memcpy(var + L, y, (size_t)k->p->y.count * L * sizeof *y);
  if (k->p->events) put_events(k, mask, tape, k->jw, t, y);
  if (native) lanes_native(native, &k->jacobian_kit, k->jw);
  else lanes_eval(&k->jacobian_kit, k->jw);
  for (uint32_t i = 0; i < k->j->count; i++) {
    const double *v = k->jw + (size_t)tape->outputs[i] * L;
    for (int l = 0; l < L; l++) entries[(size_t)i * L + (size_t)l] = isfinite(v[l]) ? v[l] : 0;
  }
}

// By differences (motion_rates.c), one by one: delayed signals and values that hold vary beside the tape.
static void differences(void *self, unsigned mask, const double *t, const double *y, double *entries) {
  enum { L = lane_count };
  LaneWorker *k = self;
  for (unsigned l = 0; l < L; l++) {
    Run *r = k->bound[l];
    if (!(mask >> l & 1)) continue;
    for (uint32_t i = 0; i < k->p->y.total; i++) k->gathered[i] = y[(size_t)i * L + l];
    r->jacobian.eval(r, t[l], k->gathered, k->slopes);
    for (uint32_t i = 0; i < k->jacobian.count; i++) entries[(size_t)i * L + l] = k->slopes[i];
  }
}

static const LaneJacobian *get_differences(LaneWorker *k) {
  const OdeJacobian *j = NULL;
  if (k->jacobian.start) return &k->jacobian;
  for (int l = 0; l < lane_count; l++) {
    if (!(j = run_jacobian(k->bound[l]))) return NULL;
  }
  k->slopes = arena_array(k->k->arena, (size_t)j->count + 1, sizeof *k->slopes);
  if (!k->slopes) return NULL;
  k->jacobian = (LaneJacobian){j->start, j->row, j->count, differences};
  return &k->jacobian;
}

// Where the right-hand side is native, so is the Jacobian.
static void compile_jacobian(LaneCode *c, const Tape *tape) {
  const char *why, *note;
  pthread_mutex_lock(&c->lock);
  if (!c->tried && c->f) {
    NativeSettings native = {.backend = backend_cc, .lanes = true, .self = c->self, .interrupted = c->interrupted};
    c->jacobian = native_new(c->arena, tape, &native, &why, &note);
  }
  c->tried = true;
  pthread_mutex_unlock(&c->lock);
}

static bool asked_to_stop(void *self) { return ensemble_asked_to_stop(((LaneWorker *)self)->q); }

static const LaneJacobian *get_jacobian(void *self) {
  LaneWorker *k = self;
  if (k->jw) return &k->jacobian;
  if (k->p->events && k->bound[0]->differences) return get_differences(k);
  k->j = program_jacobian(k->p, (TapeAsk){k, asked_to_stop});
  if (!k->j) return NULL;
  compile_jacobian(k->k->lanes, k->j->tape);
  k->jacobian_kit = lanes_kit(k->j->tape);
  k->jw = lanes_workspace(k->k->arena, k->j->tape);
  if (!k->jw) return NULL;
  memcpy(k->jw, k->w, (size_t)k->p->param_count * lane_count * sizeof *k->jw);
  lanes_prepare(&k->jacobian_kit, k->jw);
  k->jacobian = (LaneJacobian){k->j->start, k->j->row, k->j->count, jacobians};
  return &k->jacobian;
}

// The step of one lane.
typedef struct SeenLane {
  LaneWorker *k;
  int lane;
  LaneDense *dense;
  void *from;
} SeenLane;

static void seen_lane(void *self, double part, double *y) {
  const SeenLane *x = self;
  double parts[lane_count] __attribute__((aligned(64)));
  for (int l = 0; l < lane_count; l++) parts[l] = part;
  const double *all = x->dense(x->from, parts);
  for (uint32_t i = 0; i < x->k->p->y.total; i++) y[i] = all[(size_t)i * lane_count + (size_t)x->lane];
}

static void take_spans(void *self, unsigned mask, const double *t0, const double *t1, LaneDense *dense, void *from) {
  LaneWorker *k = self;
  if (!k->p->events) {
    lane_measures_take(k->m, &(LaneSpan){mask, t0, t1, k->after_start, dense, from});
    return;
  }
  for (int l = 0; l < lane_count; l++) {
    SeenLane seen = {k, l, dense, from};
    if (mask >> l & 1) run_take_span(k->bound[l], t0[l], t1[l], seen_lane, &seen);
  }
}

static void take_span_alone(void *self, int lane, double t0, double t1, OdeDense *dense, void *from) {
  LaneWorker *k = self;
  run_take_span(k->bound[lane], t0, t1, dense, from);
}

static unsigned conditions(void *self, unsigned mask, const double *t, const double *h, LaneDense *dense, void *from,
                           double *c) {
  LaneWorker *k = self;
  return lane_guards_take(k->guards, k->bound, mask, t, h, dense, from, c);
}

static OdeProblem problem_alone(void *self, int lane) {
  LaneWorker *k = self;
  return run_problem(k->bound[lane]);
}

// ---- the whole

static bool make_rooms(LaneWorker *k) {
  const SimProgram *p = k->p;
  Arena *arena = k->k->arena;
  k->kit = lanes_kit(p->f);
  k->w = lanes_workspace(arena, p->f);
  k->rw = arena_array(arena, p->rows->slot_count, sizeof *k->rw);
  k->values = arena_array(arena, (size_t)p->columns.count + 1, sizeof *k->values);
  k->params = arena_array(arena, (size_t)p->param_count * lane_count + 1, sizeof *k->params);
  k->start = arena_array(arena, (size_t)p->y.total + 1, sizeof *k->start);
  bool own = p->constraints || p->events;
  if (p->measures && !p->events && !(k->m = lane_measures_new(arena, p))) return false;
  if (lane_guards_fit(p) && !(k->guards = lane_guards_new(arena, p))) return false;
  if (own) k->gathered = arena_array(arena, (size_t)p->y.total + 1, sizeof *k->gathered);
  for (int l = 0; own && l < lane_count; l++) k->bound[l] = run_new(arena, p);
  if (p->events && (p->events->delay_count || p->events->may_hold))
    k->kept = arena_array(arena, (size_t)p->y.total * lane_count, sizeof *k->kept);
  if (!k->w || arena_failed(arena)) return false;
  for (int l = 0; p->events && l < lane_count; l++) {
    listen_to_lane(k, k->bound[l]);
    k->bound[l]->z_changed = &k->z_changed[l];
    k->bound[l]->s->code = (CodeState){.backend = backend_interp, .next = UINT64_MAX};
    if (!run_reset(k->bound[l], NULL, NULL) && k->bound[l]->failure.status == run_no_memory) return false;
  }
  // lanes without a sample compute with the model's own values
  for (int l = 0; l < lane_count; l++) {
    memcpy(params_of(k, l), p->values.params, p->param_count * sizeof *k->params);
    put_params(k, l);
  }
  return true;
}

bool ensemble_work_in_lanes(EnsembleWorker *worker) {
  LaneWorker lanes = {.k = worker, .q = worker->q, .p = worker->q->p}, *k = &lanes;
  const SimProgram *p = k->p;
  bool ok = make_rooms(k);
  LaneProblem problem = {.n = p->y.total,
                         .checked = p->y.count,
                         .self = k,
                         .f = right_sides,
                         .jacobian = get_jacobian,
                         .kinds = p->y.kinds,
                         .project = p->constraints          ? project
                                    : p->s.tree.balls.count ? normalize
                                                            : NULL,
                         .rounding = rounding,
                         .empty = !p->s.energy.kept,
                         .total = p->total,
                         .alone = p->events ? problem_alone : NULL,
                         .conditions = k->guards ? conditions : NULL};
  LaneObserver observer = {k,
                           next_sample,
                           k->q->e->row ? sample_row : NULL,
                           sample_jumps,
                           sample_done,
                           asked_to_stop,
                           p->measures && gauge_follows(&p->measures->gauges) ? take_spans : NULL,
                           take_span_alone};
  while (ok && ensemble_wait(k->q))
    ok = ode_solve_lanes(worker->arena, &problem, &k->q->ode, &observer) && !k->no_memory;
  for (int l = 0; l < lane_count; l++) arena_free(k->times[l]);
  return ok;
}

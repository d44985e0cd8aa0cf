// Samples of an ensemble in eight SIMD lanes. A part of ensemble.h.
//
//   values of a sample --> all parameters and y(0) --integrate--> y(end) --tape of the rows--> final values
//
// A lane does what a run of its own does (motion.c), to the last bit. One that comes near to a singular position of its
// constraints leaves its lane, and its sample is taken again by such a run, which leaps over it or ends there.
//
// With events each lane has a run of its own that keeps its branches, memories and past (hybrid.h). Their values are
// variables of the tapes, so that eight right-hand sides are still evaluated at once.
#include "sim/ensemble_inside.h"
#include "sim/lane_measures.h"
#include "sim/lane_motions.h"

#include <string.h>

typedef struct LaneWorker {
  LaneMotions x; // first: callbacks of the lanes get the worker
  EnsembleWorker *k;
  EnsembleQueue *q;
  const SimProgram *p;
  double *rw;     // workspace of the rows, one lane
  double *values; // the columns of a row
  uint64_t sample[lane_count];
  bool undefined[lane_count]; // a row of it had an output without a value
  bool no_memory;
  Arena *times[lane_count]; // memory of the breaks of each lane
  double *start;            // y(0) of a sample that is taken again
  bool alone[lane_count];   // it comes near to a singular position
  double row_t[lane_count];
  LaneMeasures *m; // NULL: none are asked for
  Run *single;     // for samples that failed and are to say why; made when it is first needed
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

// ---- one sample

// Its parameters go into the lanes of all workspaces.
static void put_params(LaneWorker *k, int lane) {
  lane_motions_begin(&k->x, lane);
  if (k->m) lane_measures_begin(k->m, lane, lane_params(&k->x, lane));
}

// A sample with events starts. False: something ends it right there, or it cannot begin: a run of its own says why.
static bool begin_events(LaneWorker *k, int lane, double *y, OdeBreaks *breaks) {
  Run *r = k->x.bound[lane];
  if (!run_reset(r, lane_params(&k->x, lane), y) || !run_aim(r, k->p->settled.to) || run_begin(r) != action_go)
    return false;
  memcpy(y, r->y, k->p->y.total * sizeof *y);
  *breaks = r->ode.breaks;
  lane_motions_break(&k->x, lane, breaks);
  return true;
}

static bool find_breaks(LaneWorker *k, int lane, OdeBreaks *breaks) {
  const OdeSettings *ode = &k->p->settled.ode;
  if (!k->p->breaks || k->p->breaks->switches.count == 0) return true;
  arena_free(k->times[lane]);
  k->times[lane] = arena_new();
  if (!k->times[lane] ||
      !breaks_find(k->p->breaks, k->times[lane], lane_params(&k->x, lane), ode->t0, ode->t1, breaks)) {
    k->no_memory = true;
    return false;
  }
  lane_motions_break(&k->x, lane, breaks);
  return true;
}

// A start that obeys the constraints. False: there is none.
static bool assemble(LaneWorker *k, int lane, double *y) {
  Run *r = k->x.bound[lane];
  if (!run_reset(r, lane_params(&k->x, lane), y)) return false;
  memcpy(y, r->start, k->p->y.count * sizeof *y);
  k->alone[lane] = r->constraints.singular->start == start_singular || r->p->s.dependent;
  return true;
}

// The sample of a lane once more, by a run of its own.
static void take_alone(LaneWorker *k, int lane, Run *r) {
  const Ensemble *e = k->q->e;
  double *params = lane_params(&k->x, lane);
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
    if (!e->sample(e->self, k->k->index, sample, lane_params(&k->x, lane), y)) {
      ensemble_put_end(k->q, sample, &(EnsembleEnd){.status = run_input});
      continue;
    }
    for (uint32_t i = k->p->y.count; i < k->p->y.total; i++) y[i] = 0; // the account
    k->sample[lane] = sample;
    k->undefined[lane] = k->alone[lane] = false;
    k->row_t[lane] = -INFINITY;
    put_params(k, lane);
    if (k->p->constraints && !assemble(k, lane, y)) {
      ensemble_put_end(k->q, sample, &(EnsembleEnd){.status = k->x.bound[lane]->failure.status});
      continue;
    }
    if (!k->p->events) return find_breaks(k, lane, breaks);
    if (begin_events(k, lane, y, breaks)) return true;
    take_alone(k, lane, k->x.bound[lane]);
  }
  return false;
}

// Everything a row shows, of one lane.
static void eval_rows(LaneWorker *k, int lane, double t, const double *y) {
  const Tape *rows = k->p->rows;
  double *var = tape_vars(rows, k->rw);
  memcpy(k->rw, lane_params(&k->x, lane), k->p->param_count * sizeof *y);
  tape_prepare(rows, k->rw);
  if (k->p->events) {
    run_z(k->x.bound[lane], t, y);
    run_put_z(k->x.bound[lane], rows, k->rw);
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
  if (k->p->constraints) constraint_impulse(k->x.bound[lane], right, y);
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
    take_alone(k, lane, k->x.bound[lane]);
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
  const double *measures = k->p->events ? run_measures(k->x.bound[lane], o->t, y)
                           : k->m       ? lane_measures_end(k->m, lane, lane_params(&k->x, lane), o->t, y)
                                        : NULL;
  RunStatus status = o->status == ode_stopped                          ? run_interrupted
                     : o->status == ode_done || o->status == ode_ended ? run_done
                                                                       : run_failed;
  if (status == run_done && k->undefined[lane]) status = run_failed;
  ensemble_put_end(
      k->q, k->sample[lane],
      &(EnsembleEnd){status, o->t, values, o->steps, o->evaluations, measures, NULL, o->method == ode_rodas});
}

// ---- projection onto the constraints, lane by lane

static unsigned project(void *self, unsigned mask, const double *t, double *y, unsigned *failed) {
  enum { L = lane_count };
  LaneWorker *k = self;
  unsigned moved = 0;
  *failed = 0;
  for (unsigned l = 0; l < L; l++) {
    if (!(mask >> l & 1)) continue;
    for (uint32_t i = 0; i < k->p->y.count; i++) k->x.gathered[i] = y[(size_t)i * L + l];
    OdeProjection seen = k->alone[l] ? projection_failed : constraint_project(k->x.bound[l], t[l], k->x.gathered);
    k->alone[l] = k->alone[l] || (seen != projection_failed && singular_is_near(k->x.bound[l], t[l], k->x.gathered));
    if (k->alone[l]) seen = projection_failed;
    if (seen == projection_failed) *failed |= 1u << l;
    if (seen != projection_moved) continue;
    moved |= 1u << l;
    for (uint32_t i = 0; i < k->p->y.count; i++) y[(size_t)i * L + l] = k->x.gathered[i];
  }
  return moved;
}

// ---- native code

// Where the right-hand side is native, so is the Jacobian: made by the first worker that needs it.
static const Native *compile_jacobian(void *self, const Tape *tape) {
  LaneCode *c = ((LaneWorker *)self)->k->lanes;
  const char *why, *note;
  pthread_mutex_lock(&c->lock);
  if (!c->tried && c->f) {
    NativeSettings native = {.backend = backend_cc, .lanes = true, .self = c->self, .interrupted = c->interrupted};
    c->jacobian = native_new(c->arena, tape, &native, &why, &note);
  }
  c->tried = true;
  const Native *made = c->jacobian;
  pthread_mutex_unlock(&c->lock);
  return made;
}

static bool asked_to_stop(void *self) { return ensemble_asked_to_stop(((LaneWorker *)self)->q); }

static void take_spans(void *self, unsigned mask, const double *t0, const double *t1, LaneDense *dense, void *from) {
  LaneWorker *k = self;
  if (!k->p->events) {
    lane_measures_take(k->m, &(LaneSpan){mask, t0, t1, k->x.after_start, dense, from});
    return;
  }
  lane_motions_span(&k->x, mask, t0, t1, dense, from);
}

static void take_span_alone(void *self, int lane, double t0, double t1, OdeDense *dense, void *from) {
  LaneWorker *k = self;
  run_take_span(k->x.bound[lane], t0, t1, dense, from);
}

// ---- the whole

static bool make_rooms(LaneWorker *k) {
  const SimProgram *p = k->p;
  Arena *arena = k->k->arena;
  k->rw = arena_array(arena, p->rows->slot_count, sizeof *k->rw);
  k->values = arena_array(arena, (size_t)p->columns.count + 1, sizeof *k->values);
  k->start = arena_array(arena, (size_t)p->y.total + 1, sizeof *k->start);
  if (p->measures && !p->events && !(k->m = lane_measures_new(arena, p))) return false;
  if (!lane_motions_init(&k->x, arena, p) || arena_failed(arena)) return false;
  for (int l = 0; (p->constraints || p->events) && l < lane_count; l++) {
    Run *r = run_new(arena, p);
    if (!r) return false;
    lane_motions_own(&k->x, l, r);
    if (!p->events) continue;
    listen_to_lane(k, r);
    r->s->code = (CodeState){.backend = backend_interp, .next = UINT64_MAX};
    if (!run_reset(r, NULL, NULL) && r->failure.status == run_no_memory) return false;
  }
  for (int l = 0; l < lane_count; l++) put_params(k, l);
  return true;
}

bool ensemble_work_in_lanes(EnsembleWorker *worker) {
  LaneWorker lanes = {.k = worker, .q = worker->q, .p = worker->q->p}, *k = &lanes;
  const SimProgram *p = k->p;
  k->x.native = worker->lanes->f;
  k->x.asker = k;
  k->x.interrupted = asked_to_stop;
  k->x.compile = compile_jacobian;
  bool ok = make_rooms(k);
  LaneProblem problem = ok ? lane_motions_problem(&k->x) : (LaneProblem){0};
  if (p->constraints) problem.project = project;
  LaneObserver observer = {.self = k,
                           .next = next_sample,
                           .row = k->q->e->row ? sample_row : NULL,
                           .jump = sample_jumps,
                           .done = sample_done,
                           .stop = asked_to_stop,
                           .span = p->measures && gauge_follows(&p->measures->gauges) ? take_spans : NULL,
                           .span_alone = take_span_alone};
  while (ok && ensemble_wait(k->q))
    ok = ode_solve_lanes(worker->arena, &problem, &k->q->ode, &observer) && !k->no_memory;
  for (int l = 0; l < lane_count; l++) arena_free(k->times[l]);
  return ok;
}

// Samples of an ensemble in eight lanes. A part of ensemble.h.
//
//   values of a sample --> all parameters and y(0) --integrate--> y(end) --tape of the rows--> final values
//
// A lane does what a run of its own does (motion.c), to the last bit. One that comes near to a singular position of its
// constraints leaves its lane, and its sample is taken again by such a run, which leaps over it or ends there.
#include "sim/balls.h"
#include "sim/ensemble_inside.h"
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
  const TapeJacobian *j;
  LaneJacobian jacobian;
  LaneKit jacobian_kit;
  double *jw;     // lanes of the Jacobian
  double *errors; // room for the rounding of rates, and a workspace of one lane; made when a method asks for it
  // of constraints: a motion of each lane's own finds its start and brings it back; NULL: there are none
  Run *bound[lane_count];
  double *gathered;       // y of one lane
  double *start;          // y(0) of a sample that is taken again
  bool alone[lane_count]; // it comes near to a singular position
  double row_t[lane_count];
  LaneMeasures *m; // NULL: none are asked for
  Run *single;     // for samples that failed and are to say why; made when it is first needed
} LaneWorker;

// Held variables and events are kept by each run for itself; and where constraints may begin to move, fixed steps end
// at times of their own.
bool ensemble_in_lanes(const SimProgram *p) {
  const OdeMethod method = p->settled.ode.method;
  bool breaks = ode_is_fixed(method) && p->s.constraints.count && p->breaks && p->breaks->switches.count;
  return ode_in_lanes(method, p->y.count) && p->s.held.count == 0 && !p->events && !breaks;
}

static double *params_of(const LaneWorker *k, int lane) { return k->params + (size_t)lane * k->p->param_count; }

// ---- one sample

// Its parameters go into the lanes of all workspaces.
static void put_params(LaneWorker *k, int lane) {
  const double *params = params_of(k, lane);
  for (uint32_t i = 0; i < k->p->param_count; i++) k->w[(size_t)i * lane_count + (size_t)lane] = params[i];
  for (uint32_t i = 0; k->jw && i < k->p->param_count; i++) k->jw[(size_t)i * lane_count + (size_t)lane] = params[i];
  if (k->m) lane_measures_begin(k->m, lane, params);
  k->changed = true;
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
    if (k->gathered && !assemble(k, lane, y)) {
      ensemble_put_end(k->q, sample, &(EnsembleEnd){.status = k->bound[lane]->failure.status});
      continue;
    }
    return find_breaks(k, lane, breaks);
  }
  return false;
}

// Everything a row shows, of one lane.
static void eval_rows(LaneWorker *k, int lane, double t, const double *y) {
  const Tape *rows = k->p->rows;
  double *var = tape_vars(rows, k->rw);
  memcpy(k->rw, params_of(k, lane), k->p->param_count * sizeof *y);
  tape_prepare(rows, k->rw);
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

// The sample of a lane once more, by a run of its own.
static void take_alone(LaneWorker *k, int lane, Run *r) {
  const Ensemble *e = k->q->e;
  double *params = params_of(k, lane);
  if (r) r->s->code = (CodeState){.backend = backend_interp, .next = UINT64_MAX};
  if (!r || !e->sample(e->self, k->k->index, k->sample[lane], params, k->start) ||
      !ensemble_run_alone(k->q, r, k->sample[lane], k->row_t[lane], params, k->start))
    k->no_memory = true;
}

static Run *single(LaneWorker *k) {
  if (!k->single) k->single = run_new(k->k->arena, k->p);
  return k->single;
}

static void sample_done(void *self, int lane, const OdeResult *o, const double *y) {
  LaneWorker *k = self;
  bool failed = o->status != ode_done && o->status != ode_ended && o->status != ode_stopped;
  if (k->gathered && k->alone[lane] && o->status != ode_stopped) {
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
  const double *measures = k->m ? lane_measures_end(k->m, lane, params_of(k, lane), o->t, y) : NULL;
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

static unsigned right_sides(void *self, const double *times, const double *y, double *dydt) {
  enum { L = lane_count };
  LaneWorker *k = self;
  double t[L];
  seen_times(k, times, t);
  const Tape *f = k->p->f;
  if (k->changed) {
    lanes_prepare(&k->kit, k->w);
    if (k->jw) lanes_prepare(&k->jacobian_kit, k->jw);
    k->changed = false;
  }
  if (k->k->lanes->f) return lanes_rates(k->k->lanes->f, &k->kit, t, y, dydt, k->w);
  double *var = k->w + (size_t)f->param_count * L, sum[L] = {0};
  memcpy(var, t, L * sizeof *t);
  memcpy(var + L, y, (size_t)k->p->y.count * L * sizeof *y);
  lanes_eval(&k->kit, k->w);
  for (uint32_t i = 0; i < f->output_count; i++) {
    const double *v = k->w + (size_t)f->outputs[i] * L;
    double *out = dydt + (size_t)i * L;
    for (int l = 0; l < L; l++) {
      out[l] = v[l];
      sum[l] += v[l] - v[l]; // stays 0 unless something is not finite
    }
  }
  unsigned finite = 0;
  for (int l = 0; l < L; l++) finite |= sum[l] == 0 ? 1u << l : 0u;
  return finite;
}

// As run_rounding, of one lane.
static bool rounding(void *self, int lane, double t, const double *y, double *error) {
  enum { digits = 8 };
  LaneWorker *k = self;
  const Tape *f = k->p->f;
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
static void jacobians(void *self, const double *times, const double *y, double *entries) {
  enum { L = lane_count };
  LaneWorker *k = self;
  double t[L];
  seen_times(k, times, t);
  const Tape *tape = k->j->tape;
  const Native *native = k->k->lanes->jacobian;
  double *var = k->jw + (size_t)tape->param_count * L;
  memcpy(var, t, L * sizeof *t);
  memcpy(var + L, y, (size_t)k->p->y.count * L * sizeof *y);
  if (native) lanes_native(native, &k->jacobian_kit, k->jw);
  else lanes_eval(&k->jacobian_kit, k->jw);
  for (uint32_t i = 0; i < k->j->count; i++) {
    const double *v = k->jw + (size_t)tape->outputs[i] * L;
    for (int l = 0; l < L; l++) entries[(size_t)i * L + (size_t)l] = isfinite(v[l]) ? v[l] : 0;
  }
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

static void take_spans(void *self, unsigned mask, const double *t0, const double *t1, LaneDense *dense, void *from) {
  LaneWorker *k = self;
  lane_measures_take(k->m, &(LaneSpan){mask, t0, t1, k->after_start, dense, from});
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
  if (p->measures && !(k->m = lane_measures_new(arena, p))) return false;
  if (p->constraints) k->gathered = arena_array(arena, (size_t)p->y.total + 1, sizeof *k->gathered);
  for (int l = 0; p->constraints && l < lane_count; l++) k->bound[l] = run_new(arena, p);
  if (!k->w || arena_failed(arena)) return false;
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
                         .rounding = rounding};
  LaneObserver observer = {k,
                           next_sample,
                           k->q->e->row ? sample_row : NULL,
                           sample_jumps,
                           sample_done,
                           asked_to_stop,
                           k->m && gauge_follows(&p->measures->gauges) ? take_spans : NULL};
  while (ok && ensemble_wait(k->q))
    ok = ode_solve_lanes(worker->arena, &problem, &k->q->ode, &observer) && !k->no_memory;
  for (int l = 0; l < lane_count; l++) arena_free(k->times[l]);
  return ok;
}

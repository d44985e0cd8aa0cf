// Many motions of one model.
//
//   values of a sample --tape--> all parameters and y(0) --integrate--> y(end) --tape of the rows--> final values
#define _XOPEN_SOURCE 700
#include "sim/batch.h"

#include "sim/breaks.h"
#include "sim/plan.h"
#include "solve/lanes.h"
#include "tape/jacobian.h"
#include "tape/lanes.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

// What a name of the batch changes.
typedef struct Target {
  bool param;
  uint32_t index; // of the variable of `values` for a parameter, of y for a starting value
} Target;

typedef struct Batch {
  const BatchSettings *settings;
  BatchResult *r;
  RunPlan plan;
  Target *targets;
  const Tape *values; // variables: the parameters that differ; results: all parameters, then y(0)
  Native *native;
  // the Jacobian: made by the first worker that needs it
  pthread_mutex_t lock;
  const TapeJacobian *j;
  Native *jacobian_native;
  Arena *arena;
  atomic_uint_fast64_t next, steps, evaluations, failed;
  atomic_bool stop, no_memory;
} Batch;

typedef struct Worker {
  Batch *b;
  Arena *arena;
  LaneKit kit;
  double *w;       // lanes of f; NULL: one sample at a time
  double *vw, *rw; // workspaces of `values` and of the rows, one lane
  double *params;  // of each lane
  uint64_t sample[lane_count];
  const double *held; // see run_held
  RunWorker *worker;  // one by one
  bool changed;       // parameters of some lane: to be prepared
  // methods with steps of their own
  System s; // with a pool of its own, for breaks
  ExprPool pool;
  bool breaks;               // there may be some
  Arena *places[lane_count]; // memory of the breaks of each lane
  bool late[lane_count];     // OdeBreaks.late of each
  LaneJacobian jacobian;
  LaneKit jacobian_kit;
  double *jw; // lanes of the Jacobian
  pthread_t thread;
} Worker;

// ---- names

// Does y start there as the model says? Not where a velocity follows from an equation of first order, nor where what is
// integrated instead of it depends on a place.
static bool start_is_free(RunPlan *p, uint32_t k) {
  const System *m = &p->s;
  if (k >= p->n && k < 2 * p->n) return p->s.speeds[k - p->n].symbol == m->coords.items[k - p->n].v;
  if (k < p->n && p->s.order_zero[k]) return false;
  for (uint32_t i = 0; k < p->n && i < p->n; i++) {
    const Speed *speed = &p->s.speeds[i];
    if (speed->symbol && speed->symbol != m->coords.items[i].v &&
        expr_depends(&p->pool, speed->meaning, m->coords.items[k].q))
      return false;
  }
  return true;
}

static bool find_targets(Batch *b, Arena *arena, const System *m, Diags *diags, SymbolId *vars, uint32_t *var_count) {
  const BatchSettings *s = b->settings;
  RunPlan *p = &b->plan;
  b->targets = arena_array(arena, (size_t)s->name_count + 1, sizeof *b->targets);
  if (!b->targets) return false;
  for (uint32_t i = 0; i < s->name_count; i++) {
    bool found = false;
    for (uint32_t k = 0; k < m->params.count && !found; k++) {
      const ModelParam *q = &m->params.items[k];
      if (strcmp(q->name, s->names[i]) != 0) continue;
      found = true;
      if (q->structural)
        diag_error(diags, diag_bad_setting, (Span){0},
                   "`%s` says how many things there are: it cannot differ within a batch", s->names[i]);
      vars[*var_count] = q->symbol;
      b->targets[i] = (Target){true, (*var_count)++};
    }
    for (uint32_t k = 0; k < p->dim && !found; k++) {
      if (strcmp(p->state_names[k], s->names[i]) != 0) continue;
      found = true;
      if (!start_is_free(p, k)) {
        diag_error(diags, diag_bad_setting, (Span){0},
                   "the starting value of `%s` is not free: it follows from an equation of first order", s->names[i]);
      }
      b->targets[i] = (Target){false, k};
    }
    if (!found)
      diag_error(diags, diag_unknown_name, (Span){0}, "there is no parameter or starting value `%s`", s->names[i]);
    for (uint32_t k = 0; k < i && found; k++) {
      if (strcmp(s->names[k], s->names[i]) == 0)
        diag_error(diags, diag_bad_setting, (Span){0}, "`%s` stands twice", s->names[i]);
    }
  }
  return true;
}

// Held variables are kept by each run for itself.
static bool in_lanes(const RunPlan *p) { return ode_in_lanes(p->ode.method, p->dim) && p->s.held.count == 0 && !p->h; }

// ---- one sample

// The next sample goes into a lane: its parameters and its start.
static bool next_sample(void *self, int lane, double *y, OdeBreaks *breaks) {
  Worker *k = self;
  Batch *b = k->b;
  const BatchSettings *s = b->settings;
  const RunPlan *p = &b->plan;
  for (;;) {
    uint64_t sample = atomic_fetch_add(&b->next, 1);
    if (sample >= s->count || atomic_load(&b->stop)) return false;
    const double *row = s->name_count ? s->values + sample * s->name_count : NULL;
    for (uint32_t i = 0; i < s->name_count; i++) {
      if (b->targets[i].param) tape_vars(b->values, k->vw)[b->targets[i].index] = row[i];
    }
    tape_prepare(b->values, k->vw);
    tape_eval(b->values, k->vw);
    double *params = k->params + (size_t)lane * p->param_count;
    bool finite = true;
    for (uint32_t i = 0; i < p->param_count; i++) {
      params[i] = tape_result(b->values, k->vw, i);
      finite = finite && isfinite(params[i]);
    }
    for (uint32_t i = 0; i < p->dim; i++) y[i] = tape_result(b->values, k->vw, p->param_count + i);
    for (uint32_t i = 0; i < s->name_count; i++) {
      if (!b->targets[i].param) y[b->targets[i].index] = row[i];
    }
    for (uint32_t i = 0; i < p->dim; i++) finite = finite && isfinite(y[i]);
    y[p->dim] = y[p->dim + 1] = 0; // the account
    if (!finite) {
      b->r->statuses[sample] = run_input;
      atomic_fetch_add(&b->failed, 1);
      continue;
    }
    for (uint32_t i = 0; k->w && i < p->param_count; i++) k->w[(size_t)i * lane_count + (size_t)lane] = params[i];
    for (uint32_t i = 0; k->jw && i < p->param_count; i++) k->jw[(size_t)i * lane_count + (size_t)lane] = params[i];
    k->sample[lane] = sample;
    k->changed = true;
    if (!k->breaks) return true;
    arena_free(k->places[lane]);
    k->places[lane] = arena_new();
    if (k->places[lane] && find_breaks(k->places[lane], &k->s, params, p->ode.t0, p->ode.t1, breaks)) {
      k->late[lane] = breaks->late;
      return true;
    }
    atomic_store(&b->no_memory, true);
    atomic_store(&b->stop, true);
    return false;
  }
}

// Everything a row shows, of one lane.
static const double *show(Worker *k, int lane, double t, const double *y) {
  const RunPlan *p = &k->b->plan;
  const Tape *rows = p->rows;
  memcpy(k->rw, k->params + (size_t)lane * p->param_count, p->param_count * sizeof *y);
  tape_prepare(rows, k->rw);
  tape_vars(rows, k->rw)[0] = t;
  memcpy(tape_vars(rows, k->rw) + 1, y, ((size_t)p->dim + 2) * sizeof *y);
  uint32_t held = p->s.held.count;
  double *behind = tape_vars(rows, k->rw) + rows->var_count - rows->held_count;
  if (held) memcpy(behind, k->held, held * sizeof *y);
  if (p->h && rows->held_count > held)
    memcpy(behind + held, run_modes(k->worker, t, y), (rows->held_count - held) * sizeof *y);
  tape_eval(rows, k->rw);
  return k->rw;
}

// As run_take_jump.
static void sample_jumps(void *self, int lane, double left, double right, double *y) {
  Worker *k = self;
  const RunPlan *p = &k->b->plan;
  if (!p->s.energy.kept) return;
  double after = tape_result(p->rows, show(k, lane, right, y), p->stored_at);
  y[p->dim + 1] += after - tape_result(p->rows, show(k, lane, left, y), p->stored_at);
}

static void sample_done(void *self, int lane, const OdeResult *result, const double *y) {
  Worker *k = self;
  Batch *b = k->b;
  const Tape *rows = b->plan.rows;
  uint64_t sample = k->sample[lane];
  show(k, lane, result->t, y);
  double *out = b->r->values + sample * b->r->value_count;
  for (uint32_t i = 0; i < b->r->value_count; i++) out[i] = tape_result(rows, k->rw, i);
  b->r->times[sample] = result->t;
  RunStatus status = result->status == ode_done || result->status == ode_ended ? run_done
                     : result->status == ode_stopped                           ? run_interrupted
                                                                               : run_failed;
  // an output without a value ends a run of its own, too
  for (uint32_t i = 0; i < b->plan.s.outputs.count && i < b->r->value_count && status == run_done; i++) {
    if (!isfinite(out[i])) status = run_failed;
  }
  b->r->statuses[sample] = (uint8_t)status;
  atomic_fetch_add(&b->steps, result->steps);
  atomic_fetch_add(&b->evaluations, result->evaluations);
  if (status != run_done) atomic_fetch_add(&b->failed, 1);
}

// ---- eight right-hand sides

static void seen_times(const Worker *k, const double *t, double *seen) {
  for (int l = 0; l < lane_count; l++) seen[l] = ode_seen(k->late[l], k->b->plan.ode.t0, t[l]);
}

static unsigned right_sides(void *self, const double *times, const double *y, double *dydt) {
  enum { L = lane_count };
  Worker *k = self;
  double t[L];
  seen_times(k, times, t);
  const RunPlan *p = &k->b->plan;
  const Tape *f = p->f;
  if (k->changed) {
    lanes_prepare(&k->kit, k->w);
    if (k->jw) lanes_prepare(&k->jacobian_kit, k->jw);
    k->changed = false;
  }
  if (k->b->native) return lanes_rates(k->b->native, &k->kit, t, y, dydt, k->w);
  double *var = k->w + (size_t)f->param_count * L, sum[L] = {0};
  memcpy(var, t, L * sizeof *t);
  memcpy(var + L, y, (size_t)p->dim * L * sizeof *y);
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

// As eval_jacobian of run_tapes.c. A right-hand side at the same place was asked for before, so all is prepared.
static void jacobians(void *self, const double *times, const double *y, double *entries) {
  enum { L = lane_count };
  Worker *k = self;
  double t[L];
  seen_times(k, times, t);
  const Batch *b = k->b;
  const Tape *tape = b->j->tape;
  double *var = k->jw + (size_t)tape->param_count * L;
  memcpy(var, t, L * sizeof *t);
  memcpy(var + L, y, (size_t)b->plan.dim * L * sizeof *y);
  if (b->jacobian_native) lanes_native(b->jacobian_native, &k->jacobian_kit, k->jw);
  else lanes_eval(&k->jacobian_kit, k->jw);
  for (uint32_t i = 0; i < b->j->count; i++) {
    const double *v = k->jw + (size_t)tape->outputs[i] * L;
    for (int l = 0; l < L; l++) entries[(size_t)i * L + (size_t)l] = isfinite(v[l]) ? v[l] : 0;
  }
}

static const LaneJacobian *get_jacobian(void *self) {
  Worker *k = self;
  Batch *b = k->b;
  RunPlan *p = &b->plan;
  pthread_mutex_lock(&b->lock);
  if (!b->j) {
    const RunSettings *s = &b->settings->run;
    const char *why, *note;
    b->j = tape_jacobian(
        b->arena, &p->s,
        (ExprId[]){p->s.energy.flows.items[flow_dissipated].power, p->s.energy.flows.items[flow_supplied].power}, 2,
        p->large);
    NativeSettings native = {.backend = backend_cc, .lanes = true, .self = s->self, .interrupted = s->interrupted};
    if (b->j && b->native) b->jacobian_native = native_new(b->arena, b->j->tape, &native, &why, &note);
  }
  const TapeJacobian *j = b->j;
  pthread_mutex_unlock(&b->lock);
  if (!j || k->jw) return j ? &k->jacobian : NULL;
  k->jacobian_kit = lanes_kit(j->tape);
  k->jw = lanes_workspace(k->arena, j->tape);
  if (!k->jw) return NULL;
  memcpy(k->jw, k->w, (size_t)p->param_count * lane_count * sizeof *k->jw);
  lanes_prepare(&k->jacobian_kit, k->jw);
  k->jacobian = (LaneJacobian){j->start, j->row, j->count, jacobians};
  return &k->jacobian;
}

static bool asked_to_stop(void *self) {
  Worker *k = self;
  const RunSettings *s = &k->b->settings->run;
  if (s->interrupted && s->interrupted(s->self)) atomic_store(&k->b->stop, true);
  return atomic_load(&k->b->stop);
}

// ---- the whole

static bool work_in_lanes(Worker *k) {
  const RunPlan *p = &k->b->plan;
  k->kit = lanes_kit(p->f);
  k->w = lanes_workspace(k->arena, p->f);
  if (!k->w) return false;
  // lanes without a sample compute with the model's own values
  for (uint32_t i = 0; i < p->param_count; i++) {
    for (int l = 0; l < lane_count; l++) k->w[(size_t)i * lane_count + (size_t)l] = p->params[i];
  }
  k->changed = true;
  if (!ode_is_fixed(p->ode.method)) {
    // another worker may build the Jacobian already, which adds to the pool of the plan
    pthread_mutex_lock(&k->b->lock);
    bool cloned = system_clone(&k->s, &p->s, &k->pool, k->arena);
    pthread_mutex_unlock(&k->b->lock);
    if (!cloned) return false;
    k->breaks = breaks_possible(k->arena, &k->s);
  }
  LaneProblem problem = {p->dim + 2, p->dim, k, right_sides, get_jacobian, {p->n, 2 * p->n}, NULL};
  LaneObserver observer = {k, next_sample, NULL, sample_jumps, sample_done, asked_to_stop};
  bool ok = ode_solve_lanes(k->arena, &problem, &p->ode, &observer);
  for (int l = 0; l < lane_count; l++) arena_free(k->places[l]);
  return ok;
}

static bool work_one_by_one(Worker *k) {
  const RunPlan *p = &k->b->plan;
  RunSettings settings = {.self = k, .interrupted = asked_to_stop};
  RunWorker *worker = run_worker(k->arena, p, &settings, k->b->native);
  double *y = arena_array(k->arena, (size_t)p->dim + 2, sizeof *y);
  bool ok = worker && y;
  k->worker = worker;
  if (ok) k->held = run_held(worker);
  while (ok && !asked_to_stop(k) && next_sample(k, 0, y, NULL)) {
    Arena *arena = arena_new(); // of this sample
    OdeResult r = {.status = ode_no_memory};
    if (arena) r = run_sample(worker, arena, k->params, y);
    ok = r.status != ode_no_memory;
    if (ok) sample_done(k, 0, &r, y);
    arena_free(arena);
  }
  return ok;
}

static void *work(void *self) {
  Worker *k = self;
  Batch *b = k->b;
  const RunPlan *p = &b->plan;
  k->arena = arena_new();
  if (k->arena) {
    k->vw = arena_array(k->arena, b->values->slot_count, sizeof *k->vw);
    k->rw = arena_array(k->arena, p->rows->slot_count, sizeof *k->rw);
    k->params = arena_array(k->arena, (size_t)p->param_count * lane_count + 1, sizeof *k->params);
  }
  bool ok = k->arena && !arena_failed(k->arena) && (in_lanes(p) ? work_in_lanes(k) : work_one_by_one(k));
  if (!ok) {
    atomic_store(&b->no_memory, true);
    atomic_store(&b->stop, true);
  }
  arena_free(k->arena);
  return NULL;
}

static bool compile(Batch *b, Arena *arena, Backend backend, bool lanes) {
  const RunSettings *s = &b->settings->run;
  const char *why, *note;
  b->native =
      native_new(arena, b->plan.f,
                 &(NativeSettings){
                     .backend = backend, .lanes = lanes, .rates = true, .self = s->self, .interrupted = s->interrupted},
                 &why, &note);
  b->r->backend_note = b->native ? note : why;
  if (b->native) b->r->backend = backend;
  return b->native != NULL;
}

// Compiled code where the counted work pays; a sample with steps of its own is taken for 1000 evaluations.
static void choose_backend(Batch *b, Arena *arena, Backend wanted) {
  const RunPlan *p = &b->plan;
  bool fixed = ode_is_fixed(p->ode.method);
  double each = fixed ? (p->ode.t1 - p->ode.t0) / p->ode.step * ode_order(p->ode.method) : 1000,
         work = each * (double)b->settings->count;
  b->r->backend = backend_interp;
  if (wanted == backend_interp) return;
  if (in_lanes(p)) {
    if (wanted == backend_tcc) b->r->backend_note = "tcc makes no lanes";
    else if (wanted == backend_cc || work >= 6e8 / (p->f->op_count + 1) + 2e6) compile(b, arena, backend_cc, true);
    return;
  }
  if (wanted != backend_auto) {
    compile(b, arena, wanted, false);
    return;
  }
  NativeCost cost = native_cost(p->f);
  Backend first = work >= (double)native_pays(cost, backend_cc, true) ? backend_cc : native_first(cost);
  Backend second = first == backend_cc ? backend_tcc : backend_cc;
  if (work >= (double)native_pays(cost, first, false) && compile(b, arena, first, false)) return;
  if (work >= (double)native_pays(cost, second, false)) compile(b, arena, second, false);
}

BatchResult batch_run(Arena *arena, const System *system, const BatchSettings *s, Diags *diags) {
  BatchResult result = {.status = run_no_memory}, *r = &result;
  Batch batch = {.settings = s, .r = r, .arena = arena}, *b = &batch;
  Backend wanted = backend_auto;
  RunStatus planned = run_plan(arena, system, &s->run, diags, &b->plan, &wanted);
  if (planned != run_done) {
    r->status = planned;
    return result;
  }
  RunPlan *p = &b->plan;
  SymbolId *vars = arena_array(arena, (size_t)s->name_count + 1, sizeof *vars);
  uint32_t var_count = 0;
  if (!vars || !find_targets(b, arena, system, diags, vars, &var_count)) return result;
  if (diags->errors) {
    r->status = run_input;
    return result;
  }
  b->values = run_values(arena, p, vars, var_count);
  r->names = p->columns;
  r->value_count = p->column_count;
  r->values = arena_array(arena, (size_t)s->count * p->column_count + 1, sizeof *r->values);
  r->statuses = arena_array(arena, (size_t)s->count + 1, sizeof *r->statuses);
  r->times = arena_array(arena, (size_t)s->count + 1, sizeof *r->times);
  if (!b->values || !r->values || !r->statuses || !r->times) return result;
  for (size_t i = 0; i < (size_t)s->count * p->column_count; i++) r->values[i] = NAN;
  memset(r->statuses, run_interrupted, (size_t)s->count); // until it is done
  choose_backend(b, arena, wanted);
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  uint64_t threads = s->threads       ? s->threads
                     : processors > 0 ? (uint64_t)processors
                                      : 1,
           size = in_lanes(p) ? lane_count : 1, blocks = (s->count + size - 1) / size;
  if (threads > blocks) threads = blocks ? blocks : 1;
  if (threads > 1024) threads = 1024;
  Worker *workers = arena_array(arena, (size_t)threads, sizeof *workers);
  if (workers && pthread_mutex_init(&b->lock, NULL) == 0) {
    uint64_t started = 0;
    for (uint64_t i = 0; i < threads; i++) workers[i].b = b;
    // the caller's thread is the first worker; where no further thread can be had, fewer do it all
    while (started + 1 < threads &&
           pthread_create(&workers[started + 1].thread, NULL, work, &workers[started + 1]) == 0)
      started++;
    work(&workers[0]);
    for (uint64_t i = 1; i <= started; i++) pthread_join(workers[i].thread, NULL);
    pthread_mutex_destroy(&b->lock);
  }
  native_free(b->native);
  native_free(b->jacobian_native);
  r->steps = atomic_load(&b->steps);
  r->evaluations = atomic_load(&b->evaluations);
  r->failed = atomic_load(&b->failed);
  bool interrupted = atomic_load(&b->stop);
  r->status = !workers || atomic_load(&b->no_memory) ? run_no_memory : interrupted ? run_interrupted : run_done;
  return result;
}

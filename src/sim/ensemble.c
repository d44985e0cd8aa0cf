// Ensemble of simulations: threads, back end, and samples one by one.
#define _XOPEN_SOURCE 700
#include "sim/ensemble_inside.h"

#include "sim/explain.h"
#include "solve/lanes.h"

#include <string.h>
#include <unistd.h>

// ---- one by one

typedef struct OneByOne {
  EnsembleQueue *q;
  uint64_t sample;
  double known; // rows up to this time are there
  bool no_memory;
} OneByOne;

static bool take_row(void *self, const double *row, size_t count) {
  OneByOne *k = self;
  (void)count;
  if (row[0] <= k->known) return true;
  k->no_memory = !ensemble_put_row(k->q, k->sample, row[0], row + 1);
  return !k->no_memory;
}

static RunStatus status_of(const Run *r, const OdeResult *o) {
  if (r->failure.status == run_failed) return run_failed; // an output without a value
  if (o->status == ode_done || o->status == ode_ended) return run_done;
  return o->status == ode_stopped ? run_interrupted : run_failed;
}

// The final values at the time that the run reached.
static const double *final_values(Run *r, const OdeResult *o) {
  const Tape *rows = r->p->rows;
  size_t n = r->p->y.total;
  bool ended = o->status == ode_done || o->status == ode_ended;
  const double *y = ended ? r->last : r->y;
  double *var = tape_vars(rows, r->rw);
  run_put_held(r, rows, r->rw);
  if (r->h) {
    run_z(r, o->t, y);
    run_put_z(r, rows, r->rw);
  }
  var[0] = o->t;
  memcpy(var + 1, y, n * sizeof *y);
  tape_eval(rows, r->rw);
  for (uint32_t i = 0; i < r->p->columns.count; i++) r->values[i] = tape_result(rows, r->rw, i);
  return r->values;
}

// One sample. False: out of memory.
bool ensemble_run_alone(EnsembleQueue *q, Run *r, uint64_t sample, double known, const double *params,
                        const double *y0) {
  OneByOne one = {.q = q, .sample = sample, .known = known}, *k = &one;
  Sink sink = {.self = k, .row = take_row};
  run_listen(r, (RunListener){.sink = q->e->row ? &sink : NULL,
                              .quiet = !q->e->row,
                              .times = q->ode.times,
                              .time_count = q->ode.time_count,
                              .self = q,
                              .interrupted = ensemble_asked_to_stop});
  bool ok = run_reset(r, params, y0);
  if (r->failure.status == run_no_memory) return false;
  EnsembleEnd end = {.status = r->failure.status, .t = r->ode.t0, .message = r->failure.message};
  if (ok) {
    OdeResult o = run_to(r, r->p->settled.to);
    if (o.status == ode_no_memory || k->no_memory) return false;
    bool ended = o.status == ode_done || o.status == ode_ended;
    const double *y = ended ? r->last : r->y;
    if (q->e->messages && !ended && o.status != ode_stopped) explain_end(r, &o, r->y);
    end = (EnsembleEnd){status_of(r, &o),    o.t,
                        final_values(r, &o), o.steps,
                        o.evaluations,       run_measures(r, o.t, y),
                        r->failure.message,  o.method == ode_rodas};
    for (uint32_t i = 0; i < r->p->columns.outputs && end.status == run_done; i++) {
      if (!isfinite(r->values[i])) end.status = run_failed; // it ends a run of its own, too
    }
  }
  ensemble_put_end(q, sample, &end);
  return true;
}

static bool work_one_by_one(EnsembleWorker *w) {
  EnsembleQueue *q = w->q;
  const SimProgram *p = q->p;
  uint64_t sample;
  Run *r = run_new(w->arena, p);
  double *params = arena_array(w->arena, (size_t)p->param_count + 1, sizeof *params),
         *y0 = arena_array(w->arena, p->y.total, sizeof *y0);
  if (!r || !params || !y0) return false;
  r->s->code = (CodeState){.backend = w->backend, .next = UINT64_MAX};
  while (!ensemble_asked_to_stop(q) && ensemble_wait(q)) {
    if (!ensemble_next(q, &sample)) continue; // another thread was faster
    if (!q->e->sample(q->e->self, w->index, sample, params, y0))
      ensemble_put_end(q, sample, &(EnsembleEnd){.status = run_input});
    else if (!ensemble_run_alone(q, r, sample, -INFINITY, params, y0)) return false;
  }
  return true;
}

// ---- the whole

static void *work(void *self) {
  EnsembleWorker *k = self;
  k->arena = arena_new();
  if (!k->arena || !(k->lanes ? ensemble_work_in_lanes(k) : work_one_by_one(k))) ensemble_give_up(k->q);
  arena_free(k->arena);
  return NULL;
}

uint32_t ensemble_threads(const SimProgram *p, uint64_t count, uint32_t threads) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  uint64_t n = threads ? threads : processors > 0 ? (uint64_t)processors : 1;
  uint64_t size = ensemble_in_lanes(p) ? ode_lanes : 1, blocks = (count + size - 1) / size;
  if (n > blocks) n = blocks ? blocks : 1;
  return n > 1024 ? 1024 : (uint32_t)n;
}

// The caller's thread is the first worker; where no further thread can be had, fewer do it all.
static void work_together(EnsembleWorker *workers, uint32_t threads) {
  uint32_t started = 0;
  while (started + 1 < threads && pthread_create(&workers[started + 1].thread, NULL, work, &workers[started + 1]) == 0)
    started++;
  work(&workers[0]);
  for (uint32_t i = 1; i <= started; i++) pthread_join(workers[i].thread, NULL);
}

// Compiled code where the counted work pays; a sample with steps of its own is taken for 1000 evaluations.
typedef struct BackendChoice {
  Backend order[2]; // tried one after the other; backend_interp: no more
} BackendChoice;

static double evaluations(const SimProgram *p, uint64_t count) {
  const OdeSettings *ode = &p->settled.ode;
  return (p->settled.fixed ? (ode->t1 - ode->t0) / ode->step * ode_work(ode->method) : 1000) * (double)count;
}

static BackendChoice choose_backend(const SimProgram *p, Backend wanted, uint64_t count) {
  double work = evaluations(p, count);
  BackendChoice none = {{backend_interp, backend_interp}}, c = none;
  if (wanted == backend_interp) return none;
  if (ensemble_in_lanes(p)) {
    bool pays = work >= 6e8 / (p->f->op_count + 1) + 2e6;
    if (wanted == backend_cc || (wanted == backend_auto && pays)) c.order[0] = backend_cc;
    return c;
  }
  if (wanted != backend_auto) {
    c.order[0] = wanted;
    return c;
  }
  NativeCost cost = native_cost(p->f);
  Backend first = work >= (double)native_pays(cost, backend_cc, true) ? backend_cc : native_first(cost),
          second = first == backend_cc ? backend_tcc : backend_cc;
  if (work >= (double)native_pays(cost, first, false)) c.order[0] = first;
  if (work >= (double)native_pays(cost, second, false)) c.order[1] = second;
  return c;
}

// Native code by the first back end that gives some.
static Native *compile(Arena *arena, const SimProgram *p, const Ensemble *e, BackendChoice c, EnsembleResult *r) {
  for (int i = 0; i < 2; i++) {
    const char *why, *note;
    if (c.order[i] == backend_interp) continue;
    Native *native = native_new(arena, p->f,
                                &(NativeSettings){.backend = c.order[i],
                                                  .lanes = ensemble_in_lanes(p),
                                                  .rates = true,
                                                  .self = e->asker,
                                                  .interrupted = e->interrupted},
                                &why, &note);
    r->backend_note = native ? note : why;
    if (native) r->backend = c.order[i];
    if (native) return native;
  }
  return NULL;
}

// The code of all parts: compiled by the first one.
static void make_code(SimProgram *p, const Ensemble *e, EnsembleCode *code) {
  EnsembleResult r = {.backend = backend_interp};
  bool lanes = ensemble_in_lanes(p);
  Backend wanted = p->settled.backend;
  if (code->made) return;
  if (lanes && wanted == backend_tcc) r.backend_note = "tcc makes no lanes";
  Native *native = compile(p->arena, p, e, choose_backend(p, wanted, e->whole ? e->whole : e->count), &r);
  p->settled.backend = backend_interp; // Jacobians of single runs
  if (!lanes) p->lazy->f.native[r.backend] = native;
  *code = (EnsembleCode){.made = true, .backend = r.backend, .note = r.backend_note, .f = lanes ? native : NULL};
}

void ensemble_code_free(EnsembleCode *code) {
  native_free(code->f);
  native_free(code->jacobian);
}

static void run_workers(EnsembleQueue *q, EnsembleWorker *workers, uint32_t threads, EnsembleCode *code) {
  const Ensemble *e = q->e;
  LaneCode lanes = {.p = q->p,
                    .f = code->f,
                    .arena = q->p->arena,
                    .tried = code->jacobian_tried,
                    .jacobian = code->jacobian,
                    .self = e->asker,
                    .interrupted = e->interrupted};
  bool in_lanes = ensemble_in_lanes(q->p);
  if (pthread_mutex_init(&lanes.lock, NULL) != 0) {
    atomic_store(&q->no_memory, true);
    return;
  }
  for (uint32_t i = 0; i < threads; i++)
    workers[i] = (EnsembleWorker){.q = q, .index = i, .backend = code->backend, .lanes = in_lanes ? &lanes : NULL};
  work_together(workers, threads);
  pthread_mutex_destroy(&lanes.lock);
  code->jacobian = lanes.jacobian;
  code->jacobian_tried = lanes.tried;
}

EnsembleResult ensemble_run(SimProgram *p, const Ensemble *e, uint32_t threads) {
  EnsembleResult r = {.status = run_no_memory, .backend = backend_interp};
  EnsembleQueue queue, *q = &queue;
  EnsembleCode own = {0}, *code = e->code ? e->code : &own;
  Arena *arena = arena_new();
  EnsembleWorker *workers = arena ? arena_array(arena, threads, sizeof *workers) : NULL;
  if (workers && ensemble_open(q, arena, p, e)) {
    make_code(p, e, code);
    r.backend = code->backend;
    r.backend_note = code->note;
    run_workers(q, workers, threads, code);
    r.status = atomic_load(&q->no_memory) ? run_no_memory : atomic_load(&q->stop) ? run_interrupted : run_done;
    ensemble_close(q);
  }
  if (!e->code) ensemble_code_free(code);
  arena_free(arena);
  return r;
}

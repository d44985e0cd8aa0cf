// Parameter study: number of a sample --design.c--> values --vary.c--> parameters and y(0) --ensemble.c--> measures.
#include "sim/sweep.h"

#include "sim/samples.h"

#include <string.h>

typedef struct SampleSweep {
  const SweepSettings *settings;
  uint64_t first;
  Variation vary;
  double **w, **values; // by thread: workspace of the varied values, values of a sample
  double *shown;        // those of the sample that is taken
} SampleSweep;

static bool sample(void *self, uint32_t thread, uint64_t i, double *params, double *y0) {
  const SampleSweep *x = self;
  design_sample(x->settings->design, x->first + i, x->values[thread]);
  return vary_eval(&x->vary, x->w[thread], x->values[thread], params, y0);
}

static bool take(void *self, uint64_t i, const EnsembleEnd *end) {
  SampleSweep *x = self;
  const SweepSettings *s = x->settings;
  if (end->status == run_interrupted) return false; // it is no result: to be taken again
  design_sample(s->design, x->first + i, x->shown);
  return s->take(s->self, x->first + i, x->shown, end);
}

static bool row(void *self, uint64_t i, double t, const double *columns) {
  const SampleSweep *x = self;
  const SweepSettings *s = x->settings;
  return s->row(s->self, x->first + i, t, columns);
}

static bool make_rooms(SampleSweep *x, Arena *arena, uint32_t threads) {
  size_t count = (size_t)x->settings->name_count + 1;
  x->w = arena_array(arena, threads, sizeof *x->w);
  x->values = arena_array(arena, threads, sizeof *x->values);
  x->shown = arena_array(arena, count, sizeof *x->shown);
  if (arena_failed(arena)) return false;
  for (uint32_t i = 0; i < threads; i++) {
    x->w[i] = arena_array(arena, x->vary.tape->slot_count, sizeof **x->w);
    x->values[i] = arena_array(arena, count, sizeof **x->values);
  }
  return !arena_failed(arena);
}

// One part of the samples.
static void run_part(SampleSweep *x, SimProgram *p, EnsembleCode *code, uint64_t end, SweepResult *r) {
  const SweepSettings *s = x->settings;
  Ensemble e = {.self = x,
                .count = end - x->first,
                .whole = s->count,
                .code = code,
                .sample = sample,
                .row = s->row ? row : NULL,
                .take = take,
                .messages = true,
                .asker = s->run.self,
                .interrupted = s->run.interrupted};
  EnsembleResult done = ensemble_run(p, &e, ensemble_threads(p, e.count, r->threads));
  r->status = done.status;
  r->backend = done.backend;
  r->backend_note = done.backend_note;
}

static void run_all(SampleSweep *x, Arena *arena, SimProgram *p, SweepResult *r) {
  const SweepSettings *s = x->settings;
  EnsembleCode code = {0};
  uint64_t end;
  r->settled = p->settled;
  r->threads = ensemble_threads(p, s->count, s->threads);
  r->status = run_no_memory;
  if (!make_rooms(x, arena, r->threads)) return;
  r->status = run_done;
  while (r->status == run_done && s->next(s->self, &x->first, &end)) run_part(x, p, &code, end, r);
  ensemble_code_free(&code);
}

SweepResult sweep_run(Arena *arena, const System *system, const SweepSettings *s, Diags *diags) {
  SweepResult r = {.status = run_no_memory};
  SampleSweep x = {.settings = s};
  SimProgram *p = samples_program(arena, system, &s->run, s->names, s->name_count, diags, &x.vary, &r.status);
  if (!p) return r;
  if (s->begin && !s->begin(s->self, p)) r.status = run_sink_failed;
  else run_all(&x, arena, p, &r);
  program_free(p);
  return r;
}

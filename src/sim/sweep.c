// A sweep: number of a sample --design.c--> values --vary.c--> parameters and y(0) --ensemble.c--> measures.
#include "sim/sweep.h"

#include "sim/program_start.h"
#include "sim/vary.h"

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

static void run_all(SampleSweep *x, Arena *arena, SimProgram *p, SweepResult *r) {
  const SweepSettings *s = x->settings;
  x->first = s->from ? *s->from : 0;
  uint64_t count = s->end - x->first;
  r->settled = p->settled;
  r->threads = ensemble_threads(p, count, s->threads);
  if (count == 0) r->status = run_done;
  if (count == 0 || !make_rooms(x, arena, r->threads)) return;
  Ensemble e = {.self = x,
                .count = count,
                .sample = sample,
                .row = s->row ? row : NULL,
                .take = take,
                .messages = true,
                .asker = s->run.self,
                .interrupted = s->run.interrupted};
  EnsembleResult done = ensemble_run(p, &e, r->threads);
  r->status = done.status;
  r->backend = done.backend;
  r->backend_note = done.backend_note;
}

SweepResult sweep_run(Arena *arena, const System *system, const SweepSettings *s, Diags *diags) {
  SweepResult r = {.status = run_no_memory};
  SampleSweep x = {.settings = s};
  ProgramReport built;
  SimProgram *p = program_new_started(arena, system, &(ProgramWish){.settings = &s->run}, diags, &built);
  if (!p) {
    r.status = built.failure.status == run_failed ? run_input : built.failure.status;
    if (built.failure.message) diag_error(diags, diag_bad_setting, built.failure.place, "%s", built.failure.message);
    return r;
  }
  if (vary_names(p, s->names, s->name_count, diags, &x.vary)) {
    if (diags->errors) r.status = run_input;
    else if (s->begin && !s->begin(s->self, p)) r.status = run_sink_failed;
    else run_all(&x, arena, p, &r);
  }
  program_free(p);
  return r;
}

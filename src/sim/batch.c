// A batch: rows of a matrix --vary.c--> parameters and y(0) --ensemble.c--> final values, kept in a table.
#include "sim/batch.h"

#include "sim/ensemble.h"
#include "sim/samples.h"

#include <string.h>

typedef struct Batch {
  const BatchSettings *settings;
  BatchResult *r;
  Variation vary;
  double **w; // by thread: workspace of the varied values
} Batch;

static bool sample(void *self, uint32_t thread, uint64_t i, double *params, double *y0) {
  const Batch *b = self;
  const BatchSettings *s = b->settings;
  return vary_eval(&b->vary, b->w[thread], s->name_count ? s->values + i * s->name_count : NULL, params, y0);
}

static bool take(void *self, uint64_t i, const EnsembleEnd *end) {
  BatchResult *r = ((Batch *)self)->r;
  r->statuses[i] = (uint8_t)end->status;
  r->steps += end->steps;
  r->evaluations += end->evaluations;
  r->failed += end->status != run_done;
  if (end->measures && end->status == run_done)
    memcpy(r->measures + i * r->measure_count, end->measures, r->measure_count * sizeof *r->measures);
  if (!end->values) return true;
  memcpy(r->values + i * r->value_count, end->values, r->value_count * sizeof *r->values);
  r->times[i] = end->t;
  return true;
}

// Tables of the results, and workspaces. False: out of memory.
static bool make_rooms(Batch *b, Arena *arena, uint32_t threads) {
  BatchResult *r = b->r;
  size_t count = (size_t)b->settings->count;
  r->values = arena_array(arena, count * r->value_count + 1, sizeof *r->values);
  r->statuses = arena_array(arena, count + 1, sizeof *r->statuses);
  r->times = arena_array(arena, count + 1, sizeof *r->times);
  r->measures = arena_array(arena, count * r->measure_count + 1, sizeof *r->measures);
  b->w = arena_array(arena, threads, sizeof *b->w);
  if (arena_failed(arena)) return false;
  for (size_t i = 0; i < count * r->value_count; i++) r->values[i] = NAN;
  for (size_t i = 0; i < count * r->measure_count; i++) r->measures[i] = NAN;
  memset(r->statuses, run_interrupted, count); // until it is done
  for (uint32_t i = 0; i < threads; i++) b->w[i] = arena_array(arena, b->vary.tape->slot_count, sizeof **b->w);
  return !arena_failed(arena);
}

static void run_all(Batch *b, Arena *arena, SimProgram *p) {
  const BatchSettings *s = b->settings;
  BatchResult *r = b->r;
  uint32_t threads = ensemble_threads(p, s->count, s->threads);
  r->names = p->columns.names;
  r->value_count = p->columns.count;
  r->measure_count = p->measures ? p->measures->set->items.count : 0;
  if (!make_rooms(b, arena, threads)) return;
  Ensemble e = {.self = b,
                .count = s->count,
                .sample = sample,
                .take = take,
                .asker = s->run.self,
                .interrupted = s->run.interrupted};
  EnsembleResult done = ensemble_run(p, &e, threads);
  r->status = done.status;
  r->backend = done.backend;
  r->backend_note = done.backend_note;
}

BatchResult batch_run(Arena *arena, const System *system, const BatchSettings *s, Diags *diags) {
  BatchResult r = {.status = run_no_memory};
  Batch b = {.settings = s, .r = &r};
  SimProgram *p = samples_program(arena, system, &s->run, s->names, s->name_count, diags, &b.vary, &r.status);
  if (!p) return r;
  run_all(&b, arena, p);
  program_free(p);
  return r;
}

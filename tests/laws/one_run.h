// One run of a model that is given as text.
#ifndef VIVA_TESTS_ONE_RUN_H
#define VIVA_TESTS_ONE_RUN_H

#include "tests/support.h"

#include "sim/run.h"

// Rows one behind the other; the caller frees them.
typedef struct Table {
  double *rows;
  size_t width, count;
} Table;

static inline bool table_take(void *self, const double *values, size_t count) {
  Table *t = self;
  t->width = count;
  t->rows = realloc(t->rows, (t->count + 1) * count * sizeof *t->rows);
  memcpy(t->rows + t->count++ * count, values, count * sizeof *values);
  return true;
}

// table: gets the rows, or NULL. final: the first `count` values of the last row, NAN where the run did not come to its
// end; then its message is printed. What the result points to is gone.
static inline RunResult one_run(const char *text, RunSettings settings, Table *table, double *final, uint32_t count) {
  Loaded *l = load_text(text);
  Arena *arena = arena_new();
  Diags diags = {.arena = arena, .sources = &l->model.sources};
  Sink sink = {.self = table, .row = table_take};
  RunResult r = run_model(arena, &l->system, &settings, table ? &sink : NULL, &diags);
  if (r.status != run_done) print_error("%s\n", r.message ? r.message : "no message");
  for (uint32_t i = 0; i < count; i++) final[i] = r.status == run_done ? r.final.values[i] : NAN;
  r.final.names = NULL;
  r.final.values = NULL;
  r.message = NULL;
  arena_free(arena);
  unload(l);
  return r;
}

#endif

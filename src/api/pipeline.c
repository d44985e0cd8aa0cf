// The whole road on one page.
//
//   text --lex--> tokens --parse--> statements --elaborate--> Model       (lang/)
//   Model --lagrange, equations--> System                                  (form/, system/)
//   System --derive--> equations --show--> text, LaTeX, JSON               (study/, show/)
//   System --tape--> f(t, y) --integrate--> rows --sink--> table           (tape/, solve/, study/, show/)
//
// A loaded model is never changed again: work that adds expressions takes a copy of the pool.
#include "api/pipeline.h"

#include "form/form.h"
#include "study/numbers.h"

// What varies in a family, in numbers.
static bool family_numbers(Arena *arena, Model *model, const System *system) {
  uint32_t n = model->varied.count;
  if (n == 0 || model->diags.errors) return true;
  ExprId *wanted = arena_array(arena, n, sizeof *wanted);
  double *numbers = arena_array(arena, n, sizeof *numbers);
  if (!wanted || !numbers) return false;
  for (uint32_t i = 0; i < n; i++) wanted[i] = model->varied.items[i].value;
  if (!study_numbers(arena, system, wanted, n, numbers)) return false;
  for (uint32_t i = 0; i < n; i++) model->varied.items[i].number = numbers[i];
  return true;
}

bool pipeline_load(Arena *arena, Model *model, System *system, const char *path, const char *text, size_t length,
                   const ModelOptions *options) {
  if (!model_read(model, arena, path, text, length, options)) return false;
  if (model->diags.errors == 0 && (!system_build(system, model) || !family_numbers(arena, model, system))) return false;
  diag_sort(&model->diags);
  return !arena_failed(arena);
}

bool pipeline_derive(Arena *arena, const System *system, DeriveForm form, ShowFormat format, Text *out) {
  System own;
  ExprPool pool;
  Derivation derivation;
  if (!system_clone(&own, system, &pool, arena) || !derive(&own, form, &derivation)) return false;
  show_derivation(&own, &derivation, format, out);
  return !arena_failed(arena);
}

RunResult pipeline_run(Arena *arena, const System *system, const RunSettings *settings, const Sink *sink, Diags *diags) {
  return run_model(arena, system, settings, sink, diags);
}

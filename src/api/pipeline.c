// The whole road on one page.
//
//   text --lex--> tokens --parse--> statements --elaborate--> Model       (lang/)
//   Model --lagrange, equations--> System                                  (form/, system/)
//   System --derive--> equations --show--> text, LaTeX, JSON               (study/, show/)
//   System --tape--> C text --show--> files                                (tape/, study/, show/)
//   System --tape--> f(t, y) --integrate--> rows --sink--> table           (tape/, solve/, study/, show/)
//
// A loaded model is never changed again: work that adds expressions takes a copy of the pool.
#include "api/pipeline.h"

#include "base/file.h"
#include "form/form.h"
#include "viva/viva.h"

bool pipeline_load(Arena *arena, Model *model, System *system, const char *path, const char *text, size_t length,
                   const ModelOptions *options) {
  if (!model_read(model, arena, path, text, length, options)) return false;
  if (model->diags.errors == 0 && !system_build(system, model)) return false;
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

bool pipeline_export_c(Arena *arena, const System *system, const char *name, bool single, const char *folder, const char **where, int *error) {
  Export e;
  ExportText texts;
  if (!export_model(arena, system, &e) || !show_export_c(&e, name, single, VIVA_VERSION, &texts)) return false;
  const char *const names[4] = {arena_printf(arena, "%s.c", name), arena_printf(arena, "%s.h", name), "main.c", "Makefile"};
  const Text *const contents[4] = {&texts.source, &texts.header, &texts.example, &texts.makefile};
  *error = file_make_folder(folder);
  *where = folder;
  for (int i = 0; i < 4 && !*error; i++) {
    *where = arena_printf(arena, "%s/%s", folder, names[i] ? names[i] : "");
    OutFile *out = *where ? outfile_open(*where, error) : NULL;
    if (!out) return false;
    outfile_write(out, contents[i]->data, contents[i]->length);
    *error = outfile_commit(out);
  }
  return !*error && !arena_failed(arena);
}

RunResult pipeline_run(Arena *arena, const System *system, const RunSettings *settings, const Sink *sink, Diags *diags) {
  return run_model(arena, system, settings, sink, diags);
}

BatchResult pipeline_batch(Arena *arena, const System *system, const BatchSettings *settings, Diags *diags) {
  return batch_run(arena, system, settings, diags);
}

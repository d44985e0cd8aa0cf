// The whole road on one page.
//
//   text --lex--> tokens --parse--> statements --elaborate--> Model       (lang/)
//   Model --lagrange, equations--> System                                  (form/, system/)
//   System --derive--> equations --show--> text, LaTeX, MathML, JSON       (study/, show/)
//   System --facts--> units, constants of motion, remarks --show--> text, JSON  (study/, show/)
//   equations of a user --scope--> --check--> verdicts --show--> text, JSON  (lang/, study/, show/)
//   System --operating point--> linear model, modes --show--> text, LaTeX, JSON, pictures  (study/, show/)
//   System --tape--> C text --show--> files                                (tape/, study/, show/)
//   System --tape--> f(t, y) --integrate--> rows --sink--> table           (tape/, solve/, study/, show/)
//
// A loaded model is never changed again: work that adds expressions takes a copy of the pool.
#include "api/pipeline.h"

#include "algebra/inverses.h"
#include "base/file.h"
#include "base/outfile.h"
#include "form/describe.h"
#include "show/document.h"
#include "tape/numbers.h"
#include "viva/viva.h"

#include <errno.h>
#include <string.h>

enum { most_in_document = 30 }; // coordinates whose matrices a document shows

// What varies in a family, in numbers.
static bool family_numbers(Arena *arena, Model *model, const System *system) {
  uint32_t n = model->varied.count;
  if (n == 0 || model->diags.errors) return true;
  ExprId *wanted = arena_array(arena, n, sizeof *wanted);
  double *numbers = arena_array(arena, n, sizeof *numbers);
  if (!wanted || !numbers) return false;
  for (uint32_t i = 0; i < n; i++) wanted[i] = model->varied.items[i].value;
  if (!tape_numbers(arena, system, wanted, n, numbers)) return false;
  for (uint32_t i = 0; i < n; i++) model->varied.items[i].number = numbers[i];
  return true;
}

static bool load_model(Arena *arena, Model *model, System *system, const char *path, const char *text, size_t length,
                       const ModelOptions *options) {
  if (!model_read(model, arena, path, text, length, options)) return false;
  if (model->diags.errors == 0 && (!system_build(system, model) || !family_numbers(arena, model, system) ||
                                   !inverses_check(arena, system, &model->diags) || model->pool.limit)) {
    if (arena_failed(arena)) return false;
    diag_error(&model->diags, diag_too_large, (Span){0}, "the equations of this model grow too large to be derived");
  }
  diag_sort(&model->diags);
  return !arena_failed(arena);
}

bool pipeline_import(Arena *arena, const char *path, const char *text, size_t length, Sources *sources, Diags *diags,
                     Imported *made) {
  *sources = (Sources){.arena = arena};
  *diags = (Diags){.arena = arena, .sources = sources};
  *made = (Imported){.text = text_in(arena)};
  uint32_t source = source_add(sources, path, text, length);
  if (source) import_read(arena, sources, source, diags, made);
  diag_sort(diags);
  return !arena_failed(arena);
}

// A file in another format becomes a model; messages lead back to its rows.
static bool load_data(Arena *arena, Model *model, System *system, const char *path, const char *text, size_t length,
                      const ModelOptions *options) {
  Imported made;
  Diags diags;
  if (!pipeline_import(arena, path, text, length, &model->sources, &diags, &made)) return false;
  if (diags.errors) {
    model->diags = diags;
    model->diags.sources = &model->sources;
    return true;
  }
  if (!load_model(arena, model, system, path, text_str(&made.text), made.text.length, options)) return false;
  uint32_t source = source_add(&model->sources, path, text, length);
  if (!source) return false;
  for (uint32_t i = 0; i < made.origin.count; i++) {
    if (made.origin.items[i].source) made.origin.items[i].source = source;
  }
  for (uint32_t i = 0; i < made.assumed.count; i++) made.assumed.items[i].span.source = source;
  model->sources.list.items[0].origins = made.origin.items;
  model->sources.list.items[0].origin_count = made.origin.count;
  import_note_inputs(&model->diags, &made, options->input, options->input_count);
  return !arena_failed(arena);
}

bool pipeline_load(Arena *arena, Model *model, System *system, const char *path, const char *text, size_t length,
                   const ModelOptions *options) {
  bool other = import_find(path, text, length) != NULL;
  return (other ? load_data : load_model)(arena, model, system, path, text, length, options);
}

bool pipeline_derive(Arena *arena, const System *system, DeriveForm form, const DeriveStyle *style, ShowFormat format,
                     Text *out) {
  System own;
  ExprPool pool;
  Derivation derivation;
  if (!system_clone(&own, system, &pool, arena) || !derive(&own, form, style, &derivation)) return false;
  if (pool.limit) return false; // grown too large
  show_derivation(&own, &derivation, format, out);
  return !arena_failed(arena) && !pool.limit;
}

bool pipeline_export_latex(Arena *arena, const System *system, bool steps, Text *out) {
  System own;
  ExprPool pool;
  Derivation lagrange, matrices;
  DeriveStyle style = {.steps = steps};
  Steps energies;
  if (!system_clone(&own, system, &pool, arena) || !derive(&own, form_lagrange, &style, &lagrange)) return false;
  bool whole = own.coord_count > 0 && own.coord_count <= most_in_document;
  if (whole && !derive(&own, form_matrices, &(DeriveStyle){0}, &matrices)) return false;
  if (!steps && !steps_write(&own, &energies)) return false;
  if (pool.limit) return false;
  const Derivation *const parts[] = {&lagrange, &matrices};
  lagrange.repeats = false;
  // what was noted already
  uint32_t kept = 0;
  for (uint32_t i = 0; whole && i < matrices.notes.count; i++) {
    bool again = false;
    for (uint32_t k = 0; k < lagrange.notes.count; k++)
      again = again || strcmp(matrices.notes.items[i], lagrange.notes.items[k]) == 0;
    if (!again) matrices.notes.items[kept++] = matrices.notes.items[i];
  }
  if (whole) matrices.notes.count = kept;
  show_document(&own, parts, whole ? 2 : 1, steps ? lagrange.steps : &energies, steps, format_latex, out);
  return !arena_failed(arena) && !pool.limit;
}

bool pipeline_check(Arena *arena, const Model *model, const System *system, const char *name, const char *text,
                    size_t length, TextScope *scope, CheckReport *report, Text *plain, Text *json) {
  if (!scope_open(scope, arena, model) || !scope_read(scope, name, text, length)) return false;
  System own = system_over(system, &scope->model);
  if (!scope->model.diags.errors && !check_equations(&own, scope, report)) return false;
  show_check_text(&own, report, plain);
  show_check_json(&own, report, json);
  diag_sort(&scope->model.diags);
  return !arena_failed(arena);
}

bool pipeline_facts(Arena *arena, const System *system, Text *plain, Text *json) {
  System own;
  ExprPool pool;
  Facts facts;
  if (!system_clone(&own, system, &pool, arena) || !facts_find(&own, &facts)) return false;
  show_facts_text(&own, &facts, plain);
  show_facts_json(&own, &facts, json);
  return !arena_failed(arena);
}

bool pipeline_diff(Arena *arena, const Model *model, const System *a, const System *b, const char *first,
                   const char *second, TextScope *scope, CheckReport *report, Text *plain, Text *json) {
  if (!scope_open(scope, arena, model)) return false;
  System own = system_over(a, &scope->model);
  if (!check_same(&own, b, report)) return false;
  show_diff_text(&own, report, first, second, plain);
  show_check_json(&own, report, json);
  return !arena_failed(arena);
}

LinearizeStatus pipeline_linearize(Arena *arena, const Model *model, const System *system, const char *const *at,
                                   size_t at_count, const LinearizeSettings *settings, TextScope *scope,
                                   Operating *operating, Linearization *out, const char **message, Span *place) {
  if (!scope_open(scope, arena, model)) return linearize_no_memory;
  for (size_t i = 0; i < at_count; i++) {
    if (!scope_read_values(scope, "--at", at[i])) return linearize_no_memory;
  }
  System over = system_over(system, &scope->model);
  if (!scope->model.diags.errors && !operating_open(operating, &over, scope, settings->at == at_start))
    return linearize_no_memory;
  diag_sort(&scope->model.diags);
  if (scope->model.diags.errors) return linearize_failed;
  return linearize(operating, settings, out, message, place);
}

// May an export write here? A file that is there must be one of its own, unchanged; what the model was read from is
// never written to.
static int may_export(Arena *arena, const System *system, const char *path, bool force) {
  const Sources *sources = system->sources;
  for (uint32_t i = 0; i < sources->list.count; i++) {
    if (!sources->list.items[i].option && file_same(sources->list.items[i].name, path)) return EEXIST;
  }
  for (uint32_t i = 0; i < system->tables.count; i++) {
    if (file_same(system->tables.items[i].path, path)) return EEXIST;
  }
  if (force || !file_is_ordinary(path)) return 0;
  size_t length;
  const char *why, *text = file_read(arena, path, (size_t)1 << 30, &length, &why);
  return text && export_is_unchanged(text, length) ? 0 : EEXIST;
}

bool pipeline_export_c(Arena *arena, const System *system, const ExportWish *wish, const char **where, int *error) {
  Export e;
  ExportText texts;
  *where = NULL;
  if (!export_model(arena, system, &e)) {
    *where = e.failure;
    return false;
  }
  if (!show_export_c(&e, wish->name, wish->single, VIVA_VERSION, &texts)) return false;
  const char *const names[4] = {arena_printf(arena, "%s.c", wish->name), arena_printf(arena, "%s.h", wish->name),
                                "main.c", "Makefile"};
  const Text *const contents[4] = {&texts.source, &texts.header, &texts.example, &texts.makefile};
  const char *paths[4];
  *error = file_make_folder(wish->folder);
  *where = wish->folder;
  // all of them are asked for first: an export is whole or none
  for (int i = 0; i < 4 && !*error; i++) {
    *where = paths[i] = arena_printf(arena, "%s/%s", wish->folder, names[i] ? names[i] : "");
    if (!paths[i]) return false;
    *error = may_export(arena, system, paths[i], wish->force);
  }
  for (int i = 0; i < 4 && !*error; i++) {
    *where = paths[i];
    OutFile *out = outfile_open(paths[i], error);
    if (!out) return false;
    outfile_write(out, contents[i]->data, contents[i]->length);
    *error = outfile_commit(out);
  }
  return !*error && !arena_failed(arena);
}

RunResult pipeline_run(Arena *arena, const System *system, const RunSettings *settings, const Sink *sink,
                       Diags *diags) {
  return run_model(arena, system, settings, sink, diags);
}

BatchResult pipeline_batch(Arena *arena, const System *system, const BatchSettings *settings, Diags *diags) {
  return batch_run(arena, system, settings, diags);
}

// The road from text to result. See pipeline.c.
#ifndef VIVA_API_PIPELINE_H
#define VIVA_API_PIPELINE_H

#include "lang/import.h"
#include "show/check.h"
#include "show/derivation.h"
#include "show/export_c.h"
#include "show/facts.h"
#include "show/linear.h"
#include "sim/batch.h"

// Text to system: everything a loaded model holds. Problems are in model->diags; false: memory is out.
bool pipeline_load(Arena *arena, Model *model, System *system, const char *path, const char *text, size_t length,
                   const ModelOptions *options);
// A file in another format to the text of a model. What is wrong with it is in diags.
bool pipeline_import(Arena *arena, const char *path, const char *text, size_t length, Sources *sources, Diags *diags,
                     Imported *made);
// System to shown equations. False: memory is out, or (the arena has not failed) they grow too large.
bool pipeline_derive(Arena *arena, const System *system, DeriveForm form, const DeriveStyle *style, ShowFormat format,
                     Text *out);
// System to a document: energies or steps, equations, matrices. False as above.
bool pipeline_export_latex(Arena *arena, const System *system, bool steps, Text *out);
// Equations of a user to verdicts, over a scope of the model. Wrong input is in scope->model.diags.
bool pipeline_check(Arena *arena, const Model *model, const System *system, const char *name, const char *text,
                    size_t length, TextScope *scope, CheckReport *report, Text *plain, Text *json);
// Model to a report on it.
bool pipeline_facts(Arena *arena, const System *system, Text *plain, Text *json);
// Two systems to verdicts.
bool pipeline_diff(Arena *arena, const Model *model, const System *a, const System *b, const char *first,
                   const char *second, TextScope *scope, CheckReport *report, Text *plain, Text *json);
// System to its linear model about a point, which `at` says over a scope of the model. Wrong input is in
// scope->model.diags; failed: *message and *place.
LinearizeStatus pipeline_linearize(Arena *arena, const Model *model, const System *system, const char *const *at,
                                   size_t at_count, const LinearizeSettings *settings, TextScope *scope,
                                   Operating *operating, Linearization *out, const char **message, Span *place);
// System to C files in a folder. False: memory is out, or *error is errno and *where the path that cannot be written,
// or (the arena has not failed) expressions grow too large.
typedef struct ExportWish {
  const char *name, *folder;
  bool single, force; // force: also over files that are not an export's own
} ExportWish;
// On failure *where is the path and *error its errno; EEXIST: there is a file that may not be written over.
bool pipeline_export_c(Arena *arena, const System *system, const ExportWish *wish, const char **where, int *error);
// System to motion.
RunResult pipeline_run(Arena *arena, const System *system, const RunSettings *settings, const Sink *sink, Diags *diags);
// System to many motions.
BatchResult pipeline_batch(Arena *arena, const System *system, const BatchSettings *settings, Diags *diags);

#endif

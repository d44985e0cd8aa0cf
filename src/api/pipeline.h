// The pipeline from text to result. See pipeline.c.
#ifndef VIVA_API_PIPELINE_H
#define VIVA_API_PIPELINE_H

#include "analyze/analysis.h"
#include "analyze/locus.h"
#include "analyze/routh_over.h"
#include "lang/import.h"
#include "lang/measures.h"
#include "lang/ranges.h"
#include "lang/scope.h"
#include "show/check.h"
#include "show/derivation.h"
#include "show/equilibria.h"
#include "show/export_c.h"
#include "show/facts.h"
#include "show/linear.h"
#include "sim/batch.h"
#include "sim/family_lanes.h"

// Text to system: everything a loaded model holds. Problems are in model->diags; false: out of memory.
bool pipeline_load(Arena *arena, Model *model, System *system, const char *path, const char *text, size_t length,
                   const ModelOptions *options);
// A file in another format to the text of a model. What is wrong with it is in diags.
bool pipeline_import(Arena *arena, const char *path, const char *text, size_t length, bool limits, Sources *sources,
                     Diags *diags, Imported *made);
// System to shown equations. False: out of memory, or (the arena has not failed) they grow too large.
// *why: the form does not exist, and the reason.
bool pipeline_derive(Arena *arena, const System *system, DeriveForm form, const DeriveStyle *style, ShowFormat format,
                     Text *out, const char **why);
// System to a document: energies or steps, equations, matrices. False as above.
bool pipeline_export_latex(Arena *arena, const System *system, bool steps, Text *out);
// From texts or two models to verdicts: what comes in, and what comes out. Wrong input is in scope.model.diags.
typedef struct CheckJob {
  const Model *model; // the (first) model
  const System *system;
  const char *name; // of the text of equations in messages, or of the first model
  const char *text; // equations, one a line
  size_t length;
  const System *other; // the second model
  const char *second;  // its name
  TextScope scope;     // a copy of the model that may grow
  CheckReport report;
  Text plain, json;
} CheckJob;
// Equations of a user over a scope of the model. False: out of memory.
bool pipeline_check(Arena *arena, CheckJob *job);
// Two systems.
bool pipeline_diff(Arena *arena, CheckJob *job);
// Model to a report on it.
bool pipeline_facts(Arena *arena, const System *system, Text *plain, Text *json);
// Model to a verdict on its ports.
bool pipeline_passivity(Arena *arena, const System *system, Text *plain, Text *json, Verdict *verdict);
// From a model and the texts of a point to its linear model there.
// Wrong input is in scope.model.diags; failed: message and span.
typedef struct LinearizeJob {
  const Model *model;
  const System *system;
  const char *const *at; // "name=value, ..."
  size_t at_count;
  LinearizeSettings settings;
  const char *varied; // a parameter with another value; NULL: none
  double value;
  TextScope scope;
  Operating *operating;
  Linearization *out;
  const char *message;
  Span place;
} LinearizeJob;
LinearizeStatus pipeline_linearize(Arena *arena, LinearizeJob *job);
// From a model, the texts of a point, of a path and of a cut to the analysis of the path. Wrong input is in
// linear.scope.model.diags, or in trouble.
typedef struct AnalyzeJob {
  LinearizeJob linear;
  const char *path; // "u:y"; NULL: the only input and the only output, or with a cut the loop
  const char *open; // the signal at which a loop is cut; NULL: none
  const char *over; // "K=0:100": the locus of the poles of the model as it stands; NULL: none
  uint32_t pade;    // of a locus: dead times as rational functions of this order; 0: they are refused
  Analysis *out;
  Locus *locus;           // of over
  const RouthOver *routh; // of the same; NULL: none
  const char *parameter;
  AssembleTrouble trouble;
} AnalyzeJob;
AnalysisStatus pipeline_analyze(Arena *arena, AnalyzeJob *job);
AnalysisStatus pipeline_locus(Arena *arena, AnalyzeJob *job); // behind it
// From a model and the texts of a point to the matrices of its equations there, in numbers. Wrong input is in
// scope.model.diags; why: there are none, and the reason. False: out of memory.
typedef struct MatricesJob {
  const Model *model;
  const System *system;
  const char *const *at; // "name=value, ..."
  size_t at_count;
  uint32_t digits; // 0: all
  DeriveForm form; // matrices, or kinematics
  ShowFormat format;
  TextScope scope;
  Operating *operating;
  const char *why;
} MatricesJob;
bool pipeline_matrices(Arena *arena, MatricesJob *job, Text *out);
// From a model and the texts of a start to its equilibria. Wrong input is in scope.model.diags.
typedef struct EquilibriumJob {
  const Model *model;
  const System *system;
  const char *const *at; // "name=value, ..."
  size_t at_count;
  const char *search; // "th=-pi:pi, x=0:1"; "" or "angles": of angles alone; NULL: no search
  uint64_t seed;
  RestingRequest request;
  bool bad_input; // of a failure: the search is wrong
  bool (*interrupted)(void *self);
  void *self;
  TextScope scope;
  Operating *operating;
  Equilibria *out;
  RestingTrouble trouble;
} EquilibriumJob;
RestingStatus pipeline_equilibrium(Arena *arena, EquilibriumJob *job);
// System to the texts of C files, whose functions begin with `name`. False: out of memory, or *why says why it cannot
// be done, or (neither of both) expressions grow too large.
bool pipeline_export_c(Arena *arena, const System *system, const char *name, bool single, ExportText *texts,
                       const char **why);
// From texts to measures of a run, over a copy of the model. Wrong input is in scope.model.diags; what runs is `over`.
typedef struct MeasureJob {
  const char *const *texts;
  size_t count;
  const char *option;       // that they came from: "--measure"
  const char *const *where; // conditions behind them
  size_t where_count;
  const char *first; // that the first came from; NULL: the same
  TextScope scope;
  MeasureSet set;
  System over;
} MeasureJob;
bool pipeline_measures(Arena *arena, const Model *model, const System *system, MeasureJob *job); // false: no memory
// System to one simulation; a member of a family reuses what the family shares (NULL: none).
RunResult pipeline_run(Arena *arena, const System *system, FamilyProgram *family, const RunSettings *settings,
                       const Sink *sink, Diags *diags);
// Members of a family, side by side.
void pipeline_members(FamilyProgram *family, FamilyMember *members, uint32_t count);
// System to an ensemble of simulations.
BatchResult pipeline_batch(Arena *arena, const System *system, const BatchSettings *settings, Diags *diags);

#endif

// The pipelines from text to result, each as the list of its stages.
//
//   text --lex--> tokens --parse--> statements --elaborate--> Model       (lang/)
//   Model --lagrange, equations--> System                                  (form/, system/)
//   System --derive--> equations --show--> text, LaTeX, MathML, JSON       (algebra/, show/)
//   System --facts--> units, constants of motion, remarks --show--> text, JSON  (algebra/, show/)
//   equations of a user --scope--> --check--> verdicts --show--> text, JSON  (lang/, algebra/, show/)
//   System --operating point--> linear model, modes --show--> text, LaTeX, JSON, pictures  (linear/, show/)
//   System --tape--> C text --show--> texts                                (tape/, sim/, show/)
//   System --tape--> f(t, y) --integrate--> rows --sink--> table           (tape/, solve/, sim/, show/)
//
// A loaded model is never changed again: work that adds expressions takes a copy of the pool.
#include "api/pipeline_parts.h"

#include "algebra/derive.h"
#include "algebra/diff.h"
#include "algebra/folded.h"
#include "algebra/folded_sum.h"
#include "algebra/inverses.h"
#include "algebra/port_check.h"
#include "algebra/port_form.h"
#include "algebra/statements.h"
#include "base/number.h"
#include "form/describe.h"
#include "lang/ranges.h"
#include "rest/kinematics_at.h"
#include "rest/matrices_at.h"
#include "rest/quaternions.h"
#include "show/document.h"
#include "show/passivity.h"
#include "system/unwritten.h"
#include "system/variant.h"
#include "tape/numbers.h"
#include "viva/viva.h"

#include <assert.h>
#include <string.h>

enum { most_in_document = 30 }; // coordinates whose matrices a document shows

static bool load_model(Arena *arena, Model *model, System *system, const char *path, const char *text, size_t length,
                       const ModelOptions *options) {
  if (!model_read(model, arena, path, text, length, options)) return false;
  if (model->diags.errors == 0 && (!system_build(system, model) || !inverses_check(arena, system, &model->diags) ||
                                   !ports_check(arena, system, &model->diags) || model->pool.limit)) {
    if (arena_failed(arena)) return false;
    diag_error(&model->diags, diag_too_large, (Span){0}, "the equations of this model grow too large to be derived");
  }
  pool_rest(&model->pool);
  return !arena_failed(arena);
}

bool pipeline_import(Arena *arena, const char *path, const char *text, size_t length, bool limits, Sources *sources,
                     Diags *diags, Imported *made) {
  *sources = (Sources){.arena = arena};
  *diags = (Diags){.arena = arena, .sources = sources};
  *made = (Imported){.text = text_in(arena)};
  uint32_t source = source_add(sources, path, text, length);
  if (source) import_read(arena, &(ImportFrom){sources, source, false, limits}, diags, made);
  diag_sort(diags);
  return !arena_failed(arena);
}

// A file in another format becomes a model; messages lead back to its rows.
static bool load_data(Arena *arena, Model *model, System *system, const char *path, const char *text, size_t length,
                      const ModelOptions *options) {
  Imported made;
  Diags diags;
  if (!pipeline_import(arena, path, text, length, false, &model->sources, &diags, &made)) return false;
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
  for (uint32_t i = 0; i < diags.list.count; i++) {
    Diag d = diags.list.items[i]; // a warning of the reading
    if (d.span.source) d.span.source = d.file = source;
    vec_push(arena, &model->diags.list, d);
  }
  return !arena_failed(arena);
}

bool pipeline_load(Arena *arena, Model *model, System *system, const char *path, const char *text, size_t length,
                   const ModelOptions *options) {
  bool other = import_find(path, text, length) != NULL;
  return (other ? load_data : load_model)(arena, model, system, path, text, length, options);
}

bool pipeline_derive(Arena *arena, const System *system, DeriveForm form, const DeriveStyle *style, ShowFormat format,
                     Text *out, const char **why) {
  if (system_is_unwritten(system) && form != form_kinematics) return false;
  System copy;
  ExprPool pool;
  Derivation derivation;
  if (!system_clone(&copy, system, &pool, arena) || !derive_equations(&copy, form, style, &derivation)) return false;
  if (pool.limit) return false; // grown too large
  *why = derivation.ports ? derivation.ports->why : derivation.refused;
  if (*why) return true;
  show_derivation(&copy, &derivation, format, out);
  return !arena_failed(arena) && !pool.limit;
}

// What was noted already.
static void drop_notes(Derivation *d, const Derivation *known) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < d->notes.count; i++) {
    bool again = false;
    for (uint32_t k = 0; k < known->notes.count; k++)
      again = again || strcmp(d->notes.items[i], known->notes.items[k]) == 0;
    if (!again) d->notes.items[kept++] = d->notes.items[i];
  }
  d->notes.count = kept;
}

bool pipeline_export_latex(Arena *arena, const System *system, bool steps, Text *out) {
  if (system_is_unwritten(system)) return false;
  System copy;
  ExprPool pool;
  Derivation lagrange, matrices;
  DeriveStyle style = {.steps = steps};
  Steps energies;
  if (!system_clone(&copy, system, &pool, arena) || !derive_equations(&copy, form_lagrange, &style, &lagrange))
    return false;
  bool whole = copy.coord_count > 0 && copy.coord_count <= most_in_document;
  if (whole && !derive_equations(&copy, form_matrices, &(DeriveStyle){0}, &matrices)) return false;
  if (!steps && !steps_write(&copy, &energies)) return false;
  if (!steps) folded_energies(&copy, &energies);
  if (pool.limit) return false;
  const Derivation *const parts[] = {&lagrange, &matrices};
  lagrange.repeats = false;
  if (whole) drop_notes(&matrices, &lagrange);
  show_document(&copy, parts, whole ? 2 : 1, steps ? lagrange.steps : &energies, steps, format_latex, out);
  return !arena_failed(arena) && !pool.limit;
}

static_assert((int)check_expression == left_expression && (int)check_kinetic == left_kinetic &&
                  (int)check_potential == left_potential && (int)check_lagrangian == left_lagrangian &&
                  (int)check_energy == left_energy && (int)check_mass == left_mass,
              "ScopeLeft is cast to CheckLeft");

// What the user wrote, as the decision procedures (algebra/) take it. NULL: out of memory.
static const CheckText *equations_of(Arena *arena, const TextScope *scope) {
  CheckText *out = arena_array(arena, scope->equations.count, sizeof *out);
  uint32_t count = scope->elab.eval.higher.count;
  CheckHigher *higher = arena_array(arena, (size_t)count + 1, sizeof *higher);
  if (!out || !higher) return NULL;
  for (uint32_t i = 0; i < count; i++) {
    const HigherRate *r = &scope->elab.eval.higher.items[i];
    higher[i] = (CheckHigher){r->symbol, r->of};
  }
  for (uint32_t i = 0; i < scope->equations.count; i++) {
    const ScopeEquation *q = &scope->equations.items[i];
    out[i] = (CheckText){.left = (CheckLeft)q->left,
                         .row = q->row,
                         .col = q->col,
                         .lhs = q->lhs,
                         .rhs = q->rhs,
                         .span = q->span,
                         .left_span = q->left_span,
                         .text = q->text,
                         .divisions = scope->model.divisions.items + q->first_division,
                         .division_count = q->end_division - q->first_division,
                         .parts = scope->elab.eval.parts.items + q->first_part,
                         .part_count = q->end_part - q->first_part,
                         .higher = higher,
                         .higher_count = count};
  }
  return out;
}

bool pipeline_check(Arena *arena, CheckJob *r) {
  Diags *diags = &r->scope.model.diags;
  r->plain = text_in(arena);
  r->json = text_in(arena);
  if (!scope_open(&r->scope, arena, r->model) || !scope_read(&r->scope, r->name, r->text, r->length)) return false;
  System copy = system_over(r->system, &r->scope.model);
  const CheckText *texts = equations_of(arena, &r->scope);
  if (!texts) return false;
  if (!diags->errors && !check_equations(&copy, texts, r->scope.equations.count, diags, &r->report)) return false;
  show_check_text(&copy, &r->report, &r->plain);
  show_check_json(&copy, &r->report, &r->json);
  diag_sort(diags);
  return !arena_failed(arena);
}

bool pipeline_passivity(Arena *arena, const System *system, Text *plain, Text *json, Verdict *verdict) {
  System copy;
  ExprPool pool;
  Passivity found;
  if (!system_clone(&copy, system, &pool, arena) || !passivity_find(&copy, &found)) return false;
  show_passivity_text(&copy, &found, plain);
  show_passivity_json(&copy, &found, json);
  *verdict = found.verdict == passivity_not         ? verdict_different
             : found.verdict == passivity_undecided ? verdict_undecided
                                                    : verdict_equal;
  return !arena_failed(arena);
}

bool pipeline_facts(Arena *arena, const System *system, Text *plain, Text *json) {
  System copy;
  ExprPool pool;
  Facts facts;
  if (!system_clone(&copy, system, &pool, arena) || !facts_find(&copy, &facts)) return false;
  show_facts_text(&copy, &facts, plain);
  show_facts_json(&copy, &facts, json);
  return !arena_failed(arena);
}

bool pipeline_diff(Arena *arena, CheckJob *r) {
  r->plain = text_in(arena);
  r->json = text_in(arena);
  if (!scope_open(&r->scope, arena, r->model)) return false;
  System copy = system_over(r->system, &r->scope.model);
  if (!diff_models(&copy, r->other, &r->report)) return false;
  show_diff_text(&copy, &r->report, r->name, r->second, &r->plain);
  show_check_json(&copy, &r->report, &r->json);
  return !arena_failed(arena);
}

// The values of `--at`, over a copy of the model. False: out of memory.
static bool read_point(Arena *arena, TextScope *scope, const Model *model, const char *const *at, size_t at_count,
                       PointRequest *request) {
  if (!scope_open(scope, arena, model)) return false;
  for (size_t i = 0; i < at_count; i++) {
    if (!scope_read_values(scope, "--at", at[i])) return false;
  }
  uint32_t count = scope->values.count;
  PointValue *values = arena_array(arena, count, sizeof *values);
  if (!values) return false;
  for (uint32_t i = 0; i < count; i++) {
    const ScopeValue *v = &scope->values.items[i];
    values[i] = (PointValue){v->symbol, v->value, v->span};
  }
  request->values = values;
  request->count = count;
  return true;
}

// One of `name=from:to, ...`, up to a comma that stands in no bracket; *text goes behind it.
static const char *cut_range(Arena *arena, const char **text) {
  int depth = 0;
  const char *c = *text, *item = c;
  for (; *c && !(*c == ',' && depth == 0); c++) depth += (*c == '(' || *c == '[') - (*c == ')' || *c == ']');
  *text = *c ? c + 1 : c;
  return arena_strndup(arena, item, (size_t)(c - item));
}

// The symbol of a name, by the reader of `--at`, which takes its first end. False: out of memory.
static bool range_symbol(Arena *arena, TextScope *scope, const char *item, SymbolId *symbol) {
  int depth = 0;
  const char *c = item;
  for (; *c && !(*c == ':' && depth == 0); c++) depth += (*c == '(' || *c == '[') - (*c == ')' || *c == ']');
  const char *value = arena_strndup(arena, item, (size_t)(c - item));
  scope->values.count = 0;
  if (!value || !scope_read_values(scope, "--search", value)) return false;
  *symbol = scope->values.count ? scope->values.items[0].symbol : 0;
  return true;
}

// Ranges of `--search` in numbers. False: out of memory; wrong input is in the diagnostics or in r->trouble.
static bool read_ranges(Arena *arena, EquilibriumJob *r, SearchRequest *request) {
  const char *text = r->search;
  const Diags *diags = &r->scope.model.diags;
  size_t most = 1;
  if (!*text || strcmp(text, "angles") == 0) return true;
  for (const char *c = text; *c; c++) most += *c == ',';
  SearchRange *ranges = arena_array(arena, most, sizeof *ranges);
  uint32_t count = 0;
  if (!ranges) return false;
  while (*text) {
    const char *item = cut_range(arena, &text);
    ValueRange range;
    SymbolId symbol = 0;
    bool named = item && strchr(item, '=');
    if (!item || (named && !range_read(&r->scope, "--search", item, &range))) return false;
    if (named && !range.text) continue; // it is reported
    if (!named || range.kind != range_interval || !range.name) {
      r->trouble.message =
          arena_printf(arena, "`--search` takes intervals, `name=from:to,...`, and `%s` is none", item);
      r->trouble.hint = "for example `--search x=-1:1`; `--search angles` is one turn of each angle";
      r->bad_input = true;
      return true;
    }
    if (!range_symbol(arena, &r->scope, item, &symbol)) return false;
    for (uint32_t i = 0; i < count; i++) {
      if (ranges[i].symbol == symbol)
        diag_error(&r->scope.model.diags, diag_twice, range.name_span, "`%s` has two ranges", range.name);
    }
    if (!diags->errors)
      ranges[count++] = (SearchRange){.symbol = symbol, .lo = range.low, .hi = range.high, .span = range.name_span};
  }
  if (diags->errors) return true;
  request->ranges = ranges;
  request->count = count;
  return true;
}

// A point at which a search or a linear model begins. Constraints move what was not said of a quaternion; without them
// it must be a unit quaternion. False: out of memory.
static bool open_point(Operating *o, const System *s, const PointRequest *request, Diags *diags) {
  if (!operating_open(o, s, request, diags)) return false;
  return diags->errors || s->constraints.count || quaternions_check(o, request, diags);
}

RestingStatus pipeline_equilibrium(Arena *arena, EquilibriumJob *r) {
  Diags *diags = &r->scope.model.diags;
  PointRequest request = {.rest = true};
  if (!read_point(arena, &r->scope, r->model, r->at, r->at_count, &request)) return resting_no_memory;
  SearchRequest search = {.seed = r->seed};
  if (r->search && !diags->errors && !read_ranges(arena, r, &search)) return resting_no_memory;
  System copy = system_over(r->system, &r->scope.model);
  if (!diags->errors && !open_point(r->operating, &copy, &request, diags)) return resting_no_memory;
  diag_sort(diags);
  if (diags->errors || r->bad_input) return resting_failed;
  r->operating->interrupted = r->interrupted;
  r->operating->self = r->self;
  if (!r->operating->numbers) {
    r->trouble.message = arena_printf(arena,
                                      "an equilibrium is searched for in numbers, and the parameter `%s` has no "
                                      "value",
                                      r->operating->missing);
    r->trouble.hint = arena_printf(arena, "give it one, `--set %s=...`", r->operating->missing);
    return resting_failed;
  }
  if (r->search) return equilibria_search(r->operating, &search, r->out, &r->trouble, &r->bad_input);
  return equilibria_find(r->operating, &r->request, r->out, &r->trouble);
}

// An expression of a command line, in the names of the model. 0: reported, or out of memory.
static ExprId read_expression(TextScope *scope, const char *option, const char *text) {
  Text t = text_in(scope->model.arena);
  text_printf(&t, "%s = 0", text);
  uint32_t before = scope->equations.count;
  if (!text_str(&t) || !scope_read(scope, option, text_str(&t), t.length)) return 0;
  // messages show what was written, not the equation that it is read as
  Sources *sources = &scope->model.sources;
  sources->list.items[sources->list.count - 1].length = strlen(text);
  return scope->equations.count > before ? scope->equations.items[before].lhs : 0;
}

static SymbolId input_named(const Model *m, const char *name) {
  for (uint32_t i = 0; i < m->inputs.count; i++) {
    if (strcmp(m->inputs.items[i].name, name) == 0) return m->inputs.items[i].symbol;
  }
  return 0;
}

uint32_t pipeline_param(const System *s, const char *name) {
  for (uint32_t i = 0; i < s->params.count; i++) {
    if (strcmp(s->params.items[i].name, name) == 0) return i;
  }
  return no_place;
}

// The system with another value of the parameter that varies, which is free.
static bool vary(Arena *arena, const LinearizeJob *r, System *s) {
  char text[number_text_size];
  System before = *s;
  number_print(r->value, text);
  Variant v = {variant_param, pipeline_param(s, r->varied), expr_num(s->pool, rat_parse(arena, text, strlen(text)))};
  return variant_make(s, &before, arena, &v, 1);
}

// A derivative that the equations of motion do not have.
static void refuse_beyond(TextScope *scope) {
  const Elab *e = &scope->elab;
  if (!e->eval.higher.count || !scope->equations.count) return;
  SymbolId of = e->eval.higher.items[0].of;
  diag_error(&scope->model.diags, diag_third_derivative, scope->equations.items[scope->equations.count - 1].span,
             "`%s'` is beyond the equations of motion, which have `%s`", pool_symbol_get(e->pool, of)->name,
             pool_symbol_get(e->pool, of)->name);
}

// The derivative of an input that the equations of motion do not have.
static void refuse_rate(TextScope *scope, const System *s) {
  const Model *m = &scope->model;
  if (m->input_rates.count <= s->input_rates.count || !scope->equations.count) return;
  const char *name = m->inputs.items[m->input_rates.items[m->input_rates.count - 1].input].name;
  diag_error(&scope->model.diags, diag_third_derivative, scope->equations.items[scope->equations.count - 1].span,
             "this holds the derivative of the input `%s`: a path from there would be improper", name);
  diag_hint(&scope->model.diags, "let the input pass a short lag first, for example `let v = tf(%s, [1], [0.001, 1])`",
            name);
}

// One of the two operating points of a linear model with free signals; its texts are read into its own scope.
static bool open_freed(Arena *arena, const LinearizeJob *r, const FreedTexts *texts, bool rest, TextScope *scope,
                       Operating *o) {
  PointFreed *freed = arena_new_of(arena, PointFreed);
  struct {
    SymbolId cut;
    ExprId watch;
    const char *name;
  } *room = arena_alloc(arena, sizeof *room);
  PointRequest request = {.moving = r->settings.at == at_start, .rest = rest, .freed = freed};
  if (!freed || !room || !read_point(arena, scope, r->model, r->at, r->at_count, &request)) return false;
  *freed = (PointFreed){.states = true, .cut = &room->cut, .watch = &room->watch, .names = &room->name};
  if (texts->cut) room->cut = input_named(&scope->model, texts->cut), freed->cut_count = 1;
  if (texts->watch) {
    room->watch = read_expression(scope, "--path", texts->watch);
    room->name = texts->name;
    freed->watch_count = room->watch ? 1 : 0;
    refuse_beyond(scope);
    refuse_rate(scope, r->system);
  }
  System copy = system_over(r->system, &scope->model);
  Diags *diags = &scope->model.diags;
  if (r->varied && !vary(arena, r, &copy)) return false;
  return diags->errors || system_is_static(&copy, diags) || open_point(o, &copy, &request, diags);
}

LinearizeStatus pipeline_linearize_with(Arena *arena, LinearizeJob *r, const FreedTexts *texts) {
  Diags *diags = &r->scope.model.diags;
  bool twice = freed_needed(r->system) || texts->cut;
  if (!open_freed(arena, r, texts, false, &r->scope, r->operating)) return linearize_no_memory;
  diag_sort(diags);
  if (diags->errors) return linearize_failed;
  if (!twice) {
    if (r->operating->states == 0 && r->settings.at == at_equilibrium) r->settings.at = at_point;
    return linearize(r->operating, &r->settings, r->out, &r->message, &r->place);
  }
  TextScope *scope = arena_new_of(arena, TextScope);
  Operating *closed = arena_new_of(arena, Operating);
  if (!scope || !closed || !open_freed(arena, r, texts, true, scope, closed)) return linearize_no_memory;
  if (scope->model.diags.errors) {
    r->scope.model.diags = scope->model.diags;
    diag_sort(diags);
    return linearize_failed;
  }
  return linearize_freed(closed, r->operating, &r->settings, r->out, &r->message, &r->place);
}

// Poles of a model with delays or samples, for its linear model.
static LinearizeStatus find_poles(Arena *arena, LinearizeJob *r) {
  LinearPoles *poles = arena_new_of(arena, LinearPoles);
  AssembleTrouble trouble;
  if (!poles) return linearize_no_memory;
  if (!r->out->A.numbers) return linearize_done;
  r->out->poles = poles;
  switch (analysis_whole(arena, r->out, poles, &trouble)) {
  case analysis_done: return linearize_done;
  case analysis_interrupted: return linearize_interrupted;
  case analysis_no_memory: return linearize_no_memory;
  case analysis_failed:
  case analysis_refused: break;
  }
  // the matrices are there: that the poles are not is a remark
  poles->note = arena_printf(arena, "there are no poles: %s", trouble.message);
  return linearize_done;
}

LinearizeStatus pipeline_linearize(Arena *arena, LinearizeJob *r) {
  if (freed_needed(r->system)) {
    LinearizeStatus status = pipeline_linearize_with(arena, r, &(FreedTexts){0});
    return status == linearize_done ? find_poles(arena, r) : status;
  }
  Diags *diags = &r->scope.model.diags;
  PointRequest request = {.moving = r->settings.at == at_start};
  if (!read_point(arena, &r->scope, r->model, r->at, r->at_count, &request)) return linearize_no_memory;
  System copy = system_over(r->system, &r->scope.model);
  if (!diags->errors && !system_is_static(&copy, diags) && !open_point(r->operating, &copy, &request, diags))
    return linearize_no_memory;
  diag_sort(diags);
  if (diags->errors) return linearize_failed;
  if (r->operating->states == 0 && r->settings.at == at_equilibrium) r->settings.at = at_point;
  return linearize(r->operating, &r->settings, r->out, &r->message, &r->place);
}

// ---- analysis

AnalysisStatus pipeline_refuse(AnalyzeJob *r, const char *message, const char *hint) {
  r->trouble = (AssembleTrouble){.message = message, .hint = hint};
  return message ? analysis_refused : analysis_no_memory;
}

// What a model offers as the ends of a path.
static const char *offers(Arena *arena, const System *s) {
  Text t = text_in(arena);
  text_put(&t, "inputs:");
  for (uint32_t i = 0; i < s->inputs.count; i++) text_printf(&t, "%s `%s`", i ? "," : "", s->inputs.items[i].name);
  if (s->inputs.count == 0) text_put(&t, " none");
  text_put(&t, "; outputs:");
  for (uint32_t i = 0; i < s->outputs.count; i++) text_printf(&t, "%s `%s`", i ? "," : "", s->outputs.items[i].name);
  if (s->outputs.count == 0) text_put(&t, " any coordinate, state or named signal");
  return text_str(&t);
}

static const char *trimmed(Arena *arena, const char *from, size_t length) {
  while (length && *from == ' ') from++, length--;
  while (length && from[length - 1] == ' ') length--;
  return arena_strndup(arena, from, length);
}

// Both ends of the path: of `--path`, of the cut, or the only ones.
static AnalysisStatus find_ends(Arena *arena, AnalyzeJob *r, const char **from, const char **to) {
  const System *s = r->linear.system;
  *from = *to = NULL;
  if (r->path) {
    const char *colon = strchr(r->path, ':');
    if (!colon || strchr(colon + 1, ':') || colon == r->path || !colon[1])
      return pipeline_refuse(r, arena_printf(arena, "`--path %s` is no path: an input, a colon, an output", r->path),
                             arena_printf(arena, "for example `--path u:y`; %s", offers(arena, s)));
    *from = trimmed(arena, r->path, (size_t)(colon - r->path));
    *to = trimmed(arena, colon + 1, strlen(colon + 1));
    return *from && *to ? analysis_done : analysis_no_memory;
  }
  if (r->open) return *from = r->open, analysis_done;
  if (s->inputs.count == 1 && s->outputs.count == 1) {
    *from = s->inputs.items[0].name;
    *to = s->outputs.items[0].name;
    return analysis_done;
  }
  return pipeline_refuse(r, "which path is meant? The model has not just one input and one output",
                         arena_printf(arena, "`--path u:y`, or `--open e` for a loop; %s", offers(arena, s)));
}

// A state, coordinate or velocity, by its name.
static bool is_component(const System *s, const char *name) {
  for (uint32_t i = 0; i < s->y.count; i++) {
    if (s->y.items[i].name && strcmp(s->y.items[i].name, name) == 0) return true;
  }
  return false;
}

static AnalysisStatus check_input(Arena *arena, AnalyzeJob *r, const char *option, const char *name) {
  const System *s = r->linear.system;
  if (input_named(r->linear.model, name)) return analysis_done;
  return pipeline_refuse(r,
                         arena_printf(arena,
                                      r->open == name ? "`%s %s`: there is no signal called `%s`"
                                                      : "`%s %s`: there is no input and no `let` called `%s`",
                                      option, name, name),
                         arena_printf(arena, "a signal becomes one by `let v = ...`; %s", offers(arena, s)));
}

static AnalysisStatus status_of(LinearizeStatus status, const AnalyzeJob *r) {
  switch (status) {
  case linearize_done: return analysis_done;
  case linearize_failed: return r->linear.scope.model.diags.errors ? analysis_refused : analysis_failed;
  case linearize_refused: return analysis_refused;
  case linearize_interrupted: return analysis_interrupted;
  case linearize_no_memory: break;
  }
  return analysis_no_memory;
}

// A large number of states: no dense matrix is made.
static AnalysisStatus analyze_large(Arena *arena, AnalyzeJob *r, const FreedTexts *texts, const char *from) {
  LinearizeJob *l = &r->linear;
  uint32_t input = 0;
  if (!open_freed(arena, l, texts, false, &l->scope, l->operating)) return analysis_no_memory;
  diag_sort(&l->scope.model.diags);
  if (l->scope.model.diags.errors) return analysis_refused;
  while (strcmp(l->system->inputs.items[input].name, from) != 0) input++;
  *r->out = (Analysis){.arena = arena, .from = from, .to = texts->watch ? texts->watch : from};
  return analysis_sparse(arena, l->operating, input, r->out, &r->trouble);
}

// `x'''` was asked for: how many derivatives of `x` are proper, by an analysis of the path to `x` itself.
static AnalysisStatus count_proper(Arena *arena, AnalyzeJob *r, const char *from, const char *to) {
  Diags *diags = &r->linear.scope.model.diags;
  size_t length = strcspn(to, "'");
  const char *base = arena_strndup(arena, to, length);
  if (strspn(to + length, "'") != strlen(to + length)) return analysis_refused; // not of one name
  AnalyzeJob own = {.linear = {.model = r->linear.model,
                               .system = r->linear.system,
                               .at = r->linear.at,
                               .at_count = r->linear.at_count,
                               .settings = r->linear.settings,
                               .operating = arena_new_of(arena, Operating),
                               .out = arena_new_of(arena, Linearization)},
                    .path = arena_printf(arena, "%s:%s", from, base),
                    .open = r->open,
                    .out = arena_new_of(arena, Analysis)};
  if (arena_failed(arena)) return analysis_no_memory;
  AnalysisStatus status = pipeline_analyze(arena, &own);
  if (status == analysis_no_memory || status == analysis_interrupted) return status;
  if (status != analysis_done || !own.out->zeros_known) return analysis_refused;
  uint32_t proper = own.out->zeros.excess;
  diag_hint(diags,
            proper == 0 ? "from `%s` to `%s` the relative degree is %u: no derivative of `%s` is proper"
                        : "from `%s` to `%s` the relative degree is %u: as many derivatives of `%s` are proper",
            from, base, proper, base);
  return analysis_refused;
}

AnalysisStatus pipeline_analyze(Arena *arena, AnalyzeJob *r) {
  const char *from, *to;
  LinearizeJob *l = &r->linear;
  l->scope.model.diags = (Diags){.arena = arena, .sources = &l->scope.model.sources};
  AnalysisStatus status = find_ends(arena, r, &from, &to);
  bool state = r->open && !input_named(l->model, r->open) && is_component(l->system, r->open);
  if (status == analysis_done && r->open && !state) status = check_input(arena, r, "--open", r->open);
  if (status == analysis_done && from != r->open) status = check_input(arena, r, "--path", from);
  if (status != analysis_done) return status;
  FreedTexts texts = {.cut = state ? NULL : r->open, .watch = to, .name = to};
  l->settings.numbers = !freed_needed(l->system);
  if (system_dim(l->system) > analysis_most_dense) {
    if (state) return pipeline_refuse(r, "of so large a model no loop is cut", NULL);
    return analyze_large(arena, r, &texts, from);
  }
  status = status_of(pipeline_linearize_with(arena, l, &texts), r);
  if (status != analysis_done) return l->scope.elab.eval.higher.count ? count_proper(arena, r, from, to) : status;
  AnalysisIn in = {.freed = l->out,
                   .from = from,
                   .to = to ? to : from,
                   .input = input_named(&l->scope.model, from),
                   .state = state ? r->open : NULL,
                   .loop = !to,
                   .interrupted = l->settings.interrupted,
                   .self = l->settings.self};
  return analysis_run(arena, &in, r->out, &r->trouble);
}

bool pipeline_matrices(Arena *arena, MatricesJob *r, Text *out) {
  Diags *diags = &r->scope.model.diags;
  PointRequest request = {.plain = true};
  Derivation derivation;
  if (!read_point(arena, &r->scope, r->model, r->at, r->at_count, &request)) return false;
  System copy = system_over(r->system, &r->scope.model);
  if (!diags->errors && (!operating_open(r->operating, &copy, &request, diags) ||
                         (!diags->errors && !quaternions_check(r->operating, &request, diags))))
    return false;
  diag_sort(diags);
  if (diags->errors) return true;
  Operating *o = r->operating;
  if (o->numbers && !operating_numbers(o)) return false;
  bool (*const fill)(Operating *, uint32_t, Derivation *, const char **) =
      r->form == form_kinematics ? kinematics_at : matrices_at;
  if (!fill(o, r->digits, &derivation, &r->why)) return false;
  if (r->why) return true;
  copy.pool = o->s.pool; // its lists have no deviations of inputs
  if (!statements_derive(&copy, &derivation) || !derivation_fold(&copy, &derivation, false)) return false;
  show_derivation(&copy, &derivation, r->format, out);
  return !arena_failed(arena) && !o->pool.limit;
}

bool pipeline_export_c(Arena *arena, const System *system, const char *name, bool single, ExportText *texts,
                       const char **why) {
  Export e;
  *why = NULL;
  if (!export_model(arena, system, &e)) {
    *why = e.failure;
    return false;
  }
  return show_export_c(&e, name, single, VIVA_VERSION, texts) && !arena_failed(arena);
}

bool pipeline_measures(Arena *arena, const Model *model, const System *system, MeasureJob *job) {
  if (!scope_open(&job->scope, arena, model)) return false;
  for (size_t i = 0; i < job->count; i++) {
    const char *option = !i && job->first ? job->first : job->option;
    if (!measure_read(&job->scope, option, job->texts[i], &job->set)) return false;
  }
  for (size_t i = 0; i < job->where_count; i++) {
    uint32_t before = job->set.items.count;
    if (!measure_read(&job->scope, "--where", job->where[i], &job->set)) return false;
    const Measure *m = job->set.items.count > before ? &job->set.items.items[before] : NULL;
    if (!m || m->condition) continue;
    diag_error(&job->scope.model.diags, diag_bad_measure, m->span, "`--where` takes a condition on measures");
    diag_hint(&job->scope.model.diags, "for example `max(x) < 1`");
  }
  diag_sort(&job->scope.model.diags);
  job->over = system_over(system, &job->scope.model);
  return !arena_failed(arena);
}

RunResult pipeline_run(Arena *arena, const System *system, FamilyProgram *family, const RunSettings *settings,
                       const Sink *sink, Diags *diags) {
  return run_member(arena, system, family, settings, sink, diags);
}

void pipeline_members(FamilyProgram *family, FamilyMember *members, uint32_t count) {
  family_run_members(family, members, count);
}

BatchResult pipeline_batch(Arena *arena, const System *system, const BatchSettings *settings, Diags *diags) {
  return batch_run(arena, system, settings, diags);
}

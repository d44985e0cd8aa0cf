// A fit of the command line. See fit_options.h.
//
// Every option is a source of its own, parsed by the rules of the statement;
// the data file is a path and no text of the language.
#include "lang/fit_options.h"

#include "lang/parser.h"

#include <string.h>

static uint32_t add_source(Model *model, const char *name, const char *text) {
  uint32_t source = source_add(&model->sources, name, text, strlen(text));
  if (source) model->sources.list.items[source - 1].option = true;
  return source;
}

// The whole `fit` line of an option replaces those of the file.
static bool take_line(Model *model, Program *program, const char *text) {
  Program own = {0};
  uint32_t source = add_source(model, "fit", text), kept = 0;
  if (!source) return false;
  for (uint32_t i = 0; i < program->statements.count; i++) {
    if (program->statements.items[i].kind != stmt_fit) program->statements.items[kept++] = program->statements.items[i];
  }
  program->statements.count = kept;
  parse_program(model->arena, &model->sources, source, &model->diags, &own);
  for (uint32_t i = 0; i < own.statements.count; i++)
    vec_push(model->arena, &program->statements, own.statements.items[i]);
  return !arena_failed(model->arena);
}

// The statement that the options alone say.
static bool read_options(Model *model, const ModelOptions *o, Stmt *out) {
  *out = (Stmt){.kind = stmt_fit, .study = arena_new_of(model->arena, Study)};
  if (!out->study) return false;
  for (size_t i = 0; i < o->free_count; i++) {
    uint32_t source = add_source(model, "--free", o->free[i]);
    if (!source) return false;
    parse_unknowns(model->arena, &model->sources, source, &model->diags, out);
  }
  for (size_t i = 0; i < o->by_count; i++) {
    uint32_t source = add_source(model, "--by", o->by[i]);
    if (!source) return false;
    parse_measured(model->arena, &model->sources, source, &model->diags, out);
  }
  if (o->data) {
    uint32_t source = add_source(model, "data file", o->data);
    if (!source) return false;
    out->name = model->sources.list.items[source - 1].text;
    out->name_span = (Span){source, 0, (uint32_t)strlen(o->data)};
  }
  out->span = o->data ? out->name_span : (Span){model->sources.list.count, 0, 0};
  return !arena_failed(model->arena);
}

static bool is_line(const Stmt *s) { return s->kind == stmt_fit && !s->broken && s->study; }
static bool has_experiment(const Stmt *s) { return is_line(s) && (s->name || s->study->measured.count); }

// The line of the file that says what the options leave open; NULL: none. *count: how many there are.
static const Stmt *find_base(const Program *program, uint32_t *count) {
  const Stmt *found = NULL;
  uint32_t data = 0, all = 0;
  for (uint32_t i = 0; i < program->statements.count; i++) {
    const Stmt *s = &program->statements.items[i];
    if (!has_experiment(s)) continue;
    all++;
    data += s->name != NULL;
    if (!found || (s->name && !found->name)) found = s;
  }
  *count = data ? data : all;
  return found;
}

// From the line of the file what is missing. False: it is reported.
static bool fill_up(Model *model, const Program *program, Stmt *s) {
  uint32_t count;
  const Stmt *base = find_base(program, &count);
  bool whole = s->name && s->items.count && s->study->measured.count;
  if (base && !whole && count > 1) {
    diag_error(&model->diags, diag_bad_setting, s->span,
               "the model has %u `fit` lines, so that it is not clear which of them this changes", count);
    diag_hint(&model->diags, "say the whole fit: `viva fit FILE data.csv --free k=0:10 --by x`");
    return false;
  }
  if (base && !whole) {
    s->study->in_case = base->study->in_case;
    s->study->in_case_span = base->study->in_case_span;
    if (!s->name) s->name = base->name, s->name_span = base->name_span;
    if (!s->study->measured.count) s->study->measured = base->study->measured;
    if (!s->items.count) s->items = base->items;
  }
  if (!s->name || s->study->measured.count) return true;
  diag_error(&model->diags, diag_bad_setting, s->name_span, "what was measured in this file?");
  diag_hint(&model->diags, "`--by x` names what the model has in the data's column `x`");
  return false;
}

static void keep_lines(Program *program, bool (*keeps)(Stmt *s)) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < program->statements.count; i++) {
    Stmt *s = &program->statements.items[i];
    if (s->kind != stmt_fit || keeps(s)) program->statements.items[kept++] = *s;
  }
  program->statements.count = kept;
}

static bool keeps_none(Stmt *s) { return s->kind != stmt_fit; }
static bool names_unknowns(Stmt *s) { return !has_experiment(s); }
// Experiments stay; what they call unknown does not.
static bool keeps_data(Stmt *s) {
  s->items.count = 0;
  return has_experiment(s);
}

bool fit_options_take(Model *model, Program *program, const ModelOptions *o) {
  if (o->fit) return take_line(model, program, o->fit);
  if (!o->data && !o->free_count && !o->by_count) return true;
  Stmt s;
  uint32_t errors = model->diags.errors;
  if (!read_options(model, o, &s)) return false;
  bool ok = model->diags.errors == errors;
  if (o->data || o->by_count) ok = ok && fill_up(model, program, &s);
  keep_lines(program, !o->data && !o->by_count ? keeps_data : o->free_count ? keeps_none : names_unknowns);
  if (ok) vec_push(model->arena, &program->statements, s);
  return !arena_failed(model->arena);
}

// Elaboration, from statements to a model: names first, in any order;
// then values, energies, forces, equations, outputs.
//
//   1 names          declare.c, parts.c; settings.c says what `with`, a case and the command line change
//   2 given          parameters, definitions (in the order of their names), inputs, guesses, starts
//   3 statements     stage by stage, in the order of words.h: energies, forces, equations, implicit ones, events
//   4 dimensions     infer_model.c, from all of the above
//   5 shown          outputs, studies, plots, drawings
//   6 deferred       inputs of blocks with memory (they may depend on anything), and what follows for dimensions
//
// A list in a setting asks for a family of models unless it is for a vector. Of a vector in a repeated part that is
// known only when ranges are. These may depend on other lists, and which entry of those a member takes depends on how
// many lists make the family: one reading cannot know it, so all is read once more with the name in `plain`.
#include "lang/block_parts.h"
#include "lang/calls.h"
#include "lang/connect.h"
#include "lang/constraints.h"
#include "lang/declare.h"
#include "lang/eval.h"
#include "lang/fit_options.h"
#include "lang/given.h"
#include "lang/infer.h"
#include "lang/linkage.h"
#include "lang/parser.h"
#include "lang/ports.h"
#include "lang/settings.h"
#include "lang/statements.h"
#include "lang/tree.h"
#include "lang/visits.h"

#include <stdlib.h>
#include <string.h>

static ExprId clause(Elab *e, const Ast *a, const char *what) {
  if (!a) return 0;
  ExprId id = eval_scalar(e, a, NULL, what);
  return id && eval_only_params(e, id, a->span, what) ? id : 0;
}

static void take_simulate(Elab *e, const Simulate *s, Span span) {
  SystemSimulate *m = &e->model->simulate;
  ExprId from = clause(e, s->from, "`from`");
  ExprId to = clause(e, s->to, "`to`"), step = clause(e, s->step, "`step`"), every = clause(e, s->every, "`every`");
  if (from) m->from = from;
  if (to) m->to = to;
  if (step) m->step = step;
  if (every) m->every = every;
  if (s->method) m->method = s->method;
  m->span = s->method ? s->method_span : span;
}

static void elaborate_studies(Elab *e, Scope *root, const ModelOptions *options) {
  const Program *program = root->program;
  const Stmt *simulate = NULL;
  for (uint32_t i = 0; i < program->statements.count; i++) {
    const Stmt *s = &program->statements.items[i];
    if (s->broken) continue;
    if (s->kind == stmt_title) {
      if (e->model->title) diag_error(e->diags, diag_twice, s->word, "a second `title`");
      e->model->title = s->name;
    }
    if (s->kind == stmt_simulate) {
      if (simulate) diag_error(e->diags, diag_twice, s->word, "a second `simulate`");
      simulate = s;
      take_simulate(e, &s->study->simulate, s->span);
    }
    // the settings of every case are checked, not only those of the chosen one
    if (s->kind == stmt_case) {
      settings_check_case(e, s);
      for (uint32_t k = 0; k < i; k++) {
        const Stmt *other = &program->statements.items[k];
        if (other->kind != stmt_case || other->broken || strcmp(other->name, s->name) != 0) continue;
        const Source *source = source_get(&e->model->sources, other->word);
        diag_error(e->diags, diag_twice, s->word, "a second `case %s`", s->name);
        if (source)
          diag_hint(e->diags, "the first one stands in line %u", source_place(source, other->word.start).line);
        break;
      }
    }
  }
  for (uint32_t i = 0; options->case_name && i < program->statements.count; i++) {
    const Stmt *s = &program->statements.items[i];
    if (s->kind == stmt_case && !s->broken && strcmp(s->name, options->case_name) == 0)
      take_simulate(e, &s->study->simulate, s->span);
  }
  statements_visit(e, stage_shown, root);
}

// Names of the model and its parts. What is known at once comes first: ranges, indices and parts may depend on it.
static void collect_names(Elab *e, const ModelOptions *options) {
  const Program *program = e->names.scope->program;
  uint32_t count = 0;
  for (uint32_t i = 0; i < program->statements.count; i++) count += program->statements.items[i].items.count;
  if (!names_reserve(e, count)) return;
  declare_names(e, e->names.scope, 0);
  if (e->settings.unread) return;
  settings_collect(e, options);
  if (!e->settings.unread) settings_step(e, false);
  for (uint32_t i = 0; i < e->names.scopes.count && !e->settings.unread; i++)
    declare_names(e, e->names.scopes.items[i], 1);
  if (!e->settings.unread) settings_step(e, true);
}

// P[9] before P[10]
static int by_name(const void *a, const void *b) {
  const char *x = (*(Decl *const *)a)->name, *y = (*(Decl *const *)b)->name;
  bool inside = false; // a number
  for (; *x && *x == *y; x++, y++) inside = *x >= '0' && *x <= '9';
  size_t m = strspn(x, "0123456789"), n = strspn(y, "0123456789");
  if (m != n && (inside || (m && n))) return m < n ? -1 : 1;
  return (unsigned char)*x - (unsigned char)*y;
}

// Definitions are read in the order of their names: what is made on the way must not depend on the order of lines.
static void read_definitions(Elab *e) {
  uint32_t count = 0;
  Decl **list = arena_array(e->arena, e->names.decls.count, sizeof *list);
  for (uint32_t i = 0; list && i < e->names.decls.count; i++) {
    if (e->names.decls.items[i]->kind == decl_let) list[count++] = e->names.decls.items[i];
  }
  if (count) qsort(list, count, sizeof *list, by_name);
  for (uint32_t i = 0; i < count; i++) eval_decl(e, list[i], list[i]->span);
}

// Every named expression is a signal, and so is an output of a part.
static void collect_signals(Elab *e) {
  read_definitions(e);
  for (uint32_t i = 0; i < e->names.decls.count; i++) {
    Decl *d = e->names.decls.items[i];
    if (d->kind != decl_let && (d->kind != decl_output || !d->scope->outer)) continue;
    Value v = eval_decl(e, d, d->span);
    if (v.shape) contents_put(e, d->name, &v, *d->item->unit, d->span, NULL);
  }
}

// The innermost parts first: their users have the last word.
static void collect_starts(Elab *e) {
  given_starts(e);
  tree_starts(e);
  for (uint32_t i = e->names.scopes.count; i-- > 0;) statements_visit(e, stage_start, e->names.scopes.items[i]);
  settings_starts(e);
  tree_check_starts(e);
}

static void elaborate(Elab *e, Scope *root, const ModelOptions *options) {
  e->names.scope = root;
  if (!vec_push(e->arena, &e->names.scopes, root)) return;
  collect_names(e, options);
  if (e->settings.unread || arena_failed(e->arena)) return; // then what was declared may not be in the lists
  ports_collect(e);
  given_params(e);
  settings_entries(e);
  statements_visit(e, stage_body, NULL);
  tree_check(e);
  statements_visit(e, stage_linkage, NULL);
  linkage_check(e);
  tree_take_gravity(e);
  collect_signals(e);
  given_inputs(e);
  connect_read(e);
  given_circles(e);
  implicit_guesses(e);
  constraints_read(e);
  ports_read(e);
  collect_starts(e);
  for (int stage = stage_energy; stage <= stage_event; stage++) statements_visit(e, (Stage)stage, NULL);
  infer_model(e);
  statements_visit(e, stage_output, root);
  elaborate_studies(e, root, options);
  blocks_read_deferred(e);
  // a limit was exceeded and nothing was reported: the statements left out make the model incomplete
  if (e->limits.exhausted && !e->diags->errors)
    diag_error(e->diags, diag_too_large, (Span){0}, "the statements of this model take too many evaluations");
  infer_finish(e);
  if (e->diags->errors == 0) settings_varied(e);
  for (uint32_t i = 0; i < e->names.decls.count; i++) {
    Decl *d = e->names.decls.items[i];
    bool symbols = d->kind == decl_param && d->structural && d->state == decl_done && d->value.shape;
    for (uint32_t k = 0; symbols && k < value_count(&d->value); k++)
      e->model->params.items[d->index + k].structural = true;
  }
}

static bool is_lost(const Program *program, const char *text, size_t length) {
  for (uint32_t i = 0; i < program->lost.count; i++) {
    const char *name = program->lost.items[i];
    if (strlen(name) == length && memcmp(name, text, length) == 0) return true;
  }
  return false;
}

// A statement that was not read leaves its names unknown: complaints about these say nothing new.
static void drop_consequences(Model *m, const Program *program, uint32_t first) {
  uint32_t kept = first;
  for (uint32_t i = first; i < m->diags.list.count; i++) {
    Diag d = m->diags.list.items[i];
    const Source *source = source_get(&m->sources, d.span);
    bool about_names = d.code == diag_unknown_name || d.code == diag_unknown_setting || d.code == diag_needs_index ||
                       d.code == diag_unknown_function,
         drop = false;
    for (size_t at = d.span.start; source && about_names && at < d.span.end && !drop;) {
      size_t n = 0;
      for (; at + n < d.span.end; n++) {
        unsigned char c = (unsigned char)source->text[at + n];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c >= 0x80))
          break;
      }
      drop = n && is_lost(program, source->text + at, n);
      at += n ? n : 1;
    }
    if (drop) m->diags.errors--;
    else m->diags.list.items[kept++] = d;
  }
  m->diags.list.count = kept;
}

static const EvalCalls calls = {calls_eval,    calls_apply,   settings_override,  constraint_value, linkage_element,
                                linkage_value, linkage_field, linkage_coordinate, port_output};

static bool read_once(Model *model, Arena *arena, const char *path, const char *text, size_t length,
                      const ModelOptions *options, NameList *plain) {
  *model = (Model){.arena = arena, .sources = {.arena = arena}, .members = 1};
  model->diags = (Diags){.arena = arena, .sources = &model->sources};
  if (!pool_init(&model->pool, arena)) return false;
  model->time = pool_symbol(&model->pool, "t", sym_time, 0, 0);
  uint32_t source = source_add(&model->sources, path, text, length);
  if (!source) return false;
  Program *program = arena_new_of(arena, Program);
  if (!program) return false;
  parse_program(arena, &model->sources, source, &model->diags, program);
  if (!fit_options_take(model, program, options)) return false;
  uint32_t before = model->diags.list.count;
  if (!arena_failed(arena)) {
    Elab *e = arena_new_of(arena, Elab);
    Scope *root = arena_new_of(arena, Scope);
    if (!e || !root) return false;
    *e = (Elab){.model = model,
                .arena = arena,
                .pool = &model->pool,
                .diags = &model->diags,
                .calls = &calls,
                .limits.most_work = most_evaluations,
                .parts.confined = options->confined,
                .settings = {.plain = plain, .round = 1},
                .strict = options->strict,
                .taps = options->taps,
                .tap_count = options->tap_count};
    if (options->limit) {
      e->pool->most = options->limit;
      e->limits.most_work = options->limit / 4;
    }
    *root = (Scope){.prefix = "", .program = program, .source = source};
    linkage_stiffen(e, options->stiffness);
    model->linkage.lists = options->lists;
    elaborate(e, root, options);
    drop_consequences(model, program, before);
    model->scope = e;
    model->program = program;
    bool empty = program->statements.count == 0;
    if (empty && model->diags.errors == 0) {
      diag_error(&model->diags, diag_empty_model, (Span){source, 0, 0}, "the file holds no statement");
      diag_hint(&model->diags, "a first model: `coord x = 1`, `kinetic 1/2*x'^2`, `potential 1/2*x^2`");
    }
  }
  return !arena_failed(arena);
}

bool model_read(Model *model, Arena *arena, const char *path, const char *text, size_t length,
                const ModelOptions *options) {
  NameList plain = {0};
  uint32_t known;
  do {
    known = plain.count;
    if (!read_once(model, arena, path, text, length, options, &plain)) return false;
  } while (plain.count > known);
  return !arena_failed(arena);
}

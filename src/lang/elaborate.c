// From statements to a model: names first, in any order; then values, energies, forces, equations, outputs.
#include "lang/elab.h"

#include "lang/parser.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- repetition

static void visit_level(Elab *e, const Stmt *s, uint32_t level, const Binding *env, Visit *visit) {
  if (level == s->fors.count) {
    e->owner = NULL;
    e->statement = s;
    e->statement_env = env;
    e->item = s->items.count == 1 ? &s->items.items[0] : NULL;
    if (spend(e, s->word, 1)) visit(e, s, env);
    return;
  }
  const ForClause *f = &s->fors.items[level];
  int64_t from, to;
  if (!eval_integer(e, f->from, env, "a bound of `for`", &from) ||
      !eval_integer(e, f->to, env, "a bound of `for`", &to))
    return;
  if (to - from >= most_repetitions) {
    diag_error(e->diags, diag_too_many, f->span, "more than %d repetitions", most_repetitions);
    return;
  }
  for (int64_t i = from; i <= to && !arena_failed(e->arena) && !e->exhausted && e->diags->errors < diag_most; i++) {
    Binding *b = arena_new_of(e->arena, Binding);
    if (!b) return;
    *b = (Binding){f->name, value_of(expr_int(e->pool, i)), env};
    visit_level(e, s, level + 1, b, visit);
  }
}

// The statements of one kind, in one file.
static void visit_scope(Elab *e, Scope *scope, StmtKind kind, Visit *visit) {
  Scope *before = scope_enter(e, scope);
  for (uint32_t i = 0; i < scope->program->statements.count; i++) {
    const Stmt *s = &scope->program->statements.items[i];
    if (s->kind == kind && !s->broken) visit_level(e, s, 0, NULL, visit);
  }
  scope_enter(e, before);
}

void visit_all(Elab *e, StmtKind kind, Visit *visit) {
  for (uint32_t i = 0; i < e->scopes.count; i++) visit_scope(e, e->scopes.items[i], kind, visit);
}

// ---- names

static DeclKind kind_of(StmtKind kind) {
  switch (kind) {
  case stmt_param: return decl_param;
  case stmt_coord: return decl_coord;
  case stmt_state: return decl_state;
  case stmt_unknown: return decl_unknown;
  case stmt_input: return decl_input;
  case stmt_output: return decl_output;
  case stmt_fun: return decl_fun;
  default: return decl_let;
  }
}

static bool plain_name(Elab *e, const Item *item) {
  if (item->path.count) {
    diag_error(e->diags, diag_unexpected, item->name_span, "a name is declared without `.`");
    diag_hint(e->diags, "what stands before a dot is a part, brought in by `use`");
    return false;
  }
  if (item->primes == 0) return true;
  diag_error(e->diags, diag_unexpected, item->name_span, "a name is declared without `'`");
  diag_hint(e->diags, "a starting velocity is `init %s' = ...`", item->name);
  return true;
}

static Unit unit_of(const Item *item) {
  return !item->unit.said && item->value && item->value->unit ? *item->value->unit : item->unit;
}

static void declare_coord(Elab *e, Decl *d) {
  Model *m = e->model;
  uint32_t i = d->index = m->coords.count;
  const char *v = arena_printf(e->arena, "%s'", d->name), *a = arena_printf(e->arena, "%s''", d->name);
  if (!v || !a) return;
  ModelCoord c = {.name = d->name, .unit = unit_of(d->item), .span = d->span};
  c.q = pool_symbol(e->pool, d->name, sym_coord, i, 0);
  c.v = pool_symbol(e->pool, v, sym_velocity, i, 1);
  c.a = pool_symbol(e->pool, a, sym_acceleration, i, 2);
  vec_push(e->arena, &m->coords, c);
}

static void declare_state(Elab *e, Decl *d) {
  Model *m = e->model;
  uint32_t i = d->index = m->states.count;
  const char *rate = arena_printf(e->arena, "%s'", d->name);
  if (!rate) return;
  ModelState s = {.name = d->name, .unit = unit_of(d->item), .span = d->span};
  s.x = pool_symbol(e->pool, d->name, sym_state, i, 0);
  s.rate = pool_symbol(e->pool, rate, sym_state_rate, i, 1);
  vec_push(e->arena, &m->states, s);
}

// Is it known at once which name this is, before any setting?
static bool fixed_name(const Stmt *s, const Item *item) {
  return s->fors.count == 0 && (!item->index || item->index->kind == ast_number);
}

static void declare(Elab *e, const Stmt *s, const Binding *env, int pass) {
  for (uint32_t i = 0; i < s->items.count; i++) {
    const Item *item = &s->items.items[i];
    if (!item->name || fixed_name(s, item) != (pass == 0)) continue; // an output may show an expression
    if (!plain_name(e, item)) continue;
    Decl *d = decl_add(e, kind_of(s->kind), item->name, item, env);
    if (!d) continue;
    if (d->kind == decl_coord) declare_coord(e, d);
    if (d->kind == decl_state) declare_state(e, d);
    if (d->kind == decl_unknown) declare_unknown(e, d->name, d->span, unit_of(item), NULL, &d->index);
    if (d->kind == decl_input) {
      ModelInput in = {.name = d->name, .unit = unit_of(item), .span = d->span};
      d->index = e->model->inputs.count;
      in.symbol = pool_symbol(e->pool, d->name, sym_input, d->index, 0);
      vec_push(e->arena, &e->model->inputs, in);
    }
  }
}

static void declare_rest(Elab *e, const Stmt *s, const Binding *env) { declare(e, s, env, 1); }

static bool declares(StmtKind k) {
  return k == stmt_param || k == stmt_coord || k == stmt_state || k == stmt_unknown || k == stmt_input ||
         k == stmt_let || k == stmt_output || k == stmt_fun;
}

void declare_names(Elab *e, Scope *scope, int pass) {
  Scope *before = scope_enter(e, scope);
  const Program *program = scope->program;
  // repeated parts first: a range may depend on what stands in them
  for (uint32_t i = 0; pass == 1 && i < program->statements.count; i++) {
    const Stmt *s = &program->statements.items[i];
    if (s->kind == stmt_use && !s->broken && !fixed_name(s, &s->items.items[0])) visit_level(e, s, 0, NULL, visit_use);
  }
  for (uint32_t i = 0; i < program->statements.count; i++) {
    const Stmt *s = &program->statements.items[i];
    if (s->broken) continue;
    if (s->kind == stmt_use && pass == 0 && fixed_name(s, &s->items.items[0])) visit_use(e, s, NULL);
    if (!declares(s->kind)) continue;
    if (s->fors.count == 0) declare(e, s, NULL, pass);
    else if (pass == 1) visit_level(e, s, 0, NULL, declare_rest);
  }
  scope_enter(e, before);
}

// ---- studies

// The value of a constant expression of numbers, pi, sums, products and powers; NaN: it holds something else.
static double number_value(const ExprPool *pool, ExprId id) {
  Rat r;
  if (expr_number(pool, id, &r)) return rat_to_double(r);
  double value = 0;
  switch (expr_op(pool, id)) {
  case op_pi: return 3.14159265358979323846;
  case op_inf: return INFINITY;
  case op_add:
    for (uint32_t i = 0; i < expr_term_count(pool, id); i++) {
      Term t = expr_term(pool, id, i);
      value += rat_to_double(t.coef) * number_value(pool, t.term);
    }
    return value;
  case op_mul:
    value = rat_to_double(expr_coef(pool, id));
    for (uint32_t i = 0; i < expr_factor_count(pool, id); i++) {
      Factor f = expr_factor(pool, id, i);
      value *= pow(number_value(pool, f.base), number_value(pool, f.exponent));
    }
    return value;
  default: return NAN;
  }
}

static void check_range(Elab *e, const Item *item, const Binding *env) {
  if (!item->value) return;
  e->constant++;
  ExprId from = eval_scalar(e, item->value, env, "the range of a `fit`"),
         to = eval_scalar(e, item->until, env, "the range of a `fit`");
  e->constant--;
  if (!from || !to) return;
  Span span = span_join(item->value->span, item->until->span);
  double width = number_value(e->pool, to) - number_value(e->pool, from);
  if (!(width <= 0)) return;
  diag_error(e->diags, diag_bad_setting, span, "this range is %s: it must lead from a number to a larger one",
             width < 0 ? "reversed" : "empty");
}

// The data must be there, with a column for everything that is compared.
static void check_measured(Elab *e, const Stmt *s, const Binding *env) {
  for (uint32_t i = 0; i < s->measured.count; i++) {
    const Measured *m = &s->measured.items[i];
    const Source *source = source_get(&e->model->sources, m->span);
    const char *column =
        m->column ? m->column : arena_strndup(e->arena, source->text + m->span.start, m->span.end - m->span.start);
    eval_scalar(e, m->value, env, "what a `fit` compares");
    if (!column || !table_load(e, s->name, column, m->column ? m->span : s->name_span)) return;
  }
}

static void check_case_of(Elab *e, const Stmt *s) {
  const Program *program = e->scope->program;
  if (!s->in_case) return;
  for (uint32_t i = 0; i < program->statements.count; i++) {
    const Stmt *other = &program->statements.items[i];
    if (other->kind == stmt_case && !other->broken && strcmp(other->name, s->in_case) == 0) return;
  }
  diag_error(e->diags, diag_unknown_case, s->in_case_span, "there is no case `%s`", s->in_case);
}

static void visit_fit(Elab *e, const Stmt *s, const Binding *env) {
  check_measured(e, s, env);
  check_case_of(e, s);
  for (uint32_t i = 0; i < s->items.count; i++) {
    const Item *item = &s->items.items[i];
    const char *name = full_name(e, item, env);
    Decl *d = name ? decl_find(e, name) : NULL;
    check_range(e, item, env);
    if (!name || (d && d->kind == decl_param) || find_start(e, item, name)) continue;
    unknown_setting(e, item, name);
  }
}

static ExprId clause(Elab *e, const Ast *a, const char *what) {
  if (!a) return 0;
  ExprId id = eval_scalar(e, a, NULL, what);
  return id && only_params(e, id, a->span, what) ? id : 0;
}

static void take_simulate(Elab *e, const Simulate *s, Span span) {
  ModelSimulate *m = &e->model->simulate;
  ExprId to = clause(e, s->to, "`to`"), step = clause(e, s->step, "`step`"), every = clause(e, s->every, "`every`");
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
      take_simulate(e, &s->simulate, s->span);
    }
    // the settings of every case are checked, not only those of the chosen one
    if (s->kind == stmt_case) {
      case_check(e, s);
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
      take_simulate(e, &s->simulate, s->span);
  }
  visit_scope(e, root, stmt_plot, visit_plot);
  visit_scope(e, root, stmt_draw, visit_draw);
  visit_scope(e, root, stmt_fit, visit_fit);
}

// Names of the model and its parts. What is known at once comes first: ranges, indices and parts may depend on it.
static void collect_names(Elab *e, const ModelOptions *options) {
  declare_names(e, e->scope, 0);
  if (e->unread) return;
  settings_collect(e, options);
  if (!e->unread) settings_step(e, false);
  for (uint32_t i = 0; i < e->scopes.count && !e->unread; i++) declare_names(e, e->scopes.items[i], 1);
  if (!e->unread) settings_step(e, true);
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
  Decl **list = arena_array(e->arena, e->decls.count, sizeof *list);
  for (uint32_t i = 0; list && i < e->decls.count; i++) {
    if (e->decls.items[i]->kind == decl_let) list[count++] = e->decls.items[i];
  }
  if (count) qsort(list, count, sizeof *list, by_name);
  for (uint32_t i = 0; i < count; i++) eval_decl(e, list[i], list[i]->span);
}

// Every named expression is a signal, and so is an output of a part.
static void collect_signals(Elab *e) {
  read_definitions(e);
  for (uint32_t i = 0; i < e->decls.count; i++) {
    Decl *d = e->decls.items[i];
    if (d->kind != decl_let && (d->kind != decl_output || !d->scope->outer)) continue;
    Value v = eval_decl(e, d, d->span);
    if (v.shape) put_named(e, d->name, &v, d->item->unit, d->span, NULL);
  }
}

// The innermost parts first: their users have the last word.
static void collect_starts(Elab *e) {
  declared_starts(e);
  for (uint32_t i = e->scopes.count; i-- > 0;) {
    visit_scope(e, e->scopes.items[i], stmt_init, visit_init);
    visit_scope(e, e->scopes.items[i], stmt_guess, visit_init);
  }
  settings_starts(e);
}

static void elaborate(Elab *e, Scope *root, const ModelOptions *options) {
  e->scope = root;
  if (!vec_push(e->arena, &e->scopes, root)) return;
  collect_names(e, options);
  if (e->unread || arena_failed(e->arena)) return; // then what was declared may not be in the lists
  all_params(e);
  settings_entries(e);
  collect_signals(e);
  input_values(e);
  input_circles(e);
  unknown_guesses(e);
  collect_starts(e);
  static const StmtKind energies[] = {stmt_kinetic, stmt_potential, stmt_lagrangian, stmt_dissipation, stmt_power};
  for (size_t i = 0; i < sizeof energies / sizeof *energies; i++) visit_all(e, energies[i], visit_energy);
  visit_all(e, stmt_force, visit_force);
  visit_all(e, stmt_equation, visit_equation);
  visit_all(e, stmt_implicit, visit_implicit);
  visit_all(e, stmt_when, visit_when);
  infer_model(e);
  visit_scope(e, root, stmt_output, visit_output);
  elaborate_studies(e, root, options);
  read_later(e);
  infer_finish(e);
  if (e->diags->errors == 0) settings_varied(e);
  for (uint32_t i = 0; i < e->decls.count; i++) {
    Decl *d = e->decls.items[i];
    bool symbols = d->kind == decl_param && d->structural && d->state == decl_done && d->value.shape;
    for (uint32_t k = 0; symbols && k < value_count(&d->value); k++)
      e->model->params.items[d->index + k].structural = true;
  }
}

static bool is_lost(const Program *program, const char *text, size_t length) {
  if (length == 6 && memcmp(text, "lambda", 6) == 0) return true; // of a constraint
  for (uint32_t i = 0; i < program->lost.count; i++) {
    const char *name = program->lost.items[i];
    if (strlen(name) == length && memcmp(name, text, length) == 0) return true;
  }
  return false;
}

// A statement that is not there yet leaves its names unknown: complaints about these say nothing new.
static void drop_consequences(Model *m, const Program *program, uint32_t first) {
  uint32_t kept = first;
  for (uint32_t i = first; i < m->diags.list.count; i++) {
    Diag d = m->diags.list.items[i];
    const Source *source = source_get(&m->sources, d.span);
    bool about_names = d.code == diag_unknown_name || d.code == diag_unknown_setting || d.code == diag_needs_index ||
                       d.code == diag_unknown_function || d.code == diag_shape,
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

static bool read_once(Model *model, Arena *arena, const char *path, const char *text, size_t length,
                      const ModelOptions *options, NameList *plain) {
  *model = (Model){.arena = arena, .sources = {.arena = arena}, .members = 1};
  model->diags = (Diags){.arena = arena, .sources = &model->sources};
  if (!pool_init(&model->pool, arena)) return false;
  model->time = pool_symbol(&model->pool, "t", sym_time, 0, 0);
  uint32_t source = source_add(&model->sources, path, text, length);
  if (!source) return false;
  Program *program = arena_new_of(arena, Program);
  bool later = false;
  if (!program) return false;
  parse_program(arena, &model->sources, source, &model->diags, program, &later);
  uint32_t before = model->diags.list.count;
  if (!arena_failed(arena)) {
    Elab *e = arena_new_of(arena, Elab);
    Scope *root = arena_new_of(arena, Scope);
    if (!e || !root) return false;
    *e = (Elab){.model = model,
                .arena = arena,
                .pool = &model->pool,
                .diags = &model->diags,
                .plain = plain,
                .strict = options->strict,
                .confined = options->confined,
                .round = 1,
                .most_work = most_evaluations};
    if (options->limit) {
      e->pool->most = options->limit;
      e->most_work = options->limit / 4;
    }
    *root = (Scope){.prefix = "", .program = program, .source = source};
    elaborate(e, root, options);
    if (later) drop_consequences(model, program, before);
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

// From statements to a model: names first, in any order; then values, energies, forces, equations, outputs.
#include "lang/elab.h"

#include "lang/parser.h"

#include <string.h>

enum { most_repetitions = 1000000 };

// ---- repetition

static void visit_fors(Elab *e, const Stmt *s, uint32_t level, const Binding *env, Visit *visit) {
  if (level == s->fors.count) {
    visit(e, s, env);
    return;
  }
  const ForClause *f = &s->fors.items[level];
  int64_t from, to;
  if (!eval_integer(e, f->from, env, "a bound of `for`", &from) || !eval_integer(e, f->to, env, "a bound of `for`", &to)) return;
  if (to - from >= most_repetitions) {
    diag_error(e->diags, diag_too_many, f->span, "more than %d repetitions", most_repetitions);
    return;
  }
  for (int64_t i = from; i <= to && !arena_failed(e->arena) && e->diags->errors < diag_most; i++) {
    Binding *b = arena_new_of(e->arena, Binding);
    if (!b) return;
    *b = (Binding){f->name, value_of(expr_int(e->pool, i)), env};
    visit_fors(e, s, level + 1, b, visit);
  }
}

static void visit_all(Elab *e, const Program *program, StmtKind kind, Visit *visit) {
  for (uint32_t i = 0; i < program->statements.count; i++) {
    const Stmt *s = &program->statements.items[i];
    if (s->kind == kind && !s->broken) visit_fors(e, s, 0, NULL, visit);
  }
}

// ---- names

static DeclKind kind_of(StmtKind kind) {
  switch (kind) {
  case stmt_param: return decl_param;
  case stmt_coord: return decl_coord;
  case stmt_state: return decl_state;
  case stmt_input: return decl_input;
  case stmt_output: return decl_output;
  case stmt_fun: return decl_fun;
  default: return decl_let;
  }
}

static void no_primes(Elab *e, const Item *item) {
  if (item->primes == 0) return;
  diag_error(e->diags, diag_unexpected, item->name_span, "a name is declared without `'`");
  diag_hint(e->diags, "a starting velocity is `init %s' = ...`", item->name);
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

static void declare(Elab *e, const Stmt *s, const Binding *env) {
  for (uint32_t i = 0; i < s->items.count; i++) {
    const Item *item = &s->items.items[i];
    if (!item->name) continue; // an output that shows an expression
    no_primes(e, item);
    Decl *d = decl_add(e, kind_of(s->kind), item->name, item, env);
    if (!d) continue;
    if (d->kind == decl_coord) declare_coord(e, d);
    if (d->kind == decl_state) declare_state(e, d);
    if (d->kind == decl_input) {
      ModelInput in = {.name = d->name, .unit = unit_of(item), .span = d->span};
      d->index = e->model->inputs.count;
      in.symbol = pool_symbol(e->pool, d->name, sym_input, d->index, 0);
      vec_push(e->arena, &e->model->inputs, in);
    }
  }
}

static bool declares(StmtKind k) {
  return k == stmt_param || k == stmt_coord || k == stmt_state || k == stmt_input || k == stmt_let || k == stmt_output || k == stmt_fun;
}

// ---- studies

static void visit_fit(Elab *e, const Stmt *s, const Binding *env) {
  for (uint32_t i = 0; i < s->items.count; i++) {
    const Item *item = &s->items.items[i];
    const char *name = full_name(e, item, env);
    Decl *d = name ? decl_find(e, name) : NULL;
    Start start;
    if (!name || (d && d->kind == decl_param) || find_start(e, item, name, &start)) continue;
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

static void elaborate_studies(Elab *e, const Program *program, const ModelOptions *options) {
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
    for (uint32_t k = 0; s->kind == stmt_case && k < s->items.count; k++) {
      setting_check(e, &s->items.items[k], true, false);
      eval(e, s->items.items[k].value, NULL);
    }
  }
  for (uint32_t i = 0; options->case_name && i < program->statements.count; i++) {
    const Stmt *s = &program->statements.items[i];
    if (s->kind == stmt_case && !s->broken && strcmp(s->name, options->case_name) == 0) take_simulate(e, &s->simulate, s->span);
  }
  visit_all(e, program, stmt_plot, visit_shown);
  visit_all(e, program, stmt_draw, visit_shown);
  visit_all(e, program, stmt_fit, visit_fit);
}

static void elaborate(Elab *e, const Program *program, const ModelOptions *options) {
  Settings settings = {0};
  // names, in two passes: what repeats may depend on what does not
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t i = 0; i < program->statements.count; i++) {
      const Stmt *s = &program->statements.items[i];
      if (s->broken || !declares(s->kind) || (s->fors.count > 0) != (pass == 1)) continue;
      visit_fors(e, s, 0, NULL, declare);
    }
    if (pass == 0) settings_collect(e, program, options, &settings);
    settings_step(e, &settings, pass == 1);
  }
  all_params(e);
  settings_entries(e, &settings);
  for (uint32_t i = 0; i < e->decls.count; i++) {
    Decl *d = e->decls.items[i];
    if (d->kind != decl_let) continue;
    Value v = eval_decl(e, d, d->span);
    if (v.shape) put_named(e, d->name, &v, d->item->unit, d->span, false);
  }
  input_values(e);
  input_circles(e);
  declared_starts(e);
  visit_all(e, program, stmt_init, visit_init);
  visit_all(e, program, stmt_guess, visit_init);
  for (uint32_t i = 0; i < settings.items.count; i++) set_start(e, settings.items.items[i], NULL, true);
  static const StmtKind energies[] = {stmt_kinetic, stmt_potential, stmt_lagrangian, stmt_dissipation, stmt_power};
  for (size_t i = 0; i < sizeof energies / sizeof *energies; i++) visit_all(e, program, energies[i], visit_energy);
  visit_all(e, program, stmt_force, visit_force);
  visit_all(e, program, stmt_equation, visit_equation);
  visit_all(e, program, stmt_output, visit_output);
  elaborate_studies(e, program, options);
  for (uint32_t i = 0; i < e->decls.count; i++) {
    Decl *d = e->decls.items[i];
    if (d->kind == decl_param && d->structural && d->state == decl_done) e->model->params.items[d->index].structural = true;
  }
}

bool model_read(Model *model, Arena *arena, const char *path, const char *text, size_t length, const ModelOptions *options) {
  *model = (Model){.arena = arena, .sources = {.arena = arena}};
  model->diags = (Diags){.arena = arena, .sources = &model->sources};
  if (!pool_init(&model->pool, arena)) return false;
  model->time = pool_symbol(&model->pool, "t", sym_time, 0, 0);
  uint32_t source = source_add(&model->sources, path, text, length);
  if (!source) return false;
  Program program = {0};
  bool later = false;
  parse_program(arena, &model->sources, source, &model->diags, &program, &later);
  // what is not there yet would leave names unknown: report it alone
  if (!later && !arena_failed(arena)) {
    Elab e = {.model = model, .arena = arena, .pool = &model->pool, .diags = &model->diags};
    elaborate(&e, &program, options);
    bool empty = program.statements.count == 0;
    if (empty && model->diags.errors == 0) {
      diag_error(&model->diags, diag_empty_model, (Span){source, 0, 0}, "the file holds no statement");
      diag_hint(&model->diags, "a first model: `coord x = 1`, `kinetic 1/2*x'^2`, `potential 1/2*x^2`");
    }
  }
  diag_sort(&model->diags);
  return !arena_failed(arena);
}

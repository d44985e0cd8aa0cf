// From statements to a model: names first, in any order; then values, energies, forces, equations, outputs.
#include "lang/elab.h"

#include "lang/dimension.h"
#include "lang/parser.h"

#include <string.h>

enum { most_repetitions = 1000000 };

// ---- repetition

typedef void Visit(Elab *e, const Stmt *s, const Binding *env);

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

// ---- changes by a case, --set and --input

static void unknown_setting(Elab *e, const Item *item, const char *name) {
  diag_error(e->diags, diag_unknown_setting, item->name_span, "there is no parameter, input or starting value `%s`", name);
  const char *near = name_nearest(e, name);
  if (near) diag_hint(e->diags, "did you mean `%s`?", near);
}

// Starting values and entries of vectors cannot wait in a Decl: they are kept in a list.
typedef struct Start {
  uint32_t coord, state; // index + 1; 0: not this
  bool velocity;
} Start;

static bool find_start(Elab *e, const Item *item, const char *name, Start *start) {
  *start = (Start){0};
  Decl *d = decl_find(e, name);
  if (d && d->kind == decl_coord && item->primes <= 1) {
    start->coord = d->index + 1;
    start->velocity = item->primes == 1;
    return true;
  }
  if (d && d->kind == decl_state && item->primes == 0) {
    start->state = d->index + 1;
    return true;
  }
  return false;
}

static const char *full_name(Elab *e, const Item *item, const Binding *env) {
  return item->index ? indexed_name(e, item->name, item->index, env) : item->name;
}

// Parameters and inputs take their new text now; starts are taken later, by set_start. What names nothing is reported
// once all names are known.
static void change(Elab *e, const Item *item, bool final, bool apply) {
  const char *name = full_name(e, item, NULL);
  if (!name) return;
  Decl *d = decl_find(e, name);
  if (d && item->primes == 0 && (d->kind == decl_param || d->kind == decl_input)) {
    if (apply) d->changed = item;
    return;
  }
  Start start;
  if (!final || find_start(e, item, name, &start)) return;
  // an entry of a vector of parameters
  Decl *base = item->index ? decl_find(e, item->name) : NULL;
  if (base && base->kind == decl_param && item->primes == 0) return;
  if (d && (d->kind == decl_let || d->kind == decl_output || d->kind == decl_fun)) {
    diag_error(e->diags, diag_unknown_setting, item->name_span, "`%s` is %s, not a parameter, input or starting value", name, decl_word(d->kind));
    return;
  }
  unknown_setting(e, item, item->primes ? arena_printf(e->arena, "%s'", name) : name);
}

typedef struct Settings {
  VEC(Item *) items; // in the order in which they count: the case, --set, --input
} Settings;

static const Stmt *find_case(Elab *e, const Program *program, const char *name) {
  Text known = text_in(e->arena);
  for (uint32_t i = 0; i < program->statements.count; i++) {
    const Stmt *s = &program->statements.items[i];
    if (s->kind != stmt_case || s->broken) continue;
    if (strcmp(s->name, name) == 0) return s;
    text_printf(&known, "%s`%s`", known.length ? ", " : "", s->name);
  }
  diag_error(e->diags, diag_unknown_case, (Span){0}, "there is no case `%s`", name);
  if (known.length) diag_hint(e->diags, "there is %s", text_str(&known));
  else diag_hint(e->diags, "the file has no `case` statement");
  return NULL;
}

static Item *parse_option(Elab *e, const char *option, const char *text) {
  Item *item = arena_new_of(e->arena, Item);
  uint32_t source = source_add(&e->model->sources, option, text, strlen(text));
  if (!item || !source) return NULL;
  return parse_setting(e->arena, &e->model->sources, source, e->diags, item) ? item : NULL;
}

static void collect_settings(Elab *e, const Program *program, const ModelOptions *options, Settings *out) {
  const Stmt *chosen = options->case_name ? find_case(e, program, options->case_name) : NULL;
  for (uint32_t i = 0; chosen && i < chosen->items.count; i++) {
    Item *item = &chosen->items.items[i];
    if (item->value->kind == ast_list) {
      diag_error(e->diags, diag_not_yet, item->value->span, "a family of runs by a list is not there yet");
      continue;
    }
    vec_push(e->arena, &out->items, item);
  }
  for (size_t i = 0; i < options->set_count; i++) {
    Item *item = parse_option(e, "--set", options->set[i]);
    if (item) vec_push(e->arena, &out->items, item);
  }
  for (size_t i = 0; i < options->input_count; i++) {
    Item *item = parse_option(e, "--input", options->input[i]);
    if (!item) continue;
    Decl *d = decl_find(e, item->name);
    if (d && d->kind == decl_input) vec_push(e->arena, &out->items, item);
    else {
      diag_error(e->diags, diag_unknown_setting, item->name_span, "there is no input `%s`", item->name);
      Text names = text_in(e->arena);
      for (uint32_t k = 0; k < e->model->inputs.count; k++) text_printf(&names, "%s`%s`", k ? ", " : "", e->model->inputs.items[k].name);
      if (names.length) diag_hint(e->diags, "the inputs are %s", text_str(&names));
      else diag_hint(e->diags, "the model has no `input`");
    }
  }
}

// ---- values

static bool only_params(Elab *e, ExprId id, Span span, const char *what) {
  if (!(pool_node(e->pool, id)->kinds & ~(1u << sym_param | 1u << sym_bound))) return true;
  diag_error(e->diags, diag_not_constant, span, "%s may depend on numbers and parameters only", what);
  return false;
}

static ExprId start_value(Elab *e, const Item *item, const Binding *env) {
  ExprId id = eval_scalar(e, item->value, env, "a starting value");
  if (!id) return 0;
  Value v = apply_unit(e, value_of(id), &item->unit);
  return only_params(e, v.scalar, item->value->span, "a starting value") ? v.scalar : 0;
}

static void set_start(Elab *e, const Item *item, const Binding *env, bool again) {
  const char *name = full_name(e, item, env);
  Start start;
  if (!name) return;
  if (!find_start(e, item, name, &start)) {
    if (again) return; // not a start, or reported before
    diag_error(e->diags, diag_unknown_setting, item->name_span, "`%s` has no starting value: it is no coordinate or state", name);
    const char *near = name_nearest(e, name);
    if (near && !decl_find(e, name)) diag_hint(e->diags, "did you mean `%s`?", near);
    return;
  }
  if (!item->value) {
    diag_error(e->diags, diag_no_value, item->name_span, "`%s` needs a value: `%s = ...`", name, name);
    return;
  }
  ExprId id = start_value(e, item, env);
  if (!id) return;
  if (start.state) {
    e->model->states.items[start.state - 1].x0 = id;
    return;
  }
  ModelCoord *c = &e->model->coords.items[start.coord - 1];
  bool *said = start.velocity ? &c->said_v : &c->said_q;
  if (*said && !again) {
    diag_error(e->diags, diag_twice, item->name_span, "the start of `%s%s` is said twice", name, start.velocity ? "'" : "");
    return;
  }
  *said = true;
  if (start.velocity) c->v0 = id;
  else c->q0 = id;
}

static void visit_init(Elab *e, const Stmt *s, const Binding *env) {
  for (uint32_t i = 0; i < s->items.count; i++) set_start(e, &s->items.items[i], env, false);
}

static void declared_starts(Elab *e) {
  Model *m = e->model;
  for (uint32_t i = 0; i < e->decls.count; i++) {
    Decl *d = e->decls.items[i];
    if (d->kind != decl_coord && d->kind != decl_state) continue;
    ExprId id = d->item->value ? start_value(e, d->item, d->env) : e->pool->zero;
    if (d->kind == decl_state) {
      m->states.items[d->index].x0 = id ? id : e->pool->zero;
      continue;
    }
    ModelCoord *c = &m->coords.items[d->index];
    c->q0 = id ? id : e->pool->zero;
    c->v0 = e->pool->zero;
    c->said_q = d->item->value != NULL;
  }
}

static void input_values(Elab *e) {
  for (uint32_t i = 0; i < e->decls.count; i++) {
    Decl *d = e->decls.items[i];
    if (d->kind != decl_input) continue;
    const Item *item = d->changed ? d->changed : d->item;
    if (!item->value) {
      e->model->inputs.items[d->index].value = e->pool->zero; // an input without a default is zero
      continue;
    }
    d->state = decl_active;
    vec_push(e->arena, &e->active, d);
    ExprId id = eval_scalar(e, item->value, d->changed ? NULL : d->env, "an input");
    e->active.count--;
    d->state = decl_done;
    if (!id) continue;
    id = apply_unit(e, value_of(id), &item->unit).scalar;
    if (expr_has_kind(e->pool, id, sym_acceleration) || expr_has_kind(e->pool, id, sym_state_rate) || expr_has_kind(e->pool, id, sym_signal)) {
      diag_error(e->diags, diag_not_constant, item->value->span, "an input may depend on time, parameters, coordinates, velocities and states");
      continue;
    }
    e->model->inputs.items[d->index].value = id;
  }
}

// Inputs may use inputs, but not in a circle.
static void input_circles(Elab *e) {
  Model *m = e->model;
  uint32_t n = m->inputs.count;
  bool *done = arena_array(e->arena, n, sizeof *done);
  if (!done) return;
  for (uint32_t round = 0; round <= n; round++) {
    bool progress = false, left = false;
    for (uint32_t i = 0; i < n; i++) {
      if (done[i] || !m->inputs.items[i].value) continue;
      bool ready = true;
      for (uint32_t j = 0; j < n && ready; j++) {
        if (!done[j] && m->inputs.items[j].value) ready = !expr_depends(e->pool, m->inputs.items[i].value, m->inputs.items[j].symbol);
      }
      if (ready) done[i] = progress = true;
      else left = true;
    }
    if (!left) return;
    if (!progress) break;
  }
  for (uint32_t i = 0; i < n; i++) {
    if (done[i] || !m->inputs.items[i].value) continue;
    diag_error(e->diags, diag_circle, m->inputs.items[i].span, "the input `%s` depends on itself", m->inputs.items[i].name);
    return;
  }
}

static void all_params(Elab *e) {
  for (uint32_t i = 0; i < e->decls.count; i++) {
    Decl *d = e->decls.items[i];
    if (d->kind == decl_param) eval_decl(e, d, d->span);
  }
}

// --set m[2]=3 for an entry of a vector of parameters
static void set_entries(Elab *e, const Settings *settings) {
  for (uint32_t i = 0; i < settings->items.count; i++) {
    const Item *item = settings->items.items[i];
    Decl *base = item->index ? decl_find(e, item->name) : NULL;
    if (!base || base->kind != decl_param || item->primes) continue;
    const char *name = full_name(e, item, NULL);
    ModelParam *found = NULL;
    for (uint32_t k = 0; name && k < e->model->params.count; k++) {
      if (strcmp(e->model->params.items[k].name, name) == 0) found = &e->model->params.items[k];
    }
    if (!found) {
      unknown_setting(e, item, name ? name : item->name);
      continue;
    }
    ExprId id = start_value(e, item, NULL);
    if (id) found->value = id;
  }
}

// ---- what the model consists of

static bool has(Elab *e, ExprId id, SymbolKind kind) { return expr_has_kind(e->pool, id, kind); }

static void visit_energy(Elab *e, const Stmt *s, const Binding *env) {
  static const char *const words[] = {"kinetic", "potential", "lagrangian", "dissipation"};
  const char *word = s->kind == stmt_power ? "power" : words[s->kind - stmt_kinetic];
  ExprId id = eval_scalar(e, s->expr, env, arena_printf(e->arena, "`%s`", word));
  if (!id) return;
  if (id == e->pool->zero) {
    diag_error(e->diags, diag_zero_energy, s->expr->span, "this is identically zero");
    return;
  }
  if (s->kind == stmt_potential && (has(e, id, sym_velocity) || has(e, id, sym_state_rate))) {
    diag_error(e->diags, diag_velocity_in_potential, s->expr->span, "a potential may not depend on velocities");
    diag_hint(e->diags, "write it with `lagrangian -(...)`, or as a `dissipation` or `force`");
    return;
  }
  if (has(e, id, sym_acceleration)) {
    diag_error(e->diags, diag_acceleration_in_energy, s->expr->span, "`%s` may not depend on accelerations", word);
    return;
  }
  if (s->kind != stmt_power && s->kind != stmt_dissipation && has(e, id, sym_state_rate)) {
    diag_error(e->diags, diag_acceleration_in_energy, s->expr->span, "`%s` may not depend on the rate of a state", word);
    diag_hint(e->diags, "declare it with `coord` if it is a coordinate");
    return;
  }
  if (has(e, id, sym_signal)) {
    diag_error(e->diags, diag_signal_use, s->expr->span, "the energies of a run are for outputs only");
    return;
  }
  vec_push(e->arena, &e->model->energies, (ModelEnergy){s->kind, id, s->expr->span});
}

static void visit_force(Elab *e, const Stmt *s, const Binding *env) {
  for (uint32_t i = 0; i < s->items.count; i++) {
    const Item *item = &s->items.items[i];
    const char *name = full_name(e, item, env);
    if (!name) continue;
    Decl *d = decl_find(e, name);
    if (!d || d->kind != decl_coord || item->primes) {
      if (d && !item->primes) diag_error(e->diags, diag_force_target, item->name_span, "a force acts on a coordinate, but `%s` is %s", name, decl_word(d->kind));
      else if (d) diag_error(e->diags, diag_force_target, item->name_span, "a force acts on a coordinate: write `force %s = ...`", name);
      else {
        diag_error(e->diags, diag_unknown_name, item->name_span, "unknown coordinate `%s`", name);
        const char *near = name_nearest(e, name);
        if (near) diag_hint(e->diags, "did you mean `%s`?", near);
      }
      if (item->value) eval(e, item->value, env);
      continue;
    }
    if (!item->value) {
      diag_error(e->diags, diag_no_value, item->name_span, "the force is missing: `force %s = ...`", name);
      continue;
    }
    ExprId id = eval_scalar(e, item->value, env, "a force");
    if (!id) continue;
    id = apply_unit(e, value_of(id), &item->unit).scalar;
    if (has(e, id, sym_signal)) {
      diag_error(e->diags, diag_signal_use, item->value->span, "the energies of a run are for outputs only");
      continue;
    }
    vec_push(e->arena, &e->model->forces, (ModelForce){d->index, id, item->span});
  }
}

static void visit_equation(Elab *e, const Stmt *s, const Binding *env) {
  Model *m = e->model;
  const Item *item = &s->items.items[0];
  const char *name = full_name(e, item, env);
  if (!name) return;
  ExprId id = eval_scalar(e, item->value, env, "an equation");
  if (id) id = apply_unit(e, value_of(id), &item->unit).scalar;
  Decl *d = decl_find(e, name);
  if (!d) {
    diag_error(e->diags, diag_unknown_name, item->name_span, "unknown name `%s`", name);
    const char *near = name_nearest(e, name);
    if (near) diag_hint(e->diags, "did you mean `%s`?", near);
    else diag_hint(e->diags, "declare it with `%s %s`", item->primes == 1 ? "state" : "coord", name);
    return;
  }
  bool state = d->kind == decl_state && item->primes == 1, coord = d->kind == decl_coord && item->primes == 2;
  if (!state && !coord) {
    if (d->kind == decl_coord) {
      diag_error(e->diags, diag_equation_target, item->name_span, "the coordinate `%s` has an equation for `%s''`", name, name);
      diag_hint(e->diags, "declare `%s` with `state` for an equation of first order", name);
    } else if (d->kind == decl_state) {
      diag_error(e->diags, diag_equation_target, item->name_span, "the state `%s` has an equation for `%s'`", name, name);
      diag_hint(e->diags, "declare `%s` with `coord` for an equation of second order", name);
    } else {
      diag_error(e->diags, diag_equation_target, item->name_span, "`%s` is %s and can have no equation", name, decl_word(d->kind));
    }
    return;
  }
  if (id && has(e, id, sym_signal)) {
    diag_error(e->diags, diag_signal_use, item->value->span, "the energies of a run are for outputs only");
    return;
  }
  if (state) {
    ModelState *x = &m->states.items[d->index];
    if (x->equation.source) {
      diag_error(e->diags, diag_twice, item->name_span, "the state `%s` has two equations", name);
      return;
    }
    x->equation = item->span;
    x->rhs = id;
    return;
  }
  for (uint32_t i = 0; i < m->accelerations.count; i++) {
    if (m->accelerations.items[i].coord != d->index) continue;
    diag_error(e->diags, diag_twice, item->name_span, "the coordinate `%s` has two equations", name);
    return;
  }
  if (id) vec_push(e->arena, &m->accelerations, (ModelForce){d->index, id, item->span});
}

// Vectors become columns: tip.x tip.y (tip.z), longer ones tip[1] ...
static void put_named(Elab *e, const char *name, const Value *v, Unit unit, Span span, bool output) {
  for (uint32_t i = 0; i < value_count(v); i++) {
    const char *full = name;
    if (v->shape == value_vector && v->rows <= 3) full = arena_printf(e->arena, "%s.%c", name, "xyz"[i]);
    else if (v->shape == value_vector) full = arena_printf(e->arena, "%s[%u]", name, i + 1);
    else if (v->shape == value_matrix) full = arena_printf(e->arena, "%s[%u,%u]", name, i / v->cols + 1, i % v->cols + 1);
    ModelOutput o = {full, value_item(v, i), unit, span, NULL};
    if (!full) return;
    if (output) o.si = unit.said ? unit_si_text(e->arena, &unit, 0) : model_unit_text(e->model, o.value);
    if (output) vec_push(e->arena, &e->model->outputs, o);
    else vec_push(e->arena, &e->model->signals, o);
  }
}

static void visit_output(Elab *e, const Stmt *s, const Binding *env) {
  for (uint32_t i = 0; i < s->items.count; i++) {
    const Item *item = &s->items.items[i];
    if (item->name) {
      const char *name = full_name(e, item, env);
      Decl *d = name ? decl_find(e, name) : NULL;
      if (!d) continue;
      Value v = eval_decl(e, d, item->name_span);
      if (v.shape) put_named(e, d->name, &v, item->unit, item->span, true);
      continue;
    }
    Value v = apply_unit(e, eval(e, item->value, env), &item->unit);
    const char *name = written_text(e, item->name_span);
    if (item->value->kind == ast_index && item->value->count == 2 && item->value->items[0]->kind == ast_name) {
      name = indexed_name(e, item->value->items[0]->name, item->value->items[1], env);
    }
    if (v.shape && name) put_named(e, name, &v, item->unit, item->span, true);
  }
}

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
      change(e, &s->items.items[k], true, false);
      eval(e, s->items.items[k].value, NULL);
    }
  }
  for (uint32_t i = 0; options->case_name && i < program->statements.count; i++) {
    const Stmt *s = &program->statements.items[i];
    if (s->kind == stmt_case && !s->broken && strcmp(s->name, options->case_name) == 0) take_simulate(e, &s->simulate, s->span);
  }
  visit_all(e, program, stmt_plot, visit_plot);
  visit_all(e, program, stmt_draw, visit_draw);
  visit_all(e, program, stmt_fit, visit_fit);
}

static void settings_step(Elab *e, Settings *settings, bool final) {
  for (uint32_t i = 0; i < settings->items.count; i++) change(e, settings->items.items[i], final, true);
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
    if (pass == 0) collect_settings(e, program, options, &settings);
    settings_step(e, &settings, pass == 1);
  }
  all_params(e);
  set_entries(e, &settings);
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

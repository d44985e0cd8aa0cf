// Constraints: `constraint rod: a = b` declares the multiplier lambda.rod and puts a - b = 0 into the model.
//
// Multipliers are the names of a part `lambda` that every file with constraints has, so lambda.rod, lambda.rod[2],
// lambda.loop.x and hip.lambda.rod are found as names of parts are. A constraint without a name gets its number. An
// equation between vectors is a constraint for each entry, and its multiplier a vector.
//
// A constraint binds the configuration, or it is linear in velocities; what else may stand in it is given by the time
// alone, because its forces act on coordinates and its time derivatives must be known.
// Whether it can hold is found out later.
#include "lang/constraints.h"

#include "expr/occurs.h"
#include "expr/ops.h"
#include "lang/eval.h"

#include <string.h>

// ---- names

// The scope of the multipliers of the present file. NULL: reported, or out of memory.
static Scope *multipliers(Elab *e, Span span) {
  static const Item lambda = {.name = "lambda", .unit = &unit_unsaid};
  Decl *d = names_find(e, "lambda");
  if (d && d->kind == decl_part && !d->part->program) return d->part;
  if (d) {
    diag_error(e->diags, diag_twice, d->span, "`lambda` has another meaning where there are constraints");
    diag_hint(e->diags, "the multipliers of constraints are `lambda.NAME`: call this one otherwise");
    return NULL;
  }
  d = names_add(e, decl_part, &lambda, 0, NULL);
  Scope *scope = arena_new_of(e->arena, Scope);
  const char *prefix = arena_printf(e->arena, "%slambda.", e->names.scope->prefix);
  if (!d || !scope || !prefix) return NULL;
  d->span = span;
  d->used = true;
  *scope = (Scope){.prefix = prefix, .prefix_length = strlen(prefix), .outer = e->names.scope};
  return d->part = scope;
}

// One without a name gets the next number of its file.
static const Item *numbered(Elab *e, Scope *scope, const Item *item) {
  Item *own = arena_new_of(e->arena, Item);
  const char *name = arena_printf(e->arena, "%u", ++scope->depth);
  if (!own || !name) return NULL;
  *own = *item;
  own->name = name;
  return own;
}

void constraint_declare(Elab *e, const Item *item, const Binding *env) {
  int64_t index = 0;
  Scope *own = e->names.scope, *scope = multipliers(e, item->name_span);
  if (!scope || (item->index && !eval_integer(e, item->index, env, "an index", &index))) return;
  if (!item->name && !(item = numbered(e, scope, item))) return;
  names_enter(e, scope);
  Decl *d = names_add(e, decl_multiplier, item, index, env);
  names_enter(e, own);
  if (d) d->scope = own; // its text is of the file
}

// ---- what may stand in one

static bool has(const Elab *e, ExprId id, SymbolKind kind) { return expr_has_kind(e->pool, id, kind); }

// The quaternion and the angular velocity of a spherical joint are states, and count as positions and velocities.
static bool is_state(const Elab *e, ExprId id, StateRole role) {
  SymbolId s = expr_symbol(e->pool, id);
  const Symbol *x = s ? pool_symbol_get(e->pool, s) : NULL;
  return x && x->kind == sym_state && e->model->states.items[x->index].role == role;
}

static bool is_velocity(const Elab *e, ExprId id) {
  SymbolId s = expr_symbol(e->pool, id);
  return s && (pool_symbol_get(e->pool, s)->kind == sym_velocity || is_state(e, id, state_velocity));
}

static bool has_state(const Elab *e, ExprId id, StateRole role) {
  uint32_t length;
  const ExprId *list = has(e, id, sym_state) ? pool_reach(e->pool, &id, 1, NULL, NULL, &length) : NULL;
  for (uint32_t i = 0; list && i < length; i++) {
    if (is_state(e, list[i], role)) return true;
  }
  return false;
}

static bool has_velocity(const Elab *e, ExprId id) {
  return has(e, id, sym_velocity) || has_state(e, id, state_velocity);
}

// Does it jump by itself, at instants or at positions?
static bool jumps(const Elab *e, ExprId id) {
  uint32_t length;
  const ExprId *list = pool_reach(e->pool, &id, 1, NULL, NULL, &length);
  for (uint32_t i = 0; list && i < length; i++) {
    if (expr_op_info(expr_op(e->pool, list[i]))->smoothness == smoothness_jump &&
        !expr_only_kinds(e->pool, list[i], kind_set(sym_param)))
      return true;
  }
  return false;
}

// Is every velocity there by itself, with a factor that depends on the configuration?
static bool linear_in_velocities(Elab *e, ExprId id) {
  uint32_t length;
  const ExprId *list = pool_reach(e->pool, &id, 1, NULL, NULL, &length);
  VEC(SymbolId) velocities = {0};
  for (uint32_t i = 0; list && i < length; i++) {
    if (is_velocity(e, list[i])) vec_push(e->arena, &velocities, expr_symbol(e->pool, list[i]));
  }
  for (uint32_t i = 0; i < velocities.count; i++) {
    ExprId slope = expr_diff(e->pool, id, velocities.items[i]);
    if (!slope || has_velocity(e, slope)) return false;
  }
  return true;
}

static bool allowed(Elab *e, ExprId id, Span span) {
  bool rates = has_velocity(e, id), turns = has_state(e, id, state_position);
  KindSet given = kind_set(sym_param) | kind_set(sym_time) | kind_set(sym_input) | kind_set(sym_input_rate),
          bound = kind_set(sym_coord) | kind_set(sym_velocity) | kind_set(sym_bound);
  if (has(e, id, sym_acceleration)) {
    diag_error(e->diags, diag_bad_constraint, span, "a constraint binds places or velocities, not accelerations");
    diag_hint(e->diags, "what acts on an acceleration is a `force`");
  } else if (has(e, id, sym_multiplier)) {
    diag_error(e->diags, diag_bad_constraint, span, "a constraint binds coordinates, not the force of another one");
  } else if (has(e, id, sym_unknown)) {
    diag_error(e->diags, diag_bad_constraint, span, "a constraint binds coordinates, and an algebraic unknown is none");
    diag_hint(e->diags, "what fixes an `unknown` is an `equation`");
  } else if (!rates && has_state(e, id, state_plain)) {
    diag_error(e->diags, diag_bad_constraint, span, "a constraint binds coordinates, and a state is none");
    diag_hint(e->diags, "declare it with `coord`, or write an `equation`");
  } else if (!expr_only_kinds(e->pool, id, given | bound | (rates || turns ? kind_set(sym_state) : 0))) {
    diag_error(e->diags, diag_bad_constraint, span,
               "a constraint may hold coordinates, velocities, inputs, parameters and time, and nothing with a memory");
  } else if (!rates && !turns && !has(e, id, sym_coord)) {
    diag_error(e->diags, diag_bad_constraint, span, "this constraint binds no coordinate%s",
               id == e->pool->zero ? ": both sides are the same" : "");
  } else if (jumps(e, id)) {
    diag_error(e->diags, diag_bad_constraint, span,
               "a constraint may not jump: its motion would need an infinite force");
    diag_hint(e->diags, "let it go from one place to the other in a short time, as `ramp` does");
  } else if (rates && !linear_in_velocities(e, id)) {
    diag_error(e->diags, diag_bad_constraint, span, "a constraint on velocities must be linear in them");
    diag_hint(e->diags, "a factor of a velocity may depend on places: `x' = r*cos(th)*ph'`");
  } else {
    return true;
  }
  return false;
}

// ---- the text

enum { part_length = sizeof "lambda." - 1 };

static Value multiplier_of(Elab *e, Decl *d, const Value *residual, ValueShape shape) {
  uint32_t count = value_count(residual);
  Value v = shape == value_scalar ? value_of(e->pool->zero) : value_new(e->pool, shape, residual->rows, residual->cols);
  for (uint32_t i = 0; i < count && v.shape; i++) {
    const char *name = elab_entry_name(e, d->name, residual, i);
    SystemConstraint c = {.value = value_item(residual, i), .span = d->item->span, .name = name};
    if (name) c.label = arena_printf(e->arena, "%s%s", d->scope->prefix, name + d->scope->prefix_length + part_length);
    c.velocities = has_velocity(e, c.value);
    c.symbol = name ? pool_symbol(e->pool, name, sym_multiplier, e->model->constraints.count, 0) : 0;
    if (!c.symbol || !c.label || !vec_push(e->arena, &e->model->constraints, c)) return value_none();
    if (shape == value_scalar) v.scalar = expr_sym(e->pool, c.symbol);
    else v.items[i] = expr_sym(e->pool, c.symbol);
  }
  return v;
}

// left - right; the text is their difference (parse_constraint)
static Value residual(Elab *e, const Decl *d) {
  const Ast *both = d->item->value;
  Value a = eval(e, both->items[0], d->env), b = eval(e, both->items[1], d->env);
  if (!a.shape || !b.shape) return value_none();
  if (a.shape == b.shape && a.rows == b.rows && a.cols == b.cols) {
    if (a.shape == value_scalar) return value_of(expr_sub(e->pool, a.scalar, b.scalar));
    return value_sum(e->pool, (Value[]){a, b}, "+-", 2);
  }
  diag_error(e->diags, diag_shape, d->item->span, "the sides of a constraint are alike, but here are %s and %s",
             value_describe(e->arena, &a), value_describe(e->arena, &b));
  return value_none();
}

Value constraint_value(Elab *e, Decl *d, Span use) {
  if (d->state == decl_done) return d->value;
  if (d->state == decl_active) {
    diag_error(e->diags, diag_bad_constraint, use, "a constraint may not hold its own multiplier");
    return value_none();
  }
  d->state = decl_active;
  Scope *outside = names_enter(e, d->scope);
  Value v = residual(e, d);
  names_enter(e, outside);
  d->state = decl_done;
  // a loop in a plane of space: nothing leaves the plane, and 0 = 0 binds nothing
  uint32_t binding = 0;
  for (uint32_t i = 0; i < value_count(&v); i++) binding += value_item(&v, i) != e->pool->zero;
  bool ok = v.shape != value_bad;
  for (uint32_t i = 0; ok && i < value_count(&v); i++) {
    if (binding && value_item(&v, i) == e->pool->zero) continue;
    ok = allowed(e, value_item(&v, i), d->item->span);
  }
  d->index = e->model->constraints.count;
  return d->value = ok ? multiplier_of(e, d, &v, v.shape) : value_none();
}

void constraints_read(Elab *e) {
  for (uint32_t i = 0; i < e->names.decls.count; i++) {
    Decl *d = e->names.decls.items[i];
    if (d->kind == decl_multiplier) eval_decl(e, d, d->span);
  }
}

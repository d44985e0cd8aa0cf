// Functions with rules of their own: those of vectors and matrices, signals, sums, integrals. Elementary ones stand in
// expr/ops.def; calls.c checks the number of arguments before these are called.
#include "lang/functions.h"

#include "lang/table.h"

#include <string.h>

static Value bad(void) { return value_none(); }

bool function_scalars(Elab *e, const Ast *a, const Binding *env, ExprId *out) {
  bool ok = true;
  for (uint32_t i = 0; i < a->count; i++) {
    out[i] = eval_scalar(e, a->items[i], env, arena_printf(e->arena, "an argument of `%s`", a->name));
    ok = ok && out[i];
  }
  return ok;
}

// The bound variable of this nesting; equal integrals get equal variables.
SymbolId function_bound(Elab *e, const char *name, Span span) {
  if (e->eval.bound_depth >= sizeof e->eval.bound / sizeof *e->eval.bound) {
    diag_error(e->diags, diag_too_deep, span, "integrals stand too deep inside each other");
    return 0;
  }
  SymbolId *s = &e->eval.bound[e->eval.bound_depth];
  // a text about a model that was read before: the same variable there
  for (SymbolId i = 1; !*s && i < e->pool->symbols.count; i++) {
    const Symbol *old = &e->pool->symbols.items[i];
    if (old->kind == sym_bound && old->index == e->eval.bound_depth) *s = i;
  }
  if (!*s) *s = pool_symbol(e->pool, name, sym_bound, e->eval.bound_depth, 0);
  return *s;
}

Value call_sqrt(Elab *e, const Ast *a, const Binding *env) {
  ExprId x;
  return function_scalars(e, a, env, &x) ? value_of(expr_sqrt(e->pool, x)) : bad();
}

static bool two_vectors(Elab *e, const Ast *a, const Binding *env, Value *u, Value *v, uint32_t size) {
  *u = eval(e, a->items[0], env);
  *v = eval(e, a->items[1], env);
  if (!u->shape || !v->shape) return false;
  if (u->shape == value_vector && v->shape == value_vector && u->rows == v->rows && (!size || u->rows == size))
    return true;
  diag_error(e->diags, diag_shape, a->span, "`%s` needs two vectors of %s, not %s and %s", a->name,
             size ? "3" : "equal length", value_describe(e->arena, u), value_describe(e->arena, v));
  return false;
}

Value call_dot(Elab *e, const Ast *a, const Binding *env) {
  Value u, v;
  return two_vectors(e, a, env, &u, &v, 0) ? value_of(value_dot(e->pool, &u, &v)) : bad();
}

Value call_cross(Elab *e, const Ast *a, const Binding *env) {
  Value u, v;
  if (!two_vectors(e, a, env, &u, &v, 3)) return bad();
  Value r = value_new(e->pool, value_vector, 3, 1);
  for (uint32_t i = 0; i < 3 && r.shape; i++) {
    uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
    r.items[i] =
        expr_sub(e->pool, expr_mul(e->pool, u.items[j], v.items[k]), expr_mul(e->pool, u.items[k], v.items[j]));
  }
  return r;
}

Value call_transpose(Elab *e, const Ast *a, const Binding *env) {
  Value v = eval(e, a->items[0], env);
  if (!v.shape || !elab_spend(e, a->span, value_count(&v))) return bad();
  return value_transpose(e->pool, &v);
}

Value call_diag(Elab *e, const Ast *a, const Binding *env) {
  if (!elab_spend(e, a->span, (uint64_t)a->count * a->count)) return bad();
  Value r = value_new(e->pool, value_matrix, a->count, a->count);
  bool ok = r.shape != value_bad;
  for (uint32_t i = 0; i < a->count; i++) {
    ExprId x = eval_scalar(e, a->items[i], env, "an entry of `diag`");
    ok = ok && x;
    for (uint32_t j = 0; ok && j < a->count; j++) r.items[i * a->count + j] = i == j ? x : e->pool->zero;
  }
  return ok ? r : bad();
}

Value call_inverse(Elab *e, const Ast *a, const Binding *env) {
  const Ast *arg = a->items[0];
  Decl *d = NULL;
  if (a->count == 2) {
    diag_error(e->diags, diag_function_value, a->span, "the inverse of a formula needs its argument");
    diag_hint(e->diags, "write `inverse(e, v)(y)`, with v the variable of the formula e");
    return bad();
  }
  bool named = (arg->kind == ast_name || arg->kind == ast_field) && path_find(e, arg, env, &d) == path_found;
  if (named && d->kind == decl_fun) {
    diag_error(e->diags, diag_function_value, a->span, "the inverse of a function needs its argument");
    diag_hint(e->diags, "write `inverse(%s)(y)`", d->name);
    return bad();
  }
  Value v = eval(e, arg, env);
  if (!v.shape) return v;
  if (v.shape == value_scalar) return value_of(expr_powi(e->pool, v.scalar, -1));
  if (v.shape != value_matrix || v.rows != v.cols || v.rows > 6) {
    diag_error(e->diags, diag_shape, a->span,
               "`inverse` needs a square matrix of at most 6 rows, or a function, not %s",
               value_describe(e->arena, &v));
    return bad();
  }
  return value_inverse(e->pool, &v);
}

Value call_noise(Elab *e, const Ast *a, const Binding *env) {
  ExprId x[4];
  if (a->count == 3 && (a->items[2]->kind != ast_name || strcmp(a->items[2]->name, "uniform") != 0)) {
    diag_error(e->diags, diag_unexpected, a->items[2]->span, "the 3. argument of `noise` can only be `uniform`");
    diag_hint(e->diags, "`noise(seed, dt)` is normal, `noise(seed, dt, uniform)` lies between -1 and 1");
    return bad();
  }
  for (uint32_t i = 0; i < 2; i++) x[i] = eval_scalar(e, a->items[i], env, "an argument of `noise`");
  if (!x[0] || !x[1]) return bad();
  ExprId wrong = expr_fn(e->pool, op_le, (ExprId[]){x[1], e->pool->zero}, 2);
  const char *text = "`noise`: the time for which it is held must be positive";
  if (wrong == e->pool->one) {
    diag_error(e->diags, diag_block_limits, a->span, "%s", text);
    return bad();
  }
  if (expr_only_kinds(e->pool, wrong, kind_set(sym_param)))
    vec_push(e->arena, &e->model->demands, (SystemCheck){wrong, diag_block_limits, text, a->span});
  // held while floor(t/dt) is the same
  ExprId count = expr_div(e->pool, expr_sym(e->pool, e->model->time), x[1]);
  x[2] = expr_fn(e->pool, op_floor, &count, 1);
  x[3] = e->pool->one;
  return value_of(expr_raw(e->pool, op_noise, x, a->count == 3 ? 4 : 3));
}

Value call_table(Elab *e, const Ast *a, const Binding *env) {
  for (uint32_t i = 0; i < 2; i++) {
    if (a->items[i]->kind == ast_string) continue;
    diag_error(e->diags, diag_shape, a->items[i]->span, "%s of `table` stands in quotes",
               i ? "the column" : "the file");
    diag_hint(e->diags, "write `table(\"file.csv\", \"column\", t)`");
    return bad();
  }
  bool held = a->count == 4;
  if (held && (a->items[3]->kind != ast_name || strcmp(a->items[3]->name, "hold") != 0)) {
    diag_error(e->diags, diag_shape, a->items[3]->span, "the last argument of `table` can only be `hold`");
    diag_hint(e->diags, "`table(\"file.csv\", \"column\", t, hold)` holds each value until the next one");
    return bad();
  }
  ExprId x = eval_scalar(e, a->items[2], env, "the argument of `table`");
  if (x && held && !expr_only_kinds(e->pool, x, kind_set(sym_time) | kind_set(sym_param))) {
    diag_error(e->diags, diag_shape, a->items[2]->span, "a table that is held is a function of time");
    diag_hint(e->diags, "it jumps from value to value: over a coordinate or state, sum up `step`s or write `if(...)`");
    return bad();
  }
  uint32_t table = table_load(e, a->items[0]->name, a->items[1]->name, a->items[0]->span);
  if (!x || !table) return bad();
  return value_of(
      expr_raw(e->pool, op_table, (ExprId[]){expr_int(e->pool, table - 1), expr_int(e->pool, held ? 2 : 0), x}, 3));
}

static bool variable(Elab *e, const Ast *a, uint32_t i) {
  if (a->items[i]->kind == ast_name) return true;
  diag_error(e->diags, diag_unexpected, a->items[i]->span, "the %u. argument of `%s` is a variable's name", i + 1,
             a->name);
  return false;
}

Value call_sum(Elab *e, const Ast *a, const Binding *env) {
  int64_t from, to;
  if (!variable(e, a, 1) || !eval_integer(e, a->items[2], env, "a bound of `sum`", &from) ||
      !eval_integer(e, a->items[3], env, "a bound of `sum`", &to)) {
    return bad();
  }
  if (to - from >= most_repetitions) {
    diag_error(e->diags, diag_too_many, a->span, "a sum of more than %d terms", most_repetitions);
    return bad();
  }
  if (to < from) return value_of(e->pool->zero);
  uint32_t count = (uint32_t)(to - from + 1);
  Value *terms = arena_array(e->arena, count, sizeof *terms);
  if (!terms) return bad();
  for (uint32_t i = 0; i < count; i++) {
    Binding b = {.name = a->items[1]->name, .value = value_of(expr_int(e->pool, from + i)), .next = env};
    Value v = terms[i] = eval(e, a->items[0], &b);
    if (!v.shape || !elab_spend(e, a->span, value_count(&v))) return bad();
    if (v.shape == terms[0].shape && v.rows == terms[0].rows && v.cols == terms[0].cols) continue;
    diag_error(e->diags, diag_shape, a->items[0]->span, "%s and %s cannot be added",
               value_describe(e->arena, &terms[0]), value_describe(e->arena, &v));
    return bad();
  }
  return value_sum(e->pool, terms, NULL, count);
}

Value call_integral_of(Elab *e, const Ast *a, const Binding *env) {
  if (!variable(e, a, 1)) return bad();
  SymbolId s = function_bound(e, a->items[1]->name, a->span);
  if (!s) return bad();
  Binding b = {.name = a->items[1]->name, .value = value_of(expr_sym(e->pool, s)), .next = env};
  e->eval.bound_depth++;
  ExprId body = eval_scalar(e, a->items[0], &b, "what `integral_of` integrates");
  e->eval.bound_depth--;
  ExprId from = eval_scalar(e, a->items[2], env, "a bound of `integral_of`");
  ExprId to = eval_scalar(e, a->items[3], env, "a bound of `integral_of`");
  if (!body || !from || !to) return bad();
  if (body == e->pool->zero || from == to) return value_of(e->pool->zero);
  return value_of(expr_raw(e->pool, op_integral, (ExprId[]){body, expr_sym(e->pool, s), from, to}, 4));
}

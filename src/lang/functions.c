// Functions: the elementary ones, those of vectors, signals, sums, integrals, inverses, and the user's own.
#include "lang/elab.h"

#include "expr/calculus.h"
#include "expr/ops.h"

#include <string.h>

typedef Value Builtin(Elab *e, const Ast *a, const Binding *env);

static Value bad(void) { return value_none(); }

static bool scalars(Elab *e, const Ast *a, const Binding *env, ExprId *out) {
  bool ok = true;
  for (uint32_t i = 0; i < a->count; i++) {
    out[i] = eval_scalar(e, a->items[i], env, arena_printf(e->arena, "an argument of `%s`", a->name));
    ok = ok && out[i];
  }
  return ok;
}

// ---- the table of elementary functions

typedef struct Elementary {
  const char *name;
  ExprOp op;
  uint32_t arity;
} Elementary;

static const Elementary elementary[] = {
#define OP(name, arity, value, d1, d2, d3, smoothness, parity, switching, answer, domain, meaning)                     \
  {#name, op_##name, arity},
#include "expr/ops.def"
#undef OP
};

// Comparisons and logic have signs of their own, not names.
static bool has_name(ExprOp op) { return !expr_op_is_truth(op); }

static Value call_elementary(Elab *e, const Ast *a, const Binding *env, const Elementary *f) {
  ExprId args[3];
  // min and max take any number
  if ((f->op == op_min || f->op == op_max) && a->count > 2) {
    ExprId r = 0;
    bool ok = true;
    for (uint32_t i = 0; i < a->count; i++) {
      ExprId x = eval_scalar(e, a->items[i], env, "an argument of `min` or `max`");
      ok = ok && x;
      r = i == 0 ? x : expr_fn(e->pool, f->op, (ExprId[]){r, x}, 2);
      note_place(e, r, f->name, a->span);
    }
    return ok ? value_of(r) : bad();
  }
  if (!scalars(e, a, env, args)) return bad();
  ExprId id = expr_fn(e->pool, f->op, args, f->arity);
  note_place(e, id, f->name, a->span);
  return value_of(id);
}

// ---- functions with rules of their own

static Value call_sqrt(Elab *e, const Ast *a, const Binding *env) {
  ExprId x;
  return scalars(e, a, env, &x) ? value_of(expr_sqrt(e->pool, x)) : bad();
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

static Value call_dot(Elab *e, const Ast *a, const Binding *env) {
  Value u, v;
  return two_vectors(e, a, env, &u, &v, 0) ? value_of(value_dot(e->pool, &u, &v)) : bad();
}

static Value call_cross(Elab *e, const Ast *a, const Binding *env) {
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

static Value call_transpose(Elab *e, const Ast *a, const Binding *env) {
  Value v = eval(e, a->items[0], env);
  if (!v.shape || !spend(e, a->span, value_count(&v))) return bad();
  return value_transpose(e->pool, &v);
}

static Value call_diag(Elab *e, const Ast *a, const Binding *env) {
  if (!spend(e, a->span, (uint64_t)a->count * a->count)) return bad();
  Value r = value_new(e->pool, value_matrix, a->count, a->count);
  bool ok = r.shape != value_bad;
  for (uint32_t i = 0; i < a->count; i++) {
    ExprId x = eval_scalar(e, a->items[i], env, "an entry of `diag`");
    ok = ok && x;
    for (uint32_t j = 0; ok && j < a->count; j++) r.items[i * a->count + j] = i == j ? x : e->pool->zero;
  }
  return ok ? r : bad();
}

static Value call_inverse(Elab *e, const Ast *a, const Binding *env) {
  const Ast *arg = a->items[0];
  Decl *d = NULL;
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

static Value call_noise(Elab *e, const Ast *a, const Binding *env) {
  ExprId x[3];
  if (!scalars(e, a, env, x)) return bad();
  ExprId wrong = expr_fn(e->pool, op_le, (ExprId[]){x[1], e->pool->zero}, 2);
  const char *text = "`noise`: the time for which it is held must be positive";
  if (wrong == e->pool->one) {
    diag_error(e->diags, diag_block_limits, a->span, "%s", text);
    return bad();
  }
  if (expr_only_kinds(e->pool, wrong, kind_set(sym_param)))
    vec_push(e->arena, &e->model->demands, (ModelCheck){wrong, diag_block_limits, text, a->span});
  // held while floor(t/dt) is the same
  ExprId count = expr_div(e->pool, expr_sym(e->pool, e->model->time), x[1]);
  x[2] = expr_fn(e->pool, op_floor, &count, 1);
  return value_of(expr_raw(e->pool, op_noise, x, 3));
}

static Value call_table(Elab *e, const Ast *a, const Binding *env) {
  for (uint32_t i = 0; i < 2; i++) {
    if (a->items[i]->kind == ast_string) continue;
    diag_error(e->diags, diag_shape, a->items[i]->span, "%s of `table` stands in quotes",
               i ? "the column" : "the file");
    diag_hint(e->diags, "write `table(\"file.csv\", \"column\", t)`");
    return bad();
  }
  ExprId x = eval_scalar(e, a->items[2], env, "the argument of `table`");
  uint32_t table = table_load(e, a->items[0]->name, a->items[1]->name, a->items[0]->span);
  if (!x || !table) return bad();
  return value_of(expr_raw(e->pool, op_table, (ExprId[]){expr_int(e->pool, table - 1), e->pool->zero, x}, 3));
}

static bool variable(Elab *e, const Ast *a, uint32_t i) {
  if (a->items[i]->kind == ast_name) return true;
  diag_error(e->diags, diag_unexpected, a->items[i]->span, "the %u. argument of `%s` is a variable's name", i + 1,
             a->name);
  return false;
}

static Value call_sum(Elab *e, const Ast *a, const Binding *env) {
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
    Binding b = {a->items[1]->name, value_of(expr_int(e->pool, from + i)), env};
    Value v = terms[i] = eval(e, a->items[0], &b);
    if (!v.shape || !spend(e, a->span, value_count(&v))) return bad();
    if (v.shape == terms[0].shape && v.rows == terms[0].rows && v.cols == terms[0].cols) continue;
    diag_error(e->diags, diag_shape, a->items[0]->span, "%s and %s cannot be added",
               value_describe(e->arena, &terms[0]), value_describe(e->arena, &v));
    return bad();
  }
  return value_sum(e->pool, terms, NULL, count);
}

// The bound variable of this nesting; equal integrals get equal variables.
static SymbolId bound_symbol(Elab *e, const char *name, Span span) {
  if (e->bound_depth >= sizeof e->bound / sizeof *e->bound) {
    diag_error(e->diags, diag_too_deep, span, "integrals stand too deep inside each other");
    return 0;
  }
  SymbolId *s = &e->bound[e->bound_depth];
  // a text about a model that was read before: the same variable there
  for (SymbolId i = 1; !*s && i < e->pool->symbols.count; i++) {
    const Symbol *old = &e->pool->symbols.items[i];
    if (old->kind == sym_bound && old->index == e->bound_depth) *s = i;
  }
  if (!*s) *s = pool_symbol(e->pool, name, sym_bound, e->bound_depth, 0);
  return *s;
}

static Value call_integral_of(Elab *e, const Ast *a, const Binding *env) {
  if (!variable(e, a, 1)) return bad();
  SymbolId s = bound_symbol(e, a->items[1]->name, a->span);
  if (!s) return bad();
  Binding b = {a->items[1]->name, value_of(expr_sym(e->pool, s)), env};
  e->bound_depth++;
  ExprId body = eval_scalar(e, a->items[0], &b, "what `integral_of` integrates");
  e->bound_depth--;
  ExprId from = eval_scalar(e, a->items[2], env, "a bound of `integral_of`");
  ExprId to = eval_scalar(e, a->items[3], env, "a bound of `integral_of`");
  if (!body || !from || !to) return bad();
  if (body == e->pool->zero || from == to) return value_of(e->pool->zero);
  return value_of(expr_raw(e->pool, op_integral, (ExprId[]){body, expr_sym(e->pool, s), from, to}, 4));
}

static const struct {
  const char *name;
  uint32_t least, most;
  Builtin *call;
} builtins[] = {
    {"sqrt", 1, 1, call_sqrt},    {"dot", 2, 2, call_dot},
    {"cross", 2, 2, call_cross},  {"transpose", 1, 1, call_transpose},
    {"diag", 1, 1000, call_diag}, {"inverse", 1, 1, call_inverse},
    {"noise", 2, 2, call_noise},  {"table", 3, 3, call_table},
    {"sum", 4, 4, call_sum},      {"integral_of", 4, 4, call_integral_of},
};

enum { builtin_count = sizeof builtins / sizeof *builtins, elementary_count = sizeof elementary / sizeof *elementary };

bool is_builtin(const char *name) {
  for (size_t i = 0; i < builtin_count; i++) {
    if (strcmp(builtins[i].name, name) == 0) return true;
  }
  for (size_t i = 0; i < elementary_count; i++) {
    if (has_name(elementary[i].op) && strcmp(elementary[i].name, name) == 0) return true;
  }
  return is_block(name);
}

// What others call a function, and how it is written here; NULL: not known.
static const char *called_here(const char *name) {
  static const char *const known[][2] = {{"cosine", "cos(x)"},
                                         {"sine", "sin(x)"},
                                         {"tangent", "tan(x)"},
                                         {"arcsin", "asin(x)"},
                                         {"arccos", "acos(x)"},
                                         {"arctan", "atan(x)"},
                                         {"arctg", "atan(x)"},
                                         {"tg", "tan(x)"},
                                         {"arctan2", "atan2(y, x)"},
                                         {"sh", "sinh(x)"},
                                         {"ch", "cosh(x)"},
                                         {"th", "tanh(x)"},
                                         {"cot", "1/tan(x)"},
                                         {"sec", "1/cos(x)"},
                                         {"csc", "1/sin(x)"},
                                         {"log", "ln(x)` or `log10(x)"},
                                         {"lg", "log10(x)"},
                                         {"log2", "ln(x)/ln(2)"},
                                         {"pow", "a^b"},
                                         {"power", "a^b"},
                                         {"sqr", "x^2"},
                                         {"square", "x^2"},
                                         {"root", "sqrt(x)"},
                                         {"cbrt", "x^(1/3)"},
                                         {"fabs", "abs(x)"},
                                         {"absolute", "abs(x)"},
                                         {"norm", "|v|"},
                                         {"sgn", "sign(x)"},
                                         {"signum", "sign(x)"},
                                         {"heaviside", "step(x)"},
                                         {"unitstep", "step(x)"},
                                         {"ceil", "-floor(-x)"},
                                         {"round", "floor(x + 1/2)"},
                                         {"trunc", "floor(x)"},
                                         {"rem", "mod(x, y)"},
                                         {"fmod", "mod(x, y)"},
                                         {"integrate", "integral(x)` over time, or `integral_of(e, s, a, b)"},
                                         {"int", "integral(x)` over time, or `integral_of(e, s, a, b)"},
                                         {"der", "x'"},
                                         {"diff", "x'"},
                                         {"ddt", "x'"},
                                         {"derivative", "x'"},
                                         {"saturate", "limit(x, low, high)"},
                                         {"sat", "limit(x, low, high)"},
                                         {"clamp", "limit(x, low, high)"},
                                         {"clip", "limit(x, low, high)"},
                                         {"inv", "inverse(A)"},
                                         {"interp", "table(\"file.csv\", \"column\", x)"},
                                         {"interp1", "table(\"file.csv\", \"column\", x)"},
                                         {"lookup", "table(\"file.csv\", \"column\", x)"}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (strcmp(known[i][0], name) == 0) return known[i][1];
  }
  return NULL;
}

static const char *nearest_function(Elab *e, const char *name) {
  const char *best = NULL;
  unsigned least = strlen(name) > 3 ? 3 : 2;
  for (size_t i = 0; i < builtin_count + elementary_count; i++) {
    const char *known = i < builtin_count ? builtins[i].name : elementary[i - builtin_count].name;
    if (i >= builtin_count && !has_name(elementary[i - builtin_count].op)) continue;
    unsigned d = word_distance(name, known);
    if (d < least) {
      least = d;
      best = known;
    }
  }
  const char *block;
  for (uint32_t i = 0; (block = block_name_at(i)); i++) {
    unsigned d = word_distance(name, block);
    if (d < least) {
      least = d;
      best = block;
    }
  }
  for (uint32_t i = 0; i < e->decls.count; i++) {
    if (e->decls.items[i]->kind != decl_fun || e->decls.items[i]->scope != e->scope) continue;
    const char *known = e->decls.items[i]->item->name;
    unsigned d = word_distance(name, known);
    if (d < least) {
      least = d;
      best = known;
    }
  }
  if (strcmp(name, "log") == 0) return "ln` or `log10";
  return best;
}

static bool arity_ok(Elab *e, const Ast *a, uint32_t least, uint32_t most) {
  if (a->count >= least && a->count <= most) return true;
  diag_error(e->diags, diag_arguments, a->span, "`%s` takes %u argument%s, not %u", a->name, least,
             least == 1 ? "" : "s", a->count);
  return false;
}

// ---- the user's functions

// The body with its arguments bound; blocks and errors keep their places.
static Value call_fun(Elab *e, Decl *d, const Value *args, Span use) {
  d->used = true;
  if (d->state == decl_active) {
    diag_error(e->diags, diag_recursion, use, "the function `%s` calls itself", d->name);
    return bad();
  }
  const Item *item = d->item;
  Binding *env = NULL;
  const Binding *top = NULL;
  for (uint32_t i = 0; i < item->args.count; i++) {
    env = arena_new_of(e->arena, Binding);
    if (!env) return bad();
    *env = (Binding){item->args.items[i], args[i], top};
    top = env;
  }
  d->state = decl_active;
  Scope *before = scope_enter(e, d->scope);
  Value v = apply_unit(e, eval(e, item->value, top), &item->unit);
  scope_enter(e, before);
  d->state = decl_new;
  return v;
}

// The body of a function of one argument as an expression of a bound variable.
static ExprId fun_body(Elab *e, Decl *d, const Ast *a, SymbolId *bound) {
  if (d->item->args.count != 1) {
    diag_error(e->diags, diag_arguments, a->span, "`%s` must be a function of one argument for this", d->name);
    return 0;
  }
  *bound = bound_symbol(e, d->item->args.items[0], a->span);
  if (!*bound) return 0;
  Value arg = value_of(expr_sym(e->pool, *bound));
  e->bound_depth++;
  Value body = call_fun(e, d, &arg, a->span);
  e->bound_depth--;
  if (body.shape == value_scalar) return body.scalar;
  if (body.shape) diag_error(e->diags, diag_shape, a->span, "`%s` must give a number for this", d->name);
  return 0;
}

// gm'(i)
static Value call_derivative(Elab *e, Decl *d, const Ast *a, const Value *arg) {
  SymbolId s;
  ExprId body = fun_body(e, d, a, &s);
  if (!body) return bad();
  for (uint32_t i = 0; i < a->primes && body; i++) body = expr_diff(e->pool, body, s);
  if (arg->shape != value_scalar) {
    diag_error(e->diags, diag_shape, a->span, "the argument of `%s` must be a number", d->name);
    return bad();
  }
  SymbolMap map = symbol_map_new(e->pool);
  symbol_map_set(&map, s, arg->scalar);
  ExprId out = 0;
  return expr_replace(e->pool, &map, &body, 1, &out) ? value_of(out) : bad();
}

static Value call_declared(Elab *e, Decl *d, const Ast *a, Ast *const *given, const Binding *env) {
  uint32_t count = d->item->args.count;
  Value *args = arena_array(e->arena, count, sizeof *args);
  bool ok = args != NULL;
  for (uint32_t i = 0; args && i < count; i++) {
    args[i] = eval(e, given[i], env);
    ok = ok && args[i].shape;
  }
  if (!ok) return bad();
  return a->primes ? call_derivative(e, d, a, &args[0]) : call_fun(e, d, args, a->span);
}

Value eval_call(Elab *e, const Ast *a, const Binding *env) {
  for (size_t i = 0; i < builtin_count; i++) {
    if (strcmp(builtins[i].name, a->name) != 0) continue;
    return arity_ok(e, a, builtins[i].least, builtins[i].most) ? builtins[i].call(e, a, env) : bad();
  }
  for (size_t i = 0; i < elementary_count; i++) {
    const Elementary *f = &elementary[i];
    if (!has_name(f->op) || strcmp(f->name, a->name) != 0) continue;
    bool many = f->op == op_min || f->op == op_max;
    return arity_ok(e, a, f->arity, many ? 1000 : f->arity) ? call_elementary(e, a, env, f) : bad();
  }
  if (is_block(a->name)) return eval_block(e, a, env);
  Decl *d = decl_find(e, a->name);
  if (!d || d->kind != decl_fun) {
    if (d) {
      diag_error(e->diags, diag_not_function, a->span, "`%s` is %s, not a function", a->name, decl_word(d->kind));
      diag_hint(e->diags, "write `%s*(...)` to multiply", a->name);
    } else {
      diag_error(e->diags, diag_unknown_function, a->span, "unknown function `%s`", a->name);
      const char *near = nearest_function(e, a->name), *here = called_here(a->name);
      if (here) diag_hint(e->diags, "write `%s`", here);
      else if (near) diag_hint(e->diags, "did you mean `%s`?", near);
    }
    return bad();
  }
  return arity_ok(e, a, d->item->args.count, d->item->args.count) ? call_declared(e, d, a, a->items, env) : bad();
}

// hip.gm(i): a function of a part
static Value apply_field(Elab *e, const Ast *a, const Binding *env) {
  Decl *d = NULL;
  PathState state = path_find(e, a->items[0], env, &d);
  if (state == path_bad) return bad();
  if (state == path_other || d->kind != decl_fun) {
    diag_error(e->diags, diag_not_function, a->span, "only a function of a part is called this way");
    if (state == path_found) diag_hint(e->diags, "`%s` is %s", d->name, decl_word(d->kind));
    return bad();
  }
  if (a->count - 1 == d->item->args.count) return call_declared(e, d, a, a->items + 1, env);
  diag_error(e->diags, diag_arguments, a->span, "`%s` takes %u argument%s, not %u", d->name, d->item->args.count,
             d->item->args.count == 1 ? "" : "s", a->count - 1);
  return bad();
}

// inverse(gm)(psi)
Value eval_apply(Elab *e, const Ast *a, const Binding *env) {
  const Ast *callee = a->items[0];
  if (callee->kind == ast_field) return apply_field(e, a, env);
  const Ast *name = callee->count == 1 ? callee->items[0] : NULL;
  Decl *d = NULL;
  bool named = name && (name->kind == ast_name || name->kind == ast_field) && path_find(e, name, env, &d) == path_found;
  if (strcmp(callee->name, "inverse") != 0 || !named || d->kind != decl_fun || a->count != 2) {
    diag_error(e->diags, diag_not_function, a->span,
               "only `inverse(f)(y)`, with f a function of one argument, is called this way");
    return bad();
  }
  ExprId y = eval_scalar(e, a->items[1], env, "the argument of an inverse");
  SymbolId s;
  ExprId body = fun_body(e, d, callee, &s);
  if (!y || !body) return bad();
  if (!expr_depends(e->pool, body, s)) {
    diag_error(e->diags, diag_function_value, callee->span, "`%s` is constant and has no inverse", d->name);
    return bad();
  }
  ExprId slope = expr_diff(e->pool, body, s);
  if (slope) vec_push(e->arena, &e->model->inverses, (ModelInverse){body, slope, s, d->name, callee->span});
  return value_of(expr_raw(e->pool, op_inverse, (ExprId[]){body, expr_sym(e->pool, s), y, slope}, 4));
}

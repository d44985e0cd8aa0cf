// Expressions of the text to values: numbers, vectors and matrices of symbolic expressions.
//
// One function for each kind of node. An error is reported once, where it arises, and gives a bad value, which is
// absorbing; the other operands are still evaluated, so that their errors are seen, too. Calls of functions and blocks
// go through `Elab.calls`: what they do stands behind this file.
#include "lang/eval.h"

#include "lang/lexer.h"
#include "lang/words.h"

#include <string.h>

enum { deepest_evaluation = 2000 }; // definitions inside each other: each level is some 500 bytes of the stack

static Value bad(void) { return value_none(); }

// A symbolic result; division by zero is reported here, where its span is known.
static Value checked(Elab *e, const Ast *a, Value v) {
  for (uint32_t i = 0; v.shape && i < value_count(&v); i++) {
    ExprId id = value_item(&v, i);
    if (id && expr_op(e->pool, id) == op_undefined) {
      diag_error(e->diags, diag_division_by_zero, a->span, "this divides by zero");
      return bad();
    }
  }
  return v;
}

static bool same_shape(const Value *a, const Value *b) {
  return a->shape == b->shape && a->rows == b->rows && a->cols == b->cols;
}

// `'` on a vector or matrix is often meant as a transpose.
static bool looks_transposed(const Ast *a) { return a->kind == ast_prime && a->items[0]->kind != ast_prime; }

static void shape_error(Elab *e, const Ast *a, const Ast *x, const Ast *y, const Value *u, const Value *v,
                        const char *verb) {
  const char *p = value_describe(e->arena, u), *q = value_describe(e->arena, v);
  diag_error(e->diags, diag_shape, a->span, "%s and %s cannot be %s", p, q, verb);
  if ((u->shape != value_scalar && looks_transposed(x)) || (v->shape != value_scalar && looks_transposed(y))) {
    diag_hint(e->diags, "`'` is the time derivative; a transpose is `transpose(M)`");
  } else if (u->shape == value_vector && v->shape == value_vector && strcmp(verb, "multiplied") == 0) {
    diag_hint(e->diags, "write `dot(a, b)` or `cross(a, b)`");
  }
}

// Long scalar sums are built at once. terms: an array for all terms.
static Value scalar_sum(Elab *e, const Ast *a, const Binding *env, const Value *first, Term *terms) {
  bool ok = true;
  terms[0] = (Term){RAT_ONE, first->scalar};
  for (uint32_t i = 1; i < a->count; i++) {
    Value v = eval(e, a->items[i], env);
    if (v.shape && v.shape != value_scalar) {
      shape_error(e, a, a->items[0], a->items[i], first, &v, a->ops[i] == '-' ? "subtracted" : "added");
      v = bad();
    }
    ok = ok && v.shape;
    terms[i] = (Term){a->ops[i] == '-' ? rat_int(-1) : RAT_ONE, v.scalar};
  }
  return ok ? value_of(expr_sum(e->pool, terms, a->count)) : bad();
}

static Value eval_sum(Elab *e, const Ast *a, const Binding *env) {
  Value first = eval(e, a->items[0], env);
  if (!first.shape) {
    for (uint32_t i = 1; i < a->count; i++) eval(e, a->items[i], env);
    return bad();
  }
  if (first.shape == value_scalar) {
    ArenaMark mark = arena_mark(e->pool->scratch);
    Term *terms = arena_array(e->pool->scratch, a->count, sizeof *terms);
    Value sum = terms ? scalar_sum(e, a, env, &first, terms) : bad();
    arena_release(e->pool->scratch, mark);
    return sum;
  }
  Value *values = arena_array(e->arena, a->count, sizeof *values);
  if (!values) return bad();
  bool ok = true;
  values[0] = first;
  for (uint32_t i = 1; i < a->count; i++) {
    values[i] = eval(e, a->items[i], env);
    ok = ok && values[i].shape;
    if (values[i].shape && !same_shape(&first, &values[i])) {
      shape_error(e, a, a->items[0], a->items[i], &first, &values[i], a->ops[i] == '-' ? "subtracted" : "added");
      ok = false;
    }
  }
  ok = ok && elab_spend(e, a->span, (uint64_t)value_count(&first) * a->count);
  return ok ? value_sum(e->pool, values, a->ops, a->count) : bad();
}

// Division by a number needs no note: a zero is reported at once.
static void note_division(Elab *e, ExprId by, Span span) {
  if (by && expr_op(e->pool, by) != op_num) vec_push(e->arena, &e->model->divisions, (SystemDivision){by, span});
}

// Numbers among the factors are collected and multiplied at once, so that 2*(a + b)*c is one product, not (2*a +
// 2*b)*c. factors: an array for all factors.
static Value product_of(Elab *e, const Ast *a, const Binding *env, Factor *factors) {
  ExprPool *pool = e->pool;
  uint32_t count = 0, last = 0;
  Value tensor = bad(); // the vector or matrix so far
  bool ok = true;
  for (uint32_t i = 0; i < a->count; i++) {
    Value v = eval(e, a->items[i], env);
    bool divides = a->ops[i] == '/';
    ok = ok && v.shape;
    if (!v.shape) continue;
    if (v.shape == value_scalar) {
      ExprId exponent = divides ? pool->minus_one : pool->one;
      if (divides) ok = checked(e, a->items[i], value_of(expr_powi(pool, v.scalar, -1))).shape && ok;
      if (divides) note_division(e, v.scalar, a->items[i]->span);
      factors[count++] = (Factor){v.scalar, exponent};
    } else if (divides) {
      diag_error(e->diags, diag_shape, a->items[i]->span, "%s cannot be divided by", value_describe(e->arena, &v));
      if (v.shape == value_matrix) diag_hint(e->diags, "write `inverse(A)*b`");
      ok = false;
    } else if (!tensor.shape) {
      tensor = v;
      last = i;
    } else if (tensor.shape == value_matrix && tensor.cols == v.rows) {
      ok = elab_spend(e, a->span, (uint64_t)tensor.rows * tensor.cols * v.cols) && ok;
      if (ok) tensor = value_multiply(pool, &tensor, &v);
      ok = ok && tensor.shape;
      last = i;
    } else {
      shape_error(e, a, a->items[last], a->items[i], &tensor, &v, "multiplied");
      ok = false;
    }
  }
  if (!ok) return bad();
  ExprId scalar = expr_product(pool, RAT_ONE, factors, count);
  if (!tensor.shape) return value_of(scalar);
  return count ? value_scale(pool, scalar, &tensor) : tensor;
}

static Value eval_product(Elab *e, const Ast *a, const Binding *env) {
  ArenaMark mark = arena_mark(e->pool->scratch);
  Factor *factors = arena_array(e->pool->scratch, a->count, sizeof *factors);
  Value product = factors ? product_of(e, a, env, factors) : bad();
  arena_release(e->pool->scratch, mark);
  return product;
}

static bool is_negative(const ExprPool *pool, ExprId id) {
  Rat r;
  return expr_number(pool, id, &r) && rat_sign(r) < 0;
}

static Value eval_power(Elab *e, const Ast *a, const Binding *env) {
  Value base = eval(e, a->items[0], env), power = eval(e, a->items[1], env);
  if (!base.shape || !power.shape) return bad();
  if (base.shape != value_scalar || power.shape != value_scalar) {
    const Value *v = base.shape != value_scalar ? &base : &power;
    diag_error(e->diags, diag_shape, a->span, "%s has no place in a power", value_describe(e->arena, v));
    if (base.shape == value_vector) diag_hint(e->diags, "the square of its length is `|v|^2`");
    return bad();
  }
  if (is_negative(e->pool, power.scalar)) note_division(e, base.scalar, a->items[0]->span);
  return checked(e, a, value_of(expr_pow(e->pool, base.scalar, power.scalar)));
}

// ---- time derivatives

static Value eval_prime(Elab *e, const Ast *a, const Binding *env) {
  Value v = eval(e, a->items[0], env);
  if (!v.shape) return v;
  uint32_t count = value_count(&v);
  ExprId *ids = arena_array(e->arena, count, sizeof *ids);
  if (!ids) return bad();
  for (uint32_t i = 0; i < count; i++) ids[i] = value_item(&v, i);
  for (uint32_t k = 0; k < a->primes; k++) {
    if (!eval_rates(e, ids, count, a->span)) return bad();
  }
  if (v.shape == value_scalar) return value_of(ids[0]);
  v.items = ids;
  bool zero = true;
  for (uint32_t i = 0; i < count; i++) zero = zero && ids[i] == e->pool->zero;
  if (zero && v.shape == value_matrix) {
    diag_error(e->diags, diag_no_derivative, a->span, "this matrix is constant: its time derivative is zero");
    diag_hint(e->diags, "`'` is the time derivative; a transpose is `transpose(M)`");
    return bad();
  }
  if (zero) {
    diag_warning(e->diags, diag_no_derivative, a->span, "this vector is constant: its time derivative is zero");
    diag_hint(e->diags, "`'` is the time derivative; a product of vectors is `dot(a, b)`");
  }
  return v;
}

// ---- names, entries, fields

// A known name with one of its letters in another alphabet; NULL: none. *code: that letter.
static const char *in_latin(Elab *e, const char *name, uint32_t *code) {
  Text t = text_in(e->arena);
  for (size_t left = strlen(name), n; left; name += n, left -= n) {
    uint32_t c;
    n = utf8_decode(name, left, &c);
    if (!n) return NULL;
    char twin = lex_lookalike(c);
    if (twin) *code = c;
    if (twin) text_putc(&t, twin);
    else text_putn(&t, name, n);
  }
  return *code && names_find(e, text_str(&t)) ? text_str(&t) : NULL;
}

// xdot, x_dot, xddot, dx: the rate of something that is there; NULL: none of these.
static const char *meant_rate(Elab *e, const char *name) {
  static const struct {
    const char *before, *after, *primes;
  } ways[] = {{"", "_ddot", "''"}, {"", "ddot", "''"}, {"", "_dot", "'"}, {"", "dot", "'"},
              {"dd", "", "''"},    {"d", "", "'"},     {"d", "dt", "'"},  {"d", "_dt", "'"}};
  size_t n = strlen(name);
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    size_t b = strlen(ways[i].before), a = strlen(ways[i].after);
    if (n <= a + b || strncmp(name, ways[i].before, b) != 0 || strcmp(name + n - a, ways[i].after) != 0) continue;
    char *stem = arena_strndup(e->arena, name + b, n - a - b);
    const Decl *d = stem ? names_find(e, stem) : NULL;
    if (d && (d->kind == decl_coord || d->kind == decl_state || d->kind == decl_input || d->kind == decl_let))
      return arena_printf(e->arena, "%s%s", stem, ways[i].primes);
  }
  return NULL;
}

bool elab_is_lost(const Elab *e, const char *name) {
  const Program *program = e->names.scope->program;
  for (uint32_t i = 0; i < program->lost.count; i++) {
    if (strcmp(program->lost.items[i], name) == 0) return true;
  }
  return false;
}

static void unknown_name(Elab *e, const char *name, Span span) {
  const Family *f = names_family(e->names.scope, name);
  if (f) {
    diag_error(e->diags, diag_needs_index, span, "`%s` is declared with an index", name);
    diag_hint(e->diags, "write `%s[%lld]`", name, (long long)f->least);
    return;
  }
  if (elab_is_lost(e, name)) return;
  diag_error(e->diags, diag_unknown_name, span, "unknown name `%s`", name);
  const char *near = names_nearest(e, name), *rate = meant_rate(e, name);
  uint32_t code = 0;
  const char *latin = in_latin(e, name, &code);
  if (latin) diag_hint(e->diags, "it holds a letter of another alphabet (U+%04X): did you mean `%s`?", code, latin);
  else if (rate) diag_hint(e->diags, "the time derivative is written `%s`", rate);
  else if (word_call(name) != word_no_call) diag_hint(e->diags, "`%s` is a function: `%s(...)`", name, name);
  else if (near) diag_hint(e->diags, "did you mean `%s`?", near);
  else if (strcmp(name, "lambda") == 0)
    diag_hint(e->diags, "`lambda.NAME` is the multiplier of a constraint, and there is none");
}

static Value use_decl(Elab *e, Decl *d, Span use) {
  d->used = true;
  return eval_decl(e, d, use);
}

static Value eval_name(Elab *e, const Ast *a, const Binding *env) {
  for (const Binding *b = env; b; b = b->next) {
    if (strcmp(b->name, a->name) == 0) return b->counts ? value_of(expr_int(e->pool, b->count)) : b->value;
  }
  if (strcmp(a->name, "t") == 0) {
    if (e->eval.constant) {
      diag_error(e->diags, diag_not_constant, a->span,
                 "time has no place here: the value must be known when the file is read");
      return bad();
    }
    return value_of(expr_sym(e->pool, e->model->time));
  }
  if (strcmp(a->name, "pi") == 0) return value_of(e->pool->pi);
  if (strcmp(a->name, "inf") == 0) return value_of(expr_raw(e->pool, op_inf, NULL, 0));
  Decl *d = names_find(e, a->name);
  if (d) return use_decl(e, d, a->span);
  unknown_name(e, a->name, a->span);
  return bad();
}

static Value entry(Elab *e, const Ast *a, const Value *v, int64_t i, int64_t j) {
  bool matrix = v->shape == value_matrix;
  int64_t limit = v->rows;
  if (i < 1 || i > limit || (matrix && (j < 1 || j > v->cols))) {
    diag_error(e->diags, diag_index_range, a->span, "there is no such entry in %s", value_describe(e->arena, v));
    diag_hint(e->diags, "entries are counted from 1");
    return bad();
  }
  return value_of(value_item(v, (uint32_t)(matrix ? (i - 1) * v->cols + (j - 1) : i - 1)));
}

// p.x, p.th[2], p.hip.x: the momentum of a coordinate. Its name; NULL: it is something else.
static const char *momentum_of(Elab *e, const Ast *a, const Binding *env) {
  const Ast *first = a;
  while (first->kind == ast_field || first->kind == ast_index) first = first->items[0];
  if (first->kind != ast_name || strcmp(first->name, "p") != 0 || names_find(e, "p")) return NULL;
  for (const Binding *b = env; b; b = b->next) {
    if (strcmp(b->name, "p") == 0) return NULL;
  }
  const char *name = path_name(e, a, env);
  return name ? name + 2 : NULL;
}

static Value eval_momentum(Elab *e, const Ast *a, const char *coord) {
  const char *name = arena_printf(e->arena, "p.%s%s", e->names.scope->prefix, coord);
  const Decl *d = names_find(e, coord);
  if (!name) return bad();
  if (d && d->kind != decl_coord) {
    diag_error(e->diags, diag_unknown_name, a->span, "`%s` is %s, and only a coordinate has a momentum", coord,
               decl_word(d->kind));
    return bad();
  }
  for (uint32_t i = 0; i < e->model->momenta.count; i++) {
    const SystemMomentum *m = &e->model->momenta.items[i];
    if (strcmp(m->coord, name + 2) == 0) return value_of(expr_sym(e->pool, m->symbol));
  }
  SymbolId symbol = pool_symbol(e->pool, name, sym_signal, e->model->momenta.count, 0);
  if (!symbol || !vec_push(e->arena, &e->model->momenta, (SystemMomentum){symbol, name + 2, a->span})) return bad();
  return value_of(expr_sym(e->pool, symbol));
}

static Value eval_index(Elab *e, const Ast *a, const Binding *env) {
  const Ast *base = a->items[0];
  const char *coord = base->kind == ast_field ? momentum_of(e, a, env) : NULL;
  if (coord) return eval_momentum(e, a, coord);
  // th[3] is a name of its own
  Decl *d;
  PathState state = path_find(e, a, env, &d);
  if (state == path_found) return use_decl(e, d, a->span);
  if (state == path_bad) return bad();
  Value v = eval(e, base, env);
  if (!v.shape) return v;
  if (v.shape == value_scalar) {
    diag_error(e->diags, diag_shape, a->span, "a number has no entries");
    if (base->kind == ast_name)
      diag_hint(e->diags, "for a unit leave a blank before the bracket: `%s [m]`", base->name);
    return bad();
  }
  int64_t i, j = 1;
  uint32_t wanted = v.shape == value_matrix ? 3 : 2;
  if (a->count != wanted) {
    diag_error(e->diags, diag_index_range, a->span, "an entry of %s needs %s", value_describe(e->arena, &v),
               wanted == 3 ? "two indices" : "one index");
    return bad();
  }
  if (!eval_integer(e, a->items[1], env, "an index", &i)) return bad();
  if (wanted == 3 && !eval_integer(e, a->items[2], env, "an index", &j)) return bad();
  return entry(e, a, &v, i, j);
}

// Names with a dot that a run provides.
static Value eval_signal(Elab *e, const Ast *a) {
  static const char *const signals[] = {"kinetic", "potential", "stored", "dissipated", "supplied"};
  for (uint32_t i = 0; i < 5; i++) {
    if (strcmp(signals[i], a->name) != 0) continue;
    const char *name = arena_printf(e->arena, "energy.%s", a->name);
    for (SymbolId s = 1; name && s < e->pool->symbols.count; s++) {
      if (strcmp(pool_symbol_get(e->pool, s)->name, name) == 0) return value_of(expr_sym(e->pool, s));
    }
    return name ? value_of(expr_sym(e->pool, pool_symbol(e->pool, name, sym_signal, i, 0))) : bad();
  }
  diag_error(e->diags, diag_unknown_name, a->span, "unknown signal `energy.%s`", a->name);
  diag_hint(e->diags, "there are `energy.kinetic .potential .stored .dissipated .supplied`");
  return bad();
}

static Value eval_field(Elab *e, const Ast *a, const Binding *env) {
  const Ast *base = a->items[0];
  const char *coord = momentum_of(e, a, env);
  if (coord) return eval_momentum(e, a, coord);
  if (base->kind == ast_name && strcmp(base->name, "energy") == 0 && !names_find(e, "energy")) return eval_signal(e, a);
  if (names_are_all_bodies(e, base)) return e->calls->linked_field(e, NULL, a);
  Decl *d;
  PathState state = path_find(e, a, env, &d);
  if (state == path_found) return use_decl(e, d, a->span);
  if (state == path_bad) return bad();
  if (path_find(e, base, env, &d) == path_found &&
      (d->kind == decl_bar || d->kind == decl_spring || d->kind == decl_body || d->kind == decl_ball)) {
    d->used = true;
    return e->calls->linked_field(e, d, a);
  }
  if (d && d->kind == decl_input && strcmp(a->name, "y") == 0) {
    d->used = true;
    return e->calls->port_output(e, d, a->span);
  }
  Value v = eval(e, base, env);
  if (!v.shape) return v;
  const char *axes = "xyz";
  const char *axis = strlen(a->name) == 1 ? strchr(axes, a->name[0]) : NULL;
  if (!axis || v.shape == value_scalar) {
    diag_error(e->diags, diag_shape, a->span, "%s has no part `.%s`", value_describe(e->arena, &v), a->name);
    if (v.shape == value_vector) diag_hint(e->diags, "a vector has `.x`, `.y` and `.z`");
    return bad();
  }
  return entry(e, a, &v, axis - axes + 1, 1);
}

static Value eval_list(Elab *e, const Ast *a, const Binding *env) {
  uint32_t cols = a->kind == ast_matrix ? a->count / a->rows : 1;
  Value r = value_new(e->pool, a->kind == ast_matrix ? value_matrix : value_vector, a->count / cols, cols);
  bool ok = r.shape != value_bad;
  for (uint32_t i = 0; i < a->count; i++) {
    ExprId x = eval_scalar(e, a->items[i], env, "an entry of a list");
    ok = ok && x;
    if (ok) r.items[i] = x;
  }
  return ok ? r : bad();
}

static Value eval_bars(Elab *e, const Ast *a, const Binding *env) {
  Value v = eval(e, a->items[0], env);
  if (v.shape == value_scalar) {
    ExprId id = expr_fn(e->pool, op_abs, &v.scalar, 1);
    elab_note_place(e, id, "abs", a->span);
    return value_of(id);
  }
  if (v.shape == value_vector) return value_of(expr_sqrt(e->pool, value_dot(e->pool, &v, &v)));
  if (v.shape == value_matrix)
    diag_error(e->diags, diag_shape, a->span, "bars are for numbers and vectors, not for a matrix");
  return bad();
}

static Value eval_logic(Elab *e, const Ast *a, const Binding *env) {
  ExprOp op = a->kind == ast_and ? op_and : op_or;
  ExprId r = 0;
  bool ok = true;
  for (uint32_t i = 0; i < a->count; i++) {
    ExprId x = eval_scalar(e, a->items[i], env, "a condition");
    ok = ok && x;
    r = i == 0 ? x : expr_fn(e->pool, op, (ExprId[]){r, x}, 2);
  }
  return ok ? value_of(r) : bad();
}

static Value eval_compare(Elab *e, const Ast *a, const Binding *env) {
  ExprId x = eval_scalar(e, a->items[0], env, "a comparison"), y = eval_scalar(e, a->items[1], env, "a comparison");
  if (!x || !y) return bad();
  bool swap = a->op == tok_gt || a->op == tok_ge;
  ExprOp op = a->op == tok_eq ? op_eq : a->op == tok_ne ? op_ne : a->op == tok_lt || a->op == tok_gt ? op_lt : op_le;
  ExprId id = expr_fn(e->pool, op, (ExprId[]){swap ? y : x, swap ? x : y}, 2);
  elab_note_place(e, id, elab_written(e, a->span), a->span);
  return value_of(id);
}

Value eval_unit(Elab *e, Value v, const Unit *unit) {
  if (!unit->said || !v.shape) return v;
  ExprId factor = expr_product(e->pool, unit->scale, (Factor[]){{e->pool->pi, expr_int(e->pool, unit->pi)}}, 1);
  return factor == e->pool->one ? v : value_scale(e->pool, factor, &v);
}

static Value eval_node(Elab *e, const Ast *a, const Binding *env) {
  switch (a->kind) {
  case ast_number: return value_of(expr_num(e->pool, a->number));
  case ast_name: return eval_name(e, a, env);
  case ast_string: diag_error(e->diags, diag_shape, a->span, "a string has no place in a formula"); return bad();
  case ast_sum: return eval_sum(e, a, env);
  case ast_product: return eval_product(e, a, env);
  case ast_negate: {
    Value v = eval(e, a->items[0], env);
    return v.shape ? value_scale(e->pool, e->pool->minus_one, &v) : v;
  }
  case ast_power: return eval_power(e, a, env);
  case ast_prime: return eval_prime(e, a, env);
  case ast_call: return checked(e, a, e->calls->call(e, a, env));
  case ast_apply: return e->calls->apply(e, a, env);
  case ast_index: return eval_index(e, a, env);
  case ast_field: return eval_field(e, a, env);
  case ast_list:
  case ast_matrix: return eval_list(e, a, env);
  case ast_bars: return eval_bars(e, a, env);
  case ast_compare: return eval_compare(e, a, env);
  case ast_and:
  case ast_or: return eval_logic(e, a, env);
  case ast_not: {
    ExprId x = eval_scalar(e, a->items[0], env, "a condition");
    return x ? value_of(expr_fn(e->pool, op_not, &x, 1)) : bad();
  }
  }
  return bad();
}

Value eval(Elab *e, const Ast *a, const Binding *env) {
  if (e->limits.depth >= deepest_evaluation) {
    diag_error(e->diags, diag_too_deep, a->span, "definitions stand more than %d deep inside each other",
               deepest_evaluation);
    diag_hint(e->diags, "declare long chains in their order, the first one first");
    return bad();
  }
  if (!elab_spend(e, a->span, 1)) return bad();
  e->limits.depth++;
  Value v = eval_node(e, a, env);
  if (a->unit) v = eval_unit(e, v, a->unit);
  elab_report_limit(e, a->span);
  e->limits.depth--;
  if (e->eval.keep_parts && v.shape == value_scalar && v.scalar) vec_push(e->arena, &e->eval.parts, v.scalar);
  return v;
}

ExprId eval_scalar(Elab *e, const Ast *a, const Binding *env, const char *what) {
  Value v = eval(e, a, env);
  if (v.shape == value_scalar) return v.scalar;
  if (v.shape) {
    diag_error(e->diags, diag_shape, a->span, "%s must be a number, but this is %s", what,
               value_describe(e->arena, &v));
  }
  return 0;
}

bool eval_integer(Elab *e, const Ast *a, const Binding *env, const char *what, int64_t *value) {
  e->eval.constant++;
  ExprId id = eval_scalar(e, a, env, what);
  e->eval.constant--;
  if (!id) return false;
  Rat r;
  if (expr_number(e->pool, id, &r) && rat_to_int(r, value) && *value > -1000000000 && *value < 1000000000) return true;
  diag_error(e->diags, diag_not_whole, a->span, "%s must be a whole number that is known when the file is read", what);
  return false;
}

// ---- values that are known before the run

bool eval_only_params(Elab *e, ExprId id, Span span, const char *what) {
  if (expr_only_kinds(e->pool, id, kind_set(sym_param) | kind_set(sym_bound))) return true;
  diag_error(e->diags, diag_not_constant, span, "%s may depend on numbers and parameters only", what);
  return false;
}

ExprId eval_constant(Elab *e, const Item *item, const Binding *env, const char *what) {
  ExprId id = eval_scalar(e, item->value, env, what);
  if (!id) return 0;
  Value v = eval_unit(e, value_of(id), item->unit);
  return v.scalar && eval_only_params(e, v.scalar, item->value->span, what) ? v.scalar : 0;
}

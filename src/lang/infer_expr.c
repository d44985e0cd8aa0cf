// Dimensions of expressions, read from their text as eval.c reads their values.
//
// One function for each kind of node. The walk has limits of its own, after which it is silent (`Infer.cut`).
#include "lang/infer_inside.h"

#include "lang/eval.h"

#include <string.h>

enum { deepest = 500 }; // of the walk: less than that of evaluation, for nothing is lost where it ends

Dim infer_scalar(Infer *f, const Ast *a, DimEnv env) {
  DimValue v = infer_expr(f, a, env);
  return v.shape == value_scalar ? v.scalar : dim_wild();
}

// ---- numbers as factors

// Numbers that formulas have: 2, 4, 1/2, 3/2, 1/12. Decimals only where they are such fractions.
static bool of_formula(Rat r) {
  if (r.big || !r.den) return false;
  int64_t n = r.num < 0 ? -r.num : r.num;
  if (r.den == 1) return n == 0 || n == 1 || n == 2 || n == 4 || n == 8 || n == 16;
  return n <= 24 && r.den <= 24;
}

static DimValue product(Infer *f, const Ast *a, DimEnv env) {
  Dim scalar = dim_level();
  Rat number = RAT_ONE;
  bool decimal = false, pi = false;
  DimValue tensor = dims_none();
  for (uint32_t i = 0; i < a->count; i++) {
    const Ast *x = a->items[i];
    bool divides = a->ops[i] == '/';
    DimValue v = infer_expr(f, x, env);
    if (!v.shape) return dims_any();
    if (v.shape == value_scalar) {
      if (x->kind == ast_number && !x->unit) {
        // collected, so that 3/2 is one number
        decimal = decimal || (x->number.den != 1 && x->number.den != 2 && x->number.den != 4 && x->number.den != 8);
        number = divides ? rat_div(f->arena, number, x->number) : rat_mul(f->arena, number, x->number);
        v.scalar.odd = false;
      }
      pi = pi || (x->kind == ast_name && strcmp(x->name, "pi") == 0);
      scalar = i == 0 && !divides ? v.scalar : dim_times(f, scalar, v.scalar, ratio_int(divides ? -1 : 1));
    } else if (!tensor.shape) {
      tensor = v;
    } else if (tensor.shape == value_matrix && tensor.cols == v.rows) {
      f->work += (uint64_t)tensor.rows * tensor.cols * v.cols;
      DimValue r = dims_new(f, v.shape == value_matrix ? value_matrix : value_vector, tensor.rows, v.cols);
      for (uint32_t row = 0; r.shape && row < tensor.rows; row++) {
        for (uint32_t col = 0; col < v.cols; col++) {
          Dim sum = dim_literal(false);
          for (uint32_t k = 0; k < v.rows; k++)
            sum = dim_plus(f, sum, a->span,
                           dim_times(f, tensor.items[row * tensor.cols + k], v.items[k * v.cols + col], ratio_int(1)),
                           a->span, "in this product of matrices");
          r.items[row * v.cols + col] = sum;
        }
      }
      tensor = r;
      if (!tensor.shape) return dims_any();
    } else {
      return dims_any();
    }
  }
  bool odd = decimal || !of_formula(number);
  if (odd) scalar = dim_times(f, scalar, dim_literal(true), ratio_int(1));
  // 180/pi*th is in degrees
  Dimension d;
  if (pi && scalar.kind == dim_form && dim_known(f, &scalar, &d) && d.power[unit_angle].num) scalar = dim_wild();
  if (!tensor.shape) return dim_value(scalar);
  DimValue r = dims_new(f, tensor.shape, tensor.rows, tensor.cols);
  for (uint32_t i = 0; r.shape && i < dims_count(&r); i++)
    r.items[i] = dim_times(f, tensor.items[i], scalar, ratio_int(1));
  return r.shape ? r : dims_any();
}

static DimValue sum(Infer *f, const Ast *a, DimEnv env) {
  DimValue total = infer_expr(f, a->items[0], env);
  Span at = a->items[0]->span;
  for (uint32_t i = 1; i < a->count; i++) {
    DimValue v = infer_expr(f, a->items[i], env);
    if (!total.shape || !v.shape || total.shape != v.shape || dims_count(&total) != dims_count(&v)) {
      total = dims_any();
      continue;
    }
    if (total.shape == value_scalar) {
      bool known = total.scalar.kind == dim_form;
      total.scalar = dim_plus(f, total.scalar, at, v.scalar, a->items[i]->span, NULL);
      if (!known) at = a->items[i]->span;
      continue;
    }
    DimValue r = dims_new(f, total.shape, total.rows, total.cols);
    for (uint32_t k = 0; r.shape && k < dims_count(&r); k++)
      r.items[k] = dim_plus(f, total.items[k], at, v.items[k], a->items[i]->span, NULL);
    total = r;
  }
  return total.shape ? total : dims_any();
}

static DimValue power(Infer *f, const Ast *a, DimEnv env) {
  Dim base = infer_scalar(f, a->items[0], env), exponent = infer_scalar(f, a->items[1], env);
  if (base.kind != dim_form) return dim_value(base);
  if (exponent.kind != dim_number) {
    dim_plain(f, &exponent, a->items[1]->span, "an exponent is");
    Dimension d, one = dimension_plain();
    bool known = dim_known(f, &base, &d);
    return known && dimension_same(&d, &one) ? dim_value(dim_of(form_plain())) : dims_any();
  }
  // the number itself: numbers are evaluated once more
  f->e->eval.constant++;
  ExprId id = eval_scalar(f->e, a->items[1], env.elab, "an exponent");
  f->e->eval.constant--;
  Rat r;
  if (!id || !expr_number(f->e->pool, id, &r) || r.big || r.num > 100 || r.num < -100 || r.den > 100) return dims_any();
  return dim_value(dim_raised(f, base, (Ratio){(int32_t)r.num, (int32_t)r.den}));
}

// ---- blocks

// ---- names

DimValue infer_unit(Infer *f, DimValue v, const Unit *unit, Span span) {
  if (!unit->said || !v.shape) return v;
  uint32_t count = dims_count(&v);
  if (v.shape != value_scalar) {
    DimValue r = dims_new(f, v.shape, v.rows, v.cols);
    for (uint32_t i = 0; r.shape && i < count; i++) r.items[i] = dim_of(form_of_unit(unit));
    for (uint32_t i = 0; i < count; i++) {
      if (v.items[i].kind == dim_form) vec_push(f->arena, &f->deferred, (DimDeferred){v.items[i], *unit, span});
    }
    return r.shape ? r : dims_any();
  }
  if (v.scalar.kind == dim_form) vec_push(f->arena, &f->deferred, (DimDeferred){v.scalar, *unit, span});
  return dim_value(dim_of(form_of_unit(unit)));
}

static bool is_index(DimEnv env, const char *name) {
  for (const Binding *b = env.elab; b; b = b->next) {
    if (strcmp(b->name, name) == 0) return true;
  }
  return false;
}

static DimValue name(Infer *f, const Ast *a, DimEnv env) {
  const DimBinding *b = infer_local(env, a->name);
  if (b) return b->value.shape ? b->value : dims_any();
  if (is_index(env, a->name)) return dim_value(dim_literal(false));
  if (strcmp(a->name, "t") == 0) return dim_value(dim_rate(f, dim_of(form_plain()), -1));
  if (strcmp(a->name, "pi") == 0) return dim_value(dim_literal(false));
  if (strcmp(a->name, "inf") == 0) return dims_any();
  Decl *d = names_find(f->e, a->name);
  return d ? infer_decl(f, d) : dims_any();
}

static DimValue entry(Infer *f, const Ast *a, DimEnv env) {
  Decl *d;
  if (path_find(f->e, a, env.elab, &d) == path_found) return infer_decl(f, d);
  if (a->kind == ast_field && path_find(f->e, a->items[0], env.elab, &d) == path_found &&
      (d->kind == decl_bar || d->kind == decl_spring || d->kind == decl_body))
    return infer_linked_field(f, d, a->name);
  // U.y: the output of a port, a power for its input
  if (a->kind == ast_field && d && d->kind == decl_input && strcmp(a->name, "y") == 0) {
    Dim u = infer_decl(f, d).scalar;
    if (u.kind != dim_form) return dims_any();
    return dim_value(dim_rate(f, dim_times(f, dim_of(form_of_var(f, f->energy)), u, ratio_int(-1)), 1));
  }
  DimValue v = infer_expr(f, a->items[0], env);
  int64_t i = 1, k = 1;
  if (v.shape != value_vector && v.shape != value_matrix) return dims_any();
  if (a->kind == ast_field) {
    i = (int64_t)(a->name[0] - 'x') + 1;
  } else {
    if (!eval_integer(f->e, a->items[1], env.elab, "an index", &i)) return dims_any();
    if (v.shape == value_matrix && (a->count != 3 || !eval_integer(f->e, a->items[2], env.elab, "an index", &k)))
      return dims_any();
  }
  if (i < 1 || k < 1 || i > v.rows || k > v.cols) return dims_any();
  return dim_value(v.items[(uint32_t)(i - 1) * v.cols + (uint32_t)(k - 1)]);
}

// p.x: an energy by a velocity
static bool is_momentum(Infer *f, const Ast *a, DimEnv env) {
  while (a->kind == ast_field || a->kind == ast_index) a = a->items[0];
  return a->kind == ast_name && strcmp(a->name, "p") == 0 && !names_find(f->e, "p") && !is_index(env, "p") &&
         !infer_local(env, "p");
}

static DimValue momentum(Infer *f, const Ast *a, DimEnv env) {
  const char *name = path_name(f->e, a, env.elab);
  Decl *d = name ? names_find(f->e, name + 2) : NULL;
  if (!d || d->kind != decl_coord) return dims_any();
  Dim q = infer_decl(f, d).scalar;
  return dim_value(dim_rate(f, dim_times(f, dim_of(form_of_var(f, f->energy)), q, ratio_int(-1)), -1));
}

static DimValue list(Infer *f, const Ast *a, DimEnv env) {
  uint32_t cols = a->kind == ast_matrix ? a->count / a->rows : 1;
  DimValue r = dims_new(f, a->kind == ast_matrix ? value_matrix : value_vector, a->count / cols, cols);
  for (uint32_t i = 0; i < a->count; i++) {
    Dim d = infer_scalar(f, a->items[i], env);
    if (r.shape) r.items[i] = d;
  }
  return r.shape ? r : dims_any();
}

static DimValue bars(Infer *f, const Ast *a, DimEnv env) {
  DimValue v = infer_expr(f, a->items[0], env);
  if (v.shape != value_vector) return v.shape == value_scalar ? v : dims_any();
  Dim r = v.items[0];
  for (uint32_t i = 1; i < v.rows; i++)
    r = dim_plus(f, r, a->span, v.items[i], a->span, "the length of a vector adds its entries up");
  return dim_value(r);
}

static DimValue node(Infer *f, const Ast *a, DimEnv env) {
  switch (a->kind) {
  case ast_number:
    if (rat_is_zero(a->number)) return dims_any(); // nothing of anything
    return dim_value(dim_literal(!of_formula(a->number) || (a->number.den != 1 && a->number.den != 2 &&
                                                            a->number.den != 4 && a->number.den != 8)));
  case ast_name: return name(f, a, env);
  case ast_string: return dims_any();
  case ast_sum: return sum(f, a, env);
  case ast_product: return product(f, a, env);
  case ast_negate: return infer_expr(f, a->items[0], env);
  case ast_power: return power(f, a, env);
  case ast_prime: {
    DimValue v = infer_expr(f, a->items[0], env);
    if (v.shape == value_scalar) return dim_value(dim_rate(f, v.scalar, (int)a->primes));
    DimValue r = v.shape ? dims_new(f, v.shape, v.rows, v.cols) : dims_none();
    for (uint32_t i = 0; r.shape && i < dims_count(&r); i++) r.items[i] = dim_rate(f, v.items[i], (int)a->primes);
    return r.shape ? r : dims_any();
  }
  case ast_call: return f->call(f, a, env);
  case ast_apply: return f->apply(f, a, env);
  case ast_field:
    if (a->items[0]->kind == ast_name && strcmp(a->items[0]->name, "energy") == 0 && !names_find(f->e, "energy"))
      return dim_value(dim_of(form_of_var(f, f->energy)));
    if (names_are_all_bodies(f->e, a->items[0])) return infer_linked_field(f, NULL, a->name);
    if (is_momentum(f, a, env)) return momentum(f, a, env);
    return entry(f, a, env);
  case ast_index:
    if (a->items[0]->kind == ast_field && is_momentum(f, a, env)) return momentum(f, a, env);
    return entry(f, a, env);
  case ast_list:
  case ast_matrix: return list(f, a, env);
  case ast_bars: return bars(f, a, env);
  case ast_compare: {
    Dim x = infer_scalar(f, a->items[0], env), y = infer_scalar(f, a->items[1], env);
    dim_plus(f, x, a->items[0]->span, y, a->items[1]->span, "they are compared");
    return dim_value(dim_level());
  }
  case ast_and:
  case ast_or:
  case ast_not:
    for (uint32_t i = 0; i < a->count; i++) infer_scalar(f, a->items[i], env);
    return dim_value(dim_level());
  }
  return dims_any();
}

DimValue infer_expr(Infer *f, const Ast *a, DimEnv env) {
  if (++f->work > infer_most_work || f->depth >= deepest || arena_failed(f->arena)) f->cut = true;
  if (f->cut) return dims_any();
  f->depth++;
  DimValue v = node(f, a, env);
  f->depth--;
  return a->unit ? infer_unit(f, v, a->unit, a->span) : v;
}

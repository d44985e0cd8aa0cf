// The value of an expression by recursion, in doubles: for choices that numbers decide while a model is built, and for
// messages. No equation of motion is computed by it.
#include "system/approximate.h"

#include <math.h>

enum { deepest = 200, remembered = 1024 }; // parameters of parameters, and brackets in brackets

// Common subexpressions are evaluated once, as far as the cache has slots: positions along a chain are made of each
// other, each of them several times.
typedef struct Approximate {
  const SystemDescribed *d;
  const ExprPool *pool;
  ExprId known[remembered]; // by number, the last that took this slot
  double value[remembered];
} Approximate;

static double value_of(Approximate *x, ExprId id, int depth);

static double symbol_value(Approximate *x, SymbolId id, int depth) {
  const Symbol *s = pool_symbol_get(x->pool, id);
  if (s->kind == sym_time) return 0;
  if (s->kind == sym_param) return value_of(x, x->d->params.items[s->index].value, depth + 1);
  if (s->kind == sym_input) return value_of(x, x->d->inputs.items[s->index].value, depth + 1);
  if (s->kind == sym_coord) return value_of(x, x->d->coords.items[s->index].q0, depth + 1);
  return NAN;
}

static double function_value(ExprOp op, double a, double b, double c) {
#define M(f) f
#define OP(name, arguments, value, d1, d2, d3, smoothness, parity, switching, answer, domain, meaning)                 \
  if (op == op_##name) return value;
#include "expr/ops.def"
#undef OP
#undef M
  (void)a, (void)b, (void)c;
  return NAN;
}

static double computed(Approximate *x, ExprId id, int depth) {
  const ExprPool *pool = x->pool;
  double r = 0, a[3] = {0};
  Rat number;
  if (expr_number(pool, id, &number)) return rat_to_double(number);
  const ExprNode *n = pool_node(pool, id);
  switch (expr_op(pool, id)) {
  case op_pi: return 3.14159265358979323846;
  case op_sym: return symbol_value(x, n->first, depth);
  case op_add:
    for (uint32_t i = 0; i < expr_term_count(pool, id); i++) {
      Term t = expr_term(pool, id, i);
      r += rat_to_double(t.coef) * value_of(x, t.term, depth + 1);
    }
    return r;
  case op_mul:
    r = rat_to_double(expr_coef(pool, id));
    for (uint32_t i = 0; i < expr_factor_count(pool, id); i++) {
      Factor f = expr_factor(pool, id, i);
      r *= pow(value_of(x, f.base, depth + 1), value_of(x, f.exponent, depth + 1));
    }
    return r;
  default: break;
  }
  for (uint32_t i = 0; i < n->count && i < 3; i++) a[i] = value_of(x, pool_args(pool, id)[i], depth + 1);
  return function_value(expr_op(pool, id), a[0], a[1], a[2]);
}

static double value_of(Approximate *x, ExprId id, int depth) {
  if (!id || depth > deepest) return NAN;
  const uint32_t at = id % remembered;
  if (x->known[at] == id) return x->value[at];
  const double value = computed(x, id, depth);
  x->known[at] = id;
  return x->value[at] = value;
}

bool approximate(const SystemDescribed *d, const ExprPool *pool, ExprId id, double *value) {
  Approximate x = {.d = d, .pool = pool};
  *value = value_of(&x, id, 0);
  return isfinite(*value);
}

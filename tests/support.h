// Helpers of the tests: a model from text, numbers by an evaluator of their own.
#ifndef VIVA_TESTS_SUPPORT_H
#define VIVA_TESTS_SUPPORT_H
#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/pipeline.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline bool shell(const char *format, ...) __attribute__((format(printf, 1, 2)));
static inline bool shell(const char *format, ...) { // a command; true: it exits with 0
  char command[2048];
  va_list args;
  va_start(args, format);
  vsnprintf(command, sizeof command, format, args);
  va_end(args);
  return system(command) == 0;
}

typedef struct Loaded {
  Arena *arena;
  Model model;
  System system;
} Loaded;

// Fails the test when the text is wrong.
static inline Loaded *load_text(const char *text) {
  Loaded *l = calloc(1, sizeof *l);
  l->arena = arena_new();
  ModelOptions options = {0};
  bool ok = pipeline_load(l->arena, &l->model, &l->system, "test.viva", text, strlen(text), &options);
  for (uint32_t i = 0; i < l->model.diags.list.count; i++) {
    if (!l->model.diags.list.items[i].warning) print_error("%s\n", l->model.diags.list.items[i].message);
  }
  assert_true(ok && l->model.diags.errors == 0);
  return l;
}

static inline void unload(Loaded *l) {
  arena_free(l->arena);
  free(l);
}

// Evaluates an expression over complex numbers, by recursion: independent of derivatives, tapes and SLEEF.
typedef double complex (*SymbolValue)(SymbolId symbol, void *context);

static inline double complex eval_complex(const ExprPool *pool, ExprId id, SymbolValue value, void *context) {
  const ExprNode *n = pool_node(pool, id);
  double complex a[3] = {0};
  if (n->op == op_sym) return value(n->first, context);
  if (n->op == op_num) {
    Rat r = RAT_ZERO;
    expr_number(pool, id, &r);
    return rat_to_double(r);
  }
  if (n->op == op_pi) return 3.14159265358979323846;
  if (n->op == op_add) {
    double complex sum = 0;
    for (uint32_t i = 0; i < expr_term_count(pool, id); i++) {
      Term t = expr_term(pool, id, i);
      sum += rat_to_double(t.coef) * eval_complex(pool, t.term, value, context);
    }
    return sum;
  }
  if (n->op == op_mul) {
    double complex product = rat_to_double(expr_coef(pool, id));
    for (uint32_t i = 0; i < expr_factor_count(pool, id); i++) {
      Factor f = expr_factor(pool, id, i);
      double complex b = eval_complex(pool, f.base, value, context);
      Rat e;
      int64_t k;
      if (expr_number(pool, f.exponent, &e) && rat_to_int(e, &k)) {
        double complex p = 1;
        for (int64_t j = 0; j < llabs(k); j++) p *= b;
        product *= k < 0 ? 1 / p : p;
      } else {
        product *= cpow(b, eval_complex(pool, f.exponent, value, context));
      }
    }
    return product;
  }
  for (uint32_t i = 0; i < n->count && i < 3; i++) a[i] = eval_complex(pool, pool_args(pool, id)[i], value, context);
  double x = creal(a[0]), y = creal(a[1]);
  switch ((int)n->op) {
  case op_sin: return csin(a[0]);
  case op_cos: return ccos(a[0]);
  case op_tan: return ctan(a[0]);
  case op_asin: return casin(a[0]);
  case op_acos: return cacos(a[0]);
  case op_atan: return catan(a[0]);
  case op_atan2: return -I * clog((a[1] + I * a[0]) / csqrt(a[0] * a[0] + a[1] * a[1]));
  case op_sinh: return csinh(a[0]);
  case op_cosh: return ccosh(a[0]);
  case op_tanh: return ctanh(a[0]);
  case op_exp: return cexp(a[0]);
  case op_ln: return clog(a[0]);
  case op_log10: return clog(a[0]) / log(10);
  case op_abs: return x < 0 ? -a[0] : a[0];
  case op_sign: return (x > 0) - (x < 0);
  case op_min: return y < x ? a[1] : a[0];
  case op_max: return x < y ? a[1] : a[0];
  case op_floor: return floor(x);
  case op_mod: return a[0] - a[1] * floor(x / y);
  case op_step: return x >= 0;
  case op_ramp: return x > 0 ? a[0] : 0;
  case op_impulse: return 0;
  case op_lt: return x < y;
  case op_le: return x <= y;
  case op_eq: return x == y;
  case op_ne: return x != y;
  case op_and: return x != 0 && y != 0;
  case op_or: return x != 0 || y != 0;
  case op_not: return x == 0;
  case op_if: return x != 0 ? a[1] : a[2];
  default: return NAN;
  }
}

#endif

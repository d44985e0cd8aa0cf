// The module behind BallApi of expr/ring.h: real numbers with their radii, by Arb. Rational models never need it.
//
// in    a decimal or fraction as text, operations, a number of bits
// out   balls that hold the true value; false where a value is not finite or a function may have none
//
// Balls live in a list that is freed at once. Arb ends the process when out of memory: expr/evaluate.c asks for it
// first.
#include "expr/ring.h"

#include <arb.h>

#include <stdlib.h>

struct Ball {
  arb_t x;
  Ball *next;
};
struct Balls {
  Ball *first;
};

static Balls *balls_new(void) { return calloc(1, sizeof(Balls)); }

static void balls_free(Balls *r) {
  if (!r) return;
  while (r->first) {
    Ball *b = r->first;
    r->first = b->next;
    arb_clear(b->x);
    free(b);
  }
  free(r);
  flint_cleanup();
}

static Ball *ball_new(Balls *r) {
  Ball *b = calloc(1, sizeof *b);
  if (!b) return NULL;
  arb_init(b->x);
  b->next = r->first;
  r->first = b;
  return b;
}

static bool ball_number(Ball *out, const char *text, uint32_t bits) {
  fmpq_t x;
  fmpq_init(x);
  bool ok = fmpq_set_str(x, text, 10) == 0 && !fmpz_is_zero(fmpq_denref(x));
  if (ok) arb_set_fmpq(out->x, x, (slong)bits);
  fmpq_clear(x);
  return ok;
}

static bool ball_apply(Ball *out, BallOp op, const Ball *a, const Ball *b, uint32_t bits) {
  slong p = (slong)bits;
  switch (op) {
  case ball_add: arb_add(out->x, a->x, b->x, p); break;
  case ball_sub: arb_sub(out->x, a->x, b->x, p); break;
  case ball_mul: arb_mul(out->x, a->x, b->x, p); break;
  case ball_div:
    if (arb_contains_zero(b->x)) return false;
    arb_div(out->x, a->x, b->x, p);
    break;
  case ball_pow:
    if (!arb_is_positive(a->x)) return false;
    arb_pow(out->x, a->x, b->x, p);
    break;
  case ball_sin: arb_sin(out->x, a->x, p); break;
  case ball_cos: arb_cos(out->x, a->x, p); break;
  case ball_tan: arb_tan(out->x, a->x, p); break;
  case ball_asin: arb_asin(out->x, a->x, p); break;
  case ball_acos: arb_acos(out->x, a->x, p); break;
  case ball_atan: arb_atan(out->x, a->x, p); break;
  case ball_atan2: arb_atan2(out->x, a->x, b->x, p); break;
  case ball_sinh: arb_sinh(out->x, a->x, p); break;
  case ball_cosh: arb_cosh(out->x, a->x, p); break;
  case ball_tanh: arb_tanh(out->x, a->x, p); break;
  case ball_exp: arb_exp(out->x, a->x, p); break;
  case ball_ln:
    if (!arb_is_positive(a->x)) return false;
    arb_log(out->x, a->x, p);
    break;
  case ball_sqrt:
    if (!arb_is_nonnegative(a->x)) return false;
    arb_sqrt(out->x, a->x, p);
    break;
  case ball_floor: arb_floor(out->x, a->x, p); break;
  case ball_pi: arb_const_pi(out->x, p); break;
  }
  return arb_is_finite(out->x) != 0;
}

static int ball_sign(const Ball *a) {
  if (arb_is_zero(a->x)) return 0;
  if (arb_is_positive(a->x)) return 1;
  return arb_is_negative(a->x) ? -1 : 2;
}

static char *ball_print(const Ball *a) { return arb_get_str(a->x, 15, 0); }

static void text_free(char *text) { flint_free(text); }

static const BallApi api = {ring_version, balls_new, balls_free, ball_new, ball_number,
                            ball_apply,   ball_sign, ball_print, text_free};

__attribute__((visibility("default"))) const BallApi *viva_exact_balls(void);
const BallApi *viva_exact_balls(void) { return &api; }

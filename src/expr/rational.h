// Exact rational numbers. Small ones are two machine words; larger ones are limbs in the arena.
#ifndef VIVA_EXPR_RATIONAL_H
#define VIVA_EXPR_RATIONAL_H

#include "base/arena.h"

typedef struct RatBig RatBig;

// Always in lowest terms, den > 0. den == 0 means "no number" (out of memory, division by zero, or too many digits) and
// is absorbing.
typedef struct Rat {
  int64_t num, den;
  const RatBig *big; // not NULL: the value, and num, den are not used (den is 1)
} Rat;

#define RAT_ZERO ((Rat){0, 1, NULL})
#define RAT_ONE ((Rat){1, 1, NULL})
#define RAT_NONE ((Rat){0, 0, NULL})

static inline Rat rat_int(int64_t n) { return (Rat){n, 1, NULL}; }
static inline bool rat_valid(Rat a) { return a.den != 0; }
static inline bool rat_is_zero(Rat a) { return !a.big && a.den != 0 && a.num == 0; }
static inline bool rat_is_int_value(Rat a, int64_t n) { return !a.big && a.den == 1 && a.num == n; }

Rat rat_make(Arena *arena, int64_t num, int64_t den);
Rat rat_add(Arena *arena, Rat a, Rat b);
Rat rat_mul(Arena *arena, Rat a, Rat b);
Rat rat_div(Arena *arena, Rat a, Rat b); // RAT_NONE when b is zero
Rat rat_neg(Arena *arena, Rat a);
Rat rat_floor(Arena *arena, Rat a);
Rat rat_round(Arena *arena, Rat a, unsigned digits); // to `digits` significant decimal digits, halves away from zero
// a^n; RAT_NONE when it would be absurdly long, or zero to a negative power
Rat rat_pow(Arena *arena, Rat a, int64_t n);
// The exact root of order k >= 2 if there is one, else RAT_NONE.
Rat rat_root(Arena *arena, Rat a, unsigned k);

int rat_sign(Rat a);
int rat_compare(Rat a, Rat b);
bool rat_equal(Rat a, Rat b);
bool rat_is_int(Rat a);
bool rat_to_int(Rat a, int64_t *value); // whole and small
uint64_t rat_hash(Rat a);
double rat_to_double(Rat a);                         // correctly rounded
Rat rat_of_double(Arena *arena, double value);       // exactly; RAT_NONE when it is not finite
uint64_t rat_mod(Rat a, uint64_t prime, bool *good); // value modulo a prime below 2^62; *good false: den is 0 there

// Decimal text such as 12, 0.5, 1e-3; RAT_NONE when it is not one.
Rat rat_parse(Arena *arena, const char *text, size_t length);
// "3", "-1/2"; decimals of at most 17 digits as such ("0.1") when decimal is asked for.
char *rat_print(Arena *arena, Rat a, bool decimal);

// Decimal text to the nearest double, without any locale. NAN when it is no number.
double decimal_to_double(const char *text, size_t length);

#endif

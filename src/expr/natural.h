// Natural numbers of bounded length, without any allocation: what rational numbers beyond machine words are made of.
#ifndef VIVA_EXPR_NATURAL_H
#define VIVA_EXPR_NATURAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Room for the product of two of the longest numbers of rational.c (512 limbs each), and what a shift or a carry adds.
enum { natural_room = 1088, natural_limb_bits = 64 };

// Somebody's limbs, lowest first, the highest not zero; size 0 is zero.
typedef struct Limbs {
  const uint64_t *limb;
  size_t size;
} Limbs;

// One of its own, on the stack: what is not in use is not written.
typedef struct Natural {
  size_t size;
  uint64_t limb[natural_room];
} Natural;

static inline Limbs natural_limbs(const Natural *a) { return (Limbs){a->limb, a->size}; }
static inline bool natural_is(Limbs a, uint64_t value) {
  return value ? a.size == 1 && a.limb[0] == value : a.size == 0;
}

size_t natural_bits(Limbs a);               // 0 for 0, 1 for 1, 2 for 2 and 3, ...
int natural_compare(Limbs a, Limbs b);      // -1, 0, 1
uint64_t natural_mod(Limbs a, uint64_t by); // by is not zero
size_t natural_twos(Limbs a);               // how often 2 divides it; a is not zero

// A result may be one of the arguments, except where it is said. False: it has no room; the result is then not set.
bool natural_set(Natural *out, Limbs a);
void natural_set_word(Natural *out, uint64_t value);
bool natural_add(Natural *out, Limbs a, Limbs b);
void natural_sub(Natural *out, Limbs a, Limbs b); // a >= b
bool natural_mul(Natural *out, Limbs a, Limbs b); // out is none of them
bool natural_mul_word(Natural *out, Limbs a, uint64_t by);
uint64_t natural_div_word(Natural *out, Limbs a, uint64_t by); // gives the remainder; by is not zero
bool natural_shift_up(Natural *out, Limbs a, size_t bits);
void natural_shift_down(Natural *out, Limbs a, size_t bits);
// a = quotient*b + rest with rest < b; b is not zero. quotient (may be NULL) and rest are different ones.
bool natural_divide(Natural *quotient, Natural *rest, Limbs a, Limbs b);
bool natural_gcd(Natural *out, Limbs a, Limbs b);
bool natural_pow(Natural *out, Limbs a, uint64_t exponent); // out is not a
// The root of order k >= 2, if it is a whole number. False: it is not.
bool natural_root(Natural *out, Limbs a, unsigned k);

// Decimal digits. natural_digits writes into text, which has natural_text_room(a) bytes.
bool natural_read(Natural *out, const char *digits, size_t count);
size_t natural_text_room(Limbs a);
void natural_digits(Limbs a, char *text);

#endif

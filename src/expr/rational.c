// Rational numbers: 64-bit with overflow checks, natural numbers of up to 512 limbs beyond.
//
// in    numbers in lowest terms with a positive denominator, as machine words or as limbs in an arena
// out   the same; RAT_NONE where there is none, or where it would take more than 512 limbs
//
// What passes lies on the stack (natural.h), what stays in the arena: nothing else is allocated, so that a number which
// finds no memory is no number, and never the end of the process.
#include "expr/rational.h"

#include "base/text.h"
#include "expr/natural.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct RatBig {
  int num_size, den_size; // limbs; num_size carries the sign
  uint64_t limbs[];       // numerator, then denominator
};

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UWide;

enum {
  most_bits = 16384, // larger results of a power are left unevaluated
  most_limbs = 512   // of a number, numerator and denominator together; beyond it there is no number
};

// By halving: a shift and a subtraction are much cheaper than a division. b is not zero.
static uint64_t gcd64(uint64_t a, uint64_t b) {
  if (a == 0) return b;
  int twos = __builtin_ctzll(a | b);
  a >>= __builtin_ctzll(a);
  do {
    b >>= __builtin_ctzll(b);
    if (a > b) {
      uint64_t swap = a;
      a = b;
      b = swap;
    }
    b -= a;
  } while (b);
  return a << twos;
}

static uint64_t magnitude(int64_t a) { return a < 0 ? 0 - (uint64_t)a : (uint64_t)a; }

// A value as two natural numbers and a sign; small values use the two given limbs.
typedef struct View {
  uint64_t small[2];
  Limbs num, den;
  bool negative;
} View;

static void view(View *v, Rat a) {
  v->negative = rat_sign(a) < 0;
  if (a.big) {
    size_t n = (size_t)abs(a.big->num_size);
    v->num = (Limbs){a.big->limbs, n};
    v->den = (Limbs){a.big->limbs + n, (size_t)a.big->den_size};
    return;
  }
  v->small[0] = magnitude(a.num);
  v->small[1] = (uint64_t)a.den;
  v->num = (Limbs){&v->small[0], a.num != 0};
  v->den = (Limbs){&v->small[1], 1};
}

// Takes a number in lowest terms over into the arena.
static Rat keep(Arena *arena, bool negative, Limbs n, Limbs d) {
  if (n.size <= 1 && d.size <= 1 && (n.size == 0 || n.limb[0] <= INT64_MAX) && d.limb[0] <= INT64_MAX) {
    int64_t num = n.size ? (int64_t)n.limb[0] : 0;
    return (Rat){negative ? -num : num, (int64_t)d.limb[0], NULL};
  }
  if (n.size + d.size > most_limbs) return RAT_NONE;
  RatBig *big = arena_alloc(arena, sizeof(RatBig) + (n.size + d.size) * sizeof(uint64_t));
  if (!big) return RAT_NONE;
  big->num_size = negative ? -(int)n.size : (int)n.size;
  big->den_size = (int)d.size;
  memcpy(big->limbs, n.limb, n.size * sizeof(uint64_t));
  memcpy(big->limbs + n.size, d.limb, d.size * sizeof(uint64_t));
  return (Rat){0, 1, big};
}

// a/b of two that b divides; a where b is one, with nothing copied.
static Limbs divided(Natural *room, Limbs a, const Natural *by) {
  if (natural_is(natural_limbs(by), 1)) return a;
  Natural rest;
  natural_divide(room, &rest, a, natural_limbs(by));
  return natural_limbs(room);
}

// Takes n/d over, in lowest terms. d is not zero.
static Rat keep_reduced(Arena *arena, bool negative, Limbs n, Limbs d) {
  Natural common, top, bottom;
  if (!natural_gcd(&common, n, d)) return RAT_NONE;
  n = divided(&top, n, &common);
  d = divided(&bottom, d, &common);
  return keep(arena, negative, n, d);
}

Rat rat_make(Arena *arena, int64_t num, int64_t den) {
  if (den == 0) return RAT_NONE;
  if (den == 1 && num != INT64_MIN) return rat_int(num);
  uint64_t n = magnitude(num), d = magnitude(den), g = gcd64(n, d);
  n /= g;
  d /= g;
  return keep(arena, (num < 0) != (den < 0) && n, (Limbs){&n, n != 0}, (Limbs){&d, 1});
}

// (a.num + b.num)/... over the least common denominator: with g = gcd(a.den, b.den) only common divisors of the sum and
// g are left to cancel (Knuth 4.5.1).
static Rat big_add(Arena *arena, const View *a, const View *b) {
  Natural g, first, second, x, y, rest;
  if (!natural_gcd(&g, a->den, b->den)) return RAT_NONE;
  Limbs own = divided(&first, a->den, &g), other = divided(&second, b->den, &g);
  if (!natural_mul(&x, a->num, other) || !natural_mul(&y, b->num, own)) return RAT_NONE;
  bool negative = a->negative;
  if (a->negative == b->negative) {
    if (!natural_add(&x, natural_limbs(&x), natural_limbs(&y))) return RAT_NONE;
  } else if (natural_compare(natural_limbs(&x), natural_limbs(&y)) >= 0) {
    natural_sub(&x, natural_limbs(&x), natural_limbs(&y));
  } else {
    natural_sub(&x, natural_limbs(&y), natural_limbs(&x));
    negative = b->negative;
  }
  if (x.size == 0) return RAT_ZERO;
  // den = own * b.den; what the sum shares with g goes
  Limbs below = b->den;
  if (!natural_is(natural_limbs(&g), 1)) {
    if (!natural_gcd(&g, natural_limbs(&x), natural_limbs(&g))) return RAT_NONE;
    natural_divide(&x, &rest, natural_limbs(&x), natural_limbs(&g));
    below = divided(&second, b->den, &g);
  }
  if (!natural_mul(&y, own, below)) return RAT_NONE;
  return keep(arena, negative, natural_limbs(&x), natural_limbs(&y));
}

// Products in lowest terms: each numerator against the other denominator.
static Rat big_mul(Arena *arena, const View *a, const View *b) {
  Natural g, room[4], top, bottom;
  if (a->num.size == 0 || b->num.size == 0) return RAT_ZERO;
  if (!natural_gcd(&g, a->num, b->den)) return RAT_NONE;
  Limbs an = divided(&room[0], a->num, &g), bd = divided(&room[1], b->den, &g);
  if (!natural_gcd(&g, b->num, a->den)) return RAT_NONE;
  Limbs bn = divided(&room[2], b->num, &g), ad = divided(&room[3], a->den, &g);
  if (!natural_mul(&top, an, bn) || !natural_mul(&bottom, ad, bd)) return RAT_NONE;
  return keep(arena, a->negative != b->negative, natural_limbs(&top), natural_limbs(&bottom));
}

Rat rat_add(Arena *arena, Rat a, Rat b) {
  if (!rat_valid(a) || !rat_valid(b)) return RAT_NONE;
  if (!a.big && !b.big) {
    int64_t x, y, n, d;
    if (a.den == 1 && b.den == 1 && !__builtin_add_overflow(a.num, b.num, &n) && n != INT64_MIN) return rat_int(n);
    if (!__builtin_mul_overflow(a.num, b.den, &x) && !__builtin_mul_overflow(b.num, a.den, &y) &&
        !__builtin_add_overflow(x, y, &n) && !__builtin_mul_overflow(a.den, b.den, &d)) {
      return rat_make(arena, n, d);
    }
  }
  View va, vb;
  view(&va, a);
  view(&vb, b);
  return big_add(arena, &va, &vb);
}

Rat rat_mul(Arena *arena, Rat a, Rat b) {
  if (!rat_valid(a) || !rat_valid(b)) return RAT_NONE;
  if (!a.big && !b.big) {
    int64_t n, d;
    if (!__builtin_mul_overflow(a.num, b.num, &n) && !__builtin_mul_overflow(a.den, b.den, &d)) {
      return rat_make(arena, n, d);
    }
  }
  View va, vb;
  view(&va, a);
  view(&vb, b);
  return big_mul(arena, &va, &vb);
}

Rat rat_div(Arena *arena, Rat a, Rat b) {
  if (!rat_valid(a) || !rat_valid(b) || rat_is_zero(b)) return RAT_NONE;
  if (!a.big && !b.big) {
    int64_t n, d;
    if (!__builtin_mul_overflow(a.num, b.den, &n) && !__builtin_mul_overflow(a.den, b.num, &d)) {
      return rat_make(arena, n, d);
    }
  }
  View va, vb;
  view(&va, a);
  view(&vb, b);
  Limbs swap = vb.num;
  vb.num = vb.den;
  vb.den = swap;
  return big_mul(arena, &va, &vb);
}

Rat rat_neg(Arena *arena, Rat a) { return rat_mul(arena, a, rat_int(-1)); }

Rat rat_floor(Arena *arena, Rat a) {
  if (!rat_valid(a)) return RAT_NONE;
  if (!a.big) return rat_int(a.num / a.den - (a.num % a.den < 0));
  View v;
  view(&v, a);
  Natural whole, rest;
  uint64_t one = 1;
  if (!natural_divide(&whole, &rest, v.num, v.den)) return RAT_NONE;
  if (v.negative && rest.size && !natural_add(&whole, natural_limbs(&whole), (Limbs){&one, 1})) return RAT_NONE;
  return keep(arena, v.negative, natural_limbs(&whole), (Limbs){&one, 1});
}

// 10^k
static bool power_of_ten(Natural *out, size_t k) {
  uint64_t ten = 10;
  return natural_pow(out, (Limbs){&ten, 1}, k);
}

// n times 10^k, d times 10^-k: whichever is whole.
static bool shift_decimal(Natural *n, Natural *d, long k) {
  Natural power, product, *which = k >= 0 ? n : d;
  return power_of_ten(&power, (size_t)labs(k)) && natural_mul(&product, natural_limbs(which), natural_limbs(&power)) &&
         natural_set(which, natural_limbs(&product));
}

Rat rat_round(Arena *arena, Rat a, unsigned digits) {
  if (!rat_valid(a) || rat_is_zero(a) || digits == 0) return a;
  View v;
  view(&v, a);
  // 10^(digits - 1) <= |a| 10^k < 10^digits; the lengths tell k to within one, from above
  double log10_at_least = ((double)natural_bits(v.num) - 1 - (double)natural_bits(v.den)) * 0.30102999566398;
  long k = (long)digits - 1 - (long)floor(log10_at_least);
  Natural n, d, whole, rest, limit;
  if (!power_of_ten(&limit, digits)) return a;
  for (;; k--) {
    if (!natural_set(&n, v.num) || !natural_set(&d, v.den) || !shift_decimal(&n, &d, k) ||
        !natural_divide(&whole, &rest, natural_limbs(&n), natural_limbs(&d)))
      return RAT_NONE;
    if (natural_compare(natural_limbs(&whole), natural_limbs(&limit)) < 0) break;
  }
  // halves go away from zero
  uint64_t one = 1;
  if (!natural_mul_word(&rest, natural_limbs(&rest), 2)) return RAT_NONE;
  if (natural_compare(natural_limbs(&rest), natural_limbs(&d)) >= 0 &&
      !natural_add(&whole, natural_limbs(&whole), (Limbs){&one, 1}))
    return RAT_NONE;
  natural_set_word(&d, 1);
  if (!shift_decimal(&whole, &d, -k)) return RAT_NONE;
  return keep_reduced(arena, v.negative, natural_limbs(&whole), natural_limbs(&d));
}

Rat rat_pow(Arena *arena, Rat a, int64_t n) {
  if (!rat_valid(a) || (n < 0 && rat_is_zero(a))) return RAT_NONE;
  if (n == 0) return RAT_ONE;
  if (n == 1) return a;
  uint64_t k = magnitude(n);
  View v;
  view(&v, a);
  size_t num_bits = natural_bits(v.num), bits = (num_bits ? num_bits : 1) + natural_bits(v.den);
  bool unit = !a.big && a.den == 1 && a.num >= -1 && a.num <= 1;
  if (!unit && (k > most_bits || bits * k > most_bits)) return RAT_NONE;
  if (unit) return a.num == -1 ? rat_int(k % 2 ? -1 : 1) : a;
  Natural num, den;
  if (!natural_pow(&num, v.num, k) || !natural_pow(&den, v.den, k)) return RAT_NONE;
  Limbs top = natural_limbs(&num), below = natural_limbs(&den);
  return keep(arena, v.negative && k % 2, n < 0 ? below : top, n < 0 ? top : below);
}

Rat rat_root(Arena *arena, Rat a, unsigned k) {
  if (!rat_valid(a) || k < 2 || k > 64 || (rat_sign(a) < 0 && k % 2 == 0)) return RAT_NONE;
  View v;
  view(&v, a);
  Natural num, den;
  bool exact = natural_root(&num, v.num, k) && natural_root(&den, v.den, k);
  return exact ? keep(arena, v.negative, natural_limbs(&num), natural_limbs(&den)) : RAT_NONE;
}

int rat_sign(Rat a) {
  if (a.big) return a.big->num_size < 0 ? -1 : 1;
  return (a.num > 0) - (a.num < 0);
}

int rat_compare(Rat a, Rat b) {
  if (!a.big && !b.big) {
    Wide x = (Wide)a.num * b.den, y = (Wide)b.num * a.den;
    return (x > y) - (x < y);
  }
  View va, vb;
  view(&va, a);
  view(&vb, b);
  if (va.negative != vb.negative) return va.negative ? -1 : 1;
  Natural x, y;
  natural_mul(&x, va.num, vb.den);
  natural_mul(&y, vb.num, va.den);
  int order = natural_compare(natural_limbs(&x), natural_limbs(&y));
  return va.negative ? -order : order;
}

bool rat_equal(Rat a, Rat b) {
  if (!a.big && !b.big) return a.num == b.num && a.den == b.den;
  if (!a.big || !b.big) return false;
  if (a.big->num_size != b.big->num_size || a.big->den_size != b.big->den_size) return false;
  size_t limbs = (size_t)abs(a.big->num_size) + (size_t)a.big->den_size;
  return memcmp(a.big->limbs, b.big->limbs, limbs * sizeof(uint64_t)) == 0;
}

bool rat_is_int(Rat a) {
  if (!a.big) return a.den == 1;
  return a.big->den_size == 1 && a.big->limbs[abs(a.big->num_size)] == 1;
}

bool rat_to_int(Rat a, int64_t *value) {
  if (a.big || a.den != 1) return false;
  *value = a.num;
  return true;
}

uint64_t rat_hash(Rat a) {
  uint64_t h = 0x9E3779B97F4A7C15u;
  if (!a.big) {
    h = (h ^ (uint64_t)a.num) * 0xBF58476D1CE4E5B9u;
    return (h ^ (h >> 29) ^ (uint64_t)a.den) * 0x94D049BB133111EBu;
  }
  int n = abs(a.big->num_size) + a.big->den_size;
  for (int i = 0; i < n; i++) h = (h ^ (h >> 31) ^ a.big->limbs[i]) * 0xBF58476D1CE4E5B9u;
  return h + (uint64_t)(int64_t)a.big->num_size;
}

// Rounds num / den to the nearest double, ties to even: an integer quotient of exactly the bits the result can hold.
static double quotient_to_double(bool negative, Limbs num, Limbs den) {
  if (num.size == 0) return 0;
  Natural n, d, q, r;
  // 2^(e-1) <= n/d < 2^(e+1)
  long e = (long)natural_bits(num) - (long)natural_bits(den);
  long unit = e - 53;             // one below, so that the quotient has 53 or 54 bits
  if (unit < -1074) unit = -1074; // subnormal numbers have fewer
  for (int pass = 0; pass < 2; pass++) {
    if (!natural_shift_up(&n, num, unit < 0 ? (size_t)-unit : 0) ||
        !natural_shift_up(&d, den, unit > 0 ? (size_t)unit : 0) ||
        !natural_divide(&q, &r, natural_limbs(&n), natural_limbs(&d)))
      return NAN;
    if (natural_bits(natural_limbs(&q)) <= 53) break;
    unit++;
  }
  natural_shift_up(&r, natural_limbs(&r), 1);
  int half = natural_compare(natural_limbs(&r), natural_limbs(&d));
  uint64_t bits = q.size ? q.limb[0] : 0;
  if (half > 0 || (half == 0 && bits % 2)) bits++;
  double x = ldexp((double)bits, (int)(unit > 5000 ? 5000 : unit));
  return negative ? -x : x;
}

double rat_to_double(Rat a) {
  if (!rat_valid(a)) return NAN;
  const int64_t exact = (int64_t)1 << 53;
  if (!a.big && a.num >= -exact && a.num <= exact && a.den <= exact) return (double)a.num / (double)a.den;
  View v;
  view(&v, a);
  return quotient_to_double(v.negative, v.num, v.den);
}

Rat rat_of_double(Arena *arena, double value) {
  int power;
  if (!isfinite(value)) return RAT_NONE;
  double part = frexp(value, &power);
  return rat_mul(arena, rat_int((int64_t)ldexp(part, DBL_MANT_DIG)), rat_pow(arena, rat_int(2), power - DBL_MANT_DIG));
}

static uint64_t mul_mod(uint64_t a, uint64_t b, uint64_t p) { return (uint64_t)((UWide)a * b % p); }

uint64_t rat_mod(Rat a, uint64_t prime, bool *good) {
  View v;
  view(&v, a);
  uint64_t n = natural_mod(v.num, prime), d = natural_mod(v.den, prime);
  if (v.negative && n) n = prime - n;
  if (d == 1) return n;
  if (d == 0) *good = false;
  uint64_t inverse = 1;
  for (uint64_t e = prime - 2, base = d; e; e >>= 1, base = mul_mod(base, base, prime)) {
    if (e & 1) inverse = mul_mod(inverse, base, prime);
  }
  return mul_mod(n, inverse, prime);
}

// The digits without the dot, and the power of ten behind them. False when the text is no decimal number.
static bool split_decimal(const char *text, size_t length, char *digits, size_t room, size_t *count, long *exponent) {
  size_t i = 0, n = 0;
  long e = 0;
  bool any = false, dot = false, negative = false;
  if (i < length && (text[i] == '-' || text[i] == '+')) negative = text[i++] == '-';
  if (negative && n < room) digits[n++] = '-';
  for (; i < length; i++) {
    if (text[i] == '.' && !dot) {
      dot = true;
    } else if (text[i] >= '0' && text[i] <= '9') {
      any = true;
      if (n + 1 >= room) return false;
      digits[n++] = text[i];
      e -= dot;
    } else {
      break;
    }
  }
  if (!any) return false;
  if (i < length && (text[i] == 'e' || text[i] == 'E')) {
    i++;
    bool minus = false;
    long x = 0;
    if (i < length && (text[i] == '-' || text[i] == '+')) minus = text[i++] == '-';
    if (i >= length) return false;
    for (; i < length && text[i] >= '0' && text[i] <= '9'; i++) {
      if (x < 100000) x = x * 10 + (text[i] - '0');
    }
    e += minus ? -x : x;
  }
  digits[n] = '\0';
  *count = n;
  *exponent = e;
  return i == length;
}

enum { longest_decimal = 1100 };

// A decimal text as n/d, in no particular terms.
static bool read_decimal(Natural *n, Natural *d, bool *negative, const char *text, size_t length) {
  char digits[longest_decimal];
  size_t count;
  long e;
  if (!split_decimal(text, length, digits, sizeof digits, &count, &e) || e > 4000 || e < -4000) return false;
  *negative = digits[0] == '-';
  natural_set_word(d, 1);
  return natural_read(n, digits + *negative, count - *negative) && shift_decimal(n, d, e);
}

Rat rat_parse(Arena *arena, const char *text, size_t length) {
  // up to 15 digits and as many places are two machine words
  if (length <= 15) {
    int64_t n = 0, den = 1;
    bool dot = false, plain = length > 0;
    for (size_t i = 0; i < length && plain; i++) {
      bool digit = text[i] >= '0' && text[i] <= '9';
      if (digit) n = n * 10 + (text[i] - '0');
      if (digit && dot) den *= 10;
      plain = digit || (text[i] == '.' && !dot && i > 0);
      dot = dot || text[i] == '.';
    }
    if (plain) return rat_make(arena, n, den);
  }
  Natural n, d;
  bool negative;
  if (!read_decimal(&n, &d, &negative, text, length)) return RAT_NONE;
  return keep_reduced(arena, negative && n.size, natural_limbs(&n), natural_limbs(&d));
}

double decimal_to_double(const char *text, size_t length) {
  static const double ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                               1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  char digits[longest_decimal];
  size_t count;
  long e;
  if (!split_decimal(text, length, digits, sizeof digits, &count, &e)) return NAN;
  // few digits and a small power of ten: one rounding, so the result is exact
  if (count <= 15 && e >= -22 && e <= 22) {
    int64_t n = 0;
    for (size_t i = digits[0] == '-'; i < count; i++) n = n * 10 + (digits[i] - '0');
    double x = e < 0 ? (double)n / ten[-e] : (double)n * ten[e];
    return digits[0] == '-' ? -x : x;
  }
  if (e > 4000) return digits[0] == '-' ? -INFINITY : INFINITY;
  if (e < -4000) return 0;
  Natural n, d;
  bool negative;
  if (!read_decimal(&n, &d, &negative, text, length)) return NAN;
  return quotient_to_double(negative, natural_limbs(&n), natural_limbs(&d));
}

// A denominator of twos and fives only, and few digits: 3/10 is 0.3.
static bool print_decimal(Arena *arena, Rat a, char **out) {
  if (a.big || a.den == 1) return false;
  int64_t den = a.den;
  int twos = 0, fives = 0;
  for (; den % 2 == 0; den /= 2) twos++;
  for (; den % 5 == 0; den /= 5) fives++;
  int places = twos > fives ? twos : fives;
  if (den != 1 || places > 6) return false;
  int64_t scale = 1, n;
  for (int i = 0; i < places; i++) scale *= 10;
  if (__builtin_mul_overflow(a.num, scale / a.den, &n)) return false;
  uint64_t m = magnitude(n);
  *out = arena_printf(arena, "%s%llu.%0*llu", n < 0 ? "-" : "", (unsigned long long)(m / (uint64_t)scale), places,
                      (unsigned long long)(m % (uint64_t)scale));
  return true;
}

// A decimal fraction of at most 17 digits, to the last one: 19.620000000000001, 1.5e-20.
static bool print_digits(Arena *arena, Rat a, char **out) {
  enum { most_digits = 17, most_places = 400 };
  if (rat_is_int(a)) return false;
  View v;
  view(&v, a);
  // den = 2^twos 5^fives, or the fraction does not end
  size_t twos = natural_twos(v.den), fives = 0, places;
  Natural rest, next;
  natural_shift_down(&rest, v.den, twos);
  while (fives <= most_places && natural_div_word(&next, natural_limbs(&rest), 5) == 0) {
    natural_set(&rest, natural_limbs(&next));
    fives++;
  }
  places = twos > fives ? twos : fives;
  if (!natural_is(natural_limbs(&rest), 1) || places > most_places) return false;
  // the digits: num 10^places / den; of two limbs at most, since 10^18 is less than one
  if (!natural_set(&rest, v.num)) return false;
  for (size_t i = 0; i < 2 * places - twos - fives && rest.size <= 2; i++)
    natural_mul_word(&rest, natural_limbs(&rest), i < places - twos ? 2 : 5);
  if (rest.size > 2) return false;
  char digits[64];
  natural_digits(natural_limbs(&rest), digits);
  long count = (long)strlen(digits), point = count - (long)places; // digits before the point
  if (count > most_digits) return false;
  const char *sign = rat_sign(a) < 0 ? "-" : "";
  if (point > 0) *out = arena_printf(arena, "%s%.*s.%s", sign, (int)point, digits, digits + point);
  else if (point > -4) *out = arena_printf(arena, "%s0.%.*s%s", sign, (int)-point, "000", digits);
  else *out = arena_printf(arena, "%s%c%s%se-%02ld", sign, digits[0], count > 1 ? "." : "", digits + 1, 1 - point);
  return *out != NULL;
}

char *rat_print(Arena *arena, Rat a, bool decimal) {
  char *out = NULL;
  if (!rat_valid(a)) return arena_printf(arena, "nan");
  if (decimal && print_decimal(arena, a, &out)) return out;
  // 1e-20, where that is the number itself
  bool whole = !a.big && a.den == 1;
  char number[number_text_size];
  number_print(rat_to_double(a), number);
  Rat back = decimal && !whole ? rat_parse(arena, number, strlen(number)) : RAT_NONE;
  if (rat_valid(back) && rat_equal(back, a)) return arena_printf(arena, "%s", number);
  if (decimal && print_digits(arena, a, &out)) return out;
  if (!a.big) {
    return a.den == 1 ? arena_printf(arena, "%lld", (long long)a.num)
                      : arena_printf(arena, "%lld/%lld", (long long)a.num, (long long)a.den);
  }
  View v;
  view(&v, a);
  out = arena_alloc(arena, natural_text_room(v.num) + natural_text_room(v.den) + 2);
  if (!out) return NULL;
  char *at = out;
  if (v.negative) *at++ = '-';
  natural_digits(v.num, at);
  if (natural_is(v.den, 1)) return out;
  at += strlen(at);
  *at++ = '/';
  natural_digits(v.den, at);
  return out;
}

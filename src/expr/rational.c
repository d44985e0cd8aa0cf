// Rational numbers: 64-bit with overflow checks, GMP beyond.
#include "expr/rational.h"

#include "base/text.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct RatBig {
  int num_size, den_size; // limbs; num_size carries the sign
  mp_limb_t limbs[];      // numerator, then denominator
};

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UWide;

enum {
  most_bits = 16384, // larger results of a power are left unevaluated
  most_limbs = 512   // of a number, numerator and denominator together; beyond it there is no number
};

static uint64_t gcd64(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}

static uint64_t magnitude(int64_t a) { return a < 0 ? 0 - (uint64_t)a : (uint64_t)a; }

// Borrowed views of a value as GMP integers; small values use the two given limbs.
typedef struct View {
  mp_limb_t small[2];
  mpz_t num, den;
} View;

static void view(View *v, Rat a) {
  if (a.big) {
    mpz_roinit_n(v->num, a.big->limbs, a.big->num_size);
    mpz_roinit_n(v->den, a.big->limbs + abs(a.big->num_size), a.big->den_size);
    return;
  }
  v->small[0] = magnitude(a.num);
  v->small[1] = (mp_limb_t)a.den;
  mpz_roinit_n(v->num, &v->small[0], a.num == 0 ? 0 : a.num < 0 ? -1 : 1);
  mpz_roinit_n(v->den, &v->small[1], 1);
}

// Takes a canonical mpq over into the arena.
static Rat keep(Arena *arena, mpq_srcptr q) {
  mpz_srcptr n = mpq_numref(q), d = mpq_denref(q);
  if (mpz_fits_slong_p(n) && mpz_fits_slong_p(d) && mpz_get_si(n) != INT64_MIN) {
    return (Rat){mpz_get_si(n), mpz_get_si(d), NULL};
  }
  size_t nn = mpz_size(n), nd = mpz_size(d);
  if (nn + nd > most_limbs) return RAT_NONE;
  RatBig *big = arena_alloc(arena, sizeof(RatBig) + (nn + nd) * sizeof(mp_limb_t));
  if (!big) return RAT_NONE;
  big->num_size = mpz_sgn(n) < 0 ? -(int)nn : (int)nn;
  big->den_size = (int)nd;
  memcpy(big->limbs, mpz_limbs_read(n), nn * sizeof(mp_limb_t));
  memcpy(big->limbs + nn, mpz_limbs_read(d), nd * sizeof(mp_limb_t));
  return (Rat){0, 1, big};
}

Rat rat_make(Arena *arena, int64_t num, int64_t den) {
  if (den == 0) return RAT_NONE;
  if (num == INT64_MIN || den == INT64_MIN) {
    mpq_t q;
    mpq_init(q);
    mpz_set_si(mpq_numref(q), num);
    mpz_set_si(mpq_denref(q), den);
    mpq_canonicalize(q);
    Rat r = keep(arena, q);
    mpq_clear(q);
    return r;
  }
  if (den < 0) {
    num = -num;
    den = -den;
  }
  int64_t g = (int64_t)gcd64(magnitude(num), (uint64_t)den);
  return (Rat){num / g, den / g, NULL};
}

typedef void BigOperation(mpq_ptr, mpq_srcptr, mpq_srcptr);

static Rat big_operation(Arena *arena, Rat a, Rat b, BigOperation *operation) {
  View va, vb;
  view(&va, a);
  view(&vb, b);
  mpq_t x, y, r;
  mpq_inits(x, y, r, NULL);
  mpz_set(mpq_numref(x), va.num);
  mpz_set(mpq_denref(x), va.den);
  mpz_set(mpq_numref(y), vb.num);
  mpz_set(mpq_denref(y), vb.den);
  operation(r, x, y);
  Rat out = keep(arena, r);
  mpq_clears(x, y, r, NULL);
  return out;
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
  return big_operation(arena, a, b, mpq_add);
}

Rat rat_mul(Arena *arena, Rat a, Rat b) {
  if (!rat_valid(a) || !rat_valid(b)) return RAT_NONE;
  if (!a.big && !b.big) {
    int64_t n, d;
    if (!__builtin_mul_overflow(a.num, b.num, &n) && !__builtin_mul_overflow(a.den, b.den, &d)) {
      return rat_make(arena, n, d);
    }
  }
  return big_operation(arena, a, b, mpq_mul);
}

Rat rat_div(Arena *arena, Rat a, Rat b) {
  if (!rat_valid(a) || !rat_valid(b) || rat_is_zero(b)) return RAT_NONE;
  if (!a.big && !b.big) {
    int64_t n, d;
    if (!__builtin_mul_overflow(a.num, b.den, &n) && !__builtin_mul_overflow(a.den, b.num, &d)) {
      return rat_make(arena, n, d);
    }
  }
  return big_operation(arena, a, b, mpq_div);
}

Rat rat_neg(Arena *arena, Rat a) { return rat_mul(arena, a, rat_int(-1)); }

Rat rat_floor(Arena *arena, Rat a) {
  if (!rat_valid(a)) return RAT_NONE;
  View v;
  view(&v, a);
  mpq_t q;
  mpq_init(q);
  mpz_fdiv_q(mpq_numref(q), v.num, v.den);
  Rat r = keep(arena, q);
  mpq_clear(q);
  return r;
}

// q times 10^k, in lowest terms.
static void shift_decimal(mpq_t q, long k) {
  mpz_t power;
  mpz_init(power);
  mpz_ui_pow_ui(power, 10, (unsigned long)labs(k));
  if (k >= 0) mpz_mul(mpq_numref(q), mpq_numref(q), power);
  else mpz_mul(mpq_denref(q), mpq_denref(q), power);
  mpq_canonicalize(q);
  mpz_clear(power);
}

Rat rat_round(Arena *arena, Rat a, unsigned digits) {
  if (!rat_valid(a) || rat_is_zero(a) || digits == 0) return a;
  View v;
  view(&v, a);
  // 10^(digits - 1) <= |a| 10^k < 10^digits; the lengths tell k to within one
  long k = (long)digits - (long)mpz_sizeinbase(v.num, 10) + (long)mpz_sizeinbase(v.den, 10) + 1;
  mpq_t q;
  mpz_t whole, limit;
  mpq_init(q);
  mpz_init(whole);
  mpz_init(limit);
  mpz_ui_pow_ui(limit, 10, digits);
  for (;; k--) {
    mpz_abs(mpq_numref(q), v.num);
    mpz_set(mpq_denref(q), v.den);
    shift_decimal(q, k);
    mpz_fdiv_q(whole, mpq_numref(q), mpq_denref(q));
    if (mpz_cmp(whole, limit) < 0) break;
  }
  // floor(q + 1/2): halves go away from zero
  mpz_mul_ui(mpq_numref(q), mpq_numref(q), 2);
  mpz_add(mpq_numref(q), mpq_numref(q), mpq_denref(q));
  mpz_mul_ui(mpq_denref(q), mpq_denref(q), 2);
  mpz_fdiv_q(whole, mpq_numref(q), mpq_denref(q));
  mpq_set_z(q, whole);
  if (rat_sign(a) < 0) mpq_neg(q, q);
  shift_decimal(q, -k);
  Rat r = keep(arena, q);
  mpq_clear(q);
  mpz_clear(whole);
  mpz_clear(limit);
  return r;
}

Rat rat_pow(Arena *arena, Rat a, int64_t n) {
  if (!rat_valid(a) || (n < 0 && rat_is_zero(a))) return RAT_NONE;
  if (n == 0) return RAT_ONE;
  if (n == 1) return a;
  uint64_t k = magnitude(n);
  View v;
  view(&v, a);
  size_t bits = mpz_sizeinbase(v.num, 2) + mpz_sizeinbase(v.den, 2);
  bool unit = !a.big && a.den == 1 && a.num >= -1 && a.num <= 1;
  if (!unit && (k > most_bits || bits * k > most_bits)) return RAT_NONE;
  if (unit) return a.num == -1 ? rat_int(k % 2 ? -1 : 1) : a;
  mpq_t q;
  mpq_init(q);
  mpz_pow_ui(mpq_numref(q), v.num, k);
  mpz_pow_ui(mpq_denref(q), v.den, k);
  if (n < 0) mpq_inv(q, q);
  Rat r = keep(arena, q);
  mpq_clear(q);
  return r;
}

Rat rat_root(Arena *arena, Rat a, unsigned k) {
  if (!rat_valid(a) || k < 2 || k > 64 || (rat_sign(a) < 0 && k % 2 == 0)) return RAT_NONE;
  View v;
  view(&v, a);
  mpq_t q;
  mpq_init(q);
  bool exact = mpz_root(mpq_numref(q), v.num, k) != 0 && mpz_root(mpq_denref(q), v.den, k) != 0;
  Rat r = exact ? keep(arena, q) : RAT_NONE;
  mpq_clear(q);
  return r;
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
  mpz_t x, y;
  mpz_inits(x, y, NULL);
  mpz_mul(x, va.num, vb.den);
  mpz_mul(y, vb.num, va.den);
  int order = mpz_cmp(x, y);
  mpz_clears(x, y, NULL);
  return (order > 0) - (order < 0);
}

bool rat_equal(Rat a, Rat b) {
  if (!a.big && !b.big) return a.num == b.num && a.den == b.den;
  if (!a.big || !b.big) return false;
  if (a.big->num_size != b.big->num_size || a.big->den_size != b.big->den_size) return false;
  size_t limbs = (size_t)abs(a.big->num_size) + (size_t)a.big->den_size;
  return memcmp(a.big->limbs, b.big->limbs, limbs * sizeof(mp_limb_t)) == 0;
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
static double quotient_to_double(mpz_srcptr num, mpz_srcptr den) {
  if (mpz_sgn(num) == 0) return 0;
  mpz_t n, d, q, r;
  mpz_inits(n, d, q, r, NULL);
  mpz_abs(n, num);
  mpz_set(d, den);
  // 2^(e-1) <= n/d < 2^(e+1)
  long e = (long)mpz_sizeinbase(n, 2) - (long)mpz_sizeinbase(d, 2);
  long unit = e - 53;             // one below, so that the quotient has 53 or 54 bits
  if (unit < -1074) unit = -1074; // subnormal numbers have fewer
  for (int pass = 0; pass < 2; pass++) {
    mpz_abs(n, num);
    mpz_set(d, den);
    if (unit < 0) mpz_mul_2exp(n, n, (mp_bitcnt_t)-unit);
    else mpz_mul_2exp(d, d, (mp_bitcnt_t)unit);
    mpz_fdiv_qr(q, r, n, d);
    if (mpz_sizeinbase(q, 2) <= 53) break;
    unit++;
  }
  mpz_mul_2exp(r, r, 1);
  int half = mpz_cmp(r, d);
  if (half > 0 || (half == 0 && mpz_odd_p(q))) mpz_add_ui(q, q, 1);
  double x = ldexp(mpz_get_d(q), (int)(unit > 5000 ? 5000 : unit));
  if (mpz_sgn(num) < 0) x = -x;
  mpz_clears(n, d, q, r, NULL);
  return x;
}

double rat_to_double(Rat a) {
  if (!rat_valid(a)) return NAN;
  const int64_t exact = (int64_t)1 << 53;
  if (!a.big && a.num >= -exact && a.num <= exact && a.den <= exact) return (double)a.num / (double)a.den;
  View v;
  view(&v, a);
  return quotient_to_double(v.num, v.den);
}

static uint64_t mul_mod(uint64_t a, uint64_t b, uint64_t p) { return (uint64_t)((UWide)a * b % p); }

uint64_t rat_mod(Rat a, uint64_t prime, bool *good) {
  View v;
  view(&v, a);
  uint64_t n = mpz_fdiv_ui(v.num, prime), d = mpz_fdiv_ui(v.den, prime);
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

static bool decimal_to_mpq(mpq_t q, const char *text, size_t length) {
  char digits[longest_decimal];
  size_t count;
  long e;
  if (!split_decimal(text, length, digits, sizeof digits, &count, &e) || e > 4000 || e < -4000) return false;
  mpz_set_str(mpq_numref(q), digits, 10);
  mpz_set_ui(mpq_denref(q), 1);
  mpz_t ten;
  mpz_init(ten);
  mpz_ui_pow_ui(ten, 10, (unsigned long)labs(e));
  if (e >= 0) mpz_mul(mpq_numref(q), mpq_numref(q), ten);
  else mpz_set(mpq_denref(q), ten);
  mpz_clear(ten);
  return true;
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
  mpq_t q;
  mpq_init(q);
  Rat r = RAT_NONE;
  if (decimal_to_mpq(q, text, length)) {
    mpq_canonicalize(q);
    r = keep(arena, q);
  }
  mpq_clear(q);
  return r;
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
  mpq_t q;
  mpq_init(q);
  double x = decimal_to_mpq(q, text, length) ? quotient_to_double(mpq_numref(q), mpq_denref(q)) : NAN;
  mpq_clear(q);
  return x;
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
  unsigned long twos = mpz_scan1(v.den, 0), fives, places;
  mpz_t rest, five;
  mpz_init(rest);
  mpz_init_set_ui(five, 5);
  fives = mpz_remove(rest, v.den, five);
  mpz_fdiv_q_2exp(rest, rest, twos);
  places = twos > fives ? twos : fives;
  bool ends = mpz_cmp_ui(rest, 1) == 0 && places <= most_places;
  if (ends) {
    // the digits: num 10^places / den
    mpz_ui_pow_ui(rest, 10, places);
    mpz_divexact(rest, rest, v.den);
    mpz_mul(rest, rest, v.num);
    mpz_abs(rest, rest);
    ends = mpz_sizeinbase(rest, 10) <= most_digits + 1;
  }
  char digits[most_digits + 3] = "";
  if (ends) mpz_get_str(digits, 10, rest);
  mpz_clear(rest);
  mpz_clear(five);
  long count = (long)strlen(digits), point = count - (long)places; // digits before the point
  if (!ends || count > most_digits) return false;
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
  size_t room = mpz_sizeinbase(v.num, 10) + mpz_sizeinbase(v.den, 10) + 4;
  out = arena_alloc(arena, room);
  if (!out) return NULL;
  mpz_get_str(out, 10, v.num);
  if (mpz_cmp_ui(v.den, 1) != 0) {
    strcat(out, "/");
    mpz_get_str(out + strlen(out), 10, v.den);
  }
  return out;
}

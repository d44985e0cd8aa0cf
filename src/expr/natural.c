// Natural numbers of bounded length, without any allocation.
//
// in    limbs of 64 bits, lowest first, at most natural_room of them
// out   sums, products, quotients, greatest common divisors, powers, exact roots, decimal digits
//
// The loops over one limb are GMP's mpn functions; only those are used that take no memory of their own: GMP ends the
// process where it is out of memory. So products are by the school's method, quotients by Knuth's algorithm D, common
// divisors by Lehmer's method with the leading 62 bits (Knuth, The Art of Computer Programming 2, 4.3.1 and 4.5.2).
// That is quadratic in the length, which is right up to a few hundred limbs.
#include "expr/natural.h"

#include <gmp.h>
#include <math.h>
#include <string.h>

_Static_assert(sizeof(mp_limb_t) == sizeof(uint64_t) && GMP_NUMB_BITS == natural_limb_bits, "a limb is 64 bits");

__extension__ typedef unsigned __int128 Wide;

static size_t trimmed(const uint64_t *limb, size_t size) {
  while (size && limb[size - 1] == 0) size--;
  return size;
}

static int leading_zeros(uint64_t a) { return __builtin_clzll(a); }

size_t natural_bits(Limbs a) {
  return a.size ? natural_limb_bits * a.size - (size_t)leading_zeros(a.limb[a.size - 1]) : 0;
}

int natural_compare(Limbs a, Limbs b) {
  if (a.size != b.size) return a.size < b.size ? -1 : 1;
  int order = a.size ? mpn_cmp(a.limb, b.limb, (mp_size_t)a.size) : 0;
  return (order > 0) - (order < 0);
}

uint64_t natural_mod(Limbs a, uint64_t by) {
  if (a.size <= 1) return a.size ? a.limb[0] % by : 0;
  return mpn_mod_1(a.limb, (mp_size_t)a.size, by);
}

size_t natural_twos(Limbs a) {
  size_t i = 0;
  while (a.limb[i] == 0) i++;
  return natural_limb_bits * i + (size_t)__builtin_ctzll(a.limb[i]);
}

bool natural_set(Natural *out, Limbs a) {
  if (a.size > natural_room) return false;
  memmove(out->limb, a.limb, a.size * sizeof *a.limb);
  out->size = a.size;
  return true;
}

void natural_set_word(Natural *out, uint64_t value) {
  out->limb[0] = value;
  out->size = value != 0;
}

bool natural_add(Natural *out, Limbs a, Limbs b) {
  if (a.size < b.size) {
    Limbs swap = a;
    a = b;
    b = swap;
  }
  if (b.size == 0) return natural_set(out, a);
  uint64_t carry = mpn_add(out->limb, a.limb, (mp_size_t)a.size, b.limb, (mp_size_t)b.size);
  out->size = a.size;
  if (!carry) return true;
  if (a.size == natural_room) return false;
  out->limb[out->size++] = carry;
  return true;
}

void natural_sub(Natural *out, Limbs a, Limbs b) {
  if (b.size == 0) {
    natural_set(out, a);
    return;
  }
  mpn_sub(out->limb, a.limb, (mp_size_t)a.size, b.limb, (mp_size_t)b.size);
  out->size = trimmed(out->limb, a.size);
}

bool natural_mul(Natural *out, Limbs a, Limbs b) {
  if (a.size < b.size) {
    Limbs swap = a;
    a = b;
    b = swap;
  }
  out->size = 0;
  if (b.size == 0) return true;
  if (a.size + b.size > natural_room) return false;
  out->limb[a.size] = mpn_mul_1(out->limb, a.limb, (mp_size_t)a.size, b.limb[0]);
  for (size_t i = 1; i < b.size; i++)
    out->limb[a.size + i] = mpn_addmul_1(out->limb + i, a.limb, (mp_size_t)a.size, b.limb[i]);
  out->size = trimmed(out->limb, a.size + b.size);
  return true;
}

bool natural_mul_word(Natural *out, Limbs a, uint64_t by) {
  if (a.size == 0 || by == 0) {
    out->size = 0;
    return true;
  }
  if (a.size == natural_room) return false;
  uint64_t carry = mpn_mul_1(out->limb, a.limb, (mp_size_t)a.size, by);
  out->limb[a.size] = carry;
  out->size = a.size + (carry != 0);
  return true;
}

uint64_t natural_div_word(Natural *out, Limbs a, uint64_t by) {
  uint64_t rest = a.size ? mpn_divrem_1(out->limb, 0, a.limb, (mp_size_t)a.size, by) : 0;
  out->size = trimmed(out->limb, a.size);
  return rest;
}

bool natural_shift_up(Natural *out, Limbs a, size_t bits) {
  size_t limbs = bits / natural_limb_bits, rest = bits % natural_limb_bits;
  if (a.size == 0) {
    out->size = 0;
    return true;
  }
  if (a.size + limbs + 1 > natural_room) return false;
  memmove(out->limb + limbs, a.limb, a.size * sizeof *a.limb);
  memset(out->limb, 0, limbs * sizeof *out->limb);
  out->size = a.size + limbs;
  out->limb[out->size] = rest ? mpn_lshift(out->limb + limbs, out->limb + limbs, (mp_size_t)a.size, (unsigned)rest) : 0;
  out->size += out->limb[out->size] != 0;
  return true;
}

void natural_shift_down(Natural *out, Limbs a, size_t bits) {
  size_t limbs = bits / natural_limb_bits, rest = bits % natural_limb_bits;
  out->size = a.size > limbs ? a.size - limbs : 0;
  if (!out->size) return;
  memmove(out->limb, a.limb + limbs, out->size * sizeof *a.limb);
  if (rest) mpn_rshift(out->limb, out->limb, (mp_size_t)out->size, (unsigned)rest);
  out->size = trimmed(out->limb, out->size);
}

// ---- division

// The next digit of a quotient: of the top three limbs of what is left by the top two of the divisor, whose highest bit
// is set. Too large by at most one.
static uint64_t quotient_digit(const uint64_t *top, uint64_t high, uint64_t low) {
  Wide two = (Wide)top[0] << 64 | top[-1];
  Wide digit = top[0] >= high ? UINT64_MAX : two / high, rest = two - digit * high;
  while (rest <= UINT64_MAX && digit * low > (rest << 64 | top[-2])) {
    digit--;
    rest += high;
  }
  return (uint64_t)digit;
}

// Knuth's algorithm D: n has one limb more than the number it holds, both are shifted so that the highest bit of d is
// set. The rest stays in n. q may be NULL.
static void divide_long(uint64_t *q, uint64_t *n, size_t limbs, const uint64_t *d, size_t size) {
  for (size_t j = limbs - size; j-- > 0;) {
    uint64_t *at = n + j, digit = quotient_digit(at + size, d[size - 1], d[size - 2]);
    uint64_t borrow = mpn_submul_1(at, d, (mp_size_t)size, digit);
    bool less = at[size] < borrow;
    at[size] -= borrow;
    if (less) {
      digit--;
      at[size] += mpn_add_n(at, at, d, (mp_size_t)size);
    }
    if (q) q[j] = digit;
  }
}

bool natural_divide(Natural *quotient, Natural *rest, Limbs a, Limbs b) {
  if (natural_compare(a, b) < 0) {
    if (!natural_set(rest, a)) return false;
    if (quotient) quotient->size = 0;
    return true;
  }
  if (b.size == 1) {
    uint64_t by = b.limb[0], left;
    if (quotient) left = natural_div_word(quotient, a, by);
    else left = natural_mod(a, by);
    natural_set_word(rest, left);
    return true;
  }
  // the shift leaves a limb above the number, zero or not
  Natural n, d;
  size_t up = (size_t)leading_zeros(b.limb[b.size - 1]);
  if (!natural_shift_up(&d, b, up) || !natural_shift_up(&n, a, up)) return false;
  size_t limbs = a.size + 1, digits = limbs - d.size;
  divide_long(quotient ? quotient->limb : NULL, n.limb, limbs, d.limb, d.size);
  if (quotient) quotient->size = trimmed(quotient->limb, digits);
  n.size = trimmed(n.limb, d.size);
  natural_shift_down(rest, natural_limbs(&n), up);
  return true;
}

// ---- common divisors

// The 62 bits of a that begin at the highest bit of a number of `size` limbs whose highest limb has `zeros` zeros.
static int64_t leading(Limbs a, size_t size, int zeros) {
  uint64_t high = size <= a.size ? a.limb[size - 1] : 0, low = size - 1 <= a.size ? a.limb[size - 2] : 0;
  uint64_t top = zeros ? high << zeros | low >> (64 - zeros) : high;
  return (int64_t)(top >> 2);
}

// The steps of Euclid's algorithm that the leading bits decide, as one matrix: x' = m[0] x + m[1] y, y' = m[2] x + m[3]
// y with one negative number a row. False: not one step is decided.
static bool decided_steps(int64_t x, int64_t y, int64_t m[4]) {
  int64_t a = 1, b = 0, c = 0, d = 1;
  while (y + c != 0 && y + d != 0) {
    int64_t q = (x + a) / (y + c), s;
    if (q != (x + b) / (y + d)) break;
    s = a - q * c, a = c, c = s;
    s = b - q * d, b = d, d = s;
    s = x - q * y, x = y, y = s;
  }
  m[0] = a, m[1] = b, m[2] = c, m[3] = d;
  return b != 0;
}

// p*x + q*y, where one of p, q is not positive and the result is not negative.
static void combine(Natural *out, int64_t p, Limbs x, int64_t q, Limbs y) {
  if (p < 0 || (p == 0 && q > 0)) {
    Limbs swap = x;
    x = y;
    y = swap;
    int64_t s = p;
    p = q;
    q = s;
  }
  // p >= 0 >= q
  size_t n = x.size > y.size ? x.size : y.size;
  out->limb[n] = 0;
  memset(out->limb + x.size, 0, (n - x.size) * sizeof *out->limb);
  if (x.size) {
    uint64_t carry = mpn_mul_1(out->limb, x.limb, (mp_size_t)x.size, (uint64_t)p);
    out->limb[x.size] = carry;
  }
  if (y.size && q) {
    uint64_t borrow = mpn_submul_1(out->limb, y.limb, (mp_size_t)y.size, 0 - (uint64_t)q);
    for (size_t i = y.size; borrow && i <= n; i++) {
      uint64_t old = out->limb[i];
      out->limb[i] = old - borrow;
      borrow = old < borrow;
    }
  }
  out->size = trimmed(out->limb, n + 1);
}

static uint64_t gcd_words(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}

bool natural_gcd(Natural *out, Limbs a, Limbs b) {
  Natural room[4], *x = &room[0], *y = &room[1], *u = &room[2], *v = &room[3];
  bool less = natural_compare(a, b) < 0;
  if (a.size >= natural_room || b.size >= natural_room) return false;
  natural_set(x, less ? b : a);
  natural_set(y, less ? a : b);
  while (y->size > 1) {
    int64_t m[4];
    int zeros = leading_zeros(x->limb[x->size - 1]);
    int64_t first = leading(natural_limbs(x), x->size, zeros), second = leading(natural_limbs(y), x->size, zeros);
    if (decided_steps(first, second, m)) {
      combine(u, m[0], natural_limbs(x), m[1], natural_limbs(y));
      combine(v, m[2], natural_limbs(x), m[3], natural_limbs(y));
      Natural *s = x;
      x = u, u = s;
      s = y, y = v, v = s;
    } else {
      if (!natural_divide(NULL, u, natural_limbs(x), natural_limbs(y))) return false;
      Natural *s = x;
      x = y, y = u, u = s;
    }
  }
  if (y->size == 0) return natural_set(out, natural_limbs(x));
  natural_set_word(out, gcd_words(y->limb[0], natural_mod(natural_limbs(x), y->limb[0])));
  return true;
}

// ---- powers and roots

bool natural_pow(Natural *out, Limbs a, uint64_t exponent) {
  natural_set_word(out, 1);
  if (!exponent) return true;
  Natural other;
  for (int bit = 63 - leading_zeros(exponent); bit >= 0; bit--) {
    if (!natural_mul(&other, natural_limbs(out), natural_limbs(out))) return false;
    if (!(exponent >> bit & 1)) natural_set(out, natural_limbs(&other));
    else if (!natural_mul(out, natural_limbs(&other), a)) return false;
  }
  return true;
}

// Of one limb: the root in doubles is right to within one.
static bool word_root(uint64_t a, unsigned k, uint64_t *out) {
  uint64_t guess = (uint64_t)llround(pow((double)a, 1.0 / k));
  for (uint64_t x = guess > 1 ? guess - 1 : 1; x <= guess + 1; x++) {
    uint64_t power = 1;
    bool small = true;
    for (unsigned i = 0; i < k && small; i++) small = !__builtin_mul_overflow(power, x, &power);
    *out = x;
    if (small && power == a) return true;
  }
  return false;
}

bool natural_root(Natural *out, Limbs a, unsigned k) {
  uint64_t word;
  if (a.size <= 1) {
    bool exact = a.size == 0 || word_root(a.limb[0], k, &word);
    natural_set_word(out, a.size && exact ? word : 0);
    return exact;
  }
  // Newton's method in whole numbers, from above: x <- ((k - 1) x + a/x^(k - 1))/k falls until it is the whole part
  Natural x, power, quotient, rest;
  natural_set_word(&x, 1);
  if (!natural_shift_up(&x, natural_limbs(&x), natural_bits(a) / k + 1)) return false;
  for (;;) {
    if (!natural_pow(&power, natural_limbs(&x), k - 1) || !natural_divide(&quotient, &rest, a, natural_limbs(&power)) ||
        !natural_mul_word(&power, natural_limbs(&x), k - 1) ||
        !natural_add(&power, natural_limbs(&power), natural_limbs(&quotient)))
      return false;
    natural_div_word(&power, natural_limbs(&power), k);
    if (natural_compare(natural_limbs(&power), natural_limbs(&x)) >= 0) break;
    natural_set(&x, natural_limbs(&power));
  }
  if (!natural_pow(&power, natural_limbs(&x), k)) return false;
  natural_set(out, natural_limbs(&x));
  return natural_compare(natural_limbs(&power), a) == 0;
}

// ---- decimal digits

enum { word_digits = 19 }; // 10^19 is the largest power of ten in a limb
static const uint64_t ten_to_word_digits = 10000000000000000000u;

bool natural_read(Natural *out, const char *digits, size_t count) {
  out->size = 0;
  for (size_t i = 0; i < count;) {
    uint64_t part = 0, scale = 1;
    for (int k = 0; k < word_digits && i < count; k++, i++) {
      part = 10 * part + (uint64_t)(digits[i] - '0');
      scale *= 10;
    }
    if (!natural_mul_word(out, natural_limbs(out), scale) ||
        !natural_add(out, natural_limbs(out), (Limbs){&part, part != 0}))
      return false;
  }
  return true;
}

size_t natural_text_room(Limbs a) { return (size_t)((double)natural_bits(a) * 0.30103) + 3; } // log10(2), a zero byte

void natural_digits(Limbs a, char *text) {
  Natural left;
  size_t count = 0;
  left.size = 0;
  natural_set(&left, a);
  // last digits first
  while (left.size) {
    uint64_t part = natural_div_word(&left, natural_limbs(&left), ten_to_word_digits);
    for (int k = 0; k < word_digits && (left.size || part); k++, part /= 10) text[count++] = (char)('0' + part % 10);
  }
  if (!count) text[count++] = '0';
  for (size_t i = 0; i < count / 2; i++) {
    char c = text[i];
    text[i] = text[count - 1 - i];
    text[count - 1 - i] = c;
  }
  text[count] = '\0';
}

// See the header. A thread gets the C locale for the length of one call, where its own has another decimal mark.
#define _XOPEN_SOURCE 700
#include "base/number.h"

#include <float.h>
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Plain {
  locale_t plain, before; // 0: nothing was changed
} Plain;

static Plain plain_begin(void) {
  const char *mark = nl_langinfo(RADIXCHAR);
  if (mark[0] == '.' && !mark[1]) return (Plain){0};
  Plain p = {.plain = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
  if (p.plain) p.before = uselocale(p.plain);
  return p;
}

static void plain_end(Plain p) {
  if (!p.plain) return;
  uselocale(p.before);
  freelocale(p.plain);
}

double number_parse(const char *text, char **end) {
  Plain p = plain_begin();
  double x = strtod(text, end);
  plain_end(p);
  return x;
}

int number_vformat(char *out, size_t size, const char *format, va_list args) {
  Plain p = plain_begin();
  int n = vsnprintf(out, size, format, args);
  plain_end(p);
  return n;
}

int number_format(char *out, size_t size, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = number_vformat(out, size, format, args);
  va_end(args);
  return n;
}

// ---- shortest digits

// x = m 2^e of everyday size: x 10^p = m 5^p 2^(e + p) is exact in 128 bits, with 17 digits before the point. From it
// come 15, 16 and 17 digits, rounded as printf does, and whether they are read back as x: they are if they are off by
// no more than half a unit in the last place of m, which is 5^p/2 on this scale.
__extension__ typedef unsigned __int128 Wide;

enum { wide_digits = 17 };

static void put_digits(uint64_t digits, int count, int exponent, bool minus, char *out) {
  char text[wide_digits];
  while (digits % 10 == 0) { // as %g does
    digits /= 10;
    count--;
  }
  for (int i = count; i-- > 0; digits /= 10) text[i] = (char)('0' + digits % 10);
  if (minus) *out++ = '-';
  if (exponent < 0) { // 0.00123
    *out++ = '0';
    *out++ = '.';
    for (int i = -1; i > exponent; i--) *out++ = '0';
  }
  for (int i = 0; i < count || i <= exponent; i++) {
    *out++ = i < count ? text[i] : '0';
    if (i == exponent && i + 1 < count) *out++ = '.';
  }
  *out = 0;
}

// False: it is not of that kind.
static bool print_everyday(double value, char *out) {
  static const uint64_t five[] = {
      1,          5,           25,           125,          625,           3125,           15625,
      78125,      390625,      1953125,      9765625,      48828125,      244140625,      1220703125,
      6103515625, 30517578125, 152587890625, 762939453125, 3814697265625, 19073486328125, 95367431640625};
  static const double ten[] = {1e-4, 1e-3, 1e-2, 1e-1, 1,   1e1,  1e2,  1e3, 1e4,
                               1e5,  1e6,  1e7,  1e8,  1e9, 1e10, 1e11, 1e12};
  const uint64_t most = 100000000000000000; // 10^17
  double x = fabs(value);
  if (!(x >= 1e-4 && x < 1e12)) return false;
  int exponent = -4;
  while (exponent < 11 && x >= ten[exponent + 5]) exponent++;
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  uint64_t m = (bits & 0xFFFFFFFFFFFFFu) | 0x10000000000000u;
  int p = wide_digits - 1 - exponent, shift = -((int)(bits >> 52) - 1075 + p);
  if (m == 0x10000000000000u || shift <= 0 || shift > 100) return false; // the gap below a power of two is another one
  Wide exact = (Wide)m * five[p], unit = (Wide)1 << shift;
  uint64_t whole = (uint64_t)(exact >> shift);
  Wide rest = exact & (unit - 1);
  // the last ones are taken as they are
  for (uint64_t cut = 100, count = wide_digits - 2;; cut /= 10, count++) {
    uint64_t kept = whole / cut, left = whole % cut;
    Wide off = left * unit + rest, half = (Wide)cut * unit / 2;
    bool up = off > half || (off == half && kept % 2);
    kept += up;
    off = up ? (Wide)cut * unit - off : off;
    if (kept * cut >= most) return false; // one digit more
    bool same = 2 * off < five[p] || (2 * off == five[p] && m % 2 == 0);
    if (!same && count < wide_digits) continue;
    put_digits(kept, (int)count, exponent, value < 0, out);
    return true;
  }
}

void number_print(double value, char out[number_text_size]) {
  if (isnan(value)) {
    memcpy(out, "nan", 4);
    return;
  }
  if (isinf(value)) {
    strcpy(out, value > 0 ? "inf" : "-inf");
    return;
  }
  // most entries of large matrices; the sign of a zero is not shown
  if (value == 0) {
    memcpy(out, "0", 2);
    return;
  }
  // whole numbers of everyday size need no search
  if (value == floor(value) && fabs(value) < 1e15) {
    snprintf(out, number_text_size, "%lld", (long long)value);
    return;
  }
  if (print_everyday(value, out)) return;
  Plain p = plain_begin();
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(out, number_text_size, "%.*g", digits, value);
    if (digits == 17 || strtod(out, NULL) == value) break;
  }
  plain_end(p);
}

// ---- bits

enum { fraction_digits = 13, smallest_exponent = -1022 }; // of the 52 bits behind the point

void number_print_bits(double value, char out[number_text_size]) {
  if (!isfinite(value)) {
    number_print(value, out);
    return;
  }
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  uint64_t fraction = bits & 0xFFFFFFFFFFFFFu;
  int exponent = (int)(bits >> 52 & 0x7FF);
  bool small = exponent == 0; // zero, or below the normal numbers
  exponent = small ? (fraction ? smallest_exponent : 0) : exponent - 1023;
  char digits[fraction_digits + 1];
  snprintf(digits, sizeof digits, "%013llx", (unsigned long long)fraction);
  size_t n = fraction_digits;
  while (n > 0 && digits[n - 1] == '0') n--;
  snprintf(out, number_text_size, "%s0x%c%s%.*sp%+d", bits >> 63 ? "-" : "", small ? '0' : '1', n ? "." : "", (int)n,
           digits, exponent);
}

static int hex_digit(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

const char *number_read_bits(const char *s, double *value) {
  bool minus = *s == '-';
  s += minus;
  if (strncmp(s, "inf", 3) == 0 || strncmp(s, "nan", 3) == 0) {
    *value = *s == 'n' ? NAN : minus ? -INFINITY : INFINITY;
    return s + 3;
  }
  if (strncmp(s, "0x", 2) != 0 || (s[2] != '0' && s[2] != '1')) return NULL;
  uint64_t mantissa = (uint64_t)(s[2] - '0');
  int digits = 0, exponent = 0, count = 0;
  s += 3;
  if (*s == '.') {
    for (s++; hex_digit(*s) >= 0 && digits < fraction_digits; s++, digits++)
      mantissa = mantissa << 4 | (uint64_t)hex_digit(*s);
    if (digits == 0) return NULL;
  }
  if (*s != 'p' || (s[1] != '+' && s[1] != '-')) return NULL;
  bool below = s[1] == '-';
  for (s += 2; *s >= '0' && *s <= '9' && count < 4; s++, count++) exponent = exponent * 10 + (*s - '0');
  if (count == 0 || exponent > 1023 || (below && exponent > -smallest_exponent)) return NULL;
  double x = ldexp((double)mantissa, (below ? -exponent : exponent) - 4 * digits);
  *value = minus ? -x : x;
  return s;
}

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

// Linear and logarithmic axes and their ticks.
//
// A tick is a whole number k times 10^e, and its text is made from k and e, so no rounding noise is ever shown. Texts
// that would be long are shortened in two ways, both stated at the axis: a common factor 10^exponent with an exponent
// that is a multiple of three, and a common offset where only the last digits differ.
#include "show/scale.h"

#include "base/number.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- positions

double scale_place(const Scale *s, double value) {
  if (!isfinite(value) || (s->log && value <= 0)) return NAN;
  double lo = s->log ? log10(s->lo) : s->lo, hi = s->log ? log10(s->hi) : s->hi;
  return ((s->log ? log10(value) : value) - lo) * ((s->to - s->from) / (hi - lo)) + s->from;
}

AxisRange axis_range_empty(void) { return (AxisRange){INFINITY, -INFINITY}; }

void axis_range_take(AxisRange *r, const double *values, size_t count, bool log) {
  for (size_t i = 0; i < count; i++) {
    double v = values[i];
    if (!isfinite(v) || (log && v <= 0)) continue;
    if (v < r->lo) r->lo = v;
    if (v > r->hi) r->hi = v;
  }
}

enum { log_decades_most = 600 };
// An axis stays inside the doubles with a margin, so that its ends, lengths and ticks are finite and normal numbers.
static const double largest = 8e307, smallest = 1e-305;

AxisRange axis_range_with_margin(AxisRange r, bool log, double margin) {
  if (!(r.lo <= r.hi)) return log ? (AxisRange){1, 10} : (AxisRange){0, 1};
  if (log) {
    double a = log10(fmax(r.lo, 1e-307)), b = log10(fmin(r.hi, largest));
    if (!(b - a > 1e-9)) a -= 0.5, b = a + 1;
    double more = margin * (b - a);
    return (AxisRange){pow(10, fmax(a - more, -307)), pow(10, fmin(b + more, 307.9))};
  }
  double lo = fmax(fmin(r.lo, largest), -largest), hi = fmax(fmin(r.hi, largest), -largest);
  double size = fmax(fabs(lo), fabs(hi));
  // flat: rounding errors are not enlarged to the height of the axis
  if (hi - lo < 1e-12 * size || hi - lo < smallest) {
    double half = size < 10 * smallest ? 1 : 0.1 * size, middle = lo + (hi - lo) / 2;
    return (AxisRange){fmax(middle - half, -largest), fmin(middle + half, largest)};
  }
  double more = margin * (hi - lo);
  return (AxisRange){fmax(lo - more, -largest), fmin(hi + more, largest)};
}

// ---- texts

void scale_power_text(int exponent, char *out) {
  static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  char digits[8];
  snprintf(digits, sizeof digits, "%d", abs(exponent) % 1000);
  strcpy(out, exponent < 0 ? "10⁻" : "10");
  for (const char *s = digits; *s; s++) strcat(out, raised[*s - '0']);
}

// The decimal text of k * 10^e, exactly.
static void decimal_text(double k, int e, char out[tick_text]) {
  char digits[tick_text];
  bool minus = k < 0;
  number_format(digits, sizeof digits, "%.0f", fabs(k));
  size_t n = strlen(digits), at = 0;
  if (k == 0) {
    strcpy(out, "0");
    return;
  }
  if (minus) {
    memcpy(out, "−", 3);
    at = 3;
  }
  int point = (int)n + e; // digits before the decimal point
  if (n + (size_t)abs(e) + 8 > tick_text || point > 20 || point < -12) {
    number_format(out, tick_text, "%.0fe%d", k, e);
    return;
  }
  if (point <= 0) {
    memcpy(out + at, "0.", 2);
    at += 2;
    for (int i = point; i < 0; i++) out[at++] = '0';
  }
  for (size_t i = 0; i < n; i++) {
    if (point > 0 && (int)i == point) out[at++] = '.';
    out[at++] = digits[i];
  }
  for (int i = (int)n; i < point; i++) out[at++] = '0';
  out[at] = '\0';
  // zeros behind the point that all ticks of this step share are kept by the caller's choice of e
}

static double ten_to(int e) {
  char text[16];
  snprintf(text, sizeof text, "1e%d", e);
  return number_parse(text, NULL);
}

// k * 10^e, rounded once.
static double scaled(double k, int e) {
  if (e >= 0) return e <= 300 ? k * ten_to(e) : k * ten_to(300) * ten_to(e - 300);
  return e >= -300 ? k / ten_to(-e) : k / ten_to(300) / ten_to(-e - 300);
}

// ---- linear

static int digits_of(double k) { return k == 0 ? 1 : (int)floor(log10(fabs(k))) + 1; }

// How many zeros end the whole number k.
static int zeros_of(double k) {
  int n = 0;
  for (; k != 0 && n < 20 && fmod(k, 10) == 0; k /= 10) n++;
  return k == 0 ? 20 : n;
}

// Picks exponent and offset for ticks k[i] * 10^e, then writes their texts.
static void write_linear(Ticks *t, const double *k, int e) {
  double most = 0;
  for (uint32_t i = 0; i < t->count; i++) most = fmax(most, fabs(k[i]));
  double base = 0;
  // only the last digits differ: count from the roundest tick
  if (t->count > 1 && digits_of(most) - digits_of(k[t->count - 1] - k[0]) >= 5) {
    uint32_t round = 0;
    for (uint32_t i = 1; i < t->count; i++) {
      if (zeros_of(k[i]) > zeros_of(k[round])) round = i;
    }
    base = k[round];
    t->offset = t->at[round];
    most = k[t->count - 1] - k[0];
  }
  int top = digits_of(most) + e; // the largest text is below 10^top
  int factor = 0;
  if (top > 5 || top < -2) factor = 3 * (int)floor((double)(top - 1) / 3);
  t->exponent = factor;
  for (uint32_t i = 0; i < t->count; i++) decimal_text(k[i] - base, e - factor, t->text[i]);
}

static void linear_minor(Ticks *t, double lo, double hi, double step) {
  double first = ceil(lo / step);
  for (uint32_t i = 0; i < ticks_minor; i++) {
    double v = (first + i) * step;
    if (!(v <= hi)) return;
    t->minor[t->minor_count++] = v;
  }
}

static void linear_ticks(Ticks *t, double lo, double hi, uint32_t wanted) {
  double span = hi - lo, raw = span / wanted;
  int e = (int)floor(log10(raw));
  double part = raw / scaled(1, e);
  double m = part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10;
  if (m == 10) m = 1, e++;
  // a finer step where fewer than two ticks fall inside
  for (int tries = 0; tries < 4; tries++) {
    double unit = scaled(m, e), slack = 1e-9;
    double first = ceil(lo / unit - slack), last = floor(hi / unit + slack);
    if (last - first < 1 && tries < 3) {
      if (m == 1) m = 5, e--;
      else m = m == 5 ? 2 : 1;
      continue;
    }
    double k[ticks_most];
    for (double i = first; i <= last && t->count < ticks_most; i++) {
      double v = scaled(i * m, e);
      if (t->count && !(v > t->at[t->count - 1])) continue; // closer than doubles are
      k[t->count] = i * m;
      t->at[t->count++] = fmin(fmax(v, lo), hi);
    }
    write_linear(t, k, e);
    linear_minor(t, lo, hi, m == 5 ? scaled(1, e) : scaled(m, e) / (m == 2 ? 2 : 5));
    return;
  }
}

// ---- logarithmic

static void put_log(Ticks *t, int digit, int e, bool plain) {
  if (t->count == ticks_most) return;
  t->at[t->count] = scaled(digit, e);
  char *out = t->text[t->count++];
  if (plain) {
    decimal_text(digit, e, out);
    return;
  }
  char power[24];
  scale_power_text(e, power);
  if (digit == 1) strcpy(out, power);
  else snprintf(out, tick_text, "%d·%s", digit, power);
}

static void log_ticks(Ticks *t, double lo, double hi, uint32_t wanted) {
  double decades = log10(hi) - log10(lo), slack = 1e-9;
  int first = (int)ceil(log10(lo) - slack), last = (int)floor(log10(hi) + slack);
  bool plain = first >= -3 && last <= 4;
  if (last - first < 1) {
    // not two powers of ten inside: 1, 2 and 5; where even these are rare, as on a linear axis
    static const int digits[] = {1, 2, 5};
    int inside = 0;
    for (int e = first - 1; e <= last + 1; e++) {
      for (int i = 0; i < 3; i++)
        inside += scaled(digits[i], e) >= lo * (1 - slack) && scaled(digits[i], e) <= hi * (1 + slack);
    }
    if (inside < 2) {
      linear_ticks(t, lo, hi, wanted);
      return;
    }
    for (int e = first - 1; e <= last + 1; e++) {
      for (int i = 0; i < 3; i++) {
        double v = scaled(digits[i], e);
        if (v >= lo * (1 - slack) && v <= hi * (1 + slack)) put_log(t, digits[i], e, plain);
      }
    }
  } else {
    int stride = (int)ceil(decades / fmax(wanted, 2) - slack);
    if (stride < 1) stride = 1;
    int start = (int)(ceil((double)first / stride) * stride);
    if (start + stride > last) start = first;
    for (int e = start; e <= last; e += stride) put_log(t, 1, e, plain);
    if (stride > 1) {
      for (int e = first; e <= last && t->minor_count < ticks_minor && decades < ticks_minor; e++)
        t->minor[t->minor_count++] = scaled(1, e);
      return;
    }
  }
  for (int e = first - 1; e <= last; e++) {
    for (int d = 2; d <= 9 && t->minor_count < ticks_minor; d++) {
      double v = scaled(d, e);
      if (v >= lo && v <= hi) t->minor[t->minor_count++] = v;
    }
  }
}

void scale_ticks(Ticks *t, double lo, double hi, bool log, uint32_t wanted) {
  t->count = t->minor_count = 0;
  t->exponent = 0;
  t->offset = 0;
  if (!(lo < hi) || !isfinite(lo) || !isfinite(hi) || (log && lo <= 0)) return;
  if (wanted < 2) wanted = 2;
  if (wanted > ticks_most / 3) wanted = ticks_most / 3;
  if (log && log10(hi) - log10(lo) <= log_decades_most + 100) log_ticks(t, lo, hi, wanted);
  else linear_ticks(t, lo, hi, wanted);
}

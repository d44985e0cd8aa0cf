// Routh's table with a parameter.
//
// Coefficients are interpolated by Newton's divided differences, exactly: where the differences beyond the degree do
// not vanish, the coefficients are no polynomials of K. Entries are fractions of polynomials without common factors.
// The ends of the ranges are real zeros of the first column, as eigenvalues of companion matrices; between them one
// value tells the signs.
#include "analyze/routh_over.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The lowest power first; no leading zero; degree 0 with c[0] = 0 is zero.
typedef struct RouthPoly {
  uint32_t degree;
  Rat *c;
} RouthPoly;

typedef struct RouthFraction {
  RouthPoly num, den;
} RouthFraction;

static RouthPoly room(Arena *arena, uint32_t degree) {
  RouthPoly p = {degree, arena_array(arena, (size_t)degree + 1, sizeof *p.c)};
  for (uint32_t i = 0; p.c && i <= degree; i++) p.c[i] = RAT_ZERO;
  return p;
}

static RouthPoly trimmed(RouthPoly p) {
  while (p.c && p.degree && rat_is_zero(p.c[p.degree])) p.degree--;
  return p;
}

static bool is_zero(RouthPoly p) { return p.degree == 0 && rat_is_zero(p.c[0]); }

static RouthPoly times(Arena *arena, RouthPoly a, RouthPoly b) {
  RouthPoly p = room(arena, a.degree + b.degree);
  for (uint32_t i = 0; p.c && i <= a.degree; i++) {
    for (uint32_t j = 0; j <= b.degree; j++) p.c[i + j] = rat_add(arena, p.c[i + j], rat_mul(arena, a.c[i], b.c[j]));
  }
  return trimmed(p);
}

static RouthPoly less(Arena *arena, RouthPoly a, RouthPoly b) {
  RouthPoly p = room(arena, a.degree > b.degree ? a.degree : b.degree);
  for (uint32_t i = 0; p.c && i <= p.degree; i++) {
    Rat x = i <= a.degree ? a.c[i] : RAT_ZERO, y = i <= b.degree ? b.c[i] : RAT_ZERO;
    p.c[i] = rat_add(arena, x, rat_neg(arena, y));
  }
  return trimmed(p);
}

// a = q b + the rest.
static RouthPoly divided(Arena *arena, RouthPoly a, RouthPoly b, RouthPoly *rest) {
  RouthPoly q = room(arena, a.degree >= b.degree ? a.degree - b.degree : 0), r = less(arena, a, room(arena, 0));
  while (q.c && r.c && !is_zero(r) && r.degree >= b.degree && !arena_failed(arena)) {
    uint32_t at = r.degree - b.degree;
    Rat f = rat_div(arena, r.c[r.degree], b.c[b.degree]);
    if (!rat_valid(f)) break;
    q.c[at] = f;
    for (uint32_t i = 0; i < b.degree; i++)
      r.c[at + i] = rat_add(arena, r.c[at + i], rat_neg(arena, rat_mul(arena, f, b.c[i])));
    r.c[r.degree] = RAT_ZERO;
    r = trimmed(r);
  }
  *rest = r;
  return trimmed(q);
}

// Without common factors, and with whole numbers: the denominator's content is 1 and its first power positive.
static RouthFraction reduced(Arena *arena, RouthFraction f) {
  RouthPoly a = f.num, b = f.den, rest;
  while (a.c && b.c && !is_zero(b) && !arena_failed(arena)) {
    divided(arena, a, b, &rest);
    a = b;
    b = rest;
  }
  if (a.c && a.degree) {
    f.num = divided(arena, f.num, a, &rest);
    f.den = divided(arena, f.den, a, &rest);
  }
  Rat top = f.den.c[f.den.degree];
  for (uint32_t i = 0; i <= f.num.degree; i++) f.num.c[i] = rat_div(arena, f.num.c[i], top);
  for (uint32_t i = 0; i <= f.den.degree; i++) f.den.c[i] = rat_div(arena, f.den.c[i], top);
  return f;
}

// The polynomial through the values y at k. *fits: its degree is below the number of points less one.
static RouthPoly interpolated(Arena *arena, const Rat *k, const Rat *y, uint32_t stride, uint32_t points, bool *fits) {
  Rat *d = arena_array(arena, points, sizeof *d);
  RouthPoly p = room(arena, points - 1);
  if (!d || !p.c) return p;
  for (uint32_t i = 0; i < points; i++) d[i] = y[(size_t)i * stride];
  for (uint32_t order = 1; order < points; order++) {
    for (uint32_t i = points - 1; i >= order; i--)
      d[i] = rat_div(arena, rat_add(arena, d[i], rat_neg(arena, d[i - 1])),
                     rat_add(arena, k[i], rat_neg(arena, k[i - order])));
  }
  for (uint32_t i = points; i-- > 0;) { // p <- p (K - k_i) + d_i
    for (uint32_t j = points - 1; j > 0; j--)
      p.c[j] = rat_add(arena, p.c[j - 1], rat_neg(arena, rat_mul(arena, k[i], p.c[j])));
    p.c[0] = rat_add(arena, d[i], rat_neg(arena, rat_mul(arena, k[i], p.c[0])));
  }
  *fits = *fits && rat_is_zero(d[points - 1]);
  for (uint32_t i = 0; i < points; i++) *fits = *fits && rat_valid(p.c[i]);
  return trimmed(p);
}

// ---- for reading

static const char *poly_text(Arena *arena, RouthPoly p, const char *name, bool bracket) {
  const char *out = "";
  uint32_t terms = 0;
  for (uint32_t i = 0; i <= p.degree; i++) {
    if (rat_is_zero(p.c[i]) && p.degree) continue;
    bool minus = rat_sign(p.c[i]) < 0, one = rat_is_int_value(p.c[i], 1) || rat_is_int_value(p.c[i], -1);
    const char *size = rat_print(arena, minus ? rat_neg(arena, p.c[i]) : p.c[i], true),
               *power = i == 0   ? ""
                        : i == 1 ? name
                                 : arena_printf(arena, "%s^%u", name, i);
    out = arena_printf(arena, "%s%s%s%s%s", out,
                       terms   ? minus ? " - " : " + "
                       : minus ? "-"
                               : "",
                       one && i ? "" : size, one || i == 0 ? "" : "*", power);
    terms++;
  }
  return bracket && terms > 1 ? arena_printf(arena, "(%s)", out) : out;
}

static const char *fraction_text(Arena *arena, RouthFraction f, const char *name) {
  if (f.den.degree == 0) return poly_text(arena, f.num, name, false);
  return arena_printf(arena, "%s/%s", poly_text(arena, f.num, name, true), poly_text(arena, f.den, name, true));
}

// ---- ranges

static double value_at(RouthPoly p, double k) {
  double v = 0;
  for (uint32_t i = p.degree + 1; i-- > 0;) v = v * k + rat_to_double(p.c[i]);
  return v;
}

typedef VEC(double) RouthEnds;

// Real zeros, polished by Newton's method.
static DenseStatus real_zeros(Arena *arena, const SolveModule *module, RouthPoly p, RouthEnds *out) {
  size_t n = p.degree;
  double *a = arena_array(arena, n * n + n + 1, sizeof *a), *bound = a + n * n;
  Complex *v = arena_array(arena, n + 1, sizeof *v);
  if (!a || !v) return dense_no_memory;
  for (size_t i = 0; i < n; i++) {
    a[i * n + n - 1] = -rat_to_double(p.c[i]) / rat_to_double(p.c[n]);
    if (i) a[i * n + i - 1] += 1;
  }
  DenseStatus status = dense_eigenvalues(arena, module, p.degree, a, v, bound);
  for (size_t i = 0; status == dense_done && i < n; i++) {
    if (fabs(cimag(v[i])) > 1e-6 * (1 + cabs(v[i]))) continue;
    double k = creal(v[i]);
    for (int round = 0; round < 50; round++) {
      double slope = 0, value = 0;
      for (uint32_t j = p.degree + 1; j-- > 0;) {
        slope = slope * k + value;
        value = value * k + rat_to_double(p.c[j]);
      }
      double step = value / slope;
      if (!isfinite(step) || fabs(step) > 1e-3 * (1 + fabs(k))) break;
      k -= step;
      if (fabs(step) <= 1e-16 * fabs(k)) break;
    }
    if (!vec_push(arena, out, k)) return dense_no_memory;
  }
  return status;
}

static int by_number(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static DenseStatus find_ranges(Arena *arena, const SolveModule *module, RouthFraction *const *first, uint32_t degree,
                               RouthOver *out) {
  RouthEnds ends = {0};
  for (uint32_t i = 0; i <= degree; i++) {
    DenseStatus status = real_zeros(arena, module, first[i]->num, &ends);
    if (status == dense_done) status = real_zeros(arena, module, first[i]->den, &ends);
    if (status != dense_done) return status;
  }
  if (ends.count) qsort(ends.items, ends.count, sizeof *ends.items, by_number);
  for (uint32_t i = 0; i <= ends.count; i++) {
    double low = i ? ends.items[i - 1] : -INFINITY, high = i < ends.count ? ends.items[i] : INFINITY;
    if (isfinite(low) && high - low <= 1e-12 * (1 + fabs(low))) continue; // one that is a zero several times
    double k = isinf(low)    ? isinf(high) ? 0 : high - 1 - fabs(high)
                  : isinf(high) ? low + 1 + fabs(low)
                             : (low + high) / 2;
    bool positive = true;
    for (uint32_t j = 0; j <= degree; j++)
      positive = positive && value_at(first[j]->num, k) / value_at(first[j]->den, k) > 0;
    if (!positive) continue;
    if (!vec_push(arena, &out->stable, ((RouthRange){low, high}))) return dense_no_memory;
  }
  return dense_done;
}

// ---- the table

DenseStatus routh_over_find(Arena *arena, const SolveModule *module, const char *name, uint32_t degree, const Rat *k,
                            const Rat *c, uint32_t points, RouthOver *out) {
  uint32_t wide = degree / 2 + 1;
  *out = (RouthOver){.degree = degree};
  RouthFraction *all = arena_array(arena, (size_t)(degree + 1) * wide, sizeof *all);
  RouthFraction **first = arena_array(arena, (size_t)degree + 1, sizeof *first);
  RouthOverRow *rows = arena_array(arena, (size_t)degree + 1, sizeof *rows);
  RouthPoly one = room(arena, 0);
  bool fits = true;
  if (!all || !first || !rows || !one.c) return dense_no_memory;
  one.c[0] = RAT_ONE;
  for (uint32_t r = 0; r <= degree && fits && !arena_failed(arena); r++) {
    rows[r].count = (degree - r) / 2 + 1;
    first[r] = &all[(size_t)r * wide];
    for (uint32_t j = 0; j < rows[r].count && !arena_failed(arena); j++) {
      RouthFraction *f = &all[(size_t)r * wide + j];
      if (r < 2) {
        *f = (RouthFraction){interpolated(arena, k, c + (degree - r - 2 * j), degree + 1, points, &fits), one};
        continue;
      }
      // a_(j+1) - a_0 b_(j+1)/b_0 of the two rows above
      const RouthFraction *a = &all[(size_t)(r - 2) * wide], *b = &all[(size_t)(r - 1) * wide];
      bool there = j + 1 < rows[r - 1].count;
      RouthFraction x = a[j + 1];
      if (there && !is_zero(b[j + 1].num)) {
        RouthFraction y = {times(arena, times(arena, a[0].num, b[j + 1].num), b[0].den),
                           times(arena, times(arena, a[0].den, b[j + 1].den), b[0].num)};
        x = (RouthFraction){less(arena, times(arena, a[j + 1].num, y.den), times(arena, y.num, a[j + 1].den)),
                            times(arena, a[j + 1].den, y.den)};
      }
      if (arena_failed(arena)) return dense_no_memory;
      *f = reduced(arena, x);
    }
    fits = fits && !is_zero(first[r]->num);
    for (uint32_t j = 0; fits && j < rows[r].count; j++) {
      const RouthFraction *f = &all[(size_t)r * wide + j];
      for (uint32_t i = 0; i <= f->num.degree; i++) fits = fits && rat_valid(f->num.c[i]);
    }
  }
  if (arena_failed(arena)) return dense_no_memory;
  if (!fits) return dense_done;
  DenseStatus status = find_ranges(arena, module, first, degree, out);
  if (status != dense_done) return status;
  for (uint32_t r = 0; r <= degree; r++) {
    rows[r].entries = arena_array(arena, (size_t)rows[r].count + 1, sizeof *rows[r].entries);
    for (uint32_t j = 0; rows[r].entries && j < rows[r].count; j++)
      rows[r].entries[j] = fraction_text(arena, all[(size_t)r * wide + j], name);
  }
  if (arena_failed(arena)) return dense_no_memory;
  out->rows = rows;
  return dense_done;
}

// Routh's table with a parameter.
//
// Coefficients are interpolated by Newton's divided differences, exactly: where the differences beyond the degree do
// not vanish, the coefficients are no polynomials of K. The table is made without fractions: row i times the first
// entry of row i - 1 holds minors of Hurwitz's matrix, R_i[j] = (R_(i-1)[0] R_(i-2)[j+1] - R_(i-2)[0] R_(i-1)[j+1]) /
// R_(i-3)[0], and that division has no rest. Entries are shown as fractions without common factors.
// The ends of the ranges are real zeros, by exact signs; between them one value tells.
#include "analyze/routh_over.h"

#include "expr/prime.h"

#include <float.h>
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

static bool all_valid(RouthPoly p) {
  bool valid = p.c != NULL;
  for (uint32_t i = 0; valid && i <= p.degree; i++) valid = rat_valid(p.c[i]);
  return valid;
}

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

static RouthPoly over(Arena *arena, RouthPoly p, Rat number) {
  RouthPoly q = room(arena, p.degree);
  for (uint32_t i = 0; q.c && i <= p.degree; i++) q.c[i] = rat_div(arena, p.c[i], number);
  return q;
}

// Modulo a prime there is no common factor: then there is none.
static bool coprime(Arena *arena, RouthPoly f, RouthPoly g) {
  uint32_t most = f.degree > g.degree ? f.degree : g.degree;
  uint64_t *a = arena_array(arena, 2 * ((size_t)most + 1), sizeof *a), *b = a + most + 1;
  bool good = a != NULL;
  if (!good) return false;
  for (uint32_t i = 0; i <= f.degree; i++) a[i] = rat_mod(f.c[i], MODULAR_PRIME, &good);
  for (uint32_t i = 0; i <= g.degree; i++) b[i] = rat_mod(g.c[i], MODULAR_PRIME, &good);
  uint32_t m = f.degree, n = g.degree;
  if (!good || a[m] == 0 || b[n] == 0) return false;
  while (n > 0) { // a <- the rest of a by b, then the other way round
    uint64_t inverse = prime_inverse(b[n]);
    for (uint32_t k = m + 1; k-- > n;) {
      uint64_t by = prime_mul(a[k], inverse);
      for (uint32_t i = 0; by && i <= n; i++) {
        uint64_t *at = &a[k - n + i];
        *at = prime_sub(*at, prime_mul(by, b[i]));
      }
    }
    uint32_t left = n - 1;
    while (left && a[left] == 0) left--;
    if (left == 0 && a[0] == 0) return false;
    uint64_t *other = a;
    a = b;
    b = other;
    m = n;
    n = left;
  }
  return true;
}

// Without common factors; the denominator's highest power has the factor 1.
static RouthFraction reduced(Arena *arena, RouthFraction f) {
  RouthPoly a = f.num, b = f.den, rest;
  if (f.num.degree && f.den.degree && !coprime(arena, a, b)) {
    while (a.c && b.c && !is_zero(b) && !arena_failed(arena)) {
      divided(arena, a, b, &rest);
      a = b;
      b = rest;
    }
    if (a.c && a.degree) {
      f.num = divided(arena, f.num, a, &rest);
      f.den = divided(arena, f.den, a, &rest);
    }
  }
  Rat top = f.den.c[f.den.degree];
  return (RouthFraction){over(arena, f.num, top), over(arena, f.den, top)};
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

// Whole, as far as one would read it.
static const char *readable(Arena *arena, Rat a) {
  const char *text = rat_print(arena, a, true);
  return strlen(text) <= 20 ? text : arena_printf(arena, "%.6g", rat_to_double(a));
}

static const char *poly_text(Arena *arena, RouthPoly p, const char *name, bool bracket) {
  const char *out = "";
  uint32_t terms = 0;
  for (uint32_t i = 0; i <= p.degree; i++) {
    if (rat_is_zero(p.c[i]) && p.degree) continue;
    bool minus = rat_sign(p.c[i]) < 0, one = rat_is_int_value(p.c[i], 1) || rat_is_int_value(p.c[i], -1);
    const char *size = readable(arena, minus ? rat_neg(arena, p.c[i]) : p.c[i]),
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

// The sign, exactly: by doubles where their rounding cannot change it. Coefficients are 1 at most.
typedef struct RouthSign {
  RouthPoly exact;
  double *c;
} RouthSign;

static bool sign_open(Arena *arena, RouthPoly p, RouthSign *out) {
  Rat most = RAT_ZERO;
  *out = (RouthSign){room(arena, p.degree), arena_array(arena, (size_t)p.degree + 1, sizeof *out->c)};
  if (!out->exact.c || !out->c) return false;
  for (uint32_t i = 0; i <= p.degree; i++) {
    Rat size = rat_sign(p.c[i]) < 0 ? rat_neg(arena, p.c[i]) : p.c[i];
    if (rat_compare(size, most) > 0) most = size;
  }
  for (uint32_t i = 0; i <= p.degree; i++) {
    out->exact.c[i] = rat_is_zero(most) ? RAT_ZERO : rat_div(arena, p.c[i], most);
    out->c[i] = rat_to_double(out->exact.c[i]);
  }
  return !arena_failed(arena);
}

static int sign_at(Arena *arena, const RouthSign *p, double k) {
  double v = 0, bound = 0;
  uint32_t n = p->exact.degree;
  for (uint32_t i = n + 1; i-- > 0;) {
    v = v * k + p->c[i];
    bound = bound * fabs(k) + fabs(p->c[i]);
  }
  if (isfinite(bound) && fabs(v) > (4 * n + 4) * DBL_EPSILON * bound + DBL_MIN) return v > 0 ? 1 : -1;
  Rat at = rat_of_double(arena, k), sum = RAT_ZERO;
  for (uint32_t i = n + 1; i-- > 0;) sum = rat_add(arena, rat_mul(arena, sum, at), p->exact.c[i]);
  return rat_valid(sum) ? rat_sign(sum) : (v > 0) - (v < 0);
}

typedef VEC(double) RouthEnds;

static RouthPoly derivative(Arena *arena, RouthPoly p) {
  RouthPoly d = room(arena, p.degree ? p.degree - 1 : 0);
  for (uint32_t i = 1; d.c && i <= p.degree; i++) d.c[i - 1] = rat_mul(arena, rat_int(i), p.c[i]);
  return d;
}

// The root between a and b at which the sign changes from `left`, to the last bit.
static double bisected(Arena *arena, const RouthSign *p, double a, double b, int left) {
  for (;;) {
    double mid = a + (b - a) / 2;
    if (!(mid > a && mid < b)) return fabs(a) < fabs(b) ? a : b;
    int sign = sign_at(arena, p, mid);
    if (sign == 0) return mid;
    if (sign == left) a = mid;
    else b = mid;
  }
}

// Real zeros of a polynomial without double ones: one at most between two zeros of its derivative.
static bool simple_zeros(Arena *arena, RouthPoly p, RouthEnds *out) {
  RouthSign sign;
  RouthEnds turns = {0};
  if (p.degree == 0) return true;
  if (!simple_zeros(arena, derivative(arena, p), &turns) || !sign_open(arena, p, &sign)) return false;
  double far = 1, top = fabs(sign.c[p.degree]);
  for (uint32_t i = 0; i < p.degree; i++) far = fmax(far, 2 * pow(fabs(sign.c[i]) / top, 1.0 / (p.degree - i)));
  far = fmin(far * (1 + 1e-12), DBL_MAX / 4); // Fujiwara's bound
  double a = -far;
  int left = sign_at(arena, &sign, a);
  for (uint32_t i = 0; i <= turns.count; i++) {
    double b = i < turns.count ? turns.items[i] : far;
    int right = sign_at(arena, &sign, b);
    if (right == 0) {
      if (!vec_push(arena, out, b)) return false;
    } else if (left * right < 0 && !vec_push(arena, out, bisected(arena, &sign, a, b, left))) return false;
    a = b;
    left = right;
  }
  return true;
}

static bool real_zeros(Arena *arena, RouthPoly p, RouthEnds *out) {
  RouthPoly d = derivative(arena, p);
  if (p.degree == 0) return true;
  if (p.degree > 1) p = reduced(arena, (RouthFraction){p, d}).num; // each zero once
  return all_valid(p) ? simple_zeros(arena, p, out) : !arena_failed(arena);
}

static int by_number(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Poles pass the axis where the first coefficient, the last one or the last minor but one vanish, nowhere else;
// between such values of K one value decides. first: minors; from the third on an entry is one over the one before.
static bool find_ranges(Arena *arena, const RouthPoly *first, RouthPoly last, uint32_t degree, RouthOver *out) {
  RouthEnds ends = {0};
  RouthSign *signs = arena_array(arena, (size_t)degree + 1, sizeof *signs);
  if (!signs) return false;
  for (uint32_t i = 0; i <= degree; i++) {
    if (!sign_open(arena, first[i], &signs[i])) return false;
  }
  if (!real_zeros(arena, first[0], &ends) || !real_zeros(arena, last, &ends)) return false;
  if (degree > 1 && !real_zeros(arena, first[degree - 1], &ends)) return false;
  if (ends.count) qsort(ends.items, ends.count, sizeof *ends.items, by_number);
  for (uint32_t i = 0; i <= ends.count; i++) {
    double low = i ? ends.items[i - 1] : -INFINITY, high = i < ends.count ? ends.items[i] : INFINITY;
    if (isfinite(low) && high - low <= 4 * DBL_EPSILON * fabs(low)) continue; // the same one
    double k = isinf(low)    ? isinf(high) ? 0 : high - 1 - fabs(high)
                  : isinf(high) ? low + 1 + fabs(low)
                             : low + (high - low) / 2;
    bool positive = true;
    int before = 1;
    for (uint32_t j = 0; j <= degree; j++) {
      int sign = sign_at(arena, &signs[j], k);
      positive = positive && sign * before > 0;
      before = j ? sign : 1;
    }
    if (positive && !vec_push(arena, &out->stable, ((RouthRange){low, high}))) return false;
  }
  return true;
}

// ---- the table

// Row r of minors from the rows above it.
static RouthPoly minor_at(Arena *arena, const RouthPoly *all, uint32_t wide, uint32_t r, uint32_t j, bool there) {
  const RouthPoly *a = &all[(size_t)(r - 2) * wide], *b = &all[(size_t)(r - 1) * wide];
  RouthPoly x = times(arena, b[0], a[j + 1]), rest;
  if (there && x.c) x = less(arena, x, times(arena, a[0], b[j + 1]));
  return r < 4 || !x.c ? x : divided(arena, x, all[(size_t)(r - 3) * wide], &rest);
}

bool routh_over_find(Arena *arena, const char *name, uint32_t degree, const Rat *k, const Rat *c, uint32_t points,
                     RouthOver *out) {
  uint32_t wide = degree / 2 + 2;
  *out = (RouthOver){.degree = degree};
  RouthPoly *all = arena_array(arena, (size_t)(degree + 1) * wide, sizeof *all), one = room(arena, 0);
  RouthPoly *first = arena_array(arena, (size_t)degree + 1, sizeof *first);
  RouthOverRow *rows = arena_array(arena, (size_t)degree + 1, sizeof *rows);
  bool fits = true;
  if (!all || !first || !rows || !one.c) return false;
  one.c[0] = RAT_ONE;
  for (uint32_t r = 0; r <= degree && fits && !arena_failed(arena); r++) {
    rows[r].count = (degree - r) / 2 + 1;
    RouthPoly *row = &all[(size_t)r * wide];
    for (uint32_t j = 0; fits && j < rows[r].count && !arena_failed(arena); j++) {
      row[j] = r < 2 ? interpolated(arena, k, c + (degree - r - 2 * j), degree + 1, points, &fits)
                     : minor_at(arena, all, wide, r, j, j + 1 < rows[r - 1].count);
      fits = fits && all_valid(row[j]);
    }
    fits = fits && !is_zero(row[0]);
    first[r] = row[0];
  }
  for (uint32_t r = 0; r <= degree && fits && !arena_failed(arena); r++) {
    rows[r].entries = arena_array(arena, (size_t)rows[r].count + 1, sizeof *rows[r].entries);
    for (uint32_t j = 0; rows[r].entries && j < rows[r].count && fits && !arena_failed(arena); j++) {
      RouthFraction f = {all[(size_t)r * wide + j], r < 2 ? one : all[(size_t)(r - 1) * wide]};
      f = reduced(arena, f);
      fits = all_valid(f.num) && all_valid(f.den);
      if (fits) rows[r].entries[j] = fraction_text(arena, f, name);
    }
  }
  if (arena_failed(arena)) return false;
  if (!fits) return true;
  RouthPoly last = all[(size_t)(degree % 2) * wide + degree / 2];
  if (!find_ranges(arena, first, last, degree, out)) return false;
  out->rows = rows;
  return true;
}

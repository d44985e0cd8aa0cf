// Collecting terms of sums for reading: terms that differ only in parameters are joined.
//
//   g*l1*m2*sin(th1) + g*l1*m3*sin(th1)  =  g*l1*(m2 + m3)*sin(th1)
//
// and so are those over the same denominator that is a sum:  a/(x + y) + b/(x + y) = (a + b)/(x + y)
#include "expr/calculus.h"

#include <stdlib.h>
#include <string.h>

static bool is_param_only(const ExprPool *pool, ExprId id) { return expr_only_kinds(pool, id, kind_set(sym_param)); }

// Splits a product into its factors of parameters and the rest.
static void split(ExprPool *pool, Term t, ExprId *params, ExprId *rest) {
  uint32_t n = expr_factor_count(pool, t.term);
  Factor *own = arena_array(pool->scratch, n, sizeof *own), *other = arena_array(pool->scratch, n, sizeof *other);
  uint32_t no = 0, nr = 0;
  *params = *rest = 0;
  if (!own || !other) return;
  for (uint32_t i = 0; i < n; i++) {
    Factor f = expr_factor(pool, t.term, i);
    if (is_param_only(pool, f.base) && is_param_only(pool, f.exponent)) own[no++] = f;
    else other[nr++] = f;
  }
  *params = expr_product(pool, rat_mul(pool->arena, t.coef, expr_coef(pool, t.term)), own, no);
  *rest = expr_product(pool, RAT_ONE, other, nr);
}

typedef struct TermGroup {
  ExprId rest, params;
} TermGroup;

static int by_rest(const void *a, const void *b) {
  ExprId x = ((const TermGroup *)a)->rest, y = ((const TermGroup *)b)->rest;
  if (x != y) return x < y ? -1 : 1;
  x = ((const TermGroup *)a)->params, y = ((const TermGroup *)b)->params;
  return (x > y) - (x < y);
}

// The exponent of a base inside a product: a whole number, 0 when it does not occur so.
static int64_t exponent_of(const ExprPool *pool, ExprId term, ExprId base) {
  uint32_t n = expr_factor_count(pool, term);
  for (uint32_t i = 0; i < n; i++) {
    Factor f = expr_factor(pool, term, i);
    Rat e;
    int64_t k;
    if (f.base == base && expr_number(pool, f.exponent, &e) && rat_to_int(e, &k)) return k;
  }
  return 0;
}

// The factors that all terms of a sum share, in front of what is left of it.
static ExprId take_common(ExprPool *pool, ExprId sum, ExprId rest) {
  Factor tail = {rest, pool->one};
  uint32_t terms = expr_term_count(pool, sum);
  if (terms < 2) return expr_product(pool, RAT_ONE, (Factor[]){{sum, pool->one}, tail}, 2);
  Term first = expr_term(pool, sum, 0);
  uint32_t n = expr_factor_count(pool, first.term), shared = 0;
  Factor *f = arena_array(pool->scratch, (size_t)n + 2, sizeof *f);
  Factor *inverse = arena_array(pool->scratch, (size_t)n + 1, sizeof *inverse);
  Term *left = arena_array(pool->scratch, terms, sizeof *left);
  if (!f || !inverse || !left) return 0;
  for (uint32_t i = 0; i < n; i++) {
    ExprId base = expr_factor(pool, first.term, i).base;
    int64_t least = exponent_of(pool, first.term, base);
    for (uint32_t k = 1; k < terms && least; k++) {
      int64_t e = exponent_of(pool, expr_term(pool, sum, k).term, base);
      if ((e > 0) != (least > 0) || e == 0) least = 0;
      else if (llabs(e) < llabs(least)) least = e;
    }
    if (!least) continue;
    inverse[shared + 1] = (Factor){base, expr_int(pool, -least)};
    f[shared++] = (Factor){base, expr_int(pool, least)};
  }
  // a number that all coefficients share leaves too, and the sign when all are negative
  Rat number = first.coef;
  bool same = true, negative = rat_sign(first.coef) < 0;
  for (uint32_t k = 1; k < terms; k++) {
    Rat c = expr_term(pool, sum, k).coef;
    same = same && (rat_equal(c, number) || rat_equal(rat_neg(pool->arena, c), number));
    negative = negative && rat_sign(c) < 0;
  }
  if (!same) number = negative ? rat_int(-1) : RAT_ONE;
  else if (rat_sign(number) < 0 && !negative) number = rat_neg(pool->arena, number);
  for (uint32_t k = 0; k < terms; k++) {
    Term t = expr_term(pool, sum, k);
    inverse[0] = (Factor){t.term, pool->one};
    left[k] = (Term){rat_div(pool->arena, t.coef, number), expr_product(pool, RAT_ONE, inverse, shared + 1)};
  }
  f[shared] = (Factor){expr_sum(pool, left, terms), pool->one};
  f[shared + 1] = tail;
  return expr_product(pool, number, f, shared + 2);
}

// What stands below the fraction line of a term, as a product; one when there is no sum of coordinates in it.
static ExprId below(ExprPool *pool, ExprId term) {
  uint32_t n = expr_factor_count(pool, term), count = 0;
  Factor *f = arena_array(pool->scratch, n, sizeof *f);
  bool sum = false;
  for (uint32_t i = 0; f && i < n; i++) {
    Factor x = expr_factor(pool, term, i);
    Rat e;
    if (is_param_only(pool, x.base) || !expr_number(pool, x.exponent, &e) || rat_sign(e) >= 0) continue;
    sum = sum || expr_op(pool, x.base) == op_add;
    f[count++] = x;
  }
  return f ? sum ? expr_product(pool, RAT_ONE, f, count) : pool->one : 0;
}

// Terms over one denominator become one fraction. The entries of `terms` that were taken in are left out.
static uint32_t gather_fractions(ExprPool *pool, Term *terms, uint32_t count) {
  TermGroup *dens = arena_array(pool->scratch, count, sizeof *dens);
  Term *same = arena_array(pool->scratch, count, sizeof *same);
  if (!dens || !same) return 0;
  for (uint32_t i = 0; i < count; i++) {
    dens[i].rest = below(pool, terms[i].term);
    if (!dens[i].rest) return 0;
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    ExprId den = dens[i].rest;
    if (!den) continue; // taken in before
    uint32_t n = 0;
    for (uint32_t k = i; k < count && den != pool->one; k++) {
      if (dens[k].rest != den) continue;
      same[n++] = (Term){terms[k].coef, expr_div(pool, terms[k].term, den)};
      if (!same[n - 1].term) return 0;
      if (k > i) dens[k].rest = 0;
    }
    Term t = terms[i];
    if (n > 1) {
      // coefficients go into the terms, where their common part is looked for
      t = (Term){RAT_ONE, take_common(pool, expr_sum(pool, same, n), den)};
      if (!t.term) return 0;
    }
    terms[kept++] = t;
  }
  return kept;
}

static ExprId group(ExprPool *pool, ExprId id) {
  if (!id || expr_op(pool, id) != op_add) return id;
  uint32_t n = expr_term_count(pool, id);
  TermGroup *groups = arena_array(pool->scratch, n, sizeof *groups);
  Term *out = arena_array(pool->scratch, n, sizeof *out), *same = arena_array(pool->scratch, n, sizeof *same);
  if (!groups || !out || !same) return 0;
  for (uint32_t i = 0; i < n; i++) {
    split(pool, expr_term(pool, id, i), &groups[i].params, &groups[i].rest);
    if (!groups[i].params || !groups[i].rest) return 0;
  }
  qsort(groups, n, sizeof *groups, by_rest);
  uint32_t count = 0;
  for (uint32_t i = 0; i < n;) {
    uint32_t k = 0;
    ExprId rest = groups[i].rest;
    for (; i < n && groups[i].rest == rest; i++) same[k++] = (Term){RAT_ONE, groups[i].params};
    ExprId whole = take_common(pool, expr_sum(pool, same, k), rest);
    if (!whole) return 0;
    // a group of its own must not be flattened again: a lone sum of parameters stays a sum
    out[count++] = (Term){RAT_ONE, whole};
  }
  count = gather_fractions(pool, out, count);
  return count ? expr_sum(pool, out, count) : 0;
}

ExprId expr_group(ExprPool *pool, ExprId id) {
  ArenaMark mark = arena_mark(pool->scratch);
  ExprId grouped = group(pool, id);
  arena_release(pool->scratch, mark);
  return grouped;
}

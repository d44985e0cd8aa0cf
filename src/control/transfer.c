// Transfer functions in symbols, by determinants without divisions.
//
//   den = det(s - A),  num = det [s - A, B; -C, D]
//
// Each row is cleared of its denominators first. Those of the first n rows are in both determinants; that of the last
// row, q, is an entry of a further column, so num is q times too large, and den gets the factor.
#include "control/transfer.h"

#include "algebra/solved.h"
#include "expr/calculus.h"
#include "expr/normal.h"

static ExprId entry(ExprPool *pool, const TransferIn *in, uint32_t i, uint32_t j, ExprId s) {
  uint32_t n = in->n;
  if (i < n && j < n) {
    ExprId a = expr_neg(pool, in->A[(size_t)i * n + j]);
    return i == j ? expr_add(pool, s, a) : a;
  }
  if (i < n) return j == n ? in->B[i] : pool->zero;
  return j < n ? expr_neg(pool, in->C[j]) : j == n ? in->D : pool->one;
}

// The first k rows and columns.
static Poly *leading_minor(Normal *n, Poly *const *rows, uint32_t width, uint32_t k) {
  Poly **a = arena_array(n->arena, (size_t)k * k + 1, sizeof *a);
  if (!a) return NULL;
  for (uint32_t i = 0; i < k; i++) {
    for (uint32_t j = 0; j < k; j++) a[i * k + j] = rows[(size_t)i * width + j];
  }
  return normal_determinant(n, a, k);
}

static uint32_t generator_of(const Normal *n, ExprId id) {
  for (uint32_t i = 0; i < n->gens.count; i++) {
    if (n->gens.items[i].expr == id) return i;
  }
  return UINT32_MAX;
}

// The coefficients of powers of s, each for reading.
static ExprId *coefficients(Normal *n, Arena *arena, const Poly *p, ExprId s, uint32_t *degree) {
  uint32_t g = generator_of(n, s), top = g == UINT32_MAX ? 0 : n->api->degree(n->ring, p, g);
  if (n->api->length(n->ring, p) == 0) top = 0;
  ExprId *out = arena_array(arena, (size_t)top + 1, sizeof *out);
  Poly **part = arena_array(arena, (size_t)top + 1, sizeof *part);
  if (!out || !part) return NULL;
  for (uint32_t k = 0; k <= top; k++) {
    if (!(part[k] = n->api->poly_new(n->ring))) return NULL;
  }
  Poly *term = n->api->poly_new(n->ring), *factor = n->api->poly_new(n->ring);
  if (!term || !factor) return NULL;
  for (size_t i = 0; i < n->api->length(n->ring, p); i++) {
    char *text = n->api->term(n->ring, p, i, n->exps);
    bool ok = text && n->api->set_number(n->ring, term, text);
    n->api->text_free(text);
    if (!ok) return NULL;
    uint32_t power = g == UINT32_MAX ? 0 : (uint32_t)n->exps[g];
    for (uint32_t k = 0; k < n->gens.count; k++) {
      if (!n->exps[k] || k == g) continue;
      n->api->set_generator(n->ring, factor, k, (uint32_t)n->exps[k]);
      n->api->mul(n->ring, term, term, factor);
    }
    n->api->add(n->ring, part[power], part[power], term);
  }
  for (uint32_t k = 0; k <= top; k++) {
    out[k] = poly_reading(n, part[k]);
    if (!out[k]) return NULL;
  }
  *degree = top;
  return out;
}

// Without common factors, and with a denominator that starts with a plus.
static bool reduce(Normal *n, Arena *arena, Poly *num, Poly *den, ExprId s, Transfer *out) {
  uint32_t at = n->factors.count;
  if (n->api->length(n->ring, num) != 0) {
    vec_push(n->arena, &n->factors, den);
    Frac f = {num, &(DenFactor){at, 1}, 1};
    if (!frac_cancel(n, f, &num, &den)) return false;
  }
  out->num = coefficients(n, arena, num, s, &out->num_degree);
  out->den = coefficients(n, arena, den, s, &out->den_degree);
  return out->num && out->den;
}

static void make_positive(ExprPool *pool, Transfer *out) {
  ExprId top = out->den[out->den_degree];
  Rat c = expr_coef(pool, expr_op(pool, top) == op_add ? expr_term(pool, top, 0).term : top);
  if (expr_op(pool, top) == op_add) c = expr_term(pool, top, 0).coef;
  Rat r;
  if (expr_number(pool, top, &r)) c = r;
  if (rat_sign(c) >= 0) return;
  for (uint32_t i = 0; i <= out->num_degree; i++) out->num[i] = expr_neg(pool, out->num[i]);
  for (uint32_t i = 0; i <= out->den_degree; i++) out->den[i] = expr_neg(pool, out->den[i]);
}

bool transfer_find(ExprPool *pool, Arena *arena, const TransferIn *in, Transfer *out) {
  uint32_t n = in->n, rows = n + 1, width = n + 2;
  *out = (Transfer){.s = pool_symbol(pool, "s", sym_bound, UINT32_MAX, 0)};
  if (!out->s) return false;
  if (n > transfer_most) {
    out->why = arena_printf(arena, "in symbols for up to %d states, and there are %u", transfer_most, n);
    return out->why != NULL;
  }
  ExprId s = expr_sym(pool, out->s), *roots = arena_array(arena, (size_t)rows * width + 1, sizeof *roots);
  Frac *f = arena_array(arena, (size_t)rows * width, sizeof *f);
  Poly **entries = arena_array(arena, (size_t)rows * width, sizeof *entries);
  if (!roots || !f || !entries) return false;
  for (uint32_t i = 0; i < rows; i++) {
    for (uint32_t j = 0; j < width; j++) {
      roots[(size_t)i * width + j] = entry(pool, in, i, j, s);
      if (!roots[(size_t)i * width + j]) return false;
    }
  }
  Normal normal = {0}, *ring = &normal;
  bool ok = normal_open(ring, pool, arena, roots, rows * width) && fracs_of(ring, roots, rows * width, f);
  for (uint32_t i = 0; ok && i < rows; i++)
    ok = normal_clear(ring, f + (size_t)i * width, width, entries + (size_t)i * width);
  Poly *num = ok ? leading_minor(ring, entries, width, rows) : NULL, *den = NULL;
  if (num) den = n ? leading_minor(ring, entries, width, n) : NULL;
  if (num && n) den = den ? normal_mul(ring, den, entries[(size_t)n * width + n + 1]) : NULL;
  else if (num) den = entries[(size_t)n * width + n + 1];
  ok = num && den && reduce(ring, arena, num, den, s, out);
  if (!ok) out->why = ring->why ? ring->why : "the symbols grow too large";
  normal_close(ring);
  if (!ok) return !arena_failed(arena);
  make_positive(pool, out);
  out->cancelled = n - out->den_degree;
  return !arena_failed(arena);
}

bool transfer_derivatives(ExprPool *pool, Arena *arena, const char *name, uint32_t degree, ExprId *out) {
  const char *primed = name;
  for (uint32_t k = 0; k <= degree; k++) {
    SymbolId symbol = primed ? pool_symbol(pool, primed, sym_unknown, UINT32_MAX - k, k) : 0;
    if (!symbol) return false;
    out[k] = expr_sym(pool, symbol);
    primed = arena_printf(arena, "%s'", primed);
  }
  return true;
}

// M a = -h by Cramer's rule in the ring: every minor reduced modulo s^2 + c^2 = 1, one gcd at the end (by the helper
// program, for printing only). Dividing on the way would lose common factors for good.
#include "algebra/solved.h"

#include "algebra/statements.h"
#include "algebra/style.h"
#include "expr/calculus.h"

#include <string.h>

bool solved_rows(Normal *n, const ExprId *roots, uint32_t k, Poly **rows) {
  uint32_t width = k + 1;
  Frac *f = arena_array(n->arena, (size_t)k * width, sizeof *f);
  if (!f || !fracs_of(n, roots, k * width, f)) return false;
  for (uint32_t i = 0; i < k; i++) {
    if (!normal_clear(n, f + (size_t)i * width, width, rows + (size_t)i * width)) return false;
  }
  return true;
}

// The determinant of k columns of the rows; `instead` takes the place of column `place`.
static Poly *minor_of(Normal *n, Poly *const *rows, uint32_t k, uint32_t place, uint32_t instead) {
  Poly **a = arena_array(n->arena, (size_t)k * k, sizeof *a);
  if (!a) return NULL;
  for (uint32_t i = 0; i < k; i++) {
    for (uint32_t j = 0; j < k; j++) a[i * k + j] = rows[i * (k + 1) + (j == place ? instead : j)];
  }
  return normal_determinant(n, a, k);
}

ExprId solved_fraction(Normal *n, Poly *num, Poly *den, const DeriveStyle *style, const char **note) {
  ExprPool *pool = n->pool;
  // the denominator goes in as a factor of its own
  uint32_t at = n->factors.count;
  if (n->api->length(n->ring, num) == 0) return pool->zero;
  // one term over one term cancels by itself
  if (n->api->length(n->ring, num) == 1 && n->api->length(n->ring, den) == 1)
    return expr_div(pool, poly_expr(n, num), poly_expr(n, den));
  vec_push(n->arena, &n->factors, den);
  Frac f = {num, &(DenFactor){at, 1}, 1};
  if (!frac_cancel(n, f, &num, &den)) {
    *note = arena_printf(n->arena, "common factors are not cancelled: %s", n->why ? n->why : "memory is out");
    n->why = NULL;
    num = f.num;
    den = n->factors.items[at];
  }
  ExprId above = style->factor ? poly_factored(n, num) : style->expand ? poly_expr(n, poly_shorter(n, num)) : 0;
  if (!above) above = poly_reading(n, num);
  ExprId below = style->expand ? poly_expr(n, poly_shorter(n, den)) : poly_factored(n, den);
  if (!below) below = poly_reading(n, den);
  return fraction_reading(pool, expr_div(pool, above, below));
}

// matrix * out + rhs = 0
bool solve_linear(System *s, const ExprId *matrix, const ExprId *rhs, uint32_t k, const DeriveStyle *style, ExprId *out,
                  const char **note) {
  ExprPool *pool = s->pool;
  uint32_t width = k + 1;
  ExprId *roots = arena_array(s->arena, (size_t)k * width, sizeof *roots);
  Poly **rows = arena_array(s->arena, (size_t)k * width, sizeof *rows);
  if (!roots || !rows) return false;
  for (uint32_t i = 0; i < k; i++) {
    for (uint32_t j = 0; j < k; j++) roots[i * width + j] = matrix[i * k + j];
    roots[i * width + k] = expr_neg(pool, rhs[i]);
  }
  Normal normal = {0}, *ring = &normal;
  for (uint32_t j = 0; j < k; j++) out[j] = 0;
  Poly *det = NULL;
  if (normal_open(ring, pool, s->arena, roots, k * width) && solved_rows(ring, roots, k, rows))
    det = minor_of(ring, rows, k, k, k);
  if (det && ring->api->length(ring->ring, det) == 0) {
    *note = "the mass matrix is singular: the accelerations are not determined";
    det = NULL;
  }
  Poly **num = arena_array(s->arena, k, sizeof *num);
  for (uint32_t j = 0; j < k && det; j++) {
    if (!num || !(num[j] = minor_of(ring, rows, k, j, k))) det = NULL;
  }
  if (det) normal_quotients(ring, num, k, det);
  for (uint32_t j = 0; j < k && det; j++) {
    out[j] = solved_fraction(ring, num[j], det, style, note);
    if (!out[j]) det = NULL;
  }
  if (!det && !*note) *note = ring->why ? ring->why : "memory is out";
  normal_close(ring);
  return !arena_failed(s->arena);
}

bool solve_block(System *s, const uint32_t *coords, uint32_t k, const DeriveStyle *style, ExprId *out,
                 const char **note) {
  ExprId *matrix = arena_array(s->arena, (size_t)k * k, sizeof *matrix), *rhs = arena_array(s->arena, k, sizeof *rhs);
  if (!matrix || !rhs) return false;
  for (uint32_t i = 0; i < k; i++) {
    for (uint32_t j = 0; j < k; j++) matrix[i * k + j] = system_mass(s, coords[i], coords[j]);
    rhs[i] = s->h[coords[i]];
  }
  return solve_linear(s, matrix, rhs, k, style, out, note);
}

static bool put(System *s, Derivation *out, ShownEquation e) { return vec_push(s->arena, &out->equations, e); }

static void matrix_form(System *s, Derivation *out) {
  uint32_t n = s->coord_count;
  ShownMatrix M = {"M", "mass matrix", n, n, arena_array(s->arena, (size_t)n * n, sizeof(ExprId))};
  ShownMatrix f = {"f", "right-hand side", n, 1, arena_array(s->arena, n, sizeof(ExprId))};
  if (!M.items || !f.items) return;
  for (uint32_t i = 0; i < n * n; i++)
    M.items[i] = expr_group(s->pool, expr_expand(s->pool, system_mass(s, i / n, i % n), 20000));
  for (uint32_t i = 0; i < n; i++)
    f.items[i] = expr_group(s->pool, expr_expand(s->pool, expr_neg(s->pool, s->h[i]), 20000));
  vec_push(s->arena, &out->matrices, M);
  vec_push(s->arena, &out->matrices, f);
  out->sum = "M*q'' = f";
}

bool derive_solved(System *s, const DeriveStyle *style, Derivation *out) {
  bool whole = false;
  const char *note = NULL;
  for (uint32_t b = 0; b < s->blocks.count; b++) {
    const Block *block = &s->blocks.items[b];
    ExprId solved[most_solved] = {0};
    // implicit equations stay as they are; those of the model follow below
    for (uint32_t i = 0; block->implicit && block->coords && i < block->count; i++) {
      const ModelCoord *c = &s->coords.items[block->coords[i]];
      ExprId lhs = expr_group(s->pool, expr_expand(s->pool, block->rhs[i], 20000));
      put(s, out, (ShownEquation){.of = c->name, .lhs = lhs, .rhs = s->pool->zero, .span = c->span, .symbol = c->q});
    }
    if (block->implicit) continue;
    if (block->count > most_solved) {
      double products = 1; // of a determinant
      for (uint32_t k = 2; k <= block->count; k++) products *= k;
      note = arena_printf(s->arena,
                          "%u accelerations hang together: solved for, each would be a quotient of two sums of up to "
                          "%.3g products of %u entries, so the matrix form is shown",
                          block->count, products, block->count);
      whole = true;
      continue;
    }
    const char *failed = NULL;
    if (!solve_linear(s, block->matrix, block->rhs, block->count, style, solved, &failed)) return false;
    if (!solved[0]) whole = true;
    for (uint32_t i = 0; i < block->count && solved[0]; i++) {
      const ModelCoord *c = &s->coords.items[block->coords[i]];
      const Speed *speed = &s->speeds[block->coords[i]];
      bool combined = !block->velocities && speed->rate != c->a; // the rate of a combination of velocities
      ShownEquation e = {.of = c->name,
                         .lhs = expr_sym(s->pool, block->unknowns[i]),
                         .rhs = solved[i],
                         .span = c->span,
                         .symbol = c->q};
      if (combined) {
        e = (ShownEquation){.rhs = solved[i], .span = c->span, .combination = speed->meaning, .symbol = speed->symbol};
        e.of = pool_symbol_get(s->pool, speed->symbol)->name;
      }
      // speeds stand in the solution: the equation itself reads better
      ExprId along = s->along[block->coords[i]];
      if (along) {
        e = (ShownEquation){.of = c->name, .rhs = s->pool->zero, .span = c->span, .symbol = c->q};
        e.lhs = expr_group(s->pool, expr_expand(s->pool, along, 20000));
      }
      put(s, out, e);
    }
    if (failed) note = failed;
  }
  if (note) vec_push(s->arena, &out->notes, note);
  if (whole) matrix_form(s, out);
  for (uint32_t i = 0; i < s->state_count; i++) {
    const ModelState *x = &s->states.items[i];
    if (x->implicit) continue;
    ExprId f = expr_group(s->pool, expr_expand(s->pool, s->f[i], 20000));
    ShownEquation e = {
        .of = x->name, .lhs = expr_sym(s->pool, x->rate), .rhs = f, .symbol = x->x, .held = state_is_held(x)};
    e.span = x->equation.source ? x->equation : x->span;
    put(s, out, e);
  }
  for (uint32_t i = 0; i < s->implicit.count; i++) {
    const ModelEquation *e = &s->implicit.items[i];
    const char *of = e->own ? pool_symbol_get(s->pool, e->own)->name : "";
    put(s, out, (ShownEquation){.of = of, .lhs = e->left, .rhs = e->right, .span = e->span, .symbol = e->own});
  }
  return !arena_failed(s->arena);
}

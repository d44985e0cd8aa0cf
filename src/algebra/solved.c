// Accelerations solved for: M a = -h by Cramer's rule in the ring of the normal form.
//
// in    k equations, matrix * unknowns + rhs = 0, k at most 4
// out   unknown_j = minor_j / det for reading: common factors cancelled, the denominator in factors
// how   each row is brought over one denominator; every minor is reduced modulo s^2 + c^2 = 1, one gcd at the end (by
//       the helper program, for printing only). Dividing on the way would lose common factors for good.
//
// solved_derive shows a model so: one block of M after the other; where one has more than 4 accelerations or no answer,
// the matrices M and f are shown as well.
#include "algebra/solved.h"

#include "algebra/bound.h"
#include "algebra/constrained.h"
#include "algebra/statements.h"
#include "algebra/style.h"
#include "expr/calculus.h"

#include <string.h>

// Rows of the matrix and -rhs as polynomials, each row over its own denominator.
static bool polynomial_rows(Normal *n, const ExprId *roots, uint32_t k, Poly **rows) {
  uint32_t width = k + 1;
  Frac *f = arena_array(n->arena, (size_t)k * width, sizeof *f);
  if (!f || !fracs_of(n, roots, k * width, f)) return false;
  for (uint32_t i = 0; i < k; i++) {
    if (!normal_clear(n, f + (size_t)i * width, width, rows + (size_t)i * width)) return false;
  }
  return true;
}

// The determinant of k columns of the rows; column `instead` replaces column `place`.
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
    *note = arena_printf(n->arena, "common factors are not cancelled: %s", n->why ? n->why : "out of memory");
    n->why = NULL;
    num = f.num;
    den = n->factors.items[at];
  }
  ExprId above = style->factor ? poly_factored(n, num) : style->expand ? poly_expr(n, poly_shorter(n, num)) : 0;
  if (!above) above = poly_reading(n, num);
  ExprId below = style->expand ? poly_expr(n, poly_shorter(n, den)) : poly_factored(n, den);
  if (!below) below = poly_reading(n, den);
  return style_fraction(pool, expr_div(pool, above, below));
}

// matrix * out + rhs = 0
bool solved_linear(System *s, const ExprId *matrix, const ExprId *rhs, uint32_t k, const DeriveStyle *style,
                   ExprId *out, const char **note) {
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
  if (normal_open(ring, pool, s->arena, roots, k * width) && polynomial_rows(ring, roots, k, rows))
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
  if (!det && !*note) *note = ring->why ? ring->why : "out of memory";
  normal_close(ring);
  return !arena_failed(s->arena);
}

bool solved_block(System *s, const uint32_t *coords, uint32_t k, const DeriveStyle *style, ExprId *out,
                  const char **note) {
  ExprId *matrix = arena_array(s->arena, (size_t)k * k, sizeof *matrix), *rhs = arena_array(s->arena, k, sizeof *rhs);
  if (!matrix || !rhs) return false;
  for (uint32_t i = 0; i < k; i++) {
    for (uint32_t j = 0; j < k; j++) matrix[i * k + j] = system_mass(s, coords[i], coords[j]);
    rhs[i] = s->h[coords[i]];
  }
  return solved_linear(s, matrix, rhs, k, style, out, note);
}

// ---- the form `solved` of derive

static bool put(System *s, Derivation *out, ShownEquation e) { return vec_push(s->arena, &out->equations, e); }
static ExprId tidy(System *s, ExprId id) { return expr_group(s->pool, expr_expand(s->pool, id, derive_most_terms)); }

static void put_matrices(System *s, Derivation *out) {
  uint32_t n = s->coord_count;
  ShownMatrix M = {.name = "M",
                   .meaning = "mass matrix",
                   .rows = n,
                   .cols = n,
                   .items = arena_array(s->arena, (size_t)n * n, sizeof(ExprId))};
  ShownMatrix f = {.name = "f",
                   .meaning = "right-hand side",
                   .rows = n,
                   .cols = 1,
                   .items = arena_array(s->arena, n, sizeof(ExprId))};
  if (!M.items || !f.items) return;
  for (uint32_t i = 0; i < n * n; i++) M.items[i] = tidy(s, system_mass(s, i / n, i % n));
  for (uint32_t i = 0; i < n; i++) f.items[i] = tidy(s, expr_neg(s->pool, s->h[i]));
  vec_push(s->arena, &out->matrices, M);
  vec_push(s->arena, &out->matrices, f);
  const char *G = out->jacobian.name;
  out->sum = G ? arena_printf(s->arena, "M*q'' = f + transpose(%s)*lambda, %s*q'' + c = 0", G, G) : "M*q'' = f";
  if (G) vec_push(s->arena, &out->matrices, bound_curvature(s, "c"));
}

static const char *too_many(System *s, uint32_t count) {
  double products = 1; // of a determinant
  for (uint32_t k = 2; k <= count; k++) products *= k;
  return arena_printf(s->arena,
                      "%u %s are coupled: solved for, each would be a quotient of two sums of up to "
                      "%.3g products of %u entries, so the matrix form is shown",
                      count, s->constraints.count ? "accelerations and multipliers" : "accelerations", products, count);
}

// The equation of a coordinate whose unknown in the block is `solved`.
static ShownEquation solved_equation(System *s, const Block *block, uint32_t i, ExprId solved) {
  if (i >= block_coords(block)) {
    SymbolId own = block->unknowns[i];
    return (ShownEquation){.of = pool_symbol_get(s->pool, own)->name,
                           .lhs = expr_sym(s->pool, own),
                           .rhs = solved,
                           .span = s->constraints.items[pool_symbol_get(s->pool, own)->index].span,
                           .symbol = own};
  }
  const SystemCoord *c = &s->coords.items[block->coords[i]];
  const Speed *speed = &s->speeds[block->coords[i]];
  ExprId null_row = s->null_row[block->coords[i]];
  ShownEquation e = {.of = c->name, .rhs = solved, .span = c->span, .symbol = c->q};
  if (null_row) {
    // speeds stand in the solution: the equation itself reads better
    e.lhs = tidy(s, null_row);
    e.rhs = s->pool->zero;
  } else if (!block->velocities && speed->rate != c->a) {
    // the rate of a combination of velocities
    e.of = pool_symbol_get(s->pool, speed->symbol)->name;
    e.combination = speed->meaning;
    e.symbol = speed->symbol;
  } else {
    e.lhs = expr_sym(s->pool, block->unknowns[i]);
  }
  return e;
}

// Implicit equations stay as they are; those of the model follow behind the blocks.
static void put_implicit(System *s, const Block *block, Derivation *out) {
  for (uint32_t i = 0; i < block_coords(block); i++) {
    const SystemCoord *c = &s->coords.items[block->coords[i]];
    put(s, out,
        (ShownEquation){
            .of = c->name, .lhs = tidy(s, block->rhs[i]), .rhs = s->pool->zero, .span = c->span, .symbol = c->q});
  }
}

static void put_states(System *s, Derivation *out) {
  for (uint32_t i = 0; i < s->state_count; i++) {
    const SystemState *x = &s->states.items[i];
    if (x->implicit) continue;
    ShownEquation e = {.of = x->name, .symbol = x->x, .held = statements_state_is_held(x)};
    e.rhs = tidy(s, s->f[i]);
    e.lhs = expr_sym(s->pool, x->rate);
    e.span = x->equation.source ? x->equation : x->span;
    put(s, out, e);
  }
  for (uint32_t i = 0; i < s->implicit.count; i++) {
    const SystemEquation *e = &s->implicit.items[i];
    const char *of = e->unknown ? pool_symbol_get(s->pool, e->unknown)->name : "";
    put(s, out, (ShownEquation){.of = of, .lhs = e->left, .rhs = e->right, .span = e->span, .symbol = e->unknown});
    for (uint32_t k = e->joined ? 0 : 1; e->times && k <= e->times; k++)
      put(s, out, (ShownEquation){.of = "", .lhs = tidy(s, e->levels[k]), .rhs = s->pool->zero, .span = e->span});
  }
}

static const char words_redundant[] = "the constraints are redundant: their multipliers are not unique";

static bool redundant(System *s) {
  ConstraintSet set;
  return constrained_find(s, 0, &set) && !set.why && !set.unsolved && set.count < s->constraints.count;
}

bool solved_derive(System *s, const DeriveStyle *style, Derivation *out) {
  bool matrices = false; // some block is not solved for
  const char *note = NULL;
  for (uint32_t b = 0; b < s->blocks.count; b++) {
    const Block *block = &s->blocks.items[b];
    ExprId solved[most_solved] = {0};
    const char *failed = NULL;
    if (block->implicit) {
      put_implicit(s, block, out);
      continue;
    }
    if (block->count > most_solved) {
      note = too_many(s, block->count);
      matrices = true;
      continue;
    }
    const ExprId *m = block_dense(s->arena, s->pool, block);
    if (!m || !solved_linear(s, m, block->rhs, block->count, style, solved, &failed)) return false;
    if (!solved[0]) matrices = true;
    for (uint32_t i = 0; i < block->count && solved[0]; i++) put(s, out, solved_equation(s, block, i, solved[i]));
    if (failed) note = !solved[0] && block->multipliers && redundant(s) ? words_redundant : failed;
  }
  if (note) vec_push(s->arena, &out->notes, note);
  if (matrices) put_matrices(s, out);
  put_states(s, out);
  return !arena_failed(s->arena);
}

// From polynomials back to expressions.
//
// in    a polynomial in the generators of a ring, or a fraction of such
// out   sum over its terms of number * product of gen^exponent; a fraction with its factors below
//
// poly_shorter chooses for each angle between c^2 = 1 - s^2 and s^2 = 1 - c^2 by the number of terms.
#include "expr/generators.h"

#include <string.h>

Rat ring_number(Arena *arena, const char *text) {
  bool negative = *text == '-';
  text += negative;
  const char *slash = strchr(text, '/');
  Rat top = rat_parse(arena, text, slash ? (size_t)(slash - text) : strlen(text));
  Rat value = slash ? rat_div(arena, top, rat_parse(arena, slash + 1, strlen(slash + 1))) : top;
  return negative ? rat_neg(arena, value) : value;
}

ExprId poly_expr(Normal *n, const Poly *p) {
  ExprPool *pool = n->pool;
  size_t terms = n->api->length(n->ring, p);
  Term *t = arena_array(n->arena, terms, sizeof *t);
  Factor *f = arena_array(n->arena, n->gens.count, sizeof *f);
  if (!t || !f || terms > UINT32_MAX / 2) return 0;
  for (size_t i = 0; i < terms; i++) {
    char *text = n->api->term(n->ring, p, i, n->exps);
    uint32_t count = 0;
    for (uint32_t g = 0; g < n->gens.count; g++) {
      if (n->exps[g]) f[count++] = (Factor){n->gens.items[g].expr, expr_int(pool, (int64_t)n->exps[g])};
    }
    t[i] = (Term){ring_number(pool->arena, text), expr_product(pool, RAT_ONE, f, count)};
    n->api->text_free(text);
    if (!rat_valid(t[i].coef) || !t[i].term) return 0;
  }
  return expr_sum(pool, t, (uint32_t)terms);
}

ExprId frac_expr(Normal *n, Frac f) {
  ExprPool *pool = n->pool;
  Factor *out = arena_array(n->arena, (size_t)f.den_count + 1, sizeof *out);
  if (!out || !f.num) return 0;
  out[0] = (Factor){poly_expr(n, f.num), pool->one};
  for (uint32_t i = 0; i < f.den_count; i++)
    out[i + 1] = (Factor){poly_expr(n, n->factors.items[f.den[i].factor]), expr_int(pool, -(int64_t)f.den[i].power)};
  return expr_product(pool, RAT_ONE, out, f.den_count + 1);
}

Poly *poly_shorter(Normal *n, const Poly *p) {
  Poly *best = n->api->poly_new(n->ring), *trial = n->api->poly_new(n->ring);
  Poly *value = n->api->poly_new(n->ring), *one = n->api->poly_new(n->ring);
  if (!best || !trial || !value || !one || !p) return NULL;
  n->api->set(n->ring, best, p);
  n->api->set_number(n->ring, one, "1");
  for (uint32_t g = 0; g < n->gens.count; g++) {
    if (n->gens.items[g].kind != gen_cos || n->api->degree(n->ring, best, g) < 2) continue;
    // c^2 = 1 - s^2
    n->api->set_generator(n->ring, value, n->gens.items[g].partner, 2);
    n->api->sub(n->ring, value, one, value);
    n->api->set(n->ring, trial, best);
    n->api->reduce(n->ring, trial, g, 2, value);
    if (n->api->length(n->ring, trial) < n->api->length(n->ring, best)) n->api->set(n->ring, best, trial);
  }
  n->api->poly_free(n->ring, trial);
  return best;
}

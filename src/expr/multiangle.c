// Trigonometric reduction: powers and products of sines and cosines as sines and cosines of sums of angles.
//
//   c = (z + 1/z)/2,  s = -i (z - 1/z)/2  with z = exp(i angle);  a product of them is (-i)^(number of sines) times a
//   sum of powers of the z, so its real part is a sum of cosines (an even number of sines) or of sines (an odd one).
#include "expr/generators.h"

#include "expr/calculus.h"

#include <string.h>

enum { most_degree = 10, most_waves = 20000, most_terms = 20000 };

typedef struct Wave {
  Rat coef;
  int64_t *k; // multiples of the angles, one an angle
} Wave;
typedef VEC(Wave) Waves;

static bool split_wave(Normal *n, Waves *waves, uint32_t angle, bool sine) {
  uint32_t count = waves->count;
  Rat half = {1, 2, NULL};
  for (uint32_t i = 0; i < count; i++) {
    Wave *w = &waves->items[i];
    w->coef = rat_mul(n->arena, w->coef, half);
    Wave other = {sine ? rat_neg(n->arena, w->coef) : w->coef, arena_array(n->arena, n->angles.count, sizeof(int64_t))};
    if (!other.k) return false;
    memcpy(other.k, w->k, n->angles.count * sizeof(int64_t));
    w->k[angle]++;
    other.k[angle]--;
    if (!vec_push(n->arena, waves, other)) return false;
  }
  return true;
}

// One term of the polynomial: its exponents are in exps.
static bool put_term(Normal *n, Rat coef, const uint64_t *exps, void *out_terms) {
  VEC(Term) *out = out_terms;
  ExprPool *pool = n->pool;
  Factor *f = arena_array(n->arena, (size_t)n->gens.count + 1, sizeof *f);
  Waves waves = {0};
  int64_t *none = arena_array(n->arena, n->angles.count, sizeof *none);
  if (!f || !none || !vec_push(n->arena, &waves, (Wave){coef, none})) return false;
  uint32_t count = 0;
  uint64_t sines = 0, degree = 0;
  for (uint32_t g = 0; g < n->gens.count; g++) {
    const Gen *gen = &n->gens.items[g];
    if (!exps[g]) continue;
    if (gen->kind != gen_cos && gen->kind != gen_sin) {
      f[count++] = (Factor){gen->expr, expr_int(pool, (int64_t)exps[g])};
      continue;
    }
    uint32_t angle = 0;
    while (n->angles.items[angle].gen != (gen->kind == gen_cos ? g : g - 1)) angle++;
    degree += exps[g];
    if (degree > most_degree) return false;
    if (gen->kind == gen_sin) sines += exps[g];
    for (uint64_t i = 0; i < exps[g]; i++) {
      if (!split_wave(n, &waves, angle, gen->kind == gen_sin)) return false;
    }
  }
  bool minus = (sines / 2) % 2 != 0;
  for (uint32_t i = 0; i < waves.count; i++) {
    ExprId angle = pool->zero;
    for (uint32_t a = 0; a < n->angles.count; a++) {
      ExprId part = pool_args(pool, n->gens.items[n->angles.items[a].gen].expr)[0];
      angle = expr_add(pool, angle, expr_scale(pool, rat_int(waves.items[i].k[a]), part));
    }
    f[count] = (Factor){expr_fn(pool, sines % 2 ? op_sin : op_cos, &angle, 1), pool->one};
    Rat c = minus ? rat_neg(n->arena, waves.items[i].coef) : waves.items[i].coef;
    if (out->count >= most_waves || !vec_push(n->arena, out, (Term){c, expr_product(pool, RAT_ONE, f, count + 1)}))
      return false;
  }
  return true;
}

ExprId poly_multiangle(Normal *n, const Poly *p) {
  VEC(Term) terms = {0};
  for (size_t i = 0; i < n->api->length(n->ring, p); i++) {
    char *text = n->api->term(n->ring, p, i, n->exps);
    Rat coef = ring_number(n->pool->arena, text);
    n->api->text_free(text);
    if (!put_term(n, coef, n->exps, &terms)) return 0;
  }
  return expr_sum(n->pool, terms.items, terms.count);
}

ExprId poly_reading(Normal *n, const Poly *p) {
  ExprPool *pool = n->pool;
  Poly *shorter = poly_shorter(n, p);
  ExprId products = shorter ? expr_group(pool, expr_expand(pool, poly_expr(n, shorter), most_terms)) : 0;
  if (!products || n->angles.count == 0) return products;
  ExprId sums = poly_multiangle(n, p);
  if (sums) sums = expr_group(pool, sums);
  return sums && expr_term_count(pool, sums) < expr_term_count(pool, products) ? sums : products;
}

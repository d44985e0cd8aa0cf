// Sums in unit quaternions of spherical joints, reduced. See unit_quaternions.h.
#include "algebra/unit_quaternions.h"

#include "expr/calculus.h"

// Of a multiplied out sum: r.w^2 as 1 - r.x^2 - r.y^2 - r.z^2, once. *again: there was one.
static ExprId reduce_once(System *s, ExprId id, bool *again) {
  ExprPool *pool = s->pool;
  uint32_t count = expr_term_count(pool, id);
  Term *terms = arena_array(s->arena, (size_t)count + 1, sizeof *terms);
  for (uint32_t i = 0; terms && i < count; i++) {
    terms[i] = expr_term(pool, id, i);
    for (uint32_t k = 0; k < s->tree.balls.count; k++) {
      const SystemState *r = &s->states.items[s->tree.balls.items[k].first];
      uint32_t factors = expr_factor_count(pool, terms[i].term);
      Rat e;
      int64_t power = 0;
      for (uint32_t j = 0; j < factors; j++) {
        Factor f = expr_factor(pool, terms[i].term, j);
        if (f.base == expr_sym(pool, r->x) && expr_number(pool, f.exponent, &e) && rat_to_int(e, &power)) break;
        power = 0;
      }
      if (power < 2) continue;
      ExprId rest = pool->one;
      for (int j = 1; j < 4; j++) rest = expr_sub(pool, rest, expr_powi(pool, expr_sym(pool, r[j].x), 2));
      ExprId others = expr_div(pool, terms[i].term, expr_powi(pool, expr_sym(pool, r->x), 2));
      terms[i].term = expr_mul(pool, others, rest);
      *again = true;
      break;
    }
  }
  return terms ? expr_sum(pool, terms, count) : 0;
}

ExprId unit_quaternions(System *s, ExprId id, uint32_t most) {
  enum { rounds = 40 };
  ExprId out = expr_expand(s->pool, id, most);
  bool again = s->tree.balls.count != 0;
  for (int i = 0; again && out && i < rounds; i++) {
    again = false;
    out = expr_expand(s->pool, reduce_once(s, out, &again), most);
  }
  return out;
}

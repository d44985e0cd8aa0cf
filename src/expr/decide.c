// Equivalence of expressions: a decision procedure by normal form and counterexample.
//
// in    left, right, and parts that must have a value
// out   equal: left - right is zero in the normal form, which is a proof, and all parts have a value somewhere;
//       different: a point where both have values that differ, exactly or as balls that do not meet; or undecided
//
// A few points come first, since most wrong equations differ at the first one; then the proof; then more points, with
// balls of 1024 bits in the place of 128.
#include "expr/decide.h"

#include "expr/calculus.h"
#include "expr/modular.h"
#include "expr/normal.h"

#include <math.h>
#include <string.h>

enum {
  points_before_proof = 2,
  most_points = 20,
  most_terms = 20000,
  most_terms_at_first = 500,
  most_terms_to_cancel = 2500
};

const char *verdict_name(Verdict v) {
  static const char *const names[] = {"equal", "different", "undecided"};
  return names[v];
}

// Most of what is asked is polynomial in symbols, sines and cosines, and collapses when it is multiplied out here: a
// proof for which FLINT need not be loaded.
static bool collapses(ExprPool *pool, ExprId id) {
  if (!expr_is_polynomial(pool, id)) return false;
  ExprId sum = expr_expand(pool, id, most_terms_at_first);
  return sum && expr_is_zero(pool, sum);
}

Decision decide_zero(ExprPool *pool, Arena *arena, ExprId id) {
  Decision d = {.verdict = verdict_undecided};
  if (id && collapses(pool, id)) return (Decision){.verdict = verdict_equal};
  Normal n = {0};
  Arena *work = id ? arena_new_scratch(arena) : NULL; // lists as long as the pool: one question must not keep them
  if (!work) {
    d.reason = "out of memory";
    return d;
  }
  Frac f = {0};
  if (normal_open(&n, pool, work, &id, 1)) f = frac_of(&n, id);
  if (frac_is_zero(&n, f)) d.verdict = verdict_equal;
  else if (f.num) d.reason = "the normal form is not zero";
  else if (n.why) d.reason = arena_strndup(arena, n.why, strlen(n.why));
  d.divides_by_zero = n.divides_by_zero;
  normal_close(&n);
  arena_free_scratch(work);
  return d;
}

bool expr_vanishes(ExprPool *pool, Arena *arena, ExprId id) {
  enum { points = 2, tries = 8 };
  if (!id || expr_is_zero(pool, id)) return id != 0;
  // cheap first: what is zero is zero modulo a prime, unless functions hide a relation that the proof knows
  uint64_t value;
  int seen = 0;
  for (uint64_t seed = 3; seed < 3 + tries && seen < points; seed++) {
    if (!expr_eval_mod(pool, &id, 1, seed, &value)) continue;
    if (value != 0 && expr_is_rational(pool, id)) return false;
    seen++;
  }
  return decide_zero(pool, arena, id).verdict == verdict_equal;
}

static const char *part_of_angle(Point *p, const PointSymbol *s, const char *function) {
  const char *name = pool_symbol_get(p->pool, s->symbol)->name;
  return s->den == 1 ? arena_printf(p->arena, "%s(%s)", function, name)
                     : arena_printf(p->arena, "%s(%s/%lld)", function, name, (long long)s->den);
}

void witness_take(Witness *w, Point *p, Num left, Num right) {
  *w = (Witness){.exact = p->exact};
  for (uint32_t i = 0; i < p->symbols.count; i++) {
    const PointSymbol *s = &p->symbols.items[i];
    if (pool_symbol_get(p->pool, s->symbol)->kind == sym_bound) continue;
    if (s->circle) {
      vec_push(p->arena, &w->point, (WitnessValue){part_of_angle(p, s, "cos"), num_text(p, s->cos)});
      vec_push(p->arena, &w->point, (WitnessValue){part_of_angle(p, s, "sin"), num_text(p, s->sin)});
    } else {
      vec_push(p->arena, &w->point,
               (WitnessValue){pool_symbol_get(p->pool, s->symbol)->name, s->text ? s->text : num_text(p, s->value)});
    }
  }
  w->left = num_text(p, left);
  w->right = num_text(p, right);
}

// One point: 1 they differ there, 0 no difference is proved there, -1 no value.
static int look_at(ExprPool *pool, Arena *arena, const ExprId *roots, uint32_t count, uint32_t attempt, bool exact,
                   Witness *w, const char **why) {
  Point p;
  Num *value = arena_array(arena, count, sizeof *value);
  int out = -1;
  if (!value) return -1;
  if (point_open(&p, pool, arena, roots, count, attempt, exact)) {
    p.bits = attempt < 6 ? 128 : 1024;
    if (point_eval(&p, roots, count, value)) {
      int sign = num_sign(&p, num_sub(&p, value[0], value[1]));
      out = sign == 1 || sign == -1;
      if (out) witness_take(w, &p, value[0], value[1]);
    }
  }
  if (p.why) *why = p.why;
  point_close(&p);
  return out;
}

bool decide_has_value(ExprPool *pool, Arena *arena, const ExprId *roots, uint32_t count, Decision *d) {
  bool may_lack = false;
  for (uint32_t i = 0; i < count; i++) may_lack = may_lack || expr_may_lack_value(pool, roots[i]);
  if (!may_lack || points_with_values(pool, arena, roots, count) != 0) return true;
  *d = (Decision){.verdict = verdict_undecided,
                  .reason = "no point was found where both sides have values, so there is nothing to compare"};
  return false;
}

Decision decide_equal(ExprPool *pool, Arena *arena, ExprId left, ExprId right) {
  return decide_equal_where(pool, arena, left, right, NULL, 0);
}

// *valued: a point was met where all of them have values
static Decision decide(ExprPool *pool, Arena *arena, const ExprId *roots, uint32_t count, bool *valued) {
  ExprId difference = expr_sub(pool, roots[0], roots[1]);
  if (difference && expr_is_zero(pool, difference)) return (Decision){.verdict = verdict_equal};
  bool exact = point_can_be_exact(pool, arena, roots, count);
  Decision d = {.verdict = verdict_undecided};
  const char *why = NULL;
  uint32_t agreed = 0, attempt = 0;
  for (int round = 0; round < 2; round++) {
    uint32_t enough = round ? most_points : points_before_proof;
    for (; attempt < most_points && agreed < enough; attempt++) {
      int answer = look_at(pool, arena, roots, count, attempt, exact, &d.witness, &why);
      if (answer == 1) {
        d.verdict = verdict_different;
        d.reason = NULL;
        return d;
      }
      agreed += answer == 0;
      *valued = *valued || answer == 0;
    }
    if (round) break;
    d = decide_zero(pool, arena, difference);
    if (d.verdict == verdict_equal) return d;
  }
  if (!agreed && why && !d.divides_by_zero)
    d.reason = arena_printf(arena, "no point was found where both sides have values: %s", why);
  else if (!d.divides_by_zero)
    d.reason = arena_printf(arena, "no difference was found at %u point%s, and no proof: %s", agreed,
                            agreed == 1 ? "" : "s", d.reason);
  return d;
}

Decision decide_equal_where(ExprPool *pool, Arena *arena, ExprId left, ExprId right, const ExprId *parts,
                            uint32_t count) {
  if (left && left == right && count == 0) return (Decision){.verdict = verdict_equal};
  ExprId *roots = arena_array(arena, (size_t)count + 2, sizeof *roots);
  if (!roots || !left || !right) return (Decision){.verdict = verdict_undecided, .reason = "out of memory"};
  roots[0] = left;
  roots[1] = right;
  for (uint32_t i = 0; i < count; i++) roots[i + 2] = parts[i];
  bool valued = false;
  Decision d = decide(pool, arena, roots, count + 2, &valued);
  if (d.verdict == verdict_equal && !valued) decide_has_value(pool, arena, roots, count + 2, &d);
  return d;
}

// ---- short forms

double expr_tree_size(ExprPool *pool, Arena *arena, ExprId id) {
  uint32_t length;
  const ExprId *list = id ? pool_reach(pool, &id, 1, NULL, NULL, &length) : NULL;
  double *size = list ? arena_array(arena, length, sizeof *size) : NULL;
  if (!size) return INFINITY;
  for (uint32_t i = 0; i < length; i++) {
    ExprOp op = expr_op(pool, list[i]);
    size[i] = 1;
    for (uint32_t k = 0; op != op_num && op != op_sym && k < pool_node(pool, list[i])->count; k++)
      size[i] += size[pool->slot[pool_args(pool, list[i])[k]]];
  }
  return size[pool->slot[id]];
}

ExprId expr_short(ExprPool *pool, Arena *arena, ExprId id) {
  ExprId plain = expr_group(pool, expr_expand(pool, id, most_terms)), best = plain, root = id;
  Normal n = {0};
  if (plain && normal_open(&n, pool, arena, &root, 1)) {
    Frac f = frac_of(&n, root);
    Poly *num = f.num, *den = NULL;
    bool whole = f.num && f.den_count == 0;
    // what has more terms would not be shown, so the helper program is not asked
    bool worth = f.num && n.api->length(n.ring, f.num) <= most_terms_to_cancel;
    bool cancelled = !whole && worth && frac_cancel(&n, f, &num, &den);
    if (whole || cancelled) {
      ExprId below = cancelled ? poly_factored(&n, poly_shorter(&n, den)) : pool->one;
      if (cancelled && !below) below = poly_expr(&n, den);
      ExprId products = poly_expr(&n, poly_shorter(&n, num)),
             above = expr_group(pool, expr_expand(pool, products, most_terms));
      ExprId other = expr_div(pool, above, below);
      if (expr_tree_size(pool, arena, other) < expr_tree_size(pool, arena, best)) best = other;
    }
  }
  normal_close(&n);
  // what would fill a book is shown as it was written
  return best && expr_tree_size(pool, arena, best) <= fmax(5000, expr_tree_size(pool, arena, id)) ? best : id;
}

// Expansion of products and powers of sums, and joining of sines and cosines where it is obvious.
//
// in    an expression
// out   a sum of products, like terms collected; then pairs of terms of the sum with coefficient c joined:
//         X sin(a)^2 + X cos(a)^2                 = X
//         X cos(a) cos(b) + X sin(a) sin(b)       = X cos(a - b)      (minus: a + b)
//         X sin(a) cos(b) - X cos(a) sin(b)       = X sin(a - b)      (plus: a + b)
#include "expr/calculus.h"
#include "expr/rebuild.h"

#include <stdlib.h>
#include <string.h>

// ---- joining

// A sum under work: terms with a hash table from term to index.
typedef struct Bag {
  ExprPool *pool;
  TermList terms;
  uint32_t *table; // index + 1
  uint32_t size;
  bool failed; // a term was lost
} Bag;

static bool bag_rehash(Bag *bag) {
  uint32_t size = 16;
  while (size < bag->terms.cap * 2) size *= 2;
  uint32_t *table = arena_array(bag->pool->scratch, size, sizeof *table);
  if (!table) return false;
  bag->table = table;
  bag->size = size;
  for (uint32_t i = 0; i < bag->terms.count; i++) {
    uint32_t at = bag->terms.items[i].term * 2654435761u & (size - 1);
    while (bag->table[at]) at = (at + 1) & (size - 1);
    bag->table[at] = i + 1;
  }
  return true;
}

static Term *bag_find(Bag *bag, ExprId term) {
  uint32_t at = term * 2654435761u & (bag->size - 1);
  for (; bag->table[at]; at = (at + 1) & (bag->size - 1)) {
    Term *t = &bag->terms.items[bag->table[at] - 1];
    if (t->term == term) return t;
  }
  return NULL;
}

static bool bag_try(Bag *bag, Rat coef, ExprId id) {
  ExprPool *pool = bag->pool;
  if (!id) return false;
  // a product's number belongs to the coefficient
  Rat inner = expr_coef(pool, id);
  if (expr_op(pool, id) == op_num) {
    coef = rat_mul(pool->arena, coef, inner);
    id = pool->one;
  } else if (expr_op(pool, id) == op_mul && !rat_is_int_value(inner, 1)) {
    coef = rat_mul(pool->arena, coef, inner);
    id = expr_scale(pool, rat_div(pool->arena, RAT_ONE, inner), id);
  }
  if (!id) return false;
  if (!rat_valid(coef)) return pool_refuse(pool, limit_number) != 0;
  Term *t = bag_find(bag, id);
  if (t) {
    t->coef = rat_add(pool->arena, t->coef, coef);
    if (!rat_valid(t->coef)) pool_refuse(pool, limit_number);
    return rat_valid(t->coef);
  }
  uint32_t cap = bag->terms.cap;
  if (!vec_push(pool->scratch, &bag->terms, (Term){coef, id})) return false;
  if (bag->terms.cap != cap || bag->terms.count * 2 > bag->size) return bag_rehash(bag);
  uint32_t at = id * 2654435761u & (bag->size - 1);
  while (bag->table[at]) at = (at + 1) & (bag->size - 1);
  bag->table[at] = bag->terms.count;
  return true;
}

static bool bag_put(Bag *bag, Rat coef, ExprId id) {
  if (!bag_try(bag, coef, id)) bag->failed = true;
  return !bag->failed;
}

static bool is_trig(const ExprPool *pool, ExprId base) {
  ExprOp op = expr_op(pool, base);
  return op == op_sin || op == op_cos;
}

// The other one of the pair: sin for cos, cos for sin, of the same angle.
static ExprId sister(ExprPool *pool, ExprId base) {
  ExprId angle = pool_args(pool, base)[0];
  return expr_fn(pool, expr_op(pool, base) == op_sin ? op_cos : op_sin, &angle, 1);
}

// term with one power of a replaced by a', and one of b by b' (a' or b' zero: removed)
static ExprId exchange(ExprPool *pool, ExprId term, ExprId a, ExprId a2, ExprId b, ExprId b2) {
  Factor f[5] = {{term, pool->one}, {a, pool->minus_one}, {b, pool->minus_one}};
  uint32_t n = 3;
  if (a2) f[n++] = (Factor){a2, pool->one};
  if (b2) f[n++] = (Factor){b2, pool->one};
  return expr_product(pool, RAT_ONE, f, n);
}

static bool whole_power(const ExprPool *pool, Factor f, int64_t *n) {
  Rat e;
  return expr_number(pool, f.exponent, &e) && rat_to_int(e, n) && *n > 0;
}

// Tries to join term i with its partner for the trig factors a and b. True when it did.
static bool join_pair(Bag *bag, uint32_t i, ExprId a, ExprId b) {
  ExprPool *pool = bag->pool;
  Term t = bag->terms.items[i];
  ExprId partner = exchange(pool, t.term, a, sister(pool, a), b, sister(pool, b));
  Term *other = partner ? bag_find(bag, partner) : NULL;
  if (!other || other == &bag->terms.items[i] || rat_is_zero(other->coef)) return false;
  bool same = rat_equal(other->coef, t.coef);
  bool opposite = rat_is_zero(rat_add(pool->arena, other->coef, t.coef));
  if (!same && !opposite) return false;
  if (a == b) { // sin^2 and cos^2
    if (!same) return false;
    ExprId rest = exchange(pool, t.term, a, 0, a, 0);
    other->coef = bag->terms.items[i].coef = RAT_ZERO;
    return bag_put(bag, t.coef, rest);
  }
  ExprId x = pool_args(pool, a)[0], y = pool_args(pool, b)[0];
  bool a_sin = expr_op(pool, a) == op_sin, b_sin = expr_op(pool, b) == op_sin;
  ExprId joined;
  Rat coef = t.coef;
  if (a_sin == b_sin) {
    // the cosine product leads: cos x cos y + s sin x sin y = cos(x - s y)
    if (a_sin && opposite) coef = rat_neg(pool->arena, coef);
    ExprId angle = same ? expr_sub(pool, x, y) : expr_add(pool, x, y);
    joined = expr_fn(pool, op_cos, &angle, 1);
  } else {
    // the product sin(x) cos(y) leads: + s cos x sin y = sin(x + s y)
    if (!a_sin) {
      ExprId swap = x;
      x = y;
      y = swap;
    }
    ExprId angle = same ? expr_add(pool, x, y) : expr_sub(pool, x, y);
    joined = expr_fn(pool, op_sin, &angle, 1);
  }
  ExprId rest = exchange(pool, t.term, a, joined, b, 0);
  other->coef = bag->terms.items[i].coef = RAT_ZERO;
  return bag_put(bag, coef, rest);
}

static bool join_term(Bag *bag, uint32_t i) {
  ExprPool *pool = bag->pool;
  ExprId term = bag->terms.items[i].term;
  ExprId trig[8];
  uint32_t n = 0, count = expr_factor_count(pool, term);
  for (uint32_t k = 0; k < count && n < 8; k++) {
    Factor f = expr_factor(pool, term, k);
    int64_t power;
    if (!is_trig(pool, f.base) || !whole_power(pool, f, &power)) continue;
    trig[n++] = f.base;
    if (power >= 2 && n < 8) trig[n++] = f.base;
  }
  for (uint32_t a = 0; a < n; a++) {
    for (uint32_t b = a + 1; b < n; b++) {
      if (join_pair(bag, i, trig[a], trig[b])) return true;
    }
  }
  return false;
}

static ExprId join_trig(ExprPool *pool, ExprId sum) {
  if (!sum || expr_op(pool, sum) != op_add) return sum;
  bool any = false;
  uint32_t count = expr_term_count(pool, sum);
  Bag bag = {.pool = pool};
  for (uint32_t i = 0; i < count; i++) {
    if (!vec_push(pool->scratch, &bag.terms, expr_term(pool, sum, i))) return 0;
  }
  if (!bag_rehash(&bag)) return 0;
  for (uint32_t i = 0; i < bag.terms.count && !bag.failed; i++) {
    if (!rat_is_zero(bag.terms.items[i].coef) && join_term(&bag, i)) any = true;
  }
  if (bag.failed) return 0;
  if (!any) return sum;
  return expr_sum(pool, bag.terms.items, bag.terms.count);
}

// ---- multiplying out

enum {
  most_rounds = 20,   // an expansion may form most_rounds times `most` products in all
  expansion_cost = 10 // a product of expressions takes as long as that many of polynomials
};

typedef struct Joined {
  ExprId sum, joined;
} Joined;

typedef struct Expansion {
  ExprPool *pool;
  VEC(Joined) bases; // sums below a fraction line or a root, and what became of them
  uint32_t most;
  uint64_t work; // products formed so far
  bool too_large;
  ExprFilter *enter; // NULL: everywhere
  const void *context;
  ExprId *value; // of the nodes so far, by index in the list
  const uint32_t *slot;
} Expansion;

// (sum a) * (sum b), every product formed
static ExprId multiply_out(Expansion *x, ExprId a, ExprId b) {
  ExprPool *pool = x->pool;
  uint32_t na = expr_term_count(pool, a), nb = expr_term_count(pool, b);
  if (na == 1 && nb == 1) return expr_mul(pool, a, b);
  x->work += (uint64_t)na * nb;
  pool->algebra += (uint64_t)na * nb * expansion_cost;
  if (pool_algebra_spent(pool) || (uint64_t)na * nb > x->most || x->work > (uint64_t)most_rounds * x->most) {
    x->too_large = true;
    return expr_mul(pool, a, b);
  }
  Term *terms = arena_array(pool->scratch, (size_t)na * nb, sizeof *terms);
  if (!terms) return 0;
  uint32_t n = 0;
  for (uint32_t i = 0; i < na; i++) {
    Term s = expr_term(pool, a, i);
    for (uint32_t j = 0; j < nb; j++) {
      Term t = expr_term(pool, b, j);
      terms[n++] = (Term){rat_mul(pool->arena, s.coef, t.coef), expr_mul(pool, s.term, t.term)};
    }
  }
  return expr_sum(pool, terms, n);
}

static ExprId multiply(Expansion *x, ExprId a, ExprId b) {
  ArenaMark mark = arena_mark(x->pool->scratch);
  ExprId id = multiply_out(x, a, b);
  arena_release(x->pool->scratch, mark);
  return id;
}

// A sum that stays a sum, below a fraction line or a root, is joined where it stands.
static ExprId join_base(Expansion *x, ExprId sum) {
  for (uint32_t i = 0; i < x->bases.count; i++) {
    if (x->bases.items[i].sum == sum) return x->bases.items[i].joined;
  }
  ExprId joined = sum;
  ArenaMark mark = arena_mark(x->pool->scratch);
  for (int round = 0; round < 4 && joined; round++) {
    ExprId next = join_trig(x->pool, joined);
    if (next == joined) break;
    joined = next;
  }
  arena_release(x->pool->scratch, mark);
  if (joined) vec_push(x->pool->arena, &x->bases, (Joined){sum, joined});
  return joined;
}

static ExprId expand_product(Expansion *x, Rat coef, const Factor *factors, uint32_t count) {
  ExprPool *pool = x->pool;
  Factor *plain = arena_array(pool->scratch, (size_t)count + 1, sizeof *plain);
  if (!plain) return 0;
  uint32_t n = 0;
  ExprId sum = pool->one;
  for (uint32_t i = 0; i < count; i++) {
    int64_t power;
    if (expr_op(pool, factors[i].base) != op_add || !whole_power(pool, factors[i], &power) || power > 8) {
      plain[n] = factors[i];
      if (expr_op(pool, plain[n].base) == op_add && !(plain[n].base = join_base(x, plain[n].base))) return 0;
      n++;
      continue;
    }
    for (int64_t k = 0; k < power; k++) sum = multiply(x, sum, factors[i].base);
    if (x->too_large) return pool->one; // nobody will read it
  }
  ExprId rest = expr_product(pool, coef, plain, n);
  return rest && sum ? multiply(x, sum, rest) : 0;
}

// What became of a part.
static ExprId expanded(void *self, ExprId parent, uint32_t i, ExprId part) {
  const Expansion *x = self;
  (void)parent, (void)i;
  return x->enter && !x->enter(x->pool, part, x->context) ? part : x->value[x->slot[part]];
}

static ExprId expand_node(Expansion *x, ExprId id) {
  ExprPool *pool = x->pool;
  ExprOp op = expr_op(pool, id);
  if (op == op_integral || op == op_inverse) return id;
  if (op != op_mul) return expr_rebuild_flat(pool, id, expanded, x);
  uint32_t n = expr_factor_count(pool, id);
  Factor *f = arena_array(pool->scratch, n, sizeof *f);
  for (uint32_t i = 0; f && i < n; i++) {
    f[i] = expr_factor(pool, id, i);
    f[i] = (Factor){expanded(x, id, 2 * i + 1, f[i].base), expanded(x, id, 2 * i + 2, f[i].exponent)};
  }
  return f ? expand_product(x, expr_coef(pool, id), f, n) : 0;
}

static ExprId expand(ExprPool *pool, ExprId root, uint32_t most, ExprFilter *enter, const void *context) {
  if (!root || (enter && !enter(pool, root, context))) return root;
  uint32_t length;
  const ExprId *reached = pool_reach(pool, &root, 1, enter, context, &length);
  if (!reached) return 0;
  ExprId *list = arena_array(pool->scratch, length, sizeof *list);
  ExprId *value = arena_array(pool->scratch, length, sizeof *value);
  if (!list || !value) return 0;
  memcpy(list, reached, length * sizeof *list);
  Expansion x = {.pool = pool, .most = most, .enter = enter, .context = context, .value = value, .slot = pool->slot};
  for (uint32_t i = 0; i < length; i++) {
    ArenaMark mark = arena_mark(pool->scratch);
    value[i] = expand_node(&x, list[i]);
    arena_release(pool->scratch, mark);
    if (!value[i]) return 0;
    if (x.too_large) return root;
  }
  ExprId sum = value[x.slot[root]];
  // joining can make new pairs; a few rounds settle it
  for (int round = 0; round < 4; round++) {
    ExprId joined = join_trig(pool, sum);
    if (joined == sum) break;
    sum = joined;
  }
  return sum;
}

ExprId expr_expand(ExprPool *pool, ExprId root, uint32_t most) {
  return expr_expand_until(pool, root, most, NULL, NULL);
}

ExprId expr_expand_until(ExprPool *pool, ExprId root, uint32_t most, ExprFilter *enter, const void *context) {
  ArenaMark mark = arena_mark(pool->scratch);
  // products of roots can become whole powers of sums, which are multiplied out in turn
  ExprId before = 0, id = root;
  for (int round = 0; round < 6 && id && id != before; round++) {
    before = id;
    id = expand(pool, before, most, enter, context);
  }
  arena_release(pool->scratch, mark);
  return id;
}

// Generators of the normal form: which of them a set of expressions needs.
//
// First the expressions are rewritten: tan, sinh, cosh, tanh and log10 by sine, cosine, exp and ln; arguments of
// functions and radicands in a normal form of their own, so that equal arguments become equal ids; square roots of
// fractions and of squares. Then every symbol and function that is left gets its generator.
#include "expr/generators.h"

#include "expr/calculus.h"
#include "expr/ops.h"
#include "expr/rebuild.h"

#include <stdlib.h>
#include <string.h>

enum { most_expanded = 20000, deepest_functions = 20 };

// ---- rewriting

static ExprId fn1(ExprPool *pool, ExprOp op, ExprId a) { return expr_fn(pool, op, &a, 1); }

// What became of a node. Without this, functions inside functions would be rewritten once more at every level.
static ExprId known(const Normal *n, ExprId id) { return id < n->rewritten->size ? n->rewritten->of[id] : 0; }

static ExprId keep(Normal *n, ExprId id, ExprId value) {
  Rewritten *r = n->rewritten;
  uint32_t most = (id > value ? id : value) + 1;
  if (most > r->size) {
    uint32_t size = most + most / 2 + 256;
    ExprId *of = arena_array(n->lasting, size, sizeof *of);
    if (!of) return 0;
    if (r->size) memcpy(of, r->of, r->size * sizeof *of);
    r->of = of;
    r->size = size;
  }
  r->of[id] = value;
  r->of[value] = value;
  return value;
}

// A pass of rewriting: what became of the nodes so far, by index in the list.
typedef struct GeneratorPass {
  Normal *n;
  const ExprId *value;
  const uint32_t *slot;
} GeneratorPass;

// The same of a node inside the one at work: known before, or on this way.
static ExprId became(const GeneratorPass *r, ExprId id) {
  ExprId before = known(r->n, id);
  return before ? before : r->value[r->slot[id]];
}

static ExprId became_part(void *self, ExprId parent, uint32_t i, ExprId part) {
  (void)parent, (void)i;
  return became(self, part);
}

// A function of an argument in normal form.
static ExprId made(Normal *n, ExprOp op, ExprId a) {
  ExprId id = fn1(n->pool, op, a);
  return id && expr_op(n->pool, id) == op ? keep(n, id, id) : id;
}

// For passes that stop at what was rewritten already.
static bool is_new(const ExprPool *pool, ExprId id, const void *context) {
  const Rewritten *r = context;
  (void)pool;
  return !(id < r->size && r->of[id]);
}

// A polynomial in symbols and pi is in normal form when it is multiplied out.
static bool is_plain(ExprPool *pool, ExprId id) {
  uint32_t length;
  const ExprId *list = pool_reach(pool, &id, 1, NULL, NULL, &length);
  for (uint32_t i = 0; list && i < length; i++) {
    ExprOp op = expr_op(pool, list[i]);
    if (op != op_num && op != op_sym && op != op_pi && op != op_add && op != op_mul) return false;
    for (uint32_t k = 0; op == op_mul && k < expr_factor_count(pool, list[i]); k++) {
      Rat e;
      if (!expr_number(pool, expr_factor(pool, list[i], k).exponent, &e) || !rat_is_int(e) || rat_sign(e) < 0)
        return false;
    }
  }
  return list != NULL;
}

// An inner ring for one expression, with its passing needs in the scratch memory of the pool. close_inner follows in
// any case.
typedef struct Inner {
  Normal ring;
  ArenaMark mark;
} Inner;

static bool open_inner(Normal *n, Inner *inner, ExprId *x) {
  inner->mark = arena_mark(n->pool->scratch);
  inner->ring = (Normal){.depth = n->depth + 1, .rewritten = n->rewritten, .lasting = n->lasting, .work = n->work};
  if (n->depth < deepest_functions) return normal_open(&inner->ring, n->pool, n->pool->scratch, x, 1);
  inner->ring.why = "functions stand too deep inside each other";
  return false;
}

// The reason why it failed goes on where that counts.
static void close_inner(Normal *n, Inner *inner, bool failed) {
  if (failed && !n->why) n->why = inner->ring.why;
  if (failed) n->divides_by_zero = n->divides_by_zero || inner->ring.divides_by_zero;
  n->work = inner->ring.work;
  normal_close(&inner->ring);
  arena_release(n->pool->scratch, inner->mark);
}

static ExprId canonical_argument(Normal *n, ExprId id) {
  ExprId x = expr_expand_until(n->pool, id, most_expanded, is_new, n->rewritten), y = 0;
  if (!x || is_plain(n->pool, x)) return x;
  Inner inner;
  ExprId root = x;
  if (open_inner(n, &inner, &root)) {
    Frac f = frac_of(&inner.ring, root);
    y = f.num ? frac_expr(&inner.ring, f) : 0;
  }
  close_inner(n, &inner, !y);
  // functions inside functions multiply when they are expanded; a long form is left alone, which proves less but grows
  // not
  if (y && expr_term_count(n->pool, y) > 2 + 2 * expr_term_count(n->pool, root)) y = root;
  return y;
}

// sqrt of a number: primes leave it one by one, pairs of them as numbers.
static ExprId number_root(Normal *n, Rat value) {
  ExprPool *pool = n->pool;
  ExprId half = expr_num(pool, (Rat){1, 2, NULL});
  int64_t product;
  if (value.big || value.num <= 0 || __builtin_mul_overflow(value.num, value.den, &product))
    return expr_pow(pool, expr_num(pool, value), half);
  ExprId out = expr_num(pool, rat_make(pool->arena, 1, value.den));
  for (int64_t p = 2; p <= 10000 && p * p <= product; p++) {
    int times = 0;
    for (; product % p == 0; product /= p) times++;
    if (times > 1) out = expr_mul(pool, out, expr_powi(pool, expr_int(pool, p), times / 2));
    if (times % 2) out = expr_mul(pool, out, expr_pow(pool, expr_int(pool, p), half));
  }
  return product == 1 ? out : expr_mul(pool, out, expr_pow(pool, expr_int(pool, product), half));
}

// S with S^2 = x as expressions, or 0. Both ways of reducing sines and cosines are tried.
static ExprId square_root(Normal *n, ExprId x) {
  Inner inner;
  ExprId out = 0;
  bool opened = open_inner(n, &inner, &x);
  Frac f = opened ? frac_of(&inner.ring, x) : (Frac){0};
  const RingApi *api = inner.ring.api;
  Poly *root = f.num && f.den_count == 0 ? api->poly_new(inner.ring.ring) : NULL;
  if (root && normal_ask(&inner.ring, f.num)) {
    Poly *other = poly_shorter(&inner.ring, f.num);
    if (api->root(inner.ring.ring, root, f.num) || (other && api->root(inner.ring.ring, root, other)))
      out = poly_expr(&inner.ring, root);
  }
  close_inner(n, &inner, !opened);
  return out;
}

// |S|. Where the roots that are known have values, their radicands and products of two of them are not negative.
static ExprId size_of(Normal *n, ExprId S) {
  ExprPool *pool = n->pool;
  for (uint32_t i = 0; i < n->roots.count; i++) {
    for (uint32_t j = i; j <= n->roots.count; j++) {
      ExprId one = n->roots.items[i],
             product = j == i ? one
                              : expr_expand(pool, expr_mul(pool, one, n->roots.items[j == n->roots.count ? i : j]),
                                            most_expanded);
      if (product == S || product == expr_neg(pool, S)) return product;
    }
  }
  return fn1(pool, op_abs, S);
}

// r = sqrt(P) with P*Q = S^2 for an older root q = sqrt(Q), or P*Q*R = S^2 for two: r = |S|*q/Q, |S|*q*s/(Q*R). 0:
// none, or n->why.
static ExprId by_older_roots(Normal *n, ExprId base) {
  enum { most_roots = 8 };
  ExprPool *pool = n->pool;
  ExprId half = expr_num(pool, (Rat){1, 2, NULL});
  for (uint32_t i = 0; i < n->roots.count; i++) {
    ExprId old = n->roots.items[i];
    ExprId S = square_root(n, expr_expand(pool, expr_mul(pool, old, base), most_expanded));
    if (n->why) return 0;
    if (S) return expr_div(pool, expr_mul(pool, size_of(n, S), expr_pow(pool, old, half)), old);
  }
  for (uint32_t i = 0; n->roots.count <= most_roots && i < n->roots.count; i++) {
    for (uint32_t j = 0; j < i; j++) {
      ExprId both = expr_expand(pool, expr_mul(pool, n->roots.items[i], n->roots.items[j]), most_expanded);
      ExprId S = square_root(n, expr_expand(pool, expr_mul(pool, both, base), most_expanded));
      if (n->why) return 0;
      ExprId roots = expr_mul(pool, expr_pow(pool, n->roots.items[i], half), expr_pow(pool, n->roots.items[j], half));
      if (S) return expr_div(pool, expr_mul(pool, size_of(n, S), roots), both);
    }
  }
  return 0;
}

// base^(1/2) with its square factors taken out. base is canonical.
static ExprId rewrite_root(Normal *n, ExprId base) {
  ExprPool *pool = n->pool;
  ExprId half = expr_num(pool, (Rat){1, 2, NULL});
  Rat value;
  if (expr_number(pool, base, &value)) return number_root(n, value);
  // sqrt(N/D^k) = sqrt(N*D^(k mod 2))/|D|^ceil(k/2), for each factor below
  ExprId den = pool->one, whole = base;
  for (uint32_t i = 0; expr_op(pool, base) == op_mul && i < expr_factor_count(pool, base); i++) {
    Factor f = expr_factor(pool, base, i);
    Rat e;
    int64_t k;
    if (!expr_number(pool, f.exponent, &e) || !rat_to_int(e, &k) || k >= 0 || k < -1000) continue;
    int64_t times = (1 - k) / 2;
    ExprId size = expr_op(pool, f.base) == op_exp ? f.base : fn1(pool, op_abs, f.base);
    den = expr_mul(pool, den, expr_powi(pool, size, times));
    whole = expr_mul(pool, whole, expr_powi(pool, f.base, 2 * times));
  }
  if (den != pool->one) {
    ExprId product = canonical_argument(n, whole);
    return product ? expr_div(pool, rewrite_root(n, product), den) : 0;
  }
  // the number in front leaves
  Rat lead = expr_op(pool, base) == op_add ? expr_term(pool, base, 0).coef : expr_coef(pool, base);
  if (rat_sign(lead) < 0) lead = rat_neg(pool->arena, lead);
  if (!rat_is_int_value(lead, 1)) {
    ExprId rest = expr_scale(pool, rat_div(pool->arena, RAT_ONE, lead), base);
    return expr_mul(pool, number_root(n, lead), rewrite_root(n, rest));
  }
  ExprId root = square_root(n, base);
  if (n->why) return 0;
  if (root) return fn1(pool, op_abs, root);
  for (uint32_t i = 0; i < n->roots.count; i++) {
    if (n->roots.items[i] == base) return expr_pow(pool, base, half);
  }
  ExprId older = by_older_roots(n, base);
  if (older || n->why) return older;
  vec_push(n->arena, &n->roots, base);
  return expr_pow(pool, base, half);
}

// (exp(a) + sign*exp(-a))/2
static ExprId half_sum(Normal *n, ExprId a, int sign) {
  ExprId plus = made(n, op_exp, a), minus = made(n, op_exp, expr_neg(n->pool, a));
  Rat half = {1, 2, NULL}, other = {sign, 2, NULL};
  return expr_sum(n->pool, (Term[]){{half, plus}, {other, minus}}, 2);
}

static ExprId rewrite_function(Normal *n, ExprOp op, ExprId *args, uint32_t count) {
  ExprPool *pool = n->pool;
  for (uint32_t i = 0; i < count; i++) {
    args[i] = canonical_argument(n, args[i]);
    if (!args[i]) return 0;
  }
  ExprId a = args[0];
  switch ((int)op) {
  case op_tan: return expr_div(pool, made(n, op_sin, a), made(n, op_cos, a));
  case op_sinh: return half_sum(n, a, -1);
  case op_cosh: return half_sum(n, a, 1);
  case op_tanh: return expr_div(pool, half_sum(n, a, -1), half_sum(n, a, 1));
  case op_log10: return expr_div(pool, made(n, op_ln, a), made(n, op_ln, expr_int(pool, 10)));
  default: return expr_fn(pool, op, args, count);
  }
}

static ExprId rewrite_product(const GeneratorPass *r, ExprId id) {
  Normal *n = r->n;
  ExprPool *pool = n->pool;
  uint32_t count = expr_factor_count(pool, id);
  Factor *f = arena_array(n->arena, count, sizeof *f);
  bool roots = false;
  if (!f) return 0;
  if (known(n, id)) return known(n, id);
  for (uint32_t i = 0; i < count; i++) {
    f[i] = expr_factor(pool, id, i);
    f[i].base = became(r, f[i].base);
    f[i].exponent = became(r, f[i].exponent);
    Rat e;
    if (expr_number(pool, f[i].exponent, &e) && rat_is_int(e)) continue;
    roots = true;
    f[i].base = canonical_argument(n, f[i].base);
    f[i].exponent = canonical_argument(n, f[i].exponent);
    if (!f[i].base || !f[i].exponent) return 0;
    if (expr_number(pool, f[i].exponent, &e) && !e.big && e.den == 2) {
      f[i].base = rewrite_root(n, f[i].base);
      f[i].exponent = expr_int(pool, e.num);
      if (!f[i].base) return 0;
    }
  }
  ExprId out = expr_product(pool, expr_coef(pool, id), f, count);
  return roots && out ? keep(n, id, out) : out;
}

static ExprId rewrite_node(GeneratorPass *r, ExprId id) {
  Normal *n = r->n;
  ExprPool *pool = n->pool;
  ExprOp op = expr_op(pool, id);
  if (op == op_num || op == op_sym || expr_op_is_raw(op)) return id;
  if (op == op_add) return expr_rebuild_flat(pool, id, became_part, r);
  if (op == op_mul) return rewrite_product(r, id);
  if (known(n, id)) return known(n, id);
  uint32_t count = pool_node(pool, id)->count;
  ExprId args[3];
  for (uint32_t i = 0; i < count && i < 3; i++) args[i] = became(r, pool_args(pool, id)[i]);
  ExprId out = rewrite_function(n, op, args, count);
  return out ? keep(n, id, out) : 0;
}

static bool rewrite(Normal *n, ExprId *roots, uint32_t count) {
  uint32_t length;
  const ExprId *reached = pool_reach(n->pool, roots, count, is_new, n->rewritten, &length);
  ExprId *list = arena_array(n->arena, length, sizeof *list), *value = arena_array(n->arena, length, sizeof *value);
  uint32_t *slot = arena_array(n->arena, n->pool->nodes.count, sizeof *slot);
  if (!reached || !list || !value || !slot || !normal_charge(n, n->pool->nodes.count / 64 + length)) return false;
  memcpy(list, reached, length * sizeof *list);
  for (uint32_t i = 0; i < length; i++) slot[list[i]] = i;
  GeneratorPass r = {n, value, slot};
  for (uint32_t i = 0; i < length; i++) {
    value[i] = rewrite_node(&r, list[i]);
    if (!value[i]) return false;
    if (expr_op(n->pool, value[i]) == op_undefined) {
      n->why = "it divides by zero";
      n->divides_by_zero = true;
      return false;
    }
  }
  for (uint32_t i = 0; i < count; i++) roots[i] = became(&r, roots[i]);
  return true;
}

// ---- generators

// False: out of memory.
static bool gen_add(Normal *n, GenKind kind, ExprId expr, uint32_t *place) {
  *place = n->gens.count;
  return expr && vec_push(n->arena, &n->gens, (Gen){.kind = kind, .expr = expr});
}

static bool gen_for(Normal *n, ExprId expr, GenKind kind, uint32_t power) {
  if (expr >= n->gen_of_size) {
    uint32_t size = n->pool->nodes.count + 256;
    uint32_t *table = arena_array(n->arena, size, sizeof *table);
    if (!table) return false;
    if (n->gen_of) memcpy(table, n->gen_of, n->gen_of_size * sizeof *table);
    n->gen_of = table;
    n->gen_of_size = size;
  }
  if (n->gen_of[expr]) return true;
  uint32_t g;
  if (!gen_add(n, kind, expr, &g)) return false;
  n->gens.items[g].power = power;
  n->gen_of[expr] = g + 1;
  return true;
}

static int64_t lcm(int64_t a, int64_t b) {
  int64_t x = a, y = b, out;
  while (y) {
    int64_t r = x % y;
    x = y;
    y = r;
  }
  return __builtin_mul_overflow(a / x, b, &out) ? 0 : out;
}

// Multiples of pi/12 have their own values.
bool normal_twelfths(Term t, int64_t *k) {
  if (t.coef.big || 12 % t.coef.den != 0 || llabs(t.coef.num) > INT64_MAX / 12) return false;
  *k = t.coef.num * (12 / t.coef.den);
  return true;
}

static bool atom_note(Normal *n, Atoms *atoms, ExprId base, Term t) {
  if (t.coef.big || t.coef.den > 1000) {
    n->why = "an angle or exponent with too large a number";
    return false;
  }
  for (uint32_t i = 0; i < atoms->count; i++) {
    Atom *a = &atoms->items[i];
    if (a->base != base || a->term != t.term) continue;
    a->den = lcm(a->den, t.coef.den);
    if (a->den == 0 || a->den > 1000) n->why = "angles with too many different fractions";
    return !n->why;
  }
  return vec_push(n->arena, atoms, (Atom){base, t.term, t.coef.den, 0});
}

enum { most_argument_terms = 8 };

uint32_t normal_argument_terms(const ExprPool *pool, ExprId argument) {
  uint32_t n = expr_term_count(pool, argument);
  return n > most_argument_terms ? 1 : n;
}

Term normal_argument_term(ExprPool *pool, ExprId argument, uint32_t i) {
  if (expr_term_count(pool, argument) > most_argument_terms) return (Term){RAT_ONE, argument};
  Term t = expr_term(pool, argument, i);
  Rat c = expr_coef(pool, t.term);
  if (expr_op(pool, argument) != op_add && !rat_is_int_value(c, 1)) {
    t.coef = c;
    t.term = expr_scale(pool, rat_div(pool->arena, RAT_ONE, c), t.term);
  }
  return t;
}

static bool note_argument(Normal *n, Atoms *atoms, ExprId base, ExprId argument) {
  ExprPool *pool = n->pool;
  for (uint32_t i = 0; i < normal_argument_terms(pool, argument); i++) {
    Term t = normal_argument_term(pool, argument, i);
    int64_t k;
    if (atoms == &n->angles && t.term == pool->pi && normal_twelfths(t, &k)) {
      ExprId half = expr_num(pool, (Rat){1, 2, NULL});
      if (k % 2 && !gen_for(n, expr_pow(pool, expr_int(pool, 2), half), gen_algebraic, 2)) return false;
      if (k % 3 && !gen_for(n, expr_pow(pool, expr_int(pool, 3), half), gen_algebraic, 2)) return false;
      continue;
    }
    if (!t.term || !atom_note(n, atoms, base, t)) return false;
  }
  return true;
}

static bool note_power(Normal *n, Factor f) {
  ExprPool *pool = n->pool;
  Rat e;
  if (!expr_number(pool, f.exponent, &e)) return note_argument(n, &n->exponents, f.base, f.exponent);
  if (rat_is_int(e)) return true;
  if (e.big || e.den > 64) {
    n->why = "a root of too high an order";
    return false;
  }
  return gen_for(n, expr_pow(pool, f.base, expr_num(pool, rat_make(pool->arena, 1, e.den))), gen_algebraic,
                 (uint32_t)e.den);
}

static bool note_node(Normal *n, ExprId id) {
  ExprPool *pool = n->pool;
  ExprOp op = expr_op(pool, id);
  ExprId a = pool_node(pool, id)->count && op != op_num && op != op_sym ? pool_args(pool, id)[0] : 0;
  switch ((int)op) {
  case op_num:
  case op_add: return true;
  case op_sym:
  case op_pi: return gen_for(n, id, gen_plain, 0);
  case op_mul:
    for (uint32_t i = 0; i < expr_factor_count(pool, id); i++) {
      if (!note_power(n, expr_factor(pool, id, i))) return false;
    }
    return true;
  case op_sin:
  case op_cos: return note_argument(n, &n->angles, 0, a);
  case op_exp: return note_argument(n, &n->exponents, 0, a);
  case op_abs: return gen_for(n, id, gen_algebraic, 2);
  case op_inf:
  case op_undefined: n->why = "infinity and undefined values are no numbers"; return false;
  default: return gen_for(n, id, gen_plain, 0);
  }
}

static bool visit(Normal *n, ExprList *nodes, uint32_t *slot, ExprId id) {
  if (slot[id]) return true;
  slot[id] = 1;
  return vec_push(n->arena, nodes, id);
}

static int by_id(const void *a, const void *b) {
  ExprId x = *(const ExprId *)a, y = *(const ExprId *)b;
  return (x > y) - (x < y);
}

const ExprId *normal_needed(Normal *n, const ExprId *roots, uint32_t count, uint32_t *length, uint32_t **out) {
  ExprPool *pool = n->pool;
  ExprList nodes = {0};
  uint32_t *slot = arena_array(n->arena, pool->nodes.count, sizeof *slot);
  bool ok = slot != NULL;
  for (uint32_t i = 0; ok && i < count; i++) ok = visit(n, &nodes, slot, roots[i]);
  for (uint32_t at = 0; ok && at < nodes.count; at++) {
    ExprId id = nodes.items[at];
    ExprOp op = expr_op(pool, id);
    for (uint32_t k = 0; ok && op == op_add && k < expr_term_count(pool, id); k++)
      ok = visit(n, &nodes, slot, expr_term(pool, id, k).term);
    for (uint32_t k = 0; ok && op == op_mul && k < expr_factor_count(pool, id); k++) {
      Factor f = expr_factor(pool, id, k);
      if (expr_op(pool, f.exponent) == op_num) ok = visit(n, &nodes, slot, f.base);
    }
    if (ok && op == op_abs) ok = visit(n, &nodes, slot, pool_args(pool, id)[0]);
  }
  if (!ok || !normal_charge(n, pool->nodes.count / 64 + nodes.count)) return NULL;
  // ids grow from child to parent
  qsort(nodes.items, nodes.count, sizeof *nodes.items, by_id);
  for (uint32_t i = 0; i < nodes.count; i++) slot[nodes.items[i]] = i;
  *length = nodes.count;
  *out = slot;
  return nodes.items;
}

static bool gather(Normal *n, const ExprId *roots, uint32_t count) {
  ExprPool *pool = n->pool;
  uint32_t length, *slot;
  const ExprId *list = normal_needed(n, roots, count, &length, &slot);
  if (!list) return false;
  for (uint32_t i = 0; i < length; i++) {
    if (!note_node(n, list[i])) return false;
  }
  for (uint32_t i = 0; i < n->angles.count; i++) {
    Atom *a = &n->angles.items[i];
    ExprId angle = expr_scale(pool, rat_make(pool->arena, 1, a->den), a->term);
    uint32_t s;
    if (!gen_add(n, gen_cos, fn1(pool, op_cos, angle), &a->gen) || !gen_add(n, gen_sin, fn1(pool, op_sin, angle), &s))
      return false;
    n->gens.items[a->gen].partner = s;
    n->gens.items[s].partner = a->gen;
    n->gens.items[s].power = 2;
  }
  for (uint32_t i = 0; i < n->exponents.count; i++) {
    Atom *a = &n->exponents.items[i];
    ExprId exponent = expr_scale(pool, rat_make(pool->arena, 1, a->den), a->term);
    if (!gen_add(n, gen_plain, a->base ? expr_pow(pool, a->base, exponent) : fn1(pool, op_exp, exponent), &a->gen))
      return false;
  }
  return !arena_failed(n->arena);
}

bool normal_open(Normal *n, ExprPool *pool, Arena *arena, ExprId *roots, uint32_t count) {
  *n = (Normal){.arena = arena,
                .lasting = n->lasting ? n->lasting : arena,
                .pool = pool,
                .depth = n->depth,
                .rewritten = n->rewritten,
                .work = n->work};
  if (!n->rewritten) n->rewritten = &n->own;
  n->api = exact_ring(arena, &n->why);
  if (!n->api) return false;
  if (!rewrite(n, roots, count) || !gather(n, roots, count)) {
    if (!n->why) n->why = "out of memory";
    return false;
  }
  // the ring, and a word or two for each generator
  if (exact_ask(n->lasting, &pool->algebra_asked, 65536 + 64 * (uint64_t)n->gens.count))
    n->ring = n->api->ring_new(n->gens.count);
  n->exps = arena_array(arena, (size_t)n->gens.count + 1, sizeof *n->exps);
  n->degrees = arena_array(arena, (size_t)n->gens.count + 1, sizeof *n->degrees);
  if (!n->ring || !n->exps || !n->degrees) {
    n->why = "out of memory";
    return false;
  }
  return true;
}

void normal_close(Normal *n) {
  if (n->pool) n->pool->algebra_bytes -= n->bytes;
  n->bytes = 0;
  if (n->ring) n->api->ring_free(n->ring);
  n->ring = NULL;
}

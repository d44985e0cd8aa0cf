// Fractions of polynomials in the generators, with ring operations alone: denominators are kept as products of factors
// that were divided by, so that sums over one denominator do not grow, and nothing is ever divided.
#include "expr/normal.h"

#include "expr/generators.h"

#include <stdlib.h>
#include <string.h>

enum { most_multiple = 64 }; // of an angle, and whole powers

// ---- polynomials

static Poly *fail(Normal *n, const char *why) {
  if (!n->why) n->why = why;
  return NULL;
}

static Poly *new_poly(Normal *n) {
  Poly *p = n->why ? NULL : n->api->poly_new(n->ring);
  return p ? p : fail(n, "out of memory");
}

static Poly *number(Normal *n, Rat r) {
  Poly *p = new_poly(n);
  const char *text = rat_print(n->arena, r, false);
  if (p && text) n->api->set_number(n->ring, p, text);
  return text ? p : fail(n, "out of memory");
}

static Poly *generator(Normal *n, uint32_t g, uint32_t power) {
  Poly *p = new_poly(n);
  if (p) n->api->set_generator(n->ring, p, g, power);
  return p;
}

static size_t length(const Normal *n, const Poly *p) { return n->api->length(n->ring, p); }

// A limit was crossed: the command tells that it gave something up.
static Poly *cut(Normal *n, const char *why) {
  // the reason outlives the lists of this question
  if (!n->pool->algebra_cut) n->pool->algebra_cut = arena_strndup(n->pool->arena, why, strlen(why));
  return fail(n, why);
}

bool normal_charge(Normal *n, uint64_t work) {
  n->work += work;
  n->pool->algebra += work;
  if (n->work > normal_most_work)
    cut(n, arena_printf(n->lasting, "it would take more than %d products of terms", normal_most_work));
  else if (pool_algebra_spent(n->pool)) cut(n, "the budget of algebra for one command is spent; ask for less at once");
  return !n->why;
}

// May a product of a terms times b terms be formed, whose numbers have `bits` bits in the result?
static bool within(Normal *n, size_t a, size_t b, size_t bits) {
  uint64_t products = (uint64_t)a * b;
  if (a && b && products / b != a) products = UINT64_MAX / 1024;
  if (bits > normal_most_bits)
    cut(n, arena_printf(n->lasting, "it would take numbers of more than %d digits", (int)(normal_most_bits * 0.30103)));
  if (products > normal_most_terms)
    cut(n, arena_printf(n->lasting, "it would take products of more than %d terms", normal_most_terms));
  // a term has words of its number, and of its exponents
  if (n->why || !normal_charge(n, products * (1 + bits / 64 + n->gens.count / 8))) return false;
  // the result, and as much again on the way
  uint64_t bytes = 2 * products * (sizeof(uint64_t) * (2 + n->gens.count / 8) + bits / 8) + 4096;
  return exact_ask(n->lasting, &n->pool->algebra_asked, bytes) || fail(n, "out of memory");
}

// Words of exponents and a word or more for the number, a term.
static uint64_t size_of(const Normal *n, const Poly *p) {
  return n->api->length(n->ring, p) * (sizeof(uint64_t) * (2 + n->gens.count / 8) + n->api->bits(n->ring, p) / 8) +
         sizeof(uint64_t) * 8;
}

// Is there memory for a few copies of a polynomial, or its text?
bool normal_ask(Normal *n, const Poly *p) {
  if (!p) return false;
  return exact_ask(n->lasting, &n->pool->algebra_asked, 4 * size_of(n, p) + 4096) || fail(n, "out of memory");
}

// A result that stays until the ring is closed, or it is dropped.
static Poly *kept(Normal *n, Poly *p) {
  if (!p) return NULL;
  uint64_t size = size_of(n, p);
  n->bytes += size;
  n->pool->algebra_bytes += size;
  if (n->pool->algebra_bytes <= algebra_most_bytes) return p;
  return cut(n, arena_printf(n->lasting, "it would take more than %d MB", algebra_most_bytes / 1000000));
}

// A passing result goes at once. Only those that kept() counted.
static void drop(Normal *n, Poly *p) {
  if (!p) return;
  uint64_t size = size_of(n, p);
  n->bytes -= size;
  n->pool->algebra_bytes -= size;
  n->api->poly_free(n->ring, p);
}

static size_t bits(const Normal *n, const Poly *p) { return n->api->bits(n->ring, p); }

// Applies the relations of the generators until none applies. p is changed.
static Poly *reduce(Normal *n, Poly *p) {
  for (bool again = p != NULL; again;) {
    again = false;
    n->api->degrees(n->ring, p, n->degrees);
    for (uint32_t g = n->gens.count; g-- > 0;) {
      const Gen *gen = &n->gens.items[g];
      if (!gen->power || !gen->value || n->degrees[g] < gen->power) continue;
      uint32_t times = (uint32_t)(n->degrees[g] / gen->power);
      if (!within(n, length(n, p), length(n, gen->value) * times, bits(n, p) + bits(n, gen->value) * times))
        return NULL;
      n->api->reduce(n->ring, p, g, gen->power, gen->value);
      n->api->degrees(n->ring, p, n->degrees);
      again = true;
    }
  }
  return p;
}

Poly *normal_mul(Normal *n, const Poly *a, const Poly *b) {
  if (!a || !b || !within(n, length(n, a), length(n, b), bits(n, a) + bits(n, b))) return NULL;
  Poly *p = new_poly(n);
  if (p) n->api->mul(n->ring, p, a, b);
  return kept(n, reduce(n, p));
}

// Sums are cheap, but different denominators multiply.
static bool sums(Normal *n, const Poly *a, const Poly *b) {
  return within(n, length(n, a) + length(n, b), 1, bits(n, a) + bits(n, b));
}

static Poly *add(Normal *n, const Poly *a, const Poly *b) {
  if (!a || !b) return NULL;
  Poly *p = new_poly(n);
  if (!sums(n, a, b)) return NULL;
  if (p) n->api->add(n->ring, p, a, b);
  return kept(n, p);
}

Poly *normal_sub(Normal *n, const Poly *a, const Poly *b) {
  if (!a || !b) return NULL;
  Poly *p = new_poly(n);
  if (!sums(n, a, b)) return NULL;
  if (p) n->api->sub(n->ring, p, a, b);
  return kept(n, p);
}

static Poly *power_of(Normal *n, const Poly *a, uint32_t k) {
  Poly *p = kept(n, number(n, RAT_ONE));
  for (uint32_t i = 0; i < k && p; i++) {
    Poly *next = normal_mul(n, p, a);
    drop(n, p);
    p = next;
  }
  return p;
}

// ---- fractions

static Frac bad(void) { return (Frac){0}; }
static Frac whole(Poly *p) { return (Frac){.num = p}; }

static const uint32_t no_factor = UINT32_MAX; // out of memory

static uint32_t intern(Normal *n, Poly *p) {
  for (uint32_t i = 0; i < n->factors.count; i++) {
    if (n->api->equal(n->ring, n->factors.items[i], p)) return i;
  }
  return vec_push(n->arena, &n->factors, p) ? n->factors.count - 1 : no_factor;
}

static uint32_t den_power(Frac f, uint32_t factor) {
  for (uint32_t i = 0; i < f.den_count; i++) {
    if (f.den[i].factor == factor) return f.den[i].power;
  }
  return 0;
}

// The denominator with one more factor^power. New memory: fractions are never changed.
static Frac den_put(Normal *n, Frac f, uint32_t factor, uint32_t power) {
  DenFactor *den = arena_array(n->arena, (size_t)f.den_count + 1, sizeof *den);
  if (!den || !f.num || factor == no_factor) return bad();
  if (f.den_count) memcpy(den, f.den, f.den_count * sizeof *den);
  for (uint32_t i = 0; i < f.den_count; i++) {
    if (den[i].factor != factor) continue;
    den[i].power += power;
    return (Frac){f.num, den, f.den_count};
  }
  den[f.den_count] = (DenFactor){factor, power};
  return (Frac){f.num, den, f.den_count + 1};
}

// p itself, which stays, or a new one.
static Poly *times_factors(Normal *n, Poly *p, const DenFactor *den, uint32_t count, Frac without) {
  Poly *first = p;
  for (uint32_t i = 0; i < count && p; i++) {
    uint32_t have = den_power(without, den[i].factor);
    for (uint32_t k = have; k < den[i].power && p; k++) {
      Poly *next = normal_mul(n, p, n->factors.items[den[i].factor]);
      if (p != first) drop(n, p);
      p = next;
    }
  }
  return p;
}

Frac frac_add(Normal *n, Frac a, Frac b) {
  if (!a.num || !b.num) return bad();
  Poly *x = times_factors(n, a.num, b.den, b.den_count, a), *y = times_factors(n, b.num, a.den, a.den_count, b);
  Frac out = a;
  out.num = add(n, x, y);
  if (x != a.num) drop(n, x);
  if (y != b.num) drop(n, y);
  for (uint32_t i = 0; i < b.den_count && out.num; i++) {
    uint32_t have = den_power(a, b.den[i].factor);
    if (b.den[i].power > have) out = den_put(n, out, b.den[i].factor, b.den[i].power - have);
  }
  if (out.num && length(n, out.num) == 0) out.den_count = 0;
  return out;
}

Frac frac_mul(Normal *n, Frac a, Frac b) {
  if (!a.num || !b.num) return bad();
  Frac out = a;
  out.num = normal_mul(n, a.num, b.num);
  for (uint32_t i = 0; i < b.den_count && out.num; i++) out = den_put(n, out, b.den[i].factor, b.den[i].power);
  if (out.num && length(n, out.num) == 0) out.den_count = 0;
  return out;
}

// 1/f for f not zero: its number, its monomial and the rest go below.
static Frac invert(Normal *n, Frac f) {
  if (!f.num) return bad();
  if (length(n, f.num) == 0) {
    n->divides_by_zero = true;
    fail(n, "it divides by zero");
    return bad();
  }
  Poly *rest = new_poly(n);
  char *text = rest && normal_ask(n, f.num) ? n->api->split(n->ring, rest, f.num, n->exps) : NULL;
  if (!text) return bad();
  Rat r = rat_div(n->arena, RAT_ONE, ring_number(n->arena, text));
  n->api->text_free(text);
  if (!rat_valid(r)) {
    fail(n, "out of memory");
    return bad();
  }
  Frac out = whole(times_factors(n, number(n, r), f.den, f.den_count, (Frac){0}));
  // the exponents are needed past further calls
  uint64_t *exps = arena_array(n->arena, n->gens.count, sizeof *exps);
  if (!exps) return bad();
  memcpy(exps, n->exps, n->gens.count * sizeof *exps);
  for (uint32_t g = 0; g < n->gens.count && out.num; g++) {
    if (exps[g]) out = den_put(n, out, intern(n, generator(n, g, 1)), (uint32_t)exps[g]);
  }
  Poly *one = number(n, RAT_ONE);
  if (out.num && one && !n->api->equal(n->ring, rest, one)) out = den_put(n, out, intern(n, rest), 1);
  return n->why ? bad() : out;
}

static Frac frac_power(Normal *n, Frac f, int64_t k) {
  if (k < 0) return frac_power(n, invert(n, f), -k);
  if (k > most_multiple) {
    fail(n, "a power above 64");
    return bad();
  }
  if (!f.num) return bad();
  Frac out = whole(power_of(n, f.num, (uint32_t)k));
  for (uint32_t i = 0; i < f.den_count && out.num && k; i++)
    out = den_put(n, out, f.den[i].factor, f.den[i].power * (uint32_t)k);
  return out;
}

Poly *normal_den(Normal *n, Frac f) { return times_factors(n, number(n, RAT_ONE), f.den, f.den_count, (Frac){0}); }

bool normal_clear(Normal *n, const Frac *f, uint32_t count, Poly **out) {
  // the least common multiple of the denominators
  Frac all = whole(number(n, RAT_ONE));
  for (uint32_t i = 0; i < count; i++) {
    if (!f[i].num) return false;
    for (uint32_t k = 0; k < f[i].den_count && all.num; k++) {
      uint32_t have = den_power(all, f[i].den[k].factor);
      if (f[i].den[k].power > have) all = den_put(n, all, f[i].den[k].factor, f[i].den[k].power - have);
    }
  }
  for (uint32_t i = 0; i < count; i++) {
    out[i] = times_factors(n, f[i].num, all.den, all.den_count, f[i]);
    if (!out[i]) return false;
  }
  return all.num != NULL;
}

Poly *normal_determinant(Normal *n, Poly *const *a, uint32_t size) {
  if (size == 0) return number(n, RAT_ONE);
  if (size > 12) return fail(n, "a determinant of more than 12 rows");
  // minor[S]: the first |S| rows, columns S
  uint32_t subsets = 1u << size;
  Poly **minor = arena_array(n->arena, subsets, sizeof *minor);
  if (!minor) return fail(n, "out of memory");
  minor[0] = number(n, RAT_ONE);
  for (uint32_t S = 1; S < subsets; S++) {
    uint32_t row = (uint32_t)__builtin_popcount(S) - 1;
    Poly *sum = new_poly(n);
    uint32_t place = 0; // of the column inside S
    for (uint32_t c = 0; c < size; c++) {
      if (!(S >> c & 1)) continue;
      const Poly *entry = a[row * size + c], *rest = minor[S & ~(1u << c)];
      bool minus = (row + place++) % 2 != 0;
      if (!sum || !rest) return NULL;
      if (!length(n, entry) || !length(n, rest)) continue;
      if (!within(n, length(n, entry), length(n, rest), bits(n, entry) + bits(n, rest))) return NULL;
      Poly *product = new_poly(n);
      if (!product) return NULL;
      n->api->mul(n->ring, product, entry, rest);
      if (minus) n->api->sub(n->ring, sum, sum, product);
      else n->api->add(n->ring, sum, sum, product);
      n->api->poly_free(n->ring, product);
    }
    minor[S] = kept(n, reduce(n, sum));
    if (!minor[S]) return NULL;
  }
  return minor[subsets - 1];
}

// ---- from expressions

typedef struct Turn {
  Poly *c, *s;
} Turn;

// (a + b) by the addition theorems
static Turn turn(Normal *n, Turn a, Turn b) {
  return (Turn){normal_sub(n, normal_mul(n, a.c, b.c), normal_mul(n, a.s, b.s)),
                add(n, normal_mul(n, a.s, b.c), normal_mul(n, a.c, b.s))};
}

static uint32_t gen_of(const Normal *n, ExprId expr) { return expr < n->gen_of_size ? n->gen_of[expr] : 0; }

static Poly *root_of(Normal *n, int64_t value) {
  ExprPool *pool = n->pool;
  uint32_t g = gen_of(n, expr_pow(pool, expr_int(pool, value), expr_num(pool, (Rat){1, 2, NULL})));
  if (!g) return fail(n, "a root is missing");
  if (!n->gens.items[g - 1].value) n->gens.items[g - 1].value = number(n, rat_int(value));
  return generator(n, g - 1, 1);
}

// cos(k*pi/12)
static Poly *cos_twelfth(Normal *n, int64_t k) {
  k = (k % 24 + 24) % 24;
  if (k > 12) k = 24 - k;
  bool minus = k > 6;
  if (minus) k = 12 - k;
  Rat sign = rat_int(minus ? -1 : 1), quarter = {minus ? -1 : 1, 4, NULL}, half = {minus ? -1 : 1, 2, NULL};
  switch (k) {
  case 0: return number(n, sign);
  case 2: return normal_mul(n, number(n, half), root_of(n, 3));
  case 3: return normal_mul(n, number(n, half), root_of(n, 2));
  case 4: return number(n, half);
  case 6: return number(n, RAT_ZERO);
  default: { // (sqrt(6) +- sqrt(2))/4
    Poly *inner = normal_mul(n, root_of(n, 2),
                             k == 1 ? add(n, root_of(n, 3), number(n, RAT_ONE))
                                    : normal_sub(n, root_of(n, 3), number(n, RAT_ONE)));
    return normal_mul(n, number(n, quarter), inner);
  }
  }
}

static const Atom *find_atom(const Atoms *atoms, ExprId base, ExprId term) {
  for (uint32_t i = 0; i < atoms->count; i++) {
    if (atoms->items[i].base == base && atoms->items[i].term == term) return &atoms->items[i];
  }
  return NULL;
}

// How many times the atom's part: coef*den, whole and small.
static bool multiple_of(Normal *n, const Atom *a, Term t, int64_t *k) {
  Rat m = a ? rat_mul(n->arena, t.coef, rat_int(a->den)) : RAT_NONE;
  if (rat_valid(m) && rat_to_int(m, k) && llabs(*k) <= most_multiple) return true;
  fail(n, "a multiple of an angle or exponent above 64");
  return false;
}

static Frac trig(Normal *n, ExprOp op, ExprId argument) {
  ExprPool *pool = n->pool;
  Turn sum = {number(n, RAT_ONE), new_poly(n)};
  for (uint32_t i = 0; i < normal_argument_terms(pool, argument); i++) {
    Term t = normal_argument_term(pool, argument, i);
    int64_t k;
    if (t.term == pool->pi && normal_twelfths(t, &k)) {
      sum = turn(n, sum, (Turn){cos_twelfth(n, k), cos_twelfth(n, k - 6)});
      continue;
    }
    const Atom *a = find_atom(&n->angles, 0, t.term);
    if (!multiple_of(n, a, t, &k)) return bad();
    Gen *sine = &n->gens.items[a->gen + 1];
    Poly *c = generator(n, a->gen, 1);
    if (!sine->value) sine->value = normal_sub(n, number(n, RAT_ONE), generator(n, a->gen, 2));
    Turn one = {c, k < 0 ? normal_sub(n, new_poly(n), generator(n, a->gen + 1, 1)) : generator(n, a->gen + 1, 1)};
    for (int64_t j = 0; j < llabs(k) && sum.c && sum.s; j++) sum = turn(n, sum, one);
  }
  return whole(op == op_cos ? sum.c : sum.s);
}

static Frac exponential(Normal *n, ExprId base, ExprId argument) {
  ExprPool *pool = n->pool;
  Frac product = whole(number(n, RAT_ONE));
  for (uint32_t i = 0; i < normal_argument_terms(pool, argument); i++) {
    Term t = normal_argument_term(pool, argument, i);
    const Atom *a = find_atom(&n->exponents, base, t.term);
    int64_t k;
    if (!multiple_of(n, a, t, &k)) return bad();
    product = frac_mul(n, product, frac_power(n, whole(generator(n, a->gen, 1)), k));
  }
  return product;
}

typedef struct Convert {
  const uint32_t *slot;
  Frac *value;
} Convert;

// base^(p/q) by the generator r = base^(1/q), r^q = base
static Frac root_power(Normal *n, const Convert *v, ExprId base, Rat e) {
  ExprPool *pool = n->pool;
  uint32_t g = gen_of(n, expr_pow(pool, base, expr_num(pool, rat_make(pool->arena, 1, e.den))));
  if (!g) {
    fail(n, "a root is missing");
    return bad();
  }
  Gen *gen = &n->gens.items[g - 1];
  Frac inside = v->value[v->slot[base]];
  if (!gen->value && inside.num && inside.den_count == 0) gen->value = inside.num;
  return frac_power(n, whole(generator(n, g - 1, 1)), e.num);
}

static Frac convert_factor(Normal *n, const Convert *v, Factor f) {
  Rat e;
  if (!expr_number(n->pool, f.exponent, &e)) return exponential(n, f.base, f.exponent);
  int64_t k;
  if (!rat_to_int(e, &k)) return root_power(n, v, f.base, e);
  Frac base = v->value[v->slot[f.base]];
  return frac_power(n, base, k);
}

static Frac convert_abs(Normal *n, const Convert *v, ExprId id) {
  uint32_t g = gen_of(n, id);
  Frac inside = v->value[v->slot[pool_args(n->pool, id)[0]]];
  if (!g || !inside.num) return bad();
  Gen *gen = &n->gens.items[g - 1];
  if (!gen->value && inside.den_count == 0) gen->value = normal_mul(n, inside.num, inside.num);
  return whole(generator(n, g - 1, 1));
}

static Frac convert_node(Normal *n, const Convert *v, ExprId id) {
  ExprPool *pool = n->pool;
  ExprOp op = expr_op(pool, id);
  Rat r;
  if (expr_number(pool, id, &r)) return whole(number(n, r));
  switch ((int)op) {
  case op_add: {
    Frac sum = whole(kept(n, new_poly(n)));
    for (uint32_t i = 0; i < expr_term_count(pool, id) && sum.num; i++) {
      Term t = expr_term(pool, id, i);
      Frac part = v->value[v->slot[t.term]], before = sum;
      bool scaled = !rat_is_int_value(t.coef, 1);
      if (scaled) part = frac_mul(n, part, whole(number(n, t.coef)));
      sum = frac_add(n, sum, part);
      drop(n, before.num);
      if (scaled) drop(n, part.num);
    }
    return sum;
  }
  case op_mul: {
    Frac product = whole(kept(n, number(n, expr_coef(pool, id))));
    for (uint32_t i = 0; i < expr_factor_count(pool, id) && product.num; i++) {
      Frac before = product;
      product = frac_mul(n, product, convert_factor(n, v, expr_factor(pool, id, i)));
      drop(n, before.num);
    }
    return product;
  }
  case op_sin:
  case op_cos: return trig(n, op, pool_args(pool, id)[0]);
  case op_exp: return exponential(n, 0, pool_args(pool, id)[0]);
  case op_abs: return convert_abs(n, v, id);
  default: {
    uint32_t g = gen_of(n, id);
    if (!g) fail(n, "a generator is missing");
    return g ? whole(generator(n, g - 1, 1)) : bad();
  }
  }
}

bool fracs_of(Normal *n, const ExprId *roots, uint32_t count, Frac *out) {
  uint32_t total, *slot;
  const ExprId *list = normal_needed(n, roots, count, &total, &slot);
  Frac *value = list ? arena_array(n->arena, total, sizeof *value) : NULL;
  if (!value) return fail(n, "out of memory") != NULL;
  Convert v = {slot, value};
  for (uint32_t i = 0; i < total; i++) {
    value[i] = convert_node(n, &v, list[i]);
    if (!value[i].num) return fail(n, "out of memory") != NULL;
  }
  for (uint32_t i = 0; i < count; i++) out[i] = value[slot[roots[i]]];
  return true;
}

Frac frac_of(Normal *n, ExprId root) {
  Frac f = {0};
  return fracs_of(n, &root, 1, &f) ? f : bad();
}

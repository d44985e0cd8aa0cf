// Derivatives, gradients and substitution on the shared graph.
//
// in    roots, and for each symbol its derivative (or what stands in its place)
// out   derivatives (or replacements) of the roots
//
// One pass over the nodes below the roots, children first (pool_reach), so that shared parts are done once; nodes whose
// mask says that no mapped symbol is inside are not entered. A pass inside a pass (an integral's bound substituted) has
// marks of its own. The rules of functions are the columns d1 .. d3 of ops.def; a replaced node is built again by
// rebuild.c.
#include "expr/calculus.h"

#include "expr/rebuild.h"

#include <stdlib.h>
#include <string.h>

enum { first_entries = 16 };

// The slot of a symbol in the hash table, or the free one for it.
static uint32_t place_of(const SymbolMap *map, SymbolId symbol) {
  uint32_t hash = symbol * 2654435761u, at = (hash ^ hash >> 15) & (map->size - 1);
  while (map->symbols[at] && map->symbols[at] != symbol) at = (at + 1) & (map->size - 1);
  return at;
}

static bool map_room(SymbolMap *map, uint32_t size) {
  SymbolMap old = *map;
  map->symbols = arena_array(map->arena, size, sizeof *map->symbols);
  map->of = arena_array(map->arena, size, sizeof *map->of);
  map->size = map->symbols && map->of ? size : 0;
  if (!map->size) map->of = NULL;
  for (uint32_t i = 0; i < old.size && map->size; i++) {
    if (!old.symbols[i]) continue;
    uint32_t at = place_of(map, old.symbols[i]);
    map->symbols[at] = old.symbols[i];
    map->of[at] = old.of[i];
  }
  return map->size != 0;
}

SymbolMap symbol_map_in(Arena *arena) {
  SymbolMap map = {.arena = arena};
  map_room(&map, first_entries);
  return map;
}

SymbolMap symbol_map_new(ExprPool *pool) { return symbol_map_in(pool->arena); }

void symbol_map_set(SymbolMap *map, SymbolId symbol, ExprId value) {
  if (!map->size || !symbol) return; // out of memory, or there is no symbol
  uint32_t at = place_of(map, symbol);
  if (!map->symbols[at] && 2 * (map->used + 1) > map->size) {
    if (!map_room(map, 2 * map->size)) return;
    at = place_of(map, symbol);
  }
  if (!map->symbols[at]) map->used++;
  map->symbols[at] = symbol;
  map->of[at] = value;
  map->mask |= (uint64_t)1 << (symbol & 63);
}

void symbol_map_unset(SymbolMap *map, SymbolId symbol) {
  if (map->size) map->of[place_of(map, symbol)] = 0;
}

void symbol_map_clear(SymbolMap *map) {
  if (map->size) memset(map->symbols, 0, map->size * sizeof *map->symbols);
  if (map->size) memset(map->of, 0, map->size * sizeof *map->of);
  map->used = 0;
  map->mask = 0;
}

ExprId symbol_map_get(const SymbolMap *map, SymbolId symbol) { return map->size ? map->of[place_of(map, symbol)] : 0; }

// A map of one entry, in memory of the caller.
typedef struct OneSymbol {
  SymbolId symbols[2];
  ExprId of[2];
} OneSymbol;

static SymbolMap map_of_one(OneSymbol *room, SymbolId symbol, ExprId value) {
  *room = (OneSymbol){0};
  SymbolMap map = {.symbols = room->symbols, .of = room->of, .size = 2};
  symbol_map_set(&map, symbol, value);
  return map;
}

static bool touches(const ExprPool *pool, ExprId id, const void *context) {
  return (pool_node(pool, id)->mask & ((const SymbolMap *)context)->mask) != 0;
}

// Short names for the derivative column of ops.def.
static ExprId fn1(ExprPool *p, ExprOp op, ExprId a) { return expr_fn(p, op, &a, 1); }
static ExprId fn2(ExprPool *p, ExprOp op, ExprId a, ExprId b) { return expr_fn(p, op, (ExprId[]){a, b}, 2); }
static ExprId fn3(ExprPool *p, ExprOp op, ExprId a, ExprId b, ExprId c) {
  return expr_fn(p, op, (ExprId[]){a, b, c}, 3);
}
static ExprId add(ExprPool *p, ExprId a, ExprId b) { return expr_add(p, a, b); }
static ExprId sub(ExprPool *p, ExprId a, ExprId b) { return expr_sub(p, a, b); }
static ExprId mul(ExprPool *p, ExprId a, ExprId b) { return expr_mul(p, a, b); }
static ExprId quotient(ExprPool *p, ExprId a, ExprId b) { return expr_div(p, a, b); }
static ExprId neg(ExprPool *p, ExprId a) { return expr_neg(p, a); }
static ExprId power(ExprPool *p, ExprId a, ExprId b) { return expr_pow(p, a, b); }
static ExprId powi(ExprPool *p, ExprId a, int64_t n) { return expr_powi(p, a, n); }
static ExprId one(ExprPool *p) { return p->one; }
static ExprId zero(ExprPool *p) { return p->zero; }
static ExprId integer(ExprPool *p, int64_t n) { return expr_int(p, n); }
static ExprId ratio(ExprPool *p, int64_t n, int64_t d) { return expr_num(p, rat_make(p->arena, n, d)); }

// d(function)/d(argument i)
static ExprId partial(ExprPool *p, ExprOp op, const ExprId *args, uint32_t i) {
  ExprId a = args[0], b = args[1], c = args[2];
  (void)a, (void)b, (void)c;
  ExprId d1 = 0, d2 = 0, d3 = 0;
  switch ((int)op) {
#define OP(name, arity, value, e1, e2, e3, smoothness, parity, switching, answer, domain, meaning)                     \
  case op_##name:                                                                                                      \
    if (i == 0) d1 = e1;                                                                                               \
    if (i == 1) d2 = e2;                                                                                               \
    if (i == 2) d3 = e3;                                                                                               \
    break;
#include "expr/ops.def"
#undef OP
  default: break;
  }
  ExprId d = i == 0 ? d1 : i == 1 ? d2 : d3;
  return d ? d : p->zero;
}

// What a product gives in which one factor is replaced by its rate. In a dense mechanism many products that differ in
// that factor alone (the sums of a chain) have the same rate of it.
typedef struct RateProduct {
  ExprId product;
  uint32_t factor;
  ExprId rate, value;
} RateProduct;

// Least length of a pass that remembers them, and number of slots: a power of two. A slot is overwritten by the next.
enum { pass_large = 256, pass_remembered = 1024 };

// A pass: the values found so far, by index in the list of nodes.
typedef struct Pass {
  ExprPool *pool;
  const SymbolMap *map;
  const uint32_t *mark, *slot;
  uint32_t epoch, known; // nodes with id >= known came after the pass began
  ExprId *value;
  RateProduct *remembered; // NULL: the pass is small
  ExprId bad;
} Pass;

static ExprId pass_get(const Pass *pass, ExprId id, ExprId otherwise) {
  return id < pass->known && pass->mark[id] == pass->epoch ? pass->value[pass->slot[id]] : otherwise;
}

static bool is_mapped(const Pass *pass, ExprId symbol) {
  SymbolId s = expr_symbol(pass->pool, symbol);
  return s && symbol_map_get(pass->map, s);
}

// The derivative of a term, as a term; sums in one piece stay so.
static Term derived_term(ExprPool *p, Term t, ExprId d) {
  return (Term){t.coef, expr_op(p, t.term) == op_add ? expr_whole(p, d) : d};
}

static ExprId derive_sum(Pass *pass, ExprId id) {
  ExprPool *p = pass->pool;
  uint32_t count = expr_term_count(p, id);
  Term local[32], *terms = count <= 32 ? local : arena_array(p->scratch, count, sizeof *terms);
  if (!terms) return 0;
  uint32_t n = 0;
  terms[0] = (Term){0}; // gcc does not see that only those are read that were set
  for (uint32_t i = 0; i < count; i++) {
    Term t = expr_term(p, id, i);
    ExprId d = pass_get(pass, t.term, p->zero);
    if (!d) return 0;
    if (d != p->zero) terms[n++] = derived_term(p, t, d);
  }
  ExprId sum = expr_sum(p, terms, n);
  return count == 1 ? expr_whole(p, sum) : sum;
}

// Are two products the same but for one factor of each?
static bool same_rest(const ExprPool *p, ExprId x, uint32_t i, ExprId y, uint32_t k) {
  const ExprId *a = pool_args(p, x), *b = pool_args(p, y);
  uint32_t count = expr_factor_count(p, x);
  if (a[0] != b[0] || count != expr_factor_count(p, y)) return false;
  for (uint32_t n = 0; n + 1 < count; n++) {
    Factor f = expr_factor(p, x, n + (n >= i)), g = expr_factor(p, y, n + (n >= k));
    if (f.base != g.base || f.exponent != g.exponent) return false;
  }
  return true;
}

// The product with factor i, whose exponent is 1, replaced by its rate.
static ExprId replace_factor(Pass *pass, ExprId id, uint32_t i, ExprId rate, Factor *f) {
  ExprPool *p = pass->pool;
  uint32_t count = expr_factor_count(p, id), hash = rate;
  for (uint32_t k = 0, n = 0; k < count; k++) {
    if (k == i) continue;
    f[n] = expr_factor(p, id, k);
    hash = (hash ^ f[n++].base) * 2654435761u;
  }
  RateProduct *r = pass->remembered ? &pass->remembered[(hash ^ hash >> 15) & (pass_remembered - 1)] : NULL;
  if (r && r->rate == rate && same_rest(p, id, i, r->product, r->factor)) return r->value;
  f[count - 1] = (Factor){rate, p->one};
  ExprId value = expr_product(p, expr_coef(p, id), f, count);
  if (r) *r = (RateProduct){id, i, rate, value};
  return value;
}

// d(c prod b_i^e_i) = sum_i  c prod_(j != i) b_j^e_j * (e_i b_i^(e_i - 1) b_i' + b_i^e_i ln(b_i) e_i')
static ExprId derive_product(Pass *pass, ExprId id) {
  ExprPool *p = pass->pool;
  uint32_t count = expr_factor_count(p, id);
  Rat coef = expr_coef(p, id);
  Factor local[24], *f = count + 3 <= 24 ? local : arena_array(p->scratch, (size_t)count + 3, sizeof *f);
  if (!f) return 0;
  ExprId sum = p->zero;
  for (uint32_t i = 0; i < count; i++) {
    Factor x = expr_factor(p, id, i);
    ExprId db = pass_get(pass, x.base, p->zero), de = pass_get(pass, x.exponent, p->zero);
    if (!db || !de) return 0;
    if (db == p->zero && de == p->zero) continue;
    if (x.exponent == p->one) {
      sum = expr_add(p, sum, replace_factor(pass, id, i, db, f));
      continue;
    }
    uint32_t n = 0;
    for (uint32_t j = 0; j < count; j++) {
      if (j != i) f[n++] = expr_factor(p, id, j);
    }
    if (db != p->zero) {
      f[n] = (Factor){x.exponent, p->one};
      f[n + 1] = (Factor){x.base, expr_sub(p, x.exponent, p->one)};
      f[n + 2] = (Factor){db, p->one};
      sum = expr_add(p, sum, expr_product(p, coef, f, n + 3));
    }
    if (de != p->zero) {
      f[n] = x;
      f[n + 1] = (Factor){fn1(p, op_ln, x.base), p->one};
      f[n + 2] = (Factor){de, p->one};
      sum = expr_add(p, sum, expr_product(p, coef, f, n + 3));
    }
  }
  return sum;
}

static ExprId replace_bound(ExprPool *pool, ExprId body, ExprId bound, ExprId value);

// d/dx int_a^b f ds = f(b) b' - f(a) a' + int_a^b f' ds
static ExprId derive_integral(Pass *pass, ExprId id) {
  ExprPool *p = pass->pool;
  const ExprId a[4] = {pool_args(p, id)[0], pool_args(p, id)[1], pool_args(p, id)[2], pool_args(p, id)[3]};
  ExprId df = pass_get(pass, a[0], p->zero), da = pass_get(pass, a[2], p->zero), db = pass_get(pass, a[3], p->zero);
  if (is_mapped(pass, a[1])) df = p->zero; // its own variable hides the outer one
  ExprId d = df == p->zero ? p->zero : expr_raw(p, op_integral, (ExprId[]){df, a[1], a[2], a[3]}, 4);
  if (db != p->zero) d = expr_add(p, d, expr_mul(p, replace_bound(p, a[0], a[1], a[3]), db));
  if (da != p->zero) d = expr_sub(p, d, expr_mul(p, replace_bound(p, a[0], a[1], a[2]), da));
  return d;
}

// f(s; x) = y  gives  s' = (y' - df/dx) / (df/ds)  at s
static ExprId derive_inverse(Pass *pass, ExprId id) {
  ExprPool *p = pass->pool;
  const ExprId a[4] = {pool_args(p, id)[0], pool_args(p, id)[1], pool_args(p, id)[2], pool_args(p, id)[3]};
  ExprId df = pass_get(pass, a[0], p->zero), dy = pass_get(pass, a[2], p->zero);
  if (is_mapped(pass, a[1])) df = p->zero;
  ExprId top = expr_sub(p, dy, replace_bound(p, df, a[1], id));
  return expr_div(p, top, replace_bound(p, a[3], a[1], id));
}

static ExprId derive_node(Pass *pass, ExprId id) {
  ExprPool *p = pass->pool;
  ExprOp op = expr_op(p, id);
  const ExprNode *n = pool_node(p, id);
  switch ((int)op) {
  case op_num:
  case op_pi:
  case op_inf:
  case op_undefined: return p->zero;
  case op_sym: {
    ExprId d = symbol_map_get(pass->map, n->first);
    return d ? d : p->zero;
  }
  case op_add: return derive_sum(pass, id);
  case op_mul: return derive_product(pass, id);
  case op_integral: return derive_integral(pass, id);
  case op_inverse: return derive_inverse(pass, id);
  case op_impulse:
    if (pass_get(pass, pool_args(p, id)[0], p->zero) != p->zero) pass->bad = id;
    return p->zero;
  case op_noise: pass->bad = id; return p->zero;
  case op_table: {
    const ExprId a[3] = {pool_args(p, id)[0], pool_args(p, id)[1], pool_args(p, id)[2]};
    if (a[1] != p->zero) return p->zero; // linear between the points, or held
    return mul(p, expr_raw(p, op_table, (ExprId[]){a[0], p->one, a[2]}, 3), pass_get(pass, a[2], p->zero));
  }
  default: break;
  }
  ExprId args[3] = {0};
  for (uint32_t i = 0; i < n->count && i < 3; i++) args[i] = pool_args(p, id)[i];
  uint32_t count = n->count;
  // a branch that is not taken must not be multiplied into the result
  if (op == op_if) {
    return fn3(p, op_if, args[0], pass_get(pass, args[1], p->zero), pass_get(pass, args[2], p->zero));
  }
  ExprId sum = p->zero;
  for (uint32_t i = 0; i < count; i++) {
    ExprId d = pass_get(pass, args[i], p->zero);
    if (d != p->zero) sum = add(p, sum, mul(p, partial(p, op, args, i), d));
  }
  return sum;
}

// What stands in the place of a part. The variable of an integral or inverse is never replaced, nor what it hides.
static ExprId replaced(void *self, ExprId parent, uint32_t i, ExprId part) {
  const Pass *pass = self;
  ExprOp op = expr_op(pass->pool, parent);
  if (op == op_integral || op == op_inverse) {
    bool inside = i == 0 || (op == op_inverse && i == 3);
    if (i == 1 || (inside && is_mapped(pass, pool_args(pass->pool, parent)[1]))) return part;
  }
  return pass_get(pass, part, part);
}

static ExprId replace_node(Pass *pass, ExprId id) {
  SymbolId symbol = expr_symbol(pass->pool, id);
  ExprId r = symbol ? symbol_map_get(pass->map, symbol) : 0;
  return r ? r : expr_rebuild(pass->pool, id, replaced, pass);
}

static bool pass_over(ExprPool *pool, const SymbolMap *map, const ExprId *roots, uint32_t count, ExprId *out,
                      bool derive, ExprId *bad) {
  uint32_t length;
  const ExprId *reached = pool_reach(pool, roots, count, touches, map, &length);
  if (!reached) return false;
  ExprId *list = arena_array(pool->scratch, length, sizeof *list);
  ExprId *value = arena_array(pool->scratch, length, sizeof *value);
  uint32_t *slot = pool->slot, *mark = pool->mark;
  bool large = derive && length >= pass_large;
  RateProduct *remembered = large ? arena_array(pool->scratch, pass_remembered, sizeof *remembered) : NULL;
  if (!list || !value || (large && !remembered)) return false;
  for (uint32_t i = 0; i < length; i++) list[i] = reached[i];
  // a pass inside this one needs marks of its own
  uint32_t size = pool->mark_size, epoch = pool->epoch;
  PoolMarks kept = pool_keep_marks(pool);
  Pass pass = {pool, map, mark, slot, epoch, size, value, remembered, 0};
  bool ok = true;
  for (uint32_t i = 0; i < length && ok; i++) {
    value[i] = derive ? derive_node(&pass, list[i]) : replace_node(&pass, list[i]);
    ok = value[i] != 0;
  }
  for (uint32_t i = 0; i < count && ok; i++)
    out[i] = roots[i] ? pass_get(&pass, roots[i], derive ? pool->zero : roots[i]) : 0;
  if (bad) *bad = pass.bad;
  pool_return_marks(pool, kept);
  return ok;
}

static bool run_pass(ExprPool *pool, const SymbolMap *map, const ExprId *roots, uint32_t count, ExprId *out,
                     bool derive, ExprId *bad) {
  ArenaMark mark = arena_mark(pool->scratch);
  bool ok = pass_over(pool, map, roots, count, out, derive, bad);
  arena_release(pool->scratch, mark);
  return ok;
}

bool expr_derive(ExprPool *pool, const SymbolMap *map, const ExprId *roots, uint32_t count, ExprId *out, ExprId *bad) {
  return run_pass(pool, map, roots, count, out, true, bad);
}

bool expr_replace(ExprPool *pool, const SymbolMap *map, const ExprId *roots, uint32_t count, ExprId *out) {
  return run_pass(pool, map, roots, count, out, false, NULL);
}

bool expr_diff_all(ExprPool *pool, const ExprId *roots, uint32_t count, SymbolId symbol, ExprId *out) {
  OneSymbol room;
  SymbolMap map = map_of_one(&room, symbol, pool->one);
  return expr_derive(pool, &map, roots, count, out, NULL);
}

ExprId expr_diff(ExprPool *pool, ExprId root, SymbolId symbol) {
  ExprId d = 0;
  if (!root || !expr_diff_all(pool, &root, 1, symbol, &d)) return 0;
  return d;
}

// ---- the gradient

// Symbol number `which` occurs in term number `term`.
typedef struct Occurrence {
  uint32_t which, term;
} Occurrence;

typedef VEC(Occurrence) Occurrences;

static int by_which(const void *a, const void *b) {
  const Occurrence *x = a, *y = b;
  if (x->which != y->which) return x->which < y->which ? -1 : 1;
  return (x->term > y->term) - (x->term < y->term);
}

// Which of the symbols occur in which terms. places: of each symbol its number + 1, as if it were an expression.
static bool find_occurrences(ExprPool *pool, ExprId root, const SymbolMap *places, Occurrences *found) {
  for (uint32_t i = 0; i < expr_term_count(pool, root); i++) {
    ExprId term = expr_term(pool, root, i).term;
    uint32_t length;
    const ExprId *list = pool_reach(pool, &term, 1, touches, places, &length);
    if (!list) return false;
    for (uint32_t k = 0; k < length; k++) {
      SymbolId symbol = expr_symbol(pool, list[k]);
      ExprId place = symbol ? symbol_map_get(places, symbol) : 0;
      if (place && !vec_push(pool->scratch, found, (Occurrence){place - 1, i})) return false;
    }
  }
  if (found->count) qsort(found->items, found->count, sizeof *found->items, by_which);
  return true;
}

// d(sum)/d(symbol), from the terms in which it occurs.
static ExprId gradient_entry(ExprPool *pool, ExprId root, SymbolId symbol, const Occurrence *in, uint32_t count) {
  if (expr_op(pool, root) != op_add) return expr_diff(pool, root, symbol);
  ExprId *part = arena_array(pool->scratch, count, sizeof *part);
  Term *terms = arena_array(pool->scratch, count, sizeof *terms);
  if (!part || !terms) return 0;
  for (uint32_t i = 0; i < count; i++) part[i] = expr_term(pool, root, in[i].term).term;
  if (!expr_diff_all(pool, part, count, symbol, part)) return 0;
  uint32_t n = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (part[i] != pool->zero) terms[n++] = derived_term(pool, expr_term(pool, root, in[i].term), part[i]);
  }
  ExprId sum = expr_sum(pool, terms, n);
  return expr_term_count(pool, root) == 1 ? expr_whole(pool, sum) : sum;
}

static bool gradient(ExprPool *pool, ExprId root, const SymbolId *symbols, uint32_t count, ExprId *out) {
  SymbolMap places = symbol_map_in(pool->scratch);
  Occurrences found = {0};
  for (uint32_t k = 0; k < count; k++) symbol_map_set(&places, symbols[k], k + 1);
  if (!places.of) return false;
  for (uint32_t k = 0; k < count; k++) out[k] = pool->zero;
  if (!find_occurrences(pool, root, &places, &found)) return false;
  for (uint32_t i = 0, next; i < found.count; i = next) {
    uint32_t which = found.items[i].which;
    for (next = i; next < found.count && found.items[next].which == which;) next++;
    ArenaMark mark = arena_mark(pool->scratch);
    out[which] = gradient_entry(pool, root, symbols[which], &found.items[i], next - i);
    arena_release(pool->scratch, mark);
    if (!out[which]) return false;
  }
  return true;
}

bool expr_gradient(ExprPool *pool, ExprId root, const SymbolId *symbols, uint32_t count, ExprId *out) {
  if (!root) return false;
  ArenaMark mark = arena_mark(pool->scratch);
  bool ok = gradient(pool, root, symbols, count, out);
  arena_release(pool->scratch, mark);
  return ok;
}

static ExprId replace_one(ExprPool *pool, ExprId id, ExprId symbol, ExprId value) {
  OneSymbol room;
  SymbolMap map = map_of_one(&room, expr_symbol(pool, symbol), value);
  ExprId out = 0;
  return expr_replace(pool, &map, &id, 1, &out) ? out : 0;
}

// ---- variables of integrals and inverses that stood inside another one

typedef struct Lifting {
  ExprPool *pool;
  ExprId variable;      // of the one that is gone
  const uint32_t *slot; // of a node
  ExprId *value;
} Lifting;

static bool binds(const ExprPool *pool, ExprId id) {
  return expr_op(pool, id) == op_integral || expr_op(pool, id) == op_inverse;
}

static uint32_t bound_number(const ExprPool *pool, ExprId variable) {
  return pool_symbol_get(pool, expr_symbol(pool, variable))->index;
}

static ExprId lifted(void *self, ExprId parent, uint32_t i, ExprId part) {
  const Lifting *x = self;
  (void)parent, (void)i;
  return x->value[x->slot[part]];
}

static ExprId lift(ExprPool *pool, ExprId root, ExprId variable);

// One that stood directly inside takes over the variable; those inside it follow.
static ExprId lift_node(Lifting *x, ExprId id) {
  ExprPool *pool = x->pool;
  if (!binds(pool, id)) return expr_rebuild(pool, id, lifted, x);
  ExprOp op = expr_op(pool, id);
  ExprId a[4] = {pool_args(pool, id)[0], pool_args(pool, id)[1], pool_args(pool, id)[2], pool_args(pool, id)[3]};
  if (bound_number(pool, a[1]) != bound_number(pool, x->variable) + 1) return id;
  ExprId own = a[1];
  for (int i = 0; i < 4; i++) {
    bool inside = i == 0 || (op == op_inverse && i == 3);
    if (inside) a[i] = replace_one(pool, a[i], own, x->variable);
    if (inside && a[i]) a[i] = lift(pool, a[i], own);
    if (!inside && i != 1) a[i] = x->value[x->slot[a[i]]];
    if (!a[i]) return 0;
  }
  a[1] = x->variable;
  return expr_raw(pool, op, a, 4);
}

// Equal integrals and inverses have equal variables, by their nesting: what stood inside one that is gone moves up.
static ExprId lift(ExprPool *pool, ExprId root, ExprId variable) {
  uint32_t count;
  const ExprId *reached = pool_reach(pool, &root, 1, NULL, NULL, &count);
  bool any = false;
  for (uint32_t i = 0; reached && i < count; i++) any = any || binds(pool, reached[i]);
  if (!reached || !any) return reached ? root : 0;
  ArenaMark mark = arena_mark(pool->scratch);
  ExprId *list = arena_array(pool->scratch, count, sizeof *list);
  Lifting x = {pool, variable, pool->slot, arena_array(pool->scratch, count, sizeof *x.value)};
  if (list) memcpy(list, reached, count * sizeof *list);
  PoolMarks kept = pool_keep_marks(pool);
  bool ok = list && x.value;
  for (uint32_t i = 0; ok && i < count; i++) {
    x.value[i] = lift_node(&x, list[i]);
    ok = x.value[i] != 0;
  }
  ExprId out = ok ? x.value[x.slot[root]] : 0;
  pool_return_marks(pool, kept);
  arena_release(pool->scratch, mark);
  return out;
}

static ExprId replace_bound(ExprPool *pool, ExprId body, ExprId bound, ExprId value) {
  ExprId out = body && value ? replace_one(pool, body, bound, value) : 0;
  // what came in with the value stays: it stood inside nothing
  return out && expr_op(pool, value) == op_sym ? lift(pool, out, bound) : out;
}

// Lowering of expressions to a tape by value numbering.
//
// Values are numbered here (equal operations once); finish.c makes the tape of them.
//
// A value is constant, static (of parameters alone) or dynamic. Products and sums are arranged so that their static
// parts stand together and move to the prologue.
#include "tape/builder.h"

#include "base/probe.h"
#include "base/refuse.h"
#include "expr/calculus.h"
#include "tape/kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t mix(uint32_t h, uint32_t x) {
  h = (h ^ x) * 0x9E3779B1u;
  return h ^ h >> 15;
}

static uint32_t hash_of(const TapeValue *v) {
  uint64_t bits;
  memcpy(&bits, &v->number, sizeof bits);
  return mix(mix(mix(mix(mix(7, v->code), v->a), v->b), v->c), (uint32_t)(bits ^ bits >> 32));
}

static bool is_same(const TapeValue *x, const TapeValue *y) {
  return x->code == y->code && x->a == y->a && x->b == y->b && x->c == y->c &&
         memcmp(&x->number, &y->number, sizeof x->number) == 0;
}

// The slot of a value in a hash table, or the empty slot for it.
static uint32_t *place_in(const TapeBuilder *b, uint32_t *table, uint32_t size, const TapeValue *v) {
  uint32_t hash = hash_of(v), near = hash;
  if (v->code != val_const) near = v->a > v->b ? v->a : v->b;
  if (v->code != val_const && v->c > near) near = v->c;
  TableProbe p = probe_at(near, hash, size);
  while (table[p.at] && !is_same(&b->vals.items[table[p.at]], v)) probe_next(&p);
  return &table[p.at];
}

uint32_t *tape_value_place(const TapeBuilder *b, const TapeValue *v) { return place_in(b, b->table, b->table_size, v); }

Val build_value(TapeBuilder *b, TapeValue v) {
  if (b->vals.count * 2 >= b->table_size) {
    uint32_t size = b->table_size ? b->table_size * 2 : 512;
    uint32_t *table = arena_array(b->arena, size, sizeof *table);
    if (!table) return 0;
    for (uint32_t i = 1; i < b->vals.count; i++) *place_in(b, table, size, &b->vals.items[i]) = i;
    arena_drop(b->arena, b->table, b->table_size * sizeof *table);
    b->table = table;
    b->table_size = size;
  }
  uint32_t *place = tape_value_place(b, &v);
  if (*place) return *place;
  if (b->vals.count == 0 && !vec_push(b->arena, &b->vals, (TapeValue){0})) return 0;
  if (!vec_push(b->arena, &b->vals, v)) return 0;
  return *place = b->vals.count - 1;
}

Val build_constant(TapeBuilder *b, double x) { return build_value(b, (TapeValue){.code = val_const, .number = x}); }

bool build_is(const TapeBuilder *b, Val v, double x) {
  return b->vals.items[v].code == val_const && b->vals.items[v].number == x;
}

Val build_operation(TapeBuilder *b, TapeCode code, Val x, Val y, Val z) {
  if (!x) return 0;
  uint8_t level = (uint8_t)build_level(b, x);
  if (y && build_level(b, y) > level) level = level_dynamic;
  if (z && build_level(b, z) > level) level = level_dynamic;
  // sums and products commute: one order, one value
  if ((code == tape_add || code == tape_mul) && x > y) {
    Val swap = x;
    x = y;
    y = swap;
  }
  return build_value(b,
                     (TapeValue){.code = (uint16_t)code, .level = level, .origin = b->origin, .a = x, .b = y, .c = z});
}

Val build_product(TapeBuilder *b, Val x, Val y) {
  if (!x || !y) return 0;
  if (build_is(b, x, 1)) return y;
  if (build_is(b, y, 1)) return x;
  if (build_is(b, x, -1)) return build_operation(b, tape_neg, y, 0, 0);
  if (build_is(b, y, -1)) return build_operation(b, tape_neg, x, 0, 0);
  return build_operation(b, tape_mul, x, y, 0);
}

// x^n by squaring
static Val whole_power(TapeBuilder *b, Val x, uint64_t n) {
  Val result = 0;
  for (; n; n >>= 1) {
    if (n & 1) result = result ? build_product(b, result, x) : x;
    if (n > 1) x = build_operation(b, tape_mul, x, x, 0);
  }
  return result;
}

// base^|exponent| for the exponents that products know; *below says that it divides
static Val power(TapeBuilder *b, Factor f, bool *below) {
  Rat e;
  Val x = build_expr(b, f.base);
  *below = false;
  if (!expr_number(b->pool, f.exponent, &e)) return build_operation(b, tape_pow, x, build_expr(b, f.exponent), 0);
  *below = rat_sign(e) < 0;
  int64_t num = e.num < 0 ? -e.num : e.num;
  if (!e.big && e.den == 1 && num <= 64) return whole_power(b, x, (uint64_t)num);
  if (!e.big && e.den == 2 && num <= 64) {
    Val root = build_operation(b, tape_sqrt, x, 0, 0);
    return num == 1 ? root : build_product(b, whole_power(b, x, (uint64_t)num / 2), root);
  }
  double value = rat_to_double(e);
  return build_operation(b, tape_pow, x, build_constant(b, fabs(value)), 0);
}

// ---- sums and products

// Additions round, so their order is part of the result. The pool keeps terms in the order in which they were made; a
// tape takes them by their structure (see expr/pool.c), so that the same expression has the same bits however
// it came about.
typedef struct Ordered {
  int rank; // of factors: symbols, then functions, then sums: so products begin alike more often
  uint64_t key, moment;
  uint32_t near, shape, index;
} Ordered;

static int by_key(const void *a, const void *b) {
  const Ordered *x = a, *y = b;
  if (x->rank != y->rank) return x->rank - y->rank;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  if (x->near != y->near) return x->near < y->near ? -1 : 1;
  if (x->moment != y->moment) return x->moment < y->moment ? -1 : 1;
  if (x->shape != y->shape) return x->shape < y->shape ? -1 : 1;
  return (x->index > y->index) - (x->index < y->index);
}

enum { few_terms = 16 };

// few: room for few_terms. NULL: out of memory.
static Ordered *in_order(TapeBuilder *b, ExprId id, Ordered *few, uint32_t count) {
  Ordered *list = count <= few_terms ? few : arena_array(b->arena, count, sizeof *list);
  bool sum = expr_op(b->pool, id) == op_add;
  for (uint32_t i = 0; list && i < count; i++) {
    ExprId part = sum ? expr_term(b->pool, id, i).term : expr_factor(b->pool, id, i).base;
    const ExprNode *node = pool_node(b->pool, part);
    int rank = sum || node->op == op_sym ? 0 : node->op == op_add ? 2 : 1;
    const ExprKey *k = pool_key(b->pool, part);
    if (!k) return NULL;
    list[i] = (Ordered){rank, k->key, k->moment, expr_near_shape(b->pool, part), k->shape, i};
  }
  if (list && count > few_terms) qsort(list, count, sizeof *list, by_key);
  for (uint32_t i = 1; list && count <= few_terms && i < count; i++) {
    Ordered x = list[i];
    uint32_t k = i;
    for (; k > 0 && by_key(&list[k - 1], &x) > 0; k--) list[k] = list[k - 1];
    list[k] = x;
  }
  return list;
}

// The factors of a product: static and dynamic ones, above and below its line.
static bool emit_factors(TapeBuilder *b, ExprId id, Val part[2][2]) {
  uint32_t count = expr_factor_count(b->pool, id);
  Ordered few[few_terms];
  const Ordered *order = in_order(b, id, few, count);
  for (uint32_t i = 0; order && i < count; i++) {
    bool below;
    Val x = power(b, expr_factor(b->pool, id, order[i].index), &below);
    if (!x) return false;
    Val *p = &part[build_level(b, x)][below];
    *p = *p ? build_product(b, *p, x) : x;
  }
  return order;
}

// coef * product: (static part) * dynamic numerator / dynamic denominator
static Val emit_product(TapeBuilder *b, double coef, ExprId id) {
  Val part[2][2] = {{0}}; // [level][below]
  if (!emit_factors(b, id, part)) return 0;
  Val fixed = build_constant(b, coef * rat_to_double(expr_coef(b->pool, id)));
  if (part[level_static][0]) fixed = build_product(b, fixed, part[level_static][0]);
  if (part[level_static][1]) fixed = build_operation(b, tape_div, fixed, part[level_static][1], 0);
  Val above = part[level_dynamic][0];
  Val value = above ? build_product(b, fixed, above) : fixed;
  return part[level_dynamic][1] ? build_operation(b, tape_div, value, part[level_dynamic][1], 0) : value;
}

// Whether r has a decimal form, as 0.63 has: a denominator of factors 2 and 5.
static bool is_decimal(Rat r) {
  int64_t den = r.den;
  if (r.big || den <= 0) return false;
  while (den % 2 == 0) den /= 2;
  while (den % 5 == 0) den /= 5;
  return den == 1;
}

// What `floor` counts: one division at the end, by the number that the text divides by, so that floor(t/0.63) and
// mod(t, 0.63) see the same quotient. A product with 1/0.63 rounds twice, and is below 3 at t = 1.89.
static Val emit_quotient(TapeBuilder *b, ExprId id) {
  Val part[2][2] = {{0}};
  if (!emit_factors(b, id, part)) return 0;
  Rat coef = expr_coef(b->pool, id), inverse = rat_div(b->arena, RAT_ONE, coef);
  bool divides = !is_decimal(coef) && is_decimal(inverse);
  Val above = build_constant(b, divides ? 1 : rat_to_double(coef));
  Val below = build_constant(b, divides ? rat_to_double(inverse) : 1);
  for (int level = level_static; level <= level_dynamic; level++) {
    if (part[level][0]) above = build_product(b, above, part[level][0]);
    if (part[level][1]) below = build_product(b, below, part[level][1]);
  }
  return build_operation(b, tape_div, above, below, 0);
}

static Val sum_of(TapeBuilder *b, Val sum, int sign, Val x) {
  if (!x) return 0;
  if (!sum) return sign < 0 ? build_operation(b, tape_neg, x, 0, 0) : x;
  return build_operation(b, sign < 0 ? tape_sub : tape_add, sum, x, 0);
}

// Static terms first, positive ones before negative ones, so that most signs become subtractions.
static Val emit_sum(TapeBuilder *b, ExprId id) {
  uint32_t n = expr_term_count(b->pool, id);
  double first = rat_to_double(expr_term(b->pool, id, 0).coef);
  bool common = true; // one coefficient but for the sign
  for (uint32_t i = 1; i < n && common; i++)
    common = fabs(rat_to_double(expr_term(b->pool, id, i).coef)) == fabs(first);
  double outer = common ? fabs(first) : 1;
  Val few_vals[few_terms], *vals = n <= few_terms ? few_vals : arena_array(b->arena, n, sizeof *vals);
  int8_t few_signs[few_terms], *signs = n <= few_terms ? few_signs : arena_array(b->arena, n, sizeof *signs);
  Ordered few[few_terms], *order = in_order(b, id, few, n);
  if (!vals || !signs || !order) return 0;
  for (uint32_t i = 0; i < n; i++) {
    Term t = expr_term(b->pool, id, order[i].index);
    double c = rat_to_double(t.coef);
    signs[i] = c < 0 ? -1 : 1;
    double size = common ? 1 : fabs(c);
    if (t.term == b->pool->one) vals[i] = build_constant(b, size);
    else if (expr_op(b->pool, t.term) == op_mul) vals[i] = emit_product(b, size, t.term);
    else vals[i] = build_product(b, build_constant(b, size), build_expr(b, t.term));
    if (!vals[i]) return 0;
  }
  Val sum = 0;
  for (int pass = 0; pass < 4; pass++) {
    Level level = pass < 2 ? level_static : level_dynamic;
    int sign = pass % 2 ? -1 : 1;
    for (uint32_t i = 0; i < n; i++) {
      if (build_level(b, vals[i]) == level && signs[i] == sign) sum = sum_of(b, sum, sign, vals[i]);
    }
  }
  if (n > few_terms) { // an energy of 100,000 masses has as many terms
    arena_drop(b->arena, order, n * sizeof *order);
    arena_drop(b->arena, vals, n * sizeof *vals);
    arena_drop(b->arena, signs, n * sizeof *signs);
  }
  return build_product(b, build_constant(b, outer), sum);
}

// ---- kernels

Val build_call(TapeBuilder *b, const TapeKernel *kernel, const void *data, const Val *args, uint32_t count) {
  uint8_t level = level_static;
  TapeCall call = {.kernel = kernel, .data = data, .args = b->args.count, .count = count};
  for (uint32_t i = 0; i < count; i++) {
    if (!args[i] || !vec_push(b->arena, &b->args, args[i])) return 0;
    if (build_level(b, args[i]) == level_dynamic) level = level_dynamic;
  }
  if (!vec_push(b->arena, &b->calls, call)) return 0;
  return build_value(b, (TapeValue){.code = tape_call, .level = level, .origin = b->origin, .a = b->calls.count - 1});
}

Val build_slot(TapeBuilder *b, uint32_t slot, Level level) {
  return build_value(b, (TapeValue){.code = val_slot, .level = (uint8_t)level, .a = slot});
}

Val build_param(TapeBuilder *b, SymbolId symbol) {
  const Symbol *x = pool_symbol_get(b->pool, symbol);
  if (x->kind != sym_param) return 0;
  const SystemParam *p = &b->system->params.items[x->index];
  Val v = b->params_by_value ? build_expr(b, p->value) : build_slot(b, x->index, level_static);
  b->of_symbol[symbol] = v;
  return v;
}

// ---- nodes

static TapeCode code_of(ExprOp op) { return (TapeCode)((int)op - (int)op_sin + (int)tape_sin); }

static Val emit_symbol(TapeBuilder *b, SymbolId symbol) {
  Val v = b->of_symbol[symbol] || !b->params_later ? b->of_symbol[symbol] : build_param(b, symbol);
  if (v) return v;
  const char *name = pool_symbol_get(b->pool, symbol)->name;
  const char *why = arena_printf(b->arena, "`%s` is needed here, and nothing computes it", name);
  if (why) arena_refuse(b->kept, why);
  return 0;
}

static Val emit_node(TapeBuilder *b, ExprId id) {
  ExprPool *pool = b->pool;
  const ExprNode *n = pool_node(pool, id);
  Rat r;
  switch ((int)n->op) {
  case op_num: expr_number(pool, id, &r); return build_constant(b, rat_to_double(r));
  case op_pi: return build_constant(b, 0x1.921fb54442d18p+1);
  case op_inf: return build_constant(b, INFINITY);
  case op_undefined: return build_constant(b, NAN);
  case op_sym: return emit_symbol(b, n->first);
  case op_add: return emit_sum(b, id);
  case op_mul: return emit_product(b, 1, id);
  case op_noise:
  case op_table:
  case op_integral:
  case op_inverse: return build_special(b, id);
  default: break;
  }
  Val v[3] = {0};
  for (uint32_t i = 0; i < n->count && i < 3; i++) {
    ExprId arg = pool_args(pool, id)[i];
    v[i] = n->op == op_floor && expr_op(pool, arg) == op_mul ? emit_quotient(b, arg) : build_expr(b, arg);
    if (!v[i]) return 0;
  }
  return build_operation(b, code_of((ExprOp)n->op), v[0], v[1], v[2]);
}

static uint32_t origin_of(const TapeBuilder *b, ExprId id) {
  if (!b->node_origin) return 0;
  if (b->node_origin[id]) return b->node_origin[id];
  const ExprNode *n = pool_node(b->pool, id);
  if (n->op == op_num || n->op == op_sym) return 0;
  for (uint32_t i = 0; i < n->count; i++) {
    ExprId child = pool_args(b->pool, id)[i];
    ExprOp op = expr_op(b->pool, child);
    if (op != op_num && op != op_sym && b->node_origin[child]) return b->node_origin[child];
  }
  return 0;
}

Val build_expr(TapeBuilder *b, ExprId id) {
  if (!id) return 0;
  if (id < b->of_node_size && b->of_node[id]) return b->of_node[id];
  Val v;
  ExprOp op = expr_op(b->pool, id);
  if (b->outer && op != op_num && op != op_pi && !(pool_node(b->pool, id)->bound & b->own)) {
    v = build_capture(b, id);
  } else {
    uint32_t before = b->origin, own = origin_of(b, id);
    if (own) b->origin = own;
    v = emit_node(b, id);
    b->origin = before;
  }
  if (id >= b->of_node_size) return v;
  if (b->outer && !vec_push(b->arena, &b->touched, id)) return 0;
  b->of_node[id] = v;
  return v;
}

bool build_not_yet(const ExprPool *pool, ExprId id, const void *context) {
  const TapeBuilder *b = context;
  (void)pool;
  return id >= b->of_node_size || !b->of_node[id];
}

// Emits below a root, children first, so that no chain is deeper than one call.
Val build_root(TapeBuilder *b, ExprId root) {
  uint32_t length;
  const ExprId *list = pool_reach(b->pool, &root, 1, build_not_yet, b, &length);
  if (!list) return 0;
  ExprId *copy = arena_array(b->arena, length, sizeof *copy);
  if (!copy) return 0;
  memcpy(copy, list, length * sizeof *copy);
  for (uint32_t i = 0; i < length; i++) {
    ExprOp op = expr_op(b->pool, copy[i]);
    // what depends on a bound variable is emitted by its body; numbers inside products and sums need no value
    if (pool_node(b->pool, copy[i])->bound || op == op_num || op == op_sym) continue;
    if (!build_expr(b, copy[i])) return 0;
  }
  arena_drop(b->arena, copy, length * sizeof *copy);
  return build_expr(b, root);
}

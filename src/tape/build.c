// Expressions to a tape.
//
// Values are numbered here (equal operations once); finish.c makes the tape of them.
//
// A value is constant, static (of parameters alone) or dynamic. Products and sums are arranged so that their static
// parts stand together and move to the prologue.
#include "tape/builder.h"

#include "expr/calculus.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t mix(uint32_t h, uint32_t x) {
  h = (h ^ x) * 0x9E3779B1u;
  return h ^ h >> 15;
}

uint32_t tape_value_hash(const TapeValue *v) {
  uint64_t bits;
  memcpy(&bits, &v->number, sizeof bits);
  return mix(mix(mix(mix(mix(7, v->code), v->a), v->b), v->c), (uint32_t)(bits ^ bits >> 32));
}

bool tape_value_same(const TapeValue *x, const TapeValue *y) {
  return x->code == y->code && x->a == y->a && x->b == y->b && x->c == y->c &&
         memcmp(&x->number, &y->number, sizeof x->number) == 0;
}

static Val intern(Builder *b, TapeValue v) {
  if (b->vals.count * 2 >= b->table_size) {
    uint32_t size = b->table_size ? b->table_size * 2 : 512;
    uint32_t *table = arena_array(b->arena, size, sizeof *table);
    if (!table) return 0;
    for (uint32_t i = 1; i < b->vals.count; i++) {
      uint32_t at = tape_value_hash(&b->vals.items[i]) & (size - 1);
      while (table[at]) at = (at + 1) & (size - 1);
      table[at] = i;
    }
    b->table = table;
    b->table_size = size;
  }
  uint32_t at = tape_value_hash(&v) & (b->table_size - 1);
  for (; b->table[at]; at = (at + 1) & (b->table_size - 1)) {
    if (tape_value_same(&b->vals.items[b->table[at]], &v)) return b->table[at];
  }
  if (b->vals.count == 0 && !vec_push(b->arena, &b->vals, (TapeValue){0})) return 0;
  if (!vec_push(b->arena, &b->vals, v)) return 0;
  b->table[at] = b->vals.count - 1;
  return b->vals.count - 1;
}

static Level level_of(const Builder *b, Val v) { return (Level)b->vals.items[v].level; }

static Val constant(Builder *b, double x) { return intern(b, (TapeValue){.code = val_const, .number = x}); }

static bool is_constant(const Builder *b, Val v, double x) {
  return b->vals.items[v].code == val_const && b->vals.items[v].number == x;
}

static Val operate(Builder *b, TapeCode code, Val x, Val y, Val z) {
  if (!x) return 0;
  uint8_t level = (uint8_t)level_of(b, x);
  if (y && level_of(b, y) > level) level = level_dynamic;
  if (z && level_of(b, z) > level) level = level_dynamic;
  // sums and products commute: one order, one value
  if ((code == tape_add || code == tape_mul) && x > y) {
    Val swap = x;
    x = y;
    y = swap;
  }
  return intern(b, (TapeValue){.code = (uint16_t)code, .level = level, .origin = b->origin, .a = x, .b = y, .c = z});
}

static Val multiply(Builder *b, Val x, Val y) {
  if (!x || !y) return 0;
  if (is_constant(b, x, 1)) return y;
  if (is_constant(b, y, 1)) return x;
  if (is_constant(b, x, -1)) return operate(b, tape_neg, y, 0, 0);
  if (is_constant(b, y, -1)) return operate(b, tape_neg, x, 0, 0);
  return operate(b, tape_mul, x, y, 0);
}

static Val emit(Builder *b, ExprId id);

// x^n by squaring
static Val whole_power(Builder *b, Val x, uint64_t n) {
  Val result = 0;
  for (; n; n >>= 1) {
    if (n & 1) result = result ? multiply(b, result, x) : x;
    if (n > 1) x = operate(b, tape_mul, x, x, 0);
  }
  return result;
}

// base^|exponent| for the exponents that products know; *below says that it divides
static Val power(Builder *b, Factor f, bool *below) {
  Rat e;
  Val x = emit(b, f.base);
  *below = false;
  if (!expr_number(b->pool, f.exponent, &e)) return operate(b, tape_pow, x, emit(b, f.exponent), 0);
  *below = rat_sign(e) < 0;
  int64_t num = e.num < 0 ? -e.num : e.num;
  if (!e.big && e.den == 1 && num <= 64) return whole_power(b, x, (uint64_t)num);
  if (!e.big && e.den == 2 && num <= 64) {
    Val root = operate(b, tape_sqrt, x, 0, 0);
    return num == 1 ? root : multiply(b, whole_power(b, x, (uint64_t)num / 2), root);
  }
  double value = rat_to_double(e);
  return operate(b, tape_pow, x, constant(b, fabs(value)), 0);
}

// ---- sums and products

// Additions round, so their order is part of the result. The pool keeps terms in the order in which they were made; a
// tape takes them by their structure (see expr/pool.c), so that the same expression has the same bits however
// it came about.
typedef struct Ordered {
  int late; // of factors: symbols, then functions, then sums: so products begin alike more often
  uint64_t key, moment;
  uint32_t near, shape, index;
} Ordered;

static int by_key(const void *a, const void *b) {
  const Ordered *x = a, *y = b;
  if (x->late != y->late) return x->late - y->late;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  if (x->near != y->near) return x->near < y->near ? -1 : 1;
  if (x->moment != y->moment) return x->moment < y->moment ? -1 : 1;
  if (x->shape != y->shape) return x->shape < y->shape ? -1 : 1;
  return (x->index > y->index) - (x->index < y->index);
}

enum { few_terms = 16 };

// few: room for few_terms. NULL: memory is out.
static const Ordered *in_order(Builder *b, ExprId id, Ordered *few, uint32_t count) {
  Ordered *list = count <= few_terms ? few : arena_array(b->arena, count, sizeof *list);
  bool sum = expr_op(b->pool, id) == op_add;
  for (uint32_t i = 0; list && i < count; i++) {
    ExprId part = sum ? expr_term(b->pool, id, i).term : expr_factor(b->pool, id, i).base;
    const ExprNode *node = pool_node(b->pool, part);
    int late = sum || node->op == op_sym ? 0 : node->op == op_add ? 2 : 1;
    list[i] = (Ordered){late, node->key, node->moment, expr_near_shape(b->pool, part), node->shape, i};
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

// coef * product: (static part) * dynamic numerator / dynamic denominator
static Val emit_product(Builder *b, double coef, ExprId id) {
  Val part[2][2] = {{0}}; // [level][below]
  uint32_t count = expr_factor_count(b->pool, id);
  coef *= rat_to_double(expr_coef(b->pool, id));
  Ordered few[few_terms];
  const Ordered *order = in_order(b, id, few, count);
  if (!order) return 0;
  for (uint32_t i = 0; i < count; i++) {
    bool below;
    Val x = power(b, expr_factor(b->pool, id, order[i].index), &below);
    if (!x) return 0;
    Val *p = &part[level_of(b, x)][below];
    *p = *p ? multiply(b, *p, x) : x;
  }
  Val fixed = constant(b, coef);
  if (part[level_static][0]) fixed = multiply(b, fixed, part[level_static][0]);
  if (part[level_static][1]) fixed = operate(b, tape_div, fixed, part[level_static][1], 0);
  Val above = part[level_dynamic][0];
  Val value = above ? multiply(b, fixed, above) : fixed;
  return part[level_dynamic][1] ? operate(b, tape_div, value, part[level_dynamic][1], 0) : value;
}

static Val sum_of(Builder *b, Val sum, double sign, Val x) {
  if (!x) return 0;
  if (!sum) return sign < 0 ? operate(b, tape_neg, x, 0, 0) : x;
  return operate(b, sign < 0 ? tape_sub : tape_add, sum, x, 0);
}

// Static terms first, positive ones before negative ones, so that most signs become subtractions.
static Val emit_sum(Builder *b, ExprId id) {
  uint32_t n = expr_term_count(b->pool, id);
  double first = rat_to_double(expr_term(b->pool, id, 0).coef);
  bool common = true; // one coefficient but for the sign
  for (uint32_t i = 1; i < n && common; i++)
    common = fabs(rat_to_double(expr_term(b->pool, id, i).coef)) == fabs(first);
  double outer = common ? fabs(first) : 1;
  Val *vals = arena_array(b->arena, n, sizeof *vals);
  double *signs = arena_array(b->arena, n, sizeof *signs);
  Ordered few[few_terms];
  const Ordered *order = in_order(b, id, few, n);
  if (!vals || !signs || !order) return 0;
  for (uint32_t i = 0; i < n; i++) {
    Term t = expr_term(b->pool, id, order[i].index);
    double c = rat_to_double(t.coef);
    signs[i] = c < 0 ? -1 : 1;
    double size = common ? 1 : fabs(c);
    if (t.term == b->pool->one) vals[i] = constant(b, size);
    else if (expr_op(b->pool, t.term) == op_mul) vals[i] = emit_product(b, size, t.term);
    else vals[i] = multiply(b, constant(b, size), emit(b, t.term));
    if (!vals[i]) return 0;
  }
  Val sum = 0;
  for (int pass = 0; pass < 4; pass++) {
    Level level = pass < 2 ? level_static : level_dynamic;
    double sign = pass % 2 ? -1 : 1;
    for (uint32_t i = 0; i < n; i++) {
      if (level_of(b, vals[i]) == level && signs[i] == sign) sum = sum_of(b, sum, sign, vals[i]);
    }
  }
  return multiply(b, constant(b, outer), sum);
}

// ---- kernels

static Val add_call(Builder *b, TapeCode code, TapeCall call, const Val *args, uint32_t count) {
  uint8_t level = level_static;
  call.args = b->args.count;
  call.count = count;
  for (uint32_t i = 0; i < count; i++) {
    if (!args[i] || !vec_push(b->arena, &b->args, args[i])) return 0;
    if (level_of(b, args[i]) == level_dynamic) level = level_dynamic;
  }
  if (!vec_push(b->arena, &b->calls, call)) return 0;
  return intern(b, (TapeValue){.code = (uint16_t)code, .level = level, .origin = b->origin, .a = b->calls.count - 1});
}

// outer: of a body, or NULL.
static bool builder_init(Builder *b, Arena *arena, System *system, Builder *outer) {
  *b = (Builder){.arena = arena, .system = system, .pool = system->pool, .outer = outer};
  b->of_node_size = outer ? outer->of_node_size : b->pool->nodes.count;
  b->of_node = outer && outer->spare_node ? outer->spare_node : arena_array(arena, b->of_node_size, sizeof *b->of_node);
  b->of_symbol = outer && outer->spare_symbol ? outer->spare_symbol
                                              : arena_array(arena, b->pool->symbols.count, sizeof *b->of_symbol);
  if (outer) outer->spare_node = outer->spare_symbol = NULL;
  return b->of_node && b->of_symbol;
}

// A body is done: the next one may have its tables.
static void give_back(Builder *b, const SymbolId *bound, uint32_t bound_count) {
  for (uint32_t i = 0; i < b->touched.count; i++) b->of_node[b->touched.items[i]] = 0;
  for (uint32_t i = 0; i < bound_count; i++) b->of_symbol[bound[i]] = 0;
  b->outer->spare_node = b->of_node;
  b->outer->spare_symbol = b->of_symbol;
}

static Val slot_val(Builder *b, uint32_t slot, Level level) {
  return intern(b, (TapeValue){.code = val_slot, .level = (uint8_t)level, .a = slot});
}

static bool holds_own(const ExprPool *pool, ExprId id, const void *context) {
  return (pool_node(pool, id)->bound & *(const uint16_t *)context) != 0;
}

// Emits what depends on the body's variable, children first, so that no chain is deeper than one call.
static bool emit_inside(Builder *b, const ExprId *bodies, uint32_t count) {
  uint32_t length;
  const ExprId *list = pool_reach(b->pool, bodies, count, holds_own, &b->own, &length);
  ExprId *copy = list ? arena_array(b->arena, length, sizeof *copy) : NULL;
  if (!copy) return false;
  memcpy(copy, list, length * sizeof *copy);
  for (uint32_t i = 0; i < length; i++) {
    // what holds the variable of an integral further inside waits for it
    if (pool_node(b->pool, copy[i])->bound & ~b->allowed) continue;
    if (expr_op(b->pool, copy[i]) != op_sym && !emit(b, copy[i])) return false;
  }
  return true;
}

static Val emit_table(Builder *b, ExprId id, int slope) {
  const ExprId *a = pool_args(b->pool, id);
  Rat index;
  int64_t i = 0;
  expr_number(b->pool, a[0], &index);
  rat_to_int(index, &i);
  Val arg = emit(b, a[2]);
  return add_call(b, tape_table, (TapeCall){.table = &b->system->tables.items[i], .slope = slope}, &arg, 1);
}

// ---- what an integral must know of its integrand

// Beside its value the body of an integral gives what its corners and its fast functions see: an argument that changes
// sign, a number whose whole part jumps, an angle, an exponent. The kinds are those of kernels_text.h.
typedef enum WatchKind { watch_sign, watch_whole, watch_turn, watch_rise } WatchKind;

typedef struct Watches {
  VEC(Val) vals;
  VEC(uint8_t) kinds;
} Watches;

static void watch(Builder *b, Watches *list, WatchKind kind, Val v) {
  if (!v || level_of(b, v) == level_static) return;
  for (uint32_t i = 0; i < list->vals.count; i++) {
    if (list->vals.items[i] == v && list->kinds.items[i] == kind) return;
  }
  vec_push(b->arena, &list->vals, v);
  vec_push(b->arena, &list->kinds, (uint8_t)kind);
}

// From this exponent on a power rises like an exponential: x^9 by half a per cent of x.
enum { steep_power = 9 };

static void watch_powers(Builder *b, Watches *list, ExprId id) {
  for (uint32_t i = 0; i < expr_factor_count(b->pool, id); i++) {
    Factor f = expr_factor(b->pool, id, i);
    Rat e;
    bool number = expr_number(b->pool, f.exponent, &e);
    if (number && fabs(rat_to_double(e)) < steep_power) continue;
    Val size = operate(b, tape_ln, operate(b, tape_abs, emit(b, f.base), 0, 0), 0, 0);
    watch(b, list, watch_rise, multiply(b, number ? constant(b, rat_to_double(e)) : emit(b, f.exponent), size));
  }
}

static void watch_node(Builder *b, Watches *list, ExprId id) {
  const ExprNode *n = pool_node(b->pool, id);
  const ExprId *a = pool_args(b->pool, id);
  switch ((int)n->op) {
  case op_abs:
  case op_sign:
  case op_step:
  case op_ramp: watch(b, list, watch_sign, emit(b, a[0])); break;
  case op_min:
  case op_max:
  case op_lt:
  case op_le:
  case op_eq:
  case op_ne: watch(b, list, watch_sign, operate(b, tape_sub, emit(b, a[0]), emit(b, a[1]), 0)); break;
  case op_floor: watch(b, list, watch_whole, emit(b, a[0])); break;
  case op_mod: watch(b, list, watch_whole, operate(b, tape_div, emit(b, a[0]), emit(b, a[1]), 0)); break;
  case op_sin:
  case op_cos:
  case op_tan: watch(b, list, watch_turn, emit(b, a[0])); break;
  case op_exp: watch(b, list, watch_rise, emit(b, a[0])); break;
  case op_sinh:
  case op_cosh:
  case op_tanh:
    watch(b, list, watch_rise, operate(b, tape_neg, operate(b, tape_abs, emit(b, a[0]), 0, 0), 0, 0));
    break;
  case op_table: watch(b, list, watch_whole, emit_table(b, id, 2)); break;
  case op_mul: watch_powers(b, list, id); break;
  default: break;
  }
}

static bool watch_body(Builder *b, Watches *list, ExprId body) {
  uint32_t length;
  const ExprId *reached = pool_reach(b->pool, &body, 1, holds_own, &b->own, &length);
  ExprId *copy = reached ? arena_array(b->arena, length, sizeof *copy) : NULL;
  if (!copy) return false;
  memcpy(copy, reached, length * sizeof *copy);
  for (uint32_t i = 0; i < length; i++) {
    // what holds the variable of an integral further inside is that one's matter
    if (!(pool_node(b->pool, copy[i])->bound & ~b->allowed)) watch_node(b, list, copy[i]);
  }
  return !arena_failed(b->arena);
}

// The body of an integral, inverse or Newton's method as a tape of its own. bound: its variables.
static Val emit_body(Builder *b, TapeCode code, const ExprId *bodies, uint32_t body_count, const SymbolId *bound,
                     uint32_t bound_count, const ExprId *own, uint32_t own_count) {
  Builder inner;
  if (!builder_init(&inner, b->arena, b->system, b)) return 0;
  inner.own_vars = bound_count;
  inner.own = pool_node(b->pool, pool_symbol_get(b->pool, bound[0])->self)->bound;
  inner.allowed = (uint16_t)(inner.own | b->allowed);
  inner.node_origin = b->node_origin;
  inner.origin = b->origin;
  inner.next_slot = bound_count; // first come the bound variables
  for (uint32_t i = 0; i < bound_count; i++) inner.of_symbol[bound[i]] = slot_val(&inner, i, level_dynamic);
  if (!emit_inside(&inner, bodies, body_count)) return 0;
  VEC(Val) results = {0};
  for (uint32_t i = 0; i < body_count; i++) {
    Val v = emit(&inner, bodies[i]);
    if (!v || !vec_push(b->arena, &results, v)) return 0;
  }
  Watches watches = {0};
  if (code == tape_integral && !watch_body(&inner, &watches, bodies[0])) return 0;
  for (uint32_t i = 0; i < watches.vals.count; i++) vec_push(b->arena, &results, watches.vals.items[i]);
  // captured values sit behind the bound variables
  const Tape *body = tape_finish(&inner, results.items, results.count, 0, bound_count + inner.captured.count);
  Val *args = arena_array(b->arena, (size_t)own_count + inner.captured.count, sizeof *args);
  if (!body || !args) return 0;
  for (uint32_t i = 0; i < own_count; i++) args[i] = emit(b, own[i]);
  for (uint32_t i = 0; i < inner.captured.count; i++) args[own_count + i] = inner.captured.items[i];
  give_back(&inner, bound, bound_count);
  TapeCall call = {.body = body, .size = bound_count, .watches = watches.kinds.items};
  for (uint32_t i = own_count; i < own_count + inner.captured.count; i++)
    call.moving = call.moving || (args[i] && level_of(b, args[i]) == level_dynamic);
  return add_call(b, code, call, args, own_count + inner.captured.count);
}

static Val emit_special(Builder *b, ExprId id) {
  ExprPool *pool = b->pool;
  const ExprId *a = pool_args(pool, id);
  switch ((int)expr_op(pool, id)) {
  case op_noise: {
    Val args[2] = {emit(b, a[0]), emit(b, a[2])};
    return add_call(b, tape_noise, (TapeCall){0}, args, 2);
  }
  case op_table: return emit_table(b, id, a[1] != pool->zero);
  case op_integral: {
    SymbolId bound = expr_symbol(pool, a[1]);
    return emit_body(b, tape_integral, &a[0], 1, &bound, 1, &a[2], 2);
  }
  default: {
    // Newton's method needs the derivative as well
    ExprId bodies[2] = {a[0], a[3]};
    SymbolId bound = expr_symbol(pool, a[1]);
    return emit_body(b, tape_inverse, bodies, 2, &bound, 1, &a[2], 1);
  }
  }
}

// ---- nodes

static TapeCode code_of(ExprOp op) { return (TapeCode)((int)op - (int)op_sin + (int)tape_sin); }

static Val emit_node(Builder *b, ExprId id) {
  ExprPool *pool = b->pool;
  const ExprNode *n = pool_node(pool, id);
  Rat r;
  switch ((int)n->op) {
  case op_num: expr_number(pool, id, &r); return constant(b, rat_to_double(r));
  case op_pi: return constant(b, 0x1.921fb54442d18p+1);
  case op_inf: return constant(b, INFINITY);
  case op_undefined: return constant(b, NAN);
  case op_sym: return b->of_symbol[n->first];
  case op_add: return emit_sum(b, id);
  case op_mul: return emit_product(b, 1, id);
  case op_noise:
  case op_table:
  case op_integral:
  case op_inverse: return emit_special(b, id);
  default: break;
  }
  Val v[3] = {0};
  for (uint32_t i = 0; i < n->count && i < 3; i++) {
    v[i] = emit(b, pool_args(pool, id)[i]);
    if (!v[i]) return 0;
  }
  return operate(b, code_of((ExprOp)n->op), v[0], v[1], v[2]);
}

// In a body: a value from outside.
static Val capture(Builder *b, ExprId id) {
  Val outer = emit(b->outer, id);
  if (!outer) return 0;
  for (uint32_t i = 0; i < b->captured.count; i++) {
    if (b->captured.items[i] == outer) return b->capture_of.items[i];
  }
  Val own = slot_val(b, b->own_vars + b->captured.count, level_dynamic);
  b->next_slot++;
  return vec_push(b->arena, &b->captured, outer) && vec_push(b->arena, &b->capture_of, own) ? own : 0;
}

static uint16_t origin_of(const Builder *b, ExprId id) {
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

static Val emit(Builder *b, ExprId id) {
  if (!id) return 0;
  if (id < b->of_node_size && b->of_node[id]) return b->of_node[id];
  Val v;
  ExprOp op = expr_op(b->pool, id);
  if (b->outer && op != op_num && op != op_pi && !(pool_node(b->pool, id)->bound & b->own)) {
    v = capture(b, id);
  } else {
    uint16_t before = b->origin, own = origin_of(b, id);
    if (own) b->origin = own;
    v = emit_node(b, id);
    b->origin = before;
  }
  if (id >= b->of_node_size) return v;
  if (b->outer && !vec_push(b->arena, &b->touched, id)) return 0;
  b->of_node[id] = v;
  return v;
}

static bool not_emitted(const ExprPool *pool, ExprId id, const void *context) {
  const Builder *b = context;
  (void)pool;
  return id >= b->of_node_size || !b->of_node[id];
}

// Emits below a root, children first, so that no chain is deeper than one call.
static Val emit_root(Builder *b, ExprId root) {
  uint32_t length;
  const ExprId *list = pool_reach(b->pool, &root, 1, not_emitted, b, &length);
  if (!list) return 0;
  ExprId *copy = arena_array(b->arena, length, sizeof *copy);
  if (!copy) return 0;
  memcpy(copy, list, length * sizeof *copy);
  for (uint32_t i = 0; i < length; i++) {
    ExprOp op = expr_op(b->pool, copy[i]);
    // what depends on a bound variable is emitted by its body; numbers inside products and sums need no value
    if (pool_node(b->pool, copy[i])->bound || op == op_num || op == op_sym) continue;
    if (!emit(b, copy[i])) return 0;
  }
  return emit(b, root);
}

// ---- the whole

// ---- which line each node came from

typedef VEC(ExprId) Roots;

// An energy enters the equations by its derivatives: their nodes belong to its line too.
static void put_derivatives(System *s, Arena *arena, ExprId root, Roots *roots) {
  for (uint32_t i = 0; i < s->coord_count; i++) {
    const ModelCoord *c = &s->coords.items[i];
    ExprId dq = expr_depends(s->pool, root, c->q) ? expr_diff(s->pool, root, c->q) : 0;
    ExprId dv = expr_depends(s->pool, root, c->v) ? expr_diff(s->pool, root, c->v) : 0;
    if (dq) vec_push(arena, roots, dq);
    if (!dv) continue;
    vec_push(arena, roots, dv);
    for (uint32_t j = 0; j < s->coord_count; j++) {
      const ModelCoord *d = &s->coords.items[j];
      ExprId mixed[2] = {expr_diff(s->pool, dv, d->q), expr_diff(s->pool, dv, d->v)};
      if (mixed[0]) vec_push(arena, roots, mixed[0]);
      if (mixed[1]) vec_push(arena, roots, mixed[1]);
    }
  }
}

// The first definition, energy or equation that holds a node is its origin.
static void mark_origins(Builder *b, Arena *arena, System *s) {
  uint32_t total = s->signals.count + s->origins.count;
  Roots *roots = arena_array(arena, total, sizeof *roots);
  if (!roots) return;
  for (uint32_t k = 0; k < total; k++) {
    ExprId root = k < s->signals.count ? s->signals.items[k].value : s->origins.items[k - s->signals.count].root;
    if (!root) continue;
    vec_push(arena, &roots[k], root);
    if (k >= s->signals.count) put_derivatives(s, arena, root, &roots[k]);
  }
  b->node_origin = arena_array(arena, s->pool->nodes.count, sizeof *b->node_origin);
  for (uint32_t k = 0; b->node_origin && k < total && k < UINT16_MAX - 1; k++) {
    bool let = k < s->signals.count;
    Origin o =
        let ? (Origin){s->signals.items[k].span, s->signals.items[k].name, 0} : s->origins.items[k - s->signals.count];
    vec_push(arena, &b->origins, (TapeOrigin){o.span, let ? arena_printf(arena, "let %s", o.label) : o.label});
    uint32_t length;
    const ExprId *list =
        roots[k].count ? pool_reach(s->pool, roots[k].items, roots[k].count, NULL, NULL, &length) : NULL;
    for (uint32_t i = 0; list && i < length; i++) {
      if (!b->node_origin[list[i]]) b->node_origin[list[i]] = (uint16_t)b->origins.count;
    }
  }
}

// Every symbol below the roots is needed.
// Symbols that are needed, and the expressions that were looked at for them.
typedef struct Needed {
  bool *symbols, *seen;
} Needed;

static bool not_seen(const ExprPool *pool, ExprId id, const void *context) {
  (void)pool;
  return !((const Needed *)context)->seen[id];
}

static void mark_symbols(ExprPool *pool, const Roots *roots, const Needed *n) {
  uint32_t length;
  const ExprId *list = roots->count ? pool_reach(pool, roots->items, roots->count, not_seen, n, &length) : NULL;
  for (uint32_t i = 0; list && i < length; i++) {
    SymbolId id = expr_symbol(pool, list[i]);
    n->seen[list[i]] = true;
    if (id) n->symbols[id] = true;
  }
}

static void put_matrix(Arena *arena, const Block *block, Roots *roots) {
  for (uint32_t i = 0; i < block->count * block->count; i++) vec_push(arena, roots, block->matrix[i]);
}

// A tangent is needed as a whole or not at all. It stands behind its block, so it is looked at before it.
static void mark_tangents(Arena *arena, const System *s, const TapeWish *wish, uint32_t step, const Needed *n) {
  for (uint32_t k = 0; k < wish->tangent_count; k++) {
    const TapeTangent *t = &wish->tangents[k];
    if (t->step != step) continue;
    const Block *block = &s->blocks.items[s->steps.items[step].index];
    bool needed = false;
    for (uint32_t i = 0; i < t->count * block->count; i++) needed = needed || n->symbols[t->symbols[i]];
    if (!needed) continue;
    Roots roots = {0};
    for (uint32_t i = 0; i < t->count * block->count; i++) {
      n->symbols[t->symbols[i]] = true;
      vec_push(arena, &roots, t->r[i]);
    }
    put_matrix(arena, block, &roots);
    mark_symbols(s->pool, &roots, n);
  }
}

// Marks the steps that the results need, last first.
static void mark_steps(Arena *arena, System *s, const TapeWish *wish, bool *needed, const Needed *n) {
  ExprPool *pool = s->pool;
  for (uint32_t k = s->steps.count + 1; k-- > 0;) {
    Roots roots = {0};
    if (k == s->steps.count) {
      for (uint32_t i = 0; i < wish->result_count; i++) vec_push(arena, &roots, wish->results[i]);
    } else if (s->steps.items[k].solve) {
      const Block *block = &s->blocks.items[s->steps.items[k].index];
      mark_tangents(arena, s, wish, k, n);
      for (uint32_t i = 0; i < block->count; i++) needed[k] = needed[k] || n->symbols[block->unknowns[i]];
      if (needed[k]) put_matrix(arena, block, &roots);
      for (uint32_t i = 0; needed[k] && i < block->count; i++) vec_push(arena, &roots, block->rhs[i]);
    } else {
      const Definition *d = &s->definitions.items[s->steps.items[k].index];
      needed[k] = n->symbols[d->symbol];
      if (needed[k]) vec_push(arena, &roots, d->value);
    }
    mark_symbols(pool, &roots, n);
  }
}

static uint16_t tape_origin(const Builder *b, uint32_t system_origin) {
  return b->node_origin && system_origin ? (uint16_t)(b->system->signals.count + system_origin) : 0;
}

// The first operands of the kernel that solves M x = -h: the lower triangle (or all) row by row.
static uint32_t emit_matrix(Builder *b, const Block *block, Val *args) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < block->count; i++) {
    b->origin = tape_origin(b, block->origins[i]);
    uint32_t columns = block->symmetric ? i + 1 : block->count;
    for (uint32_t j = 0; j < columns; j++) args[count++] = emit_root(b, block->matrix[i * block->count + j]);
  }
  return count;
}

static void parts_of(Builder *b, Val call, const SymbolId *symbols, uint32_t count) {
  for (uint32_t i = 0; call && i < count; i++) {
    b->of_symbol[symbols[i]] =
        intern(b, (TapeValue){.code = val_part, .level = b->vals.items[call].level, .a = call, .b = i});
  }
}

static void emit_newton(Builder *b, const Block *block) {
  uint32_t k = block->count;
  ExprId *guesses = arena_array(b->arena, k, sizeof *guesses);
  for (uint32_t i = 0; guesses && i < k; i++) guesses[i] = pool_symbol_get(b->pool, block->guesses[i])->self;
  // what the body captures is emitted first, children first
  uint32_t length;
  const ExprId *list = guesses ? pool_reach(b->pool, block->body, k + k * k, not_emitted, b, &length) : NULL;
  ExprId *copy = list ? arena_array(b->arena, length, sizeof *copy) : NULL;
  if (!copy) return;
  memcpy(copy, list, length * sizeof *copy);
  for (uint32_t i = 0; i < length; i++) {
    ExprOp op = expr_op(b->pool, copy[i]);
    if (!pool_node(b->pool, copy[i])->bound && op != op_num && op != op_sym) emit(b, copy[i]);
  }
  Val call = emit_body(b, tape_newton, block->body, k + k * k, block->bound, k, guesses, k);
  parts_of(b, call, block->unknowns, k);
}

static void emit_block(Builder *b, const Block *block) {
  uint32_t k = block->count;
  b->origin = tape_origin(b, block->origins[0]);
  if (block->implicit) {
    emit_newton(b, block);
    return;
  }
  if (k == 1) {
    Val m = emit_root(b, block->matrix[0]), h = emit_root(b, block->rhs[0]);
    Val minus = multiply(b, constant(b, -1), h);
    b->of_symbol[block->unknowns[0]] = m && is_constant(b, m, 1) ? minus : operate(b, tape_div, minus, m, 0);
    return;
  }
  Val *args = arena_array(b->arena, (size_t)k * k + k, sizeof *args);
  if (!args) return;
  uint32_t count = emit_matrix(b, block, args);
  for (uint32_t i = 0; i < k; i++) args[count++] = emit_root(b, block->rhs[i]);
  Val call =
      add_call(b, tape_solve,
               (TapeCall){.size = k, .symmetric = block->symmetric, .large = k >= tape_large_size ? b->large : NULL},
               args, count);
  parts_of(b, call, block->unknowns, k);
}

static void emit_tangent(Builder *b, const Block *block, const TapeTangent *t) {
  uint32_t k = block->count, total = t->count * k;
  Val *args = arena_array(b->arena, (size_t)k * k + total, sizeof *args);
  if (!args) return;
  uint32_t count = emit_matrix(b, block, args);
  for (uint32_t i = 0; i < total; i++) args[count++] = emit_root(b, t->r[i]);
  TapeCall solve = {
      .size = k, .more = t->count - 1, .symmetric = block->symmetric, .large = k >= tape_large_size ? b->large : NULL};
  Val call = add_call(b, tape_solve, solve, args, count);
  parts_of(b, call, t->symbols, total);
}

const Tape *tape_build(Arena *arena, const TapeWish *wish) {
  System *s = wish->system;
  Builder builder, *b = &builder, marks = {0};
  if (wish->origins) mark_origins(&marks, arena, s); // first: it may add expressions
  if (!builder_init(b, arena, s, NULL)) return NULL;
  b->large = wish->large;
  b->node_origin = marks.node_origin;
  b->origins.items = marks.origins.items;
  b->origins.count = marks.origins.count;
  uint32_t params = wish->params_by_value ? 0 : s->params.count;
  for (uint32_t i = 0; i < params; i++) b->of_symbol[s->params.items[i].symbol] = slot_val(b, i, level_static);
  // a parameter depends on earlier ones only
  for (uint32_t i = 0; wish->params_by_value && i < s->params.count; i++) {
    const ModelParam *p = &s->params.items[i];
    // one that is a variable is given, and the others follow it; static as all of them, so that products keep their
    // order
    for (uint32_t k = 0; k < wish->var_count; k++) {
      if (wish->vars[k] == p->symbol) b->of_symbol[p->symbol] = slot_val(b, k, level_static);
    }
    if (!b->of_symbol[p->symbol]) b->of_symbol[p->symbol] = p->value ? emit_root(b, p->value) : constant(b, NAN);
  }
  for (uint32_t i = 0; i < wish->var_count; i++) {
    if (!b->of_symbol[wish->vars[i]]) b->of_symbol[wish->vars[i]] = slot_val(b, params + i, level_dynamic);
  }
  uint32_t vars = wish->var_count + (wish->params_by_value ? 0 : s->extra_count);
  for (uint32_t i = wish->var_count; i < vars; i++)
    b->of_symbol[s->extras[i - wish->var_count]] = slot_val(b, params + i, level_dynamic);
  bool *needed = arena_array(arena, s->steps.count, sizeof *needed);
  Needed n = {arena_array(arena, s->pool->symbols.count, sizeof *n.symbols),
              arena_array(arena, s->pool->nodes.count, sizeof *n.seen)};
  Val *results = arena_array(arena, wish->result_count, sizeof *results);
  if (!needed || !n.symbols || !n.seen || !results) return NULL;
  mark_steps(arena, s, wish, needed, &n);
  uint32_t tangent = 0;
  for (uint32_t k = 0; k < s->steps.count; k++) {
    uint32_t index = s->steps.items[k].index;
    if (s->steps.items[k].solve && needed[k]) emit_block(b, &s->blocks.items[index]);
    for (; tangent < wish->tangent_count && wish->tangents[tangent].step == k; tangent++) {
      const TapeTangent *t = &wish->tangents[tangent];
      if (n.symbols[t->symbols[0]]) emit_tangent(b, &s->blocks.items[index], t);
    }
    if (!s->steps.items[k].solve && needed[k]) {
      const Definition *d = &s->definitions.items[index];
      b->origin = tape_origin(b, d->origin);
      b->of_symbol[d->symbol] = emit_root(b, d->value);
    }
  }
  for (uint32_t i = 0; i < wish->result_count; i++) {
    b->origin = 0;
    results[i] = emit_root(b, wish->results[i]);
    if (!results[i]) return NULL;
  }
  b->held_count = wish->held_count + vars - wish->var_count;
  if (wish->known && !wish->params_by_value && !tape_specialise(b, results, wish->result_count, wish->known, params))
    return NULL;
  return tape_finish(b, results, wish->result_count, params, vars);
}

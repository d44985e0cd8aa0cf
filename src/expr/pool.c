// The expression pool: nodes, hash-consing, symbols, passes.
//
// A node is an operation over a stretch of `args`. Its hash is of the operation and the ids of its parts; a table with
// open addressing (at most half full) finds an equal node, so that equal expressions have equal ids. Kinds, mask and
// free bound variables of a node are those of its parts joined. A pass (pool_reach) marks the nodes below its roots
// with the number of the pass and sorts them by id, which puts children first.
#include "expr/pool.h"

#include "base/probe.h"

#include <stdlib.h>
#include <string.h>

enum { first_table = 1024 };

static uint32_t hash_mix(uint32_t h, uint32_t x) {
  h ^= x;
  h *= 0x85EBCA6Bu;
  h ^= h >> 13;
  h *= 0xC2B2AE35u;
  return h ^ h >> 16;
}

// An operation stands beside its youngest part, numbers and symbols by their hash.
static TableProbe probe_of(const ExprNode *node, const ExprId *args, uint32_t size) {
  uint32_t near = 0, count = node->op == op_num || node->op == op_sym ? 0 : node->count;
  for (uint32_t i = 0; i < count; i++) near = args[i] > near ? args[i] : near;
  if (!count) near = node->hash;
  return probe_at(near, node->hash, size);
}

static bool table_grow(ExprPool *pool, uint32_t size) {
  uint32_t *table = arena_array(pool->arena, size, sizeof *table);
  if (!table) return false;
  for (ExprId id = 1; id < pool->nodes.count; id++) {
    TableProbe p = probe_of(pool_node(pool, id), pool_args(pool, id), size);
    while (table[p.at]) probe_next(&p);
    table[p.at] = id;
  }
  arena_drop(pool->arena, pool->table, pool->table_size * sizeof *table);
  pool->table = table;
  pool->table_size = size;
  return true;
}

bool pool_reserve(ExprPool *pool, uint32_t nodes, uint32_t symbols) {
  uint64_t all = (uint64_t)pool->nodes.count + nodes, size = pool->table_size;
  if (all > UINT32_MAX / 4) return true; // more than a pool may hold: it grows as far as it can
  while (size <= 2 * all) size *= 2;
  return vec_reserve(pool->arena, &pool->nodes, (uint32_t)all) &&
         vec_reserve(pool->arena, &pool->symbols, pool->symbols.count + symbols) &&
         vec_reserve(pool->arena, &pool->numbers, pool->numbers.count + symbols) &&
         (size == pool->table_size || table_grow(pool, (uint32_t)size));
}

// ---- keys
//
// A key says what an expression is made of and nothing of when it was made: the first symbol inside, by kind and index,
// then the last one, which counts down. So sums run through vectors in order and begin alike where they can. Where keys
// are equal the near shape decides: the operation and what stands right below it, without indices, so that what repeats
// along a chain is ordered alike at each of its positions. Then the moment, the sum of all indices inside: it grows
// along the chain. Then the whole shape, to its last operation. Sums and products are kept in the order in which their
// terms were made; in a near shape the largest of them counts, which knows no order and not how many there are, in a
// shape their sum.

enum { key_index_bits = 26, key_last_rank = (1 << (32 - key_index_bits)) - 1 };

// Parameters come last among the first and first among the last: what moves decides.
static uint64_t key_of(uint32_t first, uint32_t last) { return (uint64_t)first << 32 | (UINT32_MAX - last); }
static uint32_t first_of(uint64_t key) { return (uint32_t)(key >> 32); }
static uint32_t last_of(uint64_t key) { return UINT32_MAX - (uint32_t)key; }

// Where symbols of a kind stand, and by how much their indices are moved there: branches stand behind all memories. The
// last bits of all tables depend on these numbers, so a new kind gets the next one, and those that are here stay.
static const struct KeyRank {
  uint32_t rank, moved;
} key_ranks[sym_kind_count] = {
    [sym_param] = {0, 0},        [sym_time] = {1, 0},      [sym_input] = {2, 0},
    [sym_input_rate] = {3, 0},   [sym_coord] = {4, 0},     [sym_velocity] = {5, 0},
    [sym_acceleration] = {6, 0}, [sym_state] = {7, 0},     [sym_state_rate] = {8, 0},
    [sym_bound] = {9, 0},        [sym_signal] = {10, 0},   [sym_memory] = {11, 0},
    [sym_mode] = {11, 1u << 30}, [sym_delay] = {12, 0},    [sym_unknown] = {13, 0},
    [sym_held] = {14, 0},        [sym_friction] = {15, 0}, [sym_multiplier] = {13, 1u << 30},
};

static ExprKey symbol_key(const Symbol *s) {
  uint32_t most = (1u << key_index_bits) - 1, rank = key_ranks[s->kind].rank;
  uint64_t at = (uint64_t)s->index + key_ranks[s->kind].moved;
  uint32_t low = at < most ? (uint32_t)at : most, first = s->kind == sym_param ? key_last_rank : rank;
  return (ExprKey){.key = key_of(first << key_index_bits | low, rank << key_index_bits | low),
                   .shape = hash_mix(hash_mix(17, rank), s->order),
                   .moment = at * ((uint64_t)rank + 1)};
}

// What an operand looks like from above: a number by its value, a symbol by its kind, anything else by its operation.
static uint32_t top_of(const ExprPool *pool, ExprId id) {
  const ExprNode *n = pool_node(pool, id);
  return n->op == op_num || n->op == op_sym ? pool->keys.items[id].shape : hash_mix(41, n->op);
}

uint32_t expr_near_shape(const ExprPool *pool, ExprId id) {
  const ExprNode *n = pool_node(pool, id);
  if (n->op == op_num || n->op == op_sym) return pool->keys.items[id].shape;
  const ExprId *args = pool_args(pool, id);
  uint32_t shape = hash_mix(43, n->op), front = n->op == op_mul, largest = 0;
  if (n->op != op_add && n->op != op_mul) {
    for (uint32_t i = 0; i < n->count; i++) shape = hash_mix(shape, top_of(pool, args[i]));
    return shape;
  }
  // pairs (number, term) and (base, exponent); a product has its number in front
  for (uint32_t i = front; i + 1 < n->count; i += 2) {
    uint32_t pair = hash_mix(top_of(pool, args[i]), top_of(pool, args[i + 1]));
    if (pair > largest) largest = pair;
  }
  if (front) shape = hash_mix(shape, top_of(pool, args[0]));
  return hash_mix(shape, largest);
}

static uint32_t whole_shape(const ExprPool *pool, ExprOp op, const ExprId *args, uint32_t count) {
  const ExprKey *keys = pool->keys.items;
  uint32_t shape = hash_mix(47, (uint32_t)op), pairs = op == op_add || op == op_mul, front = op == op_mul, sum = 0;
  for (uint32_t i = 0; i < (pairs ? front : count); i++) shape = hash_mix(shape, keys[args[i]].shape);
  for (uint32_t i = front; pairs && i + 1 < count; i += 2)
    sum += hash_mix(keys[args[i]].shape, keys[args[i + 1]].shape);
  return hash_mix(shape, sum);
}

static ExprKey operation_key(const ExprPool *pool, ExprId id) {
  const ExprNode *node = pool_node(pool, id);
  const ExprId *args = pool_args(pool, id);
  ExprKey k = {.shape = whole_shape(pool, (ExprOp)node->op, args, node->count)};
  uint32_t first = UINT32_MAX, last = 0;
  for (uint32_t i = 0; i < node->count; i++) {
    const ExprKey *arg = &pool->keys.items[args[i]];
    if (first_of(arg->key) < first) first = first_of(arg->key);
    if (last_of(arg->key) > last) last = last_of(arg->key);
    k.moment = arg->moment < UINT64_MAX - k.moment ? k.moment + arg->moment : UINT64_MAX;
  }
  k.key = key_of(first, last);
  return k;
}

static ExprKey key_of_node(const ExprPool *pool, ExprId id) {
  const ExprNode *node = pool_node(pool, id);
  if (node->op == op_num) return (ExprKey){.key = key_of(UINT32_MAX, 0), .shape = node->hash};
  return node->op == op_sym ? symbol_key(pool_symbol_get(pool, node->first)) : operation_key(pool, id);
}

// Parts have smaller ids than the whole, so one pass in order finds theirs there.
const ExprKey *pool_key(ExprPool *pool, ExprId id) {
  if (id >= pool->keys.count && !vec_reserve(pool->arena, &pool->keys, pool->nodes.cap)) return NULL;
  while (pool->keys.count <= id) {
    pool->keys.items[pool->keys.count] = key_of_node(pool, pool->keys.count);
    pool->keys.count++;
  }
  return &pool->keys.items[id];
}

ExprId pool_refuse(ExprPool *pool, PoolLimit limit) {
  if (!pool->limit && !arena_failed(pool->arena)) pool->limit = limit;
  return 0;
}

// Adds a node that was not found; its hash is in place.
static ExprId node_insert(ExprPool *pool, ExprNode node, const ExprId *args) {
  if ((uint64_t)pool->nodes.count * pool_word_cost + pool->args.count > pool->most)
    return pool_refuse(pool, limit_size);
  if (pool->nodes.count * 2 >= pool->table_size && !table_grow(pool, 2 * pool->table_size)) return 0;
  if (pool->nodes.count >= UINT32_MAX - 1 || !vec_push(pool->arena, &pool->nodes, node)) return 0;
  ExprId id = pool->nodes.count - 1;
  TableProbe p = probe_of(&node, args, pool->table_size);
  while (pool->table[p.at]) probe_next(&p);
  pool->table[p.at] = id;
  return id;
}

bool pool_init(ExprPool *pool, Arena *arena) {
  *pool = (ExprPool){.arena = arena, .scratch = arena_new_scratch(arena), .most = pool_most_words};
  if (!pool->scratch || !table_grow(pool, first_table)) return false;
  // id 0 of nodes and symbols is "none"
  if (!vec_push(arena, &pool->nodes, (ExprNode){0}) || !vec_push(arena, &pool->symbols, (Symbol){0})) return false;
  if (!vec_push(arena, &pool->args, 0)) return false; // so that there is an array, also of nodes without operands
  pool->zero = expr_num(pool, RAT_ZERO);
  pool->one = expr_num(pool, RAT_ONE);
  pool->minus_one = expr_num(pool, rat_int(-1));
  pool->pi = expr_raw(pool, op_pi, NULL, 0);
  return pool->pi != 0;
}

// An array of its own with the items from `from` on; those before get entries that stay unset.
static void *copy_array(Arena *arena, const void *items, size_t from, size_t count, size_t cap, size_t size) {
  unsigned char *p = arena_array(arena, cap, size);
  if (p && count > from) memcpy(p + from * size, (const unsigned char *)items + from * size, (count - from) * size);
  return p;
}

// A copy of a copy has the same base, and copies what the first one made.
bool pool_clone(ExprPool *copy, const ExprPool *pool, Arena *arena) {
  *copy = *pool;
  if (!pool->base) {
    copy->base = pool;
    copy->based = pool->nodes.count;
    copy->based_args = pool->args.count;
    copy->based_numbers = pool->numbers.count;
  }
  copy->most = 2 * pool->most;
  copy->algebra = copy->algebra_bytes = copy->algebra_asked = 0;
  copy->algebra_cut = NULL;
  copy->arena = arena;
  copy->scratch = arena_new_scratch(arena);
  copy->stack.items = NULL;
  copy->stack.count = copy->stack.cap = 0;
  copy->mark = copy->slot = NULL;
  copy->looks = NULL;
  copy->keys.items = NULL;
  copy->keys.count = copy->keys.cap = 0;
  copy->spare = (PoolMarks){0};
  copy->mark_size = copy->epoch = 0;
  copy->nodes.items =
      copy_array(arena, pool->nodes.items, copy->based, pool->nodes.count, pool->nodes.cap, sizeof(ExprNode));
  copy->args.items =
      copy_array(arena, pool->args.items, copy->based_args, pool->args.count, pool->args.cap, sizeof(ExprId));
  copy->numbers.items =
      copy_array(arena, pool->numbers.items, copy->based_numbers, pool->numbers.count, pool->numbers.cap, sizeof(Rat));
  copy->symbols.items =
      copy_array(arena, pool->symbols.items, 0, pool->symbols.count, pool->symbols.cap, sizeof(Symbol));
  copy->table = copy_array(arena, pool->table, 0, pool->table_size, pool->table_size, sizeof(uint32_t));
  return !arena_failed(arena);
}

SymbolId pool_symbol(ExprPool *pool, const char *name, SymbolKind kind, uint32_t index, uint32_t order) {
  Symbol s = {.kind = kind, .index = index, .order = order};
  s.name = arena_strndup(pool->arena, name, strlen(name));
  SymbolId id = pool->symbols.count;
  if (!s.name || !vec_push(pool->arena, &pool->symbols, s)) return 0;
  ExprNode node = {.op = op_sym, .first = id, .kinds = kind_set(kind), .mask = (uint64_t)1 << (id & 63)};
  if (kind == sym_bound) node.bound = (uint16_t)(1u << (index % most_bound));
  node.hash = hash_mix(hash_mix(17, op_sym), id);
  ExprId self = node_insert(pool, node, NULL);
  pool->symbols.items[id].self = self;
  return self ? id : 0;
}

ExprId expr_sym(const ExprPool *pool, SymbolId symbol) { return symbol ? pool->symbols.items[symbol].self : 0; }

ExprId expr_num(ExprPool *pool, Rat value) {
  if (!rat_valid(value)) return pool_refuse(pool, limit_number);
  uint64_t h64 = rat_hash(value);
  uint32_t hash = hash_mix(hash_mix(29, op_num), (uint32_t)(h64 ^ h64 >> 32));
  ExprNode node = {.op = op_num, .first = pool->numbers.count, .hash = hash};
  for (TableProbe p = probe_of(&node, NULL, pool->table_size); pool->table[p.at]; probe_next(&p)) {
    ExprId id = pool->table[p.at];
    const ExprPool *home = pool_home(pool, id);
    const ExprNode *n = &home->nodes.items[id];
    if (n->hash == hash && n->op == op_num && rat_equal(home->numbers.items[n->first], value)) return id;
  }
  if (!vec_push(pool->arena, &pool->numbers, value)) return 0;
  return node_insert(pool, node, NULL);
}

ExprId expr_int(ExprPool *pool, int64_t value) { return expr_num(pool, rat_int(value)); }

// The bound variables that are free in an integral or inverse: it binds its own inside its body.
static uint16_t free_variables(const ExprPool *pool, ExprOp op, const ExprId *args, uint32_t count) {
  uint32_t all = 0, own = pool_node(pool, args[1])->bound;
  for (uint32_t i = 0; i < count; i++) {
    bool inside = i < 2 || (op == op_inverse && i == 3);
    all |= inside ? pool_node(pool, args[i])->bound & ~own : pool_node(pool, args[i])->bound;
  }
  return (uint16_t)all;
}

// The operands may be those of another node, which move when the array grows.
static bool push_args(ExprPool *pool, const ExprId *args, uint32_t count) {
  uint64_t all = (uint64_t)pool->args.count + count;
  uintptr_t from = (uintptr_t)pool->args.items, to = from + pool->args.count * sizeof *args;
  bool inside = (uintptr_t)args >= from && (uintptr_t)args < to;
  size_t at = inside ? (size_t)(args - pool->args.items) : 0;
  if (all > pool->args.cap) {
    uint32_t room = all > UINT32_MAX / 2 ? UINT32_MAX : (uint32_t)all * 2;
    if (!vec_reserve(pool->arena, &pool->args, room)) return false;
  }
  if (inside) args = pool->args.items + at;
  for (uint32_t i = 0; i < count; i++) pool->args.items[pool->args.count++] = args[i];
  return true;
}

ExprId expr_raw(ExprPool *pool, ExprOp op, const ExprId *args, uint32_t count) {
  uint32_t hash = hash_mix(41, (uint32_t)op);
  ExprNode node = {.op = (uint16_t)op, .count = count};
  for (uint32_t i = 0; i < count; i++) {
    if (!args[i]) return 0;
    hash = hash_mix(hash, args[i]);
    const ExprNode *arg = pool_node(pool, args[i]);
    node.kinds |= arg->kinds;
    node.mask |= arg->mask;
    node.bound |= arg->bound;
  }
  node.hash = hash;
  if (op == op_integral || op == op_inverse) node.bound = free_variables(pool, op, args, count);
  for (TableProbe p = probe_of(&node, args, pool->table_size); pool->table[p.at]; probe_next(&p)) {
    ExprId id = pool->table[p.at];
    const ExprNode *n = pool_node(pool, id);
    if (n->hash == hash && n->op == op && n->count == count &&
        (count == 0 || memcmp(pool_args(pool, id), args, count * sizeof *args) == 0)) {
      return id;
    }
  }
  if ((uint64_t)pool->args.count + count > pool->most) return pool_refuse(pool, limit_size);
  node.first = pool->args.count;
  if (!push_args(pool, args, count)) return 0;
  return node_insert(pool, node, pool->args.items + node.first);
}

Rat expr_coef(const ExprPool *pool, ExprId id) {
  Rat r = RAT_ONE;
  if (expr_op(pool, id) == op_mul) expr_number(pool, pool_args(pool, id)[0], &r);
  else expr_number(pool, id, &r);
  return r;
}

static int by_id(const void *a, const void *b) {
  ExprId x = *(const ExprId *)a, y = *(const ExprId *)b;
  return (x > y) - (x < y);
}

// The marked nodes in rising order. Where they lie close together the marks are read off, which takes less than a sort.
static void order_marked(const ExprPool *pool, ExprId *list, uint32_t count) {
  enum { close = 16 }; // reading that many marks takes as long as sorting one node in
  ExprId least = list[0], most = list[0];
  for (uint32_t i = 1; i < count; i++) {
    least = list[i] < least ? list[i] : least;
    most = list[i] > most ? list[i] : most;
  }
  if ((most - least) / close >= count) {
    qsort(list, count, sizeof *list, by_id);
    return;
  }
  for (ExprId id = least, k = 0; k < count; id++) {
    if (pool->mark[id] == pool->epoch) list[k++] = id;
  }
}

const ExprId *pool_reach(ExprPool *pool, const ExprId *roots, uint32_t count, ExprFilter *enter, const void *context,
                         uint32_t *length) {
  *length = 0;
  if (pool->mark_size < pool->nodes.count) {
    uint32_t size = pool->nodes.count + pool->nodes.count / 2 + 64;
    size_t had = pool->mark_size * sizeof *pool->mark, has = size * sizeof *pool->mark;
    uint32_t *mark = arena_grow(pool->arena, pool->mark, had, has);
    if (mark) pool->mark = mark;
    uint32_t *slot = mark ? arena_grow(pool->arena, pool->slot, had, has) : NULL;
    if (!slot) return NULL;
    pool->slot = slot;
    pool->mark_size = size;
  }
  if (++pool->epoch == 0) { // wrapped: old marks could look new
    memset(pool->mark, 0, pool->mark_size * sizeof *pool->mark);
    pool->epoch = 1;
  }
  // the list doubles as the queue; sorting by id puts children first
  VEC(ExprId) list = {pool->stack.items, 0, pool->stack.cap};
  bool ok = true;
  for (uint32_t i = 0; i < count && ok; i++) {
    ExprId r = roots[i];
    if (!r || pool->mark[r] == pool->epoch || (enter && !enter(pool, r, context))) continue;
    pool->mark[r] = pool->epoch;
    ok = vec_push(pool->arena, &list, r);
  }
  for (uint32_t at = 0; at < list.count && ok; at++) {
    const ExprNode *n = pool_node(pool, list.items[at]);
    if (n->op == op_num || n->op == op_sym) continue;
    const ExprId *args = pool_args(pool, list.items[at]);
    for (uint32_t i = 0; i < n->count && ok; i++) {
      ExprId child = args[i];
      if (pool->mark[child] == pool->epoch || (enter && !enter(pool, child, context))) continue;
      pool->mark[child] = pool->epoch;
      ok = vec_push(pool->arena, &list, child);
    }
  }
  pool->stack.items = list.items;
  pool->stack.cap = list.cap;
  if (!ok) return NULL;
  static const ExprId nothing = 0;
  if (list.count == 0) return &nothing;
  order_marked(pool, list.items, list.count);
  for (uint32_t i = 0; i < list.count; i++) pool->slot[list.items[i]] = i;
  *length = list.count;
  return list.items;
}

void pool_rest(ExprPool *pool) {
  arena_drop(pool->arena, pool->mark, pool->mark_size * sizeof *pool->mark);
  arena_drop(pool->arena, pool->slot, pool->mark_size * sizeof *pool->slot);
  arena_drop(pool->arena, pool->stack.items, pool->stack.cap * sizeof *pool->stack.items);
  arena_drop(pool->arena, pool->keys.items, pool->keys.cap * sizeof *pool->keys.items);
  pool->mark = pool->slot = NULL;
  pool->mark_size = pool->epoch = 0;
  pool->stack.items = NULL;
  pool->stack.count = pool->stack.cap = 0;
  pool->keys.items = NULL;
  pool->keys.count = pool->keys.cap = 0;
}

PoolMarks pool_keep_marks(ExprPool *pool) {
  PoolMarks own = {pool->mark, pool->slot, pool->mark_size, pool->epoch}, other = pool->spare;
  pool->mark = other.mark;
  pool->slot = other.slot;
  pool->mark_size = other.mark_size;
  pool->epoch = other.epoch;
  pool->spare = (PoolMarks){0};
  return own;
}

void pool_return_marks(ExprPool *pool, PoolMarks kept) {
  pool->spare = (PoolMarks){pool->mark, pool->slot, pool->mark_size, pool->epoch};
  pool->mark = kept.mark;
  pool->slot = kept.slot;
  pool->mark_size = kept.mark_size;
  pool->epoch = kept.epoch;
}

static bool mask_may_hold(const ExprPool *pool, ExprId id, const void *context) {
  return (pool_node(pool, id)->mask & *(const uint64_t *)context) != 0;
}

bool expr_depends(ExprPool *pool, ExprId id, SymbolId symbol) {
  if (!id || !symbol) return false;
  uint64_t mask = (uint64_t)1 << (symbol & 63);
  uint32_t length;
  const ExprId *list = pool_reach(pool, &id, 1, mask_may_hold, &mask, &length);
  for (uint32_t i = 0; list && i < length; i++) {
    if (expr_symbol(pool, list[i]) == symbol) return true;
  }
  return false;
}

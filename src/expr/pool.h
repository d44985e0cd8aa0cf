// Symbolic expressions: one hash-consed pool. Equal expressions have equal ids, and ids grow from child to parent.
//
// Sums and products are n-ary and kept in order, so constants are folded and like terms collected as they are built:
//   op_add  c1*t1 + c2*t2 + ...   pairs (number, term); the constant is the pair (number, 1)
//   op_mul  c * b1^e1 * b2^e2 ... a number, then pairs (base, exponent); a quotient or root is a negative or
//                                 fractional exponent
// Failure is absorbing: id 0 in, id 0 out. It means out of memory, or that a limit was crossed (`limit` says which).
// parts: build.c
#ifndef VIVA_EXPR_POOL_H
#define VIVA_EXPR_POOL_H

#include "base/arena.h"
#include "expr/rational.h"

typedef uint32_t ExprId; // 0: none
typedef VEC(ExprId) ExprList;
typedef uint32_t SymbolId; // 0: none

typedef enum ExprOp {
  op_none,
#define FORM(name, smoothness, making) op_##name,
#define OP(name, arity, value, d1, d2, d3, smoothness, parity, switching, answer, domain, meaning) op_##name,
#include "expr/ops.def"
#undef OP
  op_count
} ExprOp;

// Bound variables are numbered by the nesting of integrals and inverses; the last number is for an equation solved
// around all of them.
enum { most_bound = 16, bound_outermost = most_bound - 1 };

typedef enum SymbolKind {
  sym_param,
  sym_time,
  sym_input,
  sym_input_rate, // u', u'', ...: order says which
  sym_coord,
  sym_velocity,
  sym_acceleration,
  sym_state,
  sym_state_rate,
  sym_bound,      // the variable of an integral or inverse
  sym_signal,     // what a run keeps: energy.stored and the like
  sym_memory,     // what changes at events only: memories of blocks
  sym_mode,       // the branch of a function with a corner, which changes at events only, too
  sym_delay,      // a delayed signal, which a run provides at each moment
  sym_friction,   // the force of dry friction, likewise
  sym_unknown,    // an algebraic unknown
  sym_multiplier, // of a constraint: its force
  sym_held,       // a variable of tapes that stays as it is within a step
  sym_kind_count
} SymbolKind;

typedef uint32_t KindSet; // bit k: symbols of kind k
_Static_assert(sym_kind_count <= 32, "a KindSet has a bit for every kind");

static inline KindSet kind_set(SymbolKind kind) { return (KindSet)1 << kind; }

typedef struct Symbol {
  const char *name; // as written, primes included: th1'
  SymbolKind kind;
  uint32_t index; // within its kind, in order of declaration
  uint32_t order; // how many primes
  ExprId self;
  bool made; // inside a block of the text: nobody gave it this name
} Symbol;

typedef struct ExprNode {
  uint16_t op;
  uint16_t bound; // bit k: the bound variable number k occurs inside, and no integral or inverse inside binds it
  uint32_t first; // into args; for op_num into numbers, for op_sym the symbol
  uint32_t count;
  uint32_t hash;
  KindSet kinds; // of the symbols inside (exact)
  uint64_t mask; // bit (symbol mod 64) for every symbol inside: a quick "does not occur"
} ExprNode;

// Of the structure of an expression, whenever it was made: they order sums and products where that matters (pool.c).
typedef struct ExprKey {
  uint64_t key, moment;
  uint32_t shape;
} ExprKey;

// What grew too large.
typedef enum PoolLimit {
  limit_none,
  limit_number, // a number of too many digits
  limit_size,   // too many expressions
  limit_entries // a vector or matrix of too many entries
} PoolLimit;

enum {
  pool_most_words = 100000000, // an expression counts 8 and its parts 1 each
  pool_word_cost = 8
};

// Work is counted in products of terms, times the words of their numbers: up to a second for thirty million. A
// command has one budget, so that hundreds of questions, each within its own limits, do not take an hour.
enum { algebra_most_work = 300000000, algebra_most_bytes = 300000000 };

typedef struct PoolMarks {
  uint32_t *mark, *slot, mark_size, epoch;
} PoolMarks;

typedef struct ExprPool {
  Arena *arena;
  Arena *scratch; // passing needs of the functions on expressions
  // A copy (pool_clone) reads its first nodes, their operands and numbers in the pool that it is a copy of; in its own
  // arrays their entries are empty and take no memory where they are many.
  const struct ExprPool *base;               // NULL: no copy
  uint32_t based, based_args, based_numbers; // how many nodes, operands and numbers are those of the base
  VEC(ExprNode) nodes;
  VEC(ExprId) args;
  VEC(Rat) numbers;
  VEC(Symbol) symbols;
  VEC(ExprKey) keys; // of the first nodes, as far as keys.count: found when they are asked for
  uint32_t *table;   // open addressing, ids
  uint32_t table_size;
  ExprId zero, one, minus_one, pi;
  // scratch of passes over the graph
  VEC(ExprId) stack;
  uint32_t *mark, *slot;
  uint32_t mark_size, epoch;
  PoolMarks spare;        // for a pass inside a pass
  uint64_t most;          // words that the pool may hold
  uint64_t algebra;       // work of exact algebra and of multiplying out so far: one budget for all that a command asks
  uint64_t algebra_bytes; // held by it now
  uint64_t algebra_asked; // bytes that are left of those it asked for (exact.h)
  const char *algebra_cut;   // not NULL: a question was given up, and this is the first reason
  PoolLimit limit;           // the first one that was crossed
  struct SymbolLooks *looks; // how names look in print (symbol.c); NULL: nobody asked yet
} ExprPool;

bool pool_init(ExprPool *pool, Arena *arena);
// Reserves memory for `nodes` more nodes, and for a number for each symbol. False: out of memory.
bool pool_reserve(ExprPool *pool, uint32_t nodes, uint32_t symbols);
// The slots of the last pool_reach stay until they are returned; what reaches meanwhile has others.
PoolMarks pool_keep_marks(ExprPool *pool);
void pool_return_marks(ExprPool *pool, PoolMarks kept);
// Gives back what a pass computes again: marks, lists, keys. Not inside a pass.
void pool_rest(ExprPool *pool);
// Notes that a limit was crossed (unless out of memory, which is another matter), and gives the id of failure.
ExprId pool_refuse(ExprPool *pool, PoolLimit limit);
// Keys of a node, borrowed until the next ones are asked for; NULL: out of memory.
const ExprKey *pool_key(ExprPool *pool, ExprId id);
// Once the keys of the node were asked for.
uint32_t expr_near_shape(const ExprPool *pool, ExprId id);
// A copy that may grow on its own, by as much again: ids keep their meaning. The pool outlives its copies.
bool pool_clone(ExprPool *copy, const ExprPool *pool, Arena *arena);

// Is the budget of algebra spent? What is asked from then on stays undecided or as it is written.
static inline bool pool_algebra_spent(const ExprPool *pool) { return pool->algebra >= algebra_most_work; }

SymbolId pool_symbol(ExprPool *pool, const char *name, SymbolKind kind, uint32_t index, uint32_t order);
static inline const Symbol *pool_symbol_get(const ExprPool *pool, SymbolId id) { return &pool->symbols.items[id]; }
static inline const ExprPool *pool_home(const ExprPool *pool, ExprId id) { // where a node and its operands stand
  return id < pool->based ? pool->base : pool;
}
static inline const ExprNode *pool_node(const ExprPool *pool, ExprId id) {
  return &pool_home(pool, id)->nodes.items[id];
}
// Borrowed until a node is made.
static inline const ExprId *pool_args(const ExprPool *pool, ExprId id) {
  const ExprPool *home = pool_home(pool, id);
  return home->args.items + home->nodes.items[id].first;
}
static inline ExprOp expr_op(const ExprPool *pool, ExprId id) { return (ExprOp)pool_node(pool, id)->op; }
static inline bool expr_is_zero(const ExprPool *pool, ExprId id) { return id == pool->zero; }
// Kinds of the symbols inside: all of them; is one of this kind, or of one of these, among them; are there no others?
static inline KindSet expr_kinds(const ExprPool *pool, ExprId id) { return pool_node(pool, id)->kinds; }
static inline bool expr_has_kinds(const ExprPool *pool, ExprId id, KindSet set) {
  return (expr_kinds(pool, id) & set) != 0;
}
static inline bool expr_has_kind(const ExprPool *pool, ExprId id, SymbolKind kind) {
  return expr_has_kinds(pool, id, kind_set(kind));
}
static inline bool expr_only_kinds(const ExprPool *pool, ExprId id, KindSet set) {
  return (expr_kinds(pool, id) & ~set) == 0;
}
static inline SymbolId expr_symbol(const ExprPool *pool, ExprId id) { // 0 when it is no symbol
  const ExprNode *node = pool_node(pool, id);
  return node->op == op_sym ? node->first : 0;
}
static inline bool expr_number(const ExprPool *pool, ExprId id, Rat *value) { // true and the value when it is a number
  const ExprPool *home = pool_home(pool, id);
  const ExprNode *node = &home->nodes.items[id];
  if (node->op != op_num) return false;
  *value = home->numbers.items[node->first];
  return true;
}
bool expr_depends(ExprPool *pool, ExprId id, SymbolId symbol); // exact

ExprId expr_num(ExprPool *pool, Rat value);
ExprId expr_int(ExprPool *pool, int64_t value);
ExprId expr_sym(const ExprPool *pool, SymbolId symbol);
ExprId expr_raw(ExprPool *pool, ExprOp op, const ExprId *args, uint32_t count); // no rules applied

ExprId expr_add(ExprPool *pool, ExprId a, ExprId b);
ExprId expr_sub(ExprPool *pool, ExprId a, ExprId b);
ExprId expr_neg(ExprPool *pool, ExprId a);
ExprId expr_mul(ExprPool *pool, ExprId a, ExprId b);
ExprId expr_div(ExprPool *pool, ExprId a, ExprId b);
ExprId expr_pow(ExprPool *pool, ExprId base, ExprId exponent);
ExprId expr_powi(ExprPool *pool, ExprId base, int64_t exponent);
ExprId expr_sqrt(ExprPool *pool, ExprId a);
ExprId expr_scale(ExprPool *pool, Rat factor, ExprId a);
ExprId expr_fn(ExprPool *pool, ExprOp op, const ExprId *args, uint32_t count); // elementary functions, with rules

// n-ary forms, the way to build long sums and products
typedef struct Term {
  Rat coef;
  ExprId term;
} Term;
typedef VEC(Term) TermList;
typedef struct Factor {
  ExprId base, exponent;
} Factor;
ExprId expr_sum(ExprPool *pool, const Term *terms, uint32_t count);
// A long sum or product in one piece, which later sums take as one term: without it the sums of a chain, each the one
// before and something more, would have as many terms together as its length squared. Multiplying out opens it.
ExprId expr_whole(ExprPool *pool, ExprId a);
// A sum rebuilt from another one's terms: what stood there in one piece stays so. like: the other one.
ExprId expr_sum_like(ExprPool *pool, ExprId like, Term *terms, uint32_t count);
ExprId expr_product(ExprPool *pool, Rat coef, const Factor *factors, uint32_t count);
// Reading them: number of terms of any expression (1 when it is no sum), and the i-th.
static inline uint32_t expr_term_count(const ExprPool *pool, ExprId id) {
  return expr_op(pool, id) == op_add ? pool_node(pool, id)->count / 2 : 1;
}
static inline Term expr_term(const ExprPool *pool, ExprId id, uint32_t i) {
  if (expr_op(pool, id) != op_add) return (Term){RAT_ONE, id};
  const ExprId *args = pool_args(pool, id) + (size_t)2 * i; // number, term
  Term t = {.term = args[1]};
  expr_number(pool, args[0], &t.coef);
  return t;
}
// Reading products: coefficient, number of factors, the i-th.
Rat expr_coef(const ExprPool *pool, ExprId id);
static inline uint32_t expr_factor_count(const ExprPool *pool, ExprId id) {
  if (expr_op(pool, id) == op_mul) return (pool_node(pool, id)->count - 1) / 2;
  return expr_op(pool, id) == op_num ? 0 : 1;
}
static inline Factor expr_factor(const ExprPool *pool, ExprId id, uint32_t i) {
  if (expr_op(pool, id) != op_mul) return (Factor){id, pool->one};
  const ExprId *args = pool_args(pool, id);
  return (Factor){args[1 + 2 * i], args[2 + 2 * i]};
}

// Nodes below the roots (roots included), children first. Borrowed until the next pass; NULL when out of memory.
// While the list is in use, pool->slot[id] is the index of id in it.
typedef bool ExprFilter(const ExprPool *pool, ExprId id, const void *context); // false: do not enter
const ExprId *pool_reach(ExprPool *pool, const ExprId *roots, uint32_t count, ExprFilter *enter, const void *context,
                         uint32_t *length);

#endif

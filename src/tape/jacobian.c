// Exact sparse Jacobian of the right-hand side y' of a system, by symbolic differentiation.
//
// in    M a + h = 0, x' = f, definitions of inputs, calls of kernels, in the order of computation
// out   a tape of the entries of d(y', more)/d(y, t) that are not identically zero
//
// One direction y_k (column) after the other, along what it moves: the steps of the system are taken apart into items,
// every symbol knows the items that hold it, and an item is differentiated only when something in it moves, with the
// rates of what was computed before it. So the work is that of the entries that are not zero.
//   a definition    d = its derivative; of a long sum only the terms that move are looked at
//   a block         M da/dy_k + r_k = 0,   r_k = dh/dy_k + (dM/dy_k) a   with `a` already found; of M and h only the
//                   entries that move are looked at; all r_k of a block share one factorization of M, in one more call
//                   of its kernel
//   a call          an item for each argument and one for each result: dz_i/dy_k = sum over its pattern of
//                   D_ij da_j/dy_k; the derivatives D_ij are results of one more kernel
//   a row           an entry of the Jacobian
// Kinks (abs, min, if) have the one-sided derivatives of ops.def, noise has none.
#include "tape/jacobian.h"

#include "expr/calculus.h"
#include "tape/frame.h"

#include <stdlib.h>
#include <string.h>

typedef enum SweepKind { sweep_definition, sweep_block, sweep_argument, sweep_result, sweep_row } SweepKind;

typedef struct SweepItem {
  SweepKind kind;
  uint32_t step;  // of the system
  uint32_t index; // of a definition, block, row; of an argument or result within its call
  ExprId root;    // of definitions, arguments and rows: what is differentiated
  bool is_long;   // a sum of many terms, or a block, whose terms are its entries
  bool queued;
  VEC(uint32_t) terms; // of a long one: those that move
} SweepItem;

// An item that holds a symbol, and in which term of it (0: it is not long; of a block: see BlockMoves).
typedef struct SweepUser {
  uint32_t item, term;
} SweepUser;

typedef VEC(uint32_t) Numbers;

// What stands beside a step on the tape: right-hand sides of a block, or derivatives of a call.
typedef struct Sides {
  VEC(ExprId) r;
  VEC(SymbolId) symbols;
  uint32_t count;
} Sides;

// A call while it is differentiated.
typedef struct CallRates {
  uint32_t first_result;         // item
  TapePattern pattern;           // of every result on every argument where the kernel says nothing
  uint32_t *users_start, *users; // its transpose: results that depend on an argument
  ExprId *rate;                  // of each argument in the present direction; 0: it does not move
} CallRates;

typedef struct Sweep {
  Arena *arena;
  System *s;
  VEC(SweepItem) items;
  uint32_t *users_start; // by symbol, into users
  SweepUser *users;
  uint32_t known;    // symbols that have users: those made on the way have none
  SymbolMap rate;    // of each symbol in the present direction
  Numbers touched;   // symbols that have one
  Numbers heap;      // items that wait, the first in front
  uint32_t ready;    // items before it are done: implicit equations hold their own unknowns
  Sides *sides;      // one a step
  CallRates **calls; // one a step, or NULL
  Numbers moved;     // arguments that have a rate: item numbers
  VEC(ExprId) entries;
  VEC(uint32_t) rows;
} Sweep;

// ---- which items wait

static bool wait(Sweep *w, uint32_t item) {
  SweepItem *x = &w->items.items[item];
  if (x->queued) return true;
  x->queued = true;
  if (!vec_push(w->arena, &w->heap, item)) return false;
  uint32_t *heap = w->heap.items;
  for (uint32_t i = w->heap.count - 1; i && heap[(i - 1) / 2] > heap[i]; i = (i - 1) / 2) {
    uint32_t swap = heap[i];
    heap[i] = heap[(i - 1) / 2];
    heap[(i - 1) / 2] = swap;
  }
  return true;
}

static uint32_t take_first(Sweep *w) {
  uint32_t *heap = w->heap.items, first = heap[0], count = --w->heap.count;
  heap[0] = heap[count];
  for (uint32_t i = 0;;) {
    uint32_t least = i;
    for (uint32_t child = 2 * i + 1; child <= 2 * i + 2 && child < count; child++) {
      if (heap[child] < heap[least]) least = child;
    }
    if (least == i) break;
    uint32_t swap = heap[i];
    heap[i] = heap[least];
    heap[least] = swap;
    i = least;
  }
  w->items.items[first].queued = false;
  w->ready = first + 1;
  return first;
}

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

// A symbol moves: the items that contain it are queued.
static bool set_rate(Sweep *w, SymbolId symbol, ExprId value) {
  if (!value) return false;
  symbol_map_set(&w->rate, symbol, value);
  if (!vec_push(w->arena, &w->touched, symbol)) return false;
  for (uint32_t k = w->users_start[symbol]; k < w->users_start[symbol + 1]; k++) {
    SweepUser u = w->users[k];
    if (u.item < w->ready) continue;
    if (!wait(w, u.item)) return false;
    if (w->items.items[u.item].is_long && !vec_push(w->arena, &w->items.items[u.item].terms, u.term)) return false;
  }
  return true;
}

// ---- expressions

// A long sum: the terms that move, as expr_derive would put them together.
static ExprId derive_terms(Sweep *w, SweepItem *x) {
  ExprPool *pool = w->s->pool;
  ArenaMark mark = arena_mark(pool->scratch);
  Term *terms = arena_array(pool->scratch, (size_t)x->terms.count + 1, sizeof *terms);
  uint32_t n = 0;
  qsort(x->terms.items, x->terms.count, sizeof *x->terms.items, by_number);
  bool ok = terms != NULL;
  for (uint32_t i = 0; ok && i < x->terms.count; i++) {
    if (i && x->terms.items[i] == x->terms.items[i - 1]) continue;
    Term t = expr_term(pool, x->root, x->terms.items[i]);
    ExprId d = 0;
    ok = expr_derive(pool, &w->rate, &t.term, 1, &d, NULL);
    if (ok && d != pool->zero) terms[n++] = (Term){t.coef, expr_op(pool, t.term) == op_add ? expr_whole(pool, d) : d};
  }
  ExprId sum = ok ? expr_sum(pool, terms, n) : 0;
  x->terms.count = 0;
  arena_release(pool->scratch, mark);
  return sum;
}

static ExprId derive(Sweep *w, SweepItem *x) {
  ExprId d = 0;
  if (x->is_long) return derive_terms(w, x);
  return expr_derive(w->s->pool, &w->rate, &x->root, 1, &d, NULL) ? d : 0;
}

// ---- blocks

// One more right-hand side; its solutions get symbols.
static bool put_side(Sweep *w, Sides *sides, const Block *block, const ExprId *r) {
  ExprPool *pool = w->s->pool;
  for (uint32_t i = 0; i < block->count; i++) {
    SymbolId symbol = pool_symbol(pool, "da/dy", sym_signal, 0, 0);
    if (!symbol || !vec_push(w->arena, &sides->r, r[i]) || !vec_push(w->arena, &sides->symbols, symbol)) return false;
    if (!set_rate(w, block->unknowns[i], expr_sym(pool, symbol))) return false;
  }
  sides->count++;
  return true;
}

// Entries of a block that move: the number of an entry of the matrix, or behind them the row of the right-hand side;
// rising.
typedef struct BlockMoves {
  const uint32_t *cell;
  ExprId *d; // their derivatives
  uint32_t count;
  ExprId *r; // residuals
} BlockMoves;

static ExprId block_root(const Block *block, uint32_t cell) {
  uint32_t cells = block_entries(block);
  return cell < cells ? block->matrix.value[cell] : block->rhs[cell - cells];
}

// r = dh + dM a in the present direction. *zero: it vanishes.
static bool find_residuals(Sweep *w, const Block *block, const BlockMoves *m, bool *zero) {
  ExprPool *pool = w->s->pool;
  uint32_t k = block->count, cells = block_entries(block), at = 0, side = 0;
  Term *terms = arena_array(pool->scratch, (size_t)m->count + 1, sizeof *terms);
  if (!terms) return false;
  while (side < m->count && m->cell[side] < cells) side++;
  *zero = true;
  for (uint32_t i = 0; i < k; i++) {
    uint32_t count = 0;
    if (side < m->count && m->cell[side] == cells + i) terms[count++] = (Term){rat_int(1), m->d[side++]};
    for (; at < m->count && m->cell[at] < block->matrix.start[i + 1]; at++) {
      if (expr_is_zero(pool, m->d[at])) continue;
      ExprId a = expr_sym(pool, block->unknowns[block->matrix.column[m->cell[at]]]);
      terms[count++] = (Term){rat_int(1), expr_mul(pool, m->d[at], a)};
    }
    m->r[i] = count ? expr_sum(pool, terms, count) : pool->zero;
    if (!m->r[i]) return false;
    *zero = *zero && expr_is_zero(pool, m->r[i]);
  }
  return true;
}

static bool derive_block(Sweep *w, SweepItem *x) {
  const Block *block = &w->s->blocks.items[x->index];
  ExprPool *pool = w->s->pool;
  Arena *scratch = pool->scratch;
  uint32_t k = block->count, *cell = x->terms.items, count = 0;
  ArenaMark mark = arena_mark(scratch);
  ExprId *roots = arena_array(scratch, (size_t)x->terms.count + 1, sizeof *roots);
  BlockMoves m = {.cell = cell,
                  .d = arena_array(scratch, (size_t)x->terms.count + 1, sizeof *m.d),
                  .r = arena_array(scratch, k, sizeof *m.r)};
  bool zero = true, ok = roots && m.d && m.r;
  if (ok && x->terms.count) qsort(cell, x->terms.count, sizeof *cell, by_number);
  for (uint32_t i = 0; ok && i < x->terms.count; i++) {
    if (!i || cell[i] != cell[count - 1]) cell[count++] = cell[i];
  }
  x->terms.count = 0;
  m.count = count;
  for (uint32_t i = 0; ok && i < count; i++) roots[i] = block_root(block, cell[i]);
  ok = ok && expr_derive(pool, &w->rate, roots, count, m.d, NULL) && find_residuals(w, block, &m, &zero);
  // a single unknown needs no kernel: da = -r/M
  if (ok && !zero && k == 1)
    ok = set_rate(w, block->unknowns[0], expr_neg(pool, expr_div(pool, m.r[0], block_entry(pool, block, 0, 0))));
  if (ok && !zero && k > 1) ok = put_side(w, &w->sides[x->step], block, m.r);
  arena_release(scratch, mark);
  return ok;
}

// ---- calls

// The derivatives get symbols when the first of the arguments moves, one for each entry of the pattern.
static bool name_slopes(Sweep *w, Sides *sides, uint32_t count) {
  for (uint32_t i = sides->count; i < count; i++) {
    SymbolId symbol = pool_symbol(w->s->pool, "dz/da", sym_signal, i, 0);
    if (!symbol || !vec_push(w->arena, &sides->symbols, symbol)) return false;
    sides->count++;
  }
  return true;
}

static bool move_argument(Sweep *w, uint32_t item, ExprId value) {
  const SweepItem *x = &w->items.items[item];
  CallRates *c = w->calls[x->step];
  const SystemCall *call = &w->s->calls.items[w->s->steps.items[x->step].index];
  if (!value) return false;
  if (expr_is_zero(w->s->pool, value)) return true;
  c->rate[x->index] = value;
  if (!vec_push(w->arena, &w->moved, item)) return false;
  if (!name_slopes(w, &w->sides[x->step], c->pattern.start[call->result_count])) return false;
  for (uint32_t k = c->users_start[x->index]; k < c->users_start[x->index + 1]; k++) {
    if (!wait(w, c->first_result + c->users[k])) return false;
  }
  return true;
}

// The entry of a result's pattern that is this argument; UINT32_MAX: it does not depend on it.
static uint32_t find_entry(TapePattern p, uint32_t result, uint32_t argument) {
  uint32_t from = p.start[result], to = p.start[result + 1];
  while (from < to) {
    uint32_t mid = from + (to - from) / 2;
    if (p.argument[mid] == argument) return mid;
    if (p.argument[mid] < argument) from = mid + 1;
    else to = mid;
  }
  return UINT32_MAX;
}

// dz_i = sum over the arguments that move of derivative times rate
static bool derive_result(Sweep *w, const SweepItem *x) {
  ExprPool *pool = w->s->pool;
  const CallRates *c = w->calls[x->step];
  const SystemCall *call = &w->s->calls.items[w->s->steps.items[x->step].index];
  uint32_t n = 0;
  ArenaMark mark = arena_mark(pool->scratch);
  Term *terms = arena_array(pool->scratch, (size_t)w->moved.count + 1, sizeof *terms);
  for (uint32_t i = 0; terms && i < w->moved.count; i++) {
    const SweepItem *argument = &w->items.items[w->moved.items[i]];
    uint32_t k = argument->step == x->step ? find_entry(c->pattern, x->index, argument->index) : UINT32_MAX;
    if (k == UINT32_MAX) continue;
    ExprId slope = expr_sym(pool, w->sides[x->step].symbols.items[k]);
    terms[n++] = (Term){rat_int(1), expr_mul(pool, slope, c->rate[argument->index])};
  }
  ExprId sum = terms ? expr_sum(pool, terms, n) : 0;
  arena_release(pool->scratch, mark);
  return sum && (expr_is_zero(pool, sum) || set_rate(w, call->results[x->index], sum));
}

// ---- columns

static bool derive_item(Sweep *w, uint32_t item) {
  SweepItem *x = &w->items.items[item];
  System *s = w->s;
  if (x->kind == sweep_block) return derive_block(w, x);
  if (x->kind == sweep_result) return derive_result(w, x);
  ExprId d = derive(w, x);
  if (x->kind == sweep_argument) return move_argument(w, item, d);
  if (!d || expr_is_zero(s->pool, d)) return d != 0;
  if (x->kind == sweep_definition) return set_rate(w, s->definitions.items[x->index].symbol, d);
  return vec_push(w->arena, &w->entries, d) && vec_push(w->arena, &w->rows, x->index);
}

// What changes when only `symbol` does; the rows among it are entries of the column.
static bool derive_column(Sweep *w, SymbolId symbol) {
  if (!symbol) return true;
  w->ready = 0;
  bool ok = set_rate(w, symbol, w->s->pool->one);
  while (ok && w->heap.count) ok = derive_item(w, take_first(w));
  for (uint32_t i = 0; i < w->touched.count; i++) symbol_map_unset(&w->rate, w->touched.items[i]);
  for (uint32_t i = 0; i < w->moved.count; i++) {
    const SweepItem *x = &w->items.items[w->moved.items[i]];
    w->calls[x->step]->rate[x->index] = 0;
  }
  w->rate.mask = 0;
  w->touched.count = w->moved.count = 0;
  return ok;
}

// ---- items

static bool add_item(Sweep *w, SweepItem x) {
  enum { long_sum = 64 }; // terms; below that one pass over all of them is as fast
  const ExprPool *pool = w->s->pool;
  x.is_long =
      x.kind == sweep_block || (x.root && expr_op(pool, x.root) == op_add && expr_term_count(pool, x.root) >= long_sum);
  return vec_push(w->arena, &w->items, x);
}

// The pattern of a kernel that says nothing: everything depends on everything.
static TapePattern full_pattern(Arena *arena, uint32_t results, uint32_t args) {
  uint32_t *start = arena_array(arena, (size_t)results + 1, sizeof *start);
  uint32_t *argument = arena_array(arena, (size_t)results * args + 1, sizeof *argument);
  if (!start || !argument) return (TapePattern){0};
  for (uint32_t i = 0; i < results * args; i++) argument[i] = i % args;
  for (uint32_t i = 0; i <= results; i++) start[i] = i * args;
  return (TapePattern){start, argument};
}

static bool transpose(Arena *arena, CallRates *c, uint32_t results, uint32_t args) {
  const TapePattern *p = &c->pattern;
  uint32_t *start = arena_array(arena, (size_t)args + 2, sizeof *start), *at = start + 1;
  c->users = arena_array(arena, (size_t)p->start[results] + 1, sizeof *c->users);
  if (!start || !c->users) return false;
  for (uint32_t k = 0; k < p->start[results]; k++) at[p->argument[k] + 1]++;
  for (uint32_t j = 0; j < args; j++) at[j + 1] += at[j];
  for (uint32_t i = 0; i < results; i++) {
    for (uint32_t k = p->start[i]; k < p->start[i + 1]; k++) c->users[at[p->argument[k]]++] = i;
  }
  c->users_start = start;
  return true;
}

static bool add_call(Sweep *w, uint32_t step, const SystemCall *call) {
  CallRates *c = w->calls[step] = arena_new_of(w->arena, CallRates);
  if (!c) return false;
  for (uint32_t i = 0; i < call->arg_count; i++) {
    if (!add_item(w, (SweepItem){.kind = sweep_argument, .step = step, .index = i, .root = call->args[i]}))
      return false;
  }
  c->first_result = w->items.count;
  for (uint32_t i = 0; i < call->result_count; i++) {
    if (!add_item(w, (SweepItem){.kind = sweep_result, .step = step, .index = i})) return false;
  }
  c->pattern = call->kernel->pattern ? call->kernel->pattern(call->data)
                                     : full_pattern(w->arena, call->result_count, call->arg_count);
  c->rate = arena_array(w->arena, (size_t)call->arg_count + 1, sizeof *c->rate);
  return c->rate && c->pattern.start && transpose(w->arena, c, call->result_count, call->arg_count);
}

static bool add_steps(Sweep *w) {
  System *s = w->s;
  for (uint32_t k = 0; k < s->steps.count; k++) {
    uint32_t index = s->steps.items[k].index;
    bool ok = true;
    switch (s->steps.items[k].kind) {
    case step_define:
      ok = add_item(
          w,
          (SweepItem){.kind = sweep_definition, .step = k, .index = index, .root = s->definitions.items[index].value});
      break;
    case step_solve: ok = add_item(w, (SweepItem){.kind = sweep_block, .step = k, .index = index}); break;
    case step_call: ok = add_call(w, k, &s->calls.items[index]); break;
    }
    if (!ok) return false;
  }
  return true;
}

static bool add_row(Sweep *w, uint32_t row, ExprId root) {
  return !root || add_item(w, (SweepItem){.kind = sweep_row, .index = row, .root = root});
}

// y', then `more`. An entry that is empty has no row.
static bool add_rows(Sweep *w, const ExprId *more, uint32_t more_count) {
  const System *s = w->s;
  uint32_t dim = system_dim(s);
  for (uint32_t i = 0; i < dim + more_count; i++) {
    if (!add_row(w, i, i < dim ? s->y.items[i].rate : more[i - dim])) return false;
  }
  return true;
}

// ---- users

typedef struct SymbolUser {
  SymbolId symbol;
  SweepUser user;
} SymbolUser;

typedef VEC(SymbolUser) SymbolUsers;

static bool put_users(Sweep *w, SymbolUsers *all, const ExprId *roots, uint32_t count, SweepUser user) {
  uint32_t length;
  const ExprId *list = pool_reach(w->s->pool, roots, count, NULL, NULL, &length);
  for (uint32_t i = 0; list && i < length; i++) {
    SymbolId symbol = expr_symbol(w->s->pool, list[i]);
    if (symbol && !vec_push(w->arena, all, ((SymbolUser){symbol, user}))) return false;
  }
  return list != NULL;
}

// Of implicit equations the matrix is the derivative already.
static bool users_of_block(Sweep *w, SymbolUsers *all, uint32_t item, const Block *b) {
  uint32_t cells = block_entries(b);
  for (uint32_t c = b->implicit ? cells : 0; c < cells + b->count; c++) {
    ExprId root = block_root(b, c);
    if (!expr_is_zero(w->s->pool, root) && !put_users(w, all, &root, 1, (SweepUser){item, c})) return false;
  }
  return true;
}

static bool users_of_item(Sweep *w, SymbolUsers *all, uint32_t item) {
  const SweepItem *x = &w->items.items[item];
  if (x->kind == sweep_result) return true;
  if (x->kind == sweep_block) return users_of_block(w, all, item, &w->s->blocks.items[x->index]);
  if (!x->is_long) return put_users(w, all, &x->root, 1, (SweepUser){item, 0});
  for (uint32_t i = 0; i < expr_term_count(w->s->pool, x->root); i++) {
    ExprId term = expr_term(w->s->pool, x->root, i).term;
    if (!put_users(w, all, &term, 1, (SweepUser){item, i})) return false;
  }
  return true;
}

static bool find_users(Sweep *w) {
  SymbolUsers all = {0};
  for (uint32_t i = 0; i < w->items.count; i++) {
    if (!users_of_item(w, &all, i)) return false;
  }
  uint32_t *start = arena_array(w->arena, (size_t)w->known + 2, sizeof *start), *at = start + 1;
  w->users = arena_array(w->arena, (size_t)all.count + 1, sizeof *w->users);
  if (!start || !w->users) return false;
  for (uint32_t i = 0; i < all.count; i++) at[all.items[i].symbol + 1]++;
  for (uint32_t i = 0; i < w->known; i++) at[i + 1] += at[i];
  for (uint32_t i = 0; i < all.count; i++) w->users[at[all.items[i].symbol]++] = all.items[i].user;
  w->users_start = start;
  return true;
}

// ---- the whole

static const TapeTangent *gather(Sweep *w, uint32_t *count) {
  uint32_t steps = w->s->steps.count;
  TapeTangent *list = arena_array(w->arena, (size_t)steps + 1, sizeof *list);
  *count = 0;
  for (uint32_t k = 0; list && k < steps; k++) {
    const Sides *x = &w->sides[k];
    if (x->count) list[(*count)++] = (TapeTangent){k, x->count, x->r.items, x->symbols.items};
  }
  return list;
}

static bool sweep_init(Sweep *w, const ExprId *more, uint32_t more_count) {
  System *s = w->s;
  w->known = s->pool->symbols.count;
  w->rate = symbol_map_new(s->pool);
  w->sides = arena_array(w->arena, (size_t)s->steps.count + 1, sizeof *w->sides);
  w->calls = arena_array(w->arena, (size_t)s->steps.count + 1, sizeof *w->calls);
  if (!w->rate.of || !w->sides || !w->calls) return false;
  return add_steps(w) && add_rows(w, more, more_count) && find_users(w);
}

const TapeJacobian *tape_jacobian_asked(Arena *arena, System *s, const ExprId *more, uint32_t more_count,
                                        TapeSolve *large, TapeAsk ask) {
  enum { often = 16 }; // columns between questions whether to stop
  Sweep sweep = {.arena = arena, .s = s}, *w = &sweep;
  TapeRequest request = {.system = s, .held_count = s->held.count, .large = large, .often = true};
  TapeJacobian *j = arena_new_of(arena, TapeJacobian);
  SymbolId *vars = frame_variables(arena, &(TapeFrame){.system = s}, &request.var_count);
  if (!j || !vars || !sweep_init(w, more, more_count)) return NULL;
  j->columns = request.var_count - s->held.count;
  j->rows = j->columns - 1 + more_count;
  j->start = arena_array(arena, (size_t)j->columns + 1, sizeof *j->start);
  if (!j->start) return NULL;
  // time comes first among the variables and last among the columns
  for (uint32_t c = 0; c < j->columns; c++) {
    if (c % often == 0 && ask.stop && ask.stop(ask.self)) return NULL;
    if (!derive_column(w, c + 1 < j->columns ? vars[c + 1] : s->time)) return NULL;
    j->start[c + 1] = w->entries.count;
  }
  j->row = w->rows.items;
  j->count = w->entries.count;
  request.vars = vars;
  request.results = w->entries.items;
  request.result_count = w->entries.count;
  request.tangents = gather(w, &request.tangent_count);
  j->tape = request.tangents ? tape_build(arena, &request) : NULL;
  return j->tape ? j : NULL;
}

const TapeJacobian *tape_jacobian(Arena *arena, System *s, const ExprId *more, uint32_t more_count, TapeSolve *large) {
  return tape_jacobian_asked(arena, s, more, more_count, large, (TapeAsk){0});
}

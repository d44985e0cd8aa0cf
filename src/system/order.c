// The order of computation: topological order, strongly connected components, algebraic loops.
//
// in    definitions, blocks; implicit equations with their unknowns; in a run with events the rules of memories
// out   steps: each needs only what is given or was computed by an earlier one; a second list of them with the rules
//
// It is found once for each System: the one that is described, the one that a run with events is rewritten to, the one
// of a linear model.
//
// What can be computed at once is taken first. What is left stands in cycles or holds implicit equations: its strongly
// connected components are taken one after the other, and one that is a cycle becomes an implicit block of all its
// unknowns. Whether the equations of such a block determine them is decided exactly (rank modulo a large prime).
#include "system/order_parts.h"

#include "expr/calculus.h"
#include "expr/modular.h"
#include "expr/ops.h"
#include "system/implicit.h"

#include <string.h>

enum { most_reported = 8 }; // cycles, in notes

// ---- what an item computes and holds

uint32_t order_unknowns_of(const Order *o, const OrderItem *x, const SymbolId **symbols) {
  System *s = o->s;
  if (x->kind == item_definition) {
    *symbols = &s->definitions.items[x->index].symbol;
    return 1;
  }
  if (x->kind == item_call) {
    *symbols = s->calls.items[x->index].results;
    return s->calls.items[x->index].result_count;
  }
  const Block *b = x->kind == item_block ? &s->blocks.items[x->index] : &x->raw;
  *symbols = b->unknowns;
  return b->count;
}

static bool not_ready(const ExprPool *pool, ExprId id, const void *context) {
  const Order *o = context;
  (void)pool;
  return id >= o->ready_size || !o->ready[id];
}

// The expressions of an item, without those that are found ready: what is not known yet is among them.
// In the pool's scratch arena.
const ExprId *order_holds(const Order *o, const OrderItem *x, uint32_t *length) {
  System *s = o->s;
  if (x->kind == item_definition)
    return pool_reach(s->pool, &s->definitions.items[x->index].value, 1, not_ready, o, length);
  if (x->kind == item_call) {
    const SystemCall *c = &s->calls.items[x->index];
    return pool_reach(s->pool, c->args, c->arg_count, not_ready, o, length);
  }
  const Block *b = x->kind == item_block ? &s->blocks.items[x->index] : &x->raw;
  uint32_t count = b->count, cells = b->implicit ? 0 : block_entries(b);
  ExprId *roots = arena_array(s->arena, (size_t)count + cells, sizeof *roots);
  if (!roots) return NULL;
  memcpy(roots, b->rhs, count * sizeof *roots);
  if (cells) memcpy(roots + count, b->matrix.value, cells * sizeof *roots);
  return pool_reach(s->pool, roots, count + cells, not_ready, o, length);
}

// Its own unknowns do not count in implicit equations, nor its own symbol in a rule.
static bool may_hold_own(const Order *o, const OrderItem *x) {
  if (x->kind == item_definition) return x->index >= o->rules;
  return x->kind == item_block && o->s->blocks.items[x->index].implicit;
}

static bool is_ready(const Order *o, uint32_t item) {
  uint32_t length;
  const ExprId *list = order_holds(o, &o->items.items[item], &length);
  bool own = may_hold_own(o, &o->items.items[item]);
  for (uint32_t i = 0; list && i < length; i++) {
    SymbolId symbol = expr_symbol(o->s->pool, list[i]);
    if (symbol && !o->known[symbol] && !(own && o->maker[symbol] == item + 1)) return false;
  }
  for (uint32_t i = 0; list && !own && i < length; i++) {
    if (list[i] < o->ready_size) o->ready[list[i]] = true;
  }
  return list != NULL;
}

static void finish_item(Order *o, uint32_t item) {
  OrderItem *x = &o->items.items[item];
  const SymbolId *symbols;
  uint32_t count = order_unknowns_of(o, x, &symbols);
  for (uint32_t i = 0; i < count; i++) o->known[symbols[i]] = true;
  x->done = true;
}

static void take(Order *o, uint32_t item) {
  const OrderItem *x = &o->items.items[item];
  SystemStepKind kind = x->kind == item_block ? step_solve : x->kind == item_call ? step_call : step_define;
  vec_push(o->s->arena, &o->s->steps, (SystemStep){kind, x->index});
  finish_item(o, item);
}

// One pass: most models are written in an order that will do. The search below finds that of the rest.
static void take_ready(Order *o) {
  for (uint32_t i = 0; i < o->items.count; i++) {
    if (is_ready(o, i)) take(o, i);
  }
}

Span order_span(const Order *o, uint32_t origin) { return origin ? o->s->origins.items[origin - 1].span : (Span){0}; }

// Names of unknowns: "`z`, `w` and `v`"
const char *order_names(const Order *o, const SymbolId *symbols, uint32_t count) {
  Text t = text_in(o->s->arena);
  for (uint32_t i = 0; i < count; i++)
    text_printf(&t, "%s`%s`", !i ? "" : i + 1 < count ? ", " : " and ", pool_symbol_get(o->s->pool, symbols[i])->name);
  return text_str(&t);
}

// ---- cycles

static void row_of_block(Order *o, const Block *b, uint32_t i, Block *out) {
  ExprPool *pool = o->s->pool;
  ExprId row = b->rhs[i];
  uint32_t from = b->implicit ? 0 : b->matrix.start[i], to = b->implicit ? 0 : b->matrix.start[i + 1];
  for (uint32_t k = from; k < to; k++)
    row = expr_add(pool, row, expr_mul(pool, b->matrix.value[k], expr_sym(pool, b->unknowns[b->matrix.column[k]])));
  out->rhs[out->count] = row;
  out->unknowns[out->count] = b->unknowns[i];
  out->origins[out->count++] = b->origins[i];
}

static ExprId start_of(const Order *o, SymbolId symbol) {
  const System *m = o->s;
  const Symbol *x = pool_symbol_get(o->s->pool, symbol);
  return x->kind == sym_unknown ? m->unknowns.items[x->index].guess : o->s->pool->zero;
}

static const SystemUnknown *cut_of(const Order *o, const Block *b) {
  const System *m = o->s;
  for (uint32_t i = 0; i < b->count; i++) {
    const Symbol *x = pool_symbol_get(o->s->pool, b->unknowns[i]);
    if (x->kind == sym_unknown && m->unknowns.items[x->index].chain) return &m->unknowns.items[x->index];
  }
  return NULL;
}

// Does an unknown decide a condition, and nothing else?
static bool by_logic_alone(const Order *o, const Block *b) {
  ExprPool *pool = o->s->pool;
  uint32_t length;
  const ExprId *list = pool_reach(pool, b->rhs, b->count, NULL, NULL, &length);
  bool logic = false;
  for (uint32_t i = 0; list && i < length; i++) {
    if (!expr_op_is_truth(expr_op(pool, list[i]))) continue;
    for (uint32_t k = 0; k < b->count && !logic; k++) logic = expr_depends(pool, list[i], b->unknowns[k]);
  }
  if (!logic) return false;
  // a definition z = f(z) whose f has no derivative by any unknown
  for (uint32_t i = 0; i < b->count; i++) {
    ExprId value = expr_add(pool, b->rhs[i], expr_sym(pool, b->unknowns[i]));
    for (uint32_t k = 0; k < b->count; k++) {
      if (!expr_is_zero(pool, expr_diff(pool, value, b->unknowns[k]))) return false;
    }
  }
  return true;
}

static void report_singular(Order *o, const Block *b, int rank) {
  Diags *diags = o->s->diags;
  const SystemUnknown *cut = cut_of(o, b);
  Span span = cut ? cut->span : order_span(o, b->origins[0]);
  if (cut && b->count == 1) {
    diag_error(diags, diag_singular_loop, span, "an algebraic loop that does not determine its values: %s", cut->chain);
    diag_hint(diags,
              "give one of them a value of its own, as by `param`, `state` or an equation without the others; in a "
              "feedback loop a block with memory, such as `integral` or `delay`, opens the loop");
  } else {
    diag_error(diags, diag_singular_loop, span, "these equations do not determine %s: they fix %d of %u",
               order_names(o, b->unknowns, b->count), rank, b->count);
    diag_hint(diags, "one of them follows from the others, or contradicts them, or an unknown drops out");
  }
}

// A cycle, or implicit equations: solved together.
static void take_implicit(Order *o, Block *b, const uint32_t *members, uint32_t count) {
  System *s = o->s;
  ExprId *starts = arena_array(s->arena, b->count, sizeof *starts);
  if (!starts || o->failed) {
    o->failed = true;
    return;
  }
  for (uint32_t i = 0; i < b->count; i++) starts[i] = start_of(o, b->unknowns[i]);
  const SystemUnknown *cut = cut_of(o, b);
  if (by_logic_alone(o, b)) {
    diag_error(s->diags, diag_logic_loop, cut ? cut->span : order_span(o, b->origins[0]),
               "a circle of conditions without memory: %s", cut ? cut->chain : order_names(o, b->unknowns, b->count));
    diag_hint(s->diags, "a `latch` or `delay` in the circle remembers what was before");
    o->failed = true;
    return;
  }
  if (!implicit_block(s, b, starts)) {
    o->failed = true;
    return;
  }
  int rank = block_rank(s->pool, b);
  if (rank >= 0 && (uint32_t)rank < b->count) {
    report_singular(o, b, rank);
    o->failed = true;
    return;
  }
  vec_push(s->arena, &s->blocks, *b);
  vec_push(s->arena, &s->steps, (SystemStep){step_solve, s->blocks.count - 1});
  for (uint32_t i = 0; i < count; i++) finish_item(o, members[i]);
  if (cut && ++o->circles <= most_reported)
    vec_push(s->arena, &s->notes, arena_printf(s->arena, "algebraic loop, solved by Newton's method: %s", cut->chain));
}

// A kernel has no equation that Newton's method could take apart.
static void report_call_in_circle(Order *o, const OrderItem *x) {
  const SystemCall *c = &o->s->calls.items[x->index];
  diag_error(o->s->diags, diag_singular_loop, order_span(o, c->origin),
             "an algebraic loop through what is computed as a whole: %s", order_names(o, c->results, 1));
  o->failed = true;
}

static void take_part(Order *o, uint32_t *members, uint32_t count) {
  System *s = o->s;
  const OrderItem *first = &o->items.items[members[0]];
  if (count == 1 && first->kind == item_equations) {
    Block b = first->raw;
    take_implicit(o, &b, members, 1);
    return;
  }
  if (count == 1 && is_ready(o, members[0])) {
    take(o, members[0]);
    return;
  }
  if (o->no_circles) {
    o->failed = true;
    return;
  }
  uint32_t total = 0;
  const SymbolId *symbols;
  for (uint32_t i = 0; i < count; i++) total += order_unknowns_of(o, &o->items.items[members[i]], &symbols);
  Block b = {.implicit = true};
  b.unknowns = arena_array(s->arena, total, sizeof *b.unknowns);
  b.rhs = arena_array(s->arena, total, sizeof *b.rhs);
  b.origins = arena_array(s->arena, total, sizeof *b.origins);
  if (!b.unknowns || !b.rhs || !b.origins) return;
  for (uint32_t i = 0; i < count; i++) {
    const OrderItem *x = &o->items.items[members[i]];
    if (x->kind == item_call) {
      report_call_in_circle(o, x);
      return;
    }
    if (x->kind == item_definition) {
      const Definition *d = &s->definitions.items[x->index];
      b.rhs[b.count] = expr_sub(s->pool, d->value, expr_sym(s->pool, d->symbol));
      b.unknowns[b.count] = d->symbol;
      b.origins[b.count++] = d->origin;
      continue;
    }
    const Block *own = x->kind == item_block ? &s->blocks.items[x->index] : &x->raw;
    for (uint32_t k = 0; k < own->count; k++) row_of_block(o, own, k, &b);
  }
  take_implicit(o, &b, members, count);
}

typedef struct OrderVisit {
  uint32_t item, next, length;
  const ExprId *list;
} OrderVisit;

// Tarjan's search for strongly connected parts, with a stack of its own; a part is complete after all that it needs.
static void search(Order *o, uint32_t root) {
  Arena *arena = o->s->arena;
  VEC(OrderVisit) path = {0};
  VEC(uint32_t) part = {0};
  for (uint32_t enter = root + 1;;) {
    if (enter) {
      OrderItem *x = &o->items.items[enter - 1];
      OrderVisit v = {.item = enter - 1};
      const ExprId *list = order_holds(o, x, &v.length);
      ExprId *copy = list ? arena_array(arena, v.length, sizeof *copy) : NULL;
      if (!copy) break;
      memcpy(copy, list, v.length * sizeof *copy);
      v.list = copy;
      x->number = x->low = ++o->numbers;
      x->on_stack = true;
      if (!vec_push(arena, &o->stack, enter - 1) || !vec_push(arena, &path, v)) break;
      enter = 0;
    }
    OrderVisit *v = &path.items[path.count - 1];
    OrderItem *x = &o->items.items[v->item];
    for (; v->next < v->length && !enter; v->next++) {
      SymbolId symbol = expr_symbol(o->s->pool, v->list[v->next]);
      uint32_t maker = symbol && !o->known[symbol] ? o->maker[symbol] : 0;
      if (!maker) continue;
      OrderItem *y = &o->items.items[maker - 1];
      if (!y->number) enter = maker;
      else if (y->on_stack && y->number < x->low) x->low = y->number;
    }
    if (enter) continue;
    if (x->low == x->number) {
      part.count = 0;
      for (uint32_t top = UINT32_MAX; top != v->item;) {
        top = o->stack.items[--o->stack.count];
        o->items.items[top].on_stack = false;
        if (!vec_push(arena, &part, top)) return;
      }
      take_part(o, part.items, part.count);
    }
    path.count--;
    if (path.count == 0 || o->failed) break;
    OrderItem *up = &o->items.items[path.items[path.count - 1].item];
    if (x->low < up->low) up->low = x->low;
  }
}

// Items of one kind; ordered: those that are a step of it, for what stands in a cycle is computed by the block that
// solves it, and those that are new.
static void put_items(Order *o, ItemKind kind, uint32_t count, const System *ordered, uint32_t old) {
  static const ItemKind items[] = {[step_define] = item_definition, [step_solve] = item_block, [step_call] = item_call};
  Arena *arena = o->s->arena;
  bool *step = ordered ? arena_array(arena, (size_t)old + 1, sizeof *step) : NULL;
  for (uint32_t i = 0; step && i < ordered->steps.count; i++) {
    const SystemStep *x = &ordered->steps.items[i];
    if (items[x->kind] == kind) step[x->index] = true;
  }
  for (uint32_t i = 0; i < count; i++) {
    if (!step || i >= old || step[i]) vec_push(arena, &o->items, (OrderItem){.kind = kind, .index = i});
  }
}

// Items of all definitions, blocks and calls, and who computes what. ordered: the same system without rules, whose
// cycles are solved; NULL: it has no order yet. False: out of memory.
static bool order_open(Order *o, System *s, const System *ordered) {
  *o = (Order){.s = s, .rules = ordered ? ordered->definitions.count : UINT32_MAX, .no_circles = ordered != NULL};
  uint32_t symbols = s->pool->symbols.count;
  o->known = arena_array(s->arena, symbols, sizeof *o->known);
  o->maker = arena_array(s->arena, symbols, sizeof *o->maker);
  o->ready_size = s->pool->nodes.count;
  o->ready = arena_array(s->arena, o->ready_size, sizeof *o->ready);
  if (!o->known || !o->maker || !o->ready) return false;
  put_items(o, item_definition, s->definitions.count, ordered, o->rules);
  put_items(o, item_block, s->blocks.count, ordered, s->blocks.count);
  put_items(o, item_call, s->calls.count, ordered, s->calls.count);
  if (arena_failed(s->arena)) return false;
  // everything is given but what is computed
  for (SymbolId i = 0; i < symbols; i++) o->known[i] = true;
  for (uint32_t i = 0; i < o->items.count; i++) {
    const SymbolId *own;
    uint32_t count = order_unknowns_of(o, &o->items.items[i], &own);
    for (uint32_t k = 0; k < count; k++) {
      o->known[own[k]] = false;
      o->maker[own[k]] = i + 1;
    }
  }
  return true;
}

// Parts of what is not taken yet, each after what it needs.
static void search_all(Order *o) {
  for (uint32_t i = 0; i < o->items.count && !o->failed && !arena_failed(o->s->arena); i++) {
    if (!o->items.items[i].done && !o->items.items[i].number) search(o, i);
  }
}

// The steps with rules among them: what is solved is known by then, so that a cycle can only be one of rules.
static bool order_rules(const System *s, OrderRules *r) {
  Order order, *o = &order;
  *r->with = *s;
  System *with = r->with;
  r->ordered = true;
  if (!r->count) return true;
  with->definitions = (DefinitionList){0};
  for (uint32_t i = 0; i < s->definitions.count; i++) vec_push(s->arena, &with->definitions, s->definitions.items[i]);
  for (uint32_t i = 0; i < r->count; i++) vec_push(s->arena, &with->definitions, r->items[i]);
  with->steps = (SystemStepList){0};
  if (arena_failed(s->arena) || !order_open(o, with, s)) return false;
  take_ready(o);
  search_all(o);
  if (o->failed) {
    r->ordered = false;
    *with = *s;
  }
  return !arena_failed(s->arena);
}

bool system_order(System *s, OrderRules *rules) {
  Order order, *o = &order;
  s->unordered = (Unordered){s->blocks.count, s->held.count, s->origins.count, s->notes.count};
  if (!order_open(o, s, NULL)) return false;
  uint32_t count;
  const SymbolId *unknowns = order_free_unknowns(o, &count);
  if (!unknowns) return false;
  take_ready(o);
  order_equations(o, unknowns, count);
  search_all(o);
  if (o->circles > most_reported)
    vec_push(s->arena, &s->notes, arena_printf(s->arena, "and %u more algebraic loops", o->circles - most_reported));
  if (arena_failed(s->arena)) return false;
  return !rules || o->failed || order_rules(s, rules);
}

bool system_order_with(System *s, const Definition *more, uint32_t count, uint32_t held) {
  uint32_t own = s->definitions.count;
  Definition *all = arena_array(s->arena, (size_t)own + count + 1, sizeof *all);
  if (!all) return false;
  if (own) memcpy(all, s->definitions.items, own * sizeof *all);
  if (count) memcpy(all + own, more, count * sizeof *all);
  s->definitions.items = all;
  s->definitions.count = s->definitions.cap = own + count;
  return system_order(s, NULL) && s->held.count == held;
}

// The order of computation.
//
// in    definitions, blocks; implicit equations with their unknowns
// out   steps: each needs only what is given or was computed by an earlier one
//
// What can be computed at once is taken first. What is left stands in circles or holds implicit equations: its strongly
// connected parts are taken one after the other, and one that is a circle becomes an implicit block of all its
// unknowns. Whether the equations of such a block determine them is decided exactly (rank modulo a large prime).
#include "system/implicit.h"
#include "system/index.h"

#include "expr/calculus.h"
#include "expr/modular.h"
#include "expr/ops.h"

#include <stdlib.h>
#include <string.h>

enum { most_told = 8 }; // circles, in notes

typedef enum ItemKind { item_definition, item_block, item_call, item_equations } ItemKind;

// Something that computes symbols.
typedef struct OrderItem {
  ItemKind kind;
  uint32_t index; // into definitions, blocks or calls
  Block raw;      // of implicit equations: unknowns, rhs, origins
  bool done;
  // of the search for circles
  uint32_t number, low;
  bool on_stack;
} OrderItem;

typedef struct Order {
  System *s;
  VEC(OrderItem) items;
  bool *known;     // by symbol: it is given, or computed already
  uint32_t *maker; // by symbol: the item that computes it, plus one
  bool *ready;     // by expression: all below it is known
  uint32_t ready_size;
  VEC(uint32_t) stack;
  uint32_t numbers;
  uint32_t circles; // that are solved
  // of rules: definitions from here on may hold their own symbol, which then is its value before; nothing is solved
  uint32_t rules;
  bool no_circles;
  bool failed;
} Order;

// ---- what an item computes and holds

static uint32_t unknowns_of(const Order *o, const OrderItem *x, const SymbolId **symbols) {
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

// The expressions of an item, without those that are found ready: what is not known yet is among them. In the pool's
// scratch room.
static const ExprId *holds(const Order *o, const OrderItem *x, uint32_t *length) {
  System *s = o->s;
  if (x->kind == item_definition)
    return pool_reach(s->pool, &s->definitions.items[x->index].value, 1, not_ready, o, length);
  if (x->kind == item_call) {
    const SystemCall *c = &s->calls.items[x->index];
    return pool_reach(s->pool, c->args, c->arg_count, not_ready, o, length);
  }
  const Block *b = x->kind == item_block ? &s->blocks.items[x->index] : &x->raw;
  uint32_t count = b->count, cells = b->implicit ? 0 : count * count;
  ExprId *roots = arena_array(s->arena, (size_t)count + cells, sizeof *roots);
  if (!roots) return NULL;
  memcpy(roots, b->rhs, count * sizeof *roots);
  if (cells) memcpy(roots + count, b->matrix, cells * sizeof *roots);
  return pool_reach(s->pool, roots, count + cells, not_ready, o, length);
}

// Its own unknowns do not count in implicit equations, nor its own symbol in a rule.
static bool may_hold_own(const Order *o, const OrderItem *x) {
  if (x->kind == item_definition) return x->index >= o->rules;
  return x->kind == item_block && o->s->blocks.items[x->index].implicit;
}

static bool is_ready(const Order *o, uint32_t item) {
  uint32_t length;
  const ExprId *list = holds(o, &o->items.items[item], &length);
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
  uint32_t count = unknowns_of(o, x, &symbols);
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

// ---- implicit equations

static Span span_of(const Order *o, uint32_t origin) {
  return origin ? o->s->origins.items[origin - 1].span : (Span){0};
}

static uint32_t find_root(uint32_t *parent, uint32_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

// Names of unknowns: "`z`, `w` and `v`"
static const char *names_of(const Order *o, const SymbolId *symbols, uint32_t count) {
  Text t = text_in(o->s->arena);
  for (uint32_t i = 0; i < count; i++)
    text_printf(&t, "%s`%s`", !i ? "" : i + 1 < count ? ", " : " and ", pool_symbol_get(o->s->pool, symbols[i])->name);
  return text_str(&t);
}

// Unknowns that no block of a formulation solves for.
static void free_unknowns(const Order *o, SymbolId *out, uint32_t *count) {
  const System *m = o->s;
  *count = 0;
  for (uint32_t i = 0; i < m->unknowns.count; i++) {
    if (!o->maker[m->unknowns.items[i].symbol]) out[(*count)++] = m->unknowns.items[i].symbol; // else it is integrated
  }
  for (uint32_t i = 0; i < m->states.count; i++) {
    if (m->states.items[i].implicit && !o->maker[m->states.items[i].rate]) out[(*count)++] = m->states.items[i].rate;
  }
  for (uint32_t i = 0; i < m->coords.count; i++) {
    if (o->s->source[i] == source_implicit && !o->maker[m->coords.items[i].a]) out[(*count)++] = m->coords.items[i].a;
  }
}

typedef struct NamedUnknown {
  const char *name;
  SymbolId symbol;
} NamedUnknown;

static int by_name(const void *a, const void *b) {
  const NamedUnknown *x = a, *y = b;
  int order = strcmp(x->name, y->name);
  return order ? order : (x->symbol > y->symbol) - (x->symbol < y->symbol);
}

// Unknowns in the order of their names, not in that of their lines.
static void sort_unknowns(const Order *o, SymbolId *symbols, uint32_t count) {
  NamedUnknown *list = arena_array(o->s->arena, (size_t)count + 1, sizeof *list);
  for (uint32_t i = 0; list && i < count; i++)
    list[i] = (NamedUnknown){pool_symbol_get(o->s->pool, symbols[i])->name, symbols[i]};
  if (list && count) qsort(list, count, sizeof *list, by_name);
  for (uint32_t i = 0; list && i < count; i++) symbols[i] = list[i].symbol;
}

// Everything that an equation's unknowns may hang on, through what is computed from them.
static void join(Order *o, uint32_t *parent, const OrderItem *x, uint32_t node) {
  uint32_t length;
  const ExprId *list = holds(o, x, &length);
  for (uint32_t i = 0; list && i < length; i++) {
    SymbolId symbol = expr_symbol(o->s->pool, list[i]);
    if (symbol && !o->known[symbol]) parent[find_root(parent, symbol)] = find_root(parent, node);
  }
}

static Span span_of_unknown(const Order *o, SymbolId symbol) {
  const System *m = o->s;
  const Symbol *x = pool_symbol_get(o->s->pool, symbol);
  if (x->kind == sym_unknown) return m->unknowns.items[x->index].span;
  return x->kind == sym_state_rate ? m->states.items[x->index].span : m->coords.items[x->index].span;
}

// Equations and unknowns do not pair up. all: their numbers agree in the whole model.
static void report_count(Order *o, const Block *b, uint32_t rows, bool all) {
  Diags *diags = o->s->diags;
  o->failed = true;
  if (rows && b->count == 0) {
    diag_error(diags, diag_unknown_count, span_of(o, b->origins[0]), "this equation holds no unknown");
  } else if (rows || !all) {
    Span span = rows ? span_of(o, b->origins[0]) : span_of_unknown(o, b->unknowns[0]);
    diag_error(diags, diag_unknown_count, span, "%u equation%s for %u unknown%s: %s", rows, rows == 1 ? "" : "s",
               b->count, b->count == 1 ? "" : "s", names_of(o, b->unknowns, b->count));
  } else {
    return; // the equation that should hold it is reported
  }
  diag_hint(diags, "each `unknown` needs an `equation`; so does a state without an equation `x' = ...` of its own");
}

// Unknowns and equations that hang together.
typedef struct BlockGroup {
  Block b;
  uint32_t rows;
  SymbolId *unknown; // by row: that of a circle of definitions; 0: any
} BlockGroup;

static void add_item(Order *o, Block b) {
  if (!vec_push(o->s->arena, &o->items, (OrderItem){.kind = item_equations, .raw = b})) return;
  for (uint32_t i = 0; i < b.count; i++) o->maker[b.unknowns[i]] = o->items.count;
}

// The equation of a circle is the one of its unknown: an item of its own, so that a chain of circles is solved one
// after the other. The rest of a group is one item.
static void add_group(Order *o, BlockGroup *g, bool *owned) {
  Block rest = g->b;
  uint32_t rows = 0;
  rest.count = 0;
  for (uint32_t i = 0; i < g->rows; i++) owned[g->unknown[i]] = true;
  for (uint32_t i = 0; i < g->rows; i++) {
    if (g->unknown[i]) {
      Block one = {.implicit = true, .count = 1};
      one.unknowns = arena_array(o->s->arena, 1, sizeof *one.unknowns);
      one.rhs = arena_array(o->s->arena, 1, sizeof *one.rhs);
      one.origins = arena_array(o->s->arena, 1, sizeof *one.origins);
      if (!one.unknowns || !one.rhs || !one.origins) return;
      one.unknowns[0] = g->unknown[i];
      one.rhs[0] = g->b.rhs[i];
      one.origins[0] = g->b.origins[i];
      add_item(o, one);
    } else {
      rest.rhs[rows] = g->b.rhs[i];
      rest.origins[rows++] = g->b.origins[i];
    }
  }
  for (uint32_t i = 0; i < g->b.count; i++) {
    if (!owned[g->b.unknowns[i]]) rest.unknowns[rest.count++] = g->b.unknowns[i];
  }
  if (rest.count) add_item(o, rest);
}

static bool group_room(Arena *arena, BlockGroup *g) {
  g->b.unknowns = arena_array(arena, (size_t)g->b.count + 1, sizeof *g->b.unknowns);
  g->b.rhs = arena_array(arena, (size_t)g->rows + 1, sizeof *g->b.rhs);
  g->b.origins = arena_array(arena, (size_t)g->rows + 1, sizeof *g->b.origins);
  g->unknown = arena_array(arena, (size_t)g->rows + 1, sizeof *g->unknown);
  g->b.count = g->rows = 0;
  return g->b.unknowns && g->b.rhs && g->b.origins && g->unknown;
}

static void equation_items(Order *o, const SymbolId *all, uint32_t count) {
  System *s = o->s;
  uint32_t symbols = s->pool->symbols.count, equations = s->implicit.count;
  uint32_t *parent = arena_array(s->arena, (size_t)symbols + equations, sizeof *parent);
  uint32_t *group = arena_array(s->arena, (size_t)symbols + equations, sizeof *group); // by root, plus one
  bool *owned = arena_array(s->arena, symbols, sizeof *owned);
  if (!parent || !group || !owned) return;
  // nodes: symbols, then equations; joined where one holds the other
  for (uint32_t i = 0; i < symbols + equations; i++) parent[i] = i;
  for (uint32_t i = 0; i < o->items.count; i++) {
    const SymbolId *own;
    uint32_t n = unknowns_of(o, &o->items.items[i], &own);
    if (o->items.items[i].done) continue;
    for (uint32_t k = 1; k < n; k++) parent[find_root(parent, own[k])] = find_root(parent, own[0]);
    join(o, parent, &o->items.items[i], own[0]);
  }
  for (uint32_t i = 0; i < equations; i++) {
    ExprId residual = equation_solved(&s->implicit.items[i]);
    OrderItem x = {.kind = item_equations, .raw = {.count = 1, .rhs = &residual, .implicit = true}};
    join(o, parent, &x, symbols + i);
    if (s->implicit.items[i].unknown)
      parent[find_root(parent, s->implicit.items[i].unknown)] = find_root(parent, symbols + i);
  }
  // counted, then filled
  VEC(BlockGroup) groups = {0};
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t i = 0; i < count + equations; i++) {
      uint32_t root = find_root(parent, i < count ? all[i] : symbols + i - count);
      if (!group[root]) {
        if (!vec_push(s->arena, &groups, (BlockGroup){.b = {.implicit = true}})) return;
        group[root] = groups.count;
      }
      BlockGroup *g = &groups.items[group[root] - 1];
      if (i < count) {
        if (pass) g->b.unknowns[g->b.count] = all[i];
        g->b.count++;
        continue;
      }
      const SystemEquation *e = &s->implicit.items[i - count];
      if (pass) {
        g->b.rhs[g->rows] = equation_solved(e);
        g->b.origins[g->rows] = system_origin(s, e->span, e->label, equation_solved(e));
        g->unknown[g->rows] = e->unknown;
      }
      g->rows++;
    }
    for (uint32_t i = 0; pass == 0 && i < groups.count; i++) {
      if (!group_room(s->arena, &groups.items[i])) return;
    }
  }
  for (uint32_t i = 0; i < groups.count; i++) {
    if (groups.items[i].rows != groups.items[i].b.count)
      report_count(o, &groups.items[i].b, groups.items[i].rows, equations == count);
  }
  for (uint32_t i = 0; i < groups.count && !o->failed; i++) add_group(o, &groups.items[i], owned);
}

// ---- circles

static void row_of_block(Order *o, const Block *b, uint32_t i, Block *out) {
  ExprPool *pool = o->s->pool;
  ExprId row = b->rhs[i];
  for (uint32_t j = 0; !b->implicit && j < b->count; j++)
    row = expr_add(pool, row, expr_mul(pool, b->matrix[i * b->count + j], expr_sym(pool, b->unknowns[j])));
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
  // a definition z = f(z) whose f has no slope in any unknown
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
  Span span = cut ? cut->span : span_of(o, b->origins[0]);
  if (cut && b->count == 1) {
    diag_error(diags, diag_singular_loop, span, "an algebraic loop that does not determine its values: %s", cut->chain);
    diag_hint(diags, "a block with memory, such as `integral` or `delay`, opens the loop");
  } else {
    diag_error(diags, diag_singular_loop, span, "these equations do not determine %s: they fix %d of %u",
               names_of(o, b->unknowns, b->count), rank, b->count);
    diag_hint(diags, "one of them follows from the others, or contradicts them, or an unknown drops out");
  }
}

// A circle, or implicit equations: solved together.
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
    diag_error(s->diags, diag_logic_loop, cut ? cut->span : span_of(o, b->origins[0]),
               "a circle of conditions without memory: %s", cut ? cut->chain : names_of(o, b->unknowns, b->count));
    diag_hint(s->diags, "a `latch` or `delay` in the circle remembers what was before");
    o->failed = true;
    return;
  }
  if (!implicit_block(s, b, starts)) {
    o->failed = true;
    return;
  }
  int rank = expr_rank(s->pool, b->matrix, b->count, b->count, NULL);
  if (rank >= 0 && (uint32_t)rank < b->count) {
    report_singular(o, b, rank);
    o->failed = true;
    return;
  }
  vec_push(s->arena, &s->blocks, *b);
  vec_push(s->arena, &s->steps, (SystemStep){step_solve, s->blocks.count - 1});
  for (uint32_t i = 0; i < count; i++) finish_item(o, members[i]);
  if (cut && ++o->circles <= most_told)
    vec_push(s->arena, &s->notes, arena_printf(s->arena, "algebraic loop, solved by Newton's method: %s", cut->chain));
}

// A kernel has no equation that Newton's method could take apart.
static void report_call_in_circle(Order *o, const OrderItem *x) {
  const SystemCall *c = &o->s->calls.items[x->index];
  diag_error(o->s->diags, diag_singular_loop, span_of(o, c->origin),
             "an algebraic loop through what is computed as a whole: %s", names_of(o, c->results, 1));
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
  for (uint32_t i = 0; i < count; i++) total += unknowns_of(o, &o->items.items[members[i]], &symbols);
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
      const ExprId *list = holds(o, x, &v.length);
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

// Items of all definitions, blocks and calls, and who computes what. False: memory is out.
static bool order_open(Order *o, System *s) {
  *o = (Order){.s = s, .rules = UINT32_MAX};
  uint32_t symbols = s->pool->symbols.count;
  o->known = arena_array(s->arena, symbols, sizeof *o->known);
  o->maker = arena_array(s->arena, symbols, sizeof *o->maker);
  o->ready_size = s->pool->nodes.count;
  o->ready = arena_array(s->arena, o->ready_size, sizeof *o->ready);
  if (!o->known || !o->maker || !o->ready) return false;
  for (uint32_t i = 0; i < s->definitions.count; i++)
    vec_push(s->arena, &o->items, (OrderItem){.kind = item_definition, .index = i});
  for (uint32_t i = 0; i < s->blocks.count; i++)
    vec_push(s->arena, &o->items, (OrderItem){.kind = item_block, .index = i});
  for (uint32_t i = 0; i < s->calls.count; i++)
    vec_push(s->arena, &o->items, (OrderItem){.kind = item_call, .index = i});
  if (arena_failed(s->arena)) return false;
  // everything is given but what is computed
  for (SymbolId i = 0; i < symbols; i++) o->known[i] = true;
  for (uint32_t i = 0; i < o->items.count; i++) {
    const SymbolId *own;
    uint32_t count = unknowns_of(o, &o->items.items[i], &own);
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

bool system_order_rules(System *s, const Definition *rules, uint32_t count) {
  VEC(Definition) all = {0};
  Order order, *o = &order;
  uint32_t own = s->definitions.count;
  for (uint32_t i = 0; i < own + count; i++)
    vec_push(s->arena, &all, i < own ? s->definitions.items[i] : rules[i - own]);
  s->definitions.items = all.items;
  s->definitions.count = all.count;
  s->definitions.cap = all.cap;
  s->steps.items = NULL;
  s->steps.count = s->steps.cap = 0;
  if (arena_failed(s->arena) || !order_open(o, s)) return false;
  o->rules = own;
  o->no_circles = true;
  take_ready(o);
  search_all(o);
  return !o->failed && !arena_failed(s->arena);
}

void system_order(System *s) {
  Order order, *o = &order;
  if (!order_open(o, s)) return;
  uint32_t count;
  SymbolId *unknowns =
      arena_array(s->arena, (size_t)s->unknowns.count + s->states.count + s->coords.count + 1, sizeof *unknowns);
  if (!unknowns) return;
  free_unknowns(o, unknowns, &count);
  sort_unknowns(o, unknowns, count);
  for (uint32_t i = 0; i < count; i++) o->known[unknowns[i]] = false;
  take_ready(o);
  equation_items(o, unknowns, count);
  search_all(o);
  if (o->circles > most_told)
    vec_push(s->arena, &s->notes, arena_printf(s->arena, "and %u more algebraic loops", o->circles - most_told));
}

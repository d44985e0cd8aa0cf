// Implicit equations as items of the order of computation.
//
// in    implicit equations, the unknowns that no block solves for, what is known when all that can be is computed
// out   items: equations and unknowns coupled through what is computed from them, as many of one as of the other; the
//       equation of a cyclic definition alone with its unknown
#include "system/index.h"
#include "system/order_parts.h"

#include <stdlib.h>
#include <string.h>

static uint32_t find_root(uint32_t *parent, uint32_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
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

const SymbolId *order_free_unknowns(Order *o, uint32_t *count) {
  const System *s = o->s;
  SymbolId *list =
      arena_array(s->arena, (size_t)s->unknowns.count + s->states.count + s->coords.count + 1, sizeof *list);
  if (!list) return NULL;
  free_unknowns(o, list, count);
  sort_unknowns(o, list, *count);
  for (uint32_t i = 0; i < *count; i++) o->known[list[i]] = false;
  return list;
}

// Everything that an equation's unknowns may hang on, through what is computed from them.
static void join(Order *o, uint32_t *parent, const OrderItem *x, uint32_t node) {
  uint32_t length;
  const ExprId *list = order_holds(o, x, &length);
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
    diag_error(diags, diag_unknown_count, order_span(o, b->origins[0]), "this equation holds no unknown");
  } else if (rows || !all) {
    Span span = rows ? order_span(o, b->origins[0]) : span_of_unknown(o, b->unknowns[0]);
    diag_error(diags, diag_unknown_count, span, "%u equation%s for %u unknown%s: %s", rows, rows == 1 ? "" : "s",
               b->count, b->count == 1 ? "" : "s", order_names(o, b->unknowns, b->count));
  } else {
    return; // the equation that should hold it is reported
  }
  diag_hint(diags, "each `unknown` needs an `equation`; so does a state without an equation `x' = ...` of its own");
}

// Coupled unknowns and equations.
typedef struct BlockGroup {
  Block b;
  uint32_t rows;
  SymbolId *unknown; // by row: that of a cyclic definition; 0: any
} BlockGroup;

static void add_item(Order *o, Block b) {
  if (!vec_push(o->s->arena, &o->items, (OrderItem){.kind = item_equations, .raw = b})) return;
  for (uint32_t i = 0; i < b.count; i++) o->maker[b.unknowns[i]] = o->items.count;
}

// The equation of a cycle is the one of its unknown: an item of its own, so that a chain of cycles is solved one
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

void order_equations(Order *o, const SymbolId *all, uint32_t count) {
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
    uint32_t n = order_unknowns_of(o, &o->items.items[i], &own);
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

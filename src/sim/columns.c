// Columns of the result table: one list, each with its uses.
//
// Outputs are shown, or coordinates, velocities, states and unknowns where there are none. With `all` every named
// signal is shown as well. Final values are the shown columns with coordinates, velocities, states and unknowns. A name
// that comes twice is one column. Watched expressions have no name.
#include "sim/columns.h"

#include "expr/corners.h"

#include "hybrid/results.h"

#include <string.h>

typedef enum ColumnUse { column_shown = 1, column_final = 2 } ColumnUse;

typedef struct Column {
  const char *name;
  ExprId value;
  unsigned use;
} Column;

typedef struct Lister {
  Arena *arena;
  System *s;
  VEC(Column) list;
  uint32_t *table, table_size; // index + 1, by name
} Lister;

// ---- the list

static uint32_t slot_of(const Lister *c, const char *name) {
  uint32_t h = 2166136261u; // FNV-1a
  for (const char *s = name; *s; s++) h = (h ^ (unsigned char)*s) * 16777619u;
  uint32_t at = h & (c->table_size - 1);
  while (c->table[at] && strcmp(c->list.items[c->table[at] - 1].name, name) != 0) at = (at + 1) & (c->table_size - 1);
  return at;
}

static bool grow(Lister *c) {
  uint32_t size = c->table_size ? 2 * c->table_size : 64;
  uint32_t *table = arena_array(c->arena, size, sizeof *table);
  if (!table) return false;
  c->table = table;
  c->table_size = size;
  for (uint32_t i = 0; i < c->list.count; i++) c->table[slot_of(c, c->list.items[i].name)] = i + 1;
  return true;
}

static void put(Lister *c, const char *name, ExprId value, unsigned use) {
  if (2 * c->list.count >= c->table_size && !grow(c)) return;
  uint32_t at = slot_of(c, name);
  if (c->table[at]) c->list.items[c->table[at] - 1].use |= use; // said twice, one column
  else if (vec_push(c->arena, &c->list, (Column){name, value, use})) c->table[at] = c->list.count;
}

// ---- what there is

static void put_motion(Lister *c, unsigned use) {
  const System *m = c->s;
  ExprPool *pool = c->s->pool;
  for (uint32_t i = 0; i < m->coords.count; i++)
    put(c, m->coords.items[i].name, expr_sym(pool, m->coords.items[i].q), use);
  for (uint32_t i = 0; i < m->coords.count; i++) {
    SymbolId v = m->coords.items[i].v;
    put(c, pool_symbol_get(pool, v)->name, expr_sym(pool, v), use);
  }
  for (uint32_t i = 0; i < m->states.count; i++) {
    if (!m->states.items[i].hidden) put(c, m->states.items[i].name, expr_sym(pool, m->states.items[i].x), use);
  }
  for (uint32_t i = 0; i < m->unknowns.count; i++) {
    const SystemUnknown *z = &m->unknowns.items[i];
    if (!z->chain) put(c, z->name, expr_sym(pool, z->symbol), use);
  }
}

static void put_signals(Lister *c) {
  const System *m = c->s;
  for (uint32_t i = 0; i < m->signals.count; i++)
    put(c, m->signals.items[i].name, m->signals.items[i].value, column_shown | column_final);
}

// Outputs of blocks with memory that have no name of their own in the text.
static void put_blocks(Lister *c) {
  const unsigned use = column_shown | column_final;
  const System *m = c->s;
  ExprPool *pool = c->s->pool;
  bool *named = arena_array(c->arena, pool->nodes.count, sizeof *named); // by expression: a signal shows it
  if (!named) return;
  for (uint32_t i = 0; i < m->signals.count; i++) named[m->signals.items[i].value] = true;
  for (uint32_t i = 0; i < m->states.count; i++) {
    ExprId id = expr_sym(pool, m->states.items[i].x);
    if (m->states.items[i].hidden && !named[id]) put(c, m->states.items[i].name, id, use);
  }
  for (uint32_t i = 0; i < m->memories.count; i++) {
    ExprId id = expr_sym(pool, m->memories.items[i].symbol);
    if (!m->memories.items[i].located && !named[id]) put(c, m->memories.items[i].name, id, use);
  }
  for (uint32_t i = 0; i < m->delays.count; i++) {
    ExprId id = expr_sym(pool, m->delays.items[i].symbol);
    if (!named[id]) put(c, m->delays.items[i].name, id, use);
  }
  for (uint32_t i = 0; i < m->block_outputs.count; i++) {
    const SystemBlock *b = &m->block_outputs.items[i];
    if (!named[b->value]) put(c, b->name, b->value, use);
  }
  for (uint32_t i = 0; i < m->frictions.count; i++) {
    ExprId id = expr_sym(pool, m->frictions.items[i].symbol);
    if (!named[id]) put(c, m->frictions.items[i].name, id, use);
  }
}

// A diagram of `let`s alone.
static bool moves_nothing(const Lister *c) {
  for (uint32_t i = 0; i < c->s->states.count; i++) {
    if (!c->s->states.items[i].hidden) return false;
  }
  return c->s->coords.count == 0;
}

static void put_all(Lister *c, const RunSettings *settings) {
  const unsigned use = column_shown | column_final;
  const System *m = c->s;
  for (uint32_t i = 0; i < m->outputs.count; i++) put(c, m->outputs.items[i].name, m->outputs.items[i].value, use);
  if (m->outputs.count == 0) put_motion(c, use);
  if (m->outputs.count == 0 && moves_nothing(c)) put_signals(c);
  if (settings->all) {
    put_motion(c, use);
    for (uint32_t i = 0; i < m->inputs.count; i++)
      put(c, m->inputs.items[i].name, expr_sym(c->s->pool, m->inputs.items[i].symbol), use);
    for (uint32_t i = 0; i < m->constraints.count; i++)
      put(c, m->constraints.items[i].name, expr_sym(c->s->pool, m->constraints.items[i].symbol), use);
    put_signals(c);
    put_blocks(c);
  }
  put_motion(c, column_final); // final values include coordinates and states
}

// ---- as results of a tape

static SymbolId columns_signal(ExprPool *pool, const char *name) {
  for (SymbolId i = 1; i < pool->symbols.count; i++) {
    if (strcmp(pool_symbol_get(pool, i)->name, name) == 0) return i;
  }
  return pool_symbol(pool, name, sym_signal, 0, 0);
}

void columns_map_energies(System *s, SymbolMap *map) {
  const SystemEnergy *e = &s->energy;
  SymbolId kinetic = columns_signal(s->pool, "energy.kinetic"), potential = columns_signal(s->pool, "energy.potential"),
           stored = columns_signal(s->pool, "energy.stored");
  *map = symbol_map_new(s->pool);
  symbol_map_set(map, kinetic, e->kinetic);
  symbol_map_set(map, potential, e->potential);
  symbol_map_set(map, stored, e->stored);
}

bool columns_list(System *s, const RunSettings *settings, Rewriting *rewriting, Columns *out) {
  Lister lister = {.arena = s->arena, .s = s}, *c = &lister;
  ResultList r = {.arena = s->arena};
  put_all(c, settings);
  uint32_t count = c->list.count;
  *out = (Columns){.count = count, .watch_at = count, .watch_count = settings->watch_count};
  out->names = arena_array(s->arena, (size_t)count + 1, sizeof *out->names);
  if (!out->names) return false;
  for (uint32_t i = 0; i < count; i++) {
    out->names[i] = c->list.items[i].name;
    out->shown += (c->list.items[i].use & column_shown) != 0;
    result_put(&r, c->list.items[i].value);
  }
  out->outputs = s->outputs.count < count ? s->outputs.count : count;
  result_put_all(&r, settings->watch, settings->watch_count);
  for (uint32_t i = 0; rewriting && i < r.list.count; i++) r.list.items[i] = rewrite_of(rewriting, r.list.items[i]);
  const SystemEnergy *e = &s->energy;
  out->energy_at = result_put(&r, e->kinetic);
  result_put(&r, e->potential);
  result_put(&r, e->stored);
  // energy.kinetic and the like stand for their expressions; the flows of the account are variables
  out->flows = arena_array(s->arena, (size_t)e->flows.count + 1, sizeof *out->flows);
  for (uint32_t i = 0; out->flows && i < e->flows.count; i++) {
    const char *name = arena_printf(s->arena, "energy.%s", e->flows.items[i].name);
    out->flows[i] = name ? columns_signal(s->pool, name) : 0;
  }
  SymbolMap map;
  columns_map_energies(s, &map);
  out->result_count = r.list.count;
  out->results = arena_array(s->arena, r.list.count, sizeof *out->results);
  out->watch_jumps = arena_array(s->arena, (size_t)out->watch_count + 1, sizeof *out->watch_jumps);
  if (!out->results || !out->watch_jumps || arena_failed(s->arena) ||
      !expr_replace(s->pool, &map, r.list.items, r.list.count, out->results))
    return false;
  const KindSet moving = kinds_moving() & ~kind_set(sym_time); // signals of time jump at breaks
  for (uint32_t i = 0; i < out->watch_count; i++) {
    out->watch_jumps[i] = expr_has_jump(s->pool, out->results[out->watch_at + i], moving);
    out->any_jumps = out->any_jumps || out->watch_jumps[i];
  }
  return true;
}

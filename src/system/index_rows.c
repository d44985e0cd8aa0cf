// DAE index reduction: which unknowns the equations hold, and their derivatives. A part of index.h.
#include "system/index.h"

#include "expr/modular.h"

#include <string.h>

// ---- symbols

// Lists by symbol grow with the pool.
static bool grow(IndexWork *w) {
  uint32_t symbols = w->s->pool->symbols.count;
  if (symbols <= w->room) return true;
  uint32_t room = symbols + symbols / 2 + 64, **lists[] = {&w->column, &w->definition, &w->block, &w->seen};
  for (int k = 0; k < 4; k++) {
    uint32_t *more = arena_array(w->s->arena, room, sizeof *more);
    if (!more) return false;
    if (w->room) memcpy(more, *lists[k], w->room * sizeof *more);
    *lists[k] = more;
  }
  w->room = room;
  return true;
}

static bool is_one(const Block *b) { return b->count == 1 && !b->multipliers && !b->implicit; }

// What is put in: definitions of rates and velocities, inputs that depend on the state, a single acceleration.
static void find_known(IndexWork *w) {
  System *s = w->s;
  ExprPool *pool = s->pool;
  KindSet outside = kind_set(sym_param) | kind_set(sym_time) | kind_set(sym_input) | kind_set(sym_input_rate);
  for (uint32_t i = 0; i < s->definitions.count; i++) {
    const Definition *d = &s->definitions.items[i];
    SymbolKind kind = pool_symbol_get(pool, d->symbol)->kind;
    w->definition[d->symbol] = i + 1;
    bool signal = kind == sym_input || kind == sym_input_rate;
    if (!signal || !expr_only_kinds(pool, d->value, outside)) symbol_map_set(&w->known, d->symbol, d->value);
  }
  for (uint32_t i = 0; i < s->blocks.count; i++) {
    const Block *b = &s->blocks.items[i];
    for (uint32_t k = 0; k < b->count; k++) w->block[b->unknowns[k]] = i + 1;
    if (is_one(b))
      symbol_map_set(&w->known, b->unknowns[0], expr_neg(pool, expr_div(pool, b->rhs[0], block_entry(pool, b, 0, 0))));
  }
}

ExprId index_put_in(IndexWork *w, ExprId e) {
  // a chain of definitions is as long as their list at most; a cycle has no end
  for (uint32_t round = 0; e && round <= w->known.used; round++) {
    ExprId next = 0;
    if (!expr_replace(w->s->pool, &w->known, &e, 1, &next)) return 0;
    if (next == e) return e;
    e = next;
  }
  return 0;
}

static void add_column(IndexWork *w, SymbolId symbol) {
  w->columns[w->n] = (IndexColumn){symbol, symbol, 0};
  w->column[symbol] = ++w->n;
}

// The unknowns that no block of a formulation solves for (see order.c).
static bool list_columns(IndexWork *w) {
  System *s = w->s;
  w->columns =
      arena_array(s->arena, (size_t)s->unknowns.count + s->state_count + s->coord_count + 1, sizeof *w->columns);
  if (!w->columns) return false;
  for (uint32_t i = 0; i < s->unknowns.count; i++) add_column(w, s->unknowns.items[i].symbol);
  for (uint32_t i = 0; i < s->state_count; i++) {
    const SystemState *x = &s->states.items[i];
    if (x->implicit && !w->block[x->rate]) add_column(w, x->rate);
  }
  for (uint32_t i = 0; i < s->coord_count; i++) {
    if (s->source[i] == source_implicit && !w->block[s->coords.items[i].a]) add_column(w, s->coords.items[i].a);
  }
  return true;
}

bool index_open(IndexWork *w) {
  System *s = w->s;
  w->known = symbol_map_new(s->pool);
  if (!grow(w)) return false;
  find_known(w);
  if (!list_columns(w)) return false;
  if (w->n != s->implicit.count) return true; // order.c tells
  // the list is the model's, too
  SystemEquation *own = arena_array(s->arena, w->n, sizeof *own);
  w->rows = arena_array(s->arena, w->n, sizeof *w->rows);
  if (!own || !w->rows) return false;
  memcpy(own, s->implicit.items, w->n * sizeof *own);
  s->implicit.items = own;
  s->implicit.cap = w->n;
  for (uint32_t i = 0; i < w->n; i++) {
    own[i].times = 0;
    own[i].levels = NULL;
    own[i].joined = NULL;
    w->rows[i] = (IndexRow){.e = &own[i], .value = index_put_in(w, own[i].residual)};
  }
  return true;
}

// ---- what a row holds

typedef struct IndexSearch {
  VEC(SymbolId) found;
} IndexSearch;

static bool add_symbols(IndexWork *w, IndexSearch *x, const ExprId *roots, uint32_t count) {
  uint32_t length;
  const ExprId *list = pool_reach(w->s->pool, roots, count, NULL, NULL, &length);
  for (uint32_t i = 0; list && i < length; i++) {
    SymbolId id = expr_symbol(w->s->pool, list[i]);
    if (!id || w->seen[id] == w->stamp) continue;
    w->seen[id] = w->stamp;
    if (!vec_push(w->s->arena, &x->found, id)) return false;
  }
  return list != NULL;
}

// Everything that a symbol is computed from.
static bool add_makers(IndexWork *w, IndexSearch *x, SymbolId id) {
  System *s = w->s;
  ExprId known = symbol_map_get(&w->known, id);
  if (known) return add_symbols(w, x, &known, 1);
  if (w->definition[id]) return add_symbols(w, x, &s->definitions.items[w->definition[id] - 1].value, 1);
  if (!w->block[id]) return true;
  const Block *b = &s->blocks.items[w->block[id] - 1];
  return add_symbols(w, x, b->rhs, b->count) && (b->implicit || add_symbols(w, x, b->matrix.value, block_entries(b)));
}

// Does the value really change with the symbol? Zeros are found modulo a large prime.
static bool changes(IndexWork *w, ExprId value, SymbolId symbol) {
  ExprId slope = expr_diff(w->s->pool, value, symbol);
  return slope && !expr_is_zero(w->s->pool, slope) && expr_rank(w->s->pool, &slope, 1, 1, NULL) != 0;
}

bool index_holds(IndexWork *w, IndexRow *row) {
  IndexSearch x = {0};
  row->columns.count = 0;
  w->stamp++;
  if (!grow(w) || !add_symbols(w, &x, &row->value, 1)) return false;
  uint32_t direct = x.found.count;
  for (uint32_t i = 0; i < x.found.count; i++) {
    SymbolId id = x.found.items[i];
    uint32_t c = w->column[id];
    if (c && w->columns[c - 1].top == id) {
      if (i < direct && !changes(w, row->value, id)) continue;
      if (!vec_push(w->s->arena, &row->columns, c - 1)) return false;
    } else if (!add_makers(w, &x, id)) {
      return false;
    }
  }
  return true;
}

bool index_reach(IndexWork *w, const IndexRow *row, bool *columns) {
  IndexSearch x = {0};
  w->stamp++;
  if (!grow(w) || !add_symbols(w, &x, &row->value, 1)) return false;
  for (uint32_t i = 0; i < x.found.count; i++) {
    SymbolId id = x.found.items[i];
    if (w->column[id]) {
      columns[w->column[id] - 1] = true;
      continue;
    }
    SymbolKind kind = pool_symbol_get(w->s->pool, id)->kind;
    bool integrated = (kind == sym_coord || kind == sym_velocity || kind == sym_state) && !w->definition[id];
    ExprId rate = integrated ? expr_sym(w->s->pool, system_rate(w->s, id)) : 0;
    if (!add_makers(w, &x, id) || (rate && !add_symbols(w, &x, &rate, 1))) return false;
  }
  return true;
}

bool index_blocks(IndexWork *w, IndexBlocks *out) {
  System *s = w->s;
  IndexSearch x = {0};
  bool *taken = arena_array(s->arena, (size_t)s->blocks.count + 1, sizeof *taken);
  w->stamp++;
  if (!taken || !grow(w)) return false;
  for (uint32_t i = 0; i < w->n; i++) {
    if (!add_symbols(w, &x, &w->rows[i].value, 1)) return false;
  }
  for (uint32_t i = 0; i < x.found.count; i++) {
    uint32_t k = w->block[x.found.items[i]];
    if (!k || taken[k - 1] || symbol_map_get(&w->known, x.found.items[i])) continue;
    const Block *b = &s->blocks.items[k - 1];
    taken[k - 1] = true;
    for (uint32_t r = 0; r < b->count; r++) {
      ExprId row = b->rhs[r];
      const BlockMatrix *m = &b->matrix;
      for (uint32_t e = b->implicit ? 0 : m->start[r]; !b->implicit && e < m->start[r + 1]; e++)
        row = expr_add(s->pool, row, expr_mul(s->pool, m->value[e], expr_sym(s->pool, b->unknowns[m->column[e]])));
      row = index_put_in(w, row);
      if (!row || !vec_push(s->arena, &out->rows, row) || !vec_push(s->arena, &out->unknowns, b->unknowns[r]) ||
          !add_symbols(w, &x, &row, 1))
        return false;
    }
  }
  return true;
}

// ---- unknowns with an equation of their own

// Is the row slope * top + rest, where slope = d(row)/d(top) depends on parameters alone and the rest holds no
// unknown? Then top = -rest/slope is put in from now on.
static bool solve_row(IndexWork *w, IndexRow *row, bool *solved) {
  ExprPool *pool = w->s->pool;
  *solved = false;
  if (!(row->value = index_put_in(w, row->value)) || !index_holds(w, row)) return false;
  if (row->columns.count != 1) return true;
  IndexColumn *c = &w->columns[row->columns.items[0]];
  ExprId slope = expr_diff(pool, row->value, c->top), rest = 0;
  if (!slope) return false;
  if (expr_is_zero(pool, slope) || !expr_only_kinds(pool, slope, kind_set(sym_param))) return true; // through a block
  SymbolMap none = symbol_map_new(pool);
  symbol_map_set(&none, c->top, pool->zero);
  if (!expr_replace(pool, &none, &row->value, 1, &rest)) return false;
  symbol_map_set(&w->known, c->top, expr_neg(pool, expr_div(pool, rest, slope)));
  w->column[c->top] = 0;
  c->top = 0;
  row->e = NULL;
  *solved = true;
  return true;
}

bool index_eliminate(IndexWork *w) {
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = 0; i < w->n; i++) {
      bool solved = false;
      if (w->rows[i].e && !solve_row(w, &w->rows[i], &solved)) return false;
      again = again || solved;
    }
  }
  uint32_t rows = 0, columns = 0;
  for (uint32_t i = 0; i < w->n; i++) {
    if (w->rows[i].e) w->rows[rows++] = w->rows[i];
    if (w->columns[i].top) w->columns[columns++] = w->columns[i];
  }
  w->n = rows;
  for (uint32_t i = 0; i < w->n; i++) w->column[w->columns[i].top] = i + 1;
  for (uint32_t i = 0; i < w->n; i++) {
    if (!(w->rows[i].value = index_put_in(w, w->rows[i].value))) return false;
  }
  return true;
}

// ---- derivatives

// u' of a signal of time, which is defined where it is first needed.
static SymbolId rate_of_input(IndexWork *w, SymbolId id) {
  System *s = w->s;
  SymbolId rate = system_rate(s, id);
  if (!rate || !grow(w)) return 0;
  if (w->definition[rate]) return rate;
  const Definition *of = &s->definitions.items[w->definition[id] - 1];
  uint32_t origin = of->origin, length;
  ExprId value = of->value;
  // rates of the inputs in it come first
  const ExprId *list = pool_reach(s->pool, &value, 1, NULL, NULL, &length);
  VEC(SymbolId) inputs = {0};
  for (uint32_t i = 0; list && i < length; i++) {
    SymbolId x = expr_symbol(s->pool, list[i]);
    if (x && (pool_symbol_get(s->pool, x)->kind == sym_input || pool_symbol_get(s->pool, x)->kind == sym_input_rate))
      vec_push(s->arena, &inputs, x);
  }
  for (uint32_t i = 0; i < inputs.count; i++) {
    if (!rate_of_input(w, inputs.items[i])) return 0;
  }
  if (!list || !system_time_derivative(s, &value, 1, true, &value) ||
      !vec_push(s->arena, &s->definitions, (Definition){rate, value, origin}))
    return 0;
  w->definition[rate] = s->definitions.count;
  return rate;
}

// The rate of a symbol; 0: it has none, or out of memory.
static ExprId rate_of(IndexWork *w, SymbolId id) {
  System *s = w->s;
  ExprPool *pool = s->pool;
  if (w->block[id]) return 0;
  switch (pool_symbol_get(pool, id)->kind) {
  case sym_time: return pool->one;
  case sym_param:
  case sym_bound:
  case sym_mode: return pool->zero;
  case sym_input:
  case sym_input_rate: return expr_sym(pool, rate_of_input(w, id));
  case sym_coord:
  case sym_velocity: return expr_sym(pool, system_rate(s, id));
  case sym_state: {
    const SystemState *x = &s->states.items[pool_symbol_get(pool, id)->index];
    return x->assigned && !x->rhs && !x->implicit ? 0 : expr_sym(pool, x->rate);
  }
  default: return 0; // it jumps, or is computed in a block of several
  }
}

// ---- coupled accelerations

enum {
  most_by_rule = 4, // unknowns of a block that is solved for by Cramer's rule: a determinant has 24 products then
  most_coupled = 40 // by elimination, which takes a third of the cube of this in products, before they are shared
};

// Of the rows from `row` on and the columns that are not used.
static ExprId determinant(ExprPool *pool, const ExprId *m, uint32_t n, uint32_t row, uint32_t used) {
  if (row == n) return pool->one;
  ExprId sum = pool->zero;
  bool minus = false;
  for (uint32_t c = 0; c < n; c++) {
    if (used >> c & 1) continue;
    if (!expr_is_zero(pool, m[row * n + c])) {
      ExprId term = expr_mul(pool, m[row * n + c], determinant(pool, m, n, row + 1, used | 1u << c));
      sum = minus ? expr_sub(pool, sum, term) : expr_add(pool, sum, term);
    }
    minus = !minus;
  }
  return sum;
}

// Row i minus so much of row k that its entry in column k vanishes; the last column is the right-hand side.
static void subtract_row(ExprPool *pool, ExprId *rows, uint32_t n, uint32_t i, uint32_t k) {
  ExprId *own = rows + (size_t)i * (n + 1), *other = rows + (size_t)k * (n + 1);
  if (expr_is_zero(pool, own[k])) return;
  ExprId factor = expr_div(pool, own[k], other[k]);
  for (uint32_t j = k + 1; j <= n; j++) {
    if (!expr_is_zero(pool, other[j])) own[j] = expr_sub(pool, own[j], expr_mul(pool, factor, other[j]));
  }
  own[k] = pool->zero;
}

// A row whose entry in column k is not zero for all values, from row k on; n: none. Masses come before multipliers, and
// their pivots are positive, then those of multipliers negative, wherever the block can be solved at all: so the order
// of the rows is good as it is, and others are taken where a pivot vanishes for good.
static uint32_t find_pivot(ExprPool *pool, const ExprId *rows, uint32_t n, uint32_t k) {
  for (uint32_t i = k; i < n; i++) {
    const ExprId *entry = rows + (size_t)i * (n + 1) + k;
    if (!expr_is_zero(pool, *entry) && expr_rank(pool, entry, 1, 1, NULL) == 1) return i;
  }
  return n;
}

// The unknowns of a larger block by elimination. Nothing is multiplied out: parts are shared.
static bool eliminate_block(IndexWork *w, const Block *b, const ExprId *m) {
  System *s = w->s;
  ExprPool *pool = s->pool;
  uint32_t n = b->count;
  ExprId *rows = arena_array(s->arena, (size_t)n * (n + 1), sizeof *rows), *x = arena_array(s->arena, n, sizeof *x);
  if (!rows || !x) return false;
  for (uint32_t i = 0; i < n; i++) {
    memcpy(rows + (size_t)i * (n + 1), m + (size_t)i * n, n * sizeof *rows);
    rows[(size_t)i * (n + 1) + n] = expr_neg(pool, b->rhs[i]);
  }
  for (uint32_t k = 0; k < n; k++) {
    uint32_t at = find_pivot(pool, rows, n, k);
    if (at == n) return false;
    for (uint32_t j = 0; at != k && j <= n; j++) {
      ExprId swap = rows[(size_t)at * (n + 1) + j];
      rows[(size_t)at * (n + 1) + j] = rows[(size_t)k * (n + 1) + j];
      rows[(size_t)k * (n + 1) + j] = swap;
    }
    for (uint32_t i = k + 1; i < n; i++) subtract_row(pool, rows, n, i, k);
  }
  for (uint32_t k = n; k-- > 0;) {
    const ExprId *row = rows + (size_t)k * (n + 1);
    ExprId sum = row[n];
    for (uint32_t j = k + 1; j < n; j++) {
      if (!expr_is_zero(pool, row[j])) sum = expr_sub(pool, sum, expr_mul(pool, row[j], x[j]));
    }
    x[k] = expr_div(pool, sum, row[k]);
    symbol_map_set(&w->known, b->unknowns[k], x[k]);
  }
  return !arena_failed(s->arena);
}

// The unknowns of a block, small ones by Cramer's rule, which are put in from now on.
// False: it is too large, or singular.
static bool solve_block(IndexWork *w, uint32_t which) {
  System *s = w->s;
  ExprPool *pool = s->pool;
  const Block *b = &s->blocks.items[which];
  uint32_t n = b->count;
  if (b->implicit || n > most_coupled) return false;
  ExprId *m = block_dense(s->arena, pool, b), *other = arena_array(s->arena, (size_t)n * n, sizeof *other);
  if (!m || !other || expr_rank(pool, m, n, n, NULL) != (int)n) return false;
  if (n > most_by_rule) return eliminate_block(w, b, m);
  ExprId below = determinant(pool, m, n, 0, 0);
  for (uint32_t k = 0; k < n; k++) {
    memcpy(other, m, (size_t)n * n * sizeof *other);
    for (uint32_t i = 0; i < n; i++) other[i * n + k] = expr_neg(pool, b->rhs[i]);
    symbol_map_set(&w->known, b->unknowns[k], expr_div(pool, determinant(pool, other, n, 0, 0), below));
  }
  return !arena_failed(s->arena);
}

// Puts in the accelerations that blocks of several solve for, as far as it can. False: out of memory.
static bool put_in_blocks(IndexWork *w, ExprId *value) {
  for (bool again = true; again;) {
    IndexSearch x = {0};
    again = false;
    w->stamp++;
    if (!grow(w) || !add_symbols(w, &x, value, 1)) return false;
    for (uint32_t i = 0; i < x.found.count; i++) {
      uint32_t k = w->block[x.found.items[i]];
      if (k && !symbol_map_get(&w->known, x.found.items[i])) again = solve_block(w, k - 1) || again;
    }
    if (again && !(*value = index_put_in(w, *value))) return false;
  }
  return !arena_failed(w->s->arena);
}

bool index_differentiate(IndexWork *w, IndexRow *row) {
  ExprPool *pool = w->s->pool;
  IndexSearch x = {0};
  SymbolMap map = symbol_map_new(pool);
  if (!put_in_blocks(w, &row->value)) return false;
  w->stamp++;
  if (!grow(w) || !add_symbols(w, &x, &row->value, 1)) return false;
  for (uint32_t i = 0; i < x.found.count; i++) {
    SymbolId id = x.found.items[i];
    ExprId rate = rate_of(w, id);
    if (!rate) {
      w->blocked = id;
      return false;
    }
    if (!expr_is_zero(pool, rate)) symbol_map_set(&map, id, rate);
  }
  ExprId next = 0;
  if (!expr_derive(pool, &map, &row->value, 1, &next, NULL) || !(next = index_put_in(w, next))) return false;
  if (!vec_push(w->s->arena, &row->levels, row->value)) return false;
  row->value = next;
  return true;
}

// ---- unknowns whose derivatives are needed

// Space for one more state: the list is the model's, too.
static bool add_state(System *s, SystemState x) {
  SystemState *states = arena_array(s->arena, (size_t)s->state_count + 1, sizeof *states);
  ExprId *f = arena_array(s->arena, (size_t)s->state_count + 1, sizeof *f);
  if (!states || !f) return false;
  memcpy(states, s->states.items, s->state_count * sizeof *states);
  memcpy(f, s->f, s->state_count * sizeof *f);
  states[s->state_count] = x;
  f[s->state_count] = s->pool->zero;
  s->states.items = states;
  s->f = f;
  s->states.count = s->states.cap = ++s->state_count;
  return true;
}

bool index_promote(IndexWork *w, uint32_t column) {
  System *s = w->s;
  ExprPool *pool = s->pool;
  IndexColumn *c = &w->columns[column];
  Symbol top = *pool_symbol_get(pool, c->top);
  const char *rate = arena_printf(s->arena, "%s'", top.name);
  SystemState x = {.name = top.name, .of = c->base, .implicit = true, .hidden = true, .x0 = pool->zero};
  if (!rate) return false;
  if (top.kind == sym_unknown) {
    const SystemUnknown *z = &s->unknowns.items[top.index];
    x.x0 = z->guess;
    x.span = z->span;
    x.unit = z->unit;
    x.dim = z->dim;
  } else if (top.kind == sym_state_rate) {
    x.span = s->states.items[top.index].span;
  } else {
    x.span = s->coords.items[top.index].span;
  }
  x.x = pool_symbol(pool, top.name, sym_state, s->state_count, 0);
  x.rate = pool_symbol(pool, rate, sym_state_rate, s->state_count, 1);
  ExprId value = x.x ? expr_sym(pool, x.x) : 0;
  if (!value || !x.rate || !add_state(s, x) || !grow(w)) return false;
  pool->symbols.items[x.x].made = true;
  Definition d = {c->top, value, system_origin(s, x.span, arena_printf(s->arena, "the unknown %s", top.name), value)};
  if (!vec_push(s->arena, &s->definitions, d)) return false;
  w->definition[c->top] = s->definitions.count;
  symbol_map_set(&w->known, c->top, value);
  w->column[x.x] = w->column[x.rate] = column + 1;
  c->top = x.rate;
  c->times++;
  return !arena_failed(s->arena);
}

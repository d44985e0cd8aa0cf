// The mass matrix: most mechanisms couple a coordinate with few others, so rows hold only what is there.
#include "system/mass.h"

#include "system/system.h"

#include <string.h>

// The first entry of a row whose column is not before `column`.
static uint32_t find(const MassRow *row, uint32_t column) {
  uint32_t low = 0, high = row->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (row->items[middle].column < column) low = middle + 1;
    else high = middle;
  }
  return low;
}

ExprId system_mass(const System *s, uint32_t row, uint32_t column) {
  const MassRow *r = &s->M[row];
  uint32_t at = find(r, column);
  return at < r->count && r->items[at].column == column ? r->items[at].value : s->pool->zero;
}

bool system_mass_set(System *s, uint32_t row, uint32_t column, ExprId value) {
  MassRow *r = &s->M[row];
  uint32_t at = find(r, column);
  bool there = at < r->count && r->items[at].column == column;
  if (!value) return false;
  if (there && expr_is_zero(s->pool, value)) {
    memmove(r->items + at, r->items + at + 1, (r->count - at - 1) * sizeof *r->items);
    r->count--;
  } else if (there) {
    r->items[at].value = value;
  } else if (!expr_is_zero(s->pool, value)) {
    if (!vec_push(s->arena, r, (MassEntry){column, value})) return false;
    memmove(r->items + at + 1, r->items + at, (r->count - at - 1) * sizeof *r->items);
    r->items[at] = (MassEntry){column, value};
  }
  return true;
}

ExprId *system_mass_dense(const System *s, Arena *arena) {
  uint32_t n = s->coord_count;
  ExprId *m = arena_array(arena, (size_t)n * n, sizeof *m);
  for (size_t i = 0; m && i < (size_t)n * n; i++) m[i] = s->pool->zero;
  for (uint32_t i = 0; m && i < n; i++) {
    for (uint32_t k = 0; k < s->M[i].count; k++) m[(size_t)i * n + s->M[i].items[k].column] = s->M[i].items[k].value;
  }
  return m;
}

bool system_mass_replace(System *s, Arena *arena, const SymbolMap *map) {
  const MassRow *from = s->M;
  s->M = arena_array(arena, s->coord_count, sizeof *s->M);
  if (!s->M) return false;
  for (uint32_t i = 0; i < s->coord_count; i++) {
    for (uint32_t k = 0; k < from[i].count; k++) {
      MassEntry e = from[i].items[k];
      if (!expr_replace(s->pool, map, &e.value, 1, &e.value)) return false;
      if (!expr_is_zero(s->pool, e.value) && !vec_push(arena, &s->M[i], e)) return false;
    }
  }
  return true;
}

// ---- derivatives

// Which roots hold which symbols, by column: those of column j are rows[start[j]] .. rows[start[j + 1] - 1], ascending.
typedef struct MassColumns {
  uint32_t *start, *rows;
} MassColumns;

static bool find_columns(Arena *arena, ExprPool *pool, const ExprId *roots, uint32_t count, const SymbolIndex *symbols,
                         MassColumns *out) {
  typedef struct Hold {
    uint32_t row, column;
  } Hold;
  VEC(Hold) holds = {0};
  uint32_t *start = out->start = arena_array(arena, (size_t)symbols->count + 2, sizeof *start);
  if (!start) return false;
  for (uint32_t i = 0; i < count; i++) {
    ArenaMark mark = arena_mark(pool->scratch);
    uint32_t found;
    const uint32_t *columns = symbol_index_in(pool, symbols, roots[i], &found);
    for (uint32_t k = 0; columns && k < found; k++) {
      vec_push(arena, &holds, ((Hold){i, columns[k]}));
      start[columns[k] + 2]++;
    }
    arena_release(pool->scratch, mark);
    if (!columns) return false;
  }
  for (uint32_t j = 2; j <= symbols->count + 1; j++) start[j] += start[j - 1];
  out->rows = arena_array(arena, (size_t)holds.count + 1, sizeof *out->rows);
  for (uint32_t i = 0; out->rows && i < holds.count; i++) {
    // start[j + 1] runs through its column and ends where the next one begins
    out->rows[start[holds.items[i].column + 1]++] = holds.items[i].row;
  }
  return out->rows && !arena_failed(arena);
}

// Rows of one column: held are their roots, value their derivatives.
typedef struct MassColumn {
  const uint32_t *row;
  uint32_t count;
  ExprId *held, *value;
} MassColumn;

static bool derive_column(ExprPool *pool, const ExprId *roots, SymbolId symbol, MassColumn *c) {
  for (uint32_t k = 0; k < c->count; k++) c->held[k] = roots[c->row[k]];
  return c->count == 0 || expr_diff_all(pool, c->held, c->count, symbol, c->value);
}

static bool put(Arena *arena, MassRow *rows, uint32_t row, uint32_t column, ExprId value) {
  return vec_push(arena, &rows[row], ((MassEntry){column, value}));
}

// symmetric: the matrix is known to be; what stands above the diagonal is what stands below it.
static bool fill_jacobian(Arena *arena, ExprPool *pool, const ExprId *roots, uint32_t count, const SymbolIndex *symbols,
                          bool symmetric, MassRow *rows) {
  MassColumns all;
  MassColumn c = {.held = arena_array(arena, (size_t)count + 1, sizeof *c.held),
                  .value = arena_array(arena, (size_t)count + 1, sizeof *c.value)};
  if (!c.held || !c.value || !find_columns(arena, pool, roots, count, symbols, &all)) return false;
  for (uint32_t j = 0; j < symbols->count; j++) {
    uint32_t from = all.start[j], to = all.start[j + 1];
    while (symmetric && from < to && all.rows[from] < j) from++;
    c.row = all.rows + from;
    c.count = to - from;
    if (!derive_column(pool, roots, symbols->symbols[j], &c)) return false;
    for (uint32_t k = 0; k < c.count; k++) {
      if (expr_is_zero(pool, c.value[k])) continue;
      if (!put(arena, rows, c.row[k], j, c.value[k])) return false;
      if (symmetric && c.row[k] != j && !put(arena, rows, j, c.row[k], c.value[k])) return false;
    }
  }
  return true;
}

bool sparse_jacobian(Arena *arena, ExprPool *pool, const ExprId *roots, uint32_t count, const SymbolIndex *symbols,
                     MassRow *rows) {
  return fill_jacobian(arena, pool, roots, count, symbols, false, rows);
}

bool sparse_hessian(Arena *arena, ExprPool *pool, const ExprId *gradient, uint32_t count, const SymbolIndex *symbols,
                    MassRow *rows) {
  return fill_jacobian(arena, pool, gradient, count, symbols, true, rows);
}

// The initial value of an expression, in numbers: initial values of coordinates and states and values of inputs are
// substituted until parameters alone are left.
#include "algebra/at_start.h"

#include "expr/calculus.h"
#include "tape/numbers.h"

#include <math.h>

// The initial value of time, a coordinate, a velocity, a state or an input.
static ExprId start_of(const System *s, const Symbol *symbol) {
  ExprId none = s->pool->zero;
  switch (symbol->kind) {
  case sym_time: return none;
  case sym_coord: return s->coords.items[symbol->index].q0 ? s->coords.items[symbol->index].q0 : none;
  case sym_velocity: return s->coords.items[symbol->index].v0 ? s->coords.items[symbol->index].v0 : none;
  case sym_state: return s->states.items[symbol->index].x0 ? s->states.items[symbol->index].x0 : none;
  case sym_input: return s->inputs.items[symbol->index].value;
  default: return 0;
  }
}

double at_start(Arena *arena, System *s, ExprId y) {
  enum { most_rounds = 20 }; // inputs may hold others
  ExprPool *pool = s->pool;
  double value = NAN;
  for (int round = 0; y && round < most_rounds && !expr_only_kinds(pool, y, kind_set(sym_param)); round++) {
    SymbolMap map = symbol_map_new(pool);
    uint32_t length;
    const ExprId *list = pool_reach(pool, &y, 1, NULL, NULL, &length);
    for (uint32_t i = 0; list && i < length; i++) {
      SymbolId id = expr_symbol(pool, list[i]);
      const Symbol *symbol = id ? pool_symbol_get(pool, id) : NULL;
      if (!symbol || symbol->kind == sym_param) continue;
      ExprId start = start_of(s, symbol);
      if (!start) return NAN;
      symbol_map_set(&map, id, start);
    }
    if (!list || !expr_replace(pool, &map, &y, 1, &y)) return NAN;
  }
  if (!y || !expr_only_kinds(pool, y, kind_set(sym_param)) || !tape_numbers(arena, s, &y, 1, &value)) return NAN;
  return value;
}

// Parameters that the file computes from others, written in free ones alone.
//
// in    symbols with values, which may hold each other but make no cycle: k = 3*m, w = k/2
// out   a map symbol -> value in free symbols: k -> 3*m, w -> 3*m/2
// how   the map is applied to its own values until nothing changes: each round goes one definition deeper
#include "algebra/derived.h"

#include "expr/print.h"

bool derived_of(System *s, const SymbolId *symbols, const ExprId *values, uint32_t count, Derived *d) {
  *d = (Derived){.map = symbol_map_new(s->pool), .count = count};
  ExprId *value = arena_array(s->arena, count, sizeof *value), *next = arena_array(s->arena, count, sizeof *next);
  if (!value || !next) return false;
  for (uint32_t i = 0; i < count; i++) value[i] = values[i];
  // each round goes one definition deeper
  for (bool again = count != 0; again;) {
    for (uint32_t i = 0; i < count; i++) symbol_map_set(&d->map, symbols[i], value[i]);
    if (!expr_replace(s->pool, &d->map, value, count, next)) return false;
    again = false;
    for (uint32_t i = 0; i < count; i++) {
      again = again || next[i] != value[i];
      value[i] = next[i];
    }
  }
  return true;
}

bool derived_find(System *s, Derived *d) {
  uint32_t count = 0;
  SymbolId *symbols = arena_array(s->arena, s->params.count, sizeof *symbols);
  ExprId *values = arena_array(s->arena, s->params.count, sizeof *values);
  if (!symbols || !values) return false;
  for (uint32_t i = 0; i < s->params.count; i++) {
    const SystemParam *p = &s->params.items[i];
    if (p->structural || !p->value || !expr_has_kind(s->pool, p->value, sym_param)) continue;
    symbols[count] = p->symbol;
    values[count++] = p->value;
  }
  return derived_of(s, symbols, values, count, d);
}

bool derived_put(System *s, const Derived *d, const ExprId *in, uint32_t count, ExprId *out) {
  for (uint32_t i = 0; i < count; i++) out[i] = in[i];
  return d->count == 0 || expr_replace(s->pool, &d->map, in, count, out);
}

const char *derived_said(System *s, const Derived *d, const ExprId *roots, uint32_t count) {
  Text t = text_in(s->arena);
  for (uint32_t i = 0; d->count && i < s->params.count; i++) {
    const SystemParam *p = &s->params.items[i];
    bool stands = false;
    for (uint32_t k = 0; derived_is(d, p->symbol) && k < count && !stands; k++)
      stands = roots[k] && expr_depends(s->pool, roots[k], p->symbol);
    if (!stands) continue;
    text_printf(&t, "%s%s = ", t.length ? ", " : "with ", p->name);
    expr_print(s->pool, p->value, format_text, NULL, &t);
  }
  return t.length ? text_str(&t) : NULL;
}

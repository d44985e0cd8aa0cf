// Lists of quantities that grow after they were described.
//
// u', u'', ... are symbols of their own, made where somebody asks for them: by the text, or by a formulation that
// differentiates what an input stands in. One list holds them, so that each exists once.
#include "system/quantity.h"

SymbolId input_rate(Arena *arena, ExprPool *pool, SystemInputRateList *rates, SymbolId of, Span span) {
  Symbol s = *pool_symbol_get(pool, of);
  uint32_t order = s.order + 1;
  for (uint32_t i = 0; i < rates->count; i++) {
    const SystemInputRate *r = &rates->items[i];
    if (r->input == s.index && r->order == order) return r->symbol;
  }
  const char *name = arena_printf(arena, "%s'", s.name);
  SymbolId rate = name ? pool_symbol(pool, name, sym_input_rate, s.index, order) : 0;
  SystemInputRate r = {rate, s.index, order, span};
  return rate && vec_push(arena, rates, r) ? rate : 0;
}

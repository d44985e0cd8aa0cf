#include "lang/model.h"

SymbolId model_rate(Model *model, SymbolId symbol, Span span) {
  Symbol s = *pool_symbol_get(&model->pool, symbol);
  switch (s.kind) {
  case sym_coord: return model->coords.items[s.index].v;
  case sym_velocity: return model->coords.items[s.index].a;
  case sym_state: return model->states.items[s.index].rate;
  case sym_input: case sym_input_rate: break;
  default: return 0;
  }
  uint32_t order = s.order + 1;
  for (uint32_t i = 0; i < model->input_rates.count; i++) {
    const ModelInputRate *r = &model->input_rates.items[i];
    if (r->input == s.index && r->order == order) return r->symbol;
  }
  const char *name = arena_printf(model->arena, "%s'", s.name);
  SymbolId rate = name ? pool_symbol(&model->pool, name, sym_input_rate, s.index, order) : 0;
  ModelInputRate r = {rate, s.index, order, span};
  return rate && vec_push(model->arena, &model->input_rates, r) ? rate : 0;
}

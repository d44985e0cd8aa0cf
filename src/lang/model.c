// Rates: coordinates and states have theirs, those of inputs are made where they are asked for.
#include "lang/model.h"

SymbolId model_rate(Model *model, SymbolId symbol, Span span) {
  Symbol s = *pool_symbol_get(&model->pool, symbol);
  switch (s.kind) {
  case sym_coord: return model->coords.items[s.index].v;
  case sym_velocity: return model->coords.items[s.index].a;
  case sym_state: return model->states.items[s.index].rate;
  case sym_input:
  case sym_input_rate: break;
  default: return 0;
  }
  return input_rate(model->arena, &model->pool, &model->input_rates, symbol, span);
}

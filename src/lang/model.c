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

typedef struct Shown {
  ShownVisit *visit;
  void *self;
  Span reported;
} Shown;

static void show(Shown *x, ExprId value, Span span) {
  const Span *r = &x->reported;
  if (!value || (r->source == span.source && r->start == span.start && r->end == span.end)) return;
  if (x->visit(x->self, value, span)) x->reported = span;
}

void model_each_shown(const Model *m, ShownVisit *visit, void *self) {
  Shown x = {visit, self, {0}};
  for (uint32_t i = 0; i < m->outputs.count; i++) show(&x, m->outputs.items[i].value, m->outputs.items[i].span);
  for (uint32_t i = 0; i < m->plots.count; i++) {
    const ModelPlot *p = &m->plots.items[i];
    for (uint32_t k = 0; k < p->curves.count; k++) show(&x, p->curves.items[k].value, p->curves.items[k].span);
    show(&x, p->against.value, p->against.span);
  }
  for (uint32_t i = 0; i < m->shapes.count; i++) {
    const ModelShape *h = &m->shapes.items[i];
    for (uint32_t k = 0; k < h->count * h->dims; k++) show(&x, h->points[k / h->dims][k % h->dims], h->span);
  }
}

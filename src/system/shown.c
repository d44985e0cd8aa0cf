// What tables and pictures show.
#include "system/system.h"

typedef struct Shown {
  ShownVisit *visit;
  void *self;
  Span reported;
} Shown;

static void visit_shown(Shown *x, ExprId value, Span span) {
  const Span *r = &x->reported;
  if (!value || (r->source == span.source && r->start == span.start && r->end == span.end)) return;
  if (x->visit(x->self, value, span)) x->reported = span;
}

void system_each_shown(const System *s, ShownVisit *visit, void *self) {
  Shown x = {visit, self, {0}};
  for (uint32_t i = 0; i < s->outputs.count; i++) visit_shown(&x, s->outputs.items[i].value, s->outputs.items[i].span);
  for (uint32_t i = 0; i < s->plots.count; i++) {
    const SystemPlot *p = &s->plots.items[i];
    for (uint32_t k = 0; k < p->curves.count; k++) visit_shown(&x, p->curves.items[k].value, p->curves.items[k].span);
    visit_shown(&x, p->against.value, p->against.span);
  }
  for (uint32_t i = 0; i < s->shapes.count; i++) {
    const SystemShape *h = &s->shapes.items[i];
    ExprId values[shape_values_most];
    for (uint32_t k = 0, n = shape_values(h, values); k < n; k++) visit_shown(&x, values[k], h->span);
  }
}

static bool replace_list(System *s, const SymbolMap *map, SystemOutputList *list) {
  for (uint32_t i = 0; i < list->count; i++) {
    ExprId *value = &list->items[i].value;
    if (*value && !expr_replace(s->pool, map, value, 1, value)) return false;
  }
  return true;
}

bool system_replace_shown(System *s, const SymbolMap *map) {
  bool ok = replace_list(s, map, &s->outputs) && replace_list(s, map, &s->signals);
  for (uint32_t i = 0; ok && i < s->plots.count; i++) {
    SystemPlot *p = &s->plots.items[i];
    ok = replace_list(s, map, &p->curves);
    if (ok && p->against.value) ok = expr_replace(s->pool, map, &p->against.value, 1, &p->against.value);
  }
  for (uint32_t i = 0; ok && i < s->shapes.count; i++) {
    ExprId *values[shape_values_most];
    uint32_t count = shape_places(&s->shapes.items[i], values);
    for (uint32_t k = 0; ok && k < count; k++) ok = expr_replace(s->pool, map, values[k], 1, values[k]);
  }
  return ok;
}

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

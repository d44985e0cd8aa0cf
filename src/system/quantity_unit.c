// Units of quantities by their names.
#include "system/quantity_unit.h"

#include <string.h>

typedef struct Found {
  const Unit *unit; // NULL: there is no such name
  const Dimension *inferred;
  int order; // of the time derivative
} Found;

static Found find(const SystemDescribed *d, const ExprPool *pool, const char *name) {
  for (uint32_t i = 0; i < d->params.count; i++) {
    const SystemParam *p = &d->params.items[i];
    if (strcmp(p->name, name) == 0) return (Found){p->unit, &p->dim, 0};
  }
  for (uint32_t i = 0; i < d->coords.count; i++) {
    const SystemCoord *c = &d->coords.items[i];
    if (strcmp(c->name, name) == 0) return (Found){&c->unit, &c->dim, 0};
    if (strcmp(pool_symbol_get(pool, c->v)->name, name) == 0) return (Found){&c->unit, &c->dim, 1};
  }
  for (uint32_t i = 0; i < d->states.count; i++) {
    const SystemState *x = &d->states.items[i];
    if (strcmp(x->name, name) == 0) return (Found){&x->unit, &x->dim, 0};
  }
  return (Found){0};
}

bool quantity_units_said(const SystemDescribed *d) {
  bool said = d->linkage.nodes.count > 0 || d->tree.bodies.count > 0; // these are of metres and kilograms
  for (uint32_t i = 0; i < d->params.count; i++) said = said || d->params.items[i].unit->said;
  for (uint32_t i = 0; i < d->coords.count; i++) said = said || d->coords.items[i].unit.said;
  for (uint32_t i = 0; i < d->states.count; i++) said = said || d->states.items[i].unit.said;
  for (uint32_t i = 0; i < d->inputs.count; i++) said = said || d->inputs.items[i].unit.said;
  for (uint32_t i = 0; i < d->outputs.count; i++) said = said || d->outputs.items[i].unit.said;
  for (uint32_t i = 0; i < d->signals.count; i++) said = said || d->signals.items[i].unit.said;
  return said;
}

const char *quantity_unit(Arena *arena, const SystemDescribed *d, const ExprPool *pool, const char *name) {
  Found f = find(d, pool, name);
  return f.unit && quantity_units_said(d) ? unit_si_text(arena, f.unit, f.inferred, f.order) : NULL;
}

Dimension quantity_dimension(const SystemDescribed *d, const ExprPool *pool, const char *name) {
  Found f = find(d, pool, name);
  if (!f.unit) return (Dimension){0};
  Dimension own = f.unit->said ? dimension_of_unit(f.unit) : *f.inferred, second = dimension_plain();
  second.power[unit_second] = ratio_int(1);
  return own.known ? dimension_mul(own, second, ratio_int(-f.order)) : own;
}

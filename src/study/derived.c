#include "study/derived.h"

#include "expr/print.h"

static bool holds_param(const ExprPool *pool, ExprId value) { return value && expr_has_kind(pool, value, sym_param); }

// The value of a parameter in free ones. Definitions make no circle and are less than 2000 deep.
static ExprId resolve(System *s, Derived *d, uint32_t index) {
  const ModelParam *p = &s->model->params.items[index];
  if (derived_is(d, p->symbol)) return d->map.of[p->symbol - d->map.first];
  ExprId value = p->value;
  uint32_t length;
  const ExprId *list = pool_reach(s->pool, &value, 1, NULL, NULL, &length);
  // the list goes with the next pass
  VEC(uint32_t) others = {0};
  for (uint32_t i = 0; list && i < length; i++) {
    const Symbol *x = pool_symbol_get(s->pool, expr_symbol(s->pool, list[i]));
    bool param = expr_symbol(s->pool, list[i]) && x->kind == sym_param && x->index < s->model->params.count;
    if (param && holds_param(s->pool, s->model->params.items[x->index].value)) vec_push(s->arena, &others, x->index);
  }
  for (uint32_t i = 0; i < others.count; i++) {
    if (!resolve(s, d, others.items[i])) return 0;
  }
  if (!list || !expr_replace(s->pool, &d->map, &value, 1, &value)) return 0;
  symbol_map_set(&d->map, p->symbol, value);
  d->count++;
  return value;
}

bool derived_find(System *s, Derived *d) {
  *d = (Derived){.map = symbol_map_new(s->pool)};
  for (uint32_t i = 0; i < s->model->params.count; i++) {
    const ModelParam *p = &s->model->params.items[i];
    if (p->structural || !holds_param(s->pool, p->value)) continue;
    if (!resolve(s, d, i)) return false;
  }
  return true;
}

bool derived_put(System *s, const Derived *d, const ExprId *in, uint32_t count, ExprId *out) {
  for (uint32_t i = 0; i < count; i++) out[i] = in[i];
  return d->count == 0 || expr_replace(s->pool, &d->map, in, count, out);
}

const char *derived_said(System *s, const Derived *d, const ExprId *roots, uint32_t count) {
  Text t = text_in(s->arena);
  for (uint32_t i = 0; d->count && i < s->model->params.count; i++) {
    const ModelParam *p = &s->model->params.items[i];
    bool stands = false;
    for (uint32_t k = 0; derived_is(d, p->symbol) && k < count && !stands; k++) stands = roots[k] && expr_depends(s->pool, roots[k], p->symbol);
    if (!stands) continue;
    text_printf(&t, "%s%s = ", t.length ? ", " : "with ", p->name);
    expr_print(s->pool, p->value, format_text, NULL, &t);
  }
  return t.length ? text_str(&t) : NULL;
}

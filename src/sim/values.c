// Values of parameters and starts by one tape without variables, or of the parameters that vary.
#include "sim/values.h"

#include "expr/calculus.h"
#include "hybrid/results.h"

// A parameter that is a plain number needs no tape: there may be a million of them.
static bool is_plain(const System *s, uint32_t param, double *value) {
  ExprId id = s->params.items[param].value;
  Rat r;
  if (!id || !expr_number(s->pool, id, &r)) return false;
  *value = rat_to_double(r);
  return true;
}

// The parameters that are not left out, starts, times, demands, as results of a tape.
static const Tape *build_values(System *s, const Components *y, TapeRequest request, const bool *left_out,
                                ValuePlaces *places) {
  ResultList r = {.arena = s->arena};
  const ExprId times[4] = {s->simulate.to, s->simulate.step, s->simulate.every, s->simulate.from};
  places->params = r.list.count;
  for (uint32_t i = 0; i < s->params.count; i++) {
    if (!left_out || !left_out[i]) result_put(&r, expr_sym(s->pool, s->params.items[i].symbol));
  }
  places->starts = r.list.count;
  for (uint32_t i = 0; i < y->count; i++) result_put(&r, y->items[i].start);
  places->times = r.list.count;
  for (uint32_t i = 0; i < 4; i++) result_put(&r, times[i] ? times[i] : s->pool->zero);
  places->demands = r.list.count;
  for (uint32_t i = 0; i < s->demands.count; i++) result_put(&r, s->demands.items[i].wrong);
  if (arena_failed(s->arena)) return NULL;
  request.system = s;
  request.results = r.list.items;
  request.result_count = r.list.count;
  request.params_by_value = true;
  return tape_build(s->arena, &request);
}

const Tape *values_tape(System *s, const Components *y, const SymbolId *vars, uint32_t var_count, ValuePlaces *places) {
  return build_values(s, y, (TapeRequest){.vars = vars, .var_count = var_count}, NULL, places);
}

bool values_find(System *s, const Components *y, KnownValues *v) {
  const System *m = s;
  ValuePlaces at;
  bool *plain = arena_array(s->arena, (size_t)m->params.count + 1, sizeof *plain);
  v->params = arena_array(s->arena, (size_t)m->params.count + 1, sizeof *v->params);
  v->start = arena_array(s->arena, y->total, sizeof *v->start);
  v->demands = arena_array(s->arena, (size_t)m->demands.count + 1, sizeof *v->demands);
  if (arena_failed(s->arena)) return false;
  for (uint32_t i = 0; i < m->params.count; i++) plain[i] = is_plain(s, i, &v->params[i]);
  const Tape *t = build_values(s, y, (TapeRequest){0}, plain, &at);
  double *w = t ? arena_array(s->arena, t->slot_count, sizeof *w) : NULL;
  if (!w) return false;
  tape_prepare(t, w);
  tape_eval(t, w);
  for (uint32_t i = 0, k = at.params; i < m->params.count; i++) {
    if (!plain[i]) v->params[i] = tape_result(t, w, k++);
  }
  for (uint32_t i = 0; i < y->count; i++) v->start[i] = tape_result(t, w, at.starts + i);
  for (uint32_t i = 0; i < m->demands.count; i++) v->demands[i] = tape_result(t, w, at.demands + i);
  v->times = (SimulateTimes){.to = m->simulate.to ? tape_result(t, w, at.times) : NAN,
                             .step = m->simulate.step ? tape_result(t, w, at.times + 1) : NAN,
                             .every = m->simulate.every ? tape_result(t, w, at.times + 2) : NAN,
                             .from = m->simulate.from ? tape_result(t, w, at.times + 3) : 0};
  return true;
}

bool values_held(System *s, KnownValues *v) {
  ResultList r = {.arena = s->arena};
  uint32_t n = s->held.count;
  v->held = arena_array(s->arena, (size_t)n + 1, sizeof *v->held);
  if (!n || !v->held) return v->held != NULL;
  for (uint32_t i = 0; i < n; i++) result_put(&r, s->held.items[i].start);
  TapeRequest request = {.system = s, .results = r.list.items, .result_count = n, .params_by_value = true};
  const Tape *t = arena_failed(s->arena) ? NULL : tape_build(s->arena, &request);
  double *w = t ? arena_array(s->arena, t->slot_count, sizeof *w) : NULL;
  if (!w) return false;
  tape_prepare(t, w);
  tape_eval(t, w);
  for (uint32_t i = 0; i < n; i++) v->held[i] = tape_result(t, w, i);
  return true;
}

static void check_param(System *s, const KnownValues *v, uint32_t i, Diags *diags) {
  const SystemParam *q = &s->params.items[i];
  if (!q->value) {
    diag_error(diags, diag_no_value, q->span, "the parameter `%s` has no value", q->name);
    diag_hint(diags, "give it one: `--set %s=...`", q->name);
    return;
  }
  if (isfinite(v->params[i])) return;
  for (uint32_t j = 0; j < i; j++) { // from another one, reported itself
    if (!isfinite(v->params[j]) && expr_depends(s->pool, q->value, s->params.items[j].symbol)) return;
  }
  diag_error(diags, diag_bad_setting, q->span, "the parameter `%s` has no finite value", q->name);
}

void values_check(System *s, const Components *y, const KnownValues *v, Diags *diags) {
  const System *m = s;
  for (uint32_t i = 0; i < m->params.count; i++) check_param(s, v, i, diags);
  for (uint32_t i = 0; i < y->count; i++) {
    if (!isfinite(v->start[i]) && diags->errors == 0)
      diag_error(diags, diag_bad_setting, y->items[i].span, "the start of `%s` is not a finite number",
                 y->items[i].declared);
  }
  for (uint32_t i = 0; i < m->demands.count; i++) {
    const SystemCheck *d = &m->demands.items[i];
    if (v->demands[i] != 0) diag_error(diags, d->code, d->span, "%s", d->message);
  }
}

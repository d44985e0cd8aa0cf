#include "sim/export_events.h"

#include "sim/hybrid.h"

static bool take_whens(Arena *arena, const System *s, const uint32_t *place, ExportEvents *e) {
  const System *m = s;
  uint32_t n = s->coord_count, result = e->values_at;
  for (uint32_t i = 0; i < m->whens.count; i++) {
    const ModelWhen *w = &m->whens.items[i];
    ExportWhen when = {.every = w->period != 0, .stop = w->stop, .first = e->assigns.count, .count = w->assigns.count};
    for (uint32_t k = 0; k < w->assigns.count; k++) {
      const ModelAssign *a = &w->assigns.items[k];
      uint32_t at = a->kind == assign_place ? a->index : a->kind == assign_velocity ? n + a->index : 2 * n + a->index;
      vec_push(arena, &e->assigns, (ExportAssign){place[at], result++});
    }
    vec_push(arena, &e->whens, when);
  }
  return !arena_failed(arena);
}

static void take_memories(const Hybrid *h, ExportEvents *e) {
  const System *m = h->m;
  for (uint32_t i = 0; i < m->memories.count; i++) {
    e->names[i] = m->memories.items[i].name;
    e->each_step[i] = m->memories.items[i].by_step;
    e->fixed[i] = m->memories.items[i].located;
  }
  for (uint32_t i = 0; i < m->delays.count; i++) e->names[m->memories.count + i] = m->delays.items[i].name;
}

static bool build_rules(Arena *arena, const Hybrid *h, TapeWish wish, ExportEvents *e) {
  const System *m = h->m;
  System *s = wish.system;
  VEC(ExprId) results = {0};
  // where memories stand in an order, their symbols are computed from the old values; in a circle the rules are
  bool ordered = m->memories.count && s->extras[0] == m->memories.items[0].before;
  for (uint32_t i = 0; i < m->memories.count; i++)
    vec_push(arena, &results, ordered ? expr_sym(s->pool, m->memories.items[i].symbol) : h->rules[i]);
  e->conditions_at = results.count;
  for (uint32_t i = 0; i < m->whens.count; i++) vec_push(arena, &results, h->conditions[i]);
  e->values_at = results.count;
  for (uint32_t i = 0; i < m->whens.count; i++) {
    for (uint32_t k = 0; k < m->whens.items[i].assigns.count; k++) vec_push(arena, &results, h->values[i][k]);
  }
  e->checks_at = results.count;
  e->checks = m->checks.count;
  for (uint32_t i = 0; i < m->checks.count; i++) vec_push(arena, &results, h->checks[i]);
  e->starts_at = results.count;
  for (uint32_t i = 0; i < m->memories.count; i++) vec_push(arena, &results, h->starts[i]);
  e->periods_at = results.count;
  for (uint32_t i = 0; i < m->whens.count; i++)
    vec_push(arena, &results, m->whens.items[i].period ? m->whens.items[i].period : s->pool->zero);
  wish.results = results.items;
  wish.result_count = results.count;
  e->rules = tape_build(arena, &wish);
  return e->rules != NULL;
}

static bool build_delays(Arena *arena, const Hybrid *h, TapeWish wish, ExportEvents *e) {
  uint32_t n = h->m->delays.count;
  if (!n) return true;
  ExprId *history = arena_array(arena, n, sizeof *history), *times = arena_array(arena, n, sizeof *times);
  if (!history || !times) return false;
  for (uint32_t i = 0; i < n; i++) {
    history[i] = h->m->delays.items[i].history;
    times[i] = h->m->delays.items[i].time;
  }
  wish.result_count = n;
  wish.results = h->inputs;
  e->inputs = tape_build(arena, &wish);
  wish.results = history;
  e->history = tape_build(arena, &wish);
  e->times = tape_build(arena, &(TapeWish){.system = wish.system, .results = times, .result_count = n});
  return e->inputs && e->history && e->times;
}

bool export_events(Arena *arena, System *s, const double *params, const SymbolId *vars, uint32_t var_count,
                   const uint32_t *place, ExportEvents *out, const char **failure) {
  Hybrid *h = arena_new_of(arena, Hybrid);
  uint32_t memories = s->memories.count, delays = s->delays.count;
  *out = (ExportEvents){.memories = memories, .delays = delays, .rewritten = h};
  out->names = arena_array(arena, (size_t)memories + delays + 1, sizeof *out->names);
  out->each_step = arena_array(arena, (size_t)memories + 1, sizeof *out->each_step);
  out->fixed = arena_array(arena, (size_t)memories + 1, sizeof *out->fixed);
  if (arena_failed(arena)) return false;
  if (!hybrid_rewrite(h, s, params, true) || !hybrid_build(h, params, NULL)) {
    *failure = h->failure;
    return false;
  }
  TapeWish wish = {.system = s, .vars = vars, .var_count = var_count};
  take_memories(h, out);
  return build_rules(arena, h, wish, out) && build_delays(arena, h, wish, out) && take_whens(arena, s, place, out);
}

ExprId export_events_of(const ExportEvents *e, ExprId id) { return hybrid_of(e->rewritten, id); }

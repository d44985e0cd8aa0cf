// Events for an export: the system rewritten for stepwise runs, and the tapes of its rules over y without empty places.
#include "sim/export_events.h"

#include "sim/event_plan.h"
#include "sim/results.h"

static bool take_whens(Arena *arena, const EventPlan *p, const uint32_t *values_at, const uint32_t *place,
                       ExportEvents *e) {
  const System *m = p->s;
  for (uint32_t i = 0; i < m->whens.count; i++) {
    const SystemWhen *w = &m->whens.items[i];
    ExportWhen when = {.every = w->period != 0, .stop = w->stop, .first = e->assigns.count, .count = w->assigns.count};
    for (uint32_t k = 0; k < w->assigns.count; k++) {
      vec_push(arena, &e->assigns, (ExportAssign){place[event_target(p, &w->assigns.items[k])], values_at[i] + k});
      when.moves = when.moves || w->assigns.items[k].kind == assign_velocity;
    }
    vec_push(arena, &e->whens, when);
  }
  return !arena_failed(arena);
}

static void take_memories(const System *m, ExportEvents *e) {
  for (uint32_t i = 0; i < m->memories.count; i++) {
    e->names[i] = m->memories.items[i].name;
    e->each_step[i] = m->memories.items[i].by_step;
    e->fixed[i] = m->memories.items[i].located;
  }
  for (uint32_t i = 0; i < m->delays.count; i++) e->names[m->memories.count + i] = m->delays.items[i].name;
}

static bool build_rules(Arena *arena, const EventPlan *p, TapeWish wish, uint32_t *values_at, ExportEvents *e) {
  const System *m = p->s;
  const Rewriting *w = p->rewriting;
  ExprPool *pool = p->s->pool;
  ResultList r = {.arena = arena};
  // where memories stand in an order, their symbols are computed from the old values; in a circle the rules are
  for (uint32_t i = 0; i < m->memories.count; i++)
    result_put(&r, p->ordered ? expr_sym(pool, m->memories.items[i].symbol) : w->rules[i]);
  e->conditions_at = result_put_all(&r, w->conditions, m->whens.count);
  e->values_at = r.list.count;
  for (uint32_t i = 0; i < m->whens.count; i++)
    values_at[i] = result_put_all(&r, w->values[i], m->whens.items[i].assigns.count);
  e->checks_at = result_put_all(&r, w->checks, m->checks.count);
  e->checks = m->checks.count;
  e->starts_at = result_put_all(&r, w->starts, m->memories.count);
  e->periods_at = r.list.count;
  for (uint32_t i = 0; i < m->whens.count; i++)
    result_put(&r, m->whens.items[i].period ? m->whens.items[i].period : pool->zero);
  wish.results = r.list.items;
  wish.result_count = r.list.count;
  e->rules = tape_build(arena, &wish);
  return e->rules != NULL;
}

static bool build_delays(Arena *arena, const EventPlan *p, TapeWish wish, ExportEvents *e) {
  uint32_t n = p->delay_count;
  ResultList history = {.arena = arena}, times = {.arena = arena};
  if (!n) return true;
  for (uint32_t i = 0; i < n; i++) {
    result_put(&history, p->s->delays.items[i].history);
    result_put(&times, p->s->delays.items[i].time);
  }
  if (arena_failed(arena)) return false;
  wish.result_count = n;
  wish.results = p->rewriting->inputs;
  e->inputs = tape_build(arena, &wish);
  wish.results = history.list.items;
  e->history = tape_build(arena, &wish);
  e->times = tape_build(arena, &(TapeWish){.system = p->s, .results = times.list.items, .result_count = n});
  return e->inputs && e->history && e->times;
}

const char export_no_implicit[] = "it has implicit equations, and C for these is not there yet";

bool export_events(Arena *arena, System *s, const double *params, const SymbolId *vars, uint32_t var_count,
                   const uint32_t *place, ExportEvents *out, const char **failure) {
  Rewriting *w = arena_new_of(arena, Rewriting);
  EventPlan plan = {0};
  System rules;
  uint32_t memories = s->memories.count, delays = s->delays.count;
  *out = (ExportEvents){.memories = memories, .delays = delays, .rewritten = w};
  out->names = arena_array(arena, (size_t)memories + delays + 1, sizeof *out->names);
  out->each_step = arena_array(arena, (size_t)memories + 1, sizeof *out->each_step);
  out->fixed = arena_array(arena, (size_t)memories + 1, sizeof *out->fixed);
  uint32_t *values_at = arena_array(arena, (size_t)s->whens.count + 1, sizeof *values_at);
  if (arena_failed(arena)) return false;
  if (!rewrite_system(w, s, params, true) || !event_plan_arrange(&plan, w, &rules)) {
    *failure = plan.failure ? plan.failure : w->failure;
    return false;
  }
  if (s->held.count) { // of a circle that a delay without length, or a friction, has closed
    *failure = export_no_implicit;
    return false;
  }
  TapeWish wish = {.system = s, .vars = vars, .var_count = var_count};
  take_memories(s, out);
  return build_rules(arena, &plan, wish, values_at, out) && build_delays(arena, &plan, wish, out) &&
         take_whens(arena, &plan, values_at, place, out);
}

ExprId export_events_of(const ExportEvents *e, ExprId id) { return rewrite_of(e->rewritten, id); }

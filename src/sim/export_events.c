// Export of events: the plan of a stepwise run, whose tapes are over y without unused entries.
#include "sim/export_events.h"

static bool take_whens(Arena *arena, const EventPlan *p, const uint32_t *place, ExportEvents *e) {
  const System *m = p->s;
  for (uint32_t i = 0; i < m->whens.count; i++) {
    const SystemWhen *w = &m->whens.items[i];
    ExportWhen when = {.every = w->period != 0,
                       .stop = w->stop,
                       .once = w->once,
                       .first = e->assigns.count,
                       .count = w->assigns.count};
    for (uint32_t k = 0; k < w->assigns.count; k++) {
      vec_push(arena, &e->assigns, (ExportAssign){place[event_target(p, &w->assigns.items[k])], p->values_at[i] + k});
      when.moves = when.moves || event_moves(m, &w->assigns.items[k]);
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

const char export_no_implicit[] =
    "it has implicit equations, which a run solves from values that it keeps between steps; exported C keeps none";

bool export_events(Arena *arena, const EventPlan *plan, const uint32_t *place, ExportEvents *out) {
  const System *s = plan->s;
  uint32_t memories = plan->memory_count, delays = plan->delay_count;
  *out = (ExportEvents){.memories = memories, .delays = delays, .checks = s->checks.count};
  out->names = arena_array(arena, (size_t)memories + delays + 1, sizeof *out->names);
  out->each_step = arena_array(arena, (size_t)memories + 1, sizeof *out->each_step);
  out->fixed = arena_array(arena, (size_t)memories + 1, sizeof *out->fixed);
  if (arena_failed(arena)) return false;
  // without modes the memories come first among the results
  out->rules = plan->tape[event_rules];
  out->conditions_at = plan->conditions_at;
  out->values_at = plan->conditions_at + plan->when_count;
  out->checks_at = plan->checks_at;
  out->starts_at = plan->starts_at;
  out->periods_at = plan->periods_at;
  out->inputs = plan->tape[event_inputs];
  out->history = plan->tape[event_past];
  out->times = plan->tape[event_times];
  take_memories(s, out);
  return take_whens(arena, plan, place, out);
}

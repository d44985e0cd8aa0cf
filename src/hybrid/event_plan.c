// Compilation of the events of a model before a run: variables, order, rates, tapes.
//
// The modes come from the rewriting. Between events the old values of memories are the present ones, so guards read
// these. The rules see the old values: their system has the symbols `before` instead of the memories, which are
// definitions of it where they form no cycle.
#include "hybrid/event_plan.h"

#include "expr/calculus.h"
#include "hybrid/event_order.h"
#include "hybrid/results.h"
#include "tape/frame.h"

#include <string.h>

// ---- rates of the guards

// Is everything in it integrated, so that its rate is an expression?
static bool has_rate(const System *s, ExprId g) {
  ExprPool *p = s->pool;
  KindSet no = kind_set(sym_acceleration) | kind_set(sym_state_rate) | kind_set(sym_delay) | kind_set(sym_friction) |
               kind_set(sym_input) | kind_set(sym_input_rate) | kind_set(sym_signal) | kind_set(sym_unknown) |
               kind_set(sym_multiplier) | kind_set(sym_held);
  if (expr_has_kinds(p, g, no)) return false;
  // a velocity that is computed has no rate, and neither has its position
  for (uint32_t k = 0; k < s->coord_count; k++) {
    const SystemCoord *c = &s->coords.items[k];
    if (system_place(s, c->v) == no_place && expr_depends(p, g, c->v)) return false;
    if (system_place(s, c->q) == no_place && expr_depends(p, g, c->q)) return false;
  }
  return true;
}

static bool find_rates(System *s, SwitchMode *modes, uint32_t n) {
  ExprPool *p = s->pool;
  ExprId *g = arena_array(s->arena, n, sizeof *g), *rate = arena_array(s->arena, n, sizeof *rate);
  bool *known = arena_array(s->arena, n, sizeof *known);
  if (!g || !rate || !known) return false;
  for (uint32_t i = 0; i < n; i++) g[i] = modes[i].g;
  if (!event_without_inputs(s, g, n)) return false;
  for (uint32_t i = 0; i < n; i++) {
    known[i] = has_rate(s, g[i]);
    if (!known[i]) g[i] = p->zero;
  }
  // d/dt by the chain rule
  SymbolMap map = symbol_map_new(p);
  symbol_map_set(&map, s->time, p->one);
  for (uint32_t i = 0; i < s->y.count; i++) {
    if (s->y.items[i].symbol) symbol_map_set(&map, s->y.items[i].symbol, s->y.items[i].rate);
  }
  if (n && !expr_derive(p, &map, g, n, rate, NULL)) return false;
  // discrete states stand still
  SymbolMap still = symbol_map_new(p);
  bool any = false;
  for (uint32_t i = 0; i < s->definitions.count; i++) {
    const Definition *d = &s->definitions.items[i];
    if (d->value != p->zero || pool_symbol_get(p, d->symbol)->kind != sym_state_rate) continue;
    symbol_map_set(&still, d->symbol, p->zero);
    any = true;
  }
  if (n && any && !expr_replace(p, &still, rate, n, rate)) return false;
  for (uint32_t i = 0; i < n; i++) modes[i].rate = known[i] ? rate[i] : 0;
  return true;
}

// ---- variables and their order

// Between events the old values are the present ones.
static bool see_present(const EventPlan *p, SwitchMode *modes) {
  ExprPool *pool = p->s->pool;
  uint32_t n = p->mode_count;
  if (!p->memory_count || !n) return true;
  ExprId *g = arena_array(p->s->arena, n, sizeof *g);
  SymbolMap map = symbol_map_new(pool);
  for (uint32_t i = 0; i < p->memory_count; i++)
    symbol_map_set(&map, p->s->memories.items[i].before, expr_sym(pool, p->s->memories.items[i].symbol));
  for (uint32_t i = 0; g && i < n; i++) g[i] = modes[i].g;
  if (!g || !expr_replace(pool, &map, g, n, g)) return false;
  for (uint32_t i = 0; i < n; i++) modes[i].g = g[i];
  return true;
}

// What is computed cannot be set. False: p->failure says so.
static bool targets_are_free(EventPlan *p) {
  const System *s = p->s;
  const System *m = p->s;
  for (uint32_t i = 0; i < m->whens.count; i++) {
    for (uint32_t k = 0; k < m->whens.items[i].assigns.count; k++) {
      const SystemAssign *a = &m->whens.items[i].assigns.items[k];
      if (event_target(p, a) != no_place) continue;
      p->failure =
          arena_printf(s->arena, "`%s%s` follows from the others, because inertia is missing, and cannot be set",
                       m->coords.items[a->index].name, a->kind == assign_velocity ? "'" : "");
      p->failure_place = a->span;
      return false;
    }
  }
  return true;
}

bool event_moves(const System *s, const SystemAssign *a) {
  return a->kind == assign_velocity || (a->kind == assign_state && s->states.items[a->index].role == state_velocity);
}

uint32_t event_target(const EventPlan *p, const SystemAssign *a) {
  const System *s = p->s;
  switch (a->kind) {
  case assign_place: return system_place(s, s->coords.items[a->index].q);
  case assign_velocity: return system_place(s, s->coords.items[a->index].v);
  case assign_state: break;
  }
  return system_place(s, s->states.items[a->index].x);
}

// The symbols of z: as they are now, and as the rules see them.
static bool list_variables(const EventPlan *p, SymbolId **now, SymbolId **before) {
  const System *m = p->s;
  *now = arena_array(p->s->arena, (size_t)p->z_count + 1, sizeof **now);
  *before = arena_array(p->s->arena, (size_t)p->z_count + 1, sizeof **before);
  if (!*now || !*before) return false;
  for (uint32_t i = 0; i < p->memory_count; i++) {
    (*now)[i] = m->memories.items[i].symbol;
    (*before)[i] = m->memories.items[i].before;
  }
  for (uint32_t i = 0; i < p->mode_count; i++) (*now)[p->mode_at + i] = (*before)[p->mode_at + i] = p->modes[i].symbol;
  for (uint32_t i = 0; i < p->delay_count; i++)
    (*now)[p->delay_at + i] = (*before)[p->delay_at + i] = m->delays.items[i].symbol;
  return true;
}

// Variables, the order of memories, rates of guards. The system of the rules differs from that of the run where
// memories are definitions of their old values.
static bool arrange(EventPlan *p, Rewriting *w, System *rules) {
  System *s = w->s;
  SwitchMode *modes = w->modes.items;
  SymbolId *now, *before;
  *p = (EventPlan){.s = s, .rewriting = w, .stepwise = w->stepwise, .modes = modes};
  if (!event_order(w, rules, &p->ordered)) return false;
  p->mode_count = w->modes.count;
  p->memory_count = w->s->memories.count;
  p->delay_count = w->s->delays.count;
  p->when_count = w->s->whens.count;
  p->mode_at = p->memory_count;
  p->delay_at = p->mode_at + p->mode_count;
  p->z_count = p->delay_at + p->delay_count;
  p->body = system_dim(s);
  if (!list_variables(p, &now, &before)) return false;
  if (!see_present(p, modes) || (!p->stepwise && !find_rates(s, modes, p->mode_count))) return false;
  if (!targets_are_free(p)) return false;
  // the rules see the old values of the memories
  rules->extras = p->ordered ? before : now;
  rules->extra_count = p->z_count;
  s->extras = now;
  s->extra_count = p->z_count;
  if (p->ordered && p->stepwise) *s = *rules; // memories are functions of their old values, in every program
  return true;
}

// ---- tapes

static const Tape *build(System *s, const ResultList *r, TapeSolve *large) {
  return frame_tape(s->arena, &(TapeFrame){.system = s, .large = large}, r->list.items, r->list.count);
}

static ResultList list_of(const System *s) { return (ResultList){.arena = s->arena}; }

// Guards and limits.
static bool build_guards(EventPlan *p, TapeSolve *large) {
  ResultList r = list_of(p->s);
  if (!p->mode_count) return true;
  for (uint32_t i = 0; i < p->mode_count; i++) result_put(&r, p->modes[i].g);
  for (uint32_t i = 0; i < p->mode_count; i++) result_put(&r, p->modes[i].limit ? p->modes[i].limit : p->s->pool->one);
  p->tape[event_guards] = build(p->s, &r, large);
  return p->tape[event_guards] != NULL;
}

static bool build_rates(EventPlan *p, TapeSolve *large) {
  ResultList r = list_of(p->s);
  bool any = false;
  for (uint32_t i = 0; i < p->mode_count; i++) {
    any = any || p->modes[i].rate;
    result_put(&r, p->modes[i].rate ? p->modes[i].rate : p->s->pool->zero);
  }
  if (!any) return true;
  p->tape[event_rates] = build(p->s, &r, large);
  return p->tape[event_rates] != NULL;
}

static bool build_rules(EventPlan *p, const Rewriting *w, System *rules, TapeSolve *large) {
  const System *m = p->s;
  ExprPool *pool = p->s->pool;
  ResultList r = list_of(p->s);
  p->values_at = arena_array(p->s->arena, (size_t)p->when_count + 1, sizeof *p->values_at);
  if (!p->values_at) return false;
  for (uint32_t i = 0; i < p->mode_count; i++) result_put(&r, p->modes[i].g);
  p->memories_at = r.list.count;
  for (uint32_t i = 0; i < p->memory_count; i++)
    result_put(&r, p->ordered ? expr_sym(pool, m->memories.items[i].symbol) : w->rules[i]);
  p->conditions_at = result_put_all(&r, w->conditions, p->when_count);
  for (uint32_t i = 0; i < p->when_count; i++)
    p->values_at[i] = result_put_all(&r, w->values[i], m->whens.items[i].assigns.count);
  p->checks_at = result_put_all(&r, w->checks, m->checks.count);
  p->starts_at = result_put_all(&r, w->starts, p->memory_count);
  p->periods_at = r.list.count;
  for (uint32_t i = 0; i < p->when_count; i++)
    result_put(&r, m->whens.items[i].period ? m->whens.items[i].period : pool->zero);
  p->loops.values_at = r.list.count;
  for (uint32_t i = 0; p->loops.count && i < p->loops.named_first[p->loops.count]; i++)
    result_put(&r, expr_sym(pool, p->loops.named[i]));
  p->tape[event_rules] = build(rules, &r, large);
  return p->tape[event_rules] != NULL;
}

static bool build_delays(EventPlan *p, const Rewriting *w, TapeSolve *large) {
  ResultList inputs = list_of(p->s), past = list_of(p->s);
  if (!p->delay_count) return true;
  result_put_all(&inputs, w->inputs, p->delay_count);
  for (uint32_t i = 0; i < p->delay_count; i++) result_put(&past, p->s->delays.items[i].history);
  p->tape[event_inputs] = build(p->s, &inputs, large);
  p->tape[event_past] = p->tape[event_inputs] ? build(p->s, &past, large) : NULL;
  p->tape[event_times] = w->times;
  return p->tape[event_past] != NULL;
}

// The outputs of memories that follow the state continuously.
static bool build_follows(EventPlan *p, Rewriting *w, TapeSolve *large) {
  ResultList r = list_of(p->s);
  bool any = false;
  for (uint32_t i = 0; i < p->memory_count; i++) {
    const SystemMemory *x = &p->s->memories.items[i];
    any = any || x->follow;
    result_put(&r, x->follow ? rewrite_of(w, x->follow) : p->s->pool->zero);
  }
  if (!any || p->stepwise) return true;
  p->tape[event_follows] = build(p->s, &r, large);
  return p->tape[event_follows] != NULL;
}

// Jacobians of loops that do not jump, row by row.
static bool build_gains(EventPlan *p, TapeSolve *large) {
  EventLoops *l = &p->loops;
  ResultList r = list_of(p->s);
  for (uint32_t i = 0; i < l->count; i++) {
    const Block *b = l->block[i] ? &p->s->blocks.items[l->block[i] - 1] : NULL;
    const ExprId *m = b ? block_dense(p->s->arena, p->s->pool, b) : NULL;
    if (b && !m) return false;
    l->size[i] = b ? b->count : 0;
    l->gains_at[i] = b ? result_put_all(&r, m, b->count * b->count) : 0;
  }
  if (!r.list.count) return true;
  p->tape[event_gains] = build(p->s, &r, large);
  return p->tape[event_gains] != NULL;
}

// Where these jump in time, the run stops.
static void list_watched(const EventPlan *p, const Rewriting *w) {
  ResultList r = list_of(p->s);
  result_put_all(&r, w->originals.items, w->originals.count);
  for (uint32_t i = 0; i < p->mode_count; i++) result_put(&r, p->modes[i].g);
  p->s->watched = r.list.items;
  p->s->watched_count = r.list.count;
}

// ---- the whole

// As it stands in the text, up to its `do`.
static bool find_words(EventPlan *p) {
  p->when_words = arena_array(p->s->arena, (size_t)p->when_count + 1, sizeof *p->when_words);
  if (!p->when_words) return false;
  for (uint32_t i = 0; i < p->when_count; i++) {
    Span span = p->s->whens.items[i].span;
    const Source *s = source_get(p->s->sources, span);
    uint32_t end = span.start;
    while (s && end < span.end && s->text[end] != '\n' &&
           !(s->text[end] == ' ' && strncmp(s->text + end, " do", 3) == 0))
      end++;
    p->when_words[i] = s ? arena_strndup(p->s->arena, s->text + span.start, end - span.start) : "when";
  }
  return true;
}

static bool may_hold(const EventPlan *p) {
  for (uint32_t i = 0; i < p->mode_count; i++) {
    if (event_may_hold(&p->modes[i])) return true;
  }
  return false;
}

static bool build_all(EventPlan *p, Rewriting *w, System *rules, TapeSolve *large) {
  if (!event_find_loops(p) || !build_guards(p, large) || !build_rates(p, large) || !build_rules(p, w, rules, large))
    return false;
  if (!build_delays(p, w, large) || !build_follows(p, w, large) || !build_gains(p, large)) return false;
  if (!event_find_readers(p, w->modes.items) || !find_words(p)) return false;
  if (!event_plan_instants(p, w)) return false;
  list_watched(p, w);
  p->may_hold = may_hold(p);
  if (p->mode_count && !event_find_bounds(p)) return false;
  if (p->delay_count && !p->stepwise && !event_find_delays(p)) return false;
  return !arena_failed(p->s->arena);
}

EventPlan *event_plan_new(Rewriting *w, TapeSolve *large) {
  System rules;
  EventPlan *p = arena_new_of(w->arena, EventPlan);
  if (!p) return NULL;
  if (arrange(p, w, &rules) && build_all(p, w, &rules, large)) return p;
  if (p->failure) {
    w->failure = p->failure;
    w->failure_place = p->failure_place;
  }
  return NULL;
}

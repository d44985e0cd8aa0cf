#include "sim/export.h"

#include "expr/calculus.h"
#include "solve/ode.h"
#include "tape/jacobian.h"

#include <math.h>
#include <string.h>

// Default values of the parameters and the times of `simulate`.
static bool find_values(Export *e, System *s) {
  const System *m = s;
  uint32_t p = m->params.count;
  ExprId *wanted = arena_array(e->arena, (size_t)p + 3, sizeof *wanted);
  e->params = arena_array(e->arena, (size_t)p + 1, sizeof *e->params);
  if (!wanted || !e->params) return false;
  for (uint32_t i = 0; i < p; i++) wanted[i] = expr_sym(s->pool, m->params.items[i].symbol);
  const ExprId given[3] = {m->simulate.to, m->simulate.step, m->simulate.every};
  for (uint32_t i = 0; i < 3; i++) wanted[p + i] = given[i] ? given[i] : s->pool->zero;
  const Tape *t =
      tape_build(e->arena, &(TapeWish){.system = s, .results = wanted, .result_count = p + 3, .params_by_value = true});
  double *w = t ? arena_array(e->arena, t->slot_count, sizeof *w) : NULL;
  if (!w) return false;
  tape_prepare(t, w);
  tape_eval(t, w);
  for (uint32_t i = 0; i < p; i++) e->params[i] = tape_result(t, w, i);
  double times[3];
  for (uint32_t i = 0; i < 3; i++) times[i] = given[i] ? tape_result(t, w, p + i) : NAN;
  e->to = times[0] > 0 ? times[0] : 10;
  OdeMethod method;
  e->fixed = m->simulate.method && ode_method_find(m->simulate.method, &method) && ode_is_fixed(method);
  double first = times[e->fixed ? 1 : 2],
         second = times[e->fixed ? 2 : 1]; // a fixed step is one; else the spacing of rows is
  e->step = first > 0 ? first : second > 0 ? second : e->to / 1000;
  return true;
}

// What stands at a place of (q, v, x) as a run has it; 0: nothing, because it is computed.
static SymbolId symbol_at(const System *s, uint32_t i) {
  uint32_t n = s->coord_count;
  const System *m = s;
  if (i < n) return s->order_zero[i] ? 0 : m->coords.items[i].q;
  return i < 2 * n ? s->speeds[i - n].symbol : m->states.items[i - 2 * n].x;
}

static bool find_names(Export *e, System *s) {
  const System *m = s;
  uint32_t total = m->params.count + 1 + e->dim, k = 0, extra = m->memories.count + m->delays.count;
  e->states = arena_array(e->arena, (size_t)e->dim + 1, sizeof *e->states);
  e->param_names = arena_array(e->arena, (size_t)total + extra, sizeof *e->param_names);
  if (!e->states || !e->param_names) return false;
  for (uint32_t i = 0, y = 0; i < 2 * e->coords + s->state_count; i++) {
    if (symbol_at(s, i)) e->states[y++] = pool_symbol_get(s->pool, symbol_at(s, i))->name;
  }
  for (uint32_t i = 0; i < total + extra; i++) {
    const char *name = i < m->params.count    ? m->params.items[i].name
                       : i == m->params.count ? "t"
                       : i < total            ? e->states[i - m->params.count - 1]
                                              : NULL;
    if (!name)
      name = i - total < m->memories.count ? m->memories.items[i - total].name
                                           : m->delays.items[i - total - m->memories.count].name;
    e->param_names[k] = emit_name(e->arena, name, e->param_names, k);
    if (!e->param_names[k++]) return false;
  }
  return true;
}

// Outputs as expressions of t, y and parameters; energy.kinetic and the like stand for their values.
static bool find_outputs(Export *e, System *s, const SymbolId *vars, uint32_t var_count) {
  ExprPool *pool = s->pool;
  const System *m = s;
  uint32_t count = m->outputs.count;
  ExprId *values = arena_array(e->arena, (size_t)count + 5, sizeof *values),
         *replaced = arena_array(e->arena, (size_t)count + 5, sizeof *replaced);
  e->outputs = arena_array(e->arena, (size_t)count + 1, sizeof *e->outputs);
  if (!values || !replaced || !e->outputs) return false;
  const SystemEnergy *g = &s->energy;
  SymbolMap map = symbol_map_new(pool);
  for (SymbolId i = 1; i < pool->symbols.count; i++) {
    const char *name = pool_symbol_get(pool, i)->name;
    if (strcmp(name, "energy.kinetic") == 0) symbol_map_set(&map, i, g->kinetic);
    if (strcmp(name, "energy.potential") == 0) symbol_map_set(&map, i, g->potential);
    if (strcmp(name, "energy.stored") == 0) symbol_map_set(&map, i, g->stored);
  }
  for (uint32_t i = 0; i < count; i++) values[i] = m->outputs.items[i].value;
  if (count && !expr_replace(pool, &map, values, count, replaced)) return false;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (e->events && !(replaced[i] = export_events_of(e->events, replaced[i]))) return false;
    if (expr_has_kind(pool, replaced[i], sym_signal)) {
      e->dropped++;
      continue;
    }
    e->outputs[kept] = m->outputs.items[i].name;
    values[kept++] = replaced[i];
  }
  e->output_count = kept;
  const ExprId energies[5] = {g->kinetic, g->potential, g->stored, g->flows.items[flow_dissipated].power,
                              g->flows.items[flow_supplied].power};
  for (uint32_t i = 0; i < 5; i++) values[kept + i] = g->kept ? energies[i] : pool->zero;
  e->rows = tape_build(
      e->arena,
      &(TapeWish){.system = s, .vars = vars, .var_count = var_count, .results = values, .result_count = kept + 5});
  return e->rows != NULL;
}

// The Jacobian has a place for every position and velocity; those that are computed are none of y.
static bool find_jacobian(Export *e, System *s) {
  uint32_t params = s->params.count;
  const TapeJacobian *j = tape_jacobian(e->arena, s, NULL, 0, NULL);
  if (!j) return false;
  uint32_t all = j->columns - 1, k = 0;
  uint32_t *of = arena_array(e->arena, (size_t)all + 1, sizeof *of); // y's place of each of its variables
  e->row = arena_array(e->arena, (size_t)j->count + 1, sizeof *e->row);
  e->column = arena_array(e->arena, (size_t)j->count + 1, sizeof *e->column);
  e->places = arena_array(e->arena, (size_t)e->dim + 1, sizeof *e->places);
  e->jacobian_names = arena_array(e->arena, (size_t)params + 1 + all, sizeof *e->jacobian_names);
  if (!of || !e->row || !e->column || !e->places || !e->jacobian_names) return false;
  for (uint32_t i = 0; i <= params; i++) e->jacobian_names[i] = e->param_names[i];
  for (uint32_t i = 0; i < all; i++) {
    bool computed = !symbol_at(s, i);
    e->jacobian_names[params + 1 + i] = computed ? "none" : e->param_names[params + 1 + k];
    if (computed) continue;
    of[i] = k;
    e->places[k++] = i;
  }
  for (uint32_t c = 0; c < j->columns; c++) {
    for (uint32_t i = j->start[c]; i < j->start[c + 1]; i++) {
      e->row[i] = of[j->row[i]];
      e->column[i] = c < all ? of[c] : e->dim;
    }
  }
  e->jacobian = j->tape;
  return true;
}

const char *export_refuses(Arena *arena, const System *s) {
  if (s->implicit.count || s->held.count) return "it has implicit equations, and C for these is not there yet";
  for (uint32_t i = 0; i < s->calls.count; i++) {
    const TapeKernel *kernel = s->calls.items[i].kernel;
    // the Jacobian is exported, too
    if (!kernel->emit || !kernel->slopes || !kernel->slopes->emit)
      return arena_printf(arena, "a part of it, `%s`, has no text in C", kernel->name);
  }
  return NULL;
}

bool export_model(Arena *arena, const System *system, Export *e) {
  System own;
  ExprPool pool;
  const System *m = system;
  uint32_t n = system->coord_count, all = 2 * n + system->state_count, count = 0;
  *e = (Export){.arena = arena, .system = system, .coords = n, .energy = system->energy.kept, .plain = true};
  for (uint32_t i = 0; i < all; i++) {
    e->dim += symbol_at(system, i) != 0;
    e->positions += i < n && symbol_at(system, i);
    e->plain =
        e->plain && symbol_at(system, i) && (i < n || i >= 2 * n || symbol_at(system, i) == m->coords.items[i - n].v);
  }
  if (!system_clone(&own, system, &pool, arena) || !find_values(e, &own) || !find_names(e, &own)) return false;
  SymbolId *vars = arena_array(arena, (size_t)e->dim + 1, sizeof *vars);
  ExprId *rates = arena_array(arena, (size_t)e->dim + 1, sizeof *rates),
         *start = arena_array(arena, (size_t)e->dim + 1, sizeof *start);
  if (!vars || !rates || !start) return false;
  vars[0] = m->time;
  uint32_t *place = arena_array(arena, (size_t)all + 1, sizeof *place);
  if (!place) return false;
  for (uint32_t i = 0; i < all; i++) {
    place[i] = count;
    if (!symbol_at(&own, i)) continue;
    vars[1 + count] = symbol_at(&own, i);
    start[count] = i < n ? m->coords.items[i].q0 : i < 2 * n ? own.speeds[i - n].start : m->states.items[i - 2 * n].x0;
    rates[count++] = expr_sym(&pool, i < n       ? m->coords.items[i].v
                                     : i < 2 * n ? own.speeds[i - n].rate
                                                 : m->states.items[i - 2 * n].rate);
  }
  if (m->memories.count || m->delays.count || m->frictions.count || m->whens.count || m->checks.count) {
    ExportEvents *events = arena_new_of(arena, ExportEvents);
    if (!events || !export_events(arena, &own, e->params, vars, e->dim + 1, place, events, &e->failure)) return false;
    e->events = events;
  }
  e->f = tape_build(
      arena,
      &(TapeWish){.system = &own, .vars = vars, .var_count = e->dim + 1, .results = rates, .result_count = count});
  e->start = tape_build(arena, &(TapeWish){.system = &own, .results = start, .result_count = e->dim});
  return e->f && e->start && find_outputs(e, &own, vars, e->dim + 1) && (e->events || find_jacobian(e, &own)) &&
         !arena_failed(arena);
}

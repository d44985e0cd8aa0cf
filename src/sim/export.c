// A model as tapes for other programs: right-hand side, outputs, starts, Jacobian.
//
// y has no empty places here: what is computed from the others is none of it. With events the tapes are those of a
// stepwise run (export_events.c), and there is no Jacobian.
#include "sim/export.h"

#include "sim/columns.h"
#include "sim/values.h"
#include "tape/jacobian.h"

// Default values of the parameters, and the times of `simulate`.
static bool find_values(Export *e, System *s, const Components *y) {
  const System *m = s;
  KnownValues v;
  OdeMethod method;
  if (!values_find(s, y, &v)) return false;
  e->params = v.params;
  e->to = run_default_end(v.times.to > 0 ? v.times.to : NAN);
  e->fixed = m->simulate.method && ode_method_find(m->simulate.method, &method) && ode_is_fixed(method);
  // a fixed step is one; else the spacing of rows is
  double first = e->fixed ? v.times.step : v.times.every, second = e->fixed ? v.times.every : v.times.step;
  e->step = first > 0 ? first : second > 0 ? second : run_default_step(e->to);
  return true;
}

static bool find_names(Export *e, System *s, const Components *c) {
  const System *m = s;
  uint32_t total = m->params.count + 1 + e->dim, k = 0, extra = m->memories.count + m->delays.count;
  e->states = arena_array(e->arena, (size_t)e->dim + 1, sizeof *e->states);
  e->param_names = arena_array(e->arena, (size_t)total + extra, sizeof *e->param_names);
  EmitNames taken = {.arena = e->arena};
  if (!e->states || !e->param_names) return false;
  for (uint32_t i = 0, y = 0; i < c->count; i++) {
    SymbolId variable = c->items[i].variable;
    if (variable) e->states[y++] = pool_symbol_get(s->pool, variable)->name;
  }
  for (uint32_t i = 0; i < total + extra; i++) {
    const char *name = i < m->params.count    ? m->params.items[i].name
                       : i == m->params.count ? "t"
                       : i < total            ? e->states[i - m->params.count - 1]
                                              : NULL;
    if (!name)
      name = i - total < m->memories.count ? m->memories.items[i - total].name
                                           : m->delays.items[i - total - m->memories.count].name;
    e->param_names[k] = emit_name(&taken, name);
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
  SymbolMap map;
  columns_map_energies(s, &map);
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
  uint32_t energy_count = e->constraints ? 3 : 5;
  for (uint32_t i = 0; i < energy_count; i++) values[kept + i] = g->kept ? energies[i] : pool->zero;
  e->rows = tape_build(
      e->arena,
      &(TapeWish){
          .system = s, .vars = vars, .var_count = var_count, .results = values, .result_count = kept + energy_count});
  return e->rows != NULL;
}

// The Jacobian has a place for every position and velocity; those that are computed are none of y.
static bool find_jacobian(Export *e, System *s, const Components *y) {
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
    bool computed = !y->items[i].variable;
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
  if (s->implicit.count || s->held.count) return export_no_implicit;
  OdeMethod method;
  if (s->simulate.method && ode_method_find(s->simulate.method, &method) && ode_is_structured(method))
    return arena_printf(arena, "its method is `%s`, and C for that is not there yet", s->simulate.method);
  for (uint32_t i = 0; i < s->calls.count; i++) {
    const TapeKernel *kernel = s->calls.items[i].kernel;
    // the Jacobian is exported, too
    if (!kernel->emit || !kernel->slopes || !kernel->slopes->emit)
      return arena_printf(arena, "a part of it, `%s`, has no text in C", kernel->name);
  }
  return NULL;
}

// Variables, rates and starts of y: the components that are integrated. place: of every component in y.
static bool find_state(Export *e, const Components *y, SymbolId *vars, ExprId *rates, ExprId *start, uint32_t *place) {
  uint32_t count = 0;
  vars[0] = e->system->time;
  for (uint32_t i = 0; i < y->count; i++) {
    const SimComponent *c = &y->items[i];
    place[i] = count;
    if (!c->variable) continue;
    vars[1 + count] = c->variable;
    start[count] = c->start;
    rates[count++] = c->rate;
  }
  return count == e->dim;
}

// What y is made of.
static void count_state(Export *e, const Components *y) {
  e->plain = true;
  for (uint32_t i = 0; i < y->count; i++) {
    const SimComponent *c = &y->items[i];
    e->dim += c->variable != 0;
    e->positions += c->kind == component_position && c->variable;
    e->plain = e->plain && c->variable == c->shown;
  }
}

// The powers of the account behind the rates, and not in the rows, as a run has them: sine and cosine of one angle are
// computed together, with other last bits than one of them alone, and with a constraint that depends on time it is
// often the power that needs the other one.
static uint32_t put_powers(const System *s, ExprId *rates, uint32_t count) {
  const SystemEnergy *g = &s->energy;
  rates[count++] = g->kept ? g->flows.items[flow_dissipated].power : s->pool->zero;
  rates[count++] = g->kept ? g->flows.items[flow_supplied].power : s->pool->zero;
  return count;
}

bool export_model(Arena *arena, const System *system, Export *e) {
  System own;
  ExprPool pool;
  Components y;
  const System *m = system;
  *e = (Export){.arena = arena, .system = system, .coords = system->coord_count, .energy = system->energy.kept};
  if (!system_clone(&own, system, &pool, arena) || !components_list(&own, &y)) return false;
  count_state(e, &y);
  if (!find_values(e, &own, &y) || !find_names(e, &own, &y)) return false;
  SymbolId *vars = arena_array(arena, (size_t)e->dim + 1, sizeof *vars);
  ExprId *rates = arena_array(arena, (size_t)e->dim + 3, sizeof *rates),
         *start = arena_array(arena, (size_t)e->dim + 1, sizeof *start);
  uint32_t *place = arena_array(arena, (size_t)y.count + 1, sizeof *place), results = e->dim;
  if (!vars || !rates || !start || !place || !find_state(e, &y, vars, rates, start, place)) return false;
  if (m->memories.count || m->delays.count || m->frictions.count || m->whens.count || m->checks.count) {
    ExportEvents *events = arena_new_of(arena, ExportEvents);
    if (!events || !export_events(arena, &own, e->params, vars, e->dim + 1, place, events, &e->failure)) return false;
    e->events = events;
  }
  if (m->constraints.count) {
    ExportConstraints *c = arena_new_of(arena, ExportConstraints);
    if (!c || !export_constraints(arena, system, e->param_names, place, e->dim, c, &e->failure)) return false;
    e->constraints = c;
    results = put_powers(&own, rates, results);
  }
  e->f = tape_build(
      arena,
      &(TapeWish){.system = &own, .vars = vars, .var_count = e->dim + 1, .results = rates, .result_count = results});
  e->start = tape_build(arena, &(TapeWish){.system = &own, .results = start, .result_count = e->dim});
  return e->f && e->start && find_outputs(e, &own, vars, e->dim + 1) && (e->events || find_jacobian(e, &own, &y)) &&
         !arena_failed(arena);
}

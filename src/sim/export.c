// A model as tapes for other programs: right-hand side, outputs, starts, Jacobian.
//
// All stands on a Program that is to be written out (program.h): layout, values, right-hand side, starts, the plan of
// events and its tapes. y has no empty places there: what is computed from the others is none of it. Made here, on a
// copy of its system, is what no run has: outputs without those that a run sums up, with the powers, and the Jacobian
// without the account. With events the motion is a stepwise run (export_events.h), and there is no Jacobian.
#include "sim/export.h"

#include "sim/program.h"

// What an export is made with.
typedef struct ExportWork {
  const SimProgram *p;
  System s; // a copy of the Program's, for further expressions
  ExprPool pool;
  Rewriting *rewriting; // NULL: nothing remembers
} ExportWork;

// Default values of the parameters, and the times of `simulate`.
static void find_values(Export *e, const SimProgram *p) {
  const System *m = &p->s;
  SimulateTimes times = p->values.times;
  OdeMethod method;
  e->params = p->values.params;
  e->to = run_default_end(times.to > 0 ? times.to : NAN);
  e->fixed = m->simulate.method && ode_method_find(m->simulate.method, &method) && ode_is_fixed(method);
  // a fixed step is one; else the spacing of rows is
  double first = e->fixed ? times.step : times.every, second = e->fixed ? times.every : times.step;
  e->step = first > 0 ? first : second > 0 ? second : run_default_step(e->to);
}

static bool find_names(Export *e, const SimProgram *p) {
  const System *m = &p->s;
  const Components *c = &p->y;
  uint32_t total = m->params.count + 1 + e->dim, k = 0, extra = m->memories.count + m->delays.count;
  e->states = arena_array(e->arena, (size_t)e->dim + 1, sizeof *e->states);
  e->param_names = arena_array(e->arena, (size_t)total + extra, sizeof *e->param_names);
  EmitNames taken = {.arena = e->arena};
  if (!e->states || !e->param_names) return false;
  for (uint32_t i = 0, y = 0; i < c->count; i++) {
    SymbolId variable = c->items[i].variable;
    if (variable) e->states[y++] = pool_symbol_get(m->pool, variable)->name;
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
static bool find_outputs(Export *e, ExportWork *x) {
  System *s = &x->s;
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
    if (x->rewriting && !(replaced[i] = rewrite_of(x->rewriting, replaced[i]))) return false;
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
  e->rows = program_tape(e->arena, x->p, s, values, kept + energy_count, false);
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
  if (system_is_static(s, NULL))
    return "no node or bar has a mass: this is statics; `viva equilibrium` finds where it rests";
  if (s->implicit.count || s->held.count) return export_no_implicit;
  OdeMethod method;
  if (s->simulate.method && ode_method_find(s->simulate.method, &method) && ode_is_structured(method))
    return arena_printf(
        arena, "its method is `%s`, whose steps exported C does not have; `simulate ... by rk4` can be exported",
        s->simulate.method);
  for (uint32_t i = 0; i < s->calls.count; i++) {
    const TapeKernel *kernel = s->calls.items[i].kernel;
    // the Jacobian is exported, too
    if (!kernel->emit || !kernel->slopes || !kernel->slopes->emit)
      return arena_printf(arena, "a part of it, `%s`, has no text in C", kernel->name);
  }
  return NULL;
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

// The Program, and a copy of its system to work on. NULL: memory is out, or e->failure.
static SimProgram *open_program(Export *e, const System *system, ExportWork *x) {
  Diags diags = {.arena = e->arena, .sources = system->diags->sources};
  ProgramReport built;
  SimProgram *p = program_new(e->arena, system, &(ProgramWish){.written = true}, &diags, &built);
  if (!p) {
    e->failure = built.failure.message;
    return NULL;
  }
  if (p->s.held.count) { // of a circle that a delay without length, or a friction, has closed
    e->failure = export_no_implicit;
    return NULL;
  }
  x->p = p;
  if (!system_clone(&x->s, &p->s, &x->pool, e->arena)) return NULL;
  x->rewriting = p->events ? rewrite_clone(e->arena, p->events->rewriting, &x->s) : NULL;
  return p->events && !x->rewriting ? NULL : p;
}

// The place in y of every component.
static uint32_t *find_places(Arena *arena, const Components *y) {
  uint32_t *place = arena_array(arena, (size_t)y->count + 1, sizeof *place), count = 0;
  for (uint32_t i = 0; place && i < y->count; i++) {
    place[i] = count;
    count += y->items[i].variable != 0;
  }
  return place;
}

static bool find_events(Export *e, const SimProgram *p, const uint32_t *place) {
  ExportEvents *events = p->events ? arena_new_of(e->arena, ExportEvents) : NULL;
  e->events = events;
  return !p->events || (events && export_events(e->arena, p->events, place, events));
}

static bool find_constraints(Export *e, const uint32_t *place) {
  ExportConstraints *c = arena_new_of(e->arena, ExportConstraints);
  e->constraints = c;
  return c && export_constraints(e->arena, e->system, e->param_names, place, e->dim, c, &e->failure);
}

bool export_model(Arena *arena, const System *system, Export *e) {
  ExportWork *x = arena_new_of(arena, ExportWork);
  *e = (Export){.arena = arena, .system = system, .coords = system->coord_count, .energy = system->energy.kept};
  SimProgram *p = x ? open_program(e, system, x) : NULL;
  const uint32_t *place = p ? find_places(arena, &p->y) : NULL;
  if (!place) return false;
  count_state(e, &p->y);
  find_values(e, p);
  if (!find_names(e, p) || !find_events(e, p, place)) return false;
  if (system->constraints.count && !find_constraints(e, place)) return false;
  e->f = p->f;
  e->start = p->starts;
  return find_outputs(e, x) && (e->events || find_jacobian(e, &x->s, &p->y)) && !arena_failed(arena);
}

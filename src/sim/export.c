// Export of a model as tapes for other programs: right-hand side, outputs, starts, Jacobian.
//
// All stands on one Program (program.h): layout, values, right-hand side, starts, the plan of events and its tapes;
// with constraints it is that of a run, which finds the start. The y of exported C has no unused entries: computed
// components are left out, and their entries in the tapes stay unused. An export adds, on a copy of the Program's
// system, what no run has: outputs without those that a run integrates as quadratures, with the powers, and the
// Jacobian without the account. With events the simulation is a stepwise run (export_events.h) without a Jacobian.
#include "sim/export.h"

#include "sim/program_start.h"

// What an export is made with.
typedef struct ExportWork {
  const SimProgram *p;
  System s; // a copy of the Program's, for further expressions
  ExprPool pool;
  Rewriting *rewriting; // NULL: the system is not rewritten
} ExportWork;

// Default values of the parameters, and the times of `simulate`.
static void find_values(Export *e, const SimProgram *p) {
  const System *m = &p->s;
  SimulateTimes times = p->values.times;
  OdeMethod method;
  e->params = p->values.params;
  e->to = run_default_end(0, times.to > 0 ? times.to : NAN);
  e->fixed = m->simulate.method && ode_method_find(m->simulate.method, &method) && ode_is_fixed(method);
  // a fixed step is one; else the spacing of rows is
  double first = e->fixed ? times.step : times.every, second = e->fixed ? times.every : times.step;
  e->step = first > 0 ? first : second > 0 ? second : run_default_step(e->to);
}

// What is integrated at an index of y; NULL: it is computed.
static const char *name_at(const SimProgram *p, uint32_t place) {
  SymbolId variable = p->y.items[place].variable;
  return variable ? pool_symbol_get(p->s.pool, variable)->name : NULL;
}

static bool find_names(Export *e, const SimProgram *p) {
  const System *m = &p->s;
  uint32_t params = m->params.count, total = params + 1 + e->width, extra = m->memories.count + m->delays.count;
  e->states = arena_array(e->arena, (size_t)e->dim + 1, sizeof *e->states);
  e->param_names = arena_array(e->arena, (size_t)total + extra, sizeof *e->param_names);
  EmitNames taken = {.arena = e->arena};
  if (!e->states || !e->param_names) return false;
  for (uint32_t k = 0; k < e->dim; k++) e->states[k] = name_at(p, e->places[k]);
  for (uint32_t i = 0; i < total + extra; i++) {
    const char *name = i < params                      ? m->params.items[i].name
                       : i == params                   ? "t"
                       : i < total                     ? name_at(p, i - params - 1)
                       : i - total < m->memories.count ? m->memories.items[i - total].name
                                                       : m->delays.items[i - total - m->memories.count].name;
    e->param_names[i] = name ? emit_name(&taken, name) : "none";
    if (!e->param_names[i]) return false;
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

// The rows and columns of the Jacobian in y. of: index in y of every component.
static bool find_jacobian(Export *e, System *s, const uint32_t *of) {
  const TapeJacobian *j = tape_jacobian(e->arena, s, NULL, 0, NULL);
  if (!j) return false;
  e->row = arena_array(e->arena, (size_t)j->count + 1, sizeof *e->row);
  e->column = arena_array(e->arena, (size_t)j->count + 1, sizeof *e->column);
  if (!e->row || !e->column) return false;
  for (uint32_t c = 0; c < j->columns; c++) {
    for (uint32_t i = j->start[c]; i < j->start[c + 1]; i++) {
      e->row[i] = of[j->row[i]];
      e->column[i] = c < e->width ? of[c] : e->dim;
    }
  }
  e->jacobian = j->tape;
  return true;
}

const char *export_refuses(Arena *arena, const System *s) {
  if (system_is_static(s, NULL))
    return "no node or bar has a mass: this is statics; `viva equilibrium` finds where it rests";
  if (s->implicit.count || s->held.count) return export_no_implicit;
  if (s->simulate.from && !expr_is_zero(s->pool, s->simulate.from))
    return "its motion begins at another time than 0 (`simulate from`), and exported C counts its steps from 0";
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

// What y is made of: the entries of the tapes that have a variable. of: index in y of every component.
static uint32_t *find_places(Export *e, const Components *y) {
  uint32_t *of = arena_array(e->arena, (size_t)y->count + 1, sizeof *of);
  e->places = arena_array(e->arena, (size_t)y->count + 1, sizeof *e->places);
  if (!of || !e->places) return NULL;
  e->width = y->count;
  e->plain = true;
  for (uint32_t i = 0; i < y->count; i++) {
    const SimComponent *c = &y->items[i];
    of[i] = e->dim;
    if (c->variable) e->places[e->dim++] = i;
    e->positions += c->kind == component_position && c->variable;
    e->plain = e->plain && c->variable == c->shown;
  }
  return of;
}

// The first mistake of those that were reported; NULL: none.
static const char *first_error(const Diags *diags) {
  for (uint32_t i = 0; i < diags->list.count; i++) {
    if (!diags->list.items[i].warning) return diags->list.items[i].message;
  }
  return NULL;
}

// The Program. With constraints a start has to be found that obeys them: it is one that runs, in fixed steps that
// locate nothing. NULL: out of memory, or e->failure.
static SimProgram *open_program(Export *e, const System *system) {
  Diags diags = {.arena = e->arena, .sources = system->diags->sources};
  ProgramReport built;
  RunSettings settings = run_defaults();
  settings.method = "rk4";
  settings.no_events = true;
  ProgramRequest request = {.written = !system->constraints.count,
                            .settings = system->constraints.count ? &settings : NULL};
  SimProgram *p = program_new_started(e->arena, system, &request, &diags, &built);
  if (!p) e->failure = built.failure.message ? built.failure.message : first_error(&diags);
  return p;
}

// A copy of the Program's system, to work on.
static bool open_work(Export *e, const SimProgram *p, ExportWork *x) {
  x->p = p;
  if (!system_clone(&x->s, &p->s, &x->pool, e->arena)) return false;
  x->rewriting = p->events ? rewrite_clone(e->arena, p->events->rewriting, &x->s) : NULL;
  return !p->events || x->rewriting;
}

static bool find_events(Export *e, const SimProgram *p, const uint32_t *of) {
  bool any = p->events && rewrite_remembers(&p->s); // else it is rewritten for its corners, and steps see nothing of it
  ExportEvents *events = any ? arena_new_of(e->arena, ExportEvents) : NULL;
  e->events = events;
  return !any || (events && export_events(e->arena, p->events, of, events));
}

static bool find_constraints(Export *e, const SimProgram *p, const uint32_t *of) {
  ExportConstraints *c = p->constraints ? arena_new_of(e->arena, ExportConstraints) : NULL;
  e->constraints = c;
  return !p->constraints || (c && export_constraints(e->arena, p, of, c, &e->failure));
}

static bool find_all(Export *e, const SimProgram *p, ExportWork *x) {
  const uint32_t *of = find_places(e, &p->y);
  if (p->s.held.count)
    e->failure = export_no_implicit; // of an algebraic loop that a delay of length zero, or a friction, closed
  if (!of || e->failure || !open_work(e, p, x)) return false;
  find_values(e, p);
  if (!find_names(e, p) || !find_events(e, p, of) || !find_constraints(e, p, of)) return false;
  e->f = p->f;
  e->start = p->starts;
  return find_outputs(e, x) && (e->events || find_jacobian(e, &x->s, of)) && !arena_failed(e->arena);
}

bool export_model(Arena *arena, const System *system, Export *e) {
  ExportWork *x = arena_new_of(arena, ExportWork);
  *e = (Export){.arena = arena, .system = system, .coords = system->coord_count, .energy = system->energy.kept};
  SimProgram *p = x ? open_program(e, system) : NULL;
  bool ok = p && find_all(e, p, x);
  program_free(p);
  return ok;
}

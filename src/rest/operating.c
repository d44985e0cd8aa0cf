// The operating point: inputs set free, outputs, the point exactly and in numbers, rates and their Jacobian.
//
// in    a system with its inputs as expressions; what the user gave
// out   a copy of it in which each input (and each rate of one) is  u = what it is at the point + w, with w a state
//       that stands still; the same for memories and modes (events_at.c). So one Jacobian has A, B, C and D, and what
//       is held can be taken out of it.
//
// Rates of inputs are 0 at the point unless they follow from the state or were given: inputs are held. Velocities that
// were not given are 0, or those of the start. Where a speed is a combination of velocities, its value follows from
// theirs. Implicit equations are solved at each y from the last solution, else from some usual numbers.
#include "rest/operating.h"

#include "expr/calculus.h"
#include "tape/forward.h"
#include "tape/frame.h"
#include "tape/interval.h"
#include "tape/numbers.h"

#include <math.h>
#include <string.h>

enum { most_delays = 1000 };           // that stand for themselves: each is a column and a row of a dense matrix
static const double redundant = 1e-12; // of a row: what rounding leaves of an element that others hold

static ExprId given(const PointRequest *request, SymbolId symbol) {
  for (uint32_t i = 0; i < request->count; i++) {
    if (request->values[i].symbol == symbol) return request->values[i].value;
  }
  return 0;
}

static Span given_span(const PointRequest *request, SymbolId symbol) {
  for (uint32_t i = 0; i < request->count; i++) {
    if (request->values[i].symbol == symbol) return request->values[i].span;
  }
  return (Span){0};
}

// ---- free inputs

// An input at the point: as given, else its expression. Its rate is 0 unless it follows from the state, because
// inputs are held.
static ExprId input_at(Operating *o, const PointRequest *request, SymbolId symbol, ExprId value, SymbolId of) {
  ExprPool *pool = o->s.pool;
  ExprId said = given(request, symbol);
  if (said) return said;
  if (!of) return value;
  KindSet quiet = kind_set(sym_param) | kind_set(sym_time);
  return given(request, of) || expr_only_kinds(pool, value, quiet) ? pool->zero : value;
}

// Further states that stand still.
static bool stand_still(Operating *o, const SymbolId *symbols, const Span *spans, uint32_t count) {
  System *m = &o->s;
  uint32_t before = o->s.state_count;
  SystemState *states = arena_array(o->arena, (size_t)before + count, sizeof *states);
  ExprId *f = arena_array(o->arena, (size_t)before + count, sizeof *f);
  if (!states || !f) return false;
  if (before) memcpy(states, m->states.items, before * sizeof *states);
  if (before) memcpy(f, o->s.f, before * sizeof *f);
  for (uint32_t i = 0; i < count; i++) {
    const char *name = pool_symbol_get(o->s.pool, symbols[i])->name;
    SymbolId still = pool_symbol(o->s.pool, name, sym_signal, 0, 0);
    if (!still) return false;
    states[before + i] = (SystemState){
        .x = symbols[i], .rate = still, .name = name, .x0 = o->s.pool->zero, .span = spans ? spans[i] : (Span){0}};
    f[before + i] = o->s.pool->zero;
  }
  m->states.items = states;
  m->states.count = m->states.cap = before + count;
  o->s.state_count = before + count;
  o->s.f = f;
  return system_layout(&o->s);
}

// Delays, samples and cut inputs stand for themselves; at rest only the outputs are there.
static bool is_free(const Operating *o) { return o->freed && !o->rest; }

// Is the loop cut at this input?
static bool is_cut(const Operating *o, SymbolId symbol) {
  for (uint32_t i = 0; is_free(o) && i < o->freed->cut_count; i++) {
    if (o->freed->cut[i] == symbol) return true;
  }
  return false;
}

// Delays, behind the inputs.
static void free_delays(Operating *o, SymbolId *w, Span *spans, uint32_t first) {
  const System *m = &o->s;
  for (uint32_t i = 0; is_free(o) && i < m->delays.count; i++) {
    o->inputs[first + i] = w[first + i] = m->delays.items[i].symbol;
    spans[first + i] = m->delays.items[i].span;
  }
}

// States that `every` sets, and nothing else moves; behind the free inputs.
static void find_sampled(Operating *o, uint32_t first) {
  const System *m = &o->s;
  o->sampled = 0;
  for (uint32_t i = 0; is_free(o) && i < o->model_states; i++) {
    const SystemState *x = &m->states.items[i];
    bool set = false;
    for (uint32_t k = 0; k < m->whens.count; k++) {
      const SystemWhen *w = &m->whens.items[k];
      for (uint32_t a = 0; w->period && a < w->assigns.count; a++)
        set = set || (w->assigns.items[a].kind == assign_state && w->assigns.items[a].index == i);
    }
    if (set && !x->rhs && !x->implicit) o->inputs[first + o->sampled++] = x->x;
  }
}

static bool free_inputs(Operating *o, const PointRequest *request) {
  System *m = &o->s;
  ExprPool *pool = o->s.pool;
  uint32_t inputs = m->inputs.count, count = inputs + m->input_rates.count, defined = o->s.definitions.count;
  uint32_t delays = is_free(o) ? m->delays.count : 0, total = count + delays;
  Definition *definitions = arena_array(o->arena, defined, sizeof *definitions);
  SymbolId *w = arena_array(o->arena, total, sizeof *w);
  Span *spans = arena_array(o->arena, total, sizeof *spans);
  o->inputs = arena_array(o->arena, (size_t)total + o->model_states, sizeof *o->inputs);
  if (!definitions || !w || !spans || !o->inputs) return false;
  if (defined) memcpy(definitions, o->s.definitions.items, defined * sizeof *definitions);
  for (uint32_t i = 0; i < count; i++) {
    const SystemInputRate *rate = i < inputs ? NULL : &m->input_rates.items[i - inputs];
    const SystemInput *in = &m->inputs.items[rate ? rate->input : i];
    SymbolId symbol = rate ? rate->symbol : in->symbol;
    w[i] = pool_symbol(pool, pool_symbol_get(pool, symbol)->name, sym_signal, 0, 0);
    if (!w[i]) return false;
    for (uint32_t k = 0; k < defined; k++) {
      Definition *d = &definitions[k];
      if (d->symbol != symbol) continue;
      ExprId value = is_cut(o, symbol) ? pool->zero : input_at(o, request, symbol, d->value, rate ? in->symbol : 0);
      d->value = expr_add(pool, value, expr_sym(pool, w[i]));
    }
    spans[i] = in->span;
    o->inputs[i] = symbol;
  }
  free_delays(o, w, spans, count);
  o->free = total;
  o->s.definitions.items = definitions;
  o->s.definitions.cap = defined;
  find_sampled(o, total);
  return stand_still(o, w, spans, total);
}

static bool free_events(Operating *o, Diags *diags) {
  if (!events_open(o, diags)) return false;
  uint32_t count = events_places(o);
  SymbolId *z = arena_array(o->arena, count, sizeof *z);
  if (!z) return false;
  for (uint32_t i = 0; i < count; i++) z[i] = events_symbol(o, i);
  return stand_still(o, z, NULL, count) && samples_plan(o);
}

// ---- outputs

static void add_output(Operating *o, const char *name, ExprId value) {
  o->outputs[o->output_count] = value;
  o->output_names[o->output_count++] = name;
}

// Outputs; without any: coordinates and states. Energies of a run stand for their expressions; what only a run can sum
// up stays as it is.
// What stands behind the outputs where something is free; see PointRequest.
static void add_freed(Operating *o) {
  const System *m = &o->s;
  for (uint32_t i = 0; i < m->delays.count; i++) add_output(o, m->delays.items[i].name, m->delays.items[i].input);
  for (uint32_t i = 0; i < m->whens.count; i++) {
    const SystemWhen *w = &m->whens.items[i];
    for (uint32_t k = 0; w->period && k < w->assigns.count; k++) {
      const SystemAssign *a = &w->assigns.items[k];
      const char *name = a->kind == assign_state ? m->states.items[a->index].name : m->coords.items[a->index].name;
      add_output(o, arena_printf(o->arena, "next %s%s", name, a->kind == assign_velocity ? "'" : ""), a->value);
    }
  }
  for (uint32_t i = 0; i < o->freed->cut_count; i++) {
    uint32_t k = 0;
    while (m->inputs.items[k].symbol != o->freed->cut[i]) k++;
    add_output(o, m->inputs.items[k].name, m->inputs.items[k].value);
  }
  for (uint32_t i = 0; i < o->freed->watch_count; i++) add_output(o, o->freed->names[i], o->freed->watch[i]);
}

static uint32_t freed_count(const Operating *o) {
  const System *m = &o->s;
  uint32_t count = m->delays.count + o->freed->cut_count + o->freed->watch_count;
  for (uint32_t i = 0; i < m->whens.count; i++) count += m->whens.items[i].period ? m->whens.items[i].assigns.count : 0;
  return count;
}

static bool find_outputs(Operating *o) {
  const System *m = &o->s;
  ExprPool *pool = o->s.pool;
  uint32_t count = m->outputs.count, all = count ? count : o->n + o->model_states;
  o->shown = all;
  if (o->freed) all += freed_count(o);
  o->outputs = arena_array(o->arena, all, sizeof *o->outputs);
  o->output_names = arena_array(o->arena, all, sizeof *o->output_names);
  if (!o->outputs || !o->output_names) return false;
  for (uint32_t i = 0; i < count; i++) add_output(o, m->outputs.items[i].name, m->outputs.items[i].value);
  for (uint32_t i = 0; !count && i < o->n; i++)
    add_output(o, m->coords.items[i].name, expr_sym(pool, m->coords.items[i].q));
  for (uint32_t i = 0; !count && i < o->model_states; i++)
    add_output(o, m->states.items[i].name, expr_sym(pool, m->states.items[i].x));
  if (o->freed) add_freed(o);
  SymbolMap map = symbol_map_new(pool);
  if (!map.of) return false;
  const SystemEnergy *e = &o->s.energy;
  const struct {
    const char *name;
    ExprId value;
  } energies[] = {{"energy.kinetic", e->kinetic},
                  {"energy.potential", e->potential},
                  {"energy.stored", e->stored},
                  {"energy.dissipated", pool->zero},
                  {"energy.supplied", pool->zero}};
  for (SymbolId i = 1; i < pool->symbols.count; i++) {
    for (size_t k = 0; k < sizeof energies / sizeof *energies; k++) {
      if (strcmp(pool_symbol_get(pool, i)->name, energies[k].name) == 0) symbol_map_set(&map, i, energies[k].value);
    }
  }
  return expr_replace(pool, &map, o->outputs, all, o->outputs);
}

// ---- the point

static void refuse_computed(Operating *o, const PointRequest *request, Diags *diags) {
  for (uint32_t i = 0; i < o->n; i++) {
    const SystemCoord *c = &o->s.coords.items[i];
    bool counts = o->s.speeds[i].symbol != 0;
    // a part of a combination that is integrated
    for (uint32_t k = 0; k < o->n && !counts; k++)
      counts = o->s.speeds[k].symbol && o->s.speeds[k].meaning && expr_depends(o->s.pool, o->s.speeds[k].meaning, c->v);
    if (counts || !given(request, c->v)) continue;
    diag_error(diags, diag_not_free, given_span(request, c->v),
               "`%s'` cannot be chosen: `%s` has no inertia, so its velocity follows from the others", c->name,
               c->name);
  }
  for (uint32_t i = 0; i < o->n && !o->rest; i++) { // at rest it is a guess
    const SystemCoord *c = &o->s.coords.items[i];
    if (o->s.role[i] != coord_algebraic || !given(request, c->q)) continue;
    diag_error(diags, diag_not_free, given_span(request, c->q),
               "`%s` cannot be chosen: it has neither inertia nor damping, so its place follows from the others",
               c->name);
  }
}

static ExprId velocity_at(const Operating *o, const PointRequest *request, const SystemCoord *c) {
  ExprId said = given(request, c->v);
  return said ? said : request->moving ? c->v0 : o->s.pool->zero;
}

// Positions and velocities of the point, for combinations of velocities, which may depend on positions.
static bool motion_map(Operating *o, const PointRequest *request, SymbolMap *map) {
  *map = symbol_map_new(o->s.pool);
  for (uint32_t k = 0; map->of && k < o->n; k++) {
    const SystemCoord *c = &o->s.coords.items[k];
    ExprId q = given(request, c->q);
    symbol_map_set(map, c->v, velocity_at(o, request, c));
    symbol_map_set(map, c->q, q ? q : c->q0);
  }
  return map->of != NULL;
}

// What is integrated instead of a velocity, with the velocities of the point. map: made when it is needed.
static ExprId speed_at(Operating *o, const PointRequest *request, uint32_t i, SymbolMap *map) {
  const Speed *speed = &o->s.speeds[i];
  const SystemCoord *c = &o->s.coords.items[i];
  ExprId out = 0;
  if (!speed->symbol) return o->s.pool->zero;
  if (speed->symbol == c->v) return velocity_at(o, request, c);
  if (!map->of && !motion_map(o, request, map)) return 0;
  return expr_replace(o->s.pool, map, &speed->meaning, 1, &out) ? out : 0;
}

// Parameters that a block cannot take.
static bool refuse_demands(Operating *o, Diags *diags) {
  const System *m = &o->s;
  uint32_t count = m->demands.count;
  ExprId *wrong = arena_array(o->arena, (size_t)count + 1, sizeof *wrong);
  double *value = arena_array(o->arena, (size_t)count + 1, sizeof *value);
  if (!wrong || !value) return false;
  for (uint32_t i = 0; i < count; i++) wrong[i] = m->demands.items[i].wrong;
  if (count && !tape_numbers(o->arena, &o->s, wrong, count, value)) return false;
  for (uint32_t i = 0; i < count; i++) {
    const SystemCheck *d = &m->demands.items[i];
    if (value[i] != 0 && !isnan(value[i])) diag_error(diags, d->code, d->span, "%s", d->message);
  }
  return true;
}

bool operating_kept(const Operating *o, uint32_t at) {
  const Component *y = operating_component(o, at);
  if (y->from != of_state || y->of >= o->model_states) return false;
  const SystemState *x = &o->s.states.items[y->of];
  return x->assigned && !x->rhs && !x->implicit && !samples_solved(o, y->of);
}

// ---- components

const Component *operating_component(const Operating *o, uint32_t at) { return &o->s.y.items[at]; }

bool operating_is_position(const Operating *o, uint32_t at) {
  return operating_component(o, at)->kind == component_position;
}

bool operating_is_velocity(const Operating *o, uint32_t at) {
  return operating_component(o, at)->kind == component_velocity;
}

uint32_t operating_position(const Operating *o, uint32_t velocity) {
  const Component *v = operating_component(o, velocity);
  if (v->kind != component_velocity || v->from != of_coord) return no_place;
  uint32_t at = system_place(&o->s, o->s.coords.items[v->of].q);
  if (at == no_place || expr_op(o->s.pool, operating_component(o, at)->rate) != op_sym) return no_place;
  return at;
}

static OperatingRole role_of(const Operating *o, const Component *y) {
  if (!y->symbol) return role_empty;
  if (y->from != of_state || y->of < o->model_states) return role_motion;
  uint32_t i = y->of - o->model_states;
  if (i < o->free) return role_input;
  return i - o->free < o->events.memories ? role_memory : role_mode;
}

// The order in which states are shown: by kind, each as the model has them. y may have another one.
static bool comes_before(const Component *a, const Component *b) {
  return a->kind != b->kind ? a->kind < b->kind : a->of < b->of;
}

// Roles, names and where things stand in y; the states of the linear model. False: out of memory.
static bool find_components(Operating *o) {
  Arena *arena = o->arena;
  o->dim = system_dim(&o->s);
  o->role = arena_array(arena, o->dim, sizeof *o->role);
  o->symbols = arena_array(arena, o->dim, sizeof *o->symbols);
  o->names = arena_array(arena, o->dim, sizeof *o->names);
  o->component = arena_array(arena, o->dim, sizeof *o->component);
  o->input_at = arena_array(arena, (size_t)o->free + o->sampled, sizeof *o->input_at);
  o->branch_at = arena_array(arena, events_places(o), sizeof *o->branch_at);
  if (arena_failed(arena)) return false;
  for (uint32_t at = 0; at < o->dim; at++) {
    const Component *y = operating_component(o, at);
    o->role[at] = role_of(o, y);
    o->symbols[at] = y->symbol;
    o->names[at] = y->symbol ? pool_symbol_get(o->s.pool, y->symbol)->name : "";
    if (o->role[at] == role_input) o->input_at[y->of - o->model_states] = at;
    if (o->role[at] > role_input) o->branch_at[y->of - o->model_states - o->free] = at;
    if (o->role[at] != role_motion || operating_kept(o, at)) continue;
    uint32_t i = o->states++;
    for (; i && comes_before(y, operating_component(o, o->component[i - 1])); i--)
      o->component[i] = o->component[i - 1];
    o->component[i] = at;
  }
  for (uint32_t i = 0; i < o->sampled; i++) o->input_at[o->free + i] = system_place(&o->s, o->inputs[o->free + i]);
  return true;
}

static PointSaid who_says_state(const Operating *o, const PointRequest *request, const SystemState *x) {
  bool any = false;
  if (given(request, x->x)) return said_by_caller;
  for (uint32_t i = 0; i < o->model_states; i++) any = any || given(request, o->s.states.items[i].x);
  return x->said && !any ? said_by_model : said_by_nobody;
}

// What the model says of positions counts where the caller says nothing of them.
static PointSaid who_says(const Operating *o, const PointRequest *request, const Component *y) {
  if (y->from == of_state) return who_says_state(o, request, &o->s.states.items[y->of]);
  if (y->from != of_coord) return said_by_caller;
  const SystemCoord *c = &o->s.coords.items[y->of];
  bool velocity = y->kind == component_velocity, any = false;
  if (given(request, velocity ? c->v : c->q)) return said_by_caller;
  for (uint32_t i = 0; i < o->n; i++) any = any || given(request, o->s.coords.items[i].q);
  bool said = velocity ? request->moving && c->said_v : c->said_q && !any;
  return said ? said_by_model : said_by_nobody;
}

// Where each component is at the point, exactly. False: out of memory.
static bool find_point(Operating *o, const PointRequest *request) {
  o->point = arena_array(o->arena, o->dim, sizeof *o->point);
  o->y = arena_array(o->arena, o->dim, sizeof *o->y);
  o->first = arena_array(o->arena, o->dim, sizeof *o->first);
  o->said = arena_array(o->arena, o->dim, sizeof *o->said);
  SymbolMap map = {0};
  if (arena_failed(o->arena)) return false;
  for (uint32_t at = 0; at < o->dim; at++) {
    const Component *y = operating_component(o, at);
    // a velocity that was given is a part of what is integrated instead of it
    bool velocity = y->kind == component_velocity, part = velocity && y->from == of_coord;
    ExprId said = y->symbol && !part ? given(request, y->symbol) : 0;
    ExprId start = velocity && !request->moving ? o->s.pool->zero : y->start;
    o->point[at] = said ? said : part ? speed_at(o, request, y->of, &map) : start;
    o->said[at] = who_says(o, request, y);
    if (!o->point[at]) return false;
  }
  ExprId time = given(request, o->s.time);
  o->time = time ? time : o->s.simulate.from ? o->s.simulate.from : o->s.pool->zero;
  return true;
}

// Positions that are computed start at rest from what was said of them.
static bool guess_computed(Operating *o, const PointRequest *request) {
  SystemCoord *coords = arena_array(o->arena, (size_t)o->s.coords.count + 1, sizeof *coords);
  if (!coords) return false;
  if (o->s.coords.count) memcpy(coords, o->s.coords.items, o->s.coords.count * sizeof *coords);
  for (uint32_t i = 0; i < o->n; i++) {
    ExprId said = o->s.role[i] == coord_algebraic ? given(request, coords[i].q) : 0;
    if (said) coords[i].q0 = said;
  }
  o->s.coords.items = coords;
  return true;
}

// What is not finite, at its span in the text.
static void refuse_infinite(const Operating *o, const PointRequest *request, Diags *diags) {
  const System *m = &o->s;
  for (uint32_t i = 0; i < m->params.count; i++) {
    const SystemParam *p = &m->params.items[i];
    if (p->value && o->numbers && !isfinite(o->params[i]))
      diag_error(diags, diag_bad_setting, p->span, "the parameter `%s` has no finite value", p->name);
  }
  for (uint32_t at = 0; at < o->dim && o->numbers && !diags->errors; at++) {
    if (!o->symbols[at] || isfinite(o->y[at])) continue;
    Span span = given_span(request, o->symbols[at]);
    if (!span.source) span = operating_component(o, at)->span;
    diag_error(diags, diag_bad_setting, span, "`%s` is not a finite number at the point", o->names[at]);
  }
  if (o->numbers && !isfinite(o->t))
    diag_error(diags, diag_bad_setting, given_span(request, m->time), "`t` is not a finite number");
}

static bool find_params(Operating *o);

bool operating_open(Operating *o, const System *s, const PointRequest *request, Diags *diags) {
  Arena *arena = s->arena;
  *o = (Operating){.arena = arena,
                   .s = *s,
                   .n = s->coord_count,
                   .model_states = s->state_count,
                   .pool = *s->pool,
                   .sources = *s->sources,
                   .rest = request->rest,
                   .plain = request->plain,
                   .freed = request->freed};
  o->s.pool = &o->pool;
  o->s.sources = &o->sources;
  if (is_free(o) && s->delays.count > most_delays) {
    diag_error(diags, diag_no_linear_model, s->delays.items[0].span,
               "there is no linear model of as many delays: here are %u, and at most %d are taken", s->delays.count,
               most_delays);
    return !arena_failed(arena);
  }
  if (!find_params(o) || !free_inputs(o, request) || !find_outputs(o) || !free_events(o, diags)) return false;
  if (!find_components(o) || !find_point(o, request)) return false;
  // coordinates without inertia or damping are computed, and rest where their forces do
  bool gains = (o->freed && (o->freed->states || o->sampled)) ||
               (!o->rest && o->model_states == 0 && s->inputs.count && o->output_count);
  if (o->states == 0 && !(o->rest && o->n) && !gains) {
    const char *what =
        o->model_states ? "nothing in the model moves between events" : "the model has no coordinates or states";
    diag_error(diags, diag_no_motion, (Span){1, 0, 0}, "%s, so there is nothing %s", what,
               o->rest ? "that could rest" : "to linearize");
    return !arena_failed(arena);
  }
  refuse_computed(o, request, diags);
  if (o->rest && !guess_computed(o, request)) return false;
  if (!operating_numbers(o) || !refuse_demands(o, diags)) return false;
  memcpy(o->first, o->y, o->dim * sizeof *o->y);
  refuse_infinite(o, request, diags);
  return !arena_failed(arena);
}

static bool find_params(Operating *o) {
  const System *m = &o->s;
  uint32_t p = m->params.count;
  ExprId *wanted = arena_array(o->arena, (size_t)p + 1, sizeof *wanted);
  o->params = arena_array(o->arena, (size_t)p + 1, sizeof *o->params);
  if (!wanted || !o->params) return false;
  o->numbers = true;
  for (uint32_t i = 0; i < p; i++) {
    wanted[i] = expr_sym(o->s.pool, m->params.items[i].symbol);
    if (m->params.items[i].value) continue;
    if (o->numbers) o->missing = m->params.items[i].name;
    o->numbers = false;
  }
  return tape_numbers(o->arena, m, wanted, p, o->params);
}

bool operating_numbers(Operating *o) {
  uint32_t k = 0, h = o->s.held.count, total = o->dim + 1 + h;
  ExprId *wanted = arena_array(o->arena, total, sizeof *wanted);
  double *out = arena_array(o->arena, total, sizeof *out);
  if (!wanted || !out) return false;
  for (uint32_t i = 0; i < o->dim; i++) wanted[k++] = o->point[i];
  wanted[k++] = o->time;
  for (uint32_t i = 0; i < h; i++) wanted[k++] = o->s.held.items[i].start;
  if (!tape_numbers(o->arena, &o->s, wanted, k, out)) return false;
  for (uint32_t i = 0; i < o->dim; i++) o->y[i] = out[i];
  o->t = out[o->dim];
  o->held = out + o->dim + 1;
  return true;
}

// ---- in numbers

bool operating_tape(Operating *o, const ExprId *results, uint32_t count, bool origins, OperatingTape *out) {
  out->tape = frame_tape(o->arena, &(TapeFrame){.system = &o->s, .origins = origins}, results, count);
  out->w = frame_workspace(o->arena, out->tape, o->params);
  return out->w != NULL;
}

static void put_variables(const Operating *o, const Tape *t, double *w, const double *y) {
  double *var = tape_vars(t, w);
  var[0] = o->t;
  memcpy(var + 1, y, o->dim * sizeof *y);
  for (uint32_t i = 0; i < events_places(o); i++) var[1 + o->branch_at[i]] = o->events.z[i];
  if (o->s.held.count) memcpy(var + 1 + o->dim, o->held, o->s.held.count * sizeof *var);
}

void operating_eval(Operating *o, const OperatingTape *t, const double *y) {
  put_variables(o, t->tape, t->w, y);
  tape_eval(t->tape, t->w);
}

// Implicit equations solved at y, from the last solution or from some usual numbers; what is found is held.
static bool settle(Operating *o, const double *y) {
  static const double tries[] = {NAN, 0, 1, -1, 0.1, -0.1, 10, -10};
  uint32_t h = o->s.held.count;
  if (h == 0) return true;
  ExprId *results = arena_array(o->arena, h, sizeof *results);
  double *before = arena_array(o->arena, h, sizeof *before);
  if (!results || !before) return false;
  for (uint32_t i = 0; i < h; i++) results[i] = expr_sym(o->s.pool, o->s.held.items[i].of);
  if (!o->implicit.tape && !operating_tape(o, results, h, false, &o->implicit)) return false;
  memcpy(before, o->held, h * sizeof *before);
  for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
    for (uint32_t k = 0; k < h && i; k++) o->held[k] = tries[i];
    operating_eval(o, &o->implicit, y);
    bool finite = true;
    for (uint32_t k = 0; k < h; k++) finite = finite && isfinite(tape_result(o->implicit.tape, o->implicit.w, k));
    for (uint32_t k = 0; k < h && finite; k++) o->held[k] = tape_result(o->implicit.tape, o->implicit.w, k);
    if (finite) return true;
  }
  memcpy(o->held, before, h * sizeof *before);
  return true;
}

// A tape of the rates, and of what stands behind them.
static bool build_rates(Operating *o, const ExprId *more, uint32_t count, bool origins, OperatingTape *out) {
  ExprId *results = arena_array(o->arena, (size_t)o->dim + count, sizeof *results);
  if (!results) return false;
  for (uint32_t at = 0; at < o->dim; at++)
    results[at] = o->role[at] == role_motion ? operating_component(o, at)->rate : o->s.pool->zero;
  if (count) memcpy(results + o->dim, more, count * sizeof *more);
  return operating_tape(o, results, o->dim + count, origins, out);
}

bool operating_rates(Operating *o, const double *y, double *rates, double *outputs) {
  if ((!o->f.w && !build_rates(o, o->outputs, o->output_count, false, &o->f)) || !settle(o, y)) return false;
  events_follow(o, y);
  operating_eval(o, &o->f, y);
  for (uint32_t i = 0; i < o->dim; i++) rates[i] = tape_result(o->f.tape, o->f.w, i);
  events_keep(o, rates);
  for (uint32_t i = 0; outputs && i < o->output_count; i++) outputs[i] = tape_result(o->f.tape, o->f.w, o->dim + i);
  return true;
}

bool operating_flow(Operating *o, double t, const double *y, double *rates) {
  if ((!o->f.w && !build_rates(o, o->outputs, o->output_count, false, &o->f)) || !settle(o, y)) return false;
  double sum = 0, now = o->t;
  o->t = t;
  operating_eval(o, &o->f, y);
  o->t = now;
  for (uint32_t i = 0; rates && i < o->dim; i++) {
    rates[i] = tape_result(o->f.tape, o->f.w, i);
    sum += rates[i] - rates[i]; // stays 0 unless something is not finite
  }
  return sum == 0;
}

bool operating_flow_errors(Operating *o, double t, const double *y, const double *off, double *errors) {
  enum { digits = 8 }; // as in a run
  if (!operating_flow(o, t, y, NULL)) return false;
  if (!o->rounding) o->rounding = arena_array(o->arena, tape_rounding_room(o->f.tape), sizeof *o->rounding);
  if (!o->rounding) return false;
  tape_rounding_through(o->f.tape, o->f.w, digits, off, off ? 1 + o->dim : 0, o->rounding);
  for (uint32_t i = 0; i < o->dim; i++) errors[i] = tape_rounding_of(o->f.tape, o->rounding, i);
  return true;
}

uint32_t operating_element_row(const Operating *o, uint32_t element) { return o->dim + o->output_count + 2 * element; }

uint32_t operating_invariant_row(const Operating *o, uint32_t invariant) {
  return operating_element_row(o, o->events.elements.count) + invariant;
}

uint32_t operating_rows(const Operating *o) { return operating_invariant_row(o, o->s.invariants.count); }

// Outputs, guards of elements with their rates, invariants. NULL: out of memory.
static ExprId *further_rows(Operating *o, uint32_t count) {
  const EventsAt *b = &o->events;
  ExprId *more = arena_array(o->arena, count, sizeof *more);
  uint32_t k = 0;
  if (!more) return NULL;
  for (uint32_t i = 0; i < o->output_count; i++) more[k++] = o->outputs[i];
  for (uint32_t i = 0; i < b->elements.count; i++) {
    more[k++] = b->h->plan->modes[b->elements.items[i].mode].g;
    more[k++] = b->h->plan->modes[b->elements.items[i].mode].rate;
  }
  for (uint32_t i = 0; i < o->s.invariants.count; i++) more[k++] = o->s.invariants.items[i].value;
  return more;
}

// All rows as a tape, if forward mode pays on it; else o->rows stays empty. False: out of memory.
static bool try_forward(Operating *o, const ExprId *more, uint32_t count) {
  bool large = false;
  for (uint32_t i = 0; i < o->s.blocks.count; i++) large = large || o->s.blocks.items[i].count >= tape_large_size;
  bool calls = tape_jacobian_prefers_forward(&o->s);
  if (!large && !calls) return true;
  OperatingTape rows = o->f;
  bool plain = count == o->output_count; // nothing stands behind the outputs: one tape for both
  if (!(plain && rows.w) && !build_rates(o, more, count, false, &rows)) return false;
  if (plain) o->f = rows;
  if (!calls && !tape_forward_pays(rows.tape)) return true;
  o->slopes = arena_array(o->arena, ((size_t)o->dim + count) * o->dim, sizeof *o->slopes);
  o->slopes_at = arena_array(o->arena, rows.tape->var_count, sizeof *o->slopes_at);
  o->moves_rates = arena_array(o->arena, rows.tape->var_count, sizeof *o->moves_rates);
  o->moves_rows = arena_array(o->arena, rows.tape->var_count, sizeof *o->moves_rows);
  o->rows = rows;
  if (arena_failed(o->arena)) return false;
  o->slopes_at[0] = NAN; // nowhere yet
  return tape_reads(o->arena, rows.tape, 0, o->dim, o->moves_rates) &&
         tape_reads(o->arena, rows.tape, 0, o->dim + count, o->moves_rows);
}

static bool build_jacobian(Operating *o) {
  uint32_t count = operating_rows(o) - o->dim;
  const ExprId *more = further_rows(o, count);
  if (!more || !try_forward(o, more, count)) return false;
  if (!o->rows.w) {
    o->j = tape_jacobian(o->arena, &o->s, more, count, NULL);
    o->jw = o->j ? frame_workspace(o->arena, o->j->tape, o->params) : NULL;
    if (!o->jw) return false;
  }
  o->full = arena_array(o->arena, ((size_t)o->dim + count) * o->dim, sizeof *o->full);
  return o->full != NULL;
}

// The rows at y by forward mode; a search asks for the same ones more than once.
static bool go_forward(Operating *o, const double *y) {
  const Tape *t = o->rows.tape;
  const double *now = tape_vars(t, o->rows.w);
  put_variables(o, t, o->rows.w, y);
  if (memcmp(now, o->slopes_at, t->var_count * sizeof *now) == 0) return true;
  memcpy(o->slopes_at, now, t->var_count * sizeof *now);
  return tape_forward(o->arena, t, o->rows.w, 1, o->dim, o->slopes);
}

bool operating_columns(Operating *o, const double *y) {
  uint32_t count = operating_rows(o) - o->dim;
  const ExprId *more = further_rows(o, count);
  if (!more || !settle(o, y)) return false;
  if (!o->j) o->j = tape_jacobian(o->arena, &o->s, more, count, NULL);
  if (o->j && !o->jw) o->jw = frame_workspace(o->arena, o->j->tape, o->params);
  if (!o->jw) return false;
  put_variables(o, o->j->tape, o->jw, y);
  tape_eval(o->j->tape, o->jw);
  return true;
}

double operating_entry(const Operating *o, uint32_t k) { return tape_result(o->j->tape, o->jw, k); }

bool operating_raw_jacobian(Operating *o, const double *y) {
  if ((!o->full && !build_jacobian(o)) || !settle(o, y)) return false;
  double *full = o->full;
  if (o->rows.w) {
    if (!go_forward(o, y)) return false;
    memcpy(full, o->slopes, (size_t)operating_rows(o) * o->dim * sizeof *full);
    return true;
  }
  put_variables(o, o->j->tape, o->jw, y);
  tape_eval(o->j->tape, o->jw);
  memset(full, 0, (size_t)operating_rows(o) * o->dim * sizeof *full);
  for (uint32_t c = 0; c < o->dim; c++) {
    for (uint32_t k = o->j->start[c]; k < o->j->start[c + 1]; k++)
      full[(size_t)o->j->row[k] * o->dim + c] = tape_result(o->j->tape, o->jw, k);
  }
  return true;
}

// Values that hold are put into the other rows, by the rates of the guards that they keep at zero.
static void eliminate(Operating *o) {
  const EventsAt *b = &o->events;
  uint32_t rows = operating_rows(o), dim = o->dim;
  for (uint32_t k = 0; k < b->elements.count; k++) {
    const PointElement *e = &b->elements.items[k];
    if (!events_holds(o, e)) continue;
    uint32_t c = events_column(o, e);
    double *pivot = o->full + ((size_t)operating_element_row(o, k) + 1) * dim, p = pivot[c], size = 0;
    for (uint32_t i = 0; i < dim; i++) size = fmax(size, fabs(pivot[i]));
    if (!(fabs(p) > redundant * size)) continue;
    for (uint32_t i = 0; i < rows; i++) {
      double *row = o->full + (size_t)i * dim, f = row[c] / p;
      if (row == pivot || f == 0) continue;
      for (uint32_t j = 0; j < dim; j++) row[j] -= j == c ? row[j] : f * pivot[j];
    }
    memset(pivot, 0, dim * sizeof *pivot);
  }
}

bool operating_jacobian(Operating *o, const double *y, double *jacobian) {
  if (o->s.held.count && !settle(o, y)) return false;
  events_follow(o, y);
  if (!operating_raw_jacobian(o, y)) return false;
  eliminate(o);
  memcpy(jacobian, o->full, ((size_t)o->dim + o->output_count) * o->dim * sizeof *jacobian);
  return true;
}

const char *operating_fault(Operating *o, const double *y, Span *place) {
  OperatingTape t;
  if (!build_rates(o, o->outputs, o->output_count, true, &t)) return NULL;
  put_variables(o, t.tape, t.w, y);
  TapeFault fault = tape_diagnose(t.tape, t.w);
  if (!fault.found) return NULL;
  *place = fault.origin.span;
  const char *operand = isnan(fault.operand) ? "" : arena_printf(o->arena, " (%.3g)", fault.operand);
  return arena_printf(o->arena, "%s%s%s%s", fault.what, operand ? operand : "", fault.origin.label ? ", in " : "",
                      fault.origin.label ? fault.origin.label : "");
}

bool operating_cyclic(const Operating *o, uint32_t at) {
  if ((!o->j && !o->rows.w) || at == no_place || !o->symbols[at]) return false;
  if (o->rows.w) return !o->moves_rates[1 + at];
  for (uint32_t k = o->j->start[at]; k < o->j->start[at + 1]; k++) {
    if (o->j->row[k] < o->dim) return false; // outputs do not count
  }
  return true;
}

bool operating_counts(const Operating *o, uint32_t at) {
  if (o->rows.w) return o->moves_rows[1 + at];
  return o->j && o->j->start[at + 1] > o->j->start[at];
}

// Equations of static equilibrium, derived from the equations of motion.
//
// in    M a + h = 0, x' = f, constraints; an operating point for the time and the inputs
// out   h with v = 0, f with v = 0 and a = 0, constraints; their Jacobian as sparse rows; the potential
// how   Zeros are substituted for rates of coordinates and of inputs. Inputs that follow the state are replaced by
//       their expressions. What is left must be of parameters, time, inputs, positions and states alone: memory
//       blocks, friction and implicit equations have no such form.
#include "rest/static_form.h"

#include "expr/calculus.h"
#include "form/tree_terms.h"
#include "system/unwritten.h"
#include "tape/numbers.h"

#include <math.h>
#include <string.h>

enum { deepest_input = 8, symmetry_tries = 3 };
static const double symmetric_part = 1e-9; // of the largest entry: rounding of two formulas for one derivative

static KindSet motion_kinds(void) {
  return kind_set(sym_coord) | kind_set(sym_velocity) | kind_set(sym_state) | kind_set(sym_acceleration);
}

// ---- zeros for rates

static bool put_rest(StaticForm *f, ExprId *list, uint32_t count) {
  System *s = &f->o->s;
  ExprPool *pool = s->pool;
  SymbolMap map = symbol_map_new(pool);
  if (!map.of) return false;
  for (uint32_t k = 0; k < s->inputs.count; k++) {
    if (!expr_has_kinds(pool, s->inputs.items[k].value, motion_kinds())) continue;
    for (uint32_t i = 0; i < s->definitions.count; i++) {
      const Definition *d = &s->definitions.items[i];
      if (d->symbol == s->inputs.items[k].symbol) symbol_map_set(&map, d->symbol, d->value);
    }
  }
  for (int depth = 0; map.used && depth < deepest_input; depth++) {
    if (!expr_replace(pool, &map, list, count, list)) return false;
  }
  SymbolMap zero = symbol_map_new(pool);
  for (uint32_t i = 0; i < s->coord_count; i++) {
    symbol_map_set(&zero, s->coords.items[i].v, pool->zero);
    symbol_map_set(&zero, s->coords.items[i].a, pool->zero);
  }
  for (uint32_t i = 0; i < f->o->model_states; i++) symbol_map_set(&zero, s->states.items[i].rate, pool->zero);
  for (uint32_t i = 0; i < s->input_rates.count; i++) symbol_map_set(&zero, s->input_rates.items[i].symbol, pool->zero);
  return zero.of && expr_replace(pool, &zero, list, count, list);
}

// What stands in the way of equations at rest; NULL: nothing.
static const char *obstacle(const StaticForm *f, const ExprId *list, uint32_t count) {
  static const struct {
    SymbolKind kind;
    const char *why;
  } kinds[] = {{sym_memory, "a block remembers"},
               {sym_delay, "a signal is delayed"},
               {sym_friction, "dry friction"},
               {sym_unknown, "implicit equations"},
               {sym_multiplier, "a force that depends on the force of a constraint"},
               {sym_signal, "a jump"},
               {sym_mode, "a jump"},
               {sym_held, "implicit equations"},
               {sym_state_rate, "implicit equations"}};
  for (uint32_t i = 0; i < count; i++) {
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
      if (expr_has_kind(f->o->s.pool, list[i], kinds[k].kind)) return kinds[k].why;
    }
  }
  return NULL;
}

static const char *structure_obstacle(const Operating *o) {
  const System *s = &o->s;
  if (s->implicit.count || s->unknowns.count) return "implicit equations";
  if (s->calls.count && !system_is_unwritten(s)) return "a kernel of its own";
  for (uint32_t at = 0; at < o->dim; at++) {
    if (operating_kept(o, at)) return "a state that events set";
  }
  for (uint32_t i = 0; i < s->constraints.count; i++) {
    if (s->constraints.items[i].velocities) return "a constraint on velocities";
  }
  for (uint32_t i = 0; i < s->invariants.count; i++) {
    if (s->invariants.items[i].kind == invariant_constant || s->invariants.items[i].kind == invariant_level)
      return "implicit equations";
  }
  return events_places(o) ? "a jump, or a block that remembers" : NULL;
}

// ---- rows

// Equations without multipliers, then constraints. NULL: out of memory.
static ExprId *collect(StaticForm *f) {
  System *s = &f->o->s;
  ExprId *list = arena_array(f->o->arena, (size_t)f->n + f->m + 1, sizeof *list);
  if (!list) return NULL;
  for (uint32_t i = 0; i < f->coords; i++) list[i] = s->h[i];
  for (uint32_t i = f->coords; i < f->n; i++) list[i] = s->f[i - f->coords];
  for (uint32_t k = 0; k < f->m; k++) list[f->n + k] = s->constraints.items[k].value;
  return list;
}

static void name_unknowns(StaticForm *f) {
  const System *s = &f->o->s;
  for (uint32_t i = 0; i < f->n; i++) {
    bool coord = i < f->coords;
    f->unknown[i] = coord ? s->coords.items[i].q : s->states.items[i - f->coords].x;
    f->names[i] = coord ? s->coords.items[i].name : s->states.items[i - f->coords].name;
  }
  for (uint32_t k = 0; k < f->m; k++) f->multiplier[k] = s->constraints.items[k].symbol;
}

// - G' lambda into the rows of the coordinates.
static bool add_multipliers(StaticForm *f) {
  ExprPool *pool = f->o->s.pool;
  for (uint32_t k = 0; k < f->m; k++) {
    for (uint32_t e = 0; e < f->G[k].count; e++) {
      const MassEntry *g = &f->G[k].items[e];
      ExprId force = expr_mul(pool, expr_sym(pool, f->multiplier[k]), g->value);
      f->balance[g->column] = expr_sub(pool, f->balance[g->column], force);
      if (!f->balance[g->column]) return false;
    }
  }
  return true;
}

// -L at rest, and what else is constant: the sum of r q. 0 in *out: forces depend on the position.
static bool find_potential(StaticForm *f, const ExprId *h) {
  System *s = &f->o->s;
  ExprPool *pool = s->pool;
  f->potential = 0;
  if (!s->lagrange.used || f->n > f->coords) return true;
  ExprId rest = expr_neg(pool, s->lagrange.L);
  if (!rest || !put_rest(f, &rest, 1)) return false;
  ExprId *slope = arena_array(f->o->arena, (size_t)f->n + 1, sizeof *slope);
  if (!slope || !expr_gradient(pool, rest, f->unknown, f->n, slope)) return false;
  for (uint32_t i = 0; i < f->n; i++) {
    ExprId r = expr_expand(pool, expr_sub(pool, h[i], slope[i]), 64);
    if (!r) return false;
    if (expr_has_kinds(pool, r, motion_kinds())) return true;
    rest = expr_add(pool, rest, expr_mul(pool, r, expr_sym(pool, f->unknown[i])));
    if (!rest) return false;
  }
  f->potential = rest;
  return true;
}

// The weights of many bodies: h has them not.
static bool add_weights(StaticForm *f) {
  System *s = &f->o->s;
  TreeTerms t;
  if (!tree_weights(s, &t)) return false;
  for (uint32_t k = 0; k < t.count; k++) {
    uint32_t i = t.freedoms[k].coord;
    if (i == UINT32_MAX) continue;
    f->balance[i] = expr_add(s->pool, f->balance[i], t.dVdq[k]);
    if (!f->balance[i]) return false;
  }
  if (f->potential) f->potential = expr_add(s->pool, f->potential, t.V);
  return true;
}

static bool has_own_equation(const System *s) {
  for (uint32_t i = 0; i < s->coord_count; i++) {
    if (s->source[i] != source_energies) return true;
  }
  return false;
}

// ---- tapes

static bool only_inputs(StaticForm *f) {
  f->s = f->o->s;
  f->s.steps = (SystemStepList){0};
  for (uint32_t k = 0; k < f->o->s.steps.count; k++) {
    SystemStep step = f->o->s.steps.items[k];
    if (step.kind != step_define) continue;
    SymbolKind kind = pool_symbol_get(f->o->s.pool, f->o->s.definitions.items[step.index].symbol)->kind;
    if (kind == sym_input && !vec_push(f->o->arena, &f->s.steps, step)) return false;
  }
  return true;
}

bool static_tape(StaticForm *f, const ExprId *results, uint32_t count, OperatingTape *out) {
  Operating *o = f->o;
  uint32_t k = 0;
  SymbolId *vars = arena_array(o->arena, (size_t)1 + f->n + f->m + o->free, sizeof *vars);
  if (!vars) return false;
  vars[k++] = o->s.time;
  for (uint32_t i = 0; i < f->n; i++) vars[k++] = f->unknown[i];
  for (uint32_t i = 0; i < f->m; i++) vars[k++] = f->multiplier[i];
  for (uint32_t i = 0; i < o->free; i++) vars[k++] = o->symbols[o->input_at[i]];
  const Tape *t = tape_build(
      o->arena,
      &(TapeRequest){.system = &f->s, .vars = vars, .var_count = k, .results = results, .result_count = count});
  out->tape = t;
  out->w = t ? arena_array(o->arena, t->slot_count, sizeof *out->w) : NULL;
  if (!out->w) return false;
  memcpy(out->w, o->params, t->param_count * sizeof *out->w);
  tape_prepare(t, out->w);
  return true;
}

void static_eval(const StaticForm *f, const OperatingTape *t, const double *u, const double *lambda) {
  double *var = tape_vars(t->tape, t->w);
  var[0] = f->o->t;
  memcpy(var + 1, u, f->n * sizeof *u);
  for (uint32_t k = 0; k < f->m; k++) var[1 + f->n + k] = lambda ? lambda[k] : 0;
  memset(var + 1 + f->n + f->m, 0, f->o->free * sizeof *var);
  tape_eval(t->tape, t->w);
}

// ---- the start

uint32_t static_place(const StaticForm *f, uint32_t i) { return system_place(&f->o->s, f->unknown[i]); }

bool static_start(StaticForm *f, double *u) {
  Operating *o = f->o;
  ExprId *starts = arena_array(o->arena, (size_t)f->n + 1, sizeof *starts);
  if (!starts) return false;
  for (uint32_t i = 0; i < f->n; i++)
    starts[i] = i < f->coords ? o->s.coords.items[i].q0 : o->s.states.items[i - f->coords].x0;
  if (!tape_numbers(o->arena, &o->s, starts, f->n, u)) return false;
  for (uint32_t i = 0; i < f->n; i++) {
    uint32_t at = static_place(f, i);
    if (at != no_place) u[i] = o->y[at];
  }
  return true;
}

void static_put(const StaticForm *f, const double *u, double *y) {
  Operating *o = f->o;
  memcpy(y, o->y, o->dim * sizeof *y);
  for (uint32_t at = 0; at < o->dim; at++) {
    if (operating_is_velocity(o, at)) y[at] = 0;
  }
  for (uint32_t i = 0; i < f->n; i++) {
    uint32_t at = static_place(f, i);
    if (at != no_place) y[at] = u[i];
  }
}

// Entry (i, j) beside entry (j, i), in numbers: at the start and at points around it.
static bool test_symmetry(StaticForm *f) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < f->n; i++) count += f->K[i].count;
  ExprId *list = arena_array(f->o->arena, (size_t)count + 1, sizeof *list);
  double *u = arena_array(f->o->arena, (size_t)f->n + 1, sizeof *u);
  double *lambda = arena_array(f->o->arena, (size_t)f->m + 1, sizeof *lambda);
  uint32_t *first = arena_array(f->o->arena, (size_t)f->n + 1, sizeof *first), k = 0;
  OperatingTape t;
  if (!list || !u || !lambda || !first) return false;
  for (uint32_t i = 0; i < f->n; i++) {
    first[i] = k;
    for (uint32_t e = 0; e < f->K[i].count; e++) list[k++] = f->K[i].items[e].value;
  }
  if (!static_tape(f, list, count, &t) || !static_start(f, u)) return false;
  f->symmetric = true;
  for (int round = 0; round < symmetry_tries && f->symmetric; round++) {
    for (uint32_t i = 0; i < f->n; i++) u[i] += round ? 0.1 * sin(1.7 * i + round) * fmax(1e-3, fabs(u[i])) : 0;
    static_eval(f, &t, u, lambda);
    double most = 0;
    for (uint32_t i = 0; i < count; i++) most = fmax(most, fabs(tape_result(t.tape, t.w, i)));
    for (uint32_t i = 0; i < f->n; i++) {
      for (uint32_t e = 0; e < f->K[i].count; e++) {
        uint32_t j = f->K[i].items[e].column;
        double other = 0;
        for (uint32_t b = 0; b < f->K[j].count; b++) {
          if (f->K[j].items[b].column == i) other = tape_result(t.tape, t.w, first[j] + b);
        }
        if (fabs(tape_result(t.tape, t.w, first[i] + e) - other) > symmetric_part * most) f->symmetric = false;
      }
    }
  }
  return true;
}

bool static_form(Operating *o, StaticForm *f) {
  Arena *arena = o->arena;
  *f = (StaticForm){.o = o, .coords = o->n, .n = o->n + o->model_states, .m = o->s.constraints.count};
  f->why = structure_obstacle(o);
  if (f->why) return true;
  f->unknown = arena_array(arena, (size_t)f->n + 1, sizeof *f->unknown);
  f->multiplier = arena_array(arena, (size_t)f->m + 1, sizeof *f->multiplier);
  f->names = arena_array(arena, (size_t)f->n + 1, sizeof *f->names);
  f->K = arena_array(arena, (size_t)f->n + 1, sizeof *f->K);
  f->G = arena_array(arena, (size_t)f->m + 1, sizeof *f->G);
  ExprId *list = collect(f);
  if (!list || arena_failed(arena) || !put_rest(f, list, f->n + f->m)) return false;
  f->why = obstacle(f, list, f->n + f->m);
  if (f->why) return true;
  name_unknowns(f);
  f->balance = list;
  f->value = list + f->n;
  SymbolIndex index;
  if (!only_inputs(f) || !find_potential(f, list) || (system_is_unwritten(&o->s) && !add_weights(f)) ||
      !symbol_index(arena, o->s.pool, f->unknown, f->n, &index) ||
      !sparse_jacobian(arena, o->s.pool, f->value, f->m, &index, f->G) || !add_multipliers(f) ||
      !sparse_jacobian(arena, o->s.pool, f->balance, f->n, &index, f->K))
    return false;
  if (f->potential) f->symmetric = true;
  else if (f->n == f->coords && o->s.lagrange.used && !has_own_equation(&o->s) && !test_symmetry(f)) return false;
  return !arena_failed(arena);
}

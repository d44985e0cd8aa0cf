// Tapes of constraints. The corrections are the blocks of accelerations with other right-hand sides.
#include "sim/constraint_plan.h"

#include "hybrid/results.h"
#include "sim/program.h"

#include <math.h>

// ---- degrees of freedom

// r (1, d/2 e_k), at length 1
void bound_move(const BoundCoord *c, double d, double *y) {
  static const int with[3][4] = {{1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
  static const int sign[3][4] = {{-1, 1, 1, -1}, {-1, -1, 1, 1}, {-1, 1, -1, 1}};
  if (c->q != no_place) {
    y[c->q] += d;
    return;
  }
  double r[4], scale = 1 / sqrt(1 + 0.25 * d * d);
  for (int i = 0; i < 4; i++) r[i] = y[c->r[i]];
  for (int i = 0; i < 4; i++) y[c->r[i]] = (r[i] + 0.5 * d * sign[c->part][i] * r[with[c->part][i]]) * scale;
}

double bound_size(const BoundCoord *c, const double *y) { return c->q != no_place ? fabs(y[c->q]) : 1; }

// Twice the vector part of conj(from) to, which has the sign of the shorter rotation.
double bound_difference(const BoundCoord *c, const double *from, const double *to) {
  static const int a[3][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}};
  if (c->q != no_place) return to[c->q] - from[c->q];
  double f[4], g[4], same = 0;
  for (int i = 0; i < 4; i++) {
    f[i] = from[c->r[a[c->part][i]]];
    g[i] = to[c->r[a[c->part][i]]];
    same += f[i] * g[i];
  }
  return (same < 0 ? -2 : 2) * (f[0] * g[1] - f[1] * g[0] - f[2] * g[3] + f[3] * g[2]);
}

static BoundCoord bound_coord(const System *s, uint32_t i) {
  BoundCoord c = {.coord = i, .q = no_place, .v = system_place(s, system_freedom_velocity(s, i))};
  if (i < s->coord_count) {
    c.q = system_place(s, s->coords.items[i].q);
    return c;
  }
  const RotationalDof *turn = &s->turns.items[i - s->coord_count];
  c.part = turn->part;
  for (uint32_t k = 0; k < 4; k++) c.r[k] = system_place(s, s->states.items[turn->first + k].x);
  return c;
}

// ---- lists

// What is solved together with multipliers feels their forces, whether it stands in constraints or not.
static void add_coupled(const System *s, ConstraintPlan *plan, uint32_t *at, BoundCoord *coords) {
  plan->moved_count = plan->coord_count;
  for (uint32_t i = 0; i < s->blocks.count; i++) {
    const Block *b = &s->blocks.items[i];
    for (uint32_t k = 0; b->multipliers && k < block_coords(b); k++) {
      if (at[b->coords[k]]) continue;
      coords[plan->moved_count++] = bound_coord(s, b->coords[k]);
      at[b->coords[k]] = plan->moved_count;
    }
  }
}

static bool list_coords(SimProgram *p, ConstraintPlan *plan) {
  const System *s = &p->s;
  uint32_t n = system_freedoms(s), *at = arena_array(p->arena, (size_t)n + 1, sizeof *at), entries = 0;
  BoundCoord *coords = arena_array(p->arena, (size_t)n + 1, sizeof *coords);
  uint32_t *start = arena_array(p->arena, (size_t)plan->count + 1, sizeof *start);
  if (!at || !coords || !start) return false;
  for (uint32_t k = 0; k < plan->count; k++) entries += s->constraints.items[k].G.count;
  uint32_t *column = arena_array(p->arena, (size_t)entries + 1, sizeof *column);
  if (!column) return false;
  for (uint32_t k = 0, e = 0; k < plan->count; k++) {
    const MassRow *row = &s->constraints.items[k].G;
    for (uint32_t j = 0; j < row->count; j++) {
      uint32_t i = row->items[j].column;
      if (!at[i]) {
        coords[plan->coord_count] = bound_coord(s, i);
        at[i] = ++plan->coord_count;
      }
      column[e++] = at[i] - 1;
    }
    start[k + 1] = e;
  }
  add_coupled(s, plan, at, coords);
  plan->coords = coords;
  plan->start = start;
  plan->column = column;
  return true;
}

// What the constraints demand of the blocks: the violations of positions or rates, or what a caller says.
typedef enum Correction { correct_places, correct_rates, correct_as_said } Correction;

static ExprId asked_of(SimProgram *p, const SystemConstraint *c, Correction what, SymbolId said) {
  if (what == correct_as_said) return expr_sym(&p->pool, said);
  if (what == correct_rates) return expr_neg(&p->pool, c->rate);
  return c->velocities ? p->pool.zero : expr_neg(&p->pool, c->value);
}

// Symbols for what a caller says, one a constraint.
static const SymbolId *said_symbols(SimProgram *p, uint32_t count) {
  SymbolId *said = arena_array(p->arena, (size_t)count + 1, sizeof *said);
  for (uint32_t k = 0; said && k < count; k++) {
    const char *name = arena_printf(p->arena, "what constraint %u asks for", k + 1);
    said[k] = name ? pool_symbol(&p->pool, name, sym_signal, 0, 0) : 0;
    if (!said[k]) return NULL;
  }
  return said;
}

// The blocks with other right-hand sides: nothing pulls, and the constraints ask for something.
static const Tape *correction(SimProgram *p, const ConstraintPlan *plan, Correction what) {
  System s = p->s;
  const System *of = &p->s;
  ResultList r = {.arena = p->arena};
  const SymbolId *said = what == correct_as_said ? said_symbols(p, plan->count) : NULL;
  bool rates = what == correct_rates;
  if (what == correct_as_said && !said) return NULL;
  s.blocks.items = arena_array(p->arena, (size_t)of->blocks.count + 1, sizeof *s.blocks.items);
  s.blocks.cap = of->blocks.count + 1;
  if (!s.blocks.items) return NULL;
  for (uint32_t i = 0; i < of->blocks.count; i++) {
    Block *b = &s.blocks.items[i];
    *b = of->blocks.items[i];
    if (!b->multipliers) continue;
    if (b->plain) *b = *b->plain;
    b->rhs = arena_array(p->arena, b->count, sizeof *b->rhs);
    if (!b->rhs) return NULL;
    for (uint32_t k = 0; k < b->count; k++) {
      b->rhs[k] = p->pool.zero;
      if (k < block_coords(b)) continue;
      uint32_t which = b->coords[k] - system_freedoms(of);
      b->rhs[k] = asked_of(p, &of->constraints.items[which], what, said ? said[which] : 0);
    }
  }
  for (uint32_t i = 0; i < plan->moved_count; i++)
    result_put(&r, expr_sym(&p->pool, system_freedom_rate(of, plan->coords[i].coord)));
  for (uint32_t k = 0; rates && k < plan->count; k++)
    result_put(&r, expr_sym(&p->pool, of->constraints.items[k].symbol));
  if (arena_failed(p->arena)) return NULL;
  return program_tape_with(p->arena, p, &s, r.list.items, r.list.count, said, said ? plan->count : 0);
}

static const Tape *residues(SimProgram *p) {
  const SystemConstraintList *list = &p->s.constraints;
  ResultList r = {.arena = p->arena};
  for (uint32_t k = 0; k < list->count; k++)
    result_put(&r, list->items[k].velocities ? p->pool.zero : list->items[k].value);
  for (uint32_t k = 0; k < list->count; k++) result_put(&r, list->items[k].rate);
  return arena_failed(p->arena) ? NULL : program_tape(p->arena, p, &p->s, r.list.items, r.list.count, false);
}

static const Tape *slopes(SimProgram *p) {
  const SystemConstraintList *list = &p->s.constraints;
  ResultList r = {.arena = p->arena};
  for (uint32_t k = 0; k < list->count; k++) {
    for (uint32_t j = 0; j < list->items[k].G.count; j++) result_put(&r, list->items[k].G.items[j].value);
  }
  return arena_failed(p->arena) ? NULL : program_tape(p->arena, p, &p->s, r.list.items, r.list.count, false);
}

const ConstraintPlan *constraint_plan(SimProgram *p) {
  ConstraintPlan *plan = arena_new_of(p->arena, ConstraintPlan);
  if (!plan) return NULL;
  plan->count = p->s.constraints.count;
  bool *velocities = arena_array(p->arena, (size_t)plan->count + 1, sizeof *velocities);
  if (!velocities || !list_coords(p, plan)) return NULL;
  for (uint32_t k = 0; k < plan->count; k++) velocities[k] = p->s.constraints.items[k].velocities;
  plan->velocities = velocities;
  if (plan->count > constraint_most_dense) {
    plan->gram = gram_new(p->arena, plan->count, plan->coord_count, plan->start, plan->column);
    if (!plan->gram) return NULL;
  }
  plan->residues = residues(p);
  plan->slopes = slopes(p);
  plan->place = correction(p, plan, correct_places);
  plan->speed = correction(p, plan, correct_rates);
  plan->push = correction(p, plan, correct_as_said);
  return plan->residues && plan->slopes && plan->place && plan->speed && plan->push ? plan : NULL;
}

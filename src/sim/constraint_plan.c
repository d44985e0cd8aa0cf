// Makes the tapes of constraints. The corrections are the blocks of accelerations with other right-hand sides.
#include "sim/constraint_plan.h"

#include "sim/program.h"
#include "sim/results.h"

static bool list_coords(SimProgram *p, ConstraintPlan *plan) {
  const System *s = &p->s;
  uint32_t *at = arena_array(p->arena, (size_t)s->coord_count + 1, sizeof *at), entries = 0;
  BoundCoord *coords = arena_array(p->arena, (size_t)s->coord_count + 1, sizeof *coords);
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
        const SystemCoord *c = &s->coords.items[i];
        coords[plan->coord_count] = (BoundCoord){i, system_place(s, c->q), system_place(s, c->v)};
        at[i] = ++plan->coord_count;
      }
      column[e++] = at[i] - 1;
    }
    start[k + 1] = e;
  }
  plan->coords = coords;
  plan->start = start;
  plan->column = column;
  return true;
}

// The blocks with other right-hand sides: nothing pulls, and the constraints ask for what is missing.
static const Tape *correction(SimProgram *p, const ConstraintPlan *plan, bool rates) {
  System s = p->s;
  const System *of = &p->s;
  ResultList r = {.arena = p->arena};
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
      const SystemConstraint *c = &of->constraints.items[b->coords[k] - of->coord_count];
      if (rates || !c->velocities) b->rhs[k] = expr_neg(&p->pool, rates ? c->rate : c->value);
    }
  }
  for (uint32_t i = 0; i < plan->coord_count; i++)
    result_put(&r, expr_sym(&p->pool, of->coords.items[plan->coords[i].coord].a));
  for (uint32_t k = 0; rates && k < plan->count; k++)
    result_put(&r, expr_sym(&p->pool, of->constraints.items[k].symbol));
  return arena_failed(p->arena) ? NULL : program_tape(p->arena, p, &s, r.list.items, r.list.count, false);
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
  if (!list_coords(p, plan)) return NULL;
  plan->residues = residues(p);
  plan->slopes = slopes(p);
  plan->place = correction(p, plan, false);
  plan->speed = correction(p, plan, true);
  return plan->residues && plan->slopes && plan->place && plan->speed ? plan : NULL;
}

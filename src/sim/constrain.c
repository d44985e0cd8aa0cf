// Brings a motion back onto its constraints. See constrain.h.
#include "sim/constrain.h"

#include "sim/motion.h"
#include "sim/results.h"

#include <string.h>

// ---- the plan

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

// ---- of a motion

void constraint_cut(ConstraintRun *c, const ConstraintPlan *plan, uint32_t total, Cutter *cutter) {
  BLOCK_CUT(cutter, c->residues, plan->residues->slot_count);
  BLOCK_CUT(cutter, c->slopes, plan->slopes->slot_count);
  BLOCK_CUT(cutter, c->place, plan->place->slot_count);
  BLOCK_CUT(cutter, c->speed, plan->speed->slot_count);
  BLOCK_CUT(cutter, c->scale, plan->count);
  BLOCK_CUT(cutter, c->worst, 2);
  BLOCK_CUT(cutter, c->moved, 2);
  BLOCK_CUT(cutter, c->impulse, plan->count);
  BLOCK_CUT(cutter, c->impulses, 1);
  BLOCK_CUT(cutter, c->rank, 1);
  BLOCK_CUT(cutter, c->dependent, plan->count);
  BLOCK_CUT(cutter, c->left_out, plan->count);
  BLOCK_CUT(cutter, c->singular, 1);
  if (plan->count > constraint_most_dense) return;
  BLOCK_CUT(cutter, c->points, (size_t)singular_points * total);
  BLOCK_CUT(cutter, c->rows, (size_t)plan->count * plan->coord_count);
  BLOCK_CUT(cutter, c->square, (size_t)plan->count * plan->count);
  BLOCK_CUT(cutter, c->weak, plan->count);
}

void constraint_prepare(Run *r) {
  const ConstraintPlan *plan = r->p->constraints;
  ConstraintRun *c = &r->constraints;
  run_prepare(r, plan->residues, c->residues);
  run_prepare(r, plan->slopes, c->slopes);
  run_prepare(r, plan->place, c->place);
  run_prepare(r, plan->speed, c->speed);
}

const char *constraint_name(const System *s, uint32_t k) { return s->constraints.items[k].label; }

// ---- corrections

// Corrections below this part of the size are rounding.
static const double correction_slack = 4e-16;
enum { most_corrections = 12 };

// One correction of y by a tape; -1: it has no finite value. Returns its largest part of the sizes.
static double correct(Run *r, const Tape *tape, double *w, bool rates, double t, double *y) {
  const ConstraintPlan *plan = r->p->constraints;
  double most = 0, size = 0;
  run_eval_at(r, tape, w, t, y);
  for (uint32_t i = 0; i < plan->coord_count; i++) {
    double d = tape_result(tape, w, i);
    if (!isfinite(d)) return -1;
    size = fmax(size, fabs(y[rates ? plan->coords[i].v : plan->coords[i].q]));
    most = fmax(most, fabs(d));
  }
  for (uint32_t i = 0; i < plan->coord_count; i++)
    y[rates ? plan->coords[i].v : plan->coords[i].q] += tape_result(tape, w, i);
  return most > 0 ? most / fmax(size, most) : 0;
}

// Until nothing changes any more but rounding. False: it does not come to an end.
static bool repeat(Run *r, const Tape *tape, double *w, bool rates, double t, double *y) {
  double before = INFINITY;
  for (int i = 0; i < most_corrections; i++) {
    double size = correct(r, tape, w, rates, t, y);
    if (size < 0) return false;
    if (size <= correction_slack || (i && size > 0.25 * before && size < 1e-12)) return true;
    if (i > 3 && size > before) return false;
    before = size;
  }
  return before < 1e-12;
}

// The largest residues, in parts of the size of their row of G.
static void look(Run *r, double t, const double *y, double *place, double *speed) {
  const ConstraintPlan *plan = r->p->constraints;
  ConstraintRun *c = &r->constraints;
  run_eval_at(r, plan->residues, c->residues, t, y);
  *place = *speed = 0;
  for (uint32_t k = 0; k < plan->count; k++) {
    *place = fmax(*place, fabs(tape_result(plan->residues, c->residues, k)) / c->scale[k]);
    *speed = fmax(*speed, fabs(tape_result(plan->residues, c->residues, plan->count + k)) / c->scale[k]);
  }
}

bool constraint_watch(Run *r, double t, const double *y) {
  ConstraintRun *c = &r->constraints;
  double place, speed;
  look(r, t, y, &place, &speed);
  if (!isfinite(place) || !isfinite(speed)) return false;
  c->worst[0] = fmax(c->worst[0], place);
  c->worst[1] = fmax(c->worst[1], speed);
  return true;
}

OdeProjection constraint_project(void *self, double t, double *y) {
  Run *r = self;
  const ConstraintPlan *plan = r->p->constraints;
  ConstraintRun *c = &r->constraints;
  if (!repeat(r, plan->place, c->place, false, t, y) || !repeat(r, plan->speed, c->speed, true, t, y) ||
      !constraint_watch(r, t, y))
    return projection_failed;
  return projection_moved;
}

bool constraint_rejoin(Run *r, double t, double *y) {
  ConstraintRun *c = &r->constraints;
  double place, speed;
  c->moved[0] = c->moved[1] = 0; // of a start that is none
  look(r, t, y, &place, &speed);
  if (place <= 1e-9 && speed <= 1e-9) return true; // as it was left
  if (constraint_project(r, t, y) != projection_failed) return true;
  r->failure = (RunFailure){run_failed,
                            "the constraints do not hold with the changed parameters, and no place near the "
                            "saved one obeys them",
                            r->p->s.constraints.items[0].span, NULL};
  return false;
}

// M (v - v_before) = G' impulse, and G v obeys: what a plastic blow does. It can only take energy.
double constraint_impulse(void *self, double t, double *y) {
  Run *r = self;
  const ConstraintPlan *plan = r->p->constraints;
  ConstraintRun *c = &r->constraints;
  ConstraintImpulses *told = c->impulses;
  double before = run_stored(r, t, y), size = 0;
  memset(c->impulse, 0, plan->count * sizeof *c->impulse);
  for (int i = 0; i < 3; i++) { // once would do, but for rounding
    double moved = correct(r, plan->speed, c->speed, true, t, y);
    if (moved < 0) return 0;
    size = fmax(size, moved);
    for (uint32_t k = 0; k < plan->count; k++)
      c->impulse[k] += tape_result(plan->speed, c->speed, plan->coord_count + k);
    if (moved <= correction_slack) break;
  }
  if (size <= correction_slack) return 0;
  told->count++;
  for (uint32_t k = 0; k < plan->count; k++) {
    if (!(fabs(c->impulse[k]) > told->largest)) continue;
    told->largest = fabs(c->impulse[k]);
    told->t = t;
    told->constraint = k;
  }
  double change = run_stored(r, t, y) - before;
  if (r->s->begun) // what happens at the very start comes before the account
    y[r->p->y.count + (change < 0 ? flow_dissipated : flow_supplied)] += fabs(change);
  return change;
}

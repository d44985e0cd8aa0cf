// Projection of a run onto its constraint manifold: positions, velocities, impulses. See constrain.h.
#include "sim/constrain.h"

#include "sim/balls.h"
#include "sim/corrections.h"
#include "sim/motion.h"

#include <string.h>

// ---- of a run

void constraint_cut(ConstraintRun *c, const ConstraintPlan *plan, uint32_t total, Cutter *cutter) {
  BLOCK_CUT(cutter, c->residues, plan->residues->slot_count);
  BLOCK_CUT(cutter, c->slopes, plan->slopes->slot_count);
  BLOCK_CUT(cutter, c->place, plan->place->slot_count);
  BLOCK_CUT(cutter, c->speed, plan->speed->slot_count);
  BLOCK_CUT(cutter, c->push, plan->push->slot_count);
  BLOCK_CUT(cutter, c->scale, plan->count);
  BLOCK_CUT(cutter, c->worst, 2);
  BLOCK_CUT(cutter, c->lost, 1);
  BLOCK_CUT(cutter, c->stage, total);
  BLOCK_CUT(cutter, c->moved, 2);
  BLOCK_CUT(cutter, c->impulse, plan->count);
  BLOCK_CUT(cutter, c->impulses, 1);
  BLOCK_CUT(cutter, c->rank, 1);
  BLOCK_CUT(cutter, c->dependent, plan->count);
  BLOCK_CUT(cutter, c->nearly, plan->count);
  BLOCK_CUT(cutter, c->idle, plan->count);
  BLOCK_CUT(cutter, c->partly, 1);
  singular_cut(c, plan, total, cutter);
}

void constraint_prepare(Run *r) {
  const ConstraintPlan *plan = r->p->constraints;
  ConstraintRun *c = &r->constraints;
  run_prepare(r, plan->residues, c->residues);
  run_prepare(r, plan->slopes, c->slopes);
  run_prepare(r, plan->place, c->place);
  run_prepare(r, plan->speed, c->speed);
  run_prepare(r, plan->push, c->push);
}

const char *constraint_name(const System *s, uint32_t k) { return s->constraints.items[k].label; }

// ---- corrections

// One correction of y by a tape; -1: it has no finite value. Returns its largest part of the size, which is that of
// what is bound and of all corrections so far: what is held at zero has no other.
static double correct(Run *r, const Tape *tape, double *w, bool rates, double t, double *y, double *size) {
  const ConstraintPlan *plan = r->p->constraints;
  double most = 0;
  run_eval_at(r, tape, w, t, y);
  for (uint32_t i = 0; i < plan->coord_count; i++) {
    double d = tape_result(tape, w, i);
    if (!isfinite(d)) return -1;
    *size = fmax(*size, rates ? fabs(y[plan->coords[i].v]) : bound_size(&plan->coords[i], y));
    most = fmax(most, fabs(d));
  }
  for (uint32_t i = 0; i < plan->moved_count; i++) {
    if (rates) y[plan->coords[i].v] += tape_result(tape, w, i);
    else bound_move(&plan->coords[i], tape_result(tape, w, i), y);
  }
  *size = fmax(*size, most);
  return most > 0 ? most / *size : 0;
}

// Until nothing changes any more but rounding. False: it does not come to an end.
static bool repeat(Run *r, const Tape *tape, double *w, bool rates, double t, double *y) {
  double before = INFINITY, part, size = 0;
  CorrectionState state = correction_goes_on;
  for (int i = 0; state == correction_goes_on; i++, before = part) {
    part = correct(r, tape, w, rates, t, y, &size);
    state = correction_state(i, part, before);
  }
  return state == correction_done;
}

// The largest residuals, in parts of the size of their row of G. A constraint that binds nothing is constant: the start
// has decided it.
static void look(Run *r, double t, const double *y, double *place, double *speed) {
  const ConstraintPlan *plan = r->p->constraints;
  ConstraintRun *c = &r->constraints;
  run_eval_at(r, plan->residues, c->residues, t, y);
  *place = *speed = 0;
  for (uint32_t k = 0; k < plan->count; k++) {
    if (plan->start[k] == plan->start[k + 1]) continue;
    *place = fmax(*place, fabs(tape_result(plan->residues, c->residues, k)) / c->scale[k]);
    *speed = fmax(*speed, fabs(tape_result(plan->residues, c->residues, plan->count + k)) / c->scale[k]);
  }
}

// Corrections that came to an end, and a residual that is no rounding error: the constraints contradict each other
// there, and the corrections ended where they are violated least. In parts of the sizes of what is bound.
static const double residue_bound = 1e-7;
static const double smallest = 1e-30; // of what is held at zero

static bool offends(const Run *r, const double *y, double place, double speed) {
  const ConstraintPlan *plan = r->p->constraints;
  double places = 0, speeds = 0;
  for (uint32_t i = 0; i < plan->coord_count; i++) {
    places = fmax(places, bound_size(&plan->coords[i], y));
    speeds = fmax(speeds, fabs(y[plan->coords[i].v]));
  }
  return place > fmax(residue_bound * places, smallest) || speed > fmax(residue_bound * speeds, smallest);
}

// The constraint with the largest of the residuals that were evaluated last.
static uint32_t worst_of(const Run *r) {
  const ConstraintPlan *plan = r->p->constraints;
  const ConstraintRun *c = &r->constraints;
  double most = 0;
  uint32_t worst = 0;
  for (uint32_t k = 0; k < 2 * plan->count; k++) {
    double now = fabs(tape_result(plan->residues, c->residues, k)) / c->scale[k % plan->count];
    if (!(now > most)) continue;
    most = now;
    worst = k % plan->count;
  }
  return worst;
}

const SystemConstraint *constraint_lost(const Run *r) {
  if (!r->p->constraints || !*r->constraints.lost) return NULL;
  return &r->p->s.constraints.items[*r->constraints.lost - 1];
}

const SystemConstraint *constraint_disobeyed(Run *r, double t, const double *y) {
  double place, speed;
  look(r, t, y, &place, &speed);
  return offends(r, y, place, speed) ? &r->p->s.constraints.items[worst_of(r)] : NULL;
}

bool constraint_watch(Run *r, double t, const double *y) {
  ConstraintRun *c = &r->constraints;
  double place, speed;
  look(r, t, y, &place, &speed);
  if (!isfinite(place) || !isfinite(speed)) return false;
  *c->lost = offends(r, y, place, speed) ? worst_of(r) + 1 : 0;
  if (*c->lost) return false;
  c->worst[0] = fmax(c->worst[0], place);
  c->worst[1] = fmax(c->worst[1], speed);
  return true;
}

// One correction of positions and one of velocities, enough at the end of a step that was nearly there: corrections are
// Newton's, so the square of a small one is at round-off level. The residuals decide.
static bool correct_once(Run *r, double t, double *y) {
  const ConstraintPlan *plan = r->p->constraints;
  ConstraintRun *c = &r->constraints;
  double places = 0, speeds = 0, place, speed;
  if (correct(r, plan->place, c->place, false, t, y, &places) < 0) return false;
  if (correct(r, plan->speed, c->speed, true, t, y, &speeds) < 0) return false;
  look(r, t, y, &place, &speed);
  if (!(place <= corrections_slack * places && speed <= corrections_slack * speeds)) return false;
  *c->lost = 0;
  c->worst[0] = fmax(c->worst[0], place);
  c->worst[1] = fmax(c->worst[1], speed);
  return true;
}

OdeProjection constraint_project(void *self, double t, double *y) {
  Run *r = self;
  const ConstraintPlan *plan = r->p->constraints;
  ConstraintRun *c = &r->constraints;
  balls_normalize(&r->p->s, y, 1);
  // exported C has fixed explicit steps and repeats its corrections: they have the same bits
  if (!ode_is_explicit(r->p->settled.ode.method) && correct_once(r, t, y)) return projection_moved;
  if (!repeat(r, plan->place, c->place, false, t, y) || !repeat(r, plan->speed, c->speed, true, t, y) ||
      !constraint_watch(r, t, y))
    return projection_failed;
  return projection_moved;
}

const double *constraint_stage(Run *r, double t, const double *y) {
  enum { most_corrections = 4 };
  const double enough = 1e-10; // the square of the last one is rounding
  const ConstraintPlan *plan = r->p->constraints;
  ConstraintRun *c = &r->constraints;
  memcpy(c->stage, y, r->p->y.total * sizeof *y);
  for (int rates = 0; rates < 2; rates++) {
    double part = INFINITY;
    for (int i = 0; i < most_corrections && part > enough; i++) {
      double size = 0;
      part = rates ? correct(r, plan->speed, c->speed, true, t, c->stage, &size)
                   : correct(r, plan->place, c->place, false, t, c->stage, &size);
      if (part < 0) return y;
    }
  }
  return c->stage;
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

// M (v - v_before) = G' impulse, and G v obeys: what a plastic blow does.
bool constraint_impulse(Run *r, double t, double *y) {
  const ConstraintPlan *plan = r->p->constraints;
  ConstraintRun *c = &r->constraints;
  ConstraintImpulses *told = c->impulses;
  double most = 0, size = 0;
  memset(c->impulse, 0, plan->count * sizeof *c->impulse);
  if (c->singular->there) return false;
  for (int i = 0; i < 3; i++) { // once would do, but for rounding
    double moved = correct(r, plan->speed, c->speed, true, t, y, &size);
    if (moved < 0) return false;
    most = fmax(most, moved);
    for (uint32_t k = 0; k < plan->count; k++)
      c->impulse[k] += tape_result(plan->speed, c->speed, plan->moved_count + k);
    if (moved <= corrections_slack) break;
  }
  if (most <= corrections_slack) return false;
  told->count++;
  told->last = t;
  told->last_of = 0;
  for (uint32_t k = 0; k < plan->count; k++) {
    if (fabs(c->impulse[k]) > fabs(c->impulse[told->last_of])) told->last_of = k;
    if (!(fabs(c->impulse[k]) > told->largest)) continue;
    told->largest = fabs(c->impulse[k]);
    told->t = t;
    told->constraint = k;
  }
  return true;
}

// Blows in a corner follow each other ever faster: the last one was just now, beside the time since the start.
const SystemConstraint *constraint_cornered(const Run *r, double t) {
  const ConstraintImpulses *told = r->constraints.impulses;
  if (!r->p->constraints || !r->p->events || !r->p->events->rewriting->corners || !told->count) return NULL;
  if (!(t - told->last <= 1e-6 * (t - r->ode.t0))) return NULL;
  return &r->p->s.constraints.items[told->last_of];
}

// ---- the manifold: positions, then rates

static bool manifold_residues(void *self, double t, const double *y, double *residues) {
  Run *r = self;
  const Tape *tape = r->p->constraints->residues;
  double *w = r->constraints.residues, sum = 0;
  run_eval_at(r, tape, w, t, y);
  for (uint32_t k = 0; k < 2 * r->p->constraints->count; k++) {
    residues[k] = tape_result(tape, w, k);
    sum += residues[k] - residues[k];
  }
  return sum == 0;
}

static bool is_zero(const double *x, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) {
    if (x[k] != 0) return false;
  }
  return true;
}

static bool manifold_push(void *self, double t, const double *y, const double *by, double *to) {
  Run *r = self;
  const ConstraintPlan *plan = r->p->constraints;
  double *w = r->constraints.push, *said = tape_vars(plan->push, w) + 1 + r->p->y.count, sum = 0;
  for (int rates = 0; rates < 2; rates++) {
    const double *asked = by + (rates ? plan->count : 0);
    if (is_zero(asked, plan->count)) continue;
    memcpy(said, asked, plan->count * sizeof *said);
    run_eval_at(r, plan->push, w, t, y);
    for (uint32_t i = 0; i < plan->moved_count; i++) {
      double d = tape_result(plan->push, w, i);
      if (rates) to[plan->coords[i].v] += d;
      else bound_move(&plan->coords[i], d, to);
      sum += d - d;
    }
  }
  return sum == 0;
}

const OdeManifold *constraint_manifold(Run *r) {
  OdeManifold *m = &r->constraints.manifold;
  if (!r->p->constraints) return NULL;
  const ConstraintPlan *plan = r->p->constraints;
  *m = (OdeManifold){2 * plan->count, plan->velocities, manifold_residues, manifold_push};
  return m;
}

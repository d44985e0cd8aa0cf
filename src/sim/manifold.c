// Projection of a run onto the manifold of the differentiated equations (hidden constraints). See manifold.h.
#include "sim/manifold.h"

#include "sim/corrections.h"
#include "sim/motion.h"

#include <string.h>

// ---- of a run

static size_t slots(const Tape *t) { return t ? t->slot_count : 0; }

void manifold_cut(ManifoldRun *m, const ManifoldPlan *plan, uint32_t count, Cutter *cutter) {
  BLOCK_CUT(cutter, m->residues, slots(plan->residues));
  BLOCK_CUT(cutter, m->all, slots(plan->all.tape));
  BLOCK_CUT(cutter, m->unsaid, slots(plan->unsaid.tape));
  BLOCK_CUT(cutter, m->scale, plan->count);
  BLOCK_CUT(cutter, m->worst, 1);
  BLOCK_CUT(cutter, m->moved, 1);
  BLOCK_CUT(cutter, m->kept, count);
  BLOCK_CUT(cutter, m->stays, count);
}

void manifold_prepare(Run *r) {
  const ManifoldPlan *plan = r->p->manifold;
  ManifoldRun *m = &r->manifold;
  run_prepare(r, plan->residues, m->residues);
  if (plan->all.tape) run_prepare(r, plan->all.tape, m->all);
  if (plan->unsaid.tape) run_prepare(r, plan->unsaid.tape, m->unsaid);
}

double manifold_look(Run *r, double t, const double *y, uint32_t *which) {
  const ManifoldPlan *plan = r->p->manifold;
  ManifoldRun *m = &r->manifold;
  double worst = 0;
  run_eval_at(r, plan->residues, m->residues, t, y);
  for (uint32_t k = 0; k < plan->count; k++) {
    double value = fabs(tape_result(plan->residues, m->residues, k));
    double size = sqrt(tape_result(plan->residues, m->residues, plan->count + k));
    // where a row vanishes its size before counts
    if (size > 0 && isfinite(size)) m->scale[k] = fmax(m->scale[k] * 1e-3, size);
    value /= m->scale[k] > 0 ? m->scale[k] : 1;
    if (!isfinite(value)) return NAN;
    if (value > worst && which) *which = k;
    worst = fmax(worst, value);
  }
  return worst;
}

// What stays is so heavy that it moves by less than rounding, where anything else can move.
static const double heavy = 0x1p100;

double manifold_correct(Run *r, const ManifoldCorrection *step, double *w, double t, const double *goal,
                        const bool *stays, double *y) {
  double most = 0, size = 0, *given = tape_vars(step->tape, w) + 1 + r->p->y.count;
  for (uint32_t i = 0; i < step->count; i++) {
    given[i] = goal[step->place[i]];
    given[step->count + i] = stays && stays[step->place[i]] ? heavy : 1;
  }
  run_eval_at(r, step->tape, w, t, y);
  for (uint32_t i = 0; i < step->count; i++) {
    double d = tape_result(step->tape, w, i);
    if (!isfinite(d)) return -1;
    size = fmax(size, fabs(y[step->place[i]]));
    most = fmax(most, fabs(d));
  }
  for (uint32_t i = 0; i < step->count; i++) y[step->place[i]] += tape_result(step->tape, w, i);
  return most > 0 ? most / fmax(size, most) : 0;
}

// Until nothing changes any more but rounding. False: it does not come to an end.
static bool repeat(Run *r, double t, const bool *stays, double *y) {
  double before = INFINITY, part;
  CorrectionState state = correction_goes_on;
  for (int i = 0; state == correction_goes_on; i++, before = part) {
    part = manifold_correct(r, &r->p->manifold->all, r->manifold.all, t, y, stays, y);
    state = correction_state(i, part, before);
  }
  return state == correction_done;
}

OdeProjection manifold_project(void *self, double t, double *y) {
  Run *r = self;
  if (!repeat(r, t, NULL, y)) return projection_failed;
  double left = manifold_look(r, t, y, NULL);
  if (!isfinite(left) || (r->p->constraints && !constraint_watch(r, t, y))) return projection_failed;
  *r->manifold.worst = fmax(*r->manifold.worst, left);
  return projection_moved;
}

// What stands in equations that hold, r->manifold.stays. False: nothing else is left to move.
static bool find_staying(Run *r, double t, const double *y) {
  const ManifoldPlan *plan = r->p->manifold;
  ManifoldRun *m = &r->manifold;
  double size = 0;
  bool any = false;
  memset(m->stays, 0, r->p->y.count * sizeof *m->stays);
  manifold_look(r, t, y, NULL);
  for (uint32_t i = 0; i < plan->all.count; i++) size = fmax(size, fabs(y[plan->all.place[i]]));
  for (uint32_t k = 0; k < plan->count; k++) {
    if (fabs(tape_result(plan->residues, m->residues, k)) > 1e-12 * size * m->scale[k]) continue;
    for (uint32_t e = plan->start[k]; e < plan->start[k + 1]; e++) m->stays[plan->place[e]] = true;
  }
  for (uint32_t i = 0; i < plan->all.count; i++) any = any || !m->stays[plan->all.place[i]];
  return any;
}

// To the nearest state that obeys; first without what is bound by equations that hold.
bool manifold_obey(Run *r, double t, double *y) {
  ManifoldRun *m = &r->manifold;
  size_t bytes = r->p->y.count * sizeof *y;
  memcpy(m->kept, y, bytes);
  if (find_staying(r, t, y) && repeat(r, t, m->stays, y)) {
    bool stayed = true;
    for (uint32_t i = 0; i < r->p->y.count; i++)
      stayed = stayed && (!m->stays[i] || fabs(y[i] - m->kept[i]) <= 1e-12 * fabs(m->kept[i]));
    if (stayed) return true;
  }
  memcpy(y, m->kept, bytes);
  return repeat(r, t, NULL, y);
}

bool manifold_rejoin(Run *r, double t, double *y) {
  *r->manifold.moved = 0; // of a start that is none
  double left = manifold_look(r, t, y, NULL);
  if (left <= 1e-9 || manifold_project(r, t, y) != projection_failed) return true;
  r->failure = (RunFailure){run_failed,
                            "the equations do not hold with the changed parameters, and no state near the saved one "
                            "obeys them",
                            r->p->manifold->rows[0].span, NULL};
  return false;
}

// Projection onto the constraint set: Gauss-Newton steps of least norm, then damped Newton steps.
//
// Assembling minimizes |c|^2 by Gauss's steps of least norm in the metric of rotations, M dx + G mu = 0, G' dx = -c; no
// part rotates by more than a third of a radian in a step, so that the assembly mode that was drawn is kept. Where |c|
// does not fall quickly, Newton's steps with damping take over, which also end where it cannot be zero. A point where
// |c|^2 is least and not zero proves that no configuration near it fits: there c is a state of stress that balances
// itself, G c = 0.
#include "statics/seek.h"

#include <math.h>
#include <string.h>

// Within this part of a bar's length constraints are met: Newton's steps of the descent take the rest with them.
#define MET 1e-8
#define CLOSE 0.03 // of a length: gradients rotate so little on the way that their factors serve on

static double squares(const double *c, uint32_t m) {
  double sum = 0;
  for (uint32_t i = 0; i < m; i++) sum += c[i] * c[i];
  return sum;
}

static double largest(const double *c, uint32_t m) {
  double most = 0;
  for (uint32_t i = 0; i < m; i++) most = larger(most, fabs(c[i]));
  return most;
}

// One step into q->y, with the errors there in q->c. False: |c| does not fall.
static bool fall(Seek *q, double before) {
  Problem *p = q->p;
  const double turn = 0.3; // rad
  double most = problem_turn(p, q->x, q->step), by = most > turn ? turn / most : 1;
  for (int i = 0; i < 12; i++, by /= 2) {
    problem_move(p, q->x, q->step, by, q->y);
    problem_constraints(p, q->y, q->c);
    if (squares(q->c, p->m) < before * (1 - 1e-9 * by)) return true;
  }
  return false;
}

// Gauss's step of least norm while damping is 0; else Newton's for |c|^2 / 2 without what curves downwards, with some
// of the metric: M, G G' and the curvature of bars that are too long.
static KktStatus step_towards(Seek *q, double damping) {
  Problem *p = q->p;
  double unit = p->typical * p->typical;
  ProblemFill gauss = {.metric = 1, .corner = -1e-10 * unit};
  ProblemFill newton = {.lambda = q->c, .convex = true, .metric = damping * unit, .corner = -1};
  KktStatus status = kkt_factor(&q->kkt, q->x, damping > 0 ? &newton : &gauss);
  for (uint32_t k = 0; k < p->n + p->m; k++) q->step[k] = k < p->n ? 0 : -q->c[k - p->n];
  if (status == kkt_done) sparse_solve(q->kkt.symmetric, q->step, 1);
  return status;
}

// From a step that began close to the set the rest of the way needs no new factors.
static bool come_near(Seek *q) {
  memcpy(q->y, q->x, q->p->size * sizeof *q->x);
  if (!seek_retract(q, q->y, MET * q->p->typical)) return false;
  memcpy(q->x, q->y, q->p->size * sizeof *q->x);
  return true;
}

BalanceStatus seek_assemble(Seek *q) {
  Problem *p = q->p;
  double damping = 0;
  q->near = false;
  for (int i = 0, idle = 0; i < 300 && idle < 3 && damping < 1e6; i++) {
    problem_constraints(p, q->x, q->c);
    double before = squares(q->c, p->m), off = largest(q->c, p->m) / p->typical;
    if (off <= MET) return balance_found;
    if (seek_interrupted(q)) return balance_interrupted;
    if (seek_spent(q)) return balance_not_converged;
    KktStatus status = step_towards(q, damping);
    if (status == kkt_no_module || status == kkt_no_memory) return seek_of(status);
    bool falls = status == kkt_done && fall(q, before);
    double share = squares(q->c, p->m) / before; // of the error is left
    if (falls) memcpy(q->x, q->y, p->size * sizeof *q->x);
    q->near = falls && damping == 0 && off <= CLOSE;
    if (q->near && come_near(q)) return balance_found;
    if (!falls && sqrt(before) <= 1e-10 * p->extent) return balance_found; // it stands still at rounding
    idle = falls && damping > 0 && share > 1 - 1e-8 ? idle + 1 : 0;
    if (damping == 0) damping = falls && share < 0.9 ? 0 : 1e-4;
    else damping = falls ? fmax(damping / 10, 1e-10) : damping * 10;
  }
  problem_constraints(p, q->x, q->c);
  return balance_infeasible;
}

bool seek_retract(Seek *q, double *y, double within) {
  Problem *p = q->p;
  double last = INFINITY;
  for (int i = 0; i < 25; i++) {
    problem_constraints(p, y, q->c);
    double most = largest(q->c, p->m);
    if (most <= within) return true;
    if (!(most < 0.7 * last)) return false; // too far for factors from where we came
    last = most;
    for (uint32_t k = 0; k < p->n + p->m; k++) q->b[k] = k < p->n ? 0 : -q->c[k - p->n];
    kkt_solve(&q->kkt, q->b, 0, q->room);
    problem_move(p, y, q->b, 1, y);
  }
  return false;
}

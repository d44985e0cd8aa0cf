// Minimization of the potential on the constraint set by a damped Newton method with line search: `auto`.
//
// In each iteration Newton's system with the Hessian of the Lagrangian gives a step and new multipliers. Has the matrix
// more than m negative eigenvalues, the potential curves downwards somewhere on the set; then parts in compression lose
// their geometric stiffness, which leaves a matrix that is certainly positive, with some of the metric as damping. A
// step rotates no part by more than `turn`, is projected back onto the set with the same factors, and must lower the
// potential (Armijo). Where nothing pulls any more and the curvature is negative, the way goes on along that curvature.
// So the end is a minimum, and the one that a slow overdamped motion would find.
//
// Everything is measured against the structure itself:
// lengths by rotations, stiffness by the stiffest part, forces by the largest.
#include "base/random.h"
#include "statics/seek.h"

#include <math.h>
#include <string.h>

// The matrix at q->x. weight: G G' times ten times the stiffest part makes it definite where the reduced Hessian is.
// The corner is lost against it, and a share of the metric keeps directions without stiffness from being singular.
#define AUGMENT 10.0
#define CORNER 1e-9
#define REGULAR 1e-11
#define COARSE 1e-2 // rad: a step after which much is left to do

typedef struct Descent {
  Seek *q;
  double stiffness, turning; // scales
  double weight;
  double damping; // of the convex matrix, in units of `turning`
  double magnitude;
  double turn;                  // of the step: the largest rotation of a part
  double last_turn, last_force; // of the last whole step, and what it left
  bool definite;                // the matrix of this iteration is Newton's own
  bool flat;                    // it is not, and no direction curves downwards either
  bool kept;                    // the factors are those of the iteration before: so near the end they do
  bool balanced;                // at the end, and known to be in balance
  uint32_t idle;                // steps in a row that were slight and left no less
} Descent;

static void find_scales(const Seek *q, double *stiffness, double *turning) {
  problem_scale(q->p, q->x, q->lambda, stiffness, turning);
  // nothing pulls and nothing is elastic: any unit does
  if (!(*stiffness > 0)) *stiffness = 1;
  if (!(*turning > 0)) *turning = *stiffness * q->p->typical * q->p->typical;
}

static KktStatus factor_newton(Seek *q, double stiffness, double metric) {
  double weight = AUGMENT * stiffness;
  ProblemFill fill = {
      .energy = true, .lambda = q->lambda, .weight = weight, .metric = metric, .corner = -CORNER / weight};
  return kkt_factor(&q->kkt, q->x, &fill);
}

KktStatus seek_factor(Seek *q, double share, double *turning) {
  double stiffness;
  find_scales(q, &stiffness, turning);
  return factor_newton(q, stiffness, share * *turning);
}

static KktStatus factor_convex(Descent *d) {
  Seek *q = d->q;
  ProblemFill fill = {.energy = true,
                      .convex = true,
                      .lambda = q->lambda,
                      .weight = d->weight,
                      .metric = d->damping * d->turning,
                      .corner = -CORNER / d->weight};
  return kkt_factor(&q->kkt, q->x, &fill);
}

// Newton's own matrix; else with more and more of the metric, which saves the balance of pulls and pushes in a bent
// truss; else without what pushes.
static KktStatus factor(Descent *d) {
  find_scales(d->q, &d->stiffness, &d->turning);
  d->weight = AUGMENT * d->stiffness;
  KktStatus status = factor_newton(d->q, d->stiffness, REGULAR * d->turning);
  d->definite = status == kkt_done;
  for (double share = d->damping; !d->definite && share < 1; share *= 100) {
    if (status != kkt_indefinite && status != kkt_singular) return status;
    status = factor_newton(d->q, d->stiffness, share * d->turning);
    if (status == kkt_done) return status;
  }
  return status == kkt_indefinite || status == kkt_singular ? factor_convex(d) : status;
}

// Step and multipliers into q->step; returns the derivative of the potential along it. With factors of an earlier point
// the multipliers change by the residual force here, so that constraint gradients that have rotated since do no harm.
static double solve(Descent *d) {
  Seek *q = d->q;
  Problem *p = q->p;
  problem_constraints(p, q->x, q->c);
  for (uint32_t i = 0; i < p->m; i++) q->b[i] = d->weight * q->c[i] + (d->kept ? q->lambda[i] : 0);
  problem_gradient(p, q->x, q->b, q->all, q->gradient); // dV + G (weight c + lambda)
  for (uint32_t i = 0; i < p->n; i++) q->step[i] = -q->gradient[i];
  for (uint32_t i = 0; i < p->m; i++) q->step[p->n + i] = -q->c[i];
  double slope = 0;
  for (uint32_t i = 0; i < p->m; i++) slope += q->b[i] * q->c[i]; // G' dx = -c
  kkt_solve(&q->kkt, q->step, 0, q->room);
  d->turn = problem_turn(p, q->x, q->step);
  // what the corner takes from a large step the next one brings
  if (!d->kept && d->turn < COARSE) kkt_refine(&q->kkt, q->step, 1, q->room);
  for (uint32_t i = 0; i < p->n; i++) slope += q->gradient[i] * q->step[i];
  for (uint32_t i = 0; i < p->m && d->kept; i++) q->step[p->n + i] += q->lambda[i];
  return slope;
}

static double largest_move(const Seek *q) {
  double most = 0;
  for (uint32_t i = 0; i < q->p->n; i++) most = larger(most, fabs(q->step[i]));
  return most;
}

static double distance(const Seek *q) {
  double most = 0;
  for (uint32_t i = 0; i < q->p->size; i++) most = larger(most, fabs(q->x[i] - q->start[i]));
  return most;
}

// What part of a step may be taken at once.
static double limit(const Descent *d, double move) {
  const Seek *q = d->q;
  double by = d->turn > q->options->turn ? q->options->turn / d->turn : 1;
  double reach = q->p->extent + distance(q); // what nothing holds may fly off, twice as far each time
  return move * by > reach ? reach / move : by;
}

// V + lambda c with the new multipliers: V on the constraint set to second order,
// so that what is left of c does not count.
static double merit(const Descent *d, double potential, const double *c) {
  const Seek *q = d->q;
  for (uint32_t i = 0; i < q->p->m; i++) potential += q->step[q->p->n + i] * c[i];
  return potential;
}

// Along q->step, `by` at most, to a lower point of the set, which becomes q->x. q->c has the constraints at q->x.
// Returns how much was taken; 0: nothing helps.
static double go(Descent *d, double slope, double by) {
  Seek *q = d->q;
  const double enough = 1e-4, noise = 1e-14, last_place = 0x1p-52; // Armijo's share; rounding of a sum, of a coordinate
  double pulls = 0;
  for (uint32_t i = 0; i < q->p->m; i++) pulls += fabs(q->step[q->p->n + i]);
  double lost = last_place * q->p->extent * pulls, before = merit(d, q->potential, q->c);
  for (int i = 0; i < 40; i++, by /= 2) {
    double turned = fmin(d->turn * by, 1), within = fmax(1e-3 * turned * turned * q->p->typical, 1e-14 * q->p->extent);
    problem_move(q->p, q->x, q->step, by, q->y);
    if (!seek_retract(q, q->y, within)) continue;
    double potential = problem_energy(q->p, q->y, &d->magnitude);
    if (!(merit(d, potential, q->c) <= before + enough * by * fmin(slope, 0) + noise * d->magnitude + lost)) continue;
    memcpy(q->x, q->y, q->p->size * sizeof *q->x);
    q->potential = potential;
    return by;
  }
  return 0;
}

// Newton's own step where it is so small that the potential cannot tell any more.
static double go_blindly(Descent *d) {
  Seek *q = d->q;
  problem_move(q->p, q->x, q->step, 1, q->x);
  q->potential = problem_energy(q->p, q->x, &d->magnitude);
  return 1;
}

bool seek_curve_down(Seek *q) {
  Problem *p = q->p;
  double *v = arena_array(q->arena, p->n, sizeof *v), turning, share = 1e-8;
  if (!v) return false;
  KktStatus status = seek_factor(q, share, &turning);
  for (; status != kkt_done && share < 1e6; share *= 4) status = seek_factor(q, share, &turning);
  if (status != kkt_done) return false;
  for (uint32_t i = 0; i < p->n; i++) v[i] = random_normal(q->options->seed, i);
  for (int k = 0; k < 12; k++) {
    problem_metric(p, q->x, v, q->step);
    memset(q->step + p->n, 0, p->m * sizeof *q->step);
    kkt_solve(&q->kkt, q->step, 1, q->room);
    double turn = fmax(problem_turn(p, q->x, q->step), largest_move(q) / p->extent);
    if (!(turn > 0)) return false;
    for (uint32_t i = 0; i < p->n; i++) v[i] = q->step[i] / turn;
  }
  memcpy(q->step, v, p->n * sizeof *v);
  ProblemCurvature c = problem_curvature(p, q->x, q->lambda, v);
  bool falls = c.value < -1e-9 * c.magnitude && c.value < -1e-13 * turning * c.metric && c.value < -c.noise;
  return falls && seek_is_left(q, v, c.metric);
}

// Off a saddle, to the lower side. False: there is none.
static bool leave_saddle(Descent *d) {
  Seek *q = d->q;
  if (!seek_curve_down(q)) return false;
  double slope = 0;
  problem_gradient(q->p, q->x, NULL, q->all, q->gradient);
  for (uint32_t i = 0; i < q->p->n; i++) slope += q->gradient[i] * q->step[i];
  double *way = q->step, before = q->potential;
  memcpy(q->step + q->p->n, q->lambda, q->p->m * sizeof *q->lambda);
  for (uint32_t i = 0; i < q->p->n && slope > 0; i++) way[i] = -way[i];
  d->turn = problem_turn(q->p, q->x, way);
  double by = limit(d, largest_move(q)) / 2;
  for (int side = 0; side < 2; side++) {
    problem_constraints(q->p, q->x, q->c);
    if (go(d, 0, by) > 0 && q->potential < before - 1e-15 * d->magnitude) return true;
    for (uint32_t i = 0; i < q->p->n; i++) way[i] = -way[i];
  }
  return false;
}

static void take_multipliers(Seek *q, double by) {
  for (uint32_t i = 0; i < q->p->m; i++) q->lambda[i] += by * (q->step[q->p->n + i] - q->lambda[i]);
}

// Are the last step and what is out of balance as small as rounding lets them be? Steps that fall by a factor leave
// what the next one would be: that much smaller again.
static bool is_at_end(Descent *d, double turn) {
  const double exact = 1e-12, left = 1e-11, small = 1e-6, sure = 1e-8, slight = 1e-3;
  const uint32_t enough = 3;
  bool stays = turn <= slight && turn > d->last_turn / 4;
  double force = turn <= small || stays ? seek_force_residue(d->q, NULL) : INFINITY;
  bool still = turn <= small && turn > d->last_turn / 4 && force > d->last_force / 4;
  // a slender beam gives so much for so little that its steps never get small: again and again no better is its end
  d->idle = stays && force > d->last_force / 4 ? d->idle + 1 : 0;
  // what is stretched by nothing has no forces to compare with, and goes on
  d->balanced = turn <= sure && turn * (turn / d->last_turn) <= left && seek_balanced(d->q);
  d->last_turn = turn;
  d->last_force = force;
  bool ends = turn <= exact || still || d->balanced || (d->idle >= enough && seek_balanced(d->q));
  if (!ends && (turn <= sure || d->idle >= enough)) d->kept = false; // who looked at the balance has made other factors
  return ends;
}

// The multipliers of a first step in which constraints do not curve: what springs leave, or, where there are none, what
// the metric makes of the loads.
static KktStatus first_multipliers(Descent *d) {
  Seek *q = d->q;
  memset(q->lambda, 0, q->p->m * sizeof *q->lambda);
  find_scales(q, &d->stiffness, &d->turning);
  d->weight = AUGMENT * d->stiffness;
  bool elastic = q->p->s->springs.count || q->p->s->torsions.count;
  if (q->near && !elastic) { // the factors of the way onto the set have the metric alone, as these would
    d->weight = 0;
  } else {
    KktStatus status = factor_convex(d);
    if (status != kkt_done) return status;
  }
  solve(d);
  memcpy(q->lambda, q->step + q->p->n, q->p->m * sizeof *q->lambda);
  return kkt_done;
}

bool seek_newton(Seek *q, double share) {
  Descent d = {.q = q};
  find_scales(q, &d.stiffness, &d.turning);
  d.weight = AUGMENT * d.stiffness;
  if (factor_newton(q, d.stiffness, share * d.turning) != kkt_done) return false;
  solve(&d);
  problem_move(q->p, q->x, q->step, 1, q->x);
  take_multipliers(q, 1);
  return true;
}

static void next_damping(Descent *d, double taken, double wanted) {
  if (taken == wanted && wanted == 1) d->damping = fmax(d->damping / 4, 1e-6);
  else if (taken < wanted) d->damping = fmin(d->damping * 4, 1e3);
}

// Is the residual force rounding error, whatever the step is? Along motions that nothing resists, of the whole
// structure above all, steps are rounding over next to nothing, and never become small.
static bool is_rounding(Seek *q) {
  const double rounding = 1e-14; // of the largest force
  return seek_force_residue(q, NULL) <= rounding * seek_force_scale(q) &&
         seek_length_residue(q) <= rounding * q->p->extent;
}

typedef enum Turnout { turnout_on, turnout_again, turnout_end, turnout_stuck } Turnout;

// One iteration with the factors that are there.
static Turnout advance(Descent *d) {
  Seek *q = d->q;
  double slope = solve(d), move = largest_move(q), wanted = limit(d, move), turn = fmax(d->turn, move / q->p->extent);
  if (d->kept && !(turn < d->last_turn / 10)) { // they do not: with new ones
    d->kept = false;
    d->last_turn = turn;
    return turnout_again;
  }
  bool rests = !d->definite && is_rounding(q);
  if (rests && d->flat) return turnout_end;
  if (!d->definite && (turn < 1e-5 || rests) && !d->flat) { // nothing pulls: a saddle, or directions without stiffness
    take_multipliers(q, 1);
    d->flat = !leave_saddle(d);
    return turnout_on;
  }
  const double small = 1e-3, tiny = 1e-7; // rad; the square of the latter is lost in the potential
  bool newton = d->definite || (d->flat && turn < 1e-5);
  bool quick = newton && (turn < tiny || (turn < small && turn < d->last_turn / 10)); // it converges
  d->kept = quick;
  double taken = quick ? go_blindly(d) : go(d, slope, wanted);
  if (taken > 0) take_multipliers(q, taken);
  if (!d->definite) next_damping(d, taken, wanted);
  if (newton && is_at_end(d, turn)) {
    take_multipliers(q, 1);
    return turnout_end;
  }
  if (taken > 0) return turnout_on;
  if (!d->definite && d->damping < 1e3) return turnout_on;
  return turnout_stuck;
}

BalanceStatus seek_descend(Seek *q) {
  Descent d = {.q = q, .damping = 1e-3, .last_turn = INFINITY, .last_force = INFINITY};
  BalanceStatus status = seek_assemble(q);
  if (status != balance_found) return status;
  memcpy(q->start, q->x, q->p->size * sizeof *q->x);
  problem_accept(q->p, q->x);
  KktStatus first = first_multipliers(&d);
  if (first != kkt_done) return seek_of(first);
  q->potential = problem_energy(q->p, q->x, &d.magnitude);
  const uint32_t most = 2000; // from one start
  for (uint32_t i = 0; i < most && q->iterations < q->options->max && !seek_spent(q); i++) {
    if (seek_interrupted(q)) return balance_interrupted;
    KktStatus made = d.kept ? kkt_done : factor(&d);
    if (made != kkt_done) return seek_of(made);
    Turnout next = advance(&d);
    if (next == turnout_again) continue;
    q->iterations++;
    problem_accept(q->p, q->x);
    if (q->p->s->followers.count) q->potential = problem_energy(q->p, q->x, &d.magnitude);
    seek_tell(q, 0);
    if (next != turnout_on) return d.balanced || seek_balanced(q) ? balance_found : balance_not_converged;
    if (distance(q) > 1e4 * q->p->extent) return balance_unbounded;
  }
  return balance_not_converged;
}

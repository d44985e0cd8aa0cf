// The six methods of Ajuria, Avilés, Bilbao and Navalpotro (1997), as written there; equation numbers in brackets.
//
// One linear system an iteration, with pivoting, and no line search. Penalty factors are in units of sum(s)/(2 r), s
// the stiffness of the r springs, at rest where it is not constant: stiffness with 1000 is (39). Where the document
// errs it is read as its derivation has it: 1/l_i in (38) and (42), and in (44) c at the new point.
#include "statics/seek.h"

#include <math.h>
#include <string.h>

typedef struct MethodRun {
  Seek *q;
  double unit;    // sum(s) / (2 r)
  double most;    // rmax in N/m
  double size;    // a length beyond which nothing can be
  double eps2;    // (76)
  double *before; // x before the iteration, all coordinates
  double *old;    // multipliers before it
} MethodRun;

static bool uses_multipliers(BalanceMethod m) {
  return m == balance_lagrange || m == balance_alm_direct || m == balance_alm_linear || m == balance_alm_quadratic;
}
static bool augmented(BalanceMethod m) { return uses_multipliers(m) && m != balance_lagrange; }

static double stiffness_unit(const Structure *s) {
  double sum = 0, force, slope;
  for (uint32_t i = 0; i < s->springs.count; i++) {
    const StructureSpring *spring = &s->springs.items[i];
    if (spring->law == structure_none) sum += spring->stiffness;
    else {
      s->laws.items[spring->law].value(s->laws.items[spring->law].data, 0, &force, &slope);
      sum += slope;
    }
  }
  return s->springs.count ? sum / (2 * s->springs.count) : 0;
}

static double size_of(const Seek *q) {
  const Structure *s = q->p->s;
  double size = 1, place = 0;
  for (uint32_t i = 0; i < s->nodes * s->dim; i++) place = fmax(place, fabs(s->place[i]));
  for (uint32_t i = 0; i < s->bars.count; i++) size += s->bars.items[i].length;
  for (uint32_t i = 0; i < s->springs.count; i++) size += s->springs.items[i].length;
  return size + place;
}

// (15), (20), (27), (28)
static KktStatus newton(Seek *q) {
  Problem *p = q->p;
  ProblemFill fill = {.energy = true, .follow = true, .lambda = q->lambda};
  problem_gradient(p, q->x, q->lambda, q->all, q->gradient);
  problem_constraints(p, q->x, q->c);
  KktStatus status = kkt_factor_general(&q->kkt, q->x, &fill);
  if (status != kkt_done) return status;
  for (uint32_t i = 0; i < p->n; i++) q->step[i] = -q->gradient[i];
  for (uint32_t i = 0; i < p->m; i++) q->step[p->n + i] = -q->c[i];
  kkt_solve(&q->kkt, q->step, 1, q->room);
  problem_move(p, q->x, q->step, 1, q->x);
  for (uint32_t i = 0; i < p->m; i++) q->lambda[i] += q->step[p->n + i];
  return kkt_done;
}

// (34), (43): one step towards the minimum of V + lambda c + r c^2, lambda 0 for penalties. *moved: the largest change.
static KktStatus minimize_once(Seek *q, double *moved) {
  Problem *p = q->p;
  bool with = augmented(q->options->method);
  double *weighted = q->b;
  ProblemFill fill = {.energy = true,
                      .follow = true,
                      .alone = true,
                      .shifted = true,
                      .lambda = with ? q->lambda : NULL,
                      .weight = 2 * q->r,
                      .corner = 1};
  problem_constraints(p, q->x, q->c);
  for (uint32_t i = 0; i < p->m; i++) weighted[i] = (with ? q->lambda[i] : 0) + 2 * q->r * q->c[i];
  problem_gradient(p, q->x, weighted, q->all, q->gradient);
  KktStatus status = kkt_factor_general(&q->kkt, q->x, &fill);
  if (status != kkt_done) return status;
  memset(q->step, 0, ((size_t)p->n + p->m) * sizeof *q->step);
  for (uint32_t i = 0; i < p->n; i++) q->step[i] = -q->gradient[i];
  kkt_solve(&q->kkt, q->step, 1, q->room);
  *moved = 0;
  for (uint32_t i = 0; i < p->n; i++) *moved = fmax(*moved, fabs(q->step[i]));
  problem_move(p, q->x, q->step, 1, q->x);
  return kkt_done;
}

// (72)-(74): the estimate at the point before, with what its Hessian says about the step from there.
static KktStatus quadratic_estimate(MethodRun *run) {
  Seek *q = run->q;
  Problem *p = q->p;
  double *now = q->y;
  ProblemFill fill = {.energy = true, .follow = true, .alone = true, .lambda = q->lambda, .corner = 1};
  memcpy(now, q->x, p->size * sizeof *now);
  memset(q->b, 0, ((size_t)p->n + p->m) * sizeof *q->b);
  for (uint32_t i = 0; i < p->size; i++) {
    if (p->unknown[i] != structure_none) q->b[p->unknown[i]] = now[i] - run->before[i];
  }
  problem_fill(p, run->before, &fill);
  problem_multiply(p, q->b, q->step);
  problem_gradient(p, run->before, NULL, q->all, q->gradient);
  for (uint32_t i = 0; i < p->n; i++) q->gradient[i] += q->step[i];
  return kkt_multipliers(&q->kkt, run->before, q->gradient, kkt_plain, q->lambda, q->room);
}

static KktStatus new_multipliers(MethodRun *run) {
  Seek *q = run->q;
  Problem *p = q->p;
  if (q->options->method == balance_alm_direct) { // (44)
    problem_constraints(p, q->x, q->c);
    for (uint32_t i = 0; i < p->m; i++) q->lambda[i] += 2 * q->r * q->c[i];
  } else if (q->options->method == balance_alm_linear) { // (48)
    problem_gradient(p, q->x, NULL, q->all, q->gradient);
    return kkt_multipliers(&q->kkt, q->x, q->gradient, kkt_plain, q->lambda, q->room);
  } else if (q->options->method == balance_alm_quadratic) return quadratic_estimate(run);
  return kkt_done;
}

static KktStatus iterate(MethodRun *run) {
  Seek *q = run->q;
  BalanceMethod method = q->options->method;
  double moved;
  if (method == balance_lagrange) return newton(q);
  for (uint32_t i = 0; i < q->options->inner; i++) {
    KktStatus status = minimize_once(q, &moved);
    if (status != kkt_done) return status;
    if (moved < 1e-13 * run->size) break; // the inner minimum is as exact as numbers are
  }
  KktStatus status = new_multipliers(run);
  if (method == balance_penalty) q->r *= q->options->gamma; // (31)
  if (augmented(method)) q->r = fmin(q->r * q->options->gamma, run->most);
  return status;
}

static bool is_lost(const MethodRun *run) {
  const Seek *q = run->q;
  for (uint32_t i = 0; i < q->p->size; i++) {
    if (!(fabs(q->x[i]) <= 1e4 * run->size)) return true;
  }
  return false;
}

// (75)-(77); *change: of multipliers.
static bool criteria(const MethodRun *run, double potential_before, double *change) {
  Seek *q = run->q;
  double squares = 0;
  problem_constraints(q->p, q->x, q->c);
  *change = 0;
  for (uint32_t i = 0; i < q->p->m; i++) {
    squares += q->c[i] * q->c[i];
    *change = fmax(*change, fabs(q->lambda[i] - run->old[i]));
  }
  bool good = squares <= run->eps2 && fabs(q->potential - potential_before) < q->options->eps3;
  return good && (!uses_multipliers(q->options->method) || q->p->m == 0 || *change < q->options->eps1);
}

// What bars pull with where a method has no multipliers. Bars that are only stiff are strained by it. Penalties grow
// until 2 r c is the rounding error of c alone: there it is what leaves the least residual force.
static KktStatus forces_of_bars(const MethodRun *run) {
  Seek *q = run->q;
  if (uses_multipliers(q->options->method)) return kkt_done;
  if (q->options->method == balance_penalty) {
    problem_gradient(q->p, q->x, NULL, q->all, q->gradient);
    return kkt_multipliers(&q->kkt, q->x, q->gradient, kkt_plain, q->lambda, q->room);
  }
  problem_constraints(q->p, q->x, q->c);
  for (uint32_t i = 0; i < q->p->m; i++) q->lambda[i] = 2 * q->r * q->c[i];
  return kkt_done;
}

// The document's criteria look at lengths and at the potential, which stand still in singular configurations too: an
// equilibrium is one by its forces.
static BalanceStatus loop(MethodRun *run) {
  Seek *q = run->q;
  uint32_t held = 0;
  q->potential = problem_energy(q->p, q->x, NULL);
  for (q->iterations = 1; q->iterations <= q->options->max; q->iterations++) {
    double before = q->potential, change;
    if (seek_interrupted(q)) return balance_interrupted;
    memcpy(run->before, q->x, q->p->size * sizeof *q->x);
    memcpy(run->old, q->lambda, q->p->m * sizeof *q->lambda);
    KktStatus status = iterate(run);
    if (status != kkt_done) {
      memcpy(q->x, run->before, q->p->size * sizeof *q->x);
      return seek_of(status);
    }
    if (is_lost(run)) return balance_diverged;
    problem_accept(q->p, q->x);
    q->potential = problem_energy(q->p, q->x, NULL);
    held = criteria(run, before, &change) ? held + 1 : 0;
    seek_tell(q, change);
    if (held < q->options->hold) continue;
    if ((status = forces_of_bars(run)) != kkt_done) return seek_of(status);
    if (seek_carries_loads(q)) return balance_found;
  }
  q->iterations = q->options->max;
  return balance_not_converged;
}

static double largest_step(const Seek *q) {
  double most = 0;
  for (uint32_t i = 0; i < q->p->n; i++) most = fmax(most, fabs(q->step[i]));
  return most;
}

bool seek_polish(Seek *q) {
  MethodRun run = {.q = q, .size = size_of(q)};
  double last = INFINITY;
  for (int i = 0; i < 40; i++) {
    if (newton(q) != kkt_done || is_lost(&run)) return false;
    problem_accept(q->p, q->x);
    double moved = largest_step(q);
    if (moved <= 1e-14 * run.size || (moved <= 1e-9 * run.size && moved > last / 4)) return seek_balanced(q);
    last = moved;
  }
  return false;
}

// How far the strain of bars has moved the nodes: Newton's method goes on from here without strain.
static double strain_error(MethodRun *run) {
  Seek *q = run->q;
  double *kept = run->before, most = 0;
  memcpy(kept, q->x, q->p->size * sizeof *kept);
  bool there = seek_polish(q);
  for (uint32_t i = 0; i < q->p->size; i++) most = fmax(most, fabs(q->x[i] - kept[i]));
  memcpy(q->x, kept, q->p->size * sizeof *kept);
  problem_accept(q->p, q->x);
  return there ? most : NAN;
}

static bool prepare(MethodRun *run) {
  Seek *q = run->q;
  const BalanceOptions *o = q->options;
  run->unit = stiffness_unit(q->p->s);
  run->size = size_of(q);
  run->most = o->rmax * run->unit;
  run->eps2 = o->eps2;
  for (uint32_t i = 0; i < q->p->s->bars.count && o->eps2 == 0; i++) { // a hundredth of each length
    double l = q->p->s->bars.items[i].length;
    run->eps2 += 1e-4 * l * l;
  }
  run->before = arena_array(q->arena, q->p->size, sizeof *run->before);
  run->old = arena_array(q->arena, q->p->m, sizeof *run->old);
  q->r = o->method == balance_lagrange ? 0 : o->r0 * run->unit;
  return run->before && run->old;
}

BalanceStatus seek_by_method(Seek *q, double *position_error) {
  MethodRun run = {.q = q};
  *position_error = 0;
  if (!prepare(&run)) return balance_no_memory;
  if (q->options->method != balance_lagrange && !(run.unit > 0)) return balance_no_stiffness;
  problem_accept(q->p, q->x);
  if (q->options->first_least_squares && q->p->m) {
    problem_gradient(q->p, q->x, NULL, q->all, q->gradient);
    KktStatus status = kkt_multipliers(&q->kkt, q->x, q->gradient, kkt_plain, q->lambda, q->room);
    if (status != kkt_done) return seek_of(status);
  }
  BalanceStatus status = loop(&run);
  if (status == balance_not_converged) {
    KktStatus made = forces_of_bars(&run);
    return made == kkt_done ? status : seek_of(made);
  }
  if (uses_multipliers(q->options->method) || status != balance_found) return status;
  double *kept = arena_array(q->arena, q->p->m, sizeof *kept);
  if (!kept) return balance_no_memory;
  memcpy(kept, q->lambda, q->p->m * sizeof *kept);
  *position_error = strain_error(&run);
  memcpy(q->lambda, kept, q->p->m * sizeof *kept);
  return status;
}

// The stages of a static equilibrium of bars and springs: a method, restarts where it fails, stability, forces.
#include "statics/balance.h"

#include "base/random.h"
#include "statics/seek.h"

#include <math.h>
#include <string.h>

BalanceOptions balance_defaults(BalanceMethod method) {
  BalanceOptions o = {.method = method,
                      .r0 = 1000,
                      .gamma = 1,
                      .rmax = 1000,
                      .eps1 = 1e-6,
                      .eps2 = 1e-12,
                      .eps3 = 1e-9,
                      .hold = 3,
                      .max = 200,
                      .inner = 1,
                      .seed = 1,
                      .restarts = 12,
                      .turn = 0.1};
  if (method == balance_penalty) {
    o.r0 = 1;
    o.gamma = 2;
  }
  if (method == balance_stiffness) o.eps2 = 0;
  if (method == balance_auto) o.max = 26000; // of all descents together
  return o;
}

// ---- what came out

static bool give_forces(Seek *q, BalanceResult *r) {
  const Structure *s = q->p->s;
  double *bars = arena_array(q->arena, s->bar_count, sizeof *bars);
  double *force = arena_array(q->arena, s->springs.count, sizeof *force);
  double *length = arena_array(q->arena, s->springs.count, sizeof *length);
  double *angle = arena_array(q->arena, s->torsions.count, sizeof *angle);
  double *moment = arena_array(q->arena, s->torsions.count, sizeof *moment);
  if (arena_failed(q->arena)) return false;
  Element e;
  for (uint32_t i = 0; i < s->bars.count; i++) {
    if (s->bars.items[i].bar != structure_none) bars[s->bars.items[i].bar] = q->lambda[i];
  }
  for (uint32_t i = 0; i < s->springs.count; i++) {
    element_eval(s, element_spring, i, q->x, 0, &e);
    force[i] = e.force;
    length[i] = e.length;
  }
  for (uint32_t i = 0; i < s->torsions.count; i++) {
    element_eval(s, element_torsion, i, q->x, q->p->angle[i], &e);
    angle[i] = e.angle;
    moment[i] = e.force;
  }
  r->bar_force = bars;
  r->spring_force = force;
  r->spring_length = length;
  r->torsion_angle = angle;
  r->torsion_moment = moment;
  return true;
}

// The force of a line on the node that slides on it, which is the first of the part.
static void add_slider(Seek *q, const ProblemPart *part, double *slider) {
  const Structure *s = q->p->s;
  Element e;
  element_eval(s, part->kind, part->index, q->x, 0, &e);
  for (uint32_t row = 0; row < e.rows; row++) {
    for (uint32_t i = 0; i < s->dim; i++) {
      slider[(size_t)part->index * s->dim + i] -= q->lambda[part->row + row] * e.slope[row][i];
    }
  }
}

// What is out of balance at fixed directions is what supports bring; sliders bring what their multipliers say, and a
// line that stands still is a support.
static bool give_reactions(Seek *q, BalanceResult *r) {
  const Structure *s = q->p->s;
  double *reaction = arena_array(q->arena, (size_t)s->nodes * s->dim, sizeof *reaction);
  double *slider = arena_array(q->arena, (size_t)s->sliders.count * s->dim, sizeof *slider);
  uint8_t *supported = arena_array(q->arena, s->nodes, sizeof *supported);
  if (!reaction || !slider || !supported) return false;
  problem_forces(q->p, q->x, q->lambda, q->all);
  for (uint32_t i = 0; i < s->nodes * s->dim; i++) {
    if (q->p->unknown[i] == structure_none) reaction[i] = q->all[i];
    if (q->p->unknown[i] == structure_none) supported[i / s->dim] = true;
  }
  for (uint32_t k = s->bars.count; k < q->p->first_spring; k++) {
    const ProblemPart *part = &q->p->parts[k];
    if (part->kind != element_slider && part->kind != element_moving_slider) continue;
    add_slider(q, part, slider);
    uint32_t node = s->sliders.items[part->index].node;
    if (part->kind != element_slider) continue;
    supported[node] = true;
    for (uint32_t i = 0; i < s->dim; i++) reaction[node * s->dim + i] += slider[(size_t)part->index * s->dim + i];
  }
  r->supported = supported;
  r->reaction = reaction;
  r->slider_force = slider;
  return true;
}

static bool give_direction(Seek *q, BalanceResult *r) {
  uint32_t all = q->p->s->nodes * q->p->s->dim;
  double *way = arena_array(q->arena, all, sizeof *way), most = 0;
  if (!way) return false;
  for (uint32_t i = 0; i < all; i++) {
    way[i] = q->x[i] - q->start[i];
    most = fmax(most, fabs(way[i]));
  }
  for (uint32_t i = 0; i < all && most > 0; i++) way[i] /= most;
  r->direction = way;
  return true;
}

// Where it is but the rounding error of its terms, or of forces over the structure, it is 0.
static double potential_of(Seek *q) {
  const double lost = 1e-12;
  double magnitude, potential = problem_energy(q->p, q->x, &magnitude);
  magnitude = fmax(magnitude, seek_acting_scale(q) * q->p->extent);
  return fabs(potential) <= lost * magnitude ? 0 : potential;
}

static BalanceResult finish(Seek *q, BalanceStatus status) {
  BalanceResult r = {.status = status,
                     .dim = q->p->s->dim,
                     .nodes = q->p->s->nodes,
                     .x = q->x,
                     .worst_node = structure_none,
                     .r = q->r,
                     .unknowns = q->p->n,
                     .constraints = q->p->m,
                     .conservative = q->p->s->followers.count == 0};
  BalanceStatus judged = seek_judge(q, &r);
  if (judged == balance_no_memory || judged == balance_no_module) r.status = judged;
  bool ok = give_forces(q, &r) && give_reactions(q, &r);
  r.force_residue = seek_largest_force(q, &r.worst_node); // of the forces that reactions are made of
  if (status == balance_unbounded) ok = ok && give_direction(q, &r);
  if (!ok) return (BalanceResult){.status = balance_no_memory};
  r.potential = potential_of(q);
  r.extent = q->p->extent;
  r.largest_force = seek_force_scale(q);
  r.length_residue = seek_length_residue(q);
  r.iterations = q->iterations;
  r.restarts = q->restarts;
  r.evaluations = q->p->evaluations;
  r.factorizations = q->kkt.factorizations;
  return r;
}

// ---- auto

// Another start: every free coordinate displaced by a part of the typical bar length, more each time.
static void scatter_start(Seek *q, const double *start, uint32_t attempt) {
  double by = q->p->typical * 0.05 * (double)attempt;
  problem_start(q->p, start, q->x);
  for (uint32_t i = 0; i < q->p->s->nodes * q->p->s->dim; i++) {
    if (q->p->unknown[i] != structure_none) q->x[i] += by * random_normal(q->options->seed + attempt, i);
  }
  problem_start(q->p, q->x, q->x);
}

static bool is_final(BalanceStatus status) {
  return status == balance_found || status == balance_unbounded || status == balance_interrupted ||
         status == balance_no_memory || status == balance_no_module;
}

// Descent; loads that follow have no potential, so Newton's method with their derivatives ends it. Of a mechanism its
// matrix is singular: there the end of the descent may be in balance already.
static BalanceStatus go_down(Seek *q) {
  BalanceStatus status = seek_descend(q);
  if (q->p->s->followers.count == 0 || (status != balance_found && status != balance_not_converged)) return status;
  double *x = arena_array(q->arena, q->p->size, sizeof *x), *lambda = arena_array(q->arena, q->p->m, sizeof *lambda);
  if (!x || !lambda) return balance_no_memory;
  memcpy(x, q->x, q->p->size * sizeof *x);
  memcpy(lambda, q->lambda, q->p->m * sizeof *lambda);
  if (seek_polish(q)) return balance_found;
  memcpy(q->x, x, q->p->size * sizeof *x);
  memcpy(q->lambda, lambda, q->p->m * sizeof *lambda);
  problem_accept(q->p, q->x);
  return seek_balanced(q) ? balance_found : balance_not_converged;
}

static BalanceStatus run_auto(Seek *q, const double *start) {
  BalanceStatus status = go_down(q), first = status;
  double *kept = arena_array(q->arena, q->p->size, sizeof *kept);
  double *pulled = arena_array(q->arena, q->p->m, sizeof *pulled);
  if (!kept || !pulled) return balance_no_memory;
  memcpy(kept, q->x, q->p->size * sizeof *kept);
  memcpy(pulled, q->lambda, q->p->m * sizeof *pulled);
  while (!is_final(status) && q->restarts < q->options->restarts && q->iterations < q->options->max && !seek_spent(q)) {
    q->restarts++;
    memset(q->lambda, 0, q->p->m * sizeof *q->lambda);
    scatter_start(q, start, q->restarts);
    status = go_down(q);
  }
  if (is_final(status)) return status;
  memcpy(q->x, kept, q->p->size * sizeof *kept);
  memcpy(q->lambda, pulled, q->p->m * sizeof *pulled);
  return first;
}

BalanceResult balance_find(Arena *arena, const Structure *s, const double *start, const BalanceOptions *options) {
  Seek q;
  if (!seek_init(arena, &q, s, options)) return (BalanceResult){.status = balance_no_memory};
  double position_error = 0;
  problem_start(q.p, start, q.x);
  memcpy(q.start, q.x, q.p->size * sizeof *q.x);
  BalanceStatus status = options->method == balance_auto ? run_auto(&q, start) : seek_by_method(&q, &position_error);
  BalanceResult r = finish(&q, status);
  r.position_error = position_error;
  kkt_clear(&q.kkt);
  return r;
}

BalanceResult balance_assemble(Arena *arena, const Structure *s, const BalanceOptions *options) {
  Seek q;
  if (!seek_init(arena, &q, s, options)) return (BalanceResult){.status = balance_no_memory};
  problem_start(q.p, NULL, q.x);
  memcpy(q.start, q.x, q.p->size * sizeof *q.x);
  BalanceStatus status = seek_assemble(&q);
  if (status == balance_found) { // to rounding, as far as the factors of the last step lead
    memcpy(q.y, q.x, q.p->size * sizeof *q.x);
    if (seek_retract(&q, q.y, 1e-14 * q.p->extent)) memcpy(q.x, q.y, q.p->size * sizeof *q.x);
  }
  BalanceResult r = {.status = status, .dim = s->dim, .nodes = s->nodes, .x = q.x, .iterations = q.iterations};
  r.unknowns = q.p->n;
  r.constraints = q.p->m;
  if (q.c) r.length_residue = seek_length_residue(&q);
  if (status == balance_infeasible && seek_judge(&q, &r) == balance_no_memory) r.status = balance_no_memory;
  kkt_clear(&q.kkt);
  return r;
}

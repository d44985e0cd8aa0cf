// Work arrays and residuals of an equilibrium search. See seek.h.
#include "statics/seek.h"

#include <math.h>
#include <string.h>

// About what a problem over this structure takes: bars have a constraint,
// and bars and springs four blocks of the matrix.
static size_t expected(const Structure *s) {
  size_t dim = s->dim, lines = (size_t)s->bars.count + s->springs.count, entry = sizeof(double) + sizeof(uint32_t);
  size_t matrix = entry * (2 * dim * dim * lines + dim * dim * s->nodes + 4 * dim * s->bars.count);
  size_t vectors = sizeof(double) * (16 * dim * s->nodes + 10 * (size_t)s->bars.count);
  return matrix + vectors + 40 * lines + 32 * (size_t)s->nodes;
}

bool seek_init(Arena *arena, Seek *q, const Structure *s, const BalanceOptions *options) {
  arena_expect(arena, expected(s));
  *q = (Seek){.arena = arena, .options = options, .p = problem_new(arena, s)};
  if (!q->p || !kkt_init(arena, &q->kkt, q->p)) return false;
  size_t size = q->p->size, order = (size_t)q->p->n + q->p->m;
  q->x = arena_array(arena, size, sizeof(double));
  q->y = arena_array(arena, size, sizeof(double));
  q->start = arena_array(arena, size, sizeof(double));
  q->all = arena_array(arena, size, sizeof(double));
  q->lambda = arena_array(arena, q->p->m, sizeof(double));
  q->c = arena_array(arena, q->p->m, sizeof(double));
  q->gradient = arena_array(arena, q->p->n, sizeof(double));
  q->step = arena_array(arena, order, sizeof(double));
  q->b = arena_array(arena, order, sizeof(double));
  q->room = arena_array(arena, 2 * order, sizeof(double));
  return !arena_failed(arena);
}

BalanceStatus seek_of(KktStatus status) {
  switch (status) {
  case kkt_no_module: return balance_no_module;
  case kkt_no_memory: return balance_no_memory;
  default: return balance_singular_matrix;
  }
}

bool seek_interrupted(const Seek *q) { return q->options->interrupted && q->options->interrupted(q->options->context); }

bool seek_spent(const Seek *q) {
  const double most = 1e8;
  return (double)q->kkt.factorizations * ((double)q->p->n + q->p->m) > most;
}

double seek_length_residue(Seek *q) {
  double most = 0;
  problem_constraints(q->p, q->x, q->c);
  for (uint32_t i = 0; i < q->p->m; i++) most = larger(most, fabs(q->c[i]));
  return most;
}

double seek_force_residue(Seek *q, uint32_t *worst) {
  problem_forces(q->p, q->x, q->lambda, q->all);
  return seek_largest_force(q, worst);
}

// What pushes a slider along its moving line, which nothing resists: at the nodes of a line that is short against where
// the slider is on it, this is as many times larger.
static double force_along(const Seek *q, const StructureSlider *slider) {
  const Structure *s = q->p->s;
  uint32_t at = s->nodes * s->dim + slider->extra;
  double square = 0;
  for (uint32_t i = 0; i < s->dim; i++) {
    double line = q->x[(size_t)slider->d * s->dim + i] - q->x[(size_t)slider->c * s->dim + i];
    square += line * line;
  }
  return fabs(q->all[at]) * slider->scale / sqrt(square) * fmax(1, fabs(q->x[at] / slider->scale));
}

double seek_largest_force(const Seek *q, uint32_t *worst) {
  const Structure *s = q->p->s;
  double most = 0;
  for (uint32_t i = 0; i < s->nodes * s->dim; i++) {
    if (q->p->unknown[i] == structure_none || !(fabs(q->all[i]) > most)) continue;
    most = fabs(q->all[i]);
    if (worst) *worst = i / s->dim;
  }
  for (uint32_t k = 0; k < s->sliders.count; k++) {
    if (s->sliders.items[k].c == structure_none) continue;
    double along = force_along(q, &s->sliders.items[k]);
    if (!(along > most)) continue;
    most = along;
    if (worst) *worst = s->sliders.items[k].node;
  }
  return most;
}

double seek_acting_scale(const Seek *q) {
  const Structure *s = q->p->s;
  double most = 0;
  Element e;
  for (uint32_t i = 0; i < s->nodes * s->dim; i++) most = larger(most, fabs(s->force[i]));
  for (uint32_t i = 0; i < 3 * s->followers.count; i++) most = larger(most, fabs(q->p->follow[i]));
  for (uint32_t i = 0; i < s->springs.count; i++) {
    element_eval(s, element_spring, i, q->x, 0, &e);
    most = larger(most, fabs(e.force));
  }
  for (uint32_t i = 0; i < s->torsions.count; i++) {
    element_eval(s, element_torsion, i, q->x, q->p->angle[i], &e);
    for (uint32_t j = 0; j < e.dofs; j++) most = larger(most, fabs(e.gradient[j]));
  }
  return most;
}

double seek_force_scale(Seek *q) {
  double most = seek_acting_scale(q);
  for (uint32_t i = 0; i < q->p->m; i++) most = larger(most, fabs(q->lambda[i]));
  return most;
}

// What springs pull with where coordinates are off by their rounding, and angles by theirs. An arm of a torsion spring
// that vanishes is as stiff as one likes: it does not count.
static double rounding_of_springs(const Seek *q) {
  const Structure *s = q->p->s;
  const double digits = 4 * 0x1p-52, least_arm = 1e-3; // of the structure
  double most = 0, force, slope;
  Element e;
  for (uint32_t i = 0; i < s->springs.count; i++) {
    element_eval(s, element_spring, i, q->x, 0, &e);
    element_spring_law(s, &s->springs.items[i], e.length - s->springs.items[i].length, &force, &slope);
    most = fmax(most, fabs(slope) * q->p->extent);
  }
  for (uint32_t i = 0; i < s->torsions.count; i++) {
    const StructureTorsion *t = &s->torsions.items[i];
    double a = 0, c = 0;
    for (uint32_t k = 0; k < s->dim; k++) {
      a += pow(q->x[t->a * s->dim + k] - q->x[t->b * s->dim + k], 2);
      c += pow(q->x[t->c * s->dim + k] - q->x[t->b * s->dim + k], 2);
    }
    double arm = sqrt(fmin(a, c)), turn = q->p->extent / arm + fabs(t->rest);
    if (arm >= least_arm * q->p->extent) most = fmax(most, fabs(t->stiffness) / arm * turn);
  }
  return digits * most;
}

// Where constraints depend on each other multipliers may hold any state of self-stress, which is no measure of forces:
// the largest one of least norm is.
static double largest_pull(Seek *q) {
  double most = 0;
  if (!q->least && !(q->least = arena_array(q->arena, q->p->m, sizeof *q->least))) return 0;
  problem_gradient(q->p, q->x, NULL, q->all, q->gradient);
  if (kkt_multipliers(&q->kkt, q->x, q->gradient, kkt_minimal, q->least, q->room) != kkt_done) return 0;
  for (uint32_t i = 0; i < q->p->m; i++) most = larger(most, fabs(q->least[i]));
  return most;
}

// Loads that stretch springs by little more than coordinates are rounded by; without a load, springs at rest.
static bool is_rounding(const Seek *q, double force) {
  const Structure *s = q->p->s;
  double load = 0;
  for (uint32_t i = 0; i < s->nodes * s->dim; i++) load = larger(load, fabs(s->force[i]));
  return (load == 0 || force <= 1e-4 * load) && force <= rounding_of_springs(q);
}

bool seek_balanced(Seek *q) {
  const double part = 1e-7;
  double scale = seek_force_scale(q), force = seek_force_residue(q, NULL), length = seek_length_residue(q);
  if (length > 1e-9 * q->p->extent) return false;
  if (force <= part * seek_acting_scale(q)) return true;
  if (force <= part * scale) return force <= part * largest_pull(q);
  return is_rounding(q, force);
}

bool seek_carries_loads(Seek *q) {
  const double part = 1e-4;
  double force = seek_force_residue(q, NULL);
  return force <= part * seek_acting_scale(q) || is_rounding(q, force);
}

bool seek_is_left(Seek *q, const double *v, double metric) {
  const double strained = 1e-4; // of the metric's norm
  Problem *p = q->p;
  double sum = 0;
  memcpy(q->b, v, p->n * sizeof *v);
  memset(q->b + p->n, 0, p->m * sizeof *q->b);
  problem_multiply(p, q->b, q->room);
  for (uint32_t i = p->n; i < p->n + p->m; i++) sum += q->room[i] * q->room[i];
  return sqrt(sum) <= strained * p->typical * sqrt(metric);
}

void seek_tell(Seek *q, double change) {
  if (!q->options->step) return;
  BalanceStep step = {.iteration = q->iterations,
                      .x = q->x,
                      .potential = q->potential,
                      .length_residue = seek_length_residue(q),
                      .force_residue = seek_force_residue(q, NULL),
                      .multiplier_change = change,
                      .r = q->r};
  q->options->step(q->options->context, &step);
}

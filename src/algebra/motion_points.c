// A counterexample search: both sides of an equation at points that satisfy M a + h = 0, and constraints where there
// are some.
//
// in    lhs, rhs; M, h, A of the coordinates involved; values of coordinates without inertia
// out   a counterexample: a point where the sides differ; or, at the first points where they agree, the row
//       lambda = A M^-1
// how   small rational values for every symbol but the accelerations (expr/evaluate.c), a = -M^-1 h by elimination,
//       then both sides and their parts. Where values are balls, a factor lambda_i counts as 0 unless it certainly is
//       not.
//
// A point counts only if every intermediate expression has a value there; other points are of no use, and say why.
#include "algebra/motion_parts.h"

#include "expr/calculus.h"

// From the ninth point on, values that are no rational numbers get more bits than the 128 of the start: then it was no
// accident that none could be distinguished from zero.
enum { plain_attempts = 7, most_bits = 1024 };

ExprId *motion_roots(MotionCheck *m, uint32_t *count) {
  uint32_t k = m->k;
  ExprId *roots = arena_array(m->arena,
                              (size_t)k * k + (size_t)2 * k + 3 + m->inertialess.symbols.count +
                                  m->constrained.values.count + m->part_count,
                              sizeof *roots);
  if (!roots) return NULL;
  uint32_t n = 0;
  for (uint32_t i = 0; i < k * k; i++) roots[n++] = m->M[i];
  for (uint32_t i = 0; i < k; i++) roots[n++] = m->h[i];
  for (uint32_t i = 0; i < k && m->linear; i++) roots[n++] = m->A[i];
  for (uint32_t i = 0; i < m->inertialess.symbols.count; i++) roots[n++] = m->inertialess.values.items[i];
  for (uint32_t i = 0; i < m->constrained.values.count; i++) roots[n++] = m->constrained.values.items[i];
  roots[n++] = m->lhs;
  roots[n++] = m->rhs;
  for (uint32_t i = 0; i < m->part_count; i++) roots[n++] = m->parts[i];
  *count = n;
  return roots;
}

// Accelerations by the model at the point. False: not here.
static bool accelerate(MotionCheck *m, Point *p, const Num *value) {
  uint32_t k = m->k;
  Num *M = arena_array(m->arena, (size_t)k * k, sizeof *M), *f = arena_array(m->arena, k, sizeof *f),
      *a = arena_array(m->arena, k, sizeof *a);
  if (!M || !f || !a) return false;
  for (uint32_t i = 0; i < k * k; i++) M[i] = value[i];
  for (uint32_t i = 0; i < k; i++) f[i] = num_sub(p, num_of(p, RAT_ZERO), value[k * k + i]);
  if (!point_solve(p, M, f, k, a)) return false;
  for (uint32_t i = 0; i < k; i++) point_set(p, motion_unknown(m, i), a[i]);
  return true;
}

// lambda M = A
static Num *solve_lambda(MotionCheck *m, Point *p, const Num *value) {
  uint32_t k = m->k;
  Num *Mt = arena_array(m->arena, (size_t)k * k, sizeof *Mt), *A = arena_array(m->arena, k, sizeof *A),
      *lambda = arena_array(m->arena, k, sizeof *lambda);
  if (!Mt || !A || !lambda) return NULL;
  for (uint32_t i = 0; i < k; i++) {
    for (uint32_t j = 0; j < k; j++) Mt[j * k + i] = value[i * k + j];
    A[i] = value[k * k + k + i];
  }
  return point_solve(p, Mt, A, k, lambda) ? lambda : NULL;
}

// What was solved for belongs to the point, too; `end`: behind its values.
static void put_solved(const MotionCheck *m, Point *p, const Num *end) {
  const ConstraintSet *c = &m->constrained;
  const Num *value = end - c->values.count;
  for (uint32_t i = 0; i < c->symbols.count; i++) point_set(p, c->symbols.items[i], value[i]);
  value -= m->inertialess.symbols.count;
  for (uint32_t i = 0; i < m->inertialess.symbols.count; i++) point_set(p, m->inertialess.symbols.items[i], value[i]);
}

// 1: the sides differ, 0: no difference was found, -1: no value here.
static int look_at(MotionCheck *m, uint32_t attempt) {
  uint32_t count;
  ExprId *roots = motion_roots(m, &count);
  Num *value = arena_array(m->arena, count, sizeof *value);
  Point p;
  int out = -1;
  if (!roots || !value) return -1;
  if (point_open(&p, m->pool, m->arena, roots, count, attempt, m->exact)) {
    if (attempt > plain_attempts) p.bits = most_bits;
    // everything but the sides and their parts first: they need the accelerations
    uint32_t first = count - 2 - m->part_count;
    Num *both = value + first;
    bool here = point_eval(&p, roots, first, value) && accelerate(m, &p, value);
    if (here) put_solved(m, &p, value + first);
    if (here && point_eval(&p, roots + first, 2 + m->part_count, both)) {
      int sign = num_sign(&p, num_sub(&p, both[0], both[1]));
      out = sign == 1 || sign == -1;
      if (out) witness_take(&m->out.witness, &p, both[0], both[1]);
      if (!out && m->points < enough_points && m->linear && m->exact) m->lambda[m->points] = solve_lambda(m, &p, value);
      if (!out && m->points < enough_points && m->linear && !m->exact) {
        // which factors are certainly not zero
        Num *lambda = solve_lambda(m, &p, value);
        for (uint32_t i = 0; lambda && i < m->k; i++)
          lambda[i] = (Num){.r = num_sign(&p, lambda[i]) == 2 || num_sign(&p, lambda[i]) == 0 ? RAT_ZERO
                                                                                              : rat_int(1 + m->points)};
        m->lambda[m->points] = lambda;
      }
    }
  }
  if (out < 0 && p.why) m->no_value = p.why;
  m->undefined = m->undefined || p.undefined;
  point_close(&p);
  return out;
}

bool motion_find_witness(MotionCheck *m, uint32_t *attempt, uint32_t enough) {
  for (; *attempt < most_points && m->points < enough; ++*attempt) {
    int answer = look_at(m, *attempt);
    if (answer == 1) return true;
    m->points += answer == 0;
  }
  return false;
}

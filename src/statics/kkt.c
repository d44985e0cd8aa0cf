// Factors of Newton's system. See the head of kkt.h.
#include "statics/kkt.h"

#include <math.h>
#include <string.h>

bool kkt_init(Arena *arena, Kkt *k, Problem *p) {
  *k = (Kkt){.p = p};
  k->residue = arena_array(arena, (size_t)p->n + p->m, sizeof *k->residue);
  k->correction = arena_array(arena, (size_t)p->n + p->m, sizeof *k->correction);
  return k->residue && k->correction;
}

void kkt_clear(Kkt *k) {
  sparse_free(k->symmetric);
  sparse_free(k->general);
  k->symmetric = k->general = NULL;
}

static KktStatus factor(Kkt *k, Sparse **which, SparseKind kind, const double *x, const ProblemFill *fill) {
  Problem *p = k->p;
  if (!*which && kind == sparse_symmetric)
    *which = sparse_new_bordered(p->n + p->m, p->start, p->row, p->n, p->group, p->backwards);
  if (!*which && kind == sparse_general) *which = sparse_new(p->n + p->m, p->start, p->row, kind);
  if (!*which) return kkt_no_module;
  problem_fill(p, x, fill);
  k->factorizations++;
  k->weight = fill->weight;
  SparseStatus status = sparse_factor(*which, p->values);
  if (status == sparse_no_memory) return kkt_no_memory;
  return status == sparse_done ? kkt_done : kkt_singular;
}

KktStatus kkt_factor(Kkt *k, const double *x, const ProblemFill *fill) {
  KktStatus status = factor(k, &k->symmetric, sparse_symmetric, x, fill);
  k->pivoted = false;
  return status == kkt_done && sparse_negative(k->symmetric) != k->p->m ? kkt_indefinite : status;
}

KktStatus kkt_factor_general(Kkt *k, const double *x, const ProblemFill *fill) {
  k->pivoted = true;
  return factor(k, &k->general, sparse_general, x, fill);
}

uint32_t kkt_negative(const Kkt *k) {
  uint32_t all = sparse_negative(k->symmetric);
  return all > k->p->m ? all - k->p->m : 0;
}

double kkt_least(const Kkt *k) { return sparse_least(k->symmetric, k->p->n) * k->weight; }

static double largest(const double *v, uint32_t from, uint32_t to) {
  double most = 0;
  for (uint32_t i = from; i < to; i++) most = larger(most, fabs(v[i]));
  return most;
}

void kkt_solve(Kkt *k, double *b, uint32_t refinements, double *room) {
  Problem *p = k->p;
  uint32_t order = p->n + p->m;
  const Sparse *factors = k->pivoted ? k->general : k->symmetric;
  memcpy(room, b, order * sizeof *b);
  sparse_solve(factors, b, 1);
  kkt_refine(k, b, refinements, room);
}

void kkt_refine(Kkt *k, double *b, uint32_t refinements, const double *room) {
  Problem *p = k->p;
  uint32_t order = p->n + p->m;
  const Sparse *factors = k->pivoted ? k->general : k->symmetric;
  const double enough = 1e-15; // of the right-hand side: rounding
  if (!refinements) return;
  // lengths below this are rounding of coordinates, whatever the right-hand side asks for
  double force = largest(room, 0, p->n), length = fmax(largest(room, p->n, order), 1e-13 * p->extent), last = INFINITY;
  for (uint32_t i = 0; i < refinements; i++) {
    problem_multiply(p, b, k->residue);
    for (uint32_t j = 0; j < order; j++) k->residue[j] = room[j] - k->residue[j];
    double left = 0;
    if (force > 0) left = fmax(left, largest(k->residue, 0, p->n) / force);
    left = fmax(left, largest(k->residue, p->n, order) / length);
    if (!(left > enough) || !(left < last / 2)) break;
    last = left;
    memcpy(k->correction, k->residue, order * sizeof *b);
    sparse_solve(factors, k->correction, 1);
    for (uint32_t j = 0; j < order; j++) b[j] += k->correction[j];
  }
}

KktStatus kkt_multipliers(Kkt *k, const double *x, const double *gradient, KktMeasure measure, double *lambda,
                          double *room) {
  Problem *p = k->p;
  uint32_t order = p->n + p->m;
  // In the metric numbers are 1/l^2, else 1: what is small against what the constraints bring. What is not unique is
  // lost in rounding over the corner, so that it is larger for the least norm, and refined more often.
  bool metric = measure == kkt_turns;
  double small = measure == kkt_minimal ? 1e-6 : 1e-11;
  ProblemFill fill = {.metric = metric, .corner = -small * (metric ? p->typical * p->typical : 1)};
  k->pivoted = false;
  if (!k->symmetric) k->symmetric = sparse_new_bordered(order, p->start, p->row, p->n, p->group, p->backwards);
  if (!k->symmetric) return kkt_no_module;
  problem_fill(p, x, &fill);
  for (uint32_t i = 0; i < p->n && !metric; i++) p->values[p->diagonal[i]] = 1;
  k->factorizations++;
  SparseStatus status = sparse_factor(k->symmetric, p->values);
  if (status != sparse_done) return status == sparse_no_memory ? kkt_no_memory : kkt_singular;
  double *b = room + order;
  for (uint32_t i = 0; i < order; i++) b[i] = i < p->n ? -gradient[i] : 0;
  kkt_solve(k, b, measure == kkt_minimal ? 20 : 4, room);
  memcpy(lambda, b + p->n, p->m * sizeof *lambda);
  return kkt_done;
}

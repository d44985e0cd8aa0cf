// The rank of G at the start, and singular places there. A part of assembly.h.
//
// Rank is that of the constraint set, not of one place of it. Where rows of G depend on each other at the start, or
// vanish, places beside it are looked at: a short way along the velocity, or along what G leaves open, and from there
// back onto the constraints. If the rank is larger there, the start is a singular place; the rank beside it counts, and
// singular_leap.c leads away from it. A row that vanishes on all these places but not around them is that of a square,
// or of a place that stands alone: it says nothing of velocities.
#include "sim/assembly.h"

#include <string.h>

static const double smallest_row = 1e-9;    // beside its length of 1
static const double smallest_beside = 1e-7; // beside its typical length, where linear ones have `beside`
static const double beside = 1e-3;          // of the unit: how far away is looked

typedef struct GramRows {
  uint32_t m, n;
  double *given, *left; // m by n: the rows of G, and what is left of them
  bool *used;
  double smallest; // rows that are not longer follow from the others, or bind nothing
} GramRows;

static bool is_small(const GramRows *x, uint32_t k) {
  const double *row = x->given + (size_t)k * x->n;
  double norm = 0;
  for (uint32_t i = 0; i < x->n; i++) norm += row[i] * row[i];
  return !(sqrt(norm) > x->smallest);
}

// How many rows are independent, without one of them (m: with all): they are made orthogonal, the largest first.
static uint32_t rank_without(GramRows *x, uint32_t without) {
  uint32_t n = x->n, rank = 0;
  memcpy(x->left, x->given, (size_t)x->m * n * sizeof *x->left);
  for (uint32_t k = 0; k < x->m; k++) x->used[k] = k == without;
  for (;; rank++) {
    uint32_t best = x->m;
    double most = x->smallest;
    for (uint32_t k = 0; k < x->m; k++) {
      const double *row = x->left + (size_t)k * n;
      double norm = 0;
      for (uint32_t i = 0; i < n; i++) norm += row[i] * row[i];
      if (!x->used[k] && sqrt(norm) > most) most = sqrt(norm), best = k;
    }
    if (best == x->m) return rank;
    double *pivot = x->left + (size_t)best * n;
    x->used[best] = true;
    for (uint32_t i = 0; i < n; i++) pivot[i] /= most;
    for (uint32_t k = 0; k < x->m; k++) {
      double *row = x->left + (size_t)k * n, dot = 0;
      for (uint32_t i = 0; i < n && !x->used[k]; i++) dot += row[i] * pivot[i];
      for (uint32_t i = 0; i < n && !x->used[k]; i++) row[i] -= dot * pivot[i];
    }
  }
}

// Rows of G at a->y, as they are or in parts of their typical size.
static void take_rows(Assembly *a, GramRows *x, bool typical) {
  const double *scale = a->r->constraints.scale;
  memset(x->given, 0, (size_t)x->m * x->n * sizeof *x->given);
  for (uint32_t k = 0; k < x->m; k++) {
    double by = typical && a->typical[k] > 0 ? scale[k] / a->typical[k] : 1;
    for (uint32_t e = a->plan->start[k]; e < a->plan->start[k + 1]; e++)
      x->given[(size_t)k * x->n + a->plan->column[e]] += by * a->G[e];
  }
}

// Which rows follow from the others, so that their multipliers are not unique; which bind nothing.
static void mark_rows(Assembly *a, GramRows *x) {
  ConstraintRun *c = &a->r->constraints;
  for (uint32_t k = 0; k < x->m; k++) {
    c->idle[k] = *c->rank < x->m && is_small(x, k);
    c->dependent[k] = *c->rank < x->m && !c->idle[k] && rank_without(x, k) == *c->rank;
  }
}

// ---- places beside the start

// The way to look along: the velocity, then chance; of which what G at the start leaves open. False: nothing is open.
static bool find_way(Assembly *a, int round, uint64_t *chance, double *way) {
  uint32_t n = a->plan->coord_count;
  double most = 0;
  for (uint32_t i = 0; i < n; i++) way[i] = round ? assembly_chance(chance) : a->y[a->plan->coords[i].v];
  a->rates = true;
  assembly_evaluate(a);
  for (uint32_t k = 0; k < a->plan->count; k++) {
    a->res[k] = 0;
    for (uint32_t e = a->plan->start[k]; e < a->plan->start[k + 1]; e++) a->res[k] += a->G[e] * way[a->plan->column[e]];
  }
  if (round && assembly_step(a, 1e-14)) {
    for (uint32_t i = 0; i < n; i++) way[i] += a->d[i];
  }
  for (uint32_t i = 0; i < n; i++) most = fmax(most, fabs(way[i]));
  for (uint32_t i = 0; i < n; i++) way[i] *= beside * a->unit / fmax(most, 1e-300);
  return most > 0;
}

// From the start along a way and onto the constraints; a->y is there. False: there is no place but the start.
static bool go_beside(Assembly *a, const double *start, const double *way) {
  const ConstraintPlan *plan = a->plan;
  double far = 0;
  a->rates = false;
  for (uint32_t i = 0; i < plan->coord_count; i++) a->y[plan->coords[i].q] += way[i];
  if (!assembly_search(a)) return false;
  for (uint32_t i = 0; i < plan->coord_count; i++)
    far = fmax(far, fabs(a->y[plan->coords[i].q] - start[plan->coords[i].q]));
  return far > 0.2 * beside * a->unit;
}

// Of many constraints: of [1 G'; G e] as many eigenvalues are negative as G G' has above e.
static uint32_t sparse_rank(Assembly *a) {
  return assembly_factor(a, 1e-14) ? sparse_negative(a->sparse) : a->plan->count;
}

// The same as look_beside for many constraints, whose rows are not taken apart.
static void look_beside_sparse(Assembly *a, double *start, double *way) {
  enum { rounds = 3 };
  ConstraintRun *c = &a->r->constraints;
  size_t bytes = a->r->p->y.count * sizeof *start;
  uint64_t chance = 1;
  memcpy(start, a->y, bytes);
  for (int round = 0; round < rounds && *c->rank < a->plan->count; round++) {
    if (find_way(a, round, &chance, way) && go_beside(a, start, way)) {
      a->rates = true;
      assembly_evaluate(a);
      uint32_t rank = sparse_rank(a);
      if (rank > *c->rank) {
        *c->rank = rank;
        c->singular->start = start_singular;
      }
    }
    memcpy(a->y, start, bytes);
  }
  a->rates = true;
  assembly_evaluate(a); // the sizes of the start again
}

// The largest rank of places beside the start; its rows, with the sizes that are typical, count from there on.
static void look_beside(Assembly *a, GramRows *x, double *start, double *way) {
  enum { rounds = 5 };
  ConstraintRun *c = &a->r->constraints;
  size_t bytes = a->r->p->y.count * sizeof *start;
  uint64_t chance = 1;
  memcpy(start, a->y, bytes);
  for (int round = 0; round < rounds && *c->rank < x->m; round++) {
    if (find_way(a, round, &chance, way) && go_beside(a, start, way)) {
      a->rates = true;
      assembly_evaluate(a);
      take_rows(a, x, true);
      uint32_t rank = rank_without(x, x->m);
      if (rank > *c->rank) {
        *c->rank = rank;
        c->singular->start = start_singular;
        mark_rows(a, x);
      }
    }
    memcpy(a->y, start, bytes);
  }
  if (c->singular->start == start_singular) {
    for (uint32_t k = 0; k < x->m; k++) c->scale[k] = a->typical[k] > 0 ? a->typical[k] : 1;
  } else assembly_evaluate(a); // the sizes of the start again
}

// A row that vanishes at the start and beside it, but not around it.
static void find_squares(Assembly *a) {
  ConstraintRun *c = &a->r->constraints;
  for (uint32_t k = 0; k < a->plan->count && c->singular->start == start_regular; k++) {
    if (!c->idle[k] || !(a->typical[k] > 0)) continue;
    c->singular->start = start_squared;
    c->singular->squared = k;
  }
}

bool assembly_rank(Assembly *a) {
  uint32_t n = a->plan->coord_count, m = a->plan->count;
  ConstraintRun *c = &a->r->constraints;
  a->rates = true;
  a->fixed = NULL;
  assembly_evaluate(a);
  if (a->sparse) {
    double *from = arena_array(a->arena, a->r->p->y.count, sizeof *from), *on = arena_array(a->arena, n, sizeof *on);
    if (!from || !on) return false;
    *c->rank = sparse_rank(a);
    if (*c->rank < m) look_beside_sparse(a, from, on);
    return true;
  }
  GramRows rows = {.m = m, .n = n, .smallest = smallest_row};
  rows.given = arena_array(a->arena, (size_t)m * n, sizeof *rows.given);
  rows.left = arena_array(a->arena, (size_t)m * n, sizeof *rows.left);
  rows.used = arena_array(a->arena, m, sizeof *rows.used);
  double *start = arena_array(a->arena, a->r->p->y.count, sizeof *start), *way = arena_array(a->arena, n, sizeof *way);
  if (!rows.given || !rows.left || !rows.used || !start || !way) return false;
  take_rows(a, &rows, false);
  *c->rank = rank_without(&rows, m);
  mark_rows(a, &rows);
  if (*c->rank == m) return true;
  rows.smallest = smallest_beside;
  look_beside(a, &rows, start, way);
  find_squares(a);
  return true;
}

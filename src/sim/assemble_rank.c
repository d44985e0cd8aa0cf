// Rank of the constraint Jacobian G at the start, redundant constraints, singular configurations. A part of assembly.h.
//
// The rank is that of the constraint manifold, not of one configuration on it. Where rows of G are dependent or vanish
// at the start, configurations beside it are evaluated: a small step along the velocity, or along the null space of G,
// and from there back onto the constraints. If the rank is larger there, the start is a singular configuration; the
// rank beside it counts, and singular_leap.c leads away from it. A row that vanishes at all these configurations but
// not around them is that of a square, or of an isolated solution: it constrains no velocity.
#include "sim/assembly.h"

#include <string.h>

static const double smallest_row = 1e-9;    // beside its length of 1
static const double smallest_beside = 1e-7; // beside its typical length, where linear ones have `beside`
static const double beside = 1e-3;          // of the unit: how far away is looked
// Accelerations come from G M^-1 G', whose entries are squares: kernels call a pivot dependent below
// VIVA_PIVOT = 1e-12.
static const double smallest_solved = 1e-6;

// The rows of G: dense, or of many constraints as a look of gram.h.
typedef struct GramRows {
  uint32_t m, n;
  double *given, *left; // dense, m by n: the rows of G, and what is left of them
  bool *used;
  const Gram *gram; // NULL: dense
  const GramRoom *room;
  double *entries;
  const uint32_t *start;
  double smallest; // rows that are not longer follow from the others, or bind nothing
} GramRows;

static bool is_small(const GramRows *x, uint32_t k) {
  uint32_t from = x->gram ? x->start[k] : 0, count = x->gram ? x->start[k + 1] - from : x->n;
  const double *row = x->gram ? x->entries + from : x->given + (size_t)k * x->n;
  double norm = 0;
  for (uint32_t i = 0; i < count; i++) norm += row[i] * row[i];
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

static uint32_t rank_of(GramRows *x) {
  return x->gram ? gram_rank(x->gram, x->room, x->entries, x->smallest) : rank_without(x, x->m);
}

// Rows of G at a->y, as they are or in parts of their typical size.
static void take_rows(Assembly *a, GramRows *x, bool typical) {
  const double *scale = a->r->constraints.scale;
  if (x->given) memset(x->given, 0, (size_t)x->m * x->n * sizeof *x->given);
  for (uint32_t k = 0; k < x->m; k++) {
    double by = typical && a->typical[k] > 0 ? scale[k] / a->typical[k] : 1;
    for (uint32_t e = a->plan->start[k]; e < a->plan->start[k + 1]; e++) {
      if (x->gram) x->entries[e] = by * a->G[e];
      else x->given[(size_t)k * x->n + a->plan->column[e]] += by * a->G[e];
    }
  }
}

// Of many constraints: a row follows from others if it stands in a combination that vanishes. In one that is made by
// chance all of these stand; three of them, in case that chance has one cancel.
static void mark_vanishing(Assembly *a, GramRows *x, bool *dependent) {
  enum { rounds = 3 };
  const double counts = 1e-7; // of the largest part
  double *said = arena_array(a->arena, x->m, sizeof *said), *w = arena_array(a->arena, x->m, sizeof *w);
  uint64_t chance = 1;
  for (int round = 0; said && w && round < rounds; round++) {
    double most = 0;
    for (uint32_t k = 0; k < x->m; k++) said[k] = 1.5 + 0.5 * assembly_chance(&chance);
    gram_vanishing(x->gram, x->room, x->entries, said, w);
    for (uint32_t k = 0; k < x->m; k++) most = fmax(most, fabs(w[k]));
    for (uint32_t k = 0; k < x->m; k++) dependent[k] |= fabs(w[k]) > counts * most;
  }
}

// Which of the rows of a rank follow from the others.
static void mark_dependent(Assembly *a, GramRows *x, uint32_t rank, bool *dependent) {
  memset(dependent, 0, x->m * sizeof *dependent);
  if (rank == x->m) return;
  if (x->gram) mark_vanishing(a, x, dependent);
  else {
    for (uint32_t k = 0; k < x->m; k++) dependent[k] = rank_without(x, k) == rank;
  }
  for (uint32_t k = 0; k < x->m; k++) dependent[k] = dependent[k] && !is_small(x, k);
}

// Which rows follow from the others, so that their multipliers are not unique; which bind nothing.
static void mark_rows(Assembly *a, GramRows *x) {
  ConstraintRun *c = &a->r->constraints;
  mark_dependent(a, x, *c->rank, c->dependent);
  for (uint32_t k = 0; k < x->m; k++) c->idle[k] = *c->rank < x->m && is_small(x, k);
}

// ---- configurations beside the start

// A direction to evaluate along: the velocity, then random ones, projected onto the null space of G. False: none.
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

// From the start along a direction and onto the constraints; a->y is there. False: the start is isolated.
static bool go_beside(Assembly *a, const double *start, const double *way) {
  const ConstraintPlan *plan = a->plan;
  double far = 0;
  a->rates = false;
  for (uint32_t i = 0; i < plan->coord_count; i++) bound_move(&plan->coords[i], way[i], a->y);
  if (!assembly_search(a)) return false;
  for (uint32_t i = 0; i < plan->coord_count; i++)
    far = fmax(far, fabs(bound_difference(&plan->coords[i], start, a->y)));
  return far > 0.2 * beside * a->unit;
}

// The largest rank of the configurations beside the start; its rows, with their typical sizes, count from there on.
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
      uint32_t rank = rank_of(x);
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

// Is the rank larger at points beside the constraint manifold?
static void look_off(Assembly *a, GramRows *x, double *start) {
  const double far = 0.01; // of the unit
  uint64_t chance = 7;
  memcpy(start, a->y, a->r->p->y.count * sizeof *start);
  for (uint32_t i = 0; i < x->n; i++) bound_move(&a->plan->coords[i], far * a->unit * assembly_chance(&chance), a->y);
  assembly_evaluate(a);
  take_rows(a, x, true);
  *a->r->constraints.partly = rank_of(x) > *a->r->constraints.rank;
  memcpy(a->y, start, a->r->p->y.count * sizeof *start);
  assembly_evaluate(a); // the sizes of the start again
}

// Rows that are independent, but by less than the accuracy of the accelerations; not those of a singular configuration
// that is near, from which others lead away.
static void mark_nearly(Assembly *a, GramRows *x, double *start, double *way) {
  enum { rounds = 3 };
  ConstraintRun *c = &a->r->constraints;
  size_t bytes = a->r->p->y.count * sizeof *start;
  uint64_t chance = 1;
  x->smallest = smallest_solved;
  uint32_t rank = rank_of(x);
  bool nearly = rank < *c->rank;
  if (nearly) mark_dependent(a, x, rank, c->nearly);
  memcpy(start, a->y, bytes);
  for (int round = 0; round < rounds && nearly; round++) {
    if (find_way(a, round, &chance, way) && go_beside(a, start, way)) {
      a->rates = true;
      assembly_evaluate(a);
      take_rows(a, x, true);
      nearly = rank_of(x) < *c->rank;
    }
    memcpy(a->y, start, bytes);
  }
  if (!nearly) memset(c->nearly, 0, x->m * sizeof *c->nearly);
  if (rank == *c->rank) return;
  a->rates = true;
  assembly_evaluate(a); // the sizes of the start again
  take_rows(a, x, false);
}

static bool make_rows(Assembly *a, GramRows *x) {
  uint32_t n = x->n, m = x->m;
  x->gram = a->plan->gram;
  x->room = &a->r->constraints.gram;
  x->start = a->plan->start;
  if (x->gram) {
    x->entries = arena_array(a->arena, gram_look_size(x->gram), sizeof *x->entries);
    return x->entries != NULL;
  }
  x->used = arena_array(a->arena, m, sizeof *x->used);
  x->given = arena_array(a->arena, (size_t)m * n, sizeof *x->given);
  x->left = arena_array(a->arena, (size_t)m * n, sizeof *x->left);
  return x->used && x->given && x->left;
}

bool assembly_rank(Assembly *a) {
  uint32_t n = a->plan->coord_count, m = a->plan->count;
  ConstraintRun *c = &a->r->constraints;
  GramRows rows = {.m = m, .n = n, .smallest = smallest_row};
  double *start = arena_array(a->arena, a->r->p->y.count, sizeof *start), *way = arena_array(a->arena, n, sizeof *way);
  if (!start || !way || !make_rows(a, &rows)) return false;
  a->rates = true;
  a->fixed = NULL;
  assembly_evaluate(a);
  take_rows(a, &rows, false);
  *c->rank = rank_of(&rows);
  mark_rows(a, &rows);
  *c->partly = false;
  memset(c->nearly, 0, m * sizeof *c->nearly);
  if (*c->rank == m) {
    mark_nearly(a, &rows, start, way);
    return true;
  }
  rows.smallest = smallest_beside;
  look_beside(a, &rows, start, way);
  find_squares(a);
  if (*c->rank < m && c->singular->start == start_regular) look_off(a, &rows, start);
  return true;
}

// KKT (saddle-point) matrix of a constrained descent: sparsity pattern, scaling, shift and iterative refinement.
#include "rest/saddle.h"

#include "solve/module.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { refinements = 3, most_shifts = 40 };
static const double first_shift = 1e-6, shift_growth = 8; // in parts of D
static const double constraint_part = 1e-11;              // g, of what a constraint weighs in D

typedef struct SaddleEntry {
  uint32_t row, column, kind, index; // kind 0: K, 1: G below, 2: G above, 3: diagonal
} SaddleEntry;

static int compare_entries(const void *a, const void *b) {
  const SaddleEntry *x = a, *y = b;
  if (x->column != y->column) return x->column < y->column ? -1 : 1;
  return x->row < y->row ? -1 : x->row > y->row;
}

static uint32_t count_entries(const MassRow *rows, uint32_t count) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < count; i++) sum += rows[i].count;
  return sum;
}

static void list_entries(const StaticForm *f, SaddleEntry *list) {
  uint32_t k = 0, index = 0;
  for (uint32_t i = 0; i < f->n; i++) {
    for (uint32_t e = 0; e < f->K[i].count; e++) list[k++] = (SaddleEntry){i, f->K[i].items[e].column, 0, index++};
  }
  index = 0;
  for (uint32_t i = 0; i < f->m; i++) {
    for (uint32_t e = 0; e < f->G[i].count; e++) {
      uint32_t c = f->G[i].items[e].column;
      list[k++] = (SaddleEntry){f->n + i, c, 1, index};
      list[k++] = (SaddleEntry){c, f->n + i, 2, index++};
    }
  }
  for (uint32_t i = 0; i < f->n + f->m; i++) list[k++] = (SaddleEntry){i, i, 3, i};
}

SaddleStatus saddle_init(Saddle *x, const StaticForm *f) {
  Arena *arena = f->o->arena;
  uint32_t size = f->n + f->m, nk = count_entries(f->K, f->n), ng = count_entries(f->G, f->m), all = nk + 2 * ng + size;
  *x = (Saddle){.n = f->n, .m = f->m, .k_count = nk, .g_count = ng};
  SaddleEntry *list = arena_array(arena, all, sizeof *list);
  x->start = arena_array(arena, (size_t)size + 1, sizeof *x->start);
  x->row = arena_array(arena, all, sizeof *x->row);
  x->values = arena_array(arena, all, sizeof *x->values);
  x->exact = arena_array(arena, all, sizeof *x->exact);
  x->k_place = arena_array(arena, (size_t)nk + 1, sizeof *x->k_place);
  x->g_place[0] = arena_array(arena, (size_t)ng + 1, sizeof *x->k_place);
  x->g_place[1] = arena_array(arena, (size_t)ng + 1, sizeof *x->k_place);
  x->diagonal = arena_array(arena, size, sizeof *x->diagonal);
  x->D = arena_array(arena, (size_t)x->n + 1, sizeof *x->D);
  x->work = arena_array(arena, (size_t)3 * size, sizeof *x->work);
  if (arena_failed(arena)) return saddle_no_memory;
  list_entries(f, list);
  qsort(list, all, sizeof *list, compare_entries);
  uint32_t *const places[] = {x->k_place, x->g_place[0], x->g_place[1], x->diagonal};
  uint32_t used = 0;
  for (uint32_t k = 0; k < all; k++) {
    bool again = k && compare_entries(&list[k - 1], &list[k]) == 0;
    if (!again) {
      x->row[used] = list[k].row;
      x->start[list[k].column + 1] = ++used;
    }
    places[list[k].kind][list[k].index] = used - 1;
  }
  x->factors = sparse_new(size, x->start, x->row, sparse_symmetric);
  return x->factors ? saddle_done : module_load() ? saddle_no_memory : saddle_no_module;
}

void saddle_clear(Saddle *x) {
  sparse_free(x->factors);
  x->factors = NULL;
}

void saddle_scale(Saddle *x, const StaticForm *f, const double *K, const double *balance, const double *u) {
  double most = 0, force = 0;
  uint32_t k = 0;
  for (uint32_t i = 0; i < x->n; i++) {
    x->D[i] = 0;
    for (uint32_t e = 0; e < f->K[i].count; e++) x->D[i] += fabs(K[k++]);
    most = fmax(most, x->D[i]);
    force = fmax(force, fabs(balance[i]) / fmax(1, fabs(u[i])));
  }
  double floor = most > 0 ? 1e-3 * most : force > 0 ? force : 1;
  for (uint32_t i = 0; i < x->n; i++) x->D[i] = x->D[i] > 1e-9 * most ? x->D[i] : floor;
}

static void fill(Saddle *x, const double *K, const double *G, bool plain) {
  memset(x->exact, 0, x->start[x->n + x->m] * sizeof *x->exact);
  for (uint32_t k = 0; k < x->k_count && !plain; k++) x->exact[x->k_place[k]] += K[k];
  for (uint32_t k = 0; k < x->g_count; k++) {
    x->exact[x->g_place[0][k]] += G[k];
    x->exact[x->g_place[1][k]] += G[k];
  }
  if (!plain) return;
  for (uint32_t i = 0; i < x->n; i++) x->exact[x->diagonal[i]] = x->D[i];
}

// The shift and what makes dependent constraints harmless.
static void shift(Saddle *x, double delta) {
  memcpy(x->values, x->exact, x->start[x->n + x->m] * sizeof *x->values);
  for (uint32_t i = 0; i < x->n; i++) x->values[x->diagonal[i]] += delta * x->D[i];
  double *weight = x->work;
  memset(weight, 0, x->m * sizeof *weight);
  for (uint32_t c = 0; c < x->n; c++) {
    for (uint32_t k = x->start[c]; k < x->start[c + 1]; k++) {
      if (x->row[k] >= x->n) weight[x->row[k] - x->n] += x->exact[k] * x->exact[k] / x->D[c];
    }
  }
  for (uint32_t k = 0; k < x->m; k++)
    x->values[x->diagonal[x->n + k]] = -constraint_part * (weight[k] > 0 ? weight[k] : 1);
  x->delta = delta;
}

SaddleStatus saddle_factor(Saddle *x, const double *K, const double *G, bool plain, double least) {
  fill(x, K, G, plain);
  double delta = least;
  for (int tries = 0; tries < most_shifts; tries++) {
    shift(x, delta);
    SparseStatus status = sparse_factor(x->factors, x->values);
    if (status == sparse_no_memory) return saddle_no_memory;
    if (status == sparse_done && sparse_negative(x->factors) == x->m) {
      // what is refined towards has the shift, but not g
      for (uint32_t i = 0; i < x->n; i++) x->exact[x->diagonal[i]] += delta * x->D[i];
      return saddle_done;
    }
    delta = delta > 0 ? shift_growth * delta : first_shift;
  }
  return saddle_failed;
}

// r = b - A x
static void residue(const Saddle *x, const double *b, const double *solution, double *r) {
  uint32_t size = x->n + x->m;
  memcpy(r, b, size * sizeof *r);
  for (uint32_t c = 0; c < size; c++) {
    for (uint32_t k = x->start[c]; k < x->start[c + 1]; k++) r[x->row[k]] -= x->exact[k] * solution[c];
  }
}

static double norm(const double *x, uint32_t count) {
  double sum = 0;
  for (uint32_t i = 0; i < count; i++) sum += x[i] * x[i];
  return sum;
}

void saddle_solve(const Saddle *x, double *b) {
  uint32_t size = x->n + x->m;
  double *given = x->work, *r = x->work + size, *better = x->work + 2 * (size_t)size;
  memcpy(given, b, size * sizeof *b);
  sparse_solve(x->factors, b, 1);
  residue(x, given, b, r);
  double left = norm(r, size);
  for (int n = 0; n < refinements && left > 0; n++) {
    sparse_solve(x->factors, r, 1);
    for (uint32_t i = 0; i < size; i++) better[i] = b[i] + r[i];
    residue(x, given, better, r);
    double now = norm(r, size);
    if (!(now < left)) return;
    memcpy(b, better, size * sizeof *b);
    left = now;
  }
}

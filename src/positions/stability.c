// Inertia of the reduced Hessian: directions in which the potential falls. See stability.h.
//
// how   K = d(balances)/dq, G = d(constraints, held positions)/dq. Elimination of G with complete pivoting expresses
//       some coordinates by the others: Z, whose columns span what G leaves. The signs of the pivots of Z' K Z,
//       eliminated symmetrically by its largest diagonal entries, are those of its eigenvalues (Sylvester). Where the
//       diagonal vanishes beside entries that do not, there is one of each sign.
//       Of many unknowns [K + r G'G, G'; G, 0] is factored, L D L' in an order that keeps it sparse: its negative
//       pivots are those of Z' K Z and one a constraint, whatever r is. Two of a few values of r must agree.
#include "positions/stability.h"

#include "positions/curve.h"
#include "solve/sparse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double nothing = 1e-12; // of the largest entry

// G (rows of n) becomes echelon: pivot[r] is the column of row r. Their number.
static uint32_t reduce(double *G, uint32_t rows, uint32_t n, uint32_t *pivot, bool *used) {
  double most = 0;
  for (size_t i = 0; i < (size_t)rows * n; i++) most = fmax(most, fabs(G[i]));
  for (uint32_t r = 0; r < rows; r++) {
    uint32_t br = r, bc = 0;
    double top = 0;
    for (uint32_t i = r; i < rows; i++) {
      for (uint32_t k = 0; k < n; k++) {
        if (!used[k] && fabs(G[(size_t)i * n + k]) > top) top = fabs(G[(size_t)i * n + k]), br = i, bc = k;
      }
    }
    if (!(top > nothing * most)) return r;
    for (uint32_t k = 0; k < n; k++) {
      double swap = G[(size_t)r * n + k];
      G[(size_t)r * n + k] = G[(size_t)br * n + k];
      G[(size_t)br * n + k] = swap;
    }
    pivot[r] = bc;
    used[bc] = true;
    double by = G[(size_t)r * n + bc];
    for (uint32_t k = 0; k < n; k++) G[(size_t)r * n + k] /= by;
    for (uint32_t i = 0; i < rows; i++) {
      double f = i == r ? 0 : G[(size_t)i * n + bc];
      for (uint32_t k = 0; f != 0 && k < n; k++) G[(size_t)i * n + k] -= f * G[(size_t)r * n + k];
    }
  }
  return rows;
}

// Negative eigenvalues of a symmetric matrix, which is destroyed.
static uint32_t negatives(double *H, uint32_t n) {
  uint32_t count = 0;
  double most = 0;
  for (size_t i = 0; i < (size_t)n * n; i++) most = fmax(most, fabs(H[i]));
  for (uint32_t k = 0; k < n; k++) {
    uint32_t best = k;
    for (uint32_t i = k; i < n; i++) {
      if (fabs(H[(size_t)i * n + i]) > fabs(H[(size_t)best * n + best])) best = i;
    }
    for (uint32_t j = 0; j < n; j++) {
      double swap = H[(size_t)k * n + j];
      H[(size_t)k * n + j] = H[(size_t)best * n + j];
      H[(size_t)best * n + j] = swap;
    }
    for (uint32_t i = 0; i < n; i++) {
      double swap = H[(size_t)i * n + k];
      H[(size_t)i * n + k] = H[(size_t)i * n + best];
      H[(size_t)i * n + best] = swap;
    }
    double d = H[(size_t)k * n + k];
    if (!(fabs(d) > nothing * most)) {
      // only entries off the diagonal are left: each pair of them is a direction up and one down
      for (uint32_t i = k; i < n; i++) {
        for (uint32_t j = i + 1; j < n; j++) {
          if (fabs(H[(size_t)i * n + j]) > nothing * most) return count + 1;
        }
      }
      return count;
    }
    count += d < 0;
    for (uint32_t i = k + 1; i < n; i++) {
      double f = H[(size_t)i * n + k] / d;
      for (uint32_t j = k + 1; f != 0 && j < n; j++) H[(size_t)i * n + j] -= f * H[(size_t)k * n + j];
    }
  }
  return count;
}

// Z: n rows of `free` columns.
static void null_space(const double *G, uint32_t n, uint32_t rank, const uint32_t *pivot, const bool *used, double *Z,
                       uint32_t free) {
  uint32_t column = 0;
  for (uint32_t k = 0; k < n; k++) {
    if (used[k]) continue;
    Z[(size_t)k * free + column] = 1;
    for (uint32_t r = 0; r < rank; r++) Z[(size_t)pivot[r] * free + column] = -G[(size_t)r * n + k];
    column++;
  }
}

static double unstable_dense(Places *p, const double *u, const double *P) {
  uint32_t n = p->coords, rows = p->m - n;
  Arena *arena = arena_new_scratch(p->arena);
  double *K = arena ? arena_array(arena, (size_t)n * n + 1, sizeof *K) : NULL;
  double *G = arena ? arena_array(arena, (size_t)rows * n + 1, sizeof *G) : NULL;
  uint32_t *pivot = arena ? arena_array(arena, (size_t)rows + 1, sizeof *pivot) : NULL;
  bool *used = arena ? arena_array(arena, (size_t)n + 1, sizeof *used) : NULL;
  double result = NAN;
  if (K && G && pivot && used) {
    places_eval(p, u, P);
    for (uint32_t e = 0; e < p->entries; e++) {
      uint32_t row = p->entry_row[e], column = p->entry_column[e];
      if (column >= n) continue;
      if (row < n) K[(size_t)row * n + column] = places_entry(p, e);
      else G[(size_t)(row - n) * n + column] = places_entry(p, e);
    }
    uint32_t rank = reduce(G, rows, n, pivot, used), free = n - rank;
    double *Z = arena_array(arena, (size_t)n * free + 1, sizeof *Z);
    double *H = arena_array(arena, (size_t)free * free + 1, sizeof *H);
    if (Z && H) {
      null_space(G, n, rank, pivot, used, Z, free);
      for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
          double k = (K[(size_t)i * n + j] + K[(size_t)j * n + i]) / 2;
          for (uint32_t a = 0; k != 0 && a < free; a++) {
            for (uint32_t b = 0; b < free; b++)
              H[(size_t)a * free + b] += Z[(size_t)i * free + a] * k * Z[(size_t)j * free + b];
          }
        }
      }
      result = negatives(H, free);
    }
  }
  arena_free_scratch(arena);
  return result;
}

// ---- many unknowns

enum { widest_row = 32 }; // a constraint of more coordinates has no part in G'G: that would fill it

// Where a product of two entries of G, or an entry of K or G, stands in the matrix.
typedef struct StabilityTerm {
  uint32_t first, second; // entries of the equations' Jacobian; second: UINT32_MAX for one alone
  uint32_t row, column;
  uint32_t at;
} StabilityTerm;

typedef struct StabilityFactors {
  Sparse *factors; // NULL: there is no answer
  uint32_t n, rows, terms;
  uint32_t *start, *row;
  StabilityTerm *list;
  double *values, *norm; // norm: of the rows of G, squared
  uint32_t *row_of;      // by equation: its index among the constraints; UINT32_MAX: none
} StabilityFactors;

static int by_place(const void *a, const void *b) {
  const StabilityTerm *x = a, *y = b;
  if (x->column != y->column) return x->column < y->column ? -1 : 1;
  return x->row < y->row ? -1 : x->row > y->row;
}

// Entries of G in one row, from `first` on: they stand one behind the other. Their number that are coordinates.
static uint32_t row_width(const Places *p, uint32_t first, uint32_t *end) {
  uint32_t count = 0, e = first;
  for (; e < p->entries && p->entry_row[e] == p->entry_row[first]; e++) count += p->entry_column[e] < p->coords;
  *end = e;
  return count;
}

static void put_term(StabilityFactors *f, StabilityTerm term) {
  if (f->list) f->list[f->terms] = term;
  f->terms++;
}

// All terms, into f->list where there is one; their number.
static void put_terms(StabilityFactors *f, const Places *p) {
  const uint32_t none = UINT32_MAX;
  uint32_t n = p->coords, end;
  f->terms = f->rows = 0;
  for (uint32_t i = 0; i < n; i++) put_term(f, (StabilityTerm){none, none, i, i, 0});
  for (uint32_t e = 0; e < p->entries; e = end) {
    uint32_t i = p->entry_row[e], width = row_width(p, e, &end);
    if (i >= n) f->row_of[i] = width ? f->rows++ : none;
    for (uint32_t a = e; a < end && width; a++) {
      uint32_t c = p->entry_column[a];
      if (c >= n) continue;
      if (i < n) { // K, its symmetric part
        put_term(f, (StabilityTerm){a, none, i, c, 0});
        put_term(f, (StabilityTerm){a, none, c, i, 0});
        continue;
      }
      put_term(f, (StabilityTerm){a, none, n + f->row_of[i], c, 0});
      put_term(f, (StabilityTerm){a, none, c, n + f->row_of[i], 0});
      for (uint32_t b = e; width <= widest_row && b < end; b++) {
        if (p->entry_column[b] < n) put_term(f, (StabilityTerm){a, b, c, p->entry_column[b], 0});
      }
    }
  }
  for (uint32_t i = 0; i < f->rows; i++) put_term(f, (StabilityTerm){none, none, n + i, n + i, 0});
}

static bool open_factors(Places *p) {
  Arena *arena = p->arena;
  StabilityFactors *f = p->stability = arena_new_of(arena, StabilityFactors);
  if (!f || !(f->row_of = arena_array(arena, (size_t)p->m + 1, sizeof *f->row_of))) return false;
  f->n = p->coords;
  put_terms(f, p);
  f->list = arena_array(arena, (size_t)f->terms + 1, sizeof *f->list);
  f->row = arena_array(arena, (size_t)f->terms + 1, sizeof *f->row);
  f->values = arena_array(arena, (size_t)f->terms + 1, sizeof *f->values);
  f->norm = arena_array(arena, (size_t)f->rows + 1, sizeof *f->norm);
  uint32_t size = f->n + f->rows, count = 0;
  f->start = arena_array(arena, (size_t)size + 2, sizeof *f->start);
  uint32_t *group = arena_array(arena, (size_t)f->n + 1, sizeof *group);
  if (arena_failed(arena)) return false;
  put_terms(f, p);
  qsort(f->list, f->terms, sizeof *f->list, by_place);
  for (uint32_t k = 0; k < f->terms; k++) {
    StabilityTerm *t = &f->list[k];
    if (k && by_place(t, t - 1) == 0) t->at = count - 1;
    else {
      t->at = count;
      f->row[count++] = t->row;
      f->start[t->column + 1] = count;
    }
  }
  for (uint32_t i = 0; i < f->n; i++) group[i] = i;
  f->factors = sparse_new_bordered(size, f->start, f->row, f->n, group, false);
  return f->factors != NULL;
}

// Negative pivots beyond those of constraints, with r times as much of G'G as K is large. NAN: they do not count.
static double negatives_with(const Places *p, StabilityFactors *f, double large, double r) {
  uint32_t size = f->n + f->rows;
  memset(f->values, 0, f->start[size] * sizeof *f->values);
  for (uint32_t k = 0; k < f->terms; k++) {
    const StabilityTerm *t = &f->list[k];
    if (t->first == UINT32_MAX) continue;
    double value = places_entry(p, t->first);
    uint32_t i = p->entry_row[t->first];
    if (i < f->n) value *= 0.5;
    else if (t->second == UINT32_MAX) value /= sqrt(f->norm[f->row_of[i]]);
    else value *= r * large * places_entry(p, t->second) / f->norm[f->row_of[i]];
    f->values[t->at] += value;
  }
  if (sparse_factor(f->factors, f->values) != sparse_done) return NAN;
  double count = (double)sparse_negative(f->factors) - f->rows;
  return count >= 0 ? count : NAN;
}

static double unstable_sparse(Places *p, const double *u, const double *P) {
  if (!p->stability && !open_factors(p)) return NAN;
  StabilityFactors *f = p->stability;
  if (!f->factors) return NAN;
  double large = 0;
  places_eval(p, u, P);
  memset(f->norm, 0, f->rows * sizeof *f->norm);
  for (uint32_t e = 0; e < p->entries; e++) {
    uint32_t i = p->entry_row[e];
    double value = places_entry(p, e);
    if (p->entry_column[e] >= f->n) continue;
    if (i < f->n) large = fmax(large, fabs(value));
    else f->norm[f->row_of[i]] += value * value;
  }
  for (uint32_t i = 0; i < f->rows; i++) {
    if (!(f->norm[i] > 0)) return NAN;
  }
  if (!(large > 0)) large = 1;
  // pivots may vanish by chance, or nearly: two that agree are taken
  static const double parts[] = {1, 7, 40, 0.3, 200, 1000};
  enum { count = sizeof parts / sizeof *parts };
  double found[count];
  for (int i = 0; i < count; i++) {
    found[i] = negatives_with(p, f, large, parts[i]);
    for (int k = 0; k < i; k++) {
      if (found[k] == found[i]) return found[i];
    }
  }
  return NAN;
}

double stability_unstable(Places *p, const double *u, const double *P) {
  if (!p->statics) return NAN;
  return p->n > curve_dense_most ? unstable_sparse(p, u, P) : unstable_dense(p, u, P);
}

void stability_close(Places *p) {
  if (p->stability) sparse_free(p->stability->factors);
  p->stability = NULL;
}

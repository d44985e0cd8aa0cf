// Directions in which the potential falls. See stability.h.
//
// how   K = d(balances)/dq, G = d(constraints, held places)/dq. Elimination of G with complete pivoting expresses some
//       coordinates by the others: Z, whose columns span what G leaves. The signs of the pivots of Z' K Z, eliminated
//       symmetrically by its largest diagonal entries, are those of its eigenvalues (Sylvester). Where the diagonal
//       vanishes beside entries that do not, there is one of each sign.
#include "positions/stability.h"

#include "positions/curve.h"

#include <math.h>
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

double stability_unstable(Places *p, const double *u, const double *P) {
  uint32_t n = p->coords, rows = p->m - n;
  if (!p->statics || p->n > curve_dense_most) return NAN;
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

// P A = L U by elimination with row pivoting, column by column, over one lane or eight (solve/vector.h); each lane has
// its own rows exchanged. Zeros cost nothing where all lanes have them: a column that starts with 0 is left as it is.
#ifndef VIVA_SOLVE_LINEAR_BODY_H
#define VIVA_SOLVE_LINEAR_BODY_H

#include "solve/vector.h"

typedef struct Lu {
  uint32_t n;
  size_t count;    // of the numbers in a
  Lanes *a;        // n * n, column by column; factors after lu_factor
  Bits *pivot;     // by column: the row that came to its diagonal
  unsigned *moved; // by column: lanes that exchanged rows
} Lu;

static inline bool lu_init(Lu *x, Arena *arena, uint32_t n) {
  *x = (Lu){.n = n, .count = (size_t)n * n, .pivot = (Bits *)(void *)lanes_new(arena, n)};
  x->a = lanes_new(arena, x->count);
  x->moved = arena_array(arena, n, sizeof *x->moved);
  return !arena_failed(arena);
}

// Where in a the entries of a pattern stand, and the diagonal. Entry k of column c is in row[k], start[c] <= k <
// start[c + 1]; rows beyond n are left out.
static inline void lu_places(const Lu *x, const uint32_t *start, const uint32_t *row, size_t *place, size_t *diagonal) {
  for (uint32_t c = 0; c < x->n; c++) {
    diagonal[c] = (size_t)c * x->n + c;
    for (uint32_t k = start[c]; k < start[c + 1]; k++) place[k] = (size_t)c * x->n + row[k];
  }
}

static inline void lu_exchange(Lanes *column, uint32_t j, Bits best, unsigned lanes) {
  for (int l = 0; l < L; l++) {
    if (!(lanes >> l & 1)) continue;
    double swap = AT(column[j], l);
    AT(column[j], l) = AT(column[AT(best, l)], l);
    AT(column[AT(best, l)], l) = swap;
  }
}

// a -= f b in the rows from .. to; nothing is done where f is 0.
static inline void lu_reduce(Lanes *a, Lanes f, const Lanes *b, uint32_t from, uint32_t to) {
  Bits none = is_equal(f, all(0));
  unsigned zeros = mask_of(none);
  if (!zeros) {
    for (uint32_t i = from; i < to; i++) a[i] -= f * b[i];
  } else if (zeros != every_lane) {
    for (uint32_t i = from; i < to; i++) a[i] = blend(none, a[i], a[i] - f * b[i]);
  }
}

// The largest entry of a column from row j on: its row; *top: its size.
static inline Bits lu_find_pivot(const Lanes *column, uint32_t j, uint32_t n, Lanes *top) {
  Bits best = all_bits(j);
  *top = size_of(column[j]);
  for (uint32_t i = j + 1; i < n; i++) {
    Lanes size = size_of(column[i]);
    Bits larger = is_above(size, *top);
    *top = blend(larger, size, *top);
    best = pick(larger, all_bits(i), best);
  }
  return best;
}

// Returns the lanes of the mask that are not singular.
static inline unsigned lu_factor(Lu *x, unsigned mask) {
  uint32_t n = x->n;
  for (uint32_t j = 0; j < n; j++) {
    Lanes *column = x->a + (size_t)j * n, top;
    Bits best = lu_find_pivot(column, j, n, &top);
    unsigned moved = 0;
    for (int l = 0; l < L; l++) {
      if (!(AT(top, l) > 0)) mask &= ~(1u << l); // zero, or not a number
      if ((mask >> l & 1) && AT(best, l) != j) moved |= 1u << l;
    }
    if (!mask) return 0;
    x->pivot[j] = best;
    x->moved[j] = moved;
    for (uint32_t k = 0; moved && k < n; k++) lu_exchange(x->a + (size_t)k * n, j, best, moved);
    Lanes pivot = column[j];
    for (uint32_t i = j + 1; i < n; i++) column[i] /= pivot;
    for (uint32_t k = j + 1; k < n; k++) {
      Lanes *other = x->a + (size_t)k * n;
      lu_reduce(other, other[j], column, j + 1, n);
    }
  }
  return mask;
}

// b := A^-1 b
static inline void lu_solve(const Lu *x, Lanes *b) {
  uint32_t n = x->n;
  for (uint32_t j = 0; j < n; j++) {
    if (x->moved[j]) lu_exchange(b, j, x->pivot[j], x->moved[j]);
  }
  for (uint32_t j = 0; j < n; j++) lu_reduce(b, b[j], x->a + (size_t)j * n, j + 1, n);
  for (uint32_t j = n; j-- > 0;) {
    const Lanes *column = x->a + (size_t)j * n;
    b[j] /= column[j];
    lu_reduce(b, b[j], column, 0, j);
  }
}

#endif

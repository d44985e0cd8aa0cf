// Routh's table with a parameter: its entries are rational functions of K, and the conditions on K follow.
//
// in    characteristic polynomials at several values of K, in rational numbers
// out   the table, and the intervals of K in which its first column is positive
#ifndef VIVA_ANALYZE_ROUTH_OVER_H
#define VIVA_ANALYZE_ROUTH_OVER_H

#include "base/arena.h"
#include "expr/rational.h"

enum { routh_over_most = 6 }; // degree

typedef struct RouthOverRow {
  uint32_t count;
  const char **entries; // as they are read: "(16 - 4*K)/5"
} RouthOverRow;

typedef struct RouthRange {
  double low, high; // -INFINITY, INFINITY: it does not end
} RouthRange;

typedef struct RouthOver {
  uint32_t degree;
  RouthOverRow *rows; // degree + 1; NULL: there is no such table
  VEC(RouthRange) stable;
} RouthOver;

// c: points x (degree + 1), the lowest power first, at the values k; points > degree + 1, so that the last one checks
// that they are polynomials of K. A first entry that is zero for all K, or numbers beyond all length: no table. False:
// out of memory.
bool routh_over_find(Arena *arena, const char *name, uint32_t degree, const Rat *k, const Rat *c, uint32_t points,
                     RouthOver *out);

#endif

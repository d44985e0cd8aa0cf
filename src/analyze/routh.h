// Routh's table of a polynomial, in rational numbers.
#ifndef VIVA_ANALYZE_ROUTH_H
#define VIVA_ANALYZE_ROUTH_H

#include "expr/rational.h"

typedef enum RouthCase {
  routh_plain,
  routh_epsilon,  // a zero in the first column: a small positive number stands for it
  routh_auxiliary // a row of zeros: the derivative of the row above as a polynomial stands for it
} RouthCase;

typedef struct RouthRow {
  uint32_t power, count; // of s; entries
  Rat *entries;
  RouthCase special;
} RouthRow;

typedef struct Routh {
  uint32_t degree;
  RouthRow *rows;     // degree + 1, the highest power first
  uint32_t changes;   // of signs in the first column: zeros right of the axis
  uint32_t auxiliary; // degree of the first auxiliary polynomial: its zeros lie symmetric to zero; 0: none
  bool uses_epsilon;
  const char *why; // not NULL: numbers grow too large
} Routh;

// c: the lowest power first, degree + 1 of them, the last not zero. False: out of memory.
bool routh_table(Arena *arena, const Rat *c, uint32_t degree, Routh *out);
// An entry as it is shown, with the small number as e: "2", "-3/e".
const char *routh_entry(Arena *arena, Rat x);

// det(s - a) of a rational matrix: the lowest power first, n + 1 of them. NULL: numbers grow too large.
const Rat *routh_polynomial(Arena *arena, const Rat *a, uint32_t n);

#endif

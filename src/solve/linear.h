// Dense linear systems A x = b.
#ifndef VIVA_SOLVE_LINEAR_H
#define VIVA_SOLVE_LINEAR_H

#include "solve/module.h"

typedef struct Linear {
  uint32_t n;
  double *a; // n * n, column by column; factors after linear_factor
  int *pivot;
  const SolveModule *lapack; // NULL: our own elimination
} Linear;

enum { linear_lapack_size = 64 };                      // from here on by LAPACK, where it is there
bool linear_init(Linear *l, Arena *arena, uint32_t n); // false: memory is out
bool linear_factor(Linear *l);                         // false: singular
void linear_solve(const Linear *l, double *b);         // in place

#endif

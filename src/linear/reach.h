// Controllability and observability of a mode: its distance by the Popov-Belevitch-Hautus test.
//
// The distance of the mode with eigenvalue lambda is the least singular value of [A - lambda, B] over the norm of A
// (Hautus): 0 where no input moves it. The same with A' and C' says how far outputs see it.
//
// parts: reach_distance.c
#ifndef VIVA_LINEAR_REACH_H
#define VIVA_LINEAR_REACH_H

#include "base/arena.h"
#include "expr/rational.h"
#include "solve/module.h"

// The pair (A, B), or (A', C') for outputs: balanced states, columns of B as long as A is large.
typedef struct ReachPair {
  uint32_t n, m;       // states, inputs
  const double *A, *B; // row by row: n * n and n * m
  double norm;         // of A, by its entries
} ReachPair;

// The dimension of the space that B, AB, A^2 B, ... span, by orthonormal vectors; -1: out of memory.
int reach_rank(Arena *arena, const ReachPair *pair);
// The same exactly, modulo a large prime: A n * n, B n * m (transposed: A' and B' are given, B with m rows of n); -1:
// a number is not in the field, or out of memory.
int reach_exact_rank(Arena *arena, const Rat *A, const Rat *B, uint32_t n, uint32_t m, bool transposed);

// Distances of many eigenvalues of one pair (reach_distance.c).
typedef struct Reach Reach;
Reach *reach_open(Arena *arena, const SolveModule *module, const ReachPair *pair); // NULL: out of memory
double reach_distance(Reach *x, double re, double im);                             // NAN: it did not converge
double reach_work(const Reach *x); // operations of a distance where A is full; 0: it is sparse or small
void reach_close(Reach *x);        // what is not the arena's

enum { reach_small = 48 }; // states up to which singular values are found all together

#endif

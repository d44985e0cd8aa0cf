// Factors L D L' of a symmetric matrix [H G; G' E] with H definite and E small or zero, front by front, in the module.
//
// in    the pattern of both triangles, how many unknowns H has, and which of them belong together: the coordinates of
//       one node have the same neighbours, so that one order of groups serves all
// out   factors, solutions, the signs of D
// how   multifrontal. A group is eliminated together with the rows of G whose last neighbour it is, so that their
//       pivots are -G' H^-1 G and not E. Its front is a dense matrix over these columns and the rows that they reach;
//       what is left of it waits on a stack for the front of its parent. Groups stay in the order in which they are
//       given where that fills little (chains, trusses along their length), else AMD orders them.
//
// Reference: J. W. H. Liu, The multifrontal method for sparse matrix solution, SIAM Review 34, 1992.
#ifndef VIVA_SOLVE_FRONTS_H
#define VIVA_SOLVE_FRONTS_H

#include "solve/sparse.h"

typedef struct Fronts Fronts;

// group: of each of the first `border` unknowns, rising from 0, members side by side. NULL: out of memory.
// backwards: an order that is kept is gone through from its end.
Fronts *fronts_new(uint32_t n, const uint32_t *start, const uint32_t *row, uint32_t border, const uint32_t *group,
                   bool backwards);
SparseStatus fronts_make(Fronts *x, const double *values);
void fronts_solve(const Fronts *x, double *b); // in place
double fronts_work(const Fronts *x);
uint32_t fronts_negative(const Fronts *x);
double fronts_least(const Fronts *x, uint32_t from);
void fronts_free(Fronts *x); // NULL is fine

#endif

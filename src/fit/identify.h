// Before a fit: can the data tell the unknowns apart at all?
//
// in    a problem
// out   at some points of the range: which unknowns have an influence, and how many combinations of them the slopes see
//
// The points are where the search begins and others, drawn over the ranges. What is not seen at any of them is no
// accident of one point. A point whose motion fails says nothing.
#ifndef VIVA_FIT_IDENTIFY_H
#define VIVA_FIT_IDENTIFY_H

#include "fit/explore.h"

typedef struct Identified {
  uint32_t points; // that could be asked
  uint32_t rank;   // the largest
  double least;    // singular value where the rank is full: the largest of the smallest
  bool *moves;     // by unknown: it has an influence somewhere
} Identified;

// False: memory is out, or it was interrupted.
bool identify(FitProblem *f, uint64_t seed, Identified *out);

// Combinations that R sees: singular values of its columns brought to length 1. room: k*(2k + 2) doubles, of which
// the first k*k are the directions (column by column in a matrix row by row), the next k the singular values, the
// next k the lengths of the columns.
uint32_t identify_rank(const double *R, uint32_t k, double *room);

#endif

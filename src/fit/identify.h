// Structural and practical identifiability, before a fit: can the data determine the unknowns at all?
//
// in    a problem
// out   by the equations alone: which unknowns act only through combinations (algebra/separable.h), a proof;
//       at some points of the range: which unknowns have an influence, the rank of the Jacobian (how many combinations
//       the data sees), and which standard errors the noise would give
//
// The points are the start of the search and others, drawn over the ranges. What is not seen at any of them is no
// accident of one point. A point whose simulation fails says nothing.
#ifndef VIVA_FIT_IDENTIFY_H
#define VIVA_FIT_IDENTIFY_H

#include "fit/explore.h"

// By the equations. False: out of memory.
bool identify_structure(FitProblem *f, Separable *out);
// False: out of memory, or it was interrupted.
bool identify(FitProblem *f, uint64_t seed, Identified *out);

// Where the data is far larger or smaller than the model at all points: a warning that it may be in other units.
void identify_tell_sizes(const FitProblem *f, const Identified *seen, Diags *diags);

#endif

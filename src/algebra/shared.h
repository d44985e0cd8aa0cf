// Common subexpressions of matrices, by names of their own.
#ifndef VIVA_ALGEBRA_SHARED_H
#define VIVA_ALGEBRA_SHARED_H

#include "algebra/derivation.h"

// Written out, the entries would have this many symbols, numbers and functions: too many to be read, so common
// subexpressions are named instead of multiplied out.
enum { shared_least = 20000 };

// Fills d->shared and puts the names into the entries of the matrices. False: out of memory.
bool shared_find(System *s, Derivation *d);

#endif

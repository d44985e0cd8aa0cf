// Matrices whose entries repeat: see folded_matrix.c.
#ifndef VIVA_ALGEBRA_FOLDED_MATRIX_H
#define VIVA_ALGEBRA_FOLDED_MATRIX_H

#include "algebra/folding.h"

bool folded_matrix(Folding *w, ShownMatrix *m); // false: out of memory

#endif

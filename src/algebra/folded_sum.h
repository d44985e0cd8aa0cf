// Sums whose terms repeat: see folded_sum.c.
#ifndef VIVA_ALGEBRA_FOLDED_SUM_H
#define VIVA_ALGEBRA_FOLDED_SUM_H

#include "algebra/steps.h"
#include "expr/print.h"

// A sum in which terms repeat, in parts, the rest behind the others. False: none repeats, or out of memory.
bool folded_terms(System *s, ExprPool *pool, ExprId sum, ShownTerms *out);
// The same as text: sum(1/2*m[i]*x[i]'^2, i, 1, n) + ... NULL: none repeats, or out of memory.
const char *folded_sum(System *s, ExprPool *pool, ExprId sum);
const char *folded_text(Arena *arena, ExprPool *pool, const ShownTerms *terms, const ExprNames *names);
// Folds the energies of a derivation, which is proved already.
void folded_energies(System *s, Steps *steps);

#endif

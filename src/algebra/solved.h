// Accelerations solved for, without divisions: determinants in the ring of the normal form.
#ifndef VIVA_ALGEBRA_SOLVED_H
#define VIVA_ALGEBRA_SOLVED_H

#include "algebra/derivation.h"
#include "expr/normal.h"

enum { most_solved = 4 }; // coordinates that the mass matrix couples

// num/den for reading: common factors cancelled, the denominator in factors. *note: what could not be done. 0: failed.
ExprId solved_fraction(Normal *n, Poly *num, Poly *den, const DeriveStyle *style, const char **note);
// The acceleration of each of k coordinates as an expression for reading. False: out of memory. *note: what could not
// be done, or NULL.
bool solved_block(System *s, const uint32_t *coords, uint32_t k, const DeriveStyle *style, ExprId *out,
                  const char **note);

// The same of any k equations: matrix * unknowns + rhs = 0.
bool solved_linear(System *s, const ExprId *matrix, const ExprId *rhs, uint32_t k, const DeriveStyle *style,
                   ExprId *out, const char **note);

bool solved_derive(System *s, const DeriveStyle *style, Derivation *out);

#endif

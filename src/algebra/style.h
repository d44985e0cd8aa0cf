// Presentation of a derivation: factored, multiplied out, or with numbers.
#ifndef VIVA_ALGEBRA_STYLE_H
#define VIVA_ALGEBRA_STYLE_H

#include "algebra/derivation.h"

// A fraction for reading: its sign, and a number that is no simple factor, go into the numerator.
ExprId style_fraction(ExprPool *pool, ExprId id);

// The name of a matrix: a letter that the model uses itself gets another look. NULL: out of memory.
const char *style_free_name(System *s, const char *name);

// With the values of the parameters, numbers rounded to `digits` digits. 0: out of memory.
ExprId style_numbers(System *s, uint32_t digits, ExprId id);
bool style_apply(System *s, DeriveForm form, const DeriveStyle *style, Derivation *out); // false: out of memory

// Substitutes the values of the parameters for their symbols; those without a value stay.
bool style_with_values(System *s, ExprId *roots, uint32_t count);

#endif

// Random quantities as texts: `g=normal(9.81, 0.01)`.
#ifndef VIVA_LANG_DISTRIBUTIONS_H
#define VIVA_LANG_DISTRIBUTIONS_H

#include "lang/ranges.h"
#include "system/random_quantity.h"

// Reads `name=DISTRIBUTION` of an option of the command line. Problems are in scope->model.diags; name NULL then.
// False: out of memory.
bool distribution_read(TextScope *scope, const char *option, const char *text, RandomQuantity *out);
// Reads a matrix of correlations of `count` quantities: symmetric, ones on the diagonal, positive definite; into its
// lower triangular factor, row by row. False: out of memory; *factor NULL: reported.
bool correlation_read(TextScope *scope, const char *option, const char *text, uint32_t count, double **factor);

#endif

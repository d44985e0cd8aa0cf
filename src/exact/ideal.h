// Ideal membership: is a polynomial a combination of others?
#ifndef VIVA_EXACT_IDEAL_H
#define VIVA_EXACT_IDEAL_H

#include <flint/fmpq_mpoly.h>

#include <stdbool.h>

// f = sum of cofactor_k * generator_k over all generators; the first `wanted` cofactors are set. False: f is no such
// combination, or none was found within the limits.
bool ideal_cofactors(fmpq_mpoly_struct *cofactors, const fmpq_mpoly_struct *generators, slong count, slong wanted,
                     const fmpq_mpoly_t f, const fmpq_mpoly_ctx_t ctx);

#endif

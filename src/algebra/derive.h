// The command derive: the equations of a model in one of four forms.
#ifndef VIVA_ALGEBRA_DERIVE_H
#define VIVA_ALGEBRA_DERIVE_H

#include "algebra/derivation.h"

// The expressions are new ones of s->pool, which must be a pool of its own (system_clone). False: out of memory, or a
// limit of the pool is crossed.
bool derive_equations(System *s, DeriveForm form, const DeriveStyle *style, Derivation *out);

#endif

// The form `hamilton` of derive.
#ifndef VIVA_ALGEBRA_PORT_DERIVE_H
#define VIVA_ALGEBRA_PORT_DERIVE_H

#include "algebra/derivation.h"

// Fills matrices, the sum, outputs and notes. False: out of memory, or a limit of the pool is crossed.
bool port_derive(System *s, bool reduce, Derivation *out);

#endif

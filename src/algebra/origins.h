// Which statement each term of an equation comes from.
#ifndef VIVA_ALGEBRA_ORIGINS_H
#define VIVA_ALGEBRA_ORIGINS_H

#include "algebra/derivation.h"

// Into out->origins, coordinate by coordinate, then the rows of energies with structure. False: out of memory.
bool origins_find(System *s, Derivation *out);
const char *origin_name(OriginKind kind); // "inertial"

#endif

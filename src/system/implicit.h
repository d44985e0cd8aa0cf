#ifndef VIVA_SYSTEM_IMPLICIT_H
#define VIVA_SYSTEM_IMPLICIT_H

#include "system/system.h"

// Completes a block whose count, unknowns, origins and rhs (the residuals) are set; starts: first guesses, of parameters.
// False: memory is out.
bool implicit_block(System *s, Block *b, const ExprId *starts);

#endif

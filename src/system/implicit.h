// Implicit blocks, solved by Newton's method: their equations need not be linear in the unknowns.
#ifndef VIVA_SYSTEM_IMPLICIT_H
#define VIVA_SYSTEM_IMPLICIT_H

#include "system/system.h"

// Completes a block whose count, unknowns, origins and rhs (the residuals) are set; starts: first guesses, of
// parameters. False: out of memory.
bool implicit_block(System *s, Block *b, const ExprId *starts);
// The same with guesses that someone else holds.
bool implicit_guessed(System *s, Block *b);
// The derivatives and the body once more, after the residuals were changed. False: out of memory.
bool implicit_derive(System *s, Block *b);

#endif

// Jumps of velocities of a tree of bodies under an impulse: H dv = J.
#ifndef VIVA_FORM_TREE_JUMP_H
#define VIVA_FORM_TREE_JUMP_H

#include "system/system.h"

// The operands with which the kernel of a call tells what an impulse does to its bodies: parts are the impulse's parts
// in the operands of the call, args has as many entries. False: it does not act by forces of joints alone, or the
// call is of another kind.
bool tree_jump(const System *s, const SystemCall *call, const ExprId *parts, ExprId *args);

#endif

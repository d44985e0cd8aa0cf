// Expressions that switch, made smooth for questions about derivatives.
//
// A derivative does not see a jump. So what jumps is looked at apart: the argument whose zero is the jump, and the
// branches on either side, each by itself.
#ifndef VIVA_ALGEBRA_SWITCHING_H
#define VIVA_ALGEBRA_SWITCHING_H

#include "expr/pool.h"

// The argument of something that jumps.
typedef struct JumpArgument {
  ExprId argument;
  bool scalable; // a positive factor of it makes no difference
} JumpArgument;

// Those of the roots that hold a symbol of these kinds, at most `most`. UINT32_MAX: there are more, or out of memory.
uint32_t switching_find(ExprPool *pool, Arena *arena, const ExprId *roots, uint32_t count, KindSet kinds,
                        JumpArgument *out, uint32_t most);
// What has branches is one of them, with a number of its own that says which: |a| = n a, min(a, b) = n a + (1 - n) b.
// Then linear conditions on derivatives hold on every branch. out may be roots. False: out of memory.
bool switching_branches(ExprPool *pool, Arena *arena, const ExprId *roots, uint32_t count, ExprId *out);

#endif

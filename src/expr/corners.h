// Continuity and differentiability of expressions: corners and jumps, of which the derivative says less.
//
// The derivative of step(x), floor(x) or x > 0 counts as zero, which is right everywhere but at the jump. So a zero
// derivative proves nothing about a function that jumps, and the functions below say whether one may.
#ifndef VIVA_EXPR_CORNERS_H
#define VIVA_EXPR_CORNERS_H

#include "expr/pool.h"

// Everything that moves, so that parameters and the variables of integrals do not count.
static inline KindSet kinds_moving(void) { return ~(kind_set(sym_param) | kind_set(sym_bound)); }

// Is there a function with a corner or a jump (of any of these: jumps only) with a symbol of these kinds inside?
bool expr_has_corner(ExprPool *pool, ExprId id, KindSet kinds);
bool expr_has_jump(ExprPool *pool, ExprId id, KindSet kinds);

// May the value jump while symbols of these kinds move on without a jump? No only by a proof: no function that jumps,
// or branches that meet where they switch; no pole inside a bounded function, no |u|/u, no angle of a point.
bool expr_may_jump(ExprPool *pool, Arena *arena, ExprId id, KindSet kinds);

#endif

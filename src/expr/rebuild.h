// Rebuilding of a node over other parts.
#ifndef VIVA_EXPR_REBUILD_H
#define VIVA_EXPR_REBUILD_H

#include "expr/pool.h"

// What stands in the place of a part, `pool_args(pool, parent)[i]`: the term of a sum (i is odd), the base (odd) or
// exponent (even) of a product, the argument of a function. Numbers in front are not asked for. 0: failed.
typedef ExprId ExprChild(void *self, ExprId parent, uint32_t i, ExprId part);

// The same operation over new parts, with all rules applied. A symbol, a number and what has no parts stays itself, and
// so does a node none of whose parts changed. What stood in a sum in one piece (expr_whole) stays so.
ExprId expr_rebuild(ExprPool *pool, ExprId id, ExprChild *child, void *self);
// The same, with sums in sums opened, and always built.
ExprId expr_rebuild_flat(ExprPool *pool, ExprId id, ExprChild *child, void *self);

// An operation over its parts, which are no longer in a node: by rules, or raw where no rules are applied. No sums nor
// products.
ExprId expr_make(ExprPool *pool, ExprOp op, const ExprId *args, uint32_t count);

// What is between the parts of a node of one pool and a node of another one; expr/import.c.
typedef struct Rebuild {
  ExprPool *to;
  const ExprPool *from;
  bool flat;   // sums in sums are opened
  bool always; // also where no part changed
  ExprChild *child;
  void *self;
} Rebuild;
ExprId rebuild_node(const Rebuild *r, ExprId id);

#endif

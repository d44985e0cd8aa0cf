// What expressions depend on, through all that is computed: branches through their guards, definitions and unknowns
// through their equations, memories through the rules of their blocks.
//
// in    an ordered System with the modes of its rewriting
// out   strongly connected components, each after those that it depends on (Tarjan's algorithm)
#ifndef VIVA_HYBRID_NEEDS_H
#define VIVA_HYBRID_NEEDS_H

#include "hybrid/event_plan.h"

typedef enum NeedKind { need_other, need_memory, need_mode, need_definition, need_unknown } NeedKind;

// What a symbol stands for; index: of a memory, mode, definition, or of the block of an unknown.
typedef struct NeedItem {
  NeedKind kind;
  uint32_t index;
} NeedItem;

typedef struct NeedWalk {
  const EventPlan *p;
  const ExprId *rules;   // of memories; NULL: their values are given
  const uint32_t *block; // by memory: the first one of its block
  void *self;
  // A component is complete. False: out of memory.
  bool (*component)(struct NeedWalk *x, const ExprId *members, uint32_t count);
  // the walk
  NeedItem *of_symbol;
  uint32_t *index, *low, next, nodes; // by expression; 0: not visited; low UINT32_MAX: its component is complete
  ExprList open, path;                // members of components; the path to the present expression
  VEC(uint32_t) child;                // of the path: the next dependency
} NeedWalk;

bool needs_open(NeedWalk *x);                     // false: out of memory
bool needs_visit(NeedWalk *x, SymbolId symbol);   // all components that a symbol depends on; false: out of memory
NeedItem need_item(const NeedWalk *x, ExprId id); // of an expression that is a symbol

#endif

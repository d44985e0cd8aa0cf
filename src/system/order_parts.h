// What the parts of the order of computation (topological sort, algebraic loops) share.
// parts: order_equations.c
#ifndef VIVA_SYSTEM_ORDER_PARTS_H
#define VIVA_SYSTEM_ORDER_PARTS_H

#include "system/system.h"

typedef enum ItemKind { item_definition, item_block, item_call, item_equations } ItemKind;

// Something that computes symbols.
typedef struct OrderItem {
  ItemKind kind;
  uint32_t index; // into definitions, blocks or calls
  Block raw;      // of implicit equations: unknowns, rhs, origins
  bool done;
  // of the search for cycles
  uint32_t number, low;
  bool on_stack;
} OrderItem;

typedef struct Order {
  System *s;
  VEC(OrderItem) items;
  bool *known;     // by symbol: it is given, or computed already
  uint32_t *maker; // by symbol: the item that computes it, plus one
  bool *ready;     // by expression: all below it is known
  uint32_t ready_size;
  VEC(uint32_t) stack;
  uint32_t numbers;
  uint32_t circles; // that are solved
  // of rules: definitions from here on may hold their own symbol, which then is its value before; nothing is solved
  uint32_t rules;
  bool no_circles;
  bool failed;
} Order;

// ---- order.c

// The symbols that an item computes; how many.
uint32_t order_unknowns_of(const Order *o, const OrderItem *x, const SymbolId **symbols);
// The expressions of an item, without those that are found ready: what is not known yet is among them. In the pool's
// scratch arena. NULL: out of memory.
const ExprId *order_holds(const Order *o, const OrderItem *x, uint32_t *length);
Span order_span(const Order *o, uint32_t origin);
const char *order_names(const Order *o, const SymbolId *symbols, uint32_t count); // "`z`, `w` and `v`"

// ---- order_equations.c

// Unknowns that no block of a formulation solves for, in the order of their names; they are not known from here on.
// NULL: out of memory.
const SymbolId *order_free_unknowns(Order *o, uint32_t *count);
// Items of the implicit equations. Where they and the unknowns do not pair up, it is reported.
void order_equations(Order *o, const SymbolId *unknowns, uint32_t count);

#endif

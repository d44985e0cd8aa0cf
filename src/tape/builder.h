// Inside the making of a tape: values that were numbered, before they get slots.
#ifndef VIVA_TAPE_BUILDER_H
#define VIVA_TAPE_BUILDER_H

#include "tape/operands.h"

typedef uint32_t Val; // 0: none

typedef enum Level { level_static, level_dynamic } Level;

enum { val_const = 0xFFF0, val_slot = 0xFFF1, val_part = 0xFFF2 }; // codes beside TapeCode

typedef struct TapeValue {
  uint16_t code;
  uint8_t level;
  uint32_t origin;  // into the origins, plus one; 0: none
  uint32_t a, b, c; // values; for calls: a is the call; for parts: a the call's value, b the place
  double number;    // of a constant
  uint32_t uses, slot;
} TapeValue;

typedef struct Builder {
  Arena *arena;
  ExprPool *pool;
  System *system;
  VEC(TapeValue) vals;
  uint32_t *table, table_size;
  Val *of_node; // by ExprId
  uint32_t of_node_size;
  Val *of_symbol;
  Val *spare_node, *spare_symbol; // all zero, for the next body
  VEC(ExprId) touched;            // of a body: nodes with a value
  VEC(TapeCall) calls;
  VEC(uint32_t) args; // values now, slots in the end
  uint32_t *node_origin;
  VEC(TapeOrigin) origins;
  uint32_t origin;
  uint32_t own_vars;     // of a body: its variables; what does not depend on them is captured
  uint16_t own, allowed; // their bit among the bound variables, and those of the bodies around it as well
  struct Builder *outer;
  VEC(Val) captured;   // outer values
  VEC(Val) capture_of; // own values standing for them
  uint32_t next_slot;
  TapeSolve *large;    // for large blocks
  uint32_t held_count; // see Tape
} Builder;

// The values as an operation's key: for looking one up.
uint32_t tape_value_hash(const TapeValue *v);
bool tape_value_same(const TapeValue *x, const TapeValue *y);

// Known parameters (NaN: one that is not) make operations simpler; results are values (special.c). False: memory is
// out.
bool tape_specialise(Builder *b, Val *results, uint32_t count, const double *params, uint32_t param_count);
// Pairs, fuses, drops what is dead, gives out slots (finish.c). NULL: memory is out.
const Tape *tape_finish(Builder *b, const Val *results, uint32_t count, uint32_t params, uint32_t vars);

#endif

// Inside the making of a tape: values that were numbered, before they get slots.
// parts: build.c build_body.c build_origins.c build_steps.c finish.c special.c
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
  uint32_t a, b, c; // values; for calls: a is the call; for parts: a the call's value, b the index
  double number;    // of a constant
  uint32_t uses, slot;
} TapeValue;

typedef struct TapeBuilder {
  Arena *arena; // for the making alone
  Arena *kept;  // for the tape and what its kernels read
  ExprPool *pool;
  System *system;
  VEC(TapeValue) vals;
  uint32_t *table, table_size;
  Val *of_node; // by ExprId
  uint32_t of_node_size;
  Val *of_symbol;
  bool params_later;              // there are very many parameters: each gets its value when it is asked for
  bool params_by_value;           // from their definitions, not from slots
  Val *spare_node, *spare_symbol; // all zero, for the next body
  VEC(ExprId) touched;            // of a body: nodes with a value
  VEC(TapeCall) calls;
  VEC(uint32_t) args; // values now, slots in the end
  uint32_t *node_origin;
  VEC(TapeOrigin) origins;
  uint32_t origin;
  uint32_t own_vars;     // of a body: its variables; what does not depend on them is captured
  uint16_t own, allowed; // their bit among the bound variables, and those of the bodies around it as well
  struct TapeBuilder *outer;
  VEC(Val) captured;   // outer values
  VEC(Val) capture_of; // own values standing for them
  uint32_t next_slot;
  TapeSolve *large;    // for large blocks
  uint32_t held_count; // see Tape
  bool often;          // see TapeRequest
} TapeBuilder;

// ---- values (build.c)

// The slot of a value in the hash table, or the empty slot for it.
uint32_t *tape_value_place(const TapeBuilder *b, const TapeValue *v);

Val build_value(TapeBuilder *b, TapeValue v); // equal ones once
Val build_constant(TapeBuilder *b, double x);
bool build_is(const TapeBuilder *b, Val v, double x); // this constant
Val build_slot(TapeBuilder *b, uint32_t slot, Level level);
Val build_operation(TapeBuilder *b, TapeCode code, Val x, Val y, Val z);
Val build_product(TapeBuilder *b, Val x, Val y);
Val build_param(TapeBuilder *b, SymbolId symbol); // of one that has none yet; 0: it is no parameter
Val build_call(TapeBuilder *b, const TapeKernel *kernel, const void *data, const Val *args, uint32_t count);
static inline Level build_level(const TapeBuilder *b, Val v) { return (Level)b->vals.items[v].level; }

// ---- expressions (build.c)

Val build_expr(TapeBuilder *b, ExprId id);   // what is below it has few levels, or its values already
Val build_root(TapeBuilder *b, ExprId root); // children first, so that no chain is deeper than one call
ExprFilter build_not_yet;                    // has no value yet; context: the builder

// ---- bodies and special operations (build_body.c)

// outer: of a body, or NULL.
bool build_init(TapeBuilder *b, Arena *arena, Arena *kept, System *system, TapeBuilder *outer);
Val build_special(TapeBuilder *b, ExprId id);
Val build_capture(TapeBuilder *b, ExprId id); // in a body: a value from outside
// bound: the body's variables; own: the operands in front of what it captures.
Val build_body(TapeBuilder *b, const TapeKernel *kernel, const ExprId *bodies, uint32_t body_count,
               const SymbolId *bound, uint32_t bound_count, const ExprId *own, uint32_t own_count);

// ---- the rest

void build_origins(TapeBuilder *b, Arena *arena, System *s); // fills node_origin and origins (build_origins.c)
// Known parameters (NaN: one that is not) make operations simpler; results are values (special.c). False: memory is
// out.
bool tape_specialise(TapeBuilder *b, Val *results, uint32_t count, const double *params, uint32_t param_count);
// Pairs, fuses, drops what is dead, gives out slots (finish.c). NULL: out of memory.
const Tape *tape_finish(TapeBuilder *b, const Val *results, uint32_t count, uint32_t params, uint32_t vars);

#endif

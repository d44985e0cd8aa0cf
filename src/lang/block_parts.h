// What blocks are made of: small expressions, demands, names, states, memories, and inputs whose reading is deferred.
#ifndef VIVA_LANG_BLOCK_PARTS_H
#define VIVA_LANG_BLOCK_PARTS_H

#include "lang/functions.h"

ExprId blocks_op(Elab *e, ExprOp op, ExprId a, ExprId b); // of one or two arguments
ExprId blocks_if(Elab *e, ExprId c, ExprId a, ExprId b);
ExprId blocks_ratio(Elab *e, int64_t num, int64_t den);
ExprId blocks_half(Elab *e, ExprId x);
ExprId blocks_corner(Elab *e, ExprId id, const Ast *a);        // id itself; its corner came from this block
ExprId blocks_choose(Elab *e, ExprId c, ExprId lo, ExprId hi); // hi where the condition (0 or 1) holds, else lo
ExprId blocks_logic(Elab *e, ExprId x, const Ast *a);          // 0 or 1 of a logic level

// A condition that must be false: reported at once where it is a number, before the run where it depends on parameters,
// else when it becomes true.
void blocks_demand(Elab *e, const Ast *a, ExprId wrong, const char *message);
void blocks_check(Elab *e, const Ast *a, ExprId wrong, const char *message); // when it happens
// A number or expression of parameters for a start, which is the i-th argument.
ExprId blocks_start(Elab *e, const Ast *a, const Binding *env, uint32_t i, ExprId otherwise);
bool blocks_no_signals(Elab *e, ExprId id, const Ast *a); // false: energies of a run stand in it, reported

bool blocks_may_stand(Elab *e, const Ast *a);       // a block with memory, here; false: reported
const char *blocks_new_name(Elab *e, const Ast *a); // NULL: out of memory
uint32_t blocks_new_state(Elab *e, const char *name, Span span);
uint32_t blocks_new_memory(Elab *e, const Ast *a, const char *name, bool logic);
SymbolId blocks_new_symbol(Elab *e, const char *name, SymbolKind kind, uint32_t index, uint32_t order);
Value blocks_state(Elab *e, uint32_t i);
Value blocks_memory(Elab *e, uint32_t i);
ExprId blocks_symbol(Elab *e, SymbolId s);
// Every block's output can be tabled: one that is no symbol, and not a `let` as a whole, gets a name.
void blocks_put_output(Elab *e, const Ast *a, const Value *v);

void blocks_defer(Elab *e, const Ast *a, const Binding *env, uint32_t index, const char *name,
                  void (*read)(Elab *, const DeferredBlock *));
bool blocks_inputs(Elab *e, const DeferredBlock *job, ExprId *x); // all arguments; false: reported
void blocks_read_deferred(Elab *e);                               // reads the inputs of all blocks with memory

#endif

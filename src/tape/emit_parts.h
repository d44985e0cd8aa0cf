// Inside C code generation: the traversal of a tape (emit_c.c), its words, operations, loops, and the table of what
// differs from target to target, one file each.
// parts: emit_words.c emit_ops.c emit_loops.c emit_groups.c emit_native.c emit_lanes.c emit_export.c
//
// A value is a local variable of its piece (r1, r2, ...), in a loop of its iteration. It is also stored in its slot of
// the workspace w when a later piece or iteration, a kernel or the caller reads it there.
#ifndef VIVA_TAPE_EMIT_PARTS_H
#define VIVA_TAPE_EMIT_PARTS_H

#include "tape/emit_c.h"
#include "tape/operands.h"

typedef struct Emit {
  const EmitJob *job;
  Text *out;
  const Tape *tape;
  const TapeOp *ops;
  uint32_t count, piece_size;
  const RolledPart *parts;
  uint32_t part_count;
  uint32_t *unit;     // by operation: where its values are local: a piece, or an iteration of a loop
  uint32_t *constant; // by slot: index plus one
  uint32_t *def;      // by slot: the value that stands there now, plus one
  bool *keep;         // by value: stored in the workspace
  uint32_t values;
  uint32_t *local, *stamp; // by slot: local variable, and the piece it belongs to
  uint32_t piece, end;     // the piece, from 1; behind its last operation
  const RolledLoop *loop;  // the one that is written; NULL: none
  uint32_t loop_op;        // operation of its pattern
  uint32_t *names;         // by operation of the pattern: its first value
  uint32_t *group;         // by operation, of a sincos that was computed with others: 1 + 4 * the first + its index
} Emit;

// A code generation target: what the traversal asks for where targets differ.
struct EmitTarget {
  const char *real;       // the type of a value
  const char *parameters; // of a function over the workspace
  const char *arguments;  // with which one calls another
  const char *again;      // and with which once more, where a piece takes one half of every slot; NULL: no
  const char *unused;     // of a function that does nothing
  const char *workspace;  // as a kernel takes it that is called back
  const char *in_slot;    // behind w[i], where a slot holds more than a value
  const char *slot;       // the type of a slot
  const char *all, *end;  // around a number that stands for a value
  const char *every;      // a function that says whether a comparison holds, for every lane
  const char *both;       // between comparisons that must all hold
  // It stands alone: kernels are text, not called back; the prologue is written as well; numbers that are not finite
  // have names, and so have slots (EmitJob.names).
  bool alone;
  void (*operation)(Emit *e, const TapeOp *op);                            // the text of an elementary one
  void (*sincos)(Emit *e, uint32_t index, uint32_t sine, uint32_t cosine); // declares both values
  // A loop over sines and cosines alone, of which four after each other do not read each other's results: writes it.
  // NULL: iteration by iteration.
  void (*sincos_loop)(Emit *e, uint32_t turns);
  void (*begin)(Emit *e, uint32_t from);         // of a straight piece: what is computed in front of it; NULL: nothing
  void (*head)(Text *out, const Rolled *rolled); // NULL: somebody else writes it
  const struct EmitRates *rates;                 // NULL: it has none
};

// The function NAME_rates: how its time comes in, and how it counts what is not finite.
typedef struct EmitRates {
  const char *time;          // its parameter
  const char *begin;         // declares what is counted
  const char *set, *to;      // around the slot of time
  const char *many, *finish; // in a loop over results; the end
} EmitRates;

// ---- words (emit_words.c)

const char *emit_formula(uint16_t code); // with a, b, c for the operands and M(f) for functions
void emit_literal(const Emit *e, double x);
void emit_operand(const Emit *e, uint32_t slot);
void emit_operands(const Emit *e, const uint32_t *slots, uint32_t count);                // with commas
void emit_array(const Emit *e, const char *name, const uint32_t *slots, uint32_t count); // opens a brace with it
void emit_slots(const Emit *e, const RolledSlots *s, uint32_t table);                    // a slot of iteration i
void emit_given(const Emit *e, const TapeOp *op, uint32_t k); // operand k (0, 1, 2) of an operation
void emit_put_formula(Emit *e, const TapeOp *op);             // with its operands in place
void emit_left_in_slots(Emit *e, const TapeOp *op);           // its results stand in the workspace, not in variables
// A value now stands in a local variable; in the workspace as well where it is needed there.
void emit_name_value(Emit *e, uint32_t slot, uint32_t number);

// ---- operations (emit_ops.c)

void emit_op(Emit *e, uint32_t index);
bool emit_called_back(const Emit *e, const TapeOp *op); // a kernel that this program runs, on the workspace

// ---- loops (emit_loops.c)

bool emit_loop(Emit *e, const RolledPart *part); // false: out of memory

// ---- sines and cosines that share a call (emit_groups.c)

bool emit_is_sincos_loop(const Emit *e, const RolledPart *part);
void emit_sincos_slot(const Emit *e, uint32_t which); // of iteration i of such a loop: 0 operand, 1 sine, 2 cosine

// Is the operand of a sincos, an operation of this piece, known before `index`?
bool emit_known_before(const Emit *e, uint32_t index, uint32_t sincos);
// Of the piece from `from` on: groups of those whose operand is known there, each written by `put` from its members.
typedef void EmitGroup(Emit *e, const uint32_t *members, uint32_t count);
void emit_group_all(Emit *e, uint32_t from, uint32_t most, EmitGroup *put);

// ---- shared between targets

void emit_single_sincos(Emit *e, uint32_t index, uint32_t sine, uint32_t cosine); // by viva_sincos
void emit_compiler_head(Text *out, const Rolled *rolled);                         // macros and pragmas for compilers

#endif

// C text from tapes.
//
// in    a tape
// out   functions in C99: straight-line pieces and loops that pass values to each other through the workspace
//
// Native text is compiled and loaded by this program: elementary functions and kernels are called through a table
// (NativeKit), so every back end runs the same ones. Exported text stands alone.
#ifndef VIVA_TAPE_EMIT_C_H
#define VIVA_TAPE_EMIT_C_H

#include "base/text.h"
#include "tape/rolled.h"

// The elementary functions of the table: X(name, arguments).
#define TAPE_MATH(X)                                                                                                   \
  X(sin, 1)                                                                                                            \
  X(cos, 1)                                                                                                            \
  X(tan, 1)                                                                                                            \
  X(asin, 1) X(acos, 1) X(atan, 1) X(atan2, 2) X(sinh, 1) X(cosh, 1) X(tanh, 1) X(exp, 1) X(log, 1) X(log10, 1)        \
      X(pow, 2) X(sqrt, 1) X(floor, 1)

typedef enum EmitStyle { emit_native, emit_lanes, emit_export } EmitStyle;

typedef struct EmitJob {
  Arena *arena; // for passing needs
  Text *out;
  const Tape *tape;
  const Rolled *rolled; // native: its operations
  EmitStyle style;
  bool single;              // export: float instead of double
  const char *name;         // the functions are NAME_prepare (export only) and NAME
  const char *const *names; // C names of parameters and variables; NULL: w[i]
  bool rates;               // native: also NAME_rates, see native_rates
  Text *parts;              // native: further texts for the pieces of a long tape, each with its head
  uint32_t part_count;      // 0: all in one text
} EmitJob;

// Operations a piece; of long tapes fewer, because compilers take more than twice as long for a piece of twice the
// size.
enum { emit_piece = 500, emit_short_piece = 100, emit_inline_solve = 6 };
bool rolled_is_long(const Rolled *rolled);

// The head of native text: the table's type. Then the functions. False: memory is out.
void emit_head(Text *out, EmitStyle style, const Rolled *rolled);
bool emit_c(const EmitJob *job);
// Export: where result i stands after NAME was called, as C text.
void emit_result(const EmitJob *job, uint32_t i);

// Which helper functions an exported tape calls; they are written by emit_helpers, each once.
typedef struct EmitNeeds {
  bool sincos, solve, table, noise, integral, inverse;
} EmitNeeds;
void emit_needs(const Tape *tape, EmitNeeds *needs);
void emit_helpers(Text *out, const EmitNeeds *needs);

// A name that C accepts and that no other in the list has. Primes become _d.
const char *emit_name(Arena *arena, const char *name, const char *const *taken, uint32_t count);

#endif

// C code generation from tapes.
// parts: emit_names.c emit_helpers.c emit_sections.c
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
// (clang-format would move a line of such a list at each pass.)
// clang-format off
#define TAPE_MATH(X) \
  X(sin, 1) X(cos, 1) X(tan, 1) X(asin, 1) X(acos, 1) X(atan, 1) X(atan2, 2) X(sinh, 1) X(cosh, 1) X(tanh, 1) \
  X(exp, 1) X(log, 1) X(log10, 1) X(pow, 2) X(sqrt, 1) X(floor, 1)
// clang-format on

// A target says what differs between the generated texts; its fields are for the files that write (emit_parts.h).
typedef struct EmitTarget EmitTarget;
extern const EmitTarget emit_native;     // for one state
extern const EmitTarget emit_lanes;      // for eight
extern const EmitTarget emit_half_lanes; // for eight, four at a time: without kernels
extern const EmitTarget emit_export;     // stands alone

typedef struct EmitJob {
  Arena *arena; // for passing needs
  Text *out;
  const Tape *tape;
  const Rolled *rolled; // native: its operations
  const EmitTarget *target;
  bool single;              // export: float instead of double
  const char *name;         // the functions are NAME_prepare (export only) and NAME
  const char *const *names; // C names of parameters and variables; NULL: w[i]
  bool rates;               // native: also NAME_rates, see native_rates
  Text *parts;              // native: further texts for the pieces of a long tape, each with its head
  uint32_t part_count;      // 0: all in one text
} EmitJob;

// Operations a piece; of long tapes fewer, because compilers take more than twice as long for a piece of twice the
// size.
enum { emit_piece = 500, emit_half_piece = 250, emit_short_piece = 100, emit_inline_solve = 6 };
bool rolled_is_long(const Rolled *rolled);

// The head of native text: the table's type. Then the functions. False: out of memory.
void emit_head(Text *out, const EmitTarget *target, const Rolled *rolled);
bool emit_c(const EmitJob *job);
bool emit_fronts(const EmitJob *job);           // for cc, before the head: kernels that are compiled as well
void emit_section(Text *out, const char *name); // of the embedded sources
// Export: where result i stands after NAME was called, as C text.
void emit_result(const EmitJob *job, uint32_t i);

// Which helper functions an exported tape calls; they are written by emit_helpers, each once.
typedef struct EmitNeeds {
  bool sincos;
  VEC(const TapeKernel *) kernels;
} EmitNeeds;
bool emit_needs(Arena *arena, const Tape *tape, EmitNeeds *needs); // adds those of a tape; false: out of memory
const TapeKernel *emit_missing(const EmitNeeds *needs);            // one that has no C text; NULL: all have
void emit_helpers(Text *out, EmitNeeds *needs);

// Names that were given, found by their letters.
typedef struct EmitNames {
  Arena *arena;
  const char **table; // open addressing, a power of two; NULL: an empty slot
  uint32_t size, count;
} EmitNames;
// A name that C accepts and that was not given before. Primes become _d. NULL: out of memory.
const char *emit_name(EmitNames *taken, const char *name);

#endif

// Kernels: operations of a tape that are functions of their own, with any number of arguments and results.
//
// A kernel is one file, kernel_NAME.c, that fills a TapeKernel, and a line in kernels.def. The tape's operation
// tape_call calls any of them; the interpreter, the lanes, native code, exported C, the Jacobian, the ranges and the
// messages ask the table and know no kernel by name. A formulation may bring kernels of its own that stand in no list
// (SystemCall in system/system.h).
//
// No kernel allocates: each call has its scratch in the workspace.
#ifndef VIVA_TAPE_KERNEL_H
#define VIVA_TAPE_KERNEL_H

#include "base/text.h"

struct Tape;
struct TapeOp;
struct Emit;
struct EmitJob;
struct EmitTarget;
struct TapeKernel;

// One call of a kernel by a tape.
typedef struct TapeCall {
  const struct TapeKernel *kernel;
  const void *data;     // what the kernel knows about this call; lives as long as the tape
  uint32_t args, count; // operands: a list of slots in the tape's args
  uint32_t scratch;     // its own slots begin here
} TapeCall;

// Which results depend on which arguments: result i on argument[start[i]] .. argument[start[i + 1] - 1], in rising
// order.
typedef struct TapePattern {
  const uint32_t *start, *argument;
} TapePattern;

// A range of values, and one of their rates of change (interval.h).
typedef struct TapeRange {
  double lo, hi;
} TapeRange;
typedef struct TapeDual {
  TapeRange v, d;
} TapeDual;

// Rates of the slots of a workspace in several directions at once (forward.h).
enum { tape_directions = 16 };
typedef struct TapeRates {
  double (*of)[tape_directions]; // by slot, where it moves
  bool *moves;                   // by slot
  // Numbers of the call's own, as many as its kernel asked for: zero first, then, in further directions at the same
  // operands, as it left them.
  double *room;
} TapeRates;

// How the rates of the results follow from those of the arguments. Never by differences.
typedef enum TapeTangentKind {
  tangent_by_expressions, // it stands for an operation of expressions, which expr/ differentiates
  tangent_by_solving,     // A(args) x + b(args) = 0: the rates solve the same A, with other right-hand sides
  tangent_by_slopes       // `slopes`: a kernel of the same data and arguments that leaves the entries of the pattern
} TapeTangentKind;

typedef struct TapeKernel {
  const char *name;
  const char *fault; // what it means that a result is no number
  bool blames_none;  // no single operand is the cause
  // How many results; they are the first numbers of the scratch. NULL: one, which goes to any slot.
  uint32_t (*results)(const void *data);
  uint32_t (*room)(const void *data); // slots of the scratch, results included; NULL: none
  // args: the slots of the operands. result: where the first result goes; a single one may go to the slot of an
  // operand, so it is written last.
  void (*eval)(const TapeCall *call, const uint32_t *args, double *w, double *result);
  // The same over a workspace of eight lanes (lanes.h): a bit for each lane that is left to be done alone. NULL: all
  // are.
  unsigned (*lanes)(const TapeCall *call, const uint32_t *args, double *w);

  TapeTangentKind tangent;
  const struct TapeKernel *slopes; // of tangent_by_slopes
  // Rates of the results, from `result` on, in numbers: some operand moves, the results are computed. NULL: only by the
  // tape of the derivatives.
  void (*rates)(const TapeCall *call, const uint32_t *args, const double *w, uint32_t result, TapeRates *r);
  uint32_t (*rates_room)(const void *data);
  // Of one whose body gives the residuals g of n results, then the matrix dg/dz: rates of g become those of the
  // results. matrix: overwritten, with room for 2 n numbers behind it. The body's workspace is the end of the
  // scratch. NULL: it has no such body.
  void (*solve)(const void *data, double *matrix, double (*rates)[tape_directions]);
  TapePattern (*pattern)(const void *data);                  // NULL: every result depends on every argument
  TapeDual (*range)(const void *data, const TapeDual *args); // of a single result; NULL: nothing is known

  // A closer reason than `fault`; NULL, or gives NULL: there is none.
  const char *(*reason)(const TapeCall *call, const uint32_t *args, double *w);
  uint32_t limits;                              // the first `limits` operands may be infinite
  uint64_t (*work)(const void *data);           // against that of an operation; NULL: about one
  const struct Tape *(*body)(const void *data); // a tape inside it; NULL: none

  // C text. emit: writes the call. NULL: native code calls the kernel back (`k->step`), and exported C cannot have it.
  void (*emit)(struct Emit *e, const struct TapeOp *op, uint32_t index);
  bool (*emits)(const struct EmitTarget *target, const void *data); // NULL: only in text that stands alone
  bool (*emit_data)(const struct EmitJob *job, uint32_t call);      // constants in front of the functions; NULL: none
  const char *const *sections; // of sources that exported C gets (see kernel_real.h), each once
  const char *const *text;     // further lines behind them
  // Native text for cc: the function void viva_front_CALL(double *w), which does the call on the workspace; in front of
  // all other text. NULL: cc calls back as well.
  bool (*emit_front)(const struct EmitJob *job, uint32_t call);
  uint64_t (*front_length)(const void *data); // about how many operations it is to compile
} TapeKernel;

// ---- lanes

// Makes `name`, a TapeKernel.lanes, of an inline function `body`: compiled for each instruction set, chosen when it
// runs.
#if defined(__x86_64__)
#define TAPE_LANES(name, body)                                                                                         \
  __attribute__((target("avx512f,avx512dq"))) static unsigned name##_avx512(const TapeCall *c, const uint32_t *a,      \
                                                                            double *w) {                               \
    return body(c, a, w);                                                                                              \
  }                                                                                                                    \
  __attribute__((target("avx2"))) static unsigned name##_avx2(const TapeCall *c, const uint32_t *a, double *w) {       \
    return body(c, a, w);                                                                                              \
  }                                                                                                                    \
  static unsigned name(const TapeCall *c, const uint32_t *a, double *w) {                                              \
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) return name##_avx512(c, a, w);        \
    return __builtin_cpu_supports("avx2") ? name##_avx2(c, a, w) : body(c, a, w);                                      \
  }
#else
#define TAPE_LANES(name, body)                                                                                         \
  static unsigned name(const TapeCall *c, const uint32_t *a, double *w) { return body(c, a, w); }
#endif

// ---- the list (kernels.def)

extern const TapeKernel *const tape_kernels[];
extern const uint32_t tape_kernel_count;
const TapeKernel *tape_kernel_find(const char *name); // NULL: there is none

#endif

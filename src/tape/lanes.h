// SIMD evaluation of a tape over eight lanes: eight states and sets of parameters at once.
// parts: lanes_avx2.c lanes_avx512.c
//
// A slot of the workspace is eight numbers. Each lane has the bits that the interpreter gives for it alone, whatever
// its neighbours are: SLEEF's deterministic functions are the same at every width, and everything else is done lane by
// lane.
#ifndef VIVA_TAPE_LANES_H
#define VIVA_TAPE_LANES_H

#include "tape/native.h"

enum { lane_count = 8 };

// What lanes call: functions of eight numbers at addresses that 64 divides. The order is the one of emit_head.
typedef struct LaneKit {
  const Tape *tape;
  const struct LaneKit *half; // functions of four numbers, for text that takes the lanes by halves; NULL: none
  void (*step)(const Tape *tape, uint32_t op, double *w);
  void (*sincos)(const double *a, double *s, double *c);
  void (*pair)(void); // the same of numbers in a register, as a struct of two: in a half kit, for compiled text alone
#define LANES_1 const double *a, double *r
#define LANES_2 const double *a, const double *b, double *r
#define X(name, arity) void (*name)(LANES_##arity);
  TAPE_MATH(X)
#undef X
#undef LANES_1
#undef LANES_2
  void (*run)(const struct LaneKit *kit, const TapeOp *ops, uint32_t count, double *w); // the interpreter
  // lanes_rates by the interpreter, of a tape over t and n components
  unsigned (*rates)(const struct LaneKit *kit, uint32_t n, const double *t, const double *y, double *dydt, double *w);
} LaneKit;

LaneKit lanes_kit(const Tape *tape); // for this processor
size_t lanes_size(const Tape *tape); // of a workspace, in doubles; its address is a multiple of 64 bytes
double *lanes_workspace(Arena *arena, const Tape *tape); // zeroed; NULL: out of memory

void lanes_prepare(const LaneKit *kit, double *w); // after the parameters were set, all lanes
void lanes_eval(const LaneKit *kit, double *w);    // after the variables were set
void lanes_native(const Native *native, const LaneKit *kit,
                  double *w); // the same by compiled code (NativeSettings.lanes)

// native_rates over lanes: a bit for each lane whose results are finite. y and dydt at multiples of 64 bytes.
unsigned lanes_rates(const Native *native, const LaneKit *kit, const double *t, const double *y, double *dydt,
                     double *w);

// A kernel for the lanes whose bit is set, one after the other.
void lanes_kernel(const Tape *tape, const TapeOp *op, double *w, unsigned todo);

// The families; false: not on this processor.
bool lanes_avx512(LaneKit *kit);
// NativeKit.sincos4 as one vector, where the processor has such.
void lanes_widen(NativeKit *kit);
// Compiled code is faster if it takes four lanes at a time: registers have four numbers, and none is left over for
// values if each needs two.
bool lanes_by_halves(const Tape *tape);
bool lanes_avx2(LaneKit *kit);
void lanes_plain(LaneKit *kit);

#endif

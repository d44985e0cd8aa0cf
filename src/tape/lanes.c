// Lanes: what is the same for all instruction sets, and the family without vectors.
#include "tape/lanes.h"
#include "tape/threaded.h"

#include <math.h>
#include <string.h>

// ---- the workspace: slots of eight, then one workspace for kernels that take a lane at a time

size_t lanes_size(const Tape *tape) { return (size_t)tape->slot_count * (lane_count + 1) + lane_count; }

double *lanes_workspace(Arena *arena, const Tape *tape) {
  char *p = arena_alloc(arena, lanes_size(tape) * sizeof(double) + 64);
  if (!p) return NULL;
  return (double *)(void *)(p + (64 - (uintptr_t)p % 64) % 64);
}

// ---- kernels

// One lane of a kernel, by the interpreter.
static void kernel_lane(const Tape *tape, const TapeOp *op, double *w, int lane) {
  const TapeCall *call = &tape->calls[op->a];
  const uint32_t *args = tape->args + call->args;
  double *one = w + (size_t)tape->slot_count * lane_count;
  for (uint32_t i = 0; i < call->count; i++) one[args[i]] = w[(size_t)args[i] * lane_count + (size_t)lane];
  tape_eval_op(tape, op, one);
  uint32_t results = tape_results(call);
  for (uint32_t i = 0; i < results; i++) w[(size_t)(op->dst + i) * lane_count + (size_t)lane] = one[op->dst + i];
}

void lanes_kernel(const Tape *tape, const TapeOp *op, double *w, unsigned todo) {
  for (int lane = 0; lane < lane_count; lane++) {
    if (todo >> lane & 1) kernel_lane(tape, op, w, lane);
  }
}

// ---- the family without vectors: the interpreter's functions, lane by lane

#define ONE(f)                                                                                                         \
  static void m_##f(const double *a, double *r) {                                                                      \
    NativeKit kit = tape_kit(NULL);                                                                                    \
    for (int i = 0; i < lane_count; i++) r[i] = kit.f(a[i]);                                                           \
  }
#define TWO(f)                                                                                                         \
  static void m_##f(const double *a, const double *b, double *r) {                                                     \
    NativeKit kit = tape_kit(NULL);                                                                                    \
    for (int i = 0; i < lane_count; i++) r[i] = kit.f(a[i], b[i]);                                                     \
  }
// clang-format off
ONE(sin) ONE(cos) ONE(tan) ONE(asin) ONE(acos) ONE(atan) ONE(sinh) ONE(cosh)
ONE(tanh) ONE(exp) ONE(log) ONE(log10) ONE(sqrt) ONE(floor) TWO(atan2) TWO(pow)
    // clang-format on

    static void m_sincos(const double *a, double *s, double *c) {
  NativeKit kit = tape_kit(NULL);
  for (int i = 0; i < lane_count; i++) {
    NativePair both = kit.sincos(a[i]);
    s[i] = both.x;
    c[i] = both.y;
  }
}

#define LANES_RUN run_plain
#define LANES_RATES rates_plain
#define LANES_FILL fill_plain
#include "tape/lanes_body.h"

void lanes_plain(LaneKit *kit) { fill_plain(kit); }

// ---- the whole

LaneKit lanes_kit(const Tape *tape) {
  LaneKit kit = {.tape = tape};
  if (!lanes_avx512(&kit) && !lanes_avx2(&kit)) lanes_plain(&kit);
  return kit;
}

bool lanes_by_halves(const Tape *tape) {
  LaneKit kit = lanes_kit(tape);
  return kit.half && !tape->call_count;
}

void lanes_prepare(const LaneKit *kit, double *w) {
  const Tape *t = kit->tape;
  for (uint32_t i = 0; i < t->constant_count; i++) {
    for (int l = 0; l < lane_count; l++)
      w[(size_t)t->constants[i].slot * lane_count + (size_t)l] = t->constants[i].value;
  }
  kit->run(kit, t->prologue, t->prologue_count, w);
}

void lanes_eval(const LaneKit *kit, double *w) { kit->run(kit, tape_steps(kit->tape), kit->tape->op_count, w); }

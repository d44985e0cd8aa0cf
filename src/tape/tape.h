// Tape: intermediate representation of expressions as straight-line programs.
// parts: interp.c
//
// A tape reads parameters and variables from slots of a workspace and leaves its results in others. It keeps no state:
// one tape serves many threads, each with a workspace of its own. What depends on parameters alone is computed once, by
// tape_prepare.
#ifndef VIVA_TAPE_TAPE_H
#define VIVA_TAPE_TAPE_H

#include "system/system.h"
#include "tape/kernel.h"

typedef enum TapeCode {
  tape_nop,
  tape_add, // dst = a + b
  tape_sub,
  tape_mul,
  tape_div,
  tape_neg,
  tape_sqrt,
  tape_pow,
  tape_madd,   // dst = a*b + c, rounded twice
  tape_msub,   // dst = a*b - c
  tape_nmadd,  // dst = c - a*b
  tape_sincos, // dst = sin(a), b = the slot of cos(a)
  tape_call,   // a kernel: a is the call, dst its first result
#define OP(name, arity, value, d1, d2, d3, smoothness, parity, switching, answer, domain, meaning) tape_##name,
#include "expr/ops.def"
#undef OP
  tape_code_count
} TapeCode;

typedef struct TapeOp {
  uint16_t code;
  uint32_t dst, a, b, c;
} TapeOp;

// Solves M X = X, several columns, for a large M (row by row, both triangles; overwritten): definite by Cholesky's
// method, else by elimination with pivoting. pivot: room for n. False: M is not definite, or singular.
typedef bool TapeSolve(uint32_t n, uint32_t columns, bool definite, double *m, double *x, int *pivot);

typedef struct TapeOrigin {
  Span span;
  const char *label;
} TapeOrigin;

typedef struct TapeConstant {
  uint32_t slot;
  double value;
} TapeConstant;

typedef struct Tape {
  TapeOp *prologue, *ops;
  TapeOp *batched; // the same as ops for interpreters (batch.h); NULL: ops
  uint32_t prologue_count, op_count;
  uint32_t *args;
  TapeCall *calls;
  uint32_t call_count;
  TapeConstant *constants;
  uint32_t constant_count;
  uint32_t param_count; // slots 0 ..
  uint32_t var_count;   // slots param_count ..: t, q, v, x, signals (as given to the builder)
  uint32_t held_count;  // how many last variables are no part of the state: they stay from call to call
  uint32_t slot_count;  // size of the workspace
  uint32_t *outputs;    // slot of each result
  uint32_t output_count;
  TapeOrigin *origins; // the lines of the text
  uint32_t origin_count;
  // by operation of the prologue and of the main part, the index of its line among them, plus one; 0: none. Beside the
  // operations, because only a search for faults asks (tape_diagnose). NULL: the tape was built without
  uint32_t *origin_of[2];
} Tape;

// What a Jacobian needs beside a step, computed right after it (so it may hold what the step computes).
// Of a block: rates of its unknowns, M a_c + r_c = 0 for several right-hand sides r_c. Of a call: its derivatives.
typedef struct TapeTangent {
  uint32_t step;           // of the system
  uint32_t count;          // right-hand sides; of a call: entries of the pattern
  const ExprId *r;         // count * size of the block; of a call: NULL
  const SymbolId *symbols; // what the solutions or derivatives are called, in the same order
} TapeTangent;

// What a tape is to compute, over which variables. Steps of the system are included as far as results need them.
typedef struct TapeRequest {
  System *system;
  const SymbolId *vars;
  uint32_t var_count;
  const ExprId *results;
  uint32_t result_count;
  bool params_by_value; // parameters are computed from their definitions instead of being read from slots
  const double *known; // values of the parameters, NaN for those that vary; NULL: all vary. The tape is for these alone
  bool origins;        // every operation remembers its line; may add expressions to the pool
  TapeSolve *large;    // for blocks from tape_large_size on; NULL: our own for all
  bool often;          // it is evaluated many times: worth an order for interpreters
  uint32_t held_count; // see Tape
  const TapeTangent *tangents; // in the order of their steps
  uint32_t tangent_count;
} TapeRequest;

// From this size on a block is worth LAPACK: 7 microseconds instead of 16 for the accelerations, 44 instead of 172 with
// all their derivatives (bench/stiff.c). Faster from 24 on, but loading the library takes some ms.
enum { tape_large_size = 48 };

const Tape *tape_build(Arena *arena, const TapeRequest *request); // NULL: out of memory

// The operations in the order of interpreters.
static inline const TapeOp *tape_steps(const Tape *tape) { return tape->batched ? tape->batched : tape->ops; }

void tape_prepare(const Tape *tape, double *w);               // after the parameters were set
void tape_eval(const Tape *tape, double *w);                  // after the variables were set
void tape_eval_one(const Tape *tape, uint32_t op, double *w); // one operation of the main part
void tape_eval_op(const Tape *tape, const TapeOp *op, double *w);
// How many numbers a call leaves, one behind the other.
static inline uint32_t tape_results(const TapeCall *call) {
  return call->kernel->results ? call->kernel->results(call->data) : 1;
}
static inline double *tape_vars(const Tape *tape, double *w) { return w + tape->param_count; }
static inline double tape_result(const Tape *tape, const double *w, uint32_t i) { return w[tape->outputs[i]]; }

// Has every operation that the variables reach a value wherever they have one? Nothing is divided by, no root is taken,
// and no kernel is called.
bool tape_is_total(const Tape *tape);

// Why a result is not finite: evaluates step by step and finds the first operation that made it so.
typedef struct TapeFault {
  bool found;
  const char *what;  // "division by zero"
  double operand;    // NaN: it says nothing
  TapeOrigin origin; // label NULL: unknown
} TapeFault;
TapeFault tape_diagnose(const Tape *tape, double *w);

#endif

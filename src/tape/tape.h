// Straight-line programs made from expressions.
//
// A tape reads parameters and variables from slots of a workspace and leaves its results in others. It keeps no state:
// one tape serves many threads, each with a workspace of its own. What depends on parameters alone is computed once, by
// tape_prepare.
#ifndef VIVA_TAPE_TAPE_H
#define VIVA_TAPE_TAPE_H

#include "system/system.h"

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
  tape_solve,  // kernel: accelerations of a block
  tape_newton, // kernel: unknowns of implicit equations
  tape_table,  // kernel: linear interpolation, or its slope
  tape_noise,
  tape_integral,
  tape_inverse,
#define OP(name, arity, value, d1, d2, d3, smoothness, parity, switching, answer, domain, meaning) tape_##name,
#include "expr/ops.def"
#undef OP
  tape_code_count
} TapeCode;

typedef struct TapeOp {
  uint16_t code;
  uint16_t origin; // into the tape's origins, plus one; 0: none
  uint32_t dst, a, b, c;
} TapeOp;

struct Tape;

// Solves M X = X, several columns, for a large M (row by row, both triangles; overwritten): definite by Cholesky's
// method, else by elimination with pivoting. pivot: room for n. False: M is not definite, or singular.
typedef bool TapeSolve(uint32_t n, uint32_t columns, bool definite, double *m, double *x, int *pivot);

// A kernel operation's data; its operands are a list of slots.
typedef struct TapeCall {
  uint32_t args, count; // into the tape's args
  uint32_t size;        // of a solve or newton: unknowns
  uint32_t more;        // of a solve: right-hand sides beside the first
  bool symmetric;       // of a solve: the lower triangle is given
  TapeSolve *large;     // of a solve: used instead of our own; NULL
  uint32_t scratch;     // slots of its own
  const ModelTable *table;
  int slope; // of a table: 0 its value, 1 its slope, 2 which piece
  const struct Tape
      *body;   // of an integral or inverse: reads (s, captured...), gives f, or f and df/ds; see kernel_newton
  bool moving; // of an inverse: its body holds variables of the tape
  const uint8_t *watches; // of an integral: what kinds of things the further results of its body are (kernels_text.h)
} TapeCall;

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
  uint32_t prologue_count, op_count;
  uint32_t *args;
  TapeCall *calls;
  uint32_t call_count;
  TapeConstant *constants;
  uint32_t constant_count;
  uint32_t param_count; // slots 0 ..
  uint32_t var_count;   // slots param_count ..: t, q, v, x, signals (as the builder was told)
  uint32_t held_count;  // the last so many variables are no part of the state: they stay from call to call
  uint32_t slot_count;  // size of the workspace
  uint32_t *outputs;    // slot of each result
  uint32_t output_count;
  TapeOrigin *origins;
  uint32_t origin_count;
} Tape;

// Rates of change of the accelerations of a block: M a_c + r_c = 0 for several right-hand sides r_c, solved right after
// the block itself (so r_c may hold its accelerations).
typedef struct TapeTangent {
  uint32_t step;           // of the system: the solve of the block
  uint32_t count;          // right-hand sides
  const ExprId *r;         // count * size of the block
  const SymbolId *symbols; // what the solutions are called, in the same order
} TapeTangent;

// What a tape is to compute, over which variables. Steps of the system are included as far as results need them.
typedef struct TapeWish {
  System *system;
  const SymbolId *vars;
  uint32_t var_count;
  const ExprId *results;
  uint32_t result_count;
  bool params_by_value; // parameters are computed from their definitions instead of being read from slots
  const double *known; // values of the parameters, NaN for those that vary; NULL: all vary. The tape is for these alone
  bool origins;        // every operation remembers its line; may add expressions to the pool
  TapeSolve *large;    // for blocks from tape_large_size on; NULL: our own for all
  uint32_t held_count; // see Tape
  const TapeTangent *tangents; // in the order of their steps
  uint32_t tangent_count;
} TapeWish;

// From this size on a block is worth LAPACK: 7 microseconds instead of 16 for the accelerations, 44 instead of 172 with
// all their derivatives (bench/stiff.c). Faster from 24 on, but loading the library takes some ms.
enum { tape_large_size = 48 };

const Tape *tape_build(Arena *arena, const TapeWish *wish); // NULL: memory is out

void tape_prepare(const Tape *tape, double *w);               // after the parameters were set
void tape_eval(const Tape *tape, double *w);                  // after the variables were set
void tape_eval_one(const Tape *tape, uint32_t op, double *w); // one operation of the main part
void tape_eval_op(const Tape *tape, const TapeOp *op, double *w);
// Kernels with several results leave them in the first slots of their scratch.
static inline uint32_t tape_results(const Tape *tape, const TapeOp *op) {
  if (op->code == tape_newton) return tape->calls[op->a].size;
  return op->code == tape_solve ? tape->calls[op->a].size * (1 + tape->calls[op->a].more) : 1;
}
static inline double *tape_vars(const Tape *tape, double *w) { return w + tape->param_count; }
static inline double tape_result(const Tape *tape, const double *w, uint32_t i) { return w[tape->outputs[i]]; }

// Why a result is not finite: evaluates step by step and finds the first operation that made it so.
typedef struct TapeFault {
  bool found;
  const char *what;  // "division by zero"
  double operand;    // NaN: it says nothing
  TapeOrigin origin; // label NULL: unknown
} TapeFault;
TapeFault tape_diagnose(const Tape *tape, double *w);

#endif

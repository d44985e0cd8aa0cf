// What operations of a tape read and leave.
#ifndef VIVA_TAPE_OPERANDS_H
#define VIVA_TAPE_OPERANDS_H

#include "tape/tape.h"

uint32_t tape_arity(uint16_t code); // of a call: 0

// The slots that an operation reads; own: room for those that stand in the operation itself.
const uint32_t *tape_operands(const Tape *tape, const TapeOp *op, uint32_t own[3], uint32_t *count);

// How many values an operation leaves, and the slot of each.
static inline uint32_t tape_leaves(const Tape *tape, const TapeOp *op) {
  if (op->code == tape_sincos) return 2;
  return op->code == tape_call ? tape_results(&tape->calls[op->a]) : 1;
}
static inline uint32_t tape_left_in(const TapeOp *op, uint32_t k) {
  return op->code == tape_sincos && k ? op->b : op->dst + k;
}

// The everyday operations as the interpreter has them; false: it shall do it.
static inline __attribute__((always_inline)) bool tape_everyday(uint16_t code, const double v[3], double *r) {
  double product = v[0] * v[1];
  switch ((TapeCode)code) {
  case tape_add: *r = v[0] + v[1]; return true;
  case tape_sub: *r = v[0] - v[1]; return true;
  case tape_mul: *r = product; return true;
  case tape_madd: *r = product + v[2]; return true;
  case tape_msub: *r = product - v[2]; return true;
  case tape_nmadd: *r = v[2] - product; return true;
  default: return false;
  }
}

#endif

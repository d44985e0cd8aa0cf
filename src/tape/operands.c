// What operations of a tape read: their arity, and the slots that they name or list.
#include "tape/operands.h"

uint32_t tape_arity(uint16_t code) {
  switch ((TapeCode)code) {
  case tape_add:
  case tape_sub:
  case tape_mul:
  case tape_div:
  case tape_pow: return 2;
  case tape_neg:
  case tape_sqrt:
  case tape_sincos: return 1;
  case tape_madd:
  case tape_msub:
  case tape_nmadd: return 3;
#define OP(name, arity, value, d1, d2, d3, smoothness, parity, switching, answer, domain, meaning)                     \
  case tape_##name:                                                                                                    \
    return arity;
#include "expr/ops.def"
#undef OP
  default: return 0;
  }
}

const uint32_t *tape_operands(const Tape *tape, const TapeOp *op, uint32_t own[3], uint32_t *count) {
  if (op->code == tape_call) {
    const TapeCall *call = &tape->calls[op->a];
    *count = call->count;
    return tape->args + call->args;
  }
  *count = tape_arity(op->code);
  own[0] = op->a;
  own[1] = op->b;
  own[2] = op->c;
  return own;
}

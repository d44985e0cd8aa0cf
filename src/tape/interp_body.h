// The interpreter's loop, included once for each family of elementary functions: M(f) names function f of one argument.
// No include guard: this is a template.
static void INTERP(const Tape *tape, const TapeOp *op, uint32_t count, double *w) {
#include "tape/threaded_start.h"
others : {
  double a = w[op->a], b = w[op->b], c = w[op->c];
  double r;
  switch ((TapeCode)op->code) {
  case tape_div: r = a / b; break;
  case tape_neg: r = -a; break;
  case tape_sqrt: r = sqrt(a); break;
  case tape_pow: r = M(pow)(a, b); break;
  case tape_sincos: {
    Sleef_double_2 both = M(sincos)(a);
    w[op->dst] = both.x;
    w[op->b] = both.y;
    THREADED_NEXT;
  }
  case tape_call: {
    const TapeCall *call = &tape->calls[op->a];
    call->kernel->eval(call, tape->args + call->args, w, w + op->dst);
    THREADED_NEXT;
  }
#define OP(name, arity, value, d1, d2, d3, smoothness, parity, switching, answer, domain, meaning)                     \
  case tape_##name:                                                                                                    \
    r = value;                                                                                                         \
    break;
#include "expr/ops.def"
#undef OP
  default: r = NAN; break;
  }
  w[op->dst] = r;
  THREADED_NEXT;
}
#pragma GCC diagnostic pop
}

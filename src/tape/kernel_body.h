// What integrals and inverses share: a body, a tape of its own that reads (s, captured...).
#ifndef VIVA_TAPE_KERNEL_BODY_H
#define VIVA_TAPE_KERNEL_BODY_H

#include "tape/emit_parts.h"
#include "tape/kernel_real.h"
#include "tape/kernels.h"

// The body of a call as a viva_body; self is its tape.
static inline viva_real kernel_body_at(const void *self, viva_real *w, viva_real s, viva_real *more) {
  const Tape *body = self;
  w[0] = s;
  tape_eval(body, w);
  for (uint32_t i = 1; i < body->output_count; i++) more[i - 1] = tape_result(body, w, i);
  return tape_result(body, w, 0);
}
// The body's workspace, with what it captures: the operands from `own` on.
double *kernel_body_begin(const TapeCall *call, const uint32_t *args, uint32_t own, double *w);
// How many digits less a body has that holds integrals or inverses itself: to ask for more would halve without end.
double kernel_body_digits(const Tape *body);
const Tape *kernel_body_tape(const void *data); // TapeKernel.body

// C text: the functions of the body and the list of its watches; then a call, up to its workspace.
bool kernel_body_emit(const EmitJob *job, uint32_t call);
uint32_t kernel_body_call(Emit *e, const TapeOp *op, const char *function, uint32_t own); // the number of its value

#endif

// One operation as C: arithmetic and functions in line, kernels as text or called back.
#include "tape/emit_parts.h"

// ---- calls

bool emit_called_back(const Emit *e, const TapeOp *op) {
  if (op->code != tape_call) return false;
  const TapeCall *call = &e->tape->calls[op->a];
  const TapeKernel *kernel = call->kernel;
  const EmitTarget *target = e->job->target;
  if (!kernel->emit) return true;
  return kernel->emits ? !kernel->emits(target, call->data) : !target->alone;
}

static void emit_kernel(Emit *e, const TapeOp *op, uint32_t index) {
  if (!emit_called_back(e, op)) {
    e->tape->calls[op->a].kernel->emit(e, op, index);
    return;
  }
  const char *workspace = e->job->target->workspace;
  const bool front = e->tape->calls[op->a].kernel->emit_front != NULL;
  if (front)
    text_printf(e->out, "#ifdef VIVA_FRONT\n  VIVA_HIDDEN void viva_front_%u(double *);\n  viva_front_%u(%s);\n#else\n",
                op->a, op->a, workspace);
  text_printf(e->out, "  k->step(k->tape, %u, %s);\n", index, workspace);
  if (front) text_put(e->out, "#endif\n");
  emit_left_in_slots(e, op);
}

// ---- operations

void emit_op(Emit *e, uint32_t index) {
  const TapeOp *op = &e->ops[index];
  const EmitTarget *d = e->job->target;
  Text *o = e->out;
  if (op->code == tape_call) {
    emit_kernel(e, op, index);
    return;
  }
  uint32_t number = ++e->values;
  if (op->code == tape_sincos) {
    uint32_t other = ++e->values;
    d->sincos(e, index, number, other);
    emit_name_value(e, op->dst, number);
    emit_name_value(e, op->b, other);
    return;
  }
  text_printf(o, "  const %s r%u = ", d->real, number);
  d->operation(e, op);
  text_put(o, ";\n");
  emit_name_value(e, op->dst, number);
}

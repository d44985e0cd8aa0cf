// Bodies of integrals and inverses: how they are evaluated and written.
#include "tape/kernel_body.h"

double *kernel_body_begin(const TapeCall *call, const uint32_t *args, uint32_t own, double *w) {
  const KernelBody *data = call->data;
  double *inner = w + call->scratch;
  for (uint32_t i = own; i < call->count; i++) inner[1 + i - own] = w[args[i]];
  tape_prepare(data->body, inner);
  return inner;
}

const Tape *kernel_body_tape(const void *data) { return ((const KernelBody *)data)->body; }

double kernel_body_digits(const Tape *body) {
  double most = 1;
  for (uint32_t i = 0; i < body->call_count; i++) {
    const TapeCall *inner = &body->calls[i];
    double own = inner->kernel->body ? 30 * kernel_body_digits(inner->kernel->body(inner->data)) : 1;
    if (own > most) most = own;
  }
  return most;
}

// ---- C text

bool kernel_body_emit(const EmitJob *job, uint32_t call) {
  const KernelBody *data = job->tape->calls[call].data;
  const Tape *body = data->body;
  EmitJob inner = *job;
  inner.tape = body;
  inner.names = NULL;
  inner.name = arena_printf(job->arena, "%s_body%u", job->name, call);
  if (!inner.name || !emit_c(&inner)) return false;
  text_printf(job->out,
              "static viva_real %s_at(const void *self, viva_real *w, viva_real s, viva_real *more) {\n  (void)self;\n "
              " (void)more;\n  w[0] = s;\n  %s(w);\n",
              inner.name, inner.name);
  for (uint32_t i = 1; i < body->output_count; i++) {
    text_printf(job->out, "  more[%u] = ", i - 1);
    emit_result(&inner, i);
    text_put(job->out, ";\n");
  }
  text_put(job->out, "  return ");
  emit_result(&inner, 0);
  text_put(job->out, ";\n}\n");
  const uint8_t *watches = data->watches;
  for (uint32_t i = 0; watches && i + 1 < body->output_count; i++) {
    if (i == 0)
      text_printf(job->out, "static const unsigned char %s_watches[%u] = {", inner.name, body->output_count - 1);
    text_printf(job->out, i + 2 < body->output_count ? "%u, " : "%u};\n", watches[i]);
  }
  text_put(job->out, "\n");
  return true;
}

uint32_t kernel_body_call(Emit *e, const TapeOp *op, const char *function, uint32_t own) {
  const TapeCall *call = &e->tape->calls[op->a];
  const uint32_t *args = e->tape->args + call->args;
  uint32_t number = ++e->values;
  for (uint32_t i = own; i < call->count; i++) {
    text_printf(e->out, "  w[%u] = ", call->scratch + 1 + i - own);
    emit_operand(e, args[i]);
    text_put(e->out, ";\n");
  }
  text_printf(e->out, "  %s_body%u_prepare(w + %u);\n", e->job->name, op->a, call->scratch);
  text_printf(e->out, "  const viva_real r%u = %s(%s_body%u_at, 0, w + %u, ", number, function, e->job->name, op->a,
              call->scratch);
  return number;
}

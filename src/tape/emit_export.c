// Code generation target of exports: C99 that stands alone. Functions are viva_NAME, which show/export_c.c defines;
// kernels are text of their own (emit_helpers.c).
#include "tape/emit_parts.h"

void emit_single_sincos(Emit *e, uint32_t index, uint32_t sine, uint32_t cosine) {
  text_printf(e->out, "  const viva_pair p%u = viva_sincos(", sine);
  emit_given(e, &e->ops[index], 0);
  text_printf(e->out, ");\n  const %s r%u = p%u.x, r%u = p%u.y;\n", e->job->target->real, sine, sine, cosine, sine);
}

const EmitTarget emit_export = {
    .real = "viva_real",
    .parameters = "viva_real *w",
    .arguments = "w",
    .unused = "  (void)w;\n",
    .workspace = "w",
    .in_slot = "",
    .slot = "viva_real",
    .all = "",
    .end = "",
    .every = "",
    .both = " && ",
    .alone = true,
    .operation = emit_put_formula,
    .sincos = emit_single_sincos,
};

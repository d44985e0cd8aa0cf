// The sources of the kernels that exported C needs.
//
// A kernel names the sections (emit_sections.c) that it needs, in order; shared ones are written once.
#include "tape/emit_c.h"

#include "tape/kernels.h"

#include <string.h>

// ---- what exported C needs

static bool put_need(Arena *arena, EmitNeeds *needs, const TapeKernel *kernel) {
  for (uint32_t i = 0; i < needs->kernels.count; i++) {
    if (needs->kernels.items[i] == kernel) return true;
  }
  return vec_push(arena, &needs->kernels, kernel);
}

bool emit_needs(Arena *arena, const Tape *t, EmitNeeds *needs) {
  for (uint32_t part = 0; part < 2; part++) {
    const TapeOp *ops = part ? t->ops : t->prologue;
    for (uint32_t i = 0; i < (part ? t->op_count : t->prologue_count); i++) {
      needs->sincos = needs->sincos || ops[i].code == tape_sincos;
      if (ops[i].code != tape_call) continue;
      const TapeCall *call = &t->calls[ops[i].a];
      const TapeKernel *kernel = call->kernel;
      if (!put_need(arena, needs, kernel)) return false;
      if (kernel->body && !emit_needs(arena, kernel->body(call->data), needs)) return false;
    }
  }
  return true;
}

const TapeKernel *emit_missing(const EmitNeeds *needs) {
  for (uint32_t i = 0; i < needs->kernels.count; i++) {
    if (!needs->kernels.items[i]->emit) return needs->kernels.items[i];
  }
  return NULL;
}

static const char *const sincos_text[] = {
    "#ifndef VIVA_SLEEF",
    "typedef struct viva_pair {",
    "  viva_real x, y;",
    "} viva_pair;",
    "static viva_pair viva_sincos(viva_real a) {",
    "  viva_pair r;",
    "  r.x = viva_sin(a);",
    "  r.y = viva_cos(a);",
    "  return r;",
    "}",
    "#endif",
    "",
    NULL,
};

static void put_lines(Text *out, const char *const *lines) {
  for (; *lines; lines++) {
    text_put(out, *lines);
    text_putc(out, '\n');
  }
}

// Did a kernel before this one bring the section along?
static bool is_written(const TapeKernel *const *kernels, uint32_t count, const char *section) {
  for (uint32_t i = 0; i < count; i++) {
    for (const char *const *s = kernels[i]->sections; s && *s; s++) {
      if (strcmp(*s, section) == 0) return true;
    }
  }
  return false;
}

// Where a kernel stands in the list; behind it those that formulations bring along.
static uint32_t rank(const TapeKernel *kernel) {
  uint32_t i = 0;
  while (i < tape_kernel_count && tape_kernels[i] != kernel) i++;
  return i;
}

static void sort(const TapeKernel **kernels, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    for (uint32_t k = i; k > 0 && rank(kernels[k]) < rank(kernels[k - 1]); k--) {
      const TapeKernel *swap = kernels[k];
      kernels[k] = kernels[k - 1];
      kernels[k - 1] = swap;
    }
  }
}

void emit_helpers(Text *out, EmitNeeds *needs) {
  const TapeKernel **kernels = needs->kernels.items;
  if (needs->sincos) put_lines(out, sincos_text);
  sort(kernels, needs->kernels.count);
  for (uint32_t i = 0; i < needs->kernels.count; i++) {
    for (const char *const *s = kernels[i]->sections; s && *s; s++) {
      if (!is_written(kernels, i, *s)) emit_section(out, *s);
    }
    if (kernels[i]->text) put_lines(out, kernels[i]->text);
  }
}

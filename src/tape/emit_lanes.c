// Code generation target of native text over eight SIMD lanes: a value is a vector. Arithmetic is the same; every other
// operation has a function, which calls those of LaneKit or goes lane by lane, where the compiler makes vectors of it
// if it can.
//
// By halves a value is a vector of four: the first four numbers of every slot, then the others.
#include "tape/emit_parts.h"

#include <string.h>

static bool is_arithmetic(uint16_t code) { return code <= tape_nmadd && code != tape_sqrt && code != tape_pow; }

static void put_operation(Emit *e, const TapeOp *op) {
  if (is_arithmetic(op->code)) {
    emit_put_formula(e, op);
    return;
  }
  uint32_t arity = tape_arity(op->code);
  text_printf(e->out, "viva_op%u(k", op->code);
  for (uint32_t i = 0; i < arity; i++) {
    text_put(e->out, ", ");
    emit_given(e, op, i);
  }
  text_putc(e->out, ')');
}

// Halves take them in a register and as a struct: through memory a call would wait for its stores.
static void put_pair(Emit *e, const char *sine, const char *cosine, uint32_t first, uint32_t second) {
  if (e->job->target == &emit_half_lanes)
    text_printf(e->out, "; const viva_both y = k->pair(x); %s%u = y.s; %s%u = y.c; }\n", sine, first, cosine, second);
  else text_printf(e->out, "; k->sincos(&x, &%s%u, &%s%u); }\n", sine, first, cosine, second);
}

// Those that are known in front of a piece are computed there: a call loses every register.
static void put_early(Emit *e, const uint32_t *members, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    uint32_t name = members[i];
    text_printf(e->out, "  viva_lanes s%u, c%u;\n  { const viva_lanes x = ", name, name);
    emit_operand(e, e->ops[name].a);
    put_pair(e, "s", "c", name, name);
    e->group[name] = 1;
  }
}

static void begin_piece(Emit *e, uint32_t from) { emit_group_all(e, from, 1, put_early); }

static void put_sincos(Emit *e, uint32_t index, uint32_t sine, uint32_t cosine) {
  if (!e->loop && e->group[index]) {
    text_printf(e->out, "  const viva_lanes r%u = s%u, r%u = c%u;\n", sine, index, cosine, index);
    return;
  }
  text_printf(e->out, "  viva_lanes r%u, r%u;\n  { const viva_lanes x = ", sine, cosine);
  emit_given(e, &e->ops[index], 0);
  put_pair(e, "r", "r", sine, cosine);
}

// From slots to slots.
static void put_sincos_loop(Emit *e, uint32_t turns) {
  text_printf(e->out, "  for (int i = 0; i < %u; i++) k->sincos(&", turns);
  for (uint32_t which = 0; which < 3; which++) {
    if (which) text_put(e->out, ", &");
    emit_sincos_slot(e, which);
  }
  text_put(e->out, ");\n");
}

// ---- the head

static const char *const letters[] = {"a", "b", "c"};

static void put_function(Text *out, uint16_t code) {
  uint32_t arity = tape_arity(code);
  const char *text = emit_formula(code), *math = strstr(text, "M(");
  text_printf(out, "static inline viva_lanes viva_op%u(const viva_kit *k", code);
  for (uint32_t i = 0; i < arity; i++) text_printf(out, ", viva_lanes %s_", letters[i]);
  text_put(out, ") {\n  viva_lanes r_;\n  (void)k;\n");
  if (math) {
    size_t name = strcspn(math + 2, ")");
    text_printf(out, "  k->%.*s(&a_, %s&r_);\n", (int)name, math + 2, arity > 1 ? "&b_, " : "");
  } else {
    text_put(out, "  for (int i_ = 0; i_ < VIVA_WIDTH; i_++) {\n");
    for (uint32_t i = 0; i < arity; i++) text_printf(out, "    const double %s = %s_[i_];\n", letters[i], letters[i]);
    text_printf(out, "    r_[i_] = %s;\n  }\n", text);
  }
  text_put(out, "  return r_;\n}\n");
}

static void put_rest_of_head(Text *out) {
  text_put(out, "typedef struct viva_both {\n  viva_lanes s, c;\n} viva_both;\n"
                "typedef struct viva_kit {\n  const void *tape;\n  const struct viva_kit *half;\n"
                "  void (*step)(const void *tape, unsigned op, double *w);\n"
                "  void (*sincos)(const viva_lanes *, viva_lanes *, viva_lanes *);\n"
                "  viva_both (*pair)(viva_lanes);\n");
#define X(name, arity)                                                                                                 \
  text_put(out, arity == 1 ? "  void (*" #name ")(const viva_lanes *, viva_lanes *);\n"                                \
                           : "  void (*" #name ")(const viva_lanes *, const viva_lanes *, viva_lanes *);\n");
  TAPE_MATH(X)
#undef X
  text_put(out, "} viva_kit;\n#define floor(x) __builtin_floor(x)\n");
  for (uint16_t code = tape_sqrt; code < tape_code_count; code++) {
    if (!is_arithmetic(code) && code != tape_call && code != tape_sincos) put_function(out, code);
  }
}

static void put_head(Text *out, const Rolled *rolled) {
  emit_compiler_head(out, rolled);
  text_put(out, "typedef double viva_lanes __attribute__((vector_size(64), aligned(64)));\n"
                "typedef long long viva_mask __attribute__((vector_size(64), aligned(64)));\n"
                "#define VIVA_WIDTH 8\n"
                "#define VIVA_ALL(x) ((viva_lanes){x, x, x, x, x, x, x, x})\n"
                "static inline int viva_every(viva_mask m) {\n  long long all = -1;\n"
                "  for (int i = 0; i < 8; i++) all &= m[i];\n  return all != 0;\n}\n"
                "#define VIVA_EVERY(m) viva_every(m)\n");
  put_rest_of_head(out);
}

static void put_half_head(Text *out, const Rolled *rolled) {
  emit_compiler_head(out, rolled);
  text_put(out, "typedef double viva_lanes __attribute__((vector_size(32), aligned(32)));\n"
                "typedef double viva_eight __attribute__((vector_size(64), aligned(64)));\n"
                "typedef struct viva_slot {\n  viva_lanes v, other;\n} viva_slot;\n"
                "#define VIVA_WIDTH 4\n"
                "#define VIVA_ALL(x) ((viva_lanes){x, x, x, x})\n");
  put_rest_of_head(out);
}

// ---- the table

static const EmitRates rates = {
    .time = "const double *t",
    .begin = "  viva_lanes sum = VIVA_ALL(0.0);\n",
    .set = "  for (int i = 0; i < 8; i++) w[",
    .to = "][i] = t[i];\n",
    .many = "    sum += r - r;\n  }\n",
    .finish = "  int finite = 0;\n  for (int i = 0; i < 8; i++) finite |= (sum[i] == 0) << i;\n  return finite;\n}\n",
};

static const EmitRates half_rates = {
    .time = "const double *t",
    .begin = "  viva_eight sum = {0};\n",
    .set = "  for (int i = 0; i < 8; i++) w[",
    .to = "][i] = t[i];\n",
    .many = "    sum += r - r;\n  }\n",
    .finish = "  int finite = 0;\n  for (int i = 0; i < 8; i++) finite |= (sum[i] == 0) << i;\n  return finite;\n}\n",
};

const EmitTarget emit_half_lanes = {
    .real = "viva_lanes",
    .parameters = "viva_slot *w, const viva_kit *k",
    .arguments = "w, k->half",
    .again = "(viva_slot *)(void *)&w->other, k->half",
    .unused = "  (void)w, (void)k;\n",
    .workspace = "(double *)w",
    .in_slot = ".v",
    .slot = "viva_eight",
    .all = "VIVA_ALL(",
    .end = ")",
    .every = "",
    .both = " & ",
    .operation = put_operation,
    .sincos = put_sincos,
    .begin = begin_piece,
    .head = put_half_head,
    .rates = &half_rates,
};

const EmitTarget emit_lanes = {
    .real = "viva_lanes",
    .parameters = "viva_lanes *w, const viva_kit *k",
    .arguments = "w, k",
    .unused = "  (void)w, (void)k;\n",
    .workspace = "(double *)w",
    .in_slot = "",
    .slot = "viva_lanes",
    .all = "VIVA_ALL(",
    .end = ")",
    .every = "VIVA_EVERY",
    .both = " & ",
    .operation = put_operation,
    .sincos = put_sincos,
    .sincos_loop = put_sincos_loop,
    .begin = begin_piece,
    .head = put_head,
    .rates = &rates,
};

// Code generation target of native text: C that this program compiles and loads. Elementary functions and kernels are
// called through a table (NativeKit), so every back end runs the interpreter's own.
//
// Sines and cosines of values that are known early enough are computed up to four at once, as vectors: the same bits in
// hardly more than the time of one.
#include "tape/emit_parts.h"

// ---- sines and cosines

enum { group_most = 4 };

// One call for several; alone it stays where it is.
static void put_group(Emit *e, const uint32_t *members, uint32_t count) {
  Text *o = e->out;
  uint32_t name = members[0];
  if (count == 1) return;
  text_printf(o, "  double q%u[8];\n  k->sincos%u(", name, count == 2 ? 2 : 4);
  for (uint32_t i = 0; i < (count == 2 ? 2 : 4); i++) {
    // an unused argument repeats that of the first member
    emit_operand(e, e->ops[members[i < count ? i : 0]].a);
    text_put(o, ", ");
  }
  text_printf(o, "q%u);\n", name);
  for (uint32_t i = 0; i < count; i++) e->group[members[i]] = 1 + 4 * name + i;
}

static void begin_piece(Emit *e, uint32_t from) { emit_group_all(e, from, group_most, put_group); }

// Others that are known by now are looked for in the same piece, not far: their results wait meanwhile.
static void find_group(Emit *e, uint32_t index) {
  enum { farthest = 200 };
  uint32_t members[group_most] = {index}, count = 1;
  for (uint32_t i = index + 1; i < e->end && i < index + farthest && count < group_most; i++) {
    if (e->ops[i].code == tape_sincos && !e->group[i] && emit_known_before(e, index, i)) members[count++] = i;
  }
  put_group(e, members, count);
}

static void put_sincos(Emit *e, uint32_t index, uint32_t sine, uint32_t cosine) {
  if (!e->loop && !e->group[index]) find_group(e, index);
  if (!e->group[index]) {
    emit_single_sincos(e, index, sine, cosine);
    return;
  }
  uint32_t name = (e->group[index] - 1) / 4, place = (e->group[index] - 1) % 4;
  text_printf(e->out, "  const double r%u = q%u[%u], r%u = q%u[%u];\n", sine, name, place, cosine, name, place + 4);
}

// Four iterations at once; the remaining ones one by one.
static void put_sincos_loop(Emit *e, uint32_t turns) {
  Text *o = e->out;
  text_printf(o,
              "  int n = 0;\n  for (; n + 4 <= %u; n += 4) {\n    double x[4], y[8];\n"
              "    for (int j = 0; j < 4; j++) {\n      const int i = n + j;\n      x[j] = ",
              turns);
  emit_sincos_slot(e, 0);
  text_put(o, ";\n    }\n    k->sincos4(x[0], x[1], x[2], x[3], y);\n    for (int j = 0; j < 4; j++) {\n"
              "      const int i = n + j;\n      ");
  emit_sincos_slot(e, 1);
  text_put(o, " = y[j];\n      ");
  emit_sincos_slot(e, 2);
  text_printf(o, " = y[4 + j];\n    }\n  }\n  for (int i = n; i < %u; i++) {\n    const viva_pair y = k->sincos(",
              turns);
  emit_sincos_slot(e, 0);
  text_put(o, ");\n    ");
  emit_sincos_slot(e, 1);
  text_put(o, " = y.x;\n    ");
  emit_sincos_slot(e, 2);
  text_put(o, " = y.y;\n  }\n");
}

// ---- the head

bool rolled_is_long(const Rolled *rolled) { return rolled->length > 12000; }

// Passes that look through all of a function for each store, and find nothing in text like ours: three quarters of the
// time that a long tape takes to compile.
static const char *const long_pragma =
    "#if defined(__GNUC__) && !defined(__clang__) && !defined(__TINYC__)\n#pragma GCC optimize (\"no-tree-dse\", "
    "\"no-dse\", \"no-ipa-modref\", "
    "\"no-tree-pta\", \"no-ipa-pure-const\", \"no-tree-ccp\", \"no-tree-forwprop\", \"no-tree-fre\", "
    "\"no-tree-dominator-opts\", \"no-tree-sink\", "
    "\"no-tree-dce\", \"no-tree-sra\", \"no-tree-ter\", \"no-tree-slsr\", \"no-cprop-registers\", "
    "\"no-forward-propagate\", \"no-tree-copy-prop\")\n#endif\n";

void emit_compiler_head(Text *out, const Rolled *rolled) {
  text_put(
      out,
      "#if defined(__GNUC__)\n#define VIVA_NOINLINE __attribute__((noinline))\n#else\n#define VIVA_NOINLINE\n#endif\n"
      "#define VIVA_HIDDEN __attribute__((visibility(\"hidden\")))\n"
      "#if defined(__GNUC__) && !defined(__TINYC__)\n#define VIVA_FRONT\n#endif\n");
  if (rolled_is_long(rolled)) text_put(out, long_pragma);
}

static void put_head(Text *out, const Rolled *rolled) {
  emit_compiler_head(out, rolled);
  // newer versions of tcc negate with a zero of their runtime library, which is not linked
  text_put(out, "#ifdef __TINYC__\ndouble __mzerodf = -0.0;\nfloat __mzerosf = -0.0f;\n#endif\n");
  text_put(out,
           "typedef struct viva_pair {\n  double x, y;\n} viva_pair;\n"
           "typedef struct viva_kit {\n  const void *tape;\n  void (*step)(const void *tape, unsigned op, double *w);\n"
           "  viva_pair (*sincos)(double);\n  void (*sincos2)(double, double, double *);\n"
           "  void (*sincos4)(double, double, double, double, double *);\n");
#define X(name, arity)                                                                                                 \
  text_put(out, arity == 1 ? "  double (*" #name ")(double);\n" : "  double (*" #name ")(double, double);\n");
  TAPE_MATH(X)
#undef X
  text_put(out, "} viva_kit;\n#define viva_sincos k->sincos\n");
#define X(name, arity) text_put(out, "#define viva_" #name " k->" #name "\n");
  TAPE_MATH(X)
#undef X
  text_put(
      out,
      "#if defined(__GNUC__) && !defined(__TINYC__)\n#undef viva_sqrt\n#define viva_sqrt __builtin_sqrt\n#endif\n");
}

// ---- the table

static const EmitRates rates = {
    .time = "double t",
    .begin = "  double sum = 0;\n  int bad = 0;\n",
    .set = "  w[",
    .to = "] = t;\n",
    .many = "    bad |= !(r - r == 0);\n  }\n", // counted in whole numbers, which the compiler may do several at once
    .finish = "  return sum == 0 && !bad;\n}\n",
};

const EmitTarget emit_native = {
    .real = "double",
    .parameters = "double *w, const viva_kit *k",
    .arguments = "w, k",
    .unused = "  (void)w, (void)k;\n",
    .workspace = "w",
    .in_slot = "",
    .slot = "double",
    .all = "",
    .end = "",
    .every = "",
    .both = " && ",
    .operation = emit_put_formula,
    .sincos = put_sincos,
    .sincos_loop = put_sincos_loop,
    .begin = begin_piece,
    .head = put_head,
    .rates = &rates,
};

// The dialect of native text: C that this program compiles and loads. Elementary functions and kernels are called
// through a table (NativeKit), so every back end runs the interpreter's own.
//
// Sines and cosines of values that are known early enough are computed two at once, as vectors: the same bits, half the
// time.
#include "tape/emit_parts.h"

// ---- sines and cosines

// The later one of the two is looked for in the same piece, not far: its result waits in a register meanwhile.
static uint32_t find_partner(Emit *e, uint32_t index) {
  enum { farthest = 200 };
  for (uint32_t i = index + 1; i < e->end && i < index + farthest; i++) {
    const TapeOp *op = &e->ops[i];
    if (op->code != tape_sincos || e->group[i]) continue;
    // its operand must not come from between
    bool known = true;
    for (uint32_t k = index; k < i && known; k++) {
      const TapeOp *between = &e->ops[k];
      uint32_t results = between->code == tape_sincos ? 1 : tape_leaves(e->tape, between);
      known = op->a - between->dst >= results && (between->code != tape_sincos || op->a != between->b);
    }
    if (known) return i;
  }
  return 0;
}

static void put_sincos(Emit *e, uint32_t index, uint32_t sine, uint32_t cosine) {
  const TapeOp *op = &e->ops[index];
  Text *o = e->out;
  uint32_t partner = !e->loop && !e->group[index] ? find_partner(e, index) : 0;
  if (partner) {
    text_printf(o, "  double q%u[4];\n  k->sincos2(", index);
    emit_operand(e, op->a);
    text_put(o, ", ");
    emit_operand(e, e->ops[partner].a);
    text_printf(o, ", q%u);\n", index);
    e->group[index] = e->group[partner] = index + 1;
  }
  if (e->group[index]) {
    uint32_t name = e->group[index] - 1, place = name == index ? 0 : 1;
    text_printf(o, "  const double r%u = q%u[%u], r%u = q%u[%u];\n", sine, name, place, cosine, name, place + 2);
    return;
  }
  emit_single_sincos(e, index, sine, cosine);
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
      "#define VIVA_HIDDEN __attribute__((visibility(\"hidden\")))\n");
  if (rolled_is_long(rolled)) text_put(out, long_pragma);
}

static void put_head(Text *out, const Rolled *rolled) {
  emit_compiler_head(out, rolled);
  // newer versions of tcc negate with a zero of their runtime library, which is not linked
  text_put(out, "#ifdef __TINYC__\ndouble __mzerodf = -0.0;\nfloat __mzerosf = -0.0f;\n#endif\n");
  text_put(out,
           "typedef struct viva_pair {\n  double x, y;\n} viva_pair;\n"
           "typedef struct viva_kit {\n  const void *tape;\n  void (*step)(const void *tape, unsigned op, double *w);\n"
           "  viva_pair (*sincos)(double);\n  void (*sincos2)(double, double, double *);\n");
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

const EmitDialect emit_native = {
    .real = "double",
    .parameters = "double *w, const viva_kit *k",
    .arguments = "w, k",
    .unused = "  (void)w, (void)k;\n",
    .workspace = "w",
    .all = "",
    .end = "",
    .every = "",
    .both = " && ",
    .operation = emit_put_formula,
    .sincos = put_sincos,
    .head = put_head,
    .rates = &rates,
};

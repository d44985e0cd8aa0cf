// The lane interpreter's loop, included once for each instruction set. The includer defines the functions m_NAME of
// eight numbers, LANES_RUN and LANES_RATES. No include guard: this is a template.
typedef double TapeLanes __attribute__((vector_size(64), aligned(64)));

static void kernel(const Tape *tape, const TapeOp *op, double *w) {
  const TapeCall *call = &tape->calls[op->a];
  unsigned todo = call->kernel->lanes ? call->kernel->lanes(call, tape->args + call->args, w) : 0xFF;
  if (todo) lanes_kernel(tape, op, w, todo);
}

static void kernel_step(const Tape *tape, uint32_t op, double *w) { kernel(tape, &tape->ops[op], w); }

// never called: the loop has a case of its own for each function of SLEEF
static inline double lanes_never(double a, ...) { return a; }

// All but arithmetic.
static void other(const LaneKit *kit, const TapeOp *op, double *slots) {
  TapeLanes *w = (TapeLanes *)(void *)slots, *r = &w[op->dst];
  switch ((TapeCode)op->code) {
  case tape_div: *r = w[op->a] / w[op->b]; break;
  case tape_neg: *r = -w[op->a]; break;
  case tape_sqrt: m_sqrt((const double *)&w[op->a], (double *)r); break;
  case tape_pow: m_pow((const double *)&w[op->a], (const double *)&w[op->b], (double *)r); break;
  case tape_sincos: {
    TapeLanes a = w[op->a];
    m_sincos((const double *)&a, (double *)r, (double *)&w[op->b]);
    break;
  }
  case tape_call:
    kernel(kit->tape, op, slots);
    break;
    // functions of SLEEF take all lanes at once
#define TAKES(name, f)                                                                                                 \
  case tape_##name: m_##f((const double *)&w[op->a], (double *)r); break;
    // clang-format off
    TAKES(sin, sin) TAKES(cos, cos) TAKES(tan, tan) TAKES(asin, asin) TAKES(acos, acos) TAKES(atan, atan)
    TAKES(sinh, sinh) TAKES(cosh, cosh) TAKES(tanh, tanh) TAKES(exp, exp) TAKES(ln, log) TAKES(log10, log10)
    TAKES(floor, floor)
    // clang-format on
#undef TAKES
            case tape_atan2 : m_atan2((const double *)&w[op->a], (const double *)&w[op->b], (double *)r);
    break;
  default: {
    // comparisons and the like, lane by lane
    const double *x = (const double *)&w[op->a], *y = (const double *)&w[op->b], *z = (const double *)&w[op->c];
    TapeLanes result = {0};
    switch ((TapeCode)op->code) {
#define M(f) lanes_never
#define OP(name, arity, value, d1, d2, d3, smoothness, parity, switching, answer, domain, meaning)                     \
  case tape_##name:                                                                                                    \
    for (int i = 0; i < lane_count; i++) {                                                                             \
      double a = x[i], b = y[i], c = z[i];                                                                             \
      (void)a, (void)b, (void)c;                                                                                       \
      result[i] = value;                                                                                               \
    }                                                                                                                  \
    break;
#include "expr/ops.def"
#undef OP
#undef M
    default: break;
    }
    *r = result;
  }
  }
}

static void LANES_RUN(const LaneKit *kit, const TapeOp *op, uint32_t count, double *slots) {
  TapeLanes *w = (TapeLanes *)(void *)slots;
#include "tape/threaded_start.h"
others:
  other(kit, op, slots);
  THREADED_NEXT;
#pragma GCC diagnostic pop
}

static unsigned LANES_RATES(const LaneKit *kit, uint32_t n, const double *t, const double *y, double *dydt, double *w) {
  const Tape *f = kit->tape;
  TapeLanes *slots = (TapeLanes *)(void *)w, *out = (TapeLanes *)(void *)dydt, sum = {0};
  const TapeLanes *from = (const TapeLanes *)(const void *)y;
  memcpy(slots + f->param_count, t, sizeof *slots);
  for (uint32_t i = 0; i < n; i++) slots[f->param_count + 1 + i] = from[i];
  LANES_RUN(kit, tape_steps(f), f->op_count, w);
  for (uint32_t i = 0; i < f->output_count; i++) {
    TapeLanes v = slots[f->outputs[i]];
    out[i] = v;
    sum += v - v; // stays 0 unless something is not finite
  }
#if defined(__AVX512F__)
  return _mm512_cmp_pd_mask((__m512d)sum, _mm512_setzero_pd(), _CMP_EQ_OQ);
#else
  unsigned finite = 0;
  for (int l = 0; l < lane_count; l++) finite |= sum[l] == 0 ? 1u << l : 0u;
  return finite;
#endif
}

static void LANES_FILL(LaneKit *kit) {
  kit->run = LANES_RUN;
  kit->rates = LANES_RATES;
  kit->step = kernel_step;
  kit->sincos = m_sincos;
#define X(name, arity) kit->name = m_##name;
  TAPE_MATH(X)
#undef X
}

// The lane interpreter's loop, included once for each instruction set. The includer defines the functions m_NAME of
// eight numbers and LANES_RUN. No include guard: this is a template.
typedef double Lanes __attribute__((vector_size(64), aligned(64)));

// solve_definite of kernels.c over lanes; the bits of `bad` say in which lanes a pivot failed.
static unsigned solve_lanes(const TapeCall *call, const uint32_t *args, double *w) {
  enum { L = lane_count };
  uint32_t n = call->size, columns = 1 + call->more;
  double *x = w + (size_t)call->scratch * L, *m = x + (size_t)n * columns * L;
  unsigned bad = 0;
#define AT(i, j) (m + (size_t)((i)*n + (j)) * L)
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j <= i; j++) memcpy(AT(i, j), w + (size_t)*args++ * L, L * sizeof *w);
  }
  for (uint32_t i = 0; i < n * columns; i++) {
    const double *h = w + (size_t)*args++ * L;
    for (int l = 0; l < L; l++) x[i * L + (uint32_t)l] = -h[l];
  }
  for (uint32_t j = 0; j < n; j++) {
    double whole[L], *d = AT(j, j);
    memcpy(whole, d, sizeof whole);
    for (uint32_t k = 0; k < j; k++) {
      const double *a = AT(j, k), *b = AT(k, k);
      for (int l = 0; l < L; l++) d[l] -= a[l] * a[l] * b[l];
    }
    for (int l = 0; l < L; l++) bad |= !(d[l] > 1e-12 * whole[l]) ? 1u << l : 0u;
    for (uint32_t i = j + 1; i < n; i++) {
      double *s = AT(i, j);
      for (uint32_t k = 0; k < j; k++) {
        const double *a = AT(i, k), *b = AT(j, k), *c = AT(k, k);
        for (int l = 0; l < L; l++) s[l] -= a[l] * b[l] * c[l];
      }
      for (int l = 0; l < L; l++) s[l] = s[l] / d[l];
    }
  }
  for (uint32_t c = 0; c < columns; c++, x += n * L) {
    for (uint32_t i = 0; i < n; i++) {
      for (uint32_t k = 0; k < i; k++) {
        const double *a = AT(i, k);
        for (uint32_t l = 0; l < L; l++) x[i * L + l] -= a[l] * x[k * L + l];
      }
    }
    for (uint32_t i = 0; i < n; i++) {
      const double *d = AT(i, i);
      for (uint32_t l = 0; l < L; l++) x[i * L + l] /= d[l];
    }
    for (uint32_t i = n; i-- > 0;) {
      for (uint32_t k = i + 1; k < n; k++) {
        const double *a = AT(k, i);
        for (uint32_t l = 0; l < L; l++) x[i * L + l] -= a[l] * x[k * L + l];
      }
    }
  }
#undef AT
  return bad;
}

static void kernel(const Tape *tape, const TapeOp *op, double *w) {
  const TapeCall *call = &tape->calls[op->a];
  bool definite = op->code == tape_solve && call->symmetric && !call->large;
  unsigned todo = definite ? solve_lanes(call, tape->args + call->args, w) : 0xFF;
  if (todo) lanes_kernel(tape, op, w, todo);
}

static void kernel_step(const Tape *tape, uint32_t op, double *w) { kernel(tape, &tape->ops[op], w); }

// never called: the loop has a case of its own for each function of SLEEF
static inline double lanes_never(double a, ...) { return a; }

static void LANES_RUN(const LaneKit *kit, const TapeOp *op, uint32_t count, double *slots) {
  Lanes *w = (Lanes *)(void *)slots;
  for (const TapeOp *end = op + count; op < end; op++) {
    Lanes *r = &w[op->dst];
    switch ((TapeCode)op->code) {
    case tape_add: *r = w[op->a] + w[op->b]; break;
    case tape_sub: *r = w[op->a] - w[op->b]; break;
    case tape_mul: *r = w[op->a] * w[op->b]; break;
    case tape_div: *r = w[op->a] / w[op->b]; break;
    case tape_neg: *r = -w[op->a]; break;
    case tape_madd: *r = w[op->a] * w[op->b] + w[op->c]; break;
    case tape_msub: *r = w[op->a] * w[op->b] - w[op->c]; break;
    case tape_nmadd: *r = w[op->c] - w[op->a] * w[op->b]; break;
    case tape_sqrt: m_sqrt((const double *)&w[op->a], (double *)r); break;
    case tape_pow: m_pow((const double *)&w[op->a], (const double *)&w[op->b], (double *)r); break;
    case tape_sincos: {
      Lanes a = w[op->a];
      m_sincos((const double *)&a, (double *)r, (double *)&w[op->b]);
      break;
    }
    case tape_solve:
    case tape_newton:
    case tape_table:
    case tape_noise:
    case tape_integral:
    case tape_inverse:
      kernel(kit->tape, op, slots);
      break;
      // functions of SLEEF take all lanes at once
#define TAKES(name, f)                                                                                                 \
  case tape_##name: m_##f((const double *)&w[op->a], (double *)r); break;
      TAKES(sin, sin)
      TAKES(cos, cos)
      TAKES(tan, tan)
      TAKES(asin, asin) TAKES(acos, acos) TAKES(atan, atan) TAKES(sinh, sinh) TAKES(cosh, cosh) TAKES(tanh, tanh)
          TAKES(exp, exp) TAKES(ln, log) TAKES(log10, log10) TAKES(floor, floor)
#undef TAKES
              case tape_atan2 : m_atan2((const double *)&w[op->a], (const double *)&w[op->b], (double *)r);
      break;
    default: {
      // comparisons and the like, lane by lane
      const double *x = (const double *)&w[op->a], *y = (const double *)&w[op->b], *z = (const double *)&w[op->c];
      Lanes result = {0};
      switch ((TapeCode)op->code) {
#define M(f) lanes_never
#define OP(name, arity, value, d1, d2, d3, domain, meaning)                                                            \
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
}

static void LANES_FILL(LaneKit *kit) {
  kit->run = LANES_RUN;
  kit->step = kernel_step;
  kit->sincos = m_sincos;
#define X(name, arity) kit->name = m_##name;
  TAPE_MATH(X)
#undef X
}

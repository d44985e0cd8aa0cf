// The interpreter: the reference for every other way to run a tape.
//
// Elementary functions are SLEEF's deterministic families: with fused multiply-add where the processor has it, without
// where it has not. Both give the same bits on every machine of their kind.
#include "tape/native.h"
#include "tape/operands.h"
#include "tape/threaded.h"

#include <math.h>

// SLEEF declares its family with fused multiply-add only where the compiler may use it; we ask the processor instead.
#ifndef FP_FAST_FMA
#define FP_FAST_FMA 1
#endif
#include <sleef.h>

#define FINZ_sin Sleef_finz_sind1_u10purecfma
#define FINZ_cos Sleef_finz_cosd1_u10purecfma
#define FINZ_tan Sleef_finz_tand1_u10purecfma
#define FINZ_asin Sleef_finz_asind1_u10purecfma
#define FINZ_acos Sleef_finz_acosd1_u10purecfma
#define FINZ_atan Sleef_finz_atand1_u10purecfma
#define FINZ_atan2 Sleef_finz_atan2d1_u10purecfma
#define FINZ_sinh Sleef_finz_sinhd1_u10purecfma
#define FINZ_cosh Sleef_finz_coshd1_u10purecfma
#define FINZ_tanh Sleef_finz_tanhd1_u10purecfma
#define FINZ_exp Sleef_finz_expd1_u10purecfma
#define FINZ_log Sleef_finz_logd1_u10purecfma
#define FINZ_log10 Sleef_finz_log10d1_u10purecfma
#define FINZ_pow Sleef_finz_powd1_u10purecfma
#define FINZ_sincos Sleef_finz_sincosd1_u10purecfma

#define CINZ_sin Sleef_cinz_sind1_u10purec
#define CINZ_cos Sleef_cinz_cosd1_u10purec
#define CINZ_tan Sleef_cinz_tand1_u10purec
#define CINZ_asin Sleef_cinz_asind1_u10purec
#define CINZ_acos Sleef_cinz_acosd1_u10purec
#define CINZ_atan Sleef_cinz_atand1_u10purec
#define CINZ_atan2 Sleef_cinz_atan2d1_u10purec
#define CINZ_sinh Sleef_cinz_sinhd1_u10purec
#define CINZ_cosh Sleef_cinz_coshd1_u10purec
#define CINZ_tanh Sleef_cinz_tanhd1_u10purec
#define CINZ_exp Sleef_cinz_expd1_u10purec
#define CINZ_log Sleef_cinz_logd1_u10purec
#define CINZ_log10 Sleef_cinz_log10d1_u10purec
#define CINZ_pow Sleef_cinz_powd1_u10purec
#define CINZ_sincos Sleef_cinz_sincosd1_u10purec

#define M(f) FINZ_##f
#define INTERP interp_fma
#include "tape/interp_body.h"
#undef M
#undef INTERP

#define M(f) CINZ_##f
#define INTERP interp_plain
#include "tape/interp_body.h"
#undef M
#undef INTERP

static bool has_fma(void) {
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2");
#else
  return true;
#endif
}

static void run(const Tape *tape, const TapeOp *ops, uint32_t count, double *w) {
  if (has_fma()) interp_fma(tape, ops, count, w);
  else interp_plain(tape, ops, count, w);
}

void tape_prepare(const Tape *tape, double *w) {
  for (uint32_t i = 0; i < tape->constant_count; i++) w[tape->constants[i].slot] = tape->constants[i].value;
  run(tape, tape->prologue, tape->prologue_count, w);
}

void tape_eval(const Tape *tape, double *w) { run(tape, tape_steps(tape), tape->op_count, w); }

void tape_eval_one(const Tape *tape, uint32_t op, double *w) { run(tape, &tape->ops[op], 1, w); }

void tape_eval_op(const Tape *tape, const TapeOp *op, double *w) { run(tape, op, 1, w); }

// ---- the same functions for native code

static NativePair sincos_fma(double a) {
  Sleef_double_2 both = FINZ_sincos(a);
  return (NativePair){both.x, both.y};
}
static NativePair sincos_plain(double a) {
  Sleef_double_2 both = CINZ_sincos(a);
  return (NativePair){both.x, both.y};
}

// Several at once: SLEEF's families give the same bits at every width.
static void sincos2_plain(double a, double b, double *r) {
  Sleef_double_2 x = CINZ_sincos(a), y = CINZ_sincos(b);
  r[0] = x.x, r[1] = y.x, r[4] = x.y, r[5] = y.y;
}
static void sincos4_plain(double a, double b, double c, double d, double *r) {
  sincos2_plain(a, b, r);
  sincos2_plain(c, d, r + 2);
}
#if defined(__x86_64__)
static void sincos2_fma(double a, double b, double *r) {
  Sleef___m128d_2 both = Sleef_finz_sincosd2_u10avx2128(_mm_set_pd(b, a));
  _mm_storeu_pd(r, both.x);
  _mm_storeu_pd(r + 4, both.y);
}
#else
static void sincos2_fma(double a, double b, double *r) {
  Sleef_double_2 x = FINZ_sincos(a), y = FINZ_sincos(b);
  r[0] = x.x, r[1] = y.x, r[4] = x.y, r[5] = y.y;
}
#endif
static void sincos4_fma(double a, double b, double c, double d, double *r) {
  sincos2_fma(a, b, r);
  sincos2_fma(c, d, r + 2);
}

// square root and floor are exact everywhere
#define FINZ_sqrt sqrt
#define FINZ_floor floor
#define CINZ_sqrt sqrt
#define CINZ_floor floor

NativeKit tape_kit(const Tape *tape) {
  NativeKit kit = {.tape = tape, .step = tape_eval_one};
  bool fma = has_fma();
  kit.sincos = fma ? sincos_fma : sincos_plain;
  kit.sincos2 = fma ? sincos2_fma : sincos2_plain;
  kit.sincos4 = fma ? sincos4_fma : sincos4_plain;
#define X(name, arity) kit.name = fma ? FINZ_##name : CINZ_##name;
  TAPE_MATH(X)
#undef X
  return kit;
}

// ---- what went wrong

static const char *domain_of(const Tape *tape, const TapeOp *op) {
  switch ((TapeCode)op->code) {
  case tape_div: return "division by zero";
  case tape_sqrt: return "square root of a negative number";
  case tape_pow: return "a power that has no value";
  case tape_call: return tape->calls[op->a].kernel->fault;
#define OP(name, arity, value, d1, d2, d3, smoothness, parity, switching, answer, domain, meaning)                     \
  case tape_##name:                                                                                                    \
    return domain[0] ? domain : "overflow";
#include "expr/ops.def"
#undef OP
  default: return "overflow";
  }
}

// operand: the one to be named in a message; NaN: none.
static bool operands_finite(const Tape *tape, const TapeOp *op, const double *w, double *operand) {
  const TapeKernel *kernel = op->code == tape_call ? tape->calls[op->a].kernel : NULL;
  uint32_t own[3], count, limits = kernel ? kernel->limits : 0;
  const uint32_t *slots = tape_operands(tape, op, own, &count);
  for (uint32_t i = 0; i < count; i++) {
    if (i < limits ? isnan(w[slots[i]]) : !isfinite(w[slots[i]])) return false;
  }
  if (kernel && kernel->blames_none) *operand = NAN;
  else *operand = count == 0 ? 0 : op->code == tape_div ? w[op->b] : w[slots[0]];
  return true;
}

// Why a call has no value, by its kernel; `before` stood where the result went, which may be an operand.
static const char *reason_of(const Tape *tape, const TapeOp *op, double *w, double before) {
  const TapeCall *call = &tape->calls[op->a];
  if (!call->kernel->reason) return NULL;
  w[op->dst] = before;
  return call->kernel->reason(call, tape->args + call->args, w);
}

bool tape_is_total(const Tape *tape) {
  static const bool total[tape_code_count] = {
      [tape_nop] = true,  [tape_add] = true,  [tape_sub] = true,   [tape_mul] = true,    [tape_neg] = true,
      [tape_madd] = true, [tape_msub] = true, [tape_nmadd] = true, [tape_sincos] = true,
#define OP(name, arity, value, d1, d2, d3, smoothness, parity, switching, answer, domain, meaning)                     \
  [tape_##name] = sizeof(domain) == 1,
#include "expr/ops.def"
#undef OP
  };
  for (uint32_t k = 0; k < tape->op_count; k++) {
    if (!total[tape->ops[k].code]) return false;
  }
  return true;
}

TapeFault tape_diagnose(const Tape *tape, double *w) {
  TapeFault fault = {0};
  for (int part = 0; part < 2 && !fault.found; part++) {
    const TapeOp *ops = part ? tape->ops : tape->prologue;
    uint32_t count = part ? tape->op_count : tape->prologue_count;
    if (part == 0) {
      for (uint32_t i = 0; i < tape->constant_count; i++) w[tape->constants[i].slot] = tape->constants[i].value;
    }
    for (uint32_t i = 0; i < count; i++) {
      double operand;
      bool finite = operands_finite(tape, &ops[i], w, &operand);
      double before = w[ops[i].dst];
      run(tape, &ops[i], 1, w);
      if (!finite || isfinite(w[ops[i].dst])) continue;
      fault = (TapeFault){.found = true, .what = domain_of(tape, &ops[i]), .operand = operand};
      // a quotient of finite numbers that is not by zero has overflowed
      if (ops[i].code == tape_div && operand != 0) fault.what = "overflow of a division";
      const char *reason = ops[i].code == tape_call ? reason_of(tape, &ops[i], w, before) : NULL;
      if (reason) fault.what = reason;
      uint32_t origin = tape->origin_of[part] ? tape->origin_of[part][i] : 0;
      if (origin) fault.origin = tape->origins[origin - 1];
      break;
    }
  }
  return fault;
}

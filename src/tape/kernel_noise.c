// Noise: a random number for each whole number, the same in every run (base/random.h): normal, or where the data are
// `noise_uniform` even on -1 .. 1.
#include "tape/emit_parts.h"
#include "tape/interval.h"
#include "tape/kernels.h"

#include "base/random.h"

#include <math.h>

// 9e15 is below 2^53: up to there every whole number is a double of its own
static double at(const void *data, double seed, double n) {
  if (!(fabs(n) < 9e15) || !(fabs(seed) < 9e15)) return NAN;
  uint64_t s = (uint64_t)(int64_t)seed, counter = (uint64_t)(int64_t)n;
  return data ? 2 * random_uniform(s, counter) - 1 : random_normal(s, counter);
}

static void eval(const TapeCall *call, const uint32_t *args, double *w, double *result) {
  *result = at(call->data, w[args[0]], w[args[1]]);
}

static TapeDual range(const void *data, const TapeDual *args) {
  TapeDual r = {tape_everything, tape_everything};
  if (args[0].v.lo != args[0].v.hi || args[1].v.lo != args[1].v.hi) return r;
  double v = at(data, args[0].v.lo, args[1].v.lo);
  if (v == v) r.v = (TapeRange){v, v};
  r.d = (TapeRange){0, 0};
  return r;
}

static const char *const noise_text[] = {
    "static viva_real viva_noise(viva_real seed, viva_real which, int even) {",
    "  const double s = (double)seed, n = (double)which;",
    "  if (!(fabs(n) < 9e15) || !(fabs(s) < 9e15)) return (viva_real)NAN;",
    "  const double u = viva_uniform(viva_bits((uint64_t)(int64_t)s, (uint64_t)(int64_t)n));",
    "  return (viva_real)(even ? 2 * u - 1 : viva_quantile(u));",
    "}",
    "",
    NULL,
};

static void emit(Emit *e, const TapeOp *op, uint32_t index) {
  uint32_t number = ++e->values;
  (void)index;
  const TapeCall *call = &e->tape->calls[op->a];
  text_printf(e->out, "  const viva_real r%u = viva_noise(", number);
  emit_operands(e, e->tape->args + call->args, 2);
  text_printf(e->out, ", %d);\n", call->data != NULL);
  emit_name_value(e, op->dst, number);
}

const char noise_uniform[] = "uniform";

const TapeKernel kernel_noise = {
    .name = "noise",
    .fault = "overflow",
    .eval = eval,
    .tangent = tangent_by_expressions, // it is constant between the whole numbers
    .range = range,
    .emit = emit,
    .sections = (const char *const[]){"noise", NULL},
    .text = noise_text,
};

// Inverse of a monotone function: the s with f(s) = y by a bracketed Newton method. The operands are y, then what the
// body captures.
#include "tape/kernel_body.h"

#include "tape/kernel_body_text.h"

/* section inverse */
enum { viva_found, viva_never, viva_both_ways };

/* Which way f goes around 0: 1 up, -1 down, 0 neither. at, slope: f and its derivative at 0; right: f at 1. */
static viva_real viva_way(viva_body *f, const void *self, viva_real *w, viva_real at, viva_real slope,
                          viva_real right) {
  viva_real ignored;
  if (slope > 0 || slope < 0) return slope > 0 ? 1 : -1;
  const viva_real left = f(self, w, -1, &ignored);
  if (right > at && !(left > at)) return 1;
  if (right < at && !(left < at)) return -1;
  return left < at ? 1 : left > at ? -1 : 0;
}

/* Whether f goes the same way further out on both sides, too, and close to 0. */
static int viva_one_way(viva_body *f, const void *self, viva_real *w, viva_real reach, viva_real way) {
  static const double at[7] = {-8, -2, -1, -0.25, 0.25, 2, 8};
  viva_real before = 0, slope;
  int known = 0;
  for (int i = 0; i < 7; i++) {
    const viva_real value = f(self, w, reach * (viva_real)at[i], &slope);
    if (!(viva_abs(value) <= VIVA_LARGEST)) continue;
    if (known && (value - before) * way < -VIVA_ROUGH * (viva_abs(value) + viva_abs(before))) return 0;
    if (slope * way < 0 && (!known || value != before)) return 0;
    before = value;
    known = 1;
  }
  return 1;
}

/* f(s) = y by Newton's method inside a bracket that is found by doubling; for an f that rises or falls throughout.
 * Where it does not, at the points that are looked at, there is no answer. moving: f changes along the trajectory, so
 * that it must be looked at everywhere and every time. why: 0, or where it is said what is wrong when it is NaN. */
static viva_real viva_inverse(viva_body *f, const void *self, viva_real *w, viva_real y, int moving, int *why) {
  viva_real slope, other, lo = 0, hi = 0;
  int ignored;
  if (!why) why = &ignored;
  *why = viva_never;
  if (!(viva_abs(y) <= VIVA_LARGEST)) return (viva_real)NAN;
  const viva_real at = f(self, w, 0, &slope), f0 = at - y;
  if (!(viva_abs(at) <= VIVA_LARGEST)) return (viva_real)NAN;
  const viva_real way = viva_way(f, self, w, at, slope, slope == 0 ? f(self, w, 1, &other) : at);
  *why = viva_both_ways;
  if (way == 0) return (viva_real)NAN;
  *why = viva_found;
  if (f0 == 0 && !moving) return 0;
  /* the side on which the value is reached */
  const viva_real direction = (f0 < 0) == (way > 0) ? 1 : -1;
  viva_real reach = 1, flo = f0, fhi = f0;
  for (int i = 0; i < 1100; i++, reach *= 2) {
    hi = direction * reach;
    fhi = f(self, w, hi, &slope) - y;
    if (!(viva_abs(fhi) <= VIVA_LARGEST)) break;
    if ((fhi - flo) * direction * way < 0 || (slope * way < 0 && fhi != flo)) {
      *why = viva_both_ways;
      return (viva_real)NAN;
    }
    if ((fhi < 0) != (f0 < 0) || fhi == 0 || f0 == 0) break;
    lo = hi;
    flo = fhi;
  }
  if (moving && !viva_one_way(f, self, w, viva_abs(hi), way)) {
    *why = viva_both_ways;
    return (viva_real)NAN;
  }
  if (f0 == 0) return 0;
  if (!(viva_abs(fhi) <= VIVA_LARGEST) || ((fhi < 0) == (f0 < 0) && fhi != 0)) {
    *why = viva_never;
    return (viva_real)NAN;
  }
  const viva_real mean = viva_abs((fhi - flo) / (hi - lo));
  viva_real s = lo - flo * (hi - lo) / (fhi - flo);
  for (int i = 0; i < 200; i++) {
    const viva_real g = f(self, w, s, &slope) - y;
    if (slope * way < -VIVA_ROUGH * mean) {
      *why = viva_both_ways;
      return (viva_real)NAN;
    }
    if (g == 0) return s;
    if ((g < 0) == (flo < 0)) lo = s, flo = g;
    else hi = s, fhi = g;
    viva_real next = s - g / slope;
    const int inside = (next - lo) * (next - hi) < 0;
    if (!(viva_abs(next) <= VIVA_LARGEST) || !inside) next = lo + (hi - lo) / 2;
    if (next == s || viva_abs(next - s) <= VIVA_FINEST * viva_abs(s)) return next;
    s = next;
  }
  return s;
}

/* section end */

static uint32_t room(const void *data) { return kernel_body_tape(data)->slot_count; }

static double invert(const TapeCall *call, const uint32_t *args, double *w, int *why) {
  const KernelBody *data = call->data;
  double *inner = kernel_body_begin(call, args, 1, w);
  return viva_inverse(kernel_body_at, data->body, inner, w[args[0]], data->moving, why);
}

static void eval(const TapeCall *call, const uint32_t *args, double *w, double *result) {
  *result = invert(call, args, w, NULL);
}

static const char *reason(const TapeCall *call, const uint32_t *args, double *w) {
  int why;
  invert(call, args, w, &why);
  return why == viva_both_ways ? "the function of an `inverse` neither rises throughout nor falls throughout" : NULL;
}

static void emit(Emit *e, const TapeOp *op, uint32_t index) {
  const TapeCall *call = &e->tape->calls[op->a];
  const KernelBody *data = call->data;
  const uint32_t number = kernel_body_call(e, op, "viva_inverse", 1);
  (void)index;
  emit_operands(e, e->tape->args + call->args, 1);
  text_printf(e->out, ", %d, 0);\n", data->moving);
  emit_name_value(e, op->dst, number);
}

const TapeKernel kernel_inverse = {
    .name = "inverse",
    .fault = "a value that the function of an `inverse` never takes",
    .room = room,
    .eval = eval,
    .tangent = tangent_by_expressions,
    .reason = reason,
    .body = kernel_body_tape,
    .emit = emit,
    .emit_data = kernel_body_emit,
    .sections = (const char *const[]){"body", "inverse", NULL},
};

// Interval arithmetic. Rounding is not directed: ranges are widened by a little at their use.
#include "tape/interval.h"

#include "tape/operands.h"

#include <math.h>
#include <string.h>

typedef struct Range {
  double lo, hi;
} Range;

static const Range everything = {-INFINITY, INFINITY};

static Range range(double a, double b) { return a == a && b == b ? (Range){a, b} : everything; }
static Range add(Range a, Range b) { return range(a.lo + b.lo, a.hi + b.hi); }
static Range sub(Range a, Range b) { return range(a.lo - b.hi, a.hi - b.lo); }
static bool within(Range a, double x) { return a.lo <= x && x <= a.hi; }

// 0 times a bound that is infinite is 0 here
static double times(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

static Range mul(Range a, Range b) {
  double p[4] = {times(a.lo, b.lo), times(a.lo, b.hi), times(a.hi, b.lo), times(a.hi, b.hi)}, lo = p[0], hi = p[0];
  for (int i = 1; i < 4; i++) {
    lo = p[i] < lo ? p[i] : lo;
    hi = p[i] > hi ? p[i] : hi;
  }
  return range(lo, hi);
}

static Range over(Range a, Range b) { return within(b, 0) ? everything : mul(a, range(1 / b.hi, 1 / b.lo)); }

// x*x of one value is not negative
static Range square(Range a) {
  double lo = a.lo * a.lo, hi = a.hi * a.hi;
  return within(a, 0) ? range(0, fmax(lo, hi)) : range(fmin(lo, hi), fmax(lo, hi));
}

// A sine whose argument is shifted by a quarter for the cosine.
static Range wave(Range a, double shift) {
  const double pi = 3.14159265358979323846;
  double lo = a.lo + shift, hi = a.hi + shift;
  if (!(hi - lo < 2 * pi)) return (Range){-1, 1};
  double up = ceil((lo - pi / 2) / (2 * pi)) * 2 * pi + pi / 2, down = ceil((lo + pi / 2) / (2 * pi)) * 2 * pi - pi / 2;
  double x = sin(lo), y = sin(hi);
  return (Range){down <= hi ? -1 : fmin(x, y), up <= hi ? 1 : fmax(x, y)};
}

static Range rising(double (*f)(double), Range a) { return range(f(a.lo), f(a.hi)); }

static Range truth(bool never, bool always) { return (Range){always ? 1 : 0, never ? 0 : 1}; }

static Range power(Range a, Range b) {
  if (!(a.lo > 0)) return everything;
  double p[4] = {pow(a.lo, b.lo), pow(a.lo, b.hi), pow(a.hi, b.lo), pow(a.hi, b.hi)}, lo = p[0], hi = p[0];
  for (int i = 1; i < 4; i++) {
    lo = fmin(lo, p[i]);
    hi = fmax(hi, p[i]);
  }
  return range(lo, hi);
}

static Range value_of(TapeCode code, Range a, Range b, Range c) {
  switch ((int)code) {
  case tape_add: return add(a, b);
  case tape_sub: return sub(a, b);
  case tape_mul: return mul(a, b);
  case tape_div: return over(a, b);
  case tape_neg: return range(-a.hi, -a.lo);
  case tape_sqrt: return a.lo >= 0 ? rising(sqrt, a) : everything;
  case tape_pow: return power(a, b);
  case tape_madd: return add(mul(a, b), c);
  case tape_msub: return sub(mul(a, b), c);
  case tape_nmadd: return sub(c, mul(a, b));
  case tape_sin: return wave(a, 0);
  case tape_cos: return wave(a, 3.14159265358979323846 / 2);
  case tape_atan: return rising(atan, a);
  case tape_sinh: return rising(sinh, a);
  case tape_cosh: return within(a, 0) ? range(1, fmax(cosh(a.lo), cosh(a.hi))) : range(fmin(cosh(a.lo), cosh(a.hi)), fmax(cosh(a.lo), cosh(a.hi)));
  case tape_tanh: return rising(tanh, a);
  case tape_exp: return rising(exp, a);
  case tape_ln: return a.lo > 0 ? rising(log, a) : everything;
  case tape_log10: return a.lo > 0 ? rising(log10, a) : everything;
  case tape_asin: return a.lo >= -1 && a.hi <= 1 ? rising(asin, a) : everything;
  case tape_abs: return within(a, 0) ? range(0, fmax(-a.lo, a.hi)) : a.lo > 0 ? a : range(-a.hi, -a.lo);
  case tape_sign: return range(a.lo > 0 ? 1 : a.lo < 0 ? -1 : 0, a.hi > 0 ? 1 : a.hi < 0 ? -1 : 0);
  case tape_min: return range(fmin(a.lo, b.lo), fmin(a.hi, b.hi));
  case tape_max: return range(fmax(a.lo, b.lo), fmax(a.hi, b.hi));
  case tape_floor: return range(floor(a.lo), floor(a.hi));
  case tape_step: return truth(a.hi < 0, a.lo >= 0);
  case tape_ramp: return range(fmax(a.lo, 0), fmax(a.hi, 0));
  case tape_lt: return truth(a.lo >= b.hi, a.hi < b.lo);
  case tape_le: return truth(a.lo > b.hi, a.hi <= b.lo);
  case tape_eq: return truth(a.hi < b.lo || b.hi < a.lo, a.lo == a.hi && b.lo == b.hi && a.lo == b.lo);
  case tape_ne: return truth(a.lo == a.hi && b.lo == b.hi && a.lo == b.lo, a.hi < b.lo || b.hi < a.lo);
  case tape_not: return truth(!within(a, 0), a.lo == 0 && a.hi == 0);
  case tape_and: return truth((a.lo == 0 && a.hi == 0) || (b.lo == 0 && b.hi == 0), !within(a, 0) && !within(b, 0));
  case tape_or: return truth(a.lo == 0 && a.hi == 0 && b.lo == 0 && b.hi == 0, !within(a, 0) || !within(b, 0));
  case tape_if:
    if (!within(a, 0)) return b;
    return a.lo == 0 && a.hi == 0 ? c : range(fmin(b.lo, c.lo), fmax(b.hi, c.hi));
  default: return everything;
  }
}

void tape_ranges(const Tape *t, const double *w, double *lo, double *hi) {
  uint32_t first = t->param_count, last = t->param_count + t->var_count;
  for (uint32_t i = 0; i < t->slot_count; i++) {
    if (i >= first && i < last) continue;
    lo[i] = w[i] == w[i] ? w[i] : -INFINITY;
    hi[i] = w[i] == w[i] ? w[i] : INFINITY;
  }
  for (uint32_t k = 0; k < t->op_count; k++) {
    const TapeOp *op = &t->ops[k];
    if (op->code == tape_nop) continue;
    uint32_t results = tape_results(t, op);
    bool kernel = tape_is_kernel(op->code);
    if (kernel) {
      for (uint32_t i = 0; i < results; i++) {
        lo[op->dst + i] = -INFINITY;
        hi[op->dst + i] = INFINITY;
      }
      continue;
    }
    Range a = {lo[op->a], hi[op->a]};
    if (op->code == tape_sincos) {
      Range s = wave(a, 0), c = wave(a, 3.14159265358979323846 / 2);
      lo[op->dst] = s.lo;
      hi[op->dst] = s.hi;
      lo[op->b] = c.lo;
      hi[op->b] = c.hi;
      continue;
    }
    Range b = {lo[op->b], hi[op->b]}, c = {lo[op->c], hi[op->c]};
    bool same = op->a == op->b; // x*x of one value
    Range r = !same ? value_of((TapeCode)op->code, a, b, c)
              : op->code == tape_mul ? square(a)
              : op->code == tape_madd ? add(square(a), c)
              : op->code == tape_msub ? sub(square(a), c)
              : op->code == tape_nmadd ? sub(c, square(a))
                                       : value_of((TapeCode)op->code, a, b, c);
    lo[op->dst] = r.lo;
    hi[op->dst] = r.hi;
  }
}

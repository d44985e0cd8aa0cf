// Interval arithmetic on a tape, with interval derivatives along a curve and estimates of rounding errors.
//
// For simulations rounding is not directed: rounded sums, products and quotients of bounds bound the rounded sums,
// products and quotients of what is between. For proofs (tape_enclose) every operation is widened by a last digit, so
// that exact values are bounded. Elementary functions are not monotone in their last digits, so their ranges are
// widened by a few of these.
#include "tape/interval.h"

#include "tape/operands.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

typedef TapeRange Range;
typedef TapeDual Dual; // a value and its rate

static const Range everything = {-INFINITY, INFINITY}, nothing = {0, 0}, whole = {1, 1};

static Range range(double a, double b) { return a == a && b == b ? (Range){a, b} : everything; }
static Range add(Range a, Range b) { return range(a.lo + b.lo, a.hi + b.hi); }
static Range sub(Range a, Range b) { return range(a.lo - b.hi, a.hi - b.lo); }
static Range neg(Range a) { return (Range){-a.hi, -a.lo}; }
static Range hull(Range a, Range b) { return range(fmin(a.lo, b.lo), fmax(a.hi, b.hi)); }
static bool within(Range a, double x) { return a.lo <= x && x <= a.hi; }
static bool is_point(Range a) { return a.lo == a.hi; }

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

static Range over(Range a, Range b) {
  if (within(b, 0)) return everything;
  double p[4] = {a.lo / b.lo, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi}, lo = p[0], hi = p[0];
  for (int i = 1; i < 4; i++) {
    if (p[i] != p[i]) return everything;
    lo = p[i] < lo ? p[i] : lo;
    hi = p[i] > hi ? p[i] : hi;
  }
  return range(lo, hi);
}

// x*x of one value is not negative
static Range square(Range a) {
  double lo = a.lo * a.lo, hi = a.hi * a.hi;
  return within(a, 0) ? range(0, fmax(lo, hi)) : range(fmin(lo, hi), fmax(lo, hi));
}

// By a few last digits, but not beyond what the function can be.
static Range wide(Range a, double least, double most) {
  const double margin = 4 * DBL_EPSILON;
  return range(fmax(least, a.lo - margin * fabs(a.lo)), fmin(most, a.hi + margin * fabs(a.hi)));
}

// A sine whose argument is shifted by a quarter for the cosine.
static Range wave(Range a, double shift) {
  double lo = a.lo + shift, hi = a.hi + shift;
  if (!(hi - lo < 2 * pi)) return (Range){-1, 1};
  double reach = 1e-15 * (1 + fabs(a.lo) + fabs(a.hi)); // so far off the turning points may be
  double up = ceil((lo - reach - pi / 2) / (2 * pi)) * 2 * pi + pi / 2,
         down = ceil((lo - reach + pi / 2) / (2 * pi)) * 2 * pi - pi / 2;
  double x = shift == 0 ? sin(a.lo) : cos(a.lo), y = shift == 0 ? sin(a.hi) : cos(a.hi);
  return wide((Range){down <= hi + reach ? -1 : fmin(x, y), up <= hi + reach ? 1 : fmax(x, y)}, -1, 1);
}

static Range rising(double (*f)(double), Range a, double least, double most) {
  return wide(range(f(a.lo), f(a.hi)), least, most);
}
static Range falling(double (*f)(double), Range a, double least, double most) {
  return wide(range(f(a.hi), f(a.lo)), least, most);
}

static Range tangent(Range a) {
  bool one = floor((a.lo - 1e-15 * fabs(a.lo)) / pi + 0.5) == floor((a.hi + 1e-15 * fabs(a.hi)) / pi + 0.5);
  return one ? rising(tan, a, -INFINITY, INFINITY) : everything;
}

static Range hyperbolic(Range a) {
  double x = cosh(a.lo), y = cosh(a.hi);
  return wide(range(within(a, 0) ? 1 : fmin(x, y), fmax(x, y)), 1, INFINITY);
}

// The angle of the points of a box: extreme at its corners, unless it holds the origin or the cut.
static Range angle(Range a, Range b) {
  if (!(b.lo > 0 || a.lo > 0 || a.hi < 0)) return (Range){-pi, pi};
  double p[4] = {atan2(a.lo, b.lo), atan2(a.lo, b.hi), atan2(a.hi, b.lo), atan2(a.hi, b.hi)}, lo = p[0], hi = p[0];
  for (int i = 1; i < 4; i++) {
    lo = fmin(lo, p[i]);
    hi = fmax(hi, p[i]);
  }
  return wide(range(lo, hi), -pi, pi);
}

static Range truth(bool never, bool always) { return (Range){always ? 1 : 0, never ? 0 : 1}; }

static Range power(Range a, Range b) {
  if (is_point(b) && b.lo == floor(b.lo) && fabs(b.lo) < 0x1p53 && !(a.lo > 0)) { // whole: also of what is not positive
    double n = b.lo, x = pow(a.lo, n), y = pow(a.hi, n);
    if (n < 0 && within(a, 0)) return everything;
    if (fmod(n, 2) != 0) return wide(range(fmin(x, y), fmax(x, y)), -INFINITY, INFINITY);
    return wide(range(within(a, 0) ? (n == 0 ? 1 : 0) : fmin(x, y), fmax(x, y)), 0, INFINITY);
  }
  if (is_point(b) && b.lo > 0 && a.lo >= 0) return wide(range(pow(a.lo, b.lo), pow(a.hi, b.lo)), 0, INFINITY);
  if (!(a.lo > 0)) return everything;
  double p[4] = {pow(a.lo, b.lo), pow(a.lo, b.hi), pow(a.hi, b.lo), pow(a.hi, b.hi)}, lo = p[0], hi = p[0];
  for (int i = 1; i < 4; i++) {
    lo = fmin(lo, p[i]);
    hi = fmax(hi, p[i]);
  }
  return wide(range(lo, hi), 0, INFINITY);
}

static Range absolute(Range a) { return within(a, 0) ? range(0, fmax(-a.lo, a.hi)) : a.lo > 0 ? a : neg(a); }

// Which multiple is taken off: true where it is one.
static bool quotient(Range a, Range b, double *k) {
  Range q = over(a, b);
  *k = floor(q.lo);
  return isfinite(q.lo) && floor(q.hi) == *k;
}

static Range remainder_of(Range a, Range b) {
  double k;
  Range whole_one = b.lo > 0 ? range(0, b.hi) : b.hi < 0 ? range(b.lo, 0) : everything;
  if (!quotient(a, b, &k)) return whole_one;
  Range r = sub(a, mul(b, range(k, k)));
  return range(fmin(fmax(r.lo, whole_one.lo), whole_one.hi), fmax(fmin(r.hi, whole_one.hi), whole_one.lo));
}

static Range value_of(TapeCode code, Range a, Range b, Range c) {
  switch ((int)code) {
  case tape_add: return add(a, b);
  case tape_sub: return sub(a, b);
  case tape_mul: return mul(a, b);
  case tape_div: return over(a, b);
  case tape_neg: return neg(a);
  case tape_sqrt: return a.lo >= 0 ? rising(sqrt, a, 0, INFINITY) : everything;
  case tape_pow: return power(a, b);
  case tape_madd: return add(mul(a, b), c);
  case tape_msub: return sub(mul(a, b), c);
  case tape_nmadd: return sub(c, mul(a, b));
  case tape_sin: return wave(a, 0);
  case tape_cos: return wave(a, pi / 2);
  case tape_tan: return tangent(a);
  case tape_atan: return rising(atan, a, -2, 2);
  case tape_atan2: return angle(a, b);
  case tape_sinh: return rising(sinh, a, -INFINITY, INFINITY);
  case tape_cosh: return hyperbolic(a);
  case tape_tanh: return rising(tanh, a, -1, 1);
  case tape_exp: return rising(exp, a, 0, INFINITY);
  case tape_ln: return a.lo > 0 ? rising(log, a, -INFINITY, INFINITY) : everything;
  case tape_log10: return a.lo > 0 ? rising(log10, a, -INFINITY, INFINITY) : everything;
  case tape_asin: return a.lo >= -1 && a.hi <= 1 ? rising(asin, a, -2, 2) : everything;
  case tape_acos: return a.lo >= -1 && a.hi <= 1 ? falling(acos, a, 0, 4) : everything;
  case tape_abs: return absolute(a);
  case tape_sign: return range(a.lo > 0 ? 1 : a.lo < 0 ? -1 : 0, a.hi > 0 ? 1 : a.hi < 0 ? -1 : 0);
  case tape_min: return range(fmin(a.lo, b.lo), fmin(a.hi, b.hi));
  case tape_max: return range(fmax(a.lo, b.lo), fmax(a.hi, b.hi));
  case tape_floor: return range(floor(a.lo), floor(a.hi));
  case tape_mod: return remainder_of(a, b);
  case tape_step: return truth(a.hi < 0, a.lo >= 0);
  case tape_ramp: return range(fmax(a.lo, 0), fmax(a.hi, 0));
  case tape_lt: return truth(a.lo >= b.hi, a.hi < b.lo);
  case tape_le: return truth(a.lo > b.hi, a.hi <= b.lo);
  case tape_eq: return truth(a.hi < b.lo || b.hi < a.lo, is_point(a) && is_point(b) && a.lo == b.lo);
  case tape_ne: return truth(is_point(a) && is_point(b) && a.lo == b.lo, a.hi < b.lo || b.hi < a.lo);
  case tape_not: return truth(!within(a, 0), a.lo == 0 && a.hi == 0);
  case tape_and: return truth((a.lo == 0 && a.hi == 0) || (b.lo == 0 && b.hi == 0), !within(a, 0) && !within(b, 0));
  case tape_or: return truth(a.lo == 0 && a.hi == 0 && b.lo == 0 && b.hi == 0, !within(a, 0) || !within(b, 0));
  case tape_if:
    if (!within(a, 0)) return b;
    return a.lo == 0 && a.hi == 0 ? c : hull(b, c);
  default: return everything;
  }
}

// x*x of one value
static Range value_of_same(TapeCode code, Range a, Range c) {
  switch ((int)code) {
  case tape_mul: return square(a);
  case tape_madd: return add(square(a), c);
  case tape_msub: return sub(square(a), c);
  case tape_nmadd: return sub(c, square(a));
  case tape_sub: return isfinite(a.lo) && isfinite(a.hi) ? nothing : everything;
  default: return value_of(code, a, a, c);
  }
}

// ---- rates

static Range product_rate(Dual a, Dual b) { return add(mul(a.d, b.v), mul(a.v, b.d)); }

static Range power_rate(Dual a, Dual b, Range v) {
  if (is_point(b.v) && b.d.lo == 0 && b.d.hi == 0) return mul(mul(b.v, power(a.v, range(b.v.lo - 1, b.v.lo - 1))), a.d);
  if (!(a.v.lo > 0)) return everything;
  return mul(v, add(mul(b.d, rising(log, a.v, -INFINITY, INFINITY)), over(mul(b.v, a.d), a.v)));
}

// Of one that is constant between its jumps.
static Range step_rate(Range v) { return is_point(v) ? nothing : everything; }

static Range rate_of(TapeCode code, Dual a, Dual b, Dual c, Range v) {
  double k;
  switch ((int)code) {
  case tape_add: return add(a.d, b.d);
  case tape_sub: return sub(a.d, b.d);
  case tape_mul: return product_rate(a, b);
  case tape_div: return over(sub(a.d, mul(v, b.d)), b.v);
  case tape_neg: return neg(a.d);
  case tape_sqrt: return a.v.lo > 0 ? over(a.d, add(v, v)) : everything;
  case tape_pow: return power_rate(a, b, v);
  case tape_madd: return add(product_rate(a, b), c.d);
  case tape_msub: return sub(product_rate(a, b), c.d);
  case tape_nmadd: return sub(c.d, product_rate(a, b));
  case tape_sin: return mul(wave(a.v, pi / 2), a.d);
  case tape_cos: return neg(mul(wave(a.v, 0), a.d));
  case tape_tan: return mul(add(whole, square(v)), a.d);
  case tape_asin:
    return a.v.lo > -1 && a.v.hi < 1 ? over(a.d, rising(sqrt, sub(whole, square(a.v)), 0, 1)) : everything;
  case tape_acos:
    return a.v.lo > -1 && a.v.hi < 1 ? neg(over(a.d, rising(sqrt, sub(whole, square(a.v)), 0, 1))) : everything;
  case tape_atan: return over(a.d, add(whole, square(a.v)));
  case tape_atan2:
    if (!(b.v.lo > 0 || a.v.lo > 0 || a.v.hi < 0)) return everything;
    return over(sub(mul(b.v, a.d), mul(a.v, b.d)), add(square(a.v), square(b.v)));
  case tape_sinh: return mul(hyperbolic(a.v), a.d);
  case tape_cosh: return mul(rising(sinh, a.v, -INFINITY, INFINITY), a.d);
  case tape_tanh: return mul(sub(whole, square(v)), a.d);
  case tape_exp: return mul(v, a.d);
  case tape_ln: return over(a.d, a.v);
  case tape_log10: return over(a.d, mul(a.v, range(log(10), log(10))));
  case tape_abs: return a.v.lo >= 0 ? a.d : a.v.hi <= 0 ? neg(a.d) : hull(a.d, neg(a.d));
  case tape_min: return a.v.hi < b.v.lo ? a.d : b.v.hi < a.v.lo ? b.d : hull(a.d, b.d);
  case tape_max: return a.v.hi < b.v.lo ? b.d : b.v.hi < a.v.lo ? a.d : hull(a.d, b.d);
  case tape_mod: return quotient(a.v, b.v, &k) ? sub(a.d, mul(b.d, range(k, k))) : everything;
  case tape_ramp: return a.v.lo >= 0 ? a.d : a.v.hi <= 0 ? nothing : hull(nothing, a.d);
  case tape_sign:
  case tape_floor:
  case tape_step:
  case tape_lt:
  case tape_le:
  case tape_eq:
  case tape_ne:
  case tape_not:
  case tape_and:
  case tape_or: return step_rate(v);
  case tape_if:
    if (!within(a.v, 0)) return b.d;
    return a.v.lo == 0 && a.v.hi == 0 ? c.d : everything;
  default: return everything;
  }
}

static Range rate_of_same(TapeCode code, Dual a, Dual c, Range v) {
  Range twice = mul(range(2, 2), mul(a.v, a.d));
  switch ((int)code) {
  case tape_mul: return twice;
  case tape_madd: return add(twice, c.d);
  case tape_msub: return sub(twice, c.d);
  case tape_nmadd: return sub(c.d, twice);
  case tape_sub: return nothing;
  default: return rate_of(code, a, a, c, v);
  }
}

// ---- kernels

const TapeRange tape_everything = {-INFINITY, INFINITY};

TapeRange tape_range_product(TapeRange a, TapeRange b) { return mul(a, b); }

// What is known of the results of a call. `arg`: room for its operands.
static Dual kernel_of(const TapeCall *call, const Dual *arg) {
  return call->kernel->range ? call->kernel->range(call->data, arg) : (Dual){everything, everything};
}

static bool is_bounded(const Tape *t, const TapeOp *op) {
  return op->code != tape_call || t->calls[op->a].kernel->range;
}

void tape_follow(const Tape *t, bool *marked) {
  for (uint32_t k = 0; k < t->op_count; k++) {
    const TapeOp *op = &t->ops[k];
    if (op->code == tape_nop) continue;
    uint32_t own[3], count;
    const uint32_t *slots = tape_operands(t, op, own, &count);
    bool from = false;
    for (uint32_t i = 0; i < count && !from; i++) from = marked[slots[i]];
    for (uint32_t i = 0; i < tape_leaves(t, op); i++) marked[tape_left_in(op, i)] = from;
  }
}

void tape_unbounded(const Tape *t, bool *seen, bool *results) {
  memset(seen, 0, t->slot_count * sizeof *seen);
  for (uint32_t k = 0; k < t->op_count; k++) {
    const TapeOp *op = &t->ops[k];
    if (op->code == tape_nop) continue;
    uint32_t own[3], count;
    const uint32_t *slots = tape_operands(t, op, own, &count);
    bool bad = !is_bounded(t, op);
    for (uint32_t i = 0; i < count; i++) bad = bad || seen[slots[i]];
    for (uint32_t i = 0; i < tape_leaves(t, op); i++) seen[tape_left_in(op, i)] = bad;
  }
  for (uint32_t i = 0; i < t->output_count; i++) results[i] = seen[t->outputs[i]];
}

// ---- the tape

static void begin(const Tape *t, const double *w, double *lo, double *hi) {
  uint32_t first = t->param_count, last = t->param_count + t->var_count;
  for (uint32_t i = 0; i < t->slot_count; i++) {
    if (i >= first && i < last) continue;
    lo[i] = w[i] == w[i] ? w[i] : -INFINITY;
    hi[i] = w[i] == w[i] ? w[i] : INFINITY;
  }
}

// The ranges of what operations leave, one after another. step: of one operation.
typedef Range RangeStep(const TapeOp *op, Range a, Range b, Range c);

static void go_along(const Tape *t, const TapeOp *ops, uint32_t count, RangeStep *step, double *lo, double *hi) {
  for (uint32_t k = 0; k < count; k++) {
    const TapeOp *op = &ops[k];
    if (op->code == tape_nop) continue;
    if (op->code == tape_call) {
      const uint32_t *args = t->args + t->calls[op->a].args;
      Dual arg[2] = {{everything, nothing}, {everything, nothing}};
      for (uint32_t i = 0; i < 2 && i < t->calls[op->a].count; i++) arg[i].v = (Range){lo[args[i]], hi[args[i]]};
      Range r = kernel_of(&t->calls[op->a], arg).v;
      for (uint32_t i = 0; i < tape_leaves(t, op); i++) {
        lo[op->dst + i] = r.lo;
        hi[op->dst + i] = r.hi;
      }
      continue;
    }
    Range a = {lo[op->a], hi[op->a]};
    if (op->code == tape_sincos) {
      Range s = wave(a, 0), c = wave(a, pi / 2);
      lo[op->dst] = s.lo;
      hi[op->dst] = s.hi;
      lo[op->b] = c.lo;
      hi[op->b] = c.hi;
      continue;
    }
    Range r = step(op, a, (Range){lo[op->b], hi[op->b]}, (Range){lo[op->c], hi[op->c]});
    lo[op->dst] = r.lo;
    hi[op->dst] = r.hi;
  }
}

static Range plain_step(const TapeOp *op, Range a, Range b, Range c) {
  bool same = op->a == op->b && tape_arity(op->code) > 1;
  return same ? value_of_same((TapeCode)op->code, a, c) : value_of((TapeCode)op->code, a, b, c);
}

void tape_ranges(const Tape *t, const double *w, double *lo, double *hi) {
  begin(t, w, lo, hi);
  go_along(t, t->ops, t->op_count, plain_step, lo, hi);
}

// One last digit to either side: what rounding to the nearest took.
static Range outward(Range a) {
  return (Range){isfinite(a.lo) ? nextafter(a.lo, -INFINITY) : a.lo, isfinite(a.hi) ? nextafter(a.hi, INFINITY) : a.hi};
}

// Operations that give one of their operands, or a whole number: nothing is rounded, and a truth stays one.
static bool is_exact(uint16_t code) {
  switch ((int)code) {
  case tape_neg:
  case tape_abs:
  case tape_sign:
  case tape_min:
  case tape_max:
  case tape_floor:
  case tape_step:
  case tape_ramp:
  case tape_lt:
  case tape_le:
  case tape_eq:
  case tape_ne:
  case tape_not:
  case tape_and:
  case tape_or:
  case tape_if: return true;
  default: return false;
  }
}

// A product and a sum are rounded one after the other.
static Range outward_step(const TapeOp *op, Range a, Range b, Range c) {
  if (is_exact(op->code)) return plain_step(op, a, b, c);
  bool sum = op->code == tape_madd || op->code == tape_msub || op->code == tape_nmadd;
  if (!sum && op->code != tape_mod) return outward(plain_step(op, a, b, c));
  if (op->code == tape_mod) {
    Range r = plain_step(op, a, b, c);
    double size = 4 * DBL_EPSILON * fmax(fmax(fabs(a.lo), fabs(a.hi)), fmax(fabs(b.lo), fabs(b.hi)));
    return range(r.lo - size, r.hi + size);
  }
  Range p = outward(op->a == op->b ? square(a) : mul(a, b));
  return outward(op->code == tape_madd ? add(p, c) : op->code == tape_msub ? sub(p, c) : sub(c, p));
}

void tape_enclose(const Tape *t, const double *w, double *lo, double *hi) {
  uint32_t first = t->param_count, last = t->param_count + t->var_count;
  for (uint32_t i = 0; i < t->slot_count; i++) {
    if (i < first || i >= last) lo[i] = hi[i] = w[i];
  }
  // a constant such as 1/10 is the double next to it; whole numbers are themselves
  for (uint32_t i = 0; i < t->constant_count; i++) {
    double x = t->constants[i].value;
    Range r = x == floor(x) && fabs(x) < 0x1p53 ? (Range){x, x} : outward((Range){x, x});
    lo[t->constants[i].slot] = r.lo;
    hi[t->constants[i].slot] = r.hi;
  }
  go_along(t, t->prologue, t->prologue_count, outward_step, lo, hi);
  go_along(t, t->ops, t->op_count, outward_step, lo, hi);
}

typedef struct Room {
  double *lo, *hi, *rate_lo, *rate_hi;
} Room;

static Dual get(const Room *m, uint32_t i) { return (Dual){{m->lo[i], m->hi[i]}, {m->rate_lo[i], m->rate_hi[i]}}; }

static void put(const Room *m, uint32_t i, Dual x) {
  m->lo[i] = x.v.lo;
  m->hi[i] = x.v.hi;
  m->rate_lo[i] = x.d.lo;
  m->rate_hi[i] = x.d.hi;
}

void tape_range_rates(const Tape *t, const double *w, double *lo, double *hi, double *rate_lo, double *rate_hi) {
  Room m = {lo, hi, rate_lo, rate_hi};
  begin(t, w, lo, hi);
  uint32_t last = t->param_count + t->var_count;
  memset(rate_lo, 0, t->param_count * sizeof *rate_lo);
  memset(rate_hi, 0, t->param_count * sizeof *rate_hi);
  memset(rate_lo + last, 0, (t->slot_count - last) * sizeof *rate_lo);
  memset(rate_hi + last, 0, (t->slot_count - last) * sizeof *rate_hi);
  for (uint32_t k = 0; k < t->op_count; k++) {
    const TapeOp *op = &t->ops[k];
    if (op->code == tape_nop) continue;
    if (op->code == tape_call) {
      const uint32_t *args = t->args + t->calls[op->a].args;
      Dual arg[2] = {{everything, everything}, {everything, everything}};
      for (uint32_t i = 0; i < 2 && i < t->calls[op->a].count; i++) arg[i] = get(&m, args[i]);
      Dual r = kernel_of(&t->calls[op->a], arg);
      for (uint32_t i = 0; i < tape_leaves(t, op); i++) put(&m, op->dst + i, r);
      continue;
    }
    Dual a = get(&m, op->a);
    if (op->code == tape_sincos) {
      Range s = wave(a.v, 0), c = wave(a.v, pi / 2);
      put(&m, op->dst, (Dual){s, mul(c, a.d)});
      put(&m, op->b, (Dual){c, neg(mul(s, a.d))});
      continue;
    }
    Dual b = get(&m, op->b), c = get(&m, op->c), r;
    bool same = op->a == op->b && tape_arity(op->code) > 1;
    r.v = same ? value_of_same((TapeCode)op->code, a.v, c.v) : value_of((TapeCode)op->code, a.v, b.v, c.v);
    r.d = same ? rate_of_same((TapeCode)op->code, a, c, r.v) : rate_of((TapeCode)op->code, a, b, c, r.v);
    put(&m, op->dst, r);
  }
}

// ---- rounding

static bool is_sum(uint16_t code) {
  return code == tape_add || code == tape_sub || code == tape_madd || code == tape_msub || code == tape_nmadd;
}

static bool is_product(uint16_t code) { return code != tape_add && code != tape_sub; } // of sums

// Of operations of every day, as rate_of has it, in fewer steps: v are the operands, off their errors. False: of
// others.
static bool everyday_error(uint16_t code, const double v[3], const double off[3], double *e) {
  switch ((TapeCode)code) {
  case tape_add:
  case tape_sub: *e = off[0] + off[1]; return true;
  case tape_mul: *e = fabs(times(off[0], v[1])) + fabs(times(v[0], off[1])); return true;
  case tape_madd:
  case tape_msub:
  case tape_nmadd: *e = fabs(times(off[0], v[1])) + fabs(times(v[0], off[1])) + off[2]; return true;
  case tape_neg: *e = off[0]; return true;
  case tape_if: *e = v[0] != 0 ? off[1] : off[2]; return true;
  case tape_sign:
  case tape_floor:
  case tape_step:
  case tape_lt:
  case tape_le:
  case tape_eq:
  case tape_ne:
  case tape_not:
  case tape_and:
  case tape_or: *e = 0; return true;
  default: return false;
  }
}

// The error of one operation that is no kernel, which is evaluated.
static void round_step(const Tape *t, uint32_t k, double *w, double digits, double *error) {
  const TapeOp *op = &t->ops[k];
  const double v[3] = {w[op->a], w[op->b], w[op->c]}, off[3] = {error[op->a], error[op->b], error[op->c]};
  double e;
  if (!tape_everyday(op->code, v, &w[op->dst])) tape_eval_one(t, k, w);
  if (op->code == tape_sincos) {
    error[op->dst] = error[op->b] = off[0];
    return;
  }
  if (!everyday_error(op->code, v, off, &e)) {
    Dual x[3];
    for (int i = 0; i < 3; i++) x[i] = (Dual){{v[i], v[i]}, {-off[i], off[i]}};
    Range d = rate_of((TapeCode)op->code, x[0], x[1], x[2], range(w[op->dst], w[op->dst]));
    e = op->code == tape_sqrt && v[0] <= off[0] ? sqrt(off[0]) : fmax(-d.lo, d.hi);
  }
  if (is_sum(op->code))
    e += digits * DBL_EPSILON * (is_product(op->code) ? fabs(v[0] * v[1]) + fabs(v[2]) : fabs(v[0]) + fabs(v[1]));
  error[op->dst] = isfinite(e) ? e : 0;
}

static double drawn_sign(uint64_t of, uint32_t draw);

// Of a kernel that solves its body, with the results evaluated: what rounding of the residuals moves them by, the
// largest of a few draws of its signs. The end of its scratch is the body's workspace.
static void solve_errors(const Tape *t, const TapeOp *op, double digits, double *w, double *error) {
  enum { most = 64 };
  const TapeCall *call = &t->calls[op->a];
  const Tape *body = call->kernel->body(call->data);
  uint32_t n = tape_leaves(t, op), at = op->dst + call->kernel->room(call->data) - body->slot_count;
  double *inside = w + at, *residual = error + at, *matrix = error + op->dst + n, rates[most][tape_directions];
  for (uint32_t k = 0; k < body->op_count; k++) {
    if (body->ops[k].code == tape_call) return;
  }
  if (n > most) return;
  memcpy(tape_vars(body, inside), w + op->dst, n * sizeof *w);
  memset(residual, 0, body->slot_count * sizeof *residual);
  tape_errors(body, inside, digits, residual);
  for (uint32_t i = 0; i < n * n; i++) matrix[i] = tape_result(body, inside, n + i);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t d = 0; d < tape_directions; d++) rates[i][d] = drawn_sign(i, d) * tape_result(body, residual, i);
  }
  call->kernel->solve(call->data, matrix, rates);
  for (uint32_t i = 0; i < n; i++) {
    double e = 0;
    for (uint32_t d = 0; d < tape_directions; d++) e = fmax(e, fabs(rates[i][d]));
    if (isfinite(e)) error[op->dst + i] += e;
  }
}

// Of a kernel: how far its results move, the largest of a few draws of the signs of its operands' errors.
static void call_errors(const Tape *t, uint32_t k, double digits, double *w, double *error) {
  enum { draws = 8 };
  const TapeOp *op = &t->ops[k];
  const TapeCall *call = &t->calls[op->a];
  const uint32_t *args = t->args + call->args, leaves = tape_leaves(t, op);
  double *saved = error + t->slot_count, *result = w + op->dst, *exact = saved + op->dst;
  bool any = false;
  tape_eval_one(t, k, w);
  memcpy(exact, result, leaves * sizeof *exact);
  for (uint32_t i = 0; i < leaves; i++) error[op->dst + i] = digits * DBL_EPSILON * fabs(exact[i]);
  if (digits > 0 && call->kernel->solve) solve_errors(t, op, digits, w, error);
  for (uint32_t i = 0; i < call->count; i++) {
    saved[args[i]] = w[args[i]];
    any = any || error[args[i]] > 0;
  }
  for (uint32_t d = 0; any && d < draws; d++) {
    for (uint32_t i = 0; i < call->count; i++) w[args[i]] = saved[args[i]] + drawn_sign(args[i], d) * error[args[i]];
    tape_eval_one(t, k, w);
    for (uint32_t i = 0; i < leaves; i++) {
      double e = fabs(result[i] - exact[i]);
      if (isfinite(e)) error[op->dst + i] = fmax(error[op->dst + i], e);
    }
  }
  for (uint32_t i = 0; i < call->count; i++) w[args[i]] = saved[args[i]];
  memcpy(result, exact, leaves * sizeof *exact);
}

void tape_errors(const Tape *t, double *w, double digits, double *error) {
  for (uint32_t k = 0; k < t->op_count; k++) {
    const TapeOp *op = &t->ops[k];
    if (op->code == tape_nop) continue;
    if (op->code != tape_call) {
      round_step(t, k, w, digits, error);
      // products and quotients lose half a digit of themselves
      if (digits > 0 && (op->code == tape_mul || op->code == tape_div))
        error[op->dst] += DBL_EPSILON * fabs(w[op->dst]);
      continue;
    }
    call_errors(t, k, digits, w, error);
  }
}

void tape_rounding(const Tape *t, double *w, double digits, double *error) {
  memset(error, 0, t->slot_count * sizeof *error);
  for (uint32_t k = 0; k < t->op_count; k++) {
    const TapeOp *op = &t->ops[k];
    if (op->code == tape_nop) continue;
    if (op->code != tape_call) {
      round_step(t, k, w, digits, error);
      continue;
    }
    tape_eval_one(t, k, w); // as exact as what it is made of is not known here
    for (uint32_t i = 0; i < tape_leaves(t, op); i++) error[op->dst + i] = 0;
  }
}

// ---- rounding through long computations
//
// Errors with signs, drawn a few times: each sum is off by `digits` last digits of what is added, up or down, and what
// follows passes that on by its derivatives. A bound without signs adds up what cancels: along a recursion it grows
// with each step, and behind forty links it says nothing.

enum { drawn = 8 }; // times

size_t tape_rounding_room(const Tape *t) { return (size_t)(drawn + 1) * t->slot_count; }

static uint64_t mixed(uint64_t x) {
  x = (x ^ x >> 32) * 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 29) * 0xBF58476D1CE4E5B9u;
  return x ^ x >> 32;
}

static uint64_t bits_of_value(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return mixed(bits);
}

// Up or down, by the numbers that round and the draw: the same for every tape that computes them.
static double drawn_sign(uint64_t of, uint32_t draw) {
  return mixed(of + (draw + 1) * 0xD1B54A32D192ED03u) & 1 ? 1 : -1;
}

// Results of a kernel, and what they are off where its operands are: by their errors and by their last digit, which is
// what it rounds inside; and by their own last digits.
static void draw_kernel(const Tape *t, uint32_t k, double *w, double digits, double *of) {
  const TapeOp *op = &t->ops[k];
  const TapeCall *call = &t->calls[op->a];
  const uint32_t *args = t->args + call->args, leaves = tape_leaves(t, op);
  double *saved = of + (size_t)drawn * t->slot_count;
  for (uint32_t i = 0; i < call->count; i++) saved[args[i]] = w[args[i]];
  for (uint32_t d = 0; d < drawn; d++) {
    for (uint32_t i = 0; i < call->count; i++) {
      double x = saved[args[i]], digit = drawn_sign(bits_of_value(x) + i, d) * DBL_EPSILON * fabs(x);
      w[args[i]] = x + of[(size_t)args[i] * drawn + d] + digit;
    }
    tape_eval_one(t, k, w);
    for (uint32_t i = 0; i < leaves; i++) of[(size_t)(op->dst + i) * drawn + d] = w[op->dst + i];
  }
  for (uint32_t i = 0; i < call->count; i++) w[args[i]] = saved[args[i]];
  tape_eval_one(t, k, w);
  for (uint32_t i = 0; i < leaves; i++) {
    for (uint32_t d = 0; d < drawn; d++) {
      double *e = &of[(size_t)(op->dst + i) * drawn + d];
      *e += drawn_sign(i, d) * digits * DBL_EPSILON * fabs(w[op->dst + i]) - w[op->dst + i];
      if (!isfinite(*e)) *e = 0;
    }
  }
}

// The error of one operation that is no kernel in draw d: x, y, z are its operands, v its result.
static double draw_error(uint16_t code, double x, double y, double z, double v, const double e[3]) {
  switch ((TapeCode)code) {
  case tape_add: return e[0] + e[1];
  case tape_sub: return e[0] - e[1];
  case tape_mul: return y * e[0] + x * e[1];
  case tape_madd: return y * e[0] + x * e[1] + e[2];
  case tape_msub: return y * e[0] + x * e[1] - e[2];
  case tape_nmadd: return e[2] - y * e[0] - x * e[1];
  case tape_sqrt:
    if (x <= fabs(e[0])) return copysign(sqrt(fabs(e[0])), e[0]);
    break;
  default: break;
  }
  Dual a = {{x, x}, {e[0], e[0]}}, b = {{y, y}, {e[1], e[1]}}, c = {{z, z}, {e[2], e[2]}};
  Range r = rate_of((TapeCode)code, a, b, c, range(v, v));
  return fabs(r.lo) > fabs(r.hi) ? r.lo : r.hi;
}

static void draw_step(const Tape *t, uint32_t k, double *w, double digits, double *of) {
  const TapeOp *op = &t->ops[k];
  double x = w[op->a], y = w[op->b], z = w[op->c], own = 0;
  double *ex = of + (size_t)op->a * drawn, *ey = of + (size_t)op->b * drawn, *ez = of + (size_t)op->c * drawn;
  tape_eval_one(t, k, w);
  if (op->code == tape_sincos) {
    double sine = w[op->dst], cosine = w[op->b], *es = of + (size_t)op->dst * drawn;
    for (uint32_t d = 0; d < drawn; d++) {
      double e = ex[d];
      es[d] = cosine * e, ey[d] = -sine * e;
    }
    return;
  }
  uint64_t of_sum = 0;
  if (is_sum(op->code)) {
    bool product = is_product(op->code);
    double first = product ? x * y : x, second = product ? z : y;
    if (first != 0 && second != 0) own = digits * DBL_EPSILON * (fabs(first) + fabs(second)); // with zero it is exact
    of_sum = bits_of_value(first) + bits_of_value(second);
  }
  for (uint32_t d = 0; d < drawn; d++) {
    const double e[3] = {ex[d], ey[d], ez[d]};
    double r = draw_error(op->code, x, y, z, w[op->dst], e) + drawn_sign(of_sum, d) * own;
    of[(size_t)op->dst * drawn + d] = isfinite(r) ? r : 0;
  }
}

void tape_rounding_through(const Tape *t, double *w, double digits, const double *off, uint32_t variables,
                           double *room) {
  memset(room, 0, (size_t)drawn * t->slot_count * sizeof *room);
  for (uint32_t v = 0; v < variables; v++) {
    for (uint32_t d = 0; d < drawn; d++)
      room[(size_t)(t->param_count + v) * drawn + d] = off[v] > 0 ? drawn_sign(v, d) * off[v] : 0;
  }
  for (uint32_t k = 0; k < t->op_count; k++) {
    if (t->ops[k].code == tape_nop) continue;
    if (t->ops[k].code == tape_call) draw_kernel(t, k, w, digits, room);
    else draw_step(t, k, w, digits, room);
  }
}

double tape_rounding_of(const Tape *t, const double *room, uint32_t result) {
  const double *e = room + (size_t)t->outputs[result] * drawn;
  double most = 0;
  for (uint32_t d = 0; d < drawn; d++) most = fmax(most, fabs(e[d]));
  return most;
}

// Limit cycles by harmonic balance: N(A) L(iw) = 1 with the describing function N.
//
// 1/L(iw) and N(A) are two curves in the plane. Both are taken at many points, evenly in the logarithms; where two
// pieces cross Newton's method on N(A) L(iw) = 1 goes on. What F(A, s) = 1 - N(A) L(s) says beside the axis gives the
// stability: ds/dA = -(dN/dA) L/(N dL/ds), and where its real part is negative a larger amplitude decays.
#include "control/describing.h"

#include <float.h>
#include <math.h>

static const double pi = 3.14159265358979323846;

// ---- N(A)

static double saturated(double r) {
  if (r >= 1) return 1;
  if (r <= -1) return -1;
  return 2 / pi * (asin(r) + r * sqrt(1 - r * r));
}

static double steps(double q, double a) {
  double sum = 0;
  for (double i = 1; (2 * i - 1) * q < 2 * a && i < 1e6; i++) {
    double r = (2 * i - 1) * q / (2 * a);
    sum += sqrt(1 - r * r);
  }
  return 4 * q / (pi * a) * sum;
}

// The integral over a piece by Lobatto's rules of 4 and 7 points, cut into six where both differ (Gander, Gautschi
// 2000): they have the ends of the piece, so a jump right beside one is seen.
typedef struct Quadrature {
  const Describing *d;
  double amplitude, size;
  int left; // evaluations that may still be made: of thousands of jumps not all are met exactly
} Quadrature;

static double under(Quadrature *x, double theta) {
  x->left--;
  return x->d->value(x->d->self, x->amplitude * sin(theta)) * sin(theta);
}

static double integral(Quadrature *x, double from, double to, double at_from, double at_to, int depth) {
  double middle = (from + to) / 2, half = (to - from) / 2, far = sqrt(2.0 / 3) * half, close = half / sqrt(5);
  double t[7] = {from, middle - far, middle - close, middle, middle + close, middle + far, to}, f[7], sum = 0;
  for (int i = 0; i < 7; i++) f[i] = i == 0 ? at_from : i == 6 ? at_to : under(x, t[i]);
  double few = half / 6 * (f[0] + f[6] + 5 * (f[2] + f[4])),
         many = half / 1470 * (77 * (f[0] + f[6]) + 432 * (f[1] + f[5]) + 625 * (f[2] + f[4]) + 672 * f[3]);
  if (depth == 0 || x->left < 0 || fabs(many - few) <= 1e-15 * x->size) return many;
  for (int i = 0; i < 6; i++) sum += integral(x, t[i], t[i + 1], f[i], f[i + 1], depth - 1);
  return sum;
}

static double by_quadrature(const Describing *d, double a) {
  enum { pieces = 16 };
  Quadrature x = {d, a, 0, 20000};
  double f[pieces + 1], sum = 0;
  for (int i = 0; i <= pieces; i++) {
    f[i] = under(&x, i * pi / 2 / pieces);
    x.size = fmax(x.size, fabs(f[i]));
  }
  for (int i = 0; i < pieces; i++)
    sum += integral(&x, i * pi / 2 / pieces, (i + 1) * pi / 2 / pieces, f[i], f[i + 1], 22);
  return 4 / (pi * a) * sum; // odd: four equal quarters
}

Complex describing_at(const Describing *d, double a) {
  double r = d->width / a;
  switch (d->kind) {
  case describing_relay: return 4 * d->size / (pi * a);
  case describing_saturation: return d->size * saturated(r);
  case describing_deadzone: return d->size * (1 - saturated(r));
  case describing_hysteresis: return r > 1 ? 0 : 4 * d->size / (pi * a) * (sqrt(1 - r * r) - I * r);
  case describing_backlash: return r > 1 ? 0 : d->size * ((1 - saturated(2 * r - 1)) / 2 - I * 4 * r / pi * (1 - r));
  case describing_steps: return steps(d->size, a);
  case describing_function: break;
  }
  return by_quadrature(d, a);
}

double describing_threshold(const Describing *d) {
  switch (d->kind) {
  case describing_saturation:
  case describing_deadzone:
  case describing_hysteresis:
  case describing_backlash: return d->width;
  case describing_steps: return d->size / 2;
  default: return 0;
  }
}

// ---- limit cycles

typedef struct CycleSearch {
  const Describing *d;
  LoopResponse *loop;
  void *self;
} CycleSearch;

// N(A) L(iw) - 1
static bool miss(const CycleSearch *x, double a, double w, Complex *out) {
  Complex l;
  if (!x->loop(x->self, w, &l)) return false;
  *out = describing_at(x->d, a) * l - 1;
  return isfinite(creal(*out)) && isfinite(cimag(*out));
}

// Newton's method in the logarithms of both.
static bool polish(const CycleSearch *x, double *a, double *w) {
  double u = log(*a), v = log(*w), least = INFINITY;
  Complex f, fu[2], fv[2];
  for (int round = 0; round < 60; round++) {
    static const double h = 1e-6;
    if (!miss(x, exp(u), exp(v), &f)) return false;
    if (cabs(f) < least) {
      least = cabs(f);
      *a = exp(u);
      *w = exp(v);
    }
    if (cabs(f) < 1e-14) break;
    if (!miss(x, exp(u + h), exp(v), &fu[0]) || !miss(x, exp(u - h), exp(v), &fu[1]) ||
        !miss(x, exp(u), exp(v + h), &fv[0]) || !miss(x, exp(u), exp(v - h), &fv[1]))
      return false;
    Complex du = (fu[0] - fu[1]) / (2 * h), dv = (fv[0] - fv[1]) / (2 * h);
    double det = creal(du) * cimag(dv) - cimag(du) * creal(dv);
    if (det == 0) return false;
    double su = (creal(f) * cimag(dv) - cimag(f) * creal(dv)) / det,
           sv = (creal(du) * cimag(f) - cimag(du) * creal(f)) / det;
    double size = fmax(fabs(su), fabs(sv)), part = size > 0.5 ? 0.5 / size : 1;
    u -= part * su;
    v -= part * sv;
    if (size < 1e-15) break;
  }
  return least < 1e-10;
}

static bool judge(const CycleSearch *x, LimitCycle *c) {
  double h = 1e-5, a = c->amplitude, w = c->frequency;
  Complex l, up, down, third;
  if (!x->loop(x->self, w, &l) || !x->loop(x->self, w * (1 + h), &up) || !x->loop(x->self, w * (1 - h), &down))
    return false;
  Complex slope = (up - down) / (2 * h * w) / I; // dL/ds
  Complex rise = (describing_at(x->d, a * (1 + h)) - describing_at(x->d, a * (1 - h))) / (2 * h * a);
  c->n = describing_at(x->d, a);
  c->stable = creal(-rise * l / (c->n * slope)) < 0;
  c->filter = x->loop(x->self, 3 * w, &third) ? cabs(third / l) : INFINITY;
  return true;
}

static void take(Arena *arena, const CycleSearch *x, double a, double w, double low, double high, LimitCycleList *out) {
  LimitCycle c = {.amplitude = a, .frequency = w};
  if (!polish(x, &c.amplitude, &c.frequency) || c.frequency < low || c.frequency > high) return;
  for (uint32_t i = 0; i < out->count; i++) {
    const LimitCycle *o = &out->items[i];
    if (fabs(o->amplitude / c.amplitude - 1) < 1e-6 && fabs(o->frequency / c.frequency - 1) < 1e-6) return;
  }
  if (judge(x, &c)) vec_push(arena, out, c);
}

// Do two pieces cross? The parts of each at which they do.
static bool cross(Complex a, Complex b, Complex c, Complex d, double *at, double *on) {
  Complex r = b - a, s = d - c, off = c - a;
  double det = creal(r) * cimag(s) - cimag(r) * creal(s);
  if (det == 0) return false;
  *at = (creal(off) * cimag(s) - cimag(off) * creal(s)) / det;
  *on = (creal(off) * cimag(r) - cimag(off) * creal(r)) / det;
  static const double slack = 1e-9; // a crossing in a corner belongs to one of both pieces at least
  return *at >= -slack && *at <= 1 + slack && *on >= -slack && *on <= 1 + slack;
}

bool describing_cycles(Arena *arena, const Describing *d, LoopResponse *loop, void *self, double low, double high,
                       LimitCycleList *out) {
  enum { points = 600, sizes = 600 };
  CycleSearch x = {d, loop, self};
  double w[points], a[sizes], least = INFINITY, most = 0, from = describing_threshold(d);
  Complex *r = arena_array(arena, points, sizeof *r), *n = arena_array(arena, sizes, sizeof *n);
  *out = (LimitCycleList){0};
  if (!r || !n) return false;
  for (int i = 0; i < points; i++) {
    w[i] = low * pow(high / low, (double)i / (points - 1));
    if (!loop(self, w[i], &r[i])) r[i] = NAN;
    r[i] = 1 / r[i];
    if (cabs(r[i]) > 0) least = fmin(least, cabs(r[i]));
    if (isfinite(cabs(r[i]))) most = fmax(most, cabs(r[i]));
  }
  // amplitudes from the threshold on, or where N takes the sizes of 1/L
  double first = from * (1 + 1e-9), last = from * 1e6;
  if (from == 0) {
    double unit = cabs(describing_at(d, 1)); // of a relay N falls as 1/A
    first = fmax(unit / most / 10, 1e-12);
    last = fmax(unit / least * 10, first * 10);
    if (d->kind == describing_function) {
      first = fmin(first, 1e-4);
      last = fmin(fmax(last, 1e4), 1e4);
    }
  }
  for (int k = 0; k < sizes; k++) {
    // denser just above the threshold
    double part = (double)k / (sizes - 1);
    a[k] =
        from > 0 ? from + (first - from) * pow((last - from) / (first - from), part) : first * pow(last / first, part);
    n[k] = describing_at(d, a[k]);
  }
  for (int i = 0; i + 1 < points; i++) {
    for (int k = 0; k + 1 < sizes; k++) {
      double at, on;
      if (!cross(r[i], r[i + 1], n[k], n[k + 1], &at, &on)) continue;
      take(arena, &x, a[k] * pow(a[k + 1] / a[k], on), w[i] * pow(w[i + 1] / w[i], at), low, high, out);
    }
  }
  return !arena_failed(arena);
}

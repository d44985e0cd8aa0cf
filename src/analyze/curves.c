// Frequency response curves (Bode, Nyquist): the choice of frequencies, phase unwrapping.
//
// Frequencies lie evenly on a logarithmic axis around all poles, zeros and crossings, and closer where a resonance is
// narrow or a dead time rotates the phasor; in a plane also where the direction of the curve changes. The phase is
// unwrapped along them; it starts next to -pi/2 for each integration.
#include "analyze/curves.h"

#include "analyze/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

enum {
  even_points = 481,
  plane_points = 1441,
  narrow_points = 41,
  most_points = 20000,
  time_points = 12,
  sparse_points = 200,
  most_samples = 20000 // that are drawn
};

typedef struct CurveWork {
  Arena *arena;
  const SolveModule *module;
  const Analysis *a;
  CurveTable *out;
} CurveWork;

static bool room(CurveWork *w, uint32_t columns, uint32_t count, const char *const *names) {
  w->out->columns = columns;
  w->out->count = count;
  for (uint32_t i = 0; i < columns; i++) {
    w->out->names[i] = names[i];
    w->out->column[i] = arena_array(w->arena, (size_t)count + 1, sizeof **w->out->column);
  }
  return !arena_failed(w->arena);
}

static int by_number(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Frequencies of the plane of s at which something happens.
static Complex plane_of(const Analysis *a, Complex v) {
  if (a->path.period == 0) return v;
  return v == 0 ? -1 / a->path.period : clog(v) / a->path.period;
}

static bool find_frequencies(CurveWork *w, bool plane, double **out, uint32_t *count) {
  const Analysis *a = w->a;
  uint32_t even = plane ? plane_points : even_points; // a plane shows corners
  uint32_t values = a->poles.count + (a->zeros_known ? a->zeros.count : 0), n = 0;
  double low = INFINITY, high = 0, delay = 0;
  VEC(double) list = {0};
  for (uint32_t i = 0; i < values; i++) {
    Complex v = plane_of(a, i < a->poles.count ? a->poles.values[i] : a->zeros.values[i - a->poles.count]);
    if (cabs(v) > 1e-12) low = fmin(low, cabs(v)), high = fmax(high, cabs(v));
  }
  for (uint32_t i = 0; i < a->margins.gain.count + a->margins.phase.count; i++) {
    bool gain = i < a->margins.gain.count;
    double f = (gain ? a->margins.gain.items[i] : a->margins.phase.items[i - a->margins.gain.count]).frequency;
    if (f > 0 && isfinite(f)) low = fmin(low, f), high = fmax(high, f);
  }
  for (uint32_t i = 0; i < a->path.delays; i++) delay += a->path.time[i];
  if (delay > 0) low = fmin(low, 1 / delay), high = fmax(high, 1 / delay);
  if (!isfinite(low)) low = high = 1;
  low /= 30;
  high *= 30;
  if (delay > 0) high = fmin(high, 60 / delay);
  if (a->path.period > 0) high = pi / a->path.period;
  if (!(low < high)) low = high / 1000;
  // it begins at rest where that is no pole
  for (int i = 0; plane && isfinite(a->still) && i < narrow_points; i++)
    vec_push(w->arena, &list, low * i / narrow_points);
  for (uint32_t i = 0; i < even; i++) {
    double f = low * pow(high / low, (double)i / (even - 1));
    vec_push(w->arena, &list, i + 1 == even ? high : f);
    double next = low * pow(high / low, (double)(i + 1) / (even - 1));
    // a dead time changes the phase by less than a radian from point to point
    uint32_t more = delay > 0 ? (uint32_t)fmin((next - f) * delay, 50) : 0;
    for (uint32_t k = 1; k <= more && i + 1 < even; k++) vec_push(w->arena, &list, f + (next - f) * k / (more + 1));
  }
  for (uint32_t i = 0; i < values; i++) {
    Complex v = plane_of(a, i < a->poles.count ? a->poles.values[i] : a->zeros.values[i - a->poles.count]);
    double at = fabs(cimag(v)), width = fabs(creal(v));
    if (!(at > low && at < high) || width > 0.05 * at) continue;
    for (int k = -narrow_points; k <= narrow_points; k++) {
      double f = at + fmax(width, 1e-9 * at) * sinh(0.2 * k);
      if (f > low && f < high) vec_push(w->arena, &list, f);
    }
  }
  if (arena_failed(w->arena)) return false;
  qsort(list.items, list.count, sizeof *list.items, by_number);
  for (uint32_t i = 0; i < list.count; i++) {
    if (n == 0 || list.items[i] > list.items[n - 1]) list.items[n++] = list.items[i];
  }
  *out = list.items;
  *count = n;
  return true;
}

// ---- a plane shows corners

typedef struct PlaneCurve {
  VEC(double) f;
  VEC(Complex) g;
} PlaneCurve;

// Does the direction of the curve change at b by more than the eye takes for smooth, in a segment that is seen? Far
// outside nothing is.
static bool is_corner(Complex a, Complex b, Complex c, double size) {
  static const double smooth = 0.1, shortest = 2e-3; // radians; of the size of the picture
  double first = cabs(b - a), second = cabs(c - b);
  if (!isfinite(first) || !isfinite(second) || !(fmin(first, second) > 0)) return false;
  if (!(fmax(first, second) > shortest * size) || cabs(b) > 4 * size) return false;
  return fabs(carg((c - b) / (b - a))) > smooth;
}

// More frequencies beside every corner, until there is none.
static bool refine(CurveWork *w, Response *r, PlaneCurve *p) {
  enum { rounds = 12 };
  for (int round = 0; round < rounds && p->f.count < most_points; round++) {
    double size = 0;
    for (uint32_t i = 0; i < p->g.count; i++) {
      if (isfinite(cabs(p->g.items[i]))) size = fmax(size, cabs(p->g.items[i]));
    }
    if (size > 8) size = 3; // what grows without bound is shown near -1
    PlaneCurve next = {0};
    bool before = false, any = false;
    for (uint32_t i = 0; i < p->f.count; i++) {
      bool corner = i > 0 && i + 1 < p->f.count && is_corner(p->g.items[i - 1], p->g.items[i], p->g.items[i + 1], size);
      double from = i ? p->f.items[i - 1] : 0, to = p->f.items[i], middle = from + (to - from) / 2;
      if (i && (corner || before) && middle > from && middle < to) {
        vec_push(w->arena, &next.f, middle);
        vec_push(w->arena, &next.g, response_frequency(r, middle));
        any = true;
      }
      vec_push(w->arena, &next.f, to);
      vec_push(w->arena, &next.g, p->g.items[i]);
      before = corner;
    }
    if (arena_failed(w->arena)) return false;
    *p = next;
    if (!any) return true;
  }
  return true;
}

static double decibel(double x) { return 20 * log10(x); }

static DenseStatus frequency_curve(CurveWork *w, AnalysisCurve kind) {
  static const char *const bode[] = {"w", "magnitude", "decibel", "phase"}, *const nyquist[] = {"w", "re", "im"},
                           *const nichols[] = {"w", "phase", "decibel"};
  double *f, turn = 0, before = 0;
  uint32_t count;
  Response r;
  DenseStatus status = response_open(&r, w->arena, w->module, &w->a->path);
  if (status != dense_done) return status;
  if (!find_frequencies(w, kind == curve_nyquist, &f, &count)) return dense_no_memory;
  PlaneCurve plane = {0};
  for (uint32_t i = 0; i < count; i++) {
    vec_push(w->arena, &plane.f, f[i]);
    vec_push(w->arena, &plane.g, response_frequency(&r, f[i]));
  }
  if (arena_failed(w->arena) || (kind == curve_nyquist && !refine(w, &r, &plane))) return dense_no_memory;
  f = plane.f.items;
  count = plane.f.count;
  if (!room(w, kind == curve_bode ? 4 : 3, count,
            kind == curve_bode      ? bode
            : kind == curve_nyquist ? nyquist
                                    : nichols))
    return dense_no_memory;
  for (uint32_t i = 0; i < count; i++) {
    Complex g = plane.g.items[i];
    double **c = w->out->column, angle = carg(g);
    if (i == 0) turn = 2 * pi * nearbyint((-pi / 2 * w->a->rest.order - angle) / (2 * pi));
    else if (isfinite(angle)) turn -= 2 * pi * nearbyint((angle + turn - before) / (2 * pi));
    if (isfinite(angle)) before = angle + turn;
    c[0][i] = f[i];
    if (kind == curve_nyquist) {
      c[1][i] = creal(g);
      c[2][i] = cimag(g);
    } else {
      c[1][i] = kind == curve_bode ? cabs(g) : before;
      c[2][i] = decibel(cabs(g));
      if (kind == curve_bode) c[3][i] = before;
    }
  }
  return dense_done;
}

static DenseStatus time_curve(CurveWork *w, AnalysisCurve kind) {
  static const char *const names[] = {"t", "y"};
  const Analysis *a = w->a;
  TimeResponse own;
  const TimeResponse *r = &a->step;
  if (kind != curve_step) {
    DenseStatus status =
        figures_response(w->arena, w->module, a, kind == curve_impulse ? stimulus_impulse : stimulus_ramp, &own);
    if (status != dense_done) return status;
    r = &own;
  }
  uint32_t each = r->pieces.count > 1000 ? 2 : time_points,
           count = r->samples ? r->samples < most_samples ? r->samples : most_samples : r->pieces.count * (each + 1);
  if (!room(w, 2, count, names)) return dense_no_memory;
  for (uint32_t i = 0; i < count; i++) {
    double t = r->samples ? i * r->period : 0;
    if (!r->samples) {
      const ResponsePiece *p = &r->pieces.items[i / (each + 1)];
      // both ends of a piece, which may jump
      double part = (double)(i % (each + 1)) / each;
      TimeResponse one = *r;
      one.pieces.items = (ResponsePiece *)p;
      one.pieces.count = 1;
      t = p->t0 + part * p->h;
      w->out->column[1][i] = time_response_at(&one, t);
    } else {
      w->out->column[1][i] = r->sample[i];
    }
    w->out->column[0][i] = t;
  }
  return dense_done;
}

static DenseStatus pole_curve(CurveWork *w) {
  static const char *const names[] = {"re", "im", "zero"};
  const Analysis *a = w->a;
  uint32_t zeros = a->zeros_known ? a->zeros.count : 0, count = a->poles.count + zeros;
  if (!room(w, 3, count, names)) return dense_no_memory;
  for (uint32_t i = 0; i < count; i++) {
    Complex v = i < a->poles.count ? a->poles.values[i] : a->zeros.values[i - a->poles.count];
    w->out->column[0][i] = creal(v);
    w->out->column[1][i] = cimag(v);
    w->out->column[2][i] = i >= a->poles.count;
  }
  return dense_done;
}

static DenseStatus locus_curve(CurveWork *w, const Locus *l) {
  const char *names[curve_columns_most] = {"k"};
  uint32_t branches = l && l->n < 64 ? l->n : 0;
  if (!branches) return dense_failed;
  for (uint32_t i = 0; i < branches; i++) {
    names[2 * i + 1] = arena_printf(w->arena, "re%u", i + 1);
    names[2 * i + 2] = arena_printf(w->arena, "im%u", i + 1);
  }
  if (!room(w, 2 * branches + 1, l->points.count, names)) return dense_no_memory;
  for (uint32_t k = 0; k < l->points.count; k++) {
    w->out->column[0][k] = l->points.items[k].k;
    for (uint32_t i = 0; i < branches; i++) {
      w->out->column[2 * i + 1][k] = creal(l->points.items[k].s[i]);
      w->out->column[2 * i + 2][k] = cimag(l->points.items[k].s[i]);
    }
  }
  return dense_done;
}

// Of a large path: evenly over the frequencies of its poles.
static DenseStatus sparse_curve(CurveWork *w, AnalysisCurve kind) {
  static const char *const names[3][4] = {
      {"w", "magnitude", "decibel", "phase"}, {"w", "re", "im"}, {"w", "phase", "decibel"}};
  const SparseFigures *f = w->a->sparse;
  double turn = 0, before = 0;
  if (kind > curve_nichols) return dense_failed;
  SparseResponse *r = sparse_response_open(w->arena, w->module, &f->path);
  bool ok = r && room(w, kind == curve_bode ? 4 : 3, sparse_points, names[kind]);
  for (uint32_t i = 0; ok && i < sparse_points; i++) {
    double at = 0.1 * f->from * pow(20 * f->to / f->from, (double)i / (sparse_points - 1)), **c = w->out->column;
    Complex g = NAN;
    sparse_response_at(r, I * at, &g);
    double angle = carg(g);
    if (i && isfinite(angle)) turn -= 2 * pi * nearbyint((angle + turn - before) / (2 * pi));
    if (isfinite(angle)) before = angle + turn;
    c[0][i] = at;
    c[1][i] = kind == curve_bode ? cabs(g) : kind == curve_nyquist ? creal(g) : before;
    c[2][i] = kind == curve_nyquist ? cimag(g) : decibel(cabs(g));
    if (kind == curve_bode) c[3][i] = before;
  }
  sparse_response_close(r);
  return ok ? dense_done : dense_no_memory;
}

DenseStatus curve_table(Arena *arena, const SolveModule *module, const Analysis *a, AnalysisCurve kind,
                        const Locus *locus, CurveTable *out) {
  CurveWork work = {.arena = arena, .module = module, .a = a, .out = out}, *w = &work;
  memset(out, 0, sizeof *out);
  if (a->sparse) return sparse_curve(w, kind);
  switch (kind) {
  case curve_bode:
  case curve_nyquist:
  case curve_nichols: return frequency_curve(w, kind);
  case curve_step:
  case curve_impulse:
  case curve_ramp: return time_curve(w, kind);
  case curve_poles: return pole_curve(w);
  case curve_locus: return locus_curve(w, locus);
  case curve_circle:
  case curve_popov:
  case curve_describing:
  case curve_kinds: break;
  }
  return dense_failed;
}

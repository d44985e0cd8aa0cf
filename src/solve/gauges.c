// Gauges of a run: extrema, means, integrals and durations of signals from their dense output.
//
// in    numbers v_i and guards g_i at any part of a step
// out   max, min, mean, sd, integral, time of the numbers, to the accuracy of the continuous extension
//
// how   A polynomial through the values at nine Chebyshev points. The coefficients that are missing are guessed from
//       the last four, c_9 ~ (c_8 + c_7)^2/(c_6 + c_5); where they are not small, the piece is halved.
//       integral   h (c_0 + sum over even k of c_k/(1 - k^2)): Clenshaw and Curtis
//       sd         mean and sum of squares of a piece (by Gauss, exact for the square of the polynomial), joined with
//                  those of the pieces before (Chan, Golub, LeVeque), so that nothing cancels
//       max, min   a piece that cannot come beyond the best one so far, by |p - c_0| <= sum |c_k|, is done with; else
//                  points where the derivative changes its sign are found, and the number is evaluated there
//       guards     zeros of their polynomials, each then bracketed by evaluations to the last digits of time. The step
//                  is cut there, and a piece ends on its own side of the corner.
//
// Notation: a piece is a .. b of the step; part: a point on it, as a fraction of the whole step.
#include "solve/gauges.h"

#include <float.h>
#include <string.h>

enum {
  deepest = 30,       // halvings where a polynomial does not fit: 1e-9 of the step
  guard_depth = 6,    // halvings in which zeros of guards are looked for
  most_pieces = 2000, // of one step
  grid = 32,          // points on a piece: four for each of the at most 7 extrema
  most_cuts = 64,     // of one step
  most_brent = 100,
  gauss_points = 9 // exact for the square of a polynomial of degree 8
};

typedef struct Cut {
  double lo, hi; // the corner lies between
} Cut;

typedef struct Gauges {
  const GaugePlan *p;
  GaugeRun *run;
  const GaugeStep *step;
  uint32_t width;
  double *levels; // nine rows for each depth
  double *here;   // one row
  bool *todo;     // by depth and gauge
  Cut cuts[most_cuts];
  uint32_t cut_count;
  uint32_t pieces;
  bool crowded; // more corners than cuts
} Gauges;

size_t gauge_room(const GaugePlan *p) {
  size_t flags = ((size_t)(deepest + 2) * p->count + sizeof(double) - 1) / sizeof(double);
  return ((size_t)(deepest + 2) * poly_points + 1) * gauge_width(p) + flags + 1;
}

bool gauge_follows(const GaugePlan *p) {
  for (uint32_t i = 0; i < p->count; i++) {
    if (p->kinds[i] != measure_final) return true;
  }
  return false;
}

static double time_of(const Gauges *x, double part) { return x->step->t0 + part * (x->step->t1 - x->step->t0); }

static double *level(const Gauges *x, int depth) { return x->levels + (size_t)depth * poly_points * x->width; }

// All numbers at the nine points of a piece.
static const double *sample(Gauges *x, double a, double b, int depth) {
  double *rows = level(x, depth);
  for (int j = 0; j < poly_points; j++)
    x->step->at(x->step->self, j == poly_degree ? b : a + (b - a) * x->p->node[j], rows + (size_t)j * x->width);
  return rows;
}

static Poly fit(const Gauges *x, const double *rows, uint32_t i) { return poly_fit(rows + i, x->width, x->p->cosine); }

// How large the coefficients behind the last one may be.
static double tail_of(const Poly *p) {
  double last = fabs(p->c[8]) + fabs(p->c[7]), before = fabs(p->c[6]) + fabs(p->c[5]);
  return before > last ? last * last / before : last;
}

static double reach_of(const Poly *p) {
  double reach = 0;
  for (int k = 1; k < poly_points; k++) reach += fabs(p->c[k]);
  return reach;
}

// ---- guards

static double guard_at(Gauges *x, uint32_t i, double target, double part) {
  x->step->at(x->step->self, part, x->here);
  return x->here[x->p->numbers + i] - target;
}

static void add_cut(Gauges *x, double lo, double hi) {
  if (x->cut_count == most_cuts) {
    x->crowded = true;
    return;
  }
  uint32_t at = x->cut_count++;
  for (; at > 0 && x->cuts[at - 1].lo > lo; at--) x->cuts[at] = x->cuts[at - 1];
  x->cuts[at] = (Cut){lo, hi};
}

// A sign that changes between a and b, by evaluations, to the last digits of time (Brent's method: the last bracket
// is as narrow as its tolerance).
static void bracket(Gauges *x, uint32_t i, double target, double a, double b) {
  double fa = guard_at(x, i, target, a), fb = guard_at(x, i, target, b);
  if (!(fa * fb <= 0) || (fa == 0 && fb == 0)) return; // the polynomial saw what is not there
  const double least = fmax(DBL_EPSILON, 2 * DBL_EPSILON * fabs(x->step->t1) / (x->step->t1 - x->step->t0));
  double c = a, fc = fa, d = b - a, e = d;
  for (int k = 0; k < most_brent; k++) {
    if ((fb > 0) == (fc > 0)) {
      c = a;
      fc = fa;
      d = e = b - a;
    }
    if (fabs(fc) < fabs(fb)) {
      a = b, b = c, c = a;
      fa = fb, fb = fc, fc = fa;
    }
    double tol = least, half = 0.5 * (c - b);
    if (fabs(half) <= tol || fb == 0) break;
    if (fabs(e) >= tol && fabs(fa) > fabs(fb)) {
      double s = fb / fa, p, q;
      if (a == c) {
        p = 2 * half * s;
        q = 1 - s;
      } else {
        double r = fb / fc, u = fa / fc;
        p = s * (2 * half * u * (u - r) - (b - a) * (r - 1));
        q = (u - 1) * (r - 1) * (s - 1);
      }
      if (p > 0) q = -q;
      else p = -p;
      if (2 * p < fmin(3 * half * q - fabs(tol * q), fabs(e * q))) {
        e = d;
        d = p / q;
      } else {
        d = e = half;
      }
    } else {
      d = e = half;
    }
    a = b;
    fa = fb;
    b += fabs(d) > tol ? d : half > 0 ? tol : -tol;
    fb = guard_at(x, i, target, b);
  }
  if (fb == 0) c = b; // exactly there: the bracket is widened by `least` below
  double lo = fmin(b, c), hi = fmax(b, c);
  if (lo == hi) {
    lo = fmax(0, lo - least);
    hi = fmin(1, hi + least);
  }
  add_cut(x, lo, hi);
}

// Zeros of the polynomial of a guard less a target on the piece.
static void find_zeros(Gauges *x, uint32_t i, const Poly *p, double target, double a, double b) {
  double before = 0, old = poly_value(p, 0) - target;
  for (int k = 1; k <= grid; k++) {
    double s = (double)k / grid, now = poly_value(p, s) - target;
    if ((old < 0) != (now < 0)) {
      bracket(x, i, target, a + (b - a) * before, k == grid ? b : a + (b - a) * s);
    } else if (poly_slope(p, before) * old < 0 && poly_slope(p, s) * now > 0) { // it comes nearer and goes back
      double top = poly_extremum(p, before, s, old > 0 ? 1 : -1);
      if ((poly_value(p, top) - target < 0) != (old < 0)) {
        bracket(x, i, target, a + (b - a) * before, a + (b - a) * top);
        bracket(x, i, target, a + (b - a) * top, k == grid ? b : a + (b - a) * s);
      }
    }
    before = s;
    old = now;
  }
}

static void find_cuts(Gauges *x, uint32_t i, double a, double b, const double *rows, int depth) {
  Poly p = fit(x, rows, x->p->numbers + i);
  double reach = reach_of(&p), tail = tail_of(&p), far = reach + tail;
  if (!isfinite(p.size) || x->crowded) return;
  double low = p.c[0] - far, high = p.c[0] + far;
  bool may = x->p->whole[i] ? floor(high) >= ceil(low) : low <= 0 && high >= 0;
  if (!may) return;
  if (tail > 1e-7 * p.size && depth < guard_depth) {
    double mid = 0.5 * (a + b);
    find_cuts(x, i, a, mid, sample(x, a, mid, depth + 1), depth + 1);
    find_cuts(x, i, mid, b, sample(x, mid, b, depth + 1), depth + 1);
    return;
  }
  if (!x->p->whole[i]) {
    find_zeros(x, i, &p, 0, a, b);
    return;
  }
  if (high - low > most_cuts) {
    x->crowded = true;
    return;
  }
  for (double k = ceil(low); k <= floor(high); k++) find_zeros(x, i, &p, k, a, b);
}

// ---- one gauge on one piece

// Adds to a sum without losing what is small (Neumaier).
static void add(GaugeState *s, double value) {
  double sum = s->sum + value;
  s->lost += fabs(s->sum) >= fabs(value) ? s->sum - sum + value : value - sum + s->sum;
  s->sum = sum;
}

static double mean_of(const Poly *p) {
  double mean = p->c[0];
  for (int k = 2; k < poly_points; k += 2) mean += p->c[k] / (1 - (double)k * k);
  return mean;
}

// The mean of (p - mean)^2.
static double variance_of(const Poly *p, double mean) {
  static const double place[gauss_points] = {
      0.015919880246186955, 0.08198444633668212, 0.19331428364970482, 0.33787328829809554, 0.5,
      0.66212671170190446,  0.80668571635029518, 0.91801555366331788, 0.98408011975381304};
  static const double weight[gauss_points] = {0.04063719418078721, 0.09032408034742863, 0.13030534820146775,
                                              0.15617353852000143, 0.16511967750062989, 0.15617353852000143,
                                              0.13030534820146775, 0.09032408034742863, 0.04063719418078721};
  double sum = 0;
  for (int j = 0; j < gauss_points; j++) {
    double d = poly_value(p, place[j]) - mean;
    sum += weight[j] * d * d;
  }
  return sum;
}

static void join(GaugeState *s, double width, double mean, double variance) {
  double whole = s->width + width, apart = mean - s->mean;
  if (!(whole > 0)) return;
  s->square += width * variance + apart * apart * s->width * (width / whole);
  s->mean += apart * (width / whole);
  s->width = whole;
}

static void see(GaugeState *s, double sign, double value) {
  if (!(sign * value > sign * s->best)) return;
  s->best = value;
}

static double number_at(Gauges *x, uint32_t number, double part) {
  x->step->at(x->step->self, part, x->here);
  return x->here[number];
}

// The extremum on a piece. False: its halves are to be looked at.
static bool take_extremum(Gauges *x, uint32_t i, const Poly *p, const double *rows, double a, double b, bool last) {
  GaugeState *s = &x->run->states[i];
  uint32_t of = x->p->of[i];
  double sign = x->p->kinds[i] == measure_max ? 1 : -1;
  for (int j = 0; j < poly_points; j++) see(s, sign, rows[(size_t)j * x->width + of]);
  double tail = tail_of(p), top = sign * p->c[0] + reach_of(p) + tail;
  if (!(top > sign * s->best)) return true;
  if (!last && tail > 1e-10 * p->size) return false;
  // a derivative that keeps its sign: the extrema are at the ends
  double slope[poly_points + 2] = {0}, others = 0;
  for (int k = poly_degree; k > 0; k--) slope[k - 1] = slope[k + 1] + 2 * k * p->c[k];
  for (int k = 1; k < poly_points; k++) others += fabs(slope[k]);
  if (0.5 * fabs(slope[0]) > others) return true;
  double before = 0, old = poly_slope(p, 0);
  for (int k = 1; k <= grid; k++) {
    double at = (double)k / grid, now = poly_slope(p, at);
    if (sign * old > 0 && sign * now <= 0) {
      double part = a + (b - a) * poly_extremum(p, before, at, -sign);
      see(s, sign, number_at(x, of, part));
    }
    before = at;
    old = now;
  }
  return true;
}

// width: of the piece, in time. False: its halves are to be looked at.
static bool take_piece(Gauges *x, uint32_t i, const double *rows, double a, double b, double width, bool last) {
  GaugeState *s = &x->run->states[i];
  MeasureKind kind = x->p->kinds[i];
  if (kind == measure_final || s->has_none) return true;
  Poly p = fit(x, rows, x->p->of[i]);
  if (!isfinite(p.size)) {
    if (!last) return false; // where it begins to have none
    s->has_none = true;
    s->undefined = time_of(x, a);
    return true;
  }
  s->scale = fmax(s->scale, p.size);
  if (kind == measure_max || kind == measure_min) return take_extremum(x, i, &p, rows, a, b, last);
  // of the tail an integral has a fiftieth at most
  const double part = 0.1 * fmax(x->p->rtol, 1e-14);
  if (!last && 0.02 * tail_of(&p) > part * s->scale) return false;
  double mean = mean_of(&p);
  if (kind == measure_sd) join(s, width, mean, variance_of(&p, mean));
  else add(s, width * mean);
  return true;
}

// All gauges of the list on a piece, and on its halves where one asks for them.
static void take_all(Gauges *x, double a, double b, double width, const double *rows, const bool *todo, int depth) {
  bool *again = x->todo + (size_t)(depth + 1) * x->p->count, some = false;
  bool last = depth >= deepest || ++x->pieces > most_pieces;
  for (uint32_t i = 0; i < x->p->count; i++) {
    again[i] = todo[i] && !take_piece(x, i, rows, a, b, width, last);
    some = some || again[i];
  }
  if (!some) return;
  double mid = 0.5 * (a + b);
  take_all(x, a, mid, 0.5 * width, sample(x, a, mid, depth + 1), again, depth + 1);
  take_all(x, mid, b, 0.5 * width, sample(x, mid, b, depth + 1), again, depth + 1);
}

// ---- a step

// Between corners, each piece on its own side of them.
static void take_pieces(Gauges *x, const bool *todo) {
  double span = x->step->t1 - x->step->t0, a = 0, from = 0;
  for (uint32_t k = 0; k <= x->cut_count; k++) {
    bool end = k == x->cut_count;
    double b = end ? 1 : x->cuts[k].lo, to = end ? 1 : 0.5 * (x->cuts[k].lo + x->cuts[k].hi);
    if (b > a) take_all(x, a, b, (to - from) * span, sample(x, a, b, 0), todo, 0);
    if (end || x->cuts[k].hi <= a) continue;
    a = x->cuts[k].hi;
    from = to;
  }
}

static void look(Gauges *x) {
  bool *todo = x->todo;
  const double *rows = x->step->nodes;
  for (uint32_t i = 0; i < x->p->count; i++) todo[i] = true;
  if (!rows) rows = sample(x, 0, 1, 0);
  memcpy(x->run->last, rows + (size_t)poly_degree * x->width, x->width * sizeof *rows);
  for (uint32_t i = 0; i < x->p->guards; i++) find_cuts(x, i, 0, 1, rows, 0);
  if (x->crowded) x->cut_count = 0; // halves find what they can
  if (x->cut_count == 0) take_all(x, 0, 1, x->step->t1 - x->step->t0, rows, todo, 0);
  else take_pieces(x, todo);
}

// Time that no step covers, across a singular configuration that was leapt over: straight from end to end.
typedef struct Gap {
  const double *left, *right;
  uint32_t width;
} Gap;

static void gap_at(void *self, double part, double *out) {
  const Gap *g = self;
  for (uint32_t i = 0; i < g->width; i++) out[i] = g->left[i] + part * (g->right[i] - g->left[i]);
}

static Gauges begin(const GaugePlan *p, GaugeRun *run, double *room, const GaugeStep *step) {
  Gauges x = {.p = p, .run = run, .step = step, .width = gauge_width(p), .levels = room};
  x.here = room + (size_t)(deepest + 2) * poly_points * x.width;
  x.todo = (bool *)(x.here + x.width);
  return x;
}

static void start(const GaugePlan *p, GaugeRun *run, double t) {
  if (run->clock->begun) return;
  run->clock->begun = true;
  run->clock->from = run->clock->to = t;
  for (uint32_t i = 0; i < p->count; i++)
    run->states[i] = (GaugeState){.best = p->kinds[i] == measure_max ? -INFINITY : INFINITY};
}

static void fill_gap(const GaugePlan *p, GaugeRun *run, double *room, const GaugeStep *step) {
  Gauges x = begin(p, run, room, NULL);
  double *right = level(&x, deepest + 1), *left = right + x.width;
  step->at(step->self, 0, right);
  memcpy(left, run->last, x.width * sizeof *left);
  Gap gap = {left, right, x.width};
  GaugeStep over = {.t0 = run->clock->to, .t1 = step->t0, .self = &gap, .at = gap_at};
  x.step = &over;
  look(&x);
}

void gauge_step(const GaugePlan *p, GaugeRun *run, double *room, const GaugeStep *step) {
  if (!(step->t1 > step->t0)) return;
  start(p, run, step->t0);
  if (step->t0 - run->clock->to > 1e-12 * fmax(fabs(step->t0), step->t1 - run->clock->from))
    fill_gap(p, run, room, step);
  Gauges x = begin(p, run, room, step);
  look(&x);
  run->clock->to = step->t1;
}

void gauge_end(const GaugePlan *p, GaugeRun *run, double t, const double *numbers, double *out) {
  start(p, run, t);
  double span = run->clock->to - run->clock->from;
  for (uint32_t i = 0; i < p->count; i++) {
    GaugeState *s = &run->states[i];
    double value = numbers[p->of[i]], sum = s->sum + s->lost;
    if (!isfinite(value) && !s->has_none) {
      s->has_none = true;
      s->undefined = t;
    }
    switch (p->kinds[i]) {
    case measure_max: see(s, 1, value), out[i] = s->best; break;
    case measure_min: see(s, -1, value), out[i] = s->best; break;
    case measure_mean: out[i] = span > 0 ? sum / span : value; break;
    case measure_sd: out[i] = s->width > 0 ? sqrt(s->square / s->width) : 0; break;
    case measure_final: out[i] = value; break;
    case measure_integral:
    case measure_time:
    case measure_kind_count: out[i] = sum; break;
    }
    if (s->has_none) out[i] = NAN;
  }
}

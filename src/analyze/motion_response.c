// Step, impulse and ramp responses by the matrix exponential.
//
// Without delays  X = (x, u, v),  X' = [A, B, 0; 0, 0, 1; 0, 0, 0] X  is followed exactly by e^(M h): steps (0, 1, 0),
// ramps (0, 0, 1), impulses (B, 0, 0). Steps double while the fast modes die out, and are short against the modes
// that are alive, so that a polynomial through nine Chebyshev points of each has the rest of the digits.
//
// With delays: delayed_response.h.
#include "analyze/motion_response.h"

#include "analyze/delayed_response.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

enum {
  fine_pieces = 20000,   // with steps that leave all digits
  most_pieces = 500000,  // with steps up to four times as long, which leave eight of them
  most_samples = 2000000 // of a sampled path
};

// ---- how long, and how fine

// Of a pole, or of a pair: how long its mode takes to die out, or none. Lags one behind the other take as long as all
// of them together.
static double time_constant(Complex v, double lasting) {
  return cimag(v) >= 0 && creal(v) < -lasting * cabs(v) ? 1 / -creal(v) : 0;
}

// Until the slowest of what dies out has done so, and all others after it; ten periods of what oscillates on; six time
// constants of what grows. In a picture a damping ratio below 1e-3 oscillates on.
double response_horizon(const LinearSystem *s, const Complex *poles, uint32_t count, bool picture) {
  double end = 0, most = 0, delay = 0, all = 0, slowest = 0, lasting = picture ? 1e-3 : 1e-12;
  for (uint32_t k = 0; k < s->delays; k++) delay = fmax(delay, s->time[k]);
  for (uint32_t i = 0; i < count; i++) {
    Complex v = s->period > 0 ? (poles[i] == 0 ? -1 / s->period : clog(poles[i]) / s->period) : poles[i];
    double re = creal(v), size = cabs(v), need;
    most = fmax(most, size);
    all += time_constant(v, lasting);
    slowest = fmax(slowest, time_constant(v, lasting));
    if (size == 0) need = 0;
    else if (re > 1e-9 * size) need = 6 / re;
    else if (re > -lasting * size) need = 10 * 2 * pi / fmax(fabs(cimag(v)), 1e-3 * size);
    else need = 9 / -re;
    end = re > 1e-9 * size ? (end == 0 ? need : fmin(end, need)) : fmax(end, need);
  }
  end += 2 * (all - slowest);
  for (uint32_t i = 0; i < count; i++) { // what grows is over soon
    Complex v = s->period > 0 ? (poles[i] == 0 ? -1 / s->period : clog(poles[i]) / s->period) : poles[i];
    if (creal(v) > 1e-9 * cabs(v)) end = fmin(end, 6 / creal(v));
  }
  if (end == 0) end = most > 0 ? 10 / most : 1;
  return end + 4 * delay;
}

// A step after time t: short against every mode that is not gone by then.
static double choose_step(const Complex *poles, uint32_t count, double t, double end) {
  double rate = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (-creal(poles[i]) * t < 36) rate = fmax(rate, cabs(poles[i]));
  }
  double h = rate > 0 ? 0.5 / rate : end / 20;
  return fmax(fmin(h, end / 20), fmin(4 * h, end / fine_pieces));
}

// ---- without delays

static bool put_exact(Arena *arena, const double *flow, uint32_t size, const double *c, double *x, double *room,
                      ResponsePiece *p) {
  // flow: e^(M node[k] h), one behind the other
  for (int k = 0; k < response_points; k++) {
    dense_multiply(size, size, 1, flow + (size_t)k * size * size, x, room);
    p->y[k] = 0;
    for (uint32_t i = 0; i < size; i++) p->y[k] += c[i] * room[i];
  }
  memcpy(x, room, size * sizeof *x);
  return !arena_failed(arena);
}

static DenseStatus respond_exactly(Arena *arena, const LinearSystem *s, Stimulus stimulus, const Complex *poles,
                                   uint32_t count, TimeResponse *out) {
  size_t n = s->n, size = n + 2, cells = size * size;
  double *m = arena_array(arena, cells * (response_points + 1) + 3 * size, sizeof *m);
  if (!m) return dense_no_memory;
  double *flow = m + cells, *x = flow + cells * response_points, *c = x + size, *room = c + size, last = 0;
  for (size_t i = 0; i < n; i++) {
    memcpy(m + i * size, s->A + i * n, n * sizeof *m);
    m[i * size + n] = s->B[i];
    if (stimulus == stimulus_impulse) x[i] = s->B[i];
  }
  m[n * size + n + 1] = 1;
  if (stimulus == stimulus_step) x[n] = 1;
  if (stimulus == stimulus_ramp) x[n + 1] = 1;
  memcpy(c, s->C, n * sizeof *c);
  c[n] = s->D[0];
  for (double t = 0; t < out->end * (1 - 1e-12);) {
    double h = choose_step(poles, count, t, out->end);
    if (last > 0 && h < 1.5 * last) h = last; // one matrix for many steps
    if (t + h > out->end) h = out->end - t;
    Arena *scratch = h == last ? NULL : arena_new_scratch(arena);
    if (h != last && !scratch) return dense_no_memory;
    for (int k = 0; scratch && k < response_points; k++) {
      ArenaMark mark = arena_mark(scratch);
      bool ok = dense_exponential(scratch, (uint32_t)size, m, h * out->node[k], flow + (size_t)k * cells);
      arena_release(scratch, mark);
      if (!ok) return arena_failed(arena) ? dense_no_memory : dense_failed;
    }
    arena_free_scratch(scratch);
    last = h;
    ResponsePiece p = {.t0 = t, .h = h};
    if (!put_exact(arena, flow, (uint32_t)size, c, x, room, &p) || !vec_push(arena, &out->pieces, p))
      return dense_no_memory;
    t += h;
    if (out->pieces.count < most_pieces || !(t < out->end * (1 - 1e-12))) continue;
    out->cut = true;
    out->end = t;
  }
  return dense_done;
}

// ---- samples

static DenseStatus respond_sampled(Arena *arena, const LinearSystem *s, Stimulus stimulus, TimeResponse *out) {
  size_t n = s->n;
  double samples = fmin(ceil(out->end / s->period) + 1, most_samples);
  out->cut = samples < ceil(out->end / s->period) + 1;
  double *x = arena_array(arena, 2 * n + 2, sizeof *x), *next = x + n + 1;
  out->samples = (uint32_t)samples;
  out->period = s->period;
  out->sample = arena_array(arena, (size_t)out->samples + 1, sizeof *out->sample);
  if (!x || !out->sample) return dense_no_memory;
  for (uint32_t k = 0; k < out->samples; k++) {
    double u = stimulus == stimulus_step ? 1 : stimulus == stimulus_ramp ? k * s->period : k == 0 ? 1 / s->period : 0;
    double y = s->D[0] * u;
    for (size_t i = 0; i < n; i++) y += s->C[i] * x[i];
    out->sample[k] = y;
    dense_multiply(s->n, s->n, 1, s->A, x, next);
    for (size_t i = 0; i < n; i++) x[i] = next[i] + s->B[i] * u;
  }
  out->end = (out->samples - 1) * s->period;
  return dense_done;
}

DenseStatus time_response(Arena *arena, const SolveModule *module, const LinearSystem *path, Stimulus stimulus,
                          const Complex *poles, uint32_t count, double end, TimeResponse *out) {
  (void)module;
  *out = (TimeResponse){.end = end > 0 ? end : response_horizon(path, poles, count, true)};
  for (int k = 0; k < response_points; k++) out->node[k] = (1 - cos(pi * k / (response_points - 1))) / 2;
  pieces_weights(out);
  if (path->period > 0) return respond_sampled(arena, path, stimulus, out);
  if (path->delays) return delayed_response(arena, path, stimulus, out);
  return respond_exactly(arena, path, stimulus, poles, count, out);
}

// ---- figures

typedef struct FigureSearch {
  const TimeResponse *r;
  double start, step; // y = start + step x
} FigureSearch;

// Pieces of monotone values: a fine grid of each piece.
enum { grid = 32 };

static double at_grid(const FigureSearch *f, uint32_t piece, int k) {
  return (piece_value(f->r, f->r->pieces.items[piece].y, (double)k / grid) - f->start) / f->step;
}

// The time between two parts of a piece at which x crosses a level.
static double cross_between(const FigureSearch *f, uint32_t piece, double a, double b, double level) {
  const ResponsePiece *p = &f->r->pieces.items[piece];
  bool below = (piece_value(f->r, p->y, a) - f->start) / f->step < level;
  for (int i = 0; i < 60; i++) {
    double c = (a + b) / 2;
    if (((piece_value(f->r, p->y, c) - f->start) / f->step < level) == below) a = c;
    else b = c;
  }
  return p->t0 + (a + b) / 2 * p->h;
}

// The same between a grid point and the one before.
static double cross(const FigureSearch *f, uint32_t piece, int k, double level) {
  return cross_between(f, piece, (double)(k - 1) / grid, (double)k / grid, level);
}

// An extreme near a grid point, by thirds.
static double extreme(const FigureSearch *f, uint32_t piece, int k, double sign, double *when) {
  const ResponsePiece *p = &f->r->pieces.items[piece];
  double a = fmax(k - 1, 0) / grid, b = fmin(k + 1, grid) / grid;
  for (int i = 0; i < 100; i++) {
    double c = a + (b - a) / 3, d = b - (b - a) / 3;
    if (sign * piece_value(f->r, p->y, c) < sign * piece_value(f->r, p->y, d)) a = c;
    else b = d;
  }
  *when = p->t0 + (a + b) / 2 * p->h;
  return piece_value(f->r, p->y, (a + b) / 2);
}

// Of an oscillation: the part of its amplitude that the grid may hide, (1 - cos(1/32)) rounded up.
static const double hidden = 1e-3;

// From when on it stays within 2 %: the last time at which it comes in. A period that hardly leaves may do so between
// two points of the grid. NAN: it has not settled.
static double settling_time(const FigureSearch *f) {
  const double band = 0.02;
  for (uint32_t i = f->r->pieces.count; i-- > 0;) {
    const ResponsePiece *p = &f->r->pieces.items[i];
    double after = -INFINITY, off = fabs(at_grid(f, i, grid) - 1);
    for (int k = grid; k >= 0; k--) {
      double x = at_grid(f, i, k), before = k ? fabs(at_grid(f, i, k - 1) - 1) : -INFINITY,
             level = x < 1 ? 1 - band : 1 + band;
      if (off > band && k == grid) return i + 1 < f->r->pieces.count ? p->t0 + p->h : NAN;
      if (off > band) return cross(f, i, k + 1, level);
      if (off >= before && off >= after && off > (1 - hidden) * band) {
        double when, y = extreme(f, i, k, (x > 1) == (f->step > 0) ? 1 : -1, &when);
        if (fabs((y - f->start) / f->step - 1) > band)
          return cross_between(f, i, (when - p->t0) / p->h, fmin(k + 1, grid) / grid, level);
      }
      after = off;
      off = before;
    }
  }
  return 0;
}

// The largest value where sign > 0, the smallest where sign < 0, as a part of the step. Many periods have nearly the
// same one: each grid point that may hide the largest is looked at.
static double largest(const FigureSearch *f, double sign, double on_grid, double slack, double *peak, double *when) {
  double best = -INFINITY;
  for (uint32_t i = 0; i < f->r->pieces.count; i++) {
    double before = -INFINITY, x = sign * at_grid(f, i, 0);
    for (int k = 0; k <= grid; k++) {
      double after = k < grid ? sign * at_grid(f, i, k + 1) : -INFINITY, at;
      if (x >= before && x >= after && x >= sign * on_grid - slack) {
        double y = extreme(f, i, k, f->step > 0 ? sign : -sign, &at), found = sign * (y - f->start) / f->step;
        if (found > best) best = found, *peak = y, *when = at;
      }
      before = x;
      x = after;
    }
  }
  return sign * best;
}

static void continuous_figures(const FigureSearch *f, StepFigures *out) {
  double low = NAN, high = NAN, top = -INFINITY, bottom = INFINITY, when, peak;
  double last = at_grid(f, 0, 0);
  out->settling = settling_time(f);
  for (uint32_t i = 0; i < f->r->pieces.count; i++) {
    for (int k = 0; k <= grid; k++) {
      double x = at_grid(f, i, k);
      if (isnan(low) && x >= 0.1) low = k && last < 0.1 ? cross(f, i, k, 0.1) : f->r->pieces.items[i].t0;
      if (isnan(high) && x >= 0.9) high = k && last < 0.9 ? cross(f, i, k, 0.9) : f->r->pieces.items[i].t0;
      top = fmax(top, x);
      bottom = fmin(bottom, x);
      last = x;
    }
  }
  out->rise = high - low;
  double slack = hidden * (top - bottom), x = largest(f, 1, top, slack, &peak, &when);
  out->overshoot = x > 1 + 1e-9 ? x - 1 : 0;
  if (out->overshoot > 0) out->peak = peak, out->peak_time = when;
  x = largest(f, -1, bottom, slack, &peak, &when);
  out->undershoot = x < -1e-9 ? -x : 0;
}

static void sampled_figures(const FigureSearch *f, StepFigures *out) {
  const TimeResponse *r = f->r;
  double low = NAN, high = NAN, top = -INFINITY, bottom = INFINITY;
  out->settling = NAN;
  for (uint32_t k = 0; k < r->samples; k++) {
    double x = (r->sample[k] - f->start) / f->step, t = k * r->period;
    if (isnan(low) && x >= 0.1) low = t;
    if (isnan(high) && x >= 0.9) high = t;
    if (fabs(x - 1) > 0.02) out->settling = NAN;
    else if (isnan(out->settling)) out->settling = t;
    if (x > top) top = x, out->peak = r->sample[k], out->peak_time = t;
    bottom = fmin(bottom, x);
  }
  out->rise = high - low;
  out->overshoot = top > 1 + 1e-9 ? top - 1 : 0;
  out->undershoot = bottom < -1e-9 ? -bottom : 0;
  if (out->overshoot == 0) out->peak = out->peak_time = NAN;
}

bool step_figures(Arena *arena, const TimeResponse *r, double final, StepFigures *out) {
  FigureSearch f = {.r = r};
  *out = (StepFigures){NAN, final, NAN, NAN, NAN, NAN, NAN, NAN};
  if (!isfinite(final) || r->cut || (!r->samples && !r->pieces.count)) return !arena_failed(arena);
  out->start = f.start = r->samples ? 0 : r->pieces.items[0].y[0];
  f.step = final - f.start;
  if (fabs(f.step) <= 1e-12 * (1 + fabs(final))) return true;
  if (r->samples) sampled_figures(&f, out);
  else continuous_figures(&f, out);
  return true;
}

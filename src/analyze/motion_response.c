// Responses in time.
//
// Without delays  X = (x, u, v),  X' = [A, B, 0; 0, 0, 1; 0, 0, 0] X  is followed exactly by e^(M h): steps (0, 1, 0),
// ramps (0, 0, 1), impulses (B, 0, 0). DelaySteps double while the fast modes die out, and are short against the modes
// that are alive, so that a polynomial through nine Chebyshev points of each has the rest of the digits.
//
// With delays the method of steps: in a step not longer than the shortest delay all that comes out of delays is known,
// as polynomials; states follow by collocation at Radau's points (order 15). DelaySteps divide the delays where these
// have a common divisor, so that every jump lies at the end of a step.
#include "analyze/motion_response.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

enum { stages = 8, most_pieces = 20000, most_samples = 20000 };

// ---- polynomials of a piece

static void find_weights(TimeResponse *r) {
  for (int i = 0; i < response_points; i++) {
    r->weight[i] = 1;
    for (int j = 0; j < response_points; j++) {
      if (j != i) r->weight[i] /= r->node[i] - r->node[j];
    }
  }
}

static double piece_value(const TimeResponse *r, const ResponsePiece *p, double part) {
  double above = 0, below = 0;
  for (int i = 0; i < response_points; i++) {
    double off = part - r->node[i];
    if (fabs(off) < 1e-15) return p->y[i];
    above += r->weight[i] / off * p->y[i];
    below += r->weight[i] / off;
  }
  return above / below;
}

double time_response_at(const TimeResponse *r, double t) {
  if (r->samples) {
    double k = floor(t / r->period + 1e-9);
    return k < 0 ? 0 : k < r->samples ? r->sample[(uint32_t)k] : r->sample[r->samples - 1];
  }
  uint32_t low = 0, high = r->pieces.count;
  if (high == 0 || t < r->pieces.items[0].t0) return 0;
  while (high - low > 1) {
    uint32_t middle = (low + high) / 2;
    if (r->pieces.items[middle].t0 <= t) low = middle;
    else high = middle;
  }
  const ResponsePiece *p = &r->pieces.items[low];
  return piece_value(r, p, fmin(fmax((t - p->t0) / p->h, 0), 1));
}

// ---- how long, and how fine

// Until the slowest of what dies out has done so; ten turns of what swings on; six time constants of what grows.
static double choose_end(const LinearSystem *s, const Complex *poles, uint32_t count) {
  double end = 0, most = 0, delay = 0;
  for (uint32_t k = 0; k < s->delays; k++) delay = fmax(delay, s->time[k]);
  for (uint32_t i = 0; i < count; i++) {
    Complex v = s->period > 0 ? (poles[i] == 0 ? -1 / s->period : clog(poles[i]) / s->period) : poles[i];
    double re = creal(v), size = cabs(v), need;
    most = fmax(most, size);
    if (size == 0) need = 0;
    else if (re > 1e-9 * size) need = 6 / re;
    else if (re > -1e-3 * size) need = 10 * 2 * pi / fmax(fabs(cimag(v)), 1e-3 * size);
    else need = 9 / -re;
    end = re > 1e-9 * size ? (end == 0 ? need : fmin(end, need)) : fmax(end, need);
  }
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
  return fmax(fmin(h, end / 20), end / most_pieces);
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
  }
  return dense_done;
}

// ---- samples

static DenseStatus respond_sampled(Arena *arena, const LinearSystem *s, Stimulus stimulus, TimeResponse *out) {
  size_t n = s->n;
  double samples = fmin(ceil(out->end / s->period) + 1, most_samples);
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

// ---- with delays

typedef struct DelaySteps {
  Arena *arena;
  const LinearSystem *s;
  TimeResponse *out;
  double h;
  double a[stages][stages]; // integrals of the basis polynomials
  double *matrix;           // factored by each use of dense_solve: kept as its inverse, (stages n)^2
  VEC(double) past;         // z at all nodes: steps x delays x response_points
} DelaySteps;

// P_k and its derivative.
static double legendre(int k, double x, double *slope) {
  double p0 = 1, p1 = x;
  for (int i = 2; i <= k; i++) {
    double p = ((2 * i - 1) * x * p1 - (i - 1) * p0) / i;
    p0 = p1;
    p1 = p;
  }
  *slope = k * (x * p1 - p0) / (x * x - 1);
  return p1;
}

// Zeros of P_8 - P_7 on 0 .. 1: the last is 1.
static void radau_nodes(double *c) {
  for (int i = 0; i < stages - 1; i++) {
    double x = -cos(pi * (i + 0.75) / (stages + 0.25)) * 0.995;
    for (int k = 0; k < 60; k++) {
      double d8, d7, f = legendre(stages, x, &d8) - legendre(stages - 1, x, &d7);
      double step = f / (d8 - d7);
      x -= step;
      if (fabs(step) < 1e-16) break;
    }
    c[i] = (1 + x) / 2;
  }
  c[stages - 1] = 1;
}

// a[i][j]: the integral from 0 to c_i of the basis polynomial of node j, by Gauss' rule of the same points through
// moments.
static bool find_integrals(DelaySteps *w) {
  double v[stages * stages], b[stages * stages], c[stages];
  for (int i = 0; i < stages; i++) c[i] = w->out->node[i + 1];
  // sum_j a_ij c_j^k = c_i^(k + 1)/(k + 1): transposed Vandermonde
  for (int k = 0; k < stages; k++) {
    for (int j = 0; j < stages; j++) {
      v[k * stages + j] = pow(c[j], k);
      b[k * stages + j] = pow(c[j], k + 1) / (k + 1);
    }
  }
  if (!dense_solve(stages, stages, v, b)) return false;
  for (int i = 0; i < stages; i++) {
    for (int j = 0; j < stages; j++) w->a[i][j] = b[j * stages + i];
  }
  return true;
}

// (1 - h a x A)^-1, once.
static bool find_inverse(DelaySteps *w) {
  size_t n = w->s->n, size = stages * n;
  double *m = arena_array(w->arena, size * size + 1, sizeof *m);
  w->matrix = arena_array(w->arena, size * size + 1, sizeof *w->matrix);
  if (!m || !w->matrix) return false;
  for (size_t i = 0; i < stages; i++) {
    for (size_t j = 0; j < stages; j++) {
      for (size_t r = 0; r < n; r++) {
        for (size_t c = 0; c < n; c++)
          m[(i * n + r) * size + j * n + c] = (i == j && r == c) - w->h * w->a[i][j] * w->s->A[r * n + c];
      }
    }
  }
  for (size_t i = 0; i < size; i++) w->matrix[i * size + i] = 1;
  return dense_solve((uint32_t)size, (uint32_t)size, m, w->matrix);
}

// What comes out of channel k at time t: z of the past there; 0 before the start.
static double delayed(const DelaySteps *w, uint32_t k, double t) {
  double at = (t - w->s->time[k]) / w->h, step = floor(at + 1e-9);
  if (step < 0) return 0;
  size_t known = w->past.count / ((size_t)w->s->delays * response_points);
  if (step >= known) step = (double)known - 1; // the end of the last one
  ResponsePiece p = {0};
  memcpy(p.y, w->past.items + ((size_t)step * w->s->delays + k) * response_points, sizeof p.y);
  return piece_value(w->out, &p, fmin(fmax(at - step, 0), 1));
}

static double stimulus_at(Stimulus stimulus, double t) {
  return stimulus == stimulus_step ? 1 : stimulus == stimulus_ramp ? t : 0;
}

// A step that divides all delays, if they have a common divisor of not too many parts.
static double delay_step(const LinearSystem *s, double most, bool *common) {
  double least = INFINITY;
  for (uint32_t k = 0; k < s->delays; k++) least = fmin(least, s->time[k]);
  for (int parts = 1; parts <= 64; parts++) {
    bool all = true;
    for (uint32_t k = 0; k < s->delays; k++) {
      double r = s->time[k] / least * parts;
      all = all && fabs(r - nearbyint(r)) <= 1e-9 * r;
    }
    if (!all) continue;
    double h = least / parts;
    *common = true;
    return h / ceil(h / most);
  }
  *common = false;
  return least / ceil(least / fmin(most, least / 8));
}

static bool one_step(DelaySteps *w, Stimulus stimulus, double t, double *x, double *work) {
  const LinearSystem *s = w->s;
  size_t n = s->n, d = s->delays, size = stages * n;
  double *w_at = work, *f = w_at + d * response_points, *side = f + size, *all = side + size;
  double z[response_points];
  ResponsePiece p = {.t0 = t, .h = w->h};
  for (int i = 0; i < response_points; i++) {
    for (uint32_t k = 0; k < d; k++) w_at[(size_t)i * d + k] = delayed(w, k, t + w->out->node[i] * w->h);
  }
  for (size_t j = 0; j < stages; j++) {
    double u = stimulus_at(stimulus, t + w->out->node[j + 1] * w->h);
    for (size_t i = 0; i < n; i++) {
      f[j * n + i] = s->B[i] * u;
      for (size_t k = 0; k < d; k++) f[j * n + i] += s->E[i * d + k] * w_at[(j + 1) * d + k];
    }
  }
  for (size_t i = 0; i < stages; i++) {
    for (size_t r = 0; r < n; r++) {
      side[i * n + r] = x[r];
      for (size_t j = 0; j < stages; j++) side[i * n + r] += w->h * w->a[i][j] * f[j * n + r];
    }
  }
  dense_multiply((uint32_t)size, (uint32_t)size, 1, w->matrix, side, all);
  for (uint32_t k = 0; k <= d; k++) { // the output, then what goes into each channel
    const double *row = k ? s->G + (size_t)(k - 1) * n : s->C, *through = k ? s->J + (size_t)(k - 1) * d : s->F;
    for (int i = 0; i < response_points; i++) {
      const double *at = i ? all + (size_t)(i - 1) * n : x;
      z[i] = (k ? s->H[k - 1] : s->D[0]) * stimulus_at(stimulus, t + w->out->node[i] * w->h);
      for (size_t r = 0; r < n; r++) z[i] += row[r] * at[r];
      for (size_t l = 0; l < d; l++) z[i] += through[l] * w_at[(size_t)i * d + l];
      if (k && !vec_push(w->arena, &w->past, z[i])) return false;
    }
    if (k == 0) memcpy(p.y, z, sizeof z);
  }
  if (n) memcpy(x, all + (stages - 1) * n, n * sizeof *x);
  return vec_push(w->arena, &w->out->pieces, p);
}

static DenseStatus respond_delayed(Arena *arena, const LinearSystem *s, Stimulus stimulus, const Complex *poles,
                                   uint32_t count, TimeResponse *out) {
  DelaySteps work = {.arena = arena, .s = s, .out = out}, *w = &work;
  size_t n = s->n, d = s->delays;
  double rate = 0;
  bool common;
  for (uint32_t i = 0; i < count; i++) rate = fmax(rate, cabs(poles[i]));
  w->h = delay_step(s, fmin(out->end / 40, rate > 0 ? 1 / rate : INFINITY), &common);
  out->held_jumps = !common;
  double steps = ceil(out->end / w->h);
  if (steps > most_pieces) out->end = most_pieces * w->h, steps = most_pieces;
  out->node[0] = 0;
  radau_nodes(out->node + 1);
  find_weights(out);
  double *x = arena_array(arena, n + 1, sizeof *x);
  double *room = arena_array(arena, d * response_points + 3 * n * stages + 1, sizeof *room);
  if (!x || !room) return dense_no_memory;
  if (!find_integrals(w) || !find_inverse(w)) return arena_failed(arena) ? dense_no_memory : dense_failed;
  for (size_t i = 0; i < n && stimulus == stimulus_impulse; i++) x[i] = s->B[i];
  for (double k = 0; k < steps; k++) {
    if (!one_step(w, stimulus, k * w->h, x, room)) return dense_no_memory;
  }
  out->end = steps * w->h;
  return dense_done;
}

DenseStatus time_response(Arena *arena, const SolveModule *module, const LinearSystem *path, Stimulus stimulus,
                          const Complex *poles, uint32_t count, double end, TimeResponse *out) {
  (void)module;
  *out = (TimeResponse){.end = end > 0 ? end : choose_end(path, poles, count)};
  for (int k = 0; k < response_points; k++) out->node[k] = (1 - cos(pi * k / (response_points - 1))) / 2;
  find_weights(out);
  if (path->period > 0) return respond_sampled(arena, path, stimulus, out);
  if (path->delays) return respond_delayed(arena, path, stimulus, poles, count, out);
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
  return (piece_value(f->r, &f->r->pieces.items[piece], (double)k / grid) - f->start) / f->step;
}

// The time between two neighbours of the grid at which x crosses a level.
static double cross(const FigureSearch *f, uint32_t piece, int k, double level) {
  const ResponsePiece *p = &f->r->pieces.items[piece];
  double a = (double)(k - 1) / grid, b = (double)k / grid;
  bool below = (piece_value(f->r, p, a) - f->start) / f->step < level;
  for (int i = 0; i < 60; i++) {
    double c = (a + b) / 2;
    if (((piece_value(f->r, p, c) - f->start) / f->step < level) == below) a = c;
    else b = c;
  }
  return p->t0 + (a + b) / 2 * p->h;
}

// An extreme near a grid point, by thirds.
static double extreme(const FigureSearch *f, uint32_t piece, int k, double sign, double *when) {
  const ResponsePiece *p = &f->r->pieces.items[piece];
  double a = fmax(k - 1, 0) / grid, b = fmin(k + 1, grid) / grid;
  for (int i = 0; i < 100; i++) {
    double c = a + (b - a) / 3, d = b - (b - a) / 3;
    if (sign * piece_value(f->r, p, c) < sign * piece_value(f->r, p, d)) a = c;
    else b = d;
  }
  *when = p->t0 + (a + b) / 2 * p->h;
  return piece_value(f->r, p, (a + b) / 2);
}

static void continuous_figures(const FigureSearch *f, StepFigures *out) {
  double low = NAN, high = NAN, top = -INFINITY, bottom = INFINITY, when;
  uint32_t top_piece = 0, bottom_piece = 0;
  int top_at = 0, bottom_at = 0;
  double last = at_grid(f, 0, 0);
  out->settling = 0;
  for (uint32_t i = 0; i < f->r->pieces.count; i++) {
    for (int k = 0; k <= grid; k++) {
      double x = at_grid(f, i, k);
      if (isnan(low) && x >= 0.1) low = k && last < 0.1 ? cross(f, i, k, 0.1) : f->r->pieces.items[i].t0;
      if (isnan(high) && x >= 0.9) high = k && last < 0.9 ? cross(f, i, k, 0.9) : f->r->pieces.items[i].t0;
      bool in = fabs(x - 1) <= 0.02, was = fabs(last - 1) <= 0.02;
      if (in && !was) out->settling = k ? cross(f, i, k, last < 1 ? 0.98 : 1.02) : f->r->pieces.items[i].t0;
      if (!in) out->settling = NAN;
      if (x > top) top = x, top_piece = i, top_at = k;
      if (x < bottom) bottom = x, bottom_piece = i, bottom_at = k;
      last = x;
    }
  }
  out->rise = high - low;
  double sign = f->step > 0 ? 1 : -1, peak = extreme(f, top_piece, top_at, sign, &when);
  double x = (peak - f->start) / f->step;
  out->overshoot = x > 1 + 1e-9 ? x - 1 : 0;
  if (out->overshoot > 0) out->peak = peak, out->peak_time = when;
  x = (extreme(f, bottom_piece, bottom_at, -sign, &when) - f->start) / f->step;
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
  if (!isfinite(final) || (!r->samples && !r->pieces.count)) return !arena_failed(arena);
  out->start = f.start = r->samples ? 0 : r->pieces.items[0].y[0];
  f.step = final - f.start;
  if (fabs(f.step) <= 1e-12 * (1 + fabs(final))) return true;
  if (r->samples) sampled_figures(&f, out);
  else continuous_figures(&f, out);
  return true;
}

// Poles of a system with dead times.
//
//   F(s) = [s - A, -E; -e G, 1 - e J],  e = diag(exp(-s T)):   the poles are the zeros of det F
//
// Found: each channel carries its signal along as v(t, r), -T <= r <= 0, with dv/dt = dv/dr; at N + 1 Chebyshev points
// of r that makes a matrix, whose rightmost eigenvalues come near the poles (Breda, Maset, Vermiglio 2005). Newton's
// method on det F finishes each:  s <- s - 1/tr(F^-1 F').
//
// Counted: right of a line Re s = q no pole is larger than R (a bound by norms), so all lie in a rectangle, and their
// number is the change of the angle of det F along its upper half over pi. A step from s0 to s is allowed while
//   |F(s0)^-1 (F(s) - F(s0))| <= r,   (n + d) asin r < pi,
// by bounds that hold on the whole step: then the angle changes by less than pi, and is known from its two ends. The
// bounds are of norms by squares; rounding is far below the slack.
#include "analyze/delay_poles.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

enum { most_states = 1200, most_steps = 400000, least_points = 24, most_newton = 40 };

typedef struct DelayWork {
  Arena *arena;
  const LinearSystem *s;
  uint32_t size; // n + delays
  Complex *f, *inverse, *column;
  uint32_t *pivot;
} DelayWork;

static bool open_work(DelayWork *w, Arena *arena, const LinearSystem *s) {
  size_t size = (size_t)s->n + s->delays;
  *w = (DelayWork){.arena = arena, .s = s, .size = (uint32_t)size};
  w->f = arena_array(arena, size * size + 1, sizeof *w->f);
  w->inverse = arena_array(arena, size * size + 1, sizeof *w->inverse);
  w->column = arena_array(arena, size + 1, sizeof *w->column);
  w->pivot = arena_array(arena, size + 1, sizeof *w->pivot);
  return !arena_failed(arena);
}

static void characteristic(DelayWork *w, Complex at) {
  const LinearSystem *s = w->s;
  size_t n = s->n, d = s->delays, size = w->size;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) w->f[i * size + j] = (i == j ? at : 0) - s->A[i * n + j];
    for (size_t j = 0; j < d; j++) w->f[i * size + n + j] = -s->E[i * d + j];
  }
  for (size_t i = 0; i < d; i++) {
    Complex e = cexp(-at * s->time[i]);
    for (size_t j = 0; j < n; j++) w->f[(n + i) * size + j] = -e * s->G[i * n + j];
    for (size_t j = 0; j < d; j++) w->f[(n + i) * size + n + j] = (i == j) - e * s->J[i * d + j];
  }
}

// Factors at a point, and the angle of the determinant (from -pi to pi). False: it is zero.
static bool factor_at(DelayWork *w, Complex at, double *angle) {
  characteristic(w, at);
  if (!complex_factor(w->size, w->f, w->pivot)) return false;
  double sum = 0;
  for (size_t i = 0; i < w->size; i++) sum += carg(w->f[i * w->size + i]) + (w->pivot[i] != i ? pi : 0);
  *angle = remainder(sum, 2 * pi);
  return true;
}

static void invert(DelayWork *w) {
  size_t size = w->size;
  for (size_t c = 0; c < size; c++) {
    for (size_t i = 0; i < size; i++) w->column[i] = i == c;
    complex_solve(w->size, w->f, w->pivot, w->column);
    for (size_t i = 0; i < size; i++) w->inverse[i * size + c] = w->column[i];
  }
}

// tr(F^-1 F'), F' = [1, 0; T e G, T e J]
static Complex logarithmic_slope(DelayWork *w, Complex at) {
  const LinearSystem *s = w->s;
  size_t n = s->n, d = s->delays, size = w->size;
  Complex sum = 0;
  for (size_t i = 0; i < n; i++) sum += w->inverse[i * size + i];
  for (size_t k = 0; k < d; k++) {
    Complex e = cexp(-at * s->time[k]) * s->time[k];
    for (size_t j = 0; j < n; j++) sum += w->inverse[j * size + n + k] * e * s->G[k * n + j];
    for (size_t j = 0; j < d; j++) sum += w->inverse[(n + j) * size + n + k] * e * s->J[k * d + j];
  }
  return sum;
}

// ---- found

// The matrix of N points a channel, row by row. NULL: memory is out.
static double *discretized(Arena *arena, const LinearSystem *s, uint32_t points, uint32_t *size) {
  size_t n = s->n, d = s->delays, N = points, all = n + d * N;
  double *a = arena_array(arena, all * all + 1, sizeof *a), *x = arena_array(arena, N + 1, sizeof *x);
  *size = (uint32_t)all;
  if (!a || !x) return NULL;
  for (size_t j = 0; j <= N; j++) x[j] = cos(pi * (double)j / (double)N);
  for (size_t i = 0; i < n; i++) {
    memcpy(a + i * all, s->A + i * n, n * sizeof *a);
    for (size_t k = 0; k < d; k++) a[i * all + n + k * N + N - 1] += s->E[i * d + k];
  }
  for (size_t k = 0; k < d; k++) {
    for (size_t i = 1; i <= N; i++) {
      double *row = a + (n + k * N + i - 1) * all, diagonal = 0, scale = 2 / s->time[k];
      for (size_t j = 0; j <= N; j++) {
        if (i == j) continue;
        double ci = i == N ? 2 : 1, cj = j == 0 || j == N ? 2 : 1,
               slope = ci / cj * ((i + j) % 2 ? -1 : 1) / (x[i] - x[j]);
        diagonal -= slope;
        if (j > 0) {
          row[n + k * N + j - 1] += slope * scale;
          continue;
        }
        // v at r = 0 is z
        for (size_t l = 0; l < n; l++) row[l] += slope * scale * s->G[k * n + l];
        for (size_t l = 0; l < d; l++) row[n + l * N + N - 1] += slope * scale * s->J[k * d + l];
      }
      row[n + k * N + i - 1] += diagonal * scale;
    }
  }
  return a;
}

// Newton's method from a guess. False: it leads elsewhere.
static bool polish(DelayWork *w, Complex *at, double *bound) {
  Complex s = *at;
  double angle, step = INFINITY, scale = 1 + cabs(s), last = INFINITY;
  for (int i = 0; i < most_newton; i++) {
    if (!factor_at(w, s, &angle)) {
      step = 0;
      break;
    }
    invert(w);
    Complex slope = logarithmic_slope(w, s), change = 1 / slope;
    step = cabs(change);
    if (!isfinite(step) || cabs(s - change - *at) > 0.05 * scale) return false;
    if (step >= last && step < 1e-9 * scale) break; // rounding
    s -= change;
    last = step;
    if (step < 2 * DBL_EPSILON * scale) break;
  }
  if (!(step < 1e-7 * scale)) return false;
  if (fabs(cimag(s)) < 1e-9 * scale && fabs(cimag(*at)) < 1e-6 * scale) s = creal(s);
  *at = s;
  *bound = fmax(step, 8 * DBL_EPSILON * scale);
  return true;
}

typedef struct FoundPole {
  Complex value;
  double bound;
} FoundPole;
typedef VEC(FoundPole) FoundPoles;

static int by_place(const void *a, const void *b) {
  Complex x = ((const FoundPole *)a)->value, y = ((const FoundPole *)b)->value;
  double dx = creal(x), dy = creal(y);
  if (fabs(dx - dy) > 1e-9 * (1 + cabs(x))) return dx > dy ? -1 : 1;
  if (fabs(cimag(x)) != fabs(cimag(y)) && cabs(conj(x) - y) > 1e-9 * (1 + cabs(x)))
    return fabs(cimag(x)) < fabs(cimag(y)) ? -1 : 1;
  return (cimag(x) < cimag(y)) - (cimag(x) > cimag(y));
}

// Poles from the eigenvalues of a discretization: each once, with its conjugate; a multiple one as often as it came.
static DenseStatus find_with(DelayWork *w, const SolveModule *module, uint32_t points, uint32_t wanted,
                             FoundPoles *found) {
  uint32_t size;
  double *a = discretized(w->arena, w->s, points, &size);
  Complex *values = arena_array(w->arena, (size_t)size + 1, sizeof *values);
  found->count = 0;
  if (!a || !values) return dense_no_memory;
  DenseStatus status = dense_eigenvalues(w->arena, module, size, a, values, NULL);
  if (status != dense_done) return status;
  for (uint32_t i = 0; i < size && found->count < wanted; i++) {
    if (cimag(values[i]) < 0) continue;
    Complex at = values[i];
    double bound;
    if (!polish(w, &at, &bound)) continue;
    bool known = false;
    for (uint32_t k = 0; k < found->count; k++) {
      double off = cabs(found->items[k].value - at);
      known = known || (off <= 1e-7 * (1 + cabs(at)) && off <= 1e-3 * cabs(values[i] - at) + 1e-12 * (1 + cabs(at)));
    }
    if (known) continue;
    if (!vec_push(w->arena, found, (FoundPole){at, bound})) return dense_no_memory;
    if (cimag(at) > 0 && !vec_push(w->arena, found, (FoundPole){conj(at), bound})) return dense_no_memory;
  }
  if (found->count) qsort(found->items, found->count, sizeof *found->items, by_place);
  return dense_done;
}

// ---- counted

// No pole right of the line is larger than this; INFINITY: that cannot be told.
static double largest(const LinearSystem *s, double line) {
  size_t n = s->n, d = s->delays;
  double a = dense_norm(n * n, s->A), e = dense_norm(n * d, s->E), back = 0, g = 0;
  for (size_t k = 0; k < d; k++) {
    double f = exp(-line * s->time[k]);
    back = hypot(back, f * dense_norm(d, s->J + k * d));
    g = hypot(g, f * dense_norm(n, s->G + k * n));
  }
  // a chain of delays without states in between has powers of J that vanish: told by its own norm only
  return back < 1 ? a + e * g / (1 - back) : INFINITY;
}

// How fast F(s0)^-1 F(s) may change along a step, per length, over Re s >= least.
static double steepness(const DelayWork *w, double least) {
  const LinearSystem *s = w->s;
  size_t n = s->n, d = s->delays, size = w->size;
  double sum = 0, all = 0;
  for (size_t i = 0; i < size; i++) {
    for (size_t j = 0; j < n; j++) sum += creal(w->inverse[i * size + j] * conj(w->inverse[i * size + j]));
  }
  all = sqrt(sum);
  for (size_t k = 0; k < d; k++) {
    sum = 0;
    for (size_t i = 0; i < size; i++) sum += creal(w->inverse[i * size + n + k] * conj(w->inverse[i * size + n + k]));
    all += sqrt(sum) * hypot(dense_norm(n, s->G + k * n), dense_norm(d, s->J + k * d)) * s->time[k] *
           exp(-s->time[k] * least);
  }
  return all;
}

// The change of the angle along a straight line. False: a zero lies on it, or too many steps.
static bool turn_along(DelayWork *w, Complex from, Complex to, double *turn, uint32_t *steps) {
  double angle, next, length = cabs(to - from), done = 0, most = sin(2.8 / w->size);
  Complex direction = (to - from) / length;
  double least = fmin(creal(from), creal(to));
  if (w->size == 1) most = 0.9;
  if (!factor_at(w, from, &angle)) return false;
  while (done < length) {
    if (++*steps > most_steps) return false;
    invert(w);
    double h = most / steepness(w, least);
    if (!(h > 1e-13 * (1 + length))) return false;
    done = fmin(done + h, length);
    if (!factor_at(w, from + done * direction, &next)) return false;
    *turn += remainder(next - angle, 2 * pi);
    angle = next;
  }
  return true;
}

bool delay_poles_count(Arena *arena, const LinearSystem *s, double line, uint32_t *count, const char **why) {
  DelayWork work, *w = &work;
  *count = 0;
  *why = NULL;
  if (!open_work(w, arena, s)) return false;
  double radius = largest(s, line), turn = 0;
  uint32_t steps = 0;
  if (!isfinite(radius)) {
    *why = "delayed signals feed themselves without a state in between: poles come near a line";
    return false;
  }
  radius = 1.01 * radius + 1e-9;
  double right = fmax(radius, line + 1e-3 * (1 + fabs(line)));
  const Complex corner[] = {right, right + I * radius, line + I * radius, line};
  bool ok = true;
  for (int i = 0; i < 3 && ok; i++) ok = turn_along(w, corner[i], corner[i + 1], &turn, &steps);
  if (!ok) {
    *why = steps > most_steps ? "counting would take too many steps" : "a pole lies on the line itself";
    return false;
  }
  double number = turn / pi;
  *count = (uint32_t)fmax(nearbyint(number), 0);
  if (fabs(number - *count) < 1e-3) return true;
  *why = "the angle did not close";
  return false;
}

// ---- the whole

// A line in a gap behind at least `least` of the poles, the widest gap near.
static double choose_line(const FoundPoles *found, uint32_t least, uint32_t *count) {
  double best = -1, line = creal(found->items[found->count - 1].value) - 1;
  *count = found->count;
  for (uint32_t i = least; i + 1 < found->count; i++) {
    double a = creal(found->items[i - 1].value), b = creal(found->items[i].value), gap = a - b;
    if (gap <= 1e-6 * (1 + fabs(a)) || gap < 1.2 * best) continue;
    best = gap;
    line = b + gap / 2;
    *count = i;
  }
  return line;
}

DenseStatus delay_poles_find(Arena *arena, const SolveModule *module, const LinearSystem *s, uint32_t wanted,
                             DelayPoles *out) {
  DelayWork work, *w = &work;
  FoundPoles found = {0};
  *out = (DelayPoles){0};
  if (!open_work(w, arena, s)) return dense_no_memory;
  for (uint32_t points = least_points; s->n + points * s->delays <= most_states; points *= 2) {
    DenseStatus status = find_with(w, module, points, wanted + 8, &found);
    if (status == dense_no_memory) return status;
    if (status != dense_done || found.count == 0) continue;
    uint32_t least = wanted / 2 < 1 ? 1 : wanted / 2 < found.count ? wanted / 2 : found.count;
    out->line = choose_line(&found, least, &out->count);
    out->certain = delay_poles_count(arena, s, out->line, &out->counted, &out->why) && out->counted == out->count;
    if (out->certain || out->why) break;
  }
  if (found.count == 0) {
    out->why = "no pole was found";
    uint32_t none;
    const char *why;
    // a system of delays alone may have none at all
    if (delay_poles_count(arena, s, -1e-9, &none, &why) && none == 0) out->line = -1e-9, out->certain = true;
    return dense_done;
  }
  if (!out->certain && !out->why)
    out->why = arena_printf(arena, "%u were found right of %.6g, and %u counted", out->count, out->line, out->counted);
  out->values = arena_array(arena, (size_t)out->count + 1, sizeof *out->values);
  out->bound = arena_array(arena, (size_t)out->count + 1, sizeof *out->bound);
  if (!out->values || !out->bound) return dense_no_memory;
  for (uint32_t i = 0; i < out->count; i++) {
    out->values[i] = found.items[i].value;
    out->bound[i] = found.items[i].bound;
  }
  return dense_done;
}

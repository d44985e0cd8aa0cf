// Gain, phase and delay margins, peaks, bandwidth: all of them crossings (crossings.h) of a path or of a loop that is
// closed.
//
//   gain margin    1/|L| where L is real and negative
//   phase margin   pi + arg L, from -pi to pi, where |L| = 1
//   delay margin   the least (pi + arg L)/w with 0 <= pi + arg L < 2 pi over these; of sampled loops in whole periods
#include "analyze/margins.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
// Where there are infinitely many crossings: those with |L| above the first, and if there are none above the second.
static const double least_loop[] = {0.1, 1e-3};

// Is -1 a pole of a sampled loop, to rounding?
static DenseStatus find_last_pole(Arena *arena, const SolveModule *module, const LinearSystem *s, bool *there) {
  Complex *values = arena_array(arena, (size_t)s->n + 1, sizeof *values);
  double *bound = arena_array(arena, (size_t)s->n + 1, sizeof *bound);
  *there = false;
  if (!values || !bound) return dense_no_memory;
  DenseStatus status = dense_eigenvalues(arena, module, s->n, s->A, values, bound);
  for (uint32_t i = 0; status == dense_done && i < s->n; i++) *there = *there || cabs(values[i] + 1) <= 10 * bound[i];
  return status;
}

// The ends of the axis, where L is real by itself.
static DenseStatus put_ends(Arena *arena, const SolveModule *module, Response *r, const RestGain *rest, Margins *out) {
  const LinearSystem *s = r->s;
  double last = s->period > 0 ? pi / s->period : INFINITY;
  bool pole = false;
  double still = rest ? (rest->known && rest->order == 0 ? rest->constant : 0) : creal(response_frequency(r, 0));
  if (isfinite(still) && still < 0 && !vec_push(arena, &out->gain, (Margin){-1 / still, 0, false}))
    return dense_no_memory;
  if (s->period > 0) {
    DenseStatus status = find_last_pole(arena, module, s, &pole);
    if (status != dense_done || pole) return status;
  }
  Complex high = s->period > 0 ? response_frequency(r, last) : s->delays ? 0 : s->D[0];
  if (isfinite(cabs(high)) && creal(high) < -DBL_EPSILON &&
      !vec_push(arena, &out->gain, (Margin){1 / cabs(high), last, false}))
    return dense_no_memory;
  return dense_done;
}

// A loop over its samples bears whole periods of dead time: the least number of them with which closed poles leave the
// unit circle. Below `from` there is no crossing of |L| = 1 that they could leave by.
static DenseStatus find_periods(Arena *arena, const SolveModule *module, const LinearSystem *s, double from,
                                uint32_t *periods) {
  enum { most_tried = 60, most_size = 400 };
  size_t n = s->n;
  *periods = 0;
  for (double k = fmax(from, 1); k < from + most_tried && (double)n + k <= most_size; k++) {
    // u -> a chain of k held values -> the loop; closed: its first is -y
    size_t chain = (size_t)k, size = n + chain;
    Arena *scratch = arena_new_scratch(arena);
    double *a = scratch ? arena_array(scratch, size * size, sizeof *a) : NULL;
    Complex *values = a ? arena_array(scratch, size, sizeof *values) : NULL;
    DenseStatus status = values ? dense_done : dense_no_memory;
    bool grows = false;
    if (values) {
      for (size_t i = 0; i < n; i++) {
        memcpy(a + i * size, s->A + i * n, n * sizeof *a);
        a[i * size + size - 1] = s->B[i];
      }
      for (size_t j = 0; j < n; j++) a[n * size + j] = -s->C[j];
      a[n * size + size - 1] -= s->D[0];
      for (size_t i = n + 1; i < size; i++) a[i * size + i - 1] = 1;
      status = dense_eigenvalues(scratch, module, (uint32_t)size, a, values, NULL);
      for (size_t i = 0; status == dense_done && i < size; i++) grows = grows || cabs(values[i]) > 1 + 1e-12;
    }
    arena_free_scratch(scratch);
    if (status != dense_done) return status;
    if (!grows) continue;
    *periods = (uint32_t)k;
    return dense_done;
  }
  return dense_done;
}

// The delay margin of a sampled loop, in whole periods.
static DenseStatus sample_delay(Arena *arena, const SolveModule *module, Response *r, Margins *out) {
  const LinearSystem *s = r->s;
  double last = cabs(response_frequency(r, pi / s->period));
  // while |L| < 1 at half the rate the curve closes there beside -1, also with parts of a period
  bool closes = last < 1;
  uint32_t periods;
  if (closes && isinf(out->delay)) return dense_done;
  DenseStatus status = find_periods(arena, module, s, closes ? ceil(out->delay / s->period - 1e-9) : 1, &periods);
  if (status != dense_done) return status;
  out->delay = periods ? periods * s->period : NAN;
  return dense_done;
}

DenseStatus margins_find(Arena *arena, const SolveModule *module, const LinearSystem *loop, const RestGain *rest,
                         Margins *out) {
  Crossings real, unit;
  Response response;
  *out = (Margins){.delay = INFINITY, .delay_at = NAN};
  DenseStatus status = response_open(&response, arena, module, loop);
  for (int i = 0; status == dense_done && i < 2; i++) {
    status = crossings_find(arena, module, loop, &(CrossingRequest){crossing_real, 0, least_loop[i], true}, &real);
    out->least = least_loop[i];
    bool any = !real.cut;
    for (uint32_t k = 0; k < real.list.count; k++) any = any || creal(real.list.items[k].value) < 0;
    if (any) break;
  }
  if (status == dense_done)
    status = crossings_find(arena, module, loop, &(CrossingRequest){crossing_level, 1, 0, true}, &unit);
  if (status != dense_done) return status;
  out->cut = real.cut || unit.cut;
  out->until = fmin(real.cut ? real.until : INFINITY, unit.cut ? unit.until : INFINITY);
  status = put_ends(arena, module, &response, rest, out);
  if (status != dense_done) return status;
  for (uint32_t i = 0; i < real.list.count; i++) {
    const Crossing *c = &real.list.items[i];
    if (creal(c->value) < 0 && !vec_push(arena, &out->gain, (Margin){1 / cabs(c->value), c->w, c->touches}))
      return dense_no_memory;
  }
  // the end of all frequencies stands last
  for (uint32_t i = 0; i + 1 < out->gain.count; i++) {
    Margin *a = &out->gain.items[i], *b = a + 1;
    if (a->frequency <= b->frequency) continue;
    Margin swap = *a;
    *a = *b;
    *b = swap;
  }
  for (uint32_t i = 0; i < unit.list.count; i++) {
    const Crossing *c = &unit.list.items[i];
    double phase = carg(-c->value), ahead = phase < 0 ? phase + 2 * pi : phase;
    if (!vec_push(arena, &out->phase, (Margin){phase, c->w, c->touches})) return dense_no_memory;
    if (ahead / c->w < out->delay) {
      out->delay = ahead / c->w;
      out->delay_at = c->w;
    }
  }
  if (loop->period > 0) return sample_delay(arena, module, &response, out);
  // a loop that lets the fastest waves grow bears no dead time at all
  if (!loop->delays && fabs(loop->D[0]) > 1) {
    out->delay = 0;
    out->delay_at = INFINITY;
  }
  return dense_done;
}

// A first level: the larger of both ends and of the response at the sizes of the poles.
static DenseStatus first_level(Arena *arena, const SolveModule *module, const LinearSystem *s, Response *r, Peak *out) {
  Complex *values = arena_array(arena, (size_t)s->n + 1, sizeof *values);
  double *bound = arena_array(arena, (size_t)s->n + 1, sizeof *bound);
  if (!values || !bound) return dense_no_memory;
  DenseStatus status = dense_eigenvalues(arena, module, s->n, s->A, values, bound);
  if (status != dense_done) return status;
  *out = (Peak){cabs(response_frequency(r, 0)), 0};
  bool open_end = dense_norm(s->delays, s->F) * dense_norm(s->delays, s->H) > 0; // the phase has no limit
  double end = s->period > 0 ? cabs(response_frequency(r, pi / s->period)) : open_end ? 0 : fabs(s->D[0]);
  if (end > out->value) *out = (Peak){end, s->period > 0 ? pi / s->period : INFINITY};
  double low = INFINITY, high = 0;
  for (uint32_t i = 0; i < s->n + s->delays + 1; i++) {
    Complex v = i < s->n ? values[i] : i < s->n + s->delays ? 1 / s->time[i - s->n] : 1;
    if (i < s->n && s->period > 0) v = clog(v == 0 ? 1e-300 : v) / s->period;
    for (int k = 0; k < 2; k++) {
      double w = k ? cabs(v) : fabs(cimag(v)), size = w > 0 ? cabs(response_frequency(r, w)) : 0;
      if (s->period > 0 && w > pi / s->period) continue;
      if (w > 0) low = fmin(low, w), high = fmax(high, w);
      if (size > out->value) *out = (Peak){size, w};
    }
  }
  // and in between
  for (int k = 0; k <= 40 && high > 0; k++) {
    double w = low / 10 * pow(100 * high / low, k / 40.0), size = cabs(response_frequency(r, w));
    if (!(s->period > 0 && w > pi / s->period) && size > out->value) *out = (Peak){size, w};
  }
  return dense_done;
}

DenseStatus margins_peak(Arena *arena, const SolveModule *module, const LinearSystem *path, Peak *out) {
  Response response;
  *out = (Peak){NAN, NAN};
  DenseStatus status = response_open(&response, arena, module, path);
  if (status == dense_done) status = first_level(arena, module, path, &response, out);
  double last = path->period > 0 ? pi / path->period : INFINITY;
  for (int round = 0; status == dense_done && round < 60 && isfinite(out->value) && out->value > 0; round++) {
    Crossings at;
    double level = out->value * (1 + (round ? 1e-13 : 0) + 4 * DBL_EPSILON), before = out->value;
    status = crossings_find(arena, module, path, &(CrossingRequest){crossing_level, level, 0, false}, &at);
    // the middles of all pieces between crossings; one of them lies above
    for (uint32_t i = 0; status == dense_done && i <= at.list.count; i++) {
      double a = i ? at.list.items[i - 1].w : 0, b = i < at.list.count ? at.list.items[i].w
                                                     : isfinite(last)  ? last
                                                                       : 2 * a;
      double w = (a + b) / 2, size = b > a ? cabs(response_frequency(&response, w)) : 0;
      if (size > out->value) *out = (Peak){size, w};
    }
    if (!(out->value > before * (1 + 1e-14))) break;
  }
  return status;
}

DenseStatus margins_bandwidth(Arena *arena, const SolveModule *module, const LinearSystem *path, double *out) {
  Response response;
  Crossings at;
  *out = NAN;
  DenseStatus status = response_open(&response, arena, module, path);
  if (status != dense_done) return status;
  double still = cabs(response_frequency(&response, 0));
  if (!isfinite(still) || still == 0) return dense_done;
  status = crossings_find(arena, module, path, &(CrossingRequest){crossing_level, still / sqrt(2), 0, true}, &at);
  for (uint32_t i = 0; status == dense_done && i < at.list.count && isnan(*out); i++) {
    if (!at.list.items[i].touches) *out = at.list.items[i].w;
  }
  return status;
}

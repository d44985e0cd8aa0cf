// Nyquist's criterion by the argument principle: the winding number of 1 + L along a contour.
//
// The contour goes up the imaginary axis (half round the unit circle) and passes poles on it by half circles on their
// right; far out L stays near D. By symmetry half of it is enough: poles of the closed loop that grow less those of the
// open one are minus the change of the argument of 1 + L over pi.
//
// A piece of the contour is halved until the argument of 1 + L changes by less than pi/4 over each half, and 1 + L at
// the beginning and in the middle are near to each other relative to their sizes. So an encirclement between neighbours
// is not missed unless it is far narrower than the pieces, which start at all poles and zeros of L and are short
// against the phase change by dead times.
#include "analyze/nyquist.h"

#include "analyze/far.h"
#include "analyze/response.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

enum { deepest = 60, most_points = 600000 };

// A piece of the contour: a line along the axis, or a half circle.
typedef struct Contour {
  Arena *arena;
  Response response;
  const LinearSystem *s;
  Nyquist *out;
  bool circle;
  double at, radius; // of a circle
  double delay;      // all dead times together: on a piece of the line they change the phase by less than 1 rad
} Contour;

// The point of the contour: frequency along the line, angle on a circle.
static Complex place(const Contour *x, double p) {
  if (!x->circle) return x->s->period > 0 ? cexp(I * p * x->s->period) : I * p;
  if (x->s->period == 0) return I * x->at + x->radius * cexp(I * p);
  // around e^(i w T), outwards
  return cexp(I * x->at * x->s->period) * (1 + x->radius * cexp(I * p));
}

static bool value(Contour *x, double p, Complex *out) { return response_at(&x->response, place(x, p), out); }

static bool put(Contour *x, double p, Complex l) {
  return vec_push(x->arena, &x->out->points, ((NyquistPoint){x->circle ? x->at : p, l}));
}

// The change of the argument of 1 + L from a to b. False: stop; *why says whether it is known why.
static bool turn(Contour *x, double a, Complex la, double b, Complex lb, int depth, double *sum) {
  Complex lm;
  double middle = !x->circle && a > 0 && b / a > 4 ? sqrt(a) * sqrt(b) : (a + b) / 2;
  if (x->out->points.count > most_points) return x->out->why = "the curve needs too many points", false;
  if (!value(x, middle, &lm)) return x->out->why = "a pole lies on the contour", false;
  Complex fa = 1 + la, fb = 1 + lb, fm = 1 + lm;
  double one = carg(fm / fa), two = carg(fb / fm);
  bool fine = fabs(one) < pi / 4 && fabs(two) < pi / 4 && cabs(fm - fa) < 0.7 * cabs(fa) + 0.7 * cabs(fm) &&
              depth > 3 && (x->circle || (b - a) * x->delay < 1);
  if (!fine && depth < deepest)
    return turn(x, a, la, middle, lm, depth + 1, sum) && turn(x, middle, lm, b, lb, depth + 1, sum);
  if (!fine || fmin(cabs(fm), fmin(cabs(fa), cabs(fb))) < 1e-13) {
    x->out->through = true;
    x->out->through_at = x->circle ? x->at : middle;
    return false;
  }
  *sum += one + two;
  return put(x, middle, lm) && put(x, b, lb);
}

static bool stretch(Contour *x, double a, double b, double *sum) {
  Complex la, lb;
  if (!value(x, a, &la) || !value(x, b, &lb)) return x->out->why = "a pole lies on the contour", false;
  return put(x, a, la) && turn(x, a, la, b, lb, 0, sum);
}

static int by_number(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Frequencies at which something happens: sizes of poles and zeros, in rising order.
static DenseStatus find_marks(Contour *x, const SolveModule *module, double top, double **marks, uint32_t *count) {
  const LinearSystem *s = x->s;
  Zeros zeros;
  Complex *poles = arena_array(x->arena, (size_t)s->n + 1, sizeof *poles);
  double *bound = arena_array(x->arena, (size_t)s->n + 1, sizeof *bound);
  if (!poles || !bound) return dense_no_memory;
  DenseStatus status = dense_eigenvalues(x->arena, module, s->n, s->A, poles, bound);
  if (status == dense_done) status = zeros_find(x->arena, module, s, &zeros);
  if (status != dense_done) return status;
  *marks = arena_array(x->arena, 2 * ((size_t)s->n + zeros.count) + s->delays + 4, sizeof **marks);
  if (!*marks) return dense_no_memory;
  *count = 0;
  for (uint32_t i = 0; i < s->n + zeros.count; i++) {
    Complex v = i < s->n ? poles[i] : zeros.values[i - s->n];
    if (s->period > 0) v = v == 0 ? top : clog(v) / s->period;
    double w[2] = {fabs(cimag(v)), cabs(v)}, roundoff = i < s->n && !(s->period > 0) ? 4 * bound[i] : 0;
    for (int k = 0; k < 2; k++) {
      if (w[k] > roundoff && w[k] < top) (*marks)[(*count)++] = w[k];
    }
  }
  for (uint32_t k = 0; k < s->delays; k++) {
    if (1 / s->time[k] < top) (*marks)[(*count)++] = 1 / s->time[k];
  }
  (*marks)[(*count)++] = top;
  qsort(*marks, *count, sizeof **marks, by_number);
  return dense_done;
}

// From low to high along the line, piece by piece between marks.
static bool along(Contour *x, double low, double high, const double *marks, uint32_t count, double *sum) {
  for (uint32_t i = 0; i < count && low < high; i++) {
    if (!(marks[i] > low * (1 + 1e-9))) continue;
    double next = fmin(marks[i], high);
    if (!stretch(x, low, next, sum)) return false;
    low = next;
  }
  return low >= high || stretch(x, low, high, sum);
}

// A radius below the distance to everything else.
static double radius_at(const double *marks, uint32_t count, const double *axis, uint32_t poles, double at) {
  double near = at > 0 ? at : INFINITY;
  for (uint32_t i = 0; i < count; i++) {
    if (fabs(marks[i] - at) > 1e-6 * (at + 1e-300)) near = fmin(near, fabs(marks[i] - at));
  }
  for (uint32_t i = 0; i < poles; i++) {
    if (fabs(axis[i] - at) > 1e-6 * (at + 1e-300)) near = fmin(near, fabs(axis[i] - at));
  }
  return 1e-3 * (isfinite(near) ? near : 1);
}

DenseStatus nyquist_count(Arena *arena, const SolveModule *module, const LinearSystem *loop, const double *axis,
                          uint32_t count, uint32_t open, Nyquist *out) {
  Contour contour = {.arena = arena, .s = loop, .out = out}, *x = &contour;
  double *marks, sum = 0, from = 0;
  uint32_t mark_count;
  *out = (Nyquist){.open = open};
  double top = pi / loop->period;
  DenseStatus status = response_open(&x->response, arena, module, loop);
  // where L stays near its end: within a tenth of its distance to -1
  if (status == dense_done && !(loop->period > 0))
    status = far_frequency(arena, module, loop, 0.1 * fabs(1 + loop->D[0]), &top);
  if (status != dense_done) return status;
  if (!isfinite(top)) return out->why = "the loop passes all frequencies alike, so its curve does not end", dense_done;
  for (uint32_t k = 0; k < loop->delays; k++) x->delay += loop->time[k];
  if (top * x->delay > 0.25 * most_points)
    return out->why = "dead times turn its curve round too often to be followed", dense_done;
  if (status == dense_done) status = find_marks(x, module, top, &marks, &mark_count);
  if (status != dense_done) return status;
  bool ok = true;
  for (uint32_t i = 0; i < count && ok; i++) {
    if (i && axis[i] == axis[i - 1]) continue; // once around a multiple one
    double r = radius_at(marks, mark_count, axis, count, axis[i]), to = axis[i] - r;
    if (!vec_push(arena, &out->indented, axis[i])) return dense_no_memory;
    if (to > from) ok = along(x, from, to, marks, mark_count, &sum);
    x->circle = true;
    x->at = axis[i];
    x->radius = loop->period > 0 ? r * loop->period : r;
    bool last = loop->period > 0 && axis[i] > top - 1e-9 * top;
    if (ok) ok = stretch(x, axis[i] == 0 ? 0 : -pi / 2, last ? 0 : pi / 2, &sum);
    x->circle = false;
    from = last ? top : axis[i] + r;
  }
  if (ok && from < top) ok = along(x, from, top, marks, mark_count, &sum);
  if (arena_failed(arena)) return dense_no_memory;
  if (!ok) return dense_done;
  // the rest of the way to the real axis, where L is its end
  Complex end = 1 + (loop->period > 0 ? out->points.items[out->points.count - 1].value : loop->D[0]),
          last = 1 + out->points.items[out->points.count - 1].value;
  sum += carg(end / last);
  double number = -sum / pi;
  out->known = fabs(number - nearbyint(number)) < 0.05;
  if (!out->known) return out->why = "the turns do not add up to a whole number", dense_done;
  out->around = (int32_t)nearbyint(number);
  out->closed = out->around + (int32_t)open;
  return dense_done;
}

// Counting zeros of det F by the argument principle.
//
// Right of a line Re s = q no zero is large: of s x = A x + E w, w = e (G x + J w) with M = |e| |J| < 1 the sizes obey
//   |s| |x| <= P |x|,   P = |A| + |E| (1 - M)^-1 |e| |G|,   so  |s| <= the spectral radius of P.
// So all lie in a rectangle, and their number is the change of the angle of det F along its upper half over pi.
//
// From s0 to s:  F(s0)^-1 F(s) = 1 + K, and |K| <= |s - s0| |F(s0)^-1| W with rows of W that hold on the whole way.
// With r the spectral radius of that, which bounds all eigenvalues of K,
//   |log det(1 + K) - tr K| <= size (-log(1 - r) - r).
// A step is as long as that stays below pi: the angle of det F at both ends, and tr K, give its change. Both
// radii are bounded from above by Collatz and Wielandt: of M >= 0 the largest (M x)_i/x_i, whichever x > 0 is taken; so
// units do not matter. Rounding is far below the slack.
#include "analyze/delay_count.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static const double most_angle = 2.8;

// The largest r with size (-log(1 - r) - r) below the angle that is allowed.
static double change_allowed(uint32_t size) {
  double low = 0, high = 0.95;
  for (int i = 0; i < 60; i++) {
    double r = (low + high) / 2;
    if (size * (-log1p(-r) - r) < most_angle) low = r;
    else high = r;
  }
  return low;
}

bool delay_function_open(DelayFunction *x, Arena *arena, const LinearSystem *s) {
  size_t size = (size_t)s->n + s->delays;
  *x = (DelayFunction){.arena = arena, .s = s, .size = (uint32_t)size, .most_steps = 30000};
  x->f = arena_array(arena, size * size + 1, sizeof *x->f);
  x->matrix = arena_array(arena, size * size + 1, sizeof *x->matrix);
  x->inverse = arena_array(arena, size * size + 1, sizeof *x->inverse);
  x->column = arena_array(arena, size + 1, sizeof *x->column);
  x->pivot = arena_array(arena, size + 1, sizeof *x->pivot);
  x->weight = arena_array(arena, size + 1, sizeof *x->weight);
  x->image = arena_array(arena, 2 * size + 1, sizeof *x->image);
  if (arena_failed(arena)) return false;
  for (size_t i = 0; i < size; i++) x->weight[i] = 1;
  x->most_change = change_allowed(x->size);
  return true;
}

static void fill(DelayFunction *x, Complex at) {
  const LinearSystem *s = x->s;
  size_t n = s->n, d = s->delays, size = x->size;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) x->matrix[i * size + j] = (i == j ? at : 0) - s->A[i * n + j];
    for (size_t j = 0; j < d; j++) x->matrix[i * size + n + j] = -s->E[i * d + j];
  }
  for (size_t i = 0; i < d; i++) {
    Complex e = cexp(-at * s->time[i]);
    for (size_t j = 0; j < n; j++) x->matrix[(n + i) * size + j] = -e * s->G[i * n + j];
    for (size_t j = 0; j < d; j++) x->matrix[(n + i) * size + n + j] = (i == j) - e * s->J[i * d + j];
  }
}

// Factors and inverse at a point s, and the angle of the determinant. False: it is zero.
static bool factor_at(DelayFunction *x, Complex at, double *angle) {
  size_t size = x->size;
  double sum = 0;
  fill(x, at);
  memcpy(x->f, x->matrix, size * size * sizeof *x->f);
  if (!complex_factor(x->size, x->f, x->pivot)) return false;
  for (size_t i = 0; i < size; i++) sum += carg(x->f[i * size + i]) + (x->pivot[i] != i ? pi : 0);
  *angle = remainder(sum, 2 * pi);
  for (size_t c = 0; c < size; c++) {
    for (size_t i = 0; i < size; i++) x->column[i] = i == c;
    complex_solve(x->size, x->f, x->pivot, x->column);
    for (size_t i = 0; i < size; i++) x->inverse[i * size + c] = x->column[i];
  }
  return true;
}

// Of the inverse: what multiplies the change of e_k in tr(F^-1 dF).
static Complex channel_weight(const DelayFunction *x, size_t k) {
  const LinearSystem *s = x->s;
  size_t n = s->n, d = s->delays, size = x->size;
  Complex sum = 0;
  for (size_t j = 0; j < n; j++) sum += x->inverse[j * size + n + k] * s->G[k * n + j];
  for (size_t j = 0; j < d; j++) sum += x->inverse[(n + j) * size + n + k] * s->J[k * d + j];
  return sum;
}

static Complex state_weight(const DelayFunction *x) {
  Complex sum = 0;
  for (size_t i = 0; i < x->s->n; i++) sum += x->inverse[i * x->size + i];
  return sum;
}

bool delay_function_slope(DelayFunction *x, Complex at, Complex *slope, double *rounding) {
  const LinearSystem *s = x->s;
  size_t size = x->size;
  double angle, sum = 0;
  if (!factor_at(x, at, &angle)) return false;
  *slope = state_weight(x);
  for (size_t k = 0; k < s->delays; k++) *slope += channel_weight(x, k) * cexp(-at * s->time[k]) * s->time[k];
  for (size_t i = 0; i < size; i++) {
    for (size_t j = 0; j < size; j++) sum += cabs(x->inverse[j * size + i]) * cabs(x->matrix[i * size + j]);
  }
  *rounding = 4 * DBL_EPSILON * sum;
  return true;
}

// ---- sizes

// An upper bound of the spectral radius of P >= 0.
static double radius_of(size_t n, const double *p, double *v, double *w) {
  double best = INFINITY;
  for (size_t i = 0; i < n; i++) v[i] = 1;
  for (int round = 0; round < 200 && n; round++) {
    double most = 0, largest = 0;
    for (size_t i = 0; i < n; i++) {
      w[i] = 0;
      for (size_t j = 0; j < n; j++) w[i] += p[i * n + j] * v[j];
      most = fmax(most, w[i] / v[i]);
    }
    best = fmin(best, most);
    // v and P v together: also where the iteration with P alone would oscillate
    for (size_t i = 0; i < n; i++) {
      v[i] += w[i] / (most > 0 ? most : 1);
      largest = fmax(largest, v[i]);
    }
    for (size_t i = 0; i < n; i++) v[i] = fmax(v[i] / largest, 1e-200);
  }
  return n ? best : 0;
}

double delay_function_largest(const DelayFunction *x, double line) {
  const LinearSystem *s = x->s;
  size_t n = s->n, d = s->delays;
  Arena *scratch = arena_new_scratch(x->arena);
  double *m = scratch ? arena_array(scratch, d * d + d * n + n * n + 2 * n + 1, sizeof *m) : NULL, out = INFINITY;
  if (m) {
    double *g = m + d * d, *p = g + d * n, *v = p + n * n;
    for (size_t i = 0; i < d; i++) {
      double e = exp(-line * s->time[i]);
      for (size_t j = 0; j < d; j++) m[i * d + j] = (i == j) - e * fabs(s->J[i * d + j]);
      for (size_t j = 0; j < n; j++) g[i * n + j] = e * fabs(s->G[i * n + j]);
    }
    if (dense_solve_positive((uint32_t)d, (uint32_t)n, m, g)) {
      for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
          p[i * n + j] = fabs(s->A[i * n + j]);
          for (size_t k = 0; k < d; k++) p[i * n + j] += fabs(s->E[i * d + k]) * g[k * n + j];
        }
      }
      out = radius_of(n, p, v, v + n);
    }
  }
  arena_free_scratch(scratch);
  return out;
}

// ---- steps

// The spectral radius of |F^-1| W per length of a step from `at`, from above. W: 1 for states; for channels what
// |e(s) - e(at)| is at most, `growth` |e| T.
static double steepness(DelayFunction *x, Complex at, double growth) {
  const LinearSystem *s = x->s;
  size_t n = s->n, d = s->delays, size = x->size;
  double *v = x->weight, *w = x->image, *y = w + size, best = INFINITY;
  for (int round = 0; round < 6; round++) {
    double most = 0, largest = 0;
    for (size_t i = 0; i < n; i++) w[i] = v[i];
    for (size_t k = 0; k < d; k++) {
      double sum = 0;
      for (size_t j = 0; j < n; j++) sum += fabs(s->G[k * n + j]) * v[j];
      for (size_t j = 0; j < d; j++) sum += fabs(s->J[k * d + j]) * v[n + j];
      w[n + k] = sum * growth * s->time[k] * exp(-creal(at) * s->time[k]);
    }
    for (size_t i = 0; i < size; i++) {
      y[i] = 0;
      for (size_t j = 0; j < size; j++) y[i] += cabs(x->inverse[i * size + j]) * w[j];
      most = fmax(most, y[i] / v[i]);
      largest = fmax(largest, y[i]);
    }
    bool done = most > 0.8 * best;
    best = fmin(best, most);
    for (size_t i = 0; i < size; i++) v[i] = fmax(y[i] / largest, 1e-12);
    if (done) break;
  }
  return best;
}

// How the angle of det F changes from one point to another, both near: from `at`, whose factors are there. *angle:
// before, and after.
static bool turn_to(DelayFunction *x, Complex at, Complex to, double *angle, double *turn) {
  const LinearSystem *s = x->s;
  double next;
  Complex trace = (to - at) * state_weight(x);
  for (size_t k = 0; k < s->delays; k++)
    trace += channel_weight(x, k) * (cexp(-at * s->time[k]) - cexp(-to * s->time[k]));
  if (!factor_at(x, to, &next)) return false;
  *turn += cimag(trace) + remainder(next - *angle - cimag(trace), 2 * pi);
  *angle = next;
  return true;
}

// The change of the angle along a straight line.
static DelayCount turn_along(DelayFunction *x, Complex from, Complex to, double *turn) {
  double angle, length = cabs(to - from), done = 0, longest = 0;
  Complex direction = (to - from) / length;
  bool upright = creal(direction) == 0; // |e| does not change
  for (size_t k = 0; k < x->s->delays; k++) longest = fmax(longest, x->s->time[k]);
  if (length == 0) return delay_counted;
  if (!factor_at(x, from, &angle)) return delay_on_contour;
  while (done < length) {
    Complex at = from + done * direction;
    if (++x->steps > x->most_steps) return delay_too_long;
    double h = x->most_change / steepness(x, at, upright ? 1 : 1.72); // e^x - 1 < 1.72 x up to 1
    if (!upright && longest > 0) h = fmin(h, 1 / longest);
    if (!(h > 1e-13 * cabs(at) && h > 1e-15 * length)) return delay_on_contour;
    done = fmin(done + h, length);
    if (!turn_to(x, at, from + done * direction, &angle, turn)) return delay_on_contour;
  }
  return delay_counted;
}

static DelayCount whole_number(double turns, uint32_t *count) {
  *count = (uint32_t)fmax(nearbyint(turns), 0);
  return fabs(turns - *count) < 1e-3 ? delay_counted : delay_on_contour;
}

DelayCount delay_count_right(DelayFunction *x, double line, uint32_t *count) {
  double radius = delay_function_largest(x, line), turn = 0;
  *count = 0;
  x->steps = 0;
  if (!isfinite(radius)) return delay_neutral;
  if (x->s->n == 0) return delay_counted; // without states there are none where M < 1
  radius *= 1.01;
  if (radius <= fabs(line) && line > 0) return delay_counted; // there are none
  double right = fmax(radius, line) + 0.1 * (radius + fabs(line));
  radius = fmax(radius, 0.1 * (right - line));
  const Complex corner[] = {right, right + I * radius, line + I * radius, line};
  DelayCount status = delay_counted;
  for (int i = 0; i < 3 && status == delay_counted; i++) status = turn_along(x, corner[i], corner[i + 1], &turn);
  return status == delay_counted ? whole_number(turn / pi, count) : status;
}

DelayCount delay_count_inside(DelayFunction *x, uint32_t *count) {
  double angle, turn = 0, done = 0;
  *count = 0;
  x->steps = 0;
  if (!factor_at(x, 1, &angle)) return delay_on_contour;
  while (done < pi) {
    Complex at = cexp(I * done);
    if (++x->steps > x->most_steps) return delay_too_long;
    double h = fmin(x->most_change / steepness(x, at, 1), 0.5);
    if (!(h > 1e-13)) return delay_on_contour;
    done = fmin(done + h, pi);
    if (!turn_to(x, at, cexp(I * done), &angle, &turn)) return delay_on_contour;
  }
  return whole_number(turn / pi, count);
}

DelayCount delay_count_box(DelayFunction *x, Complex low, Complex high, uint32_t *count) {
  const Complex corner[] = {low, creal(high) + I * cimag(low), high, creal(low) + I * cimag(high), low};
  double turn = 0;
  DelayCount status = delay_counted;
  *count = 0;
  x->steps = 0;
  for (int i = 0; i < 4 && status == delay_counted; i++) status = turn_along(x, corner[i], corner[i + 1], &turn);
  return status == delay_counted ? whole_number(turn / (2 * pi), count) : status;
}

// Kernels.
#include "tape/kernels.h"

#include "base/random.h"

#include <math.h>
#include <string.h>

// ---- accelerations of a block

// M = L D L' without pivoting. Every pivot positive (and not lost to cancellation) proves that M is positive definite,
// where this is stable; otherwise false. Then the columns of X are solved for, one after the other.
static inline bool solve_definite(double *m, double *x, uint32_t n, uint32_t columns) {
  for (uint32_t j = 0; j < n; j++) {
    double d = m[j * n + j], whole = d;
    for (uint32_t k = 0; k < j; k++) d -= m[j * n + k] * m[j * n + k] * m[k * n + k];
    if (!(d > 1e-12 * whole)) return false;
    m[j * n + j] = d;
    for (uint32_t i = j + 1; i < n; i++) {
      double s = m[i * n + j];
      for (uint32_t k = 0; k < j; k++) s -= m[i * n + k] * m[j * n + k] * m[k * n + k];
      m[i * n + j] = s / d;
    }
  }
  for (uint32_t c = 0; c < columns; c++, x += n) {
    for (uint32_t i = 0; i < n; i++) {
      for (uint32_t k = 0; k < i; k++) x[i] -= m[i * n + k] * x[k];
    }
    for (uint32_t i = 0; i < n; i++) x[i] /= m[i * n + i];
    for (uint32_t i = n; i-- > 0;) {
      for (uint32_t k = i + 1; k < n; k++) x[i] -= m[k * n + i] * x[k];
    }
  }
  return true;
}

// Elimination with row pivoting; NaN when a pivot vanishes against its column.
static void solve_general(double *m, double *x, uint32_t n, uint32_t columns) {
  for (uint32_t j = 0; j < n; j++) {
    uint32_t best = j;
    double largest = 0;
    for (uint32_t i = 0; i < n * n; i++) largest = fabs(m[i]) > largest ? fabs(m[i]) : largest;
    for (uint32_t i = j + 1; i < n; i++) {
      if (fabs(m[i * n + j]) > fabs(m[best * n + j])) best = i;
    }
    if (!(fabs(m[best * n + j]) > 1e-15 * largest)) {
      for (uint32_t i = 0; i < n * columns; i++) x[i] = NAN;
      return;
    }
    if (best != j) {
      for (uint32_t k = 0; k < n; k++) {
        double swap = m[j * n + k];
        m[j * n + k] = m[best * n + k];
        m[best * n + k] = swap;
      }
      for (uint32_t c = 0; c < columns; c++) {
        double swap = x[c * n + j];
        x[c * n + j] = x[c * n + best];
        x[c * n + best] = swap;
      }
    }
    for (uint32_t i = j + 1; i < n; i++) {
      double f = m[i * n + j] / m[j * n + j];
      for (uint32_t k = j + 1; k < n; k++) m[i * n + k] -= f * m[j * n + k];
      for (uint32_t c = 0; c < columns; c++) x[c * n + i] -= f * x[c * n + j];
    }
  }
  for (uint32_t c = 0; c < columns; c++, x += n) {
    for (uint32_t i = n; i-- > 0;) {
      for (uint32_t k = i + 1; k < n; k++) x[i] -= m[i * n + k] * x[k];
      x[i] /= m[i * n + i];
    }
  }
}

static void load(const TapeCall *call, const uint32_t *args, const double *w, double *m, double *x) {
  uint32_t n = call->size;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t cols = call->symmetric ? i + 1 : n;
    for (uint32_t j = 0; j < cols; j++) {
      m[i * n + j] = w[*args++];
      if (call->symmetric) m[j * n + i] = m[i * n + j];
    }
  }
  for (uint32_t i = 0; i < n * (1 + call->more); i++) x[i] = -w[*args++];
}

// The sizes of everyday models, with the loops unrolled by the compiler.
static inline bool solve_small(double *m, double *x, uint32_t n, uint32_t columns) {
  if (columns > 1) return solve_definite(m, x, n, columns);
  switch (n) {
  case 2: return solve_definite(m, x, 2, 1);
  case 3: return solve_definite(m, x, 3, 1);
  case 4: return solve_definite(m, x, 4, 1);
  default: return solve_definite(m, x, n, 1);
  }
}

void kernel_solve(const TapeCall *call, const uint32_t *args, double *w) {
  uint32_t n = call->size, columns = 1 + call->more;
  double *x = w + call->scratch, *m = x + (size_t)n * columns;
  load(call, args, w, m, x);
  if (call->large) {
    int *pivot = (int *)(void *)(m + (size_t)n * n);
    if (call->symmetric && call->large(n, columns, true, m, x, pivot)) return;
    load(call, args, w, m, x);
    if (call->large(n, columns, false, m, x, pivot)) return;
    for (uint32_t i = 0; i < n * columns; i++) x[i] = NAN;
    return;
  }
  if (call->symmetric && solve_small(m, x, n, columns)) return;
  load(call, args, w, m, x);
  solve_general(m, x, n, columns);
}

// ---- signals

double kernel_table(const ModelTable *t, double x, bool slope) {
  uint32_t n = t->count;
  if (isnan(x)) return x;
  if (n == 1 || x <= t->x[0]) return slope ? (x == t->x[0] && n > 1 ? (t->y[1] - t->y[0]) / (t->x[1] - t->x[0]) : 0) : t->y[0];
  if (x >= t->x[n - 1]) return slope ? 0 : t->y[n - 1];
  uint32_t lo = 0, hi = n - 1; // x[lo] <= x < x[hi]
  while (hi - lo > 1) {
    uint32_t mid = lo + (hi - lo) / 2;
    if (t->x[mid] <= x) lo = mid;
    else hi = mid;
  }
  double k = (t->y[hi] - t->y[lo]) / (t->x[hi] - t->x[lo]);
  return slope ? k : t->y[lo] + k * (x - t->x[lo]);
}

double kernel_noise(double seed, double n) {
  if (!(fabs(n) < 9e15) || !(fabs(seed) < 9e15)) return NAN;
  return random_normal((uint64_t)(int64_t)seed, (uint64_t)(int64_t)n);
}

// ---- definite integrals

static double body_at(const TapeCall *call, double *body, double s) {
  body[0] = s;
  tape_eval(call->body, body);
  return tape_result(call->body, body, 0);
}

// Gauss and Kronrod's rules with 7 and 15 points; returns the finer one and the difference of both.
static double kronrod(const TapeCall *call, double *body, double a, double b, double *error) {
  static const double x[8] = {0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
                              0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
                              0.586087235467691130294144691693013, 0.405845151377397166906606412076961,
                              0.207784955007898467600689403773245, 0.0};
  static const double wk[8] = {0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
                               0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
                               0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
                               0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
  static const double wg[4] = {0.129484966168869693270611432679082, 0.279705391489276667901467771423780,
                               0.381830050505118944950369775488975, 0.417959183673469387755102040816327};
  double c = (a + b) / 2, h = (b - a) / 2;
  double f = body_at(call, body, c), fine = wk[7] * f, coarse = wg[3] * f;
  for (int i = 0; i < 7; i++) {
    double pair = body_at(call, body, c - h * x[i]) + body_at(call, body, c + h * x[i]);
    fine += wk[i] * pair;
    if (i % 2) coarse += wg[i / 2] * pair;
  }
  *error = fabs(fine - coarse) * fabs(h);
  return fine * h;
}

double kernel_integral(const TapeCall *call, const uint32_t *args, double *w) {
  enum { deepest = 50, most = 4000 };
  double *body = w + call->scratch;
  double a = w[args[0]], b = w[args[1]];
  for (uint32_t i = 2; i < call->count; i++) body[i - 1] = w[args[i]];
  tape_prepare(call->body, body);
  if (!(isfinite(a) && isfinite(b))) return NAN;
  double error, first = kronrod(call, body, a, b, &error);
  double tolerance = 1e-14 * fabs(first) + 1e-300;
  if (error <= tolerance || !isfinite(first)) return first;
  // halves of halves, left to right, each to its share
  struct {
    double a, b;
  } stack[deepest + 1];
  double sum = 0;
  int top = 0, used = 0;
  stack[0].a = a;
  stack[0].b = b;
  while (top >= 0) {
    double l = stack[top].a, r = stack[top].b, mid = (l + r) / 2;
    double part = kronrod(call, body, l, r, &error);
    bool small = error <= tolerance * fabs((r - l) / (b - a)) || error <= 1e-15 * fabs(part);
    if (small || top >= deepest || mid == l || mid == r || ++used > most) {
      sum += part;
      top--;
      continue;
    }
    stack[top].b = r;
    stack[top].a = mid;
    top++;
    stack[top].a = l;
    stack[top].b = mid;
  }
  return sum;
}

// ---- inverse of a function of one argument

// f(s) = y by Newton's method inside a bracket that is found by doubling; for functions that rise or fall throughout.
double kernel_inverse(const TapeCall *call, const uint32_t *args, double *w) {
  double *body = w + call->scratch;
  double y = w[args[0]];
  for (uint32_t i = 1; i < call->count; i++) body[i] = w[args[i]];
  tape_prepare(call->body, body);
  if (!isfinite(y)) return NAN;
  double lo = 0, hi = 0, flo, fhi, f0 = body_at(call, body, 0) - y;
  if (f0 == 0) return 0;
  double slope = tape_result(call->body, body, 1);
  // the side on which the value is reached
  double direction = (f0 < 0) == (slope > 0) ? 1 : -1, reach = 1;
  flo = fhi = f0;
  for (int i = 0; i < 1100; i++, reach *= 2) {
    hi = direction * reach;
    fhi = body_at(call, body, hi) - y;
    if (!isfinite(fhi)) return NAN;
    if ((fhi < 0) != (f0 < 0) || fhi == 0) break;
    lo = hi;
    flo = fhi;
  }
  if ((fhi < 0) == (f0 < 0) && fhi != 0) return NAN;
  double s = lo - flo * (hi - lo) / (fhi - flo);
  for (int i = 0; i < 200; i++) {
    double f = body_at(call, body, s) - y, d = tape_result(call->body, body, 1);
    if (f == 0) return s;
    if ((f < 0) == (flo < 0)) lo = s, flo = f;
    else hi = s, fhi = f;
    double next = s - f / d;
    bool inside = (next - lo) * (next - hi) < 0;
    if (!isfinite(next) || !inside) next = lo + (hi - lo) / 2;
    if (next == s || fabs(next - s) <= 1e-16 * fabs(s)) return next;
    s = next;
  }
  return s;
}

// Systems of nonlinear equations: g(z) = 0 by Newton's method from a guess, with the exact Jacobian.
//
// A step d solves J d = -g; it is shortened until the step that would follow, with the same J, is shorter (the test
// that does not depend on how the equations are scaled). Near the solution full steps are taken until they stop getting
// smaller, so the result does not depend on the guess but for its last bit. How large unknowns should be nobody says:
// where steps are small, but not beside the unknowns, it takes some more that do not help before they count as
// rounding.
#include "tape/kernels.h"

#include <math.h>
#include <string.h>

// m becomes its triangular factors, rows exchanged; false: singular.
static bool factorize(double *m, uint32_t *pivot, uint32_t n) {
  for (uint32_t j = 0; j < n; j++) {
    uint32_t best = j;
    double largest = 0;
    for (uint32_t i = 0; i < n; i++) largest = fmax(largest, fabs(m[i * n + j]));
    for (uint32_t i = j + 1; i < n; i++) {
      if (fabs(m[i * n + j]) > fabs(m[best * n + j])) best = i;
    }
    pivot[j] = best;
    if (!(fabs(m[best * n + j]) > 1e-15 * largest) || !isfinite(m[best * n + j])) return false;
    for (uint32_t k = 0; best != j && k < n; k++) {
      double swap = m[j * n + k];
      m[j * n + k] = m[best * n + k];
      m[best * n + k] = swap;
    }
    for (uint32_t i = j + 1; i < n; i++) {
      if (m[i * n + j] == 0) continue; // of equations in a ring or a chain that is most of them
      double f = m[i * n + j] /= m[j * n + j];
      for (uint32_t k = j + 1; k < n; k++) m[i * n + k] -= f * m[j * n + k];
    }
  }
  return true;
}

static void substitute(const double *m, const uint32_t *pivot, double *x, uint32_t n) {
  for (uint32_t j = 0; j < n; j++) {
    double swap = x[j];
    x[j] = x[pivot[j]];
    x[pivot[j]] = swap;
  }
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = 0; k < i; k++) x[i] -= m[i * n + k] * x[k];
  }
  for (uint32_t i = n; i-- > 0;) {
    for (uint32_t k = i + 1; k < n; k++) x[i] -= m[i * n + k] * x[k];
    x[i] /= m[i * n + i];
  }
}

typedef struct Newton {
  const Tape *tape; // of the body
  uint32_t n;
  double *z, *d, *next, *trial, *J, *body;
  uint32_t *pivot;
} Newton;

// The body's variables are z and what was captured.
static bool evaluate(const Newton *w, const double *z, double *g) {
  memcpy(w->body, z, w->n * sizeof *z);
  tape_eval(w->tape, w->body);
  bool finite = true;
  for (uint32_t i = 0; i < w->n; i++) {
    g[i] = -tape_result(w->tape, w->body, i);
    finite = finite && isfinite(g[i]);
  }
  return finite;
}

// Against the size of each unknown, or 1 where it is smaller.
static double size_of(const Newton *w, const double *d) {
  double most = 0;
  for (uint32_t i = 0; i < w->n; i++) most = fmax(most, fabs(d[i]) / fmax(fabs(w->z[i]), 1));
  return most;
}

// Shortens the step until it helps. False: it never does.
static bool search(const Newton *w, double whole) {
  // halved once, then quartered: a step that is far too long is so by powers of ten; below 1e-10 rounding decides
  for (double part = 1; part > 1e-10; part *= part > 0.4 ? 0.5 : 0.25) {
    for (uint32_t i = 0; i < w->n; i++) w->trial[i] = w->z[i] + part * w->d[i];
    if (!evaluate(w, w->trial, w->next)) continue;
    substitute(w->J, w->pivot, w->next, w->n);
    if (size_of(w, w->next) <= (1 - part / 4) * whole) return true;
  }
  return false;
}

// Is the step rounding beside each unknown?
static bool is_rounding(const Newton *w) {
  for (uint32_t i = 0; i < w->n; i++) {
    if (fabs(w->d[i]) > 1e-12 * fabs(w->z[i])) return false;
  }
  return true;
}

// How the steps of one solution went.
typedef struct Course {
  double before, best; // their sizes: the last one near the solution, and the last that was half of one before
  int waits;           // rounds since then
} Course;

// Steps of this size have stopped getting smaller.
static bool stands(const Newton *w, Course *c, double now) {
  enum { patience = 4 }; // roots that are met slowly, as those of a cube, halve a step in two rounds
  if (now == 0) return true;
  bool slow = now >= c->before / 4;
  if (now < 0.5 * c->best) {
    c->best = now;
    c->waits = 0;
  } else {
    c->waits++;
  }
  return slow && (is_rounding(w) || c->waits >= patience);
}

// -g becomes the step; false: J is singular.
static bool find_step(const Newton *w) {
  for (uint32_t i = 0; i < w->n * w->n; i++) w->J[i] = tape_result(w->tape, w->body, w->n + i);
  if (!factorize(w->J, w->pivot, w->n)) return false;
  substitute(w->J, w->pivot, w->d, w->n);
  return true;
}

static bool is_zero(const double *d, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    if (d[i] != 0) return false;
  }
  return true;
}

static bool iterate(const Newton *w) {
  enum { most = 100 }; // far more than what converges needs, which doubles its digits each time
  Course course = {INFINITY, INFINITY, 0};
  for (int k = 0; k < most; k++) {
    if (!evaluate(w, w->z, w->d)) return false;
    // a double root, or no inertia left: good enough where nothing is left to solve
    if (!find_step(w)) return is_zero(w->d, w->n);
    double now = size_of(w, w->d);
    if (!isfinite(now)) return false;
    bool close = now < 1e-8; // half of all digits: the next full step has the others
    if (close && stands(w, &course, now)) return true;
    if (close && now <= course.before) {
      for (uint32_t i = 0; i < w->n; i++) w->trial[i] = w->z[i] + w->d[i];
    } else if (!search(w, now)) {
      return close; // of rounding
    }
    memcpy(w->z, w->trial, w->n * sizeof *w->z);
    course.before = close ? now : INFINITY;
  }
  return isfinite(course.before); // an unknown that is zero: beside it no step is rounding
}

static uint32_t results(const void *data) { return ((const KernelNewton *)data)->size; }

static uint32_t room(const void *data) {
  const KernelNewton *n = data;
  return 5 * n->size + n->size * n->size + n->body->slot_count;
}

static uint64_t work(const void *data) {
  uint64_t n = ((const KernelNewton *)data)->size;
  return n * n * n / 3;
}

static const Tape *body_of(const void *data) { return ((const KernelNewton *)data)->body; }

static void eval(const TapeCall *call, const uint32_t *args, double *w, double *z) {
  const KernelNewton *data = call->data;
  uint32_t n = data->size;
  Newton newton = {
      data->body, n, z, z + n, z + 2 * n, z + 3 * n, z + 5 * n, z + 5 * n + n * n, (uint32_t *)(void *)(z + 4 * n)};
  for (uint32_t i = 0; i < n; i++) z[i] = w[args[i]];
  for (uint32_t i = n; i < call->count; i++) newton.body[i] = w[args[i]];
  tape_prepare(data->body, newton.body);
  if (iterate(&newton)) return;
  for (uint32_t i = 0; i < n; i++) z[i] = NAN;
}

static void solve(const void *data, double *matrix, double (*rates)[tape_directions]) {
  uint32_t n = ((const KernelNewton *)data)->size, *pivot = (uint32_t *)(void *)(matrix + n * n);
  double *x = matrix + n * n + n;
  bool regular = factorize(matrix, pivot, n);
  for (uint32_t l = 0; l < tape_directions; l++) {
    for (uint32_t i = 0; i < n; i++) x[i] = regular ? -rates[i][l] : NAN;
    if (regular) substitute(matrix, pivot, x, n);
    for (uint32_t i = 0; i < n; i++) rates[i][l] = x[i];
  }
}

const TapeKernel kernel_newton = {
    .name = "newton",
    .fault = "no solution was found",
    .results = results,
    .room = room,
    .eval = eval,
    .tangent = tangent_by_solving, // dg/dz z' + dg = 0 at the solution
    .solve = solve,
    .work = work,
    .body = body_of,
};

// Kernels: what stands between a tape and the functions of kernels_text.h.
#include "tape/kernels.h"

#include "base/random.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef double viva_real;
#define VIVA_PIVOT 1e-12
#define VIVA_SINGULAR 1e-15
#define VIVA_FINE 1e-14  // what an integral is to have
#define VIVA_ROUGH 1e-10 // and what it must have
#define VIVA_FINEST 1e-16
#define VIVA_TINY 1e-300
#define VIVA_LARGEST DBL_MAX
#define VIVA_LOWEST_EXPONENT -746 // exp of less is 0
#define viva_sqrt sqrt
#include "tape/kernels_text.h"

// ---- accelerations of a block

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
  if (columns > 1) return viva_definite(m, x, n, columns);
  switch (n) {
  case 2: return viva_definite(m, x, 2, 1);
  case 3: return viva_definite(m, x, 3, 1);
  case 4: return viva_definite(m, x, 4, 1);
  default: return viva_definite(m, x, n, 1);
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
  viva_general(m, x, n, columns);
}

// ---- signals

double kernel_table(const ModelTable *t, double x, int slope) { return viva_table(x, t->count, t->x, t->y, slope); }

double kernel_noise(double seed, double n) {
  if (!(fabs(n) < 9e15) || !(fabs(seed) < 9e15)) return NAN;
  return random_normal((uint64_t)(int64_t)seed, (uint64_t)(int64_t)n);
}

// ---- integrals and inverses

static inline double body_at(const void *self, double *w, double s, double *more) {
  const Tape *body = self;
  w[0] = s;
  tape_eval(body, w);
  for (uint32_t i = 1; i < body->output_count; i++) more[i - 1] = tape_result(body, w, i);
  return tape_result(body, w, 0);
}

double kernel_digits(const TapeCall *call) {
  double most = 1;
  for (uint32_t i = 0; i < call->body->call_count; i++) {
    const TapeCall *inner = &call->body->calls[i];
    double own = inner->body ? 30 * kernel_digits(inner) : 1;
    if (own > most) most = own;
  }
  return most;
}

uint32_t integral_room(const Tape *body) { return body->slot_count + (viva_points + 1) * (body->output_count - 1); }

static double integrate(const TapeCall *call, const uint32_t *args, double *w, int *why) {
  double *body = w + call->scratch;
  for (uint32_t i = 2; i < call->count; i++) body[i - 1] = w[args[i]];
  tape_prepare(call->body, body);
  return viva_integral(body_at, call->body, body, call->watches, call->body->output_count - 1,
                       body + call->body->slot_count, w[args[0]], w[args[1]], kernel_digits(call), why);
}

double kernel_integral(const TapeCall *call, const uint32_t *args, double *w) { return integrate(call, args, w, NULL); }

bool kernel_integral_reached(const TapeCall *call, const uint32_t *args, double *w) {
  int why;
  integrate(call, args, w, &why);
  return why != viva_not_reached;
}

static double invert(const TapeCall *call, const uint32_t *args, double *w, int *why) {
  double *body = w + call->scratch;
  for (uint32_t i = 1; i < call->count; i++) body[i] = w[args[i]];
  tape_prepare(call->body, body);
  return viva_inverse(body_at, call->body, body, w[args[0]], call->moving, why);
}

double kernel_inverse(const TapeCall *call, const uint32_t *args, double *w) { return invert(call, args, w, NULL); }

bool kernel_inverse_one_way(const TapeCall *call, const uint32_t *args, double *w) {
  int why;
  invert(call, args, w, &why);
  return why != viva_both_ways;
}

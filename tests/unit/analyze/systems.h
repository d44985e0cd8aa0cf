// Systems of known transfer functions, for the tests of this room.
#ifndef VIVA_TESTS_ANALYZE_SYSTEMS_H
#define VIVA_TESTS_ANALYZE_SYSTEMS_H

#include "tests/support.h"

#include "analyze/system.h"

#include <math.h>
#include <string.h>

// num/den, highest power first, den[0] = 1 in effect: the controller form. Both have n + 1 entries.
static inline LinearSystem system_of(Arena *arena, uint32_t n, const double *num, const double *den) {
  LinearSystem s;
  assert_true(system_room(&s, arena, n, 1, 1, 0));
  for (uint32_t i = 0; i + 1 < n; i++) s.A[i * n + i + 1] = 1;
  for (uint32_t i = 0; i < n; i++) {
    s.A[(n - 1) * n + i] = -den[n - i] / den[0];
    s.C[i] = (num[n - i] - num[0] * den[n - i] / den[0]) / den[0];
  }
  if (n) s.B[n - 1] = 1;
  s.D[0] = num[0] / den[0];
  return s;
}

// The same behind dead time: y(t) = (num/den u)(t - time).
static inline LinearSystem delayed_system(Arena *arena, uint32_t n, const double *num, const double *den, double time) {
  LinearSystem plain = system_of(arena, n, num, den), s;
  assert_true(system_room(&s, arena, n, 1, 1, 1));
  memcpy(s.A, plain.A, (size_t)n * n * sizeof *s.A);
  memcpy(s.B, plain.B, n * sizeof *s.B);
  memcpy(s.G, plain.C, n * sizeof *s.G);
  s.H[0] = plain.D[0];
  s.F[0] = 1;
  s.time[0] = time;
  return s;
}

static inline void assert_near(double got, double wanted, double tolerance) {
  if (!(fabs(got - wanted) <= tolerance * (1 + fabs(wanted)))) fail_msg("%.17g is not %.17g", got, wanted);
}

static inline void assert_complex(Complex got, Complex wanted, double tolerance) {
  if (!(cabs(got - wanted) <= tolerance * (1 + cabs(wanted))))
    fail_msg("%.17g%+.17gi is not %.17g%+.17gi", creal(got), cimag(got), creal(wanted), cimag(wanted));
}

#endif

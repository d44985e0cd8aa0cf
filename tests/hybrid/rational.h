// Rational numbers of two 64-bit integers, exact or marked.
//
// Every result is in lowest terms with a positive denominator. A result that does not fit sets `q_overflow`; who
// computes looks there at the end and throws the whole computation away.
#ifndef VIVA_TESTS_HYBRID_RATIONAL_H
#define VIVA_TESTS_HYBRID_RATIONAL_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef __int128 Wide;

typedef struct Q {
  int64_t n, d;
} Q;

extern bool q_overflow;

static inline int64_t q_gcd(int64_t a, int64_t b) {
  if (a < 0) a = -a;
  if (b < 0) b = -b;
  while (b) {
    int64_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}

static inline bool q_fits(Wide x) { return x < INT64_MAX && x > -INT64_MAX; }

static inline Q q_of(int64_t n, int64_t d) {
  int64_t g = q_gcd(n, d);
  if (g > 1) n /= g, d /= g;
  return d < 0 ? (Q){-n, -d} : (Q){n, d};
}
static inline Q q_int(int64_t n) { return (Q){n, 1}; }
static inline int q_sign(Q a) { return (a.n > 0) - (a.n < 0); }
static inline Q q_neg(Q a) { return (Q){-a.n, a.d}; }
static inline double q_double(Q a) { return (double)a.n / (double)a.d; }

static inline Q q_add(Q a, Q b) {
  if (a.n == 0) return b;
  if (b.n == 0) return a;
  int64_t g = q_gcd(a.d, b.d);
  Wide sum = (Wide)a.n * (b.d / g) + (Wide)b.n * (a.d / g);
  if (sum == 0) return q_int(0);
  int64_t h = q_gcd((int64_t)(sum % g), g);
  Wide n = sum / h, d = (Wide)(a.d / g) * (b.d / h);
  if (!q_fits(n) || !q_fits(d)) {
    q_overflow = true;
    return q_int(1);
  }
  return (Q){(int64_t)n, (int64_t)d};
}
static inline Q q_sub(Q a, Q b) { return q_add(a, q_neg(b)); }

static inline Q q_mul(Q a, Q b) {
  if (a.n == 0 || b.n == 0) return q_int(0);
  int64_t g = q_gcd(a.n, b.d), h = q_gcd(b.n, a.d);
  Wide n = (Wide)(a.n / g) * (b.n / h), d = (Wide)(a.d / h) * (b.d / g);
  if (!q_fits(n) || !q_fits(d)) {
    q_overflow = true;
    return q_int(1);
  }
  return (Q){(int64_t)n, (int64_t)d};
}
static inline Q q_div(Q a, Q b) { return q_mul(a, b.n < 0 ? (Q){-b.d, -b.n} : (Q){b.d, b.n}); }

static inline int q_cmp(Q a, Q b) {
  Wide x = (Wide)a.n * b.d, y = (Wide)b.n * a.d;
  return (x > y) - (x < y);
}
static inline bool q_eq(Q a, Q b) { return a.n == b.n && a.d == b.d; }
static inline Q q_min(Q a, Q b) { return q_cmp(a, b) < 0 ? a : b; }

static inline int64_t q_floor(Q a) { return a.n >= 0 ? a.n / a.d : -((-a.n + a.d - 1) / a.d); }

#endif

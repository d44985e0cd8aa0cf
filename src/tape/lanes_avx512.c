// Lanes with AVX-512: one vector of eight. Compiled for that instruction set; called only where the processor has it.
#include "tape/lanes.h"
#include "tape/threaded.h"

#if defined(__AVX512F__)
#include <math.h>
#include <string.h>

#include <immintrin.h>
#ifndef FP_FAST_FMA
#define FP_FAST_FMA 1
#endif
#include <sleef.h>

#define ONE(f)                                                                                                         \
  static void m_##f(const double *a, double *r) {                                                                      \
    _mm512_store_pd(r, Sleef_finz_##f##d8_u10avx512f(_mm512_load_pd(a)));                                              \
  }
#define TWO(f)                                                                                                         \
  static void m_##f(const double *a, const double *b, double *r) {                                                     \
    _mm512_store_pd(r, Sleef_finz_##f##d8_u10avx512f(_mm512_load_pd(a), _mm512_load_pd(b)));                           \
  }
// clang-format off
ONE(sin) ONE(cos) ONE(tan) ONE(asin) ONE(acos) ONE(atan) ONE(sinh) ONE(cosh)
ONE(tanh) ONE(exp) ONE(log) ONE(log10) TWO(atan2) TWO(pow)
    // clang-format on

    static void m_sqrt(const double *a, double *r) {
  _mm512_store_pd(r, _mm512_sqrt_pd(_mm512_load_pd(a)));
}
static void m_floor(const double *a, double *r) {
  _mm512_store_pd(r, _mm512_roundscale_pd(_mm512_load_pd(a), _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC));
}
static void m_sincos(const double *a, double *s, double *c) {
  Sleef___m512d_2 both = Sleef_finz_sincosd8_u10avx512f(_mm512_load_pd(a));
  _mm512_store_pd(s, both.x);
  _mm512_store_pd(c, both.y);
}

#define LANES_RUN run_avx512
#define LANES_RATES rates_avx512
#define LANES_FILL fill_avx512
#include "tape/lanes_body.h"

bool lanes_avx512(LaneKit *kit) {
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("fma") ||
      !__builtin_cpu_supports("avx2"))
    return false;
  fill_avx512(kit);
  return true;
}
#else
bool lanes_avx512(LaneKit *kit) {
  (void)kit;
  return false;
}
#endif

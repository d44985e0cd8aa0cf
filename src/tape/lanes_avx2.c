// Lanes with AVX2: two vectors of four. Compiled for that instruction set; called only where the processor has it.
#include "tape/lanes.h"
#include "tape/threaded.h"

#if defined(__AVX2__)
#include <math.h>
#include <string.h>

#include <immintrin.h>
#ifndef FP_FAST_FMA
#define FP_FAST_FMA 1
#endif
#include <sleef.h>

#define ONE(f)                                                                                                         \
  static void m_##f(const double *a, double *r) {                                                                      \
    __m256d low = Sleef_finz_##f##d4_u10avx2(_mm256_load_pd(a)),                                                       \
            high = Sleef_finz_##f##d4_u10avx2(_mm256_load_pd(a + 4));                                                  \
    _mm256_store_pd(r, low);                                                                                           \
    _mm256_store_pd(r + 4, high);                                                                                      \
  }
#define TWO(f)                                                                                                         \
  static void m_##f(const double *a, const double *b, double *r) {                                                     \
    __m256d low = Sleef_finz_##f##d4_u10avx2(_mm256_load_pd(a), _mm256_load_pd(b));                                    \
    __m256d high = Sleef_finz_##f##d4_u10avx2(_mm256_load_pd(a + 4), _mm256_load_pd(b + 4));                           \
    _mm256_store_pd(r, low);                                                                                           \
    _mm256_store_pd(r + 4, high);                                                                                      \
  }
// clang-format off
#define ALL_MATH \
  ONE(sin) ONE(cos) ONE(tan) ONE(asin) ONE(acos) ONE(atan) ONE(sinh) ONE(cosh) \
  ONE(tanh) ONE(exp) ONE(log) ONE(log10) TWO(atan2) TWO(pow)
ALL_MATH
#undef ONE
#undef TWO
// clang-format on

static void m_sqrt(const double *a, double *r) {
  for (int i = 0; i < 8; i += 4) _mm256_store_pd(r + i, _mm256_sqrt_pd(_mm256_load_pd(a + i)));
}
static void m_floor(const double *a, double *r) {
  for (int i = 0; i < 8; i += 4) _mm256_store_pd(r + i, _mm256_floor_pd(_mm256_load_pd(a + i)));
}
static void m_sincos(const double *a, double *s, double *c) {
  for (int i = 0; i < 8; i += 4) {
    Sleef___m256d_2 both = Sleef_finz_sincosd4_u10avx2(_mm256_load_pd(a + i));
    _mm256_store_pd(s + i, both.x);
    _mm256_store_pd(c + i, both.y);
  }
}

// ---- four lanes

#define ONE(f)                                                                                                         \
  static void half_##f(const double *a, double *r) {                                                                   \
    _mm256_store_pd(r, Sleef_finz_##f##d4_u10avx2(_mm256_load_pd(a)));                                                 \
  }
#define TWO(f)                                                                                                         \
  static void half_##f(const double *a, const double *b, double *r) {                                                  \
    _mm256_store_pd(r, Sleef_finz_##f##d4_u10avx2(_mm256_load_pd(a), _mm256_load_pd(b)));                              \
  }
// clang-format off
ALL_MATH
// clang-format on
static void half_sqrt(const double *a, double *r) { _mm256_store_pd(r, _mm256_sqrt_pd(_mm256_load_pd(a))); }
static void half_floor(const double *a, double *r) { _mm256_store_pd(r, _mm256_floor_pd(_mm256_load_pd(a))); }
static void half_sincos(const double *a, double *s, double *c) {
  Sleef___m256d_2 both = Sleef_finz_sincosd4_u10avx2(_mm256_load_pd(a));
  _mm256_store_pd(s, both.x);
  _mm256_store_pd(c, both.y);
}

static const LaneKit half_kit = {.sincos = half_sincos,
                                 .pair = (void (*)(void))Sleef_finz_sincosd4_u10avx2,
#define X(name, arity) .name = half_##name,
                                 TAPE_MATH(X)
#undef X
};

static void sincos4(double a, double b, double c, double d, double *r) {
  Sleef___m256d_2 both = Sleef_finz_sincosd4_u10avx2(_mm256_set_pd(d, c, b, a));
  _mm256_storeu_pd(r, both.x);
  _mm256_storeu_pd(r + 4, both.y);
}

static bool has_avx2(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

void lanes_widen(NativeKit *kit) {
  if (has_avx2()) kit->sincos4 = sincos4;
}

// ---- the family

#define LANES_RUN run_avx2
#define LANES_RATES rates_avx2
#define LANES_FILL fill_avx2
#include "tape/lanes_body.h"

bool lanes_avx2(LaneKit *kit) {
  if (!has_avx2()) return false;
  fill_avx2(kit);
  kit->half = &half_kit;
  return true;
}
#else
void lanes_widen(NativeKit *kit) { (void)kit; }

bool lanes_avx2(LaneKit *kit) {
  (void)kit;
  return false;
}
#endif

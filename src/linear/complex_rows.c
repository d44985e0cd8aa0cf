// Complex axpy and dot products of long rows. See complex_rows.h.
#include "linear/complex_rows.h"

#include <stddef.h>

#define INLINE static inline __attribute__((always_inline))

// Four numbers of a row, wherever it begins.
typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));
enum { four = 4 };

INLINE void add_body(ComplexRow to, double re, double im, ComplexRow from, size_t count) {
  size_t r = 0;
  for (; r + four <= count; r += four) {
    Four a = *(const Four *)&from.re[r], b = *(const Four *)&from.im[r];
    Four *x = (Four *)&to.re[r], *y = (Four *)&to.im[r];
    *x += a * re - b * im;
    *y += a * im + b * re;
  }
  for (; r < count; r++) {
    double a = from.re[r], b = from.im[r];
    to.re[r] += a * re - b * im;
    to.im[r] += a * im + b * re;
  }
}

INLINE void product_body(ComplexRow x, ComplexRow row, size_t count, double out[2]) {
  Four re = {0}, im = {0};
  size_t r = 0;
  for (; r + four <= count; r += four) {
    Four a = *(const Four *)&row.re[r], b = *(const Four *)&row.im[r];
    Four xr = *(const Four *)&x.re[r], xi = *(const Four *)&x.im[r];
    re += a * xr + b * xi;
    im += a * xi - b * xr;
  }
  for (; r < count; r++) {
    re[0] += row.re[r] * x.re[r] + row.im[r] * x.im[r];
    im[0] += row.re[r] * x.im[r] - row.im[r] * x.re[r];
  }
  out[0] = re[0] + re[1] + (re[2] + re[3]);
  out[1] = im[0] + im[1] + (im[2] + im[3]);
}

static void add_plain(ComplexRow to, double re, double im, ComplexRow from, uint32_t count) {
  add_body(to, re, im, from, count);
}
static void product_plain(ComplexRow x, ComplexRow row, uint32_t count, double out[2]) {
  product_body(x, row, count, out);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void add_avx2(ComplexRow to, double re, double im, ComplexRow from,
                                                     uint32_t count) {
  add_body(to, re, im, from, count);
}
__attribute__((target("avx2"))) static void product_avx2(ComplexRow x, ComplexRow row, uint32_t count, double out[2]) {
  product_body(x, row, count, out);
}

ComplexKit complex_kit(void) {
  if (__builtin_cpu_supports("avx2")) return (ComplexKit){add_avx2, product_avx2};
  return (ComplexKit){add_plain, product_plain};
}
#else
ComplexKit complex_kit(void) { return (ComplexKit){add_plain, product_plain}; }
#endif

// Upper bounds of a frequency response at high frequencies, from its poles and zeros.
//
// Through states every way from an input (or the end of a dead time) to an output (or its beginning) is, beyond
// its poles,
//   |g prod(iw - z)/prod(iw - p)| <= |g| w^-excess prod(1 + |z|/w)/prod(1 - |p|/w),
// which falls with w. Dead times change no size, so with these bounds S for the ways through states
//   |G - D| <= S_yu + (|F| + S_yw) (1 - |J| - S_zw)^-1 (|H| + S_zu).
#include "analyze/far.h"

#include <math.h>
#include <string.h>

// One way through states.
typedef struct FarWay {
  double gain;
  uint32_t excess;
  Zeros zeros;
} FarWay;

typedef struct FarSearch {
  const LinearSystem *s;
  Complex *poles;
  FarWay *ways; // (1 + d) x (1 + d): rows y and z, columns u and w
  double *m, *h;
} FarSearch;

// From column j (0: the input) to row i (0: the output).
static DenseStatus find_way(Arena *arena, const SolveModule *module, const LinearSystem *s, size_t i, size_t j,
                            FarWay *out) {
  LinearSystem one;
  size_t n = s->n, d = s->delays;
  if (!system_room(&one, arena, s->n, 1, 1, 0)) return dense_no_memory;
  memcpy(one.A, s->A, n * n * sizeof *one.A);
  memcpy(one.C, i ? s->G + (i - 1) * n : s->C, n * sizeof *one.C);
  for (size_t k = 0; k < n; k++) one.B[k] = j ? s->E[k * d + j - 1] : s->B[k];
  DenseStatus status = zeros_find(arena, module, &one, &out->zeros);
  out->gain = fabs(out->zeros.gain);
  out->excess = out->zeros.excess;
  return status;
}

static double way_at(const FarSearch *x, const FarWay *way, double w) {
  double size = way->gain;
  if (size == 0) return 0;
  for (uint32_t i = 0; i < x->s->n; i++) {
    size /= 1 - cabs(x->poles[i]) / w;
    size *= i < way->zeros.count ? 1 + cabs(way->zeros.values[i]) / w : 1 / w;
  }
  return size;
}

static double bound_at(FarSearch *x, double w) {
  const LinearSystem *s = x->s;
  size_t d = s->delays, wide = d + 1;
  for (size_t k = 0; k < d; k++) {
    for (size_t l = 0; l < d; l++)
      x->m[k * d + l] = (k == l) - fabs(s->J[k * d + l]) - way_at(x, &x->ways[(k + 1) * wide + l + 1], w);
    x->h[k] = fabs(s->H[k]) + way_at(x, &x->ways[(k + 1) * wide], w);
  }
  if (!dense_solve_positive((uint32_t)d, 1, x->m, x->h)) return INFINITY;
  double sum = way_at(x, &x->ways[0], w);
  for (size_t k = 0; k < d; k++) sum += (fabs(s->F[k]) + way_at(x, &x->ways[k + 1], w)) * x->h[k];
  return sum;
}

DenseStatus far_frequency(Arena *arena, const SolveModule *module, const LinearSystem *path, double floor,
                          double *out) {
  size_t d = path->delays, wide = d + 1;
  FarSearch search = {.s = path}, *x = &search;
  double most = 0;
  x->poles = arena_array(arena, (size_t)path->n + 1, sizeof *x->poles);
  x->ways = arena_array(arena, wide * wide, sizeof *x->ways);
  x->m = arena_array(arena, d * d + d + 1, sizeof *x->m);
  *out = INFINITY;
  if (arena_failed(arena)) return dense_no_memory;
  x->h = x->m + d * d;
  DenseStatus status = dense_eigenvalues(arena, module, path->n, path->A, x->poles, NULL);
  for (size_t i = 0; i < wide * wide && status == dense_done; i++)
    status = find_way(arena, module, path, i / wide, i % wide, &x->ways[i]);
  for (uint32_t i = 0; i < path->n; i++) most = fmax(most, cabs(x->poles[i]));
  for (uint32_t k = 0; k < d && path->n == 0; k++) most = fmax(most, 1 / path->time[k]);
  if (status != dense_done) return status;
  // the largest pole may be round-off, so that its size says nothing of the gain's
  for (double w = most > 0 ? 1.2 * most : 1e-6; w < 1e100; w *= 1.2) {
    if (!(bound_at(x, w) < floor)) continue;
    *out = w;
    break;
  }
  return dense_done;
}

// D-optimal sampling times by Fedorov's exchange algorithm. A part of optimal.h.
//
// how   Exchange (Fedorov): each chosen time is given for that one of all others with which the determinant becomes
//       largest, until none is better. It begins once with times taken one by one, and once with even ones; the
//       better end counts.
// why   No sample stands twice: one run is measured once at a time.
#include "fit/optimal.h"

#include <string.h>

typedef struct Picking {
  const double *rows;
  uint32_t count, width, k, n;
  double *M, *room;
  uint32_t *chosen;
  bool *used;
} Picking;

static void add_time(const Picking *p, double *M, uint32_t i, double sign) {
  uint32_t k = p->k;
  const double *at = p->rows + (size_t)i * p->width * k;
  for (uint32_t c = 0; c < p->width; c++, at += k) {
    for (uint32_t a = 0; a < k; a++) {
      for (uint32_t b = 0; b < k; b++) M[a * k + b] += sign * at[a] * at[b];
    }
  }
}

// By Cholesky's factors; a pivot that is nothing but rounding makes it singular.
static double log_det(const Picking *p, const double *M) {
  uint32_t k = p->k;
  double *L = p->room, sum = 0;
  for (uint32_t j = 0; j < k; j++) {
    for (uint32_t i = j; i < k; i++) {
      double v = M[i * k + j];
      for (uint32_t c = 0; c < j; c++) v -= L[i * k + c] * L[j * k + c];
      if (i == j && !(v > 1e-13 * M[j * k + j])) return -INFINITY;
      L[i * k + j] = i == j ? sqrt(v) : v / L[j * k + j];
    }
    sum += 2 * log(L[j * k + j]);
  }
  return sum;
}

// The time with which M becomes largest; UINT32_MAX: none is left.
static uint32_t best_time(const Picking *p, double *best) {
  uint32_t which = UINT32_MAX;
  size_t size = (size_t)p->k * p->k;
  double *with = p->room + size;
  *best = -INFINITY;
  for (uint32_t i = 0; i < p->count; i++) {
    if (p->used[i]) continue;
    memcpy(with, p->M, size * sizeof *with);
    add_time(p, with, i, 1);
    double v = log_det(p, with);
    if (which == UINT32_MAX || v > *best) which = i, *best = v;
  }
  return which;
}

static void sum_chosen(Picking *p) {
  memset(p->M, 0, (size_t)p->k * p->k * sizeof *p->M);
  for (uint32_t s = 0; s < p->n; s++) add_time(p, p->M, p->chosen[s], 1);
}

// A little of everything is known, so that the first times have a determinant as well.
static void begin_one_by_one(Picking *p) {
  uint32_t k = p->k;
  double best;
  memset(p->M, 0, (size_t)k * k * sizeof *p->M);
  for (uint32_t i = 0; i < p->count; i++) add_time(p, p->M, i, 1e-6);
  for (uint32_t s = 0; s < p->n; s++) {
    uint32_t i = p->chosen[s] = best_time(p, &best);
    p->used[i] = true;
    add_time(p, p->M, i, 1);
  }
}

static void begin_evenly(Picking *p) {
  for (uint32_t s = 0; s < p->n; s++) {
    p->chosen[s] = p->n == 1 ? p->count / 2 : (uint32_t)((uint64_t)s * (p->count - 1) / (p->n - 1));
    p->used[p->chosen[s]] = true;
  }
}

static double exchange(Picking *p) {
  enum { most = 100 };
  sum_chosen(p);
  double now = log_det(p, p->M);
  for (int round = 0; round < most; round++) {
    bool better = false;
    for (uint32_t s = 0; s < p->n; s++) {
      double v;
      add_time(p, p->M, p->chosen[s], -1);
      p->used[p->chosen[s]] = false;
      uint32_t i = best_time(p, &v);
      if (i != UINT32_MAX && (v > now + 1e-12 || (isinf(now) && v > now))) p->chosen[s] = i, now = v, better = true;
      p->used[p->chosen[s]] = true;
      sum_chosen(p);
    }
    if (!better) break;
  }
  return now;
}

static void sort_times(uint32_t *t, uint32_t n) {
  for (uint32_t i = 1; i < n; i++) {
    uint32_t v = t[i], j = i;
    for (; j > 0 && t[j - 1] > v; j--) t[j] = t[j - 1];
    t[j] = v;
  }
}

bool optimal_times(Arena *arena, const double *rows, uint32_t count, uint32_t width, uint32_t k, uint32_t n,
                   uint32_t *chosen) {
  size_t size = (size_t)k * k;
  Picking p = {.rows = rows, .count = count, .width = width, .k = k, .n = n};
  double *room = arena_array(arena, 3 * size + 1, sizeof *room);
  p.used = arena_array(arena, (size_t)count + 1, sizeof *p.used);
  p.chosen = arena_array(arena, (size_t)n + 1, sizeof *p.chosen);
  if (arena_failed(arena) || n > count) return false;
  p.M = room;
  p.room = room + size;
  begin_one_by_one(&p);
  double first = exchange(&p);
  memcpy(chosen, p.chosen, n * sizeof *chosen);
  memset(p.used, 0, count * sizeof *p.used);
  begin_evenly(&p);
  double second = exchange(&p);
  if (second > first + 1e-9 || (isinf(first) && second > first)) memcpy(chosen, p.chosen, n * sizeof *chosen);
  sort_times(chosen, n);
  return isfinite(fmax(first, second));
}

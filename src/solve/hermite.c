// Hermite's interpolation by divided differences: z_(2i) = z_(2i+1) = s_i, and [z_(2i), z_(2i+1)] = h f_i.
#include "solve/hermite.h"

bool hermite_init(Hermite *x, Arena *arena, uint32_t n, int count) {
  *x = (Hermite){.n = n, .count = count};
  for (int i = 0; i < count; i++) {
    x->place[i] = (double)i / (count - 1);
    x->y[i] = arena_array(arena, n, sizeof(double));
    x->f[i] = arena_array(arena, n, sizeof(double));
  }
  x->c = arena_array(arena, (size_t)n * 2 * (size_t)count, sizeof *x->c);
  return !arena_failed(arena);
}

void hermite_fit(Hermite *x) {
  int m = 2 * x->count;
  for (uint32_t e = 0; e < x->n; e++) {
    double *c = x->c + (size_t)e * (size_t)m;
    for (int i = 0; i < m; i++) c[i] = x->y[i / 2][e];
    for (int order = 1; order < m; order++) {
      for (int i = m - 1; i >= order; i--) {
        double apart = x->place[i / 2] - x->place[(i - order) / 2];
        c[i] = apart > 0 ? (c[i] - c[i - 1]) / apart : x->h * x->f[i / 2][e];
      }
    }
  }
}

void hermite_at(void *hermite, double part, double *y) {
  const Hermite *x = hermite;
  int m = 2 * x->count;
  for (uint32_t e = 0; e < x->n; e++) {
    const double *c = x->c + (size_t)e * (size_t)m;
    double v = c[m - 1];
    for (int i = m - 2; i >= 0; i--) v = c[i] + (part - x->place[i / 2]) * v;
    y[e] = v;
  }
}

// What eight lanes cost that do nothing but step: dop853 by hand over vectors of eight, compiled for this machine.
#include "sweep_lanes.h"

#include "solve/dop853_table.h"

#include <stddef.h>

typedef double Eight __attribute__((vector_size(64), aligned(64)));

typedef struct Motion {
  Eight y[2], a, b;
  void (*sine)(const double *a, double *r);
} Motion;

static inline void side(const Motion *m, const Eight *y, Eight *f) {
  Eight s;
  f[0] = y[1];
  if (m->sine) {
    m->sine((const double *)&y[0], (double *)&s);
    f[1] = -m->a * s - m->b * y[1];
  } else {
    f[1] = -9.81 - m->b * y[1];
  }
}

double lane_steps(uint64_t rounds, int swings, void (*sine)(const double *a, double *r)) {
  Motion m = {.sine = swings ? sine : NULL};
  Eight k[13][2], z[2], next[2], h, sum = {0};
  for (int l = 0; l < 8; l++) {
    m.y[0][l] = 1;
    m.y[1][l] = 0.01 * l;
    m.a[l] = 5 + l;
    m.b[l] = 0.05 * l;
    h[l] = 0.1 + 0.001 * l;
  }
  side(&m, m.y, k[0]);
  for (uint64_t round = 0; round < rounds; round++) {
    for (int i = 1; i < 13; i++) {
      Eight *to = i == 12 ? next : z;
      for (int e = 0; e < 2; e++) {
        Eight at = m.y[e];
        for (int j = 0; j < i; j++) {
          if (a853[i][j] != 0) at += h * a853[i][j] * k[j][e];
        }
        to[e] = at;
      }
      side(&m, to, k[i]);
    }
    Eight five = {0}, three = {0};
    for (int e = 0; e < 2; e++) {
      Eight d5 = {0}, d3 = {0}, scale = 1e-10 + 1e-8 * next[e] * next[e];
      for (int i = 0; i < 12; i++) {
        d5 += e5_853[i] * k[i][e];
        d3 += (a853[12][i] - b3_853[i]) * k[i][e];
      }
      five += d5 / scale * (d5 / scale);
      three += d3 / scale * (d3 / scale);
      m.y[e] = swings || round % 16 ? next[e] : m.y[e]; // the ball does not fall for ever
      k[0][e] = k[12][e];
    }
    if (!swings && round % 16 == 0) m.y[0] = m.y[1] = m.y[0] * 0 + 1;
    sum += five + 0.01 * three;
  }
  double total = 0;
  for (int l = 0; l < 8; l++) total += sum[l];
  return total;
}

// The linkage of bench/constraints.c by Simbody: n + 1 arms that hang in a row, their tips joined by n rigid rods.
#ifndef VIVA_BENCH_PEER_H
#define VIVA_BENCH_PEER_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Linkage {
  unsigned rods;
  double to, every;
  const double *arm, *rod; // lengths; arms are `apart`, with a mass of 1 kg at their tips
  double apart, gravity;
  const double *start; // angles
} Linkage;

// Angles of all arms at every row go into `rows`. Returns the seconds of the integration; below 0: it failed.
double peer_linkage(const Linkage *l, double accuracy, double *rows);

#ifdef __cplusplus
}
#endif
#endif

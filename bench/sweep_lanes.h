// The lane limit of bench/sweep.c.
#ifndef VIVA_BENCH_SWEEP_LANES_H
#define VIVA_BENCH_SWEEP_LANES_H

#include <stdint.h>

// Trial steps of dop853 in eight full lanes with nothing around them: stages, end, error. swings: the pendulum, whose
// sine is that of the lanes; else the ball. Returns something that depends on all of it.
double lane_steps(uint64_t rounds, int swings, void (*sine)(const double *a, double *r));

#endif

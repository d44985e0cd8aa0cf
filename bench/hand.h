// The cart with double pendulum, written by hand as an engineer would: the peer of the tape.
#ifndef VIVA_BENCH_HAND_H
#define VIVA_BENCH_HAND_H

void hand_f(double t, const double *y, double *dydt);
void hand_rk4(double *y, double h, long steps);

#endif

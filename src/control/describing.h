// Describing functions: what a nonlinearity does to the first harmonic, and the limit cycles that follow.
//
// in    y = f(e) with e = A sin(wt): the first harmonic of y is N(A) times that of e
// out   N(A) in closed form or by quadrature; of a loop e = L(s) y the pairs (A, w) with N(A) L(iw) = 1, and whether a
//       trajectory near them comes back
//
//   relay        y = M sign(e)                          N = 4 M/(pi A)
//   saturation   slope k up to |e| = h                  N = k S(h/A)
//   dead zone    slope k beyond |e| = h                 N = k (1 - S(h/A))
//   hysteresis   M once e > h, -M once e < -h           N = 4 M/(pi A) (sqrt(1 - (h/A)^2) - i h/A)
//   backlash     play of total width 2 h                N = (1 - S(c))/2 - i 4 h/(pi A) (1 - h/A),  c = 2 h/A - 1
//   steps        q floor(e/q + 1/2)                     N = 4 q/(pi A) sum over i of sqrt(1 - ((2 i - 1) q/(2 A))^2)
//
// with S(r) = 2/pi (asin r + r sqrt(1 - r^2)), 1 for r > 1.
#ifndef VIVA_CONTROL_DESCRIBING_H
#define VIVA_CONTROL_DESCRIBING_H

#include "control/matrix.h"

typedef enum DescribingKind {
  describing_relay,
  describing_saturation,
  describing_deadzone,
  describing_hysteresis,
  describing_backlash,
  describing_steps,
  describing_function // an odd function without memory, by quadrature
} DescribingKind;

typedef struct Describing {
  DescribingKind kind;
  double size;  // M of a relay and hysteresis, k of saturation and dead zone, q of steps; 1 of backlash
  double width; // h
  double (*value)(void *self, double e); // of a function
  void *self;
} Describing;

Complex describing_at(const Describing *d, double amplitude);
double describing_threshold(const Describing *d); // an amplitude below which nothing new happens; 0: none

typedef struct LimitCycle {
  double amplitude, frequency; // of e; rad/s
  bool stable;                 // a trajectory near it comes back, as far as the first harmonic shows
  Complex n;                   // N(A)
  double filter; // |L(3iw)/L(iw)|: how much of the third harmonic gets round; small: the prediction is good
} LimitCycle;
typedef VEC(LimitCycle) LimitCycleList;

// L(iw) of the linear part from y to e, with delays if there are any. False: at a pole.
typedef bool LoopResponse(void *self, double w, Complex *out);
// All limit cycles with frequencies between low and high. False: out of memory.
bool describing_cycles(Arena *arena, const Describing *d, LoopResponse *loop, void *self, double low, double high,
                       LimitCycleList *out);

#endif

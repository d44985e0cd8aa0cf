// Step, impulse and ramp responses of a path, and the figures of the step response.
#ifndef VIVA_ANALYZE_MOTION_RESPONSE_H
#define VIVA_ANALYZE_MOTION_RESPONSE_H

#include "analyze/dense.h"
#include "analyze/pieces.h"

// How long a response takes until it has settled, by the poles of the path; picture: of what is hardly damped ten
// periods.
double response_horizon(const LinearSystem *s, const Complex *poles, uint32_t count, bool picture);

// poles: those of the path, count of them, for how long and how fine; end: 0: as long as a picture.
DenseStatus time_response(Arena *arena, const SolveModule *module, const LinearSystem *path, Stimulus stimulus,
                          const Complex *poles, uint32_t count, double end, TimeResponse *out);

// Figures of a step response that settles at `final`. NAN: it does not have this one.
typedef struct StepFigures {
  double start, final;
  double rise;                  // from 10 to 90 percent, s
  double settling;              // until it stays within 2 percent, s
  double overshoot, undershoot; // as parts of the step
  double peak, peak_time;
} StepFigures;
bool step_figures(Arena *arena, const TimeResponse *r, double final, StepFigures *out); // false: out of memory

#endif

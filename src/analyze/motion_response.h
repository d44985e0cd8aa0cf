// Step, impulse and ramp responses of a path, and the figures of the step response.
#ifndef VIVA_ANALYZE_MOTION_RESPONSE_H
#define VIVA_ANALYZE_MOTION_RESPONSE_H

#include "analyze/dense.h"

typedef enum Stimulus { stimulus_step, stimulus_impulse, stimulus_ramp } Stimulus;

enum { response_points = 9 }; // of a piece: both ends among them

// y over t0 .. t0 + h, at t0 + node[k] h. It may jump between pieces.
typedef struct ResponsePiece {
  double t0, h;
  double y[response_points];
} ResponsePiece;

typedef struct TimeResponse {
  double node[response_points], weight[response_points]; // barycentric
  VEC(ResponsePiece) pieces;
  // of a sampled path instead: y[k] at k period
  uint32_t samples;
  double *sample;
  double period, end;
  bool held_jumps; // with delays without a common divisor: jumps inside pieces, so fewer digits
} TimeResponse;

// poles: those of the path, count of them, for how long and how fine; end: 0: until it has settled.
DenseStatus time_response(Arena *arena, const SolveModule *module, const LinearSystem *path, Stimulus stimulus,
                          const Complex *poles, uint32_t count, double end, TimeResponse *out);
double time_response_at(const TimeResponse *r, double t);

// Figures of a step response that comes to rest at `final`. NAN: it does not have this one.
typedef struct StepFigures {
  double start, final;
  double rise;                  // from 10 to 90 percent, s
  double settling;              // until it stays within 2 percent, s
  double overshoot, undershoot; // as parts of the step
  double peak, peak_time;
} StepFigures;
bool step_figures(Arena *arena, const TimeResponse *r, double final, StepFigures *out); // false: memory is out

#endif

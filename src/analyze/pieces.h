// A response in time, piece by piece as polynomials, or sample by sample.
#ifndef VIVA_ANALYZE_PIECES_H
#define VIVA_ANALYZE_PIECES_H

#include "base/arena.h"

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
  bool cut; // it was not followed until it has settled
} TimeResponse;

void pieces_weights(TimeResponse *r); // of its nodes
double piece_value(const TimeResponse *r, const double y[response_points], double part);
double time_response_at(const TimeResponse *r, double t);

#endif

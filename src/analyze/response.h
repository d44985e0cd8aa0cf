// The frequency response of a linear system: its transfer functions at points of the plane.
#ifndef VIVA_ANALYZE_RESPONSE_H
#define VIVA_ANALYZE_RESPONSE_H

#include "analyze/dense.h"

// A system ready to be evaluated many times: A is in Hessenberg form, so a point costs n^2.
typedef struct Response {
  const LinearSystem *s;
  uint32_t in, out;     // inputs and outputs, with those of delays
  double *h;            // Q' A' Q, row by row
  double *left, *right; // Q'(C, G)': n x out, Q'(B, E): n x in
  double *through;      // out x in
  Complex *work;        // n x (n + out)
  Complex *gain, *loop, *side;
  Complex *all; // of small systems with delays: (n + delays)^2
  uint32_t *pivot;
} Response;

DenseStatus response_open(Response *r, Arena *arena, const SolveModule *module, const LinearSystem *s);
// G(s), p x m row by row, delays closed. False: s is a pole.
bool response_at(Response *r, Complex s, Complex *out);
// Of a single path at a frequency (rad/s): G(i w), of a sampled one G(e^(i w T)). Infinite at a pole.
Complex response_frequency(Response *r, double w);

#endif

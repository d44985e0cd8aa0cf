// Results of control design as text or JSON members: gains, norms, sectors, limit cycles; realizations as models.
#ifndef VIVA_SHOW_CONTROL_H
#define VIVA_SHOW_CONTROL_H

#include "control/absolute.h"
#include "control/norms.h"
#include "control/riccati.h"
#include "show/analysis.h"

// Names of rows and columns of a gain.
typedef struct GainNames {
  const char *const *rows, *const *cols;
} GainNames;

// kalman: the gain of an observer, L = K'. sampled: says at which side of a sample y is.
void show_gain(const Riccati *r, uint32_t n, uint32_t m, bool kalman, bool sampled, const GainNames *names, Text *out);
void json_gain(const Riccati *r, uint32_t n, uint32_t m, bool kalman, Json *j);
void show_norms(const Norms *x, bool sampled, Text *out);
void json_norms(const Norms *x, Json *j);
void show_sector(const Absolute *x, Text *out);
void json_sector(const Absolute *x, Json *j);

// A model file of one input u and one output y with these equations; sampled: with `every`.
typedef struct RealizedModel {
  const StateSpace *s;
  const char *title, *form; // "parallel form"
  const char *input, *output;
  double point_in, point_out; // it is about this point; NAN: of the output not known
} RealizedModel;
void write_realized(const RealizedModel *m, Text *out);

#endif

// viva run --inverse: inverse dynamics, the forces for a prescribed trajectory.
#ifndef VIVA_CLI_INVERSE_H
#define VIVA_CLI_INVERSE_H

#include "viva/viva.h"

typedef struct InverseRequest {
  const char *motion; // the file
  const char *out;    // NULL: no table
  bool json;
} InverseRequest;

int run_inverse(const viva_model *model, const viva_run_options *options, const InverseRequest *request);

#endif

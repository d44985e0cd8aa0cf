// Parameters and initial values that differ from run to run.
#ifndef VIVA_SIM_VARY_H
#define VIVA_SIM_VARY_H

#include "sim/program.h"

// What a name changes.
typedef struct VaryTarget {
  bool param;
  uint32_t index; // of the variable of the tape for a parameter, of y for a starting value
} VaryTarget;

typedef struct Variation {
  const SimProgram *p;
  VaryTarget *targets; // one a name
  uint32_t count;
  const Tape *tape; // variables: the parameters that differ; results: all values
  ValuePlaces at;
} Variation;

// Unknown names, and what cannot differ, are reported. False: out of memory.
bool vary_names(SimProgram *p, const char *const *names, uint32_t count, Diags *diags, Variation *out);
// One number a name: all parameters, which follow from their definitions, and y(0). w: the workspace of the tape.
// False: one of them is not finite.
bool vary_eval(const Variation *v, double *w, const double *row, double *params, double *y0);

#endif

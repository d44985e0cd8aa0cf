// Numbers that are known before a run: parameters, starts, first values of held variables, times of `simulate`.
#ifndef VIVA_SIM_VALUES_H
#define VIVA_SIM_VALUES_H

#include "sim/components.h"
#include "sim/run_settings.h"
#include "tape/tape.h"

// Indices among the results of a tape of values.
typedef struct ValuePlaces {
  uint32_t params, starts, times, demands;
} ValuePlaces;

// All of them as a tape of the parameters in vars; the other parameters follow from them. NULL: out of memory.
const Tape *values_tape(System *s, const Components *y, const SymbolId *vars, uint32_t var_count, ValuePlaces *places);

typedef struct KnownValues {
  double *params, *start, *held; // start: with two quadratures behind y
  SimulateTimes times;
  double *demands; // not 0: it does not hold
} KnownValues;

// As the model has them; a parameter without a value gives NAN. False: out of memory.
bool values_find(System *s, const Components *y, KnownValues *out);
// The first values of held variables. s: the system that runs, rewritten where there are events. False: out of memory.
bool values_held(System *s, KnownValues *out);
// Reports what has no finite value, and demands on parameters that do not hold.
void values_check(System *s, const Components *y, const KnownValues *v, Diags *diags);

#endif

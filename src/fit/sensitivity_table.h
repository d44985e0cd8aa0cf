// Local sensitivity analysis of a model: a table of sensitivities over time, and the largest of them.
#ifndef VIVA_FIT_SENSITIVITY_TABLE_H
#define VIVA_FIT_SENSITIVITY_TABLE_H

#include "fit/sensitivity.h"
#include "sim/run.h"

typedef struct SensitivitySettings {
  RunSettings run;
  const char *const *names; // parameters and starts; none: every parameter that is a number of its own
  uint32_t name_count;
} SensitivitySettings;

typedef struct PeakSensitivity {
  double largest, at; // the largest in size, with its sign, and when
  double last;        // at the end
} PeakSensitivity;

typedef struct SensitivityResult {
  RunStatus status;
  const char *message; // NULL: nothing went wrong
  Span place;
  const char **unknowns;       // as they are shown: "k", "x(0)"
  const char *const *settings; // as they are asked for: "k", "x"
  double *values;              // of the unknowns
  uint32_t unknown_count;
  const char **outputs;
  uint32_t output_count;
  PeakSensitivity *slopes; // by output and unknown
  const char *why;         // by differences because of this; NULL: exact
  uint32_t rows;
  double from, to;             // to: reached
  const double *times, *table; // of the rows: derivatives by output and unknown
} SensitivityResult;

// Rows to the sink: t, outputs, then d(output)/d(unknown), the unknowns of an output together.
SensitivityResult sensitivity_table_run(Arena *arena, const System *system, const SensitivitySettings *settings,
                                        const Sink *sink, Diags *diags);

// ---- for others that vary a model

// Parameters whose value is a number of its own. NULL: out of memory.
const char **sensitivity_parameters(Arena *arena, const System *system, uint32_t *count);
// "k", or "x(0)" of a start.
const char *sensitivity_shown(Arena *arena, const SimProgram *p, const VaryTarget *t, const char *name);
// The value that the model itself has.
double sensitivity_own_value(const SimProgram *p, const VaryTarget *t, const char *name);
// What counts as a change of a value: itself, or 1 where it is zero.
static inline double sensitivity_size(double value) { return value != 0 && isfinite(value) ? fabs(value) : 1; }

#endif

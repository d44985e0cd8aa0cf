// Control design behind `viva analyze`: gains, norms, sectors, realizations, describing functions.
#ifndef VIVA_CLI_CONTROL_H
#define VIVA_CLI_CONTROL_H

#include "cli/options.h"
#include "viva/viva.h"

typedef struct ControlArguments {
  const char *lqr, *kalman, *sector, *form, *sampling, *file, *describe;
  bool norms;
} ControlArguments;

// Rows of the table of options.
// clang-format off
#define CONTROL_OPTIONS(w) \
  {"--lqr", option_text, "WEIGHTS", "\"Q=diag(1, 2), R=0.1\": the best feedback u = -K x of all inputs", &(w).lqr, \
   NULL}, \
  {"--kalman", option_text, "NOISE", "\"Q=1, R=0.1\": the best observer, by covariances of states and outputs", \
   &(w).kalman, NULL}, \
  {"--norms", option_flag, NULL, "H2 and Hinf norms of the path", &(w).norms, NULL}, \
  {"--sector", option_text, "SLOPE", \
   "the sector of functions above this slope that is proved stable: circle and Popov criteria", &(w).sector, NULL}, \
  {"--realize", option_text, "FORM", \
   "the path as a model of its own: controllable, observable, cascade or parallel", &(w).form, \
   "controllable observable cascade parallel"}, \
  {"--discretize", option_text, "METHOD:T", "the same, sampled: zoh:T, tustin:T or matched:T", &(w).sampling, NULL}, \
  {"-o", option_output, "FILE", "write that model here", &(w).file, NULL}, \
  {"--describe", option_text, "SIGNAL", "the describing function of this `let`, and the limit cycles of its loop", \
   &(w).describe, NULL}
// clang-format on

bool control_asks(const ControlArguments *w, bool json); // is there a question of design? JSON has the model in it, too
int control_check(const ControlArguments *w, bool path); // do they go together? -1: go on
int control_slope(const char *text, double *lower);      // of --sector; NULL: as it is. -1: go on
int control_describe(const viva_model *model, const ControlArguments *w, const viva_analyze_options *o, bool json);
// Behind an analysis, whose text is printed already unless json.
int control_answer(const viva_model *model, const viva_analysis *a, const ControlArguments *w, bool json);

#endif

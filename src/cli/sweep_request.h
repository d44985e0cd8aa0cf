// What is varied and measured: options that `viva sweep` and `viva report` have alike.
#ifndef VIVA_CLI_SWEEP_REQUEST_H
#define VIVA_CLI_SWEEP_REQUEST_H

#include "cli/options.h"
#include "viva/viva.h"

typedef struct SweepRequest {
  TextList vary, random, where, measures;
  const char *sampling, *correlation;
  double samples, seed, threads; // NAN: not said
  bool indices;
} SweepRequest;

// Its options for a table of options. clang-format leaves lists of this kind alone.
// clang-format off
#define SWEEP_OPTIONS(w) \
  {"--vary", option_list, "NAME=RANGE", "values: a:h:b, log:a:b:n, [a, b, c]; may be repeated", &(w).vary, NULL}, \
  {"--samples", option_number, "N", "draws of the random quantities, at each point of the grids", &(w).samples, NULL}, \
  {"--random", option_list, "NAME=DISTRIBUTION", \
   "normal(mean, sd), uniform(low, high), lognormal(mu, sigma), triangular(low, mode, high); may be repeated", \
   &(w).random, NULL}, \
  {"--correlation", option_text, "MATRIX", "of the random quantities, in their order: [1, 0.5; 0.5, 1]", \
   &(w).correlation, NULL}, \
  {"--sampling", option_text, "KIND", "random, latin or sobol", &(w).sampling, "random latin sobol"}, \
  {"--seed", option_number, "N", "of the draws (1)", &(w).seed, NULL}, \
  {"--measure", option_list, "MEASURE", \
   "max(x) min mean sd final integral time(x > 1), formulas of these; repeated", &(w).measures, NULL}, \
  {"--where", option_list, "CONDITION", "counts and lists the samples that fulfil it: max(x) < 1; repeated", \
   &(w).where, NULL}, \
  {"--indices", option_flag, NULL, "Sobol's indices of the random quantities", &(w).indices, NULL}, \
  {"--threads", option_number, "N", "N of them (one for each processor)", &(w).threads, NULL}
// clang-format on

SweepRequest sweep_request_none(void);
// The first of these options that was said; NULL: none.
const char *sweep_request_said(const SweepRequest *w);
// Into the options of a sweep. -1: go on, else the exit status after a message.
int sweep_request_read(const SweepRequest *w, viva_sweep_options *o);
void sweep_request_free(SweepRequest *w);

#endif

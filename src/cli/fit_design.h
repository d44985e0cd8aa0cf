// Optimal experiment design (`viva fit --design`): which candidate experiment determines the unknowns best.
#ifndef VIVA_CLI_FIT_DESIGN_H
#define VIVA_CLI_FIT_DESIGN_H

#include "cli/options.h"
#include "viva/viva.h"

typedef struct DesignRequest {
  bool asked;
  TextList vary;     // "x=0.1:0.1:0.5"
  const char *cases; // "push,pull"
  uint32_t samples;
} DesignRequest;

// Its options for a table of options. clang-format leaves lists of this kind alone.
// clang-format off
#define DESIGN_OPTIONS(request, run) \
  {"--design", option_flag, NULL, "no data: which experiment would tell the unknowns best?", &(request).asked, NULL}, \
  {"--vary", option_list, "RANGE", "its candidates: x=0.1:0.1:0.5, \"w=[1, 2]\"; repeatable", &(request).vary, NULL}, \
  {"--cases", option_text, "LIST", "and these cases of the model: push,pull", &(request).cases, NULL}, \
  {"--samples", option_count, "N", "measured at N times, the best ones", &(request).samples, NULL}, \
  {"--every", option_number, "DT", "spacing of the times that may be measured", &(run).every, NULL}
// clang-format on

// Options of a design without `--design` are refused. -1: there are none.
int design_check_none(const DesignRequest *w, const viva_fit_options *o);
int design_experiment(const viva_model *model, const viva_fit_options *o, const DesignRequest *w, bool json);

#endif

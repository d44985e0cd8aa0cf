// `viva fit --design`: which experiment would tell the unknowns best.
#ifndef VIVA_CLI_FIT_DESIGN_H
#define VIVA_CLI_FIT_DESIGN_H

#include "cli/options.h"
#include "viva/viva.h"

typedef struct DesignWish {
  bool asked;
  TextList vary;     // "x=0.1:0.1:0.5"
  const char *cases; // "push,pull"
  uint32_t samples;
} DesignWish;

// Options of a design without `--design` are refused. -1: there are none.
int design_check_none(const DesignWish *w, const viva_fit_options *o);
int design_experiment(const viva_model *model, const viva_fit_options *o, const DesignWish *w, bool json);

#endif

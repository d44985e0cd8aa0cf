// viva run --compare: integration methods side by side.
#ifndef VIVA_CLI_COMPARE_H
#define VIVA_CLI_COMPARE_H

#include "viva/viva.h"

typedef struct CompareRequest {
  const char *methods; // separated by commas
  const char *plot, *theme;
  bool terminal, json;
} CompareRequest;

int run_comparison(const viva_model *model, const viva_run_options *options, const CompareRequest *request);

#endif

// A family: its members run side by side, or one after another where they cannot.
#ifndef VIVA_CLI_FAMILY_H
#define VIVA_CLI_FAMILY_H

#include "cli/model.h"

// `first` is its first member. run->figure, if any, gets the curves of all; `drawing` is how each member's own figure
// is made. The exit status.
typedef struct CliFamily {
  const viva_model *first;
  const viva_run_options *run;
  const char *out;       // of the table; NULL: none
  viva_columns *columns; // of the table; NULL: all, in SI
  bool json;
  const viva_figure_options *drawing;
} CliFamily;
int run_family(const CliFamily *family);

#endif

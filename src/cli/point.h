// The operating point of `--at`.
#ifndef VIVA_CLI_POINT_H
#define VIVA_CLI_POINT_H

#include "cli/options.h"
#include "viva/viva.h"

// `--at equilibrium`, `--at start`, `--at name=value,...`, or the words before values: `equilibrium,th=3`. The options
// borrow from the list. -1: go on, else the exit status after a message.
int read_at(TextList *at, viva_linearize_options *o);

#endif

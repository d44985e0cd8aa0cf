// Pictures of `viva sweep`. Those that return an int: -1 to go on, else the exit status after a message.
#ifndef VIVA_CLI_SWEEP_OUTPUTS_H
#define VIVA_CLI_SWEEP_OUTPUTS_H

#include "cli/picture.h"

#include <stdio.h>

typedef struct SweepOutputs {
  const char *plot, *panels, *theme; // NULL: not requested
  bool terminal, json;
  // inside
  unsigned parts;
  viva_figure_options look;
  PictureFile picture;
} SweepOutputs;

bool sweep_outputs_pictures(const SweepOutputs *o); // does the sweep have to keep them?
int sweep_outputs_read(SweepOutputs *o);            // which panels, which theme
int sweep_outputs_open(SweepOutputs *o);            // a path that cannot be written costs no time
int sweep_outputs_write(SweepOutputs *o, const viva_sweep *sweep, FILE *to);
void sweep_outputs_close(SweepOutputs *o);

#endif

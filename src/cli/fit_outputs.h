// What `viva fit` writes beside its summary: a picture, the table of data beside the curve, the evolution. Those that
// return an int: -1 to go on, else the exit status after a message.
#ifndef VIVA_CLI_FIT_OUTPUTS_H
#define VIVA_CLI_FIT_OUTPUTS_H

#include "cli/picture.h"

typedef struct FitOutputs {
  const char *plot, *panels, *theme, *table, *evolution; // NULL: not requested
  bool terminal, json;
  // inside
  unsigned parts;
  viva_figure_options look;
  PictureFile picture;
  viva_csv *rows, *generations;
} FitOutputs;

bool fit_outputs_pictures(const FitOutputs *o);                    // does the fit have to keep curves?
int fit_outputs_check(FitOutputs *o, const viva_fit_options *fit); // is there anything to show?
int fit_outputs_open(FitOutputs *o);                               // after fit_outputs_check
int fit_outputs_write(FitOutputs *o, const viva_fit *fit);
void fit_outputs_close(FitOutputs *o);

#endif

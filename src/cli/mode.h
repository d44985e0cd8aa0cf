// A model that starts from one of its assembly modes: `--mode N`.
#ifndef VIVA_CLI_MODE_H
#define VIVA_CLI_MODE_H

#include "cli/model.h"

// As load_model; mode 0: as it is drawn. -1: go on.
int load_in_mode(const char *file, const viva_load_options *options, uint32_t mode, viva_model **model);

#endif

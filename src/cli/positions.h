// viva equilibrium --problem: problems of position.
#ifndef VIVA_CLI_POSITIONS_H
#define VIVA_CLI_POSITIONS_H

#include "cli/options.h"
#include "cli/picture.h"

typedef struct PositionsWishes {
  const char *problem, *over, *reach, *out, *plot, *model; // model: where a synthesis is written
  bool through, json, resultants, compare;
  uint32_t mode, seed, starts, branch;
  TextList pass, free;
  PictureFile picture;
  viva_figure_options figure;
} PositionsWishes;

int check_problem(const char *problem); // is there such a one? -1: go on
// Of a model that was loaded without equations: must it be loaded with them?
bool positions_need_equations(const viva_model *model, const PositionsWishes *wish);
int run_positions(const viva_model *model, PositionsWishes *wish);

#endif

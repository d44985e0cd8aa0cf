// viva equilibrium --problem: position analysis of mechanisms.
#ifndef VIVA_CLI_POSITIONS_H
#define VIVA_CLI_POSITIONS_H

#include "cli/options.h"
#include "cli/picture.h"

typedef struct PositionsArguments {
  const char *problem, *over, *reach, *out, *plot, *model; // model: where a synthesis is written
  bool through, json, resultants, compare;
  uint32_t mode, seed, starts;
  TextList pass, free, branch;
  const int32_t *branches; // as numbers
  size_t branch_count;
  PictureFile picture;
  viva_figure_options figure;
} PositionsArguments;

// The options of positions for a table of options.
// clang-format off
#define POSITION_OPTIONS(p) \
  {"--problem", option_text, "PROBLEM", \
   "of position: initial, successive (along `drive`), modes, inverse, deformed, synthesis; path: equilibria", \
   &(p).problem, "initial successive inverse deformed synthesis modes path"}, \
  {"--over", option_text, "RANGE", "F=0:100: the path of equilibria as a parameter or coordinate changes", \
   &(p).over, NULL}, \
  {"--reach", option_text, "PLACE", "tool=[1, 2]: the coordinates that bring it there, by least motion", \
   &(p).reach, NULL}, \
  {"--pass", option_list, "POINTS", "synthesis: P=[0, 1; 1, 1.2]: what passes which points; may be repeated", \
   &(p).pass, NULL}, \
  {"--free", option_list, "NAME=FROM:TO", "synthesis: a parameter that is found, with its bounds; may be repeated", \
   &(p).free, NULL}, \
  {"--starts", option_count, "N", "synthesis: random starts beside that of the model (default 100)", \
   &(p).starts, NULL}, \
  {"-o", option_output, "FILE", "synthesis: write the model with what was found", &(p).model, NULL}, \
  {"--through", option_flag, NULL, "successive: go on behind dead points and crossings", &(p).through, NULL}, \
  {"--branch", option_list, "N,...", \
   "path: take the other way at these bifurcations; -2: at the second, in its opposite direction", &(p).branch, NULL}, \
  {"--mode", option_count, "N", "start from this assembly mode (`--problem modes` lists them)", &(p).mode, NULL}, \
  {"--out", option_output, "FILE", "positions, with their derivatives, as CSV", &(p).out, NULL}
// clang-format on

int check_problem(const char *problem); // is there such a one? -1: go on
// Of a model that was loaded without equations: must it be loaded with them?
bool positions_need_equations(const viva_model *model, const PositionsArguments *request);
int run_positions(const viva_model *model, PositionsArguments *request);

#endif

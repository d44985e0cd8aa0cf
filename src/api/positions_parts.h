// What stands behind the handle of positions.
// parts: positions.c positions_structure.c
#ifndef VIVA_API_POSITIONS_PARTS_H
#define VIVA_API_POSITIONS_PARTS_H

#include "api/handles.h"
#include "positions/positions.h"

struct viva_positions {
  Arena *arena;
  TextScope scope;
  System system;    // over the scope
  SystemDrive *own; // of --over and --reach
  double *ends;
  uint32_t own_count;
  SynthesisRequest pass;
  const char **starts; // settings: coordinates and driven parameters of each position that was found for itself
  size_t start_rows, start_columns;
  const char *start_obstacle; // why no simulation can start there; NULL: it can
  const char *fitted;         // the model's text with what a synthesis found; NULL: none
  Positions found;
  Figure figure;
  const char *text[2]; // text, JSON
  const char *message;
};

// Large linkages that were loaded as lists: the initial position alone, without equations.
bool positions_are_listed(const viva_model *model, PositionsProblem problem, const viva_positions_options *options);
viva_status positions_of_structure(viva_positions *v, const viva_model *model, const viva_positions_options *options,
                                   const viva_sink *sink);

#endif

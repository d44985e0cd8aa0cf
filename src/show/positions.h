// Position analysis of mechanisms (assembly, workspace, inverse kinematics) as text and JSON.
#ifndef VIVA_SHOW_POSITIONS_H
#define VIVA_SHOW_POSITIONS_H

#include "base/text.h"
#include "positions/positions.h"

void show_positions_text(const Positions *x, Text *out);
void show_positions_json(const Positions *x, Text *out);

#endif

// Dimensional synthesis of a mechanism as text and JSON: the dimensions found, and the error at each point.
#ifndef VIVA_SHOW_SYNTHESIS_H
#define VIVA_SHOW_SYNTHESIS_H

#include "positions/positions.h"
#include "show/json.h"

void show_synthesis_text(const Positions *x, Text *out);
void show_synthesis_json(const Positions *x, Json *j); // members of an open object

#endif

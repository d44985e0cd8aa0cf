// Layered layout of a diagram, the positions of blocks and the wires between them: columns from left to right, wires in
// the channels between columns, feedback below what it goes around.
#ifndef VIVA_SHOW_DIAGRAM_LAYOUT_H
#define VIVA_SHOW_DIAGRAM_LAYOUT_H

#include "show/diagram_places.h"

// boxes: by node. False: out of memory.
bool diagram_layout(Arena *arena, const Diagram *diagram, const BlockBox *boxes, DiagramLayout *layout);

#endif

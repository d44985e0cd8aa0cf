// The wires of a diagram, once its cells have an order and heights; in the order in which they are called.
#ifndef VIVA_SHOW_DIAGRAM_WIRES_H
#define VIVA_SHOW_DIAGRAM_WIRES_H

#include "show/diagram_grid.h"

// Moves cells so that no two nets lie on each other; keep_room: only where that leaves the gaps between cells.
void wires_part(DiagramGrid *l, bool keep_room);
// Takes out jogs of a few pixels.
void wires_straighten(DiagramGrid *l);
// Gives columns and channels their positions, and draws the wires of the channels.
void wires_route(DiagramGrid *l);
// Draws the wires that pass columns, and gives blocks their positions.
void wires_pass(DiagramGrid *l);
// Pieces of one wire that lie on one line are one line, so that nothing shows where they meet.
void wires_merge(DiagramLayout *out);

#endif

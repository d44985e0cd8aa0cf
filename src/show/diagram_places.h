// What a diagram is made of before and after its layout: sizes of blocks, their positions, the lines of wires.
#ifndef VIVA_SHOW_DIAGRAM_PLACES_H
#define VIVA_SHOW_DIAGRAM_PLACES_H

#include "diagram/diagram.h"

// The size of a block, before it has a position; filled by the one who draws it.
typedef struct BlockBox {
  double w, h;         // of the block
  double below;        // height of what is written under it
  double name;         // width of what is written behind its output
  double wire;         // width of what is written before its inputs
  double gap, out_gap; // between its pins
  double inset;        // how much of the height its corners take (0: a straight left side; else the radius of a circle)
} BlockBox;

typedef struct BlockPlace {
  double x, y;     // the middle
  uint32_t *order; // pins from top to bottom
} BlockPlace;

typedef struct WireLine {
  double x1, y1, x2, y2;
  uint32_t node, out; // whose signal it carries
} WireLine;

typedef struct WireDot {
  double x, y;
} WireDot;

typedef struct DiagramLayout {
  double width, height;
  BlockPlace *places; // by node
  VEC(WireLine) lines;
  VEC(WireDot) dots;
} DiagramLayout;

// The height of the pin with index `place` from the top, down from the middle of the block.
double place_pin_offset(const BlockBox *box, uint32_t place, uint32_t count);
double place_out_offset(const BlockBox *box, uint32_t out, uint32_t count); // the same of an output
// Where the left side of the block is at this height, from its middle.
double place_pin_x(const BlockBox *box, double offset);

#endif

// Places for the blocks of a diagram and the wires between them: columns from left to right, wires in the channels
// between columns, feedback below what it goes around.
#ifndef VIVA_SHOW_DIAGRAM_LAYOUT_H
#define VIVA_SHOW_DIAGRAM_LAYOUT_H

#include "diagram/diagram.h"

// What a block needs, before it has a place; filled by the one who draws it.
typedef struct BlockBox {
  double w, h;         // of the block
  double below;        // room for what is written under it
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

bool diagram_layout(Arena *arena, const Diagram *diagram, const BlockBox *boxes,
                    DiagramLayout *layout);                             // false: memory is out
double pin_offset(const BlockBox *box, uint32_t place, uint32_t count); // down from the middle; place: from the top
double out_offset(const BlockBox *box, uint32_t out, uint32_t count);
double pin_x(const BlockBox *box, double offset); // where the block's left side is at this height, from its middle

#endif

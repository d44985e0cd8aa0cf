// Inside the layout of diagrams: cells in columns, nets in the channels between them.
#ifndef VIVA_SHOW_DIAGRAM_LAYOUT_PARTS_H
#define VIVA_SHOW_DIAGRAM_LAYOUT_PARTS_H

#include "show/diagram_layout.h"

enum { none = UINT32_MAX };
static const double margin = 20, cell_gap = 18, wire_gap = 9,
                    track = 9; // pixels: around all, between blocks, wires, trunks

// A place in a column: a block, or a wire that passes through.
typedef struct Cell {
  uint32_t node; // none: a wire
  uint32_t net, column, at;
  bool back; // a wire to the left
  double y, up, down, sort;
} Cell;

// What a net joins on the two sides of a channel.
typedef struct Joint {
  uint32_t net, cell, pin; // pin: of the block on the right; none: its output, or a passing wire
  bool right;              // it lies on the channel's right side
} Joint;

typedef struct Column {
  uint32_t *cells, count;
  double x, w; // the middle, the width
} Column;

typedef struct Channel {
  VEC(Joint) joints;
} Channel;

typedef struct Layout {
  Arena *arena;
  const Diagram *diagram;
  const BlockBox *boxes;
  DiagramLayout *out;
  uint32_t count, nets, columns;
  uint32_t *net_base;                // of a node's first output
  uint32_t *layer, *order, *cell_of; // by node
  uint32_t *pin_base;
  bool *back; // by pin
  VEC(Cell) cells;
  Column *column;
  Channel *channel; // channel[c] lies left of column c; one more at the right
} Layout;

static inline uint32_t outs_of(const DiagramNode *n) { return n->outs.count ? n->outs.count : 1; }

// The least distance between the middles of two neighbours in a column.
double gap_between(const Cell *a, const Cell *b);
// The height at which a joint's wire leaves its cell.
double joint_y(const Layout *l, const Joint *j);

// Wires apart, jogs straight; then columns, channels and all lines.
void part_all(Layout *l, bool room);
void straighten_jogs(Layout *l);
void route(Layout *l);
void draw_passing(Layout *l);
void merge_lines(DiagramLayout *out);

#endif

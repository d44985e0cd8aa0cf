// Inside the layout of diagrams: cells in columns, nets in the channels between them.
//
// A net is an output of a block and all the pins it feeds. Column c holds the blocks of layer c and, for every net that
// passes it, a cell for the wire. Channel c lies left of column c; what a net joins there are its joints.
#ifndef VIVA_SHOW_DIAGRAM_GRID_H
#define VIVA_SHOW_DIAGRAM_GRID_H

#include "show/diagram_places.h"

static const uint32_t grid_none = UINT32_MAX;
// Larger diagrams are laid out in fewer rounds, and their crossings, whose count takes the fourth power of the joints
// of a channel, are not counted: nobody reads them as a whole.
enum { grid_most_cells = 1500, grid_most_joints = 300 };
// pixels: around all, between blocks, wires, trunks. Lines that are 9 apart are distinguished at a glance
static const double grid_margin = 20, grid_cell_gap = 18, grid_wire_gap = 9, grid_track = 9;

// A cell of a column: a block, or a wire that passes through.
typedef struct GridCell {
  uint32_t node; // grid_none: a wire
  uint32_t net, column, at;
  bool back; // a wire to the left
  double y, up, down, sort;
} GridCell;

// What a net joins on the two sides of a channel.
typedef struct GridJoint {
  uint32_t net, cell, pin; // pin: of the block on the right; grid_none: its output, or a passing wire
  bool right;              // it lies on the channel's right side
} GridJoint;

typedef struct GridColumn {
  uint32_t *cells, count;
  double x, w; // the middle, the width
} GridColumn;

typedef struct GridChannel {
  VEC(GridJoint) joints;
} GridChannel;

typedef struct DiagramGrid {
  Arena *arena;
  const Diagram *diagram;
  const BlockBox *boxes;
  DiagramLayout *out;
  uint32_t count, nets, columns;
  uint32_t *net_base;                // of a node's first output
  uint32_t *layer, *order, *cell_of; // by node
  uint32_t *pin_base;
  bool *back; // by pin
  VEC(GridCell) cells;
  GridColumn *column;
  GridChannel *channel; // channel[c] lies left of column c; one more at the right
} DiagramGrid;

static inline uint32_t grid_outs(const DiagramNode *n) { return n->outs.count ? n->outs.count : 1; }

// The least distance between the middles of two neighbours in a column.
double grid_gap(const GridCell *a, const GridCell *b);
// The height at which a joint's wire leaves its cell.
double grid_joint_y(const DiagramGrid *l, const GridJoint *j);

#endif

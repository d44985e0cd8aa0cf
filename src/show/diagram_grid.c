// Distances in the grid of a diagram.
#include "show/diagram_grid.h"

double grid_gap(const GridCell *a, const GridCell *b) {
  double gap = a->node == grid_none || b->node == grid_none ? grid_wire_gap : grid_cell_gap;
  return a->down + b->up + gap;
}

double grid_joint_y(const DiagramGrid *l, const GridJoint *j) {
  const GridCell *cell = &l->cells.items[j->cell];
  if (cell->node == grid_none) return cell->y;
  const DiagramNode *n = &l->diagram->nodes.items[cell->node];
  const BlockBox *box = &l->boxes[cell->node];
  if (!j->right) return cell->y + place_out_offset(box, j->net - l->net_base[cell->node], grid_outs(n));
  uint32_t place = 0;
  while (place < n->pins.count && l->out->places[cell->node].order[place] != j->pin) place++;
  return cell->y + place_pin_offset(box, place, n->pins.count);
}

// Pins on the sides of a block: evenly around its middle, `gap` apart. The left side is straight, or a circle.
#include "show/diagram_places.h"

#include <math.h>

double place_pin_offset(const BlockBox *box, uint32_t place, uint32_t count) {
  return ((double)place - ((double)count - 1) / 2) * box->gap;
}
double place_out_offset(const BlockBox *box, uint32_t out, uint32_t count) {
  return ((double)out - ((double)count - 1) / 2) * box->out_gap;
}
double place_pin_x(const BlockBox *box, double offset) {
  if (box->inset <= 0) return -box->w / 2;
  double r = box->inset, d = r * r - offset * offset;
  return d > 0 ? -sqrt(d) : 0;
}

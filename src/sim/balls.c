// The length of quaternions. See balls.h.
#include "sim/balls.h"

#include <math.h>

bool balls_normalize(const System *s, double *y, size_t stride) {
  bool moved = false;
  for (uint32_t i = 0; i < s->tree.balls.count; i++) {
    size_t place[4];
    double square = 0;
    for (uint32_t k = 0; k < 4; k++) {
      place[k] = system_place(s, s->states.items[s->tree.balls.items[i].first + k].x) * stride;
      square += y[place[k]] * y[place[k]];
    }
    if (square == 1 || !(square > 0) || !isfinite(square)) continue;
    double factor = 1 / sqrt(square);
    for (uint32_t k = 0; k < 4; k++) y[place[k]] *= factor;
    moved = true;
  }
  return moved;
}

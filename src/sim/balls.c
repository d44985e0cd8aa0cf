// Normalization of unit quaternions (spherical joints). See balls.h.
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
    if (square == 1 || !isfinite(square)) continue;
    if (square == 0) y[place[0]] = NAN; // a quaternion of length 0 is no orientation
    double factor = 1 / sqrt(square);
    for (uint32_t k = 0; k < 4; k++) y[place[k]] *= factor;
    moved = true;
  }
  return moved;
}

const char *balls_lost(const System *s, const double *y) {
  for (uint32_t i = 0; i < s->tree.balls.count; i++) {
    const TreeBall *ball = &s->tree.balls.items[i];
    if (isnan(y[system_place(s, s->states.items[ball->first].x)])) return ball->name;
  }
  return NULL;
}

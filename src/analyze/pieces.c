// Dense output of a response: values between its nodes by barycentric interpolation.
#include "analyze/pieces.h"

#include <math.h>

void pieces_weights(TimeResponse *r) {
  for (int i = 0; i < response_points; i++) {
    r->weight[i] = 1;
    for (int j = 0; j < response_points; j++) {
      if (j != i) r->weight[i] /= r->node[i] - r->node[j];
    }
  }
}

double piece_value(const TimeResponse *r, const double y[response_points], double part) {
  double above = 0, below = 0;
  for (int i = 0; i < response_points; i++) {
    double off = part - r->node[i];
    if (fabs(off) < 1e-15) return y[i];
    above += r->weight[i] / off * y[i];
    below += r->weight[i] / off;
  }
  return above / below;
}

double time_response_at(const TimeResponse *r, double t) {
  if (r->samples) {
    double k = floor(t / r->period + 1e-9);
    return k < 0 ? 0 : k < r->samples ? r->sample[(uint32_t)k] : r->sample[r->samples - 1];
  }
  uint32_t low = 0, high = r->pieces.count;
  if (high == 0 || t < r->pieces.items[0].t0) return 0;
  while (high - low > 1) {
    uint32_t middle = (low + high) / 2;
    if (r->pieces.items[middle].t0 <= t) low = middle;
    else high = middle;
  }
  const ResponsePiece *p = &r->pieces.items[low];
  return piece_value(r, p->y, fmin(fmax((t - p->t0) / p->h, 0), 1));
}

// Static gain and number of integrators of a path, by Cauchy's integral around s = 0.
//
// On a small circle around s = 0 (z = 1) the argument of G changes by -2 pi order, and s^order G has no pole inside, so
// its mean over the circle is its value in the middle (Cauchy); dead times need no other treatment. Two circles must
// agree.
#include "analyze/rest.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

enum { points = 32, most_circles = 8 };

// False: a pole lies on the circle, or the argument of G changes too fast.
static bool go_round(Response *r, double radius, RestGain *out) {
  bool sampled = r->s->period > 0;
  Complex value[points], mean = 0;
  double turn = 0;
  for (int i = 0; i < points; i++) {
    Complex at = radius * cexp(2 * pi * I * (i + 0.5) / points);
    if (!response_at(r, sampled ? 1 + at : at, &value[i]) || !isfinite(cabs(value[i])) || value[i] == 0) return false;
  }
  for (int i = 0; i < points; i++) {
    double part = carg(value[(i + 1) % points] / value[i]);
    if (fabs(part) > 2) return false;
    turn += part;
  }
  out->order = -(int)nearbyint(turn / (2 * pi));
  for (int i = 0; i < points; i++) {
    Complex at = radius * cexp(2 * pi * I * (i + 0.5) / points);
    mean += cpow(sampled ? at / r->s->period : at, out->order) * value[i] / points;
  }
  out->constant = creal(mean);
  return true;
}

DenseStatus rest_find(Arena *arena, const SolveModule *module, const LinearSystem *path, double least, RestGain *out) {
  Response r;
  RestGain before = {0};
  bool any = false;
  *out = (RestGain){0};
  DenseStatus status = response_open(&r, arena, module, path);
  if (status != dense_done) return status;
  for (uint32_t k = 0; k < path->delays; k++) least = fmin(least, 1 / path->time[k]);
  if (path->period > 0) least = fmin(least, 1);
  double radius = 0.1 * (isfinite(least) ? least : 1);
  for (int i = 0; i < most_circles; i++, radius /= 4) {
    RestGain now;
    if (!go_round(&r, radius, &now)) {
      any = false;
      continue;
    }
    if (any && now.order == before.order && fabs(now.constant - before.constant) <= 1e-9 * fabs(now.constant)) {
      *out = before; // the wider circle has less rounding
      out->known = true;
      return dense_done;
    }
    any = true;
    before = now;
  }
  return dense_done;
}

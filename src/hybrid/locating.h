// Event location: between a model with events and the search for zero crossings inside steps.
#ifndef VIVA_HYBRID_LOCATING_H
#define VIVA_HYBRID_LOCATING_H

#include "hybrid/hybrid.h"

#include <math.h>

void locating_events(Hybrid *h, OdeEvents *e); // what the search asks for

void locating_conditions(void *self, double t, const double *y, double *c); // positive while a mode stays
void locating_rounding(void *self, double t, const double *y);              // sets h->noise to that at t, y

// A condition that ends where the mode with the value v changes: by its guard g, and what is rounding on the wrong
// side. What has no branch of its own at its limit ends where it leaves it.
static inline double locating_condition(ModeKind kind, double g, double v, double slack) {
  if (kind == mode_above) return (v != 0 ? g : -g) + slack;
  if (kind == mode_sign) return (v > 0 ? g : v < 0 ? -g : g == 0 ? 1 : -fabs(g)) + slack;
  return (g - v + slack) * (v + 1 - g + slack);
}

#endif

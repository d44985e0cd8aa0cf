// Where conditions end: between a model with events and the search for them inside steps.
#ifndef VIVA_HYBRID_LOCATING_H
#define VIVA_HYBRID_LOCATING_H

#include "hybrid/hybrid.h"

void locating_events(Hybrid *h, OdeEvents *e); // what the search asks for

void locating_conditions(void *self, double t, const double *y, double *c); // positive while a mode stays
void locating_rounding(void *self, double t, const double *y);              // sets h->noise to that of this place

#endif

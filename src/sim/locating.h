// Where conditions end: between a model with events and the search for them inside steps.
#ifndef VIVA_SIM_LOCATING_H
#define VIVA_SIM_LOCATING_H

#include "sim/hybrid.h"

void locating_events(Hybrid *h, OdeEvents *e); // what the search asks for

void locating_conditions(void *self, double t, const double *y, double *c); // positive while a mode stays
void locating_rounding(void *self, double t, const double *y);              // sets h->noise to that of this place
void locating_grazes(void *self, uint32_t condition, double t);
double locating_distance(const SwitchMode *m, double g, double v); // of a guard from a limit
// At an event, after some modes changed: which guards they stand inside of, and which of these are at their limits.
void locating_follow(Hybrid *h);
bool locating_inner_changed(const Hybrid *h, uint32_t i); // after locating_follow
void locating_outer(Hybrid *h, double t, const double *y);

#endif

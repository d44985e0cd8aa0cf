// How an event is settled: modes, checks, memories, `when`, until nothing changes any more.
#ifndef VIVA_SIM_SETTLE_H
#define VIVA_SIM_SETTLE_H

#include "sim/hybrid.h"

// Conditions that meet their ends in the same moment up to rounding, `x > 1` beside `x < 1`, end together: the search
// stops at the first, and the other would not know that it was passed. Adds them to the list.
const uint32_t *settle_ended(Hybrid *h, double t, const double *y, const uint32_t *ended, uint32_t *count);
// What the ended conditions say themselves, before anything else.
void settle_begin(Hybrid *h, double t, const double *y, const uint32_t *ended, uint32_t count);
OdeAction settle_all(Hybrid *h, double t, double *y, bool start); // start: what is true has not become true
void settle_end(Hybrid *h, double t, const double *y);            // rounding and slack of the branches that follow
void settle_rules(Hybrid *h, double t, const double *y);          // evaluates the rules, with what varies
double settle_mode_value(const SwitchMode *m, double g);          // of the operator

#endif

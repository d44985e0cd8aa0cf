// Runs that do not advance: chattering, endless event iteration, events that pile up (Zeno). All of it is reported,
// nothing is cut.
#ifndef VIVA_HYBRID_CHATTER_H
#define VIVA_HYBRID_CHATTER_H

#include "hybrid/holding.h"

// Elements at rest for which there is no answer, or more than one.
OdeAction chatter_group(Hybrid *h, HoldVerdict verdict, double t);
// The events of this moment do not settle.
OdeAction chatter_unsettled(Hybrid *h, double t);
// A branch agrees with neither sign of its guard.
OdeAction chatter_open(Hybrid *h, double t);
// After an event at which conditions ended: does time get on?
OdeAction chatter_watch(Hybrid *h, double t, const uint32_t *ended, uint32_t count);

#endif

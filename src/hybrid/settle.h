// The host of the event iteration (hybrid/instant.h): a model's tapes, its flow, its stick and slip.
#ifndef VIVA_HYBRID_SETTLE_H
#define VIVA_HYBRID_SETTLE_H

#include "hybrid/hybrid.h"

enum { settle_not_located = UINT32_MAX };

void settle_cut(Hybrid *h, Cutter *c);
// An instant at t. left: the first number that is not before its breaks; located: the guard that the search found.
void settle_open(Hybrid *h, double left, double t, const double *y, uint32_t located, uint64_t steps);
// OdeEvents.time_error
double settle_time_error(void *self, uint32_t mode, double t, const double *y, uint64_t steps);
OdeAction settle_start(Hybrid *h, double t, double *y); // memories and levels at the start
OdeAction settle_all(Hybrid *h, double t, double *y);   // (a) to (d)
void settle_end(Hybrid *h, double t, const double *y);  // the search goes on from here
// Memories that follow the state continuously take their outputs, as they are now.
void settle_keep_outputs(Hybrid *h, double t, const double *y);
// How far the inputs of delays may be off that were evaluated at t and y, by slot of their tape; NULL: nobody asks.
const double *settle_input_errors(Hybrid *h, double t, const double *y);
void settle_rules(Hybrid *h, double t, const double *y); // evaluates the rules, with delayed signals
void settle_branches(Hybrid *h, double t, double *y);    // AT, of a state that is not begun

#endif

// Open-loop linearization: delayed signals, sampled states and inputs at which a loop is opened are free inputs.
//
// The point is one of the model as it is: delays hold their inputs, samples are where their rules leave them, loops are
// closed. There everything else is linearized with those signals as further inputs, and with what they would be as
// further outputs (PointRequest.freed), so nothing has to be taken out of a closed loop again.
#ifndef VIVA_LINEAR_FREED_H
#define VIVA_LINEAR_FREED_H

#include "linear/linearize.h"

bool freed_needed(const System *s); // has it delays or samples?

// closed: opened for a rest, open: not, both with the same `freed`. Not done: *message, *place, out->hint.
LinearizeStatus linearize_freed(Operating *closed, Operating *open, const LinearizeSettings *settings,
                                Linearization *out, const char **message, Span *place);

// Where the further outputs of an operating point with freed signals begin.
uint32_t freed_delay(const Operating *o);  // one for each delay of the system
uint32_t freed_sample(const Operating *o); // one for each assignment of an `every`, in their order
uint32_t freed_cut(const Operating *o);
uint32_t freed_watch(const Operating *o);

#endif

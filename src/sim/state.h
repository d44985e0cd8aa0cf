// The complete state of a run as text (checkpoint): a resumed run goes on as if it had not stopped.
#ifndef VIVA_SIM_STATE_H
#define VIVA_SIM_STATE_H

#include "sim/motion.h"

const char *state_write(Run *r, const OdeResult *o); // in r->arena; NULL: out of memory
// Into a run that was reset and aimed; it goes on from there. False: reported, or out of memory.
bool state_read(Run *r, const char *text, Diags *diags);

#endif

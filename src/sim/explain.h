// Why a run stopped, in words: which operation failed and where, what kept the steps small.
#ifndef VIVA_SIM_EXPLAIN_H
#define VIVA_SIM_EXPLAIN_H

#include "sim/motion.h"

// Into r->failure.
void explain_end(Run *r, const OdeResult *o, const double *y);

#endif

// Evaluation of further expressions at a run's state, after its program is built: for messages.
#ifndef VIVA_SIM_PROBE_H
#define VIVA_SIM_PROBE_H

#include "sim/motion.h"

// A copy of the program's system, to which expressions may be added.
typedef struct Probe {
  Run *r;
  System s;
  ExprPool pool;
  Rewriting *rewriting; // NULL: no events
} Probe;

Probe *probe_open(Run *r);            // NULL: out of memory
ExprId probe_of(Probe *p, ExprId id); // an expression of the model, as the run has it
// A tape of expressions of the run, with its parameters and held variables. NULL: out of memory.
const Tape *probe_tape(Probe *p, const ExprId *wanted, uint32_t count, bool origins, double **w);
// The first statement of an energy that has no finite value, and what failed there.
Span probe_energy(Run *r, double t, const double *y, const char **what);

#endif

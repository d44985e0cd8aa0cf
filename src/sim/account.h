// Energy balance of a run.
//
// residue = stored + dissipated - supplied - initial: the balance error, zero but for the errors of the method. It is
// evaluated at the ends of steps, where the method has its full accuracy, not at rows, which may lie inside of steps.
#ifndef VIVA_SIM_ACCOUNT_H
#define VIVA_SIM_ACCOUNT_H

#include "sim/motion.h"

bool account_is_due(const Run *r, uint64_t steps);
// stored + what left - what entered - initial
double account_residue(const Run *r, double stored, const double *y);
bool account_take(Run *r, double t, const double *y); // false: no finite energy, which is reported

// What is to be said of it at the end.
typedef struct AccountVerdict {
  double relative;    // the balance error, relative to the energy moved
  bool residue_large; // far more than the tolerance promises
} AccountVerdict;
AccountVerdict account_close(const Run *r, const OdeResult *o, Diags *diags);

#endif

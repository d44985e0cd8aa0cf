// `auto`: a global search (multistart) that hands over to the Levenberg-Marquardt method as soon as it pays.
//
// how   First from the model's own values, by the unknowns themselves and by their logarithms: valleys that are curved
//       for the one are often straight for the other. Then rounds. Each draws candidates over the box, half of them
//       evenly, half of them evenly in the logarithm where a range has one sign (damping of 0.1 in 0 .. 10 is no
//       accident); Latin hypercube sampling leaves out no part of a range. The best of them begin local searches, first
//       on the beginning of the data, then on more and more of it: a long simulation that is a period off misleads.
//       Where a round finds nothing good, the next one judges its candidates, too, by a beginning of a few points. It
//       ends where the same best point was found again, where the residuals are nothing but noise, or the budget is
//       spent. Without ranges it ends where a search from the model's own values converges in full rank, and well; else
//       a few rounds draw within two decades about them.
#ifndef VIVA_FIT_AUTO_H
#define VIVA_FIT_AUTO_H

#include "fit/explore.h"

typedef struct AutoSettings {
  uint64_t most; // simulations; 0: 2000, or as many as a curve needs
  bool ranged;   // all unknowns have ranges
} AutoSettings;

// Is nothing left in the residuals r but noise? Then no other point can explain more. The order of a curve's rows says
// nothing. room: fit_column_room.
bool auto_only_noise_is_left(const FitProblem *f, const double *r, double *room);
// r->u and r->cost; m holds the Jacobian there. r->status.
void auto_run(FitResult *r, Lm *m, Explore *s, const AutoSettings *settings);

#endif

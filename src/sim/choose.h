// Automatic choice of a structure-preserving method for a long conservative run. `auto` asks once.
//
// in    a run that `auto` integrates by an explicit method; the model is proved conservative: it has energies, nothing
//       dissipates or supplies, and there are no states, events, held variables or constraints
// out   a fixed step of gauss8 that keeps the tolerance over the stretch that was done, or none
//
// A short run pays nothing. The choice looks at the step sizes of the run once, after enough steps that the number of
// steps to the end can be estimated and that the step size does not grow any more. Only where that number is large,
// trials run beside the simulation, which then goes on bit for bit where nothing better was found. The trials start
// where the run did, and are compared with dop853 at a hundredth of the tolerance.
#ifndef VIVA_SIM_CHOOSE_H
#define VIVA_SIM_CHOOSE_H

#include "sim/motion.h"

typedef struct RunChoice {
  const System *system;
  const RunSettings *settings;
  bool looked;
  uint64_t next;           // steps at which it looks; 0: not known yet
  double middle;           // the time at half of them
  double step;             // of gauss8, which is better; 0: nothing is
  double steps;            // the estimate; 0: there is none yet
  double stretch, average; // the time that it was made of, and of one of its steps
} RunChoice;

// May the run of this program come to a choice at all?
bool choose_may(const SimProgram *p, const RunSettings *settings);
// After a step of the run. True: it ends here, for something better was found (r->choice).
bool choose_after_step(Run *r, double t, uint64_t steps);

// The run that was chosen starts from the beginning: its first rows were sent already, and are not sent again.
typedef struct SentRows {
  const Sink *to; // NULL: no sink
  uint64_t sent;  // rows that `to` has
  uint64_t skip;  // how many of these come once more
  Sink sink;      // stands before `to`
} SentRows;

void choose_count_rows(SentRows *x, const Sink *to); // x->sink counts
void choose_skip_rows(SentRows *x);                  // from now on it leaves out the header and what was sent
const Sink *choose_sink(const SentRows *x);

#endif

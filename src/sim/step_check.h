// Step halving: is a fixed step small enough? The same run with half of it.
#ifndef VIVA_SIM_STEP_CHECK_H
#define VIVA_SIM_STEP_CHECK_H

#include "sim/motion.h"

typedef struct StepCheck {
  Run *r;
  VEC(double) kept; // y at the rows of the first run
  uint64_t row;
  double difference, time; // the largest one, and when
  double relative;         // to the largest value that the same component took
  uint32_t component;      // plus one; 0: there is none
} StepCheck;

OdeObserver step_check_observer(StepCheck *c); // of the first run: keeps its rows
// The second run, from the start; the run's results are lost. False: it did not come to the end.
bool step_check_again(StepCheck *c);

#endif

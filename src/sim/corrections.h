// Termination of repeated Newton corrections, for both projections: onto constraints (constrain.h, nearest by the
// masses, by the blocks of accelerations) and onto equations that were differentiated (manifold.h, whose states have no
// masses).
//
// Newton's corrections fall by squares until rounding is left, which may be more than a few last digits where residuals
// cancel: then they fall no more.
#ifndef VIVA_SIM_CORRECTIONS_H
#define VIVA_SIM_CORRECTIONS_H

#include <stdbool.h>

enum { corrections_most = 12 };

static const double corrections_slack = 4e-16; // of the size: below are roundings of the correction itself
static const double corrections_rough =
    1e-8; // of the size: rounding error of residuals that cancel, or over a small singular value

typedef enum CorrectionState { correction_goes_on, correction_done, correction_failed } CorrectionState;

// round: from 0; part: the last correction as a part of the size, negative: it has no value; before: the one before it.
static inline CorrectionState correction_state(int round, double part, double before) {
  if (part < 0) return correction_failed;
  if (part <= corrections_slack) return correction_done;
  if (round && part > 0.25 * before && part < corrections_rough) return correction_done;
  if (round > 3 && part > before) return correction_failed;
  if (round + 1 < corrections_most) return correction_goes_on;
  return part < corrections_rough ? correction_done : correction_failed;
}

#endif

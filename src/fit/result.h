// What a fit came to, and how sure it is.
//
// cov = s^2 (J'J)^-1, s^2 = cost/(N - k), or 1 where the noise is known. An interval is that of the profile: the values
// of one unknown at which the best cost over all others exceeds the least one by s^2 t^2, t from Student's distribution
// (from the normal one where the noise is known).
// parts: profile.c
#ifndef VIVA_FIT_RESULT_H
#define VIVA_FIT_RESULT_H

#include "fit/lm.h"
#include "fit/statistics.h"

typedef struct FitEstimate {
  double value, stderr_;
  double low, high;         // 95 %
  bool open_low, open_high; // the interval ends at the bound of the range, or nowhere
  bool at_bound;
  bool found; // the data tells it
} FitEstimate;

typedef struct FitGeneration {
  double best, mean, spread; // of R^2 over the individuals that could be simulated; spread: standard deviation
  uint64_t motions;
} FitGeneration;
typedef VEC(FitGeneration) FitHistory;

typedef struct FitResult {
  RunStatus status;
  const char *message; // NULL: nothing went wrong
  Span place;
  FitProblem *f;
  const char *method;
  uint64_t seed;
  bool seeded; // the method draws random numbers
  double *u;
  double cost, r2, sigma; // sigma: s
  size_t freedom;         // N - k
  FitEstimate *estimates;
  double *correlation;  // k x k; NAN where it is not defined
  double *column_r2;    // by experiment and column
  ResidualTests *tests; // likewise
  double *column_rms;   // of the residuals, in the unit of the column
  double aic, bic;
  uint32_t rank;                       // combinations of the unknowns that the slopes see at the estimate
  uint32_t points_before, rank_before; // and, before the fit, at so many points of the range at most
  const char *const *remarks;          // what the data cannot separate, estimates on bounds, ...: whole sentences
  uint32_t remark_count;
  const char *by_differences; // why; NULL: slopes are exact
  FitHistory history;
  bool partial; // only values: it was interrupted, or did not come to rest
  // where outliers count less: the last loss, its least cost; u is its estimate, cost and residuals are plain
  FitLoss loss;
  double loss_cost;
  LossSpread loss_spread;
} FitResult;

// From the estimate to all the rest; profiles where they are asked for. False: memory is out.
bool result_finish(FitResult *r, Lm *m, bool profiles);

// ---- profile.c

bool profile_intervals(FitResult *r, Lm *m, double delta, double t); // false: memory is out, or interrupted

#endif

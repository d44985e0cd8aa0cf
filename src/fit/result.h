// The result of a fit and its uncertainty: covariance, confidence intervals by profile likelihood, tests of residuals.
//
// cov = s^2 (J'J)^-1, rows being weighed by the noise of their columns (noise.h): s^2 = cost/(N - rank) where one size
// of noise is found, 1 where it is given, noise_unit^2 where there are several. An interval is that of the profile: the
// values of one unknown at which the best cost over all others exceeds the least one by s^2 t^2, t from Student's
// distribution with the degrees of freedom that the noise behind this unknown has (normal where all noise is given).
// parts: profile.c covariance.c curves.c
#ifndef VIVA_FIT_RESULT_H
#define VIVA_FIT_RESULT_H

#include "algebra/separable.h"
#include "fit/lm.h"
#include "fit/noise.h"
#include "fit/statistics.h"

typedef struct FitEstimate {
  double value, stderr_;
  double low, high;         // 95 %
  double bound;             // t^2: in units of the noise, by how much the cost at the ends exceeds the least cost
  bool open_low, open_high; // the interval ends at the bound of the range, or nowhere
  bool at_bound;
  bool found;   // identifiable from the data
  bool lost;    // its profile could not be followed to the end: the interval is that of the standard error
  bool narrow;  // another branch could not be followed to its end: the interval may be wider
  double reach; // not 0: its derivatives vanish at the estimate, and the cost grows by (way/reach)^2; no standard error
  double *branch[2]; // all unknowns at an end that another branch of minima leads to; NULL: the curve leads there
} FitEstimate;

typedef struct FitGeneration {
  double best, mean, spread; // of R^2 over the individuals that could be simulated; spread: standard deviation
  uint64_t motions;
  const double *u; // the best so far; NULL: none could be simulated
} FitGeneration;
typedef VEC(FitGeneration) FitHistory;

// What is known before a fit (identify.h).
typedef struct Identified {
  uint32_t points;  // that could be asked
  uint32_t rank;    // the largest
  double least;     // singular value where the rank is full: the largest of the smallest
  bool *moves;      // by unknown: it has an influence somewhere
  double *point;    // the first one that could be asked; NULL: none
  double *expected; // standard errors there; INFINITY: it cannot be found
  double noise;     // where no standard deviation is given, noise is this part of the column's spread; 1: all are given
  Separable structure;
  double
      *larger[2]; // by column of all experiments: how many times the data is larger than the model, at least, at most
} Identified;

// An identifiable combination of unknowns that are not identifiable themselves: k/m.
typedef struct FitCombination {
  const char *text;
  double value, stderr_, low, high;
} FitCombination;

// How the least cost over all others grows with one unknown: in units of the noise, so that 3.84 is the bound of 95 %
// where much was measured.
typedef struct FitProfile {
  double *at, *above;
  uint32_t count;
} FitProfile;

// An experiment along its time, for pictures: of all columns, time by time.
typedef struct FitCurves {
  double *times;
  uint32_t count;
  double *values;
  double *sure, *likely; // half of the band that holds the curve, and of that for one more measurement, at 95 %
  double *sequence;      // the best individuals of a search, one after the other
  uint32_t *generation;  // and of which generation they are
  uint32_t sequence_count;
} FitCurves;

// Is the estimate a minimum?
typedef struct FitRest {
  double offset;    // of the last descent (lm.h)
  bool not_at_rest; // a search ended where the gradient still leads down: it is no estimate, and has no intervals
  bool not_least;   // profiles found a lower cost beside the estimate
  double *lower;    // and there it is
  double bend;      // not 0: the Jacobian vanishes along a direction there (lm.h), and m->R is without that direction
  double *reach;    // by unknown: see FitEstimate
  double *twin;     // elsewhere in the range, and as good; NULL: none was met
} FitRest;

// Residuals beside the standard deviations that are given.
typedef struct FitChi {
  double square, freedom; // chi^2 and its degrees of freedom; NAN: none is given
  double p;               // the probability of such a value, or a larger one, if the model and the noise are right
} FitChi;

// What is left of a column.
typedef struct FitColumnFound {
  double r2, rms; // rms: of the residuals, in the unit of the column
  ResidualTests tests;
} FitColumnFound;

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
  double search_cost;     // as searches count it: R^2 = 1 - search_cost/total
  size_t freedom;         // N - rank
  FitChi chi;
  FitEstimate *estimates;
  double *axes;            // A of the covariance A A': k rows, the first `rank` of k columns
  double *correlation;     // k x k; NAN where it is not defined
  FitColumnFound *columns; // by experiment and column
  double aic, bic;
  uint32_t rank;          // of the Jacobian at the estimate: identifiable combinations of the unknowns
  Identified before;      // what was known before the fit
  bool only_before;       // nothing was searched
  FitCombination *lumped; // combinations through which unknowns act alone, where the data finds these
  uint32_t lumped_count;
  const char *const *remarks; // what the data cannot separate, estimates on bounds, ...: whole sentences
  uint32_t remark_count;
  const char *by_differences; // why; NULL: derivatives are exact
  FitRest rest;
  bool once; // `auto` spent all its simulations, and found this point only once
  FitHistory history;
  bool partial; // only values: it was interrupted, or did not converge
  bool no_ends; // interrupted among the profiles: all else is there
  // where outliers count less: the last loss, its least cost; u is its estimate, cost and residuals are plain
  FitLoss loss;
  double loss_cost;
  LossSpread loss_spread;
  // ---- for pictures; NULL: nobody asked for them
  double *residuals;    // (model - data)/sd, of all experiments
  FitProfile *profiles; // one an unknown
  FitCurves *curves;    // one an experiment
} FitResult;

// What is wanted beside the estimate and its standard errors.
typedef struct FitWanted {
  bool profiles; // intervals by profiles
  bool pictures; // curves with their bands, residuals, profiles as curves
} FitWanted;

// From the estimate to all the rest. False: out of memory, or it was interrupted.
bool result_finish(FitResult *r, Lm *m, FitWanted wanted);

// ---- covariance.c

// t of a variance with these degrees of freedom, at 95 %.
double result_t(double freedom);
// w = C s of a combination of the unknowns, s being its gradient; returns its variance s'C s.
double result_variance(const FitResult *r, const double *s, double *w);

// ---- profile.c

// An end lies where the cost is spread * t^2 above the least. False: out of memory, or interrupted.
bool profile_intervals(FitResult *r, Lm *m, double spread);
bool profile_curves(FitResult *r, Lm *m, double spread); // the same between the ends of the intervals

// ---- curves.c

bool result_curves(FitResult *r); // false: out of memory, or interrupted

#endif

// Optimal experiment design: the D-optimal one among candidates, by the Fisher information matrix.
//
// in    candidates (a case of the model, values of a grid of starts and parameters), what is measured and its noise,
//       the times of the rows, how many of them are measured
// out   by candidate, the best first: the determinant of its information, the standard errors that it promises, and
//       which times are best
//
//   M = sum of s s'/sd^2 over the samples,   s: gradient of an output by the unknowns, at the values that the model has
//
// The volume of the region that holds the truth is that of det(M)^(-1/2), whatever the units of the unknowns are. The
// efficiency of a candidate is (det M / det M_best)^(1/k): a candidate of efficiency 1/2 must be repeated twice.
// parts: optimal_times.c
#ifndef VIVA_FIT_OPTIMAL_H
#define VIVA_FIT_OPTIMAL_H

#include "fit/problem.h"
#include "sim/design.h"

// The model of a case, and its `fit` lines.
typedef struct OptimalCase {
  const char *name; // NULL: the model as it is
  const System *system;
} OptimalCase;

typedef struct OptimalRequest {
  const OptimalCase *cases;
  uint32_t case_count;
  const Design *grid; // of starts and parameters; none: one point
  const char *const *names;
  uint32_t samples; // times that are measured; 0: all
  RunSettings run;
  void *self;
  void (*progress)(void *self, uint64_t done, uint64_t count); // candidates; may be NULL
} OptimalRequest;

typedef struct OptimalCandidate {
  uint32_t in_case, number; // number: as they were asked for
  double *values;           // of the grid
  double log_det;           // in parts of the unknowns' sizes; -INFINITY: not all are identifiable
  uint32_t rank;            // combinations of the unknowns that its rows identify
  double *errors;           // standard errors; INFINITY: not identifiable
  double *times;            // that are measured, rising
  uint32_t time_count;
  const char *failure; // its simulation failed; NULL
} OptimalCandidate;

typedef struct OptimalResult {
  RunStatus status;
  const char *message;
  FitProblem *f; // unknowns: `start` is the value that counts
  const OptimalRequest *request;
  const SystemFit *measured; // the line whose outputs are measured
  bool noise_said;           // else errors are those of noise of 1
  OptimalCandidate *candidates;
  uint32_t count;
  const char *by_differences; // why; NULL: sensitivities are exact
} OptimalResult;

enum { optimal_most = 100000 }; // candidates

// Of a family of lines those count that belong to no case.
OptimalResult optimal_find(Arena *arena, const OptimalRequest *request, Diags *diags);
double optimal_efficiency(const OptimalResult *r, uint32_t candidate);

// ---- for tests

// The rows of `count` times (width rows each, k wide): n times whose information is largest, rising. False: none has
// any, or out of memory.
bool optimal_times(Arena *arena, const double *rows, uint32_t count, uint32_t width, uint32_t k, uint32_t n,
                   uint32_t *chosen);

#endif

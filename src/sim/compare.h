// Comparison of integration methods on one model: cost, energy balance error, distance from a reference.
//
// in    a model, settings, names of methods
// out   for each its energy error, its distance from a reference, evaluations, time; both errors along time
//
// The reference is a run of its own with a tight tolerance, so that a method that only keeps its energy does not count
// as the best. Positions are measured by the largest size that each had in the reference.
#ifndef VIVA_SIM_COMPARE_H
#define VIVA_SIM_COMPARE_H

#include "sim/run.h"

typedef struct ComparedRun {
  RunResult run;
  double energy;   // largest balance error, as a part of the energy moved; NAN: no energies
  double position; // largest distance from the reference at a row, in parts of the size of the position
  // along time
  size_t count;
  double *t, *energy_at, *position_at;
} ComparedRun;

typedef struct Comparison {
  ComparedRun reference;
  ComparedRun *runs; // as many as methods were asked for
  uint32_t count;
  RunFailure failure; // of the reference, or of the first method that does not fit the model; done: none
} Comparison;

Comparison compare_methods(Arena *arena, const System *system, const RunSettings *settings, const char *const *methods,
                           uint32_t count, Diags *diags);

#endif

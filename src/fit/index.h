// Constrained optimization of an index of performance: unknown numbers of a model for which a measure of its simulation
// is least, and conditions hold.
//
// in    a model, its unknowns with their ranges, measures (system/measure.h): first the index, then conditions, then
//       how far each condition is from holding, where that is a number
// out   costs of points. Where all conditions hold, the index itself; else `index_violated` and more, the further they
//       are from it, so that feasible points rank before all others (Deb 2000)
#ifndef VIVA_FIT_INDEX_H
#define VIVA_FIT_INDEX_H

#include "fit/problem.h"

static const double index_violated = 1e100; // above all indices that count

typedef struct IndexRequest {
  const System *system;  // over whose expressions the measures are
  const MeasureSet *set; // items: the index, the conditions, then excesses
  uint32_t conditions;
  const uint32_t *excess; // by condition: its item; 0: it has none
} IndexRequest;

struct FitIndex {
  IndexRequest request;
  SimProgram *p;
  Variation vary;
  double *last;        // measures of the best point
  const char *failure; // why the last simulation that failed did
};

// As fit_problem_new: f->index is set, and there is no data.
FitProblem *index_problem_new(Arena *arena, const FitData *data, uint32_t count, const IndexRequest *request,
                              const RunSettings *settings, Diags *diags);
// As batch_costs.
bool index_costs(FitProblem *f, const double *u, uint32_t count, double *costs);
// Which unknowns change no cost at some points of the range, moved to other values of theirs? idle: one an unknown.
// False: it was stopped, or out of memory.
bool index_find_idle(FitProblem *f, uint64_t seed, bool *idle);
// All measures at u, into f->index->last. False: it fails there, or it was stopped.
bool index_measures(FitProblem *f, const double *u);

#endif

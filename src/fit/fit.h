// Parameter estimation from data: the methods, and the stages from `fit` lines and data to a result.
#ifndef VIVA_FIT_FIT_H
#define VIVA_FIT_FIT_H

#include "fit/auto.h"
#include "fit/index.h"

typedef struct FitSettings {
  RunSettings run;
  const char *method; // NULL: auto
  uint64_t seed;
  bool no_profiles; // intervals by standard errors alone
  bool only_before; // what can be found, and no search
  bool pictures;    // keep what pictures need
  ExploreSettings search;
  FitLossKind loss;
  FitListener listener; // how it goes on
} FitSettings;

FitResult fit_run(Arena *arena, const FitData *data, uint32_t count, const FitSettings *settings, Diags *diags);
// An index of performance becomes least (index.h): r.cost; by all methods but lm.
FitResult fit_index_run(Arena *arena, const FitData *data, uint32_t count, const IndexRequest *request,
                        const FitSettings *settings, Diags *diags);
void fit_free(FitResult *r); // what stands outside of the arena

#endif

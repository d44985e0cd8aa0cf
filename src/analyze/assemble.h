// From a linear model with free signals (linear/freed.h) to a system in numbers.
#ifndef VIVA_ANALYZE_ASSEMBLE_H
#define VIVA_ANALYZE_ASSEMBLE_H

#include "analyze/sampled.h"
#include "linear/freed.h"

// What cannot be taken.
typedef struct AssembleTrouble {
  const char *message, *hint; // NULL: nothing is wrong
  Span place;
} AssembleTrouble;

// Inputs: those of the model. Outputs: those of the model, then the expressions of cut inputs, then what is watched.
// Rates of inputs are taken into B and D: x - B1 u has no rate of u in it. continuous: before samples; part: the
// samples (count 0: none). False: out of memory.
bool assemble_system(Arena *arena, const Linearization *l, LinearSystem *continuous, SampledPart *part,
                     AssembleTrouble *trouble);

#endif

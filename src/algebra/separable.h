// Structural identifiability: which unknowns of a model do its measured outputs determine, by the equations alone?
//
// in    experiments: a model, which of its outputs were measured, which parameters and initial values are unknown;
//       all else is known: inputs, the other parameters and the other initial values
// out   groups of unknowns that act only through combinations of them, proved: other values with the same combinations
//       give the same measurements at every time
//
// how   A scaling p_k -> p_k lambda^w_k of unknown parameters, x_i -> x_i lambda^a_i of the trajectory, initial values
//       with it, is looked for that multiplies each equation of motion by some power of lambda, each x_i' = f_i by that
//       of x_i, and leaves what was measured as it is; then shifts p_k -> p_k + c_k epsilon, x_i -> x_i + b_i epsilon
//       likewise. The conditions are linear in the numbers w, a (c, b) and those of the equations. Candidates solve
//       them at points modulo a prime (expr/modular.h), over all experiments at once; the rows of each are then proved
//       in the normal form, with the scaled symbols put in, for every lambda > 0 (scaled.h) or every epsilon.
// why   These are the symmetries of one parameter that people mean by "acts only through". Others are not looked for
//       here: that no group is all there is, observed.h proves where it can.
#ifndef VIVA_ALGEBRA_SEPARABLE_H
#define VIVA_ALGEBRA_SEPARABLE_H

#include "system/system.h"

typedef struct SeparableExperiment {
  System *s; // over a pool of its own: expressions are added
  const ExprId *outputs;
  uint32_t output_count;
  const char *const *names; // unknowns of this experiment: k, or the starts x and x'
  const uint32_t *which;    // and their numbers among all unknowns
  uint32_t count;
} SeparableExperiment;

typedef struct SeparableTerm {
  double factor;
  const double *powers; // one an unknown of all
} SeparableTerm;

// The product of the powers of all unknowns, or the sum of their multiples, or a sum of such products.
typedef struct SeparableCombination {
  const double *number; // one an unknown of all; NULL: terms
  VEC(SeparableTerm) terms;
  const char *text; // k/m, a + b
} SeparableCombination;

typedef struct SeparableGroup {
  VEC(uint32_t) unknowns;
  VEC(SeparableCombination) by; // none: these unknowns change nothing that was measured
  bool sums;                    // the combinations are sums, not products
  bool unsaid;                  // more combinations are identifiable than could be put into words
} SeparableGroup;

typedef struct Separable {
  VEC(SeparableGroup) groups;
  uint32_t lost;   // the least number of combinations of the unknowns that are not identifiable
  const char *why; // it was not looked at, because of this; NULL: it was
  // ---- by the rank of what was measured (observed.h)
  bool *told;            // by unknown: it is identifiable, proved; NULL: not asked
  bool exact;            // `lost` is not only the least number, but the number
  const char *undecided; // why it is not; NULL: it is
  bool signals;          // tables of numbers stand in the model: they count as any known signals
} Separable;

// shown: all unknowns as people read them. False: out of memory.
bool separable_find(Arena *arena, const SeparableExperiment *experiments, uint32_t count, const char *const *shown,
                    uint32_t unknowns, Separable *out);
// Does it change nothing that was measured?
bool separable_is_idle(const Separable *s, uint32_t unknown);

#endif

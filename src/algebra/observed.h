// Structural identifiability: the exact rank of the Taylor coefficients of the outputs in the unknowns.
//
// in    experiments (separable.h): models, what was measured, which parameters and initial values are unknown; all
//       else is known
// out   how many combinations of the unknowns the measured outputs fix, which unknowns are among them, and of the
//       others the combinations through which they act
//
// how   All that a run shows are the Taylor coefficients of its outputs at its start. Their Jacobian by the unknowns,
//       modulo a prime at random values (jets.h), has a rank: from below a proof, because what is not zero modulo a
//       prime is not zero. From above, the same rank with known starts anywhere: a special start tells no more than a
//       general one, and for a general one as many orders as there are components and unknowns are enough (the
//       derivatives of the outputs make a chain of spaces that stops growing once it stands still). Where both agree,
//       the answer is exact. Directions that nothing measured sees, at many points, give the combinations: sums of
//       products of powers whose derivatives along all of these directions vanish.
// why   Sensitivities of a simulation suffer from rounding; this has none, and no point of the range is special. Local:
//       other values far away may give the same outputs (k1 and k2 exchanged). At almost all values, known signals
//       being general.
#ifndef VIVA_ALGEBRA_OBSERVED_H
#define VIVA_ALGEBRA_OBSERVED_H

#include "algebra/separable.h"

// *out is what separable_find left; it is completed. False: out of memory.
bool observed_find(Arena *arena, const SeparableExperiment *experiments, uint32_t count, const char *const *shown,
                   uint32_t unknowns, Separable *out);

#endif

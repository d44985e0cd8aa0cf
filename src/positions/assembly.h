// All assembly modes: every position that a mechanism can be put together in, the drives held.
//
// how   The equations as polynomials (polynomial.h), all their complex solutions (homotopy.h); each real one is
//       corrected on the equations themselves and proved to be alone (tube.h). They are all where every path is
//       accounted for, no two met, and every solution is either proved real or far from real.
#ifndef VIVA_POSITIONS_ASSEMBLY_H
#define VIVA_POSITIONS_ASSEMBLY_H

#include "positions/homotopy.h"
#include "positions/tube.h"

typedef struct AssemblyModes {
  const char *why; // not NULL: there is no answer, and the reason
  Span place;
  double bound;
  Homotopy paths;
  uint32_t count, turned, unproved, doubtful; // proved; with a driven bar the other way round; not proved; nearly real
  double *u;                                  // count rows of n, the nearest to the drawing first
  bool all;
  bool interrupted;
  // where modes meet: double solutions, by estimate
  uint32_t transitions, met; // real ones; paths that end in double solutions, those with a flipped bar counted
  double *transition_u;      // rows of n
  bool loose;                // such a configuration can be moved: it is not alone
  // by elimination
  bool resultant;
  uint32_t degree, extraneous, complex_zeros; // of the resultant; zeros of denominators; zeros that are not real
  const char *turned_bar;                     // whose angle is the unknown; NULL: none is needed
} AssemblyModes;

// c: its path starts with the drives where they are held. False: out of memory.
bool assembly_modes_find(AssemblyModes *x, Curve *c, const double *P, uint64_t seed, bool (*interrupted)(void *self),
                         void *self);

// Parts of it that elimination needs, too. Angles that are only shown are found; false: a driven one stands the other
// way round.
bool assembly_set_angles(Places *p, double *u, const double *P);
bool assembly_prove(Curve *c, Tube *tube, double *z);  // z (n + 1 numbers) is corrected, and alone: proved
void assembly_sort(AssemblyModes *x, const Places *p); // by distance from the drawing

#endif

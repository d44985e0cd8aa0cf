// Assembly modes of planar linkages by elimination (resultants): an alternative to homotopy.
//
// in    bars and sliders of a plane with the drives held; a driven bar has its angle
// out   all real positions, each corrected on the equations themselves and proved to be alone
//
// how   Nodes are complex numbers w = x + iy with v = x - iy beside them, so that a bar is (w - w')(v - v') = l^2. A
//       node on two circles, or on a circle and a line, around known nodes is a dyad: two solutions by one root. Where
//       no dyad is left one bar is rotated by an unknown z = e^(i theta), until a bar is left over: g(z) = 0 over all
//       signs of the roots. The product of g over all signs is the resultant of all equations in z (Poisson's formula):
//       roots are gone, and with the denominators of the dyads it is a polynomial. Its values on the unit circle give
//       its coefficients, Aberth's iteration its zeros. Every zero is real (|z| = 1), complex, or one of the
//       denominators.
//
// Four-bars need no z, six-bars one. Linkages that need two are rejected.
#ifndef VIVA_POSITIONS_RESULTANT_H
#define VIVA_POSITIONS_RESULTANT_H

#include "positions/assembly.h"

// As assembly_modes_find. drives: those of c's equations (places.h), as they were written.
bool resultant_modes_find(AssemblyModes *x, Curve *c, const SystemDrive *drives, const double *P);

#endif

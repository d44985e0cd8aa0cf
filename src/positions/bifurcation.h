// Kind of a simple bifurcation (pitchfork, transcritical), and the tangent of the branch that crosses.
//
//   phi, psi    right and left null vectors of A = [F_u F_s; t'], t the way that was come
//   a = psi.D2F[phi, phi],  b = psi.D2F[phi, t]        (psi.D2F[t, t] = 0)
//   t2 = a t - 2 b phi                                 the other way: a alpha^2 + 2 b alpha beta = 0
//
// Where t2 has no part in s the bifurcation is symmetric (a pitchfork), and the third derivative says to which side of
// the load its branch bends:  s'' from  psi.(D3F[t2, t2, t2] + 3 D2F[t2, w]) = 0,  A w = -D2F[t2, t2]. Else it is
// transcritical. Where b vanishes it is not simple, and nothing is said. A path that comes along the branch of a
// symmetric one meets it from its side: t has no part in s, t2 has.
//
// Of many unknowns (sparse matrices) phi comes from inverse iteration, and the kind from two points of the other way,
// one on each side: an estimate.
#ifndef VIVA_POSITIONS_BIFURCATION_H
#define VIVA_POSITIONS_BIFURCATION_H

#include "positions/curve.h"

typedef enum BifurcationKind { bifurcation_unknown, bifurcation_symmetric, bifurcation_transcritical } BifurcationKind;

typedef struct Bifurcation {
  BifurcationKind kind;
  double *other;  // N: the direction of the other way, of length 1; NULL: not known
  double bend;    // of a symmetric one: s'' along it
  bool from_side; // of a symmetric one: the path came along its branch
} Bifurcation;

// At z, with the direction t of length 1 in which it was come. False: out of memory.
bool bifurcation_find(Bifurcation *x, Curve *c, const double *z, const double *t);

#endif

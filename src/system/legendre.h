// The Legendre transform of a System made from energies, from (q, v) to (q, p): momenta instead of velocities.
//
//   p = dL/dv,   p' = dL/dq + Q - dD/dv + G' lambda,   H = p v - L
//
// in    a closed System
// out   definitions of p and p' in it (legendre_define); or one whose components are q and p, instead of q and v,
//       where v is computed from p (legendre_transform). Everything else is computed from q and v as before.
//
// The connected parts of M = dp/dv are transformed one by one; what p is in v says how (LegendreLaw). A part of M that
// is constant, with p = M v, stays in velocities unless all are asked for: there the two differ by a constant matrix.
#ifndef VIVA_SYSTEM_LEGENDRE_H
#define VIVA_SYSTEM_LEGENDRE_H

#include "system/system.h"

// How v follows from p.
typedef enum LegendreLaw {
  legendre_linear,  // p = M(q, t) v + c(q, t): by the inverse of M
  legendre_inverse, // p of a single v with dp/dv = 0 at rest (v^3), where Newton's method fails: by its `inverse`
  legendre_newton   // any other: by Newton's method, whose Jacobian is M, from the velocity before
} LegendreLaw;

typedef struct LegendrePart {
  uint32_t first, count; // of the coordinates
  LegendreLaw law;
} LegendrePart;

// A coordinate that has a momentum instead of its velocity.
typedef struct LegendreCoord {
  uint32_t coord;
  SymbolId p, rate;
} LegendreCoord;

typedef struct Legendre {
  LegendreCoord *coords; // those of a part stand one behind the other
  LegendrePart *parts;
  uint32_t count, part_count;
  bool all; // in: parts of M that are constant are transformed, too
} Legendre;

// Adds p and p' to the definitions of s, which gets lists of its own. False: out of memory, or p stands in a cycle.
bool legendre_define(System *s, Legendre *l);
// s, a copy of what they were added to, in q and p. Parts by Newton's method add their guesses behind the held
// variables, each of the velocity that it guesses. False: out of memory, or v does not follow from p alone.
bool legendre_transform(System *s, const Legendre *l);

#endif

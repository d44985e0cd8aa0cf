// Momenta in the place of velocities: from (q, v) to (q, p), for a System that was made from energies.
//
//   p = dL/dv = M(q, t) v + c(q, t),   p' = dL/dq + Q - dD/dv + G' lambda
//
// in    a closed System
// out   definitions of p and p' in it (legendre_define); or one whose components are q and p, in the places of q and v,
//       where v is solved from p (legendre_turn). Everything else is computed from q and v as before.
//
// A part of M that is constant, with p = M v, stays in velocities: there the two differ by a constant matrix.
#ifndef VIVA_SYSTEM_LEGENDRE_H
#define VIVA_SYSTEM_LEGENDRE_H

#include "system/system.h"

// A coordinate that has a momentum in the place of its velocity.
typedef struct LegendreCoord {
  uint32_t coord;
  uint32_t part; // of the connected parts of M
  SymbolId p, rate;
} LegendreCoord;

typedef struct Legendre {
  LegendreCoord *coords; // those of a part stand one behind the other
  uint32_t count, parts;
  const char *nonlinear; // a coordinate whose momentum is not linear in the velocities; NULL: none
  Span place;
} Legendre;

// Adds p and p' to the definitions of s, which gets lists of its own. False: memory is out, or p is `nonlinear`.
bool legendre_define(System *s, Legendre *l);
// s, a copy of what they were added to, in q and p. False: memory is out, or v does not follow from p alone.
bool legendre_turn(System *s, const Legendre *l);

#endif

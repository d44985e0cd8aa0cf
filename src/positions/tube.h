// Verified continuation: an interval Newton (Krawczyk) proof that a piece of a curve of positions is one branch.
//
//   p(sigma) = z0 + (z1 - z0) (sigma - sigma0)/h       the chord
//   K = -Y G(p(m)) - Y [G']  (Sigma - m) + (1 - Y [A]) E,     G' = A p', m the middle of Sigma, Y about A(m)^-1
//
// Where K lies inside of E, there is for every sigma of the piece exactly one point of the curve in p(sigma) + E
// (Krawczyk, with a parameter): so the curve that starts at z0 is the one that ends at z1, and no other branch comes
// into the tube. Bounds are rounded outward.
//
// The end has a bound of its own: how far z1 may be from the curve. The next tube begins a little before its start, and
// holds all points within that bound: so tubes are joined.
#ifndef VIVA_POSITIONS_TUBE_H
#define VIVA_POSITIONS_TUBE_H

#include "positions/curve.h"

typedef struct Tube {
  Curve *c; // dense
  double *lo, *hi;
  double *Y, *rate;  // N * N; bounds of |1 - Y A|
  double *mid, *off; // of A: N * N, middle and half width
  double *r;         // half widths of the tube
  double *unit;      // what they are counted in: 1, of forces what is large among them
  double *near;      // of the start: bounds of |z0 - curve|
  double *near_kept; // those that tube_keep kept
  double *point, *along, *chord, *K, *work, *g, *g_off, *kept;
  double h;
  uint64_t looks;
} Tube;

bool tube_open(Tube *x, Curve *c); // false: out of memory
// The curve passes z0 exactly, or within this.
void tube_begin(Tube *x, const double *near); // NULL: as near as rounding
// From z0 with the tangent t0 to z1 with t1. True: proved, and the next piece begins at z1.
bool tube_proves(Tube *x, const double *z0, const double *t0, const double *z1, const double *t1, const double *along);
// Is z inside the tube that was proved last, which began at z0?
bool tube_holds(const Tube *x, const double *z0, const double *z);
// The next piece begins at z, which lies inside.
void tube_leave(Tube *x, const double *z);

// A piece that was proved and is not gone along: the next one begins where it began.
void tube_keep(Tube *x);
void tube_go_back(Tube *x);

// Is there exactly one zero of the equations at s = z[n] within r of z? near: room for the bounds; may be NULL.
bool tube_point(Tube *x, const double *z, double r, double *near);

#endif

// Deformed positions by nonlinear least squares: a mechanism whose elements are forced to change their lengths.
//
//   min 1/2 sum e_i^2     over elements that give way, what is held and all other constraints held
//
// how   The Levenberg-Marquardt method (gather.h) on the elongations, what is held counting more and more. It goes
//       downhill, so it ends near a minimum. The equations of the minimum itself (places_deformed) are solved
//       behind it.
#ifndef VIVA_POSITIONS_DEFORMED_H
#define VIVA_POSITIONS_DEFORMED_H

#include "positions/nearest.h"

// soft: of kind places_soft, what is held at P. u moves. near: u is already near by, and does not go onto lengths
// first.
NearestStatus deformed_near(Places *soft, const double *P, bool near, double *u, NearestPoint *out);
// u of kind places_deformed, whose first numbers are those of deformed_near, becomes the minimum itself.
NearestStatus deformed_settle(Places *p, const double *P, double *u, NearestPoint *out);

#endif

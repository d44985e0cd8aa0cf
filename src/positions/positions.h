// Kinematic position analysis: where a mechanism is for given inputs, and where it goes as they change.
//
//   initial      from rough guesses: onto the constraints by the shortest way, then, where something is driven, along
//                the branch of the drawing to where the drive starts
//   successive   the drives go on from there, step by step
//
//   path         equilibria instead of positions: a load, or a position that is held, goes on from value to value, by
//                arc length through limit points and straight on through bifurcations, with the number of directions
//                in which the potential falls
//
//   inverse      what is driven is to come to where the drives start: the inputs for it, by least motion; else the
//                nearest configuration
//   modes        all positions with the drives where they start: assembly modes
//   deformed     what is driven is held where the drives start, or goes along them, and elements give way: the least
//                sum of squares of their elongations
//   synthesis    parameters for which what is driven passes given points: the least of these sums over all points
#ifndef VIVA_POSITIONS_POSITIONS_H
#define VIVA_POSITIONS_POSITIONS_H

#include "positions/found.h"

// s: over a copy of the model that may grow. Call positions_close in the end.
PositionsStatus positions_find(Positions *x, const System *s, const PositionsRequest *request);
void positions_close(Positions *x);

#endif

// Singular positions of constraints: where they lose rank on the way.
//
// A four-bar that flattens can go on along its way or fold over. The motion itself knows: its velocity leads through,
// and what it was before says where it goes. Close to such a place the equations say less and less, the closer the
// less, so a motion does not integrate there: its last steps give a polynomial, which leads to the other side, where
// the constraints are obeyed again. A place from which no way leads on, or several do, ends the run.
//
// How near it is, is told by the smallest singular value of G, with its rows scaled as at the start and without those
// that depend on others anyway; beside the largest value it had on the way.
#ifndef VIVA_SIM_SINGULAR_H
#define VIVA_SIM_SINGULAR_H

#include "solve/ode.h"

struct Run;

enum { singular_points = 6 }; // steps that are kept

typedef struct SingularState {
  double now, most;          // smallest singular value; the largest it was
  uint32_t count;            // of the points that are kept, the oldest first
  double t[singular_points]; // when
  double value[singular_points];
  bool waits;      // it was stopped, to leap
  bool watched;    // few enough constraints, no fixed steps
  uint32_t passed; // singular places
  double passed_t; // the last one
} SingularState;

void singular_reset(struct Run *r);
double singular_value(struct Run *r, double t, const double *y); // of G there, as a part of the largest
// After a step that was taken. False: hold here, the motion is to leap.
bool singular_step(struct Run *r, double t, const double *y);
// From where it holds to the other side, with the rows between. False: r->failure.
bool singular_leap(struct Run *r, const OdeObserver *observer);
// "(th1 0.71, th3 0.71)": the ways that constraints leave open there
const char *singular_directions(struct Run *r, double t, const double *y);

#endif

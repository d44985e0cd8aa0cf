// Numerical continuation along a curve of positions, by predictor-corrector steps that stay on their branch.
//
// how   A step goes by the third Taylor polynomial and Newton's method, and counts only where a tube (tube.h) proves
//       that both ends are one branch; else it is halved. Where halves of halves do not do, the step goes by arc
//       length, which passes points at which the drive turns back. Such a dead point is found as the zero of ds along
//       the arc. Where not even arcs are proved, two branches cross: the crossing is found by the sign of the
//       determinant.
// Mechanisms of more unknowns than curve_dense_most are not proved: there a step counts where Newton's method
// contracts and the direction changes little. Of equilibria the number of unstable directions is asked for at both ends
// of each such step: where it changes and the drive does not turn back, two branches cross, and bisection finds where.
#ifndef VIVA_POSITIONS_FOLLOW_H
#define VIVA_POSITIONS_FOLLOW_H

#include "positions/tube.h"

typedef enum FollowEnd {
  follow_reached,
  follow_dead,   // the drive turns back here
  follow_branch, // two branches cross here
  follow_corner, // the equations switch here, and it goes on in another direction
  follow_stuck,  // neither is known
  follow_interrupted,
  follow_no_memory
} FollowEnd;

typedef struct Follow {
  Curve *c;
  Tube tube;
  bool proves;
  int way;   // of s: 1 or -1
  double *z; // where it is
  double *rates[3];
  bool rated;      // rates are those at z
  bool directed;   // t0 is the direction to go on in: z is a dead point
  double grid;     // a usual step of s
  double h, arc;   // steps that are tried next
  double *special; // of dead and branch: the point
  double *heading; // of branch: the direction of the curve there, of length 1
  uint64_t steps, refused;
  bool (*interrupted)(void *self);
  void *self;
  // unstable directions at z, of equilibria that are not proved; NULL: nobody asks
  double (*index)(void *self, const double *z);
  void *index_self;
  void (*moved)(void *self, const double *z); // after each step; NULL: nobody asks
  void *moved_self;
  double unstable;   // at f->z; NAN: not known
  bool turned;       // f->z is a limit point: unstable is the number before it
  bool crossed;      // it changed in the last step of s
  uint64_t unjudged; // steps at whose end it is not known
  // room
  double *z1, *t0, *t1, *along, *more, *next[3];
} Follow;

// At z, which is on the curve; s rises. False: out of memory.
bool follow_open(Follow *f, Curve *c, const double *z, double grid);
// Proves that z is alone at its s. False: it is not, or nothing is known.
bool follow_start(Follow *f);
// To s = target. Of follow_dead: f->z is the point itself, and a further call goes on behind it, the other way
// (follow_turn). Of follow_branch f->z is behind the crossing where `through` is set.
FollowEnd follow_to(Follow *f, double target, bool through);
void follow_turn(Follow *f);
// Behind a crossing: onto the other way, which leaves f->special in this direction. bend: s'' along it, where the
// direction has no part in s. False: no point of it is found near by, and f stays where it is.
bool follow_branch_off(Follow *f, const double *direction, double bend);
// From f->z, where no step is proved because the equations switch just ahead: over the corner and onto the smooth piece
// behind it, by its one-sided tangent. f->special is the corner, f->way how s goes behind it. False: there is no such
// piece, or more than one, and f stays where it is. *corner: there is one; else the proofs start again at f->z.
bool follow_over_corner(Follow *f, bool *corner);
// To a point where it was before, with the way and the step that it had there.
void follow_go_back(Follow *f, const double *z, int way, double h);
// Derivatives of u by s at f->z; NULL: there are none, at a dead point.
double *const *follow_rates(Follow *f);

#endif

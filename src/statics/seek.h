// What every equilibrium method works on: the problem, its factors, the point, work arrays.
// parts: assemble.c descend.c methods.c rigid.c verdict.c
#ifndef VIVA_STATICS_SEEK_H
#define VIVA_STATICS_SEEK_H

#include "statics/balance.h"
#include "statics/kkt.h"

typedef struct Seek {
  Arena *arena;
  const BalanceOptions *options;
  Problem *p;
  Kkt kkt;
  double *x, *y, *start;  // all coordinates: where we are, a trial, where it began
  double *lambda, *c;     // m
  double *step, *b;       // n + m
  double *room;           // 2 (n + m)
  double *least;          // m: multipliers of least norm; NULL: nobody has asked
  double *all, *gradient; // all coordinates; n
  double potential, r;
  bool near; // the factors are those of a point close to x, with the metric alone
  uint32_t iterations, restarts;
} Seek;

bool seek_init(Arena *arena, Seek *q, const Structure *s, const BalanceOptions *options);
BalanceStatus seek_of(KktStatus status); // of a failure
bool seek_interrupted(const Seek *q);
// Was more work done than an answer is waited for? Counted in unknowns of all factors, so that it is the same each
// time: some minutes for a million bars; small structures come to `max` first.
bool seek_spent(const Seek *q);
// Tells the caller of an iteration. change: of multipliers.
void seek_tell(Seek *q, double change);
// Largest error of a constraint and of balance at q->x, q->lambda; the node where balance is worst.
// Uses all, c, gradient.
double seek_length_residue(Seek *q);
double seek_force_residue(Seek *q, uint32_t *worst);
double seek_largest_force(const Seek *q, uint32_t *worst); // the same where q->all has the forces
double seek_acting_scale(const Seek *q);                   // the largest force that acts: loads and springs
double seek_force_scale(Seek *q);                          // the same with the forces of bars
// Forces within 1e-7 of that, or as near as the rounding of coordinates lets springs come; lengths
// within 1e-9 of the structure's size.
bool seek_balanced(Seek *q);
// Residual forces within 1e-4 of those that act, the same rounding aside: what penalties come to on the reference set
// before their matrix has lost its digits. Forces of bars are no measure:
// in singular configurations they have no bound.
bool seek_carries_loads(Seek *q);

// The six methods of the document, from q->x.
BalanceStatus seek_by_method(Seek *q, double *position_error);
// Newton's method from q->x, q->lambda with the derivatives of loads that follow, to rounding.
// False: it does not get there.
bool seek_polish(Seek *q);
// Onto the constraint set: q->x moves to the nearest point that Newton's method finds without rotating parts far.
BalanceStatus seek_assemble(Seek *q);
// Minimizes the potential from q->x: auto without restarts.
BalanceStatus seek_descend(Seek *q);
// y, off the constraint set by a step, comes back to it with the factors that are there. False: it does not.
bool seek_retract(Seek *q, double *y, double within);
// Factors of the Hessian of the Lagrangian at q->x, q->lambda plus `share` of the metric,
// relative to the scale `turning`.
KktStatus seek_factor(Seek *q, double share, double *turning);
// One step of Newton's method at q->x, q->lambda with `share` of the metric added. False: its matrix is not definite.
bool seek_newton(Seek *q, double share);
// Do the constraints leave a direction, v' M v = metric? Where they leave nothing, iterations end in what strains
// parts: as much as the metric says, where a motion strains by rounding. For the point of the last factors.
bool seek_is_left(Seek *q, const double *v, double metric);
// A direction in which the potential curves downwards on the constraint set, into q->step. False: none was found.
bool seek_curve_down(Seek *q);
// Rigid-body motions of the structure that its supports leave free, n numbers each into v; how many there are.
enum { seek_whole_most = 6 };
typedef struct SeekWhole {
  bool turns;
  double along[3], turn[3], about[3]; // a translation, or an axis, a point on it, and what it goes along
} SeekWhole;
uint32_t seek_whole_motions(const Seek *q, SeekWhole out[seek_whole_most], double *v[seek_whole_most]);
// Verdict, soft directions and notes at q->x, q->lambda; multipliers that are not unique become those of least norm.
BalanceStatus seek_judge(Seek *q, BalanceResult *out);

#endif

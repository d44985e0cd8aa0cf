// Levenberg-Marquardt method with bounds and geodesic acceleration.
//
// in    a problem, a start
// out   the nearest point inside the bounds at which no step leads down, with R of its Jacobian
//
// A step v solves min |r + J v|^2 + lambda |D v|^2 over the unknowns that are not held at a bound by their gradient; D
// are the largest lengths of the columns of J so far. What would leave the box ends at its bound, and the others are
// found for that. lambda follows the ratio of what was gained to what was promised (Nielsen).
//
// Valleys of nonlinear problems are curved, and straight steps creep along them. Where a step did not keep its promise,
// the next one bends: a solves the same system for the second derivative of r along v, taken from one more simulation
// at u + h v, and the step is v + a/2; one that bends too much is shortened (Transtrum, Machta, Sethna 2010).
//
// By their logarithms (`logarithms`) unknowns that are not 0 keep their signs, and powers and rates lie in
// straight valleys.
//
// Convergence is not judged by the length of steps, but by the offset (Bates, Watts 1981): how far
// the tangent plane still leads down, in parts of the spread that the residuals have. Where an unknown enters by its
// square, and 0 is best, the column of the Jacobian vanishes with it, and the tangent plane promises the same however
// near it is. There the cost is evaluated along the promised step p: with its second derivative H,
//
//   cost(u + h p) = cost - 2 down h + H h^2/2,   the bottom lies 2 down^2/H below
#ifndef VIVA_FIT_LM_H
#define VIVA_FIT_LM_H

#include "fit/problem.h"

typedef enum LmStatus {
  lm_found,       // no step leads down any more
  lm_many,        // more steps than allowed
  lm_failed,      // the simulation fails at the start
  lm_interrupted, // asked to stop
  lm_no_memory
} LmStatus;

typedef struct LmSettings {
  uint32_t most;     // steps
  double gain, step; // relative: it ends where both are smaller
  const bool *fixed; // unknowns that stay as they are; NULL: none
  bool logarithms;   // of unknowns whose range has one sign, and that are not 0
  bool last;         // vanishing columns are looked for, too, where little is promised
  double enough;     // not 0: instead of gain and step it ends where the tangent plane leads down by less than this
} LmSettings;

typedef struct LmResult {
  LmStatus status;
  double cost;
  double offset; // 0 at a minimum; NAN: not defined, because nothing is left to fit
  double down;   // of the cost, that the tangent plane still promises; where the Jacobian vanishes, what H leaves of it
  double bend;   // H, where the Jacobian vanishes along Lm.vanishing; else 0
  uint32_t steps;
} LmResult;

// More points than this are not kept in tables: a step needs R, Q'r and the cost alone. Then steps do not bend.
enum { lm_most_kept = 1 << 16 };

typedef struct Lm {
  FitProblem *f;
  bool streams;                                   // r, try_r and slopes are not stored
  LeastSums sums, try_sums;                       // instead of them
  double *r, *slopes, *try_r, *try_sensitivities; // residuals; the Jacobian in slopes is overwritten
  double *R, *q, *d, *damping, *x, *bend, *trial, *room;
  double *bend_r;      // residuals on the way, then what they say of the bend
  double *unit;        // u by its logarithm moves by unit * exp(x): its value; else 0
  double *vanishing;   // a step along which the Jacobian vanishes where lm_run ended
  double *held, *left; // what a step does with unknowns that end at a bound, and Q'r with that
  bool *free;
} Lm;

bool lm_init(Lm *m, FitProblem *f); // false: out of memory
static inline LmSettings lm_defaults(void) {
  return (LmSettings){.most = 500, .gain = 1e-15, .step = 1e-9, .last = true};
}
// u: from where, and where to. m->R is that of the end, and so is m->r where it is kept.
LmResult lm_run(Lm *m, double *u, const LmSettings *settings);
// Where lm_run ended: how the best values of the others go with one unknown, a number for each; its own is 1.
void lm_tangent(Lm *m, const double *u, uint32_t unknown, double *line);
double lm_cost(Lm *m, const double *u); // INFINITY: a simulation fails, or it was interrupted
// R without the direction along which the Jacobian vanishes where lm_run ended; room: k * (k + 1).
void lm_drop_vanishing(Lm *m, const double *u, double *room);
// What counts as a change of an unknown at u.
static inline double lm_scale(const Lm *m, const double *u, uint32_t j) {
  return fmax(fabs(u[j]), 0.1 * m->f->unknowns[j].size);
}
// The residuals where lm_run ended, at u. NULL: out of memory, or it was interrupted.
const double *lm_residuals(Lm *m, const double *u);

#endif

// Consistent initial conditions under constraints, and the rank of G there. For assemble.c and its parts.
// parts: assemble.c assemble_rank.c
//
// in    a Run with a start; which of its values were given
// out   a start on the constraints; scales of rows, rank and dependent rows of G there; whether it is a singular
//       configuration
#ifndef VIVA_SIM_ASSEMBLY_H
#define VIVA_SIM_ASSEMBLY_H

#include "sim/constrain.h"
#include "sim/motion.h"
#include "solve/sparse.h"

#include <math.h>

typedef struct Assembly {
  Run *r;
  const ConstraintPlan *plan;
  Arena *arena;
  bool rates;          // velocities, not positions
  const bool *fixed;   // a bound coordinate: its initial value was given
  double *y;           // being moved
  double *res, *G, *d; // residuals and entries of G, scaled; the step of the bound coordinates
  double *normal, *z;  // dense: G G' + mu, and workspace
  Sparse *sparse;      // NULL: dense
  double *values;      // of the sparse matrix
  uint32_t *place;     // index of the entries of G in it, twice
  double unit;         // of the bound coordinates: the largest at the start; 1 where all are 0
  double *typical;     // a constraint: size of its row of G around the start
  double *kept;        // workspace of the size of y
} Assembly;

// Moves a bound coordinate or velocity of a->y; its size; its displacement from another y.
static inline void assembly_move(const Assembly *a, uint32_t i, double d) {
  if (a->rates) a->y[a->plan->coords[i].v] += d;
  else bound_move(&a->plan->coords[i], d, a->y);
}
static inline double assembly_size(const Assembly *a, uint32_t i, const double *y) {
  return a->rates ? fabs(y[a->plan->coords[i].v]) : bound_size(&a->plan->coords[i], y);
}
static inline double assembly_way(const Assembly *a, uint32_t i, const double *from, const double *to) {
  const BoundCoord *c = &a->plan->coords[i];
  return a->rates ? to[c->v] - from[c->v] : bound_difference(c, from, to);
}

double assembly_chance(uint64_t *chance); // in -1 .. 1, the same in every run
// Residuals and G at y, scaled; returns the norm of the residuals.
double assembly_evaluate(Assembly *a);
bool assembly_factor(Assembly *a, double corner); // of [1 G'; G corner], where it is sparse
bool assembly_step(Assembly *a, double mu);       // a->d by a->G and a->res; false: none
// Moves what is free until the constraints hold. False: they do not.
bool assembly_search(Assembly *a);
// The rank of G at the start, or, where that is a singular configuration, beside it. False: out of memory.
bool assembly_rank(Assembly *a);

#endif

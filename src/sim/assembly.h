// The search for a start that obeys the constraints, and what G is there. For assemble.c and its parts.
// parts: assemble.c assemble_rank.c
//
// in    a Run with a start; what of it was said
// out   a start on the constraints; scales of rows, rank and dependent rows of G there; whether it is a singular place
#ifndef VIVA_SIM_ASSEMBLY_H
#define VIVA_SIM_ASSEMBLY_H

#include "sim/constrain.h"
#include "sim/motion.h"
#include "solve/sparse.h"

typedef struct Assembly {
  Run *r;
  const ConstraintPlan *plan;
  Arena *arena;
  bool rates;          // velocities, not places
  const bool *fixed;   // a bound coordinate: it was said
  double *y;           // being moved
  double *res, *G, *d; // residues and entries of G, scaled; the step of the bound coordinates
  double *normal, *z;  // dense: G G' + mu, and room
  Sparse *sparse;      // NULL: dense
  double *values;      // of the sparse matrix
  uint32_t *place;     // of the entries of G in it, twice
  double unit;         // of the bound coordinates: the largest at the start; 1 where all are 0
  double *typical;     // a constraint: size of its row of G around the start
} Assembly;

static inline double *assembly_component(const Assembly *a, uint32_t i) {
  return &a->y[a->rates ? a->plan->coords[i].v : a->plan->coords[i].q];
}

double assembly_chance(uint64_t *chance); // in -1 .. 1, the same in every run
// Residues and G at y, scaled; returns the norm of the residues.
double assembly_evaluate(Assembly *a);
bool assembly_factor(Assembly *a, double corner); // of [1 G'; G corner], where it is sparse
bool assembly_step(Assembly *a, double mu);       // a->d by a->G and a->res; false: none
// Moves what is free until the constraints hold. False: they do not.
bool assembly_search(Assembly *a);
// The rank of G at the start, or, where that is a singular place, beside it. False: memory is out.
bool assembly_rank(Assembly *a);

#endif

// A structure as an optimization problem over its unknowns: min V(x) where c(x) = 0, with sparse derivatives.
//
// The matrix is that of Newton's method for min V under c = 0, both triangles, its pattern made once:
//
//   [ H    G ]      H = d2V + sum of lambda d2c + weight G G' + metric M
//   [ G'   E ]      G = dc' (one column a constraint), E = corner I
//
// The pattern is pattern.c's. G G' has no entry that H has not, because each constraint binds the nodes of one part. M
// is the metric of rotations: the sum over all parts of |dx_b - dx_a|^2 / l^2, so that a step is measured by what it
// rotates, in a chain of ten bars and of a million; what hangs on nothing has a small weight of its own.
//
// Notation: x all coordinates (nodes one after another, then further unknowns), z the n unknowns among them, lambda the
// m multipliers: of a bar its force, tension positive.
#ifndef VIVA_STATICS_PROBLEM_H
#define VIVA_STATICS_PROBLEM_H

#include "statics/element.h"

// The larger one, inline: sums over a million numbers should not pay for a call. NaN counts as nothing in b.
static inline double larger(double a, double b) { return b > a ? b : a; }

typedef struct ProblemPart {
  ElementKind kind;
  uint32_t index; // in its list of the structure
  uint32_t row;   // its first constraint
  size_t slot;    // not of bars and springs: its first index in `slots`: dofs * dofs of H, rows * dofs of G and of G'
} ProblemPart;

// The unknowns of a node, or one further unknown: columns side by side with the same rows, its own first.
typedef struct ProblemBlock {
  uint32_t unknown;      // the first of them
  uint32_t base, length; // where its columns begin in the values, and how many rows each has
  uint8_t count, axis[3];
} ProblemBlock;

// A bar or spring from block a to block b: where the rows of the one begin in the columns of the other, and where the
// constraint of a bar stands in the columns of each.
typedef struct ProblemLine {
  uint32_t ab, ba, ca, cb;
} ProblemLine;

typedef struct Problem {
  const Structure *s;
  uint32_t size, n, m; // coordinates, unknowns, constraints
  uint32_t *unknown;   // by coordinate; structure_none: fixed
  ProblemPart *parts;
  uint32_t part_count, first_spring; // bars stand first, bar i has the constraint i
  // the matrix, column by column
  uint32_t *start, *row;
  double *values;
  uint32_t *slots, *diagonal; // where entries of parts go, and the diagonal; structure_none: nowhere
  ProblemBlock *blocks;       // nodes, then further unknowns
  uint32_t block_count;
  ProblemLine *lines; // bars, then springs
  uint32_t *group;    // of unknowns: those of one block have the same, numbers rise from 0
  // The supports stand in the first half: it is eliminated from the other end, so that a pivot is what the
  // rest bears with, and not the little that a long cantilever resists with at its tip.
  bool backwards;
  double *angle;          // of torsions, at the last accepted point
  double *follow;         // forces of loads that follow, three each
  double extent, typical; // a length as large as the structure; the mean length of its bars
  uint32_t evaluations;
} Problem;

Problem *problem_new(Arena *arena, const Structure *s); // NULL: out of memory
// All coordinates of a start (NULL: as drawn), with the further unknowns that fit best.
void problem_start(const Problem *p, const double *start, double *x);
// x is where we are: angles go on from here, loads that follow rotate.
void problem_accept(Problem *p, const double *x);

double problem_energy(Problem *p, const double *x, double *magnitude); // magnitude: sum of |terms|
// What is out of balance at every coordinate: dV + G lambda. lambda NULL: dV.
void problem_forces(Problem *p, const double *x, const double *lambda, double *out);
void problem_constraints(Problem *p, const double *x, double *c);
void problem_gather(const Problem *p, const double *all, double *z);
void problem_move(const Problem *p, const double *x, const double *dz, double by, double *out); // out = x + by dz
// dV + G lambda at the unknowns; `all`: an array of `size` numbers.
void problem_gradient(Problem *p, const double *x, const double *lambda, double *all, double *z);

typedef struct ProblemFill {
  bool energy, convex, shifted, follow; // see ElementRequest; follow: derivatives of follower loads, not symmetric
  bool alone;                           // without G: the last m unknowns stand for themselves
  const double *lambda;
  double weight, metric, corner;
} ProblemFill;
void problem_fill(Problem *p, const double *x, const ProblemFill *f);
// The largest stiffness of a part, N/m, and the same against the metric, J.
void problem_scale(const Problem *p, const double *x, const double *lambda, double *stiffness, double *turning);
// The largest rotation of a part when x moves by dz, in radians.
double problem_turn(const Problem *p, const double *x, const double *dz);
// M v over the unknowns.
void problem_metric(const Problem *p, const double *x, const double *dz, double *out);
// A v over all n + m; without its corner.
void problem_multiply(const Problem *p, const double *v, double *out);
// v' (d2V + sum of lambda d2c) v.
typedef struct ProblemCurvature {
  double value, magnitude; // the sum over parts, and that without signs
  double metric;           // v' M v
  double noise;            // what rounding may have made of the sum
} ProblemCurvature;
ProblemCurvature problem_curvature(const Problem *p, const double *x, const double *lambda, const double *dz);

#endif

// Solution curve of the position equations along a path of the drives: points, tangents, derivatives, linear systems.
//
//   F(u, a + (b - a) s) = 0      n equations for u and s: a curve z = (u, s)
//   c.(z - z0) = sigma           the parameter along it: c = (0, 1) for s itself, c a tangent for arc length
//
// in    positions (places.h), the ends a and b of a path of the drives
// out   points of the curve by Newton's method, tangents, exact derivatives by s
//
// Of equations that depend on each other (a bar too many) n independent ones are taken; the others are watched. Few
// unknowns are eliminated densely, many by sparse factors.
//
// Notation: N = n + 1, A the matrix of the N equations.
#ifndef VIVA_POSITIONS_CURVE_H
#define VIVA_POSITIONS_CURVE_H

#include "positions/places.h"
#include "solve/linear.h"

enum { curve_dense_most = 96 }; // unknowns; more are sparse

typedef struct Curve {
  Places *p;
  double *a, *b; // of the path
  uint32_t n, N;
  uint32_t *row_at; // by equation: its row plus one; 0: it is watched only
  bool dense;
  double *A, *lu; // dense: N rows of N numbers; lu: their factors
  uint32_t *perm;
  double dependent; // of the largest entry: what is left of a row that depends on others is smaller
  int sign;         // of the determinant of the last factors; 0: not known
  double log_det;   // the logarithm of its size; dense only
  double least;     // the least pivot of the last factors by the largest one; dense only
  // sparse: [A_u A_s; last], eliminated by blocks
  Linear linear;  // A_u
  size_t *place;  // of each entry in it
  double *column; // A_s, then A_u^-1 A_s
  double *last;   // N
  double corner;  // last_s - last_u.column
  double *F;      // N: what is left of the equations
  double *P, *P1, *work, *more, *step;
  bool no_memory;
  uint64_t evaluations;
} Curve;

typedef enum CurveRank {
  rank_regular,    // n independent equations
  rank_free,       // fewer: something is not driven
  rank_overdriven, // drives that contradict each other
  rank_no_memory
} CurveRank;
// How many of the equations without drives, and of all, are independent at u.
typedef struct CurveCount {
  uint32_t constraints, all;
} CurveCount;

// p with its tapes. False: out of memory.
bool curve_open(Curve *c, Places *p);
void curve_close(Curve *c);
void curve_path(Curve *c, const double *a, const double *b);
// Chooses rows at z. count may be NULL.
CurveRank curve_choose(Curve *c, const double *z, CurveCount *count);

// A and its factors at z, F there, the last row being `along`. False: singular, or not finite.
bool curve_set(Curve *c, const double *z, const double *along);
void curve_solve(Curve *c, double *b); // A x = b, in place
// A at z without factors.
void curve_matrix(Curve *c, const double *z, const double *along);
// The matrix of the dense factors inverted. False: singular.
bool curve_inverse(Curve *c, double *out);
// Newton's method at along.(z - from) = sigma, from z on. *first: the length of its first step; *ratio: how much
// shorter the second one was. False: it does not converge.
bool curve_correct(Curve *c, double *z, const double *along, const double *from, double sigma, double *first,
                   double *ratio);
// The direction of the curve at z with along.t = 1.
bool curve_tangent(Curve *c, const double *z, const double *along, double *t);
// Derivatives of u by s, up to the third: n numbers each. False: singular.
bool curve_rates(Curve *c, const double *z, double *const rates[3]);
// The largest of the watched equations, and which.
double curve_watched(Curve *c, const double *z, uint32_t *which);
void curve_drives(const Curve *c, double s, double *P); // their values at s

#endif

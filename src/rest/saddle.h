// KKT (saddle-point) system of a descent on a constraint manifold, sparse, with controlled inertia:
//
//   [ K + delta D   G' ] [ du ]   [ a ]
//   [ G            -g  ] [ z  ] = [ b ]
//
// K is shifted by delta until the matrix has exactly m negative eigenvalues: then K is positive along the constraints,
// and du leads downhill. g is so small that refinement takes it out again; it lets constraints depend on each other.
//
// Notation: n unknowns, m constraints, D a positive diagonal of the size of K's rows.
#ifndef VIVA_REST_SADDLE_H
#define VIVA_REST_SADDLE_H

#include "rest/static_form.h"
#include "solve/sparse.h"

typedef struct Saddle {
  uint32_t n, m;
  Sparse *factors;       // owned: saddle_clear
  uint32_t *start, *row; // pattern by columns
  double *values, *exact;
  uint32_t *k_place, *g_place[2], *diagonal; // of each entry of K, of G (below and above), of the diagonal
  uint32_t k_count, g_count;
  double *D, *work;
  double delta; // of the last factors
} Saddle;

typedef enum SaddleStatus { saddle_done, saddle_failed, saddle_no_module, saddle_no_memory } SaddleStatus;

SaddleStatus saddle_init(Saddle *x, const StaticForm *form);
void saddle_clear(Saddle *x);
// Sizes of rows from the entries of K (as rows of the form have them), for scaling; u: where they are.
void saddle_scale(Saddle *x, const StaticForm *form, const double *K, const double *balance, const double *u);
// Factors with the smallest of some shifts that has the right signs. plain: D alone instead of K. least: where the
// shifts begin.
SaddleStatus saddle_factor(Saddle *x, const double *K, const double *G, bool plain, double least);
// b (n + m numbers) becomes the solution.
void saddle_solve(const Saddle *x, double *b);

#endif

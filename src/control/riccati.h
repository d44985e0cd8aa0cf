// Riccati's and Lyapunov's equations: the best linear feedback, the best observer, norms of linear systems.
//
//   u = -K x minimizes the integral (sum) of x' Q x + u' R u:
//     A' X + X A - X B R^-1 B' X + Q = 0,              K = R^-1 B' X
//     A' X A - X - A' X B (R + B' X B)^-1 B' X A + Q = 0,  K = (R + B' X B)^-1 B' X A     (of a sampled system)
#ifndef VIVA_CONTROL_RICCATI_H
#define VIVA_CONTROL_RICCATI_H

#include "control/matrix.h"

typedef enum RiccatiStatus {
  riccati_done,
  riccati_unreachable, // a mode that is not stable is beyond the reach of the inputs: re, im
  riccati_unseen,      // a mode on the border of stability that Q does not see: re, im
  riccati_weight,      // R is not positive definite, or Q is not symmetric and positive semidefinite: see `message`
  riccati_failed,
  riccati_no_memory
} RiccatiStatus;

typedef struct Riccati {
  RiccatiStatus status;
  double re, im;                 // of the mode that is in the way
  const char *message;           // of a weight
  double *X;                     // n * n
  double *K;                     // m * n
  double *closed_re, *closed_im; // eigenvalues of A - B K
  double residue;                // of the equation, over the largest of its terms
} Riccati;

// Q n * n, R m * m. A Kalman gain is that of the transposed system: A', C', with the covariances of the noises.
void riccati_solve(Arena *arena, const StateSpace *s, const double *Q, const double *R, Riccati *out);

// A X + X A' + C = 0 (A X A' - X + C = 0 of a sampled system), C symmetric. False: no single solution, or out
// of memory.
bool lyapunov_solve(Arena *arena, uint32_t n, bool sampled, const double *A, const double *C, double *X);

// Eigenvalues of a matrix with bounds of their rounding; each n numbers. False: not found, or out of memory.
bool matrix_eigen(Arena *arena, uint32_t n, const double *a, double *re, double *im, double *bound);

#endif

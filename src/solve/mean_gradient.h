// Rates of the stages of a line integral with the gradient of the energy in the mean (OdeGradient).
//
//   u' = sum_i l_i(c) (F(u(c_i)) g_i + b(u(c_i))),   g_i = sum_(j<s) P_j(c_i) integral of P_j(c) grad H(u(c)) dc
//
// c_i are the s nodes of Gauss, l_i their Lagrange polynomials, P_j orthonormal on [0, 1]. Then
//   H(u(1)) - H(u(0)) = h sum_i b_i g_i'(F g_i + b),
// which is what the powers at the nodes say, for any F: an antisymmetric part keeps H, a negative one takes from it.
// (Cohen, Hairer: Linear energy-preserving integrators for Poisson systems, 2011.)
#ifndef VIVA_SOLVE_MEAN_GRADIENT_H
#define VIVA_SOLVE_MEAN_GRADIENT_H

#include "solve/gauss_table.h"
#include "solve/ode.h"

enum { mean_most = 3 }; // nodes of Gauss

typedef struct MeanGradient {
  const OdeProblem *p;
  const CollocationTable *m;
  int s;
  double c[mean_most];
  double project[mean_most][collocation_most]; // values at the stages to their mean at the nodes
  double place[mean_most][collocation_most];   // ways from the start to the stages, to those at the nodes
  double spread[collocation_most][mean_most];  // rates at the nodes to those at the stages
  double *gradient;                            // stages * (count + 1)
  double *mean, *at, *rate;                    // count, n, s * n
} MeanGradient;

// The sum over j below s of P_j(a) P_j(b): the projection to degrees below s.
double legendre_kernel(int s, double a, double b);
bool mean_gradient_new(MeanGradient *x, Arena *arena, const OdeProblem *p, const CollocationTable *m); // false: memory
// Stages from z over h at t become rates, n each. Adds to `evaluations`. False: not finite.
bool mean_gradient_rates(MeanGradient *x, double t, double h, const double *z, const double *stage, double *rate,
                         uint64_t *evaluations);

#endif

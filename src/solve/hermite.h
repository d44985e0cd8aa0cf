// Hermite's interpolation: the polynomial through states and their derivatives at several nodes of a step.
//
// With k nodes its error has the order 2 k in the step size. Newton's form with every node taken twice.
#ifndef VIVA_SOLVE_HERMITE_H
#define VIVA_SOLVE_HERMITE_H

#include "base/arena.h"

enum { hermite_most = 6 }; // nodes

typedef struct Hermite {
  uint32_t n;                 // components
  int count;                  // nodes
  double h;                   // size of the step
  double place[hermite_most]; // parts 0 .. 1 of the step
  double *y[hermite_most], *f[hermite_most];
  double *c; // 2 * count coefficients a component
} Hermite;

bool hermite_init(Hermite *x, Arena *arena, uint32_t n, int count); // nodes evenly spread; false: out of memory
void hermite_fit(Hermite *x);                                       // after y, f and h were set
void hermite_at(void *hermite, double part, double *y);

#endif

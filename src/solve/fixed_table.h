// Tableaux of the fixed-step methods.
#ifndef VIVA_SOLVE_FIXED_TABLE_H
#define VIVA_SOLVE_FIXED_TABLE_H

#include "solve/ode.h"

typedef struct Tableau {
  int stages;
  double a[4][4], b[4], c[4];
} Tableau;

// Euler; Heun's trapezoidal rule; the third-order rule of Bogacki and Shampine; the classical rule of Kutta.
static const Tableau euler = {1, {{0}}, {1}, {0}};
static const Tableau heun = {2, {{0}, {1}}, {0.5, 0.5}, {0, 1}};
static const Tableau bs3 = {3, {{0}, {0.5}, {0, 0.75}}, {2.0 / 9, 1.0 / 3, 4.0 / 9}, {0, 0.5, 0.75}};
static const Tableau rk4 = {
    4, {{0}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}, {0, 0.5, 0.5, 1}};

static const Tableau *tableau_of(OdeMethod m) {
  return m == ode_euler ? &euler : m == ode_heun ? &heun : m == ode_bs3 ? &bs3 : &rk4;
}

#endif

// Multivariate polynomials with real coefficients, and the equations of positions as polynomials.
//
// in    equations of positions (places.h) with the drives held: sums, products and whole powers of unknowns, sines and
//       cosines of whole combinations of them
// out   a square system: a coordinate inside a sine is a pair (c, s) with c^2 + s^2 = 1; linear equations are solved
//       and substituted, so that fewer variables are left
//
// Notation: nv variables, x_k; a term is a coefficient and a power for each variable.
#ifndef VIVA_POSITIONS_POLYNOMIAL_H
#define VIVA_POSITIONS_POLYNOMIAL_H

#include "positions/places.h"

typedef struct Polynomial {
  uint32_t count, cap;
  double *coef;
  uint8_t *power; // count rows of nv
} Polynomial;

typedef struct PolynomialSystem {
  Arena *arena;
  uint32_t nv; // before linear equations are solved
  uint32_t count;
  Polynomial *eq;
  double size; // what a variable is counted in
  // by unknown of places.h: its variable, or the cosine of it, the sine being the next; UINT32_MAX: it is known
  uint32_t *var;
  bool *angle;   // by unknown
  double *known; // by unknown: its value, where it is held
  // linear equations: variable `of` is the constant plus a combination of those that are left
  uint32_t left, *left_var; // variables that are left, and which they are
  double *linear;           // nv rows of left + 1 numbers, the last one the constant
  const char *why;          // not NULL: no polynomials, and the reason
  Span place;
  bool impossible; // linear equations contradict each other
} PolynomialSystem;

// With the drives at P. False: out of memory.
bool polynomial_open(PolynomialSystem *x, Places *p, const double *P);
double polynomial_bound(const PolynomialSystem *x); // the product of the degrees: as many solutions at most
uint32_t polynomial_degree(const PolynomialSystem *x, uint32_t eq);
// The unknowns of places.h from the variables that are left.
void polynomial_unknowns(const PolynomialSystem *x, const Places *p, const double *y, double *u);

#endif

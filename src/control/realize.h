// Realizations of a transfer function: state equations that have it, in the forms of the textbooks.
//
// in    num and den, numbers, the lowest power first; a proper fraction
// out   x' = A x + B u, y = C x + D u
//
//   controllable   x1' = x2, ..., xn' = -a0 x1 - ... + u            the direct form of analog computers
//   observable     its transpose: y = x1 + D u
//   cascade        sections of first and second order one behind the other, each in its direct form
//   parallel       partial fractions beside each other; a pole of order m is a chain of m
#ifndef VIVA_CONTROL_REALIZE_H
#define VIVA_CONTROL_REALIZE_H

#include "control/matrix.h"

typedef enum RealizationForm { form_controllable, form_observable, form_cascade, form_parallel } RealizationForm;

typedef struct Fraction {
  uint32_t num_degree, den_degree;
  const double *num, *den; // the lowest power first
} Fraction;

// Roots of a polynomial, with those that are multiple to working accuracy made equal. False: not found, or out
// of memory.
bool polynomial_roots(Arena *arena, uint32_t degree, const double *c, Complex *roots);
// The polynomial with these roots, which are symmetric to the real axis, and the leading coefficient `lead`.
void polynomial_of(uint32_t degree, const Complex *roots, double lead, double *c);
Complex polynomial_at(uint32_t degree, const double *c, Complex s);

// *why: it cannot be done. False: that, or out of memory.
bool realize(Arena *arena, const Fraction *g, RealizationForm form, StateSpace *out, const char **why);

#endif

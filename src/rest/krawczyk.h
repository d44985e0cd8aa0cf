// Interval Newton (Krawczyk): existence and uniqueness of zeros of a square system in a box.
//
//   N(Z) = z - Y F(z) + (1 - Y J(Z)) (Z - z)       z the middle of Z, Y about the inverse of J there
//
// Every zero in Z lies in N(Z). Where N(Z) lies inside of Z there is exactly one; where they do not meet, none.
// (Krawczyk 1969, Moore 1977.) Bounds are rounded outward: what is said here is proved.
#ifndef VIVA_REST_KRAWCZYK_H
#define VIVA_REST_KRAWCZYK_H

#include "rest/static_form.h"

typedef struct RestBox {
  double *lo, *hi;
} RestBox;

typedef enum BoxAnswer {
  box_none,    // no zero
  box_one,     // exactly one
  box_smaller, // a zero of the box lies in the part of it that is left
  box_unknown  // nothing is known of it: also where the middle is singular
} BoxAnswer;

// Equations at rest over the unknowns that are searched for (`active`) and the multipliers.
typedef struct Krawczyk {
  StaticForm *form;
  uint32_t n, m, size; // active unknowns, multipliers, both
  uint32_t *active;    // of the form's unknowns
  const double *fixed; // of all unknowns: where those are that are not active
  OperatingTape tape;  // balance of the active ones, constraints, entries of J
  double *lo, *hi;     // room for its slots
  uint32_t *entry_row, *entry_column, entries;
  double *sign; // of each entry
  double *middle, *mid_jacobian, *inverse, *work, *residue[2], *jacobian[2], *image[2];
  uint64_t looks;
} Krawczyk;

bool krawczyk_open(Krawczyk *x, StaticForm *form, const bool *active, const double *fixed); // false: out of memory
// May the box hold a zero of all equations? Of the constraints alone, whatever the multipliers are?
bool krawczyk_may_hold(Krawczyk *x, RestBox z);
bool krawczyk_may_obey(Krawczyk *x, RestBox z);
// Bounds of the multipliers over the active unknowns of z, into the rest of z. False: not bounded here.
bool krawczyk_multipliers(Krawczyk *x, RestBox z);
// z becomes smaller, or a box that holds exactly one zero.
BoxAnswer krawczyk_look(Krawczyk *x, RestBox z);
// Newton's method from the middle of z, into x->middle. False: it does not converge.
bool krawczyk_newton(Krawczyk *x, RestBox z);

#endif

// Stick and slip as a box complementarity problem: which elements at zero stick, and which slide. Rule S6 of
// docs/semantics.md.
//
// in    the rates of n guards that are zero, g' = b + A z; for each z its box at rest, low .. high, its values
//       while sliding, down and up, where low <= down < up <= high; how far each rate may be off
// out   each element sticks (g' = 0, z in its box), or slides: up with z = up and g' >= 0, down with z = down, g' <= 0
// how   A box complementarity problem: each element sticks or is at a bound of its box. One that is at a bound with g'
//       not zero has the box down .. up from then on, and the rest is solved again: boxes only shrink.
//
// Freestanding: no allocation, no library but libm.
#ifndef VIVA_HYBRID_STICK_H
#define VIVA_HYBRID_STICK_H

#include "numerics/least_norm.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Two solutions, or two entries of a matrix: they are differences of what is computed, and half of their digits may be
// gone.
#define STICK_ALIKE 0x1p-26

typedef enum StickState { stick_inside, stick_up, stick_down } StickState; // of z: inside of its box, at a bound of it

typedef enum StickVerdict {
  stick_solved,
  stick_none,     // no choice of sticking and sliding fits
  stick_several,  // more than one solution is possible
  stick_too_many, // nothing proves that there is one solution alone, and the search of the choices was given up
} StickVerdict;

typedef struct Stick {
  uint32_t n;
  double *a, *b;      // A row by row, b
  double *error;      // of each rate
  double *low, *high; // the box at rest
  double *down, *up;  // the values while sliding
  uint32_t reached;   // see stick_reach; UINT32_MAX: none
  // in: where the search begins. out: the solution
  StickState *state;
  bool *slides; // at a bound, and not held there by the others: its box is down .. up
  double *z, *r;
  double *off; // how far each rate may be off
  // room
  LeastNorm inside; // those that are inside of their boxes
  uint32_t *index;  // which they are
  double *slack;    // how far their values may be off, while slack_known
  bool slack_known;
  double *sub, *rhs, *x, *unit, *other, *other_off, *minors;
  StickState *best, *first;
} Stick;

// Numbers and indices that a problem of n elements needs; states: 3n, flags: n.
size_t stick_numbers(uint32_t n);
size_t stick_indices(uint32_t n);
// All arrays of x, in arrays for n elements.
void stick_place(Stick *x, uint32_t n, double *numbers, uint32_t *indices, StickState *states, bool *flags);
// Before the first: element i stuck, and has just reached the bound of its box that `state` says. It slides, if the
// others do not hold it from now on.
void stick_reach(Stick *x, uint32_t i);
// With the boxes as they are.
StickVerdict stick_solve(Stick *x);
// After a solution: what is at a bound of its box slides if its rate says so. If not, and the others do not hold it, it
// slides where the load of one of them has just grown over its bound, else it sticks with what it holds there. True:
// boxes changed, and all are to be solved again.
bool stick_leave(Stick *x);
// Does an element stick in the solution?
static inline bool stick_holds(const Stick *x, uint32_t i) { return x->state[i] == stick_inside || !x->slides[i]; }
// After a solution: do values and rates that were found elsewhere, and are in z and r now, say the same?
bool stick_agrees(Stick *x);
// Is the solution unique? Either A = -W D with D > 0 diagonal and W symmetric, not negative, as for friction;
// or all principal minors of -A are positive, because its symmetric part is positive definite.
bool stick_is_unique(Stick *x);

#endif

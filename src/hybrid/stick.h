// Stick and slip: which elements at zero stick, and which slide. Rule S6 of docs/semantics.md.
//
// in    the rates of n guards that are zero, g' = b + A z; for each z its box at rest, low .. high, its values in
//       motion, down and up, where low <= down < up <= high; how far each rate may be off
// out   each element sticks (g' = 0, z in its box), or slides: up with z = up and g' >= 0, down with z = down, g' <= 0
// how   A box complementarity problem: each element sticks or is at a bound of its box. One that is at a bound with g'
//       not zero has the box down .. up from then on, and the rest is solved again: boxes only shrink.
//
// Freestanding: no allocation, no library but libm.
#ifndef VIVA_HYBRID_STICK_H
#define VIVA_HYBRID_STICK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum StickState { stick_inside, stick_up, stick_down } StickState; // of z: inside of its box, at a bound of it

typedef enum StickVerdict {
  stick_solved,
  stick_none,     // no choice of sticking and sliding fits
  stick_several,  // more than one motion is possible
  stick_too_many, // they act on each other in no symmetric way, and are too many to try every choice
} StickVerdict;

typedef struct Stick {
  uint32_t n;
  double *a, *b;         // A row by row, b
  double *error;         // of each rate
  double *low, *high;    // the box at rest
  double *down, *up;     // the values in motion
  const int8_t *reached; // 1, -1: it stuck and has just reached that bound of its box; NULL: none
  // in: where the search begins. out: the solution
  StickState *state;
  bool *slides; // at a bound, and not held there by the others: its box is down .. up
  double *z, *r;
  // room: n*n, n*n + 2n, n, n, n; n, 2n
  double *sub, *room, *rhs, *x, *other;
  StickState *best;
  uint32_t *index;
} Stick;

// Numbers and indices that a problem of n elements needs, without `reached`.
size_t stick_numbers(uint32_t n);
size_t stick_indices(uint32_t n);
// All arrays of x, in room for so many.
void stick_place(Stick *x, uint32_t n, double *numbers, uint32_t *indices, StickState *states, bool *flags);
// states: 2n, flags: n
StickVerdict stick_solve(Stick *x);
// Of the solution, or of a choice that was made in its place: does its z and g' say something else?
bool stick_is_wrong(const Stick *x, uint32_t i);
// Is A = -W D with D > 0 diagonal and W symmetric, not negative? So it is for friction; the rates are the only ones
// then.
bool stick_is_symmetric(Stick *x);

#endif

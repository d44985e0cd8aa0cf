// Box complementarity: which elements rest, and which leave.
//
// Rates r = b + A z of n elements that act on each other. Each one
//   rests     r = 0,  low <= z <= high
//   leaves    up with z = up and r >= 0, or down with z = down and r <= 0
// where low <= down < up <= high: an element may hold more at rest than in motion. One that the others hold while its
// own value is at an end of its range is pinned: it rests with z = high or low.
#ifndef VIVA_SIM_BOX_H
#define VIVA_SIM_BOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum HoldStatus { status_free, status_up, status_down } HoldStatus;

typedef struct Box {
  uint32_t n;
  double *a, *b;      // A row by row, b
  double *high, *low; // the closed range at rest
  double *up, *down;  // the values in motion
  double give;        // values at limits are known up to this, relatively
  // what is sought; what it starts from
  HoldStatus *status; // free: it rests; up, down: it leaves, or is pinned
  bool *loose;        // of one that is not free: it leaves
  double *z, *r;      // values and rates
  // room: n*n, n, n, n*n + 2n; n indices, n indices
  double *sub, *rhs, *x, *room;
  uint32_t *free, *column;
} Box;

// Is A = -W D with D > 0 diagonal and W symmetric, not negative? So it is for friction, and the motion is unique then.
bool box_symmetric(Box *g);
// Solves a symmetric one. False: no end was found.
bool box_settle(Box *g);
// Before that: this element just reached its limit. Do the others hold it from now on, or does it leave?
void box_reached(Box *g, uint32_t i);
// What an element should be, by its value and rate: its own status where nothing is wrong.
HoldStatus box_wish(const Box *g, uint32_t i);
double box_size(const Box *g, uint32_t i); // of the terms of its rate

#endif

// Ordinary differential equations in eight lanes: eight problems of one kind at once, with fixed steps.
//
// A lane does what ode_solve does for it alone, to the last bit. One that fails, or has no problem left, idles until the
// others are done.
#ifndef VIVA_SOLVE_LANES_H
#define VIVA_SOLVE_LANES_H

#include "solve/ode.h"

enum { ode_lanes = 8 };

typedef struct LaneProblem {
  uint32_t n, checked; // as in OdeProblem
  void *self;
  // y and dydt: n rows of eight. Returns a bit for each lane whose result is finite.
  unsigned (*f)(void *self, const double *t, const double *y, double *dydt);
} LaneProblem;

typedef struct LaneObserver {
  void *self;
  bool (*next)(void *self, int lane, double *y);                                   // y: n numbers; false: none left
  void (*row)(void *self, int lane, double t, const double *y);                    // may be NULL
  void (*done)(void *self, int lane, const OdeResult *result, const double *y);    // where it came to
  bool (*stop)(void *self);                                                        // asked now and then; may be NULL
} LaneObserver;

// False: memory is out. After a stop the problems in work are done with ode_stopped.
bool ode_solve_lanes(Arena *arena, const LaneProblem *problem, const OdeSettings *settings, const LaneObserver *observer);

// One for each instruction set.
bool ode_lanes_plain(Arena *arena, const LaneProblem *problem, const OdeSettings *settings, const LaneObserver *observer);
bool ode_lanes_avx2(Arena *arena, const LaneProblem *problem, const OdeSettings *settings, const LaneObserver *observer);
bool ode_lanes_avx512(Arena *arena, const LaneProblem *problem, const OdeSettings *settings, const LaneObserver *observer);

#endif

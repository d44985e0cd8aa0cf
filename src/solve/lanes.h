// Ordinary differential equations in eight SIMD lanes: eight problems of one kind at once.
//
// A lane does what ode_solve does for it alone, to the last bit. With fixed steps all lanes go together; one that
// fails, or has no problem left, idles until the others are done. With steps of their own each lane has its time and
// its step, and takes the next problem when it is done.
// parts: lanes_plain.c lanes_avx2.c lanes_avx512.c
#ifndef VIVA_SOLVE_LANES_H
#define VIVA_SOLVE_LANES_H

#include "solve/ode.h"

enum { ode_lanes = 8 };

// As OdeJacobian: count rows of eight.
typedef struct LaneJacobian {
  const uint32_t *start, *row;
  uint32_t count;
  // always numbers; of the lanes of the mask, the others do not matter
  void (*eval)(void *self, unsigned mask, const double *t, const double *y, double *entries);
} LaneJacobian;

// y at a part 0 .. 1 of each lane's step: n rows of eight, until the next call.
typedef const double *LaneDense(void *from, const double *part);

typedef struct LaneProblem {
  uint32_t n, checked; // as in OdeProblem
  void *self;
  // y and dydt: n rows of eight. Returns a bit for each lane whose result is finite. Those beside the mask do not
  // matter.
  unsigned (*f)(void *self, unsigned mask, const double *t, const double *y, double *dydt);
  const LaneJacobian *(*jacobian)(void *self); // when it is first needed; NULL: out of memory
  const uint8_t *kinds;                        // as in OdeProblem
  // As in OdeProblem, for the lanes of the mask; the others stay as they are. *failed: lanes in which the projection
  // failed. Returns the lanes that were changed. May be NULL.
  unsigned (*project)(void *self, unsigned mask, const double *t, double *y, unsigned *failed);
  // As in OdeProblem, for one lane; y and error have one number a component. May be NULL.
  bool (*rounding)(void *self, int lane, double t, const double *y, double *error);
  // The problem of a lane by itself, with its events: where one is found in a step, the lane is served by it alone
  // (alone.h), and returns. NULL: there are no events. With fixed steps it is not asked.
  OdeProblem (*alone)(void *self, int lane);
  // Values of the conditions of the lanes of the mask at the nine Chebyshev points of their steps, of size h from t:
  // row j * count + i of eight is condition i at point j. Returns the lanes whose values these are; the others are
  // looked into alone. May be NULL.
  unsigned (*conditions)(void *self, unsigned mask, const double *t, const double *h, LaneDense *dense, void *from,
                         double *c);
  bool empty; // as in OdeProblem
  bool total; // f has a value everywhere: no division, no root, nothing that may leave its domain
} LaneProblem;

// The manifold of some lanes: returns those that were changed.
static inline unsigned lanes_project(const LaneProblem *p, unsigned mask, const double *t, double *y,
                                     unsigned *failed) {
  *failed = 0;
  return p->project && mask ? p->project(p->self, mask, t, y, failed) : 0;
}

typedef struct LaneObserver {
  void *self;
  // y: n numbers; the breaks (not asked for with fixed steps) live until the lane is done; false: none left
  bool (*next)(void *self, int lane, double *y, OdeBreaks *breaks);
  void (*row)(void *self, int lane, double t, const double *y);                 // may be NULL
  void (*jump)(void *self, int lane, double left, double right, double *y);     // as in OdeObserver; may be NULL
  void (*done)(void *self, int lane, const OdeResult *result, const double *y); // where it came to
  bool (*stop)(void *self);                                                     // asked now and then; may be NULL
  // Steps of the lanes of the mask, before they are taken, as in OdeObserver; may be NULL.
  void (*span)(void *self, unsigned mask, const double *t0, const double *t1, LaneDense *dense, void *from);
  // A step of a lane that is served alone; not NULL where `span` and LaneProblem.alone are not.
  void (*span_alone)(void *self, int lane, double t0, double t1, OdeDense *dense, void *from);
  void (*step)(void *self, int lane, double t, const double *y, uint64_t steps); // after each step; may be NULL
} LaneObserver;

bool ode_in_lanes(OdeMethod method, uint32_t checked); // is there such a thing?
// False: out of memory. After a stop the problems in work are done with ode_stopped.
bool ode_solve_lanes(Arena *arena, const LaneProblem *problem, const OdeSettings *settings,
                     const LaneObserver *observer);

// One for each instruction set.
bool ode_lanes_plain(Arena *arena, const LaneProblem *problem, const OdeSettings *settings,
                     const LaneObserver *observer);
bool ode_lanes_avx2(Arena *arena, const LaneProblem *problem, const OdeSettings *settings,
                    const LaneObserver *observer);
bool ode_lanes_avx512(Arena *arena, const LaneProblem *problem, const OdeSettings *settings,
                      const LaneObserver *observer);

#endif

// Points of a constraint set in double precision, around the start of the model.
#ifndef VIVA_ALGEBRA_SET_POINTS_H
#define VIVA_ALGEBRA_SET_POINTS_H

#include "system/system.h"

struct Tape;

typedef struct SetPoints {
  System *s;
  const struct Tape *tape;
  double *w, *start, *y;
  uint32_t n, count, dim; // coordinates, constraints, components of y
  uint32_t *q, *v;        // by coordinate: its components, no_place: none
  double *S, *b, *G;
  uint32_t rank;    // of the constraints at the last point
  bool flat;        // there the gradient of a constraint is zero, relative to that elsewhere
  uint64_t counter; // of random numbers
} SetPoints;

// `more` is evaluated at each point, with accelerations and multipliers as a run has them. False: out of memory, or the
// model has what only a run knows.
bool set_points_open(SetPoints *x, System *s, const ExprId *more, uint32_t more_count);
bool set_points_next(SetPoints *x); // false: no point was found from there; the next call looks elsewhere
double set_points_value(const SetPoints *x, uint32_t i); // of `more`
// The largest rank of the constraints at points of their set. False: none was found.
bool set_points_rank(System *s, uint32_t *rank);

#endif

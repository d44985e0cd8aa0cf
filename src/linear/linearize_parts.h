// Internal interface of linearize.c: what its files share while one linear model is made.
// parts: point.c remarks.c
//
// linearize.c   the stages, the matrices, the exact and the rational form, modes
// point.c       where: the start, the named point, or an equilibrium found by Newton's method
// remarks.c     remarks beside the matrices: what is held, what is left out
#ifndef VIVA_LINEAR_LINEARIZE_PARTS_H
#define VIVA_LINEAR_LINEARIZE_PARTS_H

#include "linear/exact_linear.h"
#include "linear/linearize.h"

// A state that an element that sticks, or an invariant, leaves no freedom.
typedef struct BoundState {
  uint32_t element; // no_element: an invariant
  uint32_t row;     // of the Jacobian: it stays zero
  uint32_t at;
} BoundState;
static const uint32_t no_element = UINT32_MAX;

typedef struct LinearWork {
  Operating *o;
  Linearization *out;
  const LinearizeSettings *settings;
  ExactLinear exact;
  bool exact_done;
  ExactLinear rational; // the same in rational numbers: signs and ranks are decided with it
  bool rational_done;
  VEC(BoundState) bounds;
  bool nice;                          // every number of the point that was found is a known one
  bool assumed;                       // the exact form takes the point for an equilibrium, because its numbers are one
  double *rates, *outputs, *jacobian; // by the tape, at o->y
  uint32_t *input;                    // of the operating point, for each input that counts
  Equilibrium found;
} LinearWork;

static inline bool linear_is_interrupted(const LinearWork *w) {
  return w->o->interrupted && w->o->interrupted(w->o->self);
}

void linear_note(LinearWork *w, const char *text); // one more remark; NULL: none
// Takes the point: memories and what sticks as they are there, and for an equilibrium the search for it.
LinearizeStatus linear_take_point(LinearWork *w, const char **message, Span *place);
void linear_say_all(LinearWork *w); // every remark on the point, in the order in which they are shown

#endif

// Event location inside steps: conditions that end (zero crossings), found on the dense output of a step.
//
// A condition is a number that is positive while its branch holds. Inside a step it is a smooth function of time. One
// that is affine in time and state is a polynomial on a step, and is known by its values at Chebyshev points; ends, and
// minima between them, are found on the polynomial. Any other is bounded, with its rate: a piece of the step is done
// with where it cannot come to zero, or only rises or only falls, so that its ends tell; else its halves are looked at.
// What cannot be bounded is looked at by polynomials, on halves where they do not fit. So two crossings inside a step
// and a short dip are seen as well as one crossing. In any case a condition ends only where it was evaluated and found
// below zero, by more than rounding.
#ifndef VIVA_SOLVE_EVENTS_H
#define VIVA_SOLVE_EVENTS_H

#include "base/arena.h"
#include "solve/chebyshev.h"

#include <float.h>
#include <math.h>

// action_idle: nothing happened, and the stop does not count.
typedef enum OdeAction { action_go, action_idle, action_stop, action_fail, action_no_memory } OdeAction;

typedef void OdeDense(void *self, double part, double *y); // y at a part 0 .. 1 of the step
typedef bool OdeReach(void *self, double t, double *y);    // y at t by a step of its own; false: not finite

// Ranges of all components of y, and of their rates of change; the rates may be NULL.
typedef struct OdeBox {
  const double *lo, *hi, *rate_lo, *rate_hi;
} OdeBox;

typedef struct OdeEvents {
  void *self;
  uint32_t count; // conditions
  void (*conditions)(void *self, double t, const double *y, double *c);
  double *noise; // how far rounding may put a condition below zero
  bool *fresh;   // conditions that start at zero and have to become positive first
  double *
      rearm; // and by more than this, after a branch that ended in the moment in which it began: grazed within rounding
  // Something happens at t: conditions ended, or a time came. y may change.
  // steps: that the method took until then.
  OdeAction (*happen)(void *self, double t, double *y, const uint32_t *ended, uint32_t ended_count, uint64_t steps);
  double (*next)(void *self, double t); // the next time after t at which the run must stop; may be NULL
  double longest;                       // no step may be longer; INFINITY
  // A step (or what was kept of it) from t0 to t1: for delays; false: out of memory. May be NULL.
  bool (*record)(void *self, double t0, double t1, OdeDense *dense, void *from);
  // Conditions that may dip between any points, and can be bounded. NULL: there are none.
  const bool *wild;
  // The least that each condition can be while t and y stay within their ranges, NAN where that is not known; and,
  // where the rates of y are given (for the way from t0 to t1), the ranges of their own.
  void (*ranges)(void *self, double t0, double t1, const OdeBox *box, double *least, double *slow, double *fast);
  const uint32_t *used; // components of y that these depend on
  uint32_t used_count;
  bool (*inside)(void *self, uint32_t inner,
                 uint32_t outer); // does the branch of one stand inside of the other? May be NULL.
  void (*rounding)(void *self, double t, const double *y); // brings the noise up to date; may be NULL
  // It may have ended unseen after t, because it cannot be bounded closely enough or (undefined) has no value there.
  // True: it matters, and is reported. May be NULL.
  bool (*unsure)(void *self, uint32_t condition, double t, bool undefined);
  // How far errors of y may shift t, the time of the end of a condition, after this number of steps. May be NULL.
  double (*time_error)(void *self, uint32_t condition, double t, const double *y, uint64_t steps);
  // A condition came so near to its end at t that small errors decide. May be NULL.
  void (*graze)(void *self, uint32_t condition, double t);
  // How far rounding of what switches may put the rates of y off, though no component of y shows it: friction that just
  // breaks loose is a small difference of large forces. May be NULL.
  void (*rate_rounding)(void *self, double t, const double *y, double *rates);
  bool by_steps; // nothing is searched; happen is called after every (fixed) step
} OdeEvents;

// Finds the first end of a condition in a step.
typedef struct EventSearch {
  const OdeEvents *e;
  uint32_t n;
  double *y, *values; // a state; values of all conditions at the points
  double *here;       // values at a point that is tried
  double *last;       // values at the end of the step
  double *size;       // of the conditions on the step
  double *states, *lo, *hi, *rate_lo, *rate_hi, *least, *slow,
      *fast;           // for bounds: y at the points, its ranges, those of conditions
  uint32_t pieces;     // looked at so far, in this step
  uint64_t all_pieces; // beyond the first ones of each step, in all steps
  uint32_t vain;       // steps in a row whose pieces were spent and did not decide
  bool spent;          // the pieces of this step
  uint8_t *done;       // looked at already, on a piece this deep (from 1)
  bool *armed;         // was positive already
  uint32_t *ended;
  double node[poly_points], cosine[poly_points][poly_points];
  double t, h;
  OdeDense *dense;
  void *from;
  const double *given; // values at the points of the whole step that are known: every `stride`th; NULL: they are not
  size_t stride;
  // the first end so far
  double best;    // part of the step; 2: none
  double sure;    // where it is below zero by more than rounding
  uint32_t which; // condition
  double slope;   // its time derivative there
  double shallow; // it never got above this since the start of the step; 0: it did
  double graze;   // the first touch before it, within small errors; 2: none
  uint32_t grazing;
  bool doubtful; // that something may have ended unseen was reported
} EventSearch;

// Where on a step nothing is looked for, by the polynomials of event_search: numbers that both of its readers share.
// Errors of the solution change a condition by some hundred tolerances of 1e-11 or 1e-12: up to this part of its size
// they decide whether it ends.
#define EVENT_SMALL_PART 1e-9
// The last two coefficients against all of them: above, the polynomial does not fit, and the piece is halved. Below,
// what it is off by is seen by an evaluation and mended by `descent`.
#define EVENT_FITTING_REST 1e-7
// So near to zero, against its size, a fit that is not exact might miss a dip.
#define EVENT_NEAR_PART 1e-6
// A polynomial through nine Chebyshev points stays within (2/pi ln 8 + 1) = 2.3 times the half range of its values:
// from the middle at most this number of ranges away.
#define EVENT_OVERSHOOT 1.2

EventSearch *event_search_new(Arena *arena, const OdeEvents *events, uint32_t n); // n: size of y; NULL: out of memory
// Is there an end in the step of size h from t? Then *at is its time.
bool event_search(EventSearch *x, double t, double h, OdeDense *dense, void *from, double *at);
// Times that differ by less, of their size, are one instant: some ten steps lose as many digits.
#define EVENT_SAME_INSTANT (128 * DBL_EPSILON)
// An event as near as this to the time of a row, or to the end of its step, where the method stops for something else,
// happens there.
static inline double event_instant(double row, double end, double at) {
  return end - at <= EVENT_SAME_INSTANT * fabs(end) ? end : row <= end ? row : at;
}
// An end that is so near, of its time, to a row or to a stop may be there, as far as errors of y tell.
#define EVENT_NEAR 0x1p-36
static inline double event_instant_near(double row, double stop, double at) {
  return fabs(stop - at) <= EVENT_NEAR * fabs(stop) ? stop : row;
}
static inline bool event_may_be_at(const EventSearch *x, double to, double at, const double *y, uint64_t steps) {
  if (!x->e->time_error || to == at) return false;
  return fabs(to - at) <= x->e->time_error(x->e->self, x->which, at, y, steps);
}
// True: *at was moved.
static inline bool event_join(EventSearch *x, double row, double end, double *at) {
  double to = event_instant(row, end, *at);
  if (to == *at) return false;
  *at = to;
  x->slope = 0; // nothing is left to be moved
  return true;
}
// Moves the end that was found to where steps of the method itself see it; y is the state there. False: not finite.
bool event_polish(EventSearch *x, OdeReach *reach, void *from, double *y, double *at);
// The same in parts: where the first step leads, what the state y there says, and what is left to do at the end.
typedef struct EventPolish {
  double t; // where a step is to lead, or led
  double moved, slope, old_t, old_c;
  int rounds;
} EventPolish;
EventPolish event_polish_begin(const EventSearch *x, double at);
bool event_polish_next(EventSearch *x, EventPolish *p, const double *y); // true: a step to p->t; false: it was found
bool event_polish_end(EventSearch *x, OdeReach *reach, void *from, double *y, double *at);
// What ended there; *count of them. Conditions that became positive before are no longer fresh.
const uint32_t *event_ended(EventSearch *x, double t, const double *y, uint32_t *count);
// No end in this step: conditions that became positive are no longer fresh.
void event_none(EventSearch *x);
// The same of one condition, which has the value c at the end of the step.
void event_pass(const OdeEvents *e, uint32_t condition, double c);

#endif

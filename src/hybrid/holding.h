// Stick and slip in a run: dry friction, relays and comparators whose guard stays at zero in a sliding mode (S6).
//
// in    modes whose guards are zero at an instant; rates of the guards by the values z of the modes
// out   for each of them: it sticks (its guard stays zero, z within its box), or slides to a side
//
// parts: held.c ties.c
#ifndef VIVA_HYBRID_HOLDING_H
#define VIVA_HYBRID_HOLDING_H

#include "hybrid/hybrid.h"

typedef enum HoldVerdict {
  hold_same,
  hold_changed,
  hold_none,      // no choice of holding and leaving fits
  hold_several,   // more than one solution is possible
  hold_undecided, // elements that act on each other in no symmetric way, and too many choices to search
  hold_slippery,  // zero while sliding but not at rest: the sticking value is a multiple of the sliding value
  hold_no_memory
} HoldVerdict;

// Rates, values and the signs of multipliers are known but for these last digits (S10).
#define HOLD_ROUNDING 0x1p-43
// What others hold at zero may drift by the errors of the method: of the largest |g|, and of the largest rate over the
// run.
#define HOLD_DRIFT 0x1p-30

// Decides all modes whose guards are zero (Instant.zero) and act on their own rates. errors: how far the rate of each
// guard may be off.
// Where that fails, h->group has the h->group_count of them.
HoldVerdict holding_settle(Hybrid *h, double t, double *y, const double *errors);
bool holding_any(const Hybrid *h); // does a mode stand at zero that may stick?
// The values with which the held guards do not move. Sets z; nothing is remembered from one call to the next.
void holding_values(Hybrid *h, double t, const double *y);
void holding_rates(Hybrid *h, double t, const double *y);                         // evaluates the rates of all guards
void holding_rate_rounding(void *self, double t, const double *y, double *rates); // see OdeEvents
bool holding_tie(Hybrid *h);                    // after an event: what moves together; false: out of memory
void holding_release(Hybrid *h, uint32_t mode); // its element holds no more; its values are left to the caller
bool holding_room(Hybrid *h, uint32_t held);    // false: out of memory
// The operators of one element are those whose guards are zero and have the same rate but for a factor. z is the value
// of one of them; each of the others takes the same fraction of its range between its values on both sides. slides: the
// range is that while sliding, else that at rest. With the guards evaluated.
void holding_put(Hybrid *h, uint32_t mode, double z, bool slides);
double holding_share(const Hybrid *h, uint32_t mode, double z, bool slides, uint32_t other); // the value of another
uint32_t holding_next(const Hybrid *h, uint32_t mode); // the next operator of the same element, round
// The rates of these n elements, each by one of its operators, as b + A z: with all of them at 0, then each at 1.
// Leaves their values at 0. slides: by element; NULL: none.
void holding_affine(Hybrid *h, const uint32_t *at, uint32_t n, const bool *slides, double t, const double *y, double *a,
                    double *b);
// The same by differences at the present values, which stay: where the rates are not affine.
void holding_linear(Hybrid *h, const uint32_t *at, uint32_t n, const bool *slides, double t, const double *y, double *a,
                    double *b);
double holding_limit(const Hybrid *h, uint32_t mode); // how large a value may be that holds; with the guards evaluated

#endif

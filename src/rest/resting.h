// Static equilibrium of a system: minimization of its potential where it has one, else Newton's method.
//
// The potential is minimized where the equations at rest have a symmetric Jacobian (rest/static_form.h); all others,
// and those whose cyclic coordinates move on steadily, are Newton's (rest/equilibrium.h), on the branch of every jump
// and memory that belongs to the equilibrium itself.
#ifndef VIVA_REST_RESTING_H
#define VIVA_REST_RESTING_H

#include "rest/equilibrium.h"
#include "rest/stiffness.h"

typedef enum RestingStatus {
  resting_found,
  resting_failed, // message, place (a span), hint
  resting_interrupted,
  resting_no_memory
} RestingStatus;

// What went wrong, for people.
typedef struct RestingTrouble {
  const char *message, *hint; // NULL: none
  Span place;
} RestingTrouble;

// Memories, branches and what sticks as they are at y.
RestingStatus resting_events(Operating *o, const double *y, EventsFor what, bool *changed, RestingTrouble *trouble);
const char *resting_load(const Operating *o, const PointElement *e); // of one that slides, in words
// The nearest rest by Newton's method, or a steady motion; where it finds none, and there is a potential,
// a minimum of it.
RestingStatus resting_nearest(Operating *o, Equilibrium *found, RestingTrouble *trouble);

// Newton's method alone, on the branches of what it finds.
RestingStatus resting_newton(Operating *o, Equilibrium *found, RestingTrouble *trouble);

typedef struct Resting {
  StaticForm form;    // form.why: there are no equations at rest
  Downhill descent;   // of a potential
  bool by_potential;  // descent and stiffness count, else newton
  Equilibrium newton; // of others
  Stiffness stiffness;
  uint32_t iterations;
  double *y; // of o
} Resting;

// Minimization from o->y. step: called after each iteration; may be NULL. Call resting_close in the end in every case.
typedef struct RestingRequest {
  uint32_t most; // iterations; 0: a usual number
  void (*step)(void *self, const DescentStep *step);
  void *self;
} RestingRequest;
RestingStatus resting_find(Operating *o, const RestingRequest *request, Resting *out, RestingTrouble *trouble);
void resting_close(Resting *r);

// `word` (line 4)
const char *resting_named(const Operating *o, const char *word, Span span);

#endif

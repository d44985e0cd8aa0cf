// What the adaptive one-step methods share: where a run stands, error weights, rows inside a step.
#ifndef VIVA_SOLVE_STEPS_H
#define VIVA_SOLVE_STEPS_H

#include "solve/ode.h"

#include <math.h>

// A run on its way. `auto` hands it from one method to the other.
typedef struct OdeRun {
  Arena *arena;
  const OdeProblem *p;
  const OdeSettings *s;
  const OdeObserver *o;
  OdeResult r;
  double *y;      // where it is
  double h;       // size of the next step; 0: not known
  uint64_t row, rows;
  double stop;         // where this step must end at the latest
  uint32_t next_break; // the first break ahead
  bool anew;           // a break was passed: the right-hand side is another one
  double mark;         // where it was some thousand steps ago
  double *seen;   // by_scale: the largest size of each checked component; else NULL
  double explicit_h; // the step to which stability held the explicit method
  bool change;    // the method asks for the other one
  EventSearch *search; // NULL: no conditions
  double last_event; // time of the last event
  bool event;        // this step ends where a condition ends
  bool timed;        // this step ends at a time of OdeEvents.next
  double cut_error;  // of the step to the event
  uint32_t patience; // signs of stiffness in a row that it takes
} OdeRun;

// A component that was small so far may be noise, or about to be kicked: its tolerance does not shrink beyond these.
#define ODE_SMALL_SCALE 1e-3
#define ODE_SMALL_ATOL 1e-13

static inline double ode_atol(const OdeSettings *s, const double *seen, uint32_t e) {
  if (!seen) return s->atol;
  double a = s->atol * (seen[e] > ODE_SMALL_SCALE ? seen[e] : ODE_SMALL_SCALE);
  return a > ODE_SMALL_ATOL ? a : ODE_SMALL_ATOL;
}

// Tolerance of component e between the values a and b.
static inline double ode_tolerance(const OdeRun *u, uint32_t e, double a, double b) {
  double x = fabs(a), y = fabs(b);
  return ode_atol(u->s, u->seen, e) + u->s->rtol * (x > y ? x : y);
}

static inline void ode_see(double *seen, const double *y, uint32_t count) {
  for (uint32_t e = 0; seen && e < count; e++) {
    double x = fabs(y[e]);
    if (x > seen[e]) seen[e] = x;
  }
}

static inline bool ode_evaluate(OdeRun *u, double t, const double *y, double *dydt) {
  u->r.evaluations++;
  return u->p->f(u->p->self, t, y, dydt);
}

// May a step begin here? Sets *ends where it reaches the end, and shortens it to that.
bool ode_begin_step(OdeRun *u, bool rejected, bool *ends);
// After an accepted step to t_next (u->y is the new state): counts, the row at its end, the observer. False: stop.
bool ode_end_step(OdeRun *u, double t_next, bool ends);
// Looks for events in the step of size u->h from t (dense: its continuous extension), moves *t_next to the first one, and
// sets u->event, u->h; reach makes steps of the method from t. next: the state there. False: not finite.
bool ode_find_event(OdeRun *u, double t, double *t_next, OdeDense *dense, OdeReach *reach, void *from, double *next);
// The step to the event is in error though the whole one was not: the method passed over something. It is tried again, smaller.
static inline bool ode_cut_is_wrong(const OdeRun *u) { return u->event && u->cut_error > 10; }
// A first step by comparing y, y' = k and a crude y'' with the tolerances. z, k1: room.
double ode_first_step(OdeRun *u, const double *k, double *z, double *k1, int order);

// The size of the first step after an event or break: not much longer than the time since the one before.
double ode_after_event(OdeRun *u, double h);

// Rows inside a step of rodas may be so many times less exact than its end.
#define ODE_DENSE_FACTOR 10

// Is the explicit method better off than rodas? Either it is stable with steps like these, for some time, or, shortly after
// the change, the steps did not become larger.
static inline bool ode_wants_back(OdeRun *u, uint64_t taken, uint32_t calm) {
  enum { judged_after = 20, calm_steps = 50 };
  if (taken == judged_after && u->h < 2 * u->explicit_h) {
    u->h = u->explicit_h;
    if (u->patience < 1000) u->patience *= 3;
    return true;
  }
  return calm >= calm_steps;
}

// The methods. Each drives from u->r.t until the end, a failure, a stop, or u->change.
typedef struct Explicit Explicit;
typedef struct Rodas Rodas;
Explicit *explicit_new(OdeRun *u); // NULL: memory is out
void explicit_drive(Explicit *x);
Rodas *rodas_new(OdeRun *u);
void rodas_drive(Rodas *x);

#endif

// The driver of adaptive one-step methods: the state of a run, when a step may begin, what follows its end, and step
// size control. All of it is about one run; in SIMD lanes each has its own. The arithmetic of a step is in step_body.h,
// explicit_body.h and rodas_body.h, over one lane or eight; explicit.c and rodas.c drive one run, lanes_own.h eight.
// parts: explicit.c rodas.c search.c
#ifndef VIVA_SOLVE_STEPS_H
#define VIVA_SOLVE_STEPS_H

#include "solve/ode.h"

#include <math.h>

// A run in progress. `auto` hands it from one method to the other.
typedef struct OdeRun {
  Arena *arena;
  const OdeProblem *p;
  const OdeSettings *s;
  const OdeObserver *o;
  OdeResult r;
  double *y; // where it is
  double h;  // size of the next step; 0: not known
  uint64_t row, rows;
  double stop;         // where this step must end at the latest
  uint32_t next_break; // the first break ahead
  bool passed_break;   // a break was passed: the right-hand side is another one
  double mark;         // where it was some thousand steps ago
  uint32_t crawling;   // looks in a row at a run that would never end
  double rejected_t, rejected_h,
      rejected_by;          // the last step that was rejected: where, its size, its worst component's error
  double shrunk;            // its size by that of the one before
  uint32_t tries, failures; // of the last steps
  uint64_t shake_at;        // the step after which rounding is measured next
  double shaken_h;          // the step for which it was measured, where it counts, else 0
  double explicit_h;        // the step to which stability held the explicit method
  bool change;              // the method asks for the other one
  EventSearch *search;      // NULL: no conditions
  double last_event;        // time of the last event
  bool event;               // this step ends where a condition ends
  bool timed;               // this step ends at a time of OdeEvents.next
  double cut_error;         // of the step to the event
  uint32_t patience;        // signs of stiffness in a row that it takes
} OdeRun;

// May a step begin here? Sets *ends where it reaches the end, and shortens it to that.
bool ode_begin_step(OdeRun *u, bool rejected, bool *ends);
// After an accepted step to t_next (u->y is the new state): counts, the row at its end, the observer. False: stop.
bool ode_end_step(OdeRun *u, double t_next, bool ends);
// Lets happen what happens at t. False: the run ends.
bool ode_happen(OdeRun *u, double t);
// Passes the breaks at t; returns the time on their other side.
double ode_step_over(OdeRun *u, double t);
// Looks for events in the step of size u->h from t (dense: its continuous extension), moves *t_next to the first one,
// and sets u->event, u->h; reach makes steps of the method from t. next: the state there. False: not finite.
bool ode_find_event(OdeRun *u, double t, double *t_next, OdeDense *dense, OdeReach *reach, void *from, double *next);
// The two halves of it: is there one, and when? What the method itself says of that.
bool ode_search_event(OdeRun *u, double t, OdeDense *dense, void *from, double *at);
// The time of an event at `at`: that of a row or a stop which is the same instant. The state stays that of the event,
// with its guard at zero: at another time it would not, and what events set would carry that from one to the next.
double ode_instant(const OdeRun *u, double at);
// An event at *at that may be at the time of a row or of the stop, as far as errors of y tell, is reached there. False:
// not finite.
bool ode_reach_instant(OdeRun *u, double *at, OdeReach *reach, void *from, double *next);
bool ode_reach_event(OdeRun *u, double t, double at, double *t_next, OdeReach *reach, void *from, double *next);
// The step to the event is in error though the whole one was not: the method passed over something. It is tried again,
// smaller.
static inline bool ode_cut_is_wrong(const OdeRun *u) { return u->event && u->cut_error > 10; }

// What a rejected step teaches.
typedef enum OdeLesson {
  lesson_none = 0,
  lesson_rounding = 1, // a smaller step was not much better: rounding is to be measured
  lesson_kind = 2 // not better at all: components without a size are measured by their kind, if that lets them pass
} OdeLesson;
// A step of size u->h was rejected; worst: the largest part of a component in its error.
int ode_judge(OdeRun *u, double worst);
// A step was accepted. Now and then rounding is measured as well: it may keep steps small without rejecting any.
int ode_judge_good(OdeRun *u);
enum { ode_shakes = 2 }; // rounds in which rounding is measured
// The time at which f is looked at again in a round, its last bits changed as those of y are (ode_nudged).
static inline double ode_shaken_time(const OdeRun *u, int round) {
  double t = u->r.t * (1 + (round < ode_shakes ? 0x1p-51 : 0x1p-31));
  return u->r.t > 0 && t < u->stop ? t : u->r.t;
}
// Can time be shaken a little, but not as far as that would tell a jump from rounding? A stop is too near.
static inline bool ode_cannot_shake(const OdeRun *u) {
  return ode_shaken_time(u, 0) > u->r.t && !(ode_shaken_time(u, ode_shakes) > u->r.t);
}
// Rounding of f times the step is the noise of a component, with room for what several stages add up to.
#define ODE_NOISE_FACTOR 4
// It counts from this part of the tolerance on.
#define ODE_NOISE_PART 0.1
// The part of OdeProblem.rounding (eight last digits a sum, so that rounding is not taken for a jump) that is noise.
#define ODE_LAST_DIGIT 0.125

static inline void ode_tell_noise(OdeResult *r, uint32_t e, double times) {
  if (e == 0) r->roundoff_over_tol = 0;
  if (!(times > r->roundoff_over_tol)) return;
  r->roundoff_over_tol = times;
  r->roundoff_component = e;
}

// Rounding was measured; counts: somewhere it is felt. Then it is looked at again soon, else ever more seldom.
static inline void ode_plan_shake(OdeRun *u, bool counts) {
  u->shake_at = counts ? u->r.steps + 16 : 2 * u->r.steps + 64;
  u->shaken_h = counts ? u->h : 0;
}

// What a step that is about to be tried has to know: rounding does more in it than in the one for which it was
// measured.
static inline int ode_judge_ahead(const OdeRun *u) {
  return u->shaken_h > 0 && u->h > 2 * u->shaken_h ? lesson_rounding : lesson_none;
}

// How far the first look goes: a hundredth of the time in which y changes by its size. d0, d1: sums of squares of y and
// y' in tolerances.
static inline double ode_first_guess(double d0, double d1, double t, double span) {
  double h0 = d0 < 1e-10 || d1 * span * span < 1e-10 ? 1e-6 * span : 0.01 * sqrt(d0 / d1);
  if (!(h0 > 0)) h0 = 1e-6 * span;
  double least = 1e-10 * fabs(t); // a state that happens to be almost zero says nothing about the time scale
  h0 = h0 > least ? h0 : least;
  return h0 < span ? h0 : span;
}

// The time in which things change: that of y; where y has no size, that of y', of which count components changed by the
// part sqrt(change/count) over h0.
static inline double ode_time_unit(double d0, double change, uint32_t count, double h0, double span) {
  double unit = 100 * h0;
  if (d0 < 1e-10 && count) unit = change > 0 ? h0 / sqrt(change / count) : span;
  unit = unit > 100 * h0 ? unit : 100 * h0;
  return unit < span ? unit : span;
}

// The first step. d1, d2: mean squares of y' and of its change over h0, in tolerances.
static inline double ode_first_size(double d1, double d2, double unit, double h0, int order, double t) {
  double one = unit * sqrt(d1), two = unit / h0 * (unit * sqrt(d2)), largest = one > two ? one : two;
  double h = largest <= 1e-15 ? unit : unit * pow(0.01 / largest, 1.0 / (order + 1));
  double least = 1e-13 * fabs(t); // a few hundred doubles
  h = h > least ? h : least;
  return h < unit ? h : unit;
}

// The size of the first step after an event or break: not much longer than the time since the one before.
double ode_after_event(OdeRun *u, double h);

// Is a fast mode dead that nonetheless limits the step by its error? reach: the step times the largest eigenvalue;
// moved: the change of y in the step against the size of y. The error of a component that follows others at once is
// large near the edge of stability, so where it has digits to keep, it shows no sign of stiffness but this.
static inline bool ode_is_pressed(double reach, double moved) { return reach > 1 && moved < 0.01 * reach; }
enum { ode_pressed_factor = 10 }; // such steps in a row that it takes, as a multiple of `patience`

// Rows inside a step of rodas may be less exact than its end by this factor.
#define ODE_DENSE_FACTOR 10

// Is the explicit method better off than rodas? Either it is stable with steps like these, for some time, or, shortly
// after the change, the steps did not become larger.
static inline bool ode_wants_back(OdeRun *u, uint64_t taken, uint32_t calm) {
  enum { judged_after = 20, calm_steps = 50 };
  if (taken == judged_after && u->h < 2 * u->explicit_h) {
    u->h = u->explicit_h;
    if (u->patience < 1000) u->patience *= 3;
    return true;
  }
  return calm >= calm_steps;
}

// Every ode_patience steps it is checked whether the run advances: ode_stuck if it does not, ode_many_steps if it will
// not end within twenty times the budget at this pace. *mark: where it was then; *crawling: consecutive checks of slow
// progress.
enum { ode_patience = 20000 };
static inline OdeStatus ode_watch_pace(const OdeSettings *s, double t, OdeResult *r, uint64_t steps, double *mark,
                                       uint32_t *crawling) {
  double way = t - *mark;
  *mark = t;
  if (way < 1e-8 * (s->t1 - s->t0)) return ode_stuck;
  r->needed = (s->t1 - t) / way * ode_patience;
  bool slow = r->needed + (double)steps > 20 * (double)s->most_steps;
  *crawling = slow ? *crawling + 1 : 0;
  return *crawling >= 5 ? ode_many_steps : ode_done;
}

// Step size control of one run.
typedef struct StepControl {
  bool ends, rejected; // the step reaches u->stop; the last trial was rejected by its error
  // explicit: the error before; signs of stiffness, calm steps and pressed ones in a row
  double before;
  uint32_t signs, calm, pressed;
  // rodas: the step before and its error; steps taken; steps in a row in which the explicit method would be stable
  double old_h, old_err;
  uint64_t taken;
  uint32_t quiet;
} StepControl;

static inline StepControl ode_control(void) { return (StepControl){.before = 1e-4}; }

// The explicit methods: order of the error; the stage that is f at the end of the step; terms of the dense output;
// order for the first step; least and largest factor of a step; where stability ends, two thirds of it; damping by the
// error before.
typedef struct ExplicitMethod {
  int order, last, terms, start;
  double shrink, grow, edge, beta;
} ExplicitMethod;
const ExplicitMethod *ode_explicit(OdeMethod method);

// The step after one of error err was accepted; reach, moved: see ode_is_pressed. True: the other method should go on.
bool ode_next_explicit(OdeRun *u, StepControl *c, double err, double reach, double moved, bool may_change);
bool ode_next_rodas(OdeRun *u, StepControl *c, double err);
// The step to try after one of error err > 1.
static inline double ode_retry_explicit(const ExplicitMethod *m, double h, double err) {
  return h * fmax(m->shrink, 0.9 * pow(err, -1.0 / m->order));
}
static inline double ode_retry_rodas(double h, double err) { return h * fmax(0.2, 0.9 * pow(err, -0.2)); }

#endif

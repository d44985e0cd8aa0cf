// What the adaptive one-step methods share: where a run stands, error weights, rows inside a step.
#ifndef VIVA_SOLVE_STEPS_H
#define VIVA_SOLVE_STEPS_H

#include "solve/scale.h"

#include <math.h>

// A run on its way. `auto` hands it from one method to the other.
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
  bool anew;           // a break was passed: the right-hand side is another one
  double mark;         // where it was some thousand steps ago
  uint32_t crawling;   // looks in a row at a run that would never end
  OdeScales *scales;   // NULL in lanes, which have their own
  double *scaled;      // by component: its part in the error of the last trial, in tolerances
  double rejected_t, rejected_h,
      rejected_by;          // the last step that was rejected: where, its size, its worst component's error
  uint32_t tries, failures; // of the last steps
  uint64_t shake_at;        // the step after which rounding is measured next
  double explicit_h;        // the step to which stability held the explicit method
  bool change;              // the method asks for the other one
  EventSearch *search;      // NULL: no conditions
  double last_event;        // time of the last event
  bool event;               // this step ends where a condition ends
  bool timed;               // this step ends at a time of OdeEvents.next
  double cut_error;         // of the step to the event
  uint32_t patience;        // signs of stiffness in a row that it takes
} OdeRun;

// Tolerance of component e between the values a and b.
static inline double ode_tolerance(const OdeRun *u, uint32_t e, double a, double b) {
  double x = fabs(a), y = fabs(b);
  return u->scales->atol[e] + u->s->rtol * (x > y ? x : y);
}

static inline bool ode_evaluate(OdeRun *u, double t, const double *y, double *dydt) {
  u->r.evaluations++;
  return u->p->f(u->p->self, t, y, dydt);
}

// May a step begin here? Sets *ends where it reaches the end, and shortens it to that.
bool ode_begin_step(OdeRun *u, bool rejected, bool *ends);
// After an accepted step to t_next (u->y is the new state): counts, the row at its end, the observer. False: stop.
bool ode_end_step(OdeRun *u, double t_next, bool ends);
// Looks for events in the step of size u->h from t (dense: its continuous extension), moves *t_next to the first one,
// and sets u->event, u->h; reach makes steps of the method from t. next: the state there. False: not finite.
bool ode_find_event(OdeRun *u, double t, double *t_next, OdeDense *dense, OdeReach *reach, void *from, double *next);
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
// f where the last bits of t and y are others, as ode_nudged. z: room. False: not finite.
bool ode_shake(OdeRun *u, double *z, double *k, int round);
// Is f too steep at t, y? moved: the largest changes of f by rounding; k0: f. Then it is told, and rounding is no
// excuse.
bool ode_too_steep(OdeRun *u, const double *k0, const double *moved, double *z, double *k);
// The time of that.
static inline double ode_shaken_time(const OdeRun *u, int round) {
  double t = u->r.t * (1 + (round < ode_shakes ? 0x1p-51 : 0x1p-31));
  return u->r.t > 0 && t < u->stop ? t : u->r.t;
}
// Can time be shaken a little, but not as far as that would tell a jump from rounding? A stop is too near.
static inline bool ode_cannot_shake(const OdeRun *u) {
  return ode_shaken_time(u, 0) > u->r.t && !(ode_shaken_time(u, ode_shakes) > u->r.t);
}
// Takes the noise of a step, and the kind's size for those components that it lets pass. next: y at the end of the
// step.
void ode_learn(OdeRun *u, int lesson, const double *next, const double *noise);
// The largest part of a component in the error, and whose it is.
static inline double ode_worst(OdeRun *u) {
  double worst = 0;
  for (uint32_t e = 0; e < u->p->checked; e++) {
    if (!(u->scaled[e] > worst)) continue;
    worst = u->scaled[e];
    u->r.held_by = e + 1;
  }
  return worst;
}

// Rounding of f times the step is the noise of a component, with room for what several stages add up to.
#define ODE_NOISE_FACTOR 4
// It counts from this part of the tolerance on.
#define ODE_NOISE_PART 0.1

static inline void ode_tell_noise(OdeResult *r, uint32_t e, double times) {
  if (e == 0) r->blur = 0;
  if (!(times > r->blur)) return;
  r->blur = times;
  r->blurred = e;
}

// Rounding was measured; counts: somewhere it is felt. Then it is looked at again soon, else ever more seldom.
static inline void ode_plan_shake(OdeRun *u, bool counts) {
  u->shake_at = counts ? u->r.steps + 16 : 2 * u->r.steps + 64;
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

// A first step by comparing y, y' = k and a crude y'' with the tolerances. z, k1: room.
double ode_first_step(OdeRun *u, const double *k, double *z, double *k1, int order);

// The size of the first step after an event or break: not much longer than the time since the one before.
double ode_after_event(OdeRun *u, double h);

// Is a fast mode dead that nonetheless holds the step by its error? reach: the step times the largest eigenvalue;
// moved: the motion in the step against the size of y. The error of a component that follows others at once is large
// near the edge of stability, so where it has digits to keep, it shows no sign of stiffness but this.
static inline bool ode_is_pressed(double reach, double moved) { return reach > 1 && moved < 0.01 * reach; }
enum { ode_pressed_factor = 10 }; // such steps in a row that it takes, as a multiple of `patience`

// Rows inside a step of rodas may be so many times less exact than its end.
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

// Every so many steps it is asked whether the run gets on: ode_stuck if it does not, ode_many_steps if it will not end
// within twenty times the budget at this pace. *mark: where it was then; *crawling: such looks in a row.
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

// The methods. Each drives from u->r.t until the end, a failure, a stop, or u->change.
typedef struct Explicit Explicit;
typedef struct Rodas Rodas;
Explicit *explicit_new(OdeRun *u); // NULL: memory is out
void explicit_drive(Explicit *x);
Rodas *rodas_new(OdeRun *u);
void rodas_drive(Rodas *x);

#endif

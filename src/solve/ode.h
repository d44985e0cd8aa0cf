// Ordinary differential equations: y' = f(t, y), rows at asked times.
// parts: fixed.c methods.c rows.c
#ifndef VIVA_SOLVE_ODE_H
#define VIVA_SOLVE_ODE_H

#include "base/arena.h"
#include "solve/events.h"

#include <math.h>

// df/dy and df/dt: the entries that are not identically zero, column by column. Entry k of column c,
// start[c] <= k < start[c + 1], stands in row[k]. Columns are the checked components of y and, as the last one, t.
typedef struct OdeJacobian {
  const uint32_t *start, *row;
  uint32_t count;
  void (*eval)(void *self, double t, const double *y, double *entries); // always numbers: see jacobian in OdeProblem
} OdeJacobian;

// What became of a state that was to lie on a manifold.
typedef enum OdeProjection {
  projection_none,  // it lies there: y is as it was
  projection_moved, // y was changed
  projection_failed // no projection was found: adaptive methods take a smaller step, fixed steps end
} OdeProjection;

// A state in momenta: z has momenta at the indices at which y has velocities, and is y otherwise. False: not finite.
typedef struct OdeMomenta {
  bool (*rates)(void *self, double t, const double *z, double *dzdt);
  bool (*from_velocities)(void *self, double t, const double *y, double *z);
  bool (*to_velocities)(void *self, double t, const double *z, double *y);
  bool (*usable)(void *self); // now, until something happens; else y is taken as it is. May be NULL: always
} OdeMomenta;

// What the components of y must obey: residues = 0. False: not finite.
typedef struct OdeManifold {
  uint32_t count;         // residuals: those of positions, then as many of their rates
  const bool *velocities; // half as many: it binds velocities alone; its position residual is 0
  bool (*residues)(void *self, double t, const double *y, double *residues);
  // Adds a change to `to` that lets residues at y grow by `by`, the smallest one.
  bool (*push)(void *self, double t, const double *y, const double *by, double *to);
} OdeManifold;

// Forces that take energy from the system or supply it. Quadrature f sums up force times velocity of all its
// coordinates, and what else it has.
typedef struct OdePorts {
  uint32_t count;        // coordinates
  const uint32_t *place; // where in y each stands
  uint32_t flows;        // number of the first quadratures
} OdePorts;

// Equations of motion with the structure of an energy: y' = F(t, y) g + b(t, y), g the gradient of what is stored.
// False: not finite.
typedef struct OdeGradient {
  uint32_t count; // entries of g
  // g at y, and behind it the power that the time itself brings
  bool (*gradient)(void *self, double t, const double *y, double *g);
  // y' and the quadratures at y, with this g
  bool (*rates)(void *self, double t, const double *y, const double *g, double *dydt);
  uint32_t entered;           // the component of y that sums up that power
  bool (*usable)(void *self); // now, until something happens; else f is taken as it is
} OdeGradient;

// Two components of y, of which one is the rate of the other.
typedef struct OdePair {
  uint32_t place, speed;
} OdePair;

// The energy balance that a run keeps: the stored energy, with what left and entered, as the quadratures have it.
typedef struct OdeBalance {
  bool (*value)(void *self, double t, const double *y, double *value, double *size); // size: of what it is summed from
  bool (*needed)(void *self); // now, until something happens: ode_conserve does not keep it by itself
  const OdePair *pairs;       // coordinates with inertia
  uint32_t pair_count;
} OdeBalance;

// What a component is: those of one kind may be measured by each other (scale.h).
typedef enum OdeKind {
  ode_coordinate,
  ode_velocity,
  ode_state,
  ode_bound_coordinate, // moved by OdeProblem.project, which rounds it by the size of the others
  ode_bound_velocity,
  ode_kinds
} OdeKind;

typedef struct OdeProblem {
  uint32_t n;       // size of y
  uint32_t checked; // this number of first components enter the error norm; the rest are quadratures
  void *self;
  bool (*f)(void *self, double t, const double *y, double *dydt); // false: not finite
  // Made when it is first asked for; NULL: out of memory. Where an entry has no finite value (the derivative of a root
  // at zero) it gives 0: the methods then take smaller steps. May be NULL for methods that need none.
  const OdeJacobian *(*jacobian)(void *self);
  // How far rounding may put the checked rates off, at t and y; false: that is not known. May be NULL.
  bool (*rounding)(void *self, double t, const double *y, double *error);
  bool still; // the quadratures have rate 0
  bool empty; // they are zero throughout
  void (*accept)(void *self, double t,
                 const double *y); // y at t was reached, and f may start afresh from it; may be NULL
  const OdeEvents *events;         // NULL: none
  const uint8_t *kinds;            // by checked component: OdeKind; NULL: all are states
  // Brings the checked components of y at t back onto the manifold that they must not leave: after each step, before
  // its rows and its dense output, and on each row inside of a step. May be NULL.
  OdeProjection (*project)(void *self, double t, double *y);
  const OdeMomenta *momenta; // for methods that are symplectic in these; NULL: they take y as it is
  const OdePair *pairs;      // all components, where accelerations depend on positions and time alone: for ode_verlet
  uint32_t pair_count;
  const OdePorts *ports; // for ode_conserve: its balance of energy is exact with these; NULL: none
  // forces[f * count + i]: of quadrature f along coordinate i of the ports; z as of the method. False: not finite.
  bool (*forces)(void *self, double t, const double *z, double *forces);
  const OdeBalance *balance;   // for ode_conserve; NULL: it keeps it by itself, or there is none
  const OdeGradient *gradient; // for ode_conserve: the structure of the equations; NULL: it is not known
  const OdeManifold *manifold; // where `project` leads, for methods that project from both ends; NULL: none
} OdeProblem;

typedef enum OdeMethod {
  ode_euler,
  ode_heun,
  ode_bs3,
  ode_rk4,
  ode_dopri5,
  ode_dop853,
  ode_rodas,
  ode_bdf,
  ode_verlet,
  ode_gauss4,
  ode_gauss6,
  ode_gauss8,
  ode_gauss12,
  ode_conserve2,
  ode_conserve,
  ode_conserve6,
  ode_method_count
} OdeMethod;

// Times at which f jumps or has a corner, in order: each is the first double of the new branch. Adaptive methods stop
// just before and start afresh there; fixed steps pass over them.
typedef struct OdeBreaks {
  const double *times;
  uint32_t count;
  bool after_start; // a branch holds at the very start alone: f is to be taken a double later there
  // expressions of the system; 0: none
  uint32_t many;   // has more breaks than a run can have: the times are not complete
  uint32_t unsure; // may have more breaks than were found, from this time on
  double unsure_at;
} OdeBreaks;

typedef struct OdeSettings {
  OdeMethod method;
  double t0, t1;
  double start; // where the run goes on; t0 unless it was held there
  double first; // the first step of an adaptive method; 0: found
  double step;  // of a fixed-step method
  double every; // spacing of the rows, and what fixed steps are counted from
  // rows at these times instead, in strict order, none before t0; NULL: at the spacing. A list never moves a step.
  const double *times;
  uint32_t time_count;
  bool idle_rows; // nobody reads the rows inside of steps
  double rtol, atol;
  bool by_scale;    // atol is meant for a component of size 1: each has atol times the largest size it was seen to have
                    // (scale.h)
  bool exact_times; // fixed steps: the last stage lies at the end of the step, not just before it
  bool automatic;   // change from an explicit method to rodas, and back, where stability asks for it
  uint64_t most_steps;
  OdeBreaks breaks;
} OdeSettings;

// Rodas factors a dense Jacobian up to this size: a step of a larger one takes seconds that nobody could stop. Sparse
// ones have no limit.
enum { ode_most_dense = 3000 };

typedef enum OdeStatus {
  ode_done,
  ode_not_finite, // f gave no number
  ode_step_small, // the step size vanished
  ode_many_steps,
  ode_stuck,   // thousands of steps without getting on: chattering
  ode_stopped, // by the observer
  ode_ended,   // by an event, before its time
  ode_event,   // an event cannot be passed; its owner knows why
  ode_no_memory,
  ode_no_stages, // the stages of an implicit method with fixed steps do not converge
  ode_too_dense, // rodas: the Jacobian is large and not sparse (ode_most_dense)
  ode_no_module  // the part of the program with SUNDIALS is missing
} OdeStatus;

typedef struct OdeResult {
  OdeStatus status;
  uint64_t steps, rejected, evaluations;
  double t;                 // reached
  double smallest, largest; // step sizes taken
  uint64_t jacobians, factorizations;
  OdeMethod method;            // the last one
  uint32_t changes;            // of the method, when it is automatic
  double stiff_at;             // time of the first change
  double next_step;            // what an adaptive method would have tried next
  double roundoff_over_tol;    // how many times the tolerance the rounding of a component is; 0: not noticed
  uint32_t roundoff_component; // that component
  uint32_t steep;              // a component whose rate jumps within the last bits of y, plus one; 0: none
  uint32_t held_by; // the component with the largest part in the error of the last rejected step, plus one; 0: none
  bool by_longest;  // OdeEvents.longest held the last steps
  double needed;    // of ode_many_steps before the budget is spent: further steps needed at this pace
  uint64_t events;  // moments at which something happened
  double balanced;  // the largest part of themselves by which velocities of a step were moved to keep the balance
} OdeResult;

typedef struct OdeObserver {
  void *self;
  bool (*row)(void *self, double t, const double *y);                  // at the asked times; false: stop
  bool (*step)(void *self, double t, const double *y, uint64_t steps); // after each step; false: stop
  // a break was passed from the double `left` to the next one; may change the quadratures of y; may be NULL
  void (*jump)(void *self, double left, double right, double *y);
  // a step, or what was kept of it, from t0 to t1, before anything happens at t1; may be NULL
  void (*span)(void *self, double t0, double t1, OdeDense *dense, void *from);
  // a break from the double `left` to `right` inside a fixed step, which is not cut there, with the state there; may be
  // NULL
  void (*inside)(void *self, double left, double right, const double *y);
} OdeObserver;

// Adds the work that was done before a run was stopped and resumed.
static inline void ode_add_work(OdeResult *o, const OdeResult *before) {
  o->steps += before->steps;
  o->rejected += before->rejected;
  o->evaluations += before->evaluations;
  o->jacobians += before->jacobians;
  o->factorizations += before->factorizations;
  o->events += before->events;
  o->changes += before->changes;
  o->balanced = fmax(o->balanced, before->balanced);
  o->smallest = fmin(o->smallest, before->smallest);
  o->largest = fmax(o->largest, before->largest);
  if (isnan(o->stiff_at)) o->stiff_at = before->stiff_at;
}

static inline OdeProjection ode_project(const OdeProblem *p, double t, double *y) {
  return p->project ? p->project(p->self, t, y) : projection_none;
}

// The time at which f is taken: a double after the start, where a branch holds at the very start alone.
static inline double ode_seen(bool after_start, double start, double t) {
  return after_start && t == start ? nextafter(t, INFINITY) : t;
}

// The right side of the next break. Breaks of one instant (EVENT_SAME_INSTANT) are passed at once.
bool ode_at_break(const OdeBreaks *breaks, uint32_t *next,
                  double t); // does the next one come before any step could end?
double ode_pass_break(const OdeBreaks *breaks, uint32_t *next);
const char *ode_method_name(OdeMethod method);
bool ode_method_find(const char *name, OdeMethod *method);
bool ode_is_fixed(OdeMethod method);
bool ode_is_explicit(OdeMethod method);   // an explicit Runge-Kutta method with fixed steps: fixed_body.h
bool ode_is_structured(OdeMethod method); // structure-preserving: stepper.h
bool ode_wants_momenta(OdeMethod method);
bool ode_keeps_balance(OdeMethod method); // conserve, of any order
int ode_order(OdeMethod method);
int ode_work(OdeMethod method); // evaluations of a step, roughly

// Integrates from y (changed in place) and calls the observer. Memory is taken from the arena before the first step.
OdeResult ode_solve(Arena *arena, const OdeProblem *problem, const OdeSettings *settings, double *y,
                    const OdeObserver *observer);

// When row k is due: at the start, at the end, and between them at the spacing or at the times of the list.
uint64_t ode_row_count(const OdeSettings *settings);
double ode_row_time(const OdeSettings *settings, uint64_t k);
// The time of a row, from this one on, that differs from t by a part of it at most (EVENT_SAME_INSTANT: it is the same
// instant); t where there is none.
double ode_row_near(const OdeSettings *settings, uint64_t row, uint64_t rows, double t, double part);
// Is a row inside of the step that ends there? One that is the same instant as the end shows what is behind it.
static inline bool ode_row_inside(double row, double end) { return row < end - EVENT_SAME_INSTANT * fabs(end); }
// Is it the same instant as t, or before it? The end of the run is reached by a step.
static inline bool ode_row_passed(const OdeSettings *s, double row, double t) {
  return row <= (row < s->t1 ? t + EVENT_SAME_INSTANT * fabs(t) : t);
}
// The first row from `row` on that is not before t; `rows` where there is none.
uint64_t ode_row_from(const OdeSettings *settings, uint64_t row, uint64_t rows, double t);
bool ode_is_asked(const OdeSettings *settings, double t); // is a row at t in the list? Always where there is none
// The spacing itself: k*every, and the end.
uint64_t ode_grid_count(const OdeSettings *settings);
double ode_grid_time(const OdeSettings *settings, uint64_t k);
// Row k lies at k*times/over: rows every 0.1 fall on 0.6, not on 0.6000000000000001. Exported C counts by it, too.
typedef struct OdeSpacing {
  double times, over;
} OdeSpacing;
OdeSpacing ode_spacing(double every);

// The drivers behind ode_solve: fixed.c, module.c (bdf), adaptive.c. When rows and breaks are due: rows.c.
OdeResult ode_solve_fixed(Arena *arena, const OdeProblem *p, const OdeSettings *s, double *y, const OdeObserver *o);
OdeResult ode_solve_bdf(Arena *arena, const OdeProblem *p, const OdeSettings *s, double *y, const OdeObserver *o);
OdeResult ode_solve_adaptive(Arena *arena, const OdeProblem *p, const OdeSettings *s, double *y, const OdeObserver *o);

#endif

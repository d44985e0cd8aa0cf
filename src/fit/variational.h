// Forward sensitivity equations: the variational equations, integrated beside the state.
//
//   y' = f(t, y, u),   S = dy/du,   S' = df/dy S + df/du,   S(0) = dy0/du
//
// Derivatives are those of the tapes by forward mode (tape/forward.h), so they are exact. At an event the moment moves
// as well: t* is where its guard g vanishes,
//
//   dt*/du = -(dg/dy S + dg/du) / (dg/dt + dg/dy f-)       X = S + f- dt*/du
//
// X are the derivatives of the state in the moment of the event. What a `when` or `every` sets, y+ = a(t, y), sets
// X+ = da/dy X + da/dt dt*/du + da/du; then S+ = X+ - f+ dt*/du goes on (saltation). Breaks of signals of time and
// samples do not move.
//
// Each column of S is measured by the size of its unknown, so that it has the units of y.
//
// parts: saltation.c
#ifndef VIVA_FIT_VARIATIONAL_H
#define VIVA_FIT_VARIATIONAL_H

#include "sim/motion.h"
#include "sim/vary.h"
#include "tape/forward.h"

enum { variational_most = tape_directions - 1 }; // unknowns at a time

// For stiff systems: that of y and S together.
typedef struct VariationalJacobian {
  OdeJacobian j;
  double *slopes, *room, *rates[2], *moved;
} VariationalJacobian;

// Rows as they come, in the order of times: values of the outputs; derivatives by output and unknown, or NULL.
typedef struct SensitivitySink {
  void *self;
  void (*row)(void *self, uint32_t i, const double *values, const double *slopes);
} SensitivitySink;

// Where rows go, as of sensitivity_run.
typedef struct VariationalRows {
  const double *times;
  uint32_t count, next;
  double *values, *slopes;     // of all rows, or of one
  const SensitivitySink *sink; // NULL: of all
} VariationalRows;

typedef struct Variational {
  const SimProgram *p;
  const Variation *v;
  Run *r;
  const double *sizes; // of all unknowns
  uint32_t first, k;   // those of this pass
  uint32_t n;          // of y
  Arena *arena;
  TapeAlong values, f, rows, guards, rules;
  double *vw;                // workspace of the values
  double *params, *y0;       // of this simulation
  double *param_rates;       // by parameter and unknown
  double *guard_param_rates; // the same with a direction more
  double *seeds, *slopes;    // room
  double *joint;             // y and the columns of S
  double *own;               // y with room for quadratures
  double *x, *moment;        // X by column, dt*/du
  double *before, *after;    // f-, f+
  double *memories;          // before an event
  uint8_t *kinds;
  EventFollower follower;
  OdeEvents events;
  OdeAction (*happen)(void *self, double t, double *y, const uint32_t *ended, uint32_t count,
                      uint64_t steps); // the simulation's own
  const char *inexact;                 // why the derivatives are not right; NULL: they are
  VariationalJacobian stiff;
  VariationalRows to;
} Variational;

// Why it cannot be done for this program; NULL: it can.
const char *variational_refusal(const SimProgram *p);
Variational *variational_new(Arena *arena, const SimProgram *p, const Variation *v,
                             const double *sizes); // NULL: out of memory
typedef struct VariationalRequest {
  const double *unknowns, *times;
  uint32_t count;
  double *values, *slopes;
  void *self;
  bool (*interrupted)(void *self);
  const SensitivitySink *sink; // takes each row, of which there is room for one; unknowns in one pass. NULL: tables
} VariationalRequest;
// Of a failure x->inexact says nothing.
RunFailure variational_run(Variational *x, const VariationalRequest *request);

// ---- saltation.c

// The rates of y and of the columns of S. False: not finite.
bool variational_rates(void *self, double t, const double *joint, double *rates);
void variational_connect(Variational *x); // the events of the simulation, with the jumps of S
void variational_assigns(void *self, uint32_t which, double t, const double *y);
void variational_see(Variational *x, uint32_t from, uint32_t count, uint32_t stride, const char *why);
void variational_put(const Variational *x, const double *columns, const double *moment, uint32_t stride);

#endif

// Export of events and discrete states: blocks with memory, delays, friction, `when` and `every`.
//
// The simulation is the one of `viva run --no-events --method rk4`: fixed steps that locate nothing. Functions with
// corners are plain functions, memories change at every evaluation of a step, a delay is a queue of evaluations,
// `every` and `when` act at the end of a step. sim/stepwise.c does the same inside a run; the tests check that the bits
// are the same.
#ifndef VIVA_SIM_EXPORT_EVENTS_H
#define VIVA_SIM_EXPORT_EVENTS_H

#include "hybrid/event_plan.h"

// One assignment of a `when` or `every`: y[target] = the result of the rules.
typedef struct ExportAssign {
  uint32_t target, result;
} ExportAssign;

typedef struct ExportWhen {
  bool every, stop;
  bool once;             // an `every` that comes at one moment alone, which is its period
  bool moves;            // it sets velocities
  uint32_t first, count; // of its assignments
} ExportWhen;

// z: the memories of blocks, then the delayed signals; variables of every tape, behind t and y.
typedef struct ExportEvents {
  uint32_t memories, delays;
  const char **names; // of z, for comments
  bool *each_step;    // by memory: changes at the first evaluation of a step alone
  bool *fixed;        // by memory: does not change
  const Tape *rules;  // results: memories, conditions, values, checks, starts of the memories, periods
  uint32_t conditions_at, values_at, checks_at, starts_at, periods_at;
  uint32_t checks;
  const Tape *inputs, *history,
      *times; // of delays: what goes in, what was before the start, dead times; NULL: no delays
  VEC(ExportWhen) whens;
  VEC(ExportAssign) assigns;
} ExportEvents;

extern const char export_no_implicit[]; // why what has implicit equations is refused

// The plan is that of a Program to be written out. place: index in y of every component. False: out of memory.
bool export_events(Arena *arena, const EventPlan *plan, const uint32_t *place, ExportEvents *out);

#endif

// Times at which the right-hand side jumps or has a corner, known before the run: those of functions of time.
//
// Which functions may have any, and the tapes of their arguments, is planned once for a system; the times are found for
// values of the parameters.
//
// parts: break_plan.c
#ifndef VIVA_SIM_BREAKS_H
#define VIVA_SIM_BREAKS_H

#include "solve/ode.h"
#include "tape/tape.h"

// What the mode of a switch is of the numbers it comes from.
typedef enum BreakKind { break_plain, break_quotient, break_table } BreakKind;

// A function of time with a corner or jump. Its mode is constant between its breaks.
typedef struct BreakSwitch {
  ExprId node, g;
  ExprId rate; // dg/dt where g is affine; 0: g is not, and is searched
  BreakKind kind;
  ExprId from, by; // the mode is `from`, or the whole part of from/by, or the index of `from` among a table's points
  bool whole;      // as g grows it takes one value after the other, at whole g
  const SystemTable *table;
  // of one that is searched
  const Tape *tape;    // variable t; results g, 0, from, by
  bool blind;          // it cannot be bounded
  VEC(uint32_t) inner; // switches inside of g
} BreakSwitch;

typedef struct BreakPlan {
  VEC(BreakSwitch) switches; // what is inside of another comes before it
  const Tape *tape;          // variable t; of each affine switch g, dg/dt, from, by
} BreakPlan;

// The system's pool must be one of its own: expressions are added. NULL: out of memory.
const BreakPlan *breaks_plan(Arena *arena, System *s);
// Finds them between t0 and t1 for given values of the parameters. False: out of memory.
bool breaks_find(const BreakPlan *plan, Arena *arena, const double *params, double t0, double t1, OdeBreaks *out);

#endif

// What is known of the events of a run before its first step: constant during the runs.
//
// in    a rewritten System (rewrite.h), which gets its order first
// out   the variables z of events, behind all others of every tape: memories, modes, delayed signals; the tapes that
//       say what happens; what reads what
//
// The tapes, over t, y, held variables and z:
//   guards    g of every mode, then its limit: the largest value with which it sticks
//   rules     g, new memories, conditions of `when`, values that are set, checks, starts of memories, periods of
//             `every`
//   rates     dg/dt of every mode, 0 where it is not known
//   inputs    of delays; past: the same before the start
//   times     dead times; has no variables
//   follows   outputs of memories that follow the state continuously
//   gains     Jacobians of algebraic loops that do not jump
//
// parts: delay_plan.c guard_facts.c instant_plan.c loop_plan.c
#ifndef VIVA_HYBRID_EVENT_PLAN_H
#define VIVA_HYBRID_EVENT_PLAN_H

#include "hybrid/instant.h"
#include "hybrid/rewrite.h"

typedef enum EventTape {
  event_guards,
  event_rules,
  event_rates,
  event_inputs,
  event_past,
  event_times,
  event_follows,
  event_gains,
  event_tape_count
} EventTape;

// Of a segment and input: coefficients, and behind them how far the signal may be off.
enum { history_degree = 8, history_points = history_degree + 1, history_width = history_points + 1 };

// Which delays share a record, and which depend on which.
typedef struct DelayPlan {
  uint32_t width;  // different inputs
  uint32_t *input; // by delay: its input among them
  uint32_t *first; // by input: the first delay that has it
  uint32_t words;  // of a set of delays
  uint64_t *feeds; // by delay: bits of the delays whose outputs its input depends on; NULL: any of them
  bool *passes;    // by delay: some delay's input depends on it
  double node[history_points], cosine[history_points][history_points]; // Chebyshev points of a step
} DelayPlan;

// Guards that are sums of velocities and states with constant factors: their terms.
typedef struct LinearGuards {
  uint32_t *first; // by mode, and the end
  uint32_t *at;    // indices in y
  double *factor;
} LinearGuards;

// Algebraic loops through branches, each after those that it depends on.
typedef struct EventLoops {
  uint32_t count;
  uint32_t *first, *modes;   // by loop, and the end: its modes are modes[first[k]] ..
  uint32_t *named_first;     // by loop, and the end
  SymbolId *named;           // unknowns that messages name, named[named_first[k]] ..
  uint32_t values_at;        // of the named unknowns among the results of the rules
  uint32_t *block;           // by loop, plus one: the block of all its unknowns, if its functions do not jump; 0: none
  uint32_t *size, *gains_at; // by loop: unknowns of that block; its Jacobian among the results of the gains
  uint32_t *watched_first;   // by loop, and the end: its choices of branches among the conditions behind the modes
} EventLoops;

typedef struct EventPlan {
  System *s; // of the run
  const Rewriting *rewriting;
  bool stepwise; // without events: all but algebraic loops is a plain function, memories change at every evaluation
  bool ordered;  // memories form no cycle: each rule sees the new values of the others
  const SwitchMode *modes;
  uint32_t mode_count, memory_count, delay_count, when_count;
  uint32_t z_count, mode_at, delay_at; // memories, modes, delays
  uint32_t body;                       // size of y without quadratures
  const Tape *tape[event_tape_count];  // NULL: there is nothing to compute
  // indices among the results of the rules
  uint32_t memories_at, conditions_at, checks_at, starts_at, periods_at;
  uint32_t *values_at;     // by `when`
  uint32_t *check_of;      // by check: the first memory of its block; instant_no_memory
  const char **when_words; // by `when`: as it stands in the text, "when h < 0"
  bool may_hold;           // the equations may take values between the branches of a mode
  bool bent;               // and rates are not affine in them
  LinearGuards linear;
  // which modes read what an assignment sets: of y[k] those from read_first[k] on
  uint32_t *read_first, *read_modes;
  bool *wild; // guards that may dip anywhere, and can be bounded: those that are not affine in time and state
  bool any_wild;
  uint32_t *used, used_count; // components of y that the guards depend on
  DelayPlan delays;
  EventLoops loops;
  InstantPlan instant;
  const char *failure; // why it cannot be; NULL
  Span failure_place;
} EventPlan;

// What the search of events looks at: the modes, then the choices of branches of loops.
static inline uint32_t event_conditions(const EventPlan *p) {
  return p->mode_count + (p->loops.count ? p->loops.watched_first[p->loops.count] : 0);
}

// NULL: out of memory, or w->failure.
EventPlan *event_plan_new(Rewriting *w, TapeSolve *large);
// Does an assignment set a velocity: of a coordinate, or of a spherical joint? Constraints answer to it.
bool event_moves(const System *s, const SystemAssign *a);
uint32_t event_target(const EventPlan *p, const SystemAssign *a); // the component of y that an assignment sets

// ---- parts: guard_facts.c, delay_plan.c, instant_plan.c, loop_plan.c

// What the guards read and are: who reads what is set, who enters the equations of motion, which are linear.
bool event_find_readers(EventPlan *p, SwitchMode *modes);
bool event_find_bounds(EventPlan *p); // which guards are not affine, and can be bounded; with their tape built
bool event_find_delays(EventPlan *p); // DelayPlan
bool event_find_loops(EventPlan *p);  // EventLoops
bool event_plan_instants(EventPlan *p, Rewriting *w); // InstantPlan, elements; with the tapes built
// May values between the branches of a mode keep a guard at zero that depends on more than positions and time, as dry
// friction does?
bool event_holds_velocities(const EventPlan *p);
bool event_may_hold(const SwitchMode *m); // may the equations take values between its branches?
// Inputs stand for their expressions: their rates may not be there.
bool event_without_inputs(System *s, ExprId *g, uint32_t count);

#endif

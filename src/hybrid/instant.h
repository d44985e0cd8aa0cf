// The event iteration: what happens at an instant, by the rules S2 to S4 of docs/semantics.md.
//
// in    t, y and the discrete state (memories, levels) before the instant; guards, rules, conditions of the model by
//       the functions of a host
// out   y and the discrete state after it; the branches of all guards on (t, t + eps)
// how   A reading sets the branch of each guard: by the sign of the guard, or, where the guard is zero, by the operator
//       (AT) or by the first derivative that is not zero (AFTER). Guards stand inside of others, so a reading is
//       repeated until no branch changes. Which guards are zero is decided once for all of them, at one point
//       (zero_set.h).
//
// Freestanding: no allocation, no library but libm. All arrays belong to the caller.
#ifndef VIVA_HYBRID_INSTANT_H
#define VIVA_HYBRID_INSTANT_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What the branch of a guard is of its sign.
typedef enum BranchKind {
  branch_open,   // 1 where g > 0, else 0
  branch_closed, // 1 where g >= 0, else 0
  branch_sign,   // the sign of g
  branch_whole   // the whole number below g
} BranchKind;

static inline double instant_branch(BranchKind kind, double g, int sign) {
  switch (kind) {
  case branch_open: return sign > 0;
  case branch_closed: return sign >= 0;
  case branch_sign: return sign;
  case branch_whole: return nearbyint(g) - (sign < 0);
  }
  return 0;
}

enum {
  instant_most_passes = 1000, // no chain of statements that ends is as long in a text that people write
  instant_most_rounds = 4,    // that change nothing but infinitely small steps
  instant_most_steps = 32,    // rounds of (d) whose infinitely small steps are kept apart
  instant_no_memory = UINT32_MAX
};

enum {
  loop_most_choices = 1024, // of branches of one algebraic loop, all of which are looked at
  loop_most_solutions = 4   // that are looked for
};

// What became of algebraic loops through branches (loop_choices.h).
typedef enum LoopEnd {
  loop_solved,
  loop_unsolved,  // no choice of branches agrees with itself
  loop_ambiguous, // more than one does
  loop_too_many   // more than loop_most_choices
} LoopEnd;

typedef struct InstantPlan {
  uint32_t guards, memories, whens;
  uint32_t variables;                  // t, components of y, and what else guards are computed from
  uint32_t body;                       // components of y, variables 1 ..
  const uint8_t *kind;                 // by guard: BranchKind
  const uint32_t *leader;              // by guard: the first one that is equal to it but for a factor
  const int8_t *side;                  // by guard: the sign of that factor
  const uint32_t *depth;               // by guard: how many branches deep are those inside of it
  const bool *inner;                   // by guard: its branch stands inside of guards
  const bool *enters;                  // by guard: its branch stands in the flow
  const bool *conditional, *stops;     // by `when`
  const uint32_t *reads_first, *reads; // by component of y: the guards that read it, reads[reads_first[k]] ..
  const uint32_t *order; // memories, each after those that its rule depends on; those of one block together
  const uint32_t *block; // by memory: its block; rules of one block see its old values
  const bool *jumps;     // by guard: its function jumps, and does not only bend
  const bool *image;     // by leader: of a delayed function, which is what it was AFTER an instant of the past
  uint32_t loops;        // algebraic loops through branches, each after those that it depends on
  const uint32_t *loop_first, *loop_guards; // by loop: its guards, loop_guards[loop_first[k]] ..
} InstantPlan;

// What the model says. All functions look at the branches, memories and levels of the Instant.
typedef struct InstantHost {
  void *self;
  // Guards, rules of memories and conditions at t and y, into the arrays of the Instant.
  void (*evaluate)(void *self, double t, const double *y);
  // How far each guard may be off, if the variables are off by so much and the last digits of sums are lost (digits of
  // them; 0: none). Of what was evaluated last.
  void (*errors)(void *self, const double *off, double digits, double *bounds);
  // The rate of each guard along a direction of all variables. Of what was evaluated last.
  void (*slopes)(void *self, const double *direction, double *slopes);
  // The flow at t and y as a direction of all variables. False: not finite.
  bool (*flow)(void *self, double t, const double *y, double *direction);
  // How far rounding may put the flow off that was evaluated last, by variable. Flow and errors leave alone what
  // `evaluate` found.
  void (*flow_errors)(void *self, double t, const double *y, double *errors);
  // Decides stick and slip of the guards that are zero (S6). *changed: a branch is another than before. Where nothing
  // sticks or slides before and after, the Instant keeps what is known.
  int (*stick)(void *self, double t, double *y, bool *changed);
  void (*release)(void *self); // nothing sticks any more
  // Executes the assignments of a `when` or `every`, whose right sides were evaluated last.
  void (*assign)(void *self, uint32_t which, double t, double *y);
  void (*remember)(void *self, uint32_t memory, double value); // a memory takes a new value
  // False: the block of this memory (instant_no_memory: another one) reports an error. Of what was evaluated last.
  bool (*check)(void *self, uint32_t memory);
  double *(*room)(void *self, size_t count); // numbers, until it is called again; NULL: out of memory
  bool (*due)(void *self, uint32_t which);   // is this `every` due? Counts it.
  // What was evaluated last solves a loop; solution: the number of solutions before it.
  void (*solved)(void *self, uint32_t loop, uint32_t solution);
} InstantHost;

typedef enum InstantEnd {
  instant_done,
  instant_stopped,  // by `stop`
  instant_failed,   // a block reports an error, or stick and slip have no solution
  instant_chatters, // more than instant_most_passes
  instant_open      // the branches do not agree with their guards (loops.end: those of an algebraic loop)
} InstantEnd;

// Sides of guards behind the instant, by leader.
typedef struct InstantSides {
  int8_t *behind; // while its guard is g
  double *g;
  int8_t *before; // room
  int8_t *at;     // AT, as stick and slip are decided
  bool *fresh;    // it was put to zero behind the instant
  bool *leaves;   // it was zero at the last instant, and not seen off its limit since
  bool *carried;  // its side is that which it had at the last instant
  bool near;      // one was near zero at this instant: statements that set it once more may lead its errors far
} InstantSides;

// A guard whose rate is zero is looked at a little later along the flow.
typedef struct InstantLater {
  double span;      // of the run
  double *g_before; // guards at the instant
  double *y, *k[4]; // the state then; the flow on the way
} InstantLater;

// Algebraic loops through branches.
typedef struct InstantLoops {
  bool *unique;              // by loop: it has one solution at most
  double *middle, *solution; // room: by guard; by solution and guard, and one more
  LoopEnd end;               // of this instant
  uint32_t which, solutions; // of which loop; solutions that were found
} InstantLoops;

// Infinitely small steps, each of `variables` numbers, and by how much they are uncertain.
typedef struct InstantSteps {
  double *by[instant_most_steps], *off[instant_most_steps];
  uint32_t count, whole; // whole: without the one of this pass, which no number sees
} InstantSteps;

// What is known at t and y, with the discrete state as it is.
typedef enum InstantKnown {
  known_nothing,
  known_zeros, // values, and which guards are zero
  known_at,    // the reading AT
  known_after  // the reading AFTER
} InstantKnown;

// A state of this instant to which later ones are compared: one that comes again and again is that of a cycle.
typedef struct InstantCycle {
  double *y, *off, *memory; // y and its errors, memories
  bool *level;
  uint32_t renewed, rounds; // in which pass it was kept; how often it came again
} InstantCycle;

// How the run came here.
typedef struct InstantArrival {
  uint32_t located; // the guard that was located; UINT32_MAX: none
  double g;         // what it was then
  bool again;       // no time was seen to pass since the last instant: `direction` is the flow from there
} InstantArrival;

typedef struct InstantStart {
  bool sizes, branches; // of guards are unknown still: the run begins
} InstantStart;

typedef struct Instant {
  const InstantPlan *plan;
  const InstantHost *host;
  // the discrete state
  double *branch; // by guard
  double *memory; // by memory
  bool *level;    // by `when`
  // what was evaluated last
  double *g, *rule, *condition; // by guard, memory, `when`
  // by variable: its accumulated error
  double *off;
  double *scale; // by guard: the largest |g| that was seen
  bool *sticks;  // by guard: held at zero; its branch in the equations belongs to `stick`
  double *drift; // by guard: so far it may be from zero while it sticks
  InstantArrival arrived;
  double t;
  InstantKnown known;
  // of the last reading, by leader
  bool *zero, *held; // held: one of its class sticks
  int8_t *sign;
  InstantSides sides;
  InstantSteps steps;
  InstantCycle cycle;
  uint32_t passes;
  // room: by guard, by guard, by variable ...
  double *bound, *rounding, *slope, *slope_bound, *ratio, *direction, *tilt, *flow_off;
  uint32_t *order;
  bool *marked; // by `when`
  bool *open;   // by guard: where branches do not agree with their guards, those that go on changing
  InstantLater later;
  InstantStart start;
  bool several; // of branches that go on changing: several choices of sides agree with their own flow
  int verdict;  // of `stick`
  InstantLoops loops;
} Instant;

// Is a guard zero where stick and slip are decided, and not on a side of the point behind the instant?
static inline bool instant_at_limit(const Instant *x, uint32_t guard) {
  uint32_t i = x->plan->leader[guard];
  return x->zero[i] && !x->sides.at[i];
}

// At the start: memories until they stay, then levels.
InstantEnd instant_begin(Instant *x, double *y);
// (a) to (d). The branches are those on (t, t + eps) afterwards.
InstantEnd instant_settle(Instant *x, double *y);
// One reading. False: the branches do not agree with their guards.
bool instant_read(Instant *x, double *y, bool after);
// A variable was set: it does not see the infinitely small steps.
void instant_was_set(Instant *x, uint32_t variable);

#endif

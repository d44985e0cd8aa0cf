// A run with events: branches of functions, memories of blocks, `when`, `every`, delays, friction.
//
// Inside a step nothing switches. Each function with a corner or jump that depends on the motion becomes smooth by a
// *mode*: the branch it is on, a variable z of the tapes that changes only at events; abs(x) becomes if(m, x, -x).
// Memories of blocks and delayed signals are further z. Where both branches of a jump lead back to it, its mode takes
// the value between them that holds the motion there (Filippov): dry friction at rest.
#ifndef VIVA_SIM_HYBRID_H
#define VIVA_SIM_HYBRID_H

#include "solve/ode.h"
#include "tape/tape.h"

typedef enum ModeKind {
  mode_above, // 1 where g > 0 (closed: g >= 0), else 0
  mode_sign,  // the sign of g
  mode_floor  // the whole number below g
} ModeKind;

typedef struct SwitchMode {
  ModeKind kind;
  bool closed;
  bool silent; // of a block whose own changes are told
  bool pass;   // of an equality: is 0 for a moment when g passes zero
  SymbolId symbol;
  ExprId g, opposite; // the guard, and -g
  ExprId limit;       // of mode_sign: how large the value may be that holds g = 0
  ExprId rate;        // dg/dt; 0: not known
  const char *word;
  Span span;
  bool jumps;   // its function jumps, and does not only bend
  bool enters;  // the equations of motion read it
  bool between; // and take values between its branches
  // as the run goes
  bool holds;    // g is held at zero
  int8_t pinned; // by others: its own value is at the upper (1) or lower (-1) limit
  double drift;  // the largest |g| while it is held: errors of the method
  bool touch;    // g is zero now
  bool ended;    // its condition ended at this event, or it is held: it stands at zero and keeps its branch for now
  bool released; // it was held until this event
  bool changed;  // by this event, because its condition ended
  double off;    // and so far from its limit
  bool met;      // its limit is met at this event, by what is inside of it
  bool came;     // it came to zero at this event, and whether it rests there is not decided yet
  bool acts;     // at this event it acts on its own rate: see holding.h
  bool anew;     // what it reads was assigned: it takes the value of its operator and forgets its past
  double give;   // of one that was released: how exactly its limit was met
  bool at_once;  // it ended in the moment in which it began: what is said of the motion after it comes from the search
  double near;   // |g| up to this counts as zero at this event
  double scale, rate_scale; // the largest |g| and |dg/dt| so far
  double soft; // while others hold the motion, g may be zero all the time: so much to the wrong side is rounding
} SwitchMode;

// What happened, for people.
typedef enum EventKind { event_of_none, event_of_mode, event_of_memory, event_of_when, event_of_delay } EventKind;
typedef struct RunEvent {
  EventKind kind;
  double t;
  const char *word;
  Span span;
  double value;  // the new one; of a `when` 1
  uint32_t line; // 0: none; found when the run is over
} RunEvent;

typedef struct History History;

// Rates of components of y that follow from others while guards are held: y'[at[lead]] + sum of factor * y'[at] = 0.
struct Ties {
  uint32_t count, columns, stride; // rows, columns, from row to row
  uint32_t *at, *lead;             // of columns: places in y; of rows: their own column
  double *factor;
  size_t room;
};

typedef struct Hybrid {
  Arena *arena;
  System *s; // of the run; its expressions are rewritten
  const System *m;
  bool frozen, missing; // all modes are known; one was asked for that is not there
  bool jumps;           // the function that is made smooth now jumps
  bool old;             // without events: everything is a plain function, memories change at every evaluation
  ExprId *map;          // by expression: what it became; 0: not yet
  uint32_t map_size;
  ExprId *rule_map; // the same for rules and conditions
  uint32_t rule_map_size;
  bool in_rules;
  VEC(SwitchMode) modes;
  uint32_t *mode_table, mode_table_size; // by kind and g
  Span told;                             // of the block whose rule is rewritten now
  bool *opened;                          // by delay: it has no length, and its input is rewritten now
  uint32_t *places, places_size;         // into the model's places plus one, by expression
  uint32_t memory_count, delay_count, z_count, mode_at, delay_at;
  double *z;                 // memories, modes, delays
  const double *held_values; // of System.held
  // rewritten, one an item of the model
  ExprId *rules, *starts, *conditions, *inputs, *checks;
  ExprId **values;     // of the assignments of each `when`
  double *delay_times; // by value
  const char *failure; // why it cannot be; NULL
  Span failure_place;
  // programs: g and limits; rules, conditions, values, checks; rates of g; inputs of delays; histories of delays
  const Tape *guards, *rules_tape, *rates, *inputs_tape, *history_tape, *times, *follows;
  double *guards_w, *rules_w, *rates_w, *inputs_w, *history_w, *times_w, *follows_w;
  uint32_t conditions_at, values_at, checks_at,
      body; // places among the results of rules_tape; size of y without quadratures
  // as the run goes
  bool *was;                    // conditions of `when`
  uint32_t *fired;              // how often each did its work in this moment
  uint32_t *faster;             // how many times in a row it came sooner than the time before
  double *fired_at, *fired_gap; // the last time, and how long it was since the one before
  double *periods, *next_at;    // of `every`: NAN for a `when`
  uint64_t *ticks;
  uint32_t *held, held_count;
  double *solve, *c; // room for the values that hold, for conditions
  size_t solve_room;
  uint32_t *group, group_count;           // modes at zero that were solved together last
  uint32_t *free_at, *columns, *together; // room for indices
  struct HoldWork *hold_work;
  struct Ties ties;
  uint32_t *linear_first,
      *linear_at; // guards that are sums of velocities and states with constant factors: their terms
  double *linear_factor;
  double lost; // of the stored energy, by putting what rests to zero
  // which modes read what an assignment sets: of y[k] those from read_first[k] on
  uint32_t *read_first, *read_modes;
  double *g_before; // guards before an assignment
  bool *fresh;
  double *noise, *rearm;
  bool *wild; // guards that may dip anywhere, and can be bounded: those that are not affine in time and state
  bool any_wild;
  bool *marked;               // room for marks on the guards' tape
  uint32_t *used, used_count; // components of y that the guards hang on
  double *errors;             // room for the rounding of the guards' tape
  double *ranges[4];          // room for the ranges of the guards' tape, and for those of rates
  double *past_ranges[4];     // the same for the histories of delays
  double *before;             // y
  double *left;               // delayed signals before an event
  History *history;
  double t0, t1;
  OdeBreaks breaks; // of signals of time
  OdeEvents events;
  // the work of others
  void *self;
  bool (*f)(void *self, double t, const double *y, double *dydt);
  void (*changed)(void *self);                             // z changed
  double (*stored)(void *self, double t, const double *y); // energy; NAN: none
  void (*watch)(void *self, double t, const double *y);    // before and after what happens; may be NULL
  double *slope;                                           // room for f
  RunEvent graze;                                          // the first touch of a `when` within rounding
  uint32_t graze_count;
  RunEvent unsure; // the first time from which on a condition may have ended unseen
  uint32_t unsure_count;
  bool undefined; // because it has no value there
  VEC(RunEvent) log;
  bool log_full;
  // signs of piling up
  double last_t, last_gap;
  uint32_t shrinking, crowd;
  double crowd_from;
  double when_t; // the last `when`
  uint32_t when_last;
  const char **when_words;
  const char *last_word;
  Span last_span;
  // without events
  VEC(double) buffer; // inputs of the delays, one set an evaluation
  uint64_t evaluation;
  uint32_t stages;
  double old_step;
} Hybrid;

// Does the model need one?
bool hybrid_needed(System *s);
// Rewrites the expressions of s. False: memory is out, or h->failure.
bool hybrid_rewrite(Hybrid *h, System *s, const double *params, bool old);
ExprId hybrid_of(Hybrid *h, ExprId id); // any further expression; 0: memory is out
// Builds the programs; params as of the tapes.
bool hybrid_build(Hybrid *h, const double *params, TapeSolve *large);
// For many runs at once: one of its own for each thread, over the same programs; and its start with other parameters.
// What it needs as a run goes comes from the arena.
bool hybrid_copy(Hybrid *copy, const Hybrid *h, System *s, Arena *arena);
void hybrid_renew(Hybrid *h, const double *params, Arena *arena);
void hybrid_put(const Hybrid *h, const Tape *t, double *w, double time, const double *y); // the variables of a program
// At the start: memories, modes, `every`. y has room for the quadratures.
OdeAction hybrid_start(Hybrid *h, double t, double *y);
// The same from a state that was read: z, memories of events and delays are as they were.
OdeAction hybrid_resume(Hybrid *h, double t, double *y, double step, uint32_t stages);
// What varies inside a step: delayed signals, values that hold. Sets z.
void hybrid_given(Hybrid *h, double t, const double *y);
bool hybrid_may_hold(const Hybrid *h); // the equations may take values between the branches of a mode
void hybrid_left(Hybrid *h, double t,
                 const double *y); // keeps the outputs of memories that follow the motion, as they are now
void hybrid_rest(const Hybrid *h, double *dydt); // what is held does not move, not even by rounding
static inline bool hybrid_varies(const Hybrid *h) { return h->delay_count || h->held_count; }

// Without events: memories change and delays are kept at every evaluation, of which a step has so many.
OdeAction hybrid_start_old(Hybrid *h, double t, double *y, double step, uint32_t stages);
void hybrid_stage_begin(Hybrid *h, double t);
void hybrid_stage_end(Hybrid *h, double t, const double *y);

// assign.c: memories by their rules, what an `every` or `when` sets (conditions that read it look at it anew)
bool hybrid_set_memories(Hybrid *h, double t, const double *y); // true: one changed
void hybrid_set(Hybrid *h, uint32_t which, double t, double *y);

// parts of hybrid.c that stepwise.c, holding.c and chatter.c share
void hybrid_guards(Hybrid *h, double t, const double *y); // evaluates them
static inline double hybrid_guard(const Hybrid *h, uint32_t i) { return tape_result(h->guards, h->guards_w, i); }
static inline double hybrid_rule(const Hybrid *h, uint32_t i) { return tape_result(h->rules_tape, h->rules_w, i); }
OdeAction hybrid_fail(Hybrid *h, const char *message, Span place);
OdeAction hybrid_unsettled(Hybrid *h, double t, double *y);
bool hybrid_again(Hybrid *h, double t, double *y); // modes by their guards once more; true: one changed
void hybrid_note(Hybrid *h, EventKind kind, double t, const char *word, Span span, double value);
OdeAction hybrid_check(Hybrid *h, double t);
void hybrid_assign(Hybrid *h, uint32_t which, double *y);
bool hybrid_fire(Hybrid *h, double t, double *y, bool *stop);
void hybrid_book(Hybrid *h, double before, double t, double *y);
double hybrid_tick_time(const Hybrid *h, uint32_t i, uint64_t k);
OdeAction hybrid_happen_old(void *self, double t, double *y, const uint32_t *ended, uint32_t count);

// delays.c
History *history_new(Hybrid *h);
double history_value(Hybrid *h, uint32_t delay, double t);
bool history_record(void *self, double t0, double t1, OdeDense *dense, void *from);
void history_mark(Hybrid *h, double t, bool jump); // something may jump at t
// Ranges of a delayed signal, and of its rate times (t1 - t0), for the times t0 to t1 of the present step.
void history_range(Hybrid *h, uint32_t delay, double t0, double t1, double value[2], double rate[2]);
double history_next(const Hybrid *h, double t);

#endif

// The events of one run: branches of functions, memories of blocks, `when`, `every`, delays, friction.
//
// Inside a step nothing switches. Where both branches of a jump lead back to it, its mode takes the value between them
// that keeps the guard at zero (Filippov's sliding mode): sticking friction.
//
// What is known beforehand stands in the EventPlan, which many runs share. What changes is a part of the block of
// the run (block.h), without pointers; behind it come tails that grow: the log, the past of delays. A Hybrid is the
// view on all of it.
//
// parts: assign.c delay_record.c delays.c event_block.c given.c happen.c stepwise.c
#ifndef VIVA_HYBRID_HYBRID_H
#define VIVA_HYBRID_HYBRID_H

#include "hybrid/block.h"
#include "hybrid/event_plan.h"
#include "hybrid/instant.h"
#include "solve/ode.h"
#include "tape/forward.h"

// ---- state, in the block

typedef struct ModeState {
  bool holds;               // g is held at zero
  int8_t pinned;            // by others: its own value is at the upper (1) or lower (-1) limit
  bool acts;                // at this instant its value is decided by stick and slip
  bool released;            // it stuck until this instant, and is on the side whose bound its load has reached
  double drift;             // the largest |g| while it is held: errors of the method
  double scale, rate_scale; // the largest |g| and |dg/dt| so far
  double slack;             // its guard stays at zero: so much to the wrong side is rounding
} ModeState;

// Of a `when` or `every`.
typedef struct WhenState {
  bool was_true;              // its condition, of a run without events
  uint32_t fired;             // how often it did its work in this moment
  uint32_t faster;            // how many times in a row it came sooner than the time before
  double fired_at, fired_gap; // the last time, and how long it was since the one before
  double period, next_at;     // of `every`
  uint64_t ticks;
} WhenState;

typedef struct DelayState {
  double time;     // its dead time
  uint32_t cursor; // the segment of the record that was read last
  uint32_t next;   // the first mark that concerns it and whose image lies ahead
  int64_t from;    // the segment behind the last such mark whose image was passed; -1: none
} DelayState;

// What an event is of: an item of the plan.
typedef enum EventKind { event_of_none, event_of_mode, event_of_memory, event_of_when, event_of_delay } EventKind;
typedef struct EventItem {
  EventKind kind;
  uint32_t index;
} EventItem;

typedef struct EventRecord {
  double t, value; // the new one; of a `when` 1
  EventItem of;
} EventRecord;

typedef struct EventState {
  double t0, t1, now; // now: the instant
  uint64_t steps;     // of the method, until the last instant
  uint32_t held_count;
  uint32_t tie_count, tie_columns, tie_stride; // see Ties
  double lost;                                 // of the stored energy, by putting what rests to zero
  uint32_t group_count;                        // modes at zero that were solved together last
  EventRecord graze;                           // the first touch of a `when` within rounding
  uint32_t graze_count;
  EventRecord unsure; // the first time from which on a condition may have ended unseen
  uint32_t unsure_count;
  bool undefined; // because it has no value there
  bool log_full;
  // signs of piling up
  double last_t, last_gap, crowd_from;
  uint32_t shrinking, crowd;
  double when_t; // the last `when`
  uint32_t when_last;
  EventItem last;
  // delays
  bool remembers;   // the past is recorded
  uint64_t dropped; // segments that nobody needs any more
  double shortest, longest;
  // stepwise
  uint64_t evaluation;
  uint32_t stages;
  double step;
} EventState;

// Workspace, in the block as well: nothing is remembered there.
typedef struct EventRoom {
  double *c;         // conditions; guards
  double *g_before;  // guards before an assignment
  double *y, *slope; // a state, its rates
  double *other_slope;
  double *delayed;             // delayed signals before an event
  double *errors;              // the rounding of the guards' tape
  double *rule_errors;         // the errors of the rules' tape
  double *hold_rate_rounding;  // the rounding of rates by elements that may hold
  double *off_size;            // |y| at the last instant
  double *rate_off;            // how far rates may be off since then, where a guard stays at zero
  double *gains[2];            // ranges of the gains' tape
  double *loop_branch;         // branches and guards of the present solution of a loop
  double *loop_values;         // by solution of an algebraic loop: the unknowns that messages name
  bool *marked;                // marks on the guards' tape
  double *ranges[4];           // ranges of the guards' tape, and those of rates
  double *past_ranges[4];      // the same for the past of delays
  uint32_t *free_at, *columns; // indices of modes
  double *inputs, *input_y;    // inputs of delays at the points of a step; a state
} EventRoom;

// ---- tails

// What may have jumped, and when: its image comes out of a delay a dead time later.
typedef struct DelayMark {
  double t;
  uint64_t segment; // the first one behind it
  int generation;
  int source; // the delay that passed it on; -1: it concerns all
} DelayMark;

// The past of delayed signals, as delays.c keeps it.
typedef struct History {
  VEC(double) start, end; // of the segments
  VEC(double) c;          // coefficients: segment, input, power
  VEC(DelayMark) marks;
} History;

typedef VEC(EventRecord) EventLog;

// Two statements of one pass that set one name.
typedef struct Overwrite {
  double t;                               // the first time
  uint32_t earlier, later, target, count; // `when`s; a component of y
} Overwrite;

// Rates of components of y that follow from others while guards are held: y'[at[lead]] + sum of factor * y'[at] = 0.
// state->tie_count rows of state->tie_columns, tie_stride from row to row.
typedef struct Ties {
  uint32_t *at, *lead; // of columns: indices in y; of rows: their own column
  double *factor;
  size_t room;
} Ties;

// The work of others.
typedef struct EventHost {
  void *self;
  bool (*f)(void *self, double t, const double *y, double *dydt);
  // How far the rates may be off: their rounding, and errors of t and y.
  bool (*rate_errors)(void *self, double t, const double *y, const double *off, double *errors);
  void (*changed)(void *self);                             // z changed
  double (*stored)(void *self, double t, const double *y); // energy
  void (*watch)(void *self, double t, const double *y);    // before and after what happens
  // something was set (velocity: a velocity, too): quaternions get their length again, and constraints answer with an
  // impulse, which is booked. Returns what the stored energy changed by.
  double (*assigned)(void *self, double t, double *y, bool velocity);
  double (*impulse)(void *self, double t, double *y); // the answer of constraints alone
} EventHost;

// A follower of the run, such as its sensitivities: called before a `when` or `every` sets its values, while the rules
// are evaluated.
typedef struct EventFollower {
  void *self;
  void (*assigns)(void *self, uint32_t which, double t, const double *y);
} EventFollower;

typedef struct Hybrid {
  const EventPlan *plan;
  Arena *arena, *scratch; // of the tails; of one segment
  // the block
  EventState *state;
  double *w[event_tape_count]; // workspaces
  double *z;                   // memories, modes, delays
  ModeState *modes;
  WhenState *whens;
  DelayState *delays;
  uint32_t *held;  // modes
  uint32_t *group; // modes at zero that were solved together last
  bool *fresh;     // see OdeEvents
  double *noise, *rearm;
  EventRoom room;
  // tails
  EventLog log;
  VEC(Overwrite) overwrites;
  History history;
  VEC(double) queue; // stepwise: inputs of the delays, one set an evaluation
  Ties ties;
  Instant instant; // the event iteration: its arrays are in the block
  InstantHost instant_host;
  TapeAlong along; // of the rules; made when it is needed
  double *slopes, *rows;
  size_t rows_room;
  double *solve; // workspace for the values of elements that stick
  size_t solve_room;
  struct HoldWork *hold_work;
  const double *held_values; // of System.held
  OdeBreaks breaks;          // of signals of time
  OdeEvents events;
  EventHost host;
  const EventFollower *follower; // NULL: none
  const char *failure;           // why the run cannot go on; NULL
  Span failure_place;
} Hybrid;

// ---- making one

void hybrid_cut(Hybrid *h, Cutter *c); // its part of the block; h->plan is set
// A run begins with these parameters. The block is zero. False: out of memory, or h->failure: the dead time of a
// delay is none, or one without length got one (or lost it), which the plan was not made for.
bool hybrid_reset(Hybrid *h, const double *params);
bool hybrid_copy(Hybrid *copy, const Hybrid *h); // the tails; the block was copied. False: out of memory

// ---- as the run goes

void hybrid_put(const Hybrid *h, EventTape which, double time, const double *y); // the variables of a tape
void hybrid_eval(Hybrid *h, EventTape which, double time, const double *y);      // the same, and evaluates it
static inline double hybrid_result(const Hybrid *h, EventTape which, uint32_t i) {
  return tape_result(h->plan->tape[which], h->w[which], i);
}
static inline double hybrid_guard(const Hybrid *h, uint32_t i) { return hybrid_result(h, event_guards, i); }
static inline double hybrid_rule(const Hybrid *h, uint32_t i) { return hybrid_result(h, event_rules, i); }
static inline double *hybrid_mode(const Hybrid *h, uint32_t i) { return &h->z[h->plan->mode_at + i]; } // its value

// At the start: memories, modes, `every`. y has room for the quadratures.
OdeAction hybrid_start(Hybrid *h, double t, double *y);
// The same from a state that was read or reached before: z, memories of events and delays are as they were.
OdeAction hybrid_resume(Hybrid *h, double t, double *y, double step, uint32_t stages);
void hybrid_connect(Hybrid *h); // h->events by what is known of the run
// What varies inside a step: delayed signals, values that hold. Sets z.
void hybrid_given(Hybrid *h, double t, const double *y);
static inline bool hybrid_varies(const Hybrid *h) { return h->plan->delay_count || h->state->held_count; }
void hybrid_delayed(Hybrid *h, double t);                 // delayed signals alone
void hybrid_rest(const Hybrid *h, double *dydt);          // what is held does not move, not even by rounding
void hybrid_guards(Hybrid *h, double t, const double *y); // evaluates them, with what varies
OdeAction hybrid_fail(Hybrid *h, const char *message, Span place);
OdeAction hybrid_stop(Hybrid *h, double t, const char *why, Span place); // the same, with the time
void hybrid_note(Hybrid *h, double t, EventItem of, double value);
const char *hybrid_word(const EventPlan *p, EventItem of); // what people call it
Span hybrid_span(const EventPlan *p, EventItem of);
// The checks of the block of a memory; instant_no_memory: those of no memory; hybrid_all_checks: all.
enum { hybrid_all_checks = UINT32_MAX - 1 };
OdeAction hybrid_check(Hybrid *h, double t, uint32_t memory);
void hybrid_book(Hybrid *h, double before, double t, double *y);
double hybrid_tick_time(const Hybrid *h, uint32_t i, uint64_t k);
OdeAction hybrid_start_samples(Hybrid *h, double t);          // the rules are evaluated
bool hybrid_is_due(const Hybrid *h, uint32_t when, double t); // is it an `every` with a sample at this instant?

// stepwise.c. Without events: memories change and delays are kept at every evaluation, of which a step has `stages`.
OdeAction stepwise_start(Hybrid *h, double t, double *y, double step, uint32_t stages);
bool stepwise_begin(Hybrid *h, double t, const double *y); // false: h->failure says which loop has no one solution
void stepwise_end(Hybrid *h, double t, const double *y);
OdeEvents stepwise_events(Hybrid *h);

// assign.c: what an `every` or `when` sets
void assign_values(Hybrid *h, uint32_t which, double t, double *y);
bool assign_fire(Hybrid *h, double t, double *y, bool *stop); // the first `when` that became true; false: none

// delays.c
bool history_start(Hybrid *h); // false: out of memory
double history_value(Hybrid *h, uint32_t delay, double t);
// The rate of a delayed signal, how far rounding puts it off, and the signal itself.
typedef struct PastRate {
  double rate, rounding, error;
} PastRate;
PastRate history_rate(Hybrid *h, uint32_t delay, double t);
bool history_record(void *self, double t0, double t1, OdeDense *dense, void *from);
void history_mark(Hybrid *h, double t, bool jump); // something may jump at t
// Ranges of a delayed signal, and of its rate times (t1 - t0), for the times t0 to t1 of the present step.
void history_range(Hybrid *h, uint32_t delay, double t0, double t1, double value[2], double rate[2]);
double history_next(const Hybrid *h, double t);
void history_restore(Hybrid *h); // after a record was read: `from` follows from the marks

#endif

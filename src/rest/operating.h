// An operating point: a system with its inputs set free, at a point of its trajectory.
//
// in    a system; the values that the user gave for its coordinates, velocities, states and inputs
// out   y there, exactly and in numbers; rates, outputs and their Jacobian at any y
//
// y is the table of components of the system (system/layout.h), which has further states that stand still, so that they
// are columns of the Jacobian: the deviations w of the inputs (and of their rates) from what they are at the point, and
// the values z of memories, and of modes of what jumps (rest/events_at.h). What a component is for says its role;
// nobody computes an index into y. The values of z in y do not count: those of `events` do.
//
// Notation: `at` is the index of a component in y, i that of a state of the linear model, component[i] = at.
#ifndef VIVA_REST_OPERATING_H
#define VIVA_REST_OPERATING_H

#include "rest/events_at.h"
#include "rest/sampled.h"
#include "system/system.h"
#include "tape/jacobian.h"

// What a component of y is for.
typedef enum OperatingRole {
  role_empty,  // what would stand here is computed (a velocity without inertia)
  role_motion, // a position, a velocity or a state of the model
  role_input,  // the deviation of an input, or of its rate
  role_memory, // the rest are values of events
  role_mode
} OperatingRole;

// Who says where a component is at the point.
typedef enum PointSaid { said_by_nobody, said_by_model, said_by_caller } PointSaid;

// What does not follow its expression, but stands for itself, so that its deviation is a column of the Jacobian; what
// it would be is one more output. Its value at the point is the caller's to fill in: y at input_at.
typedef struct PointFreed {
  bool states;         // there may be none: gains alone
  const SymbolId *cut; // inputs that do not follow their expressions
  uint32_t cut_count;
  const ExprId *watch; // one more output each
  const char *const *names;
  uint32_t watch_count;
} PointFreed;

struct Operating {
  Arena *arena;
  System s;                    // the inputs' definitions hold + w; its states are x, w, z
  ExprPool pool;               // of s
  Sources sources;             // of s
  uint32_t n;                  // coordinates
  uint32_t model_states, free; // states of the model, free inputs with freed delays
  uint32_t sampled;            // states that `every` sets, where samples are set free: columns behind the free inputs
  uint32_t dim;                // of y
  uint32_t states;             // of the linear model: y without w, z, empty slots, and what changes at events only
  uint32_t *component;         // of y, for each state: positions, velocities, states, each in the order of the model
  uint32_t *input_at;          // in y, of each w, then of the sampled states
  uint32_t *branch_at;         // in y, of each z (events_places of them)
  OperatingRole *role;         // of y
  SymbolId *symbols;           // of y; 0: empty
  SymbolId *inputs;            // the inputs and rates behind w, delayed signals, sampled states
  uint32_t shown;              // outputs of the model; behind them what PointRequest.freed adds
  const char **names;          // of y
  // the point
  ExprId time;     // exact, of parameters
  ExprId *point;   // of y, exact, of parameters; the symbol itself: only the number is known
  double t, *y;    // in numbers
  double *first;   // y as it was opened: where a search began
  PointSaid *said; // of y
  double *params;
  bool numbers;        // every parameter has a value
  const char *missing; // the first one without
  // outputs
  ExprId *outputs;
  const char **output_names;
  uint32_t output_count;
  // made when they are needed
  double *held;           // where the solution of implicit equations starts (System.held)
  OperatingTape implicit; // their solution
  OperatingTape f;        // v, v', x', outputs
  OperatingTape kept;     // invariants (System.invariants)
  double *kept_from;      // its value where the point was opened; 0 for what constraints keep at zero
  // the Jacobian: entries that are not identically zero as a tape, or all rows as a tape that forward mode goes along
  const TapeJacobian *j;
  double *jw;
  OperatingTape rows;
  double *slopes, *slopes_at;     // of forward mode: the rows when it went last, and at which variables
  bool *moves_rates, *moves_rows; // of forward mode: which variables of the tape the rates, the rows are computed from
  double *full;                   // the last Jacobian: rates, outputs, then g and its rate for each element, invariants
  double *rounding;               // room
  EventsAt events;
  RestSampleList samples;
  bool rest, plain;                // of PointRequest
  const PointFreed *freed;         // of PointRequest; NULL: nothing is
  uint32_t most;                   // iterations of a search for a rest; 0: a usual number
  bool with_motion;                // where Newton's method finds none, go on by pseudo-transient continuation
  bool (*interrupted)(void *self); // asked between pieces of work; may be NULL
  void *self;
};

// A value that the user gave, already read, for a coordinate, velocity, state, input, rate of an input, or the time.
typedef struct PointValue {
  SymbolId symbol;
  ExprId value; // of numbers and parameters
  Span span;
} PointValue;

// What is not among the values has its start, velocities 0 (with `moving`: their start, too).
typedef struct PointRequest {
  const PointValue *values;
  uint32_t count;
  bool moving;
  bool rest;  // for a rest: delayed signals are what they delay, samples what is sampled
  bool plain; // for numbers at the point: what is sampled stays as it is, and delays are where nobody asks for them
  // delays and samples are free (at rest: nothing is). Outputs behind those of the model: what each delay delays, what
  // each rule of a sample sets, the expression of each cut input, what is watched
  const PointFreed *freed;
} PointRequest;

// s: over a copy of the model that may grow. What is wrong goes to diags. False: out of memory.
bool operating_open(Operating *o, const System *s, const PointRequest *request, Diags *diags);
// Fills t, y and params from the exact point.
bool operating_numbers(Operating *o);

// A tape of some expressions. origins: of their spans. False: out of memory.
bool operating_tape(Operating *o, const ExprId *results, uint32_t count, bool origins, OperatingTape *out);
void operating_eval(Operating *o, const OperatingTape *t, const double *y);
// Rates of y (empty slots, w and z: 0), and outputs, at some y, the same elements sticking. False: out of memory;
// numbers may be not finite.
bool operating_rates(Operating *o, const double *y, double *rates, double *outputs);
// d(rates, outputs)/dy row by row: (dim + output_count) rows of dim numbers. False: out of memory.
bool operating_jacobian(Operating *o, const double *y, double *jacobian);
// The same without what is held taken out, with further rows behind the outputs, two for each element, one for each
// invariant, into o->full. False: out of memory.
bool operating_raw_jacobian(Operating *o, const double *y);
// The same for large systems, column by column: entries of o->j with their values at y, and nothing of size dim * dim.
// Only where nothing is held and no constraint binds. False: out of memory.
bool operating_columns(Operating *o, const double *y);
double operating_entry(const Operating *o, uint32_t k);               // entry k of o->j
uint32_t operating_rows(const Operating *o);                          // of full
uint32_t operating_element_row(const Operating *o, uint32_t element); // of its guard; its rate is behind it
uint32_t operating_invariant_row(const Operating *o, uint32_t invariant);
// Rates at t and y with z as they are, and how far they may be off where y is off by `off` (off[0]: t; NULL: by
// nothing). rates may be NULL. False: not finite, or out of memory.
bool operating_flow(Operating *o, double t, const double *y, double *rates);
bool operating_flow_errors(Operating *o, double t, const double *y, const double *off, double *errors);
// Why the rates at y are not finite, in words, with the span of it; NULL: they are.
const char *operating_fault(Operating *o, const double *y, Span *place);
// A state without an equation that `when` sets: it changes at events only. (At rest: but for samples.h.)
bool operating_kept(const Operating *o, uint32_t at);
// Does nothing depend on a position? That is: is it cyclic? (No entry in its column; no_place: false.)
bool operating_cyclic(const Operating *o, uint32_t at);
// Has its column an entry, also in rows behind the rates? (False before there is a Jacobian.)
bool operating_counts(const Operating *o, uint32_t at);
// The component itself.
const Component *operating_component(const Operating *o, uint32_t at);
bool operating_is_position(const Operating *o, uint32_t at);
bool operating_is_velocity(const Operating *o, uint32_t at); // or a combination of velocities
// The position whose rate is this velocity (or whose coordinate this combination stands for); no_place: none, as where
// rates of positions are more than a velocity.
uint32_t operating_position(const Operating *o, uint32_t velocity);

#endif

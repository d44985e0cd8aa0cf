// Linearization of a system about an operating point, as a state-space model:
//
//   d(dx)/dt = k + A dx + B du,   dy = C dx + D du      dx, du, dy: deviations from the point
//
// States: positions, velocities (of coordinates with inertia), states. k is 0 at an equilibrium.
#ifndef VIVA_LINEAR_LINEARIZE_H
#define VIVA_LINEAR_LINEARIZE_H

#include "linear/eigenmodes.h"
#include "linear/kinks.h"
#include "rest/equilibrium.h"

typedef enum PointKind {
  point_given, // the caller's, or the start
  point_found, // a rest found by Newton's method
  point_steady // a steady motion found: cyclic coordinates move on
} PointKind;

// A matrix, row by row.
typedef struct LinearMatrix {
  uint32_t rows, cols;
  ExprId *exact;   // of parameters; NULL: not known
  double *numbers; // NULL: a parameter has no value
} LinearMatrix;

// A component of the state that constraints leave no freedom.
typedef struct DependentState {
  const char *name, *by; // "y", "lambda.rod"
  double value;          // NAN: not known
  ExprId exact;          // 0: only the number is known
} DependentState;

// Poles that do not follow from the matrices alone: of a model with delays or samples. Filled by the module analyze/,
// which depends on this one.
typedef struct LinearPoles {
  uint32_t count;
  const double *re, *im;
  Stability stability;
  double period;    // of samples: the poles are those of z; 0: of s
  const char *note; // on which of infinitely many these are; NULL: all
} LinearPoles;

typedef struct Linearization {
  Operating *o;
  uint32_t n, m, p; // states, inputs, outputs
  const char **states, **inputs, **outputs;
  const char **state_units; // SI; "": a plain number, NULL: not known
  const uint32_t *column;   // of each input: its index in o->inputs (inputs, rates, delayed signals, sampled states)
  // the point: state and input values
  PointKind kind;
  uint32_t iterations; // of Newton's method
  double t;
  double *x, *u, *y;                   // numbers (NAN: not known)
  ExprId *x_exact, *u_exact, *y_exact; // 0: only the number is known
  bool *cyclic;                        // by state: cyclic, nothing depends on it
  bool *held;                          // by state: a position whose velocity a held jump binds
  bool equilibrium;                    // k is 0, but for cyclic coordinates that move steadily
  bool moves;                          // such a one does
  bool proved;                         // and exactly so, for all values of the parameters
  bool exact;                          // or exactly so with their values
  LinearMatrix k, A, B, C, D;
  const char *hint;         // of a failure: what to do; NULL
  const char *exact_note;   // why the exact form is missing; NULL
  const char *numbers_note; // why the numbers are missing; NULL
  bool at_symbols;          // the exact form holds values of the point as symbols
  VEC(DependentState) dependent;
  VEC(const char *) notes;
  KinkList kinks;           // terms without a derivative there
  Modes modes;              // of the numbers
  const LinearPoles *poles; // instead of modes; NULL: modes count
  const Rat *rational[4];   // A, B, C, D exactly, with the values of the parameters; NULL: not rational
} Linearization;

// at_found: o->y and o->point hold a rest that was found before; LinearizeSettings.found says what is known of it.
typedef enum LinearizeAt { at_point, at_equilibrium, at_start, at_found } LinearizeAt;

typedef struct LinearizeSettings {
  LinearizeAt at;
  bool exact;                      // the symbolic form is wanted
  bool numbers;                    // the numbers, with modes
  const Equilibrium *found;        // of at_found, by component of o->y
  bool (*interrupted)(void *self); // asked between pieces of work; may be NULL
  void *self;
} LinearizeSettings;

typedef enum LinearizeStatus {
  linearize_done,
  linearize_failed,
  linearize_refused, // the model has no linear model at this point: an event happens there
  linearize_interrupted,
  linearize_no_memory
} LinearizeStatus;

// o was opened at the point. Not done: *message and *place (a span) say why.
LinearizeStatus linearize(Operating *o, const LinearizeSettings *settings, Linearization *out, const char **message,
                          Span *place);

// The point alone: where it is, memories and held jumps as they are there. *found: what a search found.
LinearizeStatus linearize_point(Operating *o, const LinearizeSettings *settings, Linearization *out, Equilibrium *found,
                                const char **message, Span *place);

// Expressions of the model at the point moved along a mode: x + part * shape (its real part, turned by `angle`).
// False: out of memory, or there are no numbers.
bool linear_pose(const Linearization *l, const OperatingTape *t, const EigenMode *m, double part, double angle,
                 double *out);

#endif

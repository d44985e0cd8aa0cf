// The derivation of Lagrange's equations line by line, each line proved.
#ifndef VIVA_ALGEBRA_STEPS_H
#define VIVA_ALGEBRA_STEPS_H

#include "algebra/derivation.h"
#include "expr/decide.h"

typedef enum StepKind {
  line_given_kinetic,   // T as the model writes it
  line_kinetic,         // T
  line_given_potential, // V as the model writes it
  line_potential,       // V
  line_extra,           // terms of `lagrangian`
  line_lagrangian,      // L = T - V + ...
  line_dissipation,     // D
  line_momentum,        // dL/dq'
  line_momentum_rate,   // d/dt dL/dq'
  line_gradient,        // dL/dq
  line_damping,         // dD/dq'
  line_force,           // Q
  line_reaction,        // the force of the constraints
  line_equation,        // left = value
  line_given,           // an equation of the model: x'' = ..., x' = ...
  line_implicit,        // an implicit equation of the model; coord: which, behind coordinates and states
  line_level_rate,      // one that had to be differentiated: its derivative; coord: which, by: how often
  line_level_known,     // the same with what is known put in
  line_constraint,      // g = 0; coord: which constraint, as in the next ones
  line_constraint_rate, // g' = 0
  line_constraint_bend, // g'' = 0
  line_dependent,       // left, a velocity, = value by the constraint
  line_dependent_rate,  // left, its acceleration, = value
  line_reduced,         // left = value without multipliers; coord: of an independent velocity
  line_kinds
} StepKind;

typedef struct StepLine {
  StepKind kind;
  uint32_t coord; // of the lines of a coordinate
  uint32_t by;    // of a dependent velocity: the constraint that gives it; of a derivative: how often
  ExprId left;    // of an equation
  ExprId value;
  ShownTerms folded;  // of an energy: the value as a sum whose terms repeat; none: they do not
  Verdict verdict;    // equal: proved
  const char *reason; // why it is not
} StepLine;

typedef struct Steps {
  ExprPool *pool;
  VEC(StepLine) lines;
  uint32_t unproved;
  bool decimals;        // the values of the parameters were put in, and numbers rounded, when all was proved
  const char *left_out; // a sentence: what is not written, and why; NULL: nothing
} Steps;

// Writes the lines; the system must have a pool of its own. False: out of memory, or expressions grow too large.
bool steps_write(System *s, Steps *out);
// Proves every line: against the lines it follows from, and against the equations that the rest of the program uses.
bool steps_prove(System *s, Steps *steps);

#endif

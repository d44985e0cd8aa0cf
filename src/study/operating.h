// A system with its inputs set free, at a point of its motion.
#ifndef VIVA_STUDY_OPERATING_H
#define VIVA_STUDY_OPERATING_H

#include "lang/scope.h"
#include "system/system.h"
#include "tape/jacobian.h"

// A tape over t and y, with its workspace.
typedef struct OperatingTape {
  const Tape *tape;
  double *w;
} OperatingTape;

// y = (q, v, x, w), where v are the speeds that are integrated (System.speeds). The w are deviations of the inputs, and of their rates, from what they are at the point: states that
// stand still, so that they are columns of the Jacobian. What is computed (a velocity without inertia) leaves its
// place in y empty.
typedef struct Operating {
  Arena *arena;
  System s;    // the inputs' definitions hold + w; its states are x, then w
  Model model; // the same
  uint32_t n, own, free; // coordinates, states of the model, free inputs
  uint32_t dim;          // of y: 2n + own + free
  uint32_t states;       // of the linear model: y without w and without empty places
  uint32_t *place;       // of each state in y
  SymbolId *symbols;     // of y; 0: empty
  SymbolId *inputs;      // the inputs and rates behind w
  const char **names;    // of y
  // the point
  ExprId time;           // exact, of parameters
  ExprId *point;         // of y, exact, of parameters; the symbol itself: only the number is known
  double t, *y;          // in numbers
  double *params;
  bool numbers;          // every parameter has a value
  const char *missing;   // the first one without
  // outputs
  ExprId *outputs;
  const char **output_names;
  uint32_t output_count;
  // made when they are needed
  double *held;          // where the solution of implicit equations starts (System.held)
  OperatingTape ahead;   // their solution
  OperatingTape f;       // v, v', x', outputs
  const TapeJacobian *j;
  double *jw;
} Operating;

// values: of the point; what is not among them has its start, velocities 0 (with `moving`: their start, too).
// What is wrong goes to the model's diagnostics. False: memory is out.
bool operating_open(Operating *o, const System *s, TextScope *scope, bool moving);
// Fills t, y and params from the exact point.
bool operating_numbers(Operating *o);

// A tape of some expressions. origins: of their places. False: memory is out.
bool operating_tape(Operating *o, const ExprId *results, uint32_t count, bool origins, OperatingTape *out);
void operating_eval(Operating *o, const OperatingTape *t, const double *y);
// Rates of y (empty places and w: 0), and outputs, at some y. False: memory is out; numbers may be not finite.
bool operating_rates(Operating *o, const double *y, double *rates, double *outputs);
// d(rates, outputs)/dy row by row: (dim + output_count) rows of dim numbers. False: memory is out.
bool operating_jacobian(Operating *o, const double *y, double *jacobian);
// Why the rates at y are not finite, in words, with the place of it; NULL: they are.
const char *operating_fault(Operating *o, const double *y, Span *place);
// Does the motion not depend on where coordinate i is? (No entry in its column.)
bool operating_cyclic(const Operating *o, uint32_t i);

#endif

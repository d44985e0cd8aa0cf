// Constrained minimization of the potential energy from a start: a static equilibrium that is a minimum.
#ifndef VIVA_REST_DESCENT_H
#define VIVA_REST_DESCENT_H

#include "rest/saddle.h"

typedef enum DescentStatus {
  descent_found,
  descent_unbounded,  // the potential falls on and on along `direction`
  descent_circles,    // it falls each time round: `direction` is how far each coordinate goes
  descent_pole,       // it falls without end where it has come to, a pole: `worst` is whose force grows
  descent_infeasible, // no configuration obeys the constraints: `worst` is the one that is off most
  descent_stuck,      // no convergence: `worst` is the equation that is off most
  descent_fault,      // a value is not finite at the start
  descent_interrupted,
  descent_no_module,
  descent_no_memory
} DescentStatus;

// One iteration, for who follows it. Borrowed during the call.
typedef struct DescentStep {
  uint32_t iteration;
  const double *u;
  double potential; // NAN: there is no formula
  double residue;   // of the forces, in parts of their terms
} DescentStep;

typedef struct Downhill {
  StaticForm *form;
  double *u, *lambda;                                // where it stands
  double *first;                                     // where it began
  uint32_t most;                                     // iterations; 0: a usual number
  void (*step)(void *self, const DescentStep *step); // NULL: nobody asks
  void *self;
  // what came out
  DescentStatus status;
  uint32_t iterations, evaluations, factorizations;
  double potential;   // NAN: there is no formula
  double residue;     // largest force that is left, and
  double gap;         // largest violation of a constraint
  uint32_t worst;     // whose it is
  double *direction;  // of descent_unbounded, and of descent_circles; NULL else
  double slope;       // of the potential along it, on the whole way
  bool fades;         // where it has come to, the slope is next to nothing: the potential may well have a bound
  bool escaped;       // it left an equilibrium that was no minimum
  double fell;        // the potential, on the way
  double first_slope; // the largest entry of K at the start, or force against a size
  // a configuration that was passed, what had been lost there, and how far the way went since
  double *passed, *low, *high, passed_fell;
  // in work
  Saddle saddle;
  OperatingTape all, cheap;
  double *balance, *value, *K, *G;
  double *range[2]; // of the slots of `cheap`; the first one has room for rounding, too
  double *trial, *trial_lambda, *rhs, *best, *move, *aside, *faced;
} Downhill;

// False: out of memory. descent_close gives back what is not in the arena.
bool descent_open(Downhill *d, StaticForm *form);
void descent_close(Downhill *d);
// From d->u; every number of the point is known.
void descent_run(Downhill *d);
// Brings u onto the constraints, and lambda to those of least squares. False: that is not possible from here.
bool descent_assemble(Downhill *d, double *u);
bool descent_multipliers(Downhill *d, const double *u, double *lambda);
// Evaluates everything at u, lambda into balance, value, K, G. False: a number is not finite.
bool descent_look(Downhill *d, const double *u, const double *lambda);
// The largest force that is left, in parts of its terms, after descent_look.
double descent_residue(Downhill *d, const double *u, const double *lambda);
// The direction of the least curvature into d->best, its largest entry 1, by the last factors; the curvature in parts
// of D.
double descent_softest(Downhill *d);

#endif

// Energy balance to round-off, for the method `conserve`: stored energy, with what left and entered.
// parts: balance_plan.c motion_balance.c gradient_plan.c motion_gradient.c
//
// in    a Program's system; before it was rewritten for events (balance_define) and after (balance_plan)
// out   forces that dissipate and supply, whose work a line integral takes along the polynomial of its step (OdePorts);
//       the energy itself, where the method alone does not preserve it (OdeBalance): with constraints, while dry
//       friction sticks at a coordinate with a momentum, and where forces act on a coordinate that y has no position
//       of; the structure of energies of states, x' = F dH + E u, which a line integral with dH in the mean keeps for
//       any F (OdeGradient)
#ifndef VIVA_SIM_BALANCE_H
#define VIVA_SIM_BALANCE_H

#include "hybrid/block.h"
#include "solve/ode.h"
#include "system/system.h"
#include "tape/tape.h"

struct SimProgram;
struct Run;

typedef struct BalancePlan {
  ExprId *forces; // dissipating ones of all coordinates and states, then supplying ones; symbols that events know
  OdePorts ports; // count 0: none
  const Tape *of_y, *of_z; // the forces, by velocities and by momenta; NULL: none
  const Tape *energy;      // of t and y: stored, kinetic; NULL: steps keep it
  OdePair *pairs;
  uint32_t pair_count;
  bool always; // no step keeps it
  bool mixed;  // coordinates beside energies of states that are no positions and momenta
} BalancePlan;

// Of a run: workspaces (block.h).
typedef struct BalanceRun {
  double *of_y, *of_z, *energy;
  OdeBalance balance;
} BalanceRun;

// Of energies of states: the entries of F, E, W, R, P, S that are not zero, one behind the other, then the inputs.
typedef enum GradientMatrix { gradient_F, gradient_E, gradient_W, gradient_R, gradient_P, gradient_S } GradientMatrix;
typedef struct GradientEntry {
  GradientMatrix of;
  uint32_t row, col;
} GradientEntry;
typedef struct GradientPlan {
  uint32_t rows, ports;
  const SymbolId *x;
  uint32_t *place; // in y, of each row
  VEC(GradientEntry) entries;
  VEC(ExprId) structure; // results of its tape
  VEC(ExprId) gradient;  // dH, then the power that the time brings
  const Tape *of_H, *of_structure;
} GradientPlan;

typedef struct GradientRun {
  double *of_H, *of_structure; // workspaces
  double *y;                   // outputs of the ports
  OdeGradient gradient;
} GradientRun;

bool gradient_define(struct SimProgram *p);               // false: out of memory
bool gradient_plan(struct SimProgram *p, System *turned); // turned: as below
void gradient_cut(GradientRun *g, const struct SimProgram *p, Cutter *cutter);
void gradient_prepare(struct Run *r);
const OdeGradient *gradient_of(struct Run *r); // NULL: none

// False: out of memory. They do nothing where the method is another one, or no energies are kept.
bool balance_define(struct SimProgram *p);
bool balance_plan(struct SimProgram *p, System *turned); // turned: the system in momenta; NULL: none

void balance_cut(BalanceRun *b, const struct SimProgram *p, Cutter *cutter);
void balance_prepare(struct Run *r); // parameters and held variables into the workspaces
const OdePorts *balance_ports(const struct Run *r);
bool balance_forces(void *self, double t, const double *z, double *forces); // at the ports
const OdeBalance *balance_of(struct Run *r);                                // NULL: none

#endif

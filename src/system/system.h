// The System, the interface between formulations and solvers: a DAE in mass matrix form, as expressions.
// parts: divisions.c finish.c order.c shown.c structure.c
//
//   M(t, q, v, x, u) a + h(t, q, v, x, u) = 0     accelerations of the coordinates
//   x' = f(t, q, v, x, u, a)                      states
//   u, u', ... = given expressions                inputs and their rates
//
// Notation: q positions, v = q' velocities, a = v' accelerations, x states, u inputs.
#ifndef VIVA_SYSTEM_SYSTEM_H
#define VIVA_SYSTEM_SYSTEM_H

#include "system/block.h"
#include "system/described.h"
#include "system/layout.h"
#include "system/mass.h"

// Where an equation or a part of one came from.
typedef struct Origin {
  Span span;
  const char *label; // "kinetic", "the equation of th1"
  ExprId root;       // what stands there
} Origin;

// A symbol that is computed from others.
typedef struct Definition {
  SymbolId symbol;
  ExprId value;
  uint32_t origin; // index plus one
} Definition;
typedef VEC(Definition) DefinitionList;

// A variable of tapes that is no part of the state:
// it keeps its value within a step and is set to that of `of` after it.
typedef struct Held {
  SymbolId symbol, of;
  ExprId start; // of parameters
} Held;

// Symbols that a kernel computes from arguments, without expressions: results = kernel(args). A formulation adds these
// where an expression for each would be too many. Kernel and data are tape/kernel.h's and live as long as the system;
// the kernel has a tangent_by_slopes.
typedef struct SystemCall {
  const struct TapeKernel *kernel;
  const void *data;
  uint32_t arg_count, result_count;
  const ExprId *args;
  const SymbolId *results;
  uint32_t origin; // index plus one
} SystemCall;

// How many there were before the order of computation put those of cycles behind them.
typedef struct Unordered {
  uint32_t blocks, held, origins, notes;
} Unordered;

// What has to be computed, in this order.
typedef enum SystemStepKind { step_define, step_solve, step_call } SystemStepKind;
typedef struct SystemStep {
  SystemStepKind kind;
  uint32_t index; // into definitions, blocks or calls
} SystemStep;
typedef VEC(SystemStep) SystemStepList;

// Where the equation of a coordinate comes from.
typedef enum CoordSource {
  source_energies,
  source_equation, // x'' = ...
  source_implicit  // its acceleration stands in implicit equations alone
} CoordSource;

// What of a coordinate is integrated. From coord_first_order on it has no inertia.
typedef enum CoordRole {
  coord_inertia,     // position and velocity
  coord_combined,    // position, and a combination of velocities (Speed): its own velocity follows
  coord_first_order, // its position; its velocity is computed
  coord_algebraic    // nothing: it has no damping either, and its position is computed, too
} CoordRole;

// What is integrated instead of a coordinate's velocity. Usually the velocity itself, with the acceleration as its
// rate. A coordinate whose velocity is computed has none (symbol 0). Where the mass matrix is singular it is a
// combination of velocities, `meaning`, and the velocity follows by a definition.
typedef struct Speed {
  SymbolId symbol, rate;
  ExprId meaning; // in velocities
  ExprId start;   // of parameters
} Speed;

// The energy balance: stored + what left - what entered is constant.
// Each flow is integrated beside the equations of motion.
typedef struct EnergyFlow {
  const char *name; // "dissipated"
  ExprId power;
  int sign; // +1: it leaves, -1: it enters
} EnergyFlow;
enum { flow_dissipated, flow_supplied, flow_first_own }; // the two that every account has; a formulation may add others

typedef struct SystemEnergy {
  bool kept;                         // the model has energies
  ExprId kinetic, potential, stored; // stored = kinetic + potential
  VEC(EnergyFlow) flows;
} SystemEnergy;

// What every trajectory conserves, because the equations are made so: |q|^2 of a unit quaternion. Of the components
// that it binds one follows from the others, and a linear model leaves it out. What constraints bind is zero.
typedef enum InvariantKind {
  invariant_constant,
  invariant_place,
  invariant_rate,
  invariant_level // an equation that was differentiated, or a derivative of it: it binds components of any kind
} InvariantKind;
typedef struct Invariant {
  const char *name;
  ExprId value; // of positions, velocities, states, parameters
  Span span;
  InvariantKind kind;
} Invariant;

// What the formulation by energies keeps for showing: everything an entry a coordinate.
typedef struct SystemLagrange {
  bool used;
  ExprId L, D;
  ExprId written, inertial, P; // L without bodies, T and terms of `lagrangian` of it, powers; 0: none
  ExprId *p;                   // dL/dv
  ExprId *dLdq;
  ExprId *dDdv;
  ExprId *Q;     // generalized forces
  ExprId *dpdt0; // d(p)/dt without its accelerations
} SystemLagrange;

// Bodies, freedom by freedom: H a + h = tau. A freedom is a coordinate, or a component of the angular velocity of a
// spherical joint, which is a state.
typedef struct SystemFreedoms {
  uint32_t count;
  const uint32_t *coord, *state; // UINT32_MAX: none
  const SymbolId *rate;          // its acceleration
  const ExprId *H, *h;           // H row by row
  const ExprId *tau;             // what is written beside the bodies; NULL: M a + h = 0 is solved instead
} SystemFreedoms;

// A component of the angular velocity of a spherical joint (ball) as a row of M a + h = 0, where a formulation solves
// for its derivative together with the accelerations of coordinates.
// Freedoms are numbered so: coordinates, then these components.
typedef struct RotationalDof {
  uint32_t state;       // its velocity, r.wx
  uint32_t first, part; // r.w, the first state of its ball; which of the three axes
  MassRow row;          // its row of M, columns by freedoms
  MassRow column;       // the entries of coordinates in its column
  ExprId h;
  uint32_t origin; // index plus one
} RotationalDof;

typedef struct System {
  Arena *arena;
  ExprPool *pool;
  const Sources *sources; // the texts that spans point into
  Diags *diags;           // problems go here
  // ---- what was described
  union {
    SystemDescribed described;
    struct {
#include "system/described.def"
    };
  };
  SystemNameList names;
  // ---- the equations
  uint32_t coord_count, state_count;
  MassRow *M; // one a coordinate (mass.h)
  ExprId *h;
  VEC(RotationalDof) turns; // further rows
  CoordSource *source;      // one a coordinate
  CoordRole *role;          // one a coordinate
  Speed *speeds;            // one a coordinate
  // of a coordinate without inertia of its own: the equation of first order, = 0, that a vector of M's null space makes
  // of the rows; 0: h of its own row
  ExprId *null_row;
  // one a coordinate: its acceleration is computed by definitions or calls of the formulation, though M and h are
  // there; NULL: none
  bool *solved;
  uint32_t *coord_origin;       // of the equation of each coordinate, index plus one
  ExprId *f;                    // of the states
  ComponentList y;              // the order of integration (layout.h)
  uint32_t *place, place_count; // by symbol: its index in y, plus one
  DefinitionList definitions;
  VEC(Block) blocks;
  // constraints are known to depend on each other where they hold, though not beside it: multipliers are those of least
  // norm at all points
  bool dependent;
  VEC(SystemCall) calls;
  VEC(Held) held;
  VEC(Invariant) invariants;
  Unordered unordered;
  SystemStepList steps;
  VEC(Origin) origins;
  VEC(const char *) notes; // what was found about the structure, for people
  SystemEnergy energy;
  SystemLagrange lagrange;
  SystemFreedoms bodies;
  // a run with events: further variables of every tape, behind those that were requested;
  // further expressions that may jump
  const SymbolId *extras;
  uint32_t extra_count;
  const ExprId *watched;
  uint32_t watched_count;
} System;

// Allocates the equations of the coordinates and states that s has; arena, pool and lists are set.
// False: out of memory.
bool system_init(System *s);
// The symbol that is the time derivative of a coordinate, velocity, state, input or rate of an input; 0: there is none.
// Rates of inputs are made where they are asked for.
SymbolId system_rate(System *s, SymbolId symbol);
// Coordinates and angular velocities of spherical joints that are solved for together, and what each of them is.
static inline uint32_t system_freedoms(const System *s) { return s->coord_count + s->turns.count; }
SymbolId system_freedom_velocity(const System *s, uint32_t i);
SymbolId system_freedom_rate(const System *s, uint32_t i); // its acceleration
const char *system_freedom_name(const System *s, uint32_t i);
Span system_freedom_span(const System *s, uint32_t i);
uint32_t system_origin(System *s, Span span, const char *label, ExprId root); // index plus one
// Definitions of inputs, their rates and states; then the structure. Problems go to s->diags.
bool system_finish(System *s);
// Blocks, coordinates without inertia (structure.c): what is solved for what, not yet when.
bool system_structure(System *s);
// The blocks of coordinates whose accelerations are computed in another way (`solved`), behind the others and in a list
// of its own: for whoever shows them.
bool system_matrix_blocks(System *s);
// Nodes and bars without any mass or damping have no equation of motion:
// true, and reported unless diags is NULL (bars.c).
bool system_is_static(const System *s, Diags *diags);
// Nothing moves, remembers or is solved for: outputs are functions of time alone.
bool system_is_curve(const System *s);
// Reports divisions by what is identically zero (divisions.c). False: out of memory.
bool system_divisions(System *s);
// The rules of memories, items of the order as well: in a rule its own symbol is the value before.
typedef struct OrderRules {
  const Definition *items;
  uint32_t count;
  System *with; // becomes the system with the rules among its definitions and steps, behind the others
  bool ordered; // false: rules stand in a cycle, and `with` has none of them
} OrderRules;
// The order of computation (order.c), once for each System: steps; cycles become implicit blocks. rules: NULL where
// memories are given. Problems go to s->diags. False: out of memory.
bool system_order(System *s, OrderRules *rules);
// As it was before its order, in lists of its own. False: out of memory.
bool system_unorder(System *s);
// What is computed of: the values of definitions, the entries and right sides of blocks, the operands of kernels.
void system_roots(const System *s, Arena *arena, ExprList *roots);
// The order of an unordered system with more definitions. What is solved by iteration, `held` variables, stays so, and
// nothing else becomes it. False: out of memory, or there is a new cycle.
bool system_order_with(System *s, const Definition *more, uint32_t count, uint32_t held);
// A copy with an expression pool of its own, for work that adds expressions. The rest is shared and read only.
bool system_clone(System *copy, const System *s, ExprPool *pool, Arena *arena);
// Total time derivative with accelerations left out: q -> v, u -> u', x -> x', t -> 1. 0: out of memory.
bool system_time_derivative(System *s, const ExprId *roots, uint32_t count, bool accelerations, ExprId *out);

// Calls for every expression that a table or picture shows. The call returns true when it has reported the span: what
// else stands at the same span is left out then.
typedef bool ShownVisit(void *self, ExprId value, Span span);
void system_each_shown(const System *s, ShownVisit *visit, void *self);
// Substitutes expressions for symbols in all of these. False: out of memory.
bool system_replace_shown(System *s, const SymbolMap *map);

#endif

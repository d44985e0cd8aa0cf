// The waist: what every formulation fills and every solver reads.
//
//   M(t, q, v, x, u) a + h(t, q, v, x, u) = 0     accelerations of the coordinates
//   x' = f(t, q, v, x, u, a)                      states
//   u, u', ... = given expressions                inputs and their rates
//
// Notation: q positions, v = q' velocities, a = v' accelerations, x states, u inputs.
#ifndef VIVA_SYSTEM_SYSTEM_H
#define VIVA_SYSTEM_SYSTEM_H

#include "lang/model.h"

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

// Unknowns that are solved for together: matrix * unknowns + rhs = 0. Accelerations, or velocities of coordinates
// without inertia.
typedef struct Block {
  uint32_t count;
  uint32_t *coords; // whose unknowns these are
  SymbolId *unknowns;
  ExprId *matrix; // row by row
  ExprId *rhs;
  bool symmetric;
  bool velocities;
} Block;

// What has to be computed, in this order: a definition, or a block.
typedef struct Step {
  bool solve;
  uint32_t index; // into definitions or blocks
} Step;

typedef struct SystemEnergy {
  bool kept;                          // the model has energies
  ExprId kinetic, potential, stored;  // stored = q'.dL/dq' - L = kinetic + potential
  ExprId dissipated, supplied;        // powers
} SystemEnergy;

// What the formulation by energies keeps for showing: everything an entry a coordinate.
typedef struct SystemLagrange {
  bool used;
  ExprId L, D;
  ExprId *p;     // dL/dv
  ExprId *dLdq;
  ExprId *dDdv;
  ExprId *Q;     // generalized forces
  ExprId *dpdt0; // d(p)/dt without its accelerations
} SystemLagrange;

typedef struct System {
  Arena *arena;
  Model *model;
  ExprPool *pool;
  uint32_t coord_count, state_count;
  ExprId *M; // row by row
  ExprId *h;
  bool *by_equation; // the coordinate has x'' = ...
  bool *first_order; // the coordinate has no inertia: its velocity is computed, not integrated
  uint32_t *coord_origin; // of the equation of each coordinate, index plus one
  ExprId *f;         // of the states
  VEC(Definition) definitions;
  VEC(Block) blocks;
  VEC(Step) steps;
  VEC(Origin) origins;
  VEC(const char *) notes; // what was found about the structure, for people
  SystemEnergy energy;
  SystemLagrange lagrange;
  // a run with events: further variables of every tape, behind those that were wished for; further expressions that may jump
  const SymbolId *extras;
  uint32_t extra_count;
  const ExprId *watched;
  uint32_t watched_count;
} System;

bool system_init(System *s, Model *model);
uint32_t system_origin(System *s, Span span, const char *label, ExprId root); // index plus one
// Definitions of inputs, their rates and states; then the structure. Problems go to the model's diagnostics.
bool system_finish(System *s);
// Blocks, coordinates without inertia, order of computation (structure.c).
bool system_structure(System *s);
bool system_order(System *s); // only the order of computation; false: a circle, reported nowhere
// A copy with an expression pool of its own, for work that adds expressions. The rest is shared and read only.
bool system_clone(System *copy, const System *s, ExprPool *pool, Arena *arena);
// Total time derivative with accelerations left out: q -> v, u -> u', x -> x', t -> 1. 0: memory is out.
bool system_time_derivative(System *s, const ExprId *roots, uint32_t count, bool accelerations, ExprId *out);

#endif

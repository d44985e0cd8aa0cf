// The formulations: each fills its part of a System from what was described.
// parts: lagrange.c constraints.c hamilton.c equations.c linkage.c tree.c links_rank.c
//
// A formulation is one file that fills a Formulation, and a line in formulations.def.
#ifndef VIVA_FORM_FORM_H
#define VIVA_FORM_FORM_H

#include "system/system.h"

typedef struct Formulation {
  // Coordinates and states of its own, before the equations are allocated; NULL: it has none.
  bool (*add)(System *s);
  // Reads the lists of the System and adds to M, h, f, definitions, blocks, calls, invariants, the account.
  bool (*fill)(System *s);
} Formulation; // false: out of memory

// All of them over a System whose lists are filled, then structure and order.
// Problems go to s->diags; false: out of memory.
bool form_build(System *s);

// The power into a storage by the time, and by inputs and other states in its H. 0: out of memory.
ExprId storage_by_others(System *s, const SystemStorage *x);

// A program with further formulations is built with a list of its own.
#ifndef VIVA_FORMULATIONS
#define VIVA_FORMULATIONS "form/formulations.def"
#endif
#define FORMULATION(name) extern const Formulation name##_formulation;
#include VIVA_FORMULATIONS
#undef FORMULATION

#endif

// Tapes of the equations that were differentiated in the index reduction: residuals, corrections. See manifold.h.
#ifndef VIVA_SIM_MANIFOLD_PLAN_H
#define VIVA_SIM_MANIFOLD_PLAN_H

#include "system/system.h"
#include "tape/tape.h"

struct SimProgram;

typedef struct ManifoldRow {
  ExprId value;
  Span span;
  uint32_t level; // how often the equation was differentiated
} ManifoldRow;

// A tape that gives corrections of some components.
typedef struct ManifoldCorrection {
  const Tape *tape; // of t, y, the goals of the components and their weights; results: d
  uint32_t count;
  const uint32_t *place; // in y
} ManifoldCorrection;

typedef struct ManifoldPlan {
  uint32_t count;
  const ManifoldRow *rows;
  const Tape *residues;          // values, then the size of each row of G, squared
  const uint32_t *start, *place; // row by row: indices in y of the components in it
  ManifoldCorrection all;        // of every component that stands in the rows
  ManifoldCorrection unsaid;     // of those whose start was not said; count 0: there are none
} ManifoldPlan;

bool manifold_needed(const System *s);
const ManifoldPlan *manifold_plan(struct SimProgram *p); // NULL: out of memory
bool manifold_is_said(const System *s, uint32_t place);  // its start

#endif

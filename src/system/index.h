// DAE index reduction by Pantelides' algorithm: equations that hold their unknowns only after differentiation.
// parts: index_rows.c
//
// in    implicit equations, unknowns (also rates and accelerations that stand in implicit equations alone),
//       definitions and blocks of what is computed from them
// out   SystemEquation.times and levels; states for unknowns whose derivatives are needed; notes; invariants
//
// Pantelides' algorithm: equations and the highest derivatives of unknowns are paired. Where equations hold fewer of
// these than they are, they are differentiated and the unknowns in them as well, and the pairing is tried again. Rates
// that have an equation of their own are put in beforehand, so that a derivative holds states and unknowns only: the
// pendulum's x^2 + y^2 = 1 becomes 2*x*u + 2*y*v = 0 and then holds the unknown; and so are unknowns that an equation
// gives by what is known. Where a combination with numbers as factors holds none of the unknowns, though
// each equation does, it replaces one of them.
//
// The derivative that is solved for its unknowns conserves all the levels below it, which every trajectory obeys: they
// are invariants, onto which the simulation projects (sim/manifold.h), and initial values have to obey them.
#ifndef VIVA_SYSTEM_INDEX_H
#define VIVA_SYSTEM_INDEX_H

#include "system/system.h"

// Before the order of computation. Equations that no differentiation helps go to s->diags. False: out of memory.
bool system_index(System *s);
// The residual that is solved for the unknowns.
static inline ExprId equation_solved(const SystemEquation *e) { return e->times ? e->levels[e->times] : e->residual; }

// ---- inside

typedef struct IndexRow {
  SystemEquation *e;
  ExprId value;          // at its present level, with what is computed put in
  VEC(ExprId) levels;    // the levels below
  VEC(uint32_t) columns; // unknowns whose highest derivatives it holds
  VEC(uint32_t) joined;  // equations that were added to it
} IndexRow;

typedef struct IndexColumn {
  SymbolId base, top; // the unknown, and its highest derivative
  uint32_t times;
} IndexColumn;

typedef struct IndexWork {
  System *s;
  uint32_t n; // equations, and unknowns
  IndexRow *rows;
  IndexColumn *columns;
  uint32_t *column;     // by symbol: a column whose derivative it is, plus one
  uint32_t *definition; // by symbol: which defines it, plus one
  uint32_t *block;      // by symbol: which solves for it, plus one
  uint32_t *seen, stamp;
  uint32_t room;   // symbols of these lists
  SymbolMap known; // what is put in: by symbol, the expression that replaces it
  // matching
  uint32_t *row_of, *column_of; // plus one
  bool *row_seen, *column_seen;
  SymbolId blocked; // what could not be differentiated
} IndexWork;

bool index_open(IndexWork *w);                 // rows and columns, at level 0
bool index_holds(IndexWork *w, IndexRow *row); // row->columns
// Takes out the rows that give one unknown by what is known: from now on it is put in. False: out of memory.
bool index_eliminate(IndexWork *w);
bool index_reach(IndexWork *w, const IndexRow *row, bool *columns); // after any number of differentiations
bool index_promote(IndexWork *w, uint32_t column); // an unknown becomes a state; its derivative is the unknown
// The row's next level. False: out of memory, or w->blocked has no derivative.
bool index_differentiate(IndexWork *w, IndexRow *row);
ExprId index_put_in(IndexWork *w, ExprId e); // what is computed from others is put in; 0: out of memory
// Rows of blocks whose unknowns the equations hold, as expressions, and these unknowns.
typedef struct IndexBlocks {
  VEC(ExprId) rows;
  VEC(SymbolId) unknowns;
} IndexBlocks;
bool index_blocks(IndexWork *w, IndexBlocks *out);

#endif

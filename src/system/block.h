// Blocks of unknowns that are solved for together: matrix * unknowns + rhs = 0, with a sparse matrix.
#ifndef VIVA_SYSTEM_BLOCK_H
#define VIVA_SYSTEM_BLOCK_H

#include "system/row.h"

// Row i has the entries start[i] .. start[i + 1] - 1. Columns ascend, and no entry is the number zero.
typedef struct BlockMatrix {
  uint32_t *start, *column;
  ExprId *value;
} BlockMatrix;

// Accelerations, or velocities of coordinates without inertia. An implicit block has rhs = 0, where rhs depends on the
// unknowns, and its derivatives as matrix.
typedef struct Block {
  uint32_t count;
  uint32_t multipliers;      // how many of the last unknowns are constraint multipliers
  const struct Block *plain; // of one with multipliers in its forces: the same without them; NULL: it is itself
  uint32_t *coords;          // whose unknowns the others are; NULL: of no coordinates
  SymbolId *unknowns;
  BlockMatrix matrix;
  ExprId *rhs;
  uint32_t *origins; // of the equations, index plus one
  bool symmetric;
  bool velocities;
  bool implicit;     // the rest is for implicit ones (implicit.c)
  SymbolId *guesses; // held variables: the last solution
  SymbolId *bound;   // the unknowns inside `body`
  ExprId *body;      // rhs, then all of the matrix row by row: Newton's method takes it dense
} Block;

static inline uint32_t block_coords(const Block *b) { return b->coords ? b->count - b->multipliers : 0; }
// How many entries the matrix has.
static inline uint32_t block_entries(const Block *b) { return b->matrix.start[b->count]; }
// An entry; the number zero where there is none.
ExprId block_entry(const ExprPool *pool, const Block *b, uint32_t row, uint32_t column);
// All of it, row by row, for few unknowns. NULL: out of memory.
ExprId *block_dense(Arena *arena, const ExprPool *pool, const Block *b);
// The matrix from all of it, row by row. False: out of memory.
bool block_from_dense(Arena *arena, const ExprPool *pool, Block *b, const ExprId *m);
// The matrix from sparse rows, rows[member[i]] each, whose columns may stand in any order; place: index of a column in
// the block. False: out of memory.
bool block_from_rows(Arena *arena, const ExprPool *pool, Block *b, const MassRow *rows, const uint32_t *member,
                     const uint32_t *place);
// Other values for the entries, one each: the matrix becomes one of its own. False: out of memory.
bool block_set_values(Arena *arena, const ExprPool *pool, Block *b, const ExprId *values);
// Is each entry the same as the one across the diagonal?
bool block_is_symmetric(const ExprPool *pool, const Block *b);
// Does no entry hold an unknown? Then an implicit block is linear in them.
bool block_is_linear(ExprPool *pool, const Block *b);
int block_rank(ExprPool *pool, const Block *b); // see expr_rank

#endif

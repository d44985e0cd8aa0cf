// Smallest singular value of a large sparse Jacobian G, with both singular vectors (weakest direction), and its rank.
//
// in    entries of G, row by row, in the pattern of a ConstraintPlan
// out   s = |G' u|, u and v = G' u / s of length 1, where G G' u = s^2 u: by inverse iteration on the factors
//         P (G G' + e) P' = L D L'   in an order of few entries; constraints stand beside each other where they share
//                                    a coordinate
//       and how many singular values are below a bound, by the signs of D (Sylvester)
// rank  a row that those before it make up is spare: nothing is left of its pivot, and where that is near to rounding
//       the row itself is compared with its combination. Where the rank is smaller than m, the smallest value is that
//       of those that are not zero in general: inverse iteration goes on with u -> (G G' + e)^-1 G G' (G G' + e)^-1 u
//
// It begins with the same vector each time, so the result depends on G alone. All work goes with the entries of L.
#ifndef VIVA_SIM_GRAM_H
#define VIVA_SIM_GRAM_H

#include "tape/elimination.h"

// What is known of the pattern. Columns are bound coordinates.
typedef struct Gram {
  uint32_t m, n;
  const uint32_t *start, *column; // G row by row
  const uint32_t *first;          // column by column: entries from first[c] on
  const uint32_t *row, *entry;    // the constraint of each, and where it stands in G
  const Elimination *plan;
  const uint32_t *step; // by constraint: when it is eliminated
} Gram;

// Workspace of a run. A look has E + m + n numbers: entries of G, then u, then v.
typedef struct GramRoom {
  double *lower, *diagonal, *work; // entries of L, m, m
  double *part, *found, *rest;     // m, m, n
  bool *spare;                     // a constraint: it follows from others; between gram_rank and gram_vanishing
} GramRoom;

const Gram *gram_new(Arena *arena, uint32_t m, uint32_t n, const uint32_t *start,
                     const uint32_t *column); // NULL: out of memory
static inline uint32_t gram_entries(const Gram *g) { return g->start[g->m]; }
static inline size_t gram_look_size(const Gram *g) { return (size_t)gram_entries(g) + g->m + g->n; }
static inline size_t gram_fill(const Gram *g) { return (size_t)g->plan->start[g->m] + 1; }

// Finds the spare rows of a look; a row that is not longer than `smallest` beside the others is one. Returns the rank.
uint32_t gram_rank(const Gram *g, const GramRoom *room, const double *look, double smallest);
// Behind gram_rank: a combination w of the rows that vanishes, and that is `said` of the spare ones.
void gram_vanishing(const Gram *g, const GramRoom *room, const double *look, const double *said, double *w);
// Fills u and v of a look, of which `rank` values are not zero in general; s.
double gram_weakest(const Gram *g, const GramRoom *room, uint32_t rank, double *look);
// Singular values of a look that are smaller than a bound.
uint32_t gram_below(const Gram *g, const GramRoom *room, const double *look, double bound);

// How two looks are related along their weakest directions.
typedef struct GramStep {
  bool known;    // the direction of one is that of the other
  bool turned;   // but its sign is not: the value went through zero
  double way;    // by how much the change of G moves the value, seen from either end
  double change; // of the entries of G, the largest
} GramStep;
GramStep gram_between(const Gram *g, const double *from, const double *to);

#endif

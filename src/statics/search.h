// What every way to an equilibrium works on: the problem, its factors, the point, room.
// parts: assemble.c descend.c methods.c verdict.c
#ifndef VIVA_STATICS_SEARCH_H
#define VIVA_STATICS_SEARCH_H

#include "statics/balance.h"
#include "statics/kkt.h"

typedef struct Search {
  Arena *arena;
  const BalanceOptions *options;
  Problem *p;
  Kkt kkt;
  double *x, *y, *start;  // all coordinates: where we are, a trial, where it began
  double *lambda, *c;     // m
  double *step, *b;       // n + m
  double *room;           // 2 (n + m)
  double *all, *gradient; // all coordinates; n
  double potential, r;
  uint32_t iterations, restarts;
} Search;

bool search_init(Arena *arena, Search *q, const Structure *s, const BalanceOptions *options);
BalanceStatus search_of(KktStatus status); // of a failure
bool search_interrupted(const Search *q);
// Tells the caller of an iteration. change: of multipliers.
void search_tell(Search *q, double change);
// Largest error of a constraint and of balance at q->x, q->lambda; the node where balance is worst. Uses all, c,
// gradient.
double search_length_residue(Search *q);
double search_force_residue(Search *q, uint32_t *worst);
double search_force_scale(Search *q); // the largest force on or in the structure
bool search_balanced(Search *q);      // forces within 1e-7 of that, lengths within 1e-9 of the structure's size

// The six methods of the document, from q->x.
BalanceStatus methods_run(Search *q, double *position_error);
// Newton's method from q->x, q->lambda with the slopes of loads that follow, to rounding. False: it does not get there.
bool methods_polish(Search *q);
// Onto the constraint set: q->x moves to the nearest point that Newton's method finds without turning parts far.
BalanceStatus assemble(Search *q);
// Downhill from q->x: auto without restarts.
BalanceStatus descend(Search *q);
// y, off the constraint set by a step, comes back to it with the factors that are there. False: it does not.
bool retract(Search *q, double *y, double within);
// Factors of the Hessian of the Lagrangian at q->x, q->lambda with so much of the metric, relative to the scale
// `turning`.
KktStatus factor_hessian(Search *q, double share, double *turning);
// A direction in which the potential curves downwards on the constraint set, into q->step. False: none was found.
bool curve_down(Search *q);
// Verdict, soft directions and notes at q->x, q->lambda; multipliers that are not unique become those of least norm.
BalanceStatus judge(Search *q, BalanceResult *out);

#endif

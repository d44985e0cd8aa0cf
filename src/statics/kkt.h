// KKT matrix of a structure (Newton's system): factors, iterative refinement,
// inertia (how many eigenvalues are negative).
//
// A small negative corner E makes the matrix quasi-definite, so that it has factors L D L' in any order, also where
// constraints depend on each other; refinement against the matrix without it takes it out again, and of multipliers
// that are not unique leaves those of least norm. With n positive and m negative numbers in D the potential curves
// upwards in all directions that the constraints leave.
#ifndef VIVA_STATICS_KKT_H
#define VIVA_STATICS_KKT_H

#include "solve/sparse.h"
#include "statics/problem.h"

typedef struct Kkt {
  Problem *p;
  Sparse *symmetric, *general; // made when they are first needed
  bool pivoted;                // the last factors are the general ones
  double *residue, *correction;
  double weight; // of G G' in the last factors
  uint32_t factorizations;
} Kkt;

typedef enum KktStatus { kkt_done, kkt_indefinite, kkt_singular, kkt_no_module, kkt_no_memory } KktStatus;

bool kkt_init(Arena *arena, Kkt *k, Problem *p);
void kkt_clear(Kkt *k);
// Factors of the matrix at x. indefinite: factors are there, D has more than m negative numbers.
KktStatus kkt_factor(Kkt *k, const double *x, const ProblemFill *fill);
// The same with pivoting, for matrices of any kind.
KktStatus kkt_factor_general(Kkt *k, const double *x, const ProblemFill *fill);
uint32_t kkt_negative(const Kkt *k); // eigenvalues of the reduced Hessian below zero
// The least pivot of a constraint, against that of one alone: with H and G G' of weight w below it, 1/w. Of constraints
// that depend on each other it is next to nothing.
double kkt_least(const Kkt *k);
// n + m numbers in place; refined `refinements` times at most.
// room: n + m, becomes the right-hand side, for further refinement.
void kkt_solve(Kkt *k, double *b, uint32_t refinements, double *room);
void kkt_refine(Kkt *k, double *b, uint32_t refinements, const double *room);
// Multipliers that leave the least of dV + G lambda.
typedef enum KktMeasure {
  kkt_plain,  // in squares, as (48) has it
  kkt_turns,  // in the metric
  kkt_minimal // in squares; of those that are not unique the ones of least norm, to nine digits
} KktMeasure;
KktStatus kkt_multipliers(Kkt *k, const double *x, const double *gradient, KktMeasure measure, double *lambda,
                          double *room);

#endif

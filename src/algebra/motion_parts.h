// What the files of motion.c share: one question "does this equation follow from the equations of motion?" while it is
// being answered.
// parts: motion_points.c motion_numbers.c motion_proof.c motion_ideal.c motion_nearest.c motion_written.c
//
//   motion_points.c    evaluates both sides at points where M a + h = 0: a counterexample, or the factors lambda
//   motion_numbers.c   the same in doubles, on a constraint set that algebra does not solve
//   motion_proof.c     proves that e = lambda (M a + h) identically, and says it in words
//   motion_ideal.c     proves that e vanishes wherever constraints hold that algebra does not solve
//   motion_written.c   recognises a multiple of one equation as it stands, and what equations of first order determine
//   motion_nearest.c   says what a wrong equation comes nearest to
//
// Notation: e = lhs - rhs = A a + b; k unknowns are involved: accelerations of those coordinates whose blocks of M hold
// an acceleration of e, then multipliers of the constraints of these blocks. M and h are those of the blocks: with
// constraints M a - G' lambda + h = 0, -G a - curvature = 0.
#ifndef VIVA_ALGEBRA_MOTION_PARTS_H
#define VIVA_ALGEBRA_MOTION_PARTS_H

#include "algebra/constrained.h"
#include "algebra/derivation.h"
#include "algebra/inertialess.h"
#include "algebra/motion.h"
#include "expr/evaluate.h"

enum {
  enough_points = 2, // where the sides agree, before a proof is tried: two tell whether lambda is made of numbers
  most_points = 20,  // tried in all, before it is given up
};

typedef struct MotionCheck {
  const System *unreduced; // as it was given
  const ExprId *sides;     // the two, as they were given
  ExprId unreplaced;       // their difference
  System *s;               // the model with positions and velocities of coordinates without inertia put in,
  System bound;            // and what constraints say
  uint32_t branch;         // of the constraint set
  ExprPool *pool;
  Arena *arena;
  ExprId lhs, rhs, e, b; // with rates of states replaced
  ExprId *parts;         // must have values, too, where the sides are compared
  uint32_t part_count;
  uint32_t k;        // unknowns involved
  uint32_t coords;   // the first `coords` of them are accelerations, the others multipliers
  uint32_t *of;      // whose: coordinates, then constraints
  ExprId *M, *h, *A; // of these: k by k, k, k
  bool linear;       // e is linear in the unknowns
  bool exact;        // points are rational: their values are decided, not enclosed
  bool rates;        // rates of states stood in it
  Num *lambda[enough_points];
  uint32_t points;           // where the sides agree
  const char *no_value;      // why a point was of no use
  bool undefined;            // because there is no value there
  Inertialess inertialess;   // what was put in for coordinates without inertia
  ConstraintSet constrained; // and for what constraints bind
  CheckResult out;
} MotionCheck;

// ---- motion_points.c

// M, h, A (where e is linear), what was put in, the sides, their parts: in this order. NULL: out of memory.
ExprId *motion_roots(MotionCheck *m, uint32_t *count);
// Looks at points from *attempt on until the sides agree at `enough` of them, or differ: true, with the
// counterexample.
bool motion_find_witness(MotionCheck *m, uint32_t *attempt, uint32_t enough);

// ---- motion_numbers.c

// Constraints that are not solved for: a counterexample at a point of their set, or at how many points there was none.
// True: there were such points, and all agreed.
bool motion_look_at_numbers(MotionCheck *m);

// ---- motion_written.c

SymbolId motion_unknown(const MotionCheck *m, uint32_t i); // the acceleration or the multiplier
const char *motion_row_name(const MotionCheck *m,
                            uint32_t i);                // "the equation of x", "the constraint rod differentiated"
ExprId motion_residual(MotionCheck *m, uint32_t coord); // sum_j M_ij a_j + h_i
// Where what follows from the equations is not decided: is e a multiple of one of them as it stands? Then it is said
// in m->out, else m->out stays.
void motion_prove_written(MotionCheck *m);
// The same for an equation of first order that is not linear in its velocity.
void motion_prove_first_order(MotionCheck *m);
// e = 0 holds for the solutions of the model. Do only they obey it?
bool motion_determines(MotionCheck *m);

// ---- motion_proof.c

// Equal at all points so far: finds the proof, and says in m->out what e is, or why there is none.
bool motion_prove(MotionCheck *m);
// Is it written as q'' = ... without accelerations on the right?
bool motion_is_solved_form(const MotionCheck *m, uint32_t *coord);

// ---- motion_ideal.c

// Is e a combination of the equations of motion and of constraints between positions that are not solved for?
bool motion_prove_on_set(MotionCheck *m);

// ---- motion_nearest.c

// The equation of the model, with a factor, that comes nearest: the one with the shortest difference, in m->out.
void motion_nearest(MotionCheck *m);

#endif

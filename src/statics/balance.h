// Static equilibrium of a structure of bars and springs: positions, forces, stability.
//
// auto        ours: assembles the parts, descends on the constraint set in steps that rotate no bar far, so that
//             the assembly mode stays, and ends in a minimum. Else restarts from seeded positions, then a certificate.
// the others  the six methods of Ajuria, Avilés, Bilbao, Navalpotro (1997), one linear system an iteration and no line
//             search, with their three criteria held over several iterations.
//
// Meanings are enums and indices; words for people are made elsewhere. Everything in a result lives in the arena.
#ifndef VIVA_STATICS_BALANCE_H
#define VIVA_STATICS_BALANCE_H

#include "statics/structure.h"

typedef enum BalanceMethod {
  balance_auto,
  balance_lagrange,
  balance_penalty,
  balance_stiffness,
  balance_alm_direct,
  balance_alm_linear,
  balance_alm_quadratic,
  balance_method_count
} BalanceMethod;

typedef enum BalanceStatus {
  balance_found,
  balance_not_converged,   // `max` iterations: the best point is kept
  balance_diverged,        // numbers that are not finite, or far outside
  balance_singular_matrix, // an iteration has no solution
  balance_infeasible,      // bars contradict each other: notes say which
  balance_unbounded,       // the potential falls without end along `direction`
  balance_no_stiffness,    // without springs (39) has no value, and with it no factor of penalty and stiffness
  balance_interrupted,
  balance_no_module,
  balance_no_memory
} BalanceStatus;

typedef enum BalanceVerdict {
  balance_no_verdict, // no equilibrium was found
  balance_stable,
  balance_unstable,
  balance_singular, // directions without stiffness that are no motion
  balance_mechanism // directions that are a motion: the equilibrium is indifferent
} BalanceVerdict;

typedef enum BalanceNoteKind {
  balance_note_redundant,      // a bar (index) whose force is not unique: it is in a state of self-stress
  balance_note_redundant_body, // a rigid body (index) that is
  balance_note_contradicts,    // a bar that cannot have its length; value: how much it is too long
  balance_note_contradicts_body,
  balance_note_contradicts_slider,
  balance_note_slack,         // a cable (index of springs)
  balance_note_load_on_fixed, // a load on a fixed node (index)
  balance_note_follows        // there are loads that follow bars: no potential; the verdict is that of dead ones
} BalanceNoteKind;
typedef struct BalanceNote {
  BalanceNoteKind kind;
  uint32_t index; // in the linkage's list
  double value;
} BalanceNote;

// One iteration, for pictures and progress. Borrowed during the call.
typedef struct BalanceStep {
  uint32_t iteration;
  const double *x; // dim * nodes
  double potential, length_residue, force_residue, multiplier_change;
  double r; // penalty
} BalanceStep;

typedef struct BalanceOptions {
  BalanceMethod method;
  double r0, gamma, rmax;  // penalty factor and its growth, in units of sum(s)/(2 r); of the other methods unused
  double eps1, eps2, eps3; // (75) multipliers, N; (76) sum of squared length errors, m^2; (77) potential, J
  uint32_t hold, max, inner;
  bool first_least_squares; // multipliers start from the least-squares estimate instead of 0
  uint64_t seed;            // of restarts
  uint32_t restarts;
  double turn;     // auto: radians that a bar rotates at most in one step
  bool no_verdict; // positions and forces alone: no soft directions, no states of self-stress
  bool (*interrupted)(void *context);
  void (*step)(void *context, const BalanceStep *step); // each iteration; NULL: nobody asks
  void *context;
} BalanceOptions;
// The reference's constants. eps2 of stiffness is (1 % of the length)^2, summed: 0 here, because it needs the bars.
BalanceOptions balance_defaults(BalanceMethod method);

typedef struct BalanceMotion {
  double stiffness; // of the reduced Hessian along it: second derivative of the potential by its largest displacement
  const double *motion; // dim * nodes, largest displacement 1
  // The structure as a whole: along a direction, or by a rotation about an axis through a point, perhaps along it.
  bool whole, turns;
  double along[3], turn[3], about[3];
} BalanceMotion;

typedef struct BalanceResult {
  BalanceStatus status;
  BalanceVerdict verdict;
  uint32_t dim, nodes;
  const double *x;              // dim * nodes
  const double *bar_force;      // by bar of the linkage, tension positive
  const double *spring_force;   // by spring
  const double *spring_length;  // by spring
  const double *torsion_angle;  // by torsion, unwrapped
  const double *torsion_moment; // by torsion: stiffness times what the angle exceeds its rest by
  const double *reaction;       // dim * nodes: of supports and of lines that stand still on the structure, else 0
  const uint8_t *supported;     // by node: whether there is a reaction
  const double *slider_force;   // dim * sliders: of the line on the node
  double potential;
  double force_residue;         // N: largest entry of what is left at free nodes
  double length_residue;        // m: largest error of a constraint
  uint32_t worst_node;          // of the force residue
  double extent, largest_force; // what is next to nothing against them is rounding
  double position_error;        // stiffness and penalty: what the strain of bars moves nodes by, at most; else 0
  double r;                     // the last penalty factor, N/m
  uint32_t iterations, evaluations, factorizations, restarts;
  uint32_t unknowns, constraints, negative; // negative: eigenvalues of the reduced Hessian below zero
  bool conservative;
  const BalanceMotion *motions; // soft directions: those without stiffness, else the softest one
  uint32_t motion_count;
  const double *direction; // dim * nodes, of unbounded
  const BalanceNote *notes;
  uint32_t note_count;
} BalanceResult;

// Neither is changed. start: dim * nodes, or NULL for the structure's own positions (fixed directions keep theirs).
BalanceResult balance_find(Arena *arena, const Structure *s, const double *start, const BalanceOptions *options);
// Onto the lengths alone, without forces: the nearest positions, to rounding. Status, x, length_residue,
// iterations, unknowns, constraints and notes of bars that contradict each other are filled.
BalanceResult balance_assemble(Arena *arena, const Structure *s, const BalanceOptions *options);

#endif

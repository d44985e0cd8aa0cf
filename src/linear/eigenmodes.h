// Eigenvalues and modes of a linear model, its stability, controllability and observability.
#ifndef VIVA_LINEAR_EIGENMODES_H
#define VIVA_LINEAR_EIGENMODES_H

#include "linear/hurwitz.h"

typedef enum Stability {
  stability_unknown,  // no eigenvalue to the right is certain, and the side of some is not decided
  stability_stable,   // all eigenvalues to the left
  stability_marginal, // some on the imaginary axis, none to the right: the linear model does not decide
  stability_unstable
} Stability;

// Where an eigenvalue lies. Zero and the axis are decided, not guessed from digits: re (and im) are 0 there. Undecided:
// the bound of its rounding reaches over the axis, and is too large to call it 0.
typedef enum EigenSide { side_left, side_zero, side_axis, side_right, side_undecided } EigenSide;

// By rounding: `off` is the distance from the border of stability, negative on the stable side, `zero` that from 0,
// `size` that of the matrix.
EigenSide eigen_side(double off, double zero, double bound, double size);

// One eigenvalue, or a pair re +- i im (im > 0).
typedef struct EigenMode {
  double re, im;
  double bound; // how far rounding may have moved it
  EigenSide side;
  bool pair;
  uint32_t times;          // multiplicity of this eigenvalue: proved, or equal within their bounds
  bool chain;              // a further one of a multiple zero, without an eigenvector of its own
  double damping;          // -re/|lambda|; NAN for zero
  double frequency;        // |lambda|, rad/s
  double *shape[2];        // eigenvector: real and imaginary part; the largest position (else the largest entry) is 1
  double control, observe; // how far it is from being beyond reach, or unseen: least singular value of [A - lambda, B]
                           // over the norm of A, in balanced states; NAN: no inputs, no outputs
  bool uncontrollable, unobservable;
} EigenMode;

typedef struct ModeRank {
  bool known;
  bool exact; // decided with the exact entries
  uint32_t rank;
  double smallest; // of all modes: control or observe
} ModeRank;

typedef struct Modes {
  uint32_t n;       // states
  uint32_t count;   // of modes
  EigenMode *modes; // by real part, the largest first
  double *re, *im;  // all n eigenvalues, in the same order, of a pair the positive one first
  Stability stability;
  bool exact;        // decided without rounding
  uint32_t distinct; // eigenvalues, proved; 0: not known
  HalfPlanes planes;
  ModeRank control, observe;
  const char *why; // not NULL: there are none, and this is the reason
} Modes;

typedef struct ModesIn {
  uint32_t n, m, p;                // states, inputs, outputs
  const bool *position;            // by state: it is a position
  const double *A, *B, *C;         // row by row
  const Rat *rA, *rB, *rC;         // the same exactly; NULL: not rational
  bool (*interrupted)(void *self); // asked between pieces of work; may be NULL
  void *self;
} ModesIn;

bool modes_find(Arena *arena, const ModesIn *in, Modes *out); // false: out of memory

#endif

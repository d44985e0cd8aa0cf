// The kernels of kernels.def, and what the builder tells each about a call.
// parts: kernel_solve.c kernel_kkt.c kernel_sparse.c kernel_table.c kernel_noise.c kernel_integral.c kernel_inverse.c
// parts: kernel_newton.c
#ifndef VIVA_TAPE_KERNELS_H
#define VIVA_TAPE_KERNELS_H

#include "tape/tape.h"

#define KERNEL(name) extern const TapeKernel kernel_##name;
#include "tape/kernels.def"
#undef KERNEL

// Data of kernel_noise: even on -1 .. 1; NULL: normal.
extern const char noise_uniform[];

// M x = -h. The operands are the rows of M (its lower triangle when symmetric), then h, then `more` further right-hand
// sides; all share one factorization. The results are the solutions, one after the other; a singular M gives NaN.
typedef struct KernelSolve {
  uint32_t size, more;
  bool symmetric;
  TapeSolve *large; // used instead of our own; NULL
} KernelSolve;

// M x = -h for a symmetric M with zeros on its diagonal: operands as KernelSolve's, symmetric.
typedef struct KernelKkt {
  uint32_t size, columns;     // columns: right-hand sides
  uint32_t multipliers;       // how many last unknowns are multipliers, which may depend on each other
  const struct viva_ldl *ldl; // how to solve it without a choice of pivots; NULL: not known
  bool dependent;             // they do where constraints hold: no inverse is looked for off that manifold
} KernelKkt;

// M x = -h for a sparse M: the operands are its entries as listed, then the right-hand sides.
typedef struct KernelCell {
  uint32_t row, column;
} KernelCell;
typedef struct KernelSparse {
  uint32_t size, columns; // columns: right-hand sides
  uint32_t multipliers;   // of a symmetric M: how many last unknowns are multipliers, which may depend on each other
  const KernelCell *cells;
  uint32_t count;
  bool dependent; // as in KernelKkt
} KernelSparse;
// The data of such a call; scratch: for the making alone. NULL: out of memory, or M is singular by its structure.
// *work: see TapeKernel.
const void *kernel_sparse_plan(Arena *arena, Arena *scratch, const KernelSparse *of, uint64_t *work);

// g(z) = 0. The operands are a guess of z, then what the body captures; the body reads (z, captured...) and gives g,
// then dg/dz row by row. The results are z; NaN: none was found.
typedef struct KernelNewton {
  uint32_t size;
  const Tape *body;
} KernelNewton;

// The accelerations (forward dynamics) of a tree of links, parents first (operands: kernel_tree.c).
typedef enum KernelJoint { kernel_revolute, kernel_prismatic, kernel_ball } KernelJoint;
typedef struct KernelLink {
  uint32_t parent; // plus one; 0: the ground
  KernelJoint joint;
  uint8_t axis;   // 0 x, 1 y, 2 z
  bool straight;  // where q = 0 its axes are those of the parent; a revolute one stands where r has no share along its
                  // axis
  uint32_t zeros; // bits: its numbers that are zero whatever happens, in the order of kernel_tree.c
  const char *name; // for messages
} KernelLink;
typedef struct KernelTree {
  const KernelLink *links;
  uint32_t count;
} KernelTree;
// The data of such a call (kernel_tree_plan.c). NULL: out of memory.
const void *kernel_tree_plan(Arena *arena, const KernelTree *of);

// Linear interpolation between the points (x, y).
typedef struct KernelTable {
  const double *x, *y;
  uint32_t count;
  int slope; // 0 its value, 1 its derivative, 2 which piece, 3 the value at the last point
} KernelTable;

// An integral (operands: its limits, what is captured) or inverse (a value, what is captured). The body reads
// (s, captured...) and gives f, then what the watches see, or of an inverse f and df/ds.
typedef struct KernelBody {
  const Tape *body;
  bool moving;            // it holds variables of the tape
  const uint8_t *watches; // of an integral: their kinds (kernel_integral.c)
} KernelBody;

// Beside its value the body of an integral gives what its corners and its fast functions see: an argument that changes
// sign, a number whose whole part jumps, an angle, an exponent.
typedef enum WatchKind { watch_sign, watch_whole, watch_turn, watch_rise } WatchKind;

#endif

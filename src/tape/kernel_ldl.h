// Quasidefinite L D L' factorization: M x = -h by P M P' = L D L' without a choice of pivots, coordinates first, then
// multipliers of constraints.
//
// how   Where the masses are positive definite their pivots are positive, and those of the multipliers, which are the
//       complement -G M^-1 G', negative: no pivot has to be looked for, so the sparsity pattern of L is known
//       beforehand (Vanderbei, SIAM J. Optim. 5, 1995, on quasidefinite matrices). Both parts are Cholesky's method,
//       which is stable; only the complement loses what the smallest pivot of the masses is smaller than its diagonal.
//       Each pivot is a share of what its diagonal was before others were subtracted, free of units. Below viva_clear
//       nothing is decided here: the kernels that use this take their own way, which knows dependent constraints.
// L     row by row, with its zeros left out. u = L D of each entry: l = u/d. An entry takes off products u l of two
//       entries of the same column.
// parts: kernel_ldl.c
#ifndef VIVA_TAPE_KERNEL_LDL_H
#define VIVA_TAPE_KERNEL_LDL_H

#include "tape/emit_parts.h"
#include "tape/kernel_real.h"
#include "tape/kernels.h"

/* section ldl */
/* A pivot of this share of its diagonal loses three digits: so few that no other need be looked for. */
static const viva_real viva_clear = (viva_real)1e-3;

/* The structure of P M P' = L D L'. Steps from `free` on are multipliers. */
typedef struct viva_ldl {
  unsigned n, free;
  const unsigned *order;        /* of each step: its unknown */
  const unsigned *diagonal;     /* of each step: the operand that is its diagonal, plus one; 0: none */
  const unsigned *start;        /* of each step: the first entry of its row of L */
  const unsigned *column;       /* of each entry: its step */
  const unsigned *from;         /* of each entry: its operand, plus one; 0: none */
  const unsigned *product;      /* of each entry: its first product */
  const unsigned *left, *right; /* of each product: the entry of the row itself, that of the other row */
} viva_ldl;

/* room holds u and, behind l, the diagonal, as they are loaded; they become L, and D upside down. 0: not clear. */
static inline int viva_ldl_factor(const viva_ldl *s, viva_real *room) {
  viva_real *u = room, *l = u + s->start[s->n], *d = l + s->start[s->n];
  for (unsigned i = 0; i < s->n; i++) {
    viva_real pivot = d[i], whole = pivot;
    for (unsigned e = s->start[i]; e < s->start[i + 1]; e++) {
      viva_real sum = u[e];
      for (unsigned p = s->product[e]; p < s->product[e + 1]; p++) sum -= u[s->left[p]] * l[s->right[p]];
      u[e] = sum;
      l[e] = sum * d[s->column[e]];
      pivot -= sum * l[e];
      if (i >= s->free && s->column[e] < s->free) whole = pivot;
    }
    if (i < s->free ? !(pivot > viva_clear * whole) : !(pivot < viva_clear * whole)) return 0;
    d[i] = 1 / pivot;
  }
  return 1;
}

/* One right-hand side; z: room for n. */
static inline void viva_ldl_substitute(const viva_ldl *s, const viva_real *room, viva_real *x, viva_real *z) {
  const viva_real *l = room + s->start[s->n], *d = l + s->start[s->n];
  for (unsigned i = 0; i < s->n; i++) {
    viva_real sum = x[s->order[i]];
    for (unsigned e = s->start[i]; e < s->start[i + 1]; e++) sum -= l[e] * z[s->column[e]];
    z[i] = sum;
  }
  for (unsigned i = 0; i < s->n; i++) z[i] *= d[i];
  for (unsigned i = s->n; i-- > 0;) {
    for (unsigned e = s->start[i]; e < s->start[i + 1]; e++) z[s->column[e]] -= l[e] * z[i];
  }
  for (unsigned i = 0; i < s->n; i++) x[s->order[i]] = z[i];
}

/* The operands a of M and the columns of h as a list. 0: not clear, x holds nothing. */
static inline int viva_ldl_solve(const viva_ldl *s, const viva_real *a, const viva_real *h, unsigned columns,
                                 viva_real *x, viva_real *room) {
  const unsigned entries = s->start[s->n], n = s->n;
  viva_real *d = room + 2 * entries;
  for (unsigned e = 0; e < entries; e++) room[e] = s->from[e] ? a[s->from[e] - 1] : 0;
  for (unsigned i = 0; i < n; i++) d[i] = s->diagonal[i] ? a[s->diagonal[i] - 1] : 0;
  if (!viva_ldl_factor(s, room)) return 0;
  for (unsigned i = 0; i < n * columns; i++) x[i] = -h[i];
  for (unsigned c = 0; c < columns; c++) viva_ldl_substitute(s, room, x + c * n, d + n);
  return 1;
}

/* section end */

// The structure of a symmetric M whose last `bound` unknowns are multipliers. cells: at least its lower triangle, zeros
// left out; operand: of each. scratch: for the making alone. NULL: a coordinate has no mass or multipliers stand beside
// each other, so that nothing is known of the pivots; or it fills in too much; or out of memory.
const viva_ldl *kernel_ldl_plan(Arena *arena, Arena *scratch, uint32_t n, uint32_t bound, const KernelCell *cells,
                                const uint32_t *operand, uint32_t count);

static inline uint32_t kernel_ldl_room(const viva_ldl *s) { return s ? 2 * s->start[s->n] + 2 * s->n : 0; }

// viva_ldl_solve with operands where they stand.
static inline bool kernel_ldl_eval(const viva_ldl *s, uint32_t columns, const uint32_t *matrix, const uint32_t *sides,
                                   const double *w, double *x, double *room) {
  uint32_t entries = s->start[s->n], n = s->n;
  double *d = room + (size_t)2 * entries, *z = d + n;
  for (uint32_t e = 0; e < entries; e++) room[e] = s->from[e] ? w[matrix[s->from[e] - 1]] : 0;
  for (uint32_t i = 0; i < n; i++) d[i] = s->diagonal[i] ? w[matrix[s->diagonal[i] - 1]] : 0;
  if (!viva_ldl_factor(s, room)) return false;
  for (uint32_t i = 0; i < n * columns; i++) x[i] = -w[sides[i]];
  for (uint32_t c = 0; c < columns; c++) viva_ldl_substitute(s, room, x + (size_t)c * n, z);
  return true;
}

// ---- C text

bool kernel_ldl_is_short(const viva_ldl *s, uint32_t columns); // it is written in line
// In line, with the kernel behind it where a pivot is not clear. sides: the operands of the right-hand sides.
void kernel_ldl_put(Emit *e, const TapeOp *op, uint32_t index, const viva_ldl *s, uint32_t columns, uint32_t sides);
// The structure as constants; NAME_ldlCALL is its name.
void kernel_ldl_put_data(const EmitJob *job, uint32_t call, const viva_ldl *s);
void kernel_put_numbers(const EmitJob *job, uint32_t call, const char *name, const unsigned *list, uint32_t count);

#endif

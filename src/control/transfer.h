// Transfer functions in symbols: G(s) = num/den as polynomials in s whose coefficients are expressions of parameters.
//
// in    the exact linear model x' = A x + B u, y = C x + D u, one input and one output
// out   the coefficients of both, common factors cancelled, the lowest power first
//         num(s)/den(s) = G(s),  den(d/dt) y = num(d/dt) u
#ifndef VIVA_CONTROL_TRANSFER_H
#define VIVA_CONTROL_TRANSFER_H

#include "expr/pool.h"

enum { transfer_most = 14 }; // states

typedef struct TransferIn {
  uint32_t n;
  const ExprId *A;     // n * n, row by row
  const ExprId *B, *C; // n each
  ExprId D;
} TransferIn;

typedef struct Transfer {
  SymbolId s;
  uint32_t num_degree, den_degree;
  ExprId *num, *den;  // degree + 1 coefficients each; num of zero is one zero
  uint32_t cancelled; // the number of poles of the model that are not seen from this input at this output
  const char *why;    // not NULL: it failed, and this is the reason
} Transfer;

// False: out of memory.
bool transfer_find(ExprPool *pool, Arena *arena, const TransferIn *in, Transfer *out);
// Symbols for reading: name, name', ... up to this derivative. False: out of memory.
bool transfer_derivatives(ExprPool *pool, Arena *arena, const char *name, uint32_t degree, ExprId *out);

#endif

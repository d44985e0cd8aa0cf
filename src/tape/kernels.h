// Kernels: operations of a tape that are native functions. None allocates; each has its scratch in the workspace.
#ifndef VIVA_TAPE_KERNELS_H
#define VIVA_TAPE_KERNELS_H

#include "tape/tape.h"

// Solves M a = -h. The operands are the rows of M (its lower triangle when symmetric), then h, then `more` further
// right-hand sides; all share one factorization. The solutions go to the first slots of the scratch, one after the
// other; a singular M gives NaN.
void kernel_solve(const TapeCall *call, const uint32_t *args, double *w);
double kernel_table(const ModelTable *table, double x, int slope); // slope 2: the number of the piece that x lies in
double kernel_noise(double seed, double n);                        // n: which one, a whole number
double kernel_integral(const TapeCall *call, const uint32_t *args, double *w);
// False: it may have a value, but that was not found. True: it was, or there is none because the body has none.
bool kernel_integral_reached(const TapeCall *call, const uint32_t *args, double *w);
uint32_t integral_room(const Tape *body); // of its scratch
double kernel_inverse(const TapeCall *call, const uint32_t *args, double *w);
// False: the function was seen to go up and down.
bool kernel_inverse_one_way(const TapeCall *call, const uint32_t *args, double *w);
// How many digits less a body has that holds integrals or inverses itself: to ask for more would halve without end.
double kernel_digits(const TapeCall *call);
// g(z) = 0. The operands are a guess of z, then what the body captures; the body gives g, then dg/dz row by row. The
// solution goes to the first slots of the scratch; NaN: none was found.
void kernel_newton(const TapeCall *call, const uint32_t *args, double *w);
uint32_t newton_room(uint32_t size, const Tape *body); // of its scratch

#endif

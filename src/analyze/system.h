// A linear system with dead times, in numbers: on which all analyses of this folder work.
//
//   x' = A x + B u + E w,    y = C x + D u + F w,    z = G x + H u + J w,    w_k(t) = z_k(t - time_k)
//
// and with `period` > 0 the same for x[k + 1], time in whole periods counted by further states (delays is 0 then).
// Notation: s (z where it is sampled) is the variable of transfer functions, which response.h evaluates.
//
// Matrices stand row by row. A system is plain numbers: it knows nothing of where it came from (assemble.h).
#ifndef VIVA_ANALYZE_SYSTEM_H
#define VIVA_ANALYZE_SYSTEM_H

#include "base/arena.h"

#include <complex.h>

typedef double complex Complex;

typedef struct LinearSystem {
  uint32_t n, m, p;          // states, inputs, outputs
  uint32_t delays;           // channels of dead time; 0: none
  double *A, *B, *C, *D;     // n*n, n*m, p*n, p*m
  double *E, *F, *G, *H, *J; // n*delays, p*delays, delays*n, delays*m, delays*delays
  double *time;              // of each channel, > 0
  double period;             // 0: continuous; else that of the samples
  double *C_before;          // of a sampled one: y at a sample before its statements, as C; NULL: not known
  bool *improper;            // p*m: a transfer function that differentiates its input; NULL: none does
  const char **states, **inputs, **outputs, **channels; // names; may be NULL
} LinearSystem;

// Storage for a system of this size, all zero. False: out of memory.
bool system_room(LinearSystem *s, Arena *arena, uint32_t n, uint32_t m, uint32_t p, uint32_t delays);
// One path of it: input i to output j, all states. False: out of memory.
bool system_path(const LinearSystem *s, Arena *arena, uint32_t input, uint32_t output, LinearSystem *out);
bool system_copy(const LinearSystem *s, Arena *arena, LinearSystem *out);
void system_negate(LinearSystem *s); // its outputs
// Cut at a state: all that reads it reads one more input, the last; the state itself is one more output, the last. What
// outputs show of it is the state. False: out of memory.
bool system_open_state(const LinearSystem *s, Arena *arena, uint32_t state, LinearSystem *out);

// One path closed on itself, u = r - y. *posed: 1 + D is not zero. False: out of memory.
typedef enum LoopSide {
  loop_output, // T = L/(1 + L), from r to y
  loop_error   // S = 1/(1 + L), from r to r - y
} LoopSide;
bool system_close(const LinearSystem *s, Arena *arena, LoopSide side, LinearSystem *out, bool *posed);

#endif

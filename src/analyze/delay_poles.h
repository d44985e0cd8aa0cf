// Poles of a system with dead times: infinitely many where one of them is in a loop. The rightmost are found, and
// counted, so that it is certain that none lies further right.
#ifndef VIVA_ANALYZE_DELAY_POLES_H
#define VIVA_ANALYZE_DELAY_POLES_H

#include "analyze/dense.h"

typedef struct DelayPoles {
  uint32_t count;
  Complex *values; // the largest real part first, pairs with im > 0 first
  double *bound;   // how far each may be off: the last step of Newton's method, and rounding
  bool finite;     // no dead time is in a loop: these are all
  double line;     // else: these are all with a real part above this one,
  bool certain;    // and that was counted
  uint32_t counted;
  bool right_known; // where the line is right of the axis, or not certain: the axis was counted along, too:
  uint32_t right;   // the number of growing ones, those of the list among them
  bool neutral;     // what is delayed feeds itself without a state in between
  const char *why;  // not NULL: it was not counted, and the reason
} DelayPoles;

// wanted: about how many.
DenseStatus delay_poles_find(Arena *arena, const SolveModule *module, const LinearSystem *s, uint32_t wanted,
                             DelayPoles *out);
// How many poles lie right of the line Re s = line, by the argument principle. False: it is not decided; *why.
// Memory: the arena.
bool delay_poles_count(Arena *arena, const LinearSystem *s, double line, uint32_t *count, const char **why);

#endif

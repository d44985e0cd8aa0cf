// Algebraic loops through branches: all choices of branches (S7 of docs/semantics.md).
//
// in    the guards of a loop; a reading of all guards with the branches as they are
// out   the one choice that agrees with the signs of its own guards; or that there is none, or more than one
// how   Every choice is read. A guard that is zero agrees with the value of its operator at zero, and, where its
//       function does not jump, with both branches. Choices that agree and differ in such guards alone are one
//       solution.
//
// Freestanding, as hybrid/instant.h.
#ifndef VIVA_HYBRID_LOOP_CHOICES_H
#define VIVA_HYBRID_LOOP_CHOICES_H

#include "hybrid/instant.h"

// Evaluates, and finds the sign of every guard; branches stay as they are.
typedef void InstantLook(Instant *x, double *y, bool after);

// Choices of one loop. 0: more than loop_most_choices.
uint32_t loop_choice_count(const InstantPlan *p, uint32_t loop);
// The branches of a loop become its choice of this number; `middle` by guard: the whole number around which branches
// of `floor` are taken.
void loop_take_choice(const InstantPlan *p, uint32_t loop, uint32_t number, const double *middle, double *branch);
// Reads all choices of all loops, one loop after the other; those that can have one solution at most only where no
// choice is known to agree (found). The branches become those of the solutions. *changed: they are other ones.
LoopEnd loops_choose(Instant *x, double *y, bool after, bool found, InstantLook *look, bool *changed);

#endif

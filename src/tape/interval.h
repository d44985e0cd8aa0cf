// Interval evaluation of a tape: ranges of its results while its variables stay within theirs, and rounding errors.
#ifndef VIVA_TAPE_INTERVAL_H
#define VIVA_TAPE_INTERVAL_H

#include "tape/tape.h"

// Arithmetic of ranges, for kernels that know theirs (TapeKernel.range; at most two operands are asked).
extern const TapeRange tape_everything;
TapeRange tape_range_product(TapeRange a, TapeRange b);

// w: a workspace of the tape after tape_prepare. lo, hi: room for slot_count numbers each; the ranges of the variables
// stand in their slots. Afterwards the ranges of the results stand in theirs. Where nothing is known a range is
// everything.
void tape_ranges(const Tape *tape, const double *w, double *lo, double *hi);
// The same for proofs: bounds of the exact values, rounding and what depends on parameters alone included; parameters
// count as the doubles they are.
void tape_enclose(const Tape *tape, const double *w, double *lo, double *hi);
// The same with rates of change: those of the variables along some curve stand in rate_lo, rate_hi; afterwards those of
// the results. Across a jump a rate is everything.
void tape_range_rates(const Tape *tape, const double *w, double *lo, double *hi, double *rate_lo, double *rate_hi);
// Evaluates the tape, and how far rounding may put each value off: sums are taken to be wrong by `digits` last digits
// of what is added, and the rest passes that on. error: room for slot_count; afterwards that of the results stands in
// their slots.
void tape_rounding(const Tape *tape, double *w, double digits, double *error);
// The same where the variables are off as well: their errors stand in their slots, those of parameters are 0. digits 0:
// what errors of the variables come to alone. error: room for 2 * slot_count.
void tape_errors(const Tape *tape, double *w, double digits, double *error);
// The same as tape_rounding through long computations and kernels: no bound, but what errors of these sizes come to
// that go up and down as if by chance, the largest of a few draws. off: errors of the first `variables` variables.
// room: tape_rounding_room doubles; tape_rounding_of gives the error of a result.
size_t tape_rounding_room(const Tape *tape);
void tape_rounding_through(const Tape *tape, double *w, double digits, const double *off, uint32_t variables,
                           double *room);
double tape_rounding_of(const Tape *tape, const double *room, uint32_t result);
// Of which results nothing is ever known: they hang on implicit equations, inverses, integrals, or large blocks. seen:
// room for slot_count.
void tape_unbounded(const Tape *tape, bool *seen, bool *results);

// marked: by slot, what is to be followed; afterwards everything that is computed from it, too.
void tape_follow(const Tape *tape, bool *marked);

#endif

// A tape over ranges: what its results can be while its variables stay within theirs.
#ifndef VIVA_TAPE_INTERVAL_H
#define VIVA_TAPE_INTERVAL_H

#include "tape/tape.h"

// w: a workspace of the tape after tape_prepare. lo, hi: room for slot_count numbers each; the ranges of the variables stand
// in their slots. Afterwards the ranges of the results stand in theirs. Where nothing is known a range is everything.
void tape_ranges(const Tape *tape, const double *w, double *lo, double *hi);

#endif

// Axes: from values to positions, and where the ticks stand.
#ifndef VIVA_SHOW_SCALE_H
#define VIVA_SHOW_SCALE_H

#include "base/arena.h"

// The values lo .. hi lie at the positions from .. to.
typedef struct Scale {
  bool log;
  double lo, hi;   // lo < hi; both positive on a logarithmic axis
  double from, to; // pixels
} Scale;

double scale_place(const Scale *s, double value); // NAN: no position (not finite, or not positive under log)

// The least and the largest of the values that have a position; empty: lo > hi.
typedef struct AxisRange {
  double lo, hi;
} AxisRange;
AxisRange axis_range_empty(void);
void axis_range_take(AxisRange *r, const double *values, size_t count, bool log);
// A range that can be an axis: never empty, never flat, with a margin (a part of its length at each end).
AxisRange axis_range_with_margin(AxisRange r, bool log, double margin);

enum { ticks_most = 40, tick_text = 40, ticks_minor = 200 };
typedef struct Ticks {
  uint32_t count, minor_count;
  double at[ticks_most], minor[ticks_minor];
  char text[ticks_most][tick_text];
  int exponent;  // the texts times 10^exponent ...
  double offset; // ... plus this are the values
} Ticks;

// Ticks at 1, 2 or 5 times a power of ten, about `wanted` of them (at least 2 where the doubles allow it). On a
// logarithmic axis powers of ten, with 2 and 5 or a linear choice where less than that is shown.
void scale_ticks(Ticks *t, double lo, double hi, bool log, uint32_t wanted);
// 10⁻³ and the like, in raised digits. out holds 24 bytes.
void scale_power_text(int exponent, char *out);

#endif

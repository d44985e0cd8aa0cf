// Ranges, the same in all commands:
//
//   a:b          an interval
//   a:h:b        a grid: a, a + h, ... up to b
//   log:a:b:n    n values from a to b whose ratios are equal
//   [a, b, ...]  a list; a single value is a list of one
//
// Numbers may be formulas of numbers and parameters, with units; one unit at the very end is that of all of them.
#ifndef VIVA_LANG_RANGES_H
#define VIVA_LANG_RANGES_H

#include "lang/parser_inside.h"
#include "lang/scope.h"

typedef struct ValueRange {
  const char *name; // what stands before `=`: "k", "x'", "hip.th[2]"; NULL: nothing
  const Item *item; // the same as it was read; NULL
  RangeKind kind;
  double low, high, step; // SI; of a list the least and the largest value
  uint64_t count;         // of values; of an interval 0
  const double *items;    // of a list
  Span span, name_span;
  const char *text; // all of it
} ValueRange;

static const double range_most = 1e15; // values of a grid

// Reads `name=RANGE`, or `RANGE` alone, of an option of the command line. Problems are in scope->model.diags; the range
// is then empty (text NULL). False: out of memory.
bool range_read(TextScope *scope, const char *option, const char *text, ValueRange *out);
// A unit that was written behind a number of the quantity `name`: does it fit, as far as that is known? Else a warning.
void range_check_unit(TextScope *scope, const char *name, const Unit *unit, Span span);
// Is its name that of a parameter, or of the start of a coordinate, velocity or state? Else it is reported.
bool range_is_quantity(TextScope *scope, const ValueRange *range);
double range_value(const ValueRange *range, uint64_t i); // i < count

#endif

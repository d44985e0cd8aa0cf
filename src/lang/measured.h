// The rows of the data of a `fit`: times and measured columns in SI units.
#ifndef VIVA_LANG_MEASURED_H
#define VIVA_LANG_MEASURED_H

#include "base/diag.h"
#include "system/system.h"

typedef struct MeasuredRows {
  double *times, *values; // values: a row of the measured columns each time; NAN: missing
  uint32_t count;
  Span place;          // of the first line
  const bool *in_unit; // by measured: its column says in which unit it is
} MeasuredRows;

// The file is read row by row, and only what was measured stays. Its text becomes a source of its own, named as the
// line names it, so that an error in it has a span in it. inputs: tables that the model reads. any_order:
// nothing moves, so times may be repeated, fall, lie before 0. False: reported, or out of memory.
bool measured_read(Arena *arena, Sources *sources, Diags *diags, const SystemFit *fit, const SystemTableList *inputs,
                   bool any_order, MeasuredRows *out);

#endif

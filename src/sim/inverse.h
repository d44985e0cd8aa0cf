// Inverse dynamics: the forces that a given motion needs beside those that the model has.
//
// in    a system M a + h = 0 of energies; a table of its motion: columns t, q, and perhaps q' and q''
// out   a row a moment: force_i = (M a + h)_i, the generalized force on each coordinate that is missing
//
// What the table does not have of q' and q'' comes by splines through what it has (spline.h). Inputs are as the model
// has them. States, such as the current of a motor, are columns as well where forces depend on them.
#ifndef VIVA_SIM_INVERSE_H
#define VIVA_SIM_INVERSE_H

#include "base/sink.h"
#include "sim/run.h"
#include "tape/tape.h"

// The first line of a table.
typedef struct InverseTable {
  const char *const *names; // of its columns, the first is time
  uint32_t width;
  Span place; // of the line
} InverseTable;

// Where a force and its coordinate stand; UINT32_MAX: no column.
typedef struct InverseCoord {
  const char *name, *force; // "x", "force.x"
  uint32_t columns[3];      // of q, q', q''
} InverseCoord;

typedef struct InversePlan {
  System s;
  TapeWish wish; // of t, q, v, a, states
  const Tape *tape;
  double *w;
  InverseCoord *coords;
  uint32_t count;
  uint32_t *states;  // the column of each state; UINT32_MAX: no force depends on it
  bool *used;        // columns
  const char **made; // "x'", ...: by splines
  uint32_t made_count;
} InversePlan;

// False: memory is out, or diags say what is wrong.
bool inverse_plan(Arena *arena, const System *system, const InverseTable *table, InversePlan *plan, Diags *diags);

typedef struct InverseForce {
  double largest, at; // the largest in size, and when
} InverseForce;

typedef struct InverseResult {
  RunStatus status;
  const char *message; // NULL: nothing went wrong
  Span place;
  uint32_t rows;
  double from, to;
  InverseForce *forces; // one a coordinate
} InverseResult;

// values: rows of numbers, a column each; those that are not used are not read.
InverseResult inverse_run(Arena *arena, const InversePlan *plan, const InverseTable *table, const double *values,
                          uint32_t rows, const RunSettings *settings, const Sink *sink);

#endif

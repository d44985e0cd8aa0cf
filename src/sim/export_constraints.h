// What a model with constraints needs beside its right-hand side, for an export: a start that obeys them, and the tapes
// that bring a step back onto them.
//
// Tapes and start are those of a run in fixed steps that locate nothing (constrain.h), so what is done with them in the
// same order has the bits of that run.
#ifndef VIVA_SIM_EXPORT_CONSTRAINTS_H
#define VIVA_SIM_EXPORT_CONSTRAINTS_H

#include "sim/components.h"
#include "tape/tape.h"

typedef struct ExportConstraints {
  uint32_t count; // of constraints
  const char **names;
  uint32_t coords;          // that are bound
  const uint32_t *q, *v;    // their places in y
  const double *start;      // y that obeys the constraints, with the default values of the parameters
  const Tape *residues;     // results: value of each constraint (0 of one on velocities), then the rate of each
  const Tape *place;        // results: corrections of the bound places
  const Tape *speed;        // results: corrections of the bound velocities, and more
  uint32_t width;           // variables: t, so many for y, then what is remembered
  const uint32_t *places;   // of y among them
  const char **param_names; // C names of the parameters, then of the variables
} ExportConstraints;

// names: C names of the parameters, of t and y, of what is remembered. place: of every component in y, of which there
// are dim. False: memory is out, or *failure says what keeps it from being exported.
bool export_constraints(Arena *arena, const System *s, const char *const *names, const uint32_t *place, uint32_t dim,
                        ExportConstraints *out, const char **failure);

#endif

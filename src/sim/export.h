// A model as functions for other programs: what an export writes.
#ifndef VIVA_SIM_EXPORT_H
#define VIVA_SIM_EXPORT_H

#include "sim/export_constraints.h"
#include "sim/export_events.h"
#include "tape/emit_c.h"

// y = (q, v, x) as in a run, but without what is computed from the others.
typedef struct Export {
  Arena *arena;
  const System *system;
  uint32_t coords, dim; // coordinates; size of y
  uint32_t positions;   // coordinates in y
  const char **states;  // names of y
  double *params;       // default values; NaN: none was given
  bool plain;           // every velocity is a state: the rate of q is v
  // Tapes are those of a run: computed components have an entry in their variables and results, too.
  uint32_t width;           // entries of y among the variables, behind t; then the discrete state
  uint32_t *places;         // indices of y among them
  const char **param_names; // C names of the parameters, then of the variables
  const Tape *f;            // results the rates of all entries of y, with constraints and energies then two powers
  const Tape *rows;         // results outputs, then five energies, with constraints the first three
  const Tape *start;        // no variables; results all entries of y at t = 0
  // entry k of the Jacobian is d(y'[row[k]])/d(y[column[k]]), or by t where the column is dim
  const Tape *jacobian; // NULL with events: the state is not y alone
  uint32_t *row, *column;
  const char **outputs;
  uint32_t output_count;
  uint32_t dropped;           // outputs of quadratures, which a right-hand side does not have
  bool energy;                // the model has energies: kinetic, potential, stored, power dissipated, power supplied
  double to, step;            // from row to row
  bool fixed;                 // the model asks for a method with this step
  const ExportEvents *events; // NULL: there is no discrete state, and no event
  const ExportConstraints *constraints; // NULL: none
  const char *failure;                  // what keeps it from being exported, if export_model failed for that
} Export;

// What keeps a model from being exported, in words; NULL: nothing.
const char *export_refuses(Arena *arena, const System *system);
// False: out of memory, expressions grow too large, or out->failure says why not.
bool export_model(Arena *arena, const System *system, Export *out);

#endif

// Export of constraints: a start that obeys them, and the tapes that project a step onto the constraint manifold.
//
// Tapes and start are those of a run in fixed steps that locate nothing (constrain.h), so what is done with them in the
// same order has the bits of that run.
#ifndef VIVA_SIM_EXPORT_CONSTRAINTS_H
#define VIVA_SIM_EXPORT_CONSTRAINTS_H

#include "sim/program.h"

typedef struct ExportConstraints {
  uint32_t count; // of constraints
  const char **names;
  uint32_t coords;       // that are bound
  const uint32_t *q, *v; // their indices in y; of a spherical joint q is that of r.w
  const uint32_t *turn;  // which of the three rotations of the joint it is, plus one; 0: none
  const uint32_t *r;     // four indices of its quaternion each
  bool turns;            // there are spherical joints
  const double *start;   // y that obeys the constraints, with the default values of the parameters
  const Tape *residues;  // results: value of each constraint (0 of one on velocities), then the rate of each
  const Tape *place;     // results: corrections of the bound positions
  const Tape *speed;     // results: corrections of the bound velocities, and more
  bool dependent;        // stages of a step are seen on the constraints (constraint_stage)
} ExportConstraints;

// of: index in y of every component. False: out of memory, or *failure says what keeps it from being exported.
bool export_constraints(Arena *arena, const SimProgram *p, const uint32_t *of, ExportConstraints *out,
                        const char **failure);

#endif

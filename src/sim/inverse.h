// Inverse dynamics: the generalized forces that a given trajectory needs beside those that the model has.
// parts: inverse_balls.c
//
// in    a system M a + h = 0 of energies; a table of the trajectory: columns t, q, and perhaps q' and q''
// out   a row a moment: force_i = (M a + h)_i, the generalized force on each coordinate that is missing
//
// Derivatives q' and q'' that the table does not have come from splines through its columns (spline.h). Inputs are as
// the model has them. States, such as the current of a motor, are columns as well where forces depend on them.
//
// A spherical joint has the columns r.w r.x r.y r.z, and perhaps r.wx and the others and r.wx' and the others; its
// forces are torques about the axes of the body, force.r.wx and the others.
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
  const char *name, *force; // "x", "force.x"; of a rotation "r.wx"
  uint32_t columns[3];      // of q, q', q''; of a rotation: none, w, w'
} InverseCoord;

typedef struct InverseBall {
  const char *name;
  uint32_t first;      // of its seven states
  uint32_t columns[4]; // of its quaternion
} InverseBall;

typedef struct InversePlan {
  System s;
  TapeRequest request; // of t, q, v, a, states, angular rates
  const Tape *tape;
  double *w;
  InverseCoord *coords; // coordinates, then rotations: three a spherical joint
  uint32_t count;       // of them
  InverseBall *balls;
  uint32_t *states;  // the column of each state; UINT32_MAX: no force depends on it, or it is a spherical joint's
  bool *used;        // columns
  const char **made; // "x'", ...: by splines
  uint32_t made_count;
} InversePlan;

// False: out of memory, or diags say what is wrong.
bool inverse_plan(Arena *arena, const System *system, const InverseTable *table, InversePlan *plan, Diags *diags);

typedef struct InverseForce {
  double largest, at; // the largest in size, and when
  // by inverse_error.h: what splines may put it off by, and when; NAN: nothing comes by splines, or it is not known.
  // The size with which that compares: the largest, or what accelerations take of it
  double error, error_at, size;
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

// Derivatives that the table does not have: q', q'' of every coordinate, then of every rotation, one column after the
// other. False: out of memory, or *out says why not.
bool inverse_motion(Arena *arena, const InversePlan *plan, const InverseTable *table, const double *values,
                    uint32_t rows, double *motion, InverseResult *out);
// The variables of the tape at a row; its accelerations and angular rates to zero.
void inverse_set_row(const InversePlan *plan, const double *row, const double *motion, uint32_t r, uint32_t rows);
void inverse_clear_accelerations(const InversePlan *plan);

// ---- inverse_balls.c

static inline uint32_t inverse_turns(const InversePlan *p) { return 3 * p->s.tree.balls.count; }
// Finds the columns of spherical joints and notes the derivatives that come from splines.
void inverse_ball_columns(Arena *arena, InversePlan *plan, const InverseTable *table, Diags *diags);
// Angular velocities and accelerations that the table does not have, into `motion` as inverse.c keeps it. A quaternion
// and its negative are one orientation: signs follow the row before. False: out of memory, or *out says why not.
bool inverse_ball_motion(Arena *arena, const InversePlan *plan, const InverseTable *table, const double *values,
                         uint32_t rows, double *motion, InverseResult *out);
uint32_t inverse_column(const InverseTable *table, const char *name); // UINT32_MAX: none
void inverse_missing(const InverseTable *table, const char *what, const char *name, Diags *diags);

#endif

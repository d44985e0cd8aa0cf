// Request and result of the kinematic position analysis (positions.h): the types that the files of this folder share.
//
// Rows: values of the drives, what is shown, and its first, second and third derivatives: by the time where the drive
// says how long it takes, by the value of a single drive else, by the part of the way (0 .. 1) of several.
#ifndef VIVA_POSITIONS_FOUND_H
#define VIVA_POSITIONS_FOUND_H

#include "base/sink.h"
#include "positions/assembly.h"
#include "positions/bifurcation.h"
#include "positions/follow.h"
#include "positions/synthesis.h"

typedef enum PositionsProblem {
  positions_initial,
  positions_successive,
  positions_path,
  positions_modes,
  positions_inverse,
  positions_deformed,
  positions_synthesis
} PositionsProblem;

typedef enum PositionsStatus {
  positions_done,
  positions_failed, // as far as it came: message, hint, place (a span)
  positions_bad_input,
  positions_interrupted,
  positions_no_memory
} PositionsStatus;

typedef enum RateBy { rate_by_time, rate_by_drive, rate_by_part } RateBy;

// A point where a drive turns back, or two branches cross.
typedef struct PositionsSpecial {
  FollowEnd kind;
  double *P;     // of drives
  double *z;     // unknowns and s
  double *shown; // values of what is shown
  uint32_t row;  // of the table; of a crossing the row behind it
  Bifurcation bifurcation;
  uint32_t again;     // of a bifurcation: the earlier one that it is, from 1 on; 0: none
  double unstable[3]; // of a bifurcation: before it, behind it, on the other way; NAN: not known
  double moved;       // of a deformed position: how far the least one behind it is; 0: it joins
} PositionsSpecial;

typedef struct PositionsRequest {
  PositionsProblem problem;
  const SystemDrive *drives; // instead of those of the system
  const double *ends;        // two for each of these, where numbers are known and not expressions; NULL: none
  uint32_t drive_count;      // 0: those of the system
  bool held;                 // of a deformed position: the drives stay where they start
  SynthesisRequest pass;     // of a synthesis: points, bounds, starts
  uint32_t mode;             // start from this assembly mode, from 1 on; 0: from the drawing
  bool resultants;           // modes by elimination, not by homotopy
  bool compare;              // modes by both
  uint64_t seed;             // of homotopies
  const int32_t *branches;   // of a path: take the other way at these bifurcations, from 1 on; below 0: in its opposite
  uint32_t branch_count;     // direction; straight on at all others
  bool through;              // go on behind dead points and crossings
  const Sink *sink;
  const ExprId *watch; // what pictures need
  uint32_t watch_count;
  const Sink *watcher;    // gets rows for them: their number, what is watched, and zeros
  uint32_t watch_columns; // numbers of such a row
  void (*progress)(void *self, double part);
  bool (*interrupted)(void *self);
  void *self;
} PositionsRequest;

// Of a load path.
typedef struct PositionsPath {
  bool branched;       // another way was taken at a bifurcation
  uint32_t corners;    // how often the equations switched
  uint64_t unjudged;   // steps that are not proved, at whose end the stability is not known
  VEC(double) between; // with one drive: points between rows. The row behind, the drive, what is shown
} PositionsPath;

typedef struct Positions {
  PositionsProblem problem;
  PositionsStatus status;
  bool held; // of a deformed position: what is driven is held at one value
  const System *system;
  const SystemDrive *drives;
  Places places;
  Places *soft; // of deformed positions: the elongations as equations
  Curve curve;
  const char *message, *hint;
  Span place;
  // what came out
  bool assembled;      // a position was found
  double missed;       // of inverse: how far the target is from what is reached
  double moved;        // of inverse: the root of the sum of squares of what coordinates moved by
  bool least;          // that is the least near by
  uint32_t starts;     // of inverse: the start that led there, from 1 on; 0: that of the model
  const char *limits;  // of inverse: "the limit of `q1`" that holds it; NULL: none does
  double *u, *P;       // the last one, and the values of the drives there
  uint32_t freedoms;   // of the mechanism, without its drives, there
  uint32_t redundant;  // equations that follow from others
  bool proved;         // branches are
  bool alone;          // the first position is proved to be the only one near by, the drives held
  uint32_t iterations; // of assembling
  uint64_t steps, refused;
  RateBy by;
  uint32_t columns;   // of a path the last one is the number of unstable directions
  double unstable;    // of the last position; NAN: not known
  const char **names; // of columns
  VEC(double) rows;   // the first ones
  uint64_t row_count;
  PositionsPath path;
  VEC(PositionsSpecial) specials;
  AssemblyModes modes; // of problem modes, and where one was asked for
  AssemblyModes other; // by elimination, beside them
  double apart;        // the largest distance between the two lists; NAN: they have not the same modes
  double error;        // of a deformed position: half the sum of squares of elongations
  Synthesis synthesis;
} Positions;

enum { positions_rows_kept = 100000 };

#endif

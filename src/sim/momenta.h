// Hamiltonian form for structure-preserving methods: a run in momenta, and the pairs of positions and velocities.
// parts: momenta_plan.c momenta_watch.c motion_momenta.c
//
// in    a Program's system, after it was rewritten for events
// out   tapes of the equations in (q, p), and from v to p and back (system/legendre.h); of a run all callbacks
#ifndef VIVA_SIM_MOMENTA_H
#define VIVA_SIM_MOMENTA_H

#include "hybrid/block.h"
#include "solve/ode.h"
#include "system/legendre.h"
#include "tape/jacobian.h"

struct SimProgram;
struct Run;

typedef struct MomentaPlan {
  Legendre legendre;
  uint32_t *place;   // where in y the velocity or momentum of each of its coordinates stands
  uint32_t *guessed; // where in y the velocities stand from which Newton's method starts
  uint32_t guess_count;
  const Tape *rates; // of t and z: z'
  const Tape *from;  // of t and y: the momenta
  const Tape *to;    // of t and z: the velocities
} MomentaPlan;

// Configurations at which the inertia of a coordinate vanishes, and with it the derivative of its momentum by velocity.
typedef struct MomentaReported {
  double t;           // of the state that is remembered
  uint32_t count;     // such configurations that were passed
  double first, last; // when
  uint32_t coord;     // whose the first one was
} MomentaReported;

// Of a run whose momenta are not linear in velocities (momenta_watch.c).
enum { momenta_looks = 5 };
typedef struct MomentaWatch {
  MomentaReported *told;
  double *before, *at;          // the state that is remembered; one between it and y
  double *matrix;               // workspace
  double *value[momenta_looks]; // by block, at points of a step
} MomentaWatch;

// Of a run: workspaces (block.h).
typedef struct MomentaRun {
  double *rates, *from, *to;
  MomentaWatch watch;
} MomentaRun;

typedef enum StructureVerdict {
  structure_fits,
  structure_no_memory,
  structure_circle,    // velocities do not follow from momenta alone
  structure_states,    // verlet: there is more than positions and velocities
  structure_velocities // verlet: accelerations depend on velocities
} StructureVerdict;

typedef struct StructureReport {
  StructureVerdict verdict;
  const char *name; // of the component or coordinate; NULL
  Span place;
} StructureReport;

// Before the system is rewritten for events: what it needs is added to it.
StructureReport momenta_define(struct SimProgram *p);
// Afterwards: the tapes; p->momenta stays NULL where y is as good.
StructureReport momenta_plan(struct SimProgram *p);
// The pairs of all components, for ode_verlet; j: the Jacobian.
StructureReport momenta_pairs(struct SimProgram *p, const TapeJacobian *j);

void momenta_cut(MomentaRun *m, const struct SimProgram *p, Cutter *cutter);
void momenta_prepare(struct Run *r);                        // parameters and held variables into the workspaces
void momenta_accept(void *self, double t, const double *y); // run_accept, where velocities are guessed as well
bool momenta_rates(void *self, double t, const double *z, double *dzdt);
const OdeMomenta *momenta_of(const struct Run *r); // NULL: none
bool momenta_watched(const struct SimProgram *p);  // momenta are not linear in velocities
void momenta_watch_cut(MomentaWatch *m, const struct SimProgram *p, Cutter *cutter);
void momenta_remember(struct Run *r, double t, const double *y); // a step starts there
void momenta_look(struct Run *r, double t, const double *y);     // it ended there
bool momenta_usable(const struct Run *r); // false: while dry friction sticks, whose values are found from y

#endif

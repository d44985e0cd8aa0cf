// What can be said of a model without running it: units, constants of motion, what does not count.
// parts: constants.c lumps.c power_balance.c damping_notes.c
#ifndef VIVA_ALGEBRA_FACTS_H
#define VIVA_ALGEBRA_FACTS_H

#include "system/system.h"

typedef struct FactName {
  const char *name, *kind; // "parameter", ...
  const char *unit;        // in SI; "": a plain number, NULL: not known
  const char *written;     // the unit as written, where it is another one; NULL
  bool inferred;           // it has no unit of its own
} FactName;

// A constant of motion, proved.
typedef struct FactConstant {
  const char *what; // "the energy", "the momentum of x"
  ExprId value;
  const char *condition; // "while F1 = 0"; NULL: always
} FactConstant;

// A remark: about a name, or a statement.
typedef struct FactRemark {
  const char *about, *says;
  Span span;
} FactRemark;

// Parameters that count only in combinations.
typedef struct FactLump {
  VEC(const char *) names;
  VEC(ExprId) by; // the combinations; none: these parameters do not count at all
  bool signs;     // only while none of them changes its sign
} FactLump;

// How far constraints let the coordinates go.
typedef struct FactFreedom {
  uint32_t coords, constraints; // no constraints: nothing to say
  uint32_t rank;                // on the constraint set
  bool numeric;                 // found at points in numbers
  const char *unknown;          // why the rank is not known; NULL
  VEC(const char *) redundant;  // constraints that follow from those before them
} FactFreedom;

// d(stored)/dt = supplied - dissipated.
typedef struct FactBalance {
  bool kept; // the model has energies
  ExprId stored, dissipated, supplied;
  bool proved;           // it is an identity of the equations; false: not looked at, or not decided
  bool between;          // but events change what is stored
  VEC(FactRemark) notes; // of dampers that drive, of forces that damp
} FactBalance;

typedef struct Facts {
  VEC(FactName) names;
  VEC(FactConstant) constants;
  VEC(FactRemark) remarks;
  VEC(FactLump) lumps;
  FactFreedom freedom;
  FactBalance balance;
  const char *energy_unit; // where it is not J; NULL
  bool cut;                // units: not all of the model was looked at
  const char *given_up;    // why a proof was given up; NULL: none was
} Facts;

// s must be a system over a pool of its own (system_clone). False: out of memory.
bool facts_find(System *s, Facts *facts);
void facts_constants(System *s, Facts *facts); // constants.c
void facts_lumps(System *s, Facts *facts);     // lumps.c
void facts_balance(System *s, Facts *facts);   // power_balance.c
void facts_damping(System *s, Facts *facts);   // damping_notes.c
// Do all events of the model leave the value as it is, proved?
bool facts_events_keep(System *s, ExprId value);
// May this energy give an impulse, which no equation has? Where it jumps with a symbol of these kinds.
bool facts_energy_jumps(System *s, const SystemTerm *e);
KindSet facts_impulse_kinds(System *s, const SystemTerm *e);
// Of all energies of the model: are the constants that follow from their derivatives true ones?
bool facts_energies_hold(System *s);
// Does a value stay as it is where inputs, blocks or delays jump?
bool facts_no_jumps_inside(System *s, ExprId value);

#endif

// What a system consists of, each with its name, unit and span in the text: parameters, coordinates, states, inputs,
// unknowns, outputs. A language fills these lists, a formulation makes equations of them, and all modules behind it
// read them in the System.
#ifndef VIVA_SYSTEM_QUANTITY_H
#define VIVA_SYSTEM_QUANTITY_H

#include "base/diag.h"
#include "expr/pool.h"
#include "system/dimension.h"

// There may be a million of them.
typedef struct SystemParam {
  SymbolId symbol;
  ExprId value; // of other parameters and numbers; 0: none was given
  const char *name;
  const Unit *unit; // never NULL
  const char *note;
  Dimension dim; // inferred
  Span span;
  bool structural; // a range or an index depends on it
} SystemParam;
typedef VEC(SystemParam) SystemParamList;

typedef struct SystemCoord {
  SymbolId q, v, a;
  const char *name;
  ExprId q0, v0; // start, of parameters
  bool said_q, said_v;
  Unit unit;
  Dimension dim; // inferred
  Span span;
} SystemCoord;
typedef VEC(SystemCoord) SystemCoordList;

// Where a stop of a coordinate begins, see lang/stop.c; its energies are terms of their own.
typedef struct SystemLimit {
  uint32_t coord;
  ExprId low, high; // of parameters; 0: none there
} SystemLimit;
typedef VEC(SystemLimit) SystemLimitList;

// What a state is for. A formulation whose positions and velocities do not pair up, as q' = S(q) w, brings them as
// states: the rate of a position is any expression.
typedef enum StateRole { state_plain, state_position, state_velocity } StateRole;

typedef struct SystemState {
  SymbolId x, rate;
  const char *name;
  ExprId x0;
  ExprId rhs;    // 0: no equation
  bool said;     // x0 was said, not guessed or left out
  bool implicit; // its rate is an unknown of implicit equations, or of a block of the formulation
  SymbolId of;   // of an unknown whose derivative is needed, so that it is integrated: the unknown; 0: none
  StateRole role;
  ExprId kinematic; // of a position of a joint: its rate, of positions and velocities; 0: none
  Unit unit;
  Dimension dim; // inferred
  Span span, equation;
  bool hidden;   // inside a block, shown by --all only
  bool assigned; // by a `when` or `every`
} SystemState;
typedef VEC(SystemState) SystemStateList;

// An algebraic unknown: declared, or where a cycle of `let`s was cut.
typedef struct SystemUnknown {
  SymbolId symbol;
  const char *name;
  ExprId guess; // of parameters
  Unit unit;
  Dimension dim;     // inferred
  const char *chain; // of a cycle: the cycle in words; NULL: declared
  Span span;
} SystemUnknown;
typedef VEC(SystemUnknown) SystemUnknownList;

// An implicit equation: left = right, residual = left - right.
typedef struct SystemEquation {
  ExprId left, right, residual;
  Span span;
  const char *label;
  SymbolId unknown; // of a cyclic definition: the one it is solved for; 0: any
  // of one that had to be differentiated (index.h):
  // it holds with its derivatives but the last, of which unknowns follow
  uint32_t times;
  ExprId *levels;     // all = 0: as it stands, then its derivatives, with rates put in; times + 1 of them
  const char *joined; // other equations that were added to it: "lines 7 and 8"; NULL: none
} SystemEquation;
typedef VEC(SystemEquation) SystemEquationList;

typedef struct SystemInput {
  SymbolId symbol;
  const char *name;
  ExprId value;
  Unit unit;
  Dimension dim; // inferred
  Span span;
} SystemInput;
typedef VEC(SystemInput) SystemInputList;

// u', u'', ...: made where the text asks for them
typedef struct SystemInputRate {
  SymbolId symbol;
  uint32_t input, order;
  Span span; // where it was asked for first
} SystemInputRate;
typedef VEC(SystemInputRate) SystemInputRateList;

typedef enum EnergyKind {
  energy_kinetic,
  energy_potential,
  energy_lagrangian,
  energy_dissipation,
  energy_power
} EnergyKind;

typedef struct SystemTerm {
  EnergyKind kind;
  ExprId value;
  Span span;
} SystemTerm;
typedef VEC(SystemTerm) SystemTermList;

typedef struct SystemForce {
  uint32_t coord;
  ExprId value;
  Span span;
} SystemForce;
typedef VEC(SystemForce) SystemForceList;

typedef struct SystemOutput {
  const char *name;
  ExprId value;
  Unit unit;
  Span span;
  const char *si; // its unit in tables and pictures, as printed; "": a plain number, NULL: not known
} SystemOutput;
typedef VEC(SystemOutput) SystemOutputList;

typedef struct SystemTable {
  const char *text; // as written, for printing
  const char *path; // of the file
  double *x, *y;
  uint32_t count;
} SystemTable;
typedef VEC(SystemTable) SystemTableList;

// `inverse(f)(y)`: the function, of a bound variable.
typedef struct SystemInverse {
  ExprId body, slope;
  SymbolId variable;
  const char *name; // of the function
  Span span;
} SystemInverse;
typedef VEC(SystemInverse) SystemInverseList;

// What the text divides by, for telling where when it turns out to be zero.
typedef struct SystemDivision {
  ExprId by;
  Span span;
} SystemDivision;
typedef VEC(SystemDivision) SystemDivisionList;

// Which block or function of the text an expression with corners or jumps came from.
typedef struct SystemPlace {
  ExprId node;
  const char *word;
  Span span;
} SystemPlace;
typedef VEC(SystemPlace) SystemPlaceList;

// The output of a block without a symbol of its own that stands inside an expression.
typedef struct SystemBlock {
  const char *name;
  ExprId value;
} SystemBlock;
typedef VEC(SystemBlock) SystemBlockList;

// A name of the text that stands for parameters, an input, a definition or a function, and whether it occurs anywhere.
typedef enum NameKind { name_param, name_input, name_let, name_fun } NameKind;
typedef struct SystemName {
  NameKind kind;
  const char *name;
  uint32_t first, count; // into params or inputs
  bool used;
  bool structural; // a range or an index depends on it
  Span span;
} SystemName;
typedef VEC(SystemName) SystemNameList;

// The rate of an input or of a rate of one: found in the list, or made and put there. 0: out of memory.
SymbolId input_rate(Arena *arena, ExprPool *pool, SystemInputRateList *rates, SymbolId of, Span span);

#endif

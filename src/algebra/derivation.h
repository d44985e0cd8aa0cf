// The equations of a model, ready to be shown: what derive.c and its helpers fill, and show/ writes.
//
// Equations are lhs = rhs in the order of the model; matrices with a sum that says how they make one equation; inputs,
// memory blocks, delays and events as a textbook writes them (statements.c); notes in words.
#ifndef VIVA_ALGEBRA_DERIVATION_H
#define VIVA_ALGEBRA_DERIVATION_H

#include "system/system.h"

enum { derive_most_terms = 20000 }; // of one expansion: what has more stays as it is. Nobody reads more

typedef enum DeriveForm {
  form_lagrange,
  form_matrices,
  form_state,
  form_solved,
  form_kinematics,
  form_hamilton
} DeriveForm;

struct Steps;
struct PortForm;

typedef struct DeriveStyle {
  bool factor;     // products of factors
  bool expand;     // multiplied out, common factors not taken out
  uint32_t digits; // not 0: with the values of the parameters, in that many digits
  bool steps;      // the derivation line by line
  bool origins;    // which statement each term comes from
  bool reduce;     // without cyclic coordinates, in the forms of first order
} DeriveStyle;

// "for i in 2 .. n-1": what it stands behind stands for many.
typedef struct ShownRange {
  const char *letter; // i
  int64_t from;
  const char *name; // of a parameter that ends it; NULL: a number does
  int64_t to;       // that number, or what is added to the parameter
  const char *end;  // where it ends, in plain words: n-1
  const char *text; // the whole in plain words
} ShownRange;

// A part of a sum: all terms that differ in their index alone, or the rest of it.
typedef struct ShownTerm {
  ExprId value;
  bool minus;               // it is taken away; the value itself is without the sign
  const ShownRange *repeat; // NULL: the rest
} ShownTerm;
typedef VEC(ShownTerm) ShownTerms;

// lhs = rhs, of a coordinate or state
typedef struct ShownEquation {
  const char *of;
  ExprId lhs, rhs; // lhs 0: the time derivative of `of`, or of `combination` where that is given
  Span span;
  ExprId combination;
  SymbolId symbol;          // of `of`; 0: none
  bool held;                // it keeps its value between the events that set it
  const ShownRange *repeat; // NULL: it stands for itself
} ShownEquation;

// What stands beside the equations: memory blocks, delays and events (statements.c).
typedef enum CaseValue {
  case_value,     // an expression
  case_delayed,   // an expression, `time` ago
  case_as_it_was, // the value so far
  case_holding    // the sticking force that keeps `where` at zero, limited by an expression
} CaseValue;

typedef enum CaseWhere {
  where_holds,     // a condition
  where_otherwise, // else
  where_was_below, // the value so far is below this one
  where_was_above,
  where_pulse,  // for a while from each moment at which a condition becomes true
  where_at_rest // an expression is zero
} CaseWhere;

// value, where condition
typedef struct ShownCase {
  CaseValue is;
  CaseWhere at;
  ExprId value, where, time; // 0: none
} ShownCase;

// What a block is made of, for programs: names as in the list of blocks.
typedef struct ShownPart {
  const char *name;
  ExprId value;
} ShownPart;

enum { most_cases = 8, most_parts = 3 }; // none of the blocks of the language has more

// A symbol that a block gives: its cases, the first that holds counts.
typedef struct ShownBlock {
  const char *word; // hysteresis, latch, pulse, backlash, delay, friction
  SymbolId symbol;
  uint32_t case_count, part_count;
  ShownCase cases[most_cases];
  ShownPart parts[most_parts];
  ExprId before; // its value before the start; 0: it has none
  Span span;
  const ShownRange *repeat;
} ShownBlock;

typedef struct ShownAssign {
  SymbolId symbol; // x, x' or a state
  ExprId value;    // of the old values
} ShownAssign;

typedef struct ShownEvent {
  ExprId condition; // when it becomes true; 0: every period
  ExprId period;
  VEC(ShownAssign) assigns;
  bool stop;
  Span span;
  const ShownRange *repeat;
} ShownEvent;

// The row or the column of an entry, counted from 1: factor*i + add of a stretch, else `add`.
typedef struct ShownPlace {
  uint32_t factor;
  int64_t add;
} ShownPlace;

// An entry of a matrix, or all of a stretch: (i, i), (i, i+1), (i, 2*i-1).
typedef struct ShownEntry {
  ShownPlace row, col;
  ExprId value;
  const ShownRange *repeat;
} ShownEntry;

typedef struct ShownMatrix {
  const char *name;    // M, C, ...
  const char *meaning; // in words
  uint32_t rows, cols;
  ExprId *items;
  const ShownEntry *entries; // where stretches repeat: what is not zero, of a symmetric one the upper half
  uint32_t entry_count;      // 0: nothing repeats
  bool symmetric, zeros;     // said beside the entries: are others zero?
} ShownMatrix;

// A part of an equation, and the statement that it comes from (origins.c).
typedef enum OriginKind {
  origin_inertial,
  origin_elastic,
  origin_dissipative,
  origin_coupling,
  origin_control,
  origin_kinds
} OriginKind;
typedef struct ShownOrigin {
  const char *of; // the coordinate or state whose equation it is
  OriginKind kind;
  const char *word; // of the statement: "kinetic"
  ExprId value;
  Span span;
  bool right; // it stands on the right side
} ShownOrigin;

// What readers see of constraints, blocks and events: those that repeat stand once. Programs get all of them.
typedef struct ShownOnce {
  VEC(ShownEquation) constraints;
  VEC(ShownBlock) blocks;
  VEC(ShownEvent) events;
} ShownOnce;

typedef struct Derivation {
  ExprPool *pool; // where the expressions live
  DeriveForm form;
  VEC(ShownEquation) equations;
  VEC(ShownMatrix) matrices;
  VEC(ShownEquation) shared;      // common subexpressions of the matrices, each after those it refers to; none: small
  VEC(ShownEquation) constraints; // value = 0
  ShownMatrix jacobian;           // G of their rates by velocities; no rows: none
  VEC(ShownEquation) inputs;
  VEC(ShownBlock) blocks;
  VEC(ShownEvent) events;
  ShownOnce once;
  const char *sum;              // of the matrices: M*q'' + C*q' + ... = B*u + r
  VEC(ShownOrigin) origins;     // where terms come from; none: it was not asked for
  VEC(const char *) notes;      // cyclic coordinates, constants of motion, what was done
  const struct Steps *steps;    // the derivation line by line; NULL: it was not asked for
  bool decimals;                // numbers are rounded: 0.5, not 1/2
  bool repeats;                 // the equations are the last lines of the steps, and in no other dress
  const char *refused;          // why it is not shown; NULL: it is
  const struct PortForm *ports; // of the form hamilton; NULL: another one
} Derivation;

#endif

// A model: the declared things of a file, elaborated into expressions, every one with its place.
#ifndef VIVA_LANG_MODEL_H
#define VIVA_LANG_MODEL_H

#include "base/diag.h"
#include "expr/pool.h"
#include "lang/ast.h"
#include "lang/dimension.h"

typedef struct ModelParam {
  SymbolId symbol;
  const char *name;
  ExprId value; // of other parameters and numbers; 0: none was given
  Unit unit;
  Dimension dim; // inferred
  const char *note;
  Span span;
  bool structural; // a range or an index depends on it
} ModelParam;

typedef struct ModelCoord {
  SymbolId q, v, a;
  const char *name;
  ExprId q0, v0; // start, of parameters
  bool said_q, said_v;
  Unit unit;
  Dimension dim; // inferred
  Span span;
} ModelCoord;

typedef struct ModelState {
  SymbolId x, rate;
  const char *name;
  ExprId x0;
  ExprId rhs;    // 0: no equation
  bool implicit; // its rate stands in implicit equations
  Unit unit;
  Dimension dim; // inferred
  Span span, equation;
  bool hidden;   // inside a block, shown by --all only
  bool assigned; // by a `when` or `every`
} ModelState;

// An algebraic unknown: declared, or where a circle of `let`s was cut.
typedef struct ModelUnknown {
  SymbolId symbol;
  const char *name;
  ExprId guess; // of parameters
  Unit unit;
  Dimension dim;     // inferred
  const char *chain; // of a circle: the circle in words; NULL: declared
  Span span;
} ModelUnknown;

// An implicit equation: left = right, residual = left - right.
typedef struct ModelEquation {
  ExprId left, right, residual;
  Span span;
  const char *label;
  SymbolId own; // of a circle of definitions: its unknown
} ModelEquation;

typedef struct ModelInput {
  SymbolId symbol;
  const char *name;
  ExprId value;
  Unit unit;
  Dimension dim; // inferred
  Span span;
} ModelInput;

// u', u'', ...: made where the text asks for them
typedef struct ModelInputRate {
  SymbolId symbol;
  uint32_t input, order;
  Span span; // where it was asked for first
} ModelInputRate;

typedef struct ModelEnergy {
  StmtKind kind; // kinetic, potential, lagrangian, dissipation or power
  ExprId value;
  Span span;
} ModelEnergy;

typedef struct ModelForce {
  uint32_t coord;
  ExprId value;
  Span span;
} ModelForce;

typedef struct ModelOutput {
  const char *name;
  ExprId value;
  Unit unit;
  Span span;
  const char *si; // its unit in tables and pictures, as printed; "": a plain number, NULL: not known
} ModelOutput;

// A `plot` line: curves over time, or against something.
typedef struct ModelPlot {
  VEC(ModelOutput) curves;
  ModelOutput against; // value 0: over time
  bool x_log, y_log;
  Span span;
} ModelPlot;

typedef enum ShapeKind {
  shape_rod,
  shape_spring,
  shape_vector,
  shape_mass,
  shape_trail,
  shape_cart,
  shape_ground,
  shape_kinds
} ShapeKind;

// A shape of a `draw` line with its points: two for a rod, spring or vector, else one.
typedef struct ModelShape {
  ShapeKind kind;
  uint32_t count; // of points
  uint32_t dims;  // 2 or 3 numbers a point
  ExprId points[2][3];
  const char *si; // unit of the first point, see ModelOutput
  Span span;
} ModelShape;

typedef struct ModelTable {
  const char *text; // as written, for printing
  const char *path; // of the file
  double *x, *y;
  uint32_t count;
} ModelTable;

// `inverse(f)(y)`: the function, of a bound variable.
typedef struct ModelInverse {
  ExprId body, slope;
  SymbolId variable;
  const char *name; // of the function
  Span span;
} ModelInverse;

typedef struct ModelSimulate {
  ExprId to, step, every; // 0: not said
  const char *method;     // NULL: not said
  Span span;
} ModelSimulate;

// A list that was given for a number: each of its entries is a member of a family of models.
typedef struct ModelVaried {
  const char *name;
  const Item *list, *item; // all values, and the one of this member
  ExprId value;            // of this member
  double number;           // the same, once the model is built
} ModelVaried;
// What the text divides by, for telling where when it turns out to be zero.
typedef struct ModelDivision {
  ExprId by;
  Span span;
} ModelDivision;

// What a block remembers. It changes at events only: then symbol = rule, where `before` stands for the old value.
typedef struct ModelMemory {
  SymbolId symbol, before;
  const char *name, *block;
  ExprId start; // the old value at the start; may depend on the motion there
  ExprId rule;
  ExprId stage; // the rule of a run without events, taken at every evaluation; 0: the same
  // with events the symbol stands for this expression instead; 0: it has a rule. Behind it come the memories of the
  // side that is in touch (0: none) and of the place where it rests; jumps are measured by `size`
  ExprId follow, size;
  ExprId of[2]; // for showing: trigger and time of a pulse, input and gap of a backlash
  bool logic;   // 0 or 1
  bool by_step; // without events: changes at the first evaluation of a step only
  bool located; // for runs with events only
  Span span;
} ModelMemory;

// symbol(t) = input(t - time); before the start history(t - time).
typedef struct ModelDelay {
  SymbolId symbol;
  const char *name;
  ExprId input, time, history;
  Span span;
} ModelDelay;

// A force against v: -slip or slip in motion; at v = 0 what holds v there, up to stick.
typedef struct ModelFriction {
  SymbolId symbol;
  const char *name;
  ExprId v, slip, stick;
  Span span;
} ModelFriction;

// A condition that must not hold: at the start (of parameters alone), or during the motion.
typedef struct ModelCheck {
  ExprId wrong;
  DiagCode code;
  const char *message;
  Span span;
} ModelCheck;

typedef enum AssignKind { assign_place, assign_velocity, assign_state } AssignKind;
typedef struct ModelAssign {
  AssignKind kind;
  uint32_t index; // of the coordinate or state
  ExprId value;
  Span span;
} ModelAssign;

// when condition do ..., every period do ...
typedef struct ModelWhen {
  ExprId condition; // 0: every
  ExprId period;
  VEC(ModelAssign) assigns;
  bool stop;
  Span span;
} ModelWhen;

// Which block or function of the text an expression with corners or jumps came from.
typedef struct ModelPlace {
  ExprId node;
  const char *word;
  Span span;
} ModelPlace;

// The output of a block without a symbol of its own that stands inside an expression.
typedef struct ModelBlock {
  const char *name;
  ExprId value;
} ModelBlock;

struct Elab;

typedef struct Model {
  Arena *arena;
  Sources sources;
  Diags diags;
  ExprPool pool;
  const char *title; // NULL: none
  SymbolId time;
  VEC(ModelParam) params;
  VEC(ModelCoord) coords;
  VEC(ModelState) states;
  VEC(ModelUnknown) unknowns;
  VEC(ModelEquation) implicit;
  VEC(ModelInput) inputs;
  VEC(ModelInputRate) input_rates;
  VEC(ModelEnergy) energies;
  VEC(ModelForce) forces;
  VEC(ModelForce) accelerations; // x'' = ...
  VEC(ModelOutput) outputs;
  VEC(ModelOutput) signals; // every other named scalar: lets
  VEC(ModelTable) tables;
  VEC(ModelInverse) inverses;
  VEC(ModelPlot) plots;
  VEC(ModelShape) shapes;
  ModelSimulate simulate;
  VEC(ModelVaried) varied;
  size_t members;       // of the family; 1 without one
  Dimension energy_dim; // of all energies: joule, unless the units say otherwise
  bool units_cut;       // too large: not all of it was looked at
  VEC(ModelDivision) divisions;
  VEC(ModelMemory) memories;
  VEC(ModelDelay) delays;
  VEC(ModelFriction) frictions;
  VEC(ModelCheck) demands; // of parameters
  VEC(ModelCheck) checks;  // of the motion
  Span start_set;          // a start that --set changes
  VEC(ModelWhen) whens;
  VEC(ModelPlace) places;
  VEC(ModelBlock) blocks;
  const struct Elab *scope;      // the names, for texts that come later (lang/scope.h)
  const struct Program *program; // the statements of its file, as they were parsed (lang/ast.h)
} Model;

// Calls for every expression that a table or picture shows. The call returns true when it has reported the span: what
// else stands at the same place is left out then.
typedef bool ShownVisit(void *self, ExprId value, Span span);
void model_each_shown(const Model *model, ShownVisit *visit, void *self);

typedef struct ModelOptions {
  const char *case_name;  // NULL: none
  const char *const *set; // "name=value"
  size_t set_count;
  const char *const *input; // "u=EXPR"
  size_t input_count;
  size_t member;  // of a family, from 0
  bool strict;    // a clash of units is an error
  bool confined;  // files must lie in the model's folder or below it
  uint32_t limit; // smaller limits of expressions and evaluations, for tests; 0: the usual ones
} ModelOptions;

// Reads and elaborates. Problems are in model->diags; false when memory is out.
bool model_read(Model *model, Arena *arena, const char *path, const char *text, size_t length,
                const ModelOptions *options);

// The symbol that is the time derivative of a coordinate, velocity, state, input or rate of an input; 0: there is none.
// Rates of inputs are made where they are asked for.
SymbolId model_rate(Model *model, SymbolId symbol, Span span);

#endif

// A model: the declared things of a file, elaborated into expressions, every one with its span in the text.
// parts: elaborate.c
#ifndef VIVA_LANG_MODEL_H
#define VIVA_LANG_MODEL_H

#include "base/diag.h"
#include "lang/ast.h"
#include "system/described.h"
#include "system/variant.h"

// A list that was given for a number: each of its entries is a member of a family of models.
typedef struct ModelVaried {
  const char *name;        // as it is shown: k, x(0), x'(0)
  const char *setting;     // as `--set` calls it: k, x, x'
  const char *quantity;    // whose value it is: k, x, x
  bool start, rate;        // the value at the start; that of the rate of a coordinate
  const Item *list, *item; // all values, and the one of this member
  uint32_t entry, count;   // its index among them
  uint32_t column;         // of a list of lists: which entry of each it is, from 0; those of one list vary together
  uint32_t columns;        // how many; 0: a value is a number
  const ExprId *values;    // of all; 0: it has none, which is reported
  VariantKind kind;        // which number of the system it is
  uint32_t index;
} ModelVaried;

struct Elab;

typedef struct Model {
  Arena *arena;
  Sources sources;
  Diags diags;
  ExprPool pool;
  union {
    SystemDescribed described;
    struct {
#include "system/described.def"
    };
  };
  VEC(ModelVaried) varied;
  size_t members;                // of the family; 1 without one
  const char *chosen;            // the name of its case; NULL: none
  const struct Elab *scope;      // the names, for texts that come later (lang/scope.h)
  const struct Program *program; // the statements of its file, as they were parsed (lang/ast.h)
} Model;

typedef struct ModelOptions {
  const char *case_name;  // NULL: none
  const char *const *set; // "name=value"
  size_t set_count;
  const char *const *input; // "u=EXPR"
  size_t input_count;
  const char *fit;         // the text of a `fit` line, instead of those of the file; NULL: none
  const char *data;        // the data file of a fit (fit_options.h); NULL: that of the file's line
  const char *const *free; // "k=0:10": unknowns, instead of those of the lines
  size_t free_count;
  const char *const *by; // "x sd 0.01": what was measured, instead of that of the line
  size_t by_count;
  const char *const *taps; // names of `let`s and outputs that are inputs with their expression as value, so that a path
                           // may enter there
  size_t tap_count;
  bool lists;       // nodes and bars that are alone in a model stay lists: no equations are made of them
  double stiffness; // of bars that are springs instead of rigid; 0: they are rigid
  size_t member;    // of a family, from 0
  bool strict;      // a clash of units is an error
  bool confined;    // files must lie in the model's folder or below it
  uint32_t limit;   // smaller limits of expressions and evaluations, for tests; 0: the usual ones
} ModelOptions;

// Reads and elaborates. Problems are in model->diags; false when out of memory.
bool model_read(Model *model, Arena *arena, const char *path, const char *text, size_t length,
                const ModelOptions *options);

// The symbol that is the time derivative of a coordinate, velocity, state, input or rate of an input; 0: there is none.
// Rates of inputs are made where they are asked for.
SymbolId model_rate(Model *model, SymbolId symbol, Span span);

#endif

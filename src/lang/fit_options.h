// What a command line says about a fit, as a `fit` statement: the data file, unknowns, what was measured.
#ifndef VIVA_LANG_FIT_OPTIONS_H
#define VIVA_LANG_FIT_OPTIONS_H

#include "lang/ast.h"
#include "lang/model.h"

// Changes the `fit` statements of a program. What the options leave open is taken from them: new data keeps unknowns
// and measured columns, new unknowns keep data. False: out of memory; diags say what is wrong.
bool fit_options_take(Model *model, Program *program, const ModelOptions *options);

#endif

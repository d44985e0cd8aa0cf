// The evaluators of words.def: FUNCTION (functions.c), and what they share with blocks.
#ifndef VIVA_LANG_FUNCTIONS_H
#define VIVA_LANG_FUNCTIONS_H

#include "lang/eval.h"

typedef Value WordCall(Elab *e, const Ast *a, const Binding *env);

#define FUNCTION(word, least, most, shape, rule, picture, line) WordCall call_##word;
#include "lang/words.def"

bool function_scalars(Elab *e, const Ast *a, const Binding *env, ExprId *out); // all arguments; false: reported
// The bound variable of this nesting; equal integrals get equal variables. 0: reported.
SymbolId function_bound(Elab *e, const char *name, Span span);

#endif

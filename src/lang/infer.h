// Dimensions of names and expressions, inferred from what the units, energies and equations of a model say.
// parts: infer_model.c infer_shown.c
#ifndef VIVA_LANG_INFER_H
#define VIVA_LANG_INFER_H

#include "lang/elab.h"
#include "system/dimension.h"

void infer_model(Elab *e); // from declarations, energies, forces and equations
// The SI units of what is shown: an expression, or a declared name. count texts: "": a plain number, NULL: not known.
const char **infer_shown(Elab *e, const Ast *a, Decl *d, const Binding *env, uint32_t count);
// Can it be shown in this unit, as far as its own is known? False: reported.
bool infer_shows_in(Elab *e, const Ast *a, const Binding *env, const Unit *unit);
// The same of the end of its axis, which stands at `end`.
bool infer_ends_in(Elab *e, const Ast *a, const Binding *env, const Unit *unit, Span end);
void infer_finish(Elab *e); // into the model

#endif

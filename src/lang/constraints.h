// Constraints and their multipliers.
#ifndef VIVA_LANG_CONSTRAINTS_H
#define VIVA_LANG_CONSTRAINTS_H

#include "lang/elab.h"

void constraint_declare(Elab *e, const Item *item, const Binding *env); // the multiplier of one, in the present scope
Value constraint_value(Elab *e, Decl *d, Span use);                     // its multiplier, a symbol an entry
void constraints_read(Elab *e);                                         // all of them into the model

#endif

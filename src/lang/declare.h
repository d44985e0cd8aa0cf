// The names that statements declare.
#ifndef VIVA_LANG_DECLARE_H
#define VIVA_LANG_DECLARE_H

#include "lang/elab.h"

void declare_names(Elab *e, Scope *scope, int pass); // 0: what is known at once, 1: what a range or an index decides

#endif

// Parts: the file of a `use` as a scope of its own.
#ifndef VIVA_LANG_PARTS_H
#define VIVA_LANG_PARTS_H

#include "lang/elab.h"

bool part_allowed(Elab *e, const Stmt *s);               // may this `use` bring in a part? False: reported
Scope *part_load(Elab *e, const Stmt *s, const Decl *d); // NULL: reported, or out of memory

// Numbers the coordinates of a robot, which were declared from the index `first` on: arm.q[1], arm.q[2], ...
void part_number(Elab *e, Scope *part, uint32_t first);

#endif

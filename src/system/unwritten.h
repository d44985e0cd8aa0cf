// Trees of many bodies move by a recursion alone: M, h and momenta are not there as expressions (form/tree_large.c).
// Whoever needs them asks first.
#ifndef VIVA_SYSTEM_UNWRITTEN_H
#define VIVA_SYSTEM_UNWRITTEN_H

#include "system/system.h"

static inline bool system_is_unwritten(const System *s) {
  return s->tree.links.count > 0 && s->solved && s->bodies.count == 0;
}

#endif

// Why something cannot be made, where memory is not the reason.
//
// A stage that gives up returns NULL or false, as one that is out of memory does. It leaves its reason in the arena, so
// that nobody calls it "out of memory": the first reason stays, and the parents of the arena get it, too.
#ifndef VIVA_BASE_REFUSE_H
#define VIVA_BASE_REFUSE_H

#include "base/arena.h"

void arena_refuse(Arena *arena, const char *why);
const char *arena_reason(const Arena *arena); // NULL: none was left, or an allocation failed

#endif

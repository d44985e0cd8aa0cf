// From the model in the language to the described system.
#ifndef VIVA_FORM_DESCRIBE_H
#define VIVA_FORM_DESCRIBE_H

#include "lang/model.h"
#include "system/system.h"

// The equations of a model; of nodes and bars that are alone and stay lists, none. Problems go to the model's
// diagnostics; false: out of memory.
bool system_build(System *s, Model *model);
// The same system over a copy of its model that has grown since (lang/scope.h): with its pool, its problems, and what
// texts that were read into it have added.
System system_over(const System *s, Model *grown);

#endif

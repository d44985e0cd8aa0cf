// Initial conditions, inputs and parameters: what is given, not computed by the simulation.
#ifndef VIVA_LANG_GIVEN_H
#define VIVA_LANG_GIVEN_H

#include "lang/elab.h"

// The start that an item says; again: by a setting, which may say it once more.
void given_start(Elab *e, const Item *item, const char *name, const Binding *env, bool again, bool said);
void given_starts(Elab *e); // those of declarations
void given_inputs(Elab *e);
void given_circles(Elab *e); // of rates of inputs: reported
void given_params(Elab *e);

#endif

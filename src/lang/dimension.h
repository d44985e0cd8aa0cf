// Units of expressions for axes: everything is shown in SI.
#ifndef VIVA_LANG_DIMENSION_H
#define VIVA_LANG_DIMENSION_H

#include "lang/model.h"

// The SI unit of an expression as printed ("m/s²"); "": a plain number, NULL: not known. In the model's arena.
const char *model_unit_text(Model *model, ExprId id);
// The same of a declared unit, for the time derivative of order `seconds`.
const char *unit_si_text(Arena *arena, const Unit *unit, int seconds);

#endif

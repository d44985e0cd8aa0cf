// The blocks that functions and blocks of the language are drawn as.
#ifndef VIVA_DIAGRAM_PICTURES_H
#define VIVA_DIAGRAM_PICTURES_H

#include "diagram/diagram_parts.h"

DiagramRef picture_call(DiagramBuilder *b, const Ast *a);         // f(x, ...)
DiagramRef picture_signal_block(DiagramBuilder *b, const Ast *a); // step(t - 1), ramp(t)
bool picture_is_signal(const char *word);                         // step, ramp

#endif

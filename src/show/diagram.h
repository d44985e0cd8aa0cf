// Block diagrams as drawings, and as text for Graphviz.
#ifndef VIVA_SHOW_DIAGRAM_H
#define VIVA_SHOW_DIAGRAM_H

#include "diagram/diagram.h"
#include "show/drawing.h"

bool show_diagram(Arena *arena, const Diagram *diagram, bool dark, Drawing *drawing); // false: out of memory
void show_diagram_dot(const Diagram *diagram, Text *out);

#endif

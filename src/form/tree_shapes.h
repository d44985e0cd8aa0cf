// The picture of a tree of bodies.
#ifndef VIVA_FORM_TREE_SHAPES_H
#define VIVA_FORM_TREE_SHAPES_H

#include "system/system.h"
#include "system/tree_links.h"

bool tree_add_shapes(System *s, TreeMaker *m); // unless there are `draw` lines; false: out of memory

#endif

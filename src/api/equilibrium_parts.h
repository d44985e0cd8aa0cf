// What stands behind the handle of an equilibrium: a model like others, or a structure of bars.
// parts: equilibrium_structure.c equilibrium_drawing.c
#ifndef VIVA_API_EQUILIBRIUM_PARTS_H
#define VIVA_API_EQUILIBRIUM_PARTS_H

#include "api/handles.h"
#include "show/figure.h"
#include "show/structure.h"

#include <pthread.h>

// Made when asked for, under a lock: threads may share an equilibrium.
typedef struct EquilibriumTexts {
  pthread_mutex_t lock;
  Arena *arena;
  bool any;            // there is something to tell
  const char *text[2]; // text, JSON; NULL: not yet
} EquilibriumTexts;

// Of a structure, as the public functions count them.
typedef struct StructureValues {
  size_t count;
  const char **names;
  double *values;
} StructureValues;

struct viva_equilibrium {
  Arena *arena;
  Operating operating;
  Equilibria found;
  bool done;
  BarsReport *structure; // of nodes, bars and springs alone; NULL: not one
  const StructureValues *values;
  Figure figure; // the shapes of `draw` lines, a row each equilibrium
  EquilibriumTexts *texts;
  const char *message;
};

// Nodes, bars and springs and nothing else: the numbers of structures know it better.
bool structure_alone(const viva_model *model);
viva_status structure_find(viva_equilibrium *e, const viva_model *model, const viva_equilibrium_options *o);

// Shapes where things rest, for a drawing. False: out of memory.
bool equilibrium_keep_shapes(viva_equilibrium *e);

#endif

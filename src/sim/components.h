// The components of y, in their order: one list that everybody in this room asks.
#ifndef VIVA_SIM_COMPONENTS_H
#define VIVA_SIM_COMPONENTS_H

#include "system/system.h"

typedef enum ComponentKind { component_position, component_velocity, component_state } ComponentKind;

typedef struct Component {
  ComponentKind kind;
  uint32_t of;          // the coordinate or state
  SymbolId variable;    // what is integrated; 0: it is computed, and the place stays as it is
  SymbolId shown;       // the position, velocity or state itself
  ExprId rate, start;   // rate 0 where it is computed; the start is of parameters
  const char *name;     // "x'"
  const char *declared; // "x"
  Span span;            // of the declaration
} Component;

typedef struct Components {
  Component *items;
  uint32_t count;    // the size of y, without quadratures
  uint32_t kinds[2]; // where positions and velocities end
} Components;

// The system's pool must be one of its own. False: memory is out.
bool components_list(System *s, Components *out);

#endif

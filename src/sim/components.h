// The components of the state vector y: the order is the system's (system/layout.h); here are their names.
#ifndef VIVA_SIM_COMPONENTS_H
#define VIVA_SIM_COMPONENTS_H

#include "system/system.h"

typedef struct SimComponent {
  ComponentKind kind;
  uint32_t of;          // the coordinate or state
  SymbolId variable;    // what is integrated; 0: it is computed, and its entry of y stays as it is
  SymbolId shown;       // the position, velocity or state itself
  ExprId rate, start;   // the rate is 0 where it is computed; the start is of parameters
  const char *name;     // "x'"
  const char *declared; // "x"
  Span span;            // of the declaration
} SimComponent;

typedef struct Components {
  SimComponent *items;
  uint32_t count; // components that move
  uint32_t total; // with the quadratures behind them: flows of the energy account
  uint8_t *kinds; // of those that move: OdeKind
} Components;

// The system's pool must be one of its own. False: out of memory.
bool components_list(System *s, Components *out);

#endif

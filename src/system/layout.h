// The order of y: one table of components, and nothing else computes an index in it.
#ifndef VIVA_SYSTEM_LAYOUT_H
#define VIVA_SYSTEM_LAYOUT_H

#include "system/quantity.h"

typedef enum ComponentKind {
  component_position,
  component_velocity, // or a combination of velocities (Speed), or angular velocities
  component_state,
  component_quadrature // a flow of the account, summed up; enters nothing
} ComponentKind;

// Which list of the System it comes from.
typedef enum ComponentOrigin { of_coord, of_state, of_flow } ComponentOrigin;

// One integrated number.
typedef struct Component {
  ComponentKind kind;
  SymbolId symbol;  // 0: an empty slot (its coordinate's position or velocity is computed), or a quadrature
  ExprId rate;      // its time derivative; 0: of an empty slot
  ExprId start;     // of parameters
  const char *name; // "": an empty slot
  const Unit *unit; // as it was declared; NULL: none
  const Dimension *dim;
  uint32_t derivative; // 1: the unit and the dimension are those of what it is the rate of
  ComponentOrigin from;
  uint32_t of; // coordinate, state or flow
  Span span;
} Component;
typedef VEC(Component) ComponentList;

static const uint32_t no_place = UINT32_MAX;

struct System;
// Makes the table: after the structure is known, and again when states were added. False: out of memory.
bool system_layout(struct System *s);
// Where a symbol is integrated; no_place: nowhere.
uint32_t system_place(const struct System *s, SymbolId symbol);
// How many components move: all but the quadratures, which come last.
uint32_t system_dim(const struct System *s);

#endif

// The geometry of a linkage as expressions, made where somebody asks for them: coordinates of nodes, lengths, forces.
//
// A direction that is free is a coordinate B.x, made for all nodes at once, so that their order is that of the nodes; a
// fixed one is the expression of its position. Everything here works on what was described, for the language and for
// the formulation alike.
#ifndef VIVA_SYSTEM_BARS_H
#define VIVA_SYSTEM_BARS_H

#include "system/described.h"

typedef struct Bars {
  SystemDescribed *d;
  Arena *arena;
  ExprPool *pool;
} Bars;

typedef struct BarsVector {
  ExprId at[3]; // in a plane the third is 0
} BarsVector;

bool bars_coords(Bars *b); // of every free direction and every torsion angle; false: out of memory
// A further coordinate, of this name and start; its number plus one. 0: out of memory.
uint32_t bars_add_coord(Bars *b, const char *name, ExprId start, Span span);
uint32_t bars_coord(const Bars *b, uint32_t node, uint32_t axis); // its coordinate; linkage_none: it is fixed
BarsVector bars_place(const Bars *b, uint32_t node);              // where it is; bars_coords was called
BarsVector bars_between(Bars *b, uint32_t from, uint32_t to);     // to - from
BarsVector bars_drawn(Bars *b, uint32_t from, uint32_t to);       // the same at the start, as it is written
BarsVector bars_rate(Bars *b, const BarsVector *v);               // time derivative
ExprId bars_dot(Bars *b, const BarsVector *u, const BarsVector *v);
ExprId bars_cross(Bars *b, const BarsVector *u, const BarsVector *v);      // of a plane
BarsVector bars_normal(Bars *b, const BarsVector *u, const BarsVector *v); // the cross product of space
ExprId bars_length(Bars *b, const BarsVector *v);
bool bars_is_given(const Bars *b, uint32_t node); // fixed in all directions

ExprId bars_bar_length(Bars *b, const LinkageBar *bar); // that it has
ExprId bars_bar_force(Bars *b, uint32_t bar);           // its multiplier, made once; of stiff springs their force
ExprId bars_stretch(Bars *b, const LinkageSpring *s);   // how much longer than without force; of a cable 0 where slack
ExprId bars_spring_force(Bars *b, const LinkageSpring *s, bool damped); // what it pulls with

#endif

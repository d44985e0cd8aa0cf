// What is to be shown of a motion, and how long it is: plots, shapes of a drawing, the settings of `simulate`.
#ifndef VIVA_SYSTEM_VIEWS_H
#define VIVA_SYSTEM_VIEWS_H

#include "system/quantity.h"

// Where an axis begins and ends, of parameters, in the unit of showing; from 0: not said.
typedef struct SystemLimits {
  ExprId from, to;
  const char *unit; // of the curves whose axis it is, see SystemOutput
  Span span;
} SystemLimits;
typedef VEC(SystemLimits) SystemLimitsList;

// A `plot` line: curves over time, or against something.
// Curves are expressions in the unit that they are shown in, so that nobody behind it needs to know.
typedef struct SystemPlot {
  SystemOutputList curves;
  SystemOutput against; // value 0: over time
  bool time;            // what it is plotted against is the time, in some unit
  bool x_log, y_log, equal;
  SystemLimits x;
  SystemLimitsList y; // of axes, each by the unit of the curve that they stand behind
  Span span;
} SystemPlot;
typedef VEC(SystemPlot) SystemPlotList;

typedef enum ShapeKind {
  shape_rod,
  shape_spring,
  shape_vector,
  shape_mass,
  shape_trail,
  shape_cart,
  shape_ground,
  shape_support,
  // of bodies; no word of a `draw` line
  shape_frame, // three axes
  shape_box,   // the box of even density with the same mass and moments of inertia
  shape_com,   // the mark of a centre of mass
  shape_kinds
} ShapeKind;

// A shape of a `draw` line with its points: two for a rod, spring or vector, else one.
typedef struct SystemShape {
  ShapeKind kind;
  uint32_t count; // of points
  uint32_t dims;  // 2 or 3 numbers a point
  ExprId points[2][3];
  ExprId turn[9];    // of a frame or box: the rotation from its own axes, row by row
  ExprId inertia[7]; // of a box: mass, then ixx iyy izz ixy ixz iyz about its point, in its own axes
  const char *si;    // unit of the first point, see SystemOutput
  Span span;
} SystemShape;
typedef VEC(SystemShape) SystemShapeList;

// Everything a picture must know of a shape, in this order: points, turn, inertia. Returns how many.
enum { shape_values_most = 22 };
static inline uint32_t shape_values(const SystemShape *s, ExprId out[shape_values_most]) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < s->count * s->dims; k++) out[n++] = s->points[k / s->dims][k % s->dims];
  for (uint32_t k = 0; k < 9 && s->turn[0]; k++) out[n++] = s->turn[k];
  for (uint32_t k = 0; k < 7 && s->inertia[0]; k++) out[n++] = s->inertia[k];
  return n;
}

// From where a drawing in space is seen, and what points up in the picture.
typedef struct SystemCamera {
  ExprId from[3], up[3]; // of parameters; from[0] is 0: not said
  Span span;
} SystemCamera;

typedef struct SystemSimulate {
  ExprId to, step, every; // 0: not said
  const char *method;     // NULL: not said
  Span span;
} SystemSimulate;

#endif

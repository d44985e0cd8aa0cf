// What is to be shown of a motion, and how long it is: plots, shapes of a drawing, the settings of `simulate`.
#ifndef VIVA_SYSTEM_VIEWS_H
#define VIVA_SYSTEM_VIEWS_H

#include "system/quantity.h"

// A `plot` line: curves over time, or against something.
typedef struct SystemPlot {
  SystemOutputList curves;
  SystemOutput against; // value 0: over time
  bool x_log, y_log;
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
  shape_kinds
} ShapeKind;

// A shape of a `draw` line with its points: two for a rod, spring or vector, else one.
typedef struct SystemShape {
  ShapeKind kind;
  uint32_t count; // of points
  uint32_t dims;  // 2 or 3 numbers a point
  ExprId points[2][3];
  const char *si; // unit of the first point, see SystemOutput
  Span span;
} SystemShape;
typedef VEC(SystemShape) SystemShapeList;

typedef struct SystemSimulate {
  ExprId to, step, every; // 0: not said
  const char *method;     // NULL: not said
  Span span;
} SystemSimulate;

#endif

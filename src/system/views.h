// What is to be shown of a run, and how long it is: plots, shapes of a drawing, the settings of `simulate`.
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

// What a `plot` or `heat` line shows over an index:
// curves[k*index.count + j] is that of its k-th text at index.items[j].
typedef struct SystemOver {
  const char *name; // of the index; NULL: the line is not over one
  VEC(int64_t) index;
  VEC(const char *) texts; // as they are written: "T[i]"
  VEC(ExprId) at;          // times of profiles, of parameters; none: some equal ones
  Span at_span;
} SystemOver;

// A `plot` line: curves over time, against something, or over an index; or, by `heat`, as colours.
// Curves are expressions in the unit that they are shown in, so that nobody behind it needs to know.
typedef struct SystemPlot {
  SystemOutputList curves;
  SystemOutput against; // value 0: over time
  bool time;            // what it is plotted against is the time, in some unit
  bool x_log, y_log, equal, heat;
  SystemOver over;
  const char *each;   // of a line that repeats: its variable; NULL: it does not, or by several
  VEC(double) levels; // its value for each curve
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
  shape_box,
  shape_circle,
  shape_line,
  shape_text,
  // of bodies; no word of a `draw` line
  shape_frame, // three axes
  shape_solid, // the box of even density with the same mass and moments of inertia
  shape_com,   // the mark of a centre of mass
  shape_kinds
} ShapeKind;

// A shape of a `draw` line with its points: two for a rod, spring, line or vector, else one. A line through many points
// is one shape for each of its pieces. A box in a plane has two:
// its middle, and the middle of the side along its own x.
typedef struct SystemShape {
  ShapeKind kind;
  uint32_t count; // of points
  uint32_t dims;  // 2 or 3 numbers a point
  ExprId points[2][3];
  ExprId turn[9];    // of a frame, solid or box in space: the rotation from its own axes, row by row
  ExprId inertia[7]; // of a solid: mass, then ixx iyy izz ixy ixz iyz about its point, in its own axes
  ExprId size[3];    // of parameters, in lengths: sides, a radius, the height of letters; 0: not said
  ExprId width;      // the same: of a line, of the coils of a spring
  uint32_t coils;    // of a spring; 0: not said
  uint32_t colour;   // shape_coloured + 0xRRGGBB; 0: not said
  const char *text;
  const char *si; // unit of the first point, see SystemOutput
  Span span;
} SystemShape;
typedef VEC(SystemShape) SystemShapeList;

// Everything a picture must know of a shape, in this order: points, rotation, inertia, sizes, width. Returns how many.
enum { shape_values_most = 26, shape_coloured = 1 << 24 };
static inline uint32_t shape_places(SystemShape *s, ExprId *out[shape_values_most]) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < s->count * s->dims; k++) out[n++] = &s->points[k / s->dims][k % s->dims];
  for (uint32_t k = 0; k < 9 && s->turn[0]; k++) out[n++] = &s->turn[k];
  for (uint32_t k = 0; k < 7 && s->inertia[0]; k++) out[n++] = &s->inertia[k];
  for (uint32_t k = 0; k < 3 && s->size[k]; k++) out[n++] = &s->size[k];
  if (s->width) out[n++] = &s->width;
  return n;
}
static inline uint32_t shape_values(const SystemShape *s, ExprId out[shape_values_most]) {
  SystemShape copy = *s;
  ExprId *places[shape_values_most];
  uint32_t n = shape_places(&copy, places);
  for (uint32_t k = 0; k < n; k++) out[k] = *places[k];
  return n;
}

// From where a drawing in space is seen, and what points up in the picture.
typedef struct SystemCamera {
  ExprId from[3], up[3]; // of parameters; from[0] is 0: not said
  Span span;
} SystemCamera;

typedef struct SystemSimulate {
  ExprId from, to, step, every; // 0: not said
  const char *method;           // NULL: not said
  Span span;
} SystemSimulate;

#endif

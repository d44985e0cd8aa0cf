// A plot: panels one below the other, each with its curves; and its layout as a drawing.
//
// The plotting core that every figure uses. Arrays are borrowed until the drawing is made.
#ifndef VIVA_SHOW_PLOT_H
#define VIVA_SHOW_PLOT_H

#include "show/drawing.h"
#include "show/scale.h"

typedef enum CurveKind {
  curve_line,
  curve_points, // measured data
  curve_band    // between y and y2
} CurveKind;

// How single points look.
typedef enum CurveMark {
  mark_dot,
  mark_ring, // seen on every ground
  mark_cross // what went wrong
} CurveMark;

typedef struct PlotCurve {
  CurveKind kind;
  CurveMark mark;          // of points
  const char *name, *unit; // unit NULL: not known, "": none
  const double *x, *y, *y2;
  const double *t; // of a path in the plane: when; NULL: not known
  size_t count;
  bool right;               // measured by the axis at the right
  uint32_t style;           // number of its colour and dash plus one; 0: its index in the panel
  uint32_t dash;            // number of its dash plus one; 0: that of its style
  const char *const *cells; // its row of a key that is a table; NULL: none
  bool shaded;  // one of many, such as the iterations of a search: coloured by its level on the panel's bar,
  double level; // and not in the legend
  bool inside;  // a band within another one: what is seen is both, one over the other
  int arrows;   // along a path in the plane: 1, or -1 against the order of its points; 0: none
  bool faint;   // a line below all others, in the colour of axes: what does not count
} PlotCurve;

// A matrix of values as colours: values[row*columns + column], the first row at the least y. NAN: nothing is there.
typedef struct PlotHeat {
  const double *values;
  uint32_t columns, rows;
  AxisRange x, y;                  // of the outer edges; on a logarithmic axis cells are equal in their logarithms
  const double *x_edges, *y_edges; // of cells that differ in size: columns + 1, rows + 1 of them; NULL: they are equal
} PlotHeat;

// The scale of colours at the right of a panel, for a heat map or for shaded curves.
typedef struct PlotBar {
  const char *name, *unit;
  AxisRange range; // lo = hi: from the data
  bool log;
  bool diverging; // of a heat map: two colours, white in the middle of the range
} PlotBar;

// What a dash means, of curves that colours tell apart already.
typedef struct PlotDash {
  const char *text;
  uint32_t dash; // its number
} PlotDash;

// Something that happened: a line across the panel with a word above it. The word of the first one is placed first.
typedef struct PlotEvent {
  double at;
  const char *name; // NULL: none
} PlotEvent;

typedef struct PlotPanel PlotPanel;
struct PlotPanel {
  const char *x_name, *x_unit;
  const char *y_name;  // NULL: the name of a single curve, else none
  const char *caption; // words above it, instead of a legend; NULL: none
  const char *note;    // words above it, beside the legend: what the picture leaves out; NULL: none
  uint32_t line;       // number of the `plot` line plus one; 0: of none
  bool x_log, y_log;
  bool phase;      // a path in the plane: start and direction are marked, the x axis is not shared
  bool index;      // over an index: marks over time are left out
  bool equal;      // one unit is as long in x as in y
  bool legend;     // also of a single curve
  bool keyless;    // its curves are named beside another panel
  bool row;        // of a grid: it starts a row
  bool whole;      // of a grid: it is a row of its own, as wide as all columns
  bool bare;       // without axes: a view into space
  AxisRange x, y;  // lo = hi: from the data
  AxisRange right; // the same of a second axis, at the right
  double seconds;  // one of the x axis, where that is the time in another unit; 0: it is not
  double height;   // of the area in pixels (a terminal takes a part); 0: by default
  VEC(PlotCurve) curves;
  VEC(PlotEvent) events;
  const char *const *heads; // column heads of a legend that is a table beside the panel; count 0: a plain legend
  uint32_t head_count;
  VEC(PlotDash) dashes;
  const PlotHeat *heat; // NULL: none
  PlotBar bar;          // used where something needs it
  // more to draw inside the area; may be NULL
  void (*scene)(void *self, Drawing *d, const Scale *x, const Scale *y, uint32_t clip);
  // ticks of its own for both axes, about `wanted` of them; may be NULL
  void (*ticks)(void *self, Ticks *t, double lo, double hi, uint32_t wanted);
  bool x_ticks; // these are of the x axis alone
  void *self;
};

typedef struct Plot {
  const char *title; // NULL: none
  VEC(PlotPanel) panels;
  uint32_t columns; // of a grid; 0, 1: one below the other
} Plot;

typedef struct PlotStyle {
  bool dark;
  bool cells;   // for a terminal: lengths are dots
  double width; // of the whole; 0: by default
} PlotStyle;

// A panel with its axis names; the panel is valid until the next one is added.
PlotPanel *plot_panel(Arena *arena, Plot *plot, const char *x_name, const char *x_unit);
bool plot_has_right(const PlotPanel *p); // is a curve measured at the right?
// Has any point of the curve a position on its panel?
bool plot_curve_visible(const PlotPanel *panel, const PlotCurve *curve);
bool plot_heat_visible(const PlotPanel *panel); // the same of its colours
// False: out of memory.
bool plot_layout(const Plot *plot, PlotStyle style, Drawing *d);

#endif

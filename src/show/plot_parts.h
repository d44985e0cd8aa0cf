// Between the layout of a plot and the drawing of its panels.
// parts: plot_axis.c plot_grid.c plot_heat.c plot_panel.c
#ifndef VIVA_SHOW_PLOT_PARTS_H
#define VIVA_SHOW_PLOT_PARTS_H

#include "show/plot.h"

enum { legend_most = 40, legend_rows_most = 4 }; // entries (further curves are counted); rows above an area

typedef struct PlotSizes {
  double width;                 // of the whole
  double font, small, title;    // letters
  double line, gap, edge, tick; // height of a row of words, small distances
  double sample;                // of a line in the legend
  double height, phase_height;  // of an area
  double y_every, x_every;      // pixels from tick to tick, about
} PlotSizes;

typedef enum PlotEntryKind { entry_curve, entry_dash, entry_start, entry_words } PlotEntryKind;
enum { key_columns_most = 6 }; // of a table
typedef struct PlotEntry {
  PlotEntryKind kind;
  uint32_t curve; // or dash
  const char *text;
  const char *mark; // behind the text: a unit, an arrow to the right axis
  double x;         // from the area's left, in a row above
  uint32_t row;
} PlotEntry;

// One panel, placed.
typedef struct PlotBox {
  DrawRect area;
  AxisRange x, y, right;
  Ticks tx, ty, tr;
  const char *x_words, *y_words, *right_words; // x_words NULL: the panel below shows them
  double axis_room;                            // at the right, for a second axis; 0: there is none
  PlotEntry *entries;
  uint32_t entry_count;
  double top, event_row;
  AxisRange levels; // of the bar
  Ticks tb;         // its ticks
  const char *bar_words;
  double bar_room;                 // at the right; 0: there is none
  bool beside, words_below, empty; // the legend is a column at the right; the ticks of x are named; no data
} PlotBox;

typedef struct PlotWork {
  const Plot *plot;
  Drawing *d;
  PlotSizes z;
  Theme theme;
  PlotBox *boxes;
  uint32_t count;
  double left, right, label_room;
  const char *title[text_lines_most];
  uint32_t title_lines;
} PlotWork;

enum { plot_bar_width = 14 };

// One panel below the other. *left, *right: least margins, and then those that it has.
bool plot_stack(const Plot *plot, PlotStyle style, double *left, double *right, Drawing *d);

// Widths of the columns of a key that is a table. Returns that of the whole, with the samples of lines.
double plot_key_widths(const PlotWork *l, const PlotPanel *p, double widths[key_columns_most]);

// Which curves the panel's bar explains; does it need one?
bool plot_has_bar(const PlotPanel *p);
// The colour of a value on the bar. Lines keep away from the end that the ground would swallow.
int32_t plot_level_colour(const PlotPanel *p, const PlotBox *b, double value, bool line, bool dark);
void plot_find_bar(PlotWork *l, uint32_t index);
void plot_draw_bar(PlotWork *l, uint32_t index);
void plot_draw_heat(PlotWork *l, uint32_t index, const Scale *x, const Scale *y, uint32_t clip);

// "x − 1000 [10⁻³ m]": the name, the offset taken away, the factor and the unit.
const char *plot_axis_words(Arena *arena, const char *name, const char *unit, const Ticks *t);
const char *plot_axis_fit(Arena *arena, const char *words, double size, bool cells, double most);
void plot_draw_panel(PlotWork *l, uint32_t index);
void plot_draw_title(PlotWork *l);

#endif

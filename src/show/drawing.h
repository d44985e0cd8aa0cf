// A drawing: the finished geometry of a picture, before it becomes SVG or characters of a terminal.
//
// Lengths are in pixels (SVG) or in dots of a braille cell, 2 by 4 a character (terminal); y grows downwards. A text
// stands at its vertical middle. Every item has a role, so that a back end may treat axes, curves and words each in
// its own way, and a test may find them.
#ifndef VIVA_SHOW_DRAWING_H
#define VIVA_SHOW_DRAWING_H

#include "base/text.h"

typedef struct DrawPoint {
  double x, y; // NAN in x: the path is interrupted here
} DrawPoint;

typedef struct DrawRect {
  double x, y, w, h;
} DrawRect;

typedef enum DrawRole {
  role_grid,
  role_axis,
  role_tick_x, // a tick, or its label
  role_tick_y,
  role_tick_right,
  role_minor,
  role_label_x,
  role_label_y,
  role_label_right,
  role_title,
  role_legend,
  role_curve,
  role_points,
  role_band,
  role_start,
  role_arrow,
  role_event,
  role_shape, // of a moving scene
  role_trail,
  role_note,
  role_heat, // cells of one colour
  role_bar,  // the scale of colours
  role_count
} DrawRole;

typedef enum DrawKind { draw_path, draw_circle, draw_text } DrawKind;
typedef enum DrawDash { dash_solid, dash_long, dash_dots, dash_mixed, dash_count } DrawDash;

enum { draw_no_colour = -1 };

typedef struct DrawItem {
  DrawKind kind;
  DrawRole role;
  int32_t stroke, fill; // 0xRRGGBB or draw_no_colour
  double line;          // width of the stroke
  double opacity;       // 0 .. 1
  DrawDash dash;
  uint32_t clip; // index into clips plus one; 0: none
  // path
  const DrawPoint *points;
  uint32_t count;
  bool closed;
  // circle (x, y, r) and text (x, y, size)
  double x, y, r;
  const char *text;
  double size;  // of the letters
  int anchor;   // -1: starts at x, 0: its middle is there, 1: ends there
  bool upright; // rotated by a right angle, read from below
  bool bold;
} DrawItem;

typedef struct Drawing {
  Arena *arena;
  double width, height;
  bool dark, cells;                // cells: dots of a terminal
  const char *title, *description; // for those who listen; NULL: none
  const char *id;                  // what names inside start with, where several drawings share a page; NULL: nothing
  VEC(DrawItem) items;
  VEC(DrawRect) clips;
} Drawing;

// The colours of a theme. Curves take colour and dash by their number: neighbours differ in hue, lightness and dash, so
// that colour-blind readers and grey printers can tell them apart (Okabe and Ito's colours).
typedef struct Theme {
  int32_t ground, ink, muted, grid; // background, text, axes, grid
  int32_t curve[7];
  int32_t alarm; // what must be seen: an unstable pole. No curve has it
} Theme;
Theme drawing_theme(bool dark);
Theme drawing_theme_terminal(void); // seen on a light and on a dark ground
int32_t drawing_theme_curve(const Theme *theme, uint32_t index);
DrawDash drawing_dash(uint32_t index);
// A scale of colours from dark to light, 0 .. 1, whose lightness grows evenly: it is readable in grey print and for
// colour-blind readers.
int32_t drawing_scale_colour(double part);
// Two colours with white between them, at 0.5: signs are seen, and what is next to nothing is.
int32_t drawing_diverging_colour(double part);
// The first scale for lines, which keep away from the end that the ground would swallow.
int32_t drawing_scale_line(double part, bool dark);
double drawing_lightness(int32_t colour); // L* of CIELAB: 0 black, 100 white

// The width of a text; an upper estimate for proportional letters, because a reader's font is not known.
double drawing_text_width(const char *text, double size, bool cells);
// The text cut to a width, with "…" at its end; the text itself where it fits.
const char *drawing_text_fit(Arena *arena, const char *text, double size, bool cells, double most);
// The same with "…" inside, so that its end is seen, too: `tail` is the part of the width that its end gets.
const char *drawing_text_fit_inside(Arena *arena, const char *text, double size, bool cells, double most, double tail);
// The text on lines of at most this width, broken at blanks; the last of text_lines_most is cut. Returns how many.
enum { text_lines_most = 3 };
uint32_t drawing_text_wrap(Arena *arena, const char *text, double size, bool cells, double most,
                           const char *lines[text_lines_most]);

DrawItem *drawing_add(Drawing *d, DrawItem item); // NULL: out of memory
void drawing_line(Drawing *d, DrawRole role, DrawPoint from, DrawPoint to, int32_t colour, double width);
void drawing_word(Drawing *d, DrawRole role, DrawPoint at, int anchor, const char *text, double size, int32_t colour);

#endif

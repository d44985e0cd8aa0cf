// Values as colours: heat maps, and the colour bar.
//
// in    a panel with a matrix of values, or with curves that have a level
// out   one path for each of 64 colours, neighbours of one colour in a row joined; the bar at the right with its ticks.
//       In a terminal: the larger the value, the more dots, by an ordered dither (Bayer 1973).
// how   no picture has more cells than pixels: the mean of those that fall into one is shown
#include "show/plot_parts.h"

#include <math.h>
#include <string.h>

enum { level_count = 64, level_count_odd = 65 }; // colours: steps between them are not seen

bool plot_has_bar(const PlotPanel *p) {
  bool any = p->heat != NULL;
  for (uint32_t i = 0; i < p->curves.count; i++) any = any || p->curves.items[i].shaded;
  return any;
}

// Where a value stands on the bar, 0 .. 1; NAN: nowhere.
static double level_part(const PlotPanel *p, const PlotBox *b, double value) {
  Scale s = {p->bar.log, b->levels.lo, b->levels.hi, 0, 1};
  return fmin(fmax(scale_place(&s, value), 0), 1);
}

static bool has_place(const PlotPanel *p, double value) { return isfinite(value) && (!p->bar.log || value > 0); }

// Where two colours diverge, the middle one is white.
static int levels_of(const PlotPanel *p) { return p->bar.diverging ? level_count_odd : level_count; }

static int32_t part_colour(const PlotPanel *p, double part, bool line, bool dark) {
  if (p->bar.diverging) return drawing_diverging_colour(part);
  return line ? drawing_scale_line(part, dark) : drawing_scale_colour(part);
}

int32_t plot_level_colour(const PlotPanel *p, const PlotBox *b, double value, bool line, bool dark) {
  return part_colour(p, has_place(p, value) ? level_part(p, b, value) : 0, line, dark);
}

bool plot_heat_visible(const PlotPanel *p) {
  for (size_t i = 0; i < (size_t)p->heat->rows * p->heat->columns; i++) {
    if (has_place(p, p->heat->values[i])) return true;
  }
  return false;
}

void plot_find_bar(PlotWork *l, uint32_t index) {
  const PlotPanel *p = &l->plot->panels.items[index];
  PlotBox *b = &l->boxes[index];
  b->bar_room = 0;
  if (!plot_has_bar(p)) return;
  AxisRange r = axis_range_empty();
  if (p->heat) axis_range_take(&r, p->heat->values, (size_t)p->heat->rows * p->heat->columns, p->bar.log);
  for (uint32_t i = 0; i < p->curves.count; i++) {
    if (p->curves.items[i].shaded) axis_range_take(&r, &p->curves.items[i].level, 1, p->bar.log);
  }
  b->levels = p->bar.range.lo < p->bar.range.hi ? p->bar.range : axis_range_with_margin(r, p->bar.log, 0);
  if (p->heat) b->empty = !(r.lo <= r.hi);
  if (l->d->cells) return;
  scale_ticks(&b->tb, b->levels.lo, b->levels.hi, p->bar.log, (uint32_t)(b->area.h / l->z.y_every));
  b->bar_words = plot_axis_words(l->d->arena, p->bar.name ? p->bar.name : "", p->bar.unit, &b->tb);
  double words = 0;
  for (uint32_t k = 0; k < b->tb.count; k++) words = fmax(words, drawing_text_width(b->tb.text[k], l->z.small, false));
  b->bar_room = l->z.edge + plot_bar_width + l->z.tick + l->z.gap + words + (*b->bar_words ? l->z.line : 0) + l->z.gap;
}

static void put_rect(DrawPoint *p, double x0, double y0, double x1, double y1) {
  p[0] = (DrawPoint){x0, y0};
  p[1] = (DrawPoint){x1, y0};
  p[2] = (DrawPoint){x1, y1};
  p[3] = (DrawPoint){x0, y1};
}

void plot_draw_bar(PlotWork *l, uint32_t index) {
  const PlotPanel *p = &l->plot->panels.items[index];
  const PlotBox *b = &l->boxes[index];
  const PlotSizes *z = &l->z;
  double left = b->area.x + b->area.w + z->edge, right = left + plot_bar_width, top = b->area.y, h = b->area.h;
  // the colours from bottom to top
  int levels = levels_of(p);
  for (int i = 0; i < levels; i++) {
    DrawPoint *q = arena_array(l->d->arena, 4, sizeof *q);
    if (!q) return;
    put_rect(q, left, top + h - h * i / levels, right, top + h - h * (i + 1) / levels);
    int32_t colour = part_colour(p, (i + 0.5) / levels, !p->heat, l->d->dark);
    drawing_add(l->d, (DrawItem){.kind = draw_path,
                                 .role = role_bar,
                                 .stroke = draw_no_colour,
                                 .fill = colour,
                                 .opacity = 1,
                                 .points = q,
                                 .count = 4,
                                 .closed = true});
  }
  // its ticks at the right
  Scale s = {p->bar.log, b->levels.lo, b->levels.hi, top + h, top};
  for (uint32_t i = 0; i < b->tb.count; i++) {
    double y = scale_place(&s, b->tb.at[i]);
    drawing_line(l->d, role_bar, (DrawPoint){right, y}, (DrawPoint){right + z->tick, y}, l->theme.muted, 1);
    drawing_word(l->d, role_bar, (DrawPoint){right + z->tick + z->gap, y}, -1,
                 arena_strndup(l->d->arena, b->tb.text[i], strlen(b->tb.text[i])), z->small, l->theme.ink);
  }
  // its name upright, in smaller letters where it is long
  if (!*b->bar_words) return;
  double size = z->font;
  while (size > 9 && drawing_text_width(b->bar_words, size, false) > h + 8) size -= 0.5;
  const char *name = plot_axis_fit(l->d->arena, b->bar_words, size, false, h + 8);
  drawing_add(l->d, (DrawItem){.kind = draw_text,
                               .role = role_bar,
                               .stroke = draw_no_colour,
                               .fill = l->theme.ink,
                               .opacity = 1,
                               .x = b->area.x + b->area.w + b->bar_room - z->line / 2,
                               .y = top + h / 2,
                               .text = name,
                               .size = size,
                               .upright = true});
}

// ---- heat maps

// The mean of the cells that fall into one of the picture's cells: no picture has more of them than pixels.
static double cell_mean(const PlotPanel *p, uint32_t column, uint32_t row, uint32_t columns, uint32_t rows) {
  const PlotHeat *m = p->heat;
  uint32_t c0 = (uint32_t)((uint64_t)column * m->columns / columns),
           c1 = (uint32_t)((uint64_t)(column + 1) * m->columns / columns);
  uint32_t r0 = (uint32_t)((uint64_t)row * m->rows / rows), r1 = (uint32_t)((uint64_t)(row + 1) * m->rows / rows);
  double sum = 0;
  size_t n = 0;
  for (uint32_t r = r0; r < r1; r++) {
    for (uint32_t c = c0; c < c1; c++) {
      double v = m->values[(size_t)r * m->columns + c];
      if (has_place(p, v)) sum += v, n++;
    }
  }
  return n ? sum / (double)n : NAN;
}

// The position of an edge between cells.
static double edge(const Scale *s, AxisRange r, const double *edges, uint32_t i, uint32_t n) {
  if (edges) return scale_place(s, edges[i]);
  double part = (double)i / n, v = s->log ? r.lo * pow(r.hi / r.lo, part) : r.lo + part * (r.hi - r.lo);
  return scale_place(s, i == 0 ? r.lo : i == n ? r.hi : v);
}

typedef struct Cells {
  DrawPoint *points;
  uint32_t count, cap;
} Cells;

static void cells_add(Arena *arena, Cells *c, double x0, double y0, double x1, double y1) {
  VEC(DrawPoint) v = {c->points, c->count, c->cap};
  DrawPoint q[4];
  put_rect(q, x0, y0, x1, y1);
  if (v.count) vec_push(arena, &v, (DrawPoint){NAN, NAN});
  for (int i = 0; i < 4; i++) vec_push(arena, &v, q[i]);
  *c = (Cells){v.items, v.count, v.cap};
}

// One path for each of the colours; neighbours of one colour in a row are one rectangle.
static void draw_colours(PlotWork *l, uint32_t index, const Scale *x, const Scale *y, uint32_t clip) {
  const PlotPanel *p = &l->plot->panels.items[index];
  const PlotBox *b = &l->boxes[index];
  const PlotHeat *m = p->heat;
  uint32_t columns = m->x_edges ? m->columns : (uint32_t)fmin(m->columns, fmax(b->area.w, 1));
  uint32_t rows = m->y_edges ? m->rows : (uint32_t)fmin(m->rows, fmax(b->area.h, 1));
  Cells levels[level_count_odd] = {0};
  int count = levels_of(p);
  for (uint32_t r = 0; r < rows; r++) {
    double y0 = edge(y, m->y, m->y_edges, r, rows), y1 = edge(y, m->y, m->y_edges, r + 1, rows);
    int level = -1;
    uint32_t from = 0;
    for (uint32_t c = 0; c <= columns; c++) {
      double v = c < columns ? cell_mean(p, c, r, columns, rows) : NAN;
      int here = isnan(v) ? -1 : (int)fmin(level_part(p, b, v) * count, count - 1);
      if (c && here == level && c < columns) continue;
      if (level >= 0)
        cells_add(l->d->arena, &levels[level], edge(x, m->x, m->x_edges, from, columns), y0,
                  edge(x, m->x, m->x_edges, c, columns), y1);
      level = here;
      from = c;
    }
  }
  for (int i = 0; i < count; i++) {
    if (!levels[i].count) continue;
    drawing_add(l->d, (DrawItem){.kind = draw_path,
                                 .role = role_heat,
                                 .stroke = draw_no_colour,
                                 .fill = part_colour(p, (i + 0.5) / count, false, l->d->dark),
                                 .opacity = 1,
                                 .clip = clip,
                                 .points = levels[i].points,
                                 .count = levels[i].count});
  }
}

// The cell that a part of the way from edge to edge falls into.
static uint32_t cell_of(const double *edges, uint32_t count, bool log, uint64_t at, uint64_t whole) {
  uint32_t i = 0;
  if (!edges) return (uint32_t)(at * count / whole);
  double part = ((double)at + 0.5) / (double)whole, from = edges[0], to = edges[count];
  double value = log ? from * pow(to / from, part) : from + part * (to - from);
  while (i + 1 < count && edges[i + 1] <= value) i++;
  return i;
}

// In a terminal: the larger the value, the more dots. Where two colours diverge, the farther from the middle, and one
// side after the other.
static void draw_dots(PlotWork *l, uint32_t index, int side) {
  static const double threshold[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
  const PlotPanel *p = &l->plot->panels.items[index];
  const PlotBox *b = &l->boxes[index];
  VEC(DrawPoint) dots = {0};
  uint32_t w = (uint32_t)b->area.w, h = (uint32_t)b->area.h;
  for (uint32_t j = 0; j < h; j++) {
    for (uint32_t i = 0; i < w; i++) {
      uint32_t c = cell_of(p->heat->x_edges, p->heat->columns, p->x_log, i, w),
               r = cell_of(p->heat->y_edges, p->heat->rows, p->y_log, h - 1 - j, h);
      double v = p->heat->values[(size_t)r * p->heat->columns + c];
      double part = has_place(p, v) ? level_part(p, b, v) : 0;
      if (side) part = side * (2 * part - 1);
      if (!has_place(p, v) || part <= (threshold[j % 4][i % 4] + 0.5) / 16) continue;
      vec_push(l->d->arena, &dots, (DrawPoint){b->area.x + i, b->area.y + j});
      vec_push(l->d->arena, &dots, (DrawPoint){NAN, NAN});
    }
  }
  drawing_add(l->d, (DrawItem){.kind = draw_path,
                               .role = role_heat,
                               .stroke = drawing_theme_curve(&l->theme, side > 0 ? 3 : 0),
                               .fill = draw_no_colour,
                               .line = 1,
                               .opacity = 1,
                               .points = dots.items,
                               .count = dots.count});
}

void plot_draw_heat(PlotWork *l, uint32_t index, const Scale *x, const Scale *y, uint32_t clip) {
  if (!l->plot->panels.items[index].heat->columns || !l->plot->panels.items[index].heat->rows) return;
  bool diverging = l->plot->panels.items[index].bar.diverging;
  if (!l->d->cells) draw_colours(l, index, x, y, clip);
  else draw_dots(l, index, diverging ? 1 : 0);
  if (l->d->cells && diverging) draw_dots(l, index, -1);
}

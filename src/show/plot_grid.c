// A plot as a drawing: panels below each other (plot.c), or in a grid: small ones beside each other, to be compared.
//
// in    a plot whose panels are all of one kind, and how many stand in a row; a panel may start a row
// out   one drawing: each panel laid out alone in its cell, all with the margins of the widest, so that areas
//       are aligned
#include "show/plot_parts.h"

#include <math.h>

// What a drawing has, moved into another.
static bool put_cell(const Drawing *cell, double dx, double dy, Drawing *d) {
  uint32_t clips = d->clips.count;
  for (uint32_t i = 0; i < cell->clips.count; i++) {
    DrawRect r = cell->clips.items[i];
    if (!vec_push(d->arena, &d->clips, ((DrawRect){r.x + dx, r.y + dy, r.w, r.h}))) return false;
  }
  for (uint32_t i = 0; i < cell->items.count; i++) {
    DrawItem item = cell->items.items[i];
    item.x += dx;
    item.y += dy;
    if (item.clip) item.clip += clips;
    DrawPoint *points = item.count ? arena_array(d->arena, item.count, sizeof *points) : NULL;
    if (item.count && !points) return false;
    for (uint32_t k = 0; k < item.count; k++) points[k] = (DrawPoint){item.points[k].x + dx, item.points[k].y + dy};
    item.points = points;
    if (!drawing_add(d, item)) return false;
  }
  return true;
}

// The title over all cells. Returns its height.
static double put_title(const Plot *plot, PlotStyle style, Drawing *d) {
  Plot alone = {.title = plot->title};
  double left = 0, right = 0;
  if (!plot->title) return 0;
  return plot_stack(&alone, style, &left, &right, d) ? d->height : 0;
}

static bool grid(const Plot *plot, PlotStyle style, Drawing *d) {
  uint32_t count = plot->panels.count;
  double whole = style.width > 0 ? style.width : 720, left[2] = {0}, right[2] = {0}; // of cells, of whole rows
  double y = put_title(plot, style, d);
  Drawing *cells = arena_array(d->arena, (size_t)count + 1, sizeof *cells);
  if (!cells) return false;
  double width = whole / plot->columns;
  // twice: the margins of the widest are those of all
  for (int round = 0; round < 2; round++) {
    for (uint32_t i = 0; i < count; i++) {
      Plot one = {0};
      cells[i] = (Drawing){.arena = d->arena};
      if (!vec_push(d->arena, &one.panels, plot->panels.items[i])) return false;
      bool wide = plot->panels.items[i].whole;
      style.width = wide ? whole : width;
      if (!plot_stack(&one, style, &left[wide], &right[wide], &cells[i])) return false;
    }
  }
  for (uint32_t i = 0; i < count;) {
    uint32_t n = 1;
    double row = cells[i].height;
    bool alone = plot->panels.items[i].whole;
    for (; !alone && n < plot->columns && i + n < count && !plot->panels.items[i + n].row; n++)
      row = fmax(row, cells[i + n].height);
    // areas end at one height, whatever stands above them
    for (uint32_t k = 0; k < n; k++) {
      if (!put_cell(&cells[i + k], width * k, y + row - cells[i + k].height, d)) return false;
    }
    y += row;
    i += n;
  }
  d->width = whole;
  d->height = y;
  d->dark = style.dark;
  return !arena_failed(d->arena);
}

bool plot_layout(const Plot *plot, PlotStyle style, Drawing *d) {
  double left = 0, right = 0;
  return plot->columns > 1 && !style.cells ? grid(plot, style, d) : plot_stack(plot, style, &left, &right, d);
}

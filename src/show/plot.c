// The layout of a plot: where areas, axes, ticks, words and legends stand.
//
// Panels stand one below the other, their areas aligned; neighbours over the same x share its ticks. First the heights
// and the ticks of the y axes, which decide the left margin; then the legends (above in rows, or in a column at the
// right where rows would be many); then the ticks of the x axes, thinned until their words do not touch. Nothing but
// data stands inside an area.
#include "show/plot.h"

#include "show/plot_parts.h"

#include <math.h>
#include <string.h>

PlotPanel *plot_panel(Arena *arena, Plot *plot, const char *x_name, const char *x_unit) {
  PlotPanel panel = {.x_name = x_name, .x_unit = x_unit};
  return vec_push(arena, &plot->panels, panel) ? &plot->panels.items[plot->panels.count - 1] : NULL;
}

bool plot_curve_visible(const PlotPanel *panel, const PlotCurve *c) {
  for (size_t i = 0; i < c->count; i++) {
    bool x = isfinite(c->x[i]) && (!panel->x_log || c->x[i] > 0);
    if (x && isfinite(c->y[i]) && (!panel->y_log || c->y[i] > 0)) return true;
  }
  return false;
}

// ---- sizes

static PlotSizes sizes_for(PlotStyle style) {
  if (style.cells)
    return (PlotSizes){.width = style.width > 0 ? style.width : 160,
                       .line = 4,
                       .gap = 2,
                       .edge = 0,
                       .tick = 2,
                       .sample = 6,
                       .height = 48,
                       .phase_height = 72,
                       .y_every = 14,
                       .x_every = 26};
  return (PlotSizes){.width = style.width > 0 ? style.width : 720,
                     .font = 12,
                     .small = 11,
                     .title = 15,
                     .line = 17,
                     .gap = 5,
                     .edge = 10,
                     .tick = 4,
                     .sample = 28,
                     .height = 200,
                     .phase_height = 360,
                     .y_every = 42,
                     .x_every = 84};
}

// ---- ranges

// Points that have a position on both axes count; over time the axis begins and ends with the run.
static void data_ranges(const PlotPanel *p, AxisRange *x, AxisRange *left, AxisRange *right) {
  if (p->heat && p->heat->columns && p->heat->rows) {
    *x = p->heat->x;
    *left = p->heat->y;
  }
  for (uint32_t k = 0; k < p->curves.count; k++) {
    const PlotCurve *c = &p->curves.items[k];
    AxisRange *y = c->right ? right : left;
    bool plain = !p->x_log && !p->y_log;
    for (size_t i = 0; i < c->count; i++) {
      double u = c->x[i], v = c->y[i];
      if (!isfinite(u) || (p->x_log && u <= 0)) continue;
      bool place = isfinite(v) && (plain || !p->y_log || v > 0);
      if ((place || !p->phase) && u < x->lo) x->lo = u;
      if ((place || !p->phase) && u > x->hi) x->hi = u;
      if (!place) continue;
      if (v < y->lo) y->lo = v;
      if (v > y->hi) y->hi = v;
      if (c->kind == curve_band && isfinite(c->y2[i]) && c->y2[i] > y->hi) y->hi = c->y2[i];
      if (c->kind == curve_band && isfinite(c->y2[i]) && c->y2[i] < y->lo && (!p->y_log || c->y2[i] > 0))
        y->lo = c->y2[i];
    }
  }
}

static bool same_range(AxisRange a, AxisRange b) { return a.lo == b.lo && a.hi == b.hi; }

// Neighbours over the same quantity share the x axis: over time, or over one range of an index; with the same limits.
static bool shares(const PlotWork *l, uint32_t i, uint32_t k) {
  const PlotPanel *a = &l->plot->panels.items[i], *b = &l->plot->panels.items[k];
  if (a->phase || b->phase || a->equal || b->equal || a->x_log != b->x_log || a->seconds != b->seconds) return false;
  if (a->index != b->index || (a->index && !same_range(l->boxes[i].x, l->boxes[k].x))) return false;
  return strcmp(a->x_name, b->x_name) == 0 && same_range(a->x, b->x);
}

static void find_ranges(PlotWork *l) {
  for (uint32_t i = 0; i < l->count; i++) {
    const PlotPanel *p = &l->plot->panels.items[i];
    l->boxes[i].x = l->boxes[i].y = l->boxes[i].right = axis_range_empty();
    data_ranges(p, &l->boxes[i].x, &l->boxes[i].y, &l->boxes[i].right);
    l->boxes[i].empty = !(l->boxes[i].y.lo <= l->boxes[i].y.hi);
    if (p->x.lo < p->x.hi) l->boxes[i].x = p->x;
  }
  for (uint32_t i = 0; i < l->count;) {
    uint32_t end = i + 1;
    AxisRange x = l->boxes[i].x;
    for (; end < l->count && shares(l, i, end); end++) {
      x.lo = fmin(x.lo, l->boxes[end].x.lo);
      x.hi = fmax(x.hi, l->boxes[end].x.hi);
    }
    for (uint32_t k = i; k < end; k++) {
      const PlotPanel *p = &l->plot->panels.items[k];
      PlotBox *b = &l->boxes[k];
      bool fixed_x = p->x.lo < p->x.hi, fixed_y = p->y.lo < p->y.hi;
      b->x = fixed_x ? p->x : axis_range_with_margin(x, p->x_log, p->phase ? 0.05 : 0);
      // a heat map fills its area
      b->y = fixed_y ? p->y : axis_range_with_margin(b->y, p->y_log, p->heat ? 0 : 0.05);
      b->right = p->right.lo < p->right.hi ? p->right : axis_range_with_margin(b->right, p->y_log, 0.05);
      b->words_below = k + 1 == end;
    }
    i = end;
  }
}

// ---- words on axes

// The unit all curves of an axis have; NULL: they differ.
static const char *common_unit(const PlotPanel *p, bool right) {
  const char *unit = NULL;
  for (uint32_t i = 0; i < p->curves.count; i++) {
    const char *u = p->curves.items[i].unit ? p->curves.items[i].unit : "";
    if (p->curves.items[i].right != right) continue;
    if (unit && strcmp(unit, u) != 0) return NULL;
    unit = u;
  }
  return unit ? unit : "";
}

// The name of an axis: that of its only curve.
static const char *common_name(const PlotPanel *p, bool right) {
  const char *name = NULL;
  for (uint32_t i = 0; i < p->curves.count; i++) {
    if (p->curves.items[i].right != right) continue;
    if (name) return "";
    name = p->curves.items[i].name ? p->curves.items[i].name : "";
  }
  return name ? name : "";
}

bool plot_has_right(const PlotPanel *p) {
  for (uint32_t i = 0; i < p->curves.count; i++) {
    if (p->curves.items[i].right) return true;
  }
  return false;
}

// Entries are cut to the width that they have. What differs stays different: names are cut inside, at another point
// where two would become the same, and numbered where none serves; unit and arrow are never cut.
static void fit_entries(const PlotWork *l, PlotBox *b, double room) {
  static const double tails[] = {0.5, 0.75, 0.25, 0.9, 0.1};
  enum { tries = sizeof tails / sizeof *tails };
  Arena *arena = l->d->arena;
  const char **cut = arena_array(arena, (size_t)b->entry_count + 1, sizeof *cut);
  bool same = true;
  for (int round = 0; cut && same && round <= tries; round++) {
    same = false;
    for (uint32_t k = 0; k < b->entry_count; k++) {
      const PlotEntry *e = &b->entries[k];
      double most = (e->kind == entry_words ? fmax(room, 0.6 * l->z.width) : room) -
                    drawing_text_width(e->mark, l->z.small, l->d->cells);
      const char *text = round < tries ? e->text : arena_printf(arena, "%u %s", k + 1, e->text);
      cut[k] = drawing_text_fit_inside(arena, text ? text : "", l->z.small, l->d->cells, most, tails[round % tries]);
      for (uint32_t i = 0; i < k; i++)
        same = same || (strcmp(cut[i], cut[k]) == 0 && strcmp(b->entries[i].text, e->text) != 0);
    }
  }
  for (uint32_t k = 0; cut && k < b->entry_count; k++) {
    PlotEntry *e = &b->entries[k];
    const char *text = *e->mark ? arena_printf(arena, "%s%s", cut[k], e->mark) : cut[k];
    e->text = text ? text : "";
  }
}

static void find_words(PlotWork *l, uint32_t i) {
  const PlotPanel *p = &l->plot->panels.items[i];
  PlotBox *b = &l->boxes[i];
  const char *unit = common_unit(p, false);
  b->y_words = plot_axis_words(l->d->arena, p->y_name ? p->y_name : common_name(p, false), unit, &b->ty);
  b->right_words =
      plot_has_right(p) ? plot_axis_words(l->d->arena, common_name(p, true), common_unit(p, true), &b->tr) : "";
  // a single curve is named by its axis
  bool named = p->curves.count == 1 && !p->heat && !p->legend;
  b->entry_count = 0;
  uint32_t most = p->curves.count > legend_most ? legend_most : p->curves.count;
  b->entries = arena_array(l->d->arena, (size_t)most + p->dashes.count + 5, sizeof *b->entries);
  if (!b->entries) return;
  bool told = p->caption && (!p->row || p->curves.count < 2); // by the caption, or by the first of a row
  named = named || p->keyless || told;
  if (p->caption) b->entries[b->entry_count++] = (PlotEntry){.kind = entry_words, .text = p->caption};
  for (uint32_t k = 0; !named && k < most; k++) {
    const PlotCurve *c = &p->curves.items[k];
    if (c->shaded || !c->name) continue;
    const char *mark = NULL;
    if (c->right) mark = l->d->cells ? arena_printf(l->d->arena, " [%s] →", c->unit) : " →";
    else if (!unit && c->unit && *c->unit) mark = arena_printf(l->d->arena, " [%s]", c->unit);
    b->entries[b->entry_count++] = (PlotEntry){.kind = entry_curve, .curve = k, .text = c->name, .mark = mark};
  }
  uint32_t further = 0;
  for (uint32_t k = most; k < p->curves.count; k++) further += !p->curves.items[k].shaded && p->curves.items[k].name;
  if (!named && further) {
    b->entries[b->entry_count++] =
        (PlotEntry){.kind = entry_words, .text = arena_printf(l->d->arena, "and %u more", further)};
  }
  for (uint32_t k = 0; k < p->dashes.count && !p->keyless; k++)
    b->entries[b->entry_count++] = (PlotEntry){.kind = entry_dash, .curve = k, .text = p->dashes.items[k].text};
  // a terminal has words for the bar
  if (l->d->cells && plot_has_bar(p)) {
    b->entries[b->entry_count++] =
        (PlotEntry){.kind = entry_words,
                    .text = arena_printf(l->d->arena, "%s %.4g .. %.4g %s", p->bar.name ? p->bar.name : "",
                                         b->levels.lo, b->levels.hi, p->bar.unit ? p->bar.unit : "")};
  }
  if (p->phase && !b->empty && !plot_has_bar(p) && (!p->caption || p->row))
    b->entries[b->entry_count++] = (PlotEntry){.kind = entry_start, .text = "start"};
  if (p->note) b->entries[b->entry_count++] = (PlotEntry){.kind = entry_words, .text = p->note};
  for (uint32_t k = 0; k < b->entry_count; k++) {
    if (!b->entries[k].text) b->entries[k].text = "";
    if (!b->entries[k].mark) b->entries[k].mark = "";
  }
  fit_entries(l, b, (p->caption ? 0.8 : 0.3) * l->z.width);
}

// ---- legends

static double entry_width(const PlotWork *l, const PlotEntry *e) {
  return (e->kind == entry_words ? 0 : l->z.sample + l->z.gap) + drawing_text_width(e->text, l->z.small, l->d->cells);
}

// How many rows the entries take above an area of this width; places them when asked.
static uint32_t legend_rows(const PlotWork *l, PlotBox *b, double width, bool place) {
  uint32_t rows = 1;
  double x = 0, between = l->d->cells ? 4 : 18;
  // in a terminal the name of the y axis stands first in the row
  if (l->d->cells && *b->y_words) x = drawing_text_width(b->y_words, 0, true) + between;
  for (uint32_t i = 0; i < b->entry_count; i++) {
    double w = entry_width(l, &b->entries[i]);
    if (x > 0 && x + w > width) {
      rows++;
      x = 0;
    }
    if (place) {
      b->entries[i].x = x;
      b->entries[i].row = rows - 1;
    }
    x += w + between;
  }
  return b->entry_count || (l->d->cells && *b->y_words) ? rows : 0;
}

// ---- the whole

static void y_ticks(PlotWork *l) {
  for (uint32_t i = 0; i < l->count; i++) {
    const PlotPanel *p = &l->plot->panels.items[i];
    PlotBox *b = &l->boxes[i];
    b->area.h = p->height > 0          ? p->height * l->z.height / 200
                : p->phase || p->equal ? l->z.phase_height
                : l->count == 1        ? 1.4 * l->z.height
                                       : l->z.height;
    if (l->d->cells) b->area.h = 4 * floor(b->area.h / 4);
    uint32_t wanted = (uint32_t)(b->area.h / l->z.y_every);
    if (p->ticks && !p->x_ticks) p->ticks(p->self, &b->ty, b->y.lo, b->y.hi, wanted);
    else scale_ticks(&b->ty, b->y.lo, b->y.hi, p->y_log, wanted);
    if (plot_has_right(p)) scale_ticks(&b->tr, b->right.lo, b->right.hi, p->y_log, wanted);
    plot_find_bar(l, i);
    find_words(l, i);
  }
}

static void margins(PlotWork *l) {
  double left = 0, column = 0;
  bool bare = true; // no axes at all
  for (uint32_t i = 0; i < l->count; i++) {
    PlotBox *b = &l->boxes[i];
    double w = 0;
    bare = bare && l->plot->panels.items[i].bare;
    for (uint32_t k = 0; k < b->ty.count; k++) w = fmax(w, drawing_text_width(b->ty.text[k], l->z.small, l->d->cells));
    left = fmax(left, w);
  }
  l->label_room = left;
  l->left = l->z.edge + (l->d->cells ? 0 : l->z.line) + left + l->z.gap + l->z.tick;
  if (l->d->cells) l->left = 2 * ceil(l->left / 2);
  l->right = l->d->cells ? 4 : l->z.edge + 14;
  if (bare && !l->d->cells) l->left = l->right = l->z.edge;
  // rows above, unless they would be many
  double width = l->z.width - l->left - l->right;
  for (uint32_t i = 0; i < l->count; i++) {
    PlotBox *b = &l->boxes[i];
    const PlotPanel *p = &l->plot->panels.items[i];
    bool table = p->head_count && !p->keyless;
    double widths[key_columns_most];
    b->beside = !l->d->cells && (table || legend_rows(l, b, width, false) > legend_rows_most);
    for (uint32_t k = 0; b->beside && k < b->entry_count; k++) column = fmax(column, entry_width(l, &b->entries[k]));
    if (b->beside && table) column = plot_key_widths(l, p, widths);
    if (b->beside) b->area.h = fmax(b->area.h, (b->entry_count + table) * l->z.line);
  }
  if (column > 0) l->right += column + l->z.gap;
  double axis = 0;
  for (uint32_t i = 0; i < l->count; i++) {
    PlotBox *b = &l->boxes[i];
    double w = 0;
    if (!plot_has_right(&l->plot->panels.items[i])) continue;
    for (uint32_t k = 0; k < b->tr.count; k++) w = fmax(w, drawing_text_width(b->tr.text[k], l->z.small, l->d->cells));
    b->axis_room = l->z.tick + l->z.gap + w + (l->d->cells ? 0 : l->z.line);
    axis = fmax(axis, b->axis_room);
  }
  l->right += axis;
  double bar = 0;
  for (uint32_t i = 0; i < l->count; i++) bar = fmax(bar, l->boxes[i].bar_room);
  l->right += bar;
}

// Ticks of the x axis, fewer and fewer until their words keep a distance; *overhang: how far the last one reaches out.
static double x_ticks(PlotWork *l, uint32_t i, double width) {
  const PlotPanel *p = &l->plot->panels.items[i];
  PlotBox *b = &l->boxes[i];
  double space = l->d->cells ? 4 : 12, most = 0;
  Scale s = {p->x_log, b->x.lo, b->x.hi, 0, width};
  uint32_t least = 2, start = (uint32_t)fmax(width / l->z.x_every, 2);
  // between two indices is nothing
  if (p->index && b->x.hi - b->x.lo < start) start = (uint32_t)fmax(b->x.hi - b->x.lo, 1), least = 1;
  for (uint32_t wanted = start; wanted >= least; wanted--) {
    if (p->ticks) p->ticks(p->self, &b->tx, b->x.lo, b->x.hi, wanted);
    else scale_ticks(&b->tx, b->x.lo, b->x.hi, p->x_log, wanted);
    double end = -INFINITY;
    bool fits = true;
    most = 0;
    for (uint32_t k = 0; k < b->tx.count; k++) {
      double at = scale_place(&s, b->tx.at[k]), w = drawing_text_width(b->tx.text[k], l->z.small, l->d->cells);
      if (at - w / 2 < end + space) fits = false;
      end = at + w / 2;
      most = fmax(most, end - width);
    }
    if (fits) return most;
  }
  // even two touch: every word that does keeps silent
  double end = -INFINITY;
  for (uint32_t k = 0; k < b->tx.count; k++) {
    double at = scale_place(&s, b->tx.at[k]), w = drawing_text_width(b->tx.text[k], l->z.small, l->d->cells);
    if (at - w / 2 < end + space) b->tx.text[k][0] = '\0';
    else end = at + w / 2;
  }
  return most;
}

// An axis with equal units: the range that is too short for its pixels grows.
static void equalize(PlotBox *b, double width) {
  double ux = (b->x.hi - b->x.lo) / width, uy = (b->y.hi - b->y.lo) / b->area.h;
  if (ux < uy) {
    double middle = (b->x.lo + b->x.hi) / 2, half = uy * width / 2;
    b->x = (AxisRange){middle - half, middle + half};
  } else {
    double middle = (b->y.lo + b->y.hi) / 2, half = ux * b->area.h / 2;
    b->y = (AxisRange){middle - half, middle + half};
  }
}

static void stack(PlotWork *l) {
  double y = l->d->cells ? 0 : l->z.edge;
  if (l->title_lines) y += l->d->cells ? l->title_lines * l->z.line : (0.4 + 1.1 * l->title_lines) * l->z.line;
  double width = l->z.width - l->left - l->right;
  for (uint32_t i = 0; i < l->count; i++) {
    const PlotPanel *p = &l->plot->panels.items[i];
    PlotBox *b = &l->boxes[i];
    b->area.x = l->left;
    b->area.w = width;
    uint32_t rows = b->beside ? 0 : legend_rows(l, b, width, true);
    b->top = y;
    y += rows * l->z.line;
    bool words = false;
    for (uint32_t k = 0; k < p->events.count; k++) words = words || p->events.items[k].name;
    b->event_row = words ? y : NAN;
    if (words) y += l->z.line;
    y += l->d->cells ? 0 : 8;
    b->area.y = y;
    y += b->area.h;
    if (b->words_below && !p->bare) {
      // ticks, their words, the name of the axis
      y += l->d->cells ? 4 + 2 * l->z.line : l->z.tick + l->z.gap + 2.2 * l->z.line;
      b->x_words = plot_axis_words(l->d->arena, p->x_name, p->x_unit, &b->tx);
    } else {
      y += l->d->cells ? 4 : 10;
    }
  }
  l->d->height = y + (l->d->cells ? 0 : l->z.edge - 4);
}

bool plot_stack(const Plot *plot, PlotStyle style, double *left, double *right, Drawing *d) {
  d->cells = style.cells;
  d->dark = style.dark;
  PlotWork layout = {.plot = plot,
                     .d = d,
                     .z = sizes_for(style),
                     .theme = style.cells ? drawing_theme_terminal() : drawing_theme(style.dark),
                     .count = plot->panels.count},
           *l = &layout;
  d->width = l->z.width;
  l->boxes = arena_array(d->arena, (size_t)l->count + 1, sizeof *l->boxes);
  if (!l->boxes) return false;
  // bold letters are wider
  if (plot->title)
    l->title_lines =
        drawing_text_wrap(d->arena, plot->title, 1.15 * l->z.title, d->cells, l->z.width - 2 * l->z.edge, l->title);
  find_ranges(l);
  // equal units need the width, which needs the words of the y axis: twice through
  for (int round = 0; round < 2; round++) {
    y_ticks(l);
    margins(l);
    l->left = fmax(l->left, *left);
    l->right = fmax(l->right, *right);
    double width = l->z.width - l->left - l->right;
    bool again = false;
    for (uint32_t i = 0; i < l->count; i++) {
      if (!plot->panels.items[i].equal) continue;
      equalize(&l->boxes[i], width);
      again = true;
    }
    if (!again) break;
  }
  double over = 0;
  for (uint32_t i = 0; i < l->count; i++) over = fmax(over, x_ticks(l, i, l->z.width - l->left - l->right));
  if (over > l->right - l->z.edge && !d->cells) {
    l->right = over + l->z.edge;
    for (uint32_t i = 0; i < l->count; i++) x_ticks(l, i, l->z.width - l->left - l->right);
  }
  *left = l->left;
  *right = l->right;
  stack(l);
  for (uint32_t i = 0; i < l->count; i++) {
    if (l->plot->panels.items[i].equal) equalize(&l->boxes[i], l->boxes[i].area.w);
    plot_draw_panel(l, i);
  }
  plot_draw_title(l);
  return !arena_failed(d->arena);
}

// One panel of a plot as items of a drawing: grid, bands, curves, points, marks, axes, words, legend.
//
// in    a placed panel (PlotBox), its curves
// out   items in the order in which they cover each other, the grid first, the words last. Curves are thinned (curve.c)
//       and clipped to the area; a phase path has a mark at its start and arrows along its way.
#include "show/curve.h"
#include "show/plot_parts.h"

#include <math.h>
#include <string.h>

typedef struct PanelPainter {
  PlotWork *l;
  Drawing *d;
  const PlotPanel *p;
  PlotBox *b;
  Scale x, y, right;
  uint32_t clip;
  CurvePath *paths; // of the lines
} PanelPainter;

static const Scale *scale_of(const PanelPainter *w, const PlotCurve *c) { return c->right ? &w->right : &w->y; }

static uint32_t style_of(const PlotCurve *c, uint32_t index) { return c->style ? c->style - 1 : index; }

// ---- curves

static double path_length(CurvePath path) {
  double length = 0;
  for (uint32_t i = 1; i < path.count; i++) {
    double step = hypot(path.points[i].x - path.points[i - 1].x, path.points[i].y - path.points[i - 1].y);
    if (!isnan(step)) length += step;
  }
  return length;
}

// A line that goes to and fro many times is solid, because its dashes would run into each other.
static DrawDash line_dash(const PanelPainter *w, const PlotCurve *c, uint32_t index) {
  enum { most_widths = 8 }; // of the area, that a dashed line may be long
  // one that a key explains is kept longer
  if (c->faint || path_length(w->paths[index]) > (c->dash ? 5 : 1) * most_widths * w->b->area.w) return dash_solid;
  return c->dash ? (DrawDash)((c->dash - 1) % dash_count) : c->shaded ? dash_solid : drawing_dash(style_of(c, index));
}

static void draw_line(PanelPainter *w, const PlotCurve *c, uint32_t index) {
  CurvePath path = w->paths[index] = curve_reduce(w->d->arena, &w->x, scale_of(w, c), c->x, c->y, c->count);
  uint32_t style = style_of(c, index);
  int32_t colour = c->shaded  ? plot_level_colour(w->p, w->b, c->level, true, w->l->d->dark)
                   : c->faint ? w->l->theme.muted
                              : drawing_theme_curve(&w->l->theme, style);
  if (path.count) {
    drawing_add(w->d, (DrawItem){.kind = draw_path,
                                 .role = role_curve,
                                 .stroke = colour,
                                 .fill = draw_no_colour,
                                 .line = c->faint    ? 0.8
                                         : c->shaded ? 1.2
                                                     : 1.6,
                                 .opacity = c->faint ? 0.35 : 1,
                                 .dash = line_dash(w, c, index),
                                 .clip = w->clip,
                                 .points = path.points,
                                 .count = path.count,
                                 .text = c->name});
  }
}

// One point that is no dot.
static void draw_mark(PanelPainter *w, const PlotCurve *c, DrawRole role, DrawPoint at) {
  const double r = w->d->cells ? 1 : 3;
  if (c->mark == mark_ring) {
    drawing_add(w->d, (DrawItem){.kind = draw_circle,
                                 .role = role,
                                 .stroke = w->l->theme.ink,
                                 .fill = w->l->theme.ground,
                                 .line = 1.2,
                                 .opacity = 1,
                                 .x = at.x,
                                 .y = at.y,
                                 .r = r});
    return;
  }
  DrawPoint *p = arena_array(w->d->arena, 5, sizeof *p);
  if (!p) return;
  p[0] = (DrawPoint){at.x - r, at.y - r};
  p[1] = (DrawPoint){at.x + r, at.y + r};
  p[2] = (DrawPoint){NAN, NAN};
  p[3] = (DrawPoint){at.x - r, at.y + r};
  p[4] = (DrawPoint){at.x + r, at.y - r};
  drawing_add(w->d, (DrawItem){.kind = draw_path,
                               .role = role,
                               .stroke = w->l->theme.alarm,
                               .fill = draw_no_colour,
                               .line = 1.4,
                               .opacity = 1,
                               .points = p,
                               .count = 5});
}

static void draw_scatter(PanelPainter *w, const PlotCurve *c, uint32_t index) {
  CurvePath path = curve_scatter(w->d->arena, &w->x, scale_of(w, c), c->x, c->y, c->count);
  if (c->mark != mark_dot) {
    for (uint32_t i = 0; i < path.count; i++) {
      if (!isnan(path.points[i].x)) draw_mark(w, c, role_points, path.points[i]);
    }
    return;
  }
  if (path.count) {
    drawing_add(w->d, (DrawItem){.kind = draw_path,
                                 .role = role_points,
                                 .stroke = drawing_theme_curve(&w->l->theme, style_of(c, index)),
                                 .fill = draw_no_colour,
                                 .line = 4,
                                 .opacity = 0.75,
                                 .clip = w->clip,
                                 .points = path.points,
                                 .count = path.count,
                                 .text = c->name});
  }
}

// One polygon for each stretch in which both edges have a position.
static void draw_band(PanelPainter *w, const PlotCurve *c, uint32_t index) {
  const Scale *y = scale_of(w, c);
  for (size_t i = 0; i < c->count;) {
    size_t end = i;
    while (end < c->count && !isnan(scale_place(&w->x, c->x[end])) && !isnan(scale_place(y, c->y[end])) &&
           !isnan(scale_place(y, c->y2[end])))
      end++;
    if (end > i) {
      CurvePath low = curve_reduce(w->d->arena, &w->x, y, c->x + i, c->y + i, end - i);
      CurvePath high = curve_reduce(w->d->arena, &w->x, y, c->x + i, c->y2 + i, end - i);
      DrawPoint *ring = arena_array(w->d->arena, (size_t)low.count + high.count, sizeof *ring);
      if (!ring) return;
      memcpy(ring, low.points, low.count * sizeof *ring);
      for (uint32_t k = 0; k < high.count; k++) ring[low.count + k] = high.points[high.count - 1 - k];
      drawing_add(w->d, (DrawItem){.kind = draw_path,
                                   .role = role_band,
                                   .stroke = draw_no_colour,
                                   .fill = drawing_theme_curve(&w->l->theme, style_of(c, index)),
                                   .opacity = 0.22,
                                   .clip = w->clip,
                                   .points = ring,
                                   .count = low.count + high.count,
                                   .closed = true,
                                   .text = c->name});
    }
    i = end + 1;
  }
}

// ---- start and direction

static void draw_arrow(PanelPainter *w, DrawPoint at, DrawPoint along, int32_t colour) {
  double n = hypot(along.x, along.y), size = w->d->cells ? 3 : 7;
  DrawPoint *p = arena_array(w->d->arena, 3, sizeof *p);
  if (!p || !(n > 0)) return;
  double ux = along.x / n, uy = along.y / n;
  p[0] = (DrawPoint){at.x + size * ux, at.y + size * uy};
  p[1] = (DrawPoint){at.x - 0.5 * size * ux - 0.62 * size * uy, at.y - 0.5 * size * uy + 0.62 * size * ux};
  p[2] = (DrawPoint){at.x - 0.5 * size * ux + 0.62 * size * uy, at.y - 0.5 * size * uy - 0.62 * size * ux};
  drawing_add(w->d, (DrawItem){.kind = draw_path,
                               .role = role_arrow,
                               .stroke = draw_no_colour,
                               .fill = colour,
                               .opacity = 1,
                               .clip = w->clip,
                               .points = p,
                               .count = 3,
                               .closed = true});
}

// Arrows at equal distances along the path, at most six.
static void draw_direction(PanelPainter *w, const PlotCurve *c, uint32_t index, bool start) {
  CurvePath path = w->paths[index];
  int32_t colour = drawing_theme_curve(&w->l->theme, style_of(c, index));
  double length = path_length(path), run = 0;
  double spacing = fmax(length / 6.5, w->d->cells ? 60 : 120), next = fmin(spacing, length) / 2;
  for (uint32_t i = 1; i < path.count; i++) {
    DrawPoint a = path.points[i - 1], b = path.points[i];
    double step = hypot(b.x - a.x, b.y - a.y);
    if (isnan(step)) continue;
    run += step;
    if (run < next || step == 0) continue;
    double way = c->arrows < 0 ? -1 : 1;
    draw_arrow(w, b, (DrawPoint){way * (b.x - a.x), way * (b.y - a.y)}, colour);
    next += spacing;
  }
  for (uint32_t i = 0; start && i < path.count; i++) {
    if (isnan(path.points[i].x)) continue;
    drawing_add(w->d, (DrawItem){.kind = draw_circle,
                                 .role = role_start,
                                 .stroke = w->l->theme.ink,
                                 .fill = w->l->theme.ground,
                                 .line = 1.4,
                                 .opacity = 1,
                                 .x = path.points[i].x,
                                 .y = path.points[i].y,
                                 .r = 4});
    return;
  }
}

// ---- axes

static void draw_grid(PanelPainter *w) {
  const DrawRect *a = &w->b->area;
  for (uint32_t i = 0; i < w->b->tx.count; i++) {
    double x = scale_place(&w->x, w->b->tx.at[i]);
    drawing_line(w->d, role_grid, (DrawPoint){x, a->y}, (DrawPoint){x, a->y + a->h}, w->l->theme.grid, 1);
  }
  for (uint32_t i = 0; i < w->b->ty.count; i++) {
    double y = scale_place(&w->y, w->b->ty.at[i]);
    drawing_line(w->d, role_grid, (DrawPoint){a->x, y}, (DrawPoint){a->x + a->w, y}, w->l->theme.grid, 1);
  }
}

static void draw_x_axis(PanelPainter *w) {
  const DrawRect *a = &w->b->area;
  const PlotSizes *z = &w->l->z;
  double base = a->y + a->h;
  drawing_line(w->d, role_axis, (DrawPoint){a->x, base}, (DrawPoint){a->x + a->w, base}, w->l->theme.muted, 1);
  for (uint32_t i = 0; i < w->b->tx.minor_count && !w->d->cells; i++) {
    double x = scale_place(&w->x, w->b->tx.minor[i]);
    drawing_line(w->d, role_minor, (DrawPoint){x, base}, (DrawPoint){x, base + z->tick / 2}, w->l->theme.muted, 0.7);
  }
  double words = w->d->cells ? base + 4 + z->line / 2 : base + z->tick + z->gap + z->line / 2;
  for (uint32_t i = 0; i < w->b->tx.count; i++) {
    double x = scale_place(&w->x, w->b->tx.at[i]);
    drawing_line(w->d, role_tick_x, (DrawPoint){x, base}, (DrawPoint){x, base + z->tick}, w->l->theme.muted, 1);
    if (w->b->words_below && w->b->tx.text[i][0])
      drawing_word(w->d, role_tick_x, (DrawPoint){x, words}, 0,
                   arena_strndup(w->d->arena, w->b->tx.text[i], strlen(w->b->tx.text[i])), z->small, w->l->theme.ink);
  }
  if (!w->b->words_below || !w->b->x_words) return;
  const char *name = plot_axis_fit(w->d->arena, w->b->x_words, z->font, w->d->cells, a->w);
  drawing_word(w->d, role_label_x, (DrawPoint){a->x + a->w / 2, words + 1.1 * z->line}, 0, name, z->font,
               w->l->theme.ink);
}

// Is the axis at the right that of one curve alone? Then it has its colour.
static bool right_colour(const PanelPainter *w, int32_t *colour) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < w->p->curves.count; i++) {
    const PlotCurve *c = &w->p->curves.items[i];
    if (!c->right) continue;
    count += 1 + c->shaded;
    *colour = drawing_theme_curve(&w->l->theme, style_of(c, i));
  }
  return count == 1;
}

// One of the upright axes: its line, its ticks with their words, outwards from it.
static void draw_upright(PanelPainter *w, double at, double out, const Scale *y, const Ticks *t) {
  int32_t line = w->l->theme.muted, ink = w->l->theme.ink, own;
  if (out > 0 && right_colour(w, &own)) line = ink = own;
  DrawRole role = out < 0 ? role_tick_y : role_tick_right;
  const DrawRect *a = &w->b->area;
  const PlotSizes *z = &w->l->z;
  drawing_line(w->d, role_axis, (DrawPoint){at, a->y}, (DrawPoint){at, a->y + a->h}, line, 1);
  for (uint32_t i = 0; i < t->minor_count && !w->d->cells; i++) {
    double v = scale_place(y, t->minor[i]);
    drawing_line(w->d, role_minor, (DrawPoint){at + out * z->tick / 2, v}, (DrawPoint){at, v}, line, 0.7);
  }
  for (uint32_t i = 0; i < t->count; i++) {
    double v = scale_place(y, t->at[i]);
    drawing_line(w->d, role, (DrawPoint){at + out * z->tick, v}, (DrawPoint){at, v}, line, 1);
    drawing_word(w->d, role, (DrawPoint){at + out * (z->tick + z->gap), v}, out < 0 ? 1 : -1,
                 arena_strndup(w->d->arena, t->text[i], strlen(t->text[i])), z->small, ink);
  }
}

// The words of an upright axis, along it.
static void draw_upright_words(PanelPainter *w, DrawRole role, const char *words, double x) {
  const DrawRect *a = &w->b->area;
  int32_t ink = w->l->theme.ink, own;
  if (role == role_label_right && right_colour(w, &own)) ink = own;
  // a long name becomes smaller, then it is cut
  double size = w->l->z.font, room = a->h + 8;
  while (size > 9 && drawing_text_width(words, size, false) > room) size -= 0.5;
  const char *name = plot_axis_fit(w->d->arena, words, size, false, room);
  drawing_add(w->d, (DrawItem){.kind = draw_text,
                               .role = role,
                               .stroke = draw_no_colour,
                               .fill = ink,
                               .opacity = 1,
                               .x = x,
                               .y = a->y + a->h / 2,
                               .text = name,
                               .size = size,
                               .upright = true});
}

static void draw_y_axis(PanelPainter *w) {
  const DrawRect *a = &w->b->area;
  const PlotSizes *z = &w->l->z;
  draw_upright(w, a->x, -1, &w->y, &w->b->ty);
  if (*w->b->y_words && w->d->cells) {
    const char *name = plot_axis_fit(w->d->arena, w->b->y_words, 0, true, a->w);
    drawing_word(w->d, role_label_y, (DrawPoint){a->x, w->b->top + z->line / 2}, -1, name, 0, w->l->theme.ink);
  } else if (*w->b->y_words) {
    draw_upright_words(w, role_label_y, w->b->y_words, z->edge + z->line / 2 - 2);
  }
  if (!w->b->axis_room) return;
  draw_upright(w, a->x + a->w, 1, &w->right, &w->b->tr);
  // a terminal has its unit in the legend
  if (!w->d->cells && *w->b->right_words)
    draw_upright_words(w, role_label_right, w->b->right_words, a->x + a->w + w->b->axis_room - z->line / 2 + 6);
}

// ---- events and legend

static void draw_events(PanelPainter *w) {
  const DrawRect *a = &w->b->area;
  const PlotSizes *z = &w->l->z;
  double apart = w->d->cells ? 2 : 8;
  VEC(AxisRange) words = {0};
  for (uint32_t i = 0; i < w->p->events.count; i++) {
    const PlotEvent *e = &w->p->events.items[i];
    double x = scale_place(&w->x, e->at);
    if (!(x >= a->x && x <= a->x + a->w)) continue;
    DrawPoint *p = arena_array(w->d->arena, 2, sizeof *p);
    if (!p) return;
    p[0] = (DrawPoint){x, a->y};
    p[1] = (DrawPoint){x, a->y + a->h};
    drawing_add(w->d, (DrawItem){.kind = draw_path,
                                 .role = role_event,
                                 .stroke = w->l->theme.muted,
                                 .fill = draw_no_colour,
                                 .line = 1,
                                 .opacity = 1,
                                 .dash = dash_dots,
                                 .points = p,
                                 .count = 2});
    if (!e->name || isnan(w->b->event_row)) continue;
    double width = drawing_text_width(e->name, z->small, w->d->cells);
    double left = fmin(fmax(x - width / 2, a->x), a->x + a->w - width);
    bool room = width <= a->w; // else the line stays alone
    for (uint32_t k = 0; k < words.count; k++)
      room = room && (left >= words.items[k].hi + apart || left + width + apart <= words.items[k].lo);
    if (!room || !vec_push(w->d->arena, &words, ((AxisRange){left, left + width}))) continue;
    drawing_word(w->d, role_event, (DrawPoint){left, w->b->event_row + z->line / 2}, -1, e->name, z->small,
                 w->l->theme.muted);
  }
}

// A line in the dash of a key, in no colour.
static void draw_dash_sample(PanelPainter *w, uint32_t dash, double x, double y) {
  DrawPoint *ends = arena_array(w->d->arena, 2, sizeof *ends);
  if (!ends) return;
  ends[0] = (DrawPoint){x, y};
  ends[1] = (DrawPoint){x + w->l->z.sample, y};
  drawing_add(w->d, (DrawItem){.kind = draw_path,
                               .role = role_legend,
                               .stroke = w->l->theme.ink,
                               .fill = draw_no_colour,
                               .line = 1.4,
                               .opacity = 1,
                               .dash = (DrawDash)(dash % dash_count),
                               .points = ends,
                               .count = 2});
}

static void draw_round_sample(PanelPainter *w, DrawItem look, double x, double y) {
  look.kind = draw_circle;
  look.role = role_legend;
  look.x = x + w->l->z.sample / 2;
  look.y = y;
  drawing_add(w->d, look);
}

static void draw_point_sample(PanelPainter *w, const PlotCurve *c, int32_t colour, double x, double y) {
  if (c->mark == mark_dot)
    draw_round_sample(w, (DrawItem){.stroke = draw_no_colour, .fill = colour, .opacity = 0.75, .r = 2.5}, x, y);
  else draw_mark(w, c, role_legend, (DrawPoint){x + w->l->z.sample / 2, y});
}

static void draw_sample(PanelPainter *w, const PlotEntry *e, double x, double y) {
  const PlotSizes *z = &w->l->z;
  const Theme *t = &w->l->theme;
  if (e->kind == entry_start) {
    draw_round_sample(w, (DrawItem){.stroke = t->ink, .fill = t->ground, .line = 1.4, .opacity = 1, .r = 4}, x, y);
    return;
  }
  if (e->kind == entry_dash) {
    draw_dash_sample(w, w->p->dashes.items[e->curve].dash, x, y);
    return;
  }
  const PlotCurve *c = &w->p->curves.items[e->curve];
  int32_t colour = drawing_theme_curve(t, style_of(c, e->curve));
  if (c->kind == curve_points) {
    draw_point_sample(w, c, colour, x, y);
    return;
  }
  DrawPoint *p = arena_array(w->d->arena, 4, sizeof *p);
  if (!p) return;
  if (c->kind == curve_band) {
    double h = w->d->cells ? 1 : 5;
    p[0] = (DrawPoint){x, y - h};
    p[1] = (DrawPoint){x + z->sample, y - h};
    p[2] = (DrawPoint){x + z->sample, y + h};
    p[3] = (DrawPoint){x, y + h};
    drawing_add(w->d, (DrawItem){.kind = draw_path,
                                 .role = role_legend,
                                 .stroke = draw_no_colour,
                                 .fill = colour,
                                 .opacity = c->inside ? 0.39 : 0.22,
                                 .points = p,
                                 .count = 4,
                                 .closed = true});
    return;
  }
  p[0] = (DrawPoint){x, y};
  p[1] = (DrawPoint){x + z->sample - (w->d->cells ? 1 : 0), y};
  drawing_add(w->d, (DrawItem){.kind = draw_path,
                               .role = role_legend,
                               .stroke = colour,
                               .fill = draw_no_colour,
                               .line = 1.8,
                               .opacity = 1,
                               .dash = line_dash(w, c, e->curve),
                               .points = p,
                               .count = 2});
}

double plot_key_widths(const PlotWork *l, const PlotPanel *p, double widths[key_columns_most]) {
  double whole = l->z.sample + l->z.gap;
  for (uint32_t c = 0; c < p->head_count; c++) {
    widths[c] = drawing_text_width(p->heads[c], l->z.small, false);
    for (uint32_t k = 0; k < p->curves.count; k++) {
      if (p->curves.items[k].cells)
        widths[c] = fmax(widths[c], drawing_text_width(p->curves.items[k].cells[c], l->z.small, false));
    }
    whole += widths[c] + (c ? 2 * l->z.gap : 0);
  }
  return whole;
}

// A table beside the area: a head, then for each curve a sample of its line and its values, set to the right.
static void draw_table(PanelPainter *w, double left) {
  const PlotSizes *z = &w->l->z;
  double widths[key_columns_most], y = w->b->area.y + 0.5 * z->line;
  plot_key_widths(w->l, w->p, widths);
  for (uint32_t i = 0; i <= w->b->entry_count; i++, y += z->line) {
    const PlotEntry *e = i ? &w->b->entries[i - 1] : NULL;
    const PlotCurve *c = e && e->kind == entry_curve ? &w->p->curves.items[e->curve] : NULL;
    double x = left + z->sample + z->gap;
    if (e) draw_sample(w, e, left, y);
    if (e && (!c || !c->cells))
      drawing_word(w->d, role_legend, (DrawPoint){x, y}, -1, e->text, z->small, w->l->theme.ink);
    for (uint32_t k = 0; k < w->p->head_count && (!e || (c && c->cells)); k++) {
      x += widths[k] + (k ? 2 * z->gap : 0);
      drawing_word(w->d, role_legend, (DrawPoint){x, y}, 1, c ? c->cells[k] : w->p->heads[k], z->small,
                   c ? w->l->theme.ink : w->l->theme.muted);
    }
  }
}

static void draw_legend(PanelPainter *w) {
  const PlotSizes *z = &w->l->z;
  const DrawRect *a = &w->b->area;
  if (w->b->beside && w->p->head_count && !w->p->keyless) {
    draw_table(w, a->x + a->w + w->b->bar_room + w->b->axis_room + z->edge + 4);
    return;
  }
  for (uint32_t i = 0; i < w->b->entry_count; i++) {
    const PlotEntry *e = &w->b->entries[i];
    double x = w->b->beside ? a->x + a->w + w->b->bar_room + w->b->axis_room + z->edge + 4 : a->x + e->x;
    double y = w->b->beside ? a->y + (i + 0.5) * z->line : w->b->top + (e->row + 0.5) * z->line;
    if (e->kind != entry_words) {
      draw_sample(w, e, x, y);
      x += z->sample + z->gap;
    }
    drawing_word(w->d, role_legend, (DrawPoint){x, y}, -1, e->text, z->small, w->l->theme.ink);
  }
}

void plot_draw_panel(PlotWork *l, uint32_t index) {
  PlotBox *b = &l->boxes[index];
  PanelPainter painter = {.l = l, .d = l->d, .p = &l->plot->panels.items[index], .b = b}, *w = &painter;
  w->x = (Scale){w->p->x_log, b->x.lo, b->x.hi, b->area.x, b->area.x + b->area.w};
  w->y = (Scale){w->p->y_log, b->y.lo, b->y.hi, b->area.y + b->area.h, b->area.y};
  w->right = (Scale){w->p->y_log, b->right.lo, b->right.hi, b->area.y + b->area.h, b->area.y};
  w->paths = arena_array(l->d->arena, (size_t)w->p->curves.count + 1, sizeof *w->paths);
  if (!w->paths || !vec_push(l->d->arena, &l->d->clips, b->area)) return;
  w->clip = l->d->clips.count;
  if (w->p->heat) plot_draw_heat(l, index, &w->x, &w->y, w->clip);
  else if (!w->p->bare) draw_grid(w);
  for (uint32_t pass = 0; pass < 5; pass++) {
    // bands lie lowest, measured points under the lines, one of many under what stands out
    static const CurveKind order[] = {curve_band, curve_line, curve_points, curve_line, curve_line};
    for (uint32_t i = 0; i < w->p->curves.count; i++) {
      const PlotCurve *c = &w->p->curves.items[i];
      if (c->kind != order[pass]) continue;
      if (c->kind == curve_line && pass != (c->faint ? 1u : c->shaded ? 3u : 4u)) continue;
      if (c->kind == curve_band) draw_band(w, c, i);
      else if (c->kind == curve_points) draw_scatter(w, c, i);
      else draw_line(w, c, i);
    }
  }
  if (w->p->scene) w->p->scene(w->p->self, l->d, &w->x, &w->y, w->clip);
  for (uint32_t i = 0; i < w->p->curves.count; i++) {
    const PlotCurve *c = &w->p->curves.items[i];
    // arrows on one of many lines would be too many
    if ((w->p->phase || c->arrows) && !c->shaded) draw_direction(w, c, i, w->p->phase);
  }
  if (!w->p->bare) {
    draw_x_axis(w);
    draw_y_axis(w);
  }
  draw_events(w);
  draw_legend(w);
  if (b->bar_room > 0) plot_draw_bar(l, index);
  if (b->empty && !w->p->scene)
    drawing_word(l->d, role_note, (DrawPoint){b->area.x + b->area.w / 2, b->area.y + b->area.h / 2}, 0, "no data",
                 l->z.font, l->theme.muted);
}

void plot_draw_title(PlotWork *l) {
  for (uint32_t i = 0; i < l->title_lines; i++) {
    DrawItem item = {.kind = draw_text,
                     .role = role_title,
                     .stroke = draw_no_colour,
                     .fill = l->theme.ink,
                     .opacity = 1,
                     .anchor = -1,
                     .text = l->title[i],
                     .size = l->z.title,
                     .bold = true};
    item.x = l->d->cells ? 0 : l->z.edge;
    item.y = l->d->cells ? 2 + i * l->z.line : l->z.edge + (0.6 + 1.1 * i) * l->z.line;
    drawing_add(l->d, item);
  }
}

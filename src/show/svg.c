// Drawings as SVG. Every element has its role as class, so that readers (and tests) find what they look for.
//
// in    a Drawing: items in the order of drawing
// out   one SVG element; numbers with two decimals (a hundredth of a pixel is not seen), words escaped, clips
//       as clipPath
#include "show/svg.h"

#include <math.h>
#include <string.h>

static const char *const classes[role_count] = {[role_grid] = "grid",
                                                [role_axis] = "axis",
                                                [role_tick_x] = "tick-x",
                                                [role_tick_y] = "tick-y",
                                                [role_tick_right] = "tick-right",
                                                [role_label_right] = "label-right",
                                                [role_minor] = "minor",
                                                [role_label_x] = "label-x",
                                                [role_label_y] = "label-y",
                                                [role_title] = "title",
                                                [role_legend] = "legend",
                                                [role_curve] = "curve",
                                                [role_points] = "points",
                                                [role_band] = "band",
                                                [role_start] = "start",
                                                [role_arrow] = "arrow",
                                                [role_event] = "event",
                                                [role_shape] = "shape",
                                                [role_trail] = "trail",
                                                [role_note] = "note",
                                                [role_heat] = "heat",
                                                [role_bar] = "bar"};

void svg_escape(Text *out, const char *text) { text_put_markup(out, text, strlen(text)); }

void svg_number(Text *out, double value) {
  enum { far = 1000000000 }; // outside of every picture, and what readers of SVG still take
  char digits[24];
  size_t n = 0;
  long long hundredths = isnan(value) ? 0 : llround(fmin(fmax(value, -(double)far), (double)far) * 100);
  if (hundredths < 0) {
    text_putc(out, '-');
    hundredths = -hundredths;
  }
  long long whole = hundredths / 100;
  int rest = (int)(hundredths % 100);
  do digits[sizeof digits - ++n] = (char)('0' + whole % 10);
  while ((whole /= 10) > 0);
  text_putn(out, digits + sizeof digits - n, n);
  if (rest == 0) return;
  char fraction[3] = {'.', (char)('0' + rest / 10), (char)('0' + rest % 10)};
  text_putn(out, fraction, rest % 10 ? 3 : 2);
}

static void put_point(Text *out, DrawPoint p) {
  svg_number(out, p.x);
  text_putc(out, ',');
  svg_number(out, p.y);
}

void svg_path(Text *out, const DrawPoint *points, uint32_t count, bool closed) {
  bool pen = false;
  for (uint32_t i = 0; i < count; i++) {
    if (isnan(points[i].x)) {
      pen = false;
      continue;
    }
    // a piece of one point is a dot
    bool lonely = !pen && (i + 1 == count || isnan(points[i + 1].x));
    if (!pen) text_putc(out, 'M');
    else if (i < 2 || isnan(points[i - 2].x)) text_putc(out, 'L');
    else text_putc(out, ' ');
    put_point(out, points[i]);
    if (lonely) text_put(out, "h0");
    pen = true;
  }
  if (closed) text_putc(out, 'Z');
}

// Rectangles in fours of points with interruptions between: "M10,20h5v-3h-5".
static void put_rectangles(Text *out, const DrawPoint *points, uint32_t count) {
  for (uint32_t i = 0; i + 3 < count; i += 5) {
    // sizes between rounded edges, so that neighbours meet
    double x0 = round(points[i].x * 100) / 100, y0 = round(points[i].y * 100) / 100,
           x1 = round(points[i + 2].x * 100) / 100, y1 = round(points[i + 2].y * 100) / 100;
    text_putc(out, 'M');
    put_point(out, (DrawPoint){x0, y0});
    text_putc(out, 'h');
    svg_number(out, x1 - x0);
    text_putc(out, 'v');
    svg_number(out, y1 - y0);
    text_putc(out, 'h');
    svg_number(out, x0 - x1);
  }
}

void svg_colour(Text *out, const char *attribute, int32_t colour) {
  if (colour == draw_no_colour) text_printf(out, " %s=\"none\"", attribute);
  else text_printf(out, " %s=\"#%06x\"", attribute, (unsigned)colour);
}

const char *svg_dash_array(DrawDash dash) {
  static const char *const arrays[dash_count] = {"", "8 5", "1 4", "10 4 1 4"};
  return arrays[dash];
}

static void number_attribute(Text *out, const char *name, double value) {
  text_printf(out, " %s=\"", name);
  svg_number(out, value);
  text_putc(out, '"');
}

static void put_stroke(Text *out, const DrawItem *item) {
  svg_colour(out, "stroke", item->stroke);
  if (item->stroke == draw_no_colour) return;
  number_attribute(out, "stroke-width", item->line);
  if (*svg_dash_array(item->dash)) text_printf(out, " stroke-dasharray=\"%s\"", svg_dash_array(item->dash));
  bool round = item->role == role_curve || item->role == role_points || item->role == role_legend ||
               item->role == role_shape || item->role == role_trail;
  if (round) text_put(out, " stroke-linecap=\"round\" stroke-linejoin=\"round\"");
}

static void put_text(Text *out, const DrawItem *item) {
  static const char *const anchors[] = {"start", "middle", "end"};
  // the middle of a line of letters lies about a third of their size above its foot
  double drop = 0.35 * item->size, x = item->x + (item->upright ? drop : 0), y = item->y + (item->upright ? 0 : drop);
  text_printf(out, "<text class=\"%s\"", classes[item->role]);
  number_attribute(out, "x", x);
  number_attribute(out, "y", y);
  number_attribute(out, "font-size", item->size);
  text_printf(out, " text-anchor=\"%s\"", anchors[item->anchor + 1]);
  if (item->bold) text_put(out, " font-weight=\"bold\"");
  svg_colour(out, "fill", item->fill);
  if (item->upright) {
    text_put(out, " transform=\"rotate(-90 ");
    svg_number(out, x);
    text_putc(out, ' ');
    svg_number(out, y);
    text_put(out, ")\"");
  }
  text_putc(out, '>');
  svg_escape(out, item->text ? item->text : "");
  text_put(out, "</text>\n");
}

void svg_item(Text *out, const DrawItem *item, const char *id) {
  if (item->kind == draw_text) {
    put_text(out, item);
    return;
  }
  text_printf(out, "<%s class=\"%s\"", item->kind == draw_circle ? "circle" : "path", classes[item->role]);
  if (item->clip) text_printf(out, " clip-path=\"url(#%sarea%u)\"", id ? id : "", item->clip);
  if (item->text) {
    text_put(out, " data-name=\"");
    svg_escape(out, item->text);
    text_putc(out, '"');
  }
  svg_colour(out, "fill", item->fill);
  put_stroke(out, item);
  // cells that touch show no seam
  if (item->role == role_heat || item->role == role_bar) text_put(out, " shape-rendering=\"crispEdges\"");
  if (item->opacity < 1) number_attribute(out, "opacity", item->opacity);
  if (item->kind == draw_circle) {
    number_attribute(out, "cx", item->x);
    number_attribute(out, "cy", item->y);
    number_attribute(out, "r", item->r);
  } else {
    text_put(out, " d=\"");
    if (item->role == role_heat && item->fill != draw_no_colour) put_rectangles(out, item->points, item->count);
    else svg_path(out, item->points, item->count, item->closed);
    text_putc(out, '"');
  }
  text_put(out, "/>\n");
}

void svg_head(Text *out, double width, double height, const char *title, const char *description) {
  text_put(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ");
  svg_number(out, width);
  text_putc(out, ' ');
  svg_number(out, height);
  text_putc(out, '"');
  number_attribute(out, "width", width);
  number_attribute(out, "height", height);
  text_put(out, " font-family=\"sans-serif\" role=\"img\">\n");
  if (title) {
    text_put(out, "<title>");
    svg_escape(out, title);
    text_put(out, "</title>\n");
  }
  if (description) {
    text_put(out, "<desc>");
    svg_escape(out, description);
    text_put(out, "</desc>\n");
  }
}

void svg_write(const Drawing *d, Text *out) {
  Theme theme = drawing_theme(d->dark);
  svg_head(out, d->width, d->height, d->title, d->description);
  text_put(out, "<rect class=\"ground\" width=\"100%\" height=\"100%\"");
  svg_colour(out, "fill", theme.ground);
  text_put(out, "/>\n<defs>\n");
  for (uint32_t i = 0; i < d->clips.count; i++) {
    const DrawRect *r = &d->clips.items[i];
    text_printf(out, "<clipPath id=\"%sarea%u\"><rect", d->id ? d->id : "", i + 1);
    // half a line's width more, so that a curve along the edge keeps its width
    number_attribute(out, "x", r->x - 2);
    number_attribute(out, "y", r->y - 2);
    number_attribute(out, "width", r->w + 4);
    number_attribute(out, "height", r->h + 4);
    text_put(out, "/></clipPath>\n");
  }
  text_put(out, "</defs>\n");
  for (uint32_t i = 0; i < d->items.count; i++) svg_item(out, &d->items.items[i], d->id);
  text_put(out, "</svg>\n");
}

// Block diagrams as drawings, and as text for Graphviz.
//
// in    a Diagram (diagram/diagram.h): blocks with pins, wires from outputs to pins
// out   a Drawing: every block by its kind, the usual symbols, characteristics drawn inside, signs and gains on wires
// how   box_of measures a block by its words, diagram_layout finds positions and wires, then each block is drawn around
//       its middle: x to the right, y down, in pixels
#include "show/diagram.h"

#include "show/diagram_layout.h"

#include <math.h>
#include <string.h>

static const double letters = 13, small = 10.5; // sizes of words in blocks, at pins; pixels

typedef struct Pen {
  Arena *arena;
  Drawing *d;
  Theme theme;
  const DiagramNode *node;
  const BlockBox *box;
  double x, y; // the middle of the block
} Pen;

// ---- sizes

static double wide(const char *text, double size) { return text && *text ? drawing_text_width(text, size, false) : 0; }

static void size_plant(BlockBox *b, const DiagramNode *n, double labels) {
  double outs = 0;
  for (uint32_t i = 0; i < n->outs.count; i++) outs = fmax(outs, wide(n->outs.items[i], small));
  b->gap = b->out_gap = 22;
  b->w = fmax(90, fmax(wide(n->text, letters + 1), wide(n->below, small)) + labels + outs + 34);
  b->h = fmax(64, 22.0 * fmax(n->pins.count, n->outs.count) + 14);
}

// The body of a block by its kind; labels: width of the widest word at its pins.
static void size_body(BlockBox *b, const DiagramNode *n, double labels) {
  uint32_t pins = n->pins.count;
  switch (n->kind) {
  case block_input:
  case block_output:
    b->w = wide(n->text, letters) + 26;
    b->h = 24;
    break;
  case block_constant:
    b->w = fmax(26, wide(n->text, letters) + 12);
    b->h = 24;
    break;
  case block_source:
  case block_function:
    b->w = fmax(36, wide(n->text, letters) + 18) + (labels > 0 ? labels + 6 : 0);
    b->h = 34;
    break;
  case block_sum:
  case block_product:
    b->inset = pins <= 2 ? 14 : 7.5 * pins;
    b->gap = 14;
    if (pins > 5) b->inset = 0, b->w = 30, b->h = 13.0 * pins + 8, b->gap = 13;
    else b->w = b->h = 2 * b->inset;
    break;
  case block_gain:
    b->w = fmax(34, (wide(n->text, 12) + 10) / 0.72); // what a triangle leaves at the height of letters
    b->h = fmax(34, fmin(50, 0.8 * b->w));
    break;
  case block_fraction:
    b->w = fmax(36, fmax(wide(n->text, letters), wide(n->below, letters)) + 16);
    b->h = 46;
    break;
  case block_delay:
    b->w = wide(n->text, small) + 46;
    b->h = 32;
    break;
  case block_integral:
    b->w = 36;
    b->h = 36;
    break;
  case block_and:
  case block_nand:
  case block_or:
  case block_nor:
    b->w = pins > 1 ? 44 : 34;
    b->h = pins > 1 ? b->h : 26;
    break;
  case block_latch:
    b->gap = 20;
    b->h = 46;
    break;
  case block_plant: size_plant(b, n, labels); break;
  default: break;
  }
}

static BlockBox box_of(const DiagramNode *n) {
  BlockBox b = {.w = 46, .h = 38, .gap = 15, .out_gap = 20};
  double labels = 0;
  for (uint32_t i = 0; i < n->pins.count; i++) {
    labels = fmax(labels, wide(n->pins.items[i].label, small));
    double sign = n->pins.items[i].sign ? 10 : 0;
    b.wire = fmax(b.wire, wide(n->pins.items[i].gain, small) + (n->pins.items[i].gain ? 6 : 0) + sign);
  }
  size_body(&b, n, labels);
  if (b.inset <= 0 && n->kind != block_plant) b.h = fmax(b.h, b.gap * n->pins.count + 6);
  b.below = n->caption ? 15 : 0;
  b.name = n->kind == block_plant || n->kind == block_output ? 0 : wide(n->name, small + 1) + 6;
  if (n->caption)
    b.name = fmax(b.name, (wide(n->caption, small) - b.w) / 2 - 4),
    b.wire = fmax(b.wire, (wide(n->caption, small) - b.w) / 2 - 8);
  return b;
}

// ---- shapes

// How a shape is drawn.
typedef struct PenStroke {
  bool closed;
  int32_t fill, stroke;
  double line; // its width
  DrawRole role;
} PenStroke;

static void shape(Pen *p, const DrawPoint *points, uint32_t count, PenStroke s) {
  DrawPoint *copy = arena_array(p->arena, count, sizeof *copy);
  if (!copy) return;
  for (uint32_t i = 0; i < count; i++) copy[i] = (DrawPoint){p->x + points[i].x, p->y + points[i].y};
  drawing_add(p->d, (DrawItem){.kind = draw_path,
                               .role = s.role,
                               .stroke = s.stroke,
                               .fill = s.fill,
                               .line = s.line,
                               .opacity = 1,
                               .points = copy,
                               .count = count,
                               .closed = s.closed});
}

static void outline(Pen *p, const DrawPoint *points, uint32_t count) {
  shape(p, points, count, (PenStroke){true, p->theme.ground, p->theme.ink, 1.4, role_shape});
}

static void rectangle(Pen *p) {
  double w = p->box->w / 2, h = p->box->h / 2;
  outline(p, (DrawPoint[]){{-w, -h}, {w, -h}, {w, h}, {-w, h}}, 4);
}

static void circle(Pen *p, double x, double y, double r, int32_t fill) {
  drawing_add(p->d, (DrawItem){.kind = draw_circle,
                               .role = role_shape,
                               .stroke = p->theme.ink,
                               .fill = fill,
                               .line = 1.4,
                               .opacity = 1,
                               .x = p->x + x,
                               .y = p->y + y,
                               .r = r});
}

static void word(Pen *p, double x, double y, int anchor, const char *text, double size) {
  if (text && *text) drawing_word(p->d, role_note, (DrawPoint){p->x + x, p->y + y}, anchor, text, size, p->theme.ink);
}

// A characteristic over thin axes; points in units of half the inner size, y upwards.
static void characteristic(Pen *p, const double (*points)[2], uint32_t count) {
  double w = p->box->w / 2 - 6, h = fmin(p->box->h, 38) / 2 - 5;
  rectangle(p);
  shape(p, (DrawPoint[]){{-w, 0}, {w, 0}}, 2, (PenStroke){false, draw_no_colour, p->theme.muted, 0.6, role_axis});
  shape(p, (DrawPoint[]){{0, -h}, {0, h}}, 2, (PenStroke){false, draw_no_colour, p->theme.muted, 0.6, role_axis});
  DrawPoint line[16];
  for (uint32_t i = 0; i < count && i < 16; i++)
    line[i] = (DrawPoint){isnan(points[i][0]) ? NAN : w * points[i][0], -h * points[i][1]};
  shape(p, line, count, (PenStroke){false, draw_no_colour, drawing_theme_curve(&p->theme, 0), 1.8, role_curve});
}

#define CURVE(...)                                                                                                     \
  do {                                                                                                                 \
    static const double points[][2] = {__VA_ARGS__};                                                                   \
    characteristic(p, points, sizeof points / sizeof *points);                                                         \
  } while (0)

// A signal over time, without axes.
static void trace(Pen *p, const double (*points)[2], uint32_t count) {
  double w = p->box->w / 2 - 7, h = p->box->h / 2 - 8;
  rectangle(p);
  DrawPoint line[16];
  for (uint32_t i = 0; i < count && i < 16; i++) line[i] = (DrawPoint){w * points[i][0], -h * points[i][1]};
  shape(p, line, count, (PenStroke){false, draw_no_colour, drawing_theme_curve(&p->theme, 0), 1.8, role_curve});
}

#define TRACE(...)                                                                                                     \
  do {                                                                                                                 \
    static const double points[][2] = {__VA_ARGS__};                                                                   \
    trace(p, points, sizeof points / sizeof *points);                                                                  \
  } while (0)

// Half an ellipse around (cx, 0), from the top to the bottom.
static void half_ellipse(DrawPoint *out, uint32_t *n, double cx, double rx, double ry) {
  enum { pieces = 14 }; // of the arc: no corner is seen at this size
  static const double quarter = 1.5707963267948966;
  for (int i = 0; i <= pieces; i++) {
    double a = -quarter + (quarter + quarter) * i / pieces;
    out[(*n)++] = (DrawPoint){cx + rx * cos(a), ry * sin(a)};
  }
}

static void gate(Pen *p, bool or_shape, bool negated) {
  double w = p->box->w / 2, h = p->box->h / 2, tip = negated ? w - 7 : w;
  DrawPoint points[64];
  uint32_t n = 0;
  if (or_shape) {
    for (int i = 0; i <= 14; i++) {
      double s = i / 14.0;
      points[n++] = (DrawPoint){-w + (w + tip) * s, -h * (1 - s * s)};
    }
    for (int i = 13; i >= 0; i--) {
      double s = i / 14.0;
      points[n++] = (DrawPoint){-w + (w + tip) * s, h * (1 - s * s)};
    }
    for (int i = 1; i < 12; i++) {
      double s = 1 - i / 6.0;
      points[n++] = (DrawPoint){-w + 6 * (1 - s * s), h * s};
    }
  } else {
    double flat = tip - h > -w ? tip - h : -w;
    points[n++] = (DrawPoint){-w, h};
    points[n++] = (DrawPoint){-w, -h};
    half_ellipse(points, &n, flat, tip - flat, h);
  }
  outline(p, points, n);
  if (negated) circle(p, w - 3.5, 0, 3.5, p->theme.ground);
}

static void inverter(Pen *p) {
  double w = p->box->w / 2, h = p->box->h / 2;
  outline(p, (DrawPoint[]){{-w, -h}, {w - 7, 0}, {-w, h}}, 3);
  circle(p, w - 3.5, 0, 3.5, p->theme.ground);
}

static void fraction(Pen *p) {
  rectangle(p);
  double w = p->box->w / 2 - 6;
  word(p, 0, -10, 0, p->node->text, letters);
  word(p, 0, 11, 0, p->node->below, letters);
  shape(p, (DrawPoint[]){{-w, 0}, {w, 0}}, 2, (PenStroke){false, draw_no_colour, p->theme.ink, 1, role_axis});
}

static void gain(Pen *p) {
  double w = p->box->w / 2, h = p->box->h / 2;
  outline(p, (DrawPoint[]){{-w, -h}, {w, 0}, {-w, h}}, 3);
  word(p, fmax(-w * 0.36, -w + 5 + wide(p->node->text, 12) / 2), 0, 0, p->node->text, 12);
}

static void terminal(Pen *p) {
  double w = p->box->w / 2, h = p->box->h / 2;
  if (p->node->kind == block_input) outline(p, (DrawPoint[]){{-w, -h}, {w - 9, -h}, {w, 0}, {w - 9, h}, {-w, h}}, 5);
  else outline(p, (DrawPoint[]){{-w, -h}, {w - 9, -h}, {w, 0}, {w - 9, h}, {-w, h}, {-w + 7, 0}}, 6);
  if (p->d->items.count) p->d->items.items[p->d->items.count - 1].fill = p->theme.grid;
  drawing_add(p->d, (DrawItem){.kind = draw_text,
                               .role = role_note,
                               .stroke = draw_no_colour,
                               .fill = p->theme.ink,
                               .opacity = 1,
                               .x = p->x - 1,
                               .y = p->y,
                               .anchor = 0,
                               .text = p->node->text,
                               .size = letters,
                               .bold = p->node->kind == block_output});
}

static void sum(Pen *p) {
  if (p->box->inset > 0) circle(p, 0, 0, p->box->inset, p->theme.ground);
  else rectangle(p);
  if (p->node->kind == block_product) word(p, 0, 0, 0, "×", 18);
  else if (p->box->inset > 14 || p->box->inset <= 0) word(p, 0, 0, 0, "Σ", 15);
}

static void delay(Pen *p) {
  rectangle(p);
  const char *raised = arena_printf(p->arena, "−%s s", p->node->text);
  double w = wide("e", 16) + wide(raised, small);
  word(p, -w / 2 + 2, 3, -1, "e", 16);
  word(p, -w / 2 + 3 + wide("e", 16), -5, -1, raised, small);
}

static void plant(Pen *p) {
  double w = p->box->w / 2;
  const DiagramNode *n = p->node;
  rectangle(p);
  if (p->d->items.count) p->d->items.items[p->d->items.count - 1].line = 2;
  double left = 0, right = 0;
  for (uint32_t i = 0; i < n->pins.count; i++) left = fmax(left, wide(n->pins.items[i].label, small));
  for (uint32_t i = 0; i < n->outs.count; i++) {
    right = fmax(right, wide(n->outs.items[i], small));
    word(p, w - 5, place_out_offset(p->box, i, n->outs.count), 1, n->outs.items[i], small);
  }
  double middle = (left - right) / 2;
  drawing_add(p->d, (DrawItem){.kind = draw_text,
                               .role = role_note,
                               .stroke = draw_no_colour,
                               .fill = p->theme.ink,
                               .opacity = 1,
                               .x = p->x + middle,
                               .y = p->y - (n->below ? 8 : 0),
                               .anchor = 0,
                               .text = n->text,
                               .size = letters + 1,
                               .bold = true});
  word(p, middle, 9, 0, n->below, small);
}

static void labels(Pen *p, const BlockPlace *place) {
  const DiagramNode *n = p->node;
  bool inside =
      n->kind == block_plant || n->kind == block_latch || n->kind == block_function || n->kind == block_switch;
  for (uint32_t i = 0; i < n->pins.count; i++) {
    const DiagramPin *pin = &n->pins.items[place->order[i]];
    double y = place_pin_offset(p->box, i, n->pins.count), x = place_pin_x(p->box, y);
    if (inside) word(p, x + 5, y, -1, pin->label, small);
    // sign and gain stand on the wire
    double at = x - 9;
    if (pin->sign) {
      const char *sign = pin->sign == '+' ? "+" : pin->sign == '-' ? "−" : pin->sign == '*' ? "×" : "÷";
      word(p, at - 1, y - 7, 0, sign, 12);
      at -= 8;
    }
    if (pin->gain)
      drawing_word(p->d, role_note, (DrawPoint){p->x + at, p->y + y - 7}, 1, pin->gain, small,
                   drawing_theme_curve(&p->theme, 0));
    // the arrow head
    DrawPoint head[3] = {{x, y}, {x - 8, y - 3.6}, {x - 8, y + 3.6}};
    shape(p, head, 3, (PenStroke){true, p->theme.ink, draw_no_colour, 0, role_arrow});
  }
}

static void block(Pen *p) {
  const DiagramNode *n = p->node;
  switch (n->kind) {
  case block_input:
  case block_output: terminal(p); break;
  case block_sum:
  case block_product: sum(p); break;
  case block_gain: gain(p); break;
  case block_integral:
    rectangle(p);
    word(p, 0, -1, 0, "∫", 22);
    break;
  case block_limit: CURVE({-1, -0.6}, {-0.5, -0.6}, {0.5, 0.6}, {1, 0.6}); break;
  case block_rectify: CURVE({-1, 0}, {0, 0}, {0.8, 0.9}); break;
  case block_deadzone: CURVE({-1, -0.8}, {-0.4, 0}, {0.4, 0}, {1, 0.8}); break;
  case block_backlash: CURVE({-0.9, -0.7}, {0.1, -0.7}, {0.9, 0.7}, {-0.1, 0.7}, {-0.9, -0.7}); break;
  case block_compare: CURVE({-1, -0.6}, {0.15, -0.6}, {0.15, 0.7}, {1, 0.7}); break;
  case block_hysteresis:
    CURVE({-1, 0.7}, {0.45, 0.7}, {0.45, -0.7}, {1, -0.7}, {NAN, 0}, {-0.45, 0.7}, {-0.45, -0.7}, {0.45, -0.7});
    break;
  case block_sign: CURVE({-1, -0.7}, {0, -0.7}, {0, 0.7}, {1, 0.7}); break;
  case block_abs: CURVE({-0.8, 0.8}, {0, 0}, {0.8, 0.8}); break;
  case block_step: TRACE({-1, -0.8}, {-0.2, -0.8}, {-0.2, 0.8}, {1, 0.8}); break;
  case block_ramp: TRACE({-1, -0.8}, {-0.4, -0.8}, {1, 0.9}); break;
  case block_noise:
    TRACE({-1, 0.1}, {-0.8, 0.7}, {-0.6, -0.5}, {-0.4, 0.3}, {-0.2, -0.9}, {0, 0.8}, {0.2, -0.2}, {0.4, 0.5},
          {0.6, -0.8}, {0.8, 0.2}, {1, -0.1});
    break;
  case block_pulse: TRACE({-1, -0.7}, {-0.5, -0.7}, {-0.5, 0.7}, {0.4, 0.7}, {0.4, -0.7}, {1, -0.7}); break;
  case block_delay: delay(p); break;
  case block_and: gate(p, false, false); break;
  case block_nand: gate(p, false, true); break;
  case block_or: gate(p, true, false); break;
  case block_nor:
    if (n->pins.count > 1) gate(p, true, true);
    else inverter(p);
    break;
  case block_latch:
    rectangle(p);
    word(p, p->box->w / 2 - 5, 0, 1, "Q", small);
    break;
  case block_switch:
    rectangle(p);
    shape(p, (DrawPoint[]){{-8, 6}, {-2, 6}, {11, -6}}, 3,
          (PenStroke){false, draw_no_colour, p->theme.ink, 1.6, role_shape});
    shape(p, (DrawPoint[]){{11, 6}, {17, 6}}, 2, (PenStroke){false, draw_no_colour, p->theme.ink, 1.6, role_shape});
    break;
  case block_fraction: fraction(p); break;
  case block_plant: plant(p); break;
  default: {
    rectangle(p);
    double room = 0;
    for (uint32_t i = 0; i < n->pins.count; i++) room = fmax(room, wide(n->pins.items[i].label, small));
    word(p, room / 2 + (room > 0 ? 3 : 0), 0, 0, n->text, letters);
    break;
  }
  }
  word(p, 0, p->box->h / 2 + 9, 0, n->caption, small);
}

bool show_diagram(Arena *arena, const Diagram *diagram, bool dark, Drawing *d) {
  uint32_t n = diagram->nodes.count;
  BlockBox *boxes = arena_array(arena, n + 1, sizeof *boxes);
  DiagramLayout layout;
  if (!boxes) return false;
  for (uint32_t i = 0; i < n; i++) boxes[i] = box_of(&diagram->nodes.items[i]);
  if (!diagram_layout(arena, diagram, boxes, &layout)) return false;
  // the sheet with its title
  double head = diagram->title ? 26 : 0;
  *d = (Drawing){.arena = arena,
                 .width = fmax(layout.width, diagram->title ? wide(diagram->title, 15) + 40 : 0),
                 .height = layout.height + head,
                 .dark = dark,
                 .title = diagram->title};
  d->description = arena_printf(arena, "a block diagram of %u block%s", n, n == 1 ? "" : "s");
  Theme theme = drawing_theme(dark);
  if (diagram->title) drawing_word(d, role_title, (DrawPoint){d->width / 2, 22}, 0, diagram->title, 15, theme.ink);
  // wires below, blocks above
  for (uint32_t i = 0; i < layout.lines.count; i++) {
    WireLine w = layout.lines.items[i];
    drawing_line(d, role_curve, (DrawPoint){w.x1, w.y1 + head}, (DrawPoint){w.x2, w.y2 + head}, theme.ink, 1.2);
  }
  for (uint32_t i = 0; i < layout.dots.count; i++) {
    drawing_add(d, (DrawItem){.kind = draw_circle,
                              .role = role_points,
                              .stroke = draw_no_colour,
                              .fill = theme.ink,
                              .opacity = 1,
                              .x = layout.dots.items[i].x,
                              .y = layout.dots.items[i].y + head,
                              .r = 2.6});
  }
  for (uint32_t i = 0; i < n; i++) {
    Pen p = {arena, d, theme, &diagram->nodes.items[i], &boxes[i], layout.places[i].x, layout.places[i].y + head};
    block(&p);
    labels(&p, &layout.places[i]);
    bool named =
        p.node->name && p.node->kind != block_plant && p.node->kind != block_output && p.node->kind != block_input;
    if (named) {
      drawing_add(d, (DrawItem){.kind = draw_text,
                                .role = role_label_x,
                                .stroke = draw_no_colour,
                                .fill = theme.ink,
                                .opacity = 1,
                                .x = p.x + p.box->w / 2 + 4,
                                .y = p.y - 7,
                                .anchor = -1,
                                .text = p.node->name,
                                .size = small + 1,
                                .bold = p.node->shown});
    }
  }
  return !arena_failed(arena);
}

// ---- Graphviz

static void dot_text(Text *out, const char *text) {
  for (; text && *text; text++) {
    if (*text == '"' || *text == '\\') text_putc(out, '\\');
    text_putc(out, *text);
  }
}

static const char *dot_shape(BlockKind kind) {
  switch (kind) {
  case block_sum:
  case block_product: return "circle";
  case block_gain: return "rtriangle";
  case block_input:
  case block_output: return "cds";
  default: return "box";
  }
}

// The words of kinds that a drawing shows by a symbol.
static const char *dot_word(BlockKind kind) {
  static const char *const words[block_kinds] = {[block_sum] = "Σ",
                                                 [block_limit] = "limit",
                                                 [block_rectify] = "rectify",
                                                 [block_deadzone] = "deadzone",
                                                 [block_backlash] = "backlash",
                                                 [block_compare] = "compare",
                                                 [block_hysteresis] = "hysteresis",
                                                 [block_sign] = "sign",
                                                 [block_abs] = "abs",
                                                 [block_delay] = "delay",
                                                 [block_pulse] = "pulse",
                                                 [block_switch] = "switch",
                                                 [block_and] = "AND",
                                                 [block_nand] = "NAND",
                                                 [block_or] = "OR",
                                                 [block_nor] = "NOR",
                                                 [block_latch] = "SR",
                                                 [block_noise] = "noise"};
  return words[kind];
}

static void dot_node(const DiagramNode *n, uint32_t i, Text *out) {
  const char *shape_name = dot_shape(n->kind);
  bool triangle = strcmp(shape_name, "rtriangle") == 0;
  text_printf(out, "  n%u [shape=%s%s, label=\"", i, triangle ? "triangle" : shape_name,
              triangle ? ", orientation=270" : "");
  dot_text(out, dot_word(n->kind) ? dot_word(n->kind) : n->text);
  if (n->below) {
    text_put(out, n->kind == block_fraction ? " / " : "\\n");
    dot_text(out, n->below);
  }
  if (n->kind == block_delay || n->caption) {
    text_putc(out, ' ');
    dot_text(out, n->kind == block_delay ? n->text : n->caption);
  }
  text_put(out, "\"];\n");
}

static void dot_wire(const Diagram *diagram, uint32_t i, const DiagramPin *p, Text *out) {
  const DiagramNode *from = &diagram->nodes.items[p->node];
  const char *name = from->kind == block_plant && p->out < from->outs.count ? from->outs.items[p->out] : from->name;
  text_printf(out, "  n%u -> n%u [label=\"", p->node, i);
  dot_text(out, name);
  text_put(out, "\"");
  if (p->sign || p->gain || p->label) {
    text_put(out, ", headlabel=\"");
    if (p->sign) text_putc(out, p->sign);
    dot_text(out, p->gain ? p->gain : p->label);
    text_put(out, "\"");
  }
  text_put(out, "];\n");
}

void show_diagram_dot(const Diagram *diagram, Text *out) {
  text_put(out, "digraph model {\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];\n");
  if (diagram->title) {
    text_put(out, "  label=\"");
    dot_text(out, diagram->title);
    text_put(out, "\";\n");
  }
  for (uint32_t i = 0; i < diagram->nodes.count; i++) dot_node(&diagram->nodes.items[i], i, out);
  for (uint32_t i = 0; i < diagram->nodes.count; i++) {
    const DiagramNode *n = &diagram->nodes.items[i];
    for (uint32_t k = 0; k < n->pins.count; k++) dot_wire(diagram, i, &n->pins.items[k], out);
  }
  text_put(out, "}\n");
}

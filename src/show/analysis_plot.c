// Bode, Nyquist, Nichols, responses, pole maps and root loci, as panels of the plotting core.
//
// in    a table of curves (analyze/curves.h)
// out   a Plot: Bode has two panels with lines at the crossings, planes have equal axes and their marks (-1, the border
//       of stability, poles as crosses, zeros as circles). A curve that leaves the picture is interrupted there.
#include "show/analysis_plot.h"

#include "base/number.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

const char *const analysis_curve_names[curve_kinds] = {"bode",  "nyquist", "nichols", "step",  "impulse", "ramp",
                                                       "poles", "locus",   "circle",  "popov", "describe"};

static double *scaled(Arena *arena, const double *x, uint32_t count, double by) {
  double *out = arena_array(arena, (size_t)count + 1, sizeof *out);
  for (uint32_t i = 0; out && i < count; i++) out[i] = x[i] * by;
  return out;
}

static void put(Arena *arena, PlotPanel *p, const char *name, const char *unit, const double *x, const double *y,
                uint32_t count, uint32_t style) {
  if (p && x && y)
    vec_push(
        arena, &p->curves,
        (PlotCurve){.kind = curve_line, .name = name, .unit = unit, .x = x, .y = y, .count = count, .style = style});
}

// How far it is from the border of stability: an angle, or the logarithm of a factor.
static double distance_to_limit(const Margin *m, bool phase) { return fabs(phase ? m->value : log(fabs(m->value))); }

// Lines at the frequencies of the least margins, the least first: its label is placed first.
static void put_events(Arena *arena, const Analysis *a, PlotPanel *p, bool phase) {
  enum { shown = 3 };
  uint32_t count = phase ? a->margins.phase.count : a->margins.gain.count;
  const Margin *list = phase ? a->margins.phase.items : a->margins.gain.items;
  bool *taken = arena_array(arena, (size_t)count + 1, sizeof *taken);
  for (uint32_t n = 0; taken && n < shown; n++) {
    uint32_t least = count;
    for (uint32_t i = 0; i < count; i++) {
      if (taken[i] || !(list[i].frequency > 0) || !isfinite(list[i].frequency)) continue;
      if (least == count || distance_to_limit(&list[i], phase) < distance_to_limit(&list[least], phase)) least = i;
    }
    if (least == count) return;
    taken[least] = true;
    const Margin *m = &list[least];
    const char *name = phase ? arena_printf(arena, "phase margin %.3g\u00b0", m->value * 180 / pi)
                             : arena_printf(arena, "gain margin %.3g", m->value);
    vec_push(arena, &p->events, (PlotEvent){m->frequency, name});
  }
}

static void plot_bode(Arena *arena, AnalysisPlot *x, Plot *plot) {
  const CurveTable *t = &x->table;
  PlotPanel *p = plot_panel(arena, plot, "frequency", "rad/s");
  if (!p) return;
  p->x_log = true;
  p->y_name = "magnitude";
  put(arena, p, "magnitude", "dB", t->column[0], t->column[2], t->count, 1);
  if (x->a->posed) put_events(arena, x->a, p, true);
  p = plot_panel(arena, plot, "frequency", "rad/s");
  if (!p) return;
  p->x_log = true;
  p->y_name = "phase";
  put(arena, p, "phase", "deg", t->column[0], scaled(arena, t->column[3], t->count, 180 / pi), t->count, 1);
  if (x->a->posed) put_events(arena, x->a, p, false);
}

// ---- marks in a plane

static void cross(Drawing *d, DrawPoint at, double r, int32_t colour, uint32_t clip) {
  DrawPoint *p = arena_array(d->arena, 5, sizeof *p);
  if (!p) return;
  p[0] = (DrawPoint){at.x - r, at.y - r}, p[1] = (DrawPoint){at.x + r, at.y + r}, p[2] = (DrawPoint){NAN, NAN};
  p[3] = (DrawPoint){at.x - r, at.y + r}, p[4] = (DrawPoint){at.x + r, at.y - r};
  drawing_add(d, (DrawItem){.kind = draw_path,
                            .role = role_points,
                            .stroke = colour,
                            .fill = draw_no_colour,
                            .line = 2.2,
                            .opacity = 1,
                            .clip = clip,
                            .points = p,
                            .count = 5});
}

static void ring(Drawing *d, DrawPoint at, double r, int32_t colour, uint32_t clip) {
  drawing_add(d, (DrawItem){.kind = draw_circle,
                            .role = role_points,
                            .stroke = colour,
                            .fill = draw_no_colour,
                            .line = 2,
                            .opacity = 1,
                            .clip = clip,
                            .x = at.x,
                            .y = at.y,
                            .r = r});
}

static void faint_path(Drawing *d, const Theme *theme, DrawPoint *p, uint32_t count, uint32_t clip) {
  drawing_add(d, (DrawItem){.kind = draw_path,
                            .role = role_grid,
                            .stroke = theme->muted,
                            .fill = draw_no_colour,
                            .line = 1,
                            .opacity = 0.6,
                            .dash = dash_long,
                            .clip = clip,
                            .points = p,
                            .count = count});
}

// A circle around a point of the real axis.
static void circle(Drawing *d, const Theme *theme, const Scale *x, const Scale *y, double middle, double r,
                   uint32_t clip) {
  enum { pieces = 192 };
  DrawPoint *p = arena_array(d->arena, pieces + 1, sizeof *p);
  for (int i = 0; p && i <= pieces; i++)
    p[i] = (DrawPoint){scale_place(x, middle + r * cos(2 * pi * i / pieces)),
                       scale_place(y, r * sin(2 * pi * i / pieces))};
  if (p) faint_path(d, theme, p, pieces + 1, clip);
}

// The line through a point of the real axis: x = at + lean y.
static void line(Drawing *d, const Theme *theme, const Scale *x, const Scale *y, double at, double lean,
                 uint32_t clip) {
  DrawPoint *p = arena_array(d->arena, 2, sizeof *p);
  if (!p) return;
  p[0] = (DrawPoint){scale_place(x, at + lean * y->lo), scale_place(y, y->lo)};
  p[1] = (DrawPoint){scale_place(x, at + lean * y->hi), scale_place(y, y->hi)};
  faint_path(d, theme, p, 2, clip);
}

static void border(Drawing *d, const Theme *theme, const AnalysisPlot *m, const Scale *x, const Scale *y,
                   uint32_t clip) {
  if (m->a->path.period > 0) circle(d, theme, x, y, 0, 1, clip);
  else line(d, theme, x, y, 0, 0, clip);
}

// Predicted limit cycles, where both curves meet.
static void cycle_marks(Drawing *d, const Theme *theme, const AnalysisPlot *m, const Scale *x, const Scale *y, double r,
                        uint32_t clip) {
  DrawPoint told = {0, 0};
  for (uint32_t i = 0; i < m->cycles->count; i++) {
    const LimitCycle *c = &m->cycles->items[i];
    Complex at = creal(c->n) < 0 ? 1 / c->n : -1 / c->n;
    DrawPoint p = {scale_place(x, creal(at)), scale_place(y, cimag(at))};
    ring(d, p, r, c->stable ? drawing_theme_curve(theme, 2) : theme->alarm, clip);
    // of many only those whose labels have enough space
    if (d->cells || !isfinite(p.x + p.y) || (told.x != 0 && fabs(p.y - told.y) < 18 && fabs(p.x - told.x) < 260))
      continue;
    told = p;
    bool left = p.x < x->to - 190;
    drawing_word(d, role_note, (DrawPoint){p.x + (left ? 9 : -9), p.y + 14}, left ? -1 : 1,
                 arena_printf(d->arena, "A = %.4g, w = %.4g rad/s", c->amplitude, c->frequency), 10, theme->ink);
  }
}

// Marks of planes: -1, or poles and zeros, or what a locus passes.
static void draw_marks(void *self, Drawing *d, const Scale *x, const Scale *y, uint32_t clip) {
  const AnalysisPlot *m = self;
  Theme theme = d->cells ? drawing_theme_terminal() : drawing_theme(d->dark);
  double r = d->cells ? 2 : 5;
  if (m->kind == curve_nyquist || m->kind == curve_nichols) {
    bool plane = m->kind == curve_nyquist;
    if (plane) circle(d, &theme, x, y, 0, 1, clip);
    cross(d, (DrawPoint){scale_place(x, plane ? -1 : -180), scale_place(y, 0)}, r, theme.alarm, clip);
    return;
  }
  if (m->kind == curve_circle || m->kind == curve_popov) return;
  if (m->kind == curve_describing) {
    cycle_marks(d, &theme, m, x, y, r, clip);
    return;
  }
  border(d, &theme, m, x, y, clip);
  if (m->kind == curve_poles) {
    for (uint32_t i = 0; i < m->table.count; i++) {
      DrawPoint at = {scale_place(x, m->table.column[0][i]), scale_place(y, m->table.column[1][i])};
      bool zero = m->table.column[2][i] != 0, grows = !zero && m->a->poles.side[i] == side_right;
      int32_t colour = grows ? theme.alarm : zero ? drawing_theme_curve(&theme, 1) : drawing_theme_curve(&theme, 0);
      if (zero) ring(d, at, r, colour, clip);
      else cross(d, at, r, colour, clip);
    }
    return;
  }
  const Locus *l = m->locus;
  for (uint32_t i = 0; l && l->points.count && i < l->n; i++) {
    Complex s = l->points.items[0].s[i];
    cross(d, (DrawPoint){scale_place(x, creal(s)), scale_place(y, cimag(s))}, r, theme.ink, clip);
  }
  for (uint32_t i = 0; l && i < l->crossings.count; i++) {
    const LocusCrossing *c = &l->crossings.items[i];
    DrawPoint at = {scale_place(x, creal(c->s)), scale_place(y, cimag(c->s))};
    ring(d, at, r - 1, theme.alarm, clip);
    if (cimag(c->s) >= 0 && !d->cells)
      drawing_word(d, role_note, (DrawPoint){at.x + 8, at.y}, -1, arena_printf(d->arena, "%.4g", c->k), 10, theme.ink);
  }
}

// A square region of the plane, with a little around it; curves outside are interrupted.
static void frame(PlotPanel *p, AnalysisPlot *x, AxisRange re, AxisRange im) {
  double size = fmax(fmax(re.hi - re.lo, im.hi - im.lo), 1e-12), margin = 0.08 * size;
  p->x = (AxisRange){re.lo - margin, re.hi + margin};
  p->y = (AxisRange){im.lo - margin, im.hi + margin};
  if (p->y.hi - p->y.lo < 0.5 * size) p->y = (AxisRange){-0.3 * size, 0.3 * size};
  if (p->x.hi - p->x.lo < 0.5 * size) {
    double middle = (p->x.hi + p->x.lo) / 2;
    p->x = (AxisRange){middle - 0.35 * size, middle + 0.35 * size};
  }
  p->equal = true;
  double shape = (p->y.hi - p->y.lo) / (p->x.hi - p->x.lo);
  p->height = fmin(fmax(560 * shape, 240), 460);
  x->width = fmin(fmax(p->height / shape + 110, 420), 760);
  p->scene = draw_marks;
  p->self = x;
}

// As the frequency grows: along the first curve, back along its mirror image.
static void put_arrows(PlotPanel *p) {
  for (uint32_t i = 0; i < p->curves.count && i < 2; i++) p->curves.items[i].arrows = i ? -1 : 1;
}

static void plot_nyquist(Arena *arena, AnalysisPlot *x, Plot *plot) {
  const CurveTable *t = &x->table;
  PlotPanel *p = plot_panel(arena, plot, "real part", "");
  double *re = scaled(arena, t->column[1], t->count, 1), *im = scaled(arena, t->column[2], t->count, 1);
  double *mirror = scaled(arena, t->column[2], t->count, -1), most = 0;
  if (!p || !re || !im || !mirror) return;
  for (uint32_t i = 0; i < t->count; i++) most = fmax(most, hypot(re[i], im[i]));
  double limit = most > 8 ? 3 : 1e300; // what grows without bound is shown near -1
  AxisRange a = {-1.3, 0.3}, b = {-0.5, 0.5};
  for (uint32_t i = 0; i < t->count; i++) {
    if (hypot(re[i], im[i]) > limit) {
      if (hypot(re[i], im[i]) > 2 * limit) re[i] = NAN;
      continue;
    }
    a = (AxisRange){fmin(a.lo, re[i]), fmax(a.hi, re[i])};
    b = (AxisRange){fmin(b.lo, -fabs(im[i])), fmax(b.hi, fabs(im[i]))};
  }
  p->y_name = "imaginary part";
  put(arena, p, "w > 0", "", re, im, t->count, 1);
  put(arena, p, "w < 0", "", re, mirror, t->count, 2);
  put_arrows(p);
  frame(p, x, a, b);
}

// ---- planes of design

// A copy without what lies beyond the picture.
static double *within(Arena *arena, const double *re, const double *im, uint32_t count, double limit) {
  double *out = scaled(arena, re, count, 1);
  for (uint32_t i = 0; out && i < count; i++) {
    if (!(hypot(re[i], im[i]) <= 2 * limit)) out[i] = NAN;
  }
  return out;
}

static void widen(AxisRange *a, AxisRange *b, const double *re, const double *im, uint32_t count, double limit) {
  for (uint32_t i = 0; i < count; i++) {
    if (!(hypot(re[i], im[i]) <= limit)) continue;
    *a = (AxisRange){fmin(a->lo, re[i]), fmax(a->hi, re[i])};
    *b = (AxisRange){fmin(b->lo, im[i]), fmax(b->hi, im[i])};
  }
}

// The border that the curve must not touch: by the circle criterion the circle over -1/lower .. -1/upper, a line where
// the lower slope of the sector is zero; of Popov's curve its line.
static void put_border(Arena *arena, const AnalysisPlot *x, PlotPanel *p, double limit) {
  enum { pieces = 720 };
  const Absolute *s = x->sector;
  bool popov = x->kind == curve_popov;
  const SectorBound *b = popov ? &s->popov : &s->circle;
  double upper = s->lower + b->k, left = -1 / s->lower, right = isinf(upper) ? 0 : -1 / upper;
  double *re = arena_array(arena, pieces + 1, sizeof *re), *im = arena_array(arena, pieces + 1, sizeof *im);
  if (!re || !im) return;
  bool line = popov || s->lower == 0;
  if (popov) right = isinf(b->k) ? 0 : -1 / b->k;
  for (int i = 0; i <= pieces; i++) {
    double turn = 2 * pi * i / pieces, r = (right - left) / 2;
    im[i] = line ? p->y.lo + (p->y.hi - p->y.lo) * i / pieces : r * sin(turn);
    re[i] = line ? right + (popov ? b->q : 0) * im[i] : (left + right) / 2 + r * cos(turn);
    if (hypot(re[i], im[i]) > 4 * limit) re[i] = NAN;
  }
  const char *name = arena_printf(arena, "sector %.4g .. %.4g", s->lower, upper);
  put(arena, p, name, "", re, im, pieces + 1, 3);
}

static void plot_sector(Arena *arena, AnalysisPlot *x, Plot *plot) {
  const CurveTable *t = &x->table;
  bool popov = x->kind == curve_popov;
  const SectorBound *b = popov ? &x->sector->popov : &x->sector->circle;
  double border = -1 / (popov ? b->k : x->sector->lower + b->k), limit = fmax(8 * fabs(border), 1e-6), most = 0;
  for (uint32_t i = 0; i < t->count; i++) most = fmax(most, hypot(t->column[1][i], t->column[2][i]));
  if (!isfinite(border) || border == 0 || most < limit) limit = most;
  AxisRange re = {fmin(1.3 * border, 0), 0}, im = {0, 0};
  PlotPanel *p = plot_panel(arena, plot, "real part", "");
  const double *shown = within(arena, t->column[1], t->column[2], t->count, limit);
  if (!p || !shown) return;
  widen(&re, &im, t->column[1], t->column[2], t->count, limit);
  p->y_name = popov ? "w times imaginary part" : "imaginary part";
  put(arena, p, popov ? "Re G, w Im G" : "G, w > 0", "", shown, t->column[2], t->count, 1);
  if (!popov) {
    put(arena, p, "w < 0", "", shown, scaled(arena, t->column[2], t->count, -1), t->count, 2);
    im = (AxisRange){fmin(im.lo, -im.hi), fmax(im.hi, -im.lo)};
  }
  put_arrows(p);
  frame(p, x, re, im);
  put_border(arena, x, p, limit);
}

static void plot_describing(Arena *arena, AnalysisPlot *x, Plot *plot) {
  const CurveTable *t = &x->table;
  double most = 0, limit = 0, least = INFINITY;
  for (uint32_t i = 0; i < x->cycles->count; i++) limit = fmax(limit, 2.2 / cabs(x->cycles->items[i].n));
  for (uint32_t i = 0; i < t->count; i++) {
    double g = hypot(t->column[1][i], t->column[2][i]), n = hypot(t->column[4][i], t->column[5][i]);
    if (isfinite(g)) most = fmax(most, g);
    if (n > 0) least = fmin(least, n);
  }
  if (limit == 0) limit = isfinite(least) ? fmin(most, 3 * least) : most;
  AxisRange re = {0, 0}, im = {0, 0};
  PlotPanel *p = plot_panel(arena, plot, "real part", "");
  const double *g = within(arena, t->column[1], t->column[2], t->count, limit),
               *n = within(arena, t->column[4], t->column[5], t->count, limit);
  if (!p || !g || !n) return;
  widen(&re, &im, t->column[1], t->column[2], t->count, limit);
  widen(&re, &im, t->column[4], t->column[5], t->count, limit);
  p->y_name = "imaginary part";
  put(arena, p, "G(iw)", "", g, t->column[2], t->count, 1);
  put_arrows(p);
  put(arena, p, "-1/N(A)", "", n, t->column[5], t->count, 2);
  frame(p, x, re, im);
}

static void plot_nichols(Arena *arena, AnalysisPlot *x, Plot *plot) {
  const CurveTable *t = &x->table;
  PlotPanel *p = plot_panel(arena, plot, "phase", "deg");
  if (!p) return;
  p->y_name = "magnitude";
  put(arena, p, "magnitude", "dB", scaled(arena, t->column[1], t->count, 180 / pi), t->column[2], t->count, 1);
  AxisRange phase = {-200, -160}, size = {-10, 10};
  for (uint32_t i = 0; i < t->count; i++) {
    phase = (AxisRange){fmin(phase.lo, t->column[1][i] * 180 / pi), fmax(phase.hi, t->column[1][i] * 180 / pi)};
    if (isfinite(t->column[2][i])) size = (AxisRange){fmin(size.lo, t->column[2][i]), fmax(size.hi, t->column[2][i])};
  }
  p->x = axis_range_with_margin((AxisRange){fmax(phase.lo, -900), phase.hi}, false, 0.04);
  p->y = axis_range_with_margin((AxisRange){fmax(size.lo, -80), fmin(size.hi, 80)}, false, 0.04);
  p->height = 340;
  p->scene = draw_marks;
  p->self = x;
}

static void plot_time(Arena *arena, AnalysisPlot *x, Plot *plot) {
  const CurveTable *t = &x->table;
  PlotPanel *p = plot_panel(arena, plot, "t", "s");
  const char *name = x->a->loop ? "closed loop" : x->a->to;
  if (!p) return;
  p->y_name = x->kind == curve_step ? "step response" : x->kind == curve_ramp ? "ramp response" : "impulse response";
  if (x->a->path.period == 0) {
    put(arena, p, name, NULL, t->column[0], t->column[1], t->count, 1);
    return;
  }
  vec_push(arena, &p->curves,
           (PlotCurve){.kind = curve_points, .name = name, .x = t->column[0], .y = t->column[1], .count = t->count});
}

static void plot_plane(Arena *arena, AnalysisPlot *x, Plot *plot) {
  const CurveTable *t = &x->table;
  bool locus = x->kind == curve_locus;
  PlotPanel *p = plot_panel(arena, plot, "real part", x->a->path.period > 0 ? "" : "1/s");
  AxisRange a = {0, 0}, b = {0, 0};
  if (!p) return;
  if (x->a->path.period > 0) a = (AxisRange){-1, 1}, b = (AxisRange){-1, 1};
  p->y_name = "imaginary part";
  for (uint32_t k = 0; k < (locus ? t->columns / 2 : 1); k++) {
    const double *re = t->column[locus ? 2 * k + 1 : 0], *im = t->column[locus ? 2 * k + 2 : 1];
    for (uint32_t i = 0; i < t->count; i++) {
      a = (AxisRange){fmin(a.lo, re[i]), fmax(a.hi, re[i])};
      b = (AxisRange){fmin(b.lo, -fabs(im[i])), fmax(b.hi, fabs(im[i]))};
    }
    if (locus) put(arena, p, arena_printf(arena, "branch %u", k + 1), "", re, im, t->count, k + 1);
  }
  static const double nothing[1] = {0};
  if (!locus) put(arena, p, "imaginary part", "rad/s", nothing, nothing, 0, 0);
  frame(p, x, a, b);
}

void analysis_plot(Arena *arena, AnalysisPlot *x, Plot *plot) {
  *plot = (Plot){.title = x->a->sparse ? x->a->sparse->title : x->a->freed->o->s.title};
  x->width = 640;
  switch (x->kind) {
  case curve_bode: plot_bode(arena, x, plot); break;
  case curve_nyquist: plot_nyquist(arena, x, plot); break;
  case curve_nichols: plot_nichols(arena, x, plot); break;
  case curve_step:
  case curve_impulse:
  case curve_ramp: plot_time(arena, x, plot); break;
  case curve_circle:
  case curve_popov: plot_sector(arena, x, plot); break;
  case curve_describing: plot_describing(arena, x, plot); break;
  case curve_poles:
  case curve_locus:
  case curve_kinds: plot_plane(arena, x, plot); break;
  }
}

void analysis_csv(const CurveTable *t, Text *out) {
  for (uint32_t i = 0; i < t->columns; i++) text_printf(out, "%s%s", i ? "," : "", t->names[i]);
  text_putc(out, '\n');
  for (uint32_t k = 0; k < t->count; k++) {
    for (uint32_t i = 0; i < t->columns; i++) {
      char number[number_text_size];
      number_print(t->column[i][k], number);
      text_printf(out, "%s%s", i ? "," : "", number);
    }
    text_putc(out, '\n');
  }
}

// A fit as a picture. See fit_plot.h.
#include "show/fit_plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_dots = 4000 }; // of measured data in a panel: more would be a blot

typedef struct FitPainter {
  Arena *arena;
  const FitResult *r;
  Plot *plot;
} FitPainter;

// ---- columns of an experiment

// One of `width` values that stand side by side.
static const double *pick(const FitPainter *w, const double *all, uint32_t count, uint32_t width, uint32_t column) {
  double *out = arena_array(w->arena, (size_t)count + 1, sizeof *out);
  for (uint32_t i = 0; out && i < count; i++) out[i] = all[(size_t)i * width + column];
  return out;
}

typedef struct Dots {
  double *t, *data, *rest; // rest: data - curve
  uint32_t count;
} Dots;

// What was measured; of very many, one of some neighbours.
static bool pick_dots(const FitPainter *w, uint32_t experiment, uint32_t column, Dots *out) {
  const FitProblem *f = w->r->f;
  const FitExperiment *x = &f->experiments[experiment];
  size_t at = 0, cells = (size_t)x->of->count * x->width;
  uint32_t points = x->columns[column].points, stride = 1 + points / most_dots, seen = 0;
  *out = (Dots){0};
  out->t = arena_array(w->arena, (size_t)points / stride + 2, sizeof *out->t);
  out->data = arena_array(w->arena, (size_t)points / stride + 2, sizeof *out->data);
  out->rest = arena_array(w->arena, (size_t)points / stride + 2, sizeof *out->rest);
  if (arena_failed(w->arena)) return false;
  for (uint32_t e = 0; e < experiment; e++) {
    for (uint32_t c = 0; c < f->experiments[e].width; c++) at += f->experiments[e].columns[c].points;
  }
  for (size_t i = 0; i < cells; i++) {
    if (isnan(x->of->values[i])) continue;
    size_t own = at++;
    if (i % x->width != column || seen++ % stride) continue;
    out->t[out->count] = x->of->times[i / x->width];
    out->data[out->count] = x->of->values[i];
    out->rest[out->count++] = -w->r->residuals[own] * x->columns[column].sd;
  }
  return true;
}

static const char *unit_of(const FitExperiment *x, uint32_t column) { return x->of->fit->measured.items[column].si; }

static const char *name_of(const FitPainter *w, const FitExperiment *x, uint32_t column) {
  const char *in_case = x->of->fit->in_case;
  return in_case ? arena_printf(w->arena, "%s, %s", x->columns[column].name, in_case) : x->columns[column].name;
}

static void put_curve(const FitPainter *w, PlotPanel *panel, PlotCurve curve) {
  if (curve.x && curve.y) vec_push(w->arena, &panel->curves, curve);
}

static void put_data(const FitPainter *w, PlotPanel *p, const Dots *dots, const char *unit, uint32_t style) {
  PlotCurve data = {.kind = curve_points, .name = "data", .unit = unit, .x = dots->t, .style = style};
  data.y = dots->data;
  data.count = dots->count;
  put_curve(w, p, data);
}

static const double *moved(const FitPainter *w, const double *a, const double *by, double sign, uint32_t count) {
  double *out = arena_array(w->arena, (size_t)count + 1, sizeof *out);
  for (uint32_t i = 0; out && a && by && i < count; i++) out[i] = a[i] + sign * by[i];
  return a && by ? out : NULL;
}

static void curve_panel(const FitPainter *w, uint32_t e, uint32_t column, const Dots *dots) {
  const FitExperiment *x = &w->r->f->experiments[e];
  const FitCurves *c = &w->r->curves[e];
  PlotPanel *p = plot_panel(w->arena, w->plot, "t", "s");
  if (!p) return;
  const char *unit = unit_of(x, column);
  const double *y = pick(w, c->values, c->count, x->width, column),
               *wide = pick(w, c->likely, c->count, x->width, column), *low = moved(w, y, wide, -1, c->count),
               *high = moved(w, y, wide, 1, c->count);
  p->y_name = name_of(w, x, column);
  put_curve(w, p,
            (PlotCurve){.kind = curve_band,
                        .name = "95 % of measurements",
                        .unit = unit,
                        .x = c->times,
                        .y = low,
                        .y2 = high,
                        .count = c->count,
                        .style = 1});
  put_data(w, p, dots, unit, 2);
  put_curve(w, p, (PlotCurve){.name = "fit", .unit = unit, .x = c->times, .y = y, .count = c->count, .style = 1});
}

static void residual_panel(const FitPainter *w, uint32_t e, uint32_t column, const Dots *dots) {
  const FitExperiment *x = &w->r->f->experiments[e];
  PlotPanel *p = plot_panel(w->arena, w->plot, "t", "s");
  double *ends = arena_array(w->arena, 4, sizeof *ends);
  if (!p || !ends || !dots->count) return;
  ends[0] = dots->t[0];
  ends[1] = dots->t[dots->count - 1];
  p->y_name = arena_printf(w->arena, "data − %s", name_of(w, x, column));
  p->height = 120;
  put_curve(w, p,
            (PlotCurve){.kind = curve_points,
                        .name = "data − fit",
                        .unit = unit_of(x, column),
                        .x = dots->t,
                        .y = dots->rest,
                        .count = dots->count,
                        .style = 2});
  put_curve(w, p,
            (PlotCurve){.name = "fit", .unit = unit_of(x, column), .x = ends, .y = ends + 2, .count = 2, .style = 1});
}

// ---- profiles

static const double *repeated(const FitPainter *w, double value, uint32_t count) {
  double *out = arena_array(w->arena, (size_t)count + 1, sizeof *out);
  for (uint32_t i = 0; out && i < count; i++) out[i] = value;
  return out;
}

// A profile bends where the model is not linear; what the standard error alone would say is the parabola beside it.
static void profile_panel(const FitPainter *w, uint32_t unknown) {
  enum { fine = 61 };
  const FitProfile *f = &w->r->profiles[unknown];
  const FitEstimate *e = &w->r->estimates[unknown];
  const char *name = w->r->f->unknowns[unknown].shown;
  if (f->count < 3) return;
  PlotPanel *p = plot_panel(w->arena, w->plot, name, NULL);
  double *parabola = arena_array(w->arena, (size_t)2 * fine, sizeof *parabola), *values = parabola + fine;
  if (!p || !parabola) return;
  // beside a long tail the range of the panel says little of it: it is drawn where it is seen
  double wide = sqrt(1.7 * e->bound) * e->stderr_;
  double from = fmax(f->at[0], e->value - wide), to = fmin(f->at[f->count - 1], e->value + wide);
  for (uint32_t i = 0; i < fine; i++) {
    values[i] = from + (to - from) * i / (fine - 1);
    parabola[i] = pow((values[i] - e->value) / e->stderr_, 2);
  }
  p->height = 130;
  p->y_name = "cost above the least";
  p->x = (AxisRange){f->at[0], f->at[f->count - 1]};
  p->y = (AxisRange){0, 1.7 * e->bound};
  put_curve(w, p, (PlotCurve){.name = "profile", .unit = "", .x = f->at, .y = f->above, .count = f->count, .style = 1});
  if (isfinite(e->stderr_))
    put_curve(w, p,
              (PlotCurve){
                  .name = "by the standard error", .unit = "", .x = values, .y = parabola, .count = fine, .style = 3});
  put_curve(
      w, p,
      (PlotCurve){
          .name = "95 %", .unit = "", .x = f->at, .y = repeated(w, e->bound, f->count), .count = f->count, .style = 4});
  if (!e->open_low) vec_push(w->arena, &p->events, (PlotEvent){e->low, arena_printf(w->arena, "%.5g", e->low)});
  vec_push(w->arena, &p->events, (PlotEvent){e->value, arena_printf(w->arena, "%.5g", e->value)});
  if (!e->open_high) vec_push(w->arena, &p->events, (PlotEvent){e->high, arena_printf(w->arena, "%.5g", e->high)});
}

// ---- correlations

static void name_ticks(void *self, Ticks *t, double lo, double hi, uint32_t wanted) {
  const FitResult *r = self;
  (void)lo, (void)hi, (void)wanted;
  *t = (Ticks){0};
  for (uint32_t i = 0; i < r->f->k && i < ticks_most; i++) {
    t->at[t->count] = i + 0.5;
    size_t length = strlen(r->f->unknowns[i].shown);
    if (length >= tick_text) length = tick_text - 1;
    while (length && ((unsigned char)r->f->unknowns[i].shown[length] & 0xC0) == 0x80) length--; // no half letters
    memcpy(t->text[t->count++], r->f->unknowns[i].shown, length);
  }
}

// Each cell with its number.
static void correlation_words(void *self, Drawing *d, const Scale *x, const Scale *y, uint32_t clip) {
  const FitResult *r = self;
  uint32_t k = r->f->k;
  (void)clip;
  if (d->cells || k > 12) return;
  for (uint32_t i = 0; i < k; i++) {
    for (uint32_t j = 0; j < k; j++) {
      double c = r->correlation[(size_t)i * k + j];
      if (!isfinite(c)) continue;
      double light = drawing_lightness(drawing_diverging_colour((c + 1) / 2));
      DrawPoint at = {scale_place(x, j + 0.5), scale_place(y, i + 0.5)};
      drawing_word(d, role_note, at, 0, arena_printf(d->arena, "%.2f", c), 12, light > 55 ? 0x000000 : 0xFFFFFF);
    }
  }
}

static void correlation_panel(const FitPainter *w) {
  const FitResult *r = w->r;
  uint32_t k = r->f->k;
  PlotHeat *heat = arena_new_of(w->arena, PlotHeat);
  if (k < 2 || !heat || r->rest.not_at_rest) return;
  PlotPanel *p = plot_panel(w->arena, w->plot, "", NULL);
  if (!p) return;
  *heat = (PlotHeat){.values = r->correlation, .columns = k, .rows = k, .x = {0, k}, .y = {0, k}};
  p->heat = heat;
  p->y_name = "";
  p->bar = (PlotBar){.name = "correlation", .range = {-1, 1}, .diverging = true};
  p->height = fmin(60.0 + 36 * k, 420);
  p->ticks = name_ticks;
  p->scene = correlation_words;
  p->self = (void *)r;
}

// ---- the evolution

static void evolution_panel(const FitPainter *w) {
  const FitHistory *h = &w->r->history;
  uint32_t n = h->count;
  if (n < 4) return; // rounds of `auto` are no evolution
  double *x = arena_array(w->arena, 5 * (size_t)n, sizeof *x), *best = x + n, *mean = best + n, *low = mean + n,
         *high = low + n, least = 1;
  PlotPanel *p = plot_panel(w->arena, w->plot, "generation", "");
  if (!x || !p) return;
  for (uint32_t i = 0; i < n; i++) {
    const FitGeneration *g = &h->items[i];
    x[i] = i;
    best[i] = g->best;
    mean[i] = g->mean;
    low[i] = g->mean - g->spread;
    high[i] = fmin(g->mean + g->spread, 1);
    least = fmin(least, isfinite(best[i]) ? best[i] : least);
  }
  p->y_name = "R²";
  p->y = (AxisRange){fmax(fmin(least, 0) - 0.5, -2), 1.05}; // bad individuals lie far below
  put_curve(w, p,
            (PlotCurve){.kind = curve_band,
                        .name = "mean ± spread",
                        .unit = "",
                        .x = x,
                        .y = low,
                        .y2 = high,
                        .count = n,
                        .style = 2});
  put_curve(w, p, (PlotCurve){.name = "mean", .unit = "", .x = x, .y = mean, .count = n, .style = 2});
  put_curve(w, p, (PlotCurve){.name = "best", .unit = "", .x = x, .y = best, .count = n, .style = 1});
}

static void sequence_panel(const FitPainter *w, uint32_t e, uint32_t column, const Dots *dots) {
  const FitExperiment *x = &w->r->f->experiments[e];
  const FitCurves *c = &w->r->curves[e];
  if (c->sequence_count < 2) return;
  PlotPanel *p = plot_panel(w->arena, w->plot, "t", "s");
  if (!p) return;
  const char *unit = unit_of(x, column);
  p->y_name = name_of(w, x, column);
  p->bar = (PlotBar){.name = "generation"};
  put_data(w, p, dots, unit, 3);
  for (uint32_t i = 0; i < c->sequence_count; i++)
    put_curve(w, p,
              (PlotCurve){.name = "best",
                          .unit = unit,
                          .x = c->times,
                          .y = pick(w, c->sequence + (size_t)i * c->count * x->width, c->count, x->width, column),
                          .count = c->count,
                          .shaded = true,
                          .level = c->generation[i]});
}

void show_fit_plot(Arena *arena, const FitResult *r, const char *title, unsigned parts, Plot *plot) {
  FitPainter painter = {arena, r, plot}, *w = &painter;
  *plot = (Plot){.title = title};
  if (!r->curves) return;
  for (uint32_t e = 0; e < r->f->count; e++) {
    for (uint32_t c = 0; c < r->f->experiments[e].width; c++) {
      Dots dots;
      if (!pick_dots(w, e, c, &dots)) return;
      if (parts & fit_plot_curves) curve_panel(w, e, c, &dots);
      if (parts & fit_plot_residuals) residual_panel(w, e, c, &dots);
    }
  }
  for (uint32_t i = 0; (parts & fit_plot_profiles) && r->profiles && i < r->f->k; i++) profile_panel(w, i);
  if (parts & fit_plot_correlation) correlation_panel(w);
  if (parts & fit_plot_evolution) evolution_panel(w);
  for (uint32_t e = 0; (parts & fit_plot_sequence) && e < r->f->count; e++) {
    Dots dots;
    if (!pick_dots(w, e, 0, &dots)) return;
    sequence_panel(w, e, 0, &dots);
  }
}

// What a fit shows, from the outside: pictures, the table of data beside the curve, the evolution,
// the origin of the data.
#include "api/fit_parts.h"
#include "api/handles.h"
#include "show/fit_plot.h"
#include "show/svg.h"

#include <math.h>
#include <string.h>

_Static_assert((int)VIVA_FIT_CURVES == (int)fit_plot_curves && (int)VIVA_FIT_SEQUENCE == (int)fit_plot_sequence,
               "panels of a fit have one number each");

static bool has_pictures(const viva_fit *fit) { return fit && fit->result.status == run_done && fit->result.curves; }

// ---- pictures

static void make_plot(const viva_fit *fit, unsigned parts, Drawing *d, Plot *plot) {
  show_fit_plot(d->arena, &fit->result, d->id ? NULL : fit->title, parts ? parts : fit_plot_all, plot);
  d->title = fit->title;
  d->description = "data under the fitted curve, residuals, profiles and correlations of the unknowns";
}

viva_status fit_svg(const viva_fit *fit, unsigned parts, const char *id, Text *out) {
  Drawing d = {.id = id, .arena = out->arena};
  Plot plot;
  if (!has_pictures(fit)) return VIVA_EINPUT;
  make_plot(fit, parts, &d, &plot);
  if (plot.panels.count && plot_layout(&plot, (PlotStyle){0}, &d)) svg_write(&d, out);
  return arena_failed(out->arena) ? VIVA_ENOMEM : VIVA_OK;
}

viva_status viva_fit_draw(const viva_fit *fit, const viva_figure_options *options, unsigned parts, viva_picture picture,
                          char **data, size_t *length) {
  if (data) *data = NULL;
  if (length) *length = 0;
  if (!fit || !data || !length || (picture != VIVA_PICTURE_TERMINAL && !picture_is_still(picture))) return VIVA_EUSAGE;
  if (!has_pictures(fit)) return VIVA_EINPUT;
  Arena *arena = arena_new();
  if (!arena) return VIVA_ENOMEM;
  Drawing d = {.arena = arena};
  Plot plot;
  make_plot(fit, parts, &d, &plot);
  viva_status status = picture_of_plot(&plot, &d, options, picture, data, length);
  arena_free(arena);
  return status;
}

// ---- tables

// Data beside the curve: rows of all experiments, a group of columns for each name that was measured.
typedef struct FitTable {
  Arena *arena;
  const FitResult *r;
  VEC(const char *) outputs;
  const char **names;
  double *row;
  uint32_t width;
} FitTable;

enum { table_before = 2, table_group = 5 }; // experiment, t; data, curve, low, high, residual

static uint32_t group_of(FitTable *x, const char *name) {
  uint32_t i = 0;
  while (i < x->outputs.count && strcmp(x->outputs.items[i], name) != 0) i++;
  if (i == x->outputs.count) vec_push(x->arena, &x->outputs, name);
  return i;
}

static bool make_table(FitTable *x) {
  static const char *const kinds[] = {"", " fit", " low", " high", " residual"};
  const FitProblem *f = x->r->f;
  for (uint32_t e = 0; e < f->count; e++) {
    for (uint32_t c = 0; c < f->experiments[e].width; c++) group_of(x, f->experiments[e].columns[c].name);
  }
  x->width = table_before + table_group * x->outputs.count;
  x->names = arena_array(x->arena, x->width, sizeof *x->names);
  x->row = arena_array(x->arena, x->width, sizeof *x->row);
  if (arena_failed(x->arena)) return false;
  x->names[0] = "experiment";
  x->names[1] = "t";
  for (uint32_t i = 0; i < x->outputs.count; i++) {
    for (int k = 0; k < table_group; k++)
      x->names[table_before + table_group * i + (uint32_t)k] =
          arena_printf(x->arena, "%s%s", x->outputs.items[i], kinds[k]);
  }
  return !arena_failed(x->arena);
}

// Between two times of the curve the band is a line.
static double between(const FitCurves *c, uint32_t width, uint32_t column, const double *of, double t) {
  uint32_t low = 0, high = c->count - 1;
  while (high > low + 1) {
    uint32_t middle = (low + high) / 2;
    if (c->times[middle] <= t) low = middle;
    else high = middle;
  }
  double span = c->times[high] - c->times[low], part = span > 0 ? (t - c->times[low]) / span : 0;
  return of[(size_t)low * width + column] * (1 - part) + of[(size_t)high * width + column] * part;
}

static bool send_experiment(FitTable *x, uint32_t e, size_t *at, const viva_sink *sink) {
  const FitExperiment *of = &x->r->f->experiments[e];
  const FitCurves *c = &x->r->curves[e];
  for (uint32_t i = 0; i < of->of->count; i++) {
    for (uint32_t k = 0; k < x->width; k++) x->row[k] = NAN;
    x->row[0] = e + 1;
    x->row[1] = of->of->times[i];
    for (uint32_t k = 0; k < of->width; k++) {
      double data = of->of->values[(size_t)i * of->width + k];
      if (isnan(data)) continue;
      double *to = x->row + table_before + (size_t)table_group * group_of(x, of->columns[k].name);
      double rest = -x->r->residuals[(*at)++] * of->columns[k].sd;
      double wide = between(c, of->width, k, c->likely, x->row[1]);
      to[0] = data;
      to[1] = data - rest;
      to[2] = to[1] - wide;
      to[3] = to[1] + wide;
      to[4] = rest;
    }
    if (sink->row && !sink->row(sink->self, x->row, x->width)) return false;
  }
  return true;
}

viva_status viva_fit_table(const viva_fit *fit, const viva_sink *sink) {
  if (!fit || !sink) return VIVA_EUSAGE;
  if (!has_pictures(fit)) return VIVA_EINPUT;
  FitTable x = {.arena = arena_new(), .r = &fit->result};
  size_t at = 0;
  if (!x.arena) return VIVA_ENOMEM;
  viva_status status = make_table(&x) ? VIVA_OK : VIVA_ENOMEM;
  if (status == VIVA_OK && sink->header && !sink->header(sink->self, x.names, x.width)) status = VIVA_EIO;
  for (uint32_t e = 0; status == VIVA_OK && e < x.r->f->count; e++) {
    if (!send_experiment(&x, e, &at, sink)) status = VIVA_EIO;
  }
  arena_free(x.arena);
  return status;
}

viva_status viva_fit_evolution(const viva_fit *fit, const viva_sink *sink) {
  enum { before = 5 };
  if (!fit || !sink) return VIVA_EUSAGE;
  if (fit->result.status != run_done || !fit->result.history.count) return VIVA_EINPUT;
  const FitResult *r = &fit->result;
  uint32_t width = before + r->f->k;
  Arena *arena = arena_new();
  const char **names = arena ? arena_array(arena, width, sizeof *names) : NULL;
  double *row = arena ? arena_array(arena, width, sizeof *row) : NULL;
  static const char *const heads[] = {"generation", "best", "mean", "spread", "simulations"};
  viva_status status = names && row ? VIVA_OK : VIVA_ENOMEM;
  for (uint32_t k = 0; status == VIVA_OK && k < width; k++)
    names[k] = k < before ? heads[k] : r->f->unknowns[k - before].shown;
  if (status == VIVA_OK && sink->header && !sink->header(sink->self, names, width)) status = VIVA_EIO;
  for (uint32_t i = 0; status == VIVA_OK && i < r->history.count; i++) {
    const FitGeneration *g = &r->history.items[i];
    const double values[before] = {i, g->best, g->mean, g->spread, (double)g->motions};
    for (uint32_t k = 0; k < width; k++) row[k] = k < before ? values[k] : g->u ? g->u[k - before] : NAN;
    if (sink->row && !sink->row(sink->self, row, width)) status = VIVA_EIO;
  }
  arena_free(arena);
  return status;
}

// ---- what it was fitted to

static uint64_t mix(uint64_t hash, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  hash ^= bits;
  hash *= UINT64_C(0x9E3779B97F4A7C15);
  return hash ^ (hash >> 29);
}

uint64_t viva_fit_data(const viva_fit *fit, size_t *points) {
  if (points) *points = 0;
  if (!fit || fit->result.status != run_done) return 0;
  const FitProblem *f = fit->result.f;
  uint64_t hash = 1;
  for (uint32_t e = 0; e < f->count; e++) {
    const FitExperiment *x = &f->experiments[e];
    for (uint32_t i = 0; i < x->of->count; i++) hash = mix(hash, x->of->times[i]);
    for (size_t i = 0; i < (size_t)x->of->count * x->width; i++)
      hash = mix(hash, isnan(x->of->values[i]) ? INFINITY : x->of->values[i]);
    for (uint32_t c = 0; c < x->width; c++) hash = mix(hash, x->columns[c].start);
  }
  if (points) *points = f->points;
  return hash;
}

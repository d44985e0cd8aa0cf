// What a sweep shows, from the outside: its columns with units, what pictures need of it, the pictures.
#include "api/sweep_parts.h"
#include "show/braille.h"
#include "show/figure.h"
#include "show/svg.h"
#include "show/sweep_plot.h"
#include "system/measure_unit.h"
#include "system/quantity_unit.h"

#include <string.h>

_Static_assert((int)VIVA_SWEEP_CURVES == (int)sweep_plot_curves && (int)VIVA_SWEEP_HEAT == (int)sweep_plot_heat &&
                   (int)VIVA_SWEEP_HISTOGRAMS == (int)sweep_plot_histograms &&
                   (int)VIVA_SWEEP_SCATTER == (int)sweep_plot_scatter &&
                   (int)VIVA_SWEEP_PARALLEL == (int)sweep_plot_parallel && (int)VIVA_SWEEP_FAN == (int)sweep_plot_fan &&
                   (int)VIVA_SWEEP_INDICES == (int)sweep_plot_indices,
               "panels of a sweep have one number each");

// ---- columns

SweepColumn *sweep_columns(viva_sweep *x, uint32_t *count) {
  const System *s = &x->job.over;
  uint32_t varied = x->design.grid_count + x->design.random_count, measures = x->job.set.items.count;
  SweepColumn *out = arena_array(x->arena, (size_t)varied + measures + 1, sizeof *out);
  *count = varied + measures;
  for (uint32_t i = 0; out && i < varied; i++)
    out[i] = (SweepColumn){x->names[i], quantity_unit(x->arena, &s->described, s->pool, x->names[i]),
                           i < x->design.grid_count ? sweep_grid : sweep_draw};
  for (uint32_t i = 0; out && i < measures; i++) {
    const Measure *m = &x->job.set.items.items[i];
    bool where = i >= measures - (uint32_t)x->o.where_count;
    out[varied + i] =
        (SweepColumn){m->text, measure_unit(x->arena, s, &x->job.set, m), where ? sweep_where : sweep_measure};
  }
  return arena_failed(x->arena) ? NULL : out;
}

// ---- for pictures

static const char *title_of(const viva_model *model) {
  if (model->model.title) return model->model.title;
  const char *name = model->model.sources.list.items[0].name, *slash = strrchr(name, '/');
  return slash ? slash + 1 : name;
}

enum { most_fans = 12 };

// What trajectories show, with their units.
static bool begin_fan(viva_sweep *x, const SimProgram *p) {
  uint32_t count = p->columns.shown < most_fans ? p->columns.shown : most_fans;
  SweepColumn *columns = arena_array(x->arena, (size_t)count + 1, sizeof *columns);
  Figure shown;
  if (!columns || !figure_init(&shown, x->arena, &x->model->system, false, false, false) || !figure_watch_table(&shown))
    return false;
  for (uint32_t i = 0; i < count; i++) {
    columns[i].name = p->columns.names[i];
    for (uint32_t k = 0; k < shown.shown.count; k++) {
      if (strcmp(shown.shown.items[k].name, columns[i].name) == 0) columns[i].unit = shown.shown.items[k].si;
    }
  }
  return sweep_view_fan(x->view, columns, count, p->settled.to, p->settled.every);
}

bool sweep_begin_view(viva_sweep *x, const SimProgram *p) {
  uint32_t count;
  if (!x->o.pictures) return true;
  const SweepColumn *columns = sweep_columns(x, &count);
  x->view = columns ? sweep_view_new(x->arena, title_of(x->model), columns, count) : NULL;
  return x->view && (!x->o.fan || begin_fan(x, p));
}

bool sweep_view_end(viva_sweep *x, const double *values, const double *measures) {
  return !x->view || sweep_view_take(x->view, values, measures);
}

// ---- pictures

static bool lay_out(const viva_sweep *x, Arena *arena, unsigned parts, PlotStyle style, Drawing *d) {
  Plot plot;
  show_sweep_plot(arena, x->view, parts, &plot);
  d->title = plot.title;
  d->description = "measures of many runs over what was varied";
  if (d->id) plot.title = NULL; // a page says it
  d->arena = arena;
  return plot.panels.count && plot_layout(&plot, style, d);
}

viva_status sweep_svg(const viva_sweep *x, unsigned parts, const char *id, Text *out) {
  Drawing d = {.id = id};
  if (!x->view) return VIVA_EINPUT;
  if (lay_out(x, out->arena, parts, (PlotStyle){0}, &d)) svg_write(&d, out);
  return arena_failed(out->arena) ? VIVA_ENOMEM : VIVA_OK;
}

viva_status viva_sweep_draw(const viva_sweep *x, const viva_figure_options *options, unsigned parts,
                            viva_picture picture, char **data, size_t *length) {
  if (data) *data = NULL;
  if (length) *length = 0;
  bool terminal = picture == VIVA_PICTURE_TERMINAL;
  if (!x || !data || !length || (!terminal && !picture_is_still(picture))) return VIVA_EUSAGE;
  if (!x->view) return VIVA_EINPUT;
  Arena *arena = arena_new();
  if (!arena) return VIVA_ENOMEM;
  viva_figure_options o = options ? *options : viva_figure_defaults();
  PlotStyle style = {.dark = o.dark, .cells = terminal};
  style.width = terminal ? 2.0 * (o.columns ? o.columns : 80) : o.width;
  Drawing d = {0};
  Text out = text_in(arena);
  const char *problem;
  viva_status status = lay_out(x, arena, parts, style, &d) ? VIVA_OK : VIVA_EINPUT;
  if (status == VIVA_OK && terminal) braille_write(&d, o.colour, &out);
  else if (status == VIVA_OK) svg_write(&d, &out);
  if (status == VIVA_OK) status = picture_bytes(picture, &out, &problem, data, length);
  if (arena_failed(arena)) status = VIVA_ENOMEM;
  arena_free(arena);
  return status;
}

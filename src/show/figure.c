// From plot lines and rows to panels.
//
// in    the `plot` and `draw` lines of a system, then the rows of a run
// out   a Plot, the energy balance, a Scene; what cannot be drawn as diagnostics
// how   Every expression that a picture needs is watched once; a row brings t, the watched ones, then the six numbers
//       of the account, and each is a column, which panels borrow. A `plot` line is a panel; without any, what a
//       table shows has a panel for each unit.
#include "show/figure.h"

#include "system/dimension.h"
#include "tape/numbers.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { account_size = 6 }; // kinetic potential stored dissipated supplied balance-error

// ---- what to watch

// Column of an expression; 0 is the time.
static uint32_t column_of(const Figure *f, ExprId id) {
  for (uint32_t i = 0; i < f->watch.count; i++) {
    if (f->watch.items[i] == id) return i + 1;
  }
  return 0;
}

void figure_watch(Figure *f, ExprId id) {
  if (id && !column_of(f, id)) vec_push(f->arena, &f->watch, id);
}

// Outputs, or what tables show without any: coordinates, velocities, states.
static void list_shown(Figure *f) {
  const System *m = f->system;
  Arena *arena = f->arena;
  for (uint32_t i = 0; i < m->outputs.count; i++) vec_push(arena, &f->shown, m->outputs.items[i]);
  if (m->outputs.count) return;
  for (uint32_t i = 0; i < m->coords.count; i++) {
    const SystemCoord *c = &m->coords.items[i];
    vec_push(
        arena, &f->shown,
        (SystemOutput){c->name, expr_sym(m->pool, c->q), c->unit, c->span, unit_si_text(arena, &c->unit, &c->dim, 0)});
  }
  for (uint32_t i = 0; i < m->coords.count; i++) {
    const SystemCoord *c = &m->coords.items[i];
    vec_push(arena, &f->shown,
             (SystemOutput){pool_symbol_get(m->pool, c->v)->name, expr_sym(m->pool, c->v), c->unit, c->span,
                            unit_si_text(arena, &c->unit, &c->dim, 1)});
  }
  for (uint32_t i = 0; i < m->states.count; i++) {
    const SystemState *s = &m->states.items[i];
    if (s->of) continue;
    vec_push(
        arena, &f->shown,
        (SystemOutput){s->name, expr_sym(m->pool, s->x), s->unit, s->span, unit_si_text(arena, &s->unit, &s->dim, 0)});
  }
}

bool figure_make_columns(Figure *f) {
  f->column_count = 1 + f->watch.count + account_size;
  f->columns = arena_array(f->arena, f->column_count, sizeof *f->columns);
  return f->columns && !arena_failed(f->arena);
}

static void watch_shown(Figure *f) {
  if (!f->shown.count) list_shown(f);
  for (uint32_t i = 0; i < f->shown.count; i++) figure_watch(f, f->shown.items[i].value);
}

bool figure_init(Figure *f, Arena *arena, const System *system, bool plots, bool energy, bool scene) {
  *f = (Figure){.arena = arena, .system = system, .plots = plots, .energy = energy, .scene = scene};
  for (uint32_t i = 0; plots && i < system->plots.count; i++) {
    const SystemPlot *p = &system->plots.items[i];
    for (uint32_t k = 0; k < p->curves.count; k++) figure_watch(f, p->curves.items[k].value);
    figure_watch(f, p->against.value);
  }
  if (plots && !system->plots.count) watch_shown(f);
  for (uint32_t i = 0; scene && i < system->shapes.count; i++) {
    const SystemShape *s = &system->shapes.items[i];
    ExprId values[shape_values_most];
    for (uint32_t k = 0, n = shape_values(s, values); k < n; k++) figure_watch(f, values[k]);
  }
  return figure_make_columns(f);
}

bool figure_watch_table(Figure *f) {
  watch_shown(f);
  return figure_make_columns(f);
}

static bool push_row(Figure *f, const double *values, size_t count) {
  bool ok = count == f->column_count;
  // the account is kept where it is drawn
  uint32_t kept = f->energy ? f->column_count : f->column_count - account_size;
  for (uint32_t i = 0; ok && i < kept; i++) ok = vec_push(f->arena, &f->columns[i], values[i]);
  return ok;
}

// Rows inside of a step and those of the table come one after the other: the last row goes to where its time is.
static void sort_last(Figure *f) {
  size_t rows = figure_rows(f), at = rows - 1;
  const double *t = f->columns[0].items, now = t[rows - 1];
  while (at > 0 && t[at - 1] > now) at--;
  if (at == rows - 1) return;
  for (uint32_t i = 0; i < f->column_count; i++) {
    double *v = f->columns[i].items, value;
    if (f->columns[i].count != rows) continue; // it is not kept
    value = v[rows - 1];
    memmove(v + at + 1, v + at, (rows - 1 - at) * sizeof *v);
    v[at] = value;
  }
  // the numbers of rows beside the table, of which the last may be this one
  uint32_t k = f->between.count;
  bool own = k && f->between.items[k - 1] == rows - 1;
  if (own) k--;
  for (; k > 0 && f->between.items[k - 1] >= at; k--) f->between.items[k - 1]++;
  if (!own) return;
  memmove(f->between.items + k + 1, f->between.items + k, (f->between.count - 1 - k) * sizeof *f->between.items);
  f->between.items[k] = at;
}

static bool take_row(void *self, const double *values, size_t count) {
  if (!push_row(self, values, count)) return false;
  sort_last(self);
  return true;
}

// An instant has two sides: what lies between the first and the last of its rows is no value of the run.
static bool take_between(void *self, const double *values, size_t count) {
  Figure *f = self;
  size_t rows = figure_rows(f), n = f->between.count;
  bool inner = n > 1 && f->between.items[n - 1] + 1 == rows && f->between.items[n - 2] + 2 == rows &&
               values[0] - f->columns[0].items[rows - 2] <= 8 * DBL_EPSILON * fabs(values[0]);
  for (uint32_t i = 0; inner && i < f->column_count; i++) {
    if (f->columns[i].count) f->columns[i].count--;
  }
  if (inner) f->between.count--;
  if (!vec_push(f->arena, &f->between, figure_rows(f)) || !push_row(f, values, count)) return false;
  sort_last(f);
  return true;
}

Sink figure_sink(Figure *f) { return (Sink){.self = f, .row = take_row, .between = take_between}; }

void figure_clear(Figure *f) {
  for (uint32_t i = 0; i < f->column_count; i++) f->columns[i].count = 0;
  f->events.count = 0;
  f->between.count = 0;
}

void figure_event(Figure *f, double t, const char *name) {
  if (f->events.count < figure_events_most)
    vec_push(f->arena, &f->events, (PlotEvent){t, arena_strndup(f->arena, name, strlen(name))});
}

size_t figure_rows(const Figure *f) { return f->columns[0].count; }

bool figure_has_paths(const Figure *f) {
  bool any = f->phase;
  for (uint32_t i = 0; f->plots && i < f->system->plots.count; i++)
    any = any || (f->system->plots.items[i].against.value && !f->system->plots.items[i].time);
  return any;
}

// ---- panels

const double *figure_column(const Figure *f, ExprId id) { return f->columns[column_of(f, id)].items; }

FigureShown figure_shown(const Figure *f, uint32_t index) {
  if (index >= f->shown.count) return (FigureShown){0};
  const SystemOutput *o = &f->shown.items[index];
  return (FigureShown){o->name, o->si, figure_column(f, o->value)};
}

static void add_curve(const Figure *f, PlotPanel *p, const SystemOutput *o, const double *x) {
  PlotCurve c = {.kind = curve_line,
                 .name = o->name,
                 .unit = o->si,
                 .x = x,
                 .y = figure_column(f, o->value),
                 .t = p->phase ? f->columns[0].items : NULL,
                 .count = figure_rows(f)};
  vec_push(f->arena, &p->curves, c);
}

static bool same_unit(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

// Without plot lines: a panel for each unit, in the order in which they come.
static void default_panels(const Figure *f, Plot *plot) {
  for (uint32_t i = 0; i < f->shown.count; i++) {
    SystemOutput o = f->shown.items[i];
    PlotPanel *p = NULL;
    for (uint32_t k = 0; k < plot->panels.count && !p; k++) {
      const PlotPanel *q = &plot->panels.items[k];
      if (q->curves.count && same_unit(q->curves.items[0].unit, o.si)) p = &plot->panels.items[k];
    }
    if (!p) p = plot_panel(f->arena, plot, "t", "s");
    if (p) add_curve(f, p, &o, f->columns[0].items);
  }
}

// A path in a plane whose axes measure the same keeps its shape: a circle is round. Not where one extent is many times
// the other: the picture would be a line.
static bool same_lengths(const PlotPanel *p) {
  const double flattest = 4;
  AxisRange x = axis_range_empty(), y = axis_range_empty();
  if (p->x_log || p->y_log) return false;
  for (uint32_t k = 0; k < p->curves.count; k++) {
    const PlotCurve *c = &p->curves.items[k];
    if (!same_unit(c->unit, p->x_unit)) return false;
    axis_range_take(&x, c->x, c->count, false);
    axis_range_take(&y, c->y, c->count, false);
  }
  double width = x.hi - x.lo, height = y.hi - y.lo;
  return width > 0 && height > 0 && width <= flattest * height && height <= flattest * width;
}

// The ends of an axis; empty where they are not said, or where parameters that are no numbers decide.
AxisRange figure_limits(const Figure *f, const SystemLimits *l) {
  double at[2] = {0};
  if (!l->from || !tape_numbers(f->arena, f->system, (ExprId[]){l->from, l->to}, 2, at)) return (AxisRange){0};
  return (AxisRange){at[0], at[1]};
}

// How many seconds one of the axis of time is.
static double time_unit(const Figure *f, const SystemPlot *m) {
  const System *s = f->system;
  ExprId one = expr_diff(s->pool, m->against.value, s->time);
  double factor = 1;
  if (!one || !tape_numbers(f->arena, s, &one, 1, &factor)) return 1;
  return 1 / factor;
}

// Curves of two units have two axes: the second unit stands at the right. Of more units, or beside plain numbers, no
// curve has an axis of its own.
static void put_right(PlotPanel *p) {
  const char *first = p->curves.count ? p->curves.items[0].unit : NULL, *second = NULL;
  for (uint32_t k = 0; k < p->curves.count; k++) {
    const char *unit = p->curves.items[k].unit;
    if (!unit || !*unit) return;
    if (same_unit(unit, first)) continue;
    if (second && !same_unit(unit, second)) return;
    second = unit;
  }
  for (uint32_t k = 0; k < p->curves.count; k++) p->curves.items[k].right = !same_unit(p->curves.items[k].unit, first);
}

static bool is_right(const PlotPanel *p, const char *unit) {
  for (uint32_t k = 0; k < p->curves.count; k++) {
    if (same_unit(p->curves.items[k].unit, unit)) return p->curves.items[k].right;
  }
  return false;
}

// Many curves of a line that repeats are coloured by the value of its variable.
static void shade_many(PlotPanel *p, const SystemPlot *m) {
  enum { legend_curves = 20 };
  if (m->levels.count <= legend_curves || m->levels.count != p->curves.count) return;
  p->bar = (PlotBar){.name = m->each};
  for (uint32_t k = 0; k < p->curves.count; k++) {
    p->curves.items[k].shaded = true;
    p->curves.items[k].level = m->levels.items[k];
  }
}

// Is it the first curve of its line that has this unit?
static bool starts_unit(const SystemPlot *m, uint32_t curve) {
  for (uint32_t k = 0; k < curve; k++) {
    if (same_unit(m->curves.items[k].si, m->curves.items[curve].si)) return false;
  }
  return true;
}

static bool has_unit(const PlotPanel *p, const char *unit) {
  for (uint32_t k = 0; k < p->curves.count; k++) {
    if (same_unit(p->curves.items[k].unit, unit)) return true;
  }
  return false;
}

// A panel of a line: its curves of one unit, or all of them. False: out of memory.
static bool said_panel(const Figure *f, Plot *plot, uint32_t line, const SystemOutput *alike) {
  const SystemPlot *m = &f->system->plots.items[line];
  const SystemOutput *against = &m->against;
  PlotPanel *p = plot_panel(f->arena, plot, against->value ? against->name : "t", against->value ? against->si : "s");
  if (!p) return false;
  p->line = line + 1;
  p->phase = against->value != 0 && !m->time;
  p->x_log = m->x_log;
  p->y_log = m->y_log;
  if (m->time) p->seconds = time_unit(f, m);
  p->x = figure_limits(f, &m->x);
  for (uint32_t k = 0; k < m->curves.count; k++) {
    if (!alike || same_unit(m->curves.items[k].si, alike->si))
      add_curve(f, p, &m->curves.items[k], against->value ? figure_column(f, against->value) : f->columns[0].items);
  }
  shade_many(p, m);
  if (!p->phase && !m->equal) put_right(p);
  for (uint32_t k = 0; k < m->y.count; k++) {
    bool right = is_right(p, m->y.items[k].unit);
    if (!alike || has_unit(p, m->y.items[k].unit)) *(right ? &p->right : &p->y) = figure_limits(f, &m->y.items[k]);
  }
  p->equal = m->equal || (p->phase && !m->x.from && !m->y.count && same_lengths(p));
  return true;
}

// A line of more than two units has a panel for each: a common axis would measure none of them.
static void said_panels(const Figure *f, Plot *plot) {
  for (uint32_t i = 0; i < f->system->plots.count; i++) {
    const SystemPlot *m = &f->system->plots.items[i];
    if (m->over.name) {
      PlotPanel *p = figure_over(f, m, plot);
      if (!p) return;
      p->line = i + 1;
      continue;
    }
    uint32_t units = 0;
    for (uint32_t k = 0; k < m->curves.count; k++) units += starts_unit(m, k);
    bool apart = units > 2 && !m->equal && !(m->against.value && !m->time);
    for (uint32_t k = 0; k < (apart ? m->curves.count : 1); k++) {
      if (starts_unit(m, k) && !said_panel(f, plot, i, apart ? &m->curves.items[k] : NULL)) return;
    }
  }
}

// The account: what is stored, what left, what came; and, in a panel of its own, what does not add up.
static void energy_panels(const Figure *f, Plot *plot) {
  static const char *const names[] = {"stored", "dissipated", "supplied"};
  const FigureColumn *account = f->columns + f->column_count - account_size;
  PlotPanel *p = plot_panel(f->arena, plot, "t", "s");
  if (!p) return;
  p->y_name = "energy";
  for (uint32_t i = 0; i < 3; i++) {
    PlotCurve c = {.kind = curve_line,
                   .name = names[i],
                   .unit = "J",
                   .x = f->columns[0].items,
                   .y = account[2 + i].items,
                   .count = figure_rows(f)};
    vec_push(f->arena, &p->curves, c);
  }
  p = plot_panel(f->arena, plot, "t", "s");
  if (!p) return;
  p->y_name = "residue";
  p->height = 110;
  PlotCurve c = {.kind = curve_line,
                 .name = "residue",
                 .unit = "J",
                 .x = f->columns[0].items,
                 .y = account[5].items,
                 .count = figure_rows(f)};
  vec_push(f->arena, &p->curves, c);
}

double figure_residue(const Figure *f) {
  const FigureColumn *residue = &f->columns[f->column_count - 1];
  double largest = 0;
  for (size_t i = 0; i < residue->count; i++) {
    if (!(fabs(residue->items[i]) <= fabs(largest))) largest = residue->items[i];
  }
  return largest;
}

// Events stand in every panel over time, their words in the first.
static void mark_events(const Figure *f, Plot *plot) {
  bool named = false;
  for (uint32_t i = 0; i < plot->panels.count; i++) {
    PlotPanel *p = &plot->panels.items[i];
    if (p->phase || p->index) continue;
    for (uint32_t k = 0; k < f->events.count; k++)
      vec_push(f->arena, &p->events,
               (PlotEvent){f->events.items[k].at / (p->seconds > 0 ? p->seconds : 1),
                           named ? NULL : f->events.items[k].name});
    named = true;
  }
}

void figure_plot(const Figure *f, Plot *plot) {
  *plot = (Plot){.title = f->system->title};
  if (f->plots && f->system->plots.count) said_panels(f, plot);
  else if (f->plots) default_panels(f, plot);
  figure_cut_poles(f, plot);
  mark_events(f, plot);
  if (f->energy && !f->apart) energy_panels(f, plot);
}

void figure_energy(const Figure *f, Plot *plot) {
  *plot = (Plot){0};
  if (f->energy) energy_panels(f, plot);
}

// ---- scenes

void figure_scene(const Figure *f, Scene *scene) {
  const System *m = f->system;
  scene_init(scene, f->arena, f->columns[0].items, figure_rows(f));
  scene->title = m->title;
  for (uint32_t i = 0; i < m->shapes.count && !scene->unit; i++) {
    if (m->shapes.items[i].si && *m->shapes.items[i].si) scene->unit = m->shapes.items[i].si;
  }
  scene_seen(scene, m, f->camera);
  for (uint32_t i = 0; i < m->shapes.count; i++) {
    const SystemShape *s = &m->shapes.items[i];
    ExprId values[shape_values_most];
    const double *of[shape_values_most];
    for (uint32_t k = 0, n = shape_values(s, values); k < n; k++) of[k] = figure_column(f, values[k]);
    scene_add(scene, s, of);
  }
  scene_finish(scene);
}

// ---- what cannot be drawn

// A camera that was asked for beside the model's; one that says nothing.
static void check_camera(const Figure *f, Diags *diags) {
  const System *m = f->system;
  const double *from = f->camera;
  bool asked = from[0] != 0 || from[1] != 0 || from[2] != 0, space = false;
  for (uint32_t i = 0; i < m->shapes.count; i++) space = space || m->shapes.items[i].dims == 3;
  if (!f->scene || !m->shapes.count) return;
  if (asked && !camera_possible(f->arena, m, from))
    diag_error(diags, diag_camera, (Span){0}, "the camera looks along what points up, or in no direction");
  if (!space && (asked || m->camera.from[0]))
    diag_warning(diags, diag_camera, m->camera.span, "the drawing lies in a plane: a camera changes nothing");
}

// Profiles at times that the run did not reach.
static void check_times(const Figure *f, Diags *diags) {
  const double first = f->columns[0].items[0], last = f->columns[0].items[figure_rows(f) - 1];
  for (uint32_t i = 0; f->plots && i < f->system->plots.count; i++) {
    const SystemOver *over = &f->system->plots.items[i].over;
    for (uint32_t k = 0; k < over->at.count; k++) {
      double time;
      if (!tape_numbers(f->arena, f->system, &over->at.items[k], 1, &time) || (time >= first && time <= last)) continue;
      diag_error(diags, diag_profile, over->at_span, "there is no profile at t = %.6g: the run goes from %.6g to %.6g",
                 time, first, last);
    }
  }
}

// Does anything of a curve lie within the limits of its axes?
static bool inside(const PlotPanel *p, const PlotCurve *c) {
  AxisRange y = c->right ? p->right : p->y;
  for (size_t i = 0; i < c->count; i++) {
    bool x_in = !(p->x.lo < p->x.hi) || (c->x[i] >= p->x.lo && c->x[i] <= p->x.hi);
    bool y_in = !(y.lo < y.hi) || (c->y[i] >= y.lo && c->y[i] <= y.hi);
    // a step across the limits is seen, too
    bool across = i > 0 && y.lo < y.hi && x_in &&
                  ((c->y[i - 1] < y.lo && c->y[i] > y.hi) || (c->y[i - 1] > y.hi && c->y[i] < y.lo));
    if ((x_in && y_in) || across) return true;
  }
  return false;
}

static void check_limits(const PlotPanel *p, Span span, Diags *diags) {
  for (uint32_t k = 0; k < p->curves.count; k++) {
    const PlotCurve *c = &p->curves.items[k];
    if (plot_curve_visible(p, c) && !inside(p, c))
      diag_warning(diags, diag_limits, span, "`%s` is not to be seen: it never lies within the limits of its axes",
                   c->name);
  }
}

void figure_check(const Figure *f, bool rows, Diags *diags) {
  const System *m = f->system;
  if (f->scene && m->shapes.count == 0) {
    diag_error(diags, diag_no_drawing, (Span){1, 0, 0}, "the model has no `draw` line, so there is nothing to animate");
    if (m->tree.bodies.count)
      diag_hint(diags, "more than 64 bodies do not draw themselves: `draw rod b1.origin b2.origin`");
    else diag_hint(diags, "for example `draw rod [0, 0] P, mass P` with a point `let P = [...]`");
  }
  check_camera(f, diags);
  if (!rows) return;
  if (figure_rows(f) == 0) {
    diag_error(diags, diag_empty_plot, (Span){0}, "there is nothing to draw: the run gave no row");
    return;
  }
  check_times(f, diags);
  // after the run: curves without any visible point, panels without any visible curve
  Plot plot;
  figure_plot(f, &plot);
  for (uint32_t i = 0; i < plot.panels.count && f->plots; i++) {
    const PlotPanel *p = &plot.panels.items[i];
    bool visible = p->heat && plot_heat_visible(p);
    for (uint32_t k = 0; k < p->curves.count; k++) visible = visible || plot_curve_visible(p, &p->curves.items[k]);
    Span span = p->line ? m->plots.items[p->line - 1].span : (Span){0};
    if (p->index && !p->curves.count) continue; // none of its times is one of the run, which is reported already
    bool log = p->x_log || p->y_log;
    check_limits(p, span, diags);
    for (uint32_t k = 0; k < p->curves.count && visible; k++) {
      const PlotCurve *c = &p->curves.items[k];
      if (plot_curve_visible(p, c)) continue;
      if (log)
        diag_warning(diags, diag_empty_plot, span,
                     "`%s` is not to be seen: no value of it is positive, and the axis is logarithmic", c->name);
      else diag_warning(diags, diag_empty_plot, span, "`%s` is not to be seen: it is never a finite number", c->name);
    }
    if (visible) continue;
    const char *name = p->curves.count ? p->curves.items[0].name : p->heat ? p->bar.name : "";
    if (log)
      diag_error(diags, diag_empty_plot, span,
                 "nothing of `%s` has a place on a logarithmic axis: no value is positive", name);
    else diag_error(diags, diag_empty_plot, span, "nothing to draw: `%s` is never a finite number", name);
    if (log) diag_hint(diags, "plot the absolute value, `|%s|`, or leave out `log`", name);
  }
}

// Position problems of mechanisms, from the outside: assembly modes, synthesis, positions along drives.
//
// in    a model with constraints and drives, a sink for rows
// out   text, JSON, pictures: the mechanism in some of its positions, with the paths of its nodes
#include "api/positions_parts.h"

#include "form/describe.h"
#include "lang/eval.h"
#include "lang/fitted.h"
#include "lang/ranges.h"
#include "lang/targets.h"
#include "show/assembly_plot.h"
#include "show/load_path.h"
#include "show/positions.h"
#include "show/svg.h"
#include "system/bars.h"

#include <math.h>
#include <string.h>

enum {
  most_trails = 40,
  poses = 12,
  usual_steps = 100,
  most_steps = 10000000,
  usual_starts = 100,
  most_settings = 100000
};

viva_positions_options viva_positions_defaults(void) {
  return (viva_positions_options){.problem = "successive", .seed = 1, .starts = usual_starts};
}

static bool find_problem(const char *word, PositionsProblem *out) {
  static const char *const words[] = {"initial", "successive", "path", "modes", "inverse", "deformed", "synthesis"};
  for (int i = 0; i < 7; i++) {
    if (word && strcmp(words[i], word) == 0) return *out = (PositionsProblem)i, true;
  }
  return false;
}

// A mechanism that draws itself leaves the paths of its nodes: coupler curves.
static bool add_trails(System *s) {
  Bars bars = {&s->described, s->arena, s->pool};
  SystemShapeList own = {0};
  if (s->draws || !s->linkage.nodes.count || s->linkage.nodes.count > most_trails) return true;
  for (uint32_t i = 0; i < s->shapes.count; i++) {
    if (!vec_push(s->arena, &own, s->shapes.items[i])) return false;
  }
  for (uint32_t i = 0; i < s->linkage.nodes.count; i++) {
    if (bars_is_given(&bars, i)) continue;
    BarsVector place = bars_place(&bars, i);
    SystemShape shape = {.kind = shape_trail, .count = 1, .dims = s->linkage.dimensions, .si = "m"};
    for (uint32_t k = 0; k < shape.dims; k++) shape.points[0][k] = place.at[k];
    if (!vec_push(s->arena, &own, shape)) return false;
  }
  s->shapes = own;
  return true;
}

// Paths of nodes belong to positions one after the other, not to modes side by side.
static bool open(viva_positions *v, const viva_model *model, PositionsProblem problem) {
  if (!scope_open(&v->scope, v->arena, &model->model)) return false;
  v->system = system_over(&model->system, &v->scope.model);
  bool apart = problem == positions_modes || problem == positions_synthesis;
  if (!apart && !add_trails(&v->system)) return false;
  return !v->system.shapes.count || figure_init(&v->figure, v->arena, &v->system, false, false, true);
}

// What `--over` names: a parameter or a coordinate. 0: none, reported.
static ExprId find_over(viva_positions *v, const ValueRange *r, const char **si) {
  Model *m = &v->scope.model;
  for (uint32_t i = 0; i < m->params.count; i++) {
    const SystemParam *p = &m->params.items[i];
    if (strcmp(p->name, r->name) != 0) continue;
    *si = unit_si_text(v->arena, p->unit, &p->dim, 0);
    return expr_sym(&m->pool, p->symbol);
  }
  for (uint32_t i = 0; i < m->coords.count; i++) {
    const SystemCoord *c = &m->coords.items[i];
    if (strcmp(c->name, r->name) != 0) continue;
    *si = unit_si_text(v->arena, &c->unit, &c->dim, 0);
    return expr_sym(&m->pool, c->q);
  }
  if (range_is_quantity(&v->scope, r))
    diag_error(&m->diags, diag_bad_range, r->name_span,
               "a path goes along a parameter or a coordinate, and `%s` is neither", r->name);
  return 0;
}

// The range of `--over` as a drive. False: out of memory; what is wrong is in the diagnostics.
static bool read_over(viva_positions *v, const char *text) {
  ValueRange r;
  Diags *diags = &v->scope.model.diags;
  if (!range_read(&v->scope, "--over", text, &r)) return false;
  if (!r.text) return true;
  bool fits = (r.kind == range_interval || r.kind == range_grid) && r.low != r.high && r.count <= most_steps;
  if (!r.name) diag_error(diags, diag_bad_range, r.span, "`--over` names what changes, `--over F=0:100`");
  else if (!fits)
    diag_error(diags, diag_bad_range, r.span, "a path goes from a value to another one, `a:b` or `a:h:b`");
  if (!r.name || !fits) return true;
  SystemDrive *drive = arena_new_of(v->arena, SystemDrive);
  double *ends = arena_array(v->arena, 2, sizeof *ends);
  if (!drive || !ends) return false;
  ends[0] = r.low;
  ends[1] = r.kind == range_grid ? range_value(&r, r.count - 1) : r.high;
  *drive = (SystemDrive){.name = r.name};
  drive->value = find_over(v, &r, &drive->si);
  drive->from = v->scope.model.pool.zero;
  drive->to = v->scope.model.pool.one;
  drive->steps = r.kind == range_grid ? (uint32_t)(r.count > 1 ? r.count - 1 : 1) : usual_steps;
  drive->span = drive->target = drive->range = r.span;
  v->own = drive;
  v->ends = ends;
  v->own_count = 1;
  return !arena_failed(v->arena);
}

// `tool=[1, 2]` as drives of its entries. False: out of memory; what is wrong is in the diagnostics.
static bool read_reach(viva_positions *v, const char *text) {
  PassTarget r;
  Elab *e = &v->scope.elab;
  if (!target_read(&v->scope, "--reach", text, &r)) return false;
  if (!r.name) return true;
  uint32_t count = value_count(&r.place);
  if (r.count != 1) {
    diag_error(e->diags, diag_bad_range, r.span, "one place is to be reached, and here are %u", r.count);
    return true;
  }
  SystemDrive *drives = arena_array(v->arena, (size_t)count + 1, sizeof *drives);
  double *ends = arena_array(v->arena, 2 * (size_t)count + 1, sizeof *ends);
  if (!drives || !ends) return false;
  for (uint32_t i = 0; i < count; i++) {
    ends[2 * (size_t)i] = r.numbers[i];
    ends[2 * (size_t)i + 1] = r.numbers[i] + 1;
    drives[i] =
        (SystemDrive){.name = elab_entry_name(e, r.name, &r.place, i), .value = value_item(&r.place, i), .steps = 1};
    drives[i].from = e->pool->zero;
    drives[i].to = e->pool->one;
    drives[i].span = drives[i].target = drives[i].range = r.span;
  }
  v->own = drives;
  v->ends = ends;
  v->own_count = count;
  return !arena_failed(v->arena);
}

// ---- synthesis: what passes which points, what is free

typedef struct PassReading {
  viva_positions *v;
  VEC(SystemDrive) drives;
  double *points, *low, *high;
} PassReading;

static bool add_target(PassReading *x, const PassTarget *t, uint32_t at, uint32_t wide) {
  viva_positions *v = x->v;
  Elab *e = &v->scope.elab;
  uint32_t own = value_count(&t->place);
  for (uint32_t i = 0; i < own; i++) {
    SystemDrive d = {.name = elab_entry_name(e, t->name, &t->place, i), .value = value_item(&t->place, i), .steps = 1};
    d.from = e->pool->zero;
    d.to = e->pool->one;
    d.span = d.target = d.range = t->span;
    if (!vec_push(v->arena, &x->drives, d)) return false;
  }
  for (uint32_t j = 0; j < t->count; j++) {
    for (uint32_t i = 0; i < own; i++) x->points[(size_t)j * wide + at + i] = t->numbers[(size_t)j * own + i];
  }
  return true;
}

// All `--pass` options. False: out of memory; what is wrong is in the diagnostics.
static bool read_pass(PassReading *x, const viva_positions_options *o) {
  viva_positions *v = x->v;
  Diags *diags = &v->scope.model.diags;
  PassTarget *all = arena_array(v->arena, o->pass_count + 1, sizeof *all);
  uint32_t wide = 0;
  if (!all) return false;
  for (size_t i = 0; i < o->pass_count; i++) {
    if (!target_read(&v->scope, "--pass", o->pass[i], &all[i])) return false;
    if (!all[i].name) return true;
    if (all[i].count != all[0].count) {
      diag_error(diags, diag_bad_range, all[i].span, "here are %u points, and `%s` has %u", all[i].count, all[0].name,
                 all[0].count);
      return true;
    }
    wide += value_count(&all[i].place);
  }
  x->points = arena_array(v->arena, (size_t)wide * all[0].count + 1, sizeof *x->points);
  if (!x->points) return false;
  v->pass = (SynthesisRequest){.targets = wide, .count = all[0].count, .points = x->points};
  for (uint32_t i = 0, at = 0; i < o->pass_count; at += value_count(&all[i++].place)) {
    if (!add_target(x, &all[i], at, wide)) return false;
  }
  return true;
}

static const SystemParam *find_param(const Model *m, const char *name) {
  for (uint32_t i = 0; i < m->params.count; i++) {
    if (strcmp(m->params.items[i].name, name) == 0) return &m->params.items[i];
  }
  return NULL;
}

// All `--free` options.
static bool read_free(PassReading *x, const viva_positions_options *o) {
  viva_positions *v = x->v;
  Model *m = &v->scope.model;
  x->low = arena_array(v->arena, o->free_count + 1, sizeof *x->low);
  x->high = arena_array(v->arena, o->free_count + 1, sizeof *x->high);
  if (!x->low || !x->high) return false;
  for (size_t i = 0; i < o->free_count; i++) {
    ValueRange r;
    if (!range_read(&v->scope, "--free", o->free[i], &r)) return false;
    if (!r.text) continue;
    const SystemParam *q = r.name ? find_param(m, r.name) : NULL;
    if (r.kind != range_interval || !r.name)
      diag_error(&m->diags, diag_bad_range, r.span, "what is free has an interval, `--free l=0.5:2`");
    else if (!q && range_is_quantity(&v->scope, &r))
      diag_error(&m->diags, diag_bad_range, r.name_span, "lengths and pivots are parameters, and `%s` is none", r.name);
    for (size_t k = 0; q && k < i; k++) {
      if (x->drives.items[v->pass.targets + k].value == expr_sym(&m->pool, q->symbol))
        diag_error(&m->diags, diag_twice, r.name_span, "`%s` is free twice", r.name);
    }
    if (!q || m->diags.errors) continue;
    x->low[i] = r.low;
    x->high[i] = r.high;
    SystemDrive d = {.name = r.name, .value = expr_sym(&m->pool, q->symbol), .steps = 1, .span = r.span};
    d.from = d.value;
    d.to = expr_add(&m->pool, d.value, m->pool.one);
    d.target = d.range = r.span;
    if (!vec_push(v->arena, &x->drives, d)) return false;
  }
  return true;
}

static bool read_synthesis(viva_positions *v, const viva_positions_options *o) {
  PassReading x = {.v = v};
  if (!read_pass(&x, o)) return false;
  if (v->scope.model.diags.errors) return true;
  if (!read_free(&x, o)) return false;
  v->pass.low = x.low;
  v->pass.high = x.high;
  v->pass.starts = o->starts;
  v->own = x.drives.items;
  v->own_count = x.drives.count;
  return !arena_failed(v->arena);
}

// The model's text with the parameters that were found.
static void keep_fitted(viva_positions *v, const viva_model *model) {
  const Synthesis *s = &v->found.synthesis;
  const char *why = NULL;
  FittedValue *values = arena_array(v->arena, (size_t)s->d + 1, sizeof *values);
  if (!values || !isfinite(s->cost) || !s->d) return;
  for (uint32_t i = 0; i < s->d; i++)
    values[i] = (FittedValue){.name = v->own[v->pass.targets + i].name, .value = s->p[i]};
  v->fitted = fitted_text(v->arena, &model->model, values, s->d, &why);
}

// A drive of a parameter, or of the time, has no equation: its value is a setting of its own.
static bool drives_parameter(const Places *p, uint32_t drive) { return p->drive_row[drive] == UINT32_MAX; }

// The time is no setting: a simulation can start there, or it cannot.
static void check_time(viva_positions *v) {
  const Positions *x = &v->found;
  const Places *p = &x->places;
  for (uint32_t i = 0; i < p->k; i++) {
    bool time = drives_parameter(p, i) && expr_symbol(&p->pool, p->driven[i]) == p->s.time;
    if (!time || x->P[i] == p->t) continue;
    v->start_obstacle = arena_printf(
        v->arena, "this position is one at t = %.9g, and the motion begins at t = %.9g: write `simulate from %.9g`",
        x->P[i], p->t, x->P[i]);
  }
}

// `--set` texts by which a model starts from a position: from each of the modes, or from the last one. Parameters that
// are driven have the values that they have there.
static void keep_starts(viva_positions *v) {
  const Positions *x = &v->found;
  const Places *p = &x->places;
  bool modes = x->problem == positions_modes;
  size_t rows = modes ? x->modes.count : x->assembled && x->problem != positions_synthesis, n = p->coords, driven = 0;
  const double *u = modes ? x->modes.u : x->u;
  if (!u || !n || rows * n > most_settings) return;
  for (uint32_t i = 0; i < p->k; i++)
    driven += drives_parameter(p, i) && expr_symbol(&p->pool, p->driven[i]) != p->s.time;
  v->starts = arena_array(v->arena, rows * (n + driven) + 1, sizeof *v->starts);
  if (!v->starts) return;
  v->start_rows = rows;
  v->start_columns = n + driven;
  check_time(v);
  for (size_t r = 0; r < rows; r++) {
    const char **row = v->starts + r * v->start_columns;
    for (size_t i = 0; i < n; i++) *row++ = arena_printf(v->arena, "%s=%.17g", p->names[i], u[r * p->n + i]);
    for (uint32_t i = 0; i < p->k; i++) {
      if (drives_parameter(p, i) && expr_symbol(&p->pool, p->driven[i]) != p->s.time)
        *row++ = arena_printf(v->arena, "%s=%.17g", x->drives[i].name, x->P[i]);
    }
  }
}

static void keep_texts(viva_positions *v) {
  const Positions *x = &v->found;
  v->text[0] = v->text[1] = "";
  if (x->status == positions_bad_input || x->status == positions_no_memory) return;
  Text text = text_in(v->arena), json = text_in(v->arena);
  show_positions_text(x, &text);
  show_positions_json(x, &json);
  v->text[0] = text_str(&text);
  v->text[1] = text_str(&json);
}

static viva_status status_of(PositionsStatus status) {
  switch (status) {
  case positions_done: return VIVA_OK;
  case positions_failed: return VIVA_EFAIL;
  case positions_bad_input: return VIVA_EINPUT;
  case positions_interrupted: return VIVA_EINTERRUPTED;
  case positions_no_memory: break;
  }
  return VIVA_ENOMEM;
}

static viva_status find(viva_positions *v, const viva_model *model, const viva_positions_options *o,
                        PositionsProblem problem, const viva_sink *sink) {
  bool makes = problem == positions_synthesis;
  if (!open(v, model, problem) || (o->over && !read_over(v, o->over)) || (o->reach && !read_reach(v, o->reach)) ||
      (makes && !read_synthesis(v, o)))
    return VIVA_ENOMEM;
  if (v->scope.model.diags.errors) {
    v->message = messages_text(v->arena, &v->scope.model.sources, &v->scope.model.diags, NULL);
    v->text[0] = v->text[1] = "";
    return arena_failed(v->arena) ? VIVA_ENOMEM : VIVA_EINPUT;
  }
  if (v->own_count && problem < positions_deformed) problem = o->reach ? positions_inverse : positions_path;
  Sink rows = sink ? (Sink){.self = sink->self, .header = sink->header, .row = sink->row} : (Sink){0};
  Sink watcher = figure_sink(&v->figure);
  PositionsRequest request = {.problem = problem,
                              .through = o->through,
                              .branches = o->branches,
                              .branch_count = (uint32_t)o->branch_count,
                              .drives = v->own,
                              .ends = v->ends,
                              .drive_count = v->own_count,
                              .held = o->reach != NULL,
                              .pass = v->pass,
                              .mode = o->mode,
                              .resultants = o->resultants,
                              .compare = o->compare,
                              .seed = o->seed,
                              .sink = &rows,
                              .watch = v->figure.watch.items,
                              .watch_count = v->figure.watch.count,
                              .watcher = v->figure.watch.count ? &watcher : NULL,
                              .watch_columns = v->figure.column_count,
                              .progress = o->progress,
                              .interrupted = o->interrupted,
                              .self = o->self};
  positions_find(&v->found, &v->system, &request);
  positions_close(&v->found);
  Diag failure = {.span = v->found.place, .message = v->found.message, .hint = v->found.hint};
  v->message = messages_text(v->arena, &v->scope.model.sources, &v->scope.model.diags, &failure);
  keep_texts(v);
  keep_starts(v);
  if (makes) keep_fitted(v, model);
  return arena_failed(v->arena) ? VIVA_ENOMEM : status_of(v->found.status);
}

viva_status viva_positions_find(const viva_model *model, const viva_positions_options *options, const viva_sink *sink,
                                viva_positions **positions) {
  viva_positions_options o = options ? *options : viva_positions_defaults();
  PositionsProblem problem;
  if (!positions) return VIVA_EUSAGE;
  *positions = NULL;
  if (!find_problem(o.problem, &problem) || (o.over && o.reach)) return VIVA_EUSAGE;
  if (problem == positions_inverse && !o.reach) return VIVA_EUSAGE;
  if (problem == positions_synthesis && (!o.pass_count || !o.free_count || o.over || o.reach)) return VIVA_EUSAGE;
  bool listed = positions_are_listed(model, problem, &o);
  viva_status status = listed ? VIVA_OK : model_status(model);
  if (status != VIVA_OK) return status;
  viva_positions *v = handle_new(sizeof *v);
  if (!v) return VIVA_ENOMEM;
  status = listed ? positions_of_structure(v, model, &o, sink) : find(v, model, &o, problem, sink);
  status = settle_status(v->arena, status, &v->message);
  if (status == VIVA_ENOMEM) viva_positions_free(v);
  else *positions = v;
  return status;
}

bool viva_positions_listed(const viva_model *model, const viva_positions_options *options) {
  viva_positions_options o = options ? *options : viva_positions_defaults();
  PositionsProblem problem;
  return model && find_problem(o.problem, &problem) && positions_are_listed(model, problem, &o);
}

void viva_positions_free(viva_positions *positions) { handle_free(positions); }

const char *viva_positions_text(const viva_positions *v, viva_format format) {
  if (!v || (format != VIVA_FORMAT_TEXT && format != VIVA_FORMAT_JSON)) return "";
  return v->text[format == VIVA_FORMAT_JSON];
}

const char *viva_positions_message(const viva_positions *v) { return v ? v->message : NULL; }
size_t viva_positions_count(const viva_positions *v) {
  return v && v->found.columns ? v->found.rows.count / v->found.columns : 0;
}
size_t viva_positions_column_count(const viva_positions *v) { return v ? v->found.columns : 0; }
const char *viva_positions_column_name(const viva_positions *v, size_t column) {
  return column < viva_positions_column_count(v) ? v->found.names[column] : NULL;
}
double viva_positions_value(const viva_positions *v, size_t row, size_t column) {
  bool there = row < viva_positions_count(v) && column < viva_positions_column_count(v);
  return there ? v->found.rows.items[row * v->found.columns + column] : NAN;
}
size_t viva_positions_start_count(const viva_positions *v, size_t row) {
  return v && row < v->start_rows ? v->start_columns : 0;
}
const char *viva_positions_start(const viva_positions *v, size_t row, size_t index) {
  return index < viva_positions_start_count(v, row) ? v->starts[row * v->start_columns + index] : NULL;
}
const char *viva_positions_start_obstacle(const viva_positions *v) { return v ? v->start_obstacle : NULL; }
const char *viva_positions_model(const viva_positions *v) { return v ? v->fitted : NULL; }
bool viva_positions_proved(const viva_positions *v) { return v && v->found.proved; }

// Of equilibria the path of the load first; then the mechanism in some of its positions.
static bool draw(const viva_positions *v, const viva_figure_options *o, Drawing *d) {
  Figure f = v->figure;
  Scene scene;
  Plot plot = {0}, poses_plot = {0};
  Ghosts ghosts = {.scene = &scene, .untimed = true};
  bool path = load_path_plot(d->arena, &v->found, &plot);
  f.arena = d->arena;
  memcpy(f.camera, o->camera, sizeof f.camera);
  if (f.scene && figure_rows(&f)) {
    figure_scene(&f, &scene);
    d->title = scene.title;
    ghosts.count = scene.rows < poses ? (uint32_t)scene.rows : poses;
    if (v->found.problem != positions_modes) scene_ghosts(d->arena, &ghosts, &poses_plot);
    else if (!assembly_plot(d->arena, &scene, &poses_plot, &ghosts.width)) return false;
    if (!path) plot = poses_plot;
    else if (poses_plot.panels.count && !vec_push(d->arena, &plot.panels, poses_plot.panels.items[0])) return false;
  }
  if (path) d->description = "the load over places along a path of equilibria, and the structure in some of them";
  return plot_layout(&plot, (PlotStyle){.dark = o->dark, .width = o->width > 0 ? o->width : ghosts.width}, d);
}

static bool can_draw(const viva_positions *v) {
  return (v->figure.scene && figure_rows(&v->figure)) || (v->found.places.statics && v->found.row_count > 1);
}

viva_status viva_positions_draw(const viva_positions *v, const viva_figure_options *options, viva_picture picture,
                                char **data, size_t *length) {
  if (data) *data = NULL;
  if (length) *length = 0;
  if (!v || !data || !length || !picture_is_still(picture)) return VIVA_EUSAGE;
  if (!can_draw(v)) return VIVA_EINPUT;
  Arena *arena = arena_new();
  if (!arena) return VIVA_ENOMEM;
  viva_figure_options o = options ? *options : viva_figure_defaults();
  Text out = text_in(arena);
  Drawing d = {.arena = arena, .description = "the positions of a mechanism"};
  const char *problem;
  viva_status status = draw(v, &o, &d) && !arena_failed(arena) ? VIVA_OK : VIVA_ENOMEM;
  if (status == VIVA_OK) svg_write(&d, &out);
  if (status == VIVA_OK) status = picture_bytes(picture, &out, &problem, data, length);
  arena_free(arena);
  return status;
}

viva_status viva_positions_follow(const viva_positions *v, viva_figure *figure) {
  static const double usual_time = 4; // seconds, where the drives do not say how long they take
  if (!v || !figure || figure->options.kind == VIVA_FIGURE_PLOTS) return VIVA_EUSAGE;
  size_t rows = v->figure.scene ? figure_rows(&v->figure) : 0;
  if (rows < 2) return VIVA_EINPUT;
  Figure f = v->figure;
  f.arena = figure->arena;
  memcpy(f.camera, figure->options.camera, sizeof f.camera);
  f.columns = arena_array(f.arena, f.column_count, sizeof *f.columns);
  double *t = arena_array(f.arena, rows, sizeof *t);
  if (!f.columns || !t) return VIVA_ENOMEM;
  memcpy(f.columns, v->figure.columns, f.column_count * sizeof *f.columns);
  double time = v->found.by == rate_by_time ? v->found.places.time : usual_time;
  for (size_t i = 0; i < rows; i++) t[i] = time * (double)i / (double)(rows - 1);
  f.columns[0].items = t;
  figure->figure = f;
  figure->scene.rows = 0;
  return VIVA_OK;
}

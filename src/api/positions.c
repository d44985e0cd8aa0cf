// Problems of position, from the outside.
//
// in    a model with constraints and drives, a sink for rows
// out   text, JSON, pictures: the mechanism in some of its positions, with the paths of its nodes
#include "api/handles.h"

#include "form/describe.h"
#include "lang/ranges.h"
#include "show/positions.h"
#include "show/svg.h"
#include "system/bars.h"

#include <math.h>
#include <string.h>

enum { most_trails = 40, poses = 12, usual_steps = 100, most_steps = 10000000 };

struct viva_positions {
  Arena *arena;
  TextScope scope;
  System system;    // over the scope
  SystemDrive over; // of --over
  Positions found;
  Figure figure;
  const char *text[2]; // text, JSON
  const char *message;
};

viva_positions_options viva_positions_defaults(void) {
  return (viva_positions_options){.problem = "successive", .seed = 1};
}

static bool find_problem(const char *word, PositionsProblem *out) {
  static const char *const words[] = {"initial", "successive", "path", "modes"};
  for (int i = 0; i < 4; i++) {
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

static bool open(viva_positions *v, const viva_model *model) {
  if (!scope_open(&v->scope, v->arena, &model->model)) return false;
  v->system = system_over(&model->system, &v->scope.model);
  if (!add_trails(&v->system)) return false;
  return !v->system.shapes.count || figure_init(&v->figure, v->arena, &v->system, false, false, true);
}

// What `--over` names: a parameter or a coordinate. 0: none, reported.
static ExprId find_over(viva_positions *v, const ValueRange *r) {
  Model *m = &v->scope.model;
  for (uint32_t i = 0; i < m->params.count; i++) {
    if (strcmp(m->params.items[i].name, r->name) == 0) return expr_sym(&m->pool, m->params.items[i].symbol);
  }
  for (uint32_t i = 0; i < m->coords.count; i++) {
    if (strcmp(m->coords.items[i].name, r->name) == 0) return expr_sym(&m->pool, m->coords.items[i].q);
  }
  if (range_is_quantity(&v->scope, r))
    diag_error(&m->diags, diag_bad_range, r->name_span,
               "a path goes along a parameter or a coordinate, and `%s` is neither", r->name);
  return 0;
}

// The range of `--over` as a drive. False: memory is out; what is wrong is in the diagnostics.
static bool read_over(viva_positions *v, const char *text, SystemDrive *drive, double ends[2]) {
  ValueRange r;
  Diags *diags = &v->scope.model.diags;
  if (!range_read(&v->scope, "--over", text, &r)) return false;
  if (!r.text) return true;
  bool fits = (r.kind == range_interval || r.kind == range_grid) && r.low != r.high && r.count <= most_steps;
  if (!r.name) diag_error(diags, diag_bad_range, r.span, "`--over` names what changes, `--over F=0:100`");
  else if (!fits)
    diag_error(diags, diag_bad_range, r.span, "a path goes from a value to another one, `a:b` or `a:h:b`");
  if (!r.name || !fits) return true;
  ends[0] = r.low;
  ends[1] = r.kind == range_grid ? range_value(&r, r.count - 1) : r.high;
  const SystemDrive made = {.name = r.name,
                            .value = find_over(v, &r),
                            .from = v->scope.model.pool.zero,
                            .to = v->scope.model.pool.one,
                            .steps = r.kind == range_grid ? (uint32_t)(r.count > 1 ? r.count - 1 : 1) : usual_steps,
                            .span = r.span,
                            .target = r.span,
                            .range = r.span};
  *drive = made;
  return !arena_failed(v->arena);
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
  SystemDrive over = {0};
  double ends[2] = {0};
  if (!open(v, model) || (o->over && !read_over(v, o->over, &over, ends))) return VIVA_ENOMEM;
  if (v->scope.model.diags.errors) {
    v->message = messages_text(v->arena, &v->scope.model.sources, &v->scope.model.diags, NULL);
    v->text[0] = v->text[1] = "";
    return arena_failed(v->arena) ? VIVA_ENOMEM : VIVA_EINPUT;
  }
  if (over.name) problem = positions_path;
  Sink rows = sink ? (Sink){.self = sink->self, .header = sink->header, .row = sink->row} : (Sink){0};
  Sink watcher = figure_sink(&v->figure);
  v->over = over;
  PositionsWish wish = {.problem = problem,
                        .through = o->through,
                        .drives = &v->over,
                        .ends = {ends[0], ends[1]},
                        .drive_count = over.name ? 1 : 0,
                        .mode = o->mode,
                        .seed = o->seed,
                        .sink = &rows,
                        .watch = v->figure.watch.items,
                        .watch_count = v->figure.watch.count,
                        .watcher = v->figure.watch.count ? &watcher : NULL,
                        .watch_columns = v->figure.column_count,
                        .progress = o->progress,
                        .interrupted = o->interrupted,
                        .self = o->self};
  positions_find(&v->found, &v->system, &wish);
  positions_close(&v->found);
  Diag failure = {.span = v->found.place, .message = v->found.message, .hint = v->found.hint};
  v->message = messages_text(v->arena, &v->scope.model.sources, &v->scope.model.diags, &failure);
  keep_texts(v);
  return arena_failed(v->arena) ? VIVA_ENOMEM : status_of(v->found.status);
}

viva_status viva_positions_find(const viva_model *model, const viva_positions_options *options, const viva_sink *sink,
                                viva_positions **positions) {
  viva_positions_options o = options ? *options : viva_positions_defaults();
  PositionsProblem problem;
  if (!positions || !find_problem(o.problem, &problem)) return VIVA_EUSAGE;
  *positions = NULL;
  viva_status status = model_status(model);
  if (status != VIVA_OK) return status;
  viva_positions *v = handle_new(sizeof *v);
  if (!v) return VIVA_ENOMEM;
  status = find(v, model, &o, problem, sink);
  if (status == VIVA_ENOMEM) viva_positions_free(v);
  else *positions = v;
  return status;
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
bool viva_positions_proved(const viva_positions *v) { return v && v->found.proved; }

static bool draw(const viva_positions *v, const viva_figure_options *o, Drawing *d) {
  Figure f = v->figure;
  Scene scene;
  Plot plot;
  f.arena = d->arena;
  memcpy(f.camera, o->camera, sizeof f.camera);
  figure_scene(&f, &scene);
  d->title = scene.title;
  Ghosts ghosts = {.scene = &scene, .count = scene.rows < poses ? (uint32_t)scene.rows : poses};
  scene_ghosts(d->arena, &ghosts, &plot);
  return plot_layout(&plot, (PlotStyle){.dark = o->dark, .width = o->width > 0 ? o->width : ghosts.width}, d);
}

viva_status viva_positions_draw(const viva_positions *v, const viva_figure_options *options, viva_picture picture,
                                char **data, size_t *length) {
  if (data) *data = NULL;
  if (length) *length = 0;
  if (!v || !data || !length || !picture_is_still(picture)) return VIVA_EUSAGE;
  if (!v->figure.scene || !figure_rows(&v->figure)) return VIVA_EINPUT;
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

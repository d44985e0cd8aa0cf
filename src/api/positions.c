// Problems of position, from the outside.
//
// in    a model with constraints and drives, a sink for rows
// out   text, JSON, pictures: the mechanism in some of its positions, with the paths of its nodes
#include "api/handles.h"

#include "form/describe.h"
#include "lang/eval.h"
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
  SystemDrive *own; // of --over and --reach
  double *ends;
  uint32_t own_count;
  Positions found;
  Figure figure;
  const char *text[2]; // text, JSON
  const char *message;
};

viva_positions_options viva_positions_defaults(void) {
  return (viva_positions_options){.problem = "successive", .seed = 1};
}

static bool find_problem(const char *word, PositionsProblem *out) {
  static const char *const words[] = {"initial", "successive", "path", "modes", "inverse"};
  for (int i = 0; i < 5; i++) {
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
  *drive = (SystemDrive){.name = r.name, .value = find_over(v, &r)};
  drive->from = v->scope.model.pool.zero;
  drive->to = v->scope.model.pool.one;
  drive->steps = r.kind == range_grid ? (uint32_t)(r.count > 1 ? r.count - 1 : 1) : usual_steps;
  drive->span = drive->target = drive->range = r.span;
  v->own = drive;
  v->ends = ends;
  v->own_count = 1;
  return !arena_failed(v->arena);
}

// `tool=[1, 2]` as drives of its entries. False: memory is out; what is wrong is in the diagnostics.
static bool read_reach(viva_positions *v, const char *text) {
  ValueRange r;
  Elab *e = &v->scope.elab;
  if (!range_read(&v->scope, "--reach", text, &r)) return false;
  if (!r.text) return true;
  if (!r.name || r.kind != range_list) {
    diag_error(e->diags, diag_bad_range, r.span,
               "`--reach` names a place and where it is to be, `--reach tool=[1, 2]`");
    return true;
  }
  Decl *d = names_find(e, r.name);
  if (!d) {
    diag_error(e->diags, diag_unknown_name, r.name_span, "there is no `%s` that could be reached", r.name);
    const char *near = names_nearest(e, r.name);
    if (near) diag_hint(e->diags, "did you mean `%s`?", near);
    return true;
  }
  Value value = eval_decl(e, d, r.name_span);
  if (!value.shape) return true;
  if (value_count(&value) != r.count) {
    diag_error(e->diags, diag_bad_range, r.span, "`%s` is %s, and here %llu numbers are given", r.name,
               value_describe(v->arena, &value), (unsigned long long)r.count);
    return true;
  }
  SystemDrive *drives = arena_array(v->arena, r.count + 1, sizeof *drives);
  double *ends = arena_array(v->arena, 2 * r.count + 1, sizeof *ends);
  if (!drives || !ends) return false;
  const KindSet places = kind_set(sym_coord) | kind_set(sym_state);
  for (uint32_t i = 0; i < r.count; i++) {
    const char *name = elab_entry_name(e, r.name, &value, i);
    ends[2 * (size_t)i] = range_value(&r, i);
    ends[2 * (size_t)i + 1] = ends[2 * (size_t)i] + 1;
    drives[i] = (SystemDrive){.name = name, .value = value_item(&value, i), .from = e->pool->zero, .to = e->pool->one};
    drives[i].steps = 1;
    drives[i].span = drives[i].target = drives[i].range = r.span;
    if (!expr_has_kinds(e->pool, drives[i].value, places)) {
      diag_error(e->diags, diag_bad_range, r.name_span, "`%s` cannot be moved: it depends on no coordinate", name);
      return true;
    }
  }
  v->own = drives;
  v->ends = ends;
  v->own_count = (uint32_t)r.count;
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
  if (!open(v, model) || (o->over && !read_over(v, o->over)) || (o->reach && !read_reach(v, o->reach)))
    return VIVA_ENOMEM;
  if (v->scope.model.diags.errors) {
    v->message = messages_text(v->arena, &v->scope.model.sources, &v->scope.model.diags, NULL);
    v->text[0] = v->text[1] = "";
    return arena_failed(v->arena) ? VIVA_ENOMEM : VIVA_EINPUT;
  }
  if (v->own_count) problem = o->reach ? positions_inverse : positions_path;
  Sink rows = sink ? (Sink){.self = sink->self, .header = sink->header, .row = sink->row} : (Sink){0};
  Sink watcher = figure_sink(&v->figure);
  PositionsWish wish = {.problem = problem,
                        .through = o->through,
                        .drives = v->own,
                        .ends = v->ends,
                        .drive_count = v->own_count,
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
  if (!positions) return VIVA_EUSAGE;
  *positions = NULL;
  if (!find_problem(o.problem, &problem) || (o.over && o.reach)) return VIVA_EUSAGE;
  if (problem == positions_inverse && !o.reach) return VIVA_EUSAGE;
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
  Ghosts ghosts = {.scene = &scene, .count = scene.rows < poses ? (uint32_t)scene.rows : poses, .untimed = true};
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

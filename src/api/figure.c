// Pictures, from the outside.
#include "api/handles.h"
#include "show/braille.h"
#include "show/raster.h"
#include "show/svg.h"
#include "system/dimension.h"
#include "system/quantity_unit.h"

#include <math.h>
#include <string.h>

viva_figure_options viva_figure_defaults(void) { return (viva_figure_options){.kind = VIVA_FIGURE_PLOTS}; }

static bool check(viva_figure *f, bool rows) {
  Diags diags = {.arena = f->arena, .sources = &f->model->model.sources};
  figure_check(&f->figure, rows, &diags);
  diag_sort(&diags);
  f->message = messages_text(f->arena, diags.sources, &diags, NULL);
  return diags.errors == 0;
}

bool figure_can_draw(viva_figure *figure) { return check(figure, true); }

viva_status viva_figure_new(const viva_model *model, const viva_figure_options *options, viva_figure **figure) {
  viva_figure_options o = options ? *options : viva_figure_defaults();
  if (!figure) return VIVA_EUSAGE;
  *figure = NULL;
  if ((unsigned)o.kind > VIVA_FIGURE_GHOSTS) return VIVA_EUSAGE;
  viva_status status = model_status(model);
  if (status != VIVA_OK) return status;
  viva_figure *f = handle_new(sizeof *f);
  if (!f) return VIVA_ENOMEM;
  f->model = model;
  f->options = o;
  bool plots = o.kind == VIVA_FIGURE_PLOTS;
  if (!figure_init(&f->figure, f->arena, &model->system, plots, plots && o.energy, !plots)) {
    viva_figure_free(f);
    return VIVA_ENOMEM;
  }
  bool more =
      (!plots || !o.power || figure_watch_power(&f->figure)) && (!plots || !o.phase || figure_watch_phase(&f->figure));
  if (!more) {
    viva_figure_free(f);
    return VIVA_ENOMEM;
  }
  memcpy(f->figure.camera, o.camera, sizeof o.camera);
  f->sink = figure_sink(&f->figure);
  *figure = f;
  return check(f, false) ? VIVA_OK : VIVA_EINPUT;
}

viva_status viva_camera_check(const viva_model *model, const double camera[3]) {
  viva_status status = model_status(model);
  if (status != VIVA_OK) return status;
  if (!camera) return VIVA_EUSAGE;
  Arena *arena = arena_new();
  if (!arena) return VIVA_ENOMEM;
  bool possible = camera_possible(arena, &model->system, camera), failed = arena_failed(arena);
  arena_free(arena);
  return failed ? VIVA_ENOMEM : possible ? VIVA_OK : VIVA_EINPUT;
}

void viva_figure_free(viva_figure *figure) { handle_free(figure); }

const char *viva_figure_message(const viva_figure *figure) { return figure ? figure->message : NULL; }

double viva_figure_end(const viva_figure *figure) {
  size_t rows = figure ? figure_rows(&figure->figure) : 0;
  if (figure && figure->scene.key.count) return figure->scene.t[figure->scene.rows - 1];
  return rows ? figure->figure.columns[0].items[rows - 1] : NAN;
}

// ---- drawing

// What the picture shows, for those who listen.
static const char *describe(const Plot *plot, Arena *arena) {
  Text t = text_in(arena);
  for (uint32_t i = 0; i < plot->panels.count; i++) {
    const PlotPanel *p = &plot->panels.items[i];
    bool many = p->curves.count && p->curves.items[0].shaded;
    if (p->y_name && !many && !p->heat) text_printf(&t, "%s%s for ", i ? "; " : "", p->y_name);
    for (uint32_t k = 0; k < (many ? 1 : p->curves.count); k++)
      text_printf(&t, "%s%s", k ? ", " : i && !p->y_name ? "; " : "", p->curves.items[k].name);
    if (many) text_printf(&t, " for %u members, by %s", p->curves.count, p->bar.name);
    if (p->heat) text_printf(&t, "%s%s as colours over %s and the time", i ? "; " : "", p->bar.name, p->y_name);
    else text_printf(&t, " %s %s", p->phase ? "against" : "over", p->x_name);
  }
  return text_str(&t);
}

// The unit of something that varies: a parameter, or the start of a coordinate, a velocity or a state.
const char *figure_varied_unit(Arena *arena, const Model *m, const ModelVaried *v) {
  if (!quantity_units_said(&m->described)) return NULL;
  for (uint32_t i = 0; i < m->params.count && !v->start; i++) {
    const SystemParam *p = &m->params.items[i];
    if (strcmp(p->name, v->quantity) == 0) return unit_si_text(arena, p->unit, &p->dim, 0);
  }
  for (uint32_t i = 0; i < m->coords.count && v->start; i++) {
    const SystemCoord *c = &m->coords.items[i];
    if (strcmp(c->name, v->quantity) == 0) return unit_si_text(arena, &c->unit, &c->dim, v->rate);
  }
  for (uint32_t i = 0; i < m->states.count && v->start; i++) {
    const SystemState *x = &m->states.items[i];
    if (strcmp(x->name, v->quantity) == 0) return unit_si_text(arena, &x->unit, &x->dim, 0);
  }
  return NULL;
}

// "k = 4 N/m, c = 0.1"; without the first list: "c = 0.1"
static const char *member_label(Arena *arena, const viva_model *member, bool rest) {
  const Model *m = &member->model;
  Text t = text_in(arena);
  for (uint32_t i = 0; i < m->varied.count; i++) {
    const ModelVaried *v = &m->varied.items[i];
    if (rest && v->list == m->varied.items[0].list) continue;
    const char *unit = figure_varied_unit(arena, m, v);
    text_printf(&t, "%s%s = %.6g", t.length ? ", " : "", v->name, viva_model_varied_value(member, i));
    if (unit && *unit) text_printf(&t, " %s", unit);
  }
  return text_str(&t);
}

const char *figure_member_label(Arena *arena, const viva_model *member) { return member_label(arena, member, false); }

static const char *other_names(Arena *arena, const Model *m) {
  Text t = text_in(arena);
  for (uint32_t i = 1; i < m->varied.count; i++) {
    bool other = m->varied.items[i].list != m->varied.items[0].list; // entries of one list vary together
    if (other) text_printf(&t, "%s%s", t.length ? " and " : "", m->varied.items[i].name);
  }
  return t.length ? text_str(&t) : NULL;
}

// "k [N/m]"
static const char *varied_head(Arena *arena, const Model *m, const ModelVaried *v) {
  const char *unit = figure_varied_unit(arena, m, v);
  return unit && *unit ? arena_printf(arena, "%s [%s]", v->name, unit) : arena_printf(arena, "%s", v->name);
}

// What the whole family has: what varies, and how many lists there are.
static void describe_family(Overlay *o, const Model *m) {
  const Item *last = NULL;
  const char **heads = arena_array(o->arena, m->varied.count, sizeof *heads);
  if (!heads) return;
  o->varied = arena_printf(o->arena, "%s", m->varied.items[0].name);
  o->unit = figure_varied_unit(o->arena, m, &m->varied.items[0]);
  o->others = other_names(o->arena, m);
  o->heads = heads;
  o->head_count = m->varied.count;
  for (uint32_t i = 0; i < m->varied.count; i++) {
    const ModelVaried *v = &m->varied.items[i];
    heads[i] = varied_head(o->arena, m, v);
    if (v->list == last) continue; // entries of one list vary together
    last = v->list;
    o->counts[o->lists > 0] = o->lists > 1 ? o->counts[1] * v->count : v->count;
    o->lists++;
  }
}

static OverlayMember describe_member(Arena *arena, const viva_model *member) {
  const Model *m = &member->model;
  OverlayMember out = {.level = viva_model_varied_value(member, 0),
                       .label = member_label(arena, member, false),
                       .rest = member_label(arena, member, true)};
  const char **cells = arena_array(arena, m->varied.count, sizeof *cells);
  const Item *last = NULL;
  uint32_t list = 0;
  for (uint32_t i = 0; cells && i < m->varied.count; i++) {
    cells[i] = arena_printf(arena, "%.6g", viva_model_varied_value(member, i));
    if (m->varied.items[i].list == last) continue;
    last = m->varied.items[i].list;
    out.entry[list > 0] = (list > 1 ? out.entry[1] * m->varied.items[i].count : 0) + m->varied.items[i].entry;
    list++;
  }
  out.cells = cells;
  return out;
}

void figure_join(Scene *all, const Scene *scene, const viva_model *member, bool dark) {
  const Model *m = &member->model;
  scene_join(all, scene, figure_member_label(all->arena, member), viva_model_varied_value(member, 0));
  scene_colours(all, varied_head(all->arena, m, &m->varied.items[0]), dark);
}

// The animation of a member, in its own colour.
static viva_status overlay_scene(viva_figure *figure, viva_figure *member) {
  Scene scene;
  if (figure->scene.key.count >= figure_members_most) return VIVA_EUSAGE;
  figure_scene(&member->figure, &scene);
  figure->scene.arena = figure->arena;
  figure_join(&figure->scene, &scene, member->model, figure->options.dark);
  return arena_failed(figure->arena) || arena_failed(member->arena) ? VIVA_ENOMEM : VIVA_OK;
}

viva_status viva_figure_overlay(viva_figure *figure, viva_figure *member) {
  if (!figure || !member || figure == member) return VIVA_EUSAGE;
  if (figure->options.kind != member->options.kind) return VIVA_EUSAGE;
  const Model *m = &member->model->model;
  if (m->varied.count == 0) return VIVA_EUSAGE;
  if (figure->options.kind != VIVA_FIGURE_PLOTS) return overlay_scene(figure, member);
  Overlay *o = &figure->overlay;
  o->arena = figure->arena;
  o->apart = figure->options.apart;
  if (o->members.count == 0) describe_family(o, m);
  Plot plot;
  figure_whole(&member->figure, &plot);
  overlay_take(o, &plot, describe_member(o->arena, member->model));
  return arena_failed(figure->arena) || arena_failed(member->arena) ? VIVA_ENOMEM : VIVA_OK;
}

static void draw_plots(viva_figure *f, bool terminal, Arena *arena, Text *out) {
  Plot plot;
  if (f->overlay.members.count) overlay_plot(&f->overlay, &plot);
  else figure_whole(&f->figure, &plot);
  Drawing d = {.arena = arena, .title = plot.title, .description = describe(&plot, arena)};
  PlotStyle style = {
      .dark = f->options.dark, .cells = terminal, .width = terminal ? 2.0 * f->options.columns : f->options.width};
  if (!plot_layout(&plot, style, &d)) return;
  if (terminal) braille_write(&d, f->options.colour, out);
  else svg_write(&d, out);
}

static void draw_ghosts(viva_figure *f, const Scene *scene, Arena *arena, Text *out) {
  Plot plot;
  Ghosts ghosts = {.scene = scene, .count = f->options.ghosts ? f->options.ghosts : 8};
  scene_ghosts(arena, &ghosts, &plot);
  Drawing d = {.arena = arena, .title = plot.title};
  if (plot_layout(&plot,
                  (PlotStyle){.dark = f->options.dark, .width = f->options.width > 0 ? f->options.width : ghosts.width},
                  &d))
    svg_write(&d, out);
}

static SceneMotion motion_of(const viva_figure *f, const Scene *scene) {
  double speed = f->options.speed > 0 ? f->options.speed : 1, fps = f->options.fps > 0 ? f->options.fps : 30;
  return scene_motion(scene, f->options.width, speed, fps, f->options.dark);
}

bool picture_is_still(viva_picture picture) {
  return picture == VIVA_PICTURE_SVG || picture == VIVA_PICTURE_PNG || picture == VIVA_PICTURE_PDF;
}

viva_status picture_bytes(viva_picture picture, const Text *svg, const char **problem, char **data, size_t *length) {
  Text bytes = text_in(svg->arena);
  *problem = NULL;
  if (picture != VIVA_PICTURE_PNG && picture != VIVA_PICTURE_PDF) return hand_over_text(svg, data, length);
  // twice the pixels: crisp on today's screens and in print
  *problem = raster_write(text_str(svg), svg->length, picture == VIVA_PICTURE_PNG ? raster_png : raster_pdf, 2, &bytes);
  return *problem ? VIVA_EFAIL : hand_over_text(&bytes, data, length);
}

viva_status picture_of_plot(const Plot *plot, Drawing *d, const viva_figure_options *options, viva_picture picture,
                            char **data, size_t *length) {
  viva_figure_options o = options ? *options : viva_figure_defaults();
  bool terminal = picture == VIVA_PICTURE_TERMINAL;
  PlotStyle style = {.dark = o.dark, .cells = terminal};
  style.width = terminal ? 2.0 * (o.columns ? o.columns : 80) : o.width;
  Text out = text_in(d->arena);
  const char *problem;
  if (arena_failed(d->arena)) return VIVA_ENOMEM;
  if (!plot->panels.count) return VIVA_EINPUT;
  if (!plot_layout(plot, style, d)) return VIVA_ENOMEM;
  if (terminal) braille_write(d, o.colour, &out);
  else svg_write(d, &out);
  return picture_bytes(picture, &out, &problem, data, length);
}

// SVG text or the end product becomes the caller's.
static viva_status hand_over(viva_figure *f, viva_picture picture, const Text *text, char **data, size_t *length) {
  const char *problem;
  if (arena_failed(f->arena)) return VIVA_ENOMEM;
  viva_status status = picture_bytes(picture, text, &problem, data, length);
  if (problem) f->message = arena_printf(f->arena, "error: %s\n", problem);
  return status;
}

static void draw_animation(viva_figure *f, viva_picture picture, const double *time, Arena *arena, Text *out) {
  const Scene *scene = &f->scene;
  SceneMotion motion = motion_of(f, scene);
  if (picture == VIVA_PICTURE_HTML) {
    scene_html(scene, &motion, f->options.speed > 0 ? f->options.speed : 1, out);
  } else if (time || picture != VIVA_PICTURE_SVG) {
    // one picture; what cannot move shows the start
    Drawing d = {.arena = arena, .title = scene->title};
    scene_frame(scene, &motion, time ? *time : 0, &d);
    svg_write(&d, out);
  } else {
    scene_svg(scene, &motion, out);
  }
}

// Can this figure be such a picture, or one picture of an animation?
static bool is_possible(const viva_figure *f, viva_picture picture, bool frame) {
  if (frame && f->options.kind != VIVA_FIGURE_ANIMATION) return false;
  if (picture == VIVA_PICTURE_TERMINAL) return f->options.kind == VIVA_FIGURE_PLOTS;
  if (picture == VIVA_PICTURE_HTML) return f->options.kind == VIVA_FIGURE_ANIMATION && !frame;
  return picture_is_still(picture);
}

// time: of one picture of an animation; NULL: the whole.
static viva_status draw(viva_figure *f, viva_picture picture, const double *time, char **data, size_t *length) {
  if (data) *data = NULL;
  if (length) *length = 0;
  if (!f || !data || !length) return VIVA_EUSAGE;
  if (!is_possible(f, picture, time != NULL)) {
    f->message = "error: there is no such picture of this kind of figure\n";
    return VIVA_EUSAGE;
  }
  bool family = f->overlay.members.count || f->scene.key.count;
  if (!family && !check(f, true)) return VIVA_EINPUT;
  Arena *arena = arena_new();
  if (!arena) return VIVA_ENOMEM;
  Text out = text_in(arena);
  bool plots = f->options.kind == VIVA_FIGURE_PLOTS;
  if (!plots && !family && f->scene.rows != figure_rows(&f->figure)) figure_scene(&f->figure, &f->scene);
  if (plots) draw_plots(f, picture == VIVA_PICTURE_TERMINAL, arena, &out);
  else if (f->options.kind == VIVA_FIGURE_GHOSTS) draw_ghosts(f, &f->scene, arena, &out);
  else draw_animation(f, picture, time, arena, &out);
  viva_status status = hand_over(f, picture, &out, data, length);
  arena_free(arena);
  return status;
}

viva_status viva_figure_draw(viva_figure *figure, viva_picture picture, char **data, size_t *length) {
  return draw(figure, picture, NULL, data, length);
}

viva_status viva_figure_frame(viva_figure *figure, double time, viva_picture picture, char **data, size_t *length) {
  return draw(figure, picture, &time, data, length);
}

// ---- kinds of pictures

bool viva_picture_find(const char *path, viva_picture *picture) {
  static const struct {
    const char *end;
    viva_picture picture;
  } kinds[] = {
      {".svg", VIVA_PICTURE_SVG}, {".png", VIVA_PICTURE_PNG}, {".pdf", VIVA_PICTURE_PDF}, {".html", VIVA_PICTURE_HTML}};
  const char *dot = path && picture ? strrchr(path, '.') : NULL;
  for (size_t i = 0; dot && i < sizeof kinds / sizeof *kinds; i++) {
    if (strcmp(kinds[i].end, dot) != 0) continue;
    *picture = kinds[i].picture;
    return true;
  }
  return false;
}

const char *viva_picture_missing(viva_picture picture) {
  if ((unsigned)picture > VIVA_PICTURE_TERMINAL) return "another kind of picture: there is none of this number";
  bool needs = picture == VIVA_PICTURE_PNG || picture == VIVA_PICTURE_PDF;
  return needs ? raster_missing() : NULL;
}

// Pictures, from the outside.
#include "api/handles.h"
#include "base/outfile.h"
#include "show/braille.h"
#include "show/raster.h"
#include "show/svg.h"
#include "system/dimension.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

viva_figure_options viva_figure_defaults(void) { return (viva_figure_options){.kind = VIVA_FIGURE_PLOTS}; }

static bool keep_message(viva_figure *f, Diags *diags) {
  Text t = text_in(f->arena);
  diag_sort(diags);
  for (uint32_t i = 0; i < diags->list.count; i++) diag_format(&f->model->model.sources, &diags->list.items[i], &t);
  f->message = t.length ? text_str(&t) : NULL;
  return diags->errors == 0;
}

static bool check(viva_figure *f, bool rows) {
  Diags diags = {.arena = f->arena, .sources = &f->model->model.sources};
  figure_check(&f->figure, rows, &diags);
  return keep_message(f, &diags);
}

bool figure_can_draw(viva_figure *figure) { return check(figure, true); }

viva_status viva_figure_new(const viva_model *model, const viva_figure_options *options, viva_figure **figure) {
  if (!model || !figure) return VIVA_EUSAGE;
  *figure = NULL;
  if (model->model.diags.errors) return VIVA_EUSAGE;
  viva_figure *f = calloc(1, sizeof *f);
  if (f) f->arena = arena_new();
  if (!f || !f->arena) {
    free(f);
    return VIVA_ENOMEM;
  }
  f->model = model;
  f->options = options ? *options : viva_figure_defaults();
  bool plots = f->options.kind == VIVA_FIGURE_PLOTS;
  if (!figure_init(&f->figure, f->arena, &model->system, plots, plots && f->options.energy, !plots)) {
    viva_figure_free(f);
    return VIVA_ENOMEM;
  }
  f->sink = figure_sink(&f->figure);
  *figure = f;
  return check(f, false) ? VIVA_OK : VIVA_EINPUT;
}

void viva_figure_free(viva_figure *figure) {
  if (!figure) return;
  arena_free(figure->arena);
  free(figure);
}

const char *viva_figure_message(const viva_figure *figure) { return figure ? figure->message : NULL; }

double viva_figure_end(const viva_figure *figure) {
  size_t rows = figure ? figure_rows(&figure->figure) : 0;
  return rows ? figure->figure.columns[0].items[rows - 1] : NAN;
}

// ---- drawing

// What the picture shows, for those who listen.
static const char *describe(const Plot *plot, Arena *arena) {
  Text t = text_in(arena);
  for (uint32_t i = 0; i < plot->panels.count; i++) {
    const PlotPanel *p = &plot->panels.items[i];
    bool many = p->curves.count && p->curves.items[0].shaded;
    if (p->y_name && !many) text_printf(&t, "%s%s for ", i ? "; " : "", p->y_name);
    for (uint32_t k = 0; k < (many ? 1 : p->curves.count); k++)
      text_printf(&t, "%s%s", k ? ", " : i && !p->y_name ? "; " : "", p->curves.items[k].name);
    if (many) text_printf(&t, " for %u members, by %s", p->curves.count, p->bar.name);
    text_printf(&t, " %s %s", p->phase ? "against" : "over", p->x_name);
  }
  return text_str(&t);
}

// The unit of something that varies: a parameter, or the start of a coordinate, a velocity or a state, "x(0)".
static const char *varied_unit(Arena *arena, const Model *m, const char *name) {
  for (uint32_t i = 0; i < m->params.count; i++) {
    const ModelParam *p = &m->params.items[i];
    if (strcmp(p->name, name) == 0) return unit_si_text(arena, &p->unit, &p->dim, 0);
  }
  const char *end = strstr(name, "(0)");
  size_t n = end ? (size_t)(end - name) : strlen(name);
  for (uint32_t i = 0; i < m->coords.count; i++) {
    const ModelCoord *c = &m->coords.items[i];
    bool rate = n == strlen(c->name) + 1 && name[n - 1] == '\'';
    if (strncmp(c->name, name, n - rate) == 0 && strlen(c->name) == n - rate)
      return unit_si_text(arena, &c->unit, &c->dim, rate);
  }
  for (uint32_t i = 0; i < m->states.count; i++) {
    const ModelState *x = &m->states.items[i];
    if (strncmp(x->name, name, n) == 0 && strlen(x->name) == n) return unit_si_text(arena, &x->unit, &x->dim, 0);
  }
  return NULL;
}

// "k = 4 N/m, c = 0.1"
static const char *member_label(Arena *arena, const Model *m) {
  Text t = text_in(arena);
  for (uint32_t i = 0; i < m->varied.count; i++) {
    const ModelVaried *v = &m->varied.items[i];
    const char *unit = varied_unit(arena, m, v->name);
    text_printf(&t, "%s%s = %.6g", i ? ", " : "", v->name, v->number);
    if (unit && *unit) text_printf(&t, " %s", unit);
  }
  return text_str(&t);
}

static const char *other_names(Arena *arena, const Model *m) {
  Text t = text_in(arena);
  for (uint32_t i = 1; i < m->varied.count; i++) text_printf(&t, "%s%s", i > 1 ? " and " : "", m->varied.items[i].name);
  return t.length ? text_str(&t) : NULL;
}

viva_status viva_figure_overlay(viva_figure *figure, viva_figure *member) {
  if (!figure || !member || figure == member) return VIVA_EUSAGE;
  if (figure->options.kind != VIVA_FIGURE_PLOTS || member->options.kind != VIVA_FIGURE_PLOTS) return VIVA_EUSAGE;
  const Model *m = &member->model->model;
  if (m->varied.count == 0) return VIVA_EUSAGE;
  Overlay *o = &figure->overlay;
  o->arena = figure->arena;
  if (o->members.count == 0) {
    o->varied = arena_printf(o->arena, "%s", m->varied.items[0].name);
    o->unit = varied_unit(o->arena, m, m->varied.items[0].name);
    o->others = other_names(o->arena, m);
  }
  Plot plot;
  figure_plot(&member->figure, &plot);
  overlay_take(o, &plot, (OverlayMember){m->varied.items[0].number, member_label(o->arena, m)});
  return arena_failed(figure->arena) || arena_failed(member->arena) ? VIVA_ENOMEM : VIVA_OK;
}

static void draw_plots(viva_figure *f, bool terminal, Arena *arena, Text *out) {
  Plot plot, one;
  figure_plot(&f->figure, &plot);
  one = plot;
  if (f->overlay.curves.count) overlay_plot(&f->overlay, &one, &plot);
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

static Motion motion_of(const viva_figure *f, const Scene *scene) {
  double speed = f->options.speed > 0 ? f->options.speed : 1, fps = f->options.fps > 0 ? f->options.fps : 30;
  return scene_motion(scene, f->options.width, speed, fps, f->options.dark);
}

viva_status picture_bytes(viva_picture picture, const Text *svg, const char **problem, char **data, size_t *length) {
  Text bytes = text_in(svg->arena);
  const Text *out = svg;
  *problem = NULL;
  if (picture == VIVA_PICTURE_PNG || picture == VIVA_PICTURE_PDF) {
    out = &bytes;
    // twice the pixels: crisp on today's screens and in print
    *problem =
        raster_write(text_str(svg), svg->length, picture == VIVA_PICTURE_PNG ? raster_png : raster_pdf, 2, &bytes);
    if (*problem) return VIVA_EFAIL;
  }
  if (arena_failed(svg->arena)) return VIVA_ENOMEM;
  *data = malloc(out->length + 1);
  if (!*data) return VIVA_ENOMEM;
  memcpy(*data, text_str(out), out->length + 1);
  *length = out->length;
  return VIVA_OK;
}

// SVG text or the end product becomes the caller's.
static viva_status hand_over(viva_figure *f, viva_picture picture, const Text *text, char **data, size_t *length) {
  const char *problem;
  if (arena_failed(f->arena)) return VIVA_ENOMEM;
  viva_status status = picture_bytes(picture, text, &problem, data, length);
  if (problem) f->message = arena_printf(f->arena, "error: %s\n", problem);
  return status;
}

static viva_status draw(viva_figure *f, viva_picture picture, bool frame, double time, char **data, size_t *length) {
  if (!f || !data || !length) return VIVA_EUSAGE;
  *data = NULL;
  *length = 0;
  bool plots = f->options.kind == VIVA_FIGURE_PLOTS, animation = f->options.kind == VIVA_FIGURE_ANIMATION;
  if ((picture == VIVA_PICTURE_TERMINAL && !plots) || (picture == VIVA_PICTURE_HTML && !animation) ||
      (frame && !animation))
    return VIVA_EUSAGE;
  if (!f->overlay.curves.count && !check(f, true)) return VIVA_EINPUT;
  Arena *arena = arena_new();
  if (!arena) return VIVA_ENOMEM;
  Text out = text_in(arena);
  if (plots) {
    draw_plots(f, picture == VIVA_PICTURE_TERMINAL, arena, &out);
  } else {
    if (f->scene.rows != figure_rows(&f->figure)) figure_scene(&f->figure, &f->scene);
    const Scene *scene = &f->scene;
    Motion motion = motion_of(f, scene);
    // a page or a moving SVG; what cannot move shows the start
    if (!animation) {
      draw_ghosts(f, scene, arena, &out);
    } else if (picture == VIVA_PICTURE_HTML) {
      scene_html(scene, &motion, f->options.speed > 0 ? f->options.speed : 1, &out);
    } else if (frame || picture != VIVA_PICTURE_SVG) {
      Drawing d = {.arena = arena, .title = scene->title};
      scene_frame(scene, &motion, frame ? time : 0, &d);
      svg_write(&d, &out);
    } else {
      scene_svg(scene, &motion, &out);
    }
  }
  viva_status status = hand_over(f, picture, &out, data, length);
  arena_free(arena);
  return status;
}

viva_status viva_figure_draw(viva_figure *figure, viva_picture picture, char **data, size_t *length) {
  return draw(figure, picture, false, 0, data, length);
}

viva_status viva_figure_frame(viva_figure *figure, double time, viva_picture picture, char **data, size_t *length) {
  return draw(figure, picture, true, time, data, length);
}

// ---- files

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
  bool needs = picture == VIVA_PICTURE_PNG || picture == VIVA_PICTURE_PDF;
  return needs && !raster_built() ? "librsvg, which was not there when viva was built: install librsvg2-dev and "
                                    "libcairo2-dev and build again"
                                  : NULL;
}

struct viva_file {
  OutFile *out;
};

viva_status viva_file_open(const char *path, viva_file **file, int *system_error) {
  if (!path || !file) return VIVA_EUSAGE;
  int error = 0;
  *file = calloc(1, sizeof **file);
  if (!*file) return VIVA_ENOMEM;
  (*file)->out = outfile_open(path, &error);
  if (system_error) *system_error = error;
  if ((*file)->out) return VIVA_OK;
  free(*file);
  *file = NULL;
  return VIVA_EIO;
}

viva_status viva_file_finish(viva_file *file, const char *data, size_t length, int *system_error) {
  if (!file || !data) return VIVA_EUSAGE;
  outfile_write(file->out, data, length);
  int error = outfile_finish(file->out);
  if (system_error) *system_error = error;
  return error ? VIVA_EIO : VIVA_OK;
}

viva_status viva_file_save(viva_file *file, const char *data, size_t length, int *system_error) {
  viva_status status = viva_file_finish(file, data, length, system_error);
  if (status != VIVA_EUSAGE) viva_file_discard(file);
  return status;
}

void viva_file_abandon(viva_file *file) {
  if (file) outfile_abandon(file->out);
}

void viva_file_discard(viva_file *file) {
  if (!file) return;
  outfile_discard(file->out);
  free(file);
}

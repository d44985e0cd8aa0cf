// Pictures of static equilibria, from the outside.
//
// in    equilibria with their configurations, or a structure with its forces
// out   of a structure the drawing with its forces in colour; of others the shapes of their `draw` lines, of several
//       equilibria one pose for each
#include "api/equilibrium_parts.h"

#include "show/svg.h"

#include <string.h>

// One row an equilibrium: the values of all points of all shapes.
bool equilibrium_keep_shapes(viva_equilibrium *e) {
  Operating *o = &e->operating;
  Figure *f = &e->figure;
  OperatingTape t;
  if (!o->s.shapes.count) return true;
  if (!figure_init(f, e->arena, &o->s, false, false, true)) return false;
  double *row = arena_array(e->arena, (size_t)f->column_count + 1, sizeof *row);
  double *rates = arena_array(e->arena, (size_t)o->dim + 1, sizeof *rates);
  if (!row || !rates || !operating_tape(o, f->watch.items, f->watch.count, false, &t)) return false;
  Sink sink = figure_sink(f);
  for (uint32_t k = 0; k < e->found.points.count; k++) {
    const EquilibriumPoint *p = &e->found.points.items[k];
    if (!operating_rates(o, p->y, rates, NULL)) return false; // settles implicit equations and branches
    operating_eval(o, &t, p->y);
    row[0] = k;
    for (uint32_t i = 0; i < f->watch.count; i++) row[1 + i] = tape_result(t.tape, t.w, i);
    if (!sink.row(sink.self, row, f->column_count)) return false;
  }
  return true;
}

static bool draw_shapes(const viva_equilibrium *e, const viva_figure_options *o, Drawing *d) {
  Figure f = e->figure;
  Scene scene;
  f.arena = d->arena;
  memcpy(f.camera, o->camera, sizeof f.camera);
  figure_scene(&f, &scene);
  d->title = scene.title;
  if (scene.rows == 1) {
    SceneMotion motion = scene_motion(&scene, o->width, 1, 30, o->dark);
    scene_frame(&scene, &motion, 0, d);
    return !arena_failed(d->arena);
  }
  Plot plot;
  Ghosts ghosts = {.scene = &scene, .count = (uint32_t)scene.rows, .untimed = true};
  scene_ghosts(d->arena, &ghosts, &plot);
  return plot_layout(&plot, (PlotStyle){.dark = o->dark, .width = o->width > 0 ? o->width : ghosts.width}, d);
}

static bool draw_structure(const viva_equilibrium *e, const viva_figure_options *o, Drawing *d) {
  d->title = e->structure->system->title;
  return structure_drawing(e->structure, o->dark, o->width, o->camera, d);
}

viva_status viva_equilibrium_draw(const viva_equilibrium *e, const viva_figure_options *options, viva_picture picture,
                                  char **data, size_t *length) {
  if (data) *data = NULL;
  if (length) *length = 0;
  if (!e || !data || !length || !picture_is_still(picture)) return VIVA_EUSAGE;
  bool structure = e->structure != NULL;
  if (!e->done || (!structure && !(e->figure.scene && figure_rows(&e->figure)))) return VIVA_EINPUT;
  Arena *arena = arena_new();
  if (!arena) return VIVA_ENOMEM;
  viva_figure_options o = options ? *options : viva_figure_defaults();
  Text out = text_in(arena);
  Drawing d = {.arena = arena, .description = structure ? "a structure at rest" : "the model at rest"};
  const char *problem;
  bool drawn = structure ? draw_structure(e, &o, &d) : draw_shapes(e, &o, &d);
  viva_status status = drawn && !arena_failed(arena) ? VIVA_OK : VIVA_ENOMEM;
  if (status == VIVA_OK) svg_write(&d, &out);
  if (status == VIVA_OK) status = picture_bytes(picture, &out, &problem, data, length);
  arena_free(arena);
  return status;
}

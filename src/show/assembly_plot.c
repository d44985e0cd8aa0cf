// The assembly modes of a mechanism side by side. See assembly_plot.h.
#include "show/assembly_plot.h"

#include <math.h>

enum { most_modes = 12 };

bool assembly_plot(Arena *arena, const Scene *scene, Plot *plot, double *width) {
  uint32_t count = scene->rows < most_modes ? (uint32_t)scene->rows : most_modes;
  Ghosts *all = arena_array(arena, (size_t)count + 1, sizeof *all);
  *plot = (Plot){.title = scene->title, .columns = count < 2 ? 1 : count < 5 ? 2 : 3};
  if (!all) return false;
  for (uint32_t i = 0; i < count; i++) {
    Plot one;
    all[i] = (Ghosts){.scene = scene, .count = 1, .untimed = true, .only = i + 1};
    scene_ghosts(arena, &all[i], &one);
    if (!one.panels.count) return false;
    PlotPanel p = one.panels.items[0];
    double shape = (p.y.hi - p.y.lo) / (p.x.hi - p.x.lo);
    bool last = i + 1 == count && count < scene->rows;
    p.caption = arena_printf(arena, last ? "mode %u (of %zu)" : "mode %u", i + 1, scene->rows);
    p.height = fmin(fmax((plot->columns == 1 ? 500 : 280) * shape, 90), 420);
    if (!p.caption || !vec_push(arena, &plot->panels, p)) return false;
    *width = plot->columns == 1 ? all[0].width : plot->columns * fmin(fmax(p.height / shape + 90, 200), 370);
  }
  return !arena_failed(arena);
}

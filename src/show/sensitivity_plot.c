// Sensitivities as a picture. See sensitivity_plot.h.
#include "show/sensitivity_plot.h"

static const double *column(Arena *arena, const SensitivityResult *r, uint32_t output, uint32_t unknown, double by) {
  double *out = arena_array(arena, (size_t)r->rows + 1, sizeof *out);
  size_t wide = (size_t)r->output_count * r->unknown_count, at = (size_t)output * r->unknown_count + unknown;
  for (uint32_t i = 0; out && i < r->rows; i++) out[i] = by * r->table[i * wide + at];
  return out;
}

void show_sensitivity_plot(Arena *arena, const SensitivityResult *r, const char *title, Plot *plot) {
  *plot = (Plot){.title = title};
  for (uint32_t i = 0; i < r->output_count; i++) {
    PlotPanel *p = plot_panel(arena, plot, "t", "s");
    if (!p) return;
    p->y_name = arena_printf(arena, "change of %s", r->outputs[i]);
    for (uint32_t j = 0; j < r->unknown_count; j++) {
      const char *name = r->unknowns[j], *own = r->values[j] != 0 ? name : NULL;
      PlotCurve c = {.name =
                         arena_printf(arena, "%s%sd(%s)/d(%s)", own ? own : "", own ? " " : "", r->outputs[i], name),
                     .x = r->times,
                     .y = column(arena, r, i, j, own ? r->values[j] : 1),
                     .count = r->rows};
      if (c.name && c.y) vec_push(arena, &p->curves, c);
    }
  }
}

// Which pictures a sweep has, and in which order.
#include "show/sweep_plot.h"

#include "show/sweep_panels.h"

// What suits what was varied: a curve over one grid, colours over two, the distribution of draws.
unsigned sweep_plot_choice(const SweepView *v) {
  unsigned parts = v->fan ? sweep_plot_fan : 0;
  if (v->indices) return parts | sweep_plot_indices | sweep_plot_histograms;
  if (v->grids == 1) return parts | sweep_plot_curves;
  if (v->grids > 1) return parts | sweep_plot_heat;
  return parts | sweep_plot_histograms | sweep_plot_scatter;
}

// "A mass on a spring: 1000 samples, 3 failed, 229 pass"
static const char *title_of(const SweepPainter *w, unsigned parts) {
  const SweepView *v = w->v;
  Text t = text_in(w->arena);
  if (v->title) text_printf(&t, "%s: ", v->title);
  text_printf(&t, "%llu sample%s", (unsigned long long)v->seen, v->seen == 1 ? "" : "s");
  if (v->failed) text_printf(&t, ", %llu failed", (unsigned long long)v->failed);
  if (v->wheres) text_printf(&t, ", %llu pass%s", (unsigned long long)v->passed, v->passed == 1 ? "es" : "");
  if (v->stride > 1) text_printf(&t, " (one in %llu is shown)", (unsigned long long)v->stride);
  if ((parts & sweep_plot_parallel) && v->rows > sweep_most_lines) text_printf(&t, "; %d as lines", sweep_most_lines);
  return text_str(&t);
}

void show_sweep_plot(Arena *arena, const SweepView *v, unsigned parts, Plot *plot) {
  SweepPainter painter = {arena, v, plot}, *w = &painter;
  if (!parts) parts = sweep_plot_choice(v);
  *plot = (Plot){.title = title_of(w, parts)};
  if (!v->rows) return;
  for (uint32_t i = 0; (parts & sweep_plot_fan) && v->fan && i < v->fan->column_count; i++) sweep_fan_panel(w, i);
  for (uint32_t i = 0; i < v->measures; i++) {
    if ((parts & sweep_plot_curves) && v->grids) sweep_curve_panel(w, i);
  }
  for (uint32_t i = 0; i < v->measures; i++) {
    if ((parts & sweep_plot_heat) && v->grids > 1) sweep_heat_panel(w, i);
  }
  bool over = v->grids && (parts & (sweep_plot_curves | sweep_plot_heat));
  if (over && v->wheres && v->rows > 1) sweep_share_panel(w);
  for (uint32_t i = 0; (parts & sweep_plot_indices) && v->indices && i < v->measures; i++) sweep_index_panel(w, i);
  for (uint32_t i = 0; (parts & sweep_plot_histograms) && i < v->measures; i++) sweep_histogram_panel(w, i);
  if (parts & sweep_plot_scatter) sweep_matrix_panel(w);
  if (parts & sweep_plot_parallel) sweep_parallel_panel(w);
}

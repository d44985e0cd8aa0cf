// The sweep of a page: what failed first, then statistics, indices and pictures.
#include "api/report_html.h"
#include "api/report_parts.h"
#include "api/sweep_parts.h"
#include "show/svg.h"
#include "show/sweep_plot.h"

#include <math.h>
#include <string.h>

static void put_count(Text *out, uint64_t n) { text_printf(out, "%llu", (unsigned long long)n); }

static void put_list(Text *out, const uint64_t *list, uint64_t count) {
  for (uint64_t i = 0; i < count && i < tally_listed; i++) {
    text_put(out, i ? ", " : count == 1 ? "Sample " : "Samples ");
    put_count(out, list[i]);
  }
  text_put(out, count > tally_listed ? ", … " : ". ");
}

// Failures stand at the top.
static void put_failures(Text *out, const SweepSummary *s) {
  const Tally *t = s->tally;
  if (!t->failed) return;
  text_put(out, "<div class=\"failed\"><p><strong>");
  put_count(out, t->failed);
  text_put(out, " of ");
  put_count(out, s->rows);
  text_put(out, " samples failed.</strong> ");
  put_list(out, t->failures, t->failed);
  text_put(out, "They are in no statistics.</p>\n");
  if (s->failure) {
    text_put(out, "<pre class=\"trouble\" role=\"note\">");
    svg_escape(out, s->failure);
    text_put(out, "</pre>\n");
  }
  text_put(out, "</div>\n");
}

static void put_words(Text *out, const viva_model *model, const SweepSummary *s) {
  Text words = text_in(out->arena);
  show_sweep_design(s, &words);
  text_put(out, "<p>Samples: ");
  svg_escape(out, text_str(&words));
  text_put(out, ". ");
  if (s->rows < s->count) text_put(out, "Only "), put_count(out, s->rows), text_put(out, " of them were run. ");
  if (s->tally->wheres) {
    put_count(out, s->tally->passed);
    double part = s->tally->done ? 100 * (double)s->tally->passed / (double)s->tally->done : 0;
    text_printf(out, " of them %s (%.4g %%): ", s->tally->passed == 1 ? "passes" : "pass", part);
    for (uint32_t i = s->measure_count - s->tally->wheres; i < s->measure_count; i++) {
      text_put(out, "<code>");
      svg_escape(out, s->measures[i]);
      text_put(out, i + 1 < s->measure_count ? "</code> and " : "</code>. ");
    }
  }
  for (uint32_t i = 0; i < s->measure_count; i++) {
    uint64_t without = s->tally->done - s->tally->failed - s->statistics[i].count;
    if (!without) continue;
    text_put(out, "<code>");
    svg_escape(out, s->measures[i]);
    text_put(out, "</code> has no value in ");
    put_count(out, without);
    text_put(out, " of them. ");
  }
  report_whose_values(model, out);
  text_put(out, "</p>\n");
}

static void put_statistics(Text *out, const viva_sweep *x) {
  static const char *const heads[] = {"measure", "unit", "values", "mean", "sd",
                                      "least",   "5 %",  "50 %",   "95 %", "largest"};
  const SweepSummary *s = &x->shown;
  if (!s->measure_count) return;
  html_table_open(out, "Measures");
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) html_head(out, heads[i]);
  text_put(out, "</tr></thead><tbody>\n");
  for (uint32_t i = 0; i < s->measure_count; i++) {
    const TallyStatistics *t = &s->statistics[i];
    const char *unit = x->view ? x->view->columns[x->view->grids + x->view->draws + i].unit : NULL;
    const double cells[] = {(double)t->count, t->mean, t->sd, t->min, t->low, t->median, t->high, t->max};
    html_row(out, s->measures[i]);
    text_put(out, "<td>");
    svg_escape(out, unit ? unit : "");
    text_put(out, "</td>");
    for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) html_cell(out, cells[k]);
    text_put(out, "</tr>\n");
  }
  html_table_close(out);
}

static void put_indices(Text *out, const SweepSummary *s) {
  static const char *const heads[] = {"measure", "quantity",    "alone",     "95 % from",
                                      "to",      "with others", "95 % from", "to"};
  if (!s->indices) return;
  html_table_open(out, "Sobol&#39;s indices");
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) html_head(out, heads[i]);
  text_put(out, "</tr></thead><tbody>\n");
  for (uint32_t m = 0; m < s->measure_count; m++) {
    for (uint32_t k = 0; k < s->indices_of; k++) {
      const SobolIndex *x = &s->indices[m * s->indices_of + k];
      const double cells[] = {x->first, x->first_low, x->first_high, x->total, x->total_low, x->total_high};
      html_row(out, s->measures[m]);
      text_put(out, "<td>");
      svg_escape(out, s->names[s->design->grid_count + k]);
      text_put(out, "</td>");
      for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) html_cell(out, cells[i]);
      text_put(out, "</tr>\n");
    }
  }
  html_table_close(out);
}

static viva_status put_pictures(Text *out, const viva_sweep *x) {
  static const struct {
    unsigned part;
    const char *id, *label;
  } pictures[] = {{VIVA_SWEEP_FAN, "sweep-fan", "Quantiles of the trajectories over time"},
                  {VIVA_SWEEP_CURVES, "sweep-curves", "Measures over what was varied"},
                  {VIVA_SWEEP_HEAT, "sweep-heat", "Measures as colours over what was varied"},
                  {VIVA_SWEEP_INDICES, "sweep-indices", "Indices with their intervals"},
                  {VIVA_SWEEP_HISTOGRAMS, "sweep-histograms", "Histograms of the measures"},
                  {VIVA_SWEEP_SCATTER, "sweep-scatter", "Every column against every other one"},
                  {VIVA_SWEEP_PARALLEL, "sweep-parallel", "Parallel coordinates"}};
  if (!x->view || !x->view->rows) return VIVA_OK;
  unsigned parts = sweep_plot_choice(x->view);
  if (x->view->grids + x->view->draws > 2) parts |= VIVA_SWEEP_PARALLEL;
  for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
    Text svg = text_in(out->arena);
    if (!(parts & pictures[i].part)) continue;
    if (sweep_svg(x, pictures[i].part, pictures[i].id, &svg) == VIVA_ENOMEM) return VIVA_ENOMEM;
    if (!svg.length) continue;
    text_printf(out, "<figure id=\"%s\" aria-label=\"%s\"><div class=\"still\">\n", pictures[i].id, pictures[i].label);
    text_putn(out, text_str(&svg), svg.length);
    text_put(out, "</div></figure>\n");
  }
  return VIVA_OK;
}

viva_status report_sweep(const viva_model *model, const viva_sweep *x, Text *out, const char **message) {
  const SweepSummary *s = &x->shown;
  const char *line = sweep_model_line(out->arena, model);
  if (!s->statistics) return VIVA_EUSAGE;
  if (!line) return VIVA_ENOMEM;
  if (x->head[1] && strcmp(x->head[1], line) != 0) {
    *message = arena_printf(out->arena, "error: \"%s\" is of another model, or of other values of its parameters\n",
                            x->o.path ? x->o.path : "the sweep");
    return VIVA_EINPUT;
  }
  put_failures(out, s);
  put_words(out, model, s);
  put_statistics(out, x);
  put_indices(out, s);
  viva_status status = put_pictures(out, x);
  return arena_failed(out->arena) ? VIVA_ENOMEM : status;
}

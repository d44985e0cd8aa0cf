// The path of a page: of a model with one input and one output its margins, figures, Bode diagram and step response.
#include "api/analyze.h"
#include "api/report_html.h"
#include "api/report_parts.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static void figure_row(Text *out, const char *name, double value, const char *unit) {
  if (!isfinite(value)) return;
  html_row(out, name);
  html_cell(out, value);
  text_printf(out, "<td>%s</td></tr>\n", unit);
}

static void figures_table(Text *out, const Analysis *a) {
  html_table_open(out, "Figures of the path");
  html_head(out, "figure");
  html_head(out, "value");
  html_head(out, "unit");
  text_put(out, "</tr></thead><tbody>\n");
  figure_row(out, "static gain", a->still, "");
  figure_row(out, "bandwidth", a->bandwidth, "rad/s");
  figure_row(out, "rise, 10 to 90 %", a->figures.rise, "s");
  figure_row(out, "settling within 2 %", a->figures.settling, "s");
  figure_row(out, "overshoot", 100 * a->figures.overshoot, "%");
  for (uint32_t i = 0; a->posed && i < a->margins.gain.count && i < 3; i++)
    figure_row(out, "gain margin, y fed back", a->margins.gain.items[i].value, "times");
  for (uint32_t i = 0; a->posed && i < a->margins.phase.count && i < 3; i++)
    figure_row(out, "phase margin, y fed back", a->margins.phase.items[i].value * 180 / pi, "deg");
  html_table_close(out);
}

static viva_status figure(Text *out, const viva_analysis *a, viva_curve curve, const char *id, const char *label) {
  Text svg = text_in(out->arena);
  viva_figure_options o = viva_figure_defaults();
  viva_status status = analysis_svg(a, curve, &o, false, id, &svg);
  if (status == VIVA_OK) {
    text_printf(out, "<figure id=\"%s\" aria-label=\"%s\"><div class=\"still\">\n", id, label);
    text_putn(out, text_str(&svg), svg.length);
    text_put(out, "</div></figure>\n");
  }
  return status == VIVA_ENOMEM ? status : VIVA_OK;
}

viva_status report_path(const viva_model *model, const viva_report_options *options, Text *out) {
  const System *s = &model->system;
  if (s->inputs.count != 1 || s->outputs.count != 1 || system_dim(s) == 0 || system_dim(s) > 120) return VIVA_OK;
  viva_analyze_options o = viva_analyze_defaults();
  o.self = options->run.self;
  o.interrupted = options->run.interrupted;
  viva_analysis *a = NULL;
  viva_status status = viva_analyze(model, &o, &a);
  const Analysis *x = analysis_get(a);
  if (status == VIVA_OK && x && !x->sparse) {
    text_put(out, "<p>From ");
    html_sentence(out,
                  arena_printf(out->arena, "%s to %s, about the equilibrium nearest to the start", x->from, x->to));
    text_put(out, "</p>\n");
    figures_table(out, x);
    status = figure(out, a, VIVA_CURVE_BODE, "bode", "Bode diagram");
    if (status == VIVA_OK) status = figure(out, a, VIVA_CURVE_STEP, "step", "Step response");
  }
  viva_analysis_free(a);
  return status == VIVA_ENOMEM || status == VIVA_EINTERRUPTED ? status : VIVA_OK;
}

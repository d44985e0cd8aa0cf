// The path or loop of a page: its margins, figures, Bode diagram and step response; where it was asked for also
// Nyquist's curve and the root locus.
#include "api/analyze.h"
#include "api/report_html.h"
#include "api/report_parts.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static void figure_row(Text *out, const char *name, double value, const char *unit) {
  if (!isfinite(value)) return;
  html_row(out, name);
  html_cell(out, value);
  text_printf(out, "<td>%s</td></tr>\n", unit);
}

static void figures_table(Text *out, const Analysis *a) {
  html_table_open(out, a->loop ? "Figures of the loop" : "Figures of the path");
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
    figure_row(out, a->loop ? "gain margin" : "gain margin, y fed back", a->margins.gain.items[i].value, "times");
  for (uint32_t i = 0; a->posed && i < a->margins.phase.count && i < 3; i++)
    figure_row(out, a->loop ? "phase margin" : "phase margin, y fed back", a->margins.phase.items[i].value * 180 / pi,
               "deg");
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

static viva_status figures(Text *out, const viva_analysis *a, const viva_report_options *o, bool asked) {
  viva_status status = figure(out, a, VIVA_CURVE_BODE, "bode", "Bode diagram");
  if (status == VIVA_OK && asked) status = figure(out, a, VIVA_CURVE_NYQUIST, "nyquist", "Nyquist's curve");
  if (status == VIVA_OK) status = figure(out, a, VIVA_CURVE_STEP, "step", "Step response");
  if (status == VIVA_OK && o->over) status = figure(out, a, VIVA_CURVE_LOCUS, "locus", "Root locus");
  return status;
}

static void headline(Text *out, const Analysis *x) {
  const char *words =
      x->loop ? arena_printf(out->arena, "The loop cut at %s, about the equilibrium nearest to the start", x->from)
              : arena_printf(out->arena, "From %s to %s, about the equilibrium nearest to the start", x->from, x->to);
  text_put(out, "<p>");
  html_sentence(out, words);
  text_put(out, "</p>\n");
}

viva_status report_path(const viva_model *model, const viva_report_options *options, Text *out, const char **message) {
  const System *s = &model->system;
  bool asked = options->path || options->open || options->over;
  if (!asked && (s->inputs.count != 1 || s->outputs.count != 1 || system_dim(s) == 0 || system_dim(s) > 120))
    return VIVA_OK;
  viva_analyze_options o = viva_analyze_defaults();
  o.path = options->path;
  o.open = options->open;
  o.over = options->over;
  o.self = options->run.self;
  o.interrupted = options->run.interrupted;
  viva_analysis *a = NULL;
  viva_status status = viva_analyze(model, &o, &a);
  const Analysis *x = analysis_get(a);
  if (status == VIVA_OK && x && !x->sparse) {
    headline(out, x);
    figures_table(out, x);
    status = figures(out, a, options, asked);
  } else if (asked && status != VIVA_ENOMEM) {
    const char *words = viva_analysis_message(a) ? viva_analysis_message(a) : viva_status_text(status);
    *message = arena_strndup(out->arena, words, strlen(words));
  }
  viva_analysis_free(a);
  bool told = status == VIVA_ENOMEM || status == VIVA_EINTERRUPTED || asked;
  return told ? status : VIVA_OK;
}

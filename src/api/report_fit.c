// The fit of a page: estimates with their intervals, data under the fitted curve, residuals, profiles, correlations.
#include "api/fit_parts.h"
#include "api/handles.h"
#include "api/report_html.h"
#include "api/report_parts.h"
#include "show/svg.h"

#include <math.h>
#include <string.h>

static bool has_data(const System *s) {
  for (uint32_t i = 0; i < s->fits.count; i++) {
    if (s->fits.items[i].path) return true;
  }
  return false;
}

static void end_cells(Text *out, double value, double error, double low, double high, const char *note) {
  const double cells[] = {value, error, low, high};
  for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) html_cell(out, isfinite(cells[i]) ? cells[i] : NAN);
  text_printf(out, "<td>%s</td></tr>\n", note);
}

static const char *note_of(const FitEstimate *e) {
  if (!e->found) return "the data does not tell it";
  if (e->at_bound) return "on the end of its range";
  return e->open_low || e->open_high ? "the interval ends with the range" : "";
}

static void estimates_table(Text *out, const FitResult *r) {
  static const char *const heads[] = {"unknown", "value in SI", "std. error", "95 % from", "to", ""};
  html_table_open(out, "Estimates");
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) html_head(out, heads[i]);
  text_put(out, "</tr></thead><tbody>\n");
  for (uint32_t i = 0; i < r->f->k; i++) {
    const FitEstimate *e = &r->estimates[i];
    html_row(out, r->f->unknowns[i].shown);
    end_cells(out, e->value, e->stderr_, e->low, e->high, note_of(e));
  }
  for (uint32_t i = 0; i < r->lumped_count; i++) {
    const FitCombination *c = &r->lumped[i];
    html_row(out, c->text);
    end_cells(out, c->value, c->stderr_, c->low, c->high, "");
  }
  html_table_close(out);
}

static void columns_table(Text *out, const FitResult *r) {
  static const char *const heads[] = {"measured", "points", "R²", "rms", "noise", "", "white, p", "normal, p"};
  const FitProblem *f = r->f;
  uint32_t at = 0;
  html_table_open(out, "Residuals");
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) html_head(out, heads[i]);
  text_put(out, "</tr></thead><tbody>\n");
  for (uint32_t e = 0; e < f->count; e++) {
    const char *in_case = f->experiments[e].of->fit->in_case;
    for (uint32_t c = 0; c < f->experiments[e].width; c++, at++) {
      const FitColumn *column = &f->experiments[e].columns[c];
      html_row(out, in_case ? arena_printf(out->arena, "%s, case %s", column->name, in_case) : column->name);
      html_cell(out, column->points);
      html_cell(out, r->columns[at].r2);
      html_cell(out, r->columns[at].rms);
      html_cell(out, r->sigma * column->sd);
      text_printf(out, "<td>%s</td>", isnan(column->given) ? "" : "given");
      html_cell(out, r->columns[at].tests.p_white);
      html_cell(out, r->columns[at].tests.p_normal);
      text_put(out, "</tr>\n");
    }
  }
  html_table_close(out);
}

static void notes(Text *out, const FitResult *r) {
  const Separable *proved = &r->before.structure;
  if (!proved->groups.count && !r->remark_count && !r->by_differences) return;
  text_put(out, "<ul class=\"notes\">\n");
  for (uint32_t i = 0; i < proved->groups.count; i++) {
    text_put(out, "<li>");
    html_sentence(out, show_fit_group(out->arena, r, &proved->groups.items[i]));
    text_put(out, "</li>\n");
  }
  for (uint32_t i = 0; i < r->remark_count; i++) {
    text_put(out, "<li>");
    html_sentence(out, r->remarks[i]);
    text_put(out, "</li>\n");
  }
  if (r->by_differences) {
    text_put(out, "<li>");
    html_sentence(out, arena_printf(out->arena, "derivatives are differences of runs, because %s", r->by_differences));
    text_put(out, "</li>\n");
  }
  text_put(out, "</ul>\n");
}

static viva_status figure(Text *out, const viva_fit *fit, unsigned part, const char *id, const char *label) {
  Text svg = text_in(out->arena);
  viva_status status = fit_svg(fit, part, id, &svg);
  if (status == VIVA_OK && svg.length) {
    text_printf(out, "<figure id=\"%s\" aria-label=\"%s\"><div class=\"still\">\n", id, label);
    text_putn(out, text_str(&svg), svg.length);
    text_put(out, "</div></figure>\n");
  }
  return status == VIVA_ENOMEM ? status : VIVA_OK;
}

static viva_status write_fit(Text *out, const viva_model *model, const viva_fit *fit) {
  static const struct {
    unsigned part;
    const char *id, *label;
  } pictures[] = {{VIVA_FIT_CURVES, "fit-curves", "Data under the fitted curve"},
                  {VIVA_FIT_RESIDUALS, "fit-residuals", "Residuals"},
                  {VIVA_FIT_PROFILES, "fit-profiles", "Profiles of the unknowns"},
                  {VIVA_FIT_CORRELATION, "fit-correlation", "Correlations of the unknowns"}};
  const FitResult *r = &fit->result;
  text_printf(out, "<p>%zu points, %u unknown%s, by %s, %llu simulations; ", r->f->points, r->f->k,
              r->f->k == 1 ? "" : "s", r->method, (unsigned long long)r->f->motions);
  if (r->f->total > 0) text_printf(out, "R² = %.6f. ", r->r2);
  report_whose_values(model, out);
  text_put(out, "</p>\n");
  estimates_table(out, r);
  notes(out, r);
  columns_table(out, r);
  viva_status status = VIVA_OK;
  for (size_t i = 0; i < sizeof pictures / sizeof *pictures && status == VIVA_OK; i++)
    status = figure(out, fit, pictures[i].part, pictures[i].id, pictures[i].label);
  return status;
}

viva_status report_fit(const viva_model *model, const viva_report_options *options, Text *out, const char **message) {
  *message = NULL;
  if (!has_data(&model->system)) return VIVA_OK;
  viva_fit_options o = viva_fit_defaults();
  o.pictures = true;
  o.run.self = options->run.self;
  o.run.interrupted = options->run.interrupted;
  viva_fit *fit = NULL;
  viva_status status = viva_fit_model(model, &o, &fit);
  const char *said = viva_fit_message(fit);
  if (said) *message = arena_strndup(out->arena, said, strlen(said));
  if (status == VIVA_OK) status = write_fit(out, model, fit);
  else if (status != VIVA_ENOMEM) {
    text_put(out, "<p>The unknowns were not found.</p>\n");
    if (*message) {
      text_put(out, "<pre>");
      svg_escape(out, *message);
      text_put(out, "</pre>\n");
    }
  }
  viva_fit_free(fit);
  return status == VIVA_EINPUT ? VIVA_EFAIL : status;
}

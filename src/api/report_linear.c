// The linear model of a page: its operating point, eigenvalues, poles and modes.
#include "api/handles.h"
#include "api/report_html.h"
#include "api/report_parts.h"
#include "show/linear.h"
#include "show/svg.h"

#include <math.h>

enum {
  most_variables = 120,
  most_written = 10
}; // positions, velocities and states of the section; rows and columns of matrices that are written out

static void point_table(Text *out, const viva_linearization *l) {
  html_table_open(out, "The point");
  html_head(out, "name");
  html_head(out, "value in SI");
  text_put(out, "</tr></thead><tbody>\n");
  for (size_t i = 0; i < viva_linearization_states(l); i++) {
    html_row(out, viva_linearization_state_name(l, i));
    html_cell(out, viva_linearization_state(l, i));
    text_put(out, "</tr>\n");
  }
  for (size_t i = 0; i < viva_linearization_inputs(l); i++) {
    html_row(out, viva_linearization_input_name(l, i));
    html_cell(out, viva_linearization_input(l, i));
    text_put(out, "</tr>\n");
  }
  html_table_close(out);
}

// One row a mode, with the number that its picture has: an eigenvalue, or a pair with its frequency and damping.
static void pole_table(Text *out, const Linearization *l) {
  static const char *const heads[] = {
      "mode", "real part [1/s]", "imaginary part [rad/s]", "frequency [rad/s]", "damping ratio", "time constant [s]"};
  html_table_open(out, "Eigenvalues");
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) html_head(out, heads[i]);
  text_put(out, "</tr></thead><tbody>\n");
  for (uint32_t i = 0; i < l->modes.count; i++) {
    const EigenMode *m = &l->modes.modes[i];
    text_printf(out, "<tr><th scope=\"row\">%u</th>", i + 1);
    html_cell(out, m->re);
    text_put(out, "<td class=\"n\">");
    if (m->pair) text_put(out, "±");
    html_number(out, m->pair ? m->im : NAN);
    text_put(out, "</td>");
    html_cell(out, m->pair ? m->frequency : NAN);
    html_cell(out, m->pair ? m->damping : NAN);
    text_put(out, "<td class=\"n\">");
    html_number(out, m->side == side_left || m->side == side_right ? 1 / fabs(m->re) : NAN);
    text_printf(out, "%s</td></tr>\n", m->side == side_right ? ", growing" : "");
  }
  html_table_close(out);
}

static void matrix_table(Text *out, const viva_linearization *l, char matrix, const char *caption, size_t columns) {
  size_t rows = viva_linearization_states(l);
  if (!columns || rows > most_written || columns > most_written) return;
  html_table_open(out, caption);
  html_head(out, "");
  for (size_t k = 0; k < columns; k++)
    html_head(out, matrix == 'A' ? viva_linearization_state_name(l, k) : viva_linearization_input_name(l, k));
  text_put(out, "</tr></thead><tbody>\n");
  for (size_t i = 0; i < rows; i++) {
    html_row(out, viva_linearization_state_name(l, i));
    for (size_t k = 0; k < columns; k++) html_cell(out, viva_linearization_entry(l, matrix, i, k));
    text_put(out, "</tr>\n");
  }
  html_table_close(out);
}

static viva_status figure(Text *out, const viva_linearization *l, viva_linear_figure kind, const char *id,
                          const char *label) {
  Text svg = text_in(out->arena);
  viva_status status = linearization_svg(l, kind, id, &svg);
  if (status == VIVA_OK) {
    text_printf(out, "<figure id=\"%s\" aria-label=\"%s\"><div class=\"still\">\n", id, label);
    text_putn(out, text_str(&svg), svg.length);
    text_put(out, "</div></figure>\n");
  }
  return status == VIVA_ENOMEM ? status : VIVA_OK;
}

static void verdict(Text *out, const Linearization *l) {
  const char *second, *first = linear_verdict(out->arena, l, &second);
  if (l->kind == point_steady) text_put(out, "<p>At the steady motion nearest to the start. ");
  else
    text_put(out, l->equilibrium ? "<p>At the equilibrium nearest to the start. "
                                 : "<p>At the start, which is no equilibrium. ");
  static const char *const words[] = {"not decided whether it is stable", "asymptotically stable", "marginal",
                                      "unstable"};
  if (l->poles) {
    html_sentence(out, arena_printf(out->arena, "%s, with its dead times and samples", words[l->poles->stability]));
    text_put(out, "</p>\n");
    return;
  }
  if (l->modes.why) {
    text_printf(out, "There are no eigenvalues: %s.</p>\n", l->modes.why);
    return;
  }
  html_sentence(out, first);
  if (second) text_putc(out, ' ');
  html_sentence(out, second);
  text_put(out, "</p>\n");
}

// What is held, what was left out, terms without a derivative.
static void remarks(Text *out, const Linearization *l) {
  if (!l->notes.count && !l->kinks.count) return;
  text_put(out, "<ul class=\"notes\">\n");
  for (uint32_t i = 0; i < l->notes.count; i++) {
    text_put(out, "<li>");
    html_sentence(out, l->notes.items[i]);
    text_put(out, "</li>\n");
  }
  for (uint32_t i = 0; i < l->kinks.count; i++) {
    const Kink *k = &l->kinks.items[i];
    text_put(out, "<li>");
    html_sentence(out, arena_printf(out->arena, "`%s`, in %s, %s", k->text, k->label, k->what));
    text_put(out, "</li>\n");
  }
  text_put(out, "</ul>\n");
}

static viva_status section(Text *out, const viva_linearization *l) {
  const Linearization *x = linearization_get(l);
  verdict(out, x);
  remarks(out, x);
  point_table(out, l);
  viva_status status = VIVA_OK;
  if (!x->modes.why && !x->poles) {
    pole_table(out, x);
    status = figure(out, l, VIVA_LINEAR_POLES, "poles", "Eigenvalues in the plane");
    if (status == VIVA_OK) status = figure(out, l, VIVA_LINEAR_MODES, "modes", "Modes");
  }
  matrix_table(out, l, 'A', "A: rates of the states by the states", x->n);
  matrix_table(out, l, 'B', "B: rates of the states by the inputs", x->m);
  return status;
}

viva_status report_linear(const viva_model *model, const viva_report_options *options, Text *out) {
  viva_linearize_options o = viva_linearize_defaults();
  o.symbolic = false;
  o.self = options->run.self;
  o.interrupted = options->run.interrupted;
  size_t n = system_dim(&model->system);
  if (n == 0) return VIVA_OK;
  if (n > most_variables) {
    text_printf(
        out, "<p>There are %zu states, too many for a page: <code>viva linearize</code> gives the linear model.</p>\n",
        n);
    return VIVA_OK;
  }
  viva_linearization *l = NULL;
  viva_status status = viva_linearize(model, &o, &l);
  if (status == VIVA_EINTERRUPTED) {
    text_put(out, "<p>The linear model was interrupted and is not here.</p>\n");
  } else if (status == VIVA_OK && linearization_get(l)) {
    status = section(out, l);
  } else if (linearization_reason(l)) {
    text_put(out, "<p>");
    html_sentence(out, linearization_reason(l));
    text_put(out, status == VIVA_EFAIL ? " <code>viva linearize --at ...</code> takes another point.</p>\n" : "</p>\n");
  }
  viva_linearization_free(l);
  return status == VIVA_ENOMEM || status == VIVA_EINTERRUPTED ? status : VIVA_OK;
}

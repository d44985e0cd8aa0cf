// The linear model of a page: where it rests, its eigenvalues, poles and modes.
#include "api/report_parts.h"

#include "base/text.h"
#include "show/svg.h"

#include <math.h>
#include <string.h>

enum { most_states = 60, most_entries = 10 }; // of the section; of matrices that are written out

static void put_number(Text *out, double x) {
  if (isnan(x)) text_put(out, "–");
  else text_printf(out, "%.6g", fabs(x) < 1e-300 ? 0 : x);
}

static void table_open(Text *out, const char *caption) {
  text_printf(out, "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"%s\"><table><caption>%s</caption><thead><tr>", caption, caption);
}

static void head(Text *out, const char *text) {
  text_put(out, "<th scope=\"col\">");
  svg_escape(out, text);
  text_put(out, "</th>");
}

static void row(Text *out, const char *text) {
  text_put(out, "<tr><th scope=\"row\">");
  svg_escape(out, text);
  text_put(out, "</th>");
}

static void cell(Text *out, double x) {
  text_put(out, "<td class=\"n\">");
  put_number(out, x);
  text_put(out, "</td>");
}

static void point_table(Text *out, const viva_linearization *l) {
  table_open(out, "The point");
  head(out, "name");
  head(out, "value in SI");
  text_put(out, "</tr></thead><tbody>\n");
  for (size_t i = 0; i < viva_linearization_states(l); i++) {
    row(out, viva_linearization_state_name(l, i));
    cell(out, viva_linearization_state(l, i));
    text_put(out, "</tr>\n");
  }
  for (size_t i = 0; i < viva_linearization_inputs(l); i++) {
    row(out, viva_linearization_input_name(l, i));
    cell(out, viva_linearization_input(l, i));
    text_put(out, "</tr>\n");
  }
  text_put(out, "</tbody></table></div>\n");
}

// Real and imaginary part; of a pair its frequency and how much of it is damping.
static void pole_table(Text *out, const viva_linearization *l) {
  static const char *const heads[] = {"number", "real part [1/s]", "imaginary part [rad/s]", "frequency [rad/s]", "damping ratio"};
  table_open(out, "Eigenvalues");
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) head(out, heads[i]);
  text_put(out, "</tr></thead><tbody>\n");
  for (size_t i = 0; i < viva_linearization_states(l); i++) {
    double im, re = viva_linearization_eigenvalue(l, i, &im), size = hypot(re, im);
    text_printf(out, "<tr><th scope=\"row\">%zu</th>", i + 1);
    cell(out, re);
    cell(out, im);
    cell(out, im != 0 ? size : NAN);
    cell(out, im != 0 && size > 0 ? -re / size : NAN);
    text_put(out, "</tr>\n");
  }
  text_put(out, "</tbody></table></div>\n");
}

static void matrix_table(Text *out, const viva_linearization *l, char matrix, const char *caption, size_t columns) {
  size_t rows = viva_linearization_states(l);
  if (!columns || rows > most_entries || columns > most_entries) return;
  table_open(out, caption);
  head(out, "");
  for (size_t k = 0; k < columns; k++) head(out, matrix == 'A' ? viva_linearization_state_name(l, k) : viva_linearization_input_name(l, k));
  text_put(out, "</tr></thead><tbody>\n");
  for (size_t i = 0; i < rows; i++) {
    row(out, viva_linearization_state_name(l, i));
    for (size_t k = 0; k < columns; k++) cell(out, viva_linearization_entry(l, matrix, i, k));
    text_put(out, "</tr>\n");
  }
  text_put(out, "</tbody></table></div>\n");
}

// The picture with names of its own: several share the page.
static void put_picture(Text *out, const char *svg, const char *id) {
  static const char *const names[] = {"id=\"area", "url(#area"};
  while (*svg) {
    size_t nearest = strlen(svg), which = 2;
    for (size_t i = 0; i < 2; i++) {
      const char *at = strstr(svg, names[i]);
      if (at && (size_t)(at - svg) < nearest) nearest = (size_t)(at - svg), which = i;
    }
    text_putn(out, svg, nearest);
    svg += nearest;
    if (which == 2) return;
    size_t before = strlen(names[which]) - strlen("area");
    text_putn(out, svg, before);
    text_put(out, id);
    svg += before;
    text_put(out, "area");
    svg += strlen("area");
  }
}

static viva_status figure(Text *out, const viva_linearization *l, viva_linear_figure kind, const char *id, const char *label) {
  char *svg = NULL;
  size_t length;
  viva_status status = viva_linearization_draw(l, kind, NULL, VIVA_PICTURE_SVG, &svg, &length);
  if (status == VIVA_OK) {
    text_printf(out, "<figure id=\"%s\" aria-label=\"%s\"><div class=\"still\">\n", id, label);
    put_picture(out, svg, id);
    text_put(out, "</div></figure>\n");
  }
  viva_text_free(svg);
  return status == VIVA_ENOMEM ? status : VIVA_OK;
}

static const char *verdict(const viva_linearization *l) {
  double worst = -INFINITY, size = 0;
  for (size_t i = 0; i < viva_linearization_states(l); i++) {
    double im, re = viva_linearization_eigenvalue(l, i, &im);
    worst = fmax(worst, re);
    size = fmax(size, hypot(re, im));
  }
  if (worst > 1e-9 * size) return "Small deviations grow: there are eigenvalues with positive real parts.";
  if (worst < -1e-9 * size) return "Small deviations die out: all eigenvalues have negative real parts.";
  return "Eigenvalues lie on the imaginary axis: the linear model alone does not tell whether small deviations grow.";
}

viva_status report_linear(const viva_model *model, Text *out) {
  viva_linearize_options o = viva_linearize_defaults();
  o.symbolic = false;
  viva_linearization *l = NULL;
  viva_status status = viva_linearize(model, &o, &l);
  size_t n = viva_linearization_states(l);
  if (status == VIVA_EFAIL) {
    text_put(out, "<p>No equilibrium was found near the start. <code>viva linearize --at ...</code> takes another point.</p>\n");
  } else if (status == VIVA_OK && n > 0 && n <= most_states) {
    bool rest = viva_linearization_equilibrium(l);
    text_printf(out, "<p>%s %s</p>\n", rest ? "At the equilibrium nearest to the start." : "At the start, which is no equilibrium.", verdict(l));
    point_table(out, l);
    pole_table(out, l);
    status = figure(out, l, VIVA_LINEAR_POLES, "poles", "Eigenvalues in the plane");
    if (status == VIVA_OK) status = figure(out, l, VIVA_LINEAR_MODES, "modes", "Modes");
    matrix_table(out, l, 'A', "A: rates of the states by the states", n);
    matrix_table(out, l, 'B', "B: rates of the states by the inputs", viva_linearization_inputs(l));
  }
  viva_linearization_free(l);
  return status == VIVA_ENOMEM ? status : VIVA_OK;
}

// The sections of a page that shows a structure in static equilibrium: stability, forces, how it was found.
//
// in    a model without any mass
// out   drawing with forces in colour, verdict and remarks; tables of nodes, bars and springs; every iteration
#include "api/equilibrium_parts.h"
#include "api/report_html.h"
#include "api/report_parts.h"
#include "show/svg.h"

#include <math.h>
#include <string.h>

enum { most_rows = 400, most_iterations = 200 }; // of a table on a page

// ---- iterations, as they come

typedef struct StaticsTrace {
  Arena *arena;
  const char **names;
  size_t columns, rows;
  VEC(double) values;
} StaticsTrace;

static bool trace_header(void *self, const char *const *names, size_t count) {
  StaticsTrace *t = self;
  t->columns = count;
  t->names = arena_array(t->arena, count + 1, sizeof *t->names);
  for (size_t i = 0; t->names && i < count; i++) t->names[i] = arena_strndup(t->arena, names[i], strlen(names[i]));
  return !arena_failed(t->arena);
}

static bool trace_row(void *self, const double *values, size_t count) {
  StaticsTrace *t = self;
  if (t->rows >= most_iterations) return true;
  for (size_t i = 0; i < count; i++) {
    if (!vec_push(t->arena, &t->values, values[i])) return false;
  }
  t->rows++;
  return true;
}

// ---- tables

static void heads(Text *out, const char *caption, const char *const *names) {
  html_table_open(out, caption);
  for (; *names; names++) html_head(out, *names);
  text_put(out, "</tr></thead><tbody>\n");
}

static void ends(Text *out, uint32_t count) {
  html_table_close(out);
  if (count > most_rows)
    text_printf(out, "<p>%u in all: <code>viva equilibrium --json</code> has the others.</p>\n", count);
}

static void node_table(Text *out, const BarsReport *r) {
  const BalanceResult *b = &r->result;
  const Linkage *l = &r->system->linkage;
  heads(out, "Nodes",
        b->dim == 2 ? (const char *const[]){"node", "x [m]", "y [m]", "reaction x [N]", "reaction y [N]", NULL}
                    : (const char *const[]){"node", "x [m]", "y [m]", "z [m]", "reaction x [N]", "reaction y [N]",
                                            "reaction z [N]", NULL});
  for (uint32_t i = 0; i < b->nodes && i < most_rows; i++) {
    html_row(out, l->nodes.items[i].name);
    for (uint32_t k = 0; k < b->dim; k++) html_cell(out, structure_plain_length(b, b->x[(size_t)i * b->dim + k]));
    for (uint32_t k = 0; k < b->dim; k++) {
      html_cell(out, b->supported[i] ? structure_plain_force(b, b->reaction[(size_t)i * b->dim + k]) : NAN);
    }
    text_put(out, "</tr>\n");
  }
  ends(out, b->nodes);
}

static const char *kind_of(double force, bool cable) {
  return force > 0 ? "tension" : force < 0 ? "compression" : cable ? "slack" : "none";
}

static void force_row(Text *out, const BalanceResult *b, const char *name, double pull, bool cable, double length) {
  double force = structure_plain_force(b, pull);
  html_row(out, name);
  html_cell(out, force);
  text_printf(out, "<td>%s</td>", kind_of(force, cable));
  html_cell(out, length);
  text_put(out, "</tr>\n");
}

static double distance(const BalanceResult *b, uint32_t i, uint32_t j) {
  double sum = 0;
  for (uint32_t k = 0; k < b->dim; k++) {
    double d = b->x[(size_t)i * b->dim + k] - b->x[(size_t)j * b->dim + k];
    sum += d * d;
  }
  return sqrt(sum);
}

static void force_tables(Text *out, const BarsReport *r) {
  static const char *const names[] = {"name", "force [N]", "", "length [m]", NULL};
  const BalanceResult *b = &r->result;
  const Linkage *l = &r->system->linkage;
  if (l->bars.count) heads(out, "Bars (tension is positive)", names);
  for (uint32_t i = 0; i < l->bars.count && i < most_rows; i++) {
    const LinkageBar *bar = &l->bars.items[i];
    force_row(out, b, bar->name, b->bar_force[i], false, distance(b, bar->a, bar->b));
  }
  if (l->bars.count) ends(out, l->bars.count);
  if (l->springs.count) heads(out, "Springs and cables", names);
  for (uint32_t i = 0; i < l->springs.count && i < most_rows; i++)
    force_row(out, b, l->springs.items[i].name, b->spring_force[i], l->springs.items[i].cable, b->spring_length[i]);
  if (l->springs.count) ends(out, l->springs.count);
  if (!l->torsions.count) return;
  heads(out, "Torsion springs", (const char *const[]){"at node", "moment [N m]", "turned to [rad]", NULL});
  for (uint32_t i = 0; i < l->torsions.count && i < most_rows; i++) {
    html_row(out, l->nodes.items[l->torsions.items[i].b].name);
    html_cell(out, structure_plain_moment(b, b->torsion_moment[i]));
    html_cell(out, b->torsion_angle[i]);
    text_put(out, "</tr>\n");
  }
  ends(out, l->torsions.count);
}

// What became smaller on the way, in words; NULL: not for a page, as positions and the settings of other methods.
static const char *column_title(const char *name) {
  static const char *const titles[][2] = {{"potential", "potential [J]"},
                                          {"force_residue", "largest force left [N]"},
                                          {"length_residue", "largest error of a length [m]"},
                                          {"residue", "forces left, in parts of them"}};
  for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
    if (strcmp(titles[i][0], name) == 0) return titles[i][1];
  }
  return NULL;
}

static void iteration_table(Text *out, const StaticsTrace *t) {
  if (!t->rows) return;
  text_printf(out, "<details open><summary>%zu iteration%s</summary>\n", t->rows, t->rows == 1 ? "" : "s");
  html_table_open(out, "Iterations");
  html_head(out, "iteration");
  for (size_t i = 1; i < t->columns; i++) {
    if (column_title(t->names[i])) html_head(out, column_title(t->names[i]));
  }
  text_put(out, "</tr></thead><tbody>\n");
  for (size_t k = 0; k < t->rows; k++) {
    const double *row = t->values.items + k * t->columns;
    html_row(out, arena_printf(out->arena, "%.0f", row[0]));
    for (size_t i = 1; i < t->columns; i++) {
      if (column_title(t->names[i])) html_cell(out, row[i]);
    }
    text_put(out, "</tr>\n");
  }
  html_table_close(out);
  text_put(out, "</details>\n");
}

// ---- verdict

// Lines of a text that starts with its title, each a sentence of its own.
static void verdict_lines(Text *out, const char *text) {
  text_put(out, "<ul class=\"notes\">\n");
  while (*text) {
    size_t length = strcspn(text, "\n");
    const char *line = arena_strndup(out->arena, text, length);
    text += length + (text[length] == '\n');
    line += line ? strspn(line, " ") : 0;
    if (!line || !*line || strcmp(line, "Verdict") == 0) continue;
    text_put(out, "<li>");
    html_sentence(out, line);
    text_put(out, "</li>\n");
  }
  text_put(out, "</ul>\n");
}

static viva_status put_drawing(Text *out, const viva_equilibrium *e) {
  char *svg = NULL;
  size_t length = 0;
  viva_status status = viva_equilibrium_draw(e, NULL, VIVA_PICTURE_SVG, &svg, &length);
  if (status == VIVA_OK) {
    text_put(out, "<figure id=\"rest\" aria-label=\"Where it rests\"><div class=\"still\">\n");
    text_putn(out, svg, length);
    text_put(out, "</div></figure>\n");
  }
  viva_text_free(svg);
  return status == VIVA_ENOMEM ? status : VIVA_OK;
}

static void put_plain_text(Text *out, const char *text) {
  text_put(out, "<pre tabindex=\"0\" role=\"region\" aria-label=\"Equilibrium\">");
  svg_escape(out, text);
  text_put(out, "</pre>\n");
}

viva_status report_statics(const viva_model *model, const viva_report_options *options, StaticsSections *out,
                           const char **message) {
  viva_equilibrium_options o = viva_equilibrium_defaults();
  StaticsTrace trace = {.arena = out->rest.arena};
  viva_sink sink = {.self = &trace, .header = trace_header, .row = trace_row};
  viva_equilibrium *e = NULL;
  o.self = options->run.self;
  o.interrupted = options->run.interrupted;
  o.trace = &sink;
  viva_status status = viva_equilibrium_find(model, &o, &e);
  const char *said = viva_equilibrium_message(e);
  *message = said ? arena_strndup(out->rest.arena, said, strlen(said)) : NULL;
  if (status == VIVA_OK && put_drawing(&out->rest, e) == VIVA_ENOMEM) status = VIVA_ENOMEM;
  if (status == VIVA_OK && e->structure) {
    Text verdict = text_in(out->rest.arena);
    show_structure_verdict(e->structure, &verdict);
    verdict_lines(&out->rest, text_str(&verdict));
    force_tables(&out->forces, e->structure);
    node_table(&out->forces, e->structure);
  } else if (status == VIVA_OK) {
    const char *text = viva_equilibrium_text(e, VIVA_FORMAT_TEXT);
    if (text) put_plain_text(&out->rest, text);
    else status = VIVA_ENOMEM;
  }
  iteration_table(&out->iterations, &trace);
  viva_equilibrium_free(e);
  return arena_failed(out->rest.arena) ? VIVA_ENOMEM : status;
}

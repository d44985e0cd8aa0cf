// The sections of a page, and the page around them.
//
// in    a Report: a system, what a run showed, parts that were made elsewhere
// out   HTML with its style, pictures as SVG, and one JSON text of data for the script (report_data.c)
// how   a table of sections: each writes its inside, or nothing and is left out. Numbers in columns are padded so that
//       decimal points stand below each other. Columns of more than 400,000 rows are thinned, and the page says so.
#include "show/report.h"
#include "show/policy.h"

#include "show/coloured.h"
#include "show/document.h"
#include "show/embedded.h"
#include "show/report_data.h"
#include "show/svg.h"
#include "system/dimension.h"
#include "system/listed.h"
#include "system/table_names.h"

#include <math.h>
#include <string.h>

typedef struct Page {
  const Report *r;
  ReportData data;
  Text *out;
} Page;

typedef struct Section {
  const char *id, *title;
  void (*write)(Page *p);
} Section;

// ---- small things

static void put(Page *p, const char *text) { text_put(p->out, text); }
static void put_plain(Page *p, const char *text) { svg_escape(p->out, text); }

static void put_short(Page *p, double x) {
  if (!isfinite(x)) put(p, "–");
  else text_printf(p->out, "%.6g", x);
}

static const char *short_number(const Page *p, double x) {
  const char *text = isfinite(x) ? arena_printf(p->r->arena, "%.6g", x == 0 ? 0 : x) : "–"; // no -0
  return text ? text : ""; // out of memory: the page is given up
}

// Where the fraction or the exponent of a number starts.
static size_t whole_length(const char *text) { return strcspn(text, ".e"); }

// A column of numbers: blanks behind each, so that points stand below points where it is set to the right.
static void align_column(const Page *p, const char **cells, size_t count, size_t stride) {
  size_t widest = 0;
  for (size_t i = 0; i < count; i++) {
    size_t tail = strlen(cells[i * stride]) - whole_length(cells[i * stride]);
    if (strcmp(cells[i * stride], "–") != 0 && tail > widest) widest = tail;
  }
  for (size_t i = 0; i < count; i++) {
    const char *cell = cells[i * stride];
    size_t tail = strcmp(cell, "–") == 0 ? 0 : strlen(cell) - whole_length(cell);
    Text t = text_in(p->r->arena);
    text_put(&t, cell);
    for (size_t k = tail; k < widest; k++) text_put(&t, "\xC2\xA0");
    cells[i * stride] = text_str(&t);
  }
}

static void number_cell(Page *p, const char *text) {
  put(p, "<td class=\"n\">");
  put_plain(p, text ? text : "");
  put(p, "</td>");
}

static const char *expression(const Page *p, ExprId id) {
  ExprNames names = table_names(p->r->system, p->r->arena);
  Rat number;
  names.decimals = true;
  if (expr_number(p->r->pool, id, &number)) return rat_print(p->r->arena, number, true);
  Text t = text_in(p->r->arena);
  expr_print(p->r->pool, id, format_text, &names, &t);
  return text_str(&t);
}

static void cell(Page *p, const char *text) {
  put(p, "<td>");
  put_plain(p, text ? text : "");
  put(p, "</td>");
}

static void row_name(Page *p, const char *name) {
  put(p, "<tr><th scope=\"row\">");
  put_plain(p, name);
  put(p, "</th>");
}

// More rows than this are folded away, and may break over the pages of a print.
enum { most_unfolded = 24 };

// A table that may be wider than a telephone; heads closed by NULL, those of numbers start with a #.
static void table_open(Page *p, const char *caption, const char *const *heads, size_t rows) {
  bool fold = rows > most_unfolded;
  if (fold) {
    put(p, "<details><summary>");
    put_plain(p, caption);
    text_printf(p->out, ": %zu rows</summary>\n", rows);
  }
  text_printf(p->out, "<div class=\"%s\" tabindex=\"0\" role=\"region\" aria-label=\"", fold ? "wide long" : "wide");
  put_plain(p, caption);
  put(p, "\"><table><caption>");
  put_plain(p, caption);
  put(p, "</caption><thead><tr>");
  for (; *heads; heads++) {
    bool number = **heads == '#';
    text_printf(p->out, "<th scope=\"col\"%s>%s</th>", number ? " class=\"n\"" : "", *heads + number);
  }
  put(p, "</tr></thead><tbody>\n");
}

static void table_close(Page *p, size_t rows) {
  put(p, rows > most_unfolded ? "</tbody></table></div></details>\n" : "</tbody></table></div>\n");
}

// What a plot shows, for those who listen.
static const char *describe(const Plot *plot, Arena *arena) {
  Text t = text_in(arena);
  for (uint32_t i = 0; i < plot->panels.count; i++) {
    const PlotPanel *panel = &plot->panels.items[i];
    bool many = panel->curves.count && panel->curves.items[0].shaded;
    for (uint32_t k = 0; k < (many ? 1 : panel->curves.count); k++)
      text_printf(&t, "%s%s", k ? ", " : i ? "; " : "", panel->curves.items[k].name);
    if (many) text_printf(&t, " and %u more, by %s,", panel->curves.count - 1, panel->bar.name);
    if (panel->heat) text_printf(&t, "%s%s as colours over %s and", i ? "; " : "", panel->bar.name, panel->y_name);
    text_printf(&t, " %s %s",
                panel->phase  ? "against"
                : panel->heat ? "the"
                              : "over",
                panel->heat ? "time" : panel->x_name);
  }
  return text_str(&t);
}

// What the cursor of the script needs of colours over time: where times and indices lie in the picture.
static void heat_write(Page *p, const PlotPanel *panel, DrawRect area) {
  const PlotHeat *h = panel->heat;
  text_printf(p->out,
              " data-time=\"%.17g %.17g\" data-index=\"%.17g %.17g\" data-area=\"%.2f %.2f %.2f %.2f\" data-name=\"",
              h->x.lo, h->x.hi, h->y.lo, h->y.hi, area.x, area.y, area.w, area.h);
  put_plain(p, panel->y_name ? panel->y_name : "");
  put(p, "\"");
}

// The still picture of a plot, which the script replaces.
static void figure_write(Page *p, const char *id, const Plot *plot, double width) {
  Drawing d = {.arena = p->r->arena,
               .id = arena_printf(p->r->arena, "%s-", id),
               .title = NULL,
               .description = describe(plot, p->r->arena)};
  bool drawn = plot_layout(plot, (PlotStyle){.width = width}, &d);
  text_printf(p->out, "<figure id=\"%s\" class=\"plot\"", id);
  if (drawn && plot->panels.items[0].heat && d.clips.count) heat_write(p, &plot->panels.items[0], d.clips.items[0]);
  put(p, " aria-label=\"");
  put_plain(p, d.description);
  put(p, "\"><div class=\"still\">\n");
  if (drawn) svg_write(&d, p->out);
  put(p, "</div></figure>\n");
}

static void plot_write(Page *p, const char *id, const Plot *plot) {
  Plot *kept = arena_new_of(p->r->arena, Plot);
  if (!kept) return;
  *kept = *plot;
  figure_write(p, id, kept, 0);
  report_data_figure(&p->data, id, kept);
}

// ---- sections

// The last part of a path: where the file lies is nobody's business.
static const char *file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static void model_section(Page *p) {
  const Sources *sources = p->r->system->sources;
  for (uint32_t i = 0; i < sources->list.count; i++) {
    const Source *s = &sources->list.items[i];
    if (s->option || s->file != i + 1) continue; // words of the command line; a text that was there already
    if (i) {
      put(p, "<h3>Part <code>");
      put_plain(p, file_name(s->name));
      put(p, "</code></h3>\n");
    }
    put(p, "<pre class=\"code\" tabindex=\"0\" role=\"region\" aria-label=\"Text of ");
    put_plain(p, file_name(s->name));
    put(p, "\"><code>");
    show_coloured(s, p->out);
    put(p, "</code></pre>\n");
  }
}

static void equations_section(Page *p) { text_put(p->out, p->r->equations); }
static void steps_section(Page *p) { text_put(p->out, p->r->steps); }

// A number in SI: exactly where it was written as one, else what it comes to.
static const char *number_text(const Page *p, ExprId id, double value) {
  Rat number;
  const char *text = id && expr_number(p->r->pool, id, &number) ? rat_print(p->r->arena, number, true) : NULL;
  return text && !strchr(text, '/') && strlen(text) <= 12 ? text : short_number(p, value);
}

// 15 mm, pi*sqrt(l/g)
static const char *written(const Page *p, const SystemParam *q) {
  System *s = p->r->system;
  Text t = text_in(p->r->arena);
  ExprNames names = table_names(s, s->arena);
  show_param_value(s, p->r->pool, &names, q, format_text, &t);
  if (q->unit->said && q->unit->text) text_printf(&t, " %s", q->unit->text);
  return text_str(&t);
}

// Neighbours with an index and one value are one row: T[1] .. T[200].
static size_t listed_rows(const ListedName *names, size_t count) {
  size_t rows = 0;
  for (uint32_t i = 0, period; i < count; rows++) i += listed_stretch(names, (uint32_t)count, i, 1, &period);
  return rows;
}

static void row_names(Page *p, const ListedName *names, uint32_t first, uint32_t count) {
  const char *name = names[first].name;
  if (count > 1) name = arena_printf(p->r->arena, "%s .. %s", name, names[first + count - 1].name);
  row_name(p, name ? name : "");
}

static void parameter_table(Page *p) {
  const System *m = p->r->system;
  size_t n = m->params.count;
  const char **values = arena_array(p->r->arena, n + 1, sizeof *values);
  if (!n || !values) return;
  for (size_t i = 0; i < n; i++) {
    ExprId value = m->params.items[i].value;
    values[i] = value ? number_text(p, value, p->r->values[i]) : "–";
  }
  align_column(p, values, n, 1);
  ListedName *names = arena_array(p->r->arena, n, sizeof *names);
  if (!names) return;
  for (size_t i = 0; i < n; i++) {
    const SystemParam *q = &m->params.items[i];
    names[i] =
        (ListedName){q->name, unit_si_text(p->r->arena, q->unit, &q->dim, 0), q->value ? written(p, q) : "no value"};
  }
  size_t rows = listed_rows(names, n);
  table_open(p, "Parameters", (const char *const[]){"name", "#value in SI", "unit", "as written", "meaning", NULL},
             rows);
  for (uint32_t i = 0, period, count; i < n; i += count) {
    count = listed_stretch(names, (uint32_t)n, i, 1, &period);
    row_names(p, names, i, count);
    number_cell(p, values[i]);
    cell(p, names[i].unit);
    cell(p, names[i].value);
    cell(p, m->params.items[i].note);
    put(p, "</tr>\n");
  }
  table_close(p, rows);
}

typedef struct ReportStart {
  const char *name, *unit;
  ExprId value;
} ReportStart;

static void start_table(Page *p) {
  const System *m = p->r->system;
  Arena *arena = p->r->arena;
  VEC(ReportStart) starts = {0};
  for (uint32_t i = 0; i < m->coords.count; i++) {
    const SystemCoord *c = &m->coords.items[i];
    vec_push(arena, &starts, (ReportStart){c->name, unit_si_text(arena, &c->unit, &c->dim, 0), c->q0});
  }
  for (uint32_t i = 0; i < m->coords.count; i++) {
    const SystemCoord *c = &m->coords.items[i];
    const char *name = pool_symbol_get(m->pool, c->v)->name;
    vec_push(arena, &starts, (ReportStart){name, unit_si_text(arena, &c->unit, &c->dim, 1), c->v0});
  }
  for (uint32_t i = 0; i < m->states.count; i++) {
    const SystemState *x = &m->states.items[i];
    if (!x->of) vec_push(arena, &starts, (ReportStart){x->name, unit_si_text(arena, &x->unit, &x->dim, 0), x->x0});
  }
  size_t count = starts.count;
  const char **values = arena_array(arena, count + 1, sizeof *values);
  if (!count || !values || arena_failed(arena)) return;
  const double *numbers = p->r->values + m->params.count;
  for (size_t i = 0; i < count; i++)
    values[i] = starts.items[i].value ? number_text(p, starts.items[i].value, numbers[i]) : "0";
  align_column(p, values, count, 1);
  ListedName *names = arena_array(arena, count, sizeof *names);
  if (!names) return;
  for (size_t i = 0; i < count; i++) names[i] = (ListedName){starts.items[i].name, starts.items[i].unit, values[i]};
  size_t rows = listed_rows(names, count);
  table_open(p, "Coordinates, velocities and states at the start",
             (const char *const[]){"name", "#start in SI", "unit", NULL}, rows);
  for (uint32_t i = 0, period, n; i < count; i += n) {
    n = listed_stretch(names, (uint32_t)count, i, 1, &period);
    row_names(p, names, i, n);
    number_cell(p, values[i]);
    cell(p, names[i].unit);
    put(p, "</tr>\n");
  }
  table_close(p, rows);
}

static void parameters_section(Page *p) {
  const System *m = p->r->system;
  parameter_table(p);
  if (p->r->figure) start_table(p); // what does not move has no start
  if (!m->inputs.count) return;
  table_open(p, "Inputs", (const char *const[]){"name", "signal", "unit", NULL}, m->inputs.count);
  for (uint32_t i = 0; i < m->inputs.count; i++) {
    const SystemInput *in = &m->inputs.items[i];
    row_name(p, in->name);
    cell(p, expression(p, in->value));
    cell(p, unit_si_text(p->r->arena, &in->unit, &in->dim, 0));
    put(p, "</tr>\n");
  }
  table_close(p, m->inputs.count);
}

// The members of a family: what varies, and where each of them ended.
static void family_section(Page *p) {
  const ReportFamily *f = p->r->family;
  enum { shown_most = 6 };
  if (!f) return;
  uint32_t varied = f->varied.count, shown = 0, count = f->members.count;
  const char *heads[64] = {0};
  while (shown < shown_most && figure_shown(p->r->figure, shown).name) shown++;
  uint32_t columns = varied + shown;
  if (columns > 60) return;
  for (uint32_t i = 0; i < columns; i++) {
    FigureShown s = i < varied ? (FigureShown){0} : figure_shown(p->r->figure, i - varied);
    Text head = text_in(p->r->arena);
    text_putc(&head, '#');
    const char *name = i < varied ? f->varied.items[i] : s.name;
    text_put_markup(&head, name, strlen(name));
    if (i >= varied) text_put(&head, " at the end");
    if (i >= varied && s.unit && *s.unit)
      text_put(&head, " ["), text_put_markup(&head, s.unit, strlen(s.unit)), text_putc(&head, ']');
    heads[i] = text_str(&head);
  }
  const char **cells = arena_array(p->r->arena, (size_t)columns * count + 1, sizeof *cells);
  if (!cells) return;
  for (uint32_t c = 0; c < columns; c++) {
    for (uint32_t i = 0; i < count; i++) cells[(size_t)c * count + i] = short_number(p, f->members.items[i][c]);
    align_column(p, cells + (size_t)c * count, count, 1);
  }
  text_printf(p->out,
              "<p>This page shows %u motions. Plots and animation have all of them; every other section is about "
              "the first.</p>\n",
              count);
  table_open(p, "Members", heads, count);
  for (uint32_t i = 0; i < count; i++) {
    put(p, "<tr>");
    for (uint32_t c = 0; c < columns; c++) number_cell(p, cells[(size_t)c * count + i]);
    put(p, "</tr>\n");
  }
  table_close(p, count);
}

static void plots_section(Page *p) {
  if (!p->r->figure || !figure_rows(p->r->figure)) return;
  Plot plot;
  if (p->r->family) overlay_plot(p->r->family->overlay, &plot);
  else figure_plot(p->r->figure, &plot);
  // curves of neighbours are one figure; colours are a picture of their own, which stays still
  uint32_t number = 0;
  for (uint32_t i = 0; i < plot.panels.count;) {
    Plot some = {.columns = plot.columns};
    bool heat = plot.panels.items[i].heat != NULL;
    do {
      vec_push(p->r->arena, &some.panels, plot.panels.items[i]);
      i++;
    } while (!heat && i < plot.panels.count && !plot.panels.items[i].heat);
    const char *id = number ? arena_printf(p->r->arena, "plots-%u", number + 1) : "plots";
    number++;
    if (!id) return;
    if (heat) figure_write(p, id, &some, 0);
    else plot_write(p, id, &some);
  }
}

// Poses in one picture; the script moves them.
static void motion_section(Page *p) {
  const Scene *scene = p->r->scene;
  if (!scene || !scene->shapes.count || !scene->rows) return;
  Scene plain = *scene;
  plain.title = NULL;
  Ghosts ghosts = {.scene = &plain, .count = 8};
  Plot plot;
  scene_ghosts(p->r->arena, &ghosts, &plot);
  Drawing d = {.arena = p->r->arena,
               .id = "motion-",
               .description = "Eight poses of the model at equal times, the earlier the fainter"};
  bool key = scene->key.count && scene->key.count <= scene_key_most; // of more the still picture has a bar
  if (key) put(p, "<ul class=\"legend\" aria-label=\"Members\">");
  for (uint32_t i = 0; key && i < scene->key.count; i++) {
    text_printf(p->out,
                "<li><svg viewBox=\"0 0 28 10\" width=\"28\" height=\"10\" aria-hidden=\"true\"><path d=\"M1,5H27\" "
                "stroke=\"var(--curve%u)\" stroke-width=\"4\"/></svg> ",
                i);
    put_plain(p, scene->key.items[i].label);
    put(p, "</li>");
  }
  if (key) put(p, "</ul>\n");
  if (scene->key.count && !key)
    put(p, "<div class=\"still keybar\">"), scene_key_bar(scene, false, p->out), put(p, "</div>\n");
  put(p, "<figure id=\"scene\" class=\"scene\" aria-label=\"The motion of the model\"><div class=\"still\">\n");
  if (plot_layout(&plot, (PlotStyle){.width = ghosts.width}, &d)) svg_write(&d, p->out);
  put(p, "<figcaption>Eight poses at equal times, the earlier the fainter.</figcaption></div></figure>\n");
  p->data.scene = scene;
  p->data.speed = p->r->speed;
}

static void energy_section(Page *p) {
  const RunResult *r = p->r->run;
  if (!r || !r->account.kept || !p->r->figure || !figure_rows(p->r->figure)) return;
  put(p, "<p>Stored + dissipated − supplied stays what it was at the start. What is left is the residue: it tells how "
         "far to trust the motion.</p>\n");
  const struct {
    const char *name, *unit;
    double value;
  } rows[] = {{"stored at the start", "J", r->account.initial},
              {"stored", "J", r->account.stored},
              {"dissipated", "J", r->account.dissipated},
              {"supplied", "J", r->account.supplied},
              {"residue at the end", "J", r->account.final_residue},
              {"largest residue, after every step", "J", r->account.residue},
              {"the same, of the energy moved", "", r->account.relative},
              {"largest residue of the rows, as drawn", "J", figure_residue(p->r->figure)}};
  enum { count = sizeof rows / sizeof *rows };
  const char *values[count];
  for (size_t i = 0; i < count; i++) values[i] = short_number(p, rows[i].value);
  align_column(p, values, count, 1);
  table_open(p, "Energy account at the end", (const char *const[]){"", "#value", "unit", NULL}, count);
  for (size_t i = 0; i < count; i++) {
    row_name(p, rows[i].name);
    number_cell(p, values[i]);
    cell(p, rows[i].unit);
    put(p, "</tr>\n");
  }
  table_close(p, count);
  Plot plot;
  figure_energy(p->r->figure, &plot);
  if (plot.panels.count) plot_write(p, "energy-plot", &plot);
}

// Energy with structure: its matrices and its verdict, powers over time, phase portraits.
static void structure_section(Page *p) {
  const Figure *f = p->r->figure;
  Plot plot;
  if (!p->r->structure) return;
  put(p, p->r->structure);
  if (!f || !figure_rows(f)) return;
  figure_power(f, &plot);
  if (plot.panels.count) {
    put(p, "<h3>Powers</h3>\n");
    plot_write(p, "power-plot", &plot);
  }
  figure_phase(f, &plot);
  if (plot.panels.count) {
    put(p, "<h3>Phase portraits</h3>\n");
    plot_write(p, "phase-plot", &plot);
  }
}

// A column as the table of the run has it, without the other sides of jumps. The same array where there are none.
static const double *table_column(const Page *p, const double *values, size_t rows) {
  const Figure *f = p->r->figure;
  if (f->between.count == 0) return values;
  double *kept = arena_array(p->r->arena, rows - f->between.count + 1, sizeof *kept);
  size_t next = 0, n = 0;
  for (size_t i = 0; kept && i < rows; i++) {
    if (next < f->between.count && f->between.items[next] == i) next++;
    else kept[n++] = values[i];
  }
  return kept;
}

// The first, the last, the least and the largest of every shown quantity.
static void results_section(Page *p) {
  const Figure *f = p->r->figure;
  size_t rows = f ? figure_rows(f) : 0, count = 0;
  if (!rows || !figure_shown(f, 0).name) return;
  while (figure_shown(f, (uint32_t)count).name) count++;
  enum { numbers = 6 };
  const char **cells = arena_array(p->r->arena, numbers * count, sizeof *cells);
  const double *t = f->columns[0].items;
  size_t tabled = rows - f->between.count;
  const double *times = table_column(p, t, rows);
  if (!cells || !times || tabled == 0) return;
  // the columns for the script; first, last, least and largest value for the reader
  DataTable *table = report_data_table(&p->data, "results", "motion.csv");
  if (table) vec_push(p->r->arena, &table->columns, (DataNamed){"t", report_data_column(&p->data, times, tabled)});
  for (size_t i = 0; i < count; i++) {
    FigureShown s = figure_shown(f, (uint32_t)i);
    const double *column = table_column(p, s.values, rows);
    if (!column) return;
    if (table)
      vec_push(p->r->arena, &table->columns, (DataNamed){s.name, report_data_column(&p->data, column, tabled)});
    size_t lo = 0, hi = 0;
    for (size_t k = 1; k < rows; k++) {
      if (!(s.values[lo] <= s.values[k])) lo = k;
      if (!(s.values[hi] >= s.values[k])) hi = k;
    }
    const double shown[numbers] = {column[0], column[tabled - 1], s.values[lo], t[lo], s.values[hi], t[hi]};
    for (size_t k = 0; k < numbers; k++) cells[i * numbers + k] = short_number(p, shown[k]);
  }
  // the table
  for (size_t k = 0; k < numbers; k++) align_column(p, cells + k, count, numbers);
  table_open(p, "What the run came to",
             (const char *const[]){"name", "unit", "#start", "#end", "#least", "#at t", "#largest", "#at t", NULL},
             count);
  for (size_t i = 0; i < count; i++) {
    row_name(p, figure_shown(f, (uint32_t)i).name);
    cell(p, figure_shown(f, (uint32_t)i).unit);
    for (size_t k = 0; k < numbers; k++) number_cell(p, cells[i * numbers + k]);
    put(p, "</tr>\n");
  }
  table_close(p, count);
  // how to get all rows
  text_printf(p->out, "<p id=\"results-download\" class=\"download\">%s has %zu rows%s <code>viva run ",
              p->r->family ? "The table of the first member" : "The whole table", tabled,
              p->r->family ? "; those of all members:" : ":");
  put_plain(p, file_name(p->r->file));
  if (p->r->rows) put_plain(p, p->r->rows);
  put(p, " --out motion.csv</code>");
  if (p->data.most && tabled > p->data.most)
    text_printf(p->out, " (this page keeps one row in %zu)", (tabled + p->data.most - 1) / p->data.most);
  put(p, "</p>\n");
}

// How long the folder is, where the path of one of the model's files starts.
static size_t folder_length(const Page *p, const char *text) {
  const Sources *sources = p->r->system->sources;
  for (uint32_t i = 0; i < sources->list.count; i++) {
    const char *name = sources->list.items[i].name;
    size_t folder = (size_t)(file_name(name) - name);
    if (folder && strncmp(text, name, strlen(name)) == 0) return folder;
  }
  return 0;
}

// What went wrong, as the command line says it, without the folders.
static void put_trouble(Page *p) {
  put(p, "<pre class=\"trouble\" role=\"note\">");
  for (const char *s = p->r->trouble; *s; s++) {
    s += folder_length(p, s);
    char one[2] = {*s, 0};
    if (*s == '\n') text_putc(p->out, '\n');
    else svg_escape(p->out, one);
  }
  put(p, "</pre>\n");
}

static void run_section(Page *p) {
  const RunResult *r = p->r->run;
  if (p->r->trouble) put_trouble(p);
  if (!r || !r->settled.method) return;
  put(p, "<dl>\n<dt>method</dt><dd>");
  put_plain(p, r->settled.method);
  if (r->settled.fixed) put(p, ", step "), put_short(p, r->settled.step);
  else put(p, ", relative tolerance "), put_short(p, r->settled.rtol);
  if (r->settled.reason) put(p, " ("), put_plain(p, r->settled.reason), put(p, ")");
  put(p, "</dd>\n<dt>time</dt><dd>0 to ");
  put_short(p, r->ode.t);
  text_printf(p->out, " s, %llu rows</dd>\n<dt>work</dt><dd>%llu steps, %llu evaluations</dd>\n",
              (unsigned long long)r->rows, (unsigned long long)r->ode.steps, (unsigned long long)r->ode.evaluations);
  put(p, "</dl>\n");
}

// In the order of the page. A section that writes nothing is left out.
static const Section sections[] = {
    {"model", "Model", model_section},
    {"equations", "Equations", equations_section},
    {"derivation", "Derivation", steps_section},
    {"parameters", "Parameters", parameters_section},
    {"family", "Family", family_section},
    {"motion", "Plots", plots_section},
    {"animation", "Animation", motion_section},
    {"energy", "Energy account", energy_section},
    {"structure", "Energy and structure", structure_section},
};
static const Section last_sections[] = {{"results", "Results", results_section}, {"run", "Run", run_section}};

// ---- the page

// Colours of the still pictures on a dark ground: one rule for each colour of the light theme.
static void dark_rules(Page *p, const char *before) {
  Theme light = drawing_theme(false), dark = drawing_theme(true);
  struct {
    int32_t from, to;
  } map[16] = {{light.ground, dark.ground},
               {light.ink, dark.ink},
               {light.muted, dark.muted},
               {light.grid, dark.grid},
               {light.alarm, dark.alarm}};
  size_t n = 5;
  for (int i = 0; i < 7; i++) map[n].from = light.curve[i], map[n++].to = dark.curve[i];
  for (size_t i = 0; i < n; i++) {
    text_printf(p->out, "%s .still [stroke=\"#%06x\"]{stroke:#%06x}%s .still [fill=\"#%06x\"]{fill:#%06x}", before,
                (unsigned)map[i].from, (unsigned)map[i].to, before, (unsigned)map[i].from, (unsigned)map[i].to);
  }
}

static void curve_variables(Page *p, bool dark) {
  Theme theme = drawing_theme(dark);
  for (int i = 0; i < 7; i++) text_printf(p->out, "--curve%d:#%06x;", i, (unsigned)theme.curve[i]);
}

static void style_write(Page *p) {
  put(p, "<style>\n");
  text_putn(p->out, report_style, report_style_length);
  put(p, ":root{");
  curve_variables(p, false);
  put(p, "}\n@media screen{:root[data-theme=dark]{");
  curve_variables(p, true);
  put(p, "}");
  dark_rules(p, ":root[data-theme=dark]");
  put(p, "}\n@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){");
  curve_variables(p, true);
  put(p, "}");
  dark_rules(p, ":root:not([data-theme=light])");
  put(p, "}\n</style>\n");
}

// Is there a scene in space, which the reader can rotate?
static bool has_space(const Page *p) { return p->data.scene && p->data.scene->space; }

static void head_write(Page *p, const char *title) {
  put(p, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
         "content=\"width=device-width, initial-scale=1\">\n");
  // nothing is fetched from anywhere
  const PolicyScript scripts[] = {{space_script, has_space(p) ? space_script_length : 0},
                                  {report_script, report_script_length}};
  policy_put(p->out, scripts, 2);
  put(p, "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"viva ");
  put_plain(p, p->r->version);
  put(p, "\">\n<title>");
  put_plain(p, title);
  put(p, "</title>\n");
  style_write(p);
  put(p, "</head>\n");
}

typedef struct Written {
  const char *id, *title;
  Text body;
} Written;

static Written write_one(Page *p, const char *id, const char *title, void (*write)(Page *)) {
  Written w = {id, title, text_in(p->r->arena)};
  Text *page = p->out;
  p->out = &w.body;
  write(p);
  p->out = page;
  return w;
}

static void put_section(Page *p, const Written *w) {
  text_printf(p->out, "<section id=\"%s\" aria-labelledby=\"%s-title\">\n<h2 id=\"%s-title\">", w->id, w->id, w->id);
  put_plain(p, w->title);
  put(p, "</h2>\n");
  text_put(p->out, text_str(&w->body));
  put(p, "</section>\n");
}

// The data of the script; "<" never ends the element early.
static void put_data(Page *p) {
  Text json = text_in(p->r->arena);
  report_data_write(&p->data, &json);
  put(p, "<script type=\"application/json\" id=\"viva-data\">");
  const char *s = text_str(&json);
  for (const char *next; (next = strchr(s, '<')); s = next + 1) {
    text_putn(p->out, s, (size_t)(next - s));
    put(p, "\\u003c");
  }
  put(p, s);
  put(p, "</script>\n");
  if (has_space(p)) {
    put(p, "<script>");
    text_putn(p->out, space_script, space_script_length);
    put(p, "</script>\n");
  }
  put(p, "<script>");
  text_putn(p->out, report_script, report_script_length);
  put(p, "</script>\n");
}

void show_report(const Report *r, Text *out) {
  Page page = {.r = r, .data = {.arena = r->arena, .most = 400000}, .out = out}, *p = &page;
  enum { said = sizeof sections / sizeof *sections, last = sizeof last_sections / sizeof *last_sections };
  Written *all = arena_array(r->arena, said + last + (size_t)r->parts.count, sizeof *all);
  if (!all) return;
  uint32_t n = 0;
  for (int i = 0; i < said; i++) all[n++] = write_one(p, sections[i].id, sections[i].title, sections[i].write);
  for (uint32_t i = 0; i < r->parts.count; i++) {
    all[n] = (Written){r->parts.items[i].id, r->parts.items[i].title, text_in(r->arena)};
    text_put(&all[n++].body, r->parts.items[i].html);
  }
  for (int i = 0; i < last; i++)
    all[n++] = write_one(p, last_sections[i].id, last_sections[i].title, last_sections[i].write);

  const char *title = r->system->title ? r->system->title : file_name(r->file);
  head_write(p, title);
  put(p, "<body>\n<a class=\"skip\" href=\"#main\">Skip to the content</a>\n<header>\n<h1>");
  put_plain(p, title);
  put(p, "</h1>\n<nav aria-label=\"Sections\"><ul>\n");
  for (uint32_t i = 0; i < n; i++) {
    if (!all[i].body.length) continue;
    text_printf(p->out, "<li><a href=\"#%s\">", all[i].id);
    put_plain(p, all[i].title);
    put(p, "</a></li>\n");
  }
  put(p, "</ul></nav>\n</header>\n<main id=\"main\">\n");
  if (r->trouble) {
    put(p, "<div class=\"failed\"><p><strong>The run did not come to its end.</strong> What stands below is until "
           "then.</p>\n");
    put_trouble(p);
    put(p, "</div>\n");
  }
  for (uint32_t i = 0; i < n; i++) {
    if (all[i].body.length) put_section(p, &all[i]);
  }
  put(p, "</main>\n<footer><p>");
  put_plain(p, file_name(r->file));
  put(p, ", by viva ");
  put_plain(p, r->version);
  put(p, "</p></footer>\n");
  put_data(p);
  put(p, "</body>\n</html>\n");
}

// The page of a model through the public interface. Its behaviour in a browser: web/browser.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <unistd.h>

#include "viva/viva.h"

#include "tests/unit/show/svg_reader.h"

static const char text[] =
    "title \"Spring & <friends>\"\nparam k = 4 [N/m] \"stiff\"\ncoord x = 1 [m]   # a comment <b>\nkinetic "
    "1/2*x'^2\npotential 1/2*k*x^2\n"
    "plot x, x'\nplot x' against x\ndraw spring [-1, 0] [x, 0], mass [x, 0]\nsimulate to 3 step 0.01\n";

static viva_model *parse(const char *source) {
  viva_model *m;
  assert_int_equal(viva_model_parse("some/where/spring.viva", source, strlen(source), NULL, &m), VIVA_OK);
  return m;
}

static bool has(const char *page, const char *what) { return strstr(page, what) != NULL; }

static size_t count(const char *page, const char *what) {
  size_t n = 0;
  for (const char *s = page; (s = strstr(s, what)); s += strlen(what)) n++;
  return n;
}

// What the page shows without its script.
static char *body_of(const char *page) {
  const char *from = strstr(page, "<body>"), *to = strstr(page, "<script");
  if (!to) to = strstr(page, "</body>");
  assert_true(from && to && from < to);
  char *body = calloc(1, (size_t)(to - from) + 1);
  memcpy(body, from, (size_t)(to - from));
  return body;
}

static void a_page_has_every_section_once(void **state) {
  (void)state;
  viva_model *m = parse(text);
  viva_report *r;
  assert_int_equal(viva_report_model(m, NULL, &r), VIVA_OK);
  size_t length;
  const char *page = viva_report_page(r, &length);
  assert_int_equal(strlen(page), length);
  assert_null(viva_report_message(r));
  char *body = body_of(page);
  static const char *const ids[] = {"model",  "equations", "parameters", "motion", "animation",
                                    "energy", "linear",    "results",    "run"};
  for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
    char section[64], link[64];
    snprintf(section, sizeof section, "<section id=\"%s\"", ids[i]);
    snprintf(link, sizeof link, "<a href=\"#%s\">", ids[i]);
    assert_int_equal(count(body, section), 1);
    assert_int_equal(count(body, link), 1);
  }
  assert_false(has(body, "<section id=\"derivation\""));
  free(body);
  viva_report_free(r);
  viva_model_free(m);
}

static void what_a_user_wrote_is_never_markup(void **state) {
  (void)state;
  viva_model *m = parse(text);
  viva_report *r;
  assert_int_equal(viva_report_model(m, NULL, &r), VIVA_OK);
  const char *page = viva_report_page(r, NULL);
  assert_true(has(page, "<title>Spring &amp; &lt;friends&gt;</title>"));
  assert_true(has(page, "<span class=\"co\"># a comment &lt;b&gt;</span>"));
  assert_false(has(page, "<friends>"));
  assert_false(has(page, "some/where"));
  viva_report_free(r);
  viva_model_free(m);
}

static void nothing_is_fetched(void **state) {
  (void)state;
  viva_model *m = parse(text);
  viva_report *r;
  assert_int_equal(viva_report_model(m, NULL, &r), VIVA_OK);
  char *body = body_of(viva_report_page(r, NULL));
  assert_true(has(viva_report_page(r, NULL), "default-src 'none'"));
  assert_false(has(body, "src="));
  // names of name spaces are no addresses
  assert_int_equal(count(body, "http"),
                   count(body, "http://www.w3.org/2000/svg") + count(body, "http://www.w3.org/1998/Math/MathML"));
  free(body);
  viva_report_free(r);
  viva_model_free(m);
}

// Every still picture is a picture; names inside are its own.
static void pictures_stand_in_the_page(void **state) {
  (void)state;
  viva_model *m = parse(text);
  viva_report *r;
  assert_int_equal(viva_report_model(m, NULL, &r), VIVA_OK);
  char *body = body_of(viva_report_page(r, NULL));
  size_t pictures = 0;
  for (char *s = body, *end; (s = strstr(s, "<svg")) && (end = strstr(s, "</svg>")); s = end + 1, pictures++) {
    char *svg = calloc(1, (size_t)(end - s) + 7);
    memcpy(svg, s, (size_t)(end - s) + 6);
    SvgFile f = svg_read(svg);
    assert_true(f.well_formed);
    size_t clips = svg_count(&f, "clipPath", NULL);
    for (size_t i = 0; i < clips; i++) {
      char id[64], opening[96];
      assert_non_null(svg_get(svg_find(&f, "clipPath", NULL, i), "id", id, sizeof id));
      snprintf(opening, sizeof opening, "<clipPath id=\"%s\"", id);
      assert_int_equal(count(body, opening), 1);
    }
    free(f.items);
    free(svg);
  }
  // plots, poses, energy account, poles, modes
  assert_int_equal(pictures, 5);
  assert_int_equal(count(body, "class=\"still\""), 5);
  free(body);
  viva_report_free(r);
  viva_model_free(m);
}

static void the_table_of_results_tells_extremes(void **state) {
  (void)state;
  // x = cos(2 t): from 1, least -1, and x' = -2 sin(2 t); until t = pi, at rows of pi/1000
  viva_model *m =
      parse("param k = 4\ncoord x = 1 [m]\nkinetic 1/2*x'^2\npotential 1/2*k*x^2\nsimulate to pi step pi/1000\n");
  viva_report *r;
  assert_int_equal(viva_report_model(m, NULL, &r), VIVA_OK);
  const char *page = viva_report_page(r, NULL), *row = strstr(page, "<tr><th scope=\"row\">x</th><td>m</td>");
  assert_non_null(row);
  double n[6];
  const char *s = row;
  for (int i = 0; i < 6; i++) {
    s = strstr(s, "<td class=\"n\">");
    assert_non_null(s);
    s += strlen("<td class=\"n\">");
    n[i] = strtod(s, NULL);
  }
  const double half = 1.57079632679; // x is least at pi/2
  const double want[6] = {1, 1, -1, half, 1, 0};
  // six digits are printed
  for (int i = 0; i < 5; i++) assert_true(fabs(n[i] - want[i]) <= 5e-6 * fabs(want[i]));
  viva_report_free(r);
  viva_model_free(m);
}

static void a_run_that_stops_half_way_still_has_a_page(void **state) {
  (void)state;
  viva_model *m = parse("coord x = 1\nkinetic 1/2*x'^2\npotential 1000*ln(x)\noutput x\nsimulate to 1 step 0.001\n");
  viva_report *r;
  assert_int_equal(viva_report_model(m, NULL, &r), VIVA_EFAIL);
  assert_non_null(viva_report_message(r));
  const char *page = viva_report_page(r, NULL);
  assert_non_null(page);
  assert_true(has(page, "class=\"trouble\""));
  assert_true(has(page, "<section id=\"motion\""));
  viva_report_free(r);
  viva_model_free(m);
}

static viva_report *report_of(const viva_model *m, viva_status want) {
  viva_report *r;
  assert_int_equal(viva_report_model(m, NULL, &r), want);
  return r;
}

// Under "value in SI" stands what the formula comes to; the formula stands beside it.
static void values_are_numbers(void **state) {
  (void)state;
  viva_model *m = parse("param l = 400 [cm] \"rope\", g = 9.81 [m/s^2], T = pi*sqrt(l/g) [s]\ncoord x = l/8 "
                        "[m]\nkinetic 1/2*x'^2\npotential 1/2*T*x^2\nsimulate to 1 step 0.1\n");
  viva_report *r = report_of(m, VIVA_OK);
  const char *page = viva_report_page(r, NULL), *row = strstr(page, "<tr><th scope=\"row\">T</th>");
  assert_non_null(row);
  row = strstr(row, "<td class=\"n\">") + strlen("<td class=\"n\">");
  assert_true(fabs(strtod(row, NULL) - 3.14159265358979 * sqrt(4 / 9.81)) < 1e-5);
  assert_true(has(row, "<td>pi*sqrt(l/g) s</td>"));
  assert_true(has(page, "<td>400 cm</td><td>rope</td>"));
  const char *start = strstr(page, "<caption>Coordinates, velocities and states at the start</caption>");
  assert_non_null(start);
  start = strstr(start, "<td class=\"n\">") + strlen("<td class=\"n\">");
  assert_true(fabs(strtod(start, NULL) - 0.5) < 1e-12);
  viva_report_free(r);
  viva_model_free(m);
}

// Behind each point of the column stand as many characters, in every row.
static void points_stand_below_points(void **state) {
  (void)state;
  viva_model *m = parse("param a = 1234.5, b = -0.25, c = 7, d = 1e-9\ncoord x = 1\nkinetic 1/2*x'^2\npotential 1/2*(a "
                        "+ b + c + d)*x^2\nsimulate to 1 step 0.1\n");
  viva_report *r = report_of(m, VIVA_OK);
  const char *s = strstr(viva_report_page(r, NULL), "<caption>Parameters</caption>");
  assert_non_null(s);
  size_t behind[4];
  for (int i = 0; i < 4; i++) {
    s = strstr(s, "<td class=\"n\">") + strlen("<td class=\"n\">");
    size_t n = strcspn(s, "<"), whole = strcspn(s, ".e\xC2<");
    behind[i] = 0;
    for (size_t k = whole; k < n; k++) behind[i] += ((unsigned char)s[k] & 0xC0) != 0x80;
  }
  for (int i = 1; i < 4; i++) assert_int_equal(behind[i], behind[0]);
  assert_true(behind[0] > 0);
  viva_report_free(r);
  viva_model_free(m);
}

static bool count_row(void *self, const double *values, size_t count_of) {
  (void)values, (void)count_of;
  ++*(size_t *)self;
  return true;
}

// What the page says of its table is what `viva run` writes: jumps add rows to pictures, not to tables.
static void the_count_of_rows_is_that_of_the_table(void **state) {
  (void)state;
  static const struct {
    const char *text, *options;
    double every;
  } all[] = {
      {"state y = 0, u = 0\ny' = u - y\nevery 0.1 do u := 1 - y\nsimulate to 2 step 0.01\n", "", NAN},
      {"coord h = 1\nkinetic 1/2*h'^2\npotential 9.81*h\nwhen h < 0 do h' := -0.8*h'\nsimulate to 2 every 0.05\n", "",
       NAN},
      {"state x = 1\nx' = -x\nsimulate to 10\n", " --every 0.01",
       0.01}, // nobody says how far apart: the page takes more than a table
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    viva_model *m = parse(all[i].text);
    viva_report *r = report_of(m, VIVA_OK);
    size_t rows = 0;
    viva_sink sink = {&rows, NULL, count_row};
    viva_run_options o = viva_run_defaults();
    o.every = all[i].every;
    viva_run *run;
    assert_int_equal(viva_run_model(m, &o, &sink, &run), VIVA_OK);
    char want[200], short_form[60];
    snprintf(want, sizeof want, "The whole table has %zu rows: <code>viva run spring.viva%s --out motion.csv</code>",
             rows, all[i].options);
    snprintf(short_form, sizeof short_form, " s, %zu rows</dd>", rows);
    if (!has(viva_report_page(r, NULL), want) || !has(viva_report_page(r, NULL), short_form))
      fail_msg("%s is not in the page", want);
    viva_run_free(run);
    viva_report_free(r);
    viva_model_free(m);
  }
}

static void a_failed_run_is_told_at_the_top(void **state) {
  (void)state;
  viva_model *m = parse("coord x = 1\nkinetic 1/2*x'^2\npotential 1000*ln(x)\noutput x\nsimulate to 1 step 0.001\n");
  viva_report *r = report_of(m, VIVA_EFAIL);
  const char *page = viva_report_page(r, NULL), *told = strstr(page, "<div class=\"failed\">"),
             *first = strstr(page, "<section id=\"model\"");
  assert_true(told && first && told < first);
  assert_true(has(told, "did not come to its end"));
  assert_int_equal(count(page, "class=\"trouble\""), 2); // there, and with the run
  assert_false(has(page, "some/where"));                 // not even in the message
  viva_report_free(r);
  viva_model_free(m);
  m = parse("coord x = 1\nkinetic 1/2*x'^2\npotential x^2\nsimulate to 1 step 0.1\n");
  r = report_of(m, VIVA_OK);
  assert_false(has(viva_report_page(r, NULL), "<div class=\"failed\">"));
  viva_report_free(r);
  viva_model_free(m);
}

static void long_lists_are_folded(void **state) {
  (void)state;
  viva_model *m = parse("param n = 200\nstate T[i] = 293 + i for i in 1 .. n\nT[i]' = -T[i] for i in 1 .. n\noutput a "
                        "= T[1]\nsimulate to 1 step 0.5\n");
  viva_report *r = report_of(m, VIVA_OK);
  const char *page = viva_report_page(r, NULL),
             *fold =
                 strstr(page, "<details><summary>Coordinates, velocities and states at the start: 200 rows</summary>");
  assert_non_null(fold);
  const char *end = strstr(fold, "</details>"), *last = strstr(fold, "T[200]");
  assert_true(end && last && last < end);
  assert_int_equal(count(page, "<details>"), count(page, "</details>"));
  viva_report_free(r);
  viva_model_free(m);
  m = parse(text);
  r = report_of(m, VIVA_OK);
  assert_false(has(viva_report_page(r, NULL), "<details>"));
  viva_report_free(r);
  viva_model_free(m);
}

// Blocks and events stand among the equations of the page.
static void the_equations_are_whole(void **state) {
  (void)state;
  viva_model *m = parse("state h = 0.5, n = 0\nlet pump = hysteresis(h, 0.2, 0.8, 0, 1)\nh' = 0.6*pump - 0.25\nwhen h "
                        "> 0.7 do n := n + 1\nsimulate to 5 step 0.1\n");
  viva_report *r = report_of(m, VIVA_OK);
  const char *section = strstr(viva_report_page(r, NULL), "<section id=\"equations\"");
  assert_non_null(section);
  const char *end = strstr(section, "</section>"), *block = strstr(section, "<mtext>as it was</mtext>"),
             *event = strstr(section, "<p>When <math>"), *between = strstr(section, "<mtext>between events</mtext>");
  assert_true(block && block < end);
  assert_true(event && event < end);
  assert_true(between && between < end);
  viva_report_free(r);
  viva_model_free(m);
}

static void wrong_calls_and_models(void **state) {
  (void)state;
  viva_report *r;
  assert_int_equal(viva_report_model(NULL, NULL, &r), VIVA_EUSAGE);
  viva_model *m = parse("coord x = 1\nkinetic 1/2*x'^2\npotential 1/2*x^2\nplot -x^2 log\nsimulate to 1 step 0.1\n");
  assert_int_equal(viva_report_model(m, NULL, NULL), VIVA_EUSAGE);
  // nothing of it has a place on its axis
  assert_int_equal(viva_report_model(m, NULL, &r), VIVA_EINPUT);
  assert_null(viva_report_page(r, NULL));
  assert_true(has(viva_report_message(r), "logarithmic"));
  viva_report_free(r);
  viva_report_options o = viva_report_defaults();
  o.run.method = "magic";
  assert_int_equal(viva_report_model(m, &o, &r), VIVA_EINPUT);
  assert_true(has(viva_report_message(r), "magic"));
  viva_report_free(r);
  viva_report_free(NULL);
  assert_null(viva_report_page(NULL, NULL));
  viva_model_free(m);
}

// x'' = -4 x: eigenvalues +-2i on the imaginary axis; with a negative spring they are +-2, and it grows.
static void the_linear_model_tells_what_small_deviations_do(void **state) {
  (void)state;
  static const struct {
    const char *model, *words, *number;
  } all[] = {
      {"coord x = 1\nkinetic 1/2*x'^2\npotential 2*x^2\nsimulate to 1 step 0.1\n",
       "Marginal by the linearization: 2 eigenvalues on the imaginary axis, exactly.",
       "<td class=\"n\">0</td><td class=\"n\">±2</td>"},
      {"coord x = 1\nkinetic 1/2*x'^2\npotential -2*x^2\nsimulate to 1 step 0.1\n",
       "Unstable: 1 eigenvalue right of the imaginary axis, 1 left of it, exactly.",
       "<td class=\"n\">2</td><td class=\"n\">–</td>"},
      {"coord x = 1\nkinetic 1/2*x'^2\npotential 2*x^2\ndissipation 2*x'^2\nsimulate to 1 step 0.1\n",
       "Asymptotically stable: 2 eigenvalues", "<section id=\"linear\""},
      // the damping is far below rounding, and the verdict is that of `viva linearize`
      {"coord x = 1\nkinetic 1/2*x'^2\npotential 1/2*x^2\ndissipation 1/2*1e-12*x'^2\nsimulate to 1 step 0.1\n",
       "Asymptotically stable: 2 eigenvalues left of the imaginary axis, exactly.",
       "<td class=\"n\">-5e-13</td><td class=\"n\">±1</td>"},
      // pairs have one row, numbered as the modes are: the real one behind a pair is the second
      {"state a = 1, b = 0, c = 0\na' = b\nb' = -4*a - b\nc' = -3*c\nsimulate to 1 step 0.1\n",
       "Asymptotically stable: 3 eigenvalues", "<th scope=\"row\">2</th><td class=\"n\">-3</td>"},
      // samples and dead times: the verdict is that of the whole
      {"state x = 1, u = 0\nx' = u - x\nevery 0.1 do u := -3*x\nsimulate to 1 step 0.1\n",
       "Asymptotically stable, with its dead times and samples.", "<section id=\"linear\""},
      {"state x = 1\nx' = -x + delay(x, 1)\nsimulate to 1 step 0.1\n", "Marginal, with its dead times and samples.",
       "<section id=\"linear\""},
      {"coord x = 0.01\nkinetic 1/2*x'^2\npotential 5*x^2\nforce x = friction(x', 1, 1.2)\nsimulate to 1 step 0.1\n",
       "(line 4) holds", "<td class=\"n\">0</td><td class=\"n\">–</td>"},
      {"coord x = 1\nkinetic 1/2*x'^2\nforce x = 1 + x^2\nsimulate to 0.1 step 0.1\n", "No equilibrium was found",
       "<section id=\"linear\""}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    viva_model *m = parse(all[i].model);
    viva_report *r;
    assert_int_equal(viva_report_model(m, NULL, &r), VIVA_OK);
    char *body = body_of(viva_report_page(r, NULL));
    assert_true(has(body, all[i].words));
    // blanks that align numbers do not count
    char *to = body;
    for (const char *from = body; *from;) {
      if (strncmp(from, "\xC2\xA0", 2) == 0) from += 2;
      else *to++ = *from++;
    }
    *to = '\0';
    assert_true(has(body, all[i].number));
    free(body);
    viva_report_free(r);
    viva_model_free(m);
  }
}

static void equations_are_formulas_and_steps_are_asked_for(void **state) {
  (void)state;
  viva_model *m = parse(text);
  viva_report_options o = viva_report_defaults();
  o.steps = true;
  viva_report *plain, *steps;
  assert_int_equal(viva_report_model(m, NULL, &plain), VIVA_OK);
  assert_int_equal(viva_report_model(m, &o, &steps), VIVA_OK);
  // m x'' + k x = 0: one formula; its derivation has the energies and the momentum besides
  char *a = body_of(viva_report_page(plain, NULL)), *b = body_of(viva_report_page(steps, NULL));
  assert_int_equal(count(a, "<math"), 1);
  assert_int_equal(count(a, "</math>"), 1);
  assert_false(has(a, "id=\"derivation\""));
  assert_true(has(b, "<section id=\"derivation\""));
  assert_true(count(b, "<math") > 5);
  assert_int_equal(count(b, "<math"), count(b, "</math>"));
  free(a);
  free(b);
  viva_report_free(plain);
  viva_report_free(steps);
  viva_model_free(m);
}

static void the_same_model_gives_the_same_bytes(void **state) {
  (void)state;
  viva_model *m = parse(text);
  viva_report *a, *b;
  assert_int_equal(viva_report_model(m, NULL, &a), VIVA_OK);
  assert_int_equal(viva_report_model(m, NULL, &b), VIVA_OK);
  assert_string_equal(viva_report_page(a, NULL), viva_report_page(b, NULL));
  viva_report_free(a);
  viva_report_free(b);
  viva_model_free(m);
}

// y = a + b t with noise of -0.1 and 0.1 in turn: b = 2 - 0.5/82.5, a = 12 - 4.5 b.
static void a_fit_has_its_section(void **state) {
  (void)state;
  static const char model[] = "param a = 1, b = 1\noutput y = a + b*t\nsimulate to 9\n";
  char path[] = "/tmp/viva_report_XXXXXX", line[256];
  int fd = mkstemp(path);
  FILE *f = fdopen(fd, "w");
  assert_non_null(f);
  fputs("t,y\n", f);
  for (int t = 0; t < 10; t++) fprintf(f, "%d,%.3f\n", t, 3 + 2 * t + (t % 2 ? -0.1 : 0.1));
  fclose(f);
  snprintf(line, sizeof line, "fit a in 0 .. 10, b in 0 .. 10 to \"%s\" by y", path);
  viva_load_options load = viva_load_defaults();
  load.fit = line;
  viva_model *m;
  assert_int_equal(viva_model_parse("line.viva", model, strlen(model), &load, &m), VIVA_OK);
  viva_report *r = report_of(m, VIVA_OK);
  char *body = body_of(viva_report_page(r, NULL));
  const char *const parts[] = {"<section id=\"fit\"",
                               "id=\"fit-curves\"",
                               "id=\"fit-residuals\"",
                               "id=\"fit-profiles\"",
                               "id=\"fit-correlation\"",
                               "1.99394",
                               "3.02727"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) assert_true(has(body, parts[i]));
  free(body);
  viva_report_free(r);
  // a page without the data tells why, and is no success
  f = fopen(path, "w");
  assert_non_null(f);
  fputs("t,y\n0,1\n1,two\n2,3\n", f);
  fclose(f);
  r = report_of(m, VIVA_EFAIL);
  body = body_of(viva_report_page(r, NULL));
  assert_true(has(body, "The unknowns were not found.") && has(body, "this is not a number"));
  assert_true(has(viva_report_message(r), ":3:3: error:"));
  free(body);
  viva_report_free(r);
  unlink(path);
  viva_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_page_has_every_section_once),
                                     cmocka_unit_test(what_a_user_wrote_is_never_markup),
                                     cmocka_unit_test(nothing_is_fetched),
                                     cmocka_unit_test(pictures_stand_in_the_page),
                                     cmocka_unit_test(the_table_of_results_tells_extremes),
                                     cmocka_unit_test(a_run_that_stops_half_way_still_has_a_page),
                                     cmocka_unit_test(values_are_numbers),
                                     cmocka_unit_test(points_stand_below_points),
                                     cmocka_unit_test(the_count_of_rows_is_that_of_the_table),
                                     cmocka_unit_test(a_failed_run_is_told_at_the_top),
                                     cmocka_unit_test(long_lists_are_folded),
                                     cmocka_unit_test(the_equations_are_whole),
                                     cmocka_unit_test(wrong_calls_and_models),
                                     cmocka_unit_test(the_linear_model_tells_what_small_deviations_do),
                                     cmocka_unit_test(equations_are_formulas_and_steps_are_asked_for),
                                     cmocka_unit_test(the_same_model_gives_the_same_bytes),
                                     cmocka_unit_test(a_fit_has_its_section)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

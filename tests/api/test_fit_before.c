// What data can tell, by the equations: against what textbooks say, and against the rank of slopes.
//
// A proof that unknowns act only through combinations says how many numbers of the unknowns are lost. Sensitivities
// know nothing of it: their rank at points of the range is at most what is left, and here exactly that. The broken twin
// is a model that is not symmetric: nothing is proved of it, and the rank is full.
#include "tests/support.h"

#include "viva/viva.h"

#include "tests/api/font_leaks.h"

#include <unistd.h>

typedef struct Asked {
  const char *model, *line; // the line, with %s for the data
  const char *says;         // in the summary
  unsigned lost, unknowns;
} Asked;

#define SPRING "coord x = 1\nkinetic 1/2*m*x'^2\npotential 1/2*k*x^2\ndissipation 1/2*c*x'^2\n"

static const Asked asked[] = {
    {"param m = 1, k = 4, c = 0.3\n" SPRING, "fit m in 0.5 .. 2, k in 1 .. 9, c in 0.1 .. 1 to \"%s\" by x",
     "act only through m/k and m/c", 1, 3},
    {"param m = 1, k = 4, c = 0.3\n" SPRING, "fit m in 0.5 .. 2, k in 1 .. 9 to \"%s\" by x", NULL, 0, 2},
    {"param m = 1, k = 4, c = 0.3\n" SPRING "input u = sin(t)\nforce x = u\n",
     "fit m in 0.5 .. 2, k in 1 .. 9, c in 0.1 .. 1 to \"%s\" by x", NULL, 0, 3},
    {"param m = 1, k = 4, c = 0.3, s = 2\n" SPRING, "fit s in 1 .. 3, x in 0.5 .. 2 to \"%s\" by s*x = \"x\"",
     "act only through s*x(0)", 1, 2},
    {"param l = 1, g = 9.81\ncoord th = 1\nkinetic 1/2*l^2*th'^2\npotential -g*l*cos(th)\n",
     "fit l in 0.5 .. 2, g in 5 .. 15 to \"%s\" by th = \"x\"", "act only through l/g", 1, 2},
    {"param R = 2, C = 0.3, U = 5\nstate q = 0\nq' = (U - q/C)/R\n",
     "fit R in 1 .. 4, C in 0.1 .. 1, U in 1 .. 9 to \"%s\" by q = \"x\"", "act only through R*C and R/U", 1, 3},
    {"param R = 2, C = 0.3, U = 5\nstate q = 0\nq' = (U - q/C)/R\n",
     "fit R in 1 .. 4, C in 0.1 .. 1, U in 1 .. 9 to \"%s\" by q/C = \"x\"", "act only through R*C", 1, 3},
    {"param a = 1, b = 2\nstate y = 0\ny' = a + b - y\n", "fit a in 0 .. 3, b in 0 .. 3 to \"%s\" by y = \"x\"",
     "act only through a + b", 1, 2},
    {"param p = 1, q = 2\nstate y = 1\ny' = -p*y + q*y^2\n", "fit p in 3 .. 5, q in 0.1 .. 2 to \"%s\" by y = \"x\"",
     NULL, 0, 2}};

// What the literature says of known models: two compartments (Godfrey 1983), the SIR model whose cases are counted by
// an unknown part (Evans et al. 2005), a motor by voltage and speed, Goodwin's oscillator (Sedoglavic 2002).
#define COMPARTMENTS                                                                                                   \
  "param a = 0.3, b = 0.2, c = 0.5, d = 0.7\nstate y = 1, z = 0\ny' = -(a + d)*y + c*z\nz' = d*y - (b + c)*z\n"
#define GOODWIN                                                                                                        \
  "param a = 2, A = 1, b = 0.3, c = 0.5, d = 0.4, e = 0.6, f = 0.7, s = 3\nstate x = 1, y = 0.5, z = 0.3\n"            \
  "x' = -b*x + a/(A + z^s)\ny' = c*x - d*y\nz' = e*y - f*z\n"
#define MOTOR                                                                                                          \
  "param K = 0.5, J = 0.01, b = 0.02, R = 1, L = 0.1\nstate i = 0.3, w = 0\ni' = (5*sin(3*t) - R*i - K*w)/L\n"         \
  "w' = (K*i - b*w)/J\n"

typedef struct Known {
  const char *model, *line, *says;
  const char *json; // of the unknowns that are told
} Known;
static const Known known[] = {
    {COMPARTMENTS, "fit a in 0 .. 2, b in 0 .. 2, c in 0 .. 2, d in 0 .. 2 to \"%s\" by y = \"x\"",
     "`a`, `b`, `c`, `d` act only through b + c, a + d and c*d", "\"told_apart\": []"},
    {COMPARTMENTS, "fit a in 0 .. 2, c in 0 .. 2, d in 0 .. 2 to \"%s\" by y = \"x\"",
     "tells all unknowns apart, by the equations", "\"told_apart\": [\"a\", \"c\", \"d\"]"},
    {"param b = 0.5, c = 0.2, k = 0.1\nstate S = 10, I = 0.1\nS' = -b*S*I\nI' = b*S*I - c*I\n",
     "fit b in 0.1 .. 2, c in 0.1 .. 1, k in 0.1 .. 1, S in 1 .. 20, I in 0.1 .. 1 to \"%s\" by k*I = \"x\"",
     "act only through b/k, b*S(0) and b*I(0)", "\"told_apart\": [\"c\"]"},
    {MOTOR, "fit K in 0.1 .. 2, J in 0.01 .. 0.1, b in 0 .. 1 to \"%s\" by w = \"x\"",
     "tells all unknowns apart, by the equations", "\"told_apart\": [\"K\", \"J\", \"b\"]"},
    {GOODWIN,
     "fit a in 1 .. 3, A in 0.5 .. 2, b in 0.1 .. 1, c in 0.1 .. 1, d in 0.1 .. 1, e in 0.1 .. 1, f in 0.1 .. 1, s in "
     "1 "
     ".. 5, x in 0.5 .. 2, y in 0.1 .. 2, z in 0.1 .. 1 to \"%s\" by x",
     "`a`, `A`, `c`, `e`, `y(0)`, `z(0)` are not identifiable",
     "\"told_apart\": [\"b\", \"d\", \"f\", \"s\", \"x(0)\"]"},
    {"param a = 1, b = 2, c = 1\nstate y = 1\ny' = -(a^2 + b*c)*y\n",
     "fit a in 0.1 .. 1, b in 1 .. 3, c in 1 .. 3 to \"%s\" by y = \"x\"", "act only through a^2 + b*c",
     "\"told_apart\": []"},
    // a sine of an unknown start
    {"param l = 1, d = 0.1\ncoord th = 0\nkinetic 1/2*l^2*th'^2\npotential -9.81*l*cos(th)\ndissipation 1/2*d*th'^2\n",
     "fit l in 0.5 .. 2, d in 0 .. 1, th in 0.1 .. 1 to \"%s\" by th = \"x\"", "tells all unknowns apart",
     "\"told_apart\": [\"l\", \"d\", \"th(0)\"]"}};

static char path[] = "/tmp/viva_fit_XXXXXX";

static double number_after(const char *json, const char *key) {
  char quoted[64];
  snprintf(quoted, sizeof quoted, "\"%s\":", key);
  const char *at = strstr(json, quoted);
  assert_non_null(at);
  return strtod(at + strlen(quoted), NULL);
}

static void proofs_agree_with_the_rank_of_slopes(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
    const Asked *a = &asked[i];
    char line[512];
    snprintf(line, sizeof line, a->line, path);
    viva_load_options load = viva_load_defaults();
    load.fit = line;
    viva_model *m;
    viva_fit *fit;
    assert_int_equal(viva_model_parse("m.viva", a->model, strlen(a->model), &load, &m), VIVA_OK);
    viva_fit_options o = viva_fit_defaults();
    o.only_before = true;
    assert_int_equal(viva_fit_model(m, &o, &fit), VIVA_OK);
    const char *text = viva_fit_summary(fit, VIVA_FORMAT_TEXT);
    if (a->says ? !strstr(text, a->says) : strstr(text, "act only through") != NULL) fail_msg("model %zu: %s", i, text);
    double rank = number_after(viva_fit_summary(fit, VIVA_FORMAT_JSON), "rank");
    if (rank != a->unknowns - a->lost) fail_msg("model %zu: rank %g\n%s", i, rank, text);
    viva_fit_free(fit);
    viva_model_free(m);
  }
}

static void known_models_are_told_apart_as_the_literature_says(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    char line[512];
    snprintf(line, sizeof line, known[i].line, path);
    viva_load_options load = viva_load_defaults();
    load.fit = line;
    viva_model *m;
    viva_fit *fit;
    assert_int_equal(viva_model_parse("m.viva", known[i].model, strlen(known[i].model), &load, &m), VIVA_OK);
    viva_fit_options o = viva_fit_defaults();
    o.only_before = true;
    assert_int_equal(viva_fit_model(m, &o, &fit), VIVA_OK);
    const char *text = viva_fit_summary(fit, VIVA_FORMAT_TEXT), *json = viva_fit_summary(fit, VIVA_FORMAT_JSON);
    if (!strstr(text, known[i].says) || !strstr(json, known[i].json)) fail_msg("model %zu: %s\n%s", i, text, json);
    viva_fit_free(fit);
    viva_model_free(m);
  }
}

// ---- pictures

static viva_fit *fitted(viva_model **m, bool pictures, const char *method) {
  static const char line_model[] = "param a = 1, b = 1\nstate y = 1\ny' = -a*y + b\n";
  char line[256];
  snprintf(line, sizeof line, "fit a in 0.1 .. 3, b in 0 .. 3 to \"%s\" by y = \"x\"", path);
  viva_load_options load = viva_load_defaults();
  load.fit = line;
  assert_int_equal(viva_model_parse("m.viva", line_model, strlen(line_model), &load, m), VIVA_OK);
  viva_fit_options o = viva_fit_defaults();
  o.pictures = pictures;
  o.method = method;
  o.generations = method && strcmp(method, "ga") == 0 ? 4 : 0;
  viva_fit *fit = NULL;
  assert_int_equal(viva_fit_model(*m, &o, &fit), VIVA_OK);
  return fit;
}

static size_t drawn(const viva_fit *fit, unsigned parts, const char *has, const char *has_not) {
  char *data;
  size_t length;
  assert_int_equal(viva_fit_draw(fit, NULL, parts, VIVA_PICTURE_SVG, &data, &length), VIVA_OK);
  assert_true(length == strlen(data) && strncmp(data, "<svg", 4) == 0);
  if (has) assert_non_null(strstr(data, has));
  if (has_not) assert_null(strstr(data, has_not));
  viva_text_free(data);
  return length;
}

static void a_fit_is_drawn_by_panels(void **state) {
  (void)state;
  viva_model *m;
  viva_fit *fit = fitted(&m, true, "lm");
  size_t all = drawn(fit, 0, "cost above the least", "generation");
  assert_true(drawn(fit, VIVA_FIT_CURVES, "95 % of measurements", "cost above") < all);
  drawn(fit, VIVA_FIT_RESIDUALS, "data − fit", "cost above");
  drawn(fit, VIVA_FIT_PROFILES, "by the standard error", "of measurements");
  drawn(fit, VIVA_FIT_CORRELATION, "correlation", "of measurements");
  char *data;
  size_t length;
  assert_int_equal(viva_fit_draw(fit, NULL, VIVA_FIT_EVOLUTION, VIVA_PICTURE_SVG, &data, &length), VIVA_EINPUT);
  assert_true(!data && !length);
  assert_int_equal(viva_fit_draw(fit, NULL, 0, VIVA_PICTURE_PNG, &data, &length), VIVA_OK);
  assert_true(length > 8 && memcmp(data, "\x89PNG\r\n\x1a\n", 8) == 0);
  viva_text_free(data);
  assert_int_equal(viva_fit_draw(fit, NULL, VIVA_FIT_CURVES, VIVA_PICTURE_TERMINAL, &data, &length), VIVA_OK);
  assert_true(length > 100);
  viva_text_free(data);
  viva_fit_free(fit);
  viva_model_free(m);
  fit = fitted(&m, true, "ga");
  drawn(fit, VIVA_FIT_EVOLUTION, "generation", "of measurements");
  viva_fit_free(fit);
  viva_model_free(m);
  fit = fitted(&m, false, "lm");
  assert_int_equal(viva_fit_draw(fit, NULL, 0, VIVA_PICTURE_SVG, &data, &length), VIVA_EINPUT);
  viva_fit_free(fit);
  viva_model_free(m);
}

// ---- more rows than tables are kept for

// y = a + b t at t = 0 .. n - 1 with noise of 0.1 and -0.1 in turn: all sums have closed forms.
static void a_line_of_many_rows_is_that_of_the_textbook(void **state) {
  (void)state;
  enum { n = 70000 };
  static const char model[] = "param a = 1, b = 1\noutput y = a + b*t\n";
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  fputs("t,x\n", f);
  for (int i = 0; i < n; i++) fprintf(f, "%d,%.17g\n", i, 3 + 2e-4 * i + (i % 2 ? -0.1 : 0.1));
  fclose(f);
  double middle = (n - 1) / 2.0, sxx = n * ((double)n * n - 1) / 12, b = 2e-4 - 0.1 * n / 2 / sxx,
         a = 3 + 2e-4 * middle - b * middle, cost = 0;
  for (int i = 0; i < n; i++) {
    double r = a + b * i - (3 + 2e-4 * i + (i % 2 ? -0.1 : 0.1));
    cost += r * r;
  }
  double s2 = cost / (n - 2);
  char line[256];
  snprintf(line, sizeof line, "fit a in 0 .. 10, b in -1 .. 1 to \"%s\" by y = \"x\"", path);
  viva_load_options load = viva_load_defaults();
  load.fit = line;
  viva_model *m;
  viva_fit *fit;
  assert_int_equal(viva_model_parse("m.viva", model, strlen(model), &load, &m), VIVA_OK);
  viva_fit_options o = viva_fit_defaults();
  o.method = "lm";
  assert_int_equal(viva_fit_model(m, &o, &fit), VIVA_OK);
  viva_estimate ea = viva_fit_estimate(fit, 0), eb = viva_fit_estimate(fit, 1);
  double sa = sqrt(s2 * (1.0 / n + middle * middle / sxx)), sb = sqrt(s2 / sxx), t = 1.96; // to 1e-4
  print_message("off by %.2g and %.2g of the standard errors\n", (ea.value - a) / sa, (eb.value - b) / sb);
  assert_true(fabs(ea.value - a) < 1e-4 * sa && fabs(eb.value - b) < 1e-4 * sb);
  assert_true(fabs(ea.stderr_ / sa - 1) < 1e-9 && fabs(eb.stderr_ / sb - 1) < 1e-9);
  assert_true(fabs((ea.high - a) / (t * sa) - 1) < 2e-3 && fabs((b - eb.low) / (t * sb) - 1) < 2e-3);
  viva_fit_free(fit);
  viva_model_free(m);
}

int main(void) {
  int fd = mkstemp(path);
  if (fd < 0) return 1;
  FILE *f = fdopen(fd, "w");
  if (!f) return 1;
  fputs("t,x\n", f);
  for (int i = 0; i < 40; i++) fprintf(f, "%g,%g\n", 0.1 * i, exp(-0.1 * i) + (i % 3 - 1) * 0.01);
  fclose(f);
  const struct CMUnitTest tests[] = {cmocka_unit_test(proofs_agree_with_the_rank_of_slopes),
                                     cmocka_unit_test(known_models_are_told_apart_as_the_literature_says),
                                     cmocka_unit_test(a_fit_is_drawn_by_panels),
                                     cmocka_unit_test(a_line_of_many_rows_is_that_of_the_textbook)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(path);
  return failed;
}

// Sweeps from the outside: the examples against closed forms, tables that are read back, pictures.
#define _DEFAULT_SOURCE
#include "tests/support.h"

#include "viva/viva.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct Swept {
  viva_model *model;
  viva_sweep *sweep;
} Swept;

static viva_sweep_options options(const char *const *vary, size_t vary_count, const char *const *random,
                                  size_t random_count, const char *const *measures, size_t measure_count) {
  viva_sweep_options o = viva_sweep_defaults();
  o.vary = vary;
  o.vary_count = vary_count;
  o.random = random;
  o.random_count = random_count;
  o.run.measures = measures;
  o.run.measure_count = measure_count;
  return o;
}

static Swept swept(const char *example, const viva_sweep_options *o) {
  Swept s = {0};
  char path[1024];
  snprintf(path, sizeof path, "%s/examples/sweep/%s", VIVA_ROOT, example);
  assert_int_equal(viva_model_load(path, NULL, &s.model), VIVA_OK);
  viva_status status = viva_sweep_model(s.model, o, &s.sweep);
  if (status != VIVA_OK) fail_msg("%s", viva_sweep_message(s.sweep));
  return s;
}

static void done(Swept *s) {
  viva_sweep_free(s->sweep);
  viva_model_free(s->model);
}

static void near_to(double value, double expected, double most) {
  if (!(fabs(value - expected) <= most)) fail_msg("%.17g, not %.17g", value, expected);
}

// 1 + exp(-pi z/sqrt(1 - z^2)), sample by sample.
static void a_grid_has_the_overshoot_of_the_closed_form(void **state) {
  (void)state;
  const char *vary[] = {"d=0.25:0.25:4", "k=log:1:100:13"}, *measure[] = {"max(x)*k/F"};
  viva_sweep_options o = options(vary, 2, NULL, 0, measure, 1);
  char path[] = "/tmp/viva-sweep-XXXXXX";
  close(mkstemp(path));
  o.path = path;
  Swept s = swept("overshoot.viva", &o);
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  char line[400];
  size_t rows = 0;
  const double pi = acos(-1);
  while (fgets(line, sizeof line, f)) {
    int index;
    double d, k, peak;
    if (sscanf(line, "%d,%lf,%lf,%lf,done", &index, &d, &k, &peak) != 4) continue;
    double z = d / (2 * sqrt(k)), root = sqrt(fmax(1 - z * z, 0));
    if (z < 1 && pi / (sqrt(k) * root) < 12) near_to(peak, 1 + exp(-pi * z / root), 1e-9), rows++;
  }
  fclose(f);
  remove(path);
  assert_true(rows > 150);
  assert_int_equal(viva_sweep_done(s.sweep), 208);
  done(&s);
}

// x(T) = x0 + v0 T is normal: 120 and sqrt(66.6); Sobol's draws are nearer than chance would be.
static void correlated_starts_drift_apart_as_they_should(void **state) {
  (void)state;
  const char *random[] = {"x=normal(0, 3)", "x'=normal(2, 0.1)"}, *measure[] = {"final(x)"};
  viva_sweep_options o = options(NULL, 0, random, 2, measure, 1);
  o.samples = 8192;
  o.sampling = VIVA_SAMPLING_SOBOL;
  o.correlation = "[1, 0.6; 0.6, 1]";
  Swept s = swept("drift.viva", &o);
  viva_statistics x = viva_sweep_statistics(s.sweep, 0);
  const double sd = sqrt(66.6);
  assert_int_equal(x.count, 8192);
  near_to(x.mean, 120, 0.02);
  near_to(x.sd, sd, 0.02);
  near_to(x.median, 120, 0.05);
  near_to(x.low, 120 - 1.6448536269514722 * sd, 0.1);
  near_to(x.high, 120 + 1.6448536269514722 * sd, 0.1);
  done(&s);
}

// A product of lognormal quantities: mean exp(mu + s^2/2), deviation mean sqrt(exp(s^2) - 1), and its quantiles.
static void a_formula_without_motion_is_lognormal(void **state) {
  (void)state;
  const char *random[] = {"P=lognormal(4.6, 0.2)", "E=lognormal(25.97, 0.05)", "b=lognormal(-3.91, 0.02)",
                          "h=lognormal(-3.5, 0.03)"};
  const char *measure[] = {"final(w)"};
  viva_sweep_options o = options(NULL, 0, random, 4, measure, 1);
  o.samples = 8192;
  o.sampling = VIVA_SAMPLING_SOBOL;
  Swept s = swept("beam.viva", &o);
  viva_statistics w = viva_sweep_statistics(s.sweep, 0);
  const double mu = log(4) + 4.6 - 25.97 + 3.91 + 10.5, v = 0.051, mean = exp(mu + v / 2);
  near_to(w.mean, mean, 2e-4 * mean);
  near_to(w.sd, mean * sqrt(exp(v) - 1), 3e-3 * w.sd);
  near_to(w.median, exp(mu), 1e-3 * w.median);
  near_to(w.low, exp(mu - 1.6448536269514722 * sqrt(v)), 3e-3 * w.low);
  done(&s);
}

// Indices of Ishigami's function, from the JSON.
static void indices_are_those_of_ishigami(void **state) {
  (void)state;
  const char *vary[] = {"x1=-pi:pi", "x2=-pi:pi", "x3=-pi:pi"}, *measure[] = {"final(f)"};
  viva_sweep_options o = options(vary, 3, NULL, 0, measure, 1);
  o.samples = 8192;
  o.sampling = VIVA_SAMPLING_SOBOL;
  o.indices = true;
  Swept s = swept("ishigami.viva", &o);
  static const double first[] = {0.3139, 0.4424, 0}, total[] = {0.5576, 0.4424, 0.2437};
  const char *at = viva_sweep_summary(s.sweep, VIVA_FORMAT_JSON);
  for (int i = 0; i < 3; i++) {
    at = strstr(at, "\"first\": ");
    assert_non_null(at);
    near_to(strtod(at + 9, NULL), first[i], 0.01);
    at = strstr(at, "\"total\": ");
    assert_non_null(at);
    near_to(strtod(at + 9, NULL), total[i], 0.01);
  }
  viva_statistics f = viva_sweep_statistics(s.sweep, 0);
  const double p = acos(-1);
  near_to(f.mean, 3.5, 0.02);
  near_to(f.sd, sqrt(49.0 / 8 + 0.1 * pow(p, 4) / 5 + 0.01 * pow(p, 8) / 18 + 0.5), 0.02);
  done(&s);
}

// A table that is read back has the statistics and the pictures of the sweep that wrote it, byte for byte.
static void a_table_that_is_read_back_shows_the_same(void **state) {
  (void)state;
  const char *random[] = {"e=uniform(0.3, 0.9)"}, *measure[] = {"max(h')", "time(h > 0.5)"}, *where[] = {"max(h') < 3"};
  viva_sweep_options o = options(NULL, 0, random, 1, measure, 2);
  char path[] = "/tmp/viva-sweep-XXXXXX";
  close(mkstemp(path));
  o.samples = 300; // below 0.6 bounces pile up: these fail
  o.path = path;
  o.pictures = true;
  o.where = where;
  o.where_count = 1;
  Swept s = swept("bounces.viva", &o);
  viva_sweep *read = NULL;
  assert_int_equal(viva_sweep_open(path, &read), VIVA_OK);
  assert_true(viva_sweep_failed(s.sweep) > 10 && viva_sweep_failed(read) == viva_sweep_failed(s.sweep));
  assert_int_equal(viva_sweep_passed(read), viva_sweep_passed(s.sweep));
  assert_int_equal(viva_sweep_measure_count(read), 3);
  for (size_t i = 0; i < 3; i++) {
    viva_statistics a = viva_sweep_statistics(s.sweep, i), b = viva_sweep_statistics(read, i);
    assert_string_equal(viva_sweep_measure_name(read, i), viva_sweep_measure_name(s.sweep, i));
    assert_memory_equal(&a, &b, sizeof a);
  }
  static const unsigned parts[] = {VIVA_SWEEP_HISTOGRAMS, VIVA_SWEEP_SCATTER, VIVA_SWEEP_PARALLEL};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    char *one, *two, *from;
    size_t n, m;
    assert_int_equal(viva_sweep_draw(s.sweep, NULL, parts[i], VIVA_PICTURE_SVG, &one, &n), VIVA_OK);
    assert_int_equal(viva_sweep_draw(read, NULL, parts[i], VIVA_PICTURE_SVG, &two, &m), VIVA_OK);
    // the table knows the file of the model, not its title
    while ((from = strstr(one, "A ball that bounces")))
      memmove(from + 12, from + 19, strlen(from + 19) + 1), memcpy(from, "bounces.viva", 12);
    assert_string_equal(one, two);
    viva_text_free(one);
    viva_text_free(two);
  }
  char *data;
  size_t n;
  assert_int_equal(viva_sweep_draw(read, NULL, VIVA_SWEEP_HEAT, VIVA_PICTURE_SVG, &data, &n), VIVA_EINPUT);
  assert_null(data);
  viva_sweep_free(read);
  remove(path);
  done(&s);
}

static void write_file(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

static void an_output_that_the_model_reads_is_refused(void **state) {
  (void)state;
  char folder[] = "/tmp/viva-sweep-XXXXXX", model[64], link_path[64], hard[64], none[64], soft[64], now[200] = "";
  const char *text = "param k = 1\nstate x = 1\nx' = -k*x\nsimulate to 1\n", *vary[] = {"k=[1, 2]"};
  assert_non_null(mkdtemp(folder));
  snprintf(model, sizeof model, "%s/m.viva", folder);
  snprintf(link_path, sizeof link_path, "%s/link.csv", folder);
  snprintf(hard, sizeof hard, "%s/hard.csv", folder);
  snprintf(none, sizeof none, "%s/none.csv", folder);
  snprintf(soft, sizeof soft, "%s/soft.csv", folder);
  write_file(model, text);
  assert_int_equal(symlink("m.viva", link_path) | link(model, hard) | symlink("none.csv", soft), 0);
  // also a file that is not there yet; another name of it is another file
  assert_true(viva_file_same(model, link_path) && viva_file_same(hard, link_path) && viva_file_same(soft, none));
  assert_false(viva_file_same(model, none) || viva_file_same("/dev/null", "/dev/null") || viva_file_same(NULL, none));
  Swept s = {0};
  assert_int_equal(viva_model_load(model, NULL, &s.model), VIVA_OK);
  const char *paths[] = {model, link_path, hard};
  for (int i = 0; i < 3; i++) {
    viva_sweep_options o = options(vary, 1, NULL, 0, NULL, 0);
    o.path = paths[i];
    assert_int_equal(viva_sweep_model(s.model, &o, &s.sweep), VIVA_EINPUT);
    assert_non_null(viva_sweep_message(s.sweep));
    viva_sweep_free(s.sweep);
  }
  s.sweep = NULL;
  FILE *f = fopen(model, "r");
  now[fread(now, 1, sizeof now - 1, f)] = 0;
  fclose(f);
  assert_string_equal(now, text);
  done(&s);
  unlink(model), unlink(link_path), unlink(hard), unlink(soft), rmdir(folder);
}

static void wrong_calls_are_refused(void **state) {
  (void)state;
  viva_sweep *x = (viva_sweep *)state;
  char *data;
  size_t n;
  assert_int_equal(viva_sweep_open(NULL, &x), VIVA_EUSAGE);
  assert_int_equal(viva_sweep_open("/nowhere/x.csv", &x), VIVA_EINPUT);
  assert_non_null(viva_sweep_message(x));
  assert_int_equal(viva_sweep_draw(x, NULL, 0, VIVA_PICTURE_SVG, &data, &n), VIVA_EINPUT);
  assert_int_equal(viva_sweep_measure_count(x), 0);
  assert_null(viva_sweep_measure_name(x, 0));
  assert_true(isnan(viva_sweep_statistics(x, 0).mean));
  viva_sweep_free(x);
  assert_int_equal(viva_sweep_draw(NULL, NULL, 0, VIVA_PICTURE_SVG, &data, &n), VIVA_EUSAGE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_grid_has_the_overshoot_of_the_closed_form),
      cmocka_unit_test(correlated_starts_drift_apart_as_they_should),
      cmocka_unit_test(a_formula_without_motion_is_lognormal),
      cmocka_unit_test(indices_are_those_of_ishigami),
      cmocka_unit_test(a_table_that_is_read_back_shows_the_same),
      cmocka_unit_test(an_output_that_the_model_reads_is_refused),
      cmocka_unit_test(wrong_calls_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

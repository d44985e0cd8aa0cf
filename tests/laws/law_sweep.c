// Laws of sweeps: what a row holds depends on its number alone.
//
//   one thread = two threads = eight; killed at any moment and resumed = not killed; a sample alone = its row
//
// Each has a twin that must differ: another seed, a row that was lost, a neighbour.
#define _XOPEN_SOURCE 700
#include "tests/support.h"

#include "viva/viva.h"

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *const swing = "param k = 4, d = 0.1\ncoord x = 1\nkinetic 1/2*x'^2\npotential 1/2*k*x^2\n"
                                 "dissipation 1/2*d*x'^2\nsimulate to 10\n";
// Events, a delay, samples that fail.
static const char *const eventful = "param k = 4, d = 0.1\ncoord x = 1\nstate z = 0.6\nkinetic 1/2*x'^2\n"
                                    "potential 1/2*k*x^2\ndissipation 1/2*d*x'^2\nforce x = -delay(x, 0.3)\n"
                                    "when x < -0.5 do x' := -0.8*x'\nz' = -0.3*ln(z) - 0.2*x*k\nsimulate to 2\n";

// What holds, remembers, samples; and a stop.
static const char *const switching = "param k = 4, d = 0.1\ncoord x = 1\nstate u = 0, n = 0\nkinetic 1/2*x'^2\n"
                                     "potential 1/2*k*x^2\ndissipation 1/2*d*x'^2\n"
                                     "force x = u - friction(x', 0.2, 0.3) + hysteresis(x, -0.2, 0.3, -0.2, 0.2)\n"
                                     "every 0.3 do u := -d*x\nwhen x*x' > 0.9*d do n := n + 1, x' := 0.9*x'\n"
                                     "when n > 4.5 do stop\nsimulate to 3\n";

static viva_model *parse(const char *text, const char *const *set, size_t count) {
  viva_model *model;
  viva_load_options o = {.set = set, .set_count = count};
  assert_int_equal(viva_model_parse("test.viva", text, strlen(text), &o, &model), VIVA_OK);
  return model;
}

static const char *const measures[] = {"max(x')", "time(x > 0.5)", "sd(x)", "integral(abs(x))"};

static viva_sweep_options options(const char *path, uint64_t samples) {
  static const char *const vary[] = {"d=0:1"}, *const random[] = {"k=normal(4, 0.5)"};
  viva_sweep_options o = viva_sweep_defaults();
  o.vary = vary;
  o.vary_count = 1;
  o.random = random;
  o.random_count = 1;
  o.samples = samples;
  o.run.measures = measures;
  o.run.measure_count = 4;
  o.path = path;
  o.threads = 1;
  return o;
}

static void sweep(const char *text, const viva_sweep_options *o, viva_status expected) {
  viva_model *model = parse(text, NULL, 0);
  viva_sweep *s;
  viva_status status = viva_sweep_model(model, o, &s);
  if (status != expected && viva_sweep_message(s)) print_error("%s", viva_sweep_message(s));
  assert_int_equal(status, expected);
  viva_sweep_free(s);
  viva_model_free(model);
}

static char *slurp(const char *path, size_t *length) {
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  fseek(f, 0, SEEK_END);
  *length = (size_t)ftell(f);
  rewind(f);
  char *text = calloc(*length + 1, 1);
  assert_int_equal(fread(text, 1, *length, f), *length);
  fclose(f);
  return text;
}

static bool same_files(const char *a, const char *b) {
  size_t n, m;
  char *x = slurp(a, &n), *y = slurp(b, &m);
  bool same = n == m && memcmp(x, y, n) == 0;
  free(x);
  free(y);
  return same;
}

static char folder[] = "/tmp/viva_sweep_XXXXXX";

static int set_up(void **state) {
  (void)state;
  return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int tear_down(void **state) {
  (void)state;
  static const char *const files[] = {"one.csv", "two.csv", "eight.csv", "other.csv", "killed.csv", "lost.csv"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) unlink(files[i]);
  return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

static void threads_change_no_bit(void **state) {
  (void)state;
  static const char *const texts[] = {swing, eventful, switching};
  for (int i = 0; i < 3; i++) {
    viva_sweep_options o = options("one.csv", 64);
    sweep(texts[i], &o, VIVA_OK);
    o.path = "two.csv";
    o.threads = 2;
    sweep(texts[i], &o, VIVA_OK);
    o.path = "eight.csv";
    o.threads = 8;
    sweep(texts[i], &o, VIVA_OK);
    assert_true(same_files("one.csv", "two.csv") && same_files("one.csv", "eight.csv"));
    o.path = "other.csv";
    o.seed = 2;
    sweep(texts[i], &o, VIVA_OK);
    assert_false(same_files("one.csv", "other.csv"));
  }
}

// A child that is killed after some time.
static void kill_one(const viva_sweep_options *o, unsigned us) {
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    viva_model *model = parse(swing, NULL, 0);
    viva_sweep *s;
    viva_sweep_model(model, o, &s);
    _exit(0);
  }
  nanosleep(&(struct timespec){us / 1000000, (long)(us % 1000000) * 1000}, NULL);
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
}

static void a_killed_sweep_goes_on_to_the_same_file(void **state) {
  (void)state;
  viva_sweep_options o = options("one.csv", 1500);
  uint64_t seed = 7;
  sweep(swing, &o, VIVA_OK);
  for (int round = 0; round < 3; round++) {
    unlink("killed.csv");
    o.path = "killed.csv";
    o.resume = true;
    o.threads = 2;
    for (int i = 0; i < 3; i++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      kill_one(&o, (unsigned)(seed >> 40) % 60000);
    }
    sweep(swing, &o, VIVA_OK);
    assert_true(same_files("one.csv", "killed.csv"));
  }
}

// The twin: a row that was lost in the middle is no cut at the end, and is told.
static void a_lost_row_is_told(void **state) {
  (void)state;
  viva_sweep_options o = options("one.csv", 50);
  sweep(swing, &o, VIVA_OK);
  size_t length;
  char *text = slurp("one.csv", &length), *row = strstr(text, "\n20,") + 1, *next = strchr(row, '\n') + 1;
  memmove(row, next, strlen(next) + 1);
  FILE *f = fopen("lost.csv", "wb");
  fputs(text, f);
  fclose(f);
  free(text);
  o.path = "lost.csv";
  o.resume = true;
  sweep(swing, &o, VIVA_EINPUT);
}

static void a_sample_alone_has_the_bits_of_its_row(void **state) {
  (void)state;
  static const char *const texts[] = {swing, eventful, switching}, *const methods[] = {NULL, "dopri5", "rodas", "rk4"};
  for (int i = 0; i < 12; i++) {
    viva_sweep_options o = options("one.csv", 20);
    o.run.method = methods[i / 3];
    sweep(texts[i % 3], &o, VIVA_OK);
    size_t length;
    char *text = slurp("one.csv", &length), *line = strstr(text, "\n0,") + 1, before[200] = "";
    int compared = 0;
    for (; *line >= '0' && *line <= '9'; line = strchr(line, '\n') + 1) {
      char d[64], k[64], row[200], set[2][80];
      assert_int_equal(sscanf(line, "%*[^,],%63[^,],%63[^,],%199[^\n]", d, k, row), 3);
      snprintf(set[0], sizeof set[0], "d=%s", d);
      snprintf(set[1], sizeof set[1], "k=%s", k);
      viva_model *model = parse(texts[i % 3], (const char *const[]){set[0], set[1]}, 2);
      viva_run_options r = viva_run_defaults();
      viva_run *run;
      r.measures = measures;
      r.method = o.run.method;
      r.measure_count = 4;
      bool done = viva_run_model(model, &r, NULL, &run) == VIVA_OK;
      assert_true(done == (strstr(row, ",done,") != NULL));
      char *at = row;
      for (size_t m = 0; done && m < 4; m++) assert_true(strtod(at, &at) == viva_run_measure(run, m) && *at++ == ',');
      assert_true(strcmp(row, before) != 0 || !done); // neighbours differ
      strcpy(before, row);
      compared += done;
      viva_run_free(run);
      viva_model_free(model);
    }
    assert_true(compared > 8);
    free(text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_change_no_bit),
      cmocka_unit_test(a_killed_sweep_goes_on_to_the_same_file),
      cmocka_unit_test(a_lost_row_is_told),
      cmocka_unit_test(a_sample_alone_has_the_bits_of_its_row),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}

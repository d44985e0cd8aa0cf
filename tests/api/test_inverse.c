// Forces for a given motion by the public interface: against motions that were computed with known forces.
#include "tests/support.h"

#include "viva/viva.h"

#include <unistd.h>

typedef struct Rows {
  size_t width, count;
  double values[4000];
} Rows;

static bool take_row(void *self, const double *values, size_t count) {
  Rows *r = self;
  r->width = count;
  for (size_t i = 0; i < count; i++) r->values[r->count++] = values[i];
  return true;
}

static viva_model *model_of(const char *text) {
  viva_model *m = NULL;
  assert_int_equal(viva_model_parse("m.viva", text, strlen(text), NULL, &m), VIVA_OK);
  return m;
}

// Two links, a motor with its current, springs and damping.
static const char arm[] =
    "param m1 = 1.3, m2 = 0.7, l1 = 0.6, l2 = 0.5, g = 9.81, k = 2\n"
    "coord a = 0.3, b = -0.2\nstate i = 0\ni' = (sin(3*t) - 2*i - 0.1*a')/0.5\n"
    "let P = [l1*sin(a), -l1*cos(a)], Q = P + [l2*sin(a + b), -l2*cos(a + b)]\n"
    "kinetic 1/2*m1*|P'|^2 + 1/2*m2*|Q'|^2\npotential g*(m1*P.y + m2*Q.y) + 1/2*k*b^2\n"
    "dissipation 1/2*0.1*a'^2 + 1/2*0.2*b'^2\ninput u = 0, w = 0\nforce a = u + 0.4*i\nforce b = w\n"
    "output a, b, a', b', a'', b'', i\n";

// A table of the motion under u and w, and the forces found for it with neither.
static double error_of(const char *columns, double step) {
  char path[] = "/tmp/viva_inverse_XXXXXX";
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  const char *inputs[] = {"u=2*cos(4*t)", "w=t - 1"};
  viva_load_options load = viva_load_defaults();
  load.input = inputs;
  load.input_count = 2;
  viva_model *driven = NULL, *free_one = model_of(arm);
  assert_int_equal(viva_model_parse("m.viva", arm, strlen(arm), &load, &driven), VIVA_OK);
  Rows motion = {0}, forces = {0};
  viva_sink sink = {.self = &motion, .row = take_row};
  viva_run_options o = viva_run_defaults();
  viva_run *run = NULL;
  o.to = 1;
  o.every = step;
  o.rtol = 1e-13;
  assert_int_equal(viva_run_model(driven, &o, &sink, &run), VIVA_OK);
  static const char *const names[] = {"t", "a", "b", "a'", "b'", "a''", "b''", "i"};
  FILE *f = fopen(path, "w");
  for (size_t r = 0; r <= motion.count / motion.width; r++) {
    for (size_t c = 0, n = 0; c < motion.width; c++) {
      if (!strchr(columns, (int)('0' + c))) continue;
      fprintf(f, "%s", n++ ? "," : r ? "\n" : "");
      if (r) fprintf(f, "%.17g", motion.values[(r - 1) * motion.width + c]);
      else fputs(names[c], f);
    }
  }
  fclose(f);
  viva_inverse *v = NULL;
  sink.self = &forces;
  viva_status status = viva_inverse_model(free_one, path, NULL, &sink, &v);
  if (status != VIVA_OK) fail_msg("%s", viva_inverse_message(v));
  assert_int_equal(forces.width, 3);
  assert_int_equal(forces.count / 3, motion.count / motion.width);
  double worst = 0;
  for (size_t r = 0; r < forces.count; r += 3) {
    double t = forces.values[r];
    worst = fmax(worst, fabs(forces.values[r + 1] - 2 * cos(4 * t)));
    worst = fmax(worst, fabs(forces.values[r + 2] - (t - 1)));
  }
  assert_int_equal(viva_inverse_force_count(v), 2);
  assert_string_equal(viva_inverse_force_name(v, 1), "force.b");
  viva_inverse_free(v);
  viva_run_free(run);
  viva_model_free(driven);
  viva_model_free(free_one);
  remove(path);
  return worst;
}

static void forces_that_made_a_motion_are_found(void **state) {
  (void)state;
  double error = error_of("01234567", 0.01);
  if (!(error < 1e-12)) fail_msg("%.3g", error);
}

// Velocities given: accelerations by first derivatives. Positions alone: by second ones. Half the spacing.
static void splines_come_near_them(void **state) {
  (void)state;
  double rates[] = {error_of("012347", 0.02), error_of("012347", 0.01)},
         places[] = {error_of("0127", 0.02), error_of("0127", 0.01)};
  assert_true(rates[0] / rates[1] > 20 && places[0] / places[1] > 10);
  assert_true(rates[1] < places[1] && places[1] < 1e-3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forces_that_made_a_motion_are_found),
      cmocka_unit_test(splines_come_near_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

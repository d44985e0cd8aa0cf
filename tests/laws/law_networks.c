// Networks of masses at rest that rub on each other and on the ground, under constant loads: which stick and which
// slide, and how they go off, against every choice of sticking and sliding (network.h). All numbers are small whole
// ones, so loads at the very limit are common. Velocities grow evenly: after a time of 1 they are the accelerations.
#include "tests/laws/network.h"

#include "tests/laws/one_run.h"

// Friction in one of its forms.
static size_t write_element(const Network *w, uint32_t e, char *text, size_t room) {
  static const char *const plain[] = {"-%g*sign(%s)", "friction(%s, %g)", "if(%s > 0, -%g, %g)",
                                      "compare(%s, 0, %g, -%g)"};
  char guard[64] = "";
  size_t k = 0, n = (size_t)snprintf(text, room, "let f%u = ", e);
  double f = w->slip[e];
  for (uint32_t i = 0; i < w->masses; i++) {
    if (w->j[e][i])
      k += (size_t)snprintf(guard + k, sizeof guard - k, "%sx%u'", w->j[e][i] < 0 ? " - " : k ? " + " : "", i);
  }
  switch (w->stick[e] > f ? 4 : choose(4)) {
  case 0: n += (size_t)snprintf(text + n, room - n, plain[0], f, guard); break;
  case 1: n += (size_t)snprintf(text + n, room - n, plain[1], guard, f); break;
  case 2: n += (size_t)snprintf(text + n, room - n, plain[2], guard, f, f); break;
  case 3: n += (size_t)snprintf(text + n, room - n, plain[3], guard, f, f); break;
  default: n += (size_t)snprintf(text + n, room - n, "friction(%s, %g, %g)", guard, f, w->stick[e]); break;
  }
  return n + (size_t)snprintf(text + n, room - n, "\n");
}

static void write_network(const Network *w, char *text, size_t room) {
  size_t n = 0;
  for (uint32_t i = 0; i < w->masses; i++)
    n += (size_t)snprintf(text + n, room - n, "coord x%u = 0\nkinetic %g*x%u'^2/2\n", i, w->mass[i], i);
  for (uint32_t e = 0; e < w->elements; e++) n += write_element(w, e, text + n, room - n);
  for (uint32_t i = 0; i < w->masses; i++) {
    n += (size_t)snprintf(text + n, room - n, "force x%u = %g", i, w->force[i]);
    for (uint32_t e = 0; e < w->elements; e++) {
      if (w->j[e][i]) n += (size_t)snprintf(text + n, room - n, " %c f%u", w->j[e][i] > 0 ? '+' : '-', e);
    }
    n += (size_t)snprintf(text + n, room - n, "\n");
  }
  for (uint32_t i = 0; i < w->masses; i++) n += (size_t)snprintf(text + n, room - n, "%sx%u'", i ? ", " : "output ", i);
  snprintf(text + n, room - n, "\n");
}

// How far the velocities are from the accelerations at the end of the run; INFINITY: it stopped.
static double distance(const char *text, const Network *w, const char *method, const double *right) {
  double final[most_masses], worst = 0;
  RunSettings s = run_defaults();
  s.method = method;
  s.to = s.every = 1;
  RunResult r = one_run(text, s, NULL, final, w->masses);
  if (r.status != run_done) return INFINITY;
  for (uint32_t i = 0; i < w->masses; i++) worst = fmax(worst, fabs(final[i] - right[i]));
  return worst;
}

static void networks_go_off_as_every_choice_says(void **state) {
  (void)state;
  static const char *const methods[] = {"auto", "rodas", "bdf", "dopri5"};
  char text[1 << 14];
  uint32_t wrong = 0, stuck = 0, slid = 0, noticed = 0;
  for (int round = 0; round < 150; round++) {
    Network w = network_new();
    double a[most_masses] = {0}, r[most_elements];
    network_expected(&w, a, r);
    write_network(&w, text, sizeof text);
    double off = distance(text, &w, methods[round % 4], a);
    if (!(off < 1e-9)) print_error("%s: off by %g\n%s", methods[round % 4], off, text), wrong++;
    for (uint32_t e = 0; e < w.elements; e++) fabs(r[e]) <= 1e-9 ? stuck++ : slid++;
    // a reference with less friction must be found out where something moves
    w.slip[0] -= 0.5, w.stick[0] -= 0.5;
    network_expected(&w, a, r);
    noticed += distance(text, &w, "auto", a) > 1e-3;
  }
  assert_int_equal(wrong, 0);
  assert_true(stuck > 100 && slid > 100 && noticed > 30);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(networks_go_off_as_every_choice_says)};
  return cmocka_run_group_tests(tests, start, NULL);
}

// Blocks and events: the tables of an old analog-computer program, and motions with closed forms.
//
// tests/reference/sdsc holds the tables as fixed steps give them (*_rk4.csv) and the solutions of the same diagrams
// (*_exact.csv, *_events_exact.csv), both from another program.
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "viva/viva.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { most_columns = 40, most_rows = 4000 };

typedef struct Table {
  char names[most_columns][64];
  size_t columns, rows;
  double (*values)[most_columns];
} Table;

static Table table_new(void) { return (Table){.values = calloc(most_rows, sizeof(double[most_columns]))}; }

static bool take_header(void *self, const char *const *names, size_t count) {
  Table *t = self;
  t->columns = count;
  for (size_t i = 0; i < count && i < most_columns; i++) snprintf(t->names[i], sizeof t->names[i], "%s", names[i]);
  return count <= most_columns;
}

static bool take_row(void *self, const double *values, size_t count) {
  Table *t = self;
  if (t->rows >= most_rows) return false;
  memcpy(t->values[t->rows++], values, count * sizeof *values);
  return true;
}

static Table read_csv(const char *name) {
  char path[1024], line[4096];
  snprintf(path, sizeof path, "%s/tests/reference/sdsc/%s.csv", VIVA_ROOT, name);
  Table t = table_new();
  FILE *f = fopen(path, "r");
  if (!f) print_error("no %s\n", path);
  assert_non_null(f);
  while (fgets(line, sizeof line, f)) {
    size_t i = 0;
    for (char *cell = strtok(line, ",\n"); cell; cell = strtok(NULL, ",\n"), i++) {
      if (t.columns == 0) snprintf(t.names[i], sizeof t.names[i], "%s", cell);
      else t.values[t.rows][i] = strtod(cell, NULL);
    }
    if (t.columns == 0) t.columns = i;
    else t.rows++;
  }
  fclose(f);
  return t;
}

static size_t column(const Table *t, const char *name) {
  for (size_t i = 0; i < t->columns; i++) {
    if (strcmp(t->names[i], name) == 0) return i;
  }
  return SIZE_MAX;
}

typedef struct Motion {
  viva_model *model;
  viva_run *run;
  viva_status status;
  Table table;
} Motion;

static Motion follow(const char *text, const char *set, const viva_run_options *options) {
  Motion m = {.table = table_new()};
  viva_load_options load = viva_load_defaults();
  load.set = &set;
  load.set_count = set ? 1 : 0;
  viva_status status = viva_model_parse("m.viva", text, strlen(text), &load, &m.model);
  assert_int_equal(status, VIVA_OK);
  viva_sink sink = {&m.table, take_header, take_row};
  m.status = viva_run_model(m.model, options, &sink, &m.run);
  return m;
}

static void leave(Motion *m) {
  viva_run_free(m->run);
  viva_model_free(m->model);
  free(m->table.values);
}

static Motion follow_well(const char *text, const char *set, const viva_run_options *options) {
  Motion m = follow(text, set, options);
  if (m.status != VIVA_OK) print_error("%s\n", viva_run_message(m.run));
  assert_int_equal(m.status, VIVA_OK);
  return m;
}

// ---- the tables

static const char tape_tension[] = "param Ka = 0.1\n"
                                   "let x0 = 1 - 13*x1 - 33.25*x2 - 34*x3 - 15.25*x4 - (2.5 + 5*Ka)*x5 - 2.5*Ka*x6\n"
                                   "let x1 = integral(x0, 0)\nlet x2 = integral(x1, 0)\nlet x3 = integral(x2, 0)\n"
                                   "let x4 = integral(x3, 0)\nlet x5 = integral(x4, 0)\nlet x6 = integral(x5, 0)\n"
                                   "output y1 = 5*Ka*x5 + 2.5*Ka*x6\nsimulate to 30 step 0.2 every 0.6\n";
static const char nuclear[] =
    "let y1 = 1 - y5\nlet y2 = integral(y1, 0)\nlet y3 = 0.5*y1 + 1.5*y2 - y4\nlet y4 = integral(5*y3, 0)\n"
    "let y5 = delay(y4, 0.5)\noutput y1, y2, y3, y4, y5\nsimulate to 6 step 0.1 every 0.1\n";
static const char van_der_pol[] =
    "let y1 = -y3 - y6\nlet y2 = integral(y1, 0)\nlet y3 = integral(y2, -2)\nlet y4 = y3^2\nlet y5 = y4 - 1\n"
    "let y6 = y2*1.9*y5\noutput y1, y2, y3, y4, y5, y6\nsimulate to 7.5 step 0.01 every 0.2\n";
static const char relay[] = "let y1 = 1 - y5\nlet y2 = hysteresis(y1, -0.1, 0.1, 0, 2)\nlet y3 = 2 - y2\nlet y4 = y3 - "
                            "y5\nlet y5 = integral(y4, 0)\n"
                            "output y1, y2, y3, y4, y5\nsimulate to 1.6 step 0.01 every 0.1\n";
static const char gain[] =
    "let y1 = 1 - y10\nlet y2 = abs(y1)\nlet y3 = compare(y2, 0.3, 0, 1)\nlet y4 = compare(-y2, -0.3, 0, 1)\n"
    "let y5 = switch(y3, y1)\nlet y6 = switch(y4, 0.3*y1)\nlet y7 = y5 + y6\nlet y8 = 10*y7 - y9\n"
    "let y9 = integral(0.4*y8, 0)\nlet y10 = integral(y9, 0)\n"
    "output y1, y2, y3, y4, y5, y6, y7, y8, y9, y10\nsimulate to 12 step 0.01 every 0.25\n";
static const char marks[] =
    "input u2 = -0.2*step(t - 6)\nlet y1 = 1 - y6\nlet y2 = y1 - y3\nlet y3 = integral(y2, 0)\nlet y4 = y3 + u2\n"
    "let y5 = y4 - 2*y6\nlet y6 = integral(y5, 0)\noutput y1, y2, y3, y4, y5, y6\nsimulate to 10 step 0.1 every 0.2\n";
static const char sequence[] =
    "param d5 = 2\nlet y1 = integral(-1.09662*y2, 1.0472)\nlet y2 = integral(y1, 0)\nlet y3 = abs(y2)\n"
    "let y4 = compare(-y3, -0.1, 0, 1)\nlet y5 = delay(y4, d5)\nlet y6 = delay(y4, 3 - d5)\nlet y7 = all(y5, y11)\n"
    "let y8 = all(y5, y12)\nlet y9 = any(y4, y8)\nlet y10 = latch(y7, y9)\nlet y11 = latch(y4, y6)\nlet y12 = "
    "latch(y6, y4)\n"
    "let y13 = all(y10, y12)\noutput y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, y11, y12, y13\nsimulate to 10 step 0.05 "
    "every 0.2\n";
static const char annex[] =
    "let y1 = 1 - y6\nlet y2 = limit(y1, -0.3, 0.4)\nlet y3 = y2 - 0.4*y4\nlet y4 = integral(y3, 0)\nlet y5 = "
    "deadzone(y4, 0.4)\n"
    "let y6 = integral(y5, 0)\noutput y1, y2, y3, y4, y5, y6\nsimulate to 16 step 0.1 every 0.3\n";
static const char second[] =
    "param z = 1\nlet y1 = 1 - 2*z*y2 - y3\nlet y2 = integral(y1, 0)\nlet y3 = integral(y2, 0)\noutput y3\n"
    "simulate to 16 step 0.1 every 0.4\n";
static const char one_step[] = "let y1 = 1 - y5\nlet y2 = limit(y1, -0.7, 0.7)\nlet y3 = y2 - 0.5*y4\nlet y4 = "
                               "integral(y3, 0)\nlet y5 = integral(y4, 0)\n"
                               "output y1, y2, y3, y4, y5\nsimulate to 0.1 step 0.1\n";
// the pulse of a thyristor: at every zero of the sine
static const char trigger[] =
    "let y1 = integral(-y2, 10)\nlet y2 = integral(y1, 0)\nlet y3 = abs(y2)\nlet y4 = limit(y3, 0, 0.964)\n"
    "let y5 = compare(y4, 0.5, 0, 1)\nlet y6 = pulse(nor(y5), 2)\noutput y1, y2, y3, y4, y5, y6\nsimulate to 10 step "
    "0.1\n";

typedef struct Printed {
  const char *file, *text, *set;
  const char *ours, *theirs; // of a table with one column; NULL: all by name
  bool exact;
} Printed;

static const Printed tables[] = {
    {"table_1_1", tape_tension, NULL, "y1", "y1", true},
    {"table_4_1", nuclear, NULL, NULL, NULL, true},
    {"table_4_3", van_der_pol, NULL, NULL, NULL, true},
    {"table_4_4", relay, NULL, NULL, NULL, true},
    {"table_4_6", gain, NULL, NULL, NULL, true},
    {"table_4_7", marks, NULL, NULL, NULL, true},
    {"table_4_8", sequence, "d5=1", NULL, NULL, true},
    {"table_4_9", sequence, NULL, NULL, NULL, true},
    {"table_A", annex, NULL, NULL, NULL, true},
    {"table_B_1", second, "z=0.1", "y3", "zeta_0.1", true},
    {"table_B_1", second, "z=0.2", "y3", "zeta_0.2", true},
    {"table_B_1", second, "z=0.4", "y3", "zeta_0.4", true},
    {"table_B_1", second, "z=0.7", "y3", "zeta_0.7", true},
    {"table_B_1", second, NULL, "y3", "zeta_1", true},
    {"table_B_1", second, "z=2", "y3", "zeta_2", true},
    {"example_6", trigger, NULL, NULL, NULL, false},
};

static double worst_difference(const Printed *p, const char *kind, const viva_run_options *o, double perturb) {
  char name[64];
  snprintf(name, sizeof name, "%s_%s", p->file, kind);
  Table want = read_csv(name);
  Motion m = follow_well(p->text, p->set, o);
  assert_int_equal(m.table.rows, want.rows);
  double worst = 0;
  size_t compared = 0;
  for (size_t c = 1; c < want.columns; c++) {
    size_t a = p->ours ? (strcmp(want.names[c], p->theirs) == 0 ? column(&m.table, p->ours) : SIZE_MAX)
                       : column(&m.table, want.names[c]);
    if (a == SIZE_MAX) continue;
    compared++;
    for (size_t i = 0; i < want.rows; i++)
      worst = fmax(worst, fabs(m.table.values[i][a] * (1 + perturb) - want.values[i][c]));
  }
  assert_true(compared > 0);
  leave(&m);
  free(want.values);
  return worst;
}

static void fixed_steps_without_events_give_the_old_tables(void **state) {
  (void)state;
  viva_run_options o = viva_run_defaults();
  o.method = "rk4";
  o.no_events = true;
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
    double d = worst_difference(&tables[i], "rk4", &o, 0);
    if (!(d <= 1e-12)) print_error("%s %s: %g\n", tables[i].file, tables[i].set ? tables[i].set : "", d);
    assert_true(d <= 1e-12);
  }
  assert_true(worst_difference(&tables[3], "rk4", &o, 1e-11) > 1e-12); // it would be noticed
}

static void the_step_that_was_worked_by_hand(void **state) {
  (void)state;
  viva_run_options o = viva_run_defaults();
  o.method = "rk4";
  o.no_events = true;
  Table want = read_csv("fig_3_5_rk4"), exact = read_csv("fig_3_5_exact");
  Motion m = follow_well(one_step, NULL, &o);
  for (size_t c = 1; c <= 5; c++) assert_true(fabs(m.table.values[1][c] - want.values[4][c + 3]) <= 1e-15);
  leave(&m);
  viva_run_options plain = viva_run_defaults();
  m = follow_well(one_step, NULL, &plain);
  for (size_t c = 1; c <= 5; c++) assert_true(fabs(m.table.values[1][c] - exact.values[0][c]) <= 1e-12);
  leave(&m);
  free(want.values);
  free(exact.values);
}

static void located_events_give_the_solutions(void **state) {
  (void)state;
  static const char *const methods[] = {NULL, "dopri5", "rodas"};
  for (size_t k = 0; k < 3; k++) {
    viva_run_options o = viva_run_defaults();
    o.method = methods[k];
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
      if (!tables[i].exact) continue;
      double d = worst_difference(&tables[i], "exact", &o, 0);
      if (!(d <= 1e-9))
        print_error("%s %s %s: %g\n", tables[i].file, tables[i].set ? tables[i].set : "", methods[k] ? methods[k] : "",
                    d);
      assert_true(d <= 1e-9);
    }
  }
}

// The nearest switching to t.
static double nearest(const viva_run *run, double t) {
  double best = INFINITY;
  for (size_t i = 0; i < viva_run_event_count(run); i++) best = fmin(best, fabs(viva_run_event(run, i).t - t));
  return best;
}

static void switching_times_are_exact(void **state) {
  (void)state;
  static const struct {
    const char *file, *text, *set;
  } cases[] = {{"table_4_4", relay, NULL},
               {"table_4_6", gain, NULL},
               {"table_4_8", sequence, "d5=1"},
               {"table_4_9", sequence, NULL},
               {"table_A", annex, NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char name[64];
    snprintf(name, sizeof name, "%s_events_exact", cases[i].file);
    Table want = read_csv(name);
    viva_run_options o = viva_run_defaults();
    Motion m = follow_well(cases[i].text, cases[i].set, &o);
    assert_true(want.rows > 3);
    for (size_t k = 0; k < want.rows; k++) {
      double d = nearest(m.run, want.values[k][0]);
      if (!(d <= 1e-11)) print_error("%s: %.17g is off by %g\n", cases[i].file, want.values[k][0], d);
      assert_true(d <= 1e-11);
    }
    // and nothing else switches: each event is one of the table's, or a corner of abs
    for (size_t k = 0; k < viva_run_event_count(m.run); k++) {
      viva_event e = viva_run_event(m.run, k);
      double d = INFINITY;
      for (size_t r = 0; r < want.rows; r++) d = fmin(d, fabs(e.t - want.values[r][0]));
      bool beyond = e.t > want.values[want.rows - 1][0];
      if (!(d <= 1e-11 || strcmp(e.what, "abs") == 0 || beyond))
        print_error("%s: %s at %.17g\n", cases[i].file, e.what, e.t);
      assert_true(d <= 1e-11 || strcmp(e.what, "abs") == 0 || beyond);
    }
    leave(&m);
    free(want.values);
  }
}

// ---- closed forms

static double event_time(const viva_run *run, const char *what, size_t k) {
  for (size_t i = 0; i < viva_run_event_count(run); i++) {
    viva_event e = viva_run_event(run, i);
    if (strcmp(e.what, what) == 0 && k-- == 0) return e.t;
  }
  return NAN;
}

static void assert_near(double a, double b, double tolerance) {
  if (!(fabs(a - b) <= tolerance)) print_error("%.17g is not %.17g\n", a, b);
  assert_true(fabs(a - b) <= tolerance);
}

static void a_ball_bounces_until_its_times_pile_up(void **state) {
  (void)state;
  static const char ball[] = "param g = 9.81\ncoord h = 1\nstate n = 0\nkinetic 1/2*h'^2\npotential g*h\n"
                             "when h < 0 do h' := -0.8*h', n := n + 1\nsimulate to 5 every 0.1\n";
  viva_run_options o = viva_run_defaults();
  Motion m = follow(ball, NULL, &o);
  assert_int_equal(m.status, VIVA_EFAIL);
  double t = sqrt(2 / 9.81), v = sqrt(2 * 9.81);
  for (size_t k = 0; k < 60; k++) {
    assert_near(event_time(m.run, "when h < 0", k), t, 1e-11);
    v *= 0.8;
    t += 2 * v / 9.81;
  }
  assert_non_null(strstr(viva_run_message(m.run), "pile up at t = 4.063712769"));
  assert_non_null(strstr(viva_run_message(m.run), "when h < 0"));
  assert_true(m.table.rows >= 40);                           // rows so far are kept
  assert_true(fabs(viva_run_energy_residue(m.run)) < 1e-11); // the jumps are booked
  leave(&m);
}

// sin(x) reaches 1 - depth for a moment once in a turn, 64 times: a `when` works once each time, however small the
// moment
static void a_limit_that_is_grazed_counts_once_a_turn(void **state) {
  (void)state;
  static const char *const methods[] = {NULL, "rk4", "rodas", "bdf"}, *const phases[] = {"0", "0.1", "0.37", "1"};
  static const char *const depths[] = {"1e-6",  "1e-10", "1e-13",
                                       "3e-14", "1e-14", "5e-15"}; // rounding: 1e-16 of sin, 4e-14 of x
  for (size_t i = 0; i < 4 * 4 * 6; i++) {
    char text[300];
    snprintf(text, sizeof text,
             "state x = %s, j = 0\nx' = 1\nwhen sin(x) >= 1 - %s do j := j + 1\nsimulate to 400 step 0.05 every "
             "10\noutput j\n",
             phases[i / 4 % 4], depths[i / 16]);
    viva_run_options o = viva_run_defaults();
    o.method = methods[i % 4];
    Motion m = follow_well(text, NULL, &o);
    double j = m.table.values[m.table.rows - 1][1];
    if (j != 64)
      print_error("%s, from %s, depth %s: %g\n", methods[i % 4] ? methods[i % 4] : "auto", phases[i / 4 % 4],
                  depths[i / 16], j);
    assert_true(j == 64);
    leave(&m);
  }
}

// Conditions of time that come true with a step, a sample, the image of a delay, or where a run was held.
static void a_time_that_is_on_the_grid_is_not_lost(void **state) {
  (void)state;
  static const char *const methods[] = {NULL, "rk4", "euler", "rodas", "bdf"}, *const conditions[] = {"t > 1", "t >= 1",
                                                                                                      "2*t > 2",
                                                                                                      "not(t <= 1)"};
  for (size_t i = 0; i < 5 * 4; i++) {
    char text[500];
    snprintf(text, sizeof text,
             "state d = 0, at = -1\nevery 0.5 do d := d + 1\nwhen %s do at := t\nlet q = integral(latch(%s, 0), 0)\n"
             "let r = integral(delay(step(t - 0.5), 0.5), 0)\noutput d, at, q, r\nsimulate to 3 step 0.1 every 0.5\n",
             conditions[i / 5], conditions[i / 5]);
    viva_run_options o = viva_run_defaults();
    o.method = methods[i % 5];
    Motion m = follow_well(text, NULL, &o);
    const double *end = m.table.values[m.table.rows - 1];
    assert_near(end[1], 7, 0);               // the sample at the end is taken
    assert_near(m.table.values[1][1], 2, 0); // a row shows what is after it
    assert_near(end[2], 1, 1e-15);
    assert_near(end[3], 2, 1e-9);
    assert_near(end[4], 2, 1e-9);
    leave(&m);
    // held there, and gone on
    char path[] = "/tmp/viva-held-XXXXXX";
    close(mkstemp(path));
    o.to = 1;
    o.save = true;
    m = follow_well(text, NULL, &o);
    int error;
    assert_int_equal(viva_run_save(m.run, path, &error), VIVA_OK);
    leave(&m);
    o.to = 3;
    o.save = false;
    o.resume = path;
    m = follow_well(text, NULL, &o);
    end = m.table.values[m.table.rows - 1];
    assert_near(end[1], 7, 0);
    assert_near(end[2], 1, 1e-15);
    assert_near(end[3], 2, 1e-9);
    leave(&m);
    unlink(path);
  }
}

static void a_limiter_in_a_loop_finds_its_corners(void **state) {
  (void)state;
  static const char *const methods[] = {NULL, "dopri5", "rodas", "bdf", "rk4"};
  for (int k = 1; k <= 15; k++) {
    char text[200];
    snprintf(text, sizeof text,
             "let u = limit(%d*(sin(t) - 0.3*u), -1, 1)\nlet x = integral(u, 0)\noutput u, x\nsimulate to 20 step 0.01 "
             "every 1\n",
             k);
    viva_run_options o = viva_run_defaults();
    o.method = methods[k % 5];
    Motion m = follow_well(text, NULL, &o);
    for (size_t i = 0; i < m.table.rows; i++)
      assert_near(m.table.values[i][1], fmax(-1, fmin(1, k * sin(m.table.values[i][0]) / (1 + 0.3 * k))), 1e-12);
    leave(&m);
  }
}

// x = sin(t) exceeds its limit for 1e-5 s or so; steps start anew just before it, or far before it.
static void a_short_excess_is_seen_from_any_start_of_a_step(void **state) {
  (void)state;
  static const char *const methods[] = {"dop853", "dopri5", "rodas"};
  for (int i = 0; i < 60; i++) {
    double restart = acos(-1) / 2 - 0.9 * pow(0.8, i % 20) - 2e-5;
    char text[300];
    snprintf(text, sizeof text,
             "state x = 0, m = 0, n = 0\nx' = cos(t)\nwhen x > 0.9999999999 do m := m + 1\nwhen (t - %.17g)^2 < 1e-14 "
             "do n := 1\noutput m, n\nsimulate to 7 every 7\n",
             restart);
    viva_run_options o = viva_run_defaults();
    o.method = methods[i / 20];
    Motion m = follow_well(text, NULL, &o);
    assert_near(m.table.values[1][1], 1, 0);
    assert_near(m.table.values[1][2], 1, 0);
    leave(&m);
  }
}

// The event is on a bump that the step before it passed over: what was cut is computed anew, not believed.
static void a_bump_that_was_passed_over_is_integrated(void **state) {
  (void)state;
  static const char *const methods[] = {"dop853", "dopri5", "rodas", "bdf"};
  for (int i = 0; i < 12; i++) {
    double width = 0.001 * pow(7, i / 4);
    char text[300];
    snprintf(text, sizeof text,
             "param w = %.17g\nlet g = exp(-((t - 5)/w)^2)\nlet q = integral(g, 0)\nstate n = 0\nwhen g > 0.5 do n := "
             "n + 1\noutput q, n\nsimulate to 10 every 10\n",
             width);
    viva_run_options o = viva_run_defaults();
    o.method = methods[i % 4];
    Motion m = follow_well(text, NULL, &o);
    assert_near(m.table.values[1][1], width * sqrt(acos(-1)), (i % 4 == 3 ? 1e-7 : 1e-9) * width);
    assert_near(m.table.values[1][2], 1, 0);
    leave(&m);
  }
}

static void a_thermostat_switches_in_its_own_time(void **state) {
  (void)state;
  static const char thermostat[] =
      "param Ta = 10, P = 30, tau = 5\nstate T = 15\nlet heat = hysteresis(T, 19, 21, 0, 1)\n"
      "T' = (Ta - T + P*heat)/tau\nsimulate to 60 every 2\noutput T, heat\n";
  static const char *const methods[] = {NULL, "dopri5", "rodas"};
  for (size_t k = 0; k < 3; k++) {
    viva_run_options o = viva_run_defaults();
    o.method = methods[k];
    Motion m = follow_well(thermostat, NULL, &o);
    // T = 15 is below the window: it heats at once
    double t = 5 * log((40.0 - 15) / (40 - 21));
    for (size_t i = 0; i < 70; i++) {
      assert_near(event_time(m.run, "hysteresis", i), t, 1e-10);
      t += i % 2 ? 5 * log((40.0 - 19) / (40 - 21)) : 5 * log((21.0 - 10) / (19 - 10));
    }
    leave(&m);
  }
}

static void a_mass_on_a_belt_sticks_and_slips(void **state) {
  (void)state;
  static const char belt[] = "param m = 1, k = 10, vb = 1, slip = 4, stick = 6\ncoord x = 0\ninit x' = 1\nkinetic "
                             "1/2*m*x'^2\npotential 1/2*k*x^2\n"
                             "force x = friction(x' - vb, slip, stick)\nsimulate to 20 every 0.1\n";
  viva_run_options o = viva_run_defaults();
  Motion m = follow_well(belt, NULL, &o);
  // it sticks until k x = stick, slips a time tau, sticks again at a mirrored place
  double w = sqrt(10), a = 2.0 / 10, tau = 2 / w * (acos(-1) - atan(a * w / 1)), t = 0.6;
  for (size_t i = 0; i + 1 < viva_run_event_count(m.run); i += 2) {
    assert_near(viva_run_event(m.run, i).t, t, 1e-10);
    assert_near(viva_run_event(m.run, i + 1).t, t + tau, 1e-10);
    t += tau + 2 * a;
  }
  assert_true(viva_run_event_count(m.run) > 10);
  leave(&m);
}

static void dry_friction_holds_against_a_changing_force(void **state) {
  (void)state;
  // slides until its velocity is zero, sticks while |2 sin t| < 1.5, slides again
  static const char dry[] = "coord x = 0\nkinetic 1/2*x'^2\nforce x = 2*sin(t) - 1.5*sign(x')\nsimulate to 3 every "
                            "0.1\noutput x, x', f = sign(x')\n";
  viva_run_options o = viva_run_defaults();
  Motion m = follow_well(dry, NULL, &o);
  double start = asin(0.75);
  assert_near(viva_run_event(m.run, 0).t, start, 1e-11);
  assert_near(m.table.values[5][3], 2 * sin(0.5) / 1.5, 1e-13); // what holds it
  assert_near(m.table.values[5][2], 0, 1e-15);
  // v = 2 (cos start - cos t) - 1.5 (t - start)
  double t = 2, v = 2 * (cos(start) - cos(t)) - 1.5 * (t - start);
  assert_near(m.table.values[20][2], v, 1e-11);
  leave(&m);
}

static void a_relay_slides_along_its_surface(void **state) {
  (void)state;
  static const char sliding[] = "state x = 1\nx' = compare(x, 0, 1, -1) + 0.3*sin(t)\nsimulate to 3 every 0.5\noutput "
                                "x, c = compare(x, 0, 1, -1)\n";
  viva_run_options o = viva_run_defaults();
  Motion m = follow_well(sliding, NULL, &o);
  assert_near(m.table.values[6][1], 0, 1e-12);
  assert_near(m.table.values[6][2], -0.3 * sin(3), 1e-12);
  leave(&m);
}

static void others_switch_while_one_is_held(void **state) {
  (void)state;
  // q is held at 1/2 from ln 2 on; the half wave of a cosine ends at pi/2 all the same
  static const char text[] =
      "let y = integral(rectify(cos(t)), 0)\nlet z = integral(rectify(1 - w), 0)\nlet w = integral(1, 0)\nstate q = 0\n"
      "q' = compare(q, 0.5, 1, -1) - abs(q)\noutput y, z, q\nsimulate to 2 every 1\n";
  viva_run_options o = viva_run_defaults();
  Motion m = follow_well(text, NULL, &o);
  assert_near(event_time(m.run, "compare", 0), log(2), 1e-11);
  assert_near(m.table.values[2][1], 1, 1e-11);
  assert_near(m.table.values[2][2], 0.5, 1e-11);
  assert_near(m.table.values[2][3], 0.5, 1e-11);
  leave(&m);
}

static void a_delay_equation_keeps_its_oscillation(void **state) {
  (void)state;
  static const char delayed[] =
      "state x = 1\nx' = -delay(x, pi/2, cos(t))\noutput x\nsimulate to 6283.185307179586 every 62.83185307179586\n";
  viva_run_options o = viva_run_defaults();
  Motion m = follow_well(delayed, NULL, &o);
  for (size_t i = 0; i < m.table.rows; i++) assert_near(m.table.values[i][1], cos(m.table.values[i][0]), 2e-8);
  leave(&m);
  // shorter than any step the method would take
  static const char quick[] = "state x = 1\nx' = -x + delay(x, 0.001, 1)\noutput x\nsimulate to 2 every 1\n";
  m = follow_well(quick, NULL, &o);
  assert_near(m.table.values[2][1], 1, 1e-13);
  leave(&m);
  // a delay of nothing is its input
  static const char none[] = "param T = 0\nstate x = 1\nx' = -delay(x, T)\noutput x\nsimulate to 2 every 1\n";
  m = follow_well(none, NULL, &o);
  assert_near(m.table.values[2][1], exp(-2), 1e-11);
  leave(&m);
}

static void a_limited_pid_does_not_wind_up(void **state) {
  (void)state;
  static const char text[] = "let e = 1 - y\nlet u = pid(e, 2, 1, 0, 10, -0.5, 0.5)\nlet y = integral(u, 0)\noutput y, "
                             "u\nsimulate to 6 every 0.5\n";
  viva_run_options o = viva_run_defaults();
  Motion m = follow_well(text, NULL, &o);
  for (size_t i = 0; i < m.table.rows; i++) {
    double t = m.table.values[i][0], s = t - 1.5; // the limit is left at 1.5
    double y = s < 0 ? 0.5 * t : 1 - 0.25 * (1 - s) * exp(-s);
    assert_near(m.table.values[i][1], y, 1e-11);
  }
  leave(&m);
}

static void a_sampled_controller_follows_its_recursion(void **state) {
  (void)state;
  static const char text[] =
      "param Ts = 0.1, Kp = 0.8, Ki = 2\nstate y = 0, I = 0, u = 0\ny' = u - y\n"
      "every Ts do I := I + Ki*Ts*(1 - y), u := Kp*(1 - y) + I\nsimulate to 5 every 0.1\noutput y, I, u\n";
  viva_run_options o = viva_run_defaults();
  Motion m = follow_well(text, NULL, &o);
  double y = 0, I = 0, u = 0, a = exp(-0.1);
  for (size_t i = 0; i < m.table.rows; i++) {
    if (i) y = a * y + (1 - a) * u;
    assert_near(m.table.values[i][1], y, 1e-11);
    double e = 1 - y, old = I;
    if (i + 1 == m.table.rows) break; // at the end no sample is taken any more
    I += 0.2 * e;
    u = 0.8 * e + old;
    assert_near(m.table.values[i][2], I, 1e-11);
    assert_near(m.table.values[i][3], u, 1e-11);
  }
  leave(&m);
}

static void nothing_is_stepped_over(void **state) {
  (void)state;
  // twice through a level near its turning point, a window much narrower than a step, two conditions in one moment
  static const char text[] =
      "coord x = 1\nkinetic 1/2*x'^2\npotential 1/2*x^2\nstate s = 0, n = 0, k = 0, b = 0\ns' = 1\n"
      "when x < -0.9999999999 do n := n + 1\nwhen s > 5 and s < 5.0000001 do k := k + 1\n"
      "when s > 7 do b := b + 1\nwhen 7 < s do b := 10*b\nsimulate to 20 every 20\noutput n, k, b\n";
  viva_run_options o = viva_run_defaults();
  Motion m = follow_well(text, NULL, &o);
  assert_near(m.table.values[1][1], 3, 0);
  assert_near(m.table.values[1][2], 1, 0);
  assert_near(m.table.values[1][3], 10, 0);
  leave(&m);
  // a bump far narrower than a step, twice as a function of the motion; a level that is only just reached
  static const char bumps[] =
      "state s = 0, n = 0, k = 0, g = 0\ns' = 1\nwhen exp(-((s - 7)/1e-4)^2) > 0.5 do n := n + 1\n"
      "when 1/(1 + ((s - 3)/1e-5)^2) > 0.9 do k := k + 1\nwhen sin(s) > 1 - 1e-12 do g := g + 1\nstate q = 0\n"
      "when sin(t) > 1 - 1e-12 do q := q + 1\nsimulate to 10 every 10\noutput n, k, g, q\n";
  m = follow_well(bumps, NULL, &o);
  assert_near(m.table.values[1][1], 1, 0);
  assert_near(m.table.values[1][2], 1, 0);
  assert_near(m.table.values[1][3], 2, 0);
  assert_near(m.table.values[1][4], 2, 0);
  leave(&m);
  m = follow_well(text, NULL, &o);
  // cos t < -c: in and out around each odd multiple of pi
  double half = acos(0.9999999999), pi = acos(-1);
  assert_near(event_time(m.run, "x<-0.9999999999", 0), pi - half, 1e-7);
  assert_near(event_time(m.run, "x<-0.9999999999", 1), pi + half, 1e-7);
  leave(&m);
}

static void play_follows_the_moving_side(void **state) {
  (void)state;
  static const char text[] =
      "let x = integral(cos(t), 0)\nlet y = backlash(x, 0.4)\noutput x, y\nsimulate to 10 every 0.25\n";
  viva_run_options o = viva_run_defaults();
  Motion m = follow_well(text, NULL, &o);
  // pushed up to 0.8, held until x = 0.6, pulled down to -0.8, ...
  double y = 0, t = 0, pi = acos(-1);
  for (size_t i = 0; i < m.table.rows; i++) {
    // the path of sin t up to here, in pieces without a turn
    while (t < m.table.values[i][0]) {
      double turn = (floor(t / pi + 0.5) + 0.5) * pi, to = fmin(m.table.values[i][0], turn > t ? turn : turn + pi);
      y = fmin(fmax(y, sin(to) - 0.2), sin(to) + 0.2);
      t = to;
    }
    assert_near(m.table.values[i][2], y, 1e-11);
  }
  leave(&m);
}

static void pulses_start_where_the_sine_is_small(void **state) {
  (void)state;
  viva_run_options o = viva_run_defaults();
  Motion m = follow_well(trigger, NULL, &o);
  double s = asin(0.05), pi = acos(-1);
  // from the start on for 2; then from each pi - s on
  assert_near(event_time(m.run, "pulse", 0), 2, 1e-12);
  assert_near(event_time(m.run, "pulse", 1), pi - s, 1e-11);
  assert_near(event_time(m.run, "pulse", 2), pi - s + 2, 1e-11);
  assert_near(event_time(m.run, "pulse", 3), 2 * pi - s, 1e-11);
  leave(&m);
}

// ---- laws

static void assert_same_bits(const Motion *a, const Motion *b, size_t rows_a, size_t rows_b) {
  for (size_t c = 0; c < a->table.columns; c++)
    assert_memory_equal(&a->table.values[rows_a][c], &b->table.values[rows_b][c], sizeof(double));
}

static void the_order_of_lines_changes_no_bit(void **state) {
  (void)state;
  // the lines of a diagram, backwards
  char text[4096] = "";
  const char *ends[64];
  size_t lines = 0;
  ends[lines++] = gain;
  for (const char *s = gain; *s; s++) {
    if (*s == '\n') ends[lines++] = s + 1;
  }
  for (size_t i = lines - 1; i-- > 0;) strncat(text, ends[i], (size_t)(ends[i + 1] - ends[i]));
  viva_run_options o = viva_run_defaults();
  Motion a = follow_well(gain, NULL, &o), b = follow_well(text, NULL, &o);
  assert_int_equal(a.table.rows, b.table.rows);
  for (size_t i = 0; i < a.table.rows; i++) assert_same_bits(&a, &b, i, i);
  leave(&a);
  leave(&b);
}

static void rows_and_back_ends_change_no_bit(void **state) {
  (void)state;
  viva_run_options o = viva_run_defaults();
  o.backend = "interp";
  Motion a = follow_well(gain, NULL, &o);
  static const char *const backends[] = {"tcc", "cc"};
  for (size_t k = 0; k < 2; k++) {
    o.backend = backends[k];
    Motion b = follow_well(gain, NULL, &o);
    for (size_t i = 0; i < a.table.rows; i++) assert_same_bits(&a, &b, i, i);
    leave(&b);
  }
  o.every = 0.01;
  Motion c = follow_well(gain, NULL, &o);
  assert_int_equal(viva_run_event_count(a.run), viva_run_event_count(c.run));
  for (size_t i = 0; i < viva_run_event_count(a.run); i++)
    assert_true(viva_run_event(a.run, i).t == viva_run_event(c.run, i).t);
  assert_same_bits(&a, &c, a.table.rows - 1, c.table.rows - 1);
  leave(&a);
  leave(&c);
}

// A sample of a batch has the bits of a run of its own.
static void batches_have_the_bits_of_runs(void **state) {
  (void)state;
  static const char text[] =
      "param k = 10, T = 0.4\ncoord x = 0\ninit x' = 1\nkinetic 1/2*x'^2\npotential 1/2*k*x^2\nforce x = friction(x' - "
      "1, 4, 6)\n"
      "state n = 0\nlet d = delay(abs(x), T), l = latch(x > 0.3, x < 0.1), z = integral(d*l, 0)\n"
      "coord p, q\nkinetic 1/2*p'^2 + 1/2*q'^2\nforce p = T*t + sin(k*t) - sign(p') - 0.5*sign(p' - q')\n"
      "force q = 0.5*sign(p' - q') + friction(q', 0.3, 0.4) - 0.3*backlash(x, 0.1)\n" // more contacts than bodies
      "when x < 0 do n := n + 1\noutput x, d, l, z, n\nsimulate to 3 step 0.05\n";
  static const char *const names[] = {"k", "T"}, *const sets[][2] = {
                                                     {"k=10", "T=0.4"}, {"k=12.5", "T=0.7"}, {"k=8", "T=0.25"}};
  static const double values[] = {10, 0.4, 12.5, 0.7, 8, 0.25};
  static const char *const methods[] = {"dop853", "rk4", "rodas"};
  viva_model *model;
  assert_int_equal(viva_model_parse("m.viva", text, sizeof text - 1, NULL, &model), VIVA_OK);
  for (size_t k = 0; k < 3; k++) {
    viva_batch_options o = viva_batch_defaults();
    o.run.method = methods[k];
    o.names = names;
    o.name_count = 2;
    o.values = values;
    o.count = 3;
    viva_batch *batch = NULL;
    assert_int_equal(viva_batch_model(model, &o, &batch), VIVA_OK);
    for (size_t i = 0; i < 3; i++) {
      viva_load_options load = viva_load_defaults();
      load.set = sets[i];
      load.set_count = 2;
      viva_model *own;
      viva_run *run;
      assert_int_equal(viva_model_parse("m.viva", text, sizeof text - 1, &load, &own), VIVA_OK);
      assert_int_equal(viva_run_model(own, &o.run, NULL, &run), VIVA_OK);
      assert_int_equal(viva_batch_status(batch, i), VIVA_OK);
      for (size_t c = 0; c < viva_batch_value_count(batch); c++) {
        double a = viva_batch_value(batch, i, c), b = viva_run_value(run, c);
        if (memcmp(&a, &b, sizeof a) != 0)
          print_error("%s, sample %zu: %s is %.17g, not %.17g\n", methods[k], i, viva_run_value_name(run, c), a, b);
        assert_memory_equal(&a, &b, sizeof a);
      }
      viva_run_free(run);
      viva_model_free(own);
    }
    viva_batch_free(batch);
  }
  viva_model_free(model);
}

static void fixed_steps_locate_events_too(void **state) {
  (void)state;
  viva_run_options o = viva_run_defaults();
  o.method = "rk4";
  o.step = 0.01;
  o.every = 0.25;
  double d = worst_difference(&tables[4], "exact", &o, 0);
  assert_true(d < 2e-7); // without events it is 2.5e-2
  viva_run_options b = viva_run_defaults();
  b.method = "bdf";
  assert_true(worst_difference(&tables[4], "exact", &b, 0) < 1e-7);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fixed_steps_without_events_give_the_old_tables),
      cmocka_unit_test(the_step_that_was_worked_by_hand),
      cmocka_unit_test(located_events_give_the_solutions),
      cmocka_unit_test(switching_times_are_exact),
      cmocka_unit_test(a_ball_bounces_until_its_times_pile_up),
      cmocka_unit_test(a_limit_that_is_grazed_counts_once_a_turn),
      cmocka_unit_test(a_time_that_is_on_the_grid_is_not_lost),
      cmocka_unit_test(a_limiter_in_a_loop_finds_its_corners),
      cmocka_unit_test(a_short_excess_is_seen_from_any_start_of_a_step),
      cmocka_unit_test(a_bump_that_was_passed_over_is_integrated),
      cmocka_unit_test(a_thermostat_switches_in_its_own_time),
      cmocka_unit_test(a_mass_on_a_belt_sticks_and_slips),
      cmocka_unit_test(dry_friction_holds_against_a_changing_force),
      cmocka_unit_test(a_relay_slides_along_its_surface),
      cmocka_unit_test(others_switch_while_one_is_held),
      cmocka_unit_test(a_delay_equation_keeps_its_oscillation),
      cmocka_unit_test(a_limited_pid_does_not_wind_up),
      cmocka_unit_test(a_sampled_controller_follows_its_recursion),
      cmocka_unit_test(nothing_is_stepped_over),
      cmocka_unit_test(play_follows_the_moving_side),
      cmocka_unit_test(pulses_start_where_the_sine_is_small),
      cmocka_unit_test(the_order_of_lines_changes_no_bit),
      cmocka_unit_test(rows_and_back_ends_change_no_bit),
      cmocka_unit_test(fixed_steps_locate_events_too),
      cmocka_unit_test(batches_have_the_bits_of_runs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

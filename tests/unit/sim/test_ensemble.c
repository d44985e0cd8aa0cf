// Rows at a list of times, of one motion and of ensembles.
//
// The law: a list never moves a step. So at a time that the spacing has too, a row has the bits of the spaced run; the
// number of steps and the final values are those of the spaced run; and between the steps a row lies within the
// precision of the method. In an ensemble, in lanes or one by one, a sample has the rows of a run of its own.
#include "tests/support.h"

#include "sim/ensemble.h"

enum { most_rows = 4000, most_columns = 4 };

typedef struct Rows {
  double t[most_rows], values[most_rows][most_columns];
  size_t count;
} Rows;

static bool keep_row(void *self, const double *row, size_t count) {
  Rows *r = self;
  if (r->count == most_rows || count - 1 > most_columns) return false;
  r->t[r->count] = row[0];
  memset(r->values[r->count], 0, sizeof r->values[0]);
  memcpy(r->values[r->count++], row + 1, (count - 1) * sizeof *row);
  return true;
}

// ---- models: the first parameter varies

typedef struct Kind {
  const char *text;
  bool no_events;
  double allowed; // by rk4 with the step of the text: between the steps, against tight tolerances
} Kind;

static const Kind kinds[] = {
    {"param l = 1\nparam g = 9.81\ncoord th = 1\nkinetic 1/2*l^2*th'^2\npotential -g*l*cos(th)\n"
     "dissipation 0.1*th'^2\noutput th\noutput energy.stored\nsimulate to 2 step 0.01 every 0.1\n",
     false, 1e-6},
    {"param e = 0.8\ncoord y = 1\nkinetic 1/2*y'^2\npotential 9.81*y\nwhen y < 0 do y' := -e*y'\n"
     "simulate to 1.5 step 0.005 every 0.1\n",
     false, 1e-9},
    {"param k = 2\nstate x = 1\nx' = -k*delay(x, 0.3)\nsimulate to 3 step 0.01 every 0.1\n", false, 1e-6},
    {"param mu = 0.4\ncoord x = 1\nkinetic 1/2*x'^2\npotential 2*x^2\nforce x = friction(x', mu, 1.2*mu)\n"
     "simulate to 6 step 0.01 every 0.2\n",
     false, 1e-6},
    {"param k = 2\nstate x = 1\nunknown z = 0.5/k\nequation z^3 + z = k*x\nx' = -z\n"
     "simulate to 2 step 0.01 every 0.1\n",
     false, 1e-6},
    {"param w = 3\nstate x\nx' = step(t - 0.7) + abs(sin(w*t + 0.5)) - x\nsimulate to 3 step 0.01 every 0.1\n", false,
     1e-2},
    {"param k = 0.3\nstate x = 1\nstate u\nx' = u - x\nevery 0.25 do u := -k*x\n"
     "simulate to 3 step 0.01 every 0.1\n",
     false, 1e-6},
    // memories change at each evaluation: rows between the steps lie on parabolas
    {"param k = 2\nstate x = 1\nx' = -k*delay(x, 0.3)\noutput x\nsimulate to 3 step 0.01 every 0.1\n", true, 1e-3},
};
enum { kind_count = sizeof kinds / sizeof *kinds };

static const char *const methods[] = {"euler", "rk4", "dopri5", "dop853", "auto", "rodas", "bdf"};
enum { method_count = sizeof methods / sizeof *methods };

static bool fits(const Kind *k, const char *method) { return !k->no_events || strcmp(method, "rk4") == 0; }

typedef struct Setting {
  Loaded *loaded;
  Arena *arena;
  SimProgram *p;
  Run *run;
  Sink sink;
  Rows *rows;
} Setting;

static void set_up(Setting *x, const Kind *k, const char *method) {
  *x = (Setting){.loaded = load_text(k->text), .arena = arena_new(), .rows = calloc(1, sizeof(Rows))};
  RunSettings s = run_defaults();
  s.method = method;
  s.no_events = k->no_events;
  s.backend = "interp";
  ProgramReport report;
  Diags diags = {.arena = x->arena, .sources = &x->loaded->model.sources};
  x->p = program_new(x->arena, &x->loaded->system, &(ProgramRequest){.settings = &s}, &diags, &report);
  assert_non_null(x->p);
  x->run = run_new(x->arena, x->p);
  assert_non_null(x->run);
  x->sink = (Sink){.self = x->rows, .row = keep_row};
}

static void tear_down(Setting *x) {
  program_free(x->p);
  arena_free(x->arena);
  unload(x->loaded);
  free(x->rows);
}

static void vary(const SimProgram *p, uint64_t sample, double *params) {
  memcpy(params, p->values.params, p->param_count * sizeof *params);
  params[0] *= 1 + 0.001 * (double)sample;
}

// The rows of a motion at the times of a list (NULL: at the spacing).
static OdeResult follow(Setting *x, uint64_t sample, const double *times, uint32_t count) {
  double params[8];
  vary(x->p, sample, params);
  x->rows->count = 0;
  run_listen(x->run, (RunListener){.sink = &x->sink, .times = times, .time_count = count});
  assert_true(run_reset(x->run, params, NULL));
  OdeResult o = run_to(x->run, x->p->settled.to);
  assert_int_equal(o.status, ode_done);
  return o;
}

// Every third time of the spacing, with the start and the end, and between them three that are nobody's; some behind
// the end.
static uint32_t uneven_times(const SimProgram *p, double *times) {
  uint32_t count = 0;
  uint64_t rows = ode_grid_count(&p->settled.ode);
  for (uint64_t k = 0; k < rows; k += 3) {
    double t = ode_grid_time(&p->settled.ode, k);
    times[count++] = t;
    times[count++] = nextafter(t, INFINITY);
    times[count++] = t + 0.0137;
    times[count++] = t + 0.5 * p->settled.every;
  }
  while (times[count - 1] >= p->settled.to) count--;
  times[count++] = p->settled.to;
  times[count++] = p->settled.to + 1;
  return count;
}

// ---- the tests

static void a_list_never_moves_a_step(void **state) {
  (void)state;
  double times[most_rows];
  for (int i = 0; i < kind_count; i++) {
    for (int m = 0; m < method_count; m++) {
      if (!fits(&kinds[i], methods[m])) continue;
      Setting spaced, listed;
      set_up(&spaced, &kinds[i], methods[m]);
      set_up(&listed, &kinds[i], methods[m]);
      uint32_t count = uneven_times(spaced.p, times);
      OdeResult a = follow(&spaced, 3, NULL, 0), b = follow(&listed, 3, times, count);
      assert_int_equal(a.steps, b.steps);
      assert_int_equal(a.rejected, b.rejected);
      assert_int_equal(listed.rows->count, count - 1); // one lies behind the end
      size_t common = 0;
      for (size_t r = 0, s = 0; r < count - 1; r++) {
        assert_true(listed.rows->t[r] == times[r]);
        while (s < spaced.rows->count && spaced.rows->t[s] < times[r]) s++;
        if (s == spaced.rows->count || spaced.rows->t[s] > times[r]) continue;
        common++;
        if (memcmp(listed.rows->values[r], spaced.rows->values[s], sizeof spaced.rows->values[s]) != 0)
          print_error("kind %d by %s at t = %.17g\n", i, methods[m], times[r]);
        assert_memory_equal(listed.rows->values[r], spaced.rows->values[s], sizeof spaced.rows->values[s]);
      }
      assert_true(common > 5);
      // the end of the motion, but for quadratures, whose sums a row may cut
      assert_memory_equal(spaced.run->y, listed.run->y, spaced.p->y.count * sizeof(double));
      tear_down(&spaced);
      tear_down(&listed);
    }
  }
}

// Against dop853 with its tight tolerances, whose rows are right to eleven digits.
static void rows_between_steps_are_as_exact_as_the_method(void **state) {
  (void)state;
  static const char *const by[] = {"rk4", "dopri5", "rodas", "bdf"};
  double times[most_rows];
  for (int i = 0; i < kind_count; i++) {
    for (int m = 0; m < 4; m++) {
      if (!fits(&kinds[i], by[m])) continue;
      Setting right, other;
      Kind located = kinds[i];
      located.no_events = false;
      set_up(&right, &located, "dop853");
      set_up(&other, &kinds[i], by[m]);
      uint32_t count = uneven_times(right.p, times);
      follow(&right, 0, times, count);
      follow(&other, 0, times, count);
      double allowed = m == 0 ? kinds[i].allowed : 1e-7;
      assert_int_equal(right.rows->count, other.rows->count);
      for (size_t r = 0; r < right.rows->count; r++) {
        for (uint32_t c = 0; c < right.p->columns.shown && c < 1; c++) {
          double d = fabs(right.rows->values[r][c] - other.rows->values[r][c]);
          if (!(d <= allowed)) print_error("kind %d by %s at t = %.17g: %g\n", i, by[m], times[r], d);
          assert_true(d <= allowed);
        }
      }
      tear_down(&right);
      tear_down(&other);
    }
  }
}

// The error of a row in the middle of a step falls with the fourth power of the step: rk4 has no worse rows than ends.
static void a_row_beside_a_step_keeps_the_order_of_the_method(void **state) {
  (void)state;
  double error[2];
  for (int i = 0; i < 2; i++) {
    char text[160];
    snprintf(text, sizeof text, "param k = 1\nstate x = 1\nx' = -k*x\noutput x\nsimulate to 2 step %.3g\n",
             i ? 0.05 : 0.1);
    Setting x;
    set_up(&x, &(Kind){.text = text}, "rk4");
    double t = 1 + (i ? 0.025 : 0.05);
    follow(&x, 0, &t, 1);
    assert_int_equal(x.rows->count, 1);
    error[i] = fabs(x.rows->values[0][0] - exp(-t));
    tear_down(&x);
  }
  assert_true(error[0] < 1e-6 && error[1] > 0);
  assert_true(error[0] / error[1] > 13 && error[0] / error[1] < 20);
}

// A time that is that of an event shows what is after it; each comes once, also where a motion is held.
static void a_row_at_an_event_shows_what_is_after_it(void **state) {
  (void)state;
  static const char text[] = "param k = 1\nstate x = 1\nstate n\nx' = -k\nn' = 0\nevery 0.25 do n := n + 1\n"
                             "when x < 0.55 do x := 1\noutput x\noutput n\nsimulate to 1 step 0.125\n";
  static const double times[] = {0.1, 0.25, 0.3, 0.5, 0.75, 1};
  for (int m = 0; m < method_count; m++) {
    Setting x;
    set_up(&x, &(Kind){.text = text}, methods[m]);
    follow(&x, 0, times, 6);
    Rows whole = *x.rows;
    assert_int_equal(whole.count, 6);
    static const double n[] = {1, 2, 2, 3, 4, 5}; // the first one at t = 0
    for (int i = 0; i < 6; i++) assert_true(whole.t[i] == times[i] && whole.values[i][1] == n[i]);
    // in two parts that meet at a time of the list
    x.rows->count = 0;
    run_listen(x.run, (RunListener){.sink = &x.sink, .times = times, .time_count = 6});
    assert_true(run_reset(x.run, NULL, NULL));
    assert_int_equal(run_to(x.run, 0.3).status, ode_done);
    assert_int_equal(x.rows->count, 3);
    assert_int_equal(run_to(x.run, 1).status, ode_done);
    assert_int_equal(x.rows->count, 6);
    for (int i = 0; i < 6; i++) {
      assert_true(x.rows->t[i] == times[i] && x.rows->values[i][1] == n[i]);
      assert_true(fabs(x.rows->values[i][0] - whole.values[i][0]) < 1e-9);
    }
    tear_down(&x);
  }
}

// The motion ends by an event before the list does.
static void a_motion_that_ends_early_gives_the_rows_until_then(void **state) {
  (void)state;
  static const double times[] = {0, 0.2, 0.4, 0.6, 0.8};
  for (int m = 0; m < method_count; m++) {
    Setting x;
    set_up(&x, &(Kind){.text = "state x = 1\nx' = -2\nwhen x < 0 do stop\noutput x\nsimulate to 1 step 0.01\n"},
           methods[m]);
    run_listen(x.run, (RunListener){.sink = &x.sink, .times = times, .time_count = 5});
    assert_true(run_reset(x.run, NULL, NULL));
    OdeResult o = run_to(x.run, 1);
    assert_int_equal(o.status, ode_ended);
    assert_true(fabs(o.t - 0.5) < 1e-9);
    assert_int_equal(x.rows->count, 3);
    assert_true(fabs(x.run->values[0]) < 1e-9); // the final values are those of its end
    tear_down(&x);
  }
}

// ---- ensembles

typedef struct Members {
  const SimProgram *p;
  Rows *rows;
  uint64_t next; // the sample that must come
  uint64_t steps;
  double ends[64];
} Members;

static bool sample(void *self, uint32_t thread, uint64_t i, double *params, double *y0) {
  const Members *m = self;
  (void)thread;
  vary(m->p, i, params);
  memcpy(y0, m->p->values.start, m->p->y.count * sizeof *y0);
  return true;
}

static bool take_row(void *self, uint64_t i, double t, const double *values) {
  Members *m = self;
  double row[1 + most_columns] = {t};
  if (i != m->next) return false;
  memcpy(row + 1, values, m->p->columns.shown * sizeof *row);
  return keep_row(m->rows, row, 1 + (size_t)m->p->columns.shown);
}

static bool take_end(void *self, uint64_t i, const EnsembleEnd *end) {
  Members *m = self;
  m->steps += end->steps;
  m->ends[i] = end->values[0];
  return end->status == run_done && i == m->next++;
}

static void run_members(Members *m, SimProgram *p, uint64_t count, const double *times, uint32_t time_count) {
  m->p = p;
  m->rows->count = m->next = m->steps = 0;
  Ensemble e = {.self = m,
                .count = count,
                .sample = sample,
                .row = take_row,
                .times = times,
                .time_count = time_count,
                .take = take_end};
  assert_int_equal(ensemble_run(p, &e, ensemble_threads(p, count, 3)).status, run_done);
  assert_int_equal(m->next, count);
}

static void samples_of_an_ensemble_have_the_rows_of_their_own_runs(void **state) {
  (void)state;
  enum { count = 20 };
  double times[most_rows];
  static const int which[] = {0, 1, 4}; // in lanes; with events; with implicit equations
  for (int i = 0; i < 3; i++) {
    for (int m = 0; m < method_count; m++) {
      Setting x;
      set_up(&x, &kinds[which[i]], methods[m]);
      Members members = {.rows = calloc(1, sizeof(Rows))}, spaced = {.rows = calloc(1, sizeof(Rows))};
      uint32_t time_count = uneven_times(x.p, times);
      run_members(&members, x.p, count, times, time_count);
      run_members(&spaced, x.p, count, NULL, 0);
      assert_int_equal(members.rows->count, count * (time_count - 1));
      assert_int_equal(members.steps, spaced.steps);
      assert_memory_equal(members.ends, spaced.ends, count * sizeof *spaced.ends);
      for (uint64_t k = 0; k < count; k++) {
        follow(&x, k, times, time_count);
        for (size_t r = 0; r < time_count - 1; r++) {
          size_t at = k * (time_count - 1) + r;
          assert_true(members.rows->t[at] == times[r]);
          assert_memory_equal(members.rows->values[at], x.rows->values[r], sizeof x.rows->values[r]);
        }
      }
      free(members.rows);
      free(spaced.rows);
      tear_down(&x);
    }
  }
}

typedef struct Failing {
  const SimProgram *p;
  Rows *rows;
  size_t starts[65]; // where the rows of a sample begin
  RunStatus status[64];
  double t[64];
} Failing;

static bool failing_sample(void *self, uint32_t thread, uint64_t i, double *params, double *y0) {
  const Failing *m = self;
  (void)thread;
  vary(m->p, i, params);
  memcpy(y0, m->p->values.start, m->p->y.count * sizeof *y0);
  return true;
}

static bool failing_row(void *self, uint64_t i, double t, const double *values) {
  (void)i;
  return keep_row(((Failing *)self)->rows, (double[]){t, values[0]}, 2);
}

static bool failing_end(void *self, uint64_t i, const EnsembleEnd *end) {
  Failing *m = self;
  m->starts[i + 1] = m->rows->count;
  m->status[i] = end->status;
  m->t[i] = end->t;
  return true;
}

// x = (1 - k t/2)^2 leaves the domain of its root at t = 2/k, which is before the end for sample 11 and later ones.
// They fail as runs of their own do, and the other lanes keep their rows.
static void a_sample_that_fails_leaves_the_others_their_rows(void **state) {
  (void)state;
  enum { count = 24 };
  static const Kind kind = {.text = "param k = 1\nstate x = 1\nx' = -k*sqrt(x)\noutput x\n"
                                    "simulate to 1.98 step 0.01\n"};
  static const double times[] = {0.015, 0.5, 1.975};
  for (int m = 1; m < method_count - 1; m++) { // by euler all fail, by bdf there are no lanes
    Setting x;
    set_up(&x, &kind, methods[m]);
    Failing all = {.p = x.p, .rows = calloc(1, sizeof(Rows))};
    Ensemble e = {.self = &all,
                  .count = count,
                  .sample = failing_sample,
                  .row = failing_row,
                  .times = times,
                  .time_count = 3,
                  .take = failing_end};
    assert_int_equal(ensemble_run(x.p, &e, ensemble_threads(x.p, count, 2)).status, run_done);
    uint32_t failed = 0;
    for (uint64_t k = 0; k < count; k++) {
      double params[8];
      vary(x.p, k, params);
      x.rows->count = 0;
      run_listen(x.run, (RunListener){.sink = &x.sink, .times = times, .time_count = 3});
      assert_true(run_reset(x.run, params, NULL));
      OdeResult o = run_to(x.run, x.p->settled.to);
      assert_int_equal(all.status[k], o.status == ode_done ? run_done : run_failed);
      assert_true(all.t[k] == o.t);
      assert_int_equal(all.starts[k + 1] - all.starts[k], x.rows->count);
      assert_memory_equal(all.rows->t + all.starts[k], x.rows->t, x.rows->count * sizeof(double));
      assert_memory_equal(all.rows->values + all.starts[k], x.rows->values, x.rows->count * sizeof x.rows->values[0]);
      failed += o.status != ode_done;
    }
    if (!(failed > 5 && failed < 20)) print_error("%s: %u\n", methods[m], failed);
    assert_true(failed > 5 && failed < 20);
    free(all.rows);
    tear_down(&x);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_list_never_moves_a_step),
      cmocka_unit_test(rows_between_steps_are_as_exact_as_the_method),
      cmocka_unit_test(a_row_beside_a_step_keeps_the_order_of_the_method),
      cmocka_unit_test(a_row_at_an_event_shows_what_is_after_it),
      cmocka_unit_test(a_motion_that_ends_early_gives_the_rows_until_then),
      cmocka_unit_test(samples_of_an_ensemble_have_the_rows_of_their_own_runs),
      cmocka_unit_test(a_sample_that_fails_leaves_the_others_their_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// Pictures of sweeps: what panels hold, against counts and quantiles by hand.
#include "tests/support.h"

#include "base/random.h"
#include "show/sweep_plot.h"

typedef struct Made {
  Arena *arena;
  SweepView *v;
  Plot plot;
} Made;

static void start(Made *m, const SweepColumn *columns, uint32_t count) {
  m->arena = arena_new();
  m->v = sweep_view_new(m->arena, "m", columns, count);
  assert_non_null(m->v);
}

static const PlotPanel *only_panel(Made *m, unsigned parts) {
  show_sweep_plot(m->arena, m->v, parts, &m->plot);
  assert_int_equal(m->plot.panels.count, 1);
  return &m->plot.panels.items[0];
}

static void end(Made *m) {
  sweep_view_free(m->v);
  arena_free(m->arena);
}

static const SweepColumn two_grids[] = {
    {"a", "m", sweep_grid}, {"b", NULL, sweep_grid}, {"max(x)", "m/s", sweep_measure}, {"max(x) < 5", "", sweep_where}};

// A cell at (a, b) has the value a + 10 b; one failed.
static void colours_stand_at_the_values_of_the_grids(void **state) {
  (void)state;
  Made m;
  start(&m, two_grids, 4);
  static const double a[] = {1, 2, 3}, b[] = {0.1, 1, 10, 100};
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 4; k++) {
      const double varied[] = {a[i], b[k]}, measures[] = {a[i] + 10 * b[k], a[i] + 10 * b[k] < 5};
      assert_true(sweep_view_take(m.v, varied, i == 2 && k == 3 ? NULL : measures));
    }
  }
  const PlotPanel *p = only_panel(&m, 0);
  const PlotHeat *h = p->heat;
  assert_non_null(h);
  assert_true(h->columns == 3 && h->rows == 4 && !p->x_log && p->y_log);
  assert_true(fabs(h->x.lo - 0.5) < 1e-12 && fabs(h->x.hi - 3.5) < 1e-12);
  assert_true(fabs(h->y.lo - 0.1 / sqrt(10)) < 1e-12 && fabs(h->y.hi - 100 * sqrt(10)) < 1e-9);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 4; k++) {
      double value = h->values[k * 3 + i];
      assert_true(i == 2 && k == 3 ? isnan(value) : fabs(value - (a[i] + 10 * b[k])) < 1e-12);
    }
  }
  // rings where it passes: b = 0.1 with all a; a cross where it failed
  assert_int_equal(p->curves.count, 2);
  assert_true(p->curves.items[0].mark == mark_ring && p->curves.items[0].count == 3);
  assert_true(p->curves.items[1].mark == mark_cross && p->curves.items[1].count == 1);
  assert_true(p->curves.items[1].x[0] == 3 && p->curves.items[1].y[0] == 100);
  assert_string_equal(m.plot.title, "m: 12 samples, 1 failed, 3 pass");
  end(&m);
}

// Values without a rule have cells of their own sizes.
static void cells_of_a_list_meet_between_its_values(void **state) {
  (void)state;
  Made m;
  start(&m, two_grids, 3);
  static const double a[] = {1, 2, 5}, b[] = {-1, 0, 3};
  for (int i = 0; i < 9; i++) {
    const double varied[] = {a[i / 3], b[i % 3]}, measure[] = {i};
    assert_true(sweep_view_take(m.v, varied, measure));
  }
  const PlotPanel *p = only_panel(&m, sweep_plot_heat);
  assert_non_null(p->heat->x_edges);
  static const double edges[] = {0.5, 1.5, 3.5, 6.5};
  for (int i = 0; i < 4; i++) assert_true(fabs(p->heat->x_edges[i] - edges[i]) < 1e-12);
  assert_true(p->heat->y_edges[0] == -1.5 && p->heat->y_edges[3] == 4.5);
  Drawing d = {.arena = m.arena};
  assert_true(plot_layout(&m.plot, (PlotStyle){0}, &d));
  end(&m);
}

// All that has a value is in a bin, and all that passes is in a bin of what passes.
static void bins_hold_every_sample_once(void **state) {
  (void)state;
  static const SweepColumn columns[] = {
      {"k", NULL, sweep_draw}, {"y", NULL, sweep_measure}, {"y > 0", "", sweep_where}};
  for (uint64_t seed = 1; seed < 30; seed++) {
    Made m;
    start(&m, columns, 3);
    double expected = 0, passing = 0;
    for (uint64_t i = 0; i < 50 * seed; i++) {
      double x = random_normal(seed, i), y = seed % 3 == 0 ? exp(3 * x) : x;
      const double measures[] = {i % 17 ? y : NAN, y > 0};
      assert_true(sweep_view_take(m.v, &x, i % 13 ? measures : NULL));
      expected += i % 13 && i % 17;
      passing += i % 13 && i % 17 && y > 0;
    }
    const PlotPanel *p = only_panel(&m, sweep_plot_histograms);
    assert_int_equal(p->curves.count, 4);
    for (int k = 0; k < 2; k++) {
      const PlotCurve *c = &p->curves.items[2 * k];
      double sum = 0;
      assert_int_equal(c->kind, curve_band);
      for (size_t i = 0; i < c->count; i += 2) sum += c->y2[i];
      assert_true(sum == (k ? passing : expected));
    }
    assert_int_equal(p->events.count, 3);
    end(&m);
  }
}

// Straight lines a + b t: quantiles of them at each time are straight lines, too.
static void a_fan_has_the_quantiles_of_its_trajectories(void **state) {
  (void)state;
  static const SweepColumn columns[] = {{"b", NULL, sweep_draw}, {"y", NULL, sweep_measure}};
  static const SweepColumn shown[] = {{"x", "m", sweep_measure}};
  Made m;
  start(&m, columns, 2);
  assert_true(sweep_view_fan(m.v, shown, 1, 2, 0.1));
  for (int i = 0; i <= 100; i++) {
    double b = i, t_end = i == 50 ? 1.05 : 2; // one ends early
    // rows that are not those of the picture, too
    for (double t = 0; t <= t_end + 1e-9; t += i % 2 ? 0.1 : 0.07) {
      double x = 1 + b * t;
      assert_true(sweep_view_row(m.v, t, &x));
    }
    assert_true(sweep_view_take(m.v, &b, i == 50 ? NULL : &b));
  }
  const PlotPanel *p = only_panel(&m, sweep_plot_fan);
  assert_int_equal(p->curves.count, 3);
  const PlotCurve *outer = &p->curves.items[0], *inner = &p->curves.items[1], *median = &p->curves.items[2];
  assert_int_equal(outer->count, 21);
  for (size_t i = 0; i < 19; i++) { // the rows of step 0.07 end before 2
    double t = 0.1 * (double)i;
    double missing = t > 1.05 ? 1 : 0; // sample 50
    assert_true(fabs(outer->x[i] - t) < 1e-12);
    assert_true(fabs(outer->y[i] - (1 + (missing != 0 ? 4.95 : 5) * t)) < 1e-4);
    assert_true(fabs(inner->y2[i] - (1 + (missing != 0 ? 75.25 : 75) * t)) < 1e-4);
    assert_true(fabs(median->y[i] - (1 + 50 * t)) < 1e-4);
  }
  end(&m);
}

// Memory does not grow with the number of samples: one of 2, 4, 8 ... is kept, at random, and all are counted. Odd and
// even ones, early and late ones are as many as draws from a hat would be, within five standard deviations.
static void many_samples_are_thinned_evenly(void **state) {
  (void)state;
  static const SweepColumn columns[] = {{"k", NULL, sweep_draw}, {"y", NULL, sweep_measure}};
  static const SweepColumn shown[] = {{"x", "m", sweep_measure}};
  Made m;
  start(&m, columns, 2);
  assert_true(sweep_view_fan(m.v, shown, 1, 200, 1)); // 201 times
  const uint64_t count = 60000;
  for (uint64_t i = 0; i < count; i++) {
    double x = (double)i;
    for (int t = 0; t <= 200; t += 100) assert_true(sweep_view_row(m.v, t, &x));
    assert_true(sweep_view_take(m.v, &x, &x));
  }
  const SweepFan *f = m.v->fan;
  assert_true(m.v->seen == count && m.v->stride == 1 && m.v->rows == count && f->stride > 1);
  double kept = (double)f->samples, wanted = (double)count / (double)f->stride, odd = 0, late = 0;
  for (size_t i = 0; i < f->samples; i++) {
    uint64_t sample = (uint64_t)f->values[i * 201 + 57];
    assert_true(i == 0 || f->values[(i - 1) * 201 + 57] < f->values[i * 201 + 57]); // in their order, none twice
    odd += (double)(sample % 2);
    late += sample >= count / 2;
  }
  assert_true(fabs(kept - wanted) < 5 * sqrt(wanted));
  assert_true(fabs(odd - kept / 2) < 2.5 * sqrt(kept) && fabs(late - kept / 2) < 2.5 * sqrt(kept));
  end(&m);
}

// Every picture of a sweep with little in it can be laid out: one sample, none that is done, one value throughout.
static void whatever_there_is_can_be_drawn(void **state) {
  (void)state;
  for (int grids = 0; grids <= 3; grids++) {
    for (int draws = 0; draws <= 2; draws++) {
      for (int what = 0; what < 3; what++) {
        SweepColumn columns[8];
        uint32_t n = 0;
        for (int i = 0; i < grids; i++) columns[n++] = (SweepColumn){"g", "m", sweep_grid};
        for (int i = 0; i < draws; i++) columns[n++] = (SweepColumn){"r", NULL, sweep_draw};
        columns[n++] = (SweepColumn){"y", "", sweep_measure};
        columns[n++] = (SweepColumn){"y > 0", "", sweep_where};
        Made m;
        start(&m, columns, n);
        for (int i = 0; i < (what == 0 ? 1 : 6); i++) {
          const double varied[] = {i % 2, i / 2, 3, 0.5, 0.7}, measures[] = {what == 1 ? INFINITY : 4, 1};
          assert_true(sweep_view_take(m.v, varied, what == 2 ? NULL : measures));
        }
        show_sweep_plot(m.arena, m.v, 127, &m.plot);
        for (int cells = 0; cells < 2; cells++) {
          Drawing d = {.arena = m.arena};
          assert_true(plot_layout(&m.plot, (PlotStyle){.cells = cells != 0}, &d));
          for (uint32_t i = 0; i < d.items.count; i++) assert_true(d.items.items[i].x == d.items.items[i].x);
        }
        end(&m);
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(colours_stand_at_the_values_of_the_grids),
      cmocka_unit_test(cells_of_a_list_meet_between_its_values),
      cmocka_unit_test(bins_hold_every_sample_once),
      cmocka_unit_test(a_fan_has_the_quantiles_of_its_trajectories),
      cmocka_unit_test(many_samples_are_thinned_evenly),
      cmocka_unit_test(whatever_there_is_can_be_drawn),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

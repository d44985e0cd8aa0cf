// Nyquist's count, Routh's table, root loci and responses in time, against closed forms and against each other.
#include "systems.h"

#include "analyze/locus.h"
#include "analyze/motion_response.h"
#include "analyze/nyquist.h"
#include "analyze/routh.h"
#include "analyze/routh_over.h"
#include "linear/hurwitz.h"

static const double pi = 3.14159265358979323846;

static Nyquist count_of(Arena *arena, const LinearSystem *s, const double *axis, uint32_t count, uint32_t open) {
  Nyquist n;
  assert_int_equal(nyquist_count(arena, module_load(), s, axis, count, open, &n), dense_done);
  return n;
}

// K/(s (s + 1)(s + 2)): stable below 6; K/(s - 1): stable above 1, one turn the other way
static void turns_are_counted_as_the_closed_loop_has_poles(void **state) {
  (void)state;
  Arena *arena = arena_new();
  const double zero[] = {0};
  for (int i = 0; i < 2; i++) {
    LinearSystem s = system_of(arena, 3, (double[]){0, 0, 0, i ? 7 : 5}, (double[]){1, 3, 2, 0});
    Nyquist n = count_of(arena, &s, zero, 1, 0);
    assert_true(n.known);
    assert_int_equal(n.indented.count, 1);
    assert_int_equal(n.closed, i ? 2 : 0);
    s = system_of(arena, 1, (double[]){0, i ? 2 : 0.5}, (double[]){1, -1});
    n = count_of(arena, &s, NULL, 0, 1);
    assert_true(n.known);
    assert_int_equal(n.around, i ? -1 : 0);
    assert_int_equal(n.closed, i ? 0 : 1);
  }
  // at 6 it goes through -1
  LinearSystem s = system_of(arena, 3, (double[]){0, 0, 0, 6}, (double[]){1, 3, 2, 0});
  Nyquist n = count_of(arena, &s, zero, 1, 0);
  assert_false(n.known);
  assert_true(n.through);
  assert_near(n.through_at, sqrt(2), 1e-6);
  arena_free(arena);
}

// Poles at +-i beside the origin: 2 (s^2 + 4)/(s (s^2 + 1)) stays on the axis: contour passes three poles
static void poles_on_the_contour_are_passed_on_the_right(void **state) {
  (void)state;
  Arena *arena = arena_new();
  const double axis[] = {0, 1};
  // (s + 1)/(s (s^2 + 1)): closed s^3 + 2 s + 1: one real root left, two right of the axis
  LinearSystem s = system_of(arena, 3, (double[]){0, 0, 1, 1}, (double[]){1, 0, 1, 0});
  Nyquist n = count_of(arena, &s, axis, 2, 0);
  assert_true(n.known);
  assert_int_equal(n.indented.count, 2);
  assert_int_equal(n.closed, 2);
  arena_free(arena);
}

static Routh table_of(Arena *arena, uint32_t degree, const int64_t *c) {
  Routh r;
  Rat *x = arena_array(arena, (size_t)degree + 1, sizeof *x);
  for (uint32_t i = 0; i <= degree; i++) x[i] = rat_int(c[i]);
  assert_true(routh_table(arena, x, degree, &r));
  assert_null(r.why);
  return r;
}

static void tables_with_their_special_cases(void **state) {
  (void)state;
  Arena *arena = arena_new();
  // s^3 + 3 s^2 + 2 s + 7: s^1 row -1/3
  Routh r = table_of(arena, 3, (int64_t[]){7, 2, 3, 1});
  assert_int_equal(r.changes, 2);
  assert_near(rat_to_double(r.rows[2].entries[0]), -1.0 / 3, 1e-15);
  // s^5 + 2 s^4 + 3 s^3 + 6 s^2 + 5 s + 3 (Ogata): a zero that stands first, two changes
  r = table_of(arena, 5, (int64_t[]){3, 5, 6, 3, 2, 1});
  assert_true(r.uses_epsilon);
  assert_int_equal(r.rows[2].special, routh_epsilon);
  assert_int_equal(r.changes, 2);
  // s^5 + 2 s^4 + 24 s^3 + 48 s^2 - 25 s - 50 (Ogata): a row of zeros, s^4 + 24 s^2 - 25 has +-1, +-5i
  r = table_of(arena, 5, (int64_t[]){-50, -25, 48, 24, 2, 1});
  assert_int_equal(r.auxiliary, 4);
  assert_int_equal(r.rows[2].special, routh_auxiliary);
  assert_int_equal(r.changes, 1);
  assert_string_equal(routh_entry(arena, rat_int(8)), "8");
  arena_free(arena);
}

// Random integer polynomials: the table counts what Sturm's chains count.
static void tables_count_as_sturm_does(void **state) {
  (void)state;
  Arena *arena = arena_new();
  uint32_t seed = 12345, checked = 0;
  for (int trial = 0; trial < 300; trial++) {
    uint32_t n = 2 + (uint32_t)trial % 6;
    int64_t c[9];
    for (uint32_t i = 0; i < n; i++) {
      seed = seed * 1664525 + 1013904223;
      c[i] = (int64_t)(seed >> 24) % 9 - 3;
    }
    c[n] = 1;
    if (c[0] == 0) c[0] = 2;
    Rat *a = arena_array(arena, (size_t)n * n, sizeof *a);
    for (uint32_t i = 0; i < n * n; i++) a[i] = RAT_ZERO;
    for (uint32_t i = 0; i + 1 < n; i++) a[i * n + i + 1] = RAT_ONE;
    for (uint32_t i = 0; i < n; i++) a[(n - 1) * n + i] = rat_int(-c[i]);
    HalfPlanes h;
    assert_true(hurwitz_count(arena, a, n, &h));
    Routh r = table_of(arena, n, c);
    // a small number in the table moves zeros on the axis: the textbook's table does not tell these
    if (r.uses_epsilon && h.axis + h.zero) continue;
    checked++;
    if (r.changes != h.right) fail_msg("trial %d: %u changes, %u right", trial, r.changes, h.right);
  }
  assert_true(checked > 200);
  arena_free(arena);
}

// ---- loci

typedef struct Pencil {
  uint32_t n;
  const double *A0, *A1;
} Pencil;

static bool pencil_at(void *self, double k, double *a, const char **why) {
  const Pencil *p = self;
  (void)why;
  for (uint32_t i = 0; i < p->n * p->n; i++) a[i] = p->A0[i] + k * p->A1[i];
  return true;
}

static Locus follow(Arena *arena, Pencil *p, double from, double to) {
  Locus l;
  LocusSource source = {pencil_at, p, p->n, 0};
  assert_int_equal(locus_follow(arena, module_load(), &source, from, to, &l), dense_done);
  assert_null(l.why);
  return l;
}

// s (s + 1)(s + 2) + K: leaves the axis at K = 2/(3 sqrt 3), s = -1 + 1/sqrt 3; crosses at 6 with sqrt 2
static void the_locus_of_three_lags(void **state) {
  (void)state;
  Arena *arena = arena_new();
  const double A0[] = {0, 1, 0, 0, 0, 1, 0, -2, -3}, A1[] = {0, 0, 0, 0, 0, 0, -1, 0, 0};
  Pencil p = {3, A0, A1};
  Locus l = follow(arena, &p, 0, 20);
  assert_true(l.affine);
  assert_int_equal(l.unsure, 0);
  assert_int_equal(l.breaks.count, 1);
  assert_near(l.breaks.items[0].k, 2 / (3 * sqrt(3)), 1e-12);
  assert_near(creal(l.breaks.items[0].s), -1 + 1 / sqrt(3), 1e-7);
  assert_int_equal(l.crossings.count, 2);
  for (int i = 0; i < 2; i++) {
    assert_near(l.crossings.items[i].k, 6, 1e-12);
    assert_near(fabs(cimag(l.crossings.items[i].s)), sqrt(2), 1e-12);
    assert_true(l.crossings.items[i].grows);
  }
  arena_free(arena);
}

// Eleven branches that pass through one another ten times: real numbers a_i + k b_i, mixed by a fixed turn. Each stays
// on its straight line.
static void branches_pass_through_one_another(void **state) {
  (void)state;
  Arena *arena = arena_new();
  enum { n = 6 };
  uint32_t seed = 7;
  for (int trial = 0; trial < 20; trial++) {
    double a[n], b[n], q[n * n], A0[n * n] = {0}, A1[n * n] = {0}, v[n], square = 0;
    for (int i = 0; i < n; i++) {
      seed = seed * 1664525 + 1013904223;
      a[i] = (double)(seed >> 8) / (1 << 24) * 10 - 5;
      seed = seed * 1664525 + 1013904223;
      b[i] = (double)(seed >> 8) / (1 << 24) * 10 - 5;
      v[i] = 1 + 0.3 * i + 0.1 * trial;
      square += v[i] * v[i];
    }
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) q[i * n + j] = (i == j) - 2 * v[i] * v[j] / square;
    }
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        for (int l = 0; l < n; l++) {
          A0[i * n + j] += q[i * n + l] * a[l] * q[j * n + l];
          A1[i * n + j] += q[i * n + l] * b[l] * q[j * n + l];
        }
      }
    }
    Pencil p = {n, A0, A1};
    Locus l = follow(arena, &p, 0, 2);
    const LocusPoint *first = &l.points.items[0], *last = &l.points.items[l.points.count - 1];
    for (int i = 0; i < n; i++) {
      int which = 0; // of the lines, at the start
      for (int k = 1; k < n; k++)
        which = fabs(a[k] - creal(first->s[i])) < fabs(a[which] - creal(first->s[i])) ? k : which;
      assert_near(creal(last->s[i]), a[which] + 2 * b[which], 1e-9);
    }
  }
  arena_free(arena);
}

// s^3 + 3 s^2 + 2 s + K: 0 < K < 6; s^3 + K s^2 + 2 s + 1: K > 1/2; s^2 + (K^2 - 3 K + 2) s + 1: K < 1 or K > 2; twin:
// a coefficient 1/K is no polynomial of K, and s^2 + 1 has a first entry that is zero for all K.
static void tables_with_a_parameter_tell_where_it_is_stable(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Rat k[5], c[5 * 4];
  RouthOver r;
  for (int i = 0; i < 5; i++) k[i] = rat_int(i + 1);
  for (int i = 0; i < 5; i++) memcpy(c + 4 * i, (Rat[]){k[i], rat_int(2), rat_int(3), RAT_ONE}, 4 * sizeof *c);
  assert_true(routh_over_find(arena, "K", 3, k, c, 5, &r));
  assert_non_null(r.rows);
  assert_string_equal(r.rows[2].entries[0], "2 - 1/3*K");
  assert_int_equal(r.stable.count, 1);
  assert_near(r.stable.items[0].low, 0, 1e-14);
  assert_near(r.stable.items[0].high, 6, 1e-14);
  for (int i = 0; i < 5; i++) memcpy(c + 4 * i, (Rat[]){RAT_ONE, rat_int(2), k[i], RAT_ONE}, 4 * sizeof *c);
  assert_true(routh_over_find(arena, "K", 3, k, c, 5, &r));
  assert_string_equal(r.rows[2].entries[0], "(-1 + 2*K)/K");
  assert_int_equal(r.stable.count, 1);
  assert_near(r.stable.items[0].low, 0.5, 1e-14);
  assert_true(isinf(r.stable.items[0].high));
  for (int i = 0; i < 4; i++)
    memcpy(c + 3 * i, (Rat[]){RAT_ONE, rat_int((i + 1) * (i + 1) - 3 * (i + 1) + 2), RAT_ONE}, 3 * sizeof *c);
  assert_true(routh_over_find(arena, "K", 2, k, c, 4, &r));
  assert_int_equal(r.stable.count, 2);
  assert_near(r.stable.items[0].high, 1, 1e-14);
  assert_near(r.stable.items[1].low, 2, 1e-14);
  for (int i = 0; i < 4; i++) memcpy(c + 3 * i, (Rat[]){RAT_ONE, rat_make(arena, 1, i + 1), RAT_ONE}, 3 * sizeof *c);
  assert_true(routh_over_find(arena, "K", 2, k, c, 4, &r));
  assert_null(r.rows);
  for (int i = 0; i < 4; i++) memcpy(c + 3 * i, (Rat[]){RAT_ONE, RAT_ZERO, RAT_ONE}, 3 * sizeof *c);
  assert_true(routh_over_find(arena, "K", 2, k, c, 4, &r));
  assert_null(r.rows);
  arena_free(arena);
}

// The poles -(a_i + b_i K) of numbers with 17 digits, all of which cross: stable where every a_i + b_i K is positive.
static void tables_of_long_numbers_are_exact(void **state) {
  (void)state;
  enum { n = 5, points = n + 2 };
  static const char *const a[n] = {"3.1415926535897932", "0.57721566490153286", "2.7182818284590452",
                                   "1.4142135623730951", "5.4365636569180905"};
  static const char *const b[n] = {"-0.69314718055994531", "1.6180339887498949", "0.33333333333333331",
                                   "-0.30102999566398120", "-1.2020569031595943"};
  Arena *arena = arena_new();
  Rat k[points], c[points * (n + 1)];
  RouthOver r;
  for (int i = 0; i < points; i++) {
    Rat *p = c + (n + 1) * i;
    k[i] = rat_int(i + 1);
    p[0] = RAT_ONE;
    for (int j = 0; j < n; j++) { // p <- p (s + a + b K)
      Rat line = rat_add(arena, rat_parse(arena, a[j], strlen(a[j])),
                         rat_mul(arena, rat_parse(arena, b[j] + (b[j][0] == '-'), strlen(b[j]) - (b[j][0] == '-')),
                                 rat_int(b[j][0] == '-' ? -i - 1 : i + 1)));
      p[j + 1] = p[j];
      for (int m = j; m > 0; m--) p[m] = rat_add(arena, rat_mul(arena, line, p[m]), p[m - 1]);
      p[0] = rat_mul(arena, line, p[0]);
    }
  }
  assert_true(routh_over_find(arena, "K", n, k, c, points, &r));
  assert_non_null(r.rows);
  assert_int_equal(r.stable.count, 1);
  assert_near(r.stable.items[0].low, -0.57721566490153286 / 1.6180339887498949, 1e-15);
  assert_near(r.stable.items[0].high, 5.4365636569180905 / 1.2020569031595943, 5e-15);
  assert_true(strlen(r.rows[4].entries[0]) < 1000);
  arena_free(arena);
}

// ---- responses

static TimeResponse respond(Arena *arena, const LinearSystem *s, Stimulus kind, const Complex *poles, uint32_t count) {
  TimeResponse r;
  assert_int_equal(time_response(arena, module_load(), s, kind, poles, count, 0, &r), dense_done);
  return r;
}

// w0^2/(s^2 + 2 z w0 s + w0^2): overshoot exp(-pi z/sqrt(1 - z^2)) at pi/(w0 sqrt(1 - z^2))
static void the_step_of_a_swinging_system(void **state) {
  (void)state;
  Arena *arena = arena_new();
  double z = 0.3, w0 = 2, wd = w0 * sqrt(1 - z * z);
  LinearSystem s = system_of(arena, 2, (double[]){0, 0, w0 * w0}, (double[]){1, 2 * z * w0, w0 * w0});
  const Complex poles[] = {-z * w0 + I * wd, -z * w0 - I * wd};
  TimeResponse r = respond(arena, &s, stimulus_step, poles, 2);
  for (double t = 0; t < r.end; t += 0.0937)
    assert_near(time_response_at(&r, t), 1 - exp(-z * w0 * t) * (cos(wd * t) + z / sqrt(1 - z * z) * sin(wd * t)),
                1e-12);
  StepFigures f;
  assert_true(step_figures(arena, &r, 1, &f));
  assert_near(f.overshoot, exp(-pi * z / sqrt(1 - z * z)), 1e-10);
  assert_near(f.peak_time, pi / wd, 1e-6);
  r = respond(arena, &s, stimulus_impulse, poles, 2);
  assert_near(time_response_at(&r, 1), w0 / sqrt(1 - z * z) * exp(-z * w0) * sin(wd), 1e-11);
  // a lag: rise ln 9, settled after ln 50
  s = system_of(arena, 1, (double[]){0, 1}, (double[]){1, 1});
  const Complex lag[] = {-1};
  r = respond(arena, &s, stimulus_step, lag, 1);
  assert_true(step_figures(arena, &r, 1, &f));
  assert_near(f.rise, log(9), 1e-10);
  assert_near(f.settling, log(50), 1e-10);
  assert_near(f.overshoot, 0, 0);
  arena_free(arena);
}

// x' = -x(t - 1) + u: by the method of steps x = t, then t - (t - 1)^2/2, then + (t - 2)^3/6, ...
static void the_step_with_dead_time_is_that_of_the_method_of_steps(void **state) {
  (void)state;
  Arena *arena = arena_new();
  LinearSystem s;
  assert_true(system_room(&s, arena, 1, 1, 1, 1));
  s.B[0] = 1;
  s.C[0] = 1;
  s.E[0] = -1;
  s.G[0] = 1;
  s.time[0] = 1;
  const Complex poles[] = {-0.3181315052047641 + 1.337235701430689 * I, -0.3181315052047641 - 1.337235701430689 * I};
  TimeResponse r = respond(arena, &s, stimulus_step, poles, 2);
  assert_false(r.cut);
  for (double t = 0.05; t < 8; t += 0.237) {
    double x = 0, power = 1;
    for (int k = 0; k <= (int)t; k++) {
      power = 1;
      for (int i = 1; i <= k + 1; i++) power *= (t - k) / i;
      x += (k % 2 ? -1 : 1) * power;
    }
    assert_near(time_response_at(&r, t), x, 1e-11);
  }
  arena_free(arena);
}

// A rational all-pass of order 4 has the phase of the dead time up to a radian or two.
static void a_rational_dead_time_turns_as_the_real_one(void **state) {
  (void)state;
  Arena *arena = arena_new();
  LinearSystem s = delayed_system(arena, 1, (double[]){0, 2}, (double[]){1, 1}, 0.7), p;
  Response real, rational;
  assert_true(locus_pade(arena, &s, 4, &p));
  assert_int_equal(p.n, 5);
  assert_int_equal(response_open(&real, arena, module_load(), &s), dense_done);
  assert_int_equal(response_open(&rational, arena, module_load(), &p), dense_done);
  for (double w = 0.1; w < 2.5; w += 0.3)
    assert_complex(response_frequency(&rational, w), response_frequency(&real, w), 1e-6);
  arena_free(arena);
}

// Random systems with a dead time, cut at each of their states: closed again they are what they were.
static void a_loop_cut_at_a_state_closes_to_what_stands(void **state) {
  (void)state;
  enum { n = 5 };
  Arena *arena = arena_new();
  LinearSystem s, open, path, closed;
  uint32_t seed = 7;
  bool posed;
  assert_true(system_room(&s, arena, n, 2, 1, 1));
  double *all[] = {s.A, s.B, s.C, s.E, s.G}, count[] = {n * n, n * 2, n, n, n};
  for (int k = 0; k < 5; k++) {
    for (int i = 0; i < count[k]; i++) {
      seed = seed * 1664525u + 1013904223u;
      all[k][i] = (double)(seed >> 8) / (1 << 23) - 1;
    }
  }
  s.time[0] = 0.3;
  for (uint32_t k = 0; k < n; k++) {
    assert_true(system_open_state(&s, arena, k, &open));
    assert_true(open.m == 3 && open.p == 2);
    assert_true(system_path(&open, arena, 2, 1, &path));
    system_negate(&path);
    // nothing reads the state itself any more
    for (uint32_t i = 0; i < n; i++) assert_true(path.A[i * n + k] == 0 && path.B[i] == s.A[i * n + k]);
    assert_true(system_close(&path, arena, loop_output, &closed, &posed) && posed);
    for (uint32_t i = 0; i < n * n; i++) assert_near(closed.A[i], s.A[i], 1e-15);
    for (uint32_t i = 0; i < n; i++) assert_near(closed.G[i], s.G[i], 1e-15);
  }
  arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_loop_cut_at_a_state_closes_to_what_stands),
      cmocka_unit_test(turns_are_counted_as_the_closed_loop_has_poles),
      cmocka_unit_test(poles_on_the_contour_are_passed_on_the_right),
      cmocka_unit_test(tables_with_their_special_cases),
      cmocka_unit_test(tables_with_a_parameter_tell_where_it_is_stable),
      cmocka_unit_test(tables_of_long_numbers_are_exact),
      cmocka_unit_test(tables_count_as_sturm_does),
      cmocka_unit_test(the_locus_of_three_lags),
      cmocka_unit_test(branches_pass_through_one_another),
      cmocka_unit_test(the_step_of_a_swinging_system),
      cmocka_unit_test(the_step_with_dead_time_is_that_of_the_method_of_steps),
      cmocka_unit_test(a_rational_dead_time_turns_as_the_real_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

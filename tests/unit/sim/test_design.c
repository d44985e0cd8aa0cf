// Samples of a sweep: distributions by their quantiles, Sobol's sequence by its published points, Latin squares,
// correlations. The numbers are those of SciPy 1.10 (truncnorm, triang, qmc.Sobol) and of closed forms.
#include "tests/support.h"

#include "base/random.h"
#include "sim/design.h"

enum { quantities = 21 };

static void close_to(double value, double expected, double part) {
  if (fabs(value - expected) > part * fabs(expected)) fail_msg("%.17g, not %.17g", value, expected);
}

static void quantiles_are_those_of_the_distributions(void **state) {
  (void)state;
  static const double parts[] = {0.05, 0.5, 0.95};
  static const struct {
    RandomQuantity q;
    double expected[3];
  } all[] = {
      {{.kind = random_is_normal, .a = 0, .b = 1, .low = 8, .high = 9},
       {8.006312250405543, 8.08488889901817, 8.360554716618326}},
      {{.kind = random_is_normal, .a = 0, .b = 1, .low = 30, .high = 1e9},
       {30.00170783452132, 30.023070467827313, 30.099582245009458}},
      {{.kind = random_is_normal, .a = 0, .b = 1, .low = -9, .high = -8},
       {-8.360554716618326, -8.08488889901817, -8.006312250405543}},
      {{.kind = random_is_normal, .a = 2, .b = 3, .low = -1, .high = 4},
       {-0.6547825347969933, 1.6463599089453465, 3.7313071432376734}},
      {{.kind = random_is_normal, .a = 1, .b = 0.1, .low = 0.8, .high = 1.2},
       {0.8527738358967235, 1, 1.1472261641032764}},
      {{.kind = random_is_lognormal, .a = 0, .b = 1, .low = 2, .high = 3},
       {2.0349787608053145, 2.405491031743788, 2.9275311889338846}},
      {{.kind = random_is_triangular, .a = 1, .b = 2, .c = 5, .low = -INFINITY, .high = INFINITY},
       {1.4472135954999579, 2.550510257216822, 4.225403330758516}},
      {{.kind = random_is_uniform, .a = -1, .b = 4, .low = -INFINITY, .high = INFINITY}, {-0.75, 1.5, 3.75}},
      {{.kind = random_is_normal, .a = 5, .b = 2, .low = -INFINITY, .high = INFINITY},
       {1.7102927460970552, 5, 8.289707253902945}},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    for (int k = 0; k < 3; k++) close_to(random_quantile(&all[i].q, parts[k]), all[i].expected[k], 1e-9);
  }
}

static void fill(RandomQuantity *list) {
  for (int i = 0; i < quantities; i++)
    list[i] = (RandomQuantity){.kind = random_is_uniform, .a = 0, .b = 1, .low = -INFINITY, .high = INFINITY};
}

// The shift by the seed is taken away again: draw 0 is the shift itself.
static void sobol_has_the_points_of_joe_and_kuo(void **state) {
  (void)state;
  static const int numbers[] = {1, 2, 3, 5, 7};
  static const int eighths[5][quantities] = {
      {4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4},
      {6, 2, 2, 2, 6, 6, 2, 6, 6, 6, 6, 6, 2, 2, 6, 2, 6, 2, 6, 2, 2},
      {2, 6, 6, 6, 2, 2, 6, 2, 2, 2, 2, 2, 6, 6, 2, 6, 2, 6, 2, 6, 6},
      {7, 7, 1, 3, 7, 5, 7, 3, 3, 1, 3, 7, 7, 1, 7, 3, 7, 3, 3, 5, 5},
      {1, 5, 3, 1, 1, 3, 5, 5, 5, 7, 5, 1, 5, 3, 1, 1, 1, 1, 5, 7, 7},
  };
  RandomQuantity list[quantities];
  fill(list);
  Design d = {.random = list, .random_count = quantities, .draws = sampling_sobol, .seed = 7, .draw_count = 8};
  double shift[quantities], x[quantities];
  design_sample(&d, 0, shift);
  for (size_t j = 0; j < sizeof numbers / sizeof *numbers; j++) {
    design_sample(&d, (uint64_t)numbers[j], x);
    for (int k = 0; k < quantities; k++) {
      uint64_t bits = (uint64_t)ldexp(x[k], 52) ^ (uint64_t)ldexp(shift[k], 52);
      assert_int_equal(bits, (uint64_t)eighths[j][k] << 49);
    }
  }
}

static void a_latin_square_has_one_draw_in_each_part(void **state) {
  (void)state;
  enum { draws = 1000 };
  RandomQuantity list[quantities];
  fill(list);
  Design d = {.random = list, .random_count = quantities, .draws = sampling_latin, .seed = 3, .draw_count = draws};
  bool seen[quantities][draws] = {{false}};
  for (uint64_t i = 0; i < draws; i++) {
    double x[quantities];
    design_sample(&d, i, x);
    for (int k = 0; k < quantities; k++) {
      int part = (int)(x[k] * draws);
      assert_true(part >= 0 && part < draws && !seen[k][part]);
      seen[k][part] = true;
    }
  }
}

// With correlations, too; and the correlations of normal quantities are there.
static void a_correlated_latin_hypercube_has_one_draw_in_each_part(void **state) {
  (void)state;
  enum { draws = 1000 };
  RandomQuantity list[3];
  for (int k = 0; k < 3; k++) list[k] = (RandomQuantity){.kind = random_is_uniform, .a = 0, .b = 1};
  // of [1, 0.6, -0.3; 0.6, 1, 0.2; -0.3, 0.2, 1]
  const double want[3][3] = {{1, 0.6, -0.3}, {0.6, 1, 0.2}, {-0.3, 0.2, 1}};
  const double factor[] = {1, 0, 0, 0.6, 0.8, 0, -0.3, 0.475, sqrt(1 - 0.09 - 0.475 * 0.475)};
  Arena *arena = arena_new();
  Design d = {
      .random = list, .random_count = 3, .factor = factor, .draws = sampling_latin, .seed = 5, .draw_count = draws};
  bool seen[3][draws] = {{false}};
  double product[3][3] = {{0}};
  assert_true(design_order(&d, arena));
  for (uint64_t i = 0; i < draws; i++) {
    double x[3], z[3];
    design_sample(&d, i, x);
    for (int k = 0; k < 3; k++) {
      int part = (int)(x[k] * draws);
      assert_true(part >= 0 && part < draws && !seen[k][part]);
      seen[k][part] = true;
      z[k] = normal_quantile(x[k]);
    }
    for (int a = 0; a < 3; a++) {
      for (int b = 0; b < 3; b++) product[a][b] += z[a] * z[b] / draws;
    }
  }
  // one draw a part: far closer than the 0.03 of independent draws
  for (int a = 0; a < 3; a++) {
    for (int b = 0; b < 3; b++) assert_true(fabs(product[a][b] - want[a][b]) < 0.01);
  }
  arena_free(arena);
}

// Two normal quantities with the correlation 0.6: moments within five standard errors.
static void correlated_normal_draws_have_their_moments(void **state) {
  (void)state;
  enum { draws = 40000 };
  const RandomQuantity list[2] = {{.kind = random_is_normal, .a = 2, .b = 3, .low = -INFINITY, .high = INFINITY},
                                  {.kind = random_is_normal, .a = -1, .b = 0.5, .low = -INFINITY, .high = INFINITY}};
  const double factor[] = {1, 0, 0.6, 0.8};
  Design d = {.random = list, .random_count = 2, .factor = factor, .seed = 11, .draw_count = draws};
  double mean[2] = {0}, square[2] = {0}, product = 0, fourth = 0;
  for (uint64_t i = 0; i < draws; i++) {
    double x[2], z[2];
    design_sample(&d, i, x);
    for (int k = 0; k < 2; k++) {
      z[k] = (x[k] - list[k].a) / list[k].b;
      mean[k] += z[k] / draws;
      square[k] += z[k] * z[k] / draws;
    }
    product += z[0] * z[1] / draws;
    fourth += pow(z[0], 4) / draws;
  }
  double error = 5 / sqrt(draws);
  for (int k = 0; k < 2; k++) assert_true(fabs(mean[k]) < error && fabs(square[k] - 1) < sqrt(2) * error);
  assert_true(fabs(product - 0.6) < sqrt(1 + 0.36) * error);
  assert_true(fabs(fourth - 3) < sqrt(96) * error);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quantiles_are_those_of_the_distributions),
      cmocka_unit_test(sobol_has_the_points_of_joe_and_kuo),
      cmocka_unit_test(a_latin_square_has_one_draw_in_each_part),
      cmocka_unit_test(correlated_normal_draws_have_their_moments),
      cmocka_unit_test(a_correlated_latin_hypercube_has_one_draw_in_each_part),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

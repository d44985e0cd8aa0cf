// Sensitivities through the public interface: a closed form, and its picture.
#include "tests/support.h"

#include "viva/viva.h"

#include "tests/api/font_leaks.h"

static const char decay[] = "title \"Decay\"\nparam k = 2\nstate x = 3\nx' = -k*x\nlet y = x^2\noutput x, y\n"
                            "simulate to 1 every 0.01\n";

static viva_sensitivity *slopes_of(viva_model **m) {
  static const char *const names[] = {"k", "x"};
  viva_sensitivity *s = NULL;
  assert_int_equal(viva_model_parse("decay.viva", decay, strlen(decay), NULL, m), VIVA_OK);
  viva_sensitivity_options o = viva_sensitivity_defaults();
  o.names = names;
  o.name_count = 2;
  assert_int_equal(viva_sensitivity_model(*m, &o, NULL, &s), VIVA_OK);
  return s;
}

// x = x0 exp(-k t), y = x^2
static void slopes_of_a_decay_are_those_of_its_closed_form(void **state) {
  (void)state;
  viva_model *m;
  viva_sensitivity *s = slopes_of(&m);
  double e = exp(-2);
  assert_true(viva_sensitivity_exact(s) && viva_sensitivity_output_count(s) == 2);
  assert_true(fabs(viva_sensitivity_final(s, 0, 0) + 3 * e) < 1e-9);
  assert_true(fabs(viva_sensitivity_final(s, 0, 1) - e) < 1e-9);
  assert_true(fabs(viva_sensitivity_final(s, 1, 0) + 2 * 9 * e * e) < 1e-9);
  assert_true(fabs(viva_sensitivity_final(s, 1, 1) - 2 * 3 * e * e) < 1e-9);
  viva_sensitivity_free(s);
  viva_model_free(m);
}

static void slopes_are_drawn(void **state) {
  (void)state;
  viva_model *m;
  viva_sensitivity *s = slopes_of(&m);
  char *data;
  size_t length;
  assert_int_equal(viva_sensitivity_draw(s, NULL, VIVA_PICTURE_SVG, &data, &length), VIVA_OK);
  static const char *const parts[] = {"<svg", "Decay", "k d(x)/d(k)", "x(0) d(y)/d(x(0))", "change of y"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) assert_non_null(strstr(data, parts[i]));
  viva_text_free(data);
  assert_int_equal(viva_sensitivity_draw(s, NULL, VIVA_PICTURE_PNG, &data, &length), VIVA_OK);
  assert_true(length > 8 && memcmp(data, "\x89PNG\r\n\x1a\n", 8) == 0);
  viva_text_free(data);
  assert_int_equal(viva_sensitivity_draw(s, NULL, VIVA_PICTURE_TERMINAL, &data, &length), VIVA_OK);
  assert_true(length > 100);
  viva_text_free(data);
  viva_sensitivity_free(s);
  viva_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(slopes_of_a_decay_are_those_of_its_closed_form),
                                     cmocka_unit_test(slopes_are_drawn)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

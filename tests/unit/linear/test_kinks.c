// Corners, jumps and roots at a point; terms that switch without anything noticing.
#include "tests/unit/rest/opened.h"

static KinkList kinks_of(Opened *x) {
  KinkList list = {0};
  bool changed;
  assert_true(events_settle(&x->o, x->o.y, events_of_motion, &changed));
  double *rates = calloc(x->o.dim, sizeof *rates);
  assert_true(operating_rates(&x->o, x->o.y, rates, NULL));
  free(rates);
  assert_true(kinks_find(&x->o, &list));
  return list;
}

static void assert_kink(const char *text, KinkKind kind) {
  Opened *x = open_text(text);
  KinkList list = kinks_of(x);
  if (kind == kink_none) {
    assert_int_equal(list.count, 0);
  } else {
    assert_int_equal(list.count, 1);
    assert_int_equal(list.items[0].kind, kind);
  }
  close_text(x);
}

static void terms_that_switch_here_are_found(void **state) {
  (void)state;
  assert_kink("coord x\nkinetic x'^2/2\nforce x = -|x|\n", kink_mean);
  assert_kink("coord x\nkinetic x'^2/2\nforce x = -max(x, 0)\n", kink_corner);
  assert_kink("coord x\nkinetic x'^2/2\nforce x = -step(x)\n", kink_jump);
  assert_kink("coord x\nkinetic x'^2/2\nforce x = -sqrt(x)\n", kink_root);
}

static void smooth_terms_are_not(void **state) {
  (void)state;
  assert_kink("coord x\nkinetic x'^2/2\nforce x = -x*|x|\n", kink_none);           // its slope, 2 |x|, has no jump
  assert_kink("coord x = 0.1\nkinetic x'^2/2\nforce x = -|x|\n", kink_none);       // elsewhere
  assert_kink("coord x\nkinetic x'^2/2\nforce x = |x| - |x| - x\n", kink_none);    // cancels
  assert_kink("coord x\nkinetic x'^2/2\nforce x = -sqrt(1 + x^2)*x\n", kink_none); // a root of something positive
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(terms_that_switch_here_are_found),
      cmocka_unit_test(smooth_terms_are_not),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// A rigid body with four positions and three velocities, against closed forms.
#include "tests/waist/waist.h"

static const char *const methods[] = {"rk4", "dopri5", "dop853", "rodas", "bdf"};
// the error that each may make: the step of rk4 is 1 ms; bdf keeps to its tolerance along the way, not at the end
static const double allowed[] = {1e-10, 1e-9, 1e-9, 1e-9, 1e-7};
enum { method_count = sizeof methods / sizeof *methods };

static RunSettings settings_of(int method, double to) {
  RunSettings s = waist_settings(methods[method], to);
  s.all = true;
  if (method == 0) s.step = 1e-3;
  return s;
}

// One angle about the axis of symmetry; J = diag(1, 1, 2), w = (0.3, 0, 2): w1 + i w2 turns at W = (J3 - J1)/J1 w3 in
// the body, and in space the axis goes round L at |L|/J1.
static void a_symmetric_top_precesses(void **state) {
  (void)state;
  const double J1 = 1, J3 = 2, w1 = 0.3, w3 = 2, t = 3, W = (J3 - J1) / J1 * w3;
  for (int m = 0; m < method_count; m++) {
    Waist *w = waist_new((WaistParam[]){{"body.Jxx", "1"},
                                        {"body.Jyy", "1"},
                                        {"body.Jzz", "2"},
                                        {"body.Jxy", "0"},
                                        {"body.Jxz", "0"},
                                        {"body.Jyz", "0"},
                                        {"body.wx", "0.3"},
                                        {"body.wy", "0"},
                                        {"body.wz", "2"},
                                        {0}});
    RunSettings settings = settings_of(m, t);
    RunResult r = waist_run(w, &settings, NULL);
    double error = 0;
    error = fmax(error, fabs(waist_final(&r, "wx") - w1 * cos(W * t)));
    error = fmax(error, fabs(waist_final(&r, "wy") - w1 * sin(W * t)));
    error = fmax(error, fabs(waist_final(&r, "wz") - w3));
    // q = (turn about L by |L|/J1 t) (turn about the body's axis by -W t)
    double L[3] = {J1 * w1, 0, J3 * w3}, l = sqrt(L[0] * L[0] + L[2] * L[2]), a = l / J1 * t / 2, b = -W * t / 2;
    double p[4] = {cos(a), sin(a) * L[0] / l, 0, sin(a) * L[2] / l};
    double q[4] = {p[0] * cos(b) - p[3] * sin(b), p[1] * cos(b) + p[2] * sin(b), p[2] * cos(b) - p[1] * sin(b),
                   p[3] * cos(b) + p[0] * sin(b)};
    static const char *const names[] = {"q0", "q1", "q2", "q3"};
    for (int i = 0; i < 4; i++) error = fmax(error, fabs(waist_final(&r, names[i]) - q[i]));
    if (!(error < allowed[m])) fail_msg("%s: %.3g", methods[m], error);
    waist_free(w);
  }
}

// Any inertia, also in axes that are not its own: |q|, the energy and the momentum in space stay as they were.
static void what_is_kept_stays(void **state) {
  (void)state;
  static const WaistParam bodies[][10] = {{{"body.Jxx", "1"},
                                           {"body.Jyy", "2"},
                                           {"body.Jzz", "3"},
                                           {"body.Jxy", "0"},
                                           {"body.Jxz", "0"},
                                           {"body.Jyz", "0"},
                                           {"body.wx", "0.1"},
                                           {"body.wy", "2"},
                                           {"body.wz", "0.1"},
                                           {0}},
                                          {{"body.Jxx", "1.5"},
                                           {"body.Jyy", "2"},
                                           {"body.Jzz", "2.5"},
                                           {"body.Jxy", "0.2"},
                                           {"body.Jxz", "-0.1"},
                                           {"body.Jyz", "0.3"},
                                           {"body.wx", "1"},
                                           {"body.wy", "0.2"},
                                           {"body.wz", "-0.5"},
                                           {0}}};
  // L = J w at the start, where body and space are one; energy w.L/2
  static const double L[2][3] = {{0.1, 4, 0.3}, {1.5 + 0.04 + 0.05, 0.2 + 0.4 - 0.15, -0.1 + 0.06 - 1.25}};
  static const double energy[2] = {(0.01 + 8 + 0.03) / 2, (1.59 + 0.2 * 0.45 + 0.5 * 1.29) / 2};
  static const char *const names[] = {"L.x", "L.y", "L.z"};
  for (int m = 0; m < method_count; m++) {
    for (int k = 0; k < 2; k++) {
      Waist *w = waist_new(bodies[k]);
      RunSettings settings = settings_of(m, 20);
      RunResult r = waist_run(w, &settings, NULL);
      double length = 0, error = 0;
      for (int i = 0; i < 4; i++) {
        double q = waist_final(&r, (const char[]){'q', (char)('0' + i), 0});
        length += q * q;
      }
      for (int i = 0; i < 3; i++) error = fmax(error, fabs(waist_final(&r, names[i]) - L[k][i]));
      error = fmax(error, fabs(length - 1));
      error = fmax(error, fabs(r.account.stored - energy[k]));
      if (!r.account.kept || !(error < allowed[m] * 20)) fail_msg("%s, body %d: %.3g", methods[m], k, error);
      waist_free(w);
    }
  }
}

// At rest: q' = 1/2 S w with q = 1, so (q1, q2, q3)' = w/2; q0 follows from |q| = 1 and is no state.
static void its_linear_model_has_six_states(void **state) {
  (void)state;
  static const char *const names[] = {"q1", "q2", "q3", "wx", "wy", "wz"};
  Waist *w = waist_new((WaistParam[]){{"body.Jxx", "1"},
                                      {"body.Jyy", "2"},
                                      {"body.Jzz", "3"},
                                      {"body.Jxy", "0"},
                                      {"body.Jxz", "0"},
                                      {"body.Jyz", "0"},
                                      {"body.wx", "0"},
                                      {"body.wy", "0"},
                                      {"body.wz", "0"},
                                      {0}});
  assert_int_equal(w->s.y.items[0].kind, component_position);
  assert_int_equal(w->s.y.items[6].kind, component_velocity);
  const Linearization *l = waist_linearize(w);
  assert_int_equal(l->n, 6);
  assert_true(l->equilibrium);
  for (uint32_t i = 0; i < 6; i++) {
    assert_string_equal(l->states[i], names[i]);
    for (uint32_t k = 0; k < 6; k++) assert_true(l->A.numbers[i * 6 + k] == (k == i + 3 ? 0.5 : 0));
    assert_non_null(l->A.exact);
  }
  assert_int_equal(l->modes.n, 6);
  waist_free(w);
}

// The invariant takes part where it is not a plain coordinate: at q = (0.6, 0.8, 0, 0) the row of q0 would be -0.4 wx
// and q1 = ... 0.3 wx; q1 has the larger slope and goes. States q0 q2 q3: q0' = -0.4 wx, q2' = 0.3 wy - 0.4 wz, q3' =
// 0.3 wz + 0.4 wy.
static void another_place_leaves_another_state_out(void **state) {
  (void)state;
  Waist *w = waist_new((WaistParam[]){{"body.Jxx", "1"},
                                      {"body.Jyy", "2"},
                                      {"body.Jzz", "3"},
                                      {"body.Jxy", "0"},
                                      {"body.Jxz", "0"},
                                      {"body.Jyz", "0"},
                                      {"body.wx", "0"},
                                      {"body.wy", "0"},
                                      {"body.wz", "0"},
                                      {0}});
  for (uint32_t i = 0; i < w->s.y.count; i++) {
    Component *y = &w->s.y.items[i];
    if (strcmp(y->name, "q0") == 0) y->start = expr_num(w->s.pool, rat_make(w->arena, 3, 5));
    if (strcmp(y->name, "q1") == 0) y->start = expr_num(w->s.pool, rat_make(w->arena, 4, 5));
    if (y->kind == component_position) w->s.states.items[y->of].x0 = y->start;
  }
  const Linearization *l = waist_linearize(w);
  static const char *const names[] = {"q0", "q2", "q3", "wx", "wy", "wz"};
  static const double A[3][3] = {{-0.4, 0, 0}, {0, 0.3, -0.4}, {0, 0.4, 0.3}};
  assert_int_equal(l->n, 6);
  for (uint32_t i = 0; i < 6; i++) {
    assert_string_equal(l->states[i], names[i]);
    for (uint32_t k = 0; k < 6; k++) {
      double expected = i < 3 && k >= 3 ? A[i][k - 3] : 0;
      if (!(fabs(l->A.numbers[i * 6 + k] - expected) < 1e-15)) fail_msg("%u %u: %g", i, k, l->A.numbers[i * 6 + k]);
    }
  }
  waist_free(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_symmetric_top_precesses),
      cmocka_unit_test(what_is_kept_stays),
      cmocka_unit_test(its_linear_model_has_six_states),
      cmocka_unit_test(another_place_leaves_another_state_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

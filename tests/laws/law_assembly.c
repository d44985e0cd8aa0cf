// A mechanism that goes downhill to its rest stays on the branch on which it began.
//
// Slider-cranks whose rod is longer than the crank: the piston stays on its side of the crank pin. Four-bars whose
// crank turns all round (Grashof): the angle between coupler and rocker keeps its sign. Both follow from the lengths
// alone. Broken twin: the same mechanism begun on its other branch rests with the other sign, so the sign says
// something.
#include "tests/laws/chance.h"

#include "viva/viva.h"

enum { mechanisms = 60 };

static double between(double a, double b) { return a + (b - a) * uniform(); }

// The values of a and b where the text rests; false: it has no rest that was found.
static bool rest_of(const char *text, const char *a, const char *b, double *value) {
  viva_model *model = NULL;
  viva_equilibrium *e = NULL;
  viva_load_options load = viva_load_defaults();
  assert_int_equal(viva_model_parse("law.viva", text, strlen(text), &load, &model), VIVA_OK);
  viva_equilibrium_options o = viva_equilibrium_defaults();
  bool found = viva_equilibrium_find(model, &o, &e) == VIVA_OK;
  for (size_t i = 0; found && i < viva_equilibrium_value_count(e); i++) {
    const char *name = viva_equilibrium_value_name(e, i);
    if (strcmp(name, a) == 0) value[0] = viva_equilibrium_value(e, 0, i);
    if (strcmp(name, b) == 0) value[1] = viva_equilibrium_value(e, 0, i);
  }
  viva_equilibrium_free(e);
  viva_model_free(model);
  return found;
}

// ---- slider-crank

// The piston's side of the pin, times a length, at rest; 0: none was found.
static double side_of_piston(double R, double L, double m, double T, double th, int side) {
  char text[1000];
  double y = R * cos(th) + side * sqrt(L * L - R * R * sin(th) * sin(th)), value[2];
  snprintf(text, sizeof text,
           "coord th = %.17g, y = %.17g\nkinetic 1/2*th'^2 + 1/2*%.17g*y'^2\npotential 9.81*%.17g*y\nforce th = %.17g\n"
           "constraint rod: (y - %.17g*cos(th))^2 + (%.17g*sin(th))^2 = %.17g^2\n",
           th, y, m, m, T, R, R, L);
  if (!rest_of(text, "th", "y", value)) return 0;
  return value[1] - R * cos(value[0]);
}

static void a_piston_stays_on_its_side(void **state) {
  (void)state;
  int found = 0;
  for (int n = 0; n < mechanisms; n++) {
    double R = pow(10, between(-2, 0)), L = R * between(1.05, 4), m = pow(10, between(-1, 2));
    double T = 9.81 * m * R * between(-0.8, 0.8), th = between(-3, 3);
    for (int side = -1; side <= 1; side += 2) {
      double at = side_of_piston(R, L, m, T, th, side);
      if (at * side < 0) fail_msg("R %g L %g m %g T %g th %g: from side %d to %g", R, L, m, T, th, side, at);
      found += at != 0;
    }
  }
  if (found < mechanisms * 3 / 2) fail_msg("only %d of %d came to rest", found, 2 * mechanisms);
}

// ---- four-bar with a crank that turns all round

typedef struct Loop {
  double a, b, c, d; // crank, coupler, rocker, ground
  double th[3];
} Loop;

// Angles of coupler and rocker for an angle of the crank, with a sign of their difference.
static void close_loop(Loop *l, int sign) {
  double x = l->d - l->a * cos(l->th[0]), y = -l->a * sin(l->th[0]), far = hypot(x, y);
  double at = acos((l->b * l->b + far * far - l->c * l->c) / (2 * l->b * far));
  l->th[1] = atan2(y, x) + sign * at;
  l->th[2] = atan2(l->a * sin(l->th[0]) + l->b * sin(l->th[1]), l->a * cos(l->th[0]) + l->b * cos(l->th[1]) - l->d);
}

// The sine of the angle from coupler to rocker at rest; 0: none was found.
static double bend_of_coupler(const Loop *l, const double *m, double k) {
  char text[1500];
  double value[2];
  snprintf(text, sizeof text,
           "coord p = %.17g, q = %.17g, r = %.17g\nlet A = [%.17g*cos(p), %.17g*sin(p)]\n"
           "let B = A + [%.17g*cos(q), %.17g*sin(q)]\nconstraint B = [%.17g + %.17g*cos(r), %.17g*sin(r)]\n"
           "kinetic |A'|^2 + |B'|^2\npotential %.17g*A.y + %.17g*B.y + %.17g*B.x + 1/2*%.17g*p^2\n",
           l->th[0], l->th[1], l->th[2], l->a, l->a, l->b, l->b, l->d, l->c, l->c, m[0], m[1], m[2], k);
  if (!rest_of(text, "q", "r", value)) return 0;
  return sin(value[1] - value[0]);
}

static void a_four_bar_keeps_its_bend(void **state) {
  (void)state;
  int found = 0;
  for (int n = 0; n < mechanisms; n++) {
    Loop l;
    do {
      l = (Loop){1, between(1.05, 4), between(1.05, 4), between(1.05, 4), {between(-3, 3), 0, 0}};
    } while (1 + fmax(l.b, fmax(l.c, l.d)) > 0.98 * (l.b + l.c + l.d - fmax(l.b, fmax(l.c, l.d))));
    double size = pow(10, between(-2, 2)), m[] = {between(-9, 9), between(-9, 9), between(-9, 9)}, k = between(0, 2);
    l.a *= size;
    l.b *= size;
    l.c *= size;
    l.d *= size;
    for (int sign = -1; sign <= 1; sign += 2) {
      close_loop(&l, sign);
      double before = sin(l.th[2] - l.th[1]), after = bend_of_coupler(&l, m, k * size);
      if (before * after < 0) fail_msg("a four-bar of %g %g %g %g changed its bend", l.a, l.b, l.c, l.d);
      found += after != 0;
    }
  }
  if (found < mechanisms * 3 / 2) fail_msg("only %d of %d came to rest", found, 2 * mechanisms);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup(a_piston_stays_on_its_side, start),
                                     cmocka_unit_test_setup(a_four_bar_keeps_its_bend, start)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

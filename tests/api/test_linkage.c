// Mechanisms by nodes and bars move as the same ones by coordinates of their own: two texts with no common statement,
// one motion. Forces of bars are those of the textbook.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "viva/viva.h"

#include <math.h>
#include <string.h>

static viva_model *parse(const char *text, double stiffness) {
  viva_model *model = NULL;
  viva_load_options o = viva_load_defaults();
  o.stiffness = stiffness;
  viva_status status = viva_model_parse("test.viva", text, strlen(text), &o, &model);
  for (size_t i = 0; i < viva_model_diagnostic_count(model); i++)
    print_error("%s\n", viva_model_diagnostic(model, i).message);
  assert_int_equal(status, VIVA_OK);
  return model;
}

// A motion; its names are those of the model.
typedef struct Followed {
  viva_model *model;
  viva_run *run;
} Followed;

static Followed follow(const char *text, double stiffness, const char *method, double step) {
  Followed x = {parse(text, stiffness), NULL};
  viva_run_options o = viva_run_defaults();
  o.method = method;
  if (step > 0) o.step = step;
  viva_status status = viva_run_model(x.model, &o, NULL, &x.run);
  if (viva_run_message(x.run)) print_error("%s\n", viva_run_message(x.run));
  assert_int_equal(status, VIVA_OK);
  return x;
}

static void drop(Followed x) {
  viva_run_free(x.run);
  viva_model_free(x.model);
}

static double final(Followed x, const char *name) {
  const viva_run *run = x.run;
  for (size_t i = 0; i < viva_run_value_count(run); i++) {
    if (strcmp(viva_run_value_name(run, i), name) == 0) return viva_run_value(run, i);
  }
  fail_msg("no value `%s`", name);
  return NAN;
}

typedef struct Twin {
  const char *name, *bars, *coordinates;
  double tolerance;
} Twin;

// Both have outputs x and y (and f where a force is compared).
static const Twin twins[] = {
    {"a pendulum",
     "param L = 1.3, m = 2\nnode A = [0, 0] fixed\nnode B = [L, 0] mass m\nbar AB: A B\ngravity [0, -9.81]\n"
     "init B.y' = 1\noutput x = B.x, y = B.y, f = AB.force\nsimulate to 3",
     "param L = 1.3, m = 2, g = 9.81\ncoord th\ninit th' = 1/L\nkinetic 1/2*m*L^2*th'^2\npotential m*g*L*sin(th)\n"
     "output x = L*cos(th), y = L*sin(th), f = m*L*th'^2 - m*g*sin(th)\nsimulate to 3",
     1e-8},
    {"a double pendulum",
     "node A = [0, 0] fixed\nnode B = [1, 0] mass 2\nnode C = [1.7, 0] mass 1\nbar AB: A B\nbar BC: B C\n"
     "gravity [0, -9.81]\noutput x = C.x, y = C.y, f = BC.force\nsimulate to 1.5",
     "coord a = pi/2, b = pi/2\nlet P = [sin(a), -cos(a)], Q = P + 0.7*[sin(b), -cos(b)]\n"
     "kinetic 1/2*2*|P'|^2 + 1/2*|Q'|^2\npotential 9.81*(2*P.y + Q.y)\n"
     "output x = Q.x, y = Q.y, f = -dot(Q'' + [0, 9.81], [sin(b), -cos(b)])\nsimulate to 1.5",
     1e-8},
    {"a spring pendulum with a damper",
     "node A = [0, 0] fixed\nnode B = [0.5, -1] mass 2\nspring s: A B stiffness 40 length 1 damping 0.7\n"
     "gravity [0, -9.81]\noutput x = B.x, y = B.y, f = s.force\nsimulate to 3",
     "coord r = sqrt(1.25), a = atan2(0.5, 1)\nkinetic 1/2*2*(r'^2 + r^2*a'^2)\n"
     "potential -2*9.81*r*cos(a) + 1/2*40*(r - 1)^2\ndissipation 1/2*0.7*r'^2\n"
     "output x = r*sin(a), y = -r*cos(a), f = 40*(r - 1) + 0.7*r'\nsimulate to 3",
     1e-8},
    {"a nonlinear spring",
     "node A = [0, 0] fixed\nnode B = [1, 0] mass 2 fixed y\nspring s: A B force 30*e + 200*e^3 length 1.4\n"
     "output x = B.x, y = B.y, f = s.force\nsimulate to 3",
     "coord x = 1\nlet e = x - 1.4\nkinetic x'^2\npotential 15*e^2 + 50*e^4\n"
     "output x, y = 0, f = 30*e + 200*e^3\nsimulate to 3",
     1e-8},
    {"a rigid body as a physical pendulum, one node on the line of two others",
     "node A = [0, 0] fixed\nnode B = [1, -0.5] mass 2\nnode C = [-0.3, -0.9] mass 3\nnode D = [0.5, -0.25] mass 1\n"
     "rigid R: A B C D\ngravity [0, -9.81]\noutput x = C.x, y = D.y\nsimulate to 3",
     "coord th\nfun ry(x, y) = x*sin(th) + y*cos(th)\nparam I = 2*1.25 + 3*0.9 + 1*0.3125\nkinetic 1/2*I*th'^2\n"
     "potential 9.81*(2*ry(1, -0.5) + 3*ry(-0.3, -0.9) + ry(0.5, -0.25))\n"
     "output x = -0.3*cos(th) + 0.9*sin(th), y = ry(0.5, -0.25)\nsimulate to 3",
     1e-8},
    {"a uniform rod",
     "node A = [0, 0] fixed\nnode B = [1.5, 0]\nbar AB: A B mass 4\ngravity [0, -9.81]\noutput x = B.x, y = B.y\n"
     "simulate to 3",
     "coord th\nkinetic 1/2*(4*1.5^2/3)*th'^2\npotential 4*9.81*0.75*sin(th)\n"
     "output x = 1.5*cos(th), y = 1.5*sin(th)\nsimulate to 3",
     1e-8},
    {"a slider-crank with a motor",
     "node O = [0, 0] fixed\nnode P = [0.5, 0] mass 1\nnode X = [2, 0] mass 3\nbar crank: O P\nbar rod: P X\n"
     "slider X along [2, 0]\npower 2*crank.angle'\noutput x = X.x, y = P.y\nsimulate to 1",
     "coord th\nlet x = 0.5*cos(th) + sqrt(1.5^2 - 0.25*sin(th)^2)\nkinetic 1/2*0.25*th'^2 + 1/2*3*x'^2\n"
     "power 2*th'\noutput x, y = 0.5*sin(th)\nsimulate to 1",
     1e-8},
    {"a four-bar linkage against its constraints",
     "node A = [0, 0] fixed\nnode D = [1.2, 0] fixed\nnode B = [-0.3, -0.6] mass 1\nnode C = [0.9, -1] mass 2\n"
     "bar AB: A B\nbar BC: B C\nbar CD: C D\ngravity [0, -9.81]\noutput x = B.x, y = C.y, f = BC.force\nsimulate to 2",
     "coord bx = -0.3, by = -0.6, cx = 0.9, cy = -1\nkinetic 1/2*(bx'^2 + by'^2) + cx'^2 + cy'^2\n"
     "potential 9.81*(by + 2*cy)\nconstraint bx^2 + by^2 = 0.45\nconstraint k: (cx - bx)^2 + (cy - by)^2 = 1.6\n"
     "constraint (cx - 1.2)^2 + cy^2 = 1.09\n"
     "output x = bx, y = cy, f = -2*sqrt(1.6)*lambda.k\nsimulate to 2",
     1e-8},
    {"a torsion spring that is turned round more than twice",
     "node A = [-1, 0] fixed\nnode B = [0, 0] fixed\nnode C = [1, 0] mass 1\nbar BC: B C\n"
     "torsion A B C stiffness 1 angle pi\ninit C.y' = 16\noutput x = C.x, y = C.y\nsimulate to 2",
     "coord th\nkinetic 1/2*th'^2\npotential 1/2*th^2\ninit th' = 16\noutput x = cos(th), y = sin(th)\nsimulate to 2",
     1e-8},
    {"a cable with a damper, which never pushes",
     "node A = [0, 0] fixed\nnode B = [0, -0.5] mass 1\ncable c: A B stiffness 500 length 1 damping 3\n"
     "gravity [0, -9.81]\noutput x = B.x, y = B.y, f = c.force\nsimulate to 2",
     "coord y = -0.5\nkinetic 1/2*y'^2\npotential 9.81*y\nlet e = max(-y - 1, 0)\n"
     "let f = if(e > 0, max(500*e - 3*y', 0), 0)\nforce y = f\noutput x = 0, y, f\nsimulate to 2",
     1e-7},
    {"a support that is moved",
     "node S = [0.1*sin(3*t), 0] fixed\nnode B = [0, -1] mass 1\nbar SB: S B\ngravity [0, -9.81]\n"
     "output x = B.x, y = B.y\nsimulate to 2",
     "coord th\nlet P = [0.1*sin(3*t) + sin(th), -cos(th)]\nkinetic 1/2*|P'|^2\npotential 9.81*P.y\n"
     "init th' = -0.3\noutput x = P.x, y = P.y\nsimulate to 2",
     1e-8},
    {"a load that turns with its bar",
     "node A = [0, 0] fixed\nnode B = [1, 0] mass 2\nbar AB: A B\nload B = [1, 3] with AB\noutput x = B.x, y = B.y\n"
     "simulate to 2",
     "coord th\nkinetic th'^2\nforce th = 3\noutput x = cos(th), y = sin(th)\nsimulate to 2", 1e-8},
    {"a rigid body of space, all nodes in one plane, as a compound pendulum about an axis",
     "node A = [0, 0, 0] fixed\nnode B = [0, 1, 0] fixed\nnode C = [1, 0, 0] mass 1\nnode D = [1, 1, 0] mass 2\n"
     "node E = [0.5, 0.5, 0] mass 3\nrigid R: A B C D E\ngravity [0, 0, -9.81]\noutput x = C.x, y = E.z\nsimulate to 2",
     "coord th\nkinetic 1/2*(1 + 2 + 3/4)*th'^2\npotential 9.81*(3 + 1.5)*sin(th)\n"
     "output x = cos(th), y = 0.5*sin(th)\nsimulate to 2",
     1e-8},
    {"a bead on a bar that turns, in space",
     "node A = [0, 0, 0] fixed\nnode B = [1, 0, 0] mass 3\nnode C = [0.5, 0, 0] mass 1\nbar AB: A B\n"
     "slider C on A B\ngravity [0, 0, -9.81]\noutput x = C.x, y = C.z\nsimulate to 0.6",
     "coord th, s = 0.5\nkinetic 1/2*3*th'^2 + 1/2*(s'^2 + s^2*th'^2)\npotential 9.81*(3 + s)*sin(th)\n"
     "output x = s*cos(th), y = s*sin(th)\nsimulate to 0.6",
     1e-8},
    {"a spring that ends at a point of something else",
     "coord q = 0.3\nkinetic 1/2*2*q'^2\nnode A = [0, 0] fixed\nlet P = [2 + q, 0]\n"
     "spring s: A P stiffness 10 length 1.5\noutput x = q, y = s.force\nsimulate to 3",
     "coord q = 0.3\nkinetic q'^2\npotential 5*(q + 0.5)^2\noutput x = q, y = 10*(q + 0.5)\nsimulate to 3", 1e-8},
};

static void bars_move_as_coordinates_of_their_own(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof twins / sizeof *twins; i++) {
    Followed a = follow(twins[i].bars, 0, NULL, 0), b = follow(twins[i].coordinates, 0, NULL, 0);
    bool force = strstr(twins[i].coordinates, "f = ") && strstr(twins[i].bars, "f = ");
    const char *const names[] = {"x", "y", "f"};
    for (int k = 0; k < 2 + force; k++) {
      double u = final(a, names[k]), v = final(b, names[k]);
      double most = twins[i].tolerance * (1 + fabs(v));
      if (!(fabs(u - v) <= most)) print_error("%s: %s is %.15g, not %.15g\n", twins[i].name, names[k], u, v);
      assert_true(fabs(u - v) <= most);
    }
    drop(a);
    drop(b);
  }
}

static void every_method_takes_them(void **state) {
  (void)state;
  const char *const methods[] = {"rk4", "dopri5", "dop853", "rodas", "bdf", "verlet", "gauss4", "gauss8", "conserve"};
  const char *text =
      "node A = [0, 0] fixed\nnode B = [1, 0] mass 2\nnode C = [1.7, 0]\nbar AB: A B\nbar BC: B C mass 1\n"
      "torsion A B C stiffness 3\ngravity [0, -9.81]\noutput x = C.x, y = C.y\nsimulate to 0.5";
  Followed exact = follow(text, 0, "gauss12", 0.005);
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    Followed run = follow(text, 0, methods[i], 0.0005);
    double most = strcmp(methods[i], "verlet") == 0 ? 1e-4 : 1e-6; // order 2
    if (!(fabs(final(run, "x") - final(exact, "x")) < most)) print_error("%s is off\n", methods[i]);
    assert_true(fabs(final(run, "x") - final(exact, "x")) < most && fabs(final(run, "y") - final(exact, "y")) < most);
    drop(run);
  }
  drop(exact);
}

// A pendulum on a spring of stiffness K is a rigid one up to terms of 1/K.
static void stiff_bars_approach_rigid_ones(void **state) {
  (void)state;
  const char *text = twins[0].bars;
  Followed rigid = follow(text, 0, NULL, 0), soft = follow(text, 1e4, NULL, 0), stiff = follow(text, 1e6, NULL, 0);
  double x = final(rigid, "x"), coarse = fabs(final(soft, "x") - x), fine = fabs(final(stiff, "x") - x);
  assert_true(coarse > 1e-5 && coarse < 0.05);
  assert_true(fine < coarse / 30 && fine > 0);
  drop(rigid);
  drop(soft);
  drop(stiff);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bars_move_as_coordinates_of_their_own),
                                     cmocka_unit_test(every_method_takes_them),
                                     cmocka_unit_test(stiff_bars_approach_rigid_ones)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

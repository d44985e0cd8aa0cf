// Mechanisms of textbooks, written twice: with constraints, and in coordinates of their own or by reduced equations
// that were derived by hand. Lengths, masses and starts are random; both texts have the same ones, as parameters.
//
// VIVA_COUNT says how many of each (5). The broken twin: a first parameter that differs by a thousandth.
#include "tests/laws/chance.h"
#include "tests/laws/one_run.h"

typedef struct Range {
  const char *name;
  double least, most;
} Range;

typedef struct Mechanism {
  const char *title;
  Range params[10];
  const char *bound, *free; // with the same outputs
  unsigned outputs;
  double slack;
} Mechanism;

static const Mechanism mechanisms[] = {
    {"Atwood's machine, closed form",
     {{"m1", 1, 3}, {"m2", 1, 3}, {"J", 0.01, 0.05}, {"R", 0.05, 0.2}},
     "coord y1 = 0, y2 = 0, th = 0\nkinetic 1/2*m1*y1'^2 + 1/2*m2*y2'^2 + 1/2*J*th'^2\npotential 9.81*(m1*y1 + m2*y2)\n"
     "constraint left: y1 = R*th\nconstraint right: y2 = -R*th\noutput y1, y2, lambda.left, lambda.right\n",
     "let a = (m2 - m1)*9.81/(m1 + m2 + J/R^2)\n"
     "output y1 = 1/2*a*t^2, y2 = -1/2*a*t^2, left = m1*(9.81 + a), right = m2*(9.81 - a)\n",
     4,
     1e-9},
    {"a pulley that hangs on a rope",
     {{"m1", 1, 4}, {"m2", 0.5, 2}, {"m3", 0.5, 2}},
     "coord y1 = 0, y2 = 0, y3 = 0, p = 0\nkinetic 1/2*m1*y1'^2 + 1/2*m2*y2'^2 + 1/2*m3*y3'^2\n"
     "potential 9.81*(m1*y1 + m2*y2 + m3*y3)\nconstraint upper: y1 + p = 0\nconstraint lower: y2 + y3 = 2*p\n"
     "output y1, y2, y3\n",
     "coord y1 = 0, s = 0\nlet y2 = -y1 + s, y3 = -y1 - s\nkinetic 1/2*m1*y1'^2 + 1/2*m2*y2'^2 + 1/2*m3*y3'^2\n"
     "potential 9.81*(m1*y1 + m2*y2 + m3*y3)\noutput y1, y2, y3\n",
     3,
     1e-9},
    {"a trammel",
     {{"x0", 0.3, 0.9}, {"v0", -0.5, 0.5}, {"m", 0.5, 2}, {"M", 0.5, 2}},
     "coord x = x0, y\nguess y = 0.5\ninit x' = v0\nlet P = [x/2, y/2]\nkinetic 1/2*m*(x'^2 + y'^2) + 1/2*M*|P'|^2\n"
     "potential 9.81*(m*y + M*P.y)\nconstraint rod: x^2 + y^2 = 1\noutput x, y, x', y'\n",
     "coord th = acos(x0)\ninit th' = -v0/sin(acos(x0))\nlet x = cos(th), y = sin(th), P = [x/2, y/2]\n"
     "kinetic 1/2*m*(x'^2 + y'^2) + 1/2*M*|P'|^2\npotential 9.81*(m*y + M*P.y)\noutput x, y, x', y'\n",
     4,
     1e-8},
    // |D| = 1.25/cos(phi), |C||D| = 1 - 1/4; up to where O, A and D lie in a line it is smooth in phi
    {"Peaucellier's linkage",
     {{"cy", 0.05, 0.2}, {"k", 10, 40}},
     "coord ax, ay, bx, by, cx, y = cy, dx, dy\n"
     "guess ax = 0.9, ay = 0.5, bx = 0.9, by = -0.3, cx = 0.58, dx = 1.2, dy = 0.2\n"
     "let A = [ax, ay], B = [bx, by], C = [cx, y], D = [dx, dy]\nkinetic 1/2*(|A'|^2 + |B'|^2 + |C'|^2 + |D'|^2)\n"
     "potential 1/2*k*dy^2\nconstraint |A|^2 = 1\nconstraint |B|^2 = 1\nconstraint |A - C|^2 = 1/4\n"
     "constraint |B - C|^2 = 1/4\nconstraint |A - D|^2 = 1/4\nconstraint |B - D|^2 = 1/4\n"
     "constraint |C - [0.3, 0]|^2 = 0.09\noutput C, D\n",
     "coord ph = asin(cy/0.3)/2\nlet r = 1.25/cos(ph), a = acos((0.75 + r^2)/(2*r))\n"
     "let A = [cos(ph + a), sin(ph + a)], B = [cos(ph - a), sin(ph - a)]\n"
     "let C = 0.6*cos(ph)*[cos(ph), sin(ph)], D = [1.25, 1.25*tan(ph)]\n"
     "kinetic 1/2*(|A'|^2 + |B'|^2 + |C'|^2 + |D'|^2)\npotential 1/2*k*D.y^2\noutput C, D\n",
     4,
     1e-7},
    {"Chaplygin's sleigh",
     {{"a", 0.1, 0.5}, {"m", 0.5, 3}, {"J", 0.1, 1}, {"w0", -2, 2}, {"v0", -1, 1}},
     "coord x = 0, y = 0, th = 0\ninit th' = w0, x' = v0\nlet C = [x + a*cos(th), y + a*sin(th)]\n"
     "kinetic 1/2*m*|C'|^2 + 1/2*J*th'^2\nconstraint blade: cos(th)*y' = sin(th)*x'\n"
     "output x, y, th, th', lambda.blade\n",
     "state v = v0, w = w0, x = 0, y = 0, th = 0\nv' = a*w^2\nw' = -m*a*v*w/(J + m*a^2)\nth' = w\nx' = v*cos(th)\n"
     "y' = v*sin(th)\noutput x, y, th, w, side = m*(v*w + a*w')\n",
     5,
     1e-8},
    // e1 along the track, n the axis, u from the contact to the centre: angular momentum about the contact
    {"a disk that rolls and leans",
     {{"th0", -0.3, 0.3}, {"R", 0.3, 0.8}, {"w0", 5, 8}, {"p0", -0.5, 0.5}},
     "param It = R^2/4, Ia = R^2/2\ncoord x = 0, y = 0, z, ps = 0, th = th0, ph = 0\n"
     "init ps' = p0, th' = 0, ph' = w0\nguess z = 0.5\nlet wn = ph' - ps'*sin(th), wu = ps'*cos(th)\n"
     "kinetic 1/2*(x'^2 + y'^2 + z'^2) + 1/2*Ia*wn^2 + 1/2*It*(wu^2 + th'^2)\npotential 9.81*z\n"
     "constraint z = R*cos(th)\nconstraint x' = R*(wn*cos(ps) - th'*cos(th)*sin(ps))\n"
     "constraint y' = R*(wn*sin(ps) + th'*cos(th)*cos(ps))\noutput x, y, z, th, ps', ph'\n",
     "param It = R^2/4, Ia = R^2/2\n"
     "state th = th0, ps = 0, wu = p0*cos(th0), wn = w0 - p0*sin(th0), w = 0, x = 0, y = 0\nlet p = wu/cos(th)\n"
     "w' = (It*p*sin(th)*wu + (Ia + R^2)*wu*wn - 9.81*R*sin(th))/(It + R^2)\nwn' = -R^2*wu*w/(Ia + R^2)\n"
     "wu' = -w*(Ia*wn + It*p*sin(th))/It\nth' = -w\nps' = p\nx' = R*(wn*cos(ps) + w*cos(th)*sin(ps))\n"
     "y' = R*(wn*sin(ps) - w*cos(th)*cos(ps))\noutput x, y, R*cos(th), th, p, wn + p*sin(th)\n",
     6,
     1e-7},
    {"a planetary gear",
     {{"rs", 0.05, 0.2}, {"rp", 0.03, 0.1}, {"Js", 1e-3, 1e-2}, {"Jp", 1e-4, 1e-3}, {"Jr", 1e-3, 1e-2}, {"T", -1, 1}},
     "coord s = 0, c = 0, p = 0, r = 0\nkinetic 1/2*(Js*s'^2 + 0.01*c'^2 + Jp*p'^2 + Jr*r'^2)\nforce s = T\n"
     "force c = -0.5\nconstraint sun: rs*s' = (rs + rp)*c' - rp*p'\n"
     "constraint ring: (rs + 2*rp)*r' = (rs + rp)*c' + rp*p'\noutput s', c', p', r'\n",
     "coord s = 0, c = 0\nlet p = ((rs + rp)*c - rs*s)/rp, r = ((rs + rp)*c + rp*p)/(rs + 2*rp)\n"
     "kinetic 1/2*(Js*s'^2 + 0.01*c'^2 + Jp*p'^2 + Jr*r'^2)\nforce s = T\nforce c = -0.5\noutput s', c', p', r'\n",
     4,
     1e-9},
    // bars L[i-1] R[i] and R[i-1] L[i] cross at their middles
    {"a scissor lift of three stages",
     {{"w0", 0.6, 0.8}, {"m", 1, 3}, {"M", 5, 15}, {"k", 600, 1200}},
     "param n = 3\ncoord xl[i], yl[i], yr[i] for i in 1 .. n\ncoord xr[0] = w0\ncoord xr[i] for i in 1 .. n\n"
     "guess xl[i] = 0, yl[i] = 0.6*i, xr[i] = w0, yr[i] = 0.6*i for i in 1 .. n\n"
     "let L[0] = [0, 0], R[0] = [xr[0], 0]\nlet L[i] = [xl[i], yl[i]], R[i] = [xr[i], yr[i]] for i in 1 .. n\n"
     "constraint up[i]: |R[i] - L[i-1]|^2 = 1 for i in 1 .. n\nconstraint down[i]: |L[i] - R[i-1]|^2 = 1 for i in 1 .. "
     "n\n"
     "constraint pin[i]: R[i] + L[i-1] = L[i] + R[i-1] for i in 1 .. n\n"
     "kinetic m*|((R[i] + L[i-1])/2)'|^2 for i in 1 .. n\nkinetic 1/2*M*|R[n]'|^2\n"
     "potential 9.81*m*(R[i] + L[i-1]).y for i in 1 .. n\npotential 9.81*M*R[n].y + 1/2*k*(xr[0] - 0.3)^2\n"
     "output xr[0], yr[n]\n",
     "param n = 3\ncoord w = w0\nlet H = sqrt(1 - w^2)\nlet P[i] = [w/2, (i - 1/2)*H] for i in 1 .. n\n"
     "kinetic m*|P[i]'|^2 for i in 1 .. n\nkinetic 1/2*M*|[w, n*H]'|^2\npotential 2*9.81*m*P[i].y for i in 1 .. n\n"
     "potential 9.81*M*n*H + 1/2*k*(w - 0.3)^2\noutput w, n*H\n",
     2,
     1e-7},
    {"a pantograph",
     {{"a0", 1.2, 1.6}, {"b0", -0.7, -0.3}, {"k", 10, 50}},
     "coord ax, ay, bx, by, px, py, qx, qy\nlet P0 = 0.8*[cos(a0) + cos(b0), sin(a0) + sin(b0)]\n"
     "init px = 0.8*(cos(a0) + cos(b0)), py = 0.8*(sin(a0) + sin(b0))\n"
     "guess ax = 0.8*cos(a0) + 0.05, ay = 0.8*sin(a0), bx = 1.6*cos(a0), by = 1.6*sin(a0) + 0.05\n"
     "guess qx = 1.6*(cos(a0) + cos(b0)), qy = 1.6*(sin(a0) + sin(b0)) + 0.1\n"
     "let A = [ax, ay], B = [bx, by], P = [px, py], Q = [qx, qy]\n"
     "kinetic 1/2*(|A'|^2 + |B'|^2 + |P'|^2 + |Q'|^2)\npotential 1/2*k*|P - [0.6, 0]|^2\nconstraint |A|^2 = 0.64\n"
     "constraint B = 2*A\nconstraint |Q - B|^2 = 2.56\nconstraint |P - A|^2 = 0.64\n"
     "constraint |P - (B + Q)/2|^2 = 0.64\noutput A, P, Q\n",
     "coord a = a0, b = b0\nlet A = 0.8*[cos(a), sin(a)], P = A + 0.8*[cos(b), sin(b)], B = 2*A, Q = 2*P\n"
     "kinetic 1/2*(|A'|^2 + |B'|^2 + |P'|^2 + |Q'|^2)\npotential 1/2*k*|P - [0.6, 0]|^2\noutput A, P, Q\n",
     6,
     1e-7},
    {"a bead on a helix, closed form",
     {{"R", 0.2, 1}, {"h", 0.05, 0.3}},
     "coord x = R, y = 0, z = 0, th = 0\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\npotential 9.81*z\n"
     "constraint helix: [x, y, z] = [R*cos(th), R*sin(th), h*th]\noutput z, lambda.helix.z\n",
     "let a = 9.81*h^2/(R^2 + h^2)\noutput z = -1/2*a*t^2, up = 9.81 - a\n",
     2,
     1e-8},
    {"a bead on a hoop with friction",
     {{"mu", 0.1, 0.4}, {"x0", 0.5, 0.9}},
     "coord x = x0, y\nguess y = -0.6\nlet N = -2*lambda.hoop, s = x*y' - y*x'\nkinetic 1/2*(x'^2 + y'^2)\n"
     "potential 9.81*y\nconstraint hoop: x^2 + y^2 = 1\nforce x = mu*abs(N)*sign(s)*y\nforce y = -mu*abs(N)*sign(s)*x\n"
     "output x, y, N\n",
     "coord th = asin(x0)\nlet N = th'^2 + 9.81*cos(th)\nkinetic 1/2*th'^2\npotential -9.81*cos(th)\n"
     "force th = -mu*abs(N)*sign(th')\noutput sin(th), -cos(th), N\n",
     3,
     1e-7},
};

// The final values of the outputs of a text; false: the run did not come to its end.
static bool ends(const char *text, double *values, unsigned n) {
  return one_run(text, run_defaults(), NULL, values, n).status == run_done;
}

// The parameters, the text, and how long it runs; `first` is added to the first parameter.
static void write_text(char *out, size_t size, const Mechanism *m, const char *text, const double *values,
                       double first) {
  size_t at = 0;
  for (unsigned i = 0; m->params[i].name; i++)
    at += (size_t)snprintf(out + at, size - at, "param %s = %.17g\n", m->params[i].name, values[i] + (i ? 0 : first));
  at += (size_t)snprintf(out + at, size - at, "%ssimulate to 0.35\n", text);
  assert_true(at < size);
}

static double difference(const double *a, const double *b, unsigned n) {
  double most = 0, size = 1;
  for (unsigned i = 0; i < n; i++) {
    most = fmax(most, fabs(a[i] - b[i]));
    size = fmax(size, fabs(a[i]));
  }
  return most / size;
}

static void constraints_move_as_reduced_equations_do(void **state) {
  (void)state;
  const char *given = getenv("VIVA_COUNT");
  unsigned trials = given && *given ? (unsigned)atoi(given) : 5;
  char bound[4000], free[4000];
  for (size_t k = 0; k < sizeof mechanisms / sizeof *mechanisms; k++) {
    const Mechanism *m = &mechanisms[k];
    double worst = 0, a[8], b[8], values[10];
    for (unsigned trial = 0; trial < trials; trial++) {
      for (unsigned i = 0; m->params[i].name; i++)
        values[i] = m->params[i].least + (m->params[i].most - m->params[i].least) * uniform();
      write_text(bound, sizeof bound, m, m->bound, values, 0);
      write_text(free, sizeof free, m, m->free, values, 0);
      if (!ends(bound, a, m->outputs)) fail_msg("%s does not come to its end:\n%s", m->title, bound);
      assert_true(ends(free, b, m->outputs));
      double off = difference(a, b, m->outputs);
      if (!(off < m->slack)) fail_msg("%s is off by %g:\n%s\n%s", m->title, off, bound, free);
      worst = fmax(worst, off);
      write_text(free, sizeof free, m, m->free, values, 1e-3 * (m->params[0].most - m->params[0].least)); // broken twin
      assert_true(ends(free, b, m->outputs) && difference(a, b, m->outputs) > m->slack);
    }
    print_message("%s: %.1e\n", m->title, worst);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(constraints_move_as_reduced_equations_do)};
  return cmocka_run_group_tests(tests, start, NULL);
}

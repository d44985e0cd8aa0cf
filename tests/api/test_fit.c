// Parameters from data by the public interface: against certified values, an independent solution, closed forms.
#include "tests/support.h"

#include "base/random.h"
#include "viva/viva.h"

#include <unistd.h>

typedef struct Request {
  const char *model, *line; // the text, and the `fit` line with %s for the path of the data
  const char *const *set;
  size_t set_count;
  const char *method;
  uint64_t seed;
  bool no_profiles;
} Request;

typedef struct Fitted {
  viva_model *model;
  viva_fit *fit;
} Fitted;

static char path[] = "/tmp/viva_fit_XXXXXX";

static void write_data(const char *text) {
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  fputs(text, f);
  assert_int_equal(fclose(f), 0);
}

static Fitted fitted(const Request *w) {
  Fitted out = {0};
  char line[1024];
  viva_load_options load = viva_load_defaults();
  snprintf(line, sizeof line, w->line, path);
  load.fit = line;
  load.set = w->set;
  load.set_count = w->set_count;
  assert_int_equal(viva_model_parse("m.viva", w->model, strlen(w->model), &load, &out.model), VIVA_OK);
  viva_fit_options o = viva_fit_defaults();
  o.method = w->method;
  o.seed = w->seed ? w->seed : 1;
  o.no_profiles = w->no_profiles;
  viva_status status = viva_fit_model(out.model, &o, &out.fit);
  if (status != VIVA_OK) print_error("%s\n", viva_fit_message(out.fit));
  assert_int_equal(status, VIVA_OK);
  return out;
}

static void done(Fitted *f) {
  viva_fit_free(f->fit);
  viva_model_free(f->model);
}

static double estimate_of(const Fitted *f, size_t i) { return viva_fit_estimate(f->fit, i).value; }

// ---- NIST StRD, nonlinear regression: certified values and standard deviations

typedef struct Certified {
  const char *model, *data, *starts[2][4]; // starts NULL: it is not tried from there without ranges
  double values[4], sds[4];
} Certified;

static const Certified certified[] = {
    {"param b1, b2\noutput y = b1*(1 - exp(-b2*t))\n", // Misra1a
     "x,y\n77.6,10.07\n114.9,14.73\n141.1,17.94\n190.8,23.93\n239.9,29.61\n289.0,35.18\n332.8,40.02\n378.4,44.82\n"
     "434.8,50.76\n477.3,55.05\n536.8,61.01\n593.1,66.40\n689.1,75.47\n760.0,81.78\n",
     {{"b1=500", "b2=0.0001"}, {"b1=250", "b2=0.0005"}},
     {2.3894212918E+02, 5.5015643181E-04},
     {2.7070075241E+00, 7.2668688436E-06}},
    {"param b1, b2\noutput y = b1*(1 - exp(-b2*t))\n", // BoxBOD
     "x,y\n1,109\n2,149\n3,149\n5,191\n7,213\n10,224\n",
     {{NULL}, {"b1=100", "b2=0.75"}},
     {2.1380940889E+02, 5.4723748542E-01},
     {1.2354515176E+01, 1.0455993237E-01}},
    {"param b1, b2, b3\noutput y = b1/(1 + exp(b2 - b3*t))\n", // Rat42
     "x,y\n9,8.93\n14,10.80\n21,18.59\n28,22.33\n42,39.35\n57,56.11\n63,61.73\n70,64.62\n79,67.08\n",
     {{"b1=100", "b2=1", "b3=0.1"}, {"b1=75", "b2=2.5", "b3=0.07"}},
     {7.2462237576E+01, 2.6180768402E+00, 6.7359200066E-02},
     {1.7340283401E+00, 8.8295217536E-02, 3.4465663377E-03}},
    {"param b1, b2, b3, b4\noutput y = b1*(t^2 + t*b2)/(t^2 + t*b3 + b4)\n", // MGH09
     "x,y\n0.0625,0.0246\n0.0714,0.0235\n0.0833,0.0323\n0.1,0.0342\n0.125,0.0456\n0.167,0.0627\n0.25,0.0844\n"
     "0.5,0.16\n1,0.1735\n2,0.1947\n4,0.1957\n",
     {{"b1=25", "b2=39", "b3=41.5", "b4=39"}, {"b1=0.25", "b2=0.39", "b3=0.415", "b4=0.39"}},
     {1.9280693458E-01, 1.9128232873E-01, 1.2305650693E-01, 1.3606233068E-01},
     {1.1435312227E-02, 1.9633220911E-01, 8.0842031232E-02, 9.0025542308E-02}},
    {"param b1, b2, b3\noutput y = b1*exp(b2/(t + b3))\n", // MGH10
     "x,y\n50,34780\n55,28610\n60,23650\n65,19630\n70,16370\n75,13720\n80,11540\n85,9744\n90,8261\n95,7030\n"
     "100,6005\n105,5147\n110,4427\n115,3820\n120,3307\n125,2872\n",
     {{NULL}, {"b1=0.02", "b2=4000", "b3=250"}},
     {5.6096364710E-03, 6.1813463463E+03, 3.4522363462E+02},
     {1.5687892471E-04, 2.3309021107E+01, 7.8486103508E-01}},
    {"param b1, b2, b3, b4\noutput y = b1/(1 + exp(b2 - b3*t))^(1/b4)\n", // Rat43
     "x,y\n1,16.08\n2,33.83\n3,65.80\n4,97.20\n5,191.55\n6,326.20\n7,386.87\n8,520.53\n9,590.03\n10,651.92\n"
     "11,724.93\n12,699.56\n13,689.96\n14,637.56\n15,717.41\n",
     {{"b1=100", "b2=10", "b3=1", "b4=1"}, {"b1=700", "b2=5", "b3=0.75", "b4=1.3"}},
     {6.9964151270E+02, 5.2771253025E+00, 7.5962938329E-01, 1.2792483859E+00},
     {1.6302297817E+01, 2.0828735829E+00, 1.9566123451E-01, 6.8761936385E-01}},
};

static size_t unknowns_of(const Certified *c) {
  size_t k = 0;
  while (k < 4 && c->values[k] != 0) k++;
  return k;
}

static void certified_values_are_found_to_six_digits(void **state) {
  (void)state;
  static const char *const lines[] = {"fit b1, b2 to \"%s\" by y", "fit b1, b2, b3 to \"%s\" by y",
                                      "fit b1, b2, b3, b4 to \"%s\" by y"};
  for (size_t i = 0; i < sizeof certified / sizeof *certified; i++) {
    const Certified *c = &certified[i];
    size_t k = unknowns_of(c);
    write_data(c->data);
    for (int s = 0; s < 2; s++) {
      if (!c->starts[s][0]) continue;
      Fitted f = fitted(&(Request){c->model, lines[k - 2], c->starts[s], k, NULL, 0, true});
      for (size_t j = 0; j < k; j++) {
        viva_estimate e = viva_fit_estimate(f.fit, j);
        if (!(fabs(e.value / c->values[j] - 1) < 1e-6)) print_error("problem %zu, start %d, b%zu\n", i, s, j + 1);
        assert_true(fabs(e.value / c->values[j] - 1) < 1e-6);
        assert_true(fabs(e.stderr_ / c->sds[j] - 1) < 1e-4);
      }
      done(&f);
    }
  }
}

// The hard starts of two of them, with ranges: a search finds what a descent does not.
static void a_search_finds_certified_values_from_hard_starts(void **state) {
  (void)state;
  write_data(certified[1].data);
  Fitted f = fitted(&(Request){certified[1].model, "fit b1 in 1 .. 1000, b2 in 0.01 .. 10 to \"%s\" by y",
                               (const char *const[]){"b1=1", "b2=1"}, 2, NULL, 0, true});
  for (size_t j = 0; j < 2; j++) assert_true(fabs(estimate_of(&f, j) / certified[1].values[j] - 1) < 1e-6);
  done(&f);
  write_data(certified[4].data);
  f = fitted(&(Request){certified[4].model, "fit b1 in 1e-4 .. 10, b2 in 100 .. 1e6, b3 in 10 .. 1e5 to \"%s\" by y",
                        (const char *const[]){"b1=2", "b2=400000", "b3=25000"}, 3, NULL, 0, true});
  for (size_t j = 0; j < 3; j++) assert_true(fabs(estimate_of(&f, j) / certified[4].values[j] - 1) < 1e-6);
  done(&f);
}

// ---- the document's experiment

static const char cart[] =
    "param m1 = 1, m2 = 0.5, m3 = 0.3, l1 = 0.2, l2 = 0.2, g = 9.81, d1 = 0.15, d2 = 0.25, d3 = 0.25\n"
    "coord x, th1, th2 = pi/8\nlet P1 = [x + l1*sin(th1), l1*cos(th1)]\nlet P2 = P1 + [l2*sin(th2), l2*cos(th2)]\n"
    "kinetic 1/2*m1*x'^2 + 1/2*m2*|P1'|^2 + 1/2*m3*|P2'|^2\npotential m2*g*P1.y + m3*g*P2.y\n"
    "dissipation 1/2*d1*x'^2 + 1/2*d2*th1'^2 + 1/2*d3*th2'^2\n";

// Gauss and Newton's method over motions by SciPy (DOP853, rtol 1e-12), slopes by differences of the fourth order.
static const double cart_values[] = {0.10022451995720313, 0.19982090764420668, 0.3008714866131181};

static void damping_of_the_double_pendulum_is_that_of_an_independent_solution(void **state) {
  (void)state;
  char line[1024];
  snprintf(line, sizeof line, "fit d1 in 0 .. 10, d2 in 0 .. 10, d3 in 0 .. 10 to \"%s\" by x",
           VIVA_ROOT "/tests/reference/cart_double_pendulum_data.csv");
  Fitted f = fitted(&(Request){.model = cart, .line = line, .method = "lm", .no_profiles = true});
  for (size_t j = 0; j < 3; j++) assert_true(fabs(estimate_of(&f, j) / cart_values[j] - 1) < 1e-7);
  assert_true(fabs(viva_fit_r_squared(f.fit) - 0.9867713434626569) < 1e-10);
  done(&f);
}

// ---- closed forms

// A ball on its way: its coefficient is found through the bounces.
static void the_coefficient_of_a_ball_is_found_through_its_bounces(void **state) {
  (void)state;
  FILE *data = fopen(path, "wb");
  assert_non_null(data);
  fputs("t,h\n", data);
  for (int i = 0; i < 60; i++) {
    double t = 0.04 * i + 0.01, g = 9.81, fall = sqrt(2 * 2 / g), v = 0.8 * g * fall, s = t - fall, h;
    if (t < fall) h = 2 - g * t * t / 2;
    else {
      for (; s > 2 * v / g; v *= 0.8) s -= 2 * v / g;
      h = v * s - g * s * s / 2;
    }
    fprintf(data, "%.4f,%.9f\n", t, h + 0.003 * random_normal(5, (uint64_t)i));
  }
  fclose(data);
  Fitted f = fitted(&(Request){.model = "param e = 0.7, g = 9.81\ncoord h = 2\nkinetic 1/2*h'^2\npotential g*h\n"
                                        "when h < 0 do h' := -e*h'\n",
                               .line = "fit e in 0.3 .. 0.95, g in 9 .. 11 to \"%s\" by h sd 0.003"});
  viva_estimate e = viva_fit_estimate(f.fit, 0), g = viva_fit_estimate(f.fit, 1);
  assert_true(fabs(e.value - 0.8) < 4 * e.stderr_ && e.stderr_ < 2e-3);
  assert_true(fabs(g.value - 9.81) < 4 * g.stderr_ && g.stderr_ < 2e-2);
  assert_true(e.low < e.value && e.high > e.value);
  done(&f);
}

// What is linear in its unknowns has the interval of the textbook: profiles and standard errors agree.
static void intervals_of_a_line_are_those_of_the_textbook(void **state) {
  (void)state;
  write_data("t,y\n0,1.1\n1,2.9\n2,5.2\n3,7.1\n4,8.8\n5,11.2\n");
  Fitted f = fitted(&(Request){.model = "param a = 0, b = 1\noutput y = a + b*t\n",
                               .line = "fit a in -100 .. 100, b in -100 .. 100 to \"%s\" by y"});
  // least squares by hand: b = Sxy/Sxx, s^2 = SSE/4, t(0.975, 4) = 2.7764451
  double b = 35.05 / 17.5, a = 6.05 - 2.5 * b, sse = 0;
  const double y[] = {1.1, 2.9, 5.2, 7.1, 8.8, 11.2};
  for (int i = 0; i < 6; i++) sse += (y[i] - a - b * i) * (y[i] - a - b * i);
  double se = sqrt(sse / 4 / 17.5);
  viva_estimate slope = viva_fit_estimate(f.fit, 1);
  assert_true(fabs(slope.value - b) < 1e-9);
  assert_true(fabs(slope.stderr_ / se - 1) < 1e-6);
  assert_true(fabs((slope.high - slope.value) / (2.7764451052 * se) - 1) < 2e-3);
  assert_true(fabs((slope.value - slope.low) / (2.7764451052 * se) - 1) < 2e-3);
  done(&f);
}

// ---- searches

static const char decay[] = "param A = 1, k = 1\noutput y = A*exp(-k*t)\n";
static const char decay_line[] = "fit A in 0.1 .. 10, k in 0.1 .. 10 to \"%s\" by y";

static void every_search_comes_near_and_repeats(void **state) {
  (void)state;
  static const char *const methods[] = {"ga", "ga-binary", "de", "cmaes", "auto"};
  write_data("t,y\n0,3.01\n0.2,2.24\n0.5,1.41\n1,0.67\n1.5,0.31\n2,0.16\n3,0.03\n");
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    Request w = {.model = decay, .line = decay_line, .method = methods[i], .seed = 7, .no_profiles = true};
    Fitted a = fitted(&w), b = fitted(&w);
    w.seed = 8;
    Fitted c = fitted(&w);
    assert_true(estimate_of(&a, 0) == estimate_of(&b, 0) &&
                estimate_of(&a, 1) == estimate_of(&b, 1)); // to the last bit
    assert_true(estimate_of(&a, 0) != estimate_of(&c, 0) || strcmp(methods[i], "auto") == 0 ||
                strcmp(methods[i], "cmaes") == 0);
    assert_true(viva_fit_r_squared(a.fit) > 0.9 && viva_fit_r_squared(c.fit) > 0.9);
    for (size_t j = 0; j < 2; j++) assert_true(estimate_of(&a, j) >= 0.1 && estimate_of(&a, j) <= 10);
    done(&a);
    done(&b);
    done(&c);
  }
}

// The text with what was found is a model that starts there.
static void the_fitted_text_is_a_model(void **state) {
  (void)state;
  write_data("t,x\n0,0.5\n0.3,0.46\n0.6,0.35\n1,0.12\n1.4,-0.14\n");
  Fitted f = fitted(&(Request){.model = "param m = 2 [kg], k = 3 [N/m]\ncoord x = 40 [cm]\nkinetic 1/2*m*x'^2\n"
                                        "potential 1/2*k*x^2\n",
                               .line = "fit k in 1 .. 30, x in 0.1 .. 1, x' in -1 .. 1 to \"%s\" by x"});
  const char *text = viva_fit_text(f.fit, NULL);
  assert_non_null(text);
  viva_model *m = NULL;
  assert_int_equal(viva_model_parse("f.viva", text, strlen(text), NULL, &m), VIVA_OK);
  viva_sensitivity_options o = viva_sensitivity_defaults();
  viva_sensitivity *s = NULL;
  assert_int_equal(viva_sensitivity_model(m, &o, NULL, &s), VIVA_OK);
  assert_non_null(strstr(text, "[cm]"));
  assert_non_null(strstr(text, "init x' = "));
  viva_sensitivity_free(s);
  viva_model_free(m);
  done(&f);
}

int main(void) {
  int fd = mkstemp(path);
  if (fd < 0) return 1;
  close(fd);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(certified_values_are_found_to_six_digits),
      cmocka_unit_test(a_search_finds_certified_values_from_hard_starts),
      cmocka_unit_test(damping_of_the_double_pendulum_is_that_of_an_independent_solution),
      cmocka_unit_test(the_coefficient_of_a_ball_is_found_through_its_bounces),
      cmocka_unit_test(intervals_of_a_line_are_those_of_the_textbook),
      cmocka_unit_test(every_search_comes_near_and_repeats),
      cmocka_unit_test(the_fitted_text_is_a_model)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(path);
  return failed;
}

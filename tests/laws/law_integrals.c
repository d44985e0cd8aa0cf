// A definite integral is right or it is told that it has no value: `integral_of` against closed forms.
//
// A trial is an integrand of one of the families below with random numbers in it: changes of sign, peaks, corners,
// jumps, singular ends, infinite limits, oscillation, parameters, integrals inside integrals, and what diverges. Right
// is 1e-9 of the integral of |f|. VIVA_COUNT says how many (100); of those that converge at most one in twenty may go
// without an answer.
#include "tests/laws/chance.h"

typedef struct Trial {
  char f[400], from[40], to[40]; // V stands for the variable
  double exact, size;            // size: of the integral of |f|, roughly; exact NaN: it diverges
  const char *family;
} Trial;

static double between(double a, double b) { return a + (b - a) * uniform(); }
static double size_between(double a, double b) { return a * pow(b / a, uniform()); }

static void limits(Trial *t, double a, double b) {
  snprintf(t->from, sizeof t->from, isinf(a) ? "-inf" : "%.17g", a);
  snprintf(t->to, sizeof t->to, isinf(b) ? "inf" : "%.17g", b);
}

// ---- the families

static void oscillation(Trial *t) {
  double w = size_between(0.1, 400), p = between(0, 6), a = between(-5, 5), b = a + size_between(0.01, 20);
  snprintf(t->f, sizeof t->f, "sin(%.17g*V + %.17g)", w, p);
  limits(t, a, b);
  t->exact = (cos(w * a + p) - cos(w * b + p)) / w;
  t->size = fmin(b - a, 1) * 0.1;
}

static void folded_oscillation(Trial *t) {
  double w = size_between(1, 100), b = size_between(1, 10), turns = floor(w * b / M_PI);
  snprintf(t->f, sizeof t->f, "abs(sin(%.17g*V))", w);
  limits(t, 0, b);
  t->exact = t->size = (2 * turns + 1 - cos(w * b - turns * M_PI)) / w;
}

static void square_wave(Trial *t) {
  double w = size_between(1, 100), b = size_between(1, 10), period = 2 * M_PI / w, whole = floor(b / period);
  snprintf(t->f, sizeof t->f, "step(sin(%.17g*V))", w);
  limits(t, 0, b);
  t->exact = t->size = whole * period / 2 + fmin(b - whole * period, period / 2);
}

static void bell(Trial *t) {
  double k = size_between(1e-2, 1e8), b = size_between(0.1, 1e3), c = between(0.02, 0.98) * b, r = sqrt(k),
         ground = choose(2);
  snprintf(t->f, sizeof t->f, "%g + exp(-%.17g*(V - %.17g)^2)", ground, k, c);
  limits(t, 0, b);
  double own = sqrt(M_PI) / 2 / r * (erf(r * (b - c)) + erf(r * c));
  t->exact = ground * b + own;
  t->size = fabs(t->exact);
}

static void narrow_bump(Trial *t) {
  double k = size_between(1, 1e5), b = size_between(0.5, 50), c = between(0.02, 0.98) * b;
  snprintf(t->f, sizeof t->f, choose(2) ? "1/cosh(%.17g*(V - %.17g))^2" : "1 - tanh(%.17g*(V - %.17g))^2", k, c);
  limits(t, 0, b);
  t->exact = t->size = (tanh(k * (b - c)) + tanh(k * c)) / k;
  if (strstr(t->f, "1 - ")) t->size = fmax(t->size, 1e-7 * b); // 1 - (1 - x) has lost its digits
}

static void resonance(Trial *t) {
  double k = size_between(1, 1e6), b = size_between(0.5, 50), c = between(0, 1) * b;
  snprintf(t->f, sizeof t->f, "1/(1 + (%.17g*(V - %.17g))^2)", k, c);
  limits(t, 0, b);
  t->exact = t->size = (atan(k * (b - c)) + atan(k * c)) / k;
}

static void high_power(Trial *t) {
  int n = 10 + (int)choose(2000);
  double b = size_between(0.5, 2);
  snprintf(t->f, sizeof t->f, "(V/%.17g)^%d", b, n);
  limits(t, 0, b);
  t->exact = t->size = b / (n + 1);
}

static void corners(Trial *t) {
  double b = size_between(0.5, 50);
  size_t at = 0;
  uint32_t n = 1 + choose(4);
  t->exact = 0;
  for (uint32_t i = 0; i < n; i++) {
    double c = between(-0.2, 1.2) * b, inside = fmin(fmax(c, 0), b);
    at += (size_t)snprintf(t->f + at, sizeof t->f - at, "%sabs(V - %.17g)", i ? " + " : "", c);
    t->exact += fabs(inside * (c - inside / 2)) + fabs((b - inside) * ((b + inside) / 2 - c));
  }
  limits(t, 0, b);
  t->size = t->exact;
}

static void larger_of_two(Trial *t) {
  double c = between(-1, 1), b = size_between(0.5, 20), inside = fmin(fmax(c, 0), b);
  bool most = choose(2);
  snprintf(t->f, sizeof t->f, "%s(V, %.17g)", most ? "max" : "min", c);
  limits(t, 0, b);
  double low = inside, high = b - inside; // lengths where V < c, V > c
  t->exact = most ? c * low + (b * b - inside * inside) / 2 : inside * inside / 2 + c * high;
  t->size = fabs(c) * b + b * b / 2;
}

static void touching_hump(Trial *t) {
  // above the axis within h of c only
  double b = size_between(1, 20), c = between(0.1, 0.9) * b, h = size_between(1e-4, 0.05) * b;
  snprintf(t->f, sizeof t->f, "max(%.17g - (V - %.17g)^2, 0)", h * h, c);
  limits(t, 0, b);
  t->exact = t->size = 4.0 / 3 * h * h * h;
}

static void jump(Trial *t) {
  double b = size_between(0.5, 1e4), c = between(0, 1) * b, y = between(1, 3), z = between(-3, 3);
  snprintf(t->f, sizeof t->f, "if(V < %.17g, %.17g, %.17g)", c, y, z);
  limits(t, 0, b);
  t->exact = c * y + (b - c) * z;
  t->size = b;
}

static void pulse_between(Trial *t) {
  double b = size_between(0.5, 100), c = between(0, 0.5) * b, d = c + between(0.1, 0.4) * b;
  snprintf(t->f, sizeof t->f, "(step(V - %.17g) - step(V - %.17g))*V", c, d);
  limits(t, 0, b);
  t->exact = t->size = (d * d - c * c) / 2;
}

static void stairs(Trial *t) {
  double k = size_between(0.2, 20), b = size_between(0.5, 20), n = floor(k * b);
  snprintf(t->f, sizeof t->f, "floor(%.17g*V)", k);
  limits(t, 0, b);
  t->exact = (n * (n - 1) / 2 + n * (k * b - n)) / k;
  t->size = b;
}

static void saw(Trial *t) {
  double T = size_between(0.05, 3), b = size_between(0.5, 20), n = floor(b / T), rest = b - n * T;
  snprintf(t->f, sizeof t->f, "mod(V, %.17g)", T);
  limits(t, 0, b);
  t->exact = t->size = n * T * T / 2 + rest * rest / 2;
}

static void singular_at_0(Trial *t) {
  double alpha = between(-0.9, 0.9), b = size_between(0.1, 100);
  snprintf(t->f, sizeof t->f, "V^%.17g", alpha);
  limits(t, 0, b);
  t->exact = t->size = pow(b, 1 + alpha) / (1 + alpha);
}

static void singular_root(Trial *t) {
  double a = between(-3, 3), b = a + size_between(0.1, 10);
  bool left = choose(2);
  if (left) snprintf(t->f, sizeof t->f, "1/sqrt(V - (%.17g))", a);
  else snprintf(t->f, sizeof t->f, "1/sqrt(%.17g - V)", b);
  limits(t, a, b);
  t->exact = t->size = 2 * sqrt(b - a);
}

static void singular_inside(Trial *t) {
  double b = size_between(0.5, 10), c = between(0.1, 0.9) * b;
  if (choose(2)) {
    snprintf(t->f, sizeof t->f, "1/sqrt(abs(V - %.17g))", c);
    t->exact = t->size = 2 * sqrt(c) + 2 * sqrt(b - c);
  } else {
    snprintf(t->f, sizeof t->f, "ln(abs(V - %.17g))", c);
    t->exact = c * log(c) - c + (b - c) * log(b - c) - (b - c);
    t->size = b;
  }
  limits(t, 0, b);
}

static void logarithm(Trial *t) {
  double b = size_between(0.1, 10);
  snprintf(t->f, sizeof t->f, "ln(V)");
  limits(t, 0, b);
  t->exact = b * log(b) - b;
  t->size = fmax(b, 0.1);
}

static void decay_for_ever(Trial *t) {
  double k = size_between(1e-6, 1e6), w = size_between(0.1, 20);
  bool waves = choose(2);
  if (waves) snprintf(t->f, sizeof t->f, "exp(-V)*sin(%.17g*V)", w);
  else snprintf(t->f, sizeof t->f, "exp(-%.17g*V)", k);
  limits(t, 0, INFINITY);
  t->exact = waves ? w / (1 + w * w) : 1 / k;
  t->size = waves ? 0.1 : 1 / k;
}

static void bell_over_all(Trial *t) {
  double k = size_between(1e-4, 1e4), c = between(-50, 50);
  snprintf(t->f, sizeof t->f, "exp(-%.17g*(V - (%.17g))^2)", k, c);
  limits(t, -INFINITY, INFINITY);
  t->exact = t->size = sqrt(M_PI / k);
}

static void tail(Trial *t) {
  double p = between(1.2, 4), a = size_between(0.1, 100);
  bool down = choose(2);
  snprintf(t->f, sizeof t->f, down ? "(-V)^(-%.17g)" : "V^(-%.17g)", p);
  limits(t, down ? -INFINITY : a, down ? -a : INFINITY);
  t->exact = t->size = pow(a, 1 - p) / (p - 1);
}

static void polynomial(Trial *t) {
  double c[5], a = between(-3, 0), b = between(0, 3);
  for (int i = 0; i < 5; i++) c[i] = between(-2, 2);
  snprintf(t->f, sizeof t->f, "%.17g + (%.17g)*V + (%.17g)*V^2 + (%.17g)*V^3 + (%.17g)*V^4", c[0], c[1], c[2], c[3],
           c[4]);
  // and backwards
  limits(t, b, a);
  t->exact = 0;
  for (int i = 0; i < 5; i++) t->exact += c[i] * (pow(a, i + 1) - pow(b, i + 1)) / (i + 1);
  t->size = 1;
}

static void nested(Trial *t) {
  double b = size_between(0.3, 3);
  if (choose(2)) {
    snprintf(t->f, sizeof t->f, "integral_of(cos(r), r, 0, V)");
    t->exact = t->size = 1 - cos(b);
  } else {
    snprintf(t->f, sizeof t->f, "integral_of(abs(r - V), r, 0, %.17g)", b);
    t->exact = t->size = b * b * b / 3;
  }
  limits(t, 0, b);
}

static void with_parameter(Trial *t) {
  // p is 0.75 (below)
  double b = size_between(0.5, 20);
  snprintf(t->f, sizeof t->f, "exp(-p*V)*step(V - p)");
  limits(t, 0, b);
  t->exact = b > 0.75 ? (exp(-0.5625) - exp(-0.75 * b)) / 0.75 : 0;
  t->size = 0.1;
}

static void diverges(Trial *t) {
  static const struct {
    const char *f, *from, *to;
  } known[] = {
      {"1/V", "0", "1"},         {"1/V", "-1", "2"},     {"V^(-1.5)", "0", "1"},      {"1/(V - 0.3)", "0", "1"},
      {"tan(V)", "0", "2"},      {"exp(V)", "0", "inf"}, {"1", "0", "inf"},           {"1/V", "1", "inf"},
      {"1/sqrt(V)", "1", "inf"}, {"sqrt(V)", "-1", "1"}, {"sin(V)", "0", "inf"},      {"1/(1 - V)", "0", "1"},
      {"ln(V)", "-1", "1"},      {"V", "-inf", "0"},     {"1/(V*ln(V)^2)", "0", "2"}, {"1/abs(V - 0.7)", "0", "1"},
      {"1/(1 - V^2)", "0", "1"}, {"1/sin(V)", "0", "3"}, {"exp(1/V)", "0", "1"},      {"asin(V)", "0", "2"}};
  uint32_t i = choose(sizeof known / sizeof *known);
  snprintf(t->f, sizeof t->f, "%s", known[i].f);
  snprintf(t->from, sizeof t->from, "%s", known[i].from);
  snprintf(t->to, sizeof t->to, "%s", known[i].to);
  t->exact = t->size = NAN;
}

static const struct {
  const char *name;
  void (*make)(Trial *t);
} families[] = {{"oscillation", oscillation},
                {"folded oscillation", folded_oscillation},
                {"square wave", square_wave},
                {"bell", bell},
                {"narrow bump", narrow_bump},
                {"resonance", resonance},
                {"high power", high_power},
                {"corners", corners},
                {"larger of two", larger_of_two},
                {"touching hump", touching_hump},
                {"jump", jump},
                {"pulse", pulse_between},
                {"stairs", stairs},
                {"saw", saw},
                {"singular at 0", singular_at_0},
                {"singular root", singular_root},
                {"singular inside", singular_inside},
                {"logarithm", logarithm},
                {"decay for ever", decay_for_ever},
                {"bell over all", bell_over_all},
                {"tail", tail},
                {"polynomial", polynomial},
                {"nested", nested},
                {"with parameter", with_parameter},
                {"diverges", diverges}};
enum { family_count = sizeof families / sizeof *families };

// ---- the trials

static void put_variable(char *out, size_t room, const char *f, char variable) {
  size_t i = 0;
  for (; f[i] && i + 1 < room; i++) out[i] = f[i] == 'V' ? variable : f[i];
  out[i] = '\0';
}

// The first output of a model, at some times.
static void outputs_at(const char *text, const double *times, double *out, int count) {
  Loaded *l = load_text(text);
  ExprId wanted = l->model.outputs.items[0].value;
  const Tape *tape = tape_build(l->arena, &(TapeRequest){.system = &l->system,
                                                         .vars = &l->model.time,
                                                         .var_count = 1,
                                                         .results = &wanted,
                                                         .result_count = 1,
                                                         .params_by_value = true});
  assert_non_null(tape);
  double *w = arena_array(l->arena, tape->slot_count, sizeof *w);
  tape_prepare(tape, w);
  for (int i = 0; i < count; i++) {
    tape_vars(tape, w)[0] = times[i];
    tape_eval(tape, w);
    out[i] = tape_result(tape, w, 0);
  }
  unload(l);
}

static double ours(const Trial *t) {
  char f[400], text[1000];
  put_variable(f, sizeof f, t->f, 's');
  snprintf(text, sizeof text, "param p = 0.75\noutput y = integral_of(%s, s, %s, %s)\n", f, t->from, t->to);
  double y;
  outputs_at(text, (double[]){0}, &y, 1);
  return y;
}

// The twin: the middles of two hundred equal pieces, and no question asked.
static double naive(const Trial *t) {
  enum { pieces = 200 };
  double a = strtod(t->from, NULL), b = strtod(t->to, NULL), sum = 0, at[pieces], y[pieces];
  char f[400], text[600];
  put_variable(f, sizeof f, t->f, 't');
  snprintf(text, sizeof text, "param p = 0.75\noutput y = %s\n", f);
  for (int i = 0; i < pieces; i++) at[i] = a + (b - a) * (i + 0.5) / pieces;
  outputs_at(text, at, y, pieces);
  for (int i = 0; i < pieces; i++) sum += y[i] * (b - a) / pieces;
  return sum;
}

typedef enum Answer { right, told, wrong } Answer;

static Answer judge(const Trial *t, double y) {
  if (isnan(y)) return isnan(t->exact) ? right : told;
  return fabs(y - t->exact) <= 1e-9 * t->size ? right : wrong;
}

static Trial make_trial(unsigned i) {
  Trial t = {.family = families[i % family_count].name};
  families[i % family_count].make(&t);
  return t;
}

static unsigned trials(void) {
  const char *given = getenv("VIVA_COUNT");
  return given ? (unsigned)strtoul(given, NULL, 10) : 100;
}

static void integrals_are_right_or_told(void **state) {
  (void)state;
  unsigned count[3] = {0}, n = trials();
  for (unsigned i = 0; i < n; i++) {
    Trial t = make_trial(i);
    double y = ours(&t);
    Answer v = judge(&t, y);
    count[v]++;
    if (v == wrong || getenv("VIVA_TOLD"))
      print_message("%s %s: %s from %s to %s: %.17g, %.17g expected (%.1e)\n",
                    v == wrong  ? "WRONG"
                    : v == told ? "told"
                                : "right",
                    t.family, t.f, t.from, t.to, y, t.exact, fabs(y - t.exact) / t.size);
  }
  print_message("%u right, %u told, %u wrong\n", count[right], count[told], count[wrong]);
  assert_int_equal(count[wrong], 0);
  assert_true(count[told] * 20 <= n);
}

static void a_rule_without_an_error_bound_is_found_out(void **state) {
  (void)state;
  unsigned bad = 0, n = 2 * family_count;
  for (unsigned i = 0; i < n; i++) {
    Trial t = make_trial(i);
    if (isinf(strtod(t.from, NULL)) || isinf(strtod(t.to, NULL)) || strstr(t.f, "integral_of")) continue;
    bad += judge(&t, naive(&t)) == wrong;
  }
  assert_true(bad > n / 3);
}

// d/dt of the integral of |s - t| from 0 to 2 is 2 t - 2: the derivative inside jumps at s = t.
static void derivatives_of_integrals_see_their_jumps(void **state) {
  (void)state;
  double t[20], y[20];
  for (int i = 0; i < 20; i++) t[i] = between(0, 2);
  outputs_at("output y = integral_of(abs(s - t), s, 0, 2)'\n", t, y, 20);
  for (int i = 0; i < 20; i++) assert_true(fabs(y[i] - (2 * t[i] - 2)) < 1e-13);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integrals_are_right_or_told),
      cmocka_unit_test(a_rule_without_an_error_bound_is_found_out),
      cmocka_unit_test(derivatives_of_integrals_see_their_jumps),
  };
  return cmocka_run_group_tests(tests, start, NULL);
}

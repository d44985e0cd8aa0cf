// The k-th allocation fails, for every k: each call must report out of memory, or give the very same result.
//
// malloc, calloc and realloc of the library are wrapped by the linker (--wrap). Numbers of many digits take their
// memory from the library's arena; that of FLINT, which is loaded as a module of its own, is asked for here before it
// is taken.
//
// The file is built twice: with the arena as it is, and (VIVA_ARENA_EXACT) with one in which every piece is an
// allocation.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "viva/viva.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- allocations that fail

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);

static uint64_t calls, fail_at; // fail_at 0: none fails
static bool failed;

static bool fails(void) {
  calls++;
  if (!fail_at || calls != fail_at) return false;
  failed = true;
  return true;
}

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

void *__wrap_malloc(size_t size) { return fails() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t count, size_t size) { return fails() ? NULL : __real_calloc(count, size); }
void *__wrap_realloc(void *old, size_t size) { return fails() ? NULL : __real_realloc(old, size); }

static void arm(uint64_t k) {
  calls = 0;
  fail_at = k;
  failed = false;
}

static void disarm(void) { fail_at = 0; }

// ---- a model that touches most of the language

static const char model_text[] =
    "title \"Everything\"\n"
    "param n = 2, m = [1, 2] [kg], l = 0.5 [m] \"rod\", g = 9.81 [m/s^2], d1, psi = 100000000000000000001/3\n"
    "coord x [m]\n"
    "coord th[i] = 0.1*i [rad] for i in 1 .. n\n"
    "coord z = 0.2\n"
    "state i1 = 0.1 [A], s\n"
    "input u = table(\"table.csv\", \"u\", t)*step(t - 0.01), w = sin(3*t) + 0.1*noise(1, 0.01)\n"
    "input r = 0.01*cos(t)\n"
    "let P[0] = [x, r]\n"
    "let P[i] = P[i-1] + [l*sin(th[i]), l*cos(th[i])] for i in 1 .. n\n"
    "let R = [cos(z), -sin(z); sin(z), cos(z)], S = inverse(R + diag(1, 2))*transpose(R)\n"
    "fun gm(c) = tanh(c/2) + c\n"
    "kinetic 1/2*m[i]*|P[i]'|^2 for i in 1 .. n\n"
    "kinetic 1/2*x'^2 + 1/2*z'^2 + integral_of(gm(c), c, 0, z')\n"
    "potential m[i]*g*P[i].y + 1/2*psi*1e-21*x^2 for i in 1 .. n\n"
    "potential 1/2*z^2 + (x + z)^2*z/100\n"
    "dissipation 1/2*d1*(x' - r')^2\n"
    "force x = u - 0.1*sign(x')\n"
    "power w*z'\n"
    "i1' = if(t < 0.05 and not (i1 > 3), -i1, max(i1, s, 0)) + inverse(gm)(i1) + gm'(s)\n"
    "s' = mod(t, 0.02) - s*sum(th[i], i, 1, n)\n"
    "init x' = 0.1, th[2]' = 0.2\n"
    "output tip = P[2], x, S, e = energy.stored, y = x + z'' [mm]\n"
    "case hard: d1 = 0.2, z = 0.3, simulate to 0.1 step 0.01\n"
    "plot x, z against x\n"
    "draw rod P[0] P[1], mass P[1]\n"
    "simulate to 0.1 every 0.05\n";

// The other formats of the equations: less to derive, everything to show.
static const char small_text[] = "title \"Small\"\nparam k = 4 [N/m] \"spring\", m = [1, 2], d\n"
                                 "coord x [m], phi = 0.1\nstate omega_1 = 1\ninput u = table(\"table.csv\", \"u\", t)\n"
                                 "kinetic 1/2*m[1]*x'^2*cos(phi)^2 + 1/2*m[2]*phi'^2/(1 + x^2)\npotential 1/2*k*x^2 + "
                                 "sqrt(1 + x^2) + integral_of(tanh(s), s, 0, x)\n"
                                 "dissipation 1/2*d*x'^2\nlet z = hysteresis(x, 0, 1, k, 2)\nforce phi = u + z*latch(x "
                                 "> 1, x < 0) + delay(x*phi, 1, cos(t)) + friction(phi', k, 2*k)\n"
                                 "when x > 2 and phi < 1 do x := 0, stop\nevery 1 do omega_1 := pulse(x > 1, 1) + "
                                 "backlash(x, 1)\nomega_1' = if(x < 1, -omega_1, min(x, 2))\n";

// parts, a coordinate without inertia, a list that asks for a family, and one that turns out to be a vector
static const char parts_text[] =
    "param n = 2, U = 12 [V], k = [3, 4]\n"
    "coord x = 0.1, y\n"
    "use \"motor.viva\" as hip with u = U*cos(t), m[2] = 3\n"
    "use \"motor.viva\" as link[i] with R = i*hip.R, m = [i, k[2]] for i in 1 .. n\n"
    "kinetic 1/2*x'^2\n"
    "potential 1/2*k[1]*(x - y)^2 + 1/2*(hip.th - x)^2 + 1/2*(hip.th - link[i].th)^2 for i in 1 .. n\n"
    "dissipation 1/2*y'^2\n"
    "init link[2].th' = 0.2\n"
    "output x, y, hip.i, torque = link[1].torque, link[2].th\n"
    "case many: U = [6, 12, 24], link[2].R = [1, 2], hip.m = [1, 2]\n"
    "simulate to 0.1 every 0.05\n";
static const char motor_text[] =
    "param R = 1 [ohm], L = 1 [mH], c = 0.05, m = [0.01, 2]\n"
    "coord th\nstate i\ninput u\n"
    "i' = (u - R*i - c*th')/L\n"
    "kinetic 1/2*m[1]*th'^2\npotential 1/2*m[2]*th^2\nforce th = c*i\noutput torque = c*i\n";

static const char wrong_text[] =
    "coord x, x\nkinetic 1/2*y'^2 + [1 2]\nlet a = b, b = a, c = 1/0 [mmm]\nforce q = 2x\noutput tabel(1, 2)\n";
static const char failing_text[] = "coord x = 1\nkinetic 1/2*x'^2\npotential ln(x)*1000\noutput y = 1/x, x\n";

static char folder[64], path[96], parts_path[96], csv_path[96];

static void write_file(const char *name, const char *text) {
  char full[160];
  snprintf(full, sizeof full, "%s/%s", folder, name);
  FILE *f = fopen(full, "wb");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

static char *read_file(const char *name) {
  FILE *f = fopen(name, "rb");
  if (!f) return NULL;
  char *text = __real_calloc(1, 1 << 20);
  if (text) text[fread(text, 1, (1 << 20) - 1, f)] = '\0';
  fclose(f);
  return text;
}

static int set_up(void **state) {
  (void)state;
  snprintf(folder, sizeof folder, "/tmp/viva_memory_XXXXXX");
  if (!mkdtemp(folder)) return 1;
  snprintf(path, sizeof path, "%s/all.viva", folder);
  snprintf(csv_path, sizeof csv_path, "%s/rows.csv", folder);
  write_file("all.viva", model_text);
  write_file("small.viva", small_text);
  write_file("wrong.viva", wrong_text);
  write_file("parts.viva", parts_text);
  write_file("motor.viva", motor_text);
  snprintf(parts_path, sizeof parts_path, "%s/parts.viva", folder);
  write_file("table.csv", "t,u\n0,0\n0.05,1\n0.1,0.5\n");
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  static const char *const names[] = {"all.viva",   "small.viva", "wrong.viva", "parts.viva",
                                      "motor.viva", "table.csv",  "rows.csv"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char full[160];
    snprintf(full, sizeof full, "%s/%s", folder, names[i]);
    unlink(full);
  }
  return rmdir(folder);
}

static const char *const set[] = {"m[2]=2.5", "th[1]=0.2", "x'=0.3"};
static const char *const input[] = {"w=cos(t)"};
static const viva_load_options load_options = {
    .case_name = "hard", .set = set, .set_count = 3, .input = input, .input_count = 1};
static const viva_load_options family_options = {.case_name = "many", .member = 4};

// ---- the sweep

// One attempt: the status and, when it worked, the text to compare (owned by the caller of the attempt).
typedef struct Attempt {
  viva_status status;
  char *text;
} Attempt;

// Every allocation; every third one with sanitizers, which look for other things than the answers and take their time.
#ifdef __SANITIZE_ADDRESS__
enum { stride = 3 };
#else
enum { stride = 1 };
#endif

static void sweep_some(const char *what, Attempt (*attempt)(const void *), const void *context, viva_status good,
                       uint64_t every) {
  arm(0);
  Attempt whole = attempt(context);
  uint64_t total = calls;
  assert_int_equal(whole.status, good);
  assert_true(total > 0);
  for (uint64_t k = 1; k <= total; k += stride * every) {
    arm(k);
    Attempt a = attempt(context);
    disarm();
    // the seconds in a summary have more digits or fewer: a text that is just full grows once more or not
    if (!failed && k < total)
      fail_msg("%s: allocation %llu of %llu did not come", what, (unsigned long long)k, (unsigned long long)total);
    if (a.status != VIVA_ENOMEM && a.status != good) {
      fail_msg("%s: allocation %llu fails, and the status is %d", what, (unsigned long long)k, (int)a.status);
    }
    if (a.status == VIVA_ENOMEM) assert_null(a.text);
    else if (strcmp(a.text, whole.text) != 0)
      fail_msg("%s: allocation %llu fails, and the result differs", what, (unsigned long long)k);
    free(a.text);
  }
  print_message("%s: %llu allocations failed in turn\n", what,
                (unsigned long long)((total - 1) / (stride * every) + 1));
  free(whole.text);
}

static void sweep(const char *what, Attempt (*attempt)(const void *), const void *context, viva_status good) {
  sweep_some(what, attempt, context, good, 1);
}

// A text that lives on, made with memory that does not fail.
static char *keep(const char *text) {
  uint64_t k = fail_at;
  fail_at = 0;
  size_t n = strlen(text) + 1;
  char *copy = __real_malloc(n);
  assert_non_null(copy);
  memcpy(copy, text, n);
  fail_at = k;
  return copy;
}

static Attempt load_once(const void *context) {
  const char *file = context;
  viva_model *m = NULL;
  Attempt a = {viva_model_load(file, file == parts_path ? &family_options : &load_options, &m), NULL};
  assert_true((m == NULL) == (a.status == VIVA_ENOMEM));
  if (a.status != VIVA_ENOMEM) {
    char all[16384] = "";
    for (size_t i = 0; i < viva_model_diagnostic_count(m); i++) {
      strncat(all, viva_model_diagnostic(m, i).text, sizeof all - strlen(all) - 1);
    }
    for (size_t i = 0; i < viva_model_varied_count(m); i++) {
      char line[100];
      snprintf(line, sizeof line, "%s = %g\n", viva_model_varied_name(m, i), viva_model_varied_value(m, i));
      strncat(all, line, sizeof all - strlen(all) - 1);
    }
    a.text = keep(all);
  }
  viva_model_free(m);
  return a;
}

// Two runs on one program, and a member that is read again.
static Attempt members_once(const void *context) {
  static const char text[] = "param n = 1, k = 2\nstate x[i] = i for i in 1 .. n\nx[i]' = -k*x[i] for i in 1 .. n\n"
                             "output s = x[1]\nsimulate to 1 step 1\ncase wide: n = [1, 2], k = [2, 3]\n";
  viva_load_options load = viva_load_defaults();
  load.case_name = "wide";
  viva_model *first = NULL;
  char all[1024] = "";
  Attempt a = {viva_model_parse("f", text, sizeof text - 1, &load, &first), NULL};
  (void)context;
  for (size_t i = 0; a.status == VIVA_OK && i < viva_model_member_count(first); i++) {
    viva_model *m = NULL;
    viva_run *run = NULL;
    a.status = viva_model_member(first, i, &m);
    if (a.status == VIVA_OK) a.status = viva_run_model(m, NULL, NULL, &run);
    viva_model_free(m);
    size_t used = strlen(all);
    snprintf(all + used, sizeof all - used, "%.17g\n", viva_run_value(run, 0));
    viva_run_free(run);
  }
  if (a.status == VIVA_OK) a.text = keep(all);
  viva_model_free(first);
  return a;
}

// Members side by side in lanes, with an event and a row sink; the second one fails and runs alone.
static bool count_row(void *self, const double *values, size_t count) {
  (void)values;
  *(size_t *)self += count;
  return true;
}

static Attempt beside_once(const void *context) {
  static const char text[] =
      "param k = 1\nstate x = 1, v = 0\nx' = v\nv' = -k*x + 0*sqrt(v + k*5 - 4)\nwhen x < 0 do v := -v\n"
      "simulate to 2 every 0.5\ncase wide: k = [1.5, 0.8, 2]\n";
  enum { members = 3 };
  viva_load_options load = viva_load_defaults();
  load.case_name = "wide";
  viva_model *m[members] = {0};
  viva_run *runs[members] = {0};
  viva_status states[members];
  viva_run_options options[members];
  size_t counts[members] = {0};
  viva_sink sinks[members];
  char all[1024] = "";
  Attempt a = {viva_model_parse("f", text, sizeof text - 1, &load, &m[0]), NULL};
  (void)context;
  for (size_t i = 0; i < members; i++) {
    if (i && a.status == VIVA_OK) a.status = viva_model_member(m[0], i, &m[i]);
    options[i] = viva_run_defaults();
    sinks[i] = (viva_sink){&counts[i], NULL, count_row};
  }
  if (a.status == VIVA_OK)
    a.status = viva_run_members((const viva_model *const *)m, members, options, sinks, runs, states);
  for (size_t i = 0; i < members; i++) {
    size_t used = strlen(all);
    if (a.status == VIVA_OK && states[i] == VIVA_ENOMEM) a.status = VIVA_ENOMEM;
    if (a.status == VIVA_OK)
      snprintf(all + used, sizeof all - used, "%d %.17g %zu\n", (int)states[i], viva_run_value(runs[i], 0), counts[i]);
    viva_run_free(runs[i]);
  }
  for (size_t i = 0; i < members; i++) viva_model_free(m[i]);
  if (a.status == VIVA_OK) a.text = keep(all);
  return a;
}

static void loading(void **state) {
  (void)state;
  sweep("load", load_once, path, VIVA_OK);
  sweep("load of a family with parts", load_once, parts_path, VIVA_OK);
  sweep("members of a family", members_once, NULL, VIVA_OK);
  sweep("members side by side", beside_once, NULL, VIVA_OK);
  char wrong[96];
  snprintf(wrong, sizeof wrong, "%s/wrong.viva", folder);
  sweep("load of a wrong file", load_once, wrong, VIVA_EINPUT);
  snprintf(wrong, sizeof wrong, "%s/missing.viva", folder);
  sweep("load of a missing file", load_once, wrong, VIVA_EINPUT);
}

typedef struct Derive {
  const viva_model *model;
  viva_derive_options options;
} Derive;

static Attempt derive_once(const void *context) {
  const Derive *d = context;
  char *text = NULL;
  Attempt a = {viva_derive(d->model, &d->options, &text), NULL};
  if (text) a.text = keep(text);
  viva_text_free(text);
  return a;
}

// Numbers far beyond machine words: sums, products, powers, roots, comparisons, roundings, their texts.
static const char numbers[] =
    "param a = 123456789012345678901234567890123/7, b = (a + 1/99999999999999999999)^5, c = sqrt(a^2*9/16)\n"
    "param d = max(a, b)/min(c, 1e-40) + floor(b*1e30) + 0.1234567890123456789012345678901234567890\n"
    "coord x\nkinetic 1/2*(a*b - 2/3)*x'^2\npotential (c + 1/7^60)*x^2/d^3 + 12345678901234567890123/3^90*x^4\n";

static Attempt numbers_once(const void *context) {
  const viva_derive_options *options = context;
  viva_model *m = NULL;
  char *text = NULL;
  Attempt a = {viva_model_parse("numbers.viva", numbers, sizeof numbers - 1, NULL, &m), NULL};
  if (a.status == VIVA_OK) a.status = viva_derive(m, options, &text);
  if (text) a.text = keep(text);
  viva_text_free(text);
  viva_model_free(m);
  return a;
}

static void long_numbers(void **state) {
  (void)state;
  viva_derive_options options = {0};
  sweep("numbers of many digits", numbers_once, &options, VIVA_OK);
  options.digits = 5;
  sweep("numbers of many digits, rounded", numbers_once, &options, VIVA_OK);
}

static viva_model *load_whole(void) {
  viva_model *m;
  assert_int_equal(viva_model_load(path, &load_options, &m), VIVA_OK);
  return m;
}

static viva_model *load_small(void) {
  viva_model *m;
  char small[96];
  snprintf(small, sizeof small, "%s/small.viva", folder);
  assert_int_equal(viva_model_load(small, NULL, &m), VIVA_OK);
  return m;
}

static void deriving(void **state) {
  (void)state;
  viva_model *m = load_whole(), *small = load_small();
  static const char *const names[3][3] = {{"lagrange, text", "lagrange, latex", "lagrange, json"},
                                          {"matrices, text", "matrices, latex", "matrices, json"},
                                          {"state, text", "state, latex", "state, json"}};
  for (int form = 0; form < 3; form++) {
    for (int format = 0; format < 3; format++) {
      Derive d = {format ? small : m, {.form = (viva_form)form, .format = (viva_format)format}};
      sweep(names[form][format], derive_once, &d, VIVA_OK);
    }
  }
  Derive mathml = {small, {.format = VIVA_FORMAT_MATHML}};
  sweep("lagrange, mathml", derive_once, &mathml, VIVA_OK);
  viva_model_free(m);
  viva_model_free(small);
}

static Attempt document_once(const void *context) {
  const Derive *d = context;
  char *text = NULL;
  Attempt a = {viva_export_latex(d->model, d->options.steps, &text), NULL};
  if (text) a.text = keep(text);
  viva_text_free(text);
  return a;
}

// Every line is proved, so the model is as small as can be.
static void documents(void **state) {
  (void)state;
  static const char spring[] = "title \"A & B\"\nparam m = 1/2 [kg] \"mass\", k\ncoord x [m], y\nkinetic "
                               "1/2*m*x'^2\npotential 1/2*k*(x - y)^2\ndissipation 1/2*y'^2\n";
  viva_model *m;
  assert_int_equal(viva_model_parse("spring.viva", spring, sizeof spring - 1, NULL, &m), VIVA_OK);
  Derive page = {m, {.format = VIVA_FORMAT_HTML, .steps = true}};
  sweep("steps as a page", derive_once, &page, VIVA_OK);
  Derive document = {m, {.steps = false}};
  sweep("document", document_once, &document, VIVA_OK);
  viva_model_free(m);
}

typedef struct Run {
  const viva_model *model;
  viva_run_options options;
  bool table;
} Run;

// The time that the summary tells is different every time: the text is the final values, and the table.
static Attempt run_once(const void *context) {
  const Run *r = context;
  viva_csv *csv = NULL;
  viva_run *run = NULL;
  viva_sink sink = {0};
  int error = 0;
  Attempt a = {VIVA_OK, NULL};
  if (r->table) {
    a.status = viva_csv_open(csv_path, &csv, &error);
    if (a.status != VIVA_OK) return a;
    sink = viva_csv_sink(csv);
  }
  a.status = viva_run_model(r->model, &r->options, &sink, &run);
  if (a.status == VIVA_ENOMEM || a.status == VIVA_EIO) {
    viva_csv_discard(csv);
  } else if (csv && viva_csv_close(csv, &error) != VIVA_OK) {
    a.status = VIVA_EIO;
  }
  assert_true((run == NULL) == (a.status == VIVA_ENOMEM));
  if (run) {
    char all[16384] = "";
    for (size_t i = 0; i < viva_run_value_count(run); i++) {
      char line[200];
      snprintf(line, sizeof line, "%s %.17g\n", viva_run_value_name(run, i), viva_run_value(run, i));
      strncat(all, line, sizeof all - strlen(all) - 1);
    }
    if (viva_run_message(run)) strncat(all, viva_run_message(run), sizeof all - strlen(all) - 1);
    uint64_t k = fail_at;
    fail_at = 0;
    char *rows = r->table ? read_file(csv_path) : NULL;
    if (rows) strncat(all, rows, sizeof all - strlen(all) - 1);
    free(rows);
    fail_at = k;
    a.text = keep(all);
  }
  unlink(csv_path);
  viva_run_free(run);
  return a;
}

static const char blocks[] =
    "param d = 0.03\n"
    "let x = integral(cos(30*t) - 0.2*x, 0.001)\n"
    "let h = hysteresis(x, -0.01, 0.01, 0, 1), l = latch(x > 0.02, x < -0.02), p = pulse(x > 0.025, 0.06)\n"
    "let y = switch(all(l, nor(p)), delay(x, d, sin(t))) + tf(h, [1], [1, 2]) + pid(x, 1, 2, 0.1, 20, -1, 1)\n"
    "let z = integral(y + limit(x, -0.01, 0.02) + abs(x) + backlash(x, 0.01), 0)\n"
    "coord q = 0\ninit q' = 0.01\nstate n = 0, s = 0\nkinetic 1/2*q'^2\nforce q = friction(q', 0.5, 0.7) + z\n"
    "when x < 0 do q' := 0.01, n := n + 1\nevery 0.05 do s := s + x\noutput x, y, z, q, n, s\nsimulate to 0.12 step "
    "0.01\n";

static Attempt parse_once(const void *context) {
  viva_model *m = NULL;
  (void)context;
  Attempt a = {viva_model_parse("blocks.viva", blocks, sizeof blocks - 1, NULL, &m), NULL};
  if (m) a.text = keep(viva_model_diagnostic_count(m) ? viva_model_diagnostic(m, 0).text : "");
  viva_model_free(m);
  return a;
}

static void switching(void **state) {
  (void)state;
  viva_model *m;
  sweep("blocks", parse_once, NULL, VIVA_OK);
  assert_int_equal(viva_model_parse("blocks.viva", blocks, sizeof blocks - 1, NULL, &m), VIVA_OK);
  Run r = {m, viva_run_defaults(), true};
  r.options.rtol = 1e-5;
  r.options.save = r.options.all = true;
  sweep("events, dopri5", run_once, &r, VIVA_OK);
  r.options.method = "rk4";
  r.options.rtol = NAN;
  r.options.no_events = true;
  sweep("no events, rk4", run_once, &r, VIVA_OK);
  r.options.no_events = false;
  r.options.method = "rodas";
  r.options.rtol = 1e-5;
  sweep("events, rodas", run_once, &r, VIVA_OK);
  viva_model_free(m);
}

static void running(void **state) {
  (void)state;
  viva_model *m = load_whole();
  Run r = {m, viva_run_defaults(), true};
  r.options.all = r.options.energy = true;
  r.options.rtol = 1e-6;
  sweep("run, dop853", run_once, &r, VIVA_OK);
  r.options.method = "rk4";
  r.options.rtol = NAN;
  r.options.check_step = true;
  sweep("run, rk4 with its half step", run_once, &r, VIVA_OK);
  viva_model_free(m);
  assert_int_equal(viva_model_load(parts_path, &family_options, &m), VIVA_OK);
  assert_int_equal(viva_model_member_count(m), 6);
  r = (Run){m, viva_run_defaults(), true};
  r.options.rtol = 1e-4;
  Attempt first = run_once(&r); // makes what the members share: those after it ask for the same memory
  assert_int_equal(first.status, VIVA_OK);
  free(first.text);
  sweep("run with parts", run_once, &r, VIVA_OK);
  r.options.method = "rodas";
  sweep("run with parts, rodas", run_once, &r, VIVA_OK);
  viva_model_free(m);
  assert_int_equal(viva_model_parse("failing.viva", failing_text, strlen(failing_text), NULL, &m), VIVA_OK);
  r = (Run){m, viva_run_defaults(), false};
  r.options.rtol = 1e-6;
  sweep("a run that fails", run_once, &r, VIVA_EFAIL);
  viva_model_free(m);
}

// An old data file: as text, and loaded where one of its rows is wrong.
static const char data_text[] = "1 1 3 4 0 1 .1 .5\n2 1 0 -.5 0 0 0 0\n3 1 0 -1 0 0 0 0\n1 2 1 1 2 0 0 0\n2 3 6 1 0 0 "
                                "0 0\n1 1\n0 0 0 0\n1 2 1 2\n0 0 0 0\n";
static const char wrong_data[] =
    "1 1 3 4 0 1 .1 .5\n2 1 0 -.5 0 0 0 0\n3 1 0 -1 0 0 0 0\n1 2 1 1 2 0 0 0\n2 3 6 1 0 0 0 0\n1 1\n0 0 0 0\n1 2 1\n";

static Attempt import_once(const void *context) {
  const char *data = context;
  char *text = NULL, *message = NULL, all[4096];
  Attempt a = {viva_import("old.dat", data, strlen(data), NULL, &text, &message), NULL};
  snprintf(all, sizeof all, "%s%s", text ? text : "", message ? message : "");
  assert_true(a.status != VIVA_ENOMEM || (!text && !message));
  if (a.status != VIVA_ENOMEM) a.text = keep(all);
  viva_text_free(text);
  viva_text_free(message);
  return a;
}

static void importing(void **state) {
  (void)state;
  sweep("import", import_once, data_text, VIVA_OK);
  sweep("import of a wrong file", import_once, wrong_data, VIVA_EINPUT);
  char wrong[96];
  write_file("old.dat", wrong_data);
  snprintf(wrong, sizeof wrong, "%s/old.dat", folder);
  sweep("load of a wrong data file", load_once, wrong, VIVA_EINPUT);
  unlink(wrong);
}

static Attempt draw_once(const void *context) {
  char *data = NULL;
  size_t length = 0;
  Attempt a = {viva_diagram(context, false, VIVA_PICTURE_SVG, &data, &length, NULL), NULL};
  if (data) a.text = keep(data);
  viva_text_free(data);
  return a;
}

static Attempt dot_once(const void *context) {
  char *text = NULL;
  Attempt a = {viva_diagram_dot(context, &text, NULL), NULL};
  if (text) a.text = keep(text);
  viva_text_free(text);
  return a;
}

static void drawing(void **state) {
  (void)state;
  viva_model *m = load_whole();
  sweep("diagram", draw_once, m, VIVA_OK);
  viva_model_free(m);
  assert_int_equal(viva_model_load(parts_path, NULL, &m), VIVA_OK);
  sweep("diagram with parts", draw_once, m, VIVA_OK);
  sweep("diagram as text", dot_once, m, VIVA_OK);
  viva_model_free(m);
}

static const char drawn_text[] =
    "title \"Spring\"\nparam k = 4 [N/m]\ncoord x = 1 [m]\nkinetic 1/2*x'^2\npotential 1/2*k*x^2\n"
    "plot x, x'\nplot x' against x\ndraw spring [-1, 0] [x, 0], mass [x, 0], trail [x, 0]\nsimulate to 0.5 step 0.1 by "
    "rk4\n";

static Attempt report_once(const void *context) {
  viva_report *r = NULL;
  Attempt a = {viva_report_model(context, NULL, &r), NULL};
  assert_true((r == NULL) == (a.status == VIVA_ENOMEM));
  if (r) a.text = keep(viva_report_page(r, NULL));
  viva_report_free(r);
  return a;
}

static void reporting(void **state) {
  (void)state;
  viva_model *m;
  assert_int_equal(viva_model_parse("drawn.viva", drawn_text, strlen(drawn_text), NULL, &m), VIVA_OK);
  sweep("report", report_once, m, VIVA_OK);
  viva_model_free(m);
}

typedef struct Linearize {
  const viva_model *model;
  const char *at;
  bool pictures;
} Linearize;

static Attempt linearize_once(const void *context) {
  const Linearize *c = context;
  viva_linearization *l = NULL;
  viva_linearize_options o = viva_linearize_defaults();
  o.at = &c->at;
  o.at_count = c->at ? 1 : 0;
  Attempt a = {viva_linearize(c->model, &o, &l), NULL};
  assert_true((l == NULL) == (a.status == VIVA_ENOMEM));
  char *pictures[2] = {NULL, NULL};
  size_t length;
  for (int i = 0; i < 2 && c->pictures && a.status == VIVA_OK; i++)
    a.status = viva_linearization_draw(l, (viva_linear_figure)i, NULL, VIVA_PICTURE_SVG, &pictures[i], &length);
  const char *text = viva_linearization_text(l, VIVA_FORMAT_TEXT), *json = viva_linearization_text(l, VIVA_FORMAT_JSON),
             *entry = viva_linearization_symbolic(l, 'A', 1, 0);
  // what is asked for late is told late
  if (a.status == VIVA_OK && !(text && json && entry)) a.status = VIVA_ENOMEM;
  if (a.status != VIVA_ENOMEM) {
    static char all[1 << 18];
    snprintf(all, sizeof all, "%s%s%s%s%s%s", text, json, entry ? entry : "",
             viva_linearization_message(l) ? viva_linearization_message(l) : "", pictures[0] ? pictures[0] : "",
             pictures[1] ? pictures[1] : "");
    a.text = keep(all);
  }
  viva_text_free(pictures[0]);
  viva_text_free(pictures[1]);
  viva_linearization_free(l);
  return a;
}

static void linearizing(void **state) {
  (void)state;
  static const char swing[] =
      "title \"Swing\"\nparam m = 2 [kg], l = 0.5, g = 9.81, d = 0.1\ncoord th = 0.2 [rad]\nstate s\ninput u = 0.1*t\n"
      "kinetic 1/2*m*l^2*th'^2\npotential -m*g*l*cos(th)\ndissipation 1/2*d*th'^2\nforce th = u + s\ns' = -3*s + |s|\n"
      "output y = l*sin(th), e = energy.stored\ndraw rod [0, 0] [l*sin(th), -l*cos(th)]\n";
  static const char nowhere[] = "coord x = 1\nkinetic 1/2*x'^2\nforce x = 1 + x^2\n";
  viva_model *m;
  assert_int_equal(viva_model_parse("swing.viva", swing, strlen(swing), NULL, &m), VIVA_OK);
  sweep("linearize", linearize_once, &(Linearize){m, "th=0", true}, VIVA_OK);
  sweep("linearize at a wrong point", linearize_once, &(Linearize){m, "th=1/0,q=3", false}, VIVA_EINPUT);
  viva_model_free(m);
  assert_int_equal(viva_model_parse("nowhere.viva", nowhere, strlen(nowhere), NULL, &m), VIVA_OK);
  sweep("linearize without an equilibrium", linearize_once, &(Linearize){m, NULL, false}, VIVA_EFAIL);
  viva_model_free(m);
}

// ---- paths and loops

#ifdef VIVA_ARENA_EXACT
static const bool pieces_apart = true;
#else
static const bool pieces_apart = false;
#endif

typedef struct AnalyzeTry {
  const viva_model *model;
  const char *open, *over, *form;
  viva_curve curve;
  bool design;
} AnalyzeTry;

static Attempt analyze_once(const void *context) {
  const AnalyzeTry *c = context;
  viva_analysis *x = NULL;
  viva_analyze_options o = viva_analyze_defaults();
  viva_design_options d = viva_design_defaults();
  char *texts[3] = {NULL, NULL, NULL};
  size_t length;
  o.open = c->open;
  o.over = c->over;
  d.lqr = "Q=1, R=0.5";
  d.norms = d.sector = true;
  Attempt a = {viva_analyze(c->model, &o, &x), NULL};
  assert_true((x == NULL) == (a.status == VIVA_ENOMEM));
  const char *text = viva_analysis_text(x, VIVA_FORMAT_TEXT), *json = viva_analysis_text(x, VIVA_FORMAT_JSON);
  if (a.status == VIVA_OK && !(text && json)) a.status = VIVA_ENOMEM;
  if (a.status == VIVA_OK) a.status = viva_analysis_draw(x, c->curve, NULL, VIVA_PICTURE_SVG, &texts[0], &length);
  if (a.status == VIVA_OK && c->design) a.status = viva_analysis_design(c->model, x, &d, VIVA_FORMAT_TEXT, &texts[1]);
  if (a.status == VIVA_OK && c->form) a.status = viva_analysis_realize(x, c->form, "tustin:0.1", &texts[2]);
  if (a.status != VIVA_ENOMEM) {
    static char all[1 << 19];
    snprintf(all, sizeof all, "%s%s%s%s%s%s", text, json, texts[0] ? texts[0] : "", texts[1] ? texts[1] : "",
             texts[2] ? texts[2] : "", viva_analysis_message(x) ? viva_analysis_message(x) : "");
    a.text = keep(all);
  }
  for (int i = 0; i < 3; i++) viva_text_free(texts[i]);
  viva_analysis_free(x);
  return a;
}

static Attempt describe_once(const void *context) {
  Attempt a = {VIVA_OK, NULL};
  char *text = NULL;
  a.status = viva_describe(context, "v", NULL, VIVA_FORMAT_TEXT, &text);
  if (a.status == VIVA_OK) a.text = keep(text);
  viva_text_free(text);
  return a;
}

static void analysing(void **state) {
  (void)state;
  static const char lags[] = "param K = 2\ninput r = 0\nlet e = r - y\nlet y = tf(e, [K], [1, 2, 1])\noutput y\n",
                    late[] = "input r = 0\nstate x = 0, s = 0\nlet e = r - x\nx' = -x + delay(s, 0.1)\n"
                             "every 0.1 do s := 0.5*e\noutput x\n",
                    relay[] = "let e = 0 - y\nlet v = sign(e)\nlet y = integral(delay(v, 0.5), 0)\noutput y\n";
  static const char *const cut = "e", *const described = "v";
  viva_load_options o = viva_load_defaults();
  viva_model *m;
  o.taps = &cut;
  o.tap_count = 1;
  assert_int_equal(viva_model_parse("late.viva", late, sizeof late - 1, &o, &m), VIVA_OK);
  sweep("cut where it cannot be", analyze_once, &(AnalyzeTry){m, "s", NULL, NULL, VIVA_CURVE_BODE, false}, VIVA_EINPUT);
  // with every piece an allocation of its own the others would take minutes
  if (!pieces_apart)
    sweep("analyze samples with dead time", analyze_once, &(AnalyzeTry){m, "e", NULL, NULL, VIVA_CURVE_NYQUIST, false},
          VIVA_OK);
  viva_model_free(m);
  if (pieces_apart) return;
  assert_int_equal(viva_model_parse("lags.viva", lags, sizeof lags - 1, &o, &m), VIVA_OK);
  sweep_some("analyze a loop", analyze_once, &(AnalyzeTry){m, "e", "K=1:2", "cascade", VIVA_CURVE_LOCUS, true}, VIVA_OK,
             5);
  viva_model_free(m);
  o.taps = &described;
  assert_int_equal(viva_model_parse("relay.viva", relay, sizeof relay - 1, &o, &m), VIVA_OK);
  sweep_some("describe", describe_once, m, VIVA_OK, 11); // each runs the model
  viva_model_free(m);
}

// ---- bars, and where things rest

static const char bars_text[] =
    "title \"Bars\"\nparam L = 1 [m], k = 40 [N/m], n = 2\n"
    "node A = [0, 0] fixed\nnode D = [1.5*L, 0] mass 1\nnode N[i] = [0.4*i, -0.5*L] mass 0.1*i for i in 1 .. n\n"
    "node S = [0.9, -1] mass 1\nnode T = [1.1, -1.2] mass 0.3\nnode Q = [0.95, -1.3]\n"
    "bar b: A N[1] mass 0.2\nbar c: N[1] N[2] length 0.5\nrigid R: S T Q\n"
    "spring s: N[2] S stiffness k damping 0.3\ncable w: S D stiffness 2*k length 0.7\n"
    "spring h: A Q force 3*e + e^3\ntorsion A N[1] N[2] stiffness 0.5\nslider D along [1, 0]\n"
    "load T = [0.1, 0.2] with b\ngravity [0, -9.81]\noutput b.force, s.stretch, S\nsimulate to 0.02 step 0.01 by "
    "rk4\n";

static Attempt bars_once(const void *context) {
  viva_model *m = NULL;
  Attempt a = {viva_model_parse("bars.viva", context, strlen(context), NULL, &m), NULL};
  if (m) a.text = keep(viva_model_diagnostic_count(m) ? viva_model_diagnostic(m, 0).text : "");
  viva_model_free(m);
  return a;
}

typedef struct Rest {
  const viva_model *model;
  const char *search;
} Rest;

static Attempt rest_once(const void *context) {
  const Rest *c = context;
  viva_equilibrium *e = NULL;
  viva_equilibrium_options o = viva_equilibrium_defaults();
  o.search = c->search;
  Attempt a = {viva_equilibrium_find(c->model, &o, &e), NULL};
  assert_true((e == NULL) == (a.status == VIVA_ENOMEM));
  char *picture = NULL;
  size_t length;
  viva_status drawn =
      a.status == VIVA_OK ? viva_equilibrium_draw(e, NULL, VIVA_PICTURE_SVG, &picture, &length) : VIVA_OK;
  if (drawn == VIVA_ENOMEM) a.status = drawn;
  const char *text = viva_equilibrium_text(e, VIVA_FORMAT_TEXT), *json = viva_equilibrium_text(e, VIVA_FORMAT_JSON);
  if (!text || !json) a.status = VIVA_ENOMEM; // what is asked for late is told late
  if (a.status != VIVA_ENOMEM) {
    static char all[1 << 18];
    const char *message = viva_equilibrium_message(e);
    snprintf(all, sizeof all, "%s%s%s%s", text, json, message ? message : "", picture ? picture : "");
    a.text = keep(all);
  }
  viva_text_free(picture);
  viva_equilibrium_free(e);
  return a;
}

static void rest_of(const char *what, const char *text, const char *search, viva_status good) {
  viva_model *m;
  assert_int_equal(viva_model_parse("rest.viva", text, strlen(text), NULL, &m), VIVA_OK);
  sweep(what, rest_once, &(Rest){m, search}, good);
  viva_model_free(m);
}

static void bars(void **state) {
  (void)state;
  viva_model *m;
  sweep("load of bars", bars_once, bars_text, VIVA_OK);
  assert_int_equal(viva_model_parse("bars.viva", bars_text, sizeof bars_text - 1, NULL, &m), VIVA_OK);
  Run r = {m, viva_run_defaults(), true};
  sweep("run of bars", run_once, &r, VIVA_OK);
  viva_model_free(m);
  sweep("wrong bars", bars_once,
        "node A = [0, 0]\nnode B = [0, 0, 1]\nbar a: A A\nbar b: A C length -1\nrigid r: A B\n", VIVA_EINPUT);
}

static void resting(void **state) {
  (void)state;
  static const char swing[] =
      "title \"Swing\"\nparam m = 2 [kg], l = 0.5, g = 9.81\ncoord x, y\ncoord th = 2\nkinetic 1/2*m*(x'^2 + y'^2 + "
      "l^2*th'^2)\npotential m*g*y - m*g*l*cos(th)\nconstraint rod: x^2 + y^2 = l^2\nguess y = -1\noutput y\n";
  static const char signals[] =
      "state s = 1, h = 1\ninput u = 0.3\nlet d = delay(s, 0.1)\ns' = u - s^3 + d/4\n"
      "h' = latch(s > 0.5, s < 0.1) - h\ncoord q\nkinetic q'^2\nforce q = friction(q', 1, 2)\n";
  static const char bars_and_more[] =
      "node A = [0, 0] fixed\nnode B = [1, 0.2] mass 1\nbar b: A B\nspring s: B [0, 2] stiffness 5 length "
      "1\npotential 9.81*B.y + 1/2*B.x^2\noutput b.force\ndraw rod A B\n";
  rest_of("rest, downhill", swing, NULL, VIVA_OK);
  rest_of("rest, all in a box", swing, "x=-1:1,y=-1:1", VIVA_OK);
  rest_of("rest of signals", signals, NULL, VIVA_OK);
  rest_of("no rest", "coord x\nkinetic x'^2\npotential x\n", NULL, VIVA_EFAIL);
  rest_of("rest, wrong box", swing, "z=0:1", VIVA_EINPUT);
  rest_of("rest of bars and more", bars_and_more, NULL, VIVA_OK);
}

// ---- sensitivities and fits

static Attempt sensitivity_once(const void *context) {
  viva_sensitivity *v = NULL;
  Attempt a = {viva_sensitivity_model(context, NULL, NULL, &v), NULL};
  assert_true((v == NULL) == (a.status == VIVA_ENOMEM));
  if (v) a.text = keep(viva_sensitivity_summary(v, VIVA_FORMAT_JSON));
  viva_sensitivity_free(v);
  return a;
}

static Attempt fit_once(const void *context) {
  viva_fit *v = NULL;
  viva_fit_options o = viva_fit_defaults();
  o.method = "lm"; // the others have threads
  Attempt a = {viva_fit_model(context, &o, &v), NULL};
  assert_true((v == NULL) == (a.status == VIVA_ENOMEM));
  if (v) {
    static char all[1 << 16];
    const char *message = viva_fit_message(v), *text = viva_fit_text(v, NULL);
    snprintf(all, sizeof all, "%s%s%s", viva_fit_summary(v, VIVA_FORMAT_JSON), message ? message : "",
             text ? text : "");
    a.text = keep(all);
  }
  viva_fit_free(v);
  return a;
}

static Attempt experiments_once(const void *context) {
  static const char *const vary[] = {"x=[1, 2]"}, *const cases[] = {"low"};
  viva_experiments *v = NULL;
  viva_experiments_options o = viva_experiments_defaults();
  o.vary = vary;
  o.cases = cases;
  o.vary_count = o.case_count = 1;
  o.samples = 2;
  o.run.to = 1;
  o.run.every = 0.25;
  Attempt a = {viva_experiments_choose(context, &o, &v), NULL};
  assert_true((v == NULL) == (a.status == VIVA_ENOMEM));
  if (v) a.text = keep(viva_experiments_summary(v, VIVA_FORMAT_JSON));
  viva_experiments_free(v);
  return a;
}

static void fitting(void **state) {
  (void)state;
  static const char ball[] = "param e = 0.8, k = 30\ncoord h = 2\nstate s\nkinetic 1/2*h'^2\npotential 9.81*h\n"
                             "when h < 0 do h' := -e*h', s := s + e\ns' = -k*s\noutput h, s\nsimulate to 1 every 0.1\n";
  char data_path[] = "/tmp/viva_memory_XXXXXX", line[512];
  int fd = mkstemp(data_path);
  assert_true(fd >= 0);
  static const char data[] = "# decay\nt [ms],x\n0,1\n100,0.75\n200,\n300,0.45\n500,0.2\n";
  assert_int_equal(write(fd, data, sizeof data - 1), sizeof data - 1);
  close(fd);
  viva_model *m;
  assert_int_equal(viva_model_parse("ball.viva", ball, sizeof ball - 1, NULL, &m), VIVA_OK);
  sweep("sensitivities through events", sensitivity_once, m, VIVA_OK);
  viva_model_free(m);
  static const char decay[] = "param k = 2\nstate x = 1\nx' = -k*x\ncase low: x = 0.9\n";
  viva_load_options load = viva_load_defaults();
  load.fit = line;
  snprintf(line, sizeof line, "fit k in 0 .. 10, x in 0.5 .. 2 to \"%s\" by x case low", data_path);
  assert_int_equal(viva_model_parse("fit.viva", decay, sizeof decay - 1, &load, &m), VIVA_OK);
  sweep("a fit", fit_once, m, VIVA_OK);
  viva_model_free(m);
  viva_load_options pieces = viva_load_defaults();
  pieces.data = data_path;
  pieces.free = (const char *const[]){"k=0:10"};
  pieces.by = (const char *const[]){"x", "1*x = \"x\""};
  pieces.free_count = 1;
  pieces.by_count = 2;
  assert_int_equal(viva_model_parse("fit.viva", decay, sizeof decay - 1, &pieces, &m), VIVA_OK);
  sweep("a fit to two columns", fit_once, m, VIVA_OK);
  viva_model_free(m);
  snprintf(line, sizeof line, "fit k in 0 .. 10 to \"%s\" by x sd 0*k", data_path);
  assert_int_equal(viva_model_parse("fit.viva", decay, sizeof decay - 1, &load, &m), VIVA_OK);
  sweep("a fit without sense", fit_once, m, VIVA_EINPUT);
  viva_model_free(m);
  snprintf(line, sizeof line, "fit k in 0 .. 10 by x sd 0.1");
  assert_int_equal(viva_model_parse("fit.viva", decay, sizeof decay - 1, &load, &m), VIVA_OK);
  sweep("an experiment to come", experiments_once, m, VIVA_OK);
  viva_model_free(m);
  unlink(data_path);
}

// ---- batches, in lanes, on one thread

typedef struct Samples {
  const viva_model *model;
  const char *method;
} Samples;

static Attempt batch_once(const void *context) {
  static const char *const names[] = {"k", "x'"};
  static const double values[] = {4, 0.1, 1e5, 0.2, 1, -0.3};
  const Samples *c = context;
  viva_batch_options o = viva_batch_defaults();
  o.run.method = c->method;
  o.run.backend = "interp";
  o.run.to = 0.2;
  if (strcmp(c->method, "rk4") != 0) o.run.rtol = 1e-4;
  o.run.step = 0.02;
  o.names = names;
  o.name_count = 2;
  o.values = values;
  o.count = 3;
  o.threads = 1;
  viva_batch *batch = NULL;
  Attempt a = {viva_batch_model(c->model, &o, &batch), NULL};
  if (a.status == VIVA_OK) {
    char all[1000] = "";
    for (size_t i = 0; i < 3; i++)
      snprintf(all + strlen(all), sizeof all - strlen(all), "%d %a\n", viva_batch_status(batch, i),
               viva_batch_value(batch, i, 0));
    a.text = keep(all);
  }
  viva_batch_free(batch);
  return a;
}

static void batches(void **state) {
  (void)state;
  static const char text[] = "param k = 4, c = 1e4\ncoord x = 1, y\ninput u = step(t - 0.1*k/4)\nkinetic 1/2*x'^2 + "
                             "1/2*y'^2\npotential 1/2*k*x^2 + 1/2*(y - u)^2\ndissipation 1/2*c*(x' - y')^2\n";
  viva_model *m;
  assert_int_equal(viva_model_parse("batch.viva", text, sizeof text - 1, NULL, &m), VIVA_OK);
  static const char *const methods[] = {"rk4", "dopri5", "rodas", "auto"};
  for (size_t i = 0; i < 4; i++) {
    Samples c = {m, methods[i]};
    sweep(methods[i], batch_once, &c, VIVA_OK);
  }
  viva_model_free(m);
}

// ---- many runs, their table and their pictures, on one thread

static Attempt pictures_of(viva_sweep *s, viva_status status) {
  Attempt a = {status, NULL};
  char *data = NULL;
  size_t length;
  if (status == VIVA_OK) a.status = viva_sweep_draw(s, NULL, 127, VIVA_PICTURE_SVG, &data, &length);
  if (a.status == VIVA_OK) a.text = keep(data);
  viva_text_free(data);
  viva_sweep_free(s);
  return a;
}

static Attempt sweep_once(const void *context) {
  static const char *const random[] = {"k=normal(4, 0.3)"}, *const vary[] = {"x=[1, 2]", "x'=0:1:1"};
  static const char *const measures[] = {"max(x)"}, *const where[] = {"final(x) < 0"};
  viva_sweep_options o = viva_sweep_defaults();
  o.run.backend = "interp";
  o.run.to = 0.2;
  o.run.every = 0.1;
  o.run.measures = measures;
  o.run.measure_count = 1;
  o.vary = vary;
  o.vary_count = 2;
  o.random = random;
  o.random_count = 1;
  o.where = where;
  o.where_count = 1;
  o.samples = 2;
  o.threads = 1;
  o.pictures = o.fan = true;
  viva_sweep *s = NULL;
  viva_status status = viva_sweep_model(context, &o, &s);
  return pictures_of(s, status);
}

static Attempt table_once(const void *context) {
  viva_sweep *s = NULL;
  viva_status status = viva_sweep_open(context, &s);
  return pictures_of(s, status);
}

static void sweeps(void **state) {
  (void)state;
  static const char text[] = "param k = 4\ncoord x = 1\nkinetic 1/2*x'^2\npotential 1/2*k*x^2\n";
  static const char table[] = "# viva sweep, version " VIVA_VERSION "\n# model m.viva 0\n# settings 0\n"
                              "# kinds: index,grid [m],grid,measure,where,status,message\n"
                              "index,a,b,\"max(x, 1)\",y < 1,status,message\n0,1,1,2,0,done,\n1,1,2,,,failed,\"a, b\"\n"
                              "2,2,1,3,1,done,\n3,2,2,4,1,done,\n# done, 4 samples\n";
  viva_model *m;
  char rows_path[160];
  assert_int_equal(viva_model_parse("sweep.viva", text, sizeof text - 1, NULL, &m), VIVA_OK);
  sweep("a sweep with its pictures", sweep_once, m, VIVA_OK);
  viva_model_free(m);
  write_file("rows.csv", table);
  snprintf(rows_path, sizeof rows_path, "%s/rows.csv", folder);
  sweep("a table of a sweep", table_once, rows_path, VIVA_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loading),     cmocka_unit_test(long_numbers), cmocka_unit_test(deriving),
      cmocka_unit_test(documents),   cmocka_unit_test(running),      cmocka_unit_test(switching),
      cmocka_unit_test(linearizing), cmocka_unit_test(reporting),    cmocka_unit_test(importing),
      cmocka_unit_test(drawing),     cmocka_unit_test(batches),      cmocka_unit_test(bars),
      cmocka_unit_test(resting),     cmocka_unit_test(fitting),      cmocka_unit_test(analysing),
      cmocka_unit_test(sweeps)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}

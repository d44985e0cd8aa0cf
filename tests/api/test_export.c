// Exported C: compiles without warnings, gives viva's bits with SLEEF and agrees closely without.
#define _XOPEN_SOURCE 700
#include "tests/support.h"

#include "base/file.h"
#include "viva/viva.h"

#include <dirent.h>
#include <dlfcn.h>
#include <unistd.h>

static char folder[] = "/tmp/viva-export-XXXXXX";

typedef struct Exported {
  void *library;
  void (*defaults)(double *p);
  void (*prepare)(const double *p, double *w);
  void (*start)(const double *p, double *y);
  // with constraints
  int (*bound_start)(const double *p, double *y);
  int (*project)(double t, double *y, double *w);
  void (*residues)(double t, const double *y, double *out, double *w);
  void (*f)(double t, const double *y, double *dydt, double *w);
  void (*jacobian_prepare)(const double *p, double *w);
  void (*jacobian)(double t, const double *y, double *j, double *dfdt, double *w);
  void (*rk4)(double t, double h, double *y, double *w);
  void (*outputs)(double t, const double *y, double *out, double *w);
  void (*energies)(double t, const double *y, double *out, double *w);
} Exported;

static void find(const Exported *x, const char *name, void *into) {
  void *symbol = dlsym(x->library, name);
  assert_non_null(symbol);
  memcpy(into, &symbol, sizeof symbol);
}

static void find_bound(Exported *x) {
  find(x, "model_start", &x->bound_start);
  find(x, "model_project", &x->project);
  find(x, "model_residues", &x->residues);
}

static Exported build(const char *cc, const char *level, const char *flags, const char *libraries) {
  static int number;
  char path[200];
  snprintf(path, sizeof path, "%s/lib%d.so", folder, number++);
  bool ok =
      shell(
          "%s -std=c99 -Wall -Wextra -Wpedantic -Werror %s -ffp-contract=off %s -shared -fPIC -o %s %s/model.c %s -lm",
          cc, level, flags, path, folder, libraries) &&
      shell("%s -std=c99 -Wall -Wextra -Wpedantic -Werror -O2 -c -o %s/main.o %s/main.c", cc, folder, folder);
  assert_true(ok);
  Exported x = {.library = dlopen(path, RTLD_NOW | RTLD_LOCAL)};
  if (!x.library) fail_msg("%s", dlerror());
  find(&x, "model_defaults", &x.defaults);
  find(&x, "model_prepare", &x.prepare);
  find(&x, "model_start", &x.start);
  find(&x, "model_f", &x.f);
  find(&x, "model_jacobian_prepare", &x.jacobian_prepare);
  find(&x, "model_jacobian", &x.jacobian);
  find(&x, "model_rk4", &x.rk4);
  find(&x, "model_outputs", &x.outputs);
  find(&x, "model_energies", &x.energies);
  return x;
}

// Numbers that a workspace has room for.
static size_t work_of(const Export *e) {
  const ExportConstraints *c = e->constraints;
  size_t bound = c ? (size_t)c->residues->slot_count + c->place->slot_count + c->speed->slot_count : 0;
  return e->f->slot_count + e->rows->slot_count + bound + 5 * (size_t)e->dim + 1;
}

static bool same(double x, double y) { return memcmp(&x, &y, sizeof x) == 0 || (isnan(x) && isnan(y)); }

static double uniform(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) * 0x1p-53;
}

// Evaluates the tape of an export; results go to out.
static void evaluate(const Export *e, const Tape *t, double time, const double *y, double *out) {
  double *w = calloc(t->slot_count + 1, sizeof *w);
  memcpy(w, e->params, t->param_count * sizeof *w);
  tape_prepare(t, w);
  if (t->var_count) {
    tape_vars(t, w)[0] = time;
    for (uint32_t i = 0; i < e->dim; i++) tape_vars(t, w)[1 + e->places[i]] = y[i];
  }
  tape_eval(t, w);
  for (uint32_t i = 0; i < t->output_count; i++) out[i] = tape_result(t, w, i);
  free(w);
}

// The Jacobian: the bits of its tape, or the largest difference relative to its largest entry.
static double compare_jacobian(const Export *e, const Exported *x, const double *p, double t, const double *y,
                               bool bits) {
  const Tape *tape = e->jacobian;
  uint32_t n = e->dim;
  double *w = calloc(tape->slot_count + 1, sizeof *w), *v = calloc(tape->slot_count + 1, sizeof *v);
  double *j = calloc((size_t)n * n + 1, sizeof *j), *dfdt = calloc((size_t)n + 1, sizeof *dfdt), size = 0, off = 0;
  x->jacobian_prepare(p, w);
  x->jacobian(t, y, j, dfdt, w);
  memcpy(v, e->params, tape->param_count * sizeof *v);
  tape_prepare(tape, v);
  tape_vars(tape, v)[0] = t;
  for (uint32_t i = 0; i < n; i++) tape_vars(tape, v)[1 + e->places[i]] = y[i];
  tape_eval(tape, v);
  for (uint32_t k = 0; k < tape->output_count; k++) {
    double *entry = e->column[k] == n ? &dfdt[e->row[k]] : &j[e->row[k] * n + e->column[k]],
           want = tape_result(tape, v, k);
    if (bits && !same(*entry, want)) fail_msg("%a and %a", *entry, want);
    size = fmax(size, fabs(want));
    off = fmax(off, fabs(*entry - want));
    *entry = 0;
  }
  // nothing else stands there
  for (uint32_t i = 0; i < n * n; i++) assert_true(j[i] == 0);
  for (uint32_t i = 0; i < n; i++) assert_true(dfdt[i] == 0);
  free(w);
  free(v);
  free(j);
  free(dfdt);
  return size > 0 ? off / size : off;
}

static void start_of(const Export *e, const Exported *x, const double *p, double *y) {
  if (!e->constraints) x->start(p, y);
  else assert_int_equal(x->bound_start(p, y), 0);
}

// The Jacobian against differences of the exported right-hand side: from outside of what made both.
static void differences_agree(const Export *e, const Exported *x) {
  enum { room = 256 };
  double p[room], y[room], up[room], down[room], dfdt[room];
  uint32_t n = e->dim;
  double *w = calloc(work_of(e), sizeof *w), *v = calloc(e->jacobian->slot_count + 1, sizeof *v),
         *j = calloc((size_t)n * n + 1, sizeof *j);
  x->defaults(p);
  x->prepare(p, w);
  x->jacobian_prepare(p, v);
  start_of(e, x, p, y);
  for (uint32_t i = 0; i < n; i++) y[i] += 0.01 * (i + 1);
  x->jacobian(0.1, y, j, dfdt, v);
  double size = 1;
  for (uint32_t i = 0; i < n * n; i++) size = fmax(size, fabs(j[i]));
  for (uint32_t c = 0; c < n; c++) {
    double h = 1e-6, at = y[c];
    y[c] = at + h;
    x->f(0.1, y, up, w);
    y[c] = at - h;
    x->f(0.1, y, down, w);
    y[c] = at;
    for (uint32_t i = 0; i < n; i++) assert_true(fabs((up[i] - down[i]) / (2 * h) - j[i * n + c]) <= 1e-6 * size);
  }
  free(w);
  free(v);
  free(j);
}

// One model: points around its start. Returns the largest relative difference of a right-hand side.
static double compare(const Export *e, const Exported *x, bool bits) {
  enum { room = 256 };
  double p[room], y[room], z[room], dydt[room], got[room], want[room], worst = 0;
  assert_true(e->dim < room && e->output_count + 5 < room);
  double *w = calloc(work_of(e), sizeof *w), powers[2] = {0};
  uint64_t seed = 7;
  x->defaults(p);
  x->prepare(p, w);
  start_of(e, x, p, y);
  if (e->constraints) memcpy(want, e->constraints->start, e->dim * sizeof *want);
  else evaluate(e, e->start, 0, NULL, want);
  for (uint32_t i = 0; i < e->dim; i++) {
    double expected = want[e->constraints ? i : e->places[i]];
    assert_true(bits ? same(y[i], expected) : fabs(y[i] - expected) <= 1e-13 * fabs(expected));
  }
  for (int k = 0; k < 50; k++) {
    double t = 3 * uniform(&seed);
    for (uint32_t i = 0; i < e->dim; i++) z[i] = y[i] + (k ? uniform(&seed) - 0.5 : 0);
    x->f(t, z, dydt, w);
    evaluate(e, e->f, t, z, want);
    if (e->constraints) memcpy(powers, want + e->width, sizeof powers);
    double size = 0, off = 0;
    for (uint32_t i = 0; i < e->dim; i++) {
      double expected = want[e->places[i]];
      if (bits && !same(dydt[i], expected)) fail_msg("%a and %a", dydt[i], expected);
      size = fmax(size, fabs(expected));
      off = fmax(off, fabs(dydt[i] - expected));
    }
    worst = fmax(worst, size > 0 ? off / size : off);
    worst = fmax(worst, compare_jacobian(e, x, p, t, z, bits));
    evaluate(e, e->rows, t, z, want);
    if (e->constraints) memcpy(want + e->output_count + 3, powers, sizeof powers);
    x->outputs(t, z, got, w);
    for (uint32_t i = 0; bits && i < e->output_count; i++) assert_true(same(got[i], want[i]));
    x->energies(t, z, got, w);
    for (uint32_t i = 0; bits && i < 5; i++) assert_true(same(got[i], want[e->output_count + i]));
  }
  free(w);
  return worst;
}

static bool have(const char *cc) {
  if (shell("command -v %s > /dev/null 2>&1", cc)) return true;
  print_message("SKIPPED: %s is not installed\n", cc);
  return false;
}

static void write_file(const char *name, const Text *text) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "wb");
  assert_true(f && fwrite(text->data, 1, text->length, f) == text->length && fclose(f) == 0);
}

static void write_export(Loaded *l, bool single) {
  ExportText texts;
  const char *why;
  assert_true(pipeline_export_c(l->arena, &l->system, "model", single, &texts, &why));
  write_file("model.c", &texts.source);
  write_file("model.h", &texts.header);
  write_file("main.c", &texts.example);
}

static void check_model(Loaded *l, const char *name, bool gcc, bool clang) {
  Export e;
  assert_true(export_model(l->arena, &l->system, &e));
  if (e.events) return; // delays and the like have a state beside y: test_export_events.c compares their tables
  write_export(l, false);
#if defined(__x86_64__)
  const char *family = __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2") ? "" : "-DVIVA_NO_FMA";
#else
  const char *family = "";
#endif
  const char *level = e.jacobian->op_count > 2000 ? "-O0" : "-O1"; // optimizing changes no bit, but takes its time
  char sleef[64];
  snprintf(sleef, sizeof sleef, "-DVIVA_SLEEF %s", family);
  for (int c = 0; c < 2; c++) {
    if (c ? !clang : !gcc) continue;
    Exported bits = build(c ? "clang" : "gcc", level, sleef, "-lsleef"),
             plain = build(c ? "clang" : "gcc", level, "", "");
    if (e.constraints) find_bound(&bits), find_bound(&plain);
    compare(&e, &bits, true);
    differences_agree(&e, &bits);
    double off = compare(&e, &plain, false);
    if (!(off <= 1e-13)) fail_msg("%s: %g", name, off);
    dlclose(bits.library);
    dlclose(plain.library);
    // small targets: only that it compiles and runs to the end
    write_export(l, true);
    assert_true(shell("%s -std=c99 -Wall -Wextra -Wpedantic -Wdouble-promotion -Werror %s -c -o %s/float.o %s/model.c",
                      c ? "clang" : "gcc", level, folder, folder));
    assert_true(shell("%s -std=c99 -O2 -o %s/float %s/main.c %s/float.o -lm && %s/float > /dev/null",
                      c ? "clang" : "gcc", folder, folder, folder, folder));
    write_export(l, false);
  }
}

// With an argument every example is compiled, else some of them: the compiler takes its time.
static bool every_example;

static bool is_chosen(const char *name) {
  unsigned sum = 0;
  for (const char *c = name; *c; c++) sum += (unsigned char)*c;
  return every_example || sum % 3 == 0;
}

static void exported_examples_give_the_programs_bits(void **state) {
  (void)state;
  bool gcc = have("gcc"), clang = have("clang");
  DIR *dir = opendir(VIVA_ROOT "/examples");
  assert_non_null(dir);
  int seen = 0, refused = 0;
  for (struct dirent *d; (d = readdir(dir));) {
    size_t n = strlen(d->d_name), length;
    if (n < 6 || strcmp(d->d_name + n - 5, ".viva") != 0 || !is_chosen(d->d_name)) continue;
    char path[512];
    snprintf(path, sizeof path, "%s/examples/%s", VIVA_ROOT, d->d_name);
    Arena *arena = arena_new();
    const char *why;
    char *text = file_read(arena, path, 1 << 20, &length, &why);
    assert_non_null(text);
    // the long chain takes long to compile
    char *many = strstr(text, "n = 20");
    if (many) memcpy(many, "n = 5 ", 6);
    Loaded *l = load_text(text);
    if (export_refuses(arena, &l->system)) refused++;
    else check_model(l, d->d_name, gcc, clang && seen < 2);
    unload(l);
    arena_free(arena);
    seen++;
  }
  closedir(dir);
  assert_true(seen >= (every_example ? 15 : 3) && refused == 0);
}

static Loaded *load_example(const char *path) {
  size_t length;
  const char *why;
  Arena *arena = arena_new();
  char *text = file_read(arena, path, 1 << 20, &length, &why);
  assert_non_null(text);
  Loaded *l = load_text(text);
  arena_free(arena);
  return l;
}

// Right-hand sides with multipliers; their motions are compared in test_export_events.c.
static void exported_constraints_give_the_programs_bits(void **state) {
  (void)state;
  static const char *const names[] = {"bead", "crank", "four_bar", "gearbox", "loops", "pendulum", "rolling_disk"};
  bool gcc = have("gcc"), clang = have("clang");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (!is_chosen(names[i])) continue;
    char path[512];
    snprintf(path, sizeof path, "%s/examples/constraints/%s.viva", VIVA_ROOT, names[i]);
    Loaded *l = load_example(path);
    assert_null(export_refuses(l->arena, &l->system));
    check_model(l, names[i], gcc, clang && i < 1);
    unload(l);
  }
}

// Other parameters: the start says that it must be projected, and the projection finds the constraints or says that it
// does not.
static void exported_constraints_start_with_other_parameters(void **state) {
  (void)state;
  if (!have("gcc")) skip();
  Loaded *l = load_text("param c = 1, k = 2\ncoord x = 0.6, y\nguess y = -1\ninit x' = 1\nkinetic 1/2*(x'^2 + "
                        "4*y'^2)\npotential 9.81*y + 1/2*k*x^2\nconstraint rod: x^2 + y^2 = c\nsimulate to 1 step "
                        "0.01\n");
  Export e;
  assert_true(export_model(l->arena, &l->system, &e));
  write_export(l, false);
  Exported x = build("gcc", "-O1", "", "");
  find_bound(&x);
  double p[2], y[4], out[2], *w = calloc(work_of(&e), sizeof *w);
  x.defaults(p);
  x.prepare(p, w);
  assert_int_equal(x.bound_start(p, y), 0); // what was said stays
  assert_true(y[0] == 0.6 && fabs(y[1] + 0.8) < 1e-15 && y[2] == 1 && fabs(y[3] - 0.75) < 1e-15);
  p[1] = 3;
  assert_int_equal(x.bound_start(p, y), 1);
  p[0] = 2.25;
  x.prepare(p, w);
  assert_int_equal(x.bound_start(p, y), 1);
  assert_true(y[0] == 0.6 && y[1] == -1 && y[2] == 1 && y[3] == 0); // as said and guessed
  x.residues(0, y, out, w);
  assert_true(fabs(out[0] - (0.36 + 1 - 2.25)) < 1e-15 && fabs(out[1] - 1.2) < 1e-15);
  assert_int_equal(x.project(0, y, w), 0);
  assert_true(fabs(y[0] * y[0] + y[1] * y[1] - 2.25) < 1e-15 && fabs(y[0] * y[2] + y[1] * y[3]) < 1e-15);
  x.residues(0, y, out, w);
  assert_true(fabs(out[0]) < 1e-15 && fabs(out[1]) < 2e-15);
  p[0] = -1; // no place at all
  x.prepare(p, w);
  assert_int_equal(x.bound_start(p, y), 1);
  assert_int_equal(x.project(0, y, w), 1);
  x.rk4(0, 0.01, y, w);
  assert_true(isnan(y[0]) && isnan(y[3]));
  free(w);
  dlclose(x.library);
  unload(l);
}

// Coordinates without inertia: one equation alone, several that hang together, and one that is inverted.
static void exported_models_without_inertia_give_the_programs_bits(void **state) {
  (void)state;
  static const char *const texts[] = {
      "coord q = 1, s = 0.5\npotential 1/2*q^2 + 1/4*(q - s)^4\ndissipation 1/2*q'^2 + (1 + q^2)*(s' - q')^2\noutput v "
      "= q', q\nsimulate to 1 step 0.1\n",
      "param m = 2\ncoord x = 1, q = 0.3\nkinetic 1/2*m*x'^2\npotential 1/2*(x - q)^2\ndissipation 1/2*q'^2 + "
      "0.1*q'^4\noutput given = q'*x, e = energy.stored\nsimulate to 1 step 0.1\n",
      "coord x = 1, y = 0.5, z = 0.2\nkinetic 1/2*(x' + y')^2 + 1/2*z'^2\npotential 1/2*x^2 + y^2 + 1/2*(z - "
      "x)^2\ndissipation 1/2*(x' - y')^2\nsimulate to 1 step 0.1\n"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    Loaded *l = load_text(texts[i]);
    if (export_refuses(l->arena, &l->system)) fail_msg("model %zu is refused", i);
    Export e;
    assert_true(export_model(l->arena, &l->system, &e) && !e.plain);
    check_model(l, texts[i], have("gcc"), have("clang"));
    unload(l);
  }
}

static void exported_kernels_give_the_programs_bits(void **state) {
  (void)state;
  char path[200], text[2048];
  snprintf(path, sizeof path, "%s/push.csv", folder);
  FILE *table = fopen(path, "w");
  fputs("t,u\n0,1\n1,3\n2,-1\n", table);
  fclose(table);
  snprintf(text, sizeof text,
           "title \"every kernel */ \\ %%d ?\?/ here\"\nparam c = 0.3, int = 2, w = 1, r1 = 1, p2 = 0.5 [m] \"a note "
           "*/\"\ncoord a, b, e, f = 1\nstate z = 0.5\n"
           "input u = noise(3, 0.1) + table(\"%s\", \"u\", t)\nfun s(x) = x^3 + x + c*sin(x)\n"
           "kinetic 1/2*(2 + cos(a - b))*a'^2 + 1/2*b'^2 + c*cos(b)*a'*b' + 1/2*int*e'^2 - 1/2*f'^2 + c*sin(z)*e'*f'\n"
           "potential w*r1*1/2*(a^2 + b^2 + e^2 + f^2)/p2 + integral_of(tanh(x*int), x, 0, a)\n"
           "force b = u*exp(-t) + inverse(s)(e)\n"
           "z' = -z + max(a, b) + inverse(s)(z*int) + integral_of(abs(x - a)*exp(-x)/sqrt(x), x, 0, inf) + atan2(a, e) "
           "+ mod(t, 0.3) + if(a > 0, 1, -0.5) + |a|^2.5\n"
           "output y1 = a + b, stored = energy.stored, lost = energy.dissipated\nsimulate to 0.1 step 0.01\n",
           path);
  Loaded *l = load_text(text);
  check_model(l, "kernels", have("gcc"), have("clang"));
  unload(l);
}

static bool keep_row(void *self, const double *values, size_t count) {
  memcpy(self, values, count * sizeof *values);
  return true;
}

// make SLEEF=1, run the example program, and compare its last line with `viva run`.
static void exported_program_follows_the_motion(void **state) {
  (void)state;
  if (!have("cc") || !have("make")) skip();
  viva_model *model;
  Arena *arena = arena_new();
  size_t length;
  const char *why;
  // with the step that it asks for
  char *text = file_read(arena, VIVA_ROOT "/examples/inverted_pendulum.viva", 1 << 20, &length, &why),
       *end = text ? strstr(text, "step 0.01") : NULL;
  assert_non_null(end);
  text = arena_printf(arena, "%.*sstep 0.01 by rk4%s", (int)(end - text), text, end + 9);
  assert_int_equal(viva_model_parse("m", text, strlen(text), NULL, &model), VIVA_OK);
  arena_free(arena);
  char inner[200], *path;
  int error;
  snprintf(inner, sizeof inner, "%s/program", folder);
  viva_export_options o = viva_export_defaults();
  o.name = "cart";
  assert_int_equal(viva_export_c(model, &o, inner, &path, &error), VIVA_OK);
  assert_true(shell("make -s -C %s SLEEF=1 && %s/cart > %s/table.csv", inner, inner, inner));
  viva_run_options r = viva_run_defaults();
  r.method = "rk4";
  double row[16] = {0}, got[5];
  viva_sink sink = {row, NULL, keep_row};
  viva_run *run;
  assert_int_equal(viva_run_model(model, &r, &sink, &run), VIVA_OK);
  char table[256], line[400], last[400] = "";
  snprintf(table, sizeof table, "%s/table.csv", inner);
  FILE *f = fopen(table, "r");
  assert_non_null(f);
  int lines = 0;
  while (fgets(line, sizeof line, f)) strcpy(last, line), lines++;
  fclose(f);
  assert_int_equal(lines, 502);
  assert_int_equal(sscanf(last, "%lf,%lf,%lf,%lf,%lf", &got[0], &got[1], &got[2], &got[3], &got[4]), 5);
#if defined(__x86_64__)
  if (__builtin_cpu_supports("fma"))
#endif
    for (int i = 0; i < 5; i++) assert_true(got[i] == row[i]);
  // faults
  assert_int_equal(viva_export_c(model, &o, "/proc/nowhere/x", &path, &error), VIVA_EIO);
  assert_string_equal(path, "/proc/nowhere/x");
  viva_text_free(path);
  o.name = "3d";
  assert_int_equal(viva_export_c(model, &o, inner, &path, &error), VIVA_EUSAGE);
  assert_int_equal(viva_export_c(NULL, NULL, inner, NULL, NULL), VIVA_EUSAGE);
  viva_run_free(run);
  viva_model_free(model);
}

// Runs the example program of a model; the last line of its table, and what it says beside it.
static int follow_program(const char *text, bool single, char *last, char *said, size_t size) {
  viva_model *model;
  char inner[200], path[256];
  static int number;
  snprintf(inner, sizeof inner, "%s/follow%d", folder, number++);
  viva_export_options o = viva_export_defaults();
  o.single = single;
  assert_int_equal(viva_model_parse("m", text, strlen(text), NULL, &model), VIVA_OK);
  assert_int_equal(viva_export_c(model, &o, inner, NULL, NULL), VIVA_OK);
  viva_model_free(model);
  assert_true(shell("make -s -C %s CFLAGS='-O1 -Werror'", inner));
  bool good = shell("%s/model > %s/table.csv 2> %s/said", inner, inner, inner);
  last[0] = said[0] = '\0';
  for (int k = 0; k < 2; k++) {
    snprintf(path, sizeof path, "%s/%s", inner, k ? "said" : "table.csv");
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    while (fgets(k ? said : last, (int)size, f)) continue;
    fclose(f);
  }
  return good ? 0 : 1;
}

// Rows far apart are no steps far apart: against closed forms.
static void exported_program_keeps_its_tolerance(void **state) {
  (void)state;
  if (!have("cc") || !have("make")) skip();
  char last[1000], said[1000];
  double t, x, v;
  // 500 swings of cos(w t), rows 0.7 of a second apart (A19: 0.229 instead of 0.185 with steps as long as that)
  static const char swing[] = "coord x = 1\nkinetic 1/2*x'^2\npotential 1/2*9.61*x^2\nsimulate to 1000.3 step 0.7\n";
  assert_int_equal(follow_program(swing, false, last, said, sizeof last), 0);
  assert_int_equal(sscanf(last, "%lf,%lf,%lf", &t, &x, &v), 3);
  if (!(fabs(x - cos(3.1 * t)) < 1e-6)) fail_msg("%g instead of %g", x, cos(3.1 * t));
  assert_int_equal(follow_program(swing, true, last, said, sizeof last), 0);
  assert_int_equal(sscanf(last, "%lf,%lf", &t, &x), 2);
  if (!(fabs(x - cos(3.1 * t)) < 0.1)) fail_msg("%g instead of %g", x, cos(3.1 * t));
  // a stiff one, which leaves the numbers with steps as long as the rows
  assert_int_equal(
      follow_program("state x = 1\nx' = -500*(x - cos(t))\nsimulate to 10 step 0.5\n", false, last, said, sizeof last),
      0);
  assert_int_equal(sscanf(last, "%lf,%lf", &t, &x), 2);
  double want = (250000 * cos(10.0) + 500 * sin(10.0)) / 250001;
  if (!(fabs(x - want) < 1e-8)) fail_msg("%.12g instead of %.12g", x, want);
  // constraints: round a circle and along one, x = cos t and x = 2.4 sin(t/2), also in float
  for (int single = 0; single < 2; single++) {
    assert_int_equal(
        follow_program("coord x = 1, y = 0\ninit y' = 1\nkinetic 1/2*(x'^2 + y'^2)\nconstraint x^2 + y^2 = "
                       "1\nsimulate to 40 step 0.8\n",
                       single, last, said, sizeof last),
        0);
    assert_int_equal(sscanf(last, "%lf,%lf,%lf", &t, &x, &v), 3);
    if (!(fabs(x - cos(40.0)) < (single ? 1e-2 : 1e-8))) fail_msg("%.12g instead of %.12g", x, cos(40.0));
    assert_true(fabs(x * x + v * v - 1) < (single ? 3e-7 : 4e-16));
    assert_int_equal(
        follow_program("coord x, y, ph, ps\ninit ph' = 4, ps' = 0.5\nkinetic 1/2*(x'^2 + y'^2 + ph'^2 + "
                       "ps'^2)\nconstraint x' = 0.6*cos(ps)*ph'\nconstraint y' = 0.6*sin(ps)*ph'\nsimulate to 12 step "
                       "1.5\n",
                       single, last, said, sizeof last),
        0);
    assert_int_equal(sscanf(last, "%lf,%lf", &t, &x), 2);
    if (!(fabs(x - 4.8 * sin(6.0)) < (single ? 1e-2 : 1e-8))) fail_msg("%.12g instead of %.12g", x, 4.8 * sin(6.0));
  }
  // a plank on two ropes swings as a pendulum; that it does not turn is so to rounding alone, which no step gets right
  for (int single = 0; single < 2; single++) {
    assert_int_equal(
        follow_program(
            "gravity [0, 0, -9.81]\nbody seat on ground by free x, y, z, r with mass = 2, box = [1, 0.1, "
            "0.1]\nconstraint left: |seat.point([-0.5, 0, 0]) - [-0.5, 0, 0]|^2 = 1\nconstraint right: "
            "|seat.point([0.5, 0, 0]) - [0.5, 0, 0]|^2 = 1\ninit y = 0.6, z = -0.8\nsimulate to 1 step 0.1\n",
            single, last, said, sizeof last),
        0);
    assert_int_equal(sscanf(last, "%lf,%lf,%lf", &t, &x, &v), 3);
    const double sine = -0.5979327599475563; // of the angle, by Jacobi's functions: sin(angle/2) = k cd(sqrt(g) t)
    if (!(fabs(v - sine) < (single ? 1e-4 : 1e-9))) fail_msg("%.12g instead of %.12g", v, sine);
  }
  // a rate that jumps, of something that was zero until then: no step is small enough, and it goes on
  for (int single = 0; single < 2; single++) {
    assert_int_equal(follow_program("state x = -1, y = 0\nx' = 1\ny' = if(x > 0.3, 5, 0)\nsimulate to 2 step 0.25\n",
                                    single, last, said, sizeof last),
                     0);
    assert_int_equal(sscanf(last, "%lf,%lf,%lf", &t, &x, &v), 3);
    if (!(fabs(v - 3.5) < (single ? 1e-4 : 1e-10))) fail_msg("%.12g instead of 3.5", v);
  }
  // a pole at t = 1: a message, and no row behind it
  assert_int_equal(follow_program("state x = 1\nx' = x^2\nsimulate to 2 step 0.25\n", false, last, said, sizeof last),
                   1);
  assert_non_null(strstr(said, "no step is small enough"));
  assert_null(strstr(last, "nan"));
  // a fixed step that the model asks for: its error is told, and here it is the difference of two known motions
  assert_int_equal(follow_program("coord x = 1\nkinetic 1/2*x'^2\npotential 1/2*x^2\nsimulate to 100 step 0.5 by rk4\n",
                                  false, last, said, sizeof last),
                   0);
  assert_int_equal(sscanf(last, "%lf,%lf", &t, &x), 2);
  double off;
  assert_int_equal(sscanf(said, "a finer step moves the table by at most %lf", &off), 1);
  assert_true(off > 0.5 * fabs(x - cos(t)) && off < 3); // the largest |x| is 1
  // a ball that bounces twice, rows 0.1 s apart: right to a few thousandths, and told how well
  assert_int_equal(
      follow_program(
          "coord h = 1\nkinetic 1/2*h'^2\npotential 9.81*h\nwhen h < 0 do h' := -0.8*h'\nsimulate to 1.2 step 0.1\n",
          false, last, said, sizeof last),
      0);
  assert_int_equal(sscanf(last, "%lf,%lf", &t, &x), 2);
  double fall = sqrt(2 / 9.81), second = fall + 2 * 0.8 * fall, since = t - second,
         height = 0.64 * 9.81 * fall * since - 9.81 / 2 * since * since;
  if (!(fabs(x - height) < 2e-3)) fail_msg("%g instead of %g", x, height);
  assert_int_equal(sscanf(said, "a finer step moves the table by at most %lf", &off), 1);
  // samples and a delay: x' = -x(t - 0.5) from x = 1, with 0 before, is piecewise polynomial, x(1.5) = 1 - 1 + 0.5^2/2
  assert_int_equal(
      follow_program("state x = 1\nx' = -delay(x, 0.5)\nsimulate to 1.5 step 0.25\n", false, last, said, sizeof last),
      0);
  assert_int_equal(sscanf(last, "%lf,%lf", &t, &x), 2);
  if (!(fabs(x - 0.125) < 1e-5)) fail_msg("%.12g instead of 0.125", x);
  // a fixed step that leaves the numbers says so
  assert_int_equal(
      follow_program("state x = 1\nx' = -500*x\nsimulate to 1000 step 0.5 by rk4\n", false, last, said, sizeof last),
      1);
  assert_non_null(strstr(said, "has no finite value"));
}

int main(int count, char **arguments) {
  (void)arguments;
  every_example = count > 1;
  if (!mkdtemp(folder)) return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exported_examples_give_the_programs_bits),
      cmocka_unit_test(exported_constraints_give_the_programs_bits),
      cmocka_unit_test(exported_constraints_start_with_other_parameters),
      cmocka_unit_test(exported_models_without_inertia_give_the_programs_bits),
      cmocka_unit_test(exported_kernels_give_the_programs_bits),
      cmocka_unit_test(exported_program_follows_the_motion),
      cmocka_unit_test(exported_program_keeps_its_tolerance),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  shell("rm -rf %s", folder);
  return failed;
}

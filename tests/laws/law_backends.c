// Every way to run a tape gives the same bits: interpreter = tcc = cc, on random expressions with all operations, on
// kernels, and on the motion of all examples. Any NaN equals any NaN. The broken twin: a tape with
// its additions changed.
#define _XOPEN_SOURCE 700
#include "tests/support.h"

#include "base/file.h"
#include "tape/native.h"

#include <dirent.h>
#include <unistd.h>

enum { variables = 5, graphs = 1000, together = 50, points = 40 };

static uint64_t seed;
static char cache[] = "/tmp/viva-law-XXXXXX";

static double uniform(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 11) * 0x1p-53;
}
static unsigned choose(unsigned n) { return (unsigned)(uniform() * n); }

// Ordinary numbers, and those at which functions break.
static double number(void) {
  static const double odd[] = {0.0, -0.0, 1, -1, 0.5, INFINITY, -INFINITY, NAN, 1e308, -1e-308, 5e-324, 1e9, -2, 3};
  if (uniform() < 0.3) return odd[choose(sizeof odd / sizeof *odd)];
  return (uniform() - 0.5) * (uniform() < 0.5 ? 4 : 200);
}

static const char *const model_text =
    "param a = 1.5, b = -0.25\ncoord q1, q2\nstate s1, s2\nkinetic 1/2*q1'^2 + 1/2*q2'^2\ns1' = 0\ns2' = 0\n";

typedef struct World {
  Loaded *l;
  ExprPool *pool;
  SymbolId symbols[variables];
} World;

static World world_new(void) {
  World w = {.l = load_text(model_text)};
  w.pool = &w.l->model.pool;
  w.symbols[0] = w.l->model.time;
  w.symbols[1] = w.l->model.coords.items[0].q;
  w.symbols[2] = w.l->model.coords.items[1].q;
  w.symbols[3] = w.l->model.states.items[0].x;
  w.symbols[4] = w.l->model.states.items[1].x;
  return w;
}

// Any operation of ops.def over anything.
static ExprId grow(World *w, int depth) {
  static const uint8_t arity[op_count] = {
#define OP(name, arity, value, d1, d2, d3, domain, meaning) [op_##name] = arity,
#include "expr/ops.def"
#undef OP
  };
  ExprPool *p = w->pool;
  if (depth == 0 || uniform() < 0.08) {
    double kind = uniform();
    if (kind < 0.2) return expr_num(p, rat_make(p->arena, (int64_t)choose(19) - 9, 1 + choose(7)));
    if (kind < 0.3) return expr_sym(p, w->l->model.params.items[choose(2)].symbol);
    return expr_sym(p, w->symbols[choose(variables)]);
  }
  ExprId x[3] = {grow(w, depth - 1), 0, 0};
  switch (choose(8)) {
  case 0: return expr_add(p, x[0], grow(w, depth - 1));
  case 1: return expr_sub(p, x[0], grow(w, depth - 1));
  case 2: return expr_mul(p, x[0], grow(w, depth - 1));
  case 3: return expr_div(p, x[0], grow(w, depth - 1));
  case 4: return expr_powi(p, x[0], (int64_t)choose(9) - 4);
  case 5: return uniform() < 0.5 ? expr_sqrt(p, x[0]) : expr_pow(p, x[0], grow(w, depth - 2 > 0 ? depth - 2 : 0));
  default: {
    ExprOp op = (ExprOp)((unsigned)op_sin + choose((unsigned)op_count - (unsigned)op_sin));
    for (uint32_t i = 1; i < arity[op]; i++) x[i] = grow(w, depth - 1);
    return expr_fn(p, op, x, arity[op]);
  }
  }
}

static bool same(double x, double y) { return memcmp(&x, &y, sizeof x) == 0 || (isnan(x) && isnan(y)); }

// How many results differ between the interpreter and native code.
static unsigned differences(Arena *arena, const Tape *t, const Native *native, unsigned count) {
  double *w = arena_array(arena, t->slot_count, sizeof *w), *n = arena_array(arena, t->slot_count, sizeof *n);
  unsigned bad = 0;
  for (unsigned k = 0; k < count; k++) {
    for (uint32_t i = 0; i < t->param_count; i++) w[i] = n[i] = number();
    tape_prepare(t, w);
    tape_prepare(t, n);
    for (uint32_t i = 0; i < t->var_count; i++) tape_vars(t, w)[i] = tape_vars(t, n)[i] = number();
    tape_eval(t, w);
    native_eval(native, n);
    for (uint32_t i = 0; i < t->output_count; i++) {
      double x = tape_result(t, w, i), y = tape_result(t, n, i);
      if (same(x, y)) continue;
      if (!bad) print_error("result %u: %a and %a\n", i, x, y);
      bad++;
    }
  }
  return bad;
}

static Native *compiled(Arena *arena, const Tape *t, Backend backend, bool *missing) {
  const char *why, *note;
  Native *n = native_new(arena, t, &(NativeSettings){.backend = backend, .cache = cache}, &why, &note);
  *missing = !n && why && strstr(why, "not installed");
  if (!n && !*missing) fail_msg("%s", why ? why : "memory is out");
  return n;
}

// The tape with every addition made a subtraction; false: it has none.
static bool break_tape(Arena *arena, const Tape *t, Tape *twin) {
  *twin = *t;
  twin->ops = arena_array(arena, t->op_count, sizeof *twin->ops);
  memcpy(twin->ops, t->ops, t->op_count * sizeof *twin->ops);
  bool any = false;
  for (uint32_t i = 0; i < t->op_count; i++) {
    if (twin->ops[i].code != tape_add) continue;
    twin->ops[i].code = tape_sub;
    any = true;
  }
  return any;
}

static void random_graphs(Backend backend) {
  World w = world_new();
  unsigned broken = 0, caught = 0;
  for (int round = 0; round < graphs / together; round++) {
    ExprId results[together];
    for (int i = 0; i < together; i++) results[i] = grow(&w, 3 + (int)choose(4));
    Arena *arena = arena_new();
    const Tape *t = tape_build(arena, &(TapeWish){.system = &w.l->system, .vars = w.symbols, .var_count = variables, .results = results, .result_count = together});
    assert_non_null(t);
    bool missing;
    Native *n = compiled(arena, t, backend, &missing);
    if (missing) {
      print_message("SKIPPED: %s is not installed\n", backend_name(backend));
      arena_free(arena);
      unload(w.l);
      skip();
    }
    assert_int_equal(differences(arena, t, n, points), 0);
    // the broken twin: seen when code and tape do not belong together
    Tape twin;
    if (round < 3 && break_tape(arena, t, &twin)) {
      double *a = arena_array(arena, t->slot_count, sizeof *a), *b = arena_array(arena, t->slot_count, sizeof *b);
      broken++;
      bool seen = false;
      for (int k = 0; k < points && !seen; k++) {
        for (uint32_t i = 0; i < t->param_count; i++) a[i] = b[i] = uniform();
        tape_prepare(t, a);
        tape_prepare(t, b);
        for (uint32_t i = 0; i < t->var_count; i++) tape_vars(t, a)[i] = tape_vars(t, b)[i] = uniform();
        tape_eval(&twin, a);
        native_eval(n, b);
        for (uint32_t i = 0; i < t->output_count; i++) seen = seen || !same(tape_result(t, a, i), tape_result(t, b, i));
      }
      caught += seen;
    }
    native_free(n);
    arena_free(arena);
  }
  assert_true(broken > 0 && caught == broken);
  unload(w.l);
}

static void tcc_gives_the_interpreters_bits_on_random_graphs(void **state) {
  (void)state;
  random_graphs(backend_tcc);
}

static void cc_gives_the_interpreters_bits_on_random_graphs(void **state) {
  (void)state;
  random_graphs(backend_cc);
}

// ---- kernels: solves of all kinds and sizes, tables, noise, integrals and inverses in the right-hand side

static const char *const kernels_text =
    "param c = 0.3, d = 2\ncoord a, b, e, f = 1\ncoord g[i] = 0.1*i for i in 1 .. 8\nstate z = 0.5\ninput u = noise(3, 0.1) + table(\"%s/push.csv\", \"u\", t)\n"
    "fun s(x) = x^3 + x + c*sin(x)\n"
    "kinetic 1/2*(2 + cos(a - b))*a'^2 + 1/2*b'^2 + c*cos(b)*a'*b' + 1/2*d*e'^2 - 1/2*f'^2 + c*sin(z)*e'*f'\n"
    "kinetic 1/2*sum((2 + sin(g[i]))*g[i]'^2, i, 1, 8) + 1/4*sum(cos(g[i] - g[1])*g[i]'*g[1]', i, 2, 8)\n"
    "potential 1/2*(a^2 + b^2 + e^2 + f^2) + integral_of(tanh(x*d), x, 0, a)\n"
    "force b = u*exp(-t) + inverse(s)(e)\n"
    "z' = -z + max(a, b) + inverse(s)(z*d)\n";

static void kernels(Backend backend) {
  char path[64], text[2048];
  snprintf(path, sizeof path, "%s/push.csv", cache);
  FILE *table = fopen(path, "w");
  assert_non_null(table);
  fputs("t,u\n0,1\n1,3\n2,-1\n", table);
  fclose(table);
  snprintf(text, sizeof text, kernels_text, cache);
  Loaded *l = load_text(text);
  unlink(path);
  Model *m = &l->model;
  uint32_t n = m->coords.count, count = 0;
  SymbolId vars[64];
  ExprId results[64];
  vars[count++] = m->time;
  for (uint32_t i = 0; i < n; i++) vars[count++] = m->coords.items[i].q;
  for (uint32_t i = 0; i < n; i++) vars[count++] = m->coords.items[i].v;
  vars[count++] = m->states.items[0].x;
  for (uint32_t i = 0; i < n; i++) results[i] = expr_sym(&m->pool, m->coords.items[i].a);
  results[n] = expr_sym(&m->pool, m->states.items[0].rate);
  const Tape *t = tape_build(l->arena, &(TapeWish){.system = &l->system, .vars = vars, .var_count = count, .results = results, .result_count = n + 1});
  assert_non_null(t);
  assert_true(t->call_count >= 6);
  bool missing;
  Native *native = compiled(l->arena, t, backend, &missing);
  if (missing) {
    unload(l);
    print_message("SKIPPED: %s is not installed\n", backend_name(backend));
    skip();
  }
  assert_int_equal(differences(l->arena, t, native, 300), 0);
  native_free(native);
  unload(l);
}

static void tcc_calls_the_same_kernels(void **state) {
  (void)state;
  kernels(backend_tcc);
}

static void cc_calls_the_same_kernels(void **state) {
  (void)state;
  kernels(backend_cc);
}

// ---- whole motions

typedef struct Sum {
  uint64_t hash, rows;
} Sum;

static bool hash_row(void *self, const double *values, size_t count) {
  Sum *s = self;
  for (size_t i = 0; i < count; i++) {
    uint64_t bits;
    memcpy(&bits, &values[i], sizeof bits);
    if (isnan(values[i])) bits = 1;
    s->hash = (s->hash ^ bits) * 0x100000001B3u;
    s->hash ^= s->hash >> 29;
  }
  s->rows++;
  return true;
}

static Sum motion(const char *path, const char *backend, Backend *used) {
  Arena *arena = arena_new();
  Model *model = arena_new_of(arena, Model);
  System *system = arena_new_of(arena, System);
  size_t length;
  const char *why;
  char *text = file_read(arena, path, 1 << 20, &length, &why);
  ModelOptions options = {0};
  assert_true(text && pipeline_load(arena, model, system, path, text, length, &options) && model->diags.errors == 0);
  RunSettings r = run_defaults();
  r.to = 0.5;
  r.every = 0.05;
  r.all = true;
  r.energy = system->energy.kept;
  r.backend = backend;
  Sum sum = {0};
  Sink sink = {&sum, NULL, hash_row};
  Diags diags = {.arena = arena, .sources = &model->sources};
  RunResult result = run_model(arena, system, &r, &sink, &diags);
  assert_true(result.status == run_done);
  *used = result.backend;
  arena_free(arena);
  return sum;
}

static void all_back_ends_move_the_examples_alike(void **state) {
  (void)state;
  DIR *dir = opendir(VIVA_ROOT "/examples");
  assert_non_null(dir);
  unsigned seen = 0, skipped = 0;
  for (struct dirent *d; (d = readdir(dir));) {
    size_t n = strlen(d->d_name);
    if (n < 6 || strcmp(d->d_name + n - 5, ".viva") != 0) continue;
    char path[512];
    snprintf(path, sizeof path, "%s/examples/%s", VIVA_ROOT, d->d_name);
    Backend used;
    Sum reference = motion(path, "interp", &used);
    assert_true(reference.rows > 5);
    static const char *const others[] = {"tcc", "cc", "auto"};
    for (int i = 0; i < 3; i++) {
      Sum sum = motion(path, others[i], &used);
      assert_true(sum.hash == reference.hash && sum.rows == reference.rows);
      skipped += i < 2 && used == backend_interp;
    }
    seen++;
  }
  closedir(dir);
  assert_true(seen >= 6);
  if (skipped) print_message("SKIPPED: %u of %u runs had no compiler\n", skipped, 2 * seen);
}

static int start(void **state) {
  (void)state;
  const char *given = getenv("VIVA_SEED");
  seed = given ? strtoull(given, NULL, 10) : 20240601;
  print_message("seed %llu (VIVA_SEED sets another)\n", (unsigned long long)seed);
  return 0;
}

int main(void) {
  if (!mkdtemp(cache)) return 1;
  setenv("XDG_CACHE_HOME", cache, 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(tcc_gives_the_interpreters_bits_on_random_graphs, start),
      cmocka_unit_test_setup(cc_gives_the_interpreters_bits_on_random_graphs, start),
      cmocka_unit_test_setup(tcc_calls_the_same_kernels, start),
      cmocka_unit_test_setup(cc_calls_the_same_kernels, start),
      cmocka_unit_test_setup(all_back_ends_move_the_examples_alike, start),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  uint64_t files, bytes;
  char inner[64];
  cache_clear(cache, &files, &bytes);
  snprintf(inner, sizeof inner, "%s/viva", cache);
  cache_clear(inner, &files, &bytes);
  rmdir(inner);
  rmdir(cache);
  return failed;
}

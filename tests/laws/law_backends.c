// Every way to run a tape gives the same bits: interpreter = tcc = cc, on random expressions with all operations, on
// kernels, and on the motion of all examples. Any NaN equals any NaN. The broken twin: a tape with
// its additions changed.
#define _XOPEN_SOURCE 700
#include "tests/laws/graphs.h"

#include "base/file.h"
#include "tape/jacobian.h"
#include "tape/native.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

static char cache[] = "/tmp/viva-law-XXXXXX";

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
  if (!n && !*missing) fail_msg("%s", why ? why : "out of memory");
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
  for (int round = 0; round < graphs_for_bits / together; round++) {
    ExprId results[together];
    for (int i = 0; i < together; i++) results[i] = grow(&w, 3 + (int)choose(4));
    Arena *arena = arena_new();
    const Tape *t = tape_build(arena, &(TapeRequest){.system = &w.l->system,
                                                     .vars = w.symbols,
                                                     .var_count = variables,
                                                     .results = results,
                                                     .result_count = together});
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

// ---- known parameters

// A tape for known parameters gives the bits of the one for all, with fewer operations; NaN leaves one open. The broken
// twin: another value of a parameter than the one it was made for.
static void known_parameters_change_no_bit(void **state) {
  (void)state;
  static const double values[][2] = {{1, 0}, {-1, 1}, {0, -0.0}, {2.5, -1}, {1, NAN}, {NAN, 0.5}, {INFINITY, 1}};
  World w = world_new();
  uint64_t whole = 0, special = 0;
  unsigned caught = 0;
  for (int round = 0; round < 140; round++) {
    const double *known = values[round % 7];
    ExprId results[together];
    for (int i = 0; i < together; i++) results[i] = grow(&w, 3 + (int)choose(4));
    Arena *arena = arena_new();
    TapeRequest request = {.system = &w.l->system,
                           .vars = w.symbols,
                           .var_count = variables,
                           .results = results,
                           .result_count = together};
    const Tape *t = tape_build(arena, &request);
    request.known = known;
    const Tape *k = tape_build(arena, &request);
    assert_true(t && k);
    double *a = arena_array(arena, t->slot_count, sizeof *a), *b = arena_array(arena, k->slot_count, sizeof *b);
    for (int point = 0; point < points; point++) {
      bool twin = point + 1 == points;
      for (int i = 0; i < 2; i++) a[i] = b[i] = isnan(known[i]) || twin ? number() : known[i];
      tape_prepare(t, a);
      tape_prepare(k, b);
      for (uint32_t i = 0; i < t->var_count; i++) tape_vars(t, a)[i] = tape_vars(k, b)[i] = number();
      tape_eval(t, a);
      tape_eval(k, b);
      bool differs = false;
      for (uint32_t i = 0; i < together; i++) differs = differs || !same(tape_result(t, a, i), tape_result(k, b, i));
      if (twin) caught += differs;
      else assert_false(differs);
    }
    whole += t->op_count;
    special += k->op_count;
    arena_free(arena);
  }
  print_message("%llu operations, %llu where parameters are known\n", (unsigned long long)whole,
                (unsigned long long)special);
  assert_true(special < whole && caught > 20);
  unload(w.l);
}

// ---- kernels

static void kernels(Backend backend) {
  Loaded *l;
  const Tape *t = kernels_tape(cache, &l);
  bool missing;
  Native *native = compiled(l->arena, t, backend, &missing);
  if (missing) {
    unload(l);
    print_message("SKIPPED: %s is not installed\n", backend_name(backend));
    skip();
  }
  assert_int_equal(differences(l->arena, t, native, 3 * kernel_points), 0);
  native_free(native);
  // solves with several right-hand sides, in line and by the kernel
  const TapeJacobian *j = tape_jacobian(l->arena, &l->system, NULL, 0, NULL);
  assert_non_null(j);
  native = compiled(l->arena, j->tape, backend, &missing);
  assert_int_equal(differences(l->arena, j->tape, native, 3 * kernel_points), 0);
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

static Sum motion(const char *path, const char *method, const char *backend, Backend *used) {
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
  r.method = method;
  Sum sum = {0};
  Sink sink = {.self = &sum, .row = hash_row};
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
    static const char *const methods[] = {"auto", "rodas", "rk4"}, *const others[] = {"tcc", "cc", "auto"};
    for (int m = 0; m < 3; m++) {
      Backend used;
      Sum reference = motion(path, methods[m], "interp", &used);
      assert_true(reference.rows > 5);
      for (int i = 0; i < 3; i++) {
        Sum sum = motion(path, methods[m], others[i], &used);
        assert_true(sum.hash == reference.hash && sum.rows == reference.rows);
        skipped += i < 2 && used == backend_interp;
      }
    }
    seen++;
  }
  closedir(dir);
  assert_true(seen >= 15);
  if (skipped) print_message("SKIPPED: %u of %u runs had no compiler\n", skipped, 6 * seen);
}

int main(void) {
  if (!mkdtemp(cache)) return 1;
  setenv("XDG_CACHE_HOME", cache, 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(known_parameters_change_no_bit, start),
      cmocka_unit_test_setup(tcc_gives_the_interpreters_bits_on_random_graphs, start),
      cmocka_unit_test_setup(cc_gives_the_interpreters_bits_on_random_graphs, start),
      cmocka_unit_test_setup(tcc_calls_the_same_kernels, start),
      cmocka_unit_test_setup(cc_calls_the_same_kernels, start),
      cmocka_unit_test_setup(all_back_ends_move_the_examples_alike, start),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  uint64_t files, bytes;
  char inner[64];
  int folder_of_cache = open(cache, O_RDONLY | O_DIRECTORY);
  cache_clear(folder_of_cache, &files, &bytes);
  close(folder_of_cache);
  snprintf(inner, sizeof inner, "%s/viva", cache);
  int folder_of_inner = open(inner, O_RDONLY | O_DIRECTORY);
  cache_clear(folder_of_inner, &files, &bytes);
  close(folder_of_inner);
  rmdir(inner);
  rmdir(cache);
  return failed;
}

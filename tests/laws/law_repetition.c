// Loops that are found in tapes change no bit: chains of random stages, each reading its neighbours and what the one
// before left, through tcc, cc and lanes by cc. Then stages are disturbed one by one: whatever is found afterwards, the
// bits stay those of the interpreter. The broken twin: code of the chain before it was disturbed.
#define _XOPEN_SOURCE 700
#include "tests/laws/chance.h"

#include "tape/lanes.h"
#include "tape/operands.h"

#include <fcntl.h>

static char cache[] = "/tmp/viva-law-XXXXXX";

enum { stages = 160, rounds = 24 };

// A random formula of stage i; `next` may be read only by the rates.
static void put_stage(Text *out, int depth, bool rate) {
  static const char *const leaves[] = {"x[i]", "x[i-1]", "a",      "2.5",  "y[i-1]", "z[i-1]",
                                       "x[i]", "b",      "x[i+1]", "y[i]", "z[i]",   "y[i+1]"};
  if (depth == 0 || uniform() < 0.15) {
    text_put(out, leaves[choose(rate ? 12 : 8)]);
    return;
  }
  static const char *const heads[] = {"(", "(", "(", "sin(", "(cos(", "limit(", "exp(-(", "max(", "abs("};
  static const char *const joints[] = {" + ",          " - ",      "*",  "*",        ") + sin(",
                                       ", -1, 1) + (", ")^2) - (", ", ", ") - tanh("};
  unsigned kind = choose(9);
  text_put(out, heads[kind]);
  put_stage(out, depth - 1, rate);
  text_put(out, joints[kind]);
  put_stage(out, depth - 1, rate);
  text_put(out, kind == 4 ? "))" : ")");
}

static const Tape *chain(Loaded **loaded) {
  Arena *arena = arena_new();
  Text text = text_in(arena);
  text_printf(&text,
              "param a = 0.3, b = -1.25\nstate x[i] = 0.01*i for i in 1 .. %d\nlet x[0] = a\nlet x[%d] = b\nlet y[0] = "
              "a, z[0] = 1\n",
              stages, stages + 1);
  text_printf(&text, "let y[i] = ");
  put_stage(&text, 3, false);
  text_printf(&text, " for i in 1 .. %d\nlet y[%d] = 0\nlet z[i] = ", stages, stages + 1);
  put_stage(&text, 2, false);
  text_printf(&text, " - 0.5*y[i] for i in 1 .. %d\nx[i]' = ", stages);
  put_stage(&text, 4, true);
  text_printf(&text, " + 0.1*y[i]*z[i] for i in 1 .. %d\n", stages);
  Loaded *l = load_text(text_str(&text));
  arena_free(arena);
  Model *m = &l->model;
  static SymbolId vars[stages + 1];
  static ExprId results[stages];
  vars[0] = m->time;
  for (uint32_t i = 0; i < stages; i++) {
    vars[1 + i] = m->states.items[i].x;
    results[i] = expr_sym(&m->pool, m->states.items[i].rate);
  }
  *loaded = l;
  const Tape *t = tape_build(
      l->arena,
      &(TapeRequest){
          .system = &l->system, .vars = vars, .var_count = stages + 1, .results = results, .result_count = stages});
  assert_non_null(t);
  return t;
}

static Native *compiled(Arena *arena, const Tape *t, Backend backend, bool lanes) {
  const char *why, *note;
  Native *n = native_new(
      arena, t, &(NativeSettings){.backend = backend, .lanes = lanes, .rates = !lanes, .cache = cache}, &why, &note);
  if (!n && why && strstr(why, "not installed")) {
    print_message("SKIPPED: %s is not installed\n", backend_name(backend));
    skip();
  }
  if (!n) fail_msg("%s", why ? why : "out of memory");
  return n;
}

// Results that differ from those of the interpreter; of a few points.
static unsigned differences(Arena *arena, const Tape *t, const Native *native) {
  double *w = arena_array(arena, t->slot_count, sizeof *w), *n = arena_array(arena, t->slot_count, sizeof *n);
  double y[stages], dydt[stages];
  unsigned bad = 0;
  for (unsigned k = 0; k < 6; k++) {
    for (uint32_t i = 0; i < t->param_count; i++) w[i] = n[i] = k ? uniform() : number();
    tape_prepare(t, w);
    tape_prepare(t, n);
    for (uint32_t i = 0; i < t->var_count; i++)
      tape_vars(t, w)[i] = tape_vars(t, n)[i] = k ? uniform() - 0.5 : number();
    memcpy(y, tape_vars(t, w) + 1, sizeof y);
    tape_eval(t, w);
    native_eval(native, n);
    bool finite = native_rates(native, tape_vars(t, n)[0], y, dydt, n), all = true;
    for (uint32_t i = 0; i < t->output_count; i++) {
      double x = tape_result(t, w, i);
      bad += !same(x, tape_result(t, n, i)) || !same(x, dydt[i]);
      all = all && isfinite(x);
    }
    bad += finite != all;
  }
  return bad;
}

static unsigned lane_differences(Arena *arena, const Tape *t, const Native *native) {
  LaneKit kit = lanes_kit(t);
  double *one = arena_array(arena, t->slot_count, sizeof *one), *w = lanes_workspace(arena, t);
  uint32_t inputs = t->param_count + t->var_count;
  unsigned bad = 0;
  double *in = arena_array(arena, (size_t)inputs * lane_count, sizeof *in);
  for (uint32_t i = 0; i < inputs * lane_count; i++) w[i] = in[i] = i % 7 ? uniform() - 0.5 : number();
  lanes_prepare(&kit, w);
  lanes_native(native, &kit, w);
  for (uint32_t l = 0; l < lane_count; l++) {
    for (uint32_t i = 0; i < t->param_count; i++) one[i] = in[i * lane_count + l];
    tape_prepare(t, one);
    for (uint32_t i = t->param_count; i < inputs; i++) one[i] = in[i * lane_count + l];
    tape_eval(t, one);
    for (uint32_t i = 0; i < t->output_count; i++)
      bad += !same(tape_result(t, one, i), w[t->outputs[i] * lane_count + l]);
  }
  return bad;
}

// A copy with one operation changed: another kind, or another variable to read.
static Tape *disturbed(Arena *arena, const Tape *t) {
  Tape *out = arena_new_of(arena, Tape);
  *out = *t;
  out->ops = arena_array(arena, t->op_count, sizeof *out->ops);
  memcpy(out->ops, t->ops, t->op_count * sizeof *out->ops);
  uint32_t inputs = t->param_count + t->var_count;
  for (int tries = 0; tries < 1000; tries++) {
    TapeOp *op = &out->ops[choose(t->op_count)];
    if (op->code == tape_add || op->code == tape_mul) {
      op->code = op->code == tape_add ? tape_sub : tape_add;
      return out;
    }
    if (tape_arity(op->code) >= 1 && op->a < inputs) {
      op->a = t->param_count + 1 + choose(stages);
      return out;
    }
  }
  return out;
}

static void chains(Backend backend, bool lanes) {
  unsigned rolled = 0, caught = 0, twins = 0;
  int many = lanes ? rounds / 6 : backend == backend_cc ? rounds / 3 : rounds;
  for (int round = 0; round < many; round++) {
    Loaded *l;
    const Tape *t = chain(&l);
    const Rolled *r = tape_roll(l->arena, t, t->ops, t->op_count);
    assert_non_null(r);
    rolled += r->length * 4 < t->op_count;
    Native *n = compiled(l->arena, t, backend, lanes);
    unsigned bad = lanes ? lane_differences(l->arena, t, n) : differences(l->arena, t, n);
    for (int k = 0; !bad && k < 2; k++) {
      const Tape *twin = disturbed(l->arena, t);
      if (!lanes) {
        twins++;
        caught += differences(l->arena, twin, n) > 0;
      }
      Native *own = compiled(l->arena, twin, backend, lanes);
      bad += lanes ? lane_differences(l->arena, twin, own) : differences(l->arena, twin, own);
      native_free(own);
    }
    native_free(n);
    if (bad) print_error("%s", l->model.sources.list.items[0].text);
    unload(l);
    assert_int_equal(bad, 0);
  }
  print_message("%u of %d chains are loops; %u of %u twins seen\n", rolled, many, caught, twins);
  assert_true(rolled * 2 >= (unsigned)many); // short ones stay straight
  assert_true(lanes || caught * 2 > twins);
}

static void tcc_runs_loops_bit_by_bit(void **state) {
  (void)state;
  chains(backend_tcc, false);
}

static void cc_runs_loops_bit_by_bit(void **state) {
  (void)state;
  chains(backend_cc, false);
}

static void lanes_run_loops_bit_by_bit(void **state) {
  (void)state;
  chains(backend_cc, true);
}

int main(void) {
  if (!mkdtemp(cache)) return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(tcc_runs_loops_bit_by_bit, start),
      cmocka_unit_test_setup(cc_runs_loops_bit_by_bit, start),
      cmocka_unit_test_setup(lanes_run_loops_bit_by_bit, start),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  uint64_t files, bytes;
  int folder_of_cache = open(cache, O_RDONLY | O_DIRECTORY);
  cache_clear(folder_of_cache, &files, &bytes);
  close(folder_of_cache);
  rmdir(cache);
  return failed;
}

// One lane = eight lanes, bit for bit, whatever the neighbours are: on random expressions with all operations and on
// kernels, for every instruction set of this processor and for compiled lanes. Any NaN equals any NaN. The broken twin:
// a neighbour's value instead of the own.
#define _XOPEN_SOURCE 700
#include "tests/laws/graphs.h"

#include "tape/jacobian.h"
#include "tape/lanes.h"

#include <fcntl.h>

static char cache[] = "/tmp/viva-law-XXXXXX";

typedef enum LaneFamily { family_plain, family_avx2, family_avx512, family_native, family_count } LaneFamily;

static const char *const family_names[] = {"plain lanes", "AVX2", "AVX-512", "cc"};

static bool kit_of(const Tape *t, LaneFamily family, LaneKit *kit) {
  *kit = lanes_kit(t);
  if (family == family_plain) lanes_plain(kit);
  return family == family_avx2 ? lanes_avx2(kit) : family == family_avx512 ? lanes_avx512(kit) : true;
}

// How many results differ from one lane, and in how many neighbours would have been seen.
static unsigned differences(Arena *arena, const Tape *t, const LaneKit *kit, const Native *native, unsigned count,
                            unsigned *twins) {
  double *one = arena_array(arena, t->slot_count, sizeof *one), *w = lanes_workspace(arena, t);
  double in[lane_count][64];
  uint32_t inputs = t->param_count + t->var_count;
  unsigned bad = 0;
  assert_true(w && one && inputs <= 64);
  for (unsigned k = 0; k < count; k++) {
    for (int l = 0; l < lane_count; l++) {
      for (uint32_t i = 0; i < inputs; i++) w[i * lane_count + (uint32_t)l] = in[l][i] = number();
    }
    lanes_prepare(kit, w);
    if (native) lanes_native(native, kit, w);
    else lanes_eval(kit, w);
    for (int l = 0; l < lane_count; l++) {
      memcpy(one, in[l], t->param_count * sizeof *one);
      tape_prepare(t, one);
      memcpy(one + t->param_count, in[l] + t->param_count, t->var_count * sizeof *one);
      tape_eval(t, one);
      for (uint32_t i = 0; i < t->output_count; i++) {
        double x = tape_result(t, one, i), y = w[t->outputs[i] * lane_count + (uint32_t)l];
        if (!same(x, y) && !bad++) print_error("result %u in lane %d: %a and %a\n", i, l, x, y);
        *twins += !same(x, w[t->outputs[i] * lane_count + (uint32_t)(l + 1) % lane_count]);
      }
    }
  }
  return bad;
}

static Native *compiled(Arena *arena, const Tape *t) {
  const char *why, *note;
  Native *n =
      native_new(arena, t, &(NativeSettings){.backend = backend_cc, .lanes = true, .cache = cache}, &why, &note);
  if (!n && !strstr(why, "not installed")) fail_msg("%s", why);
  return n;
}

static void family_holds(LaneFamily family) {
  World w = world_new();
  unsigned twins = 0;
  LaneKit kit;
  int many = family == family_native ? graphs / 5 : graphs_for_bits;
  for (int round = 0; round < many / together; round++) {
    ExprId results[together];
    for (int i = 0; i < together; i++) results[i] = grow(&w, 3 + (int)choose(4));
    Arena *arena = arena_new();
    const Tape *t = tape_build(arena, &(TapeRequest){.system = &w.l->system,
                                                     .vars = w.symbols,
                                                     .var_count = variables,
                                                     .results = results,
                                                     .result_count = together});
    assert_non_null(t);
    bool there = kit_of(t, family, &kit);
    Native *n = there && family == family_native ? compiled(arena, t) : NULL;
    if (!there || (family == family_native && !n)) {
      arena_free(arena);
      unload(w.l);
      print_message("SKIPPED: no %s here\n", family_names[family]);
      skip();
    }
    assert_int_equal(differences(arena, t, &kit, n, points, &twins), 0);
    native_free(n);
    arena_free(arena);
  }
  assert_true(twins > 1000);
  unload(w.l);
  Loaded *l;
  const Tape *t = kernels_tape(cache, &l);
  kit_of(t, family, &kit);
  Native *n = family == family_native ? compiled(l->arena, t) : NULL;
  assert_int_equal(differences(l->arena, t, &kit, n, kernel_points, &twins), 0);
  native_free(n);
  // several right-hand sides in one solve
  const TapeJacobian *j = tape_jacobian(l->arena, &l->system, NULL, 0, NULL);
  assert_non_null(j);
  kit_of(j->tape, family, &kit);
  n = family == family_native ? compiled(l->arena, j->tape) : NULL;
  assert_int_equal(differences(l->arena, j->tape, &kit, n, kernel_points, &twins), 0);
  native_free(n);
  unload(l);
}

static void plain_lanes_give_the_bits_of_one(void **state) {
  (void)state;
  family_holds(family_plain);
}
static void avx2_lanes_give_the_bits_of_one(void **state) {
  (void)state;
  family_holds(family_avx2);
}
static void avx512_lanes_give_the_bits_of_one(void **state) {
  (void)state;
  family_holds(family_avx512);
}
static void compiled_lanes_give_the_bits_of_one(void **state) {
  (void)state;
  family_holds(family_native);
}

int main(void) {
  if (!mkdtemp(cache)) return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(plain_lanes_give_the_bits_of_one, start),
      cmocka_unit_test_setup(avx2_lanes_give_the_bits_of_one, start),
      cmocka_unit_test_setup(avx512_lanes_give_the_bits_of_one, start),
      cmocka_unit_test_setup(compiled_lanes_give_the_bits_of_one, start),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  uint64_t files, bytes;
  int folder_of_cache = open(cache, O_RDONLY | O_DIRECTORY);
  cache_clear(folder_of_cache, &files, &bytes);
  close(folder_of_cache);
  rmdir(cache);
  return failed;
}

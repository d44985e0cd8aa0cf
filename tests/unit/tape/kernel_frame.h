// What every kernel is tried by: a tape that is one call of it, run by the interpreter, over lanes, as native code, and
// as exported C. All four must give the same bits.
#ifndef VIVA_TESTS_KERNEL_FRAME_H
#define VIVA_TESTS_KERNEL_FRAME_H

#include "tests/support.h"

#include "tape/kernels.h"
#include "tape/lanes.h"

#include <dlfcn.h>
#include <unistd.h>

// A call of a kernel as a tape whose variables are the operands.
static inline const Tape *frame_tape(Arena *arena, const TapeKernel *kernel, const void *data, uint32_t count) {
  Tape *t = arena_new_of(arena, Tape);
  TapeCall *call = arena_new_of(arena, TapeCall);
  TapeOp *op = arena_new_of(arena, TapeOp);
  uint32_t *args = arena_array(arena, (size_t)count + 1, sizeof *args);
  *call = (TapeCall){.kernel = kernel, .data = data, .count = count, .scratch = count};
  uint32_t room = kernel->room ? kernel->room(data) : 0, results = tape_results(call);
  *op = (TapeOp){.code = tape_call, .dst = kernel->results ? count : count + room};
  for (uint32_t i = 0; i < count; i++) args[i] = i;
  *t = (Tape){.ops = op,
              .op_count = 1,
              .args = args,
              .calls = call,
              .call_count = 1,
              .var_count = count,
              .slot_count = count + room + 1,
              .output_count = results};
  t->outputs = arena_array(arena, results, sizeof *t->outputs);
  for (uint32_t i = 0; i < results; i++) t->outputs[i] = op->dst + i;
  return t;
}

// The results for these operands, by the interpreter.
static inline void frame_eval(const Tape *t, const double *in, double *out) {
  double *w = calloc(t->slot_count, sizeof *w);
  assert_non_null(w);
  memcpy(w, in, t->var_count * sizeof *w);
  tape_prepare(t, w);
  tape_eval(t, w);
  for (uint32_t i = 0; i < t->output_count; i++) out[i] = tape_result(t, w, i);
  free(w);
}

static inline void frame_same(const double *x, const double *y, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    bool both_nan = x[i] != x[i] && y[i] != y[i];
    if (!both_nan && memcmp(&x[i], &y[i], sizeof *x) != 0) fail_msg("result %u: %.17g against %.17g", i, x[i], y[i]);
  }
}

// Lane l gets the operands in + l*var_count.
static inline void frame_lanes(Arena *arena, const Tape *t, const double *in) {
  LaneKit kit = lanes_kit(t);
  double *w = lanes_workspace(arena, t), *one = arena_array(arena, t->output_count, sizeof *one),
         *out = arena_array(arena, t->output_count, sizeof *out);
  for (uint32_t i = 0; i < t->var_count; i++) {
    for (uint32_t l = 0; l < lane_count; l++) w[i * lane_count + l] = in[l * t->var_count + i];
  }
  lanes_prepare(&kit, w);
  lanes_eval(&kit, w);
  for (uint32_t l = 0; l < lane_count; l++) {
    frame_eval(t, in + l * t->var_count, one);
    for (uint32_t i = 0; i < t->output_count; i++) out[i] = w[t->outputs[i] * lane_count + l];
    frame_same(one, out, t->output_count);
  }
}

// The native text of the call, compiled; skipped where there is no compiler.
static inline void frame_native(Arena *arena, const Tape *t, const double *in) {
  const char *why, *note;
  char cache[] = "/tmp/viva_kernel_XXXXXX";
  assert_non_null(mkdtemp(cache));
  Native *n = native_new(arena, t, &(NativeSettings){.backend = backend_cc, .cache = cache}, &why, &note);
  double *w = arena_array(arena, t->slot_count, sizeof *w), *one = arena_array(arena, t->output_count, sizeof *one),
         *out = arena_array(arena, t->output_count, sizeof *out);
  if (n) {
    memcpy(w, in, t->var_count * sizeof *w);
    tape_prepare(t, w);
    native_eval(n, w);
    for (uint32_t i = 0; i < t->output_count; i++) out[i] = tape_result(t, w, i);
    frame_eval(t, in, one);
    frame_same(one, out, t->output_count);
  }
  native_free(n);
  shell("rm -rf %s", cache);
}

static const char *const frame_head =
    "#include <float.h>\n#include <math.h>\n#include <stdint.h>\ntypedef double viva_real;\n#define VIVA_PIVOT 1e-12\n"
    "#define VIVA_SINGULAR 1e-15\n#define VIVA_FINE 1e-14\n#define VIVA_ROUGH 1e-10\n#define VIVA_FINEST 1e-16\n"
    "#define VIVA_TINY 1e-300\n#define VIVA_LARGEST DBL_MAX\n#define VIVA_LOWEST_EXPONENT -746\n"
    "#define VIVA_NOINLINE\n#define viva_sqrt sqrt\n#define viva_floor floor\n";

// The exported text of the call, compiled and loaded.
static inline void frame_export(Arena *arena, const Tape *t, const double *in) {
  Text text = text_in(arena);
  EmitNeeds needs = {0};
  char folder[] = "/tmp/viva_kernel_XXXXXX";
  assert_non_null(mkdtemp(folder));
  text_put(&text, frame_head);
  assert_true(emit_needs(arena, t, &needs));
  assert_null(emit_missing(&needs));
  emit_helpers(&text, &needs);
  assert_true(emit_c(&(EmitJob){.arena = arena, .out = &text, .tape = t, .target = &emit_export, .name = "call"}));
  text_put(&text, "void call_it(double *w);\nvoid call_it(double *w) {\n  call_prepare(w);\n  call(w);\n}\n");
  char *path = arena_printf(arena, "%s/call.c", folder), *library = arena_printf(arena, "%s/call.so", folder);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fwrite(text.data, 1, text.length, file);
  fclose(file);
  assert_true(shell("cc -std=c99 -Wall -Wextra -Wpedantic -Werror -Wno-unused-function -O1 -ffp-contract=off -shared "
                    "-fPIC -o %s %s -lm",
                    library, path));
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL), (*call)(double *);
  assert_non_null(handle);
  void *symbol = dlsym(handle, "call_it");
  memcpy(&call, &symbol, sizeof call);
  double *w = arena_array(arena, t->slot_count, sizeof *w), *one = arena_array(arena, t->output_count, sizeof *one),
         *out = arena_array(arena, t->output_count, sizeof *out);
  memcpy(w, in, t->var_count * sizeof *w);
  call(w);
  for (uint32_t i = 0; i < t->output_count; i++) out[i] = tape_result(t, w, i);
  frame_eval(t, in, one);
  frame_same(one, out, t->output_count);
  dlclose(handle);
  shell("rm -rf %s", folder);
}

// Evaluates the outputs of a model at t, without any motion.
static inline void outputs_at(const char *text, double t, double *out, uint32_t count) {
  Loaded *l = load_text(text);
  ExprId *results = arena_array(l->arena, count, sizeof *results);
  for (uint32_t i = 0; i < count; i++) results[i] = l->model.outputs.items[i].value;
  const Tape *tape = tape_build(l->arena, &(TapeRequest){.system = &l->system,
                                                         .vars = &l->model.time,
                                                         .var_count = 1,
                                                         .results = results,
                                                         .result_count = count,
                                                         .params_by_value = true});
  assert_non_null(tape);
  double *w = arena_array(l->arena, tape->slot_count, sizeof *w);
  tape_prepare(tape, w);
  tape_vars(tape, w)[0] = t;
  tape_eval(tape, w);
  for (uint32_t i = 0; i < count; i++) out[i] = tape_result(tape, w, i);
  unload(l);
}

#endif

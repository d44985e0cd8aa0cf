// Cost of a right-hand side, and RK4 steps a second beside the same loop written by hand in C (-O3 -march=native).
//
//   bench_rhs EXAMPLES_FOLDER
#define _POSIX_C_SOURCE 200809L
#include "api/pipeline.h"
#include "base/file.h"
#include "hand.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static System *load(Arena *arena, const char *folder, const char *name, const char *const *set, size_t sets) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s.viva", folder, name);
  size_t length;
  const char *why;
  char *text = file_read(arena, path, 1 << 20, &length, &why);
  Model *model = arena_new_of(arena, Model);
  System *system = arena_new_of(arena, System);
  ModelOptions options = {.set = set, .set_count = sets};
  if (!text || !pipeline_load(arena, model, system, path, text, length, &options) || model->diags.errors) {
    fprintf(stderr, "cannot load %s\n", path);
    exit(1);
  }
  return system;
}

static void rhs_cost(const char *folder, const char *name, const char *set) {
  Arena *arena = arena_new();
  System *s = load(arena, folder, name, &set, set ? 1 : 0);
  const System *m = s;
  uint32_t n = s->coord_count;
  SymbolId vars[512];
  ExprId results[512];
  vars[0] = m->time;
  for (uint32_t i = 0; i < n; i++) {
    vars[1 + i] = m->coords.items[i].q;
    vars[1 + n + i] = m->coords.items[i].v;
    results[i] = expr_sym(s->pool, m->coords.items[i].a);
  }
  const Tape *t = tape_build(
      arena, &(TapeRequest){.system = s, .vars = vars, .var_count = 1 + 2 * n, .results = results, .result_count = n});
  double *w = arena_array(arena, t->slot_count, sizeof *w);
  for (uint32_t i = 0; i < t->param_count; i++) w[i] = 1 + 0.01 * i;
  tape_prepare(t, w);
  for (uint32_t i = 0; i < t->var_count; i++) tape_vars(t, w)[i] = 0.1 * (i + 1);
  long rounds = 200000 / (t->op_count / 50 + 1) + 100;
  double best = 1e9;
  for (int k = 0; k < 7; k++) {
    double start = now();
    for (long i = 0; i < rounds; i++) tape_eval(t, w);
    double each = (now() - start) / (double)rounds;
    if (each < best) best = each;
  }
  printf("  %-28s %5u operations  %8.1f ns  %.2f ns an operation\n", set ? set : name, t->op_count, best * 1e9,
         best * 1e9 / t->op_count);
  arena_free(arena);
}

static bool no_row(void *self, const double *values, size_t count) {
  (void)self, (void)values, (void)count;
  return true;
}

static void rk4_beside_hand(const char *folder) {
  Arena *arena = arena_new();
  System *s = load(arena, folder, "cart_double_pendulum", NULL, 0);
  const double h = 1e-4;
  const long steps = 200000;
  double ours = 1e9, theirs = 1e9, last = 0, y[6];
  for (int k = 0; k < 5; k++) {
    RunSettings r = run_defaults();
    r.method = "rk4";
    r.step = h;
    r.to = r.every = h * (double)steps;
    Arena *run = arena_new();
    Diags diags = {.arena = run, .sources = s->sources};
    Sink sink = {.row = no_row};
    double start = now();
    RunResult result = run_model(run, s, &r, &sink, &diags);
    double each = now() - start;
    if (each < ours) ours = each;
    last = result.final.values[1];
    arena_free(run);
    memcpy(y, (double[]){0, 0, 0.39269908169872414, 0, 0, 0}, sizeof y);
    start = now();
    hand_rk4(y, h, steps);
    each = now() - start;
    if (each < theirs) theirs = each;
  }
  printf("  interpreter %.2f million steps a second, hand-written C %.2f: %.1f times slower (limit 8)\n",
         (double)steps / ours / 1e6, (double)steps / theirs / 1e6, ours / theirs);
  printf("  same motion: th1 = %.12f and %.12f\n", last, y[1]);
  arena_free(arena);
}

int main(int argc, char **argv) {
  const char *folder = argc > 1 ? argv[1] : "examples";
  puts("Right-hand side, interpreted");
  rhs_cost(folder, "inverted_pendulum", NULL);
  rhs_cost(folder, "cart_double_pendulum", NULL);
  rhs_cost(folder, "triple_pendulum", NULL);
  rhs_cost(folder, "quarter_car", NULL);
  rhs_cost(folder, "chain", "n=6");
  rhs_cost(folder, "chain", "n=20");
  puts("RK4, cart with double pendulum, energy account kept");
  rk4_beside_hand(folder);
  return 0;
}

// Native code beside code written by hand, and what it costs to make it. Ratios of one run.
//
//   bench_native EXAMPLES_FOLDER
#define _XOPEN_SOURCE 700
#include "tape/native.h"
#include "api/pipeline.h"
#include "base/file.h"
#include "hand.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static char cache[] = "/tmp/viva-bench-XXXXXX";

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Of this thread: other work on the machine counts less.
static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Of the compilers that were run.
static double children(void) {
  struct rusage r;
  getrusage(RUSAGE_CHILDREN, &r);
  return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) + 1e-6 * (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

static System *load(Arena *arena, const char *name, const char *text, size_t length) {
  Model *model = arena_new_of(arena, Model);
  System *system = arena_new_of(arena, System);
  ModelOptions options = {0};
  if (pipeline_load(arena, model, system, name, text, length, &options) && !model->diags.errors) return system;
  fprintf(stderr, "cannot load %s\n", name);
  exit(1);
}

static System *load_file(Arena *arena, const char *folder, const char *name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s.viva", folder, name);
  size_t length;
  const char *why;
  char *text = file_read(arena, path, 1 << 20, &length, &why);
  if (text) return load(arena, path, text, length);
  fprintf(stderr, "cannot read %s\n", path);
  exit(1);
}

static const double missing = 1e9; // seconds: the compiler is not installed

// ---- one state

static double run_seconds(System *s, const char *backend, double h, long steps, double *last) {
  RunSettings r = run_defaults();
  r.method = "rk4";
  r.step = h;
  r.to = r.every = h * (double)steps;
  r.backend = backend;
  Arena *arena = arena_new();
  Diags diags = {.arena = arena, .sources = s->sources};
  Sink sink = {0};
  double start = cpu();
  RunResult result = run_model(arena, s, &r, &sink, &diags);
  double seconds = cpu() - start;
  bool there = result.status == run_done && (strcmp(backend, "interp") == 0 || result.backend != backend_interp);
  if (there) *last = result.final.values[1];
  arena_free(arena);
  return there ? seconds : missing;
}

static void scalar(const char *folder) {
  Arena *arena = arena_new();
  System *s = load_file(arena, folder, "cart_double_pendulum");
  const double h = 1e-4;
  const long steps = 400000;
  static const char *const names[] = {"interp", "tcc", "cc"};
  double best[3] = {1e9, 1e9, 1e9}, hand = 1e9, last = 0, y[6];
  for (int k = 0; k < 5; k++) {
    for (int i = 0; i < 3; i++) best[i] = fmin(best[i], run_seconds(s, names[i], h, steps, &last));
    memcpy(y, (double[]){0, 0, 0.39269908169872414, 0, 0, 0}, sizeof y);
    double start = cpu();
    hand_rk4(y, h, steps);
    hand = fmin(hand, cpu() - start);
  }
  puts("RK4, cart with double pendulum, one state; hand-written C with -O3 -march=native is 1");
  printf("  hand-written      %7.2f million steps a second\n", (double)steps / hand / 1e6);
  for (int i = 0; i < 3; i++) {
    if (best[i] >= missing) printf("  %-6s            not installed\n", names[i]);
    else
      printf("  %-6s            %7.2f million steps a second, %.2f times the speed (energy account kept)\n", names[i],
             (double)steps / best[i] / 1e6, hand / best[i]);
  }
  printf("  same motion: th1 = %.12f and %.12f\n", last, y[1]);
  arena_free(arena);
}

// The right-hand side alone.
static void right_sides(const char *folder) {
  Arena *arena = arena_new();
  System *s = load_file(arena, folder, "cart_double_pendulum");
  Export e;
  if (!export_model(arena, s, &e)) exit(1);
  double *w = arena_array(arena, e.f->slot_count, sizeof *w);
  memcpy(w, e.params, e.f->param_count * sizeof *w);
  tape_prepare(e.f, w);
  double y[6] = {0, 0.1, 0.3, 0.1, 0.2, 0.3}, d[6], sum = 0;
  const char *why, *note;
  Native *native[2] = {native_new(arena, e.f, &(NativeSettings){.backend = backend_tcc}, &why, &note),
                       native_new(arena, e.f, &(NativeSettings){.backend = backend_cc, .cache = cache}, &why, &note)};
  double best[4] = {1e9, 1e9, 1e9, 1e9};
  const long rounds = 200000;
  for (int k = 0; k < 7; k++) {
    for (int i = 0; i < 4; i++) {
      if (i >= 2 && !native[i - 2]) continue;
      double start = cpu();
      for (long r = 0; r < rounds; r++) {
        if (i == 0) {
          y[1] += 1e-9;
          hand_f(0, y, d);
          sum += d[4];
          continue;
        }
        double *v = tape_vars(e.f, w);
        memcpy(v + 1, y, sizeof y);
        if (i == 1) tape_eval(e.f, w);
        else native_eval(native[i - 2], w);
        sum += tape_result(e.f, w, 1);
      }
      best[i] = fmin(best[i], (cpu() - start) / (double)rounds);
    }
  }
  static const char *const names[] = {"hand-written", "interpreter", "tcc", "cc"};
  printf("Right-hand side of the same, %u operations\n", e.f->op_count);
  for (int i = 0; i < 4; i++) {
    if (i >= 2 && !native[i - 2]) printf("  %-16s not installed\n", names[i]);
    else printf("  %-16s %8.1f ns, %.2f times the speed\n", names[i], best[i] * 1e9, best[0] / best[i]);
  }
  if (sum == 1.5) puts("");
  native_free(native[0]);
  native_free(native[1]);
  arena_free(arena);
}

// ---- many states

static double batch_seconds(System *s, const char *backend, double h, long steps, uint64_t count, uint32_t threads) {
  const char *const names[] = {"th1"};
  double *values = malloc(count * sizeof *values);
  for (uint64_t i = 0; i < count; i++) values[i] = 1e-3 * (double)i;
  BatchSettings b = {
      .run = run_defaults(), .names = names, .name_count = 1, .values = values, .count = count, .threads = threads};
  b.run.method = "rk4";
  b.run.step = h;
  b.run.to = b.run.every = h * (double)steps;
  b.run.backend = backend;
  Arena *arena = arena_new();
  Diags diags = {.arena = arena, .sources = s->sources};
  double start = cpu();
  BatchResult r = batch_run(arena, s, &b, &diags);
  double seconds = cpu() - start;
  if (r.status != run_done || r.failed) puts("  (the batch failed)");
  arena_free(arena);
  free(values);
  return seconds;
}

static void lanes(const char *folder) {
  Arena *arena = arena_new();
  System *s = load_file(arena, folder, "cart_double_pendulum");
  const double h = 1e-4;
  const long steps = 20000;
  const uint64_t count = 64;
  double hand = 1e9, best[2] = {1e9, 1e9}, y[6];
  batch_seconds(s, "cc", h, 10, 8, 1); // compiled before the clock starts
  for (int k = 0; k < 5; k++) {
    best[0] = fmin(best[0], batch_seconds(s, "interp", h, steps, count, 1));
    best[1] = fmin(best[1], batch_seconds(s, "cc", h, steps, count, 1));
    double start = cpu();
    for (uint64_t i = 0; i < count; i++) {
      memcpy(y, (double[]){0, 1e-3 * (double)i, 0.39269908169872414, 0, 0, 0}, sizeof y);
      hand_rk4(y, h, steps);
    }
    hand = fmin(hand, cpu() - start);
  }
  double total = (double)steps * (double)count / 1e6;
  puts("The same, 64 states in lanes on one thread; hand-written C one by one is 1");
  printf("  hand-written      %7.2f million steps a second\n", total / hand);
  printf("  lanes interpreted %7.2f million steps a second, %.2f times the speed\n", total / best[0], hand / best[0]);
  printf("  lanes by cc       %7.2f million steps a second, %.2f times the speed (aim 4)\n", total / best[1],
         hand / best[1]);
  arena_free(arena);
}

// ---- what a compiler costs

// About the wanted number of operations: sines of sums, every one needed.
static char *big_model(size_t operations, size_t *length) {
  size_t n = operations * 100 / 366, size = 400 + n * 60, used = 0;
  char *text = malloc(size);
  used += (size_t)snprintf(text + used, size - used, "state x[i] = 0.01*i for i in 1 .. 100\n");
  for (size_t i = 0; i < 100; i++) {
    used += (size_t)snprintf(text + used, size - used, "x[%zu]' = 0", i + 1);
    for (size_t k = 0; k < n / 100; k++) {
      size_t a = (i * 37 + k * 11) % 100 + 1, b = (i * 17 + k * 29 + 50) % 100 + 1, c = (k * 7 + i) % 100 + 1;
      used += (size_t)snprintf(text + used, size - used, " + x[%zu]*(x[%zu]*%zu.5 + x[%zu]*%zu.25)", a, b, k % 97, c,
                               i + k);
    }
    used += (size_t)snprintf(text + used, size - used, "\n");
  }
  *length = used;
  return text;
}

static void compilers(size_t operations) {
  size_t length;
  char *text = big_model(operations, &length);
  Arena *arena = arena_new();
  double start = now();
  System *s = load(arena, "big.viva", text, length);
  double loaded = now();
  Export e;
  if (!export_model(arena, s, &e)) exit(1);
  double built = now();
  printf("  %6u operations: text to model %.3f s, to tape %.3f s", e.f->op_count, loaded - start, built - loaded);
  double *w = arena_array(arena, e.f->slot_count, sizeof *w);
  tape_prepare(e.f, w);
  for (uint32_t i = 0; i < e.f->var_count; i++) tape_vars(e.f, w)[i] = 0.01 * (i + 1);
  for (int i = 0; i < 3; i++) {
    const char *why, *note;
    double used = children();
    start = now();
    Native *n =
        i ? native_new(arena, e.f, &(NativeSettings){.backend = i == 1 ? backend_tcc : backend_cc, .cache = cache},
                       &why, &note)
          : NULL;
    double seconds = now() - start;
    used = children() - used;
    if (i && !n) {
      printf(", %s: %s", i == 1 ? "tcc" : "cc", why ? why : "memory");
      continue;
    }
    double best = 1e9;
    for (int k = 0; k < 20; k++) {
      start = now();
      if (n) native_eval(n, w);
      else tape_eval(e.f, w);
      best = fmin(best, now() - start);
    }
    if (i) printf("; %s %.3f s (processor %.3f s), %.1f us a call", i == 1 ? "tcc" : "cc", seconds, used, best * 1e6);
    else printf("; interpreted %.1f us a call", best * 1e6);
    native_free(n);
  }
  puts("");
  free(text);
  arena_free(arena);
}

static void first_result(const char *folder) {
  puts("From text to the first row, in one process");
  static const char *const names[] = {"inverted_pendulum", "cart_double_pendulum", "triple_pendulum"};
  static const char *const backends[] = {"interp", "tcc", "cc"};
  for (int m = 0; m < 3; m++) {
    printf("  %-22s", names[m]);
    for (int b = 0; b < 3; b++) {
      double best = 1e9;
      for (int k = 0; k < 5; k++) {
        uint64_t files, bytes;
        Arena *arena = arena_new();
        int folders[] = {cache_open(arena, cache), cache_open(arena, NULL)}; // of compilers alone, and of runs
        for (int i = 0; i < 2; i++) {
          if (folders[i] < 0) continue;
          cache_clear(folders[i], &files, &bytes);
          close(folders[i]);
        }
        double start = now(), last;
        System *s = load_file(arena, folder, names[m]);
        if (run_seconds(s, backends[b], 0.001, 10, &last) < missing) best = fmin(best, now() - start);
        arena_free(arena);
      }
      if (best >= missing) printf("  %s not installed", backends[b]);
      else printf("  %s %.2f ms", backends[b], best * 1e3);
    }
    puts("");
  }
}

int main(int argc, char **argv) {
  const char *folder = argc > 1 ? argv[1] : "examples";
  if (!mkdtemp(cache)) return 1;
  setenv("XDG_CACHE_HOME", cache, 1);
  setvbuf(stdout, NULL, _IOLBF, 0);
  right_sides(folder);
  scalar(folder);
  lanes(folder);
  first_result(folder);
  puts("Compilers");
  compilers(1000);
  compilers(10000);
  compilers(100000);
  char command[100];
  snprintf(command, sizeof command, "rm -rf %s", cache);
  return system(command);
}

// Block diagrams of growing size beside the same loop written by hand, and an RC ladder from text to result.
#define _XOPEN_SOURCE 700
#include "hand_blocks.h"
#include "viva/viva.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

enum { blocks_a_stage = 5 };

// Stages of five blocks, each fed by the one before: adder, limiter, squarer, adder with a multiplier, integrator.
static char *diagram_text(long stages, size_t *length) {
  size_t room = 400 + (size_t)stages * 200, used = 0;
  char *text = malloc(room);
  if (!text) exit(1);
  used += (size_t)snprintf(text + used, room - used, "input u = 1\nlet x0 = u\n");
  for (long i = 1; i <= stages; i++) {
    used += (size_t)snprintf(text + used, room - used,
                             "let e%ld = x%ld - x%ld\nlet m%ld = limit(2*e%ld, -1, 1)\nlet q%ld = e%ld^2\nlet d%ld = "
                             "m%ld - 0.1*q%ld*x%ld\nlet x%ld = integral(d%ld, 0)\n",
                             i, i - 1, i, i, i, i, i, i, i, i, i, i, i);
  }
  used += (size_t)snprintf(text + used, room - used, "output x1, x%ld\n", stages);
  *length = used;
  return text;
}

static viva_model *load(const char *text, size_t length) {
  viva_model *model;
  if (viva_model_parse("bench.viva", text, length, NULL, &model) == VIVA_OK) return model;
  for (size_t i = 0; i < viva_model_diagnostic_count(model) && i < 3; i++)
    fputs(viva_model_diagnostic(model, i).text, stderr);
  exit(1);
}

static double run(const viva_model *model, const char *backend, bool events, double h, long steps, double *last) {
  viva_run_options o = viva_run_defaults();
  o.method = "rk4";
  o.step = h;
  o.to = o.every = h * (double)steps;
  o.backend = backend;
  o.no_events = !events;
  viva_run *run;
  double start = cpu();
  if (viva_run_model(model, &o, NULL, &run) != VIVA_OK) {
    fprintf(stderr, "%s\n", viva_run_message(run) ? viva_run_message(run) : "failed");
    exit(1);
  }
  double seconds = cpu() - start;
  *last = viva_run_value(run, 0);
  viva_run_free(run);
  return seconds;
}

static double least(const viva_model *model, const char *backend, bool events, double h, long steps, double *last) {
  // making code and reading take their time: the difference of two runs is the work of the steps alone
  double short_run = 1e9, long_run = 1e9;
  for (int k = 0; k < 3; k++) {
    short_run = fmin(short_run, run(model, backend, events, h, steps / 10, last));
    long_run = fmin(long_run, run(model, backend, events, h, steps, last));
  }
  return fmax(1e-9, (long_run - short_run) / 0.9);
}

static void diagrams(void) {
  puts("Block diagrams, RK4 with fixed steps, beside C written by hand (gcc -O3 -march=native): one block after the "
       "other, and as\n"
       "the compiler makes it of stages that are all alike, eight at a time");
  double before = 0;
  for (long blocks = 10; blocks <= 100000; blocks *= 100) {
    long stages = blocks / blocks_a_stage, steps = blocks == 10 ? 2000000 : blocks == 1000 ? 20000 : 60;
    const double h = 1e-4;
    size_t length;
    char *text = diagram_text(stages, &length);
    double start = cpu();
    viva_model *model = load(text, length);
    double reading = cpu() - start, last, hand[2] = {1e9, 1e9};
    double *x = calloc((size_t)stages, sizeof *x), *work = calloc((size_t)stages * 4, sizeof *work);
    if (!x || !work) exit(1);
    for (int k = 0; k < 6; k++) {
      memset(x, 0, (size_t)stages * sizeof *x);
      start = cpu();
      (k % 2 ? hand_blocks : hand_blocks_single)(x, work, stages, h, steps);
      hand[k % 2] = fmin(hand[k % 2], cpu() - start);
    }
    double total = (double)blocks * 4 * (double)steps;
    printf("  %6ld blocks: by hand %8.1f million blocks a second, eight at a time %8.1f\n", blocks,
           total / hand[0] / 1e6, total / hand[1] / 1e6);
    static const char *const backends[] = {"interp", "tcc", "cc", "interp"}, *const names[] = {
                                                                                 "interp", "tcc", "cc",
                                                                                 "interp, events located"};
    for (int i = 0; i < 4; i++) {
      double seconds = least(model, backends[i], i == 3, h, steps, &last);
      printf("    %-22s %8.1f million blocks a second, %5.2f times slower (%.2f than eight at a time); x1 differs by "
             "%.1e\n",
             names[i], total / seconds / 1e6, seconds / hand[0], seconds / hand[1], fabs(last - x[0]));
      if (i == 0) {
        if (before > 0)
          printf("    the interpreter's time for a block is %.2f of that in the smaller diagram\n",
                 seconds / total / before);
        before = seconds / total;
      }
    }
    printf("    read from text in %.3f s\n", reading);
    viva_model_free(model);
    free(text);
    free(x);
    free(work);
  }
}

// n resistors and capacitors in a row, a step of voltage at one end.
static void ladder(void) {
  static const char text[] = "param n = 640, R = 1, C = 1\n"
                             "state v[i] = 0 for i in 1 .. n\n"
                             "let v[0] = 1\n"
                             "let i[k] = (v[k-1] - v[k])/R for k in 1 .. n\n"
                             "let i[n+1] = 0\n"
                             "v[k]' = (i[k] - i[k+1])/C for k in 1 .. n\n"
                             "output v[1]\n"
                             "simulate to 10 step 0.1\n";
  double best = 1e9;
  for (int k = 0; k < 3; k++) {
    double start = now();
    viva_model *model = load(text, sizeof text - 1);
    viva_run *run;
    if (viva_run_model(model, NULL, NULL, &run) != VIVA_OK) exit(1);
    best = fmin(best, now() - start);
    viva_run_free(run);
    viva_model_free(model);
  }
  printf("RC ladder, n = 640, text to result: %.3f s (published: JuliaSimCompiler 3.3 s, ModelingToolkit 20.9 s, "
         "OpenModelica 42 s)\n",
         best);
}

int main(void) {
  diagrams();
  ladder();
  return 0;
}

// A plot of a million points to SVG; beside it, the least that any such program must do: one pass over the numbers.
#define _POSIX_C_SOURCE 200809L
#include "show/plot.h"
#include "show/svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double one_plot(const double *x, const double *y, size_t n, bool phase, bool log, size_t *bytes) {
  Arena *arena = arena_new();
  double start = now();
  Plot plot = {.title = "Bench"};
  PlotPanel *p = plot_panel(arena, &plot, "t", "s");
  p->phase = phase;
  p->y_log = log;
  PlotCurve c = {.kind = curve_line, .name = "y", .unit = "m", .x = x, .y = y, .count = n};
  vec_push(arena, &p->curves, c);
  Drawing d = {.arena = arena};
  plot_layout(&plot, (PlotStyle){0}, &d);
  Text out = text_in(arena);
  svg_write(&d, &out);
  double seconds = now() - start;
  *bytes = out.length;
  arena_free(arena);
  return seconds;
}

static void measure(const char *what, const double *x, const double *y, size_t n, bool phase, bool log, double pass) {
  double best = 1e9;
  size_t bytes = 0;
  for (int i = 0; i < 5; i++) best = fmin(best, one_plot(x, y, n, phase, log, &bytes));
  printf("  %-28s %8zu points  %7.4f s  %6zu kB  %5.1f passes over the data\n", what, n, best, bytes / 1024,
         best / pass);
}

int main(void) {
  size_t n = 1000000;
  double *t = malloc(n * sizeof *t), *y = malloc(n * sizeof *y), *u = malloc(n * sizeof *u);
  if (!t || !y || !u) return 1;
  for (size_t i = 0; i < n; i++) {
    t[i] = 1e-4 * (double)i;
    y[i] = sin(3 * t[i]) * exp(-0.01 * t[i]) + 0.01 * sin(1e4 * t[i]);
    u[i] = 3 * cos(3 * t[i]) * exp(-0.01 * t[i]);
  }
  double pass = 1e9;
  volatile double keep;
  for (int k = 0; k < 5; k++) {
    double start = now(), lo = INFINITY, hi = -INFINITY;
    for (size_t i = 0; i < n; i++) lo = y[i] < lo ? y[i] : lo, hi = y[i] > hi ? y[i] : hi;
    keep = hi - lo;
    pass = fmin(pass, now() - start);
  }
  (void)keep;
  puts("A plot to SVG (limit 0.2 s)");
  measure("time series", t, y, n, false, false, pass);
  measure("logarithmic axis", t, y, n, false, true, pass);
  measure("phase plane", y, u, n, true, false, pass);
  free(t);
  free(y);
  free(u);
  return 0;
}

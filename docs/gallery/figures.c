// Figures that no verb draws yet, by the plotting core itself: figures EXAMPLES FOLDER
//
// Bode plot, ensemble with its band and its quantiles, measured points under fitted curves, iterations of a search, heat map.
#include "show/plot.h"
#include "show/svg.h"
#include "viva/viva.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

typedef struct Gallery {
  const char *examples, *folder;
  Arena *arena;
} Gallery;

static void fail(const char *what) {
  fprintf(stderr, "figures: %s\n", what);
  exit(1);
}

static void save(const Gallery *g, const char *name, const Plot *plot, bool dark) {
  Drawing d = {.arena = g->arena, .title = plot->title};
  Text svg = text_in(g->arena);
  if (!plot_layout(plot, (PlotStyle){.dark = dark}, &d)) fail("out of memory");
  svg_write(&d, &svg);
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", g->folder, name);
  FILE *f = fopen(path, "wb");
  if (!f || fwrite(svg.data, 1, svg.length, f) != svg.length || fclose(f) != 0) fail(path);
}

static double *numbers(const Gallery *g, size_t n) {
  double *v = arena_array(g->arena, n, sizeof *v);
  if (!v) fail("out of memory");
  return v;
}

static void add(const Gallery *g, PlotPanel *p, PlotCurve c) {
  if (!vec_push(g->arena, &p->curves, c)) fail("out of memory");
}

static viva_model *load(const Gallery *g, const char *name, const char *const *set, size_t count) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", g->examples, name);
  viva_load_options o = viva_load_defaults();
  o.set = set;
  o.set_count = count;
  viva_model *m;
  if (viva_model_load(path, &o, &m) != VIVA_OK) fail(path);
  return m;
}

// ---- Bode plot: current over voltage of a series circuit, 1/(R + i (w L - 1/(w C))), over six decades

static void bode(const Gallery *g) {
  enum { n = 600 };
  static const double R = 2, L = 0.01, C = 1e-5;
  double *w = numbers(g, n), *size = numbers(g, n), *phase = numbers(g, n);
  for (int i = 0; i < n; i++) {
    w[i] = pow(10, 6.0 * i / (n - 1));
    double complex y = 1 / (R + I * (w[i] * L - 1 / (w[i] * C)));
    size[i] = cabs(y);
    phase[i] = carg(y) * 180 / pi;
  }
  Plot plot = {.title = "Admittance of a series circuit"};
  PlotPanel *p = plot_panel(g->arena, &plot, "ω", "rad/s");
  p->x_log = p->y_log = true;
  add(g, p, (PlotCurve){.name = "|I/U|", .unit = "A/V", .x = w, .y = size, .count = n});
  vec_push(g->arena, &p->events, (PlotEvent){1 / sqrt(L * C), "resonance"});
  p = plot_panel(g->arena, &plot, "ω", "rad/s");
  p->x_log = true;
  add(g, p, (PlotCurve){.name = "phase", .unit = "deg", .x = w, .y = phase, .count = n});
  vec_push(g->arena, &p->events, (PlotEvent){1 / sqrt(L * C), NULL});
  save(g, "bode.svg", &plot, false);
}

// ---- ensemble: runs of one model with scattered parameters, the band between its quantiles, the middle run

typedef struct Rows {
  double *t, *y;
  size_t count, most;
} Rows;

static bool take(void *self, const double *values, size_t count) {
  Rows *r = self;
  if (count < 2 || r->count == r->most) return false;
  r->t[r->count] = values[0];
  r->y[r->count++] = values[1];
  return true;
}

// Numbers between 0 and 1 that are the same everywhere.
static double uniform(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / 9007199254740992.0;
}

static double normal(uint64_t *state) {
  double u = uniform(state), v = uniform(state);
  return sqrt(-2 * log(u + 1e-300)) * cos(2 * pi * v);
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void ensemble(const Gallery *g) {
  enum { members = 40, most = 501 };
  Rows rows[members];
  uint64_t seed = 1;
  for (int k = 0; k < members; k++) {
    char d[64], m[64];
    snprintf(d, sizeof d, "d1=%.6f", 0.1 * exp(0.6 * normal(&seed)));
    snprintf(m, sizeof m, "m3=%.6f", 0.3 * exp(0.15 * normal(&seed)));
    viva_model *model = load(g, "cart_double_pendulum.viva", (const char *const[]){d, m}, 2);
    rows[k] = (Rows){numbers(g, most), numbers(g, most), 0, most};
    viva_run_options o = viva_run_defaults();
    o.to = 5;
    viva_sink sink = {&rows[k], NULL, take};
    viva_run *run;
    if (viva_run_model(model, &o, &sink, &run) != VIVA_OK) fail("a member of the ensemble");
    viva_run_free(run);
    viva_model_free(model);
  }
  double *low = numbers(g, most), *high = numbers(g, most), *middle = numbers(g, most);
  for (size_t i = 0; i < most; i++) {
    double all[members];
    for (int k = 0; k < members; k++) all[k] = rows[k].y[i];
    qsort(all, members, sizeof *all, by_size);
    low[i] = all[members / 20];
    high[i] = all[members - 1 - members / 20];
    middle[i] = (all[members / 2 - 1] + all[members / 2]) / 2;
  }
  Plot plot = {.title = "Forty carts with scattered friction and mass"};
  PlotPanel *p = plot_panel(g->arena, &plot, "t", "s");
  p->y_name = "x";
  add(g, p, (PlotCurve){.kind = curve_band, .name = "5 % to 95 %", .unit = "m", .x = rows[0].t, .y = low, .y2 = high, .count = most, .style = 1});
  for (int k = 0; k < 6; k++) add(g, p, (PlotCurve){.name = k ? NULL : "six of them", .unit = "m", .x = rows[k].t, .y = rows[k].y, .count = most, .style = 5});
  add(g, p, (PlotCurve){.name = "median", .unit = "m", .x = rows[0].t, .y = middle, .count = most, .style = 1});
  save(g, "ensemble.svg", &plot, false);
}

// ---- a search: y = a (1 - exp(-b t)) fitted to points by Gauss and Newton, every iteration seen

static void search(const Gallery *g) {
  enum { points = 60, fine = 200, rounds = 12 };
  double *t = numbers(g, points), *y = numbers(g, points), *x = numbers(g, fine);
  uint64_t seed = 3;
  for (int i = 0; i < points; i++) {
    t[i] = 10.0 * (i + 1) / points;
    y[i] = 2 * (1 - exp(-0.7 * t[i])) + 0.08 * normal(&seed);
  }
  for (int i = 0; i < fine; i++) x[i] = 10.0 * i / (fine - 1);
  Plot plot = {.title = "Iterations of a fit"};
  PlotPanel *p = plot_panel(g->arena, &plot, "t", "s");
  p->y_name = "y";
  p->bar = (PlotBar){.name = "iteration"};
  add(g, p, (PlotCurve){.kind = curve_points, .name = "measured", .x = t, .y = y, .count = points, .style = 3});
  double a = 0.6, b = 0.12, damping = 3;
  for (int k = 0; k <= rounds; k++) {
    double *curve = numbers(g, fine);
    for (int i = 0; i < fine; i++) curve[i] = a * (1 - exp(-b * x[i]));
    add(g, p, (PlotCurve){.name = k == rounds ? "fitted" : NULL, .x = x, .y = curve, .count = fine, .shaded = k < rounds, .level = k, .style = 4});
    // normal equations of two unknowns, damped at first
    double saa = 0, sab = 0, sbb = 0, ra = 0, rb = 0;
    for (int i = 0; i < points; i++) {
      double da = 1 - exp(-b * t[i]), db = a * t[i] * exp(-b * t[i]), r = y[i] - a * da;
      saa += da * da, sab += da * db, sbb += db * db, ra += da * r, rb += db * r;
    }
    saa *= 1 + damping, sbb *= 1 + damping;
    double det = saa * sbb - sab * sab;
    a += (ra * sbb - rb * sab) / det;
    b += (rb * saa - ra * sab) / det;
    damping *= 0.5;
  }
  save(g, "iterations.svg", &plot, false);
}

// ---- heat map: where the second bob of a double pendulum is after three seconds, over its two starting angles

static void heat(const Gallery *g) {
  enum { side = 80 };
  viva_model *m = load(g, "chain.viva", (const char *const[]){"n=2"}, 1);
  double *starts = numbers(g, 2 * side * side), *values = numbers(g, side * side);
  for (int i = 0; i < side; i++) {
    for (int j = 0; j < side; j++) {
      starts[2 * (i * side + j)] = -pi + 2 * pi * (j + 0.5) / side;
      starts[2 * (i * side + j) + 1] = -pi + 2 * pi * (i + 0.5) / side;
    }
  }
  viva_batch_options o = viva_batch_defaults();
  o.names = (const char *const[]){"th[1]", "th[2]"};
  o.name_count = 2;
  o.values = starts;
  o.count = side * side;
  o.run.to = 3;
  o.run.step = 0.005;
  o.run.method = "rk4";
  viva_batch *b;
  if (viva_batch_model(m, &o, &b) != VIVA_OK) fail("the pendulums of the heat map");
  size_t column = 0;
  while (column < viva_batch_value_count(b) && strcmp(viva_batch_value_name(b, column), "th[2]") != 0) column++;
  for (size_t i = 0; i < side * side; i++) values[i] = cos(viva_batch_value(b, i, column));
  viva_batch_free(b);
  viva_model_free(m);
  PlotHeat map = {values, side, side, {-pi, pi}, {-pi, pi}, NULL, NULL};
  for (int dark = 0; dark < 2; dark++) {
    Plot plot = {.title = "A double pendulum after three seconds"};
    PlotPanel *p = plot_panel(g->arena, &plot, "first angle at the start", "rad");
    p->y_name = "second angle at the start [rad]";
    p->height = 400;
    p->heat = &map;
    p->bar = (PlotBar){.name = "cos of the second angle"};
    save(g, dark ? "heat_map_dark.svg" : "heat_map.svg", &plot, dark);
  }
}

int main(int argc, char **argv) {
  if (argc != 3) fail("usage: figures EXAMPLES FOLDER");
  Gallery g = {argv[1], argv[2], arena_new()};
  if (!g.arena) fail("out of memory");
  bode(&g);
  ensemble(&g);
  search(&g);
  heat(&g);
  arena_free(g.arena);
  return 0;
}

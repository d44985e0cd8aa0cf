// Digits of energy and of places against evaluations, for all methods on a double pendulum; the speed of gauss8.
//
//   bench_structure [FILE.svg]
#define _XOPEN_SOURCE 700
#include "api/pipeline.h"
#include "show/plot.h"
#include "show/svg.h"
#include "sim/compare.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static const char model[] = "param m = 1, l = 1, g = 9.81\ncoord a = 1, b = 0.5\n"
                            "let P = [l*sin(a), -l*cos(a)], Q = P + [l*sin(b), -l*cos(b)]\n"
                            "kinetic 1/2*m*|P'|^2 + 1/2*m*|Q'|^2\npotential m*g*(P.y + Q.y)\noutput a, b\n";

static const char *const methods[] = {"euler",  "heun",    "bs3",       "rk4",      "dopri5",
                                      "dop853", "rodas",   "bdf",       "gauss4",   "gauss6",
                                      "gauss8", "gauss12", "conserve2", "conserve", "conserve6"};
enum { method_count = sizeof methods / sizeof *methods, levels = 5 };
static const double steps[levels] = {0.1, 0.05, 0.025, 0.0125, 0.00625};
static const double tolerances[levels] = {1e-4, 1e-6, 1e-8, 1e-10, 1e-12};

typedef struct Digits {
  double evaluations[levels], energy[levels], position[levels];
} Digits;

static double digits(double error) { return -log10(error > 1e-16 ? error : 1e-16); }

static void fill(Arena *arena, const System *s, Digits *all) {
  for (int l = 0; l < levels; l++) {
    RunSettings settings = run_defaults();
    Diags diags = {.arena = arena, .sources = s->sources};
    settings.to = 20;
    settings.every = 0.1;
    settings.step = steps[l];
    settings.rtol = tolerances[l];
    Comparison c = compare_methods(arena, s, &settings, methods, method_count, &diags);
    for (uint32_t i = 0; c.failure.status == run_done && i < method_count; i++) {
      all[i].evaluations[l] = (double)c.runs[i].run.ode.evaluations;
      all[i].energy[l] = digits(c.runs[i].energy);
      all[i].position[l] = digits(c.runs[i].position);
      printf("  %-10s %10.3g %12.0f %8.1f %8.1f\n", methods[i], c.runs[i].run.settled.fixed ? steps[l] : tolerances[l],
             all[i].evaluations[l], all[i].energy[l], all[i].position[l]);
    }
  }
}

static void draw(Arena *arena, const Digits *all, const char *path) {
  Plot plot = {.title = "A double pendulum over 20 s"};
  for (int p = 0; p < 2; p++) {
    PlotPanel *panel = plot_panel(arena, &plot, "evaluations", "");
    if (!panel) return;
    panel->x_log = true;
    panel->y_name = p ? "digits of places" : "digits of the energy";
    for (uint32_t i = 0; i < method_count; i++)
      vec_push(arena, &panel->curves,
               (PlotCurve){.name = methods[i],
                           .unit = "",
                           .x = all[i].evaluations,
                           .y = p ? all[i].position : all[i].energy,
                           .count = levels,
                           .style = i + 1});
  }
  Drawing d = {.arena = arena, .title = plot.title, .description = "digits against evaluations"};
  Text out = text_in(arena);
  if (!plot_layout(&plot, (PlotStyle){0}, &d)) return;
  svg_write(&d, &out);
  FILE *file = fopen(path, "w");
  if (!file) return;
  fputs(text_str(&out), file);
  fclose(file);
}

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void speed(Arena *arena, const System *s) {
  RunSettings settings = run_defaults();
  Diags diags = {.arena = arena, .sources = s->sources};
  settings.to = settings.every = 10000;
  settings.step = 0.01;
  settings.method = "gauss8";
  double start = cpu();
  RunResult r = run_model(arena, s, &settings, NULL, &diags);
  double seconds = cpu() - start;
  printf("gauss8: %.3g steps a second on one core, %.1f evaluations a step, energy %.1e after a million steps\n",
         (double)r.ode.steps / seconds, (double)r.ode.evaluations / (double)r.ode.steps, r.account.relative);
}

int main(int argc, char **argv) {
  Arena *arena = arena_new();
  Model m;
  System s;
  ModelOptions options = {0};
  Digits all[method_count] = {0};
  if (!arena || !pipeline_load(arena, &m, &s, "pendulum.viva", model, strlen(model), &options)) return 1;
  printf("  %-10s %10s %12s %8s %8s\n", "method", "step, rtol", "evaluations", "energy", "position");
  fill(arena, &s, all);
  if (argc > 1) draw(arena, all, argv[1]);
  speed(arena, &s);
  arena_free(arena);
  return 0;
}

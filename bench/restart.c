// A thousand restarts of one Program with other parameters, beside the integration alone: the same motions, where what
// a restart does (run_reset: parameters, prologues, starts) stands outside the clock.
//
//   bench_restart
#define _XOPEN_SOURCE 700
#include "api/pipeline.h"
#include "sim/motion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { restarts = 1000, rounds = 5 };

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct Case {
  const char *title, *text, *method;
} Case;

static const Case cases[] = {
    {"double pendulum, dop853",
     "param m = 1\nparam g = 9.81\ncoord a = 1\ncoord b = 2\n"
     "kinetic m*a'^2 + 1/2*m*b'^2 + m*a'*b'*cos(a - b)\npotential -2*m*g*cos(a) - m*g*cos(b)\nsimulate to 5",
     "dop853"},
    {"double pendulum, rk4",
     "param m = 1\nparam g = 9.81\ncoord a = 1\ncoord b = 2\n"
     "kinetic m*a'^2 + 1/2*m*b'^2 + m*a'*b'*cos(a - b)\npotential -2*m*g*cos(a) - m*g*cos(b)\nsimulate to 5 step 0.01",
     "rk4"},
    {"bouncing ball",
     "param e = 0.8\ncoord y = 1\nkinetic 1/2*y'^2\npotential 9.81*y\n"
     "when y < 0 do y' := -e*y'\nsimulate to 1.5",
     "dop853"},
    {"delay", "param k = 2\nstate x = 1\nx' = -k*delay(x, 0.3)\nsimulate to 5", "dop853"},
    {"signals of time", "param w = 3\nstate x\nx' = step(t - 1) + abs(sin(w*t + 0.5)) - x\nsimulate to 5", "dop853"},
    {"van der Pol, rodas", "param mu = 100\nstate x = 2\nstate v\nx' = v\nv' = mu*(1 - x^2)*v - x\nsimulate to 100",
     "rodas"},
};

// Seconds of all restarts with their motions, and of the motions alone.
static void measure(const SimProgram *p, Run *r, double *params, double *whole, double *motion) {
  *whole = *motion = 0;
  double begin = cpu();
  for (int i = 0; i < restarts; i++) {
    params[0] = p->values.params[0] * (1 + 1e-5 * i);
    if (!run_reset(r, params, NULL) || !run_aim(r, p->settled.to) || run_begin(r) != action_go) exit(1);
    double from = cpu();
    run_go(r, NULL);
    *motion += cpu() - from;
  }
  *whole = cpu() - begin;
}

int main(void) {
  printf("%-28s %12s %12s %10s\n", "", "motions [s]", "whole [s]", "restart");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Arena *arena = arena_new();
    Model *model = arena_new_of(arena, Model);
    System *system = arena_new_of(arena, System);
    ModelOptions options = {0};
    const char *text = cases[i].text;
    if (!pipeline_load(arena, model, system, "case", text, strlen(text), &options) || model->diags.errors) return 1;
    RunSettings s = run_defaults();
    s.method = cases[i].method;
    s.backend = "interp";
    ProgramReport report;
    SimProgram *p = program_new(arena, system, &(ProgramRequest){.settings = &s}, &model->diags, &report);
    Run *r = p ? run_new(arena, p) : NULL;
    double *params = r ? arena_array(arena, p->param_count, sizeof *params) : NULL, best[2] = {1e9, 1e9};
    if (!params) return 1;
    memcpy(params, p->values.params, p->param_count * sizeof *params);
    run_listen(r, (RunListener){.quiet = true});
    for (int k = 0; k < rounds; k++) {
      double whole, motion;
      measure(p, r, params, &whole, &motion);
      if (whole < best[0]) best[0] = whole, best[1] = motion;
    }
    printf("%-28s %12.4f %12.4f %9.2f%%\n", cases[i].title, best[1], best[0], 100 * (best[0] / best[1] - 1));
    program_free(p);
    arena_free(arena);
  }
  return 0;
}

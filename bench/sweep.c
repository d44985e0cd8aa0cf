// Sweeps of 10,000 samples: `viva_sweep_model`, from the loaded model to the table on the disk, beside CVODE (Adams'
// method, functional iteration) called from C in a loop with everything written by hand. Same tolerances; the errors of
// both are told, against a run with tight ones.
//
// Two threads: by the clock, which says something on a machine that nobody else uses, and by what the processors did:
// work that threads do beside that of one (waiting, shared lines) shows in the sum of their times, and how often a
// thread had to wait. The lane limit is what eight full lanes cost that do nothing but step (sweep_lanes.c), for as
// many trial steps as a sample takes. Then memory.
//
//   bench_sweep [SAMPLES [MANY]]
#define _XOPEN_SOURCE 700
#include "sweep_lanes.h"
#include "tape/lanes.h"
#include "viva/viva.h"

#include <cvodes/cvodes.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static const double relative = 1e-8, absolute = 1e-10;

static double seconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct Bench {
  const char *name, *text, *measure;
  const char *random[2];
  double to;
  CVRhsFn side;
  CVRootFn root;
} Bench;

typedef struct Hand {
  double a, b; // what is varied
} Hand;

// ---- by hand

static int pendulum(sunrealtype t, N_Vector y, N_Vector dydt, void *self) {
  const Hand *p = self;
  const double *x = N_VGetArrayPointer(y);
  double *f = N_VGetArrayPointer(dydt);
  (void)t;
  f[0] = x[1];
  f[1] = -p->a * sin(x[0]) - p->b * x[1];
  return 0;
}

static int ball(sunrealtype t, N_Vector y, N_Vector dydt, void *self) {
  const Hand *p = self;
  const double *x = N_VGetArrayPointer(y);
  double *f = N_VGetArrayPointer(dydt);
  (void)t;
  f[0] = x[1];
  f[1] = -9.81 - p->b * x[1];
  return 0;
}

static int height(sunrealtype t, N_Vector y, sunrealtype *g, void *self) {
  (void)t, (void)self;
  g[0] = NV_Ith_S(y, 0);
  return 0;
}

static double by_cvode(const Bench *b, const double *values, uint64_t samples, double r, double *out) {
  SUNContext context;
  SUNContext_Create(NULL, &context);
  double start = seconds(CLOCK_THREAD_CPUTIME_ID);
  N_Vector y = N_VNew_Serial(2, context);
  Hand hand = {0};
  void *cv = CVodeCreate(CV_ADAMS, context);
  NV_Ith_S(y, 0) = 1;
  CVodeInit(cv, b->side, 0, y);
  CVodeSStolerances(cv, r, r * absolute / relative);
  CVodeSetUserData(cv, &hand);
  CVodeSetMaxNumSteps(cv, 100000);
  SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(y, 0, context);
  CVodeSetNonlinearSolver(cv, solver);
  if (b->root) CVodeRootInit(cv, 1, b->root);
  int falls = -1;
  if (b->root) CVodeSetRootDirection(cv, &falls);
  for (uint64_t i = 0; i < samples; i++) {
    double t = 0;
    hand = (Hand){values[2 * i], values[2 * i + 1]};
    NV_Ith_S(y, 0) = 1;
    NV_Ith_S(y, 1) = 0;
    CVodeReInit(cv, 0, y);
    CVodeSetStopTime(cv, b->to);
    while (CVode(cv, b->to, y, &t, CV_NORMAL) == CV_ROOT_RETURN) {
      NV_Ith_S(y, 1) *= -hand.a; // it bounces
      CVodeReInit(cv, t, y);
      CVodeSetStopTime(cv, b->to);
    }
    out[i] = NV_Ith_S(y, 0);
  }
  double took = seconds(CLOCK_THREAD_CPUTIME_ID) - start;
  CVodeFree(&cv);
  SUNNonlinSolFree(solver);
  N_VDestroy(y);
  SUNContext_Free(&context);
  return took;
}

// ---- by a sweep

typedef struct Took {
  double processor, clock;
  long waits; // of threads
} Took;

static long waits_so_far(void) {
  struct rusage use;
  getrusage(RUSAGE_SELF, &use);
  return use.ru_nvcsw;
}

static Took by_sweep(const Bench *b, uint64_t samples, unsigned threads, double r, double a, double *values,
                     double *out) {
  char path[] = "/tmp/viva_bench_XXXXXX";
  int file = mkstemp(path);
  if (file >= 0) close(file);
  viva_model *model = NULL;
  viva_sweep *sweep = NULL;
  if (viva_model_parse("bench.viva", b->text, strlen(b->text), NULL, &model) != VIVA_OK) exit(1);
  viva_sweep_options o = viva_sweep_defaults();
  o.random = b->random;
  o.random_count = 2;
  o.samples = samples;
  o.run.measures = &b->measure;
  o.run.measure_count = 1;
  o.run.rtol = r;
  o.run.atol = a;
  o.path = path;
  o.threads = threads;
  Took took = {-seconds(CLOCK_PROCESS_CPUTIME_ID), -seconds(CLOCK_MONOTONIC), -waits_so_far()};
  viva_status status = viva_sweep_model(model, &o, &sweep);
  took.processor += seconds(CLOCK_PROCESS_CPUTIME_ID);
  took.clock += seconds(CLOCK_MONOTONIC);
  took.waits += waits_so_far();
  if (status != VIVA_OK || viva_sweep_failed(sweep)) {
    fprintf(stderr, "%s", viva_sweep_message(sweep) ? viva_sweep_message(sweep) : "samples fail\n");
    exit(1);
  }
  char line[400];
  FILE *f = fopen(path, "r");
  for (uint64_t i = 0; f && values && fgets(line, sizeof line, f);) {
    if (line[0] < '0' || line[0] > '9') continue;
    if (sscanf(line, "%*[^,],%lf,%lf,%lf", &values[2 * i], &values[2 * i + 1], &out[i]) == 3) i++;
  }
  if (f) fclose(f);
  unlink(path);
  viva_sweep_free(sweep);
  viva_model_free(model);
  return took;
}

// ---- the lane limit

static double number_after(const char *text, const char *word) {
  const char *at = strstr(text, word);
  return at ? strtod(at + strlen(word), NULL) : 0;
}

// Trial steps of a sample, by runs of their own.
static double trials(const Bench *b, const double *values) {
  enum { asked = 40 };
  double sum = 0;
  for (int i = 0; i < asked; i++) {
    char set[2][40];
    snprintf(set[0], sizeof set[0], "a=%.17g", values[2 * i]);
    snprintf(set[1], sizeof set[1], "b=%.17g", values[2 * i + 1]);
    viva_load_options load = viva_load_defaults();
    load.set = (const char *const[]){set[0], set[1]};
    load.set_count = 2;
    viva_run_options o = viva_run_defaults();
    o.rtol = relative;
    o.atol = absolute;
    viva_model *model = NULL;
    viva_run *run = NULL;
    viva_model_parse("bench.viva", b->text, strlen(b->text), &load, &model);
    viva_run_model(model, &o, NULL, &run);
    const char *told = viva_run_summary(run, VIVA_FORMAT_JSON);
    sum += number_after(told, "\"steps\": ") + number_after(told, "\"rejected\": ");
    viva_run_free(run);
    viva_model_free(model);
  }
  return sum / asked;
}

// Seconds of one trial step of one lane.
static double lane_limit(const Bench *b) {
  enum { rounds = 20000 };
  LaneKit kit = lanes_kit(NULL);
  double least = INFINITY;
  static volatile double sink;
  for (int i = 0; i < 7; i++) {
    double start = seconds(CLOCK_THREAD_CPUTIME_ID);
    sink = lane_steps(rounds, b->root == NULL, kit.sin);
    least = fmin(least, seconds(CLOCK_THREAD_CPUTIME_ID) - start);
  }
  (void)sink;
  return least / (8.0 * rounds);
}

static double error(const double *x, const double *y, uint64_t count) {
  double most = 0;
  for (uint64_t i = 0; i < count; i++) most = fmax(most, fabs(x[i] - y[i]));
  return most;
}

int main(int argc, char **argv) {
  static const Bench all[] = {
      {"smooth",
       "param a = 9, b = 0.1\nstate th = 1, w = 0\nth' = w\nw' = -a*sin(th) - b*w\nsimulate to 10\n",
       "final(th)",
       {"a=uniform(5, 15)", "b=uniform(0, 0.5)"},
       10,
       pendulum,
       NULL},
      {"events",
       "param a = 0.8, b = 0.1\nstate h = 1, v = 0\nh' = v\nv' = -9.81 - b*v\nwhen h < 0 do v := -a*v\n"
       "simulate to 2\n",
       "final(h)",
       {"a=uniform(0.8, 0.9)", "b=uniform(0, 0.5)"},
       2,
       ball,
       height},
  };
  uint64_t samples = argc > 1 ? strtoull(argv[1], NULL, 10) : 10000;
  double *values = calloc(2 * samples, sizeof *values), *ours = calloc(samples, sizeof *ours),
         *theirs = calloc(samples, sizeof *theirs), *exact = calloc(samples, sizeof *exact);
  if (!values || !ours || !theirs || !exact) return 1;
  printf("Sweeps of %llu samples, rtol %g, atol %g\n", (unsigned long long)samples, relative, absolute);
  for (int i = 0; i < 2; i++) {
    const Bench *b = &all[i];
    by_sweep(b, samples, 2, 1e-12, 1e-14, values, exact);
    Took best = {INFINITY, INFINITY, 0}, two = best, least = best;
    double cvode = INFINITY;
    for (int round = 0; round < 5; round++) {
      Took one = by_sweep(b, samples, 1, relative, absolute, values, ours),
           both = by_sweep(b, samples, 2, relative, absolute, values, ours);
      double c = round < 3 ? by_cvode(b, values, samples, relative, theirs) : INFINITY;
      if (one.processor < best.processor) best = one;
      if (one.clock < least.clock) least = one;
      if (both.clock < two.clock) two.clock = both.clock;
      if (both.processor < two.processor) two.processor = both.processor, two.waits = both.waits;
      cvode = fmin(cvode, c);
    }
    printf(
        "  %-7s sweep, one thread %7.3f s (%5.1f us a sample, error %.1e)  CVODE %7.3f s (error %.1e)  %5.1f times\n",
        b->name, best.processor, 1e6 * best.processor / (double)samples, error(ours, exact, samples), cvode,
        error(theirs, exact, samples), cvode / best.processor);
    // the tolerance with which CVODE is as exact
    double r = relative, own = error(ours, exact, samples), equal = cvode;
    while (error(theirs, exact, samples) > own && r > 2e-13) equal = by_cvode(b, values, samples, r *= 0.1, theirs);
    printf("          CVODE with rtol %.0e %.3f s (error %.1e)  %.1f times\n", r, equal, error(theirs, exact, samples),
           equal / best.processor);
    printf("          two threads: by the clock %.3f s, %.2f times one thread (%.3f s); by the processors %.3f s for "
           "both, which is %.2f times one thread on two free ones; threads waited %ld times\n",
           two.clock, least.clock / two.clock, least.clock, two.processor, 2 * best.processor / two.processor,
           two.waits);
    double count = trials(b, values), limit = lane_limit(b);
    printf("          lane limit: %.1f trial steps of %.3f us in a full lane, %.1f us a sample; the sweep takes %.1f "
           "times that\n",
           count, 1e6 * limit, 1e6 * count * limit, best.processor / (double)samples / (count * limit));
    fflush(stdout);
  }
  fflush(stdout);
  if (argc < 3) return 0;
  uint64_t count = strtoull(argv[2], NULL, 10);
  struct rusage use;
  Took many = by_sweep(&all[0], count, 2, 1e-4, 1e-6, NULL, NULL);
  getrusage(RUSAGE_SELF, &use);
  printf("  %llu samples: %.1f s of processors, at most %.0f MB in this process\n", (unsigned long long)count,
         many.processor, (double)use.ru_maxrss / 1024);
  return 0;
}

// Many motions at once: methods with steps of their own in eight lanes, beside the same method one motion after the
// other, and, for stiff motion, beside CVODE called from C one by one with right-hand side and Jacobian written by
// hand. One thread.
//
//   bench_batch EXAMPLES_FOLDER
#define _XOPEN_SOURCE 700
#include "api/pipeline.h"
#include "base/file.h"
#include "sim/motion.h"

#include <cvodes/cvodes.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <time.h>
#include <unistd.h>

enum { samples = 256, rounds = 5 };

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static System *load(Arena *arena, const char *name, const char *text) {
  Model *model = arena_new_of(arena, Model);
  System *system = arena_new_of(arena, System);
  ModelOptions options = {0};
  if (pipeline_load(arena, model, system, name, text, strlen(text), &options) && !model->diags.errors) return system;
  fprintf(stderr, "cannot load %s\n", name);
  exit(1);
}

typedef struct Case {
  System *s;
  const char *method, *name;
  double rtol, to, values[samples];
} Case;

static RunSettings settings_of(const Case *c, const char *backend) {
  RunSettings r = run_defaults();
  r.method = c->method;
  r.rtol = c->rtol;
  r.to = r.every = c->to;
  r.backend = backend;
  return r;
}

// Seconds; the first final value of each sample in out.
static double in_lanes(const Case *c, const char *backend, double *out, uint64_t *steps) {
  BatchSettings b = {.run = settings_of(c, backend),
                     .names = &c->name,
                     .name_count = 1,
                     .values = c->values,
                     .count = samples,
                     .threads = 1};
  Arena *arena = arena_new();
  Diags diags = {.arena = arena, .sources = c->s->sources};
  double from = cpu();
  BatchResult r = batch_run(arena, c->s, &b, &diags);
  double seconds = cpu() - from;
  if (r.status != run_done || r.failed) puts("  (the batch failed)");
  for (uint64_t i = 0; i < samples; i++) out[i] = r.values[i * r.value_count];
  *steps = r.steps;
  arena_free(arena);
  return seconds;
}

// The same samples one after the other.
static double one_by_one(const Case *c, Backend backend) {
  Arena *arena = arena_new();
  Diags diags = {.arena = arena, .sources = c->s->sources};
  RunSettings r = settings_of(c, backend_name(backend));
  ProgramReport report;
  SimProgram *p = program_new(arena, c->s, &(ProgramRequest){.settings = &r}, &diags, &report);
  Run *run = p ? run_new(arena, p) : NULL;
  if (!run) exit(1);
  run_listen(run, (RunListener){.quiet = true});
  double *params = arena_array(arena, p->param_count + 1, sizeof *params),
         *y = arena_array(arena, p->y.total, sizeof *y), from = 0;
  for (int i = -1; i < samples; i++) {
    if (i == 0) from = cpu(); // compiled before the clock starts
    memcpy(params, p->values.params, p->param_count * sizeof *params);
    memcpy(y, p->values.start, p->y.count * sizeof *y);
    for (uint32_t k = 0; i >= 0 && k < p->param_count; k++) {
      if (strcmp(c->s->params.items[k].name, c->name) == 0) params[k] = c->values[i];
    }
    for (uint32_t k = 0; i >= 0 && k < p->y.count; k++) {
      if (strcmp(p->y.items[k].name, c->name) == 0) y[k] = c->values[i];
    }
    run_reset(run, params, y);
    run_to(run, p->settled.to);
  }
  double seconds = cpu() - from;
  program_free(p);
  arena_free(arena);
  return seconds;
}

static void compare(const Case *c, const char *title) {
  double scalar[2] = {1e9, 1e9}, lanes[2] = {1e9, 1e9}, out[samples];
  uint64_t steps = 0;
  in_lanes(c, "cc", out, &steps); // compiled before the clock starts
  for (int k = 0; k < rounds; k++) {
    scalar[0] = fmin(scalar[0], one_by_one(c, backend_interp));
    scalar[1] = fmin(scalar[1], one_by_one(c, backend_cc));
    lanes[0] = fmin(lanes[0], in_lanes(c, "interp", out, &steps));
    lanes[1] = fmin(lanes[1], in_lanes(c, "cc", out, &steps));
  }
  printf("%s, %d motions by %s, %llu steps; one by one, compiled, is 1\n", title, samples, c->method,
         (unsigned long long)steps);
  static const char *const names[] = {"one by one, interpreted", "one by one, cc", "lanes, interpreted", "lanes, cc"};
  const double all[] = {scalar[0], scalar[1], lanes[0], lanes[1]};
  for (int i = 0; i < 4; i++)
    printf("  %-24s %8.2f ms, %5.2f times the speed\n", names[i], all[i] * 1e3, scalar[1] / all[i]);
}

// ---- stiff: Van der Pol's oscillator

static int hand_side(realtype t, N_Vector y, N_Vector ydot, void *self) {
  (void)t;
  double mu = *(double *)self;
  const double *x = N_VGetArrayPointer(y);
  double *d = N_VGetArrayPointer(ydot);
  d[0] = x[1];
  d[1] = mu * (1 - x[0] * x[0]) * x[1] - x[0];
  return 0;
}

static int hand_jacobian(realtype t, N_Vector y, N_Vector fy, SUNMatrix j, void *self, N_Vector a, N_Vector b,
                         N_Vector c) {
  (void)t, (void)fy, (void)a, (void)b, (void)c;
  double mu = *(double *)self;
  const double *x = N_VGetArrayPointer(y);
  SM_ELEMENT_D(j, 0, 0) = 0;
  SM_ELEMENT_D(j, 0, 1) = 1;
  SM_ELEMENT_D(j, 1, 0) = -2 * mu * x[0] * x[1] - 1;
  SM_ELEMENT_D(j, 1, 1) = mu * (1 - x[0] * x[0]);
  return 0;
}

// One solver for all samples, started anew for each: what a careful user of CVODE does.
static double by_cvode(const Case *c, double rtol, double *out) {
  SUNContext context;
  SUNContext_Create(NULL, &context);
  N_Vector y = N_VNew_Serial(2, context);
  SUNMatrix m = SUNDenseMatrix(2, 2, context);
  SUNLinearSolver l = SUNLinSol_Dense(y, m, context);
  void *cv = CVodeCreate(CV_BDF, context);
  double mu = 1, t = 0, from = cpu();
  N_VGetArrayPointer(y)[0] = 2;
  N_VGetArrayPointer(y)[1] = 0;
  CVodeInit(cv, hand_side, 0, y);
  CVodeSStolerances(cv, rtol, rtol / 100);
  CVodeSetUserData(cv, &mu);
  CVodeSetLinearSolver(cv, l, m);
  CVodeSetJacFn(cv, hand_jacobian);
  CVodeSetMaxNumSteps(cv, 1000000);
  for (int i = 0; i < samples; i++) {
    mu = c->values[i];
    N_VGetArrayPointer(y)[0] = 2;
    N_VGetArrayPointer(y)[1] = 0;
    CVodeReInit(cv, 0, y);
    CVodeSetStopTime(cv, c->to);
    CVode(cv, c->to, y, &t, CV_NORMAL);
    out[i] = N_VGetArrayPointer(y)[0];
  }
  double seconds = cpu() - from;
  CVodeFree(&cv);
  SUNLinSolFree(l);
  SUNMatDestroy(m);
  N_VDestroy(y);
  SUNContext_Free(&context);
  return seconds;
}

static double worst(const double *a, const double *b) {
  double most = 0;
  for (int i = 0; i < samples; i++) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

static void stiff(Arena *arena) {
  static Case c;
  double exact[samples], theirs[samples], ours[samples];
  uint64_t steps;
  c = (Case){.s = load(arena, "vdp.viva", "param mu = 1000\nstate x = 2, v = 0\nx' = v\nv' = mu*(1 - x^2)*v - x\n"),
             .method = "rodas",
             .name = "mu",
             .rtol = 1e-11,
             .to = 1000};
  for (int i = 0; i < samples; i++) c.values[i] = 100 + 900.0 * i / samples;
  in_lanes(&c, "interp", exact, &steps);
  puts("Van der Pol's oscillator to t = 1000, 256 motions with mu from 100 to 1000, beside CVODE one by one from C; "
       "CVODE is 1");
  static const double rtols[] = {1e-4, 1e-6, 1e-8};
  for (int r = 0; r < 3; r++) {
    c.rtol = rtols[r];
    double peer = 1e9, lanes[2] = {1e9, 1e9};
    in_lanes(&c, "cc", ours, &steps);
    for (int k = 0; k < rounds; k++) {
      peer = fmin(peer, by_cvode(&c, rtols[r], theirs));
      lanes[0] = fmin(lanes[0], in_lanes(&c, "interp", ours, &steps));
      lanes[1] = fmin(lanes[1], in_lanes(&c, "cc", ours, &steps));
    }
    printf("  rtol %.0e  CVODE %8.2f ms, error %.1e;  rodas in lanes, interpreted %8.2f ms, %5.2f times the speed;  cc "
           "%8.2f ms, %5.2f times, error %.1e\n",
           rtols[r], peer * 1e3, worst(theirs, exact), lanes[0] * 1e3, peer / lanes[0], lanes[1] * 1e3, peer / lanes[1],
           worst(ours, exact));
  }
}

int main(int argc, char **argv) {
  static char cache[] = "/tmp/viva-bench-XXXXXX";
  const char *folder = argc > 1 ? argv[1] : "examples", *why;
  if (!mkdtemp(cache)) return 1;
  setenv("XDG_CACHE_HOME", cache, 1);
  setvbuf(stdout, NULL, _IOLBF, 0);
  Arena *arena = arena_new();
  char path[1024];
  snprintf(path, sizeof path, "%s/cart_double_pendulum.viva", folder);
  size_t length;
  char *text = file_read(arena, path, 1 << 20, &length, &why);
  if (!text) return 1;
  static Case c;
  c = (Case){.s = load(arena, path, text), .name = "th1", .to = 20};
  for (int i = 0; i < samples; i++) c.values[i] = 0.005 * i;
  static const char *const methods[] = {"dopri5", "dop853", "rodas"};
  static const double rtols[] = {1e-6, 1e-9, 1e-6};
  for (int i = 0; i < 3; i++) {
    c.method = methods[i];
    c.rtol = rtols[i];
    compare(&c, "Cart with double pendulum");
  }
  stiff(arena);
  // eight stiff masses in a row
  static Case chain;
  chain =
      (Case){.s = load(arena, "chain.viva",
                       "param k = 1e6\ncoord x[i] = 0.1*i for i in 1 .. 8\nkinetic 1/2*x[i]'^2 for i in 1 .. 8\n"
                       "potential 1/2*x[1]^2 + 1/2*k*(x[i] - x[i - 1])^2 + 1/4*k*(x[i] - x[i - 1])^4 for i in 2 .. 8\n"
                       "dissipation 1e4*(x[i]' - x[i - 1]')^2 for i in 2 .. 8\n"),
             .method = "rodas",
             .name = "k",
             .rtol = 1e-6,
             .to = 5};
  for (int i = 0; i < samples; i++) chain.values[i] = 1e5 * (1 + i);
  compare(&chain, "Eight masses with stiff springs and dampers");
  arena_free(arena);
  char command[100];
  snprintf(command, sizeof command, "rm -rf %s", cache);
  return system(command);
}

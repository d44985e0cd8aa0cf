// Stiff motion: work and precision of rodas and bdf beside CVODE called directly from C with a right-hand side and a
// Jacobian written by hand. Van der Pol's oscillator, mu = 1000, to t = 2000. Then the sizes from which LAPACK and KLU
// pay.
#define _POSIX_C_SOURCE 200809L
#include "api/pipeline.h"
#include "solve/linear.h"
#include "tape/kernels.h"

#include <cvodes/cvodes.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// from the test set of Bari
static const double exact_end = 1.706167732170483;

static int hand_side(realtype t, N_Vector y, N_Vector ydot, void *self) {
  (void)t, (void)self;
  const double *x = N_VGetArrayPointer(y);
  double *d = N_VGetArrayPointer(ydot);
  d[0] = x[1];
  d[1] = 1000 * (1 - x[0] * x[0]) * x[1] - x[0];
  return 0;
}

static int hand_jacobian(realtype t, N_Vector y, N_Vector fy, SUNMatrix j, void *self, N_Vector a, N_Vector b,
                         N_Vector c) {
  (void)t, (void)fy, (void)self, (void)a, (void)b, (void)c;
  const double *x = N_VGetArrayPointer(y);
  SM_ELEMENT_D(j, 0, 0) = 0;
  SM_ELEMENT_D(j, 0, 1) = 1;
  SM_ELEMENT_D(j, 1, 0) = -2000 * x[0] * x[1] - 1;
  SM_ELEMENT_D(j, 1, 1) = 1000 * (1 - x[0] * x[0]);
  return 0;
}

static void print_row(const char *method, double rtol, double error, long steps, long evaluations, double seconds) {
  printf("  %-14s %6.0e  %9.1e  %7ld  %9ld  %10.3f\n", method, rtol, error, steps, evaluations, seconds * 1e3);
}

static void by_hand(double rtol) {
  double best = 1e9, error = 0;
  long steps = 0, evaluations = 0;
  for (int k = 0; k < 5; k++) {
    double start = now(), t = 0;
    SUNContext context;
    SUNContext_Create(NULL, &context);
    N_Vector y = N_VNew_Serial(2, context);
    N_VGetArrayPointer(y)[0] = 2;
    N_VGetArrayPointer(y)[1] = 0;
    void *c = CVodeCreate(CV_BDF, context);
    CVodeInit(c, hand_side, 0, y);
    CVodeSStolerances(c, rtol, rtol / 100);
    SUNMatrix m = SUNDenseMatrix(2, 2, context);
    SUNLinearSolver s = SUNLinSol_Dense(y, m, context);
    CVodeSetLinearSolver(c, s, m);
    CVodeSetJacFn(c, hand_jacobian);
    CVodeSetMaxNumSteps(c, 10000000);
    CVodeSetStopTime(c, 2000);
    for (int row = 1; row <= 100; row++) CVode(c, 20 * row, y, &t, CV_NORMAL);
    CVodeGetNumSteps(c, &steps);
    CVodeGetNumRhsEvals(c, &evaluations);
    error = fabs(N_VGetArrayPointer(y)[0] - exact_end);
    SUNLinSolFree(s);
    SUNMatDestroy(m);
    N_VDestroy(y);
    CVodeFree(&c);
    SUNContext_Free(&context);
    double each = now() - start;
    best = each < best ? each : best;
  }
  print_row("CVODE by hand", rtol, error, steps, evaluations, best);
}

static void by_model(const System *s, const char *method, double rtol) {
  RunResult r = {0};
  double best = 1e9, error = 0;
  for (int k = 0; k < 5; k++) {
    RunSettings o = run_defaults();
    o.method = method;
    o.to = 2000;
    o.every = 20;
    o.rtol = rtol;
    o.atol = rtol / 100;
    Arena *run = arena_new();
    Diags diags = {.arena = run, .sources = s->sources};
    r = run_model(run, s, &o, NULL, &diags);
    error = fabs(r.final.values[0] - exact_end);
    best = r.wall < best ? r.wall : best;
    arena_free(run);
  }
  print_row(method, rtol, error, (long)r.ode.steps, (long)r.ode.evaluations, best);
}

static void van_der_pol(void) {
  static const char text[] = "state x = 2, y = 0\nx' = y\ny' = 1000*(1 - x^2)*y - x\n";
  Arena *arena = arena_new();
  Model *model = arena_new_of(arena, Model);
  System *system = arena_new_of(arena, System);
  ModelOptions options = {0};
  if (!pipeline_load(arena, model, system, "vdp", text, strlen(text), &options) || model->diags.errors) exit(1);
  puts("Van der Pol, mu = 1000, to t = 2000, 100 rows, text already read");
  puts("  method           rtol      error    steps  evaluations  milliseconds");
  for (double rtol = 1e-4; rtol > 1e-13; rtol /= 100) {
    by_hand(rtol);
    by_model(system, "bdf", rtol);
    by_model(system, "rodas", rtol);
    by_model(system, "auto", rtol);
  }
  arena_free(arena);
}

// One factorization and eight solutions, as in a step of rodas.
static double linear_cost(uint32_t n, const SolveModule *lapack) {
  Arena *arena = arena_new();
  Linear l;
  linear_init(&l, arena, n);
  l.lapack = lapack;
  double *a = arena_array(arena, (size_t)n * n, sizeof *a), *b = arena_array(arena, n, sizeof *b), best = 1e9;
  for (uint32_t i = 0; i < n * n; i++) a[i] = sin(7.0 * i) + (i % (n + 1) == 0 ? 3 : 0);
  int rounds = (int)(4000000 / (n * n * n + 10 * n * n)) + 1;
  for (int k = 0; k < 5; k++) {
    double start = now();
    for (int i = 0; i < rounds; i++) {
      memcpy(l.a, a, (size_t)n * n * sizeof *a);
      linear_factor(&l);
      for (int c = 0; c < 8; c++) {
        for (uint32_t e = 0; e < n; e++) b[e] = e;
        linear_solve(&l, b);
      }
    }
    double each = (now() - start) / rounds;
    best = each < best ? each : best;
  }
  arena_free(arena);
  return best;
}

static void linear_systems(void) {
  double start = now();
  const SolveModule *lapack = module_load();
  printf("Linear systems, a factorization and 8 solutions (loading the libraries: %.1f ms)\n", (now() - start) * 1e3);
  for (uint32_t n = 8; lapack && n <= 128; n += n < 64 ? 8 : 32) {
    double ours = linear_cost(n, NULL), theirs = linear_cost(n, lapack);
    printf("  n = %3u  ours %8.2f us  LAPACK %8.2f us  %5.2f\n", n, ours * 1e6, theirs * 1e6, ours / theirs);
  }
}

// Accelerations of a chain of n pendulums, right-hand side and Jacobian in one go.
static double kernel_cost(uint32_t n, uint32_t columns, TapeSolve *large) {
  Arena *arena = arena_new();
  uint32_t total = n * (n + 1) / 2 + n * columns;
  uint32_t *args = arena_array(arena, total, sizeof *args);
  double *w = arena_array(arena, (size_t)total + n * (n + 2 + columns), sizeof *w), best = 1e9;
  uint32_t k = 0;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j <= i; j++) w[k++] = (double)(n - i) * cos(0.1 * (i - j)); // of a chain
  }
  for (; k < total; k++) w[k] = sin(3.0 * k);
  for (uint32_t i = 0; i < total; i++) args[i] = i;
  KernelSolve solve = {.size = n, .more = columns - 1, .symmetric = true, .large = large};
  TapeCall call = {.kernel = &kernel_solve, .data = &solve, .scratch = total, .count = total};
  int rounds = (int)(4000000 / (n * n * n + 10 * n * n * columns)) + 1;
  for (int r = 0; r < 5; r++) {
    double start = now();
    for (int i = 0; i < rounds; i++) kernel_solve.eval(&call, args, w, w + total);
    double each = (now() - start) / rounds;
    best = each < best ? each : best;
  }
  arena_free(arena);
  return best;
}

static void accelerations(void) {
  const SolveModule *module = module_load();
  puts("Accelerations of n coupled coordinates; with their derivatives by all positions and velocities");
  for (uint32_t n = 16; module && n <= 128; n += n < 64 ? 8 : 32) {
    double ours = kernel_cost(n, 1, NULL), theirs = kernel_cost(n, 1, module->dense);
    double many = kernel_cost(n, 2 * n, NULL), their_many = kernel_cost(n, 2 * n, module->dense);
    printf("  n = %3u  ours %8.2f us  LAPACK %8.2f us  %5.2f    ours %9.1f us  LAPACK %9.1f us  %5.2f\n", n, ours * 1e6,
           theirs * 1e6, ours / theirs, many * 1e6, their_many * 1e6, many / their_many);
  }
}

int main(void) {
  setenv("OPENBLAS_NUM_THREADS", "1", 0); // as the program does
  linear_systems();
  accelerations();
  van_der_pol();
  return 0;
}

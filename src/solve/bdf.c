// bdf: the backward differentiation formulas of SUNDIALS CVODES, with the exact Jacobian. Part of the module.
//
// in    y' = f(t, y), J = df/dy, tolerances
// out   rows at the asked times, by the method's own interpolation
//
// The checked components are the CVODES state. The others are integrated over the interpolated motion with Gauss's rule
// of three points: those of CVODES start with order 1 and a step that was chosen without them, which spoils the
// account. Newton's systems are solved dense, or by KLU where they are large and sparse. One SUNContext a run, nothing
// printed.
#include "solve/bdf.h"

#include "solve/scale.h"

#include <cvodes/cvodes.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

// LAPACK, with Fortran's calling convention
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *pivot, int *info);
void dgetrs_(const char *trans, const int *n, const int *columns, const double *a, const int *lda, const int *pivot,
             double *b, const int *ldb, int *info, size_t);

// Sparse from this size on, when not more than one entry in `sparse_part` is there. Measured with heat in a rod of n
// cells: KLU takes 0.9 of the time of the dense solver at n = 16, 0.8 at 24, 0.4 at 64.
enum { sparse_size = 24, sparse_part = 5 };
// Steps in a row that do not move the time. A motion may pass a place that is steeper than time can tell in thousands
// of them.
enum { standing_steps = 10000 };
// Components up to which rounding is measured: that takes a dense factorization now and then.
enum { most_measured = 300 };

typedef struct Bdf {
  const SolveHost *host;
  const OdeProblem *p;
  const OdeSettings *s;
  const OdeObserver *o;
  const OdeJacobian *j;
  OdeResult r, before; // so far; at the last start
  uint32_t next_break;
  uint32_t n, m; // all components; the checked ones
  OdeScales *scales;
  double *y;                    // all components, for rows
  double *full, *dydt;          // room for f
  double *noise, *dense, *unit; // room to measure rounding; NULL: there are too many components for that
  int *pivot;
  double *entries; // of the Jacobian
  bool sparse;
  uint32_t pattern_count; // of the sparse matrix: entries of J and the diagonal
  double t;               // up to which the quadratures in y are known
  double stop;            // where the integrator must stop
  bool timed;             // because of a time of the events
  uint32_t tries;         // steps that were tried again in a row
  uint64_t shake_at;      // the step after which rounding is measured next
  double mark;            // where it was some thousand steps ago
  uint32_t standing;      // steps in a row that did not move the time
  uint32_t crawling;      // looks in a row at a run that would never end
  EventSearch *search;    // NULL: no conditions
  double from, width;     // the step that is looked at
  SUNContext context;
  N_Vector state, row;
  SUNMatrix matrix;
  SUNLinearSolver solver;
  void *cvodes;
} Bdf;

// ---- what CVODES calls

static void say_nothing(int code, const char *module, const char *function, char *message, void *self) {
  (void)code, (void)module, (void)function, (void)message, (void)self;
}

// 1: a failure that a smaller step may cure
static int evaluate(Bdf *b, double t, N_Vector y) {
  memcpy(b->full, N_VGetArrayPointer(y), b->m * sizeof *b->full);
  b->r.evaluations++;
  return b->p->f(b->p->self, t, b->full, b->dydt) ? 0 : 1;
}

static int right_side(realtype t, N_Vector y, N_Vector ydot, void *self) {
  Bdf *b = self;
  int failed = evaluate(b, t, y);
  memcpy(N_VGetArrayPointer(ydot), b->dydt, b->m * sizeof(double));
  return failed;
}

static int weights(N_Vector y, N_Vector weight, void *self) {
  Bdf *b = self;
  const double *x = N_VGetArrayPointer(y);
  double *w = N_VGetArrayPointer(weight);
  ode_see_sizes(b->scales, every_lane, x);
  for (uint32_t e = 0; e < b->m; e++) w[e] = 1 / (b->scales->atol[e] + b->s->rtol * fabs(x[e]));
  return 0;
}

static int jacobian(realtype t, N_Vector y, N_Vector fy, SUNMatrix matrix, void *self, N_Vector a, N_Vector c,
                    N_Vector d) {
  (void)fy, (void)a, (void)c, (void)d;
  Bdf *b = self;
  const OdeJacobian *j = b->j;
  memcpy(b->full, N_VGetArrayPointer(y), b->m * sizeof *b->full);
  j->eval(b->p->self, t, b->full, b->entries);
  SUNMatZero(matrix);
  uint32_t at = 0; // in the sparse matrix
  for (uint32_t col = 0; col < b->m; col++) {
    bool diagonal = false;
    if (b->sparse) SM_INDEXPTRS_S(matrix)[col] = at;
    for (uint32_t k = j->start[col]; k < j->start[col + 1] && j->row[k] < b->m; k++) {
      diagonal = diagonal || j->row[k] == col;
      if (!b->sparse) {
        SM_ELEMENT_D(matrix, j->row[k], col) = b->entries[k];
        continue;
      }
      SM_INDEXVALS_S(matrix)[at] = j->row[k];
      SM_DATA_S(matrix)[at++] = b->entries[k];
    }
    // CVODES adds to the diagonal: it is there from the start
    if (b->sparse && !diagonal) {
      SM_INDEXVALS_S(matrix)[at] = col;
      SM_DATA_S(matrix)[at++] = 0;
    }
  }
  if (b->sparse) SM_INDEXPTRS_S(matrix)[b->m] = at;
  return 0;
}

// CVODES adds the correction to the step and to its history; the estimate of the error stays that of the formula.
static int project(realtype t, N_Vector y, N_Vector correction, realtype tolerance, N_Vector error, void *self) {
  (void)tolerance, (void)error;
  Bdf *b = self;
  const double *from = N_VGetArrayPointer(y);
  double *by = N_VGetArrayPointer(correction);
  memcpy(b->full, from, b->m * sizeof *b->full);
  if (ode_project(b->p, t, b->full) == projection_failed) return 1; // a smaller step may cure it
  for (uint32_t e = 0; e < b->m; e++) by[e] = b->full[e] - from[e];
  return 0;
}

// ---- setting up

static bool choose_matrix(Bdf *b) {
  const OdeJacobian *j = b->j;
  uint32_t count = 0;
  for (uint32_t c = 0; c < b->m; c++) {
    bool diagonal = false;
    for (uint32_t k = j->start[c]; k < j->start[c + 1] && j->row[k] < b->m; k++, count++)
      diagonal = diagonal || j->row[k] == c;
    if (!diagonal) count++;
  }
  b->pattern_count = count;
  b->sparse = b->m >= sparse_size && (uint64_t)count * sparse_part <= (uint64_t)b->m * b->m;
  b->matrix =
      b->sparse ? SUNSparseMatrix(b->m, b->m, count, CSC_MAT, b->context) : SUNDenseMatrix(b->m, b->m, b->context);
  if (!b->matrix) return false;
  b->solver =
      b->sparse ? SUNLinSol_KLU(b->state, b->matrix, b->context) : SUNLinSol_Dense(b->state, b->matrix, b->context);
  return b->solver != NULL;
}

static double *room(size_t count) { return calloc(count ? count : 1, sizeof(double)); }

static bool set_up(Bdf *b) {
  b->full = room(b->n);
  b->dydt = room(b->n);
  b->y = room(b->n);
  b->entries = room(b->j->count);
  b->noise = room(4 * (size_t)b->m);
  b->unit = room(b->m);
  b->pivot = calloc((size_t)b->m + 1, sizeof *b->pivot);
  if (b->m <= most_measured) b->dense = room((size_t)b->m * b->m);
  b->shake_at = 64;
  if (!b->noise || !b->unit || !b->pivot || !b->full || !b->dydt || !b->y || !b->entries ||
      SUNContext_Create(NULL, &b->context) != 0)
    return false;
  b->state = N_VNew_Serial(b->m, b->context);
  b->row = N_VNew_Serial(b->m, b->context);
  b->cvodes = CVodeCreate(CV_BDF, b->context);
  return b->state && b->row && b->cvodes && choose_matrix(b);
}

// Where the integrator must stop: the end, the last moment before a break, or a time of the events (then *timed).
static double stop_of(const Bdf *b, bool *timed) {
  const OdeBreaks *k = &b->s->breaks;
  const OdeEvents *e = b->p->events;
  double stop = b->next_break < k->count ? nextafter(k->times[b->next_break], b->s->t0) : b->s->t1;
  double next = e && e->next ? e->next(e->self, b->t) : INFINITY;
  *timed = next <= stop;
  return *timed ? next : stop;
}

static bool set_stop(Bdf *b) {
  const OdeEvents *e = b->p->events;
  b->stop = stop_of(b, &b->timed);
  if (e && isfinite(e->longest)) CVodeSetMaxStep(b->cvodes, e->longest);
  return CVodeSetStopTime(b->cvodes, b->stop) == CV_SUCCESS;
}

// Components without a size: what they are about to move by in a first look ahead, three evaluations deep, so that a
// place from rest has one, too. The formulas start with order 1, which gives the first step of such a component no
// digit: the others of its kind count from the beginning.
static void expect_sizes(Bdf *b) {
  OdeScales *x = b->scales;
  bool any = false;
  double d0 = 0, d1 = 0, span = b->s->t1 - b->t;
  for (uint32_t e = 0; b->s->by_scale && e < b->m; e++) {
    if (x->unsized[e] > 0) x->kind_part[e] = ODE_KIND_PART;
    b->noise[e] = x->seen[e] == 0; // room
    any = any || x->seen[e] == 0;
  }
  if (!any) return;
  double *row = N_VGetArrayPointer(b->row);
  memcpy(row, b->y, b->m * sizeof *row);
  if (evaluate(b, b->t, b->row) != 0) return;
  for (uint32_t e = 0; e < b->m; e++) {
    double sc = x->atol[e] + b->s->rtol * fabs(b->y[e]);
    if (x->seen[e] == 0) continue;
    d0 += b->y[e] / sc * (b->y[e] / sc);
    d1 += b->dydt[e] / sc * (b->dydt[e] / sc);
  }
  double h0 = ode_first_guess(d0, d1, b->t, span);
  for (int round = 0; round < 3; round++) {
    for (uint32_t e = 0; e < b->m; e++) row[e] = b->noise[e] > 0 ? h0 * b->dydt[e] : 0; // the largest of all rounds
    ode_see_sizes(x, every_lane, row);
    for (uint32_t e = 0; e < b->m; e++) row[e] = b->y[e] + h0 * b->dydt[e];
    if (evaluate(b, b->t + h0, b->row) != 0) return;
  }
}

// As ode_shaken_time.
static double shaken_time(const Bdf *b, int round) {
  double t = b->t * (1 + (round < ode_shakes ? 0x1p-51 : 0x1p-31));
  return b->t > 0 && t < b->stop ? t : b->t;
}

// The factors of 1 - h J at the end of the last step, in units of the components' sizes, as in rodas.c. False:
// singular.
static bool factor_step(Bdf *b, double h, const double *rate) {
  const OdeJacobian *j = b->j;
  double *a = b->dense;
  int n = (int)b->m, info = 0;
  j->eval(b->p->self, b->t, b->y, b->entries);
  for (uint32_t e = 0; e < b->m; e++) {
    b->unit[e] = ode_unit(fabs(b->y[e]), b->scales->seen[e], h * fabs(rate[e]));
    if (b->unit[e] == 0) b->unit[e] = 1;
  }
  memset(a, 0, (size_t)b->m * b->m * sizeof *a);
  for (uint32_t c = 0; c < b->m; c++) {
    for (uint32_t k = j->start[c]; k < j->start[c + 1] && j->row[k] < b->m; k++) {
      a[(size_t)c * b->m + j->row[k]] = -h * b->entries[k] * b->unit[c] / b->unit[j->row[k]];
    }
    a[(size_t)c * b->m + c] += 1;
  }
  dgetrf_(&n, &n, a, &n, b->pivot, &info);
  return info == 0;
}

// What changes of the rates do in a step: d := (1 - h J)^-1 h d.
static void solve_step(Bdf *b, double h, double *d) {
  int n = (int)b->m, one = 1, info = 0;
  for (uint32_t e = 0; e < b->m; e++) d[e] *= h / b->unit[e];
  dgetrs_("N", &n, &one, b->dense, &n, b->pivot, d, &n, &info, 1);
  for (uint32_t e = 0; e < b->m; e++) d[e] *= b->unit[e];
}

// Is a rate steeper than numbers can tell? moved: its changes by rounding.
static void look_for_steepness(Bdf *b, const double *rate, const double *moved) {
  double *row = N_VGetArrayPointer(b->row);
  b->r.steep = 0;
  if (shaken_time(b, 0) > b->t && !(shaken_time(b, ode_shakes) > b->t)) return; // a stop is too near to tell
  for (uint32_t e = 0; e < b->m; e++) row[e] = ode_nudged(b->y[e], e, ode_shakes);
  if (evaluate(b, shaken_time(b, ode_shakes), b->row) != 0) return;
  for (uint32_t e = 0; e < b->m; e++) {
    if (ode_is_steep(rate[e], moved[e], fabs(b->dydt[e] - rate[e]))) b->r.steep = e + 1;
  }
}

// What elements that hold leave of their balance is known no better than their last digits. rate: f at y; d: room.
static void add_blur(Bdf *b, double h, const double *rate, double *d) {
  const OdeEvents *events = b->p->events;
  double *row = N_VGetArrayPointer(b->row), *noise = b->noise;
  if (!events || !events->blur) return;
  events->blur(events->self, b->t, b->y, d);
  double span = fmax(h, 1e-3 * (b->s->t1 - b->s->t0)); // steps will grow, where nothing else holds them
  for (uint32_t e = 0; e < b->m; e++) noise[e] = fmax(noise[e], ODE_NOISE_FACTOR * span * d[e]);
  // the noise of a velocity is felt by its place
  for (uint32_t e = 0; e < b->m; e++) row[e] = b->y[e] + noise[e];
  if (evaluate(b, b->t, b->row) != 0) return;
  for (uint32_t e = 0; e < b->m; e++) {
    if (ode_kind(b->scales, e) == 0) noise[e] = fmax(noise[e], span * fabs(b->dydt[e] - rate[e]));
  }
}

// The first step already feels what holds.
static void expect_blur(Bdf *b) {
  OdeScales *x = b->scales;
  double *row = N_VGetArrayPointer(b->row), *rate = b->noise + b->m, *d = rate + 2 * (size_t)b->m;
  if (!b->p->events || !b->p->events->blur) return;
  memcpy(row, b->y, b->m * sizeof *row);
  if (evaluate(b, b->t, b->row) != 0) return;
  memcpy(rate, b->dydt, b->m * sizeof *rate);
  memset(b->noise, 0, b->m * sizeof *rate);
  add_blur(b, 0, rate, d);
  memcpy(x->noise, b->noise, b->m * sizeof *rate);
  ode_set_atol(x);
}

// Rounding at the end of the last step, of size h: as in rodas.c and ode_learn.
static void measure_noise(Bdf *b, uint64_t steps, double h) {
  OdeScales *x = b->scales;
  uint32_t m = b->m;
  double *row = N_VGetArrayPointer(b->row), *noise = b->noise, *rate = noise + m, *moved = rate + m, *d = moved + m;
  bool counts = false;
  b->shake_at = 2 * steps + 64;
  memcpy(row, b->y, m * sizeof *row);
  if (!b->dense || evaluate(b, b->t, b->row) != 0) return;
  memcpy(rate, b->dydt, m * sizeof *rate);
  memset(noise, 0, m * sizeof *noise);
  memset(moved, 0, m * sizeof *moved);
  if (!factor_step(b, h, rate)) return;
  for (int round = 0; round < ode_shakes; round++) {
    for (uint32_t e = 0; e < m; e++) row[e] = ode_nudged(b->y[e], e, round);
    if (evaluate(b, shaken_time(b, round), b->row) != 0) continue;
    for (uint32_t e = 0; e < m; e++) d[e] = b->dydt[e] - rate[e];
    for (uint32_t e = 0; e < m; e++) moved[e] = fmax(moved[e], fabs(d[e]));
    solve_step(b, h, d);
    for (uint32_t e = 0; e < m; e++) noise[e] = fmax(noise[e], ODE_NOISE_FACTOR * fabs(d[e]));
  }
  look_for_steepness(b, rate, moved);
  if (b->r.steep) memset(noise, 0, m * sizeof *noise);
  add_blur(b, h, rate, d);
  for (uint32_t e = 0; e < m; e++) {
    double promised = x->atol[e] - x->noise[e] + b->s->rtol * fabs(b->y[e]);
    counts = counts || noise[e] > ODE_NOISE_PART * promised;
  }
  for (uint32_t e = 0; e < m; e++) {
    double promised = x->atol[e] - x->noise[e] + b->s->rtol * (b->s->by_scale ? x->seen[e] : fabs(b->y[e]));
    x->noise[e] = counts ? noise[e] : 0;
    ode_tell_noise(&b->r, e, noise[e] / promised);
  }
  if (counts) b->shake_at = steps + 16;
  ode_set_atol(x);
}

static bool start(Bdf *b, const double *y) {
  void *c = b->cvodes;
  memcpy(N_VGetArrayPointer(b->state), y, b->m * sizeof *y);
  memcpy(b->y, y, b->n * sizeof *y);
  b->t = b->s->start;
  const OdeBreaks *breaks = &b->s->breaks; // those before a run that was held are over
  while (b->next_break < breaks->count && breaks->times[b->next_break] <= b->t) b->next_break++;
  expect_sizes(b);
  expect_blur(b);
  bool ok = CVodeSetErrHandlerFn(c, say_nothing, NULL) == CV_SUCCESS &&
            CVodeInit(c, right_side, b->s->start, b->state) == CV_SUCCESS;
  ok = ok && CVodeSetUserData(c, b) == CV_SUCCESS && CVodeWFtolerances(c, weights) == CV_SUCCESS;
  ok = ok && CVodeSetLinearSolver(c, b->solver, b->matrix) == CV_SUCCESS && CVodeSetJacFn(c, jacobian) == CV_SUCCESS;
  ok = ok && CVodeSetMaxHnilWarns(c, -1) == CV_SUCCESS && set_stop(b);
  if (b->p->project)
    ok = ok && CVodeSetProjFn(c, project) == CV_SUCCESS && CVodeSetProjErrEst(c, SUNFALSE) == CV_SUCCESS;
  return ok;
}

static void clear(Bdf *b) {
  if (b->cvodes) CVodeFree(&b->cvodes);
  if (b->solver) SUNLinSolFree(b->solver);
  if (b->matrix) SUNMatDestroy(b->matrix);
  if (b->state) N_VDestroy(b->state);
  if (b->row) N_VDestroy(b->row);
  if (b->context) SUNContext_Free(&b->context);
  free(b->full);
  free(b->dydt);
  free(b->y);
  free(b->entries);
  free(b->noise);
  free(b->unit);
  free(b->pivot);
  free(b->dense);
}

// ---- the run

static OdeStatus status_of(int flag) {
  switch (flag) {
  case CV_RHSFUNC_FAIL:
  case CV_FIRST_RHSFUNC_ERR:
  case CV_REPTD_RHSFUNC_ERR:
  case CV_UNREC_RHSFUNC_ERR: return ode_not_finite;
  case CV_MEM_FAIL: return ode_no_memory;
  default: return ode_step_small; // the error test or Newton's method failed with the smallest step
  }
}

// Moves y, with its quadratures, to t, which lies in the last step.
static bool move_to(Bdf *b, double t) {
  static const double at[3] = {-0.774596669241483377035853079956, 0, 0.774596669241483377035853079956};
  static const double weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  double h = t - b->t, middle = b->t + 0.5 * h;
  for (int i = 0; b->n > b->m && !b->p->still && h > 0 && i < 3; i++) {
    double point = middle + 0.5 * h * at[i];
    if (CVodeGetDky(b->cvodes, point, 0, b->row) != CV_SUCCESS || evaluate(b, point, b->row) != 0) return false;
    for (uint32_t e = b->m; e < b->n; e++) b->y[e] += h * weight[i] * b->dydt[e];
  }
  b->t = t;
  if (CVodeGetDky(b->cvodes, t, 0, b->row) != CV_SUCCESS) return false;
  memcpy(b->y, N_VGetArrayPointer(b->row), b->m * sizeof *b->y);
  return ode_project(b->p, t, b->y) != projection_failed;
}

static void count_work(Bdf *b) {
  long steps = 0, test = 0, newton = 0, jacobians = 0, setups = 0, off = 0;
  CVodeGetNumSteps(b->cvodes, &steps);
  CVodeGetNumErrTestFails(b->cvodes, &test);
  CVodeGetNumNonlinSolvConvFails(b->cvodes, &newton);
  CVodeGetNumJacEvals(b->cvodes, &jacobians);
  CVodeGetNumLinSolvSetups(b->cvodes, &setups);
  if (b->p->project) CVodeGetNumProjFails(b->cvodes, &off);
  // CVODES counts from the last start
  b->r.steps = b->before.steps + (uint64_t)steps;
  b->r.rejected = b->before.rejected + (uint64_t)(test + newton + off);
  b->r.jacobians = b->before.jacobians + (uint64_t)jacobians;
  b->r.factorizations = b->before.factorizations + (uint64_t)setups;
}

static bool start_anew(Bdf *b) {
  memcpy(N_VGetArrayPointer(b->state), b->y, b->m * sizeof *b->y);
  expect_sizes(b);
  count_work(b);
  b->before = b->r;
  return CVodeReInit(b->cvodes, b->t, b->state) == CV_SUCCESS && set_stop(b);
}

// ---- events

// The state inside the last step, without quadratures.
static void dense_at(void *self, double part, double *y) {
  Bdf *b = self;
  double t = b->from + part * b->width;
  if (CVodeGetDky(b->cvodes, part >= 1 ? b->from + b->width : t, 0, b->row) == CV_SUCCESS)
    memcpy(y, N_VGetArrayPointer(b->row), b->m * sizeof *y);
  for (uint32_t e = b->m; e < b->n; e++) y[e] = b->y[e];
}

// Something happens at b->t. False: the run ends.
static bool happens(Bdf *b, const uint32_t *ended, uint32_t count) {
  const OdeEvents *e = b->p->events;
  b->r.events++;
  OdeAction action = e->happen(e->self, b->t, b->y, ended, count);
  if (action == action_go) return true;
  b->r.status = action == action_stop ? ode_ended : action == action_fail ? ode_event : ode_no_memory;
  if (action == action_stop && !b->o->row(b->o->self, b->t, b->y)) b->r.status = ode_stopped;
  return false;
}

// At an event the slope of the interpolation must be that of the motion. Where it is not at all, the steps passed over
// something: from the last moment that was looked at they are tried again, shorter.
static bool passed_over(Bdf *b, double t) {
  enum { most = 40 };
  const double gross = 1e6; // tolerances
  if (b->tries >= most || t <= b->t || CVodeGetDky(b->cvodes, t, 0, b->row) != CV_SUCCESS ||
      evaluate(b, t, b->row) != 0)
    return false;
  double *x = N_VGetArrayPointer(b->row), worst = 0;
  for (uint32_t e = 0; e < b->m; e++) b->full[e] = b->scales->atol[e] + b->s->rtol * fabs(x[e]);
  if (CVodeGetDky(b->cvodes, t, 1, b->row) != CV_SUCCESS) return false;
  for (uint32_t e = 0; e < b->m; e++) worst = fmax(worst, fabs(x[e] - b->dydt[e]) * (t - b->t) / b->full[e]);
  return worst > gross;
}

// Events in the step that ends at *t; *t becomes the time of the first. *again: the step is to be tried again. False:
// memory is out.
static bool look_inside(Bdf *b, double *t, bool *found, bool *again) {
  const OdeEvents *e = b->p->events;
  b->from = b->t;
  b->width = *t - b->t;
  *found = b->search && b->host->search(b->search, b->from, b->width, dense_at, b, t);
  if (b->search && !*found) b->host->none(b->search);
  *again = *found && passed_over(b, *t);
  if (*again) return true;
  if (!e->record || *t <= b->from) return true;
  b->width = *t - b->from;
  if (e->record(e->self, b->from, *t, dense_at, b)) return true;
  b->r.status = ode_no_memory;
  return false;
}

// On the other side of a break the right-hand side is another one.
static void pass_break(Bdf *b) {
  double left = b->t;
  b->t = b->r.t = b->host->pass_break(&b->s->breaks, &b->next_break);
  if (b->o->jump) b->o->jump(b->o->self, left, b->t, b->y);
}

static void drive(Bdf *b, double *y) {
  const OdeSettings *s = b->s;
  uint64_t rows = b->host->row_count(s), row = 1;
  while (row < rows && b->host->row_time(s, row) <= s->start) row++;
  if (!b->o->row(b->o->self, s->start, y)) {
    b->r.status = ode_stopped;
    return;
  }
  for (uint64_t steps = 1; row < rows; steps++) {
    if (steps > s->most_steps) {
      b->r.status = ode_many_steps;
      return;
    }
    double t = b->r.t, h = 0;
    if (b->stop >= s->t1 && s->t1 - t <= 4 * DBL_EPSILON * fabs(t) && steps > 1) { // nor before the end
      b->t = b->r.t = s->t1;
      for (; row < rows; row++) {
        if (b->o->row(b->o->self, b->host->row_time(s, row), b->y)) continue;
        b->r.status = ode_stopped;
        return;
      }
      return;
    }
    if (b->p->events && b->stop < s->t1 && b->stop - t <= 64 * DBL_EPSILON * fabs(t)) { // no step has room before it
      b->t = b->r.t = fmax(b->stop, t);
      if (!b->timed) pass_break(b);
      if (!happens(b, NULL, 0) || !start_anew(b)) {
        memcpy(y, b->y, b->n * sizeof *y);
        return;
      }
      continue;
    }
    int flag = CVode(b->cvodes, s->t1, b->state, &t, CV_ONE_STEP);
    if (flag < 0) {
      b->r.status = status_of(flag);
      return;
    }
    CVodeGetLastStep(b->cvodes, &h);
    b->standing = h <= 4 * DBL_EPSILON * fabs(t) ? b->standing + 1 : 0;
    if (b->standing > standing_steps) {
      b->r.status = ode_step_small;
      return;
    }
    if (steps % ode_patience == 0 &&
        (b->r.status = ode_watch_pace(s, t, &b->r, steps, &b->mark, &b->crawling)) != ode_done)
      return;
    bool found = false, again = false;
    double start = b->t;
    if (b->p->events && !look_inside(b, &t, &found, &again)) return;
    if (again) {
      b->tries++;
      b->r.rejected++;
      if (!start_anew(b) || CVodeSetInitStep(b->cvodes, 0.1 * (t - start)) != CV_SUCCESS) {
        b->r.status = ode_no_memory;
        return;
      }
      continue;
    }
    if (b->tries) CVodeSetInitStep(b->cvodes, 0);
    b->tries = 0;
    // a row at the moment of an event shows what is after it
    bool before = found || (t >= b->stop && (b->timed || b->next_break < s->breaks.count));
    for (; row < rows && (before ? b->host->row_time(s, row) < t : b->host->row_time(s, row) <= t); row++) {
      double due = b->host->row_time(s, row);
      if (!move_to(b, due)) {
        b->r.status = ode_not_finite;
        return;
      }
      if (b->o->row(b->o->self, due, b->y)) continue;
      b->r.status = ode_stopped;
      return;
    }
    if (!move_to(b, t)) {
      b->r.status = ode_not_finite;
      return;
    }
    memcpy(y, b->y, b->n * sizeof *y);
    b->r.t = t;
    if (t < s->t1 || steps == 1) b->r.smallest = fmin(b->r.smallest, h);
    b->r.largest = fmax(b->r.largest, h);
    if (steps >= b->shake_at) measure_noise(b, steps, h);
    if (b->p->accept) b->p->accept(b->p->self, t, b->y);
    if (b->o->step && !b->o->step(b->o->self, t, b->y, steps)) {
      b->r.status = ode_stopped;
      return;
    }
    bool stopped = t >= b->stop, jump = !found && stopped && !b->timed && b->next_break < s->breaks.count;
    if (found || jump || (stopped && b->timed)) {
      uint32_t count = 0;
      if (jump) pass_break(b);
      const uint32_t *ended = found ? b->host->ended(b->search, b->t, b->y, &count) : NULL;
      if (b->p->events && !happens(b, ended, count)) {
        memcpy(y, b->y, b->n * sizeof *y);
        return;
      }
      memcpy(y, b->y, b->n * sizeof *y);
      bool ok = start_anew(b);
      for (; ok && row < rows && b->host->row_time(s, row) <= b->t; row++)
        ok = b->o->row(b->o->self, b->host->row_time(s, row), b->y);
      if (ok) continue;
      b->r.status = ode_stopped;
      return;
    }
  }
}

OdeResult bdf_solve(const SolveHost *host, const OdeProblem *p, const OdeSettings *s, double *y, OdeScales *scales,
                    EventSearch *search, const OdeObserver *o) {
  Bdf bdf = {.host = host, .p = p, .s = s, .o = o, .n = p->n, .m = p->checked, .scales = scales, .search = search},
      *b = &bdf;
  b->r = (OdeResult){.status = ode_no_memory, .t = s->start, .smallest = INFINITY, .method = ode_bdf, .stiff_at = NAN};
  b->j = p->jacobian ? p->jacobian(p->self) : NULL;
  if (b->j && set_up(b) && start(b, y)) {
    b->r.status = ode_done;
    drive(b, y);
    count_work(b);
  }
  clear(b);
  return b->r;
}

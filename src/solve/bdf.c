// bdf: the backward differentiation formulas of SUNDIALS CVODES, with the exact Jacobian. Part of the module.
//
// in    y' = f(t, y), J = df/dy, tolerances
// out   rows at the asked times, by the method's own interpolation
//
// The checked components are the CVODES state. The others are integrated along the interpolant by Gauss's rule
// of three points: those of CVODES start with order 1 and a step that was chosen without them, which spoils the
// account. Newton's systems are solved dense (large ones by LAPACK), or by KLU where they are large and sparse. One
// SUNContext a run, nothing printed.
#include "solve/bdf_parts.h"
#include "solve/factors.h"
#include "solve/lapack.h"
#include "solve/linear.h"

#include <cvodes/cvodes.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

// Sparse from this size on, when not more than one entry in `sparse_part` is there. Measured with heat in a rod of n
// cells: KLU takes 0.9 of the time of the dense solver at n = 16, 0.8 at 24, 0.4 at 64.
enum { sparse_size = 24, sparse_part = 5 };
// Consecutive steps that do not advance the time. Where the solution is steeper than doubles resolve in time, a run may
// need thousands of them.
enum { standing_steps = 10000 };
// After this number of consecutive steps that are shorter by this factor than those before on average, rounding is
// measured: it may be what limits the step size. CVODES enlarges a step of order q where (6 error)^(1/(q + 1)) < 2/3.
// An error that is nothing but rounding is the same in steps of any size: one of a fiftieth of the tolerance is no
// reason to reject a step, but keeps the steps as short as they are for ever. So rounding counts twice as much each
// time that they did not grow.
enum { short_asks = 50 };
static const double short_part = 1e-4, most_patience = 64;

// ---- what CVODES calls

static void say_nothing(int code, const char *module, const char *function, char *message, void *self) {
  (void)code, (void)module, (void)function, (void)message, (void)self;
}

static int right_side(realtype t, N_Vector y, N_Vector ydot, void *self) {
  Bdf *b = self;
  int failed = bdf_evaluate(b, t, y);
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

// ---- large dense systems: the solver of SUNDIALS with the factors of LAPACK, whose blocks take a tenth of the time

// LAPACK, with Fortran's calling convention
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *pivot, int *info);
void dgetrs_(const char *trans, const int *n, const int *columns, const double *a, const int *lda, const int *pivot,
             double *b, const int *ldb, int *info, size_t);

// Its list of pivots has room for ours.
static int *pivots_of(SUNLinearSolver solver) { return (int *)((SUNLinearSolverContent_Dense)solver->content)->pivots; }

static int factor_dense(SUNLinearSolver solver, SUNMatrix matrix) {
  int n = (int)SUNDenseMatrix_Rows(matrix), info = 0;
  bool grew = lapack_enter();
  dgetrf_(&n, &n, SUNDenseMatrix_Data(matrix), &n, pivots_of(solver), &info);
  lapack_leave(grew);
  ((SUNLinearSolverContent_Dense)solver->content)->last_flag = info;
  return info == 0 ? SUNLS_SUCCESS : SUNLS_LUFACT_FAIL;
}

static int solve_dense(SUNLinearSolver solver, SUNMatrix matrix, N_Vector x, N_Vector b, realtype tolerance) {
  (void)tolerance;
  int n = (int)SUNDenseMatrix_Rows(matrix), one = 1, info = 0;
  N_VScale(1, b, x);
  bool grew = lapack_enter();
  dgetrs_("N", &n, &one, SUNDenseMatrix_Data(matrix), &n, pivots_of(solver), N_VGetArrayPointer(x), &n, &info, 1);
  lapack_leave(grew);
  return info == 0 ? SUNLS_SUCCESS : SUNLS_MEM_NULL;
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
  b->sparse = b->m >= sparse_size && (uint64_t)count * sparse_part <= (uint64_t)b->m * b->m;
  b->matrix =
      b->sparse ? SUNSparseMatrix(b->m, b->m, count, CSC_MAT, b->context) : SUNDenseMatrix(b->m, b->m, b->context);
  if (!b->matrix) return false;
  b->solver =
      b->sparse ? SUNLinSol_KLU(b->state, b->matrix, b->context) : SUNLinSol_Dense(b->state, b->matrix, b->context);
  if (b->solver && b->sparse) {
    SUNLinSol_KLUGetCommon(b->solver)->btf = FACTORS_BLOCK_FORM;
    SUNLinSol_KLUGetCommon(b->solver)->tol = FACTORS_PIVOT;
  }
  if (b->solver && !b->sparse && b->m >= linear_lapack_size) {
    b->solver->ops->setup = factor_dense;
    b->solver->ops->solve = solve_dense;
  }
  return b->solver != NULL;
}

static double *room(size_t count) { return calloc(count ? count : 1, sizeof(double)); }

static bool set_up(Bdf *b) {
  b->full = room(b->n);
  b->dydt = room(b->n);
  b->y = room(b->n);
  b->entries = room(b->j->count);
  b->noise = room(5 * (size_t)b->m);
  b->unit = room(b->m);
  b->pivot = calloc((size_t)b->m + 1, sizeof *b->pivot);
  if (b->m <= bdf_most_measured) b->dense = room((size_t)b->m * b->m);
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

static bool start(Bdf *b, const double *y) {
  void *c = b->cvodes;
  memcpy(N_VGetArrayPointer(b->state), y, b->m * sizeof *y);
  memcpy(b->y, y, b->n * sizeof *y);
  b->t = b->s->start;
  const OdeBreaks *breaks = &b->s->breaks; // those before a run that was held are over
  while (b->next_break < breaks->count && breaks->times[b->next_break] <= b->t) b->next_break++;
  bdf_expect_sizes(b);
  bdf_expect_rate_rounding(b);
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
    if (CVodeGetDky(b->cvodes, point, 0, b->row) != CV_SUCCESS || bdf_evaluate(b, point, b->row) != 0) return false;
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

static bool restart_steps(Bdf *b) {
  memcpy(N_VGetArrayPointer(b->state), b->y, b->m * sizeof *b->y);
  bdf_expect_sizes(b);
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
  OdeAction action = e->happen(e->self, b->t, b->y, ended, count, b->r.steps);
  b->r.events += action != action_idle;
  if (action <= action_idle) return true;
  b->r.status = action == action_stop ? ode_ended : action == action_fail ? ode_event : ode_no_memory;
  if (action == action_stop && !b->o->row(b->o->self, b->t, b->y)) b->r.status = ode_stopped;
  return false;
}

// At an event the derivative of the interpolant must be that of the solution. Where the two differ altogether, the
// steps passed over something: they are tried again, shorter, from the last moment that was looked at.
static bool passed_over(Bdf *b, double t) {
  enum { most = 40 };
  const double gross = 1e6; // tolerances
  if (b->tries >= most || t <= b->t || CVodeGetDky(b->cvodes, t, 0, b->row) != CV_SUCCESS ||
      bdf_evaluate(b, t, b->row) != 0)
    return false;
  double *x = N_VGetArrayPointer(b->row), worst = 0;
  for (uint32_t e = 0; e < b->m; e++) b->full[e] = b->scales->atol[e] + b->s->rtol * fabs(x[e]);
  if (CVodeGetDky(b->cvodes, t, 1, b->row) != CV_SUCCESS) return false;
  for (uint32_t e = 0; e < b->m; e++) worst = fmax(worst, fabs(x[e] - b->dydt[e]) * (t - b->t) / b->full[e]);
  return worst > gross;
}

// Events in the step that ends at *t; *t becomes the time of the first, *instant the row or the stop that it joins.
// *again: the step is to be tried again. False: out of memory.
static bool look_inside(Bdf *b, double *t, double *instant, bool *found, bool *again) {
  const OdeEvents *e = b->p->events;
  b->from = b->t;
  b->width = *t - b->t;
  double end = *t;
  *found = b->search && b->host->search(b->search, b->from, b->width, dense_at, b, t);
  if (*found) {
    if (fabs(b->stop - end) <= 4 * DBL_EPSILON * fabs(end)) end = b->stop;
    double near = event_instant_near(b->host->row_near(b->s, b->next, b->rows, *t, EVENT_NEAR), end, *t);
    if (near > b->from && near <= end) {
      dense_at(b, (*t - b->from) / b->width, b->full);
      if (event_may_be_at(b->search, near, *t, b->full, b->r.steps)) *t = near;
    }
    *instant = event_instant(b->host->row_near(b->s, b->next, b->rows, *t, EVENT_SAME_INSTANT), end, *t);
  }
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

// ---- steps

static bool end_with(Bdf *b, OdeStatus status) {
  b->r.status = status;
  return false;
}

// The state of the caller is that which was reached.
static void hand_over(Bdf *b) { memcpy(b->out, b->y, b->n * sizeof *b->out); }

static double next_row(const Bdf *b) { return b->next < b->rows ? b->host->row_time(b->s, b->next) : INFINITY; }

// A row of the present state.
static bool give_row(Bdf *b, double due) {
  b->next++;
  return b->o->row(b->o->self, due, b->y) || end_with(b, ode_stopped);
}

// The end is a few doubles away: there is no room for a step before it.
static bool finish(Bdf *b) {
  b->t = b->r.t = b->s->t1;
  while (b->next < b->rows) {
    if (!give_row(b, next_row(b))) return false;
  }
  return true;
}

// A stop is a few doubles away.
static bool pass_stop(Bdf *b) {
  b->t = b->r.t = fmax(b->stop, b->r.t);
  if (!b->timed) pass_break(b);
  if (happens(b, NULL, 0) && restart_steps(b)) return true;
  hand_over(b);
  return false;
}

// One step of CVODES, to *t, of size *h. False: it failed, or gets nowhere.
static bool step(Bdf *b, uint64_t steps, double *t, double *h) {
  int flag = CVode(b->cvodes, b->s->t1, b->state, t, CV_ONE_STEP);
  if (flag < 0) return end_with(b, status_of(flag));
  CVodeGetLastStep(b->cvodes, h);
  b->standing = *h <= 4 * DBL_EPSILON * fabs(*t) ? b->standing + 1 : 0;
  b->shortened = *h <= short_part * (*t - b->s->start) / (double)steps ? b->shortened + 1 : 0;
  if (b->shortened == 0) b->patience = 1;
  if (b->shortened % short_asks == short_asks - 1) {
    b->shake_at = steps;
    if (b->shortened > short_asks) b->patience = fmin(2 * b->patience, most_patience);
  }
  if (b->standing > standing_steps) return end_with(b, ode_step_small);
  if (steps % ode_patience != 0) return true;
  b->r.status = ode_watch_pace(b->s, *t, &b->r, steps, &b->mark, &b->crawling);
  return b->r.status == ode_done;
}

// From the last moment that was looked at once more, with a first step h.
static bool try_again(Bdf *b, double h) {
  b->tries++;
  b->r.rejected++;
  return (restart_steps(b) && CVodeSetInitStep(b->cvodes, h) == CV_SUCCESS) || end_with(b, ode_no_memory);
}

// Rows up to t, and the state there. A row at the moment of an event shows what is after it.
static bool arrive(Bdf *b, double t, double instant, bool event) {
  bool before = event || (t >= b->stop && (b->timed || b->next_break < b->s->breaks.count));
  for (double due; (due = next_row(b)) <= t && (!before || ode_row_inside(due, t));) {
    if (!move_to(b, due)) return end_with(b, ode_not_finite);
    if (!give_row(b, due)) return false;
  }
  if (!move_to(b, t)) return end_with(b, ode_not_finite);
  hand_over(b);
  if (event) b->t = instant;
  b->r.t = b->t;
  return true;
}

// What follows a step that ended at an event, a break or a time of the events.
static bool go_on_after(Bdf *b, bool event, bool jump) {
  uint32_t count = 0;
  if (jump || b->host->at_break(&b->s->breaks, &b->next_break, b->t)) pass_break(b);
  const uint32_t *ended = event ? b->host->ended(b->search, b->t, b->y, &count) : NULL;
  bool go = !b->p->events || happens(b, ended, count);
  hand_over(b);
  if (!go) return false;
  if (!restart_steps(b)) return end_with(b, ode_stopped);
  while (ode_row_passed(b->s, next_row(b), b->t)) {
    if (!give_row(b, next_row(b))) return false;
  }
  return true;
}

// One step and all that follows it; false: the run is over.
static bool advance(Bdf *b, uint64_t steps) {
  const OdeSettings *s = b->s;
  double t = b->r.t, h = 0, start = b->t, instant = t;
  bool event = false, again = false;
  if (steps > s->most_steps) return end_with(b, ode_many_steps);
  if (b->stop >= s->t1 && s->t1 - t <= 4 * DBL_EPSILON * fabs(t) && steps > 1) return finish(b);
  if (b->p->events && b->stop < s->t1 && b->stop - t <= 64 * DBL_EPSILON * fabs(t)) return pass_stop(b);
  if (!step(b, steps, &t, &h)) {
    if (b->r.status != ode_step_small || !bdf_find_roundoff(b) || !restart_steps(b)) return false;
    b->r.status = ode_done;
    return true;
  }
  if (b->p->events && !look_inside(b, &t, &instant, &event, &again)) return false;
  if (again) return try_again(b, 0.1 * (t - start));
  if (b->tries) CVodeSetInitStep(b->cvodes, 0);
  b->tries = 0;
  if (b->o->span && t > start) {
    b->from = start;
    b->width = t - start;
    b->o->span(b->o->self, start, t, dense_at, b);
  }
  if (!arrive(b, t, instant, event)) return false;
  // the accounts of the step
  if (t < s->t1 || steps == 1) b->r.smallest = fmin(b->r.smallest, h);
  b->r.largest = fmax(b->r.largest, h);
  bdf_find_own_sizes(b, h);
  double next = h;
  CVodeGetCurrentStep(b->cvodes, &next);
  if (steps >= b->shake_at || (b->shaken_h > 0 && next > 2 * b->shaken_h)) bdf_measure_noise(b, steps, fmax(h, next));
  if (b->p->accept) b->p->accept(b->p->self, t, b->y);
  if (b->o->step && !b->o->step(b->o->self, t, b->y, steps)) return end_with(b, ode_stopped);
  bool stopped = t >= b->stop, jump = !event && stopped && !b->timed && b->next_break < s->breaks.count;
  return event || jump || (stopped && b->timed) ? go_on_after(b, event, jump) : true;
}

static void drive(Bdf *b) {
  const OdeSettings *s = b->s;
  b->rows = b->host->row_count(s);
  b->next = 1;
  while (b->next < b->rows && b->host->row_time(s, b->next) <= s->start) b->next++;
  if (!b->o->row(b->o->self, s->start, b->out)) {
    b->r.status = ode_stopped;
    return;
  }
  for (uint64_t steps = 1; b->next < b->rows && advance(b, steps); steps++) continue;
}

OdeResult bdf_solve(const SolveHost *host, const OdeProblem *p, const OdeSettings *s, double *y, OdeScales *scales,
                    EventSearch *search, const OdeObserver *o) {
  Bdf bdf = {.host = host,
             .p = p,
             .s = s,
             .o = o,
             .n = p->n,
             .m = p->checked,
             .scales = scales,
             .search = search,
             .patience = 1,
             .out = y},
      *b = &bdf;
  b->r = (OdeResult){.status = ode_no_memory, .t = s->start, .smallest = INFINITY, .method = ode_bdf, .stiff_at = NAN};
  b->j = p->jacobian ? p->jacobian(p->self) : NULL;
  if (b->j && set_up(b) && start(b, y)) {
    b->r.status = ode_done;
    drive(b);
    count_work(b);
  }
  clear(b);
  return b->r;
}

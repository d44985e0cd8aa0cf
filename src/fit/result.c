// How sure a fit is. See result.h.
#include "fit/result.h"

#include "fit/least.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double weak = 1e-7; // singular values, columns being of length 1: below, slopes are rounding

typedef struct Remarks {
  Arena *arena;
  VEC(const char *) list;
} Remarks;

// ---- what the data cannot separate

static const char *factors(Arena *arena, const FitProblem *f, const double *v, uint32_t a, uint32_t b) {
  double ratio = v[b] / v[a];
  if (fabs(ratio + 1) < 1e-3) return arena_printf(arena, "%s*%s", f->unknowns[a].shown, f->unknowns[b].shown);
  if (fabs(ratio - 1) < 1e-3) return arena_printf(arena, "%s/%s", f->unknowns[a].shown, f->unknowns[b].shown);
  return NULL;
}

// One direction, in parts of each unknown's own size, along which nothing that was measured changes.
static void tell_direction(Remarks *out, const FitResult *r, const double *v) {
  const FitProblem *f = r->f;
  uint32_t part[2] = {0, 0}, count = 0;
  double largest = 0;
  Text names = text_in(out->arena);
  for (uint32_t j = 0; j < f->k; j++) largest = fmax(largest, fabs(v[j]));
  for (uint32_t j = 0; j < f->k; j++) {
    if (!(fabs(v[j]) > 1e-3 * largest)) continue;
    if (count < 2) part[count] = j;
    count++;
    text_printf(&names, "%s`%s`", count > 1 ? ", " : "", f->unknowns[j].shown);
  }
  const char *text = NULL, *through = count == 2 ? factors(out->arena, f, v, part[0], part[1]) : NULL;
  if (count == 1) text = arena_printf(out->arena, "%s has no influence on what was measured", text_str(&names));
  else if (through)
    text = arena_printf(out->arena, "%s act only through %s: the data cannot separate them", text_str(&names), through);
  else text = arena_printf(out->arena, "the data cannot separate %s", text_str(&names));
  if (text) vec_push(out->arena, &out->list, text);
}

// Slopes by relative changes of the unknowns, and the directions that they do not see.
static bool find_rank(FitResult *r, const Lm *m, Remarks *out) {
  uint32_t k = r->f->k;
  Arena *arena = r->f->arena;
  double *R = arena_array(arena, (size_t)k * k, sizeof *R), *v = arena_array(arena, (size_t)k * k, sizeof *v),
         *room = arena_array(arena, (size_t)k * k, sizeof *room), *values = arena_array(arena, k, sizeof *values),
         *length = arena_array(arena, k, sizeof *length), *one = arena_array(arena, k, sizeof *one);
  if (arena_failed(arena)) return false;
  for (uint32_t j = 0; j < k; j++) {
    for (uint32_t i = 0; i <= j; i++) length[j] = hypot(length[j], m->R[(size_t)i * k + j]);
  }
  // columns of length 1: what is small then is small beside nothing but the others
  for (uint32_t i = 0; i < k; i++) {
    for (uint32_t j = i; j < k; j++) R[(size_t)i * k + j] = length[j] > 0 ? m->R[(size_t)i * k + j] / length[j] : 0;
  }
  least_singular(R, k, values, v, room);
  r->rank = 0;
  for (uint32_t j = 0; j < k; j++) {
    if (values[j] > weak) r->rank++;
  }
  for (uint32_t j = r->rank; j < k; j++) {
    for (uint32_t i = 0; i < k; i++) {
      double size = r->u[i] != 0 ? r->u[i] : r->f->unknowns[i].size;
      one[i] = v[(size_t)i * k + j] / (length[i] > 0 ? length[i] * size : 1);
      if (fabs(v[(size_t)i * k + j]) < 1e-6) one[i] = 0;
      else r->estimates[i].found = false;
    }
    tell_direction(out, r, one);
  }
  return true;
}

// ---- covariance

// R^-1 by columns; false: singular.
static bool invert(const double *R, uint32_t k, double *inverse) {
  memset(inverse, 0, (size_t)k * k * sizeof *inverse);
  for (uint32_t j = 0; j < k; j++) {
    if (R[(size_t)j * k + j] == 0) return false;
    inverse[(size_t)j * k + j] = 1 / R[(size_t)j * k + j];
    for (uint32_t i = j; i-- > 0;) {
      double sum = 0;
      for (uint32_t c = i + 1; c <= j; c++) sum += R[(size_t)i * k + c] * inverse[(size_t)c * k + j];
      inverse[(size_t)i * k + j] = -sum / R[(size_t)i * k + i];
    }
  }
  return true;
}

static bool find_covariance(FitResult *r, const Lm *m) {
  uint32_t k = r->f->k;
  double *inverse = arena_array(r->f->arena, (size_t)k * k, sizeof *inverse);
  r->correlation = arena_array(r->f->arena, (size_t)k * k, sizeof *r->correlation);
  if (!inverse || !r->correlation) return false;
  bool regular = r->rank == k && invert(m->R, k, inverse);
  for (uint32_t i = 0; i < k; i++) {
    double sum = 0;
    for (uint32_t c = i; c < k; c++) sum += inverse[(size_t)i * k + c] * inverse[(size_t)i * k + c];
    r->estimates[i].stderr_ = regular ? r->sigma * sqrt(sum) : INFINITY;
  }
  for (uint32_t i = 0; i < k; i++) {
    for (uint32_t j = 0; j < k; j++) {
      double sum = 0;
      for (uint32_t c = 0; c < k; c++) sum += inverse[(size_t)i * k + c] * inverse[(size_t)j * k + c];
      double sizes = r->estimates[i].stderr_ * r->estimates[j].stderr_;
      r->correlation[(size_t)i * k + j] = !regular ? NAN : i == j ? 1 : r->sigma * r->sigma * sum / sizes;
    }
  }
  return true;
}

// ---- residuals

static bool test_columns(FitResult *r, const Lm *m) {
  const FitProblem *f = r->f;
  size_t columns = 0, cell = 0, most = 0;
  for (uint32_t e = 0; e < f->count; e++) columns += f->experiments[e].width;
  for (uint32_t e = 0; e < f->count; e++)
    most = f->experiments[e].of->count > most ? f->experiments[e].of->count : most;
  r->column_r2 = arena_array(f->arena, columns + 1, sizeof *r->column_r2);
  r->column_rms = arena_array(f->arena, columns + 1, sizeof *r->column_rms);
  r->tests = arena_array(f->arena, columns + 1, sizeof *r->tests);
  double *one = arena_array(f->arena, most + 1, sizeof *one);
  if (arena_failed(f->arena)) return false;
  columns = 0;
  for (uint32_t e = 0; e < f->count; e++) {
    const FitExperiment *x = &f->experiments[e];
    size_t first = cell;
    for (uint32_t c = 0; c < x->width; c++) {
      size_t at = first, count = 0;
      double sum = 0;
      for (size_t i = 0; i < (size_t)x->of->count * x->width; i++) {
        if (isnan(x->of->values[i])) continue;
        if (i % x->width == c) one[count++] = m->r[at], sum += m->r[at] * m->r[at];
        at++;
      }
      double sd = x->columns[c].sd;
      r->column_r2[columns] = x->columns[c].total > 0 ? 1 - sum * sd * sd / x->columns[c].total : NAN;
      r->column_rms[columns] = count ? sd * sqrt(sum / (double)count) : NAN;
      r->tests[columns++] = residual_tests(one, count);
      cell = at;
    }
  }
  return true;
}

// Of normal noise: -2 log likelihood + 2 (or log N) times the number of what was found.
static void find_criteria(FitResult *r) {
  const FitProblem *f = r->f;
  double n = (double)f->points, k = f->k, logs = 0;
  for (uint32_t e = 0; e < f->count; e++) {
    for (uint32_t c = 0; c < f->experiments[e].width; c++)
      logs += 2 * f->experiments[e].columns[c].points * log(f->experiments[e].columns[c].sd);
  }
  double base = n * log(2 * 3.14159265358979323846) + logs;
  base += f->noise_known ? r->cost : n * (log(r->cost / n) + 1);
  if (!f->noise_known) k++; // the size of the noise
  r->aic = base + 2 * k;
  r->bic = base + k * log(n);
}

// ---- the whole

static void see_bounds(FitResult *r, Remarks *out) {
  const FitProblem *f = r->f;
  for (uint32_t i = 0; i < f->k; i++) {
    double width = f->most[i] - f->least[i], near = isfinite(width) ? 1e-9 * width : 0;
    FitEstimate *e = &r->estimates[i];
    e->at_bound = r->u[i] <= f->least[i] + near || r->u[i] >= f->most[i] - near;
    if (!e->at_bound) continue;
    const char *text = arena_printf(out->arena, "`%s` lies on the end of its range: what fits best may lie beyond it",
                                    f->unknowns[i].shown);
    if (text) vec_push(out->arena, &out->list, text);
  }
}

static void put_linear_intervals(FitResult *r, double t) {
  for (uint32_t i = 0; i < r->f->k; i++) {
    FitEstimate *e = &r->estimates[i];
    e->low = fmax(e->value - t * e->stderr_, r->f->least[i]);
    e->high = fmin(e->value + t * e->stderr_, r->f->most[i]);
    e->open_low = e->low == r->f->least[i];
    e->open_high = e->high == r->f->most[i];
  }
}

static void note_differences(FitResult *r) {
  for (uint32_t e = 0; e < r->f->count && !r->by_differences; e++)
    r->by_differences = r->f->experiments[e].at[level_exact].s->why;
}

bool result_finish(FitResult *r, Lm *m, bool profiles) {
  FitProblem *f = r->f;
  Remarks remarks = {.arena = f->arena};
  r->estimates = arena_array(f->arena, f->k, sizeof *r->estimates);
  if (!r->estimates) return false;
  for (uint32_t i = 0; i < f->k; i++) r->estimates[i] = (FitEstimate){.value = r->u[i], .found = true};
  r->freedom = f->points - f->k;
  r->r2 = fit_r2(f, r->cost);
  r->sigma = f->noise_known ? 1 : r->freedom ? sqrt(r->cost / (double)r->freedom) : NAN;
  if (!find_rank(r, m, &remarks) || !find_covariance(r, m) || !test_columns(r, m)) return false;
  find_criteria(r);
  see_bounds(r, &remarks);
  note_differences(r);
  double t = f->noise_known ? student_two_sided(0.95, 1e9) : student_two_sided(0.95, (double)r->freedom);
  put_linear_intervals(r, t);
  r->remarks = remarks.list.items;
  r->remark_count = remarks.list.count;
  if (arena_failed(f->arena)) return false;
  return !profiles || r->rank < f->k || !(r->sigma > 0) || profile_intervals(r, m, r->sigma * r->sigma * t * t, t);
}

// Confidence and prediction bands of a fit, for plots and tables. A part of result.h.
//
// With C the covariance of the unknowns and s the gradient of an output at a time, the curve lies within t sqrt(s'C s)
// (confidence band), and one more measurement lies within t sqrt(s'C s + sd^2) (prediction band), both at 95 % and to
// first order. sd is the noise of the column, given or found; t has the degrees of freedom of these variances
// (noise.h).
#include "fit/result.h"

#include <string.h>

enum { grid = 600 }; // times of a curve: about one a pixel

// Half of both bands at one point, from the gradient of an output. room: 2 k. Where the fit did not converge the bands
// have the noise alone.
static void put_bands(const FitResult *r, const FitExperiment *x, uint32_t column, const double *slopes, double *room,
                      double *sure, double *likely) {
  double *all = room, *w = room + r->f->k, noise = r->sigma * x->columns[column].sd;
  uint32_t group = x->columns[column].group;
  memset(all, 0, r->f->k * sizeof *all);
  for (uint32_t j = 0; j < x->k; j++) all[x->unknown[j]] = r->rest.not_at_rest ? 0 : slopes[j];
  double variance = result_variance(r, all, w), both = variance + noise * noise;
  *sure = result_t(noise_freedom(r->f, w, variance, 0, group)) * sqrt(variance);
  *likely = result_t(noise_freedom(r->f, w, variance, noise * noise, group)) * sqrt(both);
}

static bool make_room(FitResult *r, const FitExperiment *x, FitCurves *c) {
  size_t size = (size_t)c->count * x->width;
  Arena *arena = r->f->arena;
  c->values = arena_array(arena, size, sizeof *c->values);
  c->sure = arena_array(arena, size, sizeof *c->sure);
  c->likely = arena_array(arena, size, sizeof *c->likely);
  return !arena_failed(arena);
}

// Times of the grid, and those of the data between them, so that what was measured is on the curve.
static bool put_times(FitResult *r, const FitExperiment *x, FitCurves *c) {
  const FitData *d = x->of;
  double from = d->times[0], to = d->times[0];
  for (uint32_t i = 0; i < d->count; i++) { // those of a plain curve stand in any order
    from = fmin(from, d->times[i]);
    to = fmax(to, d->times[i]);
  }
  if (from > x->from && !r->f->curve) from = x->from;
  c->times = arena_array(r->f->arena, grid + 1, sizeof *c->times);
  if (!c->times) return false;
  for (uint32_t i = 0; i <= grid; i++) {
    double t = i == grid ? to : from + (to - from) * i / grid;
    if (c->count && !(t > c->times[c->count - 1])) continue;
    c->times[c->count++] = t;
  }
  return true;
}

static bool put_values(FitResult *r, FitExperiment *x, FitCurves *c) {
  size_t size = (size_t)c->count * x->width;
  double *slopes = arena_array(r->f->arena, size * x->k + 1, sizeof *slopes),
         *room = arena_array(r->f->arena, 2 * (size_t)r->f->k, sizeof *room);
  if (!slopes || !room || !make_room(r, x, c)) return false;
  for (uint32_t j = 0; j < x->k; j++) x->own[j] = r->u[x->unknown[j]];
  RunFailure f = sensitivity_run(x->at[level_exact].s, x->own, c->times, c->count, c->values, slopes);
  if (f.status == run_no_memory || f.status == run_interrupted) return false;
  for (size_t i = 0; i < size; i++)
    put_bands(r, x, (uint32_t)(i % x->width), slopes + i * x->k, room, &c->sure[i], &c->likely[i]);
  return true;
}

// The best individuals, one after the other, each time one was better.
static bool put_sequence(FitResult *r, FitExperiment *x, FitCurves *c) {
  const FitHistory *h = &r->history;
  size_t size = (size_t)c->count * x->width;
  uint32_t better = 0;
  for (uint32_t i = 0; i < h->count; i++) {
    if (h->items[i].u && (!i || h->items[i].best > h->items[i - 1].best)) better++;
  }
  c->sequence = arena_array(r->f->arena, better * size + 1, sizeof *c->sequence);
  c->generation = arena_array(r->f->arena, (size_t)better + 1, sizeof *c->generation);
  if (!c->sequence || !c->generation) return false;
  for (uint32_t i = 0; i < h->count; i++) {
    if (!h->items[i].u || (i && !(h->items[i].best > h->items[i - 1].best))) continue;
    for (uint32_t j = 0; j < x->k; j++) x->own[j] = h->items[i].u[x->unknown[j]];
    RunFailure f =
        sensitivity_run(x->at[level_rough].s, x->own, c->times, c->count, c->sequence + c->sequence_count * size, NULL);
    if (f.status == run_no_memory || f.status == run_interrupted) return false;
    if (f.status == run_done) c->generation[c->sequence_count++] = i;
  }
  return true;
}

bool result_curves(FitResult *r) {
  FitProblem *f = r->f;
  r->curves = arena_array(f->arena, (size_t)f->count + 1, sizeof *r->curves);
  bool ok = r->curves != NULL;
  for (uint32_t e = 0; ok && e < f->count; e++) {
    FitExperiment *x = &f->experiments[e];
    FitCurves *c = &r->curves[e];
    ok = put_times(r, x, c) && put_values(r, x, c) && put_sequence(r, x, c);
  }
  return ok;
}

// Uncertainty of an estimate. See result.h.
#include "fit/result.h"

#include <string.h>

typedef struct FitRemarks {
  Arena *arena;
  VEC(const char *) list;
} FitRemarks;

// ---- what the data cannot separate

static const char *factors(Arena *arena, const FitProblem *f, const double *v, uint32_t a, uint32_t b) {
  double ratio = v[b] / v[a];
  if (fabs(ratio + 1) < 1e-3) return arena_printf(arena, "%s*%s", f->unknowns[a].shown, f->unknowns[b].shown);
  if (fabs(ratio - 1) < 1e-3) return arena_printf(arena, "%s/%s", f->unknowns[a].shown, f->unknowns[b].shown);
  return NULL;
}

// One direction, in parts of each unknown's own size, along which nothing that was measured changes.
static void tell_direction(FitRemarks *out, const FitResult *r, const double *v) {
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
  bool alike = count > 2;
  for (uint32_t j = 0; j < f->k; j++) alike = alike && (v[j] == 0 || fabs(v[j] / v[part[0]] - 1) < 1e-3);
  const char *text = NULL, *through = count == 2 ? factors(out->arena, f, v, part[0], part[1]) : NULL;
  if (count == 1) text = arena_printf(out->arena, "%s has no influence on what was measured", text_str(&names));
  else if (through)
    text = arena_printf(out->arena, "%s act only through %s: the data cannot separate them", text_str(&names), through);
  else if (alike)
    text = arena_printf(out->arena, "only the ratios of %s count: the data cannot separate them", text_str(&names));
  else text = arena_printf(out->arena, "the data cannot separate %s", text_str(&names));
  if (text) vec_push(out->arena, &out->list, text);
}

// Where the Jacobian vanishes, like the derivative of p^2 at 0.
static void tell_vanishing(FitRemarks *out, FitResult *r) {
  const FitProblem *f = r->f;
  Text names = text_in(out->arena);
  uint32_t count = 0;
  for (uint32_t j = 0; j < f->k; j++) {
    if (r->rest.reach[j] == 0) continue;
    r->estimates[j].reach = r->rest.reach[j];
    text_printf(&names, "%s`%s`", count++ ? ", " : "", f->unknowns[j].shown);
  }
  const char *text =
      arena_printf(out->arena,
                   "the derivatives by %s vanish at the best fit%s: standard errors are not defined there, "
                   "intervals are those of profiles",
                   text_str(&names), count > 1 ? " along one direction" : "");
  if (text) vec_push(out->arena, &out->list, text);
}

// What the Jacobian sees: columns of length 1, their singular values and directions.
typedef struct FitAxes {
  double *length;     // of each column
  double *values, *v; // singular values, largest first; direction j is column j of v
} FitAxes;

static bool find_axes(FitResult *r, const Lm *m, FitAxes *out) {
  uint32_t k = r->f->k;
  out->v = arena_array(r->f->arena, (size_t)k * (2 * k + 2), sizeof *out->v);
  if (!out->v) return false;
  out->values = out->v + (size_t)k * k;
  out->length = out->values + k;
  r->rank = least_rank(m->R, k, out->v);
  if (r->rank > k - r->before.structure.lost) r->rank = k - r->before.structure.lost; // derivatives by differences
  return true;
}

// The null space of the Jacobian, in parts of the unknowns' own values. What was proved before is reported there.
static bool tell_unseen(FitResult *r, const FitAxes *a, FitRemarks *out) {
  uint32_t k = r->f->k;
  const Separable *proved = &r->before.structure;
  for (uint32_t g = 0; g < proved->groups.count; g++) {
    const SeparableGroup *group = &proved->groups.items[g];
    for (uint32_t i = 0; i < group->unknowns.count; i++) r->estimates[group->unknowns.items[i]].found = false;
  }
  double *one = arena_array(out->arena, k, sizeof *one);
  bool vanishes = r->rest.bend > 0;
  if (vanishes) tell_vanishing(out, r);
  for (uint32_t j = r->rank; one && j < k; j++) {
    if (vanishes && j + 1 == k) continue;
    for (uint32_t i = 0; i < k; i++) {
      double size = r->u[i] != 0 ? r->u[i] : r->f->unknowns[i].size, part = a->v[(size_t)i * k + j];
      one[i] = fabs(part) < 1e-6 ? 0 : part / (a->length[i] > 0 ? a->length[i] * size : 1);
      if (one[i] != 0) r->estimates[i].found = false;
    }
    if (proved->lost < k - r->rank) tell_direction(out, r, one);
  }
  return one != NULL;
}

// ---- covariance

// sigma^2 (J'J)^-1 over the directions that are seen, as A A'.
static bool put_axes(FitResult *r, const FitAxes *a) {
  uint32_t k = r->f->k;
  r->axes = arena_array(r->f->arena, (size_t)k * k, sizeof *r->axes);
  for (uint32_t j = 0; r->axes && j < k; j++) {
    for (uint32_t c = 0; c < r->rank; c++)
      r->axes[(size_t)j * k + c] =
          a->length[j] > 0 ? r->sigma * a->v[(size_t)j * k + c] / (a->length[j] * a->values[c]) : 0;
  }
  return r->axes != NULL;
}

// The fewest degrees of freedom of a noise that is found.
static double least_freedom(const FitProblem *f) {
  double least = INFINITY;
  for (uint32_t g = 0; g < f->group_count; g++) least = fmin(least, f->groups[g].freedom);
  return least;
}

// Standard errors, what counts as too far, correlations. A point that is no minimum has none of them.
static bool find_covariance(FitResult *r) {
  uint32_t k = r->f->k;
  r->correlation = arena_array(r->f->arena, (size_t)k * k, sizeof *r->correlation);
  double *one = arena_array(r->f->arena, k, sizeof *one), *w = arena_array(r->f->arena, (size_t)k * k, sizeof *w);
  if (arena_failed(r->f->arena)) return false;
  for (uint32_t i = 0; i < k; i++) {
    FitEstimate *e = &r->estimates[i];
    bool defined = e->found && !(e->reach > 0);
    one[i] = 1;
    double variance = result_variance(r, one, w + (size_t)i * k);
    one[i] = 0;
    e->stderr_ = r->rest.not_at_rest ? NAN : defined ? sqrt(variance) : INFINITY;
    double freedom = defined ? noise_freedom(r->f, w + (size_t)i * k, variance, 0, 0) : least_freedom(r->f);
    e->bound = pow(result_t(freedom), 2);
  }
  for (uint32_t i = 0; i < k; i++) {
    for (uint32_t j = 0; j < k; j++) {
      double sizes = r->estimates[i].stderr_ * r->estimates[j].stderr_;
      r->correlation[(size_t)i * k + j] = !isfinite(sizes) ? NAN : i == j ? 1 : w[(size_t)i * k + j] / sizes;
    }
  }
  return true;
}

// ---- identifiable combinations of the unknowns

static double combine_terms(const FitResult *r, const SeparableCombination *c, double *slopes) {
  uint32_t k = r->f->k;
  double value = 0;
  memset(slopes, 0, k * sizeof *slopes);
  for (uint32_t i = 0; i < c->terms.count; i++) {
    const SeparableTerm *t = &c->terms.items[i];
    double part = t->factor;
    for (uint32_t j = 0; j < k; j++) part *= pow(r->u[j], t->powers[j]);
    for (uint32_t j = 0; j < k; j++) slopes[j] += t->powers[j] != 0 ? t->powers[j] * part / r->u[j] : 0;
    value += part;
  }
  return value;
}

// The value of one, and its gradient by the unknowns.
static double combine(const FitResult *r, const SeparableCombination *c, bool sums, double *slopes) {
  uint32_t k = r->f->k;
  double value = sums ? 0 : 1;
  if (!c->number) return combine_terms(r, c, slopes);
  for (uint32_t j = 0; j < k; j++) value = sums ? value + c->number[j] * r->u[j] : value * pow(r->u[j], c->number[j]);
  for (uint32_t j = 0; j < k; j++)
    slopes[j] = sums ? c->number[j] : c->number[j] != 0 ? c->number[j] * value / r->u[j] : 0;
  return value;
}

// By the Jacobian alone: what stands in a combination has no profile.
static bool find_lumped(FitResult *r) {
  uint32_t k = r->f->k;
  const Separable *proved = &r->before.structure;
  double *slopes = arena_array(r->f->arena, k, sizeof *slopes), *w = arena_array(r->f->arena, k, sizeof *w);
  size_t most = 1;
  for (uint32_t g = 0; g < proved->groups.count; g++) most += proved->groups.items[g].by.count;
  r->lumped = arena_array(r->f->arena, most, sizeof *r->lumped);
  if (!slopes || !w || !r->lumped) return false;
  for (uint32_t g = 0; g < proved->groups.count && !r->rest.not_at_rest; g++) {
    const SeparableGroup *group = &proved->groups.items[g];
    for (uint32_t i = 0; i < group->by.count; i++) {
      FitCombination *to = &r->lumped[r->lumped_count];
      *to = (FitCombination){.text = group->by.items[i].text};
      to->value = combine(r, &group->by.items[i], group->sums, slopes);
      double variance = result_variance(r, slopes, w), t = result_t(noise_freedom(r->f, w, variance, 0, 0));
      to->stderr_ = sqrt(variance);
      to->low = to->value - t * to->stderr_;
      to->high = to->value + t * to->stderr_;
      if (isfinite(to->value) && isfinite(to->stderr_)) r->lumped_count++;
    }
  }
  return true;
}

// ---- residuals

static bool test_columns(FitResult *r, const double *residuals) {
  const FitProblem *f = r->f;
  size_t columns = 0;
  for (uint32_t e = 0; e < f->count; e++) columns += f->experiments[e].width;
  r->columns = arena_array(f->arena, columns + 1, sizeof *r->columns);
  double *room = arena_array(f->arena, fit_column_room(f), sizeof *room);
  if (arena_failed(f->arena)) return false;
  columns = 0;
  for (uint32_t e = 0; e < f->count; e++) {
    const FitExperiment *x = &f->experiments[e];
    for (uint32_t c = 0; c < x->width; c++) {
      size_t count;
      const double *one = fit_column(f, residuals, e, c, room, &count);
      double sd = x->columns[c].sd, sum = fit_cost(one, count);
      r->columns[columns].r2 = x->columns[c].total > 0 ? 1 - sum * sd * sd / x->columns[c].total : NAN;
      r->columns[columns].rms = count ? sd * sqrt(sum / (double)count) : NAN;
      r->columns[columns++].tests = residual_tests(one, count);
    }
  }
  return true;
}

// Of normal noise: -2 log likelihood + 2 (or log N) times the number of what was found. The likelihood has the variance
// of each group that makes it largest, S_g/N_g: scale^2 freedom/N.
static void find_criteria(FitResult *r) {
  const FitProblem *f = r->f;
  double n = (double)f->points, k = f->k, base = n * log(2 * 3.14159265358979323846);
  for (uint32_t e = 0; e < f->count; e++) {
    for (uint32_t c = 0; c < f->experiments[e].width; c++) {
      const FitColumn *column = &f->experiments[e].columns[c];
      base += 2 * column->points * log(isnan(column->given) ? column->spread : column->given);
    }
  }
  for (uint32_t g = 0; g < f->group_count; g++) {
    const FitNoiseGroup *x = &f->groups[g];
    double own = (double)x->points, sum = noise_is_weighed(f) ? x->sums.cost : r->cost;
    base += x->given ? sum : own * (log(sum / own) + 1);
    k += !x->given; // the size of its noise
  }
  bool robust = r->loss.kind != loss_square; // not the likelihood of normal noise
  r->aic = robust ? NAN : base + 2 * k;
  r->bic = robust ? NAN : base + k * log(n);
}

// ---- the whole

static void see_bounds(FitResult *r, FitRemarks *out) {
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

static void put_linear_intervals(FitResult *r) {
  for (uint32_t i = 0; i < r->f->k; i++) {
    FitEstimate *e = &r->estimates[i];
    double t = sqrt(e->bound);
    e->low = e->high = NAN;
    if (r->rest.not_at_rest) continue;
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

// What pictures need of the estimate, before profiles go elsewhere.
static bool keep_for_pictures(FitResult *r, const double *residuals) {
  r->residuals = arena_array(r->f->arena, r->f->points + 1, sizeof *r->residuals);
  if (r->residuals) memcpy(r->residuals, residuals, r->f->points * sizeof *residuals);
  return r->residuals != NULL;
}

static void tell_lost(const FitResult *r, FitRemarks *out) {
  for (uint32_t i = 0; i < r->f->k; i++) {
    const FitEstimate *e = &r->estimates[i];
    const char *text = !e->lost && !e->narrow
                           ? NULL
                           : arena_printf(out->arena, "the profile of `%s` could not be followed to its end: %s",
                                          r->f->unknowns[i].shown,
                                          e->narrow      ? "its interval may be wider than this"
                                          : e->reach > 0 ? "it has no interval"
                                                         : "its interval is that of the standard error");
    if (text) vec_push(out->arena, &out->list, text);
  }
}

// Values elsewhere that fit as well, and that the intervals do not hold: an interval is that about the estimate.
static void tell_twin(const FitResult *r, FitRemarks *out) {
  const FitProblem *f = r->f;
  bool outside = false, told = r->rest.twin && r->rank == f->k && !r->before.structure.lost;
  Text text = text_in(out->arena);
  text_put(&text, "values elsewhere fit as well:");
  for (uint32_t i = 0; told && i < f->k; i++) {
    const FitEstimate *e = &r->estimates[i];
    outside = outside || r->rest.twin[i] < e->low || r->rest.twin[i] > e->high;
    text_printf(&text, "%s %s = %.4g", i ? "," : "", f->unknowns[i].shown, r->rest.twin[i]);
  }
  text_put(&text, "; the intervals are those about the estimate alone");
  const char *whole = outside ? text_str(&text) : NULL;
  if (whole) vec_push(out->arena, &out->list, whole);
}

static const char fits_better[] =
    "values beside these fit better, so that they have no profiles: the intervals are those of the standard errors; "
    "`auto` or `lm` finds the best fit";
static const char no_estimate[] =
    "this is the best point of a search and no estimate: the cost still falls beside it, so that there are no standard "
    "errors and no intervals; `auto` or `lm` finds the best fit";

static const char interrupted[] =
    "interrupted among the profiles: where one was not followed to its end, the interval is that of the standard error";

// Intervals by profiles, and profiles as curves.
static bool find_profiles(FitResult *r, Lm *m, double spread, bool pictures, FitRemarks *remarks) {
  FitProblem *f = r->f;
  r->rest.lower = arena_array(f->arena, f->k, sizeof *r->rest.lower);
  if (!r->rest.lower) return false;
  if (!profile_intervals(r, m, spread)) {
    r->no_ends = !arena_failed(f->arena);
    if (r->no_ends) vec_push(f->arena, &remarks->list, interrupted);
    r->remarks = remarks->list.items;
    r->remark_count = remarks->list.count;
    return false;
  }
  if (r->rest.not_least) put_linear_intervals(r);
  if (r->rest.not_least) vec_push(f->arena, &remarks->list, fits_better);
  tell_lost(r, remarks);
  if (!r->rest.not_least) tell_twin(r, remarks);
  r->remarks = remarks->list.items;
  r->remark_count = remarks->list.count;
  if (arena_failed(f->arena)) return false;
  if (r->rest.not_least) return true;
  uint64_t motions = f->motions; // what pictures cost is no part of the fit
  bool ok = !pictures || profile_curves(r, m, spread);
  f->motions = motions;
  return ok;
}

// What is given beside what is left: do the residuals have the size that the standard deviations say?
static void find_chi(FitResult *r, FitRemarks *remarks) {
  const double unlikely = 1e-3;
  const FitProblem *f = r->f;
  const FitNoiseGroup *given = f->group_count && f->groups[0].given ? &f->groups[0] : NULL;
  r->chi = (FitChi){NAN, NAN, NAN};
  if (!given) return;
  r->chi.square = f->noise_known ? r->cost : given->sums.cost;
  r->chi.freedom = f->noise_known ? (double)r->freedom : (double)given->points - given->used;
  if (r->chi.freedom > 0) r->chi.p = chi_square_above(r->chi.square, r->chi.freedom);
  if (!(r->chi.p < unlikely) || r->loss.kind != loss_square || r->rest.not_at_rest) return;
  const char *text =
      arena_printf(remarks->arena,
                   "chi^2 is %.4g of %.4g degrees of freedom (p = %.2g): the residuals are %.3g times as "
                   "large as the standard deviations that are given, so that the model or these are wrong, "
                   "and the intervals are too narrow",
                   r->chi.square, r->chi.freedom, r->chi.p, sqrt(r->chi.square / r->chi.freedom));
  if (text) vec_push(remarks->arena, &remarks->list, text);
}

// sigma, and the degrees of freedom of one size of noise alone.
static void find_sigma(FitResult *r) {
  FitProblem *f = r->f;
  size_t used = r->rank + (r->rest.bend > 0 && r->rank < f->k);
  bool robust = r->loss.kind != loss_square;
  r->freedom = f->points - used;
  if (!noise_is_weighed(f) && !f->noise_known) f->groups[0].freedom = (double)r->freedom;
  double found = r->freedom ? sqrt(r->cost / (double)r->freedom) : NAN;
  r->sigma = robust ? r->loss_spread.sigma : f->noise_known ? 1 : noise_is_weighed(f) ? f->noise_unit : found;
}

bool result_finish(FitResult *r, Lm *m, FitWanted wanted) {
  FitProblem *f = r->f;
  FitRemarks remarks = {.arena = f->arena};
  FitAxes axes;
  r->estimates = arena_array(f->arena, f->k, sizeof *r->estimates);
  if (!r->estimates) return false;
  for (uint32_t i = 0; i < f->k; i++) r->estimates[i] = (FitEstimate){.value = r->u[i], .found = true};
  r->r2 = fit_r2(f, r->search_cost);
  bool robust = r->loss.kind != loss_square;
  if (!find_axes(r, m, &axes) || !tell_unseen(r, &axes, &remarks)) return false;
  find_sigma(r);
  const double *residuals = lm_residuals(m, r->u);
  if (!residuals || !put_axes(r, &axes) || !find_covariance(r) || !test_columns(r, residuals)) return false;
  find_criteria(r);
  find_chi(r, &remarks);
  see_bounds(r, &remarks);
  note_differences(r);
  put_linear_intervals(r);
  if (r->rest.not_at_rest) vec_push(f->arena, &remarks.list, no_estimate);
  if (!find_lumped(r)) return false;
  r->remarks = remarks.list.items;
  r->remark_count = remarks.list.count;
  if (arena_failed(f->arena)) return false;
  if (wanted.pictures && (!keep_for_pictures(r, residuals) || !result_curves(r))) return false;
  if (!wanted.profiles || !(r->sigma > 0) || r->rest.not_at_rest) return true;
  double plain = r->cost, spread = robust ? r->loss_spread.profile : r->sigma * r->sigma;
  if (robust) f->loss = r->loss, r->cost = r->loss_cost;
  bool ok = find_profiles(r, m, spread, wanted.pictures, &remarks);
  if (robust) f->loss = (FitLoss){loss_square, 1}, r->cost = plain;
  return ok;
}

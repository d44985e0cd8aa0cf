// Parameter estimation from data. See fit.h.
//
// A global search ends with the Jacobian at its best point. The Levenberg-Marquardt method goes on from there (`auto`),
// or the result stays what the search found (all other methods).
#include "fit/fit.h"

#include "fit/identify.h"

#include <string.h>

typedef enum FitMethod { method_auto, method_lm, method_ga, method_ga_binary, method_de, method_cmaes } FitMethod;

static const char *const names[] = {"auto", "lm", "ga", "ga-binary", "de", "cmaes"};
enum { method_count = sizeof names / sizeof *names };

static bool find_method(const char *name, FitMethod *method, Diags *diags) {
  *method = method_auto;
  for (int i = 0; name && i < method_count; i++) {
    if (strcmp(names[i], name) != 0) continue;
    *method = (FitMethod)i;
    return true;
  }
  if (!name) return true;
  diag_error(diags, diag_unknown_method, (Span){0}, "there is no method `%s`", name);
  diag_hint(diags, "a fit goes by auto, lm, ga, ga-binary, de or cmaes");
  return false;
}

static RunStatus status_of(LmStatus s) {
  switch (s) {
  case lm_found:
  case lm_many: return run_done;
  case lm_interrupted: return run_interrupted;
  case lm_no_memory: return run_no_memory;
  case lm_failed: break;
  }
  return run_failed;
}

// Where a descent ended although it is not at rest; NULL: it rests.
static const char *unrest_of(Arena *arena, const LmResult *found) {
  if (found->status == lm_many)
    return arena_printf(arena,
                        "the fit did not converge: after %u steps its cost still falls, and the values shown are "
                        "only the best so far; ranges of the unknowns, or other values to begin with, may help",
                        found->steps);
  if (found->status == lm_found && found->offset > 0.1)
    return "the fit did not converge: no step leads further down, but the gradient says that there is a way; motions "
           "may be too inexact for them (a smaller `--rtol`), or the outputs jump or have corners in the unknowns";
  return NULL;
}

// One direction in the null space of the Jacobian, though the equations may see it: does the cost see it? The unknown
// that goes furthest is moved, and all others follow. H as lm.h has it, 0: it is flat, or there is no such direction.
static double bend_unseen(FitResult *r, Lm *m, double *room) {
  const double part = 0.1;
  FitProblem *f = r->f;
  uint32_t k = f->k, first = 0;
  if (k < 2 || r->before.structure.lost || least_rank(m->R, k, room) + 1 != k) return 0;
  const double *v = room, *length = room + (size_t)k * k + k;
  double *to = arena_array(f->arena, k, sizeof *to), longest = 0, rise = 0;
  bool *fixed = arena_array(f->arena, k, sizeof *fixed);
  if (arena_failed(f->arena)) return 0;
  for (uint32_t i = 0; i < k; i++) {
    double along = v[(size_t)i * k + k - 1];
    m->vanishing[i] = length[i] > 0 && fabs(along) > 1e-6 ? along / length[i] : 0;
    double size = fabs(m->vanishing[i]) / lm_scale(m, r->u, i);
    if (size > longest) longest = size, first = i;
  }
  for (uint32_t i = 0; i < k && longest > 0; i++) m->vanishing[i] /= longest;
  for (int side = 0; side < 2 && longest > 0; side++) {
    double by = part * (side ? m->vanishing[first] : -m->vanishing[first]);
    memcpy(to, r->u, k * sizeof *to);
    to[first] += by;
    fixed[first] = true;
    if (to[first] < f->least[first] || to[first] > f->most[first]) continue;
    LmResult found = lm_run(m, to, &(LmSettings){.most = 60, .gain = 1e-12, .step = 1e-9, .fixed = fixed});
    if (found.status == lm_found && isfinite(found.cost)) rise = fmax(rise, found.cost - r->cost);
  }
  // the Jacobian at the estimate, once more
  lm_run(m, r->u, &(LmSettings){.most = 0});
  return rise > 1e-4 * r->cost / (double)f->points ? 2 * rise / (part * part) : 0;
}

// The Jacobian vanishes along a direction at the estimate: R without it gives the others.
static void note_vanishing(FitResult *r, Lm *m, const LmResult *found) {
  FitProblem *f = r->f;
  r->rest.bend = 0;
  r->rest.reach = arena_array(f->arena, f->k, sizeof *r->rest.reach);
  double *room = arena_array(f->arena, (size_t)f->k * (2 * f->k + 2), sizeof *room);
  if (found->offset > 0.1 || arena_failed(f->arena)) return;
  double largest = 0, bend = found->bend > 0 ? found->bend : bend_unseen(r, m, room);
  if (!(bend > 0)) return;
  r->rest.bend = bend;
  for (uint32_t j = 0; j < f->k; j++) largest = fmax(largest, fabs(m->vanishing[j]) / lm_scale(m, r->u, j));
  for (uint32_t j = 0; j < f->k; j++) {
    double by = fabs(m->vanishing[j]);
    r->rest.reach[j] = by / lm_scale(m, r->u, j) > 1e-3 * largest ? by * sqrt(2 / bend) : 0;
  }
  lm_drop_vanishing(m, r->u, room);
}

// Local minimization from r->u; most 0: only the Jacobian at r->u.
static void polish(FitResult *r, Lm *m, uint32_t most) {
  FitProblem *f = r->f;
  LmSettings settings = lm_defaults();
  settings.most = most;
  LmResult found = lm_run(m, r->u, &settings);
  r->cost = found.cost;
  if (!f->weighed) r->search_cost = r->cost;
  r->status = status_of(found.status);
  if (found.status == lm_failed) {
    r->message = f->failure;
    r->place = f->failure_place;
    return;
  }
  const char *unrest = most ? unrest_of(f->arena, &found) : NULL;
  r->rest.offset = found.offset;
  if (most) note_vanishing(r, m, &found);
  if (!unrest) return;
  r->status = run_failed;
  r->message = unrest;
  r->partial = true;
}

static RunStatus failure_of(const FitProblem *f) {
  return arena_failed(f->arena) ? run_no_memory : fit_interrupted(f) ? run_interrupted : run_failed;
}

// ---- outliers

// The scales of all groups by the medians of their residuals r, which are the plain ones; room: m->q, m->bend_r.
static void scale_by_medians(FitProblem *f, Lm *m, const double *r) {
  for (uint32_t g = 0; g < f->group_count; g++) {
    size_t n = 0;
    for (uint32_t e = 0; e < f->count && !f->groups[g].given; e++) {
      for (uint32_t i = 0; i < f->experiments[e].width; i++) {
        const FitColumn *c = &f->experiments[e].columns[i];
        size_t count;
        if (c->group != g) continue;
        const double *one = fit_column(f, r, e, i, m->q, &count);
        for (size_t k = 0; k < count; k++) m->bend_r[n++] = one[k] * c->sd / c->spread;
      }
    }
    if (n) f->groups[g].scale = fmax(loss_scale(m->bend_r, n, m->q), 1e-12);
  }
}

// s follows the residuals, and the estimate s, until both stand still. Jacobian and residuals are the plain ones then.
static void settle_loss(FitResult *r, Lm *m, bool descends) {
  enum { most = 40 };
  FitProblem *f = r->f;
  FitLoss plain = {loss_square, 1};
  for (int i = 0; i < most && r->status == run_done; i++) {
    r->loss = f->loss;
    r->loss_cost = r->cost;
    f->loss = plain;
    bool ok = fit_residuals(f, r->u, m->try_r, NULL);
    if (ok) scale_by_medians(f, m, m->try_r);
    double change = ok ? noise_weigh(f) : 0;
    f->loss = (FitLoss){r->loss.kind, f->noise_unit};
    bool settled = !ok || fmax(change, fabs(f->noise_unit / r->loss.scale - 1)) < 1e-6;
    if (settled) break;
    polish(r, m, descends ? lm_defaults().most : 0);
  }
  if (r->status != run_done) return;
  double offset = r->rest.offset; // that of the loss
  f->loss = plain;
  polish(r, m, 0);
  r->rest.offset = offset;
  r->loss_spread = loss_spread(&r->loss, m->r, f->points, f->k);
  if (noise_is_weighed(f) && !(noise_look(f, r->u) && noise_count_freedom(f, f->k - r->before.structure.lost)))
    r->status = failure_of(f);
  if (r->status == run_done && noise_is_weighed(f)) r->search_cost = noise_search_cost(f);
}

// ---- noise of several columns

// Weights follow the residuals of each column, and the estimate the weights, until both stand still. The best point of
// a search stays where it is.
static void settle_noise(FitResult *r, Lm *m, bool descends) {
  enum { most = 100 };
  FitProblem *f = r->f;
  double change = INFINITY;
  for (int i = 0; i < most && r->status == run_done && change > 1e-6; i++) {
    bool ok = noise_look(f, r->u) && noise_estimate(f, f->k - r->before.structure.lost);
    if (!ok) r->status = failure_of(f);
    if (!ok) return;
    r->search_cost = noise_search_cost(f);
    change = noise_weigh(f);
    polish(r, m, descends ? lm_defaults().most : 0);
  }
  if (r->status != run_done || change <= 1e-6) return;
  r->status = run_failed;
  r->partial = true;
  r->message = "the fit did not converge: the noise of the columns and the values follow each other without end; "
               "say how exact the columns are: `by x sd 0.01`";
}

// ---- searches

// R^2 that noise alone gives N points and k unknowns is about k/N; a search picks the best of many.
static double by_chance(const FitProblem *f) { return (2.0 * f->k + 8) / (double)f->points; }

static bool has_ranges(const FitProblem *f, FitMethod method, Diags *diags) {
  bool all = true;
  for (uint32_t i = 0; i < f->k; i++) {
    if (!isnan(f->unknowns[i].from)) continue;
    all = false;
    if (method == method_auto) continue;
    diag_error(diags, diag_bad_setting, f->unknowns[i].span, "`%s` searches a range, and `%s` has none", names[method],
               f->unknowns[i].name);
    diag_hint(diags, "write `%s in 0 .. 10`, or take `--method lm`", f->unknowns[i].name);
  }
  return all;
}

static uint32_t population(const FitSettings *s, FitMethod method, uint32_t k) {
  if (s->search.population) return s->search.population;
  switch (method) {
  case method_de: return 10 * k < 20 ? 20 : 10 * k;
  case method_cmaes: return 8 + 4 * k;
  case method_auto: return 32 + 16 * k;
  default: return 70;
  }
}

static void run_method(Explore *s, FitMethod method) {
  if (method == method_de) explore_differential(s);
  else if (method == method_cmaes) explore_adaptation(s);
  else explore_genetic(s, method == method_ga_binary);
}

// Nothing is left but noise, and what was found explains more than chance: however often it was found, it is the best.
static bool leaves_noise(const FitResult *r, Lm *m) {
  FitProblem *f = r->f;
  double *room = arena_array(f->arena, fit_column_room(f), sizeof *room);
  return room && fit_r2(f, r->cost) > by_chance(f) && auto_only_noise_is_left(f, lm_residuals(m, r->u), room);
}

static void search(FitResult *r, Lm *m, FitMethod method, const FitSettings *settings, bool ranged) {
  Explore s;
  FitProblem *f = r->f;
  r->seeded = true;
  if (!explore_open(&s, f, &settings->search, settings->seed, population(settings, method, f->k), &r->history)) return;
  if (method == method_auto) {
    auto_run(r, m, &s, &(AutoSettings){.ranged = ranged});
    if (r->status == run_done) polish(r, m, lm_defaults().most);
    if (r->status != run_done || !r->once || fit_r2(f, r->cost) > 0.9 || leaves_noise(r, m)) return;
    r->status = run_failed;
    r->partial = true;
    r->message =
        "the search spent its simulations and found this point only once: values elsewhere in the range may fit "
        "better; narrower ranges, values of the model to begin with, or another `--seed` may help";
    return;
  }
  run_method(&s, method);
  r->status = arena_failed(f->arena) ? run_no_memory : run_interrupted;
  if (s.stopped) return;
  r->status = run_failed;
  r->message = "the motion fails everywhere in the range: no individual reaches the end of the data";
  if (!isfinite(s.best_cost)) return;
  r->message = NULL;
  explore_values(&s, s.best, r->u);
  polish(r, m, 0);
}

// Identifiability, before anything is searched. False: out of memory, or it was interrupted.
static bool look_before(FitResult *r, uint64_t seed, Diags *diags) {
  const FitProblem *f = r->f;
  // roughly first: what is clearly identifiable needs no digits
  bool ok = identify_structure(r->f, &r->before.structure);
  r->f->level = level_rough;
  ok = ok && identify(r->f, seed, &r->before);
  r->f->level = level_exact;
  if (ok && !(r->before.rank == f->k && r->before.least > 1e-3)) ok = identify(r->f, seed, &r->before);
  if (!ok) return false;
  identify_tell_sizes(f, &r->before, diags);
  for (uint32_t j = 0; j < f->k && r->before.points; j++) {
    if (r->before.moves[j] && !separable_is_idle(&r->before.structure, j)) continue;
    diag_error(diags, diag_bad_setting, f->unknowns[j].span, "`%s` has no influence on what was measured",
               f->unknowns[j].shown);
  }
  return true;
}

// What was found until somebody said that it is enough.
static void keep_best(FitResult *r) {
  FitProblem *f = r->f;
  bool found = r->partial || (r->status == run_interrupted && isfinite(f->best.cost));
  r->estimates = found ? arena_array(f->arena, f->k, sizeof *r->estimates) : NULL;
  r->partial = r->estimates != NULL;
  if (!r->partial) return;
  if (r->status == run_interrupted) {
    memcpy(r->u, f->best.u, f->k * sizeof *r->u);
    r->cost = r->search_cost = f->best.cost;
  }
  for (uint32_t i = 0; i < f->k; i++)
    r->estimates[i] = (FitEstimate){.value = r->u[i], .stderr_ = NAN, .low = NAN, .high = NAN};
  r->r2 = fit_r2(f, r->search_cost);
}

static void start_loss(FitProblem *f, FitLossKind kind) {
  f->loss = (FitLoss){kind, kind == loss_square || f->noise_known ? 1 : 0.1};
}

// A constant explains the data as well as what was found, or better: no success, whoever found it. Of N points and k
// unknowns noise alone gives N R^2 of about k, and a search picks the best of many. Noise that is known decides first:
// what is left may be nothing but that.
static void refuse_chance(FitResult *r) {
  const FitProblem *f = r->f;
  double freedom = (double)f->points - f->k, r2 = fit_r2(f, r->search_cost);
  bool only_noise = f->noise_known && r->cost <= freedom + 5 * sqrt(2 * freedom);
  if (!(f->total > 0) || only_noise || r2 >= fmin(by_chance(f), 0.5)) return;
  r->status = run_failed;
  r->partial = true;
  r->message = r2 < 0
                   ? "this is no fit: R^2 is below 0, the mean of the data alone explains it better; other ranges, "
                     "another method or another model may"
                   : "this is no fit: it explains no more of the data than chance does; other ranges, another method "
                     "or another model may";
}

// How sure it is. Where a profile finds a lower cost, a method that descends goes on from there.
static void finish(FitResult *r, Lm *m, const FitSettings *settings, bool descends) {
  enum { most = 4 };
  FitWanted wanted = {!settings->no_profiles, settings->pictures};
  for (int i = 0; i < most && r->status == run_done; i++) {
    r->rest.not_least = false;
    r->lumped_count = 0;
    if (!result_finish(r, m, wanted)) r->status = arena_failed(r->f->arena) ? run_no_memory : run_interrupted;
    if (!r->rest.not_least || !descends || r->loss.kind != loss_square || i + 1 == most) return;
    memcpy(r->u, r->rest.lower, r->f->k * sizeof *r->u);
    polish(r, m, lm_defaults().most);
    if (noise_is_weighed(r->f)) settle_noise(r, m, true);
  }
}

FitResult fit_run(Arena *arena, const FitData *data, uint32_t count, const FitSettings *settings, Diags *diags) {
  FitResult r = {.status = run_input, .seed = settings->seed};
  FitMethod method;
  Lm m;
  if (!find_method(settings->method, &method, diags)) return r;
  r.f = fit_problem_new(arena, data, count, &settings->run, diags);
  bool ranged = r.f && (method == method_lm || has_ranges(r.f, method, diags));
  bool grouped = r.f && noise_make_groups(r.f, diags);
  r.method = names[method];
  if (diags->errors) return r;
  r.status = run_no_memory;
  if (!grouped) return r;
  r.u = arena_array(arena, r.f->k, sizeof *r.u);
  r.f->loss.kind = settings->loss; // outliers need all residuals at once
  if (!r.u || !lm_init(&m, r.f)) return r;
  r.f->loss.kind = loss_square;
  for (uint32_t i = 0; i < r.f->k; i++) r.u[i] = r.f->unknowns[i].start;
  r.f->listener = settings->listener;
  if (!look_before(&r, settings->seed, diags)) {
    r.status = arena_failed(arena) ? run_no_memory : run_interrupted;
    return r;
  }
  r.status = run_input;
  if (diags->errors) return r;
  r.only_before = settings->only_before;
  if (r.only_before) {
    r.status = run_done;
    return r;
  }
  start_loss(r.f, settings->loss);
  if (settings->loss != loss_square) r.f->best.cost = INFINITY; // costs are others now
  bool descends = method == method_lm || method == method_auto;
  if (method == method_lm) polish(&r, &m, lm_defaults().most);
  else search(&r, &m, method, settings, ranged);
  if (settings->loss != loss_square) settle_loss(&r, &m, descends);
  else if (noise_is_weighed(r.f)) settle_noise(&r, &m, descends);
  r.rest.not_at_rest = !descends && r.rest.offset > 0.1;
  if (r.status == run_done) refuse_chance(&r);
  if (r.status == run_done) finish(&r, &m, settings, descends);
  if (r.status != run_done && !r.no_ends) keep_best(&r);
  return r;
}

// ---- an index of performance

// Evolution with an adapted covariance, again from elsewhere with twice as many, until it ends at the same index.
static bool search_index(FitResult *r, const FitSettings *settings) {
  FitProblem *f = r->f;
  double before = INFINITY;
  uint32_t size = population(settings, method_cmaes, f->k);
  for (uint32_t i = 0; i < 5 && f->motions < 2000; i++, size *= 2) {
    Explore s;
    if (!explore_open(&s, f, &settings->search, settings->seed + i, size, &r->history)) return false;
    explore_adaptation(&s);
    if (s.stopped) return false;
    bool again = isfinite(before) && fabs(s.best_cost - before) <= 1e-4 * fmax(fabs(before), 1e-12);
    if (again) break;
    before = fmin(before, s.best_cost);
  }
  return true;
}

static bool evolve_index(FitResult *r, FitMethod method, const FitSettings *settings) {
  Explore s;
  if (method == method_auto) return search_index(r, settings);
  if (!explore_open(&s, r->f, &settings->search, settings->seed, population(settings, method, r->f->k), &r->history))
    return false;
  run_method(&s, method);
  return !s.stopped;
}

static void finish_index(FitResult *r) {
  FitProblem *f = r->f;
  FitIndex *x = f->index;
  r->status = run_failed;
  r->message = x->failure ? x->failure : "the index has no value anywhere in the range";
  if (!isfinite(f->best.cost)) return;
  r->cost = f->best.cost;
  memcpy(r->u, f->best.u, f->k * sizeof *r->u);
  if (!index_measures(f, r->u)) return;
  r->status = run_done;
  r->message = NULL;
  if (r->cost < index_violated) return;
  r->status = run_failed;
  r->partial = true;
  r->message = "no point that was tried obeys all conditions: the nearest one is shown";
}

FitResult fit_index_run(Arena *arena, const FitData *data, uint32_t count, const IndexRequest *request,
                        const FitSettings *settings, Diags *diags) {
  FitResult r = {.status = run_input, .seed = settings->seed, .seeded = true, .r2 = NAN, .cost = NAN};
  FitMethod method;
  if (!find_method(settings->method, &method, diags)) return r;
  if (method == method_lm) {
    diag_error(diags, diag_bad_setting, (Span){0}, "`lm` compares with data: an index has none");
    diag_hint(diags, "an index becomes least by auto, ga, ga-binary, de or cmaes");
    return r;
  }
  r.f = index_problem_new(arena, data, count, request, &settings->run, diags);
  for (uint32_t i = 0; r.f && i < r.f->k; i++) {
    if (!isnan(r.f->unknowns[i].from)) continue;
    diag_error(diags, diag_bad_setting, r.f->unknowns[i].span, "`%s` has no range to be searched",
               r.f->unknowns[i].name);
    diag_hint(diags, "write `%s in 0 .. 10`", r.f->unknowns[i].name);
  }
  r.method = names[method];
  if (diags->errors) return r;
  r.status = run_no_memory;
  if (!r.f || !(r.u = arena_array(arena, r.f->k, sizeof *r.u))) return r;
  r.f->listener = settings->listener;
  bool *idle = arena_array(arena, r.f->k, sizeof *idle);
  bool ended = idle && index_find_idle(r.f, settings->seed, idle);
  for (uint32_t i = 0; ended && i < r.f->k; i++) {
    if (!idle[i]) continue;
    diag_warning(diags, diag_bad_setting, r.f->unknowns[i].span, "`%s` has no influence on the index, as it seems",
                 r.f->unknowns[i].shown);
    diag_hint(diags, "other values of it gave the same index at all points that were tried: what is found for it says "
                     "nothing");
  }
  ended = ended && evolve_index(&r, method, settings);
  r.estimates = arena_array(arena, r.f->k, sizeof *r.estimates);
  if (arena_failed(arena)) return r;
  if (ended) finish_index(&r);
  else {
    r.status = run_interrupted;
    r.partial = isfinite(r.f->best.cost);
    r.cost = r.f->best.cost;
    memcpy(r.u, r.f->best.u, r.f->k * sizeof *r.u);
  }
  for (uint32_t i = 0; i < r.f->k; i++) {
    double width = r.f->most[i] - r.f->least[i];
    bool at_bound = r.u[i] <= r.f->least[i] + 1e-9 * width || r.u[i] >= r.f->most[i] - 1e-9 * width;
    r.estimates[i] = (FitEstimate){
        .value = r.u[i], .stderr_ = NAN, .low = NAN, .high = NAN, .at_bound = at_bound, .found = !idle[i]};
  }
  return r;
}

void fit_free(FitResult *r) {
  if (r->f && r->f->index) program_free(r->f->index->p);
  fit_problem_free(r->f);
}

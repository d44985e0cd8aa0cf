// Parameters from data. See fit.h.
//
// A search over the range ends with slopes at its best point, which Levenberg and Marquardt's method takes (`auto`) or
// leaves (the others, whose result is what they found).
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

// Downhill from r->u; most 0: slopes are taken where it is.
static void polish(FitResult *r, Lm *m, uint32_t most) {
  FitProblem *f = r->f;
  LmSettings settings = lm_defaults();
  settings.most = most;
  LmResult found = lm_run(m, r->u, &settings);
  r->cost = found.cost;
  r->status = status_of(found.status);
  if (found.status != lm_failed) return;
  r->message = f->failure;
  r->place = f->failure_place;
}

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

static void search(FitResult *r, Lm *m, FitMethod method, const FitSettings *settings) {
  Explore s;
  FitProblem *f = r->f;
  r->seeded = true;
  if (!explore_open(&s, f, &settings->search, settings->seed, population(settings, method, f->k), &r->history)) return;
  if (method == method_auto) {
    auto_run(r, m, &s, &(AutoSettings){0});
    if (r->status == run_done) polish(r, m, lm_defaults().most);
    return;
  }
  if (method == method_de) explore_differential(&s);
  else if (method == method_cmaes) explore_adaptation(&s);
  else explore_genetic(&s, method == method_ga_binary);
  r->status = arena_failed(f->arena) ? run_no_memory : run_interrupted;
  if (s.stopped) return;
  r->status = run_failed;
  r->message = "the motion fails everywhere in the range: no individual reaches the end of the data";
  if (!isfinite(s.best_cost)) return;
  r->message = NULL;
  explore_values(&s, s.best, r->u);
  polish(r, m, 0);
}

// What the data can tell, before anything is searched. False: memory is out, or it was interrupted.
static bool look_before(FitResult *r, uint64_t seed, Diags *diags) {
  const FitProblem *f = r->f;
  if (!identify(r->f, seed, &r->before)) return false;
  identify_tell_sizes(f, &r->before, diags);
  for (uint32_t j = 0; j < f->k && r->before.points; j++) {
    if (r->before.moves[j] && !separable_is_idle(&r->before.structure, j)) continue;
    diag_error(diags, diag_bad_setting, f->unknowns[j].span, "`%s` has no influence on what was measured",
               f->unknowns[j].shown);
  }
  return true;
}

FitResult fit_run(Arena *arena, const FitData *data, uint32_t count, const FitSettings *settings, Diags *diags) {
  FitResult r = {.status = run_input, .seed = settings->seed};
  FitMethod method;
  Lm m;
  if (!find_method(settings->method, &method, diags)) return r;
  r.f = fit_problem_new(arena, data, count, &settings->run, diags);
  if (r.f && method != method_lm && !has_ranges(r.f, method, diags) && method == method_auto) method = method_lm;
  r.method = names[method];
  if (diags->errors) return r;
  r.status = run_no_memory;
  if (!r.f) return r;
  r.u = arena_array(arena, r.f->k, sizeof *r.u);
  if (!r.u || !lm_init(&m, r.f)) return r;
  for (uint32_t i = 0; i < r.f->k; i++) r.u[i] = r.f->unknowns[i].start;
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
  if (method == method_lm) polish(&r, &m, lm_defaults().most);
  else search(&r, &m, method, settings);
  if (r.status != run_done) return r;
  if (!result_finish(&r, &m, (FitWanted){!settings->no_profiles, settings->pictures})) r.status = arena_failed(arena) ? run_no_memory : run_interrupted;
  return r;
}

void fit_free(FitResult *r) { fit_problem_free(r->f); }

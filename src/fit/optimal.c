// Optimal experiment design among candidates. See optimal.h.
#include "fit/optimal.h"

#include "fit/least.h"
#include "fit/sensitivity_table.h"
#include "sim/program_start.h"
#include "tape/numbers.h"

#include <stdlib.h>
#include <string.h>

enum { most_numbers = 1 << 26 }; // sensitivities of one candidate

typedef struct Optimal {
  Arena *arena;
  const OptimalRequest *request;
  OptimalResult *r;
  Diags *diags;
  uint32_t varied; // names of the grid
  double *sd;      // by output
  // of the case at hand
  SimProgram *p;
  Variation vary;
  Sensitivity *s;
  double *times, *values, *slopes;
  uint32_t count, width;
  bool interrupted;
} Optimal;

// ---- what is asked

// Lines of the model that belong to no case name the unknowns.
static bool list_unknowns(Optimal *x) {
  const System *s = x->request->cases[0].system;
  FitData *data = arena_array(x->arena, (size_t)s->fits.count + 1, sizeof *data);
  uint32_t count = 0;
  if (!data) return false;
  for (uint32_t i = 0; i < s->fits.count; i++) {
    const SystemFit *fit = &s->fits.items[i];
    if (!x->r->measured && fit->measured.count) x->r->measured = fit;
    if (!fit->in_case) data[count++] = (FitData){.system = s, .fit = fit};
  }
  if (!count) {
    diag_error(x->diags, diag_bad_setting, (Span){0}, "nothing is unknown: there is nothing to find");
    diag_hint(x->diags,
              "name parameters or starts with their ranges, and what will be measured: `--free k=0:10 --by x`");
    return true;
  }
  return fit_list_unknowns(x->r->f, data, count, x->diags);
}

static bool read_noise(Optimal *x) {
  const SystemFit *fit = x->r->measured;
  if (!fit) {
    diag_error(x->diags, diag_bad_setting, (Span){0}, "what will be measured?");
    diag_hint(x->diags, "`--by \"x sd 0.01\"` names it, with the standard deviation of its noise");
    return true;
  }
  x->width = fit->measured.count;
  x->sd = arena_array(x->arena, (size_t)x->width + 1, sizeof *x->sd);
  if (!x->sd) return false;
  x->r->noise_said = true;
  for (uint32_t i = 0; i < x->width; i++) {
    const SystemMeasured *m = &fit->measured.items[i];
    x->sd[i] = 1;
    if (m->sd && !tape_numbers(x->arena, x->request->cases[0].system, &m->sd, 1, &x->sd[i])) return false;
    if (!(x->sd[i] > 0 && isfinite(x->sd[i])))
      diag_error(x->diags, diag_bad_setting, m->span, "the standard deviation of `%s` must be above 0", m->name);
    x->r->noise_said = x->r->noise_said && m->sd;
    if (m->sd || x->width == 1) continue;
    diag_error(x->diags, diag_bad_setting, m->span, "how exactly is `%s` measured? Several outputs are weighed by it",
               m->name);
    diag_hint(x->diags, "write `%s sd 0.01`: the standard deviation of its noise", m->name);
  }
  return true;
}

static void check_names(Optimal *x) {
  const FitProblem *f = x->r->f;
  for (uint32_t i = 0; i < x->varied; i++) {
    for (uint32_t j = 0; j < f->k; j++) {
      if (strcmp(x->request->names[i], f->unknowns[j].name) != 0) continue;
      diag_error(x->diags, diag_bad_setting, f->unknowns[j].span,
                 "`%s` is unknown: an experiment cannot set it, so that `--vary` does not take it",
                 f->unknowns[j].name);
    }
  }
}

// ---- a case

static bool vary_all(Optimal *x) {
  FitProblem *f = x->r->f;
  const char **names = arena_array(x->arena, (size_t)f->k + x->varied + 1, sizeof *names);
  if (!names) return false;
  for (uint32_t j = 0; j < f->k; j++) {
    names[j] = f->unknowns[j].name;
    if (!fit_check_unknown(x->p, &f->unknowns[j], x->diags)) return false;
  }
  for (uint32_t i = 0; i < x->varied; i++) names[f->k + i] = x->request->names[i];
  return x->diags->errors || vary_names(x->p, names, f->k + x->varied, x->diags, &x->vary);
}

static bool make_rows(Optimal *x) {
  const OdeSettings *ode = &x->p->settled.ode;
  uint64_t rows = ode_grid_count(ode), all = x->vary.count;
  if (rows * x->width * (all + 1) > most_numbers) {
    diag_error(x->diags, diag_bad_setting, (Span){0}, "a candidate has too many rows: space them more widely");
    diag_hint(x->diags, "`--every 0.1`, or `simulate to 10 every 0.1` in the model");
    return true;
  }
  x->count = (uint32_t)rows;
  if (x->request->samples > x->count)
    diag_error(x->diags, diag_bad_setting, (Span){0},
               "%u samples are asked for, and there are only %u times to choose from", x->request->samples, x->count);
  size_t wide = (size_t)x->count * x->width;
  x->times = arena_array(x->arena, (size_t)x->count + 1, sizeof *x->times);
  x->values = arena_array(x->arena, wide + 1, sizeof *x->values);
  x->slopes = arena_array(x->arena, wide * all + 1, sizeof *x->slopes);
  if (arena_failed(x->arena)) return false;
  for (uint32_t i = 0; i < x->count; i++) x->times[i] = ode_grid_time(ode, i);
  return true;
}

static bool make_sensitivity(Optimal *x) {
  const FitProblem *f = x->r->f;
  double *sizes = arena_array(x->arena, (size_t)x->vary.count + 1, sizeof *sizes);
  if (!sizes) return false;
  for (uint32_t j = 0; j < f->k; j++) sizes[j] = f->unknowns[j].size;
  for (uint32_t i = 0; i < x->varied; i++)
    sizes[f->k + i] = sensitivity_size(sensitivity_own_value(x->p, &x->vary.targets[f->k + i], x->request->names[i]));
  x->s = sensitivity_new(x->arena, x->p, &x->vary, sizes);
  if (!x->s) return false;
  x->s->self = x->request->run.self;
  x->s->interrupted = x->request->run.interrupted;
  return true;
}

// The program of a case, whose outputs are what is measured. False: out of memory.
static bool open_case(Optimal *x, const OptimalCase *c) {
  FitProblem *f = x->r->f;
  System *system = arena_new_of(x->arena, System);
  ProgramReport built;
  uint32_t line = (uint32_t)(x->r->measured - x->request->cases[0].system->fits.items);
  FitData over = {.system = c->system, .fit = &c->system->fits.items[line]};
  if (!system || !fit_make_system(f, &over, system, x->diags)) return false;
  if (x->diags->errors) return true;
  x->p = program_new_started(x->arena, system, &(ProgramRequest){.settings = &x->request->run}, x->diags, &built);
  if (!x->p && built.failure.message)
    diag_error(x->diags, diag_bad_setting, built.failure.place, "%s", built.failure.message);
  if (!x->p) return x->diags->errors > 0;
  if (!vary_all(x)) return false;
  if (x->diags->errors) return true;
  for (uint32_t j = 0; j < f->k; j++) fit_name_unknown(f, &f->unknowns[j], x->p, &x->vary.targets[j]);
  fit_settle_starts(f);
  return make_rows(x) && (x->diags->errors || make_sensitivity(x));
}

// ---- a candidate

// The sensitivities as rows: divided by the noise, in parts of the unknowns' sizes.
static double *weighed_rows(Optimal *x, Arena *arena) {
  const FitProblem *f = x->r->f;
  size_t wide = (size_t)x->count * x->width;
  double *rows = arena_array(arena, wide * f->k + 1, sizeof *rows);
  for (size_t i = 0; rows && i < wide; i++) {
    for (uint32_t j = 0; j < f->k; j++)
      rows[i * f->k + j] = x->slopes[i * x->vary.count + j] * f->unknowns[j].size / x->sd[i % x->width];
  }
  return rows;
}

// From the rows that are measured to their determinant and the standard errors.
static bool judge(Optimal *x, Arena *scratch, const double *rows, const uint32_t *chosen, uint32_t n,
                  OptimalCandidate *c) {
  const FitProblem *f = x->r->f;
  uint32_t k = f->k;
  size_t wide = (size_t)n * x->width, one = (size_t)x->width * k;
  double *a = arena_array(scratch, wide * k + 1, sizeof *a), *r = arena_array(scratch, wide + 1, sizeof *r),
         *R = arena_array(scratch, (size_t)k * k, sizeof *R),
         *room = arena_array(scratch, (size_t)k * (2 * k + 2), sizeof *room);
  if (!a || !r || !R || !room) return false;
  for (uint32_t i = 0; i < n; i++) memcpy(a + i * one, rows + (chosen ? chosen[i] : i) * one, one * sizeof *a);
  least_reduce(a, r, wide, k, R);
  c->rank = least_rank(R, k, room);
  const double *v = room, *values = v + (size_t)k * k, *length = values + k;
  c->log_det = c->rank < k ? -INFINITY : 0;
  for (uint32_t j = 0; j < k; j++) {
    double sum = 0;
    for (uint32_t s = 0; s < k; s++) {
      double part = v[(size_t)j * k + s];
      if (s < c->rank) sum += part * part / (values[s] * values[s]);
      else if (fabs(part) > 1e-6) sum = INFINITY;
    }
    c->errors[j] = length[j] > 0 ? f->unknowns[j].size * sqrt(sum) / length[j] : INFINITY;
    if (c->rank == k) c->log_det += 2 * log(fabs(R[(size_t)j * k + j]));
  }
  return true;
}

static bool weigh(Optimal *x, OptimalCandidate *c) {
  Arena *scratch = arena_new_scratch(x->arena);
  uint32_t n = x->request->samples ? x->request->samples : x->count;
  double *rows = scratch ? weighed_rows(x, scratch) : NULL;
  uint32_t *chosen = rows && x->request->samples ? arena_array(scratch, (size_t)n + 1, sizeof *chosen) : NULL;
  c->times = arena_array(x->arena, (size_t)n + 1, sizeof *c->times);
  bool ok = rows && c->times && (chosen || !x->request->samples);
  if (ok && chosen && !optimal_times(scratch, rows, x->count, x->width, x->r->f->k, n, chosen)) {
    ok = !arena_failed(x->arena);
    chosen = NULL; // none tells all unknowns: judged by all of them
    n = x->count;
  }
  ok = ok && judge(x, scratch, rows, chosen, n, c);
  for (uint32_t i = 0; ok && chosen && i < n; i++) c->times[i] = x->times[chosen[i]];
  c->time_count = chosen ? n : 0;
  if (scratch) arena_free_scratch(scratch);
  return ok;
}

// False: out of memory, or it was interrupted.
static bool follow(Optimal *x, OptimalCandidate *c) {
  const FitProblem *f = x->r->f;
  double *u = arena_array(x->arena, (size_t)x->vary.count + 1, sizeof *u);
  c->values = arena_array(x->arena, (size_t)x->varied + 1, sizeof *c->values);
  c->errors = arena_array(x->arena, (size_t)f->k + 1, sizeof *c->errors);
  if (!u || !c->values || !c->errors) return false;
  design_sample(x->request->grid, c->number, c->values);
  for (uint32_t j = 0; j < f->k; j++) u[j] = f->unknowns[j].start;
  memcpy(u + f->k, c->values, x->varied * sizeof *u);
  RunFailure end = sensitivity_run(x->s, u, x->times, x->count, x->values, x->slopes);
  c->log_det = -INFINITY;
  for (uint32_t j = 0; j < f->k; j++) c->errors[j] = INFINITY;
  x->interrupted = end.status == run_interrupted;
  if (x->interrupted || end.status == run_no_memory) return false;
  bool finite = end.status == run_done;
  for (size_t i = 0; finite && i < (size_t)x->count * x->width; i++) {
    for (uint32_t j = 0; j < f->k; j++) finite = finite && isfinite(x->slopes[i * x->vary.count + j]);
  }
  if (finite) return weigh(x, c);
  c->failure = end.message ? end.message : "the motion does not reach its end";
  return true;
}

static bool run_case(Optimal *x, uint32_t which, uint64_t points) {
  const OptimalRequest *w = x->request;
  bool ok = open_case(x, &w->cases[which]);
  for (uint64_t i = 0; ok && !x->diags->errors && i < points; i++) {
    OptimalCandidate *c = &x->r->candidates[x->r->count];
    *c = (OptimalCandidate){.in_case = which, .number = (uint32_t)i};
    ok = follow(x, c);
    if (!ok) break;
    x->r->count++;
    if (w->progress) w->progress(w->self, x->r->count, points * w->case_count);
  }
  if (x->s && x->s->why) x->r->by_differences = x->s->why;
  if (x->s) x->r->f->motions += x->s->motions;
  program_free(x->p);
  x->p = NULL;
  x->s = NULL;
  return ok;
}

// ---- the whole

static int by_determinant(const void *a, const void *b) {
  const OptimalCandidate *x = a, *y = b;
  if (x->log_det != y->log_det) return x->log_det < y->log_det ? 1 : -1;
  if (x->rank != y->rank) return x->rank < y->rank ? 1 : -1;
  if (x->in_case != y->in_case) return x->in_case > y->in_case ? 1 : -1;
  return (x->number > y->number) - (x->number < y->number);
}

double optimal_efficiency(const OptimalResult *r, uint32_t i) {
  double best = r->count ? r->candidates[0].log_det : -INFINITY;
  if (i >= r->count || !isfinite(best) || !isfinite(r->candidates[i].log_det)) return 0;
  return exp((r->candidates[i].log_det - best) / r->f->k);
}

static bool prepare(Optimal *x, double points) {
  FitProblem *f = x->r->f;
  if (!list_unknowns(x) || !read_noise(x)) return false;
  check_names(x);
  if (points * x->request->case_count > optimal_most)
    diag_error(x->diags, diag_too_many, (Span){0}, "these are %.4g candidates, and a choice has at most %d",
               points * x->request->case_count, optimal_most);
  if (x->diags->errors) return true;
  if (x->request->samples && (uint64_t)x->request->samples * x->width < f->k)
    diag_error(x->diags, diag_bad_setting, (Span){0}, "%u sample%s of %u output%s cannot tell %u unknowns",
               x->request->samples, x->request->samples == 1 ? "" : "s", x->width, x->width == 1 ? "" : "s", f->k);
  f->least = arena_array(x->arena, (size_t)f->k + 1, sizeof *f->least);
  f->most = arena_array(x->arena, (size_t)f->k + 1, sizeof *f->most);
  x->r->candidates = arena_array(x->arena, (size_t)points * x->request->case_count + 1, sizeof *x->r->candidates);
  return !arena_failed(x->arena);
}

static const char *why_none(const OptimalResult *r, Arena *arena) {
  const char *failure = NULL;
  uint32_t best = 0;
  for (uint32_t i = 0; i < r->count; i++) {
    if (isfinite(r->candidates[i].log_det)) return NULL;
    if (r->candidates[i].failure) failure = r->candidates[i].failure;
    else if (r->candidates[i].rank > best) best = r->candidates[i].rank;
  }
  if (!best && failure) return arena_printf(arena, "the motion fails in every candidate: %s", failure);
  return arena_printf(arena, "no candidate tells all unknowns: the best of them tells %u of %u apart", best, r->f->k);
}

OptimalResult optimal_find(Arena *arena, const OptimalRequest *request, Diags *diags) {
  OptimalResult r = {.status = run_no_memory, .request = request};
  Optimal x = {.arena = arena, .request = request, .r = &r, .diags = diags, .varied = request->grid->grid_count};
  double points = design_size(request->grid);
  r.f = arena_new_of(arena, FitProblem);
  if (!r.f) return r;
  *r.f = (FitProblem){.arena = arena, .settings = &request->run, .horizon = INFINITY};
  bool ok = prepare(&x, points);
  for (uint32_t i = 0; ok && !diags->errors && i < request->case_count; i++) ok = run_case(&x, i, (uint64_t)points);
  if (arena_failed(arena) || (!ok && !x.interrupted && !diags->errors)) return r;
  r.status = diags->errors ? run_input : ok ? run_done : run_interrupted;
  if (r.status != run_done) return r;
  qsort(r.candidates, r.count, sizeof *r.candidates, by_determinant);
  r.message = why_none(&r, arena);
  if (r.message) r.status = run_failed;
  return r;
}

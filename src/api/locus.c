// A root locus: the poles of the model as it stands along a parameter, and Routh's table with it.
#include "api/pipeline_parts.h"

#include <string.h>

typedef struct LocusAsk {
  const AnalyzeJob *job;
  uint32_t n; // of the first matrix
} LocusAsk;

// To the linear model with the parameter at k; numbers: with those of the matrices, exact where they are rational.
static LinearizeJob job_at(Arena *arena, const AnalyzeJob *r, double k, bool numbers) {
  LinearizeJob l = {.model = r->linear.model,
                    .system = r->linear.system,
                    .at = r->linear.at,
                    .at_count = r->linear.at_count,
                    .settings = r->linear.settings,
                    .varied = r->parameter,
                    .value = k,
                    .operating = arena_new_of(arena, Operating),
                    .out = arena_new_of(arena, Linearization)};
  l.settings.numbers = numbers;
  return l;
}

// The system of the model as it stands, with the parameter at k, in its own arena. analysis_refused: *why.
static AnalysisStatus system_at(Arena *arena, const AnalyzeJob *r, double k, LinearSystem *out, const char **why) {
  LinearizeJob l = job_at(arena, r, k, false);
  SampledPart part;
  AssembleTrouble trouble;
  LinearSystem whole;
  if (!l.operating || !l.out) return analysis_no_memory;
  LinearizeStatus status = pipeline_linearize_with(arena, &l, &(FreedTexts){0});
  *why = l.message ? l.message : "the model cannot be linearized there";
  if (status == linearize_no_memory) return analysis_no_memory;
  if (status != linearize_done || !l.out->A.numbers) return analysis_refused;
  if (!assemble_system(arena, l.out, &whole, &part, &trouble)) return analysis_no_memory;
  *why = trouble.message;
  if (*why) return analysis_refused;
  *out = whole;
  if (part.count && !sampled_lift(arena, &whole, &part, out, why)) return analysis_no_memory;
  if (*why) return analysis_refused;
  if (!out->delays) return analysis_done;
  *why = "dead times have no rational form: `--pade 4` approximates them by one of that order";
  if (!r->pade) return analysis_refused;
  LinearSystem delayed = *out;
  return locus_pade(arena, &delayed, r->pade, out) ? analysis_done : analysis_no_memory;
}

static bool matrix_at(void *self, double k, double *a, const char **why) {
  LocusAsk *ask = self;
  LinearSystem s;
  Arena *arena = arena_new();
  const char *words = NULL;
  AnalysisStatus status = arena ? system_at(arena, ask->job, k, &s, &words) : analysis_no_memory;
  bool ok = status == analysis_done && s.n == ask->n;
  if (ok) memcpy(a, s.A, (size_t)s.n * s.n * sizeof *a);
  else if (status != analysis_no_memory)
    *why = status == analysis_done ? "the number of states changes there" : "there is no linear model there";
  arena_free(arena);
  return ok;
}

// `K=0:100`. False: refused, with r->trouble.
static bool read_over(Arena *arena, AnalyzeJob *r, double *from, double *to) {
  TextScope scope;
  ValueRange range;
  r->trouble = (AssembleTrouble){0};
  if (!scope_open(&scope, arena, r->linear.model) || !range_read(&scope, "--over", r->over, &range)) return false;
  if (!range.text) {
    r->linear.scope = scope;
    r->linear.scope.model.diags.sources = &r->linear.scope.model.sources;
    return true;
  }
  if (!(range.low < range.high)) {
    pipeline_refuse(r, arena_printf(arena, "`--over %s` has one value alone", r->over),
                    "a locus follows the poles along a parameter: `--over K=0:100`");
    return true;
  }
  uint32_t index = range.name ? pipeline_param(r->linear.system, range.name) : no_place;
  if (index == no_place) {
    pipeline_refuse(r, arena_printf(arena, "`--over %s` names no parameter of the model", r->over),
                    "a locus follows the poles along a parameter: `--over K=0:100`");
    return true;
  }
  Variant v = {variant_param, index, r->linear.system->pool->zero};
  if (!variant_is_free(r->linear.system, &v))
    pipeline_refuse(
        r,
        arena_printf(arena,
                     "`%s` is no number that can vary: it has none, or others follow from it or it counts things",
                     range.name),
        NULL);
  r->parameter = range.name;
  *from = range.low;
  *to = range.high;
  return true;
}

// The characteristic polynomial with the parameter at a whole number k, exactly. NULL: there is none.
static const Rat *polynomial_at(Arena *arena, const AnalyzeJob *r, int64_t k, uint32_t n) {
  LinearizeJob l = job_at(arena, r, (double)k, true);
  if (!l.operating || !l.out || pipeline_linearize_with(arena, &l, &(FreedTexts){0}) != linearize_done) return NULL;
  if (l.out->n != n || !l.out->rational[0]) return NULL;
  return routh_polynomial(arena, l.out->rational[0], n);
}

// Routh's table with the parameter in it, where the model is small and rational.
static AnalysisStatus find_routh_over(Arena *arena, AnalyzeJob *r, uint32_t n) {
  uint32_t points = n + 2;
  Rat *k = arena_array(arena, points, sizeof *k), *c = arena_array(arena, (size_t)points * (n + 1), sizeof *c);
  if (!k || !c) return analysis_no_memory;
  for (uint32_t i = 0; i < points; i++) {
    const Rat *p = polynomial_at(arena, r, (int64_t)i + 1, n);
    if (!p) return arena_failed(arena) ? analysis_no_memory : analysis_done;
    k[i] = rat_int((int64_t)i + 1);
    memcpy(c + (size_t)i * (n + 1), p, (n + 1) * sizeof *c);
  }
  RouthOver *table = arena_new_of(arena, RouthOver);
  if (!table) return analysis_no_memory;
  if (!routh_over_find(arena, r->parameter, n, k, c, points, table)) return analysis_no_memory;
  if (table->rows) r->routh = table;
  return analysis_done;
}

AnalysisStatus pipeline_locus(Arena *arena, AnalyzeJob *r) {
  double from = 0, to = 1;
  LinearSystem first;
  const char *why = NULL;
  if (!read_over(arena, r, &from, &to)) return analysis_no_memory;
  if (r->trouble.message || r->linear.scope.model.diags.errors) return analysis_refused;
  LocusAsk ask = {.job = r};
  AnalysisStatus status = system_at(arena, r, from, &first, &why);
  if (status == analysis_refused)
    return pipeline_refuse(r, arena_printf(arena, "there is no locus from %s = %.6g on: %s", r->parameter, from, why),
                           NULL);
  if (status != analysis_done) return status;
  ask.n = first.n;
  LocusSource source = {matrix_at, &ask, first.n, first.period};
  switch (locus_follow(arena, module_load(), &source, from, to, r->locus)) {
  case dense_done:
    if (first.period > 0 || freed_needed(r->linear.system) || first.n == 0 || first.n > routh_over_most)
      return analysis_done;
    return find_routh_over(arena, r, first.n);
  case dense_failed: r->trouble.message = "the locus was not found: LAPACK did not converge"; return analysis_failed;
  case dense_no_memory: break;
  }
  return analysis_no_memory;
}

// Before a fit. See identify.h.
#include "fit/identify.h"

#include "fit/least.h"

#include <string.h>

static const double weak = 1e-7; // singular values, columns being of length 1: below, slopes are rounding

uint32_t identify_rank(const double *R, uint32_t k, double *room) {
  double *v = room, *values = v + (size_t)k * k, *length = values + k, *unit = length + k;
  uint32_t rank = 0;
  for (uint32_t j = 0; j < k; j++) {
    length[j] = 0;
    for (uint32_t i = 0; i <= j; i++) length[j] = hypot(length[j], R[(size_t)i * k + j]);
  }
  for (uint32_t i = 0; i < k; i++) {
    for (uint32_t j = 0; j < k; j++)
      unit[(size_t)i * k + j] = length[j] > 0 && j >= i ? R[(size_t)i * k + j] / length[j] : 0;
  }
  least_singular(unit, k, values, v, unit);
  while (rank < k && values[rank] > weak) rank++;
  return rank;
}

// The start, then points over the box.
static void place_point(const FitProblem *f, uint32_t which, ExploreRandom *random, double *u) {
  for (uint32_t j = 0; j < f->k; j++) {
    double z = explore_uniform(random);
    bool ranged = isfinite(f->least[j]) && isfinite(f->most[j]);
    double v = ranged ? f->least[j] + z * (f->most[j] - f->least[j]) : f->unknowns[j].start * (0.5 + z);
    u[j] = which == 0 ? f->unknowns[j].start : v;
  }
}

// Standard errors at a point, from the axes of its slopes.
static void expect_errors(const FitProblem *f, const double *room, uint32_t rank, const double *u, Identified *out) {
  uint32_t k = f->k;
  const double *v = room, *values = v + (size_t)k * k, *length = values + k;
  out->point = arena_array(f->arena, k, sizeof *out->point);
  out->expected = arena_array(f->arena, k, sizeof *out->expected);
  out->noise = f->noise_known ? 1 : 0.01;
  if (!out->point || !out->expected) return;
  memcpy(out->point, u, k * sizeof *u);
  for (uint32_t i = 0; i < k; i++) {
    double sum = 0;
    for (uint32_t c = 0; c < k; c++) {
      double part = v[(size_t)i * k + c];
      if (c < rank) sum += part * part / (values[c] * values[c]);
      else if (fabs(part) > 1e-6) sum = INFINITY;
    }
    out->expected[i] = length[i] > 0 ? out->noise * sqrt(sum) / length[i] : INFINITY;
  }
}

// ---- sizes

static double spread(const double *values, uint32_t rows, uint32_t width, uint32_t column, const double *where) {
  double mean = 0, square = 0, n = 0;
  for (uint32_t i = 0; i < rows; i++) {
    size_t at = (size_t)i * width + column;
    if (isnan(where[at])) continue;
    double before = mean;
    mean += (values[at] - mean) / ++n;
    square += (values[at] - mean) * (values[at] - before);
  }
  return n > 0 ? sqrt(square / n) : 0;
}

// How much larger the data is than the motions that were just followed.
static void see_sizes(const FitProblem *f, Identified *out) {
  uint32_t at = 0;
  for (uint32_t e = 0; e < f->count; e++) {
    const FitExperiment *x = &f->experiments[e];
    for (uint32_t c = 0; c < x->width; c++, at++) {
      double model = spread(x->values, x->of->count, x->width, c, x->of->values);
      double ratio = sqrt(x->columns[c].total / x->columns[c].points) / model;
      if (!(model > 0) || !(ratio > 0) || !isfinite(ratio)) ratio = 1; // it says nothing
      out->larger[0][at] = out->points == 1 ? ratio : fmin(out->larger[0][at], ratio);
      out->larger[1][at] = out->points == 1 ? ratio : fmax(out->larger[1][at], ratio);
    }
  }
}

static bool within(double value, double of, double factor) { return value < of * factor && value * factor > of; }

// The unit that the data may be in, the model being in `si`; NULL: none comes to mind.
static const char *other_unit(Arena *arena, const char *si, double ratio) {
  bool plain = si && *si;
  for (const char *s = si; plain && *s; s++) plain = (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z');
  if ((!si || !*si || strcmp(si, "rad") == 0) && within(ratio, 57.3, 2.5)) return "deg";
  if (!plain) return NULL;
  if (within(ratio, 1e3, 3.3)) return arena_printf(arena, "m%s", si);
  if (within(ratio, 1e-3, 3.3)) return arena_printf(arena, "k%s", si);
  if (within(ratio, 1e6, 3.3)) return arena_printf(arena, "u%s", si);
  return within(ratio, 1e2, 3) && strcmp(si, "m") == 0 ? "cm" : NULL;
}

void identify_tell_sizes(const FitProblem *f, const Identified *seen, Diags *diags) {
  const double far = 20; // no model of the right units is so far off everywhere
  uint32_t at = 0;
  for (uint32_t e = 0; e < f->count && seen->points; e++) {
    const FitExperiment *x = &f->experiments[e];
    for (uint32_t c = 0; c < x->width; c++, at++) {
      double low = seen->larger[0][at], high = seen->larger[1][at], ratio = sqrt(low * high);
      const SystemMeasured *m = &x->of->fit->measured.items[c];
      if (!(low > far || high < 1 / far) || x->of->in_unit[c]) continue;
      diag_warning(diags, diag_units, m->column_span,
                   "the data of `%s` is about %.2g times as large as the model: is it in other units?", m->column,
                   ratio);
      const char *unit = other_unit(f->arena, m->si, ratio);
      if (unit) diag_hint(diags, "if it is in %s, say so in the head of its column: `%s [%s]`", unit, m->column, unit);
      else diag_hint(diags, "say its unit in the head of its column: `%s [unit]`", m->column);
    }
  }
}

// ---- by the equations

static bool put_experiment(const FitProblem *f, const FitExperiment *x, Arena *arena, SeparableExperiment *to) {
  uint32_t width = x->of->fit->measured.count;
  System *s = arena_new_of(arena, System);
  ExprPool *pool = arena_new_of(arena, ExprPool);
  ExprId *outputs = arena_array(arena, (size_t)width + 1, sizeof *outputs);
  const char **names = arena_array(arena, (size_t)x->k + 1, sizeof *names);
  if (arena_failed(arena) || !system_clone(s, x->of->system, pool, arena)) return false;
  for (uint32_t i = 0; i < width; i++) outputs[i] = x->of->fit->measured.items[i].value;
  for (uint32_t j = 0; j < x->k; j++) names[j] = f->unknowns[x->unknown[j]].name;
  *to = (SeparableExperiment){
      .s = s, .outputs = outputs, .output_count = width, .names = names, .which = x->unknown, .count = x->k};
  return true;
}

// What is found lives in the problem's arena.
bool identify_structure(FitProblem *f, Separable *out) {
  SeparableExperiment *all = arena_array(f->arena, (size_t)f->count + 1, sizeof *all);
  const char **shown = arena_array(f->arena, (size_t)f->k + 1, sizeof *shown);
  bool ok = all && shown;
  for (uint32_t e = 0; ok && e < f->count; e++) ok = put_experiment(f, &f->experiments[e], f->arena, &all[e]);
  for (uint32_t j = 0; ok && j < f->k; j++) shown[j] = f->unknowns[j].shown;
  return ok && separable_find(f->arena, all, f->count, shown, f->k, out);
}

// ---- at points

bool identify(FitProblem *f, uint64_t seed, Identified *out) {
  enum { points = 4 };
  uint32_t k = f->k;
  Arena *arena = arena_new_scratch(f->arena);
  ExploreRandom random = {seed, UINT64_C(1) << 40}; // not those of the search
  *out = (Identified){.structure = out->structure, .moves = arena_array(f->arena, k, sizeof *out->moves)};
  if (!arena) return false;
  uint32_t columns = 1;
  for (uint32_t e = 0; e < f->count; e++) columns += f->experiments[e].width;
  for (int i = 0; i < 2; i++) out->larger[i] = arena_array(f->arena, columns, sizeof **out->larger);
  double *u = arena_array(arena, k, sizeof *u), *r = arena_array(arena, f->points + 1, sizeof *r),
         *slopes = arena_array(arena, (f->points + 1) * k, sizeof *slopes),
         *R = arena_array(arena, (size_t)k * k, sizeof *R),
         *room = arena_array(arena, (size_t)k * (2 * k + 2), sizeof *room);
  for (uint32_t p = 0; p < points && !arena_failed(f->arena) && !fit_interrupted(f); p++) {
    place_point(f, p, &random, u);
    if (!fit_residuals(f, u, r, slopes)) continue;
    out->points++;
    see_sizes(f, out);
    least_reduce(slopes, r, f->points, k, R);
    uint32_t rank = identify_rank(R, k, room);
    if (rank > out->rank) out->rank = rank;
    if (!out->point) expect_errors(f, room, rank, u, out);
    out->least = fmax(out->least, room[(size_t)k * k + k - 1]);
    for (uint32_t j = 0; j < k; j++) out->moves[j] = out->moves[j] || room[(size_t)k * k + k + j] > 0;
  }
  bool ok = !arena_failed(f->arena) && !fit_interrupted(f);
  arena_free_scratch(arena);
  return ok;
}

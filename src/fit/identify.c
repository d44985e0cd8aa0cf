// Identifiability before a fit. See identify.h.
#include "fit/identify.h"

#include "algebra/observed.h"

#include "fit/least.h"

#include <string.h>

static const double assumed_noise = 0.01; // of a column without a standard deviation, in parts of its spread

// The start, then points over the box.
static void place_point(const FitProblem *f, uint32_t which, ExploreRandom *random, double *u) {
  for (uint32_t j = 0; j < f->k; j++) {
    double z = explore_uniform(random);
    bool ranged = isfinite(f->least[j]) && isfinite(f->most[j]);
    double v = ranged ? f->least[j] + z * (f->most[j] - f->least[j]) : f->unknowns[j].start * (0.5 + z);
    u[j] = which == 0 ? f->unknowns[j].start : v;
  }
}

// Standard errors at a point, from the axes of its Jacobian.
static void expect_errors(const FitProblem *f, const double *room, uint32_t rank, const double *u, Identified *out) {
  uint32_t k = f->k;
  const double *v = room, *values = v + (size_t)k * k, *length = values + k;
  out->point = arena_array(f->arena, k, sizeof *out->point);
  out->expected = arena_array(f->arena, k, sizeof *out->expected);
  out->noise = f->noise_known ? 1 : assumed_noise;
  if (!out->point || !out->expected) return;
  memcpy(out->point, u, k * sizeof *u);
  for (uint32_t i = 0; i < k; i++) {
    double sum = 0;
    for (uint32_t c = 0; c < k; c++) {
      double part = v[(size_t)i * k + c];
      if (c < rank) sum += part * part / (values[c] * values[c]);
      else if (fabs(part) > 1e-6) sum = INFINITY;
    }
    out->expected[i] = length[i] > 0 ? sqrt(sum) / length[i] : INFINITY;
  }
}

// ---- sizes

// What a pass at a point sees: the Jacobian, and how far each column of the model spreads.
typedef struct ColumnSpread {
  double mean, square, n;
} ColumnSpread;

typedef struct SeenSensitivities {
  const FitProblem *f;
  LeastSums sums;
  ColumnSpread *spreads;  // by column of all experiments
  double *row;            // of the Jacobian, divided by the noise that is given, or assumed
  const uint32_t *before; // columns of the experiments before each
  uint32_t columns;
} SeenSensitivities;

static void begin_seeing(void *self) {
  SeenSensitivities *s = self;
  least_sums_clear(&s->sums);
  memset(s->spreads, 0, s->columns * sizeof *s->spreads);
}

static void see_point(void *self, const FitPoint *p) {
  SeenSensitivities *s = self;
  const FitColumn *of = &s->f->experiments[p->experiment].columns[p->column];
  double by = of->sd / (isnan(of->given) ? assumed_noise * of->spread : of->given);
  ColumnSpread *c = &s->spreads[s->before[p->experiment] + p->column];
  double before = c->mean;
  c->mean += (p->value - c->mean) / ++c->n;
  c->square += (p->value - c->mean) * (p->value - before);
  for (uint32_t j = 0; j < s->f->k; j++) s->row[j] = by * p->slopes[j];
  least_sums_add(&s->sums, p->r, s->row);
}

// How much larger the data is than the simulations that were just run.
static void see_sizes(const FitProblem *f, const ColumnSpread *spreads, Identified *out) {
  uint32_t at = 0;
  for (uint32_t e = 0; e < f->count; e++) {
    const FitExperiment *x = &f->experiments[e];
    for (uint32_t c = 0; c < x->width; c++, at++) {
      double model = spreads[at].n > 0 ? sqrt(spreads[at].square / spreads[at].n) : 0;
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
  return ok && separable_find(f->arena, all, f->count, shown, f->k, out) &&
         observed_find(f->arena, all, f->count, shown, f->k, out);
}

// ---- at points

static bool open_seen(SeenSensitivities *s, FitProblem *f, Arena *arena) {
  double *room = arena_array(arena, least_sums_room(f->k, least_block), sizeof *room);
  uint32_t *before = arena_array(arena, (size_t)f->count + 1, sizeof *before);
  *s = (SeenSensitivities){.f = f, .before = before};
  for (uint32_t e = 0; before && e < f->count; e++) {
    before[e] = s->columns;
    s->columns += f->experiments[e].width;
  }
  s->spreads = arena_array(arena, (size_t)s->columns + 1, sizeof *s->spreads);
  s->row = arena_array(arena, (size_t)f->k + 1, sizeof *s->row);
  if (!room || !before || !s->spreads || !s->row) return false;
  least_sums_init(&s->sums, f->k, least_block, room);
  return true;
}

bool identify(FitProblem *f, uint64_t seed, Identified *out) {
  enum { points = 4 };
  uint32_t k = f->k;
  Arena *arena = arena_new_scratch(f->arena);
  ExploreRandom random = {seed, UINT64_C(1) << 40}; // not those of the search
  SeenSensitivities seen;
  *out = (Identified){.structure = out->structure, .moves = arena_array(f->arena, k, sizeof *out->moves)};
  if (!arena) return false;
  bool ok = open_seen(&seen, f, arena);
  for (int i = 0; i < 2; i++) out->larger[i] = arena_array(f->arena, (size_t)seen.columns + 1, sizeof **out->larger);
  double *u = arena_array(arena, k, sizeof *u), *room = arena_array(arena, (size_t)k * (2 * k + 2), sizeof *room);
  FitPass pass = {&seen, begin_seeing, see_point};
  for (uint32_t p = 0; p < points && ok && !arena_failed(f->arena) && !fit_interrupted(f); p++) {
    place_point(f, p, &random, u);
    if (!fit_pass(f, u, true, &pass)) continue;
    least_sums_finish(&seen.sums);
    if (isinf(f->horizon)) fit_note(f, u, isfinite(seen.sums.cost) ? seen.sums.cost : INFINITY);
    out->points++;
    see_sizes(f, seen.spreads, out);
    uint32_t rank = least_rank(seen.sums.R, k, room);
    if (rank > out->rank) out->rank = rank;
    if (!out->point) expect_errors(f, room, rank, u, out);
    out->least = fmax(out->least, room[(size_t)k * k + k - 1]);
    for (uint32_t j = 0; j < k; j++) out->moves[j] = out->moves[j] || room[(size_t)k * k + k + j] > 0;
  }
  ok = ok && !arena_failed(f->arena) && !fit_interrupted(f);
  arena_free_scratch(arena);
  return ok;
}

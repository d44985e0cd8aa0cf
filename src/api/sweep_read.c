// The options of a sweep in numbers: grids, random quantities, measures.
#include "api/sweep_parts.h"

#include "tape/numbers.h"

#include <math.h>
#include <string.h>

static Diags *diags_of(viva_sweep *x) { return &x->job.scope.model.diags; }

static void refuse(viva_sweep *x, Span span, const char *message, const char *hint) {
  diag_error(diags_of(x), diag_bad_setting, span, "%s", message);
  if (hint) diag_hint(diags_of(x), "%s", hint);
}

// ---- measures

// Without any: the final values of outputs, or of coordinates and states.
static bool default_measures(viva_sweep *x) {
  const System *s = &x->model->system;
  uint32_t most = s->outputs.count + s->coords.count + s->states.count, count = 0;
  const char **texts = arena_array(x->arena, (size_t)most + 1, sizeof *texts);
  if (!texts) return false;
  for (uint32_t i = 0; i < s->outputs.count; i++)
    texts[count++] = arena_printf(x->arena, "final(%s)", s->outputs.items[i].name);
  for (uint32_t i = 0; !s->outputs.count && i < s->coords.count; i++)
    texts[count++] = arena_printf(x->arena, "final(%s)", s->coords.items[i].name);
  for (uint32_t i = 0; !s->outputs.count && i < s->states.count; i++) {
    if (!s->states.items[i].hidden) texts[count++] = arena_printf(x->arena, "final(%s)", s->states.items[i].name);
  }
  x->job.texts = texts;
  x->job.count = count;
  return true;
}

static bool read_measures(viva_sweep *x) {
  const viva_run_options *o = &x->o.run;
  x->job = (MeasureJob){.texts = o->measures,
                        .count = o->measure_count,
                        .option = "--measure",
                        .where = x->o.where,
                        .where_count = x->o.where_count};
  if (!o->measure_count && !x->o.where_count && !default_measures(x)) return false;
  return pipeline_measures(x->arena, &x->model->model, &x->model->system, &x->job);
}

// ---- grids and random quantities

static bool is_new(viva_sweep *x, const char *name, Span span) {
  bool twice = false;
  for (uint32_t i = 0; i < x->ranges.count; i++) twice = twice || strcmp(x->ranges.items[i].name, name) == 0;
  for (uint32_t i = 0; i < x->random.count; i++) twice = twice || strcmp(x->random.items[i].name, name) == 0;
  if (twice) diag_error(diags_of(x), diag_twice, span, "`%s` is varied twice", name);
  return !twice;
}

static void take_range(viva_sweep *x, const ValueRange *r) {
  if (!range_is_quantity(&x->job.scope, r) || !is_new(x, r->name, r->name_span)) return;
  if (r->kind != range_interval) {
    vec_push(x->arena, &x->ranges, *r);
    return;
  }
  if (!x->o.samples) {
    refuse(x, r->span, "this is an interval, which has no values of its own",
           "a grid has a step, `0:0.1:1`; with `--samples N` draws are spread over the interval");
    return;
  }
  RandomQuantity q = {r->name, random_is_uniform, r->low, r->high, 0, -INFINITY, INFINITY, r->span, r->name_span};
  vec_push(x->arena, &x->random, q);
}

// A family of the model: its lists are grids.
static bool take_family(viva_sweep *x) {
  const Model *m = &x->model->model;
  for (uint32_t i = 0; i < m->varied.count; i++) {
    const ModelVaried *v = &m->varied.items[i];
    if (v->columns) {
      refuse(x, v->item->span, "a list of lists is no grid: vary its numbers one by one", NULL);
      continue;
    }
    double *items = arena_array(x->arena, (size_t)v->count + 1, sizeof *items);
    if (!items || !tape_numbers(x->arena, &x->model->system, v->values, v->count, items)) return false;
    ValueRange r = {.name = v->setting, .kind = range_list, .count = v->count, .items = items, .span = v->item->span};
    if (is_new(x, r.name, r.span)) vec_push(x->arena, &x->ranges, r);
  }
  return true;
}

static bool read_factors(viva_sweep *x) {
  const viva_sweep_options *o = &x->o;
  if (!take_family(x)) return false;
  for (size_t i = 0; i < o->vary_count; i++) {
    ValueRange r;
    if (!range_read(&x->job.scope, "--vary", o->vary[i], &r)) return false;
    if (r.text) take_range(x, &r);
  }
  for (size_t i = 0; i < o->random_count; i++) {
    RandomQuantity q;
    if (!distribution_read(&x->job.scope, "--random", o->random[i], &q)) return false;
    if (q.name && is_new(x, q.name, q.name_span)) vec_push(x->arena, &x->random, q);
  }
  return !arena_failed(x->arena);
}

// ---- the design

static double grid_value(const void *range, uint64_t i) { return range_value(range, i); }

static bool make_design(viva_sweep *x) {
  uint32_t grids = x->ranges.count, random = x->random.count;
  x->grids = arena_array(x->arena, (size_t)grids + 1, sizeof *x->grids);
  x->names = arena_array(x->arena, (size_t)grids + random + 1, sizeof *x->names);
  if (!x->grids || !x->names) return false;
  for (uint32_t i = 0; i < grids; i++) {
    const ValueRange *r = &x->ranges.items[i];
    x->grids[i] = (GridFactor){r->count, grid_value, r};
    x->names[i] = r->name;
  }
  for (uint32_t i = 0; i < random; i++) x->names[grids + i] = x->random.items[i].name;
  double *factor = NULL;
  if (x->o.correlation && !correlation_read(&x->job.scope, "--correlation", x->o.correlation, random, &factor))
    return false;
  x->design = (Design){.grids = x->grids,
                       .grid_count = grids,
                       .random = x->random.items,
                       .random_count = random,
                       .factor = factor,
                       .draws = (SamplingKind)x->o.sampling,
                       .seed = x->o.seed,
                       .draw_count = random ? x->o.samples : 1,
                       .radial = x->o.indices};
  return true;
}

static void check_indices(viva_sweep *x) {
  if (!x->o.indices) return;
  if (!x->random.count) refuse(x, (Span){0}, "`--indices` are those of random quantities, and there are none", NULL);
  if (x->ranges.count)
    refuse(x, (Span){0}, "`--indices` are about random quantities alone: no grids beside them", NULL);
  if (x->o.correlation) refuse(x, (Span){0}, "`--indices` are those of independent quantities", NULL);
}

// Panels that were asked for by name.
static void check_panels(viva_sweep *x) {
  unsigned panels = x->o.panels;
  uint32_t grids = x->ranges.count;
  if ((panels & VIVA_SWEEP_CURVES) && !grids)
    refuse(x, (Span){0}, "the panel `curve` is over a grid, and there is none",
           "a grid has a step: `--vary k=0:0.1:1`");
  if ((panels & VIVA_SWEEP_HEAT) && grids < 2)
    refuse(x, (Span){0}, "the panel `heat` is over two grids, and there are fewer", "`--vary k=0:0.1:1` twice");
  if ((panels & VIVA_SWEEP_INDICES) && !x->o.indices)
    refuse(x, (Span){0}, "the panel `indices` shows what `--indices` finds, which is not asked for", NULL);
}

// Options that contradict each other. The number of samples is checked before the design is made.
static void check_design(viva_sweep *x) {
  const double most = 1e9;
  uint32_t dimensions = x->random.count * (x->o.indices ? 2 : 1);
  if (!x->ranges.count && !x->random.count)
    refuse(x, (Span){0}, "nothing is varied",
           "say what: `--vary k=0:0.1:1`, or `--samples 1000 --random \"k=normal(1, 0.1)\"`");
  else if (x->random.count && !x->o.samples)
    refuse(x, (Span){0}, "how many samples of the random quantities? `--samples N`", NULL);
  else if (!x->random.count && x->o.samples)
    refuse(x, (Span){0}, "`--samples` draws random quantities, and there are none",
           "name them: `--random \"k=normal(1, 0.1)\"`, or an interval: `--vary k=0:1`");
  check_indices(x);
  check_panels(x);
  if (x->o.sampling == VIVA_SAMPLING_SOBOL && dimensions > design_most_sobol)
    diag_error(diags_of(x), diag_bad_setting, (Span){0},
               "Sobol's sequence has at most %d dimensions here, and %u are needed", design_most_sobol, dimensions);
  if (x->design.factor && x->o.sampling == VIVA_SAMPLING_LATIN && x->design.draw_count > design_most_ordered) {
    diag_error(diags_of(x), diag_too_many, (Span){0}, "a Latin hypercube with correlations has at most %d draws",
               design_most_ordered);
    diag_hint(diags_of(x), "`--sampling sobol` or `random` has no such bound");
  }
  double size = design_size(&x->design);
  if (diags_of(x)->errors || size <= most) {
    x->count = diags_of(x)->errors ? 0 : (uint64_t)size;
    return;
  }
  Text t = text_in(x->arena);
  for (uint32_t i = 0; i < x->ranges.count; i++)
    text_printf(&t, "%s%s has %llu values", i ? ", " : "", x->ranges.items[i].name,
                (unsigned long long)x->ranges.items[i].count);
  if (x->random.count) text_printf(&t, "%s%llu draws", t.length ? ", " : "", (unsigned long long)x->o.samples);
  diag_error(diags_of(x), diag_too_many, (Span){0}, "these are %.4g samples, and a sweep has at most 10^9: %s", size,
             text_str(&t));
}

bool sweep_read(viva_sweep *x) {
  if (!read_measures(x) || !read_factors(x)) return false;
  if (diags_of(x)->errors) return true;
  if (!make_design(x)) return false;
  if (!diags_of(x)->errors) check_design(x);
  diag_sort(diags_of(x));
  if (diags_of(x)->errors) return true;
  if (!design_order(&x->design, x->arena)) return false;
  uint32_t measures = x->job.set.items.count;
  x->measures = arena_array(x->arena, (size_t)measures + 1, sizeof *x->measures);
  x->varied = arena_array(x->arena, (size_t)x->ranges.count + x->random.count + 1, sizeof *x->varied);
  if (x->o.indices) x->values = arena_array(x->arena, (size_t)x->count * measures + 1, sizeof *x->values);
  return x->measures && x->varied && tally_init(&x->tally, x->arena, measures, (uint32_t)x->o.where_count) &&
         !arena_failed(x->arena);
}

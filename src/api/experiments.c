// Optimal experiment design: the choice of an experiment, from the outside.
//
// in    a model with a `fit` line, ranges of starts and parameters, cases
// out   candidates in order, a summary as text and JSON, messages with their spans
#include "show/experiments.h"
#include "api/fit_parts.h"
#include "api/handles.h"

#include <math.h>
#include <string.h>

struct viva_experiments {
  Arena *arena;
  TextScope scope;
  VEC(ValueRange) ranges;
  Design grid;
  viva_model **cases; // that were read for it; NULL: the model itself
  OptimalRequest request;
  OptimalResult result;
  const char **names; // of candidates
  const char *summary[2], *message;
};

viva_experiments_options viva_experiments_defaults(void) {
  viva_experiments_options o = {.run = viva_run_defaults()};
  o.run.rtol = 1e-9;
  return o;
}

// ---- what may be chosen

static bool read_ranges(viva_experiments *x, const viva_experiments_options *o) {
  Diags *diags = &x->scope.model.diags;
  for (size_t i = 0; i < o->vary_count; i++) {
    ValueRange r;
    if (!range_read(&x->scope, "--vary", o->vary[i], &r)) return false;
    if (!r.text || !range_is_quantity(&x->scope, &r)) continue;
    if (r.kind == range_interval) {
      diag_error(diags, diag_bad_range, r.span, "this is an interval, which has no values of its own");
      diag_hint(diags, "candidates are those of a grid with a step, `0:0.1:1`, or of a list, `[0.1, 0.5]`");
      continue;
    }
    bool twice = false;
    for (uint32_t k = 0; k < x->ranges.count; k++) twice = twice || strcmp(x->ranges.items[k].name, r.name) == 0;
    if (twice) diag_error(diags, diag_twice, r.name_span, "`%s` is varied twice", r.name);
    else vec_push(x->arena, &x->ranges, r);
  }
  return !arena_failed(x->arena);
}

static double grid_value(const void *range, uint64_t i) { return range_value(range, i); }

static bool make_grid(viva_experiments *x) {
  GridFactor *grids = arena_array(x->arena, (size_t)x->ranges.count + 1, sizeof *grids);
  const char **names = arena_array(x->arena, (size_t)x->ranges.count + 1, sizeof *names);
  if (!grids || !names) return false;
  for (uint32_t i = 0; i < x->ranges.count; i++) {
    grids[i] = (GridFactor){x->ranges.items[i].count, grid_value, &x->ranges.items[i]};
    names[i] = x->ranges.items[i].name;
  }
  x->grid = (Design){.grids = grids, .grid_count = x->ranges.count, .draw_count = 1};
  x->request.grid = &x->grid;
  x->request.names = names;
  return true;
}

static bool read_cases(viva_experiments *x, const viva_model *model, const viva_experiments_options *o) {
  uint32_t count = o->case_count ? (uint32_t)o->case_count : 1;
  OptimalCase *cases = arena_array(x->arena, (size_t)count + 1, sizeof *cases);
  x->cases = arena_array(x->arena, (size_t)count + 1, sizeof *x->cases);
  if (!cases || !x->cases) return false;
  x->request.cases = cases;
  x->request.case_count = count;
  cases[0] = (OptimalCase){NULL, &model->system};
  for (uint32_t i = 0; i < o->case_count; i++) {
    viva_status status = fit_case_model(model, o->cases[i], &x->scope.model.diags, &x->cases[i]);
    if (status == VIVA_ENOMEM) return false;
    if (status == VIVA_OK) cases[i] = (OptimalCase){o->cases[i], &x->cases[i]->system};
  }
  return true;
}

// ---- what comes of it

static bool keep_summary(viva_experiments *x, const char *title) {
  OptimalResult *r = &x->result;
  if (r->status != run_done && r->status != run_failed) return true;
  Text text = text_in(x->arena), json = text_in(x->arena);
  show_experiments_text(r, title, &text);
  show_experiments_json(r, title, &json);
  x->summary[0] = text_str(&text);
  x->summary[1] = text_str(&json);
  x->names = arena_array(x->arena, (size_t)r->count + 1, sizeof *x->names);
  for (uint32_t i = 0; x->names && i < r->count; i++) x->names[i] = experiment_text(x->arena, r, i);
  return !arena_failed(x->arena);
}

static bool choose(viva_experiments *x, const viva_model *model, const viva_experiments_options *o) {
  Diags *diags = &x->scope.model.diags;
  x->request = (OptimalRequest){
      .samples = o->samples, .run = run_settings(&o->run), .self = o->run.self, .progress = o->progress};
  x->request.run.energy = x->request.run.all = x->request.run.check_step = x->request.run.save = false;
  if (!read_ranges(x, o) || !make_grid(x) || !read_cases(x, model, o)) return false;
  x->result.status = run_input;
  if (!diags->errors) x->result = optimal_find(x->arena, &x->request, diags);
  diag_sort(diags);
  Diag failure = {.message = x->result.message};
  x->message = messages_text(x->arena, diags->sources, diags, &failure);
  return x->result.status != run_no_memory && keep_summary(x, model->model.title);
}

static bool is_asked(const viva_experiments_options *o) {
  bool ok = (!o->vary_count || o->vary) && (!o->case_count || o->cases) && o->case_count < optimal_most;
  for (size_t i = 0; ok && i < o->vary_count; i++) ok = o->vary[i] != NULL;
  for (size_t i = 0; ok && i < o->case_count; i++) ok = o->cases[i] != NULL;
  return ok;
}

viva_status viva_experiments_choose(const viva_model *model, const viva_experiments_options *options,
                                    viva_experiments **out) {
  if (!out) return VIVA_EUSAGE;
  *out = NULL;
  viva_experiments_options o = options ? *options : viva_experiments_defaults();
  if (!is_asked(&o)) return VIVA_EUSAGE;
  viva_status status = model_status(model);
  if (status != VIVA_OK) return status;
  viva_experiments *x = handle_new(sizeof *x);
  if (!x) return VIVA_ENOMEM;
  x->summary[0] = x->summary[1] = "";
  x->result.status = run_no_memory;
  bool ok = scope_open(&x->scope, x->arena, &model->model) && choose(x, model, &o) && !arena_failed(x->arena);
  status = ok ? run_status(x->result.status) : VIVA_ENOMEM;
  status = settle_status(x->arena, status, &x->message);
  if (status == VIVA_ENOMEM) viva_experiments_free(x);
  else *out = x;
  return status;
}

void viva_experiments_free(viva_experiments *x) {
  if (!x) return;
  for (uint32_t i = 0; x->cases && i < x->request.case_count; i++) viva_model_free(x->cases[i]);
  handle_free(x);
}

const char *viva_experiments_summary(const viva_experiments *x, viva_format format) {
  if (!x || (format != VIVA_FORMAT_TEXT && format != VIVA_FORMAT_JSON)) return "";
  return x->summary[format == VIVA_FORMAT_JSON];
}
const char *viva_experiments_message(const viva_experiments *x) { return x ? x->message : NULL; }

size_t viva_experiments_count(const viva_experiments *x) { return x && *x->summary[0] ? x->result.count : 0; }
viva_experiment viva_experiments_get(const viva_experiments *x, size_t index) {
  if (index >= viva_experiments_count(x)) return (viva_experiment){.efficiency = NAN};
  const OptimalCandidate *c = &x->result.candidates[index];
  return (viva_experiment){.text = x->names[index],
                           .efficiency = optimal_efficiency(&x->result, (uint32_t)index),
                           .errors = c->errors,
                           .error_count = x->result.f->k,
                           .times = c->times,
                           .time_count = c->time_count};
}

// Parameter identification: parameters from data, from the outside.
//
// in    a model with `fit` lines (its own, or that of the load options), their data files
// out   estimates, a summary as text and JSON, messages with their spans in the model or in the data, the text of the
//       model with what was found
#include "api/fit_parts.h"
#include "api/handles.h"
#include "lang/fitted.h"
#include "lang/measured.h"
#include "show/fit_index.h"

#include <math.h>
#include <string.h>

viva_fit_options viva_fit_defaults(void) {
  viva_fit_options o = {.run = viva_run_defaults(), .seed = 1};
  o.run.rtol = 1e-9;
  o.crossover = o.mutation = o.exponent = NAN;
  return o;
}

typedef struct FitReading {
  viva_fit *fit;
  const viva_model *model;
  Sources sources;
  Diags diags;
  FitData *data;
} FitReading;

// Spans in the data stand behind those of the model.
static bool share_sources(const Sources *of, Arena *arena, Sources *out) {
  *out = (Sources){.arena = arena};
  for (uint32_t i = 0; i < of->list.count; i++) vec_push(arena, &out->list, of->list.items[i]);
  return !arena_failed(arena);
}

// With its case, the text is read once more.
viva_status fit_case_model(const viva_model *model, const char *name, Diags *diags, viva_model **out) {
  viva_model *m = handle_new(sizeof *m);
  *out = NULL;
  if (!m) return VIVA_ENOMEM;
  m->origin = model->origin;
  m->origin.options.case_name = name;
  const ModelOrigin *from = &m->origin;
  bool ok = pipeline_load(m->arena, &m->model, &m->system, from->name, from->text, from->length, &from->options);
  viva_status status = model_finish(m, ok, out);
  if (status != VIVA_EINPUT) return status;
  const Diags *found = &(*out)->model.diags;
  for (uint32_t i = 0; i < found->list.count; i++) vec_push(diags->arena, &diags->list, found->list.items[i]);
  diags->errors += found->errors;
  return status;
}

// The model of an experiment.
static const viva_model *model_of(FitReading *x, uint32_t line) {
  const SystemFit *fit = &x->model->system.fits.items[line];
  const ModelOptions *own = &x->model->origin.options;
  if (!fit->in_case || (own->case_name && strcmp(own->case_name, fit->in_case) == 0)) return x->model;
  viva_status status = fit_case_model(x->model, fit->in_case, &x->diags, &x->fit->cases[line]);
  return status == VIVA_OK ? x->fit->cases[line] : NULL;
}

static bool has_data(const viva_model *model) {
  for (uint32_t i = 0; i < model->system.fits.count; i++) {
    if (model->system.fits.items[i].path) return true;
  }
  return false;
}

static bool read_line(FitReading *x, uint32_t line) {
  Arena *arena = x->fit->arena;
  const viva_model *model = model_of(x, line);
  MeasuredRows rows;
  if (!model) return false;
  const SystemFit *fit = &x->model->system.fits.items[line];
  if (!fit->path && !fit->measured.count && has_data(x->model)) { // unknowns that all experiments share
    x->data[line] = (FitData){.system = &model->system, .fit = fit};
    return true;
  }
  if (!fit->path) {
    diag_error(&x->diags, diag_bad_setting, fit->span, "this names no data file");
    diag_hint(&x->diags, "write `to \"data.csv\" by x` or `viva fit FILE data.csv --by x`, or say what becomes least: "
                         "`--minimize \"integral(t*|e|)\"`");
    return false;
  }
  if (!measured_read(arena, &x->sources, &x->diags, &model->system.fits.items[line], &model->system.tables,
                     system_is_curve(&model->system), &rows))
    return false;
  x->data[line] = (FitData){
      &model->system, &model->system.fits.items[line], rows.times, rows.values, rows.count, rows.place, rows.in_unit};
  return true;
}

// False: out of memory, or something is wrong.
static bool read_all(FitReading *x) {
  uint32_t count = x->model->system.fits.count;
  Arena *arena = x->fit->arena;
  x->data = arena_array(arena, (size_t)count + 1, sizeof *x->data);
  x->fit->cases = arena_array(arena, (size_t)count + 1, sizeof *x->fit->cases);
  if (!x->data || !x->fit->cases) return false;
  x->fit->case_count = count;
  if (!count) {
    diag_error(&x->diags, diag_bad_setting, (Span){0}, "the model has no `fit` line");
    diag_hint(&x->diags,
              "write `fit k in 0 .. 10 to \"data.csv\" by x`, or `viva fit FILE data.csv --free k=0:10 --by x`");
  }
  bool ok = count > 0;
  for (uint32_t i = 0; i < count; i++) ok = read_line(x, i) && ok;
  return ok;
}

// A value that all experiments share stands in the model, and in their cases where these say it, too.
static void keep_text(viva_fit *v, const viva_model *model) {
  const FitProblem *f = v->result.f;
  const SystemFitList *fits = &model->system.fits;
  size_t most = (size_t)f->k * (fits->count + 1);
  FittedValue *values = arena_array(v->arena, most + 1, sizeof *values);
  uint32_t count = 0;
  const char *why = NULL;
  for (uint32_t i = 0; values && i < f->k; i++) {
    FittedValue value = {f->unknowns[i].name, v->result.u[i], f->unknowns[i].in_case, false};
    values[count++] = value;
    value.if_said = true;
    for (uint32_t k = 0; !f->unknowns[i].in_case && k < fits->count; k++) {
      value.in_case = fits->items[k].in_case;
      bool own = false;
      for (uint32_t j = 0; j < f->k && value.in_case; j++) {
        const FitUnknown *u = &f->unknowns[j];
        own = own || (u->in_case && strcmp(u->in_case, value.in_case) == 0 && strcmp(u->name, value.name) == 0);
      }
      for (uint32_t j = 0; j < k && value.in_case; j++)
        own = own || (fits->items[j].in_case && strcmp(fits->items[j].in_case, value.in_case) == 0);
      if (value.in_case && !own) values[count++] = value;
    }
  }
  if (values) v->text = fitted_text(v->arena, &model->model, values, count, &why);
  if (why)
    v->text_message = arena_printf(
        v->arena, "the text of the model has no place of its own for `%s`: its value cannot be written there", why);
}

// ---- an index of performance

// How far `a <= b` is from holding, as a text: (a) - (b). NULL: it is no single comparison.
static const char *excess_text(Arena *arena, const char *text) {
  const char *at = NULL;
  int depth = 0;
  for (const char *s = text; *s; s++) {
    depth += (*s == '(' || *s == '[') - (*s == ')' || *s == ']');
    if (depth || (*s != '<' && *s != '>')) continue;
    if (at) return NULL;
    at = s;
  }
  if (!at) return NULL;
  const char *right = at + 1 + (at[1] == '=');
  return *at == '<' ? arena_printf(arena, "(%.*s) - (%s)", (int)(at - text), text, right)
                    : arena_printf(arena, "(%s) - (%.*s)", right, (int)(at - text), text);
}

// Texts of all measures: the index, the conditions; of those that can be read, what exceeds them (else excess is NULL).
// False: out of memory.
static bool list_measures(viva_fit *v, const viva_fit_options *o, MeasureJob *job, uint32_t *excess) {
  const char **texts = arena_array(v->arena, 2 * o->where_count + 1, sizeof *texts);
  if (!texts) return false;
  job->texts = texts;
  texts[job->count++] = o->minimize;
  for (size_t i = 0; i < o->where_count; i++) texts[job->count++] = o->where[i];
  for (size_t i = 0; excess && i < o->where_count; i++) {
    const char *text = excess_text(v->arena, o->where[i]);
    if (!text) continue;
    excess[i] = (uint32_t)job->count;
    texts[job->count++] = text;
  }
  return !arena_failed(v->arena);
}

static void check_conditions(const MeasureSet *set, size_t count, Diags *diags) {
  if (set->items.items[0].condition) {
    diag_error(diags, diag_bad_measure, set->items.items[0].span, "this is a condition: it cannot become least");
    diag_hint(diags, "a condition belongs to `--where`");
  }
  for (size_t i = 1; i <= count; i++) {
    if (set->items.items[i].condition) continue;
    diag_error(diags, diag_bad_measure, set->items.items[i].span, "this is no condition");
    diag_hint(diags, "write what must hold: `--where \"max(y) <= 1.02\"`");
  }
}

static void minimize(FitReading *x, const viva_fit_options *o, const FitSettings *settings) {
  viva_fit *v = x->fit;
  const SystemFitList *fits = &x->model->system.fits;
  MeasureJob *job = arena_new_of(v->arena, MeasureJob);
  uint32_t *excess = arena_array(v->arena, o->where_count + 1, sizeof *excess);
  FitData *data = arena_array(v->arena, (size_t)fits->count + 1, sizeof *data);
  if (!job || !excess || !data) return;
  // errors are reported of what was written, not of what exceeds it
  Diags *read = &job->scope.model.diags;
  for (int with = 0; with < 2; with++) {
    *job = (MeasureJob){.option = "--where", .first = "--minimize"};
    if (!list_measures(v, o, job, with ? excess : NULL)) return;
    if (!pipeline_measures(v->arena, &x->model->model, &x->model->system, job)) return;
    if (read->errors) break;
  }
  v->result.status = run_input;
  if (!read->errors) check_conditions(&job->set, o->where_count, read);
  if (read->errors || !fits->count) {
    x->diags = *read;
    if (!read->errors)
      diag_error(&x->diags, diag_bad_setting, (Span){0}, "nothing is unknown: `--free Ka=0:1` names it");
    return;
  }
  for (uint32_t i = 0; i < fits->count; i++) data[i] = (FitData){.system = &job->over, .fit = &fits->items[i]};
  IndexRequest request = {&job->over, &job->set, (uint32_t)o->where_count, excess};
  v->result = fit_index_run(v->arena, data, fits->count, &request, settings, &x->diags);
}

static void keep_summary(viva_fit *v, const viva_model *model) {
  if (v->result.status != run_done && !v->result.partial && !v->result.no_ends) return;
  Text text = text_in(v->arena), json = text_in(v->arena);
  bool index = v->result.f->index != NULL;
  (index ? show_index_text : show_fit_text)(&v->result, model->model.title, &text);
  (index ? show_index_json : show_fit_json)(&v->result, model->model.title, &json);
  v->summary[0] = text_str(&text);
  v->summary[1] = text_str(&json);
  if (!v->result.only_before) keep_text(v, model);
}

viva_status viva_fit_model(const viva_model *model, const viva_fit_options *options, viva_fit **out) {
  if (!out) return VIVA_EUSAGE;
  *out = NULL;
  viva_status status = model_status(model);
  if (status != VIVA_OK) return status;
  viva_fit_options o = options ? *options : viva_fit_defaults();
  viva_fit *v = handle_new(sizeof *v);
  if (!v) return VIVA_ENOMEM;
  v->summary[0] = v->summary[1] = "";
  v->title = model->model.title;
  FitReading x = {.fit = v, .model = model};
  v->result.status = run_no_memory;
  if (share_sources(&model->model.sources, v->arena, &x.sources)) {
    x.diags = (Diags){.arena = v->arena, .sources = &x.sources};
    FitSettings settings = {.run = run_settings(&o.run),
                            .method = o.method,
                            .seed = o.seed,
                            .no_profiles = o.no_profiles,
                            .only_before = o.only_before,
                            .pictures = o.pictures};
    bool ok = o.minimize || read_all(&x);
    fit_settings_read(&o, &x.diags, &settings);
    settings.listener = (FitListener){o.run.self, o.best};
    if (x.diags.errors) v->result.status = run_input;
    else if (o.minimize) minimize(&x, &o, &settings);
    else if (ok && !arena_failed(v->arena))
      v->result = fit_run(v->arena, x.data, model->system.fits.count, &settings, &x.diags);
  }
  diag_sort(&x.diags);
  Diag failure = {.span = v->result.place, .message = v->result.message};
  v->message = messages_text(v->arena, x.diags.sources, &x.diags, &failure);
  keep_summary(v, model);
  status = arena_failed(v->arena) ? VIVA_ENOMEM : run_status(v->result.status);
  status = settle_status(v->arena, status, &v->message);
  if (status == VIVA_ENOMEM) viva_fit_free(v);
  else *out = v;
  return status;
}

void viva_fit_free(viva_fit *fit) {
  if (!fit) return;
  if (fit->result.f) fit_free(&fit->result);
  for (uint32_t i = 0; i < fit->case_count; i++) viva_model_free(fit->cases[i]);
  handle_free(fit);
}

const char *viva_fit_summary(const viva_fit *fit, viva_format format) {
  if (!fit || (format != VIVA_FORMAT_TEXT && format != VIVA_FORMAT_JSON)) return "";
  return fit->summary[format == VIVA_FORMAT_JSON];
}
const char *viva_fit_message(const viva_fit *fit) { return fit ? fit->message : NULL; }
const char *viva_fit_text(const viva_fit *fit, const char **why) {
  if (why) *why = fit ? fit->text_message : NULL;
  return fit ? fit->text : NULL;
}

static bool is_done(const viva_fit *fit) { return fit && *fit->summary[0] && !fit->result.only_before; }
size_t viva_fit_unknown_count(const viva_fit *fit) { return is_done(fit) ? fit->result.f->k : 0; }
const char *viva_fit_unknown_name(const viva_fit *fit, size_t index) {
  return index < viva_fit_unknown_count(fit) ? fit->result.f->unknowns[index].shown : NULL;
}
viva_estimate viva_fit_estimate(const viva_fit *fit, size_t index) {
  if (index >= viva_fit_unknown_count(fit)) return (viva_estimate){NAN, NAN, NAN, NAN, false, false};
  const FitEstimate *e = &fit->result.estimates[index];
  return (viva_estimate){e->value, e->stderr_, e->low, e->high, e->at_bound, e->found};
}
double viva_fit_r_squared(const viva_fit *fit) { return is_done(fit) ? fit->result.r2 : NAN; }
double viva_fit_aic(const viva_fit *fit) { return is_done(fit) ? fit->result.aic : NAN; }
double viva_fit_bic(const viva_fit *fit) { return is_done(fit) ? fit->result.bic : NAN; }
double viva_fit_index(const viva_fit *fit) {
  bool index = is_done(fit) && fit->result.f->index && fit->result.status == run_done;
  return index ? fit->result.f->index->last[0] : NAN;
}
uint64_t viva_fit_simulations(const viva_fit *fit) { return is_done(fit) ? fit->result.f->motions : 0; }

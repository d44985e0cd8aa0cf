// Simulations from the outside.
//
// in    a model, settings, a sink for rows, a figure that watches
// out   the result with its summary and its messages; a state that is saved to a file
#include "api/handles.h"
#include "base/file.h"
#include "base/outfile.h"
#include "show/summary.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { largest_state = 1 << 30 }; // bytes of a saved state

viva_run_options viva_run_defaults(void) {
  return (viva_run_options){.to = NAN, .step = NAN, .every = NAN, .rtol = NAN, .atol = NAN};
}

RunSettings run_settings(const viva_run_options *o) {
  return (RunSettings){.to = o->to,
                       .step = o->step,
                       .every = o->every,
                       .rtol = o->rtol,
                       .atol = o->atol,
                       .method = o->method,
                       .energy = o->energy,
                       .all = o->all,
                       .save = o->save,
                       .no_events = o->no_events,
                       .check_step = o->check_step,
                       .most_steps = o->most_steps,
                       .backend = o->backend,
                       .self = o->self,
                       .interrupted = o->interrupted,
                       .progress = o->progress};
}

viva_status run_status(RunStatus status) {
  switch (status) {
  case run_done: return VIVA_OK;
  case run_input: return VIVA_EINPUT;
  case run_interrupted: return VIVA_EINTERRUPTED;
  case run_sink_failed: return VIVA_EIO;
  case run_no_memory: return VIVA_ENOMEM;
  case run_failed: break;
  }
  return VIVA_EFAIL;
}

// The figure sees the rows: it is emptied of those of an earlier run.
static void watch(RunSettings *settings, viva_figure *figure, bool rows_wanted) {
  if (!figure) return;
  figure_clear(&figure->figure);
  figure->scene.rows = 0;
  settings->watch = figure->figure.watch.items;
  settings->watch_count = figure->figure.watch.count;
  settings->watcher = &figure->sink;
  settings->watch_paths = figure_has_paths(&figure->figure);
  settings->close_rows = !rows_wanted;
  settings->closest_rows = settings->close_rows && figure->options.kind != VIVA_FIGURE_PLOTS;
}

// A `when` is marked in pictures, by its condition; switching inside functions is not.
static void mark_events(viva_figure *figure, const RunResult *r) {
  const size_t word = strlen("when ");
  for (uint32_t i = 0; figure && i < r->events.count; i++) {
    const RunEvent *e = &r->events.items[i];
    if (e->kind == event_of_when) figure_event(&figure->figure, e->t, strlen(e->word) > word ? e->word + word : "");
  }
}

static void keep_summary(viva_run *run, const char *title) {
  if (run->result.status == run_input || run->result.status == run_no_memory) return;
  Text text = text_in(run->arena), json = text_in(run->arena);
  show_run_text(&run->result, title, &text);
  show_run_json(&run->result, title, &json);
  run->summary[0] = text_str(&text);
  run->summary[1] = text_str(&json);
}

// Reads the state that the run goes on from. False: the result says why not.
static bool read_state(viva_run *run, const char *path, const char **state) {
  size_t length;
  const char *why = NULL;
  *state = file_read(run->arena, path, largest_state, &length, &why);
  if (*state) return true;
  run->result =
      (RunResult){.status = run_input,
                  .message = arena_printf(run->arena, "\"%s\" cannot be read: %s", path, why ? why : "out of memory")};
  return false;
}

// Members of a family share what was made for the first. Measures are expressions of the run's own.
static void follow(viva_run *run, const viva_model *model, RunSettings *settings, const Sink *rows, Diags *diags,
                   const viva_run_options *o) {
  MeasureJob *job = o->measure_count ? arena_new_of(run->arena, MeasureJob) : NULL;
  if (model->family) run->of = family_hold(model);
  if (!o->measure_count) {
    run->result = pipeline_run(run->arena, &model->system, model->family, settings, rows, diags);
    return;
  }
  run->result.status = run_no_memory;
  if (!job) return;
  *job = (MeasureJob){.texts = o->measures, .count = o->measure_count, .option = "--measure"};
  if (!pipeline_measures(run->arena, &model->model, &model->system, job)) return;
  settings->measures = &job->set;
  if (job->scope.model.diags.errors) {
    *diags = job->scope.model.diags;
    run->result.status = run_input;
  } else {
    run->result = pipeline_run(run->arena, &job->over, NULL, settings, rows, diags);
  }
}

// ---- a run in its parts

typedef struct RunWork {
  viva_run *run;
  viva_run_options o;
  RunSettings settings;
  Sink rows;
  Diags diags;
} RunWork;

// VIVA_OK, or why there is no run.
static viva_status begin(RunWork *w, const viva_model *model, const viva_run_options *options, const viva_sink *sink) {
  viva_status status = model_status(model);
  if (status != VIVA_OK) return status;
  viva_run *run = w->run = handle_new(sizeof *run);
  if (!run) return VIVA_ENOMEM;
  run->summary[0] = run->summary[1] = "";
  w->o = options ? *options : viva_run_defaults();
  w->settings = run_settings(&w->o);
  watch(&w->settings, w->o.figure, sink && sink->row);
  w->rows = sink ? (Sink){.self = sink->self, .header = sink->header, .row = sink->row} : (Sink){0};
  w->diags = (Diags){.arena = run->arena, .sources = &model->model.sources};
  return VIVA_OK;
}

// Messages and summary; hands the run over.
static viva_status end(RunWork *w, const viva_model *model, viva_run **out) {
  viva_run *run = w->run;
  mark_events(w->o.figure, &run->result);
  diag_sort(&w->diags);
  Diag failure = {.span = run->result.place, .message = run->result.message};
  run->message = messages_text(run->arena, w->diags.sources, &w->diags, &failure);
  keep_summary(run, model->model.title);
  if (arena_failed(run->arena) || (w->o.figure && arena_failed(w->o.figure->arena))) run->result.status = run_no_memory;
  viva_status status = settle_status(run->arena, run_status(run->result.status), &run->message);
  if (status == VIVA_EFAIL) run->result.status = run_failed;
  if (status == VIVA_ENOMEM) viva_run_free(run);
  else *out = run;
  return status;
}

viva_status viva_run_model(const viva_model *model, const viva_run_options *options, const viva_sink *sink,
                           viva_run **out) {
  RunWork work = {0}, *w = &work;
  if (!out) return VIVA_EUSAGE;
  *out = NULL;
  viva_status status = begin(w, model, options, sink);
  if (status != VIVA_OK) return status;
  if (!w->o.resume || read_state(w->run, w->o.resume, &w->settings.resume))
    follow(w->run, model, &w->settings, &w->rows, &w->diags, &w->o);
  return end(w, model, out);
}

// ---- members of a family

// Do they stand on one program, and ask for nothing but a run?
static bool go_together(const viva_model *const *members, size_t count, const viva_run_options *options) {
  if (!members[0]->family || count > UINT32_MAX) return false;
  for (size_t i = 0; i < count; i++) {
    if (members[i]->family != members[0]->family || options[i].resume || options[i].measure_count) return false;
  }
  return true;
}

static void one_by_one(const viva_model *const *members, size_t count, const viva_run_options *options,
                       const viva_sink *sinks, viva_run **runs, viva_status *states) {
  bool stopped = false;
  for (size_t i = 0; i < count; i++) {
    runs[i] = NULL;
    states[i] =
        stopped ? VIVA_EINTERRUPTED : viva_run_model(members[i], &options[i], sinks ? &sinks[i] : NULL, &runs[i]);
    stopped = stopped || (states[i] != VIVA_OK && states[i] != VIVA_EFAIL);
  }
}

static void together(const viva_model *const *members, uint32_t count, RunWork *work, FamilyMember *of, viva_run **runs,
                     viva_status *states) {
  for (uint32_t i = 0; i < count; i++) {
    RunWork *w = &work[i];
    of[i] = (FamilyMember){.arena = w->run->arena,
                           .system = &members[i]->system,
                           .settings = &w->settings,
                           .sink = &w->rows,
                           .diags = &w->diags};
    w->run->of = family_hold(members[i]);
  }
  pipeline_members(members[0]->family, of, count);
  for (uint32_t i = 0; i < count; i++) {
    work[i].run->result = of[i].result;
    states[i] = end(&work[i], members[i], &runs[i]);
  }
}

viva_status viva_run_members(const viva_model *const *members, size_t count, const viva_run_options *options,
                             const viva_sink *sinks, viva_run **runs, viva_status *states) {
  if (!members || !options || !runs || !states) return VIVA_EUSAGE;
  if (count) memset(runs, 0, count * sizeof *runs);
  for (size_t i = 0; i < count; i++) {
    viva_status status = model_status(members[i]);
    if (status != VIVA_OK) return status;
  }
  if (count == 0) return VIVA_OK;
  RunWork *work = NULL;
  FamilyMember *of = NULL;
  bool beside = count > 1 && go_together(members, count, options);
  if (beside) {
    work = calloc(count, sizeof *work);
    of = calloc(count, sizeof *of);
    beside = work && of;
  }
  for (size_t i = 0; beside && i < count; i++)
    beside = begin(&work[i], members[i], &options[i], sinks ? &sinks[i] : NULL) == VIVA_OK;
  if (beside) {
    together(members, (uint32_t)count, work, of, runs, states);
  } else {
    for (size_t i = 0; work && i < count; i++) viva_run_free(work[i].run);
    one_by_one(members, count, options, sinks, runs, states);
  }
  free(work);
  free(of);
  return VIVA_OK;
}

void viva_run_free(viva_run *run) {
  viva_model *of = run ? run->of : NULL;
  handle_free(run);
  family_release(of);
}

const char *viva_run_summary(const viva_run *run, viva_format format) {
  if (!run || (format != VIVA_FORMAT_TEXT && format != VIVA_FORMAT_JSON)) return "";
  return run->summary[format == VIVA_FORMAT_JSON];
}
const char *viva_run_message(const viva_run *run) { return run ? run->message : NULL; }
size_t viva_run_value_count(const viva_run *run) { return run ? run->result.final.count : 0; }
const char *viva_run_value_name(const viva_run *run, size_t index) {
  return run && index < run->result.final.count ? run->result.final.names[index] : NULL;
}
double viva_run_value(const viva_run *run, size_t index) {
  return run && index < run->result.final.count ? run->result.final.values[index] : NAN;
}
viva_status viva_run_save(const viva_run *run, const char *path, int *system_error) {
  if (!run || !path || !run->result.state) return VIVA_EUSAGE;
  int error = 0;
  OutFile *out = outfile_open(path, &error);
  if (out && !outfile_write(out, run->result.state, strlen(run->result.state))) {
    outfile_discard(out);
    out = NULL;
    error = EIO;
  } else if (out) {
    error = outfile_commit(out);
  }
  if (system_error) *system_error = error;
  return out && !error ? VIVA_OK : VIVA_EIO;
}
size_t viva_run_measure_count(const viva_run *run) {
  return run && run->result.measures.set ? run->result.measures.set->items.count : 0;
}
double viva_run_measure(const viva_run *run, size_t index) {
  return index < viva_run_measure_count(run) ? run->result.measures.values[index] : NAN;
}
size_t viva_run_event_count(const viva_run *run) { return run ? run->result.events.count : 0; }
viva_event viva_run_event(const viva_run *run, size_t index) {
  if (index >= viva_run_event_count(run)) return (viva_event){.t = NAN, .what = ""};
  const RunEvent *e = &run->result.events.items[index];
  return (viva_event){e->t, e->word, e->line, e->value};
}
double viva_run_energy_residue(const viva_run *run) {
  return run && run->result.account.kept ? run->result.account.residue : NAN;
}

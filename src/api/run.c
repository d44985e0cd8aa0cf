// Motions from the outside.
//
// in    a model, settings, a sink for rows, a figure that watches
// out   the result with its summary and its messages; a state that is saved to a file
#include "api/handles.h"
#include "base/file.h"
#include "base/outfile.h"
#include "show/summary.h"

#include <errno.h>
#include <math.h>
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
                  .message = arena_printf(run->arena, "\"%s\" cannot be read: %s", path, why ? why : "memory is out")};
  return false;
}

// Members of a family share what was made for the first. Measures are expressions of the run's own.
static void follow(viva_run *run, const viva_model *model, RunSettings *settings, const Sink *rows, Diags *diags,
                   const viva_run_options *o) {
  MeasureRoad *road = o->measure_count ? arena_new_of(run->arena, MeasureRoad) : NULL;
  if (model->family) run->of = family_hold(model);
  if (!o->measure_count) {
    run->result = pipeline_run(run->arena, &model->system, model->family, settings, rows, diags);
    return;
  }
  run->result.status = run_no_memory;
  if (!road) return;
  *road = (MeasureRoad){.texts = o->measures, .count = o->measure_count, .option = "--measure"};
  if (!pipeline_measures(run->arena, &model->model, &model->system, road)) return;
  settings->measures = &road->set;
  if (road->scope.model.diags.errors) {
    *diags = road->scope.model.diags;
    run->result.status = run_input;
  } else {
    run->result = pipeline_run(run->arena, &road->over, NULL, settings, rows, diags);
  }
}

viva_status viva_run_model(const viva_model *model, const viva_run_options *options, const viva_sink *sink,
                           viva_run **out) {
  if (!out) return VIVA_EUSAGE;
  *out = NULL;
  viva_status status = model_status(model);
  if (status != VIVA_OK) return status;
  viva_run *run = handle_new(sizeof *run);
  if (!run) return VIVA_ENOMEM;
  run->summary[0] = run->summary[1] = "";
  viva_run_options o = options ? *options : viva_run_defaults();
  RunSettings settings = run_settings(&o);
  watch(&settings, o.figure, sink && sink->row);
  Sink rows = sink ? (Sink){.self = sink->self, .header = sink->header, .row = sink->row} : (Sink){0};
  const Sources *sources = &model->model.sources;
  Diags diags = {.arena = run->arena, .sources = sources};
  if (!o.resume || read_state(run, o.resume, &settings.resume)) follow(run, model, &settings, &rows, &diags, &o);
  mark_events(o.figure, &run->result);
  diag_sort(&diags);
  Diag failure = {.span = run->result.place, .message = run->result.message};
  run->message = messages_text(run->arena, diags.sources, &diags, &failure);
  keep_summary(run, model->model.title);
  if (arena_failed(run->arena) || (o.figure && arena_failed(o.figure->arena))) run->result.status = run_no_memory;
  status = run_status(run->result.status);
  if (status == VIVA_ENOMEM) viva_run_free(run);
  else *out = run;
  return status;
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

// The public C API: checks the call, keeps the memory, hands on to the pipeline.
#include "viva/viva.h"

#include "api/handles.h"
#include "base/file.h"
#include "base/outfile.h"
#include "show/csv.h"
#include "show/summary.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { largest_file = 256 * 1024 * 1024 };

const char *viva_version(void) { return VIVA_VERSION; }

const char *viva_status_text(viva_status status) {
  static const char *const texts[] = {
      "done",          "the computation failed",   "the input is wrong", "the call is wrong",
      "memory is out", "a file cannot be written", "interrupted"};
  return (size_t)status < sizeof texts / sizeof *texts ? texts[status] : "unknown";
}

// ---- models

viva_load_options viva_load_defaults(void) { return (viva_load_options){0}; }

static bool format_diagnostics(viva_model *m) {
  const Diags *d = &m->model.diags;
  m->texts = arena_array(m->arena, d->list.count, sizeof *m->texts);
  for (uint32_t i = 0; m->texts && i < d->list.count; i++) {
    Text t = text_in(m->arena);
    diag_format(&m->model.sources, &d->list.items[i], &t);
    m->texts[i] = text_str(&t);
  }
  return !arena_failed(m->arena);
}

// Lists of words have no holes.
static bool has_all(const char *const *list, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!list || !list[i]) return false;
  }
  return true;
}

static bool is_load(const viva_load_options *o) {
  return !o || (has_all(o->set, o->set_count) && has_all(o->input, o->input_count));
}

static viva_model *model_new(void) {
  viva_model *m = calloc(1, sizeof *m);
  if (m) m->arena = arena_new();
  if (m && m->arena) return m;
  free(m);
  return NULL;
}

static viva_status model_finish(viva_model *m, bool ok, viva_model **out) {
  if (!ok || !format_diagnostics(m)) {
    viva_model_free(m);
    *out = NULL;
    return VIVA_ENOMEM;
  }
  *out = m;
  return m->model.diags.errors ? VIVA_EINPUT : VIVA_OK;
}

static viva_status load(viva_model *m, const char *name, const char *text, size_t length,
                        const viva_load_options *options, viva_model **out) {
  viva_load_options o = options ? *options : viva_load_defaults();
  ModelOptions mo = {.case_name = o.case_name,
                     .set = o.set,
                     .set_count = o.set_count,
                     .input = o.input,
                     .input_count = o.input_count,
                     .member = o.member,
                     .strict = o.strict,
                     .confined = o.confined};
  viva_status status = model_finish(m, pipeline_load(m->arena, &m->model, &m->system, name, text, length, &mo), out);
  if (status != VIVA_OK || o.member < m->model.members) return status;
  viva_model_free(m);
  *out = NULL;
  return VIVA_EUSAGE;
}

viva_status viva_model_parse(const char *name, const char *text, size_t length, const viva_load_options *options,
                             viva_model **model) {
  if (!name || !text || !model || !is_load(options)) return VIVA_EUSAGE;
  *model = NULL;
  viva_model *m = model_new();
  return m ? load(m, name, text, length, options, model) : VIVA_ENOMEM;
}

viva_status viva_model_load(const char *path, const viva_load_options *options, viva_model **model) {
  if (!path || !model || !is_load(options)) return VIVA_EUSAGE;
  *model = NULL;
  viva_model *m = model_new();
  if (!m) return VIVA_ENOMEM;
  size_t length;
  const char *why = NULL;
  char *text = file_read(m->arena, path, largest_file, &length, &why);
  if (text) return load(m, path, text, length, options, model);
  m->model.sources.arena = m->arena;
  m->model.diags = (Diags){.arena = m->arena, .sources = &m->model.sources};
  diag_error(&m->model.diags, diag_missing_file, (Span){0}, "\"%s\" cannot be read: %s", path, why);
  return model_finish(m, !arena_failed(m->arena), model);
}

void viva_model_free(viva_model *model) {
  if (!model) return;
  arena_free(model->arena);
  free(model);
}

const char *viva_model_title(const viva_model *model) { return model ? model->model.title : NULL; }

// Sources of the command line are no files; a part that is used twice is one. Tables come behind them.
static const char *file_at(const viva_model *model, size_t index, size_t *count) {
  size_t n = 0;
  const Sources *sources = &model->model.sources;
  const char *found = NULL;
  for (uint32_t i = 0; i < sources->list.count; i++) {
    const Source *s = &sources->list.items[i];
    if (s->option || s->file != i + 1) continue;
    if (n++ == index) found = s->name;
  }
  for (uint32_t i = 0; i < model->model.tables.count; i++) {
    if (n++ == index) found = model->model.tables.items[i].path;
  }
  *count = n;
  return found;
}

size_t viva_model_file_count(const viva_model *model) {
  size_t count = 0;
  if (model) file_at(model, 0, &count);
  return count;
}

const char *viva_model_file(const viva_model *model, size_t index) {
  size_t count;
  return model ? file_at(model, index, &count) : NULL;
}

size_t viva_model_member_count(const viva_model *model) { return model ? model->model.members : 0; }
size_t viva_model_varied_count(const viva_model *model) { return model ? model->model.varied.count : 0; }
const char *viva_model_varied_name(const viva_model *model, size_t index) {
  return index < viva_model_varied_count(model) ? model->model.varied.items[index].name : NULL;
}
double viva_model_varied_value(const viva_model *model, size_t index) {
  return index < viva_model_varied_count(model) ? model->model.varied.items[index].number : NAN;
}

size_t viva_model_diagnostic_count(const viva_model *model) { return model ? model->model.diags.list.count : 0; }

size_t viva_model_diagnostics_dropped(const viva_model *model) {
  if (!model) return 0;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < model->model.diags.list.count; i++) kept += !model->model.diags.list.items[i].warning;
  bool full = model->model.diags.list.count >= diag_most;
  return full && model->model.diags.errors > kept ? model->model.diags.errors - kept : 0;
}

viva_diagnostic viva_model_diagnostic(const viva_model *model, size_t index) {
  if (!model || index >= model->model.diags.list.count) return (viva_diagnostic){0};
  const Diag *d = &model->model.diags.list.items[index];
  viva_diagnostic out = {.warning = d->warning,
                         .code = diag_code_name(d->code),
                         .message = d->message,
                         .hint = d->hint,
                         .text = model->texts[index]};
  Span span = source_origin(&model->model.sources, d->span);
  const Source *source = source_get(&model->model.sources, span);
  if (source) {
    Place place = source_place(source, span.start);
    out.file = source->name;
    out.line = place.line;
    out.column = place.column;
  }
  return out;
}

// ---- equations

viva_derive_options viva_derive_defaults(void) {
  return (viva_derive_options){.form = VIVA_FORM_LAGRANGE, .format = VIVA_FORMAT_TEXT};
}

viva_status viva_derive(const viva_model *model, const viva_derive_options *options, char **text) {
  if (!model || !text) return VIVA_EUSAGE;
  *text = NULL;
  if (model->model.diags.errors) return VIVA_EINPUT;
  viva_derive_options o = options ? *options : viva_derive_defaults();
  Arena *arena = arena_new();
  if (!arena) return VIVA_ENOMEM;
  Text out = text_in(arena);
  DeriveStyle style = {o.factor, o.expand, o.digits, o.steps};
  viva_status status = VIVA_ENOMEM;
  if (!pipeline_derive(arena, &model->system, (DeriveForm)o.form, &style, (ShowFormat)o.format, &out)) {
    if (!arena_failed(arena)) status = VIVA_EFAIL; // too large
  } else if ((*text = malloc(out.length + 1))) {
    memcpy(*text, text_str(&out), out.length + 1);
    status = VIVA_OK;
  }
  arena_free(arena);
  return status;
}

viva_status viva_export_latex(const viva_model *model, bool steps, char **text) {
  if (!model || !text) return VIVA_EUSAGE;
  *text = NULL;
  if (model->model.diags.errors) return VIVA_EINPUT;
  Arena *arena = arena_new();
  if (!arena) return VIVA_ENOMEM;
  Text out = text_in(arena);
  viva_status status = VIVA_ENOMEM;
  if (!pipeline_export_latex(arena, &model->system, steps, &out)) {
    if (!arena_failed(arena)) status = VIVA_EFAIL;
  } else if ((*text = malloc(out.length + 1))) {
    memcpy(*text, text_str(&out), out.length + 1);
    status = VIVA_OK;
  }
  arena_free(arena);
  return status;
}

void viva_text_free(char *text) { free(text); }

char *viva_text_shown(const char *text) {
  Arena *arena = text ? arena_new() : NULL;
  char *copy = NULL;
  if (!arena) return NULL;
  Text out = text_in(arena);
  text_put_plain(&out, text, strlen(text));
  if (!arena_failed(arena) && (copy = malloc(out.length + 1))) memcpy(copy, text_str(&out), out.length + 1);
  arena_free(arena);
  return copy;
}

// ---- decisions

struct viva_check {
  Arena *arena;
  CheckReport report;
  const char *text[2]; // text, JSON
  const char *message;
};

static viva_check *check_new(void) {
  viva_check *c = calloc(1, sizeof *c);
  if (c) c->arena = arena_new();
  if (c && c->arena) {
    c->text[0] = c->text[1] = "";
    return c;
  }
  free(c);
  return NULL;
}

static viva_status check_finish(viva_check *c, bool ok, const TextScope *scope, viva_check **out) {
  Text message = text_in(c->arena);
  for (uint32_t i = 0; ok && i < scope->model.diags.list.count; i++)
    diag_format(&scope->model.sources, &scope->model.diags.list.items[i], &message);
  c->message = message.length ? text_str(&message) : NULL;
  if (!ok || arena_failed(c->arena)) {
    viva_check_free(c);
    return VIVA_ENOMEM;
  }
  *out = c;
  if (!scope->model.diags.errors) return VIVA_OK;
  c->text[0] = c->text[1] = "";
  return VIVA_EINPUT;
}

viva_status viva_check_equations(const viva_model *model, const char *name, const char *text, size_t length,
                                 viva_check **check) {
  if (!model || !name || !text || !check) return VIVA_EUSAGE;
  *check = NULL;
  if (model->model.diags.errors) return VIVA_EUSAGE;
  viva_check *c = check_new();
  if (!c) return VIVA_ENOMEM;
  TextScope scope;
  Text plain = text_in(c->arena), json = text_in(c->arena);
  bool ok =
      pipeline_check(c->arena, &model->model, &model->system, name, text, length, &scope, &c->report, &plain, &json);
  c->text[0] = text_str(&plain);
  c->text[1] = text_str(&json);
  return check_finish(c, ok, &scope, check);
}

viva_status viva_check_model(const viva_model *model, viva_check **check) {
  if (!model || !check) return VIVA_EUSAGE;
  *check = NULL;
  if (model->model.diags.errors) return VIVA_EUSAGE;
  viva_check *c = check_new();
  if (!c) return VIVA_ENOMEM;
  Text plain = text_in(c->arena), json = text_in(c->arena);
  if (!pipeline_facts(c->arena, &model->system, &plain, &json)) {
    viva_check_free(c);
    return VIVA_ENOMEM;
  }
  c->text[0] = text_str(&plain);
  c->text[1] = text_str(&json);
  *check = c;
  return VIVA_OK;
}

viva_status viva_check_same(const viva_model *a, const viva_model *b, const char *first, const char *second,
                            viva_check **check) {
  if (!a || !b || !first || !second || !check) return VIVA_EUSAGE;
  *check = NULL;
  if (a->model.diags.errors || b->model.diags.errors) return VIVA_EUSAGE;
  viva_check *c = check_new();
  if (!c) return VIVA_ENOMEM;
  TextScope scope;
  Text plain = text_in(c->arena), json = text_in(c->arena);
  bool ok =
      pipeline_diff(c->arena, &a->model, &a->system, &b->system, first, second, &scope, &c->report, &plain, &json);
  c->text[0] = text_str(&plain);
  c->text[1] = text_str(&json);
  return check_finish(c, ok, &scope, check);
}

void viva_check_free(viva_check *check) {
  if (!check) return;
  arena_free(check->arena);
  free(check);
}

viva_verdict viva_check_verdict(const viva_check *check) {
  return check ? (viva_verdict)check->report.verdict : VIVA_UNDECIDED;
}
size_t viva_check_count(const viva_check *check) { return check ? check->report.results.count : 0; }
viva_verdict viva_check_verdict_of(const viva_check *check, size_t index) {
  return index < viva_check_count(check) ? (viva_verdict)check->report.results.items[index].verdict : VIVA_UNDECIDED;
}
const char *viva_check_text(const viva_check *check, viva_format format) {
  return check ? check->text[format == VIVA_FORMAT_JSON] : "";
}
const char *viva_check_message(const viva_check *check) { return check ? check->message : NULL; }

// ---- the model in other programs

viva_export_options viva_export_defaults(void) { return (viva_export_options){0}; }

static bool is_c_name(const char *s) {
  for (const char *c = s; *c; c++) {
    bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_', digit = *c >= '0' && *c <= '9';
    if (!letter && (!digit || c == s)) return false;
  }
  return *s && strlen(s) <= 60 && strcmp(s, "main") != 0;
}

viva_status viva_export_c(const viva_model *model, const viva_export_options *options, const char *folder, char **path,
                          int *system_error) {
  viva_export_options o = options ? *options : viva_export_defaults();
  const char *name = o.name ? o.name : "model";
  if (path) *path = NULL;
  if (!model || !folder || !*folder || !is_c_name(name)) return VIVA_EUSAGE;
  if (model->model.diags.errors) return VIVA_EINPUT;
  Arena *arena = arena_new();
  if (!arena) return VIVA_ENOMEM;
  int error = 0;
  const char *where = export_refuses(arena, &model->system);
  bool refused = where != NULL,
       ok = !refused &&
            pipeline_export_c(arena, &model->system, &(ExportWish){name, folder, o.single, o.force}, &where, &error);
  if (!ok && !refused && !error && where) refused = true; // found out on the way
  if (system_error) *system_error = error;
  if ((error || refused) && path && where && (*path = malloc(strlen(where) + 1)))
    memcpy(*path, where, strlen(where) + 1);
  viva_status status = refused               ? VIVA_EINPUT
                       : error               ? VIVA_EIO
                       : ok                  ? VIVA_OK
                       : arena_failed(arena) ? VIVA_ENOMEM
                                             : VIVA_EFAIL;
  arena_free(arena);
  return status;
}

// ---- motion

viva_run_options viva_run_defaults(void) {
  return (viva_run_options){.to = NAN, .step = NAN, .every = NAN, .rtol = NAN, .atol = NAN};
}

static RunSettings settings_of(const viva_run_options *o) {
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

static void keep_message(viva_run *run, const viva_model *model, const Diags *diags) {
  Text t = text_in(run->arena);
  for (uint32_t i = 0; i < diags->list.count; i++) diag_format(&model->model.sources, &diags->list.items[i], &t);
  if (run->result.message) {
    Diag d = {.span = run->result.place, .message = run->result.message};
    diag_format(&model->model.sources, &d, &t);
  }
  run->message = t.length ? text_str(&t) : NULL;
}

viva_status viva_run_model(const viva_model *model, const viva_run_options *options, const viva_sink *sink,
                           viva_run **out) {
  if (!model || !out) return VIVA_EUSAGE;
  *out = NULL;
  if (model->model.diags.errors) return VIVA_EINPUT;
  viva_run *run = calloc(1, sizeof *run);
  if (run) run->arena = arena_new();
  if (!run || !run->arena) {
    free(run);
    return VIVA_ENOMEM;
  }
  viva_run_options o = options ? *options : viva_run_defaults();
  RunSettings settings = settings_of(&o);
  if (o.figure) {
    figure_clear(&o.figure->figure);
    o.figure->scene.rows = 0;
    settings.watch = o.figure->figure.watch.items;
    settings.watch_count = o.figure->figure.watch.count;
    settings.watcher = &o.figure->sink;
    settings.fine = !sink || !sink->row;
    settings.finer = settings.fine && o.figure->options.kind != VIVA_FIGURE_PLOTS;
  }
  if (o.resume) {
    size_t length;
    const char *why = NULL;
    settings.resume = file_read(run->arena, o.resume, (size_t)1 << 30, &length, &why);
    if (!settings.resume) {
      Diag d = {.message =
                    arena_printf(run->arena, "\"%s\" cannot be read: %s", o.resume, why ? why : "memory is out")};
      Text t = text_in(run->arena);
      if (d.message) diag_format(&model->model.sources, &d, &t);
      run->message = text_str(&t);
      run->result.status = run_input;
      run->summary[0] = run->summary[1] = "";
      *out = run;
      return VIVA_EINPUT;
    }
  }
  Sink rows = sink ? (Sink){.self = sink->self, .header = sink->header, .row = sink->row} : (Sink){0};
  Diags diags = {.arena = run->arena, .sources = &model->model.sources};
  run->result = pipeline_run(run->arena, &model->system, &settings, &rows, &diags);
  // a `when` is marked in pictures; switching inside functions is not
  for (uint32_t i = 0; o.figure && i < run->result.event_count; i++) {
    const RunEvent *e = &run->result.events[i];
    if (e->word && strncmp(e->word, "when ", 5) == 0) figure_event(&o.figure->figure, e->t, e->word + 5);
  }
  diag_sort(&diags);
  keep_message(run, model, &diags);
  run->summary[0] = run->summary[1] = "";
  if (run->result.status != run_input && run->result.status != run_no_memory) {
    Text text = text_in(run->arena), json = text_in(run->arena);
    show_run_text(&run->result, model->model.title, &text);
    show_run_json(&run->result, model->model.title, &json);
    run->summary[0] = text_str(&text);
    run->summary[1] = text_str(&json);
  }
  if (run->result.status == run_no_memory || arena_failed(run->arena) || (o.figure && arena_failed(o.figure->arena))) {
    viva_run_free(run);
    return VIVA_ENOMEM;
  }
  *out = run;
  switch (run->result.status) {
  case run_done: return VIVA_OK;
  case run_input: return VIVA_EINPUT;
  case run_interrupted: return VIVA_EINTERRUPTED;
  case run_sink_failed: return VIVA_EIO;
  default: return VIVA_EFAIL;
  }
}

void viva_run_free(viva_run *run) {
  if (!run) return;
  arena_free(run->arena);
  free(run);
}

const char *viva_run_summary(const viva_run *run, viva_format format) {
  return run ? run->summary[format == VIVA_FORMAT_JSON] : "";
}
const char *viva_run_message(const viva_run *run) { return run ? run->message : NULL; }
size_t viva_run_value_count(const viva_run *run) { return run ? run->result.count : 0; }
const char *viva_run_value_name(const viva_run *run, size_t index) {
  return run && index < run->result.count ? run->result.names[index] : NULL;
}
double viva_run_value(const viva_run *run, size_t index) {
  return run && index < run->result.count ? run->result.values[index] : NAN;
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
size_t viva_run_event_count(const viva_run *run) { return run ? run->result.event_count : 0; }
viva_event viva_run_event(const viva_run *run, size_t index) {
  if (index >= viva_run_event_count(run)) return (viva_event){.t = NAN, .what = ""};
  const RunEvent *e = &run->result.events[index];
  return (viva_event){e->t, e->word, e->line, e->value};
}
double viva_run_energy_residue(const viva_run *run) { return run && run->result.energy ? run->result.residue : NAN; }

// ---- many motions

struct viva_batch {
  Arena *arena;
  BatchResult result;
  size_t count;
  const char *message;
};

viva_batch_options viva_batch_defaults(void) { return (viva_batch_options){.run = viva_run_defaults()}; }

viva_status viva_batch_model(const viva_model *model, const viva_batch_options *o, viva_batch **out) {
  if (!model || !o || !out || (o->name_count && (!o->names || (o->count && !o->values)))) return VIVA_EUSAGE;
  *out = NULL;
  if (model->model.diags.errors) return VIVA_EINPUT;
  if (o->name_count > UINT32_MAX) return VIVA_EUSAGE;
  for (size_t i = 0; i < o->name_count; i++) {
    if (!o->names[i]) return VIVA_EUSAGE;
  }
  viva_batch *b = calloc(1, sizeof *b);
  if (b) b->arena = arena_new();
  if (!b || !b->arena) {
    free(b);
    return VIVA_ENOMEM;
  }
  BatchSettings settings = {settings_of(&o->run), o->names, (uint32_t)o->name_count, o->values, o->count, o->threads};
  settings.run.energy = settings.run.all = settings.run.check_step = false;
  Diags diags = {.arena = b->arena, .sources = &model->model.sources};
  b->count = o->count;
  b->result = pipeline_batch(b->arena, &model->system, &settings, &diags);
  Text t = text_in(b->arena);
  for (uint32_t i = 0; i < diags.list.count; i++) diag_format(&model->model.sources, &diags.list.items[i], &t);
  b->message = t.length ? text_str(&t) : NULL;
  if (b->result.status == run_no_memory || arena_failed(b->arena)) {
    viva_batch_free(b);
    return VIVA_ENOMEM;
  }
  *out = b;
  return b->result.status == run_done ? VIVA_OK : b->result.status == run_interrupted ? VIVA_EINTERRUPTED : VIVA_EINPUT;
}

void viva_batch_free(viva_batch *batch) {
  if (!batch) return;
  arena_free(batch->arena);
  free(batch);
}

const char *viva_batch_message(const viva_batch *batch) { return batch ? batch->message : NULL; }
size_t viva_batch_failed(const viva_batch *batch) { return batch ? (size_t)batch->result.failed : 0; }
size_t viva_batch_value_count(const viva_batch *batch) { return batch ? batch->result.value_count : 0; }
const char *viva_batch_value_name(const viva_batch *batch, size_t index) {
  return batch && index < batch->result.value_count ? batch->result.names[index] : NULL;
}
double viva_batch_value(const viva_batch *batch, size_t sample, size_t index) {
  if (!batch || !batch->result.values || sample >= batch->count || index >= batch->result.value_count) return NAN;
  return batch->result.values[sample * batch->result.value_count + index];
}
double viva_batch_time(const viva_batch *batch, size_t sample) {
  return batch && batch->result.times && sample < batch->count ? batch->result.times[sample] : NAN;
}
viva_status viva_batch_status(const viva_batch *batch, size_t sample) {
  if (!batch || !batch->result.statuses || sample >= batch->count) return VIVA_EUSAGE;
  switch ((RunStatus)batch->result.statuses[sample]) {
  case run_done: return VIVA_OK;
  case run_input: return VIVA_EINPUT;
  case run_interrupted: return VIVA_EINTERRUPTED;
  default: return VIVA_EFAIL;
  }
}

viva_status viva_cache_clear(uint64_t *files, uint64_t *bytes) {
  uint64_t f = 0, b = 0;
  Arena *arena = arena_new();
  if (!arena) return VIVA_ENOMEM;
  int folder = cache_open(arena, NULL);
  bool ok = folder < 0 || cache_clear(folder, &f, &b);
  if (folder >= 0) close(folder);
  arena_free(arena);
  if (files) *files = f;
  if (bytes) *bytes = b;
  return ok ? VIVA_OK : VIVA_EIO;
}

// ---- tables

struct viva_csv {
  CsvFile *file;
  Sink sink;
};

viva_status viva_csv_open(const char *path, viva_csv **csv, int *system_error) {
  if (!path || !csv) return VIVA_EUSAGE;
  *csv = calloc(1, sizeof **csv);
  if (!*csv) return VIVA_ENOMEM;
  int error = 0;
  (*csv)->file = csv_open(path, &error);
  if (system_error) *system_error = error;
  if ((*csv)->file) {
    (*csv)->sink = csv_sink((*csv)->file);
    return VIVA_OK;
  }
  free(*csv);
  *csv = NULL;
  return error == ENOMEM ? VIVA_ENOMEM : VIVA_EIO;
}

viva_sink viva_csv_sink(viva_csv *csv) {
  return csv ? (viva_sink){csv->sink.self, csv->sink.header, csv->sink.row} : (viva_sink){0};
}

viva_status viva_csv_finish(viva_csv *csv, int *system_error) {
  if (!csv) return VIVA_EUSAGE;
  int error = csv_finish(csv->file);
  if (system_error) *system_error = error;
  return error ? VIVA_EIO : VIVA_OK;
}

viva_status viva_csv_close(viva_csv *csv, int *system_error) {
  viva_status status = viva_csv_finish(csv, system_error);
  viva_csv_discard(csv);
  return status;
}

void viva_csv_rescue(viva_csv *csv) {
  if (csv) csv_rescue(csv->file);
}

void viva_csv_discard(viva_csv *csv) {
  if (!csv) return;
  csv_discard(csv->file);
  free(csv);
}

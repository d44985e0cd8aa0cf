// Models from the outside: loading, what they were read from, diagnostics.
//
// in    a path or a text, and what the caller sets; for reading a file, base/file.h
// out   a handle that never changes again, with its diagnostics formatted; errors are counted in model.diags
#include "api/handles.h"
#include "base/file.h"

#include <math.h>

enum { largest_file = 256 * 1024 * 1024 };

viva_load_options viva_load_defaults(void) { return (viva_load_options){0}; }

// Diagnostics leave the library here: sorted by span, and nothing twice.
static bool format_diagnostics(viva_model *m) {
  Diags *d = &m->model.diags;
  diag_sort(d);
  m->texts = arena_array(m->arena, d->list.count, sizeof *m->texts);
  for (uint32_t i = 0; m->texts && i < d->list.count; i++) {
    Text t = text_in(m->arena);
    diag_format(&m->model.sources, &d->list.items[i], &t);
    m->texts[i] = text_str(&t);
  }
  return !arena_failed(m->arena);
}

// Lists of words have no holes.
static bool is_load(const viva_load_options *o) {
  if (!o) return true;
  return has_all(o->set, o->set_count) && has_all(o->input, o->input_count) && has_all(o->taps, o->tap_count) &&
         has_all(o->free, o->free_count) && has_all(o->by, o->by_count) && o->stiffness >= 0 && o->stiffness < INFINITY;
}

viva_status model_finish(viva_model *m, bool ok, viva_model **out) {
  if (!ok || !family_begin(m) || !format_diagnostics(m)) {
    viva_model_free(m);
    *out = NULL;
    return VIVA_ENOMEM;
  }
  *out = m;
  return model_read_status(m);
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
                     .confined = o.confined,
                     .stiffness = o.stiffness,
                     .lists = o.at_rest,
                     .fit = o.fit,
                     .data = o.data,
                     .free = o.free,
                     .free_count = o.free_count,
                     .by = o.by,
                     .by_count = o.by_count,
                     .taps = o.taps,
                     .tap_count = o.tap_count};
  m->origin = (ModelOrigin){name, text, length, mo};
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
  viva_model *m = handle_new(sizeof *m);
  return m ? load(m, name, text, length, options, model) : VIVA_ENOMEM;
}

viva_status viva_model_load(const char *path, const viva_load_options *options, viva_model **model) {
  if (!path || !model || !is_load(options)) return VIVA_EUSAGE;
  *model = NULL;
  viva_model *m = handle_new(sizeof *m);
  if (!m) return VIVA_ENOMEM;
  size_t length;
  const char *why = NULL;
  // the model keeps a copy of its text: what was read goes back
  Arena *reading = arena_new();
  char *text = reading ? file_read(reading, path, largest_file, &length, &why) : NULL;
  bool room = reading && !arena_failed(reading);
  viva_status status;
  if (text) {
    status = load(m, path, text, length, options, model);
  } else {
    m->model.sources.arena = m->arena;
    m->model.diags = (Diags){.arena = m->arena, .sources = &m->model.sources};
    if (room) diag_error(&m->model.diags, diag_missing_file, (Span){0}, "\"%s\" cannot be read: %s", path, why);
    status = model_finish(m, room && !arena_failed(m->arena), model);
  }
  arena_free(reading);
  return status;
}

const char *viva_model_title(const viva_model *model) { return model ? model->model.title : NULL; }

// Sources of the command line are no files; a part that is used twice is one. Tables and data of fits come behind them.
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
  for (uint32_t i = 0; i < model->model.fits.count; i++) {
    if (!model->model.fits.items[i].file) continue;
    if (n++ == index) found = model->model.fits.items[i].file;
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

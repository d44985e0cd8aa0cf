// Integration methods side by side, from the outside.
//
// in    a model, settings of a run, names of methods
// out   a table, JSON, a picture of the errors along time
#include "show/compare.h"
#include "api/handles.h"

struct viva_comparison {
  Arena *arena;
  Comparison comparison;
  const char *title;
  const char *summary[2]; // text, JSON
  const char *message;
};

viva_status viva_compare_methods(const viva_model *model, const viva_run_options *options, const char *const *methods,
                                 size_t count, viva_comparison **out) {
  if (!out || !methods || !count || count > UINT32_MAX) return VIVA_EUSAGE;
  *out = NULL;
  viva_status status = model_status(model);
  if (status != VIVA_OK) return status;
  viva_comparison *c = handle_new(sizeof *c);
  if (!c) return VIVA_ENOMEM;
  viva_run_options o = options ? *options : viva_run_defaults();
  RunSettings settings = run_settings(&o);
  settings.save = settings.check_step = false;
  Diags diags = {.arena = c->arena, .sources = &model->model.sources};
  c->comparison = compare_methods(c->arena, &model->system, &settings, methods, (uint32_t)count, &diags);
  c->title = model->model.title;
  c->summary[0] = c->summary[1] = "";
  diag_sort(&diags);
  const RunFailure *f = &c->comparison.failure;
  Diag failure = {.span = f->place, .message = f->message};
  c->message = messages_text(c->arena, &model->model.sources, &diags, &failure);
  if (f->status == run_done) {
    Text text = text_in(c->arena), json = text_in(c->arena);
    show_comparison_text(&c->comparison, c->title, &text);
    show_comparison_json(&c->comparison, c->title, &json);
    c->summary[0] = text_str(&text);
    c->summary[1] = text_str(&json);
  }
  status = arena_failed(c->arena) ? VIVA_ENOMEM : run_status(f->status);
  status = settle_status(c->arena, status, &c->message);
  if (status == VIVA_ENOMEM) viva_comparison_free(c);
  else *out = c;
  return status;
}

void viva_comparison_free(viva_comparison *comparison) { handle_free(comparison); }

const char *viva_comparison_summary(const viva_comparison *c, viva_format format) {
  if (!c || (format != VIVA_FORMAT_TEXT && format != VIVA_FORMAT_JSON)) return "";
  return c->summary[format == VIVA_FORMAT_JSON];
}

const char *viva_comparison_message(const viva_comparison *c) { return c ? c->message : NULL; }

viva_status viva_comparison_draw(const viva_comparison *c, const viva_figure_options *options, viva_picture picture,
                                 char **data, size_t *length) {
  if (data) *data = NULL;
  if (length) *length = 0;
  if (!c || !data || !length || (picture != VIVA_PICTURE_TERMINAL && !picture_is_still(picture))) return VIVA_EUSAGE;
  if (c->comparison.failure.status != run_done) return VIVA_EINPUT;
  Arena *arena = arena_new();
  if (!arena) return VIVA_ENOMEM;
  Plot plot;
  Drawing d = {.arena = arena, .title = c->title, .description = "errors of methods along time"};
  show_comparison_plot(arena, &c->comparison, c->title, &plot);
  viva_status status = picture_of_plot(&plot, &d, options, picture, data, length);
  arena_free(arena);
  return status;
}

// Sensitivities from the outside.
//
// in    a model, names of parameters and starts, a sink for rows
// out   a summary as text and JSON, messages with their spans
#include "show/sensitivity.h"
#include "api/handles.h"
#include "show/sensitivity_plot.h"

#include <math.h>

struct viva_sensitivity {
  Arena *arena;
  SensitivityResult result;
  const char *summary[2]; // text, JSON
  const char *message, *title;
};

viva_sensitivity_options viva_sensitivity_defaults(void) {
  return (viva_sensitivity_options){.run = viva_run_defaults()};
}

static bool is_asked(const viva_sensitivity_options *o) {
  for (size_t i = 0; i < o->name_count; i++) {
    if (!o->names || !o->names[i]) return false;
  }
  return o->name_count < UINT32_MAX;
}

static void keep_summary(viva_sensitivity *s, const char *title) {
  if (s->result.status == run_input || s->result.status == run_no_memory || !s->result.rows) return;
  Text text = text_in(s->arena), json = text_in(s->arena);
  show_sensitivity_text(&s->result, title, &text);
  show_sensitivity_json(&s->result, title, &json);
  s->summary[0] = text_str(&text);
  s->summary[1] = text_str(&json);
}

viva_status viva_sensitivity_model(const viva_model *model, const viva_sensitivity_options *options,
                                   const viva_sink *sink, viva_sensitivity **out) {
  if (!out) return VIVA_EUSAGE;
  *out = NULL;
  viva_sensitivity_options o = options ? *options : viva_sensitivity_defaults();
  if (!is_asked(&o)) return VIVA_EUSAGE;
  viva_status status = model_status(model);
  if (status != VIVA_OK) return status;
  viva_sensitivity *s = handle_new(sizeof *s);
  if (!s) return VIVA_ENOMEM;
  s->summary[0] = s->summary[1] = "";
  SensitivitySettings settings = {run_settings(&o.run), o.names, (uint32_t)o.name_count};
  settings.run.energy = settings.run.all = settings.run.check_step = settings.run.save = false;
  Sink rows = sink ? (Sink){.self = sink->self, .header = sink->header, .row = sink->row} : (Sink){0};
  Diags diags = {.arena = s->arena, .sources = &model->model.sources};
  s->result = sensitivity_table_run(s->arena, &model->system, &settings, &rows, &diags);
  Diag failure = {.span = s->result.place, .message = s->result.message};
  s->message = messages_text(s->arena, &model->model.sources, &diags, &failure);
  s->title = model->model.title;
  keep_summary(s, model->model.title);
  status = arena_failed(s->arena) ? VIVA_ENOMEM : run_status(s->result.status);
  status = settle_status(s->arena, status, &s->message);
  if (status == VIVA_ENOMEM) viva_sensitivity_free(s);
  else *out = s;
  return status;
}

void viva_sensitivity_free(viva_sensitivity *sensitivity) { handle_free(sensitivity); }

const char *viva_sensitivity_summary(const viva_sensitivity *sensitivity, viva_format format) {
  if (!sensitivity || (format != VIVA_FORMAT_TEXT && format != VIVA_FORMAT_JSON)) return "";
  return sensitivity->summary[format == VIVA_FORMAT_JSON];
}

const char *viva_sensitivity_message(const viva_sensitivity *sensitivity) {
  return sensitivity ? sensitivity->message : NULL;
}

bool viva_sensitivity_exact(const viva_sensitivity *sensitivity) {
  return sensitivity && sensitivity->result.rows && !sensitivity->result.why;
}

static bool has_slopes(const viva_sensitivity *s) { return s && s->result.rows; }
size_t viva_sensitivity_output_count(const viva_sensitivity *sensitivity) {
  return has_slopes(sensitivity) ? sensitivity->result.output_count : 0;
}
size_t viva_sensitivity_unknown_count(const viva_sensitivity *sensitivity) {
  return has_slopes(sensitivity) ? sensitivity->result.unknown_count : 0;
}
const char *viva_sensitivity_output_name(const viva_sensitivity *sensitivity, size_t index) {
  return index < viva_sensitivity_output_count(sensitivity) ? sensitivity->result.outputs[index] : NULL;
}
const char *viva_sensitivity_unknown_name(const viva_sensitivity *sensitivity, size_t index) {
  return index < viva_sensitivity_unknown_count(sensitivity) ? sensitivity->result.unknowns[index] : NULL;
}
double viva_sensitivity_final(const viva_sensitivity *sensitivity, size_t output, size_t unknown) {
  if (output >= viva_sensitivity_output_count(sensitivity) || unknown >= viva_sensitivity_unknown_count(sensitivity))
    return NAN;
  return sensitivity->result.slopes[output * sensitivity->result.unknown_count + unknown].last;
}

viva_status viva_sensitivity_draw(const viva_sensitivity *s, const viva_figure_options *options, viva_picture picture,
                                  char **data, size_t *length) {
  if (data) *data = NULL;
  if (length) *length = 0;
  if (!s || !data || !length || (picture != VIVA_PICTURE_TERMINAL && !picture_is_still(picture))) return VIVA_EUSAGE;
  if (!has_slopes(s)) return VIVA_EINPUT;
  Arena *arena = arena_new();
  if (!arena) return VIVA_ENOMEM;
  Plot plot;
  Drawing d = {
      .arena = arena, .title = s->title, .description = "sensitivities of outputs to parameters and starts over time"};
  show_sensitivity_plot(arena, &s->result, s->title, &plot);
  viva_status status = picture_of_plot(&plot, &d, options, picture, data, length);
  arena_free(arena);
  return status;
}

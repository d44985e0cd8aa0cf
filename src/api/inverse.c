// Inverse dynamics: forces for a given trajectory, from the outside.
//
// in    a model, a file with its trajectory, a sink for rows
// out   a summary as text and JSON, messages with their spans in the model or in the table
#include "show/inverse.h"
#include "api/handles.h"
#include "base/file.h"
#include "lang/table.h"
#include "sim/inverse_error.h"

#include <math.h>
#include <string.h>

enum { largest_motion = 512 * 1024 * 1024 };

struct viva_inverse {
  Arena *arena;
  InversePlan plan;
  InverseResult result;
  const char *summary[2]; // text, JSON
  const char *message;
};

// Spans in the table stand behind those of the model.
static bool share_sources(const Sources *of, Arena *arena, Sources *out) {
  *out = (Sources){.arena = arena};
  for (uint32_t i = 0; i < of->list.count; i++) vec_push(arena, &out->list, of->list.items[i]);
  return !arena_failed(arena);
}

typedef struct Motion {
  const char *path, *data;
  size_t length;
  Sources sources;
  Diags diags;
  TableHeader header;
} Motion;

static bool read_motion(viva_inverse *v, const viva_model *model, const char *path, Motion *m) {
  const char *why = NULL;
  *m = (Motion){.path = path};
  if (!share_sources(&model->model.sources, v->arena, &m->sources)) return false;
  m->diags = (Diags){.arena = v->arena, .sources = &m->sources};
  m->data = file_read(v->arena, path, largest_motion, &m->length, &why);
  if (m->data) return true;
  diag_error(&m->diags, diag_missing_file, (Span){0}, "\"%s\" cannot be read: %s", path, why ? why : "out of memory");
  return false;
}

// The force that splines put off most, where that is worth telling.
static void warn_of_splines(const viva_inverse *v, const InverseTable *t, const double *values, uint32_t rows,
                            Motion *m) {
  const InverseForce *worst = NULL, *f = v->result.forces;
  for (uint32_t i = 0; i < v->plan.count; i++) {
    bool counts = f[i].error > inverse_worth_telling * f[i].size;
    if (counts && (!worst || f[i].error * worst->size > worst->error * f[i].size)) worst = &f[i];
  }
  if (!worst) return;
  double apart = (values[(size_t)(rows - 1) * t->width] - values[0]) / (rows - 1);
  diag_warning(&m->diags, diag_coarse_motion, (Span){0},
               "%s may be off by %.2g near t = %.6g, %.2g of its size: rows %.3g apart are too far for splines",
               v->plan.coords[worst - f].force, worst->error, worst->error_at, worst->error / worst->size, apart);
  diag_hint(&m->diags, "take rows closer together, or columns with the rates that come by splines: `%s`",
            v->plan.made[0]);
}

static void find_forces(viva_inverse *v, const viva_model *model, const viva_run_options *o, const Sink *sink,
                        Motion *m) {
  RunSettings settings = run_settings(o);
  uint32_t source = source_add(&m->sources, m->path, m->data, m->length), rows = 0;
  double *values = NULL;
  v->result.status = run_input;
  if (!source || !table_header(v->arena, &m->diags, source, m->data, m->length, &m->header)) return;
  InverseTable table = {m->header.names, m->header.width, m->header.place};
  if (!inverse_plan(v->arena, &model->system, &table, &v->plan, &m->diags)) return;
  if (!table_rows(v->arena, &m->diags, source, m->data, m->length, &m->header, v->plan.used, &values, &rows)) return;
  v->result = inverse_run(v->arena, &v->plan, &table, values, rows, &settings, sink);
  if (v->result.status != run_done) return;
  if (inverse_estimate(v->arena, &v->plan, &table, values, rows, &v->result))
    warn_of_splines(v, &table, values, rows, m);
  else v->result.status = run_no_memory;
}

static void keep_summary(viva_inverse *v, const char *title, const char *path) {
  if (v->result.status == run_input || v->result.status == run_no_memory) return;
  Text text = text_in(v->arena), json = text_in(v->arena);
  show_inverse_text(&v->plan, &v->result, title, path, &text);
  show_inverse_json(&v->plan, &v->result, title, path, &json);
  v->summary[0] = text_str(&text);
  v->summary[1] = text_str(&json);
}

viva_status viva_inverse_model(const viva_model *model, const char *motion, const viva_run_options *options,
                               const viva_sink *sink, viva_inverse **out) {
  if (!out || !motion) return VIVA_EUSAGE;
  *out = NULL;
  viva_status status = model_status(model);
  if (status != VIVA_OK) return status;
  viva_inverse *v = handle_new(sizeof *v);
  if (!v) return VIVA_ENOMEM;
  v->summary[0] = v->summary[1] = "";
  viva_run_options o = options ? *options : viva_run_defaults();
  Sink rows = sink ? (Sink){.self = sink->self, .header = sink->header, .row = sink->row} : (Sink){0};
  Motion m;
  v->result.status = run_input;
  if (read_motion(v, model, motion, &m)) find_forces(v, model, &o, &rows, &m);
  diag_sort(&m.diags);
  Diag failure = {.span = v->result.place, .message = v->result.message};
  v->message = messages_text(v->arena, &m.sources, &m.diags, &failure);
  keep_summary(v, model->model.title, motion);
  status = arena_failed(v->arena) ? VIVA_ENOMEM : run_status(v->result.status);
  status = settle_status(v->arena, status, &v->message);
  if (status == VIVA_ENOMEM) viva_inverse_free(v);
  else *out = v;
  return status;
}

void viva_inverse_free(viva_inverse *inverse) { handle_free(inverse); }

const char *viva_inverse_summary(const viva_inverse *inverse, viva_format format) {
  if (!inverse || (format != VIVA_FORMAT_TEXT && format != VIVA_FORMAT_JSON)) return "";
  return inverse->summary[format == VIVA_FORMAT_JSON];
}

const char *viva_inverse_message(const viva_inverse *inverse) { return inverse ? inverse->message : NULL; }

static bool has_forces(const viva_inverse *inverse) { return inverse && *inverse->summary[0]; }

size_t viva_inverse_force_count(const viva_inverse *inverse) { return has_forces(inverse) ? inverse->plan.count : 0; }

const char *viva_inverse_force_name(const viva_inverse *inverse, size_t index) {
  return index < viva_inverse_force_count(inverse) ? inverse->plan.coords[index].force : NULL;
}

double viva_inverse_force_largest(const viva_inverse *inverse, size_t index) {
  return index < viva_inverse_force_count(inverse) ? inverse->result.forces[index].largest : NAN;
}

double viva_inverse_force_error(const viva_inverse *inverse, size_t index) {
  return index < viva_inverse_force_count(inverse) ? inverse->result.forces[index].error : NAN;
}

// Linear analysis, from the outside. Texts are made when they are first asked for, under a lock: threads may share an
// analysis.
#include "api/analyze.h"

#include "show/analysis.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

struct viva_analysis {
  Arena *arena;
  Operating operating;
  Linearization linear;
  Analysis analysis;
  bool done, locked;
  pthread_mutex_t lock;
  const char *text[2]; // text, JSON
  const char *message;
};

viva_analyze_options viva_analyze_defaults(void) { return (viva_analyze_options){.point = VIVA_AT_EQUILIBRIUM}; }

const Analysis *analysis_get(const viva_analysis *a) { return a && a->done ? &a->analysis : NULL; }

// Diagnostics of the texts, what failed, or what was refused, as one text.
static void keep_message(viva_analysis *a, const AnalyzeRoad *r) {
  const LinearizeRoad *l = &r->linear;
  Diag failure = {.span = l->place, .message = l->message, .hint = a->linear.hint};
  if (r->trouble.message)
    failure = (Diag){.span = r->trouble.place, .message = r->trouble.message, .hint = r->trouble.hint};
  Text t = text_in(a->arena);
  const char *words = messages_text(a->arena, &l->scope.model.sources, &l->scope.model.diags, &failure);
  if (words) text_put(&t, words);
  for (uint32_t i = 0; a->done && i < a->linear.kinks.count; i++) {
    const Kink *k = &a->linear.kinks.items[i];
    Diag d = {.warning = true,
              .span = k->span,
              .message = arena_printf(a->arena, "`%s`, in %s, %s", k->text, k->label, k->what)};
    if (d.message) diag_format(&l->scope.model.sources, &d, &t);
  }
  a->message = t.length ? text_str(&t) : NULL;
}

static viva_status status_of(AnalysisStatus status) {
  switch (status) {
  case analysis_done: return VIVA_OK;
  case analysis_failed: return VIVA_EFAIL;
  case analysis_refused: return VIVA_EINPUT;
  case analysis_interrupted: return VIVA_EINTERRUPTED;
  case analysis_no_memory: break;
  }
  return VIVA_ENOMEM;
}

static bool is_point(const viva_analyze_options *o, LinearizeAt *at) {
  for (size_t i = 0; i < o->at_count; i++) {
    if (!o->at || !o->at[i]) return false;
  }
  switch (o->point) {
  case VIVA_AT_EQUILIBRIUM: *at = at_equilibrium; return true;
  case VIVA_AT_POINT: *at = at_point; return true;
  case VIVA_AT_START: *at = at_start; return true;
  }
  return false;
}

viva_status viva_analyze(const viva_model *model, const viva_analyze_options *options, viva_analysis **analysis) {
  viva_analyze_options o = options ? *options : viva_analyze_defaults();
  LinearizeAt at;
  if (!analysis) return VIVA_EUSAGE;
  *analysis = NULL;
  if (!is_point(&o, &at)) return VIVA_EUSAGE;
  viva_status usable = model_status(model);
  if (usable != VIVA_OK) return usable;
  viva_analysis *a = handle_new(sizeof *a);
  if (!a) return VIVA_ENOMEM;
  a->locked = pthread_mutex_init(&a->lock, NULL) == 0;
  AnalyzeRoad road = {.linear = {.model = &model->model,
                                 .system = &model->system,
                                 .at = o.at,
                                 .at_count = o.at_count,
                                 .settings = {.at = at, .interrupted = o.interrupted, .self = o.self},
                                 .operating = &a->operating,
                                 .out = &a->linear},
                      .path = o.path,
                      .open = o.open,
                      .out = &a->analysis};
  AnalysisStatus status = a->locked ? pipeline_analyze(a->arena, &road) : analysis_no_memory;
  a->done = status == analysis_done;
  if (status != analysis_no_memory) keep_message(a, &road);
  if (status == analysis_no_memory || arena_failed(a->arena)) {
    viva_analysis_free(a);
    return VIVA_ENOMEM;
  }
  *analysis = a;
  return status_of(status);
}

void viva_analysis_free(viva_analysis *a) {
  if (a && a->locked) pthread_mutex_destroy(&a->lock);
  handle_free(a);
}

const char *viva_analysis_message(const viva_analysis *a) { return a ? a->message : NULL; }

const char *viva_analysis_text(const viva_analysis *analysis, viva_format format) {
  viva_analysis *a = (viva_analysis *)analysis;
  bool json = format == VIVA_FORMAT_JSON;
  if (!a || !a->done || (format != VIVA_FORMAT_TEXT && !json)) return "";
  pthread_mutex_lock(&a->lock);
  if (!a->text[json]) {
    Text t = text_in(a->arena);
    show_analysis(&a->analysis, json ? show_json : show_text, &t);
    a->text[json] = arena_failed(a->arena) ? NULL : text_str(&t);
  }
  pthread_mutex_unlock(&a->lock);
  return a->text[json];
}

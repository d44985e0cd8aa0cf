// Linear analysis, from the outside. Texts are made when they are first asked for, under a lock: threads may share an
// analysis.
#include "api/analyze.h"

#include "show/analysis.h"
#include "show/analysis_plot.h"
#include "show/braille.h"
#include "show/svg.h"

#include <assert.h>
#include <pthread.h>

struct viva_analysis {
  Arena *arena;
  Operating operating;
  Linearization linear;
  Analysis analysis;
  Locus *locus; // NULL: none was asked for
  const char *parameter;
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
                      .over = o.over,
                      .pade = o.pade,
                      .out = &a->analysis};
  AnalysisStatus status = a->locked ? pipeline_analyze(a->arena, &road) : analysis_no_memory;
  if (status == analysis_done && o.over && !a->analysis.sparse) {
    a->locus = road.locus = arena_new_of(a->arena, Locus);
    status = a->locus ? pipeline_locus(a->arena, &road) : analysis_no_memory;
    a->parameter = road.parameter;
  }
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
    show_analysis(&a->analysis, &(ShownLocus){a->locus, a->parameter}, json ? show_json : show_text, &t);
    a->text[json] = arena_failed(a->arena) ? NULL : text_str(&t);
  }
  pthread_mutex_unlock(&a->lock);
  return a->text[json];
}

// ---- curves

static_assert((int)VIVA_CURVE_LOCUS == (int)curve_locus, "viva_curve is cast to AnalysisCurve");

static viva_status make_table(const viva_analysis *a, viva_curve curve, Arena *arena, CurveTable *table) {
  if (!a->done || (curve == VIVA_CURVE_LOCUS && !a->locus)) return VIVA_EINPUT;
  switch (curve_table(arena, module_load(), &a->analysis, (AnalysisCurve)curve, a->locus, table)) {
  case dense_done: return VIVA_OK;
  case dense_failed: return VIVA_EINPUT;
  case dense_no_memory: break;
  }
  return VIVA_ENOMEM;
}

viva_status viva_analysis_table(const viva_analysis *a, viva_curve curve, char **text, size_t *length) {
  if (text) *text = NULL;
  if (length) *length = 0;
  if (!a || !text || (unsigned)curve > VIVA_CURVE_LOCUS) return VIVA_EUSAGE;
  Arena *arena = arena_new();
  CurveTable *table = arena ? arena_new_of(arena, CurveTable) : NULL;
  viva_status status = table ? make_table(a, curve, arena, table) : VIVA_ENOMEM;
  if (status == VIVA_OK) {
    Text t = text_in(arena);
    analysis_csv(table, &t);
    status = hand_over_text(&t, text, length);
  }
  arena_free(arena);
  return status;
}

viva_status analysis_svg(const viva_analysis *a, viva_curve curve, const viva_figure_options *o, bool terminal,
                         const char *id, Text *out) {
  Arena *arena = out->arena;
  AnalysisPlot *p = arena_new_of(arena, AnalysisPlot);
  Plot plot;
  if (!p) return VIVA_ENOMEM;
  *p = (AnalysisPlot){.a = &a->analysis, .kind = (AnalysisCurve)curve, .locus = a->locus};
  viva_status status = make_table(a, curve, arena, &p->table);
  if (status != VIVA_OK) return status;
  analysis_plot(arena, p, &plot);
  Drawing d = {.arena = arena,
               .id = id,
               .title = a->analysis.sparse ? a->analysis.sparse->title : a->analysis.freed->o->s.title,
               .description = analysis_curve_names[curve]};
  double width = terminal ? 2.0 * (o->columns ? o->columns : 80) : o->width > 0 ? o->width : p->width;
  if (!plot_layout(&plot, (PlotStyle){.dark = o->dark, .cells = terminal, .width = width}, &d)) return VIVA_ENOMEM;
  if (terminal) braille_write(&d, o->colour, out);
  else svg_write(&d, out);
  return arena_failed(arena) ? VIVA_ENOMEM : VIVA_OK;
}

viva_status viva_analysis_draw(const viva_analysis *a, viva_curve curve, const viva_figure_options *options,
                               viva_picture picture, char **data, size_t *length) {
  if (data) *data = NULL;
  if (length) *length = 0;
  if (!a || !data || !length || (unsigned)curve > VIVA_CURVE_LOCUS) return VIVA_EUSAGE;
  bool terminal = picture == VIVA_PICTURE_TERMINAL;
  if (!terminal && !picture_is_still(picture)) return VIVA_EUSAGE;
  if (!a->done) return VIVA_EINPUT;
  Arena *arena = arena_new();
  if (!arena) return VIVA_ENOMEM;
  viva_figure_options o = options ? *options : viva_figure_defaults();
  Text out = text_in(arena);
  const char *problem;
  viva_status status = analysis_svg(a, curve, &o, terminal, NULL, &out);
  if (status == VIVA_OK) status = picture_bytes(picture, &out, &problem, data, length);
  arena_free(arena);
  return status;
}

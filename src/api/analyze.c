// Linear analysis, from the outside. Texts are made when they are first asked for, under a lock:
// threads may share an analysis.
#include "api/analyze.h"

#include "show/analysis.h"
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
  const RouthOver *routh;
  const char *parameter;
  double slope;  // of a sector
  uint32_t pade; // order of rational dead times
  bool matrices; // before the rest of the text
  bool done, locked;
  pthread_mutex_t lock;
  const char *text[2]; // text, JSON
  const char *message;
};

viva_analyze_options viva_analyze_defaults(void) { return (viva_analyze_options){.point = VIVA_AT_EQUILIBRIUM}; }

const Analysis *analysis_get(const viva_analysis *a) { return a && a->done ? &a->analysis : NULL; }

uint32_t analysis_pade(const viva_analysis *a) { return a->pade; }

// Diagnostics of the texts, what failed, or what was refused, as one text.
static void keep_message(viva_analysis *a, const AnalyzeJob *r) {
  const LinearizeJob *l = &r->linear;
  Diag failure = {.span = l->place, .message = l->message, .hint = a->linear.hint};
  if (r->trouble.message)
    failure = (Diag){.span = r->trouble.place, .message = r->trouble.message, .hint = r->trouble.hint};
  Text t = text_in(a->arena);
  const char *words = messages_text(a->arena, &l->scope.model.sources, &l->scope.model.diags, &failure);
  if (words) text_put(&t, words);
  if (a->done) kinks_text(&l->scope.model.sources, &a->linear.kinks, &t);
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

viva_status viva_analyze(const viva_model *model, const viva_analyze_options *options, viva_analysis **analysis) {
  viva_analyze_options o = options ? *options : viva_analyze_defaults();
  LinearizeAt at;
  if (!analysis) return VIVA_EUSAGE;
  *analysis = NULL;
  if (!has_all(o.at, o.at_count) || !point_of(o.point, &at)) return VIVA_EUSAGE;
  viva_status usable = model_status(model);
  if (usable != VIVA_OK) return usable;
  viva_analysis *a = handle_new(sizeof *a);
  if (!a) return VIVA_ENOMEM;
  a->locked = pthread_mutex_init(&a->lock, NULL) == 0;
  AnalyzeJob job = {.linear = {.model = &model->model,
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
  AnalysisStatus status = a->locked ? pipeline_analyze(a->arena, &job) : analysis_no_memory;
  if (status == analysis_done && o.over && !a->analysis.sparse) {
    a->locus = job.locus = arena_new_of(a->arena, Locus);
    status = a->locus ? pipeline_locus(a->arena, &job) : analysis_no_memory;
    a->parameter = job.parameter;
    a->routh = job.routh;
  }
  a->slope = o.slope;
  a->pade = o.pade;
  a->matrices = o.matrices;
  a->done = status == analysis_done;
  if (status != analysis_no_memory) keep_message(a, &job);
  viva_status settled = arena_failed(a->arena) ? VIVA_ENOMEM : settle_status(a->arena, status_of(status), &a->message);
  if (settled == VIVA_ENOMEM) viva_analysis_free(a);
  else *analysis = a;
  return settled;
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
    if (a->matrices && !json && !a->analysis.sparse) {
      show_linear_model(&a->analysis, &t);
      text_putc(&t, '\n');
    }
    show_analysis(&a->analysis, &(ShownLocus){a->locus, a->parameter, a->routh}, json ? show_json : show_text, &t);
    a->text[json] = arena_failed(a->arena) ? NULL : text_str(&t);
  }
  pthread_mutex_unlock(&a->lock);
  return a->text[json];
}

// ---- curves

static_assert((int)VIVA_CURVE_POPOV == (int)curve_popov, "viva_curve is cast to AnalysisCurve");

viva_status curve_status(DenseStatus status) {
  switch (status) {
  case dense_done: return VIVA_OK;
  case dense_failed: return VIVA_EINPUT;
  case dense_no_memory: break;
  }
  return VIVA_ENOMEM;
}

// The table of the circle criterion or of Popov's, with its sector.
static viva_status sector_table(const viva_analysis *a, Arena *arena, AnalysisPlot *p) {
  const Analysis *x = &a->analysis;
  Absolute *sector = arena_new_of(arena, Absolute);
  if (!sector) return VIVA_ENOMEM;
  if (x->sparse || x->path.delays || x->path.period > 0) return VIVA_EINPUT;
  StateSpace s = space_of(&x->minimal);
  absolute_find(arena, &s, a->slope, sector);
  p->sector = sector;
  if (sector->status == absolute_no_memory) return VIVA_ENOMEM;
  if (sector->status != absolute_done || (p->kind == curve_popov && !sector->popov.found)) return VIVA_EINPUT;
  return curve_status(p->kind == curve_circle ? circle_table(arena, module_load(), x, &p->table)
                                              : popov_table(arena, module_load(), x, sector, &p->table));
}

static viva_status make_table(const viva_analysis *a, Arena *arena, AnalysisPlot *p) {
  p->a = &a->analysis;
  p->locus = a->locus;
  if (!a->done || (p->kind == curve_locus && !a->locus)) return VIVA_EINPUT;
  if (p->kind == curve_circle || p->kind == curve_popov) return sector_table(a, arena, p);
  return curve_status(curve_table(arena, module_load(), &a->analysis, p->kind, a->locus, &p->table));
}

viva_status viva_analysis_table(const viva_analysis *a, viva_curve curve, char **text, size_t *length) {
  if (text) *text = NULL;
  if (length) *length = 0;
  if (!a || !text || (unsigned)curve > VIVA_CURVE_POPOV) return VIVA_EUSAGE;
  Arena *arena = arena_new();
  AnalysisPlot *p = arena ? arena_new_of(arena, AnalysisPlot) : NULL;
  if (p) p->kind = (AnalysisCurve)curve;
  viva_status status = p ? make_table(a, arena, p) : VIVA_ENOMEM;
  if (status == VIVA_OK) {
    Text t = text_in(arena);
    analysis_csv(&p->table, &t);
    status = hand_over_text(&t, text, length);
  }
  arena_free(arena);
  return status;
}

viva_status analysis_picture(AnalysisPlot *p, const viva_figure_options *o, bool terminal, const char *id, Text *out) {
  Arena *arena = out->arena;
  Plot plot;
  analysis_plot(arena, p, &plot);
  Drawing d = {.arena = arena, .id = id, .title = plot.title, .description = analysis_curve_names[p->kind]};
  double width = terminal ? 2.0 * (o->columns ? o->columns : 80) : o->width > 0 ? o->width : p->width;
  if (!plot_layout(&plot, (PlotStyle){.dark = o->dark, .cells = terminal, .width = width}, &d)) return VIVA_ENOMEM;
  if (terminal) braille_write(&d, o->colour, out);
  else svg_write(&d, out);
  return arena_failed(arena) ? VIVA_ENOMEM : VIVA_OK;
}

viva_status analysis_svg(const viva_analysis *a, viva_curve curve, const viva_figure_options *o, bool terminal,
                         const char *id, Text *out) {
  AnalysisPlot *p = arena_new_of(out->arena, AnalysisPlot);
  if (!p) return VIVA_ENOMEM;
  *p = (AnalysisPlot){.kind = (AnalysisCurve)curve};
  viva_status status = make_table(a, out->arena, p);
  return status == VIVA_OK ? analysis_picture(p, o, terminal, id, out) : status;
}

viva_status viva_analysis_draw(const viva_analysis *a, viva_curve curve, const viva_figure_options *options,
                               viva_picture picture, char **data, size_t *length) {
  if (data) *data = NULL;
  if (length) *length = 0;
  if (!a || !data || !length || (unsigned)curve > VIVA_CURVE_POPOV) return VIVA_EUSAGE;
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

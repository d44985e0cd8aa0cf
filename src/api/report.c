// One page that shows a model, from the outside.
#include "show/report.h"

#include "api/handles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct viva_report {
  Arena *arena;
  char *page;
  size_t length;
  const char *message;
};

viva_report_options viva_report_defaults(void) { return (viva_report_options){.run = viva_run_defaults()}; }

void viva_report_free(viva_report *report) {
  if (!report) return;
  arena_free(report->arena);
  free(report);
}

const char *viva_report_page(const viva_report *report, size_t *length) {
  if (length) *length = report ? report->length : 0;
  return report ? report->page : NULL;
}

const char *viva_report_message(const viva_report *report) { return report ? report->message : NULL; }

bool viva_report_interactive(void) { return report_has_script(); }

static const char *keep(Arena *arena, const char *text) { return text ? arena_strndup(arena, text, strlen(text)) : NULL; }

// The equations as HTML. Equations that grow too large to be written out are left to those who ask for them alone.
static const char *equations_html(Arena *arena, const viva_model *model) {
  viva_derive_options o = viva_derive_defaults();
  char *text = NULL;
  if (viva_derive(model, &o, &text) != VIVA_OK) return NULL;
  const char *from = strstr(text, "Lagrange's equations");
  if (!from) from = strstr(text, "Equations");
  Text html = text_in(arena);
  text_put(&html, "<pre class=\"code\" tabindex=\"0\" role=\"region\" aria-label=\"Equations\"><code>");
  for (const char *s = from ? from : text; *s; s++) {
    if (*s == '<') text_put(&html, "&lt;");
    else if (*s == '&') text_put(&html, "&amp;");
    else text_putc(&html, *s);
  }
  text_put(&html, "</code></pre>\n");
  viva_text_free(text);
  return text_str(&html);
}

// Runs with the figure as its watcher; the message of the run, if any, is kept.
static viva_status follow(viva_report *r, const viva_model *model, viva_run_options o, viva_figure *figure, viva_run **run) {
  o.figure = figure;
  viva_status status = viva_run_model(model, &o, NULL, run);
  if (viva_run_message(*run)) r->message = keep(r->arena, viva_run_message(*run));
  return status;
}

// Does the scene need rows of its own? A picture that moves wants about thirty a second.
static bool too_coarse(const Figure *f, double speed) {
  size_t n = figure_rows(f);
  double span = n ? f->columns[0].items[n - 1] - f->columns[0].items[0] : 0;
  return span > 0 && (double)n < 25 * span / speed;
}

static viva_status make_page(viva_report *r, const viva_model *model, const viva_report_options *o, const Figure *figure, const Scene *scene, const RunResult *run, viva_status ran) {
  System own;
  ExprPool pool;
  if (!system_clone(&own, &model->system, &pool, r->arena)) return VIVA_ENOMEM;
  const Sources *sources = &model->model.sources;
  Report report = {.arena = r->arena, .model = &model->model, .pool = &pool, .figure = figure, .scene = scene, .run = run, .version = VIVA_VERSION, .speed = o->speed};
  report.file = sources->list.count ? sources->list.items[0].name : "model";
  report.trouble = ran == VIVA_OK ? NULL : r->message;
  report.equations = equations_html(r->arena, model);
  Text page = text_in(r->arena);
  show_report(&report, &page);
  if (arena_failed(r->arena)) return VIVA_ENOMEM;
  r->page = page.data;
  r->length = page.length;
  return ran;
}

viva_status viva_report_model(const viva_model *model, const viva_report_options *options, viva_report **report) {
  if (!model || !report) return VIVA_EUSAGE;
  *report = NULL;
  if (model->model.diags.errors) return VIVA_EUSAGE;
  viva_report *r = calloc(1, sizeof *r);
  if (r) r->arena = arena_new();
  if (!r || !r->arena) {
    free(r);
    return VIVA_ENOMEM;
  }
  viva_report_options o = options ? *options : viva_report_defaults();
  o.run.energy = o.run.all = o.run.check_step = false;
  double speed = o.speed > 0 ? o.speed : 1;
  viva_figure *plots = NULL, *moving = NULL;
  viva_run *run = NULL, *again = NULL;
  viva_status status = viva_figure_new(model, NULL, &plots);
  if (status == VIVA_OK) {
    Figure *f = &plots->figure;
    bool energy = model->system.energy.kept, scene = model->model.shapes.count > 0;
    if (!figure_init(f, plots->arena, &model->model, true, energy, scene) || !figure_watch_table(f)) status = VIVA_ENOMEM;
    f->apart = true;
  }
  if (status == VIVA_OK) status = follow(r, model, o.run, plots, &run);
  bool rows = status == VIVA_OK || status == VIVA_EFAIL || status == VIVA_EINTERRUPTED;
  if (rows && !figure_can_draw(plots)) {
    // a `plot` line that nothing can be drawn of
    r->message = keep(r->arena, plots->message);
    status = VIVA_EINPUT;
    rows = false;
  }
  Scene scene = {0};
  if (rows && model->model.shapes.count) {
    const viva_figure *from = plots;
    viva_figure_options moved = {.kind = VIVA_FIGURE_ANIMATION, .speed = speed};
    if (status == VIVA_OK && too_coarse(&plots->figure, speed) && viva_figure_new(model, &moved, &moving) == VIVA_OK && follow(r, model, o.run, moving, &again) == VIVA_OK) from = moving;
    figure_scene(&from->figure, &scene);
  }
  if (rows) status = make_page(r, model, &o, &plots->figure, scene.rows ? &scene : NULL, &run->result, status);
  if (arena_failed(r->arena) || (plots && arena_failed(plots->arena)) || (moving && arena_failed(moving->arena))) status = VIVA_ENOMEM;
  viva_run_free(run);
  viva_run_free(again);
  viva_figure_free(moving);
  viva_figure_free(plots);
  if (status == VIVA_ENOMEM) {
    viva_report_free(r);
    return status;
  }
  *report = r;
  return status;
}

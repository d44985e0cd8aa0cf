// One page that shows a model, from the outside.
#include "show/report.h"

#include "algebra/derive.h"
#include "api/handles.h"
#include "api/report_html.h"
#include "api/report_parts.h"
#include "show/svg.h"
#include "tape/numbers.h"

#include <math.h>
#include <string.h>

struct viva_report {
  Arena *arena;
  char *page;
  size_t length;
  const char *message;
};

viva_report_options viva_report_defaults(void) { return (viva_report_options){.run = viva_run_defaults()}; }

void viva_report_free(viva_report *report) { handle_free(report); }

const char *viva_report_page(const viva_report *report, size_t *length) {
  if (length) *length = report ? report->length : 0;
  return report ? report->page : NULL;
}

const char *viva_report_message(const viva_report *report) { return report ? report->message : NULL; }

static const char *keep(Arena *arena, const char *text) {
  return text ? arena_strndup(arena, text, strlen(text)) : NULL;
}

// One form of the equations. NULL: they grow too large to be written out, or out of memory.
static const char *equations_html(Arena *arena, System *clone, DeriveForm form, bool steps, const char *label) {
  Derivation d;
  Text out = text_in(arena), math = text_in(arena);
  if (!derive_equations(clone, form, &(DeriveStyle){.steps = steps}, &d) || clone->pool->limit) {
    clone->pool->limit = limit_none;
    return NULL;
  }
  show_derivation(clone, &d, show_mathml, &math);
  if (!math.length) return NULL;
  html_math(&out, label, &math);
  if (d.notes.count && !steps) text_put(&out, "<ul class=\"notes\">\n");
  for (uint32_t i = 0; !steps && i < d.notes.count; i++) {
    text_put(&out, "<li>");
    svg_escape(&out, d.notes.items[i]);
    text_put(&out, "</li>\n");
  }
  if (d.notes.count && !steps) text_put(&out, "</ul>\n");
  return text_str(&out);
}

// What is made on the way, freed at its end.
typedef struct ReportWork {
  viva_report *r;
  const viva_model *model;
  viva_report_options o;
  viva_figure *plots, *moving, *all; // all: the curves of a family
  ReportFamily family;
  viva_run *run, *again;
  viva_positions *along; // of a drive
  Scene scene;
} ReportWork;

// Runs with the figure as its watcher; the message of the run, if any, is kept.
static viva_status follow(ReportWork *w, viva_figure *figure, viva_run **run) {
  viva_run_options o = w->o.run;
  o.figure = figure;
  viva_status status = viva_run_model(w->model, &o, NULL, run);
  if (viva_run_message(*run)) w->r->message = keep(w->r->arena, viva_run_message(*run));
  return status;
}

// One run feeds plots, table and account. The rest of the page is made also when it stops half way.
static viva_status run_plots(ReportWork *w) {
  const viva_model *m = w->model;
  viva_status status = viva_figure_new(m, NULL, &w->plots);
  if (status != VIVA_OK) return status;
  Figure *f = &w->plots->figure;
  if (!figure_init(f, w->plots->arena, &m->system, true, m->system.energy.kept, m->model.shapes.count > 0) ||
      !figure_watch_table(f))
    return VIVA_ENOMEM;
  if (report_has_structure(&m->system) && (!figure_watch_power(f) || !figure_watch_phase(f))) return VIVA_ENOMEM;
  f->apart = true;
  memcpy(f->camera, w->o.camera, sizeof f->camera);
  status = follow(w, w->plots, &w->run);
  if (status != VIVA_OK && status != VIVA_EFAIL && status != VIVA_EINTERRUPTED) return status;
  if (figure_can_draw(w->plots)) return status;
  // a `plot` line that nothing can be drawn of
  w->r->message = keep(w->r->arena, w->plots->message);
  return arena_failed(w->plots->arena) ? VIVA_ENOMEM : VIVA_EINPUT;
}

// Does the scene need rows of its own? A picture that moves wants about thirty a second.
static bool too_coarse(const Figure *f, double speed) {
  size_t n = figure_rows(f);
  double span = n ? f->columns[0].items[n - 1] - f->columns[0].items[0] : 0;
  return span > 0 && (double)n < 25 * span / speed;
}

static viva_status make_scene(ReportWork *w, bool whole) {
  if (w->model->model.shapes.count == 0) return VIVA_OK;
  const viva_figure *from = w->plots;
  double speed = w->o.speed > 0 ? w->o.speed : 1;
  if (whole && too_coarse(&w->plots->figure, speed)) {
    viva_figure_options options = {.kind = VIVA_FIGURE_ANIMATION, .speed = speed};
    memcpy(options.camera, w->o.camera, sizeof options.camera);
    viva_status status = viva_figure_new(w->model, &options, &w->moving);
    if (status == VIVA_OK) status = follow(w, w->moving, &w->again);
    if (status == VIVA_ENOMEM) return status;
    if (status == VIVA_OK) from = w->moving;
  }
  figure_scene(&from->figure, &w->scene);
  return arena_failed(from->arena) ? VIVA_ENOMEM : VIVA_OK;
}

// What a member came to: its values that vary, and the last row of what is shown.
static bool note_member(ReportWork *w, const viva_model *m, const Figure *f) {
  size_t varied = viva_model_varied_count(m), rows = figure_rows(f), n = 0;
  double *values = arena_array(w->r->arena, varied + f->shown.count + 1, sizeof *values);
  if (!values) return false;
  for (size_t i = 0; i < varied; i++) values[n++] = viva_model_varied_value(m, i);
  for (uint32_t i = 0; i < f->shown.count; i++) values[n++] = rows ? figure_shown(f, i).values[rows - 1] : NAN;
  return vec_push(w->r->arena, &w->family.members, values);
}

// One more member beside the first: its curves, and its animation in a colour of its own.
static viva_status show_member(ReportWork *w, const viva_model *m, Scene *scenes) {
  viva_figure *own = NULL;
  viva_run *run = NULL;
  viva_status status = viva_figure_new(m, NULL, &own);
  bool moves = m->model.shapes.count > 0;
  if (status == VIVA_OK &&
      (!figure_init(&own->figure, own->arena, &m->system, true, false, moves) || !figure_watch_table(&own->figure)))
    status = VIVA_ENOMEM;
  if (status == VIVA_OK) {
    memcpy(own->figure.camera, w->o.camera, sizeof own->figure.camera);
    viva_run_options o = w->o.run;
    o.figure = own;
    status = viva_run_model(m, &o, NULL, &run);
    if (viva_run_message(run)) w->r->message = keep(w->r->arena, viva_run_message(run));
  }
  bool ran = status == VIVA_OK || status == VIVA_EFAIL;
  if (ran && (viva_figure_overlay(w->all, own) != VIVA_OK || !note_member(w, m, &own->figure))) status = VIVA_ENOMEM;
  if (ran && moves && scenes->key.count < figure_members_most) {
    Scene scene;
    figure_scene(&own->figure, &scene);
    figure_join(scenes, &scene, m, false);
  }
  viva_run_free(run);
  viva_figure_free(own);
  return status;
}

// All members of a family. The worst of what happened; a member that fails half way leaves the others their turn.
static viva_status show_family(ReportWork *w) {
  Scene scenes = {.arena = w->r->arena};
  viva_figure_options all = viva_figure_defaults();
  all.apart = w->o.apart;
  viva_status worst = viva_figure_new(w->model, &all, &w->all);
  viva_model *before = NULL;
  const Model *m = &w->model->model;
  for (uint32_t i = 0; i < m->varied.count; i++) {
    const char *unit = figure_varied_unit(w->r->arena, m, &m->varied.items[i]), *name = m->varied.items[i].name;
    vec_push(w->r->arena, &w->family.varied,
             unit && *unit ? arena_printf(w->r->arena, "%s [%s]", name, unit) : arena_printf(w->r->arena, "%s", name));
  }
  for (size_t i = 0; i < viva_model_member_count(w->model) && worst != VIVA_ENOMEM; i++) {
    viva_model *own = NULL;
    viva_status status = i ? viva_model_member(before ? before : w->model, i, &own) : VIVA_OK;
    if (status == VIVA_OK) status = show_member(w, own ? own : w->model, &scenes);
    viva_model_free(before);
    before = own;
    if (status != VIVA_OK) worst = status;
    if (status != VIVA_OK && status != VIVA_EFAIL) break;
  }
  viva_model_free(before);
  w->family.overlay = &w->all->overlay;
  if (scenes.key.count) w->scene = scenes, scene_finish(&w->scene);
  return arena_failed(w->r->arena) ? VIVA_ENOMEM : worst;
}

// Parameters, and where all q, all v and all x start, in numbers; what was not said is 0. NULL: out of memory.
static const double *values_of(Arena *arena, const System *s) {
  VEC(ExprId) wanted = {0};
  for (uint32_t i = 0; i < s->params.count; i++) vec_push(arena, &wanted, s->params.items[i].value);
  for (uint32_t i = 0; i < s->coords.count; i++) vec_push(arena, &wanted, s->coords.items[i].q0);
  for (uint32_t i = 0; i < s->coords.count; i++) vec_push(arena, &wanted, s->coords.items[i].v0);
  for (uint32_t i = 0; i < s->states.count; i++) vec_push(arena, &wanted, s->states.items[i].x0);
  double *values = arena_array(arena, (size_t)wanted.count + 1, sizeof *values);
  if (arena_failed(arena)) return NULL;
  for (uint32_t i = 0; i < wanted.count; i++) {
    if (!wanted.items[i]) wanted.items[i] = s->pool->zero;
  }
  return tape_numbers(arena, s, wanted.items, wanted.count, values) ? values : NULL;
}

// The options of `viva run` that give the rows of this page: what was asked for, and how far the rows are apart where
// neither the model nor anybody says it.
static const char *row_options(const ReportWork *w) {
  Text t = text_in(w->r->arena);
  report_settings(w->model, &t);
  const viva_run_options *o = &w->o.run;
  const SystemSimulate *m = &w->model->model.simulate;
  if (!isnan(o->to)) text_put(&t, " --to "), text_number(&t, o->to);
  if (!isnan(o->step)) text_put(&t, " --step "), text_number(&t, o->step);
  bool said = !isnan(o->every) || !isnan(o->step) || m->step || m->every;
  if (!isnan(o->every) || !said)
    text_put(&t, " --every "), text_number(&t, said ? o->every : w->run->result.settled.every);
  if (o->method) text_printf(&t, " --method %s", o->method);
  if (!isnan(o->rtol)) text_put(&t, " --rtol "), text_number(&t, o->rtol);
  if (!isnan(o->atol)) text_put(&t, " --atol "), text_number(&t, o->atol);
  return text_str(&t);
}

static void add_part(Report *report, const char *id, const char *title, const Text *html) {
  if (html->length) vec_push(report->arena, &report->parts, (ReportPart){id, title, text_str(html)});
}

// What comes of the page so far, and of the fit.
static viva_status add_fit(ReportWork *w, Report *report, viva_status ran) {
  Text fit = text_in(report->arena);
  const char *message;
  if (ran == VIVA_EINTERRUPTED) return ran;
  viva_status status = report_fit(w->model, &w->o, &fit, &message);
  if (message && !w->r->message) w->r->message = message;
  add_part(report, "fit", "Parameters from data", &fit);
  return status == VIVA_OK ? ran : status;
}

// The sweep of the page, if it has one. VIVA_EINPUT: it is of another model.
static viva_status add_sweep(ReportWork *w, Report *report) {
  Text sweep = text_in(report->arena);
  if (!w->o.sweep) return VIVA_OK;
  viva_status status = report_sweep(w->model, w->o.sweep, &sweep, &w->r->message);
  add_part(report, "sweep", "Sweep", &sweep);
  return status;
}

static viva_status make_page(ReportWork *w, viva_status ran) {
  viva_report *r = w->r;
  System clone;
  ExprPool pool;
  if (!system_clone(&clone, &w->model->system, &pool, r->arena)) return VIVA_ENOMEM;
  const Sources *sources = &w->model->model.sources;
  Report report = {.arena = r->arena,
                   .system = &clone,
                   .pool = &pool,
                   .figure = &w->plots->figure,
                   .scene = &w->scene,
                   .run = &w->run->result,
                   .version = VIVA_VERSION,
                   .speed = w->o.speed};
  if (w->family.members.count) report.family = &w->family;
  report.file = sources->list.count ? sources->list.items[0].name : "model";
  report.values = values_of(r->arena, &w->model->system);
  report.rows = row_options(w);
  if (!report.values || !report.rows) return VIVA_ENOMEM;
  report.trouble = ran == VIVA_OK ? NULL : r->message;
  report.equations = equations_html(r->arena, &clone, form_lagrange, false, "Equations");
  if (w->o.steps) report.steps = equations_html(r->arena, &clone, form_lagrange, true, "Derivation");
  Text structure = text_in(r->arena);
  if (!report_structure(&clone, &structure)) return VIVA_ENOMEM;
  if (structure.length) report.structure = text_str(&structure);
  Text linear = text_in(r->arena);
  viva_status linearized = report_linear(w->model, &w->o, &linear);
  if (linearized == VIVA_ENOMEM) return VIVA_ENOMEM;
  if (linearized == VIVA_EINTERRUPTED && ran == VIVA_OK) ran = VIVA_EINTERRUPTED;
  add_part(&report, "linear", "Linear model", &linear);
  Text path = text_in(r->arena);
  viva_status analysed = linearized == VIVA_EINTERRUPTED ? VIVA_OK : report_path(w->model, &w->o, &path, &r->message);
  if (analysed == VIVA_ENOMEM || analysed == VIVA_EINPUT || analysed == VIVA_EFAIL) return analysed;
  if (analysed == VIVA_EINTERRUPTED && ran == VIVA_OK) ran = VIVA_EINTERRUPTED;
  add_part(&report, "path", "Frequency and step response", &path);
  ran = add_fit(w, &report, ran);
  if (ran == VIVA_ENOMEM) return VIVA_ENOMEM;
  viva_status swept = add_sweep(w, &report);
  if (swept != VIVA_OK) return swept;
  Text page = text_in(r->arena);
  show_report(&report, &page);
  r->page = page.data;
  r->length = page.length;
  return arena_failed(r->arena) || arena_failed(w->plots->arena) ? VIVA_ENOMEM : ran;
}

// A structure without any mass: its static equilibrium, instead of a run.
static viva_status make_statics(ReportWork *w) {
  viva_report *r = w->r;
  Arena *arena = r->arena;
  System clone;
  ExprPool pool;
  StaticsSections parts = {text_in(arena), text_in(arena), text_in(arena)};
  viva_status status = report_statics(w->model, &w->o, &parts, &r->message);
  if (status == VIVA_ENOMEM || !system_clone(&clone, &w->model->system, &pool, arena)) return VIVA_ENOMEM;
  const Sources *sources = &w->model->model.sources;
  Report report = {.arena = arena, .system = &clone, .pool = &pool, .version = VIVA_VERSION};
  report.file = sources->list.count ? sources->list.items[0].name : "model";
  report.values = values_of(arena, &w->model->system);
  if (!report.values) return VIVA_ENOMEM;
  report.trouble = status == VIVA_OK ? NULL : r->message;
  report.equations = equations_html(arena, &clone, form_lagrange, false, "Equations");
  if (w->o.steps) report.steps = equations_html(arena, &clone, form_lagrange, true, "Derivation");
  add_part(&report, "rest-section", "Equilibrium", &parts.rest);
  add_part(&report, "forces", "Forces", &parts.forces);
  add_part(&report, "iterations", "Iterations", &parts.iterations);
  Text page = text_in(arena);
  show_report(&report, &page);
  r->page = page.data;
  r->length = page.length;
  return status;
}

// A mechanism along its drives, instead of a run.
static viva_status make_drive(ReportWork *w) {
  viva_report *r = w->r;
  System clone;
  ExprPool pool;
  viva_figure_options options = {.kind = VIVA_FIGURE_ANIMATION, .speed = w->o.speed};
  memcpy(options.camera, w->o.camera, sizeof options.camera);
  viva_positions_options o = viva_positions_defaults();
  o.problem = "successive";
  o.interrupted = w->o.run.interrupted;
  o.self = w->o.run.self;
  viva_status status = viva_positions_find(w->model, &o, NULL, &w->along), made = VIVA_OK;
  if (viva_positions_message(w->along)) r->message = keep(r->arena, viva_positions_message(w->along));
  if (status != VIVA_OK && status != VIVA_EFAIL && status != VIVA_EINTERRUPTED) return status;
  if (w->model->model.shapes.count) made = viva_figure_new(w->model, &options, &w->moving);
  if (made == VIVA_OK && w->moving) made = viva_positions_follow(w->along, w->moving);
  if (made == VIVA_OK && w->moving) figure_scene(&w->moving->figure, &w->scene);
  if (made == VIVA_ENOMEM || !system_clone(&clone, &w->model->system, &pool, r->arena)) return VIVA_ENOMEM;
  const Sources *sources = &w->model->model.sources;
  Report report = {.arena = r->arena,
                   .system = &clone,
                   .pool = &pool,
                   .scene = &w->scene,
                   .version = VIVA_VERSION,
                   .speed = w->o.speed};
  report.file = sources->list.count ? sources->list.items[0].name : "model";
  report.values = values_of(r->arena, &w->model->system);
  if (!report.values) return VIVA_ENOMEM;
  report.trouble = status == VIVA_OK ? NULL : r->message;
  Text found = text_in(r->arena);
  text_put(&found, "<pre>");
  svg_escape(&found, viva_positions_text(w->along, VIVA_FORMAT_TEXT));
  text_put(&found, "</pre>\n");
  add_part(&report, "positions", "Positions along the drive", &found);
  Text page = text_in(r->arena);
  show_report(&report, &page);
  r->page = page.data;
  r->length = page.length;
  return status;
}

static viva_status make_motion(ReportWork *w) {
  viva_status status = run_plots(w);
  if (status != VIVA_OK && status != VIVA_EFAIL && status != VIVA_EINTERRUPTED) return status;
  bool family = viva_model_varied_count(w->model) > 0;
  viva_status made = family ? show_family(w) : make_scene(w, status == VIVA_OK);
  if (family && made == VIVA_EFAIL) status = made, made = VIVA_OK;
  return made == VIVA_OK ? make_page(w, status) : made;
}

viva_status viva_report_model(const viva_model *model, const viva_report_options *options, viva_report **report) {
  if (!report) return VIVA_EUSAGE;
  *report = NULL;
  viva_status status = model_status(model);
  if (status != VIVA_OK) return status;
  ReportWork w = {.model = model, .o = options ? *options : viva_report_defaults()};
  w.o.run.energy = w.o.run.all = w.o.run.check_step = false;
  w.r = handle_new(sizeof *w.r);
  if (!w.r) return VIVA_ENOMEM;
  if (w.o.drive) status = make_drive(&w);
  else status = system_is_static(&model->system, NULL) ? make_statics(&w) : make_motion(&w);
  viva_run_free(w.run);
  viva_run_free(w.again);
  viva_figure_free(w.moving);
  viva_positions_free(w.along);
  viva_figure_free(w.plots);
  viva_figure_free(w.all);
  if (arena_failed(w.r->arena)) status = VIVA_ENOMEM;
  status = settle_status(w.r->arena, status, &w.r->message);
  if (status == VIVA_ENOMEM) viva_report_free(w.r);
  else *report = w.r;
  return status;
}

// viva equilibrium FILE: the equilibria of a model and their stability.
#define _POSIX_C_SOURCE 200809L
#include "cli/message.h"
#include "cli/model.h"
#include "cli/motion.h"
#include "cli/outputs.h"
#include "cli/picture.h"
#include "cli/positions.h"
#include "cli/signals.h"
#include "cli/verbs.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct EquilibriumArguments {
  bool json;
  const char *trace, *plot, *theme;
  uint32_t most, seed, hold, inner;
  TextList at;
  PictureFile picture;
  viva_figure_options figure;
} EquilibriumArguments;

// A line on a terminal for searches that take longer than a moment.
static void show_progress(void *self, unsigned long iteration, double residue) {
  bool *shown = self;
  if (iteration < 50 || iteration % 20) return;
  *shown = true;
  fprintf(stderr, "\r  %lu iterations, %.2g of the forces left  ", iteration, residue);
  fflush(stderr);
}

static int find(const viva_model *model, viva_equilibrium_options *o, viva_equilibrium **e) {
  bool shown = false;
  listen_for_interrupts();
  o->self = &shown;
  o->interrupted = was_interrupted;
  if (isatty(STDERR_FILENO)) o->progress = show_progress;
  viva_status done = viva_equilibrium_find(model, o, e);
  listen_signals(false);
  if (shown) fputs("\r\033[K", stderr);
  const char *message = viva_equilibrium_message(*e);
  if (message) show_message(message);
  else if (done != VIVA_OK) complain("%s", viva_status_text(done));
  return done == VIVA_OK ? -1 : done == VIVA_EINPUT ? exit_input : exit_failed;
}

static int save_drawing(EquilibriumArguments *w, const viva_equilibrium *e) {
  char *data;
  size_t length;
  if (!w->picture.path) return -1;
  viva_status done = viva_equilibrium_draw(e, &w->figure, w->picture.kind, &data, &length);
  if (done != VIVA_OK) {
    complain("%s", done == VIVA_EINPUT ? "there is nothing to draw: the model has no `draw` line, or nothing rests"
                                       : viva_status_text(done));
    return done == VIVA_EINPUT ? exit_input : exit_failed;
  }
  int status = save_output(&w->picture.file, w->picture.path, data, length);
  viva_text_free(data);
  return status;
}

static int equilibrium(const viva_model *model, viva_equilibrium_options *o, EquilibriumArguments *w) {
  static const char *const kinds[] = {"svg", "png", "pdf", NULL};
  viva_equilibrium *e = NULL;
  viva_csv *csv = NULL;
  viva_sink sink;
  bool kept = false;
  int status = refuse_family(model, "an equilibrium is that of one model");
  if (status < 0) status = open_picture(w->plot, "--plot", kinds, &w->picture);
  if (status < 0 && w->trace) status = open_table("--trace", w->trace, &csv);
  if (csv) {
    sink = viva_csv_sink(csv);
    o->trace = &sink;
  }
  if (status < 0) status = find(model, o, &e);
  if (csv) {
    int saved = save_table(&csv, w->trace, VIVA_OK, &kept);
    status = status < 0 ? saved : status;
  }
  // of a comparison there is a table also where `auto` found nothing
  const char *text = viva_equilibrium_text(e, w->json ? VIVA_FORMAT_JSON : VIVA_FORMAT_TEXT);
  if (!text) {
    complain("%s", viva_status_text(VIVA_ENOMEM));
    status = exit_failed;
  }
  if (status >= 0 && text) fputs(text, stdout);
  if (status < 0) status = save_drawing(w, e);
  if (status < 0) {
    if (w->json) json_printed();
    fputs(text, stdout);
    if (w->plot && !w->json) printf("\nDrawn: %s\n", w->plot);
    if (w->trace && !w->json && !is_stdout(w->trace)) printf("\nIterations: %s\n", w->trace);
    status = finish_output();
  }
  discard_table(&csv);
  discard_picture(&w->picture);
  viva_equilibrium_free(e);
  return status;
}

// Of structures, and of modes.
static int read_method(const char *method, PositionsArguments *p) {
  static const char *const names[] = {"auto",       "lagrange",   "penalty",      "stiffness",
                                      "alm-direct", "alm-linear", "alm-quadratic"};
  static const char *const ways[] = {"homotopy", "resultants"};
  int which;
  if (!method) return -1;
  if (!p->problem || strcmp(p->problem, "modes") != 0)
    return choose("--method", method, &(Choice){names, 7, NULL, 0}, &which);
  int status = choose("--method", method, &(Choice){ways, 2, NULL, 0}, &which);
  p->resultants = status < 0 && which == 1;
  return status;
}

typedef struct Loading {
  LoadRequest *request;
  const char *camera;
} Loading;

static bool is_problem(const PositionsArguments *p, const char *name) {
  return p->problem && strcmp(p->problem, name) == 0;
}

// What a synthesis needs, and nothing else has.
static int check_synthesis(const PositionsArguments *p) {
  bool makes = is_problem(p, "synthesis");
  if (makes && p->pass.count && p->free.count) return -1;
  if (makes) {
    complain("`--problem synthesis` needs %s", !p->pass.count
                                                   ? "what passes which points, `--pass \"P=[0, 1; 1, 1.2]\"`"
                                                   : "parameters that may change, `--free l=0.5:2`");
    return exit_input;
  }
  if (!p->pass.count && !p->free.count && !p->starts && !p->model) return -1;
  complain("`%s` is for `--problem synthesis`", p->pass.count   ? "--pass"
                                                : p->free.count ? "--free"
                                                : p->starts     ? "--starts"
                                                                : "-o");
  return exit_input;
}

// Options that only some problems have. -1: go on.
static int check_ways(const PositionsArguments *p, const char *method, bool compare) {
  const char *unused = NULL, *of = NULL;
  if (p->branch.count && !is_problem(p, "path")) unused = "--branch", of = "--problem path` or `--over";
  if (p->problem && !is_problem(p, "modes") && (method || compare))
    unused = method ? "--method" : "--compare",
    of = "--problem modes` or for structures at rest, `viva equilibrium FILE";
  if (!unused) return -1;
  complain("`%s` is for `%s`", unused, of);
  return exit_input;
}

static int check_positions(PositionsArguments *p) {
  const char *given = p->over ? "--over" : p->reach ? "--reach" : NULL, *means = p->over ? "path" : "inverse";
  if (given && !p->problem) p->problem = means;
  if ((p->over && p->reach) || (given && !is_problem(p, means) && !is_problem(p, "deformed"))) {
    complain("`%s` is `--problem %s` or `deformed`, and nothing else goes with it", given, means);
    return exit_input;
  }
  int status = check_synthesis(p);
  if (status >= 0) return status;
  if (is_problem(p, "inverse") && !p->reach) {
    complain("`--problem inverse` needs a place to be reached, `--reach tool=[1, 2]`");
    return exit_input;
  }
  if (p->problem) return check_problem(p->problem);
  if (!p->through && !p->out && !p->mode) return -1;
  complain("`%s` is for positions: say which, `--problem successive`", p->through ? "--through"
                                                                       : p->out   ? "--out"
                                                                                  : "--mode");
  return exit_input;
}

static int go(const char *file, viva_equilibrium_options *o, EquilibriumArguments *w, PositionsArguments *p,
              const Loading *loading) {
  viva_model *model = NULL;
  viva_load_options load = load_options(loading->request);
  int status = read_method(o->method, p);
  if (status < 0) status = check_positions(p);
  if (status < 0) status = check_ways(p, o->method, o->compare);
  bool lists = is_problem(p, "initial") && strcmp(file, "-") != 0;     // perhaps a large structure
  load.at_rest = !o->search && !w->at.count && (!p->problem || lists); // these name configurations by coordinates
  if (status < 0) status = load_model(file, &load, &model);
  if (status < 0 && lists && positions_need_equations(model, p)) {
    viva_model_free(model);
    load.at_rest = false;
    load.confined = is_confined();
    status = take_model(viva_model_load(file, &load, &model), false, &model);
  }
  if (status < 0) status = check_camera(model, loading->camera, w->figure.camera);
  p->plot = w->plot;
  p->compare = o->compare;
  p->json = w->json;
  p->seed = w->seed;
  p->figure = w->figure;
  if (status < 0) status = p->problem ? run_positions(model, p) : equilibrium(model, o, w);
  viva_model_free(model);
  return status;
}

static int equilibrium_main(int argc, char **argv) {
  EquilibriumArguments w = {.seed = 1, .figure = viva_figure_defaults()};
  viva_equilibrium_options o = viva_equilibrium_defaults();
  PositionsArguments p = {0};
  const char *file, *search = NULL, *camera = NULL;
  LoadRequest request = {0};
  const Option options[] = {
      {"--at", option_list, "START", "name=value,...: where to start (the rest: as it starts); may be repeated", &w.at,
       NULL},
      {"--search", option_text, "BOX", "name=from:to,...: all equilibria in this box; `angles`: in one turn of each",
       &search, "angles"},
      POSITION_OPTIONS(p),
      {"--method", option_text, "METHOD", "of structures and of modes: how", &o.method,
       "auto lagrange penalty stiffness alm-direct alm-linear alm-quadratic homotopy resultants"},
      {"--compare", option_flag, NULL, "of structures: all seven methods side by side; of modes: both", &o.compare,
       NULL},
      {"--r0", option_number, "R", "penalty factor at first, in units of the springs' stiffness", &o.r0, NULL},
      {"--gamma", option_number, "G", "its growth in each iteration", &o.gamma, NULL},
      {"--rmax", option_number, "R", "where it stops growing", &o.rmax, NULL},
      {"--eps1", option_number, "N", "criterion of multipliers", &o.eps1, NULL},
      {"--eps2", option_number, "M2", "criterion of lengths, squared and summed", &o.eps2, NULL},
      {"--eps3", option_number, "J", "criterion of the potential", &o.eps3, NULL},
      {"--hold", option_count, "N", "iterations over which the criteria hold", &w.hold, NULL},
      {"--inner", option_count, "N", "alm-direct: steps between estimates of multipliers", &w.inner, NULL},
      {"--seed", option_count, "N", "of starts, where a search cannot be complete", &w.seed, NULL},
      {"--max", option_count, "N", "iterations at most", &w.most, NULL},
      {"--trace", option_output, "FILE", "write every iteration as CSV", &w.trace, NULL},
      {"--plot", option_output, "FILE", "draw it where it rests, a structure with its forces: .svg, .png or .pdf",
       &w.plot, NULL},
      {"--theme", option_text, "THEME", "of pictures: light or dark", &w.theme, "light dark"},
      {"--camera", option_text, "X,Y,Z", "from where a structure in space is seen, as `camera [x, y, z]`", &camera,
       NULL},
      {"--json", option_flag, NULL, "the result as JSON", &w.json, NULL},
      LOAD_OPTIONS(request),
  };
  int status = read_options(&verb_equilibrium, options, sizeof options / sizeof *options, argc, argv, &file);
  o.at = w.at.items;
  o.at_count = w.at.count;
  o.search = search;
  o.most_iterations = w.most;
  o.seed = w.seed;
  o.hold = w.hold;
  o.inner = w.inner;
  if (status < 0) status = read_theme(w.theme, &w.figure);
  if (status < 0) status = read_camera(camera, w.figure.camera);
  if (status < 0) status = go(file, &o, &w, &p, &(Loading){&request, camera});
  free_load(&request);
  free_list(&w.at);
  free_list(&p.pass);
  free_list(&p.free);
  free_list(&p.branch);
  return status;
}

const Verb verb_equilibrium = {
    .name = "equilibrium",
    .usage = "viva equilibrium FILE [options]",
    .about = "where the model rests, with forces and stability",
    .main = equilibrium_main,
    .files = 1,
};

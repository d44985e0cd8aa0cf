// viva analyze FILE: one channel or loop of the linear model: poles, zeros, margins, responses, curves.
#include "cli/control.h"
#include "cli/message.h"
#include "cli/model.h"
#include "cli/motion.h"
#include "cli/outputs.h"
#include "cli/picture.h"
#include "cli/point.h"
#include "cli/signals.h"
#include "cli/taps.h"
#include "cli/verbs.h"

#include <stdio.h>
#include <string.h>

// What the user asked for beside the model.
typedef struct AnalyzeArguments {
  const char *path;
  TextList at, open, plots;
  const char *theme, *terminal;
  bool json;
  viva_figure_options figure;
  ControlArguments control;
} AnalyzeArguments;

static const char *const curves[] = {"bode",  "nyquist", "nichols", "step",  "impulse", "ramp",
                                     "poles", "locus",   "circle",  "popov", "describe"};
enum { curve_count = sizeof curves / sizeof *curves, curve_describe = curve_count - 1, most_plots = 16 };

// A curve that goes into a file, as a picture or as a table.
typedef struct CurveFile {
  int curve;
  const char *path;
  bool table;
  PictureFile picture;
} CurveFile;

static int read_arguments(AnalyzeArguments *w, viva_analyze_options *o) {
  viva_linearize_options point = viva_linearize_defaults();
  int status = read_at(&w->at, &point);
  o->point = point.point;
  o->at = point.at;
  o->at_count = point.at_count;
  o->path = w->path;
  o->open = w->open.count ? w->open.items[0] : NULL;
  if (status < 0 && w->plots.count > most_plots) {
    complain("%zu pictures are too many: %d at most", (size_t)w->plots.count, most_plots);
    return exit_input;
  }
  if (status < 0 && o->pade && !o->over && !w->control.form && !w->control.sampling) {
    complain("`--pade` is for a rational form: `--over`, `--realize` or `--discretize`");
    return exit_input;
  }
  if (status >= 0 || w->open.count < 2) return status;
  complain("the loop is cut twice, at `%s` and at `%s`", w->open.items[0], w->open.items[1]);
  hint("one cut opens a loop; what else comes back is part of it");
  return exit_input;
}

static int find_curve(const char *option, const char *word, size_t length, int *curve) {
  char name[32];
  if (length >= sizeof name) length = sizeof name - 1;
  memcpy(name, word, length);
  name[length] = 0;
  return choose(option, name, &(Choice){curves, curve_count, NULL, 0}, curve);
}

// `bode=FILE`. Pictures are opened before anything is computed.
static int open_curve(const char *text, CurveFile *c) {
  static const char *const kinds[] = {"svg", "png", "pdf", NULL};
  const char *equals = strchr(text, '=');
  if (!equals || !equals[1]) {
    complain("`--plot %s` names no file", text);
    hint("a kind and a file: `--plot bode=bode.svg`, `--plot step=step.csv`");
    return exit_input;
  }
  int status = find_curve("--plot", text, (size_t)(equals - text), &c->curve);
  if (status >= 0) return status;
  c->path = equals + 1;
  const char *dot = strrchr(c->path, '.');
  c->table = dot && strcmp(dot, ".csv") == 0;
  if (c->table) return open_output("--plot", c->path, &c->picture.file);
  return open_picture(c->path, "--plot", kinds, &c->picture);
}

// Why there is no such curve.
static int no_curve(viva_status done, int curve) {
  if (done == VIVA_EINPUT && curve == VIVA_CURVE_LOCUS) complain("a root locus needs a parameter: `--over K=0:100`");
  else if (done == VIVA_EINPUT && curve == curve_describe) complain("which signal is to be described? `--describe v`");
  else if (done == VIVA_EINPUT && (curve == VIVA_CURVE_CIRCLE || curve == VIVA_CURVE_POPOV)) {
    complain("there is no sector to draw");
    hint("`--sector SLOPE` says why");
  } else complain("%s", viva_status_text(done));
  return done == VIVA_EINPUT ? exit_input : exit_failed;
}

static int save_curve(const viva_analysis *a, CurveFile *c, const viva_figure_options *o) {
  char *data = NULL;
  size_t length = 0;
  viva_status done = c->curve == curve_describe ? VIVA_EINPUT
                     : c->table                 ? viva_analysis_table(a, (viva_curve)c->curve, &data, &length)
                                : viva_analysis_draw(a, (viva_curve)c->curve, o, c->picture.kind, &data, &length);
  if (done != VIVA_OK) return no_curve(done, c->curve);
  int status = save_output(&c->picture.file, c->path, data, length);
  viva_text_free(data);
  return status;
}

static int draw_terminal(const viva_analysis *a, AnalyzeArguments *w) {
  char *data = NULL;
  size_t length;
  int curve;
  if (!w->terminal) return -1;
  int status = find_curve("--terminal", w->terminal, strlen(w->terminal), &curve);
  if (status >= 0) return status;
  use_terminal(&w->figure, false);
  viva_status done = curve == curve_describe
                         ? VIVA_EINPUT
                         : viva_analysis_draw(a, (viva_curve)curve, &w->figure, VIVA_PICTURE_TERMINAL, &data, &length);
  if (done != VIVA_OK) return no_curve(done, curve);
  printf("\n%s", data);
  viva_text_free(data);
  return -1;
}

// The picture of a describing function; the other curves are not those of its loop.
static int save_described(const viva_model *model, const viva_analyze_options *o, const AnalyzeArguments *w,
                          CurveFile *c) {
  char *data = NULL;
  size_t length = 0;
  if (c->curve != curve_describe) {
    complain("with `--describe` there is the picture `describe` alone");
    return exit_input;
  }
  viva_status done =
      viva_describe_draw(model, w->control.describe, o, c->table, &w->figure, c->picture.kind, &data, &length);
  if (done != VIVA_OK) {
    if (data && *data) show_message(data);
    else complain("%s", viva_status_text(done));
    viva_text_free(data);
    return done == VIVA_EINPUT ? exit_input : exit_failed;
  }
  int status = save_output(&c->picture.file, c->path, data, length);
  viva_text_free(data);
  return status;
}

static int show(const viva_analysis *a, AnalyzeArguments *w) {
  const char *text = viva_analysis_text(a, w->json ? VIVA_FORMAT_JSON : VIVA_FORMAT_TEXT);
  if (!text) {
    complain("%s", viva_status_text(VIVA_ENOMEM));
    return exit_failed;
  }
  if (w->json) json_printed();
  fputs(text, stdout);
  int status = w->json ? -1 : draw_terminal(a, w);
  return status < 0 ? finish_output() : status;
}

static void discard_all(CurveFile *files, size_t count) {
  for (size_t i = 0; i < count; i++) discard_picture(&files[i].picture);
}

static int analyze(const viva_model *model, viva_analyze_options *o, AnalyzeArguments *w) {
  viva_analysis *a = NULL;
  CurveFile files[most_plots] = {0};
  size_t count = w->plots.count;
  int status = refuse_family(model, "an analysis is about one model");
  for (size_t i = 0; i < count && status < 0; i++) status = open_curve(w->plots.items[i], &files[i]);
  if (status >= 0) return discard_all(files, count), status;
  listen_for_interrupts();
  o->interrupted = was_interrupted;
  if (w->control.describe) {
    for (size_t i = 0; i < count && status < 0; i++) status = save_described(model, o, w, &files[i]);
    if (status < 0) status = control_describe(model, &w->control, o, w->json);
    listen_signals(false);
    discard_all(files, count);
    return status;
  }
  viva_status done = viva_analyze(model, o, &a);
  listen_signals(false);
  const char *message = viva_analysis_message(a);
  if (message) show_message(message);
  else if (done != VIVA_OK) complain("%s", viva_status_text(done));
  if (done != VIVA_OK) status = done == VIVA_EINPUT ? exit_input : exit_failed;
  for (size_t i = 0; i < count && status < 0; i++) status = save_curve(a, &files[i], &w->figure);
  if (status < 0 && !(w->json && control_asks(&w->control, true))) status = show(a, w);
  if (status <= 0 && a && done == VIVA_OK) {
    int answered = control_answer(model, a, &w->control, w->json);
    if (answered >= 0) status = answered;
    else if (status < 0) status = finish_output();
  }
  discard_all(files, count);
  viva_analysis_free(a);
  return status;
}

static int analyze_main(int argc, char **argv) {
  AnalyzeArguments w = {.figure = viva_figure_defaults()};
  const char *file;
  Taps taps;
  LoadRequest request = {0};
  viva_analyze_options o = viva_analyze_defaults();
  const Option options[] = {
      {"--path", option_text, "U:Y", "from an input or a `let` to an output or any expression", &w.path, NULL},
      {"--open", option_list, "SIGNAL",
       "cut the loop at this input, `let`, output, coordinate, velocity or state; without --path the loop is analysed",
       &w.open, NULL},
      {"--at", option_list, "POINT",
       "name=value,... (the rest: as it starts, at rest), equilibrium (the default), or start; may be repeated", &w.at,
       "equilibrium start"},
      {"--plot", option_outputs, "KIND=FILE",
       "draw bode, nyquist, nichols, step, impulse, ramp, poles, locus, circle, popov or describe: .svg, .png, .pdf, "
       "or as a table .csv; may be repeated",
       &w.plots, NULL},
      {"--terminal", option_text, "KIND", "draw such a curve in the terminal", &w.terminal,
       "bode nyquist nichols step impulse ramp poles locus circle popov"},
      {"--theme", option_text, "THEME", "of pictures: light or dark", &w.theme, "light dark"},
      {"--over", option_text, "K=RANGE", "the root locus of the model as it stands along a parameter: K=0:100", &o.over,
       NULL},
      {"--pade", option_count, "N", "for a locus or --realize: dead times as rational functions of order N", &o.pade,
       NULL},
      {"--matrices", option_flag, NULL, "with the linear model itself, as `viva linearize` prints it", &o.matrices,
       NULL},
      {"--json", option_flag, NULL, "the same facts as JSON", &w.json, NULL},
      CONTROL_OPTIONS(w.control),
      LOAD_OPTIONS(request),
  };
  viva_model *model = NULL;
  int status = read_options(&verb_analyze, options, sizeof options / sizeof *options, argc, argv, &file);
  viva_load_options load = load_options(&request);
  if (status < 0) status = read_arguments(&w, &o);
  if (status < 0) status = read_theme(w.theme, &w.figure);
  if (status < 0) status = control_check(&w.control, w.path || w.open.count);
  if (status < 0) status = control_slope(w.control.sector, &o.slope);
  find_taps(w.path, w.open.count ? w.open.items[0] : NULL, w.control.describe, &taps);
  load.taps = taps.names;
  load.tap_count = taps.count;
  if (status < 0) status = load_model(file, &load, &model);
  if (status < 0) status = analyze(model, &o, &w);
  viva_model_free(model);
  free_load(&request);
  free_list(&w.at);
  free_list(&w.open);
  free_list(&w.plots);
  free_taps(&taps);
  return status;
}

const Verb verb_analyze = {
    .name = "analyze",
    .usage = "viva analyze FILE [options]",
    .about = "a path or loop of the linear model: poles, zeros, margins, responses",
    .main = analyze_main,
    .files = 1,
};

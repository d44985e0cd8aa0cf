// viva linearize FILE: the linear model about a point, as text and as pictures of its poles and modes.
#include "cli/message.h"
#include "cli/model.h"
#include "cli/motion.h"
#include "cli/outputs.h"
#include "cli/picture.h"
#include "cli/point.h"
#include "cli/signals.h"
#include "cli/verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int save_linear(PictureFile *file, const viva_linearization *l, viva_linear_figure figure,
                       const viva_figure_options *o) {
  char *data;
  size_t length;
  if (!file->path) return -1;
  viva_status done = viva_linearization_draw(l, figure, o, file->kind, &data, &length);
  if (done != VIVA_OK) {
    complain("%s", done == VIVA_EINPUT ? "there are no eigenvalues to draw: it needs states, every parameter needs a "
                                         "value, and of delays and samples `viva analyze --plot poles=FILE` draws them"
                                       : viva_status_text(done));
    return done == VIVA_EINPUT ? exit_input : exit_failed;
  }
  int status = save_output(&file->file, file->path, data, length);
  viva_text_free(data);
  return status;
}

static int show_terminal(const viva_linearization *l, viva_figure_options *o) {
  char *data;
  size_t length;
  use_terminal(o, false);
  viva_status done = viva_linearization_draw(l, VIVA_LINEAR_POLES, o, VIVA_PICTURE_TERMINAL, &data, &length);
  if (done == VIVA_OK) printf("\n%s", data);
  viva_text_free(data);
  return -1;
}

// What the user asked for beside the model and the point.
typedef struct LinearizeArguments {
  const char *form, *format, *poles, *modes, *theme;
  bool json, terminal;
  viva_format show;
  PictureFile pole_file, mode_file;
  viva_figure_options figure;
} LinearizeArguments;

// Words of options become settings. -1: go on.
static int read_arguments(LinearizeArguments *w, TextList *at, viva_linearize_options *o) {
  static const char *const forms[] = {"symbolic", "numeric", "both"};
  static const char *const formats[] = {"text", "latex", "json"}, *const reserved[] = {"mathml"};
  static const viva_format shown[] = {VIVA_FORMAT_TEXT, VIVA_FORMAT_LATEX, VIVA_FORMAT_JSON};
  int form = 0, format = 0;
  int status = choose("--form", w->form, &(Choice){forms, 3, NULL, 0}, &form);
  if (status < 0)
    status = choose("--format", w->json ? "json" : w->format, &(Choice){formats, 3, reserved, 1}, &format);
  o->symbolic = form != 1;
  o->numeric = form != 0 || w->poles || w->modes || w->terminal;
  w->show = shown[format];
  if (status < 0) status = read_at(at, o);
  return status < 0 ? read_theme(w->theme, &w->figure) : status;
}

static int find_linear(const viva_model *model, viva_linearize_options *o, viva_linearization **l) {
  listen_for_interrupts();
  o->interrupted = was_interrupted;
  viva_status done = viva_linearize(model, o, l);
  listen_signals(false);
  const char *message = viva_linearization_message(*l);
  if (message) show_message(message);
  else if (done != VIVA_OK) complain("%s", viva_status_text(done));
  return done == VIVA_OK ? -1 : done == VIVA_EINPUT ? exit_input : exit_failed;
}

static int show_linear(const viva_linearization *l, LinearizeArguments *w) {
  const char *text = viva_linearization_text(l, w->show);
  if (!text) {
    complain("%s", viva_status_text(VIVA_ENOMEM));
    return exit_failed;
  }
  if (w->show == VIVA_FORMAT_JSON) json_printed();
  fputs(text, stdout);
  bool words = w->show == VIVA_FORMAT_TEXT;
  if (words && w->poles) printf("\nPoles drawn: %s\n", w->poles);
  if (words && w->modes) printf("%sModes drawn: %s\n", w->poles ? "" : "\n", w->modes);
  if (w->terminal) show_terminal(l, &w->figure);
  return finish_output();
}

static int linearize(const viva_model *model, viva_linearize_options *o, LinearizeArguments *w) {
  static const char *const kinds[] = {"svg", "png", "pdf", NULL};
  viva_linearization *l = NULL;
  int status = refuse_family(model, "a linear model is about one model");
  if (status < 0) status = open_picture(w->poles, "--plot", kinds, &w->pole_file);
  if (status < 0) status = open_picture(w->modes, "--plot-modes", kinds, &w->mode_file);
  if (status < 0) status = find_linear(model, o, &l);
  if (status < 0) status = save_linear(&w->pole_file, l, VIVA_LINEAR_POLES, &w->figure);
  if (status < 0) status = save_linear(&w->mode_file, l, VIVA_LINEAR_MODES, &w->figure);
  if (status < 0) status = show_linear(l, w);
  discard_picture(&w->pole_file);
  discard_picture(&w->mode_file);
  viva_linearization_free(l);
  return status;
}

static int linearize_main(int argc, char **argv) {
  LinearizeArguments w = {.form = "both", .format = "text", .figure = viva_figure_defaults()};
  const char *file;
  LoadRequest request = {0};
  TextList at = {0};
  const Option options[] = {
      {"--at", option_list, "POINT",
       "name=value,... (the rest: as it starts, at rest), equilibrium (the default), or start; may be repeated", &at,
       "equilibrium start"},
      {"--form", option_text, "FORM", "symbolic, numeric or both", &w.form, "symbolic numeric both"},
      {"--format", option_text, "FORMAT", "text, latex or json", &w.format, "text latex json"},
      {"--json", option_flag, NULL, "the same as --format json", &w.json, NULL},
      {"--plot", option_output, "FILE", "draw the poles: .svg, .png or .pdf", &w.poles, NULL},
      {"--plot-modes", option_output, "FILE", "draw the modes: .svg, .png or .pdf", &w.modes, NULL},
      {"--theme", option_text, "THEME", "of pictures: light or dark", &w.theme, "light dark"},
      {"--terminal", option_flag, NULL, "draw the poles in the terminal", &w.terminal, NULL},
      LOAD_OPTIONS(request),
  };
  viva_linearize_options o = viva_linearize_defaults();
  viva_model *model = NULL;
  int status = read_options(&verb_linearize, options, sizeof options / sizeof *options, argc, argv, &file);
  viva_load_options load = load_options(&request);
  if (status < 0) status = read_arguments(&w, &at, &o);
  if (status < 0) status = load_model(file, &load, &model);
  if (status < 0) status = linearize(model, &o, &w);
  viva_model_free(model);
  free_load(&request);
  free_list(&at);
  return status;
}

const Verb verb_linearize = {
    .name = "linearize",
    .usage = "viva linearize FILE [options]",
    .about = "the linear model about a point: A, B, C, D, poles and modes",
    .main = linearize_main,
    .files = 1,
};

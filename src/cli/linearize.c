#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// `--at equilibrium`, `--at start`, `--at name=value,...`, or the words before values: `equilibrium,th=3`.
// -1: go on.
static int read_at(TextList *at, viva_linearize_options *o) {
  bool values = false, word = false;
  for (size_t i = 0; i < at->count; i++) {
    static const struct {
      const char *word;
      viva_point point;
    } words[] = {{"equilibrium", VIVA_AT_EQUILIBRIUM}, {"start", VIVA_AT_START}};
    const char *text = at->items[i];
    for (size_t k = 0; k < 2; k++) {
      size_t length = strlen(words[k].word);
      if (strncmp(text, words[k].word, length) != 0 || (text[length] && text[length] != ',')) continue;
      o->point = words[k].point;
      word = true;
      text += text[length] ? length + 1 : length;
    }
    if (!*text && word) continue;
    if (!strchr(text, '=')) {
      static const char *const known[] = {"equilibrium", "start"};
      const char *near = nearest(text, known, 2);
      complain("`--at` takes values, `equilibrium` or `start`, not `%s`", text);
      if (near) hint("did you mean `%s`?", near);
      else hint("for example `--at %s=0`", *text ? text : "x");
      return exit_input;
    }
    at->items[o->at_count++] = text;
    values = true;
  }
  if (values && !word) o->point = VIVA_AT_POINT;
  o->at = at->items;
  return -1;
}

static int save_linear(PictureFile *file, const viva_linearization *l, viva_linear_figure figure,
                       const viva_figure_options *o) {
  char *data;
  size_t length;
  if (!file->path) return -1;
  viva_status done = viva_linearization_draw(l, figure, o, file->kind, &data, &length);
  if (done != VIVA_OK) {
    complain("%s", done == VIVA_EINPUT ? "there are no eigenvalues to draw: every parameter needs a value"
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

static int linearize_main(int argc, char **argv) {
  const char *form = "both", *format = "text", *case_name = NULL, *poles = NULL, *modes = NULL, *theme = NULL, *file;
  bool json = false, terminal = false;
  PictureFile pole_file = {0}, mode_file = {0};
  viva_figure_options figure = viva_figure_defaults();
  TextList set = {0}, input = {0}, at = {0};
  const Option options[] = {
      {"--at", option_list, "POINT",
       "name=value,... (the rest: as it starts, at rest), equilibrium (the default), or start; may be repeated", &at,
       "equilibrium start"},
      {"--form", option_text, "FORM", "symbolic, numeric or both", &form, "symbolic numeric both"},
      {"--format", option_text, "FORMAT", "text, latex or json", &format, "text latex json"},
      {"--json", option_flag, NULL, "the same as --format json", &json, NULL},
      {"--plot", option_text, "FILE", "draw the poles: .svg, .png or .pdf", &poles, NULL},
      {"--plot-modes", option_text, "FILE", "draw the modes: .svg, .png or .pdf", &modes, NULL},
      {"--theme", option_text, "THEME", "of pictures: light or dark", &theme, "light dark"},
      {"--terminal", option_flag, NULL, "draw the poles in the terminal", &terminal, NULL},
      {"--case", option_text, "NAME", "take the values of this `case`", &case_name, NULL},
      {"--set", option_list, "NAME=VALUE", "change a parameter or starting value; may be repeated", &set, NULL},
      {"--input", option_list, "NAME=EXPR", "change an input; may be repeated", &input, NULL},
  };
  static const char *const forms[] = {"symbolic", "numeric", "both"};
  static const char *const kinds[] = {"svg", "png", "pdf", NULL};
  static const char *const formats[] = {"text", "latex", "json"}, *const formats_later[] = {"mathml"};
  int status = read_options(&verb_linearize, options, sizeof options / sizeof *options, argc, argv, &file);
  int form_index = 0, format_index = 0;
  if (status < 0) status = choose("--form", form, forms, 3, NULL, 0, &form_index);
  if (status < 0) status = choose("--format", json ? "json" : format, formats, 3, formats_later, 1, &format_index);
  viva_linearize_options o = viva_linearize_defaults();
  o.symbolic = form_index != 1;
  o.numeric = form_index != 0 || poles || modes || terminal;
  if (status < 0) status = read_at(&at, &o);
  if (status < 0) status = read_theme(theme, &figure);
  viva_model *model = NULL;
  viva_linearization *l = NULL;
  viva_load_options load = {case_name, set.items, set.count, input.items, input.count, 0, false, false};
  if (status < 0) status = load_model(file, &load, &model);
  if (status < 0 && viva_model_varied_count(model)) {
    complain("a linear model is about one model, but the values of `%s` ask for a family of %zu",
             viva_model_varied_name(model, 0), viva_model_member_count(model));
    hint("give it one value, `--set %s=...`", viva_model_varied_name(model, 0));
    status = exit_input;
  }
  if (status < 0) status = open_picture(poles, "--plot", kinds, &pole_file);
  if (status < 0) status = open_picture(modes, "--plot-modes", kinds, &mode_file);
  if (status < 0) {
    listen_for_interrupts();
    o.interrupted = was_interrupted;
    viva_status done = viva_linearize(model, &o, &l);
    listen_signals(false);
    const char *message = viva_linearization_message(l);
    if (message) show_message(message);
    else if (done != VIVA_OK) complain("%s", viva_status_text(done));
    status = done == VIVA_OK ? -1 : done == VIVA_EINPUT ? exit_input : exit_failed;
  }
  if (status < 0) status = save_linear(&pole_file, l, VIVA_LINEAR_POLES, &figure);
  if (status < 0) status = save_linear(&mode_file, l, VIVA_LINEAR_MODES, &figure);
  if (status < 0) {
    if (format_index == 2) json_printed();
    fputs(viva_linearization_text(l, (viva_format)format_index), stdout);
    bool words = format_index == 0;
    if (words && poles) printf("\nPoles drawn: %s\n", poles);
    if (words && modes) printf("%sModes drawn: %s\n", poles ? "" : "\n", modes);
    if (terminal) show_terminal(l, &figure);
    status = finish_output();
  }
  discard_picture(&pole_file);
  discard_picture(&mode_file);
  viva_linearization_free(l);
  viva_model_free(model);
  free_list(&set);
  free_list(&input);
  free_list(&at);
  return status;
}

const Verb verb_linearize = {"linearize",
                             "viva linearize FILE [options]",
                             "the linear model about a point: A, B, C, D, poles and modes",
                             linearize_main,
                             1,
                             NULL};

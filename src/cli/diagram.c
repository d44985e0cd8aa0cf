// viva diagram FILE -o d.svg: the block diagram of a model.
#include "cli/message.h"
#include "cli/model.h"
#include "cli/outputs.h"
#include "cli/picture.h"
#include "cli/verbs.h"

#include <stdio.h>
#include <string.h>

static int fail(viva_status status, const char *message) {
  complain("%s", message ? message : viva_status_text(status));
  return status == VIVA_EINPUT ? exit_input : exit_failed;
}

static int draw(const viva_model *model, bool dark, PictureFile *picture) {
  char *data = NULL, *message = NULL;
  size_t length = 0;
  viva_status done = viva_diagram(model, dark, picture->kind, &data, &length, &message);
  int status = done == VIVA_OK ? -1 : fail(done, message);
  if (status < 0) status = save_output(&picture->file, picture->path, data, length);
  if (status < 0) status = tell_file(picture->path);
  viva_text_free(data);
  viva_text_free(message);
  return status;
}

static int diagram_main(int argc, char **argv) {
  static const char *const kinds[] = {"svg", "png", "pdf", NULL};
  const char *out = NULL, *theme = NULL, *file;
  const Option options[] = {
      {"-o", option_output, "FILE", "where to: .svg .png .pdf", &out, NULL},
      {"--theme", option_text, "THEME", "light or dark", &theme, "light dark"},
  };
  int status = read_options(&verb_diagram, options, sizeof options / sizeof *options, argc, argv, &file);
  viva_figure_options figure = viva_figure_defaults();
  if (status < 0 && !out) {
    complain("where to? `-o diagram.svg`, or .png .pdf");
    status = exit_input;
  }
  if (status < 0) status = read_theme(theme, &figure);
  viva_model *model = NULL;
  PictureFile picture = {0};
  if (status < 0) status = load_model(file, NULL, &model);
  if (status < 0) status = open_picture(out, "-o", kinds, &picture);
  if (status < 0) status = draw(model, figure.dark, &picture);
  discard_picture(&picture);
  viva_model_free(model);
  return status;
}

const Verb verb_diagram = {
    .name = "diagram",
    .usage = "viva diagram FILE -o OUT [options]",
    .about = "the block diagram of a model as a picture",
    .main = diagram_main,
    .files = 1,
};

// viva export dot FILE
int export_dot(int argc, char **argv) {
  static const Verb verb = {
      .name = "export",
      .usage = "viva export dot FILE [-o OUT.dot]",
      .about = "the block diagram as text for Graphviz",
      .files = 1,
  };
  const char *out = NULL, *file;
  const Option options[] = {{"-o", option_output, "FILE", "write it there; without it: standard output", &out, NULL}};
  int status = read_options(&verb, options, sizeof options / sizeof *options, argc, argv, &file);
  viva_model *model = NULL;
  if (status < 0) status = load_model(file, NULL, &model);
  if (status < 0) {
    char *text = NULL, *message = NULL;
    viva_status done = viva_diagram_dot(model, &text, &message);
    if (done != VIVA_OK) {
      status = fail(done, message);
    } else if (!out) {
      fputs(text, stdout);
      status = finish_output();
    } else {
      status = write_output("-o", out, text, strlen(text));
      if (status < 0) status = tell_file(out);
    }
    viva_text_free(text);
    viva_text_free(message);
  }
  viva_model_free(model);
  return status < 0 ? exit_done : status;
}

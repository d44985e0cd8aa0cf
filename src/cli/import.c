// viva import arm.urdf: translates a file of another program into a model.
#include "cli/message.h"
#include "cli/model.h"
#include "cli/outputs.h"
#include "cli/verbs.h"

#include <stdio.h>
#include <string.h>

static int import_text(const ModelText *data, const viva_import_options *options, const char *out) {
  char *text = NULL, *message = NULL;
  viva_status done = data->text ? viva_import("<stdin>", data->text, data->length, options, &text, &message)
                                : viva_import_file(data->file, options, &text, &message);
  if (message) show_message(message);
  else if (done != VIVA_OK) complain("%s", viva_status_text(done));
  int status = done == VIVA_OK ? -1 : done == VIVA_EINPUT ? exit_input : exit_failed;
  if (status < 0 && out) {
    status = write_output("-o", out, text, strlen(text));
    if (status < 0) status = tell_file(out);
  } else if (status < 0) {
    fputs(text, stdout);
    status = finish_output();
  }
  viva_text_free(text);
  viva_text_free(message);
  return status < 0 ? exit_done : status;
}

static int import_main(int argc, char **argv) {
  const char *out = NULL, *file;
  viva_import_options request = viva_import_defaults();
  bool limits = false;
  const Option options[] = {
      {"-o", option_output, "FILE", "write the model there; without it: standard output", &out, NULL},
      {"--limits", option_flag, NULL, "limits of a robot's joints as stops", &limits, NULL},
  };
  int status = read_options(&verb_import, options, sizeof options / sizeof *options, argc, argv, &file);
  ModelText data = {0};
  request.limits = limits;
  if (status < 0) status = read_model(file, &data);
  if (status < 0) status = import_text(&data, &request, out);
  free_text(&data);
  return status;
}

const Verb verb_import = {
    .name = "import",
    .usage = "viva import FILE [--limits] [-o MODEL.viva]",
    .about = "a robot (URDF), a table of joints (CSV) or an SDSC file (.DAT, .PRN) as a model",
    .main = import_main,
    .files = 1,
};

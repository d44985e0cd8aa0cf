// viva export c|latex|dot FILE: the model for other programs, as a document, as a graph.
#include "cli/complete.h"
#include "cli/message.h"
#include "cli/model.h"
#include "cli/outputs.h"
#include "cli/verbs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

// A file is in the way that an export did not write, or that was changed since.
static int refuse_existing(const char *path, bool forced) {
  int status = note_output("-o", path); // what the model reads has its own message
  if (status >= 0) return status;
  complain("\"%s\" is there, and it is no file of an export, or was changed since: nothing was written", path);
  if (!forced) hint("give another folder, or write over it with `--force`");
  return exit_input;
}

static int export_failed(viva_status done, const viva_export_options *o, const char *folder, const char *path,
                         int error) {
  if (done == VIVA_EUSAGE) {
    complain("`--name` needs a name that C accepts, not `%s`", o->name ? o->name : "");
    return exit_input;
  }
  if (done == VIVA_EINPUT) {
    complain("this model cannot be exported: %s", path ? path : viva_status_text(done));
    return exit_input;
  }
  if (done == VIVA_EIO && error == EEXIST) return refuse_existing(path, o->force);
  if (done == VIVA_EIO) complain("\"%s\" cannot be written: %s", path ? path : folder, strerror(error));
  else complain("%s", done == VIVA_EFAIL ? "the equations grow too large to be written out" : viva_status_text(done));
  return exit_failed;
}

static int export_model(const viva_model *model, const viva_export_options *o, const char *folder) {
  char *path = NULL;
  int error = 0, status;
  viva_status done = viva_export_c(model, o, folder, &path, &error);
  if (done == VIVA_OK) {
    const char *name = o->name ? o->name : "model", *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
    printf("%s%s%s.c\n%s%s%s.h\n%s%smain.c\n%s%sMakefile\n", folder, slash, name, folder, slash, name, folder, slash,
           folder, slash);
    status = finish_output();
  } else {
    status = export_failed(done, o, folder, path, error);
  }
  viva_text_free(path);
  return status;
}

static int export_file(const char *file, const viva_load_options *load, const viva_export_options *o,
                       const char *folder) {
  viva_model *model = NULL;
  int status = load_model(file, load, &model);
  if (status < 0) status = refuse_family(model, "an export is one model");
  if (status < 0) status = export_model(model, o, folder);
  viva_model_free(model);
  return status;
}

// A document: to the file, or to standard output.
static int latex_file(const char *file, const viva_load_options *load, bool steps, const char *path) {
  viva_model *model = NULL;
  int status = load_model(file, load, &model);
  if (status >= 0) return status;
  note_family(model);
  viva_file *out = NULL;
  char *text = NULL;
  status = open_output("-o", path, &out);
  viva_status done = status < 0 ? viva_export_latex(model, steps, &text) : VIVA_OK;
  if (done != VIVA_OK) {
    complain("%s", done == VIVA_EFAIL ? "the equations grow too large to be written out" : viva_status_text(done));
    status = exit_failed;
  }
  if (status < 0) status = save_output(&out, path, text, strlen(text));
  if (status < 0 && !is_stdout(path)) puts(path);
  discard_output(&out);
  viva_text_free(text);
  viva_model_free(model);
  return status < 0 ? finish_output() : status;
}

static const Verb verb_latex = {
    .name = "export",
    .usage = "viva export latex FILE [-o FILE.tex] [options]",
    .about = "the equations of a model as a LaTeX document",
    .files = 1,
};

static int latex_main(int argc, char **argv) {
  const char *path = "-", *file;
  bool steps = false;
  LoadRequest request = {0};
  const Option options[] = {
      {"-o", option_output, "FILE.tex", "where the document goes; else to standard output", &path, NULL},
      {"--steps", option_flag, NULL, "with the derivation line by line, every line proved", &steps, NULL},
      LOAD_OPTIONS(request),
  };
  int status = read_options(&verb_latex, options, sizeof options / sizeof *options, argc, argv, &file);
  viva_load_options load = load_options(&request);
  if (status < 0) status = latex_file(file, &load, steps, path);
  free_load(&request);
  return status;
}

static int export_main(int argc, char **argv) {
  viva_export_options o = viva_export_defaults();
  const char *folder = NULL, *file;
  LoadRequest request = {0};
  const Option options[] = {
      {"-o", option_text, "FOLDER", "where the files go; made if it is missing", &folder, NULL},
      {"--name", option_text, "NAME", "what functions and files start with (model)", &o.name, NULL},
      {"--float", option_flag, NULL, "float instead of double", &o.single, NULL},
      {"--force", option_flag, NULL, "write over files that are there, also changed ones", &o.force, NULL},
      LOAD_OPTIONS(request),
  };
  size_t count = sizeof options / sizeof *options;
  if (argc > 3 && strcmp(argv[1], complete_word) == 0) { // the kind of export knows what follows it
    char *kind = argv[2];
    argv[2] = argv[1];
    argv[1] = kind;
  }
  if (argc > 1 && strcmp(argv[1], "dot") == 0) return export_dot(argc - 1, argv + 1);
  if (argc > 1 && argv[1][0] != '-') {
    if (strcmp(argv[1], "latex") == 0) return latex_main(argc - 1, argv + 1);
    if (strcmp(argv[1], "c") != 0) {
      complain("there is no export to `%s`", argv[1]);
      hint("there is `viva export c FILE -o FOLDER`, `viva export latex FILE` and `viva export dot FILE`");
      return exit_input;
    }
    argc--;
    argv++;
  }
  int status = read_options(&verb_export, options, count, argc, argv, &file);
  viva_load_options load = load_options(&request);
  if (status < 0 && (!folder || !*folder)) {
    complain("where to? usage: %s", verb_export.usage);
    status = exit_input;
  }
  if (status < 0) status = export_file(file, &load, &o, folder);
  free_load(&request);
  return status;
}

const Verb verb_export = {
    .name = "export",
    .usage = "viva export c FILE -o FOLDER [options], viva export latex FILE [options], viva export dot FILE",
    .about = "the model as C for other programs, as a document, its diagram for Graphviz",
    .main = export_main,
    .files = 1,
    .words = "c latex dot",
};

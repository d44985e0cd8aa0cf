// Models as a command gets them: a file or standard input, with the values of the command line.
#ifndef VIVA_CLI_MODEL_H
#define VIVA_CLI_MODEL_H

#include "cli/options.h"
#include "viva/viva.h"

// What the command line says on a model.
typedef struct LoadRequest {
  const char *case_name;
  TextList set, input;
} LoadRequest;

// The three options for a table of options. clang-format leaves lists of this kind alone.
// clang-format off
#define LOAD_OPTIONS(request) \
  {"--case", option_text, "NAME", "take the values of this `case`", &(request).case_name, NULL}, \
  {"--set", option_list, "NAME=VALUE", "change a parameter or starting value; may be repeated", &(request).set, NULL}, \
  {"--input", option_list, "NAME=EXPR", "change an input; may be repeated", &(request).input, NULL}
// clang-format on
viva_load_options load_options(const LoadRequest *request); // borrows from the request
void free_load(LoadRequest *request);

// Loads a model and shows its diagnostics. -1: go on.
int load_model(const char *file, const viva_load_options *options, viva_model **model);
// A model that a call gave with this status: shows its diagnostics, notes its files, frees it where it has errors.
// -1: go on.
int take_model(viva_status status, bool warnings, viva_model **model);

// A file as it is, or standard input.
typedef struct ModelText {
  const char *file;
  char *text; // of standard input; NULL: read the file
  size_t length;
} ModelText;
int read_model(const char *file, ModelText *text); // -1: go on
void free_text(ModelText *text);

void note_family(const viva_model *model); // if it is one: shown is the first member
// A family where there can be one model only is rejected; `what` is the reason in the message. -1: go on.
int refuse_family(const viva_model *model, const char *what);

#endif

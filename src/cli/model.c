// From the words of a command to a loaded model.
//
// in    the file of the command line (`-`: standard input), and what `--case --set --input --confine` say
// out   a model, after its diagnostics were shown; what it was read from is noted, so that no output replaces it
#include "cli/model.h"

#include "cli/message.h"
#include "cli/outputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { largest_input = 256 << 20 }; // bytes of standard input, as of a file

viva_load_options load_options(const LoadRequest *w) {
  return (viva_load_options){.case_name = w->case_name,
                             .set = w->set.items,
                             .set_count = w->set.count,
                             .input = w->input.items,
                             .input_count = w->input.count};
}

void free_load(LoadRequest *request) {
  free_list(&request->set);
  free_list(&request->input);
}

// Standard input as a model: read whole.
static char *read_stdin(size_t *length) {
  size_t cap = 65536, used = 0;
  char *text = malloc(cap);
  while (text) {
    used += fread(text + used, 1, cap - used, stdin);
    if (used < cap) break;
    cap *= 2;
    char *more = cap > largest_input ? NULL : realloc(text, cap);
    if (!more) free(text);
    text = more;
  }
  *length = used;
  return text;
}

int read_model(const char *file, ModelText *text) {
  *text = (ModelText){.file = file};
  if (strcmp(file, "-") != 0) return -1;
  text->text = read_stdin(&text->length);
  if (text->text) return -1;
  complain("%s", viva_status_text(VIVA_ENOMEM));
  return exit_failed;
}

void free_text(ModelText *text) { free(text->text); }

int take_model(viva_status status, bool warnings, viva_model **model) {
  note_model(*model);
  for (size_t i = 0; i < viva_model_diagnostic_count(*model); i++) {
    viva_diagnostic d = viva_model_diagnostic(*model, i);
    if (warnings || !d.warning) show_diagnostic(&d);
  }
  size_t dropped = viva_model_diagnostics_dropped(*model);
  if (dropped) fprintf(stderr, "and %zu more\n", dropped);
  if (status != VIVA_OK && status != VIVA_EINPUT) complain("%s", viva_status_text(status));
  int next = status == VIVA_OK ? check_outputs() : status == VIVA_EINPUT ? exit_input : exit_failed;
  if (next < 0) return next;
  viva_model_free(*model);
  *model = NULL;
  return next;
}

int load_model(const char *file, const viva_load_options *options, viva_model **model) {
  viva_load_options own = options ? *options : viva_load_defaults();
  own.confined = is_confined();
  ModelText text;
  int status = read_model(file, &text);
  if (status >= 0) return status;
  viva_status done =
      text.text ? viva_model_parse("<stdin>", text.text, text.length, &own, model) : viva_model_load(file, &own, model);
  free_text(&text);
  return take_model(done, true, model);
}

// ---- families

void note_family(const viva_model *model) {
  char text[128];
  if (viva_model_varied_count(model) == 0) return;
  snprintf(text, sizeof text, "viva: note: a family of %zu; shown is its first member\n",
           viva_model_member_count(model));
  show_message(text);
}

int refuse_family(const viva_model *model, const char *what) {
  if (viva_model_varied_count(model) == 0) return -1;
  const char *name = viva_model_varied_name(model, 0);
  complain("%s, but the values of `%s` ask for a family of %zu", what, name, viva_model_member_count(model));
  hint("give it one value, `--set %s=...`", viva_model_varied_setting(model, 0));
  return exit_input;
}

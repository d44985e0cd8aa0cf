#include "cli/cli.h"

#include <stdio.h>

static int derive_main(int argc, char **argv) {
  const char *form = "lagrange", *format = "text", *case_name = NULL, *file;
  bool json = false;
  viva_derive_options o = viva_derive_defaults();
  TextList set = {0}, input = {0};
  const Option options[] = {
      {"--form", option_text, "FORM",
       "lagrange (one equation a coordinate), solved (x'' = ...), matrices, or state (first order)", &form,
       "lagrange solved matrices state"},
      {"--format", option_text, "FORMAT", "text, latex, mathml, html (a page) or json", &format,
       "text latex mathml html json"},
      {"--json", option_flag, NULL, "the same as --format json", &json, NULL},
      {"--case", option_text, "NAME", "take the values of this `case`", &case_name, NULL},
      {"--set", option_list, "NAME=VALUE", "change a parameter or starting value; may be repeated", &set, NULL},
      {"--input", option_list, "NAME=EXPR", "change an input; may be repeated", &input, NULL},
      {"--factor", option_flag, NULL, "as products of factors", &o.factor, NULL},
      {"--expand", option_flag, NULL, "multiplied out", &o.expand, NULL},
      {"--numeric", option_digits, "[DIGITS]", "with the values of the parameters, in so many digits (6)", &o.digits,
       NULL},
      {"--steps", option_flag, NULL, "the derivation line by line, every line proved", &o.steps, NULL},
  };
  static const char *const forms[] = {"lagrange", "matrices", "state", "solved"}, *const forms_later[] = {"hamilton"};
  static const char *const formats[] = {"text", "latex", "json", "mathml", "html"};
  int status = read_options(&verb_derive, options, sizeof options / sizeof *options, argc, argv, &file);
  int form_index = 0, format_index = 0;
  if (status < 0) status = choose("--form", form, forms, 4, forms_later, 1, &form_index);
  if (status < 0) status = choose("--format", json ? "json" : format, formats, 5, NULL, 0, &format_index);
  viva_model *model = NULL;
  viva_load_options load = {case_name, set.items, set.count, input.items, input.count, 0, false, false};
  if (status < 0) status = load_model(file, &load, &model);
  if (status < 0 && viva_model_varied_count(model)) {
    note_family(model);
  }
  if (status < 0) {
    o.form = (viva_form)form_index;
    o.format = (viva_format)format_index;
    char *text = NULL;
    viva_status done = viva_derive(model, &o, &text);
    if (done == VIVA_OK) {
      if (format_index == 2) json_printed();
      fputs(text, stdout);
      status = finish_output();
    } else {
      complain("%s", done == VIVA_EFAIL ? "the equations grow too large to be written out" : viva_status_text(done));
      status = exit_failed;
    }
    viva_text_free(text);
  }
  viva_model_free(model);
  free_list(&set);
  free_list(&input);
  return status;
}

const Verb verb_derive = {"derive", "viva derive FILE [options]", "the equations of a model", derive_main, 1, NULL};

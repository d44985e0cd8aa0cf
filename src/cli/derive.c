// viva derive FILE: the equations of motion of a model.
#include "cli/message.h"
#include "cli/model.h"
#include "cli/verbs.h"

#include <assert.h>
#include <stdio.h>

// Names in the order of viva_form and viva_format.
static const char *const forms[] = {"lagrange", "matrices", "state", "solved", "kinematics", "hamilton", "transfer"};
static const char *const formats[] = {"text", "latex", "json", "mathml", "html"};
static_assert(VIVA_FORM_LAGRANGE == 0 && VIVA_FORM_MATRICES == 1 && VIVA_FORM_STATE == 2 && VIVA_FORM_SOLVED == 3 &&
                  VIVA_FORM_KINEMATICS == 4 && VIVA_FORM_HAMILTON == 5 && VIVA_FORM_TRANSFER == 6,
              "the order of forms");
static_assert(VIVA_FORMAT_TEXT == 0 && VIVA_FORMAT_LATEX == 1 && VIVA_FORMAT_JSON == 2 && VIVA_FORMAT_MATHML == 3 &&
                  VIVA_FORMAT_HTML == 4,
              "the order of formats");

static int derive(const viva_model *model, const viva_derive_options *o) {
  char *text = NULL;
  int status = exit_failed;
  note_family(model);
  viva_status done = viva_derive(model, o, &text);
  if (done == VIVA_OK) {
    if (o->format == VIVA_FORMAT_JSON) json_printed();
    fputs(text, stdout);
    status = finish_output();
  } else if (done == VIVA_EFAIL && text) {
    complain("%s", text);
  } else if (done == VIVA_EINPUT && text) {
    show_message(text);
    status = exit_input;
  } else {
    complain("%s", done == VIVA_EFAIL ? "the equations grow too large to be written out" : viva_status_text(done));
  }
  viva_text_free(text);
  return status;
}

static int derive_main(int argc, char **argv) {
  const char *form = "lagrange", *format = "text", *file;
  bool json = false;
  viva_derive_options o = viva_derive_defaults();
  LoadRequest request = {0};
  TextList at = {0};
  const Option options[] = {
      {"--form", option_text, "FORM",
       "lagrange (one equation a coordinate), solved (x'' = ...), matrices, state (first order), kinematics (of "
       "bodies), hamilton (energy and ports), or transfer (from inputs to outputs)",
       &form, "lagrange solved matrices state kinematics hamilton transfer"},
      {"--format", option_text, "FORMAT", "text, latex, mathml, html (a page) or json", &format,
       "text latex mathml html json"},
      {"--json", option_flag, NULL, "the same as --format json", &json, NULL},
      LOAD_OPTIONS(request),
      {"--factor", option_flag, NULL, "as products of factors", &o.factor, NULL},
      {"--expand", option_flag, NULL, "multiplied out", &o.expand, NULL},
      {"--numeric", option_digits, "[DIGITS]", "with the values of the parameters, in DIGITS digits (6)", &o.digits,
       NULL},
      {"--at", option_list, "POINT",
       "name=value,...: the forms matrices and kinematics in numbers there (the rest: as it starts, velocities 0), "
       "transfer functions about it; may be repeated",
       &at, NULL},
      {"--origins", option_flag, NULL, "which statement each term comes from", &o.origins, NULL},
      {"--reduce", option_flag, NULL, "of state and hamilton: without coordinates that nothing depends on", &o.reduce,
       NULL},
      {"--steps", option_flag, NULL, "the derivation line by line, every line proved", &o.steps, NULL},
  };
  int status = read_options(&verb_derive, options, sizeof options / sizeof *options, argc, argv, &file);
  int form_index = 0, format_index = 0;
  if (status < 0) status = choose("--form", form, &(Choice){forms, 7, NULL, 0}, &form_index);
  if (status < 0) status = choose("--format", json ? "json" : format, &(Choice){formats, 5, NULL, 0}, &format_index);
  viva_model *model = NULL;
  viva_load_options load = load_options(&request);
  if (status < 0) status = load_model(file, &load, &model);
  if (at.count) o.at = at.items;
  o.at_count = at.count;
  o.form = (viva_form)form_index;
  o.format = (viva_format)format_index;
  if (status < 0) status = derive(model, &o);
  viva_model_free(model);
  free_load(&request);
  free_list(&at);
  return status;
}

const Verb verb_derive = {
    .name = "derive",
    .usage = "viva derive FILE [options]",
    .about = "the equations of a model",
    .main = derive_main,
    .files = 1,
};

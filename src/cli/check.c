// viva check FILE, viva diff FILE FILE: what a model is, whether equations follow from it, whether two mean the same.
#include "cli/message.h"
#include "cli/model.h"
#include "cli/verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int verdict_status(viva_verdict v) { return v == VIVA_EQUAL ? exit_done : exit_failed; }

// Shows what a check came to.
static int finish_check(viva_status done, viva_check *check, bool json) {
  int status = exit_failed;
  if (viva_check_message(check)) show_message(viva_check_message(check));
  if (done == VIVA_OK) {
    if (json) json_printed();
    fputs(viva_check_text(check, json ? VIVA_FORMAT_JSON : VIVA_FORMAT_TEXT), stdout);
    int flushed = finish_output();
    status = flushed == exit_done ? verdict_status(viva_check_verdict(check)) : flushed;
  } else if (done == VIVA_EINPUT) {
    status = exit_input;
  } else if (!viva_check_message(check)) {
    complain("%s", viva_status_text(done));
  }
  viva_check_free(check);
  return status;
}

static int check_texts(const viva_model *model, const TextList *equations, const char *path, bool json) {
  if (path) {
    viva_check *check = NULL;
    viva_status done = viva_check_file(model, path, &check);
    return finish_check(done, check, json);
  }
  // several --equation are one text, a line each
  size_t length = 0;
  for (size_t i = 0; i < equations->count; i++) length += strlen(equations->items[i]) + 1;
  char *text = malloc(length + 1), *at = text;
  if (!text) {
    complain("out of memory");
    return exit_failed;
  }
  for (size_t i = 0; i < equations->count; i++) {
    size_t n = strlen(equations->items[i]);
    memcpy(at, equations->items[i], n);
    at[n] = '\n';
    at += n + 1;
  }
  viva_check *check = NULL;
  viva_status done = viva_check_equations(model, "--equation", text, (size_t)(at - text), &check);
  free(text);
  return finish_check(done, check, json);
}

static int check_model(const viva_model *model, bool passivity, bool json) {
  viva_check *check = NULL;
  viva_status done = passivity ? viva_check_passivity(model, &check) : viva_check_model(model, &check);
  return finish_check(done, check, json);
}

static int check_main(int argc, char **argv) {
  const char *file, *path = NULL;
  bool json = false, passivity = false;
  TextList equations = {0};
  LoadRequest request = {0};
  const Option options[] = {
      {"--equation", option_list, "EQUATION", "an equation in the names of the model; may be repeated", &equations,
       NULL},
      {"--equations", option_input, "FILE", "a file of equations, one a line", &path, NULL},
      {"--passivity", option_flag, NULL, "is it passive at its ports?", &passivity, NULL},
      {"--json", option_flag, NULL, "the report, or the verdicts, as JSON", &json, NULL},
      LOAD_OPTIONS(request),
  };
  int status = read_options(&verb_check, options, sizeof options / sizeof *options, argc, argv, &file);
  if (status < 0 && path && equations.count) {
    complain("`--equation` or `--equations`, not both");
    status = exit_input;
  }
  if (status < 0 && passivity && (path || equations.count)) {
    complain("`--passivity` or an equation, not both");
    status = exit_input;
  }
  viva_model *model = NULL;
  viva_load_options load = load_options(&request);
  load.strict = true;
  if (status < 0) status = load_model(file, &load, &model);
  if (status < 0)
    status =
        !path && !equations.count ? check_model(model, passivity, json) : check_texts(model, &equations, path, json);
  viva_model_free(model);
  free_list(&equations);
  free_load(&request);
  return status;
}

const Verb verb_check = {
    .name = "check",
    .usage = "viva check FILE [--equation \"left = right\"] [options]",
    .about = "units, constants of motion, what has no effect; is an equation the right one?",
    .main = check_main,
    .files = 1,
};

static int diff_main(int argc, char **argv) {
  const char *files[2] = {NULL, NULL};
  bool json = false;
  const Option options[] = {{"--json", option_flag, NULL, "the verdicts as JSON", &json, NULL}};
  int status = read_options(&verb_diff, options, 1, argc, argv, files);
  viva_model *a = NULL, *b = NULL;
  viva_load_options load = viva_load_defaults();
  if (status < 0) status = load_model(files[0], &load, &a);
  if (status < 0) status = load_model(files[1], &load, &b);
  if (status < 0) {
    viva_check *check = NULL;
    viva_status done = viva_check_same(a, b, files[0], files[1], &check);
    status = finish_check(done, check, json);
  }
  viva_model_free(a);
  viva_model_free(b);
  return status;
}

const Verb verb_diff = {
    .name = "diff",
    .usage = "viva diff FILE FILE [options]",
    .about = "do two models mean the same motion?",
    .main = diff_main,
    .files = 2,
};

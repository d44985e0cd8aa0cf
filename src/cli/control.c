// Control design behind `viva analyze`. See control.h.
#include "cli/control.h"

#include "base/number.h"
#include "cli/message.h"
#include "cli/outputs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A model that is printed: one JSON object has it as a member.
static bool prints_model(const ControlArguments *w) { return (w->form || w->sampling) && !w->file; }

bool control_asks(const ControlArguments *w, bool json) {
  return w->lqr || w->kalman || w->sector || w->norms || (json && prints_model(w));
}

int control_check(const ControlArguments *w, bool path) {
  if (w->describe && path) {
    complain("`--describe` finds its path itself");
    return exit_input;
  }
  if (w->describe && (control_asks(w, false) || w->form || w->sampling)) {
    complain("`--describe` answers one question; ask the others without it");
    return exit_input;
  }
  if (w->file && !w->form && !w->sampling) {
    complain("`-o` writes what `--realize` or `--discretize` makes");
    return exit_input;
  }
  return -1;
}

static int failed(viva_status done, char *text) {
  if (text && *text) show_message(text);
  else complain("%s", viva_status_text(done));
  viva_text_free(text);
  return done == VIVA_EINPUT ? exit_input : exit_failed;
}

int control_describe(const viva_model *model, const ControlArguments *w, const viva_analyze_options *o, bool json) {
  char *text = NULL;
  viva_status done = viva_describe(model, w->describe, o, json ? VIVA_FORMAT_JSON : VIVA_FORMAT_TEXT, &text);
  if (done != VIVA_OK) return failed(done, text);
  if (json) json_printed();
  fputs(text, stdout);
  viva_text_free(text);
  return finish_output();
}

int control_slope(const char *text, double *lower) {
  char *end;
  if (!text) return -1;
  *lower = number_parse(text, &end);
  if (end != text && !*end && isfinite(*lower)) return -1;
  complain("`--sector` takes a slope, a number, not `%s`", text);
  return exit_input;
}

static int write_model(const viva_analysis *a, const ControlArguments *w) {
  char *text = NULL;
  viva_status done = viva_analysis_realize(a, w->form ? w->form : "controllable", w->sampling, &text);
  if (done == VIVA_EFAIL && text) {
    complain("%s", text);
    viva_text_free(text);
    return exit_failed;
  }
  if (done != VIVA_OK) return failed(done, text);
  int status = -1;
  if (w->file) status = write_output("-o", w->file, text, strlen(text));
  else printf("\n%s", text);
  viva_text_free(text);
  return status;
}

int control_answer(const viva_model *model, const viva_analysis *a, const ControlArguments *w, bool json) {
  viva_design_options o = viva_design_defaults();
  int status;
  o.lqr = w->lqr;
  o.kalman = w->kalman;
  o.norms = w->norms;
  o.sector = w->sector != NULL;
  status = control_slope(w->sector, &o.lower);
  if (json && prints_model(w)) {
    o.realize = w->form ? w->form : "controllable";
    o.sampling = w->sampling;
  }
  if (status < 0 && control_asks(w, json)) {
    char *text = NULL;
    viva_status done = viva_analysis_design(model, a, &o, json ? VIVA_FORMAT_JSON : VIVA_FORMAT_TEXT, &text);
    if (done == VIVA_EFAIL && text) {
      complain("%s", text);
      viva_text_free(text);
      return exit_failed;
    }
    if (done != VIVA_OK) return failed(done, text);
    if (!json) putchar('\n');
    fputs(text, stdout);
    viva_text_free(text);
  }
  if (status < 0 && (w->form || w->sampling) && !o.realize) status = write_model(a, w);
  return status;
}

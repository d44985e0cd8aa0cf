// viva analyze FILE: one path or loop of the linear model: poles, zeros, margins, responses, curves.
#include "cli/message.h"
#include "cli/model.h"
#include "cli/motion.h"
#include "cli/picture.h"
#include "cli/point.h"
#include "cli/signals.h"
#include "cli/verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What the user asked for beside the model.
typedef struct AnalyzeWishes {
  const char *path;
  TextList at, open;
  bool json;
} AnalyzeWishes;

// The signals that a path enters or a loop is cut at: `let`s become inputs when the model is read.
static size_t find_taps(const AnalyzeWishes *w, char **from, const char *taps[2]) {
  size_t count = 0;
  if (w->open.count) taps[count++] = w->open.items[0];
  const char *colon = w->path ? strchr(w->path, ':') : NULL;
  if (!colon) return count;
  size_t length = (size_t)(colon - w->path);
  *from = calloc(length + 1, 1);
  if (!*from) return count;
  memcpy(*from, w->path, length);
  while (length && (*from)[length - 1] == ' ') (*from)[--length] = 0;
  taps[count++] = *from;
  return count;
}

static int read_wishes(AnalyzeWishes *w, viva_analyze_options *o) {
  viva_linearize_options point = viva_linearize_defaults();
  int status = read_at(&w->at, &point);
  o->point = point.point;
  o->at = point.at;
  o->at_count = point.at_count;
  o->path = w->path;
  o->open = w->open.count ? w->open.items[0] : NULL;
  if (status >= 0 || w->open.count < 2) return status;
  complain("the loop is cut twice, at `%s` and at `%s`", w->open.items[0], w->open.items[1]);
  hint("one cut opens a loop; what else comes back is part of it");
  return exit_input;
}

static int show(const viva_analysis *a, const AnalyzeWishes *w) {
  const char *text = viva_analysis_text(a, w->json ? VIVA_FORMAT_JSON : VIVA_FORMAT_TEXT);
  if (!text) {
    complain("%s", viva_status_text(VIVA_ENOMEM));
    return exit_failed;
  }
  if (w->json) json_printed();
  fputs(text, stdout);
  return finish_output();
}

static int analyze(const viva_model *model, viva_analyze_options *o, const AnalyzeWishes *w) {
  viva_analysis *a = NULL;
  int status = refuse_family(model, "an analysis is about one model");
  if (status >= 0) return status;
  listen_for_interrupts();
  o->interrupted = was_interrupted;
  viva_status done = viva_analyze(model, o, &a);
  listen_signals(false);
  const char *message = viva_analysis_message(a);
  if (message) show_message(message);
  else if (done != VIVA_OK) complain("%s", viva_status_text(done));
  if (done != VIVA_OK) status = done == VIVA_EINPUT ? exit_input : exit_failed;
  // further questions come here
  if (status < 0) status = show(a, w);
  viva_analysis_free(a);
  return status;
}

static int analyze_main(int argc, char **argv) {
  AnalyzeWishes w = {0};
  const char *file, *taps[2];
  char *from = NULL;
  LoadWish wish = {0};
  const Option options[] = {
      {"--path", option_text, "U:Y", "from an input or a `let` to an output or any expression", &w.path, NULL},
      {"--open", option_list, "SIGNAL", "cut the loop at this input or `let`; without --path the loop is analysed",
       &w.open, NULL},
      {"--at", option_list, "POINT",
       "name=value,... (the rest: as it starts, at rest), equilibrium (the default), or start; may be repeated", &w.at,
       "equilibrium start"},
      {"--json", option_flag, NULL, "the same facts as JSON", &w.json, NULL},
      LOAD_OPTIONS(wish),
  };
  viva_analyze_options o = viva_analyze_defaults();
  viva_model *model = NULL;
  int status = read_options(&verb_analyze, options, sizeof options / sizeof *options, argc, argv, &file);
  viva_load_options load = load_options(&wish);
  if (status < 0) status = read_wishes(&w, &o);
  load.taps = taps;
  load.tap_count = find_taps(&w, &from, taps);
  if (status < 0) status = load_model(file, &load, &model);
  if (status < 0) status = analyze(model, &o, &w);
  viva_model_free(model);
  free_load(&wish);
  free_list(&w.at);
  free_list(&w.open);
  free(from);
  return status;
}

const Verb verb_analyze = {
    .name = "analyze",
    .usage = "viva analyze FILE [options]",
    .about = "a path or loop of the linear model: poles, zeros, margins, responses",
    .main = analyze_main,
    .files = 1,
};

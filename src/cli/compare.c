// Integration methods side by side (`viva run --compare`): a table or JSON, and a picture of the errors.
#define _POSIX_C_SOURCE 200809L
#include "cli/compare.h"

#include "cli/message.h"
#include "cli/motion.h"
#include "cli/outputs.h"
#include "cli/picture.h"
#include "cli/verb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_methods = 32 };

// Cuts the words in place. 0: there are none, or too many.
static size_t split(char *text, const char *words[most_methods]) {
  size_t count = 0;
  char *rest = NULL;
  for (char *word = strtok_r(text, ", ", &rest); word; word = strtok_r(NULL, ", ", &rest)) {
    if (count == most_methods) return 0;
    words[count++] = word;
  }
  return count;
}

static int draw(const viva_comparison *c, const CompareRequest *w, const viva_figure_options *o, PictureFile *file) {
  char *data = NULL;
  size_t length = 0;
  int status = -1;
  if (w->terminal) {
    viva_figure_options cells = *o;
    use_terminal(&cells, w->json);
    if (viva_comparison_draw(c, &cells, VIVA_PICTURE_TERMINAL, &data, &length) == VIVA_OK)
      fprintf(w->json ? stderr : stdout, "\n%s", data);
    viva_text_free(data);
    data = NULL;
  }
  if (!file->path) return status;
  viva_status done = viva_comparison_draw(c, o, file->kind, &data, &length);
  if (done == VIVA_OK) status = save_output(&file->file, file->path, data, length);
  else {
    complain("the picture cannot be made: %s", viva_status_text(done));
    status = exit_failed;
  }
  viva_text_free(data);
  if (status < 0 && !w->json) printf("  plot         %s\n", w->plot);
  return status;
}

static int compare(const viva_model *model, viva_run_options o, const CompareRequest *w, const char *const *methods,
                   size_t count, const viva_figure_options *look, PictureFile *file) {
  RunWatch watch;
  viva_comparison *c = NULL;
  watch_run(&watch, &o);
  viva_status done = viva_compare_methods(model, &o, methods, count, &c);
  watch_end(&watch);
  if (viva_comparison_message(c)) show_message(viva_comparison_message(c));
  if (done == VIVA_ENOMEM) complain("%s", viva_status_text(done));
  int status = done == VIVA_OK ? -1 : done == VIVA_EINPUT ? exit_input : exit_failed;
  if (status < 0) {
    const char *summary = viva_comparison_summary(c, w->json ? VIVA_FORMAT_JSON : VIVA_FORMAT_TEXT);
    if (w->json) json_printed();
    fputs(summary, stdout);
    status = draw(c, w, look, file);
  }
  viva_comparison_free(c);
  return status < 0 ? finish_output() : status;
}

int run_comparison(const viva_model *model, const viva_run_options *options, const CompareRequest *w) {
  const char *methods[most_methods];
  char *words = strdup(w->methods);
  size_t count = words ? split(words, methods) : 0;
  PictureFile file = {0};
  viva_figure_options look = viva_figure_defaults();
  int status = -1;
  if (!count) {
    complain("`--compare` needs the names of methods, as in `--compare rk4,dop853,gauss8`");
    status = exit_input;
  }
  if (status < 0) status = read_theme(w->theme, &look);
  if (status < 0) status = open_picture(w->plot, "--plot", (const char *const[]){"svg", "png", "pdf", NULL}, &file);
  if (status < 0) status = compare(model, *options, w, methods, count, &look, &file);
  discard_picture(&file);
  free(words);
  return status;
}

// Position analysis of mechanisms (`viva equilibrium --problem`): a table, a picture, text or JSON.
#define _POSIX_C_SOURCE 200809L
#include "cli/positions.h"

#include "cli/message.h"
#include "cli/model.h"
#include "cli/motion.h"
#include "cli/options.h"
#include "cli/outputs.h"
#include "cli/signals.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

int check_problem(const char *problem) {
  static const char *const names[] = {"initial", "successive", "path", "modes", "inverse", "deformed", "synthesis"};
  int which;
  return choose("--problem", problem, &(Choice){names, 7, NULL, 0}, &which);
}

// A line on a terminal for long ways.
typedef struct Progress {
  bool shown;
  unsigned calls;
} Progress;

static void show_progress(void *self, double part) {
  Progress *p = self;
  if (++p->calls % 5000) return;
  p->shown = true;
  fprintf(stderr, "\r  %.0f%% of the way  ", 100 * part);
  fflush(stderr);
}

enum { most_branches = 1000 };

// "1,-2", one option or several, into numbers. -1: go on.
static int read_branches(const PositionsArguments *w, int32_t *out, size_t *count) {
  *count = 0;
  for (size_t i = 0; i < w->branch.count; i++) {
    for (const char *at = w->branch.items[i];;) {
      bool back = *at == '-';
      int32_t number = 0;
      at += back;
      const char *digits = at;
      while (*at >= '0' && *at <= '9' && number <= most_branches) number = 10 * number + (*at++ - '0');
      bool good = at > digits && number > 0 && number <= most_branches && (!*at || *at == ',');
      if (!good || *count == most_branches) {
        complain("`--branch` takes numbers of bifurcations, `1` or `1,-2`, and not `%s`", w->branch.items[i]);
        return exit_input;
      }
      out[(*count)++] = back ? -number : number;
      if (!*at++) break;
    }
  }
  return -1;
}

static viva_status find(const viva_model *model, const PositionsArguments *w, const viva_sink *sink,
                        viva_positions **v) {
  viva_positions_options o = viva_positions_defaults();
  Progress progress = {0};
  o.problem = w->problem;
  o.through = w->through;
  o.branches = w->branches;
  o.branch_count = w->branch_count;
  o.over = w->over;
  o.reach = w->reach;
  o.mode = w->mode;
  o.seed = w->seed;
  o.resultants = w->resultants;
  o.compare = w->compare;
  o.pass = w->pass.items;
  o.pass_count = w->pass.count;
  o.free = w->free.items;
  o.free_count = w->free.count;
  if (w->starts) o.starts = w->starts;
  o.self = &progress;
  o.interrupted = was_interrupted;
  if (isatty(STDERR_FILENO)) o.progress = show_progress;
  listen_for_interrupts();
  viva_status done = viva_positions_find(model, &o, sink, v);
  listen_signals(false);
  if (progress.shown) fputs("\r\033[K", stderr);
  const char *message = viva_positions_message(*v);
  if (message) show_message(message);
  else if (done != VIVA_OK) complain("%s", viva_status_text(done));
  return done;
}

static int save_drawing(PositionsArguments *w, const viva_positions *v) {
  char *data;
  size_t length;
  if (!w->picture.path) return -1;
  viva_status done = viva_positions_draw(v, &w->figure, w->picture.kind, &data, &length);
  if (done != VIVA_OK) {
    complain("%s", done == VIVA_EINPUT
                       ? "there is nothing to draw: no position was found, or the model has no `draw` line"
                       : viva_status_text(done));
    return done == VIVA_EINPUT ? exit_input : exit_failed;
  }
  int status = save_output(&w->picture.file, w->picture.path, data, length);
  viva_text_free(data);
  return status;
}

static int save_model(const PositionsArguments *w, const viva_positions *v) {
  const char *text = viva_positions_model(v);
  if (!w->model) return -1;
  if (text) return write_output("-o", w->model, text, strlen(text));
  complain("%s", viva_positions_count(v) ? "the text of the model has no place of its own for what was found"
                                         : "there is no model to write: nothing was found");
  return exit_failed;
}

static int show(PositionsArguments *w, viva_status done, const viva_positions *v, viva_csv **csv) {
  bool kept = false, to_stdout = is_stdout(w->out), any = done != VIVA_EINPUT && viva_positions_count(v);
  int status = done == VIVA_OK ? -1 : done == VIVA_EINPUT ? exit_input : exit_failed;
  int saved = *csv ? save_table(csv, w->out, done, &kept) : -1;
  if (any && saved < 0) saved = save_drawing(w, v);
  if (any && saved < 0) saved = save_model(w, v);
  const char *text = viva_positions_text(v, w->json ? VIVA_FORMAT_JSON : VIVA_FORMAT_TEXT);
  if (w->json && *text) json_printed();
  fputs(text, to_stdout ? stderr : stdout);
  if (!w->json && kept && !to_stdout) printf("\nTable: %s\n", w->out);
  if (!w->json && any && w->plot && saved < 0) printf("\nDrawn: %s\n", w->plot);
  if (!w->json && any && w->model && saved < 0 && !is_stdout(w->model)) printf("\nModel: %s\n", w->model);
  int flushed = finish_output();
  if (status < 0) status = saved;
  return status < 0 ? flushed : status;
}

bool positions_need_equations(const viva_model *model, const PositionsArguments *w) {
  viva_positions_options o = viva_positions_defaults();
  o.problem = w->problem;
  o.mode = w->mode;
  return !viva_positions_listed(model, &o);
}

int run_positions(const viva_model *model, PositionsArguments *w) {
  static const char *const kinds[] = {"svg", "png", "pdf", NULL};
  viva_positions *v = NULL;
  viva_csv *csv = NULL;
  int32_t branches[most_branches];
  int status = read_branches(w, branches, &w->branch_count);
  w->branches = branches;
  if (status < 0) status = refuse_family(model, "positions are those of one model");
  if (status < 0) status = open_picture(w->plot, "--plot", kinds, &w->picture);
  if (status < 0 && w->out) status = open_table("--out", w->out, &csv);
  if (status < 0) {
    viva_sink sink = viva_csv_sink(csv);
    viva_status done = find(model, w, csv ? &sink : NULL, &v);
    status = show(w, done, v, &csv);
  }
  discard_table(&csv);
  discard_picture(&w->picture);
  viva_positions_free(v);
  return status;
}

// viva equilibrium FILE: where a model rests, and whether it stays there.
#define _POSIX_C_SOURCE 200809L
#include "cli/message.h"
#include "cli/model.h"
#include "cli/motion.h"
#include "cli/outputs.h"
#include "cli/signals.h"
#include "cli/verbs.h"

#include <stdio.h>
#include <unistd.h>

typedef struct EquilibriumWishes {
  bool json;
  const char *trace;
  uint32_t most, seed;
  TextList at;
} EquilibriumWishes;

// A line on a terminal for searches that take longer than a moment.
static void show_progress(void *self, unsigned long iteration, double residue) {
  bool *shown = self;
  if (iteration < 50 || iteration % 20) return;
  *shown = true;
  fprintf(stderr, "\r  %lu iterations, %.2g of the forces left  ", iteration, residue);
  fflush(stderr);
}

static int find(const viva_model *model, viva_equilibrium_options *o, viva_equilibrium **e) {
  bool shown = false;
  listen_for_interrupts();
  o->self = &shown;
  o->interrupted = was_interrupted;
  if (isatty(STDERR_FILENO)) o->progress = show_progress;
  viva_status done = viva_equilibrium_find(model, o, e);
  listen_signals(false);
  if (shown) fputs("\r\033[K", stderr);
  const char *message = viva_equilibrium_message(*e);
  if (message) show_message(message);
  else if (done != VIVA_OK) complain("%s", viva_status_text(done));
  return done == VIVA_OK ? -1 : done == VIVA_EINPUT ? exit_input : exit_failed;
}

static int equilibrium(const viva_model *model, viva_equilibrium_options *o, const EquilibriumWishes *w) {
  viva_equilibrium *e = NULL;
  viva_csv *csv = NULL;
  viva_sink sink;
  bool kept = false;
  int status = refuse_family(model, "an equilibrium is that of one model");
  if (status < 0 && w->trace) status = open_table(w->trace, &csv);
  if (csv) {
    sink = viva_csv_sink(csv);
    o->trace = &sink;
  }
  if (status < 0) status = find(model, o, &e);
  if (csv) {
    int saved = save_table(&csv, w->trace, VIVA_OK, &kept);
    status = status < 0 ? saved : status;
  }
  if (status < 0) {
    if (w->json) json_printed();
    fputs(viva_equilibrium_text(e, w->json ? VIVA_FORMAT_JSON : VIVA_FORMAT_TEXT), stdout);
    if (w->trace && !w->json && !is_stdout(w->trace)) printf("\nIterations: %s\n", w->trace);
    status = finish_output();
  }
  discard_table(&csv);
  viva_equilibrium_free(e);
  return status;
}

static int equilibrium_main(int argc, char **argv) {
  EquilibriumWishes w = {.seed = 1};
  const char *file, *search = NULL;
  LoadWish wish = {0};
  const Option options[] = {
      {"--at", option_list, "START", "name=value,...: where to start (the rest: as it starts); may be repeated", &w.at,
       NULL},
      {"--search", option_text, "BOX", "name=from:to,...: all equilibria in this box; `angles`: in one turn of each",
       &search, "angles"},
      {"--seed", option_digits, "N", "of starts, where a search cannot be complete", &w.seed, NULL},
      {"--max", option_digits, "N", "iterations at most", &w.most, NULL},
      {"--trace", option_text, "FILE", "write every iteration as CSV", &w.trace, NULL},
      {"--json", option_flag, NULL, "the result as JSON", &w.json, NULL},
      LOAD_OPTIONS(wish),
  };
  viva_equilibrium_options o = viva_equilibrium_defaults();
  viva_model *model = NULL;
  int status = read_options(&verb_equilibrium, options, sizeof options / sizeof *options, argc, argv, &file);
  viva_load_options load = load_options(&wish);
  o.at = w.at.items;
  o.at_count = w.at.count;
  o.search = search;
  o.most_iterations = w.most;
  o.seed = w.seed;
  if (status < 0) status = load_model(file, &load, &model);
  if (status < 0) status = equilibrium(model, &o, &w);
  viva_model_free(model);
  free_load(&wish);
  free_list(&w.at);
  return status;
}

const Verb verb_equilibrium = {
    .name = "equilibrium",
    .usage = "viva equilibrium FILE [options]",
    .about = "where the model rests, with forces and stability",
    .main = equilibrium_main,
    .files = 1,
};

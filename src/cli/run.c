#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t interrupt_seen;

static void on_interrupt(int signal_number) {
  (void)signal_number;
  interrupt_seen = 1;
}

typedef struct Watch {
  bool terminal;
  struct timespec start;
  double last;
  bool shown;
} Watch;

static bool was_interrupted(void *self) {
  (void)self;
  return interrupt_seen != 0;
}

static double elapsed(const Watch *w) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)(now.tv_sec - w->start.tv_sec) + 1e-9 * (double)(now.tv_nsec - w->start.tv_nsec);
}

// A line on a terminal for runs that take longer than a moment; nothing in a pipe.
static void show_progress(void *self, double t, double to) {
  Watch *w = self;
  if (!w->terminal) return;
  double now = elapsed(w);
  if (now < 0.5 || now - w->last < 0.1) return;
  w->last = now;
  w->shown = true;
  double part = t / to, left = part > 0 ? now / part - now : 0;
  fprintf(stderr, "\r  t = %-10.4g of %g  %3.0f %%  about %.0f s left  ", t, to, 100 * part, left);
  fflush(stderr);
}


static int save_table(viva_csv *csv, const char *path, viva_status status) {
  int error = 0;
  if (status == VIVA_EINPUT || status == VIVA_ENOMEM || status == VIVA_EIO) {
    // a full disk shows up while rows are written: ask the file what it was
    if (status == VIVA_EIO && viva_csv_close(csv, &error) != VIVA_OK) {
      complain("\"%s\" cannot be written: %s", path, strerror(error));
      return exit_failed;
    }
    if (status != VIVA_EIO) viva_csv_discard(csv);
    return -1;
  }
  if (viva_csv_close(csv, &error) == VIVA_OK) return -1;
  complain("\"%s\" cannot be written: %s", path, strerror(error));
  return exit_failed;
}

static int run_file(const char *file, const viva_load_options *load, viva_run_options *o, const char *out, bool json) {
  viva_model *model = NULL;
  int status = load_model(file, load, &model);
  if (status >= 0) return status;
  viva_csv *csv = NULL;
  bool to_stdout = out && strcmp(out, "-") == 0;
  int error = 0;
  if (out && viva_csv_open(out, &csv, &error) != VIVA_OK) {
    complain("\"%s\" cannot be written: %s", out, strerror(error));
    viva_model_free(model);
    return exit_failed;
  }
  struct sigaction action = {.sa_handler = on_interrupt};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  Watch watch = {.terminal = isatty(STDERR_FILENO) != 0};
  clock_gettime(CLOCK_MONOTONIC, &watch.start);
  o->self = &watch;
  o->interrupted = was_interrupted;
  o->progress = show_progress;
  viva_sink sink = {0};
  if (csv) sink = viva_csv_sink(csv);
  viva_run *run = NULL;
  viva_status done = viva_run_model(model, o, &sink, &run);
  if (watch.shown) fputs("\r\033[K", stderr);
  int saved = csv ? save_table(csv, out, done) : -1;
  if (viva_run_message(run)) fputs(viva_run_message(run), stderr);
  if (done == VIVA_ENOMEM) complain("%s", viva_status_text(done));
  const char *summary = viva_run_summary(run, json ? VIVA_FORMAT_JSON : VIVA_FORMAT_TEXT);
  fputs(summary, to_stdout ? stderr : stdout);
  if (!json && out && !to_stdout && saved < 0 && done != VIVA_EINPUT) printf("  table        %s\n", out);
  status = done == VIVA_OK ? exit_done : done == VIVA_EINPUT ? exit_input : exit_failed;
  if (saved >= 0) status = saved;
  int flushed = finish_output();
  if (status == exit_done) status = flushed;
  viva_run_free(run);
  viva_model_free(model);
  return status;
}

static int run_main(int argc, char **argv) {
  viva_run_options o = viva_run_defaults();
  const char *out = NULL, *case_name = NULL, *file;
  bool json = false;
  TextList set = {0}, input = {0};
  const Option options[] = {
      {"--to", option_number, "T", "end time in seconds", &o.to},
      {"--step", option_number, "H", "step of a fixed-step method, and spacing of the rows", &o.step},
      {"--every", option_number, "DT", "spacing of the rows, if not the step", &o.every},
      {"--method", option_text, "NAME", "euler heun bs3 rk4 (fixed step), dopri5 dop853 (adaptive), auto", &o.method},
      {"--rtol", option_number, "R", "relative tolerance of an adaptive method (1e-11)", &o.rtol},
      {"--atol", option_number, "A", "absolute tolerance (1e-13)", &o.atol},
      {"--case", option_text, "NAME", "take the values of this `case`", &case_name},
      {"--set", option_list, "NAME=VALUE", "change a parameter or starting value; may be repeated", &set},
      {"--input", option_list, "NAME=EXPR", "change an input; may be repeated", &input},
      {"--out", option_text, "FILE.csv", "write the table; - is standard output", &out},
      {"--all", option_flag, NULL, "every named signal in the table", &o.all},
      {"--energy", option_flag, NULL, "the energy account in the table", &o.energy},
      {"--check-step", option_flag, NULL, "repeat with half the (fixed) step and show the difference", &o.check_step},
      {"--backend", option_text, "NAME", "interp, tcc or cc make the code; auto counts the work and chooses", &o.backend},
      {"--json", option_flag, NULL, "the summary as JSON", &json},
      {"--plot", option_later, NULL, NULL, NULL},
      {"--save", option_later, NULL, NULL, NULL},
      {"--resume", option_later, NULL, NULL, NULL},
  };
  int status = read_options(&verb_run, options, sizeof options / sizeof *options, argc, argv, &file);
  viva_load_options load = {case_name, set.items, set.count, input.items, input.count};
  if (status < 0) status = run_file(file, &load, &o, out, json);
  free_list(&set);
  free_list(&input);
  return status;
}

const Verb verb_run = {"run", "viva run FILE [options]", "the motion of a model, with its energy account", run_main};

// viva sweep FILE: many runs of one model, their measures as a table that grows while they go.
#define _POSIX_C_SOURCE 200809L
#include "cli/message.h"
#include "cli/model.h"
#include "cli/motion.h"
#include "cli/outputs.h"
#include "cli/signals.h"
#include "cli/verbs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct SweepWish {
  TextList vary, random, where, measures;
  const char *sampling, *rows;
  double samples, seed, threads;
  bool json;
} SweepWish;

// ---- progress

typedef struct SweepWatch {
  bool terminal, shown;
  double start, last; // seconds
  uint64_t before;    // rows that were there already
} SweepWatch;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// A line on a terminal: how many are done, and how long the rest takes at this pace.
static void show_progress(void *self, uint64_t done, uint64_t count) {
  SweepWatch *w = self;
  double at = now();
  if (w->before == UINT64_MAX) w->before = done - 1;
  if (!w->terminal || at - w->start < 0.5 || at - w->last < 0.1) return;
  w->last = at;
  w->shown = true;
  double pace = (double)(done - w->before) / (at - w->start), left = (double)(count - done) / pace;
  fprintf(stderr, "\r  %llu of %llu  %3.0f %%  %.3g a second  about %.0f s left  ", (unsigned long long)done,
          (unsigned long long)count, 100 * (double)done / (double)count, pace, left);
  fflush(stderr);
}

static bool interrupted(void *self) { return was_interrupted(self); }

// ---- the whole

static const char *how_it_goes_on(const viva_sweep_options *o) { return o->path ? ": `--resume` goes on" : ""; }

static int show_result(viva_sweep *s, viva_status done, const viva_sweep_options *o, const SweepWish *w) {
  bool to_stdout = is_stdout(o->path);
  const char *summary = viva_sweep_summary(s, w->json ? VIVA_FORMAT_JSON : VIVA_FORMAT_TEXT);
  if (viva_sweep_message(s)) show_message(viva_sweep_message(s));
  if (done == VIVA_ENOMEM) complain("%s", viva_status_text(done));
  if (w->json && *summary) json_printed();
  fputs(summary, to_stdout ? stderr : stdout);
  if (!w->json && *summary && o->path && !to_stdout) printf("\n  table        %s\n", o->path);
  if (done == VIVA_EINTERRUPTED) complain("interrupted%s", how_it_goes_on(o));
  return done == VIVA_OK ? exit_done : done == VIVA_EINPUT ? exit_input : exit_failed;
}

static bool no_row(void *self, const double *row, size_t count) {
  (void)self, (void)row, (void)count;
  return true;
}

static int run_sweep(const viva_model *model, viva_sweep_options *o, const SweepWish *w) {
  SweepWatch watch = {.terminal = isatty(STDERR_FILENO) != 0, .start = now(), .before = UINT64_MAX};
  viva_sweep *s = NULL;
  viva_csv *csv = NULL;
  bool leads = viva_ranks_own(o->ranks) == 0;
  int status = w->rows && leads ? open_table(w->rows, &csv) : -1;
  if (status >= 0) return status;
  if (csv) o->rows = viva_csv_sink(csv);
  else if (w->rows) o->rows.row = no_row;
  o->run.self = &watch;
  o->run.interrupted = interrupted;
  o->progress = show_progress;
  tell_with_interrupt(how_it_goes_on(o));
  listen_for_interrupts();
  viva_status done = viva_sweep_model(model, o, &s);
  listen_signals(false);
  tell_with_interrupt("");
  if (watch.shown) fputs("\r\033[K", stderr);
  bool kept = false;
  int saved = csv ? save_table(&csv, w->rows, done, &kept) : -1;
  status = show_result(s, done, o, w);
  if (!w->json && kept && !is_stdout(w->rows)) printf("  rows         %s\n", w->rows);
  if (saved >= 0) status = saved;
  viva_sweep_free(s);
  discard_table(&csv);
  int flushed = finish_output();
  return status == exit_done ? flushed : status;
}

// Whole numbers out of their range; NAN: not said. -1: they are in it.
static int read_counts(const SweepWish *w, viva_sweep_options *o) {
  const struct {
    const char *option;
    double value, least;
  } counts[] = {{"--samples", w->samples, 1}, {"--seed", w->seed, 0}, {"--threads", w->threads, 1}};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    double v = counts[i].value;
    if (isnan(v) || (v >= counts[i].least && v <= 1e15 && v == floor(v))) continue;
    complain("`%s` needs a whole number from %.0f on", counts[i].option, counts[i].least);
    return exit_input;
  }
  if (!isnan(w->samples)) o->samples = (uint64_t)w->samples;
  if (!isnan(w->seed)) o->seed = (uint64_t)w->seed;
  if (!isnan(w->threads)) o->threads = w->threads > 1024 ? 1024 : (unsigned)w->threads;
  return -1;
}

// Started by mpirun: the one that leads has the table and speaks, the others are silent.
static int join_ranks(viva_sweep_options *o) {
  viva_status status = viva_ranks_join(&o->ranks);
  bool leads = viva_ranks_own(o->ranks) == 0;
  if (!leads && (!freopen("/dev/null", "w", stderr) || !freopen("/dev/null", "w", stdout))) return exit_failed;
  if (status == VIVA_OK) return -1;
  if (viva_ranks_message(o->ranks)) show_message(viva_ranks_message(o->ranks));
  else complain("%s", viva_status_text(status));
  return status == VIVA_EINPUT ? exit_input : exit_failed;
}

static int read_wishes(const SweepWish *w, viva_sweep_options *o) {
  static const char *const kinds[] = {"random", "latin", "sobol"};
  int kind = 0, status = read_counts(w, o);
  if (status < 0 && w->sampling) status = choose("--sampling", w->sampling, &(Choice){kinds, 3, NULL, 0}, &kind);
  if (status >= 0) return status;
  o->sampling = (viva_sampling)kind;
  o->vary = w->vary.items;
  o->vary_count = w->vary.count;
  o->random = w->random.items;
  o->random_count = w->random.count;
  o->where = w->where.items;
  o->where_count = w->where.count;
  o->run.measures = w->measures.items;
  o->run.measure_count = w->measures.count;
  if (o->resume && !o->path) complain("`--resume` goes on with a table: `--out FILE.csv`");
  if (o->resume && o->path && w->rows)
    complain("trajectories are not kept for a sweep that goes on: no `--rows` with `--resume`");
  return o->resume && (!o->path || w->rows) ? exit_input : -1;
}

static int sweep_main(int argc, char **argv) {
  viva_sweep_options o = viva_sweep_defaults();
  SweepWish w = {.samples = NAN, .seed = NAN, .threads = NAN};
  LoadWish wish = {0};
  const char *file;
  const Option options[] = {
      {"--vary", option_list, "NAME=RANGE", "values: a:h:b, log:a:b:n, [a, b, c]; may be repeated", &w.vary, NULL},
      {"--samples", option_number, "N", "draws of the random quantities, at each point of the grids", &w.samples, NULL},
      {"--random", option_list, "NAME=DISTRIBUTION",
       "normal(mean, sd), uniform(low, high), lognormal(mu, sigma), triangular(low, mode, high); may be repeated",
       &w.random, NULL},
      {"--correlation", option_text, "MATRIX", "of the random quantities, in their order: [1, 0.5; 0.5, 1]",
       &o.correlation, NULL},
      {"--sampling", option_text, "KIND", "random, latin or sobol", &w.sampling, "random latin sobol"},
      {"--seed", option_number, "N", "of the draws (1)", &w.seed, NULL},
      {"--measure", option_list, "MEASURE",
       "max(x) min mean sd final integral time(x > 1), formulas of these; repeated", &w.measures, NULL},
      {"--where", option_list, "CONDITION", "counts and lists the samples that fulfil it: max(x) < 1; repeated",
       &w.where, NULL},
      {"--indices", option_flag, NULL, "Sobol's indices of the random quantities", &o.indices, NULL},
      {"--out", option_text, "FILE.csv", "the table, a row a sample; - is standard output", &o.path, NULL},
      {"--resume", option_flag, NULL, "go on with the table that is there", &o.resume, NULL},
      {"--rows", option_text, "FILE.csv", "all trajectories: index, t, columns", &w.rows, NULL},
      {"--threads", option_number, "N", "so many (one for each processor)", &w.threads, NULL},
      {"--to", option_number, "T", "end time in seconds", &o.run.to, NULL},
      {"--step", option_number, "H", "step of a fixed-step method", &o.run.step, NULL},
      {"--every", option_number, "DT", "spacing of the rows of trajectories", &o.run.every, NULL},
      {"--method", option_text, "NAME", "as of `viva run`", &o.run.method, run_methods},
      {"--rtol", option_number, "R", "relative tolerance of an adaptive method (1e-11)", &o.run.rtol, NULL},
      {"--atol", option_number, "A", "absolute tolerance (0.01 R times the size of each component)", &o.run.atol, NULL},
      LOAD_OPTIONS(wish),
      {"--json", option_flag, NULL, "the summary as JSON", &w.json, NULL},
  };
  int status = read_options(&verb_sweep, options, sizeof options / sizeof *options, argc, argv, &file);
  viva_load_options load = load_options(&wish);
  viva_model *model = NULL;
  if (status < 0) status = read_wishes(&w, &o);
  if (status < 0) status = join_ranks(&o);
  if (status < 0) status = load_model(file, &load, &model);
  if (status < 0) status = run_sweep(model, &o, &w);
  viva_model_free(model);
  if (viva_ranks_own(o.ranks) > 0) status = exit_done; // the one that leads tells how it ended
  viva_ranks_leave(o.ranks);
  TextList *lists[] = {&w.vary, &w.random, &w.where, &w.measures};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) free_list(lists[i]);
  free_load(&wish);
  return status;
}

const Verb verb_sweep = {
    .name = "sweep",
    .usage = "viva sweep FILE [options]",
    .about = "many runs: grids, random samples, their measures",
    .main = sweep_main,
    .files = 1,
};

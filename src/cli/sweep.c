// viva sweep FILE: many runs of one model, their measures as a table that grows while they go.
#include "cli/message.h"
#include "cli/model.h"
#include "cli/motion.h"
#include "cli/outputs.h"
#include "cli/signals.h"
#include "cli/sweep_outputs.h"
#include "cli/sweep_request.h"
#include "cli/verbs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct SweepFiles {
  const char *rows;
  bool json;
  SweepOutputs pictures;
} SweepFiles;

// ---- the whole

static const char *how_it_goes_on(const viva_sweep_options *o) { return o->path ? ": `--resume` goes on" : ""; }

static int show_result(viva_sweep *s, viva_status done, const viva_sweep_options *o, const SweepFiles *w) {
  bool to_stdout = is_stdout(o->path);
  const char *summary = viva_sweep_summary(s, w->json ? VIVA_FORMAT_JSON : VIVA_FORMAT_TEXT);
  if (viva_sweep_message(s)) show_message(viva_sweep_message(s));
  if (done == VIVA_ENOMEM) complain("%s", viva_status_text(done));
  if (w->json && *summary) json_printed();
  fputs(summary, to_stdout ? stderr : stdout);
  if (!w->json && *summary && o->path && !to_stdout) printf("\n  table        %s\n", viva_sweep_path(s));
  if (done == VIVA_EINTERRUPTED) complain("interrupted%s", how_it_goes_on(o));
  return done == VIVA_OK ? exit_done : done == VIVA_EINPUT ? exit_input : exit_failed;
}

static bool no_row(void *self, const double *row, size_t count) {
  (void)self, (void)row, (void)count;
  return true;
}

// What is written beside the summary; status: how the sweep ended, where that is said already.
static int write_files(viva_sweep *s, viva_status done, const viva_sweep_options *o, SweepFiles *w, bool kept) {
  FILE *to = is_stdout(o->path) || is_stdout(w->rows) ? stderr : stdout;
  if (!w->json && kept && !is_stdout(w->rows)) fprintf(to, "  rows         %s\n", w->rows);
  return done == VIVA_OK && sweep_outputs_pictures(&w->pictures) ? sweep_outputs_write(&w->pictures, s, to) : -1;
}

// The new table may grow beside an old one: that name is an output, too.
static int note_part(const char *path) {
  static char part[4096];
  if (!path || is_stdout(path) || snprintf(part, sizeof part, "%s.part", path) >= (int)sizeof part) return -1;
  return note_output("--out", part);
}

static int run_sweep(const viva_model *model, viva_sweep_options *o, SweepFiles *w) {
  RunWatch watch;
  viva_sweep *s = NULL;
  viva_csv *csv = NULL;
  bool leads = viva_ranks_own(o->ranks) == 0;
  int status = note_part(o->path);
  if (status < 0 && leads) status = sweep_outputs_open(&w->pictures);
  if (status < 0 && w->rows && leads) status = open_table("--rows", w->rows, &csv);
  if (status >= 0) return status;
  if (csv) o->rows = viva_csv_sink(csv);
  else if (w->rows) o->rows.row = no_row;
  o->progress = show_samples;
  tell_with_interrupt(how_it_goes_on(o));
  watch_run(&watch, &o->run);
  viva_status done = viva_sweep_model(model, o, &s);
  watch_end(&watch);
  tell_with_interrupt("");
  bool kept = false;
  int saved = csv ? save_table(&csv, w->rows, done, &kept) : -1;
  status = show_result(s, done, o, w);
  if (leads && saved < 0) saved = write_files(s, done, o, w, kept);
  if (saved >= 0) status = saved;
  viva_sweep_free(s);
  discard_table(&csv);
  int flushed = finish_output();
  return status == exit_done ? flushed : status;
}

// A table that a sweep wrote: its summary and pictures, without running again.
static int show_table(const char *path, SweepFiles *w) {
  viva_sweep *s = NULL;
  int status = sweep_outputs_open(&w->pictures);
  if (status >= 0) return status;
  viva_status done = viva_sweep_open(path, &s);
  if (viva_sweep_message(s)) show_message(viva_sweep_message(s));
  else if (done != VIVA_OK) complain("%s", viva_status_text(done));
  const char *summary = viva_sweep_summary(s, w->json ? VIVA_FORMAT_JSON : VIVA_FORMAT_TEXT);
  if (w->json && *summary) json_printed();
  fputs(summary, stdout);
  status = done == VIVA_OK ? exit_done : done == VIVA_EINPUT ? exit_input : exit_failed;
  if (done == VIVA_OK && sweep_outputs_pictures(&w->pictures)) {
    int drawn = sweep_outputs_write(&w->pictures, s, stdout);
    if (drawn >= 0) status = drawn;
  }
  viva_sweep_free(s);
  int flushed = finish_output();
  return status == exit_done ? flushed : status;
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

static int check_resume(const viva_sweep_options *o, const SweepFiles *w) {
  if (!o->resume) return -1;
  if (!o->path) complain("`--resume` goes on with a table: `--out FILE.csv`");
  else if (w->rows) complain("trajectories are not kept for a sweep that goes on: no `--rows` with `--resume`");
  else if (o->fan) complain("trajectories are not kept for a sweep that goes on: no fan with `--resume`");
  return !o->path || w->rows || o->fan ? exit_input : -1;
}

static bool is_table(const char *file) {
  const char *dot = strrchr(file, '.');
  return dot && (strcmp(dot, ".csv") == 0 || strcmp(dot, ".part") == 0);
}

// The runs of a table are done: options of a run are rejected.
static int check_table(const char *file, const SweepRequest *request, const viva_sweep_options *o, const SweepFiles *w,
                       const LoadRequest *load) {
  const viva_run_options *run = &o->run;
  const char *said = sweep_request_said(request);
  const struct {
    bool said;
    const char *name;
  } more[] = {{o->path != NULL, "--out"},          {o->resume, "--resume"},        {w->rows != NULL, "--rows"},
              {!isnan(run->to), "--to"},           {!isnan(run->step), "--step"},  {!isnan(run->every), "--every"},
              {run->method != NULL, "--method"},   {!isnan(run->rtol), "--rtol"},  {!isnan(run->atol), "--atol"},
              {load->case_name != NULL, "--case"}, {load->set.count > 0, "--set"}, {load->input.count > 0, "--input"}};
  for (size_t i = 0; !said && i < sizeof more / sizeof *more; i++) said = more[i].said ? more[i].name : NULL;
  if (!said) return -1;
  complain("`%s` is a table whose runs are done: `%s` has no place", file, said);
  hint("it has a summary and pictures, `--plot FILE.svg`; a model ends in .viva");
  return exit_input;
}

static int sweep_model(const char *file, const LoadRequest *request, viva_sweep_options *o, SweepFiles *w) {
  viva_load_options load = load_options(request);
  viva_model *model = NULL;
  int status = join_ranks(o);
  if (status < 0) status = load_model(file, &load, &model);
  if (status < 0) status = run_sweep(model, o, w);
  viva_model_free(model);
  if (viva_ranks_own(o->ranks) > 0) status = exit_done; // the one that leads tells how it ended
  viva_ranks_leave(o->ranks);
  return status;
}

static int sweep_main(int argc, char **argv) {
  viva_sweep_options o = viva_sweep_defaults();
  SweepRequest request = sweep_request_none();
  SweepFiles w = {0};
  LoadRequest load = {0};
  const char *file;
  const Option options[] = {
      SWEEP_OPTIONS(request),
      {"--out", option_output, "FILE.csv", "the table, a row a sample; - is standard output", &o.path, NULL},
      {"--resume", option_flag, NULL, "go on with the table that is there", &o.resume, NULL},
      {"--rows", option_output, "FILE.csv", "all trajectories: index, t, columns", &w.rows, NULL},
      {"--plot", option_output, "FILE", "draw it, as suits what was varied: .svg .png .pdf", &w.pictures.plot, NULL},
      {"--panels", option_text, "LIST", "of these: curve,heat,histogram,scatter,parallel,fan,indices",
       &w.pictures.panels, NULL},
      {"--terminal", option_flag, NULL, "draw into the terminal", &w.pictures.terminal, NULL},
      {"--theme", option_text, "NAME", "light or dark", &w.pictures.theme, "light dark"},
      {"--to", option_number, "T", "end time in seconds", &o.run.to, NULL},
      {"--step", option_number, "H", "step of a fixed-step method", &o.run.step, NULL},
      {"--every", option_number, "DT", "spacing of the rows of trajectories", &o.run.every, NULL},
      {"--method", option_text, "NAME", "as of `viva run`", &o.run.method, run_methods},
      {"--rtol", option_number, "R", "relative tolerance of an adaptive method (1e-11)", &o.run.rtol, NULL},
      {"--atol", option_number, "A", "absolute tolerance (0.01 R times the size of each component)", &o.run.atol, NULL},
      LOAD_OPTIONS(load),
      {"--json", option_flag, NULL, "the summary as JSON", &w.json, NULL},
  };
  int status = read_options(&verb_sweep, options, sizeof options / sizeof *options, argc, argv, &file);
  w.pictures.json = w.json;
  if (status < 0) status = sweep_request_read(&request, &o);
  if (status < 0) status = sweep_outputs_read(&w.pictures);
  o.pictures = sweep_outputs_pictures(&w.pictures);
  o.panels = w.pictures.parts;
  o.fan = o.pictures && (w.pictures.parts ? (w.pictures.parts & VIVA_SWEEP_FAN) != 0 : w.rows != NULL);
  bool table = status < 0 && is_table(file);
  if (table) status = check_table(file, &request, &o, &w, &load);
  if (status < 0) status = check_resume(&o, &w);
  if (status < 0) status = table ? show_table(file, &w) : sweep_model(file, &load, &o, &w);
  sweep_outputs_close(&w.pictures);
  sweep_request_free(&request);
  free_load(&load);
  return status;
}

const Verb verb_sweep = {
    .name = "sweep",
    .usage = "viva sweep FILE [options], viva sweep TABLE.csv [--plot FILE]",
    .about = "many runs: grids, random samples, their measures",
    .main = sweep_main,
    .files = 1,
};

// viva run FILE: the simulation of a model as a summary, a table, pictures, a saved state.
#define _POSIX_C_SOURCE 200809L
#include "cli/compare.h"
#include "cli/family.h"
#include "cli/inverse.h"
#include "cli/message.h"
#include "cli/mode.h"
#include "cli/motion.h"
#include "cli/outputs.h"
#include "cli/picture.h"
#include "cli/verbs.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// What the user asked for beside the simulation itself.
typedef struct RunArguments {
  const char *out, *plot, *theme, *save, *compare, *inverse, *columns, *in;
  bool terminal, json, power, phase, apart;
  uint32_t mode;
  TextList measures;
} RunArguments;

// Table and picture are opened before the simulation starts: a path that cannot be written costs no time.
typedef struct Outputs {
  viva_csv *csv;
  viva_columns *columns;
  PictureFile picture;
  viva_figure *figure;
  viva_figure_options drawing;
} Outputs;

static int columns_failed(const viva_columns *columns, viva_status status) {
  const char *message = viva_columns_message(columns);
  complain("%s", message ? message : viva_status_text(status));
  return message ? exit_input : exit_failed;
}

static int open_outputs(const viva_model *model, const RunArguments *w, bool energy, Outputs *o) {
  int status = open_picture(w->plot, "--plot", (const char *const[]){"svg", "png", "pdf", NULL}, &o->picture);
  if (status >= 0) return status;
  if (w->plot || w->terminal) {
    viva_figure_options *options = &o->drawing;
    *options = viva_figure_defaults();
    options->energy = energy;
    options->power = w->power;
    options->phase = w->phase;
    options->apart = w->apart;
    status = read_theme(w->theme, options);
    if (status >= 0) return status;
    if (w->terminal) use_terminal(options, w->json);
    viva_status done = viva_figure_new(model, options, &o->figure);
    if (done != VIVA_OK) return figure_failed(o->figure, done);
  }
  if (w->columns || w->in) {
    viva_status done = viva_columns_new(model, w->columns, w->in, &o->columns);
    if (done != VIVA_OK) return columns_failed(o->columns, done);
  }
  if (viva_model_varied_count(model)) return -1; // the family opens its own table
  return w->out ? open_table("--out", w->out, &o->csv) : -1;
}

// The pictures of a run, also of one that stopped half way. -1: done.
static int draw_pictures(Outputs *o, const RunArguments *w, FILE *words) {
  int status = -1;
  if (w->terminal) {
    char *text;
    size_t length;
    viva_status done = viva_figure_draw(o->figure, VIVA_PICTURE_TERMINAL, &text, &length);
    if (done == VIVA_OK) fprintf(w->json ? stderr : words, "\n%s", text);
    else status = figure_failed(o->figure, done);
    if (done == VIVA_OK && !w->plot && viva_figure_message(o->figure))
      show_message(viva_figure_message(o->figure)); // a warning
    viva_text_free(text);
  }
  if (w->plot && status < 0) status = save_picture(&o->picture, o->figure);
  if (w->plot && status < 0 && !w->json) fprintf(words, "  plot         %s\n", w->plot);
  return status;
}

static int follow(const viva_model *model, viva_run_options o, const RunArguments *w, Outputs *outputs) {
  viva_sink sink = viva_columns_sink(outputs->columns, viva_csv_sink(outputs->csv));
  o.figure = outputs->figure;
  o.save = w->save != NULL;
  viva_run *run = NULL;
  viva_status done = run_watched(model, &o, &sink, &run);
  bool kept = false;
  bool to_stdout = is_stdout(w->out);
  int saved = outputs->csv ? save_table(&outputs->csv, w->out, done, &kept) : -1;
  FILE *words = to_stdout ? stderr : stdout;
  const char *summary = viva_run_summary(run, w->json ? VIVA_FORMAT_JSON : VIVA_FORMAT_TEXT);
  if (viva_columns_message(outputs->columns)) { // there was no row
    viva_run_free(run);
    return columns_failed(outputs->columns, VIVA_EINPUT);
  }
  if (w->json && *summary) json_printed();
  if (!(to_stdout && done == VIVA_EIO))
    fputs(summary, words); // nobody reads on: `viva run ... --out - | head` is silent
  if (!w->json && kept && !to_stdout) printf("  table        %s\n", w->out);
  int status = done == VIVA_OK ? exit_done : done == VIVA_EINPUT ? exit_input : exit_failed;
  if (saved >= 0) status = saved;
  int error = 0;
  if (w->save && done == VIVA_OK && viva_run_save(run, w->save, &error) != VIVA_OK) {
    complain("\"%s\" cannot be written: %s", w->save, strerror(error));
    status = exit_failed;
  } else if (w->save && done == VIVA_OK && !w->json) {
    fprintf(words, "  state        %s\n", w->save);
  }
  if (outputs->figure && (done == VIVA_OK || done == VIVA_EFAIL || done == VIVA_EINTERRUPTED)) {
    int drawn = draw_pictures(outputs, w, words);
    if (drawn >= 0 && status == exit_done) status = drawn;
  }
  viva_run_free(run);
  return status;
}

static int run_one(const viva_model *model, const viva_run_options *o, const RunArguments *w) {
  Outputs outputs = {0};
  int status = open_outputs(model, w, o->energy, &outputs);
  if (status < 0) {
    status = follow(model, *o, w, &outputs);
    int flushed = finish_output();
    if (status == exit_done) status = flushed;
  }
  discard_table(&outputs.csv);
  viva_columns_free(outputs.columns);
  discard_picture(&outputs.picture);
  viva_figure_free(outputs.figure);
  return status;
}

// What a comparison has no use for. -1: nothing was asked for.
static int refuse_comparison(const viva_model *model, const viva_run_options *o, const RunArguments *w) {
  const struct {
    bool asked;
    const char *option;
  } no_use[] = {{w->out != NULL, "--out"},
                {w->save != NULL, "--save"},
                {o->resume != NULL, "--resume"},
                {o->check_step, "--check-step"},
                {o->method != NULL, "--method"},
                {o->no_events, "--no-events"},
                {w->power, "--power"},
                {w->phase, "--phase"},
                {w->columns || w->in, "--columns"},
                {o->measure_count > 0, "--measure"}};
  for (size_t i = 0; i < sizeof no_use / sizeof *no_use; i++) {
    if (!no_use[i].asked) continue;
    complain("`%s` is about one run, and `--compare` makes several", no_use[i].option);
    return exit_input;
  }
  return refuse_family(model, "`--compare` is about one motion");
}

// Rejects the options that have no meaning in inverse dynamics. -1: none was given.
static int refuse_inverse(const viva_model *model, const viva_run_options *o, const RunArguments *w) {
  const struct {
    bool asked;
    const char *option;
  } no_use[] = {{!isnan(o->to), "--to"},
                {!isnan(o->step), "--step"},
                {!isnan(o->every), "--every"},
                {o->method != NULL, "--method"},
                {!isnan(o->rtol), "--rtol"},
                {!isnan(o->atol), "--atol"},
                {o->most_steps > 0, "--most-steps"},
                {w->plot != NULL, "--plot"},
                {w->terminal, "--terminal"},
                {w->theme != NULL, "--theme"},
                {w->power, "--power"},
                {w->phase, "--phase"},
                {o->all, "--all"},
                {o->energy, "--energy"},
                {w->save != NULL, "--save"},
                {o->resume != NULL, "--resume"},
                {o->no_events, "--no-events"},
                {o->check_step, "--check-step"},
                {o->backend != NULL, "--backend"},
                {o->measure_count > 0, "--measure"},
                {w->compare != NULL, "--compare"}};
  for (size_t i = 0; i < sizeof no_use / sizeof *no_use; i++) {
    if (!no_use[i].asked) continue;
    complain("`%s` is about a motion that is computed, and `--inverse` takes one as given", no_use[i].option);
    return exit_input;
  }
  return refuse_family(model, "`--inverse` is about one motion");
}

static int run_loaded(const viva_model *model, const viva_run_options *o, const RunArguments *w) {
  if (w->inverse) {
    int refused = refuse_inverse(model, o, w);
    return refused >= 0 ? refused : run_inverse(model, o, &(InverseRequest){w->inverse, w->out, w->json});
  }
  if (w->compare) {
    int refused = refuse_comparison(model, o, w);
    CompareRequest request = {w->compare, w->plot, w->theme, w->terminal, w->json};
    return refused >= 0 ? refused : run_comparison(model, o, &request);
  }
  if (viva_model_varied_count(model) == 0) return run_one(model, o, w);
  int refused = w->save ? refuse_family(model, "`--save` keeps one run") : -1;
  if (refused >= 0) return refused;
  Outputs outputs = {0};
  int status = open_outputs(model, w, o->energy, &outputs);
  if (status < 0) {
    viva_run_options own = *o;
    own.figure = outputs.figure;
    status = run_family(&(CliFamily){.first = model,
                                     .run = &own,
                                     .out = w->out,
                                     .json = w->json,
                                     .drawing = &outputs.drawing,
                                     .columns = outputs.columns});
    if (viva_columns_message(outputs.columns)) status = columns_failed(outputs.columns, VIVA_EINPUT);
    // also where a member stopped half way
    if (outputs.figure && status != exit_input) {
      int drawn = draw_pictures(&outputs, w, is_stdout(w->out) ? stderr : stdout);
      int flushed = drawn >= 0 ? drawn : finish_output();
      if (status == exit_done) status = flushed;
    }
  }
  viva_columns_free(outputs.columns);
  discard_picture(&outputs.picture);
  viva_figure_free(outputs.figure);
  return status;
}

// What is drawn needs a picture, and what is written a table. -1: it has one.
static int refuse_undrawn(const RunArguments *w) {
  if ((w->columns || w->in) && !w->out) {
    complain("`%s` is about the table: it goes with `--out FILE`", w->columns ? "--columns" : "--in");
    return exit_input;
  }
  if ((!w->power && !w->phase) || w->plot || w->terminal) return -1;
  complain("`%s` draws: it goes with `--plot FILE` or `--terminal`", w->power ? "--power" : "--phase");
  return exit_input;
}

static int run_file(const char *file, const viva_load_options *load, const viva_run_options *o, const RunArguments *w) {
  viva_model *model = NULL;
  int status = refuse_undrawn(w);
  if (status < 0) status = load_in_mode(file, load, w->mode, &model);
  if (status < 0) status = run_loaded(model, o, w);
  viva_model_free(model);
  return status;
}

// Numbers out of their range; NAN: not said. -1: they are in it.
static int refuse_numbers(double most_steps, double stiffness) {
  if (!isnan(most_steps) && !(most_steps >= 1 && most_steps <= 1e18)) {
    complain("`--most-steps` needs a number from 1 to 1e18");
    return exit_input;
  }
  if (isnan(stiffness) || (stiffness > 0 && stiffness < INFINITY)) return -1;
  complain("`--stiffness` needs a number above 0, in N/m");
  return exit_input;
}

static void take_arguments(const RunArguments *w, double most_steps, viva_run_options *o) {
  if (!isnan(most_steps)) o->most_steps = (uint64_t)most_steps;
  o->measures = w->measures.items;
  o->measure_count = w->measures.count;
}

static int run_main(int argc, char **argv) {
  viva_run_options o = viva_run_defaults();
  RunArguments w = {0};
  double most_steps = NAN, stiffness = NAN;
  const char *file;
  LoadRequest request = {0};
  const Option options[] = {
      {"--to", option_number, "T", "end time in seconds", &o.to, NULL},
      {"--step", option_number, "H", "step of a fixed-step method, and spacing of the rows", &o.step, NULL},
      {"--every", option_number, "DT", "spacing of the rows, if not the step", &o.every, NULL},
      {"--method", option_text, "NAME",
       "euler heun bs3 rk4 (fixed step), dopri5 dop853 (adaptive), rodas bdf (stiff), auto; with a fixed step and what "
       "is kept verlet gauss4 gauss6 gauss8 gauss12 conserve",
       &o.method, run_methods},
      {"--compare", option_text, "M1,M2,...", "errors, evaluations and time of several methods", &w.compare, NULL},
      {"--inverse", option_input, "MOTION.csv", "the forces that a given motion needs, instead of a motion", &w.inverse,
       NULL},
      {"--rtol", option_number, "R", "relative tolerance of an adaptive method (1e-11)", &o.rtol, NULL},
      {"--atol", option_number, "A", "absolute tolerance (0.01 R times the size of each component)", &o.atol, NULL},
      {"--most-steps", option_number, "N", "stop after N steps, rejected ones included (100000000)", &most_steps, NULL},
      {"--stiffness", option_number, "K", "bars as springs of K N/m, not rigid", &stiffness, NULL},
      LOAD_OPTIONS(request),
      {"--out", option_output, "FILE", "write the table: .csv .json .mat .npz; - is standard output", &w.out, NULL},
      {"--columns", option_text, "LIST", "which columns the table has, \"t, th, x\"", &w.columns, NULL},
      {"--in", option_text, "LIST", "the units of its columns, \"th=deg, x=mm\"; else SI", &w.in, NULL},
      {"--plot", option_output, "FILE", "draw the `plot` lines, or every output: .svg .png .pdf", &w.plot, NULL},
      {"--terminal", option_flag, NULL, "draw them in the terminal", &w.terminal, NULL},
      {"--theme", option_text, "THEME", "light or dark", &w.theme, "light dark"},
      {"--all", option_flag, NULL, "every named signal in the table", &o.all, NULL},
      {"--energy", option_flag, NULL, "the energy account in the table and in the picture", &o.energy, NULL},
      {"--power", option_flag, NULL, "what is stored, dissipated and supplied each moment, in the picture", &w.power,
       NULL},
      {"--phase", option_flag, NULL, "phase portraits in the picture", &w.phase, NULL},
      {"--apart", option_flag, NULL, "of a family: a grid of panels, one for each member", &w.apart, NULL},
      {"--measure", option_list, "MEASURE",
       "what the motion comes to: max(x) min mean sd final integral time(x > 1), and formulas of these; may be "
       "repeated",
       &w.measures, NULL},
      {"--mode", option_count, "N", "start from this mode of `equilibrium --problem modes`", &w.mode, NULL},
      {"--save", option_output, "FILE", "keep the complete state at the end, to go on from it", &w.save, NULL},
      {"--resume", option_input, "FILE", "go on from a saved state, also with changed parameters", &o.resume, NULL},
      {"--no-events", option_flag, NULL, "fixed steps that locate nothing, as the first digital analog computers",
       &o.no_events, NULL},
      {"--check-step", option_flag, NULL, "repeat with half the (fixed) step and show the difference", &o.check_step,
       NULL},
      {"--backend", option_text, "NAME", "interp, tcc or cc make the code; auto counts the work and chooses",
       &o.backend, "auto interp tcc cc"},
      {"--json", option_flag, NULL, "the summary as JSON", &w.json, NULL},
  };
  int status = read_options(&verb_run, options, sizeof options / sizeof *options, argc, argv, &file);
  viva_load_options load = load_options(&request);
  if (status < 0) status = refuse_numbers(most_steps, stiffness);
  if (!isnan(stiffness)) load.stiffness = stiffness;
  take_arguments(&w, most_steps, &o);
  if (status < 0) status = run_file(file, &load, &o, &w);
  free_load(&request);
  free_list(&w.measures);
  return status;
}

const Verb verb_run = {
    .name = "run",
    .usage = "viva run FILE [options]",
    .about = "the motion of a model, with its energy account",
    .main = run_main,
    .files = 1,
};

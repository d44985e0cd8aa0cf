// viva fit FILE [DATA.csv]: estimates parameters and initial values from data, with confidence intervals.
#include "cli/fit_design.h"
#include "cli/fit_outputs.h"
#include "cli/fit_rivals.h"
#include "cli/message.h"
#include "cli/model.h"
#include "cli/motion.h"
#include "cli/outputs.h"
#include "cli/verbs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct FitRequest {
  TextList free, by, where; // "k=0:10", "x sd 0.01", "max(y) <= 1"
  const char *data, *out, *seed;
  bool json, index; // index: there is no data
  FitOutputs outputs;
  TextList rival;
  FitRivals rivals;  // those that are fitted
  viva_file *fitted; // of -o, made before anything is searched
  DesignRequest design;
} FitRequest;

static int check_index(const FitRequest *w, const viva_fit_options *o) {
  const char *wrong = NULL;
  if (w->design.asked) return -1;
  if (w->index && (w->data || w->by.count)) wrong = "`--minimize` compares with no data: leave out the file and `--by`";
  else if (!w->index && w->where.count) wrong = "`--where` is a condition of `--minimize`";
  else if (!w->index && !isnan(o->run.to)) wrong = "`--to` is of `--minimize`: a fit lasts as long as its data";
  if (wrong) complain("%s", wrong);
  return wrong ? exit_input : -1;
}

static int read_seed(const char *text, uint64_t *seed) {
  if (!text) return -1;
  uint64_t value = 0;
  for (const char *s = text; *s; s++) {
    if (*s < '0' || *s > '9' || value > (UINT64_MAX - 9) / 10) {
      complain("`--seed` needs a whole number, not `%s`", text);
      return exit_input;
    }
    value = 10 * value + (uint64_t)(*s - '0');
  }
  if (!*text) complain("`--seed` needs a whole number");
  *seed = value;
  return *text ? -1 : exit_input;
}

static int write_fitted(const viva_fit *fit, FitRequest *w) {
  const char *why, *text = viva_fit_text(fit, &why);
  if (!text) {
    complain("%s", why ? why : "out of memory");
    return exit_failed;
  }
  int status = save_output(&w->fitted, w->out, text, strlen(text));
  if (status < 0 && !w->json && !is_stdout(w->out)) printf("  model        %s\n", w->out);
  return status;
}

// Does a file go there?
static bool to_stdout(const FitRequest *w) {
  return is_stdout(w->out) || is_stdout(w->outputs.table) || is_stdout(w->outputs.evolution);
}

// What stands before, between and behind the summaries of rivals.
static void begin_summary(const FitRequest *w, const char *file, bool first) {
  if (!w->rival.count) return;
  if (!w->json) printf("%s%s\n", first ? "" : "\n", file);
  else fputs(first ? "{\"models\": [" : ", ", stdout);
}

static int end_rivals(const FitRequest *w) {
  int status = rivals_check(&w->rivals);
  if (w->json) fputs("], ", stdout);
  if (w->json) rivals_print_json(&w->rivals);
  if (w->json) fputs("}\n", stdout);
  else if (status < 0) putchar('\n'), rivals_print(&w->rivals);
  return status < 0 ? finish_output() : status;
}

static void tell_interrupted(const FitRequest *w, bool first) {
  const FitOutputs *o = &w->outputs;
  bool files = first && (w->out || o->plot || o->table || o->evolution);
  complain("interrupted%s", files ? ": no files are written" : "");
}

// first: the model that files are written of; else a rival.
static int fit_loaded(const viva_model *model, const char *file, bool first, viva_fit_options *o, FitRequest *w) {
  RunWatch watch;
  viva_fit *fit = NULL;
  watch_run(&watch, &o->run);
  o->best = show_best;
  viva_status done = viva_fit_model(model, o, &fit);
  watch_end(&watch);
  if (viva_fit_message(fit)) show_message(viva_fit_message(fit));
  if (done == VIVA_ENOMEM) complain("%s", viva_status_text(done));
  if (done == VIVA_EINTERRUPTED) tell_interrupted(w, first);
  const char *summary = viva_fit_summary(fit, w->json ? VIVA_FORMAT_JSON : VIVA_FORMAT_TEXT);
  if (w->json && *summary) json_printed();
  if (*summary) begin_summary(w, file, first);
  fputs(summary, to_stdout(w) ? stderr : stdout);
  int status = done == VIVA_OK ? exit_done : done == VIVA_EINPUT ? exit_input : exit_failed;
  int written = -1;
  if (done == VIVA_OK && first && w->out) written = write_fitted(fit, w);
  if (done == VIVA_OK && first && written < 0) written = fit_outputs_write(&w->outputs, fit);
  if (written >= 0) status = written;
  if (done == VIVA_OK) rivals_take(&w->rivals, file, fit);
  viva_fit_free(fit);
  int flushed = finish_output();
  return status == exit_done ? flushed : status;
}

static int fit_file(const char *file, bool first, viva_load_options *load, viva_fit_options *o, FitRequest *w) {
  viva_model *model = NULL;
  load->data = w->data;
  load->free = w->free.items;
  load->free_count = w->free.count;
  load->by = w->by.items;
  load->by_count = w->by.count;
  int status = load_model(file, load, &model);
  if (status < 0) status = refuse_family(model, "a fit is of one model");
  if (status < 0 && first && w->out) status = open_output("-o", w->out, &w->fitted);
  if (status < 0 && first && !w->design.asked) status = fit_outputs_open(&w->outputs);
  o->pictures = first && fit_outputs_pictures(&w->outputs);
  if (status < 0 && w->design.asked) status = design_experiment(model, o, &w->design, w->json);
  else if (status < 0) status = fit_loaded(model, file, first, o, w);
  viva_model_free(model);
  return status;
}

// An experiment to come has no data, and nothing of a fit.
static int check_design(const FitRequest *w, const viva_fit_options *o) {
  const struct {
    bool said;
    const char *name;
  } of_fits[] = {{w->data, "a data file"},
                 {o->minimize, "`--minimize`"},
                 {w->where.count > 0, "`--where`"},
                 {o->method, "`--method`"},
                 {o->loss, "`--loss`"},
                 {o->no_profiles, "`--no-profiles`"},
                 {o->population || o->generations || o->selection || o->printed || o->mean_square ||
                      !isnan(o->crossover) || !isnan(o->mutation) || !isnan(o->exponent),
                  "a search"},
                 {w->outputs.panels, "`--panels`"},
                 {w->outputs.theme, "`--theme`"},
                 {o->only_before, "`--beforehand`"},
                 {w->seed, "`--seed`"},
                 {w->out, "`-o`"},
                 {w->outputs.plot, "`--plot`"},
                 {w->outputs.terminal, "`--terminal`"},
                 {w->outputs.table, "`--out`"},
                 {w->outputs.evolution, "`--evolution`"},
                 {w->rival.count > 0, "`--rival`"}};
  if (!w->design.asked) return design_check_none(&w->design, o);
  for (size_t i = 0; i < sizeof of_fits / sizeof *of_fits; i++) {
    if (!of_fits[i].said) continue;
    complain("`--design` is about an experiment to come: %s has no place in it", of_fits[i].name);
    return exit_input;
  }
  return -1;
}

// Files that would have nothing in them.
static int check_files(const viva_fit_options *o, FitRequest *w) {
  const struct {
    bool said;
    const char *name;
  } files[] = {{w->out, "-o"},
               {w->outputs.plot, "--plot"},
               {w->outputs.terminal, "--terminal"},
               {w->outputs.table, "--out"},
               {w->outputs.evolution, "--evolution"},
               {w->rival.count > 0, "--rival"}};
  for (size_t i = 0; o->only_before && i < sizeof files / sizeof *files; i++) {
    if (!files[i].said) continue;
    complain("`--beforehand` finds no values: `%s` has nothing to show", files[i].name);
    return exit_input;
  }
  for (size_t i = 1; w->index && i < sizeof files / sizeof *files; i++) {
    if (!files[i].said || strcmp(files[i].name, "--evolution") == 0) continue;
    complain("`--minimize` compares with no data: `%s` has nothing to show", files[i].name);
    return exit_input;
  }
  if (w->index && o->only_before) {
    complain("`--minimize` compares with no data: `--beforehand` has nothing to say");
    return exit_input;
  }
  if (w->outputs.evolution && o->method && strcmp(o->method, "lm") == 0) {
    complain("`lm` has no generations: `--evolution` has nothing to show");
    hint("`--method ga`, `de` and `cmaes` have some");
    return exit_input;
  }
  int status = fit_outputs_check(&w->outputs, o);
  if (status >= 0) return status;
  if (w->rival.count < most_rivals) return -1;
  complain("there are more than %d rivals", most_rivals - 1);
  return exit_input;
}

// Rivals are read before anything is searched: one that is wrong costs no time, and what they read is not written to.
static int check_rivals(const FitRequest *w, const viva_load_options *load) {
  viva_load_options own = *load;
  int status = -1;
  own.confined = is_confined();
  for (size_t i = 0; i < w->rival.count && status < 0; i++) {
    viva_model *model = NULL;
    status = take_model(viva_model_load(w->rival.items[i], &own, &model), false, &model);
    viva_model_free(model);
  }
  return status;
}

// The model, then its rivals.
static int fit_all(const char *file, const LoadRequest *request, viva_fit_options *o, FitRequest *w) {
  viva_load_options load = load_options(request);
  int status = read_seed(w->seed, &o->seed);
  w->outputs.json = w->json;
  if (status < 0) status = check_files(o, w);
  if (status < 0) status = check_rivals(w, &load);
  if (status < 0) status = fit_file(file, true, &load, o, w);
  for (size_t i = 0; i < w->rival.count && status == exit_done; i++)
    status = fit_file(w->rival.items[i], false, &load, o, w);
  if (w->rival.count && status == exit_done) status = end_rivals(w);
  fit_outputs_close(&w->outputs);
  discard_output(&w->fitted);
  return status;
}

static void free_request(FitRequest *w) {
  TextList *lists[] = {&w->rival, &w->free, &w->by, &w->where, &w->design.vary};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) free_list(lists[i]);
}

static int fit_main(int argc, char **argv) {
  viva_fit_options o = viva_fit_defaults();
  FitRequest w = {0};
  LoadRequest request = {0};
  const char *files[2] = {NULL, NULL};
  const Option options[] = {
      {"--free", option_list, "NAME=FROM:TO", "a parameter or start that is unknown, with its range; may be repeated",
       &w.free, NULL},
      {"--by", option_list, "OUTPUT", "what was measured: x, \"th' = \\\"gyro\\\"\", \"x sd 0.01\"; may be repeated",
       &w.by, NULL},
      {"--minimize", option_text, "MEASURE", "no data: this becomes least: \"integral(t*|e|)\", \"max(y)\", ...",
       &o.minimize, NULL},
      {"--where", option_list, "CONDITION", "where this holds: \"max(y) <= 1.02\"; may be repeated", &w.where, NULL},
      {"--to", option_number, "T", "with --minimize or --design: the motion lasts until T", &o.run.to, NULL},
      {"--method", option_text, "NAME", "auto (a search, then lm), lm, ga, ga-binary, de, cmaes", &o.method,
       "auto lm ga ga-binary de cmaes"},
      {"--population", option_count, "N", "individuals of a generation (ga: 70)", &o.population, NULL},
      {"--generations", option_count, "N", "generations (ga: 30)", &o.generations, NULL},
      {"--crossover", option_number, "P", "probability that a pair is crossed (0.7)", &o.crossover, NULL},
      {"--mutation", option_number, "P", "probability that an individual is mutated (0.1)", &o.mutation, NULL},
      {"--exponent", option_number, "N", "of the crossover SBX (2)", &o.exponent, NULL},
      {"--printed", option_flag, NULL, "SBX by the formula that AGS_R prints, not by Deb's", &o.printed, NULL},
      {"--mean-square", option_flag, NULL, "fitness by the mean square, not by R^2", &o.mean_square, NULL},
      {"--selection", option_text, "NAME", "roulette, ranking, tournament, universal or remainder", &o.selection,
       "roulette ranking tournament universal remainder"},
      {"--loss", option_text, "NAME", "square, or huber: outliers count less", &o.loss, "square huber"},
      {"--no-profiles", option_flag, NULL, "intervals by standard errors, not by profiles", &o.no_profiles, NULL},
      {"--beforehand", option_flag, NULL, "only what the data can tell, and how exactly; nothing is searched",
       &o.only_before, NULL},
      DESIGN_OPTIONS(w.design, o.run),
      {"--seed", option_text, "N", "of the random numbers (1)", &w.seed, NULL},
      {"--rtol", option_number, "R", "relative tolerance of the motions (1e-9)", &o.run.rtol, NULL},
      {"--atol", option_number, "A", "absolute tolerance (0.01 R times the size of each component)", &o.run.atol, NULL},
      {"-o", option_output, "FITTED.viva", "write the model with the values that were found", &w.out, NULL},
      {"--plot", option_output, "FILE", "draw data, curve, residuals, profiles, evolution: .svg .png .pdf",
       &w.outputs.plot, NULL},
      {"--panels", option_text, "LIST", "of these: fit,residuals,profiles,correlation,evolution,sequence",
       &w.outputs.panels, NULL},
      {"--terminal", option_flag, NULL, "draw into the terminal", &w.outputs.terminal, NULL},
      {"--theme", option_text, "NAME", "light or dark", &w.outputs.theme, "light dark"},
      {"--out", option_output, "FILE.csv", "the data beside the curve and its band; - is standard output",
       &w.outputs.table, NULL},
      {"--evolution", option_output, "FILE.csv", "best, mean and spread by generation", &w.outputs.evolution, NULL},
      {"--rival", option_inputs, "FILE", "another model of the same data, compared by AIC and BIC; may be repeated",
       &w.rival, NULL},
      LOAD_OPTIONS(request),
      {"--json", option_flag, NULL, "the summary as JSON", &w.json, NULL},
  };
  int status = read_options(&verb_fit, options, sizeof options / sizeof *options, argc, argv, files);
  w.data = files[1];
  w.index = o.minimize != NULL;
  o.where = w.where.items;
  o.where_count = w.where.count;
  if (status < 0) status = check_design(&w, &o);
  if (status < 0) status = check_index(&w, &o);
  if (status < 0) status = fit_all(files[0], &request, &o, &w);
  free_request(&w);
  free_load(&request);
  return status;
}

const Verb verb_fit = {
    .name = "fit",
    .usage = "viva fit FILE [DATA.csv] [options]",
    .about = "parameters and starts from data, with their confidence",
    .main = fit_main,
    .files = 2,
    .optional = 1,
};

// viva sensitivity FILE: sensitivities of outputs to parameters and initial values, over time.
#include "cli/message.h"
#include "cli/model.h"
#include "cli/motion.h"
#include "cli/outputs.h"
#include "cli/picture.h"
#include "cli/verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct SensitivityRequest {
  TextList by; // as they were written: "k, x"
  const char *out;
  bool json;
  const char *plot, *theme;
  bool terminal;
  PictureFile picture;
  viva_figure_options look;
} SensitivityRequest;

// "k, x'" and "m" are three names. Owned by the caller.
static char **split_names(const TextList *by, size_t *count) {
  size_t most = 0;
  for (size_t i = 0; i < by->count; i++) most += strlen(by->items[i]) + 1;
  char **names = malloc((most + 1) * sizeof *names), *text = malloc(2 * most + 1);
  *count = 0;
  if (!names || !text) {
    free(names);
    free(text);
    return NULL;
  }
  names[0] = text; // also where there are none: it is freed by it
  for (size_t i = 0; i < by->count; i++) {
    for (const char *s = by->items[i]; *s;) {
      size_t length = strcspn(s, ",");
      const char *from = s, *to = s + length;
      while (from < to && *from == ' ') from++;
      while (to > from && to[-1] == ' ') to--;
      memcpy(text, from, (size_t)(to - from));
      text[to - from] = 0;
      names[(*count)++] = text;
      text += to - from + 1;
      s += length;
      if (*s == ',') s++;
    }
  }
  return names;
}

// -1: go on.
static int draw(const viva_sensitivity *s, SensitivityRequest *w) {
  char *data = NULL;
  size_t length = 0;
  viva_status done = VIVA_OK;
  int status = -1;
  if (w->terminal) {
    viva_figure_options cells = w->look;
    use_terminal(&cells, w->json);
    done = viva_sensitivity_draw(s, &cells, VIVA_PICTURE_TERMINAL, &data, &length);
    if (done == VIVA_OK) fprintf(w->json ? stderr : stdout, "\n%s", data);
    viva_text_free(data);
  }
  if (done == VIVA_OK && w->plot) {
    done = viva_sensitivity_draw(s, &w->look, w->picture.kind, &data, &length);
    if (done == VIVA_OK) status = save_output(&w->picture.file, w->plot, data, length);
    viva_text_free(data);
    if (done == VIVA_OK && status < 0 && !w->json) printf("  plot         %s\n", w->plot);
  }
  if (done != VIVA_OK) complain("the picture cannot be made: %s", viva_status_text(done));
  return done == VIVA_OK ? status : exit_failed;
}

static int find_slopes(const viva_model *model, viva_sensitivity_options o, SensitivityRequest *w, viva_csv **csv) {
  RunWatch watch;
  viva_sink sink = viva_csv_sink(*csv);
  viva_sensitivity *s = NULL;
  watch_run(&watch, &o.run);
  viva_status done = viva_sensitivity_model(model, &o, &sink, &s);
  watch_end(&watch);
  if (viva_sensitivity_message(s)) show_message(viva_sensitivity_message(s));
  if (done == VIVA_ENOMEM) complain("%s", viva_status_text(done));
  bool kept = false, to_stdout = is_stdout(w->out);
  int saved = *csv ? save_table(csv, w->out, done, &kept) : -1;
  FILE *words = to_stdout ? stderr : stdout;
  const char *summary = viva_sensitivity_summary(s, w->json ? VIVA_FORMAT_JSON : VIVA_FORMAT_TEXT);
  if (w->json && *summary) json_printed();
  if (!(to_stdout && done == VIVA_EIO)) fputs(summary, words);
  if (!w->json && kept && !to_stdout) printf("  table        %s\n", w->out);
  int drawn = done == VIVA_OK ? draw(s, w) : -1;
  if (drawn >= 0) saved = drawn;
  viva_sensitivity_free(s);
  int status = done == VIVA_OK ? exit_done : done == VIVA_EINPUT ? exit_input : exit_failed;
  return saved >= 0 ? saved : status;
}

static int open_plot(SensitivityRequest *w) {
  w->look = viva_figure_defaults();
  int status = read_theme(w->theme, &w->look);
  return status < 0 ? open_picture(w->plot, "--plot", (const char *const[]){"svg", "png", "pdf", NULL}, &w->picture)
                    : status;
}

static int sensitivity_of(const char *file, const viva_load_options *load, viva_sensitivity_options *o,
                          SensitivityRequest *w) {
  viva_model *model = NULL;
  viva_csv *csv = NULL;
  char **names = NULL;
  int status = load_model(file, load, &model);
  if (status < 0) status = refuse_family(model, "sensitivities are those of one motion");
  if (status < 0 && !(names = split_names(&w->by, &o->name_count))) {
    complain("out of memory");
    status = exit_failed;
  }
  o->names = (const char *const *)names;
  if (status < 0 && w->out) status = open_table("--out", w->out, &csv);
  if (status < 0) status = open_plot(w);
  if (status < 0) {
    status = find_slopes(model, *o, w, &csv);
    int flushed = finish_output();
    if (status == exit_done) status = flushed;
  }
  discard_table(&csv);
  discard_picture(&w->picture);
  if (names) free(names[0]);
  free(names);
  viva_model_free(model);
  return status;
}

static int sensitivity_main(int argc, char **argv) {
  viva_sensitivity_options o = viva_sensitivity_defaults();
  SensitivityRequest w = {0};
  LoadRequest request = {0};
  const char *file;
  const Option options[] = {
      {"--by", option_list, "NAMES", "parameters and starts, such as k or \"k, x, x'\"; all parameters otherwise",
       &w.by, NULL},
      {"--to", option_number, "T", "end time in seconds", &o.run.to, NULL},
      {"--every", option_number, "DT", "spacing of the rows", &o.run.every, NULL},
      {"--method", option_text, "NAME", "auto, dopri5, dop853, rodas or bdf; another one goes by differences",
       &o.run.method, run_methods},
      {"--rtol", option_number, "R", "relative tolerance (1e-11)", &o.run.rtol, NULL},
      {"--atol", option_number, "A", "absolute tolerance (0.01 R times the size of each component)", &o.run.atol, NULL},
      {"--step", option_number, "H", "step of a fixed-step method, and spacing of the rows", &o.run.step, NULL},
      LOAD_OPTIONS(request),
      {"--out", option_output, "FILE", "write the table: .csv .json .mat .npz; - is standard output", &w.out, NULL},
      {"--plot", option_output, "FILE", "draw the sensitivities over time: .svg .png .pdf", &w.plot, NULL},
      {"--terminal", option_flag, NULL, "draw into the terminal", &w.terminal, NULL},
      {"--theme", option_text, "NAME", "light or dark", &w.theme, "light dark"},
      {"--json", option_flag, NULL, "the summary as JSON", &w.json, NULL},
  };
  int status = read_options(&verb_sensitivity, options, sizeof options / sizeof *options, argc, argv, &file);
  viva_load_options load = load_options(&request);
  if (status < 0) status = sensitivity_of(file, &load, &o, &w);
  free_list(&w.by);
  free_load(&request);
  return status;
}

const Verb verb_sensitivity = {
    .name = "sensitivity",
    .usage = "viva sensitivity FILE [options]",
    .about = "how outputs depend on parameters and starts",
    .main = sensitivity_main,
    .files = 1,
};

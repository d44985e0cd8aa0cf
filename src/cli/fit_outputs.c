// Files of `viva fit`. See fit_outputs.h.
#include "cli/fit_outputs.h"

#include "cli/message.h"
#include "cli/nearest.h"
#include "cli/outputs.h"
#include "cli/verb.h"

#include <stdio.h>
#include <string.h>

static const PanelWord panels[] = {{"fit", VIVA_FIT_CURVES},          {"residuals", VIVA_FIT_RESIDUALS},
                                   {"profiles", VIVA_FIT_PROFILES},   {"correlation", VIVA_FIT_CORRELATION},
                                   {"evolution", VIVA_FIT_EVOLUTION}, {"sequence", VIVA_FIT_SEQUENCE}};
enum { panel_count = sizeof panels / sizeof *panels };

bool fit_outputs_pictures(const FitOutputs *o) { return o->plot || o->terminal || o->table; }

// A panel that would stay empty is rejected before the search starts.
int fit_outputs_check(FitOutputs *o, const viva_fit_options *fit) {
  bool lm = fit->method && strcmp(fit->method, "lm") == 0;
  int status = read_panels(o->panels, o->plot || o->terminal, panels, panel_count, &o->parts);
  if (status >= 0) return status;
  if (o->theme && !o->plot) {
    complain("`--theme` says how a picture looks: it goes with `--plot FILE`");
    return exit_input;
  }
  if (lm && (o->parts & (VIVA_FIT_EVOLUTION | VIVA_FIT_SEQUENCE))) {
    complain("`lm` has no generations: the panel `%s` has nothing to show",
             o->parts & VIVA_FIT_EVOLUTION ? "evolution" : "sequence");
    hint("`--method ga`, `de` and `cmaes` have some");
    return exit_input;
  }
  if (!(fit->no_profiles && (o->parts & VIVA_FIT_PROFILES))) return -1;
  complain("`--no-profiles` leaves the panel `profiles` with nothing to show");
  return exit_input;
}

int fit_outputs_open(FitOutputs *o) {
  o->look = viva_figure_defaults();
  int status = read_theme(o->theme, &o->look);
  if (status < 0)
    status = open_picture(o->plot, "--plot", (const char *const[]){"svg", "png", "pdf", NULL}, &o->picture);
  if (status < 0 && o->table) status = open_table("--out", o->table, &o->rows);
  if (status < 0 && o->evolution) status = open_table("--evolution", o->evolution, &o->generations);
  return status;
}

static int draw(FitOutputs *o, const viva_fit *fit) {
  char *data = NULL;
  size_t length = 0;
  viva_status done = VIVA_OK;
  int status = -1;
  if (o->terminal) {
    viva_figure_options cells = o->look;
    use_terminal(&cells, o->json);
    done = viva_fit_draw(fit, &cells, o->parts, VIVA_PICTURE_TERMINAL, &data, &length);
    if (done == VIVA_OK) fprintf(o->json ? stderr : stdout, "\n%s", data);
    viva_text_free(data);
    data = NULL;
  }
  if (done == VIVA_OK && o->plot) {
    done = viva_fit_draw(fit, &o->look, o->parts, o->picture.kind, &data, &length);
    if (done == VIVA_OK) status = save_output(&o->picture.file, o->plot, data, length);
    viva_text_free(data);
    if (done == VIVA_OK && status < 0 && !o->json) printf("  plot         %s\n", o->plot);
  }
  if (done == VIVA_OK) return status;
  if (done == VIVA_EINPUT) complain("none of the panels that `--panels %s` names has anything to show", o->panels);
  if (done == VIVA_EINPUT && (o->parts & (VIVA_FIT_EVOLUTION | VIVA_FIT_SEQUENCE)))
    hint("`auto` has generations only where the model's own values do not lead to the best fit; ga, de and cmaes have "
         "them always");
  if (done != VIVA_EINPUT) complain("the picture cannot be made: %s", viva_status_text(done));
  return done == VIVA_EINPUT ? exit_input : exit_failed;
}

static int write_table(viva_csv **csv, const char *path, const char *what, bool quiet, const viva_fit *fit,
                       viva_status (*write)(const viva_fit *fit, const viva_sink *sink)) {
  bool kept = false;
  viva_sink sink = viva_csv_sink(*csv);
  viva_status done = write(fit, &sink);
  if (done == VIVA_EINPUT) {
    complain("this method has no generations: there is no evolution to write");
    hint("`--method ga`, de and cmaes have some");
    return exit_input;
  }
  int status = save_table(csv, path, done, &kept);
  if (status < 0 && kept && !quiet && !is_stdout(path)) printf("  %-12s %s\n", what, path);
  return status;
}

int fit_outputs_write(FitOutputs *o, const viva_fit *fit) {
  int status = -1;
  if (o->plot || o->terminal) status = draw(o, fit);
  if (status < 0 && o->rows) status = write_table(&o->rows, o->table, "table", o->json, fit, viva_fit_table);
  if (status < 0 && o->generations)
    status = write_table(&o->generations, o->evolution, "evolution", o->json, fit, viva_fit_evolution);
  return status;
}

void fit_outputs_close(FitOutputs *o) {
  discard_picture(&o->picture);
  discard_table(&o->rows);
  discard_table(&o->generations);
}

// viva report FILE -o page.html: one page that shows a model.
#include "cli/message.h"
#include "cli/model.h"
#include "cli/motion.h"
#include "cli/outputs.h"
#include "cli/picture.h"
#include "cli/sweep_request.h"
#include "cli/taps.h"
#include "cli/verbs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int write_page(const viva_report *report, viva_file **file, const char *out) {
  size_t length;
  const char *page = viva_report_page(report, &length);
  return save_output(file, out, page, length);
}

// Many runs for the page: made now, or read from the table of a sweep. -1: go on.
static int make_sweep(const viva_model *model, const viva_report_options *o, const SweepRequest *request,
                      const char *table, viva_sweep **sweep) {
  viva_sweep_options s = viva_sweep_defaults();
  RunWatch watch;
  const char *said = sweep_request_said(request);
  if (!said && !table) return -1;
  if (said && table) {
    complain("`--sweep` shows a table whose runs are done: `%s` has no place", said);
    return exit_input;
  }
  s.run = o->run;
  int status = sweep_request_read(request, &s);
  if (status >= 0) return status;
  s.pictures = true;
  s.progress = show_samples;
  watch_run(&watch, &s.run);
  viva_status done = table ? viva_sweep_open(table, sweep) : viva_sweep_model(model, &s, sweep);
  watch_end(&watch);
  if (viva_sweep_message(*sweep)) show_message(viva_sweep_message(*sweep));
  else if (done != VIVA_OK) complain("%s", viva_status_text(done));
  if (done == VIVA_OK || (done == VIVA_EFAIL && *viva_sweep_summary(*sweep, VIVA_FORMAT_TEXT))) return -1;
  return done == VIVA_EINPUT ? exit_input : exit_failed;
}

// A sweep whose runs all failed is shown on the page, but is no success.
static bool has_failed(const viva_sweep *sweep) {
  return sweep && viva_sweep_done(sweep) > 0 && viva_sweep_failed(sweep) == viva_sweep_done(sweep);
}

static int report(const viva_model *model, viva_report_options *o, const char *out) {
  viva_file *file = NULL;
  // a path that cannot be written costs no time
  int opened = open_output("-o", out, &file);
  if (opened >= 0) return opened;
  viva_report *made = NULL;
  RunWatch watch;
  watch_run(&watch, &o->run);
  viva_status done = viva_report_model(model, o, &made);
  watch_end(&watch);
  if (viva_report_message(made)) show_message(viva_report_message(made));
  if (!made) complain("%s", viva_status_text(done));
  int status = viva_report_page(made, NULL) ? write_page(made, &file, out)
               : done == VIVA_EINPUT        ? exit_input
                                            : exit_failed;
  if (status < 0) {
    int told = tell_file(out);
    status = done == VIVA_OK && !has_failed(o->sweep) ? told : exit_failed;
  }
  discard_output(&file);
  viva_report_free(made);
  return status;
}

static int refuse_crowd(const viva_model *model) {
  enum { most = 100 };
  size_t members = viva_model_member_count(model);
  if (members <= most) return -1;
  complain("a report shows at most %d members of a family, and these are %zu", most, members);
  hint("take fewer values; `viva sweep` makes a table of any number");
  return exit_input;
}

static int check_out(const char *out) {
  const char *dot = out ? strrchr(out, '.') : NULL;
  if (!out) {
    complain("where to? `-o page.html`");
    return exit_input;
  }
  if (strcmp(out, "-") == 0 || (dot && (strcmp(dot, ".html") == 0 || strcmp(dot, ".htm") == 0))) return -1;
  complain("`-o %s`: a report is a page, its name ends in .html", out);
  return exit_input;
}

static int report_main(int argc, char **argv) {
  viva_report_options o = viva_report_defaults();
  const char *file, *out = NULL, *camera = NULL;
  const char *table = NULL;
  double speed = NAN;
  LoadRequest request = {0};
  SweepRequest many = sweep_request_none();
  viva_sweep *sweep = NULL;
  const Option options[] = {
      {"-o", option_output, "FILE.html", "where to; - is standard output", &out, NULL},
      {"--steps", option_flag, NULL, "with the derivation of the equations", &o.steps, NULL},
      {"--apart", option_flag, NULL, "of a family: a grid of panels, one for each member", &o.apart, NULL},
      {"--speed", option_number, "S", "of the animation, times as fast as the clock (1)", &speed, NULL},
      {"--camera", option_text, "X,Y,Z", "from where a drawing in space is seen, as `camera [x, y, z]`", &camera, NULL},
      {"--drive", option_flag, NULL, "positions along the `drive` lines, in the place of a run", &o.drive, NULL},
      {"--to", option_number, "T", "end time in seconds", &o.run.to, NULL},
      {"--step", option_number, "H", "step of a fixed-step method, and spacing of the rows", &o.run.step, NULL},
      {"--every", option_number, "DT", "spacing of the rows, if not the step", &o.run.every, NULL},
      {"--method", option_text, "NAME", "as in `viva run`", &o.run.method, run_methods},
      {"--path", option_text, "U:Y", "show the analysis of this path, as of `viva analyze`", &o.path, NULL},
      {"--open", option_text, "SIGNAL", "show the analysis of the loop that is cut there", &o.open, NULL},
      {"--over", option_text, "K=RANGE", "with the root locus along a parameter", &o.over, NULL},
      SWEEP_OPTIONS(many),
      {"--sweep", option_input, "TABLE.csv", "show the table of a sweep, as `viva sweep --out` wrote it", &table, NULL},
      {"--rtol", option_number, "R", "relative tolerance of an adaptive method (1e-11)", &o.run.rtol, NULL},
      {"--atol", option_number, "A", "absolute tolerance", &o.run.atol, NULL},
      LOAD_OPTIONS(request),
  };
  int status = read_options(&verb_report, options, sizeof options / sizeof *options, argc, argv, &file);
  if (status < 0) status = check_out(out);
  if (status < 0 && !isnan(speed) && !(speed > 0 && speed <= 1e6)) {
    complain("`--speed` needs a positive number");
    status = exit_input;
  }
  if (status < 0) status = read_camera(camera, o.camera);
  o.speed = isnan(speed) ? 0 : speed;
  viva_load_options load = load_options(&request);
  viva_model *model = NULL;
  Taps taps;
  find_taps(o.path, o.open, NULL, &taps);
  load.taps = taps.names;
  load.tap_count = taps.count;
  if (status < 0) status = load_model(file, &load, &model);
  if (status < 0) status = refuse_crowd(model);
  if (status < 0) status = check_camera(model, camera, o.camera);
  if (status < 0) status = make_sweep(model, &o, &many, table, &sweep);
  o.sweep = sweep;
  if (status < 0) status = report(model, &o, out);
  viva_sweep_free(sweep);
  viva_model_free(model);
  sweep_request_free(&many);
  free_load(&request);
  free_taps(&taps);
  return status;
}

const Verb verb_report = {
    .name = "report",
    .usage = "viva report FILE -o PAGE.html [options]",
    .about = "one page with equations, plots, animation",
    .main = report_main,
    .files = 1,
};

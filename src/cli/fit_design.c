// Optimal experiment design. See fit_design.h.
#include "cli/fit_design.h"

#include "cli/message.h"
#include "cli/motion.h"
#include "cli/outputs.h"
#include "cli/verb.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int design_check_none(const DesignRequest *w, const viva_fit_options *o) {
  const char *said = w->vary.count          ? "--vary"
                     : w->cases             ? "--cases"
                     : w->samples           ? "--samples"
                     : !isnan(o->run.every) ? "--every"
                                            : NULL;
  if (said) complain("`%s` is of `--design`, the choice of an experiment", said);
  return said ? exit_input : -1;
}

// "push, pull" cut into names; *text holds them. NULL: out of memory.
static const char **split_cases(const char *list, char **text, size_t *count) {
  size_t length = strlen(list);
  const char **names = malloc((length + 1) * sizeof *names);
  *text = malloc(length + 1);
  *count = 0;
  if (!names || !*text) {
    free(names);
    free(*text);
    *text = NULL;
    return NULL;
  }
  memcpy(*text, list, length + 1);
  for (char *s = *text; *s;) {
    size_t word = strcspn(s, ", ");
    bool last = !s[word];
    s[word] = 0;
    if (word) names[(*count)++] = s;
    s += word + !last;
  }
  return names;
}

static int show_choice(const viva_model *model, viva_experiments_options *o, bool json) {
  RunWatch watch;
  viva_experiments *x = NULL;
  watch_run(&watch, &o->run);
  o->progress = show_candidates;
  viva_status done = viva_experiments_choose(model, o, &x);
  watch_end(&watch);
  if (viva_experiments_message(x)) show_message(viva_experiments_message(x));
  if (done == VIVA_ENOMEM) complain("%s", viva_status_text(done));
  if (done == VIVA_EINTERRUPTED) complain("interrupted");
  const char *summary = viva_experiments_summary(x, json ? VIVA_FORMAT_JSON : VIVA_FORMAT_TEXT);
  if (json && *summary) json_printed();
  fputs(summary, stdout);
  viva_experiments_free(x);
  int flushed = finish_output();
  if (done == VIVA_OK) return flushed;
  return done == VIVA_EINPUT ? exit_input : exit_failed;
}

int design_experiment(const viva_model *model, const viva_fit_options *fit, const DesignRequest *w, bool json) {
  viva_experiments_options o = viva_experiments_defaults();
  char *text = NULL;
  const char **cases = w->cases ? split_cases(w->cases, &text, &o.case_count) : NULL;
  if (w->cases && !cases) {
    complain("out of memory");
    return exit_failed;
  }
  o.run.to = fit->run.to;
  o.run.every = fit->run.every;
  o.run.rtol = fit->run.rtol;
  o.run.atol = fit->run.atol;
  o.vary = (const char *const *)w->vary.items;
  o.vary_count = w->vary.count;
  o.cases = cases;
  o.samples = w->samples;
  int status = show_choice(model, &o, json);
  free(cases);
  free(text);
  return status;
}

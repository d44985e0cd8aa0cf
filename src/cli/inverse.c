// Inverse dynamics (`viva run --inverse`): the forces for a prescribed trajectory, as a summary and a table.
#include "cli/inverse.h"

#include "cli/message.h"
#include "cli/motion.h"
#include "cli/outputs.h"
#include "cli/verb.h"

#include <stdio.h>

static int find_forces(const viva_model *model, viva_run_options o, const InverseRequest *w, viva_csv **csv) {
  RunWatch watch;
  viva_sink sink = viva_csv_sink(*csv);
  viva_inverse *v = NULL;
  watch_run(&watch, &o);
  viva_status done = viva_inverse_model(model, w->motion, &o, &sink, &v);
  watch_end(&watch);
  if (viva_inverse_message(v)) show_message(viva_inverse_message(v));
  if (done == VIVA_ENOMEM) complain("%s", viva_status_text(done));
  bool kept = false, to_stdout = is_stdout(w->out);
  int saved = *csv ? save_table(csv, w->out, done, &kept) : -1;
  FILE *words = to_stdout ? stderr : stdout;
  const char *summary = viva_inverse_summary(v, w->json ? VIVA_FORMAT_JSON : VIVA_FORMAT_TEXT);
  if (w->json && *summary) json_printed();
  if (!(to_stdout && done == VIVA_EIO)) fputs(summary, words);
  if (!w->json && kept && !to_stdout) printf("  table        %s\n", w->out);
  viva_inverse_free(v);
  int status = done == VIVA_OK ? exit_done : done == VIVA_EINPUT ? exit_input : exit_failed;
  return saved >= 0 ? saved : status;
}

int run_inverse(const viva_model *model, const viva_run_options *options, const InverseRequest *w) {
  viva_csv *csv = NULL;
  int status = w->out ? open_table("--out", w->out, &csv) : -1;
  if (status < 0) {
    status = find_forces(model, *options, w, &csv);
    int flushed = finish_output();
    if (status == exit_done) status = flushed;
  }
  discard_table(&csv);
  return status;
}

// A family: its members run one after another. One summary a member, and one table with what varies right after t.
#define _POSIX_C_SOURCE 200809L
#include "cli/family.h"

#include "base/number.h"
#include "cli/message.h"
#include "cli/motion.h"
#include "cli/outputs.h"
#include "cli/picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Takes the rows of all members and puts the varied values into them.
typedef struct Rows {
  viva_sink table;         // where they go; empty: nowhere
  const viva_model *model; // the present member
  char **names;            // of the first member's columns, for comparison
  bool *skip;              // columns that show what varies once more
  size_t count;
  double *row;
  bool different, no_memory;
} Rows;

static bool keep_names(Rows *r, const char *const *names, size_t count) {
  r->names = calloc(count, sizeof *r->names);
  r->skip = calloc(count, sizeof *r->skip);
  r->row = calloc(count + viva_model_varied_count(r->model), sizeof *r->row);
  r->no_memory = !r->names || !r->skip || !r->row;
  for (size_t i = 0; i < count && !r->no_memory; i++) {
    r->names[i] = strdup(names[i]);
    r->no_memory = !r->names[i];
    r->count = i + 1;
    for (size_t k = 0; k < viva_model_varied_count(r->model); k++)
      r->skip[i] = r->skip[i] || strcmp(names[i], viva_model_varied_name(r->model, k)) == 0;
  }
  return !r->no_memory;
}

static bool take_header(void *self, const char *const *names, size_t count) {
  Rows *r = self;
  if (r->names) {
    r->different = count != r->count;
    for (size_t i = 0; i < count && !r->different; i++) r->different = strcmp(names[i], r->names[i]) != 0;
    return !r->different;
  }
  size_t varied = viva_model_varied_count(r->model);
  const char **all = calloc(count + varied, sizeof *all);
  r->no_memory = !all;
  bool ok = all && keep_names(r, names, count);
  if (ok) {
    size_t k = 0;
    all[k++] = names[0];
    for (size_t i = 0; i < varied; i++) all[k++] = viva_model_varied_name(r->model, i);
    for (size_t i = 1; i < count; i++) {
      if (!r->skip[i]) all[k++] = names[i];
    }
    ok = !r->table.header || r->table.header(r->table.self, all, k);
  }
  free(all);
  return ok;
}

static bool take_row(void *self, const double *values, size_t count) {
  Rows *r = self;
  if (!r->table.row) return true;
  size_t varied = viva_model_varied_count(r->model), k = 0;
  r->row[k++] = values[0];
  for (size_t i = 0; i < varied; i++) r->row[k++] = viva_model_varied_value(r->model, i);
  for (size_t i = 1; i < count; i++) {
    if (!r->skip[i]) r->row[k++] = values[i];
  }
  return r->table.row(r->table.self, r->row, k);
}

static void free_rows(Rows *r) {
  for (size_t i = 0; i < r->count; i++) free(r->names[i]);
  free(r->names);
  free(r->skip);
  free(r->row);
}

static void put_text(FILE *to, const viva_model *model, size_t member, const char *summary) {
  for (size_t i = 0; i < viva_model_varied_count(model); i++) {
    fprintf(to, "%s%s = %.6g", i ? ", " : "", viva_model_varied_name(model, i), viva_model_varied_value(model, i));
  }
  fprintf(to, " (%zu of %zu)\n%s", member + 1, viva_model_member_count(model), summary);
}

// {"values": {"tau": 1}, and then what the summary has
static void put_json(FILE *to, const viva_model *model, size_t member, const char *summary) {
  fputs(member ? ", {\"values\": {" : "{\"family\": [{\"values\": {", to);
  for (size_t i = 0; i < viva_model_varied_count(model); i++) {
    fprintf(to, "%s\"%s\": ", i ? ", " : "", viva_model_varied_name(model, i));
    char number[number_text_size] = "null";
    double value = viva_model_varied_value(model, i);
    if (isfinite(value)) number_print(value, number);
    fputs(number, to);
  }
  size_t length = strlen(summary);
  while (length && summary[length - 1] == '\n') length--;
  fprintf(to, "}, %.*s", (int)(length - 1), summary + 1);
}

// Runs with a figure of its own, whose curves go to the family's.
static viva_status run_drawn(const viva_model *model, viva_run_options o, const viva_sink *sink,
                             const viva_figure_options *drawing, viva_run **run) {
  viva_figure *all = o.figure, *own = NULL;
  if (!all) return run_watched(model, &o, sink, run);
  viva_status done = viva_figure_new(model, drawing, &own);
  if (done != VIVA_OK) {
    figure_failed(own, done);
  } else {
    o.figure = own;
    done = run_watched(model, &o, sink, run);
    if (done == VIVA_OK || done == VIVA_EFAIL) {
      viva_status taken = viva_figure_overlay(all, own);
      if (taken != VIVA_OK) done = taken;
    }
  }
  viva_figure_free(own);
  return done;
}

static viva_status run_member(const CliFamily *f, Rows *rows, const viva_model *model, size_t member, FILE *to) {
  rows->model = model;
  viva_sink sink = {rows, take_header, f->out ? take_row : NULL}; // without a table pictures have rows enough
  viva_run *run = NULL;
  viva_status done = run_drawn(model, *f->run, &sink, f->drawing, &run);
  const char *summary = viva_run_summary(run, f->json ? VIVA_FORMAT_JSON : VIVA_FORMAT_TEXT);
  if (rows->different) {
    complain("the members of the family have different columns");
    hint("show with `output` what all of them have");
    done = VIVA_EINPUT;
  } else if (rows->no_memory) {
    complain("%s", viva_status_text(VIVA_ENOMEM));
    done = VIVA_ENOMEM;
  } else if (*summary) {
    (f->json ? put_json : put_text)(to, model, member, summary);
  }
  viva_run_free(run);
  return done;
}

static viva_status run_members(const CliFamily *f, Rows *rows, FILE *to) {
  viva_status worst = VIVA_OK;
  size_t members = viva_model_member_count(f->first);
  viva_model *before = NULL; // the member before: where both differ in numbers alone, nothing is read again
  for (size_t i = 0; i < members; i++) {
    viva_model *own = NULL;
    int status = i ? take_model(viva_model_member(before ? before : f->first, i, &own), false, &own) : -1;
    viva_status done = status >= 0 ? (status == exit_input ? VIVA_EINPUT : VIVA_ENOMEM)
                                   : run_member(f, rows, own ? own : f->first, i, to);
    viva_model_free(before);
    before = own;
    // a member that fails half way leaves the others their turn
    if (done != VIVA_OK) worst = done;
    if (done != VIVA_OK && done != VIVA_EFAIL) break;
  }
  viva_model_free(before);
  return worst;
}

int run_family(const CliFamily *f) {
  viva_csv *csv = NULL;
  int opened = f->out ? open_table(f->out, &csv) : -1;
  if (opened >= 0) return opened;
  bool to_stdout = is_stdout(f->out), kept = false;
  // JSON is one thing: it appears when it is complete
  char *buffer = NULL;
  size_t length = 0;
  FILE *to = f->json ? open_memstream(&buffer, &length) : to_stdout ? stderr : stdout;
  Rows rows = {.table = viva_columns_sink(f->columns, viva_csv_sink(csv))};
  viva_status done = to ? run_members(f, &rows, to) : VIVA_ENOMEM;
  int saved = csv ? save_table(&csv, f->out, done, &kept) : -1;
  if (f->json && to) {
    fclose(to);
    if (buffer && length && done != VIVA_EINPUT) json_printed(), fprintf(to_stdout ? stderr : stdout, "%s]}\n", buffer);
    free(buffer);
  }
  if (!f->json && kept && !to_stdout) printf("table        %s\n", f->out);
  free_rows(&rows);
  int status = done == VIVA_OK ? exit_done : done == VIVA_EINPUT ? exit_input : exit_failed;
  if (saved >= 0) status = saved;
  int flushed = finish_output();
  return status == exit_done ? flushed : status;
}

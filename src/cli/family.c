// A family: its members run side by side, some dozens at a time. One summary a member, and one table whose columns of
// varied values stand right after t.
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

// ---- some members at a time

enum { group_size = 64 }; // whose rows may wait

typedef struct Member {
  Rows *rows;
  viva_model *own; // NULL: the first one
  const viva_model *model;
  viva_figure *figure; // whose curves go to the family's; NULL: none
} Member;

typedef struct Group {
  size_t first, count;
  Member members[group_size];
  const viva_model *models[group_size];
  viva_run_options options[group_size];
  viva_sink sinks[group_size];
  viva_run *runs[group_size];
  viva_status states[group_size];
  viva_status stopped; // why there are not more of them; VIVA_OK: they are all
} Group;

static bool member_header(void *self, const char *const *names, size_t count) {
  const Member *m = self;
  m->rows->model = m->model;
  return take_header(m->rows, names, count);
}

static bool member_row(void *self, const double *values, size_t count) {
  const Member *m = self;
  m->rows->model = m->model;
  return take_row(m->rows, values, count);
}

// One more member. False: it cannot be read or drawn, which was said.
static bool add_member(const CliFamily *f, Group *g, Rows *rows, const viva_model *before) {
  size_t k = g->count, number = g->first + k;
  Member *m = &g->members[k];
  *m = (Member){.rows = rows, .model = f->first};
  if (number) {
    viva_status made = viva_model_member(before, number, &m->own);
    if (made != VIVA_OK && k) { // its message is shown when the next group begins with it
      viva_model_free(m->own);
      return false;
    }
    int status = take_model(made, false, &m->own);
    g->stopped = status < 0 ? VIVA_OK : status == exit_input ? VIVA_EINPUT : VIVA_ENOMEM;
    if (status >= 0) return false;
    m->model = m->own;
  }
  g->count++;
  g->models[k] = m->model;
  g->options[k] = *f->run;
  g->sinks[k] = (viva_sink){m, member_header, f->out ? member_row : NULL}; // without a table pictures have rows enough
  if (!f->run->figure) return true;
  g->stopped = viva_figure_new(m->model, f->drawing, &m->figure);
  if (g->stopped != VIVA_OK) figure_failed(m->figure, g->stopped);
  g->options[k].figure = m->figure;
  return g->stopped == VIVA_OK;
}

// What is said of a member that was run.
static viva_status end_member(const CliFamily *f, Group *g, size_t k, Rows *rows, FILE *to) {
  const Member *m = &g->members[k];
  bool last = rows->model == m->model; // whose rows came last: what is wrong with them is its own
  viva_status done = g->states[k];
  const char *message = viva_run_message(g->runs[k]);
  if (message) show_message(message);
  if (done == VIVA_ENOMEM && !(last && rows->no_memory)) complain("%s", viva_status_text(done));
  if (m->figure && (done == VIVA_OK || done == VIVA_EFAIL)) {
    viva_status taken = viva_figure_overlay(f->run->figure, m->figure);
    if (taken != VIVA_OK) done = taken;
  }
  const char *summary = viva_run_summary(g->runs[k], f->json ? VIVA_FORMAT_JSON : VIVA_FORMAT_TEXT);
  if (last && rows->different) {
    complain("the members of the family have different columns");
    hint("show with `output` what all of them have");
    done = VIVA_EINPUT;
  } else if (last && rows->no_memory) {
    complain("%s", viva_status_text(VIVA_ENOMEM));
    done = VIVA_ENOMEM;
  } else if (*summary) {
    (f->json ? put_json : put_text)(to, m->model, g->first + k, summary);
  }
  return done;
}

// A member that fails half way does not end the others.
static bool ends_all(viva_status done) { return done != VIVA_OK && done != VIVA_EFAIL; }

static viva_status run_group(const CliFamily *f, Group *g, Rows *rows, FILE *to) {
  viva_status worst = VIVA_OK;
  RunWatch watch;
  viva_run_options told = *f->run;
  watch_run(&watch, &told);
  for (size_t k = 0; k < g->count; k++) {
    g->options[k].self = told.self;
    g->options[k].interrupted = told.interrupted;
    g->options[k].progress = told.progress;
  }
  viva_status status = viva_run_members(g->models, g->count, g->options, g->sinks, g->runs, g->states);
  watch_end(&watch);
  if (status != VIVA_OK) return status;
  for (size_t k = 0; k < g->count && !ends_all(worst); k++) {
    viva_status done = end_member(f, g, k, rows, to);
    if (done != VIVA_OK) worst = done;
  }
  return worst;
}

static void clear_group(Group *g, const viva_model *kept) {
  for (size_t k = 0; k < g->count; k++) {
    viva_run_free(g->runs[k]);
    viva_figure_free(g->members[k].figure);
    if (g->members[k].own != kept) viva_model_free(g->members[k].own);
  }
}

static viva_status run_members(const CliFamily *f, Rows *rows, FILE *to) {
  viva_status worst = VIVA_OK;
  size_t members = viva_model_member_count(f->first);
  viva_model *before = NULL; // the member before: where both differ in numbers alone, nothing is read again
  Group *g = calloc(1, sizeof *g);
  if (!g) return VIVA_ENOMEM;
  for (size_t first = 0; first < members && !ends_all(worst); first += g->count) {
    *g = (Group){.first = first};
    const viva_model *last = before ? before : f->first;
    while (g->count < group_size && first + g->count < members && add_member(f, g, rows, last))
      last = g->models[g->count - 1];
    viva_status stopped = g->stopped, done = g->count ? run_group(f, g, rows, to) : VIVA_OK;
    viva_model *kept = g->count ? g->members[g->count - 1].own : NULL;
    if (done != VIVA_OK) worst = done;
    if (!ends_all(worst) && stopped != VIVA_OK) worst = stopped;
    clear_group(g, kept);
    viva_model_free(before);
    before = kept;
  }
  viva_model_free(before);
  free(g);
  return worst;
}

int run_family(const CliFamily *f) {
  viva_csv *csv = NULL;
  int opened = f->out ? open_table("--out", f->out, &csv) : -1;
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

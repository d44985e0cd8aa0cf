// Sweeps from the outside: options --sweep_read.c--> design --sim/sweep.c--> samples --sweep_file.c--> table, summary.
#include "api/sweep_ranks.h"

#include "sim/indices.h"

#include <math.h>
#include <string.h>

viva_sweep_options viva_sweep_defaults(void) { return (viva_sweep_options){.run = viva_run_defaults(), .seed = 1}; }

bool sweep_take_end(viva_sweep *x, uint64_t i, const double *values, const EnsembleEnd *end) {
  if (!sweep_put(x, i, values, end)) return false;
  if (x->o.progress && (i % 64 == 0 || i + 1 == x->count)) x->o.progress(x->o.run.self, i + 1, x->count);
  return true;
}

static bool take(void *self, uint64_t i, const double *values, const EnsembleEnd *end) {
  viva_sweep *x = self;
  return x->ranks ? sweep_ranks_take(x->ranks, i, end) : sweep_take_end(x, i, values, end);
}

bool sweep_take_row(viva_sweep *x, uint64_t i, double t, const double *columns) {
  uint32_t count = x->program->columns.shown;
  if (x->view && !sweep_view_row(x->view, t, columns)) return false;
  if (!x->o.rows.row) return true;
  if (!x->row) {
    x->row = arena_array(x->arena, (size_t)count + 2, sizeof *x->row);
    const char **names = arena_array(x->arena, (size_t)count + 2, sizeof *names);
    if (!x->row || !names) return false;
    names[0] = "index";
    names[1] = "t";
    for (uint32_t k = 0; k < count; k++) names[2 + k] = x->program->columns.names[k];
    if (x->o.rows.header && !x->o.rows.header(x->o.rows.self, names, (size_t)count + 2)) return false;
  }
  x->row[0] = (double)i;
  x->row[1] = t;
  memcpy(x->row + 2, columns, count * sizeof *columns);
  if (x->o.rows.row(x->o.rows.self, x->row, (size_t)count + 2)) return true;
  x->failure = VIVA_EIO;
  return false;
}

static bool send_row(void *self, uint64_t i, double t, const double *columns) {
  viva_sweep *x = self;
  return x->ranks ? sweep_ranks_row(x->ranks, t, columns) : sweep_take_row(x, i, t, columns);
}

// Without others all samples that are not there yet are one part.
static bool next_part(void *self, uint64_t *from, uint64_t *end) {
  viva_sweep *x = self;
  if (x->ranks) return sweep_ranks_next(x->ranks, from, end);
  *from = x->rows;
  *end = x->count;
  return x->rows < x->count;
}

// The program is known before the first sample: the table is opened with it, and may hold rows already.
static bool begin_table(void *self, const SimProgram *p) {
  viva_sweep *x = self;
  x->program = p;
  if (!sweep_begin(x, p)) return false;
  if (x->ranks) sweep_ranks_begin(x->ranks);
  return true;
}

static SweepResult run_samples(viva_sweep *x, Diags *diags) {
  SweepSettings s = {.run = run_settings(&x->o.run),
                     .names = x->names,
                     .name_count = x->design.grid_count + x->design.random_count,
                     .design = &x->design,
                     .count = x->count,
                     .threads = x->o.threads,
                     .self = x,
                     .take = take,
                     .row = x->o.rows.row || x->o.fan ? send_row : NULL,
                     .begin = begin_table,
                     .next = next_part};
  s.run.energy = s.run.all = s.run.check_step = s.run.save = false;
  s.run.measures = &x->job.set;
  return sweep_run(x->arena, &x->job.over, &s, diags);
}

static bool find_indices(viva_sweep *x) {
  uint32_t n = x->random.count, measures = x->job.set.items.count, width = 2 + n;
  size_t draws = (size_t)(x->rows / width);
  if (!x->values || draws < 2) return true;
  SobolIndex *all = arena_array(x->arena, (size_t)n * measures + 1, sizeof *all);
  double *one = arena_array(x->arena, draws * width + 1, sizeof *one);
  if (!all || !one) return false;
  for (uint32_t m = 0; m < measures; m++) {
    for (size_t i = 0; i < draws * width; i++) one[i] = x->values[i * measures + m];
    if (!indices_find(one, draws, n, x->o.seed, all + (size_t)m * n)) return false;
  }
  x->shown.indices = all;
  return true;
}

bool sweep_summarize(viva_sweep *x) {
  Text text = text_in(x->arena), json = text_in(x->arena);
  TallyStatistics *all = arena_array(x->arena, (size_t)x->shown.measure_count + 1, sizeof *all);
  if (!all) return false;
  for (uint32_t i = 0; i < x->shown.measure_count; i++) all[i] = tally_statistics(&x->tally, i);
  x->shown.statistics = all;
  show_sweep_text(&x->shown, &text);
  show_sweep_json(&x->shown, &json);
  x->summary[0] = text_str(&text);
  x->summary[1] = text_str(&json);
  return !arena_failed(x->arena);
}

static bool summarize(viva_sweep *x, const SweepResult *r) {
  if (!find_indices(x)) return false;
  SweepSummary *s = &x->shown;
  uint32_t measures = x->job.set.items.count;
  const char **texts = arena_array(x->arena, (size_t)measures + 1, sizeof *texts);
  if (!texts) return false;
  for (uint32_t i = 0; i < measures; i++) texts[i] = x->job.set.items.items[i].text;
  s->measures = texts;
  s->measure_count = measures;
  s->tally = &x->tally;
  s->design = &x->design;
  s->names = x->names;
  s->name_count = x->design.grid_count + x->design.random_count;
  s->count = x->count;
  s->rows = x->rows;
  s->result = r;
  s->kept = x->o.path && strcmp(x->o.path, "-") != 0;
  s->failure = x->first_message;
  if (x->view) x->view->indices = s->indices;
  s->ranks = viva_ranks_count(x->o.ranks);
  s->absent = x->absent;
  s->indices_of = x->random.count;
  return sweep_summarize(x);
}

// Are there samples, and neither a run that came to its end nor a measure with a value?
static bool has_no_value(const viva_sweep *x) {
  bool none = x->shown.measure_count > 0;
  for (uint32_t i = 0; i < x->shown.measure_count; i++) none = none && x->shown.statistics[i].count == 0;
  return x->rows > 0 && (none || x->tally.failed == x->rows);
}

static viva_status finish(viva_sweep *x, const SweepResult *r, const Diags *diags) {
  Diag trouble = {.message = x->trouble, .hint = x->hint};
  bool nothing = x->failure == VIVA_OK && r->status == run_done && has_no_value(x);
  if (nothing) {
    trouble.message = x->tally.failed == x->rows ? "every sample failed" : "no sample has a value";
    trouble.hint = "`viva run` with the values of one of them says more";
  }
  x->message = messages_text(x->arena, diags->sources, diags, trouble.message ? &trouble : NULL);
  if (x->failure != VIVA_OK || nothing) return nothing ? VIVA_EFAIL : x->failure;
  return run_status(r->status);
}

static viva_status run(viva_sweep *x) {
  SweepResult r = {.status = run_no_memory};
  Diags *diags = &x->job.scope.model.diags;
  if (!sweep_read(x)) return VIVA_ENOMEM;
  if (diags->errors) {
    r.status = run_input;
    if (x->ranks) sweep_ranks_end(x->ranks, &x->absent);
    return finish(x, &r, diags);
  }
  bool leads = !x->ranks || sweep_ranks_leads(x->ranks), open = !leads || sweep_open(x);
  if (open) r = run_samples(x, diags);
  if (x->ranks) sweep_ranks_end(x->ranks, &x->absent);
  if (x->ranks && r.status == run_done && sweep_ranks_interrupted(x->ranks)) r.status = run_interrupted;
  if (!leads) return VIVA_OK;
  if (open) {
    sweep_close(x, r.status == run_done && x->rows == x->count && !x->trouble);
    diag_sort(diags);
    if (r.settled.method && r.status != run_no_memory && !summarize(x, &r)) return VIVA_ENOMEM;
  }
  if (r.status == run_no_memory && x->failure == VIVA_OK) return VIVA_ENOMEM;
  return finish(x, &r, diags);
}

viva_status viva_sweep_model(const viva_model *model, const viva_sweep_options *o, viva_sweep **out) {
  if (!out) return VIVA_EUSAGE;
  *out = NULL;
  if (!o || ((o->rows.row || o->fan) && o->resume) || (o->fan && !o->pictures) || o->sampling > VIVA_SAMPLING_SOBOL)
    return VIVA_EUSAGE;
  viva_status status = model_status(model);
  if (status != VIVA_OK) return status;
  viva_sweep *x = handle_new(sizeof *x);
  if (!x) return VIVA_ENOMEM;
  x->line = arena_new();
  x->model = model;
  x->o = *o;
  x->summary[0] = x->summary[1] = "";
  const Ranks *ranks = ranks_take(o->ranks);
  if (ranks) x->ranks = sweep_ranks_new(x, ranks);
  if (ranks && !x->o.threads) x->o.threads = ranks_threads(ranks);
  status = x->line && (!ranks || x->ranks) ? run(x) : VIVA_ENOMEM;
  sweep_ranks_free(x->ranks);
  x->ranks = NULL;
  tally_clear(&x->tally);
  status = settle_status(x->arena, status, &x->message);
  if (status == VIVA_ENOMEM) viva_sweep_free(x);
  else *out = x;
  return status;
}

void viva_sweep_free(viva_sweep *x) {
  if (!x) return;
  growing_close(x->file);
  growing_close(x->old);
  sweep_view_free(x->view);
  arena_free(x->line);
  handle_free(x);
}

const char *viva_sweep_summary(const viva_sweep *x, viva_format format) {
  if (!x || (format != VIVA_FORMAT_TEXT && format != VIVA_FORMAT_JSON)) return "";
  return x->summary[format == VIVA_FORMAT_JSON];
}
const char *viva_sweep_path(const viva_sweep *x) { return x ? x->path : NULL; }
const char *viva_sweep_message(const viva_sweep *x) { return x ? x->message : NULL; }
size_t viva_sweep_measure_count(const viva_sweep *x) { return x && x->shown.statistics ? x->shown.measure_count : 0; }
const char *viva_sweep_measure_name(const viva_sweep *x, size_t i) {
  return i < viva_sweep_measure_count(x) ? x->shown.measures[i] : NULL;
}
viva_statistics viva_sweep_statistics(const viva_sweep *x, size_t i) {
  viva_statistics s = {0, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
  if (i >= viva_sweep_measure_count(x)) return s;
  const TallyStatistics *t = &x->shown.statistics[i];
  return (viva_statistics){t->count, t->mean, t->sd, t->min, t->low, t->median, t->high, t->max};
}
uint64_t viva_sweep_count(const viva_sweep *x) { return x ? x->count : 0; }
uint64_t viva_sweep_done(const viva_sweep *x) { return x ? x->rows : 0; }
uint64_t viva_sweep_failed(const viva_sweep *x) { return x ? x->tally.failed : 0; }
uint64_t viva_sweep_passed(const viva_sweep *x) { return x ? x->tally.passed : 0; }

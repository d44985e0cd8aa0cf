// The table of a sweep: a head that says what it is of, a row a sample, in order.
//
//   # viva sweep, version 0.1.0
//   # model oscillation.viva HASH
//   # settings HASH
//   # kinds: index,grid [N/m],measure [m],status,message
//   index,k,max(x),status,message
//   0,0.5,1.25,done,
//
// The last line of a complete one is `# done, N samples`. Hashes are over all texts of the model, tables that it reads,
// and everything that the rows depend on.
#define _POSIX_C_SOURCE 200809L
#include "api/sweep_parts.h"

#include "base/file.h"
#include "base/outfile.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- what it is of

typedef struct Hash {
  uint64_t a, b;
} Hash;

// FNV-1a, twice with other starts.
static void hash_bytes(Hash *h, const void *bytes, size_t count) {
  const unsigned char *p = bytes;
  for (size_t i = 0; i < count; i++) {
    h->a = (h->a ^ p[i]) * 1099511628211u;
    h->b = (h->b ^ (p[i] + 0x5bu)) * 1099511628211u;
  }
}

static Hash hash_new(void) { return (Hash){14695981039346656037u, 7809847782465536322u}; }

static void hash_text(Hash *h, const char *s) { hash_bytes(h, s ? s : "", s ? strlen(s) + 1 : 1); }

static void hash_texts(Hash *h, const char *const *texts, size_t count) {
  hash_bytes(h, &(uint64_t){count}, sizeof(uint64_t));
  for (size_t i = 0; i < count; i++) hash_text(h, texts[i]);
}

static Hash hash_model(const viva_model *model) {
  const Model *m = &model->model;
  Hash h = hash_new();
  for (uint32_t i = 0; i < m->sources.list.count; i++)
    hash_bytes(&h, m->sources.list.items[i].text, m->sources.list.items[i].length + 1);
  for (uint32_t i = 0; i < m->tables.count; i++) {
    const SystemTable *t = &m->tables.items[i];
    hash_bytes(&h, t->x, t->count * sizeof *t->x);
    hash_bytes(&h, t->y, t->count * sizeof *t->y);
  }
  return h;
}

static Hash hash_settings(const viva_sweep *x, const SimProgram *p) {
  const Settled *s = &p->settled;
  const double numbers[] = {s->to, s->fixed ? s->step : 0, s->every, s->rtol, s->atol, (double)x->o.run.no_events};
  const uint64_t counts[] = {x->o.samples, (uint64_t)x->o.sampling, x->o.seed, x->o.indices, s->ode.most_steps};
  Hash h = hash_new();
  hash_texts(&h, x->o.vary, x->o.vary_count);
  hash_texts(&h, x->o.random, x->o.random_count);
  hash_text(&h, x->o.correlation);
  hash_texts(&h, x->job.texts, x->job.count);
  hash_texts(&h, x->o.where, x->o.where_count);
  hash_text(&h, s->method);
  hash_bytes(&h, numbers, sizeof numbers);
  hash_bytes(&h, counts, sizeof counts);
  hash_bytes(&h, p->values.params, p->param_count * sizeof *p->values.params);
  hash_bytes(&h, p->values.start, p->y.count * sizeof *p->values.start);
  return h;
}

// ---- rows

static void put_cell(Text *t, const char *s) {
  if (!strpbrk(s, ",\"\n\r")) {
    text_put(t, s);
    return;
  }
  text_putc(t, '"');
  for (; *s; s++) {
    if (*s == '"') text_putc(t, '"');
    text_putc(t, *s == '\n' || *s == '\r' ? ' ' : *s);
  }
  text_putc(t, '"');
}

const char *sweep_model_line(Arena *arena, const viva_model *model) {
  Hash h = hash_model(model);
  const Source *file = &model->model.sources.list.items[0];
  const char *name = strrchr(file->name, '/');
  return arena_printf(arena, "# model %s %016llx%016llx", name ? name + 1 : file->name, (unsigned long long)h.a,
                      (unsigned long long)h.b);
}

// "grid [N/m]"; a comma in a unit would be another column.
static void put_kind(Text *t, const SweepColumn *c) {
  text_putc(t, ',');
  text_put(t, sweep_kind_word(c->kind));
  if (c->unit && *c->unit && !strpbrk(c->unit, ",\"\n\r")) text_printf(t, " [%s]", c->unit);
}

static bool make_head(viva_sweep *x, const SimProgram *p) {
  Hash settings = hash_settings(x, p);
  uint32_t count;
  const SweepColumn *columns = sweep_columns(x, &count);
  if (!columns) return false;
  x->head[0] = "# viva sweep, version " VIVA_VERSION;
  x->head[1] = sweep_model_line(x->arena, x->model);
  x->head[2] = arena_printf(x->arena, "# settings %016llx%016llx", (unsigned long long)settings.a,
                            (unsigned long long)settings.b);
  Text kinds = text_in(x->arena), names = text_in(x->arena);
  text_put(&kinds, "# kinds: index");
  text_put(&names, "index");
  for (uint32_t i = 0; i < count; i++) {
    put_kind(&kinds, &columns[i]);
    text_putc(&names, ',');
    put_cell(&names, columns[i].name);
  }
  text_put(&kinds, ",status,message");
  text_put(&names, ",status,message");
  x->head[3] = text_str(&kinds);
  x->head[4] = text_str(&names);
  return !arena_failed(x->arena);
}

static bool fails(viva_sweep *x, viva_status status, const char *trouble, const char *hint) {
  x->failure = status;
  x->trouble = trouble;
  x->hint = hint;
  return false;
}

static bool cannot_write(viva_sweep *x, int error) {
  const char *hint = x->rows ? "what is finished stands in it: make room, then `--resume`" : NULL;
  return fails(x, VIVA_EIO, arena_printf(x->arena, "\"%s\" cannot be written: %s", x->path, strerror(error)),
               error == ENOSPC || error == EDQUOT ? hint : NULL);
}

static bool put_text(viva_sweep *x, const char *text, size_t length) {
  return !x->file || growing_write(x->file, text, length) || cannot_write(x, growing_error(x->file));
}

void sweep_row_print(const SweepRow *row, SweepWidth width, Text *out) {
  text_printf(out, "%llu", (unsigned long long)row->index);
  for (uint32_t k = 0; k < width.varied; k++) {
    text_putc(out, ',');
    text_number(out, row->values[k]);
  }
  for (uint32_t k = 0; k < width.measures; k++) {
    text_putc(out, ',');
    if (row->measures && !isnan(row->measures[k])) text_number(out, row->measures[k]);
  }
  text_printf(out, ",%s,", row->status);
  put_cell(out, row->message);
}

// The last cell, with its quotes taken away.
static const char *cell_text(Arena *arena, const char *s) {
  Text t = text_in(arena);
  bool quoted = *s == '"';
  for (s += quoted; *s && !(quoted && *s == '"' && s[1] != '"'); s++) {
    if (quoted && *s == '"') s++;
    text_putc(&t, *s);
  }
  return text_str(&t);
}

bool sweep_row_read(Arena *arena, const char *line, SweepWidth width, double *values, double *measures, SweepRow *row) {
  static const char *const words[] = {"done", "failed", "refused"};
  char *end;
  double index = number_parse(line, &end);
  if (!(index >= 0 && index < 1e15) || *end != ',') return false;
  *row = (SweepRow){.index = (uint64_t)index, .values = values};
  for (uint32_t k = 0; k < width.varied; k++) {
    values[k] = number_parse(end + 1, &end);
    if (*end != ',' || !isfinite(values[k])) return false;
  }
  bool any = false, all = true; // measures with a value
  for (uint32_t k = 0; k < width.measures; k++) {
    bool empty = end[1] == ',';
    measures[k] = empty ? NAN : number_parse(end + 1, &end);
    if (empty) end++;
    if (*end != ',' || (!empty && isnan(measures[k]))) return false;
    any = any || !empty;
    all = all && !empty;
  }
  for (int i = 0; i < 3; i++) {
    size_t n = strlen(words[i]);
    if (strncmp(end + 1, words[i], n) == 0 && end[1 + n] == ',') row->status = words[i];
  }
  if (!row->status) return false;
  bool done = row->status == words[0];
  if (any && !done) return false;
  if (done) row->measures = measures;
  row->message = cell_text(arena, end + 1 + strlen(row->status) + 1);
  if (done && !all && !*row->message) return false; // a cell was lost
  // the same row written again is the same text: nothing was changed, added or lost
  Text again = text_in(arena);
  sweep_row_print(row, width, &again);
  return !arena_failed(arena) && strcmp(text_str(&again), line) == 0;
}

static SweepWidth width_of(const viva_sweep *x) {
  return (SweepWidth){x->design.grid_count + x->design.random_count, x->job.set.items.count};
}

// The first measure without a value; NULL: all have one.
static const char *missing_measure(const viva_sweep *x, const double *measures) {
  for (uint32_t k = 0; k < x->job.set.items.count; k++) {
    if (isnan(measures[k])) return x->job.set.items.items[k].text;
  }
  return NULL;
}

static SweepRow row_of(const viva_sweep *x, uint64_t i, const double *values, const EnsembleEnd *end) {
  SweepRow row = {.index = i, .values = values, .status = "failed", .message = end->message};
  if (end->status == run_input) row.status = "refused";
  if (end->status == run_done && end->measures) {
    const char *missing = missing_measure(x, end->measures);
    row.status = "done";
    row.measures = end->measures;
    if (!row.message) row.message = missing ? arena_printf(x->line, "%s has no value", missing) : "";
  } else if (!row.message) {
    row.message = end->status == run_input
                      ? "a value is not finite, or not allowed"
                      : "an output or a measure has no value: `viva run` with these values says which";
  }
  if (!row.message) row.message = ""; // out of memory: x->line has failed
  return row;
}

// What is known of a sample goes into statistics and pictures.
static bool count_row(viva_sweep *x, const SweepRow *row) {
  uint32_t measures = x->job.set.items.count;
  tally_take(&x->tally, row->index, row->measures);
  for (uint32_t k = 0; x->values && k < measures; k++)
    x->values[row->index * measures + k] = row->measures ? row->measures[k] : NAN;
  if (!row->measures && !x->first_message) x->first_message = arena_printf(x->arena, "%s", row->message);
  x->rows = row->index + 1;
  return sweep_view_end(x, row->values, row->measures) || fails(x, VIVA_ENOMEM, NULL, NULL);
}

bool sweep_put(viva_sweep *x, uint64_t i, const double *values, const EnsembleEnd *end) {
  ArenaMark mark = arena_mark(x->line);
  Text t = text_in(x->line);
  SweepRow row = row_of(x, i, values, end);
  bool ok = count_row(x, &row);
  if (ok && x->file) {
    sweep_row_print(&row, width_of(x), &t);
    text_putc(&t, '\n');
    ok = !arena_failed(x->line) && put_text(x, text_str(&t), t.length);
  }
  arena_release(x->line, mark);
  return ok;
}

// ---- going on

// One row that is there already: its values are those of the design, bit for bit. False: it is damaged.
static bool take_over(viva_sweep *x, const char *line) {
  SweepWidth width = width_of(x);
  SweepRow row;
  ArenaMark mark = arena_mark(x->line);
  double *design = arena_array(x->line, (size_t)width.varied + 1, sizeof *design);
  bool same = design && x->rows < x->count && sweep_row_read(x->line, line, width, x->varied, x->measures, &row) &&
              row.index == x->rows;
  if (same) design_sample(&x->design, row.index, design);
  for (uint32_t k = 0; same && k < width.varied; k++) same = design[k] == x->varied[k];
  if (same) same = count_row(x, &row);
  arena_release(x->line, mark);
  return same;
}

// `# done, N samples` is the last line, behind as many rows.
static bool take_end(viva_sweep *x, const char *line) {
  char end[64];
  size_t length;
  snprintf(end, sizeof end, "# done, %llu samples", (unsigned long long)x->count);
  x->complete = x->rows == x->count && strcmp(line, end) == 0 && !growing_line(x->file, &length);
  return x->complete;
}

static bool read_rows(viva_sweep *x) {
  size_t length;
  static const char *const other[] = {"was written by another version", "is of another model",
                                      "was made with other settings", "has other columns", "has other columns"};
  for (int i = 0; i < sweep_head_lines; i++) {
    const char *line = growing_line(x->file, &length);
    if (i == 0 && !line) return true; // new
    if (line && strcmp(line, x->head[i]) == 0) continue;
    bool sweep = line && strncmp(line, "# ", 2) == 0;
    return fails(x, VIVA_EINPUT,
                 arena_printf(x->arena, "\"%s\" %s: this sweep cannot go on with it", x->path,
                              i > 0 || sweep ? other[i] : "is no table of a sweep"),
                 "give `--out` another name, or take away the file");
  }
  for (const char *line; (line = growing_line(x->file, &length));) {
    if (*line == '#' ? take_end(x, line) : take_over(x, line)) continue;
    if (x->failure != VIVA_OK) return false;
    return fails(x, VIVA_EINPUT,
                 arena_printf(x->arena, "\"%s\" is damaged: line %llu is not what this sweep writes there", x->path,
                              (unsigned long long)x->rows + sweep_head_lines + 1),
                 "cut the file before that line, and `--resume` computes the rest; or give `--out` another name");
  }
  return true;
}

// Is there an unfinished sweep that would be lost?
static bool is_unfinished(Growing *file) {
  size_t length;
  const char *line = growing_line(file, &length);
  if (!line || strncmp(line, "# viva sweep", 12) != 0) return false;
  bool rows = false, done = false;
  while ((line = growing_line(file, &length))) {
    rows = rows || (*line >= '0' && *line <= '9');
    done = strncmp(line, "# done", 6) == 0;
  }
  return rows && !done;
}

static bool cannot_open(viva_sweep *x, int error) {
  if (error != EWOULDBLOCK) return cannot_write(x, error);
  return fails(x, VIVA_EINPUT, arena_printf(x->arena, "\"%s\" is being written by another sweep", x->path),
               "wait for it, or give `--out` another name");
}

// A table that is there already stays until the new one is complete, which grows beside it as NAME.part. The options'
// path, behind links; false: out of memory, or it is too long.
static bool name_part(viva_sweep *x, const char **part) {
  char target[PATH_MAX];
  if (!outfile_resolve(x->o.path, target, sizeof target)) return cannot_write(x, ELOOP);
  x->target = arena_printf(x->arena, "%s", target);
  *part = arena_printf(x->arena, "%s.part", target);
  return *part || fails(x, VIVA_ENOMEM, NULL, NULL);
}

// What the model was read from is never written to.
static bool is_read(const viva_sweep *x) {
  for (size_t i = 0; i < viva_model_file_count(x->model); i++) {
    if (outfile_same(viva_model_file(x->model, i), x->o.path)) return true;
  }
  return false;
}

bool sweep_open(viva_sweep *x) {
  int error = 0;
  const char *part = NULL;
  if (!x->o.path) return true;
  x->path = x->o.path;
  if (is_read(x))
    return fails(x, VIVA_EINPUT, arena_printf(x->arena, "\"%s\" is a file that the model reads", x->path),
                 "give `--out` another name");
  bool stream = outfile_descriptor(x->o.path) >= 0;
  if (x->o.resume && !stream && !name_part(x, &part)) return false;
  bool goes_on = part && file_is_ordinary(part);
  if (goes_on) x->path = part;
  else x->target = NULL;
  x->file = goes_on ? growing_open_part(part, &error) : growing_open(x->path, &error);
  return x->file || cannot_open(x, error);
}

// A file is there that must not be lost.
static bool refuse_file(viva_sweep *x, bool sweep) {
  return fails(x, VIVA_EINPUT,
               sweep ? arena_printf(x->arena, "\"%s\" is an unfinished sweep, which would be lost", x->path)
                     : arena_printf(x->arena, "\"%s\" is in the way: the new table grows there", x->path),
               sweep ? "`--resume` goes on with it; or take it away" : "take it away, or give `--out` another name");
}

// Without `resume`: an empty file is filled, a table that is there stays for now.
static bool begin_new(viva_sweep *x) {
  int error = 0;
  const char *part = NULL;
  if (is_unfinished(x->file)) return refuse_file(x, true);
  if (growing_is_empty(x->file)) return true;
  if (!name_part(x, &part)) return false;
  x->old = x->file;
  x->path = part;
  x->file = growing_open_part(part, &error);
  if (!x->file) return cannot_open(x, error);
  return growing_is_empty(x->file) || refuse_file(x, is_unfinished(x->file));
}

bool sweep_begin(viva_sweep *x, const SimProgram *p) {
  if (!make_head(x, p) || !sweep_begin_view(x, p)) return fails(x, VIVA_ENOMEM, NULL, NULL);
  if (!x->file) return true;
  if (x->o.resume ? !read_rows(x) : !begin_new(x)) return false;
  if (x->complete) return true;
  int error = x->rows ? growing_append(x->file) : growing_clear(x->file);
  if (error) return cannot_write(x, error);
  for (int i = 0; !x->rows && i < sweep_head_lines; i++) {
    if (!put_text(x, x->head[i], strlen(x->head[i])) || !put_text(x, "\n", 1)) return false;
  }
  return true;
}

void sweep_close(viva_sweep *x, bool whole) {
  if (!x->file) return;
  if (whole && !x->complete) {
    const char *end = arena_printf(x->arena, "# done, %llu samples\n", (unsigned long long)x->count);
    if (end) put_text(x, end, strlen(end));
  }
  bool replaces = whole && x->target && !x->trouble;
  int error = replaces ? growing_replace(x->file, x->target) : growing_close(x->file);
  if (replaces && !error) x->path = x->o.path;
  growing_close(x->old);
  x->file = x->old = NULL;
  if (error && !x->trouble) cannot_write(x, error);
}

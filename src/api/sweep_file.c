// The table of a sweep: a head that says what it is of, a row a sample, in order.
//
//   # viva sweep, version 0.1.0
//   # model swing.viva HASH
//   # settings HASH
//   # kinds: index,grid [N/m],measure [m],status,message
//   index,k,max(x),status,message
//   0,0.5,1.25,done,
//
// The last line of a complete one is `# done, N samples`. Hashes are over all texts of the model, tables that it reads,
// and everything that the rows depend on.
#include "api/sweep_parts.h"

#include <errno.h>
#include <math.h>
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
  hash_texts(&h, x->road.texts, x->road.count);
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
  return fails(x, VIVA_EIO, arena_printf(x->arena, "\"%s\" cannot be written: %s", x->o.path, strerror(error)),
               error == ENOSPC || error == EDQUOT ? hint : NULL);
}

static bool put_text(viva_sweep *x, const char *text, size_t length) {
  return !x->file || growing_write(x->file, text, length) || cannot_write(x, growing_error(x->file));
}

static const char *message_of(const EnsembleEnd *end, bool done) {
  if (end->message) return end->message;
  if (end->status == run_input) return "a value is not finite, or not allowed";
  return done ? "" : "an output or a measure has no value: `viva run` with these values says which";
}

bool sweep_put(viva_sweep *x, uint64_t i, const double *values, const EnsembleEnd *end) {
  uint32_t varied = x->design.grid_count + x->design.random_count, measures = x->road.set.items.count;
  bool done = end->status == run_done && end->measures;
  ArenaMark mark = arena_mark(x->line);
  Text t = text_in(x->line);
  tally_take(&x->tally, i, done ? end->measures : NULL);
  for (uint32_t k = 0; x->values && k < measures; k++) x->values[i * measures + k] = done ? end->measures[k] : NAN;
  if (!done && !x->first_message) x->first_message = arena_printf(x->arena, "%s", message_of(end, done));
  if (!sweep_view_end(x, values, done ? end->measures : NULL)) return fails(x, VIVA_ENOMEM, NULL, NULL);
  x->rows = i + 1;
  if (!x->file) return true;
  text_printf(&t, "%llu", (unsigned long long)i);
  for (uint32_t k = 0; k < varied; k++) {
    text_putc(&t, ',');
    text_number(&t, values[k]);
  }
  for (uint32_t k = 0; k < measures; k++) {
    text_putc(&t, ',');
    if (done) text_number(&t, end->measures[k]);
  }
  text_put(&t, done ? ",done," : end->status == run_input ? ",refused," : ",failed,");
  put_cell(&t, message_of(end, done));
  text_putc(&t, '\n');
  bool ok = !arena_failed(x->line) && put_text(x, text_str(&t), t.length);
  arena_release(x->line, mark);
  return ok;
}

// ---- going on

// What a row that failed says: the last cell, behind its status.
static void note_message(viva_sweep *x, const char *status) {
  const char *text = strchr(status, ',');
  if (!text || !text[1]) return;
  text++;
  size_t length = strlen(text);
  bool quoted = *text == '"' && length > 1;
  x->first_message = arena_strndup(x->arena, text + quoted, length - 2 * (size_t)quoted);
}

// One row that is there already. False: it is none.
static bool read_row(viva_sweep *x, const char *line) {
  uint32_t varied = x->design.grid_count + x->design.random_count, measures = x->road.set.items.count;
  char *end;
  if (number_parse(line, &end) != (double)x->rows || *end != ',') return false;
  for (uint32_t k = 0; k < varied; k++) {
    x->varied[k] = number_parse(end + 1, &end);
    if (*end != ',') return false;
  }
  bool done = true;
  for (uint32_t k = 0; k < measures; k++) {
    done = done && end[1] != ',';
    x->measures[k] = end[1] == ',' ? NAN : number_parse(end + 1, &end);
    if (end[0] == ',' && end[1] == ',' && !done) end++;
    if (*end != ',') return false;
  }
  done = done && strncmp(end, ",done,", 6) == 0;
  tally_take(&x->tally, x->rows, done ? x->measures : NULL);
  for (uint32_t k = 0; x->values && k < measures; k++) x->values[x->rows * measures + k] = done ? x->measures[k] : NAN;
  if (!done && !x->first_message) note_message(x, end + 1);
  x->rows++;
  return sweep_view_end(x, x->varied, done ? x->measures : NULL);
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
                 arena_printf(x->arena, "\"%s\" %s: this sweep cannot go on with it", x->o.path,
                              i > 0 || sweep ? other[i] : "is no table of a sweep"),
                 "give `--out` another name, or take away the file");
  }
  for (const char *line; (line = growing_line(x->file, &length));) {
    if (strncmp(line, "# done", 6) == 0) {
      x->complete = true;
      return true;
    }
    if (x->rows >= x->count || !read_row(x, line))
      return fails(x, VIVA_EINPUT,
                   arena_printf(x->arena, "\"%s\" is damaged: row %llu is not what it should be", x->o.path,
                                (unsigned long long)x->rows),
                   NULL);
  }
  return true;
}

// Is there an unfinished sweep that would be lost?
static bool is_unfinished(viva_sweep *x) {
  size_t length;
  const char *line = growing_line(x->file, &length);
  if (!line || strncmp(line, "# viva sweep", 12) != 0) return false;
  bool rows = false, done = false;
  while ((line = growing_line(x->file, &length))) {
    rows = rows || (*line >= '0' && *line <= '9');
    done = strncmp(line, "# done", 6) == 0;
  }
  return rows && !done;
}

bool sweep_open(viva_sweep *x) {
  int error = 0;
  if (!x->o.path) return true;
  x->file = growing_open(x->o.path, &error);
  if (x->file) return true;
  if (error == EWOULDBLOCK)
    return fails(x, VIVA_EINPUT, arena_printf(x->arena, "\"%s\" is being written by another sweep", x->o.path),
                 "wait for it, or give `--out` another name");
  return cannot_write(x, error);
}

bool sweep_begin(viva_sweep *x, const SimProgram *p) {
  if (!make_head(x, p) || !sweep_begin_view(x, p)) return fails(x, VIVA_ENOMEM, NULL, NULL);
  if (!x->file) return true;
  if (x->o.resume) {
    if (!read_rows(x)) return false;
    int error = x->complete ? 0 : growing_append(x->file);
    if (error) return cannot_write(x, error);
  } else {
    if (is_unfinished(x))
      return fails(x, VIVA_EINPUT,
                   arena_printf(x->arena, "\"%s\" is an unfinished sweep, which would be lost", x->o.path),
                   "`--resume` goes on with it; or take it away");
    int error = growing_clear(x->file);
    if (error) return cannot_write(x, error);
  }
  if (x->rows || x->complete) return true;
  growing_clear(x->file);
  for (int i = 0; i < sweep_head_lines; i++) {
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
  int error = growing_close(x->file);
  x->file = NULL;
  if (error && !x->trouble) cannot_write(x, error);
}

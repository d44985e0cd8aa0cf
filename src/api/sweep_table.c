// The table of a sweep read back: its statistics and pictures without running again.
//
// in    a file that a sweep wrote with --out (its first lines say the kinds of the
//       columns), or with --rows (index, t, columns)
// out   a viva_sweep with a summary and a view, and no model
// how   line by line, however long it is. Trajectories are read twice: first how far they go.
#define _POSIX_C_SOURCE 200809L
#include "api/sweep_parts.h"

#include "base/file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct TableFile {
  viva_sweep *x;
  FILE *file;
  char *line;
  size_t room, number; // of the line
  const char **names;
  uint32_t width;
  bool no_memory;
  bool broken;      // a line has a byte 0, or is too long
  bool ends;        // the last line that was read has its end
  bool rows, ended; // trajectories; the table says that it is complete
} TableFile;

static bool refuse(TableFile *t, viva_status status, const char *what, const char *hint) {
  viva_sweep *x = t->x;
  x->failure = status;
  x->trouble = arena_printf(x->arena, "\"%s\" %s", x->o.path, what);
  x->hint = hint;
  return false;
}

static bool cannot_read(TableFile *t) {
  return refuse(t, VIVA_EIO, arena_printf(t->x->arena, "cannot be read: %s", strerror(errno)), NULL);
}

static bool is_damaged(TableFile *t) {
  return refuse(t, VIVA_EINPUT, arena_printf(t->x->arena, "is damaged: line %zu is not what it should be", t->number),
                NULL);
}

// The next line without its end; NULL: there is none, or no text.
static char *next_line(TableFile *t) {
  enum { longest_line = 64 << 20 }; // bytes; a row of a sweep has some hundred
  size_t length = 0;
  int c = EOF;
  while (!t->broken && (c = getc_unlocked(t->file)) != EOF && c != '\n') {
    if (length + 2 > t->room) {
      size_t room = 2 * t->room + 256;
      char *more = realloc(t->line, room);
      t->no_memory = t->no_memory || !more;
      if (!more) return NULL;
      t->line = more;
      t->room = room;
    }
    t->line[length++] = (char)c;
    t->broken = c == 0 || length > longest_line;
  }
  t->number++;
  if (t->broken || !t->line || (c == EOF && length == 0)) return NULL;
  t->ends = c == '\n';
  while (length > 0 && t->line[length - 1] == '\r') length--;
  t->line[length] = 0;
  return t->line;
}

// The cells of a line, with quotes taken away. NULL: out of memory, or a quote has no end.
static const char **split(Arena *arena, const char *line, uint32_t *count) {
  VEC(const char *) cells = {0};
  for (const char *s = line;;) {
    Text cell = text_in(arena);
    bool quoted = *s == '"';
    if (quoted) s++;
    while (*s && (quoted || *s != ',')) {
      if (quoted && *s == '"' && s[1] != '"') break;
      if (quoted && *s == '"') s++;
      text_putc(&cell, *s++);
    }
    if (quoted && *s++ != '"') return NULL;
    vec_push(arena, &cells, text_str(&cell));
    if (*s != ',') break;
    s++;
  }
  *count = cells.count;
  return arena_failed(arena) ? NULL : cells.items;
}

// ---- the head

static bool find_kind(const char *text, SweepColumnKind *kind, const char **unit, Arena *arena) {
  for (int k = 0; k < sweep_kind_count; k++) {
    const char *word = sweep_kind_word((SweepColumnKind)k);
    size_t length = strlen(word);
    if (strncmp(text, word, length) != 0 || (text[length] && text[length] != ' ')) continue;
    *kind = (SweepColumnKind)k;
    const char *from = strchr(text + length, '['), *to = from ? strrchr(from, ']') : NULL;
    *unit = to ? arena_strndup(arena, from + 1, (size_t)(to - from - 1)) : NULL;
    return true;
  }
  return false;
}

static bool has_names(const TableFile *t, const char *first, const char *second) {
  return t->width > 1 && strcmp(t->names[0], first) == 0 && (!second || strcmp(t->names[1], second) == 0);
}

// Columns of a table: index, what varies, measures, status, message.
static bool read_columns(TableFile *t, const char *kinds) {
  viva_sweep *x = t->x;
  uint32_t count;
  const char **words = split(x->arena, kinds, &count);
  bool same = words && count == t->width && count > 3 && has_names(t, "index", NULL) &&
              strcmp(t->names[count - 2], "status") == 0;
  SweepColumn *columns = arena_array(x->arena, (size_t)count + 1, sizeof *columns);
  if (!columns) return refuse(t, VIVA_ENOMEM, "cannot be read", NULL);
  int last = 0;
  for (uint32_t i = 1; same && i + 2 < count; i++) {
    SweepColumn *c = &columns[i - 1];
    c->name = t->names[i];
    same = find_kind(words[i], &c->kind, &c->unit, x->arena) && (int)c->kind >= last;
    last = (int)c->kind;
  }
  if (!same) return is_damaged(t);
  x->view = sweep_view_new(x->arena, NULL, columns, count - 3);
  return x->view || refuse(t, VIVA_ENOMEM, "cannot be read", NULL);
}

// "# model swing.viva HASH": the name is what pictures are called by.
static const char *model_name(Arena *arena, const char *line) {
  const char *from = line + strlen("# model "), *to = strrchr(line, ' ');
  return to > from ? arena_strndup(arena, from, (size_t)(to - from)) : NULL;
}

static bool read_head(TableFile *t) {
  static const char *const starts[] = {"# viva sweep, version ", "# model ", "# settings ", "# kinds: "};
  viva_sweep *x = t->x;
  char *line = next_line(t);
  if (ferror(t->file)) return cannot_read(t);
  bool sweep = line && strncmp(line, starts[0], strlen(starts[0])) == 0;
  for (int i = 0; sweep && i < sweep_head_lines; i++, line = next_line(t)) {
    if (!line) return is_damaged(t);
    if (i + 1 < sweep_head_lines && strncmp(line, starts[i], strlen(starts[i])) != 0) return is_damaged(t);
    x->head[i] = arena_printf(x->arena, "%s", line);
    if (!x->head[i]) return refuse(t, VIVA_ENOMEM, "cannot be read", NULL);
    if (i + 1 == sweep_head_lines) break;
  }
  if (line) t->names = split(x->arena, line, &t->width);
  if (sweep && strcmp(x->head[0], "# viva sweep, version " VIVA_VERSION) != 0)
    return refuse(t, VIVA_EINPUT, "was written by another version", "make it again with this one");
  if (sweep && t->names) {
    if (!read_columns(t, x->head[3] + strlen("# kinds: "))) return false;
    x->view->title = model_name(x->arena, x->head[1]);
    return true;
  }
  t->rows = t->names && has_names(t, "index", "t") && t->width > 2;
  if (t->rows) return true;
  return refuse(t, VIVA_EINPUT, "is no table of a sweep",
                "those of `viva sweep --out` and `--rows` have pictures; a model ends in .viva");
}

// ---- samples

static bool read_sample(TableFile *t, const char *line) {
  viva_sweep *x = t->x;
  SweepView *v = x->view;
  SweepWidth width = {v->grids + v->draws, v->measures + v->wheres};
  SweepRow row;
  ArenaMark mark = arena_mark(x->line);
  bool ok = sweep_row_read(x->line, line, width, x->varied, x->measures, &row) && row.index == x->rows;
  if (ok && !row.measures && !x->first_message && *row.message)
    x->first_message = arena_printf(x->arena, "%s", row.message);
  arena_release(x->line, mark);
  if (!ok) return is_damaged(t);
  tally_take(&x->tally, x->rows, row.measures);
  x->rows++;
  return sweep_view_take(v, x->varied, row.measures) || refuse(t, VIVA_ENOMEM, "cannot be read", NULL);
}

static bool read_samples(TableFile *t) {
  viva_sweep *x = t->x;
  SweepView *v = x->view;
  x->varied = arena_array(x->arena, (size_t)v->grids + v->draws + 1, sizeof *x->varied);
  x->measures = arena_array(x->arena, (size_t)v->measures + v->wheres + 1, sizeof *x->measures);
  if (arena_failed(x->arena) || !tally_init(&x->tally, x->arena, v->measures + v->wheres, v->wheres))
    return refuse(t, VIVA_ENOMEM, "cannot be read", NULL);
  for (const char *line; (line = next_line(t));) {
    t->ended = strncmp(line, "# done", 6) == 0;
    if (t->ended) break;
    if (!t->ends) break; // a line that is being written
    if (!read_sample(t, line)) return false;
  }
  return true;
}

// ---- trajectories

// One row: index, t, columns. False: it is none.
static bool read_row(const TableFile *t, const char *line, double *cells) {
  char *end = NULL;
  for (uint32_t k = 0; k < t->width; k++) {
    const char *from = k ? end + 1 : line;
    bool empty = *from == ',' || !*from;
    cells[k] = empty ? NAN : number_parse(from, &end);
    if (empty) end = (char *)(size_t)from;
    else if (end == from) return false;
    if (*end != (k + 1 < t->width ? ',' : '\0')) return false;
  }
  return true;
}

// How far they go, and how many there are.
static bool measure_rows(TableFile *t, double *cells, double *to, uint64_t *most) {
  double index = -1;
  uint64_t here = 0;
  *to = 0;
  *most = 0;
  for (const char *line; (line = next_line(t));) {
    if (!read_row(t, line, cells) || !(cells[0] >= index)) return is_damaged(t);
    here = cells[0] == index ? here + 1 : 1;
    index = cells[0];
    if (here > *most) *most = here;
    *to = fmax(*to, cells[1]);
  }
  return *most > 0 || refuse(t, VIVA_EINPUT, "has no rows", NULL);
}

static bool read_trajectories(TableFile *t) {
  viva_sweep *x = t->x;
  double *cells = arena_array(x->arena, t->width, sizeof *cells), to;
  SweepColumn *columns = arena_array(x->arena, t->width, sizeof *columns);
  uint64_t most;
  long start = ftell(t->file);
  size_t line_number = t->number;
  if (!cells || !columns || !tally_init(&x->tally, x->arena, 0, 0))
    return refuse(t, VIVA_ENOMEM, "cannot be read", NULL);
  if (!measure_rows(t, cells, &to, &most)) return false;
  if (start < 0 || fseek(t->file, start, SEEK_SET) != 0) return refuse(t, VIVA_EIO, "cannot be read twice", NULL);
  t->number = line_number;
  for (uint32_t i = 2; i < t->width; i++) columns[i - 2].name = t->names[i];
  x->view = sweep_view_new(x->arena, NULL, columns, 0);
  double every = most > 1 ? to / (double)(most - 1) : 1;
  if (!x->view || !sweep_view_fan(x->view, columns, t->width - 2, to, every))
    return refuse(t, VIVA_ENOMEM, "cannot be read", NULL);
  double index = -1;
  bool ok = true;
  for (const char *line; ok && (line = next_line(t));) {
    if (!read_row(t, line, cells)) return is_damaged(t);
    if (index >= 0 && cells[0] != index) ok = sweep_view_take(x->view, cells, cells), x->rows++;
    index = cells[0];
    ok = ok && sweep_view_row(x->view, cells[1], cells + 2);
  }
  ok = ok && sweep_view_take(x->view, cells, cells);
  x->rows++;
  t->ended = true;
  return ok || refuse(t, VIVA_ENOMEM, "cannot be read", NULL);
}

// ---- the whole

static bool read_table(TableFile *t) {
  viva_sweep *x = t->x;
  FileStream plain;
  const char *why;
  if (!file_stream_open(&plain, x->o.path, &why))
    return refuse(t, VIVA_EINPUT, arena_printf(x->arena, "cannot be read: %s", why), NULL);
  t->file = fdopen(plain.fd, "r");
  t->no_memory = !t->file;
  if (!t->file) {
    file_stream_close(&plain);
    return false;
  }
  bool ok = read_head(t) && (t->rows ? read_trajectories(t) : read_samples(t));
  if (t->broken) ok = is_damaged(t);
  if (ok && ferror(t->file)) ok = cannot_read(t);
  fclose(t->file);
  free(t->line);
  return ok;
}

static bool summarize(TableFile *t) {
  viva_sweep *x = t->x;
  SweepView *v = x->view;
  const char **names = arena_array(x->arena, (size_t)v->width + 1, sizeof *names);
  if (!names) return false;
  for (uint32_t i = 0; i < v->width; i++) names[i] = v->columns[i].name;
  uint32_t varied = v->grids + v->draws;
  x->count = x->rows;
  x->shown = (SweepSummary){.measures = names + varied,
                            .measure_count = v->measures + v->wheres,
                            .tally = &x->tally,
                            .names = names,
                            .name_count = varied,
                            .count = x->rows,
                            .rows = x->rows,
                            .open = !t->ended,
                            .failure = x->first_message};
  return sweep_summarize(x);
}

viva_status viva_sweep_open(const char *path, viva_sweep **out) {
  if (out) *out = NULL;
  if (!path || !out) return VIVA_EUSAGE;
  viva_sweep *x = handle_new(sizeof *x);
  if (!x) return VIVA_ENOMEM;
  TableFile t = {.x = x};
  x->line = arena_new();
  x->o = viva_sweep_defaults();
  x->summary[0] = x->summary[1] = "";
  x->o.path = arena_printf(x->arena, "%s", path);
  bool ok =
      x->line && x->o.path && read_table(&t) && (summarize(&t) || refuse(&t, VIVA_ENOMEM, "cannot be read", NULL));
  tally_clear(&x->tally);
  if (!ok && x->failure != VIVA_ENOMEM) {
    Diag trouble = {.message = x->trouble, .hint = x->hint};
    Diags none = {.arena = x->arena};
    x->message = messages_text(x->arena, NULL, &none, &trouble);
  }
  bool lack = t.no_memory || !x->line || arena_failed(x->line) || arena_failed(x->arena);
  viva_status status = lack ? VIVA_ENOMEM : ok ? VIVA_OK : x->failure;
  if (status == VIVA_ENOMEM) viva_sweep_free(x);
  else *out = x;
  return status;
}

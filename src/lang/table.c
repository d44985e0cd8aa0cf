// Tables of numbers from CSV files: a header row, then numbers, with positions in the errors.
//
// The header says by which sign cells are separated: by `;` if it holds one outside of quotes, else by commas, else by
// tabs. Where it is not the comma, a number may have a decimal comma. A row has no more cells than the header.
#include "lang/table.h"

#include "base/file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { largest_table = 512 * 1024 * 1024 };

typedef struct Cursor {
  const char *at, *end;
  uint32_t line;
  char separator;
} Cursor;

typedef enum CellKind { cell_none, cell_good, cell_open_quote } CellKind;

static bool ends_cell(const Cursor *cursor, char c) { return c == cursor->separator || c == '\n'; }

static bool is_blank(const Cursor *cursor, char c) {
  return c == ' ' || c == '\r' || (c == '\t' && cursor->separator != '\t');
}

static char find_separator(const char *s, const char *end) {
  static const char signs[] = ";,\t";
  bool quoted = false, there[3] = {false};
  for (; s < end && *s != '\n'; s++) {
    quoted = quoted != (*s == '"');
    const char *sign = *s && !quoted ? strchr(signs, *s) : NULL;
    if (sign) there[sign - signs] = true;
  }
  return there[0] ? ';' : there[2] && !there[1] ? '\t' : ',';
}

// 1,5 is 1.5 where the comma separates nothing. NaN: not a number.
static double number_of(Arena *arena, const Cursor *c, const char *s, size_t n) {
  const char *comma = c->separator != ',' ? memchr(s, ',', n) : NULL;
  if (!comma) return decimal_to_double(s, n);
  char *copy = arena_strndup(arena, s, n);
  if (!copy || memchr(s, '.', n)) return NAN; // 1.234,5 may be either
  copy[comma - s] = '.';
  return decimal_to_double(copy, n);
}

// One cell, without quotes and blanks around it; *last is set at the row's end. A quote ends on its line, and what
// stands between it and the next comma belongs to nothing: it counts as a quote that is not closed.
static CellKind next_cell(Cursor *c, const char **start, size_t *length, bool *last) {
  if (c->at >= c->end) return cell_none;
  const char *s = c->at;
  if (*s == '"') {
    const char *close = s + 1;
    while (close < c->end && *close != '\n' && (*close != '"' || (close + 1 < c->end && close[1] == '"'))) {
      close += *close == '"' ? 2 : 1;
    }
    if (close >= c->end || *close != '"') return cell_open_quote;
    *start = s + 1;
    *length = (size_t)(close - s - 1);
    c->at = close + 1;
    while (c->at < c->end && is_blank(c, *c->at)) c->at++;
    if (c->at < c->end && !ends_cell(c, *c->at)) return cell_open_quote;
  } else {
    while (c->at < c->end && !ends_cell(c, *c->at)) c->at++;
    const char *e = c->at;
    while (s < e && is_blank(c, *s)) s++;
    while (e > s && is_blank(c, e[-1])) e--;
    *start = s;
    *length = (size_t)(e - s);
  }
  *last = c->at >= c->end || *c->at == '\n';
  if (c->at < c->end) c->at++;
  return cell_good;
}

static bool open_quote(Diags *diags, uint32_t line, const char *path, Span span) {
  diag_error(diags, diag_bad_table, span, "line %u of \"%s\": a quote is not closed before its cell ends", line, path);
  return false;
}

static bool read_rows(Arena *arena, Diags *diags, SystemTable *t, Cursor *c, uint32_t column, uint32_t width,
                      const char *path, Span span) {
  VEC(double) x = {0}, y = {0};
  while (c->at < c->end) {
    c->line++;
    double row[2] = {NAN, NAN};
    bool last = false, blank = true;
    uint32_t i = 0, filled = 0; // cells; up to the last one that is not empty
    while (!last) {
      const char *s;
      size_t n;
      CellKind kind = next_cell(c, &s, &n, &last);
      if (kind == cell_open_quote) return open_quote(diags, c->line, path, span);
      if (kind == cell_none) break;
      blank = blank && n == 0;
      if (i == 0 || i == column) {
        double v = number_of(arena, c, s, n);
        if (!isfinite(v) && n > 0) {
          diag_error(diags, diag_bad_table, span, "line %u of \"%s\": `%.*s` is not a number", c->line, path,
                     (int)(n > 30 ? 30 : n), s);
          if (memchr(s, ';', n)) diag_hint(diags, "cells are separated as the first line does it: there by commas");
          return false;
        }
        row[i != 0] = v;
        if (i == column) row[1] = v;
      }
      i++;
      if (n) filled = i;
    }
    if (blank && i <= 1) continue;
    if (filled > width) {
      diag_error(diags, diag_bad_table, span, "line %u of \"%s\" has %u cells, but its first line has %u", c->line,
                 path, filled, width);
      if (c->separator == ',')
        diag_hint(diags, "with decimal commas, separate the cells by `;`, in the first line too");
      return false;
    }
    if (i <= column || isnan(row[0]) || isnan(row[1])) {
      diag_error(diags, diag_bad_table, span, "line %u of \"%s\": a value is missing", c->line, path);
      return false;
    }
    if (x.count && row[0] <= x.items[x.count - 1]) {
      diag_error(diags, diag_bad_table, span, "line %u of \"%s\": the first column must grow from row to row", c->line,
                 path);
      return false;
    }
    if (!vec_push(arena, &x, row[0]) || !vec_push(arena, &y, row[1])) return false;
  }
  if (x.count == 0) {
    diag_error(diags, diag_bad_table, span, "\"%s\" has no rows of numbers", path);
    return false;
  }
  t->x = x.items;
  t->y = y.items;
  t->count = x.count;
  return true;
}

bool table_read(Arena *arena, Diags *diags, SystemTable *t, const char *data, size_t length, const char *path,
                const char *column, Span span) {
  Cursor c = {.at = data, .end = data + length, .line = 1};
  if (length >= 3 && memcmp(data, "\xEF\xBB\xBF", 3) == 0) c.at += 3;
  c.separator = find_separator(c.at, c.end);
  uint32_t found = UINT32_MAX, i = 0;
  Text names = text_in(arena);
  for (bool last = false; !last; i++) {
    const char *s;
    size_t n;
    CellKind kind = next_cell(&c, &s, &n, &last);
    if (kind == cell_open_quote) return open_quote(diags, 1, path, span);
    if (kind == cell_none) break;
    bool same = strlen(column) == n && memcmp(column, s, n) == 0;
    if (same && found != UINT32_MAX) {
      diag_error(diags, diag_bad_table, span, "\"%s\" has two columns `%s`", path, column);
      diag_hint(diags, "give them different names in its first line");
      return false;
    }
    if (same) found = i;
    if (i < 20) text_printf(&names, "%s%.*s", i ? ", " : "", (int)(n > 60 ? 60 : n), s);
  }
  if (found == UINT32_MAX) {
    if (i == 0) {
      diag_error(diags, diag_bad_table, span, "\"%s\" is empty", path);
    } else {
      diag_error(diags, diag_bad_table, span, "\"%s\" has no column `%s`", path, column);
      diag_hint(diags, "its columns are: %s", text_str(&names));
    }
    return false;
  }
  return read_rows(arena, diags, t, &c, found, i, path, span);
}

// ---- whole tables

static Span span_of(uint32_t source, const char *data, const char *s, size_t n) {
  uint32_t start = (uint32_t)(s - data);
  return (Span){source, start, start + (uint32_t)n};
}

// Lines that start with `#` say nothing, and neither do empty ones.
static void skip_comments(Cursor *c) {
  while (c->at < c->end) {
    const char *s = c->at;
    while (s < c->end && (*s == ' ' || *s == '\t' || *s == '\r')) s++;
    if (s < c->end && *s != '#' && *s != '\n') return;
    while (s < c->end && *s != '\n') s++;
    c->at = s < c->end ? s + 1 : s;
  }
}

// A head `x [mm]` is the name x with a unit. False: out of memory.
static bool split_unit(Arena *arena, const char **name, const char **unit) {
  const char *open = strchr(*name, '[');
  size_t length = strlen(*name), n = open ? (size_t)(open - *name) : 0;
  *unit = NULL;
  if (!open || (*name)[length - 1] != ']') return true;
  while (n && (*name)[n - 1] == ' ') n--;
  *unit = arena_strndup(arena, open + 1, (size_t)(*name + length - open - 2));
  *name = arena_strndup(arena, *name, n);
  return *unit && *name;
}

// The units that measured columns have.
static bool read_units(Arena *arena, TableHeader *h) {
  h->units = arena_array(arena, (size_t)h->width + 1, sizeof *h->units);
  for (uint32_t i = 0; h->units && i < h->width; i++) {
    if (!split_unit(arena, &h->names[i], &h->units[i])) return false;
  }
  return h->units != NULL;
}

// ---- names of columns

typedef struct NamedColumn {
  const char *name;
  Span span;
} NamedColumn;
typedef VEC(NamedColumn) NamedColumns;

static int by_name(const void *a, const void *b) {
  const NamedColumn *x = a, *y = b;
  int order = strcmp(x->name, y->name);
  return order ? order : x->span.start < y->span.start ? -1 : x->span.start > y->span.start;
}

// Sorted, equal names stand side by side. Columns without a name are no matter.
static void refuse_twins(Diags *diags, NamedColumns *columns) {
  if (!columns->count) return;
  qsort(columns->items, columns->count, sizeof *columns->items, by_name);
  for (uint32_t i = 1; i < columns->count; i++) {
    const NamedColumn *c = &columns->items[i];
    if (*c->name && strcmp(c->name, c[-1].name) == 0)
      diag_error(diags, diag_bad_table, c->span, "there are two columns of this name");
  }
}

bool table_header(Arena *arena, Diags *diags, uint32_t source, const char *data, size_t length, TableHeader *out) {
  Cursor c = {.at = data, .end = data + length, .line = 1};
  VEC(const char *) names = {0};
  NamedColumns columns = {0};
  bool measured = out->measured, any_order = out->any_order;
  if (length >= 3 && memcmp(data, "\xEF\xBB\xBF", 3) == 0) c.at += 3;
  if (measured) skip_comments(&c);
  const char *line = c.at, *end = line < c.end ? memchr(line, '\n', (size_t)(c.end - line)) : NULL;
  *out = (TableHeader){.separator = find_separator(c.at, c.end), .measured = measured, .any_order = any_order};
  out->place = span_of(source, data, line, (size_t)((end ? end : c.end) - line));
  c.separator = out->separator;
  for (bool last = false; !last;) {
    const char *s;
    size_t n;
    CellKind kind = next_cell(&c, &s, &n, &last);
    if (kind == cell_none) break;
    if (kind == cell_open_quote) {
      diag_error(diags, diag_bad_table, out->place, "a quote is not closed before its cell ends");
      return false;
    }
    Span span = span_of(source, data, s, n);
    if (memchr(s, 0, n)) {
      diag_error(diags, diag_bad_table, span, "the name of this column holds a zero byte: is the file a text?");
      return false;
    }
    const char *name = arena_strndup(arena, s, n);
    if (!name || !vec_push(arena, &names, name)) return false;
    if (!vec_push(arena, &columns, ((NamedColumn){name, span}))) return false;
  }
  refuse_twins(diags, &columns);
  out->names = names.items;
  out->width = names.count;
  out->behind = (size_t)(c.at - data);
  if (!names.count) diag_error(diags, diag_bad_table, out->place, "the table is empty");
  if (measured && !read_units(arena, out)) return false;
  return !arena_failed(arena) && !diags->errors;
}

// A value that was not measured.
static bool is_gap(const char *s, size_t n) {
  static const char *const words[] = {"nan", "NaN", "NAN", "NA", "-"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strlen(words[i]) == n && memcmp(words[i], s, n) == 0) return true;
  }
  return false;
}

// A row of cells into numbers; *blank: there is nothing in it. False: a quote is open.
static bool read_row(Arena *arena, Diags *diags, uint32_t source, const char *data, Cursor *c, const TableHeader *h,
                     const bool *used, double *row, bool *blank) {
  uint32_t i = 0, filled = 0;
  const char *line = c->at;
  *blank = true;
  for (uint32_t k = 0; k < h->width; k++) row[k] = NAN;
  for (bool last = false; !last; i++) {
    const char *s;
    size_t n;
    CellKind kind = next_cell(c, &s, &n, &last);
    if (kind == cell_none) break;
    if (kind == cell_open_quote) {
      diag_error(diags, diag_bad_table, span_of(source, data, c->at, 1), "a quote is not closed before its cell ends");
      return false;
    }
    if (!n) continue;
    *blank = false;
    filled = i + 1;
    if (i >= h->width || !used[i] || (h->measured && i && is_gap(s, n))) continue;
    row[i] = number_of(arena, c, s, n);
    if (isfinite(row[i])) continue;
    diag_error(diags, diag_bad_table, span_of(source, data, s, n), "this is not a number");
    if (memchr(s, ';', n)) diag_hint(diags, "cells are separated as the first line does it: there by commas");
    row[i] = INFINITY;
  }
  for (uint32_t k = 0; k < h->width && !*blank; k++) {
    if (!used[k] || !isnan(row[k]) || (h->measured && k)) continue;
    diag_error(diags, diag_bad_table, span_of(source, data, line, 1), "the row has no value in the column `%s`",
               h->names[k]);
    break;
  }
  if (filled > h->width) {
    diag_error(diags, diag_bad_table, span_of(source, data, line, 1), "the row has %u cells, but the first line has %u",
               filled, h->width);
    if (h->measured && h->separator == ',')
      diag_hint(diags, "with decimal commas, separate the cells by `;`, in the first line too");
  }
  return true;
}

// What rows are read with, and what the last one was.
typedef struct RowReading {
  Arena *arena;
  Diags *diags;
  uint32_t source;
  const TableHeader *h;
  const bool *used;
  double *row, before;
  bool any; // row has one
} RowReading;

// The next row, whose first number must be larger than that before it. False: a quote is open.
static bool next_row(RowReading *x, const char *data, Cursor *c) {
  bool blank;
  x->any = false;
  if (x->h->measured) skip_comments(c);
  const char *line = c->at;
  if (line >= c->end) return true;
  if (!read_row(x->arena, x->diags, x->source, data, c, x->h, x->used, x->row, &blank)) return false;
  if (blank) return true;
  bool falls = x->h->measured ? x->row[0] < x->before : x->row[0] <= x->before;
  if (isfinite(x->row[0]) && falls && !x->h->any_order)
    diag_error(x->diags, diag_bad_table, span_of(x->source, data, line, 1),
               x->h->measured ? "the first column must not fall from row to row"
                              : "the first column must grow from row to row");
  if (isfinite(x->row[0])) x->before = x->row[0];
  x->any = true;
  return true;
}

bool table_rows(Arena *arena, Diags *diags, uint32_t source, const char *data, size_t length, const TableHeader *h,
                const bool *used, double **values, uint32_t *rows) {
  Cursor c = {.at = data + h->behind, .end = data + length, .line = 1, .separator = h->separator};
  RowReading x = {.arena = arena, .diags = diags, .source = source, .h = h, .used = used, .before = -INFINITY};
  VEC(double) all = {0};
  x.row = arena_array(arena, (size_t)h->width + 1, sizeof *x.row);
  *rows = 0;
  while (x.row && c.at < c.end) {
    if (!next_row(&x, data, &c)) return false;
    if (!x.any) continue;
    for (uint32_t k = 0; k < h->width; k++) {
      if (!vec_push(arena, &all, x.row[k])) return false;
    }
    ++*rows;
  }
  if (!*rows) diag_error(diags, diag_bad_table, h->place, "the table has no rows of numbers");
  *values = all.items;
  return x.row && !diags->errors;
}

// ---- a table of any length

// Whole lines of the piece. False: something is wrong with it, or `take` says so.
static bool take_lines(RowReading *x, const char *data, size_t length, TableStream *s, bool *memory) {
  Cursor c = {.at = data, .end = data + length, .line = 1, .separator = x->h->separator};
  while (c.at < c.end) {
    s->bad = !next_row(x, data, &c) || x->diags->errors;
    if (s->bad) return false;
    *memory = !x->any || s->take(s->self, x->row);
    if (!*memory) return false;
  }
  return true;
}

bool table_stream(Arena *arena, const char *path, const TableHeader *h, const bool *used, TableStream *s) {
  enum { piece = 1 << 20 };
  FileStream file;
  const char *why;
  Arena *scratch = arena_new_scratch(arena);
  Sources none = {.arena = scratch};
  Diags own = {.arena = scratch, .sources = &none};
  char *text = scratch ? arena_alloc(scratch, piece) : NULL;
  RowReading x = {.arena = scratch, .diags = &own, .h = h, .used = used, .before = -INFINITY};
  x.row = text ? arena_array(scratch, (size_t)h->width + 1, sizeof *x.row) : NULL;
  bool memory = x.row != NULL;
  s->bad = memory && !file_stream_open(&file, path, &why);
  if (!memory || s->bad) {
    arena_free_scratch(scratch);
    return memory;
  }
  size_t have = 0, skip = h->behind;
  ArenaMark mark = arena_mark(scratch);
  for (bool more = true; more && memory && !s->bad;) {
    size_t got = file_stream_read(&file, text + have, piece - have);
    more = got > 0;
    have += got;
    size_t whole = have;
    while (more && whole && text[whole - 1] != '\n') whole--;
    size_t from = skip < whole ? skip : whole;
    skip -= from;
    s->bad = file.failed || (more && !whole && have == piece); // a line of a megabyte
    if (!s->bad) take_lines(&x, text + from, whole - from, s, &memory);
    memmove(text, text + whole, have - whole);
    have -= whole;
    arena_release(scratch, mark);
  }
  file_stream_close(&file);
  arena_free_scratch(scratch);
  return memory;
}

uint32_t table_load(Elab *e, const char *path, const char *column, Span span) {
  Model *m = e->model;
  const char *text = arena_printf(e->arena, "\"%s\", \"%s\"", path, column);
  if (!text) return 0;
  // relative to the file that names it
  const char *full = elab_file_beside(e, span, path);
  for (uint32_t i = 0; full && i < m->tables.count; i++) {
    if (strcmp(m->tables.items[i].text, text) == 0 && strcmp(m->tables.items[i].path, full) == 0) return i + 1;
  }
  size_t length;
  const char *why;
  char *data = full ? elab_file_near(e, full, largest_table, &length, &why) : NULL;
  if (!data) {
    if (full) diag_error(e->diags, diag_missing_file, span, "\"%s\" cannot be read: %s", path, why);
    return 0;
  }
  SystemTable t = {.text = text, .path = full};
  if (!table_read(e->arena, e->diags, &t, data, length, path, column, span)) return 0;
  return vec_push(e->arena, &m->tables, t) ? m->tables.count : 0;
}

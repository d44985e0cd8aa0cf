// The rows of the data of a `fit`. See measured.h.
#include "lang/measured.h"

#include "base/file.h"
#include "lang/table.h"
#include "system/dimension.h"

#include <math.h>
#include <string.h>

enum {
  longest_head = 1024 * 1024,          // comments and the first line
  largest_reported = 512 * 1024 * 1024 // bytes of a text whose errors are reported with their spans
};

typedef struct MeasuredReading {
  Arena *arena;
  Diags *diags;
  const SystemFit *fit;
  TableHeader header;
  bool *used;
  double *scale;    // by column of the table: to SI
  uint32_t *column; // by measured: its column
} MeasuredReading;

static uint32_t column_of(const TableHeader *h, const char *name) {
  for (uint32_t i = 0; i < h->width; i++) {
    if (strcmp(h->names[i], name) == 0) return i;
  }
  return UINT32_MAX;
}

// The unit in a column's head; si: of what it is compared with, NULL: not known.
static void take_unit(MeasuredReading *x, uint32_t column, const char *si, const char *what, Span span) {
  const char *text = x->header.units[column];
  Unit unit;
  x->scale[column] = 1;
  if (!text) return;
  if (!unit_read(x->arena, text, &unit)) {
    diag_error(x->diags, diag_unknown_unit, x->header.place,
               "the column `%s` is in `%s`, which is no unit that is known", x->header.names[column], text);
    return;
  }
  x->scale[column] = rat_to_double(unit.scale) * pow(3.14159265358979323846, unit.pi);
  Dimension d = dimension_of_unit(&unit);
  const char *own = dimension_text(x->arena, &d);
  if (!si || !own || strcmp(si, own) == 0 || (!*si && strcmp(own, "rad") == 0) || (!*own && strcmp(si, "rad") == 0))
    return;
  diag_error(x->diags, diag_units, span, "the column `%s` of \"%s\" is in [%s], but %s is in [%s]",
             x->header.names[column], x->fit->path, text, what, *si ? si : "1");
}

static void find_columns(MeasuredReading *x, const SystemTableList *inputs) {
  take_unit(x, 0, "s", "time", x->fit->path_span);
  x->used[0] = true;
  for (uint32_t i = 0; i < x->fit->measured.count; i++) {
    const SystemMeasured *m = &x->fit->measured.items[i];
    uint32_t c = x->column[i] = column_of(&x->header, m->column);
    if (c == UINT32_MAX) {
      diag_error(x->diags, diag_bad_table, m->column_span, "\"%s\" has no column `%s`", x->fit->path, m->column);
      continue;
    }
    x->used[c] = true;
    take_unit(x, c, m->si, m->name, m->column_span);
    if (c == 0) diag_error(x->diags, diag_bad_table, m->column_span, "`%s` is the column of time", m->column);
    const char *text = arena_printf(x->arena, "\", \"%s\"", m->column);
    for (uint32_t k = 0; text && k < inputs->count; k++) {
      if (strcmp(inputs->items[k].path, x->fit->file) != 0 || !strstr(inputs->items[k].text, text)) continue;
      diag_error(x->diags, diag_bad_table, m->column_span,
                 "the column `%s` of \"%s\" is an input of the model: it cannot be compared with it", m->column,
                 x->fit->path);
    }
  }
}

// An input that does not last as long as the data is held at its ends.
static void check_inputs(MeasuredReading *x, const SystemTableList *inputs, const MeasuredRows *rows) {
  double first = INFINITY, last = -INFINITY;
  for (uint32_t i = 0; i < rows->count; i++) {
    first = fmin(first, rows->times[i]);
    last = fmax(last, rows->times[i]);
  }
  for (uint32_t k = 0; k < inputs->count; k++) {
    const SystemTable *t = &inputs->items[k];
    if (t->count && t->x[0] > first)
      diag_warning(x->diags, diag_bad_table, x->fit->path_span,
                   "the data begins at t = %.10g, but table(%s, t) begins at %.10g and is held up to there", first,
                   t->text, t->x[0]);
    if (!t->count || !(t->x[t->count - 1] < last)) continue;
    diag_warning(x->diags, diag_bad_table, x->fit->path_span,
                 "the data lasts until t = %.10g, but table(%s, t) ends at %.10g and is held from there on", last,
                 t->text, t->x[t->count - 1]);
  }
}

// ---- rows

// Rows in which something was measured, as they come.
typedef struct MeasuredTaking {
  MeasuredReading *x;
  VEC(double) times, values;
} MeasuredTaking;

static bool take_row(void *self, const double *row) {
  MeasuredTaking *t = self;
  const MeasuredReading *x = t->x;
  uint32_t width = x->fit->measured.count;
  bool any = false;
  for (uint32_t i = 0; i < width; i++) any = any || !isnan(row[x->column[i]]);
  if (!any) return true;
  if (!vec_push(x->arena, &t->times, row[0] * x->scale[0])) return false;
  for (uint32_t i = 0; i < width; i++) {
    if (!vec_push(x->arena, &t->values, row[x->column[i]] * x->scale[x->column[i]])) return false;
  }
  return true;
}

// Errors in the rows, each with its span: the text is read as a whole for that.
static void tell_rows(MeasuredReading *x, Sources *sources) {
  size_t length;
  const char *why = NULL;
  uint32_t rows;
  double *all;
  char *data = file_read_ordinary(x->arena, x->fit->file, largest_reported, &length, &why);
  uint32_t source = data ? source_add(sources, x->fit->path, data, length) : 0;
  TableHeader header = {.measured = true, .any_order = x->header.any_order};
  if (source && table_header(x->arena, x->diags, source, data, length, &header))
    table_rows(x->arena, x->diags, source, data, length, &header, x->used, &all, &rows);
  if (!x->diags->errors && !arena_failed(x->arena))
    diag_error(x->diags, diag_bad_table, x->fit->path_span, "\"%s\" has a row that cannot be read", x->fit->path);
}

// The first lines, as a source of their own. False: reported, or out of memory.
static bool read_head(MeasuredReading *x, Sources *sources) {
  size_t length;
  const char *why = "out of memory";
  char *data = file_head_ordinary(x->arena, x->fit->file, longest_head, &length, &why);
  if (!data) {
    diag_error(x->diags, diag_missing_file, x->fit->path_span, "\"%s\" cannot be read: %s", x->fit->path, why);
    return false;
  }
  uint32_t source = source_add(sources, x->fit->path, data, length);
  return source && table_header(x->arena, x->diags, source, data, length, &x->header);
}

bool measured_read(Arena *arena, Sources *sources, Diags *diags, const SystemFit *fit, const SystemTableList *inputs,
                   bool any_order, MeasuredRows *out) {
  MeasuredReading x = {
      .arena = arena, .diags = diags, .fit = fit, .header = {.measured = true, .any_order = any_order}};
  MeasuredTaking taking = {.x = &x};
  TableStream stream = {.self = &taking, .take = take_row};
  uint32_t errors = diags->errors;
  *out = (MeasuredRows){0};
  if (!read_head(&x, sources)) return false;
  out->place = x.header.place;
  x.used = arena_array(arena, (size_t)x.header.width + 1, sizeof *x.used);
  x.scale = arena_array(arena, (size_t)x.header.width + 1, sizeof *x.scale);
  x.column = arena_array(arena, (size_t)fit->measured.count + 1, sizeof *x.column);
  if (arena_failed(arena)) return false;
  find_columns(&x, inputs);
  if (diags->errors > errors) return false;
  if (!table_stream(arena, fit->file, &x.header, x.used, &stream)) return false;
  if (stream.bad) {
    tell_rows(&x, sources);
    return false;
  }
  bool *in_unit = arena_array(arena, (size_t)fit->measured.count + 1, sizeof *in_unit);
  for (uint32_t i = 0; in_unit && i < fit->measured.count; i++) in_unit[i] = x.header.units[x.column[i]] != NULL;
  out->in_unit = in_unit;
  if (!in_unit) return false;
  out->times = taking.times.items;
  out->values = taking.values.items;
  out->count = taking.times.count;
  if (!out->count)
    diag_error(diags, diag_bad_table, fit->path_span, "\"%s\" has no measured value in any row", fit->path);
  else check_inputs(&x, inputs, out);
  return diags->errors == errors;
}

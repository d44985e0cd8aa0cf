// The rows of the data of a `fit`. See measured.h.
#include "lang/measured.h"

#include "lang/table.h"
#include "system/dimension.h"

#include <math.h>
#include <string.h>

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

// An input that ends before the data is held at its last value from there on.
static void check_inputs(MeasuredReading *x, const SystemTableList *inputs, double last) {
  for (uint32_t k = 0; k < inputs->count; k++) {
    const SystemTable *t = &inputs->items[k];
    if (!t->count || !(t->x[t->count - 1] < last)) continue;
    diag_warning(x->diags, diag_bad_table, x->fit->path_span,
                 "the data lasts until t = %.10g, but table(%s, t) ends at %.10g and is held from there on", last,
                 t->text, t->x[t->count - 1]);
  }
}

// Rows in which something was measured.
static bool keep_rows(MeasuredReading *x, const double *all, uint32_t rows, MeasuredRows *out) {
  uint32_t width = x->fit->measured.count, wide = x->header.width;
  out->times = arena_array(x->arena, (size_t)rows + 1, sizeof *out->times);
  out->values = arena_array(x->arena, ((size_t)rows + 1) * width, sizeof *out->values);
  if (!out->times || !out->values) return false;
  for (uint32_t r = 0; r < rows; r++) {
    const double *from = all + (size_t)r * wide;
    double *to = out->values + (size_t)out->count * width;
    bool any = false;
    for (uint32_t i = 0; i < width; i++) {
      to[i] = from[x->column[i]] * x->scale[x->column[i]];
      any = any || !isnan(to[i]);
    }
    out->times[out->count] = from[0] * x->scale[0];
    out->count += any;
  }
  return true;
}

static double last_time(const MeasuredRows *rows) {
  double last = rows->times[0];
  for (uint32_t i = 1; i < rows->count; i++) last = fmax(last, rows->times[i]);
  return last;
}

bool measured_read(Arena *arena, Sources *sources, Diags *diags, const SystemFit *fit, const SystemTableList *inputs,
                   bool any_order, const char *data, size_t length, MeasuredRows *out) {
  MeasuredReading x = {
      .arena = arena, .diags = diags, .fit = fit, .header = {.measured = true, .any_order = any_order}};
  uint32_t source = source_add(sources, fit->path, data, length), rows = 0, errors = diags->errors;
  double *all = NULL;
  *out = (MeasuredRows){0};
  if (!source || !table_header(arena, diags, source, data, length, &x.header)) return false;
  out->place = x.header.place;
  x.used = arena_array(arena, (size_t)x.header.width + 1, sizeof *x.used);
  x.scale = arena_array(arena, (size_t)x.header.width + 1, sizeof *x.scale);
  x.column = arena_array(arena, (size_t)fit->measured.count + 1, sizeof *x.column);
  if (arena_failed(arena)) return false;
  find_columns(&x, inputs);
  if (diags->errors > errors) return false;
  if (!table_rows(arena, diags, source, data, length, &x.header, x.used, &all, &rows)) return false;
  if (!keep_rows(&x, all, rows, out)) return false;
  if (!out->count)
    diag_error(diags, diag_bad_table, fit->path_span, "\"%s\" has no measured value in any row", fit->path);
  else if (out->times[0] < 0 && !any_order)
    diag_error(diags, diag_bad_table, x.header.place, "the data begins at t = %.10g, but a motion begins at t = 0",
               out->times[0]);
  else check_inputs(&x, inputs, last_time(out));
  return diags->errors == errors;
}

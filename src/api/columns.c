// Columns of a table as somebody wants them: some of them, in an order, in units.
//
// in    a model, a list of columns "t, th, x", a list of units "th=deg, x=mm"; then the rows of a run
// out   the same rows with these columns, numbers in these units, "th [deg]" in the header
// how   what a column measures is known as far as the model says units; a unit that does not fit is refused at once,
//       a column that is not there when the header comes
#include "api/handles.h"
#include "system/dimension.h"

#include <math.h>
#include <string.h>

typedef struct ColumnRequest {
  const char *name, *unit; // unit NULL: none is asked for
  double size;             // one of it in SI
  bool met;
} ColumnRequest;

struct viva_columns {
  Arena *arena;
  VEC(ColumnRequest) columns; // in their order; none: all
  VEC(ColumnRequest) units;
  viva_sink to;
  uint32_t *from; // the column of the run that stands at each index
  double *size, *row;
  size_t count;
  const char *message;
};

static bool refuse(viva_columns *c, const char *message) {
  c->message = message;
  return false;
}

// The text without blanks around it, of a part of a list.
static const char *trimmed(Arena *arena, const char *s, size_t n) {
  while (n && (*s == ' ' || *s == '\t')) s++, n--;
  while (n && (s[n - 1] == ' ' || s[n - 1] == '\t')) n--;
  return arena_strndup(arena, s, n);
}

// What a column is in SI; NULL: not known.
static const char *unit_of(const Figure *f, const System *s, const char *name) {
  static const struct {
    const char *name, *unit;
  } always[] = {{"t", "s"},
                {"energy.kinetic", "J"},
                {"energy.potential", "J"},
                {"energy.stored", "J"},
                {"energy.dissipated", "J"},
                {"energy.supplied", "J"},
                {"energy.residue", "J"}};
  for (size_t i = 0; i < sizeof always / sizeof *always; i++) {
    if (strcmp(always[i].name, name) == 0) return always[i].unit;
  }
  for (uint32_t i = 0; figure_shown(f, i).name; i++) {
    if (strcmp(figure_shown(f, i).name, name) == 0) return figure_shown(f, i).unit;
  }
  for (uint32_t i = 0; i < s->signals.count; i++) {
    if (strcmp(s->signals.items[i].name, name) == 0) return s->signals.items[i].si;
  }
  return NULL;
}

static bool read_unit(viva_columns *c, const Figure *f, const System *s, ColumnRequest *w) {
  Unit unit, own;
  if (!unit_read(c->arena, w->unit, &unit)) {
    const char *near = unit_nearest(w->unit);
    return refuse(c, near ? arena_printf(c->arena, "`%s` is no unit (did you mean `%s`?)", w->unit, near)
                          : arena_printf(c->arena, "`%s` is no unit", w->unit));
  }
  const char *si = unit_of(f, s, w->name);
  w->size = rat_to_double(unit.scale) * pow(acos(-1), unit.pi);
  if (!si || (*si && !unit_read(c->arena, si, &own))) return true;
  if (!*si) own = unit_none();
  Dimension a = dimension_of_unit(&unit), b = dimension_of_unit(&own);
  if (dimension_same(&a, &b)) return true;
  return refuse(
      c, arena_printf(c->arena, "`%s` is in [%s], so it cannot be shown in [%s]", w->name, *si ? si : "1", w->unit));
}

// "th=deg, x=mm"; with units false "t, th, x". Commas inside brackets belong to a name.
static bool read_list(viva_columns *c, const char *text, bool units, const Figure *f, const System *s) {
  while (text && *text) {
    size_t n = 0;
    for (int depth = 0; text[n] && (depth || text[n] != ','); n++) depth += (text[n] == '[') - (text[n] == ']');
    const char *equal = units ? memchr(text, '=', n) : NULL;
    ColumnRequest w = {.name = trimmed(c->arena, text, equal ? (size_t)(equal - text) : n), .size = 1};
    if (equal) w.unit = trimmed(c->arena, equal + 1, n - (size_t)(equal + 1 - text));
    if (!w.name || (equal && !w.unit)) return false;
    if (!*w.name || (units && (!w.unit || !*w.unit)))
      return refuse(c, units ? "`--in` needs names with units: \"th=deg, x=mm\""
                             : "`--columns` needs names with commas between: \"th, x\"");
    for (uint32_t i = 0; i < (units ? c->units.count : c->columns.count); i++) {
      if (strcmp((units ? c->units.items : c->columns.items)[i].name, w.name) == 0)
        return refuse(c, arena_printf(c->arena, "`%s` is said twice", w.name));
    }
    if (units && !read_unit(c, f, s, &w)) return false;
    if (!(units ? vec_push(c->arena, &c->units, w) : vec_push(c->arena, &c->columns, w))) return false;
    text += n + (text[n] == ',');
  }
  return true;
}

viva_status viva_columns_new(const viva_model *model, const char *columns, const char *units, viva_columns **out) {
  if (!out) return VIVA_EUSAGE;
  *out = NULL;
  viva_status status = model_status(model);
  if (status != VIVA_OK) return status;
  viva_columns *c = handle_new(sizeof *c);
  Figure f;
  if (!c) return VIVA_ENOMEM;
  bool ok = figure_init(&f, c->arena, &model->system, false, false, false) && figure_watch_table(&f) &&
            read_list(c, columns, false, &f, &model->system) && read_list(c, units, true, &f, &model->system);
  if (arena_failed(c->arena) || (!ok && !c->message)) {
    handle_free(c);
    return VIVA_ENOMEM;
  }
  *out = c;
  return ok ? VIVA_OK : VIVA_EINPUT;
}

void viva_columns_free(viva_columns *columns) { handle_free(columns); }
const char *viva_columns_message(const viva_columns *columns) { return columns ? columns->message : NULL; }

// ---- rows

// Names that were asked for and are no column.
static bool all_met(viva_columns *c) {
  for (int list = 0; list < 2; list++) {
    for (uint32_t i = 0; i < (list ? c->units.count : c->columns.count); i++) {
      const ColumnRequest *w = list ? &c->units.items[i] : &c->columns.items[i];
      if (!w->met) return refuse(c, arena_printf(c->arena, "the table has no column `%s`", w->name));
    }
  }
  return true;
}

static const char *head_of(viva_columns *c, const char *name, double *size) {
  *size = 1;
  for (uint32_t i = 0; i < c->units.count; i++) {
    ColumnRequest *w = &c->units.items[i];
    if (strcmp(w->name, name) != 0) continue;
    w->met = true;
    *size = w->size;
    return arena_printf(c->arena, "%s [%s]", name, w->unit);
  }
  return name;
}

static bool take_header(void *self, const char *const *names, size_t count) {
  viva_columns *c = self;
  const char **heads = arena_array(c->arena, count + c->columns.count + 1, sizeof *heads);
  c->from = arena_array(c->arena, count + c->columns.count + 1, sizeof *c->from);
  c->size = arena_array(c->arena, count + c->columns.count + 1, sizeof *c->size);
  c->row = arena_array(c->arena, count + c->columns.count + 1, sizeof *c->row);
  if (!heads || !c->from || !c->size || !c->row) return false;
  c->count = 0;
  uint32_t wanted = c->columns.count ? c->columns.count : (uint32_t)count;
  for (uint32_t i = 0; i < wanted; i++) {
    for (uint32_t k = c->columns.count ? 0 : i; k < count; k++) {
      if (c->columns.count && strcmp(c->columns.items[i].name, names[k]) != 0) continue;
      if (c->columns.count) c->columns.items[i].met = true;
      c->from[c->count] = k;
      heads[c->count] = head_of(c, names[k], &c->size[c->count]);
      c->count++;
      break;
    }
  }
  // a unit of a column that is left out still names one of the table
  for (size_t k = 0; k < count; k++) {
    double size;
    head_of(c, names[k], &size);
  }
  if (arena_failed(c->arena) || !all_met(c)) return false;
  return !c->to.header || c->to.header(c->to.self, heads, c->count);
}

static bool take_row(void *self, const double *values, size_t count) {
  viva_columns *c = self;
  for (size_t i = 0; i < c->count; i++) c->row[i] = c->from[i] < count ? values[c->from[i]] / c->size[i] : NAN;
  return !c->to.row || c->to.row(c->to.self, c->row, c->count);
}

viva_sink viva_columns_sink(viva_columns *columns, viva_sink to) {
  if (!columns) return to;
  columns->to = to;
  return (viva_sink){columns, take_header, take_row};
}

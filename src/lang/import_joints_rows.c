// The header and the rows of a table of joints, and who is whose parent.
//
// Cells are separated by `;` if the header holds one, else by commas, else by tabs. A parent is called by the number of
// its row (or by what stands in the column `joint`), or by its name; 0, `-` and `ground` are the ground. It may stand
// below. A cell with `-` alone is empty.
#include "lang/import_joints.h"

#include "base/number.h"
#include "system/units.h"

#include <math.h>
#include <string.h>

static const char *const columns[column_count] = {"name", "joint",  "d_x",  "d_y",   "d_z",   "alpha", "beta",
                                                  "code", "parent", "mass", "com_x", "com_y", "com_z", "ixx",
                                                  "iyy",  "izz",    "ixy",  "ixz",   "iyz"};

typedef struct JointReader {
  Arena *arena;
  Diags *diags;
  const Source *source;
  uint32_t id;
  char separator;
  JointTable *table;
  int order[64]; // which column each cell of a row is; -1: reported
  uint32_t count;
} JointReader;

// ---- cells

static char find_separator(const char *text, size_t length) {
  const char *end = memchr(text, '\n', length);
  size_t n = end ? (size_t)(end - text) : length;
  return memchr(text, ';', n) ? ';' : memchr(text, ',', n) ? ',' : '\t';
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '"'; }

// The next cell of the line that ends at `end`; *at goes behind it.
static JointCell next_cell(const JointReader *r, uint32_t *at, uint32_t end) {
  const char *text = r->source->text;
  uint32_t start = *at, stop = start;
  while (stop < end && text[stop] != r->separator) stop++;
  *at = stop + 1;
  while (start < stop && is_blank(text[start])) start++;
  while (stop > start && is_blank(text[stop - 1])) stop--;
  return (JointCell){arena_strndup(r->arena, text + start, stop - start), {r->id, start, stop}};
}

static uint32_t line_end(const Source *s, uint32_t at) {
  const char *end = memchr(s->text + at, '\n', s->length - at);
  return end ? (uint32_t)(end - s->text) : (uint32_t)s->length;
}

// ---- the header

static int column_of(const char *text, size_t length) {
  for (int i = 0; i < column_count; i++) {
    if (strlen(columns[i]) != length) continue;
    size_t k = 0;
    while (k < length && (text[k] | 0x20) == (columns[i][k] | 0x20)) k++;
    if (k == length) return i;
  }
  return -1;
}

// d_x [mm]: how long is the name?
static size_t name_length(const char *text) {
  size_t n = strcspn(text, "[(");
  while (n && is_blank(text[n - 1])) n--;
  return n;
}

bool joints_recognise(const char *path, const char *text, size_t length) {
  (void)path;
  if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) text += 3, length -= 3;
  char separator = find_separator(text, length);
  bool has[column_count] = {false};
  for (size_t at = 0, cells = 0; at < length && text[at] != '\n'; cells++) {
    size_t end = at;
    while (end < length && text[end] != separator && text[end] != '\n') end++;
    size_t n = end - at;
    const char *cell = text + at;
    while (n && is_blank(*cell)) cell++, n--;
    const char *bracket = n ? memchr(cell, '[', n) : NULL;
    if (bracket) n = (size_t)(bracket - cell);
    while (n && is_blank(cell[n - 1])) n--;
    int column = column_of(cell, n);
    if (column < 0 && cells == 0) return false; // a line of a model starts with a word of its own
    if (column >= 0) has[column] = true;
    at = end < length && text[end] == separator ? end + 1 : end;
  }
  return has[column_d_x] && has[column_d_y] && has[column_d_z] && has[column_code] && has[column_parent];
}

// What a column's unit must be: kg^a m^b, or an angle.
static const struct {
  int8_t kilogram, metre, angle;
} wanted[column_count] = {
    [column_d_x] = {0, 1, 0},   [column_d_y] = {0, 1, 0},  [column_d_z] = {0, 1, 0},   [column_alpha] = {0, 0, 1},
    [column_beta] = {0, 0, 1},  [column_mass] = {1, 0, 0}, [column_com_x] = {0, 1, 0}, [column_com_y] = {0, 1, 0},
    [column_com_z] = {0, 1, 0}, [column_ixx] = {1, 2, 0},  [column_iyy] = {1, 2, 0},   [column_izz] = {1, 2, 0},
    [column_ixy] = {1, 2, 0},   [column_ixz] = {1, 2, 0},  [column_iyz] = {1, 2, 0}};

static void take_unit(JointReader *r, int column, JointCell cell, size_t after) {
  const char *open = cell.text + after + strspn(cell.text + after, " \t"), *close = strchr(open, ']');
  JointTable *t = r->table;
  Unit unit;
  if (*open != '[' || !close || close[1]) {
    diag_error(r->diags, diag_joint_table, cell.span, "a unit stands in brackets: `%s [m]`", columns[column]);
    return;
  }
  const char *text = arena_strndup(r->arena, open + 1, (size_t)(close - open - 1));
  if (!text) return;
  bool good = unit_read(r->arena, text, &unit);
  Unit none = unit_none();
  for (int i = 0; good && i < unit_dims; i++) {
    int8_t need = i == unit_kilogram ? wanted[column].kilogram
                  : i == unit_metre  ? wanted[column].metre
                  : i == unit_angle  ? wanted[column].angle
                                     : none.dim[i];
    good = unit.dim[i] == need;
  }
  if (!good) {
    diag_error(r->diags, diag_joint_table, cell.span, "`%s` is no unit of `%s`", text, columns[column]);
    return;
  }
  t->unit[column] = text;
  t->scale[column] = rat_to_double(unit.scale) * pow(3.14159265358979323846, unit.pi);
}

static void read_header(JointReader *r, uint32_t at, uint32_t end) {
  JointTable *t = r->table;
  t->head = (Span){r->id, at, end};
  while (at <= end) {
    JointCell cell = next_cell(r, &at, end);
    if (!cell.text) return;
    if (r->count == sizeof r->order / sizeof *r->order) {
      diag_error(r->diags, diag_joint_table, cell.span, "a table of joints has at most %d columns", column_count);
      return;
    }
    size_t n = name_length(cell.text);
    int column = column_of(cell.text, n);
    r->order[r->count++] = column;
    if (column < 0) {
      diag_error(r->diags, diag_joint_table, cell.span, "there is no column `%s` in a table of joints", cell.text);
      unsigned least = 3;
      const char *near = NULL;
      for (int i = 0; i < column_count; i++) {
        unsigned d = word_distance(cell.text, columns[i]);
        if (d < least) least = d, near = columns[i];
      }
      if (near) diag_hint(r->diags, "did you mean `%s`?", near);
      continue;
    }
    if (t->has[column]) diag_error(r->diags, diag_joint_table, cell.span, "a second column `%s`", columns[column]);
    t->has[column] = true;
    t->header[column] = cell.span;
    if (cell.text[n]) take_unit(r, column, cell, n);
  }
}

static void check_header(JointReader *r) {
  static const int needed[] = {column_d_x, column_d_y, column_d_z, column_code, column_parent};
  static const int alike[][3] = {{column_d_x, column_d_y, column_d_z},
                                 {column_com_x, column_com_y, column_com_z},
                                 {column_ixx, column_iyy, column_izz},
                                 {column_ixx, column_ixy, column_ixz},
                                 {column_ixx, column_iyz, column_iyz}};
  JointTable *t = r->table;
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
    if (!t->has[needed[i]])
      diag_error(r->diags, diag_joint_table, t->head, "the column `%s` is missing", columns[needed[i]]);
  }
  for (size_t i = 0; i < sizeof alike / sizeof *alike; i++) {
    for (int k = 1; k < 3; k++) {
      int a = alike[i][0], b = alike[i][k];
      const char *x = t->unit[a], *y = t->unit[b];
      if (!t->has[a] || !t->has[b] || x == y || (x && y && strcmp(x, y) == 0)) continue;
      diag_error(r->diags, diag_joint_table, t->header[b], "`%s` and `%s` need the same unit", columns[a], columns[b]);
    }
  }
  for (int i = column_com_x; i <= column_iyz; i++) {
    if (t->has[i] && !t->has[column_mass]) {
      diag_error(r->diags, diag_joint_table, t->header[i], "`%s` without a column `mass`", columns[i]);
      return;
    }
  }
}

// ---- rows

static bool is_number_column(int column) {
  return column != column_name && column != column_joint && column != column_parent;
}

// Where no comma separates columns it is the decimal sign, as spreadsheets of many countries write it.
static const char *with_point(JointReader *r, const char *text) {
  char *copy = r->separator != ',' && strchr(text, ',') ? arena_printf(r->arena, "%s", text) : NULL;
  if (!copy) return text;
  *strchr(copy, ',') = '.';
  return copy;
}

static void read_cell(JointReader *r, JointRow *row, int column, JointCell cell) {
  if (strcmp(cell.text, "-") == 0) cell.text = column == column_parent ? "ground" : "";
  if (is_number_column(column)) cell.text = with_point(r, cell.text);
  row->cell[column] = cell;
  if (!is_number_column(column) || !*cell.text) return;
  char *end;
  size_t n = strlen(cell.text);
  double v = strspn(cell.text, "0123456789.eE+-") == n && n < 60 ? number_parse(cell.text, &end) : NAN;
  if (!isnan(v) && *end) v = NAN;
  if (isnan(v)) {
    diag_error(r->diags, diag_joint_table, cell.span, "`%s` needs a number, and this is none", columns[column]);
  } else if (!isfinite(v)) {
    diag_error(r->diags, diag_joint_table, cell.span, "this number is too large");
  } else {
    row->number[column] = v;
  }
}

static bool is_empty(const JointRow *row, int column) { return !row->cell[column].text || !*row->cell[column].text; }

static void check_row(JointReader *r, const JointRow *row) {
  static const int needed[] = {column_d_x, column_d_y, column_d_z, column_code, column_parent};
  uint32_t errors = r->diags->errors;
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
    if (r->table->has[needed[i]] && is_empty(row, needed[i]))
      diag_error(r->diags, diag_joint_table, row->span, "this row has no `%s`", columns[needed[i]]);
  }
  if (r->diags->errors > errors || !r->table->has[column_code]) return;
  double code = row->number[column_code];
  if (!(code >= 1 && code <= 8 && code == floor(code))) {
    diag_error(r->diags, diag_joint_table, row->cell[column_code].span, "there is no movement code `%s`",
               row->cell[column_code].text);
    diag_hint(r->diags,
              "1 2 3: along x, y, z; 4 5 6: about x, y, z; 7 and 8: along and about an axis by alpha and beta");
    return;
  }
  for (int c = column_alpha; code >= 7 && c <= column_beta; c++) {
    if (is_empty(row, c))
      diag_error(r->diags, diag_joint_table, row->cell[column_code].span, "the axis of code %g needs `%s`", code,
                 columns[c]);
  }
  if (row->number[column_mass] < 0)
    diag_error(r->diags, diag_joint_table, row->cell[column_mass].span, "a mass cannot be negative");
}

static void read_row(JointReader *r, uint32_t at, uint32_t end) {
  JointRow row = {.span = {r->id, at, end}};
  uint32_t k = 0;
  while (at <= end) {
    JointCell cell = next_cell(r, &at, end);
    if (!cell.text) return;
    if (k >= r->count) {
      if (*cell.text) {
        diag_error(r->diags, diag_joint_table, cell.span, "this row has more cells than the header");
        return;
      }
    } else if (r->order[k] >= 0) {
      read_cell(r, &row, r->order[k], cell);
    }
    k++;
  }
  check_row(r, &row);
  row.id = !is_empty(&row, column_joint) ? row.cell[column_joint].text
                                         : arena_printf(r->arena, "%u", r->table->rows.count + 1);
  if (row.id) vec_push(r->arena, &r->table->rows, row);
}

// ---- parents

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The row that is called so, plus one; 0: none.
static uint32_t find_row(const JointTable *t, const char *name) {
  for (uint32_t i = 0; i < t->rows.count; i++) {
    const JointRow *row = &t->rows.items[i];
    if (strcmp(row->id, name) == 0) return i + 1;
    if (!is_empty(row, column_name) && strcmp(row->cell[column_name].text, name) == 0) return i + 1;
  }
  // by its number, if the joints have names instead
  size_t digits = strspn(name, "0123456789");
  if (name[digits] || digits > 6) return 0;
  uint32_t number = 0;
  for (const char *c = name; *c; c++) number = 10 * number + (uint32_t)(*c - '0');
  bool named = number && number <= t->rows.count && !is_digit(t->rows.items[number - 1].id[0]);
  return named ? number : 0;
}

static void find_parents(JointReader *r) {
  JointTable *t = r->table;
  for (uint32_t i = 0; i < t->rows.count; i++) {
    JointRow *row = &t->rows.items[i];
    if (find_row(t, row->id) != i + 1)
      diag_error(r->diags, diag_joint_table, row->cell[column_joint].span, "a second row is called `%s`", row->id);
    if (is_empty(row, column_parent)) continue;
    const char *name = row->cell[column_parent].text;
    if (strcmp(name, "0") == 0 || strcmp(name, "ground") == 0) continue;
    row->parent = find_row(t, name);
    if (!row->parent) {
      diag_error(r->diags, diag_joint_table, row->cell[column_parent].span, "there is no row `%s`", name);
      diag_hint(r->diags, "a parent is the number of its row, or 0 for the ground");
    } else if (row->parent == i + 1) {
      diag_error(r->diags, diag_joint_table, row->cell[column_parent].span, "row `%s` is its own parent", row->id);
    }
  }
}

static void find_circle(JointReader *r) {
  JointTable *t = r->table;
  for (uint32_t i = 0; i < t->rows.count; i++) {
    uint32_t at = i + 1, steps = 0;
    while (at && steps++ <= t->rows.count) at = t->rows.items[at - 1].parent;
    if (!at) continue;
    diag_error(r->diags, diag_joint_table, t->rows.items[i].cell[column_parent].span,
               "parents go round in a circle, and never reach the ground");
    return;
  }
}

bool joints_read(Arena *arena, const ImportFrom *from, Diags *diags, JointTable *table) {
  enum { most_rows = 10000 };
  const Source *s = source_get(from->sources, (Span){from->source, 0, 0});
  uint32_t errors = diags->errors, at = s->length >= 3 && memcmp(s->text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
  *table = (JointTable){0};
  JointReader r = {.arena = arena, .diags = diags, .source = s, .id = from->source, .table = table};
  r.separator = find_separator(s->text + at, s->length - at);
  uint32_t end = line_end(s, at);
  read_header(&r, at, end);
  check_header(&r);
  for (at = end + 1; at < s->length && !arena_failed(arena); at = end + 1) {
    end = line_end(s, at);
    uint32_t first = at;
    while (first < end && (is_blank(s->text[first]) || s->text[first] == r.separator)) first++;
    if (first == end || s->text[first] == '#') continue;
    if (table->rows.count == most_rows) {
      diag_error(diags, diag_joint_table, (Span){from->source, at, end}, "more than %d joints", most_rows);
      break;
    }
    read_row(&r, at, end);
  }
  if (!table->rows.count && diags->errors == errors)
    diag_error(diags, diag_joint_table, table->head, "the table has no row");
  if (!arena_failed(arena)) find_parents(&r);
  if (diags->errors == errors) find_circle(&r);
  return diags->errors == errors && !arena_failed(arena);
}

// A table of joints as a model: a `body` for each row, with the coordinate q and the number of the row.
//
// Lengths are written in the unit of the table, so that its numbers are seen again. Without masses the model is a
// kinematics, in which each joint keeps its speed, and a warning says so.
#include "lang/import_joints.h"

#include "lang/import_bodies.h"

#include <math.h>
#include <string.h>

static const double degree = 3.14159265358979323846 / 180;

static void find_axis(const JointTable *t, const JointRow *row, double axis[3]) {
  int code = (int)row->number[column_code];
  memset(axis, 0, 3 * sizeof *axis);
  if (code <= 6) {
    axis[(code - 1) % 3] = 1;
    return;
  }
  double a = row->number[column_alpha] * (t->unit[column_alpha] ? t->scale[column_alpha] : degree),
         b = row->number[column_beta] * (t->unit[column_beta] ? t->scale[column_beta] : degree);
  axis[0] = cos(a) * cos(b);
  axis[1] = sin(a) * cos(b);
  axis[2] = sin(b);
}

static bool is_revolute(int code) { return code == 8 || (code >= 4 && code <= 6); }

// Returns the name of its coordinate; NULL: out of memory.
static const char *put_row(BodyWriter *w, const JointTable *t, uint32_t i, const char *const *names,
                           const char *const *mass) {
  const JointRow *row = &t->rows.items[i];
  double axis[3];
  int code = (int)row->number[column_code];
  find_axis(t, row, axis);
  bool named = row->id[0] < '0' || row->id[0] > '9';
  const char *wanted = named ? row->id : arena_printf(w->arena, "q%s", row->id);
  ImportBody body = {.name = names[i],
                     .parent = row->parent ? names[row->parent - 1] : "ground",
                     .joint = is_revolute(code) ? "revolute" : "prismatic",
                     .axis = axis,
                     .coordinates = wanted ? bodies_name(w, wanted) : NULL,
                     .mass = mass[i],
                     .at_unit = t->unit[column_d_x] ? t->unit[column_d_x] : "mm",
                     .com_unit = t->unit[column_com_x] ? t->unit[column_com_x] : "mm",
                     .inertia_unit = t->unit[column_ixx] ? t->unit[column_ixx] : "kg*m^2",
                     .span = row->span};
  memcpy(body.at, row->number + column_d_x, sizeof body.at);
  memcpy(body.com, row->number + column_com_x, sizeof body.com);
  memcpy(body.inertia, row->number + column_ixx, sizeof body.inertia);
  body.note = arena_printf(w->arena, "code %d", code);
  bodies_write(w, &body);
  return body.coordinates;
}

static void put_table(BodyWriter *w, const JointTable *t, const ImportFrom *from) {
  uint32_t n = t->rows.count;
  const char **names = arena_array(w->arena, n, sizeof *names), **mass = arena_array(w->arena, n, sizeof *mass);
  if (!names || !mass) return;
  for (uint32_t i = 0; i < n; i++) {
    const JointRow *row = &t->rows.items[i];
    const char *said = row->cell[column_name].text;
    const char *wanted = said && *said ? said : arena_printf(w->arena, "b%s", row->id);
    names[i] = wanted ? bodies_name(w, wanted) : NULL;
    if (!names[i]) return;
  }
  text_printf(&w->out->text, "# A table of joints by movement codes: %u row%s.%s", n, n == 1 ? "" : "s",
              t->has[column_mass] ? "" : " It has no masses: kinematics only.");
  bodies_end(w, (Span){0});
  bodies_line(w, "");
  if (!from->part && t->has[column_mass]) bodies_line(w, "gravity [0, 0, -9.81]  # not in the table");
  for (uint32_t i = 0; i < n && t->has[column_mass]; i++) {
    const char *wanted = arena_printf(w->arena, "%s_mass", names[i]);
    mass[i] = wanted ? bodies_name(w, wanted) : NULL;
    const char *unit = t->unit[column_mass] ? t->unit[column_mass] : "kg";
    if (mass[i]) bodies_param(w, mass[i], t->rows.items[i].number[column_mass], unit, t->rows.items[i].span, NULL);
  }
  const char **q = arena_array(w->arena, n, sizeof *q);
  for (uint32_t i = 0; q && i < n; i++) q[i] = put_row(w, t, i, names, mass);
  if (!q || t->has[column_mass]) return;
  bodies_line(w, "");
  bodies_line(w, "# kinematics only: each joint keeps the speed with which it starts");
  for (uint32_t i = 0; i < n; i++) {
    text_printf(&w->out->text, "kinetic 1/2*%s'^2", q[i] ? q[i] : "");
    bodies_end(w, t->rows.items[i].span);
  }
}

bool joints_import(Arena *arena, const ImportFrom *from, Diags *diags, Imported *out) {
  JointTable table;
  if (!joints_read(arena, from, diags, &table)) return false;
  if (!table.has[column_mass]) {
    diag_warning(diags, diag_massless, table.head,
                 "the table has no masses: kinematics only, each joint keeps its speed");
    diag_hint(diags, "columns `mass`, `com_x`, `com_y`, `com_z`, `ixx` to `iyz` make a motion of it");
  }
  BodyWriter w = {.arena = arena, .out = out};
  const char *path = source_get(from->sources, (Span){from->source, 0, 0})->name, *slash = strrchr(path, '/');
  bodies_title(&w, slash ? slash + 1 : path, table.head);
  put_table(&w, &table, from);
  return !arena_failed(arena);
}

// What a model shows: its `plot` and `draw` lines.
//
// A curve has a label (the name as in tables, else the text, with the variables of `for` as numbers) and a unit as far
// as it is known. A line with `for` is one picture with several curves, unless what it is plotted against differs.
#include "lang/eval.h"
#include "lang/infer.h"
#include "lang/statements.h"

#include <string.h>

static bool word_part(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         (unsigned char)c >= 0x80;
}

// A name as in tables, with its parts: hip.th, th[3]'. Else the text, with the variables of `for` as numbers.
static const char *label_of(Elab *e, const Ast *a, const Binding *env) {
  const char *path = path_name(e, a, env), *s = elab_written(e, a->span);
  if (path || !env || !s) return path ? path : s;
  Text t = text_in(e->arena);
  while (*s) {
    size_t n = 0;
    while (word_part(s[n])) n++;
    const Binding *b = n ? env : NULL;
    while (b && !(strlen(b->name) == n && memcmp(b->name, s, n) == 0)) b = b->next;
    Rat r;
    if (b && b->value.shape == value_scalar && expr_number(e->pool, b->value.scalar, &r))
      text_number(&t, rat_to_double(r));
    else text_putn(&t, s, n ? n : 1);
    s += n ? n : 1;
  }
  return text_str(&t);
}

// ---- plot

static void put_curves(Elab *e, SystemPlot *plot, const Item *item, const Binding *env) {
  Value v = eval(e, item->value, env);
  const char *name = !v.shape ? NULL : item->note ? item->note : label_of(e, item->value, env);
  const char **units = name ? infer_shown(e, item->value, NULL, env, value_count(&v)) : NULL;
  for (uint32_t i = 0; units && i < value_count(&v); i++) {
    const char *full = elab_entry_name(e, name, &v, i);
    SystemOutput o = {full, value_item(&v, i), unit_none(), item->span, units[i]};
    if (full) vec_push(e->arena, &plot->curves, o);
  }
}

void visit_plot(Elab *e, const Stmt *s, const Binding *env) {
  Model *m = e->model;
  // one picture a line, also where the line repeats
  SystemPlot *last = m->plots.count ? &m->plots.items[m->plots.count - 1] : NULL;
  bool again = last && last->span.source == s->span.source && last->span.start == s->span.start;
  SystemPlot plot = {.x_log = s->x_log, .y_log = s->y_log, .span = s->span};
  if (s->against) {
    ExprId id = eval_scalar(e, s->against, env, "what is plotted against");
    if (!id) return;
    const char **units = infer_shown(e, s->against, NULL, env, 1);
    plot.against =
        (SystemOutput){label_of(e, s->against, env), id, unit_none(), s->against->span, units ? units[0] : NULL};
  }
  // a repeated line over different axes becomes several pictures
  if (again && last->against.value != plot.against.value) again = false;
  if (!again && !vec_push(e->arena, &m->plots, plot)) return;
  for (uint32_t i = 0; i < s->items.count; i++)
    put_curves(e, &m->plots.items[m->plots.count - 1], &s->items.items[i], env);
}

// ---- draw

static ShapeKind shape_named(const char *word) {
  static const struct {
    const char *word;
    ShapeKind kind;
  } shapes[] = {
#define SHAPE(word, points, line) {#word, shape_##word},
#include "lang/words.def"
  };
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    if (strcmp(shapes[i].word, word) == 0) return shapes[i].kind;
  }
  return shape_mass;
}

void visit_draw(Elab *e, const Stmt *s, const Binding *env) {
  e->model->draws = true;
  for (uint32_t i = 0; i < s->items.count;) {
    SystemShape shape = {.kind = shape_named(s->items.items[i].name), .span = s->items.items[i].name_span};
    bool ok = true;
    uint32_t points = word_shape_points(s->items.items[i].name);
    for (uint32_t k = 0; k < points && i < s->items.count; k++, i++) {
      const Ast *a = s->items.items[i].value;
      Value v = eval(e, a, env);
      bool point = v.shape == value_vector && (v.rows == 2 || v.rows == 3);
      if (v.shape && !point)
        diag_error(e->diags, diag_shape, a->span, "a point is a vector of 2 or 3, but this is %s",
                   value_describe(e->arena, &v));
      if (point && k > 0 && ok && v.rows != shape.dims) {
        diag_error(e->diags, diag_shape, a->span, "the two ends of a shape are a vector of %u and a vector of %u",
                   shape.dims, v.rows);
        point = false;
      }
      ok = ok && point;
      if (!ok) continue;
      shape.dims = v.rows;
      for (uint32_t c = 0; c < v.rows; c++) shape.points[k][c] = value_item(&v, c);
      const char **units = k == 0 ? infer_shown(e, a, NULL, env, v.rows) : NULL;
      if (units) shape.si = units[0];
      shape.count++;
      shape.span = span_join(shape.span, a->span);
    }
    if (ok) vec_push(e->arena, &e->model->shapes, shape);
  }
}

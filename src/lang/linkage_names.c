// Names of nodes, bars and springs in expressions, made when something asks for them.
//
//   B          the position of a node, a vector; B.x B.y B.z coordinates, or where it is fixed what it was given
//   AB.force   the force along a bar, tension is positive: the multiplier of its constraint
//   AB.length  the distance of its ends; AB.angle its direction, counter-clockwise from x (in a plane)
//   s.force s.length s.stretch of a spring or cable, tension is positive
//
// A coordinate B.x that a statement names (force, init, when, --set) becomes a declaration then.
#include "lang/eval.h"
#include "lang/linkage.h"
#include "lang/tree.h"

#include "system/bars.h"

#include <string.h>

static Bars bars_of(Elab *e) { return (Bars){&e->model->described, e->arena, e->pool}; }

// Are the positions read? False: reported, unless there was an error before.
static bool is_placed(Elab *e, uint32_t node, Span use) {
  if (e->model->linkage.nodes.items[node].place[0]) return true;
  if (!e->diags->errors)
    diag_error(e->diags, diag_not_constant, use, "the place of a node may not depend on where nodes are");
  return false;
}

static Value node_value(Elab *e, const Decl *d, Span use) {
  Bars b = bars_of(e);
  if (!is_placed(e, d->index, use) || !bars_coords(&b)) return value_none();
  BarsVector place = bars_place(&b, d->index);
  Value v = value_new(e->pool, value_vector, e->model->linkage.dimensions, 1);
  for (uint32_t i = 0; v.shape && i < v.rows; i++) v.items[i] = place.at[i];
  return v;
}

Value linkage_value(Elab *e, Decl *d, Span use) {
  if (d->kind == decl_body || d->kind == decl_ball) return tree_value(e, d, use);
  if (d->kind == decl_node) return node_value(e, d, use);
  diag_error(e->diags, diag_shape, use, "`%s` is %s and has no value of its own", d->name, decl_word(d->kind));
  if (d->kind == decl_bar)
    diag_hint(e->diags, "write `%s.force`, `%s.length` or `%s.angle`", d->name, d->name, d->name);
  if (d->kind == decl_spring) diag_hint(e->diags, "write `%s.force` or `%s.length`", d->name, d->name);
  return value_none();
}

// ---- fields

static Value unknown_field(Elab *e, const Decl *d, const Ast *a, const char *known) {
  diag_error(e->diags, diag_unknown_name, a->span, "%s has no `.%s`", decl_word(d->kind), a->name);
  diag_hint(e->diags, "there is %s", known);
  return value_none();
}

static Value bar_field(Elab *e, const Decl *d, const Ast *a) {
  Bars b = bars_of(e);
  const LinkageBar *bar = &e->model->linkage.bars.items[d->index];
  if (bar->a == linkage_none || !is_placed(e, bar->a, a->span) || !is_placed(e, bar->b, a->span) || !bars_coords(&b))
    return value_none();
  BarsVector v = bars_between(&b, bar->a, bar->b);
  if (strcmp(a->name, "length") == 0) return value_of(bars_length(&b, &v));
  if (strcmp(a->name, "angle") == 0) {
    if (e->model->linkage.dimensions == 2) return value_of(expr_fn(e->pool, op_atan2, (ExprId[]){v.at[1], v.at[0]}, 2));
    diag_error(e->diags, diag_linkage, a->span, "in space the direction of a bar is no single angle");
    return value_none();
  }
  if (strcmp(a->name, "force") != 0) return unknown_field(e, d, a, "`.force`, `.length` and `.angle`");
  if (bars_is_given(&b, bar->a) && bars_is_given(&b, bar->b)) {
    diag_error(e->diags, diag_linkage, a->span, "`%s` joins two fixed nodes: nothing tells its force", d->name);
    return value_none();
  }
  return value_of(bars_bar_force(&b, d->index));
}

static Value spring_field(Elab *e, const Decl *d, const Ast *a) {
  Bars b = bars_of(e);
  LinkageSpring s = e->model->linkage.springs.items[d->index];
  if (s.a == linkage_none || !is_placed(e, s.a, a->span) || !is_placed(e, s.b, a->span) || !bars_coords(&b))
    return value_none();
  BarsVector v = bars_between(&b, s.a, s.b);
  if (strcmp(a->name, "length") == 0) return value_of(bars_length(&b, &v));
  bool force = strcmp(a->name, "force") == 0;
  if (!force && strcmp(a->name, "stretch") != 0) return unknown_field(e, d, a, "`.force`, `.length` and `.stretch`");
  ExprId id = force ? bars_spring_force(&b, &s, true) : bars_stretch(&b, &s);
  elab_note_place(e, id, "cable", a->span);
  return value_of(id);
}

Value linkage_field(Elab *e, Decl *d, const Ast *a) {
  if (!d) return tree_total(e, a);
  if (d->kind == decl_body || d->kind == decl_ball) return tree_field(e, d, a);
  if (d->kind == decl_bar) return bar_field(e, d, a);
  if (d->kind == decl_spring) return spring_field(e, d, a);
  return linkage_value(e, d, a->span);
}

// ---- coordinates in statements

uint32_t linkage_node(Elab *e, Scope *scope, const char *name) {
  Decl *d = names_find_in(e, scope, name);
  if (d) return d->kind == decl_node ? d->index : linkage_none;
  const char *dot = strrchr(name, '.'), *open = strrchr(name, '[');
  const char *part = dot ? arena_strndup(e->arena, name, (size_t)(dot - name)) : NULL;
  d = part ? names_find_in(e, scope, part) : NULL;
  if (dot && (!d || d->kind != decl_part || !d->part)) return linkage_none;
  if (dot) return linkage_node(e, d->part, dot + 1);
  const char *family = open ? arena_strndup(e->arena, name, (size_t)(open - name)) : NULL;
  const Family *f = family ? names_family(scope, family) : NULL;
  const Item *item;
  int64_t index = 0, sign = open && open[1] == '-' ? -1 : 1;
  for (const char *c = open ? open + (sign < 0 ? 2 : 1) : ""; *c >= '0' && *c <= '9'; c++)
    index = 10 * index + *c - '0';
  return f && f->runs.count && f->kind == decl_node ? names_element(f, sign * index, &item) : linkage_none;
}

bool linkage_is_place(Elab *e, Scope *scope, const char *name, uint32_t *node, uint32_t *axis) {
  const char *dot = strrchr(name, '.');
  if (!dot || dot[1] < 'x' || dot[1] > 'z' || dot[2]) return false;
  const char *base = arena_strndup(e->arena, name, (size_t)(dot - name));
  *axis = (uint32_t)(dot[1] - 'x');
  *node = base ? linkage_node(e, scope, base) : linkage_none;
  return *node != linkage_none;
}

Decl *linkage_coordinate(Elab *e, const char *name, Span use) {
  uint32_t node, axis;
  Bars b = bars_of(e);
  Decl *known = names_find(e, name);
  if (known || !linkage_is_place(e, e->names.scope, name, &node, &axis)) return known;
  const LinkageNode *n = &e->model->linkage.nodes.items[node];
  if (!n->place[0] || axis >= e->model->linkage.dimensions || !bars_coords(&b)) return NULL;
  uint32_t coord = bars_coord(&b, node, axis);
  if (coord == linkage_none) {
    diag_error(e->diags, diag_linkage, use, "`%s` is fixed: where it is stands in its `node` line", name);
    return NULL;
  }
  Item *item = arena_new_of(e->arena, Item);
  if (!item) return NULL;
  Unit *unit = arena_new_of(e->arena, Unit);
  if (!unit) return NULL;
  *unit = e->model->coords.items[coord].unit;
  *item = (Item){.name = name, .name_span = use, .span = use, .unit = unit};
  Decl *d = names_add(e, decl_coord, item, 0, NULL);
  if (!d) return NULL;
  d->index = coord;
  d->span = e->model->linkage.nodes.items[node].span;
  return d;
}

// A mechanism without a `draw` line is drawn as it is: bars as rods, springs as springs, fixed nodes as ground, masses
// as discs, bodies by the outline of their nodes. One that is too large to be looked at is not.
#include "form/linkage_rigid.h"

enum { most_shapes = 4000 }; // more is no picture, and every point is a column of the result

static bool add_shape(System *s, ShapeKind kind, const BarsVector *a, const BarsVector *b, Span span) {
  SystemShape shape = {.kind = kind, .count = b ? 2 : 1, .dims = s->linkage.dimensions, .si = "m", .span = span};
  for (uint32_t i = 0; i < shape.dims; i++) {
    shape.points[0][i] = a->at[i];
    if (b) shape.points[1][i] = b->at[i];
  }
  return vec_push(s->arena, &s->shapes, shape);
}

static bool add_line(System *s, Bars *b, ShapeKind kind, uint32_t from, uint32_t to, Span span) {
  BarsVector p = bars_place(b, from), q = bars_place(b, to);
  return add_shape(s, kind, &p, &q, span);
}

static bool add_body(System *s, Bars *b, const LinkageRigid *body) {
  const uint32_t *m = s->linkage.members.items + body->first;
  for (uint32_t i = 0; i < body->count; i++) {
    if (!add_line(s, b, shape_rod, m[i], m[(i + 1) % body->count], body->span)) return false;
  }
  return true;
}

bool linkage_add_shapes(System *s, Bars *b) {
  const Linkage *l = &s->linkage;
  bool ok = true;
  if (s->draws || l->nodes.count + l->bars.count + l->springs.count + l->members.count > most_shapes) return true;
  for (uint32_t i = 0; ok && i < l->bars.count; i++)
    ok = add_line(s, b, shape_rod, l->bars.items[i].a, l->bars.items[i].b, l->bars.items[i].span);
  for (uint32_t i = 0; ok && i < l->springs.count; i++) {
    const LinkageSpring *x = &l->springs.items[i];
    ok = add_line(s, b, x->cable ? shape_rod : shape_spring, x->a, x->b, x->span);
  }
  for (uint32_t i = 0; ok && i < l->rigids.count; i++) ok = add_body(s, b, &l->rigids.items[i]);
  for (uint32_t i = 0; ok && i < l->nodes.count; i++) {
    const LinkageNode *n = &l->nodes.items[i];
    BarsVector place = bars_place(b, i);
    if (bars_is_given(b, i)) ok = add_shape(s, shape_support, &place, NULL, n->span);
    else if (n->mass) ok = add_shape(s, shape_mass, &place, NULL, n->span);
  }
  return ok;
}

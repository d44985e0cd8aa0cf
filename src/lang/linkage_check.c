// Validity of a linkage: some node is free, no two ends are at one position, the nodes of a
// body are no line. Numbers decide, with the values that parameters have; a warning tells of what does nothing.
#include "lang/linkage.h"

#include "system/approximate.h"

#include <math.h>
#include <stdlib.h>

// ---- positions in numbers

static bool same_place(const Elab *e, uint32_t a, uint32_t b) {
  const Linkage *l = &e->model->linkage;
  for (uint32_t i = 0; i < l->dimensions; i++) {
    ExprId p = l->nodes.items[a].place[i], q = l->nodes.items[b].place[i];
    Rat r;
    double x, y;
    if (p == q) continue;
    if (expr_number(e->pool, p, &r) && expr_number(e->pool, q, &r)) return false;
    if (!approximate(&e->model->described, e->pool, p, &x) || !approximate(&e->model->described, e->pool, q, &y))
      return false;
    if (x != y) return false;
  }
  return true;
}

static const char *name_of(const Elab *e, uint32_t node) { return e->model->linkage.nodes.items[node].name; }

// Two ends at one position; true: reported.
static bool refuse_same(Elab *e, uint32_t a, uint32_t b, Span span, const char *what) {
  if (!same_place(e, a, b)) return false;
  diag_error(e->diags, diag_linkage, span, "`%s` and `%s` are at one place: %s", name_of(e, a), name_of(e, b), what);
  return true;
}

static void check_ends(Elab *e) {
  const Linkage *l = &e->model->linkage;
  for (uint32_t i = 0; i < l->bars.count && e->diags->errors < diag_most; i++) {
    const LinkageBar *b = &l->bars.items[i];
    if (b->a != linkage_none) refuse_same(e, b->a, b->b, b->span, "a bar has a direction");
  }
  for (uint32_t i = 0; i < l->springs.count && e->diags->errors < diag_most; i++) {
    const LinkageSpring *s = &l->springs.items[i];
    bool pushed = s->length && !expr_is_zero(e->pool, s->length);
    if (s->a != linkage_none && pushed) refuse_same(e, s->a, s->b, s->span, "a spring that pushes has a direction");
  }
  for (uint32_t i = 0; i < l->torsions.count && e->diags->errors < diag_most; i++) {
    const LinkageTorsion *t = &l->torsions.items[i];
    if (!refuse_same(e, t->a, t->b, t->span, "they make no angle"))
      refuse_same(e, t->b, t->c, t->span, "they make no angle");
  }
  for (uint32_t i = 0; i < l->sliders.count && e->diags->errors < diag_most; i++) {
    const LinkageSlider *s = &l->sliders.items[i];
    if (s->c != linkage_none) refuse_same(e, s->c, s->d, s->span, "they make no line");
  }
}

// ---- bodies

// The position of a node in numbers; false: it has none.
static bool numbers_of(const Elab *e, uint32_t node, double out[3]) {
  const Linkage *l = &e->model->linkage;
  out[2] = 0;
  for (uint32_t i = 0; i < l->dimensions; i++) {
    if (!approximate(&e->model->described, e->pool, l->nodes.items[node].place[i], &out[i])) return false;
  }
  return true;
}

// Do all nodes of a body lie on one line of space, or at one point? By the sine of the angle at its first node, against
// rounding. In a plane a line is a body like any other.
static bool is_line(const Elab *e, const LinkageRigid *body, bool *point) {
  const uint32_t *m = e->model->linkage.members.items + body->first;
  double a[3], b[3], x[3], longest = 0, u[3] = {0}, widest = 0;
  if (!numbers_of(e, m[0], a)) return false;
  for (uint32_t i = 1; i < body->count; i++) {
    if (!numbers_of(e, m[i], b)) return false;
    double d = hypot(hypot(b[0] - a[0], b[1] - a[1]), b[2] - a[2]);
    if (d <= longest) continue;
    longest = d;
    for (int k = 0; k < 3; k++) u[k] = b[k] - a[k];
  }
  *point = longest == 0;
  if (*point || e->model->linkage.dimensions == 2) return *point;
  for (uint32_t i = 1; i < body->count; i++) {
    numbers_of(e, m[i], b);
    for (int k = 0; k < 3; k++) x[k] = b[k] - a[k];
    double across = hypot(hypot(u[1] * x[2] - u[2] * x[1], u[2] * x[0] - u[0] * x[2]), u[0] * x[1] - u[1] * x[0]);
    if (across > widest) widest = across;
  }
  return widest <= 1e-12 * longest * longest;
}

static void check_bodies(Elab *e) {
  const Linkage *l = &e->model->linkage;
  for (uint32_t i = 0; i < l->rigids.count; i++) {
    const LinkageRigid *r = &l->rigids.items[i];
    bool point = false;
    if (!r->count || !is_line(e, r, &point)) continue;
    diag_error(e->diags, diag_linkage, r->span, "the nodes of `%s` lie %s", r->name,
               point ? "at one point" : "on one line: nothing holds them about it");
    diag_hint(e->diags, l->dimensions == 2
                            ? "a rigid body has nodes at different places"
                            : "a rigid body has three nodes that make a triangle; along a line, bars do");
  }
}

// ---- what can move

static void check_free(Elab *e) {
  const Linkage *l = &e->model->linkage;
  uint8_t all = (uint8_t)(l->dimensions == 2 ? 3 : 7);
  for (uint32_t i = 0; i < l->nodes.count; i++) {
    const LinkageNode *n = &l->nodes.items[i];
    if (n->fixed != all || !n->place[0]) return;
    for (uint32_t k = 0; k < l->dimensions; k++) {
      // a point of something that moves
      if (expr_has_kinds(e->pool, n->place[k], kind_set(sym_coord) | kind_set(sym_state))) return;
    }
  }
  diag_error(e->diags, diag_linkage, l->nodes.items[0].span, "all nodes are fixed: nothing can move");
  diag_hint(e->diags, "leave out `fixed` where a node is free; its place is then where it starts");
}

static void warn_of_loads(Elab *e) {
  const Linkage *l = &e->model->linkage;
  uint8_t all = (uint8_t)(l->dimensions == 2 ? 3 : 7);
  for (uint32_t i = 0; i < l->loads.count; i++) {
    const LinkageLoad *x = &l->loads.items[i];
    if (l->nodes.items[x->node].fixed != all) continue;
    diag_warning(e->diags, diag_linkage, x->span, "`%s` is fixed: its support takes this load", name_of(e, x->node));
  }
}

typedef struct NodePair {
  uint32_t low, high, bar;
} NodePair;

static int by_ends(const void *a, const void *b) {
  const NodePair *x = a, *y = b;
  if (x->low != y->low) return x->low < y->low ? -1 : 1;
  if (x->high != y->high) return x->high < y->high ? -1 : 1;
  return x->bar < y->bar ? -1 : x->bar > y->bar;
}

static void warn_of_doubles(Elab *e) {
  const Linkage *l = &e->model->linkage;
  ArenaMark mark = arena_mark(e->pool->scratch);
  NodePair *pairs = arena_array(e->pool->scratch, l->bars.count, sizeof *pairs);
  for (uint32_t i = 0; pairs && i < l->bars.count; i++) {
    const LinkageBar *b = &l->bars.items[i];
    pairs[i] = b->a < b->b ? (NodePair){b->a, b->b, i} : (NodePair){b->b, b->a, i};
  }
  if (pairs && l->bars.count) qsort(pairs, l->bars.count, sizeof *pairs, by_ends);
  for (uint32_t i = 1; pairs && i < l->bars.count; i++) {
    if (pairs[i].low != pairs[i - 1].low || pairs[i].high != pairs[i - 1].high) continue;
    const LinkageBar *first = &l->bars.items[pairs[i - 1].bar], *again = &l->bars.items[pairs[i].bar];
    diag_warning(e->diags, diag_linkage, again->span,
                 "`%s` joins the same nodes as `%s`: how they share the force is not known", again->name, first->name);
    diag_also(e->diags, first->span, "the other one");
  }
  arena_release(e->pool->scratch, mark);
}

void linkage_check(Elab *e) {
  if (e->diags->errors || arena_failed(e->arena) || !e->model->linkage.nodes.count) return;
  check_ends(e);
  check_bodies(e);
  check_free(e);
  if (e->diags->errors) return;
  warn_of_loads(e);
  warn_of_doubles(e);
}

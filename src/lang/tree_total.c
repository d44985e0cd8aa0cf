// What all bodies have together: `bodies.mass`, `.com`, `.momentum`, `.angular_momentum`.
//
//   c = sum m_i c_i/m      P = sum m_i c_i'      L = sum R_i J_i R_i' w_i + c_i x m_i c_i'
//
// in the axes of the ground, L about its origin. Their rates are those of any expression.
#include "lang/tree.h"

#include "lang/eval.h"
#include "system/tree_links.h"

#include <string.h>

typedef struct Total {
  Elab *e;
  TreeMaker m;
  Spatial sp;
  Span span;
} Total;

static ExprId total_mass(const Total *x) {
  const TreeBodyList *bodies = &x->e->model->tree.bodies;
  ExprId sum = x->e->pool->zero;
  for (uint32_t i = 0; i < bodies->count; i++) sum = expr_add(x->e->pool, sum, bodies->items[i].mass);
  return sum;
}

// sum m_i c_i
static bool total_moment(Total *x, V3 out) {
  const TreeBodyList *bodies = &x->e->model->tree.bodies;
  spatial_zero(&x->sp, out);
  for (uint32_t i = 0; i < bodies->count; i++) {
    V3 c;
    if (expr_is_zero(x->e->pool, bodies->items[i].mass)) continue;
    if (!tree_com(&x->m, i, c)) return false;
    spatial_scale(&x->sp, bodies->items[i].mass, c, c);
    spatial_add(&x->sp, out, c, out);
  }
  return true;
}

static bool total_momentum(Total *x, V3 out) { return total_moment(x, out) && eval_rates(x->e, out, 3, x->span); }

static bool angular_momentum(Total *x, V3 out) {
  const TreeBodyList *bodies = &x->e->model->tree.bodies;
  spatial_zero(&x->sp, out);
  for (uint32_t i = 0; i < bodies->count; i++) {
    const TreeBody *b = &bodies->items[i];
    V3 c, speed, w;
    M3 turn, tensor;
    if (!tree_com(&x->m, i, c) || !tree_rotation(&x->m, i, turn) || !tree_omega(&x->m, i, w)) return false;
    spatial_copy(c, speed);
    if (!eval_rates(x->e, speed, 3, x->span)) return false;
    spatial_scale(&x->sp, b->mass, speed, speed);
    spatial_cross(&x->sp, c, speed, c);
    spatial_add(&x->sp, out, c, out);
    spatial_symmetric(b->inertia, tensor);
    spatial_turn_back(&x->sp, turn, w, w);
    spatial_turn(&x->sp, tensor, w, w);
    spatial_turn(&x->sp, turn, w, w);
    spatial_add(&x->sp, out, w, out);
  }
  return true;
}

static Value refuse(Elab *e, const Ast *a) {
  diag_error(e->diags, diag_unknown_name, a->span, "all bodies together have no `.%s`", a->name);
  diag_hint(e->diags, "there are `bodies.mass .com .momentum .angular_momentum`");
  return value_none();
}

Value tree_total(Elab *e, const Ast *a) {
  Total x = {e, {&e->model->described, e->arena, e->pool}, {.pool = e->pool}, a->span};
  bool mass = strcmp(a->name, "mass") == 0, com = strcmp(a->name, "com") == 0;
  bool push = strcmp(a->name, "momentum") == 0, spin = strcmp(a->name, "angular_momentum") == 0;
  V3 v;
  if (!mass && !com && !push && !spin) return refuse(e, a);
  if (!tree_is_placed(e, a->span)) return value_none();
  if (mass) return value_of(total_mass(&x));
  if (!(com ? total_moment(&x, v) : push ? total_momentum(&x, v) : angular_momentum(&x, v))) return value_none();
  Value out = value_new(e->pool, value_vector, 3, 1);
  for (int i = 0; out.shape && i < 3; i++) out.items[i] = com ? expr_div(e->pool, v[i], total_mass(&x)) : v[i];
  return out;
}

// Names of bodies and of the coordinates of their joints.
//
//   q1            of a revolute or prismatic joint and of their combinations: coordinates like others
//   r.w r.x r.y r.z   of a ball: a unit quaternion, from the body to the joint's frame; states with the role of
//   positions r.wx r.wy r.wz    the angular velocity beside the joint's frame, in the body's axes; states with that of
//   velocities upper.origin upper.com upper.point([0, 0, 1])   points in the axes of the ground upper.omega
//   upper.rotation upper.angles         its rotation matrix, and its angles
#include "lang/tree.h"

#include "lang/eval.h"
#include "system/tree_links.h"

#include <string.h>

static const Unit metre = {.scale = {1, 1, NULL}, .text = "m", .dim = {[unit_metre] = 1}, .said = true},
                  radian = {.scale = {1, 1, NULL}, .text = "rad", .dim = {[unit_angle] = 1}, .said = true},
                  plain = {.scale = {1, 1, NULL}, .text = "1", .said = true},
                  turning = {.scale = {1, 1, NULL},
                             .text = "rad/s",
                             .dim = {[unit_angle] = 1, [unit_second] = -1},
                             .said = true};

// ---- declarations

static bool plain_name(Elab *e, const Item *item) {
  if (!item->path.count && !item->primes) return true;
  diag_error(e->diags, diag_unexpected, item->name_span, "a name is declared without `.` and without `'`");
  return false;
}

// NULL: reported, or out of memory.
static Decl *add(Elab *e, DeclKind kind, const Item *item, const Binding *env) {
  int64_t index = 0;
  if (!plain_name(e, item) || !names_allowed(e, kind, item)) return NULL;
  if (item->index && !eval_integer(e, item->index, env, "an index", &index)) return NULL;
  return names_add(e, kind, item, index, env);
}

static bool is_length(TreeJoint joint, uint32_t which) {
  return joint == joint_prismatic || (joint == joint_cylindrical && which == 0) ||
         (joint == joint_planar && which < 2) || joint == joint_free;
}

// An item as the parser would make it, with a unit.
static const Item *copy_item(Elab *e, const Item *item, const char *name, const Unit *unit) {
  Item *made = arena_new_of(e->arena, Item);
  if (!made) return NULL;
  *made = *item;
  if (name) {
    made->name = name;
    made->index = NULL;
  }
  made->unit = unit;
  return made;
}

static ExprId state(const Elab *e, uint32_t i) { return expr_sym(e->pool, e->model->states.items[i].x); }

// 1/2 q (0, w): the rate of the quaternion
static void set_kinematics(Elab *e, uint32_t first) {
  static const int signs[4][3] = {{-1, -1, -1}, {1, -1, 1}, {1, 1, -1}, {-1, 1, 1}};
  static const int with[4][3] = {{1, 2, 3}, {0, 3, 2}, {3, 0, 1}, {2, 1, 0}};
  for (uint32_t i = 0; i < 4; i++) {
    Term terms[3];
    for (uint32_t k = 0; k < 3; k++) {
      ExprId product = expr_mul(e->pool, state(e, first + (uint32_t)with[i][k]), state(e, first + 4 + k));
      if (!product) return;
      terms[k] = (Term){{signs[i][k], 2, NULL}, product};
    }
    SystemState *x = &e->model->states.items[first + i];
    x->kinematic = expr_sum(e->pool, terms, 3);
    x->rhs = x->kinematic;
    x->equation = x->span;
  }
}

// r.w r.x r.y r.z r.wx r.wy r.wz. False: reported, or out of memory.
static bool declare_ball(Elab *e, const Item *item, const Binding *env, uint32_t *ball) {
  static const char *const parts[] = {"w", "x", "y", "z", "wx", "wy", "wz"};
  Model *m = e->model;
  Decl *d = add(e, decl_ball, item, env);
  if (!d) return false;
  uint32_t first = m->states.count;
  for (uint32_t i = 0; i < 7; i++) {
    const char *name = arena_printf(e->arena, "%s.%s", d->name + d->scope->prefix_length, parts[i]);
    const Item *own = name ? copy_item(e, item, name, i < 4 ? &plain : &turning) : NULL;
    Decl *one = own ? names_add(e, decl_state, own, 0, NULL) : NULL;
    if (!one) return false;
    elab_add_state(e, one);
    if (m->states.count != first + i + 1) return false;
    SystemState *x = &m->states.items[first + i];
    x->role = i < 4 ? state_position : state_velocity;
    x->implicit = i >= 4;
  }
  set_kinematics(e, first);
  d->index = m->tree.balls.count;
  *ball = m->tree.balls.count + 1;
  return vec_push(e->arena, &m->tree.balls, (TreeBall){d->name, first, item->name_span});
}

void tree_declare(Elab *e, const Stmt *s, const Binding *env) {
  Model *m = e->model;
  const Item *items = s->items.items;
  Decl *d = add(e, decl_body, &items[0], env);
  TreeBody body = {.parent = tree_ground, .joint = s->body->joint, .span = items[0].name_span};
  body.coord = m->coords.count;
  for (uint32_t i = 1; i < s->items.count; i++) {
    bool ball = body.joint == joint_ball || (body.joint == joint_free && i == 4);
    if (ball) {
      if (!declare_ball(e, &items[i], env, &body.ball)) d = NULL;
      continue;
    }
    const Item *item = copy_item(e, &items[i], NULL, is_length(body.joint, i - 1) ? &metre : &radian);
    Decl *q = item ? add(e, decl_coord, item, env) : NULL;
    if (q) elab_add_coord(e, q);
    else d = NULL;
    body.coord_count++;
  }
  if (!d) return;
  body.name = d->name;
  d->index = m->tree.bodies.count;
  vec_push(e->arena, &m->tree.bodies, body);
}

// ---- in expressions

Value tree_value(Elab *e, const Decl *d, Span use) {
  diag_error(e->diags, diag_shape, use, "`%s` is %s and has no value of its own", d->name, decl_word(d->kind));
  if (d->kind == decl_body) diag_hint(e->diags, "write `%s.origin`, `%s.com` or `%s.omega`", d->name, d->name, d->name);
  else diag_hint(e->diags, "write `%s.w` and the others of its quaternion, or `%s.wx`", d->name, d->name);
  return value_none();
}

bool tree_is_placed(Elab *e, Span use) {
  if (e->model->tree.placed) return true;
  if (!e->diags->errors)
    diag_error(e->diags, diag_not_constant, use, "what a body is made of may not depend on where bodies are");
  return false;
}

static Value vector(Elab *e, const V3 v) {
  Value out = value_new(e->pool, value_vector, 3, 1);
  for (int i = 0; out.shape && i < 3; i++) out.items[i] = v[i];
  return out;
}

Value tree_field(Elab *e, Decl *d, const Ast *a) {
  TreeMaker m = {&e->model->described, e->arena, e->pool};
  V3 v;
  M3 turn;
  if (d->kind == decl_ball) {
    diag_error(e->diags, diag_unknown_name, a->span, "the turn of a joint has no `.%s`", a->name);
    diag_hint(e->diags, "there are `.w .x .y .z`, its quaternion, and `.wx .wy .wz`, its angular velocity");
    return value_none();
  }
  if (!tree_is_placed(e, a->span)) return value_none();
  if (strcmp(a->name, "com") == 0) return tree_com(&m, d->index, v) ? vector(e, v) : value_none();
  if (strcmp(a->name, "omega") == 0) return tree_omega(&m, d->index, v) ? vector(e, v) : value_none();
  if (strcmp(a->name, "angles") == 0) return tree_angles(&m, d->index, v) ? vector(e, v) : value_none();
  if (strcmp(a->name, "origin") == 0) {
    V3 inside = {e->pool->zero, e->pool->zero, e->pool->zero};
    return tree_point(&m, d->index, inside, v) ? vector(e, v) : value_none();
  }
  if (strcmp(a->name, "rotation") == 0) {
    Value out = tree_rotation(&m, d->index, turn) ? value_new(e->pool, value_matrix, 3, 3) : value_none();
    for (int i = 0; out.shape && i < 9; i++) out.items[i] = turn[i / 3][i % 3];
    return out;
  }
  diag_error(e->diags, diag_unknown_name, a->span, "a body has no `.%s`", a->name);
  if (strcmp(a->name, "point") == 0)
    diag_hint(e->diags, "write `%s.point([0, 0, 1])`, a point of its own frame", d->name);
  else diag_hint(e->diags, "there are `.origin .com .point([...]) .omega .rotation .angles`");
  return value_none();
}

Value tree_apply(Elab *e, Decl *d, const Ast *a, const Binding *env) {
  const Ast *callee = a->items[0];
  if (strcmp(callee->name, "point") != 0 || a->count != 2) {
    diag_error(e->diags, diag_not_function, a->span, "of a body only `%s.point([x, y, z])` has arguments", d->name);
    return value_none();
  }
  TreeMaker m = {&e->model->described, e->arena, e->pool};
  Value inside = eval(e, a->items[1], env);
  V3 v;
  if (!inside.shape || !tree_is_placed(e, a->span)) return value_none();
  if (inside.shape != value_vector || inside.rows != 3) {
    diag_error(e->diags, diag_shape, a->items[1]->span, "a point of a body is a vector of 3, but this is %s",
               value_describe(e->arena, &inside));
    return value_none();
  }
  return tree_point(&m, d->index, inside.items, v) ? vector(e, v) : value_none();
}

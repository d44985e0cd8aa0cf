// The statement of a body into the lists of a Tree.
//
// Names stand in the lists already (tree.c); here come parent, axes, position and inertia. Every number is an
// expression of parameters. A shape of even density becomes its tensor about the centre of mass; without shape and
// tensor the body is a point mass.
//
//   box a b c     m/12 (b^2 + c^2) and so on       cylinder r l   m/12 (3 r^2 + l^2), m/2 r^2 about its axis z
//   sphere r      2/5 m r^2                        rod l          m/12 l^2, 0 about its axis z
#include "lang/eval.h"
#include "lang/statements.h"
#include "lang/tree.h"

#include "base/words.h"
#include "expr/decide.h"
#include "system/approximate.h"

#include <math.h>
#include <string.h>

// ---- values

// What parameters decide becomes a demand on them. False: out of memory.
static bool demand(Elab *e, ExprId wrong, const Ast *a, const char *text) {
  return wrong && text && vec_push(e->arena, &e->model->demands, (SystemCheck){wrong, diag_body, text, a->span});
}

// A length by a division by zero is none; what has no value yet may be one. False: reported.
static bool is_finite(Elab *e, ExprId id, const Ast *a) {
  double number;
  if (approximate(&e->model->described, e->pool, id, &number) || !isinf(number)) return true;
  diag_error(e->diags, diag_body, a->span, "what a body is made of is a finite number, and this is none");
  return false;
}

// A vector of parameters; 0 entries: reported.
static uint32_t vector(Elab *e, const Ast *a, const Binding *env, const char *what, ExprId *out, uint32_t most) {
  Value v = eval(e, a, env);
  if (!v.shape) return 0;
  if (v.shape == value_matrix || v.rows > most) {
    diag_error(e->diags, diag_shape, a->span, "%s, but this is %s", what, value_describe(e->arena, &v));
    return 0;
  }
  for (uint32_t i = 0; i < v.rows; i++) {
    out[i] = value_item(&v, i);
    if (!eval_only_params(e, out[i], a->span, "what a body is made of") || !is_finite(e, out[i], a)) return 0;
  }
  return v.rows;
}

static bool vector_of_3(Elab *e, const Ast *a, const Binding *env, const char *what, ExprId out[3]) {
  for (int i = 0; i < 3; i++) out[i] = e->pool->zero;
  if (!a) return true;
  ExprId read[9];
  uint32_t count = vector(e, a, env, what, read, 9);
  if (count == 3) memcpy(out, read, 3 * sizeof *out);
  else if (count) diag_error(e->diags, diag_shape, a->span, "%s, and this has %u entries", what, count);
  return count == 3;
}

// False: reported.
static bool not_below(Elab *e, ExprId id, const Ast *a, const char *what, bool zero) {
  Rat r;
  const char *text = arena_printf(e->arena, zero ? "%s cannot be negative" : "%s must be above 0", what);
  if (!text || !id) return false;
  if (expr_number(e->pool, id, &r)) {
    if (rat_sign(r) > -(int)zero) return true;
    diag_error(e->diags, diag_body, a->span, "%s", text);
    return false;
  }
  ExprId wrong = expr_fn(e->pool, zero ? op_lt : op_le, (ExprId[]){id, e->pool->zero}, 2);
  return is_finite(e, id, a) && demand(e, wrong, a, text);
}

// ---- the joint

static bool axis(Elab *e, const Ast *a, const Binding *env, ExprId out[3]) {
  ExprPool *p = e->pool;
  for (int i = 0; i < 3; i++) out[i] = p->zero;
  const Ast *letter = a->kind == ast_negate ? a->items[0] : a; // y or -y
  if (letter->kind == ast_name && strlen(letter->name) == 1 && letter->name[0] >= 'x' && letter->name[0] <= 'z') {
    out[letter->name[0] - 'x'] = letter == a ? p->one : p->minus_one;
    return true;
  }
  if (!vector_of_3(e, a, env, "an axis is x, y, z or a vector of 3", out)) return false;
  ExprId square = p->zero;
  for (int i = 0; i < 3; i++) square = expr_add(p, square, expr_mul(p, out[i], out[i]));
  if (!square) return false;
  static const char none[] = "this is no axis: all of it is zero";
  double number;
  if (expr_vanishes(p, e->arena, square) || (approximate(&e->model->described, p, square, &number) && number == 0)) {
    diag_error(e->diags, diag_body, a->span, none);
    return false;
  }
  if (!expr_only_kinds(p, square, 0) && !demand(e, expr_fn(p, op_le, (ExprId[]){square, p->zero}, 2), a, none))
    return false;
  if (square == p->one || expr_vanishes(p, e->arena, expr_sub(p, square, p->one))) return true;
  ExprId length = expr_sqrt(p, square);
  for (int i = 0; i < 3; i++) out[i] = expr_div(p, out[i], length);
  return out[2] != 0;
}

// About parallel axes a universal joint is one that turns about one axis, twice.
static bool two_axes(Elab *e, const Ast *second, const TreeBody *b) {
  ExprPool *p = e->pool;
  const ExprId *u = b->axis[0], *v = b->axis[1];
  ExprId square = p->zero;
  for (int i = 0; i < 3; i++) {
    int k = (i + 1) % 3, l = (i + 2) % 3;
    ExprId c = expr_sub(p, expr_mul(p, u[k], v[l]), expr_mul(p, u[l], v[k]));
    square = expr_add(p, square, expr_mul(p, c, c));
  }
  const char *text = arena_printf(e->arena,
                                  "the two axes of the universal joint of `%s` are parallel: it would turn "
                                  "about one axis alone",
                                  b->name);
  if (!square || !text) return false;
  const double parallel = 1e-15; // square of the sine of their angle
  double number;
  bool known = approximate(&e->model->described, p, square, &number);
  if (expr_vanishes(p, e->arena, square) || (known && number < parallel)) {
    diag_error(e->diags, diag_body, second->span, "%s", text);
    diag_hint(e->diags, "write `revolute` with one coordinate, or another second axis");
    return false;
  }
  if (expr_only_kinds(p, square, 0)) return true;
  ExprId wrong = expr_fn(p, op_lt, (ExprId[]){square, expr_num(p, (Rat){1, 1000000000000000, NULL})}, 2);
  return demand(e, wrong, second, text);
}

static bool read_parent(Elab *e, const Stmt *s, const Binding *env, TreeBody *body) {
  const Ast *a = s->body->parent;
  Decl *d = NULL;
  uint32_t errors = e->diags->errors;
  PathState state = path_find(e, a, env, &d);
  if (state == path_bad || e->diags->errors > errors) return false;
  const char *name = elab_written(e, a->span);
  if (state == path_found && d->kind == decl_body) {
    d->used = true;
    body->parent = d->index;
    return true;
  }
  if (state == path_other && a->kind == ast_name && strcmp(a->name, "ground") == 0) return true;
  if (state == path_found) {
    diag_error(e->diags, diag_body, a->span, "`%s` is %s, and a body hangs on a body or on `ground`", name,
               decl_word(d->kind));
    return false;
  }
  if (elab_is_lost(e, name)) return false;
  diag_error(e->diags, diag_body, a->span, "there is no body `%s`", name);
  const char *near = names_nearest_in(e, e->names.scope, name, 1u << decl_body);
  if (!near && word_distance(name, "ground") <= 2) near = "ground";
  if (near) diag_hint(e->diags, "did you mean `%s`?", near);
  else diag_hint(e->diags, "a body hangs on another body or on `ground`");
  return false;
}

// ---- inertia

static ExprId square(Elab *e, ExprId x) { return expr_mul(e->pool, x, x); }

static void shape_inertia(Elab *e, BodyClause which, const ExprId *size, TreeBody *b) {
  ExprPool *p = e->pool;
  ExprId m = b->mass, two[3];
  for (int i = 0; i < 3; i++) two[i] = size[i] ? square(e, size[i]) : p->zero;
  Rat twelfth = {1, 12, NULL};
  if (which == body_box) {
    for (int i = 0; i < 3; i++)
      b->inertia[i] = expr_scale(p, twelfth, expr_mul(p, m, expr_add(p, two[(i + 1) % 3], two[(i + 2) % 3])));
  } else if (which == body_sphere) {
    for (int i = 0; i < 3; i++) b->inertia[i] = expr_scale(p, (Rat){2, 5, NULL}, expr_mul(p, m, two[0]));
  } else if (which == body_cylinder) {
    ExprId sum = expr_add(p, expr_scale(p, rat_int(3), two[0]), two[1]);
    b->inertia[0] = b->inertia[1] = expr_scale(p, twelfth, expr_mul(p, m, sum));
    b->inertia[2] = expr_scale(p, (Rat){1, 2, NULL}, expr_mul(p, m, two[0]));
  } else {
    b->inertia[0] = b->inertia[1] = expr_scale(p, twelfth, expr_mul(p, m, two[0]));
  }
}

static bool read_shape(Elab *e, const Stmt *s, const Binding *env, BodyClause which, TreeBody *b) {
  static const struct {
    uint32_t count;
    TreeSolid solid;
    const char *words;
  } forms[body_clauses] = {
      [body_box] = {3, solid_box, "a box has three sides, `box = [a, b, c]`"},
      [body_sphere] = {1, solid_sphere, "a sphere has a radius, `sphere = r`"},
      [body_cylinder] = {2, solid_cylinder, "a cylinder has radius and length, `cylinder = [r, l]`"},
      [body_rod] = {1, solid_rod, "a rod has a length, `rod = l`"}};
  const Ast *a = s->body->clause[which];
  ExprId read[9];
  uint32_t count = vector(e, a, env, forms[which].words, read, 9);
  if (count && count != forms[which].count) {
    diag_error(e->diags, diag_shape, a->span, "%s, and this has %u entr%s", forms[which].words, count,
               count == 1 ? "y" : "ies");
    return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    if (!not_below(e, read[i], a, "the size of a body", false)) return false;
    b->size[i] = read[i];
  }
  b->solid = forms[which].solid;
  if (count) shape_inertia(e, which, b->size, b);
  return count != 0;
}

// about the origin to about the centre of mass: - m (|c|^2 1 - c c')
static void from_origin(Elab *e, TreeBody *b) {
  ExprPool *p = e->pool;
  static const int row[] = {0, 0, 1}, column[] = {1, 2, 2};
  for (int i = 0; i < 3; i++) {
    ExprId far = expr_add(p, square(e, b->com[(i + 1) % 3]), square(e, b->com[(i + 2) % 3]));
    b->inertia[i] = expr_sub(p, b->inertia[i], expr_mul(p, b->mass, far));
    ExprId product = expr_mul(p, b->com[row[i]], b->com[column[i]]);
    b->inertia[3 + i] = expr_add(p, b->inertia[3 + i], expr_mul(p, b->mass, product));
  }
}

static bool read_inertia(Elab *e, const Stmt *s, const Binding *env, TreeBody *b) {
  BodyForm *form = s->body;
  ExprPool *p = e->pool;
  const Ast *mass = form->clause[body_mass], *tensor = form->clause[body_inertia];
  for (int i = 0; i < 6; i++) b->inertia[i] = p->zero;
  b->mass = mass ? eval_scalar(e, mass, env, "a mass") : p->zero;
  bool ok =
      b->mass &&
      (!mass || (eval_only_params(e, b->mass, mass->span, "a mass") && not_below(e, b->mass, mass, "a mass", true)));
  ok = vector_of_3(e, form->clause[body_com], env, "a centre of mass is a vector of 3", b->com) && ok;
  int shapes = tensor != NULL, which = -1;
  for (int i = body_box; i < body_clauses; i++) {
    if (!form->clause[i]) continue;
    which = i;
    if (++shapes < 2) continue;
    diag_error(e->diags, diag_body, form->clause[i]->span, "the inertia of this body is said twice");
    diag_hint(e->diags, "`inertia`, `box`, `sphere`, `cylinder` and `rod` each say all of it");
    return false;
  }
  b->solid = tensor ? solid_tensor : solid_point;
  if (which >= 0) return ok && read_shape(e, s, env, (BodyClause)which, b);
  if (!tensor) return ok;
  uint32_t count = vector(e, tensor, env, "an inertia is [ixx, iyy, izz, ixy, ixz, iyz]", b->inertia, 6);
  if (count == 3 || count == 6) {
    b->about_origin = form->about_origin;
    if (b->about_origin) from_origin(e, b);
    return ok;
  }
  if (count)
    diag_error(e->diags, diag_shape, tensor->span,
               "an inertia is [ixx, iyy, izz, ixy, ixz, iyz], or its first three, and this has %u entr%s", count,
               count == 1 ? "y" : "ies");
  return false;
}

// ---- the statement

void visit_body(Elab *e, const Stmt *s, const Binding *env) {
  const Item *item = &s->items.items[0];
  const char *name = path_of_item(e, item, env, true);
  Decl *d = name ? names_find(e, name) : NULL;
  if (!d || d->kind != decl_body || d->item != item || d->index >= e->model->tree.bodies.count) return;
  BodyForm *form = s->body;
  TreeBody b = e->model->tree.bodies.items[d->index];
  bool ok = read_parent(e, s, env, &b);
  for (int i = 0; i < 2; i++) {
    if (form->axes[i]) ok = axis(e, form->axes[i], env, b.axis[i]) && ok;
  }
  if (ok && b.joint == joint_universal) ok = two_axes(e, form->axes[1], &b);
  ok = vector_of_3(e, form->clause[body_at], env, "the place of a joint is a vector of 3", b.at) && ok;
  ok = vector_of_3(e, form->clause[body_rotated], env, "the turn of a joint's frame is a vector of 3 angles",
                   b.rotated) &&
       ok;
  ok = read_inertia(e, s, env, &b) && ok;
  if (ok) e->model->tree.bodies.items[d->index] = b;
}

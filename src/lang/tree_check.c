// Validity of a tree of bodies: no loop of parents, physically possible inertias, unit quaternions at the start.
// Numbers decide, with the values that parameters have.
#include "lang/tree.h"

#include "expr/calculus.h"
#include "system/approximate.h"

#include <math.h>

static const char *name_of(const Elab *e, uint32_t body) { return e->model->tree.bodies.items[body].name; }

// ---- parents

static void check_parents(Elab *e) {
  Tree *t = &e->model->tree;
  uint32_t n = t->bodies.count;
  uint32_t *seen = arena_array(e->arena, n, sizeof *seen); // in which walk it was met, plus one
  for (uint32_t i = 0; seen && i < n; i++) {
    uint32_t k = i;
    while (k != tree_ground && !seen[k]) {
      seen[k] = i + 1;
      k = t->bodies.items[k].parent;
    }
    if (k == tree_ground || seen[k] != i + 1) continue;
    const TreeBody *b = &t->bodies.items[k];
    if (b->parent == k) {
      diag_error(e->diags, diag_body, b->span, "`%s` hangs on itself", b->name);
      diag_hint(e->diags, "a body hangs on another one or on `ground`");
      continue;
    }
    Text words = text_in(e->arena);
    text_printf(&words, "`%s`", b->name);
    for (uint32_t j = b->parent; j != k; j = t->bodies.items[j].parent) text_printf(&words, " on `%s`", name_of(e, j));
    diag_error(e->diags, diag_body, b->span, "bodies hang on each other in a circle: %s on `%s`", text_str(&words),
               b->name);
    diag_hint(e->diags, "one of them hangs on `ground`; a closed loop is a `constraint` between two points");
  }
}

// ---- inertia

// Eigenvalues of a symmetric matrix of 3, by Jacobi's rotations.
static void principal(double a[3][3], double out[3]) {
  for (int sweep = 0; sweep < 50; sweep++) {
    for (int p = 0; p < 2; p++) {
      for (int q = p + 1; q < 3; q++) {
        if (a[p][q] == 0) continue;
        double th = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        double t = (th < 0 ? -1 : 1) / (fabs(th) + sqrt(th * th + 1)), c = 1 / sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < 3; k++) {
          double x = a[k][p], y = a[k][q];
          a[k][p] = c * x - s * y;
          a[k][q] = s * x + c * y;
        }
        for (int k = 0; k < 3; k++) {
          double x = a[p][k], y = a[q][k];
          a[p][k] = c * x - s * y;
          a[q][k] = s * x + c * y;
        }
      }
    }
  }
  for (int i = 0; i < 3; i++) out[i] = a[i][i];
}

static void check_inertia(Elab *e, const TreeBody *b) {
  static const char *const taken = "from these, `about origin`, the share of the mass at `com` was taken";
  double six[6], a[3][3], moment[3];
  for (int i = 0; i < 6; i++) {
    if (!b->inertia[i] || !approximate(&e->model->described, e->pool, b->inertia[i], &six[i])) return;
  }
  for (int i = 0; i < 3; i++) a[i][i] = six[i];
  a[0][1] = a[1][0] = six[3];
  a[0][2] = a[2][0] = six[4];
  a[1][2] = a[2][1] = six[5];
  principal(a, moment);
  double sum = fabs(moment[0]) + fabs(moment[1]) + fabs(moment[2]), least = fmin(fmin(moment[0], moment[1]), moment[2]);
  if (least < -1e-9 * sum) {
    diag_error(e->diags, diag_body, b->span,
               "the inertia of `%s` about its centre of mass has a negative principal moment, %g", b->name, least);
    if (b->about_origin) diag_hint(e->diags, "%s", taken);
    return;
  }
  for (int i = 0; i < 3; i++) {
    double others = moment[(i + 1) % 3] + moment[(i + 2) % 3];
    if (moment[i] <= others + 1e-9 * sum) continue;
    // published robots have such numbers: the equations are those of a body all the same, as long as M is positive
    diag_warning(e->diags, diag_body, b->span,
                 "no body has the inertia of `%s`: its principal moment %g is larger than the two others together, %g",
                 b->name, moment[i], others);
    diag_hint(e->diags, "moments about the centre of mass obey a <= b + c; %s",
              b->about_origin ? taken : "`about origin` if these are about the origin");
    return;
  }
}

void tree_check(Elab *e) {
  Tree *t = &e->model->tree;
  if (e->diags->errors || arena_failed(e->arena) || !t->bodies.count) return;
  check_parents(e);
  for (uint32_t i = 0; i < t->bodies.count && e->diags->errors < diag_most; i++) check_inertia(e, &t->bodies.items[i]);
  t->placed = e->diags->errors == 0;
}

void tree_take_gravity(Elab *e) {
  Tree *t = &e->model->tree;
  const Linkage *l = &e->model->linkage;
  if (!t->bodies.count || e->diags->errors) return;
  if (l->gravity[0] && l->dimensions != 3) {
    diag_error(e->diags, diag_body, t->bodies.items[0].span,
               "bodies live in space, and `gravity` has two numbers here");
    diag_hint(e->diags, "write `gravity [0, 0, -9.81]`; nodes beside bodies have three numbers, too");
  }
  for (int i = 0; i < 3; i++) t->gravity[i] = l->gravity[i];
}

// ---- starts

void tree_starts(Elab *e) {
  Model *m = e->model;
  for (uint32_t i = 0; i < m->tree.balls.count; i++) {
    SystemState *w = &m->states.items[m->tree.balls.items[i].first];
    if (!w->said) w->x0 = e->pool->one;
  }
}

void tree_check_starts(Elab *e) {
  Model *m = e->model;
  for (uint32_t i = 0; i < m->tree.balls.count && !e->diags->errors; i++) {
    const TreeBall *ball = &m->tree.balls.items[i];
    SystemState *s = &m->states.items[ball->first];
    double q[4], sum = 0;
    bool known = true;
    for (int k = 0; k < 4; k++) {
      known = known && approximate(&m->described, e->pool, s[k].x0, &q[k]);
      if (known) sum += q[k] * q[k];
    }
    double length = known ? sqrt(sum) : 1;
    if (length == 0 || !isfinite(length)) {
      diag_error(e->diags, diag_body, ball->span, "the quaternion `%s` starts with length 0: it says no turn",
                 ball->name);
      diag_hint(e->diags, "leave its start out, or say all four: `init %s.w = 1`", ball->name);
    } else if (fabs(length - 1) > tree_turn_slack) {
      diag_error(e->diags, diag_body, ball->span, "the quaternion `%s` starts with length %g, and a turn has length 1",
                 ball->name, length);
      diag_hint(e->diags, "write `init %s.w = %.9g, %s.x = %.9g, %s.y = %.9g, %s.z = %.9g`", ball->name, q[0] / length,
                ball->name, q[1] / length, ball->name, q[2] / length, ball->name, q[3] / length);
    } else if (length != 1) {
      ExprPool *p = e->pool;
      ExprId square = p->zero;
      for (int k = 0; k < 4; k++) square = expr_add(p, square, expr_mul(p, s[k].x0, s[k].x0));
      for (int k = 0; k < 4; k++) s[k].x0 = expr_div(p, s[k].x0, expr_sqrt(p, square));
    }
  }
}

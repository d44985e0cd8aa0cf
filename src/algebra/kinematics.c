// Transformations and Jacobians of bodies. See kinematics.h.
//
// How a point moves is linear in the velocities, so the Jacobian is the gradient of its rate by them: of a ball, too,
// whose velocities are its own.
#include "algebra/kinematics.h"

#include "expr/calculus.h"
#include "system/tree_links.h"

enum { most_bodies = 12 }; // of which entries are multiplied out: more are shown as the recursion makes them

typedef struct Kinematics {
  System *s;
  TreeMaker m;
  Derivation *out;
  SymbolId *v; // velocities
  uint32_t n;
} Kinematics;

static ExprId tidy(Kinematics *x, ExprId id) {
  return x->s->tree.bodies.count > most_bodies ? id : expr_expand(x->s->pool, id, 2000);
}

static bool put(Kinematics *x, const char *name, const char *of, const char *meaning, uint32_t rows, uint32_t cols,
                const ExprId *items) {
  ShownMatrix m = {
      .name = arena_printf(x->s->arena, "%s_%s", name, of), .meaning = meaning, .rows = rows, .cols = cols};
  m.items = arena_array(x->s->arena, (size_t)rows * cols + 1, sizeof *m.items);
  for (uint32_t i = 0; m.items && i < rows * cols; i++) m.items[i] = tidy(x, items[i]);
  return m.items && m.name && vec_push(x->s->arena, &x->out->matrices, m);
}

static bool put_transformation(Kinematics *x, const char *name, const TreeBody *b, const char *meaning, M3 turn,
                               const V3 origin) {
  ExprPool *p = x->s->pool;
  ExprId items[16];
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) items[4 * i + k] = turn[i][k];
    items[4 * i + 3] = origin[i];
    items[12 + i] = p->zero;
  }
  items[15] = p->one;
  return put(x, name, b->name, meaning, 4, 4, items);
}

// R_parent' R, R_parent' (d - d_parent)
static bool put_local(Kinematics *x, uint32_t i, M3 turn, const V3 origin) {
  const TreeBody *b = &x->s->tree.bodies.items[i];
  Spatial sp = {.pool = x->s->pool};
  V3 zero, d;
  M3 own, parent;
  spatial_copy(origin, d);
  spatial_copy_matrix(turn, own);
  if (b->parent != tree_ground) {
    V3 from;
    spatial_zero(&sp, zero);
    if (!tree_rotation(&x->m, b->parent, parent) || !tree_point(&x->m, b->parent, zero, from)) return false;
    for (int k = 0; k < 3; k++) d[k] = expr_sub(sp.pool, d[k], from[k]);
    spatial_turn_back(&sp, parent, d, d);
    spatial_transpose(parent, parent);
    spatial_multiply(&sp, parent, own, own);
  }
  return put_transformation(x, "A", b, "from its frame into its parent's", own, d);
}

static bool put_jacobian(Kinematics *x, const char *name, const TreeBody *b, const char *meaning, const V3 rate) {
  ExprId *items = arena_array(x->s->arena, (size_t)3 * x->n + 1, sizeof *items);
  for (uint32_t i = 0; items && i < 3; i++) {
    if (!expr_gradient(x->s->pool, rate[i], x->v, x->n, items + (size_t)i * x->n)) return false;
  }
  return items && put(x, name, b->name, meaning, 3, x->n, items);
}

static bool put_body(Kinematics *x, uint32_t i) {
  const TreeBody *b = &x->s->tree.bodies.items[i];
  Spatial sp = {.pool = x->s->pool};
  V3 zero, origin, omega, rate;
  M3 turn;
  spatial_zero(&sp, zero);
  if (!tree_rotation(&x->m, i, turn) || !tree_point(&x->m, i, zero, origin) || !tree_omega(&x->m, i, omega) ||
      !system_time_derivative(x->s, origin, 3, true, rate))
    return false;
  return put_local(x, i, turn, origin) &&
         put_transformation(x, "T", b, "from its frame into the ground's", turn, origin) &&
         put_jacobian(x, "Jw", b, "angular velocity by velocities of joints", omega) &&
         put_jacobian(x, "Jv", b, "velocity of its origin by velocities of joints", rate);
}

// Velocities of the joints, in the order of the columns.
static bool list_velocities(Kinematics *x) {
  const Tree *tree = &x->s->tree;
  Text names = text_in(x->s->arena);
  x->v = arena_array(x->s->arena, (size_t)3 * tree->links.count + 1, sizeof *x->v);
  for (uint32_t i = 0; x->v && i < tree->links.count; i++) {
    const TreeLink *link = &tree->links.items[i];
    for (uint32_t k = 0; k < tree_dofs(link->joint); k++) {
      x->v[x->n++] = link->v[k];
      text_printf(&names, "%s%s", x->n > 1 ? ", " : "", pool_symbol_get(x->s->pool, link->v[k])->name);
    }
  }
  const char *note = arena_printf(x->s->arena, "v = [%s]", text_str(&names));
  return x->v && note && vec_push(x->s->arena, &x->out->notes, note);
}

bool kinematics_derive(System *s, Derivation *out) {
  Kinematics kinematics = {.s = s, .m = {&s->described, s->arena, s->pool}, .out = out}, *x = &kinematics;
  if (!s->tree.bodies.count) {
    vec_push(s->arena, &out->notes, "the model has no bodies: kinematics are those of `body`");
    return !arena_failed(s->arena);
  }
  // frames are made in a list of its own: the model's is not changed
  s->tree.frames = (TreeFrameList){0};
  if (!list_velocities(x)) return false;
  for (uint32_t i = 0; i < s->tree.bodies.count; i++) {
    if (!put_body(x, i)) return false;
  }
  return true;
}

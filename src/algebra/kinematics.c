// Transformations and Jacobians of bodies. See kinematics.h.
//
// How a point moves is linear in the velocities, so the Jacobian is the gradient of its rate by them: of a ball, too,
// whose velocities are its own.
#include "algebra/kinematics.h"

#include "expr/calculus.h"
#include "expr/decide.h"
#include "system/tree_links.h"

enum {
  most_bodies = 12,     // of which entries are multiplied out: more are shown as the recursion makes them
  most_written = 700000 // nodes of all entries together: some megabytes of text
};

typedef struct Kinematics {
  System *s;
  TreeMaker m;
  Derivation *out;
  SymbolId *v; // velocities
  uint32_t n;
  double written; // nodes of the entries so far
} Kinematics;

// ---- what is the same in numbers

ShownMatrix kinematics_matrix(const System *s, uint32_t body, KinematicsPart part, uint32_t cols) {
  static const char *const name[] = {"A", "T", "Jw", "Jv"};
  static const char *const meaning[] = {
      "from its frame into its parent's",
      "from its frame into the ground's",
      "angular velocity by velocities of joints",
      "velocity of its origin by velocities of joints",
  };
  bool square = part == kinematics_local || part == kinematics_global;
  ShownMatrix m = {.name = arena_printf(s->arena, "%s_%s", name[part], s->tree.bodies.items[body].name),
                   .meaning = meaning[part],
                   .rows = square ? 4 : 3,
                   .cols = square ? 4 : cols};
  size_t count = (size_t)m.rows * m.cols;
  m.items = m.name ? arena_array(s->arena, count + 1, sizeof *m.items) : NULL;
  for (size_t i = 0; m.items && i < count; i++) m.items[i] = s->pool->zero;
  return m;
}

SymbolId *kinematics_velocities(const System *s, Derivation *out, uint32_t *count) {
  const Tree *tree = &s->tree;
  Text names = text_in(s->arena);
  SymbolId *v = arena_array(s->arena, (size_t)3 * tree->links.count + 1, sizeof *v);
  *count = 0;
  for (uint32_t i = 0; v && i < tree->links.count; i++) {
    const TreeLink *link = &tree->links.items[i];
    for (uint32_t k = 0; k < tree_dofs(link->joint); k++) {
      v[(*count)++] = link->v[k];
      text_printf(&names, "%s%s", *count > 1 ? ", " : "", pool_symbol_get(s->pool, link->v[k])->name);
    }
  }
  const char *note = arena_printf(s->arena, "v = [%s]", text_str(&names));
  return v && note && vec_push(s->arena, &out->notes, note) ? v : NULL;
}

// ---- in symbols

static ExprId tidy(Kinematics *x, ExprId id) {
  return x->s->tree.bodies.count > most_bodies ? id : expr_expand(x->s->pool, id, 2000);
}

// False: out of memory, or it has grown too large.
static bool put(Kinematics *x, KinematicsPart part, uint32_t body, const ExprId *items) {
  ShownMatrix m = kinematics_matrix(x->s, body, part, x->n);
  for (uint32_t i = 0; m.items && i < m.rows * m.cols; i++) {
    m.items[i] = tidy(x, items[i]);
    x->written += m.items[i] ? expr_tree_size(x->s->pool, x->s->arena, m.items[i]) : 0;
    if (!(x->written > most_written)) continue;
    x->out->refused = "the entries of these transformations and Jacobians grow too large to be written out; `--at "
                      "NAME=VALUE,...` has them in numbers";
    return false;
  }
  return m.items && vec_push(x->s->arena, &x->out->matrices, m);
}

static bool put_transformation(Kinematics *x, KinematicsPart part, uint32_t body, M3 turn, const V3 origin) {
  ExprPool *p = x->s->pool;
  ExprId items[16];
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) items[4 * i + k] = turn[i][k];
    items[4 * i + 3] = origin[i];
    items[12 + i] = p->zero;
  }
  items[15] = p->one;
  return put(x, part, body, items);
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
  return put_transformation(x, kinematics_local, i, own, d);
}

static bool put_jacobian(Kinematics *x, KinematicsPart part, uint32_t body, const V3 rate) {
  ExprId *items = arena_array(x->s->arena, (size_t)3 * x->n + 1, sizeof *items);
  for (uint32_t i = 0; items && i < 3; i++) {
    if (!expr_gradient(x->s->pool, rate[i], x->v, x->n, items + (size_t)i * x->n)) return false;
  }
  return items && put(x, part, body, items);
}

static bool put_body(Kinematics *x, uint32_t i) {
  Spatial sp = {.pool = x->s->pool};
  V3 zero, origin, omega, rate;
  M3 turn;
  spatial_zero(&sp, zero);
  if (!tree_rotation(&x->m, i, turn) || !tree_point(&x->m, i, zero, origin) || !tree_omega(&x->m, i, omega) ||
      !system_time_derivative(x->s, origin, 3, true, rate))
    return false;
  return put_local(x, i, turn, origin) && put_transformation(x, kinematics_global, i, turn, origin) &&
         put_jacobian(x, kinematics_turning, i, omega) && put_jacobian(x, kinematics_moving, i, rate);
}

bool kinematics_derive(System *s, Derivation *out) {
  Kinematics kinematics = {.s = s, .m = {&s->described, s->arena, s->pool}, .out = out}, *x = &kinematics;
  if (!s->tree.bodies.count) {
    vec_push(s->arena, &out->notes, "the model has no bodies: kinematics are those of `body`");
    return !arena_failed(s->arena);
  }
  // frames are made in a list of its own: the model's is not changed
  s->tree.frames = (TreeFrameList){0};
  x->v = kinematics_velocities(s, out, &x->n);
  if (!x->v) return false;
  for (uint32_t i = 0; i < s->tree.bodies.count; i++) {
    if (!put_body(x, i)) return out->refused != NULL;
  }
  return true;
}

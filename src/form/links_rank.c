// Numerical rank of the joint-space mass matrix H: is there inertia behind every joint? By articulated bodies, for
// trees whose H is not written out, and for the values that parameters have.
//
// in    the links of a tree (system/tree.h), at a generic configuration
// out   an error where a joint accelerates by no law; of a tree that is written out, whose H is regular as long as its
//       parameters are not special, a demand on these: what hangs there has a mass or an inertia
// how   articulated bodies, from the tips on: I is the inertia of what moves behind a joint, s its axis, D = s'I s. The
//       parent gets X'(I - I s s'I/D) X, where X takes its velocity to that of the link. Where D is zero within
//       rounding, H is singular.
//
// Notation: spatial vectors are (w, v), angular velocity and velocity of the origin, in the axes of the link.
#include "form/form.h"

#include "system/approximate.h"
#include "system/tree_links.h"
#include "system/unwritten.h"

#include <math.h>
#include <string.h>

typedef double Matrix6[6][6];

static const double rounding = 1e-13; // of the terms that D is the sum of

// One link in numbers.
typedef struct RankLink {
  Matrix6 inertia; // articulated
  double gross[6]; // sums of the sizes of the terms on its diagonal
  double E[3][3];  // takes vectors of the parent link's frame into the link's
  double r[3];     // its origin in the parent link's frame
  double whole;    // mass and moments of all that hangs there, added up
} RankLink;

static bool number(const System *s, ExprId id, double *out) { return approximate(&s->described, s->pool, id, out); }

// A generic configuration, by the golden section.
static double anywhere(uint32_t i) { return 0.4 + fmod(0.6180339887498949 * (i + 1), 1); }

static void turned(const TreeLink *link, uint32_t i, double out[3][3]) {
  double a = anywhere(i), c = cos(a), s = sin(a);
  int k = (link->axis + 1) % 3, l = (link->axis + 2) % 3;
  memset(out, 0, 9 * sizeof(double));
  for (int j = 0; j < 3; j++) out[j][j] = 1;
  if (link->joint == link_prismatic) return;
  if (link->joint == link_ball) k = 0, l = 1; // any axis will do: it has inertia about all axes, or about none
  out[k][k] = out[l][l] = c;
  out[k][l] = s;
  out[l][k] = -s;
}

// False: a number is not known.
static bool read_link(const System *s, const TreeLink *link, uint32_t i, RankLink *x) {
  static const int row[] = {0, 1, 2, 0, 0, 1}, column[] = {0, 1, 2, 1, 2, 2};
  double m, h[3], turn[3][3], about[3][3], one;
  memset(x, 0, sizeof *x);
  if (!number(s, link->mass, &m)) return false;
  for (int k = 0; k < 3; k++) {
    if (!number(s, link->moment[k], &h[k]) || !number(s, link->at[k], &x->r[k])) return false;
    for (int l = 0; l < 3; l++) {
      if (!number(s, link->turn[k][l], &turn[k][l])) return false;
    }
  }
  x->whole = m;
  for (int k = 0; k < 6; k++) {
    if (!number(s, link->inertia[k], &one)) return false;
    x->inertia[row[k]][column[k]] = x->inertia[column[k]][row[k]] = one;
    if (k < 3) x->whole += fabs(one);
  }
  for (int k = 0; k < 3; k++) {
    int l = (k + 1) % 3, n = (k + 2) % 3;
    x->inertia[3 + k][3 + k] = m;
    x->inertia[l][3 + n] = x->inertia[3 + n][l] = -h[k];
    x->inertia[n][3 + l] = x->inertia[3 + l][n] = h[k];
  }
  for (int k = 0; k < 6; k++) x->gross[k] = fabs(x->inertia[k][k]);
  turned(link, i, about);
  for (int k = 0; k < 3; k++) {
    for (int l = 0; l < 3; l++) {
      for (int n = 0; n < 3; n++) x->E[k][l] += about[k][n] * turn[n][l];
    }
    if (link->joint == link_prismatic) x->r[k] += anywhere(i) * turn[link->axis][k];
  }
  return true;
}

// From the velocity of the parent to that of the link: w = E w0, v = E (v0 + w0 x r).
static void motion_matrix(const RankLink *x, Matrix6 out) {
  const double *r = x->r;
  const double cross[3][3] = {{0, r[2], -r[1]}, {-r[2], 0, r[0]}, {r[1], -r[0], 0}}; // cross w0 = w0 x r
  memset(out, 0, sizeof(Matrix6));
  for (int k = 0; k < 3; k++) {
    for (int l = 0; l < 3; l++) {
      out[k][l] = out[3 + k][3 + l] = x->E[k][l];
      for (int n = 0; n < 3; n++) out[3 + k][l] += x->E[k][n] * cross[n][l];
    }
  }
}

// X'I X, or of the sizes of all entries.
static double carried(Matrix6 I, Matrix6 X, int k, int l, bool sizes) {
  double sum = 0;
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) {
      double term = X[i][k] * I[i][j] * X[j][l];
      sum += sizes ? fabs(term) : term;
    }
  }
  return sum;
}

static void add_to(RankLink *x, Matrix6 before, RankLink *parent) {
  Matrix6 X;
  motion_matrix(x, X);
  for (int k = 0; k < 6; k++) {
    for (int l = 0; l < 6; l++) parent->inertia[k][l] += carried(x->inertia, X, k, l, false);
    parent->gross[k] += carried(before, X, k, k, true);
  }
  parent->whole += x->whole;
}

// The freedoms of a joint are taken out of the inertia. False: one of them has none.
static bool take_out(const TreeLink *link, RankLink *x) {
  int first = link->joint == link_ball ? 0 : link->axis + (link->joint == link_prismatic ? 3 : 0);
  for (int s = first; s < first + (int)tree_dofs(link->joint); s++) {
    double U[6], D = x->inertia[s][s];
    if (!(D > rounding * x->gross[s])) return false;
    for (int k = 0; k < 6; k++) U[k] = x->inertia[k][s];
    for (int k = 0; k < 6; k++) {
      for (int l = 0; l < 6; l++) x->inertia[k][l] -= U[k] * U[l] / D;
    }
    for (int k = 0; k < 6; k++) x->inertia[k][s] = x->inertia[s][k] = 0;
  }
  return true;
}

// What hangs on a link has a mass or a moment of inertia.
static bool demand(System *s, uint32_t link, const char *text) {
  ExprPool *pool = s->pool;
  const Tree *tree = &s->tree;
  ExprId sum = pool->zero;
  for (uint32_t i = link; i < tree->links.count; i++) {
    uint32_t on = i;
    while (on != tree_ground && on > link) on = tree->links.items[on].parent;
    if (on != link) continue;
    sum = expr_add(pool, sum, tree->links.items[i].mass);
    for (int k = 0; k < 3; k++) sum = expr_add(pool, sum, tree->links.items[i].inertia[k]);
  }
  ExprId wrong = expr_fn(pool, op_le, (ExprId[]){sum, pool->zero}, 2);
  Span span = tree->bodies.items[tree->links.items[link].body].span;
  return wrong && vec_push(s->arena, &s->demands, (SystemCheck){wrong, diag_body, text, span});
}

static bool tell(System *s, uint32_t link, bool nothing) {
  const TreeBody *b = &s->tree.bodies.items[s->tree.links.items[link].body];
  const char *text = arena_printf(
      s->arena, "nothing says how the joint of `%s` accelerates: what moves there has no inertia", b->name);
  if (!text) return false;
  if (!system_is_unwritten(s)) return !nothing || demand(s, link, text);
  diag_error(s->diags, diag_body, b->span, "%s", text);
  diag_hint(s->diags, "give `%s`, or a body that hangs on it, a mass away from the axis, or an `inertia` about it",
            b->name);
  return true;
}

static bool links_rank_fill(System *s) {
  uint32_t n = s->tree.links.count;
  if (!n || !s->solved || s->diags->errors) return true; // M a + h = 0 has its own check
  RankLink *links = arena_array(s->arena, n, sizeof *links);
  if (!links) return false;
  for (uint32_t i = 0; i < n; i++) {
    if (!read_link(s, &s->tree.links.items[i], i, &links[i])) return true;
  }
  for (uint32_t i = n; i-- > 0;) {
    const TreeLink *link = &s->tree.links.items[i];
    Matrix6 before;
    memcpy(before, links[i].inertia, sizeof before);
    if (!take_out(link, &links[i])) return tell(s, i, links[i].whole == 0);
    if (link->parent != tree_ground) add_to(&links[i], before, &links[link->parent]);
  }
  return true;
}

const Formulation links_rank_formulation = {.fill = links_rank_fill};

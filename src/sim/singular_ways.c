// Branches at a singular configuration of constraints: the tangent directions (bifurcation). A part of constrain.h.
//
// Velocities v obey G v = 0 there, and more: along a branch the constraints hold to second order, so for each
// combination w of them with w'G = 0 also w' (dG/dq v) v = 0. Where there is one such w and the null space of G is a
// plane, this is a quadratic form in the plane: it vanishes along two directions (branches that cross), along one (a
// cusp, or branches that touch each other), or along none. Else the directions in the null space of G are shown.
#include "sim/motion.h"

#include <string.h>

typedef struct Ways {
  Run *r;
  double t;
  const double *y;
  uint32_t m, n;
  double *rows;  // m by m + n: an orthogonal combination of the constraints, and which it is
  double *open;  // n by n: an orthonormal basis of what is left open, the first `freedom` rows
  double *moved; // G elsewhere
  double *state;
  uint32_t freedom, lost;
  double *weak; // w, of the smallest combination
} Ways;

static const double vanishing = 0.02; // of the largest singular value: near the singular configuration, not at it

static double dot(const double *a, const double *b, uint32_t n) {
  double sum = 0;
  for (uint32_t k = 0; k < n; k++) sum += a[k] * b[k];
  return sum;
}

static bool make_rooms(Ways *x) {
  Arena *arena = x->r->scratch;
  x->rows = arena_array(arena, (size_t)x->m * (x->m + x->n), sizeof *x->rows);
  x->open = arena_array(arena, (size_t)(x->m + x->n) * x->n, sizeof *x->open);
  x->moved = arena_array(arena, 2 * (size_t)x->m * x->n, sizeof *x->moved);
  x->state = arena_array(arena, x->r->p->y.total, sizeof *x->state);
  return !arena_failed(arena);
}

// The rows become orthogonal; those that vanish are lost.
static void split(Ways *x) {
  uint32_t width = x->m + x->n;
  double least = INFINITY, most = 0;
  singular_rows(x->r, x->t, x->y, x->moved);
  for (uint32_t k = 0; k < x->m; k++) {
    memcpy(x->rows + (size_t)k * width, x->moved + (size_t)k * x->n, x->n * sizeof *x->rows);
    x->rows[(size_t)k * width + x->n + k] = 1;
  }
  singular_turn(x->rows, x->m, x->n, width);
  for (uint32_t k = 0; k < x->m; k++) {
    const double *row = x->rows + (size_t)k * width;
    most = fmax(most, dot(row, row, x->n));
  }
  for (uint32_t k = 0; k < x->m; k++) {
    double *row = x->rows + (size_t)k * width, size = dot(row, row, x->n);
    if (size < least) least = size, x->weak = row + x->n;
    x->lost += size <= vanishing * vanishing * fmax(most, 1);
  }
}

// What is left of a vector without its parts along the first `count` rows of x->open; its length.
static double without(Ways *x, uint32_t count, double *v) {
  for (uint32_t j = 0; j < 2 * count; j++) { // twice, for rounding
    const double *other = x->open + (size_t)(j % count) * x->n;
    double along = dot(v, other, x->n);
    for (uint32_t i = 0; i < x->n; i++) v[i] -= along * other[i];
  }
  return sqrt(dot(v, v, x->n));
}

// A basis: first of what the constraints bind, which is dropped at the end, then of the rest.
static void find_open(Ways *x) {
  uint32_t width = x->m + x->n, kept = 0, bound = 0;
  for (uint32_t k = 0; k < x->m + x->n && kept < x->n; k++) {
    double *v = x->open + (size_t)kept * x->n;
    if (k < x->m) memcpy(v, x->rows + (size_t)k * width, x->n * sizeof *v);
    for (uint32_t i = 0; k >= x->m && i < x->n; i++) v[i] = i == k - x->m;
    double length = k < x->m ? sqrt(dot(v, v, x->n)) : without(x, kept, v);
    if (length <= (k < x->m ? 2 * vanishing : 0.1)) continue;
    for (uint32_t i = 0; i < x->n; i++) v[i] /= length;
    kept++;
    bound += k < x->m;
  }
  x->freedom = kept - bound;
  memmove(x->open, x->open + (size_t)bound * x->n, (size_t)x->freedom * x->n * sizeof *x->open);
}

// w' (dG/dq u) v by differences.
static double second(Ways *x, const double *u, const double *v) {
  const ConstraintPlan *plan = x->r->p->constraints;
  const double reach = 1e-5 * fmax(x->r->constraints.singular->place, 1e-300);
  double sum = 0;
  for (int side = 0; side < 2; side++) {
    memcpy(x->state, x->y, x->r->p->y.total * sizeof *x->state);
    for (uint32_t i = 0; i < x->n; i++) bound_move(&plan->coords[i], (side ? reach : -reach) * u[i], x->state);
    singular_rows(x->r, x->t, x->state, x->moved + (size_t)side * x->m * x->n);
  }
  for (uint32_t k = 0; k < x->m; k++) {
    const double *before = x->moved + (size_t)k * x->n, *behind = before + (size_t)x->m * x->n;
    sum += x->weak[k] * (dot(behind, v, x->n) - dot(before, v, x->n)) / (2 * reach);
  }
  return sum;
}

// The parts that count; of many the first ones.
static void put_direction(const Ways *x, const double *v, Text *out) {
  enum { most_reported = 12 };
  const ConstraintPlan *plan = x->r->p->constraints;
  const char *between = "";
  uint32_t told = 0;
  text_put(out, out->length ? ", (" : "(");
  for (uint32_t i = 0; i < x->n; i++) {
    if (fabs(v[i]) < 0.01) continue;
    if (++told > most_reported) {
      text_put(out, ", ...");
      break;
    }
    text_printf(out, "%s%s %.2g", between, system_freedom_name(&x->r->p->s, plan->coords[i].coord), v[i]);
    between = ", ";
  }
  text_putc(out, ')');
}

// a u + b v of unit length, its first part of some size positive.
static void put_mixed(const Ways *x, double a, double b, Text *out) {
  double *mix = x->state, length = hypot(a, b), sign = 0;
  for (uint32_t i = 0; i < x->n; i++) {
    mix[i] = (a * x->open[i] + b * x->open[x->n + i]) / length;
    if (sign == 0 && fabs(mix[i]) >= 0.01) sign = copysign(1, mix[i]);
  }
  for (uint32_t i = 0; i < x->n; i++) mix[i] *= sign;
  put_direction(x, mix, out);
}

// The zeros of the form a^2 p + 2 a b q + b^2 s of the plane. False: it has none of second order.
static bool put_form(Ways *x, Text *out) {
  const double *u = x->open, *v = x->open + x->n;
  double p = second(x, u, u), q = 0.5 * (second(x, u, v) + second(x, v, u)), s = second(x, v, v);
  double size = fmax(fabs(p), fmax(fabs(q), fabs(s))), inner = q * q - p * s;
  if (!(size > 1e-3)) return false;
  if (fabs(inner) <= 1e-3 * size * size) {
    if (fabs(p) > fabs(s)) put_mixed(x, -q, p, out);
    else put_mixed(x, s, -q, out);
    return true;
  }
  if (inner < 0) return true; // the configuration is isolated
  double root = sqrt(inner);
  if (fabs(p) > 1e-3 * size) {
    put_mixed(x, -q + root, p, out);
    put_mixed(x, -q - root, p, out);
  } else {
    put_mixed(x, 1, 0, out);
    put_mixed(x, s, -2 * q, out);
  }
  return true;
}

// Of many constraints: the direction of motion that they leave free there and bind beside it.
static const char *weakest_direction(Run *r, double t, const double *y) {
  const ConstraintPlan *plan = r->p->constraints;
  double *look = arena_array(r->scratch, singular_look_size(plan), sizeof *look);
  Ways ways = {.r = r, .n = plan->coord_count};
  Text out = text_in(r->scratch);
  if (!look) return NULL;
  singular_entries(r, t, y, look);
  double value = gram_weakest(plan->gram, &r->constraints.gram, *r->constraints.rank, look);
  double *beside = value <= 1e-9 ? arena_array(r->scratch, r->p->y.total, sizeof *beside) : NULL;
  if (beside) { // at the singular configuration itself it has none: a little further on it has
    const SingularState *s = r->constraints.singular;
    double reach = 1e-4 * fmax(s->place, 1e-300) / (s->fastest > 0 ? s->fastest : 1);
    memcpy(beside, y, r->p->y.total * sizeof *beside);
    for (uint32_t i = 0; i < plan->coord_count; i++)
      bound_move(&plan->coords[i], reach * (s->fastest > 0 ? y[plan->coords[i].v] : 1), beside);
    singular_entries(r, t, beside, look);
    gram_weakest(plan->gram, &r->constraints.gram, *r->constraints.rank, look);
  }
  put_direction(&ways, look + gram_entries(plan->gram) + plan->count, &out);
  return text_str(&out);
}

const char *singular_directions(Run *r, double t, const double *y) {
  const ConstraintPlan *plan = r->p->constraints;
  if (plan->gram) return weakest_direction(r, t, y);
  Ways ways = {.r = r, .t = t, .y = y, .m = plan->count, .n = plan->coord_count}, *x = &ways;
  if (!make_rooms(x)) return NULL;
  Text out = text_in(r->scratch);
  split(x);
  find_open(x);
  bool plane = x->freedom == 2 && x->lost == 1 + x->m - *r->constraints.rank && *r->constraints.rank == x->m;
  if (!plane || !put_form(x, &out)) {
    for (uint32_t k = 0; k < x->freedom; k++) put_direction(x, x->open + (size_t)k * x->n, &out);
  }
  return out.length ? text_str(&out) : NULL;
}

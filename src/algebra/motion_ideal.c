// A proof on a constraint set that is not solved for its places: loops made of numbers.
//
// in    e = A a + b and M a + h = 0, with velocities put in; g_k = 0, what constraints say of places
// out   true: e vanishes wherever the g_k do, because a polynomial that has its zeros is a combination
//       sum q_k g_k in the ring of the normal form (normal_member). m->out.means says what it is
// how   Without accelerations and multipliers that polynomial is the numerator of e; with them it is the determinant of
//       the rows of M and h, bordered by (A, b): e is then a combination of the equations, as long as M has an inverse
//       on the set, which points in numbers show (motion_numbers.c). Where the numerator itself is no combination, it
//       is tried times the denominators: they do not vanish where e has a value.
#include "algebra/motion_parts.h"

#include "algebra/set_points.h"
#include "expr/calculus.h"
#include "expr/normal.h"

#include <math.h>

enum { most_bordered = 7 }; // rows of the determinant

// The roots of a ring: values of constraints between places, then rows of M, h and A, b; without unknowns e alone.
typedef struct SetDeterminant {
  ExprId *roots;
  uint32_t values, size, count; // constraints, rows, roots
} SetDeterminant;

static bool list_roots(MotionCheck *m, SetDeterminant *x) {
  const System *s = m->s;
  uint32_t k = m->k, width = k + 1, n = 0;
  x->size = k + 1;
  x->roots = arena_array(m->arena, s->constraints.count + (size_t)width * width, sizeof *x->roots);
  if (!x->roots) return false;
  for (uint32_t i = 0; i < s->constraints.count; i++) {
    if (!s->constraints.items[i].velocities) x->roots[n++] = s->constraints.items[i].value;
  }
  x->values = n;
  for (uint32_t i = 0; i < k; i++) {
    for (uint32_t j = 0; j < k; j++) x->roots[n++] = m->M[i * k + j];
    x->roots[n++] = m->h[i];
  }
  for (uint32_t j = 0; j < k; j++) x->roots[n++] = m->A[j];
  x->roots[n++] = k ? m->b : m->e;
  x->count = n;
  return true;
}

// The numerators of the constraints, those that are not zero.
static uint32_t numerators(Normal *n, const Frac *f, uint32_t count, Poly **g) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (n->api->length(n->ring, f[i].num)) g[kept++] = f[i].num;
  }
  return kept;
}

// What must vanish: each row over one denominator, and the determinant of all. NULL: n->why.
static Poly *determinant(Normal *n, const Frac *f, uint32_t size) {
  Poly **entry = arena_array(n->arena, (size_t)size * size, sizeof *entry);
  for (uint32_t i = 0; entry && i < size; i++) {
    if (!normal_clear(n, f + (size_t)i * size, size, entry + (size_t)i * size)) return NULL;
  }
  return entry ? normal_determinant(n, entry, size) : NULL;
}

static bool prove(MotionCheck *m, const SetDeterminant *x, Normal *n) {
  Frac *f = arena_array(m->arena, x->count, sizeof *f);
  Poly **g = arena_array(m->arena, x->values, sizeof *g);
  if (!f || !g || !normal_open(n, m->pool, m->arena, x->roots, x->count) || !fracs_of(n, x->roots, x->count, f))
    return false;
  uint32_t count = numerators(n, f, x->values, g);
  Poly *zero = determinant(n, f + x->values, x->size);
  if (!count || !zero) return false;
  if (normal_member(n, g, count, zero)) return true;
  Poly *below = normal_den(n, f[x->count - 1]), *more = below ? normal_mul(n, zero, below) : NULL;
  return more && n->api->length(n->ring, below) > 1 && normal_member(n, g, count, more);
}

// ---- has M an inverse on the set?

static bool is_regular(double *a, uint32_t n) {
  for (uint32_t c = 0; c < n; c++) {
    uint32_t best = c;
    double largest = 0;
    for (uint32_t i = c; i < n; i++) {
      if (fabs(a[i * n + c]) > fabs(a[best * n + c])) best = i;
      for (uint32_t j = c; j < n; j++) largest = fmax(largest, fabs(a[i * n + j]));
    }
    if (!(fabs(a[best * n + c]) > 1e-9 * largest)) return false; // rounding is 1e-16, and columns differ by their units
    for (uint32_t j = 0; j < n; j++) {
      double swap = a[c * n + j];
      a[c * n + j] = a[best * n + j];
      a[best * n + j] = swap;
    }
    for (uint32_t i = c + 1; i < n; i++) {
      double factor = a[i * n + c] / a[c * n + c];
      for (uint32_t j = c; j < n; j++) a[i * n + j] -= factor * a[c * n + j];
    }
  }
  return true;
}

static bool has_inverse(MotionCheck *m) {
  enum { looks = 8 };
  System own = *m->unreduced;
  SetPoints points, *x = &points;
  uint32_t k = m->k, regular = 0;
  double a[most_bordered * most_bordered];
  if (!k) return true;
  if (!set_points_open(x, &own, m->M, k * k)) return false;
  for (uint32_t i = 0; i < looks; i++) {
    if (!set_points_next(x)) continue;
    for (uint32_t j = 0; j < k * k; j++) a[j] = set_points_value(x, j);
    if (!is_regular(a, k)) return false;
    regular++;
  }
  return regular > 0;
}

bool motion_prove_on_set(MotionCheck *m) {
  SetDeterminant x = {0};
  Normal normal = {0}, *n = &normal;
  uint32_t coord;
  if (m->k + 1 > most_bordered || (m->k && !m->linear) || !has_inverse(m) || !list_roots(m, &x)) return false;
  bool proved = prove(m, &x, n);
  normal_close(n);
  if (!proved || !m->k) return proved;
  m->out.means = motion_is_solved_form(m, &coord)
                     ? arena_printf(m->arena, "the equations solved for %s''", m->s->coords.items[coord].name)
                     : "a combination of the equations of motion";
  m->out.condition = "where the factors of the combination do not vanish";
  return true;
}

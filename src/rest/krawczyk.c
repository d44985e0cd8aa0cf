// Interval Newton method with the Krawczyk operator. See krawczyk.h.
//
// Rounding: tape_enclose bounds values and derivatives; sums of products of bounds are widened by `margin` of their
// terms, of which no more than `size` + 2 are added, so that a bound of their rounding is far inside.
#include "rest/krawczyk.h"

#include "tape/interval.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { newton_steps = 30 };
static const double margin = 64 * DBL_EPSILON;

// ---- the system as a tape

static uint32_t place_of(const Krawczyk *x, uint32_t unknown) {
  for (uint32_t i = 0; i < x->n; i++) {
    if (x->active[i] == unknown) return i;
  }
  return UINT32_MAX;
}

static void add_entry(Krawczyk *x, ExprId *list, uint32_t *count, ExprId value, uint32_t row, uint32_t column,
                      double sign) {
  x->entry_row[x->entries] = row;
  x->entry_column[x->entries] = column;
  x->sign[x->entries++] = sign;
  list[(*count)++] = value;
}

static bool build(Krawczyk *x) {
  StaticForm *f = x->form;
  Arena *arena = f->o->arena;
  uint32_t most = 0, k = 0;
  for (uint32_t i = 0; i < f->n; i++) most += f->K[i].count;
  for (uint32_t i = 0; i < f->m; i++) most += 2 * f->G[i].count;
  ExprId *list = arena_array(arena, (size_t)x->size + most + 1, sizeof *list);
  x->entry_row = arena_array(arena, (size_t)most + 1, sizeof *x->entry_row);
  x->entry_column = arena_array(arena, (size_t)most + 1, sizeof *x->entry_column);
  x->sign = arena_array(arena, (size_t)most + 1, sizeof *x->sign);
  if (arena_failed(arena)) return false;
  for (uint32_t i = 0; i < x->n; i++) list[k++] = f->balance[x->active[i]];
  for (uint32_t i = 0; i < x->m; i++) list[k++] = f->value[i];
  for (uint32_t i = 0; i < x->n; i++) {
    const MassRow *row = &f->K[x->active[i]];
    for (uint32_t e = 0; e < row->count; e++) {
      uint32_t c = place_of(x, row->items[e].column);
      if (c != UINT32_MAX) add_entry(x, list, &k, row->items[e].value, i, c, 1);
    }
  }
  for (uint32_t i = 0; i < x->m; i++) {
    for (uint32_t e = 0; e < f->G[i].count; e++) {
      uint32_t c = place_of(x, f->G[i].items[e].column);
      if (c == UINT32_MAX) continue;
      add_entry(x, list, &k, f->G[i].items[e].value, x->n + i, c, 1);
      add_entry(x, list, &k, f->G[i].items[e].value, c, x->n + i, -1);
    }
  }
  return static_tape(f, list, k, &x->tape);
}

bool krawczyk_open(Krawczyk *x, StaticForm *f, const bool *active, const double *fixed) {
  Arena *arena = f->o->arena;
  *x = (Krawczyk){.form = f, .m = f->m, .fixed = fixed};
  x->active = arena_array(arena, (size_t)f->n + 1, sizeof *x->active);
  if (!x->active) return false;
  for (uint32_t i = 0; i < f->n; i++) {
    if (active[i]) x->active[x->n++] = i;
  }
  size_t s = x->size = x->n + x->m;
  if (!build(x)) return false;
  x->lo = arena_array(arena, x->tape.tape->slot_count, sizeof(double));
  x->hi = arena_array(arena, x->tape.tape->slot_count, sizeof(double));
  x->middle = arena_array(arena, s + 1, sizeof(double));
  x->mid_jacobian = arena_array(arena, s * s + 1, sizeof(double));
  x->inverse = arena_array(arena, s * s + 1, sizeof(double));
  x->work = arena_array(arena, 2 * s * s + 4 * s + 1, sizeof(double));
  for (int b = 0; b < 2; b++) {
    x->residue[b] = arena_array(arena, s + 1, sizeof(double));
    x->jacobian[b] = arena_array(arena, s * s + 1, sizeof(double));
    x->image[b] = arena_array(arena, s + 1, sizeof(double));
  }
  return !arena_failed(arena);
}

// Bounds of everything over a box.
static void enclose(Krawczyk *x, const double *lo, const double *hi) {
  const StaticForm *f = x->form;
  const Tape *t = x->tape.tape;
  uint32_t v = t->param_count;
  x->lo[v] = x->hi[v] = f->o->t;
  for (uint32_t i = 0; i < f->n; i++) x->lo[v + 1 + i] = x->hi[v + 1 + i] = x->fixed[i];
  for (uint32_t i = 0; i < x->n; i++) {
    x->lo[v + 1 + x->active[i]] = lo[i];
    x->hi[v + 1 + x->active[i]] = hi[i];
  }
  for (uint32_t i = 0; i < x->m; i++) {
    x->lo[v + 1 + f->n + i] = lo[x->n + i];
    x->hi[v + 1 + f->n + i] = hi[x->n + i];
  }
  for (uint32_t i = 0; i < f->o->free; i++) x->lo[v + 1 + f->n + f->m + i] = x->hi[v + 1 + f->n + f->m + i] = 0;
  tape_enclose(t, x->tape.w, x->lo, x->hi);
  x->looks++;
  for (uint32_t i = 0; i < x->size; i++) {
    x->residue[0][i] = x->lo[t->outputs[i]];
    x->residue[1][i] = x->hi[t->outputs[i]];
  }
}

// Bounds of the Jacobian, row by row, after enclose. False: not bounded.
static bool slopes(Krawczyk *x, double *lo, double *hi) {
  const Tape *t = x->tape.tape;
  size_t s = x->size;
  memset(lo, 0, s * s * sizeof *lo);
  memset(hi, 0, s * s * sizeof *hi);
  for (uint32_t e = 0; e < x->entries; e++) {
    double a = x->lo[t->outputs[s + e]], b = x->hi[t->outputs[s + e]];
    size_t at = x->entry_row[e] * s + x->entry_column[e];
    lo[at] = x->sign[e] > 0 ? a : -b;
    hi[at] = x->sign[e] > 0 ? b : -a;
    if (!isfinite(a) || !isfinite(b)) return false;
  }
  return true;
}

static bool misses_zero(double lo, double hi) { return lo > 0 || hi < 0; }

bool krawczyk_may_hold(Krawczyk *x, RestBox z) {
  enclose(x, z.lo, z.hi);
  for (uint32_t i = 0; i < x->size; i++) {
    if (misses_zero(x->residue[0][i], x->residue[1][i])) return false;
  }
  return true;
}

bool krawczyk_may_obey(Krawczyk *x, RestBox z) {
  for (uint32_t k = 0; k < x->m; k++) z.lo[x->n + k] = z.hi[x->n + k] = 0;
  if (x->m) enclose(x, z.lo, z.hi);
  for (uint32_t k = x->n; k < x->size; k++) {
    if (misses_zero(x->residue[0][k], x->residue[1][k])) return false;
  }
  return true;
}

// ---- dense algebra of small matrices

// The inverse of a (row by row; spoiled). False: singular.
static bool invert(uint32_t s, double *a, double *inverse) {
  memset(inverse, 0, (size_t)s * s * sizeof *inverse);
  for (uint32_t i = 0; i < s; i++) inverse[(size_t)i * s + i] = 1;
  for (uint32_t c = 0; c < s; c++) {
    uint32_t p = c;
    for (uint32_t r = c + 1; r < s; r++) p = fabs(a[(size_t)r * s + c]) > fabs(a[(size_t)p * s + c]) ? r : p;
    double pivot = a[(size_t)p * s + c];
    if (!(fabs(pivot) > 0) || !isfinite(pivot)) return false;
    for (uint32_t k = 0; k < s; k++) {
      double u = a[(size_t)p * s + k], w = inverse[(size_t)p * s + k];
      a[(size_t)p * s + k] = a[(size_t)c * s + k];
      inverse[(size_t)p * s + k] = inverse[(size_t)c * s + k];
      a[(size_t)c * s + k] = u / pivot;
      inverse[(size_t)c * s + k] = w / pivot;
    }
    for (uint32_t r = 0; r < s; r++) {
      double factor = a[(size_t)r * s + c];
      if (r == c || factor == 0) continue;
      for (uint32_t k = 0; k < s; k++) {
        a[(size_t)r * s + k] -= factor * a[(size_t)c * s + k];
        inverse[(size_t)r * s + k] -= factor * inverse[(size_t)c * s + k];
      }
    }
  }
  for (size_t i = 0; i < (size_t)s * s; i++) {
    if (!isfinite(inverse[i])) return false;
  }
  return true;
}

// An interval as a sum of products, with the size of its terms.
typedef struct BoundedSum {
  double lo, hi, size;
} BoundedSum;

static void add_times(BoundedSum *s, double factor, double lo, double hi) {
  double a = factor * lo, b = factor * hi;
  s->lo += fmin(a, b);
  s->hi += fmax(a, b);
  s->size += fmax(fabs(a), fabs(b));
}

static void widen(BoundedSum *s) {
  s->lo -= margin * s->size + DBL_MIN;
  s->hi += margin * s->size + DBL_MIN;
}

// ---- multipliers

// m rows of the balance, those in which G' has its pivots at the middle. False: there are fewer.
static bool choose_rows(Krawczyk *x, const double *glo, const double *ghi, uint32_t *rows) {
  uint32_t m = x->m, s = x->size, found = 0;
  double *a = x->work; // n x m: G' at the middle
  bool used[64] = {false};
  if (x->n > 64) return false;
  for (uint32_t i = 0; i < x->n; i++) {
    for (uint32_t k = 0; k < m; k++) {
      size_t at = (size_t)(x->n + k) * s + i;
      a[(size_t)i * m + k] = 0.5 * (glo[at] + ghi[at]);
    }
  }
  for (uint32_t k = 0; k < m; k++) {
    uint32_t p = UINT32_MAX;
    for (uint32_t i = 0; i < x->n; i++) {
      if (!used[i] && (p == UINT32_MAX || fabs(a[(size_t)i * m + k]) > fabs(a[(size_t)p * m + k]))) p = i;
    }
    if (p == UINT32_MAX || a[(size_t)p * m + k] == 0) return false;
    used[p] = true;
    rows[found++] = p;
    for (uint32_t i = 0; i < x->n; i++) {
      if (used[i]) continue;
      double factor = a[(size_t)i * m + k] / a[(size_t)p * m + k];
      for (uint32_t c = k; c < m; c++) a[(size_t)i * m + c] -= factor * a[(size_t)p * m + c];
    }
  }
  return found == m;
}

// A lambda = h with A = G' in m rows: lambda in Y h + (1 - Y A) lambda.
bool krawczyk_multipliers(Krawczyk *x, RestBox z) {
  uint32_t m = x->m, s = x->size, rows[64];
  double *glo = x->jacobian[0], *ghi = x->jacobian[1], *a = x->work, *inverse = x->inverse;
  if (m == 0) return true;
  if (m > 64) return false;
  for (uint32_t k = 0; k < m; k++) z.lo[x->n + k] = z.hi[x->n + k] = 0;
  enclose(x, z.lo, z.hi);
  if (!slopes(x, glo, ghi) || !choose_rows(x, glo, ghi, rows)) return false;
  for (uint32_t i = 0; i < m; i++) {
    for (uint32_t k = 0; k < m; k++) {
      size_t at = (size_t)(x->n + k) * s + rows[i];
      a[(size_t)i * m + k] = 0.5 * (glo[at] + ghi[at]);
    }
  }
  if (!invert(m, a, inverse)) return false;
  double spread = 0, most = 0;
  for (uint32_t i = 0; i < m; i++) {
    BoundedSum h = {0};
    double norm = 0;
    for (uint32_t k = 0; k < m; k++)
      add_times(&h, inverse[(size_t)i * m + k], x->residue[0][rows[k]], x->residue[1][rows[k]]);
    widen(&h);
    z.lo[x->n + i] = h.lo;
    z.hi[x->n + i] = h.hi;
    most = fmax(most, fmax(fabs(h.lo), fabs(h.hi)));
    for (uint32_t k = 0; k < m; k++) {
      BoundedSum e = {i == k, i == k, 1};
      for (uint32_t j = 0; j < m; j++) {
        size_t at = (size_t)(x->n + k) * s + rows[j];
        add_times(&e, -inverse[(size_t)i * m + j], glo[at], ghi[at]);
      }
      widen(&e);
      norm += fmax(fabs(e.lo), fabs(e.hi));
    }
    spread = fmax(spread, norm);
  }
  if (!(spread < 0.9) || !isfinite(most)) return false;
  double more = 1.0001 * spread / (1 - spread) * most + DBL_MIN;
  for (uint32_t i = 0; i < m; i++) {
    // a little more, so that a zero lies inside
    double own = more + 0.05 * (z.hi[x->n + i] - z.lo[x->n + i]) + 1e-9 * most + DBL_MIN;
    z.lo[x->n + i] -= own;
    z.hi[x->n + i] += own;
  }
  return true;
}

// ---- Newton

static double middle_of(double lo, double hi) { return 0.5 * lo + 0.5 * hi; }

// N(Z) into x->image. False: the middle is singular, or something is not bounded.
static bool image(Krawczyk *x, RestBox z) {
  uint32_t s = x->size;
  double *jlo = x->jacobian[0], *jhi = x->jacobian[1];
  enclose(x, z.lo, z.hi);
  if (!slopes(x, jlo, jhi)) return false;
  for (size_t i = 0; i < (size_t)s * s; i++) x->mid_jacobian[i] = middle_of(jlo[i], jhi[i]);
  if (!invert(s, x->mid_jacobian, x->inverse)) return false;
  for (uint32_t i = 0; i < s; i++) x->middle[i] = middle_of(z.lo[i], z.hi[i]);
  enclose(x, x->middle, x->middle);
  for (uint32_t i = 0; i < s; i++) {
    BoundedSum n = {x->middle[i], x->middle[i], fabs(x->middle[i])};
    for (uint32_t k = 0; k < s; k++) add_times(&n, -x->inverse[(size_t)i * s + k], x->residue[0][k], x->residue[1][k]);
    for (uint32_t k = 0; k < s; k++) {
      BoundedSum e = {i == k, i == k, 1};
      for (uint32_t j = 0; j < s; j++)
        add_times(&e, -x->inverse[(size_t)i * s + j], jlo[(size_t)j * s + k], jhi[(size_t)j * s + k]);
      widen(&e);
      double reach = fmax(z.hi[k] - x->middle[k], x->middle[k] - z.lo[k]);
      double by = fmax(fabs(e.lo), fabs(e.hi)) * reach * (1 + margin);
      n.lo -= by;
      n.hi += by;
      n.size += by;
    }
    widen(&n);
    if (!isfinite(n.lo) || !isfinite(n.hi)) return false;
    x->image[0][i] = n.lo;
    x->image[1][i] = n.hi;
  }
  return true;
}

BoxAnswer krawczyk_look(Krawczyk *x, RestBox z) {
  uint32_t s = x->size;
  bool inside = true, smaller = false;
  if (!image(x, z)) return box_unknown;
  for (uint32_t i = 0; i < s; i++) {
    double lo = x->image[0][i], hi = x->image[1][i];
    if (hi < z.lo[i] || lo > z.hi[i]) return box_none;
    inside = inside && lo > z.lo[i] && hi < z.hi[i];
    smaller = smaller || (i < x->n && fmin(hi, z.hi[i]) - fmax(lo, z.lo[i]) < 0.7 * (z.hi[i] - z.lo[i]));
  }
  for (uint32_t i = 0; i < s; i++) {
    z.lo[i] = fmax(z.lo[i], x->image[0][i]);
    z.hi[i] = fmin(z.hi[i], x->image[1][i]);
  }
  return inside ? box_one : smaller ? box_smaller : box_unknown;
}

bool krawczyk_newton(Krawczyk *x, RestBox z) {
  uint32_t s = x->size;
  double *step = x->work + 2 * (size_t)s * s, *at = step + s;
  for (uint32_t i = 0; i < s; i++) at[i] = middle_of(z.lo[i], z.hi[i]);
  for (int n = 0; n < newton_steps; n++) {
    double change = 0;
    enclose(x, at, at);
    if (!slopes(x, x->jacobian[0], x->jacobian[1])) return false;
    for (size_t i = 0; i < (size_t)s * s; i++) x->mid_jacobian[i] = middle_of(x->jacobian[0][i], x->jacobian[1][i]);
    if (!invert(s, x->mid_jacobian, x->inverse)) return false;
    for (uint32_t i = 0; i < s; i++) {
      step[i] = 0;
      for (uint32_t k = 0; k < s; k++)
        step[i] -= x->inverse[(size_t)i * s + k] * middle_of(x->residue[0][k], x->residue[1][k]);
      if (!isfinite(step[i])) return false;
      change = fmax(change, fabs(step[i]) / fmax(fabs(at[i]), 1e-6));
    }
    for (uint32_t i = 0; i < s; i++) at[i] += step[i];
    if (change <= 1e-14) break;
  }
  memcpy(x->middle, at, s * sizeof *at);
  return true;
}

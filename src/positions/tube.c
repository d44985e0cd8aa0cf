// Interval enclosures (tubes) around curves of positions. See tube.h.
//
// Rounding: derivatives are bounded by tape_enclose; sums of products of these bounds have at most `curve_dense_most` +
// 2 terms and are widened by `margin` of the sum of their sizes, which is more than their rounding.
#include "positions/tube.h"

#include "tape/interval.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { inflations = 4, shrinks = 40 };
static const double margin = 256 * DBL_EPSILON;
static const double overlap = 0x1p-8; // of a piece: so much a tube begins before its start, and ends behind its end

bool tube_open(Tube *x, Curve *c) {
  Arena *arena = c->p->arena;
  size_t N = c->N;
  *x = (Tube){.c = c};
  x->lo = arena_array(arena, c->p->f.tape->slot_count, sizeof *x->lo);
  x->hi = arena_array(arena, c->p->f.tape->slot_count, sizeof *x->hi);
  double **squares[] = {&x->Y, &x->rate, &x->mid, &x->off};
  for (size_t i = 0; i < sizeof squares / sizeof *squares; i++) *squares[i] = arena_array(arena, N * N, sizeof(double));
  double **vectors[] = {&x->r,    &x->near, &x->point, &x->along, &x->chord, &x->K,
                        &x->work, &x->g,    &x->g_off, &x->kept,  &x->unit,  &x->near_kept};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) *vectors[i] = arena_array(arena, N, sizeof(double));
  if (arena_failed(arena)) return false;
  tube_begin(x, NULL);
  return true;
}

void tube_begin(Tube *x, const double *near) {
  for (uint32_t i = 0; i < x->c->N; i++) x->near[i] = near ? near[i] : 16 * DBL_EPSILON * fmax(1, x->c->p->size);
}

// Forces of a load path may be thousands beside positions of about 1: a tube is as much wider in them.
static void set_units(Tube *x, const double *z) {
  const Places *p = x->c->p;
  uint32_t first = p->statics ? p->coords + p->angle_count : p->n;
  double most = 0;
  for (uint32_t i = first; i < p->n; i++) most = fmax(most, fabs(z[i]));
  for (uint32_t i = 0; i < x->c->N; i++) x->unit[i] = i < first || i == p->n ? 1 : fmax(1, most / p->size);
}

// ---- bounds of the equations over a box: middle and half width of each variable

static void look(Tube *x, const double *z, const double *r) {
  Curve *c = x->c;
  Places *p = c->p;
  const Tape *t = p->f.tape;
  uint32_t v = t->param_count, n = c->n;
  x->lo[v] = x->hi[v] = p->t;
  for (uint32_t i = 0; i < n; i++) {
    double pad = r ? r[i] + DBL_EPSILON * (fabs(z[i]) + r[i]) : 0;
    x->lo[v + 1 + i] = z[i] - pad;
    x->hi[v + 1 + i] = z[i] + pad;
  }
  for (uint32_t i = 0; i < p->k; i++) {
    double P = c->a[i] + c->P1[i] * z[n], pad = 4 * DBL_EPSILON * (fabs(c->a[i]) + fabs(c->P1[i] * z[n]) + fabs(P));
    if (r) pad += fabs(c->P1[i]) * r[n] * (1 + margin);
    x->lo[v + 1 + n + i] = P - pad;
    x->hi[v + 1 + n + i] = P + pad;
  }
  tape_enclose(t, p->f.w, x->lo, x->hi);
  x->looks++;
}

// |Y F| where F was looked at last, into out. The last equation holds.
static void image_of_values(Tube *x, double *out) {
  Curve *c = x->c;
  const Tape *t = c->p->f.tape;
  uint32_t N = c->N;
  for (uint32_t i = 0; i < N; i++) out[i] = x->g[i] = x->g_off[i] = 0;
  for (uint32_t i = 0; i < c->p->m; i++) {
    if (!c->row_at[i]) continue;
    double lo = x->lo[t->outputs[i]], hi = x->hi[t->outputs[i]];
    x->g[c->row_at[i] - 1] = lo / 2 + hi / 2;
    x->g_off[c->row_at[i] - 1] = (hi / 2 - lo / 2) * (1 + margin) + DBL_MIN;
  }
  for (uint32_t i = 0; i < N; i++) {
    double sum = 0, size = 0, wide = 0;
    for (uint32_t k = 0; k < N; k++) {
      double y = x->Y[(size_t)i * N + k];
      sum += y * x->g[k];
      size += fabs(y * x->g[k]);
      wide += fabs(y) * x->g_off[k];
    }
    out[i] = (fabs(sum) + margin * size + wide) * (1 + margin);
  }
}

// A as it was looked at last: middles and half widths. False: not bounded.
static bool take_matrix(Tube *x) {
  Curve *c = x->c;
  Places *p = c->p;
  const Tape *t = p->f.tape;
  uint32_t N = c->N, n = c->n;
  memset(x->mid, 0, (size_t)N * N * sizeof *x->mid);
  memset(x->off, 0, (size_t)N * N * sizeof *x->off);
  for (uint32_t e = 0; e < p->entries; e++) {
    uint32_t row = c->row_at[p->entry_row[e]], column = p->entry_column[e];
    if (!row) continue;
    double lo = x->lo[t->outputs[p->m + e]], hi = x->hi[t->outputs[p->m + e]];
    if (!isfinite(lo) || !isfinite(hi)) return false;
    double m = lo / 2 + hi / 2, w = hi / 2 - lo / 2, f = column < n ? 1 : c->P1[column - n];
    size_t at = (size_t)(row - 1) * N + (column < n ? column : n);
    x->mid[at] += m * f;
    x->off[at] += (w + margin * (fabs(m) + w)) * fabs(f);
  }
  memcpy(x->mid + (size_t)n * N, x->along, N * sizeof *x->mid);
  return true;
}

// Bounds of |1 - Y A|, and into K those of |Y A chord|.
static void contract(Tube *x, double *chord_image) {
  uint32_t N = x->c->N;
  for (uint32_t i = 0; i < N; i++) {
    double *out = x->rate + (size_t)i * N;
    for (uint32_t j = 0; j < N; j++) out[j] = 0;
    memset(x->work, 0, N * sizeof *x->work); // sums of Y mid by column
    memset(x->g, 0, N * sizeof *x->g);       // of their sizes
    for (uint32_t k = 0; k < N; k++) {
      double y = x->Y[(size_t)i * N + k], size = fabs(y);
      if (y == 0) continue;
      const double *mid = x->mid + (size_t)k * N, *off = x->off + (size_t)k * N;
      for (uint32_t j = 0; j < N; j++) {
        x->work[j] += y * mid[j];
        x->g[j] += size * fabs(mid[j]);
        out[j] += size * off[j];
      }
    }
    double along = 0, pad = 0;
    for (uint32_t j = 0; j < N; j++) {
      double wide = (out[j] + margin * x->g[j]) * (1 + margin);
      along += x->work[j] * x->chord[j];
      pad += (wide + margin * fabs(x->work[j])) * fabs(x->chord[j]);
      out[j] = fabs((i == j) - x->work[j]) + wide;
    }
    // Y A chord has the part of the last equation in it, which is along.chord = 1 of all pieces: not a residue
    double last = x->Y[(size_t)i * N + N - 1], given = 0;
    for (uint32_t j = 0; j < N; j++) given += x->along[j] * x->chord[j];
    chord_image[i] = (fabs(along - last * given) + pad + margin * fabs(last * given)) * (1 + margin);
  }
}

// ---- a piece

// A tube is at least so wide that it holds what may be the start.
static void hold_start(Tube *x) {
  double before = 0;
  for (uint32_t i = 0; i < x->c->N; i++) before += fabs(x->along[i]) * x->near[i];
  for (uint32_t i = 0; i < x->c->N; i++) x->r[i] = fmax(x->r[i], 3 * (x->near[i] + fabs(x->chord[i]) * before));
}

static void propose(Tube *x, const double *t0, const double *t1) {
  double floor = 64 * DBL_EPSILON * fmax(1, x->c->p->size), most = 0;
  for (uint32_t i = 0; i < x->c->N; i++) {
    x->r[i] = 0.3 * fabs(t1[i] - t0[i]) * x->h + floor * x->unit[i];
    most = fmax(most, x->r[i] / x->unit[i]);
  }
  for (uint32_t i = 0; i < x->c->N; i++) x->r[i] = fmax(x->r[i], 0.2 * most * x->unit[i]);
  hold_start(x);
}

// Does the tube hold everything within `near` of its start, and reach far enough before it?
static bool joins(const Tube *x) {
  double before = 0;
  for (uint32_t i = 0; i < x->c->N; i++) before += fabs(x->along[i]) * x->near[i];
  if (before > 0.5 * overlap * x->h) return false;
  for (uint32_t i = 0; i < x->c->N; i++) {
    if (x->near[i] + fabs(x->chord[i]) * before > 0.5 * x->r[i]) return false;
  }
  return true;
}

// How near z is to the zero of its cross-section, by the last Jacobian: from x->r on.
static void shrink(Tube *x, const double *z) {
  uint32_t N = x->c->N;
  look(x, z, NULL);
  image_of_values(x, x->work);
  memcpy(x->near, x->r, N * sizeof *x->near);
  for (int k = 0; k < shrinks; k++) {
    double most = 0;
    for (uint32_t i = 0; i < N; i++) {
      double sum = x->work[i];
      for (uint32_t j = 0; j < N; j++) sum += x->rate[(size_t)i * N + j] * x->near[j];
      x->K[i] = sum * (1 + margin);
    }
    for (uint32_t i = 0; i < N; i++) {
      most = fmax(most, (x->near[i] - x->K[i]) / x->r[i]);
      x->near[i] = fmin(x->near[i], x->K[i]);
    }
    if (most < 1e-9) break;
  }
}

static bool look_at_tube(Tube *x, const double *middle) {
  uint32_t N = x->c->N;
  for (uint32_t i = 0; i < N; i++) x->K[i] = (fabs(x->chord[i]) * x->h * (0.5 + overlap) + x->r[i]) * (1 + margin);
  look(x, middle, x->K);
  return take_matrix(x);
}

// Is there exactly one zero of the cross-section through z within r of z? Then x->near bounds how far it is.
static bool alone_near(Tube *x, const double *z, double r) {
  Curve *c = x->c;
  uint32_t N = c->N;
  double h = x->h;
  set_units(x, z);
  for (uint32_t i = 0; i < N; i++) x->r[i] = r * x->unit[i];
  curve_matrix(c, z, x->along);
  if (!curve_inverse(c, x->Y)) return false;
  double *values = c->work;
  look(x, z, NULL);
  image_of_values(x, values);
  x->h = 0;
  bool bounded = look_at_tube(x, z);
  x->h = h;
  if (!bounded) return false;
  contract(x, c->F);
  for (uint32_t i = 0; i < N; i++) {
    double sum = values[i];
    for (uint32_t j = 0; j < N; j++) sum += x->rate[(size_t)i * N + j] * x->r[j];
    if (!(sum * (1 + margin) < x->r[i])) return false;
  }
  shrink(x, z);
  return true;
}

// How near z is to the curve of the last tube. Derivatives over the whole tube bound it; where these are too wide,
// those of a small box inside of it do, which holds a zero, and so that of the tube.
static void bound_end(Tube *x, const double *z) {
  uint32_t N = x->c->N;
  double *kept = x->kept, least = INFINITY, most = 0;
  shrink(x, z);
  memcpy(kept, x->r, N * sizeof *kept);
  for (uint32_t i = 0; i < N; i++) {
    least = fmin(least, x->r[i] / x->unit[i]);
    most = fmax(most, x->near[i] / x->unit[i]);
  }
  if (most <= 1e-4 * overlap * x->h) return;
  double *before = x->point;
  memcpy(before, x->near, N * sizeof *before);
  if (!alone_near(x, z, 0.5 * least)) memcpy(x->near, before, N * sizeof *before);
  memcpy(x->r, kept, N * sizeof *kept);
}

bool tube_proves(Tube *x, const double *z0, const double *t0, const double *z1, const double *t1, const double *along) {
  Curve *c = x->c;
  uint32_t N = c->N;
  double *centre = x->point;
  memcpy(x->along, along, N * sizeof *along);
  x->h = 0;
  for (uint32_t i = 0; i < N; i++) {
    x->h += along[i] * (z1[i] - z0[i]);
    centre[i] = 0.5 * (z0[i] + z1[i]);
  }
  if (x->h == 0) return false;
  for (uint32_t i = 0; i < N; i++) x->chord[i] = (z1[i] - z0[i]) / x->h;
  x->h = fabs(x->h);
  set_units(x, centre);
  propose(x, t0, t1);
  curve_matrix(c, centre, along);
  if (!curve_inverse(c, x->Y)) return false;
  double *values = c->work, *image = c->F; // |Y G(middle)|, |Y A chord|
  look(x, centre, NULL);
  image_of_values(x, values);
  for (int k = 0; k < inflations; k++) {
    if (!look_at_tube(x, centre)) return false;
    contract(x, image);
    bool inside = true;
    double worst = 0, slope = 0;
    for (uint32_t i = 0; i < N; i++) {
      double sum = values[i] + image[i] * x->h * (0.5 + overlap);
      double row = 0;
      for (uint32_t j = 0; j < N; j++) {
        sum += x->rate[(size_t)i * N + j] * x->r[j];
        row += x->rate[(size_t)i * N + j] * x->unit[j];
      }
      slope = fmax(slope, row / x->unit[i]);
      x->K[i] = sum * (1 + margin);
      inside = inside && x->K[i] < x->r[i];
      worst = fmax(worst, x->K[i] / x->unit[i]);
    }
    if (inside) {
      if (!joins(x)) return false;
      bound_end(x, z1);
      return true;
    }
    if (!(slope < 4) || !isfinite(worst)) return false;
    for (uint32_t i = 0; i < N; i++) x->r[i] = 1.25 * x->K[i] + 0.1 * worst * x->unit[i];
    hold_start(x);
  }
  return false;
}

bool tube_holds(const Tube *x, const double *z0, const double *z) {
  double sigma = 0;
  for (uint32_t i = 0; i < x->c->N; i++) sigma += x->along[i] * (z[i] - z0[i]);
  for (uint32_t i = 0; i < x->c->N; i++) {
    if (!(fabs(z[i] - z0[i] - x->chord[i] * sigma) < x->r[i])) return false;
  }
  return true;
}

void tube_leave(Tube *x, const double *z) { bound_end(x, z); }

void tube_keep(Tube *x) { memcpy(x->near_kept, x->near, x->c->N * sizeof *x->near); }
void tube_go_back(Tube *x) { memcpy(x->near, x->near_kept, x->c->N * sizeof *x->near); }

bool tube_point(Tube *x, const double *z, double r, double *near) {
  uint32_t N = x->c->N;
  memset(x->along, 0, N * sizeof *x->along);
  x->along[x->c->n] = 1;
  x->h = 0;
  if (!alone_near(x, z, r)) return false;
  if (near) memcpy(near, x->near, N * sizeof *near);
  return true;
}

// The weakest direction of a large sparse G. See gram.h.
#include "sim/gram.h"

#include <math.h>
#include <string.h>

enum { most_rounds = 40 };
static const double settled = 1e-10; // of the value: a change that is smaller is the last one
static const double shift = 1e-15;   // of the largest diagonal entry, so that there are always factors
static const double alike = 0.7;     // cosine of two directions that are one

// ---- the pattern

static bool list_columns(Arena *arena, Gram *g) {
  uint32_t entries = gram_entries(g), *first = arena_array(arena, (size_t)g->n + 2, sizeof *first),
           *row = arena_array(arena, (size_t)entries + 1, sizeof *row),
           *entry = arena_array(arena, (size_t)entries + 1, sizeof *entry);
  if (!first || !row || !entry) return false;
  for (uint32_t e = 0; e < entries; e++) first[g->column[e] + 2]++;
  for (uint32_t c = 0; c < g->n; c++) first[c + 2] += first[c + 1];
  for (uint32_t k = 0; k < g->m; k++) {
    for (uint32_t e = g->start[k]; e < g->start[k + 1]; e++) {
      uint32_t at = first[g->column[e] + 1]++;
      row[at] = k;
      entry[at] = e;
    }
  }
  g->first = first;
  g->row = row;
  g->entry = entry;
  return true;
}

const Gram *gram_new(Arena *arena, uint32_t m, uint32_t n, const uint32_t *start, const uint32_t *column) {
  Gram *g = arena_new_of(arena, Gram);
  uint32_t *step = arena_array(arena, (size_t)m + 1, sizeof *step);
  if (!g || !step) return NULL;
  *g = (Gram){.m = m, .n = n, .start = start, .column = column};
  if (!list_columns(arena, g)) return NULL;
  g->plan = elimination_order(arena, m, &(EliminationSets){n, g->first, g->row});
  if (!g->plan) return NULL;
  for (uint32_t k = 0; k < m; k++) step[g->plan->order[k]] = k;
  g->step = step;
  return g;
}

// ---- factors

// Where the entry of steps a and b stands in L.
static uint32_t place_of(const Elimination *p, uint32_t a, uint32_t b) {
  uint32_t first = a < b ? a : b, last = a < b ? b : a, low = p->start[first], high = p->start[first + 1];
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (p->left[middle] < last) low = middle + 1;
    else high = middle;
  }
  return low;
}

// G G' - minus, in the places of its factors; returns the largest diagonal entry.
static double put_products(const Gram *g, const GramRoom *room, const double *G, double minus) {
  double most = 0;
  memset(room->lower, 0, gram_fill(g) * sizeof *room->lower);
  for (uint32_t k = 0; k < g->m; k++) room->diagonal[k] = -minus;
  for (uint32_t c = 0; c < g->n; c++) {
    for (uint32_t i = g->first[c]; i < g->first[c + 1]; i++) {
      uint32_t a = g->step[g->row[i]];
      double x = G[g->entry[i]];
      room->diagonal[a] += x * x;
      for (uint32_t j = i + 1; j < g->first[c + 1]; j++) {
        uint32_t b = g->step[g->row[j]];
        double product = x * G[g->entry[j]];
        if (a == b) room->diagonal[a] += 2 * product; // a coordinate twice in one constraint
        else room->lower[place_of(g->plan, a, b)] += product;
      }
    }
  }
  for (uint32_t k = 0; k < g->m; k++) most = fmax(most, room->diagonal[k] + minus);
  return most;
}

// L D L' in place; the unknowns beside step k stand beside each other from there on. Returns the negative pivots.
static uint32_t factor(const Gram *g, const GramRoom *room, double least) {
  const Elimination *p = g->plan;
  uint32_t negative = 0;
  for (uint32_t k = 0; k < g->m; k++) {
    double d = room->diagonal[k];
    if (fabs(d) < least) d = room->diagonal[k] = least; // rounding
    negative += d < 0;
    for (uint32_t a = p->start[k]; a < p->start[k + 1]; a++) {
      uint32_t i = p->left[a], at = p->start[i];
      double own = room->lower[a], l = own / d;
      room->diagonal[i] -= l * own;
      for (uint32_t b = a + 1; b < p->start[k + 1]; b++) {
        while (p->left[at] < p->left[b]) at++;
        room->lower[at] -= l * room->lower[b];
      }
    }
    for (uint32_t a = p->start[k]; a < p->start[k + 1]; a++) room->lower[a] /= d;
  }
  return negative;
}

static void solve(const Gram *g, const GramRoom *room, double *u) {
  const Elimination *p = g->plan;
  double *z = room->work;
  for (uint32_t k = 0; k < g->m; k++) z[k] = u[p->order[k]];
  for (uint32_t k = 0; k < g->m; k++) {
    for (uint32_t a = p->start[k]; a < p->start[k + 1]; a++) z[p->left[a]] -= room->lower[a] * z[k];
  }
  for (uint32_t k = g->m; k-- > 0;) {
    z[k] /= room->diagonal[k];
    for (uint32_t a = p->start[k]; a < p->start[k + 1]; a++) z[k] -= room->lower[a] * z[p->left[a]];
  }
  for (uint32_t k = 0; k < g->m; k++) u[p->order[k]] = z[k];
}

// ---- the weakest direction

static double dot(const double *a, const double *b, uint32_t n) {
  double sum = 0;
  for (uint32_t k = 0; k < n; k++) sum += a[k] * b[k];
  return sum;
}

static double normalize(double *a, uint32_t n) {
  double length = sqrt(dot(a, a, n));
  for (uint32_t k = 0; length > 0 && k < n; k++) a[k] /= length;
  return length;
}

// v = G' u / s
static double transposed(const Gram *g, const double *G, const double *u, double *v) {
  memset(v, 0, g->n * sizeof *v);
  for (uint32_t k = 0; k < g->m; k++) {
    for (uint32_t e = g->start[k]; e < g->start[k + 1]; e++) v[g->column[e]] += G[e] * u[k];
  }
  return normalize(v, g->n);
}

double gram_weakest(const Gram *g, const GramRoom *room, double *look) {
  const double *G = look;
  double *u = look + gram_entries(g), *v = u + g->m, value = INFINITY;
  double most = put_products(g, room, G, 0);
  if (!isfinite(most)) return NAN;
  for (uint32_t k = 0; k < g->m; k++) room->diagonal[k] += shift * most;
  factor(g, room, shift * most);
  for (uint32_t k = 0; k < g->m; k++) u[k] = 0.5 + (double)((k + 1) * 2654435761u >> 8) * 0x1p-24;
  normalize(u, g->m);
  for (int i = 0; i < most_rounds; i++) {
    double before = value;
    solve(g, room, u);
    normalize(u, g->m);
    value = transposed(g, G, u, v);
    if (!(fabs(value - before) > settled * value)) break;
  }
  return value;
}

uint32_t gram_below(const Gram *g, const GramRoom *room, const double *look, double bound) {
  put_products(g, room, look, bound * bound);
  return factor(g, room, 1e-300);
}

// ---- from one look to another

// u' D v of the change D of G.
static double along(const Gram *g, const double *from, const double *to, const double *u, const double *v) {
  double sum = 0;
  for (uint32_t k = 0; k < g->m; k++) {
    for (uint32_t e = g->start[k]; e < g->start[k + 1]; e++) sum += u[k] * (to[e] - from[e]) * v[g->column[e]];
  }
  return sum;
}

GramStep gram_between(const Gram *g, const double *from, const double *to) {
  uint32_t entries = gram_entries(g);
  const double *u = from + entries, *v = u + g->m, *u_to = to + entries, *v_to = u_to + g->m;
  double a = dot(u, u_to, g->m), b = dot(v, v_to, g->n), change = 0;
  for (uint32_t e = 0; e < entries; e++) change = fmax(change, fabs(to[e] - from[e]));
  return (GramStep){.known = fabs(a) > alike && fabs(b) > alike,
                    .turned = (a < 0) != (b < 0),
                    .way = fmax(fabs(along(g, from, to, u, v)), fabs(along(g, from, to, u_to, v_to))),
                    .change = change};
}
